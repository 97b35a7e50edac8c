package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class MeshEdgesProperties {
  /** Against what a look at all corners finds. */
  @Property(tries = 200)
  void everyEdgeIsThereOnce(
      @ForAll @IntRange(min = 4, max = 100) int points, @ForAll Random random) {
    double[] coordinates = random.doubles(2L * points).toArray();
    Mesh plain = DelaunayTriangulation.of(PlanarGraph.of(coordinates));
    int[] ends = new int[2 * plain.segments()];
    int[] markers = new int[plain.segments()];
    for (int s = 0; s < markers.length; s++) {
      ends[2 * s] = plain.segmentStart(s);
      ends[2 * s + 1] = plain.segmentEnd(s);
      markers[s] = random.nextInt(4) - 1;
    }
    Mesh mesh =
        Mesh.builder(
                PlanarGraph.builder(coordinates).segments(ends, markers).build(), plain.corners())
            .build();
    Map<Set<Integer>, Set<Integer>> triangles = new HashMap<>();
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        Set<Integer> edge = Set.of(mesh.corner(t, k), mesh.corner(t, (k + 1) % 3));
        triangles.computeIfAbsent(edge, each -> new HashSet<>()).add(t);
      }
    }
    MeshEdges edges = mesh.edges();
    assertEquals(triangles.size(), edges.count());
    assertEquals(2 * edges.count(), edges.ends().length);
    Set<Set<Integer>> seen = new HashSet<>();
    int last = 0;
    for (int e = 0; e < edges.count(); e++) {
      assertEquals(edges.ends()[2 * e], edges.start(e));
      assertEquals(edges.ends()[2 * e + 1], edges.end(e));
      Set<Integer> edge = Set.of(edges.start(e), edges.end(e));
      assertTrue(seen.add(edge), "edge " + e);
      Set<Integer> sides = new HashSet<>(List.of(edges.left(e), edges.right(e)));
      sides.remove(-1);
      assertEquals(triangles.get(edge), sides, "edge " + e);
      assertTrue(edges.left(e) >= last, "edge " + e);
      last = edges.left(e);
      int apex = apex(mesh, edges.left(e), edge);
      assertTrue(mesh.planarGraph().turn(edges.start(e), edges.end(e), apex) > 0, "edge " + e);
      int segment = edges.segment(e);
      if (segment < 0) {
        assertEquals(0, edges.marker(e));
        assertEquals(2, sides.size());
      } else {
        assertEquals(edge, Set.of(mesh.segmentStart(segment), mesh.segmentEnd(segment)));
        assertEquals(markers[segment] == 0 ? 1 : markers[segment], edges.marker(e));
      }
    }
  }

  private static int apex(Mesh mesh, int t, Set<Integer> edge) {
    int k = 0;
    while (edge.contains(mesh.corner(t, k))) {
      k++;
    }
    return mesh.corner(t, k);
  }
}
