package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.RealData;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads real meshes where they are at hand; see {@link RealData}. */
class RealMeshesTest {
  @TempDir Path folder;

  /** Euler's formula: a triangulated disc has 2 V - 2 - B triangles. */
  @ParameterizedTest
  @CsvSource({
    "meshes/633.2.ele.gz, 633, 1248, 16",
    "meshes/ttimeu10000.2.ele.gz, 10000, 19975, 23",
  })
  void countsAreThePublishedOnes(String name, int vertices, int triangles, int segments)
      throws IOException {
    Mesh mesh = TriangleFormat.readMesh(RealData.file(name));
    assertEquals(vertices, mesh.vertices());
    assertEquals(triangles, mesh.triangles());
    assertEquals(segments, mesh.segments());
    assertEquals(2 * vertices - 2 - segments, triangles);
    assertEquals(1, mesh.planarGraph().firstIndex());

    Path copy = folder.resolve("copy.gz");
    TriangleFormat.write(mesh, copy);
    Mesh read = TriangleFormat.readMesh(copy);
    assertArrayEquals(mesh.coordinates(), read.coordinates());
    assertArrayEquals(mesh.corners(), read.corners());
    assertArrayEquals(mesh.neighbors(), read.neighbors());
    assertArrayEquals(mesh.segmentsOfEdges(), read.segmentsOfEdges());
  }
}
