package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.SharedDevices;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.Splitting;
import io.magpie.algorithms.mesh.refine.RefinementReport.Outcome;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.algorithms.mesh.verify.MeshCheck;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Runs refinements on devices that stay open, and holds them to everything that can be checked. */
final class Refinements {
  /** Up to here, refinement must end within {@link #VERTICES}, with edges of the input's scale. */
  static final double CERTAIN_ANGLE = 30;

  /** Vertices that suffice for all inputs of tests. */
  static final int VERTICES = 30_000;

  private static final SharedDevices OPEN = new SharedDevices(Device::open);

  private Refinements() {}

  /** cpu, sim of widths 1, 4 and 32 in rotation and at random, and the GPU if there is one. */
  static List<String> devices() {
    return TestDevices.of(List.of("cpu:4", "sim:2:4"), "cpu:1", "sim:1:1", "sim:0:32");
  }

  static List<String> simulators() {
    return List.of("sim:1:1", "sim:2:4", "sim:0:32");
  }

  /** A device with nothing on it, kept open for all tests of this process. */
  static Device device(String spec) {
    return OPEN.device(spec);
  }

  /** Refines a mesh and checks the result and the report; gives both back. */
  static RefinementResult run(String device, Mesh input, RefinementOptions options) {
    return run(device(device), input, options);
  }

  /** Refines on a device of the test's own. */
  static RefinementResult run(Device device, Mesh input, RefinementOptions options) {
    List<Round> told = new ArrayList<>();
    RefinementResult result =
        MeshRefinement.run(
            device,
            input,
            options.stopsAtVertices() ? options : options.withMaximumVertices(VERTICES),
            told::add);
    assertEquals(result.report().rounds(), told);
    check(input, result);
    return result;
  }

  /**
   * Refines, and checks, where the host fills cavities that are larger than {@code mostAlone}
   * triangles, if they are too large for the device's usual rooms.
   */
  static RefinementResult run(
      Device device, Mesh input, RefinementOptions options, long mostAlone) {
    RefinementOptions bounded = options.withMaximumVertices(VERTICES);
    long begin = System.nanoTime();
    try (RefinementRun run =
        new RefinementRun(device, input, bounded, Map.of(), round -> {}, mostAlone)) {
      RefinedArrays refined = run.run(begin, null);
      RefinementResult result = new RefinementResult(refined.mesh(), refined.report());
      check(input, result);
      return result;
    }
  }

  private static void check(Mesh input, RefinementResult result) {
    RefinementReport report = result.report();
    Mesh mesh = result.mesh();
    MeshVerification found = MeshVerifier.verify(input, mesh, report.claim());
    List<MeshCheck> failures = new ArrayList<>(found.failures());
    if (report.options().minimumAngle() > CERTAIN_ANGLE) {
      failures.remove(MeshCheck.TERMINATION);
    }
    assertEquals(List.of(), failures, () -> report + "\n" + found);
    for (MeshCheck check : MeshCheck.values()) {
      boolean judged = found.outcome(check).status() != MeshVerification.Status.NOT_APPLICABLE;
      assertEquals(check != MeshCheck.SIZE, judged, () -> check + "\n" + found);
    }
    checkReport(input, result, found);
    if (!hasSharpAngle(input)) {
      assertEquals(0, report.excused(), report::toString);
    }
    checkRounds(report);
    checkLabels(input, mesh);
    checkRegions(input, mesh);
    WholeSegments.check(input, result);
  }

  private static void checkReport(Mesh input, RefinementResult result, MeshVerification found) {
    RefinementReport report = result.report();
    Mesh mesh = result.mesh();
    assertEquals(input.triangles(), report.triangles());
    assertEquals(mesh.vertices() - input.vertices(), report.inserted());
    assertEquals(mesh.segments() - input.segments(), report.insertedOnSegments());
    assertEquals(
        mesh.triangles(), report.triangleSlots() - report.freeTriangleSlots(), report::toString);
    // The refiner asks for a little more than the bound: what is near to it may count there only.
    assertTrue(found.bad() <= report.badLeft(), () -> report + "\n" + found);
    assertTrue(
        found.bad() + found.excused() <= report.badLeft() + report.excused(),
        () -> report + "\n" + found);
    assertEquals(
        report.outcome() == Outcome.FINISHED,
        report.badLeft() == 0 && report.outcome() != Outcome.VERTEX_LIMIT,
        report::toString);
    long limit = report.options().mostVertices(input.vertices());
    if (report.outcome() == Outcome.VERTEX_LIMIT) {
      assertEquals(Math.max(limit, input.vertices()), mesh.vertices(), report::toString);
    } else {
      assertTrue(mesh.vertices() <= Math.max(limit, input.vertices()), report::toString);
    }
    boolean ends = limit == VERTICES || report.outcome() != Outcome.VERTEX_LIMIT;
    if (ends && report.options().minimumAngle() <= CERTAIN_ANGLE) {
      boolean all = report.options().splitting() == Splitting.ALL;
      assertTrue(
          report.outcome() == Outcome.FINISHED || report.outcome() == Outcome.SEGMENTS_KEPT && !all,
          () -> report + " of " + report.options());
      assertTrue(report.givenUp() >= report.badLeft(), report::toString);
      assertTrue(report.givenUp() == 0 || !all, report::toString);
    }
    double parts =
        report.loadMillis()
            + report.uploadMillis()
            + report.selectMillis()
            + report.refineMillis()
            + report.downloadMillis();
    assertTrue(report.loadMillis() > 0 && report.uploadMillis() > 0, report::toString);
    // Kernels are timed by the device's clock.
    assertEquals(
        report.totalMillis(), parts + report.otherMillis(), 0.01 * report.totalMillis() + 1);
  }

  /** Whether two segments meet at less than 60 degrees. */
  static boolean hasSharpAngle(Mesh mesh) {
    Map<Integer, List<Double>> directions = new HashMap<>();
    for (int s = 0; s < mesh.segments(); s++) {
      int start = mesh.segmentStart(s);
      int end = mesh.segmentEnd(s);
      double angle = Math.atan2(mesh.y(end) - mesh.y(start), mesh.x(end) - mesh.x(start));
      directions.computeIfAbsent(start, v -> new ArrayList<>()).add(angle);
      directions
          .computeIfAbsent(end, v -> new ArrayList<>())
          .add(angle > 0 ? angle - Math.PI : angle + Math.PI);
    }
    for (List<Double> at : directions.values()) {
      at.sort(null);
      at.add(at.get(0) + 2 * Math.PI);
      for (int i = 1; i < at.size(); i++) {
        if (at.get(i) - at.get(i - 1) < Math.PI / 3 + 1e-9) {
          return true;
        }
      }
    }
    return false;
  }

  private static void checkRounds(RefinementReport report) {
    long inserted = 0;
    double millis = 0;
    for (Round round : report.rounds()) {
      assertTrue(round.items() > 0, round::toString);
      assertTrue(round.waiting() >= 0 && round.pushed() >= 0, round::toString);
      assertTrue(round.inserted() >= 0 && round.canceled() >= 0, round::toString);
      assertTrue(round.inserted() + round.canceled() <= round.items(), round::toString);
      assertTrue(round.aborts().values().stream().allMatch(count -> count >= 0), round::toString);
      assertTrue(round.launches() > 0, round::toString);
      inserted += round.inserted();
      millis += round.millis();
    }
    assertEquals(report.inserted(), inserted, report::toString);
    assertEquals(report.refineMillis(), millis, 1e-6 * millis);
    assertTrue(report.inserted() > 0 || report.badBefore() == report.badLeft(), report::toString);
  }

  /** What the verifier does not compare: the markers and attributes of what was inserted. */
  private static void checkLabels(Mesh input, Mesh mesh) {
    int[] origin = new int[mesh.vertices()];
    Arrays.fill(origin, -1);
    for (int s = 0; s < mesh.segments(); s++) {
      origin[mesh.segmentStart(s)] = mesh.segmentOrigin(s);
      origin[mesh.segmentEnd(s)] = mesh.segmentOrigin(s);
    }
    for (int v = input.vertices(); v < mesh.vertices(); v++) {
      if (input.planarGraph().hasVertexMarkers()) {
        assertEquals(
            origin[v] < 0 ? 0 : input.segmentMarker(origin[v]),
            mesh.vertexMarker(v),
            "vertex " + v);
      }
      for (int a = 0; a < mesh.attributes(); a++) {
        double expected =
            origin[v] < 0
                ? overTriangle(input, a, mesh.x(v), mesh.y(v))
                : overSegment(input, origin[v], a, mesh.x(v), mesh.y(v));
        assertEquals(expected, mesh.attribute(v, a), 1e-9 * scale(input, a), "vertex " + v);
      }
    }
    assertEquals(input.holes(), mesh.holes());
    assertEquals(input.regions(), mesh.regions());
  }

  private static double scale(Mesh input, int attribute) {
    double largest = 0;
    for (int v = 0; v < input.vertices(); v++) {
      largest = Math.max(largest, Math.abs(input.attribute(v, attribute)));
    }
    return largest;
  }

  private static double overSegment(Mesh input, int segment, int attribute, double x, double y) {
    int start = input.segmentStart(segment);
    int end = input.segmentEnd(segment);
    double near = Math.hypot(x - input.x(start), y - input.y(start));
    double away = Math.hypot(x - input.x(end), y - input.y(end));
    return (away * input.attribute(start, attribute) + near * input.attribute(end, attribute))
        / (near + away);
  }

  /** Of the triangle that the point is in, or just outside by rounding: the mean over its areas. */
  private static double overTriangle(Mesh input, int attribute, double x, double y) {
    double inside = Double.NEGATIVE_INFINITY;
    double value = Double.NaN;
    for (int t = 0; t < input.triangles(); t++) {
      double[] part = new double[3];
      for (int k = 0; k < 3; k++) {
        int from = input.corner(t, (k + 1) % 3);
        int to = input.corner(t, (k + 2) % 3);
        double ux = input.x(from) - x;
        double uy = input.y(from) - y;
        part[k] = ux * (input.y(to) - y) - uy * (input.x(to) - x);
      }
      double all = part[0] + part[1] + part[2];
      double least = Math.min(part[0], Math.min(part[1], part[2])) / all;
      if (least > inside) {
        inside = least;
        value = 0;
        for (int k = 0; k < 3; k++) {
          value += part[k] / all * input.attribute(input.corner(t, k), attribute);
        }
      }
    }
    return value;
  }

  /**
   * Triangles have their region's attributes and bound: the area of each combination is kept, and
   * across edges that are no segments they are the same, as they are in the input, or else those of
   * where they lie.
   */
  private static void checkRegions(Mesh input, Mesh mesh) {
    assertEquals(input.triangleAttributes(), mesh.triangleAttributes());
    assertEquals(input.hasAreaBounds(), mesh.hasAreaBounds());
    if (input.triangleAttributes() == 0 && !input.hasAreaBounds()) {
      return;
    }
    if (input.hasSingleAreaBounds() || input.hasSingleTriangleAttributes()) {
      checkPlaces(input, mesh);
      return;
    }
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        int next = mesh.neighbor(t, k);
        if (next >= 0 && mesh.segment(t, k) < 0) {
          assertEquals(labels(mesh, t), labels(mesh, next));
        }
      }
    }
    Map<List<Double>, Double> before = areas(input);
    Map<List<Double>, Double> after = areas(mesh);
    assertEquals(before.keySet(), after.keySet());
    double all = before.values().stream().mapToDouble(Double::doubleValue).sum();
    before.forEach((key, area) -> assertEquals(area, after.get(key), 1e-9 * all));
  }

  /**
   * Triangles have what one of the input's triangles has that is not clearly beside their centroid.
   */
  private static void checkPlaces(Mesh input, Mesh mesh) {
    for (int i = 0; i < mesh.triangles(); i++) {
      int t = i;
      double x =
          (mesh.x(mesh.corner(t, 0)) + mesh.x(mesh.corner(t, 1)) + mesh.x(mesh.corner(t, 2))) / 3;
      double y =
          (mesh.y(mesh.corner(t, 0)) + mesh.y(mesh.corner(t, 1)) + mesh.y(mesh.corner(t, 2))) / 3;
      assertTrue(
          IntStream.range(0, input.triangles())
              .filter(home -> isAround(input, home, x, y))
              .anyMatch(home -> labels(input, home).equals(labels(mesh, t))),
          () -> "triangle " + t + " at " + x + " " + y + " has " + labels(mesh, t));
    }
  }

  private static boolean isAround(Mesh mesh, int t, double x, double y) {
    double least = Double.POSITIVE_INFINITY;
    double all = 0;
    for (int k = 0; k < 3; k++) {
      double ux = mesh.x(mesh.corner(t, (k + 1) % 3)) - x;
      double uy = mesh.y(mesh.corner(t, (k + 1) % 3)) - y;
      double vx = mesh.x(mesh.corner(t, (k + 2) % 3)) - x;
      double vy = mesh.y(mesh.corner(t, (k + 2) % 3)) - y;
      double part = ux * vy - uy * vx;
      least = Math.min(least, part);
      all += part;
    }
    return least >= -1e-9 * all;
  }

  private static Map<List<Double>, Double> areas(Mesh mesh) {
    Map<List<Double>, Double> areas = new HashMap<>();
    for (int t = 0; t < mesh.triangles(); t++) {
      int a = mesh.corner(t, 0);
      double ux = mesh.x(mesh.corner(t, 1)) - mesh.x(a);
      double uy = mesh.y(mesh.corner(t, 1)) - mesh.y(a);
      double vx = mesh.x(mesh.corner(t, 2)) - mesh.x(a);
      double vy = mesh.y(mesh.corner(t, 2)) - mesh.y(a);
      areas.merge(labels(mesh, t), (ux * vy - uy * vx) / 2, Double::sum);
    }
    return areas;
  }

  private static List<Double> labels(Mesh mesh, int t) {
    List<Double> values = new ArrayList<>();
    for (int a = 0; a < mesh.triangleAttributes(); a++) {
      values.add(mesh.triangleAttribute(t, a));
    }
    values.add(mesh.areaBound(t));
    return values;
  }

  /** How many segments, or parts of them, a mesh has with this marker. */
  static long segmentsOfMarker(Mesh mesh, int marker) {
    return IntStream.range(0, mesh.segments()).filter(s -> mesh.segmentMarker(s) == marker).count();
  }
}
