package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.sat.SurveyOptions.Flips;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/** WalkSAT on what decimation leaves, in rounds of many flips, with what search.cuh has. */
final class LocalSearch {
  private final DeviceFormula formula;
  private final Launches launches;
  private final Totals totals;
  private final SurveyOptions options;
  private long flips;
  private long rounds;

  LocalSearch(DeviceFormula formula, Launches launches, Totals totals, SurveyOptions options) {
    this.formula = formula;
    this.launches = launches;
    this.totals = totals;
    this.options = options;
  }

  /** Flips that were made. */
  long flips() {
    return flips;
  }

  /** Rounds that were made. */
  long rounds() {
    return rounds;
  }

  /**
   * Searches for values of the variables that have none; afterwards all have some.
   *
   * @param most flips; a last round may make more
   * @return whether all clauses are satisfied
   */
  boolean run(long most) {
    long key = SeededHash.key(~options.seed());
    DeviceArray<int[]> fixed = formula.scratch().ints("fixed", formula.variables());
    DeviceArray<int[]> truths = formula.scratch().ints("truths", formula.clauses());
    DeviceArray<int[]> list = formula.scratch().ints("unsatisfied", formula.clauses());
    DeviceArray<int[]> next = formula.scratch().ints("unsatisfied later", formula.clauses());
    launches.run(
        "start_values",
        formula.variables(),
        new Fields().set("key", key).set("value", formula.value()).set("fixed", fixed));
    totals.clear();
    launches.run(
        "count_true",
        formula.clauses(),
        formula
            .fields()
            .set("value", formula.value())
            .set("truths", truths)
            .set("list", list)
            .set("totals", totals.array()));
    long count = totals.fetch().of("unsatisfied");
    if (count == 0) {
      return true;
    }
    DeviceArray<int[]> flipTo = formula.scratch().ints("flip to", formula.clauses());
    DeviceArray<int[]> stamp = formula.scratch().ints("stamp", formula.clauses());
    DeviceArray<long[]> marks = formula.scratch().longs("marks", formula.clauses());
    stamp.fill(0);
    marks.fill(0);
    int sizeAt = launches.constant("unsatisfied");
    while (count > 0 && flips < most && rounds < 0xffff_ffffL) {
      rounds++;
      long ofRound = SeededHash.draw(key, formula.variables() + rounds);
      Fields listed =
          formula.fields().set("list", list).set("chosen", flipTo); // of the kernels that flip
      launches.run(
          "choose_flips",
          count,
          formula
              .fields()
              .set("count", count)
              .set("key", ofRound)
              .set("noise", options.noise())
              .set("list", list)
              .set("fixed", fixed)
              .set("truths", truths)
              .set("chosen", flipTo));
      totals.clear();
      if (options.flips() == Flips.TRANSACTIONS) {
        flips +=
            launches
                .transact(
                    "flip",
                    null,
                    count,
                    listed
                        .set("value", formula.value(), formula.variableObjects())
                        .set("truths", truths, formula.clauseObjects()))
                .commits();
      } else {
        flipSet(listed, count, ofRound, marks, truths);
      }
      launches.run(
          "list_unsatisfied",
          count,
          formula
              .fields()
              .set("count", count)
              .set("round", (int) rounds)
              .set("size_at", sizeAt)
              .set("list", list)
              .set("chosen", flipTo)
              .set("truths", truths)
              .set("stamp", stamp)
              .set("next", next)
              .set("totals", totals.array()));
      count = totals.fetch().of("unsatisfied");
      flips += totals.of("flipped");
      DeviceArray<int[]> read = list;
      list = next;
      next = read;
    }
    return count == 0;
  }

  private void flipSet(
      Fields listed,
      long count,
      long ofRound,
      DeviceArray<long[]> marks,
      DeviceArray<int[]> truths) {
    listed.set("count", count).set("key", ofRound).set("round", (int) rounds).set("marks", marks);
    launches.run("mark_flips", count, listed);
    launches.run(
        "flip_marked",
        count,
        listed.set("value", formula.value()).set("truths", truths).set("totals", totals.array()));
  }
}
