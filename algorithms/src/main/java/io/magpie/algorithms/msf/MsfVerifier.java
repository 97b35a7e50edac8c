package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.ExactSum;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks a minimum or maximum spanning forest against its definition and against {@link
 * KruskalReference}.
 *
 * <p>Checked: the chosen arcs are canonical, ascending and no self-loops; they make no cycle; they
 * are as many as vertices less components, so they span; their weight is what the result says and
 * what the reference finds, so they are minimal, or maximal; weights are summed up and compared
 * without rounding; in ascending order their weights are those of the reference's edges one by one,
 * as those of all minimum forests of a graph are, and of all maximum ones, so that a fault in the
 * sums is seen; two vertices have the same label exactly when the graph connects them.
 */
public final class MsfVerifier {
  private MsfVerifier() {}

  /**
   * Checks a result. Cost: that of {@link KruskalReference}.
   *
   * @param result what to check
   * @return what is wrong, one sentence each; empty if nothing is
   */
  public static List<String> verify(MsfResult result) {
    return verify(result, KruskalReference.run(result.graph(), result.objective()));
  }

  /**
   * Checks a result against a reference computed before.
   *
   * @param result what to check
   * @param reference a minimum, or maximum, spanning forest of the same graph
   * @return what is wrong, one sentence each; empty if nothing is
   * @throws IllegalArgumentException if the reference is for the other objective, or its graph has
   *     another type of weights
   */
  public static List<String> verify(MsfResult result, MsfResult reference) {
    requireComparable(result, reference);
    Graph graph = result.graph();
    int vertices = graph.vertices();
    List<String> wrong = new ArrayList<>();
    int[] chosen = new int[vertices];
    int[] connected = new int[vertices];
    for (int v = 0; v < vertices; v++) {
      chosen[v] = v;
      connected[v] = v;
    }

    boolean ints = graph.weightType() == WeightType.INT;
    long sumOfInts = 0;
    ExactSum sum = new ExactSum();
    int[] arcs = result.arcs();
    int next = 0;
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    int components = vertices;
    for (int v = 0; v < vertices; v++) {
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        if (unite(connected, v, neighbors[a])) {
          components--;
        }
        if (next < arcs.length && arcs[next] == a) {
          next++;
          if (ints) {
            sumOfInts += graph.weight(a);
          } else {
            add(graph.exactWeight(a), sum);
          }
          if (neighbors[a] <= v) {
            wrong.add("arc " + a + " (" + v + " to " + neighbors[a] + ") is not canonical");
          } else if (!unite(chosen, v, neighbors[a])) {
            wrong.add("arc " + a + " (" + v + " to " + neighbors[a] + ") closes a cycle");
          }
        }
      }
    }
    if (next < arcs.length) {
      wrong.add("the chosen arcs do not ascend: arc " + arcs[next] + " is out of order");
    }
    if (arcs.length != vertices - components) {
      wrong.add(
          arcs.length
              + " edges were chosen; "
              + vertices
              + " vertices in "
              + components
              + " components need "
              + (vertices - components));
    }
    BigDecimal weight = ints ? BigDecimal.valueOf(sumOfInts) : sum.value();
    if (weight.compareTo(result.exactWeight()) != 0) {
      wrong.add("the chosen edges weigh " + weight + ", the result says " + result.exactWeight());
    }
    if (result.exactWeight().compareTo(reference.exactWeight()) != 0) {
      wrong.add(
          "the forest weighs "
              + result.exactWeight()
              + (result.objective() == Objective.MINIMUM ? ", a least one " : ", a largest one ")
              + reference.exactWeight());
    } else if (next == arcs.length && arcs.length == reference.edges()) {
      checkWeights(result, reference, wrong);
    }
    checkLabels(result.labels(), connected, wrong);
    return wrong;
  }

  /**
   * Checks the edges that another program chose against a reference computed before.
   *
   * @param arcs their canonical arcs, ascending; not copied
   * @param reference a minimum, or maximum, spanning forest of the graph
   * @return what is wrong, one sentence each; empty if nothing is
   */
  public static List<String> verify(int[] arcs, MsfResult reference) {
    Graph graph = reference.graph();
    for (int arc : arcs) {
      if (arc < 0 || arc >= graph.arcs()) {
        return List.of("arc " + arc + " is none of the graph's " + graph.arcs());
      }
    }
    MsfResult result =
        new MsfResult(
            graph,
            ArcSet.of(arcs),
            reference.labels(),
            WeightSum.of(graph, arcs),
            reference.objective(),
            null);
    return verify(result, reference);
  }

  private static void requireComparable(MsfResult result, MsfResult reference) {
    if (reference.objective() != result.objective()) {
      throw new IllegalArgumentException(
          "a forest for the objective "
              + result.objective()
              + " was to be compared with one for "
              + reference.objective());
    }
    WeightType type = result.graph().weightType();
    if (reference.graph().weightType() != type) {
      throw new IllegalArgumentException(
          "the reference has weights of type "
              + reference.graph().weightType()
              + ", the forest of type "
              + type);
    }
  }

  /** All best forests have the same weights; those of two with as many edges are compared. */
  private static void checkWeights(MsfResult result, MsfResult reference, List<String> wrong) {
    Number chosen = null;
    Number best = null;
    int place;
    if (result.graph().weightType().isFloating()) {
      double[] all = ascendingDoubles(result);
      double[] others = ascendingDoubles(reference);
      place = Arrays.mismatch(all, others);
      if (place >= 0) {
        chosen = all[place];
        best = others[place];
      }
    } else {
      long[] all = ascendingLongs(result);
      long[] others = ascendingLongs(reference);
      place = Arrays.mismatch(all, others);
      if (place >= 0) {
        chosen = all[place];
        best = others[place];
      }
    }
    if (place >= 0) {
      wrong.add(
          "of the weights of the chosen edges, ascending, number "
              + place
              + " is "
              + chosen
              + ", of a best forest "
              + best);
    }
  }

  private static double[] ascendingDoubles(MsfResult forest) {
    Graph graph = forest.graph();
    double[] weights = new double[forest.edges()];
    int count = 0;
    for (int arc : forest.arcs()) {
      weights[count++] = graph.exactWeight(arc).doubleValue();
    }
    Arrays.sort(weights);
    return weights;
  }

  private static long[] ascendingLongs(MsfResult forest) {
    Graph graph = forest.graph();
    boolean ints = graph.weightType() == WeightType.INT;
    long[] weights = new long[forest.edges()];
    int count = 0;
    for (int arc : forest.arcs()) {
      weights[count++] = ints ? graph.weight(arc) : graph.exactWeight(arc).longValue();
    }
    Arrays.sort(weights);
    return weights;
  }

  private static void add(Number weight, ExactSum sum) {
    if (weight instanceof Double || weight instanceof Float) {
      sum.add(weight.doubleValue());
    } else {
      sum.add(weight.longValue());
    }
  }

  /** Labels agree with the components: a bijection between labels and roots. */
  private static void checkLabels(int[] labels, int[] connected, List<String> wrong) {
    int vertices = connected.length;
    if (labels.length != vertices) {
      wrong.add(labels.length + " labels for " + vertices + " vertices");
      return;
    }
    int[] labelOf = new int[vertices];
    int[] rootOf = new int[vertices];
    Arrays.fill(labelOf, -1);
    Arrays.fill(rootOf, -1);
    for (int v = 0; v < vertices; v++) {
      int root = find(connected, v);
      int label = labels[v];
      if (label < 0 || label >= vertices) {
        wrong.add("the label of vertex " + v + ", " + label + ", is not a vertex");
        return;
      }
      if (find(connected, label) != root) {
        wrong.add("the label of vertex " + v + ", " + label + ", lies in another component");
        return;
      }
      if ((labelOf[root] != -1 && labelOf[root] != label)
          || (rootOf[label] != -1 && rootOf[label] != root)) {
        wrong.add("vertex " + v + " has label " + label + ", others of its component have another");
        return;
      }
      labelOf[root] = label;
      rootOf[label] = root;
    }
  }

  private static boolean unite(int[] parent, int u, int v) {
    int a = find(parent, u);
    int b = find(parent, v);
    if (a == b) {
      return false;
    }
    parent[Math.max(a, b)] = Math.min(a, b);
    return true;
  }

  private static int find(int[] parent, int v) {
    int root = v;
    while (parent[root] != root) {
      root = parent[root];
    }
    while (parent[v] != root) {
      int up = parent[v];
      parent[v] = root;
      v = up;
    }
    return root;
  }
}
