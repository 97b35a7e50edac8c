package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.parallel.Primitives;

/** The surveys of a formula, and sweeps over them, with the kernels of surveys.cuh. */
final class Surveys {
  /** Sweeps between two looks at how far they have converged, where each is two launches. */
  private static final int BATCH = 8;

  /**
   * Sweeps of a launch at most: with more, a literal of very many clauses would hold a GPU for long
   * without a look.
   */
  private static final int MOST_TOGETHER = 64;

  private static final int KEY_BITS = 31;

  private final DeviceFormula formula;
  private final Launches launches;
  private final Totals totals;
  private final OpenFormula open;
  private final String lengths;
  private final long together;
  private final DeviceArray<double[]> product;
  private final DeviceArray<int[]> special;
  private final DeviceArray<long[]> changes;
  private final DeviceArray<int[]> keys;
  private final DeviceArray<int[]> chosen;

  /** Draws the first ones, of the whole formula. */
  Surveys(DeviceFormula formula, Launches launches, Totals totals, long seed) {
    this.formula = formula;
    this.launches = launches;
    this.totals = totals;
    open = new OpenFormula(formula, launches);
    int longest = formula.longestClause();
    lengths = "_of_" + (longest <= 3 ? 3 : longest <= 5 ? longest : 8);
    together = formula.meets() ? mostTogether(formula.device()) : 0;
    product = formula.scratch().doubles("product", 2L * formula.variables());
    special = formula.scratch().ints("special", 2L * formula.variables());
    changes = formula.scratch().longs("changes", BATCH + 1);
    keys = formula.scratch().ints("key", formula.variables());
    chosen = formula.scratch().ints("literal", formula.variables());
    launches.run(
        "start_surveys",
        formula.edges(),
        new Fields().set("key", SeededHash.key(seed)).set("survey", open.survey()));
  }

  /**
   * Open literals up to which all sweeps of a step are one launch. Of more of them launches take
   * longer than what is between them.
   */
  private static long mostTogether(Device device) {
    return switch (device.description().machine()) {
      case CUDA -> 8192L * device.description().parallelism();
      case CPU -> 0;
      case SIM -> 2000;
    };
  }

  /** Forgets the surveys of clauses and literals that are no more, by what {@link Totals} has. */
  void compact() {
    open.compact((int) totals.of("open_clauses"), (int) totals.of("open_literals"));
  }

  /**
   * Sweeps until no survey changes by as much as the tolerance, rates all variables by what the
   * last sweep has left, and adds up in {@link Totals} what is open.
   *
   * @param most sweeps at most
   * @return how many it took; -1 if that did not suffice
   */
  int converge(int most, double tolerance) {
    if (open.edges() <= together) {
      return convergeTogether(most, tolerance);
    }
    int taken = sweep(most, tolerance);
    multiply(1, 1);
    totals.clear();
    launches.run(
        "rate_variables",
        formula.variables(),
        open.fields().set("surveys", view()).set("rated", rated()));
    totals.fetch();
    return taken;
  }

  private int sweep(int most, double tolerance) {
    for (long done = 0; done < most; done += BATCH) {
      int batch = (int) Math.min(BATCH, most - done);
      changes.fill(0);
      for (int sweep = 1; sweep <= batch; sweep++) {
        multiply(sweep, tolerance);
        launches.run(
            "update_surveys" + lengths,
            open.clauses(),
            ofSweep(sweep, tolerance).set("surveys", view()));
      }
      long[] change = changes.toArray();
      for (int sweep = 1; sweep <= batch; sweep++) {
        if (Double.longBitsToDouble(change[sweep]) < tolerance) {
          return (int) done + sweep;
        }
      }
    }
    return -1;
  }

  /** In launches whose threads meet after each half of a sweep. */
  private int convergeTogether(int most, double tolerance) {
    long done = 0;
    do { // once, if only to rate
      changes.fill(0);
      totals.clear();
      launches.run(
          "converge_surveys" + lengths,
          Math.max(2L * formula.variables(), open.clauses()),
          open.fields()
              .set("surveys", view())
              .set("rated", rated())
              .set("most", (int) Math.min(MOST_TOGETHER, most - done))
              .set("tolerance", tolerance)
              .set("changes", changes)
              .set("arrived", formula.arrived()));
      totals.fetch();
      if (totals.of("unconverged") == 0) {
        return (int) (done + totals.of("sweeps"));
      }
      done += MOST_TOGETHER;
    } while (done < most);
    return -1;
  }

  private void multiply(int sweep, double tolerance) {
    launches.run(
        "multiply_literals",
        2L * formula.variables(),
        ofSweep(sweep, tolerance).set("surveys", view()));
  }

  private Fields ofSweep(int sweep, double tolerance) {
    return open.fields()
        .set(
            "batch",
            new Fields().set("sweep", sweep).set("tolerance", tolerance).set("changes", changes));
  }

  private Fields view() {
    return new Fields()
        .set("survey", open.survey())
        .set("product", product)
        .set("special", special);
  }

  private Fields rated() {
    return new Fields().set("key", keys).set("literal", chosen).set("totals", totals.array());
  }

  /** The literals to be made true, those of the most biased variables first. */
  DeviceArray<int[]> mostBiased() {
    launches.primitives(
        "sort",
        formula.variables(),
        () -> Primitives.of(formula.device()).sort(keys, chosen, KEY_BITS));
    return chosen;
  }

  /** What they are surveys of. */
  OpenFormula open() {
    return open;
  }

  /** A copy of the surveys, one for each open literal of each open clause. */
  double[] toArray() {
    return open.survey().toArray();
  }

  /** How biased each variable is, by {@link #converge}, before the literals are sorted. */
  double[] biases() {
    int one = launches.constant("bias_one");
    int[] key = keys.toArray();
    int[] literal = chosen.toArray();
    double[] biases = new double[key.length];
    for (int v = 0; v < key.length; v++) {
      double size = (double) Math.max(0, one - key[v]) / one;
      biases[v] = (literal[v] & 1) == 0 ? size : -size;
    }
    return biases;
  }
}
