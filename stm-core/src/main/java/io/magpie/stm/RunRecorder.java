package io.magpie.stm;

import java.util.List;
import java.util.Map;

/**
 * Records the regions that an algorithm runs on its own; see {@link Device#setRunRecorder}. Is told
 * of each run, and of each round of a run in rounds, before and after it, while nothing runs. It
 * may use the device; other threads' calls wait meanwhile.
 */
public interface RunRecorder {
  /** A run of a region, or a round of one in rounds, that is about to begin. */
  interface UpcomingRun {
    /** What will run. */
    Region region();

    /**
     * Its arguments, which fit, by field, those of a struct as {@code member.field}: each a number,
     * a {@link DeviceArray}, {@link StmObjects}, a {@link SlotPool} or null, as {@link Fields#of}
     * takes them. They are as the run will find them.
     */
    Map<String, Object> arguments();

    /** How it will run. */
    StmOptions options();

    /** How many items. */
    long items();

    /**
     * The ids of its items by their positions, read from the device now: those of a list, or 0 to
     * {@code items() - 1}; of a round first those that the one before deferred.
     *
     * @throws ArithmeticException if they are more than an array holds
     */
    int[] itemIds();

    /** Whether it is a round: its commits may push items, and its attempts be deferred. */
    boolean isRound();
  }

  /**
   * A run of a region that was recorded.
   *
   * @param report what the run did
   * @param opaque whether the region's reads are validated, so that no attempt saw a mix of states
   * @param objects the arrays of objects among the run's arguments, each once
   * @param recording what the run was recorded in
   * @param ranks the rank of each position, in the order of positions; no two are equal
   * @param left the ranks of the positions that did not end their items: those unfinished and those
   *     deferred, in no order. Each other position has exactly one attempt that ended, under its
   *     rank
   */
  record RecordedRun(
      RegionReport report,
      boolean opaque,
      List<StmObjects> objects,
      Recording recording,
      List<Integer> ranks,
      List<Integer> left) {
    public RecordedRun {
      objects = List.copyOf(objects);
      ranks = List.copyOf(ranks);
      left = List.copyOf(left);
    }
  }

  /**
   * A run is about to begin; its arguments fit. What is thrown here ends it. What is done to the
   * arguments here, such as by runs of the same region, is there when the run begins.
   *
   * @param run what will run
   * @return where to record the run: a recording of the same device; null = nowhere
   */
  Recording begin(UpcomingRun run);

  /**
   * A recorded run has ended with a report.
   *
   * @param run what ran, and where its history is
   */
  void end(RecordedRun run);

  /**
   * A run that {@link #begin} gave a recording has ended without a report: by a fault, or because
   * it could not be recorded there. Called in place of {@link #end}; what is thrown here is
   * suppressed by what ended the run.
   *
   * @param region the region's name
   */
  void failed(String region);
}
