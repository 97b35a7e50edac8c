package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import io.magpie.algorithms.nbody.NBodyOptions.Tree;
import io.magpie.stm.Device;
import io.magpie.stm.StmOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases that have an answer of their own, and what is refused. */
class BarnesHutTest {
  private static final BarnesHut.Observer NOBODY = (step, now) -> {};

  private static final List<String> WITH_A_TREE =
      List.of(
          "link_cells",
          "sum_cells_double",
          "place_bodies_double",
          "place_cells_double",
          "sum_forces_double");

  private static NBodyResult run(Bodies bodies, NBodyOptions options) {
    return NBodyVariants.run(NBodyVariants.device("cpu:4"), bodies, options);
  }

  private static Bodies atRest(double... positions) {
    double[] masses = new double[positions.length / 3];
    Arrays.fill(masses, 1);
    return Bodies.of(masses, positions, new double[positions.length]);
  }

  @ParameterizedTest
  @EnumSource
  void noBodies(Tree tree) {
    NBodyResult result = run(atRest(), NBodyOptions.defaults().withTree(tree).withSteps(3));
    assertEquals(0, result.after().count());
    assertEquals(1, result.tree().cells());
    assertEquals(List.of(), NBodyVerifier.verify(result));
    assertEquals(0, result.report().orElseThrow().after().energy());
  }

  @ParameterizedTest
  @EnumSource
  void oneBodyMovesOnALine(Tree tree) {
    Bodies one = Bodies.of(new double[] {2}, new double[] {1, 2, 3}, new double[] {0.5, 0, -0.25});
    NBodyResult result =
        run(one, NBodyOptions.defaults().withTree(tree).withSteps(4).withTimeStep(0.5));
    assertArrayEquals(new double[] {2, 2, 2.5}, result.after().positions());
    assertArrayEquals(one.velocities(), result.after().velocities());
    assertArrayEquals(new double[3], result.accelerations());
    // At (2, 2, 2.5) with the velocity (0.5, 0, -0.25): turns by -0.5, 1.75, -1 for a unit of mass.
    assertEquals(
        new Conserved(
            0.3125,
            0,
            1,
            0,
            -0.5,
            Math.sqrt(0.3125) * 2,
            -1,
            3.5,
            -2,
            2 * Math.sqrt(0.25 + 1.75 * 1.75 + 1)),
        conserved(result));
  }

  private static Conserved conserved(NBodyResult result) {
    return result.report().orElseThrow().after();
  }

  /** Two bodies on a circle are opposite after half of their period. */
  @Test
  void twoBodiesOnACircle() {
    Bodies two =
        Bodies.of(
            new double[] {1, 1},
            new double[] {1, 0, 0, -1, 0, 0},
            new double[] {0, 0.5, 0, 0, -0.5, 0});
    int steps = 1000;
    NBodyResult result =
        run(
            two,
            NBodyOptions.defaults()
                .withSteps(steps)
                .withTimeStep(2 * Math.PI / steps)
                .withSoftening(0)
                .withPhaseTimes(false));
    assertEquals(-1, result.after().position(0, 0), 1e-3);
    assertEquals(1, result.after().position(1, 0), 1e-3);
    assertEquals(0, conserved(result).energyDrift(result.report().orElseThrow().before()), 1e-6);
  }

  @ParameterizedTest
  @EnumSource
  void bodiesAtOnePlaceAreALeaf(Tree tree) {
    double[] positions = new double[3 * 200];
    Arrays.fill(positions, 0.75);
    positions[0] = 0.5;
    NBodyOptions options = NBodyOptions.defaults().withTree(tree).withSteps(0).withSoftening(0);
    NBodyResult result = run(atRest(positions), options);
    assertEquals(199, result.tree().largestLeaf());
    assertEquals(1, result.tree().cells());
    assertEquals(199 / 0.0625, result.accelerations()[0], 1e-9);
    assertEquals(-1 / 0.0625, result.accelerations()[3], 1e-9);
    assertEquals(List.of(), NBodyVerifier.verify(result));
  }

  /** Two pairs that only the deepest cells separate: 20 cells of one child each, and more. */
  @ParameterizedTest
  @EnumSource
  void theDeepestCells(Tree tree) {
    double near = 0x1p-21;
    Bodies bodies = atRest(0, 0, 0, near, 0, 0, 1, 1, 1, 1 - near, 1, 1, 0.3, 0.3, 0.3);
    NBodyResult result = run(bodies, NBodyOptions.defaults().withTree(tree).withSteps(0));
    assertEquals(21, result.tree().depths());
    assertEquals(List.of(), NBodyVerifier.verify(result));
  }

  /** With room for one cell each build has to ask for more. */
  @ParameterizedTest
  @EnumSource
  void cellsAreAdded(Tree tree) {
    Bodies bodies = BodyGenerator.parse("plummer:500").generate();
    for (String device : List.of("cpu:4", "sim:2:4")) {
      NBodyResult result =
          BarnesHut.run(
              NBodyVariants.device(device),
              bodies,
              NBodyOptions.defaults().withTree(tree),
              0,
              NOBODY,
              BarnesHut.Kept.TREE,
              new Cells.Room(1, Cells.Room.USUAL.most()));
      assertEquals(List.of(), NBodyVerifier.verify(result));
      assertTrue(result.tree().cells() > 100);
    }
  }

  /** There may be enough cells, but fewer than bodies that found none. */
  @ParameterizedTest
  @EnumSource
  void cellsAreAddedUpToTheMost(Tree tree) {
    Bodies bodies = BodyGenerator.parse("cube:500").generate();
    int needed = NBodyReference.tree(bodies).cells();
    int most = needed + 50;
    assertTrue(most < bodies.count(), "needed are " + needed);
    NBodyResult result = runWithin(most, bodies, tree);
    assertEquals(List.of(), NBodyVerifier.verify(result));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> runWithin(needed - 1, bodies, tree));
    assertTrue(e.getMessage().contains("there may be at most " + (needed - 1)), e.getMessage());
  }

  private static NBodyResult runWithin(int most, Bodies bodies, Tree tree) {
    return BarnesHut.run(
        NBodyVariants.device("cpu:4"),
        bodies,
        NBodyOptions.defaults().withTree(tree).withSteps(0),
        0,
        NOBODY,
        BarnesHut.Kept.TREE,
        new Cells.Room(1, most));
  }

  @Test
  void aTreeThatIsNotKept() {
    Bodies bodies = BodyGenerator.parse("cube:50").generate();
    NBodyOptions options = NBodyOptions.defaults().withSteps(2);
    NBodyResult without =
        BarnesHut.run(NBodyVariants.device("cpu:4"), bodies, options, 0, NOBODY, false);
    assertEquals(run(bodies, options).after(), without.after());
    assertEquals(List.of(), without.checkpoints());
    IllegalStateException e = assertThrows(IllegalStateException.class, without::tree);
    assertTrue(e.getMessage().contains("let forVerifier be true"), e.getMessage());
    NBodyResult withTree = BarnesHut.run(NBodyVariants.device("cpu:4"), bodies, options);
    assertEquals(run(bodies, options).tree(), withTree.tree());
    assertEquals(List.of(), withTree.checkpoints());
    assertEquals(List.of(), NBodyVerifier.verify(withTree));
  }

  @Test
  void statesOnTheWayAreKeptForTheVerifier() {
    Bodies bodies = BodyGenerator.parse("cube:30").generate();
    List<List<Integer>> expected =
        List.of(
            List.of(),
            List.of(0),
            List.of(0, 1),
            List.of(0, 1, 2),
            List.of(0, 1, 2, 3),
            List.of(0, 1, 2, 3, 4),
            List.of(0, 1, 3, 4, 5),
            List.of(0, 1, 3, 4, 6));
    for (int steps = 0; steps < expected.size(); steps++) {
      NBodyResult result = run(bodies, NBodyOptions.defaults().withSteps(steps));
      List<Integer> kept = result.checkpoints().stream().map(Checkpoint::step).toList();
      assertEquals(expected.get(steps), kept);
      assertEquals(List.of(), NBodyVerifier.verify(result));
      for (Checkpoint each : result.checkpoints()) {
        NBodyResult until = run(bodies, NBodyOptions.defaults().withSteps(each.step()));
        assertEquals(until.after(), each.bodies());
        assertArrayEquals(until.accelerations(), each.accelerations());
        assertArrayEquals(until.potentials(), each.potentials());
        assertSame(
            result.checkpoints().get(0).bodies().sharedMasses(), each.bodies().sharedMasses());
      }
    }
  }

  /** They are what the device has, not what was given. */
  @Test
  void massesAreRounded() {
    Bodies third = Bodies.of(new double[] {1 / 3.0}, new double[3], new double[3]);
    NBodyOptions options = NBodyOptions.defaults();
    assertEquals(1 / 3.0, run(third, options).after().mass(0));
    NBodyResult rounded = run(third, options.withPrecision(Precision.FLOAT));
    assertEquals((float) (1 / 3.0), rounded.after().mass(0));
    assertEquals(List.of(), NBodyVerifier.verify(rounded));
  }

  @Test
  void stepsOfTheSpreadReachAllBodies() {
    for (int n = 1; n <= 600; n++) {
      long step = TransactionalBuild.spreadStep(n);
      boolean[] reached = new boolean[n];
      for (int i = 0; i < n; i++) {
        reached[(int) (i * step % n)] = true;
      }
      for (int i = 0; i < n; i++) {
        assertTrue(reached[i], i + " of " + n + " by " + step);
      }
      assertTrue(n < 30 || Math.abs(step - 0.618 * n) < 10, step + " of " + n);
    }
  }

  /** Bodies of a pass spread over the cells that passes before it have made. */
  @Test
  void fewBodiesFirstAbortLess() {
    Bodies bodies = BodyGenerator.parse("plummer:1500").generate();
    long[] aborts = new long[2];
    int[] growths = {0, 7};
    for (int i = 0; i < growths.length; i++) {
      NBodyOptions options =
          NBodyOptions.defaults()
              .withTree(Tree.TRANSACTIONS)
              .withGrowth(growths[i])
              .withSteps(0)
              .withTheta(1)
              .withStm(StmOptions.defaults().withThreadsInFlight(2048));
      NBodyReport report =
          BarnesHut.run(NBodyVariants.device("sim:9:32"), bodies, options).report().orElseThrow();
      aborts[i] = report.transactions().get(0).aborts();
    }
    assertTrue(4 * aborts[1] < 3 * aborts[0], Arrays.toString(aborts));
  }

  /** The number of threads does not matter, not even to the last bit. */
  @ParameterizedTest
  @EnumSource
  void resultsDoNotDependOnThreads(Tree tree) {
    Bodies bodies = BodyGenerator.parse("collision:400").generate();
    NBodyOptions options = NBodyOptions.defaults().withTree(tree).withSteps(5);
    NBodyResult many = run(bodies, options);
    try (Device one = Device.open("cpu:1")) {
      assertEquals(many.after(), BarnesHut.run(one, bodies, options).after());
    }
  }

  /** The bodies of a warp open what one of them has to, and nothing else. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 8, 12, 32})
  void aWarpOpensWhatOneOfItsBodiesIsTooNearTo(int width) {
    Bodies bodies = BodyGenerator.parse("collision:500").generate();
    NBodyOptions options = NBodyOptions.defaults().withSteps(0).withTheta(0.6);
    NBodyResult result = BarnesHut.run(NBodyVariants.device("sim:5:" + width), bodies, options);
    assertEquals(
        WarpWalk.interactions(bodies, 0.6, width), result.report().orElseThrow().interactions());
  }

  /**
   * Enough bodies for deep stacks and several warps; with theta 0 every pair acts, in each
   * direction.
   */
  @ParameterizedTest
  @ValueSource(strings = {"sim:5:32", "sim:5:4", "cpu:4"})
  void warpsOfAnyWidth(String device) {
    Bodies bodies = BodyGenerator.parse("plummer:450").generate();
    for (double theta : new double[] {0, 0.4}) {
      NBodyOptions options = NBodyOptions.defaults().withSteps(0).withTheta(theta);
      NBodyResult result = BarnesHut.run(NBodyVariants.device(device), bodies, options);
      assertEquals(List.of(), NBodyVerifier.verify(result));
      if (theta == 0) {
        assertEquals(450L * 449, result.report().orElseThrow().interactions());
      }
    }
  }

  @Test
  void energyHardlyDrifts() {
    Bodies bodies = BodyGenerator.parse("plummer:1000").generate();
    NBodyResult result = run(bodies, NBodyOptions.defaults().withSteps(40));
    NBodyReport report = result.report().orElseThrow();
    assertEquals(-0.25, report.before().energy(), 0.02);
    assertEquals(0, report.after().energyDrift(report.before()), 5e-3);
    assertEquals(0, report.after().momentumDrift(report.before()), 1e-3);
    assertEquals(0, report.after().angularDrift(report.before()), 1e-3);
  }

  @Test
  void theObserverSeesEveryOtherStep() {
    Bodies bodies = BodyGenerator.parse("cube:50").generate();
    List<Integer> seen = new ArrayList<>();
    List<Bodies> states = new ArrayList<>();
    NBodyResult result =
        BarnesHut.run(
            NBodyVariants.device("cpu:4"),
            bodies,
            NBodyOptions.defaults().withSteps(4),
            2,
            (step, now) -> {
              seen.add(step);
              states.add(now);
            });
    assertEquals(List.of(0, 2, 4), seen);
    assertEquals(bodies, states.get(0));
    assertEquals(result.after(), states.get(2));
    assertEquals(states.get(1), run(bodies, NBodyOptions.defaults().withSteps(2)).after());
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                BarnesHut.run(
                    NBodyVariants.device("cpu:4"), bodies, NBodyOptions.defaults(), -1, NOBODY));
    assertTrue(e.getMessage().contains("got -1"), e.getMessage());
  }

  @Test
  void whatDivergesIsTold() {
    double far = 1e308;
    DivergedException e =
        assertThrows(
            DivergedException.class,
            () -> run(atRest(-far, 0, 0, far, 0, 0), NBodyOptions.defaults()));
    assertTrue(e.getMessage().contains("too far apart"), e.getMessage());
    e =
        assertThrows(
            DivergedException.class,
            () ->
                run(
                    atRest(0, 0, 0, 1e60, 0, 0),
                    NBodyOptions.defaults().withPrecision(Precision.FLOAT)));
    assertTrue(e.getMessage().contains("use precision=double"), e.getMessage());
    e =
        assertThrows(
            DivergedException.class,
            () ->
                run(
                    atRest(0, 0, 0, 1e-150, 0, 0),
                    NBodyOptions.defaults().withSoftening(0).withSteps(3)));
    assertTrue(e.getMessage().contains("step 1 of 3"), e.getMessage());
  }

  /**
   * Without bounds all bodies have one key, and would be a leaf: nobody goes through it, let alone
   * adds up its pairs.
   */
  @ParameterizedTest
  @EnumSource
  void aStepThatDivergesCostsNoMoreThanItsKeys(Tree tree) {
    for (String device : List.of("cpu:4", "sim:0:32")) {
      for (double beyond : new double[] {Double.POSITIVE_INFINITY, Double.NaN}) {
        double[] positions = BodyGenerator.parse("cube:100").generate().positions();
        positions[17] = beyond;
        Bodies bodies = Bodies.unchecked(new double[100], positions, new double[positions.length]);
        NBodyOptions options = NBodyOptions.defaults().withTree(tree).withSteps(0);
        try (Simulation simulation =
            new Simulation(NBodyVariants.device(device), bodies, options, Cells.Room.USUAL)) {
          assertThrows(DivergedException.class, simulation::findForces);
          NBodyReport report = simulation.report(null, null, 0);
          assertEquals(0, report.interactions());
          for (Phase phase : report.phases()) {
            assertFalse(phase.name().endsWith("_leaves") && tree != Tree.MORTON, phase.name());
            if (WITH_A_TREE.contains(phase.name())) {
              long each = phase.accesses().span(); // of a thread
              assertTrue(each < 10, phase.name() + " accesses " + each);
            }
          }
        }
      }
    }
  }

  /** Nobody looks at these forces after the last step. */
  @Test
  void forcesThatAreNotFiniteAreTold() {
    NBodyOptions options = NBodyOptions.defaults().withSoftening(0).withSteps(0);
    DivergedException e =
        assertThrows(DivergedException.class, () -> run(atRest(0, 0, 0, 1e-150, 0, 0), options));
    assertEquals("the acceleration of body 0 is Infinity; use more softening", e.getMessage());
    Bodies fast =
        Bodies.of(
            new double[] {1e35f, 1e35f},
            new double[] {0, 0, 0, 1e-10, 0, 0},
            new double[] {0, 0, 0, 0, 0, 0});
    e =
        assertThrows(
            DivergedException.class, () -> run(fast, options.withPrecision(Precision.FLOAT)));
    assertTrue(e.getMessage().startsWith("the potential of body 0 is -Infinity"), e.getMessage());
    assertTrue(e.getMessage().endsWith(", or precision=double"), e.getMessage());
  }

  @Test
  void whatRoundsToNothingIsRefused() {
    NBodyOptions single = NBodyOptions.defaults().withPrecision(Precision.FLOAT);
    assertEquals(3e-38, single.withTimeStep(3e-38).timeStep());
    assertEquals(2e-19, single.withSoftening(2e-19).softening());
    assertRefused(() -> single.withTimeStep(1e-46), "time-step=1.0E-46");
    assertRefused(() -> single.withSoftening(1e-23), "softening=1.0E-23");
    NBodyOptions fine = NBodyOptions.defaults().withSoftening(1e-23).withTimeStep(1e-46);
    assertEquals(0, fine.withSoftening(0).softening());
    assertRefused(() -> fine.withPrecision(Precision.FLOAT), "use precision=double");
    assertRefused(() -> fine.withSoftening(1e-200), "softening=1.0E-200");
    assertRefused(() -> fine.withTimeStep(Double.MIN_VALUE), "time-step=4.9E-324");
  }

  private static void assertRefused(Executable change, String part) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, change);
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void thetaHasARange(double theta) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> NBodyOptions.defaults().withTheta(theta));
    assertTrue(e.getMessage().contains("theta"), e.getMessage());
  }
}
