package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodiesTest {
  private static String refused(double[] masses, double[] positions, double[] velocities) {
    return assertThrows(
            IllegalArgumentException.class, () -> Bodies.of(masses, positions, velocities))
        .getMessage();
  }

  @Test
  void whatIsNoBodyIsRefused() {
    double[] three = {1, 2, 3};
    assertEquals(
        "body 0 has mass -1.0; expected 0 or more, and finite",
        refused(new double[] {-1}, three, three));
    assertTrue(refused(new double[] {Double.NaN}, three, three).contains("mass NaN"));
    assertEquals(
        "positions of body 0: Infinity is not finite",
        refused(new double[1], new double[] {0, Double.POSITIVE_INFINITY, 0}, three));
    assertEquals(
        "3 numbers for the velocities of 2 bodies; expected 3 each",
        refused(new double[2], new double[6], three));
  }

  @Test
  void arraysAreCopied() {
    double[] masses = {1};
    Bodies bodies = Bodies.of(masses, new double[3], new double[3]);
    masses[0] = 2;
    bodies.masses()[0] = 3;
    bodies.positions()[0] = 3;
    assertEquals(Bodies.of(new double[] {1}, new double[3], new double[3]), bodies);
  }

  /** Half of the mass of Plummer's model is within 1.305 of its radii, 3 pi / 16. */
  @Test
  void plummer() {
    Bodies bodies = BodyGenerator.parse("plummer:n=5k,seed=5").generate();
    double[] radii =
        IntStream.range(0, bodies.count())
            .mapToDouble(
                i ->
                    Math.sqrt(
                        Math.pow(bodies.position(i, 0), 2)
                            + Math.pow(bodies.position(i, 1), 2)
                            + Math.pow(bodies.position(i, 2), 2)))
            .sorted()
            .toArray();
    assertEquals(1.3048 * 3 * Math.PI / 16, radii[radii.length / 2], 0.04);
    NBodyResult result =
        NBodyReference.run(bodies, NBodyOptions.defaults().withSteps(0).withSoftening(0));
    Conserved sums = Conserved.of(result.after(), result.potentials());
    assertEquals(1, -2 * sums.kinetic() / sums.potential(), 0.05, "virial ratio");
    assertEquals(-0.25, sums.energy(), 0.02);
    assertEquals(0, sums.momentumX(), 1e-14);
  }

  @Test
  void cubeAndCollision() {
    Bodies cube = BodyGenerator.parse("cube:5000").generate();
    double[] positions = cube.positions();
    assertTrue(Arrays.stream(positions).allMatch(x -> x >= -0.5 && x < 0.5));
    assertEquals(0, Arrays.stream(positions).average().orElseThrow(), 0.02);
    assertEquals(1, Arrays.stream(cube.masses()).sum(), 1e-12);
    assertTrue(Arrays.stream(cube.velocities()).allMatch(v -> v == 0));
    Bodies two = BodyGenerator.parse("collision:n=4001,distance=6,offset=2,speed=3").generate();
    double[] mean = new double[3];
    for (int i = 0; i < 2000; i++) {
      mean[0] += two.position(i, 0) / 2000;
      mean[1] += two.position(i, 1) / 2000;
      mean[2] += two.velocity(i, 0) / 2000;
    }
    assertEquals(-3, mean[0], 1e-9);
    assertEquals(-1, mean[1], 1e-9);
    assertEquals(1.5, mean[2], 1e-9);
  }

  @Test
  void specsAreCompleteAndSeeded() {
    BodyGenerator generator = BodyGenerator.parse("collision:1k,seed=3");
    assertEquals("collision:n=1000,distance=4,offset=1,speed=1,seed=3", generator.spec());
    assertEquals(3, generator.seed());
    assertEquals(generator.generate(), BodyGenerator.parse(generator.spec()).generate());
    assertNotEquals(generator.generate(), BodyGenerator.parse("collision:1k,seed=4").generate());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "galaxy:5 | 'galaxy' is no kind of bodies; expected one of plummer, cube, collision",
        "plummer | 'n' is missing",
        "cube:0 | n=0: expected",
        "collision:1 | n=1: expected",
        "plummer:68M | n=68M: expected",
        "cube:n=5,speed=2 | 'speed' is no parameter of cube",
        "collision:n=5,speed=-1 | speed=-1: expected a number from 0.0",
      })
  void malformedSpecs(String spec, String problem) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> BodyGenerator.parse(spec)).getMessage();
    assertTrue(message.contains(problem), message);
  }
}
