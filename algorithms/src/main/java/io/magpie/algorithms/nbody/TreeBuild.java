package io.magpie.algorithms.nbody;

/** A way to build the octree over bodies whose keys are on the device. */
interface TreeBuild extends AutoCloseable {
  /**
   * Builds the tree: cells, their depths, and the links of leaves. There is at least one body.
   *
   * @return launches over bodies that inserted some
   */
  int build();

  /** Whether bodies are in the order of the tree after that; else that is found from the tree. */
  boolean ordersBodies();

  @Override
  default void close() {}
}
