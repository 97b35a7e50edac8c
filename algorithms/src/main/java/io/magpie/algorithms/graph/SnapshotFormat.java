package io.magpie.algorithms.graph;

import static io.magpie.algorithms.graph.BinaryHeader.TYPE;
import static io.magpie.algorithms.graph.BinaryHeader.WEIGHTS;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.JoinedChecksum;
import io.magpie.algorithms.internal.SeededHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Magpie's own binary CSR format, suffix {@code .mpg}: a graph exactly as it is in memory. */
final class SnapshotFormat implements GraphFormat {
  /** As in PNG: not text, and damaged visibly by a transfer that changes line ends. */
  private static final int VERSION = 1;

  private static final BinaryHeader BEGIN = new BinaryHeader("a Magpie snapshot", "MPG", VERSION);
  static final int HEADER_BYTES = 40;

  /** Bytes of each array that are in memory at a time, where edges are read one by one. */
  private static final int BLOCK = 1 << 18;

  private static final int VERTEX_WEIGHTS = 2;
  private static final int DIRECTED = 4;
  private static final int FLAGS = WEIGHTS | VERTEX_WEIGHTS | DIRECTED | TYPE;

  @Override
  public int firstVertex() {
    return 0;
  }

  /** The first bytes of a file. */
  record Header(int flags, int vertices, int arcs) {
    /** The type of the weights; null if there are none. */
    WeightType type() {
      return (flags & WEIGHTS) == 0 ? null : BinaryHeader.type(flags);
    }

    boolean hasVertexWeights() {
      return (flags & VERTEX_WEIGHTS) != 0;
    }

    /** Bytes of an arc's weight; 0 if there are none. */
    int weightBytes() {
      return type() == null ? 0 : type().isWide() ? Long.BYTES : Integer.BYTES;
    }

    /** Where the offsets begin, and then the other arrays, whether they are there or not. */
    long offsetsAt() {
      return HEADER_BYTES;
    }

    long targetsAt() {
      return offsetsAt() + Integer.BYTES * (vertices + 1L);
    }

    long weightsAt() {
      return targetsAt() + (long) Integer.BYTES * arcs;
    }

    long vertexWeightsAt() {
      return weightsAt() + (long) weightBytes() * arcs;
    }

    /** Bytes of all, with the checksum at the end. */
    long fileBytes() {
      return vertexWeightsAt()
          + (hasVertexWeights() ? (long) Integer.BYTES * vertices : 0)
          + Integer.BYTES;
    }
  }

  static Header header(BinaryInput in, boolean directed) throws IOException {
    BEGIN.take(in);
    int version = in.int32("the version");
    if (version != VERSION) {
      throw in.error(
          "version " + version, "version " + VERSION, "write it again, or use a newer Magpie");
    }
    int flags = in.int32("the flags");
    int reserved = in.int32("the reserved word");
    if ((flags & ~FLAGS) != 0 || reserved != 0) {
      throw in.error(
          "flags 0x" + Integer.toHexString(flags) + ", reserved " + reserved,
          "flags 0 to " + FLAGS + ", reserved 0",
          "write it again, or use a newer Magpie");
    }
    if ((flags & TYPE) != 0 && (flags & WEIGHTS) == 0) {
      throw in.error(
          "flags 0x" + Integer.toHexString(flags),
          "weights (flag 1) where there is a type of weights (flags 8 and 16)",
          null);
    }
    if ((flags & DIRECTED) != 0 && !directed) {
      throw in.error(
          "a directed graph",
          "an undirected one",
          "give it by --digraph to a command that has it; in Java, use GraphFormats.readDirected");
    }
    int vertices = count(in, "vertices", Graph.MAX_VERTICES);
    int arcs = count(in, "arcs", Graph.MAX_ARCS);
    return new Header(flags, vertices, arcs);
  }

  @Override
  public <G> G read(ByteSource source, ReadOptions options, GraphForm<G> form) throws IOException {
    BinaryInput in = new BinaryInput(source);
    Header header = header(in, form.directed());
    int[] offsets = in.int32s(header.vertices + 1, "offset");
    int[] neighbors = in.int32s(header.arcs, "target of arc");
    ArcWeights weights = header.type() == null ? null : in.weights(header.type(), header.arcs);
    int[] vertexWeights =
        header.hasVertexWeights() ? in.int32s(header.vertices, "weight of vertex") : null;
    int computed = in.checksum();
    requireSame(in, in.int32("the checksum"), computed);
    if (!in.atEnd()) {
      throw in.error("more bytes", "the end of the file after the checksum", null);
    }
    in.checkOffsets(offsets, header.arcs, true, null);
    return in.graph(offsets, neighbors, weights, vertexWeights, options, form);
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

  @Override
  public EdgeLayout layout(ByteSource file, ReadOptions options) throws IOException {
    BinaryInput in = new BinaryInput(file);
    Header header = header(in, false);
    long expected = header.fileBytes();
    long bytes = file.bytesFrom(0);
    if (bytes != expected) {
      throw in.error(
          "a file of " + bytes + " bytes",
          expected + " bytes for " + header.vertices + " vertices and " + header.arcs + " arcs",
          bytes < expected ? "the file may be truncated" : null);
    }
    return new Layout(file, in, header, options);
  }

  /** Numbers that follow each other in a file, some of which are in memory. */
  private static final class Section {
    private final ByteSource file;
    private final BinaryInput in;
    private final int width;
    private final long count;
    private final CRC32C sum = new CRC32C();
    private final ByteBuffer block;
    private long place;
    private long left;

    Section(ByteSource file, BinaryInput in, long place, int width, long count) {
      this.file = file;
      this.in = in;
      this.place = place;
      this.width = width;
      this.count = count;
      this.left = count * width;
      this.block = ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.LITTLE_ENDIAN).limit(0);
    }

    /** A buffer that has the next number, if there is one. */
    ByteBuffer next() throws IOException {
      if (!block.hasRemaining()) {
        block.clear().limit((int) Math.min(BLOCK, left));
        if (!file.fill(block, place)) {
          throw in.error(
              "the end of the file before byte " + (place + block.limit()),
              "as many bytes as there were before",
              "do not change the file while it is read");
        }
        block.flip();
        place += block.limit();
        left -= block.limit();
        sum.update(block.duplicate());
      }
      return block;
    }

    /** Adds the sum of all to that of what is before. */
    void appendTo(JoinedChecksum checksum) throws IOException {
      while (left > 0) {
        block.position(block.limit());
        next();
      }
      checksum.append((int) sum.getValue(), count * width);
    }
  }

  /**
   * The edges that are not self-loops, each as the arc to its larger end. That every arc has its
   * other direction is told by a sum of hashes over both directions.
   */
  private static final class Layout implements EdgeLayout {
    private final BinaryInput in;
    private final Header header;
    private final StoredWeights stored;
    private final JoinedChecksum checksum = new JoinedChecksum();
    private final Section offsets;
    private final Section targets;
    private final Section weights;
    private final Section rest;
    private final Section end;
    private int source = -1;
    private int arc;
    private int endOfSource;
    private long unmatched;
    private boolean ended;

    Layout(ByteSource file, BinaryInput in, Header header, ReadOptions options) {
      this.in = in;
      this.header = header;
      this.stored =
          header.type() == null
              ? null
              : new StoredWeights(in.file(), "arc", header.type(), options.weights());
      checksum.append(in.checksum(), HEADER_BYTES);
      offsets = new Section(file, in, header.offsetsAt(), Integer.BYTES, header.vertices + 1L);
      targets = new Section(file, in, header.targetsAt(), Integer.BYTES, header.arcs);
      weights = new Section(file, in, header.weightsAt(), header.weightBytes(), header.arcs);
      int heavy = header.hasVertexWeights() ? header.vertices : 0;
      rest = new Section(file, in, header.vertexWeightsAt(), Integer.BYTES, heavy);
      end = new Section(file, in, header.fileBytes() - Integer.BYTES, Integer.BYTES, 1);
    }

    @Override
    public int vertices() {
      return header.vertices;
    }

    @Override
    public long edges() {
      return header.arcs;
    }

    @Override
    public WeightType weightType() {
      return stored == null ? null : stored.type();
    }

    @Override
    public boolean consecutive() {
      return false;
    }

    @Override
    public int next(int[] sources, int[] ends, Object keys, long[] numbers) throws IOException {
      if (source < 0) {
        takeOffset();
        source = 0;
        if (header.vertices > 0) {
          takeOffset();
        }
      }
      WeightType type = stored == null ? WeightType.INT : stored.type();
      int count = 0;
      for (; arc < header.arcs && count < sources.length; arc++) {
        while (endOfSource <= arc) {
          source++;
          takeOffset();
        }
        int target = targets.next().getInt();
        if (target < 0 || target >= header.vertices) {
          throw in.error(
              "target " + target + " of arc " + arc,
              "a vertex, 0 to " + (header.vertices - 1),
              null);
        }
        long key = stored == null ? 1 : stored.next(weights.next(), arc);
        if (target > source) {
          unmatched += hash(source, target, key);
          sources[count] = source;
          ends[count] = target;
          StoredWeights.put(type, key, keys, count);
          numbers[count] = arc;
          count++;
        } else if (target < source) {
          unmatched -= hash(target, source, key);
        }
      }
      if (count == 0 && !ended) {
        finish();
      }
      return count;
    }

    private static long hash(int smaller, int larger, long key) {
      return SeededHash.mix(((long) smaller << 32 | larger) ^ SeededHash.mix(key));
    }

    /** Takes the offset that follows, which is where the arcs of a vertex end. */
    private void takeOffset() throws IOException {
      int vertex = source + 1;
      int before = endOfSource;
      endOfSource = offsets.next().getInt();
      if (endOfSource < before
          || endOfSource > header.arcs
          || vertex == 0 && endOfSource != 0
          || vertex == header.vertices && endOfSource != header.arcs) {
        throw in.error(
            "offset " + endOfSource + " of vertex " + vertex,
            "offsets that ascend from 0 to the number of arcs, " + header.arcs,
            null);
      }
    }

    /** Checks what only the whole file shows. */
    private void finish() throws IOException {
      ended = true;
      while (source + 1 < header.vertices) {
        source++;
        takeOffset();
      }
      for (Section section : new Section[] {offsets, targets, weights, rest}) {
        section.appendTo(checksum);
      }
      requireSame(in, end.next().getInt(), checksum.value());
      if (unmatched != 0) {
        throw in.error(
            "an arc without its other direction",
            "both directions of every edge where edges are taken in chunks",
            "write the file again from the graph in memory, as by magpie convert");
      }
    }
  }

  private static int count(BinaryInput in, String unit, int most) throws IOException {
    long value = in.int64("the number of " + unit);
    if (value < 0 || value > most) {
      throw in.error(value + " " + unit, "0 to " + most + " " + unit, null);
    }
    return (int) value;
  }

  @Override
  public String refusal(Graph graph) {
    return null;
  }

  @Override
  public void write(Graph graph, ByteSink out) throws IOException {
    write(graph.inArrays(), 0, graph.vertexWeights(), out);
  }

  @Override
  public void write(DirectedGraph graph, ByteSink out) throws IOException {
    write(graph.inArrays(), DIRECTED, null, out);
  }

  private static void write(Symmetrizer.Arcs graph, int directed, int[] vertexWeights, ByteSink out)
      throws IOException {
    ArcWeights weights = graph.weights();
    int flags = directed | (vertexWeights == null ? 0 : VERTEX_WEIGHTS);
    flags |= BinaryHeader.flags(weights == null ? null : weights.type());
    BEGIN.write(flags, out);
    out.int64(graph.vertices()).int64(graph.neighbors().length);
    out.int32s(graph.offsets()).int32s(graph.neighbors());
    if (weights != null) {
      weights.writeBits(out);
    }
    if (vertexWeights != null) {
      out.int32s(vertexWeights);
    }
    out.int32(out.checksum());
  }
}
