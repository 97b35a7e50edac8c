package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import io.magpie.stm.MagpieException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * Rounds over a shrinking list of the edges that still join two components, by the kernels of
 * edge_form.cuh. A series begins with {@link #begin}; then a kernel makes list 0, which {@link
 * #listed} measures and {@link #unite} works on. All ends of list 0 are roots, but where the kernel
 * noted that some are not.
 *
 * <p>Where {@link #areTogether} says so, {@link #launch} takes the place of both, and after it
 * another series can begin with {@link #beginNext}, until {@link #left} waits for all.
 */
final class ListRounds {
  /**
   * Rounds that are launched without looking at the list's length. On processors a look costs
   * nothing.
   */
  private static final int ROUNDS_AHEAD = 5;

  /** Entries for which no fewer threads are launched, however short later lists may be. */
  private static final long FEW_ENTRIES = 1 << 18;

  /** Records that are looked at together after the rounds of a launch. */
  private static final int RECORDS_AT_ONCE = 32;

  /** Series that may be launched before the host looks. */
  private static final int MOST_AHEAD = 2;

  /** A word on which threads meet has a cache line of its own: all of them poll it. */
  private static final int WORDS_OF_LINE = 32;

  private final HookedForest forest;
  private final Scratch scratch;
  private final boolean transactional;
  private final long mostLeast;
  private final DeviceArray<int[]> room; // null if there is none to share
  private final int roundsAhead;

  /** The summary; a word for each series on which its threads meet; its records. Zeros at first. */
  private final DeviceArray<int[]> words;

  private final int recordsOfSeries;

  /** Whether a series of rounds is one launch, of threads that wait for each other. */
  private final boolean together;

  private final int laneBatch;
  private final int recordWords;
  private final int recordLength;
  private final int recordUnfinished;
  private final int recordLeast;
  private final int recordDeep;
  private final int recordStopped;
  private final int summaryWords;
  private final int summaryLeft;
  private final int summaryRounds;

  /** The present series, of those since {@link #begin}. */
  private int series;

  private int[] first;
  private int rounds;

  /**
   * @param mostLeast the most components that list 0 joins: as many entries may be the least edge
   *     of one
   */
  ListRounds(HookedForest forest, long mostLeast) {
    this(forest, mostLeast, null);
  }

  /**
   * The same in memory that is needed for something else between rounds.
   *
   * @param room at least {@code mostLeast} and 1; null if there is none
   */
  ListRounds(HookedForest forest, long mostLeast, DeviceArray<int[]> room) {
    this.forest = forest;
    this.scratch = forest.scratch();
    this.transactional = forest.transactional();
    this.mostLeast = Math.max(1, mostLeast);
    this.room = room;
    this.roundsAhead = forest.device().machine() == Machine.CPU ? 1 : ROUNDS_AHEAD;
    this.laneBatch = forest.launches().constant("lane_batch");
    this.recordWords = forest.launches().constant("record_words");
    this.recordLength = forest.launches().constant("record_length");
    this.recordUnfinished = forest.launches().constant("record_unfinished");
    this.recordLeast = forest.launches().constant("record_least");
    this.recordStopped = forest.launches().constant("record_stopped");
    this.recordDeep = forest.launches().constant("record_deep");
    this.together =
        forest.device().hasGridBarrier()
            && forest.launches().constant("observed") == 0
            && forest.options().stm().threadsInFlight() == 0;
    this.summaryWords = forest.launches().constant("summary_words");
    this.summaryLeft = forest.launches().constant("summary_left");
    this.summaryRounds = forest.launches().constant("summary_rounds");
    this.recordsOfSeries = recordWords * (HookedForest.MAX_ROUNDS + roundsAhead + 1);
    this.words = scratch.ints("counters", recordsOf(MOST_AHEAD));
  }

  /** A list: of each entry both ends, and its key. */
  record EdgeList(DeviceArray<long[]> ends, DeviceArray<long[]> keys) {
    /** Entries that it has room for. */
    long room() {
      return Math.min(ends.length(), keys.length());
    }
  }

  /** The present list, room for the next one and for the one after that. */
  private record Lists(EdgeList present, EdgeList next, EdgeList later) {
    Lists advanced() {
      return new Lists(next, later, next);
    }

    /** Those of an odd round of a launch, which has two of them. */
    Lists swapped() {
      return new Lists(next, present, next);
    }
  }

  /** Makes the arrays that are of no other use than to unite, as otherwise their first use does. */
  void reserve() {
    if (transactional) {
      nominatedEnds();
      nominatedArcs();
    } else {
      losers();
    }
  }

  /** A record for each round of the present series. */
  DeviceArray<int[]> counters() {
    return words.slice(recordsOf(series), recordsOfSeries);
  }

  /** Where the records of a series begin. */
  private long recordsOf(int number) {
    return WORDS_OF_LINE * (1L + MOST_AHEAD) + (long) number * recordsOfSeries;
  }

  /** What all series since {@link #begin} say of themselves. */
  DeviceArray<int[]> summary() {
    return words.slice(0, summaryWords).named("summary");
  }

  /** Rounds that united something, in all series so far. */
  int rounds() {
    return rounds;
  }

  /** Forgets the records of earlier series. */
  void begin() {
    words.fill(0);
    series = 0;
  }

  /** Begins another series after one that was launched; {@link #MOST_AHEAD} in all. */
  void beginNext() {
    series = Objects.checkIndex(series + 1, MOST_AHEAD);
  }

  /** Whether a series of rounds is one launch. */
  boolean areTogether() {
    return together;
  }

  /**
   * Launches a series: unites along the edges of list 0 until none joins two components, unless
   * that list has no room for all of them or ways to roots are long.
   *
   * @param next room for list 1, and every other one after it: as much as list 0 has
   */
  void launch(EdgeList list, EdgeList next) {
    Lists lists = new Lists(list, next, list);
    long entries = list.room(); // at most
    if (transactional) {
      nominate(list, 0, entries);
      mergeRounds(lists, entries);
    } else {
      uniteRounds(lists, entries);
    }
  }

  /**
   * Waits for the series since {@link #begin}, all of which were launched. If edges of them may be
   * left, they are to be listed again, after {@link #begin}: what has been united is of the forest.
   *
   * @return -1 if no edge is left, else the entries of the longest list 0, those without room too
   * @throws MagpieException if a launch was stopped, with a round to come
   */
  long left() {
    int[] found = summary().toArray();
    if (found[summaryLeft] == 0) {
      rounds += found[summaryRounds];
      return -1;
    }
    long longest = 0;
    int launched = series;
    for (series = 0; series <= launched; series++) {
      longest = Math.max(longest, length(records(0, 1), 0));
      countRounds();
    }
    return longest;
  }

  /** Counts the rounds of a launched series that united something. */
  private void countRounds() {
    for (int round = 0; round <= HookedForest.MAX_ROUNDS; round++) {
      int[] record = records(round, 1);
      requireNotStopped(record, round);
      if (record[recordLeast] == 0) {
        return;
      }
      rounds++;
    }
  }

  /**
   * The length of list 0, which a kernel has made. If that is more than there is room for, the list
   * is of no use.
   *
   * @param entries about how many there are
   */
  long listed(EdgeList list, long entries) {
    if (transactional) {
      nominate(list, 0, entries);
    }
    first = records(0, 1);
    return length(first, 0);
  }

  /**
   * Unites along the edges of list 0 until none joins two components.
   *
   * @param next room for list 1, and every other one after it
   * @param later room for list 2, and every other one after it; may be that of list 0
   */
  void unite(EdgeList list, EdgeList next, EdgeList later) {
    Lists lists = new Lists(list, next, later);
    if (transactional) {
      uniteByTransactions(lists);
    } else {
      uniteExclusively(lists);
    }
  }

  private void uniteExclusively(Lists listed) {
    DeviceArray<int[]> losers = losers();
    long length = length(first, 0);
    int round = 0;
    boolean merged = false;
    if (together && isFinished(first, 0)) {
      uniteRounds(listed, length);
      round = goOnFrom();
      merged = round >= 0;
      length = merged ? length(records(round, 1), 0) : 0;
    }
    Lists lists = round % 2 == 0 ? listed : listed.swapped();
    while (length > 0) {
      requireEnd(round, length);
      for (int ahead = 0; ahead < roundsAhead; ahead++) {
        // Nearly every round at least halves the list; any number of threads is right.
        long entries = Math.max(length >> ahead, Math.min(length, FEW_ENTRIES));
        if (!merged) {
          mergeExclusively(lists.present, round, entries, losers);
          flatten(
              forest.form("flatten_losers"),
              round,
              entries,
              new Fields().set("losers", losers).set("components", forest.components()));
        }
        merged = false;
        lists = compact(lists, round++, entries);
      }
      int[] records = records(round - roundsAhead, roundsAhead + 1);
      for (int ahead = 0; ahead < roundsAhead; ahead++) {
        rounds += length(records, ahead) != 0 && isFinished(records, ahead) ? 1 : 0;
      }
      length = length(records, roundsAhead);
    }
  }

  /** The same by transactions, from a list whose least edges are nominated. */
  private void uniteByTransactions(Lists listed) {
    int round = 0;
    int[] record = first;
    boolean merged = false;
    if (together && isFinished(first, 0)) {
      mergeRounds(listed, length(first, 0));
      round = goOnFrom();
      if (round < 0) {
        return;
      }
      record = records(round, 1);
      merged = true;
      rounds++;
    }
    Lists lists = round % 2 == 0 ? listed : listed.swapped();
    while (length(record, 0) > 0) {
      long length = length(record, 0);
      requireEnd(round, length);
      if (!merged && isFinished(record, 0)) {
        mergeNominated(round, Integer.toUnsignedLong(record[recordLeast]));
        rounds++;
      }
      merged = false;
      lists = compact(lists, round++, length);
      nominate(lists.present, round, length);
      record = records(round, 1);
    }
  }

  /** Launches the rounds over a list of at most so many entries. */
  private void uniteRounds(Lists listed, long entries) {
    forest.run(
        forest.form("unite_exclusively"),
        (entries + laneBatch - 1) / laneBatch,
        rounds(listed).set("components", forest.components()).set("losers", losers()));
  }

  /** The same by transactions. */
  private void mergeRounds(Lists listed, long entries) {
    forest.merge(
        "merge_rounds",
        null,
        entries,
        rounds(listed)
            .set("vertices", forest.objects())
            .set("parent", forest.parent())
            .set("edge_of", forest.edgeOf())
            .set("best", forest.best())
            .set("nominated_ends", nominatedEnds())
            .set("nominated_arcs", nominatedArcs()));
  }

  /** The fields of a kernel of many rounds. */
  private Fields rounds(Lists listed) {
    return new Fields()
        .set("ends", listed.present.ends)
        .set("keys", listed.present.keys)
        .set("next_ends", listed.next.ends)
        .set("next_keys", listed.next.keys)
        .set("counters", counters())
        .set("arrived", words.slice(WORDS_OF_LINE * (1L + series), 1).named("arrived"))
        .set("summary", summary());
  }

  /**
   * Counts the rounds of a launch; gives the one that it did not end, or -1 if no edge is left.
   * That one has merged.
   *
   * @throws MagpieException if the launch was stopped, with a round to come
   */
  private int goOnFrom() {
    for (int from = 0; ; from += RECORDS_AT_ONCE) {
      int[] records = records(from, Math.min(RECORDS_AT_ONCE, HookedForest.MAX_ROUNDS + 1 - from));
      for (int i = 0; i < RECORDS_AT_ONCE; i++) {
        if (length(records, i) == 0) {
          return -1;
        }
        requireEnd(from + i, length(records, i));
        int[] record = Arrays.copyOfRange(records, recordWords * i, recordWords * (i + 1));
        requireNotStopped(record, from + i);
        if (record[recordDeep] != 0) {
          return from + i;
        }
        rounds++;
      }
    }
  }

  private void requireNotStopped(int[] record, int round) {
    if (record[recordStopped] != 0) {
      throw new MagpieException(
          String.format(
              Locale.ROOT,
              "the forest is not complete: its rounds were stopped after round %d of a list of"
                  + " edges, because the run was canceled or took more than %s; allow it more"
                  + " time",
              round + 1,
              forest.options().stm().timeout().toString().substring(2).toLowerCase(Locale.ROOT)));
    }
  }

  private static void requireEnd(int round, long length) {
    if (round >= HookedForest.MAX_ROUNDS) {
      throw new IllegalStateException(
          "no end after " + HookedForest.MAX_ROUNDS + " rounds: " + length + " edges are left");
    }
  }

  private DeviceArray<long[]> nominatedEnds() {
    return scratch.longs("nominated_ends", mostLeast);
  }

  private DeviceArray<int[]> nominatedArcs() {
    return ints("nominated_arcs");
  }

  private DeviceArray<int[]> losers() {
    return ints("losers");
  }

  private DeviceArray<int[]> ints(String name) {
    return room == null ? scratch.ints(name, mostLeast) : room.slice(0, mostLeast).named(name);
  }

  /** Lists the entries that are worth a transaction. */
  private void nominate(EdgeList list, int round, long entries) {
    runBatches(
        "nominate",
        entries,
        new Fields()
            .set("round", round)
            .set("counters", counters())
            .set("ends", list.ends)
            .set("keys", list.keys)
            .set("best", forest.best())
            .set("nominated_ends", nominatedEnds())
            .set("nominated_arcs", nominatedArcs()));
  }

  private void mergeNominated(int round, long count) {
    DeviceArray<long[]> ends = nominatedEnds();
    DeviceArray<int[]> arcs = nominatedArcs();
    forest.merge(
        "merge_nominated",
        null,
        count,
        new Fields()
            .set("vertices", forest.objects())
            .set("ends", ends)
            .set("arcs", arcs)
            .set("parent", forest.parent())
            .set("edge_of", forest.edgeOf()));
    flatten(
        "flatten_nominated",
        round,
        count,
        new Fields().set("ends", ends).set("arcs", arcs).set("parent", forest.parent()));
  }

  /** Points the components that a merge has hooked to their roots. */
  private void flatten(String kernel, int round, long components, Fields fields) {
    forest.run(
        kernel,
        Math.min(components, mostLeast),
        fields.set("round", round).set("counters", counters()));
  }

  private void mergeExclusively(EdgeList list, int round, long entries, DeviceArray<int[]> losers) {
    runBatches(
        forest.form("merge_exclusive"),
        entries,
        new Fields()
            .set("round", round)
            .set("counters", counters())
            .set("ends", list.ends)
            .set("keys", list.keys)
            .set("components", forest.components())
            .set("losers", losers));
  }

  /** Makes the next round's list; gives the lists as that round sees them. */
  private Lists compact(Lists lists, int round, long entries) {
    runBatches(
        forest.form("compact"),
        entries,
        new Fields()
            .set("round", round)
            .set("ends", lists.present.ends)
            .set("keys", lists.present.keys)
            .set("components", forest.components())
            .set("next_ends", lists.next.ends)
            .set("next_keys", lists.next.keys)
            .set("counters", counters()));
    return lists.advanced();
  }

  /** Runs a kernel whose threads take several entries each on a GPU; a processor counts entries. */
  private void runBatches(String kernel, long entries, Fields fields) {
    boolean cpu = forest.device().machine() == Machine.CPU;
    forest.run(kernel, cpu ? entries : (entries + laneBatch - 1) / laneBatch, fields);
  }

  /** The records of so many rounds. */
  private int[] records(int from, int count) {
    return counters().slice((long) recordWords * from, (long) recordWords * count).toArray();
  }

  private long length(int[] records, int number) {
    return Integer.toUnsignedLong(records[recordWords * number + recordLength]);
  }

  /** Whether all ends of a list are roots, so that its round merges. */
  private boolean isFinished(int[] records, int number) {
    return records[recordWords * number + recordUnfinished] == 0;
  }
}
