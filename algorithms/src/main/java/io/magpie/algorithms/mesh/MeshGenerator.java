package io.magpie.algorithms.mesh;

import io.magpie.algorithms.internal.GeneratorSpec;

/**
 * A kind of generated points or segments with all its parameters set; made by {@link
 * MeshGenerators#parse}. The same generator makes the same graph every time, on every machine.
 */
public final class MeshGenerator {
  /** What makes the graph. */
  @FunctionalInterface
  interface Recipe {
    PlanarGraph generate();
  }

  private final String spec;
  private final long seed;
  private final Recipe recipe;

  MeshGenerator(GeneratorSpec parsed, Recipe recipe) {
    this(parsed.complete(), parsed.takenSeed(), recipe);
  }

  MeshGenerator(String spec, long seed, Recipe recipe) {
    this.spec = spec;
    this.seed = seed;
    this.recipe = recipe;
  }

  /**
   * Makes the graph, in parallel on the common pool.
   *
   * @return the graph
   * @throws IllegalArgumentException when it does not fit into the heap
   */
  public PlanarGraph generate() {
    try {
      return recipe.generate();
    } catch (OutOfMemoryError e) {
      // Only arrays as large as the graph can have failed; they are garbage by now.
      throw new IllegalArgumentException(
          "generator '"
              + spec
              + "': too large for the heap of "
              + (Runtime.getRuntime().maxMemory() >> 20)
              + " MiB; give Java more memory by -Xmx",
          e);
    }
  }

  /** The seed by which it is drawn; 1 if none was given. */
  public long seed() {
    return seed;
  }

  /**
   * The complete description, defaults included: parsing it gives an equal generator.
   *
   * @return such as {@code clustered:n=1000,clusters=32,seed=1}
   */
  public String spec() {
    return spec;
  }

  @Override
  public String toString() {
    return spec;
  }
}
