package io.magpie.stm.simulator;

import io.magpie.stm.FieldKind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What the threads of a launch did to the memory of its arguments, in the order in which they did
 * it: events of transactions, and accesses, also by plain {@code a[i]} past all transactions. Of
 * modules compiled with {@code MAGPIE_TRACE}; {@code platform/access_trace.hpp} says what is seen,
 * and what the order of threads that run at the same time means on {@code cpu}.
 */
public final class AccessTrace {
  /** The most events that a trace can keep. */
  public static final int MOST_EVENTS = 1 << 25;

  private final Scope scope;
  private final List<Event> events;
  private final long count;

  /** What an event is: {@code trace_event} in trace_event.hpp. */
  public enum Kind {
    /** An attempt begins; the value is its number, from 1. */
    BEGIN,
    /** Another part of the region runs; the value is a {@code PHASE}. */
    PHASE,
    /** The object was claimed. */
    OPENED,
    /** All objects are locked: here the attempt is in the serial order. */
    LOCKED,
    /**
     * The attempt canceled under claims that stood: here it is in the serial order. The value is 1
     * if the body returned commit, and an inner transaction of it had canceled.
     */
    CANCELED,
    /** The attempt ended; the value is 0 for a commit, 1 for a cancel, 16 + cause else. */
    END,
    /** An attempt of an inner transaction begins. */
    INNER_BEGIN,
    /** It was undone. */
    INNER_UNDONE,
    /** {@code tx.write}: the value is to be written at commit. */
    LOGGED,
    /** {@code tx.take} gave the slot that is the value. */
    TAKEN,
    /** {@code tx.free} of the slot that is the value. */
    FREED,
    /** {@code tx.push} of the item that is the value. */
    PUSHED,
    /** The attempt of an inner transaction is part of what is around it. */
    INNER_KEPT,
    /** A handle was used that was never opened, or was undone: the launch faults. */
    BAD_HANDLE,
    /** The thread broke a rule, or left an array: the launch faults. */
    FAULTED,
    /** What an alternative wrote, pushed and took was undone, and not what it read. */
    EFFECTS_UNDONE,
    /**
     * The attempt has failed but continues, with operations that do nothing; the value is how many
     * it has made.
     */
    IN_VAIN,
    /** {@code tx.read}, from memory. */
    READ,
    /** What {@code tx.write} logged reaches memory. */
    WRITE_BACK,
    /** {@code tx.load}. */
    LOAD,
    /** {@code tx.store}. */
    STORE,
    /** {@code tx.peek}. */
    PEEK,
    /** {@code tx.glance}. */
    GLANCE,
    /** {@code tx.tally}. */
    TALLY,
    /** Past the transaction: {@code a[i]}, {@code *p}, {@code ld_own}. */
    PLAIN_READ,
    /** Past the transaction: {@code a[i] = v}, {@code st_plain}. */
    PLAIN_WRITE,
    /** Past the transaction, by a relaxed or acquire load. */
    SHARED_READ,
    /** Past the transaction, by a relaxed or release store. */
    SHARED_WRITE,
    /** Past the transaction, by a read-modify-write, also one that wrote nothing. */
    ATOMIC,
    /** {@code tx.leave_hint}. */
    LEAVE_HINT,
    /** {@code ld_plain}: past the transaction, of what nobody is to write in the launch. */
    FIXED_READ
  }

  /** The body, or {@code plan}. */
  public static final int PHASE_BODY = 1;

  /** {@code apply}. */
  public static final int PHASE_APPLY = 2;

  /** The hook {@code committed}. */
  public static final int PHASE_COMMITTED = 4;

  /** The hook {@code rolled_back}. */
  public static final int PHASE_ROLLED_BACK = 8;

  /** {@code seek}. */
  public static final int PHASE_SEEK = 16;

  /** The rest of the body, or of {@code plan}, of an attempt that has become irrevocable. */
  public static final int PHASE_IRREVOCABLE = 32;

  /**
   * Memory that a region reaches by a field.
   *
   * @param name the field's
   * @param address where it begins
   * @param bytes how large it is
   * @param elementBytes bytes of one element, at least 1
   * @param stride bytes from an element to the next: more in cells, where what is between is no
   *     part of it
   * @param contents what it holds; accesses to data alone are traced
   * @param live of a pool, a bound of the slots that are in use when the launch begins
   * @param kind the field's; null = not known
   */
  public record Memory(
      String name,
      long address,
      long bytes,
      int elementBytes,
      int stride,
      Contents contents,
      long live,
      FieldKind kind) {
    /** What memory holds. */
    public enum Contents {
      /** What regions read and write. */
      DATA,
      /** Tracking words, one for each object. */
      OBJECTS,
      /** The library's list of a pool; one element stands for each slot. */
      SLOTS
    }

    public Memory {
      Objects.requireNonNull(name, "name");
      if (bytes < 0 || elementBytes < 1 || stride < elementBytes) {
        throw new IllegalArgumentException(
            name + ": " + bytes + " bytes, " + elementBytes + " each, " + stride + " apart");
      }
    }

    /** Memory of a field whose kind is not known. */
    public Memory(
        String name, long address, long bytes, int elementBytes, Contents contents, long live) {
      this(name, address, bytes, elementBytes, elementBytes, contents, live, null);
    }

    /** The same of a field of this kind. */
    public Memory withKind(FieldKind known) {
      return new Memory(name, address, bytes, elementBytes, stride, contents, live, known);
    }

    /** Whether the region only reads it: its field says so. */
    public boolean isConst() {
      return kind != null && kind.isConst();
    }

    /** An element's bits in words, as its type has them. */
    public String inWords(long value) {
      if (kind == null || kind.element() == null) {
        return Long.toUnsignedString(value);
      }
      return switch (kind.element()) {
        case I8 -> Byte.toString((byte) value);
        case I16 -> Short.toString((short) value);
        case I32 -> Integer.toString((int) value);
        case I64 -> Long.toString(value);
        case F32 -> Float.toString(Float.intBitsToFloat((int) value));
        case F64 -> Double.toString(Double.longBitsToDouble(value));
        case U8, U16, U32, U64, BYTES -> Long.toUnsignedString(value);
      };
    }

    /** Whether its elements are structs. */
    private boolean isOfStructs() {
      return kind != null && kind.element() == FieldKind.Element.BYTES;
    }

    /** Whether an address lies in it. */
    public boolean contains(long at) {
      return at >= address && at < address + bytes && (at - address) % stride < elementBytes;
    }

    /** The index of the element at an address in it. */
    public long index(long at) {
      return (at - address) / stride;
    }

    /** Bytes of elements before an address in it. */
    public long offset(long at) {
      return index(at) * elementBytes + (at - address) % stride;
    }

    /** The address behind so many bytes of elements. */
    public long addressAt(long offset) {
      return address + offset / elementBytes * stride + offset % elementBytes;
    }

    /** Number of elements. */
    public long length() {
      return (bytes + stride - elementBytes) / stride;
    }
  }

  /**
   * What is traced.
   *
   * @param memory what the region reaches; see {@code Region.memory}
   * @param capacity most events that are kept, at least 1
   * @param forcedRetries so many first attempts of each item fail, as if an object had been stolen;
   *     0 = none
   * @param forcesInnerRetries whether the first attempt of each inner transaction is, too
   */
  public record Scope(
      List<Memory> memory, int capacity, int forcedRetries, boolean forcesInnerRetries) {
    public Scope {
      memory = List.copyOf(memory);
      if (capacity < 1 || capacity > MOST_EVENTS) {
        throw new IllegalArgumentException(
            "capacity must be from 1 to " + MOST_EVENTS + ", got " + capacity);
      }
      if (forcedRetries < 0) {
        throw new IllegalArgumentException(
            "forcedRetries must be at least 0, got " + forcedRetries);
      }
    }

    /** The same, with attempts that fail. */
    public Scope withForcedRetries(int attempts) {
      return new Scope(memory, capacity, attempts, attempts > 0);
    }
  }

  /**
   * An event.
   *
   * @param kind what it is
   * @param address of the access; for events of slots it tells pools apart
   * @param value what it read, or what memory holds since, zero-extended; or as its kind says
   * @param object address of the tracking word of the object that guards it; 0 = none
   * @param place where in the module's code it is, for {@code KernelModule.sourceLine}; 0 = not
   *     known
   * @param item the item that the thread works on; -1 = none
   * @param attempt which attempt of the item, from 1
   * @param thread the thread's rank in the grid
   * @param bytes of an access, 1 to 8; else 0
   * @param writes whether memory was written
   */
  public record Event(
      Kind kind,
      long address,
      long value,
      long object,
      long place,
      long item,
      int attempt,
      int thread,
      int bytes,
      boolean writes) {
    public Event {
      Objects.requireNonNull(kind, "kind");
    }
  }

  /**
   * A trace as the launch left it.
   *
   * @param events those that were kept
   * @param count events that there were
   */
  public AccessTrace(Scope scope, List<Event> events, long count) {
    this.scope = scope;
    this.events = List.copyOf(events);
    this.count = count;
  }

  /** What was traced. */
  public Scope scope() {
    return scope;
  }

  /** Events that are kept. */
  public int size() {
    return events.size();
  }

  /** Whether all events are kept. */
  public boolean complete() {
    return count == size();
  }

  /** Events that there were. */
  public long count() {
    return count;
  }

  /** What event {@code i} is. */
  public Kind kind(int i) {
    return events.get(i).kind();
  }

  /** What it read, or what memory holds since, zero-extended; or as its kind says. */
  public long value(int i) {
    return events.get(i).value();
  }

  /** Address of the access; for events of slots it tells pools apart. */
  public long address(int i) {
    return events.get(i).address();
  }

  /** The item that the thread works on; -1 = none. */
  public long item(int i) {
    return events.get(i).item();
  }

  /** Which attempt of the item, from 1. */
  public int attempt(int i) {
    return events.get(i).attempt();
  }

  /** The thread's rank in the grid. */
  public int thread(int i) {
    return events.get(i).thread();
  }

  /** Bytes that an access has, 1 to 8; else 0. */
  public int bytes(int i) {
    return events.get(i).bytes();
  }

  /** Whether memory was written. */
  public boolean writes(int i) {
    return events.get(i).writes();
  }

  /** Where in the module's code it is, for {@code KernelModule.sourceLine}; 0 = not known. */
  public long place(int i) {
    return events.get(i).place();
  }

  /** Address of the tracking word of the object that guards it; 0 = none. */
  public long object(int i) {
    return events.get(i).object();
  }

  /** The memory that an address lies in. */
  public Optional<Memory> memory(long address) {
    for (Memory each : scope.memory()) {
      if (each.contains(address)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** An address in words, such as {@code balance[3]}. */
  public String inWords(long address) {
    return memory(address)
        .map(
            each -> {
              long rest = (address - each.address()) % each.stride();
              return each.name()
                  + "["
                  + each.index(address)
                  + "]"
                  + (rest == 0 ? "" : " + " + rest + " bytes");
            })
        .orElse("memory that is no argument's");
  }

  /**
   * What an access read or left, as the type of its field has it. Types of a struct's members are
   * not known: of 4 or 8 bytes that look like a floating-point number, that is added.
   */
  public String valueInWords(long address, int bytes, long value) {
    Optional<Memory> array = memory(address);
    if (array.filter(Memory::isOfStructs).isPresent()) {
      return Long.toUnsignedString(value) + asFloatingPoint(bytes, value);
    }
    return array
        .filter(each -> each.elementBytes() == bytes)
        .map(each -> each.inWords(value))
        .orElseGet(() -> Long.toUnsignedString(value));
  }

  /** As a whole number all of these would be large. */
  private static String asFloatingPoint(int bytes, long value) {
    if (bytes == Double.BYTES && isUsual(Math.abs(Double.longBitsToDouble(value)))) {
      return " (as a double " + Double.longBitsToDouble(value) + ")";
    }
    if (bytes == Float.BYTES && isUsual(Math.abs(Float.intBitsToFloat((int) value)))) {
      return " (as a float " + Float.intBitsToFloat((int) value) + ")";
    }
    return "";
  }

  private static boolean isUsual(double magnitude) {
    return magnitude >= 1e-6 && magnitude <= 1e9;
  }

  /**
   * What a device of the kind {@code cpu} or {@code sim} tells of its launches: accesses to memory
   * that is named, also by plain {@code a[i]}, in modules that were compiled with {@code
   * MAGPIE_TRACE}. Thread-safe as its device is: calls take turns.
   */
  public interface Tracer {
    /**
     * Says what is traced of the launches that follow; on {@code sim} only of those that have a
     * schedule. A trace holds what the last such launch did. Memory for its events, 56 bytes each
     * up to the capacity, stays with the device for the next trace.
     *
     * @param wanted null, as initially, traces nothing
     * @throws IllegalArgumentException if retries are to be forced, and the device is no simulator:
     *     {@link io.magpie.stm.Recording#disturb} does that there
     */
    void setTracing(AccessTrace.Scope wanted);

    /**
     * What the last traced launch did, also if a fault ended it.
     *
     * @throws IllegalStateException if nothing is traced
     */
    AccessTrace accessTrace();
  }
}
