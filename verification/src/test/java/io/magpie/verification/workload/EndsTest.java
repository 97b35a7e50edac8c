package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EndsTest {
  @Test
  void whatEndedSeveralTimesIsNotKnown() {
    Ends ends =
        new Ends(
            new HistoryBuilder()
                .add(-1, 1, 0, History.COMMIT, 0, 1)
                .add(0, 1, 1, History.COMMIT, 2, 3)
                .add(0, 1, 2, History.CANCEL, 4, 5)
                .add(0, 1, 3, History.ABORT, 6, 7)
                .add(7, 1, 4, History.ABORT, 8, 9)
                .add(8, 1, 5, History.CANCEL, 10, 11)
                .build());
    assertEquals(true, ends.get(-1));
    assertNull(ends.get(0));
    assertNull(ends.get(7));
    assertEquals(false, ends.get(8));
    assertNull(ends.get(1));
  }

  @Test
  void nothingEnded() {
    assertNull(new Ends(new HistoryBuilder().build()).get(0));
  }

  @Test
  void itemsAnywhere() {
    Random random = new Random(1);
    for (int items = 1; items < 100; items++) {
      Map<Integer, Boolean> expected = new HashMap<>();
      HistoryBuilder builder = new HistoryBuilder();
      for (int i = 0; i < items; i++) {
        int item = random.nextBoolean() ? i : random.nextInt();
        boolean commits = random.nextBoolean();
        expected.put(item, expected.containsKey(item) ? null : (Boolean) commits);
        builder.add(item, 1, i, commits ? History.COMMIT : History.CANCEL, 2 * i, 2 * i + 1);
      }
      Ends ends = new Ends(builder.build());
      expected.forEach((item, commits) -> assertEquals(commits, ends.get(item)));
    }
  }
}
