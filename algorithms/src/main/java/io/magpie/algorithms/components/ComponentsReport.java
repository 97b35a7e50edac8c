package io.magpie.algorithms.components;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.RunReport;
import io.magpie.algorithms.internal.driver.PhaseLines;
import io.magpie.stm.RegionReport;
import java.util.List;
import java.util.Locale;

/**
 * What a search for connected components did, and how long it took.
 *
 * @param device what it ran on
 * @param options how
 * @param rounds rounds of hooking, each with the flattening behind it
 * @param phases the phases in the order of their first launch
 * @param transactions the reports of the uniting transactions, one for each launch; empty if there
 *     were none
 * @param solveMillis device time from the graph on the device to flat trees on the device, gaps
 *     between launches included. In it are the first values of all arrays and, for {@link
 *     ComponentsOptions.Form#ATOMIC_FREE}, counting and listing the edges. Not in it is allocating
 *     the working arrays of any form, but for a list of {@link
 *     ComponentsOptions.Form#TRANSACTIONAL} that has to grow, and for what transactions need
 *     besides, which a device allocates once and keeps
 * @param uploadMillis copying the graph to the device
 * @param hostMillis from the graph in Java's memory to the result there: copies, allocations and
 *     all; without the upload if the graph was on the device already
 */
public record ComponentsReport(
    String device,
    ComponentsOptions options,
    int rounds,
    List<Phase> phases,
    List<RegionReport> transactions,
    double solveMillis,
    double uploadMillis,
    double hostMillis)
    implements RunReport {

  /** Copies the lists. */
  public ComponentsReport {
    phases = List.copyOf(phases);
    transactions = List.copyOf(transactions);
  }

  /** A table, one line for each phase. */
  @Override
  public String toString() {
    return String.format(
            Locale.ROOT,
            "connected components on %s: %d rounds, solve %.3f ms, upload %.3f ms, host to host"
                + " %.3f ms%n",
            device,
            rounds,
            solveMillis,
            uploadMillis,
            hostMillis)
        + PhaseLines.of(phases);
  }
}
