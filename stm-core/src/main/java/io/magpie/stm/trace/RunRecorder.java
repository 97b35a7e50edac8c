package io.magpie.stm.trace;

import io.magpie.stm.Device;

/**
 * Records the regions that an algorithm runs on its own; see {@link Device#setRunRecorder}. Is told
 * of each run, and of each round of a run in rounds, before and after it, while nothing runs. It
 * may use the device; other threads' calls wait meanwhile.
 */
public interface RunRecorder {
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
