package io.magpie.examples.compare;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsResult;
import io.magpie.examples.input.InputException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import org.jgrapht.alg.interfaces.ShortestPathAlgorithm.SingleSourcePaths;
import org.jgrapht.alg.shortestpath.DijkstraShortestPath;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.DirectedWeightedPseudograph;
import org.jgrapht.traverse.BreadthFirstIterator;

/** JGraphT's searches on JGraphT's general graph. */
final class JGraphTPaths implements Comparison.Program {
  private static final long MOST_EXACT = 1L << 53;

  private final DirectedWeightedPseudograph<Integer, DefaultWeightedEdge> graph =
      new DirectedWeightedPseudograph<>(DefaultWeightedEdge.class);
  private final int source;
  private final Lengths lengths;
  private final PathsResult reference;

  /**
   * Checks that JGraphT's distances, which are doubles, can be those of a graph.
   *
   * @param input what the graph comes from
   * @param farthest the greatest distance
   * @throws InputException if doubles do not hold it exactly
   */
  static void requireExact(String input, long farthest) {
    if (farthest > MOST_EXACT) {
      throw new InputException(
          input
              + ": distances are up to "
              + farthest
              + ", and JGraphT adds them up in doubles, exact up to 2^53; leave jgrapht out of"
              + " --with, or use smaller weights");
    }
  }

  /**
   * Copies a graph into JGraphT's form.
   *
   * @param reference the shortest paths
   */
  JGraphTPaths(DirectedGraph copied, int source, Lengths lengths, PathsResult reference) {
    this.source = source;
    this.lengths = lengths;
    this.reference = reference;
    for (int v = 0; v < copied.vertices(); v++) {
      graph.addVertex(v);
    }
    for (int v = 0; v < copied.vertices(); v++) {
      for (int a = copied.offsets()[v]; a < copied.offsets()[v + 1]; a++) {
        graph.setEdgeWeight(
            graph.addEdge(v, copied.neighbors()[a]), copied.exactWeight(a).doubleValue());
      }
    }
  }

  @Override
  public Comparison.Outcome run() {
    return Timed.once(lengths == Lengths.UNIT ? this::breadthFirst : this::dijkstra, this::mistake);
  }

  private IntToLongFunction breadthFirst() {
    long[] distances = new long[reference.orderedDistances().length];
    Arrays.fill(distances, PathsResult.UNREACHED);
    BreadthFirstIterator<Integer, DefaultWeightedEdge> search =
        new BreadthFirstIterator<>(graph, source);
    while (search.hasNext()) {
      int v = search.next();
      distances[v] = search.getDepth(v);
    }
    return v -> distances[v];
  }

  /**
   * Its distances are sums of doubles, of ints exact ({@link #requireExact}), of floats rounded as
   * ours are.
   */
  private IntToLongFunction dijkstra() {
    SingleSourcePaths<Integer, DefaultWeightedEdge> paths =
        new DijkstraShortestPath<>(graph).getPaths(source);
    return v -> {
      double distance = paths.getWeight(v);
      return Double.isInfinite(distance)
          ? PathsResult.UNREACHED
          : reference.floating() ? Double.doubleToRawLongBits(distance) : (long) distance;
    };
  }

  private Optional<String> mistake(IntToLongFunction distances) {
    long[] found = new long[reference.orderedDistances().length];
    Arrays.setAll(found, distances::applyAsLong);
    return PathsGraph.mistake(found, reference);
  }
}
