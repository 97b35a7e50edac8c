package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import java.util.Arrays;
import java.util.Objects;

/**
 * Shortest paths on one processor core, without a device: breadth-first search with a queue, and
 * Dijkstra's algorithm with a binary heap. Two programs that share nothing with the driver, nor
 * with each other. Distances by weights that are floats are sums of doubles here, compared as
 * doubles.
 */
public final class PathsReference {
  private PathsReference() {}

  /**
   * The one that suits the lengths.
   *
   * @param graph the graph
   * @param source where paths begin
   * @param lengths how long arcs are
   * @return distances and predecessors, without a report
   * @throws IndexOutOfBoundsException if the source is no vertex
   */
  public static PathsResult run(DirectedGraph graph, int source, Lengths lengths) {
    return lengths == Lengths.UNIT ? breadthFirst(graph, source) : dijkstra(graph, source);
  }

  /**
   * Breadth-first search with a queue: arcs have length 1. Cost: O(vertices + arcs) time, 16 bytes
   * for each vertex.
   *
   * @param graph the graph
   * @param source where paths begin
   * @return distances and predecessors, without a report
   * @throws IndexOutOfBoundsException if the source is no vertex
   */
  public static PathsResult breadthFirst(DirectedGraph graph, int source) {
    int vertices = graph.vertices();
    Objects.checkIndex(source, vertices);
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    long[] distances = new long[vertices];
    int[] predecessors = new int[vertices];
    Arrays.fill(distances, PathsResult.UNREACHED);
    Arrays.fill(predecessors, PathsResult.UNREACHED);
    int[] queue = new int[vertices];
    int tail = 0;
    queue[tail++] = source;
    distances[source] = 0;
    predecessors[source] = source;
    for (int head = 0; head < tail; head++) {
      int v = queue[head];
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        int w = neighbors[a];
        if (distances[w] == PathsResult.UNREACHED) {
          distances[w] = distances[v] + 1;
          predecessors[w] = v;
          queue[tail++] = w;
        }
      }
    }
    return new PathsResult(graph, source, Lengths.UNIT, distances, predecessors, null);
  }

  /**
   * Dijkstra's algorithm with a binary heap whose entries move up when they become nearer: arcs are
   * as long as their weights, ints or floats, those of an unweighted graph 1. Cost: O((vertices +
   * arcs) log vertices) time, 20 bytes for each vertex.
   *
   * @param graph the graph
   * @param source where paths begin
   * @return distances and predecessors, without a report
   * @throws IndexOutOfBoundsException if the source is no vertex
   */
  public static PathsResult dijkstra(DirectedGraph graph, int source) {
    Objects.checkIndex(source, graph.vertices());
    if (graph.weightType() == WeightType.FLOAT) {
      return dijkstraOfFloats(graph, source);
    }
    LongHeap heap = new LongHeap(graph.vertices());
    int[] predecessors = new int[graph.vertices()];
    Arrays.fill(predecessors, PathsResult.UNREACHED);
    heap.offer(source, 0);
    predecessors[source] = source;
    while (heap.size > 0) {
      int v = heap.pop();
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        int w = graph.neighbors()[a];
        if (heap.offer(w, heap.keys[v] + graph.weight(a))) {
          predecessors[w] = v;
        }
      }
    }
    return new PathsResult(graph, source, Lengths.WEIGHTS, heap.keys, predecessors, null);
  }

  private static PathsResult dijkstraOfFloats(DirectedGraph graph, int source) {
    float[] weights = graph.floatWeights();
    DoubleHeap heap = new DoubleHeap(graph.vertices());
    int[] predecessors = new int[graph.vertices()];
    Arrays.fill(predecessors, PathsResult.UNREACHED);
    heap.offer(source, 0);
    predecessors[source] = source;
    while (heap.size > 0) {
      int v = heap.pop();
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        int w = graph.neighbors()[a];
        if (heap.offer(w, heap.keys[v] + weights[a])) {
          predecessors[w] = v;
        }
      }
    }
    long[] distances = new long[graph.vertices()];
    Arrays.setAll(
        distances,
        v ->
            heap.keys[v] == Double.POSITIVE_INFINITY
                ? PathsResult.UNREACHED
                : Double.doubleToRawLongBits(heap.keys[v]));
    return new PathsResult(graph, source, Lengths.WEIGHTS, distances, predecessors, null);
  }

  /** Vertices whose distances are longs. */
  private static final class LongHeap extends Heap {
    final long[] keys; // distances, also of vertices that have left

    LongHeap(int vertices) {
      super(vertices);
      keys = new long[vertices];
      Arrays.fill(keys, PathsResult.UNREACHED);
    }

    /** Whether the key is lower than the vertex's, which it becomes. */
    boolean offer(int vertex, long key) {
      if (keys[vertex] != PathsResult.UNREACHED && keys[vertex] <= key) {
        return false;
      }
      keys[vertex] = key;
      moveUp(vertex);
      return true;
    }

    @Override
    boolean isNearer(int vertex, int other) {
      return keys[vertex] < keys[other];
    }
  }

  /** Vertices whose distances are doubles. */
  private static final class DoubleHeap extends Heap {
    final double[] keys; // distances, also of vertices that have left

    DoubleHeap(int vertices) {
      super(vertices);
      keys = new double[vertices];
      Arrays.fill(keys, Double.POSITIVE_INFINITY);
    }

    /** Whether the key is lower than the vertex's, which it becomes. */
    boolean offer(int vertex, double key) {
      if (keys[vertex] <= key) {
        return false;
      }
      keys[vertex] = key;
      moveUp(vertex);
      return true;
    }

    @Override
    boolean isNearer(int vertex, int other) {
      return keys[vertex] < keys[other];
    }
  }

  /** Vertices by distance, the nearest on top. */
  private abstract static class Heap {
    private static final int OUTSIDE = -1;

    private final int[] entries;
    private final int[] places;
    int size;

    Heap(int vertices) {
      entries = new int[vertices];
      places = new int[vertices];
      Arrays.fill(places, OUTSIDE);
    }

    abstract boolean isNearer(int vertex, int other);

    /** Makes room for a vertex that has become nearer, or is new. */
    void moveUp(int vertex) {
      if (places[vertex] == OUTSIDE) {
        place(size++, vertex);
      }
      rise(places[vertex]);
    }

    int pop() {
      int top = entries[0];
      places[top] = OUTSIDE;
      int last = entries[--size];
      if (size > 0) {
        place(0, last);
        sink(0);
      }
      return top;
    }

    private void place(int at, int vertex) {
      entries[at] = vertex;
      places[vertex] = at;
    }

    private void rise(int from) {
      int vertex = entries[from];
      int at = from;
      while (at > 0 && isNearer(vertex, entries[(at - 1) / 2])) {
        place(at, entries[(at - 1) / 2]);
        at = (at - 1) / 2;
      }
      place(at, vertex);
    }

    private void sink(int from) {
      int vertex = entries[from];
      int at = from;
      for (int child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && isNearer(entries[child + 1], entries[child])) {
          child++;
        }
        if (!isNearer(entries[child], vertex)) {
          break;
        }
        place(at, entries[child]);
        at = child;
      }
      place(at, vertex);
    }
  }
}
