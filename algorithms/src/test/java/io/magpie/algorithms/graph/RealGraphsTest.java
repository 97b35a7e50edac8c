package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.RealData;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads real graphs where they are at hand; see {@link RealData}. */
class RealGraphsTest {
  @ParameterizedTest
  @CsvSource({
    "roads/NY.gr.xz, 264346, 365050, 8",
    "roads/BAY.gr.xz, 321270, 397415, 7",
    "graphs/4elt.graph.gz, 15606, 45878, 10",
    "graphs/copter2.graph.gz, 55476, 352238, 44",
    "graphs/mdual.graph.gz, 258569, 513132, 4",
    "graphs/wave.graph.gz, 156317, 1059331, 44",
    "graphs/delaunay_n15.graph.gz, 32768, 98274, 18",
  })
  void countsAreThePublishedOnes(String name, int vertices, long edges, int largestDegree)
      throws IOException {
    Path file = RealData.file(name);
    Graph graph = GraphFormats.read(file, ReadOptions.defaults().withSymmetry(Symmetry.REQUIRE));
    assertEquals(vertices, graph.vertices());
    assertEquals(edges, graph.edges());
    assertEquals(2 * edges, graph.arcs());
    int largest = 0;
    for (int v = 0; v < vertices; v++) {
      largest = Math.max(largest, graph.degree(v));
    }
    assertEquals(largestDegree, largest);
  }
}
