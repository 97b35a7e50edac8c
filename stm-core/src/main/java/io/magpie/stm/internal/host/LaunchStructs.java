package io.magpie.stm.internal.host;

import io.magpie.stm.internal.Enumerators;
import io.magpie.stm.internal.SharedNumbers;
import io.magpie.stm.internal.StructLayout;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Search.StepLog;

/**
 * What a launch on {@code cpu} or {@code sim} gets and gives back, as a module's headers have it:
 * {@code magpie/platform/launch_args.hpp} and {@code trace_event.hpp} say what each means.
 */
record LaunchStructs(
    StructLayout<Arguments> arguments,
    StructLayout<SharedGrid> sharedGrid,
    StructLayout<Control> control,
    StructLayout<Choice> choice,
    StructLayout<Visit> visit,
    StructLayout<Counts> counts,
    StructLayout<Search> search,
    StructLayout<Step> step,
    StructLayout<Trace> trace,
    StructLayout<Range> range,
    StructLayout<Event> event,
    Enumerators<LaunchCode> codes,
    Enumerators<Schedule.Kind> schedules,
    Enumerators<MemoryKind> memories,
    Enumerators<StepLog.Kind> steps,
    Enumerators<AccessTrace.Kind> events) {

  /** Members of {@code magpie_launch_args}. */
  enum Arguments {
    THREADS,
    FIRST,
    LAST,
    SEED,
    MAX_STEPS,
    WIDTH,
    HELPS,
    SIMULATION,
    GRID
  }

  /** Members of {@code magpie_shared_grid}. */
  enum SharedGrid {
    TAKEN,
    THREADS,
    MOST_HELPERS,
    ENDED,
    HELPERS
  }

  /** Members of {@code magpie_simulation}. */
  enum Control {
    SCHEDULE,
    MEMORY,
    SEED,
    DEPTH,
    LASSO,
    LENGTH,
    CHOICES,
    CHOICE_COUNT,
    STOPPED,
    TAKEN,
    TAKEN_CAPACITY,
    TAKEN_COUNT,
    STEPS,
    SWITCHES,
    TRACE,
    LASSO_BEGIN,
    LASSO_END,
    VISITS,
    VISIT_CAPACITY,
    VISIT_COUNT,
    COUNTS,
    ACCESSES,
    SEARCH,
    FINE
  }

  /** Members of {@code magpie_choice}. */
  enum Choice {
    STEP,
    THREAD,
    VERSION
  }

  /** Members of {@code magpie_visit}. */
  enum Visit {
    STATE,
    THREAD
  }

  /** Members of {@code magpie_access_counts}. */
  enum Counts {
    LAUNCHES,
    WORK,
    SPAN,
    TRANSFERS
  }

  /** Members of {@code magpie_search}. */
  enum Search {
    STEPS,
    CAPACITY,
    COUNT,
    ASLEEP,
    ASLEEP_COUNT,
    ASLEEP_FROM,
    MOST_PAUSES
  }

  /** Members of {@code magpie_step}. */
  enum Step {
    ADDRESS,
    THREAD,
    BYTES,
    KIND
  }

  /** Members of {@code magpie_trace}. */
  enum Trace {
    RANGES,
    RANGE_COUNT,
    EVENTS,
    CAPACITY,
    COUNT,
    FORCED_RETRIES,
    FORCED_INNER
  }

  /** Members of {@code magpie_range}. */
  enum Range {
    BEGIN,
    END,
    STRIDE,
    DATUM
  }

  /** Members of {@code magpie_event}. */
  enum Event {
    ADDRESS,
    VALUE,
    OBJECT,
    PLACE,
    ITEM,
    ATTEMPT,
    THREAD,
    KIND,
    BYTES,
    WRITES
  }

  /** How memory is simulated. */
  enum MemoryKind {
    SEQUENTIAL,
    WEAK
  }

  /** How a launch ended. */
  enum LaunchCode {
    OK(""),
    BOUNDS_FAULT("index out of bounds"),
    MISSING_LANES("collective with missing lanes"),
    NO_PROGRESS("no progress"),
    UNKNOWN_KERNEL("no such kernel"),
    LASSO("livelock"),
    THREAD_STOPPED("stopped thread"),
    ACCESS_FAULT("access against the rules"),
    MISUSE("rule of the library broken"),
    PROCESSOR_FAULT("stopped by the processor"),
    INTERRUPTED("no end"),
    ASLEEP("tried before"),
    CUT("cut"),
    TOO_LONG("too long"),
    STUCK("no end");

    private final String text;

    LaunchCode(String text) {
      this.text = text;
    }

    /** What happened, in words. */
    String text() {
      return text;
    }
  }

  /**
   * Those of a module.
   *
   * @throws IllegalArgumentException if its headers lack some of it
   */
  static LaunchStructs of(SharedNumbers shared) {
    return new LaunchStructs(
        shared.layout("magpie_launch_args", Arguments.class),
        shared.layout("magpie_shared_grid", SharedGrid.class),
        shared.layout("magpie_simulation", Control.class),
        shared.layout("magpie_choice", Choice.class),
        shared.layout("magpie_visit", Visit.class),
        shared.layout("magpie_access_counts", Counts.class),
        shared.layout("magpie_search", Search.class),
        shared.layout("magpie_step", Step.class),
        shared.layout("magpie_trace", Trace.class),
        shared.layout("magpie_range", Range.class),
        shared.layout("magpie_event", Event.class),
        Enumerators.of(shared, "launch_", LaunchCode.class),
        Enumerators.of(shared, "schedule_", Schedule.Kind.class),
        Enumerators.of(shared, "memory_", MemoryKind.class),
        Enumerators.of(shared, "step_", StepLog.Kind.class),
        Enumerators.of(shared, "trace_event::", AccessTrace.Kind.class));
  }
}
