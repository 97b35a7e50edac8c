package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.FileReplacement;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshEdges;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.RegionFaultException;
import io.magpie.algorithms.mesh.internal.MeshFaultException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Reads and writes the files of Triangle (Shewchuk: Triangle, engineering a 2D quality mesh
 * generator and Delaunay triangulator, WACG 1996): {@code BASE.node} has the points, {@code
 * BASE.poly} the segments, holes and regions, {@code BASE.ele} the triangles, {@code BASE.area} the
 * bounds on their areas. Each may be followed by {@code .gz} or {@code .xz}.
 *
 * <pre>
 * BASE.node     VERTICES 2 ATTRIBUTES MARKERS      MARKERS is 0 or 1
 *               NUMBER X Y [ATTRIBUTE ...] [MARKER]
 * BASE.ele      TRIANGLES 3 ATTRIBUTES
 *               NUMBER CORNER CORNER CORNER [ATTRIBUTE ...]
 * BASE.poly     as in BASE.node; with 0 vertices, the points are in BASE.node
 *               SEGMENTS MARKERS
 *               NUMBER VERTEX VERTEX [MARKER]
 *               HOLES
 *               NUMBER X Y
 *               REGIONS                            may be missing with what follows
 *               NUMBER X Y ATTRIBUTE [AREA]        without AREA, ATTRIBUTE is both
 * BASE.area     TRIANGLES                          read only
 *               NUMBER AREA
 * BASE.edge     EDGES 1                            written only, as all that follow
 *               NUMBER VERTEX VERTEX MARKER
 * BASE.neigh    TRIANGLES 3
 *               NUMBER TRIANGLE TRIANGLE TRIANGLE  across the edge opposite each corner; -1 for none
 * BASE.v.node   TRIANGLES 2 ATTRIBUTES 0           circumcenters: vertices of the Voronoi diagram
 *               NUMBER X Y [ATTRIBUTE ...]
 * BASE.v.edge   EDGES 0                            as in BASE.edge, between circumcenters
 *               NUMBER TRIANGLE TRIANGLE
 *               NUMBER TRIANGLE -1 X Y             a ray in direction X Y, on the boundary
 * </pre>
 *
 * <p>Tokens are separated by blanks, tabs or carriage returns, lines without any are skipped, and
 * {@code #} starts a comment anywhere, which only a line feed ends. In headers, what follows the
 * first number may be missing. Vertices are listed in order and count from 0 or 1, as the first one
 * says, and so do triangles in {@code BASE.area}; the numbers of triangles elsewhere, of segments,
 * holes and regions have no meaning. Triangles listed clockwise are turned. Writing keeps the way
 * of counting, markers, attributes, holes and regions; a whole number is written without a point
 * and any other with the digits that tell it from its neighbors, so all coordinates come back bit
 * for bit.
 *
 * <p>A region is the part of the domain around its point that segments bound. {@link
 * io.magpie.algorithms.mesh.DelaunayTriangulation} gives its triangles ATTRIBUTE, which is written
 * with them, and AREA bounds theirs; 0 or less is no bound, here and in {@code BASE.area}. Bounds
 * of a mesh without regions are not written.
 *
 * <p>A base may be given with the ending of any of its files.
 *
 * <p>Cost of reading: one pass over each file. Memory in addition to the result: 8 bytes for each
 * vertex.
 */
public final class TriangleFormat {
  private static final String POINTS = ".node";
  private static final String SEGMENTS = ".poly";
  private static final String TRIANGLES = ".ele";
  private static final String AREAS = ".area";
  private static final String EDGES = ".edge";
  private static final String NEIGHBORS = ".neigh";
  private static final String VORONOI_VERTICES = ".v.node";
  private static final String VORONOI_EDGES = ".v.edge";

  /** Of all files. */
  private static final List<String> ENDINGS = List.of(POINTS, SEGMENTS, TRIANGLES, AREAS);

  /** What {@link #write(Mesh, Path, Set)} writes, each in files of its own. */
  public enum Part {
    /** {@code BASE.node}. */
    VERTICES(POINTS),
    /** {@code BASE.poly}. */
    SEGMENTS(TriangleFormat.SEGMENTS),
    /** {@code BASE.ele}. */
    TRIANGLES(TriangleFormat.TRIANGLES),
    /** {@code BASE.edge}: markers are as {@link MeshEdges#marker} says. */
    EDGES(TriangleFormat.EDGES),
    /** {@code BASE.neigh}. */
    NEIGHBORS(TriangleFormat.NEIGHBORS),
    /**
     * {@code BASE.v.node} and {@code BASE.v.edge}: what is the Voronoi diagram where no segment
     * keeps the triangulation from being a Delaunay one. Attributes are those of the plane through
     * the triangle's corners.
     */
    VORONOI(VORONOI_VERTICES, VORONOI_EDGES);

    private final List<String> suffixes;

    Part(String... suffixes) {
      this.suffixes = List.of(suffixes);
    }
  }

  /** What a mesh can be read from again. */
  private static final Set<Part> MESH = EnumSet.of(Part.VERTICES, Part.SEGMENTS, Part.TRIANGLES);

  private TriangleFormat() {}

  /** What a mesh is read with besides vertices and triangles. */
  public enum Constraint {
    /** Segments, holes and regions, from {@code BASE.poly} if there is one. */
    SEGMENTS,
    /** The area bounds of these regions. */
    REGIONS,
    /** The area bounds of triangles, from {@code BASE.area} if there is one. */
    AREAS
  }

  /**
   * Whether there are triangles, so that {@link #readMesh} has something to read.
   *
   * @param base the common part of the files' paths
   * @return true when there is a file {@code BASE.ele}, compressed or not
   */
  public static boolean hasTriangles(Path base) {
    return !Base.of(base).existing(TRIANGLES).isEmpty();
  }

  /**
   * Whether the file with segments has the points too, so that {@link #readGraph} reads no {@code
   * BASE.node}, even if there is one.
   *
   * @param base the common part of the files' paths
   * @return false also when there is no file {@code BASE.poly}, compressed or not
   * @throws FileFormatException when its header is malformed, or it is there both compressed and
   *     not
   * @throws IOException when it cannot be read
   */
  public static boolean segmentsHavePoints(Path base) throws IOException {
    Base files = Base.of(base);
    if (files.existing(SEGMENTS).isEmpty()) {
      return false;
    }
    try (TriangleReader reader = new TriangleReader(files.find(SEGMENTS))) {
      return reader.pointCount() > 0;
    }
  }

  /**
   * Whether there is a file with segments.
   *
   * @param base the common part of the files' paths
   * @return true when there is a file {@code BASE.poly}, compressed or not
   */
  public static boolean hasSegments(Path base) {
    return !Base.of(base).existing(SEGMENTS).isEmpty();
  }

  /**
   * Whether there is a file with area bounds of triangles.
   *
   * @param base the common part of the files' paths
   * @return true when there is a file {@code BASE.area}, compressed or not
   */
  public static boolean hasAreas(Path base) {
    return !Base.of(base).existing(AREAS).isEmpty();
  }

  /**
   * The files that may be read.
   *
   * @param base the common part of their paths
   * @return those of {@code BASE.node}, {@code BASE.poly}, {@code BASE.ele} and {@code BASE.area}
   *     that exist, compressed or not
   */
  public static List<Path> existingFiles(Path base) {
    Base files = Base.of(base);
    return ENDINGS.stream().flatMap(suffix -> files.existing(suffix).stream()).toList();
  }

  /**
   * The common part of the paths of files.
   *
   * @param file the path of one of them, or the common part already
   * @return it without the ending of a file, and of a compressed one
   */
  public static Path base(Path file) {
    Base base = Base.of(file);
    return file.resolveSibling(base.name());
  }

  /**
   * Reads a mesh: {@code BASE.ele}, {@code BASE.poly} if there is one, and {@code BASE.node} unless
   * the points are in the former. Edges of the boundary that have no segment get one of marker 1.
   * Areas of regions bound those of triangles, as {@link Mesh#boundedByRegions} says, and so do
   * those in {@code BASE.area} if there is one; of two bounds the smaller counts. Attributes of
   * triangles are those in {@code BASE.ele}.
   *
   * @param base the common part of the files' paths
   * @return the mesh
   * @throws FileFormatException when a file is malformed, there both compressed and not, or too
   *     large for the heap, or the files do not make a mesh
   * @throws IOException when one is missing or cannot be read
   */
  public static Mesh readMesh(Path base) throws IOException {
    return readMesh(base, EnumSet.allOf(Constraint.class));
  }

  /**
   * Reads a mesh as {@link #readMesh(Path)} does, but for some of what constrains it.
   *
   * @param base the common part of the files' paths
   * @param constraints what is read; without {@link Constraint#SEGMENTS} the vertices must be in
   *     {@code BASE.node}
   * @return the mesh; where {@link Constraint#REGIONS} are left out, no area is bounded by them: if
   *     the file has bounds, those of triangles are infinite
   * @throws IllegalArgumentException when there are {@link Constraint#REGIONS} without {@link
   *     Constraint#SEGMENTS}, which bound them
   * @throws FileFormatException as {@link #readMesh(Path)}
   * @throws IOException when a file is missing or cannot be read
   */
  public static Mesh readMesh(Path base, Set<Constraint> constraints) throws IOException {
    if (constraints.contains(Constraint.REGIONS) && !constraints.contains(Constraint.SEGMENTS)) {
      throw new IllegalArgumentException(
          "REGIONS without SEGMENTS, which bound them and are in the same file: add SEGMENTS, or"
              + " leave out REGIONS");
    }
    Base files = Base.of(base);
    Path file = files.find(TRIANGLES);
    try {
      PlanarGraph graph =
          constraints.contains(Constraint.SEGMENTS)
              ? graph(files)
              : points(files.find(POINTS)).builder().build();
      Mesh mesh;
      try (TriangleReader reader = new TriangleReader(file)) {
        TriangleReader.Triangles triangles = reader.triangles(graph);
        try {
          mesh =
              Mesh.builder(graph, triangles.corners())
                  .triangleAttributes(triangles.attributes(), triangles.values())
                  .build();
        } catch (IllegalArgumentException e) {
          throw new FileFormatException(
              file,
              e instanceof MeshFaultException fault ? lineOf(fault.triangle(), file) : 0,
              "an invalid mesh: " + e.getMessage(),
              "triangles that meet in whole edges, and segments that are edges of triangles",
              null,
              e);
        }
      }
      mesh =
          constraints.contains(Constraint.REGIONS)
              ? boundedByRegions(mesh, files)
              : unbounded(mesh);
      return constraints.contains(Constraint.AREAS) ? boundedByAreas(mesh, files) : mesh;
    } catch (OutOfMemoryError e) {
      throw tooLarge(file, e);
    }
  }

  /**
   * Reads what is to be triangulated: {@code BASE.poly} and, if it has no points, {@code
   * BASE.node}; without the former, the latter alone.
   *
   * @param base the common part of the files' paths
   * @return the graph
   * @throws FileFormatException when a file is malformed, there both compressed and not, or too
   *     large for the heap
   * @throws IOException when one is missing or cannot be read
   */
  public static PlanarGraph readGraph(Path base) throws IOException {
    Base files = Base.of(base);
    try {
      return graph(files);
    } catch (OutOfMemoryError e) {
      throw tooLarge(base, e);
    }
  }

  /**
   * Reads points alone, whatever segments there are.
   *
   * @param base the common part of the files' paths
   * @return what is in {@code BASE.node}
   * @throws FileFormatException when the file is malformed, there both compressed and not, or too
   *     large for the heap
   * @throws IOException when it is missing or cannot be read
   */
  public static PlanarGraph readPoints(Path base) throws IOException {
    try {
      return points(Base.of(base).find(POINTS)).builder().build();
    } catch (OutOfMemoryError e) {
      throw tooLarge(base, e);
    }
  }

  private static Mesh boundedByAreas(Mesh mesh, Base files) throws IOException {
    if (files.existing(AREAS).isEmpty()) {
      return mesh;
    }
    try (TriangleReader reader = new TriangleReader(files.find(AREAS))) {
      double[] bounds = reader.areaBounds(mesh.triangles());
      for (int t = 0; t < bounds.length; t++) {
        bounds[t] = Math.min(bounds[t], mesh.areaBound(t));
      }
      return mesh.toBuilder().areaBounds(bounds).build();
    }
  }

  /** The mesh such that what its regions allow does not count. */
  private static Mesh unbounded(Mesh mesh) {
    if (mesh.regions().stream().noneMatch(region -> region.maxArea() > 0)) {
      return mesh;
    }
    double[] bounds = new double[mesh.triangles()];
    Arrays.fill(bounds, Double.POSITIVE_INFINITY);
    return mesh.toBuilder().areaBounds(bounds).build();
  }

  private static Mesh boundedByRegions(Mesh mesh, Base files) throws IOException {
    try {
      return mesh.boundedByRegions();
    } catch (RegionFaultException e) {
      throw located(e, files);
    }
  }

  /**
   * Finds the line of a region that was noticed to have a fault after it was read, as by {@link
   * io.magpie.algorithms.mesh.DelaunayTriangulation}.
   *
   * @param base what {@link #readGraph} read
   * @param fault what is wrong with a region of that
   * @return the same with file and line
   * @throws IOException when the file is missing or cannot be read any more
   */
  public static FileFormatException located(Path base, RegionFaultException fault)
      throws IOException {
    return located(fault, Base.of(base));
  }

  private static FileFormatException located(RegionFaultException fault, Base files)
      throws IOException {
    Path file = files.find(SEGMENTS);
    try (TriangleReader reader = new TriangleReader(file)) {
      return new FileFormatException(
          file,
          reader.lineOfRegion(fault.region()),
          "an invalid region: " + fault.fault(),
          "a point inside of the domain and not on its segments",
          fault.remedy(),
          fault);
    }
  }

  private static long lineOf(int triangle, Path file) throws IOException {
    try (TriangleReader reader = new TriangleReader(file)) {
      return reader.lineOf(triangle);
    }
  }

  static FileFormatException tooLarge(Path file, OutOfMemoryError cause) {
    // Only arrays as large as the input can have failed; they are garbage by now.
    return new FileFormatException(
        file,
        0,
        "more than fits the heap of " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB",
        "a mesh that does",
        "give Java more memory by -Xmx",
        cause);
  }

  private static PlanarGraph graph(Base base) throws IOException {
    if (base.existing(SEGMENTS).isEmpty()) {
      return points(base.find(POINTS)).builder().build();
    }
    try (TriangleReader reader = new TriangleReader(base.find(SEGMENTS))) {
      TriangleReader.Points points = reader.points();
      return reader.segmentsAndHoles(points.count() > 0 ? points : points(base.find(POINTS)));
    }
  }

  private static TriangleReader.Points points(Path file) throws IOException {
    try (TriangleReader reader = new TriangleReader(file)) {
      TriangleReader.Points points = reader.points();
      reader.end("vertices", points.count());
      return points;
    }
  }

  /** What the paths of the files have in common. */
  private record Base(Path given, String name) {
    static Base of(Path given) {
      String full = given.getFileName() == null ? "" : given.getFileName().toString();
      String name = full.substring(0, full.length() - Compression.of(full).suffix().length());
      for (String suffix : ENDINGS) {
        if (name.endsWith(suffix)) {
          return new Base(given, name.substring(0, name.length() - suffix.length()));
        }
      }
      return new Base(given, name);
    }

    /** Where its files are, whatever their suffix, also through links to their folder. */
    Path place() {
      Path place = given.resolveSibling(name).toAbsolutePath().normalize();
      if (place.getParent() == null) {
        return place;
      }
      try {
        return place.getParent().toRealPath().resolve(place.getFileName());
      } catch (IOException e) { // there is no such folder, or it cannot be looked into
        return place;
      }
    }

    Path file(String suffix, Compression compression) {
      return given.resolveSibling(name + suffix + compression.suffix());
    }

    /** Where a file is written, with the compression that the name asks for. */
    Path target(String suffix) {
      return file(suffix, Compression.of(given.toString()));
    }

    /** A file to write at its {@link #target}, which takes its place when it is committed. */
    FileReplacement replace(String suffix) throws IOException {
      return new FileReplacement(target(suffix));
    }

    List<Path> existing(String suffix) {
      List<Path> files = new ArrayList<>();
      for (Compression compression : Compression.values()) {
        Path file = file(suffix, compression);
        if (Files.exists(file)) {
          files.add(file);
        }
      }
      return files;
    }

    /** The file with a suffix, compressed or not. */
    Path find(String suffix) throws IOException {
      List<Path> files = existing(suffix);
      if (files.isEmpty()) {
        throw new NoSuchFileException(
            file(suffix, Compression.NONE).toString(),
            null,
            "there is no such file, nor one of that name with .gz or .xz added");
      }
      if (files.size() > 1) {
        throw new FileFormatException(
            files.get(0),
            0,
            files.get(1) + " as well",
            "only one of them",
            "remove the one that is out of date",
            null);
      }
      return files.get(0);
    }
  }

  /**
   * Writes a mesh as {@code BASE.node}, {@code BASE.poly} and {@code BASE.ele}. Each file appears
   * complete or not at all, and none takes its place before all are complete on the disk: only when
   * a place cannot be taken are some of them new and some as they were.
   *
   * @param mesh the mesh
   * @param base the common part of the files' paths; {@code .gz} or {@code .xz} at its end asks for
   *     compression
   * @throws IOException when one cannot be written
   */
  public static void write(Mesh mesh, Path base) throws IOException {
    write(mesh, base, MESH);
  }

  /**
   * Writes parts of a mesh, in the way of {@link #write(Mesh, Path)}.
   *
   * @param mesh the mesh
   * @param base the common part of the files' paths; {@code .gz} or {@code .xz} at its end asks for
   *     compression
   * @param parts which ones
   * @throws IOException when a file cannot be written, or a triangle is so thin that a value at its
   *     circumcenter is beyond the range of doubles, with {@link Part#VORONOI}
   */
  public static void write(Mesh mesh, Path base, Set<Part> parts) throws IOException {
    Base files = Base.of(base);
    TopologyWriter topology = new TopologyWriter(mesh);
    MeshEdges edges =
        parts.contains(Part.EDGES) || parts.contains(Part.VORONOI) ? mesh.edges() : null;
    List<FileReplacement> written = new ArrayList<>();
    try {
      for (String suffix : suffixes(parts)) {
        FileReplacement file = files.replace(suffix);
        written.add(file);
        ByteSink out = file.sink();
        switch (suffix) {
          case POINTS -> writePoints(mesh.planarGraph(), out);
          case SEGMENTS -> writeSegments(mesh.planarGraph(), out);
          case TRIANGLES -> writeTriangles(mesh, out);
          case EDGES -> topology.edges(edges, out);
          case NEIGHBORS -> topology.neighbors(out);
          case VORONOI_VERTICES -> topology.voronoiVertices(out);
          case VORONOI_EDGES -> topology.voronoiEdges(edges, out);
          default -> throw new IllegalStateException(suffix);
        }
        file.complete();
      }
      for (FileReplacement file : written) {
        file.commit();
      }
    } finally {
      close(written);
    }
  }

  private static void close(List<FileReplacement> files) throws IOException {
    if (!files.isEmpty()) {
      try (FileReplacement first = files.get(0)) {
        close(files.subList(1, files.size()));
      }
    }
  }

  private static List<String> suffixes(Set<Part> parts) {
    return parts.stream().sorted().flatMap(part -> part.suffixes.stream()).toList();
  }

  /**
   * The files that {@link #write(Mesh, Path)} makes.
   *
   * @param base the common part of their paths
   */
  public static List<Path> filesOfMesh(Path base) {
    return filesOfMesh(base, MESH);
  }

  /**
   * The files that {@link #write(Mesh, Path, Set)} makes.
   *
   * @param base the common part of their paths
   * @param parts what is written
   */
  public static List<Path> filesOfMesh(Path base, Set<Part> parts) {
    Base files = Base.of(base);
    return suffixes(parts).stream().map(files::target).toList();
  }

  /**
   * Whether two bases are the same, so that files of one would replace files of the other, or stand
   * next to them, compressed or not.
   *
   * @param base the common part of some files' paths
   * @param other that of others
   */
  public static boolean haveSameBase(Path base, Path other) {
    return Base.of(base).place().equals(Base.of(other).place());
  }

  /**
   * Writes a graph as {@code BASE.node} and {@code BASE.poly}, in the way of {@link #write(Mesh,
   * Path)}.
   *
   * @param graph the graph
   * @param base the common part of the files' paths; {@code .gz} or {@code .xz} at its end asks for
   *     compression
   * @throws IOException when one cannot be written
   */
  public static void write(PlanarGraph graph, Path base) throws IOException {
    Base files = Base.of(base);
    try (FileReplacement points = files.replace(POINTS);
        FileReplacement segments = files.replace(SEGMENTS)) {
      writeGraph(graph, points, segments);
      points.commit();
      segments.commit();
    }
  }

  private static void writeGraph(
      PlanarGraph graph, FileReplacement points, FileReplacement segments) throws IOException {
    writePoints(graph, points.sink());
    points.complete();
    writeSegments(graph, segments.sink());
    segments.complete();
  }

  private static void writePoints(PlanarGraph graph, ByteSink out) throws IOException {
    long first = graph.firstIndex();
    boolean marked = graph.hasVertexMarkers();
    pointHeader(graph, graph.vertices(), out);
    for (int v = 0; v < graph.vertices(); v++) {
      out.number(v + first).blank().decimal(graph.x(v)).blank().decimal(graph.y(v));
      for (int a = 0; a < graph.attributes(); a++) {
        out.blank().decimal(graph.attribute(v, a));
      }
      if (marked) {
        out.blank().signed(graph.vertexMarker(v));
      }
      out.newLine();
    }
  }

  private static void pointHeader(PlanarGraph graph, int vertices, ByteSink out)
      throws IOException {
    out.number(vertices).text(" 2 ").number(graph.attributes());
    out.text(graph.hasVertexMarkers() ? " 1" : " 0").newLine();
  }

  private static void writeSegments(PlanarGraph graph, ByteSink out) throws IOException {
    long first = graph.firstIndex();
    boolean marked = graph.hasSegmentMarkers();
    pointHeader(graph, 0, out);
    out.number(graph.segments()).text(marked ? " 1" : " 0").newLine();
    for (int s = 0; s < graph.segments(); s++) {
      out.number(s + first).blank().number(graph.segmentStart(s) + first);
      out.blank().number(graph.segmentEnd(s) + first);
      if (marked) {
        out.blank().signed(graph.segmentMarker(s));
      }
      out.newLine();
    }
    out.number(graph.holes()).newLine();
    for (int hole = 0; hole < graph.holes(); hole++) {
      out.number(hole + first).blank().decimal(graph.holeX(hole));
      out.blank().decimal(graph.holeY(hole)).newLine();
    }
    List<PlanarGraph.Region> regions = graph.regions();
    if (!regions.isEmpty()) {
      out.number(regions.size()).newLine();
      for (int r = 0; r < regions.size(); r++) {
        PlanarGraph.Region region = regions.get(r);
        out.number(r + first).blank().decimal(region.x()).blank().decimal(region.y());
        out.blank().decimal(region.attribute()).blank().decimal(region.maxArea()).newLine();
      }
    }
  }

  private static void writeTriangles(Mesh mesh, ByteSink out) throws IOException {
    long first = mesh.planarGraph().firstIndex();
    out.number(mesh.triangles()).text(" 3 ").number(mesh.triangleAttributes()).newLine();
    for (int t = 0; t < mesh.triangles(); t++) {
      out.number(t + first);
      for (int k = 0; k < 3; k++) {
        out.blank().number(mesh.corner(t, k) + first);
      }
      for (int a = 0; a < mesh.triangleAttributes(); a++) {
        out.blank().decimal(mesh.triangleAttribute(t, a));
      }
      out.newLine();
    }
  }
}
