package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.ExactSum;
import io.magpie.algorithms.internal.Parallel;
import java.math.BigDecimal;

/** Sums of weights of any type, without rounding. */
final class WeightSum {
  private WeightSum() {}

  /** The sum of the weights of some arcs. */
  static BigDecimal of(Graph graph, int[] arcs) {
    if (!graph.weighted()) {
      return BigDecimal.valueOf(arcs.length);
    }
    ExactSum sum = new ExactSum();
    for (ExactSum part : Parallel.map(arcs.length, (from, to) -> part(graph, arcs, from, to))) {
      sum.add(part);
    }
    return sum.value();
  }

  private static ExactSum part(Graph graph, int[] arcs, int from, int to) {
    ExactSum sum = new ExactSum();
    boolean floating = graph.weightType().isFloating();
    for (int i = from; i < to; i++) {
      Number weight = graph.exactWeight(arcs[i]);
      if (floating) {
        sum.add(weight.doubleValue());
      } else {
        sum.add(weight.longValue());
      }
    }
    return sum;
  }
}
