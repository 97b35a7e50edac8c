package io.magpie.verification.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Search.StepLog;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.explore.Exploration.Counterexample;
import io.magpie.verification.mutation.Mutant;
import io.magpie.verification.program.ClassicPrograms;
import io.magpie.verification.program.ProgramSubject;
import io.magpie.verification.program.TransactionProgram;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Explores a protocol that is broken and one that is not. */
class ExplorerTest {
  private static final StmOptions OPTIONS =
      StmOptions.defaults().withEagerAttempts(0).withTimeout(Duration.ZERO);

  private static Device device;
  private static KernelModule module;
  private static KernelModule broken;

  @BeforeAll
  static void open() {
    device = Device.open("sim:0:1");
    module = device.load("program");
    broken = device.load("program", Mutant.defines());
  }

  @AfterAll
  static void close() {
    module.close();
    broken.close();
    device.close();
  }

  private static ProgramSubject subject(KernelModule of, String program) {
    return subject(of, program, OPTIONS);
  }

  private static ProgramSubject subject(KernelModule of, String program, StmOptions options) {
    return new ProgramSubject(device, of, ClassicPrograms.all().get(program), options);
  }

  @ParameterizedTest
  @ValueSource(strings = {"exhaustive:2", "dpor:2", "pct:2", "pct:3+weak", "random", "random+weak"})
  void findsShrinksAndReplays(String strategy) {
    Mutant.LOCK_UNCHECKED.putToWork(broken);
    try (ProgramSubject subject = subject(broken, "opposite")) {
      Exploration exploration = Explorer.explore(subject, Strategy.parse(strategy), 20_000, 1);
      Counterexample found = exploration.counterexample().orElseThrow();
      Counterexample small = Shrinker.shrink(subject, found, 2_000);
      assertTrue(
          small.schedule().choices().size() <= Math.max(7, found.schedule().choices().size() / 2),
          () -> found + " became " + small);
      Observation again = subject.run(small.schedule());
      assertEquals(small.violations(), again.violations());
      assertEquals(again.trace().hash(), subject.run(small.schedule()).trace().hash());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "opposite, 0", "write-skew, 0", "three-on-two, 0", "inner, 0", "cancel, 0",
    "opposite, 1", "write-skew, 1", "three-on-two, 1", "inner, 1", "cancel, 1",
    "opposite, 16"
  })
  void findsNothingInTheProtocol(String program, int eager) {
    try (ProgramSubject subject = subject(module, program, OPTIONS.withEagerAttempts(eager))) {
      Exploration one = Explorer.explore(subject, Strategy.exhaustive(1), 1 << 20, 1);
      assertTrue(one.complete(), one.toString());
      for (String strategy : new String[] {"pct:3", "pct:2+weak", "random+weak", "periodic"}) {
        Exploration some = Explorer.explore(subject, Strategy.parse(strategy), 300, 7);
        assertTrue(some.counterexample().isEmpty(), some.toString());
        assertEquals(300, some.runs());
      }
    }
  }

  /** Two deviations anywhere, every pair of them. */
  @Test
  void everyScheduleOfTwoDeviations() {
    for (Policy policy : List.of(Policy.HAND_OFF, Policy.PRIORITY_RULE)) {
      try (ProgramSubject subject =
          new ProgramSubject(
              device, module, ClassicPrograms.all().get("opposite"), OPTIONS.withPolicy(policy))) {
        Exploration all = Explorer.explore(subject, Strategy.exhaustive(2), 1 << 20, 1);
        assertTrue(all.complete(), all.toString());
      }
    }
  }

  /** Every class of runs with one pause of each thread, in fewer runs than two deviations take. */
  @ParameterizedTest
  @ValueSource(strings = {"opposite", "blind-skew", "two-words"})
  void everyClassOfRunsWithinABound(String program) {
    try (ProgramSubject subject = subject(module, program)) {
      Exploration all = Explorer.explore(subject, Strategy.dpor(1), 1 << 20, 1);
      assertTrue(all.complete(), all.toString());
      assertTrue(all.cut() > 0, all.toString());
      assertEquals(0, all.redundant(), all.toString());
      Exploration some = Explorer.explore(subject, Strategy.dpor(1), all.runs() - 1, 1);
      assertFalse(some.complete(), some.toString());
    }
  }

  /** Transactions that do not meet end without a bound: their ends and beginnings matter alone. */
  @Test
  void allSchedulesOfTransactionsThatDoNotMeet() {
    try (ProgramSubject subject =
        new ProgramSubject(
            device,
            module,
            TransactionProgram.parse("2 objects of 1 word: r0 w0 | r1 w1"),
            OPTIONS)) {
      Exploration all = Explorer.explore(subject, Strategy.dpor(), 1_000, 1);
      assertTrue(all.complete(), all.toString());
      assertEquals(3, all.runs(), "one after the other, the other way round, at the same time");
      assertEquals(0, all.cut());
    }
  }

  /** A search that is cut short knows how much it has not done, at least. */
  @Test
  void runsThatAreLeftAreCounted() {
    try (ProgramSubject subject = subject(module, "opposite")) {
      long all = Explorer.explore(subject, Strategy.exhaustive(1), 1 << 20, 1).known();
      long before = 0;
      for (long runs : new long[] {1, 2, all / 2, all - 1, all}) {
        Exploration some = Explorer.explore(subject, Strategy.exhaustive(1), runs, 1);
        assertEquals(runs, some.runs());
        assertEquals(runs == all, some.complete());
        assertEquals(all, some.known(), "after " + runs);
        Exploration deeper = Explorer.explore(subject, Strategy.exhaustive(2), runs, 1);
        assertTrue(deeper.known() >= Math.max(all, before), deeper.toString());
        before = deeper.known();
      }
      assertEquals(5, Explorer.explore(subject, Strategy.random(), 5, 1).known());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pct",
        "pct:0",
        "exhaustive:3",
        "dpor:1000",
        "dpor:-1",
        "dpor+weak",
        "dpor:2+weak",
        "random:1",
        "states+weak",
        "round-robin+weak",
        "",
        "dfs"
      })
  void malformedStrategiesAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Strategy.parse(text));
  }

  /** What a broken protocol leaves claimed is not there when the next run begins. */
  @Test
  void everyRunBeginsAnew() {
    Mutant.NO_WITHDRAWAL_AT_END.putToWork(broken);
    try (ProgramSubject subject =
        new ProgramSubject(
            device, broken, ClassicPrograms.all().get("left-waiting"), OPTIONS.withPolls(1))) {
      Violation.Kind leak = Violation.Kind.LEFT_CLAIMED;
      int leaks = 0;
      for (int seed = 1; seed <= 300; seed++) {
        Schedule schedule = Schedule.randomWalk(seed).withMostSteps(2_000);
        Observation first = subject.run(schedule);
        leaks += first.has(leak) ? 1 : 0;
        Observation second = subject.run(schedule);
        assertEquals(first.trace().hash(), second.trace().hash(), schedule::toString);
        assertEquals(first.violations(), second.violations(), schedule::toString);
      }
      assertTrue(leaks > 0);
    }
  }

  /** As of a run of several launches, of which the trace has only the last one's choices. */
  @Test
  void whatItsChoicesDoNotRepeatIsReplayedAsDrawn() {
    Violation wrong = new Violation(Violation.Kind.NO_END, "because of the first launch");
    Subject subject =
        new Subject() {
          @Override
          public Observation run(Schedule schedule) {
            boolean drawn = schedule.kind() == Schedule.Kind.RANDOM_WALK;
            return new Observation(
                launch(schedule), drawn ? List.of(wrong) : List.of(), 1, Tally.NOTHING);
          }

          @Override
          public Simulator.Trace launch(Schedule schedule) {
            return new Simulator.Trace(
                List.of(),
                0,
                9,
                3,
                0,
                0,
                0,
                Simulator.Trace.OK,
                "",
                new long[0],
                new int[0],
                StepLog.NONE);
          }

          @Override
          public int threads() {
            return 2;
          }
        };
    Counterexample found =
        Explorer.explore(subject, Strategy.random(), 10, 1).counterexample().orElseThrow();
    assertEquals(List.of(wrong), found.violations());
    assertEquals(List.of(wrong), subject.run(found.schedule()).violations());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pct:3+weak",
        "exhaustive:2",
        "dpor",
        "dpor:0",
        "dpor:999",
        "random",
        "lock-step",
        "periodic",
        "states"
      })
  void strategiesHaveATextForm(String text) {
    assertEquals(text, Strategy.parse(text).toString());
  }
}
