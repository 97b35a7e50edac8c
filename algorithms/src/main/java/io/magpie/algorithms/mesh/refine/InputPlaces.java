package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.Mesh;
import java.util.Arrays;

/**
 * Where triangles of a refined mesh lie in its input, for attributes and {@linkplain
 * Mesh#hasSingleAreaBounds area bounds} that differ where no segment is between: there a triangle
 * has those of the input's triangle that holds its centroid.
 *
 * <p>That depends only on the triangle, not on the order of insertions. About 1 us for each
 * triangle, on all threads for those at vertices of the input; 24 bytes for each.
 */
final class InputPlaces {
  private static final int UNKNOWN = -1;

  private final PointLocation location;

  /** Of each vertex of the input a triangle of which it is a corner. */
  private final int[] triangleAt;

  private int[] homes = {}; // by slot on the device
  private int[] corners = {}; // of the triangles whose homes those are

  InputPlaces(Mesh input) {
    this.location = new PointLocation(input);
    this.triangleAt = new int[input.vertices()];
    for (int t = 0; t < input.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        triangleAt[input.corner(t, k)] = t;
      }
    }
  }

  /**
   * What was {@linkplain #keep kept} of a triangle, so that only new ones are looked for.
   *
   * @param slot where the triangle is on the device
   * @param words of which those from {@code at} on are its corners there
   * @return the input's triangle in which its centroid lies; -1 if the slot had another triangle
   */
  int kept(int slot, int[] words, int at) {
    return slot < homes.length && Arrays.equals(words, at, at + 3, corners, 3 * slot, 3 * slot + 3)
        ? homes[slot]
        : UNKNOWN;
  }

  /** Makes room to keep what triangles in so many slots have. */
  void reserve(int slots) {
    if (slots > homes.length) {
      homes = Arrays.copyOf(homes, slots);
      corners = Arrays.copyOf(corners, 3 * slots);
    }
  }

  /** Keeps that a triangle's centroid lies in a triangle of the input. */
  void keep(int slot, int[] words, int at, int home) {
    homes[slot] = home;
    System.arraycopy(words, at, corners, 3 * slot, 3);
  }

  /**
   * Finds the input's triangle in which the centroid of each triangle lies.
   *
   * @param refined the input after insertions
   * @param homes of its triangles; takes those that are -1
   */
  void locate(Mesh refined, int[] homes) {
    Parallel.forRanges(homes.length, (from, to) -> walkFromCorners(refined, homes, from, to));
    int[] queue = new int[homes.length];
    int end = 0;
    for (int t = 0; t < homes.length; t++) {
      int corner = firstCorner(refined, t);
      if (homes[t] < 0 && corner < triangleAt.length) {
        homes[t] = find(triangleAt[corner], refined, t);
      }
      if (homes[t] >= 0) {
        queue[end++] = t;
      }
    }
    for (int begin = 0; begin < end; begin++) {
      for (int k = 0; k < 3; k++) {
        int next = refined.neighbor(queue[begin], k);
        if (next >= 0 && homes[next] < 0) {
          homes[next] = find(homes[queue[begin]], refined, next);
          queue[end++] = next;
        }
      }
    }
  }

  /** Of triangles at vertices of the input: nearly all, unless much was inserted. */
  private void walkFromCorners(Mesh refined, int[] homes, int from, int to) {
    for (int t = from; t < to; t++) {
      int corner = firstCorner(refined, t);
      if (homes[t] < 0 && corner < triangleAt.length) {
        homes[t] =
            location.walk(triangleAt[corner], centroid(refined, t, 0), centroid(refined, t, 1));
      }
    }
  }

  private static int firstCorner(Mesh mesh, int t) {
    return Math.min(mesh.corner(t, 0), Math.min(mesh.corner(t, 1), mesh.corner(t, 2)));
  }

  private int find(int start, Mesh refined, int t) {
    return location.find(start, centroid(refined, t, 0), centroid(refined, t, 1), true);
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
