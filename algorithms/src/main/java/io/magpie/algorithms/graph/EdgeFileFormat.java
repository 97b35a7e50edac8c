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
import java.util.List;
import java.util.zip.CRC32C;

/** Magpie's own binary list of edges, suffix {@code .mpe}: of any number of edges. */
final class EdgeFileFormat implements GraphFormat {
  private static final int VERSION = 1;
  private static final BinaryHeader BEGIN = new BinaryHeader("a list of edges", "MPE", VERSION);
  private static final int FLAGS = WEIGHTS | TYPE;
  private static final int HEADER_BYTES = 40;
  private static final int ENDS_BYTES = 2 * Integer.BYTES;

  /** Edges that are read or written at a time. */
  static final int BLOCK = 1 << 16;

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

    Records(BinaryInput in, Header header, ReadOptions options) {
      this.in = in;
      this.vertices = header.vertices;
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
          Parallel.map(count, (from, to) -> part(from, to, sources, targets, weights));
      for (Part part : parts) {
        if (part.failure != null) {
          throw part.failure;
        }
        checksum.append(part.checksum, part.bytes);
      }
      next += count;
      if (next == header.edges) {
        requireSame(in, bytes(placeOf(next), Integer.BYTES).getInt(), checksum.value());
      }
      return count;
    }

    private long placeOf(long edge) {
      return HEADER_BYTES + edge * header.recordBytes();
    }

    private Part part(int from, int to, int[] sources, int[] targets, Object weights) {
      int width = header.recordBytes();
      WeightType type = weightType() == null ? WeightType.INT : weightType();
      CRC32C sum = new CRC32C();
      try {
        for (int begin = from; begin < to; ) {
          int here = Math.min(BLOCK, to - begin);
          ByteBuffer block = bytes(placeOf(next + begin), here * width);
          sum.update(block.duplicate());
          for (int i = begin; i < begin + here; i++) {
            sources[i] = records.end(block, next + i);
            targets[i] = records.end(block, next + i);
            StoredWeights.put(type, records.key(block, next + i), weights, i);
          }
          begin += here;
        }
      } catch (IOException e) {
        return new Part(0, 0, e);
      }
      return new Part((int) sum.getValue(), (long) width * (to - from), null);
    }

    private ByteBuffer bytes(long place, int count) throws IOException {
      ByteBuffer block = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
      if (!file.fill(block, place)) {
        throw in.error(
            "the end of the file before byte " + (place + count),
            "as many bytes as there were before",
            "do not change the file while it is read");
      }
      return block.flip();
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
