package io.magpie.verification.program;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.explore.Livelocks;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.Subject;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A program on a device, with everything that is checked of a run: the recorded history, values and
 * results against those of a serial run in the order that the history gives, torn reads, claims
 * that stay, items that are lost, livelock. Usable on every machine; schedules on {@code sim} only.
 */
public final class ProgramSubject implements Subject, AutoCloseable {
  private static final int UNSUCCESSFUL_ATTEMPTS = 64;

  private final Device device;
  private final TransactionProgram program;
  private final StmOptions options;
  private final boolean validated;
  private final Region region;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final StmObjects objects;
  private final DeviceArray<long[]> left;
  private final DeviceArray<long[]> right;
  private final DeviceArray<int[]> starts;
  private final DeviceArray<int[]> code;
  private final DeviceArray<long[]> results;
  private final DeviceArray<int[]> torn;
  private final Recording recording;

  /**
   * Puts a program on a device.
   *
   * @param module the module {@code program}, or {@code program_unvalidated}, of that device,
   *     compiled with {@code MAGPIE_RECORD}; it must outlive this object
   * @param options how to run it
   */
  public ProgramSubject(
      Device device, KernelModule module, TransactionProgram program, StmOptions options) {
    this.device = device;
    this.program = program;
    this.options = options;
    this.validated = module.regions().contains("interpreted");
    this.region = module.region(validated ? "interpreted" : "interpreted_unvalidated");
    int items = program.transactions().size();
    try {
      this.objects = keep(device.objects(program.objects()));
      this.left = keep(device.longs(program.objects()));
      this.right = keep(device.longs(program.objects()));
      this.starts = keep(device.copyOf(program.starts()));
      int[] instructions = program.code();
      this.code = keep(device.copyOf(instructions.length == 0 ? new int[2] : instructions));
      this.results = keep(device.longs(items));
      this.torn = keep(device.ints(items));
      this.recording =
          keep(
              device.recording(
                  Recording.Options.defaults()
                      .withWordsPerThread(4096)
                      .withFirstAttempts(UNSUCCESSFUL_ATTEMPTS)));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.add(resource);
    return resource;
  }

  /** The program. */
  public TransactionProgram program() {
    return program;
  }

  /** The objects. */
  StmObjects objects() {
    return objects;
  }

  /** Each object's first word. */
  long[] left() {
    return left.toArray();
  }

  /** Each object's second word, where the program has two. */
  long[] right() {
    return right.toArray();
  }

  /** What the last run recorded. */
  Recording recording() {
    return recording;
  }

  /** Each transaction's accumulator at the end of its last attempt. */
  long[] results() {
    return results.toArray();
  }

  @Override
  public int threads() {
    int width = device.warpWidth();
    return (program.transactions().size() + width - 1) / width * width;
  }

  /** Runs the program once on a device that takes no schedule, and checks the run. */
  public List<Violation> run() {
    return checked(launch(), history(), false);
  }

  @Override
  public Observation run(Schedule schedule) {
    RegionReport report = report(schedule);
    Simulator.Trace trace = device.simulator().lastTrace();
    if (trace.abandoned()) {
      return new Observation(trace, List.of(), 0, Tally.NOTHING);
    }
    if (trace.code() != Simulator.Trace.LASSO) {
      return observation(report, trace, schedule.weakMemory());
    }
    History cycle = history();
    Optional<Schedule> livelock = Livelocks.confirm(schedule, trace, this::launch);
    if (livelock.isPresent()) {
      return new Observation(
          trace,
          List.of(
              new Violation(
                  Kind.LIVELOCK,
                  "the "
                      + (trace.lassoEnd() - trace.lassoBegin())
                      + " steps from step "
                      + trace.lassoBegin()
                      + " on were repeated "
                      + Livelocks.REPETITIONS
                      + " times, and no item ended")),
          leastAttempts(cycle),
          tally(cycle));
    }
    // A repetition that ends: the same run again, to its end.
    report = report(schedule.withChoices(trace.choices()).withoutLassoDetection());
    trace = device.simulator().lastTrace();
    return observation(report, trace, schedule.weakMemory());
  }

  private Observation observation(RegionReport report, Simulator.Trace trace, boolean weak) {
    History history = history();
    return new Observation(
        trace,
        report == null ? faults(trace) : checked(report, history, weak),
        leastAttempts(history),
        tally(history));
  }

  private Tally tally(History history) {
    return Tally.of(history, program.transactions().size());
  }

  private int leastAttempts(History history) {
    int[] attempts = new int[program.transactions().size()];
    for (int i = 0; i < history.size(); i++) {
      attempts[history.item(i)]++;
    }
    return Arrays.stream(attempts).min().orElse(0);
  }

  @Override
  public Simulator.Trace launch(Schedule schedule) {
    report(schedule);
    return device.simulator().lastTrace();
  }

  /** Null if the launch ended with a fault. */
  private RegionReport report(Schedule schedule) {
    device.simulator().setSchedule(schedule);
    try {
      return launch();
    } catch (KernelFaultException e) {
      return null;
    } finally {
      device.simulator().setSchedule(null);
    }
  }

  private RegionReport launch() {
    objects.reset(); // a broken protocol leaves claims
    left.fill(0);
    right.fill(0);
    results.fill(0);
    torn.fill(0);
    recording.reset();
    return region.record(
        recording,
        options,
        program.transactions().size(),
        new Fields()
            .set("objects", objects)
            .set("left", left)
            .set("right", right)
            .set("words", program.words())
            .set("starts", starts)
            .set("code", code)
            .set("results", results)
            .set("torn", torn));
  }

  private static List<Violation> faults(Simulator.Trace trace) {
    Kind kind =
        trace.code() == Simulator.Trace.NO_PROGRESS || trace.code() == Simulator.Trace.LASSO
            ? Kind.NO_END
            : Kind.FAULT;
    return List.of(new Violation(kind, trace.message()));
  }

  /** The history of the last run. */
  public History history() {
    HistoryBuilder builder = new HistoryBuilder();
    recording.forEachThread((thread, words, count) -> builder.thread(thread).addLog(words, count));
    return builder.build();
  }

  private List<Violation> checked(RegionReport report, History history, boolean weak) {
    List<Violation> wrong = new ArrayList<>();
    if (report.unfinishedByTimeout() > 0) {
      wrong.add(
          new Violation(
              Kind.NO_END, report.unfinishedByTimeout() + " items did not finish in time"));
    } else if (report.unfinished() > 0) { // programs fit their logs, and have all that they need
      wrong.add(
          new Violation(
              Kind.LOST_ITEM,
              report.unfinished() + " items did not finish: " + report.unfinishedReason()));
    }
    if (objects.claimed() > 0) {
      wrong.add(new Violation(Kind.LEFT_CLAIMED, objects.claimed() + " words are still claimed"));
    }
    if (validated) {
      int[] seen = torn.toArray();
      for (int item = 0; item < seen.length; item++) {
        if (seen[item] != 0) {
          wrong.add(
              new Violation(
                  Kind.TORN_READ, "transaction " + item + " saw the words of an object differ"));
        }
      }
    }
    // Reads that leave no trace keep real time as far as memory shows it.
    boolean keepsTime = !weak || options.policy().hasVisibleReads();
    Verdict verdict =
        SerializabilityChecker.check(
            history,
            SerializabilityChecker.Options.DEFAULT
                .withRealTime(keepsTime)
                .withOpacity(validated && !weak)
                .withFinalStamps(recording.finalStamps(objects)));
    if (verdict.level() == Verdict.Level.NOT_SERIALIZABLE) {
      wrong.add(new Violation(Kind.NOT_SERIALIZABLE, verdict.toString()));
    } else if (verdict.level() == Verdict.Level.SERIALIZABLE && keepsTime) {
      wrong.add(new Violation(Kind.NOT_STRICTLY_SERIALIZABLE, verdict.toString()));
    } else {
      // Without a clock that weak memory would keep, failed attempts are held to causality only.
      Verdict opacity =
          validated && weak
              ? SerializabilityChecker.check(
                  history, SerializabilityChecker.Options.DEFAULT.withRealTime(false))
              : verdict;
      if (!opacity.passed()) {
        wrong.add(new Violation(Kind.NOT_OPAQUE, opacity.toString()));
      }
      compareWithSerialRun(history, verdict.serialOrder(), wrong);
    }
    return wrong;
  }

  private void compareWithSerialRun(History history, int[] order, List<Violation> wrong) {
    SerialInterpreter serial = new SerialInterpreter(program);
    long[] ends = results.toArray();
    Map<Integer, Integer> times = new HashMap<>();
    for (int attempt : order) {
      int item = history.item(attempt);
      times.merge(item, 1, Integer::sum);
      SerialInterpreter.Result expected = serial.run(item);
      boolean committed = history.outcome(attempt) == History.COMMIT;
      if (committed != expected.committed() || ends[item] != expected.accumulator()) {
        wrong.add(
            new Violation(
                Kind.WRONG_RESULT,
                String.format(
                    "transaction %d %s with %016x; in serial order it %s with %016x",
                    item,
                    committed ? "commits" : "cancels",
                    ends[item],
                    expected.committed() ? "commits" : "cancels",
                    expected.accumulator())));
        return;
      }
    }
    for (int item = 0; item < program.transactions().size(); item++) {
      if (times.getOrDefault(item, 0) != 1) {
        wrong.add(
            new Violation(
                Kind.LOST_ITEM,
                "transaction " + item + " ended " + times.getOrDefault(item, 0) + " times"));
      }
    }
    long[] expected = serial.values();
    compare("left", left.toArray(), expected, wrong);
    if (program.words() == 2) {
      compare("right", right.toArray(), expected, wrong);
    }
  }

  private static void compare(String name, long[] found, long[] expected, List<Violation> wrong) {
    for (int o = 0; o < expected.length; o++) {
      if (found[o] != expected[o]) {
        wrong.add(
            new Violation(
                Kind.WRONG_RESULT,
                String.format(
                    "object %d ends as %016x (%s word); in serial order as %016x",
                    o, found[o], name, expected[o])));
      }
    }
  }

  @Override
  public void close() {
    for (int i = open.size() - 1; i >= 0; i--) {
      try {
        open.get(i).close();
      } catch (Exception e) {
        throw new IllegalStateException("closing " + open.get(i), e);
      }
    }
    open.clear();
  }
}
