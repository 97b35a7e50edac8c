package io.magpie.algorithms.paths;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.paths.PathsOptions.Direction;
import io.magpie.algorithms.paths.PathsOptions.Order;
import io.magpie.algorithms.paths.PathsOptions.Sync;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import java.util.Arrays;

/**
 * A search whose launches find out for themselves what is to be done next, so that many are started
 * without a look in between; see steps.cuh.
 */
final class SearchSteps {
  /** Launches without a look at most; those behind the end are for nothing. */
  private static final int MOST_AHEAD = 32;

  /** How much larger than the last frontier that was seen one may be without more threads. */
  private static final int HEADROOM = 4;

  private static final int LEAST_PIECE = 64;

  private static final int LEAST_PIECE_ON_CPU = 1024;

  /** The share of the warps at work that a GPU is given at least. */
  private static final int SHARE = 4;

  /** A vertex with more arcs than so many warps have lanes is a hub. */
  private static final int HUB = 2;

  /** For how many rounds a warp of a GPU goes on by itself, unless something else is asked for. */
  private static final int LOCAL_ROUNDS = 16;

  /** Arcs per vertex that has any up to which looking from below saves little. */
  private static final int FEW_ARCS = 8;

  /** After how many rounds a search is a long one, in which warps may go on by themselves. */
  static final int LONG_SEARCH = 32;

  /** From which share of what is looked at from below on that may soon be done. */
  private static final int BELOW = 1000;

  private final Launches launches;
  private final String kernel;

  /** The one whose warps go on by themselves. */
  private final String localKernel;

  private final PathsOptions options;
  private final DeviceArray<long[]> totals;
  private final int vertices;
  private final int arcs;

  /** Where a record has its words, and where the first record lies. */
  private final int records;

  private final int recordWords;
  private final int size;
  private final int done;
  private final int unexplored;
  private final int rounds;
  private final int number;

  /** Whether all arcs are looked at again once a frontier is empty. */
  private final boolean slack;

  /** Entries of a frontier whose arcs a warp shares; 0 if frontiers are cut into equal pieces. */
  private final int together;

  /** For how many rounds a warp may go on by itself once a search is long. */
  private final int localRounds;

  private final int longSearch;

  /** Whether the search has turned to launches whose warps go on by themselves. */
  private boolean goesOn;

  /** The arguments of a launch, which depend on whose turn it is. */
  private final Fields[] turns;

  private int turn;
  private long[] latest;

  /**
   * @param options by frontiers in equal pieces, without transactions
   * @param floats whether lengths are floats
   * @param longSearch after how many rounds a search is a long one
   * @param fields what the launches have in common with others: the graph, its words, the lists
   */
  SearchSteps(
      DeviceGraph graph,
      PathsOptions options,
      boolean floats,
      int longSearch,
      Launches launches,
      DeviceArray<long[]> totals,
      Fields fields) {
    this.launches = launches;
    this.options = options;
    this.totals = totals;
    this.vertices = graph.vertices();
    this.arcs = graph.arcs();
    boolean stores = options.sync() == Sync.ATOMIC_FREE;
    this.slack = stores && options.lengths() == PathsOptions.Lengths.WEIGHTS;
    String suffix = floats ? "_float" : "";
    this.kernel = (stores ? "search_stores" : "search_atomic") + suffix;
    this.localKernel = "search_local" + suffix;
    this.longSearch = longSearch;
    this.records = launches.constant("records");
    this.recordWords = launches.constant("record_words");
    this.size = launches.constant("record_size");
    this.done = launches.constant("record_done");
    this.unexplored = launches.constant("record_unexplored");
    this.rounds = launches.constant("record_rounds");
    this.number = launches.constant("record_number");
    this.together = together(graph, launches);
    this.localRounds = localRounds(graph, options, launches);
    String looks =
        switch (options.direction()) {
          case PUSH -> "direction_push";
          case PULL -> "direction_pull";
          case AUTO -> "direction_auto";
        };
    fields
        .set("vertex_count", vertices)
        .set("looks", launches.constant(looks))
        .set("once", once(options) ? 1 : 0)
        .set("together", together)
        .set("most_pieces", launches.mostPieces())
        .set("least_piece", leastPiece())
        .set("local_rounds", localRounds)
        .set("slack", slack ? 1 : 0)
        .set("totals", totals);
    this.turns = new Fields[launches.constant("record_count")];
    for (int i = 0; i < turns.length; i++) {
      turns[i] = new Fields().set("turn", i).set("in", fields);
    }
  }

  /**
   * Whether a distance falls once at most, of which one thread is told: by levels, unless a store
   * may follow another, or warps go on by themselves.
   */
  static boolean once(PathsOptions options) {
    return options.lengths() == PathsOptions.Lengths.UNIT && options.sync() == Sync.ATOMIC;
  }

  /** For how many rounds a warp may go on by itself; 0 with hubs, whose arcs are for many warps. */
  static int localRounds(DeviceGraph graph, PathsOptions options, Launches launches) {
    if (!options.mayGoOn() || together(graph, launches) == 0) {
      return 0;
    }
    int asked = options.localRounds();
    return asked >= 0
        ? asked
        : localRounds(launches.device().machine(), options.direction(), graph.meanArcs());
  }

  /**
   * For how many rounds a warp may go on by itself if nothing is asked for. A search that may look
   * from below needs frontiers that are levels for that; it gives that up only where vertices have
   * so few arcs that little is saved by looking from below.
   */
  static int localRounds(Machine machine, Direction direction, double meanArcs) {
    boolean suits =
        switch (direction) {
          case PUSH -> true;
          case PULL -> false;
          case AUTO -> meanArcs <= FEW_ARCS;
        };
    return machine == Machine.CUDA && suits ? LOCAL_ROUNDS : 0;
  }

  /**
   * How many entries of a frontier fill a warp with their arcs. Without hubs warps that take as
   * many are done alike.
   */
  private static int together(DeviceGraph graph, Launches launches) {
    int width = launches.device().warpWidth();
    if (width == 1 || graph.mostArcs() > HUB * width) {
      return 0;
    }
    long mean = Math.max(1, graph.arcs() / Math.max(1, graph.vertices()));
    return (int) Math.max(1, Math.min(width, width / mean));
  }

  /**
   * Positions of a frontier from which a piece is worth a thread of its own: few, as most frontiers
   * are small. On a GPU a warp waits for memory with each row of them; on processors the threads
   * that take pieces are at hand within a launch.
   */
  private int leastPiece() {
    return switch (launches.device().machine()) {
      case CUDA -> LEAST_PIECE;
      case CPU -> LEAST_PIECE_ON_CPU;
      case SIM -> launches.leastPiece();
    };
  }

  /** Searches from a frontier, which is listed, and has that size. */
  void run(long firstSize, long threshold) {
    long[] first = new long[recordWords];
    first[size] = firstSize;
    first[launches.constant("record_least")] = -1;
    first[done] = launches.constant("task_push");
    first[unexplored] = arcs;
    first[launches.constant("record_threshold")] = threshold;
    totals.slice(records, recordWords).copyFrom(first);
    long[] second = new long[recordWords];
    second[launches.constant("record_least")] = -1;
    totals.slice(records + recordWords, recordWords).copyFrom(second);
    latest = first;
    int end = launches.constant("task_none");
    long before = 0;
    int ahead = 1;
    while (latest[done] != end) {
      goesOn |= localRounds != 0 && latest[rounds] >= longSearch && entries(latest[size]) != 0;
      long seen = latest[size];
      long work = work(seen, before);
      int pieces = pieces(work);
      int launchesNow = goesOn ? ahead : untilTheyGoOn(ahead);
      for (int i = 0; i < launchesNow; i++) {
        launches.runPieces(goesOn ? localKernel : kernel, work, pieces, turns[turn]);
        turn = (turn + 1) % turns.length;
      }
      before = seen;
      lookAtLatest();
      ahead = ahead(ahead);
    }
  }

  /**
   * Looks at the record that was left last, and makes it the next launch's turn. It is the one of
   * the greatest number: on processors a launch may have had many steps.
   */
  private void lookAtLatest() {
    long[] all = totals.slice(records, (long) turns.length * recordWords).toArray();
    for (int i = 0; i < turns.length; i++) {
      if (all[i * recordWords + number] > all[turn * recordWords + number]) {
        turn = i;
      }
    }
    latest = Arrays.copyOfRange(all, turn * recordWords, (turn + 1) * recordWords);
  }

  /**
   * Warps for so much work; a processor sizes its grid by the work itself. On a GPU no fewer than a
   * few for each multiprocessor, as they cost next to nothing, and a frontier may grow before the
   * next look.
   */
  private int pieces(long work) {
    int most = launches.mostPieces();
    int least = launches.device().machine() == Machine.CUDA ? most / SHARE : 1;
    return (int) Math.max(least, Math.min(most, work / leastPiece()));
  }

  /**
   * How many launches follow without a look. On processors a look costs nothing, and where each
   * launch is waited for nothing is saved.
   */
  private int ahead(int before) {
    boolean each = launches.timed() || launches.device().machine() == Machine.CPU;
    return each ? 1 : Math.min(MOST_AHEAD, 2 * before);
  }

  /**
   * No more launches than may pass before warps are to go on by themselves. A launch makes one
   * round at most, so there may be a few looks before it.
   */
  private int untilTheyGoOn(int ahead) {
    long left = longSearch - latest[rounds];
    return localRounds == 0 || left <= 0 ? ahead : (int) Math.min(ahead, left);
  }

  /** By what the next launches are sized. Any size is right; a wrong one costs time. */
  private long work(long seen, long before) {
    long most = (long) vertices + arcs;
    long entries = entries(seen);
    if (entries == 0) {
      return options.order() == Order.NEAR_FAR || slack ? most : 1;
    }
    long elements = elements(seen);
    // Once warps go on, nothing is looked for from below, and the unexplored arcs are not counted.
    boolean below =
        options.direction() == Direction.PULL
            || options.direction() == Direction.AUTO
                && !goesOn
                && elements > (latest[unexplored] + vertices) / BELOW;
    long own = Math.max(entries + elements, below ? vertices : 0);
    if (launches.device().machine() == Machine.CPU) {
      return own;
    }
    boolean grows = entries + elements > HEADROOM * (entries(before) + elements(before));
    return grows ? most : Math.min(most, HEADROOM * own);
  }

  private static long entries(long size) {
    return size >>> 32;
  }

  private static long elements(long size) {
    return size & 0xffffffffL;
  }

  /** Frontiers that there were. */
  int rounds() {
    return (int) latest[rounds];
  }

  /** Those of them that vertices looked for from below. */
  int pulled() {
    return (int) latest[launches.constant("record_pulled")];
  }

  /** Arcs that leave the others, and those of vertices with which warps went on by themselves. */
  long arcs() {
    return latest[launches.constant("record_arcs")] + totals.getLong(launches.constant("pushed"));
  }

  /** For how many rounds warps might go on by themselves; 0 if the search did not come to that. */
  int localRounds() {
    return goesOn ? localRounds : 0;
  }
}
