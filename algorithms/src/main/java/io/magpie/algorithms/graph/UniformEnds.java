package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.SeededHash;
import java.util.Map;

/** Ends drawn uniformly and independently, but for the second, which is not the first. */
final class UniformEnds implements NumberedEnds {
  private final int vertices;
  private final long key;

  /**
   * @param vertices how many there are, 2 or more if an edge is asked for
   */
  UniformEnds(int vertices, long seed) {
    this.vertices = vertices;
    this.key = SeededHash.key(seed);
  }

  @Override
  public long edge(long index) {
    int u = SeededHash.below(SeededHash.draw(key, 2 * index), vertices);
    int v = SeededHash.below(SeededHash.draw(key, 2 * index + 1), vertices - 1);
    return ReplayedEdges.pack(u, v >= u ? v + 1 : v);
  }

  @Override
  public Map<String, Number> constants() {
    return Map.of("vertices", vertices, "key", key);
  }
}
