package io.magpie.algorithms.components;

import io.magpie.algorithms.graph.Graph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks components against their definition, by breadth-first searches that share no code with
 * what found them.
 *
 * <p>Checked: each vertex has the least vertex that can be reached from it for a label; the number
 * of components. Of a spanning forest, too: its arcs are canonical arcs of the graph, ascending and
 * no self-loops; they close no cycle, which their number alone does not tell; they are as many as
 * vertices less components, so they span.
 */
public final class ComponentsVerifier {
  private ComponentsVerifier() {}

  /**
   * Checks a result. Time: O(vertices + arcs), but for a factor logarithmic in the vertices where a
   * forest is checked. Memory: 8 bytes for each vertex at once.
   *
   * @param result what to check
   * @return what is wrong, one sentence for each kind of mistake, with its first case and how many
   *     there are; empty if nothing is
   */
  public static List<String> verify(ComponentsResult result) {
    Graph graph = result.graph();
    List<String> wrong = new ArrayList<>();
    int[] expected = new int[graph.vertices()];
    int components = search(graph, expected);
    checkLabels(result.labels(), expected, wrong);
    if (result.components() != components) {
      wrong.add(
          "the result says " + result.components() + " components, the graph has " + components);
    }
    result.forest().ifPresent(forest -> checkForest(graph, forest, components, wrong));
    return wrong;
  }

  /**
   * Gives each vertex the least one that can be reached from it; gives the number of components.
   */
  private static int search(Graph graph, int[] labels) {
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    int[] queue = new int[labels.length];
    int components = 0;
    Arrays.fill(labels, -1);
    for (int root = 0; root < labels.length; root++) {
      if (labels[root] >= 0) {
        continue;
      }
      components++;
      labels[root] = root;
      int end = 0;
      queue[end++] = root;
      for (int next = 0; next < end; next++) {
        int v = queue[next];
        for (int a = offsets[v]; a < offsets[v + 1]; a++) {
          if (labels[neighbors[a]] < 0) {
            labels[neighbors[a]] = root;
            queue[end++] = neighbors[a];
          }
        }
      }
    }
    return components;
  }

  private static void checkLabels(int[] labels, int[] expected, List<String> wrong) {
    if (labels.length != expected.length) {
      wrong.add(labels.length + " labels for " + expected.length + " vertices");
      return;
    }
    int different = 0;
    int first = -1;
    for (int v = 0; v < labels.length; v++) {
      if (labels[v] != expected[v]) {
        different++;
        first = first < 0 ? v : first;
      }
    }
    if (different > 0) {
      wrong.add(
          "vertex "
              + first
              + " has label "
              + labels[first]
              + ", but the least vertex of its component is "
              + expected[first]
              + (different == 1 ? "" : "; " + different + " labels are wrong"));
    }
  }

  private static void checkForest(Graph graph, int[] forest, int components, List<String> wrong) {
    int[] tree = new int[graph.vertices()];
    for (int v = 0; v < tree.length; v++) {
      tree[v] = v;
    }
    int[] offsets = graph.offsets();
    int source = 0;
    Cases backward = new Cases("is not canonical", "arcs are not");
    Cases cycles = new Cases("closes a cycle", "arcs close one");
    for (int i = 0; i < forest.length; i++) {
      int arc = forest[i];
      if (arc < 0 || arc >= graph.arcs()) {
        wrong.add("arc " + arc + " of the forest is not one of the graph's " + graph.arcs());
        return;
      }
      if (i > 0 && arc <= forest[i - 1]) {
        wrong.add("the arcs of the forest do not ascend: " + arc + " follows " + forest[i - 1]);
        return;
      }
      while (offsets[source + 1] <= arc) {
        source++;
      }
      int target = graph.neighbors()[arc];
      if (target <= source) {
        backward.add(arc, source, target);
      } else {
        int one = treeOf(tree, source);
        int other = treeOf(tree, target);
        if (one == other) {
          cycles.add(arc, source, target);
        }
        tree[one] = other;
      }
    }
    backward.addTo(wrong);
    cycles.addTo(wrong);
    if (forest.length != tree.length - components) {
      wrong.add(
          forest.length
              + " edges are in the forest; "
              + tree.length
              + " vertices in "
              + components
              + " components need "
              + (tree.length - components));
    }
  }

  /** Arcs that are wrong in the same way: the first, and how many. */
  private static final class Cases {
    private final String one;
    private final String several;
    private String first;
    private int count;

    Cases(String one, String several) {
      this.one = one;
      this.several = several;
    }

    void add(int arc, int source, int target) {
      if (count++ == 0) {
        first = "arc " + arc + " (" + source + " to " + target + ") " + one;
      }
    }

    void addTo(List<String> wrong) {
      if (count > 0) {
        wrong.add(first + (count == 1 ? "" : "; " + count + " " + several));
      }
    }
  }

  private static int treeOf(int[] tree, int v) {
    int root = v;
    while (tree[root] != root) {
      root = tree[root];
    }
    while (tree[v] != root) {
      int up = tree[v];
      tree[v] = root;
      v = up;
    }
    return root;
  }
}
