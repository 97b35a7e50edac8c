package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.ExactSum;
import io.magpie.algorithms.internal.Parallel;
import java.math.BigDecimal;

/** Sums of weights of any type, without rounding. */
final class WeightSum {
  private static final int ARCS_AT_ONCE = 1024;

  private WeightSum() {}

  /** The sum of the weights of some arcs, in parallel. */
  static BigDecimal of(Graph graph, int[] arcs) {
    ExactSum sum = new ExactSum();
    for (ExactSum part : Parallel.map(arcs.length, (from, to) -> part(graph, arcs, from, to))) {
      sum.add(part);
    }
    return sum.value();
  }

  /** The same without other threads. */
  static BigDecimal onThisThread(Graph graph, int[] arcs) {
    return part(graph, arcs, 0, arcs.length).value();
  }

  /**
   * The sum of the weights of the arcs whose bits are set, in parallel: arc i is bit {@code i % 32}
   * of word {@code i / 32}.
   */
  static BigDecimal ofMarked(Graph graph, int[] bits) {
    ExactSum sum = new ExactSum();
    for (ExactSum part : Parallel.map(bits.length, (from, to) -> marked(graph, bits, from, to))) {
      sum.add(part);
    }
    return sum.value();
  }

  private static ExactSum marked(Graph graph, int[] bits, int from, int to) {
    ExactSum sum = new ExactSum();
    int[] arcs = new int[ARCS_AT_ONCE];
    int count = 0;
    for (int word = from; word < to; word++) {
      if (count > ARCS_AT_ONCE - Integer.SIZE) {
        add(sum, graph, arcs, 0, count);
        count = 0;
      }
      for (int left = bits[word]; left != 0; left &= left - 1) {
        arcs[count++] = word * Integer.SIZE + Integer.numberOfTrailingZeros(left);
      }
    }
    add(sum, graph, arcs, 0, count);
    return sum;
  }

  private static ExactSum part(Graph graph, int[] arcs, int from, int to) {
    ExactSum sum = new ExactSum();
    add(sum, graph, arcs, from, to);
    return sum;
  }

  private static void add(ExactSum sum, Graph graph, int[] arcs, int from, int to) {
    if (!graph.weighted()) {
      sum.add((long) to - from);
      return;
    }
    switch (graph.weightType()) {
      case INT -> {
        int[] weights = graph.weights();
        for (int i = from; i < to; i++) {
          sum.add((long) weights[arcs[i]]);
        }
      }
      case LONG -> {
        long[] weights = graph.longWeights();
        for (int i = from; i < to; i++) {
          sum.add(weights[arcs[i]]);
        }
      }
      case FLOAT -> {
        float[] weights = graph.floatWeights();
        for (int i = from; i < to; i++) {
          sum.add((double) weights[arcs[i]]);
        }
      }
      case DOUBLE -> {
        double[] weights = graph.doubleWeights();
        for (int i = from; i < to; i++) {
          sum.add(weights[arcs[i]]);
        }
      }
    }
  }
}
