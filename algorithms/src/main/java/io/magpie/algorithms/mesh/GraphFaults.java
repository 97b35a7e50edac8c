package io.magpie.algorithms.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lists what keeps a graph from being triangulated, so that a user need not correct it fault by
 * fault. Looked for only when a first one was met.
 */
final class GraphFaults {
  /** Most faults that a message names, and most segments that are refused before it is made. */
  private static final int NAMED = 10;

  private GraphFaults() {}

  /** Names the vertices that lie at the place of another one. */
  static DuplicateVerticesException duplicates(PlanarGraph graph) {
    int[] first = graph.firstAtSamePlace();
    List<String> named = new ArrayList<>();
    long count = 0;
    for (int v = 0; v < first.length; v++) {
      if (first[v] != v && count++ < NAMED) {
        long base = graph.firstIndex();
        named.add(
            (first[v] + base) + " and " + (v + base) + " at " + graph.x(v) + " " + graph.y(v));
      }
    }
    return new DuplicateVerticesException(
        "vertices " + listed(named, count) + " coincide: merge them first");
  }

  /**
   * Names segments that cross. Goes on inserting, so that all are found in the time that a graph
   * without faults takes, unless there are many.
   *
   * @param insertion of the graph's segments, up to the first one that crosses one before it
   * @param pointOf the number there of each vertex
   */
  static IllegalArgumentException crossings(
      PlanarGraph graph, SegmentInsertion insertion, int[] pointOf, int first) {
    List<Integer> refused = new ArrayList<>();
    Crossings found = new Crossings(graph);
    int next = first;
    while (next < graph.segments() && refused.size() < NAMED) {
      int start = pointOf[graph.segmentStart(next)];
      int end = pointOf[graph.segmentEnd(next)];
      int obstacle = insertion.insert(start, end, next);
      if (obstacle != Triangulation.NONE) {
        refused.add(next);
        found.add(next, obstacle);
      }
      next++;
    }
    boolean all = next == graph.segments();
    if (all) {
      found = new Crossings(graph);
      for (int s : refused) {
        found.addAll(s, refused, insertion, pointOf);
      }
    }
    String summary =
        found.count == 1
            ? ""
            : (all ? "" : "at least ") + found.count + " pairs of segments cross: ";
    return new IllegalArgumentException(
        summary
            + listed(found.named, found.count)
            + (all ? "" : "; no more were looked for")
            + ": put a vertex where they cross and cut both there");
  }

  private static String listed(List<String> pairs, long count) {
    String list = String.join("; ", pairs);
    return count > pairs.size() ? list + "; and " + (count - pairs.size()) + " more pairs" : list;
  }

  /**
   * Pairs of segments that cross, of which the first are named. Where segments lie on each other,
   * the first of them stands for all.
   */
  private static final class Crossings {
    private final PlanarGraph graph;
    private final List<String> named = new ArrayList<>();
    private long count;

    private Crossings(PlanarGraph graph) {
      this.graph = graph;
    }

    private void add(int s, int r) {
      if (count++ < NAMED) {
        named.add(
            graph.segmentText(Math.max(s, r))
                + " crosses "
                + graph.segmentText(Math.min(s, r))
                + " near "
                + place(s, r));
      }
    }

    private String place(int s, int r) {
      int a = graph.segmentStart(s);
      int b = graph.segmentEnd(s);
      int c = graph.segmentStart(r);
      int d = graph.segmentEnd(r);
      double before = graph.turn(c, d, a);
      double along = before / (before - graph.turn(c, d, b));
      double x = graph.x(a) + along * (graph.x(b) - graph.x(a));
      double y = graph.y(a) + along * (graph.y(b) - graph.y(a));
      return x + " " + y;
    }

    /** Adds what a refused segment crosses: inserted ones, and refused ones before it. */
    private void addAll(int s, List<Integer> refused, SegmentInsertion insertion, int[] pointOf) {
      for (int r : refused) {
        if (r < s && cross(s, r)) {
          add(s, r);
        }
      }
      int start = pointOf[graph.segmentStart(s)];
      int end = pointOf[graph.segmentEnd(s)];
      insertion.forEachObstacle(
          start,
          end,
          r -> {
            if (!refused.contains(r)) { // of which some parts are inserted
              add(s, r);
            }
          });
    }

    private boolean cross(int s, int r) {
      int a = graph.segmentStart(s);
      int b = graph.segmentEnd(s);
      int c = graph.segmentStart(r);
      int d = graph.segmentEnd(r);
      return opposite(graph.turn(a, b, c), graph.turn(a, b, d))
          && opposite(graph.turn(c, d, a), graph.turn(c, d, b))
          // Where they meet at a vertex, both are cut there.
          && IntStream.range(0, graph.vertices())
              .noneMatch(v -> graph.turn(a, b, v) == 0 && graph.turn(c, d, v) == 0);
    }

    private static boolean opposite(double a, double b) {
      return (a > 0 && b < 0) || (a < 0 && b > 0);
    }
  }
}
