package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.RegionReport;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmOptions;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * A set of keys in a skip list.
 *
 * @param shape what is drawn
 */
record SkipList(SetRequests.Shape shape) implements Benchmark {
  private static final int MOST_LEVELS = 16;

  /** By contention, from low to high. */
  private static final String[] NUMBERS_OF_KEYS = {"1M", "64k", "1k"};

  static SkipList of(WorkloadSpec spec) {
    return new SkipList(SetRequests.Shape.of(spec, NUMBERS_OF_KEYS, "1M"));
  }

  @Override
  public boolean storesInApply() {
    return true;
  }

  @Override
  public Instance generate() {
    return Towers.of(shape.generate());
  }

  /** Levels of the node of a key: half of the keys have one, a quarter two, and so on. */
  private static int levels(int key, int most) {
    int mixed = (key ^ key >>> 16) * 0x85ebca6b;
    mixed = (mixed ^ mixed >>> 13) * 0xc2b2ae35;
    mixed ^= mixed >>> 16;
    return Math.min(most, Integer.numberOfTrailingZeros(mixed) + 1);
  }

  /**
   * The list before: node 0 is the head, and the end; the others follow in the order of their keys.
   *
   * @param requests what there is to do
   * @param levels of the head
   */
  record Towers(SetRequests requests, int levels) implements Instance {
    /** With as many levels as the keys need: one has about two on the highest. */
    static Towers of(SetRequests requests) {
      int bits = 32 - Integer.numberOfLeadingZeros(requests.keys());
      return new Towers(requests, Math.max(2, Math.min(MOST_LEVELS, bits - 1)));
    }

    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = requests.sizes();
      sizes.put("levels", (long) levels);
      return sizes;
    }

    @Override
    public void addTo(ContentHash hash) {
      requests.addTo(hash);
    }

    /** The keys of the nodes. */
    int[] keys() {
      int[] sorted = requests.sorted();
      int[] keys = new int[sorted.length + 1];
      System.arraycopy(sorted, 0, keys, 1, sorted.length);
      return keys;
    }

    /** The successors of each node, by level. */
    int[] next() {
      int[] keys = keys();
      int[] next = new int[keys.length * levels];
      int[] last = new int[levels];
      for (int node = 1; node < keys.length; node++) {
        for (int level = 0; level < SkipList.levels(keys[node], levels); level++) {
          next[last[level] * levels + level] = node;
          last[level] = node;
        }
      }
      return next;
    }

    @Override
    public Finished run(Device device, Synchronization how, StmOptions options) {
      int[] keys = keys();
      // Each insertion takes a node, and one more may stay at hand with each thread that inserts.
      int capacity = keys.length + 2 * requests.insertions();
      try (OnDevice here = new OnDevice(device)) {
        KernelModule module = here.load("benchmark_skip_list");
        DeviceArray<int[]> key = here.padded(keys, capacity);
        DeviceArray<int[]> next = here.padded(next(), (long) capacity * levels);
        SlotPool nodes = here.pool(capacity, keys.length);
        DeviceArray<int[]> found = here.ints(requests.items());
        Fields fields =
            requests
                .fields(here, module, found)
                .set("key", key)
                .set("next", next, levels, here.objects(capacity))
                .set("nodes", nodes);
        RegionReport report =
            module.region("set_operation").run(options, requests.items(), fields).requireComplete();
        return Finished.of(
            report,
            new Result(
                requests, levels, next.toArray(), key.toArray(), found.toArray(), nodes.live()));
      }
    }
  }

  /**
   * The list after.
   *
   * @param requests what was asked
   * @param levels of the head
   * @param next the successors of each node, by level
   * @param key of each node
   * @param found what each item said
   * @param live nodes in use, the head among them
   */
  record Result(SetRequests requests, int levels, int[] next, int[] key, int[] found, long live)
      implements CheckedResult {
    @Override
    public Optional<String> mistake() {
      return requests.mistake(found, this::forEachKey);
    }

    /** On each level those nodes must be, in order, that are so high. */
    private Optional<String> forEachKey(IntConsumer visitor) {
      int nodes = next.length / levels;
      int[] height = new int[nodes];
      for (int level = 0; level < levels; level++) {
        int before = 0;
        for (int node = next[level]; node != 0; node = next[node * levels + level]) {
          if (node < 0 || node >= nodes || height[node] != level) {
            return Optional.of("node " + node + " is on level " + level + ", and not on all below");
          }
          if (key[node] <= before) {
            return Optional.of("key " + key[node] + " is behind " + before + " on level " + level);
          }
          before = key[node];
          height[node]++;
        }
      }
      long count = 1;
      for (int node = 1; node < nodes; node++) {
        if (height[node] > 0) {
          if (height[node] != SkipList.levels(key[node], levels)) {
            return Optional.of("key " + key[node] + " is on " + height[node] + " levels");
          }
          visitor.accept(key[node]);
          count++;
        }
      }
      return live == count
          ? Optional.empty()
          : Optional.of(live + " nodes are in use, and " + count + " in the list");
    }
  }
}
