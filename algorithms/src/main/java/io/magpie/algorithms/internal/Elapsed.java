package io.magpie.algorithms.internal;

/** Time that has passed. */
public final class Elapsed {
  private Elapsed() {}

  /** Milliseconds since a value of {@link System#nanoTime}. */
  public static double millisSince(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }
}
