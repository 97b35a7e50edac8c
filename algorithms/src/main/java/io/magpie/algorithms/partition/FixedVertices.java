package io.magpie.algorithms.partition;

import java.util.Arrays;

/**
 * Vertices of a graph that are to be in given parts, whatever the cut. Immutable.
 *
 * @see PartitionFormat#readFixed
 */
public final class FixedVertices {
  /** No vertex is fixed, in a graph of any size. */
  public static final FixedVertices NONE = new FixedVertices(new int[0], 0);

  private static final int FREE = -1;

  private final int[] parts;
  private final int count;

  private FixedVertices(int[] parts, int count) {
    this.parts = parts;
    this.count = count;
  }

  /**
   * Vertices in given parts.
   *
   * @param parts for each vertex of the graph its part, from 0, or -1 if it is free; copied
   * @throws IllegalArgumentException if another number is negative; the message names the vertex
   */
  public static FixedVertices of(int... parts) {
    int count = 0;
    for (int v = 0; v < parts.length; v++) {
      if (parts[v] < FREE) {
        throw new IllegalArgumentException(
            "vertex " + v + " is fixed to part " + parts[v] + "; expected a part, or -1 for none");
      }
      count += parts[v] == FREE ? 0 : 1;
    }
    return count == 0 ? NONE : new FixedVertices(parts.clone(), count);
  }

  /** How many vertices are fixed. */
  public int count() {
    return count;
  }

  /** Whether no vertex is. */
  public boolean none() {
    return count == 0;
  }

  /**
   * Where a vertex is to be.
   *
   * @param vertex its number, from 0
   * @return its part, or -1 if it is free
   */
  public int part(int vertex) {
    return none() ? FREE : parts[vertex];
  }

  /** For each vertex its part or -1, not a copy; null if no vertex is fixed. */
  int[] orNull() {
    return none() ? null : parts;
  }

  /**
   * Checks that these are of a graph of so many vertices and parts.
   *
   * @throws IllegalArgumentException if they are not
   */
  void requireFor(int vertices, int count) {
    if (none()) {
      return;
    }
    if (parts.length != vertices) {
      throw new IllegalArgumentException(
          parts.length + " vertices, fixed or free, for a graph of " + vertices);
    }
    for (int v = 0; v < vertices; v++) {
      if (parts[v] >= count) {
        throw new IllegalArgumentException(
            "vertex "
                + v
                + " is fixed to part "
                + parts[v]
                + ", which is not in 0 .. "
                + (count - 1));
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FixedVertices those && Arrays.equals(parts, those.parts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(parts);
  }

  @Override
  public String toString() {
    return "FixedVertices[count=" + count + "]";
  }
}
