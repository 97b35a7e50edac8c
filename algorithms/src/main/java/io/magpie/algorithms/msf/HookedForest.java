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
  private final boolean joint;
  private final DeviceArray<int[]> parent;
  private final DeviceArray<int[]> edgeOf;
  private final DeviceArray<long[]> best;
  private final DeviceArray<int[]> flag;

  /**
   * Allocates the arrays.
   *
   * @param launches launches of the workspace's module
   * @param joint whether {@link #best} has all there is of a vertex, and the other arrays are empty
   */
  HookedForest(
      Workspace workspace, int vertices, MsfOptions options, Launches launches, boolean joint) {
    this.workspace = workspace;
    this.vertices = vertices;
    this.options = options;
    this.launches = launches;
    this.joint = joint;
    this.parent = workspace.scratch().ints("parent", joint ? 0 : vertices);
    this.edgeOf = workspace.scratch().ints("edge_of", joint ? 0 : vertices);
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

  /** Whether a vertex has one word; see forest.cuh. */
  final boolean joint() {
    return joint;
  }

  /** The name of a kernel that takes {@link #components}. */
  final String form(String kernel) {
    return joint ? kernel + "_joint" : kernel;
  }

  /** What vertices have of their components, as kernels take it. */
  final Fields components() {
    return joint
        ? new Fields().set("words", best)
        : new Fields().set("parent", parent).set("edge_of", edgeOf).set("best", best);
  }

  /** For each vertex one nearer to its root; roots are their own. Empty where words are joint. */
  final DeviceArray<int[]> parent() {
    return parent;
  }

  /**
   * For each former root the arc, or the edge of a stream, over which it was hooked. Empty where
   * words are joint.
   */
  final DeviceArray<int[]> edgeOf() {
    return edgeOf;
  }

  /** At roots: the least key of an edge that leaves their component; else the joint words. */
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

  /** Makes every vertex its own component; if words are joint, one of which no edge is known. */
  final void startAlone() {
    if (joint) {
      best.fill(-1);
      return;
    }
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
    do {
      shorten(ready);
    } while (flag.getInt(0) != 0);
  }

  /** The same of the first {@code count} elements of an array like {@link #parent}. */
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
    if (!joint) {
      shorten(parent, vertices, ready);
      return;
    }
    flag.fill(0);
    run(
        "flatten_joint",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("ready", ready ? 1 : 0)
            .set("components", components())
            .set("deep", flag));
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
