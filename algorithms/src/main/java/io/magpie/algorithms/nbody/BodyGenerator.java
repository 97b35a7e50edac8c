package io.magpie.algorithms.nbody;

import io.magpie.algorithms.Generator;
import io.magpie.algorithms.internal.GeneratorSpec;
import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Seeded generators of bodies, named by a short text: a kind, a colon and parameters, {@code
 * plummer:n=300k,seed=7}. The value of the kind's first parameter may stand alone: {@code
 * cube:1000}. Counts may end in {@code k}, {@code M} or {@code G} (thousand, million, thousand
 * million).
 *
 * <table>
 * <caption>Kinds</caption>
 * <tr><th>kind</th><th>parameters (default)</th><th>bodies</th></tr>
 * <tr><td>plummer</td><td>n</td><td>n bodies of mass 1/n in Plummer's model, in virial equilibrium
 *     and with total energy -1/4 (standard units), without the outermost thousandth (Aarseth, Henon
 *     and Wielen, Astronomy and Astrophysics 37, 1974)</td></tr>
 * <tr><td>cube</td><td>n</td><td>n bodies of mass 1/n at rest, drawn uniformly from a cube of side
 *     1 around the origin: they collapse</td></tr>
 * <tr><td>collision</td><td>n (2 or more), distance (4), offset (1), speed (1)</td><td>two models
 *     of Plummer with half of the bodies each, mass 1 both together, so far apart along x and y, that
 *     approach each other along x at that speed</td></tr>
 * </table>
 *
 * <p>Every kind takes {@code seed} (1). Center of mass and momentum of each model of Plummer are 0
 * but for rounding. The result depends on the spec only, never on the number of threads. Memory: 56
 * bytes for each body.
 */
public final class BodyGenerator extends Generator<Bodies> {
  /** The kinds with their parameters, the positional one first. */
  private static final Map<String, List<String>> KINDS = kinds();

  /** The farthest that models can be apart, and the fastest that they can approach. */
  private static final double MOST_PARAMETER = 1e6;

  /** Plummer's radius in standard units. */
  private static final double SCALE = 3 * Math.PI / 16;

  /** The part of the mass that bodies are drawn from. */
  private static final double INNER_MASS = 0.999;

  /** What makes the bodies. */
  @FunctionalInterface
  private interface Recipe {
    Bodies generate();
  }

  private final Recipe recipe;

  private BodyGenerator(GeneratorSpec parsed, Recipe recipe) {
    super(parsed.complete(), parsed.takenSeed());
    this.recipe = recipe;
  }

  private static Map<String, List<String>> kinds() {
    Map<String, List<String>> kinds = new LinkedHashMap<>();
    kinds.put("plummer", List.of("n"));
    kinds.put("cube", List.of("n"));
    kinds.put("collision", List.of("n", "distance", "offset", "speed"));
    return Collections.unmodifiableMap(kinds);
  }

  /** One line for each kind, for help texts. */
  public static List<String> usage() {
    return GeneratorSpec.usage(KINDS, List.of());
  }

  /** Whether a text names a kind. */
  public static boolean isKind(String name) {
    return KINDS.containsKey(name);
  }

  /**
   * Parses a spec.
   *
   * @param spec such as {@code plummer:30k} or {@code collision:n=10k,speed=0.5,seed=7}
   * @return its generator; nothing is generated yet
   * @throws IllegalArgumentException when the kind or a parameter is unknown, missing or out of
   *     range; the message lists what is possible
   */
  public static BodyGenerator parse(String spec) {
    GeneratorSpec parsed = new GeneratorSpec(spec, "bodies", KINDS, List.of());
    boolean collides = parsed.kind().equals("collision");
    int n = (int) parsed.integer("n", null, collides ? 2 : 1, Bodies.MOST);
    if (collides) {
      double distance = parsed.real("distance", "4", 0, MOST_PARAMETER);
      double offset = parsed.real("offset", "1", 0, MOST_PARAMETER);
      double speed = parsed.real("speed", "1", 0, MOST_PARAMETER);
      long seed = parsed.seed();
      return new BodyGenerator(parsed, () -> collision(n, distance, offset, speed, seed));
    }
    long seed = parsed.seed();
    return parsed.kind().equals("plummer")
        ? new BodyGenerator(parsed, () -> plummer(n, seed))
        : new BodyGenerator(parsed, () -> cube(n, seed));
  }

  @Override
  protected Bodies make() {
    return recipe.generate();
  }

  private static double[] equalMasses(int n) {
    double[] masses = new double[n];
    Arrays.fill(masses, 1.0 / n);
    return masses;
  }

  private static Bodies cube(int n, long seed) {
    double[] positions = new double[3 * n];
    long key = SeededHash.key(seed);
    Parallel.forRanges(
        positions.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            positions[i] = SeededHash.unit(SeededHash.draw(key, i)) - 0.5;
          }
        });
    return Bodies.owning(equalMasses(n), positions, new double[3 * n]);
  }

  private static Bodies plummer(int n, long seed) {
    double[] positions = new double[3 * n];
    double[] velocities = new double[3 * n];
    drawPlummer(positions, velocities, 0, n, 1, seed);
    return Bodies.owning(equalMasses(n), positions, velocities);
  }

  private static Bodies collision(int n, double distance, double offset, double speed, long seed) {
    double[] positions = new double[3 * n];
    double[] velocities = new double[3 * n];
    int half = n / 2;
    // Each model is in equilibrium under its own mass, about half of all.
    drawPlummer(positions, velocities, 0, half, (double) half / n, seed);
    drawPlummer(positions, velocities, half, n, (double) (n - half) / n, seed);
    for (int i = 0; i < n; i++) {
      int side = i < half ? -1 : 1;
      positions[3 * i] += side * distance / 2;
      positions[3 * i + 1] += side * offset / 2;
      velocities[3 * i] -= side * speed / 2;
    }
    return Bodies.owning(equalMasses(n), positions, velocities);
  }

  /**
   * Draws bodies from Plummer's model.
   *
   * @param mass of the model, whose radius does not depend on it: velocities do
   */
  private static void drawPlummer(
      double[] positions, double[] velocities, int first, int last, double mass, long seed) {
    Parallel.forRanges(
        last - first,
        (from, to) -> {
          for (int i = first + from; i < first + to; i++) {
            draw(positions, velocities, i, mass, new Draws(seed, i));
          }
        });
    center(positions, first, last);
    center(velocities, first, last);
  }

  private static void draw(
      double[] positions, double[] velocities, int i, double mass, Draws draws) {
    double within = INNER_MASS * (1 - draws.next()); // above 0
    double radius = 1 / Math.sqrt(Math.pow(within, -2.0 / 3) - 1);
    sphere(positions, i, SCALE * radius, draws);
    double part;
    double height;
    do { // the share of the escape velocity, by von Neumann's rejection
      part = draws.next();
      height = draws.next() * 0.1;
    } while (height > part * part * Math.pow(1 - part * part, 3.5));
    double escape = Math.sqrt(2 * mass / SCALE) * Math.pow(1 + radius * radius, -0.25);
    sphere(velocities, i, part * escape, draws);
  }

  /** A vector of that length, in any direction. */
  private static void sphere(double[] vectors, int i, double length, Draws draws) {
    double z = 2 * draws.next() - 1;
    double angle = 2 * Math.PI * draws.next();
    double across = Math.sqrt(1 - z * z);
    vectors[3 * i] = length * across * Math.cos(angle);
    vectors[3 * i + 1] = length * across * Math.sin(angle);
    vectors[3 * i + 2] = length * z;
  }

  /** Moves vectors so that their mean is 0. */
  private static void center(double[] vectors, int first, int last) {
    for (int k = 0; k < 3; k++) {
      double sum = 0;
      for (int i = first; i < last; i++) {
        sum += vectors[3 * i + k];
      }
      double mean = sum / (last - first);
      for (int i = first; i < last; i++) {
        vectors[3 * i + k] -= mean;
      }
    }
  }

  /** Random numbers of one body, in [0, 1). */
  private static final class Draws {
    private final long key;
    private long drawn;

    Draws(long seed, int body) {
      key = SeededHash.at(seed, body);
    }

    double next() {
      return SeededHash.unit(SeededHash.draw(key, drawn++));
    }
  }
}
