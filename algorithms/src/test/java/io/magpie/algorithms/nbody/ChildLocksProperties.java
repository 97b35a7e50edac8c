package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** The simulation on all processors is verified as those of devices are. */
class ChildLocksProperties {
  private static final int[] KINDS = {0, 1, 3};

  /**
   * From fewer bodies than there are pieces of work to several for each; with too few cells, too.
   */
  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  void generatedBodies(
      @ForAll("specs") String spec,
      @ForAll @IntRange(max = 2) int steps,
      @ForAll("thetas") double theta,
      @ForAll("rooms") int room) {
    check(BodyGenerator.parse(spec).generate(), options(theta).withSteps(steps), room);
  }

  /** Coincident bodies, bodies without mass, on lines and lattices, at any distance. */
  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void arbitraryBodies(
      @ForAll("oddBodies") Bodies bodies,
      @ForAll("softenings") double softening,
      @ForAll("thetas") double theta,
      @ForAll("rooms") int room) {
    check(bodies, options(theta).withSoftening(softening).withSteps(1), room);
  }

  /** By the same tree and criterion forces are those of one thread, but for the order of sums. */
  @Property(tries = 30, shrinking = ShrinkingMode.BOUNDED)
  void forcesAreThoseOfOneThread(@ForAll("specs") String spec, @ForAll("thetas") double theta) {
    Bodies bodies = BodyGenerator.parse(spec).generate();
    NBodyOptions options = options(theta).withSteps(2);
    NBodyResult expected = NBodyReference.run(bodies, options);
    NBodyResult found = ChildLocks.run(bodies, options);
    assertArrayEquals(expected.accelerations(), found.accelerations(), 1e-9);
    assertArrayEquals(expected.potentials(), found.potentials(), 1e-9);
    assertArrayEquals(expected.after().positions(), found.after().positions(), 1e-9);
  }

  /** Eight threads meet at 27 places, at the octants of near pairs, and at empty ones. */
  @Example
  void manyThreadsBuildTheSameTree() {
    ForkJoinPool threads = new ForkJoinPool(8); // loops of what runs in a pool are run by it
    try {
      for (int seed = 1; seed <= 9; seed++) {
        Bodies bodies = NBodyProperties.oddBodies(60_000, KINDS[seed % KINDS.length], seed);
        Octree expected = NBodyReference.tree(bodies);
        Octree found = threads.submit(() -> ChildLocks.tree(bodies)).join();
        assertEquals(expected, found, "seed " + seed);
        assertArrayEquals(expected.sums(), found.sums(), 1e-6, "seed " + seed);
      }
    } finally {
      threads.shutdown();
    }
  }

  private static NBodyOptions options(double theta) {
    return NBodyOptions.defaults().withTheta(theta).withPrecision(Precision.DOUBLE);
  }

  private static void check(Bodies bodies, NBodyOptions options, int room) {
    NBodyResult result = ChildLocks.run(bodies, options, room);
    assertEquals(List.of(), NBodyVerifier.verify(result), () -> result + " by " + options);
    assertEquals(bodies.count(), result.tree().bodies());
  }

  @Provide
  Arbitrary<String> specs() {
    return Combinators.combine(
            Arbitraries.of("plummer", "cube", "collision"),
            Arbitraries.integers().between(2, 1500),
            Arbitraries.integers().between(1, 1000))
        .as((kind, n, seed) -> kind + ":n=" + n + ",seed=" + seed);
  }

  @Provide
  Arbitrary<Bodies> oddBodies() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 60),
            Arbitraries.integers().between(0, 4),
            Arbitraries.longs())
        .as(NBodyProperties::oddBodies);
  }

  @Provide
  Arbitrary<Double> softenings() {
    return Arbitraries.of(0.0, 1e-3, 0.05);
  }

  @Provide
  Arbitrary<Double> thetas() {
    return Arbitraries.of(0.0, 0.5, 1.0);
  }

  @Provide
  Arbitrary<Integer> rooms() {
    return Arbitraries.of(1, 100, 10_000);
  }
}
