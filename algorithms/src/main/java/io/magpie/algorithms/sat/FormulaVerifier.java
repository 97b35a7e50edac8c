package io.magpie.algorithms.sat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Checks what was found for a formula, by the formula and the literals that were chosen: whether an
 * assignment satisfies it, whether what was decided is what unit propagation gives, and whether
 * what is said to be left is what the values leave.
 */
public final class FormulaVerifier {
  private FormulaVerifier() {}

  /**
   * Whether every clause has a literal that is true.
   *
   * @param values for each variable 1 if it is true, -1 if it is false, 0 if it is neither
   * @return what is wrong, in sentences; empty if nothing is
   * @throws IllegalArgumentException if there are not as many values as variables
   */
  public static List<String> verify(Formula formula, byte[] values) {
    formula.requireLength(values);
    List<String> mistakes = new ArrayList<>(checkValues(values));
    int unsatisfied = 0;
    int first = -1;
    for (int a = 0; a < formula.clauses(); a++) {
      if (Arrays.stream(formula.clause(a)).noneMatch(literal -> isTrue(literal, values))) {
        unsatisfied++;
        first = first < 0 ? a : first;
      }
    }
    if (unsatisfied > 0) {
      mistakes.add(
          unsatisfied
              + " of "
              + formula.clauses()
              + " clauses are not satisfied, the first of them clause "
              + (first + 1)
              + ", "
              + Arrays.toString(formula.clause(first)));
    }
    return mistakes;
  }

  /**
   * Whether a result is what it says, by the formula and the {@linkplain SurveyResult#choices
   * chosen} literals alone. Unit propagation is done anew from these. Where it ends in a
   * contradiction, the result says so; else the decided values are those that it gives, and the
   * rest is what they leave; something is left unless it is solved. Solved: the values satisfy the
   * formula, and those that were decided are among them. What surveys say is not checked.
   *
   * <p>Takes time in O(variables + literals).
   *
   * @return what is wrong, in sentences; empty if nothing is
   */
  public static List<String> verify(SurveyResult result) {
    List<String> mistakes = new ArrayList<>(checkValues(result.decided()));
    checkDecisions(result).ifPresent(mistakes::add);
    if (result.outcome() == SurveyResult.Outcome.SOLVED) {
      mistakes.addAll(checkSolution(result));
    }
    checkRest(result).ifPresent(mistakes::add);
    return mistakes;
  }

  private static Optional<String> checkDecisions(SurveyResult result) {
    UnitClosure closure = new UnitClosure(result.formula());
    int decimation = 0;
    for (int[] choice : result.choices()) {
      decimation++;
      if (!closure.consistent) {
        return Optional.of("decimation " + decimation + " comes after a contradiction");
      }
      for (int signed : choice) {
        if (!closure.isOpen(signed)) {
          return Optional.of(
              "decimation " + decimation + " chose " + signed + ", which has a value already");
        }
        closure.makeTrue(signed > 0 ? 2 * (signed - 1) : -2 * signed - 1);
      }
      closure.propagate();
    }
    if (closure.consistent == result.conflict()) {
      return Optional.of(
          closure.consistent
              ? "unit propagation meets no contradiction, but is said to"
              : "unit propagation meets a contradiction, but is not said to");
    }
    if (result.conflict() && result.outcome() != SurveyResult.Outcome.CONTRADICTION) {
      return Optional.of("the outcome of a contradiction is " + result.outcome());
    }
    byte[] expected = closure.consistent ? closure.values : new byte[closure.values.length];
    int wrong = Arrays.mismatch(expected, result.decided());
    return wrong < 0
        ? Optional.empty()
        : Optional.of(
            "variable "
                + (wrong + 1)
                + " has the value "
                + result.decided()[wrong]
                + ", but "
                + expected[wrong]
                + " by the chosen literals and unit propagation");
  }

  private static List<String> checkSolution(SurveyResult result) {
    byte[] values = result.assignment().orElseThrow();
    List<String> mistakes = verify(result.formula(), values);
    byte[] decided = result.decided();
    for (int v = 0; v < decided.length; v++) {
      if (decided[v] != 0 && decided[v] != values[v]) {
        mistakes.add("variable " + (v + 1) + " was decided and has another value in the end");
        break;
      }
    }
    return mistakes;
  }

  private static Optional<String> checkRest(SurveyResult result) {
    Formula formula = result.formula();
    byte[] decided = result.decided();
    Formula rest = result.rest();
    int next = 0;
    for (int a = 0; a < formula.clauses(); a++) {
      int[] clause = formula.clause(a);
      if (Arrays.stream(clause).anyMatch(literal -> isTrue(literal, decided))) {
        continue;
      }
      int[] open = Arrays.stream(clause).filter(x -> decided[Math.abs(x) - 1] == 0).toArray();
      if (next == rest.clauses() || !Arrays.equals(open, rest.clause(next++))) {
        return Optional.of("the rest has not what is left of clause " + (a + 1));
      }
    }
    if (next < rest.clauses()) {
      return Optional.of("the rest has more clauses than are left");
    }
    return result.outcome() != SurveyResult.Outcome.SOLVED && rest.simplified().clauses() == 0
        ? Optional.of("no clause is left, but the outcome is " + result.outcome())
        : Optional.empty();
  }

  private static List<String> checkValues(byte[] values) {
    for (int v = 0; v < values.length; v++) {
      if (values[v] < -1 || values[v] > 1) {
        return List.of("variable " + (v + 1) + " has the value " + values[v]);
      }
    }
    return List.of();
  }

  private static boolean isTrue(int signed, byte[] values) {
    return values[Math.abs(signed) - 1] == (signed > 0 ? 1 : -1);
  }

  /** Values with all that follows from them by unit propagation. */
  private static final class UnitClosure {
    final byte[] values;
    boolean consistent = true;
    private final int[][] clauses; // each literal of a clause once
    private final int[][] places; // of each literal the clauses that have it
    private final int[] left; // of each clause the literals that were not yet found to be false
    private final int[] queue; // the literals that are true
    private int end;
    private int done; // of the queue

    /** What follows from nothing: from clauses of one literal, however often they have it. */
    UnitClosure(Formula formula) {
      values = new byte[formula.variables()];
      queue = new int[formula.variables()];
      clauses = new int[formula.clauses()][];
      left = new int[clauses.length];
      int[] seen = new int[2 * values.length]; // by which clause, from 1
      int[] counts = new int[seen.length];
      for (int a = 0; a < clauses.length; a++) {
        int[] distinct = new int[formula.offsets()[a + 1] - formula.offsets()[a]];
        for (int e = formula.offsets()[a]; e < formula.offsets()[a + 1]; e++) {
          int literal = formula.literals()[e];
          if (seen[literal] != a + 1) {
            seen[literal] = a + 1;
            counts[literal]++;
            distinct[left[a]++] = literal;
          }
        }
        clauses[a] = Arrays.copyOf(distinct, left[a]);
      }
      places = new int[seen.length][];
      Arrays.setAll(places, literal -> new int[counts[literal]]);
      for (int a = 0; a < clauses.length; a++) {
        for (int literal : clauses[a]) {
          places[literal][--counts[literal]] = a;
        }
      }
      for (int a = 0; a < clauses.length; a++) {
        consistent &= left[a] > 0;
        if (left[a] == 1) {
          makeTrue(clauses[a][0]);
        }
      }
      propagate();
    }

    /** Whether a literal as DIMACS writes it is of a variable that has no value. */
    boolean isOpen(int signed) {
      int v = Math.abs(signed) - 1;
      return v >= 0 && v < values.length && values[v] == 0;
    }

    void makeTrue(int literal) {
      byte value = (byte) ((literal & 1) == 0 ? 1 : -1);
      int v = literal >>> 1;
      if (values[v] == 0) {
        values[v] = value;
        queue[end++] = literal;
      }
      consistent &= values[v] == value;
    }

    /** Looks at each clause of each new false literal, and through a clause once. */
    void propagate() {
      while (consistent && done < end) {
        for (int a : places[queue[done++] ^ 1]) {
          left[a]--;
          consistent &= left[a] > 0;
          if (left[a] == 1) {
            follow(a);
          }
        }
      }
    }

    private void follow(int clause) {
      for (int literal : clauses[clause]) {
        if (values[literal >>> 1] != ((literal & 1) == 0 ? -1 : 1)) {
          makeTrue(literal);
          return;
        }
      }
    }
  }
}
