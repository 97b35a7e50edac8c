package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/** The nodes on the device, and the numbers that kernels leave for the host; see pointsto.cuh. */
final class Nodes {
  private final int variables;
  private final Launches launches;
  private final DeviceArray<int[]> rep;
  private final DeviceArray<int[]> changed;
  private final DeviceArray<int[]> fresh;
  private final DeviceArray<int[]> head;
  private final DeviceArray<int[]> tail;
  private final DeviceArray<long[]> totals;
  private final long[] latest;
  private int round;

  Nodes(DeviceConstraints constraints, Launches launches) {
    this.variables = constraints.variables();
    this.launches = launches;
    Scratch scratch = constraints.scratch();
    this.rep = scratch.ints("rep", variables);
    this.changed = scratch.ints("changed", variables);
    this.fresh = scratch.ints("fresh", variables);
    this.head = scratch.ints("head", variables);
    this.tail = scratch.ints("tail", variables);
    this.totals = scratch.longs("totals", launches.constant("total::count"));
    this.latest = new long[(int) totals.length()];
    totals.fill(0);
    launches.run("start_nodes", variables, new Fields().set("nodes", fields()));
  }

  int variables() {
    return variables;
  }

  /** The present round; 0 before the first. */
  int round() {
    return round;
  }

  void nextRound() {
    round++;
  }

  /** Goes back to a round, after some that did not run. */
  void backTo(long earlier) {
    round = (int) earlier;
  }

  DeviceArray<int[]> rep() {
    return rep;
  }

  DeviceArray<int[]> changed() {
    return changed;
  }

  DeviceArray<long[]> totals() {
    return totals;
  }

  /** A number that kernels left, by the name that it has there; waits for the device. */
  long total(String name) {
    totals.copyTo(latest);
    return seen(name);
  }

  /** The number of that name at the last look at any. */
  long seen(String name) {
    return latest[launches.constant("total::" + name)];
  }

  void setTotal(String name, long value) {
    totals.set(launches.constant("total::" + name), value);
  }

  Fields fields() {
    return new Fields()
        .set("variables", variables)
        .set("round", round)
        .set("rep", rep)
        .set("changed", changed)
        .set("fresh", fresh)
        .set("head", head)
        .set("tail", tail)
        .set("totals", totals);
  }

  /** Empties all lists. */
  void dropLists() {
    head.fill(-1);
    tail.fill(-1);
  }
}
