package io.magpie.algorithms.mesh;

import io.magpie.algorithms.internal.Parallel;

/**
 * The corners of a regular polygon on the unit circle, by themselves or inside a square: whatever
 * is inserted inside the circle is in conflict with every triangle there.
 */
final class RegularPolygon {
  private static final double[] SQUARE = {-2, -2, 2, -2, 2, 2, -2, 2};
  private static final int SQUARE_CORNERS = SQUARE.length / 2;
  private static final int SQUARE_MARKER = 1;
  private static final int POLYGON_MARKER = 2;

  /** As many corners as all kinds have room for in an array of coordinates. */
  static final int MOST_CORNERS = (Integer.MAX_VALUE - 8) / 2 - SQUARE_CORNERS - 1;

  private RegularPolygon() {}

  /** The corners alone, the first one at so many turns. */
  static PlanarGraph points(int corners, double turns) {
    double[] coordinates = new double[2 * corners];
    putCorners(corners, turns, 0, coordinates);
    return PlanarGraph.of(coordinates);
  }

  /** The polygon inside a square, filled or a hole. */
  static PlanarGraph inclusion(int corners, boolean hole, double turns) {
    double[] coordinates = square(corners);
    putCorners(corners, turns, SQUARE_CORNERS, coordinates);
    return inSquare(coordinates, corners, corner -> SQUARE_CORNERS + (corner + 1) % corners)
        .holes(hole ? new double[] {0, 0} : new double[0])
        .build();
  }

  /** The corners inside a square, each joined to the middle. */
  static PlanarGraph spokes(int corners, double turns) {
    double[] coordinates = square(corners + 1); // the last one is the middle
    putCorners(corners, turns, SQUARE_CORNERS, coordinates);
    return inSquare(coordinates, corners, corner -> SQUARE_CORNERS + corners).build();
  }

  private static double[] square(int more) {
    double[] coordinates = new double[2 * (SQUARE_CORNERS + more)];
    System.arraycopy(SQUARE, 0, coordinates, 0, SQUARE.length);
    return coordinates;
  }

  private static void putCorners(int corners, double turns, int first, double[] coordinates) {
    Parallel.forRanges(
        corners,
        (from, to) -> {
          for (int corner = from; corner < to; corner++) {
            double at = turns + (double) corner / corners;
            MeshGenerators.polar(1, at, 2 * (first + corner), coordinates);
          }
        });
  }

  /** The vertex at the other end of the segment that begins at a corner. */
  @FunctionalInterface
  private interface Partner {
    int of(int corner);
  }

  private static PlanarGraph.Builder inSquare(double[] coordinates, int corners, Partner partner) {
    int[] ends = new int[2 * (SQUARE_CORNERS + corners)];
    int[] markers = new int[SQUARE_CORNERS + corners];
    for (int s = 0; s < markers.length; s++) {
      boolean side = s < SQUARE_CORNERS;
      ends[2 * s] = s;
      ends[2 * s + 1] = side ? (s + 1) % SQUARE_CORNERS : partner.of(s - SQUARE_CORNERS);
      markers[s] = side ? SQUARE_MARKER : POLYGON_MARKER;
    }
    return PlanarGraph.builder(coordinates).segments(ends, markers);
  }
}
