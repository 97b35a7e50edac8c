package io.magpie.algorithms.graph;

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

  private final String spec;
  private final Recipe recipe;

  GraphGenerator(String spec, Recipe recipe) {
    this.spec = spec;
    this.recipe = recipe;
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
