package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.ExactSum;
import io.magpie.algorithms.internal.Parallel;
import java.math.BigDecimal;

/** Sums of weights of any type, without rounding. */
final class WeightSum {
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

  private static ExactSum part(Graph graph, int[] arcs, int from, int to) {
    ExactSum sum = new ExactSum();
    if (!graph.weighted()) {
      sum.add((long) to - from);
      return sum;
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
    return sum;
  }
}
