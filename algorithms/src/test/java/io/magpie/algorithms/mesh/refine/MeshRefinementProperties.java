package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.Splitting;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Launches;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Precision;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Priority;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Work;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Layout;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Overlap;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.stm.StmOptions;
import io.magpie.stm.StmOptions.GiveWay;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/** Every way to refine any mesh on any device gives a valid one within the bounds. */
class MeshRefinementProperties {
  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void generatedInputs(
      @ForAll("specs") String spec,
      @ForAll("options") RefinementOptions options,
      @ForAll("devices") String device) {
    Refinements.run(device, RefinementInputs.generated(spec), bounded(options, device));
  }

  @Tag("slow")
  @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
  void moreGeneratedInputs(
      @ForAll("specs") String spec,
      @ForAll("options") RefinementOptions options,
      @ForAll("devices") String device) {
    generatedInputs(spec, options, device);
  }

  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void fewPointsOnAGrid(
      @ForAll("gridPoints") double[] points,
      @ForAll("options") RefinementOptions options,
      @ForAll("devices") String device) {
    Refinements.run(device, RefinementInputs.triangulated(points), bounded(options, device));
  }

  @Tag("slow")
  @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
  void morePointsOnAGrid(
      @ForAll("gridPoints") double[] points,
      @ForAll("options") RefinementOptions options,
      @ForAll("devices") String device) {
    fewPointsOnAGrid(points, options, device);
  }

  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void segmentsAtOneVertex(
      @ForAll("fans") Mesh fan,
      @ForAll("options") RefinementOptions options,
      @ForAll("devices") String device) {
    Refinements.run(device, fan, bounded(options, device));
  }

  @Tag("slow")
  @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
  void moreSegmentsAtOneVertex(
      @ForAll("fans") Mesh fan,
      @ForAll("options") RefinementOptions options,
      @ForAll("devices") String device) {
    segmentsAtOneVertex(fan, options, device);
  }

  /** However work is split and whoever loses, the limit is reached to the vertex, or not at all. */
  @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
  void anyVertexLimit(
      @ForAll("inputs") Mesh input,
      @ForAll("options") RefinementOptions options,
      @ForAll("devices") String device,
      @ForAll @IntRange(min = 0, max = 100) int more) {
    int limit = Math.max(1, input.vertices() + more - 2);
    Refinements.run(device, input, bounded(options, device).withMaximumVertices(limit));
  }

  @Tag("slow")
  @Property(tries = 1600, shrinking = ShrinkingMode.BOUNDED)
  void moreVertexLimits(
      @ForAll("inputs") Mesh input,
      @ForAll("options") RefinementOptions options,
      @ForAll("devices") String device,
      @ForAll @IntRange(min = 0, max = 100) int more) {
    anyVertexLimit(input, options, device, more);
  }

  /** The simulator takes a thousand times as long: it is asked for less. */
  private static RefinementOptions bounded(RefinementOptions options, String device) {
    return device.startsWith("sim")
        ? options.withMinimumAngle(Math.min(25, options.minimumAngle())).withMaximumArea(0)
        : options;
  }

  /** Also whole circles, whose cavities are large. */
  @Provide
  Arbitrary<Mesh> inputs() {
    return Arbitraries.oneOf(
        specs().map(RefinementInputs::generated),
        fans(),
        sizes(3, 80).map(RefinementInputs::circle));
  }

  @Provide
  Arbitrary<RefinementOptions> options() {
    return Combinators.combine(
            Arbitraries.doubles().between(0, Refinements.CERTAIN_ANGLE),
            Arbitraries.of(0.0, 0.01, 1.0),
            Arbitraries.of(Synchronization.values()),
            Arbitraries.of(Insertion.values()),
            Arbitraries.of(1e-6, 1.0 / 64, 1.0),
            Arbitraries.of(0, 1, 5),
            Arbitraries.of(Layout.values()),
            Combinators.combine(
                    transactions(),
                    phases(),
                    Arbitraries.of(Splitting.values()),
                    Arbitraries.of(Overlap.values()))
                .as(Ways::new))
        .as(
            (angle, area, way, point, batch, slice, layout, ways) ->
                RefinementOptions.defaults()
                    .withMinimumAngle(angle)
                    .withMaximumArea(area)
                    .withSynchronization(way)
                    .withInsertion(point)
                    .withBatch(batch)
                    .withSlice(slice)
                    .withLayout(layout)
                    .withStm(ways.stm)
                    .withPhases(ways.phases)
                    .withSplitting(ways.splitting)
                    .withOverlap(ways.overlap));
  }

  /** How transactions run, how marks are set, which segments are split, and what overlaps. */
  private record Ways(
      StmOptions stm, PhasedMarkingOptions phases, Splitting splitting, Overlap overlap) {}

  private static Arbitrary<StmOptions> transactions() {
    return Combinators.combine(
            Arbitraries.of(false, true),
            Arbitraries.of(GiveWay.values()),
            Arbitraries.of(0, 1, 3, 64))
        .as(
            (deferral, giveWay, threads) ->
                StmOptions.defaults()
                    .withDeferral(deferral)
                    .withGiveWay(giveWay)
                    .withThreadsInFlight(threads));
  }

  private static Arbitrary<PhasedMarkingOptions> phases() {
    Arbitrary<Boolean> either = Arbitraries.of(false, true);
    return Combinators.combine(
            Arbitraries.of(Priority.values()),
            Arbitraries.of(Work.values()),
            Arbitraries.of(Launches.values()),
            either,
            either,
            either,
            either,
            Arbitraries.of(Precision.values()))
        .as(PhasedMarkingOptions::new);
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(Refinements.devices());
  }

  @Provide
  Arbitrary<String> specs() {
    return Combinators.combine(
            Arbitraries.oneOf(
                sizes(3, 60)
                    .flatMap(
                        n ->
                            Arbitraries.of("uniform", "disc", "clustered", "graded")
                                .map(kind -> kind + ":" + n)),
                sizes(4, 60).map(n -> "grid:" + n + ",jitter=0"),
                sizes(4, 60).map(n -> "grid:" + n + ",jitter=0.3"),
                sizes(0, 3).map(n -> "holes:" + n)),
            sizes(1, 1000))
        .as((kind, seed) -> kind + ",seed=" + seed);
  }

  /** Many cocircular and collinear ones; the frame keeps them off one line. */
  @Provide
  Arbitrary<double[]> gridPoints() {
    return Combinators.combine(sizes(0, 30), sizes(2, 7), Arbitraries.longs())
        .as(
            (count, side, seed) -> {
              Random random = new Random(seed);
              TreeSet<Integer> cells = new TreeSet<>(List.of(0, side, (side + 1) * (side + 1) - 1));
              for (int i = 0; i < count; i++) {
                cells.add(random.nextInt((side + 1) * (side + 1)));
              }
              return cells.stream()
                  .flatMapToDouble(cell -> DoubleStream.of(cell % (side + 1), cell / (side + 1)))
                  .toArray();
            });
  }

  /** Segments of any length at one vertex in a square, down to one degree apart. */
  @Provide
  Arbitrary<Mesh> fans() {
    return Combinators.combine(sizes(1, 6), Arbitraries.longs()).as(MeshRefinementProperties::fan);
  }

  private static Mesh fan(int count, long seed) {
    Random random = new Random(seed);
    List<Double> angles = new ArrayList<>();
    double angle = 360 * random.nextDouble();
    for (int i = 0; i < count; i++) {
      angles.add(Math.toRadians(angle));
      angle += Math.pow(60, random.nextDouble());
    }
    double[] ends = new double[4 * count];
    for (int i = 0; i < count; i++) {
      double length = 0.45 * Math.pow(8, -random.nextDouble());
      ends[4 * i] = 0.5;
      ends[4 * i + 1] = 0.5;
      ends[4 * i + 2] = 0.5 + length * Math.cos(angles.get(i));
      ends[4 * i + 3] = 0.5 + length * Math.sin(angles.get(i));
    }
    return RefinementInputs.withRegions(RefinementInputs.square(ends));
  }

  private static Arbitrary<Integer> sizes(int least, int most) {
    return Arbitraries.integers().between(least, most);
  }
}
