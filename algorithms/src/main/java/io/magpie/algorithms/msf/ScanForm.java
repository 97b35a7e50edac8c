package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.parallel.ScanOperator;

/**
 * The form of Vineet, Harish, Patidar and Narayanan: a graph that is contracted after each round,
 * by scans, segmented scans and sorts, with the kernels of scan_form.cuh between them.
 */
final class ScanForm extends ArcForm {
  private final NumberedComponents components;
  private final DeviceArray<int[]> successor;
  private final DeviceArray<int[]> rep;
  private final DeviceArray<int[]> pick;
  private final DeviceArray<long[]> keys;
  private final DeviceArray<int[]> flags;
  private final DeviceArray<int[]> sortKeys;
  private final DeviceArray<int[]> order;
  private Arcs arcs;
  private Arcs others;
  private int count;
  private int weightBits;

  ScanForm(WorkingForest forest) {
    super(forest);
    Scratch scratch = graph.scratch();
    this.successor = scratch.ints("successor", graph.vertices());
    this.rep = scratch.ints("rep", graph.vertices());
    this.pick = scratch.ints("pick", graph.vertices());
    this.keys = scratch.longs("arc keys", graph.arcs());
    this.flags = scratch.ints("arc flags", graph.arcs());
    this.sortKeys = scratch.ints("keys", graph.arcs());
    this.order = scratch.ints("order", graph.arcs());
    this.arcs = Arcs.of(scratch, "listed", graph.arcs());
    this.others = Arcs.of(scratch, "next", graph.arcs());
    this.components = new NumberedComponents(forest);
  }

  @Override
  public int solve() {
    list();
    int rounds = 0;
    for (; count > 0; rounds++) {
      checkRounds(rounds);
      findMinima();
      unite();
      contract();
    }
    components.finish();
    return rounds;
  }

  /** Lists the graph's arcs but for self-loops. */
  private void list() {
    count = graph.arcs();
    forest.run(
        "list_arcs",
        graph.vertices(),
        arcs.in(
                new Fields()
                    .set("vertices", graph.vertices())
                    .set("offsets", graph.offsets())
                    .set("neighbors", graph.neighbors())
                    .set("weights", graph.weights()),
                "")
            .set("keep", flags));
    forest
        .launches()
        .primitives(
            "heaviest",
            count,
            () ->
                weightBits =
                    bitsOf(components.primitives().reduce(graph.weights(), ScanOperator.MAX)));
    pack();
    gather();
  }

  /** How many low bits are set up to that number; none if it is below 1, as of no arcs. */
  private static int bitsOf(long most) {
    return Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, most));
  }

  /** Finds the arc that each component chooses, and where it leads. */
  private void findMinima() {
    forest.run(
        "append_keys",
        count,
        new Fields()
            .set("arcs", count)
            .set("from", arcs.from)
            .set("to", arcs.to)
            .set("weight", arcs.weight)
            .set("keys", keys)
            .set("heads", flags));
    DeviceArray<long[]> listed = keys.slice(0, count);
    forest
        .launches()
        .primitives(
            "scan_minima",
            count,
            () ->
                components
                    .primitives()
                    .segmentedScan(listed, flags.slice(0, count), listed, ScanOperator.MIN, true));
    forest.run(
        "start_successors",
        components.count(),
        new Fields().set("components", components.count()).set("successor", successor));
    forest.run(
        "take_minima",
        count,
        new Fields()
            .set("arcs", count)
            .set("from", arcs.from)
            .set("minima", keys)
            .set("best", forest.best())
            .set("successor", successor));
    forest.run(
        "pick_arcs",
        count,
        new Fields()
            .set("arcs", count)
            .set("from", arcs.from)
            .set("origin", arcs.origin)
            .set("minima", keys)
            .set("best", forest.best())
            .set("pick", pick));
  }

  private void unite() {
    forest.run(
        "break_pairs",
        components.count(),
        new Fields()
            .set("components", components.count())
            .set("successor", successor)
            .set("rep", rep));
    forest.flatten(rep, components.count(), false);
    components.unite(rep, pick);
    forest.run(
        "relabel_vertices",
        graph.vertices(),
        new Fields()
            .set("vertices", graph.vertices())
            .set("label", components.label())
            .set("component", components.component()));
  }

  /** Keeps, of the arcs between two components, the lightest of each direction. */
  private void contract() {
    forest.run(
        "relabel_arcs",
        count,
        new Fields()
            .set("arcs", count)
            .set("label", components.label())
            .set("from", arcs.from)
            .set("to", arcs.to)
            .set("keep", flags));
    pack();
    sortBy("sort_by_weight", arcs.weight, weightBits);
    sortBy("sort_by_target", arcs.to, components.bits());
    sortBy("sort_by_source", arcs.from, components.bits());
    gather();
    forest.run(
        "flag_lightest",
        count,
        new Fields()
            .set("arcs", count)
            .set("from", arcs.from)
            .set("to", arcs.to)
            .set("keep", flags));
    pack();
    gather();
  }

  /** Makes the flagged arcs the order, and their number the present one. */
  private void pack() {
    int before = count;
    forest
        .launches()
        .primitives(
            "pack",
            before,
            () -> count = components.primitives().pack(null, flags.slice(0, before), order));
  }

  /** Sorts the order by one of the arrays; stable. */
  private void sortBy(String name, DeviceArray<int[]> array, int bits) {
    forest.run(
        "gather_keys",
        count,
        new Fields().set("arcs", count).set("order", order).set("in", array).set("keys", sortKeys));
    forest
        .launches()
        .primitives(
            name,
            count,
            () ->
                components
                    .primitives()
                    .sort(sortKeys.slice(0, count), order.slice(0, count), bits));
  }

  /** Makes the arcs of the order the list. */
  private void gather() {
    forest.run(
        "gather_arcs",
        count,
        others.in(arcs.in(new Fields().set("arcs", count).set("order", order), ""), "next_"));
    Arcs old = arcs;
    arcs = others;
    others = old;
  }

  /** A list of arcs; the arrays are as long as the graph has arcs. */
  private record Arcs(
      DeviceArray<int[]> from,
      DeviceArray<int[]> to,
      DeviceArray<int[]> weight,
      DeviceArray<int[]> origin) {
    static Arcs of(Scratch scratch, String which, int arcs) {
      return new Arcs(
          scratch.ints(which + " from", arcs),
          scratch.ints(which + " to", arcs),
          scratch.ints(which + " weight", arcs),
          scratch.ints(which + " origin", arcs));
    }

    Fields in(Fields fields, String prefix) {
      return fields
          .set(prefix + "from", from)
          .set(prefix + "to", to)
          .set(prefix + "weight", weight)
          .set(prefix + "origin", origin);
    }
  }
}
