package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.RealData;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Forests of real road networks, where they are at hand; see {@link RealData}. */
class RealForestsTest {
  private static Graph read(String name) throws IOException {
    return GraphFormats.read(RealData.file(name), ReadOptions.defaults());
  }

  /** The weights that ECL-MST gives to unweighted graphs; the sums are known from other codes. */
  private static Graph withProductWeights(Graph graph) {
    int[] weights = new int[(int) graph.arcs()];
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = (int) graph.offset(v); a < (int) graph.offset(v + 1); a++) {
        weights[a] = Math.abs(1 + (v * graph.neighbors()[a]) % graph.vertices());
      }
    }
    return Graph.of(graph.offsets(), graph.neighbors(), weights);
  }

  @ParameterizedTest
  @CsvSource({"roads/NY.gr.xz, 27253492594", "roads/BAY.gr.xz, 44047422157"})
  void knownWeights(String name, long weight) throws IOException {
    Graph graph = withProductWeights(read(name));
    MsfResult reference = KruskalReference.run(graph);
    assertEquals(weight, reference.weight());
    assertEquals(1, reference.components());
    assertEquals(weight, Oracle.weight(graph));
    checkAll(graph, reference, Variants.all(), "cpu", "cuda");
  }

  /** The first vertices of a real graph, with the edges among them: as much as is simulated. */
  @ParameterizedTest
  @CsvSource({"roads/NY.gr.xz, 700", "roads/BAY.gr.xz, 700"})
  void cutOutsOnTheSimulator(String name, int vertices) throws IOException {
    Graph whole = read(name);
    GraphBuilder part = new GraphBuilder(vertices, false);
    for (int v = 0; v < vertices; v++) {
      for (int a = (int) whole.offset(v); a < (int) whole.offset(v + 1); a++) {
        if (v < whole.neighbors()[a] && whole.neighbors()[a] < vertices) {
          part.addEdge(v, whole.neighbors()[a]);
        }
      }
    }
    Graph graph = part.build().withWeights(7, 1000);
    MsfResult reference = KruskalReference.run(graph);
    assertEquals(Oracle.weight(graph), reference.weight());
    checkAll(graph, reference, Variants.all(), "sim:3:1", "sim:4:4", "sim:5:32");
  }

  @ParameterizedTest
  @CsvSource({"roads/NY.gr.xz, 1000000", "roads/BAY.gr.xz, 3"})
  void hashedWeights(String name, int largest) throws IOException {
    Graph graph = read(name).withWeights(42, largest);
    MsfResult reference = KruskalReference.run(graph);
    assertEquals(Oracle.weight(graph), reference.weight());
    checkAll(graph, reference, List.of(MsfOptions.defaults()), "cpu", "cuda");
  }

  private static void checkAll(
      Graph graph, MsfResult reference, List<MsfOptions> variants, String... specs) {
    List<String> devices =
        Stream.of(specs)
            .filter(spec -> !spec.equals("cuda") || Device.whyNoGpu().isEmpty())
            .toList();
    for (String spec : devices) {
      try (MinimumSpanningForest forest = new MinimumSpanningForest(Variants.device(spec), graph)) {
        for (MsfOptions options : variants) {
          Variants.run(spec, forest, options)
              .ifPresent(
                  result -> {
                    assertEquals(reference.weight(), result.weight(), () -> spec + " " + options);
                    assertEquals(reference.edges(), result.edges(), () -> spec + " " + options);
                  });
        }
        MsfResult last = forest.run(variants.get(0));
        assertEquals(List.of(), MsfVerifier.verify(last, reference), spec);
      }
    }
  }
}
