package io.magpie.algorithms.sat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.sat.SurveyOptions.Flips;
import io.magpie.algorithms.sat.SurveyResult.Outcome;
import io.magpie.stm.Device;
import io.magpie.stm.simulator.Schedule;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;

/** Whatever a run says of a small formula is so, by all assignments. */
class SurveyProperties {
  private static final int MOST_VARIABLES = 9;

  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  void outcomesAreTrue(
      @ForAll("formulas") Formula formula,
      @ForAll("variants") SurveyOptions options,
      @ForAll("devices") String device,
      @ForAll boolean setsAlone) {
    check(formula, options, SurveyVariants.device(device), setsAlone);
  }

  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void underAnySchedule(
      @ForAll("formulas") Formula formula,
      @ForAll("variants") SurveyOptions options,
      @ForAll int schedule,
      @ForAll boolean setsAlone) {
    Device device = SurveyVariants.device("sim:2:4");
    device.simulator().setSchedule(Schedule.randomWalk(schedule));
    try {
      check(formula, options, device, setsAlone);
    } finally {
      device.simulator().setSchedule(null);
    }
  }

  /**
   * @param setsAlone that the host flips nothing for sets; with formulas this small it would flip
   *     all but on the simulator
   */
  private static void check(
      Formula formula, SurveyOptions options, Device device, boolean setsAlone) {
    int few = setsAlone ? 0 : LocalSearch.few(device.machine());
    SurveyResult result = SurveyPropagation.run(device, formula, options, step -> {}, few);
    if (setsAlone && options.flips() == Flips.SETS) {
      assertEquals(0, result.report().orElseThrow().flipsOnHost());
    }
    assertEquals(List.of(), FormulaVerifier.verify(result));
    List<Integer> solutions = BruteForce.solutions(formula);
    if (result.unsatisfiable() || solutions.isEmpty()) {
      assertEquals(List.of(), solutions);
      assertTrue(result.outcome() != Outcome.SOLVED);
    }
    assertEquals(SurveyReference.run(formula, options).unsatisfiable(), result.unsatisfiable());
    if (result.decimations() == 0 && result.outcome() == Outcome.PARAMAGNETIC) {
      // Nothing was decided but by propagation, so that all solutions agree with it.
      for (int v = 0; v < formula.variables(); v++) {
        int value = result.decided()[v];
        int variable = v;
        assertTrue(
            value == 0
                || solutions.stream().allMatch(s -> (s >> variable & 1) == (value > 0 ? 1 : 0)));
      }
    }
  }

  @Provide
  Arbitrary<Formula> formulas() {
    Arbitrary<Integer> variables = Arbitraries.integers().between(0, MOST_VARIABLES);
    return variables.flatMap(
        n -> {
          if (n == 0) {
            return Arbitraries.just(Formula.of(0));
          }
          Arbitrary<Integer> literal =
              Combinators.combine(Arbitraries.integers().between(1, n), Arbitraries.of(true, false))
                  .as((v, positive) -> positive ? v : -v);
          Arbitrary<int[]> clause =
              Arbitraries.frequencyOf(
                  Tuple.of(1, clauses(literal, 0, 1)), Tuple.of(8, clauses(literal, 2, 4)));
          return clause
              .list()
              .ofMaxSize(4 * n)
              .map(clauses -> Formula.of(n, clauses.toArray(int[][]::new)));
        });
  }

  private static Arbitrary<int[]> clauses(Arbitrary<Integer> literal, int least, int most) {
    return literal
        .list()
        .ofMinSize(least)
        .ofMaxSize(most)
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray());
  }

  @Provide
  Arbitrary<SurveyOptions> variants() {
    return Arbitraries.of(SurveyVariants.all())
        .map(options -> options.withFlipsPerVariable(20).withFraction(0.2).withMaxSweeps(60));
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(SurveyVariants.devices());
  }
}
