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
  private final DeviceArray<double[]> survey;
  private final DeviceArray<double[]> log;
  private final DeviceArray<int[]> ones;
  private final DeviceArray<double[]> warned;
  private final DeviceArray<double[]> before;
  private final DeviceArray<long[]> changes;
  private final DeviceArray<int[]> keys;
  private final DeviceArray<int[]> chosen;

  Surveys(DeviceFormula formula, Launches launches, Totals totals) {
    this.formula = formula;
    this.launches = launches;
    this.totals = totals;
    survey = formula.scratch().doubles("survey", formula.edges());
    warned = formula.scratch().doubles("warned", formula.edges());
    before = formula.scratch().doubles("before", formula.edges());
    log = formula.scratch().doubles("log", 2L * formula.variables());
    ones = formula.scratch().ints("ones", 2L * formula.variables());
    changes = formula.scratch().longs("changes", BATCH + 1);
    keys = formula.scratch().ints("keys", formula.variables());
    chosen = formula.scratch().ints("chosen", formula.variables());
  }

  /** Draws the first surveys. */
  void start(long seed) {
    launches.run(
        "start_surveys",
        formula.edges(),
        new Fields().set("key", SeededHash.key(seed)).set("survey", survey));
  }

  /** Forgets the surveys of clauses and literals that are no more. */
  void drop() {
    launches.run(
        "drop_surveys",
        formula.clauses(),
        formula
            .fields()
            .set("value", formula.value())
            .set("left", formula.left())
            .set("survey", survey));
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
      beginBatch();
      for (int sweep = 1; sweep <= batch; sweep++) {
        Fields fields = ofSweep(sweep, tolerance);
        launches.run("sum_literals", 2L * formula.variables(), summed(fields));
        launches.run(
            "update_surveys",
            formula.clauses(),
            ofSweep(sweep, tolerance)
                .set("value", formula.value())
                .set("left", formula.left())
                .set("surveys", view())
                .set("warned", warned)
                .set("before", before));
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

  private void beginBatch() {
    changes.fill(0);
    changes.set(0, -1L); // as bits greater than any tolerance
  }

  private Fields ofSweep(int sweep, double tolerance) {
    return formula
        .fields()
        .set(
            "batch",
            new Fields().set("sweep", sweep).set("tolerance", tolerance).set("changes", changes));
  }

  private Fields summed(Fields fields) {
    return fields.set("survey", survey).set("log", log).set("ones", ones);
  }

  private Fields view() {
    return new Fields().set("survey", survey).set("log", log).set("ones", ones);
  }

  /** Rates all variables by the surveys as they are, and adds up in {@link Totals} what is open. */
  void rate() {
    beginBatch();
    launches.run("sum_literals", 2L * formula.variables(), summed(ofSweep(1, 1)));
    totals.clear();
    launches.run(
        "rate_variables",
        formula.variables(),
        formula
            .fields()
            .set("value", formula.value())
            .set("left", formula.left())
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

  /** A copy of the surveys, one for each literal of each clause. */
  double[] toArray() {
    return survey.toArray();
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
