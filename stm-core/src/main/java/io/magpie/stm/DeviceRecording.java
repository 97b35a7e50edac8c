package io.magpie.stm;

import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.simulator.AccessTrace.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** A recording in a device's memory. */
final class DeviceRecording implements Recording, Device.Owned {
  /** Words of {@code magpie::stm::history}, and of each of its arrays. */
  private static final int HEAD_WORDS = 7;

  private static final int ARRAY_WORDS = 4;
  private static final int DATA_WORD = HEAD_WORDS + MOST_ARRAYS * ARRAY_WORDS;
  private static final int GIVEN_WORD = DATA_WORD + 4;
  private static final int WORDS = GIVEN_WORD + 2;

  /** Words of {@code magpie::noted_memory}. */
  private static final int RANGE_WORDS = 4;

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
  private final ByteBuffer block = ByteBuffer.allocate(WORDS * 8).order(ByteOrder.nativeOrder());
  private final long[] written = new long[WORDS];
  private final long address;
  private long objects;
  private long threads;
  private long capacity;
  private long entries;
  private long used;
  private long launches;
  private List<Memory> memory = List.of(); // of the data
  private long ranges; // address of the table of these
  private long marks;
  private boolean holdsData; // of runs since it was reset
  private long given; // address of slots that items take; 0 = none
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
    // The block, and in a line of its own the counter.
    this.address = device.allocate(counterOffset() + 128, "recording");
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

  private static long counterOffset() {
    return (WORDS * 8L + 127) / 128 * 128;
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

  /** Address of the block that launches get. */
  long address() {
    return address;
  }

  /** Whether accesses are recorded by datum. */
  private boolean recordsData() {
    return options.data() && device.machine() != Machine.SIM;
  }

  /**
   * As {@link #use(List)}, and on these data.
   *
   * @throws IllegalArgumentException also if there are runs with other data
   */
  void use(List<StmObjects> arrays, List<Memory> arguments) {
    use(arrays);
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
      device.free(ranges);
      device.free(marks);
      ranges = 0;
      marks = 0;
      memory = wanted;
      ranges = device.allocate(Math.max(1, wanted.size()) * RANGE_WORDS * 8L, "ranges of data");
      marks = device.allocate(RecordedData.markWords(wanted) * 4L, "marks on data");
      device.backend().fill(marks, 0, 4, RecordedData.markWords(wanted));
      long[] words = new long[wanted.size() * RANGE_WORDS];
      for (int i = 0; i < wanted.size(); i++) {
        words[RANGE_WORDS * i] = wanted.get(i).address();
        words[RANGE_WORDS * i + 1] = wanted.get(i).bytes();
        words[RANGE_WORDS * i + 2] = RecordedData.first(wanted, i);
        words[RANGE_WORDS * i + 3] = spacing(wanted.get(i));
      }
      device.backend().write(words, 0, words.length, ranges);
    }
    holdsData = true;
    block.putLong(DATA_WORD * 8, ranges).putLong(DATA_WORD * 8 + 8, marks);
    block.putInt(DATA_WORD * 8 + 16, wanted.size());
  }

  /** The last word of {@code magpie::noted_memory}. */
  private static long spacing(Memory of) {
    return of.stride() == of.elementBytes() ? 0 : of.stride() | (long) of.elementBytes() << 32;
  }

  @Override
  public void disturb(Disturbance disturbance) {
    open(
        () -> {
          if (device.machine() == Machine.SIM) {
            throw new IllegalStateException(
                this + " disturbs no runs: on sim schedules are chosen instead");
          }
          block.putInt(DATA_WORD * 8 + 20, disturbance.noiseNanos());
          block.putInt(DATA_WORD * 8 + 24, disturbance.forcedRetries());
          block.putInt(DATA_WORD * 8 + 28, disturbance.seed());
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
          block.putLong(GIVEN_WORD * 8, given).putLong(GIVEN_WORD * 8 + 8, given + bytes);
          return null;
        });
  }

  private void takeSlotsBack() {
    block.putLong(GIVEN_WORD * 8, 0).putLong(GIVEN_WORD * 8 + 8, 0);
    device.free(given);
    given = 0;
    givenItems = 0;
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
    for (StmObjects each : arrays) {
      if (!stamps.containsKey(each)) {
        add(each);
      } else if (stamps.get(each).count != (int) each.count()) {
        throw new IllegalArgumentException(
            each + " have grown since they were first recorded: reset the recording first");
      }
    }
    block.putInt(44, arrays.size()).putInt(48, options.firstAttempts());
    block.putInt(52, options.sample());
    for (int i = 0; i < arrays.size(); i++) {
      Stamps of = stamps.get(arrays.get(i));
      int at = (HEAD_WORDS + i * ARRAY_WORDS) * 8;
      block.putLong(at, arrays.get(i).address()).putLong(at + 8, of.address);
      block.putInt(at + 16, of.count).putInt(at + 20, of.first);
      block.putInt(at + 24, Integer.numberOfTrailingZeros(arrays.get(i).stride()));
    }
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
    block.putLong(0, entries).putLong(8, used);
    block.putLong(16, clock == Clock.COUNTER ? address + counterOffset() : 0);
    // The simulator's clock starts over in each launch.
    block.putLong(24, device.machine() == Machine.SIM ? launches++ << STEPS_BITS : 0);
    block.putLong(32, capacity).putInt(40, (int) threads);
    long[] words = new long[WORDS];
    block.asLongBuffer().get(words);
    if (!Arrays.equals(words, written)) {
      device.backend().write(words, 0, WORDS, address);
      System.arraycopy(words, 0, written, 0, WORDS);
    }
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
        backend.copy(used, newUsed, threads * 8);
      }
    } catch (RuntimeException e) {
      device.free(newEntries);
      device.free(newUsed);
      throw e;
    }
    device.free(entries);
    device.free(used);
    entries = newEntries;
    used = newUsed;
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
      device.backend().read(used, lengths, 0, lengths.length);
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
      throw new RecordingOverflowException(capacity, most, without);
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
          backend.fill(address + counterOffset(), 0, 8, 1);
          launches = 0;
          holdsData = false;
          if (threads > 0) {
            backend.fill(used, 0, 8, threads);
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
            device.free(address);
            device.free(entries);
            device.free(used);
            device.free(ranges);
            device.free(marks);
            device.free(given);
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
