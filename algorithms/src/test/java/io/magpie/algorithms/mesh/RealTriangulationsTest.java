package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.RealData;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Triangulates again what others have triangulated, where it is at hand; see {@link RealData}. */
class RealTriangulationsTest {
  private static Set<Set<Integer>> triangles(Mesh mesh) {
    Set<Set<Integer>> triangles = new HashSet<>();
    for (int t = 0; t < mesh.triangles(); t++) {
      triangles.add(Set.of(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)));
    }
    return triangles;
  }

  @ParameterizedTest
  @ValueSource(strings = {"meshes/633.2.ele.gz", "meshes/ttimeu10000.2.ele.gz"})
  void trianglesAreTheSame(String name) throws IOException {
    Mesh theirs = TriangleFormat.readMesh(RealData.file(name));
    Mesh ours = DelaunayTriangulation.of(theirs.planarGraph());
    assertEquals(triangles(theirs), triangles(ours));
    assertArrayEquals(theirs.planarGraph().segmentEnds(), ours.planarGraph().segmentEnds());
    assertEquals(
        triangles(theirs),
        triangles(DelaunayTriangulation.of(PlanarGraph.of(theirs.coordinates()))));
  }
}
