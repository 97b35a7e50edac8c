package io.magpie.verification.history;

import io.magpie.stm.Recording.Format;
import io.magpie.verification.history.History.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects attempts into a {@link History}. Not for use by several threads. */
public final class HistoryBuilder {
  /** Words of a log's record before its accesses. */
  private static final int HEADER = Format.HEADER_WORDS;

  /** In the word of the rank: each access has a second word, with its datum. */
  private static final long WITH_DATA = 1L << Format.DATA_BIT;

  private static final int CAPACITY = 1 << History.BLOCK_BITS;
  private static final int FIRST_CAPACITY = 1 << 6;

  private final List<Block> blocks = new ArrayList<>();
  private Block block;
  private int inBlock = CAPACITY;
  private int used;
  private int size;
  private long accesses;
  private int greatestObject = -1;
  private int thread = -1;
  private long[] unpacked = new long[16]; // the accesses of a record with data
  private int usedData;

  /**
   * Names the thread of the attempts added from now on.
   *
   * @param thread its number, or -1 for unknown, as it is at first
   * @return this
   */
  public HistoryBuilder thread(int thread) {
    if (thread < -1) {
      throw new IllegalArgumentException("thread " + thread + " is negative");
    }
    this.thread = thread;
    return this;
  }

  /**
   * Adds one attempt.
   *
   * @param item its item, unsigned
   * @param number the how-manieth attempt of the item it is, from 1, unsigned
   * @param rank its rank, unsigned
   * @param outcome {@link History#COMMIT}, {@link History#CANCEL} or {@link History#ABORT} plus a
   *     cause of 0 to 239
   * @param begin time before its first operation, 0 or greater
   * @param end time after its last operation, not before {@code begin}
   * @param accesses made by {@link Access}, at most {@link History#MAX_ACCESSES}
   * @return this
   * @throws IllegalArgumentException if a value is out of range
   */
  public HistoryBuilder add(
      int item, int number, int rank, int outcome, long begin, long end, long... accesses) {
    add(item, number, rank, outcome, begin, end, accesses, 0, accesses.length);
    return this;
  }

  /**
   * Adds the attempts of a thread's log; {@link io.magpie.verification.history} has its format.
   *
   * @param words the log
   * @param count words in use
   * @return this
   * @throws IllegalArgumentException if a record is cut off or a value is out of range; the records
   *     before it have been added
   */
  public HistoryBuilder addLog(long[] words, int count) {
    if (count < 0 || count > words.length) {
      throw new IllegalArgumentException(count + " words of an array of " + words.length);
    }
    int at = 0;
    while (at < count) {
      boolean data = count - at >= HEADER && (words[at + 1] & WITH_DATA) != 0;
      int logged = count - at < HEADER ? 0 : (int) (words[at + 1] >>> Format.ACCESSES_AT);
      long n = data ? 2L * logged : logged;
      if (count - at < HEADER + n) {
        throw malformed(
            at, "it is cut off: " + (HEADER + n) + " words expected, " + (count - at) + " left");
      }
      int accessCount = data ? unpack(words, at + HEADER, logged) : logged;
      try {
        add(
            (int) words[at],
            (int) (words[at] >>> 32),
            (int) (words[at + 1] & ~WITH_DATA),
            (int) (words[at + 1] >>> Format.OUTCOME_AT) & 0xff,
            words[at + 2],
            words[at + 3],
            data ? unpacked : words,
            data ? 0 : at + HEADER,
            accessCount);
        if (data) {
          addData(words, at + HEADER, (int) n);
        }
      } catch (IllegalArgumentException e) {
        throw malformed(at, e.getMessage());
      }
      at += HEADER + (int) n;
    }
    return this;
  }

  /** The accesses to versions among those to data; how many. */
  private int unpack(long[] words, int from, int logged) {
    if (unpacked.length < logged) {
      unpacked = new long[Math.max(logged, 2 * unpacked.length)];
    }
    int n = 0;
    for (int i = 0; i < logged; i++) {
      if (!DataAccess.isAgain(words[from + 2 * i + 1])) {
        unpacked[n++] = words[from + 2 * i];
      }
    }
    return n;
  }

  /** Adds to the attempt added last, if it ended its item, what it did to data. */
  private void addData(long[] words, int from, int count) {
    if (block.dataStarts == null) {
      block.dataStarts = new int[block.starts.length];
      block.data = new long[2 * block.accesses.length];
      usedData = 0;
    }
    if ((block.outcomes[inBlock - 1] & 0xff) <= History.CANCEL) {
      if (block.data.length - usedData < count) {
        long wanted = Math.max((long) usedData + count, block.data.length * 3L / 2);
        block.data = Arrays.copyOf(block.data, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
      }
      System.arraycopy(words, from, block.data, usedData, count);
      usedData += count;
    }
    block.dataStarts[inBlock] = usedData / 2;
  }

  private IllegalArgumentException malformed(int at, String what) {
    return new IllegalArgumentException(
        "record at word " + at + " of thread " + (thread < 0 ? "?" : thread) + "'s log: " + what);
  }

  private void add(
      int item,
      int number,
      int rank,
      int outcome,
      long begin,
      long end,
      long[] from,
      int offset,
      int n) {
    if (number == 0) {
      throw new IllegalArgumentException("attempt 0: attempts count from 1");
    }
    if (outcome < 0 || outcome > 0xff || (outcome > History.CANCEL && outcome < History.ABORT)) {
      throw new IllegalArgumentException(
          "outcome " + outcome + ": 0 (commit), 1 (cancel) or 16 to 255 (aborts) expected");
    }
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("begin " + begin + ", end " + end + ": 0 <= begin <= end");
    }
    if (n > History.MAX_ACCESSES) {
      throw new IllegalArgumentException(n + " accesses, at most " + History.MAX_ACCESSES);
    }
    if (size == Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("more than " + size + " attempts");
    }
    if (inBlock == CAPACITY) {
      trim();
      // Explorations make many short histories; a block that follows another is full-sized at once.
      boolean first = blocks.isEmpty();
      block = new Block(first ? FIRST_CAPACITY : CAPACITY, Math.max(used, FIRST_CAPACITY));
      blocks.add(block);
      inBlock = 0;
      used = 0;
    }
    if (inBlock == block.capacity()) {
      block.grow(Math.min(CAPACITY, 4 * inBlock));
    }
    reserve(n);
    for (int i = 0; i < n; i++) {
      long access = from[offset + i];
      block.accesses[used + i] = access;
      greatestObject = Math.max(greatestObject, Access.object(access));
    }
    used += n;
    accesses += n;
    block.threads[inBlock] = thread;
    block.items[inBlock] = item;
    block.attempts[inBlock] = number;
    block.ranks[inBlock] = rank;
    block.outcomes[inBlock] = (byte) outcome;
    block.begins[inBlock] = begin;
    block.ends[inBlock] = end;
    block.starts[++inBlock] = used;
    if (block.dataStarts != null) {
      block.dataStarts[inBlock] = usedData / 2;
    }
    size++;
  }

  private void reserve(int n) {
    int length = block.accesses.length;
    if (length - used < n) {
      long wanted = Math.max((long) used + n, length + (long) (length >>> 1));
      if ((long) used + n > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException(
            CAPACITY + " attempts with more than 2^31 accesses together");
      }
      block.accesses = Arrays.copyOf(block.accesses, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
    }
  }

  private void trim() {
    if (block != null && block.accesses.length > used) {
      block.accesses = Arrays.copyOf(block.accesses, used);
    }
  }

  /** The history of what was added; the builder must not be used any more. */
  public History build() {
    trim();
    block = null;
    inBlock = CAPACITY;
    return new History(blocks, size, accesses, greatestObject);
  }
}
