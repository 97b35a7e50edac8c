package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;

/** The edges of two forests in the order of their numbers, those of both once. */
final class MergedForests implements EdgeSource {
  private final NumberedForest one;
  private final NumberedForest other;
  private int nextOfOne;
  private int nextOfOther;

  MergedForests(NumberedForest one, NumberedForest other) {
    if (one.vertices() != other.vertices() || one.weightType() != other.weightType()) {
      throw new IllegalArgumentException(
          "a forest of "
              + one.vertices()
              + " vertices with weights of type "
              + one.weightType()
              + " cannot be merged with one of "
              + other.vertices()
              + " with weights of type "
              + other.weightType());
    }
    this.one = one;
    this.other = other;
  }

  @Override
  public int vertices() {
    return one.vertices();
  }

  @Override
  public WeightType weightType() {
    return one.weightType();
  }

  @Override
  public long edges() {
    return (long) one.edges() + other.edges();
  }

  @Override
  public void next(EdgeChunk chunk) {
    while (!chunk.isFull() && (nextOfOne < one.edges() || nextOfOther < other.edges())) {
      long a = nextOfOne < one.edges() ? one.numbers()[nextOfOne] : Long.MAX_VALUE;
      long b = nextOfOther < other.edges() ? other.numbers()[nextOfOther] : Long.MAX_VALUE;
      if (nextOfOne < one.edges() && nextOfOther < other.edges() && a == b) {
        requireSame(a);
        add(chunk, one, nextOfOne++);
        nextOfOther++;
      } else if (nextOfOther == other.edges() || nextOfOne < one.edges() && a < b) {
        add(chunk, one, nextOfOne++);
      } else {
        add(chunk, other, nextOfOther++);
      }
    }
  }

  private void requireSame(long number) {
    int u = one.sources()[nextOfOne];
    int v = one.targets()[nextOfOne];
    int x = other.sources()[nextOfOther];
    int y = other.targets()[nextOfOther];
    boolean sameEnds = u == x && v == y || u == y && v == x;
    if (!sameEnds || one.places().at(nextOfOne) != other.places().at(nextOfOther)) {
      throw new IllegalArgumentException("two forests have different edges of number " + number);
    }
  }

  private static void add(EdgeChunk chunk, NumberedForest forest, int edge) {
    chunk.add(
        forest.numbers()[edge],
        forest.sources()[edge],
        forest.targets()[edge],
        forest.weight(edge));
  }
}
