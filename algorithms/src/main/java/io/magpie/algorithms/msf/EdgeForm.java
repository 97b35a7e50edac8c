package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.msf.ListRounds.EdgeList;
import io.magpie.algorithms.msf.MsfOptions.Filter;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/**
 * The edge-centric form: round one over the graph itself, the others over a shrinking list of the
 * edges that still join two components, by the kernels of edge_form.cuh.
 */
final class EdgeForm implements ForestForm {
  private static final int MAX_WEIGHT = Integer.MAX_VALUE;

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
  private final ListRounds rounds;

  // The fields of round one's launches, made before its time begins, as its arrays are: the device
  // has nothing to do until they are there.
  private final Fields partition;
  private final Fields choose;
  private final Fields settle;
  private final Fields mergeChosen;

  /** The weight up to which edges go first. */
  private final int light;

  /** Entries for which a list has room at least. */
  private long capacity;

  EdgeForm(WorkingForest forest) {
    this.forest = forest;
    this.graph = forest.graph();
    this.scratch = graph.scratch();
    this.vertices = graph.vertices();
    this.transactional = forest.transactional();
    this.start = scratch.ints("start", graph.pieces() + 1L);
    // Without transactions the choices are the parents, and the choosing vertex is the one hooked.
    this.to =
        transactional
            ? scratch.ints("to", vertices)
            : forest.parent().slice(0, vertices).named("to");
    this.arc =
        transactional
            ? scratch.ints("arc", vertices)
            : forest.edgeOf().slice(0, vertices).named("arc");
    // Each component that has an edge after round one is of at least two vertices.
    this.rounds = new ListRounds(forest, vertices / 2);
    this.light = lightest();
    this.capacity = firstCapacity();
    rounds.reserve();
    listOf("0", capacity);
    listOf("1", capacity);
    DeviceArray<long[]> partialKeys = scratch.longs("partial_keys", 2L * graph.pieces());
    DeviceArray<int[]> partialArcs = scratch.ints("partial_arcs", 2L * graph.pieces());
    this.partition =
        new Fields()
            .set("vertices", vertices)
            .set("piece", graph.piece())
            .set("count", graph.pieces())
            .set("offsets", graph.offsets())
            .set("start", start)
            .set("arc", arc)
            .set("best", forest.best())
            .set("partial_keys", partialKeys);
    this.choose =
        new Fields()
            .set("offsets", graph.offsets())
            .set("start", start)
            .set("neighbors", graph.neighbors())
            .set("weights", graph.weights())
            .set("to", to)
            .set("arc", arc)
            .set("best", forest.best())
            .set("partial_keys", partialKeys)
            .set("partial_arcs", partialArcs);
    this.settle =
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
            .set("arc", arc);
    this.mergeChosen = transactional ? mergeByTransactions() : hook();
  }

  /** The fields of the region that merges what the vertices chose. */
  private Fields mergeByTransactions() {
    return new Fields()
        .set("vertices", graph.objects())
        .set("to", to)
        .set("arc", arc)
        .set("parent", forest.parent())
        .set("edge_of", forest.edgeOf());
  }

  /** Those of the kernel that does the same without transactions. */
  private Fields hook() {
    return new Fields()
        .set("vertices", vertices)
        .set("parent", forest.parent())
        .set("edge_of", forest.edgeOf())
        .set("best", forest.best())
        .set("deep", forest.flag());
  }

  private EdgeList listOf(String name, long length) {
    return new EdgeList(
        scratch.longsFrom("ends" + name, length), scratch.longsFrom("keys" + name, length));
  }

  /** Entries for which a list has room at first. */
  private long firstCapacity() {
    long edges = graph.arcs() / 2; // self-loops, of which each is one arc, are never listed
    long most = Math.min(edges, Math.max(LEAST_CAPACITY, edges - vertices / 2));
    return light == MAX_WEIGHT
        ? most
        : Math.min(most, Math.max(LEAST_CAPACITY, (long) (LIGHT_ARCS * vertices)));
  }

  @Override
  public int solve() {
    choose();
    if (!rounds.areTogether()) {
      mergeChosen();
    } else {
      // Where a merge does not finish, the run ends in an exception once all is done. Until then
      // what follows works on the components that there are, which may be more than it expects.
      forest
          .launches()
          .ahead(
              () -> {
                mergeChosen();
                launchAll();
              });
      long left = rounds.left();
      if (left < 0) {
        return 1 + rounds.rounds();
      }
      // On from what has been united, with looks between.
      capacity = Math.max(capacity, left);
      forest.shorten(false);
    }
    series(0, light);
    if (light != MAX_WEIGHT) {
      forest.shorten(false);
      series(light + 1, MAX_WEIGHT);
    }
    return 1 + rounds.rounds();
  }

  /** Launches both series before any look, as a look costs the time of a small kernel. */
  private void launchAll() {
    EdgeList list = listOf("0", capacity);
    // What an earlier run made longer is used as it is, so the other list must be no shorter.
    EdgeList next = listOf("1", list.room());
    rounds.begin();
    build(list, 0, light);
    rounds.launch(list, next);
    if (light != MAX_WEIGHT) {
      forest.shorten(false);
      rounds.beginNext();
      build(list, light + 1, MAX_WEIGHT);
      rounds.launch(list, next);
    }
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
    forest.run("partition", graph.pieces() + 1L, partition);
    if (transactional) {
      forest.startAlone();
    }
    forest.runPieces("choose", choose);
    forest.run("settle", graph.pieces(), settle);
  }

  private void mergeChosen() {
    if (transactional) {
      forest.merge("merge_chosen", null, vertices, mergeChosen);
      forest.shorten(true);
    } else {
      forest.flag().fill(0);
      forest.run("hook_chosen", vertices, mergeChosen);
    }
  }

  /** The weight up to which edges go first; the largest weight if all go at once. */
  private int lightest() {
    int arcs = graph.arcs();
    Filter filter = forest.options().filter();
    boolean on = filter == Filter.ON || filter == Filter.AUTO && arcs / vertices >= DENSE;
    return on && graph.weighted() && arcs != 0
        ? graph.keyOfShare(Math.min(1.0, LIGHT_ARCS * vertices / arcs))
        : MAX_WEIGHT;
  }

  /** Lists the edges of weight {@code least} to {@code largest}, and unites along them. */
  private void series(int least, int largest) {
    long length = 0;
    EdgeList list;
    do {
      // A list that was too short for its edges is made as long as it must be, and built again.
      capacity = Math.max(capacity, length);
      rounds.begin();
      list = listOf("0", capacity);
      build(list, least, largest);
      length = rounds.listed(list, capacity);
    } while (length > list.room());
    if (length > 0) {
      rounds.unite(list, listOf("1", length), list);
    }
  }

  /** Makes list 0 of the present series: the edges of weight {@code least} to {@code largest}. */
  private void build(EdgeList list, int least, int largest) {
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
            .set("ends", list.ends())
            .set("keys", list.keys())
            .set("counters", rounds.counters())
            .set("deep", forest.flag())
            .set("summary", rounds.summary()));
  }
}
