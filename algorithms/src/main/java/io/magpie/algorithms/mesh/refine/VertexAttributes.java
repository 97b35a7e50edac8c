package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.mesh.Mesh;
import java.util.Arrays;

/**
 * Attributes of the vertices of a refined mesh. The input's keep theirs. One inserted on a segment
 * has those that change linearly from one end of the segment of the input to the other; any other
 * one those that are linear in the triangle of the input in which it lies. None is outside of the
 * range of the values that it comes from, so that what is constant stays so.
 *
 * <p>That depends only on where a vertex was put, not on the order of insertions.
 *
 * <p>A vertex of the result is near to its neighbors there, and is {@linkplain PointLocation looked
 * for} from where one of them was found. About 1 us for each vertex; 4 bytes for each vertex and
 * each triangle of the result.
 */
final class VertexAttributes {
  private static final int UNKNOWN = -1;

  private final Mesh input;
  private final double[] coordinates;
  private final int[] lies;
  private final int[] corners;
  private final int[] neighbors;

  /** A triangle of the input in which each vertex lies, or one nearby. */
  private final int[] home;

  private final PointLocation location;

  private VertexAttributes(
      Mesh input, double[] coordinates, int[] lies, int[] corners, int[] neighbors) {
    this.input = input;
    this.location = new PointLocation(input);
    this.coordinates = coordinates;
    this.lies = lies;
    this.corners = corners;
    this.neighbors = neighbors;
    this.home = new int[lies.length];
    Arrays.fill(home, UNKNOWN);
  }

  /**
   * The attributes of all vertices, as many each as the input's have.
   *
   * @param coordinates of the result's vertices, the input's first
   * @param lies of each vertex the input's segment it was put on, or negative
   * @param corners of the result's triangles
   * @param neighbors of the result's triangles, across the edge opposite each corner; -1 for none
   */
  static double[] of(Mesh input, double[] coordinates, int[] lies, int[] corners, int[] neighbors) {
    int attributes = input.attributes();
    double[] values = new double[lies.length * attributes];
    if (attributes == 0) {
      return values;
    }
    VertexAttributes found = new VertexAttributes(input, coordinates, lies, corners, neighbors);
    found.locate();
    for (int v = 0; v < lies.length; v++) {
      for (int a = 0; a < attributes; a++) {
        values[v * attributes + a] =
            v < input.vertices()
                ? input.attribute(v, a)
                : lies[v] >= 0 ? found.onSegment(v, a) : found.inTriangle(v, a);
      }
    }
    return values;
  }

  private double onSegment(int v, int attribute) {
    int start = input.segmentStart(lies[v]);
    int end = input.segmentEnd(lies[v]);
    double ux = input.x(end) - input.x(start);
    double uy = input.y(end) - input.y(start);
    double vx = coordinates[2 * v] - input.x(start);
    double vy = coordinates[2 * v + 1] - input.y(start);
    double part = (ux * vx + uy * vy) / (ux * ux + uy * uy);
    double first = input.attribute(start, attribute);
    double last = input.attribute(end, attribute);
    return within((1 - part) * first + part * last, Math.min(first, last), Math.max(first, last));
  }

  private double inTriangle(int v, int attribute) {
    int t = home[v];
    double x = coordinates[2 * v];
    double y = coordinates[2 * v + 1];
    double all = 0;
    double sum = 0;
    double least = Double.POSITIVE_INFINITY;
    double largest = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < 3; k++) {
      double weight = Math.max(0, location.side(t, k, x, y));
      double value = input.attribute(input.corner(t, k), attribute);
      all += weight;
      sum += weight * value;
      least = Math.min(least, value);
      largest = Math.max(largest, value);
    }
    return within(sum / all, least, largest);
  }

  private static double within(double value, double least, double largest) {
    return Math.max(least, Math.min(largest, value));
  }

  /** Finds the homes of all vertices, over the triangles of the result. */
  private void locate() {
    for (int t = 0; t < input.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        home[input.corner(t, k)] = t;
      }
    }
    int triangles = corners.length / 3;
    int[] queue = new int[triangles];
    boolean[] queued = new boolean[triangles];
    int end = 0;
    for (int t = 0; t < triangles; t++) {
      if (cornerWithHome(t) >= 0) {
        queue[end++] = t;
        queued[t] = true;
      }
    }
    for (int begin = 0; begin < end; begin++) {
      int t = queue[begin];
      int start = home[cornerWithHome(t)];
      for (int at = 3 * t; at < 3 * t + 3; at++) {
        int v = corners[at];
        if (home[v] == UNKNOWN) {
          home[v] = location.find(start, coordinates[2 * v], coordinates[2 * v + 1], lies[v] < 0);
        }
        int next = neighbors[at];
        if (next >= 0 && !queued[next]) {
          queue[end++] = next;
          queued[next] = true;
        }
      }
    }
  }

  private int cornerWithHome(int t) {
    for (int at = 3 * t; at < 3 * t + 3; at++) {
      if (home[corners[at]] != UNKNOWN) {
        return corners[at];
      }
    }
    return UNKNOWN;
  }
}
