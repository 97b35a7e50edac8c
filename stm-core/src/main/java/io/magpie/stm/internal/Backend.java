package io.magpie.stm.internal;

import io.magpie.stm.DeviceDescription;
import io.magpie.stm.internal.toolchain.Flavor;
import io.magpie.stm.internal.toolchain.ModuleArtifacts;
import io.magpie.stm.simulator.AccessTrace.Tracer;
import io.magpie.stm.simulator.Simulator;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * One open device, as the facade drives it. The facade calls it from one thread at a time.
 *
 * <p>Everything is in order: a call sees the effects of all earlier ones. Calls that say so may
 * return before the device has done the work. Addresses are the device's own; 0 is no memory.
 */
public interface Backend extends AutoCloseable {
  /** What the device is. */
  DeviceDescription description();

  /** The flavors of a module that {@link #load} needs. */
  Set<Flavor> flavors();

  /**
   * Memory filled with zeros, at least 64-byte aligned.
   *
   * @param bytes size, at least 1
   * @return the address, or 0 if there is too little memory
   */
  long allocate(long bytes);

  /** Gives back memory of {@link #allocate} once the device no longer uses it. */
  void free(long address);

  /** Bytes that an allocation could get at most, if known. */
  long freeBytes();

  /**
   * Bytes of the cache that the multiprocessors of a GPU share; the largest number elsewhere, where
   * launches do not depend on it.
   */
  default long l2CacheBytes() {
    return Long.MAX_VALUE;
  }

  /**
   * Copies elements of a Java array to the device. When it returns the array may be changed.
   *
   * @param array a Java array of numbers: {@code byte[]}, {@code short[]}, {@code int[]}, {@code
   *     long[]}, {@code float[]} or {@code double[]}
   * @param index first element
   * @param count number of elements
   * @param address where the first element goes
   */
  void write(Object array, int index, int count, long address);

  /** Copies from the device into elements of a Java array; waits for the device. */
  void read(long address, Object array, int index, int count);

  /**
   * Copies the bytes between a buffer's position and its limit, one at least, to the device. When
   * it returns the buffer may be changed; its position is anywhere.
   *
   * @throws io.magpie.stm.MagpieException if the file that the buffer maps is no longer as long
   */
  void write(ByteBuffer source, long address);

  /**
   * Copies from the device into the bytes between a buffer's position and its limit; waits for the
   * device. The buffer's position is anywhere afterwards.
   *
   * @throws io.magpie.stm.MagpieException if the file that the buffer maps is no longer as long
   */
  void read(long address, ByteBuffer target);

  /** Copies within the device; the ranges do not overlap. May return early. */
  void copy(long from, long to, long bytes);

  /**
   * Copies from another device's memory, if there is a way past Java's. Waits for what was asked of
   * both, and for the copy. No other thread calls either of them meanwhile.
   *
   * @param other the device, not this one
   * @return false if there is no such way, and nothing was copied
   */
  default boolean copyFrom(Backend other, long from, long to, long bytes) {
    return false;
  }

  /**
   * Stores one value repeatedly. May return early.
   *
   * @param address where to begin; a multiple of the value's size
   * @param value the value's bits
   * @param valueBytes 1, 2, 4 or 8
   * @param count number of values
   */
  default void fill(long address, long value, int valueBytes, long count) {
    fill(address, value, valueBytes, count, valueBytes);
  }

  /**
   * Stores one value repeatedly, and leaves what is between as it is. May return early.
   *
   * @param address where to begin; a multiple of the value's size
   * @param value the value's bits
   * @param valueBytes 1, 2, 4 or 8
   * @param count number of values
   * @param stride bytes from a value to the next, a multiple of the value's size
   */
  void fill(long address, long value, int valueBytes, long count, int stride);

  /** Makes a module's kernels ready. */
  LoadedModule load(ModuleArtifacts artifacts);

  /**
   * Starts a kernel. May return early.
   *
   * @throws io.magpie.stm.KernelFaultException if it, or an earlier launch, broke a rule
   */
  void launch(LoadedModule module, ModuleTable.Kernel kernel, ByteBuffer functor, Grid grid);

  /**
   * Runs a kernel to its end.
   *
   * @param watch the flag to raise when time is up, or on {@code cpu} and {@code sim} after a
   *     fault, so that threads that wait for one another leave; null for none
   * @param readBack memory to copy to the host afterwards; null for none
   * @throws io.magpie.stm.KernelFaultException if it, or an earlier launch, broke a rule
   */
  Completion run(
      LoadedModule module,
      ModuleTable.Kernel kernel,
      ByteBuffer functor,
      Grid grid,
      Watch watch,
      ReadBack readBack);

  /**
   * Whether launches return before the device has done them, so that it is of use to {@link #start}
   * a run.
   */
  default boolean launchesEarly() {
    return false;
  }

  /**
   * Starts what {@link #run} runs to its end. May return early. Until it has ended, calls that wait
   * for the device watch it, too, in the order in which runs were started: a run's time begins when
   * what was asked of the device before it is done, and the host waits for it or for something
   * after it. The flag is not raised earlier: its reset may be among what was asked before.
   *
   * @param watch as for {@code run}; the flag and the memory to copy are this run's alone
   * @throws io.magpie.stm.KernelFaultException if it, or an earlier launch, broke a rule
   */
  default Started start(
      LoadedModule module,
      ModuleTable.Kernel kernel,
      ByteBuffer functor,
      Grid grid,
      Watch watch,
      ReadBack readBack) {
    Completion end = run(module, kernel, functor, grid, watch, readBack);
    return () -> end;
  }

  /**
   * Whether it launches kernels {@linkplain ModuleTable.Kernel#meetsGrid whose grid meets} on more
   * than one thread. Their grids have no more threads than run at the same time.
   */
  boolean hasGridBarrier();

  /** The grid for a phase of so many items. */
  Grid gridFor(LoadedModule module, ModuleTable.Kernel kernel, long items);

  /**
   * The grid for a region's pass.
   *
   * @param items positions to run
   * @param mostThreads bound of threads, kept except for the first warp's width; 0 = what suits the
   *     device
   * @param seed schedule of the simulator; -1 = the device's own
   */
  Grid gridForTransactions(
      LoadedModule module, ModuleTable.Kernel kernel, long items, long mostThreads, long seed);

  /**
   * What steers and watches launches on a simulator. The schedule that it was given last takes the
   * place of each grid's seed.
   *
   * @throws UnsupportedOperationException if this is not a simulator
   */
  default Simulator simulator() {
    throw new UnsupportedOperationException(
        description().spec() + " runs in no order that could be chosen: open device 'sim'");
  }

  /**
   * What tells of each access of launches.
   *
   * @throws UnsupportedOperationException if accesses cannot be told
   */
  default Tracer tracer() {
    throw new UnsupportedOperationException(
        description().spec()
            + " does not tell what its launches access, as nvcc compiles nothing in front of plain"
            + " accesses: open device 'cpu' or 'sim'");
  }

  /**
   * CUB, on this device's queue.
   *
   * @return null where there is none; the log says why if there should be
   */
  default HostFunctions cub() {
    return null;
  }

  /** Marks the present place in the queue. */
  Span startSpan();

  /** Waits until everything is done. */
  void synchronize();

  /** Why the device is dead; null while it lives. */
  String fault();

  @Override
  void close();

  /**
   * The shape of a launch.
   *
   * @param threads threads in all
   * @param blockSize threads of a block; the number of threads where there are no blocks
   * @param seed schedule of the simulator; -1 = the device's own
   */
  record Grid(long threads, int blockSize, long seed) {
    /** Made when a message needs it: a launch takes microseconds. */
    @Override
    public String toString() {
      return blockSize >= threads
          ? threads + " threads"
          : threads / blockSize + " blocks of " + blockSize + " threads";
    }
  }

  /** What ends a launch from outside: its time, or whoever cancels it. */
  final class Watch {
    private final long flag;
    private final long nanos;
    private volatile boolean canceled;
    private volatile Runnable listener = () -> {};

    /**
     * @param flag address of a 32-bit word that becomes 1 when time is up
     * @param nanos time until then; 0 = no bound
     */
    public Watch(long flag, long nanos) {
      this.flag = flag;
      this.nanos = nanos;
    }

    public long flag() {
      return flag;
    }

    public long nanos() {
      return nanos;
    }

    /** Time is up now; from any thread. */
    public void cancel() {
      canceled = true;
      listener.run();
    }

    public boolean canceled() {
      return canceled;
    }

    /** Tells a back-end that does not look for itself of a cancellation, even of an earlier one. */
    public void onCancel(Runnable action) {
      listener = action;
      if (canceled) {
        action.run();
      }
    }
  }

  /** Memory to copy out. */
  final class ReadBack {
    private final long address;
    private final long[] target;

    /**
     * @param address where it begins on the device
     * @param target where it goes; its length says how many
     */
    public ReadBack(long address, long[] target) {
      this.address = address;
      this.target = target;
    }

    /** Where it begins on the device. */
    public long address() {
      return address;
    }

    /** Where it goes; the back-end writes to it. */
    public long[] target() {
      return target;
    }
  }

  /**
   * The end of a run.
   *
   * @param millis the kernel's time
   * @param timedOut whether the watchdog's flag was raised
   */
  record Completion(double millis, boolean timedOut) {}

  /** A run that was started. */
  interface Started {
    /**
     * Waits for the run's end, after which the memory is copied; called once, as what the run has
     * of the device is given back then.
     *
     * @throws io.magpie.stm.KernelFaultException if the run, or another launch, broke a rule
     */
    Completion await();
  }

  /** A module on the device. */
  interface LoadedModule extends AutoCloseable {
    /** What it holds. */
    ModuleTable table();

    /** Where a place in its code is in the source, if it was built to tell: {@code file:line}. */
    default Optional<String> sourceLine(long place) {
      return Optional.empty();
    }

    @Override
    void close();
  }

  /** C functions that start work on the device's queue, and may return early. */
  interface HostFunctions {
    /** What they are, such as "CUB 3.0.2". */
    String inWords();

    /**
     * Calls a function.
     *
     * @param function its name
     * @param memory gives the address of working memory for a number of bytes, at least 1
     * @param arguments numbers, and device addresses as {@code long}
     * @throws io.magpie.stm.MagpieException if the function reports an error
     */
    void call(String function, LongUnaryOperator memory, Object... arguments);

    /**
     * Calls a function that goes back and forth between two sets of buffers.
     *
     * @return whether its result will be in the second one
     */
    boolean callBuffered(String function, LongUnaryOperator memory, Object... arguments);
  }

  /** A begun measurement; it holds a little of the device until it is closed. */
  interface Span extends AutoCloseable {
    /** Marks the present end of the queue as its end; called once. */
    void end();

    /** Waits for the device to reach the end; gives the milliseconds from the beginning to it. */
    double millis();

    /** Gives back what it holds. */
    @Override
    void close();
  }
}
