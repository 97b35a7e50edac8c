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
  }

  @Override
  public int solve() {
    DeviceArray<long[]> ends = edges();
    DeviceArray<int[]> marks = graph.scratch().ints("marks", ends.length());
    marks.fill(0);
    launches.run(
        "start_alone",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("forest", trees.forest() ? 1 : 0)
            .set("parent", trees.parent())
            .set("leaf", leaf)
            .set("edge_of", trees.edgeOf())
            .set("wins", wins));
    int rounds = hasSlots() ? hookOverSlots(ends) : 0;
    int most = rounds + vertices;
    while (hook(ends, marks, rounds)) {
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
  private int hookOverSlots(DeviceArray<long[]> ends) {
    int stride = launches.constant("slot_stride");
    long rows = (vertices + stride - 1L) / stride;
    DeviceArray<long[]> slots =
        graph.scratch().longs("slots", rows * stride * launches.constant("vertex_slots"));
    slots.fill(FREE);
    launches.run(
        "fill_slots",
        ends.length(),
        new Fields().set("count", (int) ends.length()).set("ends", ends).set("slots", slots));
    for (int round = 0; round < SLOT_ROUNDS; round++) {
      Fields hooking =
          new Fields()
              .set("count", slots.length())
              .set("first", round == 0 ? 1 : 0)
              .set("descend", descends(round) ? 1 : 0)
              .set("greatest", prefersGreatest(round) ? 1 : 0)
              .set("slots", slots);
      Fields fields = new Fields().set("round", hooking).set("parent", trees.parent());
      if (trees.forest()) {
        launches.run("select_slots", slots.length(), fields.set("wins", wins));
        hookSelected();
      } else {
        launches.run("hook_slots", slots.length(), fields);
      }
      jump();
    }
    return SLOT_ROUNDS;
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

  /** The graph's edges but self-loops, in the order of their arcs, or shuffled. */
  private DeviceArray<long[]> edges() {
    DeviceArray<int[]> counts = graph.scratch().ints("counts", trees.pieces());
    trees.runPieces("count_edges", trees.pieceFields().set("counts", counts));
    int[] before = counts.toArray();
    int edges = 0;
    for (int piece = 0; piece < before.length; piece++) {
      int count = before[piece];
      before[piece] = edges;
      edges += count;
    }
    counts.copyFrom(before);
    DeviceArray<long[]> ends = graph.scratch().longs("edges", edges);
    places = new SeededPermutation(edges, SHUFFLE_SEED);
    trees.runPieces(
        "list_edges",
        trees
            .pieceFields()
            .set("counts", counts)
            .set("ends", ends)
            .set("shuffled", shuffled() ? 1 : 0)
            .set("places", Fields.of(places.constants())));
    return ends;
  }

  /** Hooks roots over edges; gives whether any edge joined two trees. */
  private boolean hook(DeviceArray<long[]> ends, DeviceArray<int[]> marks, int round) {
    flag.fill(0);
    Fields hooking =
        new Fields()
            .set("count", (int) ends.length())
            .set("first", round == 0 ? 1 : 0)
            .set("descend", descends(round) ? 1 : 0)
            .set("greatest", prefersGreatest(round) ? 1 : 0)
            .set("sorted", trees.options().list() == EdgeOrder.SORTED ? 1 : 0)
            .set("ends", ends)
            .set("marks", marks)
            .set("found", flag);
    Fields fields = new Fields().set("round", hooking).set("parent", trees.parent());
    if (!trees.forest()) {
      launches.run("hook", ends.length(), fields);
    } else {
      launches.run("select_edges", ends.length(), fields.set("wins", wins));
    }
    boolean found = flag.getInt(0) != 0;
    if (found && trees.forest()) {
      hookSelected();
    }
    return found;
  }

  private void hookSelected() {
    launches.run(
        "hook_selected",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("wins", wins)
            .set("parent", trees.parent())
            .set("edge_of", trees.edgeOf()));
  }

  private void jump() {
    do {
      flag.fill(0);
      launches.run(
          "jump",
          vertices,
          new Fields()
              .set("vertices", vertices)
              .set("leaf", leaf)
              .set("parent", trees.parent())
              .set("deep", flag));
    } while (flag.getInt(0) != 0);
    launches.run(
        "settle",
        vertices,
        new Fields().set("vertices", vertices).set("leaf", leaf).set("parent", trees.parent()));
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
