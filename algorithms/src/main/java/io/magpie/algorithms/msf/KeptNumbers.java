package io.magpie.algorithms.msf;

import io.magpie.algorithms.msf.StreamingForest.Arrived;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The numbers of the edges that a {@link StreamingForest} keeps, of 64 bits, which ascend.
 *
 * <p>The device has the low half of each. Where numbers follow each other, the high half is the
 * same for long runs, and Java knows where these begin. Once numbers come that have gaps, the
 * device has the high halves, too.
 *
 * <p>Bytes for each edge that there is room for: 4, and 4 more for high halves.
 */
final class KeptNumbers {
  /** Runs at which the device gets the high halves, before more edges: each costs some copies. */
  private static final int MOST_RUNS = 64;

  /**
   * Edges whose numbers have one high half, up to the next run or the last edge.
   *
   * @param high the half
   * @param first the first edge
   */
  private record Run(int high, int first) {}

  private final StreamingForest forest;
  private final DeviceArray<int[]> lows;
  private List<Run> movedRuns = new ArrayList<>();
  private List<Run> runs = new ArrayList<>(); // none once there are highs
  private DeviceArray<int[]> highs; // empty until they are needed

  KeptNumbers(StreamingForest forest, int capacity) {
    this.forest = forest;
    this.lows = forest.scratch().ints("lows", capacity);
    this.highs = lows.slice(0, 0).named("highs");
  }

  private static int high(long number) {
    return (int) (number >>> Integer.SIZE);
  }

  private boolean hasHighs() {
    return highs.length() > 0;
  }

  /** The low halves. */
  DeviceArray<int[]> lows() {
    return lows;
  }

  /** The high halves; empty where the device does not have them. */
  DeviceArray<int[]> highs() {
    return highs;
  }

  /**
   * How many of some edges that come can be {@linkplain #expect kept} at once.
   *
   * @param from the first of them
   * @param count how many there are
   */
  int together(Arrived arrived, int from, int count) {
    if (hasHighs() || arrived.numbers() != null) {
      return count;
    }
    long sameHigh = (1L << Integer.SIZE) - Integer.toUnsignedLong((int) (arrived.first() + from));
    return (int) Math.min(count, sameHigh);
  }

  /**
   * Readies all for edges that come {@link #together}, at least one of which is kept.
   *
   * @param from the first of them
   * @param kept where those that are kept go, behind all others
   */
  void expect(Arrived arrived, int from, int kept) {
    if (arrived.numbers() != null || runs.size() == MOST_RUNS) {
      widen(kept);
    } else if (!hasHighs()) {
      int high = high(arrived.first() + from);
      if (runs.isEmpty() || runs.get(runs.size() - 1).high != high) {
        runs.add(new Run(high, kept));
      }
    }
  }

  /**
   * Gives the device the high halves, too.
   *
   * @param length how many edges there are
   */
  private void widen(int length) {
    if (hasHighs()) {
      return;
    }
    highs = forest.scratch().ints("highs", lows.length());
    for (int i = 0; i < runs.size(); i++) {
      int first = runs.get(i).first;
      highs.slice(first, end(i, length) - first).fill(runs.get(i).high);
    }
    runs.clear();
  }

  /** Where a run ends. */
  private int end(int run, int length) {
    return run + 1 < runs.size() ? runs.get(run + 1).first : length;
  }

  /**
   * Moves numbers to where their edges are packed, those of the first edges first.
   *
   * @param from the first edge of a part
   * @param part how many it has
   * @param positions of those that stay, from {@code from}, in ascending order
   * @param count how many these are
   * @param packed where the first goes
   * @param room for as many ints
   */
  void move(
      long from,
      int part,
      DeviceArray<int[]> positions,
      int count,
      int packed,
      DeviceArray<int[]> room) {
    for (Run run : runs) {
      if (run.first >= from && run.first < from + part) {
        int lesser = lesser((int) (run.first - from), positions, count);
        movedRuns.add(new Run(run.high, packed + lesser));
      }
    }
    moveWords(lows, from, positions, count, packed, room);
    if (hasHighs()) {
      moveWords(highs, from, positions, count, packed, room);
    }
  }

  /** How many of ascending positions are less than one. */
  private static int lesser(int position, DeviceArray<int[]> positions, int count) {
    int begin = 0;
    int end = count;
    while (begin < end) {
      int middle = begin + (end - begin) / 2;
      if (positions.getInt(middle) < position) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

  private void moveWords(
      DeviceArray<int[]> words,
      long from,
      DeviceArray<int[]> positions,
      int count,
      int packed,
      DeviceArray<int[]> room) {
    forest.run(
        "gather_words",
        count,
        new Fields()
            .set("from", from)
            .set("count", count)
            .set("positions", positions)
            .set("words", words)
            .set("to", room));
    words.slice(packed, count).copyFrom(room.slice(0, count));
  }

  /**
   * Ends the {@linkplain #move moves}.
   *
   * @param length how many edges there are now
   */
  void moved(int length) {
    runs = movedRuns;
    movedRuns = new ArrayList<>();
    removeEmpty(length);
  }

  private void removeEmpty(int length) {
    List<Run> left = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      if (runs.get(i).first < end(i, length)) {
        left.add(runs.get(i));
      }
    }
    runs = left;
  }

  /**
   * Allocates all that {@link #merge merges} need of a device's memory for good.
   *
   * @param length how many edges are here
   */
  void expect(KeptNumbers other, int length) {
    if (other.hasHighs()) {
      widen(length);
    }
  }

  /**
   * Takes over numbers of another device's edges, which are {@linkplain #expect(KeptNumbers, int)
   * expected}.
   *
   * @param other where they are
   * @param from the first of its edges, of {@code otherLength}
   * @param length how many edges are here
   * @param all the numbers of these, and behind them those that come
   * @param places where each goes
   */
  void merge(
      KeptNumbers other,
      int from,
      int otherLength,
      int length,
      DeviceArray<long[]> all,
      DeviceArray<int[]> places) {
    if (!hasHighs()) {
      int count = (int) all.length() - length;
      List<Run> merged = new ArrayList<>();
      for (int high : highsOfEither(other)) {
        int more = Math.max(0, Math.min(other.before(high, otherLength) - from, count));
        merged.add(new Run(high, before(high, length) + more));
      }
      runs = merged;
      removeEmpty(length + count);
    }
    forest.run(
        "spread_halves",
        all.length(),
        new Fields()
            .set("count", (int) all.length())
            .set("places", places)
            .set("from", all)
            .set("lows", lows)
            .set("highs", highs));
  }

  private SortedSet<Integer> highsOfEither(KeptNumbers other) {
    SortedSet<Integer> result = new TreeSet<>();
    runs.forEach(run -> result.add(run.high));
    other.runs.forEach(run -> result.add(run.high));
    return result;
  }

  /** How many edges, of so many, have numbers of lesser high halves. */
  private int before(int high, int length) {
    return runs.stream()
        .filter(run -> run.high >= high)
        .mapToInt(Run::first)
        .findFirst()
        .orElse(length);
  }

  /**
   * Copies the first numbers.
   *
   * @param room for some of them at a time
   */
  void copyTo(long[] target, DeviceArray<long[]> room) {
    int part;
    for (int from = 0; from < target.length; from += part) {
      part = (int) Math.min(target.length - from, room.length());
      join(from, target.length, room.slice(0, part));
      room.copyTo(target, from, 0, part);
    }
  }

  /**
   * Copies numbers to another device.
   *
   * @param from the first of them
   * @param length how many edges there are
   * @param room for some of them at a time, on this device
   */
  void copyTo(DeviceArray<long[]> target, int from, int length, DeviceArray<long[]> room) {
    long part;
    for (long at = 0; at < target.length(); at += part) {
      part = Math.min(target.length() - at, room.length());
      join((int) (from + at), length, room.slice(0, part));
      target.slice(at, part).copyFrom(room.slice(0, part));
    }
  }

  /**
   * Writes numbers.
   *
   * @param from the first of them
   * @param length how many edges there are
   * @param to receives as many as it is long
   */
  void join(int from, int length, DeviceArray<long[]> to) {
    if (hasHighs()) {
      join(from, to, 0);
      return;
    }
    int end = (int) (from + to.length());
    for (int i = 0; i < runs.size(); i++) {
      int begin = Math.max(from, runs.get(i).first);
      int count = Math.min(end, end(i, length)) - begin;
      if (count > 0) {
        join(begin, to.slice(begin - from, count), runs.get(i).high);
      }
    }
  }

  private void join(int from, DeviceArray<long[]> to, int high) {
    forest.run(
        "join_halves",
        to.length(),
        new Fields()
            .set("from", from)
            .set("count", (int) to.length())
            .set("high", high)
            .set("lows", lows)
            .set("highs", highs)
            .set("to", to));
  }
}
