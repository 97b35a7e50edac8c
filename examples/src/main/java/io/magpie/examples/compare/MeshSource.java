package io.magpie.examples.compare;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.DuplicateVerticesException;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.TriangleFormat;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where a mesh comes from; exactly one of the three is given, the others are null.
 *
 * @param mesh base of files with triangles, or else with points or segments to triangulate
 * @param graph base of files with points or segments, which are triangulated in any case
 * @param points specification of a generator of points or segments to triangulate
 * @param mergesDuplicates whether vertices at one place are merged before they are triangulated
 */
public record MeshSource(Path mesh, Path graph, String points, boolean mergesDuplicates)
    implements InputSource {
  private static final Pattern SEED = Pattern.compile("seed=(-?\\d+)");

  /**
   * Checks what can be checked without reading anything.
   *
   * @throws IllegalArgumentException if not exactly one is given, or the specification is malformed
   */
  public MeshSource {
    if ((mesh == null ? 0 : 1) + (graph == null ? 0 : 1) + (points == null ? 0 : 1) != 1) {
      throw new IllegalArgumentException("expected a mesh, a graph, or a generator");
    }
    if (points != null) {
      points = MeshGenerators.parse(points).spec();
    }
  }

  @Override
  public String description() {
    return points != null ? points : base().toString();
  }

  @Override
  public long drawSeed() {
    Matcher matcher = SEED.matcher(description());
    return points != null && matcher.find() ? Long.parseLong(matcher.group(1)) : 1;
  }

  @Override
  public MeshSource ofMesh() {
    return this;
  }

  /** What the names of its files begin with; null if it is generated. */
  public Path base() {
    return mesh != null ? mesh : graph;
  }

  /**
   * Reads the mesh, or makes it. Files keep their numbers of vertices; generated ones are numbered
   * along a Hilbert curve.
   *
   * @throws IOException if a file cannot be read or is malformed
   * @throws InputException if there is nothing to triangulate, or no way to
   */
  public Mesh load() throws IOException {
    if (points != null) {
      return triangulated(MeshGenerators.generate(points)).hilbertOrdered();
    }
    try {
      if (mesh != null && TriangleFormat.hasTriangles(mesh)) {
        if (mergesDuplicates) {
          throw new InputException(
              mesh
                  + ": has triangles, whose vertices cannot be merged; leave out --merge-duplicates,"
                  + " or have the points triangulated again (--poly)");
        }
        Mesh read = TriangleFormat.readMesh(mesh);
        TriangleFormat.refuseRegions(mesh, read.planarGraph());
        TriangleFormat.refuseAreas(mesh);
        return read;
      }
      PlanarGraph read = TriangleFormat.readGraph(base());
      TriangleFormat.refuseRegions(base(), read);
      return triangulated(read);
    } catch (NoSuchFileException e) {
      throw missing(e);
    } catch (FileFormatException | FileSystemException e) {
      throw e; // these name the file
    } catch (IOException e) {
      throw new IOException(base() + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /** Where points are missing, segments that have points of their own would have done. */
  private static IOException missing(NoSuchFileException e) {
    String points = e.getFile();
    if (!points.endsWith(".node")) {
      return e;
    }
    String segments = points.substring(0, points.length() - ".node".length()) + ".poly";
    boolean there =
        Stream.of("", ".gz", ".xz").anyMatch(suffix -> Files.exists(Path.of(segments + suffix)));
    return there
        ? e
        : new FileNotFoundException(
            points + ": no such file, nor is there " + segments + "; one of them is needed");
  }

  private Mesh triangulated(PlanarGraph input) {
    try {
      return DelaunayTriangulation.of(mergesDuplicates ? input.withoutDuplicates() : input);
    } catch (IllegalArgumentException e) {
      boolean mergeable = points == null && e instanceof DuplicateVerticesException;
      throw new InputException(
          description()
              + ": "
              + e.getMessage()
              + (mergeable ? "; --merge-duplicates does so" : ""));
    }
  }
}
