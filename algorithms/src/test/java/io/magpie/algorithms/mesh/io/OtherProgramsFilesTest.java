package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.mesh.Mesh;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of one mesh, a unit square with a vertex in its middle, that Gmsh 4.15 made, and meshio 5.3
 * and VTK 9 converted. What they hold is known from the plainest of them, read without the readers.
 */
class OtherProgramsFilesTest {
  private static final String PLAINEST = "plate-meshio.off";

  @TempDir Path folder;

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = OtherProgramsFilesTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  private Mesh read(String name) throws IOException {
    return MeshFormats.readMesh(Files.write(folder.resolve(name), resource(name)));
  }

  /** A point as text; one program writes six digits. */
  private static String point(double x, double y) {
    return String.format(Locale.ROOT, "%.5f,%.5f", x + 0.0, y + 0.0);
  }

  /** The corners of a triangle in order, from the least one on. */
  private static String triangle(String a, String b, String c) {
    return new TreeSet<>(
            Set.of(a + ' ' + b + ' ' + c, b + ' ' + c + ' ' + a, c + ' ' + a + ' ' + b))
        .first();
  }

  private static Set<String> triangles(Mesh mesh) {
    Set<String> triangles = new TreeSet<>();
    for (int t = 0; t < mesh.triangles(); t++) {
      String[] points = new String[3];
      for (int k = 0; k < 3; k++) {
        points[k] = point(mesh.x(mesh.corner(t, k)), mesh.y(mesh.corner(t, k)));
      }
      triangles.add(triangle(points[0], points[1], points[2]));
    }
    return triangles;
  }

  private static Set<String> expected() throws IOException {
    List<String> points = new ArrayList<>();
    Set<String> triangles = new TreeSet<>();
    for (String line : new String(resource(PLAINEST), StandardCharsets.US_ASCII).split("\n")) {
      String[] words = line.split(" ");
      if (line.matches("[0-9.]+( [0-9.]+){2}") && line.contains(".")) {
        points.add(point(Double.parseDouble(words[0]), Double.parseDouble(words[1])));
      } else if (line.startsWith("3 ")) {
        triangles.add(
            triangle(
                points.get(Integer.parseInt(words[1])),
                points.get(Integer.parseInt(words[2])),
                points.get(Integer.parseInt(words[3]))));
      }
    }
    return triangles;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        PLAINEST,
        "plate-meshio.obj",
        "plate-meshio.vtk",
        "plate-gmsh.vtk",
        "plate-vtk.vtk",
        "plate-vtk-polydata.vtk",
        "plate-meshio.vtu",
        "plate-vtk.vtu",
        "plate-gmsh-2.2.msh",
        "plate-gmsh-4.1.msh"
      })
  void haveTheSameTriangles(String name) throws IOException {
    Mesh mesh = read(name);
    assertEquals(expected(), triangles(mesh));
    assertEquals(16, mesh.triangles());
    assertEquals(13, mesh.vertices());
    assertEquals(8, mesh.segments());
  }

  /** Markers that meshio took from Gmsh, and a height of x + 2 y that it added. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "plate-meshio.vtk",
        "plate-vtk.vtk",
        "plate-vtk-polydata.vtk",
        "plate-meshio.vtu",
        "plate-vtk.vtu"
      })
  void haveTheSameMarkersAndAttributes(String name) throws IOException {
    Mesh mesh = read(name);
    assertMarkers(mesh);
    assertEquals(1, mesh.attributes());
    for (int v = 0; v < mesh.vertices(); v++) {
      assertEquals(mesh.x(v) + 2 * mesh.y(v), mesh.attribute(v, 0), 1e-5);
    }
  }

  /** 11 above and below, 12 on the right, 13 on the left; 5 for all triangles. */
  private static void assertMarkers(Mesh mesh) {
    for (int s = 0; s < mesh.segments(); s++) {
      int from = mesh.segmentStart(s);
      int to = mesh.segmentEnd(s);
      int expected = mesh.y(from) == mesh.y(to) ? 11 : mesh.x(from) == 1 ? 12 : 13;
      assertEquals(expected, mesh.segmentMarker(s));
    }
    assertEquals(1, mesh.triangleAttributes());
    for (int t = 0; t < mesh.triangles(); t++) {
      assertEquals(5, mesh.triangleAttribute(t, 0));
    }
  }

  /** One of the corners is a point with a physical tag. */
  @ParameterizedTest
  @ValueSource(strings = {"plate-gmsh-2.2.msh", "plate-gmsh-4.1.msh"})
  void physicalTagsAreMarkers(String name) throws IOException {
    Mesh mesh = read(name);
    assertMarkers(mesh);
    assertEquals(21, mesh.vertexMarker(0));
    assertEquals(0, mesh.vertexMarker(1));
  }

  @Test
  void areReadToTheLastDigit() throws IOException {
    assertEquals(0.4999999999986919, read(PLAINEST).x(5));
  }
}
