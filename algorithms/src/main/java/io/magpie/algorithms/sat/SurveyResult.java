package io.magpie.algorithms.sat;

import java.util.Objects;
import java.util.Optional;

/**
 * What survey propagation found out about a formula: how it ended, the values that it decided, what
 * they leave of the formula, and if it was solved, a satisfying assignment.
 */
public final class SurveyResult {
  /** How it ended. */
  public enum Outcome {
    /** All clauses are satisfied. */
    SOLVED,
    /**
     * The values that were decided contradict each other by way of unit propagation, or surveys say
     * that a variable can be neither true nor false. The formula may be satisfiable nevertheless,
     * unless {@link #unsatisfiable}.
     */
    CONTRADICTION,
    /**
     * The surveys of what is left went on changing for as many sweeps as were allowed, and the
     * local search did not solve it within its bound.
     */
    UNCONVERGED,
    /** Surveys say nothing about what is left, and the local search did not solve it, likewise. */
    PARAMAGNETIC
  }

  private final Formula formula;
  private final Outcome outcome;
  private final byte[] decided;
  private final byte[] assignment;
  private final int decimations;
  private final boolean unsatisfiable;
  private final SurveyReport report;
  private Formula rest; // made when first asked for

  /**
   * A result, not checked; see {@link FormulaVerifier}.
   *
   * @param formula of which
   * @param outcome how it ended
   * @param decided for each variable the value that decimation and unit propagation gave it, or 0;
   *     not copied
   * @param assignment the satisfying assignment, not copied; null unless solved
   * @param decimations how often variables were decided
   * @param unsatisfiable whether unit propagation alone ended in a contradiction
   * @param report how it was computed, or null
   */
  SurveyResult(
      Formula formula,
      Outcome outcome,
      byte[] decided,
      byte[] assignment,
      int decimations,
      boolean unsatisfiable,
      SurveyReport report) {
    this.formula = Objects.requireNonNull(formula, "formula");
    this.outcome = Objects.requireNonNull(outcome, "outcome");
    this.decided = Objects.requireNonNull(decided, "decided");
    this.assignment = assignment;
    this.decimations = decimations;
    this.unsatisfiable = unsatisfiable;
    this.report = report;
  }

  /** The formula, as it was given. */
  public Formula formula() {
    return formula;
  }

  /** How it ended. */
  public Outcome outcome() {
    return outcome;
  }

  /** Whether the formula was shown to have no solution, by unit propagation alone. */
  public boolean unsatisfiable() {
    return unsatisfiable;
  }

  /**
   * For each variable 1 if decimation or unit propagation made it true, -1 if false, 0 if neither;
   * not a copy. After a contradiction the values of the time when it was noticed, of which some
   * contradict each other, and which may differ between runs.
   */
  public byte[] decided() {
    return decided;
  }

  /**
   * For each variable 1 if it is true, -1 if it is false; not a copy. Empty unless {@link
   * Outcome#SOLVED}.
   */
  public Optional<byte[]> assignment() {
    return Optional.ofNullable(assignment);
  }

  /**
   * What the {@linkplain #decided decided} values leave of the formula, variables numbered as
   * there; made when first asked for.
   */
  public synchronized Formula rest() {
    if (rest == null) {
      rest = formula.given(decided);
    }
    return rest;
  }

  /** How often the most biased variables were decided. */
  public int decimations() {
    return decimations;
  }

  /** How it was computed; empty for the sequential reference. */
  public Optional<SurveyReport> report() {
    return Optional.ofNullable(report);
  }

  @Override
  public String toString() {
    return "SurveyResult[" + outcome + ", " + formula + ", decimations=" + decimations + "]";
  }
}
