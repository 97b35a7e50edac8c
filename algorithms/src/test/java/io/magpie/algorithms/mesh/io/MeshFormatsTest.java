package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MeshFormatsTest {
  @TempDir Path folder;

  static List<String> suffixes() {
    return MeshFormats.suffixes();
  }

  /** Two triangles that make a rectangle, and a vertex in neither. */
  private static Mesh rectangle() {
    return Mesh.of(new double[] {0, 0, 4, 0, 4, 2, 0, 2, 9, 9}, new int[] {0, 1, 2, 2, 3, 0});
  }

  /** A square without the square in its middle. */
  private static Mesh ring() {
    double[] coordinates = {0, 0, 3, 0, 3, 3, 0, 3, 1, 1, 2, 1, 2, 2, 1, 2};
    int[] corners = {0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    return Mesh.of(coordinates, corners);
  }

  @ParameterizedTest
  @MethodSource("suffixes")
  void aMeshOfEachFormatComesBack(String suffix) throws IOException {
    for (String compression : List.of("", ".gz", ".xz")) {
      Path file = folder.resolve("m" + suffix + compression);
      MeshFormats.write(rectangle(), file);
      Mesh read = MeshFormats.readMesh(file);
      assertArrayEquals(rectangle().coordinates(), read.coordinates());
      assertArrayEquals(rectangle().corners(), read.corners());
      assertArrayEquals(rectangle().segmentsOfEdges(), read.segmentsOfEdges());
      assertEquals(4, read.segments());
    }
  }

  @ParameterizedTest
  @MethodSource("suffixes")
  void aGraphOfEachFormatComesBack(String suffix) throws IOException {
    PlanarGraph graph = PlanarGraph.of(new double[] {0, 0, 0.1, 0, 1e-300, 7}, new int[] {2, 0});
    Path file = folder.resolve("g" + suffix);
    MeshFormats.write(graph, file);
    assertTrue(MeshFormats.read(file).mesh().isEmpty());
    PlanarGraph read = MeshFormats.readGraph(file);
    assertArrayEquals(graph.coordinates(), read.coordinates());
    assertArrayEquals(graph.segmentEnds(), read.segmentEnds());
    FileFormatException fault =
        assertThrows(FileFormatException.class, () -> MeshFormats.readMesh(file));
    assertTrue(fault.getMessage().contains("found no triangles"), fault::getMessage);
  }

  @ParameterizedTest
  @MethodSource("suffixes")
  void theGraphOfAMeshHasItsBoundary(String suffix) throws IOException {
    Path file = folder.resolve("m" + suffix);
    MeshFormats.write(rectangle(), file);
    assertEquals(4, MeshFormats.readGraph(file).segments());
  }

  /** The graph alone would be triangulated with its hole. */
  @ParameterizedTest
  @MethodSource("suffixes")
  void theGraphOfAMeshWithHolesIsRefused(String suffix) throws IOException {
    Path file = folder.resolve("ring" + suffix);
    MeshFormats.write(ring(), file);
    assertEquals(8, MeshFormats.readMesh(file).triangles());
    FileFormatException fault =
        assertThrows(FileFormatException.class, () -> MeshFormats.readGraph(file));
    assertTrue(fault.getMessage().contains("found triangles around holes"), fault::getMessage);
  }

  /** These formats list points in holes, and so the graph says what its domain is. */
  @ParameterizedTest
  @ValueSource(strings = {".vtk", ".vtu"})
  void theGraphOfAMeshMayHaveItsHoles(String suffix) throws IOException {
    PlanarGraph segments = ring().planarGraph();
    PlanarGraph graph =
        PlanarGraph.builder(segments.coordinates())
            .segments(segments.segmentEnds(), null)
            .holes(new double[] {1.5, 1.5})
            .build();
    Path file = folder.resolve("ring" + suffix);
    MeshFormats.write(Mesh.builder(graph, ring().corners()).build(), file);
    assertEquals(8, DelaunayTriangulation.of(MeshFormats.readGraph(file)).triangles());
  }

  /** Three triangles that touch in their corners alone enclose a fourth. */
  @Test
  void trianglesThatTouchInVerticesMayEncloseAHole() throws IOException {
    Path file = folder.resolve("touching.obj");
    String vertices = "v 0 0 0\nv 2 0 0\nv 4 0 0\nv 1 2 0\nv 3 2 0\nv 2 4 0\n";
    Files.writeString(file, vertices + "f 1 2 4\nf 2 3 5\n");
    assertEquals(6, MeshFormats.readGraph(file).segments());
    Files.writeString(file, vertices + "f 1 2 4\nf 2 3 5\nf 4 5 6\n");
    assertThrows(FileFormatException.class, () -> MeshFormats.readGraph(file));
  }

  @ParameterizedTest
  @CsvSource({
    "m.stl, suffix '.stl'",
    "m.stl.gz, suffix '.stl'",
    "m, a name without suffix",
    "m., suffix '.'"
  })
  void anUnknownSuffixIsRefused(String name, String found) {
    Path file = folder.resolve(name);
    assertFalse(MeshFormats.isKnown(file));
    FileFormatException fault =
        assertThrows(FileFormatException.class, () -> MeshFormats.write(rectangle(), file));
    assertTrue(
        fault.getMessage().startsWith(file + ": found " + found + ", expected one of .obj"),
        fault::getMessage);
    assertThrows(FileFormatException.class, () -> MeshFormats.read(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.OBJ", "a.b.obj", "a.obj.gz", "a.Obj.XZ"})
  void aSuffixMayBeInEitherCaseAndCompressed(String name) {
    assertTrue(MeshFormats.isKnown(folder.resolve(name)));
  }

  @ParameterizedTest
  @MethodSource("suffixes")
  void aMissingFileIsNamed(String suffix) {
    Path file = folder.resolve("none" + suffix);
    NoSuchFileException fault =
        assertThrows(NoSuchFileException.class, () -> MeshFormats.read(file));
    assertEquals(file.toString(), fault.getFile());
  }

  @ParameterizedTest
  @MethodSource("suffixes")
  void anEmptyMeshComesBack(String suffix) throws IOException {
    Path file = folder.resolve("empty" + suffix);
    MeshFormats.write(Mesh.of(new double[0], new int[0]), file);
    assertEquals(0, MeshFormats.readGraph(file).vertices());
  }
}
