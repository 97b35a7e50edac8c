package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import java.io.IOException;
import java.util.Arrays;

/** Magpie's own binary CSR format, suffix {@code .mpg}: a graph exactly as it is in memory. */
final class SnapshotFormat implements GraphFormat {
  /** As in PNG: not text, and damaged visibly by a transfer that changes line ends. */
  private static final byte[] MAGIC = {(byte) 0x89, 'M', 'P', 'G', '\r', '\n', 0x1a, '\n'};

  private static final int VERSION = 1;
  private static final int BYTE_ORDER_MARK = 0x01020304;
  private static final int WEIGHTS = 1;
  private static final int VERTEX_WEIGHTS = 2;
  private static final int DIRECTED = 4;
  private static final int WIDE = 8;
  private static final int FLOATING = 16;
  private static final int FLAGS = WEIGHTS | VERTEX_WEIGHTS | DIRECTED | WIDE | FLOATING;

  @Override
  public int firstVertex() {
    return 0;
  }

  @Override
  public <G> G read(ByteSource source, ReadOptions options, GraphForm<G> form) throws IOException {
    BinaryInput in = new BinaryInput(source);
    if (in.atEnd()) {
      throw in.error("an empty file", "a Magpie snapshot", null);
    }
    if (!Arrays.equals(in.upTo(MAGIC.length), MAGIC)) {
      throw in.error("another signature", "that of a Magpie snapshot, 89 'MPG' 0d 0a 1a 0a", null);
    }
    int mark = in.int32("the byte order mark");
    if (mark != BYTE_ORDER_MARK) {
      throw in.error(
          "byte order mark 0x" + Integer.toHexString(mark),
          "0x0" + Integer.toHexString(BYTE_ORDER_MARK) + ", little endian",
          mark == Integer.reverseBytes(BYTE_ORDER_MARK)
              ? "the file is big endian; write it again"
              : null);
    }
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
    if ((flags & (WIDE | FLOATING)) != 0 && (flags & WEIGHTS) == 0) {
      throw in.error(
          "flags 0x" + Integer.toHexString(flags),
          "weights (flag 1) where there is a type of weights (flags 8 and 16)",
          null);
    }
    if ((flags & DIRECTED) != 0 && !form.directed()) {
      throw in.error(
          "a directed graph",
          "an undirected one",
          "give it by --digraph to a command that has it; in Java, use GraphFormats.readDirected");
    }
    int vertices = count(in, "vertices", Graph.MAX_VERTICES);
    int arcs = count(in, "arcs", Graph.MAX_ARCS);
    int[] offsets = in.int32s(vertices + 1, "offset");
    int[] neighbors = in.int32s(arcs, "target of arc");
    ArcWeights weights = (flags & WEIGHTS) == 0 ? null : in.weights(type(flags), arcs);
    int[] vertexWeights =
        (flags & VERTEX_WEIGHTS) == 0 ? null : in.int32s(vertices, "weight of vertex");
    int computed = in.checksum();
    int stored = in.int32("the checksum");
    if (stored != computed) {
      throw in.error(
          "checksum 0x" + Integer.toHexString(stored),
          "0x" + Integer.toHexString(computed) + " for these contents",
          "the file is damaged; fetch or write it again");
    }
    if (!in.atEnd()) {
      throw in.error("more bytes", "the end of the file after the checksum", null);
    }
    in.checkOffsets(offsets, arcs, true, null);
    return in.graph(offsets, neighbors, weights, vertexWeights, options, form);
  }

  private static WeightType type(int flags) {
    boolean wide = (flags & WIDE) != 0;
    return (flags & FLOATING) != 0
        ? wide ? WeightType.DOUBLE : WeightType.FLOAT
        : wide ? WeightType.LONG : WeightType.INT;
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
    if (weights != null) {
      flags |= WEIGHTS | (weights.type().isWide() ? WIDE : 0);
      flags |= weights.type().isFloating() ? FLOATING : 0;
    }
    out.bytes(MAGIC).int32(BYTE_ORDER_MARK).int32(VERSION).int32(flags).int32(0);
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
