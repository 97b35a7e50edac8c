package io.magpie.algorithms.partition;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.partition.PartitionOptions.Candidates;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.StmObjects;
import io.magpie.stm.parallel.Primitives;

/**
 * Matches the vertices of a graph on the device in pairs: rounds in which free vertices choose a
 * neighbor; where more than a quarter stays free, pairs of vertices over a common neighbor: leaves,
 * then twins, then relatives, first over neighbors of moderate degree and then over hubs, each only
 * while it is still more than a quarter (two-hop matching: LaSalle, Patwary, Satish, Sundaram,
 * Dubey, Karypis: Improving graph partitioning for modern graphs and architectures, IA3 2015).
 */
final class VertexMatching implements AutoCloseable {
  /** Rounds of a level at most. */
  private static final int MOST_ROUNDS = 12;

  /** Rounds that are launched without looking how many vertices are free. */
  private static final int ROUNDS_AHEAD = 4;

  /** A round that matches less than one of so many of the level's vertices is the last. */
  private static final int WORTHWHILE = 500;

  /** Pairs over a common neighbor are made while more than one of so many vertices is free. */
  private static final int MANY_FREE = 4;

  /** The key of a vertex that has too many neighbors to be a twin. */
  private static final int NO_TWIN = -1;

  private final Launches launches;
  private final Primitives primitives;
  private final Scratch scratch;
  private final PartitionOptions options;
  private final int ratedBy;
  private StmObjects objects;

  VertexMatching(
      Launches launches, Primitives primitives, Scratch scratch, PartitionOptions options) {
    this.launches = launches;
    this.primitives = primitives;
    this.scratch = scratch;
    this.options = options;
    this.ratedBy =
        launches.constant(
            switch (options.rating()) {
              case RANDOM -> "rating_random";
              case HEAVY_EDGE -> "rating_heavy_edge";
              case LIGHT_VERTICES -> "rating_light_vertices";
            });
  }

  /**
   * Matches the vertices of a graph.
   *
   * @param heaviest the most that a pair may weigh
   * @param salt distinguishes the random choices of this call from those of others
   * @param parts only vertices of equal parts are matched, and neighbors of which one has part -1;
   *     null if all may be
   * @param numbers parts are below this, or below one less if there is a -1
   * @param match receives each vertex's partner, -1 for one that stays alone
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish
   */
  MatchCounts match(
      DeviceGraph graph,
      int heaviest,
      int salt,
      DeviceArray<int[]> parts,
      int numbers,
      DeviceArray<int[]> match) {
    return new GraphMatching(graph, heaviest, salt, parts, numbers, match).run();
  }

  /** Frees what transactions needed. */
  @Override
  public void close() {
    if (objects != null) {
      scratch.memory().free(objects);
      objects = null;
    }
  }

  private StmObjects objects(int vertices) {
    if (objects == null || objects.count() < vertices) {
      close();
      objects = scratch.memory().objects(vertices);
    }
    return objects;
  }

  /** The matching of one graph. */
  private final class GraphMatching {
    private final DeviceGraph graph;
    private final int vertices;
    private final int heaviest;
    private final long seed;
    private final DeviceArray<int[]> parts;
    private final int numbers;
    private final DeviceArray<int[]> match;

    /** The length of each round's list, and how many it matched. */
    private final DeviceArray<int[]> counts;

    /** Vertices of the rounds to come, at most. */
    private int listed;

    private int free;

    GraphMatching(
        DeviceGraph graph,
        int heaviest,
        int salt,
        DeviceArray<int[]> parts,
        int numbers,
        DeviceArray<int[]> match) {
      this.graph = graph;
      this.vertices = graph.vertices();
      this.heaviest = heaviest;
      this.seed = SeededHash.at(options.seed(), salt);
      this.parts = parts;
      this.numbers = numbers;
      this.match = match;
      this.counts = scratch.ints("counts", 2 * MOST_ROUNDS + 1);
    }

    MatchCounts run() {
      int[] start = new int[2 * MOST_ROUNDS + 1];
      start[0] = vertices;
      listed = vertices;
      free = vertices;
      counts.copyFrom(start);
      match.fill(-1);
      int rounds = rounds();
      int afterRounds = free;
      matchLeaves();
      int afterLeaves = free;
      matchTwins();
      int afterTwins = free;
      matchRelatives(false);
      matchRelatives(true);
      return new MatchCounts(
          vertices,
          rounds,
          vertices - afterRounds,
          afterRounds - afterLeaves,
          afterLeaves - afterTwins,
          afterTwins - free);
    }

    /** The vertices of a round; null for all. */
    private DeviceArray<int[]> list(int ofRound) {
      return ofRound == 0 ? null : scratch.ints("list" + ofRound % 2, vertices);
    }

    /** Returns how many there were. */
    private int rounds() {
      int fewest = Math.max(1, vertices / WORTHWHILE);
      // A region's items are counted on the host.
      int ahead = options.matching() == PartitionOptions.Matching.STM ? 1 : ROUNDS_AHEAD;
      int round = 0;
      int seen = 0;
      do {
        for (int i = 0; i < ahead; i++) {
          round(round++, fewest);
        }
        int[] now = new int[2 * round + 1];
        counts.copyTo(now, 0, 0, now.length);
        listed = now[2 * round];
        while (seen < round) {
          int matched = now[2 * seen++ + 1];
          free -= matched;
          if (matched < fewest) {
            return seen;
          }
        }
      } while (round < MOST_ROUNDS);
      return round;
    }

    private void round(int number, int fewest) {
      switch (options.matching()) {
        case PROPOSALS -> {
          DeviceArray<int[]> want = scratch.ints("want", vertices);
          choose("propose", number, fewest, want);
          launches.run("settle", listed, ending(number, fewest).set("want", want));
        }
        case ATOMIC -> {
          choose("match_by_exchange", number, fewest, null);
          launches.run(
              "list_free", listed, ending(number, fewest).set("want", (DeviceArray<?>) null));
        }
        case STM -> {
          DeviceArray<int[]> want = scratch.ints("want", vertices);
          choose("propose", number, fewest, want);
          launches.transact(
              "match_pair",
              list(number),
              listed,
              new Fields().set("objects", objects(vertices)).set("want", want).set("match", match));
          launches.run("list_free", listed, ending(number, fewest).set("want", want));
        }
        case ATOMIC_FREE -> {
          choose("match_by_stores", number, fewest, null);
          launches.run("correct", listed, ending(number, fewest));
        }
      }
    }

    /** What every kernel that ends a round has: it lists the vertices of the next one. */
    private Fields ending(int number, int fewest) {
      return new Fields()
          .set("round", number)
          .set("fewest", fewest)
          .set("counts", counts)
          .set("list", list(number))
          .set("match", match)
          .set("next", list(number + 1));
    }

    /**
     * A kernel in which each vertex of a round chooses a neighbor.
     *
     * @param want where to; null for a kernel that matches at once
     */
    private void choose(String kernel, int number, int fewest, DeviceArray<int[]> want) {
      Fields fields =
          new Fields()
              .set("round", number)
              .set("fewest", fewest)
              .set("rated_by", ratedBy)
              .set("any", options.candidates() == Candidates.ANY ? 1 : 0)
              .set("heaviest", heaviest)
              .set("key", SeededHash.at(seed, number))
              .set("counts", counts)
              .set("list", list(number))
              .set("offsets", graph.offsets())
              .set("neighbors", graph.neighbors())
              .set("weights", graph.weights())
              .set("vertex_weights", graph.vertexWeights())
              .set("parts", parts)
              .set("match", match);
      launches.run(kernel, listed, want == null ? fields : fields.set("want", want));
    }

    // ---- Pairs over a common neighbor.

    private boolean manyFree() {
      return (long) free * MANY_FREE > vertices;
    }

    private void matchLeaves() {
      if (manyFree()) {
        DeviceArray<int[]> list = listFree();
        DeviceArray<int[]> keys = scratch.ints("keys", free);
        launches.run(
            "key_leaves",
            free,
            new Fields()
                .set("count", free)
                .set("vertices", vertices)
                .set("list", list)
                .set("offsets", graph.offsets())
                .set("neighbors", graph.neighbors())
                .set("keys", keys));
        matchEqual(list, keys, vertices + 1, vertices + 1, false);
      }
    }

    private void matchTwins() {
      if (manyFree()) {
        DeviceArray<int[]> list = listFree();
        DeviceArray<int[]> keys = scratch.ints("keys", free);
        launches.run(
            "key_twins",
            free,
            new Fields()
                .set("count", free)
                .set("key", seed)
                .set("list", list)
                .set("offsets", graph.offsets())
                .set("neighbors", graph.neighbors())
                .set("keys", keys));
        matchEqual(list, keys, NO_TWIN, NO_TWIN, true);
      }
    }

    /** With hubs, over the common neighbor of least degree; else over none of many neighbors. */
    private void matchRelatives(boolean hubs) {
      if (manyFree()) {
        DeviceArray<int[]> list = listFree();
        DeviceArray<int[]> keys = scratch.ints("keys", free);
        launches.run(
            "key_relatives",
            free,
            new Fields()
                .set("count", free)
                .set("vertices", vertices)
                .set("hubs", hubs ? 1 : 0)
                .set("key", seed)
                .set("list", list)
                .set("offsets", graph.offsets())
                .set("neighbors", graph.neighbors())
                .set("weights", graph.weights())
                .set("keys", keys));
        matchEqual(list, keys, vertices, vertices, false);
      }
    }

    /** The free vertices in ascending order, or those of a part after those of the one before. */
    private DeviceArray<int[]> listFree() {
      DeviceArray<int[]> flags = scratch.ints("numbers", vertices + 1L).slice(0, vertices);
      DeviceArray<int[]> list = scratch.ints("list0", vertices).slice(0, free);
      launches.run(
          "mark_free",
          vertices,
          new Fields().set("vertices", vertices).set("match", match).set("flags", flags));
      launches.primitives("pack", vertices, () -> primitives.pack(null, flags, list));
      if (parts != null) {
        DeviceArray<int[]> keys = scratch.ints("keys", free);
        launches.run(
            "gather",
            free,
            new Fields().set("n", free).set("index", list).set("from", parts).set("to", keys));
        sort(keys, list, numbers - 1);
      }
      return list;
    }

    private void sort(DeviceArray<int[]> keys, DeviceArray<int[]> list, int largest) {
      int bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(largest));
      launches.primitives("sort", free, () -> primitives.sort(keys, list, bits));
    }

    /**
     * Matches vertices of equal keys.
     *
     * @param limit keys from here on, unsigned, say that a vertex has none
     * @param largest the largest key, unsigned
     * @param exact whether equal keys are only a hint that all neighbors are the same
     */
    private void matchEqual(
        DeviceArray<int[]> list, DeviceArray<int[]> keys, int limit, int largest, boolean exact) {
      sort(keys, list, largest);
      DeviceArray<int[]> pairs = scratch.ints("total", 1);
      pairs.fill(0);
      launches.run(
          "match_equal_keys",
          free,
          new Fields()
              .set("count", free)
              .set("limit", limit)
              .set("exact", exact ? 1 : 0)
              .set("heaviest", heaviest)
              .set("keys", keys)
              .set("list", list)
              .set("offsets", graph.offsets())
              .set("neighbors", graph.neighbors())
              .set("vertex_weights", graph.vertexWeights())
              .set("parts", parts)
              .set("match", match)
              .set("pairs", pairs));
      free -= 2 * pairs.getInt(0);
    }
  }
}
