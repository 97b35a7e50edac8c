package io.magpie.algorithms.components;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.EdgeSource.Edge;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.NumberedForest;
import io.magpie.algorithms.msf.StreamedForest;
import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.Pseudograph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Components of edges in chunks: against JGraphT's, and what the check finds. */
class StreamedComponentsTest {
  private static int[] expected(Graph graph) {
    Pseudograph<Integer, DefaultEdge> same = new Pseudograph<>(DefaultEdge.class);
    for (int v = 0; v < graph.vertices(); v++) {
      same.addVertex(v);
    }
    for (int arc : graph.canonicalArcs()) {
      same.addEdge(graph.source(arc), graph.neighbors()[arc]);
    }
    int[] labels = new int[graph.vertices()];
    for (Set<Integer> component : new ConnectivityInspector<>(same).connectedSets()) {
      int least = new TreeSet<>(component).first();
      component.forEach(v -> labels[v] = least);
    }
    return labels;
  }

  @ParameterizedTest
  @CsvSource({
    "'random:n=2000,m=1500,weights=none', cpu:2, 100",
    "'random:n=2000,m=1500,weights=double:0..1', cpu:2, 1000",
    "'rmat:scale=10,edges=3000,weights=none', cpu-checked:2, 512",
    "'road:n=1000', cpu:2, 5000",
    "'star:n=500', sim:2:4, 100",
    "'path:n=500', sim:2:4, 499",
    "'path:n=1,weights=none', cpu:2, 1",
  })
  void labelsAreTheLeastVerticesOfTheComponents(String spec, String device, int chunk) {
    Graph graph = GraphGenerators.generate(spec);
    try (Device open = Device.open(TestDevices.compiled(device))) {
      StreamedComponents found =
          StreamedComponents.run(open, EdgeSource.of(graph), MsfOptions.defaults(), chunk);
      int[] labels = expected(graph);
      assertArrayEquals(labels, found.labels());
      assertEquals(Set.copyOf(boxed(labels)).size(), found.components());
      assertEquals(
          boxed(labels).stream()
              .mapToInt(label -> Collections.frequency(boxed(labels), label))
              .max()
              .orElse(0),
          found.largest());
      assertEquals(List.of(), found.verify(EdgeSource.of(graph)));
    }
  }

  /** Any vertex may stand for a component, not only the one that a device would take. */
  @Test
  void labelsOfAForestStayAsTheyAre() {
    try (Device open = Device.open("cpu:2")) {
      Graph graph = GraphGenerators.generate("random:n=200,m=150,weights=none");
      NumberedForest forest = StreamedForest.run(open, EdgeSource.of(graph), MsfOptions.defaults());
      int[] least = expected(graph);
      int[] greatest = new int[least.length];
      for (int v = 0; v < least.length; v++) {
        greatest[least[v]] = v;
      }
      for (int v = 0; v < least.length; v++) {
        forest.labels()[v] = greatest[least[v]];
      }
      int[] before = forest.labels().clone();
      assertArrayEquals(least, StreamedComponents.of(forest).labels());
      assertArrayEquals(before, forest.labels());
    }
  }

  private static List<Integer> boxed(int[] values) {
    List<Integer> list = new ArrayList<>();
    for (int value : values) {
      list.add(value);
    }
    return list;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void anyNumberOfDevicesFindsTheSame(int count) {
    Graph graph = GraphGenerators.generate("random:n=300,m=250,weights=none");
    List<Device> devices =
        Stream.of("cpu:1", "sim:2:4", "cpu:2", "cpu-checked:5", "cpu:3", "sim:3:4", "cpu:4")
            .limit(count)
            .map(TestDevices::compiled)
            .map(Variants::device)
            .toList();
    StreamedComponents found =
        StreamedComponents.run(devices, EdgeSource.of(graph), MsfOptions.defaults(), 20);
    assertArrayEquals(expected(graph), found.labels());
    assertEquals((found.report().edges() + 19) / 20, found.report().chunks());
    for (Device device : devices) {
      assertEquals(List.of(), device.leaks());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  void withoutEdgesEachVertexIsAComponent(int vertices) {
    List<Device> devices = List.of(Variants.device("cpu:1"), Variants.device("cpu:2"));
    StreamedComponents found =
        StreamedComponents.run(
            devices,
            EdgeSource.of(vertices, WeightType.INT, Collections.emptyIterator()),
            MsfOptions.defaults(),
            10);
    assertArrayEquals(IntStream.range(0, vertices).toArray(), found.labels());
    assertEquals(vertices, found.components());
    assertEquals(vertices == 0 ? 0 : 1, found.largest());
  }

  @Test
  void devicesMustBeDifferent() {
    Device one = Variants.device("cpu:1");
    EdgeSource none = EdgeSource.of(5, WeightType.INT, Collections.emptyIterator());
    MsfOptions options = MsfOptions.defaults();
    for (List<Device> devices : List.of(List.of(one, one), List.<Device>of())) {
      assertThrows(
          IllegalArgumentException.class, () -> StreamedComponents.run(devices, none, options, 10));
    }
  }

  @Test
  void theCheckSeesOtherEdges() {
    List<Edge> edges = List.of(new Edge(0, 0, 1, 1), new Edge(1, 3, 4, 1));
    try (Device open = Device.open("cpu:1")) {
      StreamedComponents found =
          StreamedComponents.run(
              open, EdgeSource.of(5, WeightType.INT, edges.iterator()), MsfOptions.defaults(), 10);
      assertEquals(
          List.of(
              "vertex 2 has label 2, the least vertex that its edges lead to is 0",
              "the result says 3 components, the edges make 2"),
          found.verify(
              EdgeSource.of(
                  5,
                  WeightType.INT,
                  List.of(edges.get(0), edges.get(1), new Edge(2, 2, 1, 1)).iterator())));
      assertEquals(
          List.of(
              "vertex 1 has label 0, the least vertex that its edges lead to is 1",
              "the result says 3 components, the edges make 4"),
          found.verify(EdgeSource.of(5, WeightType.INT, edges.subList(1, 2).iterator())));
      assertEquals(
          List.of("there are 5 labels for 4 vertices"),
          found.verify(EdgeSource.of(4, WeightType.INT, edges.iterator())));
    }
  }
}
