package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.components.ComponentsOptions;
import io.magpie.algorithms.components.ComponentsResult;
import io.magpie.algorithms.components.ComponentsVerifier;
import io.magpie.algorithms.components.ConnectedComponents;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.msf.MinimumSpanningForest;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.MsfResult;
import io.magpie.algorithms.msf.MsfVerifier;
import io.magpie.algorithms.partition.GraphPartitioner;
import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.algorithms.partition.PartitionResult;
import io.magpie.algorithms.partition.PartitionVerifier;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.parallel.ScanOperator;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultArraysTest {
  @Test
  void arraysAreKeptWhileTheirLengthIsThatOfTheResult() {
    ResultArrays arrays = new ResultArrays();
    int[] first = arrays.ints("labels", 10);
    assertEquals(10, first.length);
    assertSame(first, arrays.ints("labels", 10));
    assertNotSame(first, arrays.ints("parts", 10));
    assertEquals(9, arrays.ints("labels", 9).length);
    assertEquals(11, arrays.ints("labels", 11).length);
  }

  @Test
  void arraysOfUnknownLengthAreKeptWhileTheyAreLongEnough() {
    ResultArrays arrays = new ResultArrays();
    int[] first = arrays.intsFrom("corners", 80);
    assertEquals(90, first.length);
    assertSame(first, arrays.intsFrom("corners", 0));
    assertSame(first, arrays.intsFrom("corners", 90));
    assertEquals(102, arrays.intsFrom("corners", 91).length);
    double[] coordinates = arrays.doublesFrom("coordinates", 16);
    assertEquals(18, coordinates.length);
    assertSame(coordinates, arrays.doublesFrom("coordinates", 18));
  }

  @Test
  void givenArraysAreFilledAndNeverReplaced() {
    int[] labels = new int[3];
    double[] coordinates = new double[4];
    ResultArrays arrays =
        new ResultArrays().give("labels", labels).give("coordinates", coordinates);
    assertSame(labels, arrays.ints("labels", 3));
    assertSame(coordinates, arrays.doublesFrom("coordinates", 2));
    assertRefused(
        "the array given for labels is int[3]: expected int[4]", () -> arrays.ints("labels", 4));
    assertRefused(
        "the array given for labels is int[3]: expected int[2]", () -> arrays.ints("labels", 2));
    assertRefused(
        "the array given for coordinates is double[4]: expected double[5] or longer",
        () -> arrays.doublesFrom("coordinates", 5));
    assertRefused(
        "the array given for labels is int[3]: expected double[3] or longer",
        () -> arrays.doublesFrom("labels", 3));
    assertSame(labels, arrays.ints("labels", 3));
  }

  @Test
  void namesThatAnAlgorithmDoesNotHaveAreRefused() {
    ResultArrays arrays = new ResultArrays().give("labels", new int[1]).give("lables", new int[1]);
    assertRefused(
        "arrays were given for lables, but the results are labels",
        () -> arrays.requireNames("labels"));
    ResultArrays kept = new ResultArrays();
    kept.ints("labels", 1); // of another algorithm: no objection
    kept.requireNames("parts");
    assertThrows(NullPointerException.class, () -> kept.give("labels", (int[]) null));
  }

  @Test
  void anArrayHasOneName() {
    int[] corners = new int[3];
    ResultArrays arrays = new ResultArrays().give("corners", corners).give("corners", corners);
    String message = "the array given for neighbors is that for corners: give another one";
    assertRefused(message, () -> arrays.give("neighbors", corners));
    arrays.give("corners", new int[3]).give("neighbors", corners);
    int[] kept = new ResultArrays().ints("labels", 3);
    ResultArrays others = new ResultArrays();
    int[] made = others.ints("corners", 3);
    assertRefused(message, () -> others.give("neighbors", made));
    others.give("neighbors", kept);
  }

  @Test
  void theArraysOfTheGraphAreNotOverwritten() {
    Graph grid = GraphGenerators.generate("grid:20,weights=none");
    int[] weights = new int[grid.vertices()];
    Arrays.fill(weights, 1);
    Graph graph = Graph.of(grid.offsets(), grid.neighbors(), grid.weights(), weights);
    String message = "is one of the input's: give another one";
    try (Device device = Device.open("cpu:2")) {
      ResultArrays labels = new ResultArrays().give("labels", weights);
      assertRefused(
          "the array for labels " + message,
          () -> MinimumSpanningForest.run(device, graph, MsfOptions.defaults(), labels));
      assertRefused(
          "the array for labels " + message,
          () -> ConnectedComponents.run(device, graph, ComponentsOptions.defaults(), labels));
      ResultArrays parts = new ResultArrays().give("parts", weights);
      assertRefused(
          "the array for parts " + message,
          () -> GraphPartitioner.run(device, graph, PartitionOptions.of(2), parts));
    }
    assertEquals(grid.vertices(), Arrays.stream(weights).sum());
  }

  private static Graph graph() {
    return GraphGenerators.generate("road:n=3000,degree=2.4,seed=5,weights=distance");
  }

  /**
   * In turn, for all algorithms have arrays for each vertex, and one array's content is another's.
   */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:2", "sim"})
  void resultsForEachVertexAreInTheArrays(String spec) {
    Graph graph = graph();
    int[] values = new int[graph.vertices()];
    ResultArrays labels = new ResultArrays().give("labels", values);
    try (Device device = Device.open(spec);
        MinimumSpanningForest forests = new MinimumSpanningForest(device, graph);
        ConnectedComponents components = new ConnectedComponents(device, graph)) {
      Arrays.fill(values, -7);
      MsfResult forest = forests.run(MsfOptions.defaults(), labels);
      assertSame(values, forest.labels());
      assertEquals(List.of(), MsfVerifier.verify(forest));
      Arrays.fill(values, -7);
      forest = MinimumSpanningForest.run(device, graph, MsfOptions.defaults(), labels);
      assertSame(values, forest.labels());
      assertEquals(List.of(), MsfVerifier.verify(forest));
      ComponentsResult found = components.run(ComponentsOptions.defaults(), labels);
      assertSame(values, found.labels());
      assertEquals(List.of(), ComponentsVerifier.verify(found));
      Arrays.fill(values, -7);
      found = ConnectedComponents.run(device, graph, ComponentsOptions.defaults(), labels);
      assertSame(values, found.labels());
      assertEquals(List.of(), ComponentsVerifier.verify(found));
      ResultArrays parts = new ResultArrays().give("parts", values);
      for (int count : new int[] {4, 1}) {
        PartitionOptions options = PartitionOptions.defaults().withParts(count);
        PartitionResult partition = GraphPartitioner.run(device, graph, options, parts);
        assertSame(values, partition.parts());
        assertEquals(List.of(), PartitionVerifier.verify(partition));
      }
    }
  }

  @Test
  void wrongArraysAreRefusedBeforeTheWork() {
    Graph graph = graph();
    ResultArrays shorter = new ResultArrays().give("labels", new int[2999]);
    String message =
        "the array given for labels is int[2999]: expected int[" + graph.vertices() + "]";
    try (Device device = Device.open("cpu:2")) {
      assertRefused(
          message, () -> MinimumSpanningForest.run(device, graph, MsfOptions.defaults(), shorter));
      assertRefused(
          message,
          () -> ConnectedComponents.run(device, graph, ComponentsOptions.defaults(), shorter));
      assertRefused(
          "arrays were given for labels, but the results are parts",
          () ->
              GraphPartitioner.run(
                  device, graph, PartitionOptions.defaults().withParts(2), shorter));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:2", "sim"})
  void resultsStayOnTheDeviceForTheNextCall(String spec) {
    Graph graph = graph();
    try (Device device = Device.open(spec);
        ResultArrays arrays = ResultArrays.onDevice(device);
        DeviceArray<int[]> vertices = device.ints(graph.vertices())) {
      MsfResult forest = MinimumSpanningForest.run(device, graph, MsfOptions.defaults(), arrays);
      DeviceArray<int[]> labels = arrays.deviceInts("labels");
      assertArrayEquals(labels.toArray(), forest.labels());
      assertSame(forest.labels(), forest.labels());
      assertEquals(List.of(), MsfVerifier.verify(forest));
      int[] sorted = forest.labels().clone();
      Arrays.sort(sorted);
      Primitives.of(device).sort(labels, vertices, Integer.SIZE - 1); // components side by side
      assertArrayEquals(sorted, labels.toArray());
      assertEquals(forest.components(), Arrays.stream(sorted).distinct().count());
      ComponentsResult found =
          ConnectedComponents.run(device, graph, ComponentsOptions.defaults(), arrays);
      assertArrayEquals(arrays.deviceInts("labels").toArray(), found.labels());
      assertEquals(List.of(), ComponentsVerifier.verify(found));
      for (int count : new int[] {4, 1}) {
        PartitionResult partition =
            GraphPartitioner.run(
                device, graph, PartitionOptions.defaults().withParts(count), arrays);
        DeviceArray<int[]> parts = arrays.deviceInts("parts");
        assertEquals(count - 1, Primitives.of(device).reduce(parts, ScanOperator.MAX));
        assertArrayEquals(parts.toArray(), partition.parts());
        assertEquals(List.of(), PartitionVerifier.verify(partition));
      }
    }
  }

  /** A result that rounded weights is made to keep the balance in Java, and goes to the device. */
  @Test
  void repairedPartsGoToTheDevice() {
    Graph graph = GraphGenerators.generate("grid:20,weights=none");
    int[] weights = new int[graph.vertices()];
    Arrays.setAll(weights, v -> Integer.MAX_VALUE - v * 1_000_003);
    Graph heavy = Graph.of(graph.offsets(), graph.neighbors(), graph.weights(), weights);
    try (Device device = Device.open("cpu:2");
        ResultArrays arrays = ResultArrays.onDevice(device)) {
      PartitionResult partition =
          GraphPartitioner.run(device, heavy, PartitionOptions.defaults().withParts(3), arrays);
      assertArrayEquals(arrays.deviceInts("parts").toArray(), partition.parts());
      assertEquals(List.of(), PartitionVerifier.verify(partition));
    }
  }

  @Test
  void arraysOnTheDeviceAreKeptWhileTheySuit() {
    try (Device device = Device.open("cpu:2")) {
      ResultArrays arrays = ResultArrays.onDevice(device);
      DeviceArray<int[]> first = arrays.deviceInts("labels", 10);
      assertSame(first, arrays.deviceInts("labels", 10));
      assertSame(first, arrays.deviceInts("labels"));
      DeviceArray<int[]> second = arrays.deviceInts("labels", 9);
      assertEquals(9, second.length());
      assertThrows(IllegalStateException.class, first::toArray);
      DeviceArray<int[]> corners = arrays.deviceIntsFrom("corners", 80);
      assertEquals(90, corners.length());
      assertSame(corners, arrays.deviceIntsFrom("corners", 90));
      assertEquals(102, arrays.deviceIntsFrom("corners", 91).length());
      assertEquals(18, arrays.deviceDoublesFrom("coordinates", 16).length());
      assertSame(arrays.deviceDoubles("coordinates"), arrays.deviceDoublesFrom("coordinates", 18));
      assertRefused(
          "no call has left double[] labels on a device here",
          () -> arrays.deviceDoubles("labels"));
      assertRefused(
          "no call has left int[] parts on a device here", () -> arrays.deviceInts("parts"));
      arrays.close();
      assertThrows(IllegalStateException.class, second::toArray);
      arrays.close();
      assertEquals(
          "the array given for labels is not on cpu:2",
          assertThrows(IllegalStateException.class, () -> arrays.give("labels", new int[1]))
              .getMessage());
    }
  }

  @Test
  void whatCannotStayOnTheDeviceIsRefused() {
    Graph graph = graph();
    try (Device device = Device.open("cpu:2");
        Device other = Device.open("cpu:1");
        ResultArrays arrays = ResultArrays.onDevice(device);
        MinimumSpanningForest forests = new MinimumSpanningForest(device, graph);
        MinimumSpanningForest elsewhere = new MinimumSpanningForest(other, graph)) {
      assertRefused(
          "the arrays for results are on cpu:2, and the call runs on cpu:1",
          () -> elsewhere.run(MsfOptions.defaults(), arrays));
      MsfResult first = forests.run(MsfOptions.defaults(), arrays);
      MsfResult second = forests.run(MsfOptions.defaults(), arrays);
      IllegalStateException late = assertThrows(IllegalStateException.class, first::labels);
      assertTrue(late.getMessage().startsWith("a later call has written"), late.getMessage());
      assertEquals(List.of(), MsfVerifier.verify(second));
    }
  }

  private static void assertRefused(String message, Runnable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }
}
