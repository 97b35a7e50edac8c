package io.magpie.examples.compare;

import io.magpie.algorithms.graph.Graph;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Connected components without a device, as others computed them: both methods label each vertex
 * with the least one of its component.
 */
final class HostComponents {
  /** Vertices that a thread takes at a time. */
  private static final int CHUNK = 512;

  private HostComponents() {}

  /**
   * A search with a stack from each vertex that no search has reached, one thread. Cost: O(vertices
   * + arcs) time, 8 bytes for each vertex.
   */
  static int[] depthFirst(Graph graph) {
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    int[] labels = new int[graph.vertices()];
    Arrays.fill(labels, -1);
    int[] stack = new int[graph.vertices()];
    for (int first = 0; first < labels.length; first++) {
      if (labels[first] >= 0) {
        continue;
      }
      labels[first] = first;
      int top = 0;
      stack[top++] = first;
      while (top > 0) {
        int v = stack[--top];
        for (int a = offsets[v]; a < offsets[v + 1]; a++) {
          int w = neighbors[a];
          if (labels[w] < 0) {
            labels[w] = first;
            stack[top++] = w;
          }
        }
      }
    }
    return labels;
  }

  /**
   * The method of Soman, Kothapalli and Narayanan on all processors, but in one direction: in each
   * round edges between trees hook the larger root to the smaller one, where theirs alternate, then
   * all vertices jump to their roots. All by plain stores: of several hooks of a root any one may
   * last. They go to smaller roots whichever it is, so there are no cycles, and the root of a tree
   * is the least of its vertices.
   *
   * <p>An edge is hidden from later rounds once its ends were seen in one tree, perhaps by way of
   * hooks of this round that others overwrite; but the edges behind these hooks are then not
   * hidden, as a round takes each edge once. So trees and the edges that are not hidden together
   * connect all that the graph connects, and in the end the trees alone. Each round in which an
   * edge joins two trees leaves fewer of them. Cost: 4 bytes for each vertex and 1 for each arc.
   */
  static int[] hooking(Graph graph) {
    int[] parents = new int[graph.vertices()];
    Arrays.setAll(parents, v -> v);
    boolean[] hidden = new boolean[graph.neighbors().length];
    while (hook(graph, parents, hidden)) {
      chunks(parents.length).forEach(chunk -> jump(parents, chunk));
    }
    return parents;
  }

  private static IntStream chunks(int vertices) {
    return IntStream.rangeClosed(0, vertices / CHUNK).parallel();
  }

  private static int end(int chunk, int vertices) {
    return chunk * CHUNK + Math.min(CHUNK, vertices - chunk * CHUNK);
  }

  /** Whether an edge was between two trees. All trees have to be flat before. */
  private static boolean hook(Graph graph, int[] parents, boolean[] hidden) {
    return chunks(parents.length)
            .map(chunk -> hook(graph, parents, hidden, chunk))
            .reduce(0, (one, other) -> one | other)
        != 0;
  }

  private static int hook(Graph graph, int[] parents, boolean[] hidden, int chunk) {
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    int hooked = 0;
    for (int v = chunk * CHUNK; v < end(chunk, parents.length); v++) {
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        if (neighbors[a] <= v || hidden[a]) {
          continue;
        }
        int one = parents[v];
        int other = parents[neighbors[a]];
        if (one == other) {
          hidden[a] = true;
        } else {
          parents[Math.max(one, other)] = Math.min(one, other);
          hooked = 1;
        }
      }
    }
    return hooked;
  }

  private static void jump(int[] parents, int chunk) {
    for (int v = chunk * CHUNK; v < end(chunk, parents.length); v++) {
      int root = parents[v];
      while (parents[root] != root) {
        root = parents[root];
      }
      parents[v] = root;
    }
  }
}
