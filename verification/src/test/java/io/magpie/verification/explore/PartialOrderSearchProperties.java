package io.magpie.verification.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.Kernel;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.KernelModule;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Schedule.Choice;
import io.magpie.stm.simulator.Search;
import io.magpie.stm.simulator.Search.StepLog.Step;
import io.magpie.stm.simulator.Simulator;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.statistics.Statistics;

/**
 * The search against all schedules there are, made one by one: it must come to the same classes of
 * equivalent runs and to the same results, and to each class once.
 */
class PartialOrderSearchProperties {
  private static final int WORDS = 3;
  private static final int MOST_SCHEDULES = 6_000;
  private static final int MOST_STEPS = 1_000;

  /** See accesses.cu. */
  enum Deed {
    LOAD,
    STORE,
    ADD,
    TOTAL,
    EXCHANGE,
    RAISE,
    WIDE,
    PAUSE,
    VOTE,
    BEGIN,
    END,
    UNLESS,
    WAIT,
    GATHER
  }

  record Instruction(Deed deed, int word, int value) {}

  private static final Map<Integer, Device> DEVICES = new HashMap<>();
  private static final Map<Integer, KernelModule> MODULES = new HashMap<>();

  @BeforeContainer
  static void open() {
    Path source = Path.of(System.getProperty("magpie.basedir"), "src/test/cuda/accesses.cu");
    for (int width = 1; width <= 2; width++) {
      Device device = Device.open("sim:0:" + width);
      DEVICES.put(width, device);
      MODULES.put(width, device.compile(source));
    }
  }

  @AfterContainer
  static void close() {
    MODULES.values().forEach(KernelModule::close);
    DEVICES.values().forEach(Device::close);
  }

  /** A program on a device. */
  private static final class Subject implements AutoCloseable {
    private final Device device;
    private final Kernel kernel;
    private final int threads;
    private final DeviceArray<int[]> starts;
    private final DeviceArray<int[]> code;
    private final DeviceArray<long[]> words;
    private final DeviceArray<int[]> results;

    Subject(int width, List<List<Instruction>> program) {
      device = DEVICES.get(width);
      kernel = MODULES.get(width).kernel("accesses");
      threads = program.size();
      List<Integer> at = new ArrayList<>(List.of(0));
      List<Integer> all = new ArrayList<>();
      for (List<Instruction> each : program) {
        for (Instruction one : each) {
          all.addAll(List.of(one.deed.ordinal(), one.word, one.value));
        }
        at.add(all.size());
      }
      all.add(0);
      starts = device.copyOf(at.stream().mapToInt(Integer::intValue).toArray());
      code = device.copyOf(all.stream().mapToInt(Integer::intValue).toArray());
      words = device.longs(WORDS);
      results = device.ints(threads);
    }

    Simulator.Trace run(Schedule schedule) {
      words.fill(0);
      results.fill(0);
      device.simulator().setSchedule(schedule.withMostSteps(MOST_STEPS));
      try {
        kernel.run(
            threads,
            new Fields()
                .set("starts", starts)
                .set("code", code)
                .set("words", words)
                .set("results", results));
      } catch (KernelFaultException e) {
        assertTrue(device.simulator().lastTrace().abandoned(), e::getMessage);
      }
      return device.simulator().lastTrace();
    }

    /** What the last run left. */
    String result() {
      return Arrays.toString(words.toArray()) + Arrays.toString(results.toArray());
    }

    @Override
    public void close() {
      starts.close();
      code.close();
      words.close();
      results.close();
    }
  }

  /**
   * What equivalent runs have in common: the steps of each thread, and which of two that depend on
   * each other comes first.
   */
  static String equivalenceClass(Simulator.Trace trace) {
    TreeSet<String> orders = new TreeSet<>();
    List<Step> steps = trace.log().steps().stream().filter(step -> !step.isMeeting()).toList();
    Map<Integer, Integer> counts = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      names.add(step.thread() + "." + counts.merge(step.thread(), 1, Integer::sum));
      orders.add(names.get(i) + "=" + step);
      for (int j = 0; j < i; j++) {
        if (step.thread() != steps.get(j).thread() && step.dependsOn(steps.get(j))) {
          orders.add(names.get(j) + "<" + names.get(i));
        }
      }
    }
    return trace.code() + orders.toString();
  }

  /** All schedules; empty if there are too many. */
  private static Optional<Map<String, String>> all(Subject subject, int pauses) {
    Map<String, String> results = new HashMap<>();
    Deque<List<Integer>> left = new ArrayDeque<>(List.of(List.<Integer>of()));
    for (int runs = 0; !left.isEmpty(); runs++) {
      if (runs == MOST_SCHEDULES) {
        return Optional.empty();
      }
      List<Integer> given = left.pop();
      List<Choice> choices = new ArrayList<>();
      for (int i = 0; i < given.size(); i++) {
        choices.add(new Choice(i, given.get(i), 0));
      }
      Simulator.Trace trace =
          subject.run(
              Schedule.explicit(choices).withSearch(new Search(List.of(), choices.size(), pauses)));
      String result = subject.result();
      String before = results.put(equivalenceClass(trace), result);
      assertTrue(before == null || before.equals(result), "equivalent runs differ");
      List<Step> steps = new ArrayList<>();
      List<Integer> from = new ArrayList<>(); // for each step the first place where it can be
      Map<Integer, Integer> free = new HashMap<>();
      for (Step step : trace.log().steps()) {
        if (step.isMeeting()) {
          for (int lane = 0; lane < 32; lane++) {
            if ((step.address() >>> lane & 1) != 0) {
              free.put(step.thread() - step.bytes() + lane, steps.size());
            }
          }
        } else {
          steps.add(step);
          from.add(free.getOrDefault(step.thread(), 0));
        }
      }
      for (int i = given.size(); i < steps.size(); i++) {
        TreeSet<Integer> others = new TreeSet<>();
        TreeSet<Integer> seen = new TreeSet<>();
        for (int j = i; j < steps.size(); j++) {
          if (seen.add(steps.get(j).thread()) && from.get(j) <= i) {
            others.add(steps.get(j).thread());
          }
        }
        others.remove(steps.get(i).thread());
        for (int thread : others) {
          List<Integer> changed = new ArrayList<>();
          steps.subList(0, i).forEach(step -> changed.add(step.thread()));
          changed.add(thread);
          left.push(changed);
        }
      }
    }
    return Optional.of(results);
  }

  /** What the search comes to; runs that add nothing are counted. */
  private static Map<String, String> searched(Subject subject, int pauses) {
    Map<String, String> results = new HashMap<>();
    PartialOrderSearch search = new PartialOrderSearch(pauses);
    int inVain = 0;
    for (Optional<Schedule> next = search.next(); next.isPresent(); next = search.next()) {
      Simulator.Trace trace = subject.run(next.get());
      if (trace.code() == Simulator.Trace.ASLEEP) {
        inVain++;
      } else {
        String before = results.put(equivalenceClass(trace), subject.result());
        assertEquals(null, before, "two equivalent runs");
      }
      search.ran(trace);
    }
    Statistics.label("runs that add nothing").collect(inVain);
    return results;
  }

  /** Thread 1 waits for thread 0, which sleeps before another step, or is never chosen. */
  @Example
  void waitingForAThreadThatDoesNotGoOnIsNoRunWithoutAnEnd() {
    List<List<Instruction>> program =
        List.of(
            List.of(new Instruction(Deed.STORE, 1, 1), new Instruction(Deed.STORE, 0, 1)),
            List.of(new Instruction(Deed.WAIT, 0, 0)));
    try (Subject subject = new Subject(1, program)) {
      Schedule begin = Schedule.explicit(List.of(new Choice(0, 0, 0)));
      Simulator.Trace whole = subject.run(begin.withSearch(new Search(List.of(), 1, -1)));
      assertEquals(Simulator.Trace.OK, whole.code());
      Step store = whole.log().steps().get(1);
      assertEquals(0, store.thread());
      Simulator.Trace trace = subject.run(begin.withSearch(new Search(List.of(store), 1, -1)));
      assertEquals(Simulator.Trace.ASLEEP, trace.code());

      List<Choice> onlyWho = new ArrayList<>();
      for (int i = 0; i < MOST_STEPS; i++) {
        onlyWho.add(new Choice(i, 1, 0));
      }
      Search search = new Search(List.of(), MOST_STEPS, -1);
      Simulator.Trace waits = subject.run(Schedule.explicit(onlyWho).withSearch(search));
      assertEquals(Simulator.Trace.TOO_LONG, waits.code());
    }
  }

  /**
   * Adding 0 writes nothing, which is known only when it has run: until then it is kept apart from
   * loads, and what was planned for that must not stand in for runs that are yet to be found.
   */
  @Example
  void anExchangeThatWritesNothingHidesNoRun() {
    compare(
        1,
        1,
        List.of(
            List.of(new Instruction(Deed.STORE, 0, 0)),
            List.of(new Instruction(Deed.ADD, 0, 0)),
            List.of(new Instruction(Deed.WAIT, 0, 0))));
  }

  private static void compare(int width, int pauses, List<List<Instruction>> program) {
    try (Subject subject = new Subject(width, program)) {
      Optional<Map<String, String>> all = all(subject, pauses);
      Statistics.label("compared").collect(all.isPresent());
      if (all.isPresent()) {
        assertEquals(all.get(), searched(subject, pauses));
      }
    }
  }

  private static Arbitrary<Instruction> instruction() {
    Arbitrary<Deed> deeds =
        Arbitraries.frequency(
            Tuple.of(4, Deed.LOAD),
            Tuple.of(4, Deed.STORE),
            Tuple.of(2, Deed.ADD),
            Tuple.of(2, Deed.TOTAL),
            Tuple.of(4, Deed.EXCHANGE),
            Tuple.of(2, Deed.RAISE),
            Tuple.of(1, Deed.WIDE),
            Tuple.of(1, Deed.PAUSE),
            Tuple.of(1, Deed.BEGIN),
            Tuple.of(1, Deed.END),
            Tuple.of(3, Deed.UNLESS),
            Tuple.of(1, Deed.WAIT));
    return Combinators.combine(
            deeds,
            Arbitraries.integers().between(0, WORDS - 1),
            Arbitraries.integers().between(0, 2))
        .as(Instruction::new);
  }

  @Provide
  Arbitrary<List<List<Instruction>>> ofTwo() {
    return instruction().list().ofMinSize(1).ofMaxSize(5).list().ofSize(2);
  }

  @Provide
  Arbitrary<List<List<Instruction>>> ofThree() {
    return instruction().list().ofMinSize(1).ofMaxSize(2).list().ofSize(3);
  }

  @Provide
  Arbitrary<List<List<Instruction>>> ofLanes() {
    Arbitrary<Instruction> instruction =
        Arbitraries.frequencyOf(
            Tuple.of(4, instruction()),
            Tuple.of(1, Arbitraries.just(new Instruction(Deed.GATHER, 0, 0))));
    return Combinators.combine(
            instruction.list().ofMaxSize(2).list().ofSize(2),
            instruction.list().ofMaxSize(2).list().ofSize(2))
        .as(
            (before, after) -> {
              List<List<Instruction>> all = new ArrayList<>();
              for (int i = 0; i < 2; i++) {
                List<Instruction> each = new ArrayList<>(before.get(i));
                each.add(new Instruction(Deed.VOTE, 0, 0));
                each.addAll(after.get(i));
                all.add(each);
              }
              return all;
            });
  }

  @Property(tries = 60)
  void twoThreads(@ForAll("ofTwo") List<List<Instruction>> program) {
    compare(1, 1, program);
  }

  @Property(tries = 30)
  void threeThreads(@ForAll("ofThree") List<List<Instruction>> program) {
    compare(1, 1, program);
  }

  @Property(tries = 30)
  void lanesOfAWarp(@ForAll("ofLanes") List<List<Instruction>> program) {
    compare(2, 1, program);
  }
}
