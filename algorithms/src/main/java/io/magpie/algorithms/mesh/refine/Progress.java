package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.mesh.Mesh;

/**
 * Tells refinement without end from one that only needs many vertices.
 *
 * <p>Where refinement ends, its shortest edge is of the size of the input's smallest feature; where
 * it does not, edges become ever shorter. So it may take as many vertices as it needs, but from a
 * number of them on, and each time that there are a quarter more, the shortest edge is looked for.
 */
final class Progress {
  /** Of the smallest feature; verification finds shorter edges wrong. */
  static final double SHORTEST_RATIO = 0.01;

  private static final long VERTICES_PER_VERTEX = 16;
  private static final long VERTICES_PER_AREA = 4;
  private static final long MORE_VERTICES = 100_000;

  private final Mesh input;
  private double smallestArea; // of the bounds on areas; 0 for none
  private double next;
  private double feature = Double.NaN;

  Progress(Mesh input, double maximumArea) {
    this.input = input;
    next = VERTICES_PER_VERTEX * (double) input.vertices() + MORE_VERTICES;
    if (input.hasAreaBounds()) {
      AreaBounds bounds = AreaBounds.of(input, maximumArea);
      this.smallestArea = bounds.smallest();
      next += VERTICES_PER_AREA * bounds.leastTriangles();
      return;
    }
    this.smallestArea = maximumArea;
    if (maximumArea > 0) {
      double box = (input.maxX() - input.minX()) * (input.maxY() - input.minY());
      next += VERTICES_PER_AREA * box / maximumArea;
    }
  }

  /** What a refinement is held to; null where it is to go on to a number of vertices. */
  static Progress of(Mesh input, RefinementOptions options) {
    return options.maximumVertices() > 0 ? null : new Progress(input, options.maximumArea());
  }

  /** A bound on areas is asked that is not among the input's. */
  void asks(double area) {
    if (smallestArea == 0 || area < smallestArea) {
      smallestArea = area;
      feature = Double.NaN;
    }
  }

  /** Whether edges are far shorter than anything that the input has or bounds on areas ask. */
  boolean isEndless(int vertices, DeviceMesh mesh, int triangleSlots, int vertexSlots) {
    if (vertices < next) {
      return false;
    }
    next = 1.25 * vertices;
    if (Double.isNaN(feature)) {
      feature = feature(input, smallestArea);
    }
    return mesh.shortestEdge(triangleSlots, vertexSlots) < SHORTEST_RATIO * feature;
  }

  /**
   * The shortest edge of a mesh, distance of a corner from a segment that it faces, or edge of an
   * equilateral triangle of that area, 0 for none.
   */
  static double feature(Mesh mesh, double area) {
    double least = area == 0 ? Double.POSITIVE_INFINITY : 2 * Math.sqrt(area / Math.sqrt(3));
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        int a = mesh.corner(t, (k + 1) % 3);
        int b = mesh.corner(t, (k + 2) % 3);
        int c = mesh.corner(t, k);
        double ux = mesh.x(b) - mesh.x(a);
        double uy = mesh.y(b) - mesh.y(a);
        double length = Math.hypot(ux, uy);
        least = Math.min(least, length);
        double vx = mesh.x(c) - mesh.x(a);
        double vy = mesh.y(c) - mesh.y(a);
        double along = (ux * vx + uy * vy) / length;
        if (mesh.segment(t, k) >= 0 && along > 0 && along < length) {
          least = Math.min(least, Math.abs(ux * vy - uy * vx) / length);
        }
      }
    }
    return least;
  }
}
