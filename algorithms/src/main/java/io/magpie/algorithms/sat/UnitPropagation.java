package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.sat.SurveyOptions.Decimation;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.Worklist;

/**
 * Decides variables with all that follows by unit propagation, with the regions and kernels of
 * decimation.cuh.
 */
final class UnitPropagation implements AutoCloseable {
  private final DeviceFormula formula;
  private final Launches launches;
  private final Totals totals;
  private final Worklist work;
  private final DeviceArray<int[]> units;

  UnitPropagation(DeviceFormula formula, Launches launches, Totals totals, Decimation decimation) {
    this.formula = formula;
    this.launches = launches;
    this.totals = totals;
    units = formula.scratch().ints("units", formula.clauses());
    launches.run(
        "start_clauses",
        formula.clauses(),
        formula.fields().set("left", formula.left()).set("rest", formula.rest()));
    // At last, so that nothing can fail that would leave it open.
    work = decimation == Decimation.TRANSACTIONS ? formula.device().newWorklist(1) : null;
  }

  /**
   * Makes literals true, and propagates; {@link Totals} has what is open then.
   *
   * @param literals of different variables without values; or null
   * @param count how many of them
   * @return false if that leads to a contradiction; the values are in part both then
   */
  boolean decide(DeviceArray<int[]> literals, int count) {
    if (work == null) {
      mark(literals, count);
      look();
      return isConsistent();
    }
    DeviceArray<int[]> list = literals;
    long items = count;
    while (true) {
      boolean changes = true;
      if (items > 0) {
        work.fillFrom(list, items);
        changes = launches.transactRounds("decide", work, inRegion()).commits() > 0;
      }
      look();
      items = totals.of("units");
      // Units that change nothing would be listed for ever; a verifier sees them in the rest.
      if (items == 0 || !changes || !isConsistent()) {
        return isConsistent();
      }
      list = units;
    }
  }

  private void mark(DeviceArray<int[]> literals, int count) {
    if (count > 0) {
      launches.run(
          "mark_literals",
          count,
          new Fields()
              .set("list", literals)
              .set("count", (long) count)
              .set("value", formula.value()));
    }
    do {
      totals.clear();
      launches.run(
          "recount",
          formula.clauses(),
          formula
              .fields()
              .set("value", formula.value())
              .set("left", formula.left())
              .set("rest", formula.rest())
              .set("totals", totals.array()));
    } while (totals.fetch().of("units") > 0);
  }

  private Fields inRegion() {
    return formula
        .fields()
        .set("value", formula.value(), formula.variableObjects())
        .set("left", formula.left(), formula.clauseObjects())
        .set("rest", formula.rest(), formula.clauseObjects());
  }

  /** Looks through all clauses and variables. */
  private void look() {
    totals.clear();
    launches.run(
        "list_units",
        formula.clauses(),
        new Fields()
            .set("clauses", formula.clauses())
            .set("left", formula.left())
            .set("rest", formula.rest())
            .set("list", units)
            .set("totals", totals.array()));
    launches.run(
        "count_contradictions",
        formula.variables(),
        new Fields()
            .set("variables", formula.variables())
            .set("value", formula.value())
            .set("totals", totals.array()));
    totals.fetch();
  }

  private boolean isConsistent() {
    return totals.of("contradictions") == 0 && totals.of("empty_clauses") == 0;
  }

  @Override
  public void close() {
    if (work != null) {
      work.close();
    }
  }
}
