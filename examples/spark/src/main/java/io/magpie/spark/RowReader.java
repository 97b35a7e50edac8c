package io.magpie.spark;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.examples.input.InputException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.DummyRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Reads a range of rows, column by column, without an object for a row. */
final class RowReader implements AutoCloseable {
  /** Rows that are read at a time. */
  static final int AT_ONCE = 1 << 14;

  /** Some rows, in arrays of one length. */
  static final class Rows {
    final int[] sources;
    final int[] targets;
    final long[] keys;
    final long[] numbers;

    Rows(int room) {
      sources = new int[room];
      targets = new int[room];
      keys = new long[room];
      numbers = new long[room];
    }
  }

  private final ParquetRows table;
  private final Configuration configuration;
  private final long first;
  private final long end;
  private long next;

  /** The row group that is open, and where its file is; -1 before the first. */
  private int group = -1;

  private String openFile;
  private ParquetFileReader file;
  private MessageType schema;

  /** As {@link ParquetRows.Columns#all} has them; null where there is none. */
  private ColumnReader[] columns;

  private RowRefusal refusal;

  /**
   * @param first the first row
   * @param end one more than the last
   */
  RowReader(ParquetRows table, Configuration configuration, long first, long end) {
    this.table = table;
    this.configuration = configuration;
    this.first = first;
    this.end = end;
    this.next = first;
  }

  /** How many rows there are. */
  long rows() {
    return end - first;
  }

  /** The row that comes next, among all. */
  long next() {
    return next;
  }

  /** Reads the next rows, as many as there is room for at most; gives how many. */
  int read(Rows rows) {
    return read(rows, rows.keys.length);
  }

  /**
   * Reads the next rows.
   *
   * @param most how many at most
   * @return how many; 0 at the end
   * @throws RowRefusal if one is wrong; of several the first
   * @throws InputException if they cannot be read; another attempt may
   */
  int read(Rows rows, int most) {
    if (next == end) {
      return 0;
    }
    try {
      return readSome(rows, most);
    } catch (RowRefusal e) {
      throw e;
    } catch (IOException | RuntimeException e) { // damaged pages have exceptions of all kinds
      throw unreadable(table.groups().get(groupOfNext()).file(), e);
    }
  }

  private static InputException unreadable(String file, Exception e) {
    String reason = Optional.ofNullable(e.getMessage()).orElse(e.toString());
    return new InputException(
        file
            + ": cannot be read: "
            + reason.lines().findFirst().orElse("")
            + "; see that all executors can read it, or write it again",
        e);
  }

  private int readSome(Rows rows, int most) throws IOException {
    open();
    ParquetRows.Group current = table.groups().get(group);
    long left = Math.min(end, current.first() + current.rows()) - next;
    int count = (int) Math.min(Math.min(most, rows.keys.length), left);
    readVertices(0, rows.sources, count);
    readVertices(1, rows.targets, count);
    readWeights(rows.keys, count);
    if (table.columns().id() == null) {
      for (int i = 0; i < count; i++) {
        rows.numbers[i] = next + i;
      }
    } else {
      readNumbers(rows.numbers, count);
    }
    if (refusal != null) {
      throw refusal;
    }
    next += count;
    return count;
  }

  private int groupOfNext() {
    int at = Math.max(group, 0);
    while (next >= table.groups().get(at).first() + table.groups().get(at).rows()) {
      at++;
    }
    return at;
  }

  /** Opens the row group of the next row, unless it is open. */
  private void open() throws IOException {
    int at = groupOfNext();
    if (at == group) {
      return;
    }
    ParquetRows.Group opened = table.groups().get(at);
    if (!opened.file().equals(openFile)) {
      openFile(opened);
    }
    PageReadStore pages = file.readRowGroup(opened.index());
    ColumnReadStoreImpl store =
        new ColumnReadStoreImpl(
            pages,
            new DummyRecordConverter(schema).getRootConverter(),
            schema,
            file.getFooter().getFileMetaData().getCreatedBy());
    columns =
        table.columns().all().stream()
            .map(
                name ->
                    name == null ? null : store.getColumnReader(ParquetRows.column(schema, name)))
            .toArray(ColumnReader[]::new);
    group = at;
    for (ColumnReader column : columns) {
      for (long row = opened.first(); column != null && row < next; row++) {
        if (isThere(column, column.getDescriptor())) {
          column.skip();
        }
        column.consume();
      }
    }
  }

  private void openFile(ParquetRows.Group opened) throws IOException {
    close();
    Path path = new Path(opened.file());
    FileStatus status = path.getFileSystem(configuration).getFileStatus(path);
    if (status.getLen() != opened.length() || status.getModificationTime() != opened.modified()) {
      throw new RowRefusal(
          opened.first(),
          opened.file() + ": has changed since the job began; leave it as it is, and begin again");
    }
    file = ParquetFileReader.open(HadoopInputFile.fromStatus(status, configuration));
    openFile = opened.file();
    MessageType all = file.getFooter().getFileMetaData().getSchema();
    schema =
        new MessageType(all.getName(), table.columns().names().stream().map(all::getType).toList());
    file.setRequestedSchema(schema);
  }

  private boolean isWhole64(int column) {
    return columns[column].getDescriptor().getPrimitiveType().getPrimitiveTypeName()
        == PrimitiveTypeName.INT64;
  }

  /** Whether a column has a value here. */
  private static boolean isThere(ColumnReader column, ColumnDescriptor descriptor) {
    return column.getCurrentDefinitionLevel() == descriptor.getMaxDefinitionLevel();
  }

  private void readVertices(int index, int[] to, int count) {
    ColumnReader column = columns[index];
    ColumnDescriptor descriptor = column.getDescriptor();
    boolean wide = isWhole64(index);
    int vertices = table.vertices();
    for (int i = 0; i < count; i++) {
      if (!isThere(column, descriptor)) {
        refuse(i, index, "no value", "leave such rows out");
        return;
      }
      long vertex = wide ? column.getLong() : column.getInteger();
      if (vertex < 0 || vertex >= vertices) {
        refuse(
            i,
            index,
            Long.toString(vertex),
            vertex < 0
                ? "vertices are numbered from 0"
                : "of "
                    + vertices
                    + " vertices the last is "
                    + (vertices - 1)
                    + (table.columns().byOptions() ? ": see --vertices" : ""));
        return;
      }
      to[i] = (int) vertex;
      column.consume();
    }
  }

  private void readNumbers(long[] to, int count) {
    ColumnReader column = columns[3];
    ColumnDescriptor descriptor = column.getDescriptor();
    boolean wide = isWhole64(3);
    for (int i = 0; i < count; i++) {
      if (!isThere(column, descriptor)) {
        refuse(i, 3, "no value", "number all edges, or leave out --id");
        return;
      }
      to[i] = wide ? column.getLong() : column.getInteger();
      if (to[i] < 0) {
        refuse(i, 3, Long.toString(to[i]), "ids are from 0 on");
        return;
      }
      column.consume();
    }
  }

  private void readWeights(long[] to, int count) {
    ColumnReader column = columns[2];
    if (column == null) {
      Arrays.fill(to, 0, count, 1);
      return;
    }
    ColumnDescriptor descriptor = column.getDescriptor();
    WeightType type = table.weightType();
    for (int i = 0; i < count; i++) {
      if (!isThere(column, descriptor)) {
        refuse(i, 2, "no value", "leave out edges that must not be chosen");
        return;
      }
      switch (type) {
        case INT -> to[i] = column.getInteger();
        case LONG -> to[i] = column.getLong();
        case FLOAT -> {
          float weight = column.getFloat();
          if (!Float.isFinite(weight)) {
            refuse(i, 2, Float.toString(weight), "leave out edges that must not be chosen");
            return;
          }
          to[i] = Keys.of(weight);
        }
        case DOUBLE -> {
          double weight = column.getDouble();
          if (!Double.isFinite(weight)) {
            refuse(i, 2, Double.toString(weight), "leave out edges that must not be chosen");
            return;
          }
          to[i] = Keys.of(weight);
        }
      }
      column.consume();
    }
  }

  private void refuse(int index, int column, String value, String remedy) {
    long row = next + index;
    if (refusal == null || row < refusal.row()) {
      ParquetRows.Group current = table.groups().get(group);
      refusal =
          new RowRefusal(
              row,
              current.file()
                  + ": row "
                  + (row - current.first() + current.inFile())
                  + " (from 0): column '"
                  + table.columns().all().get(column)
                  + "' has "
                  + value
                  + "; "
                  + remedy);
    }
  }

  @Override
  public void close() {
    if (file == null) {
      return;
    }
    try {
      file.close();
    } catch (IOException e) {
      throw unreadable(openFile, e);
    } finally {
      file = null;
    }
  }
}
