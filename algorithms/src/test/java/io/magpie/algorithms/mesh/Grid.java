package io.magpie.algorithms.mesh;

/** A square of side n, cut into n times n squares of two triangles each. */
final class Grid {
  private Grid() {}

  /** Vertex j (n + 1) + i is at (i, j); triangles come row by row. */
  static double[] coordinates(int n) {
    double[] coordinates = new double[2 * (n + 1) * (n + 1)];
    for (int v = 0; v < coordinates.length / 2; v++) {
      coordinates[2 * v] = v % (n + 1);
      coordinates[2 * v + 1] = v / (n + 1);
    }
    return coordinates;
  }

  static int[] corners(int n) {
    int[] corners = new int[6 * n * n];
    int next = 0;
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) {
        int low = j * (n + 1) + i;
        int high = low + n + 1;
        for (int v : new int[] {low, low + 1, high + 1, low, high + 1, high}) {
          corners[next++] = v;
        }
      }
    }
    return corners;
  }

  static Mesh mesh(int n) {
    return Mesh.of(coordinates(n), corners(n));
  }
}
