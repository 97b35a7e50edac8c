package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.simulator.AccessTrace.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which results items may keep, in traces made by hand. */
class KeptResultsTest {
  /** Item 4 keeps a result, in an attempt that is undone. */
  private static TraceBuilder keeps() {
    TraceBuilder trace = new TraceBuilder().array("kept", 1);
    return trace.begin(4).does(Kind.PLAIN_WRITE, "kept", 0, 7).retries();
  }

  /** Whether that is such a result, if the next attempt of a thread, by this item, reads it. */
  private static boolean isOne(int item, int thread) {
    TraceBuilder trace =
        keeps().begin(item, thread).does(Kind.PLAIN_READ, "kept", 0, 7).locks().commits();
    Attempts attempts = new Attempts(trace.build());
    KeptResults results = new KeptResults(attempts);
    List<Attempt> all = attempts.all();
    Access write = all.get(0).accesses.get(0);
    Optional<Access> left = results.left(all.get(1), write.address());
    boolean is = results.isOne(write);
    assertEquals(is ? Optional.of(write) : Optional.empty(), left);
    return is;
  }

  @Test
  void onlyTheItemItselfMayUseWhatItKeeps() {
    assertTrue(isOne(4, 4));
    assertFalse(isOne(5, 5));
    assertFalse(isOne(4, 5), "another item of the same number");
  }
}
