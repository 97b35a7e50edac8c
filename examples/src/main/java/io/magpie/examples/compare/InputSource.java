package io.magpie.examples.compare;

/** Where an input comes from: files or a generator. */
public sealed interface InputSource permits GraphSource, MeshSource {
  /** The input in words: the file's path, or the generator with all its parameters. */
  String description();

  /** The seed as it is used: 1 if none was given. */
  long drawSeed();

  /**
   * The source as one of a graph.
   *
   * @throws IllegalArgumentException if it is none
   */
  default GraphSource ofGraph() {
    throw new IllegalArgumentException(
        description() + " is a mesh: expected a graph, --graph or --generate");
  }

  /**
   * The source as one of a mesh.
   *
   * @throws IllegalArgumentException if it is none
   */
  default MeshSource ofMesh() {
    throw new IllegalArgumentException(
        description() + " is a graph: expected a mesh, --mesh, --poly or --points");
  }
}
