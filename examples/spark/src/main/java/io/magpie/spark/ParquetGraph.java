package io.magpie.spark;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphTooLargeException;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.InputException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * A graph in Parquet files, whose edges are added in the order of the rows.
 *
 * @param path a file, or a folder of files
 */
record ParquetGraph(String path) implements GraphInput {
  private static final String WEIGHT = "weight";

  @Override
  public String description() {
    return path;
  }

  @Override
  public boolean generated() {
    return false;
  }

  @Override
  public List<Path> filesRead() {
    return LocalPaths.of(path).map(List::of).orElse(List.of());
  }

  @Override
  public Graph graph() {
    SparkLog.quieten();
    Configuration configuration = new Configuration();
    boolean weighted = ParquetRows.haveColumn(path, WEIGHT, configuration);
    ParquetRows rows =
        ParquetRows.of(
            path,
            new ParquetRows.Columns("src", "dst", weighted ? WEIGHT : null, null, false),
            null,
            configuration);
    GraphBuilder graph = new GraphBuilder(rows.vertices(), weighted ? rows.weightType() : null);
    try {
      rows.pass(
          0,
          rows.rows(),
          Settings.of(configuration),
          (some, count) -> {
            for (int i = 0; i < count; i++) {
              add(graph, rows, some, i);
            }
            return true;
          });
      return graph.build();
    } catch (RowRefusal e) {
      throw new InputException(e.getMessage(), e);
    } catch (GraphTooLargeException e) {
      throw new InputException(
          path + ": " + e.getMessage() + "; where edges do not fit in memory, take --engine spark",
          e);
    }
  }

  private static void add(GraphBuilder graph, ParquetRows rows, RowReader.Rows some, int i) {
    int u = some.sources[i];
    int v = some.targets[i];
    long key = some.keys[i];
    switch (rows.weightType()) {
      case INT -> graph.addEdge(u, v, (int) key);
      case LONG -> graph.addEdge(u, v, key);
      case FLOAT -> graph.addEdge(u, v, Keys.toFloat(key));
      case DOUBLE -> graph.addEdge(u, v, Keys.toDouble(key));
    }
  }
}
