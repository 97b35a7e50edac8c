package io.magpie.spark;

import io.magpie.algorithms.msf.NumberedForest;
import io.magpie.spark.RowFile.Column;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Writes a forest as Parquet: columns id, src, dst and weight, in ascending order of id. */
final class ForestFile {
  private ForestFile() {}

  static void write(NumberedForest forest, Path path, Configuration configuration)
      throws IOException {
    List<Column> columns =
        List.of(
            Column.of("id", forest.numbers()),
            Column.of("src", forest.sources()),
            Column.of("dst", forest.targets()),
            weights(forest));
    try (RowFile file =
        new RowFile(path, configuration, "forest", columns, Map.of(), RowFile.GROUP)) {
      for (int edge = 0; edge < forest.edges(); edge++) {
        file.write(edge);
      }
    }
  }

  private static Column weights(NumberedForest forest) {
    return switch (forest.weightType()) {
      case INT ->
          new Column(
              "weight",
              PrimitiveTypeName.INT32,
              (to, edge) -> to.addInteger(forest.weight(edge).intValue()));
      case LONG ->
          new Column(
              "weight",
              PrimitiveTypeName.INT64,
              (to, edge) -> to.addLong(forest.weight(edge).longValue()));
      case FLOAT ->
          new Column(
              "weight",
              PrimitiveTypeName.FLOAT,
              (to, edge) -> to.addFloat(forest.weight(edge).floatValue()));
      case DOUBLE ->
          new Column(
              "weight",
              PrimitiveTypeName.DOUBLE,
              (to, edge) -> to.addDouble(forest.weight(edge).doubleValue()));
    };
  }
}
