package io.magpie.verification.check;

import io.magpie.verification.history.Access;
import io.magpie.verification.history.History;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * The committed versions of all objects, numbered through, and each access as the number of the
 * version it concerns.
 *
 * <p>An object with w committed writes has versions 0 to w. Where each of them but 0 is written
 * once, and nothing else is read or found, every access has its place in the order of versions;
 * {@link #consistent} says so, else {@link Inspection} says what is wrong.
 */
final class Versions {
  /** Marks a code as a write, which finds the version of the code and makes the next. */
  static final int WRITE = 1 << 31;

  /** Ends the codes of an attempt that has fewer codes than accesses. */
  static final int END = Integer.MAX_VALUE;

  private static final VarHandle BITS = MethodHandles.arrayElementVarHandle(long[].class);

  private final History history;
  private final ObjectIndex objects;
  private final boolean all;
  private final int[] bases;
  private final int[][] codes;
  private final long[] written;
  private final boolean consistent;
  private final boolean chained;

  /**
   * @param all whether aborted attempts are taken too
   */
  Versions(History history, ObjectIndex objects, boolean all, int[] finalStamps) {
    this.history = history;
    this.objects = objects;
    this.all = all;
    bases = bases();
    written = new long[(slots() >>> 6) + 1];
    codes = new int[history.blocks()][];
    AtomicBoolean faulty = new AtomicBoolean();
    AtomicBoolean chains = new AtomicBoolean();
    IntStream.range(0, codes.length).parallel().forEach(b -> encode(b, faulty, chains));
    chained = chains.get();
    consistent =
        !faulty.get()
            && !(chained && intermediateRead())
            && (finalStamps == null || endsWith(finalStamps));
  }

  /** The numbers of all objects' versions 0. */
  private int[] bases() {
    int[] writes = new int[objects.count() + 1];
    for (int b = 0; b < history.blocks(); b++) {
      long[] accesses = history.blockAccesses(b);
      int[] starts = history.blockStarts(b);
      for (int i = 0; i < history.blockSize(b); i++) {
        if (history.outcome((b << History.BLOCK_BITS) + i) == History.COMMIT) {
          for (int k = starts[i]; k < starts[i + 1]; k++) {
            if (Access.isWrite(accesses[k])) {
              writes[objects.index(Access.object(accesses[k]))]++;
            }
          }
        }
      }
    }
    long next = 0;
    for (int o = 0; o < writes.length; o++) {
      int own = writes[o];
      writes[o] = (int) next;
      next += own + 1L;
    }
    if (next > END) {
      throw new IllegalArgumentException(next + " versions of all objects, at most " + END);
    }
    return writes;
  }

  private void encode(int block, AtomicBoolean faulty, AtomicBoolean chains) {
    Footprint footprint = new Footprint(objects);
    long[] accesses = history.blockAccesses(block);
    int[] starts = history.blockStarts(block);
    int size = history.blockSize(block);
    int[] out = new int[starts[size]];
    boolean fault = false;
    for (int i = 0; i < size; i++) {
      int attempt = (block << History.BLOCK_BITS) + i;
      if (includes(attempt)) {
        boolean committed = history.outcome(attempt) == History.COMMIT;
        footprint.load(accesses, starts[i], starts[i + 1], committed);
      } else {
        footprint.load(accesses, 0, 0, false);
      }
      int n = starts[i];
      int object = -1;
      int base = 0;
      int writes = 0;
      long ownWrite = -1;
      long foreignRead = -1;
      for (int k = 0; k < footprint.size(); k++) {
        long key = footprint.key(k);
        long version = Footprint.version(key);
        if (Footprint.object(key) != object) {
          object = Footprint.object(key);
          base = bases[object];
          writes = bases[object + 1] - base - 1;
          ownWrite = -1;
          foreignRead = -1;
        }
        if (Footprint.isWrite(key)) {
          if (version >= writes) {
            fault = true;
          } else {
            int slot = base + (int) version;
            fault |= testAndSet(slot + 1);
            out[n++] = slot | WRITE;
            if (ownWrite >= 0 && ownWrite == version - 1) {
              chains.set(true);
            }
          }
          ownWrite = version;
        } else if (ownWrite != version - 1 || ownWrite < 0) {
          fault |= version > writes || (foreignRead >= 0 && foreignRead != version);
          foreignRead = version;
          long following = k + 1 < footprint.size() ? footprint.key(k + 1) : -1;
          if (!fault && following != key && following != key + 1) {
            out[n++] = base + (int) version;
          }
        }
      }
      if (n < starts[i + 1]) {
        out[n] = END;
      }
    }
    codes[block] = out;
    if (fault) {
      faulty.set(true);
    }
  }

  private boolean testAndSet(int slot) {
    long bit = 1L << slot;
    return ((long) BITS.getAndBitwiseOr(written, slot >>> 6, bit) & bit) != 0;
  }

  /** Whether an attempt reads a version that its writer overwrote itself. */
  private boolean intermediateRead() {
    long[] intermediate = new long[written.length];
    for (boolean reads : new boolean[] {false, true}) {
      for (int attempt = 0; attempt < history.size(); attempt++) {
        int[] block = codes(attempt);
        int end = end(attempt);
        int own = -1;
        for (int i = start(attempt); i < end && block[i] != END; i++) {
          int slot = block[i] & END;
          boolean write = block[i] < 0;
          if (!reads && write && slot == own) {
            intermediate[slot >>> 6] |= 1L << slot;
          }
          if (reads && !write && (intermediate[slot >>> 6] >>> slot & 1) != 0) {
            return true;
          }
          own = write ? slot + 1 : own;
        }
      }
    }
    return false;
  }

  private boolean endsWith(int[] finalStamps) {
    for (int o = 0; o < objects.count(); o++) {
      int last = bases[o + 1] - bases[o] - 1;
      if ((int) objects.stamp(o, last) != finalStamps[objects.number(o)]) {
        return false;
      }
    }
    return true;
  }

  /** Whether every access has its place: a read a committed version, a write one of its own. */
  boolean consistent() {
    return consistent;
  }

  /** Whether an attempt writes consecutive versions of an object. */
  boolean chained() {
    return chained;
  }

  /** Whether an attempt is taken. */
  boolean includes(int attempt) {
    return all || history.completed(attempt);
  }

  /** Number of versions. */
  int slots() {
    return bases[objects.count()];
  }

  /** The number of an object's version 0; one beyond the last object: of all versions. */
  int base(int object) {
    return bases[object];
  }

  ObjectIndex objects() {
    return objects;
  }

  /**
   * The codes of an attempt, from {@link #start} to {@link #end} or the first {@link #END}, in
   * order of version. Reads of versions that the attempt itself writes or overwrites are left out,
   * as they say no more than the write.
   */
  int[] codes(int attempt) {
    return codes[attempt >>> History.BLOCK_BITS];
  }

  int start(int attempt) {
    return history
        .blockStarts(attempt >>> History.BLOCK_BITS)[attempt & ((1 << History.BLOCK_BITS) - 1)];
  }

  int end(int attempt) {
    return history
        .blockStarts(attempt >>> History.BLOCK_BITS)[
        (attempt & ((1 << History.BLOCK_BITS) - 1)) + 1];
  }

  /** Whether a committed attempt wrote a version; version 0 is there from the start. */
  boolean committed(int slot) {
    return (written[slot >>> 6] >>> slot & 1) != 0;
  }
}
