package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.mesh.Mesh;

/**
 * Where triangles of a refined mesh lie in its input, for {@linkplain Mesh#hasSingleAreaBounds area
 * bounds of single triangles}: there a triangle has the bound of the input's triangle that holds
 * its centroid.
 *
 * <p>That depends only on the triangle, not on the order of insertions. About 1 us for each
 * triangle; 9 bytes for each.
 */
final class SingleBounds {
  private final PointLocation location;

  /** Of each vertex of the input a triangle of which it is a corner. */
  private final int[] triangleAt;

  SingleBounds(Mesh input) {
    this.location = new PointLocation(input);
    this.triangleAt = new int[input.vertices()];
    for (int t = 0; t < input.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        triangleAt[input.corner(t, k)] = t;
      }
    }
  }

  /**
   * The input's triangle in which the centroid of each triangle lies.
   *
   * @param refined the input after insertions
   */
  int[] homes(Mesh refined) {
    int[] homes = new int[refined.triangles()];
    int[] queue = new int[homes.length];
    boolean[] queued = new boolean[homes.length];
    int end = 0;
    for (int t = 0; t < homes.length; t++) {
      int corner =
          Math.min(refined.corner(t, 0), Math.min(refined.corner(t, 1), refined.corner(t, 2)));
      if (corner < triangleAt.length) {
        homes[t] = triangleAt[corner]; // where to begin
        queue[end++] = t;
        queued[t] = true;
      }
    }
    for (int begin = 0; begin < end; begin++) {
      int t = queue[begin];
      homes[t] = location.find(homes[t], centroid(refined, t, 0), centroid(refined, t, 1), true);
      for (int k = 0; k < 3; k++) {
        int next = refined.neighbor(t, k);
        if (next >= 0 && !queued[next]) {
          homes[next] = homes[t];
          queue[end++] = next;
          queued[next] = true;
        }
      }
    }
    return homes;
  }

  private static double centroid(Mesh mesh, int t, int axis) {
    double[] coordinates = mesh.coordinates();
    double sum = 0;
    for (int k = 0; k < 3; k++) {
      sum += coordinates[2 * mesh.corner(t, k) + axis];
    }
    return sum / 3;
  }
}
