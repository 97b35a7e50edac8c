package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.internal.Predicates;

/**
 * Finds the triangles of a mesh in which points lie, by walking from one nearby (Devillers, Pion
 * and Teillaud, "Walking in a triangulation", 2002). Where a walk leaves the domain, or takes too
 * many steps, the triangles around are searched.
 *
 * <p>Searches are for one thread, and take 8 bytes for each triangle.
 */
final class PointLocation {
  /** Steps of a walk; between neighbors it has a few. */
  private static final int MOST_STEPS = 1_000;

  private final Mesh mesh;
  private int[] searched; // by which search each triangle was reached last
  private int[] reached; // by the last one, in order
  private int searches;

  PointLocation(Mesh mesh) {
    this.mesh = mesh;
  }

  /**
   * The triangle in which a point lies; if it need not be exact, or one nearby.
   *
   * @param start where to begin
   */
  int find(int start, double x, double y, boolean exact) {
    int t = walk(start, x, y);
    return t >= 0 ? t : exact ? search(~t, x, y) : ~t;
  }

  /**
   * The triangle in which a point lies, if a walk gets there, else the complement of the one where
   * it ended. For any number of threads.
   *
   * @param start where to begin
   */
  int walk(int start, double x, double y) {
    int t = start;
    for (int steps = 0; steps < MOST_STEPS; steps++) {
      boolean inside = true;
      int next = -1;
      for (int i = 0; i < 3 && next < 0; i++) {
        // Edges in rotation: a walk that always tries them in the same order can go in circles.
        int k = (i + steps) % 3;
        if (side(t, k, x, y) < 0) {
          inside = false;
          next = mesh.neighbor(t, k);
        }
      }
      if (inside) {
        return t;
      }
      if (next < 0) {
        break;
      }
      t = next;
    }
    return ~t;
  }

  /** The same by a look at all triangles, the nearest to t first; t if the point is in none. */
  private int search(int t, double x, double y) {
    if (searched == null) {
      searched = new int[mesh.triangles()];
      reached = new int[mesh.triangles()];
    }
    searches++;
    reached[0] = t;
    searched[t] = searches;
    int end = 1;
    for (int begin = 0; begin < end; begin++) {
      int at = reached[begin];
      if (side(at, 0, x, y) >= 0 && side(at, 1, x, y) >= 0 && side(at, 2, x, y) >= 0) {
        return at;
      }
      for (int k = 0; k < 3; k++) {
        int next = mesh.neighbor(at, k);
        if (next >= 0 && searched[next] != searches) {
          searched[next] = searches;
          reached[end++] = next;
        }
      }
    }
    return t;
  }

  /**
   * On which side of the edge opposite corner k a point lies: positive inside, about twice the area
   * of the triangle between the edge and the point.
   */
  double side(int t, int k, double x, double y) {
    int from = mesh.corner(t, (k + 1) % 3);
    int to = mesh.corner(t, (k + 2) % 3);
    return Predicates.orient2d(mesh.x(from), mesh.y(from), mesh.x(to), mesh.y(to), x, y);
  }
}
