/**
 * Shortest paths from one vertex of a directed graph: breadth-first search and single-source
 * shortest paths, by atomics, by plain stores, by transactions, and sequentially.
 *
 * <p>{@link io.magpie.algorithms.paths.ShortestPaths} computes them on a device, as {@link
 * io.magpie.algorithms.paths.PathsOptions} say; {@link io.magpie.algorithms.paths.PathsReference}
 * does it on one processor core without the device's kernels, and {@link
 * io.magpie.algorithms.paths.PathsVerifier} checks against the definition and against the latter.
 * The kernels are in {@code src/main/cuda/paths}.
 */
package io.magpie.algorithms.paths;
