package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.examples.input.InputException;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.NumberList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgumentReaderTest {
  @TempDir Path folder;

  private final ArgumentReader reader = new ArgumentReader();

  @Test
  void partsAreTheArraysOfTheGraph() throws IOException {
    Graph graph = GraphGenerators.generate("road:50");
    Map<String, NumberList> parts =
        Map.of(
            "offsets", NumberList.of(graph.offsets()),
            "neighbors", NumberList.of(graph.neighbors()),
            "sources", NumberList.of(sources(graph)),
            "weights", NumberList.of(graph.weights()));
    ArgumentSpec rows = reader.read("csr:road:50");
    assertEquals(parts.keySet(), rows.members().keySet());
    for (String name : parts.keySet()) {
      String text = "csr." + name + ":generate:road:50";
      ArgumentSpec part = reader.read(text);
      assertEquals(parts.get(name), part.numbers());
      assertEquals(parts.get(name), rows.members().get(name).numbers());
      assertEquals(text, part.toString());
    }
  }

  private static int[] sources(Graph graph) {
    int[] sources = new int[graph.neighbors().length];
    for (int v = 0; v < graph.vertices(); v++) {
      Arrays.fill(sources, graph.offsets()[v], graph.offsets()[v + 1], v);
    }
    return sources;
  }

  @Test
  void countsStandForNumbersAnywhere() throws IOException {
    Graph graph = GraphGenerators.generate("road:50");
    assertEquals("objects:50", reader.read("objects:vertices(road:50)").toString());
    assertEquals(graph.arcs(), reader.read("fill:-1:arcs(road:50)").length());
    assertEquals("50", reader.read("vertices(road:50)").toString());
    assertEquals(
        "random:50:" + graph.arcs(),
        reader.read("random:vertices(road:50):arcs(generate:road:50)").toString());
    assertEquals("[50,7]", reader.read("[vertices(road:50),7]").toString());
    for (String wrong : List.of("zeros:myvertices(road:50)", "zeros:vertices(road:50", "arcs")) {
      assertThrows(IllegalArgumentException.class, () -> reader.read(wrong));
    }
  }

  @Test
  void eachGraphIsReadOnce() throws IOException {
    Path file = Files.writeString(folder.resolve("a.el"), "0 1\n1 2\n");
    assertEquals(NumberList.of(0, 1, 3, 4), reader.read("csr.offsets:" + file).numbers());
    Files.delete(file);
    assertEquals(NumberList.of(1, 0, 2, 1), reader.read("csr.neighbors:" + file).numbers());
    assertEquals("3", reader.read("vertices(" + file + ")").toString());
    assertEquals(
        Set.of("offsets", "neighbors", "sources"), reader.read("csr:" + file).members().keySet());
    InputException e = assertThrows(InputException.class, () -> reader.read("csr:graph:" + file));
    assertTrue(e.getMessage().contains("no such file"), e.getMessage());
  }

  @Test
  void aFileOfTheWholeNameComesFirst() throws IOException {
    Path file = Files.writeString(folder.resolve("road:5.el"), "0 1\n");
    assertEquals(2, reader.read("zeros:vertices(" + file + ")").length());
  }
}
