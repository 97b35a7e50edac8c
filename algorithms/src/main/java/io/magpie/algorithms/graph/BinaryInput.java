package io.magpie.algorithms.graph;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.OrderedBits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Takes little-endian numbers from a source and keeps count of bytes and checksum. */
final class BinaryInput {
  private final ByteSource source;
  private final byte[] bytes = new byte[1 << 16];
  private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C checksum = new CRC32C();
  private long taken;

  BinaryInput(ByteSource source) {
    this.source = source;
    buffer.limit(0);
  }

  /** Makes up to {@code wanted} bytes available, fewer only at the end of the file. */
  private int require(int wanted) throws IOException {
    if (buffer.remaining() < wanted) {
      buffer.compact();
      while (buffer.position() < wanted) {
        int read = source.read(bytes, buffer.position(), bytes.length - buffer.position());
        if (read < 0) {
          break;
        }
        buffer.position(buffer.position() + read);
      }
      buffer.flip();
    }
    return Math.min(wanted, buffer.remaining());
  }

  private void took(int count) {
    checksum.update(bytes, buffer.position() - count, count);
    taken += count;
  }

  /** Whether nothing is left. */
  boolean atEnd() throws IOException {
    return require(1) == 0;
  }

  /** Takes up to {@code count} bytes; fewer at the end of the file. */
  byte[] upTo(int count) throws IOException {
    byte[] result = new byte[require(count)];
    buffer.get(result);
    took(result.length);
    return result;
  }

  int int32(String what) throws IOException {
    if (require(4) < 4) {
      throw truncated(what);
    }
    int value = buffer.getInt();
    took(4);
    return value;
  }

  long int64(String what) throws IOException {
    long low = Integer.toUnsignedLong(int32(what));
    return low | ((long) int32(what) << 32);
  }

  /**
   * Takes so many numbers. The array grows with what is there, so a header that promises more than
   * the file has fails for that, not for memory.
   */
  int[] int32s(int count, String what) throws IOException {
    int[] result = new int[Math.min(count, 1 << 20)];
    int filled = 0;
    while (filled < count) {
      int here = require((int) Math.min(bytes.length, 4L * (count - filled))) / 4;
      if (here == 0) {
        throw truncated(what + " " + filled + " of " + count);
      }
      if (filled + here > result.length) {
        result = Arrays.copyOf(result, (int) Math.min(count, 4L * result.length));
      }
      for (int i = 0; i < here; i++) {
        result[filled++] = buffer.getInt();
      }
      took(4 * here);
    }
    return result;
  }

  /** Takes so many weights of a type; see {@link #int32s}. */
  ArcWeights weights(WeightType type, int count) throws IOException {
    String what = "weight of arc";
    if (type == WeightType.INT) {
      return ArcWeights.of(int32s(count, what));
    }
    int width = type.isWide() ? Long.BYTES : Integer.BYTES;
    ArcWeights result = ArcWeights.of(type, Math.min(count, 1 << 20));
    int filled = 0;
    while (filled < count) {
      int here = require((int) Math.min(bytes.length, (long) width * (count - filled))) / width;
      if (here == 0) {
        throw truncated(what + " " + filled + " of " + count);
      }
      if (filled + here > result.length()) {
        result = result.first((int) Math.min(count, 4L * result.length()));
      }
      for (int end = filled + here; filled < end; filled++) {
        switch (type) {
          case FLOAT -> result.setKey(filled, OrderedBits.of(finite(buffer.getFloat(), filled)));
          case DOUBLE -> result.setKey(filled, OrderedBits.of(finite(buffer.getDouble(), filled)));
          default -> result.setKey(filled, buffer.getLong());
        }
      }
      took(width * here);
    }
    return result;
  }

  private float finite(float value, int arc) throws FileFormatException {
    finite((double) value, arc);
    return value;
  }

  private double finite(double value, int arc) throws FileFormatException {
    if (!Double.isFinite(value)) {
      throw error("weight " + value + " of arc " + arc, "a finite number", null);
    }
    return value;
  }

  /** The CRC-32C of everything taken so far. */
  int checksum() {
    return (int) checksum.getValue();
  }

  private FileFormatException truncated(String what) {
    return error(
        "the end of the file at byte " + (taken + buffer.remaining()),
        what,
        "the file may be truncated");
  }

  FileFormatException error(String found, String expected, String remedy) {
    return new FileFormatException(source.file(), 0, found, expected, remedy, null);
  }

  /** Checks what the arrays of a file describe, and makes the graph. */
  <G> G graph(
      int[] offsets,
      int[] neighbors,
      ArcWeights weights,
      int[] vertexWeights,
      ReadOptions options,
      GraphForm<G> form)
      throws FileFormatException {
    for (int i = 0; i < neighbors.length; i++) {
      if (neighbors[i] < 0 || neighbors[i] >= offsets.length - 1) {
        throw error(
            "target " + neighbors[i] + " of arc " + i,
            offsets.length == 1
                ? "no arc, as there are no vertices"
                : "a vertex, 0 to " + (offsets.length - 2),
            null);
      }
    }
    ArcWeights read = weights == null ? null : as(options.weights(), weights);
    checkVertexWeights(vertexWeights);
    try {
      return form.of(offsets, neighbors, read, vertexWeights, options.symmetry());
    } catch (AsymmetricArcsException e) {
      throw error(
          e.getMessage(), "both directions of every edge", "read it with Symmetry.SYMMETRIZE");
    }
  }

  /** Weights as options want them, none of them rounded. */
  private ArcWeights as(FileWeights wanted, ArcWeights weights) throws FileFormatException {
    if (wanted == FileWeights.ANY) {
      return weights;
    }
    int outside = weights.firstOutside(wanted.type());
    if (outside < 0 && wanted == FileWeights.COUNTS && weights.hasNegative()) {
      outside = weights.firstNegative();
    }
    if (outside >= 0) {
      throw error(
          "weight " + weights.get(outside) + " of arc " + outside,
          wanted == FileWeights.COUNTS
              ? weights.type() == WeightType.INT
                  ? "a weight, 0 or more"
                  : "a weight, a whole number from 0 to 2147483647"
              : "a weight that is exactly one of type " + wanted.type(),
          wanted == FileWeights.COUNTS
              ? null
              : "weights of binary files are not rounded; read weights as any type (--weight-type any)");
    }
    return weights.as(wanted.type());
  }

  private void checkVertexWeights(int[] weights) throws FileFormatException {
    for (int i = 0; weights != null && i < weights.length; i++) {
      if (weights[i] < 0) {
        throw error("weight " + weights[i] + " of vertex " + i, "a weight, 0 or more", null);
      }
    }
  }

  /** Checks that offsets ascend from 0 and end at the number of arcs, or not beyond it. */
  void checkOffsets(int[] offsets, int arcs, boolean exactly, String remedy)
      throws FileFormatException {
    int last = offsets.length - 1;
    int least = 0;
    for (int v = 0; v <= last; v++) {
      boolean misplaced =
          (v == 0 && offsets[v] != 0) || (v == last && exactly && offsets[v] != arcs);
      if (offsets[v] < least || offsets[v] > arcs || misplaced) {
        throw error(
            "offset " + offsets[v] + " of vertex " + v,
            "offsets that ascend from 0 to the number of arcs, " + arcs,
            remedy);
      }
      least = offsets[v];
    }
  }
}
