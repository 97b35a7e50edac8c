package io.magpie.algorithms.mesh.verify;

import io.magpie.algorithms.internal.Parallel;

/**
 * Checks that coordinates are finite, that ids are in range, and that none names what was freed.
 */
final class IdScan {
  private final MeshArrays mesh;
  private final boolean[] used;

  private IdScan(MeshArrays mesh) {
    this.mesh = mesh;
    this.used = new boolean[mesh.vertices()];
  }

  /**
   * Checks coordinates and ids.
   *
   * @param mesh any arrays
   * @param origins how many segments there are that a segment may be a part of
   * @param findings where faults of {@link MeshCheck#TRIANGLES} are added
   * @return which vertices are corners; null if a coordinate is not finite, or a corner, an end or
   *     an origin out of range, so that nothing else can be judged
   */
  static boolean[] of(MeshArrays mesh, int origins, Findings findings) {
    IdScan scan = new IdScan(mesh);
    Findings found = new Findings();
    Parallel.map(mesh.vertices(), scan::coordinates).forEach(found::append);
    Parallel.map(mesh.triangleSlots(), scan::corners).forEach(found::append);
    scan.segments(origins, found);
    boolean valid = found.faults(MeshCheck.TRIANGLES) == 0;
    findings.append(found);
    Parallel.map(mesh.triangleSlots(), scan::references).forEach(findings::append);
    return valid ? scan.used : null;
  }

  private boolean vertex(int id) {
    return id >= 0 && id < mesh.vertices();
  }

  private Findings coordinates(int from, int to) {
    Findings found = new Findings();
    for (int i = from; i < to; i++) {
      int v = i;
      if (!Double.isFinite(mesh.x(v)) || !Double.isFinite(mesh.y(v))) {
        found.add(
            MeshCheck.TRIANGLES, () -> "vertex " + v + " is at " + mesh.x(v) + ", " + mesh.y(v));
      }
    }
    return found;
  }

  private Findings corners(int from, int to) {
    Findings found = new Findings();
    for (int h = 3 * from; h < 3 * to; h++) {
      int t = h / 3;
      int corner = mesh.corners()[h];
      if (mesh.freeTriangle(t)) {
        continue;
      }
      if (vertex(corner)) {
        used[corner] = true;
      } else {
        found.add(
            MeshCheck.TRIANGLES,
            () ->
                "triangle " + t + " has corner " + corner + " of " + mesh.vertices() + " vertices");
      }
    }
    return found;
  }

  private void segments(int origins, Findings found) {
    for (int i = 0; i < mesh.segmentSlots(); i++) {
      int s = i;
      int origin = mesh.segmentOrigins()[s];
      if (mesh.freeSegment(s)) {
        continue;
      }
      if (!vertex(mesh.segmentStart(s)) || !vertex(mesh.segmentEnd(s))) {
        found.add(
            MeshCheck.TRIANGLES,
            () ->
                mesh.segmentText(s)
                    + " has an end that is not one of "
                    + mesh.vertices()
                    + " vertices");
      }
      if (origin < 0 || origin >= origins) {
        found.add(
            MeshCheck.TRIANGLES,
            () ->
                mesh.segmentText(s)
                    + " is a part of segment "
                    + origin
                    + " of the input, which has "
                    + origins);
      }
    }
  }

  private Findings references(int from, int to) {
    Findings found = new Findings();
    for (int h = 3 * from; h < 3 * to; h++) {
      int t = h / 3;
      int neighbor = mesh.neighbors()[h];
      int segment = mesh.segmentsOfEdges()[h];
      if (mesh.freeTriangle(t)) {
        continue;
      }
      if (mesh.danglingNeighbor(h)) {
        found.add(
            MeshCheck.TRIANGLES,
            () ->
                "triangle "
                    + t
                    + " has neighbor "
                    + neighbor
                    + ", which is free or none of "
                    + mesh.triangleSlots()
                    + " slots");
      }
      if (mesh.danglingSegment(h)) {
        found.add(
            MeshCheck.TRIANGLES,
            () ->
                "triangle "
                    + t
                    + " has segment "
                    + segment
                    + ", which is free or none of "
                    + mesh.segmentSlots()
                    + " slots");
      }
    }
    return found;
  }
}
