package io.magpie.algorithms.sat;

import java.util.List;
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
     * The values that were decided contradict each other by way of unit propagation, or surveys
     * that converged say that a variable can be neither true nor false. The formula may be
     * satisfiable nevertheless, unless {@link #unsatisfiable}.
     */
    CONTRADICTION,
    /**
     * The surveys of what is left went on changing for as many sweeps as were allowed, and where
     * they were to decide nevertheless, say that a variable can be neither true nor false; and the
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
  private final List<int[]> choices;
  private final boolean conflict;
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
   * @param choices the literals that each decimation made true, as DIMACS writes them
   * @param conflict whether unit propagation ended in a contradiction
   * @param report how it was computed, or null
   */
  SurveyResult(
      Formula formula,
      Outcome outcome,
      byte[] decided,
      byte[] assignment,
      List<int[]> choices,
      boolean conflict,
      SurveyReport report) {
    this.formula = Objects.requireNonNull(formula, "formula");
    this.outcome = Objects.requireNonNull(outcome, "outcome");
    this.decided = Objects.requireNonNull(decided, "decided");
    this.assignment = assignment;
    this.choices = List.copyOf(choices);
    this.conflict = conflict;
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
    return conflict && choices.isEmpty();
  }

  /**
   * For each variable 1 if decimation or unit propagation made it true, -1 if false, 0 if neither;
   * not a copy. After a {@link #conflict} no value is kept, as they contradict each other: all are
   * 0, and the rest is the formula itself.
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
    return choices.size();
  }

  /**
   * The literals that each decimation made true, in order, as {@link Formula#clause} writes them,
   * without what follows from them by unit propagation; not copies.
   */
  public List<int[]> choices() {
    return choices;
  }

  /**
   * Whether unit propagation of what was {@linkplain #choices chosen} ended in a contradiction. One
   * without it is what surveys say, that a variable can be neither true nor false, which proves
   * nothing.
   */
  public boolean conflict() {
    return conflict;
  }

  /** How it was computed; empty for the sequential reference. */
  public Optional<SurveyReport> report() {
    return Optional.ofNullable(report);
  }

  @Override
  public String toString() {
    return "SurveyResult[" + outcome + ", " + formula + ", decimations=" + decimations() + "]";
  }
}
