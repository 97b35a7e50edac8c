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
  private LaunchStructs
      structs; // of the module that was launched last; null: none since it was set
  private NativeStructs<Trace> block;
  private NativeStructs<Range> ranges;
  private NativeStructs<Event> events;

  void set(AccessTrace.Scope wanted) {
    traced = wanted;
    structs = null;
    if (wanted == null) {
      events = null;
    }
  }

  /** A launch begins, which has no events yet; gives the address of what it gets, 0 = nothing. */
  long begin(LaunchStructs wanted) {
    if (traced == null) {
      return 0;
    }
    if (structs != wanted) {
      layOut(wanted);
    }
    block.set(Trace.COUNT, 0);
    return block.address();
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
      events = new NativeStructs<>(wanted.event(), traced.capacity());
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
    long count = block.get(Trace.COUNT);
    int kept = (int) Math.min(count, traced.capacity());
    List<AccessTrace.Event> all = new ArrayList<>(kept);
    for (int i = 0; i < kept; i++) {
      all.add(
          new AccessTrace.Event(
              structs.events().constant((int) events.get(i, Event.KIND)),
              events.get(i, Event.ADDRESS),
              events.get(i, Event.VALUE),
              events.get(i, Event.OBJECT),
              events.get(i, Event.PLACE),
              events.get(i, Event.ITEM),
              (int) events.get(i, Event.ATTEMPT),
              (int) events.get(i, Event.THREAD),
              (int) events.get(i, Event.BYTES),
              events.get(i, Event.WRITES) != 0));
    }
    return new AccessTrace(traced, all, count);
  }
}
