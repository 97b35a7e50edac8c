package io.magpie.verification.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Graphs that are drawn are graphs. */
class CsrGraphProperties {
  @Provide
  Arbitrary<CsrGraph> graphs() {
    return RegionArbitraries.graphs(6, 9, 100);
  }

  @Property
  void everyArcHasItsReverseOfTheSameWeight(@ForAll("graphs") CsrGraph graph) {
    assertTrue(graph.vertices() >= 1 && graph.vertices() <= 6, graph::toString);
    int[] offsets = graph.offsets();
    assertEquals(0, offsets[0]);
    assertEquals(graph.arcs(), offsets[graph.vertices()]);
    Map<String, Integer> balance = new HashMap<>();
    for (int v = 0; v < graph.vertices(); v++) {
      for (int arc = offsets[v]; arc < offsets[v + 1]; arc++) {
        int u = graph.neighbors()[arc];
        int weight = graph.weights()[arc];
        balance.merge(
            Math.min(u, v) + "-" + Math.max(u, v) + " " + weight,
            Integer.compare(v, u),
            Integer::sum);
      }
    }
    balance.forEach((edge, sum) -> assertEquals(0, sum, edge));
  }
}
