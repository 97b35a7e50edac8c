package io.magpie.algorithms.partition.internal.flow;

/**
 * A network of undirected edges: compressed sparse rows of arcs, two for each edge, with what each
 * can carry beyond the present flow.
 */
final class FlowNetwork {
  final int vertices;
  final int[] offsets;
  final int[] heads;

  /** For each arc that of the same edge in the other direction. */
  final int[] reverse;

  /** Below 2^63: twice the capacity of an edge at most. */
  final long[] residual;

  private FlowNetwork(int vertices, int arcs) {
    this.vertices = vertices;
    this.offsets = new int[vertices + 1];
    this.heads = new int[arcs];
    this.reverse = new int[arcs];
    this.residual = new long[arcs];
  }

  /**
   * A network without flow.
   *
   * @param edges how many there are; the arrays may be longer
   * @param from one end of each
   * @param to its other end
   * @param capacities what each can carry, in either direction
   */
  static FlowNetwork of(int vertices, int edges, int[] from, int[] to, long[] capacities) {
    FlowNetwork network = new FlowNetwork(vertices, Math.multiplyExact(2, edges));
    int[] offsets = network.offsets;
    for (int e = 0; e < edges; e++) {
      offsets[from[e] + 1]++;
      offsets[to[e] + 1]++;
    }
    for (int v = 0; v < vertices; v++) {
      offsets[v + 1] += offsets[v];
    }
    int[] next = offsets.clone();
    for (int e = 0; e < edges; e++) {
      int a = next[from[e]]++;
      int b = next[to[e]]++;
      network.heads[a] = to[e];
      network.heads[b] = from[e];
      network.reverse[a] = b;
      network.reverse[b] = a;
      network.residual[a] = capacities[e];
      network.residual[b] = capacities[e];
    }
    return network;
  }
}
