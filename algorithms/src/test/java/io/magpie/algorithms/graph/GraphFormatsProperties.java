package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.PropertyFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class GraphFormatsProperties {
  private static Path folder;

  /** One edge as it is given to a builder. */
  record Edge(int u, int v, int weight) {}

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = PropertyFolder.make("graph-formats");
  }

  @AfterContainer
  static void removeFolder() throws IOException {
    PropertyFolder.remove(folder);
  }

  /** Self-loops, parallel edges, isolated vertices and extreme weights are likely. */
  @Provide
  Arbitrary<Graph> graphs() {
    Arbitrary<Integer> weights =
        Arbitraries.oneOf(
            Arbitraries.of(0, 1, 7, Integer.MAX_VALUE),
            Arbitraries.integers().between(0, Integer.MAX_VALUE));
    return Arbitraries.integers()
        .between(0, 12)
        .flatMap(
            n -> {
              Arbitrary<Integer> vertices = Arbitraries.integers().between(0, Math.max(0, n - 1));
              Arbitrary<List<Edge>> edges =
                  Combinators.combine(vertices, vertices, weights)
                      .as(Edge::new)
                      .list()
                      .ofMaxSize(n == 0 ? 0 : 30);
              return Combinators.combine(
                      edges,
                      Arbitraries.of(true, false),
                      weights.list().ofSize(n),
                      Arbitraries.of(true, false))
                  .as(
                      (list, weighted, vertexWeights, vertexWeighted) -> {
                        GraphBuilder builder = new GraphBuilder(n, weighted);
                        for (Edge edge : list) {
                          builder.addEdge(edge.u, edge.v, edge.weight);
                        }
                        if (vertexWeighted) {
                          builder.vertexWeights(
                              vertexWeights.stream().mapToInt(Integer::intValue).toArray());
                        }
                        return builder.build();
                      });
            });
  }

  @Provide
  Arbitrary<String> suffixes() {
    return Arbitraries.of(GraphFormats.suffixes());
  }

  @Provide
  Arbitrary<String> compressions() {
    return Arbitraries.of("", ".gz", ".xz");
  }

  /** The part of a graph that a format can hold. */
  private static Graph holdable(Graph graph, String suffix) {
    Graph result =
        suffix.equals(".graph") || suffix.equals(".mpg") ? graph : graph.withoutVertexWeights();
    if (suffix.equals(".el")
        || (graph.arcs() == 0 && (suffix.equals(".txt") || suffix.equals(".egr")))) {
      return result.withoutWeights();
    }
    return suffix.equals(".wel") && !graph.weighted() ? result.withWeights(1, 5) : result;
  }

  @Property(tries = 600)
  void everyFormatGivesBackWhatWasWritten(
      @ForAll("graphs") Graph graph,
      @ForAll("suffixes") String suffix,
      @ForAll("compressions") String compression)
      throws IOException {
    Graph written = holdable(graph, suffix);
    Path file = folder.resolve("graph" + suffix + compression);
    GraphFormats.write(written, file);
    Graph read = GraphFormats.read(file);
    assertEquals(written.sorted(), read.sorted());
    // Formats that list arcs keep the order in the lists too.
    if (List.of(".graph", ".egr", ".mpg").contains(suffix)
        || (suffix.equals(".gr") && written.weighted())) {
      assertEquals(written, read);
    }
    assertEquals(
        read, Graph.of(read.offsets(), read.neighbors(), read.weights(), read.vertexWeights()));
  }

  @Provide
  Arbitrary<DirectedGraph> directedGraphs() {
    Arbitrary<Integer> weights = Arbitraries.of(0, 1, 7, Integer.MAX_VALUE);
    return Arbitraries.integers()
        .between(0, 12)
        .flatMap(
            n -> {
              Arbitrary<Integer> vertices = Arbitraries.integers().between(0, Math.max(0, n - 1));
              Arbitrary<List<Edge>> arcs =
                  Combinators.combine(vertices, vertices, weights)
                      .as(Edge::new)
                      .list()
                      .ofMaxSize(n == 0 ? 0 : 30);
              return Combinators.combine(arcs, Arbitraries.of(true, false))
                  .as(
                      (list, weighted) -> {
                        GraphBuilder builder = new GraphBuilder(n, weighted);
                        list.forEach(arc -> builder.addArc(arc.u, arc.v, arc.weight));
                        return builder.buildDirected();
                      });
            });
  }

  /** The part of a directed graph that a format can hold; null where that is nothing. */
  private static DirectedGraph holdable(DirectedGraph graph, String suffix) {
    boolean lost = graph.arcs() == 0 && List.of(".txt", ".egr").contains(suffix);
    return switch (suffix) {
      case ".graph", ".mpe" -> null;
      case ".gr", ".wel" -> graph.weighted() ? graph : graph.withWeights(1, 0, 5);
      default -> suffix.equals(".el") || lost ? graph.withoutWeights() : graph;
    };
  }

  @Property(tries = 600)
  void everyFormatGivesBackTheArcsThatWereWritten(
      @ForAll("directedGraphs") DirectedGraph graph,
      @ForAll("suffixes") String suffix,
      @ForAll("compressions") String compression)
      throws IOException {
    Path file = folder.resolve("directed" + suffix + compression);
    DirectedGraph written = holdable(graph, suffix);
    if (written == null) {
      assertThrows(IllegalArgumentException.class, () -> GraphFormats.write(graph, file));
      assertFalse(Files.exists(file));
      return;
    }
    GraphFormats.write(written, file);
    DirectedGraph read = GraphFormats.readDirected(file);
    assertEquals(written, read);
    assertEquals(written.fingerprint(), read.fingerprint());
    if (suffix.equals(".mpg")) { // says that it is directed
      assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
      return;
    }
    // Nothing about other files keeps them from being read as undirected graphs.
    GraphBuilder builder = new GraphBuilder(written.vertices(), written.weighted());
    for (int u = 0; u < written.vertices(); u++) {
      for (int a = written.offsets()[u]; a < written.offsets()[u + 1]; a++) {
        builder.addArc(u, written.neighbors()[a], written.weight(a));
      }
    }
    assertEquals(builder.build().sorted(), GraphFormats.read(file).sorted());
  }

  @Property(tries = 300)
  void symmetrizingDoesNotDependOnTheOrderOfArcs(
      @ForAll("graphs") Graph graph, @ForAll Random random) {
    // Each edge as its two arcs, in any order, and with some second arcs left out.
    List<Edge> arcs = new ArrayList<>();
    for (int a : graph.canonicalArcs()) {
      int u = graph.source(a);
      int v = graph.neighbors()[a];
      arcs.add(new Edge(u, v, graph.weight(a)));
      if (u != v && random.nextBoolean()) {
        arcs.add(new Edge(v, u, graph.weight(a)));
      }
    }
    Collections.shuffle(arcs, random);
    GraphBuilder builder = new GraphBuilder(graph.vertices(), graph.weighted());
    arcs.forEach(arc -> builder.addArc(arc.u, arc.v, arc.weight));
    assertEquals(graph.withoutVertexWeights().sorted(), builder.build().sorted());
  }

  /** Any damage gives an exception that names the file, or a graph that is valid. */
  @Property(tries = 600)
  void damagedFilesNeverMakeInvalidGraphs(
      @ForAll("graphs") Graph graph, @ForAll("suffixes") String suffix, @ForAll Random random) {
    Graph written = holdable(graph, suffix);
    Path file = folder.resolve("damaged" + suffix);
    try {
      GraphFormats.write(written, file);
      byte[] bytes = Files.readAllBytes(file);
      String replacements = "0123456789 -\n\t.aepx%#\u0000\u00ff";
      for (int i = 0; i < 1 + random.nextInt(3) && bytes.length > 0; i++) {
        bytes[random.nextInt(bytes.length)] =
            (byte) replacements.charAt(random.nextInt(replacements.length()));
      }
      Files.write(file, bytes);
      Graph read = GraphFormats.read(file);
      assertEquals(read, rebuilt(read));
      DirectedGraph arcs = GraphFormats.readDirected(file);
      DirectedGraph.of(arcs.offsets(), arcs.neighbors(), arcs.weights());
    } catch (FileFormatException e) {
      assertTrue(e.getMessage().startsWith(file.toString()), e::getMessage);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same graph, of arrays that are checked. */
  private static Graph rebuilt(Graph graph) {
    int[] ints = graph.weightType() == WeightType.INT ? graph.weights() : null;
    Graph bare = Graph.of(graph.offsets(), graph.neighbors(), ints, graph.vertexWeights());
    return switch (graph.weightType()) {
      case INT -> bare;
      case LONG -> bare.withWeights(graph.longWeights());
      case FLOAT -> bare.withWeights(graph.floatWeights());
      case DOUBLE -> bare.withWeights(graph.doubleWeights());
    };
  }
}
