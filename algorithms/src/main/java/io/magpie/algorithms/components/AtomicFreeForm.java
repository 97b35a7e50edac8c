package io.magpie.algorithms.components;

import io.magpie.algorithms.components.ComponentsOptions.Direction;
import io.magpie.algorithms.components.ComponentsOptions.EdgeOrder;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.SeededPermutation;
import io.magpie.algorithms.internal.driver.GraphOnDevice;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import java.util.BitSet;

/**
 * Rounds of hooking over a list of edges and of pointer jumping, by plain stores, with the kernels
 * of atomic_free_form.cuh.
 */
final class AtomicFreeForm implements ComponentsForm {
  /** Rounds over slots: the paper has a constant number, and does not say which. */
  private static final int SLOT_ROUNDS = 2;

  /** Launches after which all trees are flat: each at least halves the way of every vertex. */
  private static final int MOST_JUMPS = Integer.SIZE;

  /** By which a list is shuffled. */
  private static final long SHUFFLE_SEED = 1;

  /** A slot without an edge. */
  private static final long FREE = -1;

  private final Trees trees;
  private final GraphOnDevice graph;
  private final Launches launches;
  private final int vertices;
  private final DeviceArray<int[]> leaf;
  private final DeviceArray<long[]> wins;

  /** One word that a kernel sets when something is left to do. */
  private final DeviceArray<int[]> flag;

  /** Edges in each piece of the graph; then those in all pieces before it. */
  private final DeviceArray<int[]> counts;

  /** A sample of the edges; without elements unless there are rounds over it. */
  private final DeviceArray<long[]> slots;

  // The fields of the launches, made before their time begins, as the arrays are: the device has
  // nothing to do until they are there. Those of edges lack the list, which is as long as it turns
  // out in that time.
  private final Fields countEdges;
  private final Fields listEdges;
  private final Fields startAlone;
  private final Fields fillSlots;
  private final Fields slotRound;
  private final Fields edgeRound;
  private final Fields hookSelected;
  private final Fields jump;
  private final Fields settle;

  /** Where the edges are in the list, by their numbers in the order of arcs. */
  private SeededPermutation places;

  AtomicFreeForm(Trees trees) {
    this.trees = trees;
    this.graph = trees.graph();
    this.launches = trees.launches();
    this.vertices = graph.vertices();
    this.leaf = graph.scratch().ints("leaf", vertices);
    this.wins = graph.scratch().longs("wins", trees.forest() ? vertices : 0);
    this.flag = graph.scratch().ints("flag", 1);
    this.counts = graph.scratch().ints("counts", trees.pieces());
    this.slots = graph.scratch().longs("slots", hasSlots() ? allSlots() : 0);
    // Two arcs for each edge, and one for each self-loop, which is not listed.
    long most = graph.arcs() / 2;
    ends(most);
    marks(most);
    this.countEdges = trees.pieceFields().set("counts", counts);
    this.listEdges = trees.pieceFields().set("counts", counts).set("shuffled", shuffled() ? 1 : 0);
    this.startAlone =
        new Fields()
            .set("vertices", vertices)
            .set("forest", trees.forest() ? 1 : 0)
            .set("parent", trees.parent())
            .set("leaf", leaf)
            .set("edge_of", trees.edgeOf())
            .set("wins", wins);
    this.fillSlots = new Fields().set("slots", slots);
    this.slotRound = hooking(new Fields().set("count", slots.length()).set("slots", slots));
    this.edgeRound =
        hooking(
            new Fields()
                .set("sorted", trees.options().list() == EdgeOrder.SORTED ? 1 : 0)
                .set("found", flag));
    this.hookSelected =
        new Fields()
            .set("vertices", vertices)
            .set("wins", wins)
            .set("parent", trees.parent())
            .set("edge_of", trees.edgeOf());
    this.jump =
        new Fields()
            .set("vertices", vertices)
            .set("leaf", leaf)
            .set("parent", trees.parent())
            .set("deep", flag);
    this.settle =
        new Fields().set("vertices", vertices).set("leaf", leaf).set("parent", trees.parent());
  }

  /** The list of edges, with room for so many. */
  private DeviceArray<long[]> ends(long edges) {
    return graph.scratch().longs("ends", edges);
  }

  /** A mark for each of them. */
  private DeviceArray<int[]> marks(long edges) {
    return graph.scratch().ints("marks", edges);
  }

  /** The slots of all vertices, and of those beyond the last one that lie between theirs. */
  private long allSlots() {
    int stride = launches.constant("slot_stride");
    long rows = (vertices + stride - 1L) / stride;
    return rows * stride * launches.constant("vertex_slots");
  }

  /** The fields of a kernel that hooks or selects, of which each round changes its own. */
  private Fields hooking(Fields round) {
    Fields fields = new Fields().set("round", round).set("parent", trees.parent());
    return trees.forest() ? fields.set("wins", wins) : fields;
  }

  @Override
  public int solve() {
    int edges = listEdges();
    launches.run("start_alone", vertices, startAlone);
    int rounds = hasSlots() ? hookOverSlots(edges) : 0;
    int most = rounds + vertices;
    while (hook(edges, rounds)) {
      if (rounds++ == most) {
        throw new IllegalStateException("no end after " + most + " rounds");
      }
      jump();
    }
    return rounds;
  }

  private boolean hasSlots() {
    return trees.options().list() != EdgeOrder.SORTED && trees.options().slots();
  }

  /** Rounds over a sample of the edges, to be finished over all; gives how many. */
  private int hookOverSlots(int edges) {
    slots.fill(FREE);
    launches.run("fill_slots", edges, fillSlots);
    for (int round = 0; round < SLOT_ROUNDS; round++) {
      setRound(slotRound, round);
      if (trees.forest()) {
        launches.run("select_slots", slots.length(), slotRound);
        hookSelected();
      } else {
        launches.run("hook_slots", slots.length(), slotRound);
      }
      jump();
    }
    return SLOT_ROUNDS;
  }

  private void setRound(Fields fields, int round) {
    fields
        .set("round.first", round == 0 ? 1 : 0)
        .set("round.descend", descends(round) ? 1 : 0)
        .set("round.greatest", prefersGreatest(round) ? 1 : 0);
  }

  /** Whether the larger root is hooked under the smaller: with the paper in odd rounds alone. */
  private boolean descends(int round) {
    return trees.options().direction() == Direction.FIXED || round % 2 != 0;
  }

  /** Whether the greatest of rival roots is preferred: the nearest, where rounds alternate. */
  private boolean prefersGreatest(int round) {
    return trees.options().direction() == Direction.ALTERNATING && descends(round);
  }

  private boolean shuffled() {
    return trees.options().list() == EdgeOrder.SHUFFLED;
  }

  /**
   * Lists the graph's edges but self-loops, in the order of their arcs, or shuffled, without a
   * mark; gives how many there are.
   */
  private int listEdges() {
    trees.runPieces("count_edges", countEdges);
    int[] before = counts.toArray();
    int edges = 0;
    for (int piece = 0; piece < before.length; piece++) {
      int count = before[piece];
      before[piece] = edges;
      edges += count;
    }
    counts.copyFrom(before);
    DeviceArray<long[]> ends = ends(edges);
    DeviceArray<int[]> marks = marks(edges);
    places = new SeededPermutation(edges, SHUFFLE_SEED);
    trees.runPieces(
        "list_edges", listEdges.set("ends", ends).set("places", Fields.of(places.constants())));
    marks.fill(0);
    fillSlots.set("count", edges).set("ends", ends);
    edgeRound.set("round.count", edges).set("round.ends", ends).set("round.marks", marks);
    return edges;
  }

  /** Hooks roots over edges; gives whether any edge joined two trees. */
  private boolean hook(int edges, int round) {
    flag.fill(0);
    setRound(edgeRound, round);
    launches.run(trees.forest() ? "select_edges" : "hook", edges, edgeRound);
    boolean found = flag.getInt(0) != 0;
    if (found && trees.forest()) {
      hookSelected();
    }
    return found;
  }

  private void hookSelected() {
    launches.run("hook_selected", vertices, hookSelected);
  }

  private void jump() {
    int launched = 0;
    do {
      if (launched++ == MOST_JUMPS) {
        throw new IllegalStateException(
            "parents form a cycle: no root after " + MOST_JUMPS + " jumps");
      }
      flag.fill(0);
      launches.run("jump", vertices, jump);
    } while (flag.getInt(0) != 0);
    launches.run("settle", vertices, settle);
  }

  /** Edges have the numbers of their places in the list. */
  @Override
  public int[] arcs(BitSet edges) {
    Graph edged = graph.graph();
    int[] arcs = new int[edges.cardinality()];
    int edge = 0;
    int next = 0;
    for (int v = 0; v < vertices; v++) {
      for (int a = edged.offsets()[v]; a < edged.offsets()[v + 1]; a++) {
        if (edged.neighbors()[a] > v) {
          if (edges.get(shuffled() ? places.of(edge) : edge)) {
            arcs[next++] = a;
          }
          edge++;
        }
      }
    }
    return arcs;
  }
}
