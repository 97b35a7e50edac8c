package io.magpie.spark;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeChunk;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.StreamedForest;
import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * The rows of Parquet files in the order of the files' paths, their row groups, and rows in these,
 * as the footers tell it: so a row has the same number for whichever task reads it.
 *
 * @param description what was given
 * @param columns their names
 * @param vertices how many there are
 * @param weightType of the column of weights; int if there is none
 * @param rows how many there are
 * @param groups row groups in order: all, or those of a range
 */
record ParquetRows(
    String description,
    Columns columns,
    int vertices,
    WeightType weightType,
    long rows,
    List<Group> groups)
    implements Edges {
  private static final long serialVersionUID = 1L;

  /** What footers may call the number of vertices. */
  static final String VERTICES = "magpie.vertices";

  /**
   * Names of columns.
   *
   * @param weight null if weights are of no account, and each is 1
   * @param id null if rows are numbered as they come
   * @param byOptions whether options name them
   */
  record Columns(String source, String target, String weight, String id, boolean byOptions)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Columns that options name. */
    Columns(String source, String target, String weight, String id) {
      this(source, target, weight, id, true);
    }

    /** Their names in the order of the parameters, null where there is none. */
    List<String> all() {
      return Arrays.asList(source, target, weight, id);
    }

    List<String> names() {
      return all().stream().filter(Objects::nonNull).toList();
    }

    /** All names as one text, which no others have. */
    String quoted() {
      return names().stream()
          .map(name -> '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
          .collect(Collectors.joining(", "));
    }
  }

  /**
   * A row group.
   *
   * @param file its file
   * @param length of the file, in bytes
   * @param modified when the file was, in milliseconds
   * @param index the group's among those of its file
   * @param inFile its first row among those of its file
   * @param first its first row among all
   * @param rows how many it has
   */
  record Group(
      String file, long length, long modified, int index, long inFile, long first, long rows)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Whether it has some row of a range. */
    private boolean meets(long begin, long end) {
      return Math.max(first, begin) < Math.min(first + rows, end);
    }
  }

  /**
   * Reads the footers.
   *
   * @param given a file, or a folder of files
   * @param vertices how many there are, at most {@link Graph#MAX_VERTICES}; null for as many as the
   *     footers tell, and at least one more than the largest
   * @throws InputException if something is wrong with what they say
   */
  static ParquetRows of(String given, Columns columns, Long vertices, Configuration configuration) {
    List<Group> groups = new ArrayList<>();
    WeightType type = null;
    String typed = null;
    long rows = 0;
    long largest = -1;
    long declared = 0;
    boolean known = true;
    for (FileStatus file : files(given, configuration)) {
      String name = file.getPath().toString();
      long before = rows;
      try (ParquetFileReader reader =
          ParquetFileReader.open(HadoopInputFile.fromStatus(file, configuration))) {
        MessageType schema = reader.getFooter().getFileMetaData().getSchema();
        WeightType here = check(name, schema, columns);
        if (type != null && here != type) {
          throw new InputException(
              name
                  + ": column '"
                  + columns.weight
                  + "' has the type "
                  + here
                  + ", but "
                  + type
                  + " in "
                  + typed
                  + "; write all files with one type");
        }
        type = here;
        typed = name;
        OptionalLong ofFile = declaredVertices(name, reader.getFooter().getFileMetaData());
        declared = Math.max(declared, ofFile.orElse(0));
        List<BlockMetaData> blocks = reader.getFooter().getBlocks();
        for (int i = 0; i < blocks.size(); i++) {
          BlockMetaData block = blocks.get(i);
          groups.add(
              new Group(
                  name,
                  file.getLen(),
                  file.getModificationTime(),
                  i,
                  rows - before,
                  rows,
                  block.getRowCount()));
          rows += block.getRowCount();
          OptionalLong ofBlock = largestVertex(block, columns);
          known &= ofBlock.isPresent() || ofFile.isPresent();
          largest = Math.max(largest, ofBlock.orElse(-1));
        }
      } catch (RuntimeException e) {
        throw e instanceof InputException ? e : unreadable(name, e);
      } catch (IOException e) {
        throw unreadable(name, e);
      }
    }
    int count = vertices(given, columns, vertices, known, Math.max(largest, declared - 1));
    return new ParquetRows(given, columns, count, type, rows, groups);
  }

  /**
   * Whether some file has a column.
   *
   * @param given a file, or a folder of files
   * @throws InputException if a footer cannot be read
   */
  static boolean haveColumn(String given, String name, Configuration configuration) {
    for (FileStatus file : files(given, configuration)) {
      try (ParquetFileReader reader =
          ParquetFileReader.open(HadoopInputFile.fromStatus(file, configuration))) {
        if (reader.getFooter().getFileMetaData().getSchema().containsField(name)) {
          return true;
        }
      } catch (IOException | RuntimeException e) {
        throw unreadable(file.getPath().toString(), e);
      }
    }
    return false;
  }

  private static InputException unreadable(String file, Exception e) {
    return new InputException(
        file + ": cannot be read as Parquet: " + e.getMessage() + "; write it again, or remove it",
        e);
  }

  private static int vertices(
      String given, Columns columns, Long vertices, boolean known, long largest) {
    if (vertices != null) {
      return vertices.intValue();
    }
    if (!known) {
      throw new InputException(
          given
              + ": its footers do not tell the largest vertex; "
              + (columns.byOptions
                  ? "say how many there are: --vertices"
                  : "write the files with statistics of src and dst"));
    }
    if (largest >= Graph.MAX_VERTICES) {
      throw new InputException(
          given
              + ": has the vertex "
              + largest
              + ", and a graph at most "
              + Graph.MAX_VERTICES
              + " vertices, from 0; number them without gaps");
    }
    return (int) largest + 1;
  }

  private static List<FileStatus> files(String given, Configuration configuration) {
    List<FileStatus> files = new ArrayList<>();
    try {
      Path path = new Path(given);
      FileSystem system = path.getFileSystem(configuration);
      Path root = system.makeQualified(path);
      if (!system.exists(root)) {
        throw new InputException(given + ": there is no such file or folder; check the path");
      }
      RemoteIterator<LocatedFileStatus> all = system.listFiles(root, true);
      while (all.hasNext()) {
        FileStatus file = all.next();
        if (isTaken(file.getPath(), root.depth())) {
          files.add(file);
        }
      }
    } catch (InputException e) {
      throw e;
    } catch (IOException | RuntimeException e) { // such as for want of a file system's jar
      throw new InputException(
          given
              + ": cannot be read: "
              + e.getMessage()
              + "; check the path, and give file systems what they need, as by --conf",
          e);
    }
    if (files.isEmpty()) {
      throw new InputException(given + ": has no file *.parquet; check the path");
    }
    files.sort(Comparator.comparing(file -> file.getPath().toString()));
    return files;
  }

  /**
   * Whether a file is one of edges: what was given itself, or by all of its names below that.
   *
   * @param depth how many names the path that was given has
   */
  private static boolean isTaken(Path file, int depth) {
    for (Path each = file; each.depth() > depth; each = each.getParent()) {
      if (each.getName().startsWith("_") || each.getName().startsWith(".")) {
        return false;
      }
    }
    return file.depth() == depth || file.getName().endsWith(".parquet");
  }

  /** Checks the columns of a file, and gives the type of its weights. */
  private static WeightType check(String file, MessageType schema, Columns columns) {
    for (String name : columns.names()) {
      if (!schema.containsField(name)) {
        String names =
            schema.getFields().stream()
                .map(field -> field.getName())
                .collect(Collectors.joining(", "));
        throw new InputException(
            file
                + ": has no column '"
                + name
                + "', but "
                + names
                + "; "
                + (columns.byOptions ? "name it by " + option(columns, name) : "rename it"));
      }
    }
    for (String name : columns.names()) {
      if (!name.equals(columns.weight)) {
        WeightType type = type(file, schema, columns, name);
        if (type != WeightType.INT && type != WeightType.LONG) {
          throw refusedType(file, columns, name, type.toString());
        }
      }
    }
    return columns.weight == null ? WeightType.INT : type(file, schema, columns, columns.weight);
  }

  private static String option(Columns columns, String name) {
    if (name.equals(columns.source)) {
      return "--source";
    }
    if (name.equals(columns.target)) {
      return "--target";
    }
    return name.equals(columns.weight) ? "--weight" : "--id";
  }

  private static WeightType type(String file, MessageType schema, Columns columns, String name) {
    if (!schema.getType(name).isPrimitive()
        || schema.getColumnDescription(new String[] {name}).getMaxRepetitionLevel() > 0) {
      throw refusedType(file, columns, name, schema.getType(name).toString());
    }
    PrimitiveType type = schema.getType(name).asPrimitiveType();
    boolean plain =
        type.getLogicalTypeAnnotation() == null
            || type.getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation whole
                && whole.isSigned();
    PrimitiveTypeName physical = type.getPrimitiveTypeName();
    if (plain && physical == PrimitiveTypeName.INT32) {
      return WeightType.INT;
    } else if (plain && physical == PrimitiveTypeName.INT64) {
      return WeightType.LONG;
    } else if (plain && physical == PrimitiveTypeName.FLOAT) {
      return WeightType.FLOAT;
    } else if (plain && physical == PrimitiveTypeName.DOUBLE) {
      return WeightType.DOUBLE;
    }
    throw refusedType(file, columns, name, type.toString());
  }

  private static InputException refusedType(
      String file, Columns columns, String name, String type) {
    boolean weight = name.equals(columns.weight);
    return new InputException(
        file
            + ": column '"
            + name
            + "' has the type "
            + type
            + "; expected "
            + (weight ? "int, long, float or double" : "int or long")
            + ": cast it"
            + (columns.byOptions ? ", or name another by " + option(columns, name) : ""));
  }

  /** How many vertices a footer says that there are; empty if it does not. */
  private static OptionalLong declaredVertices(String file, FileMetaData footer) {
    String text = footer.getKeyValueMetaData().get(VERTICES);
    if (text == null) {
      return OptionalLong.empty();
    }
    try {
      long vertices = Long.parseLong(text);
      if (vertices >= 0 && vertices <= Graph.MAX_VERTICES) {
        return OptionalLong.of(vertices);
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new InputException(
        file
            + ": its footer says "
            + VERTICES
            + "="
            + text
            + ", and a graph has 0 to "
            + Graph.MAX_VERTICES
            + " vertices; write the file again");
  }

  /** The largest end of an edge in a row group, as its statistics tell; empty if they do not. */
  private static OptionalLong largestVertex(BlockMetaData block, Columns columns) {
    long largest = -1;
    for (ColumnChunkMetaData column : block.getColumns()) {
      String name = column.getPath().toDotString();
      if (name.equals(columns.source) || name.equals(columns.target)) {
        if (block.getRowCount() > 0 && !column.getStatistics().hasNonNullValue()) {
          return OptionalLong.empty();
        }
        if (block.getRowCount() > 0) {
          Number most = (Number) column.getStatistics().genericGetMax();
          largest = Math.max(largest, most.longValue());
        }
      }
    }
    return OptionalLong.of(largest);
  }

  @Override
  public ForestArrays forest(
      Device device, long first, long end, MsfOptions options, Settings settings) {
    try (RowReader reader = new RowReader(this, settings.configuration(), first, end)) {
      if (columns.id == null) {
        RowSource source = new RowSource(reader);
        return ForestArrays.of(StreamedForest.run(device, source, options));
      }
      RankedForest forest = new RankedForest(device, vertices, options);
      RowReader.Rows rows = new RowReader.Rows(RowReader.AT_ONCE);
      for (int count = reader.read(rows); count > 0; count = reader.read(rows)) {
        for (int i = 0; i < count; i++) {
          forest.add(rows.numbers[i], rows.sources[i], rows.targets[i], rows.keys[i]);
        }
      }
      return forest.end();
    }
  }

  @Override
  public void pass(long first, long end, Settings settings, Taker taker) {
    try (RowReader reader = new RowReader(this, settings.configuration(), first, end)) {
      RowReader.Rows some = new RowReader.Rows(RowReader.AT_ONCE);
      int count = reader.read(some);
      while (count > 0 && taker.take(some, count)) {
        count = reader.read(some);
      }
    }
  }

  @Override
  public Map<String, String> identity() {
    String all = groups.stream().map(Group::toString).collect(Collectors.joining("\n"));
    return Map.of("columns", columns.quoted(), "files", Digest.of(all));
  }

  @Override
  public boolean haveIds() {
    return columns.id() != null;
  }

  @Override
  public Edges within(long first, long end) {
    List<Group> some = groups.stream().filter(group -> group.meets(first, end)).toList();
    return new ParquetRows(description, columns, vertices, weightType, rows, some);
  }

  /** Rows as edges, numbered as they come. */
  private final class RowSource implements EdgeSource {
    private final RowReader reader;
    private final RowReader.Rows rows;

    RowSource(RowReader reader) {
      this.reader = reader;
      this.rows = new RowReader.Rows(RowReader.AT_ONCE);
    }

    @Override
    public int vertices() {
      return vertices;
    }

    @Override
    public WeightType weightType() {
      return weightType;
    }

    @Override
    public long edges() {
      return reader.rows();
    }

    @Override
    public void next(EdgeChunk chunk) {
      long first = reader.next();
      int size = 0;
      while (size < chunk.capacity()) {
        int count = reader.read(rows, chunk.capacity() - size);
        if (count == 0) {
          break;
        }
        System.arraycopy(rows.sources, 0, chunk.sources(), size, count);
        System.arraycopy(rows.targets, 0, chunk.targets(), size, count);
        for (int i = 0; i < count; i++) {
          long key = rows.keys[i];
          switch (weightType) {
            case INT -> chunk.intWeights()[size + i] = (int) key;
            case LONG -> chunk.longWeights()[size + i] = key;
            case FLOAT -> chunk.floatWeights()[size + i] = Keys.toFloat(key);
            case DOUBLE -> chunk.doubleWeights()[size + i] = Keys.toDouble(key);
          }
        }
        size += count;
      }
      chunk.setConsecutive(first, size);
    }
  }

  /** The descriptor of a column in a file. */
  static ColumnDescriptor column(MessageType schema, String name) {
    return schema.getColumnDescription(new String[] {name});
  }
}
