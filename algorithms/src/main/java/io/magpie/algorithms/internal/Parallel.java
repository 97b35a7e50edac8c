package io.magpie.algorithms.internal;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Loops over ranges, cut into pieces for the common pool. Results never depend on the cut. */
public final class Parallel {
  private static final int PIECES = 256;

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
    IntStream.range(0, PIECES)
        .parallel()
        .forEach(piece -> range.run(cut(items, piece), cut(items, piece + 1)));
  }

  public static void forLongRanges(long items, LongRange range) {
    LongStream.range(0, PIECES)
        .parallel()
        .forEach(piece -> range.run(cut(items, piece), cut(items, piece + 1)));
  }

  public static long sum(int items, RangeSum range) {
    return IntStream.range(0, PIECES)
        .parallel()
        .mapToLong(piece -> range.of(cut(items, piece), cut(items, piece + 1)))
        .sum();
  }

  /** The results of all pieces, in the order of the items. */
  public static <T> List<T> map(int items, RangeResult<T> range) {
    return IntStream.range(0, PIECES)
        .parallel()
        .mapToObj(piece -> range.of(cut(items, piece), cut(items, piece + 1)))
        .toList();
  }

  private static int cut(int items, int piece) {
    return (int) ((long) items * piece / PIECES);
  }

  private static long cut(long items, long piece) {
    return items / PIECES * piece + Math.min(piece, items % PIECES);
  }
}
