package io.magpie.algorithms.msf;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.driver.ResultArray;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.Timer;
import io.magpie.stm.parallel.Primitives;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;

/**
 * Minimum and maximum spanning forests on a device, by Boruvka's algorithm: every component finds
 * its least outgoing edge, components are united over these edges, and so on until none has one.
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
 * weights of every {@link io.magpie.algorithms.graph.WeightType}, negative ones included, no
 * vertices at all. Kernels compare keys of 31 bits: ints from 0 themselves, and other weights, and
 * all for maximum forests, by their order, exactly. These keys are made on the device, as a part of
 * the upload: from weights that span less than 2^31 values of their type, as nearly all ints and
 * floats of moderate size do, in O(arcs), else by a sort of the weights. The weight of a forest is
 * summed up without rounding ({@link MsfResult#exactWeight()}). Device memory: 4 bytes for each
 * vertex and 8 for each arc for the graph, and while keys are made, for each arc its weight's 4 or
 * 8, and for a sort 16, of which primitives keep 8; 16 for each vertex and 1 for 8 arcs, and with
 * transactions 4 for each vertex more, and those in flight. For {@link Traversal#EDGE} 6 for each
 * vertex, and 32 for each edge of a list that has room for all edges but one for two vertices,
 * where light edges go first for three of each vertex, or for more if that is too little; for
 * {@link Traversal#VERTEX} 4 for each vertex and 4 for each arc; for {@link Traversal#CYCLE} 68 for
 * each vertex, and about 8 that primitives need to sort; for {@link Traversal#COMPONENT_SPACE} 24
 * for each vertex; for {@link Traversal#SCAN} 32 for each vertex and 52 for each arc, and about 8
 * that primitives need to sort. Primitives keep their memory until the device closes. Too little of
 * it throws {@link io.magpie.stm.DeviceOutOfMemoryException}.
 *
 * <p>{@link Traversal#EDGE} finds the same forest in every run on every device: if each list
 * ascends by target and then by weight ({@link Graph#sorted()}), that of Kruskal's algorithm with
 * ties broken by edge number; otherwise ties are broken in another way. The other forms may find
 * any forest of least weight, or of largest.
 *
 * <p>Sources: Boruvka 1926; the transactional merge, pruning and flattening of the vertex-centric
 * form follow the thesis; the list of edges, its implicit path compression, guarded minima and the
 * light-edges-first filter of the edge-centric form follow ECL-MST (Fallin, Gonzalez, Seo and
 * Burtscher, SC 2023). The other forms are those of the papers that {@link Traversal} names.
 */
public final class MinimumSpanningForest implements AutoCloseable {
  private static final String LABELS = "labels";

  private final Device device;
  private final DeviceGraph graph;
  private boolean closed;

  /**
   * Copies a graph to a device.
   *
   * @param device where to compute; it must outlive this object
   * @param graph the graph; edges of an unweighted one weigh 1
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public MinimumSpanningForest(Device device, Graph graph) {
    this(device, graph, Objective.MINIMUM);
  }

  /**
   * The same for a first forest of an objective; one of the other costs a copy of the weights.
   *
   * @param device where to compute; it must outlive this object
   * @param graph the graph; edges of an unweighted one weigh 1
   * @param objective that of the first forest
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public MinimumSpanningForest(Device device, Graph graph, Objective objective) {
    this.device = Objects.requireNonNull(device, "device");
    this.graph =
        new DeviceGraph(
            device,
            Objects.requireNonNull(graph, "graph"),
            Objects.requireNonNull(objective, "objective"));
  }

  /**
   * Computes on a graph that is on its device already, and reads it there. It is copied to Java's
   * memory, too, for exact sums of weights that are not ints from 0, for maximum forests, and for
   * the traversals {@link MsfOptions.Traversal#CYCLE}, {@link MsfOptions.Traversal#COMPONENT_SPACE}
   * and {@link MsfOptions.Traversal#SCAN}.
   *
   * @param graph the graph, which must outlive this object, and is not closed by it; edges of an
   *     unweighted one weigh 1
   * @throws IllegalStateException if it is closed
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public MinimumSpanningForest(ResidentGraph graph) {
    this(graph, Objective.MINIMUM);
  }

  /**
   * The same for a first forest of an objective.
   *
   * @param graph the graph, which must outlive this object, and is not closed by it; edges of an
   *     unweighted one weigh 1
   * @param objective that of the first forest
   * @throws IllegalStateException if it is closed
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public MinimumSpanningForest(ResidentGraph graph, Objective objective) {
    this.device = Objects.requireNonNull(graph, "graph").device();
    this.graph = new DeviceGraph(graph, Objects.requireNonNull(objective, "objective"));
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
    return compute(device, graph, options, null);
  }

  /**
   * The same, with the result's {@code labels} in an array of one's own, as long as there are
   * vertices, in Java's memory or on the device.
   *
   * @param device where
   * @param graph the graph
   * @param options how
   * @param arrays has {@code labels}
   * @return the forest, with a report; its labels hold until the next call with these arrays
   * @throws IllegalArgumentException if an array was given of another name, length or type
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static MsfResult run(Device device, Graph graph, MsfOptions options, ResultArrays arrays) {
    return compute(device, graph, options, Objects.requireNonNull(arrays, "arrays"));
  }

  private static MsfResult compute(
      Device device, Graph graph, MsfOptions options, ResultArrays arrays) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(graph, "graph");
    // What stays with the device is not part of the run.
    device.load(DeviceGraph.MODULE).close();
    loadPrimitives(device, WeightKeys.areWeights(graph, options.objective()), options);
    long start = System.nanoTime();
    ResultArray.check(arrays, graph, LABELS);
    ResultArray<int[]> labels = ResultArray.ints(arrays, LABELS, device, graph.vertices());
    try (MinimumSpanningForest forest =
        new MinimumSpanningForest(device, graph, options.objective())) {
      return forest.run(options, labels, start, forest.graph.takeUploadMillis());
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
    return compute(options, null);
  }

  /**
   * The same, with the result's {@code labels} in an array of one's own, as long as there are
   * vertices, in Java's memory or on the device.
   *
   * @param options how
   * @param arrays has {@code labels}
   * @return the forest, with a report; its labels hold until the next call with these arrays
   * @throws IllegalArgumentException if an array was given of another name, length or type
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public MsfResult run(MsfOptions options, ResultArrays arrays) {
    return compute(options, Objects.requireNonNull(arrays, "arrays"));
  }

  private MsfResult compute(MsfOptions options, ResultArrays arrays) {
    Objects.requireNonNull(options, "options");
    loadPrimitives(device, graph.keysAreWeights(options.objective()), options);
    long start = System.nanoTime();
    graph.takeUploadMillis(); // that of the constructor is no part of the run
    requireOpen();
    graph.serve(options.objective());
    graph.check(arrays, LABELS);
    ResultArray<int[]> labels = ResultArray.ints(arrays, LABELS, device, graph.vertices());
    return run(options, labels, start, graph.takeUploadMillis());
  }

  /** Loads what some forms and ranks need, once for the device: no run's time has it. */
  private static void loadPrimitives(Device device, boolean keysAreWeights, MsfOptions options) {
    if (options.traversal() == Traversal.CYCLE
        || options.traversal() == Traversal.SCAN
        || !keysAreWeights) {
      Primitives.of(device);
    }
  }

  private MsfResult run(MsfOptions options, ResultArray<int[]> labels, long start, double upload) {
    if (graph.vertices() == 0) {
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
              Elapsed.millisSince(start));
      return new MsfResult(
          0,
          graph.source(),
          ArcSet.of(new int[0]),
          labels,
          BigDecimal.ZERO,
          options.objective(),
          report);
    }
    return computed(new WorkingForest(graph, options), labels, start, upload);
  }

  private MsfResult computed(
      WorkingForest forest, ResultArray<int[]> labels, long start, double upload) {
    ForestForm form = form(forest);
    int rounds;
    double solveMillis;
    try (Timer solve = device.startTimer()) {
      rounds = form.solve();
      solveMillis = solve.millis();
    }
    DeviceArray<int[]> chosen = graph.scratch().ints("chosen", graph.arcs() / 32 + 1);
    DeviceArray<long[]> totals = graph.scratch().longs("totals", 3);
    double resultMillis;
    try (Timer finish = device.startTimer()) {
      summarize(forest, form.choices(), chosen, totals);
      forest.flatten(false);
      resultMillis = finish.millis();
    }
    long[] sums = totals.toArray();
    if (sums[2] != 0) {
      throw new IllegalStateException(
          sums[2]
              + " chosen arcs have no other direction; were the arrays of "
              + graph.described()
              + " written to?");
    }
    ArcSet arcs = form.canonical(ArcSet.marked((int) sums[1], chosen.toArray()));
    labels.copyFrom(forest.parent());
    Objective objective = forest.options().objective();
    BigDecimal weight =
        graph.keysAreWeights(objective) ? BigDecimal.valueOf(sums[0]) : arcs.weight(graph.graph());
    MsfReport report =
        new MsfReport(
            device.description().spec(),
            forest.options(),
            rounds,
            forest.launches().phases(),
            forest.launches().transactions(),
            solveMillis,
            resultMillis,
            upload,
            Elapsed.millisSince(start));
    return new MsfResult(graph.vertices(), graph.source(), arcs, labels, weight, objective, report);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the forest of " + graph.described() + " is closed");
    }
  }

  private static ForestForm form(WorkingForest forest) {
    return switch (forest.options().traversal()) {
      case VERTEX -> new VertexForm(forest);
      case EDGE -> new EdgeForm(forest);
      case CYCLE -> new CycleForm(forest);
      case COMPONENT_SPACE -> new ComponentSpaceForm(forest);
      case SCAN -> new ScanForm(forest);
    };
  }

  /** Marks the chosen arcs, and adds up their number and weight. */
  private void summarize(
      WorkingForest forest,
      DeviceArray<int[]> choices,
      DeviceArray<int[]> chosen,
      DeviceArray<long[]> totals) {
    chosen.fill(0);
    totals.fill(0);
    forest.run(
        "summarize",
        graph.vertices(),
        new Fields()
            .set("vertices", graph.vertices())
            .set("edge_of", forest.edgeOf())
            .set("choice", choices.asConst().named("choice"))
            .set("weights", graph.weights())
            .set("chosen", chosen)
            .set("totals", totals));
  }

  /** Working arrays by name. */
  Scratch scratch() {
    return graph.scratch();
  }

  /** Frees what lies on the device. Closing twice is harmless. */
  @Override
  public void close() {
    closed = true;
    graph.close();
  }
}
