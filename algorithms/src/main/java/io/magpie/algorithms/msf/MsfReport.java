package io.magpie.algorithms.msf;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.RunReport;
import io.magpie.algorithms.internal.driver.PhaseLines;
import io.magpie.stm.RegionReport;
import java.util.List;
import java.util.Locale;

/**
 * What a computation of a minimum spanning forest did, and how long it took.
 *
 * @param device what it ran on
 * @param options how
 * @param rounds rounds of discovery and merge
 * @param phases the phases in the order of their first launch
 * @param transactions the reports of the merging transactions, one for each round; empty if there
 *     were none
 * @param solveMillis device time from the graph on the device to the chosen edges on the device,
 *     gaps between launches included; of the edge-centric form without making the working arrays
 *     that it always needs, and without the sample of weights by which edges are light
 * @param resultMillis device time of what follows: canonical arcs, weight, labels
 * @param uploadMillis copying the graph to the device
 * @param hostMillis from the graph in Java's memory to the result there: copies, allocations and
 *     all; without the upload if the graph was on the device already. The chosen edges are there as
 *     a bit for each arc, which {@link MsfResult#arcs} lists when it is first called
 */
public record MsfReport(
    String device,
    MsfOptions options,
    int rounds,
    List<Phase> phases,
    List<RegionReport> transactions,
    double solveMillis,
    double resultMillis,
    double uploadMillis,
    double hostMillis)
    implements RunReport {

  /** Copies the lists. */
  public MsfReport {
    phases = List.copyOf(phases);
    transactions = List.copyOf(transactions);
  }

  /** A table, one line for each phase. */
  @Override
  public String toString() {
    return String.format(
            Locale.ROOT,
            "minimum spanning forest on %s: %d rounds, solve %.3f ms, result %.3f ms, upload %.3f"
                + " ms, host to host %.3f ms%n",
            device,
            rounds,
            solveMillis,
            resultMillis,
            uploadMillis,
            hostMillis)
        + PhaseLines.of(phases);
  }
}
