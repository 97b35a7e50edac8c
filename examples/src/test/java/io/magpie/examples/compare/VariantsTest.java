package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.partition.PartitionOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariantsTest {
  private static final MsfOptions FOREST = MsfOptions.defaults();

  private static List<MsfOptions> combine(String... terms) {
    Variants.Combinations<MsfOptions> all = Variants.combinations(FOREST, List.of(terms));
    assertEquals(Map.of(), all.impossible());
    return all.possible();
  }

  private static List<String> shown(String... terms) {
    return combine(terms).stream()
        .map(
            each ->
                each.toString()
                    .replace(" statistics=on", "")
                    .replace(" timeout=60", "")
                    .replace(" reads=validated", "")
                    .replace(" traversal=edge", "")
                    .replace(" filter=auto", ""))
        .toList();
  }

  @Test
  void theDefaultOfEachIfNothingIsListed() {
    assertEquals(List.of(FOREST), combine());
    assertEquals(List.of("merge=stm policy=hand_off threads-in-flight=0"), shown());
  }

  @Test
  void whatHasNoEffectMakesNoVariant() {
    List<String> all =
        List.of(
            "merge=stm policy=hand_off threads-in-flight=0",
            "merge=stm policy=priority_rule threads-in-flight=0",
            "merge=atomic");
    assertEquals(all, shown("merge=stm,atomic", "policy=hand_off,priority_rule"));
    assertEquals(all, shown("merge=all", "policy=all"));
    assertEquals(3, shown("policy=all", "merge=all").size(), "in whatever order");
    // 2 x (edge x 3 filters, vertex x 2 discoveries), of transactions with policy, reads,
    // statistics
    assertEquals(5 * 8 + 5, combine("all").size());
    assertEquals(5, combine("merge=atomic", "all").size(), "all of the rest");
  }

  @Test
  void numbersAreFree() {
    assertEquals(
        List.of(
            "merge=stm policy=hand_off threads-in-flight=64",
            "merge=stm policy=hand_off threads-in-flight=1024"),
        shown("threads-in-flight=64,1024"));
    List<PartitionOptions> parts =
        Variants.combinations(PartitionOptions.defaults(), List.of("imbalance=0.1", "seed=-3"))
            .possible();
    assertEquals(List.of(PartitionOptions.defaults().withImbalance(0.1).withSeed(-3)), parts);
  }

  @Test
  void labelsNameTheDifferences() {
    assertEquals(
        List.of("stm hand_off", "stm priority_rule", "atomic"),
        Variants.labels(combine("merge=all", "policy=all")));
    assertEquals(
        List.of("threads-in-flight=1", "threads-in-flight=2"),
        Variants.labels(combine("threads-in-flight=1,2")));
    assertEquals(List.of("stm"), Variants.labels(combine()));
    assertEquals(List.of("parts=64"), Variants.labels(List.of(PartitionOptions.defaults())));
  }

  @Test
  void oneVariantByItsValues() {
    assertEquals(
        FOREST.withMerge(MsfOptions.Merge.ATOMIC),
        Variants.variant(FOREST, List.of("merge=atomic", "policy=priority_rule")));
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    for (String term :
        List.of(
            "speed=1",
            "merge",
            "merge=fast",
            "threads-in-flight=many",
            "threads-in-flight=-1",
            "phase-times=on",
            "=stm",
            "merge=")) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> combine(term), term);
      assertTrue(e.getMessage().contains("expected"), e.getMessage());
    }
    IllegalArgumentException useless =
        assertThrows(
            IllegalArgumentException.class, () -> combine("merge=atomic", "threads-in-flight=5"));
    assertEquals("threads-in-flight=5 has no effect: expected merge=stm", useless.getMessage());
    IllegalArgumentException range =
        assertThrows(
            IllegalArgumentException.class,
            () -> Variants.combinations(PartitionOptions.defaults(), List.of("imbalance=1.5")));
    assertEquals("imbalance=1.5: expected 0 to 1", range.getMessage());
    assertThrows(IllegalArgumentException.class, () -> combine("merge=stm", "merge=atomic"));
  }
}
