package io.magpie.verification.testing;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.Region;
import io.magpie.stm.StmObjects;
import io.magpie.verification.testing.internal.KeptDevices;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.RegionWorkload.Runs;
import java.nio.file.Path;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** A graph as an argument of a region, in a struct: the code that the pages show. */
class GraphArgumentProperties {
  private static final Path FILE =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions/choose.cu");

  /** What {@link RegionCheck} compiles for, so that nothing is compiled twice. */
  private static final Runs RUNS = Runs.scheduled(Policy.HAND_OFF);

  @AfterContainer
  static void close() {
    KeptDevices.close();
  }

  @Provide
  Arbitrary<CsrGraph> graphs() {
    return RegionArbitraries.graphs(5, 8, 9);
  }

  @Property(tries = 20)
  void noTwoChosenAreTooNear(@ForAll("graphs") CsrGraph graph) {
    int apart = 5;
    RegionCheck.of(FILE)
        .guarded("chosen", new int[graph.vertices()])
        .csr("graph", graph)
        .number("apart", apart)
        .items(graph.vertices())
        .explore("pct:2", 50)
        .specification(
            (data, vertex) -> {
              int[] chosen = data.ints("chosen");
              if (hasNear(graph, chosen, vertex, apart)) {
                return false;
              }
              chosen[vertex] = 1;
              return true;
            })
        .check();
  }

  /** Whether a neighbor is chosen that is too near. */
  private static boolean hasNear(CsrGraph graph, int[] chosen, int vertex, int apart) {
    int[] offsets = graph.offsets();
    for (int arc = offsets[vertex]; arc < offsets[vertex + 1]; arc++) {
      int neighbor = graph.neighbors()[arc];
      if (neighbor != vertex && graph.weights()[arc] < apart && chosen[neighbor] != 0) {
        return true;
      }
    }
    return false;
  }

  @Example
  void isChosenFromJava() {
    CsrGraph graph =
        CsrGraph.ofEdges(5, new int[][] {{0, 1, 7}, {1, 2, 5}, {2, 3, 1}, {3, 4, 2}, {4, 4, 1}});
    int apart = 6;
    try (Device device = Device.open("sim:0:4");
        KernelModule module = device.compile(FILE, RegionWorkload.defines(device, null, RUNS))) {
      int[] chosen = chosen(device, module.region("choose"), graph, apart);
      for (int vertex = 0; vertex < graph.vertices(); vertex++) {
        boolean near = hasNear(graph, chosen, vertex, apart);
        assertTrue(chosen[vertex] == 1 || near, vertex + " could be chosen");
        assertFalse(chosen[vertex] == 1 && near, vertex + " is too near");
      }
    }
  }

  private static int[] chosen(Device device, Region region, CsrGraph graph, int apart) {
    try (StmObjects vertices = device.objects(graph.vertices());
        DeviceArray<int[]> chosen = device.copyOf(new int[graph.vertices()]);
        DeviceArray<int[]> offsets = device.copyOf(graph.offsets());
        DeviceArray<int[]> neighbors = device.copyOf(graph.neighbors());
        DeviceArray<int[]> weights = device.copyOf(graph.weights())) {
      Fields rows =
          new Fields().set("offsets", offsets).set("neighbors", neighbors).set("weights", weights);
      region
          .run(
              graph.vertices(),
              new Fields().set("chosen", chosen, vertices).set("graph", rows).set("apart", apart))
          .requireComplete();
      return chosen.toArray();
    }
  }
}
