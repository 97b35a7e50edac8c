/**
 * Partitions of graphs into parts of even weight with few edges between them, by a multilevel
 * scheme.
 *
 * <p>{@link io.magpie.algorithms.partition.GraphPartitioner} makes one on a device, as {@link
 * io.magpie.algorithms.partition.PartitionOptions} say; {@link
 * io.magpie.algorithms.partition.Balance} says what a part may weigh, and {@link
 * io.magpie.algorithms.partition.PartitionVerifier} recomputes on the host what a result claims.
 * {@link io.magpie.algorithms.partition.PartitionFormat} writes and reads files, {@link
 * io.magpie.algorithms.partition.PartitionPicture} draws. The kernels are in {@code
 * src/main/cuda/partition}; the partition of the coarsest graph, with which refinement begins, is
 * made on the host in {@code internal.initial}, which is not public.
 */
package io.magpie.algorithms.partition;
