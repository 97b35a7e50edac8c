package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.msf.MinimumSpanningForest;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.examples.compare.Comparison.Outcome;
import io.magpie.stm.Device;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RegionReport.AbortCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

class OutcomeTest {
  private static final Outcome PLAIN =
      new Outcome(Map.of(Outcome.TOTAL, 1.5), Map.of("rounds", 7L), Optional::empty);

  @Test
  void countsOfAllRunsOfRegionsAreAdded() {
    List<RegionReport> runs;
    try (Device device = Device.open("sim:1:8")) {
      runs =
          MinimumSpanningForest.run(
                  device,
                  GraphGenerators.generate("random:60,m=200,seed=3"),
                  MsfOptions.defaults().withMerge(MsfOptions.Merge.STM))
              .report()
              .orElseThrow()
              .transactions();
    }
    assertTrue(runs.size() > 1, runs::toString);
    Outcome outcome = PLAIN.withTransactions(runs);
    assertEquals(
        List.of(
            "rounds",
            "commits",
            "cancels",
            "aborts",
            "steals",
            "registrations",
            "mostAttempts",
            "overflows"),
        List.copyOf(outcome.counters().keySet()));
    assertEquals(7, outcome.counters().get("rounds"));
    assertEquals(sum(runs, RegionReport::commits), outcome.counters().get("commits"));
    assertEquals(sum(runs, RegionReport::cancels), outcome.counters().get("cancels"));
    assertEquals(sum(runs, RegionReport::aborts), outcome.counters().get("aborts"));
    assertEquals(sum(runs, RegionReport::steals), outcome.counters().get("steals"));
    assertEquals(sum(runs, RegionReport::registrations), outcome.counters().get("registrations"));
    assertEquals(
        runs.stream().mapToLong(RegionReport::mostAttempts).max().orElseThrow(),
        outcome.counters().get("mostAttempts"));
    assertTrue(outcome.counters().get("aborts") > 0, outcome::toString);
    assertEquals(
        outcome.counters().get("aborts"),
        outcome.aborts().values().stream().mapToLong(Long::longValue).sum());
    assertTrue(outcome.aborts().containsKey("wait_expired"), outcome::toString);

    List<RegionReport> twice = new ArrayList<>(runs);
    twice.addAll(runs);
    assertEquals(PLAIN.withTransactions(twice), outcome.withTransactions(runs));
  }

  @Test
  void aVariantWithoutTransactionsCountsNone() {
    assertEquals(PLAIN, PLAIN.withTransactions(List.of()));
    assertEquals(Map.of("rounds", 7L), PLAIN.countersWithAborts());
  }

  @Test
  void abortsAloneAreSummedForTheTable() {
    Outcome outcome =
        PLAIN
            .withAborts(Map.of(AbortCause.STOLEN, 2L))
            .withAborts(Map.of(AbortCause.STOLEN, 1L, AbortCause.WAIT_EXPIRED, 4L));
    assertEquals(Map.of("stolen", 3L, "wait_expired", 4L), outcome.aborts());
    assertFalse(outcome.counters().containsKey(Outcome.ABORTS));
    assertEquals(7, outcome.countersWithAborts().get(Outcome.ABORTS));
  }

  private static long sum(List<RegionReport> runs, ToLongFunction<RegionReport> part) {
    return runs.stream().mapToLong(part).sum();
  }
}
