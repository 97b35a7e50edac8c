package io.magpie.algorithms.mesh.internal;

import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Checks that triangles cover no point twice and meet in whole edges.
 *
 * <p>The triangles are counter-clockwise and no two of them have an edge in the same direction, so
 * each point is covered as often as the boundary winds around it. A line sweeps over the boundary's
 * edges from left to right and keeps those that it meets in order from below (Shamos and Hoey,
 * "Geometric intersection problems", 1976). Where no two cross or overlap, and each has the
 * triangles on the side that the one below it leaves to it, each point lies outside of all
 * triangles, or in one. Signs are exact in the range of {@link Predicates}; beyond it nothing is
 * sure, and nothing is checked.
 *
 * <p>O(n log n) time for n edges of the boundary, and about 100 bytes for each.
 */
public final class BoundarySweep {
  /** Stands for the vertex that the line passes among edges. */
  private static final Integer VERTEX = -1;

  private final int[] corners;

  /** Side 3t + k is edge k of triangle t, which lies on its left. */
  private final int[] sides;

  private final int firstIndex;

  /** The boundary's vertices from left to right, from below where they have one abscissa. */
  private final int[] vertices;

  private final double[] x;
  private final double[] y;

  // Of each edge the ends, by their places among the vertices.
  private final int[] start;
  private final int[] end;

  /** The edges that the line meets, by their places among the sides, from below. */
  private final TreeSet<Integer> met = new TreeSet<>((e, f) -> compare(e, f));

  private int at;

  /**
   * What is wrong with a triangulation.
   *
   * @param triangle one to blame
   */
  public record Fault(String text, int triangle) {}

  private BoundarySweep(double[] coordinates, int[] corners, int[] sides, int firstIndex) {
    this.corners = corners;
    this.sides = sides;
    this.firstIndex = firstIndex;
    // Every vertex of the boundary is where an edge of it starts.
    int[] ids = Arrays.stream(sides).map(this::startOf).sorted().distinct().toArray();
    int[] order =
        IntStream.range(0, ids.length)
            .boxed()
            // Adding zero turns a negative zero, which predicates take for equal, into a positive
            // one.
            .sorted(
                Comparator.<Integer>comparingDouble(i -> coordinates[2 * ids[i]] + 0.0)
                    .thenComparingDouble(i -> coordinates[2 * ids[i] + 1] + 0.0))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] places = new int[ids.length];
    for (int place = 0; place < order.length; place++) {
      places[order[place]] = place;
    }
    vertices = Arrays.stream(order).map(i -> ids[i]).toArray();
    x = Arrays.stream(vertices).mapToDouble(v -> coordinates[2 * v]).toArray();
    y = Arrays.stream(vertices).mapToDouble(v -> coordinates[2 * v + 1]).toArray();
    start = Arrays.stream(sides).map(h -> places[Arrays.binarySearch(ids, startOf(h))]).toArray();
    end = Arrays.stream(sides).map(h -> places[Arrays.binarySearch(ids, endOf(h))]).toArray();
  }

  /**
   * Looks for a fault.
   *
   * @param coordinates x of vertex v at 2v, y at 2v + 1
   * @param corners of triangle t at 3t .. 3t + 2
   * @param sides the edges of only one triangle: 3t + k is the one of triangle t opposite corner k
   * @param firstIndex what the text counts from
   * @return the first one from the left; null if there is none
   */
  public static Fault firstFault(double[] coordinates, int[] corners, int[] sides, int firstIndex) {
    BoundarySweep sweep = new BoundarySweep(coordinates, corners, sides, firstIndex);
    return sweep.isExact() ? sweep.run() : null;
  }

  private boolean isExact() {
    return Arrays.stream(x).allMatch(Predicates::isExactFor)
        && Arrays.stream(y).allMatch(Predicates::isExactFor);
  }

  private int startOf(int side) {
    return corners[side % 3 == 2 ? side - 2 : side + 1];
  }

  private int endOf(int side) {
    return corners[side % 3 == 0 ? side + 2 : side - 1];
  }

  private boolean leadsRight(int edge) {
    return start[edge] < end[edge];
  }

  private int left(int edge) {
    return Math.min(start[edge], end[edge]);
  }

  private int right(int edge) {
    return Math.max(start[edge], end[edge]);
  }

  /** Positive if a vertex, which the line has not passed, lies above an edge. */
  private int above(int v, int edge) {
    int from = left(edge);
    int to = right(edge);
    return (int) Math.signum(Predicates.orient2d(x[from], y[from], x[to], y[to], x[v], y[v]));
  }

  /** The order of two edges that the line meets, or of the vertex that it passes and one. */
  private int compare(Integer e, Integer f) {
    if (e.equals(f)) {
      return 0;
    }
    if (e.equals(VERTEX)) {
      return above(at, f);
    }
    if (f.equals(VERTEX)) {
      return -above(at, e);
    }
    if (left(e) < left(f)) {
      int side = above(left(f), e);
      return -(side != 0 ? side : above(right(f), e));
    }
    int side = above(left(e), f);
    return side != 0 ? side : above(right(e), f);
  }

  private Fault run() {
    int[] byLeft = sorted(true);
    int[] byRight = sorted(false);
    int begun = 0;
    int ended = 0;
    for (at = 0; at < vertices.length; at++) {
      if (at > 0 && samePlace(at - 1, at)) {
        return onePlace(at - 1, at);
      }
      for (; ended < byRight.length && right(byRight[ended]) == at; ended++) {
        met.remove(byRight[ended]);
      }
      int from = begun;
      while (begun < byLeft.length && left(byLeft[begun]) == at) {
        begun++;
      }
      Fault fault = begin(Arrays.copyOfRange(byLeft, from, begun));
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  /** The edges by their left ends, or by their right ones. */
  private int[] sorted(boolean byLeft) {
    int[] next = new int[vertices.length + 1];
    for (int edge = 0; edge < sides.length; edge++) {
      next[(byLeft ? left(edge) : right(edge)) + 1]++;
    }
    Arrays.parallelPrefix(next, Integer::sum);
    int[] sorted = new int[sides.length];
    for (int edge = 0; edge < sides.length; edge++) {
      sorted[next[byLeft ? left(edge) : right(edge)]++] = edge;
    }
    return sorted;
  }

  /** Meets the edges that begin at the present vertex, where others have ended. */
  private Fault begin(int[] edges) {
    Integer below = met.floor(VERTEX);
    if (below != null && above(at, below) == 0) {
      return vertexOnEdge(at, below);
    }
    Integer beyond = met.higher(VERTEX);
    for (int edge : edges) {
      if (!met.add(edge)) {
        return along(edge, met.floor(edge));
      }
    }
    Fault overlap = null;
    Integer lower = below;
    while (true) {
      Integer upper = lower != null ? met.higher(lower) : met.isEmpty() ? null : met.first();
      if (upper == null) {
        return overlap; // above all of a closed boundary it winds around nothing
      }
      if (lower != null && cross(lower, upper)) {
        return crossing(lower, upper);
      }
      boolean inside = lower != null && leadsRight(lower);
      if (overlap == null && leadsRight(upper) == inside) {
        overlap = overlap(upper);
      }
      if (upper.equals(beyond)) {
        return overlap;
      }
      lower = upper;
    }
  }

  private boolean cross(int e, int f) {
    return above(left(f), e) * above(right(f), e) < 0 && above(left(e), f) * above(right(e), f) < 0;
  }

  private long number(int zeroBased) {
    return zeroBased + (long) firstIndex;
  }

  private String place(int v) {
    return number(vertices[v]) + " at " + x[v] + " " + y[v];
  }

  private String text(int edge) {
    return "the edge of triangle "
        + number(sides[edge] / 3)
        + " from vertex "
        + number(vertices[start[edge]])
        + " to "
        + number(vertices[end[edge]]);
  }

  private boolean samePlace(int v, int w) {
    return x[v] == x[w] && y[v] == y[w];
  }

  private Fault onePlace(int v, int w) {
    int edge = 0;
    while (start[edge] != w) {
      edge++;
    }
    return new Fault(
        "vertices "
            + number(vertices[v])
            + " and "
            + place(w)
            + " coincide: merge them, so that the triangles there are neighbors",
        sides[edge] / 3);
  }

  /** Of two edges that lead from one vertex in one direction. */
  private Fault along(int e, int f) {
    int shorter = right(e) < right(f) ? e : f;
    int longer = shorter == e ? f : e;
    return samePlace(right(e), right(f))
        ? onePlace(right(shorter), right(longer))
        : vertexOnEdge(right(shorter), longer);
  }

  private Fault vertexOnEdge(int v, int edge) {
    return new Fault(
        "vertex "
            + place(v)
            + " lies on "
            + text(edge)
            + ", but is not one of its ends: split the triangle there",
        sides[edge] / 3);
  }

  private Fault crossing(int e, int f) {
    int first = sides[e] < sides[f] ? e : f;
    int second = first == e ? f : e;
    return new Fault(
        "triangles "
            + number(sides[first] / 3)
            + " and "
            + number(sides[second] / 3)
            + " overlap: "
            + text(first)
            + " crosses "
            + text(second),
        sides[second] / 3);
  }

  private Fault overlap(int edge) {
    return new Fault(
        "triangle "
            + number(sides[edge] / 3)
            + " overlaps others: "
            + text(edge)
            + " is on the boundary, and other triangles that do not meet it are there too",
        sides[edge] / 3);
  }
}
