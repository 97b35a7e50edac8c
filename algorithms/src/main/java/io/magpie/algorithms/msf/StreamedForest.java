package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import io.magpie.algorithms.msf.StreamingForest.Arrived;
import io.magpie.stm.Device;
import io.magpie.stm.Timer;
import io.magpie.stm.parallel.Primitives;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Minimum and maximum spanning forests of graphs that do not fit: edges come in chunks, and no more
 * of them stay on the device than a forest has, so there may be any number.
 *
 * <pre>{@code
 * try (Device device = Device.open("auto");
 *     EdgeSource edges = EdgeSource.of(GeneratedEdges.parse("rmat:scale=20,edges=10G"))) {
 *   NumberedForest forest = StreamedForest.run(device, edges, MsfOptions.defaults());
 * }
 * }</pre>
 *
 * <p>With edges ordered by weight, and equal ones by number, the forest of two sets is the forest
 * of their two forests; so the result is the same for any cut into chunks, edge by edge, and that
 * of {@link KruskalReference}. It tells the components, too: their {@linkplain
 * NumberedForest#labels labels} come with it.
 *
 * <p>An edge is needless once some path of the forest joins its ends by edges that are no heavier.
 * So each chunk is tested by the forest so far, in one pass, and what is left is kept behind it.
 * Once there is enough of that, or no more room, the rounds of {@link Traversal#EDGE} make a new
 * forest of both. The first forest is of some edges for each vertex, so that even the first chunk
 * is tested. Edges of a {@link DeviceEdgeSource} are computed where they are tested; those of
 * others another thread reads, two chunks ahead. With {@link MsfOptions.Filter#OFF} nothing is
 * tested.
 *
 * <p>Time: that of a forest is in proportion to vertices and chunk, and there are few where a chunk
 * has about as many edges as there are vertices, or more. With smaller chunks there are more.
 *
 * <p>Device memory, in bytes: 36 for each vertex and 76 for each edge of a chunk, which is for n
 * vertices, chunks of c edges, forests of at most f, which is less than n and no more than the
 * source {@linkplain EdgeSource#edges says}, and lists of l entries, the larger of c and n / 16 and
 * 64, but no more than f + c: 20 (f + c) for edges that are kept, of two ends, a weight and a
 * number each; 16 n for components, which turn into the tree by which edges are tested; 32 l for
 * lists; 4 times the lesser of n and l for components that are united, or with transactions 12
 * times, and 4 n for objects; 8 times the larger of c and l to pack edges; 12 c for the chunk, and
 * 8 c where numbers do not follow each other. Weights of 64 bits take 24 (f + c) and 8 c more. On
 * top come up to 200 kB, what transactions in flight need, and what primitives do.
 *
 * <p>Java memory: 20 bytes for each edge of the result and 4 for each vertex, so 3.2 GB for 134
 * million vertices; 24 for each edge if weights are longs or doubles. Where devices do not compute
 * the edges, for each edge of a chunk 36 bytes, or 48 for weights of 64 bits; 4 or 8 more if
 * weights are floats or doubles, and 24 more if numbers do not follow each other.
 */
public final class StreamedForest {
  /** Edges of a chunk where nothing is said, at least. */
  public static final int DEFAULT_CHUNK = 1 << 22;

  /** Vertices for each edge of a chunk where nothing is said, and there are many. */
  private static final int VERTICES_PER_EDGE = 4;

  /** Edges of the result that are copied at once. */
  private static final int COPIED_AT_ONCE = 1 << 20;

  private StreamedForest() {}

  /**
   * Computes the forest of a source's edges, in chunks of {@link #chunkFor}.
   *
   * @param device where
   * @param source the edges; read to its end and not closed
   * @param options how; its traversal must be {@link Traversal#EDGE}
   * @return the forest, with a report
   * @throws IllegalArgumentException as by the other method
   */
  public static NumberedForest run(Device device, EdgeSource source, MsfOptions options) {
    return run(device, source, options, chunkFor(source));
  }

  /**
   * Edges of a chunk where nothing is said: {@link #DEFAULT_CHUNK}, or one for four vertices if
   * that is more, and no more than fit.
   */
  public static int chunkFor(EdgeSource source) {
    int room = Integer.MAX_VALUE - Math.max(0, source.vertices() - 1);
    int chunk = Math.max(DEFAULT_CHUNK, source.vertices() / VERTICES_PER_EDGE);
    return Math.max(1, Math.min(chunk, room));
  }

  /**
   * Computes the forest of a source's edges.
   *
   * @param device where
   * @param source the edges; read to its end and not closed
   * @param options how; its traversal must be {@link Traversal#EDGE}
   * @param chunk edges of a chunk, at least 1; with one for each vertex fewer than 2^31
   * @return the forest, with a report
   * @throws IllegalArgumentException if options or chunk do not fit, an edge that comes is wrong,
   *     or the source says that it has fewer than 0 edges, or fewer than come
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static NumberedForest run(
      Device device, EdgeSource source, MsfOptions options, int chunk) {
    Objects.requireNonNull(device, "device");
    check(source, options, chunk);
    Primitives primitives = prepare(device, source);
    DeviceMemory memory = new DeviceMemory(device);
    long begin = System.nanoTime();
    try (Primitives.MemoryWatch watched = primitives.watchMemory(memory::primitivesNeed);
        StreamingForest.Place place = new StreamingForest.Place(memory, source.vertices())) {
      return new Run(memory, place, source, options, chunk).forest(begin);
    }
  }

  /** Loads what stays with the device, and so is no part of a run. */
  static Primitives prepare(Device device, EdgeSource source) {
    device.load(DeviceGraph.MODULE).close();
    if (source instanceof DeviceEdgeSource computed) {
      computed.prepare(device);
    }
    return Primitives.of(device);
  }

  /**
   * Computes the forest of a source's edges by several devices at once, each of which takes the
   * next chunk when it is done with its last; their forests are merged in pairs, over Java's
   * memory. The result is that of one device.
   *
   * <p>Each device needs the memory that one alone would, and those that merge 8 bytes more for
   * each edge of a chunk. Java memory: one result for each device, one more for each merge, of
   * which half as many as devices are under way, and of each run three chunks, those of merges with
   * numbers. Devices whose kernels have ended when a launch returns, which are processors and
   * simulators, take turns to compute edges.
   *
   * @param devices at least one, each of them once
   * @param source the edges; read to its end by a thread at a time, and not closed
   * @param options how; its traversal must be {@link Traversal#EDGE}
   * @param chunk edges of a chunk, at least 1; with one for each vertex fewer than 2^31
   * @return the forest, with a report of all
   * @throws IllegalArgumentException as for one device, or if there is none, or one is there twice
   * @throws io.magpie.stm.DeviceOutOfMemoryException if a device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static NumberedForest run(
      List<Device> devices, EdgeSource source, MsfOptions options, int chunk) {
    List<Device> all = List.copyOf(devices);
    if (all.isEmpty() || Set.copyOf(all).size() < all.size()) {
      throw new IllegalArgumentException(
          "a forest by several devices needs at least one, and each of them once; got " + all);
    }
    check(source, options, chunk);
    return new ForestOnDevices(all, options, chunk).of(source, known(source));
  }

  /**
   * Refuses what {@link #run(Device, EdgeSource, MsfOptions, int)} refuses before the first edge.
   *
   * @param source the edges, none of which is read
   * @param options how
   * @param chunk edges of a chunk
   * @throws IllegalArgumentException if options or chunk do not fit, or the source says that it has
   *     fewer than 0 edges
   */
  public static void check(EdgeSource source, MsfOptions options, int chunk) {
    Objects.requireNonNull(source, "source");
    requireEdgeForm(Objects.requireNonNull(options, "options"));
    if (source instanceof DeviceEdgeSource) {
      EdgeChunk.requireNarrow(source.weightType());
    }
    requireChunk(source.vertices(), chunk);
    known(source);
  }

  /** The most edges that a source says it may have; the largest number where it does not know. */
  private static long known(EdgeSource source) {
    long edges = source.edges();
    if (edges < 0 && edges != EdgeSource.UNKNOWN) {
      throw new IllegalArgumentException(
          "a source says that it has at most "
              + edges
              + " edges; expected 0 or more, or "
              + EdgeSource.UNKNOWN
              + " where it does not know");
    }
    return edges == EdgeSource.UNKNOWN ? Long.MAX_VALUE : edges;
  }

  private static void requireEdgeForm(MsfOptions options) {
    if (options.traversal() != Traversal.EDGE) {
      throw new IllegalArgumentException(
          "edges in chunks need traversal=edge: the other forms walk over a whole graph");
    }
  }

  private static void requireChunk(int vertices, int chunk) {
    if (vertices < 0 || vertices > Graph.MAX_VERTICES) {
      throw new IllegalArgumentException(
          "a stream has 0 to " + Graph.MAX_VERTICES + " vertices, got " + vertices);
    }
    long most = Integer.MAX_VALUE - Math.max(0L, vertices - 1);
    if (chunk < 1 || chunk > most) {
      throw new IllegalArgumentException(
          "a chunk of a graph of "
              + vertices
              + " vertices has 1 to "
              + most
              + " edges, got "
              + chunk);
    }
  }

  /**
   * The forest of the edges of two forests: that of all edges that the two are forests of. An edge
   * that is in both counts once.
   *
   * @param device where
   * @param one a forest for the options' objective
   * @param other another one, of the same vertices and type of weights
   * @param options how
   * @return the forest, with a report
   * @throws IllegalArgumentException if the two do not fit to each other and the options, or have
   *     different edges of one number
   */
  public static NumberedForest merge(
      Device device, NumberedForest one, NumberedForest other, MsfOptions options) {
    MergedForests edges = merged(one, other, options);
    return run(device, edges, options, chunkFor(edges));
  }

  /** The edges of two forests for one objective. */
  static MergedForests merged(NumberedForest one, NumberedForest other, MsfOptions options) {
    Objects.requireNonNull(options, "options");
    for (NumberedForest forest : new NumberedForest[] {one, other}) {
      if (forest.objective() != options.objective()) {
        throw new IllegalArgumentException(
            "a forest for the objective "
                + forest.objective()
                + " cannot be merged for "
                + options.objective());
      }
    }
    return new MergedForests(one, other);
  }

  /** One computation. */
  private static final class Run {
    private final DeviceMemory memory;
    private final StreamingForest.Place place;
    private final EdgeSource source;
    private final MsfOptions options;
    private final long known;
    private final int chunkEdges;
    private final int most;
    private final StreamingForest forest;
    private long chunks;
    private long edges;
    private double solveMillis;

    Run(
        DeviceMemory memory,
        StreamingForest.Place place,
        EdgeSource source,
        MsfOptions options,
        int chunk) {
      this.memory = memory;
      this.place = place;
      this.source = source;
      this.options = options;
      this.known = known(source);
      this.chunkEdges = (int) Math.max(1, Math.min(chunk, known));
      this.most = (int) Math.min(Math.max(0, source.vertices() - 1), known);
      this.forest =
          new StreamingForest(
              place, source.vertices(), source.weightType(), most, chunkEdges, options);
    }

    NumberedForest forest(long begin) {
      double waitMillis;
      double uploadMillis;
      try (ArrivingEdges arriving = arriving()) {
        for (Arrived chunk = arriving.next(); chunk.count() > 0; chunk = arriving.next()) {
          add(arriving, chunk);
        }
        waitMillis = arriving.waitMillis();
        uploadMillis = arriving.uploadMillis();
        solveMillis += arriving.kernelMillis();
      }
      try (Timer solve = memory.device().startTimer()) {
        forest.end();
        solveMillis += solve.millis();
      }
      long end = System.nanoTime();
      int[] sources = new int[forest.edges()];
      int[] targets = new int[forest.edges()];
      copyEnds(sources, targets);
      long[] numbers = forest.numbers();
      WeightType type = source.weightType();
      WeightPlaces places =
          EdgeChunk.isWide(type)
              ? new WeightPlaces(type, null, forest.widePlaces())
              : new WeightPlaces(type, forest.places(), null);
      int[] labels = forest.labels();
      StreamReport report =
          new StreamReport(
              memory.device().description().spec(),
              options,
              chunkEdges,
              chunks,
              edges,
              forest.rounds(),
              forest.launches().phases(),
              forest.launches().transactions(),
              solveMillis,
              uploadMillis,
              waitMillis,
              Elapsed.millisSince(end),
              Elapsed.millisSince(begin),
              forest.stateBytes(),
              memory.most());
      return new NumberedForest(
          numbers, sources, targets, places, labels, options.objective(), report);
    }

    private ArrivingEdges arriving() {
      return source instanceof DeviceEdgeSource computed
          ? new ComputedEdges(computed, forest.launches(), place.scratch(), chunkEdges, known)
          : new UploadedEdges(source, place.scratch(), chunkEdges);
    }

    private void add(ArrivingEdges arriving, Arrived chunk) {
      chunks++;
      edges += chunk.count();
      if (edges > known) {
        throw EdgeChunk.refusedCount(known, edges);
      }
      try (Timer solve = memory.device().startTimer()) {
        int wrong = forest.add(chunk);
        if (wrong >= 0) {
          throw arriving.refusal(wrong, source.vertices());
        }
        solveMillis += solve.millis();
      }
    }

    /** Copies both ends of the forest's edges, some at a time. */
    private void copyEnds(int[] sources, int[] targets) {
      long[] ends = new long[Math.min(sources.length, COPIED_AT_ONCE)];
      int done = 0;
      while (done < sources.length) {
        int count = Math.min(ends.length, sources.length - done);
        forest.copyEnds(done, count, ends);
        for (int i = 0; i < count; i++, done++) {
          sources[done] = (int) (ends[i] >>> 32);
          targets[done] = (int) ends[i];
        }
      }
    }
  }
}
