package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import java.util.Arrays;
import org.jgrapht.alg.interfaces.ShortestPathAlgorithm.SingleSourcePaths;
import org.jgrapht.alg.shortestpath.DijkstraShortestPath;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.DirectedWeightedPseudograph;
import org.jgrapht.traverse.BreadthFirstIterator;

/**
 * JGraphT's distances. Those of weights are doubles: of ints exact up to 2^53, of floats added up
 * in the order of the path, as ours are.
 */
final class JGraphTPaths {
  private JGraphTPaths() {}

  /** As by {@link PathsResult#orderedDistances()}. */
  static long[] distances(DirectedGraph graph, int source, Lengths lengths) {
    DirectedWeightedPseudograph<Integer, DefaultWeightedEdge> copy =
        new DirectedWeightedPseudograph<>(DefaultWeightedEdge.class);
    for (int v = 0; v < graph.vertices(); v++) {
      copy.addVertex(v);
    }
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        copy.setEdgeWeight(
            copy.addEdge(v, graph.neighbors()[a]), graph.exactWeight(a).doubleValue());
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
        distances[v] =
            graph.weightType() == WeightType.FLOAT
                ? Double.doubleToRawLongBits(distance)
                : (long) distance;
      }
    }
    return distances;
  }
}
