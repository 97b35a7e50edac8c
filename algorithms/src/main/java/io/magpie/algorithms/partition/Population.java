package io.magpie.algorithms.partition;

import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import io.magpie.stm.StmObjects;
import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.parallel.ScanOperator;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Several partitions of one graph on a device, refined together by the kernels of refine.cuh, and
 * by those of refine_free.cuh or the regions of refine_stm.cuh where options ask for them; those of
 * hubs.cuh walk over the arcs of vertices that have many. Its arrays are kept from graph to graph.
 */
final class Population implements AutoCloseable {
  private static final long WIDEST_WARP = 32;

  /** So many, and the vertex and its parts, fit the log of a transaction. */
  private static final int MOST_RIVALS = 16;

  /** Rounds between two looks at whether all members are done: a look waits for the GPU. */
  private static final int ROUNDS_AHEAD = 8;

  /** Arcs of a hub for each part at least, so that its sums cost less than its arcs. */
  private static final int HUB_ARCS_FOR_EACH_PART = 4;

  /** Against endless refinement; none that makes progress takes so many. */
  private static final int MOST_ROUNDS = 5000;

  // Of the kernels.
  private final int classes;
  private final int mostClassBits;
  private final int pieceSums;
  private final int listedMoveWords;
  private final int rivalWords;
  private final RecordLayout record;

  private final Device device;
  private final DeviceMemory memory;
  private final Launches launches;
  private final Primitives primitives;
  private final PartitionOptions options;
  private final int parts;
  private final int even; // ballast included
  private final int[] ballast; // of each part, see Balance; null for none
  private final Scratch scratch;
  private StmObjects vertexObjects;
  private StmObjects partObjects;
  private boolean flipped; // which of two arrays has the parts of this graph

  private DeviceGraph graph;
  private DeviceArray<int[]> fixed; // of its vertices; null for none
  private Fields all; // of the present graph, `population` of refine.cuh
  private int members;
  private int arcWeights; // of all arcs, modulo 2^32
  private int hubs;
  private int hubPieces; // of all hubs together

  /** Where the words of a member's record lie. */
  private static final class RecordLayout {
    private final int words;
    private final int step;
    private final int done;
    private final int bestDoubledCut;
    private final int bestHeaviest;
    private final int rounds;
    private final int moves;
    private final int firstDoubledCut;

    RecordLayout(Launches launches) {
      words = launches.constant("record::words");
      step = launches.constant("record::step");
      done = launches.constant("step::done");
      bestDoubledCut = launches.constant("record::best_doubled_cut");
      bestHeaviest = launches.constant("record::best_heaviest");
      rounds = launches.constant("record::rounds");
      moves = launches.constant("record::moves");
      firstDoubledCut = launches.constant("record::first_doubled_cut");
    }
  }

  /**
   * What became of a member on a graph.
   *
   * @param firstCut the cut at first
   * @param cut of the best partition, which is now the member's
   * @param heaviest the weight of its heaviest part, ballast included
   * @param rounds how many there were
   * @param moves vertices that changed their part, counted each time
   */
  record Outcome(long firstCut, long cut, long heaviest, int rounds, long moves) {}

  /**
   * How long refinement goes on.
   *
   * @param patience rounds without progress that end a phase
   * @param phases of refinement, 1 or more
   * @param first the share of what holds a vertex that a move may lose, in the first phase
   * @param last the same in the last phase; between them it changes evenly
   */
  record Stamina(int patience, int phases, float first, float last) {}

  Population(DeviceMemory memory, Launches launches, PartitionOptions options, Balance balance) {
    this.device = memory.device();
    this.memory = memory;
    this.launches = launches;
    this.classes = launches.constant("classes");
    this.pieceSums = launches.constant("piece_sum::words");
    this.mostClassBits = launches.constant("most_class_bits");
    this.listedMoveWords = launches.constant("listed_move::words");
    this.rivalWords = launches.constant("rival::words");
    this.record = new RecordLayout(launches);
    // Portable ones synchronize by launches alone; GPUs' own count by additions.
    this.primitives =
        options.refinement() == PartitionOptions.Refinement.ATOMIC_FREE
            ? Primitives.of(device).with(Primitives.Formulation.PORTABLE)
            : Primitives.of(device);
    this.options = options;
    this.parts = balance.parts();
    // No part is heavier than all, and weights of devices have 32 bits.
    this.even = Math.toIntExact(balance.evenWithBallast());
    long[] given = balance.ballast();
    this.ballast = given == null ? null : Arrays.stream(given).mapToInt(Math::toIntExact).toArray();
    this.scratch = new Scratch(memory);
  }

  /**
   * How many members there can be: kernels count the vertices of all in 32 bits, rounded up to
   * whole warps for each member, and their parts in 31.
   *
   * @param wanted at least 1
   */
  static int mostMembers(int wanted, int vertices, int parts) {
    long byVertices = ((1L << 32) - 1) / (vertices + WIDEST_WARP);
    long byParts = Integer.MAX_VALUE / parts;
    return (int) Math.max(1, Math.min(wanted, Math.min(byVertices, byParts)));
  }

  /** Vertices of so many arcs are hubs. */
  static int hubDegree(Launches launches, int parts) {
    return (int)
        Math.min(
            Integer.MAX_VALUE,
            Math.max(launches.leastPiece(), HUB_ARCS_FOR_EACH_PART * (long) parts));
  }

  /**
   * Begins with partitions of a graph.
   *
   * @param fixedParts the part that each of its vertices stays in, or -1; null if all may move
   * @param hubCount vertices of {@link #hubDegree} arcs and more; 0 leaves the arcs of all to one
   *     thread each
   * @param partitions parts of its vertices, one array for each member
   */
  void start(DeviceGraph first, DeviceArray<int[]> fixedParts, int hubCount, int[]... partitions) {
    int n = first.vertices();
    DeviceArray<int[]> given = scratch.ints("given", (long) partitions.length * n);
    for (int m = 0; m < partitions.length; m++) {
      given.copyFrom(partitions[m], 0, (long) m * n, n);
    }
    start(first, fixedParts, hubCount, partitions.length, given);
  }

  /** The same with all parts on the device, member after member. */
  void start(
      DeviceGraph first,
      DeviceArray<int[]> fixedParts,
      int hubCount,
      int count,
      DeviceArray<int[]> given) {
    DeviceArray<int[]> identity = scratch.ints("identity", first.vertices());
    launches.run(
        "count_up",
        first.vertices(),
        new Fields().set("count", first.vertices()).set("numbers", identity));
    place(
        first,
        fixedParts,
        hubCount,
        identity,
        first.vertices(),
        given,
        IntStream.range(0, count).toArray());
  }

  /**
   * Goes on to the next finer graph with some of the members.
   *
   * @param fixedParts the part that each of its vertices stays in, or -1; null if all may move
   * @param hubCount vertices of {@link #hubDegree} arcs and more; 0 leaves the arcs of all to one
   *     thread each
   * @param map for each of its vertices the one of the present graph
   */
  void project(
      DeviceGraph finer,
      DeviceArray<int[]> fixedParts,
      int hubCount,
      DeviceArray<int[]> map,
      int... continued) {
    DeviceArray<int[]> given = part();
    flipped = !flipped;
    place(finer, fixedParts, hubCount, map, graph.vertices(), given, continued);
  }

  private DeviceArray<int[]> part() {
    return scratch
        .ints("part " + (flipped ? 0 : 1), (long) members * graph.vertices())
        .named("part");
  }

  private void place(
      DeviceGraph next,
      DeviceArray<int[]> fixedParts,
      int hubCount,
      DeviceArray<int[]> map,
      int coarseVertices,
      DeviceArray<int[]> given,
      int... continued) {
    graph = next;
    fixed = fixedParts;
    members = continued.length;
    hubs = hubCount;
    if (hubs > 0) {
      cutHubs();
    }
    DeviceArray<int[]> chosen = scratch.ints("chosen", members);
    chosen.copyFrom(continued);
    all = population();
    DeviceArray<int[]> partWeights = partWeights();
    if (ballast == null) {
      partWeights.fill(0);
    } else {
      for (int m = 0; m < members; m++) {
        partWeights.copyFrom(ballast, 0, (long) m * parts, parts);
      }
      scratch.ints("ballast", parts).copyFrom(ballast);
    }
    scratch.ints("records", (long) members * record.words).fill(0);
    launches.run(
        "project",
        graph.vertices(),
        with()
            .set("coarse_vertices", coarseVertices)
            .set("map", map)
            .set("coarse", given)
            .set("chosen", chosen));
  }

  /** Lists the hubs, and the pieces of their arcs. */
  private void cutHubs() {
    int n = graph.vertices();
    int piece = hubDegree(launches, parts);
    DeviceArray<int[]> flags = scratch.ints("go", n).named("flags");
    DeviceArray<int[]> list = scratch.ints("hubs", hubs);
    DeviceArray<int[]> starts = scratch.ints("hub starts", hubs + 1L);
    launches.run(
        "mark_hubs",
        n,
        new Fields()
            .set("vertices", n)
            .set("hub_degree", piece)
            .set("offsets", graph.offsets())
            .set("flags", flags));
    launches.primitives("pack", n, () -> primitives.pack(null, flags, list));
    launches.run(
        "count_hub_pieces",
        hubs,
        new Fields()
            .set("hubs", hubs)
            .set("piece", piece)
            .set("offsets", graph.offsets())
            .set("list", list)
            .set("sizes", starts));
    launches.primitives(
        "scan",
        hubs,
        () -> primitives.exclusiveScan(starts.slice(0, hubs), starts, ScanOperator.ADD));
    hubPieces = starts.getInt(hubs);
    DeviceArray<int[]> owners = scratch.ints("hub owners", hubPieces);
    launches.runPieces(
        "own_hub_pieces",
        hubPieces,
        hubs,
        new Fields().set("hubs", hubs).set("starts", starts).set("owners", owners));
  }

  /** Fields that begin with the members; more can be set. */
  private Fields with() {
    return new Fields().set("all", all);
  }

  /** Fields that begin with the members and the hubs; more can be set. */
  private Fields withHubs() {
    return with()
        .set(
            "hubs",
            new Fields()
                .set("hubs", hubs)
                .set("pieces", hubPieces)
                .set("piece", hubDegree(launches, parts))
                .set("list", scratch.ints("hubs", hubs).named("list"))
                .set("starts", scratch.ints("hub starts", hubs + 1L).named("starts"))
                .set("owners", scratch.ints("hub owners", hubPieces).named("owners")));
  }

  /** The members as kernels have them. */
  private Fields population() {
    long n = (long) members * graph.vertices();
    long k = (long) members * parts;
    return new Fields()
        .set("members", members)
        .set("vertices", graph.vertices())
        .set("arcs", graph.arcs())
        .set("parts", parts)
        .set(
            "how",
            new Fields()
                .set("additions", additions() ? 1 : 0)
                .set("hub_degree", hubs > 0 ? hubDegree(launches, parts) : -1))
        .set("offsets", graph.offsets())
        .set("neighbors", graph.neighbors())
        .set("weights", graph.weights())
        .set("vertex_weights", graph.vertexWeights())
        .set("part", part())
        .set("best", scratch.ints("best", n))
        .set("part_weights", partWeights())
        .set("best_weights", scratch.ints("best_weights", k))
        .set("touched", scratch.ints("touched", n))
        .set("table", scratch.longs("table", Math.max(1, (long) members * graph.arcs())))
        .set("entries", scratch.ints("entries", n))
        .set("inside", scratch.ints("inside", n))
        .set("outside", scratch.ints("outside", n))
        .set("other", scratch.ints("other", n))
        .set("moved", scratch.ints("moved", n))
        .set("wish", scratch.ints("wish", n))
        .set("worth", scratch.ints("worth", n))
        .set("go", scratch.ints("go", n))
        .set("records", scratch.ints("records", (long) members * record.words));
  }

  /**
   * Refines all members until each is done.
   *
   * @param limit what a part may weigh, its ballast included; at most the weight of all vertices
   * @param salt distinguishes this call from others of the same run
   */
  Outcome[] refine(Stamina stamina, int limit, int salt) {
    Round round = new Round(stamina, limit, salt);
    boolean unattended = options.refinement() == PartitionOptions.Refinement.ATOMIC;
    int ahead = device.machine() == Machine.CUDA && unattended ? ROUNDS_AHEAD : 1;
    if (!additions()) {
      arcWeights = (int) primitives.sum(graph.weights());
    }
    int[] records;
    do {
      for (int i = 0; i < ahead; i++) {
        round.run();
      }
      records = scratch.ints("records", (long) members * record.words).toArray();
    } while (!done(records));
    return outcomes(records);
  }

  /** A round of refinement, for all members at once. */
  private final class Round {
    private final boolean transactional = options.refinement().transactional();
    private final long items = (long) members * graph.vertices();
    private final long allParts = (long) members * parts;
    private final int limit;
    private final HubRound hubRound = hubs > 0 ? new HubRound() : null;
    private final Fields connect;
    private final Fields judge;
    private final Fields choose;
    private final Fields cutoffs;
    private final Fields settle;
    private final Fields move = with();

    Round(Stamina stamina, int limit, int salt) {
      this.limit = limit;
      int seed = Long.hashCode(options.seed() * 0x9e3779b97f4a7c15L + salt);
      DeviceArray<int[]> classWeights = scratch.ints("class_weights", allParts * classes);
      classWeights.fill(0);
      DeviceArray<int[]> lastClass = scratch.ints("last_class", allParts);
      DeviceArray<int[]> left = scratch.ints("left", allParts);
      boolean estimated = options.gain() == PartitionOptions.Gain.ESTIMATED;
      connect = with().set("seed", seed).set("estimated", estimated ? 1 : 0);
      judge =
          with()
              .set("limit", limit)
              .set("patience", stamina.patience())
              .set("phases", stamina.phases())
              .set("most_rounds", MOST_ROUNDS);
      choose =
          with()
              .set("limit", limit)
              .set("even", even)
              .set("seed", seed)
              .set("phases", stamina.phases())
              .set("first_filter", stamina.first())
              .set("last_filter", stamina.last())
              .set("fixed", fixed)
              .set("class_weights", classWeights);
      cutoffs =
          with()
              .set("limit", limit)
              .set("class_weights", classWeights)
              .set("last_class", lastClass)
              .set("left", left);
      settle =
          with()
              .set("transactional", transactional ? 1 : 0)
              .set("last_class", lastClass)
              .set("left", left);
    }

    void run() {
      if (hubRound != null) {
        hubRound.connect();
      }
      launches.run("connect", items, connect);
      if (!additions()) {
        sumUp();
      }
      launches.run("judge", (long) members * device.warpWidth(), judge);
      launches.run("choose", items, choose);
      if (transactional) {
        transact();
      }
      if (additions()) {
        launches.run("cutoffs", allParts, cutoffs);
      }
      launches.run("settle_moves", items, settle);
      if (hubRound != null) {
        hubRound.settle();
      }
      if (!additions()) {
        admit(limit);
      }
      launches.run("make_moves", items, move);
    }
  }

  /** What a round does at hubs. */
  private final class HubRound {
    private final int rows = Math.toIntExact((long) members * hubPieces);
    private final long arcs = (long) rows * hubDegree(launches, parts);
    private final Fields touch;
    private final Fields sum;
    private final Fields join;
    private final Fields gain;

    HubRound() {
      DeviceArray<int[]> seen = scratch.ints("hub seen", (long) members * hubs);
      DeviceArray<int[]> sums = scratch.ints("hub sums", (long) rows * parts);
      DeviceArray<int[]> gains = scratch.ints("hub gains", rows);
      touch = withHubs().set("seen", seen);
      sum = withHubs().set("sums", sums);
      join = withHubs().set("sums", sums).set("seen", seen);
      gain = withHubs().set("gains", gains);
    }

    void connect() {
      launches.runPieces("touch_by_hubs", arcs, rows, touch);
      launches.runPieces("sum_hub_arcs", arcs, rows, sum);
      int width = device.warpWidth();
      long blocks = (long) members * hubs * ((parts + width - 1L) / width);
      launches.run("join_hub_sums", blocks * width, join);
    }

    void settle() {
      launches.runPieces("sum_hub_gains", arcs, rows, gain);
      launches.run("settle_hubs", (long) members * hubs * device.warpWidth(), gain);
    }
  }

  /** Whether kernels keep sums by atomic additions. */
  private boolean additions() {
    return options.refinement() != PartitionOptions.Refinement.ATOMIC_FREE;
  }

  /** Part weights, cut and moves of all members, by two launches. */
  private void sumUp() {
    int vertices = Math.max(1, graph.vertices());
    int most = Math.max(1, launches.pieces((long) members * vertices) / members);
    int piece = Math.max(1, (vertices + most - 1) / most);
    int pieces = (vertices + piece - 1) / piece;
    long rows = (long) members * pieces;
    DeviceArray<int[]> sums = scratch.ints("piece sums", rows * (parts + pieceSums));
    launches.runPieces(
        "sum_pieces",
        (long) members * vertices,
        Math.toIntExact(rows),
        with().set("pieces", pieces).set("piece", piece).set("sums", sums));
    int totals = Math.toIntExact((long) members * (parts + pieceSums));
    launches.runPieces(
        "add_pieces",
        rows * (parts + pieceSums),
        totals,
        with()
            .set("pieces", pieces)
            .set("sums", sums)
            .set("ballast", ballast == null ? null : scratch.ints("ballast", parts))
            .set("arc_weights", arcWeights));
  }

  /** Takes those moves for balance back that need not be. */
  private void admit(int limit) {
    long items = (long) members * graph.vertices();
    DeviceArray<int[]> flags = scratch.ints("keys", items);
    DeviceArray<int[]> list = scratch.ints("list", items);
    DeviceArray<int[]> count = scratch.ints("count", 1);
    launches.run("mark_moves", items, with().set("flags", flags));
    launches.primitives("pack", items, () -> primitives.pack(null, flags, list, count));
    int listed = count.getInt(0);
    if (listed == 0) {
      return;
    }
    DeviceArray<int[]> keys = flags.slice(0, listed);
    DeviceArray<int[]> moves = list.slice(0, listed);
    DeviceArray<int[]> weights = scratch.ints("weights", items).slice(0, listed);
    DeviceArray<int[]> heads = scratch.ints("heads", items).slice(0, listed);
    int groupBits = Integer.SIZE - Integer.numberOfLeadingZeros(members * parts - 1);
    int classBits = Math.min(mostClassBits, Integer.SIZE - groupBits);
    launches.run(
        "key_moves",
        listed,
        with()
            .set("count", listed)
            .set("class_bits", classBits)
            .set("list", moves)
            .set("keys", keys));
    launches.primitives(
        "sort_moves", listed, () -> primitives.sort(keys, moves, groupBits + classBits));
    launches.run(
        "weigh_moves",
        listed,
        with()
            .set("count", listed)
            .set("class_bits", classBits)
            .set("list", moves)
            .set("keys", keys)
            .set("weights", weights)
            .set("heads", heads));
    launches.primitives(
        "scan_moves",
        listed,
        () -> primitives.segmentedScan(weights, heads, weights, ScanOperator.ADD, false));
    launches.run(
        "admit",
        listed,
        with()
            .set("count", listed)
            .set("class_bits", classBits)
            .set("limit", limit)
            .set("list", moves)
            .set("keys", keys)
            .set("before", weights));
  }

  /** Moves for the cut, what gains most first. */
  private void transact() {
    long items = (long) members * graph.vertices();
    DeviceArray<int[]> list = scratch.ints("list", items);
    DeviceArray<int[]> keys = scratch.ints("keys", items);
    DeviceArray<long[]> sums = scratch.longs("listed", 2);
    sums.fill(0L);
    launches.run("propose_moves", items, with());
    launches.run(
        "list_moves",
        items,
        with()
            .set("most_rivals", MOST_RIVALS)
            .set("items", list)
            .set("keys", keys)
            .set("sums", sums));
    long[] listedAndRivals = sums.toArray();
    long listed = listedAndRivals[0];
    if (listed == 0) {
      return;
    }
    launches.primitives(
        "sort_moves",
        listed,
        () -> primitives.sort(keys.slice(0, listed), list.slice(0, listed), 32));
    DeviceArray<int[]> moves = scratch.ints("moves", listed * listedMoveWords);
    DeviceArray<int[]> rivals = scratch.ints("rivals", listedAndRivals[1] * rivalWords);
    sums.fill(0L);
    launches.run(
        "gather_rivals",
        listed,
        with()
            .set("items", list)
            .set("listed", (int) listed)
            .set("moves", moves)
            .set("rivals", rivals)
            .set("used", sums));
    if (vertexObjects == null || vertexObjects.count() < items) {
      StmObjects old = vertexObjects;
      vertexObjects = null;
      vertexObjects = inPlaceOf(old, items);
    }
    if (partObjects == null || partObjects.count() < (long) members * parts) {
      StmObjects old = partObjects;
      partObjects = null;
      partObjects = inPlaceOf(old, (long) members * parts);
    }
    boolean inner = options.refinement() == PartitionOptions.Refinement.STM;
    long[] ends =
        options.moveOrder() == PartitionOptions.MoveOrder.RANGES
            ? Arrays.stream(endsOfRanges(keys.slice(0, listed).toArray())).asLongStream().toArray()
            : new long[] {listed};
    long begin = 0;
    for (long end : ends) {
      long count = end - begin;
      launches.transact(
          inner ? "move_vertex" : "move_vertex_reserved",
          null,
          count,
          with()
              .set("vertices", vertexObjects)
              .set("parts", partObjects)
              .set("items", list.slice(begin, count))
              .set("moves", moves.slice(begin * listedMoveWords, count * listedMoveWords))
              .set("rivals", rivals));
      begin = end;
    }
  }

  /**
   * Where ranges of gains end in a sorted list of moves: each has the gains from the highest that
   * is left down to half of it; 0 is a range, and so are all losses.
   *
   * @param keys of the list, which ascend as gains fall
   */
  static int[] endsOfRanges(int... keys) {
    IntStream.Builder ends = IntStream.builder();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < keys.length; i++) {
      int gain = Integer.MAX_VALUE - keys[i];
      if (gain < least) {
        if (i > 0) {
          ends.add(i);
        }
        least = gain > 0 ? gain - gain / 2 : gain == 0 ? 0 : Integer.MIN_VALUE;
      }
    }
    return ends.add(keys.length).build().toArray();
  }

  private StmObjects inPlaceOf(StmObjects objects, long count) {
    memory.free(objects);
    return memory.objects(count);
  }

  private boolean done(int... records) {
    return IntStream.range(0, members)
        .allMatch(m -> records[m * record.words + record.step] == record.done);
  }

  private Outcome[] outcomes(int... records) {
    Outcome[] result = new Outcome[members];
    for (int m = 0; m < members; m++) {
      int at = m * record.words;
      result[m] =
          new Outcome(
              Integer.toUnsignedLong(records[at + record.firstDoubledCut]) / 2,
              Integer.toUnsignedLong(records[at + record.bestDoubledCut]) / 2,
              Integer.toUnsignedLong(records[at + record.bestHeaviest]),
              records[at + record.rounds],
              Integer.toUnsignedLong(records[at + record.moves]));
    }
    return result;
  }

  /**
   * The members, the best first: those that keep the limit by cut, then the others by their
   * heaviest part.
   */
  int[] ranking(int limit, Outcome... outcomes) {
    return IntStream.range(0, outcomes.length)
        .boxed()
        .sorted(
            Comparator.comparingLong((Integer m) -> Math.max(limit, outcomes[m].heaviest()))
                .thenComparingLong(m -> outcomes[m].cut()))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** The parts of a member's vertices, on the device; of no use after the next call. */
  DeviceArray<int[]> parts(int member) {
    return part().slice((long) member * graph.vertices(), graph.vertices());
  }

  /**
   * Takes other parts for those of a member.
   *
   * @param before what became of it so far
   * @param newParts of its vertices
   * @param gain by how much the cut has fallen
   * @param weights of these parts
   * @return what became of it then
   */
  Outcome replace(int member, Outcome before, int[] newParts, long gain, long... weights) {
    parts(member).copyFrom(newParts);
    int[] loads = new int[parts];
    Arrays.setAll(loads, q -> (int) weights[q] + (ballast == null ? 0 : ballast[q]));
    partWeights().copyFrom(loads, 0, (long) member * parts, parts);
    long heaviest = Arrays.stream(loads).max().orElseThrow();
    return new Outcome(
        before.firstCut(), before.cut() - gain, heaviest, before.rounds(), before.moves());
  }

  /** The weights of all members' parts, ballast included. */
  private DeviceArray<int[]> partWeights() {
    return scratch.ints("part_weights", (long) members * parts);
  }

  /** The weights of a member's parts. */
  long[] partWeights(int member) {
    int[] weights = new int[parts];
    partWeights().copyTo(weights, 0, (long) member * parts, parts);
    if (ballast != null) {
      Arrays.setAll(weights, q -> weights[q] - ballast[q]);
    }
    return Arrays.stream(weights).asLongStream().toArray();
  }

  /** The weight of the heaviest of a member's parts. */
  long heaviestPart(int member, Outcome outcome) {
    return ballast == null
        ? outcome.heaviest()
        : Arrays.stream(partWeights(member)).max().orElseThrow();
  }

  /** Frees its arrays. */
  @Override
  public void close() {
    Resources.close(() -> memory.free(partObjects), () -> memory.free(vertexObjects), scratch);
  }
}
