package io.magpie.algorithms.mesh;

import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Checks that the boundary of a triangulation winds around no point more than once, so that
 * counter-clockwise triangles cover none twice.
 *
 * <p>A line sweeps over the boundary's edges from left to right and keeps those that it meets in
 * order from below (Shamos and Hoey, "Geometric intersection problems", 1976). Where no two cross
 * or overlap, and each has the triangles on the side that the one below it leaves to it, each point
 * lies outside of all triangles, or in one. Signs are exact in the range of {@link Predicates};
 * beyond it nothing is sure, and nothing is checked.
 *
 * <p>O(n log n) time for n edges, and 60 bytes or so for each.
 */
final class BoundarySweep {
  /** Stands for the present vertex among edges. */
  private static final Integer VERTEX = -1;

  private final MeshArrays mesh;
  private final Findings findings;

  /** Sides of triangles on the boundary; the triangle lies on the left of each. */
  private final int[] sides;

  /** The boundary's vertices from left to right, and from below where they are at one abscissa. */
  private final int[] vertices;

  /** The sweep: edges by their place among the sides, from below. */
  private final TreeSet<Integer> edges = new TreeSet<>((e, f) -> compare(e, f));

  private final int[] rankOf;
  private int at;

  private BoundarySweep(MeshArrays mesh, int[] sides, Findings findings) {
    this.mesh = mesh;
    this.sides = sides;
    this.findings = findings;
    vertices =
        IntStream.concat(
                Arrays.stream(sides).map(mesh::edgeStart), Arrays.stream(sides).map(mesh::edgeEnd))
            .sorted()
            .distinct()
            .boxed()
            // Adding zero turns a negative zero, which predicates take for equal, into a positive
            // one.
            .sorted(
                Comparator.<Integer>comparingDouble(v -> mesh.x(v) + 0.0)
                    .thenComparingDouble(v -> mesh.y(v) + 0.0))
            .mapToInt(Integer::intValue)
            .toArray();
    rankOf = new int[mesh.vertices()];
    for (int rank = 0; rank < vertices.length; rank++) {
      rankOf[vertices[rank]] = rank;
    }
  }

  /**
   * Checks a boundary and adds the first fault, of {@link MeshCheck#EDGES}.
   *
   * @param sides the edges that belong to one triangle
   */
  static void check(MeshArrays mesh, int[] sides, Findings findings) {
    BoundarySweep sweep = new BoundarySweep(mesh, sides, findings);
    if (sweep.isExact()) {
      sweep.run();
    }
  }

  private boolean isExact() {
    return Arrays.stream(vertices)
        .allMatch(v -> Predicates.isExactFor(mesh.x(v)) && Predicates.isExactFor(mesh.y(v)));
  }

  private boolean leadsRight(int edge) {
    return rankOf[mesh.edgeStart(sides[edge])] < rankOf[mesh.edgeEnd(sides[edge])];
  }

  private int left(int edge) {
    return leadsRight(edge) ? mesh.edgeStart(sides[edge]) : mesh.edgeEnd(sides[edge]);
  }

  private int right(int edge) {
    return leadsRight(edge) ? mesh.edgeEnd(sides[edge]) : mesh.edgeStart(sides[edge]);
  }

  private double turn(int a, int b, int c) {
    return Predicates.orient2d(mesh.x(a), mesh.y(a), mesh.x(b), mesh.y(b), mesh.x(c), mesh.y(c));
  }

  /** Positive if a vertex, which the sweep has not passed, lies above an edge. */
  private int above(int v, int edge) {
    return (int) Math.signum(turn(left(edge), right(edge), v));
  }

  /** The order of two edges that the sweep meets, or of the present vertex and one. */
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
    if (rankOf[left(e)] < rankOf[left(f)]) {
      int side = above(left(f), e);
      return -(side != 0 ? side : above(right(f), e));
    }
    int side = above(left(e), f);
    return side != 0 ? side : above(right(e), f);
  }

  private void run() {
    int[][] beginning = byVertex(true);
    int[][] ending = byVertex(false);
    for (int rank = 0; rank < vertices.length; rank++) {
      at = vertices[rank];
      if (rank > 0 && samePlace(vertices[rank - 1], at)) {
        int before = vertices[rank - 1];
        fault(() -> "vertices " + before + " and " + at + " lie at one place");
        return;
      }
      if (!pass(beginning[rank], ending[rank])) {
        return;
      }
    }
  }

  private boolean samePlace(int v, int w) {
    return mesh.x(v) == mesh.x(w) && mesh.y(v) == mesh.y(w);
  }

  /** Of each vertex, by rank, the edges of which it is the left end, or the right one. */
  private int[][] byVertex(boolean leftEnds) {
    int[] counts = new int[vertices.length];
    for (int edge = 0; edge < sides.length; edge++) {
      counts[rankOf[leftEnds ? left(edge) : right(edge)]]++;
    }
    int[][] lists = new int[vertices.length][];
    for (int rank = 0; rank < vertices.length; rank++) {
      lists[rank] = new int[counts[rank]];
    }
    for (int edge = 0; edge < sides.length; edge++) {
      int rank = rankOf[leftEnds ? left(edge) : right(edge)];
      lists[rank][--counts[rank]] = edge;
    }
    return lists;
  }

  /** Passes the present vertex; false if a fault was found. */
  private boolean pass(int[] beginning, int[] ending) {
    for (int edge : ending) {
      if (!edges.remove(edge)) {
        return fault(() -> text(edge) + " crosses another one");
      }
    }
    Integer below = edges.floor(VERTEX);
    if (below != null && above(at, below) == 0) {
      return fault(() -> "vertex " + at + " lies on " + text(below));
    }
    Integer end = edges.higher(VERTEX);
    for (int edge : beginning) {
      if (!edges.add(edge)) {
        Integer other = edges.floor(edge);
        return fault(() -> text(edge) + " lies along " + text(other));
      }
    }
    Integer lower = below;
    while (true) {
      Integer upper = lower != null ? edges.higher(lower) : edges.isEmpty() ? null : edges.first();
      if (!fit(lower, upper)) {
        return false;
      }
      if (upper == null || upper.equals(end)) {
        return true;
      }
      lower = upper;
    }
  }

  /** Whether two edges, one next above the other, do not cross, and agree on what is between. */
  private boolean fit(Integer lower, Integer upper) {
    boolean inside = lower != null && leadsRight(lower);
    if (upper == null ? inside : leadsRight(upper) == inside) {
      Integer edge = upper != null ? upper : lower;
      return fault(() -> "triangle " + sides[edge] / 3 + " overlaps others at " + text(edge));
    }
    if (lower != null && upper != null && cross(lower, upper)) {
      return fault(() -> text(lower) + " crosses " + text(upper));
    }
    return true;
  }

  private boolean cross(int e, int f) {
    return above(left(f), e) * above(right(f), e) < 0 && above(left(e), f) * above(right(e), f) < 0;
  }

  private String text(int edge) {
    int side = sides[edge];
    return "edge "
        + mesh.edgeStart(side)
        + "-"
        + mesh.edgeEnd(side)
        + " of triangle "
        + side / 3
        + " on the boundary";
  }

  private boolean fault(Supplier<String> text) {
    findings.add(MeshCheck.EDGES, text);
    return false;
  }
}
