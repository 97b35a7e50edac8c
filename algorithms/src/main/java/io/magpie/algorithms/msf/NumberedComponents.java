package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.parallel.ScanOperator;

/**
 * The components of a forest, numbered from 0 without gaps, as contraction.cuh describes. While it
 * is at work {@link WorkingForest#parent()} holds the number of each vertex's component.
 */
final class NumberedComponents {
  private final WorkingForest forest;
  private final Primitives primitives;
  private final int vertices;
  private final DeviceArray<int[]> flags;
  private final DeviceArray<int[]> number;
  private final DeviceArray<int[]> label;
  private DeviceArray<int[]> leader;
  private DeviceArray<int[]> nextLeader;
  private int count;

  /** Every vertex is a component. */
  NumberedComponents(WorkingForest forest) {
    this.forest = forest;
    this.primitives = Primitives.of(forest.graph().device());
    this.vertices = forest.graph().vertices();
    Scratch scratch = forest.graph().scratch();
    this.flags = scratch.ints("flags", vertices);
    this.number = scratch.ints("number", vertices + 1L);
    this.label = scratch.ints("label", vertices);
    this.leader = scratch.ints("leaders 0", vertices);
    this.nextLeader = scratch.ints("leaders 1", vertices);
    this.count = vertices;
    forest.run(
        "start_numbered",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("component", component())
            .set("leader", leader)
            .set("edge_of", forest.edgeOf()));
  }

  /** How many there are. */
  int count() {
    return count;
  }

  /** How many low bits of their numbers can be set. */
  int bits() {
    return Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
  }

  /** For each vertex the number of its component. */
  DeviceArray<int[]> component() {
    return forest.parent();
  }

  /** For each component before the last {@link #unite} its number after it. */
  DeviceArray<int[]> label() {
    return label;
  }

  Primitives primitives() {
    return primitives;
  }

  /** Room for one more int than there are vertices, whose content only {@link #unite} needs. */
  DeviceArray<int[]> sums() {
    return number;
  }

  /**
   * Unites components with their representatives, and gives those that are left new numbers, in the
   * same order. {@link #component()} keeps the old ones.
   *
   * @param rep for each component its representative, whose own it is itself
   * @param pick for each that is not its own the arc by which it is united
   * @return whether there are fewer
   */
  boolean unite(DeviceArray<int[]> rep, DeviceArray<int[]> pick) {
    int before = count;
    forest.run(
        "record_picks",
        before,
        new Fields()
            .set("components", before)
            .set("rep", rep)
            .set("pick", pick)
            .set("leader", leader)
            .set("flags", flags)
            .set("edge_of", forest.edgeOf()));
    forest
        .launches()
        .primitives(
            "number",
            before,
            () ->
                primitives.exclusiveScan(
                    flags.slice(0, before), number.slice(0, before + 1L), ScanOperator.ADD));
    forest.run(
        "renumber",
        before,
        new Fields()
            .set("components", before)
            .set("rep", rep)
            .set("number", number)
            .set("leader", leader)
            .set("label", label)
            .set("next_leader", nextLeader));
    count = number.getInt(before);
    DeviceArray<int[]> old = leader;
    leader = nextLeader;
    nextLeader = old;
    return count < before;
  }

  /** Names each vertex's component by one of its vertices, in {@link WorkingForest#parent()}. */
  void finish() {
    forest.run(
        "name_components",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("leader", leader)
            .set("parent", forest.parent()));
  }
}
