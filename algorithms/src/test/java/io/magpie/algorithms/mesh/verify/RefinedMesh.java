package io.magpie.algorithms.mesh.verify;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.algorithms.mesh.UncheckedMesh;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A mesh, a refined one and what was claimed, as arrays that a test may damage. */
final class RefinedMesh {
  final MeshArrays input;
  double[] coordinates;
  int[] corners;
  int[] neighbors;
  int[] segmentsOfEdges;
  int[] segmentEnds;
  int[] segmentOrigins;
  TriangleLabels labels;
  RefinementClaim claim = RefinementClaim.of(0);

  private RefinedMesh(Mesh input, Mesh output) {
    this(MeshArrays.of(input), MeshArrays.of(output));
  }

  private RefinedMesh(MeshArrays input, MeshArrays refined) {
    this.input = input;
    coordinates = refined.coordinates().clone();
    corners = refined.corners().clone();
    neighbors = refined.neighbors().clone();
    segmentsOfEdges = refined.segmentsOfEdges().clone();
    segmentEnds = refined.segmentEnds().clone();
    segmentOrigins = refined.segmentOrigins();
    labels = refined.labels();
  }

  static RefinedMesh of(Mesh input, Mesh output) {
    return new RefinedMesh(input, output);
  }

  /** The same with other labels of the input's triangles, and none of the output's. */
  static RefinedMesh labeled(RefinedMesh mesh, TriangleLabels labels) {
    MeshArrays input = mesh.input;
    return new RefinedMesh(
        new MeshArrays(
            input.coordinates(),
            input.corners(),
            input.neighbors(),
            input.segmentsOfEdges(),
            input.segmentEnds(),
            input.segmentOrigins(),
            labels),
        mesh.output());
  }

  /** A mesh in which nothing was refined. */
  static RefinedMesh unchanged(Mesh mesh) {
    return new RefinedMesh(mesh, mesh);
  }

  /** A mesh with segments of other ancestry, and any orientation. */
  static Mesh mesh(double[] coordinates, int[] corners, int[] segmentEnds, int... origins) {
    return UncheckedMesh.of(PlanarGraph.of(coordinates, segmentEnds), corners, origins);
  }

  /** A mesh all of whose edges are segments. */
  static Mesh allSegments(double[] coordinates, int... corners) {
    List<Integer> ends = new ArrayList<>();
    for (int h = 0; h < corners.length; h++) {
      int v = corners[h];
      int w = corners[h % 3 == 2 ? h - 2 : h + 1];
      boolean shared = false;
      for (int g = 0; g < h; g++) {
        shared |= corners[g] == w && corners[g % 3 == 2 ? g - 2 : g + 1] == v;
      }
      if (!shared) {
        ends.add(v);
        ends.add(w);
      }
    }
    return Mesh.of(coordinates, corners, ends.stream().mapToInt(Integer::intValue).toArray());
  }

  /**
   * A square of side n in two triangles, with its diagonal a segment, and as refinement n times n
   * squares in two triangles each; the claim has the right counts.
   */
  static RefinedMesh square(int n) {
    Mesh input =
        Mesh.of(
            new double[] {0, 0, n, 0, n, n, 0, n},
            new int[] {0, 1, 2, 0, 2, 3},
            new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 2});
    int[] ids = new int[(n + 1) * (n + 1)];
    double[] coordinates = Arrays.copyOf(input.coordinates(), 2 * ids.length);
    int vertices = 4;
    for (int j = 0; j <= n; j++) {
      for (int i = 0; i <= n; i++) {
        boolean corner = (i == 0 || i == n) && (j == 0 || j == n);
        int id = corner ? (j == 0 ? (i == 0 ? 0 : 1) : (i == 0 ? 3 : 2)) : vertices++;
        ids[j * (n + 1) + i] = id;
        coordinates[2 * id] = i;
        coordinates[2 * id + 1] = j;
      }
    }
    int[] corners = new int[6 * n * n];
    int[] ends = new int[10 * n];
    int[] origins = new int[5 * n];
    int next = 0;
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) {
        int low = j * (n + 1) + i;
        int high = low + n + 1;
        for (int at : new int[] {low, low + 1, high + 1, low, high + 1, high}) {
          corners[next++] = ids[at];
        }
      }
    }
    int[] first = {0, n, (n + 1) * (n + 1) - 1, n * (n + 1), 0};
    int[] step = {1, n + 1, -1, -n - 1, n + 2};
    for (int s = 0; s < 5; s++) {
      for (int i = 0; i < n; i++) {
        int part = s * n + i;
        ends[2 * part] = ids[first[s] + i * step[s]];
        ends[2 * part + 1] = ids[first[s] + (i + 1) * step[s]];
        origins[part] = s;
      }
    }
    RefinedMesh refined = of(input, mesh(coordinates, corners, ends, origins));
    long onSegments = 5L * (n - 1);
    long inserted = vertices - 4;
    refined.claim =
        RefinementClaim.of(30)
            .withMaximumArea(0.5)
            .withInserted(inserted - onSegments, onSegments, inserted)
            .withExcused(0)
            .withSlots(2L * n * n, 0)
            .withReference(2L * n * n);
    return refined;
  }

  /** Takes a triangle out, as if its edges had always been on the boundary. */
  void free(int t) {
    for (int h = 3 * t; h < 3 * t + 3; h++) {
      int n = neighbors[h];
      for (int g = 3 * n; n >= 0 && g < 3 * n + 3; g++) {
        if (neighbors[g] == t) {
          neighbors[g] = -1;
        }
      }
    }
    Arrays.fill(corners, 3 * t, 3 * t + 3, MeshArrays.FREE);
  }

  MeshArrays output() {
    return new MeshArrays(
        coordinates, corners, neighbors, segmentsOfEdges, segmentEnds, segmentOrigins, labels);
  }

  MeshVerification verify() {
    return MeshVerifier.verify(input, output(), claim);
  }
}
