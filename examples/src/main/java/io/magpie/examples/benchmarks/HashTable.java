package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.Kernel;
import io.magpie.stm.KernelModule;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * A set of keys in a hash table with open addressing.
 *
 * @param shape what is drawn
 */
record HashTable(SetRequests.Shape shape) implements Benchmark {
  /** Places that one object stands for. */
  private static final int PLACES_OF_OBJECT = 8;

  /** What is in a place without a key, and nobody looks behind. */
  private static final int NEVER = 0;

  /** What is in a place that had a key. */
  private static final int REMOVED = -1;

  /** By contention, from low to high. */
  private static final String[] NUMBERS_OF_KEYS = {"1M", "64k", "1k"};

  static HashTable of(WorkloadSpec spec) {
    return new HashTable(SetRequests.Shape.of(spec, NUMBERS_OF_KEYS, "4M"));
  }

  @Override
  public Set<Synchronization> forms() {
    return EnumSet.of(Synchronization.STM, Synchronization.LOCK_FREE);
  }

  @Override
  public Instance generate() {
    return new Table(shape.generate());
  }

  /** The finalizer of MurmurHash3. */
  private static int scattered(int key) {
    int mixed = (key ^ key >>> 16) * 0x85ebca6b;
    mixed = (mixed ^ mixed >>> 13) * 0xc2b2ae35;
    return mixed ^ mixed >>> 16;
  }

  /**
   * The table before.
   *
   * @param requests what there is to do
   */
  record Table(SetRequests requests) implements Instance {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = requests.sizes();
      sizes.put("places", (long) capacity());
      return sizes;
    }

    /**
     * A power of two, at least twice as many places as there can be keys in the set at a time, or
     * lock-free ever: there a place stays its key's.
     */
    private int capacity() {
      return Math.max(PLACES_OF_OBJECT, Integer.highestOneBit(2 * requests.keys()) * 2);
    }

    @Override
    public void addTo(ContentHash hash) {
      requests.addTo(hash);
    }

    int[] places() {
      int[] places = new int[capacity()];
      for (int key : requests.sorted()) {
        int at = scattered(key) & places.length - 1;
        while (places[at] != NEVER) {
          at = at + 1 & places.length - 1;
        }
        places[at] = key;
      }
      return places;
    }

    /** A place of the lock-free form: twice the key, plus 1 while it is in the set. */
    private static int withMark(int key) {
      return key == NEVER ? NEVER : 2 * key + 1;
    }

    private static int withoutMark(int word) {
      return word == NEVER ? NEVER : (word & 1) == 0 ? REMOVED : word >>> 1;
    }

    @Override
    public Finished run(Device device, Synchronization how, StmOptions options) {
      int[] begun = places();
      try (OnDevice here = new OnDevice(device)) {
        KernelModule module = here.load("benchmark_hash_table");
        DeviceArray<int[]> found = here.ints(requests.items());
        Fields fields = requests.fields(here, module, found);
        if (how == Synchronization.LOCK_FREE) {
          int[] twice = Arrays.stream(begun).map(Table::withMark).toArray();
          DeviceArray<int[]> marked = here.copyOf(twice);
          Kernel.Report report =
              module
                  .kernel("set_operation_lock_free")
                  .run(requests.items(), fields.set("places", marked));
          int[] after = Arrays.stream(marked.toArray()).map(Table::withoutMark).toArray();
          return Finished.of(report, new Result(requests, after, found.toArray()));
        }
        DeviceArray<int[]> places = here.copyOf(begun);
        fields.set("places", places, here.objects(begun.length / PLACES_OF_OBJECT));
        RegionReport report =
            module.region("set_operation").run(options, requests.items(), fields).requireComplete();
        return Finished.of(report, new Result(requests, places.toArray(), found.toArray()));
      }
    }
  }

  /**
   * The table after.
   *
   * @param requests what was asked
   * @param places what is in them
   * @param found what each item said
   */
  record Result(SetRequests requests, int[] places, int[] found) implements CheckedResult {
    @Override
    public Optional<String> mistake() {
      return requests.mistake(found, this::forEachKey);
    }

    /** Every key must be found from where its search begins. */
    private Optional<String> forEachKey(IntConsumer visitor) {
      for (int at = 0; at < places.length; at++) {
        int key = places[at];
        if (key == NEVER || key == REMOVED) {
          continue;
        }
        int probe = scattered(key) & places.length - 1;
        while (probe != at && places[probe] != NEVER && places[probe] != key) {
          probe = probe + 1 & places.length - 1;
        }
        if (probe != at) {
          return Optional.of(
              "key " + key + " in place " + at + " is not found: " + probe + " ends the search");
        }
        visitor.accept(key);
      }
      return Optional.empty();
    }
  }
}
