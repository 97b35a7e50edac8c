package io.magpie.algorithms.graph;

import static io.magpie.algorithms.graph.BinaryHeader.TYPE;
import static io.magpie.algorithms.graph.BinaryHeader.WEIGHTS;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.JoinedChecksum;
import io.magpie.algorithms.internal.OrderedBits;
import io.magpie.algorithms.internal.Parallel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;

/** Magpie's own binary list of edges, suffix {@code .mpe}: of any number of edges. */
final class EdgeFileFormat implements GraphFormat {
  private static final int VERSION = 1;
  private static final BinaryHeader BEGIN = new BinaryHeader("a list of edges", "MPE", VERSION);
  private static final int FLAGS = WEIGHTS | TYPE;
  private static final int HEADER_BYTES = 40;
  private static final int ENDS_BYTES = 2 * Integer.BYTES;

  /** Edges that are read in order, or written, at a time; of fewer one thread takes all. */
  static final int BLOCK = 1 << 16;

  /** Edges that each of several threads reads at a time: what its caches hold. */
  private static final int SLICE = 1 << 14;

  /** What to do about more edges than a graph in memory has room for. */
  static final String IN_CHUNKS = "take its edges in chunks, by --engine stream";

  /** More edges than any file system has room for. */
  static final long MOST_EDGES = 1L << 56;

  @Override
  public int firstVertex() {
    return 0;
  }

  /** The first bytes of a file. */
  private record Header(int vertices, long edges, WeightType type) {
    static Header read(BinaryInput in) throws IOException {
      BEGIN.take(in);
      int version = in.int32("the version");
      int flags = in.int32("the flags");
      int reserved = in.int32("the reserved word");
      boolean typed = (flags & TYPE) != 0;
      if (version != VERSION
          || (flags & ~FLAGS) != 0
          || typed && (flags & WEIGHTS) == 0
          || reserved != 0) {
        throw in.error(
            "version "
                + version
                + ", flags 0x"
                + Integer.toHexString(flags)
                + ", reserved "
                + reserved,
            "version " + VERSION + ", flags 0, 1, 9, 0x11 or 0x19, reserved 0",
            "write it again, or use a newer Magpie");
      }
      long vertices = in.int64("the number of vertices");
      if (vertices < 0 || vertices > Graph.MAX_VERTICES) {
        throw in.error(vertices + " vertices", "0 to " + Graph.MAX_VERTICES + " vertices", null);
      }
      long edges = in.int64("the number of edges");
      if (edges < 0 || edges > MOST_EDGES) {
        throw in.error(edges + " edges", "0 to " + MOST_EDGES + " edges", null);
      }
      return new Header(
          (int) vertices, edges, (flags & WEIGHTS) == 0 ? null : BinaryHeader.type(flags));
    }

    void write(ByteSink out) throws IOException {
      BEGIN.write(BinaryHeader.flags(type), out);
      out.int64(vertices).int64(edges);
    }

    int recordBytes() {
      return ENDS_BYTES + (type == null ? 0 : type.isWide() ? Long.BYTES : Integer.BYTES);
    }
  }

  @Override
  public <G> G read(ByteSource source, ReadOptions options, GraphForm<G> form) throws IOException {
    BinaryInput in = new BinaryInput(source);
    Header header = Header.read(in);
    if (header.edges > Graph.MAX_ARCS) {
      throw in.error(
          header.edges + " edges",
          "at most " + Graph.MAX_ARCS + " edges where the graph is held in memory",
          IN_CHUNKS);
    }
    Records records = new Records(in, header, options);
    GraphBuilder builder = new GraphBuilder(header.vertices, records.type());
    int width = header.recordBytes();
    for (long edge = 0; edge < header.edges; ) {
      int count = (int) Math.min(BLOCK, header.edges - edge);
      ByteBuffer block = in.block(count * width, "edge " + edge + " of " + header.edges);
      for (int i = 0; i < count; i++, edge++) {
        int u = records.end(block, edge);
        int v = records.end(block, edge);
        builder.addedEdge(u, v, records.key(block, edge));
      }
    }
    int computed = in.checksum();
    requireSame(in, in.int32("the checksum"), computed);
    if (!in.atEnd()) {
      throw in.error("more bytes", "the end of the file after the checksum", null);
    }
    return form.of(builder, options.symmetry(), 0);
  }

  private static void requireSame(BinaryInput in, int stored, int computed)
      throws FileFormatException {
    if (stored != computed) {
      throw in.error(
          "checksum 0x" + Integer.toHexString(stored),
          "0x" + Integer.toHexString(computed) + " for these contents",
          "the file is damaged; fetch or write it again");
    }
  }

  /** Takes edges from bytes. For any number of threads. */
  private static final class Records {
    private final BinaryInput in;
    private final int vertices;
    private final StoredWeights weights;

    /** The type of the weights that the file has; null if there are none. */
    private final WeightType stored;

    Records(BinaryInput in, Header header, ReadOptions options) {
      this.in = in;
      this.vertices = header.vertices;
      this.stored = header.type;
      this.weights =
          header.type == null
              ? null
              : new StoredWeights(in.file(), "edge", header.type, options.weights());
    }

    /** The type of the weights as they are taken; null if there are none. */
    WeightType type() {
      return weights == null ? null : weights.type();
    }

    int end(ByteBuffer from, long edge) throws FileFormatException {
      int vertex = from.getInt();
      if (vertex < 0 || vertex >= vertices) {
        throw in.error(
            "end " + vertex + " of edge " + edge,
            vertices == 0
                ? "no edge, as there are no vertices"
                : "a vertex, 0 to " + (vertices - 1),
            null);
      }
      return vertex;
    }

    /** The {@linkplain ArcWeights key} of a weight; 1 if there are none. */
    long key(ByteBuffer from, long edge) throws FileFormatException {
      return weights == null ? 1 : weights.next(from, edge);
    }

    /**
     * Takes edges one by one, whatever the weights are to become.
     *
     * @param edge the number of the first
     * @param at the index of the first in the arrays
     */
    void take(
        ByteBuffer from,
        int count,
        long edge,
        int[] sources,
        int[] targets,
        Object weightArray,
        int at)
        throws FileFormatException {
      WeightType type = type() == null ? WeightType.INT : type();
      for (int i = 0; i < count; i++) {
        sources[at + i] = end(from, edge + i);
        targets[at + i] = end(from, edge + i);
        StoredWeights.put(type, key(from, edge + i), weightArray, at + i);
      }
    }

    /** Whether weights are taken as they are stored, so that {@link #takeAtOnce} can do it. */
    boolean asStored() {
      return weights == null || weights.asStored();
    }

    /**
     * Takes edges whose weights stay as they are. Returns false if one is wrong; {@link #take} then
     * tells which.
     *
     * @param words those of the edges
     */
    boolean takeAtOnce(
        int[] words, int count, int[] sources, int[] targets, Object weightArray, int at) {
      if (stored == null) {
        Arrays.fill((int[]) weightArray, at, at + count, 1);
        return ends(words, 2, count, sources, targets, at);
      }
      boolean finite =
          switch (stored) {
            case INT -> ints(words, count, (int[]) weightArray, at);
            case LONG -> longs(words, count, (long[]) weightArray, at);
            case FLOAT -> floats(words, count, (float[]) weightArray, at);
            case DOUBLE -> doubles(words, count, (double[]) weightArray, at);
          };
      return finite & ends(words, stored.isWide() ? 4 : 3, count, sources, targets, at);
    }

    /** Returns whether all ends are vertices: what is none leaves a sign. */
    private boolean ends(int[] words, int width, int count, int[] sources, int[] targets, int at) {
      int last = vertices - 1;
      int signs = 0;
      for (int i = 0, word = 0; i < count; i++, word += width) {
        int u = words[word];
        int v = words[word + 1];
        signs |= u | v | last - u | last - v;
        sources[at + i] = u;
        targets[at + i] = v;
      }
      return signs >= 0;
    }

    private static boolean ints(int[] words, int count, int[] into, int at) {
      for (int i = 0, word = 2; i < count; i++, word += 3) {
        into[at + i] = words[word];
      }
      return true;
    }

    private static boolean longs(int[] words, int count, long[] into, int at) {
      for (int i = 0, word = 2; i < count; i++, word += 4) {
        into[at + i] = wide(words, word);
      }
      return true;
    }

    /**
     * Returns whether all are finite; 0.0 takes the place of -0.0, as when edges come one by one.
     */
    private static boolean floats(int[] words, int count, float[] into, int at) {
      boolean finite = true;
      for (int i = 0, word = 2; i < count; i++, word += 3) {
        float weight = Float.intBitsToFloat(words[word]);
        finite &= Math.abs(weight) <= Float.MAX_VALUE;
        into[at + i] = weight + 0.0f;
      }
      return finite;
    }

    private static boolean doubles(int[] words, int count, double[] into, int at) {
      boolean finite = true;
      for (int i = 0, word = 2; i < count; i++, word += 4) {
        double weight = Double.longBitsToDouble(wide(words, word));
        finite &= Math.abs(weight) <= Double.MAX_VALUE;
        into[at + i] = weight + 0.0;
      }
      return finite;
    }

    private static long wide(int[] words, int low) {
      return Integer.toUnsignedLong(words[low]) | (long) words[low + 1] << 32;
    }
  }

  @Override
  public EdgeLayout layout(ByteSource file, ReadOptions options) throws IOException {
    BinaryInput in = new BinaryInput(file);
    Header header = Header.read(in);
    long expected = HEADER_BYTES + header.edges * header.recordBytes() + Integer.BYTES;
    long bytes = file.bytesFrom(0);
    if (bytes != expected) {
      throw in.error(
          "a file of " + bytes + " bytes",
          expected + " bytes for " + header.edges + " edges",
          bytes < expected ? "the file may be truncated" : null);
    }
    return new Layout(file, in, header, options);
  }

  /** The edges from a place on, taken by all threads. */
  private static final class Layout implements EdgeLayout {
    private final ByteSource file;
    private final BinaryInput in;
    private final Header header;
    private final Records records;
    private final JoinedChecksum checksum = new JoinedChecksum();

    /** What no thread uses at the moment. */
    private final Queue<Slice> slices = new ConcurrentLinkedQueue<>();

    private long next;

    Layout(ByteSource file, BinaryInput in, Header header, ReadOptions options) {
      this.file = file;
      this.in = in;
      this.header = header;
      this.records = new Records(in, header, options);
      checksum.append(in.checksum(), HEADER_BYTES);
    }

    @Override
    public int vertices() {
      return header.vertices;
    }

    @Override
    public long edges() {
      return header.edges;
    }

    @Override
    public WeightType weightType() {
      return records.type();
    }

    @Override
    public boolean consecutive() {
      return true;
    }

    /** Bytes that a thread took, or why not. */
    private record Part(int checksum, long bytes, IOException failure) {}

    @Override
    public int next(int[] sources, int[] targets, Object weights, long[] numbers)
        throws IOException {
      int count = (int) Math.min(sources.length, header.edges - next);
      List<Part> parts =
          count <= BLOCK
              ? List.of(part(0, count, sources, targets, weights))
              : Parallel.map(count, (from, to) -> part(from, to, sources, targets, weights));
      for (Part part : parts) {
        if (part.failure != null) {
          throw part.failure;
        }
        checksum.append(part.checksum, part.bytes);
      }
      next += count;
      if (next == header.edges) {
        requireSame(in, storedChecksum(), checksum.value());
      }
      return count;
    }

    private long placeOf(long edge) {
      return HEADER_BYTES + edge * header.recordBytes();
    }

    /** Room of one thread for bytes of edges, and for the words of these. */
    private record Slice(ByteBuffer bytes, int[] words) {
      static Slice of(int edges, int width) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(edges * width);
        return new Slice(
            bytes.order(ByteOrder.LITTLE_ENDIAN), new int[edges * width / Integer.BYTES]);
      }
    }

    private Part part(int from, int to, int[] sources, int[] targets, Object weights) {
      int width = header.recordBytes();
      CRC32C sum = new CRC32C();
      Slice free = slices.poll();
      Slice slice = free == null ? Slice.of((int) Math.min(SLICE, header.edges), width) : free;
      ByteBuffer block = slice.bytes;
      try {
        for (int begin = from; begin < to; ) {
          int here = Math.min(SLICE, to - begin);
          fill(block.clear().limit(here * width), placeOf(next + begin));
          sum.update(block);
          block.rewind();
          if (!takeAtOnce(slice, here, sources, targets, weights, begin)) {
            records.take(block, here, next + begin, sources, targets, weights, begin);
          }
          begin += here;
        }
      } catch (IOException e) {
        return new Part(0, 0, e);
      }
      slices.add(slice);
      return new Part((int) sum.getValue(), (long) width * (to - from), null);
    }

    private boolean takeAtOnce(
        Slice slice, int count, int[] sources, int[] targets, Object weights, int at) {
      if (!records.asStored()) {
        return false;
      }
      slice.bytes.asIntBuffer().get(slice.words, 0, slice.bytes.remaining() / Integer.BYTES);
      return records.takeAtOnce(slice.words, count, sources, targets, weights, at);
    }

    private int storedChecksum() throws IOException {
      ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      fill(word, placeOf(header.edges));
      return word.getInt();
    }

    /** Fills a buffer from a place of the file, and flips it. */
    private void fill(ByteBuffer block, long place) throws IOException {
      int count = block.remaining();
      if (!file.fill(block, place)) {
        throw in.error(
            "the end of the file before byte " + (place + count),
            "as many bytes as there were before",
            "do not change the file while it is read");
      }
      block.flip();
    }
  }

  @Override
  public void write(Graph graph, ByteSink out) throws IOException {
    new Header(graph.vertices(), graph.edges(), graph.weighted() ? graph.weightType() : null)
        .write(out);
    Symmetrizer.Arcs arcs = graph.inArrays();
    for (int u = 0; u < graph.vertices(); u++) {
      for (int a = arcs.offsets()[u]; a < arcs.offsets()[u + 1]; a++) {
        int v = arcs.neighbors()[a];
        if (u <= v) {
          out.int32(u).int32(v);
          if (arcs.weights() != null) {
            writeWeight(arcs.weights().type(), arcs.weights().key(a), out);
          }
        }
      }
    }
    out.int32(out.checksum());
  }

  private static void writeWeight(WeightType type, long key, ByteSink out) throws IOException {
    switch (type) {
      case INT -> out.int32((int) key);
      case LONG -> out.int64(key);
      case FLOAT -> out.int32(Float.floatToIntBits(OrderedBits.toFloat((int) key)));
      case DOUBLE -> out.int64(Double.doubleToLongBits(OrderedBits.toDouble(key)));
    }
  }

  /** Gives edges that follow each other. */
  @FunctionalInterface
  interface Edges {
    /** As {@link EdgePass#next}, without numbers. */
    int next(int[] sources, int[] targets, Object weights) throws IOException;
  }

  /**
   * Writes edges that come in their order, {@link #BLOCK} at a time.
   *
   * @param count how many there are, which whoever gives them checks
   * @param type of their weights; null if they have none
   */
  static void write(int vertices, long count, WeightType type, Edges edges, ByteSink out)
      throws IOException {
    new Header(vertices, count, type).write(out);
    int[] sources = new int[BLOCK];
    int[] targets = new int[BLOCK];
    ArcWeights weights = ArcWeights.of(type == null ? WeightType.INT : type, BLOCK);
    int taken;
    while ((taken = edges.next(sources, targets, weights.array())) > 0) {
      for (int i = 0; i < taken; i++) {
        out.int32(sources[i]).int32(targets[i]);
        if (type != null) {
          writeWeight(type, weights.key(i), out);
        }
      }
    }
    out.int32(out.checksum());
  }

  @Override
  public void write(DirectedGraph graph, ByteSink out) {
    throw new UnsupportedOperationException(refusal(graph));
  }

  @Override
  public String refusal(DirectedGraph graph) {
    return "is directed, and .mpe lists edges without a direction (use .mtx, .el, .txt, .egr or"
        + " .mpg)";
  }
}
