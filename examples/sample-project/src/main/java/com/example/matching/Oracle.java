package com.example.matching;

import io.magpie.algorithms.graph.Graph;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/** What one thread knows of matchings, which give a partner to each vertex, or {@link #NONE}. */
final class Oracle {
  static final int NONE = -1;

  private Oracle() {}

  static int[] nobody(Graph graph) {
    return IntStream.generate(() -> NONE).limit(graph.vertices()).toArray();
  }

  private static IntStream others(Graph graph, int v) {
    return Arrays.stream(graph.neighbors(), graph.offsets()[v], graph.offsets()[v + 1])
        .filter(u -> u != v);
  }

  /** Gives each vertex without a partner the first one next to it, if there is any. */
  static int[] greedy(Graph graph) {
    int[] partner = nobody(graph);
    for (int v = 0; v < partner.length; v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1] && partner[v] == NONE; a++) {
        int u = graph.neighbors()[a];
        if (u != v && partner[u] == NONE) {
          partner[v] = u;
          partner[u] = v;
        }
      }
    }
    return partner;
  }

  /** Why these partners are not a maximal matching, if they are not. */
  static Optional<String> mistake(Graph graph, int[] partner) {
    for (int v = 0; v < partner.length; v++) {
      int p = partner[v];
      if (p == NONE && others(graph, v).anyMatch(u -> partner[u] == NONE)) {
        return Optional.of("an edge of " + v + " could be added");
      } else if (p != NONE && (partner[p] != v || others(graph, v).noneMatch(u -> u == p))) {
        return Optional.of(p + ", partner of " + v + ", has another or no edge to it");
      }
    }
    return Optional.empty();
  }
}
