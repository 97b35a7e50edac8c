package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.history.Histories;
import io.magpie.verification.workload.DrawnWorkload.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DrawnWorkloadTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "drawn; drawn:objects=1024,accesses=8,writes=50,words=1,cancels=0",
        "drawn:words=2,objects=3; drawn:objects=3,accesses=8,writes=50,words=2,cancels=0",
        "drawn:accesses=1,writes=0; drawn:objects=1024,accesses=1,writes=0,words=1,cancels=0",
        "drawn:cancels=100; drawn:objects=1024,accesses=8,writes=50,words=1,cancels=100"
      })
  void shapesAreReadAndWritten(String text, String whole) {
    assertEquals(whole, Shape.parse(text).toString());
    assertEquals(Shape.parse(text), Shape.parse(whole));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spun",
        "drawn:",
        "drawn:objects",
        "drawn:objects=0",
        "drawn:objects=9999999999",
        "drawn:accesses=9",
        "drawn:writes=101",
        "drawn:words=3",
        "drawn:cancels=101",
        "drawn:words=1,words=1",
        "drawn:size=3"
      })
  void malformedShapesAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Shape.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "cpu:4, COUNTER, HAND_OFF",
    "cpu:4, TIMER, HAND_OFF",
    "cpu:2, COUNTER, PRIORITY_RULE",
    "sim:5:8, DEFAULT, HAND_OFF",
    "sim:5:1, DEFAULT, PRIORITY_RULE"
  })
  void runsAreSerializable(String spec, Recording.Clock clock, Policy policy) {
    long items = spec.startsWith("sim") ? 300 : 20_000;
    try (Device device = Device.open(spec);
        DrawnWorkload workload = new DrawnWorkload(device, new Shape(64, 4, 50, 2, 10), 1);
        RecordedRuns runs =
            new RecordedRuns(
                workload,
                StmOptions.defaults().withPolicy(policy),
                Recording.Options.defaults().withClock(clock),
                0,
                1 << 28)) {
      String first = "";
      for (int number = 0; number < 2; number++) {
        CheckedRun run = runs.run(items, number);
        assertTrue(run.report().complete(), () -> run.report().unfinishedReason());
        assertEquals(List.of(), run.violations());
        assertEquals(Verdict.Level.STRICTLY_SERIALIZABLE, run.verdict().level());
        Verdict.Extent extent = run.verdict().extent();
        assertTrue(extent.canceled() > 0, extent.toString());
        assertEquals(items, extent.committed() + extent.canceled());
        assertTrue(run.edges() > 2 * items, "edges: " + run.edges());
        String history = Histories.toString(run.history());
        assertTrue(!history.equals(first), "each run is drawn anew");
        first = history;
      }
    }
  }

  @Test
  void logsGrowOnlyAsFarAsTheyMay() {
    try (Device device = Device.open("cpu:2");
        DrawnWorkload workload = new DrawnWorkload(device, Shape.DEFAULT, 1);
        RecordedRuns runs =
            new RecordedRuns(
                workload,
                StmOptions.defaults(),
                Recording.Options.defaults().withWordsPerThread(16),
                0,
                100_000)) {
      assertEquals(100, runs.run(100, 0).verdict().extent().committed());
      DeviceOutOfMemoryException e =
          assertThrows(DeviceOutOfMemoryException.class, () -> runs.run(100_000, 1));
      assertTrue(e.getMessage().contains("run fewer items at once"), e.getMessage());
      assertEquals(100_000, e.freeBytes());
    }
  }
}
