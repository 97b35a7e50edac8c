/**
 * Minimum spanning forests by transactions, by atomics, and sequentially.
 *
 * <p>{@link io.magpie.algorithms.msf.MinimumSpanningForest} computes one on a device, as {@link
 * io.magpie.algorithms.msf.MsfOptions} say; {@link io.magpie.algorithms.msf.KruskalReference} does
 * it on one processor core without the device's kernels, {@link
 * io.magpie.algorithms.msf.FilterKruskal} also and faster on dense graphs, and {@link
 * io.magpie.algorithms.msf.MsfVerifier} compares with the former. {@link
 * io.magpie.algorithms.msf.StreamedForest} finds those of graphs that do not fit, from an {@link
 * io.magpie.algorithms.msf.EdgeSource}. The kernels are in {@code src/main/cuda/msf}.
 */
package io.magpie.algorithms.msf;
