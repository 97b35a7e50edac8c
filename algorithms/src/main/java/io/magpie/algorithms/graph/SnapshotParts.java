package io.magpie.algorithms.graph;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.JoinedChecksum;
import io.magpie.algorithms.internal.OrderedBits;
import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The undirected graph of a snapshot ({@code .mpg}), taken from the file part by part by whoever
 * keeps its arrays elsewhere than in Java's memory, such as on a device.
 *
 * <p>A part is read into a buffer, added to the checksum, checked as {@link GraphFormats#read}
 * checks a graph, and handed over from there: what is checked is what is taken, whatever becomes of
 * the file meanwhile. (A mapping would show each change, and end the process where the file becomes
 * shorter.) All of this is done in parallel and needs 3/4 MiB for each thread.
 *
 * <p>What is not exactly as {@link GraphFormats#read} would give it is not taken here: a file that
 * is compressed, or no regular one; one that lacks directions, which that adds; weights of another
 * type than asked for; and whatever is malformed, of which that tells what it is. {@link
 * io.magpie.algorithms.resident.ResidentGraph#read} takes either way.
 */
public final class SnapshotParts implements AutoCloseable {
  /** Bytes of each array that a thread has in memory at a time. */
  private static final int BLOCK = 1 << 18;

  /** Takes the arrays; from any thread, and several at once. A buffer is another's after a call. */
  public interface Taker {
    /**
     * Some of the offsets.
     *
     * @param first the vertex of the first one
     * @param part ints in the machine's order
     */
    void offsets(int first, ByteBuffer part);

    /**
     * Some of the arcs' targets.
     *
     * @param first the first arc
     * @param part ints in the machine's order
     */
    void neighbors(int first, ByteBuffer part);

    /**
     * Some of the arcs' weights, if there are any.
     *
     * @param first the first arc
     * @param part numbers of their type in the machine's order
     */
    void weights(int first, ByteBuffer part);
  }

  private final ByteSource source;
  private final SnapshotFormat.Header header;
  private final int headerChecksum;
  private final ReadOptions options;
  private final ArrayDeque<Blocks> idle = new ArrayDeque<>();
  private long edges = -1;
  private boolean negative;

  private SnapshotParts(
      ByteSource source, SnapshotFormat.Header header, int headerChecksum, ReadOptions options) {
    this.source = source;
    this.header = header;
    this.headerChecksum = headerChecksum;
    this.options = options;
  }

  /**
   * Opens a file, of which no more than the header is read.
   *
   * @param file the file
   * @param options how to treat what it leaves open
   * @return empty if {@link GraphFormats#read} has to read it, or to refuse it
   * @throws IOException if it cannot be read
   */
  public static Optional<SnapshotParts> open(Path file, ReadOptions options) throws IOException {
    Objects.requireNonNull(file, "file");
    GraphFormats.Packed packed = GraphFormats.packed(file, options.format());
    if (!(packed.format() instanceof SnapshotFormat)
        || packed.compression() != Compression.NONE
        || options.weightScale() > 0
        || !Files.isRegularFile(file) // what comes through a pipe is there once
        || ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      return Optional.empty();
    }
    ByteSource source = new ByteSource(file, packed.compression());
    SnapshotParts parts = null;
    try {
      BinaryInput in = new BinaryInput(source);
      SnapshotFormat.Header header = SnapshotFormat.header(in, false);
      if (source.bytesFrom(0) == header.fileBytes() && suits(header.type(), options.weights())) {
        parts = new SnapshotParts(source, header, in.checksum(), options);
      }
    } catch (FileFormatException e) {
      return Optional.empty();
    } finally {
      if (parts == null) {
        source.close();
      }
    }
    return Optional.ofNullable(parts);
  }

  /** Whether weights of a type are taken as they are, if none of them is less than allowed. */
  private static boolean suits(WeightType type, FileWeights wanted) {
    return type == null || wanted == FileWeights.ANY || wanted.type() == type;
  }

  /**
   * The number of vertices.
   *
   * @return 0 to {@link Graph#MAX_VERTICES}
   */
  public int vertices() {
    return header.vertices();
  }

  /**
   * The number of arcs.
   *
   * @return 0 to {@link Graph#MAX_ARCS}
   */
  public int arcs() {
    return header.arcs();
  }

  /**
   * The type of the weights that are taken.
   *
   * @return empty if there are none, or each is to be 1
   */
  public Optional<WeightType> weightType() {
    return options.unitWeights() ? Optional.empty() : Optional.ofNullable(header.type());
  }

  /**
   * The number of edges, once all was read.
   *
   * @return 0 or more
   */
  public long edges() {
    requireRead();
    return edges;
  }

  /**
   * Whether some weight is less than 0, once all was read.
   *
   * @return false if there are no weights
   */
  public boolean hasNegativeWeights() {
    requireRead();
    return negative && weightType().isPresent();
  }

  private void requireRead() {
    if (edges < 0) {
      throw new IllegalStateException(source.file() + " has not been read, or not to its end");
    }
  }

  /**
   * Reads all parts. Weights of vertices are checked, and left out.
   *
   * @param taker takes them; in no order
   * @return false if anything is not as it has to be: then what was taken is of no use, and {@link
   *     GraphFormats#read} has to read the file
   */
  public boolean read(Taker taker) {
    Objects.requireNonNull(taker, "taker");
    edges = -1;
    List<Piece> pieces =
        Parallel.map(vertices(), (from, to) -> from == to ? Piece.EMPTY : piece(from, to, taker));
    Sum sum = new Sum();
    for (Piece piece : pieces) {
      if (piece == null || piece != Piece.EMPTY && piece.firstArc != sum.arcs) {
        return false;
      }
      sum.add(piece, header.weightBytes());
    }
    Integer checksum = checksum(sum, taker);
    boolean found =
        sum.arcs == arcs()
            && sum.difference == 0
            && sum.otherDifference == 0
            && !(sum.negative && options.weights().fromZero())
            && checksum != null
            && checksum.equals(int32At(header.fileBytes() - Integer.BYTES));
    if (found) {
      edges = sum.edges;
      negative = sum.negative;
    }
    return found;
  }

  /**
   * What was found in the lists of some vertices.
   *
   * @param vertices how many
   * @param firstArc the first of their arcs
   * @param arcs how many
   * @param offsets the checksum of the offsets where their lists begin
   * @param targets that of their arcs' targets
   * @param weights that of their arcs' weights
   * @param vertexWeights that of their own weights
   * @param edges that have their canonical arcs there
   * @param difference a sum of hashes, over all arcs 0 if each has its other direction
   * @param otherDifference another one
   * @param negative whether an arc weighs less than 0
   */
  private record Piece(
      int vertices,
      int firstArc,
      int arcs,
      int offsets,
      int targets,
      int weights,
      int vertexWeights,
      long edges,
      long difference,
      long otherDifference,
      boolean negative) {
    static final Piece EMPTY = new Piece(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false);
  }

  /** What was found in the lists of all vertices, of which pieces are added in their order. */
  private static final class Sum {
    private final JoinedChecksum offsets = new JoinedChecksum();
    private final JoinedChecksum targets = new JoinedChecksum();
    private final JoinedChecksum weights = new JoinedChecksum();
    private final JoinedChecksum vertexWeights = new JoinedChecksum();
    private long arcs;
    private long edges;
    private long difference;
    private long otherDifference;
    private boolean negative;

    void add(Piece piece, int weightBytes) {
      offsets.append(piece.offsets, (long) Integer.BYTES * piece.vertices);
      targets.append(piece.targets, (long) Integer.BYTES * piece.arcs);
      weights.append(piece.weights, (long) weightBytes * piece.arcs);
      vertexWeights.append(piece.vertexWeights, (long) Integer.BYTES * piece.vertices);
      arcs += piece.arcs;
      edges += piece.edges;
      difference += piece.difference;
      otherDifference += piece.otherDifference;
      negative |= piece.negative;
    }
  }

  /** Takes the last offset, and gives the checksum of all; null if that offset is wrong. */
  private Integer checksum(Sum sum, Taker taker) {
    Integer end = int32At(header.offsetsAt() + (long) Integer.BYTES * vertices());
    if (end == null || end != arcs()) {
      return null;
    }
    ByteBuffer last = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C ofLast = new CRC32C();
    ofLast.update(last.putInt(0, end).duplicate());
    taker.offsets(vertices(), last);
    JoinedChecksum all = new JoinedChecksum();
    all.append(headerChecksum, SnapshotFormat.HEADER_BYTES);
    all.append(sum.offsets.value(), (long) Integer.BYTES * vertices());
    all.append((int) ofLast.getValue(), Integer.BYTES);
    all.append(sum.targets.value(), (long) Integer.BYTES * arcs());
    all.append(sum.weights.value(), (long) header.weightBytes() * arcs());
    if (header.hasVertexWeights()) {
      all.append(sum.vertexWeights.value(), (long) Integer.BYTES * vertices());
    }
    return all.value();
  }

  /** A number of the file; null if it cannot be read. */
  private Integer int32At(long place) {
    ByteBuffer number = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try {
      return source.fill(number, place) ? number.getInt(0) : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Takes the lists of some vertices, one at least; null if anything is not as it has to be. */
  private Piece piece(int from, int to, Taker taker) {
    Blocks blocks = borrow();
    try {
      return piece(from, to, taker, blocks);
    } catch (IOException e) { // as is what is malformed
      return null;
    } finally {
      giveBack(blocks);
    }
  }

  private Piece piece(int from, int to, Taker taker, Blocks blocks) throws IOException {
    int vertices = vertices();
    WeightType type = header.type();
    Section offsets =
        new Section(blocks.offsets, header.offsetsAt(), null, from, to, taker::offsets);
    int firstArc = offsets.next().getInt();
    Integer endArc = int32At(header.offsetsAt() + (long) Integer.BYTES * to);
    require(endArc != null && firstArc >= 0 && firstArc <= endArc && endArc <= arcs());
    Section targets =
        new Section(blocks.targets, header.targetsAt(), null, firstArc, endArc, taker::neighbors);
    Section weights =
        type == null
            ? null
            : new Section(
                blocks.weights,
                header.weightsAt(),
                type,
                firstArc,
                endArc,
                options.unitWeights() ? null : taker::weights);
    long edges = 0;
    long difference = 0;
    long otherDifference = 0;
    boolean less = false;
    int arc = firstArc;
    for (int v = from; v < to; v++) {
      int end = v + 1 < to ? offsets.next().getInt() : endArc;
      require(arc <= end && end <= endArc);
      for (; arc < end; arc++) {
        int target = targets.next().getInt();
        require(target >= 0 && target < vertices);
        if (target >= v) {
          edges++;
        }
        if (type == null) {
          difference += Symmetrizer.signedHash(v, target, Symmetrizer.SEED);
          otherDifference += Symmetrizer.signedHash(v, target, Symmetrizer.OTHER_SEED);
        } else {
          long key = key(type, weights.next());
          less |= key < 0;
          difference += Symmetrizer.signedHash(v, target, SeededHash.mix(Symmetrizer.SEED + key));
          otherDifference +=
              Symmetrizer.signedHash(v, target, SeededHash.mix(Symmetrizer.OTHER_SEED + key));
        }
      }
    }
    return new Piece(
        to - from,
        firstArc,
        endArc - firstArc,
        offsets.checksum(),
        targets.checksum(),
        weights == null ? 0 : weights.checksum(),
        header.hasVertexWeights() ? vertexWeights(from, to, blocks) : 0,
        edges,
        difference,
        otherDifference,
        less);
  }

  /** Checks weights of vertices, and gives their checksum. */
  private int vertexWeights(int from, int to, Blocks blocks) throws IOException {
    Section weights = new Section(blocks.offsets, header.vertexWeightsAt(), null, from, to, null);
    for (int v = from; v < to; v++) {
      require(weights.next().getInt() >= 0);
    }
    return weights.checksum();
  }

  private static long key(WeightType type, ByteBuffer from) {
    return switch (type) {
      case INT -> from.getInt();
      case LONG -> from.getLong();
      case FLOAT -> OrderedBits.of(from.getFloat());
      case DOUBLE -> OrderedBits.of(from.getDouble());
    };
  }

  /** Ends a piece that is not as it has to be; {@link GraphFormats#read} tells what is wrong. */
  private void require(boolean holds) throws FileFormatException {
    if (!holds) {
      throw new FileFormatException(source.file(), 0, "a malformed graph", "a graph", null, null);
    }
  }

  /** Where a thread has what it reads. */
  private static final class Blocks {
    private final ByteBuffer offsets = block();
    private final ByteBuffer targets = block();
    private final ByteBuffer weights = block();

    private static ByteBuffer block() {
      return ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private Blocks borrow() {
    Blocks blocks;
    synchronized (idle) {
      blocks = idle.poll();
    }
    return blocks == null ? new Blocks() : blocks;
  }

  private void giveBack(Blocks blocks) {
    synchronized (idle) {
      idle.push(blocks);
    }
  }

  /** Takes some numbers of an array. */
  @FunctionalInterface
  private interface PartTaker {
    void take(int first, ByteBuffer part);
  }

  /** Some numbers of an array that follow each other, read block by block. */
  private final class Section {
    private final ByteBuffer block;
    private final long place;
    private final WeightType type;
    private final int width;
    private final int end;
    private final PartTaker taker;
    private final CRC32C sum = new CRC32C();
    private int next;

    /**
     * Reads nothing yet.
     *
     * @param place where the array begins in the file
     * @param type null of ints that are no weights
     * @param from the first number
     * @param to behind the last one
     * @param taker null if they are only checked
     */
    Section(ByteBuffer block, long place, WeightType type, int from, int to, PartTaker taker) {
      this.block = block.limit(0);
      this.place = place;
      this.type = type;
      this.width = type != null && type.isWide() ? Long.BYTES : Integer.BYTES;
      this.next = from;
      this.end = to;
      this.taker = taker;
    }

    /** A buffer that has the next number; there must be one. */
    ByteBuffer next() throws IOException {
      if (!block.hasRemaining()) {
        fill();
      }
      return block;
    }

    private void fill() throws IOException {
      int count = Math.min(BLOCK / width, end - next);
      block.clear().limit(count * width);
      require(source.fill(block, place + (long) next * width));
      block.flip();
      sum.update(block.duplicate());
      if (type == WeightType.FLOAT) {
        for (int at = 0; at < block.limit(); at += width) {
          float weight = block.getFloat(at);
          require(Float.isFinite(weight));
          block.putFloat(at, weight + 0.0f); // -0.0 becomes 0.0
        }
      } else if (type == WeightType.DOUBLE) {
        for (int at = 0; at < block.limit(); at += width) {
          double weight = block.getDouble(at);
          require(Double.isFinite(weight));
          block.putDouble(at, weight + 0.0);
        }
      }
      if (taker != null) {
        taker.take(next, block.duplicate().order(ByteOrder.LITTLE_ENDIAN));
      }
      next += count;
    }

    /** The checksum of all, which have been taken. */
    int checksum() {
      return (int) sum.getValue();
    }
  }

  /** Closes the file. */
  @Override
  public void close() throws IOException {
    source.close();
  }
}
