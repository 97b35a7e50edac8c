package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.examples.input.DirectedGraphFile;
import io.magpie.examples.input.GraphHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GenerateCommandTest {
  @TempDir Path folder;

  @Test
  void generatedGraphsAreTheSameEveryTime() throws IOException {
    Path first = folder.resolve("a.gr");
    Path again = folder.resolve("b.gr");
    Path other = folder.resolve("c.gr");
    CommandRun run =
        CommandRun.of("generate", "road:100", "--seed", "3", "--out", first.toString());
    assertTrue(run.expect(ExitStatus.OK).out().contains("100 vertices"), run.out());
    CommandRun.of("generate", "road:n=100,seed=3", "--out", again.toString()).expect(ExitStatus.OK);
    CommandRun.of("generate", "road:100", "--out", other.toString()).expect(ExitStatus.OK);
    assertEquals(Files.readString(first), Files.readString(again));
    assertFalse(Files.readString(first).equals(Files.readString(other)));
  }

  /** A directed graph comes back as the arcs that the generator gives, with the same hash. */
  @ParameterizedTest
  @CsvSource({
    "'random:n=60,m=200,directed', a.gr",
    "'rmat:n=60,edges=200,directed', a.wel",
    "'rmat:6,edges=200,directed,weights=none', a.el",
    "'rmat:6,edges=200,directed,weights=1..9', a.mtx.gz",
    "'random:n=60,directed', a.egr",
    "'random:n=60,directed,weights=none', a.mpg.xz"
  })
  void directedGraphsComeBack(String generated, String name) throws IOException {
    Path file = folder.resolve(name);
    CommandRun run =
        CommandRun.of("generate", generated, "--out", file.toString()).expect(ExitStatus.OK);
    DirectedGraph graph = GraphGenerators.parse(generated).generateDirected();
    String sizes = ": " + graph.vertices() + " vertices, " + graph.arcs() + " arcs, ";
    assertTrue(run.out().contains(sizes), run.out());
    DirectedGraph read = DirectedGraphFile.of(file).directedGraph();
    assertEquals(graph, read);
    assertEquals(GraphHash.of(graph), GraphHash.of(read));
  }

  /** Edge by edge, without a graph, and yet the same graph. */
  @Test
  void edgesAreWrittenOneByOne() throws IOException {
    Path streamed = folder.resolve("a.mpe");
    Path whole = folder.resolve("a.mpg");
    for (String spec : List.of("random:n=500,m=3000", "rmat:scale=8,weights=double:0..1")) {
      for (Path file : List.of(streamed, whole)) {
        CommandRun.of("generate", spec, "--seed", "5", "--out", file.toString())
            .expect(ExitStatus.OK);
      }
      assertEquals(GraphFormats.read(whole).sorted(), GraphFormats.read(streamed).sorted(), spec);
      for (String engine : List.of("memory", "stream")) {
        Path converted = folder.resolve(engine + ".mpe");
        CommandRun.of(
                "convert",
                "--engine",
                engine,
                "--graph",
                streamed.toString(),
                "--out",
                converted.toString())
            .expect(ExitStatus.OK);
        assertEquals(
            GraphFormats.read(streamed).sorted(), GraphFormats.read(converted).sorted(), engine);
      }
    }
    CommandRun bad =
        CommandRun.of("generate", "random:n=9,edges=7", "--out", streamed.toString())
            .expect(ExitStatus.USAGE);
    assertTrue(bad.err().contains("edges"), bad.err());
  }

  /** Before any work: this graph would not fit into memory. */
  @ParameterizedTest
  @CsvSource({
    "road:9, a.el, 'has weights, which .el cannot hold (use .wel or .txt)'",
    "road:2G, a.el, 'has weights, which .el cannot hold (use .wel or .txt)'",
    "'road:9,weights=none', a.wel, 'has no weights, which .wel must have (use .el or .txt)'",
    "'random:2G,m=9,directed', a.graph, 'is directed, and the format lists edges without a direction'",
    "'random:9,directed,weights=none', a.gr, 'is directed and has no weights, which the arcs of .gr'"
  })
  void aFormatThatCannotHoldTheGraphIsWrongUsage(String generated, String name, String problem) {
    String file = folder.resolve(name).toString();
    CommandRun run = CommandRun.of("generate", generated, "--out", file).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(file + ": the graph " + problem), run.err());
    assertFalse(Files.exists(Path.of(file)));
  }
}
