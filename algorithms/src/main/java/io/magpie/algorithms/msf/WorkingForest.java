package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.msf.MsfOptions.Merge;
import io.magpie.algorithms.msf.MsfOptions.Reads;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/**
 * The forest while it is computed: the arrays that forest.cuh describes, and the launches that work
 * on them. All forms of the algorithm grow one.
 */
final class WorkingForest {
  /** Rounds that no computation needs: each one shortens the list, or the ways to the roots. */
  static final int MAX_ROUNDS = 1000;

  private final DeviceGraph graph;
  private final MsfOptions options;
  private final Launches launches;
  private final DeviceArray<int[]> parent;
  private final DeviceArray<int[]> edgeOf;
  private final DeviceArray<long[]> best;
  private final DeviceArray<int[]> flag;

  WorkingForest(DeviceGraph graph, MsfOptions options) {
    this.graph = graph;
    this.options = options;
    this.launches = new Launches(graph.module(), options.phaseTimes(), options.stm());
    this.parent = graph.scratch().ints("parent", graph.vertices());
    this.edgeOf = graph.scratch().ints("edgeOf", graph.vertices());
    this.best = graph.scratch().longs("best", graph.vertices());
    this.flag = graph.scratch().ints("flag", 1);
  }

  DeviceGraph graph() {
    return graph;
  }

  MsfOptions options() {
    return options;
  }

  /** Whether components are united by transactions. */
  boolean transactional() {
    return options.hasEffect(MsfOptions.MERGE) && options.merge() == Merge.STM;
  }

  Launches launches() {
    return launches;
  }

  /** For each vertex one nearer to its root; roots are their own. */
  DeviceArray<int[]> parent() {
    return parent;
  }

  /** For each former root the arc over which it was hooked. */
  DeviceArray<int[]> edgeOf() {
    return edgeOf;
  }

  /** At roots: the least key of an edge that leaves their component. */
  DeviceArray<long[]> best() {
    return best;
  }

  /** One word that a kernel sets when it must be launched again. */
  DeviceArray<int[]> flag() {
    return flag;
  }

  /** Runs a kernel whose threads take an item each. */
  void run(String kernel, long items, Fields fields) {
    launches.run(kernel, items, fields);
  }

  /**
   * Runs a kernel over the pieces of the graph, a warp for each; adds the fields that say which.
   */
  void runPieces(String kernel, Fields fields) {
    launches.run(
        kernel,
        (long) graph.pieces() * graph.device().warpWidth(),
        fields
            .set("vertices", graph.vertices())
            .set("piece", graph.piece())
            .set("count", graph.pieces()));
  }

  /**
   * Runs a region that merges, in the form that the options ask for.
   *
   * @param list the items; null for all from 0 to {@code items - 1}
   */
  void merge(String region, DeviceArray<int[]> list, long items, Fields fields) {
    String name = options.reads() == Reads.UNVALIDATED ? region + "_unvalidated" : region;
    launches.transact(name, list, items, fields);
  }

  /** Makes every vertex its own component. */
  void startAlone() {
    run(
        "start_alone",
        graph.vertices(),
        new Fields()
            .set("vertices", graph.vertices())
            .set("parent", parent)
            .set("edge_of", edgeOf));
  }

  /**
   * Points every vertex to its root.
   *
   * @param ready whether roots also forget their least edges
   */
  void flatten(boolean ready) {
    flatten(parent, graph.vertices(), ready);
  }

  /** The same of the first {@code count} elements of an array of that kind. */
  void flatten(DeviceArray<int[]> parents, int count, boolean ready) {
    do {
      shorten(parents, count, ready);
    } while (flag.getInt(0) != 0);
  }

  /**
   * One pass of {@link #flatten(boolean)}, without a look at {@link #flag}: it is set if some
   * vertex is still not at its root.
   */
  void shorten(boolean ready) {
    shorten(parent, graph.vertices(), ready);
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
