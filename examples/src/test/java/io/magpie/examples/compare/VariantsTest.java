package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.algorithms.mesh.refine.RefinementOptions;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.partition.PartitionOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class VariantsTest {
  /** Settings that are shown here; others that there may be have their defaults. */
  private static final Set<String> IN_QUESTION =
      Set.of("merge", "policy", "threads-in-flight", "eager-attempts");

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
                each.written().entrySet().stream()
                    .filter(setting -> IN_QUESTION.contains(setting.getKey()))
                    .map(setting -> setting.getKey() + "=" + setting.getValue())
                    .filter(text -> !text.equals("eager-attempts=-1"))
                    .collect(Collectors.joining(" ")))
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
    assertEquals(all, shown("merge=all", "policy=hand_off,priority_rule"));
    int policies = TransactionSettings.POLICY.all().size();
    assertEquals(policies + 1, shown("merge=all", "policy=all").size());
    assertEquals(policies + 1, shown("policy=all", "merge=all").size(), "in whatever order");
    // 2 x (edge x 3 filters, vertex x 2 discoveries), of transactions with policy, reads; cycle,
    // scan, and component-space with policy; all of them for both objectives
    assertEquals(2 * (5 * policies * 2 + 5 + 2 + policies), combine("all").size());
    assertEquals(2 * (5 + 2 + policies), combine("merge=atomic", "all").size(), "all of the rest");
  }

  /** What depends on a setting that has no effect has none. */
  @Test
  void eagerAttemptsNeedHandOffAndTransactions() {
    assertEquals(
        List.of(
            "merge=stm policy=hand_off threads-in-flight=0 eager-attempts=0",
            "merge=stm policy=hand_off threads-in-flight=0 eager-attempts=4",
            "merge=stm policy=priority_rule threads-in-flight=0",
            "merge=atomic"),
        shown("merge=all", "policy=hand_off,priority_rule", "eager-attempts=0,4"));
    IllegalArgumentException useless =
        assertThrows(
            IllegalArgumentException.class, () -> combine("merge=atomic", "eager-attempts=4"));
    assertEquals(
        "eager-attempts=4 has no effect: expected policy=hand_off|optimistic_hand_off with merge=stm"
            + " with traversal=vertex|edge or traversal=component-space",
        useless.getMessage());
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
        Variants.labels(combine("merge=all", "policy=hand_off,priority_rule")));
    assertEquals(
        List.of("threads-in-flight=1", "threads-in-flight=2"),
        Variants.labels(combine("threads-in-flight=1,2")));
    assertEquals(List.of("edge"), Variants.labels(combine()));
    assertEquals(List.of("parts=64"), Variants.labels(List.of(PartitionOptions.defaults())));
  }

  /** Whoever reads a label can write the variant again. */
  @Test
  void labelsTellVariantsApartAndCanBeReadBack() {
    for (List<String> terms :
        List.of(
            List.of("matching=all", "refinement=all", "contraction=all"),
            List.of("seed=-3,-9223372036854775808,7", "imbalance=0.00001,0.5"),
            List.of("effort=all", "matching=stm,atomic", "policy=all", "timeout=0.25,60"),
            List.of("coarsening=all", "rating=all", "candidates=all"))) {
      PartitionOptions defaults = PartitionOptions.defaults();
      List<PartitionOptions> variants = Variants.combinations(defaults, terms).possible();
      List<String> labels = Variants.labels(variants);
      assertEquals(variants.size(), Set.copyOf(labels).size(), labels.toString());
      for (int i = 0; i < labels.size(); i++) {
        List<String> read = new ArrayList<>();
        for (String word : labels.get(i).split(" ")) {
          read.add(word.contains("=") ? word : named(word, variants));
        }
        assertEquals(variants.get(i), Variants.variant(defaults, read), labels.get(i));
      }
    }
    assertEquals(
        List.of("seed=-3", "seed=7"),
        Variants.labels(
            Variants.combinations(PartitionOptions.defaults(), List.of("seed=-3,7")).possible()));
  }

  /** A value with the name of the only setting that has it. */
  private static String named(String value, List<PartitionOptions> variants) {
    Set<String> names = new HashSet<>();
    for (PartitionOptions variant : variants) {
      variant
          .written()
          .forEach(
              (name, text) -> {
                if (text.equals(value)) {
                  names.add(name);
                }
              });
    }
    assertEquals(1, names.size(), value + " may be of " + names);
    return names.iterator().next() + "=" + value;
  }

  @Test
  void optionsWithoutSettingsHaveALabel() {
    assertEquals(List.of("default"), Variants.labels(List.of(new Bare())));
  }

  /** Options of an algorithm that has none. */
  private static final class Bare extends Options<Bare> {
    @Override
    public List<Setting<?>> settings() {
      return List.of();
    }

    @Override
    protected Bare copy(Map<String, Object> changed) {
      return this;
    }
  }

  /** As an author may write them: what is the same setting is told by its name. */
  @Test
  void settingsMayBeMadeAnewByEachCall() {
    Fresh defaults = new Fresh(Map.of());
    List<String> terms = List.of("rounds=1,8", "fast=all");
    assertEquals(
        List.of("rounds=1 fast=off", "rounds=1 fast=on", "rounds=8 fast=off", "rounds=8 fast=on"),
        Variants.combinations(defaults, terms).possible().stream().map(Fresh::toString).toList());
    assertEquals("rounds=2 fast=off", Variants.variant(defaults, List.of("rounds=2")).toString());
  }

  /** Options that keep no settings. */
  private static final class Fresh extends Options<Fresh> {
    Fresh(Map<String, Object> values) {
      super(values);
    }

    @Override
    public List<Setting<?>> settings() {
      return List.of(
          Setting.whole("rounds", 1, 1, 9, "how many rounds there are"),
          Setting.flag("fast", false, "whether it is fast"));
    }

    @Override
    protected Fresh copy(Map<String, Object> changed) {
      return new Fresh(changed);
    }
  }

  /** What would be its default alone. */
  @Test
  void allOfANumberWithoutAListIsRefused() {
    Map<String, Options<?>> numbers =
        Map.of(
            "parts=all: it has no list of values; name some, as in parts=64,2",
            PartitionOptions.defaults(),
            "imbalance=all: it has no list of values; name some, as in imbalance=0.03,0.5",
            PartitionOptions.defaults(),
            "threads-in-flight=all: it has no list of values; name some, as in"
                + " threads-in-flight=0,2",
            FOREST,
            "angle=all: it has no list of values; name some, as in angle=30,2",
            RefinementOptions.defaults());
    numbers.forEach(
        (message, options) -> assertEquals(message, refusal(options, message.split(":")[0])));
    assertEquals(
        5,
        Variants.combinations(RefinementOptions.defaults(), List.of("batch=all")).possible().size(),
        "a number with a list");
  }

  private static <O extends Options<O>> String refusal(Options<?> options, String term) {
    @SuppressWarnings("unchecked") // of whatever algorithm
    O defaults = (O) options;
    return assertThrows(
            IllegalArgumentException.class, () -> Variants.combinations(defaults, List.of(term)))
        .getMessage();
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
    assertEquals(
        "threads-in-flight=5 has no effect: expected merge=stm with traversal=vertex|edge or"
            + " traversal=component-space",
        useless.getMessage());
    IllegalArgumentException range =
        assertThrows(
            IllegalArgumentException.class,
            () -> Variants.combinations(PartitionOptions.defaults(), List.of("imbalance=1.5")));
    assertEquals("imbalance=1.5: expected 0 to 1", range.getMessage());
    assertThrows(IllegalArgumentException.class, () -> combine("merge=stm", "merge=atomic"));
  }
}
