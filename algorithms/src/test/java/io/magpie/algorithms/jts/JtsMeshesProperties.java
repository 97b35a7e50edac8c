package io.magpie.algorithms.jts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Polygon;

class JtsMeshesProperties {
  private static final GeometryFactory FACTORY = new GeometryFactory();

  /** A ring around a place, which sees all of it. */
  private static LinearRing star(double x, double y, double size, Random random) {
    int corners = 5 + random.nextInt(9); // fewer might pass close to the place
    Coordinate[] ring = new Coordinate[corners + 1];
    for (int i = 0; i < corners; i++) {
      double angle = 2 * Math.PI * (i + random.nextDouble() / 2) / corners;
      double radius = size * (0.6 + 0.4 * random.nextDouble());
      ring[i] = new Coordinate(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    }
    ring[corners] = ring[0].copy();
    return FACTORY.createLinearRing(ring);
  }

  /** Stars with starry holes, which may have a star inside in turn. */
  private static Geometry stars(int count, Random random) {
    List<Polygon> polygons = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      LinearRing shell = star(3 * i, 0, 1, random);
      if (random.nextBoolean()) {
        polygons.add(FACTORY.createPolygon(shell, new LinearRing[] {star(3 * i, 0, 0.25, random)}));
        if (random.nextBoolean()) {
          polygons.add(FACTORY.createPolygon(star(3 * i, 0, 0.06, random)));
        }
      } else {
        polygons.add(FACTORY.createPolygon(shell));
      }
    }
    return FACTORY.createMultiPolygon(polygons.toArray(new Polygon[0]));
  }

  @Property(tries = 300)
  void trianglesCoverWhatPolygonsCover(
      @ForAll @IntRange(min = 1, max = 4) int count, @ForAll Random random) {
    Geometry stars = stars(count, random);
    Mesh mesh = DelaunayTriangulation.of(JtsMeshes.graph(stars));
    Geometry triangles = JtsMeshes.triangles(mesh, FACTORY);
    assertEquals(stars.getArea(), triangles.getArea(), 1e-12);
    assertEquals(stars.getNumPoints(), mesh.vertices() + rings(stars));
    for (int t = 0; t < triangles.getNumGeometries(); t++) {
      assertTrue(stars.contains(triangles.getGeometryN(t).getCentroid()), stars::toText);
    }
  }

  /**
   * Neighbors that differ in the vertices on their common edge, which rounding moves off it, to
   * either side: what they cover is right within rounding, or their edges cross and are refused.
   */
  @Property(tries = 1000)
  void neighborsWithOtherVerticesOnTheirEdgeLoseNothing(
      @ForAll @IntRange(min = 0, max = 2) int one,
      @ForAll @IntRange(min = 1, max = 3) int other,
      @ForAll Random random) {
    Coordinate start = new Coordinate(random.nextDouble(), random.nextDouble());
    Coordinate end = new Coordinate(2 + random.nextDouble(), 1 + random.nextDouble());
    Geometry neighbors =
        FACTORY.createGeometryCollection(
            new Geometry[] {
              beside(start, end, one, new Coordinate(0.5, 5), random),
              beside(start, end, other, new Coordinate(3, -3), random)
            });
    requireArea(neighbors);
  }

  /** Holes that are narrower than coordinates are rounded, or as they would be without it. */
  @Property(tries = 500)
  void narrowHolesCutNothingElse(
      @ForAll @IntRange(min = 1, max = 3) int vertices,
      @ForAll @IntRange(min = 0, max = 9) int exponent,
      @ForAll Random random) {
    Coordinate start = new Coordinate(random.nextDouble(), random.nextDouble());
    Coordinate end = new Coordinate(2 + random.nextDouble(), 1 + random.nextDouble());
    double x = (start.x + end.x) / 2;
    double y = (start.y + end.y) / 2;
    double width = exponent == 0 ? 0 : Math.pow(10, exponent - 17);
    LinearRing hole =
        beside(start, end, vertices, new Coordinate(x + width, y - width), random)
            .getExteriorRing();
    LinearRing shell =
        FACTORY.createLinearRing(
            new Coordinate[] {
              new Coordinate(-9, -9),
              new Coordinate(9, -9),
              new Coordinate(9, 9),
              new Coordinate(-9, 9),
              new Coordinate(-9, -9)
            });
    requireArea(FACTORY.createPolygon(shell, new LinearRing[] {hole}));
  }

  /** A polygon of an edge, with so many vertices near it, and an apex; in either direction. */
  private static Polygon beside(
      Coordinate start, Coordinate end, int vertices, Coordinate apex, Random random) {
    List<Coordinate> ring = new ArrayList<>();
    ring.add(start);
    random
        .doubles(vertices)
        .sorted()
        .forEach(
            t ->
                ring.add(
                    new Coordinate(
                        start.x + t * (end.x - start.x), start.y + t * (end.y - start.y))));
    ring.add(end);
    ring.add(apex);
    ring.add(start);
    Polygon polygon = FACTORY.createPolygon(ring.toArray(new Coordinate[0]));
    return random.nextBoolean() ? polygon : polygon.reverse();
  }

  /** That triangles have the area of polygons whose overlaps are as narrow as rounding. */
  private static void requireArea(Geometry polygons) {
    Mesh mesh;
    try {
      mesh = DelaunayTriangulation.of(JtsMeshes.graph(polygons));
    } catch (IllegalArgumentException e) {
      String message = e.getMessage();
      assertTrue(
          message.startsWith("the geometry is not valid: ") && message.contains(" or repair it")
              || message.contains(" crosses segment ")
                  && message.contains(" near ")
                  && message.endsWith(": put a vertex where they cross and cut both there"),
          message);
      return;
    }
    assertEquals(
        polygons.getArea(), JtsMeshes.triangles(mesh, FACTORY).getArea(), 1e-12, polygons::toText);
  }

  /** Each has one coordinate twice. */
  private static int rings(Geometry polygons) {
    int rings = 0;
    for (int i = 0; i < polygons.getNumGeometries(); i++) {
      rings += 1 + ((Polygon) polygons.getGeometryN(i)).getNumInteriorRing();
    }
    return rings;
  }
}
