package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Reads the chunks of a source ahead by one, on a thread of its own: two chunks take turns, so that
 * one is filled, and its numbers are checked, while the other is worked on.
 */
final class ChunkReader implements AutoCloseable {
  private final EdgeSource source;
  private final ExecutorService reader =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "magpie edges");
            thread.setDaemon(true);
            return thread;
          });
  private EdgeChunk spare;
  private CompletableFuture<EdgeChunk> ahead;
  private long last = -1;
  private double waitMillis;

  /** Begins to read. */
  ChunkReader(EdgeSource source, int capacity) {
    this.source = source;
    this.spare = new EdgeChunk(capacity, source.weightType());
    read(new EdgeChunk(capacity, source.weightType()));
  }

  private void read(EdgeChunk chunk) {
    ahead =
        CompletableFuture.supplyAsync(
            () -> {
              chunk.clear();
              source.next(chunk);
              chunk.checkNumbers(last);
              if (chunk.size() > 0) {
                last = chunk.number(chunk.size() - 1);
              }
              return chunk;
            },
            reader);
  }

  /**
   * Waits for the next chunk, and lets go the one before; an empty one is the last. Ends and
   * weights are not checked.
   */
  EdgeChunk next() {
    long begin = System.nanoTime();
    EdgeChunk chunk = Futures.join(ahead);
    waitMillis += Elapsed.millisSince(begin);
    if (chunk.size() > 0) {
      read(spare);
      spare = chunk;
    }
    return chunk;
  }

  /** How long chunks were waited for. */
  double waitMillis() {
    return waitMillis;
  }

  /**
   * Stops reading, and waits until the source is at rest. What it reads then is of no use, so the
   * thread is interrupted: the source may be waiting for something that does not come.
   */
  @Override
  public void close() {
    reader.shutdownNow();
    boolean interrupted = false;
    while (!reader.isTerminated()) {
      try {
        reader.awaitTermination(1, TimeUnit.DAYS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
