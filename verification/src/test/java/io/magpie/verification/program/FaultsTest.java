package io.magpie.verification.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Schedule.Choice;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A thread stops for ever, at each of its steps. Whatever the step: objects that are not locked
 * have the values of a serial run of the transactions that committed, to which the stopped one may
 * belong; the others end; the device goes on.
 */
class FaultsTest {
  private static final String OPPOSITE = ClassicPrograms.all().get("opposite").toString();
  private static final String TWO_WORDS = "2 objects of 2 words: r0 w0 r1 w1 | r1 w1 r0 w0";
  private static final String TWO_WARPS =
      "3 objects of 2 words: r0 w0 r1 w1 | r1 w1 r0 w0 | r2 w2 r0 w0 | r1 r2 w1 | r2 w2 r1 w1";

  /** Those that meet what the stopped thread holds give up soon. */
  private static final StmOptions BOUNDED =
      StmOptions.defaults().withMaxAttempts(3).withPolls(4).withTimeout(Duration.ofSeconds(60));

  private static final long MOST_STEPS = 100_000;

  /** Of runs that the watchdog ends too soon. */
  private static final int MOST_REPEATS = 1_000;

  /** A program on a simulator, with what its last run left. */
  private static final class Bench implements AutoCloseable {
    final Device device;
    final KernelModule module;
    final TransactionProgram program;
    final ProgramSubject subject;
    final Duration patience;

    Bench(String spec, String program, StmOptions options) {
      device = Device.open(spec);
      module = device.load("program");
      this.program = TransactionProgram.parse(program);
      subject = new ProgramSubject(device, module, this.program, options);
      patience = options.timeout();
    }

    Set<Integer> committed() {
      History history = subject.history();
      return IntStream.range(0, history.size())
          .filter(i -> history.outcome(i) == History.COMMIT)
          .mapToObj(history::item)
          .collect(Collectors.toSet());
    }

    /**
     * Whether objects that are not locked, and the results of what committed, are those of a serial
     * run of all of {@code committed} and some of {@code perhaps}.
     */
    boolean serial(Set<Integer> committed, Set<Integer> perhaps) {
      Set<Integer> all = new HashSet<>(committed);
      all.addAll(perhaps);
      return serial(new ArrayList<>(), committed, all, locked());
    }

    private boolean serial(
        List<Integer> order, Set<Integer> committed, Set<Integer> all, Set<Long> locked) {
      if (order.containsAll(committed)) {
        SerialInterpreter serial = new SerialInterpreter(program);
        long[] results = subject.results();
        boolean same = true;
        for (int item : order) {
          long accumulator = serial.run(item).accumulator();
          same &= !committed.contains(item) || results[item] == accumulator;
        }
        long[] values = serial.values();
        long[] left = subject.left();
        long[] right = program.words() == 2 ? subject.right() : left;
        for (int o = 0; o < values.length; o++) {
          same &= locked.contains((long) o) || left[o] == values[o] && right[o] == values[o];
        }
        if (same) {
          return true;
        }
      }
      for (int item : all) {
        if (!order.contains(item)) {
          order.add(item);
          if (serial(order, committed, all, locked)) {
            return true;
          }
          order.remove(order.size() - 1);
        }
      }
      return false;
    }

    Set<Long> locked() {
      return Arrays.stream(subject.objects().lockedObjects())
          .boxed()
          .collect(Collectors.toCollection(java.util.TreeSet::new));
    }

    /** The device and the objects are as good as new. */
    void goesOn() {
      List<Violation> wrong;
      long nanos;
      int repeats = 0;
      do { // a busy machine may leave it less time than it needs
        long begin = System.nanoTime();
        wrong = subject.run(Schedule.explicit(List.of())).violations();
        nanos = System.nanoTime() - begin;
      } while (!wrong.isEmpty() && nanos >= patience.toNanos() && ++repeats < MOST_REPEATS);
      assertEquals(List.of(), wrong);
      assertEquals(0, subject.objects().lockedObjects().length);
      assertEquals(0, subject.objects().claimedObjects().length);
    }

    @Override
    public void close() {
      subject.close();
      module.close();
      device.close();
    }
  }

  static Stream<Arguments> alone() {
    String one = "2 objects of 1 word: r0 w0 r1 w1";
    List<String> held =
        List.of("[] []", "[] [0]", "[] [0, 1]", "[0] [1]", "[0, 1] []", "[1] []", "[] []");
    // An older transaction takes the claims of a younger one, and gives them back.
    List<String> taken = List.of("[] []", "[1] []", "[0, 1] []", "[0] []", "[] []");
    List<String> locked = List.of("[] []", "[0] []", "[0, 1] []", "[1] []", "[] []");
    return stms()
        .flatMap(
            stm -> {
              List<String> first = stm.eagerAttempts() > 0 ? locked : held;
              return Stream.of(
                  Arguments.of("sim:0:1", stm, one, 0, first),
                  Arguments.of("sim:0:4", stm, one, 0, first),
                  Arguments.of("sim:0:1", stm, OPPOSITE, 0, first),
                  Arguments.of("sim:0:1", stm, OPPOSITE, 1, taken),
                  Arguments.of("sim:0:1", stm, TWO_WORDS, 0, first),
                  Arguments.of("sim:0:1", stm, TWO_WORDS, 1, taken));
            });
  }

  /** Each policy; that with eager attempts without and with one. */
  static Stream<StmOptions> stms() {
    return Stream.of(
        BOUNDED.withEagerAttempts(0),
        BOUNDED.withEagerAttempts(1),
        BOUNDED.withPolicy(Policy.PRIORITY_RULE));
  }

  /** The thread stops before another begins: what it leaves is known step by step. */
  @ParameterizedTest
  @MethodSource("alone")
  void whatAStoppedThreadLeavesIsNamed(
      String spec, StmOptions stm, String text, int thread, List<String> expected) {
    try (Bench bench = new Bench(spec, text, stm)) {
      Schedule first = Schedule.explicit(List.of(new Choice(0, thread, 0)));
      List<String> seen = new ArrayList<>();
      for (int step = 0; ; step++) {
        Simulator.Trace trace =
            bench.subject.launch(first.withStoppedThread(thread, step).withMostSteps(MOST_STEPS));
        if (trace.code() == Simulator.Trace.OK) {
          break;
        }
        String at = text + ", thread " + thread + " stopped after " + step;
        assertEquals(Simulator.Trace.THREAD_STOPPED, trace.code(), at);
        String words =
            bench.locked() + " " + Arrays.toString(bench.subject.objects().claimedObjects());
        if (seen.isEmpty() || !seen.get(seen.size() - 1).equals(words)) {
          seen.add(words);
        }
        Set<Integer> others = bench.committed();
        others.remove(thread);
        boolean before = seen.stream().allMatch(each -> each.startsWith("[]"));
        boolean after = seen.size() > 1 && !before && bench.locked().isEmpty();
        if (before) {
          assertTrue(bench.serial(others, Set.of()), () -> "touched: " + at);
        } else if (after) {
          others.add(thread);
          assertTrue(bench.serial(others, Set.of()), () -> "not committed: " + at);
        } else {
          assertTrue(bench.serial(others, Set.of(thread)), () -> "not as said: " + at);
        }
        bench.goesOn();
      }
      assertEquals(expected, seen);
    }
  }

  static Stream<Arguments> contended() {
    return stms()
        .flatMap(
            stm ->
                Stream.of(
                    Arguments.of("sim:0:1", stm, OPPOSITE, 2),
                    Arguments.of("sim:0:4", stm, OPPOSITE, 2),
                    Arguments.of("sim:0:1", stm, TWO_WORDS, 2),
                    Arguments.of("sim:0:4", stm, TWO_WARPS, 5)));
  }

  /** It stops in the middle of the others' steps: waiting, robbed, registered, in their way. */
  @ParameterizedTest
  @MethodSource("contended")
  void whatIsNotNamedIsWhole(String spec, StmOptions stm, String text, int threads) {
    try (Bench bench = new Bench(spec, text, stm)) {
      List<Schedule> schedules = new ArrayList<>(List.of(Schedule.roundRobin()));
      for (int seed = 1; seed <= 4; seed++) {
        schedules.add(Schedule.randomWalk(seed).withWeakMemory());
        schedules.add(Schedule.lockStep(seed));
      }
      int locks = 0;
      int stops = 0;
      for (Schedule schedule : schedules) {
        for (int thread = 0; thread < threads; thread++) {
          for (int step = 0; ; step++) {
            Schedule stopping = schedule.withStoppedThread(thread, step).withMostSteps(MOST_STEPS);
            Simulator.Trace trace = bench.subject.launch(stopping);
            if (trace.code() == Simulator.Trace.OK) {
              break;
            }
            assertEquals(Simulator.Trace.THREAD_STOPPED, trace.code(), stopping::toString);
            assertTrue(bench.serial(bench.committed(), Set.of(thread)), stopping::toString);
            locks += bench.locked().isEmpty() ? 0 : 1;
            stops++;
            bench.goesOn();
          }
        }
      }
      assertTrue(stops > 200 && locks > 20 && locks < stops, locks + " of " + stops);
    }
  }

  /** Nothing but the watchdog ends those that wait for the stopped thread's locks. */
  @ParameterizedTest
  @MethodSource("stms")
  void theWatchdogEndsTheOthers(StmOptions stm) {
    StmOptions options = stm.withMaxAttempts(0).withPolls(64).withTimeout(Duration.ofMillis(30));
    try (Bench bench = new Bench("sim:0:1", OPPOSITE, options)) {
      int waited = 0;
      int repeats = 0;
      Schedule first = Schedule.explicit(List.of(new Choice(0, 0, 0)));
      for (int step = 0; ; step++) {
        long begin = System.nanoTime();
        Simulator.Trace trace = bench.subject.launch(first.withStoppedThread(0, step));
        boolean timeWasUp = System.nanoTime() - begin >= bench.patience.toNanos();
        if (trace.code() == Simulator.Trace.OK) {
          if (!timeWasUp) {
            break;
          }
          assertTrue(++repeats <= MOST_REPEATS, "time is always up before the thread stops");
          step--; // perhaps the watchdog ended the thread before it came so far: once more
          continue;
        }
        assertEquals(Simulator.Trace.THREAD_STOPPED, trace.code());
        assertTrue(bench.serial(bench.committed(), Set.of(0)), () -> trace.message());
        if (!bench.locked().isEmpty()) {
          assertTrue(timeWasUp, trace::message);
          assertEquals(Set.of(), bench.committed());
          waited++;
        }
        bench.goesOn();
      }
      assertTrue(waited >= 4, waited + " steps with locks");
    }
  }

  static Stream<Arguments> cutOff() {
    return stms().flatMap(stm -> Stream.of("sim:0:1", "sim:0:4").map(on -> Arguments.of(stm, on)));
  }

  /** A launch that is cut off leaves all its threads where they are. */
  @ParameterizedTest
  @MethodSource("cutOff")
  void aLaunchThatIsCutOffLeavesWholeWhatItDoesNotName(StmOptions stm, String spec) {
    try (Bench bench = new Bench(spec, TWO_WARPS, stm)) {
      Set<Integer> all = Set.of(0, 1, 2, 3, 4);
      int locks = 0;
      for (Schedule schedule : List.of(Schedule.roundRobin(), Schedule.randomWalk(1))) {
        for (int steps = 1; ; steps++) {
          Schedule cut = schedule.withMostSteps(steps);
          Simulator.Trace trace = bench.subject.launch(cut);
          if (trace.code() == Simulator.Trace.OK) {
            break;
          }
          assertEquals(Simulator.Trace.NO_PROGRESS, trace.code(), cut::toString);
          Set<Integer> committed = bench.committed();
          assertTrue(bench.serial(committed, all), cut::toString);
          locks += bench.locked().isEmpty() ? 0 : 1;
        }
        bench.goesOn();
      }
      assertTrue(locks > 20, locks + " steps with locks");
    }
  }
}
