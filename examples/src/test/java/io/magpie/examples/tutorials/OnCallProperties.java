package io.magpie.examples.tutorials;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.verification.testing.RegionCheck;
import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.Size;

/** Of each pair of doctors who want to leave one stays. */
class OnCallProperties {
  String file() {
    return "on_call_fixed.cu";
  }

  @Property(tries = 20, shrinking = ShrinkingMode.FULL)
  void someoneIsAlwaysOnCall(@ForAll @Size(min = 1, max = 4) boolean[] pairs) {
    int[] onCall = new int[2 * pairs.length];
    for (int pair = 0; pair < pairs.length; pair++) {
      onCall[2 * pair] = 1;
      onCall[2 * pair + 1] = pairs[pair] ? 1 : 0;
    }
    RegionCheck.of(Path.of(System.getProperty("magpie.basedir"), "02-verify-your-region", file()))
        .guarded("on_call", onCall)
        .items(onCall.length)
        .on("sim:0:1", "sim:0:4", "cpu-checked:2")
        .onGpuIfAny()
        .explore("pct:2", 100)
        .invariant(data -> assertTrue(everyPairHasOne(data.ints("on_call")), "nobody is on call"))
        .specification(
            (data, doctor) -> {
              boolean leaves = data.ints("on_call")[doctor ^ 1] == 1;
              data.ints("on_call")[doctor] = leaves ? 0 : data.ints("on_call")[doctor];
              return leaves;
            })
        .allowNoCommits()
        .check();
  }

  private static boolean everyPairHasOne(int[] onCall) {
    for (int pair = 0; pair < onCall.length / 2; pair++) {
      if (onCall[2 * pair] + onCall[2 * pair + 1] == 0) {
        return false;
      }
    }
    return true;
  }
}
