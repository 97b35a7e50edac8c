package io.magpie.algorithms.mesh;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.internal.BoundarySweep;
import io.magpie.algorithms.mesh.internal.HilbertOrder;
import io.magpie.algorithms.mesh.internal.MeshFaultException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * A triangulation of the domain of a planar straight-line graph.
 *
 * <p>Triangles are counter-clockwise and do not overlap. Edge k of a triangle lies opposite its
 * corner k and runs from corner (k + 1) mod 3 to corner (k + 2) mod 3. Every edge belongs to one
 * triangle, then it is on the boundary and carries a segment, or to two, which have it in opposite
 * directions; then it may carry a segment. Every segment is an edge, and no edge carries two.
 * Vertices without triangles are legal.
 *
 * <p><b>Ancestry.</b> {@link #segmentOrigin} tells which segment of a first mesh a segment is a
 * part of; it is the segment itself unless the mesh was built with origins.
 *
 * <p><b>Area bounds.</b> Refinement keeps every triangle within {@link #areaBound}, if there are
 * such bounds. A triangle that it makes has the bound of the part of the domain, as segments divide
 * that, or where bounds differ there, of the input's triangle that holds its centroid.
 *
 * <p>Immutable. Memory: that of its {@link #planarGraph()} and 36 bytes for each triangle, 12 of
 * which {@link #segmentsOfEdges()} of refined meshes takes when it is first needed, 8 more for each
 * attribute of a triangle and for its area bound; building takes another 8 bytes for each vertex,
 * and O(vertices + triangles) time and O(n log n) for n edges of the boundary.
 */
public final class Mesh {
  private final PlanarGraph graph;
  private final double[] coordinates;
  private final int[] corners;
  private final int[] neighbors;
  private final int[] edgesOfSegments; // null if segmentsOfEdges is there from the beginning
  private volatile int[] segmentsOfEdges; // null until it is asked for
  private final int[] segmentOrigins;
  private final int triangleAttributes;
  private final double[] triangleAttributeValues;
  private final double[] areaBounds; // null for none

  private Mesh(Builder from, PlanarGraph graph, int[] neighbors, int[] segmentsOfEdges) {
    this.graph = graph;
    this.neighbors = neighbors;
    this.segmentsOfEdges = segmentsOfEdges;
    edgesOfSegments = from.edgesOfSegments;
    coordinates = graph.coordinates();
    corners = from.corners;
    segmentOrigins = from.segmentOrigins;
    triangleAttributes = from.triangleAttributes;
    triangleAttributeValues = from.triangleAttributeValues;
    areaBounds = from.areaBounds;
  }

  /**
   * A mesh whose only segments are its boundary, with marker 1.
   *
   * @param coordinates x and y of each vertex in turn; not copied, not to be changed afterward
   * @param corners the three vertices of each triangle in turn; likewise
   * @return the mesh
   * @throws IllegalArgumentException as {@link Builder#build}
   */
  public static Mesh of(double[] coordinates, int[] corners) {
    return builder(PlanarGraph.of(coordinates), corners).build();
  }

  /**
   * A mesh with segments. Edges of the boundary that have none get one, of marker 1.
   *
   * @param coordinates x and y of each vertex in turn; not copied, not to be changed afterward
   * @param corners the three vertices of each triangle in turn; likewise
   * @param segmentEnds the two vertices of each segment in turn; likewise
   * @return the mesh
   * @throws IllegalArgumentException as {@link Builder#build}
   */
  public static Mesh of(double[] coordinates, int[] corners, int[] segmentEnds) {
    return builder(PlanarGraph.of(coordinates, segmentEnds), corners).build();
  }

  /**
   * Begins a mesh.
   *
   * @param graph its vertices, segments, holes and regions
   * @param corners the three vertices of each triangle in turn, counter-clockwise; not copied, not
   *     to be changed afterward
   * @return a builder
   */
  public static Builder builder(PlanarGraph graph, int[] corners) {
    return new Builder(graph, corners);
  }

  /**
   * Begins a mesh that has everything in common with this one but what is set anew, as attributes
   * and area bounds of triangles. The two meshes share their arrays.
   *
   * @return a builder
   */
  public Builder toBuilder() {
    Builder builder = new Builder(graph, corners);
    builder.segmentOrigins = segmentOrigins;
    builder.triangleAttributes = triangleAttributes;
    builder.triangleAttributeValues = triangleAttributeValues;
    builder.areaBounds = areaBounds;
    builder.neighbors = neighbors;
    builder.edgesOfSegments = edgesOfSegments;
    builder.segmentsOfEdges = segmentsOfEdges;
    return builder;
  }

  /**
   * The vertices, segments, holes and regions.
   *
   * @return what the mesh is a triangulation of
   */
  public PlanarGraph planarGraph() {
    return graph;
  }

  /**
   * The number of vertices.
   *
   * @return 0 or more
   */
  public int vertices() {
    return graph.vertices();
  }

  /**
   * The number of triangles.
   *
   * @return 0 or more
   */
  public int triangles() {
    return corners.length / 3;
  }

  /**
   * The number of segments.
   *
   * @return 0 or more
   */
  public int segments() {
    return graph.segments();
  }

  /**
   * Where a vertex is.
   *
   * @param v a vertex
   * @return its abscissa
   */
  public double x(int v) {
    return coordinates[2 * v];
  }

  /**
   * Where a vertex is.
   *
   * @param v a vertex
   * @return its ordinate
   */
  public double y(int v) {
    return coordinates[2 * v + 1];
  }

  /**
   * A corner of a triangle.
   *
   * @param t a triangle
   * @param k 0, 1 or 2
   * @return a vertex
   */
  public int corner(int t, int k) {
    return corners[3 * t + k];
  }

  /**
   * The triangle across an edge.
   *
   * @param t a triangle
   * @param k 0, 1 or 2: the corner opposite the edge
   * @return a triangle, or -1 where the edge is on the boundary
   */
  public int neighbor(int t, int k) {
    return neighbors[3 * t + k];
  }

  /**
   * The segment on an edge.
   *
   * @param t a triangle
   * @param k 0, 1 or 2: the corner opposite the edge
   * @return a segment, or -1
   */
  public int segment(int t, int k) {
    return segmentsOfEdges()[3 * t + k];
  }

  /**
   * Where a segment begins.
   *
   * @param s a segment
   * @return a vertex
   */
  public int segmentStart(int s) {
    return graph.segmentStart(s);
  }

  /**
   * Where a segment ends.
   *
   * @param s a segment
   * @return a vertex
   */
  public int segmentEnd(int s) {
    return graph.segmentEnd(s);
  }

  /**
   * The marker of a segment.
   *
   * @param s a segment
   * @return 0 when there are no markers
   */
  public int segmentMarker(int s) {
    return graph.segmentMarker(s);
  }

  /**
   * The segment that a segment is a part of, as numbered in the mesh that this one descends from.
   *
   * @param s a segment
   * @return {@code s} in a mesh built without origins
   */
  public int segmentOrigin(int s) {
    return segmentOrigins == null ? Objects.checkIndex(s, segments()) : segmentOrigins[s];
  }

  /**
   * The marker of a vertex.
   *
   * @param v a vertex
   * @return 0 when there are no markers
   */
  public int vertexMarker(int v) {
    return graph.vertexMarker(v);
  }

  /**
   * The number of attributes of each vertex.
   *
   * @return 0 or more
   */
  public int attributes() {
    return graph.attributes();
  }

  /**
   * An attribute of a vertex.
   *
   * @param v a vertex
   * @param a 0 to {@code attributes() - 1}
   * @return its value
   */
  public double attribute(int v, int a) {
    return graph.attribute(v, a);
  }

  /**
   * The number of attributes of each triangle.
   *
   * @return 0 or more
   */
  public int triangleAttributes() {
    return triangleAttributes;
  }

  /**
   * An attribute of a triangle.
   *
   * @param t a triangle
   * @param a 0 to {@code triangleAttributes() - 1}
   * @return its value
   */
  public double triangleAttribute(int t, int a) {
    Objects.checkIndex(a, triangleAttributes);
    return triangleAttributeValues[t * triangleAttributes + a];
  }

  /**
   * Whether triangles have attributes of their own: attributes differ where no segment is between,
   * as those of materials in files without segments. In refinement a triangle then has those of the
   * one that holds its centroid. Cost: O(n) for n triangles.
   *
   * @return false if there are no attributes, or all triangles that can be reached from each other
   *     without crossing a segment have the same
   */
  public boolean hasSingleTriangleAttributes() {
    return triangleAttributes > 0 && differAcrossEdges((t, other) -> !sameAttributes(t, other));
  }

  private boolean sameAttributes(int t, int other) {
    double[] values = triangleAttributeValues;
    int count = triangleAttributes;
    return Arrays.equals(
        values, count * t, count * (t + 1), values, count * other, count * (other + 1));
  }

  /**
   * Whether the areas of triangles are bounded one by one.
   *
   * @return true in a mesh built with bounds, even if all are infinite
   */
  public boolean hasAreaBounds() {
    return areaBounds != null;
  }

  /**
   * Whether triangles have bounds of their own: bounds differ where no segment is between. Cost:
   * O(n) for n triangles.
   *
   * @return false if there are no bounds, or all triangles that can be reached from each other
   *     without crossing a segment have the same
   */
  public boolean hasSingleAreaBounds() {
    return areaBounds != null
        && differAcrossEdges((t, other) -> areaBounds[t] != areaBounds[other]);
  }

  /** Whether two triangles differ that meet at an edge without a segment. */
  private boolean differAcrossEdges(Difference difference) {
    int[] segments = segmentsOfEdges();
    return Parallel.map(
            triangles(), (from, to) -> differAcrossEdges(difference, segments, from, to))
        .contains(true);
  }

  private boolean differAcrossEdges(Difference difference, int[] segments, int from, int to) {
    for (int h = 3 * from; h < 3 * to; h++) {
      int across = neighbors[h];
      if (across >= 0 && segments[h] < 0 && difference.test(h / 3, across)) {
        return true;
      }
    }
    return false;
  }

  /** Whether two triangles differ. */
  @FunctionalInterface
  private interface Difference {
    boolean test(int t, int other);
  }

  /**
   * The largest area allowed to a triangle and to those that take its place in refinement.
   *
   * @param t a triangle
   * @return more than 0; positive infinity for no bound
   */
  public double areaBound(int t) {
    if (areaBounds == null) {
      Objects.checkIndex(t, triangles());
      return Double.POSITIVE_INFINITY;
    }
    return areaBounds[t];
  }

  /**
   * The number of holes.
   *
   * @return 0 or more
   */
  public int holes() {
    return graph.holes();
  }

  /**
   * A point in a hole.
   *
   * @param hole 0 to {@code holes() - 1}
   * @return its abscissa
   */
  public double holeX(int hole) {
    return graph.holeX(hole);
  }

  /**
   * A point in a hole.
   *
   * @param hole 0 to {@code holes() - 1}
   * @return its ordinate
   */
  public double holeY(int hole) {
    return graph.holeY(hole);
  }

  /**
   * The regions, which building a mesh leaves alone: see {@link #boundedByRegions()}.
   *
   * @return an unmodifiable list, usually empty
   */
  public List<PlanarGraph.Region> regions() {
    return graph.regions();
  }

  /**
   * The left side of the bounding box of the vertices.
   *
   * @return the least abscissa; positive infinity when there is no vertex
   */
  public double minX() {
    return graph.minX();
  }

  /**
   * The lower side of the bounding box of the vertices.
   *
   * @return the least ordinate; positive infinity when there is no vertex
   */
  public double minY() {
    return graph.minY();
  }

  /**
   * The right side of the bounding box of the vertices.
   *
   * @return the greatest abscissa; negative infinity when there is no vertex
   */
  public double maxX() {
    return graph.maxX();
  }

  /**
   * The upper side of the bounding box of the vertices.
   *
   * @return the greatest ordinate; negative infinity when there is no vertex
   */
  public double maxY() {
    return graph.maxY();
  }

  /**
   * This mesh with the area bounds of its {@linkplain PlanarGraph.Region regions} in place of its
   * own. A region is what can be reached from its point without crossing a segment; of several
   * regions that are the same, the last one counts. Attributes stay as they are: those of triangles
   * that are read with a mesh are in its files, and {@link DelaunayTriangulation} gives triangles
   * those of the regions. Cost: O(n log r + m) for n triangles and r regions, where m counts the
   * pairs of a triangle and a region's point within its range of abscissas.
   *
   * @return another mesh; this one if no region has an area
   * @throws RegionFaultException when a region's point lies outside of the mesh or on a segment
   */
  public Mesh boundedByRegions() {
    return RegionFill.bounded(this);
  }

  /**
   * This mesh with vertices and triangles numbered along a Hilbert curve, so that what is near in
   * the plane is near in memory. Segments and holes keep their numbers. Cost: O(n).
   *
   * @return another mesh
   */
  public Mesh hilbertOrdered() {
    return Renumbering.of(this, HilbertOrder.of(coordinates));
  }

  /**
   * This mesh with other numbers for its vertices, and triangles sorted by the first of their
   * corners. Segments, holes and regions keep their numbers, and corners their places in a
   * triangle. Cost: O(n).
   *
   * @param order every vertex once: new vertex i is vertex {@code order[i]} of this mesh
   * @return another mesh
   * @throws IllegalArgumentException when the order does not have every vertex once
   */
  public Mesh renumbered(int[] order) {
    return Renumbering.of(this, order);
  }

  /**
   * The coordinates of all vertices, not a copy.
   *
   * @return x and y of each vertex in turn
   */
  public double[] coordinates() {
    return coordinates;
  }

  /**
   * The corners of all triangles, not a copy.
   *
   * @return corner k of triangle t at 3t + k
   */
  public int[] corners() {
    return corners;
  }

  /**
   * The neighbors of all triangles, not a copy.
   *
   * @return the triangle across edge k of triangle t at 3t + k, or -1
   */
  public int[] neighbors() {
    return neighbors;
  }

  /**
   * The edges, each once. Cost: O(n) for n triangles.
   *
   * @return a list, made anew by each call
   */
  public MeshEdges edges() {
    return MeshEdges.of(this);
  }

  /**
   * The segments on the edges of all triangles, not a copy. Of a mesh that was built by {@link
   * Builder#edgesOfSegments}, as refined ones are, the array is made when it, or the segment on an
   * edge, is first asked for, in O(n) for n triangles.
   *
   * @return the segment on edge k of triangle t at 3t + k, or -1
   */
  public int[] segmentsOfEdges() {
    int[] segments = segmentsOfEdges;
    return segments == null ? madeSegmentsOfEdges() : segments;
  }

  private synchronized int[] madeSegmentsOfEdges() {
    if (segmentsOfEdges == null) {
      int[] made = new int[corners.length];
      Parallel.forRanges(made.length, (from, to) -> Arrays.fill(made, from, to, -1));
      Parallel.forRanges(
          edgesOfSegments.length,
          (from, to) -> {
            for (int s = from; s < to; s++) {
              int edge = edgesOfSegments[s];
              made[edge] = s;
              int t = edge / 3;
              int beyond = neighbors[edge];
              for (int h = 3 * beyond; beyond >= 0 && h < 3 * beyond + 3; h++) {
                if (neighbors[h] == t) {
                  made[h] = s;
                }
              }
            }
          });
      segmentsOfEdges = made;
    }
    return segmentsOfEdges;
  }

  /**
   * The attributes of all triangles, not a copy.
   *
   * @return those of triangle 0, then those of triangle 1, and so on
   */
  public double[] triangleAttributeValues() {
    return triangleAttributeValues;
  }

  /** Collects the parts of a mesh. Arrays are not copied and must not be changed afterward. */
  public static final class Builder {
    private final PlanarGraph graph;
    private final int[] corners;
    private int[] segmentOrigins;
    private int triangleAttributes;
    private double[] triangleAttributeValues = {};
    private double[] areaBounds;
    private int[] neighbors;
    private int[] segmentsOfEdges;
    private int[] edgesOfSegments;

    private Builder(PlanarGraph graph, int[] corners) {
      this.graph = Objects.requireNonNull(graph, "graph cannot be null");
      this.corners = Objects.requireNonNull(corners, "corners cannot be null");
      if (corners.length % 3 != 0) {
        throw new IllegalArgumentException(
            corners.length + " corners: expected three for each triangle");
      }
    }

    /**
     * Sets the ancestry of segments. Then all edges of the boundary must have segments.
     *
     * @param origins for each segment the number, 0 or more, of the segment that it is a part of
     * @return this builder
     */
    public Builder segmentOrigins(int[] origins) {
      if (origins.length != graph.segments()) {
        throw new IllegalArgumentException(
            origins.length + " origins of segments: expected " + graph.segments());
      }
      for (int s = 0; s < origins.length; s++) {
        if (origins[s] < 0) {
          throw new IllegalArgumentException(
              graph.segmentText(s) + " has origin " + origins[s] + ": expected 0 or more");
        }
      }
      segmentOrigins = origins;
      return this;
    }

    /**
     * Gives the triangles attributes.
     *
     * @param count the number of attributes of each triangle
     * @param values those of triangle 0, then those of triangle 1, and so on; all finite
     * @return this builder
     */
    public Builder triangleAttributes(int count, double[] values) {
      long expected = (long) count * (corners.length / 3);
      if (values.length != expected) {
        throw new IllegalArgumentException(
            values.length + " attributes of triangles: expected " + expected);
      }
      PlanarGraph.requireFinite("attributes of triangles", values);
      triangleAttributes = count;
      triangleAttributeValues = values;
      return this;
    }

    /**
     * Bounds the areas of triangles, which {@link #areaBound} describes.
     *
     * @param bounds one for each triangle, more than 0; positive infinity for none. Null for a mesh
     *     without bounds, as without this call
     * @return this builder
     */
    public Builder areaBounds(double[] bounds) {
      if (bounds != null) {
        if (bounds.length != corners.length / 3) {
          throw new IllegalArgumentException(
              bounds.length
                  + " area bounds: expected one for each triangle, "
                  + corners.length / 3);
        }
        for (int t = 0; t < bounds.length; t++) {
          if (!(bounds[t] > 0)) {
            throw new IllegalArgumentException(
                "triangle "
                    + (t + graph.firstIndex())
                    + " has the area bound "
                    + bounds[t]
                    + ": expected more than 0, positive infinity for none");
          }
        }
      }
      areaBounds = bounds;
      return this;
    }

    /**
     * Sets the adjacency, for callers that know it. The mesh then takes everything as it is: only
     * the ranges of these numbers are checked, and no segment is added.
     *
     * @param neighbors the triangle across edge k of triangle t at 3t + k, or -1
     * @param segmentsOfEdges the segment on it, or -1
     * @return this builder
     * @throws IllegalArgumentException when an array is too short or too long, or a number is not
     *     -1, nor that of a triangle or segment
     */
    public Builder adjacency(int[] neighbors, int[] segmentsOfEdges) {
      checkRange("neighbors", neighbors, "triangle", corners.length / 3);
      checkRange("segmentsOfEdges", segmentsOfEdges, "segment", graph.segments());
      this.neighbors = neighbors;
      this.segmentsOfEdges = segmentsOfEdges;
      edgesOfSegments = null;
      return this;
    }

    /**
     * Sets the adjacency as {@link #adjacency} does, by an edge of each segment. That each joins
     * its segment's ends, that no two segments lie on one edge, and that each edge of the boundary
     * has one, is for the caller to see to. {@code MeshVerifier.delaunay} checks the ends and the
     * boundary, but not whether a segment is lost to another on its edge.
     *
     * @param neighbors the triangle across edge k of triangle t at 3t + k, or -1
     * @param edges for each segment edge k of a triangle t that it lies on, as 3t + k; the same
     *     edge of the triangle beyond, if there is one, lies on it, too
     * @return this builder
     * @throws IllegalArgumentException when an array is too short or too long, or a number is not
     *     -1 among {@code neighbors}, nor that of a triangle or edge
     */
    public Builder edgesOfSegments(int[] neighbors, int[] edges) {
      checkRange("neighbors", neighbors, "triangle", corners.length / 3);
      if (edges.length != graph.segments()) {
        throw new IllegalArgumentException(
            edges.length + " edges of segments: expected " + graph.segments());
      }
      for (int s = 0; s < edges.length; s++) {
        if (edges[s] < 0 || edges[s] >= corners.length) {
          throw new IllegalArgumentException(
              graph.segmentText(s)
                  + " lies on edge "
                  + edges[s]
                  + ": expected 0 or more, below "
                  + corners.length);
        }
      }
      this.neighbors = neighbors;
      edgesOfSegments = edges;
      segmentsOfEdges = null;
      return this;
    }

    private void checkRange(String name, int[] values, String what, int count) {
      if (values.length != corners.length) {
        throw new IllegalArgumentException(
            values.length + " " + name + ": expected three for each triangle, " + corners.length);
      }
      if (Parallel.sum(values.length, (from, to) -> outOfRange(values, count, from, to)) == 0) {
        return;
      }
      int i = 0;
      while (values[i] >= -1 && values[i] < count) {
        i++;
      }
      throw new IllegalArgumentException(
          name
              + "["
              + i
              + "] is "
              + values[i]
              + ": expected -1 or a "
              + what
              + "; there are "
              + count);
    }

    /**
     * 0 if values of a range are all from -1 to count - 1, else 1. Without a branch, as refinement
     * waits for it.
     */
    private static int outOfRange(int[] values, int count, int from, int to) {
      int signs = 0;
      for (int i = from; i < to; i++) {
        signs |= (values[i] + 1) | (count - 1 - values[i]);
      }
      return signs >>> 31;
    }

    /**
     * Checks the triangles, finds their neighbors and segments, and puts all together. Edges of the
     * boundary without a segment get one of marker 1, after the given segments and in the order of
     * triangles.
     *
     * @return the mesh
     * @throws IllegalArgumentException when a corner is no vertex, a triangle is not
     *     counter-clockwise, triangles overlap, a vertex lies on an edge or on another vertex of
     *     the boundary, a segment is no edge or repeats another, or origins are given and an edge
     *     of the boundary has no segment. The message counts as the graph's {@link
     *     PlanarGraph#firstIndex()} says.
     */
    public Mesh build() {
      if (neighbors != null) {
        return new Mesh(this, graph, neighbors, segmentsOfEdges);
      }
      checkCorners();
      Adjacency adjacency = Adjacency.of(graph, corners);
      checkBoundary(adjacency.neighbors());
      if (adjacency.bare() > 0 && segmentOrigins != null) {
        throw new IllegalArgumentException(
            adjacency.firstBare() + " is on the boundary and has no segment");
      }
      return new Mesh(
          this,
          adjacency.bare() == 0 ? graph : adjacency.completeBoundary(),
          adjacency.neighbors(),
          adjacency.segments());
    }

    private void checkBoundary(int[] across) {
      int[] sides = IntStream.range(0, across.length).filter(h -> across[h] < 0).toArray();
      BoundarySweep.Fault fault =
          BoundarySweep.firstFault(graph.coordinates(), corners, sides, graph.firstIndex());
      if (fault != null) {
        throw new MeshFaultException(fault.text(), fault.triangle());
      }
    }

    private void checkCorners() {
      int vertices = graph.vertices();
      for (int i = 0; i < corners.length; i += 3) {
        int a = corners[i];
        int b = corners[i + 1];
        int c = corners[i + 2];
        boolean inRange =
            a >= 0 && b >= 0 && c >= 0 && a < vertices && b < vertices && c < vertices;
        if (!inRange || a == b || b == c || c == a) {
          throw new IllegalArgumentException(
              triangleText(i) + ": expected three different vertices; there are " + vertices);
        }
        if (!(graph.turn(a, b, c) > 0)) {
          throw new IllegalArgumentException(
              triangleText(i)
                  + (graph.turn(a, b, c) < 0
                      ? ", which are clockwise: expected them counter-clockwise"
                      : ", which lie on one line"));
        }
      }
    }

    private String triangleText(int i) {
      long base = graph.firstIndex();
      return "triangle "
          + (i / 3 + base)
          + " has the corners "
          + (corners[i] + base)
          + " "
          + (corners[i + 1] + base)
          + " "
          + (corners[i + 2] + base);
    }
  }
}
