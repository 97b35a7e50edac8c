package io.magpie.algorithms.nbody;

/** A way to build the octree over bodies whose keys are on the device. */
interface TreeBuild extends AutoCloseable {
  /**
   * Builds the tree: cells, their depths, and the links of leaves; or finds too little room for
   * cells, and says in {@code totals} how many it needs. There is at least one body.
   *
   * @return launches over bodies that inserted some
   */
  int build();

  @Override
  default void close() {}
}
