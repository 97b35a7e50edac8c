package io.magpie.examples.input;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.FileEdges;
import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightRange;
import io.magpie.algorithms.graph.WeightType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A graph without weights, with drawn ones.
 *
 * @param of the graph
 * @param adjustments seed and weights
 */
record DrawnWeights(GraphInput of, GraphAdjustments adjustments) implements GraphInput {
  private static final Pattern RANGE = Pattern.compile("(?:(\\d{1,10})\\.\\.)?(\\d{1,10}|max)");

  /**
   * Checks what can be checked without reading anything.
   *
   * @throws IllegalArgumentException if there is a seed alone, or no range
   */
  DrawnWeights {
    check(of.description(), adjustments);
  }

  /**
   * Checks seed and weights.
   *
   * @param what what they are for, in a message
   */
  static void check(String what, GraphAdjustments adjustments) {
    if (adjustments.weights() != null) {
      checkRange(adjustments.weights());
    } else if (adjustments.seed() != null) {
      throw new IllegalArgumentException(
          "--seed has no effect on " + what + " without --weights; leave it out");
    }
  }

  /** The seed of weights. */
  static long seed(GraphAdjustments adjustments) {
    return adjustments.seed() == null ? 1 : adjustments.seed();
  }

  /** What the graph is called with its weights. */
  static String description(String what, GraphAdjustments adjustments) {
    return what + " with weights " + adjustments.weights() + ", seed " + seed(adjustments);
  }

  /**
   * The graph with its weights.
   *
   * @throws InputException if it has some
   */
  static Graph drawn(Graph graph, String what, GraphAdjustments adjustments) {
    requireNone(graph.weighted(), what);
    if (WeightRange.namesType(adjustments.weights())) {
      return graph.withWeights(seed(adjustments), WeightRange.parse(adjustments.weights()));
    }
    int[] range = range(adjustments.weights());
    return graph.withWeights(seed(adjustments), range[0], range[1]);
  }

  /**
   * The same for a directed graph.
   *
   * @throws InputException if it has some, or negative weights, or ones of another type than int or
   *     float, are asked for
   */
  static DirectedGraph drawn(DirectedGraph graph, String what, GraphAdjustments adjustments) {
    requireNone(graph.weighted(), what);
    if (WeightRange.namesType(adjustments.weights())) {
      try {
        return graph.withWeights(seed(adjustments), WeightRange.parse(adjustments.weights()));
      } catch (IllegalArgumentException e) {
        throw new InputException(what + ": " + e.getMessage(), e);
      }
    }
    int[] range = range(adjustments.weights());
    return graph.withWeights(seed(adjustments), range[0], range[1]);
  }

  /**
   * The same for the edges of a file one by one.
   *
   * @throws InputException if they have some
   */
  static FileEdges drawn(FileEdges edges, String what, GraphAdjustments adjustments) {
    requireNone(edges.isWeighted(), what);
    if (WeightRange.namesType(adjustments.weights())) {
      return edges.withWeights(seed(adjustments), WeightRange.parse(adjustments.weights()));
    }
    int[] range = range(adjustments.weights());
    return edges.withWeights(
        seed(adjustments), new WeightRange(WeightType.INT, range[0], range[1]));
  }

  private static void requireNone(boolean weighted, String what) {
    if (weighted) {
      throw new InputException(what + ": the graph already has weights; leave out --weights");
    }
  }

  private static void checkRange(String weights) {
    if (WeightRange.namesType(weights)) {
      WeightRange.parse(weights);
    } else {
      range(weights);
    }
  }

  private static int[] range(String weights) {
    Matcher matcher = RANGE.matcher(weights);
    if (matcher.matches()) {
      long min = matcher.group(1) == null ? 1 : Long.parseLong(matcher.group(1));
      long max =
          matcher.group(2).equals("max") ? Integer.MAX_VALUE : Long.parseLong(matcher.group(2));
      if (min <= max && max <= Integer.MAX_VALUE) {
        return new int[] {(int) min, (int) max};
      }
    }
    throw new IllegalArgumentException(
        "weights '"
            + weights
            + "': expected L..H, H or max, with 0 <= L <= H <= 2147483647,"
            + " or TYPE:L..H, such as double:0..1");
  }

  @Override
  public String description() {
    return description(of.description(), adjustments);
  }

  @Override
  public boolean generated() {
    return of.generated();
  }

  @Override
  public List<Path> filesRead() {
    return of.filesRead();
  }

  @Override
  public long seed() {
    return seed(adjustments);
  }

  @Override
  public Graph graph() throws IOException {
    return drawn(of.graph(), of.description(), adjustments);
  }

  @Override
  public int firstVertex() throws IOException {
    return of.firstVertex();
  }

  @Override
  public GraphInput withWeights(FileWeights weights) {
    return new DrawnWeights(of.withWeights(weights), adjustments);
  }

  @Override
  public boolean unitWeights() {
    return of.unitWeights();
  }

  @Override
  public boolean hasCoordinates() {
    return of.hasCoordinates();
  }

  @Override
  public Optional<Coordinates> coordinates() {
    return of.coordinates();
  }
}
