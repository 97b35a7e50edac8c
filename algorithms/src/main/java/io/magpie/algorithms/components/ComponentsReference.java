package io.magpie.algorithms.components;

import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.graph.Graph;
import java.util.Arrays;

/**
 * Sequential union-find: what the device's forms are compared with, and the time they have to beat
 * on a processor.
 *
 * <p>Method: the edges in the order of their canonical arcs, the larger root under the smaller,
 * path halving (Tarjan and van Leeuwen 1984). Shares no code with the kernels. Time: O(vertices +
 * arcs) but for a factor that is logarithmic at worst; memory: 4 bytes for each vertex, and as much
 * again for a forest.
 */
public final class ComponentsReference {
  private ComponentsReference() {}

  /**
   * Finds components and a spanning forest on the calling thread.
   *
   * @param graph any graph
   * @return both, as {@link #run(Graph, Output)}
   */
  public static ComponentsResult run(Graph graph) {
    return run(graph, Output.FOREST);
  }

  /**
   * Finds components on the calling thread, and a spanning forest if asked for.
   *
   * @param graph any graph
   * @param output what is asked for
   * @return the components; with {@link Output#FOREST}, of the possible forests the one that takes
   *     edges in the order of their canonical arcs; without a report
   */
  public static ComponentsResult run(Graph graph, Output output) {
    boolean forested = output == Output.FOREST;
    int vertices = graph.vertices();
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    int[] parent = new int[vertices];
    for (int v = 0; v < vertices; v++) {
      parent[v] = v;
    }
    int[] forest = new int[forested ? Math.max(0, vertices - 1) : 0];
    int edges = 0;
    for (int v = 0; v < vertices; v++) {
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        if (neighbors[a] <= v) {
          continue;
        }
        int one = find(parent, v);
        int other = find(parent, neighbors[a]);
        if (one != other) {
          parent[Math.max(one, other)] = Math.min(one, other);
          if (forested) {
            forest[edges] = a;
          }
          edges++;
        }
      }
    }
    // Parents are smaller than their children, so one ascending pass makes every parent a root.
    for (int v = 0; v < vertices; v++) {
      parent[v] = parent[parent[v]];
    }
    return new ComponentsResult(
        graph, parent, vertices - edges, forested ? Arrays.copyOf(forest, edges) : null, null);
  }

  private static int find(int[] parent, int v) {
    while (parent[v] != v) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return v;
  }
}
