package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.Mesh;

/**
 * What the bounds on the areas of a mesh's triangles ask for.
 *
 * @param area that the triangles cover
 * @param leastTriangles how many there are at least within the bounds
 * @param smallest the smallest bound; 0 if there is none
 */
record AreaBounds(double area, double leastTriangles, double smallest) {
  /**
   * Adds up a mesh.
   *
   * @param maximumArea the bound on all triangles, in addition to those of each; 0 for none
   */
  static AreaBounds of(Mesh mesh, double maximumArea) {
    double most = maximumArea == 0 ? Double.POSITIVE_INFINITY : maximumArea;
    AreaBounds all =
        Parallel.map(mesh.triangles(), (from, to) -> of(mesh, most, from, to)).stream()
            .reduce(new AreaBounds(0, 0, Double.POSITIVE_INFINITY), AreaBounds::plus);
    return all.smallest == Double.POSITIVE_INFINITY
        ? new AreaBounds(all.area, all.leastTriangles, 0)
        : all;
  }

  private static AreaBounds of(Mesh mesh, double most, int from, int to) {
    double area = 0;
    double triangles = 0;
    double smallest = Double.POSITIVE_INFINITY;
    for (int t = from; t < to; t++) {
      int a = mesh.corner(t, 0);
      int b = mesh.corner(t, 1);
      int c = mesh.corner(t, 2);
      double doubled =
          (mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a))
              - (mesh.y(b) - mesh.y(a)) * (mesh.x(c) - mesh.x(a));
      double bound = Math.min(most, mesh.areaBound(t));
      area += doubled / 2;
      triangles += doubled / 2 / bound;
      smallest = Math.min(smallest, bound);
    }
    return new AreaBounds(area, triangles, smallest);
  }

  private AreaBounds plus(AreaBounds other) {
    return new AreaBounds(
        area + other.area,
        leastTriangles + other.leastTriangles,
        Math.min(smallest, other.smallest));
  }
}
