package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Workspace;
import io.magpie.algorithms.msf.ListRounds.EdgeList;
import io.magpie.algorithms.msf.MsfOptions.Filter;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.StmObjects;
import io.magpie.stm.parallel.Primitives;
import java.util.Arrays;

/**
 * The forest of the edges so far, on a device, by the kernels of stream.cuh: its edges in ascending
 * order of number. Each {@link #add} replaces it by that of its edges and a chunk's.
 */
final class StreamingForest extends HookedForest {
  /** The module on a device, and an object for each vertex. */
  static final class Place extends Workspace {
    private final int vertices;
    private StmObjects objects;

    Place(DeviceMemory memory, int vertices) {
      super(memory, DeviceGraph.MODULE);
      this.vertices = vertices;
    }

    private StmObjects objects() {
      if (objects == null) {
        objects = kept(memory().objects(vertices));
      }
      return objects;
    }
  }

  /** Edges for each vertex, in all, from which {@link Filter#AUTO} filters. */
  private static final int DENSE = 3;

  /** Edges, per vertex, that count as light. */
  private static final double LIGHT_EDGES = 1.5;

  /** Weights that stand for all. */
  private static final int SAMPLES = 4096;

  /** The last weight as unsigned bits. */
  private static final int HEAVIEST = -1;

  private final Place place;
  private final boolean floating;
  private final int capacity;
  private final Primitives primitives;
  private final ListRounds rounds;
  private final DeviceArray<int[]> marks;
  private final DeviceArray<int[]> sources;
  private final DeviceArray<int[]> targets;
  private final DeviceArray<int[]> weights;
  private final int[] weightBits; // of a chunk, for floats; null for ints
  private EdgeList present;
  private DeviceArray<long[]> numbers;
  private EdgeList next;
  private EdgeList later;
  private int edges;

  /**
   * Allocates all that there will be.
   *
   * @param most the most edges that the forest may ever have
   * @param chunk the most edges of a chunk
   */
  StreamingForest(
      Place place, int vertices, boolean floating, int most, int chunk, MsfOptions options) {
    super(
        place,
        vertices,
        options,
        new Launches(place.module(), options.phaseTimes(), options.stm(), true));
    this.place = place;
    this.floating = floating;
    this.capacity = Math.addExact(most, chunk);
    this.primitives = Primitives.of(place.device());
    this.rounds = new ListRounds(this, Math.min(vertices, capacity));
    this.marks = scratch().ints("marks", capacity);
    this.sources = scratch().ints("sources", chunk);
    this.targets = scratch().ints("targets", chunk);
    this.weights = scratch().ints("weights", chunk);
    this.weightBits = floating ? new int[chunk] : null;
    this.present = list("0");
    this.numbers = scratch().longs("numbers", capacity);
    this.next = list("1");
    this.later = list("2");
    startAlone();
  }

  private EdgeList list(String name) {
    return new EdgeList(
        scratch().longs("ends" + name, capacity), scratch().longs("keys" + name, capacity));
  }

  @Override
  StmObjects objects() {
    return place.objects();
  }

  /** Rounds that united something. */
  int rounds() {
    return rounds.rounds();
  }

  /** Number of edges of the present forest. */
  int edges() {
    return edges;
  }

  /** Copies a chunk to the device. */
  void upload(EdgeChunk chunk) {
    int count = chunk.size();
    sources.copyFrom(chunk.sources(), 0, 0, count);
    targets.copyFrom(chunk.targets(), 0, 0, count);
    weights.copyFrom(chunk.weightBits(weightBits), 0, 0, count);
    if (!chunk.isConsecutive()) {
      numbers.copyFrom(chunk.numbers(), 0, edges, count);
    }
  }

  /** Makes the forest that of its edges and those of the chunk that was uploaded last. */
  void add(EdgeChunk chunk) {
    int length = edges + chunk.size();
    boolean filtered = filters(length);
    startAlone();
    best().fill(-1);
    run(
        "list_edges",
        length,
        new Fields()
            .set("kept", edges)
            .set("arrived", chunk.size())
            .set("floating", floating ? 1 : 0)
            .set("reverse", reverse() ? 1 : 0)
            .set("consecutive", chunk.isConsecutive() ? 1 : 0)
            .set("first", chunk.number(0))
            .set("offered", filtered ? 0 : 1)
            .set("sources", sources)
            .set("targets", targets)
            .set("weights", weights)
            .set("ends", present.ends())
            .set("keys", present.keys())
            .set("numbers", numbers)
            .set("best", best()));
    if (filtered) {
      uniteLightFirst(length);
    } else {
      rounds.begin(length);
      rounds.listed(present, length);
      rounds.unite(present, next, later);
    }
    marks.slice(0, length).fill(0);
    run(
        "mark_hooking",
        vertices(),
        new Fields().set("vertices", vertices()).set("edge_of", edgeOf()).set("marks", marks));
    launches().primitives("pack", length, () -> pack(length));
  }

  /** Whether light edges go first, when there are so many in all. */
  private boolean filters(int length) {
    Filter filter = options().filter();
    return filter == Filter.ON || filter == Filter.AUTO && length / vertices() >= DENSE;
  }

  private void uniteLightFirst(int length) {
    int light = weightOfShare(length, Math.min(1.0, LIGHT_EDGES * vertices() / length));
    flag().fill(0);
    series(length, 0, light);
    if (light != HEAVIEST) {
      shorten(false);
      series(length, light + 1, HEAVIEST);
    }
  }

  /** The weight, as unsigned bits, that about this share of the edges has at most. */
  private int weightOfShare(int length, double share) {
    int count = Math.min(SAMPLES, length);
    DeviceArray<int[]> sample = scratch().ints("sample", SAMPLES).slice(0, count);
    run(
        "sample_weights",
        count,
        new Fields()
            .set("length", length)
            .set("count", count)
            .set("keys", present.keys())
            .set("sample", sample));
    int[] weights = sample.toArray();
    for (int i = 0; i < count; i++) {
      weights[i] ^= Integer.MIN_VALUE;
    }
    Arrays.sort(weights);
    return weights[(int) Math.min(count - 1L, (long) (share * count))] ^ Integer.MIN_VALUE;
  }

  /** Lists the edges of weight {@code least} to {@code largest}, and unites along them. */
  private void series(int length, int least, int largest) {
    rounds.begin();
    run(
        "list_range",
        length,
        new Fields()
            .set("length", length)
            .set("lightest", least)
            .set("heaviest", largest)
            .set("ends", present.ends())
            .set("keys", present.keys())
            .set("parent", parent())
            .set("best", best())
            .set("next_ends", next.ends())
            .set("next_keys", next.keys())
            .set("counters", rounds.counters())
            .set("deep", flag()));
    if (rounds.listed(next, length) > 0) {
      rounds.unite(next, later, next);
    }
  }

  private boolean reverse() {
    return options().objective() == Objective.MAXIMUM;
  }

  /** Packs the marked entries into lists that are not needed any more, which take turns. */
  private void pack(int length) {
    edges = pack(present.ends(), next.ends(), length);
    pack(present.keys(), next.keys(), length);
    pack(numbers, later.ends(), length);
    EdgeList old = present;
    DeviceArray<long[]> oldNumbers = numbers;
    present = next;
    numbers = later.ends();
    next = old;
    later = new EdgeList(oldNumbers, later.keys());
  }

  private int pack(DeviceArray<long[]> from, DeviceArray<long[]> to, int length) {
    return primitives.pack(from.slice(0, length), marks.slice(0, length), to);
  }

  /** The numbers of the edges, ascending. */
  long[] numbers() {
    return numbers.slice(0, edges).toArray();
  }

  /** Both ends of each edge, the source in the upper half. */
  long[] ends() {
    return present.ends().slice(0, edges).toArray();
  }

  /**
   * The weight of each edge as an int of the same order; see {@link
   * io.magpie.algorithms.internal.OrderedBits}.
   */
  int[] places() {
    int[] places = new int[edges];
    long[] keys = present.keys().slice(0, edges).toArray();
    for (int e = 0; e < edges; e++) {
      int key = (int) (keys[e] >>> 32);
      places[e] = (reverse() ? ~key : key) ^ Integer.MIN_VALUE;
    }
    return places;
  }

  /** For each vertex a vertex that stands for its component. */
  int[] labels() {
    flatten(false);
    return parent().toArray();
  }
}
