package io.magpie.stm.internal.cuda;

import io.magpie.stm.internal.WorkerPool;
import io.magpie.stm.internal.host.HostMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import jcuda.Pointer;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * Copies between Java arrays or buffers and the GPU by way of pinned memory. Much goes in chunks;
 * each of a few host threads fills one of its two buffers while the GPU copies the other. One
 * thread alone would copy at a fifth of the bus's speed.
 */
final class Staging {
  private static final int CHUNK_BYTES = 4 << 20;
  private static final int BUFFERS_PER_WORKER = 2;
  private static final int MOST_WORKERS = 8;
  private static final int SMALL_BYTES = 64 << 10;

  /** Bytes of a line for what runs copy out; a region's counters are fewer. */
  private static final int LINE_BYTES = 1 << 10;

  /** Lines that are pinned at first: runs in flight, before one more waits for them. */
  private static final int LINES = 64;

  private static final int PORTABLE = 1;
  private static final int EVENT_WITHOUT_TIME = 2;

  private final CudaBackend gpu;
  private final WorkerPool pool;
  private final Buffer[][] buffers;
  private final Buffer small;
  private final Buffer one;

  /** The first line that nobody has, and the end of all lines. */
  private long nextLine;

  private final long endOfLines;

  /** Pinned memory, and its address. */
  private static final class Pinned extends Pointer {
    long value() {
      return getNativePointer() + getByteOffset();
    }
  }

  /** A part of the pinned memory; the event is the end of the last copy from or to it. */
  private record Buffer(long address, Pointer pointer, CUevent free) {}

  Staging(CudaBackend gpu) {
    this.gpu = gpu;
    int workers =
        Math.max(1, Math.min(MOST_WORKERS, Runtime.getRuntime().availableProcessors() / 2));
    long bytes =
        (long) workers * BUFFERS_PER_WORKER * CHUNK_BYTES
            + 2L * SMALL_BYTES
            + (long) LINES * LINE_BYTES;
    Pinned pinned = pinned(bytes);
    buffers = new Buffer[workers][BUFFERS_PER_WORKER];
    long next = pinned.value();
    for (Buffer[] ofWorker : buffers) {
      for (int i = 0; i < ofWorker.length; i++) {
        ofWorker[i] = buffer(next);
        next += CHUNK_BYTES;
      }
    }
    small = buffer(next);
    one = buffer(next + SMALL_BYTES);
    HostMemory.write(new int[] {1}, 0, 1, one.address);
    nextLine = next + 2L * SMALL_BYTES;
    endOfLines = nextLine + (long) LINES * LINE_BYTES;
    pool = new WorkerPool(workers, "magpie-copy");
  }

  /** Pinned memory that lives as long as the device is open. */
  private Pinned pinned(long bytes) {
    Pinned made = new Pinned();
    gpu.check(
        JCudaDriver.cuMemHostAlloc(made, bytes, PORTABLE),
        "allocating " + bytes + " bytes of pinned host memory");
    gpu.onClose(() -> gpu.check(JCudaDriver.cuMemFreeHost(made), "freeing pinned host memory"));
    return made;
  }

  private Buffer buffer(long address) {
    return new Buffer(address, new CudaBackend.Address(address), gpu.ownEvent(EVENT_WITHOUT_TIME));
  }

  private static int elementBytes(Object array) {
    if (array instanceof byte[]) {
      return 1;
    }
    if (array instanceof short[]) {
      return 2;
    }
    return array instanceof int[] || array instanceof float[] ? 4 : 8;
  }

  void write(Object array, int first, int count, long address) {
    write(
        count,
        elementBytes(array),
        address,
        (at, part, pinned) -> HostMemory.write(array, first + at, part, pinned));
  }

  /** The bytes between a buffer's position and its limit. */
  void write(ByteBuffer source, long address) {
    ByteBuffer bytes = source.slice();
    write(
        bytes.remaining(),
        1,
        address,
        (at, part, pinned) -> HostMemory.write(bytes.slice(at, part), pinned));
  }

  /** Copies some of what is copied to pinned memory or from it. */
  @FunctionalInterface
  private interface HostCopy {
    /**
     * @param at the first element
     * @param part number of elements
     * @param pinned an address
     */
    void copy(int at, int part, long pinned);
  }

  private void write(int count, int size, long address, HostCopy copy) {
    if ((long) count * size <= SMALL_BYTES) {
      send(small, copy, 0, count, size, address);
      return;
    }
    inChunks(
        count,
        size,
        (worker, chunks) -> {
          int turn = 0;
          for (long at = chunks.next(); at < count; at = chunks.next()) {
            Buffer buffer = buffers[worker][turn++ % BUFFERS_PER_WORKER];
            int part = (int) Math.min(CHUNK_BYTES / size, count - at);
            send(buffer, copy, (int) at, part, size, address + at * size);
          }
        });
  }

  private void send(Buffer buffer, HostCopy copy, int at, int count, int size, long address) {
    gpu.check(JCudaDriver.cuEventSynchronize(buffer.free), "waiting for a copy");
    copy.copy(at, count, buffer.address);
    gpu.check(
        JCudaDriver.cuMemcpyHtoDAsync(
            new CudaBackend.Address(address), buffer.pointer, (long) count * size, gpu.stream()),
        "copying to the GPU");
    gpu.check(JCudaDriver.cuEventRecord(buffer.free, gpu.stream()), "recording an event");
  }

  void read(long address, Object array, int first, int count) {
    read(
        address,
        count,
        elementBytes(array),
        (at, part, pinned) -> HostMemory.read(pinned, array, first + at, part));
  }

  /** Into the bytes between a buffer's position and its limit. */
  void read(long address, ByteBuffer target) {
    ByteBuffer bytes = target.slice();
    read(
        address,
        bytes.remaining(),
        1,
        (at, part, pinned) -> HostMemory.read(pinned, bytes.slice(at, part)));
  }

  private void read(long address, int count, int size, HostCopy copy) {
    if ((long) count * size <= SMALL_BYTES) {
      fetch(small, address, (long) count * size);
      gpu.check(JCudaDriver.cuEventSynchronize(small.free), "waiting for a copy");
      copy.copy(0, count, small.address);
      return;
    }
    inChunks(
        count,
        size,
        (worker, chunks) -> {
          long[] pending = new long[BUFFERS_PER_WORKER];
          java.util.Arrays.fill(pending, -1);
          int turn = 0;
          boolean more = true;
          for (int idle = 0; idle < BUFFERS_PER_WORKER; turn++) {
            int slot = turn % BUFFERS_PER_WORKER;
            Buffer buffer = buffers[worker][slot];
            if (pending[slot] >= 0) {
              long at = pending[slot];
              int part = (int) Math.min(CHUNK_BYTES / size, count - at);
              gpu.check(JCudaDriver.cuEventSynchronize(buffer.free), "waiting for a copy");
              copy.copy((int) at, part, buffer.address);
              pending[slot] = -1;
            }
            long at = more ? chunks.next() : count;
            more = at < count;
            if (more) {
              int part = (int) Math.min(CHUNK_BYTES / size, count - at);
              fetch(buffer, address + at * size, (long) part * size);
              pending[slot] = at;
              idle = 0;
            } else {
              idle++;
            }
          }
        });
  }

  private void fetch(Buffer buffer, long address, long bytes) {
    gpu.check(
        JCudaDriver.cuMemcpyDtoHAsync(
            buffer.pointer, new CudaBackend.Address(address), bytes, gpu.stream()),
        "copying from the GPU");
    gpu.check(JCudaDriver.cuEventRecord(buffer.free, gpu.stream()), "recording an event");
  }

  /** Pinned memory for a few bytes that are copied out while others are. */
  Received newReceived() {
    return new Received();
  }

  /** Where a few bytes arrive that the stream copies out when it gets there. */
  final class Received {
    private long address;
    private long bytes;

    /**
     * Makes room for bytes to copy. Before the launch that they are of: the driver may wait for the
     * GPU to pin memory.
     */
    void makeRoom(long wanted) {
      if (wanted <= bytes) {
        return;
      }
      if (wanted <= LINE_BYTES && nextLine < endOfLines) {
        address = nextLine;
        bytes = LINE_BYTES;
        nextLine += LINE_BYTES;
      } else {
        gpu.endRuns();
        address = pinned(wanted).value();
        bytes = wanted;
      }
    }

    /** Starts to copy bytes out; {@link #give} gives them once the stream got there. */
    void start(long from, long wanted) {
      gpu.check(
          JCudaDriver.cuMemcpyDtoHAsync(
              new CudaBackend.Address(address),
              new CudaBackend.Address(from),
              wanted,
              gpu.stream()),
          "copying from the GPU");
    }

    /** The bytes of {@link #start}. */
    void give(long[] target) {
      HostMemory.read(address, target, 0, target.length);
    }
  }

  /** Sets a 32-bit word of the GPU's memory to 1 by the copy engine, and waits for that. */
  void raise(long flag, CUstream stream) {
    gpu.check(
        JCudaDriver.cuMemcpyHtoDAsync(new CudaBackend.Address(flag), one.pointer, 4, stream),
        "raising the watchdog's flag");
    gpu.check(JCudaDriver.cuStreamSynchronize(stream), "raising the watchdog's flag");
  }

  /** Where the next chunk of an array begins. */
  private static final class Chunks {
    private final AtomicLong next = new AtomicLong();
    private final int step;

    Chunks(int step) {
      this.step = step;
    }

    long next() {
      return next.getAndAdd(step);
    }
  }

  /** A worker's part of a copy. */
  @FunctionalInterface
  private interface Part {
    void copy(int worker, Chunks chunks);
  }

  private void inChunks(long count, int size, Part part) {
    Chunks chunks = new Chunks(CHUNK_BYTES / size);
    long helpers = (count * size + CHUNK_BYTES - 1) / CHUNK_BYTES - 1;
    pool.run(
        worker -> {
          gpu.enter();
          part.copy(worker, chunks);
        },
        (int) Math.min(helpers, buffers.length - 1));
  }

  /** Ends the threads that copy; the memory and the events go with the GPU's other things. */
  void stopThreads() {
    pool.close();
  }
}
