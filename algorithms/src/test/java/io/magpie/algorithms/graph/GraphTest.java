package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GraphTest {
  @Test
  void otherIntsAsWeights() {
    Graph plain = new GraphBuilder(3, false).addEdge(0, 1).addEdge(1, 2).build();
    Graph weighted = plain.withWeights(new int[] {-5, -5, 6, 6});
    assertEquals(new GraphBuilder(3, true).addEdge(0, 1, -5).addEdge(1, 2, 6).build(), weighted);
    assertTrue(weighted.hasNegativeWeights());
    assertThrows(IllegalArgumentException.class, () -> plain.withWeights(new int[] {1, 1, 1}));
    assertThrows(IllegalArgumentException.class, () -> plain.withWeights(new int[] {1, 2, 3, 3}));
  }

  @Test
  void someEdgesAreTakenInOrder() {
    Graph path =
        new GraphBuilder(4, true).addEdge(0, 1, 5).addEdge(1, 2, 6).addEdge(2, 3, 7).build();
    int[] edges = path.canonicalArcs();
    Graph expected = new GraphBuilder(4, true).addEdge(0, 1, 5).addEdge(2, 3, 7).build();
    assertEquals(expected, path.withEdges(new int[] {edges[0], edges[2]}));
    for (int[] arcs :
        new int[][] {{edges[2], edges[0]}, {edges[1], edges[1]}, {-1}, {(int) path.arcs()}}) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> path.withEdges(arcs));
      assertTrue(e.getMessage().contains("that ascend"), e.getMessage());
    }
  }

  /** Vertex 1 isolated, a self-loop at 2, three parallel edges 0-3 of which two weigh the same. */
  private static Graph peculiar() {
    return new GraphBuilder(5, true)
        .addEdge(3, 0, 7)
        .addEdge(2, 2, 4)
        .addEdge(0, 3, 5)
        .addEdge(0, 3, 7)
        .addEdge(3, 4, Integer.MAX_VALUE)
        .build();
  }

  @Test
  void builderKeepsTheOrderInWhichEdgesWereGiven() {
    Graph graph = peculiar();
    assertArrayEquals(new int[] {0, 3, 3, 4, 8, 9}, graph.offsets());
    assertArrayEquals(new int[] {3, 3, 3, 2, 0, 0, 0, 4, 3}, graph.neighbors());
    assertArrayEquals(
        new int[] {7, 5, 7, 4, 7, 5, 7, Integer.MAX_VALUE, Integer.MAX_VALUE}, graph.weights());
  }

  @Test
  void selfLoopIsOneArcAndOneEdge() {
    Graph graph = peculiar();
    assertEquals(5, graph.vertices());
    assertEquals(5, graph.edges());
    assertEquals(9, graph.arcs());
    assertEquals(1, graph.degree(2));
    assertEquals(0, graph.degree(1));
    assertEquals(3, graph.reverse(3));
    assertEquals(3, graph.canonicalArc(3));
  }

  @Test
  void sourceSkipsVerticesWithoutArcs() {
    Graph graph = peculiar();
    int[] sources = {0, 0, 0, 2, 3, 3, 3, 3, 4};
    for (int a = 0; a < sources.length; a++) {
      assertEquals(sources[a], graph.source(a), "arc " + a);
    }
    assertThrows(IndexOutOfBoundsException.class, () -> graph.source(9));
    assertThrows(IndexOutOfBoundsException.class, () -> graph.source(-1));
  }

  @Test
  void parallelEdgesAreDistinct() {
    Graph graph = peculiar();
    int[] reverse = {4, 5, 6, 3, 0, 1, 2, 8, 7};
    for (int a = 0; a < reverse.length; a++) {
      assertEquals(reverse[a], graph.reverse(a), "arc " + a);
    }
    assertArrayEquals(new int[] {0, 1, 2, 3, 7}, graph.canonicalArcs());
    assertArrayEquals(endsOfCanonicalArcs(graph), graph.edgeEnds());
    assertEquals(2, graph.canonicalArc(6));
  }

  private static int[] endsOfCanonicalArcs(Graph graph) {
    return IntStream.of(graph.canonicalArcs())
        .flatMap(arc -> IntStream.of(graph.source(arc), graph.neighbors()[arc]))
        .toArray();
  }

  @Test
  void everyArcBelongsToOneCanonicalArc() {
    Graph graph = GraphGenerators.generate("rmat:6,weights=0..3");
    assertArrayEquals(endsOfCanonicalArcs(graph), graph.edgeEnds());
    int[] seen = new int[(int) graph.arcs()];
    for (int a = 0; a < graph.arcs(); a++) {
      int reverse = graph.reverse(a);
      assertEquals(a, graph.reverse(reverse));
      assertEquals(graph.neighbors()[a], graph.source(reverse));
      assertEquals(graph.weights()[a], graph.weights()[reverse]);
      seen[graph.canonicalArc(a)]++;
    }
    int edges = 0;
    for (int a : graph.canonicalArcs()) {
      assertEquals(graph.source(a) == graph.neighbors()[a] ? 1 : 2, seen[a]);
      edges++;
    }
    assertEquals(graph.edges(), edges);
  }

  @Test
  void weightsAgreeInBothDirectionsAndStayInRange() {
    Graph graph = GraphGenerators.generate("rmat:8,weights=none").withWeights(42, 10, 12);
    boolean[] seen = new boolean[13];
    for (int a = 0; a < graph.arcs(); a++) {
      int weight = graph.weights()[a];
      assertTrue(weight >= 10 && weight <= 12, "weight " + weight);
      seen[weight] = true;
    }
    assertTrue(seen[10] && seen[11] && seen[12]);
    assertEquals(graph, Graph.of(graph.offsets(), graph.neighbors(), graph.weights()));
    assertNotEquals(graph, graph.withWeights(43, 10, 12));
  }

  @Test
  void weightsMayBeTheWholeRange() {
    Graph graph = GraphGenerators.generate("path:100000").withWeights(1, 0, Integer.MAX_VALUE);
    long sum = 0;
    int largest = 0;
    for (int weight : graph.weights()) {
      assertTrue(weight >= 0);
      sum += weight;
      largest = Math.max(largest, weight);
    }
    assertEquals(0.5, (double) sum / graph.arcs() / Integer.MAX_VALUE, 0.01);
    assertTrue(largest > Integer.MAX_VALUE * 0.999);
    assertEquals(
        "weights 3..2: expected 0 <= least <= largest <= 2147483647",
        assertThrows(IllegalArgumentException.class, () -> graph.withWeights(1, 3, 2))
            .getMessage());
  }

  @Test
  void weightsCanBeTakenAway() {
    Graph graph =
        new GraphBuilder(2, true).addEdge(0, 1, 3).vertexWeights(new int[] {5, 6}).build();
    assertTrue(graph.weighted());
    assertEquals(3, graph.weight(1));
    assertNull(graph.withoutVertexWeights().vertexWeights());
    assertTrue(graph.withoutVertexWeights().weighted());
    Graph bare = graph.withoutWeights();
    assertFalse(bare.weighted());
    assertNull(bare.vertexWeights());
    assertEquals(1, bare.weight(1));
    assertSame(graph.neighbors(), bare.neighbors());
    assertEquals("Graph[vertices=2, edges=1, arcs=2, weighted, vertex weights]", graph.toString());
  }

  @Test
  void sortedFormIsTheSameForEveryOrderOfEdges() {
    Graph graph = peculiar();
    Graph other =
        new GraphBuilder(5, true)
            .addEdge(4, 3, Integer.MAX_VALUE)
            .addEdge(0, 3, 7)
            .addEdge(3, 0, 7)
            .addEdge(3, 0, 5)
            .addEdge(2, 2, 4)
            .build();
    assertNotEquals(graph, other);
    assertEquals(graph.sorted(), other.sorted());
    assertArrayEquals(new int[] {5, 7, 7, 4, 5, 7, 7}, firstWeights(graph.sorted(), 7));
    assertEquals(graph.fingerprint(), other.fingerprint());
    Graph different = new GraphBuilder(5, true).addEdge(0, 3, 5).build();
    assertNotEquals(graph.sorted(), different.sorted());
  }

  private static int[] firstWeights(Graph graph, int count) {
    return Arrays.copyOf(graph.weights(), count);
  }

  @Test
  void fingerprintsTellGraphsApart() {
    Graph path = GraphGenerators.generate("path:3,weights=none");
    Set<Long> seen = new HashSet<>();
    for (Graph graph :
        new Graph[] {
          path,
          path.withWeights(1, 1, 1),
          path.withWeights(1, 0, 0),
          GraphGenerators.generate("path:4,weights=none"),
          GraphGenerators.generate("star:3,weights=none"),
          new GraphBuilder(3, false).addEdge(0, 1).addEdge(1, 2).addEdge(1, 2).build(),
          new GraphBuilder(3, false).build(),
          new GraphBuilder(0, false).build(),
          new GraphBuilder(0, true).build(),
          new GraphBuilder(3, false).vertexWeights(new int[3]).build(),
          new GraphBuilder(3, false).vertexWeights(new int[] {0, 1, 2}).build(),
          new GraphBuilder(3, false).vertexWeights(new int[] {1, 0, 2}).build(),
        }) {
      assertTrue(seen.add(graph.fingerprint()), graph::toString);
    }
  }

  static Stream<Arguments> badArrays() {
    int[] none = {};
    int[] one = {0};
    return Stream.of(
        Arguments.of(
            none, none, null, null, "offsets must have at least one entry, the first one 0"),
        Arguments.of(
            new int[] {1},
            one,
            null,
            null,
            "offsets must have at least one entry, the first one 0"),
        Arguments.of(
            new int[] {0, 2, 1},
            one,
            null,
            null,
            "offsets must ascend, but offsets[1]=2 is followed by 1"),
        Arguments.of(
            new int[] {0, 2},
            one,
            null,
            null,
            "the last offset, 2, must be the number of neighbors, 1"),
        Arguments.of(
            new int[] {0, 1},
            new int[] {1},
            null,
            null,
            "neighbors[0]=1 is not a vertex: there are 1"),
        Arguments.of(
            new int[] {0, 1},
            new int[] {-1},
            null,
            null,
            "neighbors[0]=-1 is not a vertex: there are 1"),
        Arguments.of(
            new int[] {0, 1}, one, none, null, "weights must have one entry per arc, 1, but has 0"),
        Arguments.of(
            new int[] {0, 1},
            one,
            null,
            none,
            "vertexWeights must have one entry per vertex, 1, but has 0"),
        Arguments.of(
            new int[] {0, 1}, one, null, new int[] {-2}, "vertexWeights[0]=-2 is negative"),
        Arguments.of(
            new int[] {0, 1, 1},
            new int[] {1},
            null,
            null,
            "the arc from vertex 0 to vertex 1 has no arc in the other direction; build the graph"
                + " by GraphBuilder with Symmetry.SYMMETRIZE to add what is missing"),
        Arguments.of(
            new int[] {0, 1, 2},
            new int[] {1, 0},
            new int[] {3, 4},
            null,
            "the arc from vertex 0 to vertex 1 of weight 3 has no arc in the other direction; build"
                + " the graph by GraphBuilder with Symmetry.SYMMETRIZE to add what is missing"));
  }

  @ParameterizedTest
  @MethodSource("badArrays")
  void badArraysAreRefused(
      int[] offsets, int[] neighbors, int[] weights, int[] vertexWeights, String message) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Graph.of(offsets, neighbors, weights, vertexWeights));
    assertEquals(message, e.getMessage());
  }

  @Test
  void graphWithoutVertices() {
    Graph graph = Graph.of(new int[] {0}, new int[0], null);
    assertEquals(0, graph.vertices());
    assertEquals(0, graph.arcs());
    assertEquals(0, graph.canonicalArcs().length);
    assertEquals(0, graph.edgeEnds().length);
    assertEquals(graph, graph.sorted());
  }
}
