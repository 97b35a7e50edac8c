package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.ExactSum;
import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks the forest of edges in chunks by a second pass over them, without a graph, a device or
 * another forest.
 *
 * <p>Checked: the forest has no cycle; each of its edges comes, with that number, those ends and
 * that weight; each edge that comes joins two vertices that the forest connects, and is not before
 * the last edge of their path in the order of weight and number, so there is no better forest, and
 * no other one of edges as early; two vertices have the same label exactly when they are connected;
 * weights add up to what the forest says. Paths are not walked: the forest's edges are united in
 * their order, the smaller tree below the larger without shortening ways, and the last edge of the
 * path of two vertices is the last link on their ways up to where these meet.
 *
 * <p>Time: O(log vertices) for each edge, in parallel. Memory: 24 bytes for each vertex, 32 if
 * weights are longs or doubles, and two chunks.
 */
public final class StreamVerifier {
  private static final int CHUNK = 1 << 20;

  private final NumberedForest forest;
  private final List<String> wrong = new ArrayList<>();

  /** Trees of the forest's edges in order; roots are their own parent. */
  private final int[] parent;

  /** The place in the order of the edge that linked a vertex to its parent; the last for roots. */
  private final int[] link;

  /** The forest's edges in the order of weight and number. */
  private final int[] order;

  private StreamVerifier(NumberedForest forest) {
    this.forest = forest;
    this.parent = new int[forest.vertices()];
    this.link = new int[forest.vertices()];
    this.order = new int[forest.edges()];
  }

  /**
   * Checks a forest.
   *
   * @param forest what to check
   * @param source the same edges, from the first on; read to its end and not closed
   * @return what is wrong, one sentence each; empty if nothing is. After the first edge that shows
   *     that the forest is wrong no more are looked at
   */
  public static List<String> verify(NumberedForest forest, EdgeSource source) {
    StreamVerifier verifier = new StreamVerifier(forest);
    if (source.vertices() != forest.vertices() || source.weightType() != forest.weightType()) {
      verifier.wrong.add(
          "the forest has "
              + forest.vertices()
              + " vertices and weights of type "
              + forest.weightType()
              + ", the edges have "
              + source.vertices()
              + " and "
              + source.weightType());
    } else if (verifier.link()) {
      verifier.checkLabels();
      verifier.pass(source);
    }
    return verifier.wrong;
  }

  private boolean isMinimum() {
    return forest.objective() == Objective.MINIMUM;
  }

  /** Unites along the forest's edges in order; false if that cannot be done. */
  private boolean link() {
    int edges = forest.edges();
    long[] keys = new long[edges];
    long[] different = forest.places().wide() == null ? null : different();
    for (int e = 0; e < edges; e++) {
      if (e > 0 && forest.numbers()[e] <= forest.numbers()[e - 1]) {
        wrong.add("number " + forest.numbers()[e] + " of a chosen edge does not ascend");
        return false;
      }
      long weight = forest.places().at(e);
      int place = different == null ? (int) weight : Arrays.binarySearch(different, weight);
      keys[e] = (long) (isMinimum() ? place : ~place) << 32 | e;
    }
    Arrays.sort(keys);
    int[] size = new int[parent.length];
    Arrays.fill(size, 1);
    Arrays.setAll(parent, v -> v);
    Arrays.fill(link, Integer.MAX_VALUE);
    for (int i = 0; i < edges; i++) {
      int edge = (int) keys[i];
      order[i] = edge;
      int u = root(forest.sources()[edge]);
      int v = root(forest.targets()[edge]);
      if (u == v) {
        wrong.add("edge number " + forest.numbers()[edge] + " closes a cycle");
        return false;
      }
      int below = size[u] < size[v] ? u : v;
      int above = below == u ? v : u;
      parent[below] = above;
      link[below] = i;
      size[above] += size[below];
    }
    return true;
  }

  /** The places of the weights, ascending, each once. */
  private long[] different() {
    long[] places = forest.places().wide().clone();
    Arrays.sort(places);
    int count = 0;
    for (long place : places) {
      if (count == 0 || place != places[count - 1]) {
        places[count++] = place;
      }
    }
    return Arrays.copyOf(places, count);
  }

  private int root(int vertex) {
    int v = vertex;
    while (parent[v] != v) {
      v = parent[v];
    }
    return v;
  }

  /** The place in the order of the last edge of a path; the last place if there is no path. */
  private int lastOfPath(int from, int to) {
    int u = from;
    int v = to;
    int last = -1;
    while (u != v) {
      // Links come later the higher they are, so the earlier of the two is below the meeting point.
      if (link[u] == Integer.MAX_VALUE && link[v] == Integer.MAX_VALUE) {
        return Integer.MAX_VALUE;
      }
      if (link[u] < link[v]) {
        last = link[u];
        u = parent[u];
      } else {
        last = link[v];
        v = parent[v];
      }
    }
    return last;
  }

  private void checkLabels() {
    int[] labels = forest.labels();
    int[] labelOf = new int[labels.length];
    Arrays.fill(labelOf, -1);
    for (int v = 0; v < labels.length; v++) {
      int label = labels[v];
      int root = root(v);
      if (label < 0 || label >= labels.length || root(label) != root) {
        wrong.add("the label of vertex " + v + ", " + label + ", is not a vertex of its component");
        return;
      }
      if (labelOf[root] != -1 && labelOf[root] != label) {
        wrong.add(
            "vertex " + v + " has label " + label + ", others of its component " + labelOf[root]);
        return;
      }
      labelOf[root] = label;
    }
  }

  private void pass(EdgeSource source) {
    ExactSum sum = new ExactSum();
    int chosen = 0;
    try (ChunkReader reader = new ChunkReader(source, CHUNK)) {
      for (EdgeChunk chunk = reader.next(); chunk.size() > 0; chunk = reader.next()) {
        chunk.checkEdges(source.vertices());
        chosen = checkChosen(chunk, chosen, sum);
        int bad = firstBetter(chunk);
        if (bad < chunk.size()) {
          wrong.add(better(chunk, bad));
        }
        if (!wrong.isEmpty()) {
          return;
        }
      }
    }
    if (chosen < forest.edges()) {
      wrong.add("no edge of number " + forest.numbers()[chosen] + ", which was chosen, came");
    } else if (sum.value().compareTo(forest.exactWeight()) != 0) {
      wrong.add(
          "the chosen edges weigh " + sum.value() + ", the forest says " + forest.exactWeight());
    }
  }

  /** Compares the chosen edges that are in a chunk; gives the first that is not. */
  private int checkChosen(EdgeChunk chunk, int from, ExactSum sum) {
    int next = from;
    for (int i = 0; i < chunk.size() && next < forest.edges(); i++) {
      long number = chunk.number(i);
      if (number == forest.numbers()[next]) {
        int u = chunk.sources()[i];
        int v = chunk.targets()[i];
        int x = forest.sources()[next];
        int y = forest.targets()[next];
        boolean sameEnds = u == x && v == y || u == y && v == x;
        if (!sameEnds || WeightPlaces.of(chunk, i) != forest.places().at(next)) {
          wrong.add(
              "edge number "
                  + number
                  + " joins "
                  + u
                  + " and "
                  + v
                  + " and weighs "
                  + chunk.weight(i)
                  + ", the chosen one of that number "
                  + x
                  + " and "
                  + y
                  + ", and "
                  + forest.weight(next));
          return next;
        }
        WeightPlaces.add(chunk, i, sum);
        next++;
      } else if (number > forest.numbers()[next]) {
        wrong.add("no edge of number " + forest.numbers()[next] + ", which was chosen, came");
        return next;
      }
    }
    return next;
  }

  /** The first edge of a chunk that the forest should have had; its size if there is none. */
  private int firstBetter(EdgeChunk chunk) {
    return Parallel.map(
            chunk.size(),
            (from, to) -> {
              for (int i = from; i < to; i++) {
                if (isBetter(chunk, i)) {
                  return i;
                }
              }
              return chunk.size();
            })
        .stream()
        .min(Integer::compare)
        .orElseThrow();
  }

  private boolean isBetter(EdgeChunk chunk, int edge) {
    int u = chunk.sources()[edge];
    int v = chunk.targets()[edge];
    int last = lastOfPath(u, v);
    if (u == v || last == Integer.MAX_VALUE) {
      return u != v;
    }
    int other = order[last];
    long mine = WeightPlaces.of(chunk, edge);
    long its = forest.places().at(other);
    return mine == its ? chunk.number(edge) < forest.numbers()[other] : isMinimum() == mine < its;
  }

  private String better(EdgeChunk chunk, int edge) {
    int u = chunk.sources()[edge];
    int v = chunk.targets()[edge];
    int last = lastOfPath(u, v);
    String which = "edge number " + chunk.number(edge) + " joins " + u + " and " + v;
    if (last == Integer.MAX_VALUE) {
      return which + ", which the forest does not connect";
    }
    int other = order[last];
    return which
        + " and weighs "
        + chunk.weight(edge)
        + "; the forest joins them over edge number "
        + forest.numbers()[other]
        + " of weight "
        + forest.weight(other)
        + ", which comes later";
  }
}
