package io.magpie.algorithms.paths;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.RunReport;
import io.magpie.algorithms.internal.driver.PhaseLines;
import io.magpie.stm.RegionReport;
import java.util.List;
import java.util.Locale;

/**
 * What a computation of shortest paths did, and how long it took.
 *
 * @param device what it ran on
 * @param options how
 * @param rounds rounds of relaxation; of a breadth-first search by levels as many as levels
 * @param pulled of these, rounds in which vertices looked along the arcs that enter them
 * @param relaxations how often a distance fell, the source's own not counted; where plain stores
 *     undo each other, all of them
 * @param arcs arcs of the vertices that pushed, in all rounds; arcs that were pulled along are not
 *     counted where a vertex stops at the first that will do
 * @param delta how wide ranges of distances were, or a step of the threshold, where there was an
 *     order, a whole number unless weights are floats; else 0
 * @param localRounds for how many rounds warps might go on by themselves, where a search was long
 *     enough and its graph had no hubs; else 0
 * @param degreeBound the most arcs of a node, or of a vertex in the first of two launches, where
 *     that was bounded; else 0
 * @param extraNodes nodes beyond vertices, where those of more arcs were split: the sum of their
 *     ceil(degree / bound) - 1; else 0
 * @param phases the phases in the order of their first launch
 * @param transactions the report of the transactions of all rounds together; empty if there were
 *     none
 * @param prepareMillis device time of choosing the degree bound and splitting vertices; 0 if there
 *     was nothing to do
 * @param solveMillis device time from the graph on the device to the distances there, gaps between
 *     launches included
 * @param resultMillis device time of what follows: predecessors, if they are found afterwards
 * @param uploadMillis copying the graph to the device, and turning it around where that is needed
 * @param hostMillis from the graph in Java's memory to the result there: copies, allocations and
 *     all; without the upload if the graph was on the device already
 */
public record PathsReport(
    String device,
    PathsOptions options,
    int rounds,
    int pulled,
    long relaxations,
    long arcs,
    double delta,
    int localRounds,
    int degreeBound,
    int extraNodes,
    List<Phase> phases,
    List<RegionReport> transactions,
    double prepareMillis,
    double solveMillis,
    double resultMillis,
    double uploadMillis,
    double hostMillis)
    implements RunReport {

  /** Copies the lists. */
  public PathsReport {
    phases = List.copyOf(phases);
    transactions = List.copyOf(transactions);
  }

  /** A table, one line for each phase. */
  @Override
  public String toString() {
    return String.format(
            Locale.ROOT,
            "shortest paths on %s: %d rounds, %,d relaxations, prepare %.3f ms, solve %.3f ms,"
                + " result %.3f ms, upload %.3f ms, host to host %.3f ms%n",
            device,
            rounds,
            relaxations,
            prepareMillis,
            solveMillis,
            resultMillis,
            uploadMillis,
            hostMillis)
        + PhaseLines.of(phases);
  }
}
