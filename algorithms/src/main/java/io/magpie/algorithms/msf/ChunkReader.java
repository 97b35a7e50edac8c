package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.Futures;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Reads the chunks of a source ahead, on a thread of its own, and owns them all: {@value #AHEAD}
 * are filled, and their numbers checked, while another is worked on.
 */
final class ChunkReader implements AutoCloseable {
  /** Chunks that are read before they are asked for. */
  static final int AHEAD = 2;

  private final EdgeSource source;
  private final ExecutorService reader =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "magpie edges");
            thread.setDaemon(true);
            return thread;
          });

  /** In their order; the first is due next. */
  private final Queue<CompletableFuture<EdgeChunk>> ahead = new ArrayDeque<>();

  private EdgeChunk worked;
  private double waitMillis;

  /** Of the reader's thread: after the last edge, or a failure, the source is left alone. */
  private boolean ended;

  private long last = -1;

  /** Begins to read. */
  ChunkReader(EdgeSource source, int capacity) {
    this.source = source;
    this.worked = new EdgeChunk(capacity, source.weightType());
    for (int i = 0; i < AHEAD; i++) {
      read(new EdgeChunk(capacity, source.weightType()));
    }
  }

  private void read(EdgeChunk chunk) {
    ahead.add(CompletableFuture.supplyAsync(() -> filled(chunk), reader));
  }

  private EdgeChunk filled(EdgeChunk chunk) {
    chunk.clear();
    if (ended) {
      return chunk;
    }
    ended = true;
    source.next(chunk);
    chunk.checkNumbers(last);
    if (chunk.size() > 0) {
      last = chunk.number(chunk.size() - 1);
      ended = false;
    }
    return chunk;
  }

  /**
   * Waits for the next chunk, and lets go the one before; an empty one is the last. Ends and
   * weights are not checked.
   */
  EdgeChunk next() {
    read(worked);
    long begin = System.nanoTime();
    worked = Futures.join(ahead.remove());
    waitMillis += Elapsed.millisSince(begin);
    return worked;
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
