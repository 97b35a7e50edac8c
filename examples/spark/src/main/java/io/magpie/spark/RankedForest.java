package io.magpie.spark;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeChunk;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.NumberedForest;
import io.magpie.algorithms.msf.StreamedForest;
import io.magpie.stm.Device;
import java.util.Arrays;

/**
 * The forest of edges that come in any order, with weights of any type, as where ids number them:
 * some at a time with the forest so far, sorted by their numbers, and with the ranks of their
 * weights in place of these. A device sees whole numbers of 32 bits in ascending order, and chooses
 * the same edges, as that depends on the order of weights and numbers alone.
 *
 * <p>Java memory: 24 bytes for each edge of the forest and for each that comes at a time, and 16
 * more while they are sorted; and 40 for each edge of the next forest, with what {@link
 * StreamedForest} needs for chunks of its own choice.
 */
final class RankedForest {
  /** Edges that come at a time, at least. */
  private static final int BLOCK = StreamedForest.DEFAULT_CHUNK;

  private static final int FIRST_ROOM = 1 << 12;

  private final Device device;
  private final int vertices;
  private final MsfOptions options;
  private final int most;
  private long[] numbers = {};
  private int[] sources = {};
  private int[] targets = {};
  private long[] keys = {};
  private int size;

  RankedForest(Device device, int vertices, MsfOptions options) {
    this(device, vertices, options, BLOCK);
  }

  /**
   * @param block edges that come at a time
   */
  RankedForest(Device device, int vertices, MsfOptions options, int block) {
    this.device = device;
    this.vertices = vertices;
    this.options = options;
    this.most = (int) Math.min(Integer.MAX_VALUE - 8L, (long) vertices + block);
  }

  /** Takes an edge. */
  void add(long number, int source, int target, long key) {
    if (size == numbers.length) {
      makeRoom();
    }
    numbers[size] = number;
    sources[size] = source;
    targets[size] = target;
    keys[size++] = key;
  }

  private void makeRoom() {
    if (size == most) {
      keep();
    }
    int room = (int) Math.min(most, Math.max(FIRST_ROOM, 2L * size));
    numbers = Arrays.copyOf(numbers, room);
    sources = Arrays.copyOf(sources, room);
    targets = Arrays.copyOf(targets, room);
    keys = Arrays.copyOf(keys, room);
  }

  /** The forest of all edges that came. */
  ForestArrays end() {
    keep();
    return new ForestArrays(
        Arrays.copyOf(numbers, size),
        Arrays.copyOf(sources, size),
        Arrays.copyOf(targets, size),
        Arrays.copyOf(keys, size));
  }

  /** Leaves the forest of what there is, in ascending order of numbers. */
  private void keep() {
    int[] all = new int[size];
    Arrays.setAll(all, i -> i);
    int[] order = RadixOrder.sorted(numbers, all);
    for (int i = 1; i < size; i++) {
      if (numbers[order[i]] == numbers[order[i - 1]]) {
        throw repeated(numbers[order[i]]);
      }
    }
    NumberedForest forest = StreamedForest.run(device, new Ranked(order, ranks(all)), options);
    long[] chosen = forest.numbers();
    numbers = gathered(numbers, order, chosen);
    keys = gathered(keys, order, chosen);
    sources = forest.sources();
    targets = forest.targets();
    size = chosen.length;
  }

  private static long[] gathered(long[] from, int[] order, long[] chosen) {
    long[] to = new long[chosen.length];
    Arrays.setAll(to, i -> from[order[(int) chosen[i]]]);
    return to;
  }

  /** For each edge how many weights are less than its own, each counted once. */
  private int[] ranks(int[] all) {
    int[] byKey = RadixOrder.sorted(keys, all);
    int[] ranks = new int[size];
    for (int i = 1; i < size; i++) {
      int step = keys[byKey[i]] == keys[byKey[i - 1]] ? 0 : 1;
      ranks[byKey[i]] = ranks[byKey[i - 1]] + step;
    }
    return ranks;
  }

  /** Refuses a number that two edges have. */
  static RowRefusal repeated(long number) {
    return new RowRefusal(
        number,
        "two edges have the id "
            + number
            + "; give each its own, or leave out --id, and rows are numbered in the order of"
            + " files");
  }

  /** What there is in ascending order of numbers, numbered by that order. */
  private final class Ranked implements EdgeSource {
    private final int[] order;
    private final int[] ranks;
    private int next;

    Ranked(int[] order, int[] ranks) {
      this.order = order;
      this.ranks = ranks;
    }

    @Override
    public int vertices() {
      return vertices;
    }

    @Override
    public WeightType weightType() {
      return WeightType.INT;
    }

    @Override
    public long edges() {
      return order.length;
    }

    @Override
    public void next(EdgeChunk chunk) {
      int count = Math.min(chunk.capacity(), order.length - next);
      for (int i = 0; i < count; i++) {
        int edge = order[next + i];
        chunk.sources()[i] = sources[edge];
        chunk.targets()[i] = targets[edge];
        chunk.intWeights()[i] = ranks[edge];
      }
      chunk.setConsecutive(next, count);
      next += count;
    }
  }
}
