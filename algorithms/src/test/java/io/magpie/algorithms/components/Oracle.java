package io.magpie.algorithms.components;

import io.magpie.algorithms.graph.Graph;
import java.util.Collections;
import java.util.Set;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.Pseudograph;

/** JGraphT's view of a graph's components. */
final class Oracle {
  private Oracle() {}

  /** For each vertex the least one of its connected set. */
  static int[] labels(Graph graph) {
    Pseudograph<Integer, DefaultEdge> copy = new Pseudograph<>(DefaultEdge.class);
    for (int v = 0; v < graph.vertices(); v++) {
      copy.addVertex(v);
    }
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = (int) graph.offset(v); a < (int) graph.offset(v + 1); a++) {
        if (graph.neighbors()[a] >= v) {
          copy.addEdge(v, graph.neighbors()[a]);
        }
      }
    }
    int[] labels = new int[graph.vertices()];
    for (Set<Integer> connected : new ConnectivityInspector<>(copy).connectedSets()) {
      int least = Collections.min(connected);
      connected.forEach(v -> labels[v] = least);
    }
    return labels;
  }
}
