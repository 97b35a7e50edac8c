package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.DirectedGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks shortest paths against their definition, and against {@link PathsReference}.
 *
 * <p>Checked, as the rules of Graph500 ask for: the source has distance 0 and is its own
 * predecessor; no arc from a reached vertex leads to one that is not reached, nor to one farther
 * away than the arc is long; an arc as long as the distances differ leads from every other reached
 * vertex's predecessor to it; predecessors form a tree whose root is the source; vertices that are
 * not reached have none. Without predecessors: such arcs lead from the source to every reached
 * vertex. Either proves that distances are right, those that are doubles to the last bit: adding an
 * arc is the same operation here, and never makes a smaller sum of a larger one.
 */
public final class PathsVerifier {
  /** Mistakes of one kind that are told one by one. */
  private static final int MOST_TOLD = 3;

  /** The bits of the double that is infinite; those of finite ones from 0 are less. */
  private static final long INFINITE = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);

  private PathsVerifier() {}

  /**
   * Checks a result against its definition. Cost: O(vertices + arcs) time, 5 bytes for each vertex.
   *
   * @param result what to check
   * @return what is wrong, one sentence each; empty if nothing is
   */
  public static List<String> verify(PathsResult result) {
    Findings wrong = new Findings();
    if (hasShape(result, wrong)) {
      checkArcs(result, wrong);
      if (result.predecessors().isPresent()) {
        checkTree(result, result.predecessors().get(), wrong);
      } else {
        checkReach(result, wrong);
      }
    }
    return wrong.sentences;
  }

  /**
   * Checks a result against its definition, and its distances against a reference.
   *
   * @param result what to check
   * @param reference shortest paths in the same graph from the same source
   * @return what is wrong, one sentence each; empty if nothing is
   */
  public static List<String> verify(PathsResult result, PathsResult reference) {
    List<String> wrong = new ArrayList<>(verify(result));
    long[] distances = result.orderedDistances();
    long[] right = reference.orderedDistances();
    int differ = Arrays.mismatch(distances, right);
    if (differ >= 0) {
      wrong.add(
          differ < Math.min(distances.length, right.length)
              ? "vertex "
                  + differ
                  + " has distance "
                  + result.exactDistance(differ)
                  + ", by the reference "
                  + reference.exactDistance(differ)
              : distances.length + " distances, by the reference " + right.length);
    }
    return wrong;
  }

  private static boolean hasShape(PathsResult result, Findings wrong) {
    int vertices = result.graph().vertices();
    int source = result.source();
    long[] distances = result.orderedDistances();
    if (distances.length != vertices) {
      wrong.add(distances.length + " distances for " + vertices + " vertices");
      return false;
    }
    if (source < 0 || source >= vertices) {
      wrong.add("the source " + source + " is not a vertex: there are " + vertices);
      return false;
    }
    if (distances[source] != 0) {
      wrong.add("the source " + source + " has distance " + result.exactDistance(source));
    }
    long most = result.floating() ? INFINITE - 1 : Long.MAX_VALUE;
    for (int v = 0; v < vertices; v++) {
      if (distances[v] < PathsResult.UNREACHED || distances[v] > most) {
        wrong.add("vertex " + v + " has distance " + result.exactDistance(v));
        return false;
      }
    }
    if (result.predecessors().isPresent() && result.predecessors().get().length != vertices) {
      wrong.add(result.predecessors().get().length + " predecessors for " + vertices + " vertices");
      return false;
    }
    return true;
  }

  /** No arc may shorten a distance. */
  private static void checkArcs(PathsResult result, Findings wrong) {
    DirectedGraph graph = result.graph();
    long[] distances = result.orderedDistances();
    int told = 0;
    for (int v = 0; v < graph.vertices() && told < MOST_TOLD; v++) {
      if (distances[v] == PathsResult.UNREACHED) {
        continue;
      }
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        int w = graph.neighbors()[a];
        long most = result.behind(distances[v], a);
        if (distances[w] == PathsResult.UNREACHED || distances[w] > most) {
          wrong.add(
              "the arc from "
                  + v
                  + " (distance "
                  + result.exactDistance(v)
                  + ") to "
                  + w
                  + " (distance "
                  + result.exactDistance(w)
                  + ") has length "
                  + result.exactLength(a)
                  + " and leads to a shorter path");
          told++;
          break;
        }
      }
    }
  }

  /** Predecessors are tight and form a tree. */
  private static void checkTree(PathsResult result, int[] predecessors, Findings wrong) {
    DirectedGraph graph = result.graph();
    long[] distances = result.orderedDistances();
    int vertices = graph.vertices();
    int source = result.source();
    if (predecessors[source] != source) {
      wrong.add("the predecessor of the source " + source + " is " + predecessors[source]);
      return;
    }
    boolean[] tight = new boolean[vertices];
    tight[source] = true;
    for (int v = 0; v < vertices; v++) {
      if (distances[v] == PathsResult.UNREACHED) {
        continue;
      }
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        int w = graph.neighbors()[a];
        if (predecessors[w] == v && distances[w] == result.behind(distances[v], a)) {
          tight[w] = true;
        }
      }
    }
    int told = 0;
    for (int w = 0; w < vertices && told < MOST_TOLD; w++) {
      boolean reached = distances[w] != PathsResult.UNREACHED;
      if (reached && !tight[w]) {
        wrong.add(
            "vertex "
                + w
                + " has distance "
                + result.exactDistance(w)
                + " and predecessor "
                + predecessors[w]
                + ", from which no arc of the right length leads to it");
        told++;
      } else if (!reached && predecessors[w] != PathsResult.UNREACHED) {
        wrong.add("vertex " + w + " is not reached, but has predecessor " + predecessors[w]);
        told++;
      }
    }
    if (told == 0) {
      checkAcyclic(distances, predecessors, source, wrong);
    }
  }

  /** Follows predecessors, each vertex once. */
  private static void checkAcyclic(
      long[] distances, int[] predecessors, int source, Findings wrong) {
    int vertices = predecessors.length;
    // The walk that came by first; walk 0 is that of the source.
    int[] walk = new int[vertices];
    Arrays.fill(walk, -1);
    walk[source] = 0;
    for (int begin = 0; begin < vertices; begin++) {
      if (distances[begin] == PathsResult.UNREACHED || walk[begin] >= 0) {
        continue;
      }
      int v = begin;
      for (; walk[v] < 0; v = predecessors[v]) {
        walk[v] = begin + 1;
      }
      if (walk[v] == begin + 1) {
        wrong.add("the predecessors of vertex " + v + " lead back to it, not to the source");
        return;
      }
    }
  }

  /** Arcs as long as distances differ lead from the source to every reached vertex. */
  private static void checkReach(PathsResult result, Findings wrong) {
    DirectedGraph graph = result.graph();
    long[] distances = result.orderedDistances();
    int[] stack = new int[graph.vertices()];
    boolean[] seen = new boolean[graph.vertices()];
    int height = 0;
    stack[height++] = result.source();
    seen[result.source()] = true;
    while (height > 0) {
      int v = stack[--height];
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        int w = graph.neighbors()[a];
        if (!seen[w] && distances[w] == result.behind(distances[v], a)) {
          seen[w] = true;
          stack[height++] = w;
        }
      }
    }
    int told = 0;
    for (int v = 0; v < graph.vertices() && told < MOST_TOLD; v++) {
      if (!seen[v] && distances[v] != PathsResult.UNREACHED) {
        wrong.add(
            "vertex "
                + v
                + " has distance "
                + result.exactDistance(v)
                + ", but no path is as short as that");
        told++;
      }
    }
  }

  private static final class Findings {
    private final List<String> sentences = new ArrayList<>();

    void add(String sentence) {
      sentences.add(sentence);
    }
  }
}
