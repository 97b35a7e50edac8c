package io.magpie.verification.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.MagpieException;
import io.magpie.stm.StmOptions;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Schedule.Choice;
import io.magpie.stm.simulator.Search;
import io.magpie.stm.simulator.Search.StepLog;
import io.magpie.stm.simulator.Search.StepLog.Kind;
import io.magpie.stm.simulator.Search.StepLog.Step;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.program.ProgramSubject;
import io.magpie.verification.program.TransactionProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The search against one by sleep sets alone, which goes every way that no thread asleep goes and
 * knows nothing of races (Godefroid, LNCS 1032): of transactions there are too many schedules to
 * make all of them.
 */
class PartialOrderSearchTest {
  private static final StmOptions OPTIONS = StmOptions.defaults().withTimeout(Duration.ZERO);

  /** Classes that a search by sleep sets comes to. */
  private static final class BySleepSets {
    private final Subject subject;
    private final int pauses;
    private final Set<String> classes = new TreeSet<>();

    BySleepSets(Subject subject, int pauses) {
      this.subject = subject;
      this.pauses = pauses;
    }

    private Simulator.Trace run(List<Integer> given, List<Step> asleep) {
      List<Choice> choices = new ArrayList<>();
      for (int i = 0; i < given.size(); i++) {
        choices.add(new Choice(i, given.get(i), 0));
      }
      Search search = new Search(asleep, given.size(), pauses);
      return subject.run(Schedule.explicit(choices).withSearch(search)).trace();
    }

    private static List<Step> steps(Simulator.Trace trace) {
      return trace.log().steps().stream().filter(step -> !step.isMeeting()).toList();
    }

    void visit(List<Integer> given, List<Step> before) {
      List<Step> asleep = new ArrayList<>(before);
      Simulator.Trace trace = run(given, asleep);
      List<Step> steps = steps(trace);
      if (steps.size() == given.size()) {
        if (trace.code() != Simulator.Trace.ASLEEP) {
          classes.add(PartialOrderSearchProperties.equivalenceClass(trace));
        }
        return;
      }
      Set<Integer> ways = new LinkedHashSet<>();
      steps.subList(given.size(), steps.size()).forEach(step -> ways.add(step.thread()));
      asleep.forEach(step -> ways.remove(step.thread()));
      for (int thread : ways) {
        List<Integer> longer = new ArrayList<>(given);
        longer.add(thread);
        Step step = steps(run(longer, List.of())).get(given.size());
        visit(longer, asleep.stream().filter(each -> !each.dependsOn(step)).toList());
        asleep.add(step);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2 objects of 1 word: r0 w0 | r1 w1, -1",
    "1 object of 1 word: w0 | w0, 0",
    "2 objects of 1 word: r0 w1 | r1 w0, 0",
  })
  void comesToEachClassOfRunsOnce(String program, int pauses) {
    try (Device device = Device.open("sim:0:1");
        KernelModule module = device.load("program");
        ProgramSubject subject =
            new ProgramSubject(device, module, TransactionProgram.parse(program), OPTIONS)) {
      BySleepSets expected = new BySleepSets(subject, pauses);
      expected.visit(List.of(), List.of());

      Set<String> classes = new TreeSet<>();
      PartialOrderSearch search = new PartialOrderSearch(pauses);
      for (Optional<Schedule> next = search.next(); next.isPresent(); next = search.next()) {
        Simulator.Trace trace = subject.run(next.get()).trace();
        assertTrue(
            classes.add(PartialOrderSearchProperties.equivalenceClass(trace)),
            "two equivalent runs");
        search.ran(trace);
      }
      assertTrue(expected.classes.equals(classes), expected.classes.size() + ", " + classes.size());
    }
  }

  private static Simulator.Trace trace(boolean complete, Step... steps) {
    return new Simulator.Trace(
        List.of(),
        0,
        steps.length,
        0,
        0,
        0,
        0,
        Simulator.Trace.OK,
        "",
        new long[0],
        new int[0],
        new StepLog(List.of(steps), complete));
  }

  /** Two stores to one word, in both orders; then the search is at its end. */
  @Test
  void runsThatDoOtherwiseWhenRepeatedAreRefused() {
    Step first = new Step(64, 0, 4, Kind.STORE);
    Step second = new Step(64, 1, 4, Kind.STORE);
    PartialOrderSearch search = new PartialOrderSearch(Strategy.UNBOUNDED);
    search.next();
    search.ran(trace(true, first, second));
    assertEquals(
        List.of(new Choice(0, 1, 0)), search.next().orElseThrow().choices(), "the second first");
    MagpieException e =
        assertThrows(MagpieException.class, () -> search.ran(trace(true, first, second)));
    assertTrue(e.getMessage().contains("step 0 was"), e.getMessage());
    search.ran(trace(true, second, first));
    assertEquals(Optional.empty(), search.next());
  }

  @Test
  void runsThatAreTooLongAreRefused() {
    PartialOrderSearch search = new PartialOrderSearch(Strategy.UNBOUNDED);
    search.next();
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> search.ran(trace(false, new Step(64, 0, 4, Kind.STORE))));
    assertTrue(e.getMessage().contains("262,144 steps; take fewer items"), e.getMessage());
  }

  /** A warp for each of two items: its first lane runs it, the others only meet. */
  @Test
  void threadsMayBeMoreThanItems() {
    Step met = new Step(0b1111, 7, 3, Kind.MET);
    Step first = new Step(64, 0, 4, Kind.STORE);
    Step second = new Step(64, 4, 4, Kind.STORE);
    PartialOrderSearch search = new PartialOrderSearch(Strategy.UNBOUNDED);
    search.next();
    search.ran(trace(true, met, first, second));
    assertEquals(List.of(new Choice(0, 4, 0)), search.next().orElseThrow().choices());
    search.ran(trace(true, met, second, first));
    assertEquals(Optional.empty(), search.next());
  }
}
