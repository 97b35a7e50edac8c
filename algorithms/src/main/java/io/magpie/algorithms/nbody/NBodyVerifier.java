package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.nbody.ForceBounds.Allowances;
import io.magpie.algorithms.nbody.ForceBounds.Rounding;
import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import io.magpie.algorithms.nbody.NBodyReference.Forces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Checks the end of a simulation against {@link NBodyReference}: masses are those that were given;
 * all numbers are finite; the tree is the one that bodies determine, with the mass and the center
 * of mass of each cell; accelerations and potentials are those of the sum over all pairs, but for
 * the error that theta and precision allow; after one step the bodies are where that step backwards
 * leads to where and as fast as they began, and after none they are as they were. Of a run of
 * several steps that kept what the verifier looks at ({@link BarnesHut}), forces and steps are also
 * checked at the beginning, in the middle and at the end.
 *
 * <p>The error that is allowed is found for each body that is looked at: that of the cells that
 * theta lets stand for their bodies, in the worst of the ways to open more cells than that, and
 * that of rounding. Of <i>n</i> bodies at most 2^27 / <i>n</i> are looked at after the last step,
 * and 2^23 / <i>n</i> after other ones, but 32 in any case if there are so many: a sample that
 * differs from step to step.
 *
 * <p>Not checked: other steps of a run of more than five, and whether the path is that of the
 * bodies, which is chaotic.
 */
public final class NBodyVerifier {
  /** Pairs of bodies that are looked at. */
  private static final long MOST_PAIRS = 1L << 27;

  /** Of each of the states on the way. */
  private static final long MOST_PAIRS_ON_THE_WAY = MOST_PAIRS / 16;

  /** Bodies that are looked at in any case, if there are so many, whatever pairs these are. */
  private static final int LEAST_SAMPLE = 32;

  private NBodyVerifier() {}

  /**
   * Errors of forces: of an acceleration the length of its difference from the sum over all pairs,
   * relative to the sum of the magnitudes of what is added there; of a potential relative to it.
   *
   * @param bodies whose forces were looked at
   * @param median of the errors of accelerations
   * @param percentile99 99 of 100 are no greater
   * @param most the greatest
   * @param mostOfPotential the greatest of potentials
   * @param mostOfAllowed the greatest quotient of the error of an acceleration and what theta and
   *     precision allow that body: at most 1 if all is right
   * @param mostOfAllowedPotential the same of potentials
   */
  public record Errors(
      int bodies,
      double median,
      double percentile99,
      double most,
      double mostOfPotential,
      double mostOfAllowed,
      double mostOfAllowedPotential) {}

  /**
   * Checks a result.
   *
   * @param result what to check
   * @return what is wrong, one sentence each; empty if nothing is
   */
  public static List<String> verify(NBodyResult result) {
    List<String> wrong = new ArrayList<>();
    checkBodies(result, wrong);
    if (wrong.isEmpty()) {
      HalvedCubes right = HalvedCubes.of(result.after());
      checkAll(result, right, errors(end(result), result.options(), right, MOST_PAIRS), wrong);
    }
    return wrong;
  }

  /** The same with errors that were computed already. */
  public static List<String> verify(NBodyResult result, Errors errors) {
    List<String> wrong = new ArrayList<>();
    checkBodies(result, wrong);
    if (wrong.isEmpty()) {
      checkAll(result, HalvedCubes.of(result.after()), errors, wrong);
    }
    return wrong;
  }

  private static void checkAll(
      NBodyResult result, HalvedCubes right, Errors errors, List<String> wrong) {
    checkTree(result, right, wrong);
    checkErrors(result.options(), errors, wrong);
    checkStep(result, wrong);
    checkPath(result, wrong);
  }

  /**
   * Computes the errors of forces, of all bodies if there are few, else of a sample. Cost: that of
   * 2^27 pairs at most, or those of 32 bodies, several times.
   */
  public static Errors errors(NBodyResult result) {
    return errors(result, MOST_PAIRS);
  }

  /** The same with another number of pairs at most. */
  static Errors errors(NBodyResult result, long mostPairs) {
    return errors(end(result), result.options(), HalvedCubes.of(result.after()), mostPairs);
  }

  private static Checkpoint end(NBodyResult result) {
    return new Checkpoint(
        result.options().steps(), result.after(), result.accelerations(), result.potentials());
  }

  private static Errors errors(
      Checkpoint state, NBodyOptions options, HalvedCubes tree, long mostPairs) {
    Bodies bodies = state.bodies();
    double[] accelerations = state.accelerations();
    double[] potentials = state.potentials();
    if (bodies.count() == 0) {
      return new Errors(0, 0, 0, 0, 0, 0, 0);
    }
    int[] some = sample(bodies.count(), state.step(), mostPairs);
    int count = some.length;
    Forces right = NBodyReference.direct(bodies, options.softening(), some);
    Allowances allowed = ForceBounds.of(bodies, options, tree.root(), some);
    double[] errors = new double[count];
    double mostOfPotential = 0;
    double mostOfAllowed = 0;
    double mostOfAllowedPotential = 0;
    for (int i = 0; i < count; i++) {
      double squares = 0;
      for (int k = 0; k < 3; k++) {
        double d = accelerations[3 * some[i] + k] - right.accelerations()[3 * i + k];
        squares += d * d;
      }
      double error = Math.sqrt(squares);
      errors[i] = ratio(error, right.magnitudes()[i]);
      mostOfAllowed = Math.max(mostOfAllowed, ratio(error, allowed.accelerations()[i]));
      double potential = Math.abs(potentials[some[i]] - right.potentials()[i]);
      mostOfPotential =
          Math.max(mostOfPotential, ratio(potential, Math.abs(right.potentials()[i])));
      mostOfAllowedPotential =
          Math.max(mostOfAllowedPotential, ratio(potential, allowed.potentials()[i]));
    }
    Arrays.sort(errors);
    return new Errors(
        count,
        errors[(count - 1) / 2],
        errors[(int) ((count - 1) * 0.99)],
        errors[count - 1],
        mostOfPotential,
        mostOfAllowed,
        mostOfAllowedPotential);
  }

  /**
   * Bodies to look at after a step, such that there are so many pairs at most, but as many as are
   * looked at in any case.
   */
  static int[] sample(int n, int step, long mostPairs) {
    int count = (int) Math.min(n, Math.max(LEAST_SAMPLE, mostPairs / n));
    if (count == n) {
      return IntStream.range(0, n).toArray();
    }
    long seed = (long) step << Integer.SIZE | n;
    return IntStream.range(0, count)
        .map(i -> SeededHash.below(SeededHash.at(seed, i), n))
        .toArray();
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
      if (!isStill(result.after().mass(i), result.before().mass(i), result.options())) {
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

  private static void checkTree(NBodyResult result, HalvedCubes cubes, List<String> wrong) {
    Octree right = cubes.tree();
    Octree found;
    try {
      found = result.tree();
    } catch (IllegalArgumentException e) {
      wrong.add("there is no tree: " + e.getMessage());
      return;
    }
    if (found.equals(right)) {
      checkSums(result, found.sums(), right.sums(), wrong);
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

  /** The mass of each cell, and its center. */
  private static void checkSums(
      NBodyResult result, double[] found, double[] right, List<String> wrong) {
    Rounding rounding = Rounding.of(result.after(), result.options().precision());
    for (int i = 0; i < right.length; i++) {
      boolean isMass = i % Octree.SUMS == Octree.SUMS - 1;
      double mass = right[i | (Octree.SUMS - 1)];
      double allowed = isMass ? rounding.mass(mass) : rounding.center(mass);
      if (!(Math.abs(found[i] - right[i]) <= allowed)) {
        wrong.add(
            "cell "
                + i / Octree.SUMS
                + " of a walk has "
                + (isMass ? "the mass " : "a center of mass at ")
                + found[i]
                + ", its bodies "
                + right[i]);
        return;
      }
    }
  }

  private static void checkErrors(NBodyOptions options, Errors errors, List<String> wrong) {
    checkErrors("", options, errors, wrong);
  }

  private static void checkErrors(
      String when, NBodyOptions options, Errors errors, List<String> wrong) {
    check(when + "the error of an acceleration", errors.mostOfAllowed, options, wrong);
    check(when + "the error of a potential", errors.mostOfAllowedPotential, options, wrong);
  }

  private static void check(
      String what, double quotient, NBodyOptions options, List<String> wrong) {
    if (!(quotient <= 1)) {
      wrong.add(
          String.format(
              Locale.ROOT,
              "%s is %.3g times the most that theta and rounding can cause%s",
              what,
              quotient,
              options.precision() == Precision.FLOAT
                  ? "; far from the origin, precision=double is needed"
                  : ""));
    }
  }

  /** A number as it is on the device. */
  private static double onDevice(double value, NBodyOptions options) {
    return options.precision() == Precision.FLOAT ? (float) value : value;
  }

  /** Whether a number that no kernel changes is the one that was given. */
  private static boolean isStill(double is, double was, NBodyOptions options) {
    return is == was || is == onDevice(was, options);
  }

  /** After one step: where they came from. After none: that they are there. */
  private static void checkStep(NBodyResult result, List<String> wrong) {
    switch (result.options().steps()) {
      case 0 -> checkRest(result, wrong);
      case 1 -> {
        checkDrift(result, wrong);
        checkFirstKick(result, wrong);
      }
      default -> {}
    }
  }

  private static void checkRest(NBodyResult result, List<String> wrong) {
    Bodies was = result.before();
    Bodies is = result.after();
    for (int i = 0; i < was.count(); i++) {
      for (int k = 0; k < 3; k++) {
        if (!isStill(is.position(i, k), was.position(i, k), result.options())
            || !isStill(is.velocity(i, k), was.velocity(i, k), result.options())) {
          wrong.add("body " + i + " has moved, without a step");
          return;
        }
      }
    }
  }

  /** By the velocity between both halves of the kick. */
  private static void checkDrift(NBodyResult result, List<String> wrong) {
    NBodyOptions options = result.options();
    double dt = options.timeStep();
    double unit = unit(options);
    double[] was = result.before().sharedPositions();
    double[] is = result.after().sharedPositions();
    double[] velocities = result.after().sharedVelocities();
    for (int i = 0; i < was.length; i++) {
      double kick = result.accelerations()[i] * dt / 2;
      double back = is[i] - (velocities[i] - kick) * dt;
      double size =
          Math.abs(is[i]) + Math.abs(was[i]) + (Math.abs(velocities[i]) + 2 * Math.abs(kick)) * dt;
      if (!(Math.abs(back - was[i]) <= 8 * unit * size + Float.MIN_NORMAL)) {
        wrong.add("body " + i / 3 + " began at " + was[i] + ", but its step leads back to " + back);
        return;
      }
    }
  }

  /** By the accelerations where bodies began; of many bodies a sample. */
  private static void checkFirstKick(NBodyResult result, List<String> wrong) {
    int n = result.before().count();
    if (n == 0) {
      return;
    }
    NBodyOptions options = result.options();
    double half = options.timeStep() / 2;
    double[] positions = result.before().positions();
    Arrays.setAll(positions, i -> onDevice(positions[i], options));
    double[] masses = result.after().sharedMasses();
    Bodies began = Bodies.unchecked(masses, positions, result.before().sharedVelocities());
    int[] some = sample(n, 0, MOST_PAIRS);
    Forces forces = NBodyReference.direct(began, options.softening(), some);
    Allowances allowed = ForceBounds.of(began, options, HalvedCubes.of(began).root(), some);
    for (int i = 0; i < some.length; i++) {
      double squares = 0;
      double size = 0;
      for (int k = 0; k < 3; k++) {
        double is = result.after().velocity(some[i], k);
        double was = began.velocity(some[i], k);
        double second = result.accelerations()[3 * some[i] + k] * half;
        double first = forces.accelerations()[3 * i + k] * half;
        double difference = is - second - first - was;
        squares += difference * difference;
        size += Math.abs(is) + Math.abs(was) + 2 * Math.abs(first) + 2 * Math.abs(second);
      }
      double most = allowed.accelerations()[i] * half + 8 * unit(options) * size + Float.MIN_NORMAL;
      if (!(Math.sqrt(squares) <= most)) {
        wrong.add(
            String.format(
                Locale.ROOT,
                "the first half of body %d's kick is off by %.3e, more than %.3e",
                some[i],
                Math.sqrt(squares),
                most));
        return;
      }
    }
  }

  /** By what was kept on the way: the start, forces, and steps from one kept state to the next. */
  private static void checkPath(NBodyResult result, List<String> wrong) {
    NBodyOptions options = result.options();
    List<Checkpoint> states = new ArrayList<>(result.checkpoints());
    if (states.isEmpty()) {
      return;
    }
    if (states.get(0).step() == 0) {
      checkStart(result, states.get(0).bodies(), wrong);
    }
    for (Checkpoint state : states) {
      HalvedCubes tree = HalvedCubes.of(state.bodies());
      Errors errors = errors(state, options, tree, MOST_PAIRS_ON_THE_WAY);
      checkErrors("after step " + state.step() + " ", options, errors, wrong);
    }
    states.add(end(result));
    for (int i = 1; i < states.size(); i++) {
      if (states.get(i).step() == states.get(i - 1).step() + 1) {
        checkLeap(states.get(i - 1), states.get(i), options, wrong);
      }
    }
  }

  private static void checkStart(NBodyResult result, Bodies is, List<String> wrong) {
    for (int i = 0; i < is.count(); i++) {
      for (int k = 0; k < 3; k++) {
        if (!isStill(is.position(i, k), result.before().position(i, k), result.options())
            || !isStill(is.velocity(i, k), result.before().velocity(i, k), result.options())) {
          wrong.add("body " + i + " is not where it began, before the first step");
          return;
        }
      }
    }
  }

  /** A step of the leap-frog, by the forces before and after it. */
  private static void checkLeap(
      Checkpoint from, Checkpoint to, NBodyOptions options, List<String> wrong) {
    double dt = options.timeStep();
    double unit = 8 * unit(options);
    for (int i = 0; i < from.accelerations().length; i++) {
      double x = from.bodies().sharedPositions()[i];
      double v = from.bodies().sharedVelocities()[i];
      double first = from.accelerations()[i] * dt / 2;
      double second = to.accelerations()[i] * dt / 2;
      double speed = Math.abs(v) + Math.abs(first);
      double drift = to.bodies().sharedPositions()[i] - (x + (v + first) * dt);
      double kick = to.bodies().sharedVelocities()[i] - (v + first + second);
      if (!(Math.abs(drift) <= unit * (Math.abs(x) + speed * dt) + Float.MIN_NORMAL)
          || !(Math.abs(kick) <= unit * (speed + Math.abs(second)) + Float.MIN_NORMAL)) {
        wrong.add(
            String.format(
                Locale.ROOT,
                "step %d leads body %d elsewhere: its position is off by %.3e, its velocity by %.3e",
                to.step(),
                i / 3,
                drift,
                kick));
        return;
      }
    }
  }

  private static double unit(NBodyOptions options) {
    return options.precision() == Precision.FLOAT ? 0x1p-23 : 0x1p-52;
  }
}
