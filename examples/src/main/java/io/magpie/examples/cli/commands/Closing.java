package io.magpie.examples.cli.commands;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Things that are closed together, the last first. Each is closed whatever the others do: the first
 * failure counts, and the others are suppressed in it.
 */
final class Closing implements AutoCloseable {
  private final Deque<AutoCloseable> things = new ArrayDeque<>();

  /** Has a thing closed with the others; gives it back. */
  <T extends AutoCloseable> T add(T thing) {
    things.push(thing);
    return thing;
  }

  /**
   * Closes all, after something that may have failed.
   *
   * @param before how it failed; null if it did not
   * @return that failure, or else the first of a thing that could not be closed; null if all is
   *     well
   */
  Throwable closeAfter(Throwable before) {
    Throwable first = before;
    while (!things.isEmpty()) {
      try {
        things.pop().close();
      } catch (Exception | OutOfMemoryError e) {
        if (first == null) {
          first = e;
        } else if (first != e) {
          first.addSuppressed(e);
        }
      }
    }
    return first;
  }

  /** Throws a failure of {@link #closeAfter}, if there is one. */
  static void rethrow(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure != null) {
      throw new IllegalStateException(failure.toString(), failure);
    }
  }

  @Override
  public void close() {
    rethrow(closeAfter(null));
  }
}
