package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.examples.compare.Progress;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Search.StepLog;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Subject;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Violation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedSubjectTest {
  private static final Simulator.Trace TRACE =
      new Simulator.Trace(
          List.of(),
          0,
          1_000,
          0,
          0,
          0,
          0,
          Simulator.Trace.OK,
          "",
          new long[0],
          new int[0],
          StepLog.NONE);

  /** Says what it is told. */
  private static final class Told implements Progress {
    private final List<String> said = new ArrayList<>();

    @Override
    public void begin(String task, long steps) {}

    @Override
    public void advance() {
      said.add("run");
    }

    @Override
    public void tell(String more) {
      said.add(more);
    }

    @Override
    public void close() {}
  }

  /** Each run takes 1,000 steps, and some run is wrong. */
  private static final class Wrong implements Subject {
    private final int wrong;
    private int runs;

    Wrong(int wrong) {
      this.wrong = wrong;
    }

    @Override
    public Observation run(Schedule schedule) {
      runs++;
      List<Violation> violations =
          runs < wrong ? List.of() : List.of(new Violation(Violation.Kind.NO_END, "no end"));
      return new Observation(launch(schedule), violations, 1, Tally.NOTHING);
    }

    @Override
    public Simulator.Trace launch(Schedule schedule) {
      return TRACE;
    }

    @Override
    public int threads() {
      return 2;
    }
  }

  @Test
  void tellsOfEachRun() {
    Told told = new Told();
    Subject watched = new WatchedSubject(new Wrong(3), told);
    Explorer.explore(watched, Strategy.parse("random"), 2, 1);
    watched.launch(Schedule.roundRobin());
    watched.run(Schedule.roundRobin());
    assertEquals(
        List.of(
            "1,000 steps, nothing found",
            "run",
            "2,000 steps, nothing found",
            "run",
            "3,000 steps, nothing found",
            "run",
            "4,000 steps, a violation found",
            "run"),
        told.said);
  }
}
