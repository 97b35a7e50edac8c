package io.magpie.algorithms.paths;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.paths.PathsOptions.Balance;
import io.magpie.algorithms.paths.PathsOptions.Direction;
import io.magpie.algorithms.paths.PathsOptions.Drive;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsOptions.Order;
import io.magpie.algorithms.paths.PathsOptions.Sync;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.RegionReport;
import io.magpie.stm.parallel.PriorityBins;
import java.util.ArrayList;
import java.util.List;

/**
 * One computation: the arrays that paths.cuh describes, and the rounds of launches that work on
 * them.
 */
final class Search {
  /** Everything is below it: no order. */
  private static final long NO_THRESHOLD = -1;

  /**
   * Ranges of floats are no narrower, as parts of the longest distance, so that each has a number.
   */
  private static final double LEAST_WIDTH = 0x1p-50;

  /** Width of a warp of a GPU, by which orders measure their steps. */
  private static final int WARP = 32;

  private final DeviceGraph graph;
  private final PathsOptions options;
  private final boolean packed;
  private final int longSearch;

  /** Whether lengths are floats; distances, thresholds and delta are then bits of doubles. */
  private final boolean floats;

  private final boolean transactional;
  private final Launches launches;
  private final int vertices;
  private final Splitting splitting;

  /** Of vertices, and of their children where these have distances of their own. */
  private final DeviceArray<long[]> words;

  private final DeviceArray<int[]> predecessors;
  private final DeviceArray<long[]> totals;
  private final Fields vertexWords;
  private final Totals place;

  /** Two frontiers, and two far piles: one that is read, and one that is appended to. */
  private final Frontier[] frontiers = new Frontier[2];

  private final List<DeviceArray<int[]>> piles = new ArrayList<>();
  private final boolean stamped;
  private final DeviceArray<int[]> stamps;
  private final DeviceArray<int[]> inFar;

  /** Levels of vertices, for those that look from below; no elements where none does. */
  private final DeviceArray<byte[]> marks;

  /** For predecessors along level arcs, which are found in rounds. */
  private final DeviceArray<int[]> round;

  private final DeviceArray<int[]> changed;

  /** The vertices that the first launch of a round puts off, if there is a second one. */
  private final Frontier heavy;

  /** Whether there may be any. */
  private final boolean putsOff;

  /** Where the size of that list is in this round, and where in the next one. */
  private int heavyAt;

  private int otherHeavyAt;

  /** For transactions, null without; exchanged for longer ones where a frontier needs them. */
  private Offers offers;

  private int current;
  private int pile;
  private int launch;
  private int farMark = 1;
  private long threshold = NO_THRESHOLD;
  private long delta;
  private int rounds;
  private int pulled;

  /** Of frontiers whose elements are arcs; else kernels count them. */
  private long arcs;

  private long commits;

  /** Of a search that needs no look at each round; null if it was none. */
  private SearchSteps steps;

  /** Lists of offers. */
  private record Offers(
      int room, DeviceArray<int[]> to, DeviceArray<int[]> from, DeviceArray<long[]> distance) {}

  /** A list of vertices whose arcs are to be relaxed; a CSR. */
  private record Frontier(DeviceArray<int[]> list, DeviceArray<int[]> starts) {}

  /** Where numbers lie in {@code totals}, and how many there are. */
  private record Totals(
      int frontier,
      int relaxed,
      int far,
      int offers,
      int farLeast,
      int heavy,
      int otherHeavy,
      int pushed,
      int count) {}

  /** How large the frontier is; its elements are arcs, or children if vertices are split. */
  private record Size(int entries, int elements) {
    long total() {
      return (long) entries << 32 | elements;
    }

    static Size of(long total) {
      return new Size((int) (total >>> 32), (int) total);
    }
  }

  /**
   * @param packed whether words hold predecessors with distances
   * @param longSearch see {@link SearchSteps}
   */
  Search(DeviceGraph graph, PathsOptions options, boolean packed, int longSearch) {
    this.graph = graph;
    this.longSearch = longSearch;
    this.options = options;
    this.packed = packed;
    this.floats = options.lengths() == Lengths.WEIGHTS && graph.floats();
    this.transactional =
        options.direction() != Direction.PULL && options.sync() == Sync.TRANSACTIONAL;
    this.launches = new Launches(graph.module(), options.phaseTimes(), options.stm(), true);
    this.vertices = graph.vertices();
    this.place =
        new Totals(
            launches.constant("frontier_size"),
            launches.constant("relaxed"),
            launches.constant("far_size"),
            launches.constant("offers"),
            launches.constant("far_least"),
            launches.constant("heavy_size"),
            launches.constant("heavy_size_of_other"),
            launches.constant("pushed"),
            launches.constant("total_count"));
    Scratch scratch = graph.scratch();
    this.splitting = new Splitting(graph, options, launches);
    this.words = scratch.longs("words", (long) vertices + (ownDistances() ? splitting.extra() : 0));
    this.totals = scratch.longs("totals", place.count);
    boolean listed = options.drive() == Drive.DATA;
    boolean ordered = options.order() != Order.NONE;
    // Kernels that do not use an array are given another one.
    DeviceArray<int[]> unused = scratch.ints("unused", 1);
    boolean once =
        bySteps()
            && SearchSteps.once(options)
            && SearchSteps.localRounds(graph, options, launches) == 0;
    this.stamped = listed && !once;
    this.stamps = stamped ? scratch.ints("stamp", vertices) : unused;
    this.marks =
        scratch.bytes("marks", bySteps() && options.direction() != Direction.PUSH ? vertices : 0);
    this.inFar = ordered ? scratch.ints("in_far", vertices) : unused;
    for (int i = 0; i < 2; i++) {
      frontiers[i] =
          listed
              ? new Frontier(
                  scratch.ints(inTurn("list", i), vertices),
                  scratch.ints(inTurn("starts", i), vertices + 1L))
              : new Frontier(unused, unused);
      piles.add(ordered ? scratch.ints(inTurn("far", i), vertices) : unused);
    }
    boolean afterwards = options.predecessors() == PathsOptions.Predecessors.AFTERWARDS;
    boolean inRounds = afterwards && extendsPredecessors();
    this.predecessors =
        transactional || afterwards ? scratch.ints("predecessor", vertices) : unused;
    this.round = inRounds ? scratch.ints("round", vertices) : unused;
    this.changed = inRounds ? scratch.ints("changed", 1) : unused;
    this.putsOff = options.balance() == Balance.HEAVY && graph.mostArcs() > splitting.bound();
    this.heavyAt = place.heavy;
    this.otherHeavyAt = place.otherHeavy;
    if (options.balance() == Balance.HEAVY) {
      int most = (int) Math.min(vertices, graph.arcs() / (splitting.bound() + 1L));
      heavy = new Frontier(scratch.ints("heavy", most), scratch.ints("heavy_starts", most + 1L));
    } else {
      heavy = new Frontier(unused, unused);
    }
    if (transactional) {
      graph.objects();
      offers = offers(listed ? 0 : graph.arcs());
    }
    this.vertexWords = new Fields().set("word", words).set("shift", packed ? Integer.SIZE : 0);
  }

  Launches launches() {
    return launches;
  }

  Splitting splitting() {
    return splitting;
  }

  /** For each vertex its distance, packed with its predecessor or alone; all ones if none. */
  DeviceArray<long[]> words() {
    return words.slice(0, vertices);
  }

  /** For each vertex its predecessor, where that is not in its word; all ones if none. */
  DeviceArray<int[]> predecessors() {
    return predecessors;
  }

  /** How far a threshold moved at a time; 0 without an order. */
  double delta() {
    return floats ? Double.longBitsToDouble(delta) : delta;
  }

  int rounds() {
    return steps != null ? steps.rounds() : rounds;
  }

  int pulled() {
    return steps != null ? steps.pulled() : pulled;
  }

  long arcs() {
    if (steps != null) {
      return steps.arcs();
    }
    return listsNodes() ? totals.getLong(place.pushed) : arcs;
  }

  /** For how many rounds warps might go on by themselves; 0 if none did. */
  int localRounds() {
    return steps != null ? steps.localRounds() : 0;
  }

  /** How often a distance fell. */
  long relaxations() {
    return totals.getLong(place.relaxed) + commits;
  }

  /** Finds all distances from a source. */
  void solve(int source) {
    words.fill(-1);
    words.set(source, packed ? source : 0);
    totals.fill(0);
    copyDistances();
    if (transactional) {
      predecessors.fill(-1);
      predecessors.set(source, source);
    }
    if (options.drive() == Drive.TOPOLOGY) {
      repeatOverAll();
      return;
    }
    if (stamped) {
      stamps.fill(0);
    }
    int degree = graph.graph().outDegree(source);
    frontiers[current].list().set(0, source);
    frontiers[current].starts().set(0, 0);
    Size first =
        degree == 0
            ? new Size(0, 0)
            : new Size(1, listsNodes() ? (degree - 1) / splitting.bound() : degree);
    frontiers[current].starts().set(first.entries, first.elements);
    if (bySteps()) {
      searchBySteps(source, first);
    } else if (options.lengths() == Lengths.UNIT) {
      searchByLevels(first);
    } else if (options.order() == Order.NEAR_FAR) {
      searchNearFirst(first);
    } else if (options.order() == Order.BINS) {
      searchByBins(first);
    } else if (options.sync() == Sync.ATOMIC_FREE) {
      searchUntilTight(first);
    } else {
      drain(first);
    }
  }

  /** Whether launches find out for themselves what is next. */
  private boolean bySteps() {
    return options.drive() == Drive.DATA
        && options.balance() == Balance.PIECES
        && options.order() != Order.BINS
        && !transactional;
  }

  private void searchBySteps(int source, Size first) {
    boolean pushes = options.direction() == Direction.PUSH;
    if (!pushes) {
      marks.fill(0);
      marks.set(source, launches.constant("level_marks::of_source"));
    }
    if (options.order() == Order.NEAR_FAR) {
      inFar.fill(0);
      delta = chosenDelta();
    }
    Fields fromBelow =
        new Fields()
            .set("entering", pushes ? noArcs() : enteringArcs())
            .set("marks", new Fields().set("mark", marks));
    Fields search =
        new Fields()
            .set("weighted", weighted())
            .set("below", fromBelow)
            .set("vertices", vertexWords)
            .set("list", frontiers[0].list())
            .set("starts", frontiers[0].starts())
            .set("next_list", frontiers[1].list())
            .set("next_starts", frontiers[1].starts())
            .set("far", piles.get(0))
            .set("next_far", piles.get(1))
            .set("stamp", stamps)
            .set("in_far", inFar);
    graph.leaving().addTo(search, weighted() != 0);
    steps =
        new SearchSteps(
            graph, options, floats, longSearch, launches, totals, search.set("delta", delta));
    steps.run(first.total(), delta == 0 ? NO_THRESHOLD : delta);
  }

  /** Rounds over all vertices, until no distance falls. */
  private void repeatOverAll() {
    for (long before = -1, now = 0; now != before; now = relaxations()) {
      before = now;
      rounds++;
      if (options.direction() == Direction.PULL) {
        pulled++;
        launches.run(
            kernel("pull_all"),
            vertices,
            new Fields()
                .set("arcs", enteringArcs())
                .set("vertices", vertexWords)
                .set("lists", lists(0)));
      } else {
        arcs += graph.arcs();
        if (options.balance() == Balance.PIECES) {
          relax(allArcs());
        } else {
          relaxByLanes(new Size(vertices, splitting.extra()), false);
        }
      }
    }
  }

  /** Rounds over frontiers, until one is empty. */
  private void drain(Size first) {
    for (Size size = first; size.entries > 0; size = turned()) {
      push(size);
    }
  }

  private void searchByLevels(Size first) {
    int alpha = launches.constant("alpha");
    int beta = launches.constant("beta");
    boolean down = true;
    long unexplored = graph.arcs();
    long level = 0;
    Size size = first;
    for (Size last = new Size(0, 0); size.entries > 0; size = turned(), level++) {
      unexplored -= size.elements; // arcs: where they are not, only pushing is permitted
      if (options.direction() == Direction.AUTO) {
        down =
            down
                ? size.elements <= last.elements
                    || size.elements <= (unexplored + vertices) / alpha // see steps.cuh
                : size.entries <= last.entries && size.entries < vertices / beta;
      }
      last = size;
      if (down) {
        push(size);
      } else {
        pull(level);
      }
    }
  }

  /**
   * How far a threshold moves: as asked, or as Davidson et al. choose it, the mean length of an arc
   * times a warp's width over the mean degree.
   */
  private long chosenDelta() {
    boolean asked = options.delta() != PathsOptions.DELTA.byDefault();
    double total = floats ? graph.floatSums().total() : graph.sums().total();
    double mean = total / Math.max(1, graph.arcs());
    double degree = (double) graph.arcs() / vertices;
    double chosen = asked ? options.delta() : WARP * mean / Math.max(1, degree);
    if (!floats) {
      return Math.max(1, (long) chosen);
    }
    double width = Math.max(chosen, graph.floatSums().longestPath() * LEAST_WIDTH);
    return Double.doubleToRawLongBits(width > 0 ? width : 1);
  }

  /** A distance farther by delta; see {@code farther} in paths.cuh. */
  private long farther(long distance) {
    if (!floats) {
      return distance + delta;
    }
    double sum = Double.longBitsToDouble(distance) + delta();
    return Math.max(Double.doubleToRawLongBits(sum), distance + 1);
  }

  /** Where a range of distances begins, and the one before it ends. */
  private long begin(long range) {
    return floats ? Double.doubleToRawLongBits(range * delta()) : range * delta;
  }

  /** The number of the range that a distance is in; see {@code range} in paths.cuh. */
  private long range(long distance) {
    if (!floats) {
      return distance / delta;
    }
    long range = (long) (Double.longBitsToDouble(distance) / delta());
    return distance < begin(range) ? range - 1 : distance < begin(range + 1) ? range : range + 1;
  }

  /** The name of a kernel that adds lengths. */
  private String kernel(String name) {
    return floats ? name + "_float" : name;
  }

  /** Where vertices wait that are far, and up to which distance all are done. */
  private Fields farPile(long count) {
    return new Fields().set("far", piles.get(pile)).set("count", count).set("done", threshold);
  }

  /** The least distance on the far pile that is not done; -1 if there is none. */
  private long leastFar(Fields farPile, long count) {
    totals.set(place.farLeast, -1);
    launches.run(
        "find_far_least",
        count,
        new Fields().set("pile", farPile).set("vertices", vertexWords).set("totals", totals));
    return totals.getLong(place.farLeast);
  }

  /** Near vertices before far ones. */
  private void searchNearFirst(Size first) {
    inFar.fill(0);
    delta = chosenDelta();
    threshold = delta;
    drain(first);
    for (long far = totals.getLong(place.far); far > 0; far = totals.getLong(place.far)) {
      Fields former = farPile(far);
      long least = leastFar(former, far);
      if (least == -1) {
        return; // all have come near meanwhile
      }
      threshold = farther(least);
      pile = 1 - pile;
      totals.set(place.far, 0);
      launches.run(
          "split_far",
          far,
          new Fields().set("pile", former).set("vertices", vertexWords).set("lists", lists(1)));
      drain(turned());
    }
  }

  /**
   * Range by range of distances. Range r begins at r * delta; class 1 is the range of the least
   * distance when nothing waited but beyond the bins, so that each class has a bin of its number.
   */
  private void searchByBins(Size first) {
    inFar.fill(0);
    delta = chosenDelta();
    threshold = delta;
    drain(first);
    long origin = 0;
    try (PriorityBins bins =
        new PriorityBins(
            graph.module(),
            launches.constant("range_classes"),
            (n, fields) -> launches.run(kernel("count_ranges"), n, fields),
            (n, fields) -> launches.run(kernel("sort_ranges"), n, fields))) {
      while (true) {
        int far = (int) totals.getLong(place.far);
        if (bins.waiting() == bins.size(bins.beyond())) {
          far = Math.addExact(far, reopen(bins, far));
          long least = far == 0 ? -1 : leastFar(farPile(far), far);
          if (least == -1) {
            return; // nothing waits, or all have come near meanwhile
          }
          origin = range(least);
        }
        Fields keys =
            new Fields()
                .set(
                    "classes",
                    new Fields()
                        .set("vertices", vertexWords)
                        .set("delta", delta)
                        .set("origin", origin)
                        .set("done", threshold));
        bins.count(piles.get(pile), far, keys);
        int bin = bins.firstFilled();
        DeviceArray<int[]> due = graph.scratch().ints("due", Math.max(vertices, bins.most(bin)));
        int count = bins.sort(piles.get(pile), far, bin, due, keys);
        totals.set(place.far, 0);
        farMark++;
        threshold = begin(origin + bin);
        launches.run(
            "list_due",
            count,
            new Fields().set("due", due).set("count", count).set("lists", lists(1)));
        drain(turned());
      }
    }
  }

  /** Puts what waits beyond the bins on the far pile, behind what is there; returns how many. */
  private int reopen(PriorityBins bins, int far) {
    long all = far + bins.size(bins.beyond());
    if (all > far) {
      DeviceArray<int[]> larger =
          graph.scratch().ints(inTurn("far", 1 - pile), Math.max(vertices, all));
      larger.slice(0, far).copyFrom(piles.get(pile).slice(0, far));
      pile = 1 - pile;
      piles.set(pile, larger);
    }
    return bins.reopen(piles.get(pile), far);
  }

  /** Plain stores over frontiers, and where they undid each other once more. */
  private void searchUntilTight(Size first) {
    for (Size size = first; size.entries > 0; size = turned()) {
      drain(size);
      run(
          kernel("find_slack"),
          allArcs(),
          new Fields().set("vertices", vertexWords).set("lists", lists(1)));
    }
  }

  /** A round in which a frontier relaxes its arcs. */
  private void push(Size size) {
    rounds++;
    arcs += size.elements;
    Frontier from = frontiers[current];
    if (options.balance() == Balance.PIECES) {
      relax(walk(size.entries, size.elements, 1, from.list(), from.starts()));
    } else {
      relaxByLanes(size, true);
    }
  }

  /** A round in which the vertices that are not reached look for one of the last level. */
  private void pull(long level) {
    rounds++;
    pulled++;
    launches.run(
        "pull_level",
        vertices,
        new Fields()
            .set("arcs", enteringArcs())
            .set("vertices", vertexWords)
            .set("lists", lists(1))
            .set("predecessor", predecessors)
            .set("level", level));
  }

  /** Whether children have distances of their own. */
  private boolean ownDistances() {
    return options.balance() == Balance.SPLIT;
  }

  /** Whether elements of frontiers are children, and not arcs. */
  private boolean listsNodes() {
    return options.drive() == Drive.DATA
        && (options.balance() == Balance.SPLIT || options.balance() == Balance.VIRTUAL_SPLIT);
  }

  /** Gives children the distances of their vertices. */
  private void copyDistances() {
    if (ownDistances() && splitting.extra() > 0) {
      launches.run(
          "copy_distances",
          splitting.extra(),
          new Fields()
              .set("children", splitting.extra())
              .set("parents", vertices)
              .set("parent", splitting.parent())
              .set("word", words));
    }
  }

  /**
   * Relaxes the arcs of vertices by lanes, and lists vertices unless the walk is over all.
   *
   * @param size of the frontier, or of the graph
   * @param listed whether it is the frontier's
   */
  private void relaxByLanes(Size size, boolean listed) {
    boolean stores = options.sync() == Sync.ATOMIC_FREE;
    Fields lists = lists(options.drive() == Drive.DATA ? 1 : 0);
    Fields arguments = new Fields().set("vertices", vertexWords).set("lists", lists);
    switch (options.balance()) {
      case SPLIT -> {
        relaxNodes(stores ? "relax_split_stores" : "relax_split_atomic", size, listed, arguments);
        if (stores) {
          copyDistances();
        }
      }
      case VIRTUAL_SPLIT ->
          relaxNodes(
              stores ? "relax_virtual_stores" : "relax_virtual_atomic", size, listed, arguments);
      default -> {
        relaxVertices(
            stores ? "relax_lanes_stores" : "relax_lanes_atomic", size, listed, arguments);
        if (putsOff) {
          long most = listed ? (long) size.entries + size.elements : vertices + (long) graph.arcs();
          relaxHeavy(stores ? "relax_heavy_stores" : "relax_heavy_atomic", most, lists);
        }
      }
    }
  }

  /** The fields that all walks by lanes have. */
  private Fields lanes(int segments, boolean listed) {
    return new Fields()
        .set("segments", segments)
        .set("listed", listed ? 1 : 0)
        .set("weighted", weighted())
        .set("list", frontiers[current].list())
        .set("totals", totals);
  }

  /** A lane for each vertex; those that are heavy are put off. */
  private void relaxVertices(String kernel, Size size, boolean listed, Fields arguments) {
    Fields walk =
        lanes(size.entries, listed)
            .set("bound", options.balance() == Balance.HEAVY ? splitting.bound() : -1)
            .set("heavy_at", heavyAt)
            .set("heavy", heavy.list())
            .set("heavy_starts", heavy.starts());
    graph.leaving().addTo(walk, weighted() != 0);
    launches.run(kernel(kernel), size.entries, arguments.set("arcs", walk));
  }

  /**
   * The second launch of a round: what the first one put off, by equal pieces. It lists vertices
   * under the number of the first one, as each may be in the frontier once.
   *
   * @param most vertices and arcs that there may be to walk over
   * @param lists the fields that it shares with the first one
   */
  private void relaxHeavy(String kernel, long most, Fields lists) {
    int pieces = launches.pieces(most);
    Fields fields =
        new Fields()
            .set("weighted", weighted())
            .set("most_pieces", pieces)
            .set("least_piece", launches.leastPiece())
            .set("heavy_at", heavyAt)
            .set("other_at", otherHeavyAt)
            .set("list", heavy.list())
            .set("starts", heavy.starts())
            .set("vertices", vertexWords)
            .set("lists", lists);
    graph.leaving().addTo(fields, weighted() != 0);
    launches.runPieces(kernel(kernel), most, pieces, fields);
    int read = heavyAt;
    heavyAt = otherHeavyAt;
    otherHeavyAt = read;
  }

  /** A lane for each node. */
  private void relaxNodes(String kernel, Size size, boolean listed, Fields arguments) {
    boolean direct = ownDistances() && !listed; // nodes by number
    long nodes = (long) size.entries + size.elements;
    // In proportion to all nodes. Both factors are below 2^31, so that the product is below 2^63:
    // nodes
    // have numbers if they are split, and what is in a frontier, children included, is no more than
    // vertices and arcs together, of which 2^31 virtual nodes and 2^31 arcs are the most.
    long work = nodes + nodes * graph.arcs() / ((long) vertices + splitting.extra());
    int pieces = launches.pieces(work);
    Fields walk =
        lanes(direct ? (int) nodes : size.entries, listed)
            .set("pieces", pieces)
            .set("starts", listed ? frontiers[current].starts() : splitting.childrenAsStarts());
    if (ownDistances()) {
      graph.leaving().addTargetsTo(walk, weighted() != 0);
      splitting.addTo(walk);
    } else {
      graph.leaving().addTo(walk, weighted() != 0);
      walk.set("bound", splitting.bound());
    }
    arguments.set("arcs", walk);
    if (direct) {
      launches.run(kernel(kernel), nodes, arguments);
    } else {
      launches.runPieces(kernel(kernel), work, pieces, arguments);
    }
  }

  /** Relaxes the arcs of a walk, and lists vertices unless the walk is over all. */
  private void relax(Walk walk) {
    int collects = options.drive() == Drive.DATA ? 1 : 0;
    if (!transactional) {
      run(
          kernel(options.sync() == Sync.ATOMIC_FREE ? "relax_stores" : "relax_atomic"),
          walk,
          new Fields().set("vertices", vertexWords).set("lists", lists(collects)));
      return;
    }
    if (walk.arcs() > offers.room) {
      offers = offers((int) Math.min(graph.arcs(), 2L * walk.arcs()));
    }
    totals.set(place.offers, 0);
    run(
        kernel("propose_arcs"),
        walk,
        new Fields()
            .set("vertices", vertexWords)
            .set(
                "offered",
                new Fields()
                    .set("to", offers.to)
                    .set("from", offers.from)
                    .set("distance", offers.distance))
            .set("totals", totals));
    int made = (int) totals.getLong(place.offers);
    if (made == 0) {
      return;
    }
    RegionReport taken =
        launches.transact(
            "take_offer",
            null,
            made,
            new Fields()
                .set("distance", words, graph.objects())
                .set("predecessor", predecessors, graph.objects())
                .set("to", offers.to)
                .set("from", offers.from)
                .set("offered", offers.distance));
    commits += taken.commits();
    launches.run(
        "list_taken",
        made,
        new Fields()
            .set("count", made)
            .set("to", offers.to)
            .set("offered", offers.distance)
            .set("vertices", vertexWords)
            .set("lists", lists(collects)));
  }

  /** The name of one of two arrays that change places from step to step, as at the first one. */
  private static String inTurn(String field, int which) {
    return which == 0 ? field : "next_" + field;
  }

  private Offers offers(int room) {
    Scratch scratch = graph.scratch();
    return new Offers(
        room, scratch.ints("to", room), scratch.ints("from", room), scratch.longs("offered", room));
  }

  /** The frontier that was appended becomes the one that is read. */
  private Size turned() {
    current = 1 - current;
    Size size = Size.of(totals.getLong(place.frontier));
    totals.set(place.frontier, 0);
    return size;
  }

  /** Where a launch lists vertices; each launch has a number of its own. */
  private Fields lists(int collects) {
    launch++;
    Frontier to = frontiers[1 - current];
    return new Fields()
        .set("list", to.list())
        .set("starts", to.starts())
        .set("offsets", graph.leaving().offsets())
        .set("stamp", stamps)
        .set("far", piles.get(pile))
        .set("in_far", inFar)
        .set("totals", totals)
        .set("threshold", threshold)
        .set("far_mark", farMark)
        .set("launch", launch)
        .set("collects", collects)
        .set("bound", listsNodes() ? splitting.bound() : 0)
        .set("size_at", place.frontier)
        .set("far_at", place.far)
        .set("once", 0);
  }

  /** What a launch walks over: arcs, and vertices that they leave. */
  private record Walk(Fields fields, int segments, int arcs, int pieces) {}

  private Walk walk(
      int segments, int length, int listed, DeviceArray<int[]> list, DeviceArray<int[]> starts) {
    int pieces = launches.pieces((long) segments + length);
    Fields fields =
        new Fields()
            .set("segments", segments)
            .set("pieces", pieces)
            .set("listed", listed)
            .set("weighted", weighted())
            .set("list", list)
            .set("starts", starts);
    graph.leaving().addTo(fields, weighted() != 0);
    return new Walk(fields, segments, length, pieces);
  }

  private Walk allArcs() {
    DeviceArray<int[]> offsets = graph.leaving().offsets();
    return walk(vertices, graph.arcs(), 0, offsets, offsets);
  }

  /** Runs a kernel over the pieces of a walk. */
  private void run(String kernel, Walk walk, Fields fields) {
    launches.runPieces(
        kernel, (long) walk.segments + walk.arcs, walk.pieces, fields.set("arcs", walk.fields));
  }

  private Fields enteringArcs() {
    Fields fields = new Fields().set("vertices", vertices).set("weighted", weighted());
    graph.entering().addTo(fields, weighted() != 0);
    return fields;
  }

  private Fields noArcs() {
    DeviceArray<int[]> none = graph.leaving().offsets();
    return new Fields()
        .set("vertices", 0)
        .set("weighted", 0)
        .set("offsets", none)
        .set("neighbors", none)
        .set("weights", graph.leaving().weights(weighted() != 0));
  }

  private int weighted() {
    return options.lengths() == Lengths.WEIGHTS && graph.graph().weighted() ? 1 : 0;
  }

  /** Whether there may be level arcs, along which predecessors are found in rounds. */
  private boolean extendsPredecessors() {
    return options.lengths() == Lengths.WEIGHTS
        && (floats ? graph.floatSums().mayBeLevel() : graph.sums().zeros());
  }

  /** Finds predecessors from distances; see predecessors.cuh. */
  void findPredecessors(int source) {
    boolean inRounds = extendsPredecessors();
    predecessors.fill(-1);
    predecessors.set(source, source);
    if (inRounds) {
      round.fill(-1);
      round.set(source, 0);
    }
    Fields fields = new Fields().set("vertices", vertexWords).set("predecessor", predecessors);
    run(
        kernel("find_predecessors"),
        allArcs(),
        fields.set("round", round).set("in_rounds", inRounds ? 1 : 0));
    for (int present = 1; inRounds; present++) {
      changed.fill(0);
      run(
          kernel("extend_predecessors"),
          allArcs(),
          new Fields()
              .set("vertices", vertexWords)
              .set("predecessor", predecessors)
              .set("round", round)
              .set("changed", changed)
              .set("present", present));
      inRounds = changed.getInt(0) != 0;
    }
  }
}
