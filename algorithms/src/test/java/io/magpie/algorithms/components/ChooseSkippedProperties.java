package io.magpie.algorithms.components;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * The kernel that chooses a component to skip finds the majority of labels, or that none has it.
 */
class ChooseSkippedProperties {
  private static final int NONE = -1;

  /** The greatest vertex that there can be. */
  private static final int GREATEST = Integer.MAX_VALUE - 2;

  /** Widths of warps that are powers of two, and others. */
  private static final List<String> DEVICES =
      List.of("sim:1:1", "sim:0:3", "sim:2:4", "sim:5:24", "sim:0:32", "cpu:4", "cpu-checked:3");

  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void anyLabels(@ForAll("samples") List<Integer> labels, @ForAll("devices") String device) {
    check(labels, device);
  }

  /** Shares of one label around the half, the others of one label or of many, in any order. */
  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void aboutHalf(
      @ForAll("counts") int count,
      @ForAll("differences") int difference,
      @ForAll boolean rivals,
      @ForAll("seeds") long seed,
      @ForAll("devices") String device) {
    int share = Math.max(0, Math.min(count, count / 2 + difference));
    List<Integer> labels = new ArrayList<>(Collections.nCopies(share, GREATEST));
    for (int i = share; i < count; i++) {
      labels.add(rivals ? 0 : i);
    }
    Collections.shuffle(labels, new Random(seed));
    check(labels, device);
  }

  @Example
  void allShortSamples() {
    for (int count = 0; count <= 5; count++) {
      for (int code = 0; code < Math.pow(3, count); code++) {
        List<Integer> labels = new ArrayList<>();
        for (int rest = code; labels.size() < count; rest /= 3) {
          labels.add(rest % 3);
        }
        check(labels, "sim:2:4");
        check(labels, "cpu:4");
      }
    }
  }

  private static void check(List<Integer> labels, String spec) {
    assertEquals(
        majority(labels), chosen(labels, Variants.device(spec)), () -> spec + " " + labels);
  }

  private static int majority(List<Integer> labels) {
    Map<Integer, Integer> votes = new HashMap<>();
    labels.forEach(label -> votes.merge(label, 1, Integer::sum));
    return votes.entrySet().stream()
        .filter(entry -> 2 * entry.getValue() > labels.size())
        .mapToInt(Map.Entry::getKey)
        .findFirst()
        .orElse(NONE);
  }

  private static int chosen(List<Integer> labels, Device device) {
    int[] array = labels.stream().mapToInt(Integer::intValue).toArray();
    try (KernelModule module = device.load("components");
        DeviceArray<int[]> on = device.copyOf(array);
        DeviceArray<int[]> words = device.copyOf(7, 7)) {
      module
          .kernel("choose_skipped")
          .run(
              1,
              new Fields()
                  .set("count", array.length)
                  .set("labels", on)
                  .set("skip", words.slice(0, 1))
                  .set("heavy", words.slice(1, 1)));
      int[] result = words.toArray();
      assertEquals(0, result[1], () -> "heavy: " + Arrays.toString(result));
      return result[0];
    }
  }

  @Provide
  Arbitrary<List<Integer>> samples() {
    return Arbitraries.of(0, 1, 5, GREATEST).list().ofMaxSize(130);
  }

  @Provide
  Arbitrary<Integer> counts() {
    return Arbitraries.of(1, 2, 3, 31, 32, 33, 64, 127, 128, 1023, 1024);
  }

  @Provide
  Arbitrary<Integer> differences() {
    return Arbitraries.integers().between(-2, 3);
  }

  @Provide
  Arbitrary<Long> seeds() {
    return Arbitraries.longs();
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(DEVICES);
  }
}
