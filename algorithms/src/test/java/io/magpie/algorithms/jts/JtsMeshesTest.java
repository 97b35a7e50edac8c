package io.magpie.algorithms.jts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryCollection;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

class JtsMeshesTest {
  private static Geometry geometry(String wkt) throws ParseException {
    return new WKTReader().read(wkt);
  }

  /** What the triangles cover is what the polygons cover, by JTS's own reckoning. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | 0",
        "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 1 3, 3 3, 3 1, 1 1), (5 5, 8 5, 5 8, 5 5)) | 2",
        // a hole that touches the shell
        "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (0 2, 2 1, 2 3, 0 2)) | 1",
        "MULTIPOLYGON (((0 0, 1 0, 0 1, 0 0)), ((5 5, 6 5, 5 6, 5 5))) | 0",
        // an island in a hole
        "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 1 8, 8 8, 8 1, 1 1)), ((3 3, 5 3, 5 5, 3 5,"
            + " 3 3))) | 1",
        // four triangles that enclose a square, and touch in its corners alone
        "MULTIPOLYGON (((0 0, 3 -2, 6 0, 0 0)), ((6 0, 8 3, 6 6, 6 0)), ((6 6, 3 8, 0 6, 6 6)), ((0"
            + " 6, -2 3, 0 0, 0 6))) | 1",
        // two that share an edge, which remains a segment
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)), POLYGON ((4 0, 8 0, 4 4, 4 0))) | 0",
        // a vertex of one on an edge of the other
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)), POLYGON ((4 4, 4 2, 4 1, 4 0, 8 0, 4"
            + " 4)), POLYGON ((8 0, 4 4, 8 4, 8 0))) | 0",
        // likewise, the other way around, beside a gap
        "GEOMETRYCOLLECTION (POLYGON ((4 0, 0 0, 0 4, 4 4, 4 3, 4 0)), POLYGON ((4 0, 8 0, 8 4, 4 4, 6"
            + " 2, 4 2, 4 0))) | 1",
        // twice the same, with a hole
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 9, 0 0), (5 1, 8 1, 8 4, 5 1)), POLYGON ((0 0, 9 9,"
            + " 9 0, 0 0), (5 1, 8 1, 8 4, 5 1))) | 1",
        // zero of either sign
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 4, 0 2, 0 0)), POLYGON ((-0 0, -4 0, -0 4, -0"
            + " 0))) | 0",
        // one inside another
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0)), POLYGON ((2 2, 4 2, 4 4, 2 2))) | 0"
      })
  void trianglesCoverThePolygons(String wkt, int holes) throws ParseException {
    Geometry geometry = geometry(wkt);
    PlanarGraph graph = JtsMeshes.graph(geometry);
    assertEquals(holes, graph.holes());
    GeometryCollection triangles =
        JtsMeshes.triangles(DelaunayTriangulation.of(graph), new GeometryFactory());
    assertTrue(triangles.union().equalsTopo(geometry.union()), triangles::toText);
    assertEquals(geometry.union().getArea(), triangles.getArea(), 1e-12);
  }

  /** Two whose vertices on a common edge differ, so that a gap of one rounding is between them. */
  @Test
  void gapsNarrowerThanRoundingLeaveThePolygons() throws ParseException {
    Geometry neighbors =
        geometry(
            "GEOMETRYCOLLECTION (POLYGON ((0.886055787176944 0.2220016021250891, 2.8838785592364333"
                + " 1.439465587090973, 0.5 5, 0.886055787176944 0.2220016021250891)), POLYGON"
                + " ((0.886055787176944 0.2220016021250891, 1.670953287955554 0.700314519793261,"
                + " 2.8838785592364333 1.439465587090973, 3 -3, 0.886055787176944"
                + " 0.2220016021250891)))");
    assertEquals(9.513, area(JtsMeshes.graph(neighbors)), 1e-3);
  }

  @Test
  void gapsWithoutCoordinatesInsideAreCovered() throws ParseException {
    PlanarGraph graph =
        JtsMeshes.graph(
            geometry(
                "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 1.0000000000000002, 1.0000000000000002 1,"
                    + " 1 1))"));
    assertEquals(0, graph.holes());
    assertEquals(16, area(graph), 1e-12);
  }

  private static double area(PlanarGraph graph) {
    return JtsMeshes.triangles(DelaunayTriangulation.of(graph), new GeometryFactory()).getArea();
  }

  @Test
  void ringsShareTheirVerticesAndSegments() throws ParseException {
    PlanarGraph graph =
        JtsMeshes.graph(
            geometry(
                "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 0)), POLYGON ((4 0, 8 0, 4 4, 4"
                    + " 0)))"));
    assertArrayEquals(new double[] {0, 0, 4, 0, 4, 4, 8, 0}, graph.coordinates());
    assertArrayEquals(new int[] {0, 1, 1, 2, 2, 0, 1, 3, 3, 2}, graph.segmentEnds());
  }

  @Test
  void linesAreSegmentsAndPointsVertices() throws ParseException {
    PlanarGraph graph =
        JtsMeshes.graph(
            geometry(
                "GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0)), LINESTRING (1 1, 2 2, 2"
                    + " 2, 0 0), POINT (7 8))"));
    assertEquals(7, graph.vertices());
    assertEquals(6, graph.segments());
    Mesh mesh = DelaunayTriangulation.of(graph);
    assertEquals(6, mesh.segments());
    assertEquals(7, mesh.vertices());
  }

  @Test
  void linesAloneEncloseADomain() throws ParseException {
    PlanarGraph graph =
        JtsMeshes.graph(geometry("MULTILINESTRING ((0 0, 4 0, 4 4), (4 4, 0 4, 0 0))"));
    assertEquals(2, DelaunayTriangulation.of(graph).triangles());
    assertEquals(0, graph.holes());
  }

  @Test
  void heightsMayBeEqual() throws ParseException {
    assertEquals(
        3, JtsMeshes.graph(geometry("POLYGON Z ((0 0 7, 4 0 7, 4 4 7, 0 0 7))")).vertices());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POLYGON EMPTY | the geometry is empty",
        "POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0)) | not valid: Self-intersection at 2.0 2.0",
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 0 4, 0 0)), POLYGON ((1 1, 5 1, 5 5, 1 1))) | crosses"
            + " segment 1 from vertex 1 to 2 near 3.0 1.0; ",
        "POLYGON Z ((0 0 7, 4 0 7, 4 4 8, 0 0 7)) | z 7.0 at first and 8.0 at 4.0 4.0",
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 0)), LINESTRING (1 0, 1 5)) | the line that"
            + " begins at 1.0 0.0 is not inside",
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 0)), POINT (1 5)) | the point at 1.0 5.0 is"
            + " not inside"
      })
  void whatDoesNotSuitIsRefused(String wkt, String message) {
    IllegalArgumentException fault =
        assertThrows(IllegalArgumentException.class, () -> JtsMeshes.graph(geometry(wkt)));
    assertTrue(fault.getMessage().contains(message), fault::getMessage);
  }

  @Test
  void trianglesAreInOrderWithTheirNumbers() {
    Mesh mesh = Mesh.of(new double[] {0, 0, 4, 0, 4, 2, 0, 2}, new int[] {0, 1, 2, 2, 3, 0});
    GeometryCollection triangles = JtsMeshes.triangles(mesh, new GeometryFactory());
    assertEquals(2, triangles.getNumGeometries());
    assertEquals("POLYGON ((4 2, 0 2, 0 0, 4 2))", triangles.getGeometryN(1).toText());
    assertEquals(1, triangles.getGeometryN(1).getUserData());
  }
}
