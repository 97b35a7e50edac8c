package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.GeneratorSpec;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A kind of generated graph with all its parameters set; made by {@link GraphGenerators#parse}. The
 * same generator makes the same graph every time, however many threads work on it.
 */
public final class GraphGenerator {
  /** What makes the graph. */
  @FunctionalInterface
  interface Recipe {
    Graph generate();
  }

  private final GeneratorSpec parsed;
  private final String spec;
  private final Recipe recipe;
  private final Supplier<Coordinates> coordinates;

  /** A generator; {@code coordinates} is null where the vertices lie nowhere. */
  GraphGenerator(GeneratorSpec parsed, Recipe recipe, Supplier<Coordinates> coordinates) {
    this.parsed = parsed;
    this.spec = parsed.complete();
    this.recipe = recipe;
    this.coordinates = coordinates;
  }

  /**
   * Makes the graph, in parallel on the common pool.
   *
   * @return the graph
   * @throws GraphTooLargeException when it has more arcs than a graph can hold, or does not fit
   *     into the heap
   */
  public Graph generate() {
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

  /** The seed by which the graph is drawn; 1 if none was given. */
  public long seed() {
    return parsed.takenSeed();
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

  /**
   * The complete description, defaults included: parsing it gives an equal generator.
   *
   * @return such as {@code random:n=1000,m=5000,seed=7,weights=1..100}
   */
  public String spec() {
    return spec;
  }

  @Override
  public String toString() {
    return spec;
  }
}
