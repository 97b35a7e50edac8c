package io.magpie.spark;

import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.StreamedForest;
import io.magpie.stm.Device;

/** Generated edges: an edge's number is its row, and each partition computes its own. */
record ComputedRows(String spec, int vertices, WeightType weightType, long rows) implements Edges {
  private static final long serialVersionUID = 1L;

  static ComputedRows of(GeneratedEdges edges) {
    return new ComputedRows(edges.spec(), edges.vertices(), edges.weightType(), edges.count());
  }

  @Override
  public String description() {
    return spec;
  }

  @Override
  public ForestArrays forest(
      Device device, long first, long end, MsfOptions options, Settings settings) {
    try (EdgeSource edges = EdgeSource.of(GeneratedEdges.parse(spec), first, end)) {
      return ForestArrays.of(StreamedForest.run(device, edges, options));
    }
  }

  @Override
  public Edges within(long first, long end) {
    return this;
  }
}
