package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Exploration;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.RecordedRuns;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.RegionWorkload.Runs;
import io.magpie.verification.workload.WorkloadSubject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * An attempt that fails, after it has combined data of two states: histories of objects are right,
 * one object guards both data, and no attempt that commits does anything wrong.
 */
class TwoStatesTest {
  private static final Path FILE =
      Path.of(System.getProperty("magpie.basedir", "."), "src/test/cuda/two_states.cu");

  /** Many times as many as it takes until threads meet, which depends on what else runs. */
  private static final long MOST_RUNS = 100_000;

  private static final Map<String, ArgumentSpec> ARGUMENTS =
      Map.of(
          "cells", ArgumentSpec.parse("objects:1"),
          "values", ArgumentSpec.parse("fill:5:2"),
          "places", ArgumentSpec.parse("zeros:2"),
          "unused", ArgumentSpec.parse("zeros:40"));

  private static RegionWorkload workload(Device device, Runs runs) {
    return new RegionWorkload(device, FILE, null, ARGUMENTS, Optional.empty(), Optional.of(runs));
  }

  private static void assertFound(Violation found) {
    assertEquals(Violation.Kind.UNGUARDED_ACCESS, found.kind());
    assertTrue(found.text().startsWith("values[1]: the two are of different states"), found.text());
    assertTrue(found.text().contains("reads, past its transaction, values[1]"), found.text());
    assertTrue(found.text().contains("reads, by tx.read, values[0]"), found.text());
    assertTrue(found.text().contains("(two_states.cu:28)"), found.text());
  }

  @Test
  void theSimulatorShowsIt() {
    try (Device device = Device.open("sim:0:4");
        RegionWorkload workload = workload(device, Runs.scheduled(Policy.HAND_OFF));
        WorkloadSubject subject = new WorkloadSubject(workload, StmOptions.defaults(), 4)) {
      assertEquals(List.of(), subject.defaultRun().violations());
      Exploration done = Explorer.explore(subject, Strategy.parse("random"), 1_000, 1);
      assertFound(done.counterexample().orElseThrow().violations().get(0));
    }
  }

  /** Threads show it sooner or later: pauses let others get in between. */
  @Test
  void threadsShowIt() {
    try (Device device = Device.open("cpu:4");
        RegionWorkload workload = workload(device, new Runs(Policy.HAND_OFF, true, true));
        RecordedRuns runs =
            new RecordedRuns(
                workload, StmOptions.defaults(), Recording.Options.defaults(), 0, 1L << 26)) {
      List<Violation> found = List.of();
      for (long run = 0; found.isEmpty() && run < MOST_RUNS; run++) {
        found = runs.run(4, run).violations();
      }
      assertFalse(found.isEmpty(), "nothing in " + MOST_RUNS + " runs");
      assertFound(found.get(0));
    }
  }
}
