package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.examples.input.InputException;
import org.junit.jupiter.api.Test;

class JGraphTPathsTest {
  /** 2^53 + 1 is the least whole number that is no double. */
  @Test
  void distancesThatDoublesDoNotHoldAreRefused() {
    JGraphTPaths.requireExact("far.gr", 1L << 53);
    InputException e =
        assertThrows(
            InputException.class, () -> JGraphTPaths.requireExact("far.gr", (1L << 53) + 1));
    assertEquals(
        "far.gr: distances are up to 9007199254740993, and JGraphT adds them up in doubles, exact"
            + " up to 2^53; leave jgrapht out of --with, or use smaller weights",
        e.getMessage());
  }
}
