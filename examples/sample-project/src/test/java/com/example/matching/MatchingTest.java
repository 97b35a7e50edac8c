package com.example.matching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.stm.Device;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatchingTest {
  private static int[] matched(Device device, int vertices, int[] from, int[] to) {
    GraphBuilder graph = new GraphBuilder(vertices, false);
    for (int e = 0; e < from.length; e++) {
      graph.addEdge(from[e], to[e]);
    }
    Matching matching = new Matching();
    return matching.solve(device, graph.build(), matching.defaults()).result();
  }

  /** Processors with bounds checked, and simulated GPUs with three schedules. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu-checked:4", "sim:1", "sim:2", "sim:3:8"})
  void isMaximalOnEveryDevice(String spec) {
    int vertices = 1_000;
    int[] from = new SplittableRandom(3).ints(2_000, 0, vertices).toArray();
    int[] to = new SplittableRandom(4).ints(2_000, 0, vertices).toArray();
    try (Device device = Device.open(spec)) {
      int[] partner = matched(device, vertices, from, to);
      Set<Long> edges = new HashSet<>();
      for (int e = 0; e < from.length; e++) {
        edges.add(edge(from[e], to[e]));
        assertTrue(
            from[e] == to[e] || partner[from[e]] != Oracle.NONE || partner[to[e]] != Oracle.NONE,
            "an edge between " + from[e] + " and " + to[e] + " could be added");
      }
      for (int v = 0; v < vertices; v++) {
        if (partner[v] != Oracle.NONE) {
          assertEquals(v, partner[partner[v]], "the partner of the partner of " + v);
          assertTrue(
              edges.contains(edge(v, partner[v])), "no edge leads from " + v + " to its partner");
        }
      }
    }
  }

  @Test
  void aStarHasOnePair() {
    int leaves = 100;
    int[] center = new int[leaves];
    int[] leaf = IntStream.rangeClosed(1, leaves).toArray();
    try (Device device = Device.open("sim")) {
      int[] partner = matched(device, leaves + 1, center, leaf);
      assertEquals(0, partner[partner[0]]);
      assertEquals(2, IntStream.of(partner).filter(p -> p != Oracle.NONE).count());
    }
  }

  @Test
  void loopsAreNotChosen() {
    try (Device device = Device.open("sim")) {
      assertArrayEquals(new int[] {Oracle.NONE}, matched(device, 1, new int[] {0}, new int[] {0}));
    }
  }

  private static long edge(int u, int v) {
    return (long) Math.min(u, v) << 32 | Math.max(u, v);
  }
}
