package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.RegionReport;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * A set of keys in a B+ tree.
 *
 * @param shape what is drawn
 */
record BTree(SetRequests.Shape shape) implements Benchmark {
  /** Words of a node, as {@code benchmark_b_tree.cu} has them. */
  static final int WIDTH = 14;

  static final int WORDS = 4 + 2 * WIDTH + 1;

  private static final int LEVEL = 0;
  private static final int COUNT = 1;
  private static final int LOW = 2;
  private static final int HIGH = 3;
  private static final int KEYS = 4;
  private static final int CHILDREN = KEYS + WIDTH;

  /** Where the range of keys has no end. */
  private static final long NO_END = 0xffffffffL;

  /** Keys of a node before, so that most have room for some more. */
  private static final int FILLED = 10;

  /** Nodes that a thread keeps at hand at most. */
  private static final int AT_HAND = 8;

  /** By contention, from low to high. */
  private static final String[] NUMBERS_OF_KEYS = {"1M", "64k", "1k"};

  static BTree of(WorkloadSpec spec) {
    return new BTree(SetRequests.Shape.of(spec, NUMBERS_OF_KEYS, "1M"));
  }

  @Override
  public boolean storesInApply() {
    return true;
  }

  @Override
  public Instance generate() {
    return new Tree(shape.generate());
  }

  /**
   * A node while the tree is built.
   *
   * @param level 0 of leaves
   * @param low the first key that it is for
   * @param keys of a leaf; else those between children
   * @param children none of a leaf
   */
  private record Node(int level, long low, int[] keys, List<Node> children) {}

  /**
   * The tree before.
   *
   * @param requests what there is to do
   */
  record Tree(SetRequests requests) implements Instance {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = requests.sizes();
      sizes.put("nodes", (long) (nodes().length / WORDS));
      return sizes;
    }

    @Override
    public void addTo(ContentHash hash) {
      requests.addTo(hash);
    }

    /** The words of all nodes; the root is the first. */
    int[] nodes() {
      return nodes(FILLED);
    }

    /**
     * The same with other nodes.
     *
     * @param filled keys of a node
     */
    int[] nodes(int filled) {
      List<Node> level = leaves(filled);
      while (level.size() > 1) {
        level = above(level, filled);
      }
      List<Node> all = new ArrayList<>();
      List<Long> ends = new ArrayList<>();
      List<Integer> firstChild = new ArrayList<>();
      all.add(level.get(0));
      ends.add(NO_END);
      for (int i = 0; i < all.size(); i++) {
        Node node = all.get(i);
        firstChild.add(all.size());
        for (int c = 0; c < node.children.size(); c++) {
          all.add(node.children.get(c));
          ends.add(c + 1 < node.children.size() ? node.children.get(c + 1).low : ends.get(i));
        }
      }
      int[] words = new int[all.size() * WORDS];
      for (int i = 0; i < all.size(); i++) {
        Node node = all.get(i);
        int at = i * WORDS;
        words[at + LEVEL] = node.level;
        words[at + COUNT] = node.keys.length;
        words[at + LOW] = (int) node.low;
        words[at + HIGH] = (int) (long) ends.get(i);
        System.arraycopy(node.keys, 0, words, at + KEYS, node.keys.length);
        for (int c = 0; c < node.children.size(); c++) {
          words[at + CHILDREN + c] = firstChild.get(i) + c;
        }
      }
      return words;
    }

    private List<Node> leaves(int filled) {
      int[] sorted = requests.sorted();
      List<Node> leaves = new ArrayList<>();
      for (int from = 0; from < sorted.length || leaves.isEmpty(); from += filled) {
        int[] keys = Arrays.copyOfRange(sorted, from, Math.min(sorted.length, from + filled));
        leaves.add(new Node(0, from == 0 ? 0 : keys[0], keys, List.of()));
      }
      return leaves;
    }

    private static List<Node> above(List<Node> below, int filled) {
      List<Node> level = new ArrayList<>();
      for (int from = 0; from < below.size(); ) {
        // The last two share what is left: no node has but one child.
        int left = below.size() - from;
        int count = left == filled + 2 ? filled : Math.min(left, filled + 1);
        List<Node> children = below.subList(from, from + count);
        int[] keys = children.stream().skip(1).mapToInt(child -> (int) child.low).toArray();
        level.add(new Node(children.get(0).level + 1, children.get(0).low, keys, children));
        from += count;
      }
      return level;
    }

    @Override
    public Finished run(Device device, Synchronization how, StmOptions options) {
      int[] begun = nodes();
      int count = begun.length / WORDS;
      // An insertion that finds a full leaf puts as many nodes at its thread's hand as fit there.
      int capacity =
          count + AT_HAND * Math.min(requests.insertions(), 1 << 19) + requests.insertions();
      try (OnDevice here = new OnDevice(device)) {
        KernelModule module = here.load("benchmark_b_tree");
        requireSameWords(module);
        DeviceArray<int[]> nodes = here.padded(begun, (long) capacity * WORDS);
        SlotPool fresh = here.pool(capacity, count);
        DeviceArray<int[]> found = here.ints(requests.items());
        Fields fields =
            requests
                .fields(here, module, found)
                .set("nodes", nodes, WORDS, here.objects(capacity))
                .set("fresh", fresh);
        RegionReport report =
            module.region("set_operation").run(options, requests.items(), fields).requireComplete();
        int[] used = nodes.slice(0, fresh.firstFresh() * WORDS).toArray();
        return Finished.of(report, new Result(requests, used, found.toArray(), fresh.live()));
      }
    }

    private static void requireSameWords(KernelModule module) {
      if (module.constant("node::width") != WIDTH || module.constant("node::words") != WORDS) {
        throw new IllegalStateException("nodes differ between Java and the module");
      }
    }
  }

  /**
   * The tree after.
   *
   * @param requests what was asked
   * @param nodes their words
   * @param found what each item said
   * @param live nodes in use
   */
  record Result(SetRequests requests, int[] nodes, int[] found, long live)
      implements CheckedResult {
    /** A node, and what it must be for. */
    private record Place(int node, int level, long low, long high) {}

    @Override
    public Optional<String> mistake() {
      return requests.mistake(found, this::forEachKey);
    }

    private int word(int node, int word) {
      return nodes[node * WORDS + word];
    }

    /** Visits the keys in leaves, if all nodes are where they must be. */
    Optional<String> forEachKey(IntConsumer visitor) {
      Deque<Place> waiting = new ArrayDeque<>();
      waiting.push(new Place(0, word(0, LEVEL), 0, NO_END));
      boolean[] seen = new boolean[nodes.length / WORDS];
      long count = 0;
      while (!waiting.isEmpty()) {
        Place place = waiting.pop();
        int node = place.node;
        if (node < 0 || node >= seen.length || seen[node]) {
          return Optional.of("node " + node + " is a child twice or does not exist");
        }
        seen[node] = true;
        count++;
        Optional<String> wrong = wrong(place);
        if (wrong.isPresent()) {
          return wrong;
        }
        int keys = word(node, COUNT);
        for (int i = 0; i <= keys; i++) {
          if (place.level > 0) {
            waiting.push(
                new Place(
                    word(node, CHILDREN + i),
                    place.level - 1,
                    i == 0 ? place.low : word(node, KEYS + i - 1),
                    i == keys ? place.high : word(node, KEYS + i)));
          } else if (i < keys) {
            visitor.accept(word(node, KEYS + i));
          }
        }
      }
      return live == count
          ? Optional.empty()
          : Optional.of(live + " nodes are in use, and " + count + " in the tree");
    }

    private Optional<String> wrong(Place place) {
      int node = place.node;
      int keys = word(node, COUNT);
      boolean same =
          word(node, LEVEL) == place.level
              && Integer.toUnsignedLong(word(node, LOW)) == place.low
              && Integer.toUnsignedLong(word(node, HIGH)) == place.high;
      if (!same || keys < 0 || keys > WIDTH) {
        return Optional.of(
            "node "
                + node
                + " is on level "
                + word(node, LEVEL)
                + " for keys "
                + Integer.toUnsignedLong(word(node, LOW))
                + " to "
                + Integer.toUnsignedLong(word(node, HIGH))
                + " with "
                + keys
                + ", and by those above it on level "
                + place.level
                + " for keys "
                + place.low
                + " to "
                + place.high);
      }
      long before = place.low - 1;
      for (int i = 0; i < keys; i++) {
        int key = word(node, KEYS + i);
        if (key <= before || key >= place.high) {
          return Optional.of("key " + key + " in node " + node + " is out of order");
        }
        before = key;
      }
      return Optional.empty();
    }
  }
}
