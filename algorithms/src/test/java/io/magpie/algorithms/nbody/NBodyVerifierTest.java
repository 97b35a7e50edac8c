package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Every kind of mistake is told. */
class NBodyVerifierTest {
  private static final Bodies BODIES = BodyGenerator.parse("plummer:120").generate();
  private static final int BODY = 1 << 30;
  private static final NBodyOptions OPTIONS = NBodyOptions.defaults();
  private static final NBodyResult RIGHT = NBodyReference.run(BODIES, OPTIONS);

  private static String told(NBodyResult result) {
    return String.join("; ", NBodyVerifier.verify(result));
  }

  /** The right result with changed arrays: masses, positions, velocities, forces, potentials. */
  private static NBodyResult changed(Consumer<double[][]> change, Supplier<Octree> tree) {
    double[][] arrays = {
      RIGHT.after().masses(),
      RIGHT.after().positions(),
      RIGHT.after().velocities(),
      RIGHT.accelerations().clone(),
      RIGHT.potentials().clone()
    };
    change.accept(arrays);
    Bodies after = Bodies.unchecked(arrays[0], arrays[1], arrays[2]);
    return new NBodyResult(
        BODIES,
        after,
        arrays[3],
        arrays[4],
        OPTIONS,
        tree == null ? () -> NBodyReference.tree(after) : tree,
        null);
  }

  private static Octree octree(int[] child, int[] next) {
    return Octree.of(BODY, child, next, new double[child.length]);
  }

  @Test
  void theReferenceIsRight() {
    assertEquals(List.of(), NBodyVerifier.verify(RIGHT));
  }

  @Test
  void wrongNumbers() {
    assertTrue(told(changed(a -> a[0][3] = 1, null)).contains("mass of body 3"));
    assertTrue(told(changed(a -> a[1][7] = Double.NaN, null)).contains("body 2 has numbers"));
    assertTrue(told(changed(a -> a[4][5] = Double.NaN, null)).contains("body 5 has numbers"));
    assertTrue(told(changed(a -> a[3][9] += 9, null)).contains("error of an acceleration"));
    assertTrue(told(changed(a -> a[4][9] *= 2, null)).contains("error of a potential"));
    assertTrue(told(changed(a -> a[2][6] += 1e-3, null)).contains("body 2 began at"));
  }

  /** What was right at the end may have been wrong on the way. */
  @Test
  void wrongStatesOnTheWay() {
    NBodyOptions options = OPTIONS.withSteps(9);
    NBodyResult right = NBodyReference.run(BODIES, options);
    List<Checkpoint> states = new ArrayList<>();
    for (int step : Checkpoint.steps(9)) {
      NBodyResult until = NBodyReference.run(BODIES, options.withSteps(step));
      states.add(new Checkpoint(step, until.after(), until.accelerations(), until.potentials()));
    }
    assertEquals(List.of(), NBodyVerifier.verify(withStates(right, states, 0, a -> {})));
    assertTrue(
        told(withStates(right, states, 0, a -> a[0][6] += 1e-3)).contains("body 2 is not where"));
    assertTrue(
        told(withStates(right, states, 2, a -> a[2][9] += 9))
            .contains("after step 4 the error of an acceleration"));
    assertTrue(
        told(withStates(right, states, 4, a -> a[3][9] *= 2))
            .contains("after step 8 the error of a potential"));
    assertTrue(
        told(withStates(right, states, 3, a -> a[0][12] += 1e-3))
            .contains("step 5 leads body 4 elsewhere"));
    assertTrue(
        told(withStates(right, states, 4, a -> a[1][0] += 1e-3))
            .contains("step 9 leads body 0 elsewhere"));
  }

  /** With a change of the positions, velocities, accelerations and potentials of one state. */
  private static NBodyResult withStates(
      NBodyResult right, List<Checkpoint> states, int which, Consumer<double[][]> change) {
    Checkpoint old = states.get(which);
    double[][] arrays = {
      old.bodies().positions(),
      old.bodies().velocities(),
      old.accelerations().clone(),
      old.potentials().clone()
    };
    change.accept(arrays);
    List<Checkpoint> changed = new ArrayList<>(states);
    changed.set(
        which,
        new Checkpoint(
            old.step(),
            Bodies.unchecked(old.bodies().masses(), arrays[0], arrays[1]),
            arrays[2],
            arrays[3]));
    return new NBodyResult(
        right.before(),
        right.after(),
        right.accelerations(),
        right.potentials(),
        right.options(),
        right::tree,
        null,
        changed);
  }

  /** Where theta leaves the most closed, and bodies are few. */
  @Test
  void forcesThatAreAllWrong() {
    NBodyOptions options = OPTIONS.withTheta(1).withSteps(0);
    for (String spec : List.of("plummer:60", "cube:20", "collision:4")) {
      Bodies bodies = BodyGenerator.parse(spec).generate();
      NBodyResult right = NBodyReference.run(bodies, options);
      assertEquals(List.of(), NBodyVerifier.verify(right));
      for (double factor : new double[] {0, 0.9, 2}) {
        double[] accelerations =
            Arrays.stream(right.accelerations()).map(a -> factor * a).toArray();
        String told =
            told(result(bodies, right.after(), accelerations, right.potentials(), options));
        assertTrue(told.contains("error of an acceleration"), spec + " by " + factor + ": " + told);
        double[] potentials = Arrays.stream(right.potentials()).map(p -> factor * p).toArray();
        told = told(result(bodies, right.after(), right.accelerations(), potentials, options));
        assertTrue(told.contains("error of a potential"), spec + " by " + factor + ": " + told);
      }
    }
  }

  /**
   * A body in the middle of a cell whose size rounding exceeds: the cell counts as one that may
   * stand for its bodies, at no distance.
   */
  @Test
  void aBodyWhereTheCellsCenterIs() {
    double middle = 0.25 + 0x1p-19; // of a cube of side 2^-18
    double step = 0x1p-20;
    double[] positions = new double[15];
    Arrays.fill(positions, 6, 15, middle);
    positions[0] = -1;
    positions[3] = 1;
    positions[9] += step;
    positions[12] -= step;
    NBodyOptions options =
        OPTIONS.withPrecision(NBodyOptions.Precision.FLOAT).withSoftening(0).withSteps(0);
    for (double mass : new double[] {0, 1}) {
      double[] masses = {1, 1, mass, mass, mass};
      Bodies bodies = Bodies.of(masses, positions, new double[positions.length]);
      NBodyResult right = NBodyReference.run(bodies, options);
      assertEquals(List.of(), NBodyVerifier.verify(right));
      double[] forces = right.accelerations().clone();
      forces[6] += 1e16;
      String told = told(result(bodies, right.after(), forces, right.potentials(), options));
      assertTrue(told.contains("error of an acceleration"), mass + ": " + told);
    }
  }

  private static NBodyResult result(
      Bodies before, Bodies after, double[] forces, double[] potentials, NBodyOptions options) {
    return new NBodyResult(
        before, after, forces, potentials, options, () -> NBodyReference.tree(after), null);
  }

  /** As a sum of places that forgets masses has them. */
  @Test
  void wrongSumsOfCells() {
    double[] masses = new double[BODIES.count()];
    Arrays.setAll(masses, i -> 1 + i % 3);
    Bodies heavy = Bodies.of(masses, BODIES.positions(), BODIES.velocities());
    NBodyResult right = NBodyReference.run(heavy, OPTIONS);
    assertEquals(List.of(), NBodyVerifier.verify(right));
    Arrays.fill(masses, 1);
    Octree unweighted =
        NBodyReference.tree(Bodies.of(masses, right.after().positions(), BODIES.velocities()));
    Octree heavier = NBodyReference.tree(right.after());
    heavier.sums()[4 * 7 + 3] *= 1 + 1e-9;
    assertEquals(unweighted, heavier);
    assertTrue(told(withTree(right, unweighted)).contains("cell 0 of a walk has a center of mass"));
    assertTrue(told(withTree(right, heavier)).contains("cell 7 of a walk has the mass"));
  }

  private static NBodyResult withTree(NBodyResult right, Octree tree) {
    return new NBodyResult(
        right.before(),
        right.after(),
        right.accelerations(),
        right.potentials(),
        right.options(),
        () -> tree,
        null);
  }

  /** As a kick and drift with a half of 0 leaves bodies: all else is right. */
  @Test
  void aStepWithoutItsFirstHalfOfTheKick() {
    double dt = OPTIONS.timeStep();
    double[] velocities = BODIES.velocities();
    double[] positions = BODIES.positions();
    Arrays.setAll(positions, i -> positions[i] + velocities[i] * dt);
    Bodies drifted = Bodies.of(BODIES.masses(), positions, velocities);
    NBodyResult there = NBodyReference.run(drifted, OPTIONS.withSteps(0));
    Arrays.setAll(velocities, i -> velocities[i] + there.accelerations()[i] * dt / 2);
    Bodies after = Bodies.of(BODIES.masses(), positions, velocities);
    String told = told(result(BODIES, after, there.accelerations(), there.potentials(), OPTIONS));
    assertTrue(told.startsWith("the first half of body "), told);
  }

  @Test
  void withoutAStepNothingMoves() {
    NBodyResult right = NBodyReference.run(BODIES, OPTIONS.withSteps(0));
    assertEquals(List.of(), NBodyVerifier.verify(right));
    double[] velocities = BODIES.velocities();
    velocities[6] += 1e-12;
    Bodies after = Bodies.of(BODIES.masses(), BODIES.positions(), velocities);
    assertEquals(
        "body 2 has moved, without a step",
        told(result(BODIES, after, right.accelerations(), right.potentials(), right.options())));
  }

  @Test
  void arraysOfTheWrongLength() {
    String told = told(result(BODIES, BODIES, new double[359], new double[120], OPTIONS));
    assertTrue(told.contains("with 359 numbers of accelerations and 120 potentials"), told);
    told = told(result(BODIES, BODIES, new double[360], new double[0], OPTIONS));
    assertTrue(told.contains("with 360 numbers of accelerations and 0 potentials"), told);
  }

  @Test
  void wrongTrees() {
    Octree other = NBodyReference.tree(BodyGenerator.parse("plummer:120,seed=2").generate());
    assertTrue(told(changed(a -> {}, () -> other)).contains("the tree is another one"));
    Octree fewer = NBodyReference.tree(BodyGenerator.parse("plummer:119").generate());
    assertTrue(told(changed(a -> {}, () -> fewer)).contains("the tree has 119 of 120 bodies"));
    Supplier<Octree> none = () -> octree(new int[] {8, -1, -1, -1, -1, -1, -1, -1}, null);
    assertTrue(told(changed(a -> {}, none)).contains("there is no tree: "));
  }

  /** Trees of links are equal whatever cells are numbered, and whatever order leaves have. */
  @Test
  void treesAreEqualWhateverTheNumbersOfCells() {
    int[] next = {-1, -1, 0, -1};
    int[] child = new int[4 * Octree.OCTANTS];
    Arrays.fill(child, -1);
    child[3] = 1;
    child[5] = 3;
    child[8] = BODY + 1;
    child[9] = BODY + 2; // and 0
    child[31] = BODY + 3;
    child[24] = -1;
    int[] renumbered = new int[3 * Octree.OCTANTS];
    Arrays.fill(renumbered, -1);
    renumbered[3] = 2;
    renumbered[5] = 1;
    renumbered[16] = BODY + 1;
    renumbered[17] = BODY;
    renumbered[15] = BODY + 3;
    Octree tree = octree(child, next);
    Octree same = octree(renumbered, new int[] {2, -1, -1, -1});
    assertEquals(tree, same);
    assertEquals(tree.hashCode(), same.hashCode());
    assertEquals("Octree[bodies=4, cells=3, depths=2]", tree.toString());
    assertEquals(2, tree.largestLeaf());
    assertEquals(3, tree.leaves());
    assertEquals(List.of(1, 0, 2, 3), Arrays.stream(tree.order()).boxed().toList());
    renumbered[15] = -1;
    renumbered[14] = BODY + 3;
    assertNotEquals(tree, octree(renumbered, new int[] {2, -1, -1, -1}));
    renumbered[14] = BODY + 2;
    int[] endless = {2, -1, 0, -1};
    assertThrows(IllegalArgumentException.class, () -> octree(renumbered, endless));
  }

  /** However many bodies there are, and not the same ones after each step. */
  @Test
  void samplesOfAnySize() {
    assertArrayEquals(new int[] {0, 1, 2}, NBodyVerifier.sample(3, 5, 1));
    assertEquals(50, NBodyVerifier.sample(1000, 0, 50_000).length);
    int most = Bodies.MOST;
    Set<Integer> seen = new HashSet<>();
    for (int step : Checkpoint.steps(1000)) {
      int[] sample = NBodyVerifier.sample(most, step, 1 << 23);
      assertEquals(32, sample.length);
      for (int body : sample) {
        assertTrue(body >= 0 && body < most, "body " + body);
        seen.add(body);
      }
    }
    assertTrue(seen.size() > 5 * 32 - 5, seen.size() + " bodies in five samples");
  }

  /** Of many bodies a sample is looked at. */
  @Test
  void errorsOfASample() {
    Bodies many = BodyGenerator.parse("cube:30k").generate();
    NBodyResult result = BarnesHut.run(NBodyVariants.device("cpu:4"), many, OPTIONS.withSteps(0));
    NBodyVerifier.Errors errors = NBodyVerifier.errors(result, 3_000_000);
    assertEquals(100, errors.bodies());
    assertTrue(errors.median() > 1e-5 && errors.median() < 5e-3, errors.toString());
    assertTrue(errors.median() <= errors.percentile99());
    assertTrue(errors.percentile99() <= errors.most());
  }
}
