package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.RunReport;
import io.magpie.algorithms.internal.driver.PhaseLines;
import io.magpie.stm.RegionReport;
import java.util.List;
import java.util.Locale;

/**
 * What a points-to analysis did, and how long it took.
 *
 * @param device what it ran on
 * @param options how
 * @param chosen the same with what {@code auto} stood for
 * @param rounds rounds of dereferencing and propagation, the last of which changed nothing
 * @param edges edges between nodes in the end; with cycles collapsed, some may be there twice or
 *     lie within a merged node, as such edges are dropped only after many merges
 * @param collapsed nodes for which another one stands in the end
 * @param searches searches where new edges may have closed cycles, none or several in a look
 * @param looksGivenUp looks for cycles that ended at a bound, so that cycles may have been left
 * @param growths how often the arrays of edges were made longer
 * @param phases the phases in the order of their first launch
 * @param transactions the report of the transactions that collapse cycles; empty if there were none
 * @param solveMillis device time from the constraints on the device to sets on the device, gaps
 *     between launches included
 * @param uploadMillis copying the constraints to the device
 * @param hostMillis from the constraints in Java's memory to the result there: copies, allocations
 *     and all
 */
public record PointsToReport(
    String device,
    PointsToOptions options,
    PointsToOptions chosen,
    int rounds,
    long edges,
    int collapsed,
    long searches,
    long looksGivenUp,
    int growths,
    List<Phase> phases,
    List<RegionReport> transactions,
    double solveMillis,
    double uploadMillis,
    double hostMillis)
    implements RunReport {

  /** Copies the lists. */
  public PointsToReport {
    phases = List.copyOf(phases);
    transactions = List.copyOf(transactions);
  }

  /** A table, one line for each phase. */
  @Override
  public String toString() {
    return String.format(
            Locale.ROOT,
            "points-to analysis on %s: %d rounds, %,d edges, %,d nodes collapsed, solve %.3f ms,"
                + " upload %.3f ms, host to host %.3f ms%n",
            device,
            rounds,
            edges,
            collapsed,
            solveMillis,
            uploadMillis,
            hostMillis)
        + PhaseLines.of(phases);
  }
}
