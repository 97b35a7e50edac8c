package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import io.magpie.algorithms.nbody.NBodyReference.Forces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Checks the end of a simulation against {@link NBodyReference}: masses are those that were given;
 * all numbers are finite; the tree is the one that bodies determine; accelerations and potentials
 * are those of the sum over all pairs, but for the error that theta and precision allow; and after
 * one step the bodies are where that step backwards leads to where they began.
 *
 * <p>The error of a body's acceleration is the length of its difference from the sum over all
 * pairs, relative to the sum of the magnitudes of what is added there; that of its potential is
 * relative to the potential. That of every body must be at most {@value #MOST_OF_SQUARE} times
 * theta squared, and that of half of them {@value #MEDIAN_OF_SQUARE} times that, with 1e-4 more in
 * single precision and 1e-9 in double. These are no proven bounds, but several times what was found
 * in trees over bodies of all generators. Of many bodies a sample is checked.
 *
 * <p>Not checked: the path of more than one step, which is chaotic.
 */
public final class NBodyVerifier {
  /** Of every acceleration. */
  static final double MOST_OF_SQUARE = 1;

  /** Of the median of accelerations. */
  static final double MEDIAN_OF_SQUARE = 0.15;

  /** Of every potential. */
  static final double POTENTIAL_OF_SQUARE = 0.3;

  /** Of so many bodies a median says something. */
  private static final int LEAST_FOR_MEDIAN = 100;

  /** Pairs of bodies that are looked at. */
  private static final long MOST_PAIRS = 1L << 29;

  private static final double SINGLE = 1e-4;
  private static final double DOUBLE = 1e-9;

  private NBodyVerifier() {}

  /**
   * Errors of forces, relative; see above.
   *
   * @param bodies whose forces were looked at
   * @param median of the errors of accelerations
   * @param percentile99 99 of 100 are no greater
   * @param most the greatest
   * @param mostOfPotential the greatest of potentials
   */
  public record Errors(
      int bodies, double median, double percentile99, double most, double mostOfPotential) {}

  /**
   * Checks a result.
   *
   * @param result what to check
   * @return what is wrong, one sentence each; empty if nothing is
   */
  public static List<String> verify(NBodyResult result) {
    return verify(result, errors(result));
  }

  /** The same with errors that were computed already. */
  public static List<String> verify(NBodyResult result, Errors errors) {
    List<String> wrong = new ArrayList<>();
    checkBodies(result, wrong);
    if (wrong.isEmpty()) {
      checkTree(result, wrong);
      checkErrors(result.options(), errors, wrong);
      checkStep(result, wrong);
    }
    return wrong;
  }

  /**
   * Computes the errors of forces, of all bodies if there are few, else of a sample. Cost: at most
   * 2^29 pairs, or those of one body.
   */
  public static Errors errors(NBodyResult result) {
    return errors(result, MOST_PAIRS);
  }

  /** The same with another number of pairs at most. */
  static Errors errors(NBodyResult result, long mostPairs) {
    Bodies bodies = result.after();
    int n = bodies.count();
    if (n == 0) {
      return new Errors(0, 0, 0, 0, 0);
    }
    int count = (int) Math.max(1, Math.min(n, mostPairs / n));
    int[] some =
        count == n
            ? IntStream.range(0, n).toArray()
            : IntStream.range(0, count)
                .map(i -> SeededHash.below(SeededHash.at(n, i), n))
                .toArray();
    Forces right = NBodyReference.direct(bodies, result.options().softening(), some);
    double[] errors = new double[count];
    double mostOfPotential = 0;
    for (int i = 0; i < count; i++) {
      double squares = 0;
      for (int k = 0; k < 3; k++) {
        double d = result.accelerations()[3 * some[i] + k] - right.accelerations()[3 * i + k];
        squares += d * d;
      }
      errors[i] = ratio(Math.sqrt(squares), right.magnitudes()[i]);
      mostOfPotential =
          Math.max(
              mostOfPotential,
              ratio(
                  Math.abs(result.potentials()[some[i]] - right.potentials()[i]),
                  Math.abs(right.potentials()[i])));
    }
    Arrays.sort(errors);
    return new Errors(
        count,
        errors[(count - 1) / 2],
        errors[(int) ((count - 1) * 0.99)],
        errors[count - 1],
        mostOfPotential);
  }

  private static double ratio(double part, double whole) {
    return part == 0 ? 0 : part / whole;
  }

  private static void checkBodies(NBodyResult result, List<String> wrong) {
    int n = result.before().count();
    if (result.after().count() != n
        || result.accelerations().length != 3 * n
        || result.potentials().length != n) {
      wrong.add(
          n
              + " bodies became "
              + result.after().count()
              + ", with "
              + result.accelerations().length
              + " numbers of accelerations and "
              + result.potentials().length
              + " potentials");
      return;
    }
    for (int i = 0; i < n; i++) {
      if (result.after().mass(i) != result.before().mass(i)) {
        wrong.add("the mass of body " + i + " has changed");
        return;
      }
      boolean finite = Double.isFinite(result.potentials()[i]);
      for (int k = 0; k < 3; k++) {
        finite &=
            Double.isFinite(result.after().position(i, k))
                && Double.isFinite(result.after().velocity(i, k))
                && Double.isFinite(result.accelerations()[3 * i + k]);
      }
      if (!finite) {
        wrong.add("body " + i + " has numbers that are not finite");
        return;
      }
    }
  }

  private static void checkTree(NBodyResult result, List<String> wrong) {
    Octree right = NBodyReference.tree(result.after());
    Octree found;
    try {
      found = result.tree();
    } catch (IllegalArgumentException e) {
      wrong.add("there is no tree: " + e.getMessage());
      return;
    }
    if (found.equals(right)) {
      return;
    }
    wrong.add(
        found.bodies() != right.bodies()
            ? "the tree has " + found.bodies() + " of " + right.bodies() + " bodies"
            : "the tree is another one than that of its bodies from step "
                + found.mismatch(right)
                + " of a walk on: "
                + found
                + ", by the reference "
                + right);
  }

  private static void checkErrors(NBodyOptions options, Errors errors, List<String> wrong) {
    double square = options.theta() * options.theta();
    double rounding = options.precision() == Precision.FLOAT ? SINGLE : DOUBLE;
    if (errors.bodies >= LEAST_FOR_MEDIAN) {
      check(
          "the median of errors of accelerations",
          errors.median,
          MEDIAN_OF_SQUARE * square + rounding,
          options,
          wrong);
    }
    check(
        "the error of an acceleration",
        errors.most,
        MOST_OF_SQUARE * square + rounding,
        options,
        wrong);
    check(
        "the error of a potential",
        errors.mostOfPotential,
        POTENTIAL_OF_SQUARE * square + rounding,
        options,
        wrong);
  }

  private static void check(
      String what, double error, double most, NBodyOptions options, List<String> wrong) {
    if (!(error <= most)) {
      wrong.add(
          String.format(
              Locale.ROOT,
              "%s is %.3e, more than %.3e%s",
              what,
              error,
              most,
              options.precision() == Precision.FLOAT
                  ? "; far from the origin, precision=double is needed"
                  : ""));
    }
  }

  /** After one step: where they came from. */
  private static void checkStep(NBodyResult result, List<String> wrong) {
    NBodyOptions options = result.options();
    if (options.steps() > 1) {
      return;
    }
    double dt = options.steps() * options.timeStep();
    double unit = options.precision() == Precision.FLOAT ? 0x1p-23 : 0x1p-52;
    double[] was = result.before().sharedPositions();
    double[] is = result.after().sharedPositions();
    double[] velocities = result.after().sharedVelocities();
    for (int i = 0; i < was.length; i++) {
      double kick = result.accelerations()[i] * dt / 2;
      double back = is[i] - (velocities[i] - kick) * dt;
      double size =
          Math.abs(is[i])
              + Math.abs(was[i])
              + (Math.abs(velocities[i]) + 2 * Math.abs(kick)) * Math.abs(dt);
      if (!(Math.abs(back - was[i]) <= 8 * unit * size + Float.MIN_NORMAL)) {
        wrong.add("body " + i / 3 + " began at " + was[i] + ", but its step leads back to " + back);
        return;
      }
    }
  }
}
