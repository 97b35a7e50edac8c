package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphFormats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reader that hostile files are judged by knows every format, and whole files of it. */
class StrictGraphTest {
  private static List<String> suffixes() {
    return GraphFormats.suffixes();
  }

  @ParameterizedTest
  @MethodSource("suffixes")
  void aFileWithoutFaultSaysTheGraphThatWasWritten(String suffix, @TempDir Path folder)
      throws IOException {
    List<Graph> graphs = new ArrayList<>();
    for (boolean weighted : new boolean[] {false, true}) {
      if (suffix.equals(weighted ? ".el" : ".wel")) {
        continue;
      }
      if (!suffix.matches("\\.(txt|egr)")) { // which tell by their edges whether they have weights
        graphs.add(new GraphBuilder(0, weighted).build());
      }
      GraphBuilder builder = new GraphBuilder(5, weighted);
      builder.addEdge(0, 3, weighted ? 7 : 1).addEdge(3, 0, weighted ? 7 : 1).addEdge(2, 2, 1);
      graphs.add(builder.addEdge(1, 2, weighted ? Integer.MAX_VALUE : 1).build());
    }
    assertFalse(graphs.isEmpty());
    for (Graph graph : graphs) {
      Path file = folder.resolve("a" + suffix);
      GraphFormats.write(graph, file);
      assertEquals(
          StrictGraph.of(graph), StrictGraph.parse(suffix, Files.readAllBytes(file)), suffix);
    }
  }
}
