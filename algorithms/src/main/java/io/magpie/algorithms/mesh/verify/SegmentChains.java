package io.magpie.algorithms.mesh.verify;

import io.magpie.algorithms.mesh.internal.Predicates;
import java.util.Arrays;

/**
 * The input's segments as chains of the output's: which vertex lies on which, by ancestry.
 *
 * <p>Geometry enters only to see that a chain keeps to its segment: a vertex that splits a segment
 * is rounded to doubles and so usually lies slightly off it.
 *
 * <p>O(segments) time; 8 bytes for each vertex that the output has more.
 */
final class SegmentChains {
  /**
   * How far, in units of the last place of its ends' coordinates, a chain may leave its segment.
   */
  private static final double DRIFT_ULPS = 64;

  /** How far off, in the same units, its parts may lie on one side on average. */
  private static final double AREA_ULPS = 4;

  /** Relative difference of distances that count as equal. */
  private static final double SAME_DISTANCE = 1e-6;

  /** A little under the squared cosine of 60 degrees. */
  private static final double SQUARED_COSINE_60 = 0.25 * (1 - 1e-12);

  private final MeshArrays input;
  private final MeshArrays output;
  private final Findings findings;

  /** Of each new vertex v, at 2(v - V) and after: the parts that end there; -1 for none. */
  private final int[] partsAt;

  SegmentChains(MeshArrays input, MeshArrays output, Findings findings) {
    this.input = input;
    this.output = output;
    this.findings = findings;
    partsAt = new int[2 * (output.vertices() - input.vertices())];
    Arrays.fill(partsAt, -1);
    collectParts();
  }

  private void collectParts() {
    for (int s = 0; s < output.segmentSlots(); s++) {
      if (!output.freeSegment(s)) {
        attach(s, output.segmentStart(s));
        attach(s, output.segmentEnd(s));
      }
    }
  }

  private void attach(int s, int v) {
    int at = 2 * (v - input.vertices());
    if (at < 0) {
      return;
    }
    if (partsAt[at] < 0) {
      partsAt[at] = s;
    } else if (partsAt[at + 1] < 0) {
      partsAt[at + 1] = s;
    } else {
      findings.add(
          MeshCheck.BOUNDARY,
          () ->
              "vertex "
                  + v
                  + " is an end of segments "
                  + partsAt[at]
                  + ", "
                  + partsAt[at + 1]
                  + " and "
                  + s
                  + ": a vertex that splits a segment is an end of two");
    }
  }

  /**
   * Checks that the parts of each input segment are one chain along it, and edges of the mesh.
   *
   * @param carried which of the output's segments are edges
   * @param whole which of the input's are to be one part
   */
  void check(boolean[] carried, boolean[] whole) {
    int[] parts = new int[input.segmentSlots()];
    int[] firstPart = new int[input.segmentSlots()];
    Arrays.fill(firstPart, -1);
    for (int s = 0; s < output.segmentSlots(); s++) {
      if (output.freeSegment(s)) {
        continue;
      }
      int part = s;
      int origin = output.segmentOrigins()[s];
      parts[origin]++;
      if (!carried[s]) {
        findings.add(
            MeshCheck.BOUNDARY,
            () ->
                output.segmentText(part)
                    + " of input segment "
                    + origin
                    + " is no edge of the mesh");
      }
      int start = input.segmentStart(origin);
      if (output.segmentStart(s) == start || output.segmentEnd(s) == start) {
        if (firstPart[origin] >= 0) {
          findings.add(
              MeshCheck.BOUNDARY,
              () ->
                  "two parts of input segment "
                      + origin
                      + " begin at its vertex "
                      + start
                      + ": "
                      + output.segmentText(firstPart[origin])
                      + " and "
                      + output.segmentText(part));
        }
        firstPart[origin] = s;
      }
    }
    for (int origin = 0; origin < input.segmentSlots(); origin++) {
      if (whole[origin] && parts[origin] > 1) {
        addSplit(origin, parts[origin]);
      }
      if (firstPart[origin] < 0) {
        int lost = origin;
        findings.add(
            MeshCheck.BOUNDARY,
            () ->
                "no part of input segment "
                    + lost
                    + " begins at its vertex "
                    + input.segmentStart(lost));
      } else {
        follow(origin, firstPart[origin], parts[origin]);
      }
    }
  }

  /** Walks the chain of an input segment from its start. */
  private void follow(int origin, int firstPart, int parts) {
    int end = input.segmentEnd(origin);
    int part = firstPart;
    int at = input.segmentStart(origin);
    for (int walked = 1; ; walked++) {
      int before = at;
      at = output.segmentStart(part) == at ? output.segmentEnd(part) : output.segmentStart(part);
      if (at == end) {
        if (walked != parts) {
          addMiscount(origin, parts, walked);
        }
        return;
      }
      int next = at < input.vertices() || walked >= parts ? -1 : otherPart(at, part);
      if (next < 0 || output.segmentOrigins()[next] != origin) {
        addBrokenChain(origin, at);
        return;
      }
      if (!liesBetween(origin, before, at)) {
        return;
      }
      part = next;
    }
  }

  private void addSplit(int origin, int parts) {
    findings.add(
        MeshCheck.BOUNDARY,
        () ->
            "input "
                + input.segmentText(origin)
                + " is to stay whole, but has "
                + parts
                + " parts");
  }

  private void addMiscount(int origin, int parts, int walked) {
    findings.add(
        MeshCheck.BOUNDARY,
        () ->
            "input segment "
                + origin
                + " has "
                + parts
                + " parts, but the chain between its ends has "
                + walked);
  }

  private void addBrokenChain(int origin, int vertex) {
    findings.add(
        MeshCheck.BOUNDARY,
        () ->
            "the chain of input segment "
                + origin
                + " from vertex "
                + input.segmentStart(origin)
                + " to "
                + input.segmentEnd(origin)
                + " breaks off at vertex "
                + vertex);
  }

  /**
   * Whether a vertex lies on an input segment, after the one before it; if not, it is a finding.
   */
  private boolean liesBetween(int origin, int before, int vertex) {
    int start = input.segmentStart(origin);
    int end = input.segmentEnd(origin);
    double length = input.distance(start, end);
    double ux = (input.x(end) - input.x(start)) / length;
    double uy = (input.y(end) - input.y(start)) / length;
    double vx = output.x(vertex) - input.x(start);
    double vy = output.y(vertex) - input.y(start);
    double aside = Math.abs(ux * vy - uy * vx);
    double drift = DRIFT_ULPS * ulp(origin);
    // Parts may be shorter than what a double tells from 0 at the other end.
    if (aside <= drift && advances(origin, before, vertex) && advances(origin, vertex, end)) {
      return true;
    }
    findings.add(
        MeshCheck.BOUNDARY,
        () ->
            "vertex "
                + vertex
                + " at "
                + output.x(vertex)
                + ", "
                + output.y(vertex)
                + " is not between its neighbors on input segment "
                + origin
                + ": "
                + aside
                + " away from it, at most "
                + drift
                + " allowed, "
                + (ux * vx + uy * vy) / length
                + " of the way from vertex "
                + start
                + " to "
                + end);
    return false;
  }

  /** Whether one vertex lies farther along an input segment than another, by exact signs. */
  private boolean advances(int origin, int from, int to) {
    int start = input.segmentStart(origin);
    int end = input.segmentEnd(origin);
    double along =
        Predicates.scalarProduct(
            output.x(from),
            output.y(from),
            output.x(to),
            output.y(to),
            input.x(start),
            input.y(start),
            input.x(end),
            input.y(end));
    return along > 0;
  }

  /** By how much rounding the vertices on the input's segments may change the area at most. */
  double areaTolerance() {
    double sum = 0;
    for (int s = 0; s < input.segmentSlots(); s++) {
      sum += AREA_ULPS * ulp(s) * input.distance(input.segmentStart(s), input.segmentEnd(s));
    }
    return sum;
  }

  /** One unit in the last place of the largest coordinate of an input segment. */
  private double ulp(int origin) {
    int start = input.segmentStart(origin);
    int end = input.segmentEnd(origin);
    double largest = Math.max(Math.abs(input.x(start)), Math.abs(input.y(start)));
    largest = Math.max(largest, Math.max(Math.abs(input.x(end)), Math.abs(input.y(end))));
    return Math.ulp(largest);
  }

  private int otherPart(int v, int part) {
    int at = 2 * (v - input.vertices());
    return partsAt[at] == part ? partsAt[at + 1] : partsAt[at];
  }

  /**
   * Whether a small angle of the input excuses a sharp triangle of the output.
   *
   * <p>It does if the smallest angle is one between two segments at an input vertex, which no
   * triangulation can mend; or if the shortest edge joins vertices inserted on two input segments
   * that share an end, make less than 60 degrees there, and on which the vertices are equally far
   * from that end: to split it would make the same triangle again, only smaller (Miller, Pav and
   * Walkington, "When and why Delaunay refinement algorithms work", 2005; Triangle has the same
   * rule, for any angle). Vertices of the input are no reason: what is near to one is of its own
   * scale.
   */
  boolean excuses(int t) {
    int shortest = 3 * t;
    for (int h = 3 * t; h < 3 * t + 3; h++) {
      if (length(h) < length(shortest)) {
        shortest = h;
      }
    }
    int[] segments = output.segmentsOfEdges();
    int base = 3 * t;
    int left = base + (shortest - base + 1) % 3;
    int right = base + (shortest - base + 2) % 3;
    if (output.corners()[shortest] < input.vertices()
        && segments[left] >= 0
        && segments[right] >= 0) {
      return true;
    }
    int p = output.edgeStart(shortest);
    int q = output.edgeEnd(shortest);
    int r = segmentThrough(p);
    int s = segmentThrough(q);
    return r >= 0 && s >= 0 && r != s && shell(r, s, p, q);
  }

  private double length(int h) {
    return output.distance(output.edgeStart(h), output.edgeEnd(h));
  }

  /** The input segment that a vertex was inserted on, or -1. */
  private int segmentThrough(int v) {
    int part = v < input.vertices() ? -1 : partsAt[2 * (v - input.vertices())];
    return part < 0 ? -1 : output.segmentOrigins()[part];
  }

  /** Whether p on r and q on s are equally far from an end that r and s share at a small angle. */
  private boolean shell(int r, int s, int p, int q) {
    int a = input.segmentStart(r);
    int b = input.segmentEnd(r);
    int c = input.segmentStart(s);
    int d = input.segmentEnd(s);
    int apex = a == c || a == d ? a : b == c || b == d ? b : -1;
    if (apex < 0) {
      return false;
    }
    int far = apex == a ? b : a;
    int other = apex == c ? d : c;
    double ux = input.x(far) - input.x(apex);
    double uy = input.y(far) - input.y(apex);
    double vx = input.x(other) - input.x(apex);
    double vy = input.y(other) - input.y(apex);
    double u = Math.hypot(ux, uy);
    double v = Math.hypot(vx, vy);
    double cosine = (ux / u) * (vx / v) + (uy / u) * (vy / v);
    if (!(cosine > 0 && cosine * cosine >= SQUARED_COSINE_60)) {
      return false;
    }
    double near = output.distance(apex, p);
    double away = output.distance(apex, q);
    return Math.abs(near - away) <= SAME_DISTANCE * Math.max(near, away);
  }
}
