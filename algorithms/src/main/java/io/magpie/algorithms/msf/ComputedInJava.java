package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.WeightType;
import java.util.Objects;

/** Generated edges in the order of their numbers, with weights of any type. */
class ComputedInJava implements EdgeSource {
  private final GeneratedEdges edges;
  private final long first;
  private final long end;
  private long next;

  /**
   * @param first the number of the first edge
   * @param end one more than that of the last
   */
  ComputedInJava(GeneratedEdges edges, long first, long end) {
    this.edges = Objects.requireNonNull(edges, "edges");
    this.first = Objects.checkFromToIndex(first, end, edges.count());
    this.end = end;
    this.next = first;
  }

  final GeneratedEdges generated() {
    return edges;
  }

  /** The number of the next edge. */
  final long next() {
    return next;
  }

  /** How many edges are next in a chunk of so many. */
  final int left(long capacity) {
    return (int) Math.min(capacity, end - next);
  }

  /** Goes on behind so many edges, and gives the number of the first of them. */
  final long take(int count) {
    long taken = next;
    next += count;
    return taken;
  }

  @Override
  public int vertices() {
    return edges.vertices();
  }

  @Override
  public WeightType weightType() {
    return edges.weightType();
  }

  @Override
  public long edges() {
    return end - first;
  }

  @Override
  public void next(EdgeChunk chunk) {
    int count = left(chunk.capacity());
    edges.fill(next, count, chunk.sources(), chunk.targets(), chunk.weights());
    chunk.setConsecutive(take(count), count);
  }
}
