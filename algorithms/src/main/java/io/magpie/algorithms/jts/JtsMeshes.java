package io.magpie.algorithms.jts;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.CoordinateSequence;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryCollection;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.geom.prep.PreparedGeometry;
import org.locationtech.jts.geom.prep.PreparedGeometryFactory;
import org.locationtech.jts.operation.union.UnaryUnionOp;
import org.locationtech.jts.operation.valid.IsValidOp;
import org.locationtech.jts.operation.valid.TopologyValidationError;

/** Turns geometries of JTS into graphs to triangulate, and meshes into geometries. */
public final class JtsMeshes {
  private JtsMeshes() {}

  /**
   * What is to be triangulated for a geometry: its domain is the union of its polygons. Rings and
   * lines are segments, points are vertices; what several of them share is there once. Where the
   * plane is not covered but enclosed, as in holes of polygons, the graph has a hole. Without
   * polygons, the domain is what lines enclose. There are no markers; z may be missing, or the same
   * everywhere.
   *
   * <p>What is covered is decided by exact signs. Give neighboring polygons the same vertices on
   * their common edge: a vertex of one alone is rounded to either side of it, so that a gap or an
   * overlap remains, with a tiny angle, or edges cross. A gap in which no point with coordinates of
   * doubles is found is part of the domain.
   *
   * <p>Cost: O(n log n) for n coordinates. Several polygons, and holes, are triangulated here to
   * find the gaps; lines and points need JTS's union of the polygons.
   *
   * @param geometry of any type; lines and points lie in its polygons, if it has any, and lines
   *     cross nothing, though ends may touch
   * @return the graph, without duplicates; {@link
   *     io.magpie.algorithms.mesh.DelaunayTriangulation#of} triangulates it, and refuses crossings
   * @throws IllegalArgumentException when the geometry is empty, not valid in JTS's sense, has
   *     different z, or has lines or points outside its polygons; the message says where. When it
   *     has several polygons or holes, also if segments cross, or as {@link
   *     io.magpie.algorithms.mesh.DelaunayTriangulation#of} for coordinates
   */
  public static PlanarGraph graph(Geometry geometry) {
    if (geometry.isEmpty()) {
      throw new IllegalArgumentException("the geometry is empty; it needs polygons or lines");
    }
    TopologyValidationError error = new IsValidOp(geometry).getValidationError();
    if (error != null && error.getErrorType() == TopologyValidationError.INVALID_COORDINATE) {
      throw new IllegalArgumentException(
          "the geometry has the coordinates "
              + text(error.getCoordinate())
              + ", which are not finite; correct them, or leave them out");
    }
    if (error != null) {
      throw new IllegalArgumentException(
          "the geometry is not valid: "
              + error.getMessage()
              + " at "
              + text(error.getCoordinate())
              + "; write neighboring polygons as separate polygons in a collection, or repair it"
              + " (GeometryFixer of JTS, ST_MakeValid, ogr2ogr -makevalid)");
    }
    Parts parts = new Parts();
    parts.addAll(geometry);
    parts.requireInside();
    return parts.graph();
  }

  /**
   * The triangles of a mesh, counter-clockwise as there.
   *
   * @param mesh the mesh
   * @param factory makes the geometries; its precision should be that of doubles
   * @return a polygon for each triangle, in their order, with the triangle's number as its user
   *     data, an {@code Integer}
   */
  public static GeometryCollection triangles(Mesh mesh, GeometryFactory factory) {
    Polygon[] triangles = new Polygon[mesh.triangles()];
    for (int t = 0; t < triangles.length; t++) {
      Coordinate[] ring = new Coordinate[4];
      for (int k = 0; k < 3; k++) {
        ring[k] = new Coordinate(mesh.x(mesh.corner(t, k)), mesh.y(mesh.corner(t, k)));
      }
      ring[3] = ring[0].copy();
      triangles[t] = factory.createPolygon(ring);
      triangles[t].setUserData(t);
    }
    return factory.createGeometryCollection(triangles);
  }

  private static String text(Coordinate place) {
    return place.x + " " + place.y;
  }

  /** The parts of a geometry, and what becomes of them. */
  private static final class Parts {
    private final List<Polygon> polygons = new ArrayList<>();
    private final List<Geometry> others = new ArrayList<>();
    private final DoubleStream.Builder coordinates = DoubleStream.builder();
    private final IntStream.Builder ends = IntStream.builder();
    private int vertices;
    private double height;

    void addAll(Geometry geometry) {
      if (geometry.isEmpty()) {
        return;
      }
      if (geometry instanceof Polygon polygon) {
        polygons.add(polygon);
        add(polygon.getExteriorRing());
        for (int hole = 0; hole < polygon.getNumInteriorRing(); hole++) {
          add(polygon.getInteriorRingN(hole));
        }
      } else if (geometry instanceof LineString line) {
        others.add(line);
        add(line);
      } else if (geometry instanceof Point point) {
        others.add(point);
        add(point.getCoordinateSequence());
      } else {
        for (int i = 0; i < geometry.getNumGeometries(); i++) {
          addAll(geometry.getGeometryN(i));
        }
      }
    }

    private void add(LineString line) {
      int first = vertices;
      add(line.getCoordinateSequence());
      for (int v = first; v + 1 < vertices; v++) {
        ends.add(v).add(v + 1);
      }
    }

    private void add(CoordinateSequence sequence) {
      for (int i = 0; i < sequence.size(); i++) {
        double z = sequence.getZ(i);
        if (vertices == 0) {
          height = z;
        } else if (Double.compare(z + 0.0, height + 0.0) != 0) {
          throw new IllegalArgumentException(
              "the geometry has z "
                  + height
                  + " at first and "
                  + z
                  + " at "
                  + text(sequence.getCoordinate(i))
                  + "; it must lie in a plane of equal z");
        }
        coordinates.add(sequence.getX(i)).add(sequence.getY(i));
        vertices++;
      }
    }

    private Geometry domain() {
      return polygons.size() == 1 ? polygons.get(0) : UnaryUnionOp.union(polygons);
    }

    /** Refuses lines and points that triangulating would drop. */
    void requireInside() {
      if (polygons.isEmpty() || others.isEmpty()) {
        return;
      }
      PreparedGeometry domain = PreparedGeometryFactory.prepare(domain());
      for (Geometry each : others) {
        if (!domain.covers(each)) {
          throw new IllegalArgumentException(
              "the "
                  + (each instanceof Point ? "point" : "line that begins")
                  + " at "
                  + text(each.getCoordinate())
                  + " is not inside the polygons; leave it out, or cut it at their boundary");
        }
      }
    }

    PlanarGraph graph() {
      PlanarGraph graph =
          PlanarGraph.builder(coordinates.build().toArray())
              .segments(ends.build().toArray(), null)
              .build()
              .withoutDuplicates();
      return mayHaveGaps() ? graph.toBuilder().holes(Gaps.points(graph, polygons)).build() : graph;
    }

    private boolean mayHaveGaps() {
      return polygons.size() > 1
          || (polygons.size() == 1 && polygons.get(0).getNumInteriorRing() > 0);
    }
  }
}
