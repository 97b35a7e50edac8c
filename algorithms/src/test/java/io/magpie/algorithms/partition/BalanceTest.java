package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import org.junit.jupiter.api.Test;

class BalanceTest {
  private static Graph weighing(int... vertexWeights) {
    return Graph.of(new int[vertexWeights.length + 1], new int[0], null, vertexWeights);
  }

  private static String refused(Graph graph, int parts, double imbalance) {
    return assertThrows(ImpossibleBalanceException.class, () -> Balance.of(graph, parts, imbalance))
        .getMessage();
  }

  @Test
  void limitIsExactInDecimals() {
    assertEquals(115, Balance.limit(100, 1, 0.15), "1.15 * 100 is less than 115 in doubles");
    assertEquals(103, Balance.limit(700, 7, 0.03));
    assertEquals(4, Balance.limit(10, 3, 0));
    assertEquals(8, Balance.limit(10, 3, 1));
    assertEquals(0, Balance.limit(0, 3, 0.5));
    assertEquals(Long.MAX_VALUE / 4, Balance.limit(Long.MAX_VALUE / 4, 1, 1e-300));
  }

  @Test
  void weighsVerticesWithoutWeightsOneEach() {
    Balance balance = Balance.of(GraphGenerators.generate("path:n=10"), 3, 0.25);
    assertEquals(new Balance(10, 3, 0.25, 5), balance);
    assertEquals(new Balance(0, 1, 0, 0), Balance.of(weighing(), 1, 0));
  }

  @Test
  void refusesArguments() {
    Graph graph = weighing(1, 1);
    for (double imbalance : new double[] {-0.01, 1.01, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> Balance.of(graph, 2, imbalance));
    }
    assertThrows(IllegalArgumentException.class, () -> Balance.of(graph, 0, 0));
  }

  @Test
  void refusesMorePartsThanVertices() {
    assertEquals(
        "3 parts of a graph of 2 vertices: some would be empty; ask for at most 2",
        refused(weighing(1, 1), 3, 1));
  }

  @Test
  void namesTheVertexThatIsTooHeavy() {
    Graph graph = weighing(3, 3, 9, 3, 3, 3);
    assertEquals(
        "vertex 2 weighs 9, but each of 4 parts may weigh at most 6 (100 % of an even share of 24);"
            + " ask for at most 2 parts or for an imbalance of at least 0.5",
        refused(graph, 4, 0));
    assertEquals(12, Balance.of(graph, 2, 0).limit());
    assertEquals(9, Balance.of(graph, 4, 0.5).limit());
  }

  @Test
  void offersOnlyWhatWouldDo() {
    assertEquals(
        "vertex 0 weighs 9, but each of 3 parts may weigh at most 4 (100 % of an even share of 11);"
            + " ask for at most 1 part; no imbalance up to 1 would do",
        refused(weighing(9, 1, 1), 3, 0));
    assertEquals(11, Balance.of(weighing(9, 1, 1), 1, 0).limit());
    assertThrows(ImpossibleBalanceException.class, () -> Balance.of(weighing(9, 1, 1), 3, 1));
    assertThrows(ImpossibleBalanceException.class, () -> Balance.of(weighing(9, 1, 1), 2, 0.49));
    assertEquals(
        "2 parts of a graph of 1 vertex: some would be empty; ask for at most 1",
        refused(weighing(1), 2, 1));
  }

  @Test
  void namesVerticesAsTheInputDoes() {
    ImpossibleBalanceException e =
        assertThrows(ImpossibleBalanceException.class, () -> Balance.of(weighing(3, 3, 9), 3, 0));
    assertEquals(e.getMessage(), e.messageFrom(0));
    assertTrue(e.getMessage().startsWith("vertex 2 weighs 9, "), e.getMessage());
    assertTrue(e.messageFrom(1).startsWith("vertex 3 weighs 9, "), e.messageFrom(1));
    ImpossibleBalanceException general =
        assertThrows(ImpossibleBalanceException.class, () -> Balance.of(weighing(1), 2, 1));
    assertEquals(general.getMessage(), general.messageFrom(1));
  }

  @Test
  void seesThatEqualVerticesLeaveRoomUnused() {
    assertEquals(
        "3 of 7 vertices must share one of 3 parts, but the lightest 3 weigh 9 and a part may weigh at"
            + " most 7 (100 % of an even share of 21); ask for other parts or for an imbalance of at"
            + " least 0.29",
        refused(weighing(3, 3, 3, 3, 3, 3, 3), 3, 0));
    assertEquals(9, Balance.of(weighing(3, 3, 3, 3, 3, 3, 3), 3, 0.3).limit());
    assertEquals(7, Balance.of(weighing(3, 3, 3, 3, 3, 3), 3, 0.2).limit());
    assertEquals(4, Balance.of(weighing(0, 3, 3, 3, 0, 0, 0), 3, 0.5).limit());
  }

  @Test
  void addsUpTheLightestThatMustShareAPart() {
    assertEquals(
        "3 of 5 vertices must share one of 2 parts, but the lightest 3 weigh 19 and a part may weigh"
            + " at most 17 (100 % of an even share of 33); ask for other parts or for an imbalance"
            + " of at least 0.12",
        refused(weighing(7, 7, 7, 6, 6), 2, 0));
    assertThrows(
        ImpossibleBalanceException.class, () -> Balance.of(weighing(7, 7, 7, 6, 6), 2, 0.11));
    assertEquals(19, Balance.of(weighing(7, 7, 7, 6, 6), 2, 0.12).limit());
  }

  /** What one condition asks for may be too little for another one. */
  @Test
  void remediesMeetEveryCondition() {
    assertEquals(
        "vertex 0 weighs 9, but each of 3 parts may weigh at most 8 (100 % of an even share of 24);"
            + " ask for at most 2 parts or for an imbalance of at least 0.25",
        refused(weighing(9, 5, 5, 5), 3, 0));
    assertEquals(10, Balance.of(weighing(9, 5, 5, 5), 3, 0.25).limit());
  }

  @Test
  void seesPairsThatCannotShareAPart() {
    assertEquals(
        "4 vertices weigh at least 5 each, so two of them must share one of 3 parts, but the"
            + " lightest two weigh 10 and a part may weigh at most 8 (100 % of an even share of"
            + " 22); ask for fewer parts or for an imbalance of at least 0.25",
        refused(weighing(1, 5, 5, 1, 5, 5), 3, 0));
    assertEquals(10, Balance.of(weighing(1, 5, 5, 1, 5, 5), 3, 0.25).limit());
    assertEquals(6, Balance.of(weighing(5, 1, 5, 5), 3, 0).limit(), "1 and 5 share a part");
  }
}
