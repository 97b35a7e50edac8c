package io.magpie.algorithms.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Loops over ranges, cut into pieces for the common pool. Results never depend on the cut.
 *
 * <p>Until code is optimized, all threads that run it count in the same words, and 16 of them take
 * as long as one. So the thread that calls runs a loop alone at first, while the compiler works.
 */
public final class Parallel {
  private static final int PIECES = 256;

  /** How long a loop runs alone, in all its calls: about what compiling it takes. */
  private static final long ALONE_NANOS = 15_000_000;

  /** How long each loop has run alone. */
  private static final Map<Class<?>, Long> ALONE = new ConcurrentHashMap<>();

  private Parallel() {}

  /** Work on the items {@code from .. to - 1}. */
  @FunctionalInterface
  public interface Range {
    void run(int from, int to);
  }

  /** Work on the items {@code from .. to - 1}, of which there may be more than 2^31. */
  @FunctionalInterface
  public interface LongRange {
    void run(long from, long to);
  }

  /** A number computed from the items {@code from .. to - 1}. */
  @FunctionalInterface
  public interface RangeSum {
    long of(int from, int to);
  }

  /** Something computed from the items {@code from .. to - 1}. */
  @FunctionalInterface
  public interface RangeResult<T> {
    T of(int from, int to);
  }

  public static void forRanges(int items, Range range) {
    pieces(range, piece -> range.run(cut(items, piece), cut(items, piece + 1)));
  }

  public static void forLongRanges(long items, LongRange range) {
    pieces(range, piece -> range.run(cut(items, (long) piece), cut(items, piece + 1L)));
  }

  public static long sum(int items, RangeSum range) {
    long[] sums = new long[PIECES];
    pieces(range, piece -> sums[piece] = range.of(cut(items, piece), cut(items, piece + 1)));
    return LongStream.of(sums).sum();
  }

  /** The results of all pieces, in the order of the items. */
  public static <T> List<T> map(int items, RangeResult<T> range) {
    List<T> results = new ArrayList<>(Collections.nCopies(PIECES, null));
    pieces(range, piece -> results.set(piece, range.of(cut(items, piece), cut(items, piece + 1))));
    return results;
  }

  /** Runs all pieces of a loop. Each writes results of its own. */
  private static void pieces(Object loop, IntConsumer piece) {
    int alone = 0;
    long before = ALONE.getOrDefault(loop.getClass(), 0L);
    if (before < ALONE_NANOS) {
      long begin = System.nanoTime();
      long now = begin;
      while (alone < PIECES && before + now - begin < ALONE_NANOS) {
        piece.accept(alone++);
        now = System.nanoTime();
      }
      ALONE.merge(loop.getClass(), now - begin, Long::sum);
    }
    IntStream.range(alone, PIECES).parallel().forEach(piece);
  }

  private static int cut(int items, int piece) {
    return (int) ((long) items * piece / PIECES);
  }

  private static long cut(long items, long piece) {
    return items / PIECES * piece + Math.min(piece, items % PIECES);
  }
}
