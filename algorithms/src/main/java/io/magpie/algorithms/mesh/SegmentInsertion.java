package io.magpie.algorithms.mesh;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Makes segments edges of a Delaunay triangulation and keeps it constrained Delaunay: no triangle's
 * circle holds a vertex that could be seen from the triangle's interior past the segments.
 *
 * <p>Method: the triangles that a segment crosses are removed; the polygons left on its two sides
 * are visible from it, so that a Graham scan triangulates each (Toussaint and Avis, On a convex
 * hull algorithm for polygons and its application to triangulation problems, 1982); then edges are
 * flipped until all are locally Delaunay (Lawson). A segment is cut at each vertex that lies
 * exactly on it. What two segments share belongs to the first one.
 *
 * <p>Cost: for each segment O(degree of its start + edges crossed) and the flips, which are few as
 * a rule and at most quadratic in the edges crossed. Memory: 16 bytes for each triangle.
 */
final class SegmentInsertion {
  private static final int NONE = Triangulation.NONE;
  private static final int GHOST = Triangulation.GHOST;

  private final Triangulation mesh;

  /** For each vertex a half-edge that lies opposite it. */
  private final int[] spokes;

  /** The part on each half-edge, at 4t + k for half-edge 8t + k; or {@link #NONE}. */
  private final int[] partOf;

  private int[] partStarts = new int[64];
  private int[] partEnds = new int[64];
  private int[] partSegments = new int[64];
  private int parts;

  /** The triangles that a segment crosses, to be replaced. */
  private int[] crossed = new int[64];

  private int crossings;
  private int replaced;
  private final Chain right = new Chain();
  private final Chain left = new Chain();

  // The stack of the Graham scan, a path of edges: where each starts, its outer side, its part, and
  // its index in the chain, or NONE for an edge that the scan made.
  private int[] starts = new int[64];
  private int[] outers = new int[64];
  private int[] labels = new int[64];
  private int[] indices = new int[64];

  /** Half-edges that may not be locally Delaunay. */
  private int[] suspects = new int[64];

  private int suspected;

  /** A path of edges along the rim of the crossed triangles, which lie to its left. */
  private static final class Chain {
    int size;

    /** The side of each edge that lies in a crossed triangle, later in a new one. */
    int[] inner = new int[64];

    int[] outer = new int[64];
    int[] starts = new int[64];
    int[] labels = new int[64];

    /** Where an edge's other side is in the chain, if it is: for edges that jut into the inside. */
    int[] partners = new int[64];

    void add(int h) {
      inner = ensure(inner, size + 1);
      inner[size++] = h;
    }

    void reverse() {
      for (int i = 0, j = size - 1; i < j; i++, j--) {
        int swap = inner[i];
        inner[i] = inner[j];
        inner[j] = swap;
      }
    }
  }

  /**
   * Begins without segments.
   *
   * @param mesh a Delaunay triangulation; from now on only this changes it
   * @param points the number of points, all of them inserted
   */
  SegmentInsertion(Triangulation mesh, int points) {
    this.mesh = mesh;
    spokes = new int[points];
    partOf = new int[4 * mesh.triangles()];
    Arrays.fill(partOf, NONE);
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int h = 8 * t; h < 8 * t + 3; h++) {
        if (mesh.apex(h) != GHOST) {
          spokes[mesh.apex(h)] = h;
        }
      }
    }
  }

  private static int[] ensure(int[] array, int size) {
    return size <= array.length ? array : Arrays.copyOf(array, Math.max(size, 2 * array.length));
  }

  private static int label(int h) {
    return h >> 3 << 2 | h & 3;
  }

  /** The number of parts, numbered in the order of segments and along each from its start. */
  int parts() {
    return parts;
  }

  int partStart(int part) {
    return partStarts[part];
  }

  int partEnd(int part) {
    return partEnds[part];
  }

  /** The segment that a part belongs to. */
  int partSegment(int part) {
    return partSegments[part];
  }

  /** The part on a half-edge, or {@link Triangulation#NONE}. */
  int part(int h) {
    return partOf[label(h)];
  }

  /**
   * Inserts a segment.
   *
   * @param a where it starts
   * @param b where it ends, another vertex
   * @param segment its number, for {@link #partSegment}
   * @return the segment that it crosses, then it is inserted up to there; else {@link
   *     Triangulation#NONE}
   */
  int insert(int a, int b, int segment) {
    int from = a;
    while (from != b) {
      int h = toward(from, b);
      int edge = h;
      if (mesh.apex(h) == from) {
        int obstacle = cross(from, b, h);
        if (obstacle != NONE) {
          return partSegments[obstacle];
        }
        edge = retriangulate();
      }
      int to = mesh.end(edge);
      if (partOf[label(edge)] == NONE) {
        add(from, to, segment);
        partOf[label(edge)] = parts - 1;
        partOf[label(mesh.twin(edge))] = parts - 1;
      }
      legalize();
      from = to;
    }
    return NONE;
  }

  /**
   * Finds all that a segment crosses, and changes nothing.
   *
   * @param a where it starts
   * @param b where it ends, another vertex
   * @param found told of each segment with a part in the way, from a to b
   */
  void forEachObstacle(int a, int b, IntConsumer found) {
    int from = a;
    while (from != b) {
      int h = toward(from, b);
      if (mesh.apex(h) != from) {
        from = mesh.end(h);
        continue;
      }
      double side = 1;
      int w = from;
      while (side != 0) {
        if (partOf[label(h)] != NONE) {
          found.accept(partSegments[partOf[label(h)]]);
        }
        int g = mesh.twin(h);
        w = mesh.apex(g);
        side = w == b ? 0 : mesh.orientation(from, b, w);
        h = side < 0 ? Triangulation.previous(g) : Triangulation.next(g);
      }
      from = w;
    }
  }

  private void add(int start, int end, int segment) {
    partStarts = ensure(partStarts, parts + 1);
    partEnds = ensure(partEnds, parts + 1);
    partSegments = ensure(partSegments, parts + 1);
    partStarts[parts] = start;
    partEnds[parts] = end;
    partSegments[parts++] = segment;
  }

  /**
   * The way from a toward b: a half-edge that starts at a and points at b, or else the half-edge
   * opposite a through whose interior the way leads.
   */
  private int toward(int a, int b) {
    int h = spokes[a];
    while (true) {
      int p = mesh.start(h);
      int q = mesh.end(h);
      if (p != GHOST && q != GHOST) {
        double fromRight = mesh.orientation(a, p, b);
        double fromLeft = mesh.orientation(a, q, b);
        if (fromRight > 0 && fromLeft < 0) {
          return h;
        }
        if (fromRight == 0 && fromLeft < 0) {
          return Triangulation.previous(h);
        }
        if (fromRight > 0 && fromLeft == 0) {
          return mesh.twin(Triangulation.next(h));
        }
      }
      h = Triangulation.next(mesh.twin(Triangulation.next(h)));
    }
  }

  /**
   * Collects the triangles crossed on the way from a through h to b or to the first vertex on it,
   * and the chains: on the right from a to there, on the left back to a.
   *
   * @return the part in the way, or {@link #NONE}
   */
  private int cross(int a, int b, int h) {
    right.size = 0;
    left.size = 0;
    crossed[0] = h >> 3;
    crossings = 1;
    right.add(Triangulation.previous(h));
    left.add(Triangulation.next(h));
    while (partOf[label(h)] == NONE) {
      int g = mesh.twin(h);
      crossed = ensure(crossed, crossings + 1);
      crossed[crossings++] = g >> 3;
      int w = mesh.apex(g);
      double side = w == b ? 0 : mesh.orientation(a, b, w);
      if (side <= 0) {
        right.add(Triangulation.next(g));
      }
      if (side >= 0) {
        left.add(Triangulation.previous(g));
      }
      if (side == 0) {
        left.reverse();
        return NONE;
      }
      h = side < 0 ? Triangulation.previous(g) : Triangulation.next(g);
    }
    return partOf[label(h)];
  }

  /** Replaces the crossed triangles; returns the edge between the chains, toward b. */
  private int retriangulate() {
    int end = mesh.start(left.inner[0]);
    int start = mesh.start(right.inner[0]);
    detach(right);
    detach(left);
    replaced = 0;
    int h = scan(right, end);
    int g = scan(left, start);
    mesh.link(h, g);
    partOf[label(h)] = NONE;
    partOf[label(g)] = NONE;
    return g;
  }

  /** Notes what there is to know of a chain's edges, as their inner sides are about to go. */
  private void detach(Chain chain) {
    int size = chain.size;
    chain.outer = ensure(chain.outer, size);
    chain.starts = ensure(chain.starts, size);
    chain.labels = ensure(chain.labels, size);
    chain.partners = ensure(chain.partners, size);
    for (int i = 0; i < size; i++) {
      int h = chain.inner[i];
      chain.outer[i] = mesh.twin(h);
      chain.starts[i] = mesh.start(h);
      chain.labels[i] = partOf[label(h)];
    }
    // Until they are replaced, the inner sides tell their index: no half-edge's twin is negative.
    for (int i = 0; i < size; i++) {
      mesh.setTwin(chain.inner[i], ~i);
    }
    for (int i = 0; i < size; i++) {
      int back = mesh.twin(chain.outer[i]);
      chain.partners[i] = back < 0 ? ~back : NONE;
    }
  }

  /**
   * Triangulates the polygon that a chain closes with an edge from its end to its start: cuts off a
   * triangle wherever the path turns left.
   *
   * @return that edge's half inside the polygon
   */
  private int scan(Chain chain, int end) {
    starts = ensure(starts, chain.size);
    outers = ensure(outers, chain.size);
    labels = ensure(labels, chain.size);
    indices = ensure(indices, chain.size);
    int top = -1;
    for (int i = 0; i < chain.size; i++) {
      top++;
      starts[top] = chain.starts[i];
      outers[top] = chain.outer[i];
      labels[top] = chain.labels[i];
      indices[top] = i;
      int z = i + 1 < chain.size ? chain.starts[i + 1] : end;
      while (top > 0 && mesh.orientation(starts[top - 1], starts[top], z) > 0) {
        int h = 8 * crossed[replaced++];
        place(h, starts[top - 1], starts[top], z);
        attach(chain, h, top);
        attach(chain, h + 2, top - 1);
        top--;
        outers[top] = h + 1;
        labels[top] = NONE;
        indices[top] = NONE;
        partOf[label(h + 1)] = NONE;
        suspect(h + 1);
      }
    }
    for (int i = 0; i < chain.size; i++) {
      if (chain.partners[i] > i) {
        mesh.link(chain.inner[i], chain.inner[chain.partners[i]]);
      }
    }
    return outers[0];
  }

  private void place(int h, int a, int b, int c) {
    mesh.place(h >> 3, a, b, c);
    spokes[a] = h;
    spokes[b] = h + 1;
    spokes[c] = h + 2;
  }

  /** Makes a new triangle's half-edge the inner side of an edge on the stack. */
  private void attach(Chain chain, int h, int at) {
    partOf[label(h)] = labels[at];
    int index = indices[at];
    if (index != NONE) {
      chain.inner[index] = h;
      if (chain.partners[index] != NONE) {
        return;
      }
    }
    mesh.link(h, outers[at]);
  }

  private void suspect(int h) {
    suspects = ensure(suspects, suspected + 1);
    suspects[suspected++] = h;
  }

  /** Flips suspected edges, and those around flipped ones, until all are locally Delaunay. */
  private void legalize() {
    while (suspected > 0) {
      int h = suspects[--suspected];
      int g = mesh.twin(h);
      if (partOf[label(h)] == NONE
          && mesh.apex(h) != GHOST
          && mesh.apex(g) != GHOST
          && mesh.conflicts(h >> 3, mesh.apex(g))) {
        flip(h, g);
      }
    }
  }

  /** Replaces the edge of h and g by the other diagonal of its quadrilateral. */
  private void flip(int h, int g) {
    int a = mesh.apex(h);
    int u = mesh.start(h);
    int d = mesh.apex(g);
    int v = mesh.end(h);
    int au = Triangulation.previous(h);
    int ud = Triangulation.next(g);
    int dv = Triangulation.previous(g);
    int va = Triangulation.next(h);
    int auTwin = mesh.twin(au);
    int udTwin = mesh.twin(ud);
    int dvTwin = mesh.twin(dv);
    int vaTwin = mesh.twin(va);
    int auPart = partOf[label(au)];
    int udPart = partOf[label(ud)];
    int dvPart = partOf[label(dv)];
    int vaPart = partOf[label(va)];
    int t = h & ~7;
    int s = g & ~7;
    place(t, a, u, d);
    place(s, d, v, a);
    mesh.link(t + 1, s + 1);
    partOf[label(t + 1)] = NONE;
    partOf[label(s + 1)] = NONE;
    rejoin(t, udTwin, udPart);
    rejoin(t + 2, auTwin, auPart);
    rejoin(s, vaTwin, vaPart);
    rejoin(s + 2, dvTwin, dvPart);
  }

  private void rejoin(int h, int twin, int part) {
    mesh.link(h, twin);
    partOf[label(h)] = part;
    suspect(h);
  }
}
