package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.EdgePass;
import io.magpie.algorithms.graph.FileEdges;
import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import java.util.Iterator;

/**
 * Edges of a graph that need not fit anywhere, in chunks; for {@link StreamedForest}. Each edge has
 * a number from 0, and they come in ascending order of it; of two edges of equal weight the one of
 * lesser number is lighter. Self-loops and parallel edges are permitted. Not for use by several
 * threads at once; which thread calls may change. Edges that a device can compute are a {@link
 * DeviceEdgeSource}.
 */
public interface EdgeSource extends AutoCloseable {
  /** What {@link #edges} gives where only the end will tell. */
  long UNKNOWN = -1;

  /** Number of vertices; ends of edges are from 0 to one less. */
  int vertices();

  /** The type of all weights. */
  WeightType weightType();

  /**
   * Gives the next edges. If a computation or check ends before the edges do, because of a failure
   * or a fault that it found, it interrupts the thread that is in this method, and waits for it to
   * return or throw, which is ignored. A source that waits for something should end then: one that
   * waits on keeps back the failure.
   *
   * @param chunk receives them; empty when it comes, and empty afterwards only if there are no more
   */
  void next(EdgeChunk chunk);

  /** The most edges that there can be, 0 or more, or {@link #UNKNOWN}; always the same. */
  default long edges() {
    return UNKNOWN;
  }

  /** Frees what the source has open. */
  @Override
  default void close() {}

  /**
   * The edges of a graph; an edge's number is its canonical arc.
   *
   * @param graph without weights, each weighs 1
   */
  static EdgeSource of(Graph graph) {
    return new GraphEdges(graph);
  }

  /**
   * Generated edges, computed as they are asked for: on the device where there is one.
   *
   * @param edges with weights that are ints or floats
   * @throws IllegalArgumentException if the weights have another type
   */
  static DeviceEdgeSource of(GeneratedEdges edges) {
    return new GeneratedSource(edges, 0, edges.count());
  }

  /**
   * Generated edges of a range of numbers: a share of them, for one of several computations whose
   * forests are then merged.
   *
   * @param edges with weights that are ints or floats
   * @param first the number of the first edge, from 0
   * @param end one more than the number of the last, from {@code first} to the number of edges
   * @throws IllegalArgumentException if the weights have another type
   * @throws IndexOutOfBoundsException if there are no such edges
   */
  static DeviceEdgeSource of(GeneratedEdges edges, long first, long end) {
    return new GeneratedSource(edges, first, end);
  }

  /**
   * Generated edges, computed by Java, with weights of any type.
   *
   * @param edges what computes them
   */
  static EdgeSource inJava(GeneratedEdges edges) {
    return new ComputedInJava(edges, 0, edges.count());
  }

  /**
   * The edges of a file, by their numbers there; closing the source closes the file. What {@link
   * EdgePass#next} throws comes as the cause of an {@link java.io.UncheckedIOException}.
   *
   * @param edges the file's; without weights, each weighs 1
   */
  static EdgeSource of(FileEdges edges) {
    return new EdgesOfFile(edges);
  }

  /**
   * The edges of an iterator.
   *
   * @param vertices how many there are
   * @param weightType the type of all weights
   * @param edges in ascending order of number
   */
  static EdgeSource of(int vertices, WeightType weightType, Iterator<Edge> edges) {
    return new IteratedEdges(vertices, weightType, edges);
  }

  /**
   * An edge.
   *
   * @param number its number
   * @param source one end
   * @param target the other
   * @param weight an Integer, a Long, a Float or a Double, as the source's type says
   */
  record Edge(long number, int source, int target, Number weight) {}
}
