package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Holder;
import io.magpie.algorithms.partition.PartitionOptions.Contraction;
import io.magpie.algorithms.partition.PartitionOptions.Gain;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** What vertices are taken to gain, against the definitions. */
class GainProperties {
  /** What `connect` leaves of each vertex. */
  private record Connected(int[] inside, int[] outside, int[] other) {}

  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  void gainsAreThoseOfTheDefinition(
      @ForAll("weighted") Graph graph,
      @ForAll("devices") String device,
      @ForAll @IntRange(min = 1, max = 12) int parts,
      @ForAll Gain gain,
      @ForAll long seed) {
    int[] home = new Random(seed).ints(graph.vertices(), 0, parts).toArray();
    check(graph, device, parts, gain, home);
  }

  /** The center's edges weigh almost as much as edges may, and lead to any number of parts. */
  @Example
  void estimatesOfHeavyVerticesAreExact() {
    for (int parts : new int[] {2, 3, 4, 5, 10, 50}) {
      GraphBuilder star = new GraphBuilder(parts, true);
      int each = Integer.MAX_VALUE / 2 / parts;
      for (int v = 1; v < parts; v++) {
        star.addEdge(0, v, each - v);
      }
      Graph graph = star.build();
      int[] home = new int[parts];
      Arrays.setAll(home, v -> v);
      for (Gain gain : Gain.values()) {
        for (String device : List.of("cpu:2", "sim:2:4")) {
          check(graph, device, parts, gain, home);
        }
      }
    }
  }

  /** There is one other part, and the root of 1 is 1. */
  @Example
  void ofTwoPartsBothGainsAreTheSame() {
    for (Graph graph : graphs()) {
      assertArrayEquals(parts(graph, 2, Gain.EXACT), parts(graph, 2, Gain.ESTIMATED));
    }
  }

  @Example
  void ofMorePartsTheyAreNot() {
    for (Graph graph : graphs()) {
      assertFalse(Arrays.equals(parts(graph, 8, Gain.EXACT), parts(graph, 8, Gain.ESTIMATED)));
    }
  }

  private static List<Graph> graphs() {
    return List.of(
        GraphGenerators.generate("grid:20,weights=none"),
        GraphGenerators.generate("rmat:8,edges=1000,weights=1..9"));
  }

  /** By refinement that does not depend on how threads run. */
  private static int[] parts(Graph graph, int parts, Gain gain) {
    PartitionOptions options =
        PartitionOptions.of(parts)
            .withRefinement(Refinement.ATOMIC_FREE)
            .withContraction(Contraction.SORT)
            .withGain(gain);
    PartitionResult result =
        GraphPartitioner.run(PartitionVariants.device("cpu:2"), graph, options, 60);
    assertEquals(List.of(), PartitionVerifier.verify(result));
    return result.parts();
  }

  private static void check(Graph graph, String device, int parts, Gain gain, int... home) {
    Connected found = connect(graph, device, parts, gain, home);
    for (int v = 0; v < graph.vertices(); v++) {
      Map<Integer, Long> weights = new TreeMap<>(); // of v's edges, by part
      for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
        int u = graph.neighbors()[e];
        if (u != v) {
          weights.merge(home[u], (long) graph.weights()[e], Long::sum);
        }
      }
      Long inside = weights.remove(home[v]);
      weights.values().removeIf(weight -> weight == 0);
      long most = weights.values().stream().mapToLong(weight -> weight).max().orElse(0);
      long all = weights.values().stream().mapToLong(weight -> weight).sum();
      String where = "vertex " + v + " by " + gain + " on " + device;
      assertEquals(inside == null ? 0 : inside, found.inside[v], where);
      assertEquals(
          gain == Gain.EXACT ? most : rootedDown(all, weights.size()), found.outside[v], where);
      // Where it would go does not depend on the estimate.
      if (most == 0) {
        assertEquals(-1, found.other[v], where);
      } else {
        assertEquals(most, weights.get(found.other[v]), where);
      }
    }
  }

  /** The greatest whole number that is at most sum / sqrt(parts). */
  private static long rootedDown(long sum, int parts) {
    if (parts == 0) {
      return 0;
    }
    BigInteger square = BigInteger.valueOf(sum).pow(2);
    long result = square.divide(BigInteger.valueOf(parts)).sqrt().longValueExact();
    BigInteger n = BigInteger.valueOf(parts);
    assertTrue(BigInteger.valueOf(result).pow(2).multiply(n).compareTo(square) <= 0);
    assertTrue(BigInteger.valueOf(result + 1).pow(2).multiply(n).compareTo(square) > 0);
    return result;
  }

  private static Connected connect(Graph input, String device, int parts, Gain gain, int... home) {
    DeviceMemory memory = new DeviceMemory(PartitionVariants.device(device));
    int n = input.vertices();
    int[] never = new int[n];
    Arrays.fill(never, 2);
    try (Holder held = new Holder(memory);
        KernelModule module = memory.device().load(Coarsening.MODULE);
        DeviceGraph graph = DeviceGraph.copyOf(memory, input)) {
      DeviceArray<long[]> table = memory.longs(Math.max(1, graph.arcs()));
      DeviceArray<int[]> inside = held.ints(n);
      DeviceArray<int[]> outside = held.ints(n);
      DeviceArray<int[]> other = held.ints(n);
      Fields all =
          new Fields()
              .set("members", 1)
              .set("vertices", n)
              .set("arcs", graph.arcs())
              .set("parts", parts)
              .set("how", new Fields().set("additions", 1).set("hub_degree", -1))
              .set("offsets", graph.offsets())
              .set("neighbors", graph.neighbors())
              .set("weights", graph.weights())
              .set("vertex_weights", graph.vertexWeights())
              .set("part", held.copyOf(home))
              .set("best", held.ints(n))
              .set("part_weights", held.ints(parts))
              .set("best_weights", held.ints(parts))
              .set("touched", held.copyOf(never))
              .set("table", table)
              .set("entries", held.ints(n))
              .set("inside", inside)
              .set("outside", outside)
              .set("other", other)
              .set("moved", held.ints(n))
              .set("wish", held.ints(n))
              .set("worth", held.ints(n))
              .set("go", held.ints(n))
              .set("records", held.ints(module.intConstant("record::words")));
      module
          .kernel("connect")
          .run(
              n,
              new Fields()
                  .set("all", all)
                  .set("seed", 1)
                  .set("estimated", gain == Gain.ESTIMATED ? 1 : 0));
      Connected result = new Connected(inside.toArray(), outside.toArray(), other.toArray());
      memory.free(table);
      return result;
    }
  }

  @Provide
  Arbitrary<Graph> weighted() {
    return PartitionInputs.weighted(60, 240, 1000);
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(PartitionVariants.devices());
  }
}
