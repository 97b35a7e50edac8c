package io.magpie.algorithms.mesh;

import io.magpie.algorithms.mesh.internal.Predicates;
import java.util.Arrays;

/**
 * A triangulation of the whole plane under construction: the triangles of the points' convex hull,
 * and for each of the hull's edges a ghost triangle on its outer side with {@link #GHOST}, the
 * vertex at infinity. So every edge has two sides, and a point outside the hull is inserted like
 * one inside (Shewchuk, Lecture notes on Delaunay mesh generation, section 3.3).
 *
 * <p>Half-edge {@code 8 t + k}, k from 0 to 2, is the side of an edge that lies in triangle t and
 * opposite its corner k; going along it, the triangle is on the left. All signs are exact, so
 * nothing here depends on rounding. One array holds everything, 32 bytes for each triangle, so that
 * a step to another triangle touches one cache line. Not for use by several threads at once.
 */
final class Triangulation {
  /** The vertex at infinity. */
  static final int GHOST = -1;

  /** No such triangle, half-edge, vertex or segment. */
  static final int NONE = -1;

  /** So that half-edges, 8 for each of fewer than 2 n triangles, are numbers of 31 bits. */
  static final int MAX_POINTS = (1 << 27) - 8;

  private static final int TWIN = 4;

  private final double[] points;

  /** Corner k of triangle t at 8t + k; the other side of edge k at 8t + 4 + k. */
  private final int[] cells;

  private int triangles;

  /** Where the last insertion was: the next one is likely to be near. */
  private int last;

  /** The state of a linear congruential generator of full period; its uppermost bit is used. */
  private int random;

  // The rim of the cavity of the point being inserted, counter-clockwise: where each edge starts,
  // and its outer side. And what is yet to be looked at, and the triangles to be replaced.
  private int[] rimStarts = new int[64];
  private int[] rimSides = new int[64];
  private int[] pending = new int[66];
  private int[] cavity = new int[64];

  /**
   * Starts with one triangle.
   *
   * @param points x of point v at 2v, y at 2v + 1; not copied. There may be more than will be
   *     inserted, to be located only.
   * @param n how many will be inserted, at most {@link #MAX_POINTS}
   * @param a one point
   * @param b another
   * @param c a third one, to the left of a and b
   */
  Triangulation(double[] points, int n, int a, int b, int c) {
    this.points = points;
    // A sphere's triangulation with n + 1 vertices has 2 (n + 1) - 4 triangles.
    cells = new int[8 * (2 * n - 2)];
    place(0, a, b, c);
    place(1, c, b, GHOST);
    place(2, a, c, GHOST);
    place(3, b, a, GHOST);
    triangles = 4;
    for (int k = 0; k < 3; k++) {
      link(k, 8 * (k + 1) + 2);
      // The end of one hull edge is the start of the next.
      link(8 * (k + 1) + 1, 8 * ((k + 1) % 3 + 1));
    }
  }

  /** Ghosts included; all numbers below are in use. */
  int triangles() {
    return triangles;
  }

  boolean isGhost(int t) {
    return (cells[8 * t] | cells[8 * t + 1] | cells[8 * t + 2]) < 0;
  }

  /** The half-edge after h around its triangle. */
  static int next(int h) {
    return h + 1 - 3 * (h >> 1 & 1);
  }

  /** The half-edge before h around its triangle. */
  static int previous(int h) {
    return h - 1 + 3 * ((h & 3) - 1 >>> 31);
  }

  /** The corner that h lies opposite. */
  int apex(int h) {
    return cells[h];
  }

  /** Where h starts. */
  int start(int h) {
    return cells[next(h)];
  }

  /** Where h ends. */
  int end(int h) {
    return cells[previous(h)];
  }

  /** The other side of the edge. */
  int twin(int h) {
    return cells[h + TWIN];
  }

  void setTwin(int h, int g) {
    cells[h + TWIN] = g;
  }

  /** Makes two half-edges the sides of one edge. */
  void link(int h, int g) {
    cells[h + TWIN] = g;
    cells[g + TWIN] = h;
  }

  /** Gives triangle t its corners; the other sides of its edges are to be linked. */
  void place(int t, int a, int b, int c) {
    cells[8 * t] = a;
    cells[8 * t + 1] = b;
    cells[8 * t + 2] = c;
  }

  /** The sign of the orientation of three points, exact. */
  double orientation(int a, int b, int c) {
    return Predicates.orient2d(
        points[2 * a],
        points[2 * a + 1],
        points[2 * b],
        points[2 * b + 1],
        points[2 * c],
        points[2 * c + 1]);
  }

  /** Whether p, on the line of a and b, lies between them; false at both ends. */
  boolean between(int a, int b, int p) {
    double ax = points[2 * a];
    double bx = points[2 * b];
    if (ax == bx) {
      double y = points[2 * p + 1];
      double ay = points[2 * a + 1];
      double by = points[2 * b + 1];
      return ay < y && y < by || by < y && y < ay;
    }
    double x = points[2 * p];
    return ax < x && x < bx || bx < x && x < ax;
  }

  /** Whether p lies strictly inside the circle of triangle t; that of a ghost is a half-plane. */
  boolean conflicts(int t, int p) {
    int a = cells[8 * t];
    int b = cells[8 * t + 1];
    int c = cells[8 * t + 2];
    if ((a | b | c) >= 0) {
      return Predicates.inCircle(
              points[2 * a],
              points[2 * a + 1],
              points[2 * b],
              points[2 * b + 1],
              points[2 * c],
              points[2 * c + 1],
              points[2 * p],
              points[2 * p + 1])
          > 0;
    }
    int u = a < 0 ? b : b < 0 ? c : a;
    int v = a < 0 ? c : b < 0 ? a : b;
    double side = orientation(u, v, p);
    // On the line of the hull's edge, the circles of the triangles beyond decide by limit.
    return side > 0 || side == 0 && between(u, v, p);
  }

  /**
   * A triangle that holds p in its interior or on its rim, or a ghost whose edge p lies strictly
   * beyond; by a walk that draws which edge to look at first, and so ends in every triangulation,
   * Delaunay or not (Devillers, Pion, Teillaud, Walking in a triangulation, 2002).
   *
   * @param p a point, inserted or not
   */
  int locate(int p) {
    int[] cells = this.cells;
    int h = 8 * last;
    if (isGhost(last)) {
      while (cells[h] != GHOST) {
        h++;
      }
      h = cells[h + TWIN];
    }
    // Having come from nowhere, the first triangle has one edge more to look at than the others.
    if (orientation(start(h), end(h), p) < 0) {
      h = cells[h + TWIN];
    }
    int bits = random;
    while (cells[h] != GHOST) {
      bits = bits * 0x915f77f5 + 1;
      int one = bits < 0 ? next(h) : previous(h);
      int other = bits < 0 ? previous(h) : next(h);
      if (orientation(start(one), end(one), p) < 0) {
        h = cells[one + TWIN];
      } else if (orientation(start(other), end(other), p) < 0) {
        h = cells[other + TWIN];
      } else {
        break;
      }
    }
    random = bits;
    last = h >> 3;
    return last;
  }

  /**
   * Inserts a point into a triangulation that is Delaunay, and so it stays: all triangles whose
   * circles hold the point make way for the star of triangles around it (Bowyer; Watson, 1981).
   *
   * @param p a point that is not inserted yet
   * @return the vertex at p's place, which leaves everything as it was; else {@link #NONE}
   */
  int insert(int p) {
    int[] cells = this.cells;
    int first = locate(p);
    for (int k = 0; k < 3; k++) {
      int v = cells[8 * first + k];
      if (v != GHOST && points[2 * v] == points[2 * p] && points[2 * v + 1] == points[2 * p + 1]) {
        return v;
      }
    }
    int rim = 0;
    int waiting = 3;
    int replaced = 1;
    cavity[0] = first;
    pending[0] = 8 * first + 2;
    pending[1] = 8 * first + 1;
    pending[2] = 8 * first;
    // The cavity holds no vertex, so its triangles form a tree, and each is met once. Its edges are
    // left in counter-clockwise order.
    while (waiting > 0) {
      int h = pending[--waiting];
      int g = cells[h + TWIN];
      if (conflicts(g >> 3, p)) {
        if (replaced == cavity.length) {
          cavity = Arrays.copyOf(cavity, 2 * replaced);
          // Each triangle takes one edge away and adds two.
          pending = Arrays.copyOf(pending, 2 * replaced + 2);
        }
        cavity[replaced++] = g >> 3;
        pending[waiting++] = previous(g);
        pending[waiting++] = next(g);
      } else {
        if (rim == rimSides.length) {
          rimStarts = Arrays.copyOf(rimStarts, 2 * rim);
          rimSides = Arrays.copyOf(rimSides, 2 * rim);
        }
        rimStarts[rim] = cells[previous(g)];
        rimSides[rim++] = g;
      }
    }
    fill(p, rim, replaced);
    return NONE;
  }

  /** Triangles from p to each edge of the rim; the two more than were replaced are new. */
  private void fill(int p, int rim, int replaced) {
    int[] cells = this.cells;
    int previous = triangles + 1;
    int u = rimStarts[0];
    for (int i = 0; i < rim; i++) {
      int t = i < replaced ? cavity[i] : triangles + i - replaced;
      int v = rimStarts[i + 1 < rim ? i + 1 : 0];
      int h = 8 * t;
      cells[h] = u;
      cells[h + 1] = v;
      cells[h + 2] = p;
      int outer = rimSides[i];
      cells[h + 2 + TWIN] = outer;
      cells[outer + TWIN] = h + 2;
      // From p to u here, and from u to p in the triangle before: its edge opposite its first
      // corner.
      cells[h + 1 + TWIN] = 8 * previous;
      cells[8 * previous + TWIN] = h + 1;
      previous = t;
      u = v;
    }
    triangles += rim - replaced;
    last = previous;
  }
}
