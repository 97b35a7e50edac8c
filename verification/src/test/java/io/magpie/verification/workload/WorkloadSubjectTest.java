package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.stm.trace.Schedule;
import io.magpie.verification.explore.Exploration;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.Shrinker;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.workload.DrawnWorkload.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkloadSubjectTest {
  private static final StmOptions OPTIONS =
      StmOptions.defaults().withStatistics(false).withTimeout(Duration.ZERO);

  @Test
  void theShippedPolicyShowsNoViolation() {
    try (Device device = Device.open("sim:0:2");
        DrawnWorkload workload = new DrawnWorkload(device, new Shape(2, 2, 100, 2, 0), 1);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 3)) {
      assertEquals(4, subject.threads(), "an idle lane's steps are choices, too");
      for (Strategy strategy :
          List.of(Strategy.pct(2), Strategy.random(), Strategy.random().overWeakMemory())) {
        Exploration done = Explorer.explore(subject, strategy, 200, 1);
        assertTrue(done.counterexample().isEmpty(), () -> done.counterexample().toString());
        assertEquals(200, done.runs());
        assertEquals(3, subject.history().size() - aborted(subject));
      }
    }
  }

  private static int aborted(WorkloadSubject subject) {
    int aborted = 0;
    for (int i = 0; i < subject.history().size(); i++) {
      aborted += subject.history().completed(i) ? 0 : 1;
    }
    return aborted;
  }

  /** Two transactions that open two objects in opposite orders: the published rule can livelock. */
  @Test
  void aLivelockIsFoundShrunkAndReplayed() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload =
            new RegionWorkload(
                device,
                RegionWorkloadTest.SOURCE,
                "neighbours",
                Map.of(
                    "cells", ArgumentSpec.parse("objects:2"),
                    "values", ArgumentSpec.parse("zeros:2")));
        WorkloadSubject subject =
            new WorkloadSubject(workload, OPTIONS.withPolicy(Policy.PRIORITY_RULE), 2)) {
      Exploration done = Explorer.explore(subject, Strategy.periodic(), 20_000, 1);
      Exploration.Counterexample found = done.counterexample().orElseThrow();
      assertEquals(Violation.Kind.LIVELOCK, found.violations().get(0).kind());
      Exploration.Counterexample shrunk = Shrinker.shrink(subject, found, 500);
      assertTrue(shrunk.schedule().choices().size() <= found.schedule().choices().size());
      Observation again = subject.run(Schedule.parse(shrunk.schedule().toString()));
      assertEquals(shrunk.violations(), again.violations());
    }
  }

  @Test
  void whatNeverEndsIsAViolationNotAnError() {
    try (Device device = Device.open("sim:0:1");
        RegionWorkload workload =
            new RegionWorkload(
                device,
                RegionWorkloadTest.SOURCE,
                "endless",
                Map.of("cells", ArgumentSpec.parse("objects:1")))) {
      StmOptions bounded = OPTIONS.withMaxAttempts(5);
      try (WorkloadSubject subject = new WorkloadSubject(workload, bounded, 2)) {
        Observation observed = subject.run(Schedule.roundRobin());
        assertEquals(Violation.Kind.NO_END, observed.violations().get(0).kind());
        assertTrue(observed.violations().get(0).text().contains("5 attempts"));
      }
    }
  }

  @Test
  void transactionsThatOutgrowTheirLogsAreRefused() {
    try (Device device = Device.open("sim:0:1");
        RegionWorkload workload =
            new RegionWorkload(
                device,
                RegionWorkloadTest.SOURCE,
                "outgrows",
                Map.of(
                    "cells", ArgumentSpec.parse("objects:3"),
                    "values", ArgumentSpec.parse("zeros:3")))) {
      OutgrownLogException e =
          assertThrows(OutgrownLogException.class, () -> new WorkloadSubject(workload, OPTIONS, 1));
      assertTrue(e.getMessage().contains("outgrow its max_objects ("), e.getMessage());
    }
  }
}
