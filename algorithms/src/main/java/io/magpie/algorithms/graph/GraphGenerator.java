package io.magpie.algorithms.graph;

import io.magpie.algorithms.Generator;
import io.magpie.algorithms.internal.GeneratorSpec;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A kind of generated graph with all its parameters set; made by {@link GraphGenerators#parse}. The
 * same generator makes the same graph every time, however many threads work on it.
 */
public final class GraphGenerator extends Generator<Graph> {
  /** What makes the graph. */
  @FunctionalInterface
  interface Recipe<G> {
    G generate();
  }

  private final GeneratorSpec parsed;
  private final Recipe<Graph> recipe;
  private final Recipe<DirectedGraph> directed;
  private final Supplier<Coordinates> coordinates;
  private final WeightType weights;

  /**
   * A generator; {@code weights} is null if there are none, {@code coordinates} where the vertices
   * lie nowhere.
   */
  GraphGenerator(
      GeneratorSpec parsed,
      WeightType weights,
      Recipe<Graph> recipe,
      Supplier<Coordinates> coordinates) {
    this(parsed, weights, recipe, null, coordinates);
  }

  private GraphGenerator(
      GeneratorSpec parsed,
      WeightType weights,
      Recipe<Graph> recipe,
      Recipe<DirectedGraph> directed,
      Supplier<Coordinates> coordinates) {
    super(parsed.complete(), parsed.takenSeed());
    this.parsed = parsed;
    this.weights = weights;
    this.recipe = recipe;
    this.directed = directed;
    this.coordinates = coordinates;
  }

  /** A generator of directed graphs, whose vertices lie nowhere. */
  static GraphGenerator directed(
      GeneratorSpec parsed, WeightType weights, Recipe<DirectedGraph> recipe) {
    return new GraphGenerator(parsed, weights, null, recipe, null);
  }

  /**
   * Makes the graph, in parallel on the common pool.
   *
   * @return the graph
   * @throws GraphTooLargeException when it has more arcs than a graph can hold, or does not fit
   *     into the heap
   * @throws IllegalArgumentException when it is {@linkplain #isDirected() directed}
   */
  @Override
  public Graph generate() {
    if (isDirected()) {
      throw new IllegalArgumentException(
          spec() + " makes a directed graph; leave out 'directed', or ask for a directed one");
    }
    return fitting(recipe);
  }

  @Override
  protected Graph make() {
    return recipe.generate();
  }

  /**
   * Makes the graph as a directed one, in parallel on the common pool: with one arc for each edge
   * where the spec says {@code directed}, else with two.
   *
   * @return the graph
   * @throws GraphTooLargeException as by {@link #generate}
   * @throws IllegalArgumentException when weights are not ints or floats, 0 or more
   */
  public DirectedGraph generateDirected() {
    return isDirected() ? fitting(directed) : DirectedGraph.of(generate());
  }

  /** Whether the spec says {@code directed}, so that there is no undirected graph to be made. */
  public boolean isDirected() {
    return directed != null;
  }

  /** Whether the graph has weights, as it has unless the spec says {@code weights=none}. */
  public boolean isWeighted() {
    return weights != null;
  }

  /** The type of the graph's weights; {@link WeightType#INT} if it has none. */
  public WeightType weightType() {
    return weights == null ? WeightType.INT : weights;
  }

  private static <G> G fitting(Recipe<G> recipe) {
    try {
      return recipe.generate();
    } catch (OutOfMemoryError e) {
      // Only arrays as large as the graph can have failed; they are garbage by now.
      throw new GraphTooLargeException(e);
    }
  }

  /**
   * The same kind with one more parameter.
   *
   * @param parameter such as {@code seed} or {@code weights}
   * @param value as in a spec
   * @return a changed copy
   * @throws IllegalArgumentException if the parameter was given already, or the value is bad
   */
  public GraphGenerator with(String parameter, String value) {
    return GraphGenerators.generator(parsed.with(parameter, value));
  }

  /**
   * Whether a parameter was given, rather than left to its default.
   *
   * @param parameter such as {@code weights}
   */
  public boolean has(String parameter) {
    return parsed.has(parameter);
  }

  /** Whether the vertices lie somewhere; see {@link #coordinates}. */
  public boolean hasCoordinates() {
    return coordinates != null;
  }

  /**
   * Where the vertices lie: for the kinds grid, road, knn and rgg. Computed at each call, in
   * parallel.
   *
   * @return empty for the other kinds
   */
  public Optional<Coordinates> coordinates() {
    return Optional.ofNullable(coordinates).map(Supplier::get);
  }
}
