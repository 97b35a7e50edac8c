package io.magpie.examples.input;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.jts.GeometryFiles;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.DuplicateVerticesException;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.RegionFaultException;
import io.magpie.algorithms.mesh.io.MeshFormats;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A mesh in files of Triangle's format or in a file of another, or points and segments to be
 * triangulated.
 */
public final class MeshFiles implements MeshInput {
  private final Path base;
  private final boolean withTriangles;
  private final boolean mergesDuplicates;

  private MeshFiles(Path base, boolean withTriangles, boolean mergesDuplicates) {
    this.base = base;
    this.withTriangles = withTriangles;
    this.mergesDuplicates = mergesDuplicates;
  }

  /**
   * Files with triangles, or else with points or segments to triangulate.
   *
   * @param base what their names begin with, or a file that {@link MeshFormats} or {@link
   *     GeometryFiles} knows
   */
  public static MeshFiles mesh(Path base) {
    return new MeshFiles(base, true, false);
  }

  /**
   * Files with points or segments, which are triangulated in any case.
   *
   * @param base what their names begin with, or a file that {@link MeshFormats} or {@link
   *     GeometryFiles} knows
   */
  public static MeshFiles graph(Path base) {
    return new MeshFiles(base, false, false);
  }

  @Override
  public String description() {
    return base.toString();
  }

  @Override
  public boolean generated() {
    return false;
  }

  @Override
  public Optional<Path> base() {
    return Optional.of(base);
  }

  @Override
  public List<Path> filesRead() {
    return GeometryFiles.isKnown(base) || MeshFormats.isKnown(base)
        ? List.of(base)
        : TriangleFormat.existingFiles(base);
  }

  @Override
  public MeshFiles withoutDuplicates() {
    if (GeometryFiles.isKnown(base)) {
      throw new IllegalArgumentException(
          "--merge-duplicates has no effect on "
              + base
              + ", whose vertices at one place are one in any case; leave it out");
    }
    return new MeshFiles(base, withTriangles, true);
  }

  @Override
  public Mesh mesh() throws IOException {
    try {
      if (GeometryFiles.isKnown(base)) {
        return triangulated(GeometryFiles.readGraph(base));
      }
      if (MeshFormats.isKnown(base)) {
        return meshOfOneFile();
      }
      if (withTriangles && TriangleFormat.hasTriangles(base)) {
        refuseMerging();
        return TriangleFormat.readMesh(base);
      }
      return triangulated(TriangleFormat.readGraph(base));
    } catch (NoSuchFileException e) {
      requireSuffix();
      throw missing(e);
    } catch (FileFormatException | FileSystemException e) {
      throw e; // these name the file
    } catch (IOException e) {
      throw new IOException(base + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private Mesh meshOfOneFile() throws IOException {
    if (!withTriangles) {
      return triangulated(MeshFormats.readGraph(base));
    }
    MeshFormats.Contents contents = MeshFormats.read(base);
    if (contents.mesh().isEmpty()) {
      return triangulated(contents.graph());
    }
    refuseMerging();
    return contents.mesh().get();
  }

  private void refuseMerging() {
    if (mergesDuplicates) {
      throw new InputException(
          base
              + ": has triangles, whose vertices cannot be merged; leave out --merge-duplicates, or"
              + " have the points triangulated again (--poly)");
    }
  }

  /** Refuses a file that is there, but whose name tells no format. */
  private void requireSuffix() {
    if (Files.isRegularFile(base) && TriangleFormat.existingFiles(base).isEmpty()) {
      throw new InputException(
          base
              + ": the suffix tells the format; expected "
              + String.join(", ", MeshFormats.suffixes())
              + ", "
              + String.join(", ", GeometryFiles.suffixes())
              + ", or in Triangle's format .node or .poly, alone or followed by .gz or .xz");
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

  private Mesh triangulated(PlanarGraph input) throws IOException {
    try {
      return DelaunayTriangulation.of(mergesDuplicates ? input.withoutDuplicates() : input);
    } catch (RegionFaultException e) {
      if (MeshFormats.isKnown(base)) {
        throw new InputException(base + ": " + e.getMessage());
      }
      throw TriangleFormat.located(base, e);
    } catch (IllegalArgumentException e) {
      throw new InputException(
          base
              + ": "
              + e.getMessage()
              + (e instanceof DuplicateVerticesException ? "; --merge-duplicates does so" : ""));
    }
  }
}
