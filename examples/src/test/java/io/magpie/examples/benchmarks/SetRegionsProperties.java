package io.magpie.examples.benchmarks;

import io.magpie.examples.benchmarks.SetRequests.Action;
import io.magpie.verification.testing.RegionCheck;
import io.magpie.verification.testing.RegionData;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/**
 * Regions over sets of keys do under many schedules what their items one after the other would do.
 */
@Tag("slow")
class SetRegionsProperties {
  /**
   * What a region's data stand for.
   *
   * @param keys in the set
   * @param found what items have said
   */
  private record State(TreeSet<Integer> keys, List<Integer> found) {
    static Function<RegionData, State> view(Function<RegionData, TreeSet<Integer>> keys) {
      return data ->
          new State(
              keys.apply(data),
              Arrays.stream(data.ints("found")).boxed().collect(Collectors.toList()));
    }
  }

  private static Arbitrary<SetRequests> requests(int keys, int most, int items) {
    Arbitrary<Integer> key = Arbitraries.integers().between(1, keys);
    Arbitrary<Integer> action = Arbitraries.integers().between(0, 2);
    return Combinators.combine(
            key.set().ofMaxSize(most),
            Combinators.combine(key, action)
                .as((of, what) -> new int[] {of, what})
                .list()
                .ofMinSize(1)
                .ofMaxSize(items))
        .as(
            (begun, all) ->
                SetRequests.of(keys, begun, all.stream().flatMapToInt(Arrays::stream).toArray()));
  }

  @Provide
  Arbitrary<SetRequests> few() {
    return requests(7, 4, 6);
  }

  /** Fills leaves of fourteen keys. */
  @Provide
  Arbitrary<SetRequests> many() {
    return requests(40, 30, 6);
  }

  /** With the fields that all these regions have, and what each item does. */
  private static RegionCheck checked(
      String module, SetRequests requests, Function<RegionData, TreeSet<Integer>> keys) {
    return RegionCheck.ofModule(module, "set_operation")
        .array("requests", requests.requests())
        .array("found", new int[requests.items()])
        .items(requests.items())
        .explore("pct:3", 60)
        .explore("pct:3+weak", 40)
        .specification(
            State.view(keys),
            (state, item) -> {
              int key = requests.key(item);
              Action action = requests.action(item);
              state.found.set(item, state.keys.contains(key) ? 1 : 0);
              if (action == Action.INSERT) {
                state.keys.add(key);
              } else if (action == Action.REMOVE) {
                state.keys.remove(key);
              }
              return true;
            });
  }

  @Property(tries = 25)
  void aHashTableIsASet(@ForAll("few") SetRequests requests) {
    int[] places = new HashTable.Table(requests).places();
    checked("benchmark_hash_table", requests, data -> inPlaces(data.ints("places")))
        .array("places.data", places)
        .objects("places.guards", places.length / 8)
        .check();
  }

  private static TreeSet<Integer> inPlaces(int[] places) {
    TreeSet<Integer> keys = new TreeSet<>();
    for (int key : places) {
      if (key > 0 && !keys.add(key)) {
        throw new IllegalStateException("key " + key + " is there twice");
      }
    }
    return keys;
  }

  @Property(tries = 25)
  void aSortedListIsASet(@ForAll("few") SetRequests requests) {
    SortedList.Chain chain = new SortedList.Chain(requests);
    int[] keys = chain.keys();
    int room = keys.length + 2 * requests.items();
    checked(
            "benchmark_sorted_list",
            requests,
            data -> inOrder(data.ints("next"), 1, 0, data.ints("key"), data.live("nodes")))
        .guarded("next", Arrays.copyOf(chain.next(), room))
        .array("key", Arrays.copyOf(keys, room))
        .pool("nodes", room, keys.length)
        .check();
  }

  /** The keys of a list on one level, whose nodes are all that are in use. */
  private static TreeSet<Integer> inOrder(int[] next, int levels, int level, int[] key, long live) {
    TreeSet<Integer> keys = new TreeSet<>();
    for (int node = next[level]; node != 0; node = next[node * levels + level]) {
      if (!keys.isEmpty() && key[node] <= keys.last()) {
        throw new IllegalStateException("key " + key[node] + " behind " + keys.last());
      }
      keys.add(key[node]);
    }
    if (level == 0 && live != keys.size() + 1) {
      throw new IllegalStateException(keys + " and the head take " + live + " slots");
    }
    return keys;
  }

  @Property(tries = 25)
  void aSkipListIsASet(@ForAll("few") SetRequests requests) {
    int levels = 3;
    SkipList.Towers towers = new SkipList.Towers(requests, levels);
    int[] keys = towers.keys();
    int room = keys.length + 2 * requests.items();
    checked(
            "benchmark_skip_list",
            requests,
            data -> {
              TreeSet<Integer> all =
                  inOrder(data.ints("next"), levels, 0, data.ints("key"), data.live("nodes"));
              for (int level = 1; level < levels; level++) {
                Set<Integer> higher =
                    inOrder(data.ints("next"), levels, level, data.ints("key"), 0);
                if (!all.containsAll(higher)) {
                  throw new IllegalStateException(higher + " above " + all);
                }
              }
              return all;
            })
        .array("next.data", Arrays.copyOf(towers.next(), room * levels))
        .number("next.columns", levels)
        .objects("next.guards", room)
        .array("key", Arrays.copyOf(keys, room))
        .pool("nodes", room, keys.length)
        .check();
  }

  @Property(tries = 25)
  void aTreeIsASet(@ForAll("many") SetRequests requests) {
    int[] nodes = new BTree.Tree(requests).nodes(BTree.WIDTH);
    int count = nodes.length / BTree.WORDS;
    int room = count + 8 * requests.items();
    checked(
            "benchmark_b_tree",
            requests,
            data -> inLeaves(requests, data.ints("nodes"), data.live("fresh")))
        .array("nodes.data", Arrays.copyOf(nodes, room * BTree.WORDS))
        .number("nodes.columns", BTree.WORDS)
        .objects("nodes.guards", room)
        .pool("fresh", room, count)
        .check();
  }

  private static TreeSet<Integer> inLeaves(SetRequests requests, int[] nodes, long live) {
    TreeSet<Integer> keys = new TreeSet<>();
    Set<Integer> twice = new HashSet<>();
    new BTree.Result(requests, nodes, new int[0], live)
        .forEachKey(
            key -> {
              if (!keys.add(key)) {
                twice.add(key);
              }
            })
        .ifPresent(
            wrong -> {
              throw new IllegalStateException(wrong);
            });
    if (!twice.isEmpty()) {
      throw new IllegalStateException(twice + " are there twice");
    }
    return keys;
  }
}
