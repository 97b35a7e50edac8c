package io.magpie.examples.cli.commands;

import io.magpie.algorithms.mesh.Mesh;

/**
 * The area bounds that hold in a mesh. A region is a part of the domain that segments bound,
 * whatever number of points names it; its triangles all have the same bound, or each its own.
 *
 * @param regions how many regions have bounds
 * @param single whether triangles of a region have different bounds
 * @param least the smallest of the bounds; positive infinity if there are none
 * @param most the largest; 0 if there are none
 */
record RegionBounds(int regions, boolean single, double least, double most) {
  static RegionBounds of(Mesh mesh) {
    if (!mesh.hasAreaBounds()) {
      return new RegionBounds(0, false, Double.POSITIVE_INFINITY, 0);
    }
    int regions = 0;
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    boolean[] seen = new boolean[mesh.triangles()];
    int[] pending = new int[seen.length]; // each triangle waits once at most
    for (int first = 0; first < seen.length; first++) {
      double bound = mesh.areaBound(first);
      if (bound == Double.POSITIVE_INFINITY) {
        continue;
      }
      least = Math.min(least, bound);
      most = Math.max(most, bound);
      if (seen[first]) {
        continue;
      }
      regions++;
      int waiting = 0;
      seen[first] = true;
      pending[waiting++] = first;
      while (waiting > 0) {
        int t = pending[--waiting];
        for (int k = 0; k < 3; k++) {
          int across = mesh.neighbor(t, k);
          if (across >= 0 && mesh.segment(t, k) < 0 && !seen[across]) {
            seen[across] = true;
            pending[waiting++] = across;
          }
        }
      }
    }
    return new RegionBounds(regions, mesh.hasSingleAreaBounds(), least, most);
  }
}
