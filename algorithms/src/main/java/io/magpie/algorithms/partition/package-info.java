/**
 * Partitions of graphs into parts of even weight with few edges between them, by a multilevel
 * scheme.
 *
 * <p>{@link io.magpie.algorithms.partition.PartitionOptions} say how, {@link
 * io.magpie.algorithms.partition.Balance} what a part may weigh, {@link
 * io.magpie.algorithms.partition.PartitionVerifier} recomputes on the host what a result claims.
 */
package io.magpie.algorithms.partition;
