package io.magpie.algorithms.sat;

import io.magpie.algorithms.sat.SurveyOptions.Unconverged;
import io.magpie.algorithms.sat.SurveyResult.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Sequential survey propagation: what the device's is compared with.
 *
 * <p>Method: that of Braunstein, M&eacute;zard and Zecchina (2005) by its formulas: in each sweep
 * all surveys are computed from those of the sweep before, each product over the other clauses of a
 * variable as it is written, in doubles with exponents of their own. So a sweep costs O(sum of the
 * squares of the variables' degrees). Decimation, unit propagation and WalkSAT one variable after
 * the other. Shares no code with the kernels or their driver.
 *
 * <p>With the same options it starts from the same surveys and decides the same variables, but for
 * rounding; its local search takes other choices.
 */
public final class SurveyReference {
  private static final double BIAS_UNIT = 1 << 30;

  private final Formula formula;
  private final SurveyOptions options;
  private final byte[] values;
  private final List<List<Integer>> clausesOf = new ArrayList<>();
  private final List<int[]> choices = new ArrayList<>();
  private double[] surveys;

  private SurveyReference(Formula formula, SurveyOptions options) {
    this.formula = formula;
    this.options = options;
    values = new byte[formula.variables()];
    for (int v = 0; v < formula.variables(); v++) {
      clausesOf.add(new ArrayList<>());
    }
    for (int a = 0; a < formula.clauses(); a++) {
      for (int literal : formula.clause(a)) {
        clausesOf.get(Math.abs(literal) - 1).add(a);
      }
    }
    surveys = new double[formula.literals().length];
    long key = mixed(options.seed() + 0x9e3779b97f4a7c15L);
    for (int e = 0; e < surveys.length; e++) {
      surveys[e] = (mixed(key + (e + 1) * 0x9e3779b97f4a7c15L) >>> 11) * 0x1p-53;
    }
  }

  private static long mixed(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /**
   * Looks for a satisfying assignment on the calling thread.
   *
   * @param formula any formula
   * @param options numbers and seed; how a device synchronizes plays no role
   * @return how it ended; without a report
   */
  public static SurveyResult run(Formula formula, SurveyOptions options) {
    Formula simple = formula.withoutRepetitions();
    SurveyResult result = new SurveyReference(simple, options).solve(formula);
    long seed = options.seed();
    for (int i = 0; i < options.restarts(); i++) {
      if (result.outcome() == Outcome.SOLVED || result.unsatisfiable()) {
        break;
      }
      seed += 0x1_0000_0000L;
      result = new SurveyReference(simple, options.withSeed(seed)).solve(formula);
    }
    return result;
  }

  /**
   * The surveys after some sweeps, nothing being decided.
   *
   * @param formula without repetitions, see {@link Formula#simplified}
   * @param sweeps at most; fewer if they converge
   * @return for each literal of each clause its survey
   */
  static double[] surveys(Formula formula, SurveyOptions options, int sweeps) {
    SurveyReference reference = new SurveyReference(formula, options);
    reference.converge(sweeps);
    return reference.surveys;
  }

  /**
   * How biased each variable is by surveys of that formula: W+ - W-, or NaN if it can be neither.
   */
  static double[] biases(Formula formula, double[] surveys) {
    SurveyReference reference = new SurveyReference(formula, SurveyOptions.defaults());
    reference.surveys = surveys;
    double[] biases = new double[formula.variables()];
    for (int v = 0; v < biases.length; v++) {
      biases[v] = reference.bias(v);
    }
    return biases;
  }

  private SurveyResult solve(Formula given) {
    if (!propagate(List.of())) {
      return conflict(given);
    }
    while (true) {
      List<Integer> open = openVariables();
      if (isSatisfied()) {
        return solved(given, values.clone());
      }
      boolean converged = converge(options.maxSweeps());
      if (!converged && options.unconverged() == Unconverged.SEARCH) {
        return searched(given, Outcome.UNCONVERGED, open.size());
      }
      double[] bias = new double[formula.variables()];
      double sum = 0;
      for (int v : open) {
        bias[v] = bias(v);
        sum += Math.floor(Math.abs(bias[v]) * BIAS_UNIT) / BIAS_UNIT;
      }
      if (Double.isNaN(sum)) {
        return converged
            ? ended(given, Outcome.CONTRADICTION)
            : searched(given, Outcome.UNCONVERGED, open.size());
      }
      if (sum / open.size() < options.paramagnetic()) {
        return searched(given, Outcome.PARAMAGNETIC, open.size());
      }
      open.sort(
          Comparator.comparingDouble((Integer v) -> -Math.floor(Math.abs(bias[v]) * BIAS_UNIT)));
      int count = (int) Math.max(1, Math.floor(options.fraction() * open.size()));
      List<Integer> chosen = new ArrayList<>();
      for (int v : open.subList(0, count)) {
        chosen.add(bias[v] < 0 ? -v - 1 : v + 1);
      }
      choices.add(chosen.stream().mapToInt(Integer::intValue).toArray());
      if (!propagate(chosen)) {
        return conflict(given);
      }
    }
  }

  /** Solved by a search, or else ended so. */
  private SurveyResult searched(Formula given, Outcome outcome, long open) {
    byte[] decided = values.clone();
    boolean found = options.flipsPerVariable() > 0 && search(open * options.flipsPerVariable());
    byte[] all = values.clone();
    System.arraycopy(decided, 0, values, 0, decided.length);
    return found ? solved(given, all) : ended(given, outcome);
  }

  private SurveyResult ended(Formula given, Outcome outcome) {
    return new SurveyResult(given, outcome, values, null, choices, false, null);
  }

  private SurveyResult conflict(Formula given) {
    byte[] none = new byte[values.length];
    return new SurveyResult(given, Outcome.CONTRADICTION, none, null, choices, true, null);
  }

  private SurveyResult solved(Formula given, byte[] all) {
    for (int v = 0; v < all.length; v++) {
      all[v] = all[v] == 0 ? 1 : all[v];
    }
    return new SurveyResult(given, Outcome.SOLVED, values, all, choices, false, null);
  }

  private boolean isTrue(int literal) {
    return values[Math.abs(literal) - 1] == Integer.signum(literal);
  }

  private boolean isOpen(int clause) {
    return Arrays.stream(formula.clause(clause)).noneMatch(this::isTrue);
  }

  private boolean isSatisfied() {
    for (int a = 0; a < formula.clauses(); a++) {
      if (isOpen(a)) {
        return false;
      }
    }
    return true;
  }

  private List<Integer> openVariables() {
    List<Integer> open = new ArrayList<>();
    for (int v = 0; v < formula.variables(); v++) {
      if (values[v] == 0 && clausesOf.get(v).stream().anyMatch(this::isOpen)) {
        open.add(v);
      }
    }
    return open;
  }

  /** The survey of a clause's literal of a variable; 0 if it is satisfied. */
  private double survey(int clause, int variable) {
    return surveys[edge(clause, variable)];
  }

  private int edge(int clause, int variable) {
    int e = formula.offsets()[clause];
    while (formula.literals()[e] >>> 1 != variable) {
      e++;
    }
    return e;
  }

  private boolean isPositive(int clause, int variable) {
    return (formula.literals()[edge(clause, variable)] & 1) == 0;
  }

  private boolean converge(int most) {
    for (int a = 0; a < formula.clauses(); a++) {
      boolean closed = !isOpen(a);
      for (int e = formula.offsets()[a]; e < formula.offsets()[a + 1]; e++) {
        if (closed || values[formula.literals()[e] >>> 1] != 0) {
          surveys[e] = 0;
        }
      }
    }
    for (int sweep = 0; sweep < most; sweep++) {
      if (sweep() < options.tolerance()) {
        return true;
      }
    }
    return false;
  }

  /** Computes all surveys anew; gives the largest change. */
  private double sweep() {
    double[] warnings = new double[surveys.length];
    for (int a = 0; a < formula.clauses(); a++) {
      for (int e = formula.offsets()[a]; e < formula.offsets()[a + 1]; e++) {
        warnings[e] = warning(formula.literals()[e] >>> 1, a);
      }
    }
    double[] next = new double[surveys.length];
    double most = 0;
    for (int a = 0; a < formula.clauses(); a++) {
      if (!isOpen(a)) {
        continue;
      }
      for (int i = formula.offsets()[a]; i < formula.offsets()[a + 1]; i++) {
        if (values[formula.literals()[i] >>> 1] != 0) {
          continue;
        }
        next[i] = 1;
        for (int j = formula.offsets()[a]; j < formula.offsets()[a + 1]; j++) {
          if (j != i && values[formula.literals()[j] >>> 1] == 0) {
            next[i] *= warnings[j];
          }
        }
        most = Math.max(most, Math.abs(next[i] - surveys[i]));
      }
    }
    surveys = next;
    return most;
  }

  /** How probable it is that a variable is warned to be false in a clause, by its other clauses. */
  private double warning(int variable, int clause) {
    boolean positive = isPositive(clause, variable);
    Product same = new Product();
    Product opposite = new Product();
    for (int b : clausesOf.get(variable)) {
      if (b == clause) {
        continue;
      }
      if (isPositive(b, variable) == positive) {
        same.multiply(1 - survey(b, variable));
      } else {
        opposite.multiply(1 - survey(b, variable));
      }
    }
    if (same.isZero() && opposite.isZero()) {
      return 0;
    }
    long unit = Math.max(same.exponent(), opposite.exponent());
    double isFalse = (1 - opposite.inUnits(0)) * same.inUnits(unit);
    double isTrue = (1 - same.inUnits(0)) * opposite.inUnits(unit);
    double neither = same.inUnits(0) * opposite.inUnits(unit);
    return isFalse / (isFalse + isTrue + neither);
  }

  private double bias(int variable) {
    Product positive = new Product();
    Product negative = new Product();
    for (int a : clausesOf.get(variable)) {
      if (isPositive(a, variable)) {
        positive.multiply(1 - survey(a, variable));
      } else {
        negative.multiply(1 - survey(a, variable));
      }
    }
    long unit = Math.max(positive.exponent(), negative.exponent());
    double toTrue = (1 - positive.inUnits(0)) * negative.inUnits(unit);
    double toFalse = (1 - negative.inUnits(0)) * positive.inUnits(unit);
    double neither = positive.inUnits(0) * negative.inUnits(unit);
    return (toTrue - toFalse) / (toTrue + toFalse + neither);
  }

  /** A product of factors from 0 to 1, however many: a double times a power of 2. */
  private static final class Product {
    private static final int STEP = 400;
    private static final double LEAST = 0x1p-400;
    private double fraction = 1;
    private long exponent;

    void multiply(double factor) {
      fraction *= factor;
      if (fraction < LEAST && fraction > 0) {
        fraction = Math.scalb(fraction, STEP);
        exponent -= STEP;
      }
    }

    boolean isZero() {
      return fraction == 0;
    }

    /** That of 0 is less than any other. */
    long exponent() {
      return isZero() ? Long.MIN_VALUE / 2 : exponent;
    }

    /** The product divided by 2 to a power that is at least its exponent. */
    double inUnits(long unit) {
      return isZero() ? 0 : Math.scalb(fraction, (int) Math.max(-5 * STEP, exponent - unit));
    }
  }

  /** Makes literals true with all that follows; false if that is a contradiction. */
  private boolean propagate(List<Integer> literals) {
    ArrayDeque<Integer> queue = new ArrayDeque<>(literals);
    for (int a = 0; a < formula.clauses(); a++) {
      if (!follow(a, queue)) {
        return false;
      }
    }
    while (!queue.isEmpty()) {
      int literal = queue.remove();
      int v = Math.abs(literal) - 1;
      if (values[v] == -Integer.signum(literal)) {
        return false;
      }
      if (values[v] != 0) {
        continue;
      }
      values[v] = (byte) Integer.signum(literal);
      for (int a : clausesOf.get(v)) {
        if (!follow(a, queue)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Adds a clause's last literal to those to be made true; false if it has none. */
  private boolean follow(int clause, ArrayDeque<Integer> queue) {
    int open = 0;
    int last = 0;
    for (int literal : formula.clause(clause)) {
      if (isTrue(literal)) {
        return true;
      }
      if (values[Math.abs(literal) - 1] == 0) {
        open++;
        last = literal;
      }
    }
    if (open == 1) {
      queue.add(last);
    }
    return open > 0;
  }

  /** WalkSAT on the variables without values. */
  private boolean search(long most) {
    SplittableRandom random = new SplittableRandom(options.seed());
    boolean[] free = new boolean[values.length];
    for (int v = 0; v < values.length; v++) {
      free[v] = values[v] == 0;
      if (free[v]) {
        values[v] = (byte) (random.nextBoolean() ? 1 : -1);
      }
    }
    List<Integer> unsatisfied = new ArrayList<>();
    int[] place = new int[formula.clauses()];
    int[] truths = new int[formula.clauses()];
    for (int a = 0; a < formula.clauses(); a++) {
      truths[a] = (int) Arrays.stream(formula.clause(a)).filter(this::isTrue).count();
      if (truths[a] == 0) {
        place[a] = unsatisfied.size();
        unsatisfied.add(a);
      }
    }
    for (long flip = 0; !unsatisfied.isEmpty(); flip++) {
      if (flip == most) {
        return false;
      }
      int clause = unsatisfied.get(random.nextInt(unsatisfied.size()));
      int[] candidates =
          Arrays.stream(formula.clause(clause))
              .map(literal -> Math.abs(literal) - 1)
              .filter(v -> free[v])
              .toArray();
      int v = chosen(candidates, truths, random);
      values[v] = (byte) -values[v];
      for (int a : clausesOf.get(v)) {
        boolean isTrue = isPositive(a, v) == (values[v] > 0);
        truths[a] += isTrue ? 1 : -1;
        if (isTrue && truths[a] == 1) {
          int last = unsatisfied.remove(unsatisfied.size() - 1);
          if (last != a) {
            unsatisfied.set(place[a], last);
            place[last] = place[a];
          }
        } else if (!isTrue && truths[a] == 0) {
          place[a] = unsatisfied.size();
          unsatisfied.add(a);
        }
      }
    }
    return true;
  }

  private int chosen(int[] candidates, int[] truths, SplittableRandom random) {
    int best = -1;
    long least = Long.MAX_VALUE;
    for (int v : candidates) {
      long broken =
          clausesOf.get(v).stream()
              .filter(a -> truths[a] == 1 && isPositive(a, v) == (values[v] > 0))
              .count();
      if (broken < least) {
        least = broken;
        best = v;
      }
    }
    return least > 0 && random.nextDouble() < options.noise()
        ? candidates[random.nextInt(candidates.length)]
        : best;
  }
}
