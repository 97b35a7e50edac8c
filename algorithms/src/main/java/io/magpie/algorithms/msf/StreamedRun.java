package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.msf.StreamingForest.Arrived;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.parallel.Primitives;

/**
 * One device's part of a {@link StreamedForest}: it reads edges, takes over what others have, and
 * at last gives the forest. By one thread at a time.
 */
final class StreamedRun implements AutoCloseable {
  /**
   * Share of the memory that is free besides what a run with room for a chunk takes, which room for
   * more edges may take: 1 of so many.
   */
  private static final int SHARE = 4;

  /** Edges of a spanning tree for each that a forest may lack to count as about to become one. */
  private static final int FEW_TREES = 32;

  private final DeviceMemory memory;
  private final MsfOptions options;
  private final int chunk;
  private final int mostRoom;
  private final int devices;
  private final Primitives.MemoryWatch watched;
  private final SummedTimes solving;
  private StreamingForest.Place place;
  private StreamingForest forest;
  private int chunkEdges;
  private long chunks;
  private long edges;
  private double computeMillis; // of edges
  private double uploadMillis;
  private double waitMillis;

  /**
   * Allocates nothing yet.
   *
   * @param mostRoom for edges behind the forest, if that is more than a chunk
   * @param devices how many have such runs at the same time, to be merged
   */
  StreamedRun(DeviceMemory memory, MsfOptions options, int chunk, int mostRoom, int devices) {
    Device device = memory.device();
    this.memory = memory;
    this.options = options;
    this.chunk = chunk;
    this.mostRoom = mostRoom;
    this.devices = devices;
    this.watched = Primitives.of(device).watchMemory(memory::primitivesNeed);
    this.solving = new SummedTimes(device);
  }

  /**
   * Reads a source to its end.
   *
   * @param known the most edges that it may have
   * @param upcoming told of the forest's number of edges as soon as that can be foreseen; may be
   *     null
   */
  void read(EdgeSource source, long known, UpcomingForest upcoming) {
    chunkEdges = chunkEdges(chunk, known);
    int most = mostEdges(source, known);
    int room = room(source, known, most);
    place = new StreamingForest.Place(memory, source.vertices());
    forest =
        new StreamingForest(
            place, source.vertices(), source.weightType(), most, chunkEdges, room, options);
    try (ArrivingEdges arriving = arriving(source, known)) {
      for (Arrived next = arriving.next(); next.count() > 0; next = arriving.next()) {
        add(arriving, next, source.vertices(), known);
        if (upcoming != null && forest.edges() > most - most / FEW_TREES) {
          upcoming.expect(most); // no later one has more, and nearly all are trees at the end
        }
      }
      waitMillis = arriving.waitMillis();
      uploadMillis = arriving.uploadMillis();
      computeMillis = arriving.kernelMillis();
    }
  }

  /** The most edges of a chunk. */
  static int chunkEdges(int chunk, long known) {
    return (int) Math.max(1, Math.min(chunk, known));
  }

  /** The most edges of the forest. */
  private static int mostEdges(EdgeSource source, long known) {
    return (int) Math.min(Math.max(0, source.vertices() - 1), known);
  }

  /**
   * Bytes that must be {@linkplain DeviceMemory#allowedBytes allowed}: of a run with room for a
   * chunk, and numbers that follow each other.
   *
   * @param known the most edges that the source may have
   */
  static long leastBytes(
      EdgeSource source, long known, MsfOptions options, int chunk, int devices) {
    int edges = chunkEdges(chunk, known);
    int most = mostEdges(source, known);
    WeightType type = source.weightType();
    return StreamingForest.bytes(source.vertices(), type, most, edges, edges, options, false)
        + bytesBeside(type, most, edges, edges, devices);
  }

  /** Bytes beside those of the forest and the chunk. */
  private static long bytesBeside(WeightType type, int most, int chunk, int room, int devices) {
    return StreamingForest.FEW_BYTES
        + StreamingForest.primitiveBytes(type, most, room)
        + (devices > 1 ? StreamingForest.leastMergeBytes(type, most, chunk) : 0);
  }

  /**
   * Room for edges behind the forest: those of a chunk, or as many as are worth a new forest, where
   * there is plenty of memory.
   */
  private int room(EdgeSource source, long known, int most) {
    long wanted = Math.min(known, (long) StreamingForest.ENOUGH_EDGES * source.vertices());
    wanted = Math.min(Math.min(wanted, mostRoom), Integer.MAX_VALUE - most);
    if (wanted <= chunkEdges) {
      return chunkEdges;
    }
    WeightType type = source.weightType();
    int bytes = StreamingForest.roomBytes(type);
    long needed =
        StreamingForest.bytes(source.vertices(), type, most, chunkEdges, chunkEdges, options, true);
    long affordable = Math.max(0, freeBytes() - needed) / SHARE / bytes;
    long beside = bytesBeside(type, most, chunkEdges, chunkEdges, devices);
    long more = Math.max(0, memory.allowedBytes() - needed - beside);
    // What one device is allowed is for nothing else; of several one merges by what is left.
    long sorted = StreamingForest.primitiveBytes(type, 0, 1);
    long allowed = chunkEdges + more / (devices > 1 ? SHARE : 1) / (bytes + sorted);
    return (int) Math.max(chunkEdges, Math.min(Math.min(wanted, affordable), allowed));
  }

  /** This one's part of the memory that is free. */
  private long freeBytes() {
    boolean own = memory.device().machine() == Machine.CUDA;
    return memory.freeBytes() / (own ? 1 : devices);
  }

  private ArrivingEdges arriving(EdgeSource source, long known) {
    return source instanceof DeviceEdgeSource computed
        ? new ComputedEdges(computed, forest.launches(), place.scratch(), chunkEdges, known)
        : new UploadedEdges(source, place.scratch(), chunkEdges);
  }

  private void add(ArrivingEdges arriving, Arrived next, int vertices, long known) {
    chunks++;
    edges += next.count();
    if (edges > known) {
      throw EdgeChunk.refusedCount(known, edges);
    }
    solving.add(
        () -> {
          int wrong = forest.add(next);
          if (wrong >= 0) {
            throw arriving.refusal(wrong, vertices);
          }
        });
  }

  /** Readies what there is for {@link #merge}, on either side. */
  void settle() {
    solving.add(forest::settle);
  }

  /** Takes over the edges of another device, which has none after that, and frees what it has. */
  void merge(StreamedRun other) {
    solving.add(() -> forest.merge(other.forest, () -> Math.min(freeBytes(), mergeAllowed())));
    other.solving.millis(); // which it is asked for when it is closed
    other.close();
  }

  /** What merging is allowed: primitives that sort all that comes together need the rest. */
  private long mergeAllowed() {
    long sort = forest.primitiveBytes() - memory.primitiveBytes();
    return memory.allowedBytes() - Math.max(0, sort);
  }

  /**
   * The forest in Java's memory.
   *
   * @param upcoming its arrays
   * @param begin when the first edge was asked for
   */
  NumberedForest forest(UpcomingForest upcoming, long begin) {
    solving.add(forest::end);
    solving.millis(); // waits
    long end = System.nanoTime();
    upcoming.expect(forest.edges());
    forest.copyTo(upcoming);
    return new NumberedForest(
        upcoming.numbers(),
        upcoming.sources(),
        upcoming.targets(),
        upcoming.places(),
        upcoming.labels(),
        options.objective(),
        report(Elapsed.millisSince(end), Elapsed.millisSince(begin)));
  }

  /**
   * What this device did.
   *
   * @param resultMillis how long the result took
   * @param hostMillis how long all of it took
   */
  StreamReport report(double resultMillis, double hostMillis) {
    return new StreamReport(
        memory.device().description().spec(),
        options,
        chunkEdges,
        chunks,
        edges,
        forest.rounds(),
        forest.launches().phases(),
        forest.launches().transactions(),
        solving.millis() + computeMillis,
        uploadMillis,
        waitMillis,
        resultMillis,
        hostMillis,
        forest.stateBytes(),
        memory.most());
  }

  /** Frees all that it has on the device. Closing twice is harmless. */
  @Override
  public void close() {
    Resources.close(place, watched, solving);
  }
}
