package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;

/** Finds cycles of nodes and merges them, with the kernels and the region of collapse.cuh. */
final class CycleCollapse {
  /** Passes over all edges that spread keys, at most: longer ways do with what they have. */
  private static final int KEY_PASSES = 64;

  /** Passes that trim edges which cannot lie on a cycle: long trees take more, to little avail. */
  private static final int TRIM_PASSES = 3;

  /** Rounds without a look for cycles, at most, where none was found for a while. */
  private static final int LONGEST_GAP = 16;

  /** Part of the nodes that are left whose merging makes it worth while to build edges anew. */
  private static final int COMPACTED_FROM = 16;

  /** Words that searches may have at a time. */
  private static final int SEARCH_WORDS = 1 << 22;

  private static final int SEARCH_WORDS_ON_CUDA = 1 << 26;

  private final DeviceConstraints constraints;
  private final Nodes nodes;
  private final Edges edges;
  private final Sets sets;
  private final Launches launches;
  private final int budget;
  private final int tableSlots;
  private final DeviceArray<int[]> above;
  private final DeviceArray<int[]> below;
  private final DeviceArray<int[]> entered;
  private final DeviceArray<int[]> left;
  private int pass;
  private int look;
  private int edgesSeen;
  private int gap = 1;
  private int due;
  private long searches;
  private int mergedBefore;
  private int mergedSinceCompacted;

  CycleCollapse(
      DeviceConstraints constraints,
      Nodes nodes,
      Edges edges,
      Sets sets,
      Launches launches,
      int budget) {
    this.constraints = constraints;
    this.nodes = nodes;
    this.edges = edges;
    this.sets = sets;
    this.launches = launches;
    this.budget = budget;
    this.tableSlots = Integer.highestOneBit(2 * budget - 1) * 2;
    Scratch scratch = constraints.scratch();
    this.above = scratch.ints("above", nodes.variables());
    this.below = scratch.ints("below", nodes.variables());
    this.entered = scratch.ints("entered", nodes.variables());
    this.left = scratch.ints("left", nodes.variables());
    entered.fill(0);
    left.fill(0);
    launches.run(
        "start_keys",
        nodes.variables(),
        new Fields().set("variables", nodes.variables()).set("keys", keys()));
  }

  /** Edges from which cycles were searched. */
  long searches() {
    return searches;
  }

  /**
   * Merges cycles, if there are new edges or the last look did not end, and it is time to look.
   *
   * @return whether any were found
   */
  boolean run() {
    int count = edges.count();
    if (nodes.round() < due || count == edgesSeen) {
      return false;
    }
    look++;
    boolean settled = spreadKeys(count);
    long gaveUp = nodes.total("gave_up");
    boolean found = collapse(count);
    // After merges, ways are shorter for what was given up.
    boolean ended = settled && !(found && nodes.total("gave_up") > gaveUp);
    edgesSeen = ended ? edges.count() : -1;
    gap = found ? 1 : Math.min(LONGEST_GAP, 2 * gap);
    due = nodes.round() + gap;
    return found;
  }

  /** Whether all keys are where they belong. */
  private boolean spreadKeys(int count) {
    for (int i = 0; i < KEY_PASSES; i++) {
      nodes.setTotal("raised", 0);
      launches.run(
          "spread_keys",
          count,
          new Fields()
              .set("count", count)
              .set("owner", edges.owner())
              .set("end", edges.end())
              .set("nodes", nodes.fields())
              .set("keys", keys())
              .set("totals", nodes.totals()));
      if (nodes.total("raised") == 0) {
        return true;
      }
    }
    return false;
  }

  private boolean collapse(int count) {
    int last = 0;
    for (int i = 0; i < TRIM_PASSES; i++) {
      pass++;
      launches.run("trim_edges", count, new Fields().set("edges", choice(count)).set("last", last));
      last = pass;
    }
    long words = 2L * budget + 2 + tableSlots;
    boolean cuda = launches.device().machine() == Machine.CUDA;
    long most = (cuda ? SEARCH_WORDS_ON_CUDA : SEARCH_WORDS) / words;
    int rooms = (int) Math.max(1, Math.min(most, count));
    DeviceArray<int[]> suspects = constraints.scratch().ints("suspects", rooms);
    long listed;
    do {
      nodes.setTotal("suspects", 0);
      launches.run(
          "list_suspects",
          count,
          new Fields()
              .set("edges", choice(count))
              .set("look", look)
              .set("tried", edges.tried())
              .set("suspects", suspects)
              .set("totals", nodes.totals()));
      listed = nodes.total("suspects");
      int items = (int) Math.min(listed, rooms);
      if (items > 0) {
        searches += items;
        search(suspects, items, constraints.scratch().ints("rooms", rooms * words));
      }
    } while (listed > rooms);
    int merged = (int) nodes.total("merged");
    boolean found = merged > mergedBefore;
    mergedSinceCompacted += merged - mergedBefore;
    mergedBefore = merged;
    if (mergedSinceCompacted > (nodes.variables() - merged) / COMPACTED_FROM) {
      mergedSinceCompacted = 0;
      edges.compact();
    }
    return found;
  }

  private void search(DeviceArray<int[]> suspects, int items, DeviceArray<int[]> rooms) {
    launches.transact(
        "collapse_cycle",
        null,
        items,
        new Fields()
            .set("claims", constraints.objects())
            .set("nodes", nodes.fields())
            .set("budget", budget)
            .set("table_slots", tableSlots)
            .set("suspects", suspects)
            .set("rooms", rooms)
            .set("owner", edges.owner())
            .set("end", edges.end())
            .set("next", edges.next())
            .set("tried", edges.tried())
            .set("keys", keys())
            .set("sets", sets.fields())
            .set("sent", sets.sentFields())
            .set("dereferenced", sets.dereferencedFields())
            .set("totals", nodes.totals()));
    launches.run(
        "flatten",
        nodes.variables(),
        new Fields().set("nodes", nodes.fields()).set("keys", keys()));
  }

  private Fields keys() {
    return new Fields().set("above", above).set("below", below);
  }

  private Fields choice(int count) {
    return new Fields()
        .set("nodes", nodes.fields())
        .set("count", count)
        .set("pass", pass)
        .set("owner", edges.owner())
        .set("end", edges.end())
        .set("keys", keys())
        .set("entered", entered)
        .set("left", left);
  }
}
