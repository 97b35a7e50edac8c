package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.msf.MsfOptions.Discovery;
import io.magpie.algorithms.msf.MsfOptions.Filter;
import io.magpie.algorithms.msf.MsfOptions.Merge;
import io.magpie.algorithms.msf.MsfOptions.Reads;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.KernelReport;
import io.magpie.stm.Machine;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import io.magpie.stm.Timer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Minimum spanning forests on a device, by Boruvka's algorithm: every component finds its least
 * outgoing edge, components are united over these edges, and so on until none has one.
 *
 * <pre>{@code
 * try (Device device = Device.open("auto")) {
 *   MsfResult forest = MinimumSpanningForest.run(device, graph, MsfOptions.defaults());
 * }
 * }</pre>
 *
 * <p>To compute several forests of one graph, make an instance: it keeps the graph and its working
 * arrays on the device. Not for use by several threads at once.
 *
 * <p>Any graph will do: any number of components, self-loops, parallel edges, equal weights,
 * weights up to 2^31 - 1, no vertices at all. Device memory: 4 bytes for each vertex and 8 for each
 * arc for the graph; about 28 for each vertex, and for {@link Traversal#EDGE} 16 for each edge
 * between different components after round one, then again for those after round two; for {@link
 * Traversal#VERTEX} 4 for each arc. Too little of it throws {@link
 * io.magpie.stm.DeviceOutOfMemoryException}.
 *
 * <p>Sources: Boruvka 1926; the transactional merge, pruning and flattening of the vertex-centric
 * form follow the thesis; the list of edges, its implicit path compression, guarded minima and the
 * light-edges-first filter of the edge-centric form follow ECL-MST (Fallin, Gonzalez, Seo and
 * Burtscher, SC 2023).
 */
public final class MinimumSpanningForest implements AutoCloseable {
  private static final String MODULE = "msf";
  private static final int MAX_WEIGHT = Integer.MAX_VALUE;

  /** Vertices and arcs together that one warp takes at a time. */
  private static final int PIECE = 512;

  private static final int PIECE_ON_CPU = 8192;

  /** Rounds of one list: each shortens it or its walks, so this is far beyond any that ends. */
  private static final int MAX_ROUNDS = 1000;

  /** Rounds that are launched without looking at the list's length. */
  private static final int ROUNDS_AHEAD = 3;

  /** Arcs for each vertex from which {@link Filter#AUTO} filters. */
  private static final int DENSE = 4;

  /** Arcs, per vertex, that count as light. */
  private static final double LIGHT_ARCS = 3;

  private static final int SAMPLES = 4096;

  private final Device device;
  private final Graph graph;
  private final KernelModule module;
  private final int vertices;
  private final int arcs;
  private final int piece;
  private final int pieces;
  private final double uploadMillis;
  private final Map<String, DeviceArray<int[]>> ints = new LinkedHashMap<>();
  private final Map<String, DeviceArray<long[]>> longs = new LinkedHashMap<>();
  private StmObjects objects;
  private boolean closed;

  /**
   * Copies a graph to a device.
   *
   * @param device where to compute; it must outlive this object
   * @param graph the graph; edges of an unweighted one weigh 1
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public MinimumSpanningForest(Device device, Graph graph) {
    this.device = Objects.requireNonNull(device, "device");
    this.graph = Objects.requireNonNull(graph, "graph");
    this.vertices = graph.vertices();
    this.arcs = Math.toIntExact(graph.arcs());
    long total = (long) vertices + arcs;
    // Small graphs in many pieces all the same: it keeps the cores busy.
    int most = device.machine() == Machine.CPU ? PIECE_ON_CPU : PIECE;
    this.piece = (int) Math.max(16, Math.min(most, total / 64));
    this.pieces = (int) ((total + piece - 1) / piece);
    this.module = device.load(MODULE);
    long start = System.nanoTime();
    try {
      copy("offsets", graph.offsets());
      copy("neighbors", graph.neighbors());
      if (graph.weighted()) {
        copy("weights", graph.weights());
      } else {
        ints("weights", arcs).fill(1);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    this.uploadMillis = millisSince(start);
  }

  /**
   * Computes a minimum spanning forest; from the graph in Java's memory to the result there.
   *
   * @param device where
   * @param graph the graph
   * @param options how
   * @return the forest, with a report
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static MsfResult run(Device device, Graph graph, MsfOptions options) {
    Objects.requireNonNull(options, "options");
    device.load(MODULE).close(); // it stays with the device; compiling it is no part of the run
    long start = System.nanoTime();
    try (MinimumSpanningForest forest = new MinimumSpanningForest(device, graph)) {
      return forest.run(options, start, forest.uploadMillis);
    }
  }

  /**
   * Computes a minimum spanning forest of the graph that is on the device.
   *
   * @param options how
   * @return the forest, with a report
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public MsfResult run(MsfOptions options) {
    Objects.requireNonNull(options, "options");
    return run(options, System.nanoTime(), 0);
  }

  private MsfResult run(MsfOptions options, long start, double upload) {
    if (closed) {
      throw new IllegalStateException("the forest of " + graph + " is closed");
    }
    if (vertices == 0) {
      MsfReport report =
          new MsfReport(
              device.description().spec(),
              options,
              0,
              List.of(),
              List.of(),
              0,
              0,
              upload,
              millisSince(start));
      return new MsfResult(graph, new int[0], new int[0], 0, report);
    }
    return new Run(options).result(start, upload);
  }

  /** Frees what lies on the device. Closing twice is harmless. */
  @Override
  public void close() {
    closed = true;
    ints.values().forEach(DeviceArray::close);
    longs.values().forEach(DeviceArray::close);
    ints.clear();
    longs.clear();
    if (objects != null) {
      objects.close();
      objects = null;
    }
    module.close();
  }

  private static double millisSince(long start) {
    return (System.nanoTime() - start) / 1e6;
  }

  // Working arrays by name: kept from run to run, made anew where a longer one is needed.

  private void copy(String name, int[] values) {
    ints.put(name, device.copyOf(values));
  }

  DeviceArray<int[]> ints(String name, long length) {
    DeviceArray<int[]> old = ints.get(name);
    if (old == null || old.length() < length) {
      if (old != null) {
        // Forgotten first: if there is no memory for the longer one, none is left of this name.
        ints.remove(name);
        old.close();
      }
      ints.put(name, device.ints(length));
    }
    return ints.get(name);
  }

  private DeviceArray<long[]> longs(String name, long length) {
    DeviceArray<long[]> old = longs.get(name);
    if (old == null || old.length() < length) {
      if (old != null) {
        // Forgotten first: if there is no memory for the longer one, none is left of this name.
        longs.remove(name);
        old.close();
      }
      longs.put(name, device.longs(length));
    }
    return longs.get(name);
  }

  private DeviceArray<int[]> ints(String name) {
    return ints.get(name);
  }

  private StmObjects objects() {
    if (objects == null) {
      objects = device.objects(vertices);
    }
    return objects;
  }

  /** One computation: its options and what is being reported of it. */
  private final class Run {
    private final MsfOptions options;
    private final boolean transactional;
    private final Map<String, Tally> tallies = new LinkedHashMap<>();
    private final List<RegionReport> transactions = new ArrayList<>();
    private int rounds;

    private final DeviceArray<int[]> offsets = ints("offsets");
    private final DeviceArray<int[]> neighbors = ints("neighbors");
    private final DeviceArray<int[]> weights = ints("weights");
    private final DeviceArray<int[]> parent = ints("parent", vertices);
    private final DeviceArray<int[]> edgeOf = ints("edgeOf", vertices);
    private final DeviceArray<long[]> best = longs("best", vertices);
    private final DeviceArray<int[]> flag = ints("flag", 1);

    Run(MsfOptions options) {
      this.options = options;
      this.transactional = options.merge() == Merge.STM;
    }

    MsfResult result(long start, double upload) {
      boolean byEdges = options.traversal() == Traversal.EDGE;
      double solveMillis;
      try (Timer solve = device.startTimer()) {
        if (byEdges) {
          solveByEdges();
        } else {
          solveByVertices();
        }
        solveMillis = solve.millis();
      }
      return finished(byEdges, solveMillis, start, upload);
    }

    private MsfResult finished(boolean byEdges, double solveMillis, long start, double upload) {
      DeviceArray<int[]> chosen = ints("chosen", arcs / 32 + 1);
      DeviceArray<long[]> totals = longs("totals", 3);
      double finishMillis;
      try (Timer finish = device.startTimer()) {
        DeviceArray<int[]> choice = byEdges && transactional ? ints("arc") : edgeOf;
        if (byEdges) {
          flag.fill(0);
          phase(
              "find_canonical",
              vertices,
              new Fields()
                  .set("vertices", vertices)
                  .set("offsets", offsets)
                  .set("neighbors", neighbors)
                  .set("weights", weights)
                  .set("choice", choice)
                  .set("left", flag));
          if (flag.getInt(0) != 0) {
            byPieces(
                "canonicalize",
                new Fields()
                    .set("offsets", offsets)
                    .set("start", ints("start"))
                    .set("neighbors", neighbors)
                    .set("weights", weights)
                    .set("choice", choice));
          }
        }
        chosen.fill(0);
        totals.fill(0);
        phase(
            "summarize",
            vertices,
            new Fields()
                .set("vertices", vertices)
                .set("edge_of", edgeOf)
                .set("choice", choice)
                .set("weights", weights)
                .set("chosen", chosen)
                .set("totals", totals));
        flatten(false);
        finishMillis = finish.millis();
      }

      long[] sums = totals.toArray();
      if (sums[2] != 0) {
        throw new IllegalStateException(
            sums[2]
                + " chosen arcs have no other direction; were the arrays of "
                + graph
                + " written to?");
      }
      int[] arcsOfForest = arcsOf(chosen, (int) sums[1]);
      if (!byEdges) {
        arcsOfForest = CanonicalArcs.of(graph, arcsOfForest);
      }
      int[] labels = new int[vertices];
      parent.copyTo(labels, 0, 0, vertices);
      MsfReport report =
          new MsfReport(
              device.description().spec(),
              options,
              rounds,
              phases(),
              transactions,
              solveMillis,
              finishMillis,
              upload,
              millisSince(start));
      return new MsfResult(graph, arcsOfForest, labels, sums[0], report);
    }

    /** The arcs whose bits are set, ascending. */
    private int[] arcsOf(DeviceArray<int[]> chosen, int count) {
      int[] bits = new int[arcs / 32 + 1];
      chosen.copyTo(bits, 0, 0, bits.length);
      int[] result = new int[count];
      int next = 0;
      for (int word = 0; word < bits.length; word++) {
        for (int left = bits[word]; left != 0; left &= left - 1) {
          if (next == count) {
            throw new IllegalStateException("more than " + count + " arcs are marked as chosen");
          }
          result[next++] = word * 32 + Integer.numberOfTrailingZeros(left);
        }
      }
      if (next != count) {
        throw new IllegalStateException(count + " edges were chosen, " + next + " arcs are marked");
      }
      return result;
    }

    // ---- Edge-centric.

    private void solveByEdges() {
      DeviceArray<int[]> start = ints("start", pieces + 1L);
      DeviceArray<long[]> partialKeys = longs("partialKeys", 2L * pieces);
      DeviceArray<int[]> partialArcs = ints("partialArcs", 2L * pieces);
      // Without transactions the choices are the parents, and the choosing vertex is the one
      // hooked.
      DeviceArray<int[]> to = transactional ? ints("to", vertices) : parent;
      DeviceArray<int[]> arc = transactional ? ints("arc", vertices) : edgeOf;
      phase(
          "partition",
          pieces + 1L,
          new Fields()
              .set("vertices", vertices)
              .set("piece", piece)
              .set("count", pieces)
              .set("offsets", offsets)
              .set("start", start)
              .set("arc", arc)
              .set("best", best)
              .set("partial_keys", partialKeys));
      if (transactional) {
        phase(
            "start_alone",
            vertices,
            new Fields().set("vertices", vertices).set("parent", parent).set("edge_of", edgeOf));
      }
      byPieces(
          "choose",
          new Fields()
              .set("offsets", offsets)
              .set("start", start)
              .set("neighbors", neighbors)
              .set("weights", weights)
              .set("to", to)
              .set("arc", arc)
              .set("best", best)
              .set("partial_keys", partialKeys)
              .set("partial_arcs", partialArcs));
      phase(
          "settle",
          pieces,
          new Fields()
              .set("vertices", vertices)
              .set("piece", piece)
              .set("count", pieces)
              .set("offsets", offsets)
              .set("start", start)
              .set("best", best)
              .set("partial_keys", partialKeys)
              .set("partial_arcs", partialArcs)
              .set("to", to)
              .set("arc", arc));
      rounds++;
      if (transactional) {
        transactions(
            "merge_chosen",
            vertices,
            new Fields()
                .set("vertices", objects())
                .set("to", to)
                .set("arc", arc)
                .set("parent", parent)
                .set("edge_of", edgeOf));
        flatten(true);
      } else {
        flag.fill(0);
        phase(
            "hook_chosen",
            vertices,
            new Fields()
                .set("vertices", vertices)
                .set("parent", parent)
                .set("edge_of", edgeOf)
                .set("best", best)
                .set("deep", flag));
      }

      int light = options.filter() == Filter.OFF ? MAX_WEIGHT : lightest();
      series(0, light);
      if (light != MAX_WEIGHT) {
        flatten(false);
        series(light + 1, MAX_WEIGHT);
      }
    }

    /** The weight up to which edges go first; the largest weight if all go at once. */
    private int lightest() {
      boolean on = options.filter() == Filter.ON || arcs / vertices >= DENSE;
      if (!on || !graph.weighted() || arcs == 0) {
        return MAX_WEIGHT;
      }
      int[] all = graph.weights();
      int[] sample = new int[Math.min(SAMPLES, arcs)];
      long state = 0x9e3779b97f4a7c15L;
      for (int i = 0; i < sample.length; i++) {
        state = state * 6364136223846793005L + 1442695040888963407L;
        sample[i] = all[(int) Math.floorMod(state >>> 16, (long) arcs)];
      }
      Arrays.sort(sample);
      double share = Math.min(1.0, LIGHT_ARCS * vertices / arcs);
      return sample[(int) Math.min(sample.length - 1L, (long) (share * sample.length))];
    }

    /** Lists the edges of weight {@code least} to {@code largest}, and unites along them. */
    private void series(int least, int largest) {
      DeviceArray<int[]> counters = ints("counters", 2L * (MAX_ROUNDS + ROUNDS_AHEAD + 1));
      long capacity = Math.min(graph.edges(), Math.max(1024, graph.edges() - vertices / 2));
      if (largest != MAX_WEIGHT || least != 0) {
        capacity = Math.min(capacity, Math.max(1024, (long) (LIGHT_ARCS * vertices)));
      }
      long length;
      do {
        counters.fill(0);
        byPieces(
            "build",
            new Fields()
                .set("lightest", least)
                .set("heaviest", largest)
                .set("offsets", offsets)
                .set("start", ints("start"))
                .set("neighbors", neighbors)
                .set("weights", weights)
                .set("parent", parent)
                .set("best", best)
                .set("ends", longs("ends0", capacity))
                .set("keys", longs("keys0", capacity))
                .set("counters", counters)
                .set("deep", flag));
        length = lengthOf(counters, 0);
        // The list was too short for its edges: make it as long as it must be, and build again.
        capacity = Math.max(capacity, length);
      } while (length > Math.min(longs("ends0", 0).length(), longs("keys0", 0).length()));
      if (length > 0) {
        longs("ends1", length);
        longs("keys1", length);
      }
      for (int round = 0; length > 0; ) {
        if (round >= MAX_ROUNDS) {
          throw new IllegalStateException(
              "no end after " + MAX_ROUNDS + " rounds: " + length + " edges are left");
        }
        if (transactional) {
          if (counters.getInt(2L * round + 1) == 0) {
            transactions(
                "merge_list",
                length,
                new Fields()
                    .set("vertices", objects())
                    .set("ends", ends(round))
                    .set("keys", keys(round))
                    .set("parent", parent)
                    .set("edge_of", edgeOf)
                    .set("best", best));
            rounds++;
          }
          compact(round++, length, counters);
        } else {
          for (int ahead = 0; ahead < ROUNDS_AHEAD; ahead++) {
            phase(
                "merge_exclusive",
                length,
                new Fields()
                    .set("round", round)
                    .set("counters", counters)
                    .set("ends", ends(round))
                    .set("keys", keys(round))
                    .set("parent", parent)
                    .set("edge_of", edgeOf)
                    .set("best", best));
            compact(round++, length, counters);
          }
          int[] lengths = new int[2 * ROUNDS_AHEAD];
          counters.copyTo(lengths, 0, 2L * (round - ROUNDS_AHEAD), lengths.length);
          for (int ahead = 0; ahead < ROUNDS_AHEAD; ahead++) {
            rounds += lengths[2 * ahead] != 0 && lengths[2 * ahead + 1] == 0 ? 1 : 0;
          }
        }
        length = lengthOf(counters, round);
      }
    }

    private DeviceArray<long[]> ends(int round) {
      return longs("ends" + round % 2, 0);
    }

    private DeviceArray<long[]> keys(int round) {
      return longs("keys" + round % 2, 0);
    }

    private long lengthOf(DeviceArray<int[]> counters, int round) {
      return Integer.toUnsignedLong(counters.getInt(2L * round));
    }

    private void compact(int round, long length, DeviceArray<int[]> counters) {
      phase(
          "compact",
          length,
          new Fields()
              .set("round", round)
              .set("ends", ends(round))
              .set("keys", keys(round))
              .set("parent", parent)
              .set("best", best)
              .set("next_ends", ends(round + 1))
              .set("next_keys", keys(round + 1))
              .set("counters", counters));
    }

    /** Points every vertex to its root. */
    private void flatten(boolean ready) {
      do {
        flag.fill(0);
        phase(
            "flatten",
            vertices,
            new Fields()
                .set("vertices", vertices)
                .set("ready", ready ? 1 : 0)
                .set("parent", parent)
                .set("best", best)
                .set("deep", flag));
      } while (flag.getInt(0) != 0);
    }

    // ---- Vertex-centric.

    private void solveByVertices() {
      DeviceArray<int[]> live = ints("live", arcs);
      DeviceArray<int[]> active = ints("active", vertices);
      DeviceArray<int[]> remaining = ints("remaining", 1);
      boolean atomicFree = options.discovery() == Discovery.ATOMIC_FREE;
      phase(
          "start_alone",
          vertices,
          new Fields().set("vertices", vertices).set("parent", parent).set("edge_of", edgeOf));
      phase(
          "open_vertices",
          Math.max(vertices, arcs),
          new Fields()
              .set("vertices", vertices)
              .set("arcs", arcs)
              .set("weights", weights)
              .set("live", live)
              .set("active", active));
      pruneAndFlatten(active, live);
      while (true) {
        phase("reset", vertices, new Fields().set("vertices", vertices).set("best", best));
        do {
          // Counted anew each time: a sum over many repetitions could come round to 0.
          remaining.fill(0);
          flag.fill(0);
          phase(
              "discover",
              vertices,
              new Fields()
                  .set("vertices", vertices)
                  .set("atomic_free", atomicFree ? 1 : 0)
                  .set("offsets", offsets)
                  .set("live", live)
                  .set("parent", parent)
                  .set("active", active)
                  .set("best", best)
                  .set("changed", flag)
                  .set("remaining", remaining));
        } while (atomicFree && flag.getInt(0) != 0);
        if (remaining.getInt(0) == 0) {
          return;
        }
        if (++rounds > MAX_ROUNDS) {
          throw new IllegalStateException("no end after " + MAX_ROUNDS + " rounds");
        }
        if (transactional) {
          transactions(
              "merge_vertices",
              vertices,
              new Fields()
                  .set("objects", objects())
                  .set("neighbors", neighbors)
                  .set("best", best)
                  .set("parent", parent)
                  .set("edge_of", edgeOf));
        } else {
          phase(
              "merge_hooking",
              vertices,
              new Fields()
                  .set("vertices", vertices)
                  .set("neighbors", neighbors)
                  .set("best", best)
                  .set("parent", parent)
                  .set("edge_of", edgeOf));
        }
        pruneAndFlatten(active, live);
      }
    }

    private void pruneAndFlatten(DeviceArray<int[]> active, DeviceArray<int[]> live) {
      do {
        flag.fill(0);
        phase(
            "prune_and_flatten",
            vertices,
            new Fields()
                .set("vertices", vertices)
                .set("offsets", offsets)
                .set("neighbors", neighbors)
                .set("active", active)
                .set("live", live)
                .set("parent", parent)
                .set("changed", flag));
      } while (flag.getInt(0) != 0);
    }

    // ---- Launching and reporting.

    /** A kernel over the pieces of the graph, a warp for each; adds the fields that say which. */
    private void byPieces(String kernel, Fields fields) {
      phase(
          kernel,
          (long) pieces * device.warpWidth(),
          fields.set("vertices", vertices).set("piece", piece).set("count", pieces));
    }

    private void phase(String kernel, long items, Fields fields) {
      Tally tally = tallies.computeIfAbsent(kernel, name -> new Tally(MsfReport.Rule.LOCK_FREE));
      if (options.phaseTimes()) {
        KernelReport report = module.kernel(kernel).run(items, fields);
        tally.add(items, report.kernelMillis());
      } else {
        module.kernel(kernel).launch(items, fields);
        tally.add(items, Double.NaN);
      }
    }

    private void transactions(String region, long items, Fields fields) {
      String name = options.reads() == Reads.UNVALIDATED ? region + "_unvalidated" : region;
      RegionReport report = module.region(name).run(options.stm(), items, fields);
      transactions.add(report);
      Tally tally = tallies.computeIfAbsent(name, key -> new Tally(MsfReport.Rule.TRANSACTIONAL));
      tally.add(items, report.kernelMillis());
      boolean counted = report.commits() >= 0;
      tally.commits = counted ? tally.commits + report.commits() : -1;
      tally.aborts = counted ? tally.aborts + report.aborts() : -1;
      report.requireComplete();
    }

    private List<MsfReport.Phase> phases() {
      List<MsfReport.Phase> result = new ArrayList<>();
      tallies.forEach(
          (name, tally) ->
              result.add(
                  new MsfReport.Phase(
                      name,
                      tally.rule,
                      tally.launches,
                      tally.items,
                      tally.millis,
                      tally.commits,
                      tally.aborts)));
      return result;
    }
  }

  /** The sums of one phase's launches. */
  private static final class Tally {
    private final MsfReport.Rule rule;
    private int launches;
    private long items;
    private double millis;
    private long commits;
    private long aborts;

    Tally(MsfReport.Rule rule) {
      this.rule = rule;
    }

    void add(long itemsOfLaunch, double millisOfLaunch) {
      launches++;
      items += itemsOfLaunch;
      millis += millisOfLaunch;
    }
  }
}
