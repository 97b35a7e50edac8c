package io.magpie.algorithms.mesh.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Any single wrong number in the arrays of a refined mesh is seen. */
class MeshVerifierProperties {
  private static final int SIDE = 5;

  /** Changes one entry, counted over all arrays, by so much. */
  private static void change(int by, int entry, int[]... arrays) {
    int at = entry;
    for (int[] array : arrays) {
      if (at < array.length) {
        array[at] += by;
        return;
      }
      at -= array.length;
    }
  }

  @Property
  void seesEveryWrongId(
      @ForAll @IntRange(max = 524) int entry, @ForAll @IntRange(min = -40, max = 40) int by) {
    RefinedMesh mesh = RefinedMesh.square(SIDE);
    int entries = 3 * mesh.corners.length + 3 * mesh.segmentOrigins.length;
    assertEquals(525, entries);
    change(
        by,
        entry,
        mesh.corners,
        mesh.neighbors,
        mesh.segmentsOfEdges,
        mesh.segmentEnds,
        mesh.segmentOrigins);
    MeshVerification found = mesh.verify();
    assertEquals(by == 0, found.passed(), found::toString);
  }

  @Property
  void seesEveryVertexThatMoves(
      @ForAll @IntRange(max = 35) int vertex, @ForAll @IntRange(max = 359) int direction) {
    RefinedMesh mesh = RefinedMesh.square(SIDE);
    // Half a square is so far that it breaks the Delaunay property inside, or leaves a segment.
    mesh.coordinates[2 * vertex] += 0.5 * Math.cos(Math.toRadians(direction));
    mesh.coordinates[2 * vertex + 1] += 0.5 * Math.sin(Math.toRadians(direction));
    assertFalse(mesh.verify().passed());
  }

  @Property
  void seesEveryLostTriangle(@ForAll @IntRange(max = 49) int triangle) {
    RefinedMesh mesh = RefinedMesh.square(SIDE);
    mesh.free(triangle);
    List<MeshCheck> failures = mesh.verify().failures();
    assertEquals(
        List.of(MeshCheck.AREA, MeshCheck.BOOKKEEPING),
        failures.stream()
            .filter(check -> check == MeshCheck.AREA || check == MeshCheck.BOOKKEEPING)
            .toList());
  }
}
