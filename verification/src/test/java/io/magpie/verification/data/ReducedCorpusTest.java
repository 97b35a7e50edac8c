package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Exploration;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.RegionWorkload.Runs;
import io.magpie.verification.workload.WorkloadSubject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partial-order reduction finds what a search of all schedules within some deviations finds. */
@Tag("slow") // compiles regions; VerifyCommandTest has one
class ReducedCorpusTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");

  private static final StmOptions OPTIONS = StmOptions.defaults();

  private static final long RUNS = 20_000;

  private static Exploration explored(WorkloadSubject subject, String strategy) {
    assertEquals(List.of(), subject.defaultRun().violations(), "found without a search");
    Exploration done = Explorer.explore(subject, Strategy.parse(strategy), RUNS, 1);
    assertTrue(subject.checksData());
    return done;
  }

  private static List<Violation> violations(Exploration done) {
    return done.counterexample().orElseThrow().violations();
  }

  @ParameterizedTest
  @CsvSource({"wrong/count_seen_by_hint.cu, 2", "right/first_come.cu, 2"})
  void findsWhatTheSearchWithinDeviationsFinds(String name, int items) {
    Path file = REGIONS.resolve(name);
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload =
            new RegionWorkload(
                device,
                file,
                null,
                RecordedCorpus.arguments(file),
                Optional.empty(),
                Optional.of(Runs.scheduled(OPTIONS.policy())));
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, items)) {
      Exploration within = explored(subject, "exhaustive:1");
      Exploration reduced = explored(subject, "dpor:1");
      if (name.startsWith("right/")) {
        assertTrue(within.complete() && reduced.complete());
        return;
      }
      assertFalse(reduced.counterexample().isEmpty());
      String expected = RecordedCorpus.said(file, "expect").split(" at ")[0];
      for (Exploration each : List.of(within, reduced)) {
        Violation first = violations(each).get(0);
        assertEquals(expected, first.kind().words(), first.text());
      }
    }
  }
}
