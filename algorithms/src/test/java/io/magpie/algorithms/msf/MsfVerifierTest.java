package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The verifier must see each kind of wrong forest. */
class MsfVerifierTest {
  // A triangle 0-1-2 of weights 1, 2, 3, and 3-4 apart. Arcs: 0: 1 2, 1: 0 2, 2: 1 0, 3: 4, 4: 3.
  private final Graph graph =
      new GraphBuilder(5, true)
          .addEdge(0, 1, 1)
          .addEdge(1, 2, 2)
          .addEdge(0, 2, 3)
          .addEdge(3, 4, 4)
          .build();

  private final MsfResult right = KruskalReference.run(graph);

  private List<String> verify(int[] arcs, int[] labels, long weight) {
    return MsfVerifier.verify(
        new MsfResult(
            graph, ArcSet.of(arcs), labels, BigDecimal.valueOf(weight), Objective.MINIMUM, null));
  }

  private void assertSeen(String what, List<String> wrong) {
    assertTrue(
        wrong.stream().anyMatch(message -> message.contains(what)),
        () -> "expected '" + what + "' in " + wrong);
  }

  @Test
  void acceptsTheReference() {
    assertEquals(7, right.weight());
    assertEquals(2, right.components());
    assertEquals(List.of(), MsfVerifier.verify(right));
  }

  @Test
  void judgesArcsThatOthersChose() {
    assertEquals(List.of(), MsfVerifier.verify(right.arcs(), right));
    assertSeen(
        "a least one 7", MsfVerifier.verify(new int[] {arc(0, 1), arc(0, 2), arc(3, 4)}, right));
    assertSeen("is not canonical", MsfVerifier.verify(new int[] {arc(1, 0)}, right));
    assertEquals(
        List.of("arc 8 is none of the graph's 8"), MsfVerifier.verify(new int[] {8}, right));
    assertEquals(
        List.of("arc -1 is none of the graph's 8"), MsfVerifier.verify(new int[] {-1}, right));
  }

  @Test
  void seesAForestThatIsNotLeast() {
    int[] arcs = {arc(0, 1), arc(0, 2), arc(3, 4)};
    assertSeen("a least one 7", verify(arcs, right.labels(), 8));
  }

  /** As if sums were wrong in the same way on both sides. */
  @Test
  void seesOtherWeightsOfTheSameSum() {
    int[] arcs = {arc(0, 1), arc(0, 2), arc(3, 4)};
    MsfResult other = forest(arcs, 8, Objective.MINIMUM);
    MsfResult reference = forest(right.arcs(), 8, Objective.MINIMUM);
    assertSeen("number 1 is 3, of a best forest 2", MsfVerifier.verify(other, reference));
  }

  @ParameterizedTest
  @EnumSource(WeightType.class)
  void seesOtherWeightsOfAnyType(WeightType type) {
    Graph typed = graph.withWeightType(type);
    for (Objective objective : Objective.values()) {
      MsfResult best = KruskalReference.run(typed, objective);
      MsfResult other =
          new MsfResult(
              typed,
              ArcSet.of(new int[] {arc(0, 1), arc(0, 2), arc(3, 4)}),
              right.labels(),
              best.exactWeight(),
              objective,
              null);
      assertSeen("of a best forest 2", MsfVerifier.verify(other, best));
    }
  }

  @Test
  void refusesAReferenceOfTheOtherObjective() {
    MsfResult largest = KruskalReference.run(graph, Objective.MAXIMUM);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> MsfVerifier.verify(right, largest));
    assertEquals(
        "a forest for the objective MINIMUM was to be compared with one for MAXIMUM",
        e.getMessage());
  }

  private MsfResult forest(int[] arcs, long weight, Objective objective) {
    return new MsfResult(
        graph, ArcSet.of(arcs), right.labels(), BigDecimal.valueOf(weight), objective, null);
  }

  @Test
  void seesAMissingEdge() {
    assertSeen("need 3", verify(new int[] {arc(0, 1), arc(3, 4)}, right.labels(), 5));
  }

  @Test
  void seesACycle() {
    int[] arcs = {arc(0, 1), arc(0, 2), arc(1, 2), arc(3, 4)};
    assertSeen("closes a cycle", verify(arcs, right.labels(), 10));
  }

  @Test
  void seesAReverseArc() {
    int[] arcs = {arc(1, 0), arc(1, 2), arc(3, 4)};
    assertSeen("is not canonical", verify(arcs, right.labels(), 7));
  }

  @Test
  void seesAWrongSum() {
    assertSeen("the result says 6", verify(right.arcs(), right.labels(), 6));
  }

  @Test
  void seesDisorder() {
    int[] arcs = {right.arcs()[1], right.arcs()[0], right.arcs()[2]};
    assertSeen("do not ascend", verify(arcs, right.labels(), 7));
  }

  @Test
  void seesWrongLabels() {
    assertSeen("another component", verify(right.arcs(), new int[] {0, 0, 0, 0, 0}, 7));
    assertSeen("have another", verify(right.arcs(), new int[] {0, 1, 0, 3, 3}, 7));
    assertSeen("is not a vertex", verify(right.arcs(), new int[] {0, 0, 0, 3, 9}, 7));
    assertSeen("labels for", verify(right.arcs(), new int[] {0}, 7));
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
