package io.magpie.verification.testing;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.verification.explore.Violation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailureTextTest {
  @Test
  void whatWasNotJudgedIsSaid() {
    RegionCheck check = RegionCheck.of(Path.of("list.cu"), "insert").items(2);
    FailureText text = new FailureText(check, "sim:0:2", "insert", Map.of());
    assertFalse(text.unchecked("time was up").getMessage().contains("left open"));
    text.leaves(() -> Optional.of("Leaks were not judged."));
    String row = "  left open   Leaks were not judged.\n";
    RegionFailure unchecked = text.unchecked("time was up");
    assertTrue(unchecked.getMessage().contains(row), unchecked.getMessage());
    RegionFailure wrong =
        text.wrong("run 1", null, 0, List.of(new Violation(Violation.Kind.NO_END, "no end")));
    assertTrue(wrong.getMessage().contains(row), wrong.getMessage());
  }
}
