package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.data.SerialReplay.Comparison;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
    assertEquals(List.of(10, 11), SerialReplay.plan(run).threads());
    Comparison comparison = SerialReplay.compare(run, serial, place -> Optional.empty());
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

  /** Two items that each take a slot, and push its number. */
  private static AccessTrace pushed(long first, long second, long pushedLast) {
    TraceBuilder trace = list();
    trace.begin(10).takes("slots", first).opens("lists", 0).locks();
    trace.stores("head", 0, first).pushes(first).commits();
    trace.begin(11).takes("slots", second).opens("lists", 0).locks();
    return trace.stores("head", 0, second).pushes(pushedLast).commits().build();
  }

  @Test
  void slotsThatArePushedStandForEachOther() {
    assertEquals(Optional.empty(), compared(pushed(1, 0, 0), pushed(0, 1, 1)));
    Violation found = compared(pushed(1, 0, 5), pushed(0, 1, 1)).orElseThrow();
    assertTrue(found.text().startsWith("item 11 pushes [5], but [1] when it runs"), found::text);
  }
}
