package io.magpie.algorithms.mesh.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.algorithms.mesh.Splitting;
import io.magpie.algorithms.mesh.verify.MeshVerification.Status;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each check must see defects of its kind, and no other check may see them, where that can be. */
class MeshVerifierTest {
  private final RefinedMesh mesh = RefinedMesh.square(4);

  private static void assertFails(RefinedMesh refined, String detail, MeshCheck... checks) {
    MeshVerification found = refined.verify();
    assertEquals(List.of(checks), found.failures(), found::toString);
    assertTrue(found.outcome(checks[0]).detail().contains(detail), found::toString);
  }

  /** Two triangles on the diagonal 0-2 of a kite, which is a segment if {@code split} is. */
  private static final double[] KITE = {-2, 0, 0, -2, 2, 0, 0, 2};

  private static RefinedMesh kite(double x, double y) {
    Mesh input =
        Mesh.of(KITE, new int[] {0, 1, 2, 0, 2, 3}, new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 2});
    double[] coordinates = Arrays.copyOf(KITE, 10);
    coordinates[8] = x;
    coordinates[9] = y;
    Mesh output =
        RefinedMesh.mesh(
            coordinates,
            new int[] {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4},
            new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 4, 2, 4},
            0,
            1,
            2,
            3,
            4,
            4);
    return RefinedMesh.of(input, output);
  }

  /** A wedge of 20 degrees whose sides of length 10 are split at these distances from the apex. */
  private static RefinedMesh wedge(double first, double second) {
    double c = Math.cos(Math.toRadians(20));
    double s = Math.sin(Math.toRadians(20));
    double[] coordinates = {0, 0, 10, 0, 10 * c, 10 * s, first, 0, second * c, second * s};
    Mesh input =
        Mesh.of(Arrays.copyOf(coordinates, 6), new int[] {0, 1, 2}, new int[] {0, 1, 1, 2, 2, 0});
    Mesh output =
        RefinedMesh.mesh(
            coordinates,
            new int[] {0, 3, 4, 3, 1, 4, 1, 2, 4},
            new int[] {0, 3, 3, 1, 1, 2, 2, 4, 4, 0},
            0,
            0,
            1,
            2,
            2);
    RefinedMesh refined = RefinedMesh.of(input, output);
    refined.claim = RefinementClaim.of(30).withInserted(0, 2, 2);
    return refined;
  }

  @Test
  void acceptsARefinedSquare() {
    for (int n : new int[] {1, 2, 4, 30}) {
      RefinedMesh square = RefinedMesh.square(n);
      MeshVerification found = square.verify();
      assertEquals(List.of(), found.failures(), found::toString);
      assertTrue(
          found.outcomes().stream().allMatch(outcome -> outcome.status() == Status.PASSED),
          found::toString);
      assertEquals(45, found.angles().smallest(), 1e-9);
    }
  }

  @Test
  void acceptsMeshesAsSuch() {
    MeshVerification found = MeshVerifier.delaunay(mesh.output());
    assertTrue(found.passed(), found::toString);
    assertEquals(Status.NOT_APPLICABLE, found.outcome(MeshCheck.AREA).status());
  }

  @Test
  void seesASegmentThatIsSplitAndIsNotToBe() {
    RefinedMesh kite = kite(0, 0);
    kite.claim = RefinementClaim.of(0).withSplitting(Splitting.INSIDE);
    assertEquals(List.of(), kite.verify().failures());
    kite.claim = RefinementClaim.of(0).withSplitting(Splitting.NONE);
    assertFails(
        kite, "input segment 4 (0-2) is to stay whole, but has 2 parts", MeshCheck.BOUNDARY);
    for (Splitting splitting : List.of(Splitting.INSIDE, Splitting.NONE)) {
      RefinedMesh square = RefinedMesh.square(3);
      square.claim = square.claim.withSplitting(splitting);
      assertFails(square, "segment 0 (0-1) is to stay whole, but has 3", MeshCheck.BOUNDARY);
    }
    RefinedMesh whole = RefinedMesh.square(1);
    whole.claim = whole.claim.withSplitting(Splitting.NONE);
    assertEquals(List.of(), whole.verify().failures());
  }

  @Test
  void aNegativeZeroIsZero() {
    double[] square = {0.0, 0, 2, 0, 2, 2, -0.0, 2, 0.0, 1};
    int[] corners = {0, 1, 4, 1, 2, 4, 2, 3, 4};
    for (int negated : new int[] {0, 6, 8}) {
      double[] coordinates = square.clone();
      coordinates[negated] = -coordinates[negated];
      MeshVerification found = MeshVerifier.delaunay(Mesh.of(coordinates, corners));
      assertTrue(found.passed(), found::toString);
    }
  }

  // Check 1

  @Test
  void seesANeighborThatWasFreed() {
    mesh.corners = Arrays.copyOf(mesh.corners, mesh.corners.length + 3);
    Arrays.fill(mesh.corners, mesh.corners.length - 3, mesh.corners.length, MeshArrays.FREE);
    mesh.neighbors = Arrays.copyOf(mesh.neighbors, mesh.corners.length);
    mesh.segmentsOfEdges = Arrays.copyOf(mesh.segmentsOfEdges, mesh.corners.length);
    assertEquals(List.of(), mesh.verify().failures());
    mesh.neighbors[7] = mesh.corners.length / 3 - 1;
    assertFails(mesh, "triangle 2 has neighbor 32, which is free", MeshCheck.TRIANGLES);
  }

  @Test
  void seesASegmentThatIsOutOfRange() {
    mesh.segmentsOfEdges[interiorSide()] = 20;
    assertFails(mesh, "has segment 20, which is free or none of 20", MeshCheck.TRIANGLES);
  }

  /** A side of an edge without a segment. */
  private int interiorSide() {
    int h = 0;
    while (mesh.segmentsOfEdges[h] >= 0) {
      h++;
    }
    return h;
  }

  @Test
  void seesACornerThatIsNoVertex() {
    mesh.corners[10] = 25;
    assertFails(mesh, "triangle 3 has corner 25 of 25 vertices", MeshCheck.TRIANGLES);
    assertEquals(Status.NOT_APPLICABLE, mesh.verify().outcome(MeshCheck.EDGES).status());
  }

  @Test
  void seesACoordinateThatIsNotFinite() {
    mesh.coordinates[21] = Double.NaN;
    assertFails(mesh, "vertex 10 is at ", MeshCheck.TRIANGLES);
    mesh.coordinates[21] = Double.NEGATIVE_INFINITY;
    assertFails(mesh, "-Infinity", MeshCheck.TRIANGLES);
  }

  @Test
  void seesAnEndThatIsNoVertex() {
    mesh.segmentEnds[10] = -2;
    assertFails(mesh, "segment 5 (-2-", MeshCheck.TRIANGLES);
  }

  @Test
  void seesAnOriginThatIsNoSegment() {
    mesh.segmentOrigins[5] = 5;
    assertFails(mesh, "is a part of segment 5 of the input, which has 5", MeshCheck.TRIANGLES);
  }

  @Test
  void seesAVertexWithoutTriangles() {
    mesh.coordinates = Arrays.copyOf(mesh.coordinates, mesh.coordinates.length + 2);
    mesh.claim = RefinementClaim.of(30);
    assertFails(mesh, "vertex 25 is the corner of no triangle", MeshCheck.TRIANGLES);
  }

  @Test
  void acceptsAVertexThatTheInputDoesNotUseEither() {
    double[] coordinates = {0, 0, 1, 0, 0, 1, 7, 7};
    RefinedMesh same = RefinedMesh.unchanged(Mesh.of(coordinates, new int[] {0, 1, 2}));
    assertTrue(same.verify().passed());
  }

  @Test
  void seesAFlatTriangle() {
    // A vertex on segment 0-1 that does not split it: triangle 0, 1, 4 has no area.
    Mesh input =
        Mesh.of(
            new double[] {0, 0, 4, 0, 4, 4, 0, 4},
            new int[] {0, 1, 2, 0, 2, 3},
            new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 2});
    Mesh output =
        RefinedMesh.mesh(
            new double[] {0, 0, 4, 0, 4, 4, 0, 4, 2, 0},
            new int[] {0, 4, 2, 4, 1, 2, 0, 1, 4, 0, 2, 3},
            new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 2},
            0,
            1,
            2,
            3,
            4);
    RefinedMesh refined = RefinedMesh.of(input, output);
    refined.claim = RefinementClaim.of(0).withInserted(1, 0, 1);
    assertFails(refined, "triangle 2 with corners 0, 1, 4 is flat", MeshCheck.TRIANGLES);
  }

  @Test
  void seesAClockwiseTriangle() {
    Mesh triangle = Mesh.of(new double[] {0, 0, 1, 0, 0, 1}, new int[] {0, 1, 2});
    RefinedMesh turned = RefinedMesh.unchanged(triangle);
    turned.corners = new int[] {0, 2, 1};
    int[] segments = turned.segmentsOfEdges;
    turned.segmentsOfEdges = new int[] {segments[0], segments[2], segments[1]};
    assertFails(turned, "is clockwise", MeshCheck.TRIANGLES, MeshCheck.AREA);
  }

  // Check 2

  @Test
  void seesTrianglesThatOverlap() {
    // All edges are segments, so a triangle can be replaced by a copy of another of its size
    // without any other trace than edges of three triangles.
    RefinedMesh square = RefinedMesh.square(6);
    RefinedMesh grid =
        RefinedMesh.unchanged(RefinedMesh.allSegments(square.coordinates, square.corners));
    int gone = innerTriangle(grid, 0);
    int copied = innerTriangle(grid, 40);
    grid.free(gone);
    System.arraycopy(grid.corners, 3 * copied, grid.corners, 3 * gone, 3);
    System.arraycopy(grid.segmentsOfEdges, 3 * copied, grid.segmentsOfEdges, 3 * gone, 3);
    assertFails(grid, "belongs to 3 triangles", MeshCheck.EDGES);
  }

  private static int innerTriangle(RefinedMesh mesh, int from) {
    int t = from;
    while (Arrays.stream(mesh.neighbors, 3 * t, 3 * t + 3).anyMatch(n -> n < 0)) {
      t++;
    }
    return t;
  }

  @Test
  void seesTrianglesOnTheSameSideOfAnEdge() {
    Mesh triangle = Mesh.of(new double[] {0, 0, 1, 0, 0, 1}, new int[] {0, 1, 2});
    RefinedMesh twice = RefinedMesh.unchanged(triangle);
    twice.corners = new int[] {0, 1, 2, 0, 1, 2};
    twice.neighbors = new int[] {-1, -1, -1, -1, -1, -1};
    twice.segmentsOfEdges = Arrays.copyOf(twice.segmentsOfEdges, 6);
    System.arraycopy(twice.segmentsOfEdges, 0, twice.segmentsOfEdges, 3, 3);
    assertFails(
        twice,
        "edge 0-1 has the same direction in triangles 0 and 1",
        MeshCheck.EDGES,
        MeshCheck.EULER,
        MeshCheck.AREA);
  }

  // Check 3

  @Test
  void seesAWrongNeighbor() {
    int h = interiorSide();
    int far = mesh.corners.length / 3 - 1;
    mesh.neighbors[h] = far;
    assertFails(mesh, "has neighbor " + far + " across edge", MeshCheck.ADJACENCY);
  }

  @Test
  void seesASegmentOnOneSideOnly() {
    RefinedMesh split = kite(0, 0);
    int h = 0;
    while (split.segmentsOfEdges[h] != 4) {
      h++;
    }
    split.segmentsOfEdges[h] = -1;
    assertFails(split, "carries segment ", MeshCheck.ADJACENCY);
  }

  @Test
  void seesASegmentOnAnEdgeWithOtherEnds() {
    int h = interiorSide();
    int t = mesh.neighbors[h];
    mesh.segmentsOfEdges[h] = 1;
    for (int g = 3 * t; g < 3 * t + 3; g++) {
      if (mesh.neighbors[g] == h / 3) {
        mesh.segmentsOfEdges[g] = 1;
      }
    }
    assertFails(mesh, "which has other ends", MeshCheck.ADJACENCY);
  }

  /** It is no segment that could stay whole, and the input is refused before that is looked at. */
  @Test
  void refusesInputsWithABoundaryWithoutASegment() {
    PlanarGraph corner = PlanarGraph.of(new double[] {0, 0, 2, 0, 0, 2}, new int[] {0, 1});
    int[] corners = {0, 1, 2};
    int[] none = {-1, -1, -1};
    Mesh.Builder builder = Mesh.builder(corner, corners);
    for (Mesh bare :
        List.of(
            builder.adjacency(none, new int[] {-1, -1, 0}).build(),
            builder.edgesOfSegments(none, new int[] {2}).build())) {
      for (Splitting splitting : Splitting.values()) {
        RefinementClaim claim = RefinementClaim.of(20).withSplitting(splitting);
        IllegalArgumentException refused =
            assertThrows(
                IllegalArgumentException.class, () -> MeshVerifier.verify(bare, bare, claim));
        assertTrue(
            refused.getMessage().endsWith("is on the boundary and carries no segment"),
            refused.getMessage());
      }
    }
  }

  @Test
  void seesABoundaryWithoutASegment() {
    int h = 0;
    while (mesh.neighbors[h] >= 0) {
      h++;
    }
    mesh.segmentsOfEdges[h] = -1;
    assertFails(
        mesh, "is on the boundary and carries no segment", MeshCheck.ADJACENCY, MeshCheck.BOUNDARY);
  }

  // Check 4

  @Test
  void seesAHoleTooSmallForTheArea() {
    double e = 0x1p-24;
    RefinedMesh holed =
        RefinedMesh.unchanged(
            RefinedMesh.allSegments(
                new double[] {0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5, 0.5 + e, 0.5, 0.5, 0.5 + e},
                0,
                1,
                5,
                0,
                5,
                4,
                1,
                2,
                5,
                2,
                6,
                5,
                2,
                3,
                6,
                3,
                4,
                6,
                3,
                0,
                4,
                4,
                5,
                6));
    assertEquals(List.of(), holed.verify().failures());
    holed.free(7);
    assertFails(holed, "7 vertices - 14 edges + 7 triangles = 0, in the input 1", MeshCheck.EULER);
  }

  // Check 5

  @Test
  void seesAnEdgeThatIsNotDelaunay() {
    double[] kite = {-2, 0, 0, -1, 2, 0, 0, 1};
    Mesh right = Mesh.of(kite, new int[] {0, 1, 3, 1, 2, 3});
    Mesh flipped = Mesh.of(kite, new int[] {0, 1, 2, 0, 2, 3}, new int[] {0, 1, 1, 2, 2, 3, 3, 0});
    RefinedMesh refined =
        RefinedMesh.of(Mesh.of(kite, right.corners(), new int[] {0, 1, 1, 2, 2, 3, 3, 0}), flipped);
    assertFails(
        refined,
        "vertex 3 of triangle 1 lies inside the circle of triangle 0, across edge",
        MeshCheck.DELAUNAY);
    assertEquals(List.of(MeshCheck.DELAUNAY), MeshVerifier.delaunay(flipped).failures());
    assertTrue(MeshVerifier.delaunay(right).passed());
  }

  // Check 6

  @Test
  void seesABoundaryThatDrifts() {
    // The middles of the sides lie 40 units in the last place outside: each for itself could be
    // rounding, all of them together are not.
    double low = 1024;
    double high = 1025;
    double middle = 1024.5;
    double drift = 40 * Math.ulp(high);
    double[] coordinates = {
      low,
      low,
      high,
      low,
      high,
      high,
      low,
      high,
      middle,
      low - drift,
      high + drift,
      middle,
      middle,
      high + drift,
      low - drift,
      middle,
      middle,
      middle
    };
    Mesh input =
        Mesh.of(
            Arrays.copyOf(coordinates, 8),
            new int[] {0, 1, 2, 0, 2, 3},
            new int[] {0, 1, 1, 2, 2, 3, 3, 0});
    Mesh output =
        RefinedMesh.mesh(
            coordinates,
            new int[] {0, 4, 8, 4, 1, 8, 1, 5, 8, 5, 2, 8, 2, 6, 8, 6, 3, 8, 3, 7, 8, 7, 0, 8},
            new int[] {0, 4, 4, 1, 1, 5, 5, 2, 2, 6, 6, 3, 3, 7, 7, 0},
            0,
            0,
            1,
            1,
            2,
            2,
            3,
            3);
    assertFails(
        RefinedMesh.of(input, output), "before 1.0000000000000000, tolerance", MeshCheck.AREA);
  }

  // Check 7

  @Test
  void seesASharpTriangle() {
    mesh.claim = RefinementClaim.of(45.001);
    assertFails(mesh, "30 triangles break a bound, the first is 2", MeshCheck.QUALITY);
    mesh.claim = RefinementClaim.of(45);
    assertTrue(mesh.verify().passed());
  }

  @Test
  void seesALargeTriangle() {
    mesh.claim = RefinementClaim.of(30).withMaximumArea(Math.nextDown(0.5));
    assertFails(mesh, "32 triangles break a bound", MeshCheck.QUALITY);
    mesh.claim = RefinementClaim.of(30).withMaximumArea(0.5);
    assertTrue(mesh.verify().passed());
  }

  @Test
  void acceptsAsManyBadTrianglesAsAreAdmitted() {
    mesh.claim = RefinementClaim.of(50).withStop(30);
    MeshVerification found = mesh.verify();
    assertTrue(found.passed(), found::toString);
    assertEquals(30, found.bad());
    assertEquals(2, found.excused());
    mesh.claim = RefinementClaim.of(50).withStop(29);
    assertFails(mesh, "30 triangles break a bound, 29 are admitted", MeshCheck.QUALITY);
    mesh.claim = RefinementClaim.of(50).withStop(31).withExcused(0);
    assertFails(mesh, "the refiner counts 31 and 0", MeshCheck.QUALITY);
  }

  @Test
  void excusesSmallAnglesOfTheInput() {
    RefinedMesh wedge = wedge(5, 5);
    wedge.claim = wedge.claim.withExcused(2);
    MeshVerification found = wedge.verify();
    assertTrue(found.passed(), found::toString);
    assertEquals(2, found.excused());
    wedge.claim = wedge.claim.withExcused(3);
    assertFails(wedge, "0 triangles break a bound and 2 are excused", MeshCheck.QUALITY);
  }

  @Test
  void excusesNoOtherTriangleNearASmallAngle() {
    assertFails(wedge(5, 5.1), "1 triangles break a bound", MeshCheck.QUALITY);
  }

  /** Vertices of the input that happen to be equally far from the apex: no shell. */
  @Test
  void excusesNoTriangleForVerticesOfTheInput() {
    double c = Math.cos(Math.toRadians(10));
    double s = Math.sin(Math.toRadians(10));
    Mesh fan =
        Mesh.of(
            new double[] {0, 0, c, -s, 1.5, -0.7, 2.3, 0, 1.5, 0.7, c, s, 1.5, 0},
            new int[] {0, 1, 5, 1, 6, 5, 1, 2, 6, 2, 3, 6, 3, 4, 6, 4, 5, 6},
            new int[] {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0});
    RefinedMesh unchanged = RefinedMesh.unchanged(fan);
    unchanged.claim = RefinementClaim.of(40);
    MeshVerification found = unchanged.verify();
    assertEquals(List.of(MeshCheck.QUALITY), found.failures(), found::toString);
    assertEquals(1, found.excused());
    assertEquals(1, found.bad());
  }

  // Check 8

  @Test
  void seesAnInputVertexThatIsNotKeptBitForBit() {
    mesh.coordinates[0] = -0.0;
    assertFails(mesh, "vertex 0 of the input moved from 0.0, 0.0 to -0.0", MeshCheck.BOUNDARY);
  }

  @Test
  void seesMissingVertices() {
    RefinedMesh none = RefinedMesh.square(1);
    RefinedMesh larger =
        RefinedMesh.of(
            Mesh.of(
                new double[] {0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5},
                new int[] {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4},
                new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 4}),
            Mesh.of(new double[] {0, 0, 1, 0, 1, 1, 0, 1}, new int[] {0, 1, 2, 0, 2, 3}));
    assertTrue(none.verify().passed());
    assertFails(larger, "4 vertices are left of the input's 5", MeshCheck.BOUNDARY);
  }

  @Test
  void seesAPartOfTheWrongSegment() {
    mesh.segmentOrigins[5] = 2;
    assertFails(mesh, "input segment 1", MeshCheck.BOUNDARY);
  }

  @Test
  void seesALostInteriorSegment() {
    RefinedMesh split = kite(0, 0);
    split.segmentEnds = Arrays.copyOf(split.segmentEnds, 8);
    split.segmentOrigins = Arrays.copyOf(split.segmentOrigins, 4);
    split.segmentsOfEdges = Arrays.stream(split.segmentsOfEdges).map(s -> s < 4 ? s : -1).toArray();
    assertFails(split, "no part of input segment 4 begins at its vertex 0", MeshCheck.BOUNDARY);
  }

  @Test
  void seesASegmentThatIsNoEdge() {
    // The segment 0-2 was dropped from the edges by a flip, but is still said to be there.
    double[] kite = {-2, 0, 0, -1, 2, 0, 0, 1};
    Mesh input =
        Mesh.of(kite, new int[] {0, 1, 2, 0, 2, 3}, new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 2});
    Mesh flipped = Mesh.of(kite, new int[] {0, 1, 3, 1, 2, 3}, new int[] {0, 1, 1, 2, 2, 3, 3, 0});
    RefinedMesh refined = RefinedMesh.of(input, flipped);
    refined.segmentEnds = new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 2};
    refined.segmentOrigins = new int[] {0, 1, 2, 3, 4};
    assertFails(refined, "segment 4 (0-2) of input segment 4 is no edge", MeshCheck.BOUNDARY);
  }

  @Test
  void seesAChainThatLeavesItsSegment() {
    assertTrue(kite(0, 1e-14).verify().passed());
    assertFails(kite(0, 1e-9), "vertex 4 at 0.0, 1.0E-9 is not between", MeshCheck.BOUNDARY);
  }

  @Test
  void seesAVertexThatSplitsTwoSegments() {
    RefinedMesh split = kite(0, 0);
    split.segmentEnds = Arrays.copyOf(split.segmentEnds, 14);
    split.segmentEnds[12] = 1;
    split.segmentEnds[13] = 4;
    split.segmentOrigins = Arrays.copyOf(split.segmentOrigins, 7);
    split.segmentOrigins[6] = 4;
    for (int h = 0; h < split.corners.length; h++) {
      MeshArrays now = split.output();
      if (Math.min(now.edgeStart(h), now.edgeEnd(h)) == 1
          && Math.max(now.edgeStart(h), now.edgeEnd(h)) == 4) {
        split.segmentsOfEdges[h] = 6;
      }
    }
    assertFails(split, "vertex 4 is an end of segments 4, 5 and 6", MeshCheck.BOUNDARY);
  }

  /** Meshes that no builder makes, as if one had looked away. */
  @Test
  void seesTrianglesOverOthers() {
    double[][] coordinates = {
      {0, 0, 4, 0, 0, 4, 1, 1, 5, 1, 1, 5},
      {0, 0, 9, 0, 0, 9, 1, 1, 2, 1, 1, 2},
      {0, 0, 4, 0, 0, 4, 2, 0, 6, 0, 4, -4},
      {0, 0, 4, 0, 4, 2, 0, 0, 4, 2, 0, 2}
    };
    String[] faults = {
      "triangles 0 and 1 overlap",
      "triangle 1 overlaps others",
      "lies on the edge of triangle 0 from vertex 0 to 1",
      "coincide"
    };
    for (int i = 0; i < faults.length; i++) {
      int[] corners = i == 2 ? new int[] {0, 1, 2, 4, 3, 5} : new int[] {0, 1, 2, 3, 4, 5};
      int[] ends = {0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3};
      Mesh mesh = RefinedMesh.mesh(coordinates[i], corners, ends, 0, 1, 2, 3, 4, 5);
      MeshVerification found = MeshVerifier.delaunay(mesh);
      String detail = found.outcome(MeshCheck.EDGES).detail();
      assertTrue(found.failures().contains(MeshCheck.EDGES), found::toString);
      assertTrue(detail.contains(faults[i]), detail);
      // As an input it is refused, and so the result has no verdict that hides it.
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> MeshVerifier.verify(mesh, mesh, RefinementClaim.of(0)))
              .getMessage();
      assertTrue(message.startsWith("the input is not a triangulation: "), message);
      assertTrue(message.contains(faults[i]), message);
    }
  }

  /** The first side of a triangle in parts that end at these abscissas. */
  private static RefinedMesh bottom(double... x) {
    double[] coordinates = {-1, 0, 0, 0, 0, 1};
    Mesh input = Mesh.of(coordinates, new int[] {0, 1, 2}, new int[] {0, 1, 1, 2, 2, 0});
    double[] refined = Arrays.copyOf(coordinates, 6 + 2 * x.length);
    int[] corners = new int[3 * (x.length + 1)];
    int[] ends = new int[2 * (x.length + 3)];
    int[] origins = new int[x.length + 3];
    for (int part = 0; part <= x.length; part++) {
      int start = part == 0 ? 0 : part + 2;
      int end = part == x.length ? 1 : part + 3;
      System.arraycopy(new int[] {start, end, 2}, 0, corners, 3 * part, 3);
      System.arraycopy(new int[] {start, end}, 0, ends, 2 * part, 2);
    }
    System.arraycopy(new int[] {1, 2, 2, 0}, 0, ends, 2 * x.length + 2, 4);
    System.arraycopy(new int[] {1, 2}, 0, origins, x.length + 1, 2);
    for (int i = 0; i < x.length; i++) {
      refined[6 + 2 * i] = x[i];
    }
    return RefinedMesh.of(input, RefinedMesh.mesh(refined, corners, ends, origins));
  }

  /** Parts that a double cannot tell from nothing, measured from the other end of the segment. */
  @Test
  void acceptsPartsOfAnyLength() {
    MeshVerification found = bottom(-0x1p-60, -0x1p-61, -0x1p-62).verify();
    assertEquals(Status.PASSED, found.outcome(MeshCheck.BOUNDARY).status(), found::toString);
  }

  @Test
  void seesPartsOfAnyLengthOutOfOrder() {
    for (double[] x :
        new double[][] {{-0x1p-61, -0x1p-60}, {-0x1p-60, -0x1p-60}, {0x1p-60}, {-0x1p-60, 0}}) {
      MeshVerification found = bottom(x).verify();
      assertEquals(Status.FAILED, found.outcome(MeshCheck.BOUNDARY).status(), found::toString);
      assertTrue(found.outcome(MeshCheck.BOUNDARY).detail().contains("is not between"));
    }
  }

  @Test
  void seesLostLabels() {
    double[] coordinates = {0, 0, 1, 0, 0, 1};
    int[] ends = {0, 1, 1, 2, 2, 0};
    int[] corners = {0, 1, 2};
    Mesh marked =
        labeled(coordinates, corners, ends, new int[] {1, 2, 3}, new int[] {5, 6, 7}, 0.5);
    RefinementClaim claim = RefinementClaim.of(0);
    assertTrue(MeshVerifier.verify(marked, marked, claim).passed());
    Mesh otherVertex =
        labeled(coordinates, corners, ends, new int[] {1, 2, 4}, new int[] {5, 6, 7}, 0.5);
    Mesh otherSegment =
        labeled(coordinates, corners, ends, new int[] {1, 2, 3}, new int[] {5, 6, 8}, 0.5);
    Mesh otherAttribute =
        labeled(coordinates, corners, ends, new int[] {1, 2, 3}, new int[] {5, 6, 7}, 0.25);
    for (Mesh other : List.of(otherVertex, otherSegment, otherAttribute)) {
      assertEquals(
          List.of(MeshCheck.BOUNDARY), MeshVerifier.verify(marked, other, claim).failures());
    }
  }

  private static Mesh labeled(
      double[] coordinates,
      int[] corners,
      int[] ends,
      int[] vertexMarkers,
      int[] segmentMarkers,
      double attribute) {
    return Mesh.builder(
            PlanarGraph.builder(coordinates)
                .vertexAttributes(1, new double[] {attribute, 1, 2})
                .vertexMarkers(vertexMarkers)
                .segments(ends, segmentMarkers)
                .build(),
            corners)
        .build();
  }

  /** Triangles below the square's diagonal have attribute 1, those above 2, and these bounds. */
  private static RefinedMesh halves(double below, double above) {
    RefinedMesh square = RefinedMesh.square(4);
    RefinedMesh halves = RefinedMesh.labeled(square, labels(square.input, below, above));
    halves.labels = labels(square.output(), below, above);
    halves.claim = square.claim.withMaximumArea(0);
    return halves;
  }

  private static TriangleLabels labels(MeshArrays of, double below, double above) {
    double[] attributes = new double[of.triangleSlots()];
    double[] bounds = new double[attributes.length];
    for (int t = 0; t < attributes.length; t++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) {
        int v = of.corners()[3 * t + k];
        sum += of.y(v) - of.x(v);
      }
      attributes[t] = sum < 0 ? 1 : 2;
      bounds[t] = sum < 0 ? below : above;
    }
    return new TriangleLabels(1, attributes, bounds);
  }

  @Test
  void acceptsLabelsOfRegions() {
    RefinedMesh halves = halves(0.5, 100);
    assertTrue(halves.verify().passed(), () -> halves.verify().toString());
    // Whichever way parts of segments run.
    for (int s = 0; s < halves.segmentOrigins.length; s += 2) {
      int end = halves.segmentEnds[2 * s];
      halves.segmentEnds[2 * s] = halves.segmentEnds[2 * s + 1];
      halves.segmentEnds[2 * s + 1] = end;
    }
    assertTrue(halves.verify().passed(), () -> halves.verify().toString());
  }

  @Test
  void seesATriangleWithTheAttributesOfAnotherRegion() {
    RefinedMesh halves = halves(0.5, 0.5);
    halves.labels.values()[17] = 3 - halves.labels.values()[17];
    assertFails(halves, "triangle 17 has attributes [", MeshCheck.BOUNDARY);
  }

  @Test
  void seesATriangleWithTheBoundOfAnotherRegion() {
    RefinedMesh halves = halves(0.5, 100);
    double[] bounds = halves.labels.areaBounds();
    bounds[17] = 100.5 - bounds[17];
    assertFails(halves, "triangle 17 has attributes [", MeshCheck.BOUNDARY);
    assertTrue(halves.verify().toString().contains("and area bound " + bounds[17]));
  }

  @Test
  void seesRegionsThatAreExchanged() {
    RefinedMesh halves = halves(100, 100);
    double[] attributes = halves.labels.values();
    Arrays.setAll(attributes, t -> 3 - attributes[t]);
    assertFails(halves, "triangle 0 has attributes [", MeshCheck.BOUNDARY);
    assertTrue(halves.verify().toString().contains("(and 31 more)"));
  }

  @Test
  void seesLabelsThatAreLostOrInvented() {
    RefinedMesh halves = halves(0.5, 100);
    TriangleLabels labels = halves.labels;
    halves.labels = TriangleLabels.NONE;
    assertFails(halves, "triangles have 0 attributes, the input's 1", MeshCheck.BOUNDARY);
    halves.labels = new TriangleLabels(1, labels.values(), new double[0]);
    assertFails(halves, "triangles have no area bounds, the input's some", MeshCheck.BOUNDARY);
    RefinedMesh plain = RefinedMesh.square(4);
    plain.labels = new TriangleLabels(0, new double[0], labels.areaBounds());
    assertFails(plain, "triangles have area bounds, the input's none", MeshCheck.BOUNDARY);
  }

  /** Half of the square has larger triangles than its bound, and the other half has no bound. */
  @Test
  void seesATriangleThatIsTooLargeForItsRegion() {
    RefinedMesh halves = halves(Math.nextDown(0.5), Double.POSITIVE_INFINITY);
    assertFails(halves, "16 triangles break a bound", MeshCheck.QUALITY);
    halves.claim = halves.claim.withMaximumArea(Math.nextDown(0.5));
    assertFails(halves, "32 triangles break a bound", MeshCheck.QUALITY);
    RefinedMesh fine = halves(0.5, Double.POSITIVE_INFINITY);
    fine.claim = fine.claim.withMaximumArea(0.5);
    assertTrue(fine.verify().passed(), () -> fine.verify().toString());
  }

  /** Without a segment between them, the square's halves are one part with two attributes. */
  @Test
  void seesAttributesThatAreThoseOfAnotherPlace() {
    RefinedMesh labeled = cutSquare(new TriangleLabels(1, new double[] {1, 2}, new double[0]));
    assertTrue(labeled.verify().passed(), () -> labeled.verify().toString());
    labeled.labels = new TriangleLabels(1, new double[] {2, 1}, new double[0]);
    assertFails(labeled, "triangle 0 has attributes [2.0]", MeshCheck.BOUNDARY);
    labeled.labels = new TriangleLabels(1, new double[] {2, 2}, new double[0]);
    assertFails(
        labeled,
        "triangle 0 has attributes [2.0], not those of the input's triangle that its centroid lies"
            + " in",
        MeshCheck.BOUNDARY);
  }

  private static RefinedMesh cutSquare(TriangleLabels labels) {
    Mesh input = Mesh.of(new double[] {0, 0, 1, 0, 1, 1, 0, 1}, new int[] {0, 1, 2, 0, 2, 3});
    RefinedMesh labeled = RefinedMesh.labeled(RefinedMesh.unchanged(input), labels);
    labeled.labels = labels;
    return labeled;
  }

  @Test
  void seesABoundThatIsNotThatOfItsPlace() {
    RefinedMesh labeled = cutSquare(new TriangleLabels(0, new double[0], new double[] {1, 2}));
    assertTrue(labeled.verify().passed(), () -> labeled.verify().toString());
    labeled.labels = new TriangleLabels(0, new double[0], new double[] {2, 2});
    assertFails(
        labeled,
        "triangle 0 has area bound 2.0, not those of the input's triangle that its centroid lies in",
        MeshCheck.BOUNDARY);
    labeled.labels = new TriangleLabels(0, new double[0], new double[] {1, 1});
    assertFails(labeled, "triangle 1 has area bound 1.0", MeshCheck.BOUNDARY);
  }

  /** Attributes go with the bound. */
  @Test
  void seesAttributesThatAreNotThoseOfTheirPlace() {
    RefinedMesh labeled =
        cutSquare(new TriangleLabels(1, new double[] {7, 8}, new double[] {1, 2}));
    labeled.labels = new TriangleLabels(1, new double[] {7, 7}, new double[] {1, 2});
    assertFails(labeled, "triangle 1 has attributes [7.0] and area bound 2.0", MeshCheck.BOUNDARY);
  }

  // Check 9

  @Test
  void seesWrongCounts() {
    RefinementClaim right = mesh.claim;
    long inside = right.insertedInside();
    long onSegments = right.insertedOnSegments();
    mesh.claim = right.withInserted(inside + 1, onSegments, inside + onSegments + 1);
    assertFails(mesh, "25 vertices, the counts imply 26", MeshCheck.BOOKKEEPING);
    mesh.claim = right.withInserted(inside + 1, onSegments - 1, inside + onSegments);
    assertFails(mesh, "20 segments, the counts imply 19", MeshCheck.BOOKKEEPING);
    mesh.claim = right.withInserted(inside, onSegments, inside + onSegments + 1);
    assertFails(mesh, "22 commits, the counts imply 21", MeshCheck.BOOKKEEPING);
    mesh.claim = right.withSlots(40, 7);
    assertFails(mesh, "33 slots in use, the counts imply 32", MeshCheck.BOOKKEEPING);
    mesh.claim = right.withSlots(40, 8);
    assertTrue(mesh.verify().passed());
    mesh.claim = RefinementClaim.of(30);
    assertEquals(Status.NOT_APPLICABLE, mesh.verify().outcome(MeshCheck.BOOKKEEPING).status());
  }

  // Check 10

  @Test
  void seesAMeshMuchLargerThanTheReference() {
    mesh.claim = mesh.claim.withReference(22);
    assertFails(mesh, "32 triangles, 1.455 of the reference's 22", MeshCheck.SIZE);
    mesh.claim = mesh.claim.withReference(23);
    assertTrue(mesh.verify().passed());
  }

  // Check 11

  @Test
  void seesAShortEdgeUnlessTheRefinerStopped() {
    double e = 0.002;
    Mesh input =
        Mesh.of(
            new double[] {0, 0, 1, 0, 1, 1, 0, 1},
            new int[] {0, 1, 2, 0, 2, 3},
            new int[] {0, 1, 1, 2, 2, 3, 3, 0});
    Mesh output =
        Mesh.of(
            new double[] {0, 0, 1, 0, 1, 1, 0, 1, 0.5 - e, 0.5, 0.5 + e, 0.5},
            new int[] {0, 1, 5, 0, 5, 4, 1, 2, 5, 2, 3, 4, 2, 4, 5, 3, 0, 4},
            new int[] {0, 1, 1, 2, 2, 3, 3, 0});
    RefinedMesh refined = RefinedMesh.of(input, output);
    refined.claim = RefinementClaim.of(0).withInserted(2, 0, 2);
    assertFails(refined, "shortest edge 0.00400", MeshCheck.TERMINATION);
    refined.claim = refined.claim.withStop(0);
    assertTrue(refined.verify().passed());
    // A bound on areas makes short edges right.
    refined.claim = RefinementClaim.of(0).withMaximumArea(0.1);
    assertEquals(List.of(MeshCheck.QUALITY, MeshCheck.TERMINATION), refined.verify().failures());
    refined.claim = RefinementClaim.of(0).withMaximumArea(0.05);
    assertEquals(List.of(MeshCheck.QUALITY), refined.verify().failures());
  }

  @Test
  void refusesABrokenInput() {
    RefinedMesh broken = RefinedMesh.square(2);
    broken.neighbors[0] = 7;
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> MeshVerifier.verify(broken.output(), broken.output(), RefinementClaim.of(0)));
    assertTrue(refused.getMessage().startsWith("the input is not a triangulation: "));
  }

  @Test
  void reportsInATable() {
    mesh.claim = RefinementClaim.of(30);
    List<String> lines = mesh.verify().toString().lines().toList();
    assertEquals(MeshCheck.values().length, lines.size());
    assertEquals(" 1 triangles    ok     32 triangles, 25 vertices", lines.get(0));
    assertEquals(" 9 bookkeeping  -      the refiner gives no counts", lines.get(8));
  }
}
