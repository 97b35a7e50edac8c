package io.magpie.examples.tutorials;

import io.magpie.verification.testing.RegionCheck;
import io.magpie.verification.testing.RegionData;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Keys that are inserted into a sorted list and deleted at the same time. */
class SortedListProperties {
  private static final int ROOM = 12;

  Path region = Path.of(System.getProperty("magpie.basedir"), "03-property-tests/sorted_list.cu");

  /** The list begins with some keys; each change inserts one, or deletes one if it is negative. */
  @Property(tries = 50)
  void isASetOfKeys(
      @ForAll @Size(max = 4) Set<@IntRange(min = 1, max = 7) Integer> keys,
      @ForAll @Size(min = 1, max = 6) List<@IntRange(min = -7, max = 7) Integer> changes) {
    int[] next = new int[ROOM];
    int[] key = new int[ROOM];
    int last = 0;
    for (int each : new TreeSet<>(keys)) {
      next[last] = last + 1;
      key[++last] = each;
    }
    RegionCheck.of(region)
        .guarded("next", next)
        .array("key", key)
        .pool("nodes", ROOM, last + 1)
        .array("changes", changes)
        .items(changes.size())
        .explore("pct:3", 100)
        .explore("pct:3+weak", 50)
        .specification(
            SortedListProperties::keys,
            (set, item) ->
                changes.get(item) > 0 ? set.add(changes.get(item)) : set.remove(-changes.get(item)))
        .allowNoCommits()
        .check();
  }

  /** The keys of the list, whose nodes are all that the pool has in use. */
  private static TreeSet<Integer> keys(RegionData data) {
    int[] nodes = data.chain("next", 0, 0);
    data.requireLive("nodes", nodes.length + 1);
    List<Integer> keys = IntStream.of(nodes).mapToObj(node -> data.ints("key")[node]).toList();
    TreeSet<Integer> sorted = new TreeSet<>(keys);
    if (!keys.equals(List.copyOf(sorted))) {
      throw new IllegalStateException("the keys do not ascend: " + keys);
    }
    return sorted;
  }
}
