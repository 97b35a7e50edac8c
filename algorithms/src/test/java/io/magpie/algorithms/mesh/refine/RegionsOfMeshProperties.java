package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.PlanarGraph.Region;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Precision;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Work;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Layout;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Polygons in polygons, a region in each ring between two: known from where a triangle lies. */
class RegionsOfMeshProperties {
  /** One polygon is half as large as the one around it; radii vary by a tenth. */
  private static final double VARIATION = 0.1;

  /** Where in its ring a region's point lies: beyond the next polygon, and within its own. */
  private static final double MIDDLE = 0.66;

  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void nestedPolygons(
      @ForAll @IntRange(min = 1, max = 4) int rings,
      @ForAll @IntRange(min = 6, max = 9) int corners,
      @ForAll boolean hole,
      @ForAll Random random,
      @ForAll("options") RefinementOptions options,
      @ForAll("devices") String device) {
    double[][] polygons = new double[rings + 1][];
    for (int ring = 0; ring <= rings; ring++) {
      polygons[ring] = polygon(corners, Math.scalb(1.0, -ring), random);
    }
    double[] attributes = new double[rings + 1];
    double[] bounds = new double[rings + 1];
    Arrays.fill(bounds, Double.POSITIVE_INFINITY);
    List<Region> regions = regions(hole ? rings : rings + 1, attributes, bounds, random);
    Mesh input =
        DelaunayTriangulation.of(
            graph(polygons)
                .regions(regions)
                .holes(hole ? new double[] {0, 0} : new double[0])
                .build());
    assertLabels(polygons, attributes, bounds, regions.isEmpty(), input);
    Mesh mesh =
        Refinements.run(device, input, device.startsWith("sim") ? few(options) : options).mesh();
    assertLabels(polygons, attributes, bounds, regions.isEmpty(), mesh);
  }

  private static RefinementOptions few(RefinementOptions options) {
    return options.withMinimumAngle(Math.min(20, options.minimumAngle())).withMaximumArea(0);
  }

  private static double[] polygon(int corners, double radius, Random random) {
    double[] points = new double[2 * corners];
    for (int i = 0; i < corners; i++) {
      double angle = 2 * Math.PI * i / corners;
      double at = radius * (1 + VARIATION * (2 * random.nextDouble() - 1));
      points[2 * i] = at * Math.cos(angle);
      points[2 * i + 1] = at * Math.sin(angle);
    }
    return points;
  }

  /** Regions at random of the first so many parts, some twice; what each part then has. */
  private static List<Region> regions(
      int parts, double[] attributes, double[] bounds, Random random) {
    List<Integer> order = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      for (int times = random.nextInt(3); times > 0; times--) {
        order.add(part);
      }
    }
    Collections.shuffle(order, random);
    List<Region> regions = new ArrayList<>();
    for (int part : order) {
      double angle = 2 * Math.PI * random.nextDouble();
      double at = Math.scalb(MIDDLE, -part);
      double all = 3 * Math.scalb(1.0, -2 * part); // about the area within the polygon
      double area = random.nextInt(3) == 0 ? -random.nextInt(2) : all / (1 + random.nextInt(30));
      attributes[part] = random.nextInt(5) - 2;
      bounds[part] = area > 0 ? area : Double.POSITIVE_INFINITY;
      regions.add(new Region(at * Math.cos(angle), at * Math.sin(angle), attributes[part], area));
    }
    return regions;
  }

  private static PlanarGraph.Builder graph(double[][] polygons) {
    int corners = polygons[0].length / 2;
    double[] points = Arrays.stream(polygons).flatMapToDouble(Arrays::stream).toArray();
    int[] ends =
        IntStream.range(0, polygons.length * corners)
            .flatMap(v -> IntStream.of(v, v / corners * corners + (v + 1) % corners))
            .toArray();
    return PlanarGraph.builder(points).segments(ends, null);
  }

  private static void assertLabels(
      double[][] polygons, double[] attributes, double[] bounds, boolean none, Mesh mesh) {
    assertEquals(none ? 0 : 1, mesh.triangleAttributes());
    for (int t = 0; t < mesh.triangles(); t++) {
      int a = mesh.corner(t, 0);
      int b = mesh.corner(t, 1);
      int c = mesh.corner(t, 2);
      double x = (mesh.x(a) + mesh.x(b) + mesh.x(c)) / 3;
      double y = (mesh.y(a) + mesh.y(b) + mesh.y(c)) / 3;
      int part = -1;
      while (part + 1 < polygons.length && contains(polygons[part + 1], x, y)) {
        part++;
      }
      assertEquals(bounds[part], mesh.areaBound(t), "triangle " + t);
      if (!none) {
        assertEquals(attributes[part], mesh.triangleAttribute(t, 0), "triangle " + t);
      }
    }
  }

  /** Whether a ray from the point to the right leaves the polygon once more than it enters it. */
  private static boolean contains(double[] polygon, double x, double y) {
    boolean inside = false;
    for (int i = 0; i < polygon.length; i += 2) {
      int next = (i + 2) % polygon.length;
      double y0 = polygon[i + 1];
      double y1 = polygon[next + 1];
      if (y0 > y != y1 > y) {
        double at = polygon[i] + (y - y0) / (y1 - y0) * (polygon[next] - polygon[i]);
        inside ^= at > x;
      }
    }
    return inside;
  }

  @Provide
  Arbitrary<RefinementOptions> options() {
    return Combinators.combine(
            Arbitraries.doubles().between(0, Refinements.CERTAIN_ANGLE),
            Arbitraries.of(0.0, 0.05, 1.0),
            Arbitraries.of(Synchronization.values()),
            Arbitraries.of(Insertion.values()),
            Arbitraries.of(1.0 / 64, 1.0),
            Arbitraries.of(Layout.values()),
            Arbitraries.of(Work.values()),
            Arbitraries.of(Precision.values()))
        .as(
            (angle, area, way, point, batch, layout, work, precision) ->
                RefinementOptions.defaults()
                    .withMinimumAngle(angle)
                    .withMaximumArea(area)
                    .withSynchronization(way)
                    .withInsertion(point)
                    .withBatch(batch)
                    .withLayout(layout)
                    .withPhases(
                        PhasedMarkingOptions.defaults().withWork(work).withPrecision(precision)));
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(Refinements.devices());
  }
}
