package io.magpie.verification.check;

import io.magpie.verification.history.Access;
import io.magpie.verification.history.History;

/**
 * Runs attempts one after the other with a current stamp for each object: the definition of a
 * serial history, and so the proof of an order. It shares nothing with the search for the order.
 */
final class Replay {
  private final History history;
  private final ObjectIndex objects;
  private final Footprint footprint;
  private final int[] stamps;

  private Replay(History history, ObjectIndex objects) {
    this.history = history;
    this.objects = objects;
    footprint = new Footprint(objects);
    stamps = new int[objects.count()];
    for (int i = 0; i < stamps.length; i++) {
      stamps[i] = objects.initialStamp(i);
    }
  }

  /**
   * Whether each attempt, run in the order given, finds the stamps that it recorded.
   *
   * @param times if not null, the order must keep precedence
   * @param finalStamps if not null, the stamps to end with, by object number
   */
  static boolean explains(
      History history, ObjectIndex objects, int[] order, Times times, int[] finalStamps) {
    Replay replay = new Replay(history, objects);
    int latest = -1;
    for (int attempt : order) {
      if (times != null) {
        if (latest < 0 || times.begin(attempt) > times.begin(latest)) {
          latest = attempt;
        }
        if (times.precedes(attempt, latest)) {
          return false;
        }
      }
      if (!replay.run(attempt)) {
        return false;
      }
    }
    return finalStamps == null || replay.endsWith(finalStamps);
  }

  private boolean run(int attempt) {
    int block = attempt >>> History.BLOCK_BITS;
    int[] starts = history.blockStarts(block);
    int from = starts[attempt & ((1 << History.BLOCK_BITS) - 1)];
    int to = starts[(attempt & ((1 << History.BLOCK_BITS) - 1)) + 1];
    long[] accesses = history.blockAccesses(block);
    boolean committed = history.outcome(attempt) == History.COMMIT;
    boolean writes = false;
    for (int i = from; i < to; i++) {
      long access = accesses[i];
      if (Access.isWrite(access)) {
        writes = committed;
      }
      if ((committed || !Access.isWrite(access))
          && stamps[objects.index(Access.object(access))] != Access.stamp(access)) {
        return runInOrder(accesses, from, to, committed);
      }
    }
    if (writes) {
      for (int i = from; i < to; i++) {
        long access = accesses[i];
        if (Access.isWrite(access)
            && ++stamps[objects.index(Access.object(access))] != Access.stamp(access) + 1) {
          return false; // it writes the version twice
        }
      }
    }
    return true;
  }

  /** The same for an attempt that may write an object more than once or read its own writes. */
  private boolean runInOrder(long[] accesses, int from, int to, boolean committed) {
    footprint.load(accesses, from, to, committed);
    for (int i = 0; i < footprint.size(); i++) {
      long key = footprint.key(i);
      int object = Footprint.object(key);
      if (stamps[object] != (int) objects.stamp(object, Footprint.version(key))) {
        return false;
      }
      if (Footprint.isWrite(key)) {
        stamps[object]++;
      }
    }
    return true;
  }

  private boolean endsWith(int[] finalStamps) {
    for (int i = 0; i < stamps.length; i++) {
      if (stamps[i] != finalStamps[objects.number(i)]) {
        return false;
      }
    }
    return true;
  }
}
