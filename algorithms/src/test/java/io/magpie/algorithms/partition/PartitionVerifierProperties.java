package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** The evaluator against definitions, and whether it sees what is wrong. */
class PartitionVerifierProperties {
  private static int[] randomParts(Graph graph, int count, long seed) {
    return new Random(seed).ints(graph.vertices(), 0, count).toArray();
  }

  @Property
  void agreesWithTheDefinitions(
      @ForAll("graphs") Graph graph,
      @ForAll @IntRange(min = 1, max = 9) int count,
      @ForAll long seed) {
    int[] parts = randomParts(graph, count, seed);
    PartitionQuality found = PartitionVerifier.evaluate(graph, parts, count, 0.25);

    long cut = 0;
    for (int arc : graph.canonicalArcs()) {
      cut += parts[graph.source(arc)] == parts[graph.neighbors()[arc]] ? 0 : graph.weight(arc);
    }
    long[] weights = new long[count];
    Set<Integer> used = new HashSet<>();
    Set<Integer> boundary = new HashSet<>();
    Set<List<Integer>> messages = new HashSet<>();
    for (int v = 0; v < graph.vertices(); v++) {
      weights[parts[v]] += graph.vertexWeights() == null ? 1 : graph.vertexWeights()[v];
      used.add(parts[v]);
    }
    for (int arc = 0; arc < graph.arcs(); arc++) {
      int v = graph.source(arc);
      int other = parts[graph.neighbors()[arc]];
      if (other != parts[v]) {
        boundary.add(v);
        messages.add(List.of(v, other));
      }
    }
    long weight = 0;
    for (long w : weights) {
      weight += w;
    }
    long limit = 5 * ((weight + count - 1) / count) / 4;
    assertEquals(cut, found.cut());
    assertArrayEquals(weights, found.partWeights());
    assertEquals(limit, found.limit());
    assertEquals(boundary.size(), found.boundaryVertices());
    assertEquals(messages.size(), found.communicationVolume());
    assertEquals(count - used.size(), found.emptyParts());
    for (long w : weights) {
      assertTrue(!found.feasible() || w <= limit);
    }
  }

  @Property
  void countsPieces(
      @ForAll("graphs") Graph graph,
      @ForAll @IntRange(min = 1, max = 5) int count,
      @ForAll long seed) {
    int[] parts = randomParts(graph, count, seed);
    // The least number of a vertex's piece, by relaxation until nothing changes.
    int[] least = new int[graph.vertices()];
    for (int v = 0; v < least.length; v++) {
      least[v] = v;
    }
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int arc = 0; arc < graph.arcs(); arc++) {
        int v = graph.source(arc);
        int u = graph.neighbors()[arc];
        if (parts[u] == parts[v] && least[u] < least[v]) {
          least[v] = least[u];
          changed = true;
        }
      }
    }
    int[] pieces = new int[count];
    for (int v = 0; v < least.length; v++) {
      pieces[parts[v]] += least[v] == v ? 1 : 0;
    }
    assertArrayEquals(pieces, PartitionVerifier.pieces(graph, parts, count));
  }

  @Property(tries = 200)
  void refusesEntriesThatAreNoParts(
      @ForAll("graphs") Graph graph,
      @ForAll @IntRange(min = 1, max = 9) int count,
      @ForAll boolean negative,
      @ForAll long seed) {
    int[] parts = randomParts(graph, count, seed);
    int vertex = new Random(seed).nextInt(graph.vertices());
    parts[vertex] = negative ? -1 : count;
    assertEquals(
        "the part of vertex " + vertex + ", " + parts[vertex] + ", is not in 0 .. " + (count - 1),
        assertThrows(
                IllegalArgumentException.class,
                () -> PartitionVerifier.evaluate(graph, parts, count, 0))
            .getMessage());
  }

  @Property(tries = 200)
  void seesWhatAResultGetsWrong(
      @ForAll("graphs") Graph graph,
      @ForAll @IntRange(min = 1, max = 5) int count,
      @ForAll @IntRange(max = 3) int fault,
      @ForAll long seed) {
    int[] parts = randomParts(graph, count, seed);
    PartitionQuality quality = PartitionVerifier.evaluate(graph, parts, count, 1);
    long weight = 0;
    for (long w : quality.partWeights()) {
      weight += w;
    }
    long[] weights = quality.partWeights();
    weights[0] += fault == 1 ? 1 : 0;
    Balance balance = new Balance(weight, count, 1, quality.limit() + (fault == 2 ? 1 : 0));
    List<String> wrong =
        PartitionVerifier.verify(
            new PartitionResult(
                graph, balance, parts, quality.cut() + (fault == 3 ? 1 : 0), weights, null));
    weights[0] -= fault == 1 ? 1 : 0;
    long overloaded = 0;
    for (long w : weights) {
      overloaded += w > quality.limit() ? 1 : 0;
    }
    assertEquals(overloaded + (fault == 0 ? 0 : 1), wrong.size(), wrong::toString);
  }

  @Provide
  Arbitrary<Graph> graphs() {
    return PartitionInputs.weighted(40, 120, 9);
  }
}
