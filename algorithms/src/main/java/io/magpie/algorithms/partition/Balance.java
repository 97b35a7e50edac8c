package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * What the parts of a graph may weigh.
 *
 * @param weight the weight W of all vertices; a vertex of a graph without vertex weights weighs 1
 * @param parts the number of parts k, at least 1
 * @param imbalance the share e by which a part may exceed what it is to have, 0 to 1
 * @param limit what a part may weigh: {@code floor((1 + e) ceil(W / k))}, with e as the decimal
 *     that it is printed as; where {@code limits} differ, the greatest of them
 * @param shares the shares s of W that the parts are to have
 * @param limits what each part may weigh where that differs: {@code floor((1 + e) ceil(s W))};
 *     empty where each may weigh {@code limit}
 */
public record Balance(
    long weight, int parts, double imbalance, long limit, PartShares shares, List<Long> limits) {

  /** Copies the list. */
  public Balance {
    limits = List.copyOf(limits);
  }

  /** Of parts that may all weigh the same. */
  public Balance(long weight, int parts, double imbalance, long limit) {
    this(weight, parts, imbalance, limit, PartShares.EVEN, List.of());
  }

  /** Of parts of those shares and limits, one for each part. */
  static Balance of(long weight, int parts, double imbalance, PartShares shares, long... limits) {
    long most = Arrays.stream(limits).max().orElseThrow();
    boolean same = Arrays.stream(limits).allMatch(limit -> limit == most);
    List<Long> each = same ? List.of() : Arrays.stream(limits).boxed().toList();
    return new Balance(weight, parts, imbalance, most, shares, each);
  }

  /**
   * The balance asked of a graph's parts. Cost: O(vertices), and that of sorting their weights if a
   * vertex weighs more than half of what a part may, or {@code ceil(vertices / parts)} vertices of
   * mean weight more than all of it.
   *
   * @param graph what is partitioned
   * @param parts the number of parts
   * @param imbalance how uneven they may be
   * @throws IllegalArgumentException if {@code parts} is less than 1 or {@code imbalance} not 0 to
   *     1
   * @throws ImpossibleBalanceException if there are more parts than vertices, if a vertex weighs
   *     more than a part may, if of {@code parts + 1} vertices no two fit in one part, or if not
   *     even the lightest {@code ceil(vertices / parts)} do, as many as some part must have. Where
   *     all weigh the same this is all there is; elsewhere the balance may be impossible still:
   *     that is bin packing
   */
  public static Balance of(Graph graph, int parts, double imbalance) {
    return of(graph, parts, imbalance, PartShares.EVEN);
  }

  /**
   * The balance asked of a graph's parts of given shares. Cost: O(vertices + parts), and where
   * limits of parts differ and vertices have weights that of sorting both.
   *
   * @param graph what is partitioned
   * @param parts the number of parts
   * @param imbalance how much they may exceed their shares
   * @param shares their shares
   * @throws IllegalArgumentException if {@code parts} is less than 1, {@code imbalance} not 0 to 1,
   *     or {@code shares} are for another number of parts
   * @throws ImpossibleBalanceException as {@link #of(Graph, int, double)}; where limits of parts
   *     differ, if a vertex weighs more than any part may, or if all parts together have no room
   *     for as many vertices as there are, or for {@code parts + 1} of them, were each of them
   *     filled by the lightest
   */
  public static Balance of(Graph graph, int parts, double imbalance, PartShares shares) {
    return of(graph.vertices(), graph.vertexWeights(), parts, imbalance, shares);
  }

  private static Balance of(
      int vertices, int[] weights, int parts, double imbalance, PartShares shares) {
    long sum = vertices;
    if (weights != null) {
      sum = 0;
      for (int w : weights) {
        sum += w; // below 2^62: less than 2^31 vertices of less than 2^31
      }
    }
    long limit = limit(sum, parts, imbalance);
    Balance balance =
        shares.even()
            ? new Balance(sum, parts, imbalance, limit)
            : of(sum, parts, imbalance, shares, limits(sum, parts, imbalance, shares));
    if (parts > Math.max(1, vertices)) {
      throw new ImpossibleBalanceException(
          String.format(
              Locale.ROOT,
              "%,d parts of a graph of %s: some would be empty; ask for at most %,d",
              parts,
              counted(vertices, "vertex", "vertices"),
              Math.max(1, vertices)));
    }
    if (weights != null && balance.limits.isEmpty()) {
      balance.requireRoom(weights);
    } else if (weights != null && vertices > 0) {
      balance.requireUnevenRoom(weights);
    }
    return balance;
  }

  /**
   * The balance asked of a graph's parts of given shares, with vertices that are fixed. Cost: that
   * without, and that of sorting the weights of the others.
   *
   * @param graph what is partitioned
   * @param parts the number of parts
   * @param imbalance how much they may exceed their shares
   * @param shares their shares
   * @param fixed vertices that stay in their parts
   * @throws IllegalArgumentException as without, or if {@code fixed} are not of such a graph
   * @throws ImpossibleBalanceException as without; if the vertices that are fixed to a part weigh
   *     more than it may, if another vertex weighs more than any part has room for, or if all parts
   *     together have no room for as many others as there are, were each of them filled by the
   *     lightest
   */
  public static Balance of(
      Graph graph, int parts, double imbalance, PartShares shares, FixedVertices fixed) {
    return of(graph.vertices(), graph.vertexWeights(), parts, imbalance, shares, fixed);
  }

  /** The same of vertices of these weights; null if all weigh 1. */
  static Balance of(
      int vertices,
      int[] weights,
      int parts,
      double imbalance,
      PartShares shares,
      FixedVertices fixed) {
    fixed.requireFor(vertices, parts);
    Balance balance = of(vertices, weights, parts, imbalance, shares);
    if (!fixed.none()) {
      balance.requireRoomBeside(fixed, vertices, weights);
    }
    return balance;
  }

  /**
   * What one part may weigh.
   *
   * @param part its number, from 0
   */
  public long limit(int part) {
    return limits.isEmpty() ? limit : limits.get(part);
  }

  // ---- Uneven parts as even ones: a part that may weigh less than another one has ballast for it.
  // Then all have one limit, and searches need not know of more. No part weighs more than all
  // vertices, so that limits are cut down to that.

  /** The ballast of each part; null where all parts may weigh the same. */
  long[] ballast() {
    if (limits.isEmpty()) {
      return null;
    }
    long most = limitWithBallast();
    return limits.stream().mapToLong(each -> most - Math.min(each, weight)).toArray();
  }

  /** What a part may weigh, its ballast included. */
  long limitWithBallast() {
    return limits.isEmpty() ? limit : Math.min(limit, weight);
  }

  /** What a part weighs if all weigh the same, their ballast included; rounded up. */
  long evenWithBallast() {
    BigInteger all = BigInteger.valueOf(weight);
    if (!limits.isEmpty()) {
      for (long each : ballast()) {
        all = all.add(BigInteger.valueOf(each));
      }
    }
    BigInteger[] even = all.divideAndRemainder(BigInteger.valueOf(parts));
    return even[0].longValueExact() + even[1].signum();
  }

  /**
   * What each part may weigh.
   *
   * @param weight the weight of all vertices, 0 or more
   * @param parts the number of parts, at least 1
   * @param imbalance 0 to 1
   * @param shares of {@code weight}
   */
  static long[] limits(long weight, int parts, double imbalance, PartShares shares) {
    long[] limits = shares.targets(weight, parts);
    Arrays.setAll(limits, p -> limitOf(limits[p], imbalance));
    return limits;
  }

  /**
   * What a part may weigh.
   *
   * @param weight the weight of all vertices, 0 or more
   * @param parts the number of parts, at least 1
   * @param imbalance 0 to 1
   * @return {@code floor((1 + imbalance) ceil(weight / parts))}
   * @throws IllegalArgumentException if an argument is out of its range, or the result 2^63 or more
   */
  public static long limit(long weight, int parts, double imbalance) {
    require(weight >= 0, "weight", weight, "at least 0");
    require(parts >= 1, "parts", parts, "at least 1");
    require(imbalance >= 0 && imbalance <= 1, "imbalance", imbalance, "in [0, 1]");
    return limitOf(weight / parts + (weight % parts == 0 ? 0 : 1), imbalance);
  }

  /** What a part may weigh that is to weigh so much. */
  private static long limitOf(long target, double imbalance) {
    // Not by doubles: 1.15 * 100 is less than 115.
    BigInteger limit =
        BigDecimal.valueOf(imbalance)
            .add(BigDecimal.ONE)
            .multiply(BigDecimal.valueOf(target))
            .toBigInteger();
    require(limit.bitLength() < Long.SIZE, "the limit of a part", limit, "below 2^63");
    return limit.longValue();
  }

  private static void require(boolean holds, String name, Object value, String range) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + range + ", got " + value);
    }
  }

  private void requireRoom(int[] weights) {
    int heaviest = 0;
    for (int v = 0; v < weights.length; v++) {
      if (weights[v] > weights[heaviest]) {
        heaviest = v;
      }
    }
    if (weights.length > 0 && weights[heaviest] > limit) {
      throw new ImpossibleBalanceException(
          heaviest,
          String.format(
              Locale.ROOT,
              "weighs %,d, but each of %,d parts may weigh at most %,d (%s of an even share of %,d);"
                  + " ask for at most %s%s",
              weights[heaviest],
              parts,
              limit,
              percent(),
              weight,
              counted(mostParts(weights[heaviest]), "part", "parts"),
              orImbalance(ascending(weights))));
    }
    if (weights.length > parts && (2L * weights[heaviest] > limit || !fitByTheMean(weights))) {
      int[] ascending = ascending(weights);
      requireRoomForPairs(ascending);
      requireRoomForAll(ascending);
    }
  }

  // ---- With vertices that are fixed.

  private void requireRoomBeside(FixedVertices fixed, int vertices, int... weights) {
    long[] taken = new long[parts];
    int[] free = new int[vertices - fixed.count()];
    int heaviest = -1;
    int next = 0;
    for (int v = 0; v < vertices; v++) {
      int w = weights == null ? 1 : weights[v];
      if (fixed.part(v) >= 0) {
        taken[fixed.part(v)] += w;
      } else {
        free[next++] = w;
        heaviest = heaviest < 0 || w > weightOf(heaviest, weights) ? v : heaviest;
      }
    }
    Arrays.sort(free);
    for (int p = 0; p < parts; p++) {
      if (taken[p] > limit(p)) {
        throw new ImpossibleBalanceException(
            String.format(
                Locale.ROOT,
                "the vertices that are fixed to part %d weigh %,d, but it may weigh at most %,d"
                    + " (%s of its share of %,d); fix fewer%s",
                p,
                taken[p],
                limit(p),
                percent(),
                weight,
                orImbalanceBeside(taken, free)));
      }
    }
    long[] room = roomBeside(taken);
    long most = Arrays.stream(room).max().orElseThrow();
    if (free.length > 0 && free[free.length - 1] > most) {
      throw new ImpossibleBalanceException(
          heaviest,
          String.format(
              Locale.ROOT,
              "weighs %,d, but with the vertices that are fixed no part has room for more than"
                  + " %,d (%s of its share of %,d); fix fewer%s",
              free[free.length - 1],
              most,
              percent(),
              weight,
              orImbalanceBeside(taken, free)));
    }
    long fit = roomForLightest(free, 0, room);
    if (fit < free.length) {
      throw new ImpossibleBalanceException(
          String.format(
              Locale.ROOT,
              "%,d vertices are free, but with those that are fixed %,d parts have room for at"
                  + " most %,d of them (%s of their shares of %,d); fix fewer%s",
              free.length,
              parts,
              fit,
              percent(),
              weight,
              orImbalanceBeside(taken, free)));
    }
  }

  private static int weightOf(int vertex, int... weights) {
    return weights == null ? 1 : weights[vertex];
  }

  private long[] roomBeside(long... taken) {
    return IntStream.range(0, parts).mapToLong(p -> limit(p) - taken[p]).toArray();
  }

  private boolean hasRoomBeside(long[] taken, int... free) {
    long[] room = roomBeside(taken);
    return Arrays.stream(room).allMatch(r -> r >= 0)
        && (free.length == 0 || Arrays.stream(room).max().orElseThrow() >= free[free.length - 1])
        && roomForLightest(free, 0, room) >= free.length;
  }

  private String orImbalanceBeside(long[] taken, int... free) {
    return orImbalance(wider -> wider.hasRoomBeside(taken, free));
  }

  // ---- Where limits differ.

  private void requireUnevenRoom(int... weights) {
    int[] ascending = ascending(weights);
    long most = ascending[ascending.length - 1];
    if (most > limit) {
      int heaviest = 0;
      while (weights[heaviest] < most) {
        heaviest++;
      }
      throw new ImpossibleBalanceException(
          heaviest,
          String.format(
              Locale.ROOT,
              "weighs %,d, but the part of most weight may weigh at most %,d (%s of its share of"
                  + " %,d); take other shares%s",
              most,
              limit,
              percent(),
              weight,
              orUnevenImbalance(ascending)));
    }
    for (int from : new int[] {0, Math.max(0, ascending.length - parts - 1)}) {
      long room = roomForLightest(ascending, from, roomBeside(new long[parts]));
      if (room < ascending.length - from) {
        throw new ImpossibleBalanceException(
            String.format(
                Locale.ROOT,
                "%,d vertices weigh at least %,d each, but %,d parts of these shares have room for"
                    + " at most %,d of them (%s of their shares of %,d); take other shares%s",
                ascending.length - from,
                ascending[from],
                parts,
                room,
                percent(),
                weight,
                orUnevenImbalance(ascending)));
      }
    }
  }

  /** How many vertices all rooms together hold, had each of them the lightest from one on. */
  private static long roomForLightest(int[] ascending, int from, long... rooms) {
    long[] sums = new long[ascending.length - from];
    long sum = 0;
    for (int i = 0; i < sums.length; i++) {
      sum += ascending[from + i];
      sums[i] = sum;
    }
    long all = 0;
    for (long room : rooms) {
      int low = 0;
      int high = sums.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (sums[middle] <= room) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      all += low;
    }
    return all;
  }

  private boolean hasUnevenRoom(int... ascending) {
    long[] room = roomBeside(new long[parts]);
    int from = Math.max(0, ascending.length - parts - 1);
    return ascending[ascending.length - 1] <= limit
        && roomForLightest(ascending, 0, room) >= ascending.length
        && roomForLightest(ascending, from, room) >= ascending.length - from;
  }

  private String orUnevenImbalance(int... ascending) {
    return orImbalance(wider -> wider.hasUnevenRoom(ascending));
  }

  /** As {@link #orImbalance(int...)}: the more imbalance, the more room there is. */
  private String orImbalance(Predicate<Balance> enough) {
    int low = 1;
    int high = 101;
    while (low < high) {
      int middle = (low + high) / 2;
      double share = BigDecimal.valueOf(middle, 2).doubleValue();
      long[] wider = limits(weight, parts, share, shares);
      if (enough.test(of(weight, parts, share, shares, wider))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low > 100
        ? "; no imbalance up to 1 would do"
        : " or ask for an imbalance of at least "
            + BigDecimal.valueOf(low, 2).stripTrailingZeros().toPlainString();
  }

  // ---- Where all parts may weigh the same.

  /**
   * Whether parts hold as many vertices as one must, were all of mean weight: the lightest are
   * lighter.
   */
  private boolean fitByTheMean(int... weights) {
    BigInteger crowd = BigInteger.valueOf(crowd(weights)).multiply(BigInteger.valueOf(weight));
    BigInteger room = BigInteger.valueOf(weights.length).multiply(BigInteger.valueOf(limit));
    return crowd.compareTo(room) <= 0;
  }

  /** So many vertices, or more, share a part, however they are parted. */
  private int crowd(int... weights) {
    return (int) ((weights.length + parts - 1L) / parts);
  }

  private static int[] ascending(int... weights) {
    int[] ascending = weights.clone();
    Arrays.sort(ascending);
    return ascending;
  }

  /** Of the k + 1 heaviest vertices two share a part: if the two lightest cannot, none can. */
  private void requireRoomForPairs(int... ascending) {
    long pair = lightestPair(ascending);
    if (pair > limit) {
      throw new ImpossibleBalanceException(
          String.format(
              Locale.ROOT,
              "%,d vertices weigh at least %,d each, so two of them must share one of %,d parts, but"
                  + " the lightest two weigh %,d and a part may weigh at most %,d (%s of an even"
                  + " share of %,d); ask for fewer parts%s",
              parts + 1,
              ascending[ascending.length - parts - 1],
              parts,
              pair,
              limit,
              percent(),
              weight,
              orImbalance(ascending)));
    }
  }

  /** Some part holds as many vertices as the mean, rounded up: if the lightest cannot, none can. */
  private void requireRoomForAll(int... ascending) {
    long crowd = lightestCrowd(ascending);
    if (crowd > limit) {
      throw new ImpossibleBalanceException(
          String.format(
              Locale.ROOT,
              "%,d of %,d vertices must share one of %,d parts, but the lightest %,d weigh %,d and a"
                  + " part may weigh at most %,d (%s of an even share of %,d); ask for other parts%s",
              crowd(ascending),
              ascending.length,
              parts,
              crowd(ascending),
              crowd,
              limit,
              percent(),
              weight,
              orImbalance(ascending)));
    }
  }

  /** The two lightest of the k + 1 heaviest vertices; 0 if there are no more than k. */
  private long lightestPair(int... ascending) {
    int first = ascending.length - parts - 1;
    return first < 0 ? 0 : (long) ascending[first] + ascending[first + 1];
  }

  private long lightestCrowd(int... ascending) {
    return Arrays.stream(ascending, 0, crowd(ascending)).asLongStream().sum();
  }

  private static String counted(int count, String one, String several) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : several);
  }

  /**
   * What remedies there are other than fewer parts: the least imbalance, in whole percent, that
   * none of the conditions here refuses; none where 1 would be too little.
   */
  private String orImbalance(int... ascending) {
    long heaviest = ascending[ascending.length - 1];
    long shared = Math.max(lightestPair(ascending), lightestCrowd(ascending));
    long needed = Math.max(heaviest, shared);
    for (int percent = 1; percent <= 100; percent++) {
      BigDecimal share = BigDecimal.valueOf(percent, 2);
      if (limit(weight, parts, share.doubleValue()) >= needed) {
        return " or for an imbalance of at least " + share.stripTrailingZeros().toPlainString();
      }
    }
    return "; no imbalance up to 1 would do";
  }

  private String percent() {
    return BigDecimal.valueOf(imbalance)
            .add(BigDecimal.ONE)
            .movePointRight(2)
            .stripTrailingZeros()
            .toPlainString()
        + " %";
  }

  /** The most parts of which each may weigh so much. */
  private int mostParts(long least) {
    int low = 1;
    int high = parts;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (limit(weight, middle, imbalance) >= least) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
