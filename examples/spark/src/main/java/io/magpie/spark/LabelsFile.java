package io.magpie.spark;

import io.magpie.spark.RowFile.Column;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Writes components as Parquet: a row for each vertex, in ascending order, with columns vertex and
 * component, the least vertex of its component.
 */
final class LabelsFile {
  static final String VERTEX = "vertex";
  static final String COMPONENT = "component";

  private LabelsFile() {}

  static void write(int[] labels, Path path, Configuration configuration) throws IOException {
    List<Column> columns =
        List.of(
            new Column(VERTEX, PrimitiveTypeName.INT32, (to, vertex) -> to.addInteger(vertex)),
            Column.of(COMPONENT, labels));
    try (RowFile file =
        new RowFile(path, configuration, "components", columns, Map.of(), RowFile.GROUP)) {
      for (int vertex = 0; vertex < labels.length; vertex++) {
        file.write(vertex);
      }
    }
  }
}
