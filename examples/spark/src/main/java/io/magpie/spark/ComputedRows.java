package io.magpie.spark;

import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeChunk;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.StreamedForest;
import io.magpie.stm.Device;
import java.util.Map;

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
  public void pass(long first, long end, Settings settings, Taker taker) {
    RowReader.Rows rows = new RowReader.Rows(RowReader.AT_ONCE);
    EdgeChunk chunk = new EdgeChunk(RowReader.AT_ONCE, weightType);
    try (EdgeSource edges = EdgeSource.of(GeneratedEdges.parse(spec), first, end)) {
      do {
        chunk.clear();
        edges.next(chunk);
        for (int i = 0; i < chunk.size(); i++) {
          rows.numbers[i] = chunk.number(i);
          rows.sources[i] = chunk.sources()[i];
          rows.targets[i] = chunk.targets()[i];
          rows.keys[i] =
              weightType == WeightType.INT
                  ? chunk.intWeights()[i]
                  : Keys.of(chunk.floatWeights()[i]);
        }
      } while (chunk.size() > 0 && taker.take(rows, chunk.size()));
    }
  }

  @Override
  public Map<String, String> identity() {
    return Map.of("generated", spec);
  }

  @Override
  public boolean haveIds() {
    return false;
  }

  @Override
  public Edges within(long first, long end) {
    return this;
  }
}
