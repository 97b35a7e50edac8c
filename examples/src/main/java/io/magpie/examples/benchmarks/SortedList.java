package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.Kernel;
import io.magpie.stm.KernelModule;
import io.magpie.stm.RegionReport;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmOptions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * A set of keys in a sorted list.
 *
 * @param shape what is drawn
 */
record SortedList(SetRequests.Shape shape) implements Benchmark {
  /** By contention, from low to high. */
  private static final String[] NUMBERS_OF_KEYS = {"4k", "1k", "128"};

  static SortedList of(WorkloadSpec spec) {
    return new SortedList(SetRequests.Shape.of(spec, NUMBERS_OF_KEYS, "100k"));
  }

  @Override
  public boolean storesInApply() {
    return true;
  }

  @Override
  public Set<Synchronization> forms() {
    return EnumSet.of(Synchronization.STM, Synchronization.LOCK_FREE);
  }

  @Override
  public Instance generate() {
    return new Chain(shape.generate());
  }

  /**
   * The list before: node 0 is the head, and the end; the others follow in the order of their keys.
   *
   * @param requests what there is to do
   */
  record Chain(SetRequests requests) implements Instance {
    @Override
    public Map<String, Long> sizes() {
      return requests.sizes();
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

    /** The successor of each node. */
    int[] next() {
      int[] next = new int[requests.sorted().length + 1];
      Arrays.setAll(next, node -> (node + 1) % next.length);
      return next;
    }

    @Override
    public Finished run(Device device, Synchronization how, StmOptions options) {
      int[] keys = keys();
      // Each insertion takes a node, and one more may stay at hand with each thread that inserts.
      int capacity = keys.length + 2 * requests.insertions();
      try (OnDevice here = new OnDevice(device)) {
        KernelModule module = here.load("benchmark_sorted_list");
        DeviceArray<int[]> key = here.padded(keys, capacity);
        DeviceArray<int[]> found = here.ints(requests.items());
        Fields fields = requests.fields(here, module, found).set("key", key);
        if (how == Synchronization.LOCK_FREE) {
          int[] twice = Arrays.stream(next()).map(node -> 2 * node).toArray();
          DeviceArray<int[]> links = here.padded(twice, capacity);
          fields.set("links", links).set("used", here.copyOf(new int[] {keys.length}));
          Kernel.Report report =
              module.kernel("set_operation_lock_free").run(requests.items(), fields);
          return Finished.of(
              report,
              new Result(requests, unmarked(links.toArray()), key.toArray(), found.toArray(), -1));
        }
        DeviceArray<int[]> next = here.padded(next(), capacity);
        SlotPool nodes = here.pool(capacity, keys.length);
        fields.set("next", next, here.objects(capacity)).set("nodes", nodes);
        RegionReport report =
            module.region("set_operation").run(options, requests.items(), fields).requireComplete();
        return Finished.of(
            report,
            new Result(requests, next.toArray(), key.toArray(), found.toArray(), nodes.live()));
      }
    }

    /**
     * The successors, of nodes in the list; removed ones may still be linked, and lead to what
     * follows.
     */
    private static int[] unmarked(int[] links) {
      int[] next = new int[links.length];
      for (int node = 0; node < links.length; node++) {
        int after = links[node] / 2;
        while (after != 0 && links[after] % 2 != 0) {
          after = links[after] / 2;
        }
        next[node] = after;
      }
      return next;
    }
  }

  /**
   * The list after.
   *
   * @param requests what was asked
   * @param next the successor of each node
   * @param key of each node
   * @param found what each item said
   * @param live nodes in use, the head among them; below 0 where nobody counts them
   */
  record Result(SetRequests requests, int[] next, int[] key, int[] found, long live)
      implements CheckedResult {
    @Override
    public Optional<String> mistake() {
      return requests.mistake(found, this::forEachKey);
    }

    private Optional<String> forEachKey(IntConsumer visitor) {
      int count = 1;
      int before = 0;
      for (int node = next[0]; node != 0; node = next[node]) {
        if (node < 0 || node >= next.length) {
          return Optional.of("node " + node + " is in the list but does not exist");
        }
        if (key[node] <= before) {
          return Optional.of("key " + key[node] + " is behind " + before);
        }
        before = key[node];
        visitor.accept(before);
        count++;
      }
      return live < 0 || live == count
          ? Optional.empty()
          : Optional.of(live + " nodes are in use, and " + count + " in the list");
    }
  }
}
