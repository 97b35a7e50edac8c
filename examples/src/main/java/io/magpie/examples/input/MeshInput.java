package io.magpie.examples.input;

import io.magpie.algorithms.mesh.Mesh;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Where a mesh comes from. */
public interface MeshInput extends Input {
  /**
   * Reads the mesh, or makes it. Files keep their numbers of vertices; generated ones are numbered
   * along a Hilbert curve.
   *
   * @throws IOException if a file cannot be read or is malformed
   * @throws InputException if there is nothing to triangulate, or no way to
   */
  Mesh mesh() throws IOException;

  /** The file it is read from, or what the names of its files in Triangle's format begin with. */
  default Optional<Path> base() {
    return Optional.empty();
  }

  /**
   * The same, with vertices at one place merged before they are triangulated.
   *
   * @throws IllegalArgumentException if it has no such vertices; the message is for users
   */
  default MeshInput withoutDuplicates() {
    throw new IllegalArgumentException(
        "--merge-duplicates has no effect on " + description() + "; leave it out");
  }
}
