package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What arrays can be declared to hold, and what is refused. */
class DeclaredSlotsTest {
  @Test
  void whatIsAddedIsZeroOrGreater() {
    assertEquals(OptionalLong.of(0), DeclaredSlots.of("nodes", 0).held().orElseThrow().plus());
    String refused =
        assertThrows(IllegalArgumentException.class, () -> DeclaredSlots.of("nodes", -5))
            .getMessage();
    assertEquals("what is added to slots' numbers is 0 or greater, not -5", refused);
  }

  @Test
  void nothingIsAddedToNoNumbers() {
    String refused =
        assertThrows(
                IllegalArgumentException.class,
                () -> new DeclaredSlots.Held(Optional.empty(), OptionalLong.of(1)))
            .getMessage();
    assertEquals(
        "an array without slots' numbers has none to which 1 is added: name a pool, or add nothing",
        refused);
  }
}
