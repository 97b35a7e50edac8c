package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.alg.spanning.KruskalMinimumSpanningTree;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.WeightedPseudograph;

/** JGraphT's view of a graph. Its weights are doubles: exact up to sums of 2^53. */
final class Oracle {
  private Oracle() {}

  static WeightedPseudograph<Integer, DefaultWeightedEdge> copy(Graph graph) {
    WeightedPseudograph<Integer, DefaultWeightedEdge> copy =
        new WeightedPseudograph<>(DefaultWeightedEdge.class);
    for (int v = 0; v < graph.vertices(); v++) {
      copy.addVertex(v);
    }
    int[] neighbors = graph.neighbors();
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = (int) graph.offset(v); a < (int) graph.offset(v + 1); a++) {
        if (neighbors[a] >= v) {
          DefaultWeightedEdge edge = copy.addEdge(v, neighbors[a]);
          copy.setEdgeWeight(edge, graph.weight(a));
        }
      }
    }
    return copy;
  }

  static long weight(Graph graph) {
    return (long) new KruskalMinimumSpanningTree<>(copy(graph)).getSpanningTree().getWeight();
  }

  static int components(Graph graph) {
    return new ConnectivityInspector<>(copy(graph)).connectedSets().size();
  }
}
