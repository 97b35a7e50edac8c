package io.magpie.algorithms.partition;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Machine;
import io.magpie.stm.Primitives;
import io.magpie.stm.ScanOperator;
import io.magpie.stm.StmObjects;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Several partitions of one graph on a device, refined together by the kernels of refine.cuh, and
 * by those of refine_free.cuh or the regions of refine_stm.cuh where options ask for them; those of
 * hubs.cuh walk over the arcs of vertices that have many. Its arrays are kept from graph to graph.
 */
final class Population implements AutoCloseable {
  // Of refine.cuh.
  private static final int CLASSES = 256;
  private static final int CLASS_BITS = 8;
  private static final int PIECE_SUMS = 2;
  private static final int RECORD_WORDS = 12;
  private static final int STEP = 0;
  private static final int BEST_DOUBLED_CUT = 3;
  private static final int BEST_HEAVIEST = 4;
  private static final int ROUNDS = 8;
  private static final int MOVES = 9;
  private static final int FIRST_DOUBLED_CUT = 10;
  private static final int DONE = 5;

  // Of refine_stm.cuh.
  private static final int LISTED_MOVE_WORDS = 6;
  private static final int RIVAL_WORDS = 2;

  private static final long WIDEST_WARP = 32;

  /** So many, and the vertex and its parts, fit the log of a transaction. */
  private static final int MOST_RIVALS = 16;

  /** Rounds between two looks at whether all members are done: a look waits for the GPU. */
  private static final int ROUNDS_AHEAD = 8;

  /** Arcs of a hub for each part at least, so that its sums cost less than its arcs. */
  private static final int HUB_ARCS_FOR_EACH_PART = 4;

  /** Against endless refinement; none that makes progress takes so many. */
  private static final int MOST_ROUNDS = 5000;

  private final Device device;
  private final DeviceMemory memory;
  private final Phases phases;
  private final Primitives primitives;
  private final PartitionOptions options;
  private final int parts;
  private final int even;
  private final Scratch scratch;
  private StmObjects vertexObjects;
  private StmObjects partObjects;
  private boolean flipped; // which of two arrays has the parts of this graph

  private DeviceGraph graph;
  private int members;
  private int arcWeights; // of all arcs, modulo 2^32
  private int hubs;
  private int hubPieces; // of all hubs together

  /**
   * What became of a member on a graph.
   *
   * @param firstCut the cut at first
   * @param cut of the best partition, which is now the member's
   * @param heaviest the weight of its heaviest part
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

  Population(DeviceMemory memory, Phases phases, PartitionOptions options, Balance balance) {
    this.device = memory.device;
    this.memory = memory;
    this.phases = phases;
    // Portable ones synchronize by launches alone; GPUs' own count by additions.
    this.primitives =
        options.refinement() == PartitionOptions.Refinement.ATOMIC_FREE
            ? device.primitives().with(Primitives.Formulation.PORTABLE)
            : device.primitives();
    this.options = options;
    this.parts = balance.parts();
    // No part is heavier than all, and weights of devices have 32 bits.
    this.even = Math.toIntExact(Balance.limit(balance.weight(), parts, 0));
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
  static int hubDegree(Phases phases, int parts) {
    return (int)
        Math.min(
            Integer.MAX_VALUE,
            Math.max(phases.leastPiece(), HUB_ARCS_FOR_EACH_PART * (long) parts));
  }

  /**
   * Begins with partitions of a graph.
   *
   * @param hubCount vertices of {@link #hubDegree} arcs and more; 0 leaves the arcs of all to one
   *     thread each
   * @param partitions parts of its vertices, one array for each member
   */
  void start(DeviceGraph first, int hubCount, int[]... partitions) {
    int n = first.vertices();
    DeviceArray<int[]> given = scratch.ints("given", (long) partitions.length * n);
    for (int m = 0; m < partitions.length; m++) {
      given.copyFrom(partitions[m], 0, (long) m * n, n);
    }
    start(first, hubCount, partitions.length, given);
  }

  /** The same with all parts on the device, member after member. */
  void start(DeviceGraph first, int hubCount, int count, DeviceArray<int[]> given) {
    DeviceArray<int[]> identity = scratch.ints("identity", first.vertices());
    phases.run("count_up", first.vertices(), first.vertices(), identity);
    place(first, hubCount, identity, first.vertices(), given, IntStream.range(0, count).toArray());
  }

  /**
   * Goes on to the next finer graph with some of the members.
   *
   * @param hubCount vertices of {@link #hubDegree} arcs and more; 0 leaves the arcs of all to one
   *     thread each
   * @param map for each of its vertices the one of the present graph
   */
  void project(DeviceGraph finer, int hubCount, DeviceArray<int[]> map, int... continued) {
    DeviceArray<int[]> given = part();
    flipped = !flipped;
    place(finer, hubCount, map, graph.vertices(), given, continued);
  }

  private DeviceArray<int[]> part() {
    return scratch.ints(flipped ? "part" : "other part", (long) members * graph.vertices());
  }

  private void place(
      DeviceGraph next,
      int hubCount,
      DeviceArray<int[]> map,
      int coarseVertices,
      DeviceArray<int[]> given,
      int... continued) {
    graph = next;
    members = continued.length;
    hubs = hubCount;
    if (hubs > 0) {
      cutHubs();
    }
    DeviceArray<int[]> chosen = scratch.ints("chosen", members);
    chosen.copyFrom(continued);
    scratch.ints("part weights", (long) members * parts).fill(0);
    scratch.ints("records", (long) members * RECORD_WORDS).fill(0);
    phases.run("project", graph.vertices(), with(coarseVertices, map, given, chosen));
  }

  /** Lists the hubs, and the pieces of their arcs. */
  private void cutHubs() {
    int n = graph.vertices();
    int piece = hubDegree(phases, parts);
    DeviceArray<int[]> flags = scratch.ints("go", n);
    DeviceArray<int[]> list = scratch.ints("hubs", hubs);
    DeviceArray<int[]> starts = scratch.ints("hub starts", hubs + 1L);
    phases.run("mark_hubs", n, n, piece, graph.offsets(), flags);
    phases.primitives("pack", n, () -> primitives.pack(null, flags, list));
    phases.run("count_hub_pieces", hubs, hubs, piece, graph.offsets(), list, starts);
    phases.primitives(
        "scan",
        hubs,
        () -> primitives.exclusiveScan(starts.slice(0, hubs), starts, ScanOperator.ADD));
    hubPieces = starts.getInt(hubs);
    DeviceArray<int[]> owners = scratch.ints("hub owners", hubPieces);
    phases.runPieces("own_hub_pieces", hubPieces, hubs, hubs, starts, owners);
  }

  /** The members and the hubs as kernels have them, and more arguments. */
  private Object[] withHubs(Object... more) {
    Object[] pieces = {
      hubs,
      hubPieces,
      hubDegree(phases, parts),
      scratch.ints("hubs", hubs),
      scratch.ints("hub starts", hubs + 1L),
      scratch.ints("hub owners", hubPieces)
    };
    return Stream.of(with(), pieces, more).flatMap(Arrays::stream).toArray();
  }

  /** The members as kernels have them, and more arguments. */
  private Object[] with(Object... more) {
    long n = (long) members * graph.vertices();
    long k = (long) members * parts;
    Object[] all = {
      members,
      graph.vertices(),
      graph.arcs(),
      parts,
      additions() ? 1 : 0,
      hubs > 0 ? hubDegree(phases, parts) : -1,
      graph.offsets(),
      graph.neighbors(),
      graph.weights(),
      graph.vertexWeights(),
      part(),
      scratch.ints("best", n),
      scratch.ints("part weights", k),
      scratch.ints("best weights", k),
      scratch.ints("touched", n),
      scratch.longs("table", Math.max(1, (long) members * graph.arcs())),
      scratch.ints("entries", n),
      scratch.ints("inside", n),
      scratch.ints("outside", n),
      scratch.ints("other", n),
      scratch.ints("moved", n),
      scratch.ints("wish", n),
      scratch.ints("worth", n),
      scratch.ints("go", n),
      scratch.ints("records", (long) members * RECORD_WORDS)
    };
    Object[] result = Arrays.copyOf(all, all.length + more.length);
    System.arraycopy(more, 0, result, all.length, more.length);
    return result;
  }

  /**
   * Refines all members until each is done.
   *
   * @param limit what a part may weigh, at most the weight of all vertices
   * @param salt distinguishes this call from others of the same run
   */
  Outcome[] refine(Stamina stamina, int limit, int salt) {
    boolean transactional = options.refinement().transactional();
    long items = (long) members * graph.vertices();
    long k = (long) members * parts;
    int seed = Long.hashCode(options.seed() * 0x9e3779b97f4a7c15L + salt);
    DeviceArray<int[]> classWeights = scratch.ints("class weights", k * CLASSES);
    classWeights.fill(0);
    DeviceArray<int[]> lastClass = scratch.ints("last class", k);
    DeviceArray<int[]> left = scratch.ints("left", k);
    Object[] connect = with(seed);
    Object[] judge = with(limit, stamina.patience(), stamina.phases(), MOST_ROUNDS);
    Object[] choose =
        with(limit, even, seed, stamina.phases(), stamina.first(), stamina.last(), classWeights);
    Object[] cutoffs = with(limit, classWeights, lastClass, left);
    Object[] settle = with(transactional ? 1 : 0, lastClass, left);
    Object[] move = with();
    HubRound hubRound = hubs > 0 ? new HubRound() : null;
    boolean unattended = options.refinement() == PartitionOptions.Refinement.ATOMIC;
    int ahead = device.machine() == Machine.CUDA && unattended ? ROUNDS_AHEAD : 1;
    if (!additions()) {
      arcWeights = (int) primitives.sum(graph.weights());
    }
    int[] records;
    do {
      for (int round = 0; round < ahead; round++) {
        if (hubRound != null) {
          hubRound.connect();
        }
        phases.run("connect", items, connect);
        if (!additions()) {
          sumUp();
        }
        phases.run("judge", (long) members * device.warpWidth(), judge);
        phases.run("choose", items, choose);
        if (transactional) {
          transact();
        }
        if (additions()) {
          phases.run("cutoffs", k, cutoffs);
        }
        phases.run("settle_moves", items, settle);
        if (hubRound != null) {
          hubRound.settle();
        }
        if (!additions()) {
          admit(limit);
        }
        phases.run("make_moves", items, move);
      }
      records = scratch.ints("records", (long) members * RECORD_WORDS).toArray();
    } while (!done(records));
    return outcomes(records);
  }

  /** What a round does at hubs. */
  private final class HubRound {
    private final int rows = Math.toIntExact((long) members * hubPieces);
    private final long arcs = (long) rows * hubDegree(phases, parts);
    private final Object[] touch;
    private final Object[] sum;
    private final Object[] join;
    private final Object[] gain;
    private final Object[] settle;

    HubRound() {
      DeviceArray<int[]> seen = scratch.ints("hub seen", (long) members * hubs);
      DeviceArray<int[]> sums = scratch.ints("hub sums", (long) rows * parts);
      DeviceArray<int[]> gains = scratch.ints("hub gains", rows);
      touch = withHubs(seen);
      sum = withHubs(sums);
      join = withHubs(sums, seen);
      gain = withHubs(gains);
      settle = withHubs(gains);
    }

    void connect() {
      phases.runPieces("touch_by_hubs", arcs, rows, touch);
      phases.runPieces("sum_hub_arcs", arcs, rows, sum);
      int width = device.warpWidth();
      long blocks = (long) members * hubs * ((parts + width - 1L) / width);
      phases.run("join_hub_sums", blocks * width, join);
    }

    void settle() {
      phases.runPieces("sum_hub_gains", arcs, rows, gain);
      phases.run("settle_hubs", (long) members * hubs * device.warpWidth(), settle);
    }
  }

  /** Whether kernels keep sums by atomic additions. */
  private boolean additions() {
    return options.refinement() != PartitionOptions.Refinement.ATOMIC_FREE;
  }

  /** Part weights, cut and moves of all members, by two launches. */
  private void sumUp() {
    int vertices = Math.max(1, graph.vertices());
    int most = Math.max(1, phases.pieces((long) members * vertices) / members);
    int piece = Math.max(1, (vertices + most - 1) / most);
    int pieces = (vertices + piece - 1) / piece;
    long rows = (long) members * pieces;
    DeviceArray<int[]> sums = scratch.ints("piece sums", rows * (parts + PIECE_SUMS));
    phases.runPieces(
        "sum_pieces", (long) members * vertices, Math.toIntExact(rows), with(pieces, piece, sums));
    int totals = Math.toIntExact((long) members * (parts + PIECE_SUMS));
    phases.runPieces(
        "add_pieces", rows * (parts + PIECE_SUMS), totals, with(pieces, sums, arcWeights));
  }

  /** Takes those moves for balance back that need not be. */
  private void admit(int limit) {
    long items = (long) members * graph.vertices();
    DeviceArray<int[]> flags = scratch.ints("keys", items);
    DeviceArray<int[]> list = scratch.ints("list", items);
    DeviceArray<int[]> count = scratch.ints("count", 1);
    phases.run("mark_moves", items, with(flags));
    phases.primitives("pack", items, () -> primitives.pack(null, flags, list, count));
    int listed = count.getInt(0);
    if (listed == 0) {
      return;
    }
    DeviceArray<int[]> keys = flags.slice(0, listed);
    DeviceArray<int[]> moves = list.slice(0, listed);
    DeviceArray<int[]> weights = scratch.ints("weights", items).slice(0, listed);
    DeviceArray<int[]> heads = scratch.ints("heads", items).slice(0, listed);
    int groupBits = Integer.SIZE - Integer.numberOfLeadingZeros(members * parts - 1);
    int classBits = Math.min(CLASS_BITS, Integer.SIZE - groupBits);
    phases.run("key_moves", listed, with(listed, classBits, moves, keys));
    phases.primitives(
        "sort_moves", listed, () -> primitives.sort(keys, moves, groupBits + classBits));
    phases.run("weigh_moves", listed, with(listed, classBits, moves, keys, weights, heads));
    phases.primitives(
        "scan_moves",
        listed,
        () -> primitives.segmentedScan(weights, heads, weights, ScanOperator.ADD, false));
    phases.run("admit", listed, with(listed, classBits, limit, moves, keys, weights));
  }

  /** Moves for the cut, what gains most first. */
  private void transact() {
    long items = (long) members * graph.vertices();
    DeviceArray<int[]> list = scratch.ints("list", items);
    DeviceArray<int[]> keys = scratch.ints("keys", items);
    DeviceArray<long[]> sums = scratch.longs("listed", 2);
    sums.fill(0L);
    phases.run("propose_moves", items, with());
    phases.run("list_moves", items, with(MOST_RIVALS, list, keys, sums));
    long[] listedAndRivals = sums.toArray();
    long listed = listedAndRivals[0];
    if (listed == 0) {
      return;
    }
    phases.primitives(
        "sort_moves",
        listed,
        () -> primitives.sort(keys.slice(0, listed), list.slice(0, listed), 32));
    DeviceArray<int[]> moves = scratch.ints("listed moves", listed * LISTED_MOVE_WORDS);
    DeviceArray<int[]> rivals = scratch.ints("rivals", listedAndRivals[1] * RIVAL_WORDS);
    sums.fill(0L);
    phases.run("gather_rivals", listed, with(list, (int) listed, moves, rivals, sums));
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
    phases.transact(
        inner ? "move_vertex" : "move_vertex_reserved",
        null,
        listed,
        with(vertexObjects, partObjects, list, moves, rivals));
  }

  private StmObjects inPlaceOf(StmObjects objects, long count) {
    memory.free(objects);
    return memory.objects(count);
  }

  private boolean done(int... records) {
    return IntStream.range(0, members).allMatch(m -> records[m * RECORD_WORDS + STEP] == DONE);
  }

  private Outcome[] outcomes(int... records) {
    Outcome[] result = new Outcome[members];
    for (int m = 0; m < members; m++) {
      int at = m * RECORD_WORDS;
      result[m] =
          new Outcome(
              Integer.toUnsignedLong(records[at + FIRST_DOUBLED_CUT]) / 2,
              Integer.toUnsignedLong(records[at + BEST_DOUBLED_CUT]) / 2,
              Integer.toUnsignedLong(records[at + BEST_HEAVIEST]),
              records[at + ROUNDS],
              Integer.toUnsignedLong(records[at + MOVES]));
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

  /** The weights of a member's parts. */
  long[] partWeights(int member) {
    int[] weights = new int[parts];
    scratch
        .ints("part weights", (long) members * parts)
        .copyTo(weights, 0, (long) member * parts, parts);
    return Arrays.stream(weights).asLongStream().toArray();
  }

  /** Frees its arrays. */
  @Override
  public void close() {
    scratch.close();
    memory.free(vertexObjects);
    memory.free(partObjects);
  }
}
