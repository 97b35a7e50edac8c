package com.example.matching;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The edges of a graph, and what sequential programs know of their matchings.
 *
 * @param vertices their number; they are counted from 0
 * @param from one end of each edge
 * @param to the other end
 */
record Edges(int vertices, int[] from, int[] to) {
  int size() {
    return from.length;
  }

  /** The same, but those whose ends have few edges first, which leaves fewer vertices alone. */
  Edges byDegree() {
    int[] degree = new int[vertices];
    IntStream.range(0, size()).forEach(e -> degree[from[e]]++);
    IntStream.range(0, size()).forEach(e -> degree[to[e]]++);
    int[] order =
        IntStream.range(0, size())
            .mapToLong(e -> (long) (degree[from[e]] + degree[to[e]]) << 32 | e)
            .sorted()
            .mapToInt(key -> (int) key)
            .toArray();
    return new Edges(
        vertices,
        IntStream.of(order).map(e -> from[e]).toArray(),
        IntStream.of(order).map(e -> to[e]).toArray());
  }

  /** The partner of each vertex if edges are chosen one by one. */
  int[] greedy() {
    int[] partner = new int[vertices];
    Arrays.fill(partner, Matching.NONE);
    for (int e = 0; e < size(); e++) {
      if (from[e] != to[e] && free(partner, e)) {
        partner[from[e]] = to[e];
        partner[to[e]] = from[e];
      }
    }
    return partner;
  }

  /** Why these partners are not a maximal matching, if they are not. */
  Optional<String> mistake(int[] partner) {
    boolean[] matched = new boolean[vertices];
    for (int e = 0; e < size(); e++) {
      if (from[e] != to[e] && partner[from[e]] == to[e] && partner[to[e]] == from[e]) {
        matched[from[e]] = true;
        matched[to[e]] = true;
      } else if (from[e] != to[e] && free(partner, e)) {
        return Optional.of("edge " + from[e] + "," + to[e] + " could be added");
      }
    }
    return IntStream.range(0, vertices)
        .filter(v -> partner[v] != Matching.NONE && !matched[v])
        .mapToObj(v -> partner[v] + ", partner of " + v + ", has another or no edge to it")
        .findFirst();
  }

  private boolean free(int[] partner, int e) {
    return partner[from[e]] == Matching.NONE && partner[to[e]] == Matching.NONE;
  }
}
