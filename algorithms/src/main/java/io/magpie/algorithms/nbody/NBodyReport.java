package io.magpie.algorithms.nbody;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.RunReport;
import io.magpie.algorithms.internal.driver.PhaseLines;
import io.magpie.stm.RegionReport;
import java.util.List;
import java.util.Locale;

/**
 * What a simulation did and how long it took.
 *
 * @param device where, such as {@code cpu}
 * @param options how
 * @param cells cells of the last tree
 * @param depths depths of the last tree that have cells
 * @param passes launches over bodies that insert them into trees, in all; 0 with {@link
 *     NBodyOptions.Tree#MORTON}
 * @param interactions bodies and cells that acted on a body, in all
 * @param before what is conserved, before the first step
 * @param after the same after the last one
 * @param phases the phases in the order of their first launch
 * @param transactions the report of the transactions of all steps together; empty if there were
 *     none
 * @param keysMillis device time of bounding cubes and keys
 * @param buildMillis device time of building trees
 * @param summaryMillis device time of summing up cells, and of sorting bodies by the tree
 * @param forceMillis device time of forces
 * @param moveMillis device time of moving bodies
 * @param uploadMillis copying bodies to the device
 * @param hostMillis from bodies in Java's memory to the result there: copies, allocations and all
 */
public record NBodyReport(
    String device,
    NBodyOptions options,
    int cells,
    int depths,
    int passes,
    long interactions,
    Conserved before,
    Conserved after,
    List<Phase> phases,
    List<RegionReport> transactions,
    double keysMillis,
    double buildMillis,
    double summaryMillis,
    double forceMillis,
    double moveMillis,
    double uploadMillis,
    double hostMillis)
    implements RunReport {

  /** Copies the lists. */
  public NBodyReport {
    phases = List.copyOf(phases);
    transactions = List.copyOf(transactions);
  }

  /** Device time of all steps. */
  @Override
  public double solveMillis() {
    return keysMillis + buildMillis + summaryMillis + forceMillis + moveMillis;
  }

  /** A table, one line for each phase. */
  @Override
  public String toString() {
    return String.format(
            Locale.ROOT,
            "n-body on %s: %d steps, %,d cells, energy drift %.3e, solve %.3f ms (keys %.3f, build"
                + " %.3f, summary %.3f, force %.3f, move %.3f), upload %.3f ms, host to host %.3f"
                + " ms%n",
            device,
            options.steps(),
            cells,
            after.energyDrift(before),
            solveMillis(),
            keysMillis,
            buildMillis,
            summaryMillis,
            forceMillis,
            moveMillis,
            uploadMillis,
            hostMillis)
        + PhaseLines.of(phases);
  }
}
