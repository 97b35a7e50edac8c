package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.OrderedBits;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.util.Arrays;

/**
 * What is compared in place of weights of any type: a whole number from 0 to 2^31 - 1 for each arc,
 * ordered as the weights are, or in reverse for maximum forests, and equal where they are.
 *
 * <p>A forest depends on no more than the order of the weights. Ints from 0 are their own keys.
 * Otherwise each weight has a place among the values of its type. Keys are the distances from the
 * first place that is taken if all are in range, as those of most ints and of positive floats are,
 * and else the ranks of the weights among the different ones, of which there are no more than
 * edges.
 *
 * <p>Devices make them by the kernels of weight_keys.cuh ({@link DeviceKeys}), sequential programs
 * here.
 */
final class WeightKeys {
  private WeightKeys() {}

  /** The place of an arc's weight among all values, in the order of the objective. */
  @FunctionalInterface
  private interface Places {
    long of(int arc);
  }

  /** The first and the last place that are taken. */
  private record Span(long first, long last) {
    /** That of all arcs; of none, any. */
    static Span of(Places places, int arcs) {
      long first = Long.MAX_VALUE;
      long last = Long.MIN_VALUE;
      for (int arc = 0; arc < arcs; arc++) {
        long place = places.of(arc);
        first = Math.min(first, place);
        last = Math.max(last, place);
      }
      return new Span(first, last);
    }

    /** Whether distances from the first are ints; those of more than 63 bits look negative. */
    boolean isShort() {
      return last - first >= 0 && last - first <= Integer.MAX_VALUE;
    }
  }

  /** Whether keys are the weights themselves. */
  static boolean areWeights(Graph graph, Objective objective) {
    return !graph.weighted()
        || areWeights(graph.weightType(), graph.hasNegativeWeights(), objective);
  }

  /** The same of weights of which only this is known. */
  static boolean areWeights(WeightType type, boolean haveNegative, Objective objective) {
    return objective == Objective.MINIMUM && type == WeightType.INT && !haveNegative;
  }

  /**
   * The keys of all arcs, made on this thread: a new array, or that of the weights if {@link
   * #areWeights}. Cost: O(arcs); where ranks are needed, a sort of the edges' weights, and 20 bytes
   * for each edge.
   *
   * @return null if the graph is unweighted
   */
  static int[] of(Graph graph, Objective objective) {
    if (areWeights(graph, objective)) {
      return graph.weights();
    }
    int arcs = graph.neighbors().length;
    int[] keys = new int[arcs];
    Places places = places(graph, objective);
    Span span = Span.of(places, arcs);
    if (span.isShort()) {
      for (int arc = 0; arc < arcs; arc++) {
        keys[arc] = (int) (places.of(arc) - span.first);
      }
      return keys;
    }
    long[] taken = taken(graph, places);
    for (int arc = 0; arc < arcs; arc++) {
      keys[arc] = Arrays.binarySearch(taken, places.of(arc));
    }
    return keys;
  }

  private static Places places(Graph graph, Objective objective) {
    Places ascending =
        switch (graph.weightType()) {
          case INT -> {
            int[] weights = graph.weights();
            yield arc -> weights[arc];
          }
          case LONG -> {
            long[] weights = graph.longWeights();
            yield arc -> weights[arc];
          }
          case FLOAT -> {
            float[] weights = graph.floatWeights();
            yield arc -> OrderedBits.of(weights[arc]);
          }
          case DOUBLE -> {
            double[] weights = graph.doubleWeights();
            yield arc -> OrderedBits.of(weights[arc]);
          }
        };
    // The complement reverses the order of all longs.
    return objective == Objective.MINIMUM ? ascending : arc -> ~ascending.of(arc);
  }

  /** The places that are taken, each once, ascending; at least one is. */
  private static long[] taken(Graph graph, Places places) {
    int[] edges = graph.canonicalArcs();
    long[] all = new long[edges.length];
    for (int e = 0; e < edges.length; e++) {
      all[e] = places.of(edges[e]);
    }
    Arrays.sort(all);
    int count = 1;
    for (int i = 1; i < all.length; i++) {
      if (all[i] != all[count - 1]) {
        all[count++] = all[i];
      }
    }
    return Arrays.copyOf(all, count);
  }
}
