package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import io.magpie.stm.StmOptions;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

class ClusteringProperties {
  private static int[] clusters(String spec, Graph graph, int heaviest, long seed) {
    Device device = PartitionVariants.device(spec);
    DeviceMemory memory = new DeviceMemory(device);
    int[] labels;
    try (KernelModule module = device.load(Coarsening.MODULE);
        DeviceGraph on = DeviceGraph.copyOf(memory, graph)) {
      Launches launches = new Launches(module, true, StmOptions.defaults());
      DeviceArray<int[]> found = new Clustering(memory, launches, seed).of(on, null, heaviest, 0);
      labels = found.toArray();
      memory.free(found);
    }
    assertEquals(0, memory.held());
    return labels;
  }

  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  void noClusterOfSeveralIsTooHeavy(
      @ForAll("weighted") Graph graph,
      @ForAll("devices") String device,
      @ForAll @IntRange(min = 1, max = 5000) int heaviest,
      @ForAll long seed) {
    int n = graph.vertices();
    int[] labels = clusters(device, graph, heaviest, seed);
    long[] weights = new long[n];
    int[] counts = new int[n];
    for (int v = 0; v < n; v++) {
      weights[labels[v]] += graph.vertexWeights()[v];
      counts[labels[v]]++;
    }
    for (int x = 0; x < n; x++) {
      assertTrue(counts[x] <= 1 || weights[x] <= heaviest, counts[x] + " of " + weights[x]);
    }
  }

  /** A ring of cliques of 8 falls into pieces of cliques: few edges of 64 * 29 lie between. */
  @Example
  void cliquesStayTogether() {
    GraphBuilder builder = new GraphBuilder(512, false);
    for (int v = 0; v < 512; v++) {
      for (int u = v + 1; u < v / 8 * 8 + 8; u++) {
        builder.addEdge(v, u);
      }
      if (v % 8 == 7) {
        builder.addEdge(v, (v + 1) % 512);
      }
    }
    Graph graph = builder.build();
    for (String device : PartitionVariants.devices()) {
      int[] labels = clusters(device, graph, 8, 1);
      long between =
          Arrays.stream(graph.canonicalArcs())
              .filter(a -> labels[graph.source(a)] != labels[graph.neighbors()[a]])
              .count();
      assertTrue(between < 200, device + ": " + between);
    }
  }

  @Provide
  Arbitrary<Graph> weighted() {
    return PartitionInputs.weighted(120, 400, 1000);
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(PartitionVariants.devices());
  }
}
