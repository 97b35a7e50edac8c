package io.magpie.verification.check;

/**
 * A topological sort of attempts over ww, wr, rw and real time without making an edge. An attempt
 * can run when the versions that it reads or finds are current, nobody else is yet to read those
 * that it overwrites, and all that precede it in time have run. Versions and readers only ever
 * become less lacking, so an attempt waits for one version at a time.
 *
 * <p>Backward, it takes attempts from the end: an attempt can be taken when the versions that it
 * made are the last, and so on. Work: linear in the accesses; 8 bytes for each version.
 */
final class Sweep {
  /** The version is not there yet. In the same word: readers left << 32, head of the waiting. */
  private static final long ABSENT = Long.MIN_VALUE;

  private static final long READER = 1L << 32;
  private static final int DONE = -1;

  private final Versions versions;
  private final Times times;
  private final boolean backward;
  private final int[] admissions;
  private final int[] frontiers;
  private final long[] states;
  private final int[] positions;
  private final int[] next;
  private final int[] order;
  private int ran;
  private int ready;

  /**
   * @param times null if real time does not count
   * @param byBegin the attempts in order of begin
   * @param byEnd the same in order of end
   */
  Sweep(Versions versions, Times times, int[] byBegin, int[] byEnd, int size, boolean backward) {
    this.versions = versions;
    this.times = times;
    this.backward = backward;
    admissions = backward ? reversed(byEnd) : byBegin;
    frontiers = backward ? reversed(byBegin) : byEnd;
    states = new long[versions.slots()];
    positions = new int[size];
    next = new int[size];
    order = new int[byBegin.length];
    for (int attempt : byBegin) {
      positions[attempt] = versions.start(attempt);
      int[] codes = versions.codes(attempt);
      int end = versions.end(attempt);
      for (int i = versions.start(attempt); i < end && codes[i] != Versions.END; i++) {
        if (codes[i] >= 0) {
          states[codes[i]] += READER;
        } else {
          states[(codes[i] & Versions.END) + (backward ? 0 : 1)] |= ABSENT;
        }
      }
    }
  }

  private static int[] reversed(int[] array) {
    int[] result = new int[array.length];
    for (int i = 0; i < array.length; i++) {
      result[i] = array[array.length - 1 - i];
    }
    return result;
  }

  /** Runs what can run; returns whether all did. */
  boolean run() {
    int admitted = 0;
    int frontier = 0;
    while (true) {
      while (frontier < order.length && positions[frontiers[frontier]] == DONE) {
        frontier++;
      }
      if (frontier == order.length) {
        return true;
      }
      int before = admitted;
      while (admitted < order.length && !held(admissions[admitted], frontiers[frontier])) {
        offer(admissions[admitted++]);
        while (ready != 0) {
          int attempt = ready - 1;
          ready = next[attempt];
          offer(attempt);
        }
      }
      if (admitted == before) {
        return false;
      }
    }
  }

  private boolean held(int attempt, int frontier) {
    return times != null
        && (backward ? times.precedes(attempt, frontier) : times.precedes(frontier, attempt));
  }

  private void offer(int attempt) {
    int[] codes = versions.codes(attempt);
    int end = versions.end(attempt);
    int at = positions[attempt];
    for (; at < end && codes[at] != Versions.END; at++) {
      int code = codes[at];
      int slot = (code & Versions.END) + (backward && code < 0 ? 1 : 0);
      long state = states[slot];
      boolean lacking = code < 0 ? state >>> 32 != 0 : state < 0;
      if (lacking && !(versions.chained() && code < 0 && makes(attempt, slot))) {
        next[attempt] = (int) state;
        states[slot] = (state & -READER) | (attempt + 1);
        positions[attempt] = at;
        return;
      }
    }
    run(attempt, codes, end);
  }

  /** Whether the attempt itself provides the version that one of its writes lacks. */
  private boolean makes(int attempt, int slot) {
    int[] codes = versions.codes(attempt);
    int wanted = (backward ? slot : slot - 1) | Versions.WRITE;
    int end = versions.end(attempt);
    for (int i = versions.start(attempt); i < end && codes[i] != Versions.END; i++) {
      if (codes[i] == wanted) {
        return true;
      }
    }
    return false;
  }

  private void run(int attempt, int[] codes, int end) {
    positions[attempt] = DONE;
    order[ran++] = attempt;
    for (int i = versions.start(attempt); i < end && codes[i] != Versions.END; i++) {
      int code = codes[i];
      int slot;
      long state;
      if (code >= 0) {
        slot = code;
        state = states[slot] - READER;
        if (state >>> 32 != 0) {
          states[slot] = state;
          continue;
        }
      } else {
        slot = (code & Versions.END) + (backward ? 0 : 1);
        state = states[slot] & ~ABSENT;
      }
      states[slot] = state & -READER;
      for (int waiting = (int) state; waiting != 0; ) {
        int following = next[waiting - 1];
        next[waiting - 1] = ready;
        ready = waiting;
        waiting = following;
      }
    }
  }

  /** The attempts in the order in which they ran; all of them if {@link #run} returned true. */
  int[] order() {
    return order;
  }

  /** Those of some attempts that did not run, in the order given. */
  int[] remaining(int[] attempts) {
    int[] result = new int[order.length - ran];
    int n = 0;
    for (int attempt : attempts) {
      if (positions[attempt] != DONE) {
        result[n++] = attempt;
      }
    }
    return result;
  }
}
