package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import java.util.function.Function;

/**
 * WalkSAT on what decimation leaves: in rounds of many flips, with what search.cuh has, or one flip
 * at a time on the host.
 */
class LocalSearch {
  /** Rounds of sets at most, as ranks have room for no more. */
  private static final long MOST_ROUNDS = (1 << 28) - 1;

  /** Rounds of sets between two looks at what they flip. */
  private static final int MOST_STEPS = 64;

  /**
   * Flips of a round of sets below which the host goes on. On an H200 a round of one launch took
   * about 10 microseconds, of two launches 50 and more, and a core made 3 to 8 flips per
   * microsecond of 10,000 variables and 2.5 of a million. So this is too many where there are many
   * variables, of which caches hold few; of few variables it solved more than a limit of 32.
   */
  private static final int FEW_ON_GPU = 512;

  private static final int FEW_OF_MANY = 128;
  private static final int FEW_OF_VERY_MANY = 32;

  /** Open variables from which there are many, and very many. */
  private static final long MANY = 1 << 15;

  private static final long VERY_MANY = 1 << 17;

  /**
   * Independent of the number of threads, so that results are, too. A flip by sets on one thread
   * took about 4 times as long as one on the host (cpu:1, 100,000 variables, 3 literals for each
   * clause, other programs were running). So rounds pay only on more threads than that, and where
   * each gets many flips. Not tuned either.
   */
  private static final int FEW_ON_CPU = 4096;

  /** Few enough that small formulas have both kinds of flips. */
  private static final int FEW_ON_SIM = 4;

  private final DeviceFormula formula;
  private final Launches launches;
  private final Totals totals;
  private final SurveyOptions options;
  private final int few;
  private final SearchedFormula rest;
  private long flips;
  private long flipsOnHost;
  private long rounds;

  /**
   * @param few flips of a round, below which the host goes on by itself; 0 for never
   */
  LocalSearch(
      DeviceFormula formula, Launches launches, Totals totals, SurveyOptions options, int few) {
    this(formula, launches, totals, options, few, formula);
  }

  /**
   * @param rest what values leave of the formula, or what they leave and more
   */
  LocalSearch(
      DeviceFormula formula,
      Launches launches,
      Totals totals,
      SurveyOptions options,
      int few,
      SearchedFormula rest) {
    this.formula = formula;
    this.launches = launches;
    this.totals = totals;
    this.options = options;
    this.few = few;
    this.rest = rest;
  }

  /** Flips of a round of sets from which it is worth the device. */
  static int few(Machine machine) {
    return switch (machine) {
      case CUDA -> FEW_ON_GPU;
      case CPU -> FEW_ON_CPU;
      case SIM -> FEW_ON_SIM;
    };
  }

  /** The same where so many variables are left. */
  static int few(Machine machine, long open) {
    if (machine != Machine.CUDA || open < MANY) {
      return few(machine);
    }
    return open < VERY_MANY ? FEW_OF_MANY : FEW_OF_VERY_MANY;
  }

  /** Flips that were made. */
  long flips() {
    return flips;
  }

  /** Of these those that the host made, one after the other. */
  long flipsOnHost() {
    return flipsOnHost;
  }

  /** Rounds that were made. */
  long rounds() {
    return rounds;
  }

  /**
   * Searches for values of the variables that have none; afterwards all have some.
   *
   * @param most flips; a last round, or of sets the last rounds, may make more
   * @return whether all clauses are satisfied
   */
  boolean run(long most) {
    long key = SeededHash.key(~options.seed());
    DeviceArray<int[]> fixed = formula.scratch().ints("fixed", formula.variables());
    DeviceArray<int[]> truths = formula.scratch().ints("truths", rest.clauses());
    DeviceArray<int[]> list = formula.scratch().ints("unsatisfied", rest.clauses());
    launches.run(
        "start_values",
        formula.variables(),
        new Fields().set("key", key).set("value", formula.value()).set("fixed", fixed));
    long count = countUnsatisfied(truths, list);
    if (count == 0) {
      return true;
    }
    return switch (options.flips()) {
      case TRANSACTIONS -> byTransactions(most, key, count, fixed, truths, list);
      case SETS -> bySets(most, key, count, fixed, truths, list);
      case SEQUENTIAL -> sequentially(most, onHost(key, fixed), truths, list);
    };
  }

  /** Counts the true literals of all clauses, and lists the clauses without one. */
  private long countUnsatisfied(DeviceArray<int[]> truths, DeviceArray<int[]> list) {
    totals.clear();
    launches.run(
        "count_true",
        rest.clauses(),
        rest.fields()
            .set("value", formula.value())
            .set("truths", truths)
            .set("list", list)
            .set("totals", totals.array()));
    return totals.fetch().of("unsatisfied");
  }

  private boolean byTransactions(
      long most,
      long key,
      long unsatisfied,
      DeviceArray<int[]> fixed,
      DeviceArray<int[]> truths,
      DeviceArray<int[]> first) {
    DeviceArray<int[]> list = first;
    DeviceArray<int[]> next = formula.scratch().ints("unsatisfied later", rest.clauses());
    DeviceArray<int[]> flipTo = formula.scratch().ints("flip to", rest.clauses()).named("chosen");
    DeviceArray<int[]> stamp = formula.scratch().ints("stamp", rest.clauses());
    stamp.fill(0);
    int sizeAt = launches.constant("unsatisfied");
    long count = unsatisfied;
    while (count > 0 && flips < most && rounds < 0xffff_ffffL) {
      rounds++;
      long ofRound = SeededHash.draw(key, formula.variables() + rounds);
      launches.run(
          "choose_flips",
          count,
          rest.fields()
              .set("count", count)
              .set("key", ofRound)
              .set("noise", options.noise())
              .set("list", list)
              .set("fixed", fixed)
              .set("truths", truths)
              .set("chosen", flipTo));
      totals.clear();
      flips +=
          launches
              .transact(
                  "flip",
                  null,
                  count,
                  rest.fields()
                      .set("list", list)
                      .set("chosen", flipTo)
                      .set("value", formula.value(), formula.variableObjects())
                      .set("truths", truths, formula.clauseObjects()))
              .commits();
      launches.run(
          "list_unsatisfied",
          count,
          rest.fields()
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
      DeviceArray<int[]> read = list;
      list = next;
      next = read;
    }
    return count == 0;
  }

  /** In batches of rounds, after each of which the host looks. */
  private boolean bySets(
      long most,
      long key,
      long unsatisfied,
      DeviceArray<int[]> fixed,
      DeviceArray<int[]> truths,
      DeviceArray<int[]> first) {
    if (unsatisfied < few) {
      return sequentially(most, onHost(key, fixed), truths, first);
    }
    DeviceArray<long[]> marks = formula.scratch().longs("marks", rest.clauses());
    DeviceArray<long[]> sizes = formula.scratch().longs("sizes", MOST_STEPS + 2);
    Fields odd = listFields("odd", first);
    marks.fill(0);
    Fields all =
        rest.fields()
            .set("key", key)
            .set("noise", options.noise())
            .set("fixed", fixed)
            .set("value", formula.value())
            .set("truths", truths)
            .set("marks", marks)
            .set(
                "even",
                listFields("even", formula.scratch().ints("unsatisfied later", rest.clauses())))
            .set("odd", odd)
            .set("sizes", sizes);
    long count = unsatisfied;
    int batch = 1;
    SearchAhead ahead = null;
    try {
      while (count > 0 && flips < most && rounds < MOST_ROUNDS) {
        int steps = (int) Math.min(batch, Math.max(1, (most - flips) / count));
        steps = (int) Math.min(steps, MOST_ROUNDS - rounds);
        all.set("round", (int) rounds + 1);
        sizes.fill(0);
        sizes.set(0, count);
        runSets(all, count, steps);
        if (ahead == null && rounds > 0 && isGotReadyAhead()) {
          ahead = ahead(key, fixed);
        }
        long[] size = sizes.toArray();
        int made = 0;
        while (made < steps && size[made] > 0) {
          made++;
        }
        count = size[made];
        long flipped = size[MOST_STEPS + 1];
        flips += flipped;
        rounds += made;
        batch = Math.min(2 * batch, MOST_STEPS);
        if (flipped < (long) few * made) {
          break;
        }
      }
      // The list may have clauses that lost in the last round to a flip that satisfied them.
      return count == 0
          || sequentially(most, ahead == null ? onHost(key, fixed) : begun(ahead), truths, first);
    } finally {
      if (ahead != null) {
        ahead.close();
      }
    }
  }

  /** Rounds of sets: in one launch where threads can meet at a barrier, else in two each. */
  private void runSets(Fields rounds, long clauses, int steps) {
    if (formula.meets()) {
      launches.run(
          "search_sets",
          clauses * formula.device().warpWidth(),
          new Fields().set("rounds", rounds).set("steps", steps).set("arrived", formula.arrived()));
      return;
    }
    Fields ofStep = new Fields().set("rounds", rounds);
    for (int step = 0; step < steps; step++) {
      ofStep.set("step", step);
      launches.run("choose_sets", clauses, ofStep);
      launches.run("flip_sets", clauses, ofStep);
    }
  }

  /** Makes the host's search when it is needed, from the values with which it begins. */
  private Function<int[], SequentialSearch> onHost(long key, DeviceArray<int[]> fixed) {
    return values -> sequential(rest.onHost(), fixed.toArray(), values, key);
  }

  /**
   * Whether another thread gets the host's search ready while the device flips. On {@code cpu} the
   * processors flip, and it would only take one from them.
   */
  private boolean isGotReadyAhead() {
    return few > 0 && formula.device().machine() != Machine.CPU;
  }

  /**
   * Gets the host's search ready from now on, from any values: it is begun from others. Only a
   * search that goes on after its first round comes here, when the next rounds are launched. Copies
   * wait for these, and the device waits while it copies, as it does one thing after the other.
   */
  private SearchAhead ahead(long key, DeviceArray<int[]> fixed) {
    Formula open = rest.onHost();
    int[] known = fixed.toArray();
    int[] values = formula.value().toArray();
    return new SearchAhead(() -> ready(open, known, values, key));
  }

  /** Makes the host's search, as another thread does it ahead; ends soon if interrupted. */
  SequentialSearch ready(Formula open, int[] known, int[] values, long key) {
    SequentialSearch search = sequential(open, known, values, key);
    search.warmUp();
    return search;
  }

  private static Function<int[], SequentialSearch> begun(SearchAhead ahead) {
    return values -> {
      SequentialSearch search = ahead.get();
      search.begin(values);
      return search;
    };
  }

  private SequentialSearch sequential(Formula open, int[] known, int[] values, long key) {
    return new SequentialSearch(open, known, values, SeededHash.mix(key), options.noise());
  }

  /**
   * On the host, with as many flips as are left; the device says then how its values end.
   *
   * @param onHost what begins with values
   * @param list is overwritten
   */
  private boolean sequentially(
      long most,
      Function<int[], SequentialSearch> onHost,
      DeviceArray<int[]> truths,
      DeviceArray<int[]> list) {
    if (flips < most) {
      int[] values = formula.value().toArray();
      flipsOnHost =
          launches.host(
              "flip_sequentially",
              rest.clauses(),
              () -> {
                SequentialSearch search = onHost.apply(values);
                search.run(most - flips);
                search.store(values);
                return search.flips();
              });
      flips += flipsOnHost;
      formula.value().copyFrom(values);
    }
    return countUnsatisfied(truths, list) == 0;
  }

  /** A list that is in an array, and nothing chosen by what is in it. */
  private Fields listFields(String name, DeviceArray<int[]> clauses) {
    DeviceArray<int[]> chosen =
        formula.scratch().ints("chosen, " + name, rest.clauses()).named("chosen");
    DeviceArray<int[]> waited =
        formula.scratch().ints("waited, " + name, rest.clauses()).named("waited");
    chosen.fill(-1);
    waited.fill(0);
    return new Fields().set("clause", clauses).set("chosen", chosen).set("waited", waited);
  }
}
