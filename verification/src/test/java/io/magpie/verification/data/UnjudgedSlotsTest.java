package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is said of slots that runs do not judge. */
class UnjudgedSlotsTest {
  @Test
  void slotsThatWereNotJudgedAreToldInSentences() {
    UnjudgedSlots slots = new UnjudgedSlots();
    assertEquals(Optional.empty(), slots.sentences());
    slots.addLeak("nodes[3]", Set.of("table"));
    slots.addLeak("nodes[4]", Set.of("table", "heads"));
    String leaks =
        "Leaks of 2 slots that were in use at the start were not judged: their numbers also stand in"
            + " heads, table.";
    assertEquals(Optional.of(leaks), slots.sentences());
    slots.addUse("nodes[5]", Set.of("marks"));
    slots.addUse("nodes[5]", Set.of("keys"));
    String uses =
        "Uses of 1 slot after being freed were not judged: other commits use keys, marks by what is"
            + " no slot's number; what is indexed by something else can be declared:"
            + " --slots ARRAY=unindexed.";
    assertEquals(Optional.of(leaks + " " + uses), slots.sentences());
    assertEquals(Map.of("nodes[5]", Set.of("keys", "marks")), slots.uses());
    slots.addReference("nodes[6]", Set.of("links"));
    String references =
        "References to 1 slot were not judged: no one way to store numbers explains what"
            + " commits have of their slots in links; what an array holds can be declared:"
            + " --slots ARRAY=POOL, or ARRAY=none.";
    assertEquals(Optional.of(leaks + " " + uses + " " + references), slots.sentences());
    assertEquals(Map.of("nodes[6]", Set.of("links")), slots.references());
  }
}
