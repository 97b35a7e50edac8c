package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OffFormatTest {
  private static final String POINTS = "0 0 0\n4 0 0\n4 2 0\n0 2 0\n";

  @TempDir Path folder;

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("m.off"), content);
  }

  @Test
  void commentsAndColorsAreSkipped() throws IOException {
    Mesh mesh =
        MeshFormats.readMesh(
            file(
                "OFF # a rectangle\r\n\r\n# counts\r\n4 2 5\r\n"
                    + "0 0 -1e-1\r\n4 0 -0.1\r\n4 2 -.1\r\n0 2 -0.10 # the last\r\n"
                    + "3 0 1 2 255 0 0\r\n3 3 2 0 0.5 0.5 0.5 1.0\r\n"));
    assertArrayEquals(new double[] {0, 0, 4, 0, 4, 2, 0, 2}, mesh.coordinates());
    assertArrayEquals(new int[] {0, 1, 2, 3, 0, 2}, mesh.corners());
    assertEquals(4, mesh.segments());
  }

  @Test
  void theKeywordMayBeMissingOrInTheLineOfTheCounts() throws IOException {
    for (String head : new String[] {"4 1 0\n", "4 1\n", "OFF 4 1 0\n"}) {
      PlanarGraph graph = MeshFormats.readGraph(file(head + POINTS + "2 3 1 7\n"));
      assertEquals(4, graph.vertices());
      assertArrayEquals(new int[] {3, 1}, graph.segmentEnds());
      assertEquals(0, graph.firstIndex());
    }
  }

  @Test
  void colorsOfVerticesAreSkipped() throws IOException {
    PlanarGraph graph =
        MeshFormats.readGraph(file("COFF\n2 0 0\n0 0 0 255 255 0 255\n4 0 0 1 0.5 0 1\n"));
    assertArrayEquals(new double[] {0, 0, 4, 0}, graph.coordinates());
  }

  @Test
  void filesAreWrittenSo() throws IOException {
    Path file = folder.resolve("w.off");
    double[] coordinates = {0, 0, 4, 0.1, 0, 3};
    MeshFormats.write(Mesh.of(coordinates, new int[] {0, 1, 2}), file);
    assertEquals("OFF\n3 1 0\n0 0 0\n4 0.1 0\n0 3 0\n3 0 1 2\n", Files.readString(file));
  }

  /** Programs for surfaces take triangles alone, which tell their boundary. */
  @Test
  void segmentsOfTheBoundaryAreLeftOut() throws IOException {
    Path file = folder.resolve("w.off");
    double[] coordinates = {0, 0, 4, 0, 4, 2, 0, 2};
    int[] corners = {0, 1, 2, 0, 2, 3};
    MeshFormats.write(Mesh.of(coordinates, corners, new int[] {2, 3, 0, 2, 0, 1}), file);
    assertEquals("OFF\n4 3 0\n" + POINTS + "2 0 2\n3 0 1 2\n3 0 2 3\n", Files.readString(file));
    assertEquals(5, MeshFormats.readMesh(file).segments());
  }

  static Arguments[] faults() {
    String head = "OFF\n4 1 0\n" + POINTS;
    return new Arguments[] {
      Arguments.of("", 0, "an empty file, expected OFF"),
      Arguments.of("OFF\n", 1, "the end of the file, expected OFF"),
      Arguments.of("4OFF\n1 0 0\n0 0 0 1\n", 1, "'4OFF', expected the number of vertices"),
      Arguments.of("OFF BINARY\n", 1, "'BINARY', expected the number of vertices"),
      Arguments.of("ply\n", 1, "'ply', expected OFF"),
      Arguments.of("OFF\n1 0 0\n0 0\n", 3, "the end of the line, expected a coordinate"),
      Arguments.of("OFF\n1 0 0\n0 0 0 1\n", 3, "'1', expected the end of the line"),
      Arguments.of("OFF\n2 0 0\n0 0 0\n\n0 1 1\n", 5, "z 1.0, expected z 0.0"),
      Arguments.of("OFF\n2 0 0\n0 0 0\n", 3, "the end of the file after 1 vertices"),
      Arguments.of(head, 6, "the end of the file after 0 faces"),
      Arguments.of(head + "4 0 1 2 3\n", 7, "a face of 4 vertices, expected 3"),
      Arguments.of(head + "1 0\n", 7, "a face of 1 vertices, expected 3"),
      Arguments.of(head + "3 0 1 4\n", 7, "'4', expected a vertex, 0 to 3"),
      Arguments.of(head + "3 0 1\n", 7, "the end of the line, expected a vertex"),
      Arguments.of(head + "3 0 1 2 red\n", 7, "'red', expected the color"),
      Arguments.of(head + "3 0 1 0\n", 7, "the corners 0 1 0, expected three"),
      Arguments.of(head + "2 1 1\n", 7, "a segment from vertex 1 to itself"),
      Arguments.of(head + "3 0 1 2\n3 0 2 3\n", 8, "more lines, expected 4 vertices"),
    };
  }

  @ParameterizedTest
  @MethodSource("faults")
  void faultsAreReportedWithTheirLine(String content, int line, String found) throws IOException {
    FormatFaults.assertFault(folder.resolve("m.off"), content, line, found);
  }
}
