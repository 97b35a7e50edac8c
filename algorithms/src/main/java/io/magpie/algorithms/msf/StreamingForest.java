package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Workspace;
import io.magpie.algorithms.msf.ListRounds.EdgeList;
import io.magpie.algorithms.msf.MsfOptions.Filter;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import io.magpie.stm.StmObjects;
import io.magpie.stm.parallel.Primitives;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The forest of the edges so far, on a device, by the kernels of stream.cuh: its edges in ascending
 * order of number, and behind them those of later chunks that the forest does not make needless.
 */
final class StreamingForest extends HookedForest {
  /** The module on a device, and an object for each vertex. */
  static final class Place extends Workspace {
    private final int vertices;
    private StmObjects objects;

    Place(DeviceMemory memory, int vertices) {
      super(memory, DeviceGraph.MODULE);
      this.vertices = vertices;
    }

    private StmObjects objects() {
      if (objects == null) {
        objects = kept(memory().objects(vertices));
      }
      return objects;
    }
  }

  /**
   * Edges on the device that are to be added, from 0.
   *
   * @param sources one end of each
   * @param targets the other
   * @param weights their bits, or where these have 64, room for as many ints
   * @param wide their bits if they have 64; else null
   * @param numbers of each; null if they follow each other
   * @param first the number of the first
   * @param count how many
   */
  record Arrived(
      DeviceArray<int[]> sources,
      DeviceArray<int[]> targets,
      DeviceArray<int[]> weights,
      DeviceArray<long[]> wide,
      DeviceArray<long[]> numbers,
      long first,
      int count) {}

  /** Edges for each vertex, in all, from which {@link Filter#AUTO} takes light ones first. */
  private static final int DENSE = 3;

  /** Edges, per vertex, that count as light. */
  private static final double LIGHT_EDGES = 1.5;

  /** Edges, per vertex, with which the first forest is made. */
  private static final int FIRST_EDGES = 2;

  /** Edges, per vertex, that are worth a new forest. */
  static final int ENOUGH_EDGES = 4;

  /** The same of both at least. */
  private static final int LEAST_ENOUGH = 1024;

  /**
   * Rooms of a list from which the edges of a range may come that is behind the light ones of a
   * dense graph: nearly all of them join no two components any more.
   */
  private static final int HEAVY_ROOMS = 4;

  /**
   * Vertices for each entry that lists have room for at least: with transactions four longs of each
   * hold half of the tree, and the components' parents the other half.
   */
  private static final int VERTICES_PER_ENTRY = 8;

  /** The same at least. */
  private static final int LEAST_ROOM = 64;

  /** Share of the free memory that merging leaves alone, unless less is needed: 1 of so many. */
  private static final int SPARED = 8;

  /** The arrays that take edges over. */
  private static final List<String> MERGE_ARRAYS = List.of("places", "merged", "arrived");

  /** Edges of a chunk for each that another forest's are taken over with at least. */
  private static final int LEAST_PART = 16;

  /** Share of a list's room that the sample is trusted to fill. */
  private static final double TRUSTED_SHARE = 0.85;

  /** Bytes of all that does not grow with vertices, edges and chunks, at most. */
  static final int FEW_BYTES = 1 << 18;

  /**
   * Bytes for each weight that is sorted: 8 for another place, half as much again for a longer
   * sort's, and counts of digits.
   */
  private static final int SORT_BYTES = 14;

  /** Keys that stand for all. */
  private static final int SAMPLES = 1 << 14;

  /** The largest key as unsigned bits. */
  private static final long HEAVIEST = -1;

  private final Place place;
  private final WeightType type;
  private final RankedWeights ranked; // null for weights of 32 bits
  private final int chunk;
  private final int room;
  private final int enoughAtFirst;
  private final int enough;
  private final Primitives primitives;
  private final ListRounds rounds;
  private final DeviceArray<long[]> ends;
  private final DeviceArray<int[]> weights;
  private final KeptNumbers numbers;
  private final DeviceArray<int[]> flags;
  private final DeviceArray<int[]> positions;
  private final DeviceArray<int[]> tallies;
  private final DeviceArray<long[]> nodes; // the first of the tree; lists while there is none
  private final EdgeList list;
  private final EdgeList later;
  private final int[] noTallies;
  private final DeviceArray<long[]> noNumbers; // where those of a chunk follow each other
  private final int kept;
  private final int wrong;
  private int edges;
  private int held;
  private boolean hasTree;
  private int mergedRoom; // edges that the arrays of merges have room for
  private int arrivedRoom; // those of them that come

  /**
   * Allocates all that there will be.
   *
   * @param most the most edges that the forest may ever have
   * @param chunk the most edges of a chunk
   * @param room for edges behind the forest, at least of a chunk
   */
  StreamingForest(
      Place place,
      int vertices,
      WeightType type,
      int most,
      int chunk,
      int room,
      MsfOptions options) {
    super(
        place,
        vertices,
        options,
        new Launches(place.module(), options.phaseTimes(), options.stm(), true),
        !transactional(options));
    int capacity = Math.addExact(most, room);
    int entries = listRoom(vertices, chunk);
    int part = Math.max(entries, chunk);
    this.place = place;
    this.type = type;
    this.room = room;
    this.chunk = chunk;
    this.enoughAtFirst = enough(FIRST_EDGES);
    this.enough = enough(ENOUGH_EDGES);
    this.primitives = Primitives.of(place.device());
    this.ends = scratch().longs("ends", capacity);
    this.noNumbers = ends.slice(0, 0).asConst().named("chunk_numbers");
    this.weights = scratch().ints("kept_weights", capacity);
    this.numbers = new KeptNumbers(this, capacity);
    this.flags = scratch().ints("flags", part);
    this.positions = scratch().ints("positions", part);
    this.rounds = new ListRounds(this, Math.min(vertices, entries), flags); // which packing needs
    this.nodes = scratch().longs("nodes", nodeRoom(entries, most, joint()));
    this.list = list(0, entries);
    this.later = list(2, entries);
    this.kept = launches().constant("tally_kept");
    this.wrong = launches().constant("tally_wrong");
    this.tallies = scratch().ints("tallies", launches().constant("tally_words"));
    this.noTallies = new int[(int) tallies.length()];
    this.noTallies[wrong] = -1;
    this.ranked = EdgeChunk.isWide(type) ? new RankedWeights(this, capacity) : null;
    startAlone();
  }

  /**
   * Bytes that all this takes at most, with the arrays of a chunk, but for those of primitives and
   * of transactions in flight, and {@link #FEW_BYTES}.
   *
   * @param gaps whether numbers have any
   */
  static long bytes(
      int vertices,
      WeightType type,
      int most,
      int chunk,
      int room,
      MsfOptions options,
      boolean gaps) {
    long capacity = (long) most + room;
    long entries = listRoom(vertices, chunk);
    boolean wide = EdgeChunk.isWide(type);
    boolean joint = !transactional(options);
    long united = Math.min(vertices, entries);
    int number = gaps ? Long.BYTES : Integer.BYTES;
    return ((wide ? 36 : 12) + number) * capacity
        + (joint ? 8L : 20L) * vertices
        + Long.BYTES * nodeRoom(entries, most, joint)
        + (joint ? 0 : Long.BYTES * united)
        + 8 * Math.max(entries, chunk)
        + ((wide ? 20L : 12L) + (gaps ? Long.BYTES : 0)) * chunk;
  }

  /**
   * Bytes of primitives at most, beside {@link #FEW_BYTES}: to sort as many weights of 64 bits as
   * there is room for.
   */
  static long primitiveBytes(WeightType type, int most, int room) {
    return EdgeChunk.isWide(type) ? SORT_BYTES * ((long) most + room) : 0;
  }

  /** The same of this one. */
  long primitiveBytes() {
    return primitiveBytes(type, 0, capacity());
  }

  /**
   * Bytes with which it can take over what another one keeps, in addition to all others.
   *
   * @param most the most edges that either may ever have
   */
  static long leastMergeBytes(WeightType type, int most, int chunk) {
    int part = leastPart(chunk);
    return mergeBytes(type, (long) most + part, part);
  }

  /** Bytes for each edge that there is room for, without those of primitives. */
  static int roomBytes(WeightType type) {
    return EdgeChunk.isWide(type) ? 44 : 20;
  }

  private static int leastPart(int chunk) {
    return Math.max(1, chunk / LEAST_PART);
  }

  private int enough(int edgesPerVertex) {
    return (int) Math.min(room, Math.max(LEAST_ENOUGH, (long) edgesPerVertex * vertices()));
  }

  /**
   * Longs for both lists, in whose place the tree's nodes are later. With joint words these must
   * all fit here; else those that do not lie where components are.
   */
  private static long nodeRoom(long entries, int most, boolean joint) {
    long lists = 4 * entries;
    return joint ? Math.max(lists, most) : lists;
  }

  /** Entries of a list. */
  private static int listRoom(int vertices, int chunk) {
    int least = vertices / VERTICES_PER_ENTRY + 1;
    return Math.max(chunk, Math.max(LEAST_ROOM, least));
  }

  /** A list in the place of the tree's nodes. */
  private EdgeList list(long from, long entries) {
    return new EdgeList(
        nodes.slice(from * entries, entries), nodes.slice((from + 1) * entries, entries));
  }

  /** Whether edges that come are tested by the forest so far. */
  private boolean tests() {
    return options().filter() != Filter.OFF;
  }

  @Override
  StmObjects objects() {
    return place.objects();
  }

  /** Rounds that united something. */
  int rounds() {
    return rounds.rounds();
  }

  /**
   * Bytes of what is needed between chunks: the forest's edges, of two ends, a weight and half a
   * number or all of it each, with weights of 64 bits also those, and those in order; and the
   * tree's leaves, one for each vertex, and its nodes, fewer than the forest has edges.
   */
  long stateBytes() {
    long most = ends.length() - room;
    return (Long.BYTES + Integer.BYTES + Integer.BYTES) * most
        + numbers.highs().bytes() / ends.length() * most
        + (ranked == null ? 0 : ranked.bytes(most))
        + Long.BYTES * (vertices() + most);
  }

  /** Number of edges of the present forest. */
  int edges() {
    return edges;
  }

  /**
   * Adds edges, all of whose numbers are above those before.
   *
   * @return the first of them that is none, so that the forest is of no more use; -1 if all are
   *     right
   */
  int add(Arrived arrived) {
    for (int from = 0; from < arrived.count; ) {
      int left = arrived.count - from;
      if (isTimeForForest(left)) {
        makeForest();
        if (tests()) {
          makeTree();
        }
      }
      int count = Math.min(left, room - held);
      if (tests() && !hasTree) {
        // For a forest that spares most of the others the rounds.
        count = Math.min(count, enoughAtFirst);
      }
      count = numbers.together(arrived, from, count);
      int bad = test(arrived, from, count);
      if (bad >= 0) {
        return bad;
      }
      from += count;
    }
    return -1;
  }

  private boolean isTimeForForest(int left) {
    return held > 0
        && (held == room
            || tests()
                && (held >= (hasTree ? enough : enoughAtFirst)
                    || room - held < Math.min(left, room / 2)));
  }

  /**
   * Keeps those of a part of the edges that may belong to the forest; gives the first wrong one.
   */
  private int test(Arrived arrived, int from, int count) {
    tallies.copyFrom(noTallies);
    if (ranked != null) {
      ranked.rankArrived(arrived, from, count, hasTree, tallies);
    }
    run(
        "test_edges",
        count,
        new Fields()
            .set("from", from)
            .set("count", count)
            .set("vertices", vertices())
            .set("floating", type == WeightType.FLOAT ? 1 : 0)
            .set("reverse", ranked == null && reverse() ? 1 : 0)
            .set("tested", hasTree ? 1 : 0)
            .set("sources", arrived.sources)
            .set("targets", arrived.targets)
            .set("weights", arrived.weights)
            .set("made", tree())
            .set("flags", flags)
            .set("tallies", tallies));
    int[] result = tallies.toArray();
    if (result[wrong] != -1 || result[kept] == 0) {
      return result[wrong];
    }
    launches()
        .primitives(
            "pack",
            count,
            () -> primitives.pack(null, flags.slice(0, count), positions, tallies.slice(kept, 1)));
    numbers.expect(arrived, from, length());
    run(
        "take_edges",
        result[kept],
        new Fields()
            .set("count", result[kept])
            .set("from", from)
            .set("kept", edges + held)
            .set("floating", type == WeightType.FLOAT ? 1 : 0)
            .set("reverse", ranked == null && reverse() ? 1 : 0)
            .set("consecutive", arrived.numbers == null ? 1 : 0)
            .set("first", arrived.first)
            .set("positions", positions)
            .set("sources", arrived.sources)
            .set("targets", arrived.targets)
            .set("weights", arrived.weights)
            .set("chunk_numbers", arrived.numbers == null ? noNumbers : arrived.numbers)
            .set("ends", ends)
            .set("kept_weights", weights)
            .set("lows", numbers.lows())
            .set("highs", numbers.highs()));
    if (ranked != null) {
      ranked.take(arrived, from, positions, edges + held, result[kept]);
    }
    held += result[kept];
    return -1;
  }

  /** Ends the stream: makes the forest that of all edges, and every vertex's parent its root. */
  void end() {
    if (held > 0 || hasTree) {
      makeForest();
    }
    flatten(false);
  }

  /**
   * Readies the edges for {@link #merge}, on either side: makes them a forest, unless there are so
   * few behind it that the two of such forests fit as they are.
   */
  void settle() {
    if (held > 0 && held > (room - edges) / 2) {
      makeForest();
    }
  }

  /**
   * Adds the edges of another forest, and those behind it. None of them is here. It takes as much
   * memory as there is use for, and where that is short goes in parts.
   *
   * @param other on any device; of the same vertices and type. Nothing else may use it meanwhile
   * @param freeBytes tells what is free
   * @throws DeviceOutOfMemoryException if that does not hold high halves of numbers, where the
   *     other one has them, and the arrays for the least part
   */
  void merge(StreamingForest other, LongSupplier freeBytes) {
    if (other.length() == 0) {
      return; // and the tree stays, from which the end makes components
    }
    numbers.expect(other.numbers, length());
    scratch().longs("sample", SAMPLES); // which forests on the way may need
    long available = freeBytes.getAsLong() + mergeBytes(mergedRoom, arrivedRoom);
    int space = (int) Math.min(capacity(), available / SPARED * (SPARED - 1) / mergeBytes());
    other.forgetTree();
    if (other.held > 0 && other.length() > space - length()) {
      other.makeForest();
    }
    forgetTree();
    int part;
    for (int from = 0; from < other.length(); from += part) {
      int left = other.length() - from;
      if (held > 0 && left > space - length()) {
        makeForest();
      }
      int wanted =
          Math.min(left, Math.min(capacity() - length(), Math.max(chunk, space - length())));
      part = affordable(wanted, available);
      merge(other, from, part);
    }
  }

  /** As many of some edges as can be taken over with so many bytes. */
  private int affordable(int wanted, long available) {
    long most = (available - mergeBytes(length(), 0)) / mergeBytes();
    int least = Math.min(wanted, leastPart(chunk));
    if (most < least) {
      throw new DeviceOutOfMemoryException(
          "taking over " + least + " edges of another forest in addition to " + length(),
          device().description().spec(),
          mergeBytes(length() + least, least),
          available);
    }
    return (int) Math.min(wanted, most);
  }

  /** Bytes for each edge that is taken over; one that is here needs fewer. */
  private int mergeBytes() {
    return (int) mergeBytes(1, 1);
  }

  /**
   * Bytes of the arrays that take edges over.
   *
   * @param all how many edges there are then
   * @param arriving how many of these come
   */
  private long mergeBytes(long all, long arriving) {
    return mergeBytes(type, all, arriving);
  }

  private static long mergeBytes(WeightType type, long all, long arriving) {
    int weight = EdgeChunk.isWide(type) ? 0 : Integer.BYTES;
    return (Integer.BYTES + Long.BYTES + weight) * all + (Long.BYTES + weight) * arriving;
  }

  private int length() {
    return edges + held;
  }

  private int capacity() {
    return (int) ends.length();
  }

  /** Adds some edges of another forest, by their numbers among those that are here. */
  private void merge(StreamingForest other, int from, int count) {
    int length = length();
    int all = length + count;
    makeRoom(all, count);
    DeviceArray<int[]> places = scratch().ints("places", all);
    DeviceArray<long[]> both = scratch().longs("merged", all);
    numbers.join(0, length, both.slice(0, length));
    other.numbers.copyTo(both.slice(length, count), from, other.length(), other.list.keys());
    run(
        "place_merged",
        all,
        new Fields()
            .set("count", length)
            .set("more_count", count)
            .set("numbers", both.slice(0, length))
            .set("more_numbers", both.slice(length, count))
            .set("places", places));
    numbers.merge(other.numbers, from, other.length(), length, both, places);
    DeviceArray<long[]> arrived = scratch().longs("arrived", count);
    arrived.copyFrom(other.ends.slice(from, count));
    mergeLongs(ends, length, arrived, places);
    if (ranked == null) {
      mergeWeights(other, from, count, places);
    } else {
      arrived.copyFrom(other.ranked.kept(from, count));
      mergeLongs(ranked.kept(0, all), length, arrived, places);
    }
    edges = 0;
    held = all;
  }

  /** Lets the arrays be made anew if one is too short, so that none is longer than it has to be. */
  private void makeRoom(int all, int arriving) {
    if (all > mergedRoom || arriving > arrivedRoom) {
      for (String name : MERGE_ARRAYS) {
        scratch().free(name);
      }
      mergedRoom = all;
      arrivedRoom = arriving;
    }
  }

  /** Moves longs, and others that have arrived, to their places. */
  private void mergeLongs(
      DeviceArray<long[]> present,
      int length,
      DeviceArray<long[]> arrived,
      DeviceArray<int[]> places) {
    DeviceArray<long[]> merged = scratch().longs("merged", places.length());
    spreadLongs(present, places.slice(0, length), merged);
    spreadLongs(arrived, places.slice(length, arrived.length()), merged);
    present.slice(0, merged.length()).copyFrom(merged);
  }

  private void spreadLongs(
      DeviceArray<long[]> from, DeviceArray<int[]> places, DeviceArray<long[]> to) {
    run("spread_longs", places.length(), spread(places).set("from", from).set("to", to));
  }

  private void mergeWeights(StreamingForest other, int from, int count, DeviceArray<int[]> places) {
    int length = length();
    DeviceArray<int[]> arrived = scratch().ints("arrived", count);
    DeviceArray<int[]> merged = scratch().ints("merged", places.length());
    arrived.copyFrom(other.weights.slice(from, count));
    spreadWords(weights, places.slice(0, length), merged);
    spreadWords(arrived, places.slice(length, count), merged);
    weights.slice(0, merged.length()).copyFrom(merged);
  }

  private void spreadWords(
      DeviceArray<int[]> from, DeviceArray<int[]> places, DeviceArray<int[]> to) {
    run("spread_words", places.length(), spread(places).set("from", from).set("to", to));
  }

  private static Fields spread(DeviceArray<int[]> places) {
    return new Fields().set("count", (int) places.length()).set("places", places);
  }

  /** The edges of the tree become again those that they were. */
  private void forgetTree() {
    if (hasTree) {
      run("clear_marks", edges, new Fields().set("count", edges).set("ends", ends));
      hasTree = false;
    }
  }

  /** Makes the forest that of its edges and those behind it. */
  private void makeForest() {
    int length = length();
    forgetTree();
    if (ranked != null) {
      ranked.rank(weights, length);
    }
    startAlone();
    if (!joint()) {
      best().fill(-1);
    }
    flag().fill(0);
    long least = 0;
    for (long largest : ranges(length)) {
      if (least != 0) {
        shorten(false);
      }
      unite(length, least, largest);
      least = largest + 1;
    }
    run(
        "mark_chosen",
        vertices(),
        new Fields()
            .set("vertices", vertices())
            .set("words", best())
            .set("edge_of", edgeOf())
            .set("ends", ends));
    packMarked(length);
  }

  /** The last key, in ascending order without sign, of each range of which a list is made. */
  private long[] ranges(int length) {
    Filter filter = options().filter();
    boolean dense = filter == Filter.ON || filter == Filter.AUTO && length / vertices() >= DENSE;
    double most = TRUSTED_SHARE * list.room();
    double first = dense ? Math.min(most, LIGHT_EDGES * vertices()) : most;
    if (length <= list.room() && (!dense || first >= length)) {
      return new long[] {HEAVIEST};
    }
    long[] sample = sample(length);
    long[] result = new long[sample.length + 1];
    int count = 0;
    double step = most;
    for (double at = first; at < length; at += step) {
      if (dense && at >= LIGHT_EDGES * vertices()) {
        step = HEAVY_ROOMS * most;
      }
      long key = sample[(int) Math.min(sample.length - 1L, (long) (at / length * sample.length))];
      if (key != HEAVIEST && (count == 0 || key != result[count - 1])) {
        result[count++] = key;
      }
    }
    result[count++] = HEAVIEST;
    return Arrays.copyOf(result, count);
  }

  /** Keys at equal distances, in ascending order without sign. */
  private long[] sample(int length) {
    int count = Math.min(SAMPLES, length);
    DeviceArray<long[]> sample = scratch().longs("sample", SAMPLES).slice(0, count);
    run(
        "sample_keys",
        count,
        new Fields()
            .set("length", length)
            .set("count", count)
            .set("weights", weights)
            .set("sample", sample));
    long[] keys = sample.toArray();
    for (int i = 0; i < count; i++) {
      keys[i] ^= Long.MIN_VALUE;
    }
    Arrays.sort(keys);
    for (int i = 0; i < count; i++) {
      keys[i] ^= Long.MIN_VALUE;
    }
    return keys;
  }

  /** Lists the edges of key {@code least} to {@code largest}, and unites along them. */
  private void unite(int length, long least, long largest) {
    rounds.begin();
    run(
        form("list_range"),
        length,
        new Fields()
            .set("length", length)
            .set("lightest", least)
            .set("heaviest", largest)
            .set("ends", ends)
            .set("weights", weights)
            .set("components", components())
            .set("next_ends", list.ends())
            .set("next_keys", list.keys())
            .set("counters", rounds.counters())
            .set("deep", flag()));
    long listed = rounds.listed(list, Math.min(length, list.room()));
    if (listed > list.room()) {
      // Edges that found no room were offered, too. Half of the keys, at last one, find room.
      shorten(true);
      long middle = least + (largest - least >>> 1);
      unite(length, least, middle);
      shorten(false);
      unite(length, middle + 1, largest);
    } else if (listed > 0) {
      rounds.unite(list, later, list);
    }
  }

  /** Whether the order of the weights is turned round. */
  boolean reverse() {
    return options().objective() == Objective.MAXIMUM;
  }

  /** Moves the marked edges to the beginning, in their order; the others go. */
  private void packMarked(int length) {
    int packed = 0;
    for (long from = 0; from < length; from += list.room()) {
      int part = (int) Math.min(list.room(), length - from);
      run(
          "flag_marked",
          part,
          new Fields().set("from", from).set("count", part).set("ends", ends).set("flags", flags));
      int count = pack(part);
      DeviceArray<int[]> moved = flags; // which are not needed any more
      run(
          "gather_edges",
          count,
          new Fields()
              .set("from", from)
              .set("count", count)
              .set("positions", positions)
              .set("ends", ends)
              .set("weights", weights)
              .set("to_ends", list.ends())
              .set("to_weights", moved));
      ends.slice(packed, count).copyFrom(list.ends().slice(0, count));
      weights.slice(packed, count).copyFrom(moved.slice(0, count));
      numbers.move(from, part, positions, count, packed, moved);
      if (ranked != null) {
        ranked.move(from, positions, count, packed, later.ends()); // whose list is done with
      }
      packed += count;
    }
    numbers.moved(packed);
    edges = packed;
    held = 0;
  }

  private int pack(int part) {
    int[] count = new int[1];
    launches()
        .primitives(
            "pack", part, () -> count[0] = primitives.pack(null, flags.slice(0, part), positions));
    return count[0];
  }

  /**
   * Makes the tree by which edges are tested, where components and lists are, which are of no more
   * use.
   */
  private void makeTree() {
    best().fill(-1);
    int base = 0;
    int count = vertices();
    for (int level = 0; count > 0; level++) {
      int next = level == 0 ? 0 : base + count;
      int above = makeLevel(level, base, count, next);
      base = next;
      count = above;
      clearNodes(base, count);
    }
    hasTree = true;
  }

  /** The tree's arrays; see stream.cuh. */
  private Fields tree() {
    return new Fields()
        .set("leaves", best())
        .set("nodes", nodes)
        .set("more", parent().slice(0, parent().length() / 2 * 2));
  }

  /** Gives nodes no edge yet. */
  private void clearNodes(int base, int count) {
    long inLists = Math.max(0, Math.min(count, nodes.length() - base));
    if (inLists > 0) {
      nodes.slice(base, inLists).fill(-1);
    }
    if (inLists < count) {
      long more = base + inLists - nodes.length();
      parent().slice(2 * more, 2 * (count - inLists)).fill(-1);
    }
  }

  /**
   * Gives each node of a level the one above it.
   *
   * @param base the first of them
   * @param next the first of the next level
   * @return how many nodes the next level has
   */
  private int makeLevel(int level, int base, int count, int next) {
    Fields tree = tree();
    run(
        "offer_edges",
        edges,
        new Fields()
            .set("count", edges)
            .set("level", level)
            .set("ends", ends)
            .set("weights", weights)
            .set("made", tree));
    run("choose_nodes", count, level(level, base, count, tree).set("ends", ends));
    flag().fill(0);
    run("hook_nodes", count, level(level, base, count, tree).set("deep", flag()));
    while (flag().getInt(0) != 0) {
      flag().fill(0);
      run("flatten_nodes", count, level(level, base, count, tree).set("deep", flag()));
    }
    tallies.copyFrom(noTallies);
    run("number_nodes", count, level(level, base, count, tree).set("tallies", tallies));
    run("settle_nodes", count, level(level, base, count, tree).set("next", next));
    return tallies.getInt(kept);
  }

  private static Fields level(int level, int base, int count, Fields tree) {
    return new Fields().set("level", level).set("base", base).set("count", count).set("made", tree);
  }

  /** Copies all there is to know of the edges, and labels. */
  void copyTo(UpcomingForest target) {
    copyLabels(target.labels());
    numbers.copyTo(target.numbers(), list.keys()); // whose list is done with
    if (ranked != null) {
      ranked.copyPlaces(target.wide());
    }
    int part;
    for (int from = 0; from < edges; from += part) {
      part = Math.min(chunk, edges - from);
      DeviceArray<int[]> sources =
          scratch().ints("chunk sources", chunk).named("sources"); // of the chunk that is done
      DeviceArray<int[]> targets = scratch().ints("chunk targets", chunk).named("targets");
      DeviceArray<int[]> signed = scratch().ints("chunk weights", chunk).named("signed_weights");
      run(
          "split_edges",
          part,
          new Fields()
              .set("from", from)
              .set("count", part)
              .set("reverse", reverse() ? 1 : 0)
              .set("ends", ends)
              .set("weights", weights)
              .set("sources", sources)
              .set("targets", targets)
              .set("signed_weights", signed));
      sources.copyTo(target.sources(), from, 0, part);
      targets.copyTo(target.targets(), from, 0, part);
      if (ranked == null) {
        signed.copyTo(target.narrow(), from, 0, part);
      }
    }
  }

  /** Copies every vertex's parent, which is its root. */
  private void copyLabels(int[] labels) {
    if (!joint()) {
      parent().copyTo(labels);
      return;
    }
    int part;
    for (int from = 0; from < labels.length; from += part) {
      part = (int) Math.min(positions.length(), labels.length - from);
      run(
          "label_vertices",
          part,
          new Fields()
              .set("from", from)
              .set("count", part)
              .set("components", components())
              .set("labels", positions));
      positions.copyTo(labels, from, 0, part);
    }
  }

  /** The type of the weights. */
  WeightType type() {
    return type;
  }
}
