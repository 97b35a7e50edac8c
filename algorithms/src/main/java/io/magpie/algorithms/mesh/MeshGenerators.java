package io.magpie.algorithms.mesh;

import io.magpie.algorithms.internal.GeneratorSpec;
import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Seeded generators of what is to be triangulated, named by a short text.
 *
 * <p>A spec is a kind, a colon and parameters: {@code clustered:n=1000,clusters=5,seed=7}. The
 * value of the kind's first parameter may stand alone: {@code uniform:1000000}, {@code
 * uniform:1M,seed=7}. Counts may end in {@code k}, {@code M} or {@code G} (thousand, million,
 * thousand million).
 *
 * <table>
 * <caption>Kinds</caption>
 * <tr><th>kind</th><th>parameters (default)</th><th>points and segments</th></tr>
 * <tr><td>uniform</td><td>n</td><td>n points drawn uniformly from the unit square</td></tr>
 * <tr><td>disc</td><td>n</td><td>n points drawn uniformly from the unit disc</td></tr>
 * <tr><td>clustered</td><td>n, clusters (square root of n)</td><td>n points in clusters, whose
 *     centers are drawn from the unit square; the distance from the center is normally distributed
 *     in each direction, with a deviation of 1/8 to 1/1024</td></tr>
 * <tr><td>graded</td><td>n, decades (4)</td><td>n points in the unit disc whose spacing is
 *     proportional to their distance from the center, which is uniform in its logarithm over so
 *     many powers of ten</td></tr>
 * <tr><td>grid</td><td>n, jitter (1e-12)</td><td>the first n points of a square grid of spacing 1,
 *     by rows, each moved by up to {@code jitter} in each direction: nearly cocircular fours, or
 *     exactly for {@code jitter=0}</td></tr>
 * <tr><td>holes</td><td>n</td><td>a square with n polygonal holes of 3 to 16 corners, whose radius
 *     is 1/20 to 9/20 of the distance between them; markers are 1 for the square and 2 for
 *     holes</td></tr>
 * <tr><td>map</td><td>n (200 or more)</td><td>n segments: a coast, marker 1, and the borders of 15
 *     provinces, marker 2, which wind on all scales</td></tr>
 * <tr><td>circle</td><td>n</td><td>n points evenly on the unit circle</td></tr>
 * <tr><td>inclusion</td><td>n (3 or more), hole (0)</td><td>a square, marker 1, with n segments
 *     around the unit circle, marker 2; inside is a hole for {@code hole=1}</td></tr>
 * <tr><td>spokes</td><td>n</td><td>a square, marker 1, with n segments, marker 2, from the unit
 *     circle to its center</td></tr>
 * </table>
 *
 * <p>Every kind takes {@code seed} (1). The result depends on the spec only, never on the number of
 * threads or the machine. Memory: that of the result.
 */
public final class MeshGenerators {
  private static final int MOST = (Integer.MAX_VALUE - 8) / 2;

  /** The kinds with their parameters, the positional one first. */
  private static final Map<String, List<String>> KINDS = kinds();

  private MeshGenerators() {}

  private static Map<String, List<String>> kinds() {
    Map<String, List<String>> kinds = new LinkedHashMap<>();
    kinds.put("uniform", List.of("n"));
    kinds.put("disc", List.of("n"));
    kinds.put("clustered", List.of("n", "clusters"));
    kinds.put("graded", List.of("n", "decades"));
    kinds.put("grid", List.of("n", "jitter"));
    kinds.put("holes", List.of("n"));
    kinds.put("map", List.of("n"));
    kinds.put("circle", List.of("n"));
    kinds.put("inclusion", List.of("n", "hole"));
    kinds.put("spokes", List.of("n"));
    return Collections.unmodifiableMap(kinds);
  }

  /**
   * Parses a spec.
   *
   * @param spec such as {@code uniform:1M} or {@code clustered:n=1000,clusters=5,seed=7}
   * @return its generator; nothing is generated yet
   * @throws IllegalArgumentException when the kind or a parameter is unknown, missing or out of
   *     range; the message lists what is possible
   */
  public static MeshGenerator parse(String spec) {
    return generator(new GeneratorSpec(spec, "input", KINDS, List.of()));
  }

  /**
   * Parses a spec and makes its graph.
   *
   * @param spec as for {@link #parse}
   * @return the graph
   * @throws IllegalArgumentException as for {@link #parse}, and when the graph does not fit into
   *     the heap
   */
  public static PlanarGraph generate(String spec) {
    return parse(spec).generate();
  }

  /**
   * One line for each kind, for help texts.
   *
   * @return the kinds with their parameters
   */
  public static List<String> usage() {
    return GeneratorSpec.usage(KINDS, List.of());
  }

  private static MeshGenerator generator(GeneratorSpec spec) {
    return switch (spec.kind()) {
      case "uniform" -> uniform(spec);
      case "disc" -> disc(spec);
      case "clustered" -> clustered(spec);
      case "graded" -> graded(spec);
      case "grid" -> grid(spec);
      case "holes" -> {
        int n = count(spec, 0, PuncturedSquare.MOST_HOLES);
        long key = key(spec);
        yield new MeshGenerator(spec, () -> PuncturedSquare.of(n, key));
      }
      case "map" -> {
        int n = count(spec, FractalMap.LEAST_SEGMENTS, MOST);
        long key = key(spec);
        yield new MeshGenerator(spec, () -> FractalMap.of(n, key));
      }
      case "circle" -> {
        int n = count(spec, 0, RegularPolygon.MOST_CORNERS);
        double turns = unit(key(spec), 0);
        yield new MeshGenerator(spec, () -> RegularPolygon.points(n, turns));
      }
      case "inclusion" -> {
        int n = count(spec, 3, RegularPolygon.MOST_CORNERS);
        boolean hole = spec.integer("hole", "0", 0, 1) == 1;
        double turns = unit(key(spec), 0);
        yield new MeshGenerator(spec, () -> RegularPolygon.inclusion(n, hole, turns));
      }
      case "spokes" -> {
        int n = count(spec, 0, RegularPolygon.MOST_CORNERS);
        double turns = unit(key(spec), 0);
        yield new MeshGenerator(spec, () -> RegularPolygon.spokes(n, turns));
      }
      default -> throw new AssertionError(spec.kind());
    };
  }

  private static MeshGenerator uniform(GeneratorSpec spec) {
    int n = count(spec, 0, MOST);
    long key = key(spec);
    return points(
        spec,
        n,
        (v, at, out) -> {
          out[at] = unit(key, 2 * v);
          out[at + 1] = unit(key, 2 * v + 1);
        });
  }

  private static MeshGenerator disc(GeneratorSpec spec) {
    int n = count(spec, 0, MOST);
    long key = key(spec);
    return points(
        spec, n, (v, at, out) -> polar(Math.sqrt(unit(key, 2 * v)), unit(key, 2 * v + 1), at, out));
  }

  private static MeshGenerator clustered(GeneratorSpec spec) {
    int n = count(spec, 0, MOST);
    String byDefault = Long.toString(Math.max(1, Math.round(Math.sqrt(n))));
    int clusters = (int) spec.integer("clusters", byDefault, 1, MOST);
    long key = key(spec);
    return points(spec, n, (v, at, out) -> clustered(clusters, key, v, at, out));
  }

  private static MeshGenerator graded(GeneratorSpec spec) {
    int n = count(spec, 0, MOST);
    double decades = spec.real("decades", "4", 0, 12);
    long key = key(spec);
    return points(
        spec,
        n,
        (v, at, out) -> {
          double radius = StrictMath.pow(10, -decades * unit(key, 2 * v));
          polar(radius, unit(key, 2 * v + 1), at, out);
        });
  }

  private static MeshGenerator grid(GeneratorSpec spec) {
    int n = count(spec, 0, MOST);
    double jitter = spec.real("jitter", "1e-12", 0, 0.5);
    long key = key(spec);
    long columns = Math.max(1, (long) Math.ceil(Math.sqrt(n)));
    return points(
        spec,
        n,
        (v, at, out) -> {
          out[at] = v % columns + jitter * (2 * unit(key, 2 * v) - 1);
          out[at + 1] = v / columns + jitter * (2 * unit(key, 2 * v + 1) - 1);
        });
  }

  private static int count(GeneratorSpec spec, int least, int most) {
    return (int) spec.integer("n", null, least, most);
  }

  private static long key(GeneratorSpec spec) {
    return SeededHash.key(spec.seed());
  }

  private static double unit(long key, long index) {
    return SeededHash.unit(SeededHash.draw(key, index));
  }

  /** Puts vertex {@code v} to its place in an array of coordinates. */
  @FunctionalInterface
  private interface Place {
    void put(long v, int at, double[] coordinates);
  }

  private static MeshGenerator points(GeneratorSpec spec, int n, Place place) {
    return new MeshGenerator(spec, () -> points(n, place));
  }

  private static PlanarGraph points(int n, Place place) {
    double[] coordinates = new double[2 * n];
    Parallel.forRanges(
        n,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            place.put(v, 2 * v, coordinates);
          }
        });
    return PlanarGraph.of(coordinates);
  }

  /** A point by its distance from the origin and its angle, in turns. */
  static void polar(double radius, double turns, int at, double[] coordinates) {
    double angle = 2 * Math.PI * turns;
    coordinates[at] = radius * StrictMath.cos(angle);
    coordinates[at + 1] = radius * StrictMath.sin(angle);
  }

  private static void clustered(int clusters, long key, long v, int at, double[] out) {
    long centers = SeededHash.mix(key ^ 0x63656e747265L);
    long cluster = SeededHash.below(SeededHash.draw(key, 3 * v), clusters);
    double deviation = StrictMath.pow(2, -3 - 7 * unit(centers, 3 * cluster));
    // Box and Muller's pair of normal variates, as a radius and an angle.
    double radius = Math.sqrt(-2 * StrictMath.log(1 - unit(key, 3 * v + 1)));
    polar(deviation * radius, unit(key, 3 * v + 2), at, out);
    out[at] += unit(centers, 3 * cluster + 1);
    out[at + 1] += unit(centers, 3 * cluster + 2);
  }
}
