/**
 * Gravity among many bodies by the method of Barnes and Hut: an octree is built over the bodies at
 * each time step, by transactions, by locks or from sorted keys, and cells that are far away act on
 * a body as one.
 *
 * <p>{@link io.magpie.algorithms.nbody.BarnesHut} computes on a device, as {@link
 * io.magpie.algorithms.nbody.NBodyOptions} say; {@link io.magpie.algorithms.nbody.NBodyReference}
 * does it on one processor without the device's kernels, by a tree of its own and by the sum over
 * all pairs, and {@link io.magpie.algorithms.nbody.NBodyVerifier} checks against it. Bodies come
 * from a {@link io.magpie.algorithms.nbody.BodyGenerator}, from a file in {@link
 * io.magpie.algorithms.nbody.TipsyFormat}, or from arrays. The kernels are in {@code
 * src/main/cuda/nbody}.
 *
 * <p>Units: the constant of gravity is 1. Lengths, masses and times are whatever agrees with that.
 */
package io.magpie.algorithms.nbody;
