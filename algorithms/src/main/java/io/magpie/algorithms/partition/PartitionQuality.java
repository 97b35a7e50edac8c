package io.magpie.algorithms.partition;

import java.util.Arrays;

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

  private double excess(int part) {
    return targets[part] == 0 ? 0 : (double) partWeights[part] / targets[part] - 1;
  }
}
