package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import java.util.Arrays;
import org.jgrapht.alg.interfaces.ShortestPathAlgorithm.SingleSourcePaths;
import org.jgrapht.alg.shortestpath.DijkstraShortestPath;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.DirectedWeightedPseudograph;
import org.jgrapht.traverse.BreadthFirstIterator;

/** JGraphT's distances. Those of weights are doubles: exact up to 2^53. */
final class JGraphTPaths {
  private JGraphTPaths() {}

  static long[] distances(DirectedGraph graph, int source, Lengths lengths) {
    DirectedWeightedPseudograph<Integer, DefaultWeightedEdge> copy =
        new DirectedWeightedPseudograph<>(DefaultWeightedEdge.class);
    for (int v = 0; v < graph.vertices(); v++) {
      copy.addVertex(v);
    }
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        copy.setEdgeWeight(copy.addEdge(v, graph.neighbors()[a]), graph.weight(a));
      }
    }
    long[] distances = new long[graph.vertices()];
    Arrays.fill(distances, PathsResult.UNREACHED);
    if (lengths == Lengths.UNIT) {
      BreadthFirstIterator<Integer, DefaultWeightedEdge> search =
          new BreadthFirstIterator<>(copy, source);
      while (search.hasNext()) {
        int v = search.next();
        distances[v] = search.getDepth(v);
      }
      return distances;
    }
    SingleSourcePaths<Integer, DefaultWeightedEdge> paths =
        new DijkstraShortestPath<>(copy).getPaths(source);
    for (int v = 0; v < graph.vertices(); v++) {
      double distance = paths.getWeight(v);
      if (!Double.isInfinite(distance)) {
        distances[v] = (long) distance;
      }
    }
    return distances;
  }
}
