package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.msf.MsfOptions.Filter;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import java.util.Arrays;

/**
 * The edge-centric form: round one over the graph itself, the others over a shrinking list of the
 * edges that still join two components, by the kernels of edge_form.cuh.
 */
final class EdgeForm implements ForestForm {
  private static final int MAX_WEIGHT = Integer.MAX_VALUE;

  /** Rounds that are launched without looking at the list's length. */
  private static final int ROUNDS_AHEAD = 3;

  /** Arcs for each vertex from which {@link Filter#AUTO} filters. */
  private static final int DENSE = 4;

  /** Arcs, per vertex, that count as light. */
  private static final double LIGHT_ARCS = 3;

  private static final int SAMPLES = 4096;

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
    this.counters = scratch.ints("counters", 2L * (WorkingForest.MAX_ROUNDS + ROUNDS_AHEAD + 1));
  }

  @Override
  public int solve() {
    choose();
    rounds++;
    mergeChosen();
    int light = forest.options().filter() == Filter.OFF ? MAX_WEIGHT : lightest();
    series(0, light);
    if (light != MAX_WEIGHT) {
      forest.flatten(false);
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
  public int[] canonical(int[] arcs) {
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
      forest.flatten(true);
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
    boolean on = forest.options().filter() == Filter.ON || arcs / vertices >= DENSE;
    if (!on || !graph.graph().weighted() || arcs == 0) {
      return MAX_WEIGHT;
    }
    int[] all = graph.graph().weights();
    int[] sample = new int[Math.min(SAMPLES, arcs)];
    long state = 0x9e3779b97f4a7c15L;
    for (int i = 0; i < sample.length; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      sample[i] = all[(int) Math.floorMod(state >>> 16, (long) arcs)];
    }
    Arrays.sort(sample);
    double share = Math.min(1.0, LIGHT_ARCS * vertices / arcs);
    return sample[(int) Math.min(sample.length - 1L, (long) (share * sample.length))];
  }

  /** Lists the edges of weight {@code least} to {@code largest}, and unites along them. */
  private void series(int least, int largest) {
    long edges = graph.graph().edges();
    long capacity = Math.min(edges, Math.max(LEAST_CAPACITY, edges - vertices / 2));
    if (largest != MAX_WEIGHT || least != 0) {
      capacity = Math.min(capacity, Math.max(LEAST_CAPACITY, (long) (LIGHT_ARCS * vertices)));
    }
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
      length = lengthOf(0);
    } while (length > Math.min(ends.length(), keys.length()));
    if (length > 0) {
      unite(ends, keys, length);
    }
  }

  /** Unites along the edges of a list until none joins two components. */
  private void unite(DeviceArray<long[]> ends, DeviceArray<long[]> keys, long listed) {
    Lists lists =
        new Lists(
            ends, keys, scratch.longsFrom("ends1", listed), scratch.longsFrom("keys1", listed));
    long length = listed;
    for (int round = 0; length > 0; ) {
      if (round >= WorkingForest.MAX_ROUNDS) {
        throw new IllegalStateException(
            "no end after " + WorkingForest.MAX_ROUNDS + " rounds: " + length + " edges are left");
      }
      if (transactional) {
        if (counters.getInt(2L * round + 1) == 0) {
          mergeByTransactions(lists, round, length);
          rounds++;
        }
        lists = compact(lists, round++, length);
      } else {
        for (int ahead = 0; ahead < ROUNDS_AHEAD; ahead++) {
          mergeExclusively(lists, round, length);
          lists = compact(lists, round++, length);
        }
        rounds += roundsWithMerge(round - ROUNDS_AHEAD);
      }
      length = lengthOf(round);
    }
  }

  private void mergeByTransactions(Lists lists, int round, long length) {
    DeviceArray<int[]> items = null;
    long count = length;
    if (graph.device().machine() != Machine.CUDA) {
      items = scratch.ints("items", vertices);
      count = selectLeast(lists, round, length, items);
    }
    forest.merge(
        "merge_list",
        items,
        count,
        new Fields()
            .set("vertices", graph.objects())
            .set("ends", lists.ends)
            .set("keys", lists.keys)
            .set("parent", forest.parent())
            .set("edge_of", forest.edgeOf())
            .set("best", forest.best()));
  }

  /** Lists the entries that are worth a transaction; gives their number. */
  private long selectLeast(Lists lists, int round, long length, DeviceArray<int[]> items) {
    DeviceArray<int[]> count = scratch.ints("count", 1);
    count.fill(0);
    forest.run(
        "select_least",
        length,
        new Fields()
            .set("round", round)
            .set("counters", counters)
            .set("ends", lists.ends)
            .set("keys", lists.keys)
            .set("best", forest.best())
            .set("items", items)
            .set("count", count));
    return Integer.toUnsignedLong(count.getInt(0));
  }

  private void mergeExclusively(Lists lists, int round, long length) {
    forest.run(
        "merge_exclusive",
        length,
        new Fields()
            .set("round", round)
            .set("counters", counters)
            .set("ends", lists.ends)
            .set("keys", lists.keys)
            .set("parent", forest.parent())
            .set("edge_of", forest.edgeOf())
            .set("best", forest.best()));
  }

  /** Makes the next round's list; gives it as the first of the two. */
  private Lists compact(Lists lists, int round, long length) {
    forest.run(
        "compact",
        length,
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

  private long lengthOf(int round) {
    return Integer.toUnsignedLong(counters.getInt(2L * round));
  }

  /** How many of the rounds launched ahead had a list, and merged. */
  private int roundsWithMerge(int first) {
    int[] lengths = new int[2 * ROUNDS_AHEAD];
    counters.copyTo(lengths, 0, 2L * first, lengths.length);
    int merged = 0;
    for (int ahead = 0; ahead < ROUNDS_AHEAD; ahead++) {
      merged += lengths[2 * ahead] != 0 && lengths[2 * ahead + 1] == 0 ? 1 : 0;
    }
    return merged;
  }

  /** The present list and room for the next one. */
  private record Lists(
      DeviceArray<long[]> ends,
      DeviceArray<long[]> keys,
      DeviceArray<long[]> nextEnds,
      DeviceArray<long[]> nextKeys) {}
}
