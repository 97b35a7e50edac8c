package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Schedules;
import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import io.magpie.stm.Device;
import io.magpie.stm.simulator.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Every variant on every device builds the tree that bodies determine, and finds the forces. */
class NBodyProperties {
  private static final Cells.Room ONE_CELL = new Cells.Room(1, Cells.Room.USUAL.most());

  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  void generatedBodies(
      @ForAll("specs") String spec,
      @ForAll("variants") NBodyOptions options,
      @ForAll("devices") String device) {
    check(BodyGenerator.parse(spec).generate(), options, device);
  }

  /** Coincident bodies, bodies without mass, on lines and lattices, at any distance. */
  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void arbitraryBodies(
      @ForAll("oddBodies") Bodies bodies,
      @ForAll("variants") NBodyOptions options,
      @ForAll("softenings") double softening,
      @ForAll("thetas") double theta,
      @ForAll("devices") String device) {
    check(bodies, options.withSoftening(softening).withTheta(theta), device);
  }

  /** All trees give forces that are equal to the last bit. */
  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  void forcesDoNotDependOnTheBuild(
      @ForAll("oddBodies") Bodies bodies,
      @ForAll Precision precision,
      @ForAll("devices") String device) {
    List<NBodyResult> results = new ArrayList<>();
    for (NBodyOptions options : NBodyVariants.all()) {
      if (options.precision() == precision) {
        results.add(BarnesHut.run(NBodyVariants.device(device), bodies, options.withSteps(2)));
      }
    }
    for (NBodyResult result : results) {
      assertEquals(results.get(0).after(), result.after());
      assertEquals(results.get(0).tree(), result.tree());
      assertArrayEquals(results.get(0).accelerations(), result.accelerations());
      assertArrayEquals(results.get(0).potentials(), result.potentials());
    }
  }

  /** Whatever the interleaving, and whatever a relaxed load may still see; with too few cells. */
  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void anySchedule(
      @ForAll("oddBodies") Bodies bodies,
      @ForAll("variants") NBodyOptions options,
      @ForAll("schedules") Schedule schedule,
      @ForAll("simulators") String simulator) {
    Device device = NBodyVariants.device(simulator);
    device.simulator().setSchedule(schedule);
    try {
      NBodyResult result =
          BarnesHut.run(
              device,
              bodies,
              options.withSteps(0),
              0,
              (step, now) -> {},
              BarnesHut.Kept.TREE,
              ONE_CELL);
      assertEquals(List.of(), NBodyVerifier.verify(result), () -> "by " + options);
    } finally {
      device.simulator().setSchedule(null);
    }
  }

  /** Without opening criterion, and so without its error, paths are those of the sum over pairs. */
  @Property(tries = 30, shrinking = ShrinkingMode.BOUNDED)
  void pathsAreThoseOfTheReference(
      @ForAll("specs") String spec, @ForAll("devices") String device, @ForAll boolean exact) {
    Bodies bodies = BodyGenerator.parse(spec).generate();
    NBodyOptions options = NBodyOptions.defaults().withSteps(3).withTheta(exact ? 0 : 0.3);
    NBodyResult result = BarnesHut.run(NBodyVariants.device(device), bodies, options);
    NBodyResult reference = NBodyReference.run(bodies, options);
    double most = 0;
    for (int i = 0; i < bodies.count(); i++) {
      for (int k = 0; k < 3; k++) {
        most =
            Math.max(
                most,
                Math.abs(result.after().position(i, k) - reference.after().position(i, k))
                    + Math.abs(result.after().velocity(i, k) - reference.after().velocity(i, k)));
      }
    }
    assertTrue(most <= (exact ? 1e-9 : 0.02), "off by " + most);
  }

  private static void check(Bodies bodies, NBodyOptions options, String device) {
    NBodyResult result = NBodyVariants.run(NBodyVariants.device(device), bodies, options);
    assertEquals(List.of(), NBodyVerifier.verify(result), () -> result + " by " + options);
    assertEquals(bodies.count(), result.tree().bodies());
    NBodyReport report = result.report().orElseThrow();
    assertEquals(result.tree().cells(), report.cells());
    assertEquals(result.tree().depths(), report.depths());
  }

  @Provide
  Arbitrary<NBodyOptions> variants() {
    return Arbitraries.of(NBodyVariants.all());
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(NBodyVariants.devices());
  }

  @Provide
  Arbitrary<String> simulators() {
    return Arbitraries.of("sim:3:1", "sim:3:3", "sim:3:4", "sim:3:12", "sim:3:32");
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
  Arbitrary<Schedule> schedules() {
    return Schedules.any();
  }

  @Provide
  Arbitrary<String> specs() {
    Arbitrary<Integer> sizes = Arbitraries.integers().between(2, 150);
    return Combinators.combine(
            Arbitraries.of("plummer", "cube", "collision"),
            sizes,
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

  static Bodies oddBodies(int n, int kind, long seed) {
    Random random = new Random(seed);
    double[] masses = new double[n];
    double[] positions = new double[3 * n];
    double[] velocities = new double[3 * n];
    for (int i = 0; i < n; i++) {
      masses[i] = random.nextInt(6) == 0 ? 0 : random.nextDouble();
      // Pairs that only the deepest cells separate, or none does.
      double near = Math.scalb(1, -random.nextInt(24));
      for (int k = 0; k < 3; k++) {
        positions[3 * i + k] =
            switch (kind) {
              case 0 -> random.nextInt(3);
              case 1 -> random.nextInt(2) + (random.nextBoolean() ? near : 0);
              case 2 -> k == 0 ? random.nextDouble() : 0.5;
              case 3 -> random.nextGaussian() * Math.scalb(1, random.nextInt(12));
              default -> 1;
            };
        velocities[3 * i + k] = random.nextGaussian() / 8;
      }
    }
    return Bodies.of(masses, positions, velocities);
  }
}
