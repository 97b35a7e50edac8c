package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.parallel.ScanOperator;

/**
 * The form of Nasre, Burtscher and Pingali: components as sets of vertices, cycles of choices
 * broken at their least component, by the kernels of cycle_form.cuh.
 */
final class CycleForm extends ArcForm {
  private final int vertices;
  private final NumberedComponents components;
  private final DeviceArray<long[]> best;
  private final DeviceArray<long[]> nodeBest;
  private final DeviceArray<int[]> rep;
  private final DeviceArray<int[]> pick;
  private final DeviceArray<int[]> keys;
  private final DeviceArray<int[]> order;
  private Way way;
  private Way longer;
  private Sets sets;
  private Sets nextSets;

  CycleForm(WorkingForest forest) {
    super(forest);
    this.vertices = graph.vertices();
    Scratch scratch = graph.scratch();
    this.best = scratch.longs("component best", vertices).named("best");
    this.nodeBest = forest.best().asConst().named("node_best");
    this.rep = scratch.ints("rep", vertices);
    this.pick = scratch.ints("pick", vertices);
    this.way = new Way(scratch.ints("next 0", vertices), scratch.ints("least passed 0", vertices));
    this.longer =
        new Way(scratch.ints("next 1", vertices), scratch.ints("least passed 1", vertices));
    // What the ways are in is free once representatives are known.
    this.keys = way.next;
    this.order = way.leastPassed;
    this.sets = new Sets(scratch.ints("nodes 0", vertices), scratch.ints("first 0", vertices + 1L));
    this.nextSets =
        new Sets(scratch.ints("nodes 1", vertices), scratch.ints("first 1", vertices + 1L));
    this.components = new NumberedComponents(forest);
  }

  @Override
  public int solve() {
    forest.run(
        "start_sets",
        vertices + 1L,
        new Fields().set("vertices", vertices).set("nodes", sets.nodes).set("first", sets.first));
    int rounds = 0;
    for (; components.count() > 1; rounds++) {
      checkRounds(rounds);
      int before = components.count();
      findMinima();
      breakCycles();
      if (!components.unite(rep, pick)) {
        break;
      }
      shuffle(before);
    }
    components.finish();
    return rounds;
  }

  /** Finds the vertices' and the components' lightest arcs to other components. */
  private void findMinima() {
    forest.run(
        "node_minimum",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("offsets", graph.offsets())
            .set("neighbors", graph.neighbors())
            .set("weights", graph.weights())
            .set("component", components.component())
            .set("best", forest.best()));
    long work = (long) vertices + components.count();
    int pieces = forest.launches().pieces(work);
    forest
        .launches()
        .runPieces(
            "component_minimum",
            work,
            pieces,
            cut(pieces).set("nodes", sets.nodes).set("node_best", nodeBest));
    if (pieces > 1) {
      forest.launches().runPieces("join_minimum", work, pieces, cut(pieces));
    }
  }

  private Fields cut(int pieces) {
    return new Fields()
        .set("components", components.count())
        .set("pieces", pieces)
        .set("first", sets.first)
        .set("leads", graph.scratch().longs("leads", pieces))
        .set("tails", graph.scratch().longs("tails", pieces))
        .set("open", graph.scratch().ints("open", pieces))
        .set("best", best);
  }

  /** Finds the components' representatives. */
  private void breakCycles() {
    int count = components.count();
    forest.run(
        "choose_partner",
        count,
        new Fields()
            .set("components", count)
            .set("best", best)
            .set("neighbors", graph.neighbors())
            .set("component", components.component())
            .set("next", way.next)
            .set("least_passed", way.leastPassed)
            .set("pick", pick));
    for (int bit = 0; 1L << bit < count; bit++) {
      forest.flag().fill(0);
      forest.run(
          "follow",
          count,
          new Fields()
              .set("components", count)
              .set("next", way.next)
              .set("least_passed", way.leastPassed)
              .set("further", longer.next)
              .set("least_further", longer.leastPassed)
              .set("changed", forest.flag()));
      Way shorter = way;
      way = longer;
      longer = shorter;
      if (forest.flag().getInt(0) == 0) {
        break;
      }
    }
    forest.run(
        "break_cycles",
        count,
        new Fields()
            .set("components", count)
            .set("next", way.next)
            .set("least_passed", way.leastPassed)
            .set("rep", rep));
  }

  /**
   * Moves the vertices to their next components.
   *
   * @param before how many components there were
   */
  private void shuffle(int before) {
    forest.run(
        "list_components",
        before,
        new Fields()
            .set("components", before)
            .set("label", components.label())
            .set("keys", keys)
            .set("order", order));
    // Of no use any more in this round, and as long as is needed.
    DeviceArray<int[]> size = rep;
    DeviceArray<int[]> place = pick;
    DeviceArray<int[]> sums = components.sums();
    forest
        .launches()
        .primitives(
            "sort_components",
            before,
            () ->
                components
                    .primitives()
                    .sort(keys.slice(0, before), order.slice(0, before), components.bits()));
    forest.run(
        "set_sizes",
        before,
        new Fields()
            .set("components", before)
            .set("order", order)
            .set("first", sets.first)
            .set("size", size));
    forest
        .launches()
        .primitives(
            "sum_sizes",
            before,
            () ->
                components
                    .primitives()
                    .exclusiveScan(size.slice(0, before), sums.slice(0, before), ScanOperator.ADD));
    forest.run(
        "place_sets",
        before,
        new Fields()
            .set("vertices", vertices)
            .set("components", before)
            .set("next_components", components.count())
            .set("keys", keys)
            .set("order", order)
            .set("before", sums)
            .set("place", place)
            .set("next_first", nextSets.first));
    forest.run(
        "move_vertices",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("nodes", sets.nodes)
            .set("first", sets.first)
            .set("place", place)
            .set("label", components.label())
            .set("component", components.component())
            .set("next_nodes", nextSets.nodes));
    Sets old = sets;
    sets = nextSets;
    nextSets = old;
  }

  /** How far each component's way along the partners has been followed, and the least on it. */
  private record Way(DeviceArray<int[]> next, DeviceArray<int[]> leastPassed) {}

  /** The vertices of each component, one component after another. */
  private record Sets(DeviceArray<int[]> nodes, DeviceArray<int[]> first) {}
}
