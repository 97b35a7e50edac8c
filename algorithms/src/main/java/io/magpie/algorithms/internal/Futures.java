package io.magpie.algorithms.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Work of other threads whose result is awaited here. */
public final class Futures {
  private Futures() {}

  /** Waits for what such work gives. What it throws is thrown here as it is, not wrapped. */
  public static <T> T join(CompletableFuture<T> work) {
    try {
      return work.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      if (e.getCause() instanceof RuntimeException exception) {
        throw exception;
      }
      throw e;
    }
  }
}
