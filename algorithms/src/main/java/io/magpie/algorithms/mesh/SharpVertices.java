package io.magpie.algorithms.mesh;

/** Vertices where two segments meet at less than 60 degrees: refinement there needs care. */
final class SharpVertices {
  private SharpVertices() {}

  /** 1 for each sharp vertex of a mesh, else 0. */
  static int[] of(Mesh mesh) {
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
    int[] sharp = new int[vertices];
    for (int v = 0; v < vertices; v++) {
      // Seven directions leave two within 60 degrees.
      sharp[v] = offsets[v + 1] - offsets[v] > 6 ? 1 : anySharp(mesh, v, others, offsets) ? 1 : 0;
    }
    return sharp;
  }

  private static boolean anySharp(Mesh mesh, int v, int[] others, int[] offsets) {
    for (int i = offsets[v]; i < offsets[v + 1]; i++) {
      for (int j = i + 1; j < offsets[v + 1]; j++) {
        double ux = mesh.x(others[i]) - mesh.x(v);
        double uy = mesh.y(others[i]) - mesh.y(v);
        double wx = mesh.x(others[j]) - mesh.x(v);
        double wy = mesh.y(others[j]) - mesh.y(v);
        double dot = ux * wx + uy * wy;
        if (dot > 0 && 4 * dot * dot > (ux * ux + uy * uy) * (wx * wx + wy * wy)) {
          return true;
        }
      }
    }
    return false;
  }
}
