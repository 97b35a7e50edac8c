package io.magpie.algorithms.components;

import io.magpie.algorithms.components.ComponentsOptions.Direction;
import io.magpie.algorithms.components.ComponentsOptions.EdgeOrder;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import java.util.BitSet;

/**
 * Rounds of hooking over a list of edges and of pointer jumping, by plain stores, with the kernels
 * of atomic_free_form.cuh.
 */
final class AtomicFreeForm implements ComponentsForm {
  private final Trees trees;
  private final DeviceGraph graph;
  private final Launches launches;
  private final int vertices;
  private final DeviceArray<int[]> leaf;
  private final DeviceArray<long[]> wins;

  AtomicFreeForm(Trees trees) {
    this.trees = trees;
    this.graph = trees.graph();
    this.launches = trees.launches();
    this.vertices = graph.vertices();
    this.leaf = graph.scratch().ints("leaf", vertices);
    this.wins = graph.scratch().longs("wins", trees.forest() ? vertices : 0);
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
    int rounds = 0;
    while (hook(ends, marks, rounds)) {
      if (rounds++ == vertices) {
        throw new IllegalStateException("no end after " + vertices + " rounds");
      }
      jump();
    }
    return rounds;
  }

  /** The graph's edges but self-loops, in the order of their arcs. */
  private DeviceArray<long[]> edges() {
    DeviceArray<int[]> counts = graph.scratch().ints("counts", trees.pieces());
    trees.runPieces("count_edges", new Fields().set("counts", counts));
    int[] before = counts.toArray();
    int edges = 0;
    for (int piece = 0; piece < before.length; piece++) {
      int count = before[piece];
      before[piece] = edges;
      edges += count;
    }
    counts.copyFrom(before);
    DeviceArray<long[]> ends = graph.scratch().longs("edges", edges);
    trees.runPieces("list_edges", new Fields().set("counts", counts).set("ends", ends));
    return ends;
  }

  /** Hooks roots over edges; gives whether any edge joined two trees. */
  private boolean hook(DeviceArray<long[]> ends, DeviceArray<int[]> marks, int round) {
    ComponentsOptions options = trees.options();
    // In rounds of even number the smaller root takes the larger for its parent.
    boolean descend = options.direction() == Direction.FIXED || round % 2 != 0;
    trees.flag().fill(0);
    Fields hooking =
        new Fields()
            .set("count", (int) ends.length())
            .set("first", round == 0 ? 1 : 0)
            .set("descend", descend ? 1 : 0)
            .set("sorted", options.list() == EdgeOrder.SORTED ? 1 : 0)
            .set("ends", ends)
            .set("marks", marks)
            .set("found", trees.flag());
    Fields fields = new Fields().set("round", hooking).set("parent", trees.parent());
    if (!trees.forest()) {
      launches.run("hook", ends.length(), fields);
    } else {
      launches.run("select_edges", ends.length(), fields.set("wins", wins));
    }
    if (trees.flag().getInt(0) == 0) {
      return false;
    }
    if (trees.forest()) {
      launches.run(
          "hook_selected",
          vertices,
          new Fields()
              .set("vertices", vertices)
              .set("wins", wins)
              .set("parent", trees.parent())
              .set("edge_of", trees.edgeOf()));
    }
    return true;
  }

  private void jump() {
    do {
      trees.flag().fill(0);
      launches.run(
          "jump",
          vertices,
          new Fields()
              .set("vertices", vertices)
              .set("leaf", leaf)
              .set("parent", trees.parent())
              .set("deep", trees.flag()));
    } while (trees.flag().getInt(0) != 0);
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
        if (edged.neighbors()[a] > v && edges.get(edge++)) {
          arcs[next++] = a;
        }
      }
    }
    return arcs;
  }
}
