package io.magpie.stm;

import java.util.List;

/**
 * Records the regions that an algorithm runs on its own; see {@link Device#setRunRecorder}. Is told
 * of each run, and of each round of a run in rounds, before and after it, while nothing runs. It
 * may use the device; other threads' calls wait meanwhile.
 */
public interface RunRecorder {
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
   * A run is about to begin; its arguments fit. What is thrown here ends it.
   *
   * @param region the region's name
   * @return where to record the run: a recording of the same device; null = nowhere
   */
  Recording begin(String region);

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
