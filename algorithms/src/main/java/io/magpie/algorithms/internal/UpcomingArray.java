package io.magpie.algorithms.internal;

import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * A Java array that another thread makes meanwhile, if it is large: Java zeroes it by one thread,
 * which takes longer than a device takes to fill it.
 *
 * @param <A> its type, such as {@code int[]}
 */
public final class UpcomingArray<A> {
  /** Made at once: another thread would begin later. */
  private static final int SMALL = 1 << 16;

  private final int length;
  private final CompletableFuture<A> made;

  private UpcomingArray(int length, CompletableFuture<A> made) {
    this.length = length;
    this.made = made;
  }

  private UpcomingArray(int length, IntFunction<A> make) {
    this(
        length,
        length <= SMALL
            ? CompletableFuture.completedFuture(make.apply(length))
            : CompletableFuture.supplyAsync(() -> make.apply(length)));
  }

  /**
   * An array that is there.
   *
   * @param length that is needed; it may be longer
   */
  public static <A> UpcomingArray<A> of(A array, int length) {
    return new UpcomingArray<>(length, CompletableFuture.completedFuture(array));
  }

  /** Begins to make an array of ints. */
  public static UpcomingArray<int[]> ints(int length) {
    return new UpcomingArray<>(length, int[]::new);
  }

  /** Begins to make an array of doubles. */
  public static UpcomingArray<double[]> doubles(int length) {
    return new UpcomingArray<>(length, double[]::new);
  }

  /** Begins to make an array of longs. */
  public static UpcomingArray<long[]> longs(int length) {
    return new UpcomingArray<>(length, long[]::new);
  }

  /** The length that is needed, which is known at once. */
  public int length() {
    return length;
  }

  /**
   * The array, once it is there; always the same one.
   *
   * @throws OutOfMemoryError if Java has no room for it; of a small one, its making throws that
   */
  public A get() {
    return Futures.join(made);
  }
}
