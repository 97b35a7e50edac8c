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

  /** Each has one coordinate twice. */
  private static int rings(Geometry polygons) {
    int rings = 0;
    for (int i = 0; i < polygons.getNumGeometries(); i++) {
      rings += 1 + ((Polygon) polygons.getGeometryN(i)).getNumInteriorRing();
    }
    return rings;
  }
}
