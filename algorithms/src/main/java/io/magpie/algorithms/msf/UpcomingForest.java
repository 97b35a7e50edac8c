package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.UpcomingArray;

/**
 * Java's arrays of a forest, which other threads make while the device computes it: as many bytes
 * take longer to zero than to copy. How many edges it will have can only be guessed before; if the
 * guess is wrong, their arrays are made anew.
 */
final class UpcomingForest {
  private final WeightType type;
  private final UpcomingArray<int[]> labels;
  private int edges = -1;
  private UpcomingArray<long[]> numbers;
  private UpcomingArray<int[]> sources;
  private UpcomingArray<int[]> targets;
  private UpcomingArray<int[]> narrow; // null for weights of 64 bits
  private UpcomingArray<long[]> wide; // null for those of 32

  UpcomingForest(int vertices, WeightType type) {
    this.type = type;
    this.labels = UpcomingArray.ints(vertices);
  }

  /** Begins to make arrays for so many edges, unless those that there are have their length. */
  void expect(int count) {
    if (count == edges) {
      return;
    }
    edges = count;
    numbers = UpcomingArray.longs(count);
    sources = UpcomingArray.ints(count);
    targets = UpcomingArray.ints(count);
    if (EdgeChunk.isWide(type)) {
      wide = UpcomingArray.longs(count);
    } else {
      narrow = UpcomingArray.ints(count);
    }
  }

  int[] labels() {
    return labels.get();
  }

  long[] numbers() {
    return numbers.get();
  }

  int[] sources() {
    return sources.get();
  }

  int[] targets() {
    return targets.get();
  }

  int[] narrow() {
    return narrow.get();
  }

  long[] wide() {
    return wide.get();
  }

  /** The weights as whole numbers of the same order. */
  WeightPlaces places() {
    return new WeightPlaces(type, narrow == null ? null : narrow(), wide == null ? null : wide());
  }
}
