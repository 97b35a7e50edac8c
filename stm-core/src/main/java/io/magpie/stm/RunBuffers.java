package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Device memory that region runs need besides their arguments. A device has one set and keeps it,
 * so that a run allocates nothing that an earlier one had. Each run that has not ended has
 * counters, the watchdog's flag and the bitmap of unfinished positions for itself; larger logs,
 * descriptors and lists serve one launch after the other. Used within the device's queue only.
 */
final class RunBuffers implements AutoCloseable {
  private static final int WORDS_OF_LINE = 8;

  private final Device device;
  private final Backend backend;
  private final int counterWords;

  /** Words before the watchdog's flag, which has a cache line of its own: every thread polls it. */
  private final int wordsBeforeFlag;

  private final List<OfRun> all = new ArrayList<>();
  private final List<OfRun> free = new ArrayList<>();
  private long scratch;
  private long scratchBytes;
  private long descriptors;
  private long descriptorBytes;
  private long list;
  private long listBytes;
  private long tail;
  private long tailBytes;
  private long conflicts;

  /**
   * Those of a device.
   *
   * @param counterWords words of a launch's counters, the same in all modules of this library
   */
  static RunBuffers of(Device device, int counterWords) {
    RunBuffers known = device.kept(RunBuffers.class);
    if (known == null) {
      return device.keep(new RunBuffers(device, counterWords));
    }
    if (known.counterWords != counterWords) {
      throw new IllegalStateException(
          "a module with "
              + counterWords
              + " words of counters after one with "
              + known.counterWords);
    }
    return known;
  }

  private RunBuffers(Device device, int counterWords) {
    this.device = device;
    this.backend = device.backend();
    this.counterWords = counterWords;
    this.wordsBeforeFlag = (counterWords + WORDS_OF_LINE - 1) / WORDS_OF_LINE * WORDS_OF_LINE;
  }

  /**
   * What no other run has until this one {@linkplain #giveBack gives it back}: of those that are
   * free the one with the smallest bitmap that is large enough, or else the one with the largest.
   *
   * @param positions of the run's bitmap
   */
  OfRun take(long positions) {
    if (free.isEmpty()) {
      OfRun made = new OfRun();
      all.add(made);
      return made;
    }
    long wanted = OfRun.bytesFor(positions);
    OfRun best = free.get(0);
    for (OfRun each : free) {
      boolean fits = each.pendingBytes >= wanted;
      boolean bestFits = best.pendingBytes >= wanted;
      if (fits == bestFits ? fits == each.pendingBytes < best.pendingBytes : fits) {
        best = each;
      }
    }
    free.remove(best);
    return best;
  }

  /** Ends a run's use of what it took. */
  void giveBack(OfRun taken) {
    free.add(taken);
  }

  /** Frees the bitmaps that no run has; false if there is none. */
  boolean freeIdle() {
    boolean any = false;
    for (OfRun each : free) {
      any |= each.freePending();
    }
    return any;
  }

  /** Counters, the watchdog's flag and the bitmap of unfinished positions. */
  final class OfRun {
    private final long counters =
        device.allocate(8L * (wordsBeforeFlag + WORDS_OF_LINE), "counters of region runs");
    private long pending;
    private long pendingBytes;
    private boolean pendingDirty;

    /** Address of the counters. */
    long statistics() {
      return counters;
    }

    /** Address of the watchdog's flag. */
    long stop() {
      return counters + 8L * wordsBeforeFlag;
    }

    /** Zeroes all counters and lowers the flag. */
    void resetCounters() {
      backend.fill(counters, 0, 8, wordsBeforeFlag + 1L);
    }

    /** Raises the watchdog's flag, so that the next launch ends at once. */
    void stopAll() {
      backend.fill(stop(), 1, 4, 1);
    }

    /** Zeroes the word at one place among the counters. */
    void resetCounter(int place) {
      backend.fill(counters + place * 8L, 0, 8, 1);
    }

    /**
     * Address of a bitmap without a set bit, for this many positions, with as much room behind it
     * for a list of a few of them. It is cleared first unless the last run said by {@link
     * #pendingIsClear()} that it left no bit set.
     */
    long pending(long positions) {
      long bytes = bytesFor(positions);
      if (bytes > pendingBytes) {
        freePending();
        pending = device.allocate(bytes, "bitmap of " + positions + " items");
        pendingBytes = bytes;
      } else if (pendingDirty) {
        backend.fill(pending, 0, 8, pendingBytes / 8);
      }
      pendingDirty = false;
      return pending;
    }

    private static long bytesFor(long positions) {
      return (positions + 63) / 64 * 16;
    }

    /** Frees the bitmap; false if there is none. */
    private boolean freePending() {
      boolean any = pending != 0;
      device.free(pending);
      pending = 0;
      pendingBytes = 0;
      return any;
    }

    /** Notes that the bitmap may have set bits. */
    void pendingIsDirty() {
      pendingDirty = true;
    }

    /** Notes that the bitmap has no set bit. */
    void pendingIsClear() {
      pendingDirty = false;
    }
  }

  /** Address of memory for larger logs. */
  long scratch(long bytes) {
    if (bytes > scratchBytes) {
      device.free(scratch);
      scratch = 0;
      scratchBytes = 0;
      scratch = device.allocate(bytes, "larger logs");
      scratchBytes = bytes;
    }
    return scratch;
  }

  /**
   * Address of memory for descriptors of transactions with fixed logs; contents undefined.
   *
   * @param bytesBefore what the policy has in front of them
   * @param threadBytes bytes of one thread
   */
  long descriptors(long bytesBefore, long threads, long threadBytes) {
    long bytes = bytesBefore + threads * threadBytes;
    if (bytes > descriptorBytes) {
      device.free(descriptors);
      descriptors = 0;
      descriptorBytes = 0;
      descriptors =
          device.allocate(
              bytes,
              String.format(
                  Locale.ROOT,
                  "table of descriptors, %,d bytes for each of %,d threads,",
                  threadBytes,
                  threads),
              "ask for fewer threads with StmOptions.threadsInFlight");
      descriptorBytes = bytes;
    }
    return descriptors;
  }

  /** Address of a list of this many 32-bit words; contents undefined. */
  long list(long words) {
    long bytes = words * 4;
    if (bytes > listBytes) {
      device.free(list);
      list = 0;
      listBytes = 0;
      list = device.allocate(bytes, "list of " + words + " items");
      listBytes = bytes;
    }
    return list;
  }

  /** Address of this many 32-bit words for items that run alone; contents undefined. */
  long tail(long words) {
    long bytes = words * 4;
    if (bytes > tailBytes) {
      device.free(tail);
      tail = 0;
      tailBytes = 0;
      tail = device.allocate(bytes, "items that run alone");
      tailBytes = bytes;
    }
    return tail;
  }

  /** Address of the table of conflicts, empty: {@link ConflictCounts#WORDS} words. */
  long noConflicts() {
    if (conflicts == 0) {
      conflicts = device.allocate(8L * ConflictCounts.WORDS, "conflicts by object");
    }
    backend.fill(conflicts, 0, 8, ConflictCounts.WORDS);
    return conflicts;
  }

  /** Frees everything. */
  @Override
  public void close() {
    for (OfRun each : all) {
      device.free(each.counters);
      device.free(each.pending);
    }
    device.free(scratch);
    device.free(descriptors);
    device.free(list);
    device.free(tail);
    device.free(conflicts);
  }
}
