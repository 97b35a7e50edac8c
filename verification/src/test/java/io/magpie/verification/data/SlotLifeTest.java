package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Kind;
import io.magpie.verification.explore.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is found wrong with slots in traces made by hand, and what is not. */
class SlotLifeTest {
  private static final int NONE = 99;

  /** A list of nodes in the slots of a pool, of which some are in use. */
  private static TraceBuilder list(int live) {
    return new TraceBuilder()
        .objects("lists", 2)
        .objects("nodes", 8)
        .array("head", 2)
        .array("next", 8)
        .array("keys", 8)
        .pool("slots", 8, live);
  }

  private static List<Violation> check(Map<String, Object> before, TraceBuilder... launches) {
    return check(before, Map.of(), launches);
  }

  private static List<Violation> check(
      Map<String, Object> before, Map<String, DeclaredSlots> declared, TraceBuilder... launches) {
    SlotLife life = new SlotLife(new MemoryBefore(before), declared, place -> Optional.empty());
    for (TraceBuilder each : launches) {
      AccessTrace trace = each.build();
      life.add(trace, new Attempts(trace));
    }
    return life.check();
  }

  private static void right(TraceBuilder... launches) {
    assertEquals(List.of(), check(Map.of(), launches));
  }

  private static void wrong(Violation.Kind kind, String first, TraceBuilder... launches) {
    wrong(Map.of(), kind, first, launches);
  }

  /** The first finding's kind, and a part of the line with what is wrong. */
  private static void wrong(
      Map<String, Object> before, Violation.Kind kind, String first, TraceBuilder... launches) {
    List<Violation> found = check(before, launches);
    assertEquals(List.of(kind), found.stream().map(Violation::kind).toList(), found::toString);
    assertTrue(found.get(0).text().lines().toList().get(1).contains(first), found.get(0)::text);
  }

  private static TraceBuilder pushes(TraceBuilder to, long item, long slot, long first) {
    return to.begin(item)
        .takes("slots", slot)
        .opens("lists", 0)
        .reads("head", 0, first)
        .locks()
        .stores("next", slot, first)
        .stores("keys", slot, 50 + item)
        .stores("head", 0, slot)
        .commits();
  }

  private static TraceBuilder pops(TraceBuilder from, long item, long slot, long second) {
    return from.begin(item)
        .opens("lists", 0)
        .reads("head", 0, slot)
        .reads("next", slot, second)
        .locks()
        .stores("head", 0, second)
        .frees("slots", slot)
        .commits();
  }

  @Test
  void aListThatGrowsAndShrinksIsRight() {
    TraceBuilder first = list(0);
    pushes(first, 4, 0, NONE);
    pushes(first, 5, 1, 0);
    pops(first, 6, 1, 0);
    TraceBuilder second = first.next();
    pushes(second, 7, 1, 0);
    pops(second, 8, 1, 0);
    pops(second, 9, 0, NONE);
    right(first, second);
  }

  /** An item takes a slot, and another one of its number frees it. */
  @Test
  void anotherItemOfTheNumberOfOneThatTookASlotDoesNotKnowTheSlot() {
    TraceBuilder own = list(0);
    own.begin(4, 4).takes("slots", 0).opens("lists", 1).locks().stores("head", 1, 0).commits();
    TraceBuilder next = own.next();
    next.begin(4, 4).opens("lists", 1).reads("head", 1, 0).locks();
    right(own, next.stores("head", 1, NONE).frees("slots", 0).commits());
    own.begin(4, 5).opens("lists", 1).locks().stores("head", 1, NONE).frees("slots", 0).commits();
    wrong(Violation.Kind.FOREIGN_FREE, "item 4, attempt 1, in apply, frees slots[0]", own);
  }

  @Test
  void nothingIsLostWhileAnItemIsOpenWhoseNumberAnotherOneHas() {
    TraceBuilder trace = list(0);
    trace.begin(4, 4).takes("slots", 0).locks().commits();
    wrong(Violation.Kind.LEAK, "item 4, attempt 1, takes slots[0]", trace);
    right(trace.begin(4, 5).retries());
  }

  /** Item 10 takes slot 4 and pushes its number, alone or among others. */
  @Test
  void aPushedNumberKeepsItsSlotUntilItsItemHasEnded() {
    for (long pushed : new long[] {4, 104}) {
      TraceBuilder first = list(4).begin(10).takes("slots", 4).pushes(pushed).locks().commits();
      TraceBuilder reads = first.next().begin(pushed).opens("lists", 0).reads("head", 0, 3);
      wrong(
          Violation.Kind.LEAK,
          "item 10, attempt 1, takes slots[4]",
          first,
          reads.locks().commits());
      TraceBuilder fills = first.next().begin(pushed).opens("nodes", 4).locks();
      right(first, fills.stores("keys", 4, 50).commits());
      TraceBuilder links = first.next().begin(pushed).opens("lists", 1).locks();
      right(first, links.stores("head", 1, 4).commits());
      TraceBuilder hands = first.next().begin(pushed).pushes(300).locks().commits();
      TraceBuilder frees = first.next().begin(300).opens("lists", 0).locks();
      right(first, hands, frees.frees("slots", 4).commits());
    }
  }

  /**
   * Item 10 puts slot 4 on a list; one that has read that, or not, pushes item 4, which frees it.
   */
  @Test
  void whoFreesTheSlotOfItsNumberMustHaveItFromOneWhoMayKnowIt() {
    for (int list = 0; list < 2; list++) {
      TraceBuilder takes = list(4).begin(10).takes("slots", 4).opens("lists", 1).locks();
      takes.stores("head", 1, 4).stores("keys", 4, 50).commits();
      TraceBuilder pushes = takes.next().begin(11).opens("lists", list);
      pushes.reads("head", list, list == 1 ? 4 : 3).pushes(4).locks().commits();
      TraceBuilder frees = takes.next().begin(4).opens("lists", 1).locks();
      frees.stores("head", 1, NONE).frees("slots", 4).commits();
      if (list == 1) {
        right(takes, pushes, frees);
      } else {
        String line = "item 4, attempt 1, in apply, frees slots[4]";
        wrong(Violation.Kind.FOREIGN_FREE, line, takes, pushes, frees);
      }
    }
  }

  /** Somebody who knows of no slot pushes item 4, which looks at an element and frees slot 4. */
  @Test
  void whoLooksAtTheDataOfItsOwnNumberMayFreeThatSlot() {
    TraceBuilder takes = list(4).begin(10).takes("slots", 4).opens("lists", 1).locks();
    takes.stores("head", 1, 4).stores("keys", 4, 50).commits();
    TraceBuilder pushes = takes.next().begin(11).opens("lists", 0).pushes(4).locks().commits();
    for (int seen = 4; seen < 6; seen++) {
      TraceBuilder frees = takes.next().begin(4).opens("lists", 1);
      frees.does(Kind.PLAIN_READ, "keys", seen, seen == 4 ? 50 : 0).locks();
      frees.stores("head", 1, NONE).frees("slots", 4).commits();
      if (seen == 4) {
        right(takes, pushes, frees);
      } else {
        String line = "item 4, attempt 1, in apply, frees slots[4]";
        wrong(Violation.Kind.FOREIGN_FREE, line, takes, pushes, frees);
      }
    }
  }

  /**
   * Items push slots on a list, of which links have a stamp; the last one links to another node.
   */
  private static TraceBuilder stamped(long lastLink) {
    TraceBuilder trace = list(0);
    int[] slots = {2, 5, 3, 6};
    for (int i = 0; i < slots.length; i++) {
      long first = i == 0 ? NONE : slots[i - 1];
      long link = i == slots.length - 1 ? lastLink : first << 8 | i + 1;
      trace.begin(10 + i).takes("slots", slots[i]).opens("lists", 0).reads("head", 0, first);
      trace.locks().stores("next", slots[i], link).stores("head", 0, slots[i]).commits();
    }
    return trace;
  }

  @Test
  void linksWithAStampReferToSlots() {
    right(stamped(3 << 8 | 4));
    TraceBuilder popped = stamped(3 << 8 | 4);
    popped.begin(20).opens("lists", 0).reads("head", 0, 6).reads("next", 6, 3 << 8 | 4).locks();
    popped.stores("head", 0, 3).commits();
    wrong(Violation.Kind.LEAK, "item 13, attempt 1, takes slots[6]", popped);
    // No longer all of them do.
    assertEquals(Violation.Kind.LEAK, check(Map.of(), stamped(71)).get(0).kind());
  }

  /** Items that pop look through the places of three vertices, which no slot is the number of. */
  @Test
  void whoLooksThroughAnArrayDoesNotUseFreedSlots() {
    TraceBuilder trace = list(0).array("places", 18);
    pushes(trace, 14, 0, NONE);
    pushes(trace, 15, 1, 0);
    for (long[] each : new long[][] {{16, 1, 0}, {17, 0, NONE}}) {
      trace.begin(each[0]).opens("lists", 0).reads("head", 0, each[1]);
      trace.reads("next", each[1], each[2]);
      for (int place = 0; place < 3; place++) {
        trace.reads("places", place, 77);
      }
      trace.locks().stores("head", 0, each[2]).frees("slots", each[1]).commits();
    }
    right(trace);
  }

  /** Items that put slots into a binary heap, by their times, or free the first of it. */
  private static final class SlotHeap {
    final TraceBuilder trace;
    final long[] heap = new long[8];
    final long[] due = new long[8];
    int count;
    int next; // slot to be taken

    SlotHeap(int live) {
      trace = list(live).objects("heaps", 1).array("heap", 8).array("count", 1).array("due", 8);
      next = live;
      for (count = 0; count < live; count++) {
        heap[count] = count;
        due[count] = 20 + 10 * count;
      }
    }

    private long reads(int at) {
      trace.reads("heap", at, heap[at]);
      trace.reads("due", heap[at], due[(int) heap[at]]);
      return heap[at];
    }

    private void stores(Map<Integer, Long> heap) {
      heap.forEach(
          (at, slot) -> {
            trace.stores("heap", at, slot);
            this.heap[at] = slot;
          });
      trace.stores("count", 0, count).commits();
    }

    void puts(long item, long time) {
      Map<Integer, Long> writes = new TreeMap<>();
      trace.begin(item).takes("slots", next).opens("heaps", 0).reads("count", 0, count);
      due[next] = time;
      int at = count++;
      for (; at > 0 && due[(int) reads((at - 1) / 2)] > time; at = (at - 1) / 2) {
        writes.put(at, heap[(at - 1) / 2]);
      }
      writes.put(at, (long) next);
      trace.locks().stores("due", next++, time);
      stores(writes);
    }

    void frees(long item) {
      Map<Integer, Long> writes = new TreeMap<>();
      trace.begin(item).opens("heaps", 0).reads("count", 0, count);
      long first = reads(0);
      long last = reads(--count);
      int at = 0;
      for (int kid = 1; kid < count; kid = 2 * at + 1) {
        long least = reads(kid);
        if (kid + 1 < count && due[(int) reads(kid + 1)] < due[(int) least]) {
          least = heap[++kid];
        }
        if (due[(int) least] >= due[(int) last]) {
          break;
        }
        writes.put(at, least);
        at = kid;
      }
      writes.put(at, last);
      trace.locks().frees("slots", first);
      stores(writes);
    }
  }

  /** Its places are as many as the slots, and few, so that commits use those of their slots too. */
  @Test
  void placesInAHeapAreNotThoseOfSlots() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      SlotHeap heap = new SlotHeap(random.nextInt(5));
      for (int item = 10; item < 17; item++) {
        if (heap.next < 8 && (heap.count == 0 || random.nextBoolean())) {
          heap.puts(item, 11 + random.nextInt(60));
        } else if (heap.count > 0) {
          heap.frees(item);
        }
      }
      int of = seed;
      assertEquals(List.of(), check(Map.of(), heap.trace), () -> "seed " + of);
    }
  }

  /** Puts a slot behind the first node, in slot 0, of which it also looks at the key. */
  private static TraceBuilder putsBehindFirst(TraceBuilder to, long item, long slot, long second) {
    return to.begin(item)
        .takes("slots", slot)
        .opens("lists", 0)
        .reads("keys", 0, 77)
        .reads("next", 0, second)
        .locks()
        .stores("next", slot, second)
        .stores("keys", slot, 50 + item)
        .stores("next", 0, slot)
        .commits();
  }

  /** Items that put two slots into a list and take one out, and one that knew it before. */
  private static TraceBuilder usesWhatLeftTheList(int live) {
    TraceBuilder trace = list(live);
    putsBehindFirst(trace, 14, 1, NONE);
    putsBehindFirst(trace, 15, 2, 1);
    trace.begin(16).opens("lists", 0).reads("keys", 0, 77).reads("next", 0, 2).reads("next", 2, 1);
    trace.locks().stores("next", 0, 1).frees("slots", 2).commits();
    trace.begin(17).opens("lists", 1).reads("keys", 2, 65).locks();
    return trace.stores("head", 1, 5).commits();
  }

  /** A push, and a pop that knows what comes next without a look and forgets the slot. */
  @Test
  void aHeadThatMovesByOneIsNoCount() {
    TraceBuilder trace = list(4);
    pushes(trace, 10, 4, 3);
    trace.begin(11).opens("lists", 0).reads("head", 0, 4).locks().stores("head", 0, 3).commits();
    wrong(Violation.Kind.LEAK, "slots[4]", trace);
  }

  /**
   * A list of which the count is the number of each slot that is taken. One item frees the first
   * node, and another one knows it from before.
   *
   * @param length of the array with the links
   * @param from where the number stands that the last one has read
   */
  private static TraceBuilder listWithItsCount(int length, String from) {
    TraceBuilder trace = list(4).array("count", 1).array("links", length).array("noted", 1);
    for (int slot = 4; slot < 6; slot++) {
      trace.begin(6 + slot).takes("slots", slot).opens("lists", 0);
      trace.reads("head", 0, slot - 1).reads("count", 0, slot).locks();
      trace.stores("links", slot, slot - 1).stores("head", 0, slot);
      trace.stores("count", 0, slot + 1).commits();
    }
    trace.begin(12).opens("lists", 0).reads("head", 0, 5).locks().stores("noted", 0, 5).commits();
    trace.begin(13).opens("lists", 0).reads("head", 0, 5).reads("count", 0, 6);
    trace.reads("links", 5, 4).locks().stores("head", 0, 4).stores("count", 0, 5);
    trace.frees("slots", 5).commits();
    trace.begin(14).opens("lists", 1).reads(from, 0, 5).reads("links", 5, 4).locks();
    return trace.stores("head", 1, 7).commits();
  }

  @Test
  void aCountThatIsEqualToEachSlotHidesNoUse() {
    wrong(Violation.Kind.USE_AFTER_FREE, "item 14, attempt 1, reads", listWithItsCount(9, "noted"));
    wrong(Violation.Kind.USE_AFTER_FREE, "item 14, attempt 1, reads", listWithItsCount(8, "noted"));
  }

  /** All begin at slot 0, whose number they need not read, as it is in use from the start. */
  @Test
  void theFirstNodeOfAListIsNoScan() {
    wrong(Violation.Kind.USE_AFTER_FREE, "item 17, attempt 1, reads", usesWhatLeftTheList(1));
    right(usesWhatLeftTheList(0)); // slot 0 is free, so that it is something else that they read
  }

  /** The first node changes whenever a list does: that it is written is no scan either. */
  @Test
  void whoLinksToTheFirstNodeWritesNoOtherData() {
    TraceBuilder trace = list(1);
    putsBehindFirst(trace, 14, 1, NONE);
    putsBehindFirst(trace, 15, 2, 1);
    for (long[] each : new long[][] {{16, 2, 1}, {17, 1, NONE}}) {
      trace.begin(each[0]).opens("lists", 0).reads("next", 0, each[1]);
      trace.reads("next", each[1], each[2]).locks();
      trace.stores("next", 0, each[2]).frees("slots", each[1]).commits();
    }
    right(trace);
    trace.begin(18).opens("lists", 1).reads("next", 2, 1).locks().stores("head", 1, 5).commits();
    wrong(Violation.Kind.USE_AFTER_FREE, "item 18, attempt 1, reads", trace);
  }

  private static TraceBuilder hits(TraceBuilder to, long key, long before) {
    return to.reads("hits", key, before).locks().stores("hits", key, before + 1);
  }

  /** Slot 0 is in use from the start, and most hit key 0; who takes slot 3 hits key 3. */
  @Test
  void whatMostWriteIsNoFirstNode() {
    TraceBuilder trace = list(1).array("hits", 8);
    hits(trace.begin(14), 0, 0).commits();
    hits(trace.begin(15), 0, 1).commits();
    trace.begin(16).takes("slots", 3).opens("lists", 0).reads("head", 0, 0);
    hits(trace, 3, 0).stores("next", 3, 0).stores("head", 0, 3).commits();
    trace.begin(17).opens("lists", 0).reads("head", 0, 3).reads("next", 3, 0);
    hits(trace, 0, 2).stores("head", 0, 0).frees("slots", 3).commits();
    hits(trace.begin(18).reads("head", 1, 3), 3, 1).commits();
    right(trace);
  }

  /** Puts a slot in front of a list that begins at element 8, or what is written there instead. */
  private static TraceBuilder puts(
      TraceBuilder to, long item, long slot, long first, long written) {
    return to.begin(item)
        .takes("slots", slot)
        .opens("lists", 0)
        .reads("links", 8, first)
        .locks()
        .stores("links", slot, first)
        .stores("links", 8, written)
        .commits();
  }

  /** A small word has a high half of 0, which is no number of slot 0. */
  @Test
  void slotZeroIsNotReferredToByEverySmallWord() {
    for (long none : new long[] {8, NONE, 0xffff, 0xfffffffeL, 0xffffffffL}) {
      TraceBuilder trace = list(0).array("links", 9);
      puts(trace, 14, 1, none, 1);
      puts(trace, 15, 2, 1, 2);
      puts(trace, 16, 0, 2, 2);
      wrong(Violation.Kind.LEAK, "item 16, attempt 1, takes slots[0]", trace);
      puts(trace, 17, 3, 2, 3);
      wrong(Violation.Kind.LEAK, "item 16, attempt 1, takes slots[0]", trace);
    }
  }

  /** One logs a word that has the number of its slot, which it forgets, in its low half. */
  @Test
  void aHalfThatHasANumberByChanceIsNoReference() {
    TraceBuilder trace = list(0).array("log", 20);
    for (int slot = 0; slot < 4; slot++) {
      trace.begin(14 + slot).takes("slots", slot).opens("lists", 0);
      trace.reads("head", 0, slot == 0 ? NONE : slot - 1).locks();
      trace.stores("next", slot, slot == 0 ? NONE : slot - 1);
      trace.stores("log", 14 + slot, 0x50000 | (slot == 3 ? 3 : 7));
      (slot == 3 ? trace : trace.stores("head", 0, slot)).commits();
    }
    wrong(Violation.Kind.LEAK, "item 17, attempt 1, takes slots[3]", trace);
  }

  private static TraceBuilder hangs(
      TraceBuilder to, long item, long slot, long under, long before, long after) {
    to.begin(item).takes("slots", slot).opens("nodes", under).reads("root", 0, 3);
    to.reads("children", under, before).locks().stores("keys", slot, 50 + item);
    return to.stores("children", slot, 0xffffffffL).stores("children", under, after).commits();
  }

  /** A tree with a root in slot 3, whose nodes have their children in two halves of a word. */
  private static TraceBuilder root() {
    TraceBuilder tree =
        new TraceBuilder()
            .objects("nodes", 8)
            .array("root", 1)
            .array("children", 8)
            .array("keys", 8)
            .pool("slots", 8, 0);
    tree.begin(14).takes("slots", 3).opens("nodes", 3).locks().stores("keys", 3, 64);
    return tree.stores("children", 3, 0xffffffffL).stores("root", 0, 3).commits();
  }

  @Test
  void slotZeroMayBeTheOnlyOneInHighHalves() {
    TraceBuilder last = root();
    hangs(last, 15, 1, 3, 0xffffffffL, 0xffff0001L);
    right(hangs(last, 16, 0, 3, 0xffff0001L, 1));
    TraceBuilder first = root();
    hangs(first, 15, 0, 3, 0xffffffffL, 0xffff);
    right(first);
    right(hangs(first, 16, 1, 3, 0xffff, 1));
  }

  /** Most are to the right; the one to the left is in a small word, beside slot 0. */
  @Test
  void aSmallWordHasTheNumbersOfBothHalves() {
    TraceBuilder tree = root();
    hangs(tree, 15, 0, 3, 0xffffffffL, 0xffff);
    hangs(tree, 16, 1, 3, 0xffff, 1);
    hangs(tree, 17, 2, 0, 0xffffffffL, 0x2ffff);
    hangs(tree, 18, 4, 1, 0xffffffffL, 0x4ffff);
    right(tree);
    hangs(tree, 19, 5, 1, 0x4ffff, 0x40005);
    right(tree);
  }

  /** Few are to the right. */
  @Test
  void slotsAreReferredToFromBothHalvesOfWords() {
    TraceBuilder tree = root();
    hangs(tree, 15, 1, 3, 0xffffffffL, 0xffff0001L);
    hangs(tree, 16, 2, 3, 0xffff0001L, 0x00020001L);
    hangs(tree, 17, 4, 1, 0xffffffffL, 0xffff0004L);
    right(tree);
    wrong(
        Violation.Kind.LEAK,
        "item 16, attempt 1, takes slots[2]",
        tree.begin(18)
            .opens("nodes", 3)
            .reads("children", 3, 0x00020001L)
            .locks()
            .stores("children", 3, 0xffff0001L)
            .commits());
  }

  /**
   * Three words for each slot, side by side: those of slot 1 are the fourth to the sixth. The
   * fourth refers to slot 2 and is not that of slot 3, which is free.
   */
  @Test
  void slotsThatHaveRowsAreReferredToFromRows() {
    TraceBuilder rows =
        new TraceBuilder()
            .objects("nodes", 8)
            .array("next", 24)
            .array("keys", 8)
            .pool("slots", 8, 1)
            .begin(4)
            .takes("slots", 1)
            .opens("nodes", 0)
            .opens("nodes", 1)
            .locks()
            .stores("keys", 1, 71)
            .stores("next", 3, 0)
            .stores("next", 0, 1)
            .commits()
            .begin(5)
            .takes("slots", 2)
            .opens("nodes", 1)
            .opens("nodes", 2)
            .locks()
            .stores("keys", 2, 72)
            .stores("next", 6, 0)
            .stores("next", 3, 2)
            .commits();
    right(rows);
    wrong(
        Violation.Kind.LEAK,
        "item 5, attempt 1, takes slots[2]",
        rows.begin(6).opens("nodes", 1).locks().stores("next", 3, 0).commits());
  }

  /**
   * The third to the fifth word could be those of slots 2 to 4, one each; but they are under nodes
   * 0 and 1, so that the fourth refers to slot 3.
   */
  @Test
  void objectsTellWhoseElementsAre() {
    right(
        new TraceBuilder()
            .objects("nodes", 8)
            .array("next", 24)
            .pool("slots", 8, 2)
            .begin(4)
            .takes("slots", 2)
            .opens("nodes", 0)
            .opens("nodes", 2)
            .locks()
            .stores("next", 6, 0, "nodes", 2)
            .stores("next", 0, 2, "nodes", 0)
            .stores("next", 2, 2, "nodes", 0)
            .commits()
            .begin(5)
            .takes("slots", 3)
            .opens("nodes", 1)
            .opens("nodes", 3)
            .locks()
            .stores("next", 9, 0, "nodes", 3)
            .stores("next", 3, 3, "nodes", 1)
            .commits()
            .begin(6)
            .takes("slots", 4)
            .opens("nodes", 1)
            .opens("nodes", 2)
            .opens("nodes", 4)
            .locks()
            .stores("next", 12, 0, "nodes", 4)
            .stores("next", 4, 4, "nodes", 1)
            .stores("next", 6, 4, "nodes", 2)
            .commits());
  }

  /** The third word is of the row of slot 0, and no word of slot 2, whose number led there. */
  @Test
  void aRowIsUsedAfterAnotherSlotWasFreed() {
    right(
        new TraceBuilder()
            .objects("nodes", 8)
            .array("next", 24)
            .pool("slots", 8, 2)
            .begin(4)
            .takes("slots", 2)
            .opens("nodes", 0)
            .opens("nodes", 2)
            .locks()
            .stores("next", 6, 0, "nodes", 2)
            .stores("next", 0, 2, "nodes", 0)
            .commits()
            .begin(5)
            .takes("slots", 3)
            .opens("nodes", 1)
            .opens("nodes", 3)
            .locks()
            .stores("next", 9, 0, "nodes", 3)
            .stores("next", 3, 3, "nodes", 1)
            .commits()
            .begin(6)
            .opens("nodes", 0)
            .opens("nodes", 2)
            .reads("next", 0, 2)
            .locks()
            .stores("next", 0, 1, "nodes", 0)
            .stores("next", 6, NONE, "nodes", 2)
            .frees("slots", 2)
            .commits()
            .begin(7)
            .glances("next", 0, 2)
            .takes("slots", 4)
            .opens("nodes", 0)
            .opens("nodes", 4)
            .locks()
            .stores("next", 12, 0, "nodes", 4)
            .stores("next", 2, 4, "nodes", 0)
            .commits());
  }

  /** With one take there is no telling a layout but by the object: the eighth word is of slot 2. */
  @Test
  void anObjectTellsWhoseAnElementIs() {
    right(
        new TraceBuilder()
            .objects("nodes", 6)
            .array("next", 18)
            .pool("slots", 6, 4)
            .begin(7)
            .opens("nodes", 0)
            .opens("nodes", 1)
            .reads("next", 0, 1)
            .locks()
            .stores("next", 0, 0, "nodes", 0)
            .stores("next", 3, NONE, "nodes", 1)
            .frees("slots", 1)
            .commits()
            .begin(8)
            .glances("next", 0, 1)
            .takes("slots", 4)
            .opens("nodes", 0)
            .opens("nodes", 2)
            .opens("nodes", 4)
            .locks()
            .stores("next", 12, 0, "nodes", 4)
            .stores("next", 7, 4, "nodes", 2)
            .commits());
  }

  @Test
  void whatAFailedAttemptTookIsAtHandAgain() {
    TraceBuilder trace = list(0).begin(4).takes("slots", 0).retries();
    pushes(trace, 4, 0, NONE);
    right(trace);
  }

  @Test
  void aSlotIsFreedTwice() {
    TraceBuilder once = list(3);
    pops(once, 4, 2, 1);
    TraceBuilder again = once.next();
    pops(again, 5, 2, 1);
    wrong(Violation.Kind.DOUBLE_FREE, "item 5, attempt 1, in apply, frees slots[2]", once, again);
    wrong(
        Violation.Kind.DOUBLE_FREE,
        "item 4, attempt 1, in apply, frees slots[5]",
        list(3).begin(4).locks().frees("slots", 5).commits());
  }

  @Test
  void twoItemsOfOneNumberThatFreeASlotAreToldApart() {
    TraceBuilder trace = list(3);
    pops(trace, 4, 2, 1);
    pops(trace, 4, 2, 1);
    Violation found = check(Map.of(), trace).get(0);
    assertEquals(Violation.Kind.DOUBLE_FREE, found.kind());
    String which = "handed out twice; two items of the launch have the number 4";
    assertTrue(found.text().contains(which), found::text);
  }

  @Test
  void dataOfAFreedSlotAreUsed() {
    // The head is still the slot that was freed.
    TraceBuilder reading =
        list(3)
            .begin(4)
            .opens("lists", 0)
            .reads("head", 0, 2)
            .locks()
            .frees("slots", 2)
            .commits()
            .begin(5)
            .opens("lists", 0)
            .reads("head", 0, 2)
            .reads("keys", 2, 7)
            .locks()
            .commits();
    wrong(Violation.Kind.USE_AFTER_FREE, "item 5, attempt 1, reads, by tx.read, keys[2]", reading);
    String followed = check(Map.of(), reading).get(0).text();
    assertTrue(
        followed.contains(
            "keys counts as indexed by slots, as an item comes to it by a number that it read"),
        followed);
    TraceBuilder writing = list(4);
    pops(writing, 4, 3, 2);
    writing.begin(5).glances("head", 0, 3).locks().stores("keys", 3, 1).commits();
    wrong(Violation.Kind.USE_AFTER_FREE, "in apply, writes, by tx.store, keys[3]", writing);
  }

  @Test
  void anItemDeletesItsOwnElementAndAnotherFollowsAReference() {
    wrong(
        Violation.Kind.USE_AFTER_FREE,
        "item 0, attempt 1, reads, by tx.read, keys[1]",
        list(8)
            .begin(1)
            .opens("nodes", 1)
            .reads("keys", 1, 6)
            .locks()
            .frees("slots", 1)
            .commits()
            .begin(0)
            .reads("next", 0, 1)
            .opens("nodes", 1)
            .reads("keys", 1, 6)
            .locks()
            .commits());
  }

  @Test
  void whoLooksAgainAndFindsTheEndIsRight() {
    TraceBuilder byMark =
        list(4)
            .begin(4)
            .reads("head", 0, 3)
            .locks()
            .stores("head", 0, 2)
            .stores("keys", 3, 0)
            .frees("slots", 3)
            .commits()
            .begin(5)
            .glances("head", 0, 3)
            .opens("nodes", 3)
            .reads("next", 3, 2)
            .reads("keys", 3, 0) // the mark
            .cancels();
    right(byMark);
    TraceBuilder byReference = list(4);
    pops(byReference, 4, 3, 2);
    byReference.begin(5).glances("head", 0, 3).reads("next", 3, 2).reads("head", 0, 2).cancels();
    assertEquals(List.of(), check(Map.of("head", new int[] {3, NONE}), byReference));
    TraceBuilder neither = list(4);
    pops(neither, 4, 3, 2);
    neither.begin(5).glances("head", 0, 3).reads("next", 3, 2).cancels();
    wrong(Violation.Kind.USE_AFTER_FREE, "reads, by tx.read, next[3]", neither);
    String used = check(Map.of(), neither).get(0).text();
    assertTrue(
        used.contains(
            "next counts as indexed by slots, as the commits that take or free one use it at its"
                + " number"),
        used);
  }

  @Test
  void theEndMayShowBeforeTheHookFrees() {
    right(
        list(4)
            .begin(4)
            .reads("head", 0, 3)
            .locks()
            .stores("keys", 3, 0)
            .stores("head", 0, 2)
            .begin(5)
            .glances("head", 0, 3)
            .reads("keys", 3, 0)
            .on(4)
            .phase(AccessTrace.PHASE_COMMITTED)
            .frees("slots", 3)
            .commits()
            .on(5)
            .reads("next", 3, 2)
            .cancels());
  }

  /** The hook says so after others have seen what its commit wrote. */
  @Test
  void whatAHookFreesIsFreeFromTheCommitOn() {
    wrong(
        Violation.Kind.USE_AFTER_FREE,
        "reads, by tx.read, next[3]",
        list(4)
            .begin(4)
            .reads("head", 0, 3)
            .locks()
            .stores("head", 0, 2)
            .begin(5)
            .glances("head", 0, 3)
            .reads("next", 3, 2)
            .cancels()
            .on(4)
            .phase(AccessTrace.PHASE_COMMITTED)
            .frees("slots", 3)
            .commits());
  }

  @Test
  void hintsAndAttemptsThatFailMayReadWhatWasFreed() {
    TraceBuilder trace = list(4);
    pops(trace, 4, 3, 2);
    trace.begin(5).glances("head", 0, 3).glances("keys", 3, 9).reads("next", 3, 2).retries();
    trace.begin(5).glances("head", 0, 2).locks().commits();
    right(trace);
  }

  @Test
  void aSlotIsFreedByAStranger() {
    TraceBuilder glanced = list(0);
    pushes(glanced, 4, 1, NONE);
    glanced.begin(5).glances("head", 0, 1).opens("lists", 0).locks().frees("slots", 1).commits();
    wrong(Violation.Kind.FOREIGN_FREE, "item 5, attempt 1, in apply, frees slots[1]", glanced);
    TraceBuilder computed =
        list(8)
            .begin(3)
            .opens("nodes", 3)
            .locks()
            .stores("keys", 3, 1)
            .commits()
            .begin(5)
            .opens("nodes", 5)
            .locks()
            .frees("slots", 3)
            .commits();
    wrong(Violation.Kind.FOREIGN_FREE, "item 5, attempt 1, in apply, frees slots[3]", computed);
  }

  @Test
  void whoKnowsASlotMayFreeIt() {
    TraceBuilder plainInApply = list(0);
    pushes(plainInApply, 4, 1, NONE);
    plainInApply
        .begin(5)
        .opens("lists", 0)
        .locks()
        .does(Kind.PLAIN_READ, "head", 0, 1)
        .stores("head", 0, NONE)
        .frees("slots", 1)
        .commits();
    right(plainInApply);
    // Numbers in a form of which nothing is known: the one who frees has read what the taker wrote.
    TraceBuilder strange =
        list(0)
            .begin(4)
            .takes("slots", 5)
            .locks()
            .stores("head", 0, 1185)
            .stores("keys", 5, 8)
            .commits()
            .begin(6)
            .reads("head", 0, 1185)
            .locks()
            .stores("head", 0, NONE)
            .frees("slots", 5)
            .commits();
    right(strange);
  }

  /** An item with a record and its body, which replaces those of a holder, and frees a record. */
  private static void replaces(
      TraceBuilder to, long item, int holder, int record, int body, int with, int withBody) {
    to.begin(item).reads("held", holder, record).reads("body", record, body).reads("text", body, 9);
    to.takes("slots", with).takes("slots", withBody).locks().stores("text", withBody, 20 + item);
    to.stores("body", with, withBody).stores("held", holder, with).frees("slots", record).commits();
  }

  /** Nothing shows that bodies are indexed by slots but that one who took a slot named it there. */
  @Test
  void whoeverFreesWhatAloneRefersToASlotIsTold() {
    TraceBuilder trace =
        new TraceBuilder()
            .array("held", 2)
            .array("body", 12)
            .array("text", 12)
            .pool("slots", 12, 4);
    replaces(trace, 2, 0, 0, 1, 5, 4);
    replaces(trace, 1, 1, 2, 3, 9, 8);
    replaces(trace, 0, 0, 5, 4, 7, 6);
    wrong(Violation.Kind.LEAK, "item 2, attempt 1, takes slots[4]", trace);
    String text = check(Map.of(), trace).get(0).text();
    assertTrue(text.contains("only body[5] refers to it, of slots[5], but that was freed"), text);
    assertTrue(text.contains("item 0, attempt 1, in apply, frees slots[5]"), text);
    assertTrue(text.contains("or free that as well"), text);
  }

  @Test
  void aSlotIsTakenAndForgotten() {
    TraceBuilder forgotten = list(0);
    pushes(forgotten, 4, 0, NONE);
    forgotten.begin(5).takes("slots", 1).reads("head", 0, 0).locks().commits();
    wrong(Violation.Kind.LEAK, "item 5, attempt 1, takes slots[1]", forgotten);
    TraceBuilder replaced = list(0);
    for (int slot : new int[] {3, 1, 2}) {
      replaced.begin(4 + slot).takes("slots", slot).locks().stores("head", 0, slot).commits();
    }
    wrong(Violation.Kind.LEAK, "item 7, attempt 1, takes slots[3]", replaced);
  }

  /** Its taker changes the key of slot 3 to what is equal to its number; takes store none there. */
  @Test
  void aKeyIsNoReferenceToAForgottenSlot() {
    TraceBuilder trace = list(0);
    for (int slot = 1; slot < 4; slot++) {
      pushes(trace, 10 + slot, slot, slot == 1 ? NONE : slot - 1);
    }
    trace.begin(20).takes("slots", 6).opens("lists", 0).reads("head", 0, 3).locks();
    trace.stores("next", 6, NONE).stores("keys", 6, 70).stores("keys", 3, 6).commits();
    pops(trace, 21, 3, 2);
    String text = check(Map.of(), trace).get(0).text();
    assertTrue(text.contains("when the run is over nothing refers to it"), text);
  }

  @Test
  void aSlotThatWasInUseIsForgotten() {
    TraceBuilder popped = list(4);
    pushes(popped, 9, 4, 3);
    popped.begin(5).reads("head", 0, 4).locks().stores("head", 0, 3).frees("slots", 4).commits();
    popped.begin(6).reads("head", 0, 3).reads("next", 3, 2).locks().stores("head", 0, 2).commits();
    Map<String, Object> before =
        Map.of(
            "head", new int[] {3, NONE},
            "next", new int[] {NONE, 0, 1, 2, NONE, NONE, NONE, NONE});
    wrong(
        before,
        Violation.Kind.LEAK,
        "item 6, attempt 1, in apply, writes, by tx.store, head[0]",
        popped);
    before =
        Map.of(
            "head", new int[] {3, 3}, // there is another reference
            "next", new int[] {NONE, 0, 1, 2, NONE, NONE, NONE, NONE});
    assertEquals(List.of(), check(before, popped));
  }

  /** Slot 3 is popped and forgotten; its number is also read where it stands for something else. */
  private static TraceBuilder forgetful() {
    TraceBuilder trace = list(4).array("rows", 4);
    pushes(trace, 9, 4, 3);
    trace.begin(5).reads("rows", 1, 3).reads("head", 0, 4).reads("next", 4, 3);
    trace.locks().stores("head", 0, 3).frees("slots", 4).commits();
    trace.begin(6).reads("rows", 2, 3).reads("head", 0, 3).reads("next", 3, 2);
    return trace.locks().stores("head", 0, 2).commits();
  }

  @Test
  void aNumberElsewhereIsNoReferenceIfNobodyGoesOnFromThere() {
    wrong(
        Map.of(
            "head", new int[] {3, NONE},
            "next", new int[] {NONE, 0, 1, 2, NONE, NONE, NONE, NONE},
            "rows", new int[] {0, 3, 3, 1}),
        Violation.Kind.LEAK,
        "item 6, attempt 1, in apply, writes, by tx.store, head[0]",
        forgetful());
  }

  @Test
  void ofWhatNobodyReadsItIsSaidThatItMayReferToASlot() {
    AccessTrace trace = forgetful().array("never", 4).build();
    Map<String, Object> before =
        Map.of(
            "head", new int[] {3, NONE},
            "next", new int[] {NONE, 0, 1, 2, NONE, NONE, NONE, NONE},
            "never", new int[] {0, 3, 3, 1});
    SlotLife life = new SlotLife(new MemoryBefore(before), Map.of(), place -> Optional.empty());
    life.add(trace, new Attempts(trace));
    assertEquals(List.of(), life.check());
    assertEquals(Map.of("slots[3]", Set.of("never")), life.unjudged());
  }

  /** A list whose first nodes go to a table, to be found there under their keys. */
  private static TraceBuilder tabled(int key) {
    TraceBuilder trace = list(4).array("table", 8);
    pushes(trace, 9, 4, 3);
    trace.begin(5).reads("head", 0, 4).reads("next", 4, 3);
    trace.locks().stores("head", 0, 3).frees("slots", 4).commits();
    trace.begin(6).reads("head", 0, 3).reads("next", 3, 2).reads("keys", 3, key);
    trace.locks().stores("head", 0, 2).stores("table", 0, key).stores("table", 1, 3);
    return trace.commits();
  }

  private static Map<String, Object> beforeTabled(int second) {
    return Map.of(
        "head", new int[] {3, second},
        "next", new int[] {NONE, 0, 1, 2, NONE, NONE, NONE, NONE},
        "table", new int[] {NONE, NONE, 97, NONE, 98, NONE, NONE, NONE});
  }

  @Test
  void aSlotMovesWhereOtherValuesAre() {
    for (int key : new int[] {53, 3}) {
      assertEquals(List.of(), check(beforeTabled(NONE), tabled(key)));
    }
  }

  @Test
  void anArrayWithOtherValuesMayReferToASlotThatWasMovedThere() {
    TraceBuilder moved = tabled(53);
    moved.begin(7).reads("head", 1, 3).reads("next", 3, 2).locks().stores("head", 1, NONE);
    AccessTrace trace = moved.commits().build();
    SlotLife life =
        new SlotLife(new MemoryBefore(beforeTabled(3)), Map.of(), place -> Optional.empty());
    life.add(trace, new Attempts(trace));
    assertEquals(List.of(), life.check());
    assertEquals(Map.of("slots[3]", Set.of("table")), life.unjudged());
  }

  @Test
  void narrowNumbersMayReferToSlots() {
    AccessTrace trace = forgetful().array("never", 8, Short.BYTES).build();
    Map<String, Object> before =
        Map.of(
            "head", new int[] {3, NONE},
            "next", new int[] {NONE, 0, 1, 2, NONE, NONE, NONE, NONE},
            "never", new short[] {3, 1, 2, 3, 1, 2, 2, 1});
    SlotLife life = new SlotLife(new MemoryBefore(before), Map.of(), place -> Optional.empty());
    life.add(trace, new Attempts(trace));
    assertEquals(List.of(), life.check());
    assertEquals(Map.of("slots[3]", Set.of("never")), life.unjudged());
  }

  @Test
  void aCommitFreesWhatItStillRefersTo() {
    TraceBuilder trace = list(4);
    trace
        .begin(5)
        .reads("head", 0, 3)
        .reads("keys", 3, 7)
        .reads("next", 3, 2)
        .reads("keys", 2, 7)
        .locks();
    trace.stores("head", 0, 2).frees("slots", 2).commits();
    assertEquals(Violation.Kind.DANGLING_REFERENCE, check(Map.of(), trace).get(0).kind());
  }

  @Test
  void aCommitFreesWhatItReadAndLeavesThat() {
    TraceBuilder trace = list(4);
    pops(trace, 5, 3, 2);
    trace.begin(6).reads("head", 0, 2).reads("next", 2, NONE).locks().frees("slots", 2).commits();
    wrong(Violation.Kind.DANGLING_REFERENCE, "item 6, attempt 1, in apply, frees slots[2]", trace);
  }

  /** What is behind the count is as it was, and no longer there. */
  @Test
  void aCountMayTellThatAReferenceIsNone() {
    TraceBuilder trace = list(8).array("stack", 6).array("count", 1);
    for (int left = 3; left > 0; left--) {
      trace.begin(20 + left).reads("count", 0, left).reads("stack", left - 1, 2 * left);
      trace.reads("keys", 2 * left, 50).locks().stores("count", 0, left - 1);
      trace.frees("slots", 2 * left).commits();
    }
    right(trace);
  }

  /** The last one takes the place of the one that is freed, which may be the last itself. */
  @Test
  void theLastOfADenseListIsWrittenOverItself() {
    TraceBuilder trace = list(8).array("dense", 6).array("count", 1);
    trace.begin(23).reads("count", 0, 3).reads("dense", 0, 2).reads("keys", 2, 50);
    trace.reads("dense", 2, 6).locks().stores("dense", 0, 6).stores("count", 0, 2);
    trace.frees("slots", 2).commits();
    trace.begin(22).reads("count", 0, 2).reads("dense", 1, 4).reads("keys", 4, 50);
    trace.reads("dense", 1, 4).locks().stores("dense", 1, 4).stores("count", 0, 1);
    trace.frees("slots", 4).commits();
    Map<String, Object> before = Map.of("dense", new int[] {2, 4, 6, 0, 0, 0});
    assertEquals(List.of(), check(before, trace));
  }

  /** Takes a slot out of a dense list, and leaves its number behind the count. */
  private static void exchanges(TraceBuilder trace, long item, int[] dense, int at, int count) {
    int slot = dense[at];
    int last = dense[count - 1];
    trace.begin(item).reads("count", 0, count).reads("dense", at, slot).reads("keys", slot, 50);
    trace.reads("dense", count - 1, last).locks().stores("dense", at, last);
    trace.stores("dense", count - 1, slot).stores("count", 0, count - 1);
    trace.frees("slots", slot).commits();
    dense[at] = last;
    dense[count - 1] = slot;
  }

  private static TraceBuilder dense(int length) {
    return list(8).array("dense", length).array("count", 1);
  }

  @Test
  void whatIsBehindACountMayNameAFreedSlot() {
    int[] dense = {2, 5, 6, 1, 0, 0};
    Map<String, Object> before = Map.of("dense", dense.clone(), "count", new int[] {4});
    TraceBuilder trace = dense(6);
    exchanges(trace, 23, dense, 1, 4);
    exchanges(trace, 22, dense, 2, 3);
    exchanges(trace, 21, dense, 0, 2);
    assertEquals(List.of(), check(before, trace));
  }

  @Test
  void aCountThatStaysOrIsOfOthersEndsNoList() {
    for (int[] counts : new int[][] {{4, 4}, {8, 7}, {20, 1}}) {
      TraceBuilder trace = dense(6);
      trace.begin(23).reads("count", 0, counts[0]).reads("dense", 1, 5).reads("keys", 5, 50);
      trace.reads("dense", 3, 1).locks().stores("dense", 0, 1).stores("dense", 3, 5);
      trace.stores("keys", 7, 1).stores("count", 0, counts[1]).frees("slots", 5).commits();
      Map<String, Object> before =
          Map.of(
              "dense", new int[] {2, 5, 6, 1, 0, 0},
              "count", new int[] {counts[0]},
              "keys", keys());
      wrong(
          before, Violation.Kind.DANGLING_REFERENCE, "item 23, attempt 1, in apply, frees", trace);
    }
  }

  /** Dense lists of any order, from which slots are taken and to which others are added. */
  @Test
  void denseListsAreRight() {
    List<String> wrong = new ArrayList<>();
    for (int seed = 0; seed < 1000; seed++) {
      Random random = new Random(seed);
      int length = 4 + random.nextInt(6);
      int live = 2 + random.nextInt(Math.min(length, 8) - 1);
      List<Integer> slots = new ArrayList<>(IntStream.range(0, live).boxed().toList());
      if (random.nextBoolean()) {
        Collections.shuffle(slots, random);
      }
      int[] dense = Arrays.copyOf(slots.stream().mapToInt(i -> i).toArray(), length);
      Map<String, Object> before =
          Map.of("dense", dense.clone(), "count", new int[] {live}, "keys", keys());
      Set<Integer> free = new TreeSet<>(IntStream.range(live, 8).boxed().toList());
      int count = live;
      List<TraceBuilder> launches = new ArrayList<>();
      TraceBuilder launch = list(live).array("dense", length).array("count", 1);
      for (int round = random.nextInt(3); round >= 0; round--) {
        Set<Integer> freed = new TreeSet<>();
        for (int item = random.nextInt(4); item >= 0; item--) {
          long id = random.nextBoolean() ? item : 20 + item;
          if (count > 0 && random.nextInt(3) > 0) {
            int at = random.nextInt(count);
            freed.add(dense[at]);
            exchanges(launch, id, dense, at, count--);
          } else if (count < length && !free.isEmpty()) {
            int slot = free.iterator().next();
            free.remove(slot);
            launch.begin(id).takes("slots", slot).reads("count", 0, count).locks();
            launch.stores("keys", slot, 50).stores("dense", count, slot);
            launch.stores("count", 0, count + 1).commits();
            dense[count++] = slot;
          }
        }
        free.addAll(freed);
        launches.add(launch);
        launch = launch.next();
      }
      List<Violation> found = check(before, launches.toArray(TraceBuilder[]::new));
      if (!found.isEmpty()) {
        wrong.add("seed " + seed + ": " + found);
      }
    }
    assertEquals(List.of(), wrong);
  }

  private static int[] keys() {
    int[] keys = new int[8];
    Arrays.fill(keys, 50);
    return keys;
  }

  /** What is declared holds, whatever a run seems to tell. */
  @Test
  void whatAnArrayHoldsMayBeDeclared() {
    TraceBuilder left = list(4);
    pops(left, 5, 3, 2);
    left.begin(6).reads("head", 0, 2).reads("next", 2, NONE).locks().frees("slots", 2).commits();
    assertEquals(1, check(Map.of(), left).size());
    assertEquals(List.of(), check(Map.of(), Map.of("head", DeclaredSlots.NONE), left));
    assertEquals(List.of(), check(Map.of(), Map.of("head", DeclaredSlots.of("others")), left));

    Map<String, Object> before =
        Map.of(
            "head", new int[] {3, NONE},
            "next", new int[] {NONE, 0, 1, 2, NONE, NONE, NONE, NONE},
            "rows", new int[] {0, 3, 3, 1});
    assertEquals(1, check(before, forgetful()).size());
    DeclaredSlots slots = DeclaredSlots.of("slots");
    assertEquals(List.of(), check(before, Map.of("rows", slots), forgetful()));
  }

  /**
   * Lists of slots' numbers plus one, with 0 for none: what is left at the head is the number of
   * the slot below the one that is freed, plus one, and so equal to that one's number.
   */
  @Test
  void whatIsAddedToNumbersMayBeDeclared() {
    TraceBuilder popped = list(4);
    popped.begin(5).opens("lists", 0).reads("head", 0, 4).reads("next", 3, 3).reads("keys", 3, 7);
    popped.locks().stores("head", 0, 3).frees("slots", 3).commits();
    popped.begin(6).opens("lists", 0).reads("head", 0, 3).reads("next", 2, 2).cancels();
    Map<String, DeclaredSlots> plusOne =
        Map.of("head", DeclaredSlots.of("slots", 1), "next", DeclaredSlots.of("slots", 1));
    assertEquals(List.of(), check(Map.of(), plusOne, popped));
    List<Violation> plain = check(Map.of(), Map.of("head", DeclaredSlots.of("slots", 0)), popped);
    assertEquals(
        List.of(Violation.Kind.DANGLING_REFERENCE), plain.stream().map(Violation::kind).toList());
  }

  /** The same of a run that shows it: each pop and each push has the number plus one. */
  @Test
  void whatIsAddedToNumbersIsLearnt() {
    TraceBuilder trace = list(4);
    trace.begin(5).opens("lists", 0).reads("head", 0, 4).reads("next", 3, 3).locks();
    trace.stores("head", 0, 3).frees("slots", 3).commits();
    trace.begin(6).opens("lists", 1).takes("slots", 4).reads("head", 1, 1).locks();
    trace.stores("next", 4, 1).stores("head", 1, 5).commits();
    trace.begin(7).opens("lists", 1).reads("head", 1, 5).reads("next", 4, 1).cancels();
    right(trace);
  }

  /** A slot's number above a count of changes, in a word of 8 bytes. */
  private static long top(long slot, long count) {
    return slot << 32 | count;
  }

  private static TraceBuilder putsOnTop(
      TraceBuilder to, long item, long slot, long first, long count) {
    to.begin(item).takes("slots", slot).opens("lists", 0).reads("tops", 0, top(first, count));
    to.locks().stores("next", slot, first).stores("keys", slot, 50);
    return to.stores("tops", 0, top(slot, count + 1)).commits();
  }

  /** Takes slot 3 from the top, and leaves a word there. */
  private static TraceBuilder takesFromTop(long left) {
    TraceBuilder trace = list(0).array("tops", 1, Long.BYTES);
    putsOnTop(trace, 14, 1, NONE, 0);
    putsOnTop(trace, 15, 3, 1, 1);
    trace.begin(16).opens("lists", 0).reads("tops", 0, top(3, 2)).reads("next", 3, 1);
    return trace.locks().stores("tops", 0, left).frees("slots", 3).commits();
  }

  /** The count is then equal to the number of the slot that was freed. */
  @Test
  void aCountBelowANumberIsNoReference() {
    right(takesFromTop(top(1, 3)));
    Violation found = check(Map.of(), takesFromTop(top(3, 4))).get(0);
    assertEquals(Violation.Kind.DANGLING_REFERENCE, found.kind(), found::text);
    assertTrue(found.text().startsWith("tops[0]: it still names slots[3]"), found::text);
    right(takesFromTop(top(3, 4)).begin(17).locks().stores("tops", 0, top(1, 3)).commits());
  }

  /** What has no high half, or is half of another word, has no number of slot 0 there. */
  @Test
  void aWordOfFourBytesHasNoHighHalf() {
    for (int bytes : new int[] {Integer.BYTES, Long.BYTES}) {
      TraceBuilder trace = list(0).array("tops", 1, Long.BYTES).array("notes", 1, bytes);
      putsOnTop(trace, 14, 1, NONE, 0);
      putsOnTop(trace, 15, 3, 1, 1);
      putsOnTop(trace, 16, 2, 3, 2);
      trace.begin(17).takes("slots", 0).opens("lists", 1).locks();
      trace.stores("notes", 0, bytes == Long.BYTES ? top(50, 60) : 60).commits();
      wrong(Violation.Kind.LEAK, "item 17, attempt 1, takes slots[0]", trace);
    }
  }

  /**
   * Numbers below a count, which is 0 in the word of the first: as that, its number goes to next.
   */
  @Test
  void aNumberMovesFromAWiderWord() {
    TraceBuilder trace = list(0).array("tops", 1, Long.BYTES);
    long[] tops = {-1, 2, top(1, 3), top(2, 4)};
    for (int i = 0; i < 3; i++) {
      trace.begin(14 + i).takes("slots", 2 + i).opens("lists", 0).reads("tops", 0, tops[i]).locks();
      trace.stores("next", 2 + i, tops[i] & 0xffffffffL).stores("keys", 2 + i, 50);
      trace.stores("tops", 0, tops[i + 1]).commits();
    }
    right(trace);
  }

  /** Puts a triangle in the place of another, and refers to it by one of its three half-edges. */
  private static TraceBuilder replaces(
      TraceBuilder to, long item, int place, long half, long made, int corner) {
    to.begin(item).takes("slots", made).opens("lists", place).reads("start", place, half);
    to.reads("keys", half / 3, 50).locks().stores("keys", made, 50);
    to.stores("twin", 3 * made + corner, NONE).stores("start", place, 3 * made + corner);
    return to.frees("slots", half / 3).commits();
  }

  /** The 8 at place 0 is of slot 2, and no reference to slot 4 as 8 would be elsewhere. */
  @Test
  void numbersOfASlotsElementsReferToIt() {
    TraceBuilder trace = list(2).array("twin", 24).array("start", 2);
    replaces(trace, 14, 0, 1, 4, 0);
    replaces(trace, 15, 1, 4, 3, 1);
    replaces(trace, 16, 0, 12, 2, 2);
    right(trace);
    trace.begin(17).opens("lists", 1).reads("start", 1, 10).reads("keys", 3, 50);
    trace.locks().frees("slots", 3).commits();
    wrong(Violation.Kind.DANGLING_REFERENCE, "item 17, attempt 1, in apply, frees slots[3]", trace);
  }

  /** Takes store seven times the number; one goes by a plain number to what it frees. */
  @Test
  void whereNoFormExplainsNumbersReferencesAreNotJudged() {
    TraceBuilder coded = list(2);
    for (int slot = 4; slot < 7; slot++) {
      coded.begin(10 + slot).takes("slots", slot).opens("lists", 0).locks();
      coded.stores("next", slot, NONE).stores("keys", slot, 50).stores("head", 0, 7 * slot);
      coded.commits();
    }
    coded.begin(18).opens("lists", 1).reads("head", 1, 1).reads("next", 1, NONE).locks();
    AccessTrace trace = coded.frees("slots", 1).commits().build();
    SlotLife life = new SlotLife(new MemoryBefore(Map.of()), Map.of(), place -> Optional.empty());
    life.add(trace, new Attempts(trace));
    assertEquals(List.of(), life.check());
    assertEquals(Map.of("slots[1]", Set.of("head")), life.unjudgedReferences());
    Map<String, DeclaredSlots> plain = Map.of("head", DeclaredSlots.of("slots", 0));
    assertEquals(
        List.of(Violation.Kind.DANGLING_REFERENCE),
        check(Map.of(), plain, coded).stream().map(Violation::kind).toList());
  }

  /** Ten times the slot and a color: three of the words also have it above three bits. */
  @Test
  void slotsAreNotLostByAFormThatMayBeChance() {
    TraceBuilder tens = list(0);
    long first = NONE;
    for (long word : new long[] {3, 11, 20, 32}) {
      long slot = word / 10;
      tens.begin(14 + slot).takes("slots", slot).opens("lists", 0).reads("head", 0, first).locks();
      tens.stores("next", slot, first).stores("keys", slot, 70).stores("head", 0, word).commits();
      first = word;
    }
    AccessTrace trace = tens.build();
    SlotLife life = new SlotLife(new MemoryBefore(Map.of()), Map.of(), place -> Optional.empty());
    life.add(trace, new Attempts(trace));
    assertEquals(List.of(), life.check());
    assertEquals(Map.of("slots[3]", Set.of("head")), life.unjudgedReferences());
    tens.begin(18).takes("slots", 5).opens("lists", 0).reads("head", 0, first).locks();
    tens.stores("next", 5, first).stores("keys", 5, 70).stores("head", 0, first).commits();
    wrong(Violation.Kind.LEAK, "item 18, attempt 1, takes slots[5]", tens);
  }

  /** Links with a mark in their lowest bit, in a list that grows by slots in no order. */
  private static TraceBuilder marked() {
    TraceBuilder list = list(0);
    long first = NONE;
    long[] slots = {1, 4, 7, 2, 5, 0};
    for (int i = 0; i < slots.length; i++) {
      links(list, 14 + i, slots[i], first, slots[i] << 1 | i % 2);
      first = slots[i] << 1 | i % 2;
    }
    return list;
  }

  /** Takes a slot, and leaves a link at the head of a list. */
  private static void links(TraceBuilder to, long item, long slot, long first, long link) {
    to.begin(item).takes("slots", slot).opens("lists", 0).reads("head", 0, first).locks();
    to.stores("next", slot, first).stores("keys", slot, 70).stores("head", 0, link).commits();
  }

  @Test
  void slotsAreLostBesideLinksOfAFormThatIsNoChance() {
    right(marked());
    TraceBuilder lost = marked();
    links(lost, 20, 3, 1, 2 << 1);
    wrong(Violation.Kind.LEAK, "item 20, attempt 1, takes slots[3]", lost);
  }

  /** Items take the slots of their own numbers; what their data hold looks like these by chance. */
  @Test
  void dataOfSlotsTellNoFormThatMayBeChance() {
    TraceBuilder fives = list(0);
    long first = NONE;
    for (int slot = 0; slot < 5; slot++) {
      fives.begin(slot).takes("slots", slot).opens("lists", 0).reads("head", 0, first).locks();
      fives.stores("keys", slot, 50 + 3 * slot).stores("next", slot, first);
      first = 5 * slot + 3;
      fives.stores("head", 0, first).commits();
    }
    right(fives);
  }

  /** One goes by such a word, and then by the plain number that is in it, to what was freed. */
  @Test
  void usesByNumbersOfNoKnownFormAreNotJudged() {
    TraceBuilder coded = list(2).array("extra", 8);
    for (int slot = 4; slot < 7; slot++) {
      coded.begin(10 + slot).takes("slots", slot).opens("lists", 0).locks();
      coded.stores("next", slot, NONE).stores("keys", slot, 50).stores("head", 0, 7 * slot);
      coded.commits();
    }
    coded.begin(18).opens("lists", 1).reads("head", 1, 1).reads("next", 1, NONE).locks();
    coded.stores("head", 1, NONE).frees("slots", 1).commits();
    coded.begin(19).reads("head", 1, 1).locks().stores("extra", 1, 60).commits();
    AccessTrace trace = coded.build();
    SlotLife life = new SlotLife(new MemoryBefore(Map.of()), Map.of(), place -> Optional.empty());
    life.add(trace, new Attempts(trace));
    assertEquals(List.of(), life.check());
    assertEquals(Map.of("slots[1]", Set.of("head")), life.unjudgedReferences());
  }

  /** Two come by the first node to one behind it, which they free; the last one frees the first. */
  @Test
  void whoComesByANumberToAnotherSlotTellsNothingOfItsForm() {
    TraceBuilder trace = list(3);
    long[][] steps = {{1, 2}, {2, NONE}};
    for (int i = 0; i < 2; i++) {
      trace.begin(14 + i).opens("lists", 0).reads("head", 0, 0).reads("next", 0, steps[i][0]);
      trace.reads("next", steps[i][0], steps[i][1]).locks().stores("next", 0, steps[i][1]);
      trace.frees("slots", steps[i][0]).commits();
    }
    trace.begin(16).opens("lists", 0).reads("head", 0, 0).reads("next", 0, NONE).locks();
    trace.frees("slots", 0).commits();
    wrong(Violation.Kind.DANGLING_REFERENCE, "item 16, attempt 1, in apply, frees slots[0]", trace);
  }

  /** Two drop their references to slot 2, and who counts down to 0 frees it. */
  private static TraceBuilder countsDown(TraceBuilder to, long item, int count, boolean before) {
    to.on(item);
    if (before) {
      to.reads("keys", 2, 50);
    }
    if (count >= 0) {
      to.does(Kind.ATOMIC, "references", 2, count);
    }
    return before ? to : to.reads("keys", 2, 50);
  }

  private static TraceBuilder referredToTwice() {
    TraceBuilder trace = list(3).array("references", 8);
    for (int list = 0; list < 2; list++) {
      trace.begin(15 - list).opens("lists", list).reads("head", list, 2).locks();
      trace.stores("head", list, NONE);
    }
    return trace;
  }

  private static TraceBuilder freesLast(TraceBuilder to) {
    return countsDown(to, 15, 0, true).frees("slots", 2).commits();
  }

  /** Who frees comes first in the serial order, so that only the count tells of the other one. */
  @Test
  void whoCountsDownLastFreesWhatOthersHaveRead() {
    right(freesLast(countsDown(referredToTwice(), 14, 1, true).commits()));
    String read = "item 14, attempt 1, in apply, reads, by tx.read, keys[2]";
    // After its count, without one, or when the slot has been freed.
    wrong(
        Violation.Kind.USE_AFTER_FREE,
        read,
        freesLast(countsDown(referredToTwice(), 14, 1, false).commits()));
    wrong(
        Violation.Kind.USE_AFTER_FREE,
        read,
        freesLast(countsDown(referredToTwice(), 14, -1, true).commits()));
    TraceBuilder late = freesLast(referredToTwice());
    wrong(
        Violation.Kind.USE_AFTER_FREE,
        "item 14, attempt 1, in apply, updates",
        countsDown(late, 14, 1, true).commits());
  }

  /** Statistics of all items, or of another slot, and counts that others change later. */
  @Test
  void onlyTheCountOfASlotTellsThatNobodyIsLeft() {
    String read = "item 14, attempt 1, in apply, reads, by tx.read, keys[2]";
    for (long counted : new long[] {0, 5}) {
      TraceBuilder trace = referredToTwice();
      trace.on(14).reads("keys", 2, 50).does(Kind.ATOMIC, "references", counted, 1).commits();
      trace.on(15).reads("keys", 2, 50).does(Kind.ATOMIC, "references", counted, 2);
      wrong(Violation.Kind.USE_AFTER_FREE, read, trace.frees("slots", 2).commits());
    }
    TraceBuilder between = countsDown(referredToTwice(), 14, 1, true).commits();
    countsDown(between, 15, 0, true);
    between.begin(16).does(Kind.ATOMIC, "references", 2, 1).commits();
    wrong(
        Violation.Kind.USE_AFTER_FREE,
        "item 14, attempt 1, in apply, updates",
        between.on(15).frees("slots", 2).commits());
  }

  /** Takes slot 3 out of the list, and frees it, or that of the same number in another pool. */
  private static TraceBuilder popsInto(String... pools) {
    return popsInto(16, "head", pools);
  }

  /** The same, by an item that has also read the number in some other array. */
  private static TraceBuilder popsInto(long item, String read, String... pools) {
    TraceBuilder trace = list(4).pool("others", 8, 4).array("named", 4);
    pushes(trace, 14, 4, 3);
    pops(trace, 15, 4, 3);
    trace.begin(item).opens("lists", 0).reads(read, 0, 3).reads("head", 0, 3).reads("next", 3, 2);
    trace.locks().stores("head", 0, 2);
    for (String pool : pools) {
      trace.frees(pool, 3);
    }
    return trace.commits();
  }

  @Test
  void aSlotIsFreedInAnotherPool() {
    right(popsInto("slots"));
    right(popsInto("slots", "others"));
    TraceBuilder wrong = popsInto("others");
    wrong(Violation.Kind.FOREIGN_FREE, "item 16, attempt 1, in apply, frees others[3]", wrong);
    String text = check(Map.of(), wrong).get(0).text();
    assertTrue(text.contains("item 16, attempt 1, reads, by tx.read, head[0] and gets 3"), text);
    assertTrue(text.contains("this number is of slots"), text);
  }

  /** Slot 3 is still lost, but who frees the other one may know that. */
  @Test
  void aNumberMayBeKnownAsThatOfAnotherPool() {
    String cut = ", attempt 1, in apply, writes, by tx.store, head[0]";
    wrong(Violation.Kind.LEAK, "item 3" + cut, popsInto(3, "head", "others"));
    wrong(Violation.Kind.LEAK, "item 16" + cut, popsInto(16, "named", "others"));
  }

  /** Somebody else refers to slot 3, too, and who frees the other one may have computed 3. */
  @Test
  void whoLosesNothingMayHaveComputedANumber() {
    Map<String, Object> before =
        Map.of("head", new int[] {3, 3}, "next", new int[] {NONE, 0, 1, 2, NONE, NONE, NONE, NONE});
    assertEquals(List.of(), check(before, popsInto("others")));
  }

  /** An alternative takes a slot and gives up; the next one stores a slot's number. */
  private static TraceBuilder secondAlternative(boolean takesAgain, long stored) {
    TraceBuilder trace = list(0);
    pushes(trace, 14, 0, NONE);
    pushes(trace, 15, 1, 0);
    trace.begin(16).event(Kind.INNER_BEGIN).takes("slots", 2).opens("lists", 1);
    trace.reads("head", 1, 7).event(Kind.EFFECTS_UNDONE).event(Kind.INNER_BEGIN);
    (takesAgain ? trace.takes("slots", stored) : trace).opens("lists", 0).reads("head", 0, 1);
    trace.event(Kind.INNER_KEPT).locks().stores("next", stored, 1).stores("keys", stored, 50);
    return trace.stores("head", 0, stored).commits();
  }

  @Test
  void aSlotIsUsedThatAnAlternativeGaveBack() {
    right(secondAlternative(true, 2));
    right(secondAlternative(true, 3));
    Violation found = check(Map.of(), secondAlternative(false, 2)).get(0);
    assertEquals(Violation.Kind.USE_AFTER_FREE, found.kind(), found::text);
    String text = found.text();
    assertTrue(text.contains("item 16, attempt 1, in apply, writes, by tx.store, next[2]"), text);
    assertTrue(text.contains("item 16, attempt 1, takes slots[2]"), text);
    assertTrue(text.contains("head[1] and gets 7, and then gives it back"), text);
  }

  /** An alternative takes slot 2 and gives up; the commit pushes an item, which uses a slot. */
  private static TraceBuilder[] pushesWhatWasGivenBack(long pushed, long used, boolean byOther) {
    TraceBuilder first = list(0);
    pushes(first, 14, 0, NONE);
    pushes(first, 15, 1, 0);
    first.begin(16).event(Kind.INNER_BEGIN).takes("slots", 2).event(Kind.EFFECTS_UNDONE);
    first.event(Kind.INNER_BEGIN).event(Kind.INNER_KEPT).pushes(pushed).locks().commits();
    if (byOther) {
      first.begin(17).pushes(pushed).locks().commits();
    }
    TraceBuilder second = first.next();
    second.begin(pushed).opens("lists", 0).locks().stores("keys", used, 60).commits();
    return new TraceBuilder[] {first, second};
  }

  @Test
  void aSlotIsUsedThatWasGivenBackAndPushed() {
    wrong(
        Violation.Kind.USE_AFTER_FREE,
        "item 2, attempt 1, in apply, writes, by tx.store, keys[2]",
        pushesWhatWasGivenBack(2, 2, false));
    right(pushesWhatWasGivenBack(2, 1, false));
    right(pushesWhatWasGivenBack(18, 1, false));
    right(pushesWhatWasGivenBack(2, 2, true)); // to one it may be something else
  }

  /** The item of the number adds up the key of a slot, or looks at it. */
  private static TraceBuilder[] readsWhatWasGivenBack(long used, boolean known, boolean writes) {
    TraceBuilder[] launches = pushesWhatWasGivenBack(2, 2, false);
    launches[1] = launches[0].next().begin(2).opens("lists", 0);
    if (known) {
      launches[1].reads("head", 1, used);
    }
    launches[1].reads("keys", used, 60).locks();
    if (writes) {
      launches[1].stores("head", 1, 60);
    }
    launches[1].commits();
    return launches;
  }

  @Test
  void aSlotIsReadThatWasGivenBackAndPushed() {
    wrong(
        Violation.Kind.USE_AFTER_FREE,
        "item 2, attempt 1, reads, by tx.read, keys[2]",
        readsWhatWasGivenBack(2, false, true));
    right(readsWhatWasGivenBack(1, false, true));
    right(readsWhatWasGivenBack(2, true, true)); // it may have come by what it read
    right(readsWhatWasGivenBack(2, false, false)); // it may have found it free
  }

  /** The number of slot 2 is also that of an item, and of a vertex in a graph. */
  @Test
  void anIndexThatIsKnownOtherwiseIsNoSlots() {
    for (boolean byGraph : new boolean[] {false, true}) {
      TraceBuilder trace = list(3).array("marks", 8).array("neighbors", 8);
      trace.begin(4).reads("head", 0, 2).locks().stores("head", 0, 1).frees("slots", 2).commits();
      trace.begin(byGraph ? 7 : 2).reads("head", 1, 2);
      if (byGraph) {
        trace.reads("neighbors", 5, 2);
      }
      trace.reads("marks", 2, 50).locks().commits();
      right(trace);
    }
  }

  /** A commit frees slot 2; then some come to the mark of that number, and write others' marks. */
  private static TraceBuilder marked(int suspects) {
    TraceBuilder trace = list(3).array("marks", 8);
    trace.begin(4).reads("head", 0, 2).locks().stores("head", 0, 1).frees("slots", 2).commits();
    for (int i = 0; i < suspects; i++) {
      trace.begin(5 + i).reads("head", 1, 2).reads("marks", 2, 50).locks();
      trace.stores("marks", 4 + i, 1).commits();
    }
    return trace;
  }

  /** Some commits that only write marks by what is no slot's number. */
  private static TraceBuilder marks(TraceBuilder to, int commits) {
    for (int i = 0; i < commits; i++) {
      to.begin(8 + i).locks().stores("marks", 7, 1).commits();
    }
    return to;
  }

  private static void open(Map<String, Set<String>> expected, TraceBuilder of) {
    AccessTrace trace = of.build();
    SlotLife life = new SlotLife(new MemoryBefore(Map.of()), Map.of(), place -> Optional.empty());
    life.add(trace, new Attempts(trace));
    assertEquals(List.of(), life.check());
    assertEquals(expected, life.unjudgedUses());
  }

  @Test
  void whatACommitItselfIndexesOtherwiseDoesNotExcuseIt() {
    wrong(
        Violation.Kind.USE_AFTER_FREE, "item 5, attempt 1, reads, by tx.read, marks[2]", marked(1));
  }

  @Test
  void whatAnotherCommitIndexesOtherwiseLeavesAUseOpen() {
    open(Map.of("slots[2]", Set.of("marks")), marks(marked(1), 1));
    open(Map.of("slots[2]", Set.of("marks")), marked(3));
    open(Map.of("slots[2]", Set.of("marks")), marks(marked(3), 1));
    open(Map.of(), marks(marked(0), 1));
  }

  /** As where a graph has as many vertices as a pool has slots. */
  @Test
  void whatSeveralOtherCommitsIndexOtherwiseIsNoSlots() {
    open(Map.of(), marks(marked(1), 2));
    open(Map.of(), marks(marked(3), 2));
  }

  /** Who sees what the free wrote over is right, and nothing is open. */
  @Test
  void aUseIsNotOpenWhereTheEndWasSeen() {
    TraceBuilder trace = marks(list(3).array("marks", 8), 1);
    trace.begin(4).reads("head", 0, 2).locks().stores("head", 0, 1).frees("slots", 2).commits();
    trace.begin(5).reads("head", 1, 2).reads("marks", 2, 50).reads("head", 0, 1).locks().commits();
    open(Map.of(), trace);
  }

  @Test
  void thatAnArrayIsNotIndexedBySlotsMayBeDeclared() {
    TraceBuilder trace = list(3).array("marks", 8);
    trace.begin(4).reads("head", 0, 2).locks().stores("head", 0, 1).frees("slots", 2).commits();
    trace.begin(5).reads("head", 1, 2).reads("marks", 2, 50).locks().commits();
    wrong(Violation.Kind.USE_AFTER_FREE, "reads, by tx.read, marks[2]", trace);
    assertTrue(check(Map.of(), trace).get(0).text().contains("--slots ARRAY=unindexed"));
    assertEquals(List.of(), check(Map.of(), Map.of("marks", DeclaredSlots.UNINDEXED), trace));
  }

  @Test
  void whatOnlyAFreedSlotRefersToIsToldByThat() {
    TraceBuilder trace = list(4);
    trace.begin(4).takes("slots", 5).reads("head", 0, 2).reads("next", 2, NONE).locks();
    trace.stores("keys", 5, 54).stores("next", 5, NONE).stores("next", 2, 5).commits();
    trace.begin(9).takes("slots", 6).reads("head", 1, 1).reads("next", 1, NONE).locks();
    trace.stores("keys", 6, 59).stores("next", 6, NONE).stores("next", 1, 6).commits();
    trace.begin(7).reads("head", 1, 1).reads("next", 1, 6).reads("keys", 6, 59).cancels();
    trace.begin(8).reads("head", 0, 2).reads("keys", 2, 1).locks();
    trace.stores("keys", 0, 1).frees("slots", 2).commits();
    List<Violation> found = check(Map.of(), trace);
    assertEquals(List.of(Violation.Kind.LEAK), found.stream().map(Violation::kind).toList());
    assertTrue(
        found
            .get(0)
            .text()
            .startsWith(
                "slots[5]: it is taken, nobody has freed it, and when the run is over only next[2]"
                    + " refers to it, of slots[2], which head[0] still names, but that was freed"),
        found.get(0)::text);
  }

  /** As where slot 0 is the head of a list, and 0 behind the last node. */
  @Test
  void aNumberMayStandForNone() {
    TraceBuilder trace = list(1);
    trace.begin(5).takes("slots", 3).glances("next", 0, 0).reads("next", 0, 0).locks();
    trace.stores("next", 3, 0).stores("next", 0, 3).commits();
    trace.begin(6).glances("next", 0, 3).reads("next", 0, 3).reads("next", 3, 0).locks();
    trace.stores("next", 0, 0).frees("slots", 3).commits();
    Map<String, Object> before = Map.of("next", new int[8], "keys", new int[8]);
    assertEquals(List.of(), check(before, trace));
  }

  /** The 0 in a node that is taken, from before its life, refers to no head. */
  @Test
  void whatAFreeSlotHeldIsNoReference() {
    TraceBuilder trace = list(1);
    trace.begin(5).takes("slots", 1).reads("next", 0, 0).locks();
    trace.stores("keys", 1, 73).stores("next", 1, 0).stores("next", 0, 1).commits();
    trace.begin(6).takes("slots", 2).reads("next", 0, 1).locks();
    trace.stores("keys", 2, 71).stores("next", 2, 1).stores("next", 0, 2).commits();
    trace.begin(7).reads("next", 2, 1).reads("next", 1, 0).locks();
    trace.stores("next", 2, 0).stores("next", 1, NONE).frees("slots", 1).commits();
    trace.begin(8).reads("next", 0, 2).reads("next", 2, 0).locks();
    trace.stores("next", 0, 0).stores("next", 2, NONE).frees("slots", 2).commits();
    Map<String, Object> before = Map.of("next", new int[8], "keys", new int[8]);
    assertEquals(List.of(), check(before, trace));
  }

  @Test
  void dataMayTellByThemselvesThatTheyAreInUse() {
    TraceBuilder trace = list(0);
    for (int slot = 0; slot < 4; slot++) {
      trace
          .begin(10 + slot)
          .takes("slots", slot)
          .reads("head", 0, slot) // a counter
          .locks()
          .stores("head", 0, slot + 1)
          .stores("keys", slot, 77)
          .commits();
    }
    right(trace);
  }

  @Test
  void numbersMayBeAmongOtherBits() {
    for (long bits : new long[] {1L << 31, 0x30000, 0x100}) {
      TraceBuilder trace = list(0);
      for (int slot : new int[] {2, 5, 3}) {
        trace.begin(10 + slot).takes("slots", slot).locks().stores("head", slot % 2, bits | slot);
        trace.commits();
      }
      // Slot 5 was replaced by slot 3.
      wrong(Violation.Kind.LEAK, "item 15, attempt 1, takes slots[5]", trace);
      trace.begin(20).reads("head", 0, bits | 2).locks().stores("head", 0, NONE).frees("slots", 2);
      trace.commits();
      wrong(Violation.Kind.LEAK, "item 15, attempt 1, takes slots[5]", trace);
    }
  }

  @Test
  void aReferenceOutlivesItsSlot() {
    TraceBuilder freed =
        list(1).begin(10).reads("head", 0, 0).pushes(11).locks().frees("slots", 0).commits();
    TraceBuilder taken =
        freed
            .next()
            .begin(11)
            .takes("slots", 0)
            .pushes(12)
            .locks()
            .stores("head", 1, 0)
            .stores("keys", 0, 5)
            .commits();
    TraceBuilder used =
        freed.next().begin(12).reads("head", 0, 0).locks().stores("keys", 0, 6).commits();
    wrong(
        Violation.Kind.RECYCLED_NUMBER,
        "item 12, attempt 1, in apply, writes, by tx.store, keys[0]",
        freed,
        taken,
        used);
    TraceBuilder current =
        freed.next().begin(12).reads("head", 1, 0).locks().stores("keys", 0, 6).commits();
    right(freed, taken, current);
  }

  @Test
  void anItemOutlivesItsSlot() {
    TraceBuilder freed =
        list(8)
            .begin(3)
            .opens("nodes", 3)
            .reads("next", 3, 5)
            .pushes(5)
            .locks()
            .stores("keys", 3, 1)
            .commits()
            .begin(6)
            .opens("nodes", 5)
            .reads("head", 1, 5)
            .locks()
            .stores("head", 1, NONE)
            .frees("slots", 5)
            .pushes(6)
            .commits();
    TraceBuilder taken =
        freed
            .next()
            .begin(6)
            .takes("slots", 5)
            .locks()
            .stores("head", 1, 5)
            .stores("keys", 5, 2)
            .commits();
    taken.begin(5).locks().frees("slots", 5).commits();
    wrong(
        Violation.Kind.RECYCLED_NUMBER,
        "item 5, attempt 1, in apply, frees slots[5]",
        freed,
        taken);
    // The items are no slots where one is pushed that nobody can know.
    TraceBuilder others = freed.next().begin(6).takes("slots", 5).pushes(1000).locks();
    others.stores("head", 1, 5).stores("keys", 5, 2).commits();
    others.begin(5).opens("nodes", 5).locks().frees("slots", 5).commits();
    TraceBuilder last = freed.next().begin(1000).locks().commits();
    assertEquals(
        List.of(),
        check(Map.of(), freed, others, last).stream()
            .filter(each -> each.kind() == Violation.Kind.RECYCLED_NUMBER)
            .toList());
  }
}
