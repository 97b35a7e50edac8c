package io.magpie.stm;

import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.HistoryLayout;
import io.magpie.stm.internal.HistoryLayout.Head;
import io.magpie.stm.internal.HistoryLayout.Notes;
import io.magpie.stm.internal.HistoryLayout.Objects;
import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.internal.StructLayout;
import io.magpie.stm.simulator.AccessTrace.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** A recording in a device's memory. */
final class DeviceRecording implements Recording, Device.Owned {
  /** Numbers of objects have 31 bits, and versions are read into one Java array. */
  private static final long MOST_OBJECTS = Integer.MAX_VALUE - 8;

  /** Words of logs that are copied at once; a longer log is copied by itself. */
  private static final int PIECE = 1 << 22;

  /** A simulated launch has fewer steps than 2 to the power of this. */
  private static final int STEPS_BITS = 32;

  /** The versions of an array's objects. */
  private record Stamps(long address, int count, int first) {}

  private final Device device;
  private final Options options;
  private final Clock clock;
  private final Map<StmObjects, Stamps> stamps = new IdentityHashMap<>();
  private final long counter; // its address, in a line of its own
  private HistoryLayout layout; // of the block that launches get; null: there was no run
  private ByteBuffer block;
  private byte[] written; // what the device has of it
  private long address; // of that
  private List<StmObjects> used = List.of(); // by the present run
  private Disturbance disturbance = Disturbance.NONE;
  private long objects;
  private long threads;
  private long capacity;
  private long entries;
  private long usedWords; // address
  private long launches;
  private List<Memory> memory = List.of(); // of the data
  private long ranges; // address of the table of these
  private long marks;
  private boolean holdsData; // of runs since it was reset
  private long given; // address of slots that items take; 0 = none
  private long givenEnds; // address of where each item's end
  private int givenItems; // how many
  private volatile boolean closed;

  /** For use within the device's queue. */
  DeviceRecording(Device device, Options options) {
    this.device = device;
    this.options = options;
    this.clock =
        switch (device.machine()) {
          case SIM -> Clock.TIMER;
          case CPU -> options.clock() == Clock.DEFAULT ? Clock.COUNTER : options.clock();
          case CUDA -> options.clock() == Clock.DEFAULT ? Clock.TIMER : options.clock();
        };
    this.counter = device.allocate(128, "recording");
    device.opened(this, "recording");
  }

  /**
   * A recording for runs of a region.
   *
   * @throws IllegalStateException if the region's module was not compiled for it
   * @throws IllegalArgumentException if the recording is another device's
   */
  static DeviceRecording of(Recording recording, Device device, ModuleTable module, String region) {
    if (!module.recording()) {
      throw new IllegalStateException(
          "region "
              + region
              + " cannot be recorded: compile its module with Map.of(\"MAGPIE_RECORD\", \"1\") as"
              + " defines");
    }
    if (!(recording instanceof DeviceRecording own) || own.device != device) {
      throw new IllegalArgumentException(recording + " is not of " + device.description().spec());
    }
    return own;
  }

  @Override
  public Options options() {
    return options;
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public long threads() {
    return open(() -> threads);
  }

  @Override
  public long wordsPerThread() {
    return open(() -> capacity);
  }

  /** Address of the block that launches get, once the recording is used. */
  long address() {
    return address;
  }

  /** Whether accesses are recorded by datum. */
  private boolean recordsData() {
    return options.data() && device.machine() != Machine.SIM;
  }

  /**
   * As {@link #use(List)}, by a module's launches, and on these data.
   *
   * @throws IllegalArgumentException also if there are runs with other data
   */
  void use(ModuleTable module, List<StmObjects> arrays, List<Memory> arguments) {
    use(arrays);
    layOut(HistoryLayout.of(module.shared()));
    if (!recordsData()) {
      return;
    }
    List<Memory> wanted =
        arguments.stream()
            .filter(each -> each.contents() == Memory.Contents.DATA && each.bytes() > 0)
            .toList();
    if (!wanted.equals(memory)) {
      if (holdsData) {
        throw new IllegalArgumentException(
            this + " records data, and has runs with other arrays: reset the recording first");
      }
      long words = RecordedData.markWords(wanted);
      long newMarks = device.allocate(words * 4L, "marks on data");
      long newRanges;
      try {
        device.backend().fill(newMarks, 0, 4, words);
        newRanges = newRanges(layout, wanted);
      } catch (RuntimeException e) {
        device.free(newMarks);
        throw e;
      }
      device.free(ranges);
      device.free(marks);
      ranges = newRanges;
      marks = newMarks;
      memory = wanted;
    }
    holdsData = true;
  }

  /** The table of the data, of which there is none where no data are recorded. */
  private long newRanges(HistoryLayout as, List<Memory> of) {
    StructLayout<HistoryLayout.Memory> range = as.memory();
    ByteBuffer bytes = buffer(Math.max(1, of.size()) * range.bytes());
    for (int i = 0; i < of.size(); i++) {
      Memory each = of.get(i);
      int at = i * range.bytes();
      boolean inCells = each.stride() != each.elementBytes();
      range.set(bytes, at, HistoryLayout.Memory.BEGIN, each.address());
      range.set(bytes, at, HistoryLayout.Memory.BYTES, each.bytes());
      range.set(bytes, at, HistoryLayout.Memory.FIRST, RecordedData.first(of, i));
      range.set(bytes, at, HistoryLayout.Memory.STRIDE, inCells ? each.stride() : 0);
      range.set(bytes, at, HistoryLayout.Memory.DATUM, inCells ? each.elementBytes() : 0);
    }
    long table = device.allocate(bytes.capacity(), "ranges of data");
    device.backend().write(bytes.array(), 0, bytes.capacity(), table);
    return table;
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
  }

  /**
   * Lays out what launches get as their module has it: all modules alike, if none is a stranger.
   */
  private void layOut(HistoryLayout wanted) {
    if (wanted.equals(layout)) {
      return;
    }
    long newAddress = device.allocate(wanted.head().bytes(), "recording");
    long newRanges;
    try {
      newRanges = ranges == 0 ? 0 : newRanges(wanted, memory);
    } catch (RuntimeException e) {
      device.free(newAddress);
      throw e;
    }
    device.free(address);
    device.free(ranges);
    address = newAddress;
    ranges = newRanges;
    layout = wanted;
    block = buffer(wanted.head().bytes());
    written = null;
  }

  @Override
  public void disturb(Disturbance disturbance) {
    open(
        () -> {
          if (device.machine() == Machine.SIM) {
            throw new IllegalStateException(
                this + " disturbs no runs: on sim schedules are chosen instead");
          }
          this.disturbance = disturbance;
          return null;
        });
  }

  @Override
  public void giveSlots(GivenSlots slots) {
    if (slots == null) {
      device.whileOpen(this::takeSlotsBack);
      return;
    }
    open(
        () -> {
          takeSlotsBack();
          long bytes = 8L * Math.max(1, slots.taken().length);
          given = device.allocate(bytes + 4L * slots.ends().length, "slots that items take");
          givenItems = slots.ends().length;
          if (slots.taken().length > 0) {
            device.backend().write(slots.taken(), 0, slots.taken().length, given);
          }
          if (givenItems > 0) {
            device.backend().write(slots.ends(), 0, givenItems, given + bytes);
          }
          givenEnds = given + bytes;
          return null;
        });
  }

  private void takeSlotsBack() {
    long before = given;
    given = 0;
    givenEnds = 0;
    givenItems = 0;
    device.free(before);
  }

  /**
   * Checks that there are slots for all items of a launch.
   *
   * @throws IllegalStateException if not
   */
  void requireSlotsFor(long items) {
    if (given != 0 && items > givenItems) {
      throw new IllegalStateException(
          this + " gives slots to " + givenItems + " items, and a launch has " + items);
    }
  }

  @Override
  public Data data() {
    return open(
        () -> {
          if (!recordsData()) {
            throw new IllegalStateException(this + " records no data");
          }
          int[] read = new int[RecordedData.markWords(memory)];
          if (marks != 0) {
            device.backend().read(marks, read, 0, read.length);
          }
          return new RecordedData(memory, read);
        });
  }

  /**
   * Prepares for launches on these objects; for use within the device's queue.
   *
   * @throws IllegalArgumentException if the recording cannot hold them, or is closed
   */
  void use(List<StmObjects> arrays) {
    if (closed) {
      throw new IllegalArgumentException(this + " is closed");
    }
    if (arrays.size() > MOST_ARRAYS) {
      throw new IllegalArgumentException(
          "a recorded region has at most "
              + MOST_ARRAYS
              + " arrays of objects, this one "
              + arrays.size()
              + "; let some data share their objects");
    }
    if (!options.accesses()) {
      return; // launches find versions of no object
    }
    for (StmObjects each : arrays) {
      if (!stamps.containsKey(each)) {
        add(each);
      } else if (stamps.get(each).count != (int) each.count()) {
        throw new IllegalArgumentException(
            each + " have grown since they were first recorded: reset the recording first");
      }
    }
    used = List.copyOf(arrays);
  }

  private void add(StmObjects array) {
    if (objects + array.count() > MOST_OBJECTS) {
      throw new IllegalArgumentException(
          this
              + " has "
              + objects
              + " objects and cannot have "
              + array.count()
              + " more: at most 2^31 - 9");
    }
    long bytes = array.count() * (recordsData() ? 8 : 4); // with their turns
    long words = device.allocate(bytes, "versions of " + array.count() + " objects");
    stamps.put(array, new Stamps(words, (int) array.count(), (int) objects));
    objects += array.count();
  }

  /** Makes room for a launch of this many threads; for use within the device's queue. */
  void makeRoom(long wanted) {
    if (wanted > threads) {
      grow(wanted);
    }
    fillBlock();
    if (!Arrays.equals(block.array(), written)) {
      device.backend().write(block.array(), 0, block.capacity(), address);
      written = block.array().clone();
    }
  }

  private void fillBlock() {
    set(Head.ENTRIES, entries);
    set(Head.USED, usedWords);
    set(Head.CLOCK, clock == Clock.COUNTER ? counter : 0);
    // The simulator's clock starts over in each launch.
    set(Head.ORIGIN, device.machine() == Machine.SIM ? launches++ << STEPS_BITS : 0);
    set(Head.CAPACITY, capacity);
    set(Head.THREADS, threads);
    set(Head.ARRAYS, used.size());
    set(Head.FIRST_ATTEMPTS, options.firstAttempts());
    set(Head.SAMPLE, options.sample());
    for (int i = 0; i < used.size(); i++) {
      StmObjects each = used.get(i);
      Stamps of = stamps.get(each);
      int at = layout.head().offset(Head.ARRAY) + i * layout.objects().bytes();
      layout.objects().set(block, at, Objects.WORDS, each.address());
      layout.objects().set(block, at, Objects.STAMPS, of.address);
      layout.objects().set(block, at, Objects.COUNT, of.count);
      layout.objects().set(block, at, Objects.FIRST, of.first);
      int stride = Integer.numberOfTrailingZeros(each.stride());
      layout.objects().set(block, at, Objects.LOG2_STRIDE, stride);
    }
    int notes = layout.head().offset(Head.DATA);
    layout.notes().set(block, notes, Notes.MEMORY, ranges);
    layout.notes().set(block, notes, Notes.MARKS, marks);
    layout.notes().set(block, notes, Notes.RANGES, memory.size());
    layout.notes().set(block, notes, Notes.NOISE, disturbance.noiseNanos());
    set(Head.FORCED_RETRIES, disturbance.forcedRetries());
    set(Head.NOISE_SEED, disturbance.seed());
    set(Head.GIVEN, given);
    set(Head.GIVEN_ENDS, givenEnds);
  }

  private void set(Head member, long value) {
    layout.head().set(block, 0, member, value);
  }

  /**
   * Moves all logs to where there is room for more threads. Where their memory is shared, each log
   * becomes shorter; one that does not fit any more is as one that overflowed.
   */
  private void grow(long wanted) {
    Backend backend = device.backend();
    long words = options.wordsFor(wanted);
    String what = "logs of " + wanted + " threads with " + words + " words each";
    long newEntries = device.allocate(wanted * words * 8, what);
    long newUsed = 0;
    try {
      newUsed = device.allocate(wanted * 8, what);
      if (threads > 0) {
        copyLogs(newEntries, words);
        backend.copy(usedWords, newUsed, threads * 8);
      }
    } catch (RuntimeException e) {
      device.free(newEntries);
      device.free(newUsed);
      throw e;
    }
    device.free(entries);
    device.free(usedWords);
    entries = newEntries;
    usedWords = newUsed;
    capacity = words;
    threads = wanted;
  }

  private void copyLogs(long newEntries, long words) {
    if (words == capacity) {
      device.backend().copy(entries, newEntries, threads * words * 8);
      return;
    }
    long[] lengths = lengths();
    for (int thread = 0; thread < lengths.length; thread++) {
      if (lengths[thread] > 0 && lengths[thread] <= words) {
        device
            .backend()
            .copy(
                entries + thread * capacity * 8,
                newEntries + thread * words * 8,
                lengths[thread] * 8);
      }
    }
  }

  @Override
  public long usedWords() {
    return Arrays.stream(open(this::lengths)).map(each -> each & Long.MAX_VALUE).sum();
  }

  /** Words that each thread needed. */
  private long[] lengths() {
    if (threads > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException(this + " has more threads than a Java array holds");
    }
    long[] lengths = new long[(int) threads];
    if (lengths.length > 0) {
      device.backend().read(usedWords, lengths, 0, lengths.length);
    }
    return lengths;
  }

  @Override
  public Recording requireComplete() {
    open(
        () -> {
          checkRoom(lengths());
          return null;
        });
    return this;
  }

  private void checkRoom(long[] lengths) {
    long most = 0;
    long without = 0;
    for (long length : lengths) {
      if (length < 0) {
        throw new IllegalStateException(
            "an attempt has more than 2^24 - 1 accesses: it cannot be recorded, however large the"
                + " logs; access less in one attempt");
      }
      most = Math.max(most, length);
      without += length > capacity ? 1 : 0;
    }
    if (without > 0) {
      throw new Recording.OverflowException(capacity, most, without);
    }
  }

  @Override
  public void forEachThread(LogReader reader) {
    long[] lengths =
        open(
            () -> {
              long[] all = lengths();
              checkRoom(all);
              return all;
            });
    long[] words = new long[0];
    long[] piece = new long[0];
    for (int first = 0; first < lengths.length; ) {
      if (lengths[first] == 0) {
        first++;
        continue;
      }
      // The threads whose logs, gaps included, make one piece; at least one.
      int behind = first + 1;
      int end = behind;
      while (behind < lengths.length && (behind - first) * capacity + lengths[behind] <= PIECE) {
        behind++;
        end = lengths[behind - 1] > 0 ? behind : end;
      }
      int begin = first;
      int size = Math.toIntExact((end - 1 - begin) * capacity + lengths[end - 1]);
      long[] target = piece.length >= size ? piece : new long[size];
      piece = target;
      open(
          () -> {
            device.backend().read(entries + begin * capacity * 8, target, 0, size);
            return null;
          });
      for (int thread = begin; thread < end; thread++) {
        int count = (int) lengths[thread];
        if (count > 0) {
          words = words.length >= count ? words : new long[count];
          System.arraycopy(target, (int) ((thread - begin) * capacity), words, 0, count);
          reader.read(thread, words, count);
        }
      }
      first = end;
    }
  }

  @Override
  public int[] finalStamps(StmObjects array) {
    return open(
        () -> {
          Stamps of = known(array);
          int[] values = new int[of.count];
          if (of.count > 0) {
            device.backend().read(of.address, values, 0, of.count);
          }
          return values;
        });
  }

  @Override
  public int objectsBase(StmObjects array) {
    return open(() -> known(array).first);
  }

  private Stamps known(StmObjects array) {
    Stamps found = stamps.get(array);
    if (found == null) {
      throw new IllegalArgumentException(this + " has no run on " + array);
    }
    return found;
  }

  @Override
  public void reset() {
    open(
        () -> {
          Backend backend = device.backend();
          backend.fill(counter, 0, 8, 1);
          launches = 0;
          holdsData = false;
          if (threads > 0) {
            backend.fill(usedWords, 0, 8, threads);
          }
          if (marks != 0) {
            backend.fill(marks, 0, 4, RecordedData.markWords(memory));
          }
          // Nothing names the objects of a closed array any more, and one that has grown is
          // another.
          stamps
              .entrySet()
              .removeIf(
                  each -> {
                    Stamps of = each.getValue();
                    boolean gone = each.getKey().isClosed() || each.getKey().count() != of.count;
                    if (gone) {
                      device.free(of.address);
                    }
                    return gone;
                  });
          objects =
              stamps.values().stream().mapToLong(each -> each.first + each.count).max().orElse(0);
          for (Stamps each : stamps.values()) {
            if (each.count > 0) {
              backend.fill(each.address, 0, recordsData() ? 8 : 4, each.count);
            }
          }
          return null;
        });
  }

  private <T> T open(java.util.function.Supplier<T> action) {
    return device.exclusively(
        () -> {
          if (closed) {
            throw new IllegalStateException(this + " is closed");
          }
          return action.get();
        });
  }

  @Override
  public void close() {
    device.whileOpen(
        () -> {
          if (!closed) {
            device.free(counter);
            device.free(address);
            device.free(entries);
            device.free(usedWords);
            device.free(ranges);
            device.free(marks);
            takeSlotsBack();
            stamps.values().forEach(each -> device.free(each.address));
          }
          closed = true;
        });
    closed = true;
    device.closed(this);
  }

  @Override
  public String toString() {
    return "recording on " + device.description().spec();
  }
}
