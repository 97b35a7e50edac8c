package io.magpie.algorithms.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lists what keeps a graph from being triangulated, all of it at once, so that a user need not
 * correct it fault by fault. Looked for only when a first one was met.
 */
final class GraphFaults {
  /** Most faults that a message names; it counts the others. */
  private static final int NAMED = 10;

  /** Most pairs of segments that are compared, so that a message is not long in coming. */
  private static final long MOST_COMPARISONS = 1L << 31;

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
        "vertices "
            + listed(named, count, "pairs")
            + (count == 1
                ? " lie at one place: merge them first"
                : " lie at one place each: merge them first"));
  }

  /** Names the segments that cross, of which two are known. */
  static IllegalArgumentException crossings(PlanarGraph graph, int segment, int obstacle) {
    Search search = new Search(graph);
    search.run();
    List<String> named = search.named;
    long count = search.count;
    if (count == 0) {
      named.add(text(graph, segment, obstacle));
      count = 1;
    }
    String summary =
        count == 1
            ? ""
            : (search.complete ? "" : "at least ") + count + " pairs of segments cross: ";
    return new IllegalArgumentException(
        summary
            + listed(named, count, "pairs")
            + ": put a vertex where they cross and cut both there");
  }

  private static String text(PlanarGraph graph, int segment, int obstacle) {
    return graph.segmentText(segment) + " crosses " + graph.segmentText(obstacle);
  }

  private static String listed(List<String> named, long count, String unit) {
    String list = String.join("; ", named);
    return count > named.size() ? list + "; and " + (count - named.size()) + " more " + unit : list;
  }

  /**
   * Compares segments whose extents overlap: by the left ends, each with those before it that reach
   * as far.
   */
  private static final class Search {
    private final PlanarGraph graph;
    private final List<String> named = new ArrayList<>();
    private long count;
    private boolean complete = true;

    /** The vertices from left to right. */
    private final int[] vertices;

    private Search(PlanarGraph graph) {
      this.graph = graph;
      vertices =
          IntStream.range(0, graph.vertices())
              .boxed()
              .sorted((v, w) -> Double.compare(graph.x(v), graph.x(w)))
              .mapToInt(Integer::intValue)
              .toArray();
    }

    private double left(int s) {
      return Math.min(graph.x(graph.segmentStart(s)), graph.x(graph.segmentEnd(s)));
    }

    private double right(int s) {
      return Math.max(graph.x(graph.segmentStart(s)), graph.x(graph.segmentEnd(s)));
    }

    private double lower(int s) {
      return Math.min(graph.y(graph.segmentStart(s)), graph.y(graph.segmentEnd(s)));
    }

    private double upper(int s) {
      return Math.max(graph.y(graph.segmentStart(s)), graph.y(graph.segmentEnd(s)));
    }

    private void run() {
      int[] segments =
          IntStream.range(0, graph.segments())
              .boxed()
              .sorted((s, r) -> Double.compare(left(s), left(r)))
              .mapToInt(Integer::intValue)
              .toArray();
      int[] reaching = new int[segments.length];
      int size = 0;
      long comparisons = 0;
      for (int s : segments) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
          int r = reaching[i];
          if (right(r) < left(s)) {
            continue;
          }
          reaching[kept++] = r;
          if (lower(r) <= upper(s) && lower(s) <= upper(r) && cross(s, r)) {
            if (count++ < NAMED) {
              named.add(text(graph, Math.max(s, r), Math.min(s, r)));
            }
          }
        }
        comparisons += size;
        if (comparisons > MOST_COMPARISONS) {
          complete = false;
          return;
        }
        size = kept;
        reaching[size++] = s;
      }
    }

    private boolean cross(int s, int r) {
      int a = graph.segmentStart(s);
      int b = graph.segmentEnd(s);
      int c = graph.segmentStart(r);
      int d = graph.segmentEnd(r);
      return opposite(graph.turn(a, b, c), graph.turn(a, b, d))
          && opposite(graph.turn(c, d, a), graph.turn(c, d, b))
          && !meetAtVertex(a, b, c, d);
    }

    private static boolean opposite(double a, double b) {
      return (a > 0 && b < 0) || (a < 0 && b > 0);
    }

    /** Whether a vertex lies where a-b and c-d cross: then both are cut there. */
    private boolean meetAtVertex(int a, int b, int c, int d) {
      double toC = Math.abs(graph.turn(a, b, c));
      double toD = Math.abs(graph.turn(a, b, d));
      double x = graph.x(c) + (graph.x(d) - graph.x(c)) * (toC / (toC + toD));
      double tolerance = 1e-9 * (graph.maxX() - graph.minX());
      int from = 0;
      for (int step = Integer.highestOneBit(vertices.length); step > 0; step /= 2) {
        if (from + step <= vertices.length && graph.x(vertices[from + step - 1]) < x - tolerance) {
          from += step;
        }
      }
      for (int i = from; i < vertices.length && graph.x(vertices[i]) <= x + tolerance; i++) {
        int v = vertices[i];
        if (graph.turn(a, b, v) == 0 && graph.turn(c, d, v) == 0) {
          return true;
        }
      }
      return false;
    }
  }
}
