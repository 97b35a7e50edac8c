package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.msf.MsfOptions.Filter;
import io.magpie.algorithms.msf.MsfOptions.Merge;
import io.magpie.algorithms.msf.MsfOptions.Reads;
import io.magpie.stm.Device;
import io.magpie.stm.LateDevice;
import io.magpie.stm.MagpieException;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Forests whose regions are started and awaited at the end, on devices that are as late as can be.
 */
class LaunchedAheadTest {
  private static final MsfOptions OPTIONS =
      MsfOptions.defaults().withMerge(Merge.STM).withPhaseTimes(false);

  private static final Graph DENSE =
      GraphGenerators.generate("random:n=600,m=4000,weights=1..9,seed=8");

  @ParameterizedTest
  @ValueSource(strings = {"sim:1:4", "sim:2:32"})
  void allRegionsAreStartedBeforeTheHostWaits(String spec) {
    for (Filter filter : List.of(Filter.ON, Filter.OFF)) {
      int regions = filter == Filter.ON ? 3 : 2; // of vertices, and one or two lists of edges
      for (Reads reads : Reads.values()) {
        List<Integer> started = new ArrayList<>();
        try (Device device = LateDevice.open(spec, started::add);
            MinimumSpanningForest forest = new MinimumSpanningForest(device, DENSE)) {
          MsfOptions options = OPTIONS.withFilter(filter).withReads(reads);
          for (int again = 0; again < 2; again++) {
            started.clear();
            MsfResult result = forest.run(options);
            assertEquals(List.of(), MsfVerifier.verify(result));
            assertEquals(IntStream.rangeClosed(1, regions).boxed().toList(), started);
            MsfReport report = result.report().orElseThrow();
            assertEquals(regions, report.transactions().size());
            assertEquals(
                result.edges(),
                report.transactions().stream().mapToLong(RegionReport::commits).sum());
            assertEquals(result.edges(), report.phases().stream().mapToLong(Phase::commits).sum());
            assertEquals(List.of(), startedRuns(device));
          }
        }
      }
    }
  }

  @Test
  void timesOfPhasesAreOfLaunchesThatAreWaitedFor() {
    List<Integer> started = new ArrayList<>();
    try (Device device = LateDevice.open("sim:1:4", started::add);
        MinimumSpanningForest forest = new MinimumSpanningForest(device, DENSE)) {
      MsfResult result = forest.run(OPTIONS.withPhaseTimes(true));
      assertEquals(List.of(), MsfVerifier.verify(result));
      assertEquals(List.of(), started);
    }
  }

  /** What comes after a region is launched although items of it did not finish. */
  @Test
  void unfinishedItemsAreReportedAndTheNextRunIsRight() {
    try (Device device = LateDevice.open("sim:2:32", count -> {});
        MinimumSpanningForest forest = new MinimumSpanningForest(device, DENSE)) {
      UnfinishedItemsException e =
          assertThrows(
              UnfinishedItemsException.class,
              () ->
                  forest.run(
                      OPTIONS.withStm(
                          StmOptions.defaults().withMaxAttempts(1).withEagerAttempts(0))));
      assertTrue(e.getMessage().contains("merge_"), e::getMessage);
      assertEquals(List.of(), startedRuns(device));
      assertEquals(List.of(), MsfVerifier.verify(forest.run(OPTIONS)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aCancelEndsAllThatIsInFlight(int afterStarts) {
    Device[] canceled = {null};
    try (Device device =
            LateDevice.open(
                "sim:1:4",
                count -> {
                  if (canceled[0] != null && count == afterStarts) {
                    canceled[0].cancelRun();
                  }
                });
        MinimumSpanningForest forest = new MinimumSpanningForest(device, DENSE)) {
      canceled[0] = device;
      UnfinishedItemsException e =
          assertThrows(
              UnfinishedItemsException.class, () -> forest.run(OPTIONS.withFilter(Filter.ON)));
      assertTrue(e.report().canceled(), e::getMessage);
      assertFalse(e.report().complete());
      canceled[0] = null;
      assertEquals(List.of(), startedRuns(device));
      assertEquals(List.of(), MsfVerifier.verify(forest.run(OPTIONS.withFilter(Filter.ON))));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void whatIsInFlightIsClosedWhereALaunchFails(int number) {
    int[] failing = {number};
    try (Device device =
            LateDevice.open(
                "sim:1:4",
                count -> {
                  if (count == failing[0]) {
                    throw new MagpieException("launch " + count + " is refused");
                  }
                });
        MinimumSpanningForest forest = new MinimumSpanningForest(device, DENSE)) {
      MagpieException e =
          assertThrows(MagpieException.class, () -> forest.run(OPTIONS.withFilter(Filter.ON)));
      assertEquals("launch " + number + " is refused", e.getMessage());
      assertEquals(List.of(), startedRuns(device));
      failing[0] = 0;
      assertEquals(List.of(), MsfVerifier.verify(forest.run(OPTIONS.withFilter(Filter.ON))));
    }
  }

  private static List<String> startedRuns(Device device) {
    return device.leaks().stream()
        .map(Device.Leak::what)
        .filter(what -> what.startsWith("started run"))
        .toList();
  }
}
