package io.magpie.algorithms.graph;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.FileReplacement;
import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * The edges of a file one by one, for files that are larger than memory. Formats: {@code .el},
 * {@code .wel}, {@code .txt}, {@code .gr} and {@code .mtx}, each alone or followed by {@code .gz}
 * or {@code .xz}; {@code .mpg} and {@code .mpe}, not compressed, of which ranges of bytes are read.
 *
 * <p>Each edge has a number from 0. In a snapshot ({@code .mpg}) it is the edge's {@linkplain
 * Graph#canonicalArcs canonical arc}, as in the graph in memory, and self-loops are left out. In
 * other formats edges count in the order of the file, self-loops and repeated ones included; an
 * edge of which a text lists both directions comes twice.
 *
 * <p>A text is read when it is opened, too, to find out how many vertices and edges it has and of
 * what type its weights are; so it is known to be well-formed. Memory: a block of each array, and
 * with {@link ReadOptions#relabel()} 24 to 48 bytes for each label. The file must not change.
 */
public final class FileEdges {
  private final Path file;
  private final ReadOptions options;
  private final Compression compression;
  private final GraphFormat format;
  private final Sizes sizes;
  private final DrawnWeights drawn;

  /**
   * What a file has.
   *
   * @param type of the weights; null if there are none
   */
  private record Sizes(int vertices, long edges, WeightType type, boolean consecutive) {}

  private FileEdges(
      Path file,
      ReadOptions options,
      Compression compression,
      GraphFormat format,
      Sizes sizes,
      DrawnWeights drawn) {
    this.file = file;
    this.options = options;
    this.compression = compression;
    this.format = format;
    this.sizes = sizes;
    this.drawn = drawn;
  }

  /**
   * Looks at a file: a text is read and checked, of a binary file its first bytes.
   *
   * @param file the file; no pipe, which could be read only once
   * @param options how to treat what the file leaves open, but for {@link Symmetry#REQUIRE}: a
   *     snapshot must have both directions of every edge in any case, and of other files one is
   *     enough
   * @throws IllegalArgumentException if the options require both directions
   * @throws FileFormatException when the file is malformed or compressed, or its format has edges
   *     only as a whole
   * @throws IOException when it cannot be read
   */
  public static FileEdges open(Path file, ReadOptions options) throws IOException {
    if (options.symmetry() == Symmetry.REQUIRE) {
      throw new IllegalArgumentException(
          "symmetry=REQUIRE: whether both directions of every edge are there is not known where"
              + " edges are taken one by one; read the graph by GraphFormats");
    }
    GraphFormats.Packed packed = GraphFormats.packed(file, options.format());
    GraphFormats.requireScalable(file, options, packed.format());
    if (!Files.isRegularFile(file) && Files.exists(file)) {
      throw new FileFormatException(
          file,
          0,
          "no regular file",
          "one, as edges in chunks are read more than once",
          "write what comes through a pipe to a file",
          null);
    }
    FileEdges edges =
        new FileEdges(file, options, packed.compression(), packed.format(), null, null);
    EdgeLines.Opening lines = packed.format().lines(options);
    return edges.withSizes(lines == null ? edges.layoutSizes() : edges.scanned(lines));
  }

  private FileEdges withSizes(Sizes found) {
    return new FileEdges(file, options, compression, format, found, drawn);
  }

  private Sizes layoutSizes() throws IOException {
    try (Stored pass = new Stored()) {
      return pass.sizes();
    }
  }

  /** Reads a text once. */
  private Sizes scanned(EdgeLines.Opening opening) throws IOException {
    try (ByteSource source = new ByteSource(file, compression)) {
      return TextFormats.read(
          source,
          in -> {
            EdgeLines lines = opening.of(in);
            WeightType type = options.weights().type();
            boolean widening = options.weights() == FileWeights.ANY;
            int last = -1;
            long count = 0;
            while (lines.next()) {
              last = Math.max(last, Math.max(lines.from, lines.to));
              count++;
              if (widening && lines.weights.type().compareTo(type) > 0) {
                type = lines.weights.type();
              }
            }
            boolean weighted = lines.weighted() && !options.unitWeights();
            int vertices =
                lines.declaredVertices() < 0
                    ? Math.max(last + 1, lines.leastVertices())
                    : lines.declaredVertices();
            return new Sizes(vertices, count, weighted ? type : null, true);
          });
    }
  }

  /**
   * The same edges with weights drawn uniformly from a range, by a hash of the seed and both ends,
   * as {@link Graph#withWeights(long, WeightRange)} draws them.
   *
   * @param seed the seed
   * @param range the weights' type and range
   * @throws IllegalStateException if the file has weights
   */
  public FileEdges withWeights(long seed, WeightRange range) {
    if (sizes.type != null) {
      throw new IllegalStateException(file + " has weights");
    }
    DrawnWeights weights = EdgeWeight.drawn(seed, range);
    return new FileEdges(file, options, compression, format, sizes, weights);
  }

  /** The file. */
  public Path file() {
    return file;
  }

  /** Number of vertices. */
  public int vertices() {
    return sizes.vertices;
  }

  /** The most edges that can come; of a snapshot the number of its arcs. */
  public long most() {
    return sizes.edges;
  }

  /** Whether edges have weights. */
  public boolean isWeighted() {
    return drawn != null || sizes.type != null;
  }

  /** The type of the weights; {@link WeightType#INT} if there are none. */
  public WeightType weightType() {
    if (drawn != null) {
      return drawn.type();
    }
    return sizes.type == null ? WeightType.INT : sizes.type;
  }

  /** Whether the numbers of edges follow each other; not in a snapshot. */
  public boolean consecutive() {
    return sizes.consecutive;
  }

  /**
   * Begins to read the edges.
   *
   * @throws FileFormatException if the file is not what it was when it was opened
   * @throws IOException when it cannot be read
   */
  public EdgePass pass() throws IOException {
    EdgeLines.Opening lines = format.lines(options);
    EdgePass pass;
    if (lines != null) {
      pass = new Text(lines);
    } else {
      Stored stored = new Stored();
      pass = stored;
      if (!stored.sizes().equals(sizes)) {
        stored.close();
        throw changed();
      }
    }
    return drawn == null ? pass : new Drawn(pass);
  }

  private FileFormatException changed() {
    return new FileFormatException(
        file,
        0,
        "other edges than before",
        "a file that stays as it is while it is read",
        "run it again when nothing writes to the file",
        null);
  }

  /** Whether the suffix of a file is that of the format that edges are written to one by one. */
  public static boolean isWritable(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return name.substring(0, name.length() - Compression.of(name).suffix().length())
        .endsWith(".mpe");
  }

  /**
   * Writes generated edges to a {@code .mpe} file, which holds any number of them.
   *
   * @param edges what computes them
   * @param file where to; its suffix tells compression, too
   * @throws FileFormatException when the suffix is another one
   * @throws IOException when it cannot be written
   */
  public static void write(GeneratedEdges edges, Path file) throws IOException {
    long[] next = {0};
    write(
        edges.vertices(),
        edges.count(),
        edges.isWeighted() ? edges.weightType() : null,
        (sources, targets, weights) -> {
          int count = (int) Math.min(sources.length, edges.count() - next[0]);
          edges.fill(next[0], count, sources, targets, weights);
          next[0] += count;
          return count;
        },
        file);
  }

  /**
   * Writes the edges to a {@code .mpe} file, in their order.
   *
   * @param target where to; its suffix tells compression, too
   * @return how many there are
   * @throws UncheckedIOException when the file that is read is malformed, has changed or cannot be
   *     read; its cause tells
   * @throws FileFormatException when the suffix is another one
   * @throws IOException when the other file cannot be written
   */
  public long write(Path target) throws IOException {
    long count = reading(this::count);
    write(target, count);
    return count;
  }

  /** Writes the edges where it is known how many come. */
  void write(Path target, long count) throws IOException {
    try (EdgePass pass = reading(this::pass)) {
      long[] numbers = sizes.consecutive ? null : new long[EdgeFileFormat.BLOCK];
      long[] written = {0};
      write(
          vertices(),
          count,
          isWeighted() ? weightType() : null,
          (sources, targets, weights) -> {
            int taken = reading(() -> pass.next(sources, targets, weights, numbers));
            written[0] += taken;
            if (written[0] > count || taken == 0 && written[0] < count) {
              throw new UncheckedIOException(changed());
            }
            return taken;
          },
          target);
    }
  }

  /** What reads this file. */
  @FunctionalInterface
  private interface Reader<T> {
    T read() throws IOException;
  }

  /** Tells what goes wrong with this file from what goes wrong with another. */
  private static <T> T reading(Reader<T> reader) {
    try {
      return reader.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The number of edges that come. */
  private long count() throws IOException {
    if (sizes.consecutive) {
      return sizes.edges;
    }
    int room = EdgeFileFormat.BLOCK;
    int[] sources = new int[room];
    int[] targets = new int[room];
    Object weights = ArcWeights.of(weightType(), room).array();
    long[] numbers = new long[room];
    long count = 0;
    try (EdgePass pass = pass()) {
      int taken;
      while ((taken = pass.next(sources, targets, weights, numbers)) > 0) {
        count += taken;
      }
    }
    return count;
  }

  private static void write(
      int vertices, long count, WeightType type, EdgeFileFormat.Edges edges, Path file)
      throws IOException {
    if (!isWritable(file)) {
      throw new FileFormatException(
          file,
          0,
          "the suffix of another format",
          ".mpe where edges are written one by one",
          null,
          null);
    }
    try (FileReplacement replacement = new FileReplacement(file)) {
      EdgeFileFormat.write(vertices, count, type, edges, replacement.sink());
      replacement.complete();
      replacement.commit();
    }
  }

  /** The lines of a text. */
  private final class Text implements EdgePass {
    private final ByteSource source;
    private final EdgeLines lines;
    private long count;

    Text(EdgeLines.Opening opening) throws IOException {
      source = new ByteSource(file, compression);
      lines = opening.of(new Tokenizer(source));
    }

    @Override
    public int next(int[] sources, int[] targets, Object weights, long[] numbers)
        throws IOException {
      WeightType type = sizes.type == null ? WeightType.INT : sizes.type;
      boolean any = options.weights() == FileWeights.ANY && sizes.type != null;
      int taken = 0;
      try {
        while (taken < sources.length && lines.next()) {
          if (count + taken == sizes.edges
              || lines.from >= sizes.vertices
              || lines.to >= sizes.vertices
              || any && lines.weights.type().compareTo(type) > 0) {
            throw changed();
          }
          sources[taken] = lines.from;
          targets[taken] = lines.to;
          if (sizes.type == null) {
            ((int[]) weights)[taken] = 1;
          } else {
            lines.weights.put(type, weights, taken);
          }
          taken++;
        }
      } catch (GraphTooLargeException e) { // labels
        throw GraphFormats.tooLarge(file, lines.in.line(), e);
      }
      count += taken;
      if (taken < sources.length && count != sizes.edges) {
        throw changed();
      }
      return taken;
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }

  /** The edges of a binary file. */
  private final class Stored implements EdgePass {
    private final ByteSource source;
    private final EdgeLayout layout;
    private Object ignored; // weights that do not count
    private int ignoredRoom;

    Stored() throws IOException {
      source = new ByteSource(file, compression);
      try {
        layout = compression == Compression.NONE ? format.layout(source, options) : null;
        if (layout == null) {
          throw refusal();
        }
      } catch (IOException | RuntimeException | Error e) {
        source.close();
        throw e;
      }
    }

    private FileFormatException refusal() {
      String suffix = GraphFormats.suffix(format);
      return suffix.equals(".mpg") || suffix.equals(".mpe")
          ? new FileFormatException(
              file,
              0,
              "a compressed " + suffix + " file",
              "one that is not compressed, where edges are taken in chunks",
              "decompress it by " + compression.name().toLowerCase(Locale.ROOT) + " -d",
              null)
          : new FileFormatException(
              file,
              0,
              suffix + ", which cannot be read edge by edge",
              ".el, .wel, .txt, .gr, .mtx, .mpg or .mpe where edges are taken in chunks",
              "convert it by magpie convert",
              null);
    }

    /** Weights are left out if none count. */
    Sizes sizes() {
      return new Sizes(
          layout.vertices(),
          layout.edges(),
          options.unitWeights() ? null : layout.weightType(),
          layout.consecutive());
    }

    @Override
    public int next(int[] sources, int[] targets, Object weights, long[] numbers)
        throws IOException {
      if (!options.unitWeights() || layout.weightType() == null) {
        return layout.next(sources, targets, weights, numbers);
      }
      if (ignoredRoom < sources.length) {
        ignored = ArcWeights.of(layout.weightType(), sources.length).array();
        ignoredRoom = sources.length;
      }
      int taken = layout.next(sources, targets, ignored, numbers);
      Arrays.fill((int[]) weights, 0, taken, 1);
      return taken;
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }

  /** Edges of other weights. */
  private final class Drawn implements EdgePass {
    private final EdgePass pass;
    private int[] ignored = {};

    Drawn(EdgePass pass) {
      this.pass = pass;
    }

    @Override
    public int next(int[] sources, int[] targets, Object weights, long[] numbers)
        throws IOException {
      if (ignored.length < sources.length) {
        ignored = new int[sources.length];
      }
      int taken = pass.next(sources, targets, ignored, numbers);
      Parallel.forRanges(
          taken,
          (from, to) -> {
            for (int i = from; i < to; i++) {
              StoredWeights.put(drawn.type(), drawn.of(sources[i], targets[i]), weights, i);
            }
          });
      return taken;
    }

    @Override
    public void close() throws IOException {
      pass.close();
    }
  }
}
