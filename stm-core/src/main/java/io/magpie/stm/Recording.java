package io.magpie.stm;

import io.magpie.stm.simulator.AccessTrace.Memory;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The history of transactions: which versions each attempt read and wrote, between which two times.
 * Made by {@link Device#recording}, filled by {@link Region#record}, several runs in one recording
 * if need be. The region's module must have been compiled with {@code MAGPIE_RECORD}.
 *
 * <p>Each object has a version, its <em>stamp</em>: 0 at first, one more after each commit that
 * wrote the object, modulo 2^32. Stamps go on from run to run until {@link #reset()}. Objects of
 * all arrays of a recording are numbered together, see {@link #objectsBase}.
 *
 * <p>Each thread of the grid has a log of 64-bit words, one record after the other. {@code
 * magpie/stm/detail/history.cuh} has the same:
 *
 * <pre>{@code
 * item | attempt << 32          attempt counts from 1 in each launch
 * rank | data << 31 | code << 32 | n << 40   code: 0 commit, 1 cancel, 16 + cause else; n accesses
 * begin                         time before the attempt's first operation
 * end                           time after its last
 * n x: object | write << 31 | stamp << 32
 *      if data: datum | kind << 40 | again << 44 | line << 45
 * }</pre>
 *
 * <p>A read has the version that was read; a write the version that it found and replaced by the
 * next. With {@link Options#data()} each access to the region's data is there, with its datum, see
 * {@link Data}; {@code again} says that the object's version was logged before. So are the slots
 * that it took and freed, and the items that it pushed.
 *
 * <p>Thread-safe as its device is: calls take turns.
 */
public interface Recording extends AutoCloseable {

  /** Arrays of objects of one recorded run, at most. */
  int MOST_ARRAYS = 16;

  /** The numbers of the format above. Modules that have others are refused when they are loaded. */
  final class Format {
    /** Words of a record before its accesses. */
    public static final int HEADER_WORDS = 4;

    /** Of a record's second word the bit that says that accesses have their data. */
    public static final int DATA_BIT = 31;

    /** Where in it the outcome begins. */
    public static final int OUTCOME_AT = 32;

    /** Where in it the number of accesses begins. */
    public static final int ACCESSES_AT = 40;

    /** The bit of an access that makes it a write. */
    public static final int WRITE_BIT = 31;

    /** Where in an access the version begins. */
    public static final int STAMP_AT = 32;

    /** Where in an access's second word its kind begins, behind the datum. */
    public static final int KIND_AT = 40;

    /** The bit of it that says that the version was logged before. */
    public static final int AGAIN_BIT = 44;

    /** Where in it the source's line begins. */
    public static final int LINE_AT = 45;

    /** Outcome: a commit. */
    public static final int COMMIT = 0;

    /** Outcome: a cancel. */
    public static final int CANCEL = 1;

    /** Any other outcome is this and a cause. */
    public static final int ABORT = 16;

    /** The cause of an attempt that its region gave up, and asked for another. */
    public static final int REQUESTED = 5;

    /** The cause of an attempt whose log was full. */
    public static final int OVERFLOW = 6;

    /** Kind of an access: a read in the transaction. */
    public static final int READ = 0;

    /** Kind: a write in the transaction, by its commit. */
    public static final int WRITE = 1;

    /** Kind: a read past it, for a hint. */
    public static final int PEEK = 2;

    /** Kind: none; the object was opened. */
    public static final int OPENED = 3;

    /** Kind: none; a slot was taken. */
    public static final int TAKEN = 4;

    /** Kind: none; a slot was freed. */
    public static final int FREED = 5;

    /** Kind: none; an item was pushed. */
    public static final int PUSHED = 6;

    /** Kind: none; slots taken and items pushed do not count but for the first so many. */
    public static final int UNDONE = 7;

    private Format() {}
  }

  /** What tells the time. On {@code sim} both are the launch's exact count of steps. */
  enum Clock {
    /** {@link #COUNTER} on {@code cpu}, {@link #TIMER} on {@code cuda}. */
    DEFAULT,
    /**
     * The machine's timer, in nanoseconds. Costs little; times nearer than its resolution and skew
     * are not ordered.
     */
    TIMER,
    /**
     * A word that all threads count up at each look, between fences: exact, at the price of
     * contention on one word and of an order that an unrecorded run does not have.
     */
    COUNTER
  }

  /**
   * What is recorded. Immutable: each {@code with} method gives a changed copy.
   *
   * @param wordsPerThread 64-bit words of each thread's log, at most 2^31 - 9; 0, the default:
   *     {@link #totalBytes()} shared equally
   * @param totalBytes memory for all logs if {@link #wordsPerThread()} is 0, shared among the
   *     threads; a launch of more threads makes all logs shorter; default 64 MiB. Not less than 16
   *     words a thread
   * @param firstAttempts unsuccessful attempts recorded of each item: the first so many; default 2
   * @param sample of the other unsuccessful attempts one in so many is recorded; 0, the default, is
   *     none
   * @param clock what tells the time
   * @param data whether accesses are recorded by datum too, which takes twice the room and more;
   *     not on {@code sim}, which {@linkplain io.magpie.stm.simulator.AccessTrace.Tracer#setTracing
   *     traces} them; default false
   * @param accesses whether accesses are recorded; else only how and when attempts end, which needs
   *     neither versions nor room for them; default true, as {@link #data()} needs it
   */
  record Options(
      long wordsPerThread,
      long totalBytes,
      int firstAttempts,
      int sample,
      Clock clock,
      boolean data,
      boolean accesses) {
    /** The least that a thread's log can have. */
    private static final int LEAST_WORDS = 16;

    /** Checks the ranges. */
    public Options {
      Objects.requireNonNull(clock, "clock");
      require(
          wordsPerThread == 0
              || wordsPerThread >= LEAST_WORDS && wordsPerThread <= Integer.MAX_VALUE - 8,
          "wordsPerThread",
          wordsPerThread,
          "0 or from 16 to 2^31 - 9");
      require(totalBytes >= 4096, "totalBytes", totalBytes, "at least 4096");
      require(firstAttempts >= 0, "firstAttempts", firstAttempts, "at least 0");
      require(sample >= 0, "sample", sample, "at least 0");
      if (data && !accesses) {
        throw new IllegalArgumentException("data are recorded with accesses only: leave out data");
      }
    }

    private static void require(boolean holds, String name, long value, String range) {
      if (!holds) {
        throw new IllegalArgumentException(name + " must be " + range + ", got " + value);
      }
    }

    /** The defaults, as listed for each component. */
    public static Options defaults() {
      return new Options(0, 64L << 20, 2, 0, Clock.DEFAULT, false, true);
    }

    /** A copy with another {@link #wordsPerThread()}. */
    public Options withWordsPerThread(long value) {
      return new Options(value, totalBytes, firstAttempts, sample, clock, data, accesses);
    }

    /** A copy with another {@link #totalBytes()}. */
    public Options withTotalBytes(long value) {
      return new Options(wordsPerThread, value, firstAttempts, sample, clock, data, accesses);
    }

    /** A copy with another {@link #firstAttempts()}. */
    public Options withFirstAttempts(int value) {
      return new Options(wordsPerThread, totalBytes, value, sample, clock, data, accesses);
    }

    /** A copy with another {@link #sample()}. */
    public Options withSample(int value) {
      return new Options(wordsPerThread, totalBytes, firstAttempts, value, clock, data, accesses);
    }

    /** A copy with another {@link #clock()}. */
    public Options withClock(Clock value) {
      return new Options(wordsPerThread, totalBytes, firstAttempts, sample, value, data, accesses);
    }

    /** A copy with another {@link #data()}. */
    public Options withData(boolean value) {
      return new Options(wordsPerThread, totalBytes, firstAttempts, sample, clock, value, accesses);
    }

    /** A copy with another {@link #accesses()}. */
    public Options withAccesses(boolean value) {
      return new Options(wordsPerThread, totalBytes, firstAttempts, sample, clock, data, value);
    }

    /** The words of each log if there are this many. */
    public long wordsFor(long threads) {
      return wordsPerThread != 0
          ? wordsPerThread
          : Math.min(Integer.MAX_VALUE - 8, Math.max(LEAST_WORDS, totalBytes / 8 / threads));
    }
  }

  /**
   * What is done to runs so that few of them show much.
   *
   * @param noiseNanos threads pause at random, up to so long, where others could get in between; 0
   *     = they do not
   * @param seed of the pauses
   * @param forcedRetries so many first attempts of each item, and the first of each inner
   *     transaction that may have several, fail, as if an object had been stolen
   */
  record Disturbance(int noiseNanos, int seed, int forcedRetries) {
    /** Runs as they are. */
    public static final Disturbance NONE = new Disturbance(0, 0, 0);

    /** Checks the ranges. */
    public Disturbance {
      if (noiseNanos < 0 || forcedRetries < 0) {
        throw new IllegalArgumentException(
            "noiseNanos and forcedRetries must be at least 0, got "
                + noiseNanos
                + " and "
                + forcedRetries);
      }
    }
  }

  /**
   * The data of the recorded runs since the last {@link #reset()}, and what was seen of their use.
   * Bytes of the arguments' arrays are numbered together; a datum is known by its first byte. Runs
   * between two resets have the same arrays as arguments; others are refused.
   */
  interface Data {
    /** The number of an access to nothing of the arguments. */
    long NOWHERE = (1L << Format.KIND_AT) - 1;

    /** The arrays, in the order of their data's numbers. */
    List<Memory> memory();

    /** The number of the first byte of one of {@link #memory()}. */
    long first(int array);

    /** Whether tallies were added to a datum, so that it is no part of the data. */
    boolean tallied(long datum);

    /** Whether an atomic operation past the transaction was made on a datum. */
    boolean atomic(long datum);

    /** Whether such an operation was made on any that is not tallied. */
    boolean anyAtomic();

    /** Whether the region has a hook {@code rolled_back}. */
    boolean hasRolledBackHook();

    /** Whether a hook takes hints, by {@code glance}. */
    boolean hasHintsInHook();

    /** A datum in words, such as {@code balance[3]}; empty for {@link #NOWHERE}. */
    Optional<String> inWords(long datum);
  }

  /** Receives one thread's log. */
  @FunctionalInterface
  interface LogReader {
    /**
     * A thread's records, one after another.
     *
     * @param thread the thread's rank in the grid
     * @param words they are in {@code words[0]} to {@code words[count - 1]}; the array is used
     *     again for the next thread
     * @param count number of words
     */
    void read(int thread, long[] words, int count);
  }

  /** What is recorded. */
  Options options();

  /** The clock in use: {@link Clock#TIMER} on {@code sim}. */
  Clock clock();

  /** The device it lies on. */
  Device device();

  /**
   * How the runs that follow are disturbed; at first they are not.
   *
   * @throws IllegalStateException on {@code sim}, where schedules are chosen instead
   */
  void disturb(Disturbance disturbance);

  /**
   * Slots of pools that items take.
   *
   * @param taken for each slot the number of its pool in the region times 2^32, and its own; those
   *     of one item after those of another
   * @param ends behind the last one of the item at each position of a run
   */
  record GivenSlots(long[] taken, int[] ends) {
    /** Checks that the ends ascend, and lie within. */
    public GivenSlots {
      int before = 0;
      for (int end : ends) {
        if (end < before || end > taken.length) {
          throw new IllegalArgumentException(
              "slots end at " + end + ", after " + before + ", of " + taken.length);
        }
        before = end;
      }
    }
  }

  /**
   * Lets the items of the runs that follow take these slots, such as those that they took in
   * another run, before any that is free in a pool: so the two may leave the same data. The slots
   * are the caller's: {@linkplain SlotPool#take taken} from their pools before. Such a run is one
   * launch.
   *
   * @param slots null, as initially, leaves it to the pools, on a dead device too
   */
  void giveSlots(GivenSlots slots);

  /**
   * What was seen of the data.
   *
   * @throws IllegalStateException if no data are recorded
   */
  Data data();

  /** Threads that there are logs for: the most of any recorded launch so far. */
  long threads();

  /** Words of each thread's log; 0 before the first recorded run. */
  long wordsPerThread();

  /** Words recorded since the last {@link #reset()}, those that did not fit among them. */
  long usedWords();

  /**
   * This recording, if all records found room.
   *
   * @throws OverflowException if not; it says how many words to ask for
   */
  Recording requireComplete();

  /**
   * Reads the logs of all threads that have one, in the order of ranks; they stay. Large pieces are
   * copied at once; no lock is held while the reader runs.
   *
   * @throws OverflowException if some record found no room
   */
  void forEachThread(LogReader reader);

  /**
   * The present versions of an array's objects.
   *
   * @throws IllegalArgumentException if no recorded run had this array
   */
  int[] finalStamps(StmObjects objects);

  /**
   * The number of an array's first object in this recording; object i has this plus i. Numbers are
   * given out in the order in which runs first use the arrays, and stay; {@link #reset()} takes
   * back those of arrays that are closed or have grown.
   *
   * @throws IllegalArgumentException if no recorded run had this array
   */
  int objectsBase(StmObjects objects);

  /**
   * Empties the logs, sets all versions and the counter of {@link Clock#COUNTER} to 0, and forgets
   * arrays that are closed or have grown.
   */
  void reset();

  /** Frees the memory. Closing twice is harmless. */
  @Override
  void close();

  /** Some records of a {@link Recording} found no room. */
  final class OverflowException extends MagpieException {
    private static final long serialVersionUID = 1L;

    private final long wordsPerThread;
    private final long neededWordsPerThread;

    /**
     * @param wordsPerThread words that each thread's log has
     * @param neededWordsPerThread words that the fullest log needed
     * @param threads threads that had too few
     */
    public OverflowException(long wordsPerThread, long neededWordsPerThread, long threads) {
      super(
          String.format(
              Locale.ROOT,
              "the recording's logs have %,d words for each thread, and %,d %s more, up to %,d: ask"
                  + " for Recording.Options.withWordsPerThread(%d), or run fewer items",
              wordsPerThread,
              threads,
              threads == 1 ? "thread needed" : "threads needed",
              neededWordsPerThread,
              neededWordsPerThread));
      this.wordsPerThread = wordsPerThread;
      this.neededWordsPerThread = neededWordsPerThread;
    }

    /** Words that each thread's log has. */
    public long wordsPerThread() {
      return wordsPerThread;
    }

    /** Words that the fullest log needed: what to ask for. */
    public long neededWordsPerThread() {
      return neededWordsPerThread;
    }
  }
}
