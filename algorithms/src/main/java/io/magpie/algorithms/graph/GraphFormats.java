package io.magpie.algorithms.graph;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.FileReplacement;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads and writes graphs. The end of a file's name, in either case, tells the format: {@code .gr},
 * {@code .graph}, {@code .mtx}, {@code .el}, {@code .wel}, {@code .txt}, {@code .egr}, {@code .mpg}
 * or {@code .mpe}, each alone or followed by {@code .gz} or {@code .xz}. The formats are described
 * in the package's description.
 *
 * <p>Cost of reading: one pass over the file and O(vertices + arcs) work. Memory besides the graph:
 * 8 bytes for each edge of a text format (12 when weighted), and the graph once more where
 * directions are missing and have to be added.
 */
public final class GraphFormats {
  private static final Map<String, GraphFormat> FORMATS = formats();

  private GraphFormats() {}

  private static Map<String, GraphFormat> formats() {
    Map<String, GraphFormat> formats = new LinkedHashMap<>();
    formats.put(".gr", new GrFormat());
    formats.put(".graph", new MetisFormat());
    formats.put(".mtx", new MatrixMarketFormat());
    formats.put(".el", new EdgeListFormat(EdgeListFormat.Columns.UNWEIGHTED));
    formats.put(".wel", new EdgeListFormat(EdgeListFormat.Columns.WEIGHTED));
    formats.put(".txt", new EdgeListFormat(EdgeListFormat.Columns.AS_FIRST_LINE));
    formats.put(".egr", new EgrFormat());
    formats.put(".mpg", new SnapshotFormat());
    formats.put(".mpe", new EdgeFileFormat());
    return Collections.unmodifiableMap(formats);
  }

  /**
   * The suffixes of the formats, without those of compression.
   *
   * @return such as {@code .gr}
   */
  public static List<String> suffixes() {
    return List.copyOf(FORMATS.keySet());
  }

  /**
   * The number that a file's format gives the first vertex.
   *
   * @param file a file that is read without renumbering
   * @param options how it is read
   * @return 0 or 1
   * @throws FileFormatException when the suffix is unknown, and the options name no format
   */
  public static int firstVertex(Path file, ReadOptions options) throws FileFormatException {
    return packed(file, options.format()).format().firstVertex();
  }

  /** A format and how it is compressed. */
  record Packed(GraphFormat format, Compression compression) {}

  /** What the end of a name says; null where that is no format. */
  private static Packed packed(String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    Compression compression = Compression.of(lowerCase);
    GraphFormat format = FORMATS.get(suffix(lowerCase, compression));
    return format == null ? null : new Packed(format, compression);
  }

  private static String suffix(String name, Compression compression) {
    String bare = name.substring(0, name.length() - compression.suffix().length());
    int dot = bare.lastIndexOf('.');
    return dot < 0 ? "" : bare.substring(dot);
  }

  /** Whether this is a suffix of a format, as {@link ReadOptions#format()} takes it. */
  static boolean known(String format) {
    String name = dotted(format.toLowerCase(Locale.ROOT));
    Compression compression = Compression.of(name);
    String suffix = suffix(name, compression);
    return FORMATS.containsKey(suffix) && name.equals(suffix + compression.suffix());
  }

  private static String dotted(String format) {
    return format.startsWith(".") ? format : "." + format;
  }

  /** What a file is: as it is given, or else as its name says. */
  static Packed packed(Path file, String given) throws FileFormatException {
    String name = given != null ? dotted(given) : String.valueOf(file.getFileName());
    Packed packed = packed(name);
    if (packed == null) {
      String suffix = suffix(name, Compression.of(name)).toLowerCase(Locale.ROOT);
      throw new FileFormatException(
          file,
          0,
          suffix.isEmpty() ? "a name without suffix" : "suffix " + Tokenizer.quote(suffix),
          "one of " + String.join(", ", FORMATS.keySet()) + ", alone or followed by .gz or .xz",
          (file.startsWith("/dev") ? "" : "rename the file to tell its format, or ")
              + "give the format, as in --format wel",
          null);
    }
    return packed;
  }

  /**
   * Reads a graph with the {@linkplain ReadOptions#defaults() default options}.
   *
   * @param file the file; its suffix tells format and compression
   * @return the graph
   * @throws FileFormatException when the file is malformed, says that its graph is directed, or is
   *     too large for {@link Graph} or for the heap
   * @throws IOException when it cannot be read
   */
  public static Graph read(Path file) throws IOException {
    return read(file, ReadOptions.defaults());
  }

  /**
   * Reads a graph.
   *
   * @param file the file, or a pipe; its suffix tells format and compression, if the options do not
   * @param options how to treat what the file leaves open
   * @return the graph
   * @throws FileFormatException when the file is malformed, says that its graph is directed, or is
   *     too large for {@link Graph} or for the heap
   * @throws IOException when it cannot be read
   */
  public static Graph read(Path file, ReadOptions options) throws IOException {
    Graph graph = read(file, options, GraphForm.UNDIRECTED);
    return options.unitWeights() ? graph.withoutWeights() : graph;
  }

  /**
   * Reads a directed graph with the {@linkplain ReadOptions#defaults() default options}.
   *
   * @param file the file; its suffix tells format and compression
   * @return the graph
   * @throws FileFormatException as {@link #read(Path)}
   * @throws IOException when it cannot be read
   */
  public static DirectedGraph readDirected(Path file) throws IOException {
    return readDirected(file, ReadOptions.defaults());
  }

  /**
   * Reads a directed graph: arcs stay as they are, in their order, and none is added. What a format
   * lists once for both directions ({@code p tw}, symmetric matrices) is two arcs here too. The
   * package's description says of each format what its lines are. Weights of vertices are left out.
   *
   * @param file the file, or a pipe; its suffix tells format and compression, if the options do not
   * @param options how to treat what the file leaves open; under {@link Symmetry#REQUIRE} a file is
   *     refused in which an arc lacks its other direction, as by {@link #read(Path, ReadOptions)}
   * @return the graph
   * @throws FileFormatException when the file is malformed, or too large for a graph or for the
   *     heap
   * @throws IOException when it cannot be read
   */
  public static DirectedGraph readDirected(Path file, ReadOptions options) throws IOException {
    FileWeights weights =
        switch (options.weights()) {
          case ANY, COUNTS -> FileWeights.COUNTS;
          case FLOAT, LENGTHS -> FileWeights.LENGTHS;
          default ->
              throw new IllegalArgumentException(
                  "weights="
                      + options.weights()
                      + ": a directed graph has int weights from 0, or float weights from 0; leave"
                      + " that to the default, or read COUNTS or LENGTHS");
        };
    DirectedGraph graph = read(file, options.withWeights(weights), GraphForm.DIRECTED);
    return options.unitWeights() ? graph.withoutWeights() : graph;
  }

  private static <G> G read(Path file, ReadOptions options, GraphForm<G> form) throws IOException {
    Packed packed = packed(file, options.format());
    requireScalable(file, options, packed.format());
    try (ByteSource source = new ByteSource(file, packed.compression())) {
      return packed.format().read(source, options, form);
    } catch (GraphTooLargeException e) {
      throw tooLarge(file, 0, e);
    } catch (OutOfMemoryError e) {
      // Only arrays as large as the graph can have failed; they are garbage by now.
      throw tooLarge(file, 0, new GraphTooLargeException(e));
    }
  }

  /** Refuses a scale for weights that are no decimals. */
  static void requireScalable(Path file, ReadOptions options, GraphFormat format)
      throws FileFormatException {
    if (options.weightScale() > 0 && !format.hasFractions()) {
      throw new FileFormatException(
          file,
          0,
          "a format without fractions in text",
          ".mtx, .wel or .txt where weights are multiplied",
          TextFormats.NO_SCALE,
          null);
    }
  }

  /** The suffix of a format, without that of compression. */
  static String suffix(GraphFormat format) {
    return FORMATS.entrySet().stream()
        .filter(entry -> entry.getValue() == format)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  /** Tells a graph's size in terms of the file. */
  static FileFormatException tooLarge(Path file, long line, GraphTooLargeException e) {
    return new FileFormatException(
        file,
        line,
        "a graph that is " + e.getMessage(),
        "a graph within these limits",
        "check the counts and the largest vertex of the file",
        e);
  }

  /**
   * Writes a graph. The file appears complete or not at all: bytes go to a temporary file next to
   * it which then takes its place, and are on the disk before that; on failure an existing file
   * stays as it was.
   *
   * @param graph the graph
   * @param file where to; its suffix tells format and compression
   * @throws FileFormatException when the suffix is unknown
   * @throws IllegalArgumentException when the format cannot hold the graph's weights
   * @throws IOException when it cannot be written
   */
  public static void write(Graph graph, Path file) throws IOException {
    requireWritable(graph, file);
    write(graph, file, packed(file, null).format());
  }

  /**
   * Checks that the format of a file can hold a graph's weights, as {@link #write} does. Only what
   * kinds of weights the graph has matters, so that a graph without vertices can stand for one that
   * is yet to be computed. Nothing is read or written.
   *
   * @param graph the graph, or one that has the same kinds of weights
   * @param file where it is to be written; its suffix tells the format
   * @throws FileFormatException when the suffix is unknown
   * @throws IllegalArgumentException when the format cannot hold the graph's weights
   */
  public static void requireWritable(Graph graph, Path file) throws FileFormatException {
    requireNone(packed(file, null).format().refusal(graph), file);
  }

  /**
   * Writes a directed graph, every arc in its order, so that {@link #readDirected(Path)} gives an
   * equal graph, one with floats if {@link FileWeights#LENGTHS} are read; one without arcs comes
   * back from {@code .txt} and {@code .egr} as unweighted. The file appears as by {@link
   * #write(Graph, Path)}. It lists arcs, and does not say how they are meant: read as an undirected
   * graph, it is completed or refused as {@link Symmetry} says.
   *
   * @param graph the graph
   * @param file where to; its suffix tells format and compression
   * @throws FileFormatException when the suffix is unknown
   * @throws IllegalArgumentException when the format cannot hold the graph: {@code .graph} lists
   *     edges without a direction, arcs in {@code .gr} and {@code .wel} have weights, those in
   *     {@code .el} have none, {@code .gr} and {@code .egr} have no floats
   * @throws IOException when it cannot be written
   */
  public static void write(DirectedGraph graph, Path file) throws IOException {
    requireWritable(graph, file);
    GraphFormat format = packed(file, null).format();
    replace(file, out -> format.write(graph, out));
  }

  /**
   * Checks that the format of a file can hold a directed graph, as {@link #write(DirectedGraph,
   * Path)} does. Only what weights the graph has matters, so that a graph without vertices can
   * stand for one that is yet to be computed. Nothing is read or written.
   *
   * @param graph the graph, or one that has weights of the same type
   * @param file where it is to be written; its suffix tells the format
   * @throws FileFormatException when the suffix is unknown
   * @throws IllegalArgumentException when the format cannot hold the graph
   */
  public static void requireWritable(DirectedGraph graph, Path file) throws FileFormatException {
    requireNone(packed(file, null).format().refusal(graph), file);
  }

  private static void requireNone(String refusal, Path file) {
    if (refusal != null) {
      throw new IllegalArgumentException(file + ": the graph " + refusal);
    }
  }

  /** What fills a file. */
  @FunctionalInterface
  private interface Content {
    void writeTo(ByteSink out) throws IOException;
  }

  /** Writes by a temporary file next to the target. */
  static void write(Graph graph, Path file, GraphFormat format) throws IOException {
    replace(file, out -> format.write(graph, out));
  }

  private static void replace(Path file, Content content) throws IOException {
    try (FileReplacement replacement = new FileReplacement(file)) {
      content.writeTo(replacement.sink());
      replacement.complete();
      replacement.commit();
    }
  }
}
