package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Interpolation by itself, and where it starts far away; all refined meshes are held to it, too.
 */
class VertexAttributesTest {
  /** A square of side 2 in two triangles, without and with a diagonal that is a segment. */
  private static Mesh square(double... attributes) {
    return DelaunayTriangulation.of(
        PlanarGraph.builder(new double[] {0, 0, 2, 0, 2, 2, 0, 2})
            .segments(new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 2}, null)
            .vertexAttributes(1, attributes)
            .build());
  }

  /** Of one more vertex, in a result whose only triangle has it and the input's vertices 1, 2. */
  private static double ofOneMore(Mesh input, double x, double y, int lies) {
    double[] coordinates = Arrays.copyOf(input.coordinates(), 2 * input.vertices() + 2);
    int v = input.vertices();
    coordinates[2 * v] = x;
    coordinates[2 * v + 1] = y;
    int[] on = new int[v + 1];
    Arrays.fill(on, -1);
    on[v] = lies;
    double[] values =
        VertexAttributes.of(input, coordinates, on, new int[] {1, 2, v}, new int[] {-1, -1, -1});
    for (int before = 0; before < v; before++) {
      assertEquals(input.attribute(before, 0), values[before]);
    }
    return values[v];
  }

  @Test
  void areLinearInTheTriangle() {
    Mesh input = square(1, 3, 11, 100);
    // Below the diagonal: 1 at the origin, 1 more for each unit of x, 4 for each of y.
    assertEquals(1 + 1.5 + 4 * 0.25, ofOneMore(input, 1.5, 0.25, -1), 1e-15);
    // Above it, found from below: x counts for (11 - 100) / 2, y for (100 - 1) / 2.
    assertEquals(1 - 44.5 * 0.5 + 49.5 * 1.75, ofOneMore(input, 0.5, 1.75, -1), 1e-13);
  }

  @Test
  void areLinearOnASegment() {
    Mesh input = square(1, 3, 11, 100);
    for (int s = 0; s < input.segments(); s++) {
      int start = input.segmentStart(s);
      int end = input.segmentEnd(s);
      double x = 0.75 * input.x(start) + 0.25 * input.x(end);
      double y = 0.75 * input.y(start) + 0.25 * input.y(end);
      // Off it by rounding, and outside the domain.
      double value = ofOneMore(input, Math.nextDown(x), Math.nextUp(y), s);
      assertEquals(0.75 * input.attribute(start, 0) + 0.25 * input.attribute(end, 0), value, 1e-13);
    }
  }

  /** Around a gap that the straight way would cross: the walk ends there, the search goes on. */
  @Test
  void areFoundAroundAGap() {
    double[] u = {0, 0, 9, 0, 9, 9, 8, 9, 8, 1, 1, 1, 1, 9, 0, 9};
    double[] attributes = new double[8];
    for (int v = 0; v < 8; v++) {
      attributes[v] = 5 * u[2 * v] + 7 * u[2 * v + 1];
    }
    Mesh input =
        DelaunayTriangulation.of(
            PlanarGraph.builder(u)
                .segments(new int[] {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 0}, null)
                .vertexAttributes(1, attributes)
                .build());
    for (double y : new double[] {0.5, 3, 5, 8, 8.75}) {
      assertEquals(5 * 0.5 + 7 * y, ofOneMore(input, 0.5, y, -1), 1e-12);
    }
  }

  /** Constants stay what they are, bit for bit, and nothing leaves the range of the input. */
  @ParameterizedTest
  @ValueSource(strings = {"holes:5", "map:300", "clustered:300"})
  void stayWithinTheirRange(String spec) {
    Mesh input = RefinementInputs.withAttributes(RefinementInputs.generated(spec));
    Mesh mesh = Refinements.run("cpu:4", input, RefinementOptions.defaults()).mesh();
    assertTrue(mesh.vertices() > input.vertices());
    double least = Double.POSITIVE_INFINITY;
    double largest = Double.NEGATIVE_INFINITY;
    for (int v = 0; v < mesh.vertices(); v++) {
      double value = mesh.attribute(v, 2);
      assertEquals(0.1, mesh.attribute(v, 0));
      assertEquals(2 * mesh.x(v) - 3 * mesh.y(v) + 1, mesh.attribute(v, 1), 1e-12);
      if (v < input.vertices()) {
        least = Math.min(least, value);
        largest = Math.max(largest, value);
      }
      assertTrue(value >= least && value <= largest, "vertex " + v);
    }
  }

  /** The numbers by which a mesh is laid out make no difference. */
  @ParameterizedTest
  @ValueSource(strings = {"HILBERT", "SHUFFLED"})
  void doNotDependOnTheLayout(String layout) {
    Mesh input = RefinementInputs.withAttributes(RefinementInputs.generated("holes:2"));
    RefinementOptions options =
        RefinementOptions.defaults().withLayout(RefinementOptions.Layout.valueOf(layout));
    Mesh mesh = Refinements.run("cpu:1", input, options).mesh();
    double[] kept = new double[3 * input.vertices()];
    double[] expected = new double[kept.length];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = mesh.attribute(i / 3, i % 3);
      expected[i] = input.attribute(i / 3, i % 3);
    }
    assertArrayEquals(expected, kept);
  }
}
