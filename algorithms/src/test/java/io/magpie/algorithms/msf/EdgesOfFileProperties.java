package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.PropertyFolder;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.graph.FileEdges;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.algorithms.graph.WeightRange;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Forests of the edges of files, however they are cut, are those of a sequential Kruskal over the
 * graph in memory: of snapshots edge by edge.
 */
class EdgesOfFileProperties {
  private static Path folder;

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = PropertyFolder.make("file-edges");
  }

  @AfterContainer
  static void removeFolder() throws IOException {
    PropertyFolder.remove(folder);
  }

  @Property(tries = 60)
  void forestsOfFilesAreThoseOfGraphsInMemory(
      @ForAll("kinds") String kind,
      @ForAll("weights") String weights,
      @ForAll("suffixes") String suffix,
      @ForAll("devices") String device,
      @ForAll Objective objective,
      @ForAll("chunks") int chunk,
      @ForAll long seed)
      throws IOException {
    Graph graph = graph(kind).withWeights(seed, WeightRange.parse(weights));
    Path file = folder.resolve("graph" + suffix);
    GraphFormats.write(graph, file);
    ReadOptions options = ReadOptions.defaults();
    MsfResult expected = KruskalReference.run(GraphFormats.read(file, options), objective);
    FileEdges edges = FileEdges.open(file, options);
    NumberedForest forest;
    try (EdgeSource source = EdgeSource.of(edges)) {
      forest =
          StreamedForest.run(
              Variants.device(device),
              source,
              MsfOptions.defaults().withObjective(objective),
              chunk);
    }
    assertEquals(0, expected.exactWeight().compareTo(forest.exactWeight()));
    assertEquals(expected.components(), forest.components());
    if (suffix.equals(".mpg")) {
      assertArrayEquals(Arrays.stream(expected.arcs()).asLongStream().toArray(), forest.numbers());
    }
    try (EdgeSource again = EdgeSource.of(edges)) {
      assertEquals(List.of(), StreamVerifier.verify(forest, again));
    }
  }

  private static Graph graph(String kind) {
    return switch (kind) {
      case "empty" -> new GraphBuilder(0, false).build();
      case "isolated" -> new GraphBuilder(9, false).build();
      case "loops" -> new GraphBuilder(3, false).addEdge(0, 0).addEdge(2, 2).build();
      case "parallel" ->
          new GraphBuilder(3, false)
              .addEdge(0, 1)
              .addEdge(1, 0)
              .addEdge(0, 1)
              .addEdge(1, 1)
              .addEdge(2, 1)
              .build();
      default -> GraphGenerators.generate(kind);
    };
  }

  @Provide
  Arbitrary<String> kinds() {
    return Arbitraries.of(
        "empty",
        "isolated",
        "loops",
        "parallel",
        "star:n=60,weights=none",
        "path:n=60,weights=none",
        "road:n=80,weights=none",
        "rmat:scale=6,edges=300,weights=none",
        "random:n=80,m=60,weights=none");
  }

  @Provide
  Arbitrary<String> weights() {
    return Arbitraries.of(
        "int:-2147483648..2147483647",
        "int:7..7",
        "int:0..3",
        "long:-9223372036854775808..9223372036854775807",
        "long:-2..2",
        "float:-3.4028234e38..3.4028234e38",
        "double:-1e308..1e308",
        "double:0..1");
  }

  @Provide
  Arbitrary<String> suffixes() {
    return Arbitraries.of(".mpg", ".mpe", ".wel", ".txt.gz");
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(
        Variants.withGpu("cpu:4", TestDevices.compiled("cpu-checked:2"), "sim:2:4", "sim:1:1"));
  }

  @Provide
  Arbitrary<Integer> chunks() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(1, 400), Arbitraries.of(1, 2, 1000, 100_000));
  }
}
