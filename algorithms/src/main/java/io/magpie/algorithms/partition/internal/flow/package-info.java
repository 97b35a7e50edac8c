/**
 * Refinement of partitions by maximum flows on the host: {@link
 * io.magpie.algorithms.partition.internal.flow.FlowRefinement} improves the cut between pairs of
 * parts. Works on plain arrays and knows neither devices nor the partitioner. For {@code
 * io.magpie.algorithms.partition} only.
 */
package io.magpie.algorithms.partition.internal.flow;
