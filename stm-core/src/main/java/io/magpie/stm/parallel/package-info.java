/**
 * Data-parallel building blocks, between the phases of an algorithm or in place of its own: the
 * host's side of the headers in {@code magpie/parallel/}.
 *
 * <ul>
 *   <li>{@link io.magpie.stm.parallel.Primitives}: scans, reductions, packing, splitting and
 *       sorting of arrays and of segments.
 *   <li>{@link io.magpie.stm.parallel.KernelWorklist}: items that kernels take and push, from
 *       launch to launch.
 *   <li>{@link io.magpie.stm.parallel.PriorityBins}: items that wait, the most urgent ones first.
 * </ul>
 *
 * <p>It is built on {@code io.magpie.stm}, which knows nothing of it.
 */
package io.magpie.stm.parallel;
