package io.magpie.examples.compare;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.paths.DeltaRangeException;
import io.magpie.algorithms.paths.DistanceRangeException;
import io.magpie.algorithms.paths.LocalRoundsException;
import io.magpie.algorithms.paths.NodeRangeException;
import io.magpie.algorithms.paths.PathsOptions;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsResult;
import io.magpie.examples.input.DirectedGraphInput;
import io.magpie.examples.input.GraphHash;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The graph of a comparison of shortest paths.
 *
 * @param description what messages call it
 * @param graph the graph
 * @param hash its identity in records
 */
record PathsGraph(String description, DirectedGraph graph, String hash) {
  /** The baseline that each comparison of shortest paths has. */
  static final Baseline SEQUENTIAL =
      Baseline.of(
          PathsComparison.SEQUENTIAL,
          "Magpie's sequential breadth-first search, or Dijkstra with a binary heap, by the first"
              + " variant's lengths; one thread");

  /** Reads or generates the graph of an input. */
  static PathsGraph of(Input source, Progress progress) throws IOException {
    DirectedGraphInput input = (DirectedGraphInput) source;
    progress.begin(input.generated() ? "generating" : "reading", -1);
    DirectedGraph graph = input.directedGraph();
    return new PathsGraph(input.description(), graph, GraphHash.of(graph));
  }

  /** How large the graph is, for records. */
  Map<String, Long> sizes() {
    Map<String, Long> sizes = new LinkedHashMap<>();
    sizes.put("vertices", (long) graph.vertices());
    sizes.put("arcs", (long) graph.arcs());
    return sizes;
  }

  /**
   * Checks that the graph has weights if they are the lengths.
   *
   * @throws InputException if it has none
   */
  void requireWeights(PathsOptions variant) {
    if (variant.lengths() == Lengths.WEIGHTS && !graph.weighted()) {
      throw new InputException(
          description
              + ": the graph has no weights, and lengths=weights needs some; draw them with"
              + " --weights 1..1000000 (and --seed)");
    }
  }

  /**
   * Searches.
   *
   * @throws InputException if the graph does not suit the options, in terms of the input
   */
  PathsResult told(Supplier<PathsResult> search) {
    try {
      return search.get();
    } catch (DeltaRangeException | DistanceRangeException | NodeRangeException e) {
      throw new InputException(description + ": " + e.getMessage(), e);
    } catch (LocalRoundsException e) {
      throw new InputException(e.getMessage(), e);
    }
  }

  /**
   * Compares distances with those of a reference.
   *
   * @param distances {@linkplain PathsResult#orderedDistances() as numbers that stand for them}
   */
  static Optional<String> mistake(long[] distances, PathsResult reference) {
    int v = Arrays.mismatch(distances, reference.orderedDistances());
    if (v < 0) {
      return Optional.empty();
    }
    double real =
        distances[v] == PathsResult.UNREACHED
            ? Double.POSITIVE_INFINITY
            : Double.longBitsToDouble(distances[v]);
    return Optional.of(
        "vertex "
            + v
            + " has distance "
            + (reference.floating() ? (Number) real : (Number) distances[v])
            + ", by the reference "
            + reference.exactDistance(v));
  }
}
