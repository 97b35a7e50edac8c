package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.verification.data.RecordedEffects.Slot;
import io.magpie.verification.history.History;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedEffectsTest {
  @Test
  void ofACommitWhatWasNotUndoneCounts() {
    History history =
        new RecordedLog()
            .opens(0, 0)
            .takes(0, 7)
            .pushes(9)
            .takes(1, 3)
            .undoes(1)
            .takes(1, 4)
            .writes(0, 0, 12, 5)
            .pushes(-1)
            .pushes(2)
            .frees(1, 2)
            .frees(0, 8)
            .frees(0, 5)
            .commits(0)
            .history();
    assertEquals(
        new RecordedEffects(
            List.of(new Slot(0, 7), new Slot(1, 4)),
            List.of(new Slot(0, 5), new Slot(0, 8), new Slot(1, 2)),
            List.of(2, -1)),
        RecordedEffects.of(history, 0));
    assertEquals(1, history.accessCount(0), "what is no access is none to the checker");
  }

  @Test
  void othersDidNothing() {
    History history =
        new RecordedLog()
            .takes(0, 1)
            .pushes(5)
            .cancels(0)
            .takes(0, 1)
            .aborts(1)
            .opens(0, 0)
            .commits(1)
            .takes(0, 1)
            .undoes(0)
            .commits(2)
            .history();
    for (int attempt = 0; attempt < 4; attempt++) {
      assertEquals(RecordedEffects.NONE, RecordedEffects.of(history, attempt));
    }
  }
}
