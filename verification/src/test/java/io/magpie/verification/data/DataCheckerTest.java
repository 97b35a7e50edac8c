package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Kind;
import io.magpie.verification.explore.AttemptId;
import io.magpie.verification.explore.Violation;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What findings say of traces that are made by hand. */
class DataCheckerTest {
  private static final int TURNS = 40;
  private static final Map<String, Object> VALUES = Map.of("values", new int[] {5, 5, 5});
  private static final Violation ENDLESS = new Violation(Violation.Kind.NO_END, "no progress");

  private static Violation endless(TraceBuilder trace) {
    return DataChecker.explainEndless(
        List.of(trace.build(1)), Map.of(), ENDLESS, place -> Optional.empty());
  }

  private static List<Violation> found(TraceBuilder trace) {
    return found(trace, Map.of());
  }

  private static List<Violation> found(TraceBuilder trace, Map<String, Object> before) {
    return DataChecker.check(
        List.of(trace.build()), before, Map.of(), place -> Optional.empty(), new UnjudgedSlots());
  }

  private static Violation explained(String fault) {
    AccessTrace trace = new TraceBuilder().begin(0).event(Kind.FAULTED).build();
    return DataChecker.explain(
        List.of(trace),
        Map.of(),
        new Violation(Violation.Kind.FAULT, fault),
        place -> Optional.empty());
  }

  private static void assertContains(String part, Violation violation) {
    assertTrue(violation.text().contains(part), violation::text);
  }

  /** Attempts of rounds have the same names, so that those of the last one alone are told. */
  @Test
  void attemptsOfRoundsBeforeAreNotTold() {
    TraceBuilder wrong = new TraceBuilder().array("values", 1);
    wrong.begin(0).does(Kind.PLAIN_WRITE, "values", 0, 1).locks().commits();
    wrong.begin(1).does(Kind.PLAIN_READ, "values", 0, 1).locks().commits();
    AccessTrace right = new TraceBuilder().array("values", 1).begin(0).locks().commits().build();
    for (boolean last : new boolean[] {false, true}) {
      List<AccessTrace> rounds =
          last ? List.of(right, wrong.build()) : List.of(wrong.build(), right);
      List<Violation> found =
          DataChecker.check(
              rounds, Map.of(), Map.of(), place -> Optional.empty(), new UnjudgedSlots());
      assertEquals(last ? 2 : 0, found.get(0).attempts().size(), found::toString);
    }
  }

  @Test
  void attemptsWithoutAnEndAreTold() {
    TraceBuilder trace = new TraceBuilder().objects("cells", 1);
    trace.begin(0).locks().commits().begin(2, 1).opens("cells", 0).begin(1, 0);
    assertEquals(
        List.of(new AttemptId(2, 1, 1), new AttemptId(1, 2, 0)),
        DataChecker.unended(trace.build()));
  }

  /** An attempt of item 1 that reads two data, between which item 0 commits both, or only one. */
  private static List<Violation> readsAround(Kind second, boolean same) {
    TraceBuilder trace = new TraceBuilder().objects("cells", 1).array("values", 3);
    trace.begin(1).opens("cells", 0).reads("values", 0, 5, "cells", 0);
    trace.begin(0).opens("cells", 0).locks();
    trace.does(Kind.WRITE_BACK, "values", same ? 0 : 2, 6).does(Kind.WRITE_BACK, "values", 1, 6);
    trace.commits().on(1).does(second, "values", 1, 6);
    return found(trace.retries(), VALUES);
  }

  @Test
  void whatAnAttemptThatFailsReadsPastItsTransactionIsOfOneState() {
    List<Violation> two = readsAround(Kind.PLAIN_READ, true);
    assertEquals(1, two.size(), two::toString);
    assertEquals(Violation.Kind.UNGUARDED_ACCESS, two.get(0).kind());
    assertContains("values[1]: the two are of different states", two.get(0));
    assertContains("  item 1, attempt 1, reads, past its transaction, values[1]", two.get(0));
    assertContains("  item 1, attempt 1, reads, by tx.read, values[0]", two.get(0));
    assertContains("remedy: open the object that guards it and use tx.read", two.get(0));
    // The state after the commit has both.
    assertEquals(List.of(), readsAround(Kind.PLAIN_READ, false));
    // It fails, and the region does not get what it read.
    assertEquals(List.of(), readsAround(Kind.READ, true));
    assertEquals(List.of(), readsAround(Kind.GLANCE, true));
  }

  /** The first of the commit's stores has been made, and the second has not. */
  @Test
  void aCommitMayBeHalfWay() {
    TraceBuilder trace = new TraceBuilder().objects("cells", 1).array("values", 2);
    trace.begin(1).opens("cells", 0);
    trace.begin(0).opens("cells", 0).locks().does(Kind.WRITE_BACK, "values", 0, 6);
    trace.on(1).does(Kind.PLAIN_READ, "values", 0, 6).does(Kind.PLAIN_READ, "values", 1, 5);
    trace.on(0).does(Kind.WRITE_BACK, "values", 1, 6).commits().on(1).retries();
    List<Violation> found = found(trace, VALUES);
    assertEquals(1, found.size(), found::toString);
    assertContains("values[1]: the two are of different states", found.get(0));
  }

  /** As where a record is written again, of which one part is as before. */
  @Test
  void aCommitThatWritesWhatWasThereChangesNoState() {
    for (int part = 0; part < 2; part++) {
      int rewritten = part;
      TraceBuilder trace = new TraceBuilder().objects("cells", 1).array("values", 3);
      trace.begin(1).opens("cells", 0).reads("values", 0, 5, "cells", 0);
      trace.begin(0).opens("cells", 0).locks();
      for (int i = 0; i < 2; i++) {
        trace.does(Kind.WRITE_BACK, "values", i, i == rewritten ? 5 : 6);
      }
      trace.commits().on(1).does(Kind.PLAIN_READ, "values", 1, rewritten == 1 ? 5 : 6);
      assertEquals(List.of(), found(trace.retries(), VALUES));
    }
  }

  /** Values may come back, and then nothing tells that there was anything else. */
  @Test
  void aStateIsOneByWhatItHolds() {
    for (boolean back : new boolean[] {true, false}) {
      TraceBuilder trace = new TraceBuilder().objects("cells", 1).array("values", 3);
      trace.begin(1).opens("cells", 0).reads("values", 0, 5, "cells", 0);
      for (int turn = 0; turn < (back ? 2 : 1); turn++) {
        trace.begin(0).opens("cells", 0).locks();
        trace.does(Kind.WRITE_BACK, "values", 0, turn == 0 ? 6 : 5);
        trace.does(Kind.WRITE_BACK, "values", 1, 6).commits();
      }
      trace.on(1).does(Kind.PLAIN_READ, "values", 1, 6);
      assertEquals(back ? 0 : 1, found(trace.retries(), VALUES).size());
    }
  }

  /** Threads note an access before they make it, and another's may come in between. */
  @Test
  void accessesAtTheSameTimeMayBeNotedInEitherOrder() {
    TraceBuilder trace = new TraceBuilder().objects("cells", 1).array("values", 3);
    trace.begin(1).opens("cells", 0).does(Kind.PLAIN_READ, "values", 0, 6);
    trace.begin(0).opens("cells", 0).locks().does(Kind.WRITE_BACK, "values", 0, 6);
    trace.does(Kind.WRITE_BACK, "values", 1, 6).commits();
    trace.on(1).does(Kind.PLAIN_READ, "values", 1, 6);
    assertEquals(List.of(), found(trace.retries(), VALUES));
  }

  /** What two attempts do at a datum, the first of item 4, and the other of one of its number. */
  private static Violation ofOneNumber(
      Consumer<TraceBuilder> first, Consumer<TraceBuilder> second) {
    TraceBuilder trace = new TraceBuilder().objects("cells", 2).array("values", 3);
    first.accept(trace.begin(4, 4).opens("cells", 0));
    second.accept(trace.begin(4, 5).opens("cells", 1));
    List<Violation> found = found(trace);
    assertEquals(1, found.size(), found::toString);
    assertContains("; two items of the launch have the number 4", found.get(0));
    return found.get(0);
  }

  @Test
  void itemsOfOneNumberAreNotOneItem() {
    Consumer<TraceBuilder> commits =
        trace -> trace.locks().does(Kind.PLAIN_WRITE, "values", 1, 7).commits();
    assertEquals(Violation.Kind.UNGUARDED_ACCESS, ofOneNumber(commits, commits).kind());
    Consumer<TraceBuilder> stores = trace -> trace.locks().stores("values", 1, 7).commits();
    assertEquals(Violation.Kind.GUARD_MISMATCH, ofOneNumber(stores, stores).kind());
    Consumer<TraceBuilder> hook =
        trace ->
            trace
                .locks()
                .phase(AccessTrace.PHASE_COMMITTED)
                .does(Kind.PLAIN_WRITE, "values", 1, 7)
                .commits();
    assertEquals(Violation.Kind.SHARED_HOOK, ofOneNumber(hook, hook).kind());
    Violation effect =
        ofOneNumber(
            trace -> trace.does(Kind.PLAIN_WRITE, "values", 1, 7).retries(),
            trace -> trace.does(Kind.PLAIN_READ, "values", 1, 7).locks().commits());
    assertEquals(Violation.Kind.EFFECT_NOT_UNDONE, effect.kind());
  }

  /**
   * A thread may have one after the other; an attempt after one that failed is of the same item.
   */
  @Test
  void whoseAttemptIsNextIsToldByHowTheLastOneEnded() {
    TraceBuilder trace = new TraceBuilder().array("values", 1);
    trace.begin(4).does(Kind.PLAIN_WRITE, "values", 0, 7).locks().commits();
    trace.begin(4).does(Kind.PLAIN_WRITE, "values", 0, 8).locks().commits();
    assertEquals(Violation.Kind.EFFECT_NOT_UNDONE, found(trace).get(0).kind());
    assertTrue(DataChecker.meet(trace.build()));
    TraceBuilder again = new TraceBuilder().array("values", 1);
    again.begin(4).does(Kind.PLAIN_WRITE, "values", 0, 7).retries();
    again.begin(4).does(Kind.PLAIN_WRITE, "values", 0, 8).locks().commits();
    assertEquals(List.of(), found(again));
    assertFalse(DataChecker.meet(again.build()));
  }

  /** One of them ends, and the other one is tried again and again. */
  @Test
  void anItemIsToldThatDoesNotEndAlthoughOneOfItsNumberDid() {
    TraceBuilder trace = new TraceBuilder().objects("cells", 1).array("values", 1);
    trace.begin(4, 4).opens("cells", 0).reads("values", 0, 1).locks().commits();
    for (int i = 0; i < TURNS; i++) {
      trace.begin(4, 5).opens("cells", 0).reads("values", 0, 1).asksAgain();
    }
    assertContains("item 4 is tried again and again", endless(trace));
  }

  /** What it accessed before that says nothing: what it does now makes no access. */
  @Test
  void whoGoesOnWithAnAttemptThatFailedIsTold() {
    TraceBuilder trace = new TraceBuilder().objects("cells", 1).array("values", 3);
    trace.begin(0);
    for (int i = 0; i < TURNS; i++) {
      trace.does(Kind.PLAIN_READ, "values", 1, 0);
    }
    TraceBuilder inVain = trace.event(Kind.IN_VAIN);
    Violation found = endless(inVain);
    assertEquals(Violation.Kind.NO_END, found.kind());
    assertContains("item 0 goes on with an attempt that has failed", found);
    assertContains("remedy: return outcome::retry as soon as an operation of tx fails", found);
    List<AccessTrace> launches = List.of(inVain.build());
    Violation livelock = new Violation(Violation.Kind.LIVELOCK, "came again");
    Violation told = DataChecker.explainLivelock(launches, livelock, place -> Optional.empty());
    assertEquals(Violation.Kind.NO_END, told.kind());
    assertContains("item 0 goes on with an attempt that has failed", told);
    Violation stuck =
        DataChecker.explainStuck(launches, Map.of(), "told", "ended", place -> Optional.empty());
    assertContains("item 0 goes on with an attempt that has failed", stuck);
    for (int i = 0; i < TURNS; i++) {
      inVain.does(Kind.PLAIN_READ, "values", 1, 0);
    }
    assertContains("item 0 is in an endless loop", endless(inVain));
    TraceBuilder over = new TraceBuilder().array("values", 3).begin(0).event(Kind.IN_VAIN);
    assertEquals("no progress", endless(over.retries()).text());
  }

  /** The region looks again at what atomic loads give, wherever they are. */
  @Test
  void atomicLoadsMayBeOfAnotherState() {
    TraceBuilder trace = new TraceBuilder().objects("cells", 1).array("values", 3);
    trace.begin(1).opens("cells", 0).does(Kind.SHARED_READ, "values", 0, 5);
    trace.begin(0).opens("cells", 0).locks().does(Kind.WRITE_BACK, "values", 0, 6);
    trace.does(Kind.WRITE_BACK, "values", 1, 6).commits();
    trace.on(1).does(Kind.PLAIN_READ, "values", 1, 6);
    List<Violation> found = found(trace.retries(), VALUES);
    assertTrue(found.stream().noneMatch(each -> each.text().contains("states")), found::toString);
  }

  /** Item 3 asks for one attempt after another, and so does item 4, which reads what differs. */
  private static TraceBuilder askAgain(int turns) {
    TraceBuilder trace = new TraceBuilder().array("turn", 1).array("others", 9);
    trace.begin(5).does(Kind.LOGGED, "turn", 0, 2).reads("others", 8, 0).locks().commits();
    for (int i = 0; i < turns; i++) {
      trace.begin(3).reads("others", 3, 7).reads("turn", 0, 2).asksAgain();
      trace.begin(4).reads("others", 4, i).asksAgain();
    }
    return trace;
  }

  @Test
  void itemsThatAreTriedAgainAndAgainAreToldWithWhatTheyRead() {
    String told =
        String.join(
            System.lineSeparator(),
            "item 3 is tried again and again: its region returns outcome::retry although nothing has"
                + " failed",
            "  each time it reads, by tx.read, others[3] and gets 7",
            "  each time it reads, by tx.read, turn[0] and gets 2",
            "item 4 is tried again and again: its region returns outcome::retry although nothing has"
                + " failed; it reads only what nobody wrote in this run",
            "  at last it reads, by tx.read, others[4] and gets 39",
            "no progress",
            "remedy: return outcome::retry only where another item, which does not wait itself, is to"
                + " change what was read; else cancel, or push the item for another round");
    TraceBuilder trace = askAgain(TURNS);
    assertEquals(new Violation(Violation.Kind.NO_END, told), endless(trace));
    assertEquals(new Violation(Violation.Kind.LIVELOCK, told), livelock(trace));
  }

  /** Item 6 may be what the others rightly wait for. */
  @Test
  void whoAsksAgainWhileAnotherIsStuckIsNotBlamed() {
    String text = endless(askAgain(TURNS).begin(6).reads("others", 6, 0)).text();
    assertTrue(text.startsWith("no progress" + System.lineSeparator()), text);
    assertTrue(text.contains("meanwhile item 3 is tried again and again"), text);
    assertFalse(text.contains("remedy: return outcome::retry only"), text);
  }

  /** Item 3's attempts fail in turn: its last one alone does not tell what comes again. */
  @Test
  void inALivelockOnlyWhoAlwaysAsksIsToldSo() {
    Violation livelock = new Violation(Violation.Kind.LIVELOCK, "no progress");
    TraceBuilder trace = new TraceBuilder().array("turn", 1);
    for (int i = 0; i < TURNS; i++) {
      trace.begin(3).reads("turn", 0, 2).retries().begin(3).reads("turn", 0, 2).asksAgain();
    }
    assertEquals(livelock, livelock(trace));
    trace.begin(4).reads("turn", 0, 2).asksAgain();
    assertEquals(
        String.join(
            System.lineSeparator(),
            "no progress",
            "meanwhile item 4 is tried again and again: its region returns outcome::retry although"
                + " nothing has failed; it reads only what nobody wrote in this run",
            "  each time it reads, by tx.read, turn[0] and gets 2"),
        livelock(trace).text());
  }

  private static Violation livelock(TraceBuilder trace) {
    return DataChecker.explainLivelock(
        List.of(trace.build()),
        new Violation(Violation.Kind.LIVELOCK, "no progress"),
        place -> Optional.empty());
  }

  @Test
  void whoLosesToOthersDoesNotAskAgain() {
    TraceBuilder trace = new TraceBuilder().array("turn", 1);
    for (int i = 0; i < TURNS; i++) {
      trace.begin(3).reads("turn", 0, 2).retries();
    }
    Violation livelock = new Violation(Violation.Kind.LIVELOCK, "no progress");
    assertEquals(livelock, livelock(trace));
    assertFalse(endless(trace).text().contains("tried again"));
    assertFalse(endless(askAgain(2)).text().contains("tried again"));
  }

  /** An item that has not ended, and does not ask, may let the others end. */
  @Test
  void timeEndsItemsThatAskAgainOnlyIfAllDo() {
    TraceBuilder trace = askAgain(1_000);
    Optional<Violation> found = endedByTime(trace);
    assertContains("item 4 is tried again and again", found.orElseThrow());
    assertEquals(Optional.empty(), endedByTime(trace.begin(6).reads("others", 6, 0)));
    assertEquals(Optional.empty(), endedByTime(askAgain(900)));
  }

  private static Optional<Violation> endedByTime(TraceBuilder trace) {
    return DataChecker.endedByTime(
        List.of(trace.build()), Map.of(), ENDLESS, place -> Optional.empty());
  }

  /** It follows an index that no state has, or goes round for ever. */
  @Test
  void twoStatesMayLeadToAFaultOrALoop() {
    TraceBuilder trace = new TraceBuilder().objects("cells", 1).array("values", 3);
    trace.begin(1).opens("cells", 0).reads("values", 0, 5, "cells", 0);
    trace.begin(0).opens("cells", 0).locks().does(Kind.WRITE_BACK, "values", 0, 6);
    trace.does(Kind.WRITE_BACK, "values", 1, 6).commits();
    trace.on(1).does(Kind.PLAIN_READ, "values", 1, 6);
    Violation endless =
        DataChecker.explainEndless(
            List.of(trace.build(1)), VALUES, ENDLESS, place -> Optional.empty());
    assertEquals(Violation.Kind.NO_END, endless.kind());
    assertContains("before that, values[1]: the two are of different states", endless);
    Violation fault =
        DataChecker.explain(
            List.of(trace.event(Kind.FAULTED).build()),
            VALUES,
            new Violation(Violation.Kind.FAULT, "an index lies outside"),
            place -> Optional.empty());
    assertEquals(Violation.Kind.FAULT, fault.kind());
    assertTrue(fault.text().startsWith("an index lies outside"), fault::text);
    assertContains("before that, values[1]: the two are of different states", fault);
  }

  /** Such as the overflow of a stack, in a function of the library. */
  @Test
  void aFaultWithoutALineIsToldByTheLastOneOfItsThread() {
    TraceBuilder trace = new TraceBuilder().array("values", 2);
    trace.begin(0).at(7).does(Kind.PLAIN_READ, "values", 0, 5);
    trace.begin(1).at(9).does(Kind.PLAIN_READ, "values", 1, 5);
    Violation fault =
        DataChecker.explain(
            List.of(trace.on(0).at(0).event(Kind.FAULTED).build()),
            VALUES,
            new Violation(Violation.Kind.FAULT, "overflow of the thread's stack"),
            place -> place == 0 ? Optional.empty() : Optional.of("list.cu:" + place));
    assertContains("overflow of the thread's stack soon after (list.cu:7)", fault);
  }

  /** Item 0 reads what its first attempt left, and then writes a value. */
  private static TraceBuilder leaves() {
    TraceBuilder trace =
        new TraceBuilder()
            .objects("cells", 2)
            .array("kept", 3)
            .array("values", 2)
            .pool("slots", 4, 0);
    trace.begin(0).does(Kind.PLAIN_WRITE, "kept", 0, 1).retries();
    trace.begin(0).does(Kind.PLAIN_READ, "kept", 0, 1).opens("cells", 0).takes("slots", 2).locks();
    return trace.stores("values", 0, 9).commits();
  }

  private static Optional<Violation> leftBefore(TraceBuilder fault) {
    AccessTrace trace = fault.event(Kind.FAULTED).build();
    return DataChecker.leftByUndone(trace, place -> Optional.empty());
  }

  @Test
  void aFaultIsLaidToWhatItDependsOn() {
    assertEquals(Optional.empty(), leftBefore(leaves().begin(1).reads("values", 1, 0)));
    Violation read = leftBefore(leaves().begin(1).reads("values", 0, 9)).orElseThrow();
    assertContains("kept[0]: it reads what attempt 1 of the same item left", read);
    TraceBuilder atomic = leaves().begin(1).does(Kind.ATOMIC, "values", 0, 10);
    assertEquals(read, leftBefore(atomic).orElseThrow());
    Violation slot = leftBefore(leaves().begin(1).takes("slots", 2)).orElseThrow();
    assertEquals(read.text(), slot.text());
    assertEquals(Optional.empty(), leftBefore(leaves().begin(1).takes("slots", 3)));
    TraceBuilder freed = leaves().begin(2).locks().frees("slots", 2).commits();
    assertEquals(read, leftBefore(freed.begin(1).takes("slots", 2)).orElseThrow());
    TraceBuilder between = leaves().begin(2).reads("values", 0, 9).opens("cells", 1).locks();
    between.stores("values", 1, 3).commits();
    assertEquals(read, leftBefore(between.begin(1).reads("values", 1, 3)).orElseThrow());
  }

  @Test
  void aFaultIsLaidToWhatItsOwnItemLeftFirst() {
    TraceBuilder own = leaves().begin(1).does(Kind.PLAIN_WRITE, "kept", 1, 1).retries();
    own.begin(1).reads("values", 0, 9).does(Kind.PLAIN_READ, "kept", 1, 1);
    assertContains("kept[1]: it reads what attempt 1", leftBefore(own).orElseThrow());
    TraceBuilder twice =
        leaves().begin(1).reads("values", 0, 9).locks().frees("slots", 3).commits();
    assertContains(
        "kept[0]: it reads what attempt 1",
        DataChecker.leftByUndone(twice.build(), place -> Optional.empty()).orElseThrow());
    AccessTrace unknown = leaves().begin(1).reads("values", 0, 9).build();
    assertEquals(Optional.empty(), DataChecker.leftByUndone(unknown, place -> Optional.empty()));
  }

  /** Also of what the same item wrote, and before or after the load. */
  @Test
  void whatALaunchWritesIsNotLoadedAsFixed() {
    for (int writer = 0; writer < 2; writer++) {
      for (boolean before : new boolean[] {true, false}) {
        TraceBuilder trace = new TraceBuilder().array("bits", 4, 1).array("sums", 1);
        if (before) {
          trace.begin(writer).does(Kind.PLAIN_WRITE, "bits", 2, 9);
          trace = writer == 0 ? trace : trace.locks().commits();
        }
        trace = before && writer == 0 ? trace : trace.begin(0);
        trace.does(Kind.FIXED_READ, "bits", 2, 9).does(Kind.PLAIN_READ, "bits", 3, 0);
        if (!before) {
          trace = writer == 0 ? trace : trace.locks().commits().begin(writer);
          trace.does(Kind.PLAIN_WRITE, "bits", 2, 9);
        }
        Violation stale = stale(trace.locks().commits());
        assertContains("bits[2]: ld_plain is for what nobody writes", stale);
        assertContains(
            "  item 0, attempt 1, reads, past its transaction by ld_plain, bits[2] and gets 9",
            stale);
        assertContains(
            String.format(
                Locale.ROOT,
                "  item %d, attempt 1, writes, past its transaction, bits[2] and makes it 9",
                writer),
            stale);
        assertContains(
            writer == 0 ? "remedy: read what the item itself writes" : "use tx.read", stale);
      }
    }
  }

  /** Past the transaction it would be a race with who else writes it, in this launch or another. */
  @Test
  void whatIsSharedIsNotToBeReadPastTheTransaction() {
    for (boolean shared : new boolean[] {true, false}) {
      TraceBuilder trace = new TraceBuilder().array("values", 4).array("sums", 1);
      for (int item = 0; item < (shared ? 2 : 1); item++) {
        trace.begin(item).does(Kind.FIXED_READ, "values", 2, item);
        trace.locks().does(Kind.WRITE_BACK, "values", 2, item + 1).commits();
      }
      Violation stale = stale(trace);
      assertContains("item 0, attempt 1, reads, past its transaction by ld_plain", stale);
      assertContains(
          String.format(
              Locale.ROOT, "item %d, attempt 1, at commit, writes, by tx.write,", shared ? 1 : 0),
          stale);
      assertContains("remedy: open the object that guards it and use tx.read and tx.write", stale);
    }
    TraceBuilder past = new TraceBuilder().array("values", 4).array("sums", 1);
    past.begin(0).does(Kind.PLAIN_WRITE, "values", 2, 1).does(Kind.FIXED_READ, "values", 2, 1);
    past.locks().commits().begin(1).does(Kind.PLAIN_WRITE, "values", 2, 2).locks().commits();
    Violation stale = stale(past);
    assertContains("item 1, attempt 1, writes, past its transaction, values[2]", stale);
    assertContains("open the object that guards it and use tx.read and tx.write", stale);
  }

  private static Violation stale(TraceBuilder trace) {
    return found(trace).stream()
        .filter(each -> each.kind() == Violation.Kind.STALE_LOAD)
        .findFirst()
        .orElseThrow();
  }

  /** Its neighbor within the same word is; a launch before wrote it; and so did other loads. */
  @Test
  void whatNobodyWritesInALaunchIsFixed() {
    TraceBuilder first = new TraceBuilder().array("bits", 4, 1).array("sums", 1).begin(0);
    first.does(Kind.PLAIN_WRITE, "bits", 2, 9).locks().commits();
    TraceBuilder second = first.next().begin(1).does(Kind.FIXED_READ, "bits", 2, 9);
    second.does(Kind.PLAIN_WRITE, "bits", 3, 1).does(Kind.PLAIN_WRITE, "sums", 0, 1);
    second.does(Kind.PLAIN_READ, "sums", 0, 1).locks().commits();
    assertEquals(
        List.of(),
        DataChecker.check(
            List.of(first.build(), second.build()),
            Map.of(),
            Map.of(),
            place -> Optional.empty(),
            new UnjudgedSlots()));
  }

  /** A label at a neighbor that has its own number looks like the end of a walk. */
  @Test
  void whoReadsWhatAnotherMayWriteWaits() {
    TraceBuilder trace =
        new TraceBuilder()
            .array("graph.neighbors", 4, "array:const:u32")
            .array("label.data", 4, "array:u32")
            .begin(2);
    for (int i = 0; i < TURNS; i++) {
      trace.does(Kind.PLAIN_READ, "graph.neighbors", 0, 1).glances("label.data", 1, 1);
    }
    Violation wait = endless(trace);
    assertEquals(Violation.Kind.WAIT, wait.kind(), wait::text);
    assertContains("item 2 reads, by tx.glance, label.data[1] 40 times in a row", wait);
    assertContains("remedy: return outcome::retry", wait);
  }

  @Test
  void whoReadsWhatNobodyWritesDoesNotEnd() {
    TraceBuilder trace =
        new TraceBuilder().array("graph.offsets", 4, "array:const:u32").begin(0).commits().begin(7);
    for (int i = 0; i < TURNS; i++) {
      trace.does(Kind.PLAIN_READ, "graph.offsets", 1, 2);
    }
    Violation noEnd = endless(trace);
    assertEquals(Violation.Kind.NO_END, noEnd.kind(), noEnd::text);
    assertContains(
        "item 7 is in an endless loop, in which it reads only what nobody may write", noEnd);
    assertContains(
        "  each time it reads, past its transaction, graph.offsets[1] and gets 2", noEnd);
    assertContains("no progress", noEnd);
    assertContains("remedy: bound the region's own loops", noEnd);
    assertFalse(noEnd.text().contains("outcome::retry"), noEnd::text);

    trace.commits();
    assertEquals(List.of(), found(trace), "a loop that ends after some turns");
  }

  private static TraceBuilder spinsOnFlag(TraceBuilder trace) {
    trace.begin(0);
    for (int i = 0; i < TURNS; i++) {
      trace.does(Kind.PLAIN_READ, "flag", 0, 0);
    }
    return trace;
  }

  /** The writer may not have come to its write, since it needs what the reader holds. */
  @Test
  void whatNobodyWroteYetMayBeWaitedFor() {
    Violation noEnd = endless(spinsOnFlag(new TraceBuilder().array("flag", 1)));
    assertEquals(Violation.Kind.NO_END, noEnd.kind(), noEnd::text);
    assertContains("item 0 is in an endless loop, in which it reads only what nobody wrote", noEnd);
    assertContains("remedy: bound the region's own loops", noEnd);
    assertContains("read that through tx and return outcome::retry", noEnd);
  }

  @Test
  void aWriteThatIsOnlyLoggedMayBeWaitedFor() {
    TraceBuilder trace = new TraceBuilder().array("flag", 1).begin(1);
    Violation wait = endless(spinsOnFlag(trace.does(Kind.LOGGED, "flag", 0, 1)));
    assertEquals(Violation.Kind.WAIT, wait.kind(), wait::text);
    assertContains("flag[0] 40 times in a row", wait);
  }

  @Test
  void whatAnEarlierLaunchWroteMayBeWaitedFor() {
    TraceBuilder first = new TraceBuilder().array("flag", 1).begin(1).locks();
    first.does(Kind.WRITE_BACK, "flag", 0, 1).commits();
    Violation wait =
        DataChecker.explainEndless(
            List.of(first.build(), spinsOnFlag(first.next()).build(1)),
            Map.of(),
            ENDLESS,
            place -> Optional.empty());
    assertEquals(Violation.Kind.WAIT, wait.kind(), wait::text);
  }

  @Test
  void aWalkInACycleByHintsIsNoWait() {
    TraceBuilder trace =
        new TraceBuilder().array("parent", 9, "array:i32").array("keys", 9, "array:i32").begin(3);
    for (int i = 0; i < TURNS; i++) {
      trace.glances("parent", 2, 7).glances("keys", 7, 1);
      trace.glances("parent", 7, 2).glances("keys", 2, 5);
    }
    Violation noEnd = endless(trace);
    assertEquals(Violation.Kind.NO_END, noEnd.kind(), noEnd::text);
    assertContains("  each time it reads, by tx.glance, parent[7] and gets 2", noEnd);
    assertContains("remedy: bound the region's own loops", noEnd);

    trace.commits();
    assertEquals(List.of(), found(trace), "a walk of a bounded length");
  }

  @Test
  void aWalkInACycleThroughSeveralArraysIsNoWait() {
    TraceBuilder trace = new TraceBuilder().array("down", 9).array("up", 9).begin(3);
    for (int i = 0; i < TURNS; i++) {
      trace.glances("down", 0, 7).glances("up", 7, 2).glances("down", 2, 5).glances("up", 5, 0);
    }
    Violation noEnd = endless(trace);
    assertEquals(Violation.Kind.NO_END, noEnd.kind(), noEnd::text);
    assertContains("  each time it reads, by tx.glance, up[7] and gets 2", noEnd);

    trace.commits();
    assertEquals(List.of(), found(trace), "a walk of a bounded length");

    TraceBuilder three = new TraceBuilder().array("a", 9).array("b", 9).array("c", 9).begin(3);
    for (int i = 0; i < TURNS; i++) {
      three.glances("a", 0, 7).glances("b", 7, 2).glances("c", 2, 5);
      three.glances("a", 5, 6).glances("b", 6, 1).glances("c", 1, 0);
    }
    assertEquals(Violation.Kind.NO_END, endless(three).kind());
  }

  /** To one element of each: a walk only if nobody writes what leads on. */
  @Test
  void aShortCycleThroughSeveralArraysIsAWaitIfSomebodyWritesThem() {
    TraceBuilder walk = new TraceBuilder().array("next", 9).array("other", 9).begin(3);
    TraceBuilder wait = new TraceBuilder().array("next", 9).array("other", 9);
    wait.begin(4).does(Kind.LOGGED, "other", 7, 1).begin(3);
    for (int i = 0; i < TURNS; i++) {
      walk.glances("next", 2, 7).glances("other", 7, 2);
      wait.glances("next", 2, 7).glances("other", 7, 2);
    }
    Violation noEnd = endless(walk);
    assertEquals(Violation.Kind.NO_END, noEnd.kind(), noEnd::text);
    assertContains("in which it reads only what nobody wrote in this run", noEnd);
    assertEquals(Violation.Kind.WAIT, endless(wait).kind());
  }

  /** A number that is waited for may be an index by chance, or lead to what is waited for. */
  @Test
  void whoFollowsANumberToAFlagWaits() {
    TraceBuilder trace = new TraceBuilder().array("head", 1).array("ready", 9).begin(3);
    for (int i = 0; i < TURNS; i++) {
      trace.glances("head", 0, 3).glances("ready", 3, 0);
    }
    assertEquals(Violation.Kind.WAIT, endless(trace).kind());

    TraceBuilder flags = new TraceBuilder().array("flags", 4).begin(3);
    for (int i = 0; i < TURNS; i++) {
      flags.glances("flags", 0, 0).glances("flags", 1, 0);
    }
    assertEquals(Violation.Kind.WAIT, endless(flags).kind());
  }

  @Test
  void aRingIsTold() {
    TraceBuilder trace =
        new TraceBuilder()
            .array("next.data", 9, "array:i32")
            .begin(0)
            .does(Kind.PLAIN_WRITE, "next.data", 8, 3)
            .commits()
            .begin(3)
            .reads("next.data", 1, 8);
    for (int i = 0; i < TURNS; i++) {
      trace.reads("next.data", 8, 3).reads("next.data", 3, 8);
    }
    trace.begin(4).reads("next.data", 0, -1);
    Violation noEnd = endless(trace);
    assertEquals(Violation.Kind.NO_END, noEnd.kind(), noEnd::text);
    assertContains("item 3 is in an endless loop", noEnd);
    assertContains("  each time it reads, by tx.read, next.data[8] and gets 3", noEnd);
    assertContains("  each time it reads, by tx.read, next.data[3] and gets 8", noEnd);
  }

  @Test
  void remediesNameTheField() {
    TraceBuilder trace =
        new TraceBuilder()
            .objects("label.guards", 2)
            .array("label.data", 2, "array:i32")
            .array("count", 1, "array:u32");
    trace.begin(0).does(Kind.PLAIN_READ, "label.data", 1, 0).locks().commits();
    trace.begin(1).opens("label.guards", 1).locks();
    trace.does(Kind.WRITE_BACK, "label.data", 1, 0xffffffffL).commits();
    Violation unguarded = found(trace).get(0);
    assertEquals(Violation.Kind.UNGUARDED_ACCESS, unguarded.kind(), unguarded::text);
    assertEquals(
        List.of(new AttemptId(0, 1, 0), new AttemptId(1, 1, 1)),
        unguarded.attempts().stream().sorted(Comparator.comparingLong(AttemptId::item)).toList());
    assertContains("remedy: use tx.get(label, i) and tx.set(label, i, value)", unguarded);
    assertContains(
        "item 1, attempt 1, at commit, writes, by tx.write, label.data[1] and makes it -1",
        unguarded);

    TraceBuilder counted = trace.next();
    counted.begin(0).does(Kind.PLAIN_READ, "count", 0, 0).locks().commits();
    counted.begin(1).locks().does(Kind.PLAIN_WRITE, "count", 0, 1).commits();
    assertContains(
        "remedy: add to a counter that decides nothing by tx.tally; else open the object",
        found(counted).get(0));
  }

  @Test
  void itemsThatInnerTransactionsGaveUpAreCounted() {
    TraceBuilder trace = new TraceBuilder().array("values", 1).begin(1).cancels().begin(2);
    trace.retries().begin(2).givesUp().begin(3).givesUp().begin(4).locks().commits();
    assertEquals(2, DataChecker.givenUp(trace.build()));
  }

  /** As one that shortens a path: in seek there is no tx to leave it by. */
  @Test
  void aStoreThatRemainsMayBeLeftAsAHint() {
    for (int phase : new int[] {AccessTrace.PHASE_BODY, AccessTrace.PHASE_SEEK}) {
      TraceBuilder trace = new TraceBuilder().array("parent", 4).begin(0).phase(phase);
      trace.does(Kind.SHARED_WRITE, "parent", 3, 1).locks().commits().begin(1).phase(phase);
      trace.does(Kind.SHARED_READ, "parent", 3, 1).locks().commits();
      Violation found = found(trace).get(0);
      assertEquals(Violation.Kind.EFFECT_NOT_UNDONE, found.kind());
      boolean seeks = phase == AccessTrace.PHASE_SEEK;
      assertTrue(
          found.text().endsWith("by tx.leave_hint" + (seeks ? " in plan: seek has no tx" : "")),
          found::text);
    }
  }

  /** Item 0 writes a journal when it is irrevocable, and item 1 reads it, in some phase. */
  private static List<Violation> readsJournal(int phase, Kind write, Kind read) {
    TraceBuilder trace = new TraceBuilder().array("journal", 4);
    trace.begin(0).phase(AccessTrace.PHASE_IRREVOCABLE);
    trace.does(write, "journal", 3, 1).locks().commits().begin(1).phase(phase);
    return found(trace.does(read, "journal", 3, 1).locks().commits());
  }

  @Test
  void whatAnIrrevocableAttemptDoesIsDoneOnce() {
    int irrevocable = AccessTrace.PHASE_IRREVOCABLE;
    assertEquals(List.of(), readsJournal(irrevocable, Kind.PLAIN_WRITE, Kind.PLAIN_READ));
    assertEquals(List.of(), readsJournal(irrevocable, Kind.ATOMIC, Kind.ATOMIC));
  }

  @Test
  void irrevocableAttemptsAreOrderedAmongThemselvesOnly() {
    List<Violation> found = readsJournal(AccessTrace.PHASE_BODY, Kind.PLAIN_WRITE, Kind.PLAIN_READ);
    assertEquals(1, found.size());
    assertEquals(Violation.Kind.UNGUARDED_ACCESS, found.get(0).kind(), found.get(0)::text);
    assertContains(
        "item 0, attempt 1, irrevocable, writes, past its transaction, journal[3]", found.get(0));
  }

  @Test
  void anIrrevocableAttemptIsNotToReadWhatAnotherOneLeft() {
    TraceBuilder trace = new TraceBuilder().array("journal", 4);
    trace.begin(0).does(Kind.PLAIN_WRITE, "journal", 3, 1).retries();
    trace.begin(0).phase(AccessTrace.PHASE_IRREVOCABLE);
    trace.does(Kind.PLAIN_READ, "journal", 3, 1).does(Kind.PLAIN_WRITE, "journal", 3, 2);
    Violation found = found(trace.locks().commits()).get(0);
    assertEquals(Violation.Kind.NOT_REPEATABLE, found.kind(), found::text);
  }

  /** That they do not run at the same time says nothing of what they use. */
  @Test
  void irrevocableAttemptsMeetByWhatTheyUse() {
    for (int element : new int[] {2, 3}) {
      TraceBuilder trace = new TraceBuilder().array("journal", 4);
      trace.begin(0).phase(AccessTrace.PHASE_IRREVOCABLE);
      trace.does(Kind.PLAIN_WRITE, "journal", 3, 1).locks().commits();
      trace.begin(1).phase(AccessTrace.PHASE_IRREVOCABLE);
      trace.does(Kind.PLAIN_WRITE, "journal", element, 1).locks().commits();
      assertEquals(element == 3, DataChecker.meet(trace.build()));
    }
  }

  @Test
  void bothObjectsOfAMismatchAreNamed() {
    TraceBuilder trace = new TraceBuilder().objects("cells", 2).array("values", 1);
    trace.begin(1).opens("cells", 0).locks();
    trace.stores("values", 0, 1, "cells", 0).commits();
    trace.begin(2).opens("cells", 1).reads("values", 0, 1, "cells", 1).locks().commits();
    Violation mismatch = found(trace).get(0);
    assertEquals(Violation.Kind.GUARD_MISMATCH, mismatch.kind(), mismatch::text);
    assertContains(
        "under different objects, item 2 under cells[1], item 1 under cells[0], so", mismatch);
  }

  /** Items that each take the slot of their number, and store at it past the transaction. */
  private static List<Violation> storesDegrees(int degrees, long neighbor) {
    TraceBuilder trace = new TraceBuilder().array("degree", degrees).pool("slots", 4, 0);
    for (int i = 0; i < 4; i++) {
      trace.begin(i).takes("slots", i);
      if (i == 0) {
        trace.does(Kind.PLAIN_READ, "degree", neighbor, 0);
      }
      trace.does(Kind.PLAIN_WRITE, "degree", i, 5).locks().commits();
    }
    return found(trace);
  }

  @Test
  void aSlotOfTheSameNumberMakesNoDatumPrivate() {
    for (int degrees : new int[] {4, 5}) {
      List<Violation> found = storesDegrees(degrees, 1);
      assertEquals(Violation.Kind.EFFECT_NOT_UNDONE, found.get(0).kind());
      assertContains("degree[1]", found.get(0));
    }
    assertEquals(List.of(), storesDegrees(4, 0));
  }

  /** Item 0 counts in a hook, past its transaction, what item 1 reads. */
  private static Violation countsInHook(int phase) {
    TraceBuilder trace = new TraceBuilder().objects("cells", 2).array("values", 3);
    trace.begin(0).opens("cells", 0);
    (phase == AccessTrace.PHASE_COMMITTED ? trace.locks().commits() : trace.retries()).phase(phase);
    trace.does(Kind.PLAIN_WRITE, "values", 2, 9);
    trace.begin(1).opens("cells", 1).does(Kind.PLAIN_READ, "values", 2, 9).locks().commits();
    return found(trace, VALUES).stream()
        .filter(each -> each.kind() == Violation.Kind.SHARED_HOOK)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatAHookMayDoInsteadDependsOnWhetherItsAttemptFailed() {
    assertContains("do it in apply, under the locks", countsInHook(AccessTrace.PHASE_COMMITTED));
    assertContains("leave it to the next attempt", countsInHook(AccessTrace.PHASE_ROLLED_BACK));
  }

  @Test
  void brokenRulesHaveRemedies() {
    assertContains("remedy: reserve", explained("item 0: takes a slot that it did not reserve"));
    assertContains("remedy: open in plan", explained("stores in apply what no open object guards"));
    assertContains("free it in apply", explained("frees a slot outside of apply and committed"));
    assertContains(
        "in the body, or in plan", explained("opens an object in apply, committed or rolled_back"));
    assertContains(
        "remedy: use tx.load in apply",
        explained("reads in apply, committed or rolled_back: apply loads"));
    assertContains(
        "remedy: use tx.store in apply",
        explained("writes in apply, committed or rolled_back: apply stores"));
    assertContains("remedy: read by tx.read", explained("loads outside of apply"));
    assertContains("remedy: note in the state", explained("stores outside of apply"));
    assertContains("remedy: push in", explained("pushes in committed or rolled_back"));
    assertContains("remedy: look whether the divisor", explained("division of an integer by zero"));
    assertContains(
        "remedy: bound the index, or give", explained("index out of bounds: index 2 of 2"));
    assertContains("remedy: bound the recursion", explained("overflow of the thread's stack"));
    assertContains("remedy: look whether the", explained("access through a null pointer"));
    assertContains("remedy: bound the index", explained("access to 0x9, where it has no memory"));
    assertFalse(explained("index 9 of 4").text().contains("remedy"));
  }
}
