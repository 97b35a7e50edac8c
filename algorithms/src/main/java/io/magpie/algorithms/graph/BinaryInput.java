package io.magpie.algorithms.graph;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.JoinedChecksum;
import io.magpie.algorithms.internal.OrderedBits;
import io.magpie.algorithms.internal.Parallel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.zip.CRC32C;

/** Takes little-endian numbers from a source and keeps count of bytes and checksum. */
final class BinaryInput {
  /** Bytes of one array from which on threads share the work. */
  private static final int LEAST_AT_ONCE = 1 << 22;

  /** Bytes that a thread reads at a time. */
  private static final int BLOCK = 1 << 18;

  private final ByteSource source;
  private final byte[] bytes = new byte[1 << 16];
  private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C sequence = new CRC32C();
  private final JoinedChecksum checksum = new JoinedChecksum();

  /** Bytes, of which the checksum has {@code summed}, and {@code sequence} those that follow. */
  private long taken;

  private long summed;

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
    sequence.update(bytes, buffer.position() - count, count);
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

  /** What is read. */
  Path file() {
    return source.file();
  }

  /** Takes so many bytes, which are few. */
  ByteBuffer block(int count, String what) throws IOException {
    byte[] result = new byte[count];
    int filled = 0;
    while (filled < count) {
      int here = require(Math.min(bytes.length, count - filled));
      if (here == 0) {
        throw truncated(what);
      }
      buffer.get(result, filled, here);
      took(here);
      filled += here;
    }
    return ByteBuffer.wrap(result).order(ByteOrder.LITTLE_ENDIAN);
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

  /** Takes so many numbers. */
  int[] int32s(int count, String what) throws IOException {
    Ints result = new Ints();
    take(result, count, what);
    return result.values;
  }

  /** Takes so many weights of a type. */
  ArcWeights weights(WeightType type, int count) throws IOException {
    String what = "weight of arc";
    if (type == WeightType.INT) {
      return ArcWeights.of(int32s(count, what));
    }
    Weights result = new Weights(type);
    take(result, count, what);
    return result.values;
  }

  /** Numbers of one width, where they are put. */
  private interface Numbers {
    /** How many bytes one has. */
    int width();

    /** For how many there is room. */
    int room();

    /** Makes room for so many, more than there is, and keeps those that were put. */
    void grow(int count);

    /**
     * Puts the next numbers of a buffer, as many as it has, at their places; threads may do so at
     * once for different places.
     */
    void put(ByteBuffer from, int at) throws FileFormatException;
  }

  private static final class Ints implements Numbers {
    private int[] values = {};

    @Override
    public int width() {
      return Integer.BYTES;
    }

    @Override
    public int room() {
      return values.length;
    }

    @Override
    public void grow(int count) {
      values = values.length == 0 ? new int[count] : Arrays.copyOf(values, count);
    }

    @Override
    public void put(ByteBuffer from, int at) {
      IntBuffer ints = from.asIntBuffer();
      ints.get(values, at, ints.remaining());
    }
  }

  private final class Weights implements Numbers {
    private ArcWeights values;

    Weights(WeightType type) {
      values = ArcWeights.of(type, 0);
    }

    @Override
    public int width() {
      return values.type().isWide() ? Long.BYTES : Integer.BYTES;
    }

    @Override
    public int room() {
      return values.length();
    }

    @Override
    public void grow(int count) {
      values = values.length() == 0 ? ArcWeights.of(values.type(), count) : values.first(count);
    }

    @Override
    public void put(ByteBuffer from, int at) throws FileFormatException {
      for (int i = at; from.hasRemaining(); i++) {
        switch (values.type()) {
          case FLOAT -> values.setKey(i, OrderedBits.of(finite(from.getFloat(), i)));
          case DOUBLE -> values.setKey(i, OrderedBits.of(finite(from.getDouble(), i)));
          default -> values.setKey(i, from.getLong());
        }
      }
    }
  }

  /**
   * Takes so many numbers. Without knowing how long the file is, room for them grows with what is
   * there, so a header that promises more than the file has fails for that, not for memory.
   */
  private void take(Numbers numbers, int count, String what) throws IOException {
    int width = numbers.width();
    if ((long) count * width >= LEAST_AT_ONCE && takeAtOnce(numbers, count)) {
      return;
    }
    int filled = 0;
    while (filled < count) {
      int here = require((int) Math.min(bytes.length, (long) width * (count - filled))) / width;
      if (here == 0) {
        throw truncated(what + " " + filled + " of " + count);
      }
      if (filled + here > numbers.room()) {
        numbers.grow((int) Math.min(count, Math.max(1 << 20, 4L * numbers.room())));
      }
      numbers.put(next(width * here), filled);
      took(width * here);
      filled += here;
    }
  }

  /** The next bytes of the buffer, which are passed. */
  private ByteBuffer next(int count) {
    ByteBuffer result = buffer.slice(buffer.position(), count).order(ByteOrder.LITTLE_ENDIAN);
    buffer.position(buffer.position() + count);
    return result;
  }

  /**
   * Takes so many numbers by all threads, from a file that has them and lets itself be read
   * anywhere. Returns false if anything is wrong, and nothing was taken: who takes them in order
   * then tells what.
   */
  private boolean takeAtOnce(Numbers numbers, int count) throws IOException {
    int width = numbers.width();
    if (source.bytesFrom(taken) < (long) count * width) {
      return false;
    }
    if (numbers.room() < count) {
      numbers.grow(count);
    }
    List<Part> parts = Parallel.map(count, (from, to) -> takePart(numbers, from, to));
    if (parts.contains(null)) {
      return false;
    }
    sumSequence();
    for (Part part : parts) {
      checksum.append(part.checksum, part.bytes);
    }
    taken += (long) count * width;
    summed = taken;
    buffer.limit(0);
    source.goTo(taken);
    return true;
  }

  /** Some of the numbers to be taken; null if anything is wrong. */
  private Part takePart(Numbers numbers, int from, int to) {
    int width = numbers.width();
    int most = Math.min(BLOCK / width, to - from);
    ByteBuffer block = ByteBuffer.allocateDirect(most * width).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C sum = new CRC32C();
    try {
      for (int next = from; next < to; ) {
        int here = Math.min(most, to - next);
        block.clear().limit(here * width);
        if (!source.fill(block, taken + (long) next * width)) {
          return null;
        }
        sum.update(block.flip());
        numbers.put(block.flip(), next);
        next += here;
      }
    } catch (IOException e) {
      return null;
    }
    return new Part((int) sum.getValue(), (long) width * (to - from));
  }

  /** Bytes that a thread took. */
  private record Part(int checksum, long bytes) {}

  private void sumSequence() {
    checksum.append((int) sequence.getValue(), taken - summed);
    sequence.reset();
    summed = taken;
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
    sumSequence();
    return checksum.value();
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
    int vertices = offsets.length - 1;
    int strange = first(neighbors.length, i -> neighbors[i] < 0 || neighbors[i] >= vertices);
    if (strange >= 0) {
      throw error(
          "target " + neighbors[strange] + " of arc " + strange,
          vertices == 0 ? "no arc, as there are no vertices" : "a vertex, 0 to " + (vertices - 1),
          null);
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
    boolean negative = outside < 0 && wanted.fromZero() && weights.hasNegative();
    if (negative) {
      outside = weights.firstNegative();
    }
    if (outside >= 0) {
      throw error(
          "weight " + weights.get(outside) + " of arc " + outside,
          wanted == FileWeights.COUNTS && weights.type() != WeightType.INT
              ? "a weight, a whole number from 0 to 2147483647"
              : negative
                  ? "a weight, 0 or more"
                  : "a weight that is exactly one of type " + wanted.type(),
          remedy(wanted, weights));
    }
    return weights.as(wanted.type());
  }

  /** How to read weights that are not as they are wanted; null if nothing helps. */
  private static String remedy(FileWeights wanted, ArcWeights weights) {
    if (!wanted.fromZero()) {
      return TextFormats.NOT_ROUNDED;
    }
    if (weights.hasNegative()) {
      return null;
    }
    if (wanted == FileWeights.COUNTS && weights.firstOutside(WeightType.FLOAT) < 0) {
      return TextFormats.FLOAT_LENGTHS;
    }
    if (wanted == FileWeights.LENGTHS && weights.firstOutside(WeightType.INT) < 0) {
      return "read them as whole numbers (--weight-type counts)";
    }
    int large = first(weights.length(), i -> Float.isInfinite(weights.get(i).floatValue()));
    return large < 0 ? TextFormats.ROUNDED_LENGTHS : null;
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
    int misplaced =
        first(
            offsets.length,
            v ->
                offsets[v] < (v == 0 ? 0 : offsets[v - 1])
                    || offsets[v] > arcs
                    || (v == 0 && offsets[v] != 0)
                    || (v == last && exactly && offsets[v] != arcs));
    if (misplaced >= 0) {
      throw error(
          "offset " + offsets[misplaced] + " of vertex " + misplaced,
          "offsets that ascend from 0 to the number of arcs, " + arcs,
          remedy);
    }
  }

  /**
   * The first of the numbers from 0 to {@code count - 1} of which something is true; -1 if none.
   */
  private static int first(int count, IntPredicate is) {
    return Parallel.map(
            count,
            (from, to) -> {
              int i = from;
              while (i < to && !is.test(i)) {
                i++;
              }
              return i < to ? i : -1;
            })
        .stream()
        .filter(i -> i >= 0)
        .findFirst()
        .orElse(-1);
  }
}
