package io.magpie.algorithms.components;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.components.ComponentsOptions.Form;
import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.driver.GraphOnDevice;
import io.magpie.algorithms.internal.driver.ResultArray;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.internal.forest.CanonicalArcs;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Timer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Connected components on a device, and spanning forests: every vertex begins as a tree of its own,
 * and the trees of the two ends of each edge are united.
 *
 * <pre>{@code
 * try (Device device = Device.open("auto")) {
 *   ComponentsResult found = ConnectedComponents.run(device, graph, ComponentsOptions.defaults());
 * }
 * }</pre>
 *
 * <p>To compute on one graph several times, make an instance: it keeps the graph and its working
 * arrays on the device. Not for use by several threads at once.
 *
 * <p>Any graph will do: any number of components, self-loops, parallel edges, no vertices at all;
 * weights play no role. Device memory: 4 bytes for each vertex and 4 for each arc for the graph; 4
 * for each vertex, 4 more with a forest, and 4 more if labels stay on the device; for {@link
 * Form#TRANSACTIONAL} 4 more for each vertex, and 12 for each entry of a list of the edges that
 * join two trees after the sample, which has room for as many as there are vertices, and at least
 * 1,024, but not for more than arcs, and is made longer if there are more (while a component is
 * skipped, an edge between two others is in it from either end); for {@link Form#ATOMIC_FREE} 4
 * more for each vertex, 6 for each arc, 8 for each vertex with a forest, and 32 with slots. Too
 * little of it throws {@link io.magpie.stm.DeviceOutOfMemoryException}.
 *
 * <p>Sources: the sample of two neighbors and the skipped component are Afforest's (Sutton, Ben-Nun
 * and Barak, IPDPS 2018), hooking by compare-exchange with paths halved on the way is ECL-CC's
 * (Jaiganesh and Burtscher, HPDC 2018); the form without atomic operations is that of Soman,
 * Kothapalli and Narayanan (Parallel Processing Letters 20, 2010).
 */
public final class ConnectedComponents implements AutoCloseable {
  private static final String MODULE = "components";
  private static final String NAMING = "labels";
  private static final String LABELS = "labels";
  private static final int NONE = -1;

  private final Device device;
  private final GraphOnDevice graph;
  private boolean closed;

  /**
   * Copies a graph to a device.
   *
   * @param device where to compute; it must outlive this object
   * @param graph the graph
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public ConnectedComponents(Device device, Graph graph) {
    this.device = Objects.requireNonNull(device, "device");
    this.graph = new GraphOnDevice(device, Objects.requireNonNull(graph, "graph"), MODULE);
  }

  /**
   * Computes on a graph that is on its device already, and reads it there.
   *
   * @param graph the graph, which must outlive this object, and is not closed by it
   * @throws IllegalStateException if it is closed
   */
  public ConnectedComponents(ResidentGraph graph) {
    this.device = Objects.requireNonNull(graph, "graph").device();
    this.graph = new GraphOnDevice(graph, MODULE);
  }

  /**
   * Finds the connected components; from the graph in Java's memory to the result there.
   *
   * @param device where
   * @param graph the graph
   * @param options how
   * @return the components, with a report
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static ComponentsResult run(Device device, Graph graph, ComponentsOptions options) {
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
   * @return the components, with a report; its labels hold until the next call with these arrays
   * @throws IllegalArgumentException if an array was given of another name, length or type
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static ComponentsResult run(
      Device device, Graph graph, ComponentsOptions options, ResultArrays arrays) {
    return compute(device, graph, options, Objects.requireNonNull(arrays, "arrays"));
  }

  private static ComponentsResult compute(
      Device device, Graph graph, ComponentsOptions options, ResultArrays arrays) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(graph, "graph");
    device.load(MODULE).close(); // it stays with the device; not part of the run
    loadNaming(device, arrays);
    long start = System.nanoTime();
    ResultArray.check(arrays, graph, LABELS);
    ResultArray<int[]> labels = ResultArray.ints(arrays, LABELS, device, graph.vertices());
    try (ConnectedComponents components = new ConnectedComponents(device, graph)) {
      return components.run(options, labels, start, components.graph.takeUploadMillis());
    }
  }

  /**
   * Finds the connected components of the graph that is on the device.
   *
   * @param options how
   * @return the components, with a report
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public ComponentsResult run(ComponentsOptions options) {
    return compute(options, null);
  }

  /**
   * The same, with the result's {@code labels} in an array of one's own, as long as there are
   * vertices, in Java's memory or on the device.
   *
   * @param options how
   * @param arrays has {@code labels}
   * @return the components, with a report; its labels hold until the next call with these arrays
   * @throws IllegalArgumentException if an array was given of another name, length or type
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public ComponentsResult run(ComponentsOptions options, ResultArrays arrays) {
    return compute(options, Objects.requireNonNull(arrays, "arrays"));
  }

  private ComponentsResult compute(ComponentsOptions options, ResultArrays arrays) {
    Objects.requireNonNull(options, "options");
    requireOpen();
    loadNaming(device, arrays);
    long start = System.nanoTime();
    graph.check(arrays, LABELS);
    return run(options, ResultArray.ints(arrays, LABELS, device, graph.vertices()), start, 0);
  }

  /** Where labels stay on the device, loads what names them there: not part of the run either. */
  private static void loadNaming(Device device, ResultArrays arrays) {
    if (arrays != null && arrays.stayOn(device)) {
      device.load(NAMING).close();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the components of " + graph.described() + " are closed");
    }
  }

  private ComponentsResult run(
      ComponentsOptions options, ResultArray<int[]> labels, long start, double upload) {
    if (graph.vertices() == 0) {
      int[] forest = options.output() == Output.FOREST ? new int[0] : null;
      ComponentsReport report =
          new ComponentsReport(
              device.description().spec(),
              options,
              0,
              List.of(),
              List.of(),
              0,
              upload,
              Elapsed.millisSince(start));
      labels.copyFrom(new int[0]);
      return new ComponentsResult(0, graph.source(), labels, 0, forest, report);
    }
    Trees trees = new Trees(graph, options);
    ComponentsForm form = ComponentsForm.of(trees);
    int rounds;
    double solveMillis;
    try (Timer solve = device.startTimer()) {
      rounds = form.solve();
      solveMillis = solve.millis();
    }
    int components;
    if (labels.isThere()) {
      components = nameThere(trees.parent(), labels);
    } else {
      labels.copyFrom(trees.parent());
      components = nameByLeast(labels.get());
    }
    int[] forest = trees.forest() ? forest(trees, form) : null;
    ComponentsReport report =
        new ComponentsReport(
            device.description().spec(),
            options,
            rounds,
            trees.launches().phases(),
            trees.launches().transactions(),
            solveMillis,
            upload,
            Elapsed.millisSince(start));
    return new ComponentsResult(
        graph.vertices(), graph.source(), labels, components, forest, report);
  }

  /**
   * Turns roots into labels, the least vertices of their trees, which most forms have for roots
   * anyway. What is no vertex stays as it is, for a verifier to see.
   *
   * @param roots for each vertex the root of its tree
   * @return how many trees there are
   */
  static int nameByLeast(int[] roots) {
    int trees = count(roots, v -> roots[v] == v);
    if (count(roots, v -> roots[v] > v) > 0) {
      int[] names = new int[roots.length];
      Arrays.fill(names, NONE);
      for (int v = 0; v < roots.length; v++) {
        int root = roots[v];
        if (root < 0 || root >= names.length) {
          continue;
        }
        if (names[root] == NONE) {
          names[root] = v;
        }
        roots[v] = names[root];
      }
    }
    return trees;
  }

  /** The same on the device; gives how many trees there are. */
  private int nameThere(DeviceArray<int[]> roots, ResultArray<int[]> labels) {
    int vertices = graph.vertices();
    DeviceArray<int[]> least = graph.scratch().ints("least", vertices);
    DeviceArray<int[]> trees = graph.scratch().ints("trees", 1);
    least.fill(Integer.MAX_VALUE);
    trees.fill(0);
    try (KernelModule module = device.load(NAMING);
        DeviceArray<int[]> names = labels.targetThere()) {
      Fields fields = new Fields().set("vertices", vertices).set("roots", roots.asConst());
      module.kernel("find_least").run(vertices, fields.set("least", least).set("trees", trees));
      module
          .kernel("name_by_least")
          .run(
              vertices,
              new Fields()
                  .set("vertices", vertices)
                  .set("roots", roots.asConst())
                  .set("least", least.asConst())
                  .set("names", names));
    }
    return trees.getInt(0);
  }

  private static int count(int[] roots, IntPredicate those) {
    return (int)
        Parallel.sum(roots.length, (from, to) -> IntStream.range(from, to).filter(those).count());
  }

  /** The canonical arcs of the edges over which roots were hooked. */
  private int[] forest(Trees trees, ComponentsForm form) {
    BitSet edges = new BitSet(graph.arcs());
    for (int edge : trees.edgeOf().toArray()) {
      if (edge != NONE) {
        edges.set(edge);
      }
    }
    return CanonicalArcs.of(graph.graph(), form.arcs(edges));
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
