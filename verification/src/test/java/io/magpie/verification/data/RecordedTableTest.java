package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.history.History;
import org.junit.jupiter.api.Test;

/** The table of a violation where recordings know the lines of accesses. */
class RecordedTableTest {
  @Test
  void accessesHaveTheirLines() {
    History history =
        new RecordedLog()
            .opens(3, 0)
            .reads(3, 0, 12, 7)
            .writes(3, 0, 12, 9)
            .commits(0)
            .opens(3, 1)
            .reads(3, 0, 12, 0)
            .writes(3, 1, 12, 9)
            .commits(1)
            .history();
    String table =
        SerializabilityChecker.check(history, SerializabilityChecker.Options.DEFAULT)
            .violation()
            .orElseThrow()
            .toString();
    assertTrue(table.contains("read object 3: 0 (line 7)"), table);
    assertTrue(table.contains("write object 3: 0 to 1 (line 9)"), table);
    assertTrue(table.contains("write object 3: 1 to 2 (line 9)"), table);
    assertTrue(table.lines().anyMatch(line -> line.strip().equals("read object 3: 0")), table);
  }
}
