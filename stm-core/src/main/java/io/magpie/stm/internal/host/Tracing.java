package io.magpie.stm.internal.host;

import io.magpie.stm.internal.host.LaunchStructs.Event;
import io.magpie.stm.internal.host.LaunchStructs.Range;
import io.magpie.stm.internal.host.LaunchStructs.Trace;
import io.magpie.stm.simulator.AccessTrace;
import java.util.ArrayList;
import java.util.List;

/** What is traced of a device's launches: the {@code magpie_trace} that they get. */
final class Tracing {
  private AccessTrace.Scope traced; // null: nothing is
  private LaunchStructs structs; // of the module launched last; null: none since it was set
  private NativeStructs<Trace> block;
  private NativeStructs<Range> ranges;
  private NativeStructs<Event> events; // zero where the latest launch has put nothing

  void set(AccessTrace.Scope wanted) {
    clear();
    traced = wanted;
    structs = null;
  }

  /** A launch begins, which has no events yet; gives the address of what it gets, 0 = nothing. */
  long begin(LaunchStructs wanted) {
    if (traced == null) {
      return 0;
    }
    clear();
    if (structs != wanted) {
      layOut(wanted);
    }
    return block.address();
  }

  /** Forgets what the latest launch has put; the memory is for the next one. */
  private void clear() {
    if (block != null) {
      events.clear(put());
      block.set(Trace.COUNT, 0);
    }
  }

  /** For how many events the latest launch had a place. */
  private int put() {
    return (int) Math.min(block.get(Trace.COUNT), events.count());
  }

  private void layOut(LaunchStructs wanted) {
    List<AccessTrace.Memory> memory = traced.memory();
    ranges = new NativeStructs<>(wanted.range(), memory.size());
    for (int i = 0; i < memory.size(); i++) {
      AccessTrace.Memory each = memory.get(i);
      boolean data = each.contents() == AccessTrace.Memory.Contents.DATA;
      boolean inCells = each.stride() != each.elementBytes();
      ranges.set(i, Range.BEGIN, each.address());
      ranges.set(i, Range.END, each.address() + (data ? each.bytes() : 0));
      ranges.set(i, Range.STRIDE, inCells ? each.stride() : 0);
      ranges.set(i, Range.DATUM, inCells ? each.elementBytes() : 0);
    }
    if (events == null || !events.isLike(wanted.event(), traced.capacity())) {
      events = NativeStructs.zeros(wanted.event(), traced.capacity());
    }
    block = NativeStructs.zeros(wanted.trace());
    block.set(Trace.RANGES, ranges.address());
    block.set(Trace.RANGE_COUNT, memory.size());
    block.set(Trace.EVENTS, events.address());
    block.set(Trace.CAPACITY, traced.capacity());
    block.set(Trace.FORCED_RETRIES, traced.forcedRetries());
    block.set(Trace.FORCED_INNER, traced.forcesInnerRetries() ? 1 : 0);
    structs = wanted;
  }

  AccessTrace trace() {
    if (traced == null) {
      throw new IllegalStateException("nothing is traced: call setTracing first");
    }
    if (structs == null) {
      return new AccessTrace(traced, List.of(), 0);
    }
    List<AccessTrace.Event> all = new ArrayList<>(put());
    for (int i = 0; i < put(); i++) {
      AccessTrace.Kind kind = structs.events().constant((int) events.get(i, Event.KIND));
      // Without a kind it is none: a fault ended its thread before it put the event into its place.
      if (kind != null) {
        all.add(event(kind, i));
      }
    }
    return new AccessTrace(traced, all, block.get(Trace.COUNT) - (put() - all.size()));
  }

  private AccessTrace.Event event(AccessTrace.Kind kind, int i) {
    return new AccessTrace.Event(
        kind,
        events.get(i, Event.ADDRESS),
        events.get(i, Event.VALUE),
        events.get(i, Event.OBJECT),
        events.get(i, Event.PLACE),
        events.get(i, Event.ITEM),
        (int) events.get(i, Event.ATTEMPT),
        (int) events.get(i, Event.THREAD),
        (int) events.get(i, Event.BYTES),
        events.get(i, Event.WRITES) != 0);
  }
}
