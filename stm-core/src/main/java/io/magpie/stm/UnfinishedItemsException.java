package io.magpie.stm;

/** A region's run ended with unfinished items although its caller requires all of them. */
public final class UnfinishedItemsException extends MagpieException {
  private static final long serialVersionUID = 1L;

  private final transient RegionReport report;

  UnfinishedItemsException(RegionReport report) {
    super(
        "region "
            + report.region()
            + ": "
            + report.unfinished()
            + " of "
            + report.items()
            + " items are unfinished ("
            + report.unfinishedReason()
            + ")");
    this.report = report;
  }

  /** The run's report. */
  public RegionReport report() {
    return report;
  }
}
