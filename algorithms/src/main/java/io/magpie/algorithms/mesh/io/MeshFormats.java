package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.FileReplacement;
import io.magpie.algorithms.internal.Tokenizer;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads and writes meshes, and graphs to triangulate, in one file. The suffix of the file's name,
 * in either case, selects the format: {@code .obj}, {@code .off}, {@code .vtk}, {@code .vtu} or
 * {@code .msh}, alone or followed by {@code .gz} or {@code .xz}. The formats are described in the
 * package's description. {@link TriangleFormat} is for the files of Triangle, of which several make
 * a mesh.
 *
 * <pre>{@code
 * Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(points)); // x and y of each in turn
 * RefinementResult refined = MeshRefinement.run(device, mesh, RefinementOptions.defaults());
 * MeshFormats.write(refined.mesh(), Path.of("refined.vtu"));
 * }</pre>
 *
 * <p>Meshes lie in the plane: all vertices of a file must have the same z, which is written as 0.
 * Only triangles are cells; triangles listed clockwise are turned. Lines are segments, those with
 * several vertices one for each consecutive pair; edges of the boundary without a segment get one
 * of marker 1. A number is written with enough digits to distinguish it from its neighbors, so all
 * coordinates come back bit for bit.
 *
 * <p>Cost of reading: one pass over the file. Memory in addition to the result is proportional to
 * the file: vertices and cells are kept, with their line numbers, until all are read. Of {@code
 * .vtu} files, the arrays of points and cells are kept as well, 12 bytes for each number and up to
 * 30 while an array grows.
 */
public final class MeshFormats {
  private static final Map<String, MeshFormat> FORMATS = formats();

  private MeshFormats() {}

  private static Map<String, MeshFormat> formats() {
    Map<String, MeshFormat> formats = new LinkedHashMap<>();
    formats.put(".obj", new ObjFormat());
    formats.put(".off", new OffFormat());
    formats.put(".vtk", new VtkFormat());
    formats.put(".vtu", new VtuFormat());
    formats.put(".msh", new MshFormat());
    return Collections.unmodifiableMap(formats);
  }

  /**
   * What a file holds.
   *
   * @param graph its vertices and segments, with segments for the boundary of its triangles
   * @param mesh the same with its triangles; empty where it lists none
   */
  public record Contents(PlanarGraph graph, Optional<Mesh> mesh) {}

  /**
   * The suffixes of the formats, without those of compression.
   *
   * @return such as {@code .obj}
   */
  public static List<String> suffixes() {
    return List.copyOf(FORMATS.keySet());
  }

  /**
   * Whether a name ends in a suffix of a format, alone or followed by that of a compression.
   *
   * @param file a path
   * @return true when {@link #read} and {@link #write(Mesh, Path)} know the format
   */
  public static boolean isKnown(Path file) {
    return FORMATS.containsKey(suffix(name(file)));
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
  }

  /** The end of a name, without that of its compression. */
  private static String suffix(String name) {
    String bare = name.substring(0, name.length() - Compression.of(name).suffix().length());
    int dot = bare.lastIndexOf('.');
    return dot < 0 ? "" : bare.substring(dot);
  }

  private static MeshFormat format(Path file) throws FileFormatException {
    String suffix = suffix(name(file));
    MeshFormat format = FORMATS.get(suffix);
    if (format == null) {
      throw new FileFormatException(
          file,
          0,
          suffix.isEmpty() ? "a name without suffix" : "suffix " + Tokenizer.quote(suffix),
          "one of " + String.join(", ", FORMATS.keySet()) + ", alone or followed by .gz or .xz",
          "rename the file to tell its format",
          null);
    }
    return format;
  }

  /**
   * Reads a mesh, or a graph where the file lists no triangles.
   *
   * @param file the file; its suffix tells format and compression
   * @return what it holds
   * @throws FileFormatException when the suffix is unknown, or the file is malformed, is no mesh in
   *     the plane, has non-triangular cells, or is too large for the heap
   * @throws IOException when it cannot be read
   */
  public static Contents read(Path file) throws IOException {
    try {
      MeshParts parts = parts(file);
      if (parts.triangles() == 0) {
        return new Contents(parts.graph(), Optional.empty());
      }
      Mesh mesh = parts.mesh();
      return new Contents(mesh.planarGraph(), Optional.of(mesh));
    } catch (OutOfMemoryError e) {
      throw TriangleFormat.tooLarge(file, e);
    }
  }

  private static MeshParts parts(Path file) throws IOException {
    MeshFormat format = format(file);
    try (ByteSource source = new ByteSource(file, Compression.of(name(file)))) {
      return format.read(source);
    }
  }

  /**
   * Reads a mesh.
   *
   * @param file the file; its suffix tells format and compression
   * @return the mesh
   * @throws FileFormatException as {@link #read}, and when the file lists no triangles
   * @throws IOException when it cannot be read
   */
  public static Mesh readMesh(Path file) throws IOException {
    return read(file)
        .mesh()
        .orElseThrow(
            () ->
                new FileFormatException(
                    file,
                    0,
                    "no triangles",
                    "a mesh",
                    "read it as a graph, and triangulate that by DelaunayTriangulation",
                    null));
  }

  /**
   * Reads what to triangulate: vertices, segments and, of a file with triangles, the segments of
   * their boundary.
   *
   * @param file the file; its suffix tells format and compression
   * @return the graph
   * @throws FileFormatException as {@link #read}, and when the triangles leave holes, of which the
   *     file lists no points: the graph alone would not tell them from the domain
   * @throws IOException when it cannot be read
   */
  public static PlanarGraph readGraph(Path file) throws IOException {
    Contents contents = read(file);
    if (contents.graph().holes() == 0
        && contents.mesh().filter(MeshFormats::hasHoles).isPresent()) {
      throw new FileFormatException(
          file,
          0,
          "triangles around holes",
          "a domain without holes, as the file lists no points in them",
          "read it as a mesh, or list its segments and holes in a .poly file",
          null);
    }
    return contents.graph();
  }

  /** Whether triangles enclose a part of the plane, which Euler's formula tells. */
  private static boolean hasHoles(Mesh mesh) {
    int[] parent = new int[mesh.vertices()];
    boolean[] used = new boolean[mesh.vertices()];
    for (int v = 0; v < parent.length; v++) {
      parent[v] = v;
    }
    long twiceEdges = 0;
    long vertices = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        int v = mesh.corner(t, k);
        if (!used[v]) {
          used[v] = true;
          vertices++;
        }
        int a = root(parent, v);
        int b = root(parent, mesh.corner(t, (k + 1) % 3));
        parent[a] = b;
        twiceEdges += mesh.neighbor(t, k) < 0 ? 2 : 1;
      }
    }
    long pieces = 0;
    for (int v = 0; v < parent.length; v++) {
      pieces += used[v] && parent[v] == v ? 1 : 0;
    }
    return vertices - twiceEdges / 2 + mesh.triangles() < pieces;
  }

  private static int root(int[] parent, int vertex) {
    int v = vertex;
    while (parent[v] != v) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return v;
  }

  /**
   * Writes a mesh, as far as the format can hold it. The file appears complete or not at all: bytes
   * go to a temporary file next to it which then takes its place, and are on the disk before that;
   * on failure an existing file stays as it was.
   *
   * @param mesh the mesh
   * @param file where to; its suffix tells format and compression
   * @throws FileFormatException when the suffix is unknown
   * @throws IOException when it cannot be written
   */
  public static void write(Mesh mesh, Path file) throws IOException {
    write(new MeshFormat.Content(mesh.planarGraph(), mesh), file);
  }

  /**
   * Writes a graph, in the way of {@link #write(Mesh, Path)}.
   *
   * @param graph the graph
   * @param file where to; its suffix tells format and compression
   * @throws FileFormatException when the suffix is unknown
   * @throws IOException when it cannot be written
   */
  public static void write(PlanarGraph graph, Path file) throws IOException {
    write(new MeshFormat.Content(graph, null), file);
  }

  private static void write(MeshFormat.Content content, Path file) throws IOException {
    MeshFormat format = format(file);
    try (FileReplacement replacement = new FileReplacement(file)) {
      format.write(content, replacement.sink());
      replacement.complete();
      replacement.commit();
    }
  }
}
