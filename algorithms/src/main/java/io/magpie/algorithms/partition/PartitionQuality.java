package io.magpie.algorithms.partition;

import java.util.Arrays;

/**
 * What a partition is worth, as {@link PartitionVerifier} finds it.
 *
 * @param cut the weight of the edges whose ends lie in different parts, each edge once
 * @param partWeights the weight of each part's vertices; not copied
 * @param limit what a part may weigh: {@code floor((1 + e) ceil(W / k))}
 * @param emptyParts parts without vertices
 * @param boundaryVertices vertices with a neighbor in another part
 * @param communicationVolume over all vertices, the number of other parts among its neighbors
 */
public record PartitionQuality(
    long cut,
    long[] partWeights,
    long limit,
    int emptyParts,
    long boundaryVertices,
    long communicationVolume) {

  /** Whether no part weighs more than the limit. */
  public boolean feasible() {
    return heaviest() <= limit;
  }

  /** The weight of the heaviest part. */
  public long heaviest() {
    return Arrays.stream(partWeights).max().orElse(0);
  }

  /** By which share the heaviest part exceeds {@code ceil(W / k)}; 0 without weight. */
  public double imbalance() {
    long weight = Arrays.stream(partWeights).sum();
    long even = (weight + partWeights.length - 1) / partWeights.length;
    return even == 0 ? 0 : (double) heaviest() / even - 1;
  }
}
