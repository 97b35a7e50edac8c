package io.magpie.algorithms.mesh.verify;

import io.magpie.algorithms.mesh.internal.Predicates;
import java.util.Arrays;

/**
 * Checks that triangles have the attributes and the area bound of the part of the domain in which
 * they lie, as segments divide it.
 *
 * <p>Triangles are joined over edges without a segment, in the input and in the output. A part of
 * the output is that part of the input which lies on the same side of the same segment: that is
 * told by the segment's ancestry and the direction of its edge. Where an input's part has triangles
 * with different attributes or bounds, both must be those of the input's triangle that holds the
 * centroid.
 *
 * <p>O(triangles) time on one thread, and O(n log n) for n triangles where such differ. Memory, if
 * there are labels: 4 bytes for each triangle of the input, 8 for each of the output, and 8 for
 * each segment of the input; area bounds are copied, 8 bytes for each triangle of both. The
 * corners, ends and origins must be valid.
 */
final class RegionScan {
  private static final int NONE = -1;

  private final MeshArrays input;
  private final MeshArrays output;
  private final Findings findings;

  private RegionScan(MeshArrays input, MeshArrays output, Findings findings) {
    this.input = input;
    this.output = output;
    this.findings = findings;
  }

  /** Adds faults of {@link MeshCheck#BOUNDARY}. */
  static void check(MeshArrays input, MeshArrays output, Findings findings) {
    new RegionScan(input, output, findings).check();
  }

  private void check() {
    TriangleLabels before = input.labels();
    TriangleLabels after = output.labels();
    if (before.attributes() != after.attributes()) {
      findings.add(
          MeshCheck.BOUNDARY,
          () ->
              "triangles have "
                  + after.attributes()
                  + " attributes, the input's "
                  + before.attributes());
    } else if (before.bounded() != after.bounded()) {
      findings.add(
          MeshCheck.BOUNDARY,
          () ->
              "triangles have "
                  + (after.bounded()
                      ? "area bounds, the input's none"
                      : "no area bounds, the input's some"));
    } else if (!before.isEmpty()) {
      compare();
    }
  }

  private void compare() {
    int[] inputParts = parts(input);
    int[] outputParts = parts(output);
    int[] matches = matches(inputParts, outputParts);
    boolean[] uneven = uneven(inputParts);
    TriangleTree places = null;
    for (int i = 0; i < output.triangleSlots(); i++) {
      int t = i;
      if (output.freeTriangle(t)) {
        continue;
      }
      int part = matches[outputParts[t]];
      if (part == NONE) {
        findings.add(
            MeshCheck.BOUNDARY, () -> "triangle " + t + " lies in no part of the input's domain");
      } else if (uneven[part]) {
        places = places == null ? new TriangleTree(input) : places;
        checkPlace(t, places);
      } else if (!output.labels().same(t, input.labels(), part)) {
        findings.add(
            MeshCheck.BOUNDARY,
            () ->
                "triangle "
                    + t
                    + " has "
                    + output.labels().text(t)
                    + ", the input's triangle "
                    + part
                    + " in the same part of the domain "
                    + input.labels().text(part));
      }
    }
  }

  /** Checks a triangle in a part where attributes or bounds differ. */
  private void checkPlace(int t, TriangleTree places) {
    double x = 0;
    double y = 0;
    for (int h = 3 * t; h < 3 * t + 3; h++) {
      x += output.x(output.corners()[h]);
      y += output.y(output.corners()[h]);
    }
    if (!places.anyHolds(x / 3, y / 3, home -> output.labels().same(t, input.labels(), home))) {
      findings.add(
          MeshCheck.BOUNDARY,
          () ->
              "triangle "
                  + t
                  + " has "
                  + output.labels().text(t)
                  + ", not those of the input's triangle that its centroid lies in");
    }
  }

  /** Which parts have triangles with different labels, by the triangle that stands for them. */
  private boolean[] uneven(int[] inputParts) {
    boolean[] uneven = new boolean[inputParts.length];
    for (int t = 0; t < inputParts.length; t++) {
      uneven[inputParts[t]] |= !input.labels().same(t, input.labels(), inputParts[t]);
    }
    return uneven;
  }

  /** Of each triangle one that can be reached from it without crossing a segment. */
  private static int[] parts(MeshArrays mesh) {
    int[] parts = new int[mesh.triangleSlots()];
    Arrays.setAll(parts, t -> t);
    for (int h = 0; h < 3 * parts.length; h++) {
      int across = mesh.neighbors()[h];
      if (!mesh.freeTriangle(h / 3)
          && mesh.segmentsOfEdges()[h] == NONE
          && across != NONE
          && !mesh.danglingNeighbor(h)) {
        int one = root(parts, h / 3);
        int other = root(parts, across);
        parts[Math.max(one, other)] = Math.min(one, other);
      }
    }
    for (int t = 0; t < parts.length; t++) {
      parts[t] = parts[parts[t]]; // those before are roots, or name theirs
    }
    return parts;
  }

  private static int root(int[] parts, int t) {
    int at = t;
    while (parts[at] != at) {
      parts[at] = parts[parts[at]];
      at = parts[at];
    }
    return at;
  }

  /** The input's part of each part of the output, or none. */
  private int[] matches(int[] inputParts, int[] outputParts) {
    int[] partsAtSides = new int[2 * input.segmentSlots()];
    Arrays.fill(partsAtSides, NONE);
    for (int h = 0; h < 3 * inputParts.length; h++) {
      int s = input.segmentsOfEdges()[h];
      if (!input.freeTriangle(h / 3) && s != NONE && !input.danglingSegment(h)) {
        partsAtSides[side(input, h, s)] = inputParts[h / 3];
      }
    }
    int[] matches = new int[outputParts.length];
    Arrays.fill(matches, NONE);
    for (int i = 0; i < 3 * outputParts.length; i++) {
      int h = i;
      int s = output.segmentsOfEdges()[h];
      if (output.freeTriangle(h / 3) || s == NONE || output.danglingSegment(h)) {
        continue;
      }
      int origin = output.segmentOrigins()[s];
      int part = partsAtSides[side(output, h, origin)];
      int known = matches[outputParts[h / 3]];
      if (part == NONE || known != NONE && known != part) {
        findings.add(
            MeshCheck.BOUNDARY,
            () ->
                "triangle "
                    + h / 3
                    + (part == NONE
                        ? " lies beyond the boundary"
                        : " lies in two parts of the domain, one of them")
                    + " at segment "
                    + origin
                    + " of the input");
      } else {
        matches[outputParts[h / 3]] = part;
      }
    }
    return matches;
  }

  /** The side of an input segment on which the triangle of an edge's side lies: 2s or 2s + 1. */
  private int side(MeshArrays mesh, int h, int segment) {
    int from = mesh.edgeStart(h);
    int to = mesh.edgeEnd(h);
    int start = input.segmentStart(segment);
    int end = input.segmentEnd(segment);
    double along =
        Predicates.scalarProduct(
            mesh.x(from),
            mesh.y(from),
            mesh.x(to),
            mesh.y(to),
            input.x(start),
            input.y(start),
            input.x(end),
            input.y(end));
    return 2 * segment + (along > 0 ? 0 : 1);
  }
}
