package io.magpie.algorithms.partition.internal.initial;

import java.util.Arrays;

/**
 * What parts are to weigh and may weigh. A part that may weigh less than another one has ballast
 * for it, so that all have one limit.
 */
public final class PartBounds {
  final int parts;

  /** What a part may weigh, its ballast included. */
  final long limit;

  private final long[] ballast; // null for none
  private final long[] targets; // prefix sums; null where all are the same
  private final long[] limits; // the same, ballast not included

  private PartBounds(int parts, long limit, long[] ballast, long[] targets, long[] limits) {
    this.parts = parts;
    this.limit = limit;
    this.ballast = ballast;
    this.targets = targets;
    this.limits = limits;
  }

  /**
   * Parts that are all to weigh the same.
   *
   * @param parts how many, at least 1
   * @param limit what each may weigh
   */
  public static PartBounds even(int parts, long limit) {
    return new PartBounds(parts, limit, null, null, null);
  }

  /**
   * Parts of different weights.
   *
   * @param targets what each is to weigh, not all 0; together times the weight of the graph below
   *     2^63
   * @param limit what each may weigh, its ballast included
   * @param ballast of each; not copied
   */
  public static PartBounds uneven(long[] targets, long limit, long[] ballast) {
    long[] limits = Arrays.stream(ballast).map(each -> limit - each).toArray();
    return new PartBounds(targets.length, limit, ballast, sums(targets), sums(limits));
  }

  private static long[] sums(long... numbers) {
    long[] sums = new long[numbers.length + 1];
    for (int i = 0; i < numbers.length; i++) {
      sums[i + 1] = sums[i] + numbers[i];
    }
    return sums;
  }

  /** What the parts weigh before they have vertices, an array of one's own. */
  long[] loads() {
    return ballast == null ? new long[parts] : ballast.clone();
  }

  /** What some parts are to weigh together, in a unit that is the same for all. */
  long target(int first, int count) {
    return targets == null ? count : targets[first + count] - targets[first];
  }

  /** What some parts may weigh together, without their ballast. */
  long limit(int first, int count) {
    return limits == null ? count * limit : limits[first + count] - limits[first];
  }
}
