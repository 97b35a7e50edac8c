package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.msf.MsfOptions.Filter;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;

/**
 * The edge-centric form: round one over the graph itself, the others over a shrinking list of the
 * edges that still join two components, by the kernels of edge_form.cuh.
 */
final class EdgeForm implements ForestForm {
  private static final int MAX_WEIGHT = Integer.MAX_VALUE;

  /**
   * Rounds that are launched without looking at the list's length. On processors a look costs
   * nothing.
   */
  private static final int ROUNDS_AHEAD = 5;

  /** Entries for which no fewer threads are launched, however short later lists may be. */
  private static final long FEW_ENTRIES = 1 << 18;

  /** Arcs for each vertex from which {@link Filter#AUTO} filters. */
  private static final int DENSE = 4;

  /** Arcs, per vertex, that count as light. */
  private static final double LIGHT_ARCS = 3;

  /** Entries for which a list has room at least. */
  private static final int LEAST_CAPACITY = 1024;

  private final WorkingForest forest;
  private final DeviceGraph graph;
  private final Scratch scratch;
  private final int vertices;
  private final boolean transactional;
  private final DeviceArray<int[]> start;
  private final DeviceArray<int[]> to;
  private final DeviceArray<int[]> arc;
  private final DeviceArray<int[]> counters;
  private final int roundsAhead;
  private final int laneBatch;
  private final int recordWords;
  private final int recordLength;
  private final int recordUnfinished;
  private final int recordLeast;
  private int rounds;

  EdgeForm(WorkingForest forest) {
    this.forest = forest;
    this.graph = forest.graph();
    this.scratch = graph.scratch();
    this.vertices = graph.vertices();
    this.transactional = forest.transactional();
    this.start = scratch.ints("start", graph.pieces() + 1L);
    // Without transactions the choices are the parents, and the choosing vertex is the one hooked.
    this.to = transactional ? scratch.ints("to", vertices) : forest.parent();
    this.arc = transactional ? scratch.ints("arc", vertices) : forest.edgeOf();
    this.roundsAhead = graph.device().machine() == Machine.CPU ? 1 : ROUNDS_AHEAD;
    this.laneBatch = forest.launches().constant("lane_batch");
    this.recordWords = forest.launches().constant("record_words");
    this.recordLength = forest.launches().constant("record_length");
    this.recordUnfinished = forest.launches().constant("record_unfinished");
    this.recordLeast = forest.launches().constant("record_least");
    this.counters =
        scratch.ints("counters", (long) recordWords * (WorkingForest.MAX_ROUNDS + roundsAhead + 1));
  }

  @Override
  public int solve() {
    choose();
    rounds++;
    int light = lightest(); // while the GPU chooses
    mergeChosen();
    series(0, light);
    if (light != MAX_WEIGHT) {
      forest.shorten(false);
      series(light + 1, MAX_WEIGHT);
    }
    return rounds;
  }

  /** What the vertices chose in round one, which may have been the arc that is not canonical. */
  @Override
  public DeviceArray<int[]> choices() {
    forest.flag().fill(0);
    forest.run(
        "find_canonical",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("offsets", graph.offsets())
            .set("neighbors", graph.neighbors())
            .set("weights", graph.weights())
            .set("to", to)
            .set("choice", arc)
            .set("left", forest.flag()));
    if (forest.flag().getInt(0) != 0) {
      forest.runPieces(
          "canonicalize",
          new Fields()
              .set("offsets", graph.offsets())
              .set("start", start)
              .set("neighbors", graph.neighbors())
              .set("weights", graph.weights())
              .set("choice", arc));
    }
    return arc;
  }

  @Override
  public ArcSet canonical(ArcSet arcs) {
    return arcs;
  }

  /** Round one's discovery: every vertex its least arc. */
  private void choose() {
    DeviceArray<long[]> partialKeys = scratch.longs("partialKeys", 2L * graph.pieces());
    DeviceArray<int[]> partialArcs = scratch.ints("partialArcs", 2L * graph.pieces());
    forest.run(
        "partition",
        graph.pieces() + 1L,
        new Fields()
            .set("vertices", vertices)
            .set("piece", graph.piece())
            .set("count", graph.pieces())
            .set("offsets", graph.offsets())
            .set("start", start)
            .set("arc", arc)
            .set("best", forest.best())
            .set("partial_keys", partialKeys));
    if (transactional) {
      forest.startAlone();
    }
    forest.runPieces(
        "choose",
        new Fields()
            .set("offsets", graph.offsets())
            .set("start", start)
            .set("neighbors", graph.neighbors())
            .set("weights", graph.weights())
            .set("to", to)
            .set("arc", arc)
            .set("best", forest.best())
            .set("partial_keys", partialKeys)
            .set("partial_arcs", partialArcs));
    forest.run(
        "settle",
        graph.pieces(),
        new Fields()
            .set("vertices", vertices)
            .set("piece", graph.piece())
            .set("count", graph.pieces())
            .set("offsets", graph.offsets())
            .set("start", start)
            .set("best", forest.best())
            .set("partial_keys", partialKeys)
            .set("partial_arcs", partialArcs)
            .set("to", to)
            .set("arc", arc));
  }

  private void mergeChosen() {
    if (transactional) {
      forest.merge(
          "merge_chosen",
          null,
          vertices,
          new Fields()
              .set("vertices", graph.objects())
              .set("to", to)
              .set("arc", arc)
              .set("parent", forest.parent())
              .set("edge_of", forest.edgeOf()));
      forest.shorten(true);
    } else {
      forest.flag().fill(0);
      forest.run(
          "hook_chosen",
          vertices,
          new Fields()
              .set("vertices", vertices)
              .set("parent", forest.parent())
              .set("edge_of", forest.edgeOf())
              .set("best", forest.best())
              .set("deep", forest.flag()));
    }
  }

  /** The weight up to which edges go first; the largest weight if all go at once. */
  private int lightest() {
    int arcs = graph.arcs();
    Filter filter = forest.options().filter();
    boolean on = filter == Filter.ON || filter == Filter.AUTO && arcs / vertices >= DENSE;
    return on && graph.graph().weighted() && arcs != 0
        ? graph.keyOfShare(Math.min(1.0, LIGHT_ARCS * vertices / arcs))
        : MAX_WEIGHT;
  }

  /** Lists the edges of weight {@code least} to {@code largest}, and unites along them. */
  private void series(int least, int largest) {
    long edges = graph.graph().edges();
    long capacity = Math.min(edges, Math.max(LEAST_CAPACITY, edges - vertices / 2));
    if (largest != MAX_WEIGHT || least != 0) {
      capacity = Math.min(capacity, Math.max(LEAST_CAPACITY, (long) (LIGHT_ARCS * vertices)));
    }
    int[] first;
    long length = 0;
    DeviceArray<long[]> ends;
    DeviceArray<long[]> keys;
    do {
      // A list that was too short for its edges is made as long as it must be, and built again.
      capacity = Math.max(capacity, length);
      counters.fill(0);
      ends = scratch.longsFrom("ends0", capacity);
      keys = scratch.longsFrom("keys0", capacity);
      forest.runPieces(
          "build",
          new Fields()
              .set("lightest", least)
              .set("heaviest", largest)
              .set("offsets", graph.offsets())
              .set("start", start)
              .set("neighbors", graph.neighbors())
              .set("weights", graph.weights())
              .set("parent", forest.parent())
              .set("best", forest.best())
              .set("ends", ends)
              .set("keys", keys)
              .set("counters", counters)
              .set("deep", forest.flag()));
      if (transactional) {
        nominate(new Lists(ends, keys, null, null), 0, capacity);
      }
      first = records(0, 1);
      length = length(first, 0);
    } while (length > Math.min(ends.length(), keys.length()));
    if (length > 0) {
      Lists lists =
          new Lists(
              ends, keys, scratch.longsFrom("ends1", length), scratch.longsFrom("keys1", length));
      if (transactional) {
        uniteByTransactions(lists, first);
      } else {
        unite(lists, length);
      }
    }
  }

  /** Unites along the edges of a list until none joins two components. */
  private void unite(Lists listed, long listedLength) {
    DeviceArray<int[]> losers = scratch.ints("losers", mostComponents());
    Lists lists = listed;
    long length = listedLength;
    for (int round = 0; length > 0; ) {
      requireEnd(round, length);
      for (int ahead = 0; ahead < roundsAhead; ahead++) {
        // Nearly every round at least halves the list; any number of threads is right.
        long entries = Math.max(length >> ahead, Math.min(length, FEW_ENTRIES));
        mergeExclusively(lists, round, entries, losers);
        flatten("flatten_losers", round, entries, new Fields().set("losers", losers));
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
  private void uniteByTransactions(Lists listed, int[] first) {
    Lists lists = listed;
    int[] record = first;
    for (int round = 0; length(record, 0) > 0; ) {
      long length = length(record, 0);
      requireEnd(round, length);
      if (isFinished(record, 0)) {
        mergeNominated(round, Integer.toUnsignedLong(record[recordLeast]));
        rounds++;
      }
      lists = compact(lists, round++, length);
      nominate(lists, round, length);
      record = records(round, 1);
    }
  }

  private static void requireEnd(int round, long length) {
    if (round >= WorkingForest.MAX_ROUNDS) {
      throw new IllegalStateException(
          "no end after " + WorkingForest.MAX_ROUNDS + " rounds: " + length + " edges are left");
    }
  }

  /** Components that have an edge after round one: each of at least two vertices. */
  private long mostComponents() {
    return Math.max(1, vertices / 2);
  }

  private DeviceArray<long[]> nominatedEnds() {
    return scratch.longs("nominatedEnds", mostComponents());
  }

  private DeviceArray<int[]> nominatedArcs() {
    return scratch.ints("nominatedArcs", mostComponents());
  }

  /** Lists the entries that are worth a transaction. */
  private void nominate(Lists lists, int round, long entries) {
    runBatches(
        "nominate",
        entries,
        new Fields()
            .set("round", round)
            .set("counters", counters)
            .set("ends", lists.ends)
            .set("keys", lists.keys)
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
            .set("vertices", graph.objects())
            .set("ends", ends)
            .set("arcs", arcs)
            .set("parent", forest.parent())
            .set("edge_of", forest.edgeOf()));
    flatten("flatten_nominated", round, count, new Fields().set("ends", ends).set("arcs", arcs));
  }

  /** Points the components that a merge has hooked to their roots. */
  private void flatten(String kernel, int round, long components, Fields fields) {
    forest.run(
        kernel,
        Math.min(components, mostComponents()),
        fields.set("round", round).set("counters", counters).set("parent", forest.parent()));
  }

  private void mergeExclusively(Lists lists, int round, long entries, DeviceArray<int[]> losers) {
    runBatches(
        "merge_exclusive",
        entries,
        new Fields()
            .set("round", round)
            .set("counters", counters)
            .set("ends", lists.ends)
            .set("keys", lists.keys)
            .set("parent", forest.parent())
            .set("edge_of", forest.edgeOf())
            .set("best", forest.best())
            .set("losers", losers));
  }

  /** Makes the next round's list; gives it as the first of the two. */
  private Lists compact(Lists lists, int round, long entries) {
    runBatches(
        "compact",
        entries,
        new Fields()
            .set("round", round)
            .set("ends", lists.ends)
            .set("keys", lists.keys)
            .set("parent", forest.parent())
            .set("best", forest.best())
            .set("next_ends", lists.nextEnds)
            .set("next_keys", lists.nextKeys)
            .set("counters", counters));
    return new Lists(lists.nextEnds, lists.nextKeys, lists.ends, lists.keys);
  }

  /** Runs a kernel whose threads take several entries each on a GPU; a processor counts entries. */
  private void runBatches(String kernel, long entries, Fields fields) {
    boolean cpu = graph.device().machine() == Machine.CPU;
    forest.run(kernel, cpu ? entries : (entries + laneBatch - 1) / laneBatch, fields);
  }

  /** The records of so many rounds. */
  private int[] records(int first, int count) {
    return counters.slice((long) recordWords * first, (long) recordWords * count).toArray();
  }

  private long length(int[] records, int number) {
    return Integer.toUnsignedLong(records[recordWords * number + recordLength]);
  }

  /** Whether all ends of a list are roots, so that its round merges. */
  private boolean isFinished(int[] records, int number) {
    return records[recordWords * number + recordUnfinished] == 0;
  }

  /** The present list and room for the next one. */
  private record Lists(
      DeviceArray<long[]> ends,
      DeviceArray<long[]> keys,
      DeviceArray<long[]> nextEnds,
      DeviceArray<long[]> nextKeys) {}
}
