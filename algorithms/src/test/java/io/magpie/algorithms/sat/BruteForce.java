package io.magpie.algorithms.sat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All solutions of small formulas, by trying all assignments. */
final class BruteForce {
  private BruteForce() {}

  /** Every satisfying assignment, bit v of each being variable v. */
  static List<Integer> solutions(Formula formula) {
    List<Integer> solutions = new ArrayList<>();
    for (int bits = 0; bits < 1 << formula.variables(); bits++) {
      boolean right = true;
      for (int a = 0; a < formula.clauses() && right; a++) {
        int assignment = bits;
        right =
            Arrays.stream(formula.clause(a))
                .anyMatch(l -> (assignment >> (Math.abs(l) - 1) & 1) == (l > 0 ? 1 : 0));
      }
      if (right) {
        solutions.add(bits);
      }
    }
    return solutions;
  }
}
