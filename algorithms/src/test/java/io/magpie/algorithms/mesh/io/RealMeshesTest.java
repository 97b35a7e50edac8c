package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.RealData;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.algorithms.mesh.verify.MeshCheck;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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

  /** The numbers of triangles with an angle below 30 degrees are known from other programs. */
  @ParameterizedTest
  @CsvSource({"meshes/633.2.ele.gz, 742", "meshes/ttimeu10000.2.ele.gz, 9673"})
  void areDelaunayWithSoManySharpTriangles(String name, long sharp) throws IOException {
    Mesh mesh = TriangleFormat.readMesh(RealData.file(name));
    MeshVerification found = MeshVerifier.delaunay(mesh);
    assertTrue(found.passed(), found::toString);
    assertEquals(sharp, Arrays.stream(found.angles().smallestAngles(), 0, 6).sum());

    RefinementClaim claim = RefinementClaim.of(30).withInserted(0, 0, 0);
    MeshVerification unrefined = MeshVerifier.verify(mesh, mesh, claim);
    assertEquals(List.of(MeshCheck.QUALITY), unrefined.failures(), unrefined::toString);
    assertEquals(sharp, unrefined.bad() + unrefined.excused());
    MeshVerification stopped = MeshVerifier.verify(mesh, mesh, claim.withStop(unrefined.bad()));
    assertTrue(stopped.passed(), stopped::toString);
  }
}
