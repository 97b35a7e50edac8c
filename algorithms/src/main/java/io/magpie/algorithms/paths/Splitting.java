package io.magpie.algorithms.paths;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.paths.PathsOptions.Balance;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.Timer;
import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.parallel.ScanOperator;
import java.util.stream.IntStream;

/**
 * The degree bound, and the nodes that vertices of more arcs are split into; see nodes.cuh. Both
 * are made on the device, before distances are computed.
 */
final class Splitting {
  /** Nodes are numbered as vertices are; see paths.cuh. */
  private static final int MOST_NODES = Integer.MAX_VALUE - 1;

  private final DeviceGraph graph;
  private final Launches launches;
  private final Primitives primitives;
  private final DeviceArray<int[]> children;
  private DeviceArray<int[]> first;
  private DeviceArray<int[]> last;
  private DeviceArray<int[]> parent;
  private int bound;
  private int extra;
  private double millis;

  /**
   * Chooses the bound if the options leave it open, and splits if they ask for it.
   *
   * @throws NodeRangeException if there would be too many nodes
   */
  Splitting(DeviceGraph graph, PathsOptions options, Launches launches) {
    this(graph, options, launches, MOST_NODES);
  }

  /** The same with another limit than that of numbers. */
  Splitting(DeviceGraph graph, PathsOptions options, Launches launches, int mostNodes) {
    this.graph = graph;
    this.launches = launches;
    boolean split = options.balance() == Balance.SPLIT;
    boolean counted = split || options.balance() == Balance.VIRTUAL_SPLIT;
    boolean chosen = options.hasEffect(PathsOptions.DEGREE_BOUND) && options.degreeBound() == 0;
    DeviceArray<int[]> unused = graph.scratch().ints("unused", 1);
    this.first = unused;
    this.last = unused;
    this.parent = unused;
    this.bound = options.degreeBound();
    if (!counted && !chosen) {
      this.primitives = null;
      this.children = unused;
      return;
    }
    this.primitives = Primitives.of(graph.device());
    this.children = graph.scratch().ints("children", graph.vertices() + 1L);
    Histogram histogram = chosen ? new Histogram() : null;
    try (Timer timer = graph.device().startTimer()) {
      measureDegrees();
      if (chosen) {
        bound = histogram.bound();
      }
      if (counted) {
        countChildren();
      }
      millis = timer.millis();
    }
    if (split) {
      requireNodes(graph.vertices(), extra, bound, mostNodes);
      cut();
    }
  }

  /** The most arcs of a node, or of a vertex that is not heavy; 0 if nothing is bounded. */
  int bound() {
    return bound;
  }

  /** Nodes beyond vertices. */
  int extra() {
    return extra;
  }

  /** Device time of all this. */
  double millis() {
    return millis;
  }

  /** For each vertex the number of children of those before it, and of all. */
  DeviceArray<int[]> children() {
    return children;
  }

  /** The same where kernels take it in the place of where arcs begin in a frontier. */
  DeviceArray<int[]> childrenAsStarts() {
    return children.asConst().named("starts");
  }

  /** Of each node the first of its arcs, if vertices are split. */
  DeviceArray<int[]> first() {
    return first;
  }

  /** Of each node the arc behind its last one, likewise. */
  DeviceArray<int[]> last() {
    return last;
  }

  /** Of each child its vertex, likewise. */
  DeviceArray<int[]> parent() {
    return parent;
  }

  /** The fields that say what the arcs of nodes are. */
  void addTo(Fields fields) {
    fields
        .set("first", first)
        .set("last", last)
        .set("children", children)
        .set("parent", parent)
        .set("parents", graph.vertices());
  }

  /** The degrees, where children are to be counted. */
  private DeviceArray<int[]> degrees() {
    return children.slice(0, graph.vertices());
  }

  private void measureDegrees() {
    launches.run(
        "measure_degrees",
        graph.vertices(),
        new Fields()
            .set("vertices", graph.vertices())
            .set("offsets", graph.leaving().offsets())
            .set("degree", degrees()));
  }

  private void countChildren() {
    int vertices = graph.vertices();
    launches.run(
        "count_children",
        vertices,
        new Fields().set("vertices", vertices).set("bound", bound).set("degree", degrees()));
    launches.primitives(
        "scan_children",
        vertices,
        () -> primitives.exclusiveScan(degrees(), children, ScanOperator.ADD));
    extra = children.getInt(vertices);
  }

  /**
   * Checks that nodes can be numbered.
   *
   * @throws NodeRangeException if not
   */
  private static void requireNodes(long vertices, long extra, int bound, int mostNodes) {
    if (vertices + extra > mostNodes) {
      throw new NodeRangeException(
          "balance=split with degree-bound="
              + bound
              + " would make "
              + (vertices + extra)
              + " nodes of "
              + vertices
              + " vertices, but there may be at most "
              + mostNodes
              + "; use a larger degree-bound, or balance=virtual-split");
    }
  }

  private void cut() {
    int nodes = graph.vertices() + extra;
    first = graph.scratch().ints("first", nodes);
    last = graph.scratch().ints("last", nodes);
    parent = graph.scratch().ints("parent", Math.max(1, extra));
    int pieces = launches.pieces(nodes);
    try (Timer timer = graph.device().startTimer()) {
      launches.runPieces(
          "cut_vertices",
          nodes,
          pieces,
          new Fields()
              .set("segments", graph.vertices())
              .set("pieces", pieces)
              .set("children", children)
              .set("offsets", graph.leaving().offsets())
              .set("first", first)
              .set("last", last)
              .set("parent", parent));
      millis += timer.millis();
    }
  }

  /** The histogram of degrees. */
  private final class Histogram {
    private final int buckets = launches.constant("bucket_count");
    private final int piece;
    private final int pieces;
    private final DeviceArray<int[]> counts;
    private final DeviceArray<int[]> tops;
    private final DeviceArray<int[]> offsets;
    private final DeviceArray<int[]> results;

    Histogram() {
      int vertices = graph.vertices();
      int most = launches.pieces(vertices);
      piece = (vertices - 1) / most + 1;
      pieces = (vertices - 1) / piece + 1;
      Scratch scratch = graph.scratch();
      counts = scratch.ints("counts", (long) buckets * pieces);
      tops = scratch.ints("tops", (long) buckets * pieces);
      offsets = scratch.ints("bucket offsets", buckets + 1L);
      results = scratch.ints("buckets", buckets);
    }

    /** What the fullest bucket gives. */
    int bound() {
      int[] largest = new int[1];
      launches.primitives(
          "largest_degree",
          graph.vertices(),
          () -> largest[0] = (int) primitives.reduce(degrees(), ScanOperator.MAX));
      if (largest[0] == 0) {
        return 1; // there are no arcs
      }
      launches.runPieces(
          "count_degrees",
          graph.vertices(),
          pieces,
          new Fields()
              .set("vertices", graph.vertices())
              .set("piece", piece)
              .set("pieces", pieces)
              .set("most", largest[0])
              .set("degree", degrees())
              .set("counts", counts)
              .set("tops", tops));
      offsets.copyFrom(IntStream.rangeClosed(0, buckets).map(k -> k * pieces).toArray());
      int[] all = added("count_buckets", counts, ScanOperator.ADD);
      int fullest = 0;
      for (int k = 1; k < buckets; k++) {
        fullest = all[k] > all[fullest] ? k : fullest;
      }
      // A bucket of vertices without arcs bounds nothing.
      return Math.max(1, added("largest_in_buckets", tops, ScanOperator.MAX)[fullest]);
    }

    private int[] added(String phase, DeviceArray<int[]> parts, ScanOperator operator) {
      launches.primitives(
          phase,
          parts.length(),
          () -> primitives.reduceBySegment(parts, offsets, results, operator));
      return results.toArray();
    }
  }
}
