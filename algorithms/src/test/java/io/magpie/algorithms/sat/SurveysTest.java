package io.magpie.algorithms.sat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.Device;
import io.magpie.stm.StmOptions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Surveys and the biases that they give variables, before any is decided. */
class SurveysTest {
  private static final SurveyOptions DEFAULTS = SurveyOptions.defaults();

  /** Whose surveys do not converge. */
  private static final String OSCILLATING = "ksat:n=50,k=2,ratio=.8,seed=1";

  static Stream<String> devices() {
    return SurveyVariants.devices().stream();
  }

  private static Formula formula(String spec) {
    return FormulaGenerator.parse(spec).generate();
  }

  /** What a device finds after some sweeps over the whole formula. */
  private record Found(double[] surveys, double[] biases) {
    static Found by(String device, Formula formula, SurveyOptions options, int sweeps) {
      Device on = SurveyVariants.device(device);
      try (DeviceFormula there = new DeviceFormula(on, formula)) {
        Launches launches = new Launches(there.module(), false, StmOptions.defaults());
        Surveys surveys = SurveyPropagation.surveys(there, launches, options, sweeps);
        return new Found(surveys.toArray(), surveys.biases());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void surveysAreThoseOfTheReference(String device) {
    for (String spec :
        List.of(
            "ksat:n=90,k=3,ratio=4.2,seed=3",
            "ksat:n=40,k=4,ratio=9.5,seed=4",
            "ksat:n=24,k=5,ratio=20,seed=5",
            "ksat:n=20,k=6,ratio=40,seed=6",
            "ksat:n=30,k=2,ratio=.9,seed=7",
            "ksat:n=30,k=1,ratio=.5,seed=8",
            "tree:n=50,k=4,units=9,seed=9")) {
      Formula formula = formula(spec);
      for (int sweeps : new int[] {1, 2, 9, 40}) {
        SurveyOptions options = DEFAULTS.withTolerance(1e-9).withSeed(sweeps);
        Found found = Found.by(device, formula, options, sweeps);
        double[] expected = SurveyReference.surveys(formula, options, sweeps);
        // 1 less a survey close to 1 is rounded, by either; later sweeps show it.
        assertArrayEquals(expected, found.surveys(), 2e-8, spec + ", sweeps: " + sweeps);
        double[] biases = SurveyReference.biases(formula, expected);
        for (int v = 0; v < biases.length; v++) {
          double bias = Double.isNaN(biases[v]) ? 0 : biases[v];
          assertEquals(bias, found.biases()[v], 5e-8, spec);
        }
      }
    }
  }

  /** Whether the sweeps of a step are one launch or many, surveys are the same to the last bit. */
  @ParameterizedTest
  @ValueSource(strings = {"sim:1:1", "sim:2:4", "sim:0:32"})
  void sweepsOfOneLaunchAreThoseOfMany(String device) {
    for (String spec :
        List.of(
            "tree:n=50,k=3,units=9,seed=1",
            "ksat:n=150,k=3,ratio=4,seed=2",
            "ksat:n=50,k=4,ratio=9,seed=3",
            "ksat:n=18,k=5,ratio=19,seed=4",
            "ksat:n=12,k=7,ratio=20,seed=5",
            OSCILLATING)) {
      Formula formula = formula(spec);
      int most = 0;
      boolean converges = !spec.equals(OSCILLATING);
      for (int sweeps : converges ? new int[] {0, 1, 2, 3, 8, 400} : new int[] {1030}) {
        int[] taken = new int[2];
        double[][] surveys = new double[2][];
        double[][] biases = new double[2][];
        for (int way = 0; way < 2; way++) {
          try (DeviceFormula on =
              new DeviceFormula(SurveyVariants.device(device), formula, way == 1)) {
            assertEquals(way == 1, on.meets());
            Launches launches = new Launches(on.module(), false, StmOptions.defaults());
            Surveys found = new Surveys(on, launches, new Totals(on, launches), 7);
            taken[way] = found.converge(sweeps, sweeps == 400 ? 1e-9 : 0.001);
            surveys[way] = found.toArray();
            biases[way] = found.biases();
            List<String> kernels = launches.phases().stream().map(Phase::name).toList();
            assertEquals(
                way == 1, kernels.stream().anyMatch(kernel -> kernel.startsWith("converge")));
          }
        }
        assertEquals(taken[0], taken[1], spec);
        assertArrayEquals(surveys[0], surveys[1], spec + ", sweeps: " + sweeps);
        assertArrayEquals(biases[0], biases[1], spec + ", sweeps: " + sweeps);
        most = Math.max(most, taken[0]);
      }
      assertEquals(converges, most > 3, spec + " converges in " + most + " sweeps");
    }
  }

  /** Products of some thousand factors, which are less than any double. */
  @ParameterizedTest
  @MethodSource("devices")
  void surveysOfLiteralsInVeryManyClauses(String device) {
    Formula dense = formula("ksat:n=12,k=9,ratio=190,seed=3");
    assertBiases(device, dense, 0);
    SurveyOptions options = DEFAULTS.withTolerance(1e-9).withSeed(5);
    double[] expected = SurveyReference.surveys(dense, options, 1);
    assertArrayEquals(expected, Found.by(device, dense, options, 1).surveys(), 1e-9);
    assertTrue(Arrays.stream(expected).max().getAsDouble() > 0.5);
    assertBiases(device, hub(1000), 0);
    assertBiases(device, hub(1000), 1);
  }

  private static void assertBiases(String device, Formula formula, int sweeps) {
    SurveyOptions options = DEFAULTS.withTolerance(1e-9).withSeed(5);
    Found found = Found.by(device, formula, options, sweeps);
    double[] expected = SurveyReference.surveys(formula, options, sweeps);
    // Of surveys close to 1 a rounding changes what they leave, 1 less them, by more than itself.
    double tolerance = sweeps == 0 ? 3e-9 : 1e-6;
    assertArrayEquals(expected, found.surveys(), tolerance, formula + ", sweeps: " + sweeps);
    double[] biases =
        Arrays.stream(SurveyReference.biases(formula, expected))
            .map(bias -> Double.isNaN(bias) ? 0 : bias)
            .toArray();
    assertArrayEquals(biases, found.biases(), tolerance, formula + ", sweeps: " + sweeps);
    assertTrue(Arrays.stream(biases).map(Math::abs).max().getAsDouble() > 0.1);
  }

  /** A variable in so many clauses of each sign, with two of 43 others each. */
  private static Formula hub(int clauses) {
    int[][] hub = new int[2 * clauses][];
    Arrays.setAll(
        hub,
        i -> {
          int one = 2 + i % 40;
          int two = 42 + i % 3;
          return new int[] {i % 2 == 0 ? 1 : -1, i % 7 < 3 ? one : -one, i % 5 < 3 ? two : -two};
        });
    return Formula.of(44, hub);
  }

  /** A variable that 401 clauses warn to be true and 400 to be false, all as strongly. */
  @Test
  void biasesOfTheReferenceDoNotUnderflow() {
    int[][] clauses = new int[801][];
    Arrays.setAll(clauses, i -> new int[] {i % 2 == 0 ? 1 : -1});
    double[] surveys = new double[801];
    Arrays.fill(surveys, 0.9);
    // Of 0.1^401 : 0.1^400, as (1 - 0.1^400) is 1: (1 - 0.1) / (1 + 0.1).
    assertEquals(0.9 / 1.1, SurveyReference.biases(Formula.of(1, clauses), surveys)[0], 1e-9);
    surveys[0] = 1;
    assertEquals(1, SurveyReference.biases(Formula.of(1, clauses), surveys)[0], 1e-9);
    surveys[1] = 1;
    assertTrue(Double.isNaN(SurveyReference.biases(Formula.of(1, clauses), surveys)[0]));
  }

  /**
   * On a tree a variable is warned for certain exactly if it has the same value in all solutions.
   */
  @ParameterizedTest
  @MethodSource("devices")
  void surveysOfTreesAreExact(String device) {
    int frozen = 0;
    int free = 0;
    for (int seed = 0; seed < 30; seed++) {
      Formula formula = formula("tree:n=13,k=3,units=" + seed % 8 + ",seed=" + seed);
      List<Integer> solutions = BruteForce.solutions(formula);
      if (solutions.isEmpty()) {
        continue;
      }
      double[] biases = Found.by(device, formula, DEFAULTS.withTolerance(1e-9), 100).biases();
      for (int v = 0; v < formula.variables(); v++) {
        int variable = v;
        long isTrue = solutions.stream().filter(bits -> (bits >> variable & 1) != 0).count();
        int expected = isTrue == solutions.size() ? 1 : isTrue == 0 ? -1 : 0;
        assertEquals(expected, biases[v], 1e-9, "variable " + v + " of seed " + seed);
        frozen += expected == 0 ? 0 : 1;
        free += expected == 0 ? 1 : 0;
      }
    }
    assertTrue(frozen > 30 && free > 30, frozen + " frozen, " + free + " free");
  }
}
