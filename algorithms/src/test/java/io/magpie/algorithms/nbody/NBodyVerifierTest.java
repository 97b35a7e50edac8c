package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
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
    assertTrue(told(changed(a -> Arrays.setAll(a[3], i -> 2 * a[3][i]), null)).contains("median"));
    assertTrue(told(changed(a -> a[2][6] += 1e-3, null)).contains("body 2 began at"));
  }

  @Test
  void wrongTrees() {
    Octree other = NBodyReference.tree(BodyGenerator.parse("plummer:120,seed=2").generate());
    assertTrue(told(changed(a -> {}, () -> other)).contains("the tree is another one"));
    Octree fewer = NBodyReference.tree(BodyGenerator.parse("plummer:119").generate());
    assertTrue(told(changed(a -> {}, () -> fewer)).contains("the tree has 119 of 120 bodies"));
    Supplier<Octree> none = () -> Octree.of(BODY, new int[] {8, -1, -1, -1, -1, -1, -1, -1}, null);
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
    Octree tree = Octree.of(BODY, child, next);
    Octree same = Octree.of(BODY, renumbered, new int[] {2, -1, -1, -1});
    assertEquals(tree, same);
    assertEquals(tree.hashCode(), same.hashCode());
    assertEquals("Octree[bodies=4, cells=3, depths=2]", tree.toString());
    assertEquals(2, tree.largestLeaf());
    assertEquals(3, tree.leaves());
    assertEquals(List.of(1, 0, 2, 3), Arrays.stream(tree.order()).boxed().toList());
    renumbered[15] = -1;
    renumbered[14] = BODY + 3;
    assertNotEquals(tree, Octree.of(BODY, renumbered, new int[] {2, -1, -1, -1}));
    renumbered[14] = BODY + 2;
    int[] endless = {2, -1, 0, -1};
    assertThrows(IllegalArgumentException.class, () -> Octree.of(BODY, renumbered, endless));
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
