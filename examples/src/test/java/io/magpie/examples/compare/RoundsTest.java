package io.magpie.examples.compare;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private final List<String> order = new ArrayList<>();
  private final List<String> verified = new ArrayList<>();

  private Contestant contestant(String name) {
    return new Contestant(
        name,
        Contestant.HOST,
        true,
        Map.of(),
        () -> {
          order.add(name);
          return new Comparison.Outcome(
              Map.of(Comparison.Outcome.TOTAL, 1.0),
              Map.of(),
              Map.of(),
              () -> {
                verified.add(name);
                return name.equals("C") ? Optional.of("bad") : Optional.empty();
              });
        });
  }

  private List<RunRecord> run(Rounds rounds) {
    List<RunRecord> records = new ArrayList<>();
    rounds.run(
        List.of(contestant("A"), contestant("B"), contestant("C")),
        Progress.NONE,
        records::add,
        RoundsTest::mustFinish);
    return records;
  }

  private static void mustFinish(int contestant, String why) {
    throw new AssertionError(why);
  }

  private static Map<String, Long> counted(Map<String, Long> counters, Map<String, Long> aborts) {
    Comparison.Program program =
        () ->
            new Comparison.Outcome(
                Map.of(Comparison.Outcome.TOTAL, 1.0), counters, aborts, Optional::empty);
    List<RunRecord> records = new ArrayList<>();
    new Rounds(0, 1, true)
        .run(
            List.of(new Contestant("A", Contestant.HOST, true, Map.of(), program)),
            Progress.NONE,
            records::add,
            RoundsTest::mustFinish);
    return records.get(0).counters();
  }

  @Test
  void abortsInAllAreThoseOfAllCausesUnlessTheyAreCounted() {
    Map<String, Long> causes = Map.of("outranked", 3L, "stolen", 4L);
    assertEquals(Map.of("colors", 9L, "aborts", 7L), counted(Map.of("colors", 9L), causes));
    assertEquals(Map.of("aborts", 8L), counted(Map.of("aborts", 8L), causes));
    assertEquals(Map.of(), counted(Map.of(), Map.of()), "nothing was counted");
  }

  @Test
  void anOutcomeWithoutItsTotalTimeIsRefusedWhereItIsMade() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new Comparison.Outcome(
                    Map.of("kernels", 1.0), Map.of(), Map.of(), Optional::empty));
    assertEquals("millis lacks 'total', got [kernels]", e.getMessage());
  }

  @Test
  void everyOtherRoundRunsBackwards() {
    List<RunRecord> records = run(new Rounds(1, 3, true));
    assertEquals("CBA ABC CBA ABC".replace(" ", ""), String.join("", order));
    assertEquals(12, verified.size());
    assertEquals(3, records.stream().filter(RunRecord::warmUp).count());
    for (RunRecord each : records) {
      assertEquals(each.contestant() == 2 ? "wrong" : "verified", each.verdict());
    }
  }

  /** The program of somebody else's is what is compared. */
  @Test
  void processorTimeIsAlsoThatOfProgramsThatAreRun() {
    Comparison.Program program =
        () -> {
          try {
            String loop = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; times";
            Process process = new ProcessBuilder("sh", "-c", loop).start();
            String times = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertEquals(0, process.waitFor(), times);
            double seconds = Double.parseDouble(times.replaceAll("(?s)^0m([0-9.]+)s.*", "$1"));
            return new Comparison.Outcome(
                Map.of(Comparison.Outcome.TOTAL, 1000 * seconds),
                Map.of(),
                Map.of(),
                Optional::empty);
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    List<RunRecord> records = new ArrayList<>();
    new Rounds(0, 1, true)
        .run(
            List.of(new Contestant("sh", Contestant.HOST, true, Map.of(), program)),
            Progress.NONE,
            records::add,
            RoundsTest::mustFinish);
    double used = records.get(0).millis().get(Comparison.Outcome.TOTAL);
    assertTrue(used > 50, used + " ms");
    assertTrue(records.get(0).processorMillis() > used - 30, records::toString); // ticks of 10 ms
  }

  @Test
  void mayVerifyOnlyTheFirstOfEach() {
    List<RunRecord> records = run(new Rounds(0, 3, false));
    assertEquals(List.of("A", "B", "C"), verified);
    assertEquals(6, records.stream().filter(r -> r.verdict().equals("not verified")).count());
  }

  @Test
  void refusesNothingToDo() {
    assertThrows(IllegalArgumentException.class, () -> new Rounds(0, 0, true));
    assertThrows(IllegalArgumentException.class, () -> new Rounds(-1, 1, true));
  }
}
