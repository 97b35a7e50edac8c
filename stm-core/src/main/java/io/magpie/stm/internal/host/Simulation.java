package io.magpie.stm.internal.host;

import io.magpie.stm.internal.host.LaunchStructs.Control;
import io.magpie.stm.internal.host.LaunchStructs.Counts;
import io.magpie.stm.internal.host.LaunchStructs.MemoryKind;
import io.magpie.stm.internal.host.LaunchStructs.Visit;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Search;
import io.magpie.stm.simulator.Search.StepLog;
import io.magpie.stm.simulator.Search.StepLog.Step;
import io.magpie.stm.simulator.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How a device's launches are simulated, and what became of them: the {@code magpie_simulation}
 * that they get. It is written when the first launch begins after it was set, as that launch's
 * module has it.
 */
final class Simulation implements Simulator {
  private static final long NOBODY_STOPS = -1;

  private final Tracing tracing = new Tracing();
  private Schedule schedule;
  private boolean counting;
  private AccessCounts counted = AccessCounts.NONE; // by launches of modules laid out otherwise

  private LaunchStructs structs; // as which what follows is laid out; null: there was no launch
  private boolean written; // and is as it was set
  private NativeStructs<Control> block;
  private NativeStructs<LaunchStructs.Choice> choices;
  private NativeStructs<LaunchStructs.Choice> taken;
  private NativeStructs<Visit> visits;
  private NativeStructs<Counts> counts;
  private NativeStructs<LaunchStructs.Search> search;
  private NativeStructs<LaunchStructs.Step> steps; // null: no search yet
  private NativeStructs<LaunchStructs.Step> asleep;

  private boolean ran;
  private StepLog log = StepLog.NONE;
  private int code;
  private String message;

  @Override
  public void setTracing(AccessTrace.Scope wanted) {
    tracing.set(wanted);
  }

  @Override
  public AccessTrace accessTrace() {
    return tracing.trace();
  }

  @Override
  public void setSchedule(Schedule wanted) {
    schedule = wanted;
    written = false;
  }

  @Override
  public void setCounting(boolean wanted) {
    counting = wanted;
    written = false;
    counted = AccessCounts.NONE;
    if (counts != null) {
      counts = NativeStructs.zeros(structs.counts());
    }
  }

  @Override
  public AccessCounts accessCounts() {
    return counts == null
        ? counted
        : counted.plus(
            new AccessCounts(
                counts.get(Counts.LAUNCHES),
                counts.get(Counts.WORK),
                counts.get(Counts.SPAN),
                counts.get(Counts.TRANSFERS)));
  }

  /** The bound of steps that a launch gets, which has this one without a schedule. */
  long mostSteps(long otherwise) {
    return schedule == null || schedule.mostSteps() == 0 ? otherwise : schedule.mostSteps();
  }

  /** Address of what a launch that begins gets; 0 = no schedule. */
  long begin(LaunchStructs wanted) {
    if (schedule == null) {
      return 0;
    }
    if (structs != wanted) {
      layOut(wanted);
    }
    if (!written) {
      write();
    }
    block.set(Control.ACCESSES, tracing.begin(structs));
    return block.address();
  }

  private void layOut(LaunchStructs wanted) {
    counted = accessCounts();
    structs = wanted;
    block = NativeStructs.zeros(wanted.control());
    choices = null;
    taken = new NativeStructs<>(wanted.choice(), Trace.MOST_CHOICES);
    visits = new NativeStructs<>(wanted.visit(), Trace.MOST_STATES);
    counts = NativeStructs.zeros(wanted.counts());
    search = NativeStructs.zeros(wanted.search());
    steps = null;
    written = false;
  }

  private void write() {
    writeChoices(schedule.choices());
    MemoryKind memory = schedule.weakMemory() ? MemoryKind.WEAK : MemoryKind.SEQUENTIAL;
    block.set(Control.SCHEDULE, structs.schedules().number(schedule.kind()));
    block.set(Control.MEMORY, structs.memories().number(memory));
    block.set(Control.SEED, schedule.seed());
    block.set(Control.DEPTH, schedule.depth());
    block.set(Control.LASSO, schedule.lassoDetection() ? 1 : 0);
    block.set(Control.LENGTH, schedule.steps());
    block.set(Control.CHOICES, choices.address());
    block.set(Control.CHOICE_COUNT, schedule.choices().size());
    block.set(
        Control.STOPPED,
        schedule.stoppedThread() < 0
            ? NOBODY_STOPS
            : schedule.stoppedThread() | schedule.stoppedStep() << 32);
    block.set(Control.TAKEN, taken.address());
    block.set(Control.TAKEN_CAPACITY, taken.count());
    block.set(Control.VISITS, schedule.states() ? visits.address() : 0);
    block.set(Control.VISIT_CAPACITY, visits.count());
    block.set(Control.COUNTS, counting ? counts.address() : 0);
    block.set(Control.SEARCH, schedule.search() == null ? 0 : search(schedule.search()));
    block.set(Control.FINE, schedule.fine() ? 1 : 0);
    written = true;
  }

  private void writeChoices(List<Schedule.Choice> wanted) {
    if (choices == null || wanted.size() > choices.count()) {
      choices = new NativeStructs<>(structs.choice(), Math.max(64, wanted.size()));
    }
    for (int i = 0; i < wanted.size(); i++) {
      choices.set(i, LaunchStructs.Choice.STEP, wanted.get(i).step());
      choices.set(i, LaunchStructs.Choice.THREAD, wanted.get(i).thread());
      choices.set(i, LaunchStructs.Choice.VERSION, wanted.get(i).version());
    }
  }

  private long search(Search wanted) {
    if (steps == null) {
      steps = new NativeStructs<>(structs.step(), Search.MOST_STEPS);
    }
    asleep = new NativeStructs<>(structs.step(), wanted.asleep().size());
    for (int i = 0; i < asleep.count(); i++) {
      Step each = wanted.asleep().get(i);
      asleep.set(i, LaunchStructs.Step.ADDRESS, each.address());
      asleep.set(i, LaunchStructs.Step.THREAD, each.thread());
      asleep.set(i, LaunchStructs.Step.BYTES, each.bytes());
      asleep.set(i, LaunchStructs.Step.KIND, structs.steps().number(each.kind()));
    }
    search.set(LaunchStructs.Search.STEPS, steps.address());
    search.set(LaunchStructs.Search.CAPACITY, steps.count());
    search.set(LaunchStructs.Search.COUNT, 0);
    search.set(LaunchStructs.Search.ASLEEP, asleep.address());
    search.set(LaunchStructs.Search.ASLEEP_COUNT, asleep.count());
    search.set(LaunchStructs.Search.ASLEEP_FROM, wanted.asleepFrom());
    search.set(LaunchStructs.Search.MOST_PAUSES, wanted.mostPauses());
    return search.address();
  }

  private StepLog log() {
    if (schedule.search() == null) {
      return StepLog.NONE;
    }
    long count = search.get(LaunchStructs.Search.COUNT);
    int kept = (int) Math.min(count, steps.count());
    List<Step> all = new ArrayList<>(kept);
    for (int i = 0; i < kept; i++) {
      all.add(
          new Step(
              steps.get(i, LaunchStructs.Step.ADDRESS),
              (int) steps.get(i, LaunchStructs.Step.THREAD),
              (int) steps.get(i, LaunchStructs.Step.BYTES),
              structs.steps().constant((int) steps.get(i, LaunchStructs.Step.KIND))));
    }
    return new StepLog(all, kept == count);
  }

  /** Notes how a launch ended. */
  void ended(int launchCode, String launchMessage) {
    if (schedule != null) {
      ran = true;
      log = log();
      code = launchCode;
      message = launchMessage;
    }
  }

  @Override
  public Trace lastTrace() {
    if (!ran) {
      throw new IllegalStateException("no launch has run under a schedule: set one first");
    }
    long deviations = block.get(Control.TAKEN_COUNT);
    List<Schedule.Choice> made =
        IntStream.range(0, (int) Math.min(deviations, taken.count()))
            .mapToObj(
                i ->
                    new Schedule.Choice(
                        taken.get(i, LaunchStructs.Choice.STEP),
                        (int) taken.get(i, LaunchStructs.Choice.THREAD),
                        (int) taken.get(i, LaunchStructs.Choice.VERSION)))
            .toList();
    int visited = (int) block.get(Control.VISIT_COUNT);
    return new Trace(
        made,
        deviations,
        block.get(Control.STEPS),
        block.get(Control.SWITCHES),
        block.get(Control.TRACE),
        block.get(Control.LASSO_BEGIN),
        block.get(Control.LASSO_END),
        code,
        message,
        IntStream.range(0, visited).mapToLong(i -> visits.get(i, Visit.STATE)).toArray(),
        IntStream.range(0, visited).map(i -> (int) visits.get(i, Visit.THREAD)).toArray(),
        log);
  }
}
