package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.Parallel;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * A set of arcs, which is listed when the list is first asked for: until then a bit for each arc of
 * the graph, as devices leave it. For use by any number of threads.
 */
final class ArcSet {
  private static final int WORDS_OF_PIECE = 1 << 12;

  private final int size;
  private int[] bits;
  private int[] arcs;

  private ArcSet(int size, int[] bits, int[] arcs) {
    this.size = size;
    this.bits = bits;
    this.arcs = arcs;
  }

  /**
   * The arcs of a list.
   *
   * @param arcs ascending; not copied
   */
  static ArcSet of(int[] arcs) {
    return new ArcSet(arcs.length, null, arcs);
  }

  /**
   * The arcs whose bits are set: arc i is bit {@code i % 32} of word {@code i / 32}.
   *
   * @param size how many there are
   * @param bits not copied
   * @throws IllegalStateException if another number of bits is set
   */
  static ArcSet marked(int size, int[] bits) {
    long marked = Parallel.sum(bits.length, (from, to) -> count(bits, from, to));
    if (marked != size) {
      throw new IllegalStateException(size + " edges were chosen, " + marked + " arcs are marked");
    }
    return new ArcSet(size, bits, null);
  }

  int size() {
    return size;
  }

  /** All of them, ascending; always the same array. */
  synchronized int[] arcs() {
    if (arcs == null) {
      arcs = listed();
      bits = null;
    }
    return arcs;
  }

  /** The exact sum of their weights, in parallel, without a list of them. */
  synchronized BigDecimal weight(Graph graph) {
    return arcs == null ? WeightSum.ofMarked(graph, bits) : WeightSum.of(graph, arcs);
  }

  private int[] listed() {
    int pieces = (bits.length + WORDS_OF_PIECE - 1) / WORDS_OF_PIECE;
    int[] begins = new int[pieces];
    Parallel.forRanges(
        pieces,
        (from, to) -> {
          for (int piece = from; piece < to; piece++) {
            begins[piece] = count(bits, piece * WORDS_OF_PIECE, end(piece));
          }
        });
    int[] list = new int[size];
    int begin = 0;
    for (int piece = 0; piece < pieces; piece++) {
      int marked = begins[piece];
      begins[piece] = begin;
      begin += marked;
    }
    Parallel.forRanges(
        pieces,
        (from, to) -> {
          for (int piece = from; piece < to; piece++) {
            list(piece, list, begins[piece]);
          }
        });
    return list;
  }

  private int end(int piece) {
    return Math.min(bits.length, (piece + 1) * WORDS_OF_PIECE);
  }

  private void list(int piece, int[] into, int begin) {
    int next = begin;
    for (int word = piece * WORDS_OF_PIECE; word < end(piece); word++) {
      for (int left = bits[word]; left != 0; left &= left - 1) {
        into[next++] = word * Integer.SIZE + Integer.numberOfTrailingZeros(left);
      }
    }
  }

  private static int count(int[] bits, int from, int to) {
    int count = 0;
    for (int word = from; word < to; word++) {
      count += Integer.bitCount(bits[word]);
    }
    return count;
  }

  boolean hasSameAs(ArcSet other) {
    return size == other.size && Arrays.equals(arcs(), other.arcs());
  }
}
