package io.magpie.examples.input;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerator;
import io.magpie.algorithms.mesh.MeshGenerators;

/**
 * Generated points or segments, triangulated.
 *
 * @param generator what makes them
 */
public record GeneratedMesh(MeshGenerator generator) implements MeshInput, GeneratedInput {
  /**
   * The mesh of a specification, such as {@code uniform:100k}.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static GeneratedMesh of(String spec) {
    return new GeneratedMesh(MeshGenerators.parse(spec));
  }

  @Override
  public MeshInput withoutDuplicates() {
    throw new IllegalArgumentException(
        "--merge-duplicates has no effect on --points, which are at different places; leave it"
            + " out");
  }

  @Override
  public Mesh mesh() {
    try {
      return DelaunayTriangulation.of(generator.generate()).hilbertOrdered();
    } catch (IllegalArgumentException e) {
      throw new InputException(description() + ": " + e.getMessage());
    }
  }
}
