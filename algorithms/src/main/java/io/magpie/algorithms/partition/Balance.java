package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;

/**
 * What the parts of a graph may weigh.
 *
 * @param weight the weight W of all vertices; a vertex of a graph without vertex weights weighs 1
 * @param parts the number of parts k, at least 1
 * @param imbalance the share e by which a part may exceed the even one, 0 to 1
 * @param limit what a part may weigh: {@code floor((1 + e) ceil(W / k))}, with e as the decimal
 *     that it is printed as
 */
public record Balance(long weight, int parts, double imbalance, long limit) {

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
    int vertices = graph.vertices();
    int[] weights = graph.vertexWeights();
    long sum = vertices;
    if (weights != null) {
      sum = 0;
      for (int w : weights) {
        sum += w; // below 2^62: less than 2^31 vertices of less than 2^31
      }
    }
    Balance balance = new Balance(sum, parts, imbalance, limit(sum, parts, imbalance));
    if (parts > Math.max(1, vertices)) {
      throw new ImpossibleBalanceException(
          String.format(
              Locale.ROOT,
              "%,d parts of a graph of %s: some would be empty; ask for at most %,d",
              parts,
              counted(vertices, "vertex", "vertices"),
              Math.max(1, vertices)));
    }
    if (weights != null) {
      balance.requireRoom(weights);
    }
    return balance;
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
    long even = weight / parts + (weight % parts == 0 ? 0 : 1);
    // Not by doubles: 1.15 * 100 is less than 115.
    BigInteger limit =
        BigDecimal.valueOf(imbalance)
            .add(BigDecimal.ONE)
            .multiply(BigDecimal.valueOf(even))
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
