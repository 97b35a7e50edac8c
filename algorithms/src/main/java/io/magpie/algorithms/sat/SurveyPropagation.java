package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.sat.SurveyOptions.Unconverged;
import io.magpie.algorithms.sat.SurveyReport.Step;
import io.magpie.algorithms.sat.SurveyResult.Outcome;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Timer;
import io.magpie.stm.parallel.Primitives;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Satisfiability by survey propagation: surveys are swept over until they converge, the most biased
 * variables get their values with all that follows by unit propagation, and so on with what is
 * left. Once surveys tell nothing, a local search takes over; also if they do not converge, unless
 * {@link SurveyOptions#unconverged} lets them decide nevertheless. A run that ends without a
 * solution can begin again from other surveys, {@link SurveyOptions#restarts} times at most.
 *
 * <pre>{@code
 * try (Device device = Device.open("auto")) {
 *   Formula formula = FormulaGenerator.parse("ksat:n=10k,ratio=4.2").generate();
 *   SurveyResult found = SurveyPropagation.run(device, formula, SurveyOptions.defaults());
 * }
 * }</pre>
 *
 * <p>Any formula will do: clauses of any length, empty ones, repeated ones, none at all. It is a
 * method for random formulas near the threshold of satisfiability; it does not show that one is
 * unsatisfiable, unless unit propagation alone does ({@link SurveyResult#unsatisfiable}).
 *
 * <p>Device memory: 48 bytes for each literal of a clause, 64 for each variable, and 40 for each
 * clause; for the local search 4 for each variable, and of what is left to it 36 for each clause,
 * by transactions 20, and 4 for each literal; 4 for each variable and clause for transactions; and
 * what depends on the run: a worklist of the units of a round, what the policy keeps for each
 * transaction in flight, pages for logs of many objects, and what primitives need to sort the
 * variables and to scan counts. Too little of it throws {@link
 * io.magpie.stm.DeviceOutOfMemoryException}.
 *
 * <p>Sources: Braunstein, M&eacute;zard and Zecchina, Random Structures and Algorithms 27 (2005);
 * decimation of several variables at a time, and sweeps by cached products, as in LonestarGPU's
 * implementation (Nasre, Burtscher and Pingali, PPoPP 2013), to which unit propagation, counters
 * that are right at every moment, and the search for contradictions are added here; WalkSAT:
 * Selman, Kautz and Cohen, AAAI 1994.
 */
public final class SurveyPropagation {
  private SurveyPropagation() {}

  /**
   * Looks for a satisfying assignment.
   *
   * @param device where
   * @param formula the formula
   * @param options how
   * @return how it ended, with a report
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   * @throws java.util.concurrent.CancellationException if the thread is interrupted while the host
   *     searches
   */
  public static SurveyResult run(Device device, Formula formula, SurveyOptions options) {
    return run(device, formula, options, step -> {});
  }

  /**
   * The same, telling of each step.
   *
   * @param device where
   * @param formula the formula
   * @param options how
   * @param steps is told each time that sweeps end, before variables are decided; also of those
   *     after which the run began again
   * @return how it ended, with a report
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   * @throws java.util.concurrent.CancellationException if the thread is interrupted while the host
   *     searches
   */
  public static SurveyResult run(
      Device device, Formula formula, SurveyOptions options, Consumer<Step> steps) {
    Objects.requireNonNull(device, "device");
    return run(device, formula, options, steps, LocalSearch.few(device.machine()));
  }

  /**
   * @param few flips of a round of sets, below which the host goes on by itself; 0 for never
   */
  static SurveyResult run(
      Device device, Formula formula, SurveyOptions options, Consumer<Step> steps, int few) {
    Objects.requireNonNull(formula, "formula");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(steps, "steps");
    device.load("sat").close(); // it stays with the device; not part of the run
    Primitives.of(device);
    long start = System.nanoTime();
    Formula simple = formula.simplified();
    if (simple.literals().length == 0) {
      return withoutLiterals(device, formula, simple.clauses() > 0, options, start);
    }
    try (DeviceFormula on = new DeviceFormula(device, simple)) {
      return new Run(on, options, steps, few).run(formula, start);
    }
  }

  /** Of a formula all of whose clauses, if it has any, are empty. */
  private static SurveyResult withoutLiterals(
      Device device, Formula formula, boolean conflict, SurveyOptions options, long start) {
    byte[] values = new byte[formula.variables()];
    Arrays.fill(values, (byte) 1);
    SurveyReport report =
        new SurveyReport(
            device.description().spec(),
            options,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            List.of(),
            List.of(),
            List.of(),
            0,
            0,
            Elapsed.millisSince(start));
    return new SurveyResult(
        formula,
        conflict ? Outcome.CONTRADICTION : Outcome.SOLVED,
        new byte[formula.variables()],
        conflict ? null : values,
        List.of(),
        conflict,
        report);
  }

  /**
   * Sweeps over the surveys of a formula as it is, and rates its variables: without propagation.
   */
  static Surveys surveys(
      DeviceFormula formula, Launches launches, SurveyOptions options, int sweeps) {
    Totals totals = new Totals(formula, launches);
    try (UnitPropagation units =
        new UnitPropagation(formula, launches, totals, SurveyOptions.Decimation.MARKS)) {
      Surveys surveys = new Surveys(formula, launches, totals, options.seed());
      surveys.converge(sweeps, options.tolerance());
      return surveys;
    }
  }

  /** One run, on a formula that has literals. */
  private static final class Run {
    private final DeviceFormula formula;
    private final SurveyOptions given;
    private final Consumer<Step> listener;
    private final int few;
    private final Launches launches;
    private final Totals totals;
    private final List<Step> steps = new ArrayList<>();
    private final List<Integer> choices = new ArrayList<>(); // how many literals each
    private final DeviceArray<int[]> chosen; // these, one after the other
    private int chosenCount;
    private OpenFormula rest; // what the last step began with
    private SurveyOptions options;
    private int restarts;
    private long sweeps;
    private long flips;
    private long flipsOnHost;
    private long rounds;
    private boolean conflict;

    Run(DeviceFormula formula, SurveyOptions options, Consumer<Step> listener, int few) {
      this.formula = formula;
      this.given = options;
      this.options = options;
      this.listener = listener;
      this.few = few;
      launches = new Launches(formula.module(), options.phaseTimes(), options.stm(), true);
      totals = new Totals(formula, launches);
      chosen = formula.scratch().ints("literals of all steps", formula.variables());
    }

    SurveyResult run(Formula whole, long start) {
      Outcome outcome;
      double solveMillis;
      byte[] decided;
      byte[] assignment = null;
      try (Timer solve = formula.device().startTimer()) {
        while (true) {
          outcome = decimate();
          decided = conflict ? new byte[whole.variables()] : values();
          if (isLeftToSearch(outcome) && isSolvedBySearch()) {
            outcome = Outcome.SOLVED;
          }
          boolean shown = conflict && choices.isEmpty();
          if (outcome == Outcome.SOLVED || shown || restarts == given.restarts()) {
            break;
          }
          restart();
        }
        solveMillis = solve.millis();
      }
      if (outcome == Outcome.SOLVED) {
        assignment = values();
        for (int v = 0; v < assignment.length; v++) {
          assignment[v] = assignment[v] == 0 ? 1 : assignment[v]; // in no clause that needs it
        }
      }
      List<int[]> literals = choices();
      int known = 0;
      for (byte value : decided) {
        known += value == 0 ? 0 : 1;
      }
      SurveyReport report =
          new SurveyReport(
              formula.device().description().spec(),
              given,
              restarts,
              sweeps,
              choices.size(),
              chosenCount,
              Math.max(0, known - chosenCount),
              flips,
              flipsOnHost,
              rounds,
              steps,
              launches.phases(),
              launches.transactions(),
              solveMillis,
              formula.takeUploadMillis(),
              Elapsed.millisSince(start));
      return new SurveyResult(whole, outcome, decided, assignment, literals, conflict, report);
    }

    /** Of each step the literals that it chose, as DIMACS writes them. */
    private List<int[]> choices() {
      int[] all = Formula.signed(chosen.slice(0, chosenCount).toArray());
      List<int[]> result = new ArrayList<>();
      int begin = 0;
      for (int count : choices) {
        result.add(Arrays.copyOfRange(all, begin, begin + count));
        begin += count;
      }
      return result;
    }

    /** Forgets all that was decided. */
    private void restart() {
      restarts++;
      options = given.withSeed(given.seed() + ((long) restarts << 32));
      steps.clear();
      choices.clear();
      chosenCount = 0;
      conflict = false;
    }

    private Outcome decimate() {
      formula.value().fill(launches.constant("undecided"));
      try (UnitPropagation units =
          new UnitPropagation(formula, launches, totals, options.decimation())) {
        boolean consistent = units.decide(null, 0);
        Surveys surveys = new Surveys(formula, launches, totals, options.seed());
        rest = surveys.open();
        while (consistent) {
          int openClauses = (int) totals.of("open_clauses");
          if (openClauses == 0) {
            return Outcome.SOLVED;
          }
          surveys.compact();
          int taken = surveys.converge(options.maxSweeps(), options.tolerance());
          boolean converged = taken >= 0;
          int swept = converged ? taken : options.maxSweeps();
          sweeps += swept;
          int open = (int) totals.of("open_variables");
          if (!converged && options.unconverged() == Unconverged.SEARCH) {
            told(new Step(false, swept, 0, open, openClauses));
            return Outcome.UNCONVERGED;
          }
          double sum = totals.of("bias_sum") / (double) launches.constant("bias_one");
          double bias = sum / Math.max(1, open);
          told(new Step(converged, swept, bias, open, openClauses));
          if (totals.of("false_surveys") > 0) {
            return converged ? Outcome.CONTRADICTION : Outcome.UNCONVERGED;
          }
          if (open == 0 || bias < options.paramagnetic()) {
            return Outcome.PARAMAGNETIC;
          }
          int count = (int) Math.max(1, Math.floor(options.fraction() * open));
          DeviceArray<int[]> biased = surveys.mostBiased().slice(0, count);
          chosen.slice(chosenCount, count).copyFrom(biased);
          choices.add(count);
          chosenCount += count;
          consistent = units.decide(biased, count);
        }
        conflict = true;
        return Outcome.CONTRADICTION;
      }
    }

    private void told(Step step) {
      steps.add(step);
      listener.accept(step);
    }

    private static boolean isLeftToSearch(Outcome outcome) {
      return outcome == Outcome.PARAMAGNETIC || outcome == Outcome.UNCONVERGED;
    }

    private boolean isSolvedBySearch() {
      long open = totals.of("open_variables");
      if (options.flipsPerVariable() == 0) {
        return false;
      }
      int fewOfRest = Math.min(few, LocalSearch.few(formula.device().machine(), open));
      LocalSearch search =
          new LocalSearch(formula, launches, totals, options, fewOfRest, rest.searched());
      boolean solved = search.run(open * options.flipsPerVariable());
      flips += search.flips();
      flipsOnHost += search.flipsOnHost();
      rounds += search.rounds();
      return solved;
    }

    /** For each variable 1 if it is true, -1 if it is false, else 0. */
    private byte[] values() {
      int[] values = formula.value().toArray();
      int both = launches.constant("both");
      byte[] result = new byte[values.length];
      for (int v = 0; v < values.length; v++) {
        result[v] = (byte) (values[v] == both || values[v] == 0 ? 0 : values[v] == 1 ? 1 : -1);
      }
      return result;
    }
  }
}
