package io.magpie.algorithms.mesh.verify;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.mesh.AngleHistogram;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.algorithms.mesh.Splitting;
import io.magpie.algorithms.mesh.internal.BoundarySweep;
import io.magpie.algorithms.mesh.internal.Predicates;
import io.magpie.algorithms.mesh.internal.QualityBound;
import io.magpie.algorithms.mesh.verify.MeshVerification.Outcome;
import io.magpie.algorithms.mesh.verify.MeshVerification.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Checks that a refined mesh is one: the checks of {@link MeshCheck}, on the host, with nothing of
 * the refiner's but its arrays and its counts.
 *
 * <p>Edges are found from the corners of the triangles; the mesh's neighbors are only compared with
 * them. Orientation and in-circle tests are exact in the range of {@link Predicates}. Segments are
 * followed by ancestry, since a midpoint of a slanted segment is rounded and so lies slightly off
 * it.
 *
 * <p><b>What the checks prove together.</b> If the triangles are counter-clockwise (check 1) and no
 * edge has more than two (2), then a point is covered by as many triangles as the boundary winds
 * around it, which is once at most (2, of input and output alike). So triangles do not overlap and
 * segments do not cross. As the boundary is the input's, each segment of which became a chain (3
 * and 8), no vertex lies outside. Then the local Delaunay property (5) makes the triangulation the
 * constrained Delaunay triangulation of its vertices and segments.
 *
 * <p>Every failure names the first fault, which does not depend on the number of cores.
 * O(triangles) time in parallel, as {@link EdgeScan} says, and O(n log n) for n edges of the
 * boundary; 12 bytes of memory for each triangle and 13 for each vertex in addition to the meshes.
 * Attributes and area bounds of triangles take more, as {@link RegionScan} says.
 */
public final class MeshVerifier {
  /** By which fraction the area may change, apart from what rounding vertices on segments does. */
  private static final double AREA_TOLERANCE = 1e-12;

  /** More triangles than this for each of a reference are too many. */
  public static final double LARGEST_RATIO = 1.45;

  /**
   * Which part of the input's smallest feature the shortest edge must have: refinement that does
   * not end makes ever shorter ones. Without small angles of the input it is above 0.3, and the
   * shells around angles of few degrees took it to 0.045.
   */
  private static final double SHORTEST_RATIO = 0.01;

  private final Measured input;
  private final Measured output;
  private final RefinementClaim claim;
  private final Findings findings;
  private final List<Outcome> outcomes = new ArrayList<>();

  /**
   * A mesh and what the scans found in it.
   *
   * @param used which vertices are corners
   * @param vertices how many are
   * @param segments how many there are, without free slots
   */
  private record Measured(
      MeshArrays mesh,
      boolean[] used,
      long vertices,
      long segments,
      TriangleScan.Result triangles,
      EdgeScan.Result edges) {
    long euler() {
      return vertices - edges.edges + triangles.triangles;
    }
  }

  private MeshVerifier(Measured input, Measured output, RefinementClaim claim, Findings findings) {
    this.input = input;
    this.output = output;
    this.claim = claim;
    this.findings = findings;
  }

  /**
   * Checks a refined mesh.
   *
   * @param input the mesh that was refined
   * @param output what became of it; the origins of its segments are segments of the input
   * @param claim what the refiner says about it
   * @return the outcome of all checks
   * @throws IllegalArgumentException if the input itself fails one of checks 1 to 3
   */
  public static MeshVerification verify(Mesh input, Mesh output, RefinementClaim claim) {
    Findings labels = new Findings();
    compareLabels(input, output, labels);
    return verify(MeshArrays.of(input), MeshArrays.of(output), claim, labels);
  }

  /** The same for a mesh as a refiner holds it. */
  static MeshVerification verify(MeshArrays input, MeshArrays output, RefinementClaim claim) {
    return verify(input, output, claim, new Findings());
  }

  /**
   * Checks that a mesh is a constrained Delaunay triangulation. Only checks 1, 2, 3 and 5 apply.
   *
   * @param mesh any mesh; vertices that are no corners are legal
   * @return the outcome
   */
  public static MeshVerification delaunay(Mesh mesh) {
    return delaunay(MeshArrays.of(mesh));
  }

  static MeshVerification delaunay(MeshArrays mesh) {
    long begin = System.nanoTime();
    Findings findings = new Findings();
    boolean[] used = IdScan.of(mesh, Integer.MAX_VALUE, findings);
    if (used == null) {
      return unjudged(MeshCheck.TRIANGLES, findings, begin);
    }
    Measured measured = measure(mesh, used, TriangleScan.of(mesh), true, findings);
    checkBoundary(measured, findings);
    MeshVerifier verifier = new MeshVerifier(measured, measured, RefinementClaim.of(0), findings);
    for (MeshCheck check : MeshCheck.values()) {
      switch (check) {
        case TRIANGLES, EDGES, ADJACENCY, DELAUNAY -> verifier.report(check);
        default -> verifier.skip(check, "no refinement to judge");
      }
    }
    return verifier.verification(begin);
  }

  private static MeshVerification verify(
      MeshArrays input, MeshArrays output, RefinementClaim claim, Findings labels) {
    long begin = System.nanoTime();
    Measured before = measureInput(input);
    Findings findings = new Findings();
    boolean[] used = IdScan.of(output, input.segmentSlots(), findings);
    if (used == null) {
      return unjudged(MeshCheck.TRIANGLES, findings, begin);
    }
    compareVertices(input, output, findings);
    if (output.vertices() < input.vertices()) {
      return unjudged(MeshCheck.BOUNDARY, findings, begin);
    }
    for (int i = 0; i < used.length; i++) {
      int v = i;
      if (!used[v] && (v >= before.used.length || before.used[v])) {
        findings.add(MeshCheck.TRIANGLES, () -> "vertex " + v + " is the corner of no triangle");
      }
    }
    SegmentChains chains = new SegmentChains(input, output, findings);
    QualityBound bound = new QualityBound(claim.minimumAngle(), claim.maximumArea());
    TriangleScan.Result scanned = TriangleScan.of(output, bound, claim.areaBound(), chains);
    Measured after = measure(output, used, scanned, true, findings);
    chains.check(after.edges.carried, whole(before, claim.splitting()));
    RegionScan.check(input, output, findings);
    checkBoundary(after, findings);
    findings.append(labels);
    MeshVerifier verifier = new MeshVerifier(before, after, claim, findings);
    verifier.judge(chains);
    return verifier.verification(begin);
  }

  private static Measured measureInput(MeshArrays input) {
    Findings findings = new Findings();
    boolean[] used = IdScan.of(input, Integer.MAX_VALUE, findings);
    Measured measured =
        used == null ? null : measure(input, used, TriangleScan.of(input), false, findings);
    if (measured != null) {
      checkBoundary(measured, findings);
    }
    for (MeshCheck check : MeshCheck.values()) {
      if (findings.faults(check) > 0) {
        throw new IllegalArgumentException(
            "the input is not a triangulation: " + findings.first(check));
      }
    }
    return measured;
  }

  /** Which segments of the input are to stay whole. */
  private static boolean[] whole(Measured input, Splitting splitting) {
    boolean[] whole = new boolean[input.mesh.segmentSlots()];
    if (splitting == Splitting.NONE) {
      Arrays.fill(whole, true);
    } else if (splitting == Splitting.INSIDE) {
      for (int side : input.edges.boundarySides()) {
        whole[input.mesh.segmentsOfEdges()[side]] = true;
      }
    }
    return whole;
  }

  /** Where triangles and edges are as they should be, looks whether any lie over others. */
  private static void checkBoundary(Measured measured, Findings findings) {
    for (MeshCheck check :
        List.of(MeshCheck.TRIANGLES, MeshCheck.EDGES, MeshCheck.ADJACENCY, MeshCheck.BOUNDARY)) {
      if (findings.faults(check) > 0) {
        return;
      }
    }
    BoundarySweep.Fault fault =
        BoundarySweep.firstFault(
            measured.mesh.coordinates(),
            measured.mesh.corners(),
            measured.edges.boundarySides(),
            0);
    if (fault != null) {
      findings.add(MeshCheck.EDGES, fault::text);
    }
  }

  private static Measured measure(
      MeshArrays mesh,
      boolean[] used,
      TriangleScan.Result triangles,
      boolean delaunay,
      Findings findings) {
    boolean turned = triangles.findings.faults(MeshCheck.TRIANGLES) > 0;
    EdgeScan.Result edges = EdgeScan.of(mesh, delaunay, turned);
    findings.append(triangles.findings);
    findings.append(edges.findings);
    long vertices = 0;
    for (boolean corner : used) {
      vertices += corner ? 1 : 0;
    }
    long segments = 0;
    for (int s = 0; s < mesh.segmentSlots(); s++) {
      segments += mesh.freeSegment(s) ? 0 : 1;
    }
    return new Measured(mesh, used, vertices, segments, triangles, edges);
  }

  /** The input's vertices must be the first of the output, bit for bit. */
  private static void compareVertices(MeshArrays input, MeshArrays output, Findings findings) {
    if (output.vertices() < input.vertices()) {
      findings.add(
          MeshCheck.BOUNDARY,
          () -> output.vertices() + " vertices are left of the input's " + input.vertices());
      return;
    }
    for (int i = 0; i < input.vertices(); i++) {
      int v = i;
      if (differ(input.x(v), output.x(v)) || differ(input.y(v), output.y(v))) {
        findings.add(
            MeshCheck.BOUNDARY,
            () ->
                "vertex "
                    + v
                    + " of the input moved from "
                    + input.x(v)
                    + ", "
                    + input.y(v)
                    + " to "
                    + output.x(v)
                    + ", "
                    + output.y(v));
      }
    }
  }

  private static boolean differ(double a, double b) {
    return Double.doubleToRawLongBits(a) != Double.doubleToRawLongBits(b);
  }

  /** Markers and attributes of the input's vertices stay; parts have their segment's marker. */
  private static void compareLabels(Mesh input, Mesh output, Findings findings) {
    int attributes = input.attributes();
    if (output.attributes() != attributes) {
      findings.add(
          MeshCheck.BOUNDARY,
          () -> "vertices have " + output.attributes() + " attributes, the input's " + attributes);
    } else {
      for (int i = 0; i < Math.min(input.vertices(), output.vertices()); i++) {
        int v = i;
        boolean same = input.vertexMarker(v) == output.vertexMarker(v);
        for (int a = 0; a < attributes; a++) {
          same &= !differ(input.attribute(v, a), output.attribute(v, a));
        }
        if (!same) {
          findings.add(
              MeshCheck.BOUNDARY,
              () -> "vertex " + v + " of the input lost its marker or attribute");
        }
      }
    }
    for (int i = 0; i < output.segments(); i++) {
      int s = i;
      int origin = output.segmentOrigin(s);
      if (origin < input.segments() && output.segmentMarker(s) != input.segmentMarker(origin)) {
        findings.add(
            MeshCheck.BOUNDARY,
            () ->
                "segment "
                    + s
                    + " has marker "
                    + output.segmentMarker(s)
                    + ", the input's segment "
                    + origin
                    + " has "
                    + input.segmentMarker(origin));
      }
    }
  }

  private void judge(SegmentChains chains) {
    report(MeshCheck.TRIANGLES);
    report(MeshCheck.EDGES);
    report(MeshCheck.ADJACENCY);
    judgeEuler();
    report(MeshCheck.DELAUNAY);
    judgeArea(chains);
    judgeQuality();
    report(
        MeshCheck.BOUNDARY,
        text("%,d vertices, %,d segments kept", input.mesh.vertices(), input.segments));
    judgeCounts();
    judgeSize();
    judgeTermination();
  }

  private void judgeEuler() {
    if (output.euler() != input.euler()) {
      findings.add(
          MeshCheck.EULER,
          () ->
              text(
                  "%,d vertices - %,d edges + %,d triangles = %d, in the input %d",
                  output.vertices,
                  output.edges.edges,
                  output.triangles.triangles,
                  output.euler(),
                  input.euler()));
    }
    report(MeshCheck.EULER, "V - E + T = " + output.euler());
  }

  private void judgeArea(SegmentChains chains) {
    double before = input.triangles.area();
    double after = output.triangles.area();
    double tolerance = AREA_TOLERANCE * before + chains.areaTolerance();
    String figures = text("area %.17g, before %.17g, tolerance %.2g", after, before, tolerance);
    if (!(Math.abs(after - before) <= tolerance)) {
      findings.add(MeshCheck.AREA, () -> figures);
    }
    report(MeshCheck.AREA, figures);
  }

  private void judgeQuality() {
    TriangleScan.Result triangles = output.triangles;
    long admitted = claim.stoppedEarly() ? claim.badLeft() : 0;
    if (triangles.bad > admitted) {
      findings.add(
          MeshCheck.QUALITY,
          () ->
              text("%,d triangles break a bound", triangles.bad)
                  + (claim.stoppedEarly() ? text(", %,d are admitted", admitted) : "")
                  + ", the first is "
                  + triangles.firstBad);
    } else if (claim.excused() != RefinementClaim.UNKNOWN
        && triangles.bad + triangles.excused != claim.badLeft() + claim.excused()) {
      findings.add(
          MeshCheck.QUALITY,
          () ->
              text(
                  "%,d triangles break a bound and %,d are excused, the refiner counts %,d and %,d",
                  triangles.bad, triangles.excused, claim.badLeft(), claim.excused()));
    } else if (!claim.stoppedEarly() && claim.badLeft() > 0) {
      findings.add(
          MeshCheck.QUALITY,
          () -> text("the refiner has %,d bad triangles left but did not stop", claim.badLeft()));
    }
    report(
        MeshCheck.QUALITY,
        text(
            "angles %.4f to %.4f, bound %s; %,d left, %,d excused",
            triangles.angles.smallest(),
            triangles.angles.largest(),
            claim.minimumAngle(),
            triangles.bad,
            triangles.excused));
  }

  private void judgeCounts() {
    MeshCheck check = MeshCheck.BOOKKEEPING;
    long inside = claim.insertedInside();
    long onSegments = claim.insertedOnSegments();
    boolean inserted = inside != RefinementClaim.UNKNOWN && onSegments != RefinementClaim.UNKNOWN;
    boolean slots = claim.triangleSlots() != RefinementClaim.UNKNOWN;
    if (inserted) {
      long vertices = inside + onSegments;
      long boundary = output.edges.boundary - input.edges.boundary;
      compare("vertices", output.mesh.vertices(), input.mesh.vertices() + vertices);
      compare("segments", output.segments, input.segments + onSegments);
      compare(
          "triangles",
          output.triangles.triangles,
          input.triangles.triangles + 2 * vertices - boundary);
      if (claim.commits() != RefinementClaim.UNKNOWN) {
        compare("commits", claim.commits(), vertices);
      }
    }
    if (slots) {
      compare(
          "slots in use",
          claim.triangleSlots() - claim.freeTriangleSlots(),
          output.triangles.triangles);
    }
    if (inserted || slots) {
      report(
          check,
          inserted
              ? text(
                  "%,d vertices inserted, %,d of them on segments", inside + onSegments, onSegments)
              : text("%,d slots", claim.triangleSlots()));
    } else {
      skip(check, "the refiner gives no counts");
    }
  }

  private void compare(String what, long found, long expected) {
    if (found != expected) {
      findings.add(
          MeshCheck.BOOKKEEPING, () -> text("%,d %s, the counts imply %,d", found, what, expected));
    }
  }

  private void judgeSize() {
    long reference = claim.referenceTriangles();
    if (reference == RefinementClaim.UNKNOWN) {
      skip(MeshCheck.SIZE, "no reference given");
      return;
    }
    double ratio = (double) output.triangles.triangles / reference;
    String figures =
        text(
            "%,d triangles, %.3f of the reference's %,d",
            output.triangles.triangles, ratio, reference);
    if (ratio > LARGEST_RATIO) {
      findings.add(MeshCheck.SIZE, () -> figures + ", at most " + LARGEST_RATIO + " may be");
    }
    report(MeshCheck.SIZE, figures);
  }

  private void judgeTermination() {
    // Bounds on areas make a feature of their own: the edge of an equilateral triangle of that
    // area.
    double smallest = input.mesh.labels().smallestBound();
    if (claim.maximumArea() > 0) {
      smallest = Math.min(smallest, claim.maximumArea());
    }
    smallest = Math.min(smallest, output.triangles.smallestAreaBound);
    double asked = 2 * Math.sqrt(smallest / Math.sqrt(3));
    double feature = Math.min(input.edges.feature, asked);
    EdgeScan.Result edges = output.edges;
    String figures =
        text(
            "shortest edge %.3g, %.3g of the smallest feature",
            edges.shortest, edges.shortest / feature);
    if (edges.shortest < SHORTEST_RATIO * feature && !claim.stoppedEarly()) {
      findings.add(
          MeshCheck.TERMINATION,
          () -> figures + ": edge " + edges.shortestFrom + "-" + edges.shortestTo);
    }
    report(
        MeshCheck.TERMINATION,
        claim.stoppedEarly() ? "stopped early, as reported; " + figures : figures);
  }

  private void report(MeshCheck check) {
    report(
        check,
        switch (check) {
          case TRIANGLES ->
              text("%,d triangles, %,d vertices", output.triangles.triangles, output.vertices);
          case EDGES -> text("%,d edges", output.edges.edges);
          default -> check.subject();
        });
  }

  private void report(MeshCheck check, String passed) {
    outcomes.add(outcome(check, findings, passed));
  }

  private static Outcome outcome(MeshCheck check, Findings findings, String passed) {
    long faults = findings.faults(check);
    String detail = faults == 0 ? passed : findings.first(check);
    return new Outcome(
        check,
        faults == 0 ? Status.PASSED : Status.FAILED,
        faults,
        faults > 1 ? text("%s (and %,d more)", detail, faults - 1) : detail);
  }

  private void skip(MeshCheck check, String why) {
    outcomes.add(new Outcome(check, Status.NOT_APPLICABLE, 0, why));
  }

  private MeshVerification verification(long begin) {
    TriangleScan.Result triangles = output.triangles;
    return new MeshVerification(
        outcomes, triangles.angles, triangles.bad, triangles.excused, Elapsed.millisSince(begin));
  }

  /** After a failure of that check that leaves nothing to judge the others by. */
  private static MeshVerification unjudged(MeshCheck failed, Findings findings, long begin) {
    List<Outcome> outcomes = new ArrayList<>();
    for (MeshCheck check : MeshCheck.values()) {
      outcomes.add(
          check == failed
              ? outcome(check, findings, "")
              : new Outcome(
                  check,
                  Status.NOT_APPLICABLE,
                  0,
                  "not judged, as check " + (failed.ordinal() + 1) + " failed"));
    }
    return new MeshVerification(outcomes, new AngleHistogram(), 0, 0, Elapsed.millisSince(begin));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
