package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.internal.Predicates;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class MeshGeneratorsProperties {
  /** Whether two segments have a point in common that is not an end of both. */
  private static boolean cross(PlanarGraph graph, int s, int r) {
    int a = graph.segmentStart(s);
    int b = graph.segmentEnd(s);
    int c = graph.segmentStart(r);
    int d = graph.segmentEnd(r);
    if (a == c || a == d || b == c || b == d) {
      // They share an end; more than that only if they lie on one line, one over the other.
      int apex = a == c || a == d ? a : b;
      int p = a + b - apex;
      int q = c + d - apex;
      return graph.turn(apex, p, q) == 0
          && (graph.x(p) - graph.x(apex)) * (graph.x(q) - graph.x(apex))
                  + (graph.y(p) - graph.y(apex)) * (graph.y(q) - graph.y(apex))
              > 0;
    }
    return Math.signum(graph.turn(a, b, c)) * Math.signum(graph.turn(a, b, d)) <= 0
        && Math.signum(graph.turn(c, d, a)) * Math.signum(graph.turn(c, d, b)) <= 0
        && overlap(graph.x(a), graph.x(b), graph.x(c), graph.x(d))
        && overlap(graph.y(a), graph.y(b), graph.y(c), graph.y(d));
  }

  private static boolean overlap(double a, double b, double c, double d) {
    return Math.max(a, b) >= Math.min(c, d) && Math.max(c, d) >= Math.min(a, b);
  }

  private static void assertPlanar(PlanarGraph graph) {
    for (int s = 0; s < graph.segments(); s++) {
      for (int r = 0; r < s; r++) {
        if (cross(graph, s, r)) {
          throw new AssertionError(graph.segmentText(s) + " crosses " + graph.segmentText(r));
        }
      }
    }
  }

  /** How often a ray from a point to the right crosses the segments from..to-1. */
  private static int crossings(PlanarGraph graph, double x, double y, int from, int to) {
    int count = 0;
    for (int s = from; s < to; s++) {
      double ax = graph.x(graph.segmentStart(s));
      double ay = graph.y(graph.segmentStart(s));
      double bx = graph.x(graph.segmentEnd(s));
      double by = graph.y(graph.segmentEnd(s));
      if ((ay > y) != (by > y)) {
        double turn = Predicates.orient2d(ax, ay, bx, by, x, y);
        count += turn > 0 == by > ay ? 1 : 0;
      }
    }
    return count;
  }

  @Property(tries = 150)
  void holesAreSimpleApartAndMarkedByAPoint(
      @ForAll @IntRange(max = 60) int holes, @ForAll long seed) {
    PlanarGraph graph = MeshGenerators.generate("holes:" + holes + ",seed=" + seed);
    assertEquals(holes, graph.holes());
    assertEquals(graph.vertices(), graph.segments());
    assertPlanar(graph);
    int from = 4;
    for (int hole = 0; hole < holes; hole++) {
      int to = from + 1;
      while (graph.segmentEnd(to - 1) != from) {
        to++;
      }
      assertTrue(to - from >= 3 && to - from <= 16);
      assertEquals(1, crossings(graph, graph.holeX(hole), graph.holeY(hole), from, to) % 2);
      for (int v = from; v < to; v++) {
        assertTrue(graph.x(v) > 0 && graph.x(v) < graph.maxX());
        assertTrue(graph.y(v) > 0 && graph.y(v) < graph.maxY());
        assertEquals(2, graph.segmentMarker(v));
      }
      from = to;
    }
    assertEquals(graph.vertices(), from);
    assertEquals(1, graph.segmentMarker(3));
  }

  /** By Euler's formula a connected graph with 14 edges more than vertices has 15 inner faces. */
  @Property(tries = 150)
  void mapsArePlanarWithFifteenProvinces(
      @ForAll @IntRange(min = 200, max = 1200) int n, @ForAll long seed) {
    PlanarGraph graph = MeshGenerators.generate("map:" + n + ",seed=" + seed);
    assertEquals(n, graph.segments());
    assertEquals(n - 14, graph.vertices());
    assertPlanar(graph);
    int[] root = new int[graph.vertices()];
    for (int v = 0; v < root.length; v++) {
      root[v] = v;
    }
    int components = root.length;
    for (int s = 0; s < n; s++) {
      int a = find(root, graph.segmentStart(s));
      int b = find(root, graph.segmentEnd(s));
      root[a] = b;
      components -= a == b ? 0 : 1;
    }
    assertEquals(1, components);
    // The coast surrounds everything: from every vertex of a border a ray meets it oddly often.
    int first = 0;
    while (graph.segmentMarker(first) != 1) {
      first++;
    }
    int last = first;
    while (graph.segmentMarker(last) == 1) {
      last++;
    }
    for (int v = 0; v < graph.vertices(); v++) {
      if (v < graph.segmentStart(first) || v > graph.segmentStart(last - 1)) {
        assertEquals(1, crossings(graph, graph.x(v), graph.y(v), first, last) % 2);
      }
    }
  }

  private static int find(int[] root, int v) {
    int at = v;
    while (root[at] != at) {
      at = root[at];
    }
    return at;
  }
}
