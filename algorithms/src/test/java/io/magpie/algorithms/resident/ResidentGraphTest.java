package io.magpie.algorithms.resident;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.components.ComponentsOptions;
import io.magpie.algorithms.components.ComponentsReference;
import io.magpie.algorithms.components.ComponentsResult;
import io.magpie.algorithms.components.ComponentsVerifier;
import io.magpie.algorithms.components.ConnectedComponents;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.refine.MeshRefinement;
import io.magpie.algorithms.mesh.refine.RefinedArrays;
import io.magpie.algorithms.mesh.refine.RefinementOptions;
import io.magpie.algorithms.partition.FixedVertices;
import io.magpie.algorithms.partition.GraphPartitioner;
import io.magpie.algorithms.partition.ImpossibleBalanceException;
import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.algorithms.partition.PartitionResult;
import io.magpie.algorithms.partition.PartitionVerifier;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Results that feed the next call on the device, held to the way through Java's arrays. */
class ResidentGraphTest {
  private static final RefinementOptions ANGLES = RefinementOptions.defaults().withMinimumAngle(25);

  static List<String> devices() {
    return TestDevices.of(List.of("cpu:1", "sim:2:4"), "cpu:4", "sim:0:32");
  }

  private static Mesh mesh(String spec) {
    return DelaunayTriangulation.of(MeshGenerators.generate(spec));
  }

  /** Neighbors by vertex, as sets. */
  private static final class Oracle {
    private final Map<Integer, TreeSet<Integer>> neighbors = new TreeMap<>();

    void join(int a, int b) {
      neighbors.computeIfAbsent(a, v -> new TreeSet<>()).add(b);
      neighbors.computeIfAbsent(b, v -> new TreeSet<>()).add(a);
    }

    void assertIs(Graph graph, int vertices) {
      assertEquals(vertices, graph.vertices());
      for (int v = 0; v < vertices; v++) {
        int[] found =
            Arrays.copyOfRange(graph.neighbors(), graph.offsets()[v], graph.offsets()[v + 1]);
        Arrays.sort(found);
        int[] expected =
            neighbors.getOrDefault(v, new TreeSet<>()).stream()
                .mapToInt(Integer::intValue)
                .toArray();
        assertArrayEquals(expected, found, "neighbors of " + v);
      }
    }
  }

  /** Two triangles with two vertices in common, and two corners of a triangle, are neighbors. */
  private static void assertGraphsOf(RefinedArrays refined) {
    int triangles = refined.triangles();
    int[] corners = refined.corners();
    Oracle dual = new Oracle();
    Oracle edges = new Oracle();
    Map<List<Integer>, Integer> first = new HashMap<>();
    for (int t = 0; t < triangles; t++) {
      for (int k = 0; k < 3; k++) {
        int a = corners[3 * t + k];
        int b = corners[3 * t + (k + 1) % 3];
        edges.join(a, b);
        Integer other = first.putIfAbsent(List.of(Math.min(a, b), Math.max(a, b)), t);
        if (other != null) {
          dual.join(t, other);
        }
      }
    }
    try (ResidentGraph found = refined.dualGraph()) {
      dual.assertIs(found.graph(), triangles);
    }
    try (ResidentGraph found = refined.vertexGraph()) {
      edges.assertIs(found.graph(), refined.vertices());
      int[] targets = found.graph().neighbors();
      for (int v = 0; v < refined.vertices(); v++) {
        for (int a = found.graph().offsets()[v] + 1; a < found.graph().offsets()[v + 1]; a++) {
          assertTrue(targets[a - 1] < targets[a], "neighbors ascend");
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void graphsOfRefinedMeshes(String spec) {
    try (Device device = Device.open(spec);
        ResultArrays arrays = ResultArrays.onDevice(device)) {
      for (String each : List.of("uniform:150", "holes:2", "map:200")) {
        assertGraphsOf(MeshRefinement.run(device, mesh(each), ANGLES, arrays));
      }
      Mesh triangle = DelaunayTriangulation.of(PlanarGraph.of(new double[] {0, 0, 1, 0, 0.4, 1}));
      assertGraphsOf(MeshRefinement.run(device, triangle, ANGLES, arrays));
      Mesh points = Mesh.builder(PlanarGraph.of(new double[] {1, 2, 3, 4}), new int[0]).build();
      RefinedArrays without = MeshRefinement.run(device, points, ANGLES, arrays);
      try (ResidentGraph none = without.dualGraph();
          ResidentGraph two = without.vertexGraph()) {
        assertEquals(0, none.vertices());
        assertEquals(2, two.graph().vertices());
        assertEquals(0, two.arcs());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void partsOfARefinedMesh(String spec) {
    try (Device device = Device.open(spec)) {
      try (ResultArrays arrays = ResultArrays.onDevice(device);
          ResidentGraph dual =
              MeshRefinement.run(device, mesh("uniform:400"), ANGLES, arrays).dualGraph()) {
        PartitionOptions options = PartitionOptions.of(4);
        PartitionResult found = GraphPartitioner.run(dual, options);
        assertEquals(List.of(), PartitionVerifier.verify(found));
        assertEquals(dual.vertices(), found.parts().length);
        PartitionResult expected = GraphPartitioner.run(device, dual.graph(), options);
        if (spec.equals("cpu:1")) { // which repeats itself
          assertArrayEquals(expected.parts(), found.parts());
          assertEquals(expected.cut(), found.cut());
        }
        int[] fixed = new int[dual.vertices()];
        Arrays.fill(fixed, -1);
        fixed[0] = 3;
        fixed[1] = 2;
        PartitionResult there =
            GraphPartitioner.run(dual, FixedVertices.of(fixed), options, arrays);
        assertArrayEquals(arrays.deviceInts("parts").toArray(), there.parts());
        assertEquals(3, there.parts()[0]);
        assertEquals(2, there.parts()[1]);
        assertEquals(List.of(), PartitionVerifier.verify(there));
        assertEquals(0, GraphPartitioner.run(dual, PartitionOptions.of(1)).cut());
        assertThrows(
            ImpossibleBalanceException.class,
            () -> GraphPartitioner.run(dual, PartitionOptions.of(dual.vertices() + 1)));
      }
      assertEquals(List.of(), device.leaks());
    }
  }

  @Test
  void aMeshIsRefinedAndPartitioned() {
    Mesh mesh = mesh("uniform:200");
    try (Device device = Device.open("cpu:1")) {
      PartitionResult parts;
      try (ResultArrays arrays = ResultArrays.onDevice(device);
          ResidentGraph triangles =
              MeshRefinement.run(device, mesh, RefinementOptions.defaults(), arrays).dualGraph()) {
        parts = GraphPartitioner.run(triangles, PartitionOptions.of(64));
      }
      assertEquals(63, Arrays.stream(parts.parts()).max().orElse(0));
    }
  }

  /** Self-loops, which no dual graph has, and vertices without arcs. */
  @Test
  void selfLoopsAreNotCut() {
    try (Device device = Device.open("cpu:1");
        ResidentGraph graph =
            ResidentGraph.of(
                device.copyOf(new int[] {0, 2, 4, 5, 5}),
                device.copyOf(new int[] {0, 1, 0, 2, 1}))) {
      PartitionResult found = GraphPartitioner.run(graph, PartitionOptions.of(2));
      assertEquals(List.of(), PartitionVerifier.verify(found));
      assertEquals(1, found.cut());
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void labelsOfAGraphThatIsThere(String spec) {
    Graph graph = GraphGenerators.generate("random:n=500,m=400,seed=3");
    int[] expected = ComponentsReference.run(graph).labels();
    try (Device device = Device.open(spec)) {
      try (ResultArrays arrays = ResultArrays.onDevice(device);
          ResidentGraph there =
              ResidentGraph.of(device.copyOf(graph.offsets()), device.copyOf(graph.neighbors()));
          ConnectedComponents components = new ConnectedComponents(there)) {
        for (ComponentsOptions.Form form : ComponentsOptions.Form.values()) {
          ComponentsOptions options = ComponentsOptions.defaults().withForm(form);
          ComponentsResult found = components.run(options, arrays);
          assertArrayEquals(expected, arrays.deviceInts("labels").toArray());
          assertArrayEquals(expected, found.labels());
          assertEquals(Arrays.stream(expected).distinct().count(), found.components());
          assertEquals(List.of(), ComponentsVerifier.verify(found));
          assertArrayEquals(expected, components.run(options).labels());
        }
      }
      assertEquals(List.of(), device.leaks());
    }
  }

  @Test
  void whatIsClosedOrInJavaIsRefused() {
    Mesh input = mesh("uniform:50");
    try (Device device = Device.open("cpu:1");
        ResultArrays arrays = ResultArrays.onDevice(device)) {
      RefinedArrays inJava = MeshRefinement.run(device, input, ANGLES, new ResultArrays());
      String message = assertThrows(IllegalStateException.class, inJava::dualGraph).getMessage();
      assertTrue(message.startsWith("this result is in Java's memory: take "), message);
      RefinedArrays first = MeshRefinement.run(device, input, ANGLES, arrays);
      ResidentGraph kept = first.dualGraph();
      MeshRefinement.run(device, input, ANGLES, arrays);
      assertThrows(IllegalStateException.class, first::dualGraph);
      assertThrows(IllegalStateException.class, first::vertexGraph);
      PartitionResult parts = GraphPartitioner.run(kept, PartitionOptions.of(2));
      Graph copy = kept.graph();
      kept.close();
      kept.close();
      assertSame(copy, parts.graph());
      assertEquals(List.of(), PartitionVerifier.verify(parts));
      assertThrows(IllegalStateException.class, kept::offsets);
      assertThrows(
          IllegalStateException.class, () -> GraphPartitioner.run(kept, PartitionOptions.of(2)));
      assertThrows(IllegalStateException.class, () -> new ConnectedComponents(kept));
      try (DeviceArray<int[]> empty = device.ints(0)) {
        assertThrows(IllegalArgumentException.class, () -> ResidentGraph.of(empty, empty));
      }
      try (Device other = Device.open("cpu:2");
          DeviceArray<int[]> elsewhere = other.ints(1);
          DeviceArray<int[]> here = device.ints(1)) {
        assertThrows(IllegalArgumentException.class, () -> ResidentGraph.of(here, elsewhere));
      }
      try (ResidentGraph oneWay =
          ResidentGraph.of(device.copyOf(new int[] {0, 1, 1}), device.copyOf(new int[] {1}))) {
        assertThrows(IllegalArgumentException.class, oneWay::graph);
      }
    }
  }
}
