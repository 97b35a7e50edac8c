package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Search;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.explore.AttemptId;
import io.magpie.verification.explore.Exploration;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.explore.Shrinker;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Subject;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Vacuity;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.Access;
import io.magpie.verification.history.History;
import io.magpie.verification.workload.DrawnWorkload.Shape;
import io.magpie.verification.workload.RegionWorkload.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadSubjectTest {
  private static final StmOptions OPTIONS = StmOptions.defaults().withTimeout(Duration.ZERO);
  private static final Runs RUNS = Runs.scheduled(Policy.HAND_OFF);

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
    StmOptions published = OPTIONS.withPolicy(Policy.PRIORITY_RULE);
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload =
            new RegionWorkload(
                device,
                RegionWorkloadTest.SOURCE,
                "neighbors",
                Map.of(
                    "cells", ArgumentSpec.parse("objects:2"),
                    "values", ArgumentSpec.parse("zeros:2")),
                Optional.empty(),
                Optional.of(Runs.scheduled(published.policy())));
        WorkloadSubject subject = new WorkloadSubject(workload, published, 2)) {
      Exploration done = Explorer.explore(subject, Strategy.periodic(), 20_000, 1);
      Exploration.Counterexample found = done.counterexample().orElseThrow();
      assertEquals(Violation.Kind.LIVELOCK, found.violations().get(0).kind());
      Exploration.Counterexample shrunk = Shrinker.shrink(subject, found, 500);
      assertTrue(shrunk.schedule().choices().size() <= found.schedule().choices().size());
      Observation again = subject.run(Schedule.parse(shrunk.schedule().toString()));
      assertEquals(shrunk.violations(), again.violations());
    }
  }

  /** A bound of steps ends a run amid an attempt, which the history therefore lacks. */
  @Test
  void attemptsThatDidNotEndAreTold() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload =
            new RegionWorkload(
                device,
                RegionWorkloadTest.SOURCE,
                "neighbors",
                Map.of(
                    "cells", ArgumentSpec.parse("objects:2"),
                    "values", ArgumentSpec.parse("zeros:2")),
                Optional.empty(),
                Optional.of(RUNS));
        WorkloadSubject whole = new WorkloadSubject(workload, OPTIONS, 2)) {
      assertEquals(List.of(), whole.unended());
      assertEquals(whole.defaultRun().trace().steps(), whole.steps());
      long most = 3 * whole.steps() / 4;
      try (WorkloadSubject cut = new WorkloadSubject(workload, OPTIONS, 2, most)) {
        assertEquals(Violation.Kind.NO_END, cut.defaultRun().violations().get(0).kind());
        assertEquals(most, cut.steps(), 1);
        History history = cut.history();
        assertEquals(0, history.item(0), "the first item came to its end");
        assertEquals(1, history.size(), "alone");
        assertEquals(List.of(new AttemptId(1, 1, 1)), cut.unended());
        assertEquals(Optional.empty(), cut.finding());
      }
    }
  }

  /**
   * Lanes of a warp wait for each other before they take items, whoever's turn it is in another
   * warp.
   */
  @ParameterizedTest
  @ValueSource(strings = {"sim:0:1", "sim:0:4", "sim:0:32"})
  void itemsOfSeveralWarpsAreComparedOneAfterTheOther(String spec) {
    try (Device device = Device.open(spec);
        RegionWorkload workload =
            new RegionWorkload(
                device,
                RegionWorkloadTest.SOURCE,
                "neighbors",
                Map.of(
                    "cells", ArgumentSpec.parse("objects:40"),
                    "values", ArgumentSpec.parse("zeros:40")),
                Optional.empty(),
                Optional.of(RUNS));
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 40)) {
      assertEquals(List.of(), subject.defaultRun().violations());
      for (int seed = 0; seed < 10; seed++) {
        assertEquals(List.of(), subject.run(Schedule.randomWalk(seed)).violations());
        assertEquals(List.of(), subject.run(Schedule.pct(seed, 3, 2_000)).violations());
      }
      assertTrue(subject.checksData());
      assertEquals(Map.of(), subject.uncompared());
    }
  }

  /** What the default run says of the first items of a region of the tests, and the line there. */
  private static void saysAtItsLine(
      String file, Map<String, String> arguments, long items, Duration shortTime, String expected)
      throws IOException {
    Path path = Path.of(System.getProperty("magpie.basedir"), "src/test/regions", file + ".cu");
    String name = path.getFileName().toString().replace(".cu", "");
    List<String> lines = Files.readAllLines(path);
    int line = 1;
    while (!lines.get(line - 1).endsWith("// here")) {
      line++;
    }
    Map<String, ArgumentSpec> specs = new HashMap<>();
    arguments.forEach((field, contents) -> specs.put(field, ArgumentSpec.parse(contents)));
    try (Device device = Device.open("sim:0:4");
        RegionWorkload workload =
            new RegionWorkload(device, path, name, specs, Optional.empty(), Optional.of(RUNS));
        WorkloadSubject subject =
            new WorkloadSubject(workload, StmOptions.defaults(), items, 1_000_000, 0, shortTime)) {
      String text = subject.defaultRun().violations().get(0).text();
      assertTrue(text.contains(expected), text);
      assertTrue(text.contains("(" + name + ".cu:" + line + ")"), text);
    }
  }

  /** The first run of the default schedule ends before it has taken its steps; the next tells. */
  @Test
  @Tag("slow")
  void whatTakesLongerThanAShortTimeIsExplained() throws IOException {
    saysAtItsLine(
        "wrong/retries_until_its_turn",
        Map.of("turn", "[1]"),
        3,
        Duration.ofNanos(1),
        "not finished after 1000000 steps");
  }

  @Test
  @Tag("slow")
  void whatGivesUpAfterSomeFailuresIsFound() throws IOException {
    saysAtItsLine(
        "gives_up_after_failures",
        Map.of("rooms", "objects:2", "guests", "fill:9:2", "failures", "zeros:6"),
        6,
        Duration.ofSeconds(4),
        "each attempt first made 16 times and rolled back: item 0 cancels, but commits");
  }

  /** One after the other, items print at different places. */
  @Test
  @Tag("slow")
  void whatUndoneAttemptsLeaveForItemsInTurnsIsFound() throws IOException {
    saysAtItsLine(
        "prints_before_it_is_irrevocable",
        Map.of("tank", "[20]", "page", "zeros:16", "done", "zeros:6"),
        6,
        Duration.ofSeconds(4),
        "the same items, each attempt first made once and rolled back: page[4]: it is in memory");
  }

  /** From then on plain accesses would be no steps, and equivalent runs not the same. */
  @Test
  void aRunOfASearchWithTooManyAccessesToTraceIsRefused() {
    try (Device device = Device.open("sim:0:1");
        RegionWorkload workload = misbehaving(device, ADDS_UP_AS_TOLD);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2, 1_000_000)) {
      Schedule searched =
          Schedule.explicit(List.of(new Schedule.Choice(0, 1, 0)))
              .withSearch(new Search(List.of(), 1, -1));
      assertEquals(List.of(), subject.run(Schedule.explicit(List.of())).violations());
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> subject.run(searched));
      assertTrue(e.getMessage().contains("262,144 accesses; take fewer items"), e.getMessage());
    }
  }

  @Test
  void whatNeverEndsIsAViolationNotAnError() {
    try (Device device = Device.open("sim:0:1");
        RegionWorkload workload = misbehaving(device, RETRIES_FOR_EVER)) {
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
                    "values", ArgumentSpec.parse("zeros:3")),
                Optional.empty(),
                Optional.of(RUNS))) {
      OutgrownLogException e =
          assertThrows(OutgrownLogException.class, () -> new WorkloadSubject(workload, OPTIONS, 1));
      assertTrue(
          e.getMessage()
              .contains(
                  "outgrow its max_objects (1) or max_writes (1): item 0 opens more than 1 object."),
          e.getMessage());
    }
  }

  /** What an item of the region {@code misbehaves} can do. */
  private static RegionWorkload misbehaving(Device device, int what) {
    return new RegionWorkload(
        device,
        RegionWorkloadTest.MISBEHAVES,
        "misbehaves",
        Map.of(
            "cells", ArgumentSpec.parse("objects:800"),
            "values", ArgumentSpec.parse("zeros:800"),
            "what", ArgumentSpec.parse(Integer.toString(what))),
        Optional.empty(),
        Optional.of(RUNS));
  }

  private static final int WELL = 0;
  private static final int OUT_OF_BOUNDS = 1;
  private static final int FOR_EVER = 4;
  private static final int OUT_OF_BOUNDS_BACKWARDS = 5;
  private static final int LOOKS_AT_ALL = 6;
  private static final int FOR_EVER_BACKWARDS = 7;
  private static final int WAITS_BACKWARDS = 8;
  private static final int RETRIES_BACKWARDS = 9;
  private static final int TAKES_ANY = 10;
  private static final int OUT_OF_BOUNDS_BY_HINT = 11;
  private static final int WAITS_BY_HINT = 12;
  private static final int WRITES_PAST_TX = 13;
  private static final int STALE_LOAD_BY_HINT = 14;
  private static final int STALE_LOAD_AFTER_MANY = 15;
  private static final int STALE_LOAD_BEFORE_MANY = 16;
  private static final int STALE_LOAD_AROUND_MANY = 17;
  private static final int FIXED_LOAD_BEFORE_MANY = 18;
  private static final int RETRIES_FOR_EVER = 19;
  private static final int ADDS_UP_AS_TOLD = 20;

  /** Then the trace is full, and the simulator's rule tells, also of loads before it was. */
  @ParameterizedTest
  @ValueSource(ints = {STALE_LOAD_AFTER_MANY, STALE_LOAD_BEFORE_MANY, STALE_LOAD_AROUND_MANY})
  void aStaleLoadAmongTooManyAccessesToTraceIsAFault(int what) {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, what);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      assertEquals(1, subject.defaultRun().violations().size());
      Violation found = subject.defaultRun().violations().get(0);
      assertEquals(Violation.Kind.FAULT, found.kind(), found.toString());
      assertTrue(found.text().contains("ld_plain"), found.text());
      assertTrue(found.text().contains("thread 0, item 0: "), found.text());
    }
  }

  @Test
  void aFixedLoadAmongTooManyAccessesToTraceIsNone() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, FIXED_LOAD_BEFORE_MANY);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      assertEquals(List.of(), subject.defaultRun().violations());
      assertFalse(subject.checksData());
    }
  }

  /** The items leave the same in either order. */
  @Test
  void aStaleLoadInAnotherOrderIsFound() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, STALE_LOAD_BY_HINT);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      Violation found =
          subject.run(Schedule.ordered(List.of(0, 1))).violations().stream()
              .findFirst()
              .orElseThrow(() -> new AssertionError(subject.uncompared().toString()));
      assertEquals(Violation.Kind.STALE_LOAD, found.kind(), found.toString());
      assertTrue(
          found
              .text()
              .startsWith(
                  "in another order, [1, 0], of items that share no object: values[1]: ld_plain is"),
          found.text());
      assertTrue(found.text().contains("(misbehaves.cu:"), found.text());
    }
  }

  /** Over weak memory data are not checked, so that what is written past tx is not verified. */
  @Test
  void whatIsWrittenPastTxCountsWhereDataAreChecked() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, WRITES_PAST_TX);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      assertEquals(new Tally(2, 0, 0, 2), subject.defaultRun().tally());
      Exploration checked = Explorer.explore(subject, Strategy.pct(2), 3, 1);
      assertEquals(new Tally(6, 0, 0, 6), checked.tally());
      Exploration weak = Explorer.explore(subject, Strategy.pct(2).overWeakMemory(), 3, 1);
      assertEquals(Optional.empty(), weak.counterexample());
      assertEquals(new Tally(6, 0, 0, 0), weak.tally());
      assertEquals(
          Optional.of(Violation.Kind.VACUOUS_RUN), Vacuity.of(weak.tally()).map(Violation::kind));
    }
  }

  @Test
  void aFaultOfTheDefaultScheduleIsAFault() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, OUT_OF_BOUNDS);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      Violation found = subject.defaultRun().violations().get(0);
      assertEquals(Violation.Kind.FAULT, found.kind());
      assertTrue(found.text().contains("index 809"), found.text());
      assertEquals(2, subject.defaultRun().tally().unfinished());
      // No bound comes from a run that did not end.
      for (Schedule schedule : List.of(Schedule.roundRobin(), Schedule.randomWalk(3))) {
        assertEquals(Violation.Kind.FAULT, subject.run(schedule).violations().get(0).kind());
      }
    }
  }

  @Test
  void theDefaultScheduleHasABoundOfSteps() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, FOR_EVER);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2, 30_000)) {
      Observation observed = subject.defaultRun();
      assertEquals(Violation.Kind.WAIT, observed.violations().get(0).kind());
      assertEquals(30_000, observed.trace().steps());
      assertTrue(
          observed.violations().get(0).text().contains("values[0]"),
          observed.violations().get(0).text());
    }
  }

  @Test
  void stepsOfAllRunsCanBeBounded() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, WAITS_BACKWARDS);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2, 5_000)) {
      assertEquals(List.of(), subject.defaultRun().violations());
      Observation observed = subject.run(Schedule.parse("explicit:0@1"));
      assertEquals(Violation.Kind.WAIT, observed.violations().get(0).kind());
      assertEquals(5_000, observed.trace().steps());
    }
  }

  /** Then they do not keep to their other order, which says nothing. */
  @Test
  void itemsMayWaitForEachOtherByRetries() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, RETRIES_BACKWARDS);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      assertEquals(List.of(), subject.defaultRun().violations());
      assertEquals(new Tally(2, 0, 0, 4), subject.defaultRun().tally());
      assertEquals(List.of(), subject.run(Schedule.roundRobin()).violations());
      assertEquals(
          Map.of(
              "with their items in another order: items that wait for each other do not run in turn",
              2L),
          subject.uncompared());
    }
  }

  @Test
  void ordersThatDoNotEndAreNotTriedForEver() {
    try (Device device = Device.open("sim:0:4");
        RegionWorkload workload = misbehaving(device, WAITS_BY_HINT);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 4)) {
      for (String order : List.of("0123", "0213", "2013", "3012", "2301", "0312")) {
        List<Integer> threads = order.chars().mapToObj(Character::getNumericValue).toList();
        assertEquals(List.of(), subject.run(Schedule.ordered(threads)).violations(), order);
      }
      String reordered = "with their items in another order: ";
      assertEquals(
          Map.of(
              reordered + "they do not all end in it",
              5L,
              reordered + "in several they did not all end, so that no more were tried",
              2L,
              "with each attempt first rolled back: items do not all end",
              1L),
          subject.uncompared());
    }
  }

  @Test
  void aFaultInAnotherOrderIsThatOfAHint() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, OUT_OF_BOUNDS_BY_HINT);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      Violation found = subject.defaultRun().violations().get(0);
      assertEquals(Violation.Kind.UNCHECKED_HINT, found.kind(), found.toString());
      assertTrue(
          found.text().startsWith("in another order, [1, 0], of items that share no object: "),
          found.text());
      assertTrue(found.text().contains("index 809"), found.text());
      assertTrue(found.text().contains("(misbehaves.cu:"), found.text());
    }
  }

  /** Which item takes which cell depends on the order, and is right in any. */
  @Test
  void theOtherOrderCanBeLeftOut() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, TAKES_ANY)) {
      try (WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
        Violation found = subject.defaultRun().violations().get(0);
        assertEquals(Violation.Kind.UNCHECKED_HINT, found.kind(), found.toString());
        assertTrue(found.text().contains("run in another order"), found.text());
      }
      workload.leaveOutOtherOrder();
      try (WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
        assertEquals(List.of(), subject.defaultRun().violations());
        assertEquals(
            Optional.empty(), Explorer.explore(subject, Strategy.pct(2), 50, 1).counterexample());
        assertEquals(Map.of(), subject.uncompared());
      }
    }
  }

  @Test
  void transactionsThatTimeEndedAreNoViolation() {
    StmOptions bounded = OPTIONS.withTimeout(Duration.ofMillis(500));
    try (Device device = Device.open("sim:0:1");
        RegionWorkload workload = misbehaving(device, RETRIES_FOR_EVER)) {
      assertThrows(
          RunOutOfTimeException.class,
          () -> {
            try (WorkloadSubject subject = new WorkloadSubject(workload, bounded, 2, 1L << 40)) {
              subject.run(Schedule.roundRobin());
            }
          });
    }
  }

  @Tag("slow")
  @Test
  void aLoopThatOnlyTimeEndsIsNoViolationOfASearchThatIsOutOfTime() {
    StmOptions bounded = OPTIONS.withTimeout(Duration.ofSeconds(2));
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, FOR_EVER_BACKWARDS);
        WorkloadSubject subject = new WorkloadSubject(workload, bounded, 2, 1L << 40)) {
      Schedule endless = Schedule.parse("explicit:0@1");
      Observation observed = subject.run(endless);
      assertEquals(Simulator.Trace.INTERRUPTED, observed.trace().code());
      assertEquals(Violation.Kind.NO_END, observed.violations().get(0).kind());
      assertTrue(observed.violations().get(0).text().contains("ended by time"), observed::toString);
      Subject always =
          new Subject() {
            @Override
            public Observation run(Schedule schedule) {
              return subject.run(endless);
            }

            @Override
            public Simulator.Trace launch(Schedule schedule) {
              return subject.launch(endless);
            }

            @Override
            public int threads() {
              return subject.threads();
            }
          };
      Exploration done =
          Explorer.explore(always, Strategy.parse("random"), 1, Duration.ofSeconds(1), 1);
      assertTrue(done.outOfTime(), done::toString);
      assertTrue(done.counterexample().isEmpty(), done::toString);
    }
  }

  /** The search for livelocks runs the code as well: what faults there is no progress. */
  @ParameterizedTest
  @ValueSource(strings = {"states", "exhaustive:1", "random", "periodic"})
  void aFaultUnderSomeSchedulesIsFound(String strategy) {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, OUT_OF_BOUNDS_BACKWARDS);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      assertEquals(Simulator.Trace.OK, subject.defaultRun().trace().code());
      Exploration done = Explorer.explore(subject, Strategy.parse(strategy), 500, 1);
      Exploration.Counterexample found = done.counterexample().orElseThrow();
      assertEquals(Violation.Kind.FAULT, found.violations().get(0).kind());
      Exploration.Counterexample shrunk = Shrinker.shrink(subject, found, 500);
      assertEquals("explicit:0@1", Schedule.explicit(shrunk.schedule().choices()).toString());
    }
  }

  @Test
  void aFaultOfTheRunThatIsFirstRolledBackIsFound() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, OUT_OF_BOUNDS_BACKWARDS);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      Violation found = subject.defaultRun().violations().get(0);
      assertEquals(Violation.Kind.FAULT, found.kind());
      assertTrue(
          found
              .text()
              .startsWith(
                  "the same items, each attempt first made once and rolled back: index out of bounds"),
          found::text);
    }
  }

  /** Lanes that meet go on together: their items do not run one after the other. */
  @ParameterizedTest
  @CsvSource({"sim:0:1, true", "sim:0:2, false"})
  void aFindingSaysHowItsItemsRan(String spec, boolean inTurn) {
    try (Device device = Device.open(spec);
        RegionWorkload workload =
            new RegionWorkload(
                device,
                RegionWorkloadTest.MISBEHAVES,
                "counts_failures",
                Map.of(
                    "cells", ArgumentSpec.parse("objects:2"),
                    "values", ArgumentSpec.parse("zeros:2"),
                    "failures", ArgumentSpec.parse("zeros:1")),
                Optional.empty(),
                Optional.of(RUNS));
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      Violation found = subject.defaultRun().violations().get(0);
      assertEquals(Violation.Kind.SHARED_HOOK, found.kind());
      assertTrue(
          found
              .text()
              .startsWith(
                  String.format(
                      "the same items%s, each attempt first made once and rolled back: failures[0]",
                      inTurn ? " one after the other" : "")),
          found::text);
    }
  }

  @Test
  void endsOfItemsAreCounted() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, WELL);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      assertEquals(new Tally(2, 0, 0, 4), subject.defaultRun().tally());
      Exploration done = Explorer.explore(subject, Strategy.pct(2), 50, 1);
      assertEquals(new Tally(100, 0, 0, 200), done.tally());
      assertFalse(done.outOfTime());
    }
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, 2);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 3)) {
      assertEquals(new Tally(0, 3, 0, 0), subject.defaultRun().tally());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exhaustive:2", "pct:2", "periodic", "states"})
  void timeEndsAnExploration(String strategy) {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, WELL);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      Exploration done =
          Explorer.explore(
              subject, Strategy.parse(strategy), 1_000_000_000, Duration.ofNanos(1), 1);
      assertTrue(done.outOfTime(), done.toString());
      assertFalse(done.complete(), done.toString());
      assertTrue(done.runs() <= 1, done.toString());
    }
  }

  @Test
  void logsGrowWithTheirRuns() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = misbehaving(device, LOOKS_AT_ALL);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      assertEquals(List.of(), subject.defaultRun().violations());
      assertTrue(subject.defaultRun().tally().accesses() > 2 * 8 * 800);
      assertEquals(List.of(), subject.run(Schedule.roundRobin()).violations());
    }
  }

  /** The run ends with the sum that it began with, and in between it is another. */
  @Test
  void anInvariantIsLookedAtAfterEachCommit() {
    try (Device device = Device.open("sim:0:4");
        RegionWorkload workload =
            new RegionWorkload(
                device,
                RegionWorkloadTest.INVARIANTS,
                "moves_on",
                Map.of(
                    "cells", ArgumentSpec.parse("objects:4"),
                    "values", ArgumentSpec.parse("fill:10:4")),
                Optional.of("sum_is_kept"),
                Optional.of(RUNS))) {
      try (WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 4)) {
        Violation found = subject.defaultRun().violations().get(0);
        assertEquals(Violation.Kind.INVARIANT, found.kind());
        assertTrue(
            found.text().contains("at 39, after the commit of item 2, number "), found.text());
        assertTrue(found.text().contains("it made values[2] 8 (invariants.cu:"), found.text());
        assertEquals(List.of(2L), found.attempts().stream().map(AttemptId::item).toList());
      }
      // Two items keep it, whatever the schedule; three lose one for good.
      try (WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
        assertTrue(Explorer.explore(subject, Strategy.pct(2), 100, 1).counterexample().isEmpty());
        assertTrue(subject.looksBetweenCommits());
      }
      try (WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 3)) {
        String found = subject.defaultRun().violations().get(0).text();
        assertTrue(found.contains("after the commit of item 2"), found);
      }
    }
  }

  /** A pool is as at first in each run, whatever the one before left. */
  @Test
  void poolsBeginAnew() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = RegionWorkloadTest.taking(device, RUNS, "pool:6:2", 6);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 3)) {
      // Nobody refers to the slots that are taken.
      Exploration done =
          Explorer.explore(
              subject, Strategy.pct(2), 50, 1, each -> each.kind() != Violation.Kind.LEAK);
      assertEquals(Optional.empty(), done.counterexample());
      assertEquals(150, done.tally().commits());
      for (int i = 0; i < subject.history().size(); i++) {
        assertTrue(Access.object(subject.history().access(i, 0)) >= 2, "a live slot is not taken");
      }
    }
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = RegionWorkloadTest.taking(device, RUNS, "pool:6:2", 4);
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 3)) {
      for (int run = 0; run < 3; run++) { // what faulted had the pool
        assertTrue(subject.run(Schedule.randomWalk(run)).has(Violation.Kind.FAULT));
      }
    }
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = RegionWorkloadTest.taking(device, RUNS, "pool:4:2", 6)) {
      UnfinishedItemsException e =
          assertThrows(
              UnfinishedItemsException.class, () -> new WorkloadSubject(workload, OPTIONS, 3));
      assertTrue(e.getMessage().contains("grow the pool"), e.getMessage());
    }
  }

  private static final Path ROUNDS = RegionWorkloadTest.SOURCE.resolveSibling("rounds.cu");

  private static RegionWorkload ofRounds(Device device, String region) {
    return ofRounds(device, region, Optional.empty());
  }

  private static RegionWorkload ofRounds(Device device, String region, Optional<String> invariant) {
    return new RegionWorkload(
        device,
        ROUNDS,
        region,
        Map.of("cells", ArgumentSpec.parse("objects:4"), "values", ArgumentSpec.parse("zeros:4")),
        invariant,
        Optional.of(RUNS));
  }

  /** A step of the second round is counted from the first one's, and its schedule is exact. */
  @Test
  void aViolationInALaterRoundIsFoundShrunkAndReplayed() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = ofRounds(device, "skews_later");
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      assertEquals(List.of(), subject.defaultRun().violations());
      assertEquals(new Rounds(2, 2, 0, 0), subject.defaultRounds());
      assertEquals(4, subject.defaultRun().tally().commits());
      for (Strategy strategy : List.of(Strategy.pct(2), Strategy.random())) {
        Exploration.Counterexample found =
            Explorer.explore(subject, strategy, 1_000, 1).counterexample().orElseThrow();
        Exploration.Counterexample shrunk = Shrinker.shrink(subject, found, 500);
        String first = shrunk.violations().get(0).toString();
        // By which of the two a schedule is told depends on what else is in it.
        assertTrue(
            first.startsWith("not serializable: round 2: write skew")
                || first.startsWith("unchecked hint: round 2"),
            first);
        Observation again = subject.run(Schedule.parse(shrunk.schedule().toString()));
        assertEquals(first, again.violations().get(0).toString());
        assertTrue(again.trace().choices().get(0).step() > 20, again.trace().toString());
        assertEquals(again.trace().hash(), subject.run(shrunk.schedule()).trace().hash());
      }
    }
  }

  /** Items 0 to 2 make the sum 1, 2 and 3, and item 3 makes it 5. */
  @Test
  void anInvariantIsLookedAtAfterCommitsOfLaterRounds() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = ofRounds(device, "skews_later", Optional.of("sum_is_not_three"));
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      Violation found = subject.defaultRun().violations().get(0);
      assertEquals(Violation.Kind.INVARIANT, found.kind());
      assertTrue(found.text().startsWith("round 2: "), found.text());
      assertTrue(found.text().contains("at 3, after the commit of item 2"), found.text());
    }
  }

  @Test
  void pushesAreComparedWithThoseOfSerialRuns() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = ofRounds(device, "pushes_by_hint");
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
      Violation found = subject.defaultRun().violations().get(0);
      assertEquals(Violation.Kind.UNCHECKED_HINT, found.kind(), found.toString());
      assertTrue(found.text().contains("pushes [3], but [2] when items that share"), found.text());
      assertTrue(found.text().startsWith("round 1: "), found.text());
      Exploration done = Explorer.explore(subject, Strategy.pct(2), 1_000, 1);
      assertTrue(done.counterexample().orElseThrow().violations().toString().contains("pushes ["));
    }
  }

  @Test
  void aBoundOfRoundsLeavesWhatWaits() {
    try (Device device = Device.open("sim:0:2");
        RegionWorkload workload = ofRounds(device, "skews_later");
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2, 0, 1)) {
      assertEquals(new Rounds(1, 2, 0, 2), subject.defaultRounds());
      assertEquals(0, subject.defaultRun().tally().unfinished(), "what waits is not");
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> subject.launch(Schedule.roundRobin()));
      assertTrue(e.getMessage().contains("one launch, and region skews_later"), e.getMessage());
      assertTrue(Explorer.explore(subject, Strategy.pct(2), 50, 1).counterexample().isEmpty());
    }
  }

  /** Long transactions have a warp each, so that there are more threads than items. */
  @Tag("slow") // compiles four regions
  @Test
  void allSchedulesOfLongTransactionsAreReduced(@TempDir Path folder) throws IOException {
    Path regions = Path.of(System.getProperty("magpie.basedir"), "src/test/regions");
    String choose = Files.readString(regions.resolve("choose.cu"));
    String choices = "#include \"" + regions.resolve("choose.cu") + "\"\n";
    String body = choose.substring(choose.indexOf("/// Item v"));
    for (int objects : new int[] {9, 16, 32}) {
      choices +=
          body.replace("choose", "choose" + objects)
              .replace("max_objects = 8", "max_objects = " + objects);
    }
    Path file = Files.writeString(folder.resolve("choices.cu"), choices);
    Map<String, ArgumentSpec> arguments =
        Map.of(
            "chosen", ArgumentSpec.parse("zeros:9"),
            "graph.offsets", ArgumentSpec.parse("[0,1,2,2,2,2,2,2,2,2]"),
            "graph.neighbors", ArgumentSpec.parse("[1,0]"),
            "graph.weights", ArgumentSpec.parse("[1,1]"),
            "apart", ArgumentSpec.parse("2"));
    try (Device device = Device.open("sim:0:2");
        KernelModule module = device.compile(file, RegionWorkload.defines(device, null, RUNS))) {
      for (String region : List.of("choose", "choose9", "choose16", "choose32")) {
        try (RegionWorkload workload =
                new RegionWorkload(
                    module, region, arguments, (history, verdict) -> Optional.empty());
            WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 2)) {
          Exploration done = Explorer.explore(subject, Strategy.dpor(1), 1_000, 1);
          assertTrue(done.complete(), done::toString);
          assertTrue(done.counterexample().isEmpty(), done::toString);
          assertEquals(63, done.runs(), region);
          assertEquals(region.equals("choose") ? 2 : 4, subject.threads(), region);
        }
      }
    }
  }
}
