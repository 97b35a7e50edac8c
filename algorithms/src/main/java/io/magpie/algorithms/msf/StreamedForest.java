package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import io.magpie.stm.Device;
import io.magpie.stm.parallel.Primitives;
import java.util.List;
import java.util.Locale;
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
 * <p>Time: that of a forest is in proportion to vertices and the room behind it, and there are few
 * where that holds some edges for each vertex: as many more forests as the logarithm of edges per
 * vertex. With less room there are more.
 *
 * <p>Device memory, in bytes, is at least 24 for each vertex and 68 for each edge of a chunk, with
 * transactions 36 and 76. Of these 68, 32 count for at least a quarter as many edges as there are
 * vertices and 8 for an eighth, and of the 76, 48 for an eighth; so with small chunks a vertex
 * takes 33, or 42. Where there is plenty, it takes 64 more. In full, with
 *
 * <ul>
 *   <li>n vertices, and chunks of c edges;
 *   <li>forests of at most f edges, which is less than n and no more than the source {@linkplain
 *       EdgeSource#edges says};
 *   <li>room for r edges behind the forest, which is c, or more up to the lesser of 4 n and what
 *       the source says, as far as a quarter of the memory holds them that is free besides what a
 *       run with room for c takes; processors and simulators share what is free;
 *   <li>lists of l entries, the largest of c, n / 8 + 1 and 64
 * </ul>
 *
 * <p>it is the sum of
 *
 * <ul>
 *   <li>16 (f + r) for edges that are kept, of two ends, a weight and the low half of a number
 *       each, and 4 (f + r) for the other half where numbers do not follow each other;
 *   <li>8 n for components, and 32 l for lists or 8 f if that is more; both turn into the tree by
 *       which edges are tested;
 *   <li>with transactions in place of that 16 n for components and 32 l for lists, 8 times the
 *       lesser of n and l for components that are united, and 4 n for objects;
 *   <li>8 times the larger of c and l to pack edges;
 *   <li>12 c for the chunk, and 8 c where numbers do not follow each other;
 *   <li>24 (f + r) and 8 c more for weights of 64 bits;
 *   <li>up to 200 kB, what transactions in flight need, and what primitives do.
 * </ul>
 *
 * <p>Java memory: 20 bytes for each edge of the result and 4 for each vertex, so 3.2 GB for 134
 * million vertices; 24 for each edge if weights are longs or doubles. Other threads make the arrays
 * while the device computes; where the forest seemed to become a tree and did not, those of its
 * edges are there twice until the next collection. Where devices do not compute the edges, for each
 * edge of a chunk 36 bytes, or 48 for weights of 64 bits; 4 or 8 more if weights are floats or
 * doubles, and 24 more if numbers do not follow each other.
 */
public final class StreamedForest {
  /** Edges of a chunk where nothing is said, at least. */
  public static final int DEFAULT_CHUNK = 1 << 22;

  /** Vertices for each edge of a chunk where nothing is said, and there are many. */
  private static final int VERTICES_PER_EDGE = 4;

  /** As much room as is of use. */
  private static final int MOST_ROOM = Integer.MAX_VALUE;

  /** As much memory as there is. */
  private static final long ALL_MEMORY = Long.MAX_VALUE;

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
    return run(device, source, options, chunk, ALL_MEMORY);
  }

  /**
   * Computes the forest of a source's edges in no more memory of the device than is allowed. With
   * less of it there is less room behind the forest, and so there are more forests. Of the memory
   * above, what transactions in flight need comes in addition; so does what primitives need for
   * other runs on the device at the same time. Where numbers do not follow each other, their other
   * halves must be allowed, too, or the run ends once such edges come.
   *
   * @param device where
   * @param source the edges; read to its end and not closed
   * @param options how; its traversal must be {@link Traversal#EDGE}
   * @param chunk edges of a chunk, at least 1; with one for each vertex fewer than 2^31
   * @param memory bytes that the run may hold on the device, at least {@link #leastMemory} for one
   *     device
   * @return the forest, with a report
   * @throws IllegalArgumentException as by the other method, or if so little memory is allowed
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory, or
   *     too little is allowed for numbers that do not follow each other
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static NumberedForest run(
      Device device, EdgeSource source, MsfOptions options, int chunk, long memory) {
    Objects.requireNonNull(device, "device");
    check(source, options, chunk);
    requireMemory(source, options, chunk, 1, memory);
    prepare(device, source);
    long begin = System.nanoTime();
    try (StreamedRun run =
        new StreamedRun(new DeviceMemory(device, memory), options, chunk, MOST_ROOM, 1)) {
      UpcomingForest upcoming = new UpcomingForest(source.vertices(), source.weightType());
      run.read(source, known(source), upcoming);
      return run.forest(upcoming, begin);
    }
  }

  /** Loads what stays with the device, and so is no part of a run. */
  static void prepare(Device device, EdgeSource source) {
    device.load(DeviceGraph.MODULE).close();
    if (source instanceof DeviceEdgeSource computed) {
      computed.prepare(device);
    }
    Primitives.of(device);
  }

  /**
   * Computes the forest of a source's edges by several devices at once, each of which takes the
   * next chunk when it is done with its last. Then they are merged in pairs: one of two {@linkplain
   * io.magpie.stm.DeviceArray#copyFrom(io.magpie.stm.DeviceArray) takes over} what the other one
   * keeps, and goes on with both. The last one makes the forest, which is that of one device.
   *
   * <p>Each device needs the memory that one alone would. One that merges takes up to 28 bytes more
   * for each edge that it takes over at a time, and 16 for each that it has, while the other one
   * has its own: with weights of 64 bits 20 and 12. Where seven eighths of its free memory do not
   * hold 28, or 20, for each edge of both, they make forests first, and it takes these over in
   * parts of a chunk or more; where there is less, down to a sixteenth of a chunk. So it needs at
   * least 16 n + 1.75 c, or 12 n + 1.25 c, for n vertices and chunks of c edges, and is refused
   * with less. Where only the numbers of the other one do not follow each other, it takes 4 (f + r)
   * first, for the other half of its own. The ways between GPUs stay open, as with any {@linkplain
   * io.magpie.stm.DeviceArray#copyFrom(io.magpie.stm.DeviceArray) copy} between them. Java memory:
   * one result, and of each device three chunks if devices do not compute the edges. Devices whose
   * kernels have ended when a launch returns, which are processors and simulators, take turns to
   * compute edges.
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
    return run(devices, source, options, chunk, ALL_MEMORY);
  }

  /**
   * The same in no more memory of each device than is allowed, of which arrays of merges are a
   * part. See {@link #run(Device, EdgeSource, MsfOptions, int, long)}.
   *
   * @param devices at least one, each of them once
   * @param source the edges; read to its end by a thread at a time, and not closed
   * @param options how; its traversal must be {@link Traversal#EDGE}
   * @param chunk edges of a chunk, at least 1; with one for each vertex fewer than 2^31
   * @param memory bytes that the run may hold on each device, at least {@link #leastMemory} for as
   *     many
   * @return the forest, with a report of all
   * @throws IllegalArgumentException as by the other method, or if so little memory is allowed
   * @throws io.magpie.stm.DeviceOutOfMemoryException if a device has too little free memory, or too
   *     little is allowed for numbers that do not follow each other
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static NumberedForest run(
      List<Device> devices, EdgeSource source, MsfOptions options, int chunk, long memory) {
    return run(devices, source, options, chunk, memory, MOST_ROOM);
  }

  /**
   * The same with room for no more edges behind a forest, or those of a chunk if these are more.
   *
   * @param room at least 0
   */
  static NumberedForest run(
      List<Device> devices,
      EdgeSource source,
      MsfOptions options,
      int chunk,
      long memory,
      int room) {
    List<Device> all = List.copyOf(devices);
    if (all.isEmpty() || Set.copyOf(all).size() < all.size()) {
      throw new IllegalArgumentException(
          "a forest by several devices needs at least one, and each of them once; got " + all);
    }
    check(source, options, chunk);
    requireMemory(source, options, chunk, all.size(), memory);
    return new ForestOnDevices(
            all, options, chunk, room, device -> new DeviceMemory(device, memory))
        .of(source, known(source));
  }

  /**
   * The least memory that a run may be allowed, in bytes on each device: that of the formula above
   * with room for one chunk, and numbers that follow each other, with up to 14 for each edge that
   * is kept if weights of 64 bits are sorted, and for several devices what a merge needs.
   *
   * @param source the edges, none of which is read
   * @param options how
   * @param chunk edges of a chunk
   * @param devices how many there are
   * @throws IllegalArgumentException as by {@link #check}, or if there are no devices
   */
  public static long leastMemory(EdgeSource source, MsfOptions options, int chunk, int devices) {
    check(source, options, chunk);
    if (devices < 1) {
      throw new IllegalArgumentException("a forest needs at least one device, got " + devices);
    }
    return StreamedRun.leastBytes(source, known(source), options, chunk, devices);
  }

  private static void requireMemory(
      EdgeSource source, MsfOptions options, int chunk, int devices, long memory) {
    long least = leastMemory(source, options, chunk, devices);
    if (memory < least) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a forest of %d vertices in chunks of %d edges needs at least %d bytes of device"
                  + " memory, got %d",
              source.vertices(),
              StreamedRun.chunkEdges(chunk, known(source)),
              least,
              memory));
    }
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
}
