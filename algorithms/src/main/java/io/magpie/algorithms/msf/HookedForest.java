package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.internal.driver.Workspace;
import io.magpie.algorithms.msf.MsfOptions.Merge;
import io.magpie.algorithms.msf.MsfOptions.Reads;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.StmObjects;

/**
 * Components and the edges over which they were hooked, wherever the edges come from: the arrays of
 * forest.cuh that have an element for each vertex, and the launches that work on them alone.
 */
abstract class HookedForest {
  /** Rounds that no computation needs: each one shortens the list, or the ways to the roots. */
  static final int MAX_ROUNDS = 1000;

  private final Workspace workspace;
  private final int vertices;
  private final MsfOptions options;
  private final Launches launches;
  private final DeviceArray<int[]> parent;
  private final DeviceArray<int[]> edgeOf;
  private final DeviceArray<long[]> best;
  private final DeviceArray<int[]> flag;

  /**
   * Allocates the arrays.
   *
   * @param launches launches of the workspace's module
   * @param notes whether {@link #edgeOf} is needed; else it is empty
   */
  HookedForest(
      Workspace workspace, int vertices, MsfOptions options, Launches launches, boolean notes) {
    this.workspace = workspace;
    this.vertices = vertices;
    this.options = options;
    this.launches = launches;
    this.parent = workspace.scratch().ints("parent", vertices);
    this.edgeOf = workspace.scratch().ints("edgeOf", notes ? vertices : 0);
    this.best = workspace.scratch().longs("best", vertices);
    this.flag = workspace.scratch().ints("flag", 1);
  }

  /** An object for each vertex, allocated by the first call. */
  abstract StmObjects objects();

  final int vertices() {
    return vertices;
  }

  final Device device() {
    return workspace.device();
  }

  final Scratch scratch() {
    return workspace.scratch();
  }

  final MsfOptions options() {
    return options;
  }

  /** Whether components are united by transactions. */
  final boolean transactional() {
    return transactional(options);
  }

  /** Whether they are with these options. */
  static boolean transactional(MsfOptions options) {
    return options.hasEffect(MsfOptions.MERGE) && options.merge() == Merge.STM;
  }

  final Launches launches() {
    return launches;
  }

  /** For each vertex one nearer to its root; roots are their own. */
  final DeviceArray<int[]> parent() {
    return parent;
  }

  /**
   * For each former root the arc, or the entry of a list, over which it was hooked. Where it is
   * empty, {@link #best} ends in that.
   */
  final DeviceArray<int[]> edgeOf() {
    return edgeOf;
  }

  /**
   * At roots: the least key of an edge that leaves their component. Of those that {@link
   * ListRounds} has hooked without transactions, that of the edge over which they were.
   */
  final DeviceArray<long[]> best() {
    return best;
  }

  /** One word that a kernel sets when it must be launched again. */
  final DeviceArray<int[]> flag() {
    return flag;
  }

  /** Runs a kernel whose threads take an item each. */
  final void run(String kernel, long items, Fields fields) {
    launches.run(kernel, items, fields);
  }

  /**
   * Runs a region that merges, in the form that the options ask for; {@link Launches#ahead} may
   * have it only started.
   *
   * @param list the items; null for all from 0 to {@code items - 1}
   */
  final void merge(String region, DeviceArray<int[]> list, long items, Fields fields) {
    String name = options.reads() == Reads.UNVALIDATED ? region + "_unvalidated" : region;
    launches.startOrTransact(name, list, items, fields);
  }

  /** Makes every vertex its own component. */
  final void startAlone() {
    run(
        "start_alone",
        vertices,
        new Fields().set("vertices", vertices).set("parent", parent).set("edge_of", edgeOf));
  }

  /**
   * Points every vertex to its root.
   *
   * @param ready whether roots also forget their least edges
   */
  final void flatten(boolean ready) {
    flatten(parent, vertices, ready);
  }

  /** The same of the first {@code count} elements of an array of that kind. */
  final void flatten(DeviceArray<int[]> parents, int count, boolean ready) {
    do {
      shorten(parents, count, ready);
    } while (flag.getInt(0) != 0);
  }

  /**
   * One pass of {@link #flatten(boolean)}, without a look at {@link #flag}: it is set if some
   * vertex is still not at its root.
   */
  final void shorten(boolean ready) {
    shorten(parent, vertices, ready);
  }

  private void shorten(DeviceArray<int[]> parents, int count, boolean ready) {
    flag.fill(0);
    run(
        "flatten",
        count,
        new Fields()
            .set("vertices", count)
            .set("ready", ready ? 1 : 0)
            .set("parent", parents)
            .set("best", best)
            .set("deep", flag));
  }
}
