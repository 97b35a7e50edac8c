package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class GraphBuilderTest {
  @Test
  void symmetricArcsKeepTheirOrder() {
    Graph graph =
        new GraphBuilder(3, true)
            .addArc(0, 2, 5)
            .addArc(0, 1, 4)
            .addArc(1, 0, 4)
            .addArc(2, 0, 5)
            .build(Symmetry.REQUIRE);
    assertArrayEquals(new int[] {2, 1, 0, 0}, graph.neighbors());
    assertArrayEquals(new int[] {5, 4, 4, 5}, graph.weights());
  }

  @Test
  void missingDirectionsAreAdded() {
    Graph graph = new GraphBuilder(3, false).addArc(2, 0, 1).addArc(1, 1, 1).build();
    assertEquals(new GraphBuilder(3, false).addEdge(0, 2).addEdge(1, 1).build(), graph);
  }

  @Test
  void differentWeightsInTheTwoDirectionsBecomeParallelEdges() {
    Graph graph = new GraphBuilder(2, true).addArc(0, 1, 3).addArc(1, 0, 5).build();
    assertEquals(new GraphBuilder(2, true).addEdge(0, 1, 3).addEdge(0, 1, 5).build(), graph);
  }

  @Test
  void theMoreFrequentDirectionTellsHowManyParallelEdges() {
    Graph graph =
        new GraphBuilder(2, true)
            .addArc(0, 1, 3)
            .addArc(0, 1, 3)
            .addArc(0, 1, 3)
            .addArc(1, 0, 3)
            .addArc(1, 0, 4)
            .build();
    assertEquals(
        new GraphBuilder(2, true)
            .addEdge(0, 1, 3)
            .addEdge(0, 1, 3)
            .addEdge(0, 1, 3)
            .addEdge(0, 1, 4)
            .build(),
        graph);
  }

  @Test
  void missingDirectionIsNamedWhereBothAreRequired() {
    GraphBuilder builder =
        new GraphBuilder(4, true)
            .addArc(0, 1, 3)
            .addArc(1, 0, 3)
            .addArc(2, 3, 9)
            .addArc(2, 3, 9)
            .addArc(3, 2, 9);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> builder.build(Symmetry.REQUIRE));
    assertEquals(
        "the arc from vertex 2 to vertex 3 of weight 9 has no arc in the other direction",
        e.getMessage());
  }

  @Test
  void edgesAndArcsMayBeMixedBeyondOnePiece() {
    int n = 50_000;
    GraphBuilder builder = new GraphBuilder(n, true);
    for (int v = 0; v + 1 < n; v++) {
      builder.addEdge(v, v + 1, v);
    }
    for (int v = 0; v < n; v++) {
      builder.addArc(v, (v + 2) % n, 1);
    }
    Graph graph = builder.build();
    assertEquals(2L * n - 1, graph.edges());
    assertEquals(4L * n - 2, graph.arcs());
    assertEquals(graph, Graph.of(graph.offsets(), graph.neighbors(), graph.weights()));
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    GraphBuilder builder = new GraphBuilder(2, true);
    assertEquals(
        "edge 0 to 2: vertices are 0 to 1",
        assertThrows(IllegalArgumentException.class, () -> builder.addEdge(0, 2)).getMessage());
    assertEquals(
        "edge -1 to 0: vertices are 0 to 1",
        assertThrows(IllegalArgumentException.class, () -> builder.addArc(-1, 0, 0)).getMessage());
    assertEquals(
        "edge 0 to 1: its weight 0.5 is no int, the type of this builder's weights",
        assertThrows(IllegalArgumentException.class, () -> builder.addEdge(0, 1, 0.5))
            .getMessage());
    assertEquals(
        "edge 0 to 1: its weight 2147483648 is no int, the type of this builder's weights",
        assertThrows(IllegalArgumentException.class, () -> builder.addEdge(0, 1, 1L << 31))
            .getMessage());
    assertEquals(
        "expected one weight for each of 2 vertices, got 1",
        assertThrows(IllegalArgumentException.class, () -> builder.vertexWeights(new int[1]))
            .getMessage());
    assertEquals(
        "vertices=-1 is negative",
        assertThrows(IllegalArgumentException.class, () -> new GraphBuilder(-1, true))
            .getMessage());
    assertEquals(
        "too large: 2147483647 vertices, but a graph holds at most 2147483638",
        assertThrows(GraphTooLargeException.class, () -> new GraphBuilder(Integer.MAX_VALUE, true))
            .getMessage());
  }

  @Test
  void canBeUsedOnce() {
    GraphBuilder builder = new GraphBuilder(2, false);
    builder.build();
    assertThrows(IllegalStateException.class, builder::build);
    assertThrows(IllegalStateException.class, () -> builder.addEdge(0, 1));
  }

  @Test
  void aGraphGrowsToTheLargestVertexOfItsEdges() {
    assertEquals(new GraphBuilder(0, true).build(), new GraphBuilder(true).build());
    assertEquals(
        new GraphBuilder(6, false).addEdge(5, 0).addEdge(2, 2).addEdge(1, 3).build(),
        new GraphBuilder(false).addEdge(5, 0).addEdge(2, 2).addEdge(1, 3).build());
    GraphBuilder builder = new GraphBuilder(false);
    for (int tooLarge : new int[] {Graph.MAX_VERTICES, Integer.MAX_VALUE}) {
      assertThrows(GraphTooLargeException.class, () -> builder.addEdge(0, tooLarge));
    }
    assertThrows(IllegalArgumentException.class, () -> builder.addEdge(-1, 4));
  }
}
