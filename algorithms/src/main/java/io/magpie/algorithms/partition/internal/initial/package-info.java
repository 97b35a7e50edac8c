/**
 * Partitions of small graphs on the host, with which a multilevel partition begins: {@link
 * io.magpie.algorithms.partition.internal.initial.InitialPartition} makes one. Works on plain
 * arrays and knows neither devices nor the partitioner. For {@code io.magpie.algorithms.partition}
 * only.
 */
package io.magpie.algorithms.partition.internal.initial;
