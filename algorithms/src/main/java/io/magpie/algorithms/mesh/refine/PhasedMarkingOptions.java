package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.Setting;
import java.util.List;
import java.util.Objects;

/**
 * How the variants of refinement run that set marks in phases: {@link
 * RefinementOptions.Synchronization#THREE_PHASES}, {@code TWO_STAGES} and {@code ATOMIC_STAGES}.
 * Most are the optimizations that Nasre, Burtscher and Pingali (2013) measured one on top of the
 * other. Every combination gives a valid mesh within the same bounds.
 *
 * @param priority which of two items goes first
 * @param work where the items of a round come from
 * @param launches how many threads a launch has
 * @param sorted whether, in tiles of 1,024 items, triangles are moved to one side and segments to
 *     the other, with places without an item between; default false
 * @param localLists whether a thread takes 8 consecutive items, one after the other, and keeps a
 *     list of its own of what it pushes; default false
 * @param recycling whether new triangles take over the slots of those that they replace; if not,
 *     those stay empty, and the mesh needs some four times the memory; default true
 * @param workSharing whether new triangles are tested in a launch of their own, all threads as many
 *     (Kumar and Vadhiyar); default false
 * @param precision which arithmetic the tests begin with; results are the same
 */
public record PhasedMarkingOptions(
    Priority priority,
    Work work,
    Launches launches,
    boolean sorted,
    boolean localLists,
    boolean recycling,
    boolean workSharing,
    Precision precision) {

  /** Which of two items goes first; the papers differ. */
  public enum Priority {
    /** That of the higher number (Nasre, Burtscher and Pingali); the default. */
    HIGHER,
    /** That of the lower number (Kumar and Vadhiyar). */
    LOWER
  }

  /** Where the items of a round come from. */
  public enum Work {
    /** A list of what is bad, the most urgent first, as everywhere else; the default. */
    LISTS,
    /**
     * Every slot for a triangle has a thread that looks whether it is bad, in every round; there is
     * no order, and {@link RefinementOptions#batch()} has no effect.
     */
    SLOTS
  }

  /** How many threads a launch has. */
  public enum Launches {
    /** As many as items; the default. */
    ITEMS,
    /**
     * An eighth of the most in the first round, and twice as many in each of the next three; never
     * more than items.
     */
    DOUBLING,
    /** Always as many as a full slice has items. */
    FIXED
  }

  /** Which arithmetic tests begin with. */
  public enum Precision {
    /** Doubles, then exact arithmetic where that is not sure; the default. */
    DOUBLE,
    /** Floats, then the same. */
    SINGLE
  }

  private static final PhasedMarkingOptions DEFAULTS =
      new PhasedMarkingOptions(
          Priority.HIGHER, Work.LISTS, Launches.ITEMS, false, false, true, false, Precision.DOUBLE);

  /** {@link #work()}. */
  static Setting<Work> workSetting() {
    return Setting.oneOf("work", DEFAULTS.work, "where the items of a round come from")
        .within(
            RefinementOptions.PHASES, PhasedMarkingOptions::work, PhasedMarkingOptions::withWork)
        .grouped(RefinementOptions.PHASES.name());
  }

  /** Each component as a setting of {@link RefinementOptions}. */
  static List<Setting<?>> settings() {
    Setting<PhasedMarkingOptions> whole = RefinementOptions.PHASES;
    return List.of(
        Setting.oneOf("priority", DEFAULTS.priority, "which of two items goes first")
            .within(whole, PhasedMarkingOptions::priority, PhasedMarkingOptions::withPriority),
        workSetting(),
        Setting.oneOf("launches", DEFAULTS.launches, "how many threads a launch has")
            .within(whole, PhasedMarkingOptions::launches, PhasedMarkingOptions::withLaunches),
        Setting.flag(
                "sorted",
                DEFAULTS.sorted,
                "whether triangles and segments are separated within tiles")
            .within(whole, PhasedMarkingOptions::sorted, PhasedMarkingOptions::withSorted),
        Setting.either(
                "lists",
                "local",
                "shared",
                DEFAULTS.localLists,
                "whether each thread has its own list of work")
            .within(whole, PhasedMarkingOptions::localLists, PhasedMarkingOptions::withLocalLists),
        Setting.flag(
                "recycling", DEFAULTS.recycling, "whether new triangles reuse slots of old ones")
            .within(whole, PhasedMarkingOptions::recycling, PhasedMarkingOptions::withRecycling),
        Setting.flag(
                "sharing", DEFAULTS.workSharing, "whether new triangles are tested by all threads")
            .within(
                whole, PhasedMarkingOptions::workSharing, PhasedMarkingOptions::withWorkSharing),
        Setting.oneOf("precision", DEFAULTS.precision, "which arithmetic the tests begin with")
            .within(whole, PhasedMarkingOptions::precision, PhasedMarkingOptions::withPrecision));
  }

  /** Checks that nothing is null. */
  public PhasedMarkingOptions {
    Objects.requireNonNull(priority, "priority");
    Objects.requireNonNull(work, "work");
    Objects.requireNonNull(launches, "launches");
    Objects.requireNonNull(precision, "precision");
  }

  /** The defaults, as listed for each component. */
  public static PhasedMarkingOptions defaults() {
    return DEFAULTS;
  }

  /** A copy with another {@link #priority()}. */
  public PhasedMarkingOptions withPriority(Priority value) {
    return new PhasedMarkingOptions(
        value, work, launches, sorted, localLists, recycling, workSharing, precision);
  }

  /** A copy with another {@link #work()}. */
  public PhasedMarkingOptions withWork(Work value) {
    return new PhasedMarkingOptions(
        priority, value, launches, sorted, localLists, recycling, workSharing, precision);
  }

  /** A copy with another {@link #launches()}. */
  public PhasedMarkingOptions withLaunches(Launches value) {
    return new PhasedMarkingOptions(
        priority, work, value, sorted, localLists, recycling, workSharing, precision);
  }

  /** A copy with another {@link #sorted()}. */
  public PhasedMarkingOptions withSorted(boolean value) {
    return new PhasedMarkingOptions(
        priority, work, launches, value, localLists, recycling, workSharing, precision);
  }

  /** A copy with another {@link #localLists()}. */
  public PhasedMarkingOptions withLocalLists(boolean value) {
    return new PhasedMarkingOptions(
        priority, work, launches, sorted, value, recycling, workSharing, precision);
  }

  /** A copy with another {@link #recycling()}. */
  public PhasedMarkingOptions withRecycling(boolean value) {
    return new PhasedMarkingOptions(
        priority, work, launches, sorted, localLists, value, workSharing, precision);
  }

  /** A copy with another {@link #workSharing()}. */
  public PhasedMarkingOptions withWorkSharing(boolean value) {
    return new PhasedMarkingOptions(
        priority, work, launches, sorted, localLists, recycling, value, precision);
  }

  /** A copy with another {@link #precision()}. */
  public PhasedMarkingOptions withPrecision(Precision value) {
    return new PhasedMarkingOptions(
        priority, work, launches, sorted, localLists, recycling, workSharing, value);
  }
}
