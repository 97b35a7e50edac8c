package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/**
 * Finds cycles of nodes with the kernels of cycles.cuh, and merges them with those of collapse.cuh.
 */
final class CycleCollapse {
  /** Passes that spread keys before the host looks whether they have settled, at first at most. */
  private static final int MOST_FIRST_PASSES = 16;

  /**
   * Passes over all edges at most: longer ways do with what they have, and go on in later looks.
   */
  static final int KEY_PASSES = 64;

  /** Passes over suspects at most, in each search. */
  private static final int PASSES_WITHIN = 512;

  /**
   * Of the keys that are kept, which are the nodes' numbers in their order: along a chain of nodes
   * in ascending or descending order neighbors have different ones, and no edge of it is a suspect.
   * In any other order most of them are, and searching among these takes as long again.
   */
  private static final int KEPT_FACTOR = 1;

  /** Searches within classes at most in one look. */
  private static final int MOST_SEARCHES = 16;

  /** Rounds without a look for cycles, at most, where none was found for a while. */
  private static final int LONGEST_GAP = 16;

  /** Rounds, at most, between two looks whether there are new edges, and how many. */
  private static final int LONGEST_WAIT = 4;

  /** Part of the nodes that are left whose merging makes it worth while to build edges anew. */
  private static final int COMPACTED_FROM = 16;

  private final DeviceConstraints constraints;
  private final Nodes nodes;
  private final Edges edges;
  private final Sets sets;
  private final Launches launches;
  private final int mergeSize;
  private final DeviceArray<int[]> above;
  private final DeviceArray<int[]> below;
  private final DeviceArray<int[]> aboveWithin;
  private final DeviceArray<int[]> belowWithin;
  private final DeviceArray<int[]> classOf;
  private final DeviceArray<int[]> sizes;
  private final DeviceArray<int[]> begin;
  private final DeviceArray<int[]> place;
  private final DeviceArray<int[]> members;
  private final DeviceArray<int[]> itemOwner;
  private final DeviceArray<int[]> itemAt;
  private int pass;
  private int passesExpected = 4;
  private int passesExpectedWithin = 4;
  private int edgesLeft;
  private int edgesSeen;
  private int renumberingsSeen;
  private int gap = 1;
  private int wait = 1;
  private int due;
  private long searches;
  private long looksGivenUp;
  private int mergedSinceCompacted;

  CycleCollapse(
      DeviceConstraints constraints,
      Nodes nodes,
      Edges edges,
      Sets sets,
      Launches launches,
      int mergeSize) {
    this.constraints = constraints;
    this.nodes = nodes;
    this.edges = edges;
    this.sets = sets;
    this.launches = launches;
    this.mergeSize = mergeSize;
    Scratch scratch = constraints.scratch();
    this.above = scratch.ints("above", nodes.variables());
    this.below = scratch.ints("below", nodes.variables());
    this.aboveWithin = scratch.ints("above within", nodes.variables()).named("above");
    this.belowWithin = scratch.ints("below within", nodes.variables()).named("below");
    this.classOf = scratch.ints("class_of", nodes.variables());
    this.sizes = scratch.ints("sizes", nodes.variables());
    this.begin = scratch.ints("begin", nodes.variables());
    this.place = scratch.ints("place", nodes.variables());
    this.members = scratch.ints("members", nodes.variables());
    this.itemOwner = scratch.ints("item_owner", nodes.variables());
    this.itemAt = scratch.ints("item_at", nodes.variables());
    launches.run(
        "start_keys",
        nodes.variables(),
        new Fields()
            .set("variables", nodes.variables())
            .set("numbers", numbers(KEPT_FACTOR))
            .set("keys", keys()));
  }

  /** How often cycles were searched for within classes of nodes. */
  long searches() {
    return searches;
  }

  /** How many looks ended at a bound, and so may have missed cycles. */
  long looksGivenUp() {
    return looksGivenUp;
  }

  /** How many rounds may be launched before the next look, at least 1. */
  int roundsUntilLook() {
    return Math.max(1, Math.min(LONGEST_WAIT, due - nodes.round()));
  }

  /**
   * Merges cycles, if there are new edges or the last look did not end, and it is time to look: no
   * later than when there are half as many edges more, as cycles make edges multiply. What edges
   * there are is known from the last look at the nodes' numbers.
   */
  void run() {
    int count = edges.seenCount();
    if (nodes.round() < due && count <= edgesLeft + edgesLeft / 2) {
      return;
    }
    boolean renumbered = renumberingsSeen != edges.renumberings();
    if (count == edgesSeen && !renumbered) {
      wait = Math.min(LONGEST_WAIT, 2 * wait);
      due = nodes.round() + wait;
      return;
    }
    wait = 1;
    boolean ended = spreadKeys(count, renumbered || edgesSeen < 0 ? 0 : edgesSeen);
    long before = nodes.seen("merged");
    if (nodes.seen("new_suspects") != 0) {
      ended &= searchWithin((int) nodes.seen("suspects"));
      compactAfter((int) (nodes.total("merged") - before));
    }
    boolean found = nodes.seen("merged") > before;
    looksGivenUp += ended ? 0 : 1;
    edgesLeft = edges.count();
    edgesSeen = ended ? edgesLeft : -1;
    renumberingsSeen = edges.renumberings();
    gap = found ? 1 : Math.min(LONGEST_GAP, 2 * gap);
    due = nodes.round() + gap;
  }

  /** Lists suspects; whether all keys are where they belong. */
  private boolean spreadKeys(int count, int firstNew) {
    DeviceArray<int[]> suspects = suspects();
    int first = pass + 1;
    int lastAllowed = pass + KEY_PASSES;
    for (int ahead = passesExpected; ; ahead *= 2) {
      for (int end = Math.min(pass + ahead, lastAllowed); pass < end; ) {
        pass++;
        launches.run("spread_keys", count, overEdges(count).set("rounds", passes(first, false)));
      }
      boolean last = pass == lastAllowed;
      launches.run(
          "list_suspects",
          count,
          overEdges(count)
              .set("first_new", firstNew)
              .set("suspects", suspects)
              .set("rounds", passes(first, last)));
      boolean settled = nodes.total("raised") < pass;
      if (settled || last) {
        passesExpected = passesAfter(first);
        return settled;
      }
    }
  }

  /** As many as it took to settle this time, the one included that changed nothing. */
  private int passesAfter(int first) {
    long took = Math.max(0, nodes.seen("raised") - first + 1) + 1;
    return (int) Math.min(MOST_FIRST_PASSES, took);
  }

  private Fields overEdges(int count) {
    return new Fields()
        .set("count", count)
        .set("owner", edges.owner())
        .set("end", edges.end())
        .set("nodes", nodes.fields())
        .set("keys", keys());
  }

  /** Searches among suspects, and merges what is found, until none are left; whether that is so. */
  private boolean searchWithin(int count) {
    boolean settled = true;
    for (int i = 1; ; i++) {
      searches++;
      settled &= search(count, i == 1);
      int items = (int) nodes.seen("items");
      if (items > 0) {
        merge(items, (int) nodes.seen("members"));
      }
      if (nodes.seen("remaining") == 0) {
        return settled;
      }
      if (i == MOST_SEARCHES) {
        return false;
      }
    }
  }

  /** Lists groups; whether all keys are where they belong. */
  private boolean search(int count, boolean firstTime) {
    Fields numbers = numbers(factor(searches));
    launches.run(
        "start_classes",
        nodes.variables(),
        new Fields()
            .set("first_time", firstTime ? 1 : 0)
            .set("nodes", nodes.fields())
            .set("keys", keys())
            .set("numbers", numbers)
            .set("within", within())
            .set("groups", groups())
            .set("totals", nodes.totals()));
    int first = pass + 1;
    int lastAllowed = pass + PASSES_WITHIN;
    for (int ahead = passesExpectedWithin; ; ahead *= 2) {
      for (int end = Math.min(pass + ahead, lastAllowed); pass < end; ) {
        pass++;
        launches.run("spread_within", count, ofNodes(first, false).set("suspects", list(count)));
      }
      boolean last = pass == lastAllowed;
      launches.run(
          "count_members",
          nodes.variables(),
          ofNodes(first, last).set("numbers", numbers).set("groups", groups()));
      launches.run(
          "cut_groups",
          nodes.variables(),
          new Fields()
              .set("merge_size", mergeSize)
              .set("nodes", nodes.fields())
              .set("rounds", passes(first, last))
              .set("groups", groups()));
      launches.run(
          "place_members",
          nodes.variables(),
          ofNodes(first, last).set("numbers", numbers).set("groups", groups()));
      launches.run(
          "drop_suspects",
          count,
          ofNodes(first, last).set("suspects", list(count)).set("groups", groups()));
      boolean settled = nodes.total("raised") < pass;
      if (settled || last) {
        passesExpectedWithin = passesAfter(first);
        return settled;
      }
    }
  }

  private Fields ofNodes(int firstPass, boolean complete) {
    return new Fields()
        .set("nodes", nodes.fields())
        .set("within", within())
        .set("rounds", passes(firstPass, complete));
  }

  /** Lets one node stand for each group, and gives it what the others have. */
  private void merge(int items, int count) {
    launches.transact(
        "collapse_cycle",
        null,
        items,
        new Fields()
            .set("claims", constraints.objects())
            .set("nodes", nodes.fields())
            .set("merge_size", mergeSize)
            .set("groups", groups())
            .set("totals", nodes.totals()));
    launches.run(
        "fold_lists",
        count,
        new Fields()
            .set("nodes", nodes.fields())
            .set("members", count)
            .set("member", members)
            .set("next", edges.next())
            .set("keys", keys()));
    do {
      launches.runPieces(
          sets.kernel("fold_sets"),
          sets.work(count),
          Math.max(1, Math.min(launches.mostPieces(), count)),
          new Fields()
              .set("nodes", nodes.fields())
              .set("members", count)
              .set("member", members)
              .set("sets", sets.fields())
              .set("sent", sets.sentFields())
              .set("dereferenced", sets.dereferencedFields()));
    } while (sets.makeRoom());
    launches.run("flatten", nodes.variables(), new Fields().set("nodes", nodes.fields()));
  }

  private void compactAfter(int merged) {
    mergedSinceCompacted += merged;
    if (mergedSinceCompacted > (nodes.variables() - nodes.seen("merged")) / COMPACTED_FROM) {
      mergedSinceCompacted = 0;
      edges.compact();
    }
  }

  /** As many as there is room for edges. */
  private DeviceArray<int[]> suspects() {
    return constraints.scratch().ints("suspects", edges.owner().length());
  }

  private Fields list(int count) {
    return new Fields()
        .set("count", count)
        .set("edges", suspects())
        .set("owner", edges.owner())
        .set("end", edges.end());
  }

  private Fields keys() {
    return new Fields().set("above", above).set("below", below);
  }

  private Fields within() {
    return new Fields().set("above", aboveWithin).set("below", belowWithin);
  }

  private Fields groups() {
    return new Fields()
        .set("class_of", classOf)
        .set("sizes", sizes)
        .set("begin", begin)
        .set("place", place)
        .set("members", members)
        .set("item_owner", itemOwner)
        .set("item_at", itemAt)
        .set("roots", aboveWithin); // of a search that has ended
  }

  private Fields passes(int first, boolean complete) {
    return new Fields()
        .set("first", first)
        .set("last", pass)
        .set("complete", complete ? 1 : 0)
        .set("totals", nodes.totals());
  }

  /** Of the keys of a search, from 1: in each another one, so that it splits other classes. */
  static int factor(long search) {
    return (int) SeededHash.mix(search) | 1;
  }

  /** Keys that are products of the nodes' numbers, from 1, with an odd factor. */
  private static Fields numbers(int factor) {
    int inverse = factor; // right modulo 8; each step doubles the bits that are right
    for (int i = 0; i < 4; i++) {
      inverse *= 2 - factor * inverse;
    }
    return new Fields().set("factor", factor).set("inverse", inverse);
  }
}
