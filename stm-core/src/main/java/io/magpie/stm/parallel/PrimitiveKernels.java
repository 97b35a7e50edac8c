package io.magpie.stm.parallel;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.internal.Closing;
import io.magpie.stm.internal.ElementType;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;

/**
 * The kernels of a device's primitives, and the memory they work in: arrays that grow as needed and
 * are kept from call to call, so that a chain of calls allocates nothing. Used within the device's
 * queue only, except for {@link #watch}.
 */
final class PrimitiveKernels implements AutoCloseable {
  /** Warps of a multiprocessor that suffice to keep memory busy, as each has several loads open. */
  private static final int WARPS_PER_MULTIPROCESSOR = 32;

  /** Pieces for each host thread: enough to even out unequal progress. */
  private static final int PIECES_PER_THREAD = 4;

  private final Device device;
  private final KernelModule module;
  private final Map<ScanOperator, Integer> operators = new EnumMap<>(ScanOperator.class);
  private final Map<String, DeviceArray<?>> scratch = new HashMap<>();
  private final List<Watch> watches = new CopyOnWriteArrayList<>();

  /** What scratch arrays would take if there had been none when the watch began. */
  private static final class Watch {
    private final LongConsumer grown;
    private final Map<String, Long> rooms = new HashMap<>();
    private long bytes;

    Watch(LongConsumer grown) {
      this.grown = grown;
    }

    void need(String name, int elementBytes, long length) {
      long known = rooms.getOrDefault(name, 0L);
      if (known < length) {
        long room = room(known, length);
        rooms.put(name, room);
        bytes += (room - known) * elementBytes;
        grown.accept(bytes);
      }
    }
  }

  /**
   * How an array is cut for a launch.
   *
   * @param length positions in a piece
   * @param count pieces, at least 1
   */
  record Pieces(long length, int count) {}

  PrimitiveKernels(Device device, KernelModule module) {
    this.device = device;
    this.module = module;
    for (ScanOperator op : ScanOperator.values()) {
      operators.put(op, module.intConstant("op_" + op.name().toLowerCase(Locale.ROOT)));
    }
  }

  /** What the kernels call an operator. */
  int number(ScanOperator op) {
    return operators.get(op);
  }

  Device device() {
    return device;
  }

  /** Cuts an array of n elements into pieces that are worth a warp each. */
  Pieces pieces(long n) {
    int parallelism = device.description().parallelism();
    long most;
    long least;
    long unit = 256;
    switch (device.machine()) {
      case CUDA -> {
        most = (long) parallelism * WARPS_PER_MULTIPROCESSOR;
        least = 1024;
      }
      case CPU -> {
        most = parallelism == 1 ? 1 : (long) parallelism * PIECES_PER_THREAD;
        least = 8192;
      }
      default -> {
        // More pieces than warps, of few rows each: every kind of boundary in little time.
        most = 9;
        least = 40;
        unit = 8;
      }
    }
    long count = Math.max(1, Math.min(most, n / least));
    long length = Math.max(unit, (n + count - 1) / count);
    length = (length + unit - 1) / unit * unit;
    return new Pieces(length, (int) Math.max(1, (n + length - 1) / length));
  }

  /**
   * Starts a kernel whose warps take a piece each.
   *
   * @param n elements
   */
  void launch(String kernel, Pieces pieces, long n, Fields fields) {
    // The processor sizes its grid by elements, the others by threads.
    long items = device.machine() == Machine.CPU ? n : (long) pieces.count() * device.warpWidth();
    module.kernel(kernel).launch(Math.max(1, items), fields);
  }

  /**
   * Memory with undefined contents that keeps them until the next call for the same use.
   *
   * @param use names it; with the type it tells one array from another
   */
  <A> DeviceArray<A> scratch(String use, ElementType<A> type, long length) {
    String name = type + " " + use;
    watches.forEach(watch -> watch.need(name, type.bytes(), length));
    @SuppressWarnings("unchecked") // the type is part of the name
    DeviceArray<A> known = (DeviceArray<A>) scratch.get(name);
    if (known == null || known.length() < length) {
      long room = room(known == null ? 0 : known.length(), length);
      if (known != null) {
        scratch.remove(name).close();
      }
      known = DeviceInternals.allocate(device, type, Math.max(1, room), "memory of the primitives");
      scratch.put(name, known);
    }
    return known.slice(0, length);
  }

  /** Half as much again: calls with slowly growing arrays do not allocate each time. */
  private static long room(long known, long length) {
    return Math.max(length, known + known / 2);
  }

  /** See {@link Primitives#watchMemory}. Gives what ends it. */
  Runnable watch(LongConsumer grown) {
    Watch watch = new Watch(grown);
    watches.add(watch);
    return () -> watches.remove(watch);
  }

  @Override
  public void close() {
    List<AutoCloseable> due = List.copyOf(scratch.values());
    scratch.clear();
    Closing.all(due);
  }
}
