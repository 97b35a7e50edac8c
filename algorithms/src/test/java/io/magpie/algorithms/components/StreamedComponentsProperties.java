package io.magpie.algorithms.components;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.EdgeSource.Edge;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.StreamReport;
import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * Components of edges in chunks, by one device and by several, are those that relabeling edge by
 * edge gives: self-loops, parallel edges, isolated vertices, no edges, no vertices.
 */
class StreamedComponentsProperties {
  /** Edges as pairs of vertices. */
  record Stream(int vertices, List<List<Integer>> edges) {
    EdgeSource source() {
      List<Edge> numbered = new ArrayList<>();
      for (List<Integer> edge : edges) {
        numbered.add(new Edge(numbered.size(), edge.get(0), edge.get(1), 1));
      }
      return EdgeSource.of(vertices, WeightType.INT, numbered.iterator());
    }

    /** Each edge gives all vertices of one label the other one, if that is less. */
    int[] labels() {
      int[] labels = IntStream.range(0, vertices).toArray();
      for (List<Integer> edge : edges) {
        int one = labels[edge.get(0)];
        int other = labels[edge.get(1)];
        Arrays.setAll(
            labels, v -> labels[v] == Math.max(one, other) ? Math.min(one, other) : labels[v]);
      }
      return labels;
    }
  }

  @Property(tries = 25, shrinking = ShrinkingMode.BOUNDED)
  void anyCutAndAnyDevicesGiveTheLabelsOfRelabeling(
      @ForAll("streams") Stream stream,
      @ForAll("merges") MsfOptions options,
      @ForAll("chunks") int chunk,
      @ForAll("severalDevices") List<String> specs) {
    List<Device> devices = specs.stream().map(Variants::device).toList();
    StreamedComponents found = StreamedComponents.run(devices, stream.source(), options, chunk);
    int[] labels = stream.labels();
    assertArrayEquals(labels, found.labels());
    assertEquals(Arrays.stream(labels).distinct().count(), found.components());
    assertEquals(List.of(), found.verify(stream.source()));
    StreamReport report = found.report();
    assertEquals(stream.edges().size(), report.edges());
    assertEquals(
        devices.stream()
            .map(device -> device.description().spec())
            .collect(Collectors.joining(", ")),
        report.device());
  }

  @Provide
  Arbitrary<Stream> streams() {
    return Arbitraries.integers()
        .between(0, 60)
        .flatMap(
            vertices ->
                Arbitraries.integers()
                    .between(0, Math.max(0, vertices - 1))
                    .list()
                    .ofSize(2)
                    .list()
                    .ofMaxSize(vertices == 0 ? 0 : 150)
                    .map(edges -> new Stream(vertices, edges)));
  }

  @Provide
  Arbitrary<MsfOptions> merges() {
    MsfOptions options = MsfOptions.defaults();
    return Arbitraries.of(options, options.withMerge(MsfOptions.Merge.ATOMIC));
  }

  @Provide
  Arbitrary<Integer> chunks() {
    return Arbitraries.of(1, 2, 5, 13, 40, 149, 150, 100_000);
  }

  @Provide
  Arbitrary<List<String>> severalDevices() {
    List<String> all =
        TestDevices.of(
            List.of("cpu:1", "cpu:2", "cpu:3", "cpu:4", "cpu-checked:5", "sim:2:4", "sim:3:4"));
    return Arbitraries.shuffle(all.stream().map(TestDevices::compiled).toList())
        .flatMap(order -> Arbitraries.of(1, 2, 3, 7).map(count -> order.subList(0, count)));
  }
}
