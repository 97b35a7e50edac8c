package io.magpie.stm.internal.host;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.magpie.stm.simulator.AccessTrace;

/**
 * The {@code magpie_trace} of a device's launches, in native memory: {@code
 * magpie/platform/launch_args.hpp} has the layout.
 */
final class Tracing {
  private static final int BYTES = 48;
  private static final int COUNT = 32;
  private static final int RANGE_BYTES = 24;

  private final Memory block = new Memory(BYTES);
  private AccessTrace.Scope traced; // null: nothing is
  private Memory ranges;
  private Memory events;

  void set(AccessTrace.Scope wanted) {
    traced = wanted;
    if (wanted == null) {
      events = null;
      return;
    }
    ranges = new Memory(Math.max(1, (long) wanted.memory().size() * RANGE_BYTES));
    long at = 0;
    for (AccessTrace.Memory each : wanted.memory()) {
      ranges.setLong(at, each.address());
      boolean data = each.contents() == AccessTrace.Memory.Contents.DATA;
      ranges.setLong(at + 8, each.address() + (data ? each.bytes() : 0));
      boolean inCells = each.stride() != each.elementBytes();
      ranges.setInt(at + 16, inCells ? each.stride() : 0);
      ranges.setInt(at + 20, inCells ? each.elementBytes() : 0);
      at += RANGE_BYTES;
    }
    long bytes = (long) wanted.capacity() * AccessTrace.EVENT_BYTES;
    if (events == null || events.size() != bytes) {
      events = new Memory(bytes);
    }
    block.setPointer(0, ranges);
    block.setLong(8, wanted.memory().size());
    block.setPointer(16, events);
    block.setLong(24, wanted.capacity());
    block.setInt(40, wanted.forcedRetries());
    block.setInt(44, wanted.forcesInnerRetries() ? 1 : 0);
    begin();
  }

  /** A launch begins, which has no events yet. */
  void begin() {
    block.setLong(COUNT, 0);
  }

  /** What launches get; null = nothing is traced. */
  Pointer pointer() {
    return traced == null ? Pointer.NULL : block;
  }

  AccessTrace trace() {
    if (traced == null) {
      throw new IllegalStateException("nothing is traced: call setTracing first");
    }
    long count = block.getLong(COUNT);
    int kept = (int) Math.min(count, traced.capacity());
    byte[] bytes = events.getByteArray(0, kept * AccessTrace.EVENT_BYTES);
    return new AccessTrace(traced, bytes, count);
  }
}
