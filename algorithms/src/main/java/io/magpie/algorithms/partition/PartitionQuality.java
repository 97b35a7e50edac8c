package io.magpie.algorithms.partition;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * What a partition is worth, as {@link PartitionVerifier} finds it. Its arrays are not copied.
 *
 * @param cut the weight of the edges whose ends lie in different parts, each edge once
 * @param partWeights the weight of each part's vertices
 * @param targets what each part is to weigh: {@code ceil(s W)} for a share s of the weight W of all
 *     vertices, {@code ceil(W / k)} for k even parts
 * @param limits what each part may weigh: {@code floor((1 + e) target)}
 * @param emptyParts parts without vertices
 * @param boundaryVertices vertices with a neighbor in another part
 * @param communicationVolume over all vertices, the number of other parts among its neighbors
 */
public record PartitionQuality(
    long cut,
    long[] partWeights,
    long[] targets,
    long[] limits,
    int emptyParts,
    long boundaryVertices,
    long communicationVolume) {

  /** Whether no part weighs more than it may. */
  public boolean feasible() {
    for (int p = 0; p < partWeights.length; p++) {
      if (partWeights[p] > limits[p]) {
        return false;
      }
    }
    return true;
  }

  /** The weight of the heaviest part. */
  public long heaviest() {
    return Arrays.stream(partWeights).max().orElse(0);
  }

  /** What a part may weigh; where that differs, the greatest. */
  public long limit() {
    return Arrays.stream(limits).max().orElse(0);
  }

  /** The part that exceeds what it is to weigh by the greatest share; of several the first. */
  public int fullest() {
    int fullest = 0;
    for (int p = 1; p < partWeights.length; p++) {
      if (excess(p) > excess(fullest)) {
        fullest = p;
      }
    }
    return fullest;
  }

  /**
   * By which share the {@linkplain #fullest() fullest} part exceeds what it is to weigh; 0 without
   * weight.
   */
  public double imbalance() {
    return excess(fullest());
  }

  /**
   * The part that falls short of what it is to weigh by the greatest share; of several the first.
   */
  public int emptiest() {
    int emptiest = 0;
    for (int p = 1; p < partWeights.length; p++) {
      if (excess(p) < excess(emptiest)) {
        emptiest = p;
      }
    }
    return emptiest;
  }

  /**
   * By which share the {@linkplain #emptiest() emptiest} part falls short of what it is to weigh: 1
   * if it weighs nothing, below 0 if it weighs more; 0 without weight.
   */
  public double shortfall() {
    return 0 - excess(emptiest());
  }

  /**
   * The parts that weigh nothing though they are to, ascending. Parts have no least weight, so that
   * there may be such parts in a feasible partition: where the others may weigh all.
   */
  public List<Integer> weightless() {
    return IntStream.range(0, partWeights.length)
        .filter(p -> partWeights[p] == 0 && targets[p] > 0)
        .boxed()
        .toList();
  }

  /**
   * An imbalance with which no feasible partition has {@linkplain #weightless() parts without
   * weight}, as no part is to weigh so little that the others may weigh all: the greatest of two
   * significant digits that what parts are to weigh tells of, at most 1. Empty if there is none:
   * what they are to weigh is rounded up, and the others may be to weigh all.
   */
  public OptionalDouble imbalanceThatFillsAll() {
    long weight = Arrays.stream(partWeights).sum();
    long least = Arrays.stream(targets).filter(target -> target > 0).min().orElse(0);
    BigInteger others =
        Arrays.stream(targets)
            .mapToObj(BigInteger::valueOf)
            .reduce(BigInteger.ZERO, BigInteger::add)
            .subtract(BigInteger.valueOf(least));
    BigInteger rest = BigInteger.valueOf(weight).subtract(others);
    if (others.signum() == 0 || rest.compareTo(others) > 0) {
      return OptionalDouble.of(1);
    }
    if (rest.signum() <= 0) {
      return OptionalDouble.empty();
    }
    // The greatest e of so many decimals with (1 + e) others < weight.
    BigInteger digits = BigInteger.ZERO;
    int scale = 1;
    while (digits.compareTo(BigInteger.TEN) < 0) {
      scale++;
      digits = rest.multiply(BigInteger.TEN.pow(scale)).subtract(BigInteger.ONE).divide(others);
    }
    return OptionalDouble.of(new BigDecimal(digits, scale).doubleValue());
  }

  private double excess(int part) {
    return targets[part] == 0 ? 0 : (double) partWeights[part] / targets[part] - 1;
  }
}
