package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Edges by number: those of the graph of the same spec, and more than a graph can hold. */
class GeneratedEdgesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "random:n=50,m=700,weights=1..9",
        "random:n=50,m=700,weights=double:-1..1,seed=5",
        "rmat:scale=6,edges=900,weights=long:-5..5000000000",
        "rmat:n=77,constants=gtgraph,weights=none"
      })
  void areTheEdgesOfTheGraph(String spec) {
    Graph graph = GraphGenerators.generate(spec);
    GeneratedEdges edges = GeneratedEdges.parse(spec);
    int count = (int) edges.count();
    assertEquals(graph.vertices(), edges.vertices());
    assertEquals(graph.weightType(), edges.weightType());
    assertEquals(graph.weighted(), edges.isWeighted());
    assertEquals(GraphGenerators.parse(spec).spec(), edges.spec());
    int[] sources = new int[count];
    int[] targets = new int[count];
    ArcWeights weights = ArcWeights.of(edges.weightType(), count);
    edges.fill(0, count, sources, targets, weights.array());
    String[] lines = new String[count];
    for (int i = 0; i < count; i++) {
      lines[i] = line(sources[i], targets[i], weights.get(i));
    }
    String[] expected =
        Arrays.stream(graph.canonicalArcs())
            .mapToObj(
                arc -> line(graph.source(arc), graph.neighbors()[arc], graph.exactWeight(arc)))
            .sorted()
            .toArray(String[]::new);
    Arrays.sort(lines);
    assertArrayEquals(expected, lines);
  }

  private static String line(int u, int v, Number weight) {
    return Math.min(u, v) + " " + Math.max(u, v) + " " + weight;
  }

  @Test
  void anyPartCanBeComputedAlone() {
    GeneratedEdges edges = GeneratedEdges.parse("rmat:scale=30,edges=20G");
    assertEquals(20_000_000_000L, edges.count());
    long first = 9_876_543_210L;
    int[] sources = new int[100];
    int[] targets = new int[100];
    int[] weights = new int[100];
    edges.fill(first, 100, sources, targets, weights);
    int[] one = new int[1];
    int[] other = new int[1];
    int[] weight = new int[1];
    for (int i = 0; i < 100; i++) {
      edges.fill(first + i, 1, one, other, weight);
      assertEquals(sources[i], one[0]);
      assertEquals(targets[i], other[0]);
      assertEquals(weights[i], weight[0]);
    }
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> edges.fill(20_000_000_000L, 1, sources, targets, weights));
    assertThrows(
        IndexOutOfBoundsException.class, () -> edges.fill(0, 101, sources, targets, weights));
    assertThrows(
        IllegalArgumentException.class, () -> edges.fill(0, 5, sources, targets, new float[100]));
  }

  @Test
  void takesOneMoreParameter() {
    GeneratedEdges edges = GeneratedEdges.parse("random:9,m=12").with("weights", "float:0..1");
    assertEquals("random:n=9,m=12,seed=1,weights=float:0..1", edges.spec());
    assertEquals(WeightType.FLOAT, edges.weightType());
    assertTrue(edges.isWeighted());
    assertFalse(GeneratedEdges.parse("random:9,m=12").with("weights", "none").isWeighted());
  }

  @ParameterizedTest
  @CsvSource({
    "road:100, expected random or rmat",
    "'random:9,m=12,directed', undirected",
    "'random:9,m=281474976710657', m=281474976710657",
    "'rmat:n=0,edges=3', need n of at least 1",
    "nothing:3, nothing",
  })
  void whatHasNoEdgesByNumberIsRefused(String spec, String message) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> GeneratedEdges.parse(spec)).getMessage();
    assertTrue(said.contains(message), said);
  }
}
