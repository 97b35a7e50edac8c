package io.magpie.algorithms.mesh;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;

/**
 * The outline of a country and the borders of its provinces.
 *
 * <p>Three closed curves around the origin, the outer one the coast, stay in rings of the plane
 * that do not meet; borders join a curve to the next one. All of them wind by a noise that has the
 * same look on every scale. No two segments cross: curves are star-shaped and borders stay in
 * sectors of their own; within the ring of a curve, where a border might meet it, the border is a
 * straight line toward the origin.
 */
final class FractalMap {
  /** So that each border has three segments, and all chords stay where their ends are. */
  static final int LEAST_SEGMENTS = 200;

  private static final int COAST = 2;
  private static final int COAST_MARKER = 1;
  private static final int BORDER_MARKER = 2;

  /** Mean radius of each curve, and how far it swings from that, as a part of it. */
  private static final double[] RADII = {0.3, 0.6, 1};

  private static final double[] SWINGS = {0.1, 0.1, 0.15};

  /** Borders from each curve to the next one; their swing is a part of their distance. */
  private static final int[] BORDERS = {5, 9};

  private static final double BORDER_SWING = 0.1;

  /** What a border keeps from the rings; chords leave the rings of their ends by less. */
  private static final double MARGIN = 0.02;

  /** Shares of the segments, by length; the rest is the coast's. */
  private static final double[] CURVE_SHARES = {0.12, 0.24};

  private static final double BORDER_SHARE = 0.016;

  /**
   * The noise: cells on the coarsest scale, and the height of each scale relative to the one
   * before.
   */
  private static final int CURVE_CELLS = 8;

  private static final int BORDER_CELLS = 2;
  private static final double ROUGHNESS = 0.55;

  /** The outline on the largest scale: how much it swings two, three and four times around. */
  private static final double[] LOBES = {0.15, 0.12, 0.06};

  private final long key;
  private final double[] coordinates;
  private final int[] ends;
  private final int[] markers;
  private int vertices;
  private int segments;

  private FractalMap(int n, long key) {
    this.key = key;
    // Each border has a vertex less than segments, each closed curve as many.
    coordinates = new double[2 * (n - BORDERS[0] - BORDERS[1])];
    ends = new int[2 * n];
    markers = new int[n];
  }

  /** A map of n segments. */
  static PlanarGraph of(int n, long key) {
    FractalMap map = new FractalMap(n, key);
    int borderSize = (int) (BORDER_SHARE * n);
    int[] size = {(int) (CURVE_SHARES[0] * n), (int) (CURVE_SHARES[1] * n), 0};
    size[2] = n - size[0] - size[1] - (BORDERS[0] + BORDERS[1]) * borderSize;
    int[] first = new int[3];
    for (int curve = 0; curve < 3; curve++) {
      first[curve] = map.vertices;
      map.curve(curve, size[curve]);
    }
    for (int ring = 0; ring < 2; ring++) {
      for (int border = 0; border < BORDERS[ring]; border++) {
        double turns = (border + 0.4 * map.unit(16 * ring + border)) / BORDERS[ring];
        int inner = (int) (turns * size[ring]);
        int outer = (int) (turns * size[ring + 1]);
        map.border(
            ring,
            border,
            borderSize,
            first[ring] + inner,
            (double) inner / size[ring],
            first[ring + 1] + outer,
            (double) outer / size[ring + 1]);
      }
    }
    return PlanarGraph.builder(map.coordinates).segments(map.ends, map.markers).build();
  }

  private double unit(long index) {
    return SeededHash.unit(SeededHash.draw(~key, index));
  }

  /** Puts a vertex to its place; the lobes stretch every direction by a factor of its own. */
  private void put(int v, double radius, double turns) {
    double stretch = 1;
    for (int lobe = 0; lobe < LOBES.length; lobe++) {
      double phase = (lobe + 2) * turns + unit(100 + lobe);
      stretch += LOBES[lobe] * StrictMath.cos(2 * Math.PI * phase);
    }
    MeshGenerators.polar(radius * stretch, turns, 2 * v, coordinates);
  }

  private void segment(int s, int from, int to, int marker) {
    ends[2 * s] = from;
    ends[2 * s + 1] = to;
    markers[s] = marker;
  }

  /** Adds a closed curve; segment i begins at its vertex i. */
  private void curve(int curve, int size) {
    int firstVertex = vertices;
    int firstSegment = segments;
    Parallel.forRanges(
        size,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            double turns = (double) i / size;
            double swing = SWINGS[curve] * noise(curve, turns, CURVE_CELLS, size);
            put(firstVertex + i, RADII[curve] * (1 + swing), turns);
            segment(
                firstSegment + i,
                firstVertex + i,
                firstVertex + (i + 1 < size ? i + 1 : 0),
                curve == COAST ? COAST_MARKER : BORDER_MARKER);
          }
        });
    vertices += size;
    segments += size;
  }

  /** Joins two vertices of neighboring curves, each given with its angle in turns. */
  private void border(
      int ring, int border, int size, int inner, double innerTurns, int outer, double outerTurns) {
    double low = RADII[ring] * (1 + SWINGS[ring]) + MARGIN;
    double high = RADII[ring + 1] * (1 - SWINGS[ring + 1]) - MARGIN;
    double swing = BORDER_SWING / BORDERS[ring];
    int between = size - 1;
    int last = inner;
    for (int i = 0; i < between; i++) {
      double along = (double) i / (between - 1);
      // The ends lie straight between the origin and the vertices that they are joined to.
      double taper = Math.min(1, 4 * Math.min(along, 1 - along));
      double turns =
          innerTurns
              + (outerTurns - innerTurns) * along
              + swing * taper * noise(3 + 16 * ring + border, along, BORDER_CELLS, between);
      put(vertices, low + (high - low) * along, turns);
      segment(segments++, last, vertices, BORDER_MARKER);
      last = vertices++;
    }
    segment(segments++, last, outer, BORDER_MARKER);
  }

  /**
   * Sum of random polygonal lines over cells that are halved down to those of two {@code samples}.
   * Periodic.
   *
   * @param at 0 to 1, over the line
   * @return -1 to 1
   */
  private double noise(int line, double at, int coarsest, int samples) {
    long own = SeededHash.draw(key, line);
    double height = 1 - ROUGHNESS;
    double sum = 0;
    for (long cells = coarsest; cells == coarsest || 2 * cells <= samples; cells *= 2) {
      double place = at * cells;
      long cell = (long) place;
      double left = value(own, cells, cell % cells);
      double right = value(own, cells, (cell + 1) % cells);
      sum += height * (left + (right - left) * (place - cell));
      height *= ROUGHNESS;
    }
    return sum;
  }

  private static double value(long own, long cells, long cell) {
    return 2 * SeededHash.unit(SeededHash.draw(own, cells + cell)) - 1;
  }
}
