package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.parallel.Primitives;

/** The surveys of a formula, and sweeps over them, with the kernels of surveys.cuh. */
final class Surveys {
  /** Sweeps between two looks at how far they have converged. */
  private static final int BATCH = 8;

  private static final int KEY_BITS = 31;

  private final DeviceFormula formula;
  private final Launches launches;
  private final Totals totals;
  private final OpenFormula open;
  private final String update;
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
    update = formula.longestClause() <= 4 ? "update_surveys_of_4" : "update_surveys_of_8";
    product = formula.scratch().doubles("product", 2L * formula.variables());
    special = formula.scratch().ints("special", 2L * formula.variables());
    changes = formula.scratch().longs("changes", BATCH + 1);
    keys = formula.scratch().ints("keys", formula.variables());
    chosen = formula.scratch().ints("chosen", formula.variables());
    launches.run(
        "start_surveys",
        formula.edges(),
        new Fields().set("key", SeededHash.key(seed)).set("survey", open.survey()));
  }

  /** Forgets the surveys of clauses and literals that are no more. */
  void compact() {
    open.compact();
  }

  /**
   * Sweeps until no survey changes by as much as the tolerance.
   *
   * @param most sweeps at most
   * @return how many it took; -1 if that did not suffice
   */
  int converge(int most, double tolerance) {
    for (long done = 0; done < most; done += BATCH) {
      int batch = (int) Math.min(BATCH, most - done);
      changes.fill(0);
      for (int sweep = 1; sweep <= batch; sweep++) {
        multiply(sweep, tolerance);
        launches.run(update, open.clauses(), ofSweep(sweep, tolerance).set("surveys", view()));
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

  private void multiply(int sweep, double tolerance) {
    launches.run(
        "multiply_literals",
        2L * formula.variables(),
        ofSweep(sweep, tolerance)
            .set("survey", open.survey())
            .set("product", product)
            .set("special", special));
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

  /** Rates all variables by the surveys as they are, and adds up in {@link Totals} what is open. */
  void rate() {
    multiply(1, 1);
    totals.clear();
    launches.run(
        "rate_variables",
        formula.variables(),
        open.fields()
            .set("surveys", view())
            .set("key", keys)
            .set("literal", chosen)
            .set("totals", totals.array()));
    totals.fetch();
  }

  /** The literals to be made true, those of the most biased variables first. */
  DeviceArray<int[]> mostBiased() {
    launches.primitives(
        "sort",
        formula.variables(),
        () -> Primitives.of(formula.device()).sort(keys, chosen, KEY_BITS));
    return chosen;
  }

  /** A copy of the surveys, one for each open literal of each open clause. */
  double[] toArray() {
    return open.survey().toArray();
  }

  /** How biased each variable is, by {@link #rate}, before the literals are sorted. */
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
