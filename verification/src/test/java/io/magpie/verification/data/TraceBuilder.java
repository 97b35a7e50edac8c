package io.magpie.verification.data;

import io.magpie.stm.FieldKind;
import io.magpie.stm.Recording.Format;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Event;
import io.magpie.stm.simulator.AccessTrace.Kind;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.stm.simulator.AccessTrace.Memory.Contents;
import io.magpie.stm.simulator.AccessTrace.Scope;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A trace made by hand, event by event: each item is a thread's, and its attempts follow each
 * other.
 */
public final class TraceBuilder {
  private static final Set<Kind> WRITES =
      EnumSet.of(
          Kind.WRITE_BACK,
          Kind.STORE,
          Kind.TALLY,
          Kind.PLAIN_WRITE,
          Kind.SHARED_WRITE,
          Kind.ATOMIC);

  private final Map<String, Memory> memory = new LinkedHashMap<>();
  private final List<Event> events = new ArrayList<>();
  private final Map<Integer, Integer> attempts = new LinkedHashMap<>(); // by threads
  private long item;
  private int thread;
  private long place;

  /** Adds an array of 4-byte elements. */
  public TraceBuilder array(String name, int length) {
    return add(name, length, Integer.BYTES, Contents.DATA, 0);
  }

  TraceBuilder array(String name, int length, int elementBytes) {
    return add(name, length, elementBytes, Contents.DATA, 0);
  }

  /** Adds an array of a kind, as {@link FieldKind#parse} reads it. */
  TraceBuilder array(String name, int length, String kind) {
    FieldKind parsed = FieldKind.parse(kind);
    array(name, length, parsed.elementBytes());
    memory.computeIfPresent(name, (key, of) -> of.withKind(parsed));
    return this;
  }

  public TraceBuilder objects(String name, int count) {
    return add(name, count, Integer.BYTES, Contents.OBJECTS, 0);
  }

  TraceBuilder pool(String name, int capacity, int live) {
    return add(name, capacity, Integer.BYTES, Contents.SLOTS, live);
  }

  private TraceBuilder add(String name, int length, int each, Contents contents, int live) {
    long address = 0x10000L * (memory.size() + 1);
    memory.put(name, new Memory(name, address, (long) length * each, each, contents, live));
    return this;
  }

  /** The same memory, and no events yet: for the next launch. */
  TraceBuilder next() {
    TraceBuilder next = new TraceBuilder();
    next.memory.putAll(memory);
    return next;
  }

  Memory memory(String name) {
    return memory.get(name);
  }

  long address(String name, long index) {
    Memory of = memory.get(name);
    return of.address() + index * of.elementBytes();
  }

  /** The next attempt of an item begins; events that follow are its. */
  public TraceBuilder begin(long item) {
    return begin(item, (int) item);
  }

  /** The same in a thread, where several items may have one number. */
  TraceBuilder begin(long item, int thread) {
    this.item = item;
    this.thread = thread;
    return put(Kind.BEGIN, 0, attempts.merge(thread, 1, Integer::sum), 0, 0);
  }

  /** Events that follow are of an attempt that began before. */
  TraceBuilder on(long item) {
    this.item = item;
    this.thread = (int) item;
    return this;
  }

  public TraceBuilder opens(String objects, long index) {
    return put(Kind.OPENED, 0, 0, 0, address(objects, index));
  }

  TraceBuilder phase(int phase) {
    return put(Kind.PHASE, 0, phase, 0, 0);
  }

  /** An access to an element, under no object. */
  public TraceBuilder does(Kind kind, String array, long index, long value) {
    return put(kind, address(array, index), value, memory.get(array).elementBytes(), 0);
  }

  TraceBuilder reads(String array, long index, long value) {
    return does(Kind.READ, array, index, value);
  }

  TraceBuilder glances(String array, long index, long value) {
    return does(Kind.GLANCE, array, index, value);
  }

  TraceBuilder reads(String array, long index, long value, String objects, long object) {
    int bytes = memory.get(array).elementBytes();
    return put(Kind.READ, address(array, index), value, bytes, address(objects, object));
  }

  TraceBuilder peeks(String array, long index, long value, String objects, long object) {
    int bytes = memory.get(array).elementBytes();
    return put(Kind.PEEK, address(array, index), value, bytes, address(objects, object));
  }

  TraceBuilder takes(String pool, long slot) {
    return put(Kind.TAKEN, memory.get(pool).address(), slot, 0, 0);
  }

  TraceBuilder frees(String pool, long slot) {
    return put(Kind.FREED, memory.get(pool).address(), slot, 0, 0);
  }

  TraceBuilder pushes(long pushed) {
    return put(Kind.PUSHED, 0, pushed, 0, 0);
  }

  /** All is locked: stores and frees follow. */
  TraceBuilder locks() {
    return put(Kind.LOCKED, 0, 0, 0, 0);
  }

  TraceBuilder stores(String array, long index, long value) {
    return does(Kind.STORE, array, index, value);
  }

  TraceBuilder stores(String array, long index, long value, String objects, long object) {
    int bytes = memory.get(array).elementBytes();
    return put(Kind.STORE, address(array, index), value, bytes, address(objects, object));
  }

  TraceBuilder commits() {
    return put(Kind.END, 0, Attempt.COMMIT, 0, 0);
  }

  TraceBuilder cancels() {
    return put(Kind.CANCELED, 0, 0, 0, 0).put(Kind.END, 0, Attempt.CANCEL, 0, 0);
  }

  /** The attempt was to commit, but an inner transaction of it has canceled. */
  TraceBuilder givesUp() {
    return put(Kind.CANCELED, 0, 1, 0, 0).put(Kind.END, 0, Attempt.CANCEL, 0, 0);
  }

  TraceBuilder retries() {
    return put(Kind.END, 0, Format.ABORT, 0, 0);
  }

  /** The attempt ends since the region asks for another. */
  TraceBuilder asksAgain() {
    return put(Kind.END, 0, Attempt.ASKED_AGAIN, 0, 0);
  }

  /** The attempt ends since its log is full. */
  public TraceBuilder outgrows() {
    return put(Kind.END, 0, Format.ABORT + Format.OVERFLOW, 0, 0);
  }

  public TraceBuilder event(Kind kind) {
    return put(kind, 0, 0, 0, 0);
  }

  private TraceBuilder put(Kind kind, long address, long value, int bytes, long object) {
    events.add(
        new Event(
            kind,
            address,
            value,
            object,
            place,
            item,
            attempts.getOrDefault(thread, 0),
            thread,
            bytes,
            WRITES.contains(kind)));
    return this;
  }

  /** The place in the code of the events that follow. */
  public TraceBuilder at(long line) {
    place = line;
    return this;
  }

  public AccessTrace build() {
    return build(0);
  }

  /**
   * @param more events that there were behind those that are kept
   */
  AccessTrace build(int more) {
    Scope scope = new Scope(new ArrayList<>(memory.values()), Math.max(1, events.size()), 0, false);
    return new AccessTrace(scope, events, events.size() + more);
  }
}
