package io.magpie.algorithms.sat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks what was found for a formula, by the formula alone: whether an assignment satisfies it,
 * and whether what is said to be left of it is what the values leave.
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
   * Whether a result is what it says. Solved: the values satisfy the formula, and those that were
   * decided are among them. Else, unless it is a contradiction: no clause is false by the values
   * that were decided, and the rest is what they leave, without a clause of one literal. A
   * contradiction before anything was decided: unit propagation alone ends in one, too.
   *
   * @return what is wrong, in sentences; empty if nothing is
   */
  public static List<String> verify(SurveyResult result) {
    Formula formula = result.formula();
    List<String> mistakes = new ArrayList<>();
    byte[] decided = result.decided();
    mistakes.addAll(checkValues(decided));
    if (result.outcome() == SurveyResult.Outcome.CONTRADICTION) {
      if (result.unsatisfiable() && propagates(formula)) {
        mistakes.add("unit propagation meets no contradiction, but is said to");
      }
      return mistakes;
    }
    if (result.outcome() == SurveyResult.Outcome.SOLVED) {
      byte[] values = result.assignment().orElseThrow();
      mistakes.addAll(verify(formula, values));
      for (int v = 0; v < decided.length; v++) {
        if (decided[v] != 0 && decided[v] != values[v]) {
          mistakes.add("variable " + (v + 1) + " was decided and has another value in the end");
          break;
        }
      }
    }
    Formula rest = result.rest();
    int next = 0;
    for (int a = 0; a < formula.clauses(); a++) {
      int[] clause = formula.clause(a);
      if (Arrays.stream(clause).anyMatch(literal -> isTrue(literal, decided))) {
        continue;
      }
      int[] open = Arrays.stream(clause).filter(x -> decided[Math.abs(x) - 1] == 0).toArray();
      if (open.length == 0) {
        mistakes.add("clause " + (a + 1) + " is false by the decided values");
        return mistakes;
      }
      if (next == rest.clauses() || !Arrays.equals(open, rest.clause(next++))) {
        mistakes.add("the rest has not what is left of clause " + (a + 1));
        return mistakes;
      }
      if (Arrays.stream(open).distinct().count() == 1) {
        mistakes.add(
            "unit propagation has missed clause " + (a + 1) + ", " + Arrays.toString(open));
        return mistakes;
      }
    }
    if (next < rest.clauses()) {
      mistakes.add("the rest has more clauses than are left");
    }
    return mistakes;
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

  /** Whether unit propagation, by passes over all clauses, ends without an empty clause. */
  private static boolean propagates(Formula formula) {
    byte[] values = new byte[formula.variables()];
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int a = 0; a < formula.clauses(); a++) {
        int[] clause = formula.clause(a);
        if (Arrays.stream(clause).anyMatch(literal -> isTrue(literal, values))) {
          continue;
        }
        int[] open =
            Arrays.stream(clause).filter(x -> values[Math.abs(x) - 1] == 0).distinct().toArray();
        if (open.length == 0) {
          return false;
        }
        if (open.length == 1) {
          values[Math.abs(open[0]) - 1] = (byte) Integer.signum(open[0]);
          changed = true;
        }
      }
    }
    return true;
  }
}
