package io.magpie.algorithms.pointsto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks points-to sets against those of {@link PointsToReference}: there is one least solution.
 */
public final class PointsToVerifier {
  private static final int MOST_MISTAKES = 3;
  private static final int MOST_SHOWN = 8;

  private PointsToVerifier() {}

  /**
   * Checks a result; takes as long as {@link PointsToReference#run}.
   *
   * @return its mistakes, of the first few variables that have any; none if it is right
   */
  public static List<String> verify(PointsToResult result) {
    return compare(result, PointsToReference.run(result.constraints()));
  }

  /**
   * Compares a result with one that is known to be right.
   *
   * @param result of the same constraints
   * @param right what it should be
   * @return its mistakes, of the first few variables that have any; none if it is right
   */
  public static List<String> compare(PointsToResult result, PointsToResult right) {
    List<String> mistakes = new ArrayList<>();
    for (int v = 0; v < right.setOf().length && mistakes.size() < MOST_MISTAKES; v++) {
      int[] found = result.pointsTo(v);
      int[] expected = right.pointsTo(v);
      if (!Arrays.equals(found, expected)) {
        mistakes.add("variable " + v + " points to " + text(found) + ", not to " + text(expected));
      }
    }
    return mistakes;
  }

  private static String text(int[] set) {
    if (set.length <= MOST_SHOWN) {
      return Arrays.toString(set);
    }
    String some = Arrays.toString(Arrays.copyOf(set, MOST_SHOWN));
    return some.substring(0, some.length() - 1) + ", ... " + set.length + " in all]";
  }
}
