package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Andersen's four rules as a Datalog program, evaluated naively: a relation {@code points(v, t)} of
 * which every rule is applied to everything until nothing is new.
 */
final class Oracle {
  private Oracle() {}

  /** For each variable, which variables it points to, ascending. */
  static int[][] sets(ConstraintSet constraints) {
    int n = constraints.variables();
    boolean[][] points = new boolean[n][n];
    boolean news;
    do {
      news = false;
      for (Kind kind : Kind.values()) {
        for (int i = 0; i < constraints.count(kind); i++) {
          int d = constraints.destinations(kind)[i];
          int s = constraints.sources(kind)[i];
          for (int a = 0; a < n; a++) {
            switch (kind) {
              case ADDRESS_OF -> news |= holds(points, d, s); // points(D, S) :- addr(D, S).
              // points(D, A) :- copy(D, S), points(S, A).
              case COPY -> news |= points[s][a] && holds(points, d, a);
              // points(D, B) :- load(D, S), points(S, A), points(A, B).
              case LOAD -> news |= points[s][a] && all(points, d, a);
              // points(A, B) :- store(D, S), points(D, A), points(S, B).
              case STORE -> news |= points[d][a] && all(points, a, s);
            }
          }
        }
      }
    } while (news);
    int[][] sets = new int[n][];
    for (int v = 0; v < n; v++) {
      boolean[] row = points[v];
      sets[v] = IntStream.range(0, n).filter(t -> row[t]).toArray();
    }
    return sets;
  }

  private static boolean holds(boolean[][] points, int v, int target) {
    boolean news = !points[v][target];
    points[v][target] = true;
    return news;
  }

  private static boolean all(boolean[][] points, int to, int from) {
    boolean news = false;
    for (int target = 0; target < points.length; target++) {
      news |= points[from][target] && holds(points, to, target);
    }
    return news;
  }

  /** The sets of a result, in the same form. */
  static int[][] sets(PointsToResult result) {
    int[][] sets = new int[result.setOf().length][];
    Arrays.setAll(sets, result::pointsTo);
    return sets;
  }
}
