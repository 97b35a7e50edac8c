package io.magpie.algorithms.sat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.sat.SurveyOptions.Decimation;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.StmOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class UnitPropagationTest {
  private static final int SATISFIED = 1 << 31;

  static Stream<Arguments> everything() {
    return SurveyVariants.devices().stream()
        .flatMap(device -> Stream.of(Decimation.values()).map(each -> Arguments.of(device, each)));
  }

  /**
   * Values and states of clauses after each decision, and the open formula that is made of them, by
   * what the values leave of the formula.
   */
  @ParameterizedTest
  @MethodSource("everything")
  void statesAreThoseOfTheRest(String device, Decimation decimation) {
    int propagated = 0;
    int conflicts = 0;
    for (int seed = 1; seed <= 8; seed++) {
      Formula formula =
          FormulaGenerator.parse("ksat:n=60,k=3,ratio=3,seed=" + seed).generate().simplified();
      Device on = SurveyVariants.device(device);
      try (DeviceFormula there = new DeviceFormula(on, formula)) {
        Launches launches = new Launches(there.module(), false, StmOptions.defaults());
        Totals totals = new Totals(there, launches);
        there.value().fill(0);
        DeviceArray<int[]> literals = there.scratch().ints("literals", 8);
        try (UnitPropagation units = new UnitPropagation(there, launches, totals, decimation)) {
          OpenFormula open = new OpenFormula(there, launches);
          byte[] values = new byte[60];
          boolean consistent = units.decide(null, 0);
          for (int v = 0; consistent && v + 8 < 60; v += 12) {
            int[] chosen = new int[8];
            int count = 0;
            for (int i = v; i < v + 8; i++) {
              if (values[i] == 0) {
                chosen[count++] = 2 * i + (i + seed) % 2;
              }
            }
            literals.copyFrom(chosen);
            for (int i = 0; i < count; i++) {
              values[chosen[i] >>> 1] = (byte) ((chosen[i] & 1) == 0 ? 1 : -1);
            }
            int decided = known(values);
            boolean expected = NaivePropagation.close(formula, values);
            consistent = units.decide(literals, count);
            assertEquals(expected, consistent, "seed " + seed);
            if (consistent) {
              propagated += known(values) - decided;
              checkStates(formula, values, there, totals);
              if (totals.of("open_clauses") > 0) {
                open.compact((int) totals.of("open_clauses"), (int) totals.of("open_literals"));
                checkSearched(formula.given(values), open.searched(), "seed " + seed);
              }
            } else {
              conflicts++;
            }
          }
        }
      }
    }
    assertTrue(propagated > 20 && conflicts > 0, propagated + ", conflicts: " + conflicts);
  }

  private static void checkSearched(Formula expected, SearchedFormula open, String what) {
    assertEquals(expected, open.onHost(), what);
    assertEquals(expected.clauses(), open.clauses(), what);
    List<List<Integer>> clauses = new ArrayList<>(); // of each literal
    for (int l = 0; l < 2 * expected.variables(); l++) {
      clauses.add(new ArrayList<>());
    }
    for (int a = 0; a < expected.clauses(); a++) {
      for (int literal : expected.clause(a)) {
        clauses.get(2 * (Math.abs(literal) - 1) + (literal < 0 ? 1 : 0)).add(a);
      }
    }
    assertArrayEquals(
        clauses.stream().flatMapToInt(of -> of.stream().mapToInt(a -> a)).toArray(),
        open.clauseOf().toArray(),
        what);
  }

  private static int known(byte[] values) {
    int known = 0;
    for (byte value : values) {
      known += value == 0 ? 0 : 1;
    }
    return known;
  }

  private static void checkStates(
      Formula formula, byte[] values, DeviceFormula there, Totals totals) {
    int[] expectedValues = new int[values.length];
    for (int v = 0; v < values.length; v++) {
      expectedValues[v] = values[v] == 0 ? 0 : values[v] > 0 ? 1 : 2;
    }
    int[] left = new int[formula.clauses()];
    int[] rest = new int[formula.clauses()];
    int open = 0;
    for (int a = 0; a < formula.clauses(); a++) {
      for (int e = formula.offsets()[a]; e < formula.offsets()[a + 1]; e++) {
        int literal = formula.literals()[e];
        int value = (literal & 1) == 0 ? values[literal >>> 1] : -values[literal >>> 1];
        if (value > 0) {
          left[a] = SATISFIED;
          rest[a] = 0;
          break;
        }
        left[a] += value == 0 ? 1 : 0;
        rest[a] ^= value == 0 ? literal : 0;
      }
      open += left[a] == SATISFIED ? 0 : 1;
    }
    assertArrayEquals(expectedValues, there.value().toArray());
    assertArrayEquals(left, there.left().toArray());
    assertArrayEquals(rest, there.rest().toArray());
    assertEquals(open, totals.of("open_clauses"));
  }
}
