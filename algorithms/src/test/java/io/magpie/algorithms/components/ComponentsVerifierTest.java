package io.magpie.algorithms.components;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The verifier must see each kind of wrong result. */
class ComponentsVerifierTest {
  // A triangle 0-1-2, 3-4 apart, and 5 alone. Arcs: 0: 1 2, 1: 0 2, 2: 1 0, 3: 4, 4: 3.
  private final Graph graph =
      new GraphBuilder(6, false).addEdge(0, 1).addEdge(1, 2).addEdge(0, 2).addEdge(3, 4).build();

  private final ComponentsResult right = ComponentsReference.run(graph);

  private List<String> verify(int[] labels, int components, int... forest) {
    return ComponentsVerifier.verify(new ComponentsResult(graph, labels, components, forest, null));
  }

  private void assertSeen(String what, List<String> wrong) {
    assertTrue(
        wrong.stream().anyMatch(message -> message.contains(what)),
        () -> "expected '" + what + "' in " + wrong);
  }

  @Test
  void acceptsTheReference() {
    assertArrayEquals(new int[] {0, 0, 0, 3, 3, 5}, right.labels());
    assertEquals(3, right.components());
    assertEquals(3, right.largest());
    assertEquals(3, right.forest().orElseThrow().length);
    assertEquals(List.of(), ComponentsVerifier.verify(right));
    assertEquals(
        List.of(),
        ComponentsVerifier.verify(new ComponentsResult(graph, right.labels(), 3, null, null)));
  }

  @Test
  void seesWrongLabels() {
    int[] forest = right.forest().orElseThrow();
    assertSeen("labels for 6", verify(new int[] {0}, 3, forest));
    assertSeen("vertex 3 has label 0", verify(new int[] {0, 0, 0, 0, 3, 5}, 3, forest));
    assertSeen("2 labels are wrong", verify(new int[] {0, 0, 0, 4, 4, 5}, 3, forest));
    assertSeen("vertex 5 has label 9", verify(new int[] {0, 0, 0, 3, 3, 9}, 3, forest));
  }

  @Test
  void seesAWrongNumberOfComponents() {
    assertSeen("the graph has 3", verify(right.labels(), 2, right.forest().orElseThrow()));
  }

  @Test
  void seesAMissingEdge() {
    assertSeen("need 3", verify(right.labels(), 3, arc(0, 1), arc(3, 4)));
  }

  /** The number of edges is right. */
  @Test
  void seesACycle() {
    List<String> wrong = verify(right.labels(), 3, arc(0, 1), arc(0, 2), arc(1, 2));
    assertSeen("closes a cycle", wrong);
    assertEquals(1, wrong.size(), wrong.toString());
  }

  /** However many arcs are wrong in one way, it is one sentence. */
  @Test
  void countsArcsThatAreWrongInTheSameWay() {
    GraphBuilder builder = new GraphBuilder(40, false);
    for (int u = 0; u < 40; u++) {
      for (int v = u + 1; v < 40; v++) {
        builder.addEdge(u, v);
      }
    }
    Graph complete = builder.build();
    int[] every = IntStream.range(0, complete.neighbors().length).toArray();
    List<String> wrong =
        ComponentsVerifier.verify(new ComponentsResult(complete, new int[40], 1, every, null));
    assertEquals(3, wrong.size(), wrong.toString());
    assertSeen("arc 39 (1 to 0) is not canonical; 780 arcs are not", wrong);
    assertSeen("closes a cycle; 741 arcs close one", wrong);
    assertSeen("1560 edges are in the forest", wrong);
  }

  @Test
  void seesArcsThatAreNoEdges() {
    assertSeen("is not canonical", verify(right.labels(), 3, arc(0, 1), arc(2, 1), arc(3, 4)));
    assertSeen("not one of", verify(right.labels(), 3, arc(0, 1), arc(0, 2), 8));
    assertSeen("not one of", verify(right.labels(), 3, -1, arc(0, 1), arc(3, 4)));
    assertSeen("do not ascend", verify(right.labels(), 3, arc(3, 4), arc(0, 1), arc(0, 2)));
    assertSeen("do not ascend", verify(right.labels(), 3, arc(0, 1), arc(0, 1), arc(3, 4)));
  }

  private int arc(int from, int to) {
    for (int a = (int) graph.offset(from); a < (int) graph.offset(from + 1); a++) {
      if (graph.neighbors()[a] == to) {
        return a;
      }
    }
    throw new AssertionError("no arc from " + from + " to " + to);
  }
}
