package io.magpie.stm.internal.host;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Search;
import io.magpie.stm.simulator.Simulator;
import io.magpie.stm.simulator.StepLog;
import io.magpie.stm.simulator.StepLog.Step;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The {@code magpie_simulation} of a device's launches, in native memory: {@code
 * magpie/platform/launch_args.hpp} has the layout.
 */
final class Simulation implements Simulator {
  static final int BYTES = 176;

  /** Where the pointer to what is traced is. */
  static final int ACCESSES = 152;

  private static final int COUNTS_BYTES = 32;
  private static final int SEARCH_BYTES = 56;
  private static final int CHOICE_BYTES = 16;
  private static final int VISIT_BYTES = 16;
  private static final long NOBODY_STOPS = -1;

  private final Memory block = new Memory(BYTES);
  private Pointer choices = Pointer.NULL;
  private int choiceCapacity;
  private final Memory taken = new Memory((long) Trace.MOST_CHOICES * CHOICE_BYTES);
  private final Memory visits = new Memory((long) Trace.MOST_STATES * VISIT_BYTES);
  private final Memory counts = new Memory(COUNTS_BYTES);
  private final Tracing tracing = new Tracing();
  private final Memory search = new Memory(SEARCH_BYTES);
  private Memory steps; // null: no search yet
  private Memory asleep;
  private Schedule schedule;
  private boolean ran;
  private StepLog log = StepLog.NONE;
  private int code;
  private String message;

  Simulation() {
    setCounting(false);
    setTracing(null);
  }

  @Override
  public void setTracing(AccessTrace.Scope wanted) {
    tracing.set(wanted);
    block.setPointer(ACCESSES, tracing.pointer());
  }

  @Override
  public AccessTrace accessTrace() {
    return tracing.trace();
  }

  @Override
  public void setSchedule(Schedule wanted) {
    schedule = wanted;
    if (wanted == null) {
      return;
    }
    write(wanted.choices());
    block.setInt(
        0,
        switch (wanted.kind()) {
          case EXPLICIT -> 0;
          case ROUND_ROBIN -> 1;
          case RANDOM_WALK -> 2;
          case PCT -> 3;
          case LOCK_STEP -> 4;
          case ORDERED -> 5;
        });
    block.setInt(4, wanted.weakMemory() ? 1 : 0);
    block.setLong(8, wanted.seed());
    block.setInt(16, wanted.depth());
    block.setInt(20, wanted.lassoDetection() ? 1 : 0);
    block.setLong(24, wanted.steps());
    block.setPointer(32, choices);
    block.setLong(40, wanted.choices().size());
    block.setLong(
        48,
        wanted.stoppedThread() < 0
            ? NOBODY_STOPS
            : wanted.stoppedThread() | wanted.stoppedStep() << 32);
    block.setPointer(56, taken);
    block.setLong(64, Trace.MOST_CHOICES);
    block.setPointer(120, wanted.states() ? visits : Pointer.NULL);
    block.setLong(128, Trace.MOST_STATES);
    block.setPointer(160, wanted.search() == null ? Pointer.NULL : search(wanted.search()));
    block.setLong(168, wanted.fine() ? 1 : 0);
  }

  private Memory search(Search wanted) {
    if (steps == null) {
      steps = new Memory((long) Search.MOST_STEPS * StepLog.STEP_BYTES);
    }
    asleep = new Memory(Math.max(1, (long) wanted.asleep().size() * StepLog.STEP_BYTES));
    long at = 0;
    for (Step each : wanted.asleep()) {
      asleep.setLong(at, each.address());
      asleep.setLong(at + 8, each.rest());
      at += StepLog.STEP_BYTES;
    }
    search.setPointer(0, steps);
    search.setLong(8, Search.MOST_STEPS);
    search.setLong(16, 0);
    search.setPointer(24, asleep);
    search.setLong(32, wanted.asleep().size());
    search.setLong(40, wanted.asleepFrom());
    search.setLong(48, wanted.mostPauses());
    return search;
  }

  private StepLog log() {
    if (schedule == null || schedule.search() == null) {
      return StepLog.NONE;
    }
    long count = search.getLong(16);
    long kept = Math.min(count, Search.MOST_STEPS);
    return StepLog.of(steps.getLongArray(0, (int) (2 * kept)), kept == count);
  }

  @Override
  public void setCounting(boolean wanted) {
    counts.clear();
    block.setPointer(144, wanted ? counts : Pointer.NULL);
  }

  @Override
  public AccessCounts accessCounts() {
    return new AccessCounts(
        counts.getLong(0), counts.getLong(8), counts.getLong(16), counts.getLong(24));
  }

  private void write(List<Schedule.Choice> wanted) {
    if (wanted.size() > choiceCapacity) {
      choiceCapacity = Math.max(64, wanted.size());
      choices = new Memory((long) choiceCapacity * CHOICE_BYTES);
    }
    long at = 0;
    for (Schedule.Choice each : wanted) {
      choices.setLong(at, each.step());
      choices.setInt(at + 8, each.thread());
      choices.setInt(at + 12, each.version());
      at += CHOICE_BYTES;
    }
  }

  /** The bound of steps that a launch gets, which has this one without a schedule. */
  long mostSteps(long otherwise) {
    return schedule == null || schedule.mostSteps() == 0 ? otherwise : schedule.mostSteps();
  }

  /** What a launch gets; 0 = no schedule. */
  long address() {
    return schedule == null ? 0 : Pointer.nativeValue(block);
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
    long deviations = block.getLong(72);
    List<Schedule.Choice> made =
        IntStream.range(0, (int) Math.min(deviations, Trace.MOST_CHOICES))
            .mapToLong(i -> (long) i * CHOICE_BYTES)
            .mapToObj(
                at ->
                    new Schedule.Choice(
                        taken.getLong(at), taken.getInt(at + 8), taken.getInt(at + 12)))
            .toList();
    int visited = (int) block.getLong(136);
    long[] words = visits.getLongArray(0, 2 * visited);
    long[] states = new long[visited];
    int[] threads = new int[visited];
    for (int i = 0; i < visited; i++) {
      states[i] = words[2 * i];
      threads[i] = (int) words[2 * i + 1];
    }
    return new Trace(
        made,
        deviations,
        block.getLong(80),
        block.getLong(88),
        block.getLong(96),
        block.getLong(104),
        block.getLong(112),
        code,
        message,
        states,
        threads,
        log);
  }
}
