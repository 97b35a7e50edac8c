package io.magpie.algorithms.mesh;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.internal.Predicates;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A planar straight-line graph: points, segments between them, and points in the holes and regions
 * of the domain that the segments bound. Without segments it is a set of points, whose domain is
 * the convex hull.
 *
 * <p>Coordinates are finite and the two ends of a segment are different vertices; nothing else is
 * checked here. In particular points may coincide and segments may repeat ({@link
 * #withoutDuplicates()} merges them), and segments may cross.
 *
 * <p>Immutable. Memory: 16 bytes for each vertex and 8 for each segment, 4 more for each that has a
 * marker, and 8 for each attribute of a vertex.
 */
public final class PlanarGraph {
  /**
   * A part of the domain: what the segments enclose around a point. {@link DelaunayTriangulation}
   * gives its triangles the attribute and the bound on areas; where points of several regions lie
   * in one part, the last one counts. Outside of all regions the attribute is 0.
   *
   * @param x where the point is
   * @param y where the point is
   * @param attribute a value for the triangles of the region
   * @param maxArea the largest area of a triangle there; 0 or less is no limit
   */
  public record Region(double x, double y, double attribute, double maxArea) {
    /** Checks that all values are finite. */
    public Region {
      requireFinite("regions", x, y, attribute, maxArea);
    }
  }

  private static final int[] NONE = {};

  private final double[] coordinates;
  private final int attributes;
  private final double[] attributeValues;
  private final int[] vertexMarkers;
  private final int[] segmentEnds;
  private final int[] segmentMarkers;
  private final double[] holes;
  private final List<Region> regions;
  private final int firstIndex;
  private final double minX;
  private final double minY;
  private final double maxX;
  private final double maxY;

  private PlanarGraph(Builder from) {
    coordinates = from.coordinates;
    attributes = from.attributes;
    attributeValues = from.attributeValues;
    vertexMarkers = from.vertexMarkers;
    segmentEnds = from.segmentEnds;
    segmentMarkers = from.segmentMarkers;
    holes = from.holes;
    regions = from.regions;
    firstIndex = from.firstIndex;
    Box box = Box.of(coordinates);
    if (!box.finite) {
      throw new IllegalArgumentException(firstNotFinite());
    }
    minX = box.minX;
    minY = box.minY;
    maxX = box.maxX;
    maxY = box.maxY;
    for (int s = 0; s < segments(); s++) {
      int start = segmentEnds[2 * s];
      int end = segmentEnds[2 * s + 1];
      if (start < 0 || start >= vertices() || end < 0 || end >= vertices()) {
        throw new IllegalArgumentException(
            segmentText(s) + ": both ends must be vertices; there are " + vertices());
      }
      if (start == end) {
        throw new IllegalArgumentException(segmentText(s) + ": its ends must be different");
      }
    }
  }

  /** The bounding box of points, if all are finite. */
  private record Box(boolean finite, double minX, double minY, double maxX, double maxY) {
    static final Box EMPTY =
        new Box(
            true,
            Double.POSITIVE_INFINITY,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.NEGATIVE_INFINITY);

    /** Fewer points than this have one piece. */
    static final int MANY = 1 << 15;

    static Box of(double[] coordinates) {
      int points = coordinates.length / 2;
      return points < MANY
          ? of(coordinates, 0, points)
          : Parallel.map(points, (from, to) -> of(coordinates, from, to)).stream()
              .reduce(EMPTY, Box::with);
    }

    private static Box of(double[] coordinates, int from, int to) {
      double minX = EMPTY.minX;
      double minY = EMPTY.minY;
      double maxX = EMPTY.maxX;
      double maxY = EMPTY.maxY;
      boolean finite = true;
      for (int v = from; v < to; v++) {
        double x = coordinates[2 * v];
        double y = coordinates[2 * v + 1];
        finite &= Double.isFinite(x) && Double.isFinite(y);
        minX = Math.min(minX, x);
        maxX = Math.max(maxX, x);
        minY = Math.min(minY, y);
        maxY = Math.max(maxY, y);
      }
      return new Box(finite, minX, minY, maxX, maxY);
    }

    private Box with(Box other) {
      return new Box(
          finite && other.finite,
          Math.min(minX, other.minX),
          Math.min(minY, other.minY),
          Math.max(maxX, other.maxX),
          Math.max(maxY, other.maxY));
    }
  }

  private String firstNotFinite() {
    int v = 0;
    while (Double.isFinite(x(v)) && Double.isFinite(y(v))) {
      v++;
    }
    return "vertex " + (v + firstIndex) + " lies at " + x(v) + " " + y(v) + ", which is not finite";
  }

  static void requireFinite(String what, double... values) {
    for (double each : values) {
      if (!Double.isFinite(each)) {
        throw new IllegalArgumentException(
            each + " among the " + what + ": expected finite numbers");
      }
    }
  }

  /** How messages name a segment: as files number it. */
  String segmentText(int s) {
    return "segment "
        + (s + firstIndex)
        + " from vertex "
        + (segmentEnds[2 * s] + (long) firstIndex)
        + " to "
        + (segmentEnds[2 * s + 1] + (long) firstIndex);
  }

  /**
   * A set of points.
   *
   * @param coordinates x and y of each vertex in turn; not copied, not to be changed afterward
   * @return the graph
   * @throws IllegalArgumentException when a coordinate is not finite or one is missing
   */
  public static PlanarGraph of(double[] coordinates) {
    return builder(coordinates).build();
  }

  /**
   * Points and segments.
   *
   * @param coordinates x and y of each vertex in turn; not copied, not to be changed afterward
   * @param segmentEnds the two vertices of each segment in turn; likewise
   * @return the graph
   * @throws IllegalArgumentException when an array breaks its description
   */
  public static PlanarGraph of(double[] coordinates, int[] segmentEnds) {
    return builder(coordinates).segments(segmentEnds, null).build();
  }

  /**
   * Begins a graph.
   *
   * @param coordinates x and y of each vertex in turn; not copied, not to be changed afterward
   * @return a builder without segments
   */
  public static Builder builder(double[] coordinates) {
    return new Builder(coordinates);
  }

  /**
   * The number of vertices.
   *
   * @return 0 or more
   */
  public int vertices() {
    return coordinates.length / 2;
  }

  /**
   * The number of segments.
   *
   * @return 0 or more
   */
  public int segments() {
    return segmentEnds.length / 2;
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
   * Whether the vertices have markers.
   *
   * @return false when {@link #vertexMarker} is 0 because there are none
   */
  public boolean hasVertexMarkers() {
    return vertexMarkers != null;
  }

  /**
   * The marker of a vertex.
   *
   * @param v a vertex
   * @return 0 when there are no markers
   */
  public int vertexMarker(int v) {
    return vertexMarkers == null ? 0 : vertexMarkers[v];
  }

  /**
   * The number of attributes of each vertex.
   *
   * @return 0 or more
   */
  public int attributes() {
    return attributes;
  }

  /**
   * An attribute of a vertex.
   *
   * @param v a vertex
   * @param a 0 to {@code attributes() - 1}
   * @return its value
   */
  public double attribute(int v, int a) {
    Objects.checkIndex(a, attributes);
    return attributeValues[v * attributes + a];
  }

  /**
   * Where a segment begins.
   *
   * @param s a segment
   * @return a vertex
   */
  public int segmentStart(int s) {
    return segmentEnds[2 * s];
  }

  /**
   * Where a segment ends.
   *
   * @param s a segment
   * @return a vertex, not its start
   */
  public int segmentEnd(int s) {
    return segmentEnds[2 * s + 1];
  }

  /**
   * Whether the segments have markers.
   *
   * @return false when {@link #segmentMarker} is 0 because there are none
   */
  public boolean hasSegmentMarkers() {
    return segmentMarkers != null;
  }

  /**
   * The marker of a segment.
   *
   * @param s a segment
   * @return 0 when there are no markers
   */
  public int segmentMarker(int s) {
    return segmentMarkers == null ? 0 : segmentMarkers[s];
  }

  /**
   * The number of holes.
   *
   * @return 0 or more
   */
  public int holes() {
    return holes.length / 2;
  }

  /**
   * A point in a hole.
   *
   * @param hole 0 to {@code holes() - 1}
   * @return its abscissa
   */
  public double holeX(int hole) {
    return holes[2 * hole];
  }

  /**
   * A point in a hole.
   *
   * @param hole 0 to {@code holes() - 1}
   * @return its ordinate
   */
  public double holeY(int hole) {
    return holes[2 * hole + 1];
  }

  /**
   * The regions.
   *
   * @return an unmodifiable list, usually empty
   */
  public List<Region> regions() {
    return regions;
  }

  /**
   * The number that files give to the first vertex, triangle and segment. Messages count the same
   * way.
   *
   * @return 0 or 1
   */
  public int firstIndex() {
    return firstIndex;
  }

  /**
   * The left side of the bounding box.
   *
   * @return the least abscissa; positive infinity when there is no vertex
   */
  public double minX() {
    return minX;
  }

  /**
   * The lower side of the bounding box.
   *
   * @return the least ordinate; positive infinity when there is no vertex
   */
  public double minY() {
    return minY;
  }

  /**
   * The right side of the bounding box.
   *
   * @return the greatest abscissa; negative infinity when there is no vertex
   */
  public double maxX() {
    return maxX;
  }

  /**
   * The upper side of the bounding box.
   *
   * @return the greatest ordinate; negative infinity when there is no vertex
   */
  public double maxY() {
    return maxY;
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
   * The ends of all segments, not a copy.
   *
   * @return the two vertices of each segment in turn
   */
  public int[] segmentEnds() {
    return segmentEnds;
  }

  /** Positive if three vertices are counter-clockwise, negative if clockwise, 0 if on one line. */
  double turn(int a, int b, int c) {
    return Predicates.orient2d(x(a), y(a), x(b), y(b), x(c), y(c));
  }

  /**
   * Begins a graph that has everything in common with this one but what is set anew. The two graphs
   * share their arrays.
   *
   * @return a builder
   */
  public Builder toBuilder() {
    return builder(coordinates)
        .vertexAttributes(attributes, attributeValues)
        .vertexMarkers(vertexMarkers)
        .segments(segmentEnds, segmentMarkers)
        .holes(holes)
        .regions(regions)
        .firstIndex(firstIndex);
  }

  /** This graph with other segments. */
  PlanarGraph withSegments(int[] ends, int[] markers) {
    return toBuilder().segments(ends, markers).build();
  }

  /**
   * This graph with one vertex at each place and one segment between each two vertices. The first
   * of several vertices stays, with its marker and attributes, and the vertices after those dropped
   * move up; segments follow their vertices. A segment whose ends coincide goes, and the first of
   * several between the same vertices stays. Zeros of either sign are the same place. Cost: O(n)
   * expected.
   *
   * @return this graph when nothing repeats
   */
  public PlanarGraph withoutDuplicates() {
    int[] renumbered = firstAtSamePlace();
    int kept = 0;
    for (int v = 0; v < vertices(); v++) {
      renumbered[v] = renumbered[v] == v ? kept++ : renumbered[renumbered[v]];
    }
    int[] ends = new int[segmentEnds.length];
    for (int i = 0; i < ends.length; i++) {
      ends[i] = renumbered[segmentEnds[i]];
    }
    boolean[] repeated = repeatedSegments(ends);
    int segmentsKept = 0;
    for (boolean each : repeated) {
      segmentsKept += each ? 0 : 1;
    }
    if (kept == vertices() && segmentsKept == segments()) {
      return this;
    }
    double[] newCoordinates = new double[2 * kept];
    double[] newAttributes = new double[attributes * kept];
    int[] newVertexMarkers = vertexMarkers == null ? null : new int[kept];
    int next = 0;
    for (int v = 0; v < vertices(); v++) {
      if (renumbered[v] == next) {
        newCoordinates[2 * next] = x(v);
        newCoordinates[2 * next + 1] = y(v);
        System.arraycopy(
            attributeValues, v * attributes, newAttributes, next * attributes, attributes);
        if (newVertexMarkers != null) {
          newVertexMarkers[next] = vertexMarkers[v];
        }
        next++;
      }
    }
    int[] newEnds = new int[2 * segmentsKept];
    int[] newSegmentMarkers = segmentMarkers == null ? null : new int[segmentsKept];
    int nextSegment = 0;
    for (int s = 0; s < segments(); s++) {
      if (!repeated[s]) {
        newEnds[2 * nextSegment] = ends[2 * s];
        newEnds[2 * nextSegment + 1] = ends[2 * s + 1];
        if (newSegmentMarkers != null) {
          newSegmentMarkers[nextSegment] = segmentMarkers[s];
        }
        nextSegment++;
      }
    }
    return builder(newCoordinates)
        .vertexAttributes(attributes, newAttributes)
        .vertexMarkers(newVertexMarkers)
        .segments(newEnds, newSegmentMarkers)
        .holes(holes)
        .regions(regions)
        .firstIndex(firstIndex)
        .build();
  }

  /** For each vertex the first one at its place. */
  int[] firstAtSamePlace() {
    int[] first = new int[vertices()];
    int[] table = emptyTable(vertices());
    for (int v = 0; v < vertices(); v++) {
      // Adding zero turns a negative zero into a positive one.
      long x = Double.doubleToRawLongBits(x(v) + 0.0);
      long y = Double.doubleToRawLongBits(y(v) + 0.0);
      int slot = slot(x, y, table.length);
      while (table[slot] >= 0 && !(x(table[slot]) == x(v) && y(table[slot]) == y(v))) {
        slot = (slot + 1) & (table.length - 1);
      }
      if (table[slot] < 0) {
        table[slot] = v;
      }
      first[v] = table[slot];
    }
    return first;
  }

  /** Which segments have equal ends, or the two ends of one before them. */
  private static boolean[] repeatedSegments(int[] ends) {
    boolean[] repeated = new boolean[ends.length / 2];
    int[] table = emptyTable(repeated.length);
    for (int s = 0; s < repeated.length; s++) {
      int low = Math.min(ends[2 * s], ends[2 * s + 1]);
      int high = Math.max(ends[2 * s], ends[2 * s + 1]);
      int slot = slot(low, high, table.length);
      while (table[slot] >= 0 && !joins(ends, table[slot], low, high)) {
        slot = (slot + 1) & (table.length - 1);
      }
      repeated[s] = low == high || table[slot] >= 0;
      if (table[slot] < 0) {
        table[slot] = s;
      }
    }
    return repeated;
  }

  private static boolean joins(int[] ends, int s, int low, int high) {
    return Math.min(ends[2 * s], ends[2 * s + 1]) == low
        && Math.max(ends[2 * s], ends[2 * s + 1]) == high;
  }

  /** A hash table at most half full: a power of two of slots, -1 each. */
  private static int[] emptyTable(int items) {
    int[] table = new int[(int) Math.min(1L << 30, Long.highestOneBit(4L * items + 2))];
    Arrays.fill(table, -1);
    return table;
  }

  /** Where to look first: multiplication by odd constants, upper bits. */
  private static int slot(long a, long b, int slots) {
    long mixed = (a * 0x9e3779b97f4a7c15L ^ (a >>> 32)) + b * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 32)) * 0x94d049bb133111ebL;
    return (int) (mixed >>> 32) & (slots - 1);
  }

  /** Collects the parts of a graph. Arrays are not copied and must not be changed afterward. */
  public static final class Builder {
    private final double[] coordinates;
    private int attributes;
    private double[] attributeValues = {};
    private int[] vertexMarkers;
    private int[] segmentEnds = NONE;
    private int[] segmentMarkers;
    private double[] holes = {};
    private List<Region> regions = List.of();
    private int firstIndex;

    private Builder(double[] coordinates) {
      this.coordinates = Objects.requireNonNull(coordinates, "coordinates cannot be null");
      if (coordinates.length % 2 != 0) {
        throw new IllegalArgumentException(
            coordinates.length + " coordinates: expected an x and a y for each vertex");
      }
    }

    private static void requireLength(String what, long expected, int length) {
      if (length != expected) {
        throw new IllegalArgumentException(length + " " + what + ": expected " + expected);
      }
    }

    /**
     * Gives the vertices attributes.
     *
     * @param count the number of attributes of each vertex
     * @param values those of vertex 0, then those of vertex 1, and so on; all finite
     * @return this builder
     */
    public Builder vertexAttributes(int count, double[] values) {
      requireLength(
          "attributes of vertices", (long) count * (coordinates.length / 2), values.length);
      requireFinite("attributes of vertices", values);
      attributes = count;
      attributeValues = values;
      return this;
    }

    /**
     * Gives the vertices markers.
     *
     * @param markers one for each vertex, or null for none
     * @return this builder
     */
    public Builder vertexMarkers(int[] markers) {
      if (markers != null) {
        requireLength("markers of vertices", coordinates.length / 2, markers.length);
      }
      vertexMarkers = markers;
      return this;
    }

    /**
     * Sets the segments.
     *
     * @param ends the two vertices of each segment in turn
     * @param markers one for each segment, or null for none
     * @return this builder
     */
    public Builder segments(int[] ends, int[] markers) {
      if (ends.length % 2 != 0) {
        throw new IllegalArgumentException(
            ends.length + " ends of segments: expected two for each segment");
      }
      if (markers != null) {
        requireLength("markers of segments", ends.length / 2, markers.length);
      }
      segmentEnds = ends;
      segmentMarkers = markers;
      return this;
    }

    /**
     * Sets the holes.
     *
     * @param points x and y of a point in each hole in turn, all finite
     * @return this builder
     */
    public Builder holes(double[] points) {
      if (points.length % 2 != 0) {
        throw new IllegalArgumentException(
            points.length + " coordinates of holes: expected an x and a y for each");
      }
      requireFinite("holes", points);
      holes = points;
      return this;
    }

    /**
     * Sets the regions.
     *
     * @param list the regions
     * @return this builder
     */
    public Builder regions(List<Region> list) {
      regions = List.copyOf(list);
      return this;
    }

    /**
     * Sets how files count vertices, triangles and segments.
     *
     * @param index 0, as without this call, or 1
     * @return this builder
     */
    public Builder firstIndex(int index) {
      if (index != 0 && index != 1) {
        throw new IllegalArgumentException("first index " + index + ": expected 0 or 1");
      }
      firstIndex = index;
      return this;
    }

    /**
     * Checks the parts and puts them together.
     *
     * @return the graph
     * @throws IllegalArgumentException when a coordinate is not finite, or a segment's ends are
     *     equal or no vertices
     */
    public PlanarGraph build() {
      return new PlanarGraph(this);
    }
  }
}
