/**
 * Connected components and spanning forests by transactions, by atomics, without either, and
 * sequentially.
 *
 * <p>{@link io.magpie.algorithms.components.ConnectedComponents} finds them on a device, as {@link
 * io.magpie.algorithms.components.ComponentsOptions} say; {@link
 * io.magpie.algorithms.components.ComponentsReference} does it on one processor core without the
 * device's kernels, and {@link io.magpie.algorithms.components.ComponentsVerifier} checks a result
 * against the definition. The kernels are in {@code src/main/cuda/components}.
 */
package io.magpie.algorithms.components;
