package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.msf.MinimumSpanningForest;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.examples.compare.Comparison.Outcome;
import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RegionReport.AbortCause;
import io.magpie.stm.RunData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutcomeTest {
  private static final Outcome PLAIN =
      new Outcome(Map.of(Outcome.TOTAL, 1.5), Map.of("rounds", 7L), Optional::empty);

  /** Opens two objects, and declares one. */
  private static final String OUTGROWS =
      """
      #include "magpie/stm.cuh"
      struct outgrows {
        magpie::stm::guarded<std::int32_t> values;
        static constexpr std::uint32_t max_objects = 1, max_writes = 1;
        template <class Tx>
        MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const {
          const std::int32_t x = MAGPIE_TRY(tx.get(values, item));
          if (item > 1) return magpie::stm::outcome::commit;
          MAGPIE_TRY(tx.set(values, item + 1, x));
          return magpie::stm::outcome::commit;
        }
      };
      MAGPIE_REGION(outgrows)
      """;

  @Test
  void whatOutgrewItsLogIsCounted(@TempDir Path folder) throws IOException {
    Path source = Files.writeString(folder.resolve("outgrows.cu"), OUTGROWS);
    try (Device device = Device.open("cpu:1");
        KernelModule module = device.compile(source);
        RunData data = new RunData(device).guarded("values", new int[4])) {
      RegionReport run = module.region("outgrows").run(4, data.fields()).requireComplete();
      assertEquals(2, PLAIN.withTransactions(List.of(run)).counters().get("overflows"));
    }
  }

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
    assertEquals(sum(runs, RegionReport::overflows), outcome.counters().get("overflows"));
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
