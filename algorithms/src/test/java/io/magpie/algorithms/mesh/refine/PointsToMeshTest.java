package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.io.MeshFormats;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example on the page of algorithms. */
class PointsToMeshTest {
  @TempDir Path folder;

  @Test
  void threeLinesLeadFromPointsToAFile() throws IOException {
    double[] points = {0, 0, 4, 0, 4, 3, 0, 3, 1, 1, 1.1, 1};
    Path file = folder.resolve("refined.vtu");
    try (Device device = Device.open("cpu:2")) {
      // x and y of each point in turn
      Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(points));
      RefinementResult refined = MeshRefinement.run(device, mesh, RefinementOptions.defaults());
      MeshFormats.write(refined.mesh(), file);

      Mesh after = refined.mesh();
      MeshVerification verification = MeshVerifier.verify(mesh, after, refined.report().claim());
      assertTrue(verification.passed(), verification::toString);
      assertArrayEquals(points, Arrays.copyOf(after.coordinates(), points.length));
      Mesh read = MeshFormats.readMesh(file);
      assertArrayEquals(after.coordinates(), read.coordinates());
      assertArrayEquals(after.corners(), read.corners());
    }
  }
}
