package io.magpie.algorithms.paths;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Of results that are wrong the verifier says why. */
class PathsVerifierTest {
  /** 0 to 1 (2), 1 to 2 (0), 2 to 1 (0), 0 to 3 (5), 2 to 3 (3); 4 is isolated. */
  private static final DirectedGraph GRAPH =
      new GraphBuilder(5, true)
          .addArc(0, 1, 2)
          .addArc(1, 2, 0)
          .addArc(2, 1, 0)
          .addArc(0, 3, 5)
          .addArc(2, 3, 3)
          .buildDirected();

  private static PathsResult result(String distances, String predecessors) {
    return new PathsResult(
        GRAPH,
        0,
        Lengths.WEIGHTS,
        Arrays.stream(distances.split(" ")).mapToLong(Long::parseLong).toArray(),
        Optional.ofNullable(predecessors)
            .map(text -> Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray())
            .orElse(null),
        null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0 2 2 5 -1 | 0 0 1 0 -1", "0 2 2 5 -1 | 0 0 1 2 -1", "0 2 2 5 -1 |"})
  void rightOnes(String distances, String predecessors) {
    PathsResult result = result(distances, predecessors);
    assertEquals(List.of(), PathsVerifier.verify(result));
    assertEquals(List.of(), PathsVerifier.verify(result, PathsReference.dijkstra(GRAPH, 0)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 2 2 5 -1  | 0 0 1 0 -1  | the source 0 has distance 1",
        "0 2 2 5     | 0 0 1 0 -1  | 4 distances for 5 vertices",
        "0 2 2 5 -1  | 0 0 1 0     | 4 predecessors for 5 vertices",
        "0 2 2 5 -7  | 0 0 1 0 -1  | vertex 4 has distance -7",
        "0 2 3 5 -1  | 0 0 1 0 -1  | the arc from 1 (distance 2) to 2 (distance 3) has length 0 and leads to a shorter path",
        "0 2 2 -1 -1 | 0 0 1 -1 -1 | the arc from 0 (distance 0) to 3 (distance -1) has length 5",
        "0 2 2 5 -1  | 1 0 1 0 -1  | the predecessor of the source 0 is 1",
        "0 2 2 5 -1  | 0 0 0 0 -1  | vertex 2 has distance 2 and predecessor 0, from which no arc",
        "0 2 2 5 -1  | 0 0 1 9 -1  | vertex 3 has distance 5 and predecessor 9, from which no arc",
        "0 2 2 4 -1  | 0 0 1 0 -1  | vertex 3 has distance 4 and predecessor 0, from which no arc",
        "0 2 2 5 -1  | 0 0 1 0 0   | vertex 4 is not reached, but has predecessor 0",
        "0 2 2 5 6   | 0 0 1 0 3   | vertex 4 has distance 6 and predecessor 3, from which no arc",
        "0 2 2 5 -1  | 0 2 1 0 -1  | the predecessors of vertex 1 lead back to it, not to the source",
        "0 1 1 4 -1  |             | vertex 1 has distance 1, but no path is as short as that",
        "0 2 2 5 0   |             | vertex 4 has distance 0, but no path is as short as that"
      })
  void wrongOnes(String distances, String predecessors, String message) {
    List<String> wrong = PathsVerifier.verify(result(distances, predecessors));
    assertTrue(wrong.stream().anyMatch(each -> each.startsWith(message)), wrong::toString);
  }

  /** 0 to 1 (0.1), 1 to 2 (0.2), 2 to 1 (0), 0 to 3 (2^60), 3 to 4 and 4 to 3 (0.001). */
  private static final DirectedGraph FLOATS =
      new GraphBuilder(5, WeightType.FLOAT)
          .addArc(0, 1, 0.1f)
          .addArc(1, 2, 0.2f)
          .addArc(2, 1, 0f)
          .addArc(0, 3, 0x1p60f)
          .addArc(3, 4, 0.001f)
          .addArc(4, 3, 0.001f)
          .buildDirected();

  private static final double NEAR = 0.1f;
  private static final double NEXT = (double) 0.1f + (double) 0.2f;

  /**
   * No constant, whose text in a message is that of the JDK that compiles, not of the one that
   * runs.
   */
  private static final double FAR = Double.parseDouble("0x1p60");

  /** What stands for the distance of a vertex that is not reached. */
  private static final double NONE = Double.longBitsToDouble(PathsResult.UNREACHED);

  private static List<String> wrongAmongFloats(double[] distances, int... predecessors) {
    return PathsVerifier.verify(
        new PathsResult(
            FLOATS,
            0,
            Lengths.WEIGHTS,
            Arrays.stream(distances).mapToLong(Double::doubleToRawLongBits).toArray(),
            predecessors.length == 0 ? null : predecessors,
            null));
  }

  @Test
  void sumsOfFloatsAreComparedToTheLastBit() {
    double[] right = {0, NEAR, NEXT, FAR, FAR};
    assertEquals(List.of(), wrongAmongFloats(right));
    assertEquals(List.of(), wrongAmongFloats(right, 0, 0, 1, 0, 3));
    assertArrayEquals(right, PathsReference.dijkstra(FLOATS, 0).doubleDistances());
    double above = Math.nextUp(NEXT);
    List<String> high = wrongAmongFloats(new double[] {0, NEAR, above, FAR, FAR}, 0, 0, 1, 0, 3);
    assertTrue(
        high.contains(
            "the arc from 1 (distance "
                + NEAR
                + ") to 2 (distance "
                + above
                + ") has length 0.2 and leads to a shorter path"),
        high::toString);
    double below = Math.nextDown(NEXT);
    List<String> low = wrongAmongFloats(new double[] {0, NEAR, below, FAR, FAR});
    assertEquals(
        List.of("vertex 2 has distance " + below + ", but no path is as short as that"), low);
    List<String> loose = wrongAmongFloats(right, 0, 0, 0, 0, 3);
    assertEquals(
        List.of(
            "vertex 2 has distance "
                + NEXT
                + " and predecessor 0, from which no arc of the right length leads to it"),
        loose);
    List<String> lost = wrongAmongFloats(new double[] {0, NEAR, NEXT, FAR, NONE}, 0, 0, 1, 0, -1);
    assertEquals(
        List.of(
            "the arc from 3 (distance "
                + FAR
                + ") to 4 (distance Infinity) has length 0.001 and leads to a shorter path"),
        lost);
    List<String> cycle = wrongAmongFloats(right, 0, 0, 1, 4, 3);
    assertEquals(List.of("the predecessors of vertex 3 lead back to it, not to the source"), cycle);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -1, -0.0})
  void numbersThatAreNoSums(double distance) {
    List<String> wrong = wrongAmongFloats(new double[] {0, NEAR, NEXT, FAR, distance});
    assertEquals(List.of("vertex 4 has distance " + distance), wrong);
  }

  @Test
  void theReferenceIsASecondOpinion() {
    List<String> wrong =
        PathsVerifier.verify(result("0 2 2 4 -1", null), PathsReference.dijkstra(GRAPH, 0));
    assertTrue(wrong.contains("vertex 3 has distance 4, by the reference 5"), wrong::toString);
  }
}
