package io.magpie.spark;

import io.magpie.algorithms.msf.EdgeChunk;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.examples.input.EdgeFormat;
import io.magpie.spark.RowFile.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * A folder of edges as {@link ParquetRows} reads them: files with columns src, dst and, if there
 * are weights, weight, in the order of the edges' numbers; and a column id, if these are not those
 * of the rows. The footers say how many vertices there are. Only a chunk and a row group are held.
 */
final class EdgeFolder implements EdgeFormat.Target {
  /** Rows of a file, which has 400 MB at most. */
  static final int ROWS = 1 << 24;

  private static final int CHUNK = 1 << 16;
  private static final String WEIGHT = "weight";

  private final OutputFolder folder;
  private final Configuration configuration;
  private final int rows;
  private final int group;

  /** The file that is being written; null between two. */
  private RowFile file;

  /** Files that have been begun, by the names that they are to have. */
  private final Map<String, String> files = new TreeMap<>();

  private long count;

  /**
   * @param folder where it is to be; closed with this
   * @param rows of a file at most
   * @param group rows of a row group at most
   */
  EdgeFolder(OutputFolder folder, Configuration configuration, int rows, int group) {
    this.folder = folder;
    this.configuration = configuration;
    this.rows = rows;
    this.group = group;
  }

  @Override
  public long write(EdgeSource edges, boolean weighted, boolean numbered, String description) {
    EdgeChunk chunk = new EdgeChunk(CHUNK, edges.weightType());
    List<Column> columns = columns(chunk, weighted, numbered);
    Map<String, String> about = Map.of(ParquetRows.VERTICES, Integer.toString(edges.vertices()));
    try {
      open(columns, about); // columns and vertices are told even if there are no edges
      for (edges.next(chunk); chunk.size() > 0; edges.next(chunk)) {
        put(chunk, columns, about, numbered);
        chunk.clear();
      }
      closeFile();
    } catch (IOException e) {
      throw folder.failed(e);
    }
    folder.complete(files, manifest(edges, weighted, columns, description));
    return count;
  }

  private void put(
      EdgeChunk chunk, List<Column> columns, Map<String, String> about, boolean numbered)
      throws IOException {
    for (int i = 0; i < chunk.size(); i++, count++) {
      if (!numbered && chunk.number(i) != count) {
        throw new IllegalArgumentException(
            "row " + count + " is to have edge number " + chunk.number(i));
      }
      if (count > 0 && count % rows == 0) {
        closeFile();
        open(columns, about);
      }
      file.write(i);
    }
  }

  private void open(List<Column> columns, Map<String, String> about) throws IOException {
    String name = String.format(Locale.ROOT, "part-%08d.parquet", files.size());
    Path path = new Path(folder.attempts(), name);
    files.put(name, path.toString());
    file = new RowFile(path, configuration, "edges", columns, about, group);
  }

  private void closeFile() throws IOException {
    RowFile closed = file;
    file = null; // closed once, even if that fails
    closed.close();
  }

  /** What a row has, from the edge of that index in the chunk. */
  private static List<Column> columns(EdgeChunk chunk, boolean weighted, boolean numbered) {
    List<Column> columns = new ArrayList<>();
    if (numbered) {
      columns.add(
          new Column("id", PrimitiveTypeName.INT64, (to, i) -> to.addLong(chunk.number(i))));
    }
    columns.add(Column.of("src", chunk.sources()));
    columns.add(Column.of("dst", chunk.targets()));
    if (weighted) {
      columns.add(
          switch (chunk.weightType()) {
            case INT -> Column.of(WEIGHT, chunk.intWeights());
            case LONG -> Column.of(WEIGHT, chunk.longWeights());
            case FLOAT -> Column.of(WEIGHT, chunk.floatWeights());
            case DOUBLE -> Column.of(WEIGHT, chunk.doubleWeights());
          });
    }
    return columns;
  }

  private Map<String, Object> manifest(
      EdgeSource edges, boolean weighted, List<Column> columns, String description) {
    Map<String, Object> manifest = new LinkedHashMap<>();
    manifest.put("format", "magpie-edges-1");
    manifest.put("input", description);
    manifest.put("vertices", edges.vertices());
    manifest.put("edges", count);
    manifest.put("columns", columns.stream().map(Column::name).toList());
    if (weighted) {
      manifest.put("weightType", edges.weightType().toString());
    }
    return manifest;
  }

  @Override
  public void close() {
    try {
      if (file != null) { // what it has is not wanted
        closeFile();
      }
    } catch (IOException | RuntimeException e) {
      return; // what was wrong before is told
    } finally {
      folder.close();
    }
  }
}
