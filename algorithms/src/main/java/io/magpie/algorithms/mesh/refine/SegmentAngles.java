package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.Mesh;

/**
 * Where segments of a mesh meet at angles for which refinement needs care.
 *
 * @param corners vertices where two segments meet at less than 120 degrees
 * @param sharp whether two meet at less than 60 degrees anywhere
 */
record SegmentAngles(boolean[] corners, boolean sharp) {
  /** Of all segments of a mesh. */
  static SegmentAngles of(Mesh mesh) {
    int vertices = mesh.vertices();
    int segments = mesh.segments();
    int[] offsets = new int[vertices + 1];
    for (int s = 0; s < segments; s++) {
      offsets[mesh.segmentStart(s) + 1]++;
      offsets[mesh.segmentEnd(s) + 1]++;
    }
    for (int v = 0; v < vertices; v++) {
      offsets[v + 1] += offsets[v];
    }
    int[] others = new int[2 * segments];
    int[] next = offsets.clone();
    for (int s = 0; s < segments; s++) {
      others[next[mesh.segmentStart(s)]++] = mesh.segmentEnd(s);
      others[next[mesh.segmentEnd(s)]++] = mesh.segmentStart(s);
    }
    boolean[] corners = new boolean[vertices];
    long sharp =
        Parallel.sum(
            vertices,
            (first, end) -> {
              long found = 0;
              for (int v = first; v < end; v++) {
                int from = offsets[v];
                int to = offsets[v + 1];
                // Four directions leave two within 120 degrees, seven leave two within 60.
                corners[v] = to - from > 3 || anyBelow(mesh, v, others, from, to, -0.5);
                found +=
                    to - from > 6 || corners[v] && anyBelow(mesh, v, others, from, to, 0.5) ? 1 : 0;
              }
              return found;
            });
    return new SegmentAngles(corners, sharp > 0);
  }

  /** Whether two segments at a vertex make an angle of a larger cosine. */
  private static boolean anyBelow(Mesh mesh, int v, int[] others, int from, int to, double cosine) {
    for (int i = from; i < to; i++) {
      for (int j = i + 1; j < to; j++) {
        double ux = mesh.x(others[i]) - mesh.x(v);
        double uy = mesh.y(others[i]) - mesh.y(v);
        double wx = mesh.x(others[j]) - mesh.x(v);
        double wy = mesh.y(others[j]) - mesh.y(v);
        if (ux * wx + uy * wy > cosine * Math.hypot(ux, uy) * Math.hypot(wx, wy)) {
          return true;
        }
      }
    }
    return false;
  }
}
