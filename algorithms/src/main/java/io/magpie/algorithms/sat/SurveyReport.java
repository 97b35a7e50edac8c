package io.magpie.algorithms.sat;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.RunReport;
import io.magpie.algorithms.internal.driver.PhaseLines;
import io.magpie.stm.RegionReport;
import java.util.List;
import java.util.Locale;

/**
 * What a run of survey propagation did, and how long it took.
 *
 * @param device what it ran on
 * @param options how
 * @param restarts how often the run began again
 * @param sweeps over all surveys, those before a restart included
 * @param decimations how often the most biased variables were decided, since the last restart
 * @param decided variables that these decided
 * @param propagated variables that unit propagation decided; 0 if it ended in a contradiction
 * @param flips of variables by the local search, those before a restart included; 0 if there was
 *     none
 * @param flipsOnHost of these those that the host made, one after the other
 * @param rounds of the local search, in which the others were made
 * @param steps what each step of the decimation found, since the last restart
 * @param phases the phases in the order of their first launch
 * @param transactions the reports of all transactions, one for each region; empty if there were
 *     none
 * @param solveMillis from the formula on the device to the values there, gaps between launches
 *     included
 * @param uploadMillis copying the formula to the device
 * @param hostMillis from the formula in Java's memory to the result there
 */
public record SurveyReport(
    String device,
    SurveyOptions options,
    int restarts,
    long sweeps,
    int decimations,
    int decided,
    int propagated,
    long flips,
    long flipsOnHost,
    long rounds,
    List<Step> steps,
    List<Phase> phases,
    List<RegionReport> transactions,
    double solveMillis,
    double uploadMillis,
    double hostMillis)
    implements RunReport {

  /**
   * Sweeps until the surveys of what is open converged, or until there were as many as allowed, and
   * what came of them.
   *
   * @param converged whether the surveys did
   * @param sweeps how many there were
   * @param bias the mean of |W+ - W-| over the variables of open clauses, 0 to 1; 0 where surveys
   *     that did not converge were left to the local search
   * @param openVariables variables without a value in open clauses, before anything is decided
   * @param openClauses clauses that no value satisfies, likewise
   */
  public record Step(
      boolean converged, int sweeps, double bias, int openVariables, int openClauses) {}

  /** Copies the lists. */
  public SurveyReport {
    steps = List.copyOf(steps);
    phases = List.copyOf(phases);
    transactions = List.copyOf(transactions);
  }

  /** A table, one line for each phase. */
  @Override
  public String toString() {
    return String.format(
            Locale.ROOT,
            "survey propagation on %s: %d decimations, %,d sweeps, %,d flips, solve %.3f ms, upload"
                + " %.3f ms, host to host %.3f ms%n",
            device,
            decimations,
            sweeps,
            flips,
            solveMillis,
            uploadMillis,
            hostMillis)
        + PhaseLines.of(phases);
  }
}
