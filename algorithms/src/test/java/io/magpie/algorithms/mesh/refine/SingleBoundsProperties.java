package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Work;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Layout;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.refine.RefinementReport.Outcome;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Area bounds and attributes of single triangles hold where those lie, and nowhere else. */
class SingleBoundsProperties {
  /** Every triangle is held to the bound of where it lies: {@link Refinements} looks. */
  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  void boundsAtRandom(
      @ForAll @IntRange(min = 4, max = 40) int points,
      @ForAll @IntRange(min = 0, max = 4) int attributes,
      @ForAll Random random,
      @ForAll("options") RefinementOptions options,
      @ForAll("devices") String device) {
    double[] coordinates = new double[2 * points];
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = random.nextDouble();
    }
    Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(coordinates));
    double[] bounds = new double[mesh.triangles()];
    double[] values = new double[bounds.length];
    for (int t = 0; t < bounds.length; t++) {
      double bound = Math.scalb(0.1, -random.nextInt(6));
      bounds[t] = random.nextInt(3) == 0 ? Double.POSITIVE_INFINITY : bound;
      values[t] = random.nextInt(attributes + 1);
    }
    Mesh input = mesh.toBuilder().areaBounds(bounds).triangleAttributes(1, values).build();
    Assume.that(input.hasSingleAreaBounds());
    RefinementReport report = Refinements.run(device, input, options).report();
    assertEquals(Outcome.FINISHED, report.outcome(), report::toString);
  }

  /** The same of attributes alone, or beside one bound on all triangles. */
  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  void attributesAtRandom(
      @ForAll @IntRange(min = 4, max = 40) int points,
      @ForAll @IntRange(min = 1, max = 4) int attributes,
      @ForAll boolean bounded,
      @ForAll Random random,
      @ForAll("options") RefinementOptions options,
      @ForAll("devices") String device) {
    double[] coordinates = new double[2 * points];
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = random.nextDouble();
    }
    Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(coordinates));
    double[] bounds = new double[mesh.triangles()];
    Arrays.fill(bounds, 0.01);
    double[] values = new double[2 * bounds.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(attributes + 1);
    }
    Mesh input =
        mesh.toBuilder().areaBounds(bounded ? bounds : null).triangleAttributes(2, values).build();
    Assume.that(input.hasSingleTriangleAttributes());
    RefinementReport report = Refinements.run(device, input, options).report();
    assertEquals(Outcome.FINISHED, report.outcome(), report::toString);
  }

  @Provide
  Arbitrary<RefinementOptions> options() {
    return Combinators.combine(
            Arbitraries.doubles().between(0, 25),
            Arbitraries.of(0.0, 0.05),
            Arbitraries.of(Synchronization.values()),
            Arbitraries.of(Insertion.values()),
            Arbitraries.of(Layout.values()),
            Arbitraries.of(Work.values()))
        .as(
            (angle, area, way, point, layout, work) ->
                RefinementOptions.defaults()
                    .withMinimumAngle(angle)
                    .withMaximumArea(area)
                    .withSynchronization(way)
                    .withInsertion(point)
                    .withLayout(layout)
                    .withPhases(PhasedMarkingOptions.defaults().withWork(work)));
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of("cpu:1", "cpu:4", "sim:2:4");
  }
}
