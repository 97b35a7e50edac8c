package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ForkJoinPool;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/** The simulation on all processors is verified as those of devices are. */
class ChildLocksProperties {
  private static final int[] KINDS = {0, 1, 3};

  /**
   * From fewer bodies than there are pieces of work to several for each; with too few cells, too.
   */
  @Property(tries = 6, shrinking = ShrinkingMode.BOUNDED)
  void generatedBodies(
      @ForAll("specs") String spec,
      @ForAll @IntRange(max = 2) int steps,
      @ForAll("thetas") double theta,
      @ForAll("rooms") int room) {
    check(BodyGenerator.parse(spec).generate(), options(theta).withSteps(steps), room);
  }

  @Tag("slow")
  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  void moreGeneratedBodies(
      @ForAll("specs") String spec,
      @ForAll @IntRange(max = 2) int steps,
      @ForAll("thetas") double theta,
      @ForAll("rooms") int room) {
    generatedBodies(spec, steps, theta, room);
  }

  /** Coincident bodies, bodies without mass, on lines and lattices, at any distance. */
  @Property(tries = 20, shrinking = ShrinkingMode.BOUNDED)
  void arbitraryBodies(
      @ForAll("oddBodies") Bodies bodies,
      @ForAll("softenings") double softening,
      @ForAll("thetas") double theta,
      @ForAll("rooms") int room) {
    check(bodies, options(theta).withSoftening(softening).withSteps(1), room);
  }

  @Tag("slow")
  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void moreArbitraryBodies(
      @ForAll("oddBodies") Bodies bodies,
      @ForAll("softenings") double softening,
      @ForAll("thetas") double theta,
      @ForAll("rooms") int room) {
    arbitraryBodies(bodies, softening, theta, room);
  }

  /** By the same tree and criterion forces are those of one thread, but for the order of sums. */
  @Property(tries = 3, shrinking = ShrinkingMode.BOUNDED)
  void forcesAreThoseOfOneThread(@ForAll("specs") String spec, @ForAll("thetas") double theta) {
    Bodies bodies = BodyGenerator.parse(spec).generate();
    NBodyOptions options = options(theta).withSteps(2);
    NBodyResult expected = NBodyReference.run(bodies, options);
    NBodyResult found = ChildLocks.run(bodies, options);
    assertArrayEquals(expected.accelerations(), found.accelerations(), 1e-9);
    assertArrayEquals(expected.potentials(), found.potentials(), 1e-9);
    assertArrayEquals(expected.after().positions(), found.after().positions(), 1e-9);
  }

  @Tag("slow")
  @Property(tries = 30, shrinking = ShrinkingMode.BOUNDED)
  void moreForcesAreThoseOfOneThread(@ForAll("specs") String spec, @ForAll("thetas") double theta) {
    forcesAreThoseOfOneThread(spec, theta);
  }

  /** Eight threads meet at 27 places, at the octants of near pairs, and at empty ones. */
  @Example
  void manyThreadsBuildTheSameTree() {
    ForkJoinPool threads = new ForkJoinPool(8); // loops of what runs in a pool are run by it
    try {
      for (int seed = 1; seed <= (TestDevices.FULL ? 9 : 3); seed++) {
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

  /** Else what waits would wait for ever, and the loop with it. */
  @Example
  void aTurnThatFailsEndsWhatWaits() {
    ForkJoinPool threads = new ForkJoinPool(4);
    try {
      IllegalStateException failure =
          assertThrows(
              IllegalStateException.class,
              () -> threads.submit(this::failWhereAnotherWaits).join());
      assertTrue(failure.toString().contains("turn 500"), failure::toString);
    } finally {
      threads.shutdown();
    }
  }

  private void failWhereAnotherWaits() {
    new ChildLocks.Turns()
        .run(
            2000,
            (i, turns) -> {
              if (i == 500) {
                throw new IllegalStateException("turn 500");
              } else if (i == 10) {
                turns.await(new int[1], 0, 0);
              }
            });
  }

  @Example
  void anInterruptEndsTurns() {
    ChildLocks.Turns before = new ChildLocks.Turns();
    Thread.currentThread().interrupt();
    try {
      assertThrows(
          CancellationException.class, () -> before.run(1, (i, turns) -> fail("turn " + i)));
    } finally {
      assertTrue(Thread.interrupted());
    }
    ChildLocks.Turns waiting = new ChildLocks.Turns();
    try {
      assertThrows(
          CancellationException.class,
          () ->
              waiting.run(
                  1,
                  (i, turns) -> {
                    Thread.currentThread().interrupt();
                    turns.await(new int[1], 0, 0);
                  }));
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  @Example
  void turnsAreTakenByTheThreadsOfTheirPool() {
    for (int parallelism : new int[] {1, 5}) {
      ForkJoinPool threads = new ForkJoinPool(parallelism);
      try {
        assertEquals(parallelism, threads.submit(ChildLocks.Turns::threads).join());
      } finally {
        threads.shutdown();
      }
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
