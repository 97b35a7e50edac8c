package io.magpie.algorithms.jgrapht;

import io.magpie.algorithms.partition.GraphPartitioner;
import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.algorithms.partition.PartitionQuality;
import io.magpie.algorithms.partition.PartitionResult;
import io.magpie.algorithms.partition.PartitionVerifier;
import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jgrapht.alg.interfaces.PartitioningAlgorithm;

/**
 * {@link GraphPartitioner} as JGraphT sees such algorithms.
 *
 * <pre>{@code
 * NumberedGraph<String> graph = NumberedGraph.of(streets);
 * Partitioning<String> districts =
 *     new MultilevelPartitioning<>(graph, device, PartitionOptions.of(8)).getPartitioning();
 * }</pre>
 *
 * @param <V> the type of the vertices
 */
public final class MultilevelPartitioning<V> implements PartitioningAlgorithm<V> {
  private final NumberedGraph<V> graph;
  private final Device device;
  private final PartitionOptions options;

  /**
   * Prepares a partitioning; {@link #getPartitioning} runs it.
   *
   * @param graph see {@link NumberedGraph}
   * @param device where to run; stays open
   * @param options how
   */
  public MultilevelPartitioning(NumberedGraph<V> graph, Device device, PartitionOptions options) {
    this.graph = Objects.requireNonNull(graph, "graph");
    this.device = Objects.requireNonNull(device, "device");
    this.options = Objects.requireNonNull(options, "options");
  }

  /**
   * Partitions the graph, each time anew.
   *
   * @throws io.magpie.algorithms.partition.ImpossibleBalanceException if the graph has no such
   *     parts
   */
  @Override
  public Partitioning<V> getPartitioning() {
    return partitioning(graph, GraphPartitioner.run(device, graph.graph(), options));
  }

  /**
   * A result on a numbered graph in JGraphT's form: the parts in order, possibly empty ones too.
   */
  public static <V> Partitioning<V> partitioning(NumberedGraph<V> graph, PartitionResult result) {
    List<Set<V>> sets = new ArrayList<>();
    for (int p = 0; p < result.balance().parts(); p++) {
      sets.add(new LinkedHashSet<>());
    }
    for (int v = 0; v < result.parts().length; v++) {
      sets.get(result.parts()[v]).add(graph.vertices().get(v));
    }
    return new PartitioningImpl<>(sets);
  }

  /**
   * Whether each vertex is in just one part, there are as many parts as the options say, and none
   * is heavier than they allow.
   */
  @Override
  public boolean isValidPartitioning(Partitioning<V> partitioning) {
    int[] parts = new int[graph.vertices().size()];
    Arrays.fill(parts, -1);
    if (partitioning.getNumberPartitions() != options.parts()) {
      return false;
    }
    int placed = 0;
    for (int p = 0; p < options.parts(); p++) {
      for (V vertex : partitioning.getPartition(p)) {
        if (!graph.contains(vertex) || parts[graph.number(vertex)] >= 0) {
          return false;
        }
        parts[graph.number(vertex)] = p;
        placed++;
      }
    }
    if (placed < parts.length) {
      return false;
    }
    PartitionQuality quality =
        PartitionVerifier.evaluate(
            graph.graph(), parts, options.parts(), options.imbalance(), options.partWeights());
    return quality.feasible();
  }
}
