package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ObjFormatTest {
  private static final String POINTS = "v 0 0 0\nv 4 0 0\nv 4 2 0\nv 0 2 0\n";

  @TempDir Path folder;

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("m.obj"), content);
  }

  /** In the way of a program for models: texture coordinates, normals, groups and materials. */
  @Test
  void modelsAreRead() throws IOException {
    Mesh mesh =
        MeshFormats.readMesh(
            file(
                "# a plane\r\nmtllib plane.mtl\r\no Plane\r\n"
                    + "v -1.000000 0.000000 0.500000\r\nv 1.000000 0.000000 0.500000\r\n"
                    + "v -1.000000 1.0 0.5 1.0\r\nv 1.0 1.0 0.5 0.8 0.8 0.8\r\n"
                    + "vt 0.0 0.0\r\nvt 1.0 1.0\r\nvn 0.0 0.0 1.0\r\n"
                    + "g left right\r\nusemtl None\r\ns off\r\n\r\n"
                    + "f 1/1/1 2/2/1 3//1\r\nf -3/1 -2 -1 # from the end\r\n"));
    assertArrayEquals(new double[] {-1, 0, 1, 0, -1, 1, 1, 1}, mesh.coordinates());
    assertArrayEquals(new int[] {0, 1, 2, 1, 3, 2}, mesh.corners());
    assertEquals(4, mesh.segments());
  }

  @Test
  void statementsOfDisplayAreSkippedToTheirEnd() throws IOException {
    Mesh mesh =
        MeshFormats.readMesh(
            file(
                "mtllib a.mtl \\\n b.mtl\nshadow_obj s.obj\ntrace_obj t.obj\n"
                    + "v 0 0 0 \\\n1.0\nv 4 0 0\nv 4 2 0\n"
                    + "g a\\\nf 9 9 9 \\\n\\\nl 7 8\nlod 1\nbevel on\nc_interp off\nd_interp on\n"
                    + "f 1 2 3\ng last \\"));
    assertArrayEquals(new double[] {0, 0, 4, 0, 4, 2}, mesh.coordinates());
    assertArrayEquals(new int[] {0, 1, 2}, mesh.corners());
    assertEquals(3, mesh.segments());
  }

  @ParameterizedTest
  @CsvSource({
    "surf 0 1, curves and surfaces must be meshed first",
    "call file.obj, leave the statement out of the file",
    "f 1 2 \\, join continued lines with those before them",
    "f 1 2 3\\, join continued lines with those before them",
    "f 1 2 3 \\, join continued lines with those before them"
  })
  void faultsHaveARemedy(String statement, String remedy) throws IOException {
    Path file = file(POINTS + statement + "\n");
    FileFormatException fault =
        assertThrows(FileFormatException.class, () -> MeshFormats.read(file));
    assertTrue(fault.getMessage().endsWith("(" + remedy + ")"), fault::getMessage);
  }

  @Test
  void aLineIsASegmentForEachTwoVertices() throws IOException {
    PlanarGraph graph = MeshFormats.readGraph(file("l 1 2 3 1\n" + POINTS + "l 3/1 4/2\n"));
    assertArrayEquals(new int[] {0, 1, 1, 2, 2, 0, 2, 3}, graph.segmentEnds());
    assertEquals(1, graph.firstIndex());
  }

  @Test
  void filesAreWrittenSo() throws IOException {
    Path file = folder.resolve("w.obj");
    double[] coordinates = {0, 0, 4, -0.0, 0.1, 1e-7};
    MeshFormats.write(Mesh.of(coordinates, new int[] {0, 1, 2}), file);
    assertEquals(
        "v 0 0 0\nv 4 -0.0 0\nv 0.1 1.0E-7 0\nl 2 3\nl 3 1\nl 1 2\nf 1 2 3\n",
        Files.readString(file));
  }

  static Arguments[] faults() {
    return new Arguments[] {
      Arguments.of("v 0 0\n", 1, "the end of the line, expected a coordinate"),
      Arguments.of("v 0 zero 0\n", 1, "'zero', expected a coordinate"),
      Arguments.of("v 0 0 1\n\nv 0 0 2\n", 3, "z 2.0, expected z 1.0 of the first vertex"),
      Arguments.of(POINTS + "f 1 2 3 4\n", 5, "a face of more than three vertices"),
      Arguments.of(POINTS + "f 1 2\n", 5, "the end of the line, expected a vertex"),
      Arguments.of(POINTS + "f 1 2 5\n", 5, "vertex 5, expected a vertex, 1 to 4"),
      Arguments.of(POINTS + "f 1 2 0\n", 5, "'0', expected a vertex"),
      Arguments.of(POINTS + "f 1 2 -5\n", 5, "'-5', expected a vertex"),
      Arguments.of(POINTS + "f 1 2 3/x\n", 5, "'3/x', expected a vertex"),
      Arguments.of(POINTS + "f 1 2 99999999999999999999\n", 5, "'99999999999999999999'"),
      Arguments.of(POINTS + "f 1 2 1\n", 5, "the corners 1 2 1, expected three vertices"),
      Arguments.of(POINTS + "l 1 2 \\\n3\n", 5, "'\\', expected a vertex"),
      Arguments.of(POINTS + "l 1\n", 5, "the end of the line, expected a vertex"),
      Arguments.of(POINTS + "l 2 2\n", 5, "a segment from vertex 2 to itself"),
      Arguments.of(POINTS + "l 2 7\n", 5, "vertex 7, expected a vertex, 1 to 4"),
      Arguments.of("l 1 2\n", 1, "vertex 1, expected no vertex"),
      Arguments.of(POINTS + "f 1 2 3\\\n", 5, "'3\\', expected a vertex"),
      Arguments.of("surf 0 1 0 1\n", 1, "'surf', expected v, f or l"),
      Arguments.of(POINTS + "f 1 2 3\n\nf 1 2 4\n", 7, "an invalid mesh"),
    };
  }

  @ParameterizedTest
  @MethodSource("faults")
  void faultsAreReportedWithTheirLine(String content, int line, String found) throws IOException {
    FormatFaults.assertFault(folder.resolve("m.obj"), content, line, found);
  }
}
