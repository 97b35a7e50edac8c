package io.magpie.algorithms.mesh;

import io.magpie.algorithms.Generator;
import io.magpie.algorithms.internal.GeneratorSpec;

/**
 * A kind of generated points or segments with all its parameters set; made by {@link
 * MeshGenerators#parse}. The same generator makes the same graph every time, on every machine.
 */
public final class MeshGenerator extends Generator<PlanarGraph> {
  /** What makes the graph. */
  @FunctionalInterface
  interface Recipe {
    PlanarGraph generate();
  }

  private final Recipe recipe;

  MeshGenerator(GeneratorSpec parsed, Recipe recipe) {
    this(parsed.complete(), parsed.takenSeed(), recipe);
  }

  MeshGenerator(String spec, long seed, Recipe recipe) {
    super(spec, seed);
    this.recipe = recipe;
  }

  @Override
  protected PlanarGraph make() {
    return recipe.generate();
  }
}
