package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.data.SerialReplay.Comparison;
import io.magpie.verification.data.SerialReplay.Plan;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that are compared with the same items one after the other, in traces made by hand. */
class SerialReplayTest {
  private static TraceBuilder list() {
    return new TraceBuilder()
        .objects("lists", 1)
        .array("head", 1)
        .array("next", 8)
        .array("keys", 8)
        .pool("slots", 8, 0);
  }

  private static TraceBuilder pushes(TraceBuilder to, long item, long slot, long first, long key) {
    return to.begin(item)
        .takes("slots", slot)
        .opens("lists", 0)
        .reads("head", 0, first)
        .locks()
        .stores("next", slot, first)
        .stores("keys", slot, key)
        .stores("head", 0, slot)
        .commits();
  }

  private static AccessTrace run(long firstSlot, long secondSlot, long key) {
    TraceBuilder trace = list();
    pushes(trace, 10, firstSlot, 99, 40);
    return pushes(trace, 11, secondSlot, firstSlot, key).build();
  }

  private static Optional<Violation> compared(AccessTrace run, AccessTrace serial) {
    return compared(run, serial, Map.of());
  }

  private static Optional<Violation> compared(
      AccessTrace run, AccessTrace serial, Map<String, DeclaredSlots> declared) {
    assertEquals(List.of(10, 11), SerialReplay.plan(run).threads());
    Comparison comparison = SerialReplay.compare(run, serial, declared, place -> Optional.empty());
    assertEquals("", comparison.lacks());
    return comparison.violation();
  }

  @Test
  void slotsStandForEachOther() {
    assertEquals(Optional.empty(), compared(run(2, 5, 50), run(2, 5, 50)));
    assertEquals(Optional.empty(), compared(run(2, 5, 50), run(5, 3, 50)));
    assertEquals(Optional.empty(), compared(run(2, 5, 50), run(5, 2, 50)));
  }

  @Test
  void otherDataOfThemAreWrong() {
    Violation found = compared(run(2, 5, 50), run(5, 3, 51)).orElseThrow();
    assertTrue(
        found
            .text()
            .startsWith("item 11 writes keys[5] and makes it 50, but 51 when it runs alone"),
        found::text);
    assertEquals(Kind.NOT_REPEATABLE, found.kind()); // as it read the same
  }

  /**
   * Two items that each take a slot for their own cell, and store its number in some form there.
   */
  private static AccessTrace linked(long first, long second, long firstLink, long secondLink) {
    return links(first, second, firstLink, secondLink).build();
  }

  private static TraceBuilder links(long first, long second, long firstLink, long secondLink) {
    TraceBuilder trace =
        new TraceBuilder()
            .objects("cells", 2)
            .array("link", 2)
            .array("cell", 8)
            .array("counts", 3)
            .array("flag", 2)
            .array("seen", 1)
            .array("wide", 1, Long.BYTES)
            .pool("slots", 8, 0);
    trace.begin(10).opens("cells", 0).takes("slots", first).locks();
    trace.stores("cell", first, 50).stores("link", 0, firstLink).commits();
    trace.begin(11).opens("cells", 1).takes("slots", second).locks();
    return trace.stores("cell", second, 51).stores("link", 1, secondLink).commits();
  }

  @Test
  void oneFormOfNumbersMustExplainAllWordsOfAnArray() {
    AccessTrace run = linked(0, 1, 1, 2);
    assertEquals(Optional.empty(), compared(run, linked(1, 0, 2, 1)));
    Violation found = compared(run, linked(1, 0, 2, 0)).orElseThrow();
    assertTrue(
        found.text().startsWith("item 11 writes link[1] and makes it 2, but 0"), found::text);
    assertTrue(found.text().contains("declare it: --slots ARRAY=POOL for"), found::text);
    // The first is explained by numbers as they are, and the second by others.
    assertTrue(compared(linked(1, 2, 1, 3), linked(2, 3, 2, 4)).isPresent());
  }

  /** The same two, and one that goes by the second link to its slot. */
  private static AccessTrace followed(long first, long second, long firstLink, long secondLink) {
    return links(first, second, firstLink, secondLink)
        .begin(12)
        .opens("cells", 1)
        .reads("link", 1, secondLink)
        .reads("cell", second, 51)
        .locks()
        .stores("seen", 0, 5)
        .commits()
        .build();
  }

  private static Comparison comparison(AccessTrace run, AccessTrace serial) {
    return SerialReplay.compare(run, serial, Map.of(), place -> Optional.empty());
  }

  private static final Comparison SAME = new Comparison("", Optional.empty());

  @Test
  void aFormMayBeOneThatOnlyBothRunsShow() {
    AccessTrace scrambled = followed(0, 1, 42, 43); // 42 ^ slot
    assertEquals(SAME, comparison(scrambled, followed(1, 0, 43, 42)));
    assertTrue(comparedCounts(scrambled, followed(1, 0, 43, 44)).isPresent());
    AccessTrace tens = followed(1, 2, 19, 28); // 10 * slot, and 9 or 8
    assertEquals(SAME, comparison(tens, followed(2, 1, 29, 18)));
    assertEquals(SAME, comparison(tens, followed(3, 2, 39, 28)));
    assertTrue(comparedCounts(tens, followed(2, 1, 29, 17)).isPresent());
  }

  private static void assertFormNotKnown(AccessTrace run, AccessTrace serial) {
    Comparison comparison = comparison(run, serial);
    assertEquals(Optional.empty(), comparison.violation());
    assertTrue(comparison.lacks().contains("in a form that is not known"), comparison::lacks);
  }

  /** Slots are handed out in the order of takes, in which items may also count themselves. */
  @Test
  void wordsInTheOrderOfTakesAreNotJudgedIfNobodyFollowsThem() {
    assertFormNotKnown(linked(1, 2, 100, 101), linked(2, 1, 101, 100));
    assertFormNotKnown(linked(1, 2, 19, 28), linked(2, 1, 29, 18));
    assertTrue(compared(linked(1, 2, 100, 101), linked(1, 2, 101, 100)).isPresent());
  }

  @Test
  void whoKnowsASlotOtherwiseDoesNotFollowWords() {
    for (boolean all : new boolean[] {false, true}) {
      assertFormNotKnown(looked(1, 2, 100, 101, all), looked(2, 1, 101, 100, all));
    }
  }

  /** One that comes to a slot by its plain number, or looks through all, and also reads a link. */
  private static AccessTrace looked(
      long first, long second, long firstLink, long secondLink, boolean all) {
    TraceBuilder trace = links(first, second, firstLink, secondLink);
    trace.begin(12).opens("cells", 0).locks().stores("seen", 0, second).commits();
    trace.begin(13).opens("cells", 1);
    if (!all) {
      trace.reads("seen", 0, second);
    }
    trace.reads("link", 1, secondLink);
    for (int slot = 0; slot < 8; slot++) {
      if (all || slot == second) {
        trace.reads("cell", slot, slot == first ? 50 : 51);
      }
    }
    return trace.locks().stores("flag", 0, 5).commits().build();
  }

  /** Nobody takes a slot that another item has in the other run: each word may be the item's. */
  @Test
  void aFormThatNoWordShowsIsNotJudged() {
    assertFormNotKnown(followed(0, 1, 42, 43), followed(2, 3, 40, 41));
    assertTrue(compared(linked(0, 1, 42, 43), linked(2, 3, 40, 40)).isPresent());
  }

  @Test
  void suchAFormExplainsOtherWordsToo() {
    AccessTrace run = counts(links(0, 1, 42, 43), 43, 42);
    assertEquals(Optional.empty(), comparedCounts(run, counts(links(1, 0, 43, 42), 42, 43)));
    Violation found = comparedCounts(run, counts(links(1, 0, 43, 42), 42, 41)).orElseThrow();
    assertTrue(found.text().startsWith("item 13 writes counts[1] and makes it 42"), found::text);
  }

  /** Behind two links, as many items as there are counts each leave one. */
  private static AccessTrace counts(TraceBuilder links, long... counts) {
    for (int i = 0; i < counts.length; i++) {
      links.begin(12 + i).opens("cells", 0).locks().stores("counts", i, counts[i]).commits();
    }
    return links.build();
  }

  private static Optional<Violation> comparedCounts(AccessTrace run, AccessTrace serial) {
    return SerialReplay.compare(run, serial, Map.of(), place -> Optional.empty()).violation();
  }

  @Test
  void wordsThatStayTheSameSpeakAgainstNumbersOfSlots() {
    AccessTrace run = counts(links(0, 1, 1, 2), 1, 1);
    assertEquals(Optional.empty(), comparedCounts(run, counts(links(1, 0, 2, 1), 1, 1)));
    Violation found = comparedCounts(run, counts(links(1, 0, 2, 1), 1, 0)).orElseThrow();
    assertTrue(found.text().startsWith("item 13 writes counts[1] and makes it 1"), found::text);
    // Nothing speaks against that these are numbers: the slots of their words are the same.
    AccessTrace others = counts(links(0, 1, 1, 2), 7, 1);
    assertEquals(Optional.empty(), comparedCounts(others, counts(links(1, 0, 2, 1), 7, 0)));
  }

  /** Also against words that were looked at before. */
  @Test
  void wordsThatStayTheSameCountInAnyOrder() {
    AccessTrace run = counts(links(0, 1, 1, 2), 1, 1);
    Violation found = comparedCounts(run, counts(links(1, 0, 2, 1), 0, 1)).orElseThrow();
    assertTrue(found.text().startsWith("item 12 writes counts[0] and makes it 1"), found::text);
    // The first word alone could be a number, and so could it beside the last one.
    AccessTrace more = counts(links(0, 1, 1, 2), 1, 7, 1);
    assertTrue(comparedCounts(more, counts(links(1, 0, 2, 1), 0, 7, 1)).isPresent());
    AccessTrace all = counts(links(0, 1, 1, 2), 1, 7, 0);
    assertEquals(Optional.empty(), comparedCounts(all, counts(links(1, 0, 2, 1), 0, 7, 1)));
    // Where another one is 0, which is a number as well, it should have differed.
    AccessTrace zero = counts(links(0, 1, 1, 2), 1, 0);
    assertTrue(comparedCounts(zero, counts(links(1, 0, 2, 1), 0, 0)).isPresent());
  }

  /** What an item has in memory where it works may be numbers of slots, and anything else. */
  @Test
  void wordsOfMemoryToWorkInSpeakForThemselvesAlone() {
    AccessTrace run = worked(2, 5, 70, 0);
    assertEquals(Optional.empty(), compared(run, worked(5, 3, 70, 0)));
    Violation found = compared(run, worked(5, 3, 71, 0)).orElseThrow();
    assertTrue(found.text().startsWith("item 11 writes room[2] and makes it 70"), found::text);
  }

  /** Nobody looks again at what is left, or somebody at what another item has left. */
  @Test
  void whatIsLeftForOthersIsNoMemoryToWorkIn() {
    for (int[] looked : new int[][] {{}, {0, 3}}) {
      Violation found = compared(worked(2, 5, 70, looked), worked(5, 3, 70, looked)).orElseThrow();
      assertTrue(found.text().startsWith("item 11 writes room[0] and makes it 2"), found::text);
    }
  }

  /**
   * Two items that take slots, of which the second keeps that of the first in memory, beside a 2
   * and a result, and looks at some elements there: of the last one the first item has left a 9.
   */
  private static AccessTrace worked(long first, long second, long result, int... looked) {
    long[] room = {first, 2, result, 9};
    TraceBuilder trace = list().array("room", room.length);
    trace.begin(10).takes("slots", first).opens("lists", 0);
    trace.does(AccessTrace.Kind.PLAIN_WRITE, "room", 3, room[3]);
    trace.locks().stores("head", 0, first).commits();
    trace.begin(11).takes("slots", second).opens("lists", 0).reads("head", 0, first);
    for (int i = 0; i < 3; i++) {
      trace.does(AccessTrace.Kind.PLAIN_WRITE, "room", i, room[i]);
    }
    for (int i : looked) {
      trace.does(AccessTrace.Kind.PLAIN_READ, "room", i, room[i]);
    }
    return trace.locks().stores("head", 0, second).commits().build();
  }

  /** Each half of a word may be a number, or none: 65,535. */
  @Test
  void oneFormMayBeThatOfBothHalves() {
    AccessTrace run = counts(links(0, 1, 1, 2), 0xffff0000L, 0x0001ffffL, 0x00010000L);
    AccessTrace right = counts(links(1, 0, 2, 1), 0xffff0001L, 0x0000ffffL, 0x00000001L);
    assertEquals(Optional.empty(), comparedCounts(run, right));
    AccessTrace wrong = counts(links(1, 0, 2, 1), 0xffff0001L, 0x0000ffffL, 0x00000000L);
    Violation found = comparedCounts(run, wrong).orElseThrow();
    assertTrue(found.text().startsWith("item 14 writes counts[2] and makes it"), found::text);
    AccessTrace other = counts(links(1, 0, 2, 1), 0xffff0001L, 0x0002ffffL, 0x00000001L);
    assertTrue(comparedCounts(run, other).isPresent());
  }

  /** Two items fill the rows of their slots, and one that has read a slot writes to its row. */
  private static AccessTrace rows(
      long first, long second, boolean filled, boolean read, long place) {
    TraceBuilder trace =
        new TraceBuilder()
            .objects("cells", 2)
            .array("link", 2)
            .array("rows", 17)
            .pool("slots", 8, 0);
    for (int i = 0; i < 2; i++) {
      long slot = i == 0 ? first : second;
      trace.begin(10 + i).opens("cells", i).takes("slots", slot).locks();
      trace.stores("link", i, slot);
      if (filled) {
        trace.stores("rows", 2 * slot, 0).stores("rows", 2 * slot + 1, 0);
      }
      trace.commits();
    }
    trace.begin(12).opens("cells", 0);
    if (read) {
      trace.reads("link", 0, first);
    }
    trace.locks().stores("rows", 2 * first + place, 7).commits();
    return trace.begin(13).opens("cells", 0).locks().stores("rows", 16, 7).commits().build();
  }

  /** Two elements for each slot, and one more. */
  @Test
  void elementsOfSlotsMayBeFollowedByOthers() {
    assertEquals(SAME, comparison(rows(0, 7, true, true, 1), rows(7, 0, true, true, 1)));
    Violation found =
        comparedCounts(rows(0, 7, true, true, 1), rows(7, 0, true, true, 0)).orElseThrow();
    assertTrue(found.text().startsWith("item 12 writes rows[1] and makes it 7"), found::text);
  }

  /** No length shows rows that others follow: the array may have nothing to do with slots. */
  @Test
  void otherElementsAreWrongUnlessRowsOfSlotsShow() {
    Violation found =
        comparedCounts(rows(2, 3, false, false, 1), rows(3, 2, false, false, 1)).orElseThrow();
    assertTrue(
        found.text().startsWith("item 12 writes rows[5] and makes it 7, but not"), found::text);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsOfSlotsThatMayBeChanceAreNotJudged(boolean filled) {
    assertEquals(
        new Comparison("they differ in what may be elements of slots", Optional.empty()),
        comparison(rows(2, 3, filled, !filled, 1), rows(3, 2, filled, !filled, 1)));
    Violation found =
        comparedCounts(rows(2, 3, filled, !filled, 1), rows(3, 2, filled, !filled, 0))
            .orElseThrow();
    assertTrue(found.text().startsWith("item 12 writes rows[5]"), found::text);
  }

  /** An item that leaves the complement of a slot's number below other bits. */
  private static AccessTrace complement(long first, long second, long above) {
    return links(first, second, first, second)
        .begin(12)
        .opens("cells", 0)
        .locks()
        .stores("wide", 0, above << 32 | ~first & 0xffffffffL)
        .commits()
        .build();
  }

  @Test
  void bitsAboveAComplementAreTheSame() {
    AccessTrace run = complement(0, 1, 5);
    assertEquals(Optional.empty(), comparedCounts(run, complement(1, 0, 5)));
    Violation found = comparedCounts(run, complement(1, 0, 6)).orElseThrow();
    assertTrue(found.text().startsWith("item 12 writes wide[0] and makes it"), found::text);
    long all = 0xffffffffL; // of the complement in 8 bytes
    assertEquals(Optional.empty(), comparedCounts(complement(0, 1, all), complement(1, 0, all)));
  }

  /** Zero is none beside numbers with a bit above, and a number beside such without. */
  @Test
  void zeroSpeaksAgainstNumbersWithoutOtherBits() {
    long bit = 1L << 31;
    AccessTrace run = counts(links(0, 1, 1, 2), 0, bit, bit + 1);
    AccessTrace right = counts(links(1, 0, 2, 1), 0, bit + 1, bit);
    assertEquals(Optional.empty(), comparedCounts(run, right));
    AccessTrace late = counts(links(0, 1, 1, 2), bit, 0, bit + 1);
    assertEquals(
        Optional.empty(), comparedCounts(late, counts(links(1, 0, 2, 1), bit + 1, 0, bit)));
    AccessTrace bare = counts(links(0, 1, 1, 2), 0, 1);
    assertTrue(comparedCounts(bare, counts(links(1, 0, 2, 1), 0, 0)).isPresent());
  }

  @Test
  void slotsThatSeveralItemsHadSpeakAgainstNothing() {
    TraceBuilder run = links(0, 1, 1, 2).begin(20).frees("slots", 1).commits();
    run.begin(21).takes("slots", 1).commits();
    TraceBuilder serial = links(1, 0, 2, 1).begin(20).frees("slots", 0).commits();
    serial.begin(21).takes("slots", 0).commits();
    assertEquals(Optional.empty(), comparedCounts(counts(run, 1, 1), counts(serial, 1, 0)));
  }

  /** An item that takes no slot, whose value is what it has seen of the flag by a hint. */
  private static TraceBuilder glances(TraceBuilder to, long flag) {
    to.begin(13).glances("flag", 0, flag).opens("cells", 1).locks();
    return to.stores("seen", 0, 5 + flag).commits();
  }

  private static TraceBuilder setsFlag(TraceBuilder to) {
    return to.begin(12).opens("cells", 0).locks().stores("flag", 0, 1).commits();
  }

  private static void assertUncheckedHint(
      AccessTrace serial, AccessTrace reordered, Long... order) {
    Violation found =
        SerialReplay.compareReordered(
                serial, List.of(order), reordered, Map.of(), place -> Optional.empty())
            .violation()
            .orElseThrow();
    assertEquals(Kind.UNCHECKED_HINT, found.kind(), found::text);
    assertTrue(found.text().contains("flag[0] and gets 1; in that order it reads"), found::text);
  }

  @Test
  void aFlagThatIsEqualToSlotsIsNoNumberOfThem() {
    assertUncheckedHint(
        glances(setsFlag(links(0, 1, 1, 2)), 1).build(),
        setsFlag(glances(links(1, 0, 2, 1), 0)).build(),
        10L,
        11L,
        13L,
        12L);
  }

  /** An earlier word of the field, which differs, could be a slot's number. */
  @Test
  void aHintDecidesIfNothingElseDoes() {
    TraceBuilder serial = links(0, 1, 1, 2).begin(14).opens("cells", 0).locks();
    serial.stores("flag", 1, 1).commits();
    TraceBuilder reordered = links(1, 0, 2, 1).begin(14).opens("cells", 0).locks();
    reordered.stores("flag", 1, 0).commits();
    assertUncheckedHint(
        glances(setsFlag(serial), 1).build(),
        setsFlag(glances(reordered, 0)).build(),
        10L,
        11L,
        14L,
        13L,
        12L);
  }

  @Test
  void whatIsDeclaredOfNumbersHolds() {
    Map<String, DeclaredSlots> plusThree = Map.of("link", DeclaredSlots.of("slots", 3));
    Map<String, DeclaredSlots> asTheyAre = Map.of("link", DeclaredSlots.of("slots", 0));
    Map<String, DeclaredSlots> none = Map.of("link", DeclaredSlots.NONE);
    AccessTrace run = linked(0, 1, 3, 4);
    assertEquals(Optional.empty(), compared(run, linked(1, 0, 4, 3), plusThree));
    assertTrue(compared(run, linked(1, 0, 4, 3), asTheyAre).isPresent());
    Violation found = compared(linked(0, 1, 0, 1), linked(1, 0, 1, 0), none).orElseThrow();
    assertFalse(found.text().contains("--slots"), found::text);
  }

  @Test
  void whatIsDeclaredUnindexedIsInPlace() {
    AccessTrace run = linked(2, 3, 7, 7);
    AccessTrace serial = linked(3, 2, 7, 7);
    assertEquals(Optional.empty(), compared(run, serial));
    assertTrue(compared(run, serial, Map.of("cell", DeclaredSlots.UNINDEXED)).isPresent());
  }

  @Test
  void anotherReferenceIsWrong() {
    TraceBuilder lost = list();
    pushes(lost, 10, 2, 99, 40);
    pushes(lost, 11, 5, 99, 50); // does not see the first
    Violation found = compared(lost.build(), run(3, 4, 50)).orElseThrow();
    assertTrue(
        found.text().startsWith("item 11 writes next[5] and makes it 99, but 3 when it runs alone"),
        found::text);
    assertEquals(Kind.WRONG_RESULT, found.kind());
  }

  @Test
  void aWriteThatIsMissingIsWrong() {
    TraceBuilder less = list();
    pushes(less, 10, 2, 99, 40);
    less.begin(11).takes("slots", 5).reads("head", 0, 2).locks().stores("head", 0, 5).commits();
    Violation found = compared(less.build(), run(3, 4, 50)).orElseThrow();
    assertTrue(found.text().startsWith("item 11 does not write next[4], but does"), found::text);
  }

  /** Two items that each take a slot, of which one frees that of the other, or neither does. */
  private static AccessTrace freed(long first, long second, long... frees) {
    TraceBuilder trace = list();
    pushes(trace, 10, first, 99, 40);
    pushes(trace, 11, second, first, 50);
    trace.begin(12).glances("head", 0, second).opens("lists", 0).locks();
    for (long each : frees) {
      trace.frees("slots", each);
    }
    return trace.commits().build();
  }

  @Test
  void whatIsFreedIsTheSame() {
    assertEquals(Optional.empty(), comparedCounts(freed(2, 5, 2), freed(5, 3, 5)));
    Violation less = comparedCounts(freed(2, 5), freed(5, 3, 5)).orElseThrow();
    assertTrue(
        less.text().startsWith("item 12 does not free slots[5], but does when it runs alone"),
        less::text);
    Violation more = comparedCounts(freed(2, 5, 5, 2), freed(5, 3, 5)).orElseThrow();
    assertTrue(
        more.text().startsWith("item 12 frees slots[5], but not when it runs alone"), more::text);
    assertTrue(comparedCounts(freed(2, 5, 2), freed(5, 3, 3)).isPresent());
  }

  /** Two items that each take a slot, and push its number. */
  private static AccessTrace pushed(long first, long second, long pushedLast) {
    return pushed(first, second, first, pushedLast);
  }

  private static AccessTrace pushed(long first, long second, long pushedFirst, long pushedLast) {
    TraceBuilder trace = list();
    trace.begin(10).takes("slots", first).opens("lists", 0).locks();
    trace.stores("head", 0, first).pushes(pushedFirst).commits();
    trace.begin(11).takes("slots", second).opens("lists", 0).locks();
    return trace.stores("head", 0, second).pushes(pushedLast).commits().build();
  }

  @Test
  void slotsThatArePushedStandForEachOther() {
    assertEquals(Optional.empty(), compared(pushed(1, 0, 0), pushed(0, 1, 1)));
    Violation found = compared(pushed(1, 0, 5), pushed(0, 1, 1)).orElseThrow();
    assertTrue(found.text().startsWith("item 11 pushes [5], but [1] when it runs"), found::text);
  }

  @Test
  void slotsThatArePushedBehindOtherItemsStandForEachOther() {
    AccessTrace serial = pushed(0, 1, 100, 101);
    assertEquals(Optional.empty(), compared(pushed(1, 0, 101, 100), serial));
    assertTrue(compared(pushed(1, 0, 101, 105), serial).isPresent());
    Violation found = compared(pushed(1, 0, 101, 110), pushed(0, 1, 100, 111)).orElseThrow();
    assertTrue(found.text().startsWith("item 11 pushes [110], but [111] when it"), found::text);
  }

  /** Each item pushes two, by what is added to the number of its slot. */
  @Test
  void aSlotMayGoToSeveralItems() {
    assertEquals(Optional.empty(), compared(pushedTwice(1, 0, 200), pushedTwice(0, 1, 201)));
    assertEquals(Optional.empty(), compared(pushedTwice(2, 5, 205), pushedTwice(5, 3, 203)));
    assertTrue(compared(pushedTwice(1, 0, 201), pushedTwice(0, 1, 201)).isPresent());
  }

  private static AccessTrace pushedTwice(long first, long second, long pushedLast) {
    TraceBuilder trace = list();
    trace.begin(10).takes("slots", first).locks();
    trace.stores("head", 0, first).pushes(100 + first).pushes(200 + first).commits();
    trace.begin(11).takes("slots", second).locks();
    trace.stores("head", 0, second).pushes(100 + second).pushes(pushedLast);
    return trace.commits().build();
  }

  /** Items that each take a slot; the first two push a ticket, and the others a neighbor. */
  private static AccessTrace tickets(int neighbors, long first, long second) {
    TraceBuilder trace = list();
    for (int i = 0; i < 2 + neighbors; i++) {
      long slot = i == 0 ? first : i == 1 ? second : i;
      trace.begin(10 + i).takes("slots", slot).opens("lists", 0).locks();
      trace.stores("head", 0, slot).pushes(i < 2 ? 100 + slot : 200 - 7 * i).commits();
    }
    return trace.build();
  }

  @Test
  void whatFewAddToSlotsStandsForNone() {
    for (int neighbors = 0; neighbors < 6; neighbors++) {
      AccessTrace run = tickets(neighbors, 1, 0);
      AccessTrace serial = tickets(neighbors, 0, 1);
      Comparison comparison =
          SerialReplay.compare(run, serial, Map.of(), place -> Optional.empty());
      assertEquals("", comparison.lacks());
      assertEquals(neighbors > 2, comparison.violation().isPresent(), "neighbors: " + neighbors);
    }
  }

  /** Two items that each take a slot with three corners, and refer to one of these. */
  private static AccessTrace corners(long first, long second, long secondLink) {
    TraceBuilder trace =
        new TraceBuilder()
            .objects("cells", 2)
            .array("link", 2)
            .array("corners", 24)
            .pool("slots", 8, 0);
    trace.begin(10).opens("cells", 0).takes("slots", first).locks();
    trace.stores("corners", 3 * first + 1, 0).stores("link", 0, 3 * first + 1).commits();
    trace.begin(11).opens("cells", 1).takes("slots", second).locks();
    return trace.stores("corners", 3 * second, 0).stores("link", 1, secondLink).commits().build();
  }

  @Test
  void elementsOfSlotsStandForEachOther() {
    assertEquals(Optional.empty(), compared(corners(2, 5, 17), corners(5, 3, 11)));
    Violation found = compared(corners(2, 5, 17), corners(5, 3, 10)).orElseThrow();
    assertTrue(
        found.text().startsWith("item 11 writes link[1] and makes it 17, but 10"), found::text);
  }

  /** Item 11 writes as many as the attempts that it gave up, which a hook has counted. */
  private static AccessTrace counted(boolean retried) {
    TraceBuilder trace = new TraceBuilder().objects("cells", 1).array("tries", 1).array("sum", 2);
    trace.begin(10).opens("cells", 0).locks().stores("sum", 0, 1).commits();
    if (retried) {
      trace.begin(11).does(AccessTrace.Kind.PLAIN_READ, "tries", 0, 0).opens("cells", 0).retries();
      trace.phase(AccessTrace.PHASE_ROLLED_BACK);
      trace.does(AccessTrace.Kind.PLAIN_WRITE, "tries", 0, 1);
    }
    int tries = retried ? 1 : 0;
    return trace
        .begin(11)
        .does(AccessTrace.Kind.PLAIN_READ, "tries", 0, tries)
        .opens("cells", 0)
        .locks()
        .stores("sum", 1, tries)
        .commits()
        .build();
  }

  @Test
  void whatAnAttemptLeftToTheNextIsNoRace() {
    Violation found = compared(counted(true), counted(false)).orElseThrow();
    assertEquals(Kind.NOT_REPEATABLE, found.kind(), found::text);
    assertTrue(found.text().contains("reads") && found.text().contains("tries[0]"), found::text);
    assertEquals(Optional.empty(), compared(counted(false), counted(false)));
  }

  /** Item 11 adds to one of two data, perhaps after an atomic operation. */
  private static AccessTrace adds(long to, boolean counts) {
    TraceBuilder trace =
        new TraceBuilder().objects("cells", 2).array("values", 2).array("turns", 1);
    trace.begin(10).opens("cells", 0).locks().stores("values", 0, 1).commits().begin(11);
    if (counts) {
      trace.does(AccessTrace.Kind.ATOMIC, "turns", 0, to);
    }
    trace.opens("cells", to).reads("values", to, 1, "cells", to);
    return trace.locks().stores("values", to, 6).commits().build();
  }

  @Test
  void whoReadsAnotherDatumAlthoughAllBeforeIsTheSameIsNotRepeatable() {
    Violation found = compared(adds(0, false), adds(1, false)).orElseThrow();
    assertEquals(Kind.NOT_REPEATABLE, found.kind(), found::text);
    assertTrue(found.text().contains("it has read the same until then"), found::text);
    assertEquals(Kind.WRONG_RESULT, compared(adds(0, true), adds(1, true)).orElseThrow().kind());
  }

  /**
   * Item 11 adds to one datum, or, if its first alternative sees a flag by a hint, by the second to
   * another.
   */
  private static AccessTrace addsByAlternatives(boolean seen, AccessTrace.Kind end) {
    TraceBuilder trace = new TraceBuilder().objects("cells", 2).array("values", 2).array("flag", 1);
    trace.begin(10).opens("cells", 0).locks().stores("flag", 0, 1).commits();
    trace.begin(11).event(AccessTrace.Kind.INNER_BEGIN).glances("flag", 0, seen ? 1 : 0);
    if (seen) {
      trace.event(end).event(AccessTrace.Kind.INNER_BEGIN);
    }
    int to = seen ? 1 : 0;
    trace.opens("cells", to).reads("values", to, 1, "cells", to);
    trace.event(AccessTrace.Kind.INNER_KEPT).locks().stores("values", to, 6);
    return trace.commits().build();
  }

  @ParameterizedTest
  @EnumSource(names = {"INNER_UNDONE", "EFFECTS_UNDONE"})
  void hintsOfAlternativesThatWereUndoneChoose(AccessTrace.Kind end) {
    Violation found =
        compared(addsByAlternatives(true, end), addsByAlternatives(false, end)).orElseThrow();
    assertEquals(Kind.UNCHECKED_HINT, found.kind(), found::text);
    assertTrue(found.text().contains("flag[0] and gets 1; "), found::text);
    assertFalse(found.text().contains("it has read the same until then"), found::text);
  }

  /**
   * Item 11 adds to one of two data, by the second alternative, after a read in the first that was
   * undone.
   */
  private static AccessTrace addsAfterUndoneRead(long to) {
    TraceBuilder trace = new TraceBuilder().objects("cells", 2).array("values", 2);
    trace.begin(10).opens("cells", 0).locks().stores("values", 0, 1).commits().begin(11);
    trace.event(AccessTrace.Kind.INNER_BEGIN).opens("cells", 0);
    trace.reads("values", 0, 1 + to, "cells", 0).event(AccessTrace.Kind.INNER_UNDONE);
    trace.opens("cells", to).reads("values", to, 1, "cells", to);
    return trace.locks().stores("values", to, 6).commits().build();
  }

  @Test
  void nothingIsSaidOfWhatWasReadBeforeWhereReadsWereUndone() {
    Violation found = compared(addsAfterUndoneRead(0), addsAfterUndoneRead(1)).orElseThrow();
    assertEquals(Kind.WRONG_RESULT, found.kind(), found::text);
    assertFalse(found.text().contains("it has read the same until then"), found::text);
  }

  /**
   * Two items that count by an atomic operation, the one that commits first before the other or
   * after it.
   */
  private static Plan planOfCounts(boolean inTurn) {
    TraceBuilder trace = new TraceBuilder().objects("cells", 2).array("count", 1);
    trace.begin(10).opens("cells", 0).begin(11).opens("cells", 1);
    trace.on(inTurn ? 10 : 11).does(AccessTrace.Kind.ATOMIC, "count", 0, 1);
    trace.on(inTurn ? 11 : 10).does(AccessTrace.Kind.ATOMIC, "count", 0, 2);
    return SerialReplay.plan(trace.on(10).locks().commits().on(11).locks().commits().build());
  }

  @Test
  void atomicOperationsInTheSerialOrderGiveTheSameInTurn() {
    assertEquals("", planOfCounts(true).lacks());
    assertEquals("atomic operations have an order of their own", planOfCounts(false).lacks());
  }

  private static TraceBuilder flag() {
    return new TraceBuilder().objects("cells", 2).array("flag", 1).array("values", 2);
  }

  /** Item 10 sets the flag. */
  private static TraceBuilder sets(TraceBuilder to) {
    return to.begin(10).opens("cells", 0).locks().stores("flag", 0, 1).commits();
  }

  /** Item 11 commits unless it has seen the flag by a hint. */
  private static TraceBuilder looks(TraceBuilder to, boolean seen) {
    return looks(to, 11, seen);
  }

  private static TraceBuilder looks(TraceBuilder to, long item, boolean seen) {
    to.begin(item).glances("flag", 0, seen ? 1 : 0);
    return seen ? to.cancels() : to.opens("cells", 1).locks().stores("values", 1, 5).commits();
  }

  @Test
  void aHintThatDecidesShowsInAnotherOrder() {
    AccessTrace serial = looks(sets(flag()), true).build();
    Plan other = SerialReplay.reordered(serial).orElseThrow();
    assertEquals(new Plan(List.of(11, 10), List.of(11L, 10L), ""), other);
    AccessTrace reordered = sets(looks(flag(), false)).build();
    Comparison comparison =
        SerialReplay.compareReordered(
            serial, other, reordered, Map.of(), place -> Optional.empty());
    assertEquals(Kind.UNCHECKED_HINT, comparison.violation().orElseThrow().kind());
    assertEquals(
        List.of(
            "item 11 cancels, but commits when items that share no object run in another order",
            "  first it reads, by tx.glance, flag[0] and gets 1; in that order it reads flag[0] and"
                + " gets 0",
            "  item 10, attempt 1, in apply, writes, by tx.store, flag[0] and makes it 1",
            "remedy: look at it again under a claim, as by tx.open and tx.read, before anything"
                + " follows from it; or, if either result is right, declare static constexpr bool"
                + " order_dependent = true"),
        comparison.violation().orElseThrow().text().lines().toList());
  }

  /** What is told is the write that comes before the hint in the other order only. */
  @Test
  void aHintMayDecideBeforeTheWriteToo() {
    AccessTrace serial = sets(looks(flag(), false)).build();
    Plan other = SerialReplay.reordered(serial).orElseThrow();
    assertEquals(List.of(10L, 11L), other.items());
    AccessTrace reordered = looks(sets(flag()), true).build();
    String text =
        SerialReplay.compareReordered(serial, other, reordered, Map.of(), place -> Optional.empty())
            .violation()
            .orElseThrow()
            .text();
    assertTrue(
        text.startsWith("item 11 commits, but cancels when items that share no object"), text);
    assertTrue(text.contains("item 10, attempt 1, in apply, writes, by tx.store, flag[0]"), text);
  }

  @Test
  void aHintThatMakesNoDifferenceIsRight() {
    AccessTrace serial = looks(sets(flag()), true).build();
    AccessTrace reordered = sets(flag().begin(11).glances("flag", 0, 0).cancels()).build();
    Plan other = SerialReplay.reordered(serial).orElseThrow();
    assertEquals(
        new Comparison("", Optional.empty()),
        SerialReplay.compareReordered(
            serial, other, reordered, Map.of(), place -> Optional.empty()));
  }

  @Test
  void whatObjectsOrderStays() {
    TraceBuilder opens = sets(flag());
    opens.begin(11).glances("flag", 0, 1).opens("cells", 0).reads("flag", 0, 1).cancels();
    assertEquals(Optional.empty(), SerialReplay.reordered(opens.build()));
    TraceBuilder peeks = sets(flag());
    peeks.begin(11).peeks("flag", 0, 1, "cells", 0).cancels();
    assertEquals(Optional.empty(), SerialReplay.reordered(peeks.build()));
    TraceBuilder between = sets(flag()).begin(12).opens("cells", 0).opens("cells", 1).cancels();
    between.begin(11).glances("flag", 0, 1).opens("cells", 1).cancels();
    assertEquals(Optional.empty(), SerialReplay.reordered(between.build()));
  }

  /** Item 11 frees slot 0 if it has seen the flag by a hint, and commits in any case. */
  private static TraceBuilder freesIf(TraceBuilder to, boolean seen) {
    to.begin(11).glances("flag", 0, seen ? 1 : 0).opens("cells", 1).locks();
    return (seen ? to.frees("slots", 0) : to).commits();
  }

  private static TraceBuilder flagAndPool() {
    return new TraceBuilder().objects("cells", 2).array("flag", 1).pool("slots", 2, 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHintThatDecidesWhatIsFreedIsFoundInAnotherOrder(boolean seen) {
    TraceBuilder first =
        seen ? freesIf(sets(flagAndPool()), true) : sets(freesIf(flagAndPool(), false));
    AccessTrace serial = first.build();
    AccessTrace reordered =
        (seen ? sets(freesIf(flagAndPool(), false)) : freesIf(sets(flagAndPool()), true)).build();
    Plan other = SerialReplay.reordered(serial).orElseThrow();
    Violation found =
        SerialReplay.compareReordered(serial, other, reordered, Map.of(), place -> Optional.empty())
            .violation()
            .orElseThrow();
    assertEquals(Kind.UNCHECKED_HINT, found.kind());
    String what = seen ? "frees slots[0], but not" : "does not free slots[0], but does";
    assertTrue(
        found.text().startsWith("item 11 " + what + " when items that share no"), found.text());
    assertTrue(found.text().contains("first it reads, by tx.glance, flag[0]"), found.text());
  }

  /**
   * Item 9 takes slot 7, and item 11 frees it if it has seen the flag by a hint.
   *
   * @param underAClaim whether item 11 reads the slot's number so
   */
  private static TraceBuilder takenAndFreed(boolean underAClaim, boolean seen) {
    TraceBuilder trace = new TraceBuilder().objects("cells", 4).array("flag", 1);
    trace.array("record", 1).pool("slots", 8, 1);
    if (seen) {
      sets(trace);
    }
    trace.begin(9).takes("slots", 7).opens("cells", 1).locks().stores("record", 0, 7).commits();
    trace.begin(11).glances("flag", 0, seen ? 1 : 0).opens("cells", 1);
    trace = underAClaim ? trace.reads("record", 0, 7) : trace.glances("record", 0, 7);
    trace.locks();
    trace = (seen ? trace.frees("slots", 7) : trace).commits();
    return seen ? trace : sets(trace);
  }

  private static Optional<Violation> freesTaken(boolean underAClaim) {
    AccessTrace serial = takenAndFreed(underAClaim, false).build();
    AccessTrace reordered = takenAndFreed(underAClaim, true).build();
    Plan other = SerialReplay.reordered(serial).orElseThrow();
    return SerialReplay.compareReordered(
            serial, other, reordered, Map.of(), place -> Optional.empty())
        .violation();
  }

  /** What is freed without a claim is a foreign free in some schedule. */
  @Test
  void aHintThatDecidesWhetherToFreeWhatAnotherTookIsFoundIfTheSlotIsKnown() {
    String found = freesTaken(true).orElseThrow().text();
    assertTrue(found.startsWith("item 11 does not free slots[7], but does when items"), found);
    assertTrue(found.contains("first it reads, by tx.glance, flag[0]"), found);
    assertEquals(Optional.empty(), freesTaken(false));
  }

  /** What it saw nobody held. */
  @Test
  void whoPeekedBeforeAWriteMayComeBehindIt() {
    TraceBuilder peeks = flag().begin(11).peeks("flag", 0, 0, "cells", 0).cancels();
    assertEquals(
        List.of(10L, 11L), SerialReplay.reordered(sets(peeks).build()).orElseThrow().items());
    TraceBuilder opens = flag().begin(11).opens("cells", 0).peeks("flag", 0, 0, "cells", 0);
    assertEquals(Optional.empty(), SerialReplay.reordered(sets(opens.cancels()).build()));
  }

  @Test
  void anotherOrderIsOfNoUseWhereNobodyReadsWhatItChanges() {
    TraceBuilder others = sets(flag());
    others.begin(11).glances("values", 0, 1).cancels();
    assertEquals(Optional.empty(), SerialReplay.reordered(others.build()));
    TraceBuilder undone = sets(flag()).begin(11).event(AccessTrace.Kind.INNER_BEGIN);
    undone.event(AccessTrace.Kind.INNER_UNDONE).glances("values", 0, 1).opens("cells", 1).locks();
    assertEquals(Optional.empty(), SerialReplay.reordered(undone.commits().build()));
  }

  @Test
  void anotherOrderLacksTheClaimsOfInnerTransactionsThatWereUndone() {
    TraceBuilder undone = sets(flag()).begin(11).event(AccessTrace.Kind.INNER_BEGIN);
    undone.glances("flag", 0, 1).event(AccessTrace.Kind.INNER_UNDONE);
    AccessTrace serial = undone.opens("cells", 1).locks().commits().build();
    assertEquals(
        Optional.of(new Plan(List.of(), List.of(), "an inner transaction was undone")),
        SerialReplay.reordered(serial));
  }

  /** Item 10 sets the flag, item 11 writes a value, and item 12 commits unless it sees the flag. */
  private static AccessTrace writes(long value, boolean reordered) {
    TraceBuilder all = new TraceBuilder().objects("cells", 3).array("flag", 1).array("values", 2);
    if (!reordered) {
      sets(all);
    }
    all.begin(11).opens("cells", 2).locks().stores("values", 0, value).commits();
    return (reordered ? sets(looks(all, 12, false)) : looks(all, 12, true)).build();
  }

  /** An item behind one that does otherwise for nothing that it read may do so because of it. */
  @Test
  void whatFollowsADifferenceThatNothingExplainsSaysNothing() {
    Plan order = new Plan(List.of(11, 12, 10), List.of(11L, 12L, 10L), "");
    Comparison same =
        SerialReplay.compareReordered(
            writes(5, false), order, writes(5, true), Map.of(), place -> Optional.empty());
    assertTrue(same.violation().orElseThrow().text().startsWith("item 12 cancels, but commits"));
    assertEquals(
        new Comparison("an item does otherwise that has read the same", Optional.empty()),
        SerialReplay.compareReordered(
            writes(5, false), order, writes(6, true), Map.of(), place -> Optional.empty()));
  }

  /** Two items of one number, in this order of threads; the one of thread 12 leaves what it saw. */
  private static TraceBuilder twoOfOneNumber(boolean seerFirst, long left) {
    TraceBuilder trace = list();
    for (boolean sees : new boolean[] {seerFirst, !seerFirst}) {
      trace.begin(10, sees ? 12 : 11);
      if (sees) {
        trace.glances("head", 0, left - 50).locks().stores("keys", 1, left).commits();
      } else {
        trace.locks().stores("head", 0, 3).commits();
      }
    }
    return trace;
  }

  @Test
  void itemsOfOneNumberAreToldByTheirThreads() {
    AccessTrace run = twoOfOneNumber(false, 53).build();
    Plan plan = SerialReplay.plan(run);
    assertEquals(List.of(11, 12), plan.threads(), plan::lacks);
    assertEquals(Optional.empty(), comparison(run, run).violation());
    AccessTrace other = twoOfOneNumber(true, 50).build();
    Violation found =
        SerialReplay.compareReordered(
                run,
                new Plan(List.of(12, 11), List.of(10L, 10L), ""),
                other,
                Map.of(),
                at -> Optional.empty())
            .violation()
            .orElseThrow();
    assertEquals(Kind.UNCHECKED_HINT, found.kind(), found::text);
    assertTrue(
        found.text().contains("item 10, attempt 1, in apply, writes, by tx.store, head[0]"),
        found::text);
    Comparison otherwise = comparison(run, other);
    assertEquals("items that wait for each other do not run in turn", otherwise.lacks());
    // Where items run on one thread after the other, nothing tells them apart.
    assertEquals("several items have one number", SerialReplay.lacks(run));
  }

  @Test
  void itemsOfOneNumberThatTakeSlotsAreNotCompared() {
    TraceBuilder trace = twoOfOneNumber(false, 53);
    assertEquals("", SerialReplay.plan(trace.build()).lacks());
    trace.begin(10, 13).takes("slots", 2).locks().commits();
    assertEquals(
        "several items of one number take slots", SerialReplay.plan(trace.build()).lacks());
  }
}
