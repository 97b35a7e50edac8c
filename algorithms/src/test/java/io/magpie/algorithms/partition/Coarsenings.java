package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.SharedDevices;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import io.magpie.stm.parallel.Primitives;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Coarsens graphs on devices that stay open, and holds each level to a plain contraction. */
final class Coarsenings {
  private static final SharedDevices OPEN = new SharedDevices(Device::open);

  private Coarsenings() {}

  /**
   * One level.
   *
   * @param counts what became of the fine vertices
   * @param map the coarse vertex of each
   * @param coarse the coarser graph
   */
  record Step(MatchCounts counts, int[] map, Level coarse) {}

  /** A graph in Java's memory. */
  record Level(int[] offsets, int[] neighbors, int[] weights, int[] vertexWeights) {
    int vertices() {
      return vertexWeights.length;
    }

    static Level of(DeviceGraph graph) {
      return new Level(
          graph.offsets().toArray(),
          graph.neighbors().toArray(),
          graph.weights().toArray(),
          graph.vertexWeights().toArray());
    }

    /** The same graph without its self-loops. */
    static Level of(Graph graph) {
      int n = graph.vertices();
      int[] offsets = new int[n + 1];
      List<Integer> neighbors = new ArrayList<>();
      List<Integer> weights = new ArrayList<>();
      for (int v = 0; v < n; v++) {
        for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
          if (graph.neighbors()[a] != v) {
            neighbors.add(graph.neighbors()[a]);
            weights.add(graph.weight(a));
          }
        }
        offsets[v + 1] = neighbors.size();
      }
      int[] vertexWeights = graph.vertexWeights();
      if (vertexWeights == null) {
        vertexWeights = new int[n];
        Arrays.fill(vertexWeights, 1);
      }
      return new Level(offsets, plain(neighbors), plain(weights), vertexWeights);
    }

    private static int[] plain(List<Integer> values) {
      return values.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The weight between v and each of its neighbors. */
    Map<Integer, Long> row(int v) {
      Map<Integer, Long> row = new HashMap<>();
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        row.merge(neighbors[a], (long) weights[a], Long::sum);
      }
      return row;
    }

    long cut(int[] parts) {
      long cut = 0;
      for (int v = 0; v < vertices(); v++) {
        for (int a = offsets[v]; a < offsets[v + 1]; a++) {
          if (parts[v] < parts[neighbors[a]]) {
            cut += weights[a];
          }
        }
      }
      return cut;
    }
  }

  /** What became of the vertices of each level. */
  static List<MatchCounts> counts(List<Step> steps) {
    return steps.stream().map(Step::counts).toList();
  }

  /** Processors, simulators of widths 1, 4 and 32, and the GPU if there is one. */
  static List<String> devices() {
    return TestDevices.of(
        List.of("cpu-checked:4", "sim:2:4"), "cpu-checked:1", "sim:1:1", "sim:3:6", "sim:0:32");
  }

  /** A device with nothing on it, kept open for all tests of this process. */
  static Device device(String spec) {
    return OPEN.device(spec);
  }

  /**
   * Coarsens a graph until it would not shrink or has few vertices, checking every level.
   *
   * @param heaviest the most that a pair may weigh
   * @param parts of the input's vertices, which may then meet only within a part; null for no bound
   * @return its levels
   */
  static List<Step> run(
      String spec, Graph graph, PartitionOptions options, int heaviest, int[] parts) {
    Device device = device(spec);
    List<Step> steps = new ArrayList<>();
    DeviceMemory memory = new DeviceMemory(device);
    try (KernelModule module = device.load(Coarsening.MODULE);
        Coarsening coarsening = new Coarsening(memory, module, Primitives.of(device), options)) {
      DeviceGraph fine = DeviceGraph.copyOf(memory, graph);
      Level before = Level.of(graph);
      assertRows(rows(before), rows(Level.of(fine)));
      for (int level = 0; fine != null; level++) {
        Coarsening.Coarser coarser = coarsen(coarsening, fine, heaviest, level, parts);
        fine.close();
        fine = null;
        if (coarser != null) {
          int[] map = coarser.map().toArray();
          Level after = Level.of(coarser.graph());
          check(before, after, map, heaviest, coarser.counts());
          steps.add(new Step(coarser.counts(), map, after));
          parts = parts == null ? null : coarse(parts, map, after.vertices());
          coarser.map().close();
          fine = coarser.graph();
          before = after;
        }
      }
    }
    return steps;
  }

  private static Coarsening.Coarser coarsen(
      Coarsening coarsening, DeviceGraph fine, int heaviest, int level, int[] parts) {
    if (parts == null) {
      return coarsening.coarsen(fine, heaviest, level);
    }
    try (DeviceArray<int[]> there = fine.offsets().device().copyOf(parts)) {
      return coarsening.coarsen(
          fine, heaviest, level, there, Arrays.stream(parts).max().orElse(0) + 1);
    }
  }

  private static void assertRows(
      List<Map<Integer, Long>> expected, List<Map<Integer, Long>> actual) {
    assertEquals(expected.size(), actual.size(), "vertices");
    for (int x = 0; x < expected.size(); x++) {
      assertEquals(expected.get(x), actual.get(x), "vertex " + x);
    }
  }

  private static List<Map<Integer, Long>> rows(Level level) {
    List<Map<Integer, Long>> rows = new ArrayList<>();
    for (int v = 0; v < level.vertices(); v++) {
      rows.add(level.row(v));
    }
    return rows;
  }

  /** The parts of coarse vertices, all of whose members have the same. */
  private static int[] coarse(int[] parts, int[] map, int coarseVertices) {
    int[] coarse = new int[coarseVertices];
    Arrays.fill(coarse, -1);
    for (int v = 0; v < map.length; v++) {
      assertTrue(
          coarse[map[v]] < 0 || coarse[map[v]] == parts[v], "vertices of two parts were joined");
      coarse[map[v]] = parts[v];
    }
    return coarse;
  }

  private static void check(Level fine, Level coarse, int[] map, int heaviest, MatchCounts counts) {
    int n = fine.vertices();
    assertEquals(n, map.length);
    List<List<Integer>> members = new ArrayList<>();
    for (int x = 0; x < coarse.vertices(); x++) {
      members.add(new ArrayList<>());
    }
    for (int v = 0; v < n; v++) {
      members.get(map[v]).add(v);
    }
    int alone = 0;
    int neighbors = 0;
    int first = -1;
    for (int x = 0; x < coarse.vertices(); x++) {
      List<Integer> pair = members.get(x);
      assertTrue(pair.size() == 1 || pair.size() == 2, () -> "members " + pair);
      assertTrue(pair.get(0) > first, "coarse vertices are numbered by their first members");
      first = pair.get(0);
      alone += pair.size() == 1 ? 1 : 0;
      if (pair.size() == 2) {
        int u = pair.get(0);
        int v = pair.get(1);
        assertTrue(
            (long) fine.vertexWeights[u] + fine.vertexWeights[v] <= heaviest, "pair is too heavy");
        boolean adjacent = fine.row(u).containsKey(v);
        neighbors += adjacent ? 2 : 0;
        assertTrue(
            adjacent
                || fine.row(u).isEmpty() && fine.row(v).isEmpty()
                || fine.row(u).keySet().stream().anyMatch(fine.row(v)::containsKey),
            () -> u + " and " + v + " have nothing in common");
      }
    }
    assertEquals(alone, counts.alone());
    // Those matched over a common neighbor may be neighbors as well.
    assertTrue(counts.byNeighbor() <= neighbors);
    assertTrue(
        neighbors <= counts.byNeighbor() + counts.byTwin() + counts.byRelative(),
        () -> counts.toString());
    checkContraction(fine, coarse, map);
  }

  private static void checkContraction(Level fine, Level coarse, int[] map) {
    int[] weights = new int[coarse.vertices()];
    List<Map<Integer, Long>> rows = new ArrayList<>();
    for (int x = 0; x < coarse.vertices(); x++) {
      rows.add(new HashMap<>());
    }
    for (int v = 0; v < fine.vertices(); v++) {
      weights[map[v]] += fine.vertexWeights[v];
      for (int a = fine.offsets[v]; a < fine.offsets[v + 1]; a++) {
        if (map[v] != map[fine.neighbors[a]]) {
          rows.get(map[v]).merge(map[fine.neighbors[a]], (long) fine.weights[a], Long::sum);
        }
      }
    }
    assertArrayEquals(weights, coarse.vertexWeights);
    assertRows(rows, rows(coarse));
    assertEquals(
        rows.stream().mapToInt(Map::size).sum(), coarse.neighbors.length, "no parallel edges");
    assertEquals(coarse.neighbors.length, coarse.offsets[coarse.vertices()]);
    checkCuts(fine, coarse, map);
  }

  /** A partition of the coarse graph cuts as much as the one of the fine graph that it means. */
  private static void checkCuts(Level fine, Level coarse, int[] map) {
    Random random = new Random(coarse.vertices());
    for (int k : new int[] {2, 7}) {
      int[] parts = random.ints(coarse.vertices(), 0, k).toArray();
      int[] projected = Arrays.stream(map).map(x -> parts[x]).toArray();
      assertEquals(fine.cut(projected), coarse.cut(parts));
    }
  }
}
