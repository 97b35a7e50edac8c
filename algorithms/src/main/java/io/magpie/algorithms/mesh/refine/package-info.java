/**
 * Delaunay refinement on a device: {@link io.magpie.algorithms.mesh.refine.MeshRefinement} does it
 * as {@link io.magpie.algorithms.mesh.refine.RefinementOptions} say, and tells in a {@link
 * io.magpie.algorithms.mesh.refine.RefinementReport} what it did. The kernels are in {@code
 * src/main/cuda/mesh}, {@code mesh_phases} and {@code mesh_sets}.
 *
 * <p>Depends on the model in {@code io.magpie.algorithms.mesh}, and is the only one of its packages
 * that knows devices. It shares no code with {@code io.magpie.algorithms.mesh.verify}, which checks
 * its results.
 */
package io.magpie.algorithms.mesh.refine;
