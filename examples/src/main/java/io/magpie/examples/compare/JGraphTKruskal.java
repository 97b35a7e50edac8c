package io.magpie.examples.compare;

import io.magpie.algorithms.graph.Graph;
import java.util.Optional;
import org.jgrapht.alg.interfaces.SpanningTreeAlgorithm.SpanningTree;
import org.jgrapht.alg.spanning.KruskalMinimumSpanningTree;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.WeightedPseudograph;

/** JGraphT's Kruskal on JGraphT's general graph. */
final class JGraphTKruskal implements Comparison.Program {
  private final WeightedPseudograph<Integer, DefaultWeightedEdge> graph =
      new WeightedPseudograph<>(DefaultWeightedEdge.class);
  private final long weight;

  /**
   * Copies a graph into JGraphT's form.
   *
   * @param weight of a minimum spanning forest
   */
  JGraphTKruskal(Graph source, long weight) {
    this.weight = weight;
    for (int v = 0; v < source.vertices(); v++) {
      graph.addVertex(v);
    }
    for (int v = 0; v < source.vertices(); v++) {
      for (long a = source.offset(v); a < source.offset(v + 1); a++) {
        int u = source.neighbors()[(int) a];
        if (u >= v) {
          graph.setEdgeWeight(graph.addEdge(v, u), source.weight((int) a));
        }
      }
    }
  }

  @Override
  public Comparison.Outcome run() {
    return MsfComparison.timed(
        () -> new KruskalMinimumSpanningTree<>(graph).getSpanningTree(), this::mistake);
  }

  private Optional<String> mistake(SpanningTree<DefaultWeightedEdge> tree) {
    // Its weight is a sum of doubles, which is exact up to 2^53.
    return tree.getWeight() == weight
        ? Optional.empty()
        : Optional.of("the forest weighs " + tree.getWeight() + ", a least one " + weight);
  }
}
