package io.magpie.examples.compare;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.msf.MsfResult;
import io.magpie.examples.input.InputException;
import java.math.BigDecimal;
import java.util.Optional;
import org.jgrapht.alg.interfaces.SpanningTreeAlgorithm.SpanningTree;
import org.jgrapht.alg.spanning.KruskalMinimumSpanningTree;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.WeightedPseudograph;

/** JGraphT's Kruskal on JGraphT's general graph. */
final class JGraphTKruskal implements Comparison.Program {
  private final WeightedPseudograph<Integer, DefaultWeightedEdge> graph =
      new WeightedPseudograph<>(DefaultWeightedEdge.class);
  private final MsfResult reference;

  /** 1, or -1 for maximum forests: JGraphT has minimum ones alone. */
  private final int sign;

  /**
   * Copies a reference's graph into JGraphT's form.
   *
   * @param reference a best forest
   */
  JGraphTKruskal(MsfResult reference) {
    this.reference = reference;
    this.sign = reference.objective() == Objective.MINIMUM ? 1 : -1;
    Graph source = reference.graph();
    for (int v = 0; v < source.vertices(); v++) {
      graph.addVertex(v);
    }
    for (int v = 0; v < source.vertices(); v++) {
      for (long a = source.offset(v); a < source.offset(v + 1); a++) {
        int u = source.neighbors()[(int) a];
        if (u >= v) {
          graph.setEdgeWeight(
              graph.addEdge(v, u), sign * source.exactWeight((int) a).doubleValue());
        }
      }
    }
  }

  /**
   * Checks that JGraphT, whose weights are doubles, takes a graph's as they are.
   *
   * @param what the graph, in a message
   * @throws InputException if it would round some
   */
  static void requireDoubles(Graph graph, String what) {
    if (graph.weightType() != WeightType.LONG) {
      return; // doubles hold all others
    }
    long[] weights = graph.longWeights();
    for (int arc = 0; arc < weights.length; arc++) {
      BigDecimal nearest = new BigDecimal((double) weights[arc]);
      if (nearest.compareTo(BigDecimal.valueOf(weights[arc])) != 0) {
        throw new InputException(
            what
                + ": JGraphT's weights are doubles, but arc "
                + arc
                + " weighs "
                + weights[arc]
                + ", which is not exactly representable as a double; leave out jgrapht");
      }
    }
  }

  @Override
  public Comparison.Outcome run() {
    return Timed.once(
        () -> new KruskalMinimumSpanningTree<>(graph).getSpanningTree(), this::mistake);
  }

  private Optional<String> mistake(SpanningTree<DefaultWeightedEdge> tree) {
    BigDecimal weight = weight(tree);
    return weight.compareTo(reference.exactWeight()) == 0
        ? Optional.empty()
        : Optional.of("the forest weighs " + weight + ", a best one " + reference.exactWeight());
  }

  /**
   * The weight of its edges. The tree's own is a sum of doubles, which is exact if all are whole,
   * of one sign, and in all less than 2^53.
   */
  private BigDecimal weight(SpanningTree<DefaultWeightedEdge> tree) {
    double sum = sign * tree.getWeight();
    Graph source = reference.graph();
    if (!source.weightType().isFloating()
        && !source.hasNegativeWeights()
        && Math.abs(sum) < 0x1p53) {
      return BigDecimal.valueOf((long) sum);
    }
    BigDecimal weight = BigDecimal.ZERO;
    for (DefaultWeightedEdge edge : tree.getEdges()) {
      weight = weight.add(new BigDecimal(sign * graph.getEdgeWeight(edge)));
    }
    return weight;
  }
}
