package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.TriangleAreaBound;
import io.magpie.algorithms.mesh.internal.Predicates;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import java.util.Arrays;

/**
 * A mesh on a device, in the form that the kernels of module {@code mesh} work on, with room for
 * more triangles and vertices. Layouts and codes are those of {@code mesh.cuh}.
 */
final class DeviceMesh implements AutoCloseable {
  static final int MOST_TRIANGLES = (Integer.MAX_VALUE - 8) / 3;
  static final int MOST_VERTICES = Integer.MAX_VALUE - 8;

  private static final int NONE = -1;

  /** The largest magnitude of a coordinate, quality.cuh. */
  private static final double FARTHEST = 0x1p249;

  /** Triangles whose edges are measured together. */
  private static final int PART = 1 << 20;

  /** Words that go from device to device at a time. */
  private static final int BUFFER = 1 << 21;

  private final Device device;
  private final KernelModule module;
  private final MeshKernels kernels;
  private final Mesh input;
  private final boolean sharp;
  private final DeviceArray<int[]> segmentEnds;
  private final DomainRegions regions;
  private final boolean singleAttributes; // these differ where no segment is, bounds do not
  private final InputPlaces singleBounds; // null where bounds differ at segments only
  private final double doubledArea;
  private DeviceArray<double[]> areas;
  private DeviceArray<double[]> givenAreas; // a view of these, which no kernel writes
  private FunctionBounds functionBounds; // null where triangles have the regions of the domain
  private DeviceArray<int[]> triangles;
  private DeviceArray<int[]> edgeSegment;
  private DeviceArray<double[]> points;
  private DeviceArray<int[]> vertexSegment;
  private int triangleCapacity;
  private int vertexCapacity;

  /**
   * Copies a mesh.
   *
   * @param doubledArea twice the largest area of a triangle, whatever its region allows
   * @param cornersBelow degrees below which two segments at a vertex make it a corner; 60 to 120
   * @throws IllegalArgumentException if it is no constrained Delaunay triangulation, or too large
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  DeviceMesh(KernelModule module, Mesh input, double doubledArea, double cornersBelow) {
    this.module = module;
    this.kernels = new MeshKernels(module);
    this.device = module.device();
    this.input = input;
    this.doubledArea = doubledArea;
    if (input.triangles() > MOST_TRIANGLES) {
      throw new IllegalArgumentException(
          "at most " + MOST_TRIANGLES + " triangles can be refined, not " + input.triangles());
    }
    requireExact(input.coordinates());
    SegmentAngles angles = SegmentAngles.of(input, cornersBelow);
    this.sharp = angles.sharp();
    this.regions = new DomainRegions(input, kernels.mostRegions);
    this.singleBounds = input.hasSingleAreaBounds() ? new InputPlaces(input) : null;
    this.singleAttributes = singleBounds == null && input.hasSingleTriangleAttributes();
    this.segmentEnds = device.ints(2L * Math.max(1, input.segments())).named("segment_ends");
    try {
      take(areasOf(regions.bounds()));
      int[] ends = new int[2 * input.segments()];
      for (int s = 0; s < input.segments(); s++) {
        ends[2 * s] = input.segmentStart(s);
        ends[2 * s + 1] = input.segmentEnd(s);
      }
      segmentEnds.copyFrom(ends, 0, 0, ends.length);
      triangleCapacity = input.triangles();
      vertexCapacity = input.vertices();
      triangles = newTriangles(triangleCapacity);
      edgeSegment = newEdgeSegment(triangleCapacity);
      points = newPoints(vertexCapacity);
      vertexSegment = newVertexSegment(vertexCapacity);
      points.copyFrom(input.coordinates());
      markVertices(angles.corners());
      importTriangles();
      check();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private DeviceArray<int[]> newTriangles(int capacity) {
    return device.ints((long) kernels.recordWords * capacity).named("triangles");
  }

  private DeviceArray<int[]> newEdgeSegment(int capacity) {
    return device.ints(3L * capacity).named("edge_segment");
  }

  private DeviceArray<double[]> newPoints(int capacity) {
    return device.doubles(2L * capacity).named("points");
  }

  private DeviceArray<int[]> newVertexSegment(int capacity) {
    return device.ints(capacity).named("vertex_segment");
  }

  private DeviceArray<double[]> areasOf(double[] bounds) {
    return device.copyOf(
        Arrays.stream(bounds).map(bound -> Math.min(doubledArea, doubled(bound))).toArray());
  }

  private void take(DeviceArray<double[]> next) {
    areas = next;
    givenAreas = next.asConst().named("areas");
  }

  private static void requireExact(double[] coordinates) {
    for (double outside :
        Parallel.map(coordinates.length, (from, to) -> firstOutside(coordinates, from, to))) {
      if (!Double.isNaN(outside)) {
        throw new IllegalArgumentException(
            "coordinate "
                + outside
                + " is outside of the range of exact arithmetic, 0 or 2^-204 to 2^249: scale the"
                + " mesh");
      }
    }
  }

  /** The first coordinate out of range; NaN, which no mesh has, for none. */
  private static double firstOutside(double[] coordinates, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isInRange(coordinates[i])) {
        return coordinates[i];
      }
    }
    return Double.NaN;
  }

  /**
   * Twice the largest area that a test in doubles may allow: a little less than asked, as rounding
   * must not let a triangle pass that an exact test would not.
   */
  static double doubled(double maximumArea) {
    return 2 * maximumArea * (1 - 1e-12);
  }

  private static boolean isInRange(double coordinate) {
    return Predicates.isExactFor(coordinate) && Math.abs(coordinate) <= FARTHEST;
  }

  /** Says of each vertex whether segments meet there at an angle that needs care. */
  private void markVertices(int[] corners) {
    vertexSegment.fill(kernels.inputVertex);
    try (DeviceArray<int[]> list = device.copyOf(corners).named("corners")) {
      module
          .kernel("mark_corners")
          .run(
              corners.length,
              new Fields()
                  .set("count", corners.length)
                  .set("corners", list)
                  .set("vertex_segment", vertexSegment));
    }
  }

  /**
   * A mesh like another one, which lies on another device, with as much room.
   *
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  private DeviceMesh(KernelModule module, DeviceMesh other) {
    this.module = module;
    this.kernels = new MeshKernels(module);
    this.device = module.device();
    this.input = other.input;
    this.doubledArea = other.doubledArea;
    this.sharp = other.sharp;
    this.regions = other.regions;
    this.singleBounds = other.singleBounds;
    this.singleAttributes = other.singleAttributes;
    this.segmentEnds = device.ints(other.segmentEnds.length()).named("segment_ends");
    try {
      take(device.copyOf(other.areas.toArray()));
      triangles = newTriangles(0);
      edgeSegment = newEdgeSegment(0);
      points = newPoints(0);
      vertexSegment = newVertexSegment(0);
      growTriangles(other.triangleCapacity);
      growVertices(other.vertexCapacity);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * The mesh on another device, with as much room.
   *
   * @param there the module on that device
   * @param triangleSlots slots below which all triangles lie
   * @param vertexSlots slots below which all vertices lie
   * @throws io.magpie.stm.DeviceOutOfMemoryException if that has too little free memory
   */
  DeviceMesh copy(KernelModule there, int triangleSlots, int vertexSlots) {
    DeviceMesh copy = new DeviceMesh(there, this);
    try {
      copyWords(segmentEnds, copy.segmentEnds, segmentEnds.length());
      copy.copyFrom(this, triangleSlots, vertexSlots);
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    }
    return copy;
  }

  /**
   * Takes over the triangles and vertices of the mesh's copy on another device.
   *
   * @param triangleSlots slots below which all triangles lie, at most as many as there is room for
   * @param vertexSlots the same for vertices
   */
  void copyFrom(DeviceMesh copy, int triangleSlots, int vertexSlots) {
    copyWords(copy.triangles, triangles, (long) kernels.recordWords * triangleSlots);
    copyWords(copy.edgeSegment, edgeSegment, 3L * triangleSlots);
    copyWords(copy.vertexSegment, vertexSegment, vertexSlots);
    double[] buffer = new double[(int) Math.min(BUFFER / 2, 2L * vertexSlots)];
    for (long at = 0; at < 2L * vertexSlots; at += buffer.length) {
      int count = (int) Math.min(buffer.length, 2L * vertexSlots - at);
      copy.points.copyTo(buffer, 0, at, count);
      points.copyFrom(buffer, 0, at, count);
    }
  }

  private static void copyWords(DeviceArray<int[]> from, DeviceArray<int[]> to, long length) {
    int[] buffer = new int[(int) Math.min(BUFFER, length)];
    for (long at = 0; at < length; at += buffer.length) {
      int count = (int) Math.min(buffer.length, length - at);
      from.copyTo(buffer, 0, at, count);
      to.copyFrom(buffer, 0, at, count);
    }
  }

  /**
   * Its arrays as kernels take them: {@code mesh_arguments}, quality.cuh, but for what is asked.
   */
  Fields fields() {
    return new Fields()
        .set("triangles", triangles)
        .set("points", points)
        .set("vertex_segment", vertexSegment)
        .set("edge_segment", edgeSegment)
        .set("segment_ends", segmentEnds);
  }

  private void importTriangles() {
    try (DeviceArray<int[]> corners = device.copyOf(input.corners()).named("corners");
        DeviceArray<int[]> neighbors = device.copyOf(input.neighbors()).named("neighbors");
        DeviceArray<int[]> segments = device.copyOf(input.segmentsOfEdges()).named("segments");
        DeviceArray<int[]> numbers = device.copyOf(regions.ofTriangles()).named("regions")) {
      module
          .kernel("import_triangles")
          .run(
              input.triangles(),
              new Fields()
                  .set("count", input.triangles())
                  .set("corners", corners)
                  .set("neighbors", neighbors)
                  .set("segments", segments)
                  .set("regions", numbers)
                  .set("triangles", triangles)
                  .set("edge_segment", edgeSegment));
    }
  }

  private void check() {
    try (DeviceArray<int[]> faults = device.copyOf(0, NONE, 0, NONE).named("faults")) {
      module
          .kernel("check_delaunay")
          .run(
              input.triangles(),
              new Fields()
                  .set("count", input.triangles())
                  .set("triangles", triangles)
                  .set("points", points)
                  .set("faults", faults));
      int[] found = faults.toArray();
      if (found[0] != 0) {
        throw new IllegalArgumentException(
            "triangle "
                + found[1]
                + " is flat or clockwise, one of "
                + Integer.toUnsignedLong(found[0])
                + ": only triangulations can be refined");
      }
      if (found[2] != 0) {
        throw new IllegalArgumentException(
            "a corner beyond triangle "
                + found[3]
                + " lies inside its circumcircle, one of "
                + Integer.toUnsignedLong(found[2])
                + " such edges: triangulate the vertices and segments again, as only (constrained)"
                + " Delaunay triangulations can be refined");
      }
    }
  }

  Mesh input() {
    return input;
  }

  KernelModule module() {
    return module;
  }

  /** What triangles of the input have, and keep, in common. */
  DomainRegions regions() {
    return regions;
  }

  /** Whether attributes of triangles, and no bounds, differ where no segment is between. */
  boolean hasSingleAttributes() {
    return singleAttributes;
  }

  /** Whether segments of the input meet at less than 60 degrees. */
  boolean sharp() {
    return sharp;
  }

  /** Of each region twice the largest area of a triangle; empty if there are no such bounds. */
  DeviceArray<double[]> areas() {
    return givenAreas;
  }

  /** Whether area bounds differ where no segment is between, see {@link #giveBounds}. */
  boolean hasSingleBounds() {
    return singleBounds != null;
  }

  /**
   * Gives every triangle the region of the input's triangle in which it lies; insertions across
   * several regions leave one of larger area bounds.
   *
   * @param triangleSlots slots below which all triangles lie
   * @param vertexSlots slots below which all vertices lie
   */
  void giveBounds(int triangleSlots, int vertexSlots) {
    Mesh now = new MeshDownload(this, triangleSlots, vertexSlots, null).finish().mesh();
    int[] homes = new int[now.triangles()];
    int first = 0;
    for (int part = 0; part < triangleSlots; part += PART) {
      int[] records = part(part, triangleSlots).toArray();
      first = readHomes(records, part, homes, first);
    }
    singleBounds.locate(now, homes);
    singleBounds.reserve(triangleSlots);
    first = 0;
    for (int part = 0; part < triangleSlots; part += PART) {
      int[] records = part(part, triangleSlots).toArray();
      first = giveRegions(records, part, homes, first);
      part(part, triangleSlots).copyFrom(records);
    }
  }

  /**
   * Gives every triangle that is larger than a function allows a bound that it does not keep, of at
   * least a quarter of its area, and all others the bound of their region of the domain.
   *
   * @param triangleSlots slots below which all triangles lie
   * @param vertexSlots slots below which all vertices lie
   * @return the smallest bound of such a triangle; positive infinity if there is none
   * @throws IllegalArgumentException if the function gives a bound that is not above 0
   */
  double giveBounds(TriangleAreaBound function, int triangleSlots, int vertexSlots) {
    double[] positions = points.slice(0, 2L * vertexSlots).toArray();
    FunctionBounds next = new FunctionBounds(kernels, regions, functionBounds);
    for (int part = 0; part < triangleSlots; part += PART) {
      next.ask(function, positions, part(part, triangleSlots).toArray());
    }
    if (next.areBroken() || functionBounds != null) {
      number(next, triangleSlots);
      functionBounds = next.areBroken() ? next : null;
    }
    return next.smallest();
  }

  /**
   * Gives all triangles their regions of the domain, where they have bounds of a function.
   *
   * @param triangleSlots slots below which all triangles lie
   */
  void takeBoundsBack(int triangleSlots) {
    if (functionBounds != null) {
      number(new FunctionBounds(kernels, regions, functionBounds), triangleSlots);
      functionBounds = null;
    }
  }

  private void number(FunctionBounds next, int triangleSlots) {
    DeviceArray<double[]> nextAreas = areasOf(next.number());
    areas.close();
    take(nextAreas);
    for (int part = 0; part < triangleSlots; part += PART) {
      int[] records = part(part, triangleSlots).toArray();
      next.give(records, part / PART);
      part(part, triangleSlots).copyFrom(records);
    }
  }

  /** The records of so many triangles as are changed together. */
  private DeviceArray<int[]> part(int first, int triangleSlots) {
    long words = kernels.recordWords;
    return triangles.slice(words * first, words * Math.min(PART, triangleSlots - first));
  }

  /**
   * Reads which homes are kept.
   *
   * @param slot of the first record
   * @param homes takes them from {@code next} on
   * @return where the next ones go
   */
  private int readHomes(int[] records, int slot, int[] homes, int next) {
    int to = next;
    for (int at = 0; at < records.length; at += kernels.recordWords) {
      if ((records[at + kernels.flagsWord] & kernels.live) != 0) {
        homes[to++] = singleBounds.kept(slot + at / kernels.recordWords, records, at);
      }
    }
    return to;
  }

  /** Gives triangles the regions of their homes, and keeps these. */
  private int giveRegions(int[] records, int slot, int[] homes, int next) {
    int shift = Integer.SIZE - Integer.numberOfTrailingZeros(kernels.mostRegions);
    int from = next;
    for (int at = 0; at < records.length; at += kernels.recordWords) {
      int flags = at + kernels.flagsWord;
      if ((records[flags] & kernels.live) != 0) {
        int home = homes[from++];
        singleBounds.keep(slot + at / kernels.recordWords, records, at, home);
        records[flags] = records[flags] & ((1 << shift) - 1) | regions.ofTriangles()[home] << shift;
      }
    }
    return from;
  }

  int triangleCapacity() {
    return triangleCapacity;
  }

  int vertexCapacity() {
    return vertexCapacity;
  }

  DeviceArray<int[]> triangles() {
    return triangles;
  }

  DeviceArray<int[]> edgeSegment() {
    return edgeSegment;
  }

  DeviceArray<double[]> points() {
    return points;
  }

  DeviceArray<int[]> vertexSegment() {
    return vertexSegment;
  }

  /**
   * Makes room for that many triangles, keeping those there are.
   *
   * @throws io.magpie.stm.DeviceOutOfMemoryException if there is none; nothing changed
   */
  void growTriangles(int capacity) {
    DeviceArray<int[]> more = newTriangles(capacity);
    DeviceArray<int[]> moreSegments;
    try {
      moreSegments = newEdgeSegment(capacity);
    } catch (RuntimeException | Error e) {
      more.close();
      throw e;
    }
    more.slice(0, triangles.length()).copyFrom(triangles); // behind them zeros: no triangles
    moreSegments.slice(0, edgeSegment.length()).copyFrom(edgeSegment);
    triangles.close();
    edgeSegment.close();
    triangles = more;
    edgeSegment = moreSegments;
    triangleCapacity = capacity;
  }

  /**
   * Makes room for that many vertices, keeping those there are.
   *
   * @throws io.magpie.stm.DeviceOutOfMemoryException if there is none; nothing changed
   */
  void growVertices(int capacity) {
    DeviceArray<double[]> more = newPoints(capacity);
    DeviceArray<int[]> moreSegments;
    try {
      moreSegments = newVertexSegment(capacity);
    } catch (RuntimeException | Error e) {
      more.close();
      throw e;
    }
    more.slice(0, points.length()).copyFrom(points);
    // A search that meets a vertex before its position can be seen must notice: cavity.cuh.
    more.slice(points.length(), more.length() - points.length()).fill(Double.NaN);
    moreSegments.slice(0, vertexSegment.length()).copyFrom(vertexSegment);
    moreSegments
        .slice(vertexSegment.length(), capacity - vertexSegment.length())
        .fill(kernels.absentVertex);
    points.close();
    vertexSegment.close();
    points = more;
    vertexSegment = moreSegments;
    vertexCapacity = capacity;
  }

  /**
   * The length of the shortest edge.
   *
   * @param triangleSlots slots below which all triangles lie
   * @param vertexSlots slots below which all vertices lie
   */
  double shortestEdge(int triangleSlots, int vertexSlots) {
    double[] positions = points.slice(0, 2L * vertexSlots).toArray();
    long words = kernels.recordWords;
    double least = Double.POSITIVE_INFINITY;
    for (int first = 0; first < triangleSlots; first += PART) {
      int count = Math.min(PART, triangleSlots - first);
      int[] records = triangles.slice(words * first, words * count).toArray();
      for (int at = 0; at < records.length; at += kernels.recordWords) {
        if ((records[at + kernels.flagsWord] & kernels.live) != 0) {
          least = Math.min(least, shortestEdge(positions, records, at));
        }
      }
    }
    return least;
  }

  /** The same of the triangle whose three corners begin at a word of the records. */
  private static double shortestEdge(double[] positions, int[] records, int at) {
    double least = Double.POSITIVE_INFINITY;
    for (int k = 0; k < 3; k++) {
      int a = 2 * records[at + k];
      int b = 2 * records[at + (k + 1) % 3];
      double x = positions[b] - positions[a];
      double y = positions[b + 1] - positions[a + 1];
      least = Math.min(least, Math.hypot(x, y));
    }
    return least;
  }

  @Override
  public void close() {
    Resources.close(segmentEnds, areas, triangles, edgeSegment, points, vertexSegment);
  }
}
