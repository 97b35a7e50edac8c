package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.stm.Device;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The edges of one source for several readers on threads of their own: each chunk goes to the one
 * that asks first, so a reader's edges come in ascending order of number, too, with gaps. Readers
 * of a {@link DeviceEdgeSource} are such sources. A fault of the source, or its end, is the end for
 * all of them.
 */
final class SharedEdges {
  private final EdgeSource source;
  private final long known;
  private final ReentrantLock turn = new ReentrantLock();

  /** Of the one whose turn it is. */
  private long last = -1;

  private long edges;

  private volatile boolean stopped;

  /** The thread that is in the source, and the lock for it. */
  private final Object inside = new Object();

  private Thread reading;

  /**
   * @param source read by these readers alone from now on, and not closed
   * @param known the most edges that it may have
   */
  SharedEdges(EdgeSource source, long known) {
    this.source = source;
    this.known = known;
  }

  /** One more reader. */
  EdgeSource reader() {
    return source instanceof DeviceEdgeSource computed ? new DeviceReader(computed) : new Reader();
  }

  /** Ends the edges for all readers, and interrupts the one that is in the source. */
  void stop() {
    stopped = true;
    synchronized (inside) {
      if (reading != null) {
        reading.interrupt();
      }
    }
  }

  private void next(EdgeChunk chunk) {
    take(
        () -> {
          source.next(chunk);
          int size = chunk.size();
          check(size, size == 0 ? 0 : chunk.number(0), size == 0 ? 0 : chunk.number(size - 1));
        });
  }

  private void fill(DeviceEdgeSource computed, DeviceEdgeChunk chunk) {
    take(
        () -> {
          computed.fill(chunk);
          check(chunk.size(), chunk.first(), chunk.first() + chunk.size() - 1);
        });
  }

  /** Takes the next edges when it is this thread's turn; none once they have ended. */
  private void take(Runnable edgesOfSource) {
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      // No edges would be the end, and a forest of some of them a result.
      throw new CancellationException("interrupted while other devices took edges");
    }
    try {
      if (enter()) {
        edgesOfSource.run();
      }
    } catch (RuntimeException | Error e) {
      stopped = true;
      throw e;
    } finally {
      leave();
      turn.unlock();
    }
  }

  private boolean enter() {
    synchronized (inside) {
      if (!stopped) {
        reading = Thread.currentThread();
      }
      return !stopped;
    }
  }

  private void leave() {
    synchronized (inside) {
      reading = null;
    }
  }

  /** What one reader cannot see: whether the numbers of all ascend, and how many there are. */
  private void check(int size, long first, long end) {
    if (size == 0) {
      stopped = true;
      return;
    }
    if (first <= last) {
      throw EdgeChunk.refusedNumber(first, last);
    }
    last = end;
    edges += size;
    if (edges > known) {
      throw EdgeChunk.refusedCount(known, edges);
    }
  }

  private final class DeviceReader extends Reader implements DeviceEdgeSource {
    private final DeviceEdgeSource computed;

    DeviceReader(DeviceEdgeSource computed) {
      this.computed = computed;
    }

    /** Done before, of all devices by one thread. */
    @Override
    public void prepare(Device device) {}

    @Override
    public void fill(DeviceEdgeChunk chunk) {
      SharedEdges.this.fill(computed, chunk);
    }
  }

  private class Reader implements EdgeSource {
    @Override
    public int vertices() {
      return source.vertices();
    }

    @Override
    public WeightType weightType() {
      return source.weightType();
    }

    @Override
    public long edges() {
      return source.edges();
    }

    @Override
    public void next(EdgeChunk chunk) {
      SharedEdges.this.next(chunk);
    }
  }
}
