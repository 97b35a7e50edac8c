package io.magpie.stm;

import java.util.Locale;

/**
 * A region's run ended with items that are unfinished, or in rounds wait, although its caller
 * requires all of them.
 */
public final class UnfinishedItemsException extends MagpieException {
  private static final long serialVersionUID = 1L;

  private final transient RegionReport report;

  UnfinishedItemsException(RegionReport report) {
    super(
        String.format(
            Locale.ROOT,
            "region %s: %,d of %,d items are unfinished (%s)",
            report.region(),
            report.unfinished(),
            report.items(),
            report.unfinishedReason()));
    this.report = report;
  }

  /**
   * @param lastRound the last round's report
   * @param waiting items that wait after it
   */
  UnfinishedItemsException(RegionReport lastRound, int rounds, long waiting, String reason) {
    super(
        String.format(
            Locale.ROOT,
            "region %s: %,d %s after %,d %s: %s",
            lastRound.region(),
            waiting,
            waiting == 1 ? "item waits" : "items wait",
            rounds,
            rounds == 1 ? "round" : "rounds",
            reason));
    this.report = lastRound;
  }

  /**
   * The run's report; of a run in rounds, that of the first round which left items unfinished, or
   * of the last round if items only wait.
   */
  public RegionReport report() {
    return report;
  }
}
