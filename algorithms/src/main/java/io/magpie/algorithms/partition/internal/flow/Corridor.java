package io.magpie.algorithms.partition.internal.flow;

import java.util.Arrays;

/**
 * The vertices near the cut between two parts, as a network: what lies behind them in the first
 * part is its source, what lies behind them in the second its sink.
 */
final class Corridor implements AutoCloseable {
  private final HostGraph graph;
  private final int[] part;
  private final int first;
  private final int second;
  private final int[] place; // of vertices in the network; -1 where they are not in it
  private int[] vertices = new int[64]; // those from place 2 on
  private int[] depth = new int[64];
  private int count = 2;
  private int arcs;
  private long cut;

  /**
   * An empty corridor between two parts.
   *
   * @param part for each vertex its part
   * @param place -1 for all vertices of the two parts, and so again after {@link #close}; those of
   *     others are not looked at, so that another thread may use the same array for other parts
   */
  Corridor(HostGraph graph, int[] part, int first, int second, int[] place) {
    this.graph = graph;
    this.part = part;
    this.first = first;
    this.second = second;
    this.place = place;
  }

  /**
   * Adds those vertices of a part that are not fixed and near the cut, the nearest first, as many
   * as bounds let it.
   *
   * @param p one of the two parts
   * @param boundary its vertices with an edge to the other one
   * @param layers how far from the cut a vertex may be; of those at the boundary it is 1
   * @param mostWeight what they may weigh
   * @param mostArcs how many arcs they may have
   * @return what they weigh
   */
  long grow(int p, int[] boundary, int layers, long mostWeight, int mostArcs) {
    int begin = count;
    Bounds bounds = new Bounds(p, mostWeight, arcs + (long) mostArcs);
    for (int v : boundary) {
      bounds.add(v, 1);
    }
    for (int at = begin; at < count && Math.abs(depth[at]) < layers; at++) {
      int v = vertices[at];
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        bounds.add(graph.neighbors()[a], Math.abs(depth[at]) + 1);
      }
    }
    return mostWeight - bounds.weightLeft;
  }

  /** What may still be added of a part. */
  private final class Bounds {
    private final int p;
    private final long mostArcs;
    private long weightLeft;

    Bounds(int p, long weight, long mostArcs) {
      this.p = p;
      this.weightLeft = weight;
      this.mostArcs = mostArcs;
    }

    void add(int v, int layer) {
      if (part[v] != p
          || place[v] >= 0
          || graph.isFixed(v)
          || graph.vertexWeight(v) > weightLeft
          || arcs + (long) graph.degree(v) > mostArcs) {
        return;
      }
      if (count == vertices.length) {
        vertices = Arrays.copyOf(vertices, 2 * count);
        depth = Arrays.copyOf(depth, 2 * count);
      }
      vertices[count] = v;
      depth[count] = p == first ? layer : -layer;
      place[v] = count++;
      weightLeft -= graph.vertexWeight(v);
      arcs += graph.degree(v);
    }
  }

  /** The number of vertices of the network. */
  int count() {
    return count;
  }

  /** The vertex of the graph at a place from 2 on. */
  int vertex(int at) {
    return vertices[at];
  }

  /** How far each place is from the cut; negative in the second part. */
  int[] depth() {
    return depth;
  }

  /** The network, without flow. */
  FlowNetwork network() {
    int[] from = new int[arcs];
    int[] to = new int[arcs];
    long[] capacities = new long[arcs];
    int edges = 0;
    cut = 0;
    for (int i = 2; i < count; i++) {
      int v = vertices[i];
      long toSource = 0;
      long toSink = 0;
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        int u = graph.neighbors()[a];
        long weight = graph.weight(a);
        if (weight == 0 || (part[u] != first && part[u] != second)) {
          continue;
        }
        if (place[u] < 0) {
          toSource += part[u] == first ? weight : 0;
          toSink += part[u] == second ? weight : 0;
        } else if (place[u] > i) {
          from[edges] = i;
          to[edges] = place[u];
          capacities[edges++] = weight;
        }
        cut += part[u] != part[v] && (place[u] < 0 || place[u] > i) ? weight : 0;
      }
      if (toSource > 0) {
        from[edges] = i;
        to[edges] = FlowCutter.SOURCE;
        capacities[edges++] = toSource;
      }
      if (toSink > 0) {
        from[edges] = i;
        to[edges] = FlowCutter.SINK;
        capacities[edges++] = toSink;
      }
    }
    return FlowNetwork.of(count, edges, from, to, capacities);
  }

  /** What the edges of the network weigh that lead from one part to the other. */
  long cut() {
    return cut;
  }

  /** Takes its vertices out of the array of places. */
  @Override
  public void close() {
    for (int i = 2; i < count; i++) {
      place[vertices[i]] = -1;
    }
  }
}
