package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.ProcessorTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeshTest {
  /** A square of two triangles: 3 2 over 0 1, with the diagonal 0 2. */
  private static final double[] SQUARE = {0, 0, 4, 0, 4, 2, 0, 2};

  private static final int[] HALVES = {0, 1, 2, 2, 3, 0};

  private static void assertRefused(String message, Runnable build) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, build::run).getMessage());
  }

  @Test
  void neighborsAreAcrossTheEdgeOppositeTheCorner() {
    Mesh mesh = Mesh.of(SQUARE, HALVES);
    assertArrayEquals(new int[] {-1, 1, -1, -1, 0, -1}, mesh.neighbors());
    assertEquals(1, mesh.neighbor(0, 1));
    assertEquals(-1, mesh.neighbor(1, 0));
    assertEquals(2, mesh.corner(1, 0));
  }

  @Test
  void theBoundaryGetsSegmentsAfterThoseGiven() {
    Mesh mesh = Mesh.of(SQUARE, HALVES, new int[] {0, 2, 3, 2});
    assertArrayEquals(new int[] {2, 0, 3, 4, 0, 1}, mesh.segmentsOfEdges());
    assertArrayEquals(new int[] {0, 2, 3, 2, 1, 2, 0, 1, 3, 0}, mesh.planarGraph().segmentEnds());
    assertArrayEquals(
        new int[] {0, 0, 1, 1, 1},
        new int[] {
          mesh.segmentMarker(0),
          mesh.segmentMarker(1),
          mesh.segmentMarker(2),
          mesh.segmentMarker(3),
          mesh.segmentMarker(4)
        });
    assertEquals(4, mesh.segmentOrigin(4));
  }

  @Test
  void everythingElseOfTheGraphStays() {
    PlanarGraph.Region region = new PlanarGraph.Region(1, 1, 7, 0.5);
    PlanarGraph graph =
        PlanarGraph.builder(SQUARE)
            .vertexMarkers(new int[] {5, 6, 7, 8})
            .vertexAttributes(2, new double[] {0, 1, 2, 3, 4, 5, 6, 7})
            .segments(new int[] {0, 1}, new int[] {9})
            .holes(new double[] {8, 9})
            .regions(List.of(region))
            .firstIndex(1)
            .build();
    Mesh mesh = Mesh.builder(graph, HALVES).triangleAttributes(1, new double[] {2.5, 3.5}).build();
    assertAll(
        () -> assertEquals(4, mesh.vertices()),
        () -> assertEquals(2, mesh.triangles()),
        () -> assertEquals(4, mesh.segments()),
        () -> assertEquals(4, mesh.x(2)),
        () -> assertEquals(2, mesh.y(2)),
        () -> assertEquals(8, mesh.vertexMarker(3)),
        () -> assertEquals(2, mesh.attributes()),
        () -> assertEquals(5, mesh.attribute(2, 1)),
        () -> assertEquals(9, mesh.segmentMarker(0)),
        () -> assertEquals(1, mesh.segmentMarker(1)),
        () -> assertEquals(1, mesh.holes()),
        () -> assertEquals(8, mesh.holeX(0)),
        () -> assertEquals(9, mesh.holeY(0)),
        () -> assertEquals(region, mesh.regions().get(0)),
        () -> assertEquals(1, mesh.planarGraph().firstIndex()),
        () -> assertEquals(3.5, mesh.triangleAttribute(1, 0)),
        () -> assertEquals(0, mesh.minX()),
        () -> assertEquals(0, mesh.minY()),
        () -> assertEquals(4, mesh.maxX()),
        () -> assertEquals(2, mesh.maxY()));
  }

  @Test
  void originsAreKept() {
    PlanarGraph graph = PlanarGraph.of(SQUARE, new int[] {0, 1, 1, 2, 2, 3, 3, 0});
    Mesh mesh = Mesh.builder(graph, HALVES).segmentOrigins(new int[] {3, 3, 0, 4}).build();
    assertSame(graph, mesh.planarGraph());
    assertEquals(3, mesh.segmentOrigin(1));
    assertEquals(4, mesh.segmentOrigin(3));
  }

  @Test
  void whatIsNotSetAnewStays() {
    PlanarGraph graph = PlanarGraph.of(SQUARE, new int[] {0, 1, 1, 2, 2, 3, 3, 0});
    Mesh mesh =
        Mesh.builder(graph, HALVES)
            .segmentOrigins(new int[] {3, 3, 0, 4})
            .triangleAttributes(2, new double[] {1, 2, 3, 4})
            .areaBounds(new double[] {5, 6})
            .build();
    Mesh bounded = mesh.toBuilder().areaBounds(new double[] {7, 8}).build();
    assertEquals(8, bounded.areaBound(1));
    assertArrayEquals(new double[] {1, 2, 3, 4}, bounded.triangleAttributeValues());
    Mesh labeled = mesh.toBuilder().triangleAttributes(1, new double[] {9, 10}).build();
    assertEquals(6, labeled.areaBound(1));
    assertEquals(1, labeled.triangleAttributes());
    assertEquals(10, labeled.triangleAttribute(1, 0));
    for (Mesh other : List.of(bounded, labeled)) {
      assertSame(graph, other.planarGraph());
      assertSame(HALVES, other.corners());
      assertSame(mesh.neighbors(), other.neighbors());
      assertSame(mesh.segmentsOfEdges(), other.segmentsOfEdges());
      assertEquals(4, other.segmentOrigin(3));
    }
    assertEquals(6, mesh.areaBound(1));
  }

  @Test
  void withOriginsTheBoundaryMustBeComplete() {
    PlanarGraph graph = PlanarGraph.of(SQUARE, new int[] {0, 1, 1, 2, 2, 3});
    assertRefused(
        "the edge of triangle 1 from vertex 3 to 0 is on the boundary and has no segment",
        () -> Mesh.builder(graph, HALVES).segmentOrigins(new int[] {0, 1, 2}).build());
  }

  @Test
  void knownAdjacencyIsTakenAsItIs() {
    int[] neighbors = {1, 1, 1, 0, 0, 0};
    int[] segments = {-1, 0, -1, -1, -1, -1};
    PlanarGraph graph = PlanarGraph.of(SQUARE, new int[] {0, 1});
    Mesh mesh = Mesh.builder(graph, HALVES).adjacency(neighbors, segments).build();
    assertSame(neighbors, mesh.neighbors());
    assertSame(segments, mesh.segmentsOfEdges());
    assertSame(graph, mesh.planarGraph());
  }

  @Test
  void adjacencyMustBeInRange() {
    PlanarGraph graph = PlanarGraph.of(SQUARE, new int[] {0, 1});
    int[] none = {-1, -1, -1, -1, -1, -1};
    assertRefused(
        "5 neighbors: expected three for each triangle, 6",
        () -> Mesh.builder(graph, HALVES).adjacency(new int[5], none));
    assertRefused(
        "neighbors[2] is 2: expected -1 or a triangle; there are 2",
        () -> Mesh.builder(graph, HALVES).adjacency(new int[] {0, 1, 2, 3, 0, 0}, none));
    assertRefused(
        "segmentsOfEdges[1] is -2: expected -1 or a segment; there are 1",
        () -> Mesh.builder(graph, HALVES).adjacency(none, new int[] {0, -2, 0, 0, 1, 0}));
  }

  /** Each segment by an edge on one side of it, in turn the lower and the higher one. */
  @ParameterizedTest
  @ValueSource(strings = {"uniform:100", "holes:2", "map:300"})
  void segmentsAreFoundByOneOfTheirEdges(String spec) {
    Mesh mesh = DelaunayTriangulation.of(MeshGenerators.generate(spec));
    int[] edges = new int[mesh.segments()];
    Arrays.fill(edges, -1);
    for (int h = 0; h < mesh.corners().length; h++) {
      int s = mesh.segmentsOfEdges()[h];
      if (s >= 0 && (edges[s] < 0 || s % 2 == 0)) {
        edges[s] = h;
      }
    }
    Mesh other =
        Mesh.builder(mesh.planarGraph(), mesh.corners())
            .edgesOfSegments(mesh.neighbors(), edges)
            .build();
    for (Mesh each : List.of(other, other.toBuilder().build())) {
      assertEquals(mesh.segment(0, 1), each.segment(0, 1));
      assertArrayEquals(mesh.segmentsOfEdges(), each.segmentsOfEdges());
      assertSame(each.segmentsOfEdges(), each.segmentsOfEdges());
    }
  }

  @Test
  void edgesOfSegmentsMustBeInRange() {
    PlanarGraph graph = PlanarGraph.of(SQUARE, new int[] {0, 1});
    int[] none = {-1, -1, -1, -1, -1, -1};
    assertRefused(
        "neighbors[5] is 2: expected -1 or a triangle; there are 2",
        () ->
            Mesh.builder(graph, HALVES)
                .edgesOfSegments(new int[] {-1, -1, -1, -1, -1, 2}, new int[] {0}));
    assertRefused(
        "2 edges of segments: expected 1",
        () -> Mesh.builder(graph, HALVES).edgesOfSegments(none, new int[2]));
    for (int edge : new int[] {-1, 6}) {
      assertRefused(
          "segment 0 from vertex 0 to 1 lies on edge " + edge + ": expected 0 or more, below 6",
          () -> Mesh.builder(graph, HALVES).edgesOfSegments(none, new int[] {edge}));
    }
  }

  @Test
  void verticesAreRenumbered() {
    Mesh mesh = Mesh.of(SQUARE, HALVES, new int[] {0, 2}).renumbered(new int[] {1, 2, 3, 0});
    assertArrayEquals(new double[] {4, 0, 4, 2, 0, 2, 0, 0}, mesh.coordinates());
    assertArrayEquals(new int[] {3, 0, 1, 1, 2, 3}, mesh.corners());
    assertArrayEquals(new int[] {-1, 1, -1, -1, 0, -1}, mesh.neighbors());
    assertEquals(3, mesh.segmentStart(0));
    assertEquals(1, mesh.segmentEnd(0));
    assertEquals(0, mesh.segment(0, 1));
  }

  @Test
  void anOrderMustHaveEveryVertexOnce() {
    Mesh mesh = Mesh.of(SQUARE, HALVES);
    assertRefused(
        "an order of 3: expected each of the 4 vertices once",
        () -> mesh.renumbered(new int[] {0, 1, 2}));
    assertRefused(
        "order[2] is 1: expected each of the 4 vertices once",
        () -> mesh.renumbered(new int[] {0, 1, 1, 3}));
    assertRefused(
        "order[1] is 4: expected each of the 4 vertices once",
        () -> mesh.renumbered(new int[] {0, 4, 1, 3}));
  }

  @Test
  void anEmptyMeshIsLegal() {
    Mesh mesh = Mesh.of(new double[0], new int[0]);
    assertEquals(0, mesh.triangles());
    assertEquals(0, mesh.segments());
    assertEquals(Double.POSITIVE_INFINITY, mesh.minX());
  }

  @Test
  void badTrianglesAreNamed() {
    assertRefused(
        "triangle 1 has the corners 2 3 4: expected three different vertices; there are 4",
        () -> Mesh.of(SQUARE, new int[] {0, 1, 2, 2, 3, 4}));
    assertRefused(
        "triangle 0 has the corners 0 1 -1: expected three different vertices; there are" + " 4",
        () -> Mesh.of(SQUARE, new int[] {0, 1, -1}));
    assertRefused(
        "triangle 2 has the corners 3 3 1: expected three different vertices; there are 4",
        () ->
            Mesh.builder(
                    PlanarGraph.builder(SQUARE).firstIndex(1).build(), new int[] {0, 1, 2, 2, 2, 0})
                .build());
    assertRefused("5 corners: expected three for each triangle", () -> Mesh.of(SQUARE, new int[5]));
  }

  @Test
  void trianglesMustBeCounterClockwise() {
    assertRefused(
        "triangle 1 has the corners 0 3 2, which are clockwise: expected them counter-clockwise",
        () -> Mesh.of(SQUARE, new int[] {0, 1, 2, 0, 3, 2}));
    assertRefused(
        "triangle 0 has the corners 0 1 2, which lie on one line",
        () -> Mesh.of(new double[] {0, 0, 0.1, 0.1, 0.7, 0.7}, new int[] {0, 1, 2}));
  }

  @Test
  void edgesInOneDirectionTwiceAreNamed() {
    String reason = " and so overlap: neighbors have their common edge in opposite directions";
    double[] six = {0, 0, 4, 0, 4, 2, 0, 2, 1, 9, 3, -9};
    assertRefused(
        "triangles 0 and 1 both have an edge from vertex 2 to 0" + reason,
        () -> Mesh.of(six, new int[] {0, 1, 2, 2, 0, 5}));
    // The edge has an owner on either side when a third one comes, in either direction.
    assertRefused(
        "triangles 0 and 2 both have an edge from vertex 2 to 0" + reason,
        () -> Mesh.of(six, new int[] {0, 1, 2, 2, 3, 0, 5, 2, 0}));
    assertRefused(
        "triangles 1 and 2 both have an edge from vertex 0 to 2" + reason,
        () -> Mesh.of(six, new int[] {0, 1, 2, 2, 3, 0, 0, 2, 4}));
  }

  /** Each edge is in order by itself; where triangles lie is not. */
  @Test
  void overlapsAreNamed() {
    assertRefused(
        "triangles 0 and 1 overlap: the edge of triangle 0 from vertex 1 to 2 crosses the edge of"
            + " triangle 1 from vertex 5 to 3",
        () ->
            Mesh.of(
                new double[] {0, 0, 4, 0, 0, 4, 1, 1, 5, 1, 1, 5}, new int[] {0, 1, 2, 3, 4, 5}));
    assertRefused(
        "triangle 1 overlaps others: the edge of triangle 1 from vertex 3 to 4 is on the boundary,"
            + " and other triangles that do not meet it are there too",
        () ->
            Mesh.of(
                new double[] {0, 0, 9, 0, 0, 9, 1, 1, 2, 1, 1, 2}, new int[] {0, 1, 2, 3, 4, 5}));
    assertRefused(
        "vertex 4 at 2.0 1.0 lies on the edge of triangle 0 from vertex 2 to 0, but is not one"
            + " of its ends: split the triangle there",
        () ->
            Mesh.of(
                new double[] {0, 0, 4, 0, 4, 2, 0, 2, 2, 1},
                new int[] {0, 1, 2, 0, 4, 3, 4, 2, 3}));
    assertRefused(
        "vertices 0 and 3 at 0.0 0.0 coincide: merge them, so that the triangles there are"
            + " neighbors",
        () ->
            Mesh.of(
                new double[] {0, 0, 4, 0, 4, 2, 0, 0, 4, 2, 0, 2}, new int[] {0, 1, 2, 3, 4, 5}));
  }

  /** A band around a hole that ends beyond its begin, and a cone around its first vertex. */
  @Test
  void whatWindsTwiceIsRefused() {
    int steps = 30;
    double[] band = new double[4 * steps];
    double[] cone = new double[2 + 2 * steps];
    int[] bandCorners = new int[6 * (steps - 1)];
    int[] coneCorners = new int[3 * steps];
    for (int i = 0; i < steps; i++) {
      double angle = 2 * Math.PI * i / 15.5;
      for (int rim = 0; rim < 2; rim++) {
        double radius = 1 + rim + 0.001 * i;
        band[4 * i + 2 * rim] = radius * Math.cos(angle);
        band[4 * i + 2 * rim + 1] = radius * Math.sin(angle);
      }
      cone[2 + 2 * i] = Math.cos(4 * Math.PI * i / steps) * (1 + 0.01 * i);
      cone[3 + 2 * i] = Math.sin(4 * Math.PI * i / steps) * (1 + 0.01 * i);
      System.arraycopy(new int[] {0, 1 + i, 1 + (i + 1) % steps}, 0, coneCorners, 3 * i, 3);
      if (i > 0) {
        int v = 2 * i - 2;
        System.arraycopy(
            new int[] {v, v + 1, v + 3, v, v + 3, v + 2}, 0, bandCorners, 6 * (i - 1), 6);
      }
    }
    for (Runnable build :
        List.<Runnable>of(() -> Mesh.of(band, bandCorners), () -> Mesh.of(cone, coneCorners))) {
      String message = assertThrows(IllegalArgumentException.class, build::run).getMessage();
      assertTrue(message.contains("overlap"), message);
    }
    // Once around is a mesh: 15 steps of the band, and a bow of two triangles at one vertex.
    Mesh.of(band, Arrays.copyOf(bandCorners, 6 * 14));
    Mesh.of(new double[] {0, 0, 1, -1, 1, 1, -1, 1, -1, -1}, new int[] {0, 1, 2, 0, 3, 4});
  }

  @Test
  void badSegmentsAreNamed() {
    assertRefused(
        "segment 1 from vertex 1 to 3 is no edge of the triangulation",
        () -> Mesh.of(SQUARE, HALVES, new int[] {0, 1, 1, 3}));
    assertRefused(
        "segment 1 from vertex 2 to 0 repeats segment 0 from vertex 0 to 2",
        () -> Mesh.of(SQUARE, HALVES, new int[] {0, 2, 2, 0}));
  }

  @Test
  void arraysOfWrongLengthAreRefused() {
    PlanarGraph graph = PlanarGraph.of(SQUARE, new int[] {0, 1});
    Mesh.Builder builder = Mesh.builder(graph, HALVES);
    assertRefused(
        "2 origins of segments: expected 1", () -> builder.segmentOrigins(new int[] {0, 1}));
    assertRefused(
        "segment 0 from vertex 0 to 1 has origin -1: expected 0 or more",
        () -> builder.segmentOrigins(new int[] {-1}));
    assertRefused(
        "3 attributes of triangles: expected 4",
        () -> builder.triangleAttributes(2, new double[3]));
  }

  /** Half a million triangles around one vertex, in any order: its list is never searched. */
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void largeDegreesCostNothing() {
    int rim = 500_000;
    double[] coordinates = new double[2 * rim + 2];
    int[] corners = new int[3 * rim];
    for (int i = 0; i < rim; i++) {
      coordinates[2 * i + 2] = Math.cos(2 * Math.PI * i / rim);
      coordinates[2 * i + 3] = Math.sin(2 * Math.PI * i / rim);
    }
    Integer[] order = new Integer[rim];
    Arrays.setAll(order, i -> i);
    Collections.shuffle(Arrays.asList(order), new Random(1));
    for (int t = 0; t < rim; t++) {
      corners[3 * t + 1] = 1 + order[t];
      corners[3 * t + 2] = 1 + (order[t] + 1) % rim;
    }
    Mesh mesh = ProcessorTime.within(Duration.ofSeconds(60), () -> Mesh.of(coordinates, corners));
    assertEquals(rim, mesh.segments());
    for (int t = 0; t < rim; t++) {
      assertEquals(-1, mesh.neighbor(t, 0));
      assertEquals(mesh.corner(t, 2), mesh.corner(mesh.neighbor(t, 1), 1));
    }
  }
}
