/**
 * Files of graphs and meshes: {@link io.magpie.algorithms.mesh.io.TriangleFormat} reads and writes
 * those of Triangle. Depends on the model in {@code io.magpie.algorithms.mesh}; neither refinement
 * nor verification depends on it.
 */
package io.magpie.algorithms.mesh.io;
