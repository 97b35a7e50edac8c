package io.magpie.algorithms.sat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.sat.SurveyOptions.Decimation;
import io.magpie.algorithms.sat.SurveyOptions.Flips;
import io.magpie.algorithms.sat.SurveyOptions.Unconverged;
import io.magpie.algorithms.sat.SurveyResult.Outcome;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.StmOptions;
import io.magpie.stm.simulator.Schedule;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimation by surveys, and the search for the rest. */
class SurveyPropagationTest {
  private static final SurveyOptions DEFAULTS = SurveyOptions.defaults();

  static Stream<Arguments> everything() {
    return SurveyVariants.devices().stream()
        .flatMap(
            device -> SurveyVariants.all().stream().map(options -> Arguments.of(device, options)));
  }

  /** In plain builds each of the options on a processor or a simulator, by turns. */
  static Stream<Arguments> everyOption() {
    List<Arguments> all = everything().toList();
    int options = SurveyVariants.all().size();
    return IntStream.range(0, all.size())
        .filter(i -> TestDevices.FULL || i >= 2 * options || i / options == i % options % 2)
        .mapToObj(all::get);
  }

  static Stream<String> devices() {
    return SurveyVariants.devices().stream();
  }

  private static Formula formula(String spec) {
    return FormulaGenerator.parse(spec).generate();
  }

  private static SurveyResult checked(String device, Formula formula, SurveyOptions options) {
    SurveyResult result = SurveyPropagation.run(SurveyVariants.device(device), formula, options);
    assertEquals(
        List.of(), FormulaVerifier.verify(result), () -> result + " on " + device + ": " + options);
    return result;
  }

  /**
   * A run with restarts does what runs with the seeds of these do, one after the other, until one
   * of them finds a solution.
   */
  @ParameterizedTest
  @MethodSource("devices")
  void restartsAreRunsWithOtherSeeds(String device) {
    int solvedLater = 0;
    for (int seed = 1; seed <= 12; seed++) {
      Formula formula = formula("ksat:n=60,k=3,ratio=3.9,seed=" + seed);
      SurveyOptions options = DEFAULTS.withSeed(seed).withFlipsPerVariable(3).withMaxSweeps(50);
      SurveyResult with = checked(device, formula, options.withRestarts(3));
      SurveyReport report = with.report().orElseThrow();
      long sweeps = 0;
      long flips = 0;
      for (int i = 0; i <= report.restarts(); i++) {
        SurveyOptions each = options.withSeed(seed + i * 4_294_967_296L);
        SurveyResult alone = checked(device, formula, each);
        sweeps += alone.report().orElseThrow().sweeps();
        flips += alone.report().orElseThrow().flips();
        boolean last = i == report.restarts();
        boolean found = alone.outcome() == Outcome.SOLVED;
        assertEquals(last && with.outcome() == Outcome.SOLVED, found);
        if (last) {
          assertEquals(alone.outcome(), with.outcome());
          assertArrayEquals(alone.decided(), with.decided());
          assertArrayEquals(alone.assignment().orElse(null), with.assignment().orElse(null));
          assertEquals(
              alone.report().orElseThrow().steps().size(), report.steps().size(), report + "");
          solvedLater += found && i > 0 ? 1 : 0;
        }
      }
      assertTrue(with.outcome() == Outcome.SOLVED || report.restarts() == 3, report::toString);
      assertEquals(sweeps, report.sweeps());
      assertEquals(flips, report.flips());
    }
    assertTrue(solvedLater > 0, "solved by a restart: " + solvedLater);
  }

  /** Nothing is begun again once a contradiction was shown, or a solution found. */
  @Test
  void thereAreNoNeedlessRestarts() {
    SurveyOptions options = DEFAULTS.withRestarts(5);
    Formula contradiction =
        Formula.of(2, new int[][] {{1, 2}, {1, -2}, {-1, 2}, {-1, -2}, {1}, {-1}});
    SurveyResult shown = checked("cpu:4", contradiction, options);
    assertTrue(shown.unsatisfiable());
    assertEquals(0, shown.report().orElseThrow().restarts());
    SurveyResult solved = checked("cpu:4", formula("ksat:n=50,k=3,ratio=2,seed=1"), options);
    assertEquals(Outcome.SOLVED, solved.outcome());
    assertEquals(0, solved.report().orElseThrow().restarts());
    Formula hopeless = Formula.of(2, new int[][] {{1, 2}, {1, -2}, {-1, 2}, {-1, -2}});
    SurveyResult unsolved = checked("cpu:4", hopeless, options);
    assertEquals(5, unsolved.report().orElseThrow().restarts());
  }

  @ParameterizedTest
  @MethodSource("everything")
  void formulasBelowTheThresholdAreSolved(String device, SurveyOptions options) {
    for (String spec :
        List.of(
            "ksat:n=200,ratio=3.6,seed=5", "planted:n=120,k=4,ratio=7", "ksat:n=60,k=2,ratio=.8")) {
      assertEquals(
          Outcome.SOLVED,
          checked(device, formula(spec), options.withFraction(0.04).withMaxSweeps(100)).outcome(),
          spec);
    }
  }

  /**
   * Decided values are those of the sequential reference, whatever decides them. Plain builds take
   * one formula on processors and the other one on simulators.
   */
  @ParameterizedTest
  @MethodSource("everyOption")
  void decimationIsThatOfTheReference(String device, SurveyOptions options) {
    List<String> specs = List.of("ksat:n=200,ratio=4.2,seed=5", "ksat:n=60,k=4,ratio=9,seed=1");
    int on = device.startsWith("sim") ? 1 : 0;
    for (String spec : TestDevices.FULL ? specs : specs.subList(on, on + 1)) {
      Formula formula = formula(spec);
      SurveyOptions few =
          options.withFraction(0.05).withTolerance(0.01).withFlipsPerVariable(0).withSeed(9);
      SurveyResult expected = SurveyReference.run(formula, few);
      SurveyResult found = checked(device, formula, few);
      assertEquals(Outcome.PARAMAGNETIC, expected.outcome());
      assertEquals(expected.outcome(), found.outcome());
      assertTrue(expected.decimations() > 5, expected::toString);
      assertTrue(
          found.report().orElseThrow().steps().stream().allMatch(SurveyReport.Step::converged));
      assertEquals(expected.decimations(), found.decimations());
      assertArrayEquals(expected.decided(), found.decided());
    }
  }

  static List<Formula> unfriendly() {
    int[][] chain = new int[300][];
    Arrays.setAll(chain, v -> v == 0 ? new int[] {1} : new int[] {-v, v + 1});
    int[][] star = new int[400][];
    Arrays.setAll(star, i -> new int[] {-1, i + 2});
    int[][] hub = new int[401][];
    Arrays.setAll(hub, i -> i == 400 ? new int[] {1} : new int[] {-1, i + 2});
    int[] wide = IntStream.rangeClosed(1, 300).map(v -> -v).toArray();
    int[][] nothingElse = new int[301][];
    Arrays.setAll(nothingElse, v -> v == 300 ? wide : new int[] {v + 1});
    return List.of(
        Formula.of(0),
        Formula.of(5),
        Formula.of(0, new int[0]),
        Formula.of(3, new int[] {1}, new int[0]),
        Formula.of(1, new int[] {1}),
        Formula.of(1, new int[] {-1}),
        Formula.of(1, new int[] {1}, new int[] {-1}),
        Formula.of(2, new int[] {1, -1}),
        Formula.of(2, new int[] {1, 1, 1}, new int[] {-2, -2}, new int[] {1, 1, 1}),
        Formula.of(2, new int[] {1, 2}, new int[] {-1, 2}, new int[] {1, -2}, new int[] {-1, -2}),
        Formula.of(300, chain),
        Formula.of(401, star),
        Formula.of(401, hub),
        Formula.of(300, nothingElse),
        Formula.of(300, wide));
  }

  private static final List<Outcome> OF_UNFRIENDLY =
      List.of(
          Outcome.SOLVED,
          Outcome.SOLVED,
          Outcome.CONTRADICTION,
          Outcome.CONTRADICTION,
          Outcome.SOLVED,
          Outcome.SOLVED,
          Outcome.CONTRADICTION,
          Outcome.SOLVED,
          Outcome.SOLVED,
          Outcome.UNCONVERGED, // of clauses of two literals surveys go around for ever
          Outcome.SOLVED,
          Outcome.SOLVED,
          Outcome.SOLVED,
          Outcome.CONTRADICTION,
          Outcome.SOLVED);

  @ParameterizedTest
  @MethodSource("everything")
  void unfriendlyFormulas(String device, SurveyOptions options) {
    for (int i = 0; i < OF_UNFRIENDLY.size(); i++) {
      Formula formula = unfriendly().get(i);
      SurveyOptions quick = options.withMaxSweeps(50).withFlipsPerVariable(100);
      SurveyResult result = checked(device, formula, quick);
      assertEquals(OF_UNFRIENDLY.get(i), result.outcome(), formula + ", number " + i);
      assertEquals(result.outcome() == Outcome.CONTRADICTION, result.unsatisfiable());
      assertEquals(result.outcome(), SurveyReference.run(formula, quick).outcome());
    }
  }

  /** Unit propagation alone decides these, and the rest is what it leaves. */
  @ParameterizedTest
  @MethodSource("everything")
  void withoutALocalSearchTheRestIsLeft(String device, SurveyOptions options) {
    Formula formula =
        Formula.of(
            6, new int[] {1}, new int[] {-1, 2}, new int[] {-2, 3, 4, 5}, new int[] {-5, 6, 3});
    SurveyResult result = checked(device, formula, options.withFlipsPerVariable(0));
    assertEquals(Outcome.PARAMAGNETIC, result.outcome());
    assertArrayEquals(new byte[] {1, 1, 0, 0, 0, 0}, result.decided());
    assertEquals(Formula.of(6, new int[] {3, 4, 5}, new int[] {-5, 6, 3}), result.rest());
    assertTrue(result.assignment().isEmpty());
    assertEquals(2, result.report().orElseThrow().propagated());
  }

  @ParameterizedTest
  @MethodSource("devices")
  void tooFewSweepsAreSaidToBeSo(String device) {
    SurveyResult result =
        checked(
            device,
            formula("ksat:n=200,ratio=4.2"),
            DEFAULTS.withMaxSweeps(3).withFlipsPerVariable(0));
    assertEquals(Outcome.UNCONVERGED, result.outcome());
    SurveyReport report = result.report().orElseThrow();
    assertEquals(3, report.sweeps());
    assertEquals(
        List.of(false), report.steps().stream().map(SurveyReport.Step::converged).toList());
    assertEquals(0, report.steps().get(0).bias());
    assertFalse(result.unsatisfiable());
  }

  /** By the surveys after so many sweeps, as the reference does. */
  @ParameterizedTest
  @MethodSource("devices")
  void variablesAreDecidedBySurveysThatDoNotConverge(String device) {
    Formula formula = formula("ksat:n=200,ratio=4,seed=5");
    SurveyOptions options =
        DEFAULTS
            .withMaxSweeps(12)
            .withTolerance(1e-6)
            .withFraction(0.05)
            .withFlipsPerVariable(0)
            .withUnconverged(Unconverged.DECIDE);
    SurveyResult expected = SurveyReference.run(formula, options);
    SurveyResult found = checked(device, formula, options);
    assertTrue(expected.decimations() > 1, expected::toString);
    assertEquals(expected.outcome(), found.outcome());
    assertEquals(expected.decimations(), found.decimations());
    assertArrayEquals(expected.decided(), found.decided());
    SurveyReport.Step first = found.report().orElseThrow().steps().get(0);
    assertEquals(12, first.sweeps());
    assertFalse(first.converged());
    assertTrue(first.bias() > 0);
  }

  /**
   * A variable that the first surveys warn to be false by about e^95 to 1, which is certainty for
   * doubles: so after a sweep they say that variable 2 has to be both. But there is a solution.
   */
  @ParameterizedTest
  @MethodSource("devices")
  void surveysThatDoNotConvergeLeaveToTheSearchWhatTheyContradict(String device) {
    int[][] hub = new int[2000][];
    Arrays.setAll(
        hub,
        i -> i < 2 ? new int[] {1, i == 0 ? 2 : -2} : new int[] {i % 2 == 0 ? 1 : -1, 2 + i / 2});
    Formula formula = Formula.of(1001, hub);
    SurveyOptions without =
        DEFAULTS
            .withMaxSweeps(1)
            .withFlipsPerVariable(0)
            .withSeed(15)
            .withUnconverged(Unconverged.DECIDE);
    SurveyResult left = checked(device, formula, without);
    assertEquals(Outcome.UNCONVERGED, left.outcome());
    assertEquals(Outcome.UNCONVERGED, SurveyReference.run(formula, without).outcome());
    assertEquals(0, left.decimations());
    SurveyOptions search = without.withFlipsPerVariable(1000);
    SurveyResult found = checked(device, formula, search);
    assertEquals(Outcome.SOLVED, found.outcome());
    assertEquals(Outcome.SOLVED, SurveyReference.run(formula, search).outcome());
    assertEquals(0, found.decimations());
    assertTrue(found.report().orElseThrow().flips() > 0);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void theSameSeedGivesTheSameResult(String device) {
    Formula formula = formula("ksat:n=150,ratio=3.9,seed=11");
    SurveyResult first = null;
    for (Flips flips : List.of(Flips.SETS, Flips.SEQUENTIAL)) {
      first = null;
      for (Decimation decimation : Decimation.values()) {
        SurveyOptions options =
            DEFAULTS.withDecimation(decimation).withFlips(flips).withFraction(0.04);
        SurveyResult next = checked(device, formula, options);
        assertEquals(Outcome.SOLVED, next.outcome());
        if (first != null) {
          assertArrayEquals(first.assignment().orElseThrow(), next.assignment().orElseThrow());
        }
        first = next;
      }
      assertTrue(first.report().orElseThrow().flips() > 0);
    }
  }

  @ParameterizedTest
  @MethodSource("everyOption")
  void contradictionsAreNoticedWhenTheReferenceNoticesThem(String device, SurveyOptions options) {
    Formula formula = formula("ksat:n=100,ratio=4,seed=13");
    SurveyOptions hasty =
        options
            .withFraction(0.5)
            .withParamagnetic(0)
            .withTolerance(0.01)
            .withMaxSweeps(100)
            .withSeed(9);
    SurveyResult expected = SurveyReference.run(formula, hasty);
    SurveyResult found = checked(device, formula, hasty);
    assertEquals(Outcome.CONTRADICTION, expected.outcome());
    assertEquals(Outcome.CONTRADICTION, found.outcome());
    // Of the last start, where there were several.
    assertEquals(options.restarts() == 0 ? 4 : 3, expected.decimations());
    assertEquals(expected.decimations(), found.decimations());
    assertFalse(found.unsatisfiable());
    assertTrue(expected.conflict() && found.conflict());
    assertArrayEquals(new byte[100], found.decided());
    assertEquals(formula, found.rest());
    for (int i = 0; i < expected.decimations(); i++) {
      assertArrayEquals(sorted(expected.choices().get(i)), sorted(found.choices().get(i)));
    }
  }

  private static int[] sorted(int[] literals) {
    return Arrays.stream(literals).sorted().toArray();
  }

  /** A transaction of more objects than any log of its own holds, and more units than it pushes. */
  @Test
  void aVariableInVeryManyClauses() {
    int clauses = 5000;
    int[][] hub = new int[clauses + 1][];
    Arrays.setAll(hub, i -> i == clauses ? new int[] {1} : new int[] {-1, i + 2});
    Formula formula = Formula.of(clauses + 1, hub);
    for (SurveyOptions options : SurveyVariants.all()) {
      SurveyResult result = checked("cpu:4", formula, options);
      assertEquals(Outcome.SOLVED, result.outcome());
      assertEquals(clauses + 1, result.report().orElseThrow().propagated());
    }
  }

  /**
   * Counters that change past their transaction: some schedule loses a change, and with it a unit,
   * or takes the wrong literal for the last one. (Of 2^5 variables any exclusive or of literals is
   * one.)
   */
  @Test
  @Tag("slow") // compiles
  void countersWithoutGuardsAreNoticed() {
    Random random = new Random(7);
    Formula.Builder building = new Formula.Builder(32);
    for (int v = 0; v < 32; v += 2) {
      building.literal(2 * v).endClause();
    }
    for (int a = 0; a < 130; a++) {
      for (int k = 0; k < 4; k++) {
        building.literal(2 * random.nextInt(32) + (k == 0 ? 0 : 1));
      }
      building.endClause();
    }
    Formula formula = building.build();
    SurveyOptions options =
        DEFAULTS.withMaxSweeps(1).withFlipsPerVariable(0).withDecimation(Decimation.TRANSACTIONS);
    int noticed = 0;
    try (Device faulty = Device.open("sim:1:4")) {
      faulty.define("sat", Map.of("MAGPIE_SAT_UNGUARDED_COUNTERS", "1"));
      Device right = SurveyVariants.device("sim:2:4");
      try {
        for (int seed = 0; seed < 60; seed++) {
          faulty.simulator().setSchedule(Schedule.randomWalk(seed));
          right.simulator().setSchedule(Schedule.randomWalk(seed));
          noticed += isNoticed(faulty, formula, options) ? 1 : 0;
          assertEquals(
              List.of(), FormulaVerifier.verify(SurveyPropagation.run(right, formula, options)));
        }
      } finally {
        right.simulator().setSchedule(null);
      }
    }
    assertTrue(noticed > 0);
  }

  /** By the verifier, or already where a formula is compacted that counters say has -1 literals. */
  private static boolean isNoticed(Device faulty, Formula formula, SurveyOptions options) {
    try {
      return !FormulaVerifier.verify(SurveyPropagation.run(faulty, formula, options)).isEmpty();
    } catch (IllegalArgumentException e) {
      return e.getMessage().contains("the length of an array");
    }
  }

  /** The search is bounded, and says so where there is no solution. */
  @Test
  void anUnsolvableRestIsParamagnetic() {
    int[][] all = new int[8][];
    Arrays.setAll(
        all, i -> new int[] {(i & 1) == 0 ? 1 : -1, (i & 2) == 0 ? 2 : -2, (i & 4) == 0 ? 3 : -3});
    for (SurveyOptions options : SurveyVariants.all()) {
      SurveyResult result =
          checked(
              "cpu:4", Formula.of(3, all), options.withParamagnetic(1).withFlipsPerVariable(50));
      assertEquals(Outcome.PARAMAGNETIC, result.outcome());
      assertTrue(result.report().orElseThrow().flips() >= 150);
    }
  }

  /**
   * Sets are as good a search as transactions are and as the host is, from every start: in a set
   * that is drawn anew in each round variables of many clauses are hardly ever flipped, and most of
   * these end at the bound.
   */
  @Test
  void setsSolveWhatTransactionsSolve() {
    Formula formula = formula("ksat:n=2000,ratio=3.9,seed=1");
    SurveyOptions search = DEFAULTS.withMaxSweeps(1).withFlipsPerVariable(100);
    for (Flips flips : List.of(Flips.TRANSACTIONS, Flips.SEQUENTIAL)) {
      for (int start = 1; start <= 4; start++) {
        SurveyResult result = checked("cpu:4", formula, search.withFlips(flips).withSeed(start));
        assertEquals(Outcome.SOLVED, result.outcome(), flips + " from " + start);
      }
    }
    try (DeviceFormula on = new DeviceFormula(SurveyVariants.device("cpu:4"), formula)) {
      Launches launches = new Launches(on.module(), false, StmOptions.defaults());
      for (int start = 1; start <= 4; start++) {
        on.value().fill(0);
        SurveyOptions options = search.withSeed(start);
        LocalSearch sets = new LocalSearch(on, launches, new Totals(on, launches), options, 0);
        assertTrue(sets.run(200_000), "sets from " + start);
        assertEquals(0, sets.flipsOnHost());
      }
    }
  }

  /** Whether rounds of sets are one launch or many, they flip the same. */
  @ParameterizedTest
  @ValueSource(strings = {"sim:1:1", "sim:2:4", "sim:1:9", "sim:0:32"})
  void roundsOfOneLaunchAreThoseOfMany(String device) {
    for (String spec :
        List.of("ksat:n=150,k=3,ratio=3.7,seed=3", "ksat:n=40,k=5,ratio=12,seed=4")) {
      Formula formula = formula(spec);
      for (int start = 1; start <= 3; start++) {
        int[][] values = new int[2][];
        long[][] made = new long[2][];
        for (int way = 0; way < 2; way++) {
          try (DeviceFormula on =
              new DeviceFormula(SurveyVariants.device(device), formula, way == 1)) {
            Launches launches = new Launches(on.module(), false, StmOptions.defaults());
            LocalSearch search =
                new LocalSearch(
                    on, launches, new Totals(on, launches), DEFAULTS.withSeed(start), 0);
            boolean solved = search.run(3000);
            values[way] = on.value().toArray();
            made[way] = new long[] {search.flips(), search.rounds(), solved ? 1 : 0};
            assertTrue(search.rounds() > 3 && search.flipsOnHost() == 0, spec);
            List<String> kernels = launches.phases().stream().map(Phase::name).toList();
            assertEquals(way == 1, kernels.contains("search_sets"));
            assertEquals(way == 0, kernels.contains("flip_sets"));
          }
        }
        assertArrayEquals(made[0], made[1], spec + " from " + start);
        assertArrayEquals(values[0], values[1], spec + " from " + start);
      }
    }
  }

  /**
   * On a GPU the host goes on the later, the more variables there are; elsewhere that is the same.
   */
  @Test
  void theHostGoesOnLaterOnGpusWhereThereIsMuch() {
    List<Long> sizes = List.of(1L, 5_000L, 50_000L, 500_000L, 1L << 30);
    List<Integer> few = sizes.stream().map(open -> LocalSearch.few(Machine.CUDA, open)).toList();
    assertEquals(List.of(512, 512, 128, 32, 32), few);
    for (Machine machine : List.of(Machine.CPU, Machine.SIM)) {
      for (long open : sizes) {
        assertEquals(LocalSearch.few(machine), LocalSearch.few(machine, open));
      }
    }
  }

  /** Sets flip until their rounds flip few; the host flips the rest, within the same bound. */
  @ParameterizedTest
  @MethodSource("devices")
  void theHostGoesOnWhereSetsFlipFew(String device) {
    Formula formula = formula("ksat:n=150,ratio=3.6,seed=3");
    int both = 0;
    try (DeviceFormula on = new DeviceFormula(SurveyVariants.device(device), formula)) {
      Launches launches = new Launches(on.module(), false, StmOptions.defaults());
      for (int few : new int[] {0, 2, 5, Integer.MAX_VALUE}) {
        int[] first = null;
        for (int repeated = 0; repeated < 2; repeated++) {
          on.value().fill(0);
          LocalSearch search =
              new LocalSearch(on, launches, new Totals(on, launches), DEFAULTS, few);
          assertTrue(search.run(1_000_000));
          assertEquals(few > 0, search.flipsOnHost() > 0, "few: " + few);
          assertEquals(few < Integer.MAX_VALUE, search.rounds() > 0, "few: " + few);
          assertEquals(search.rounds() > 0, search.flips() > search.flipsOnHost());
          both += search.rounds() > 0 && search.flipsOnHost() > 0 ? 1 : 0;
          int[] values = on.value().toArray();
          first = first == null ? values : first;
          assertArrayEquals(first, values, "few: " + few);
        }
      }
    }
    assertTrue(both > 0);
  }

  /**
   * On {@code sim} it gets ready while the device flips, on {@code cpu} not; flips are the same.
   */
  @ParameterizedTest
  @ValueSource(strings = {"sim:1:4", "sim:0:32"})
  void theHostGoesOnTheSameHoweverItGotReady(String device) {
    int both = 0;
    for (String spec : List.of("ksat:n=150,ratio=3.6,seed=3", "ksat:n=400,k=2,ratio=0.9,seed=1")) {
      for (int start = 1; start <= 4; start++) {
        int[][] values = new int[2][];
        long[][] made = new long[2][];
        for (int way = 0; way < 2; way++) {
          String where = way == 0 ? "cpu:4" : device;
          try (DeviceFormula on = new DeviceFormula(SurveyVariants.device(where), formula(spec))) {
            on.value().fill(0);
            Ahead search = new Ahead(on, DEFAULTS.withSeed(start), 5, Kind.READY);
            boolean solved = search.run(100_000);
            values[way] = on.value().toArray();
            made[way] =
                new long[] {search.flips(), search.flipsOnHost(), search.rounds(), solved ? 1 : 0};
            assertEquals(way == 1 && search.rounds() > 1, search.thread != null);
            both += search.rounds() > 1 && search.flipsOnHost() > 0 ? 1 : 0;
          }
        }
        assertArrayEquals(made[0], made[1], spec + " from " + start);
        assertArrayEquals(values[0], values[1], spec + " from " + start);
      }
    }
    assertTrue(both > 4, "searches of both: " + both);
  }

  /** How a search of the host that is made ahead gets ready. */
  private enum Kind {
    READY,
    FAILING,
    /** Not before it is interrupted. */
    NEVER
  }

  /** Knows the thread that got the host's search ready, if one did. */
  private static final class Ahead extends LocalSearch {
    private final Kind kind;
    private Thread thread;

    Ahead(DeviceFormula on, SurveyOptions options, int few, Kind kind) {
      this(on, new Launches(on.module(), false, StmOptions.defaults()), options, few, kind);
    }

    private Ahead(DeviceFormula on, Launches launches, SurveyOptions options, int few, Kind kind) {
      super(on, launches, new Totals(on, launches), options, few);
      this.kind = kind;
    }

    @Override
    SequentialSearch ready(Formula open, int[] known, int[] values, long key) {
      thread = Thread.currentThread();
      if (kind == Kind.FAILING) {
        throw new AssertionError("on purpose");
      }
      while (kind == Kind.NEVER && !thread.isInterrupted()) {
        Thread.onSpinWait();
      }
      return super.ready(open, known, values, key);
    }
  }

  /** However a search ends, the thread that gets the host's ready has ended then. */
  @Test
  void nothingRunsAfterASearch() {
    Formula formula = formula("ksat:n=150,ratio=3.6,seed=3");
    try (DeviceFormula on = new DeviceFormula(SurveyVariants.device("sim:1:4"), formula)) {
      for (long most : new long[] {100_000, 60}) { // sets solve it; sets end at the bound
        for (Kind kind : Kind.values()) {
          on.value().fill(0);
          Ahead search = new Ahead(on, DEFAULTS, 1, kind);
          assertEquals(most == 100_000, search.run(most));
          assertEquals(0, search.flipsOnHost());
          assertFalse(search.thread.isAlive(), kind + ", " + most);
        }
      }
      on.value().fill(0);
      Ahead failing = new Ahead(on, DEFAULTS, 5, Kind.FAILING);
      Error failure = assertThrows(AssertionError.class, () -> failing.run(100_000));
      assertEquals("on purpose", failure.getMessage());
      assertFalse(failing.thread.isAlive());
      on.value().fill(0);
      Ahead interrupted = new Ahead(on, DEFAULTS, 5, Kind.NEVER);
      Thread.currentThread().interrupt();
      try {
        assertThrows(CancellationException.class, () -> interrupted.run(100_000));
      } finally {
        assertTrue(Thread.interrupted());
      }
      assertFalse(interrupted.thread.isAlive());
    }
  }

  /** All that is flipped by the host is within the bound, and of variables that are not decided. */
  @ParameterizedTest
  @MethodSource("devices")
  void theHostKeepsToTheBound(String device) {
    Formula hopeless =
        Formula.of(
            4,
            new int[] {1, 2},
            new int[] {1, -2},
            new int[] {-1, 2},
            new int[] {-1, -2},
            new int[] {-3},
            new int[] {3, 4, 1});
    SurveyOptions host = DEFAULTS.withFlips(Flips.SEQUENTIAL).withMaxSweeps(5);
    for (int perVariable : new int[] {0, 1, 2, 5000}) {
      for (int restarts : new int[] {0, 2}) {
        SurveyOptions options = host.withFlipsPerVariable(perVariable).withRestarts(restarts);
        SurveyResult result = checked(device, hopeless, options);
        assertEquals(Outcome.UNCONVERGED, result.outcome());
        SurveyReport report = result.report().orElseThrow();
        int open = report.steps().get(0).openVariables();
        assertEquals(3, open);
        assertEquals((restarts + 1L) * perVariable * open, report.flips());
        assertEquals(report.flips(), report.flipsOnHost());
        assertEquals(0, report.rounds());
        assertEquals(
            perVariable > 0,
            report.phases().stream()
                .anyMatch(
                    phase ->
                        phase.rule() == Phase.Rule.HOST
                            && phase.name().equals("flip_sequentially")
                            && phase.launches() == restarts + 1));
      }
    }
  }

  /**
   * A search that ends at its bound says whether its values satisfy the formula. The list of sets
   * may then still have clauses that lost to a flip which satisfied them too.
   */
  @ParameterizedTest
  @MethodSource("devices")
  void searchesThatEndAtTheirBoundSayWhatTheirValuesAre(String device) {
    Formula formula =
        Formula.of(
            2,
            new int[] {1, 2},
            new int[] {-1, 2},
            new int[] {-1, 2},
            new int[] {1, -2},
            new int[] {1, -2});
    int solved = 0;
    int unsolved = 0;
    try (DeviceFormula on = new DeviceFormula(SurveyVariants.device(device), formula)) {
      Launches launches = new Launches(on.module(), false, StmOptions.defaults());
      for (Flips flips : Flips.values()) {
        for (int few : new int[] {0, Integer.MAX_VALUE}) {
          for (int start = 1; start <= 24; start++) {
            SurveyOptions options = DEFAULTS.withFlips(flips).withSeed(start);
            on.value().fill(0);
            boolean found =
                new LocalSearch(on, launches, new Totals(on, launches), options, few).run(1);
            int[] values = on.value().toArray();
            boolean bothTrue = values[0] == 1 && values[1] == 1; // the only solution
            assertEquals(bothTrue, found, options + ", few: " + few);
            solved += found ? 1 : 0;
            unsolved += found ? 0 : 1;
          }
        }
      }
    }
    assertTrue(solved > 3 && unsolved > 3, solved + " solved, " + unsolved + " not");
  }
}
