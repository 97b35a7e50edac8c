package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.UpcomingArray;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.paths.PathsOptions.Direction;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsOptions.Predecessors;
import io.magpie.algorithms.paths.PathsOptions.Sync;
import io.magpie.stm.Device;
import io.magpie.stm.Timer;
import java.util.Objects;

/**
 * Shortest paths on a device from one vertex to all others: breadth-first search, and single-source
 * shortest paths with arcs of any length from 0: whole numbers up to 2^31 - 1, or floats.
 *
 * <pre>{@code
 * try (Device device = Device.open("auto")) {
 *   PathsResult paths = ShortestPaths.run(device, graph, 0, PathsOptions.defaults());
 * }
 * }</pre>
 *
 * <p>To compute paths from several vertices of one graph, make an instance: it keeps the graph and
 * its working arrays on the device. Not for use by several threads at once.
 *
 * <p>Any graph will do: parts that are not reached, self-loops, parallel arcs, arcs of length 0.
 * Distances are sums of 64 bits: of weights that are ints exact, of floats doubles. A path's length
 * is then the sum of its arcs one by one from the source, each rounded to the nearest double, and a
 * vertex's distance the least length of a path, so that all options and devices, and {@link
 * PathsReference}, find the same bits. Device memory: 4 bytes for each vertex and 4 for each arc
 * for the graph, 4 more for each arc with {@link PathsOptions.Lengths#WEIGHTS}, twice that, and a
 * byte for each vertex, if vertices look along the arcs that enter them; for the computation 8
 * bytes for each vertex, 20 more with {@link PathsOptions.Drive#DATA}, 12 more in near-far order,
 * 16 and what waits in bins by bins, 8 more for predecessors that are found afterwards or by
 * transactions, and for the latter 16 for each arc of twice the largest frontier. With {@link
 * PathsOptions.Balance#SPLIT} 12 more for each vertex and 20 for each node beyond it, with {@link
 * PathsOptions.Balance#VIRTUAL_SPLIT} 4 for each vertex, with {@link PathsOptions.Balance#HEAVY} 8
 * for each vertex that may be heavy and, if a histogram chooses the bound, 4 for each vertex. Too
 * little of it throws {@link io.magpie.stm.DeviceOutOfMemoryException}.
 *
 * <p>Sources: frontiers and fixed points as in Nasre, Burtscher and Pingali, "Data-driven versus
 * topology-driven irregular computations on GPUs", IPDPS 2013; direction by level after Beamer,
 * Asanovic and Patterson, SC 2012; near-far order after Davidson, Baxter, Garland and Owens, IPDPS
 * 2014; bins after Meyer and Sanders, "Delta-stepping: a parallelizable shortest path algorithm",
 * Journal of Algorithms 49, 2003; split vertices after Kumar and Vadhiyar, "Load balancing and
 * dynamic parallelism for static and morph graph algorithms", and Nodehi Sabet, Qiu and Zhao,
 * ASPLOS 2018; what makes a result valid after Graph500.
 */
public final class ShortestPaths implements AutoCloseable {
  private final Device device;
  private final DeviceGraph graph;
  private final int longSearch;
  private boolean closed;

  /**
   * Copies a graph to a device.
   *
   * @param device where to compute; it must outlive this object
   * @param graph the graph; arcs of an unweighted one weigh 1
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public ShortestPaths(Device device, DirectedGraph graph) {
    this(
        new DeviceMemory(Objects.requireNonNull(device, "device")),
        Objects.requireNonNull(graph, "graph"));
  }

  /**
   * @param memory what allocates on the device
   */
  ShortestPaths(DeviceMemory memory, DirectedGraph graph) {
    this(memory, graph, SearchSteps.LONG_SEARCH);
  }

  /**
   * @param memory what allocates on the device
   * @param longSearch after how many rounds warps may go on by themselves
   */
  ShortestPaths(DeviceMemory memory, DirectedGraph graph, int longSearch) {
    this.device = memory.device();
    this.longSearch = longSearch;
    this.graph = new DeviceGraph(memory, graph);
  }

  /**
   * Computes shortest paths; from the graph in Java's memory to the result there.
   *
   * @param device where
   * @param graph the graph
   * @param source the vertex where paths begin
   * @param options how
   * @return distances and, unless they are left out, predecessors, with a report
   * @throws IllegalArgumentException if the source is no vertex
   * @throws DistanceRangeException if predecessors are to be in a word with distances that may need
   *     more than 32 bits, as sums of floats do
   * @throws DeltaRangeException if delta is not a whole number up to 2^31 - 1, and weights are ints
   * @throws LocalRoundsException if warps are to go on by themselves, and have one lane each
   * @throws NodeRangeException if vertices are to be split into more nodes than there may be
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static PathsResult run(
      Device device, DirectedGraph graph, int source, PathsOptions options) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(device, "device");
    requireVertex(graph, source);
    device.load(DeviceGraph.MODULE).close(); // it stays with the device; not part of the run
    long start = System.nanoTime();
    try (ShortestPaths paths = new ShortestPaths(device, graph)) {
      return paths.run(source, options, start);
    }
  }

  /**
   * Computes shortest paths in the graph that is on the device.
   *
   * @param source the vertex where paths begin
   * @param options how
   * @return distances and, unless they are left out, predecessors, with a report
   * @throws IllegalArgumentException if the source is no vertex
   * @throws DistanceRangeException if predecessors are to be in a word with distances that may need
   *     more than 32 bits, as sums of floats do
   * @throws DeltaRangeException if delta is not a whole number up to 2^31 - 1, and weights are ints
   * @throws LocalRoundsException if warps are to go on by themselves, and have one lane each
   * @throws NodeRangeException if vertices are to be split into more nodes than there may be
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public PathsResult run(int source, PathsOptions options) {
    Objects.requireNonNull(options, "options");
    requireVertex(graph.graph(), source);
    graph.takeUploadMillis(); // of the graph, which was there before
    return run(source, options, System.nanoTime());
  }

  private static void requireVertex(DirectedGraph graph, int source) {
    if (source < 0 || source >= graph.vertices()) {
      throw new IllegalArgumentException(
          "source "
              + source
              + " is not a vertex of "
              + graph
              + (graph.vertices() == 0
                  ? "; without vertices there are no paths"
                  : "; expected 0 to " + (graph.vertices() - 1)));
    }
  }

  private PathsResult run(int source, PathsOptions options, long start) {
    if (closed) {
      throw new IllegalStateException("the paths of " + graph.graph() + " are closed");
    }
    // Copied and allocated before the time is taken.
    graph.require(options.direction() != Direction.PUSH, options.lengths() == Lengths.WEIGHTS);
    boolean packed = packed(options);
    requireWhole(options);
    requireWarps(options);
    UpcomingArray<long[]> distances = UpcomingArray.longs(graph.vertices());
    UpcomingArray<int[]> predecessors =
        UpcomingArray.ints(
            packed || options.predecessors() == Predecessors.NONE ? 0 : graph.vertices());
    Search search = new Search(graph, options, packed, longSearch);
    double solveMillis;
    try (Timer solve = device.startTimer()) {
      search.solve(source);
      solveMillis = solve.millis();
    }
    double resultMillis = 0;
    if (options.predecessors() == Predecessors.AFTERWARDS) {
      try (Timer finish = device.startTimer()) {
        search.findPredecessors(source);
        resultMillis = finish.millis();
      }
    }
    search.words().copyTo(distances.get());
    int[] before = null;
    if (packed) {
      before = unpack(distances.get());
    } else if (options.predecessors() != Predecessors.NONE) {
      before = predecessors.get();
      search.predecessors().copyTo(before); // none is all ones, as UNREACHED
    }
    PathsReport report =
        new PathsReport(
            device.description().spec(),
            options,
            search.rounds(),
            search.pulled(),
            search.relaxations(),
            search.arcs(),
            search.delta(),
            search.localRounds(),
            search.splitting().bound(),
            search.splitting().extra(),
            search.launches().phases(),
            search.launches().transactions(),
            search.splitting().millis(),
            solveMillis,
            resultMillis,
            graph.takeUploadMillis(),
            Elapsed.millisSince(start));
    return new PathsResult(
        graph.graph(), source, options.lengths(), distances.get(), before, report);
  }

  /**
   * Whether words hold predecessors with distances.
   *
   * @throws DistanceRangeException if they would have to, and distances may be too large
   */
  private boolean packed(PathsOptions options) {
    boolean transactional =
        options.direction() != Direction.PULL && options.sync() == Sync.TRANSACTIONAL;
    if (options.predecessors() != Predecessors.WITH_DISTANCE || transactional) {
      return false;
    }
    if (options.lengths() == Lengths.WEIGHTS && graph.floats()) {
      throw new DistanceRangeException(
          "predecessors=with-distance needs distances below 2^32 - 1 unless sync=transactional, but"
              + " sums of float weights are doubles; use predecessors=afterwards, or"
              + " sync=transactional");
    }
    long longest =
        options.lengths() == Lengths.UNIT ? graph.vertices() : graph.sums().longestPath();
    // All ones is a vertex that is not reached.
    if (longest >= 0xffffffffL) {
      throw new DistanceRangeException(
          "predecessors=with-distance needs distances below 2^32 - 1 unless sync=transactional, but"
              + " lengths may add up to "
              + longest
              + "; use predecessors=afterwards, or smaller weights");
    }
    return true;
  }

  /**
   * Checks the width of ranges of whole distances.
   *
   * @throws DeltaRangeException if it is none
   */
  private void requireWhole(PathsOptions options) {
    double delta = options.delta();
    if (!graph.floats() && (delta != Math.rint(delta) || delta > Integer.MAX_VALUE)) {
      throw new DeltaRangeException(
          "delta="
              + PathsOptions.DELTA.write(delta)
              + " is for float weights; these are ints, for which it must be a whole number up to"
              + " 2147483647");
    }
  }

  /**
   * Checks that there are warps to go on by themselves, if they are to.
   *
   * @throws LocalRoundsException if a warp has one lane
   */
  private void requireWarps(PathsOptions options) {
    if (options.localRounds() > 0 && device.description().warpWidth() == 1) {
      throw new LocalRoundsException(
          "local-rounds="
              + options.localRounds()
              + " is for devices whose warps have several lanes, and those of "
              + device.description().spec()
              + " have one; leave it out, or use 0");
    }
  }

  /** Takes the predecessors out of words, and leaves distances. */
  private static int[] unpack(long[] words) {
    int[] predecessors = new int[words.length];
    for (int v = 0; v < words.length; v++) {
      predecessors[v] = (int) words[v]; // all ones where not reached
      if (words[v] != PathsResult.UNREACHED) {
        words[v] >>>= 32;
      }
    }
    return predecessors;
  }

  /** Frees what lies on the device. Closing twice is harmless. */
  @Override
  public void close() {
    closed = true;
    graph.close();
  }
}
