package io.magpie.examples.compare;

import io.magpie.algorithms.sat.Formula;
import io.magpie.algorithms.sat.FormulaVerifier;
import io.magpie.algorithms.sat.SurveyOptions;
import io.magpie.algorithms.sat.SurveyPropagation;
import io.magpie.algorithms.sat.SurveyReference;
import io.magpie.algorithms.sat.SurveyReport;
import io.magpie.algorithms.sat.SurveyResult;
import io.magpie.examples.input.FormulaHash;
import io.magpie.examples.input.FormulaInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.Inputs;
import io.magpie.stm.Device;
import io.magpie.stm.RegionReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Survey propagation in all its variants, against a sequential program. A run is several, each from
 * another start, as how many of them solve the formula is half of the result.
 */
public final class SatComparison implements Comparison<SurveyOptions> {
  /** Starts of a run: the variant's own, and those after it. */
  private static final int STARTS = 4;

  private static final String SEQUENTIAL = "sequential";

  @Override
  public String name() {
    return "sat";
  }

  @Override
  public String summary() {
    return "satisfying assignments of a Boolean formula, from " + STARTS + " starts in each run";
  }

  @Override
  public SurveyOptions defaults() {
    return SurveyOptions.defaults();
  }

  @Override
  public List<String> shown() {
    return List.of("solved", "starts");
  }

  @Override
  public List<Ladder<SurveyOptions>> ladders() {
    Map<String, SurveyOptions> steps = new LinkedHashMap<>();
    steps.put("marks; sets of flips, and the last ones by the host", of("decimation=marks"));
    steps.put("transactions decide", of());
    steps.put("and flip", of("flips=transactions"));
    return List.of(
        new Ladder<>("forms", "from marks without transactions to transactions alone", steps));
  }

  private SurveyOptions of(String... terms) {
    return Variants.variant(defaults(), List.of(terms));
  }

  @Override
  public List<Baseline> baselines() {
    return List.of(
        Baseline.of(
            SEQUENTIAL,
            "Magpie's sequential survey propagation, products computed again for each survey, one"
                + " thread"),
        OpenMpProgram.baseline(
            "LonestarGPU's method as it was ported to Cilk Plus, with a local search by one thread,"
                + " without restarts"));
  }

  @Override
  public Input source(Input given) {
    return Inputs.require(FormulaInput.class, "a formula", given);
  }

  @Override
  public Prepared<SurveyOptions> prepare(Input source, Progress progress) throws IOException {
    FormulaInput input = (FormulaInput) source;
    progress.begin(input.generated() ? "generating" : "reading", -1);
    Formula formula = input.formula();
    return new Problem(formula, FormulaHash.of(formula));
  }

  /** What runs from each start found, together. */
  static Outcome outcome(List<OpenMpProgram.Surveys.Found> found, Formula formula) {
    Map<String, Double> millis = new LinkedHashMap<>();
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("starts", (long) found.size());
    for (SurveyResult.Outcome each : SurveyResult.Outcome.values()) {
      counters.put(counter(each), 0L);
    }
    for (OpenMpProgram.Surveys.Found each : found) {
      millis.merge(Outcome.TOTAL, each.millis(), Double::sum);
      millis.merge(Outcome.KERNELS, each.ownMillis(), Double::sum);
      counters.merge(counter(each.outcome()), 1L, Long::sum);
      counters.merge("decimations", each.decimations(), Long::sum);
      counters.merge("sweeps", each.sweeps(), Long::sum);
    }
    return new Outcome(
        millis,
        counters,
        () ->
            found.stream()
                .flatMap(each -> each.values().stream())
                .flatMap(values -> FormulaVerifier.verify(formula, values).stream())
                .reduce((one, other) -> one + "; " + other));
  }

  private static String counter(SurveyResult.Outcome outcome) {
    return outcome == SurveyResult.Outcome.CONTRADICTION
        ? "contradictions"
        : outcome.name().toLowerCase(Locale.ROOT);
  }

  private record Problem(Formula formula, String hash) implements Prepared<SurveyOptions> {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("variables", (long) formula.variables());
      sizes.put("clauses", (long) formula.clauses());
      sizes.put("literals", (long) formula.literals().length);
      return sizes;
    }

    @Override
    public Program variant(Device device, SurveyOptions variant) {
      // Phases are not timed one by one, which would slow the whole.
      SurveyOptions options = variant.withPhaseTimes(false);
      return () -> fromEachStart(options, each -> SurveyPropagation.run(device, formula, each));
    }

    @Override
    public Program baseline(String name, SurveyOptions options) {
      return switch (name) {
        case SEQUENTIAL -> () -> fromEachStart(options, each -> SurveyReference.run(formula, each));
        case OpenMpProgram.NAME -> openMp(options);
        default -> throw new IllegalArgumentException("there is no baseline '" + name + "'");
      };
    }

    private Program openMp(SurveyOptions options) {
      OpenMpProgram.Surveys surveys = new OpenMpProgram.Surveys(OpenMpProgram.onPath(), formula);
      return new Program() {
        @Override
        public Outcome run() {
          List<OpenMpProgram.Surveys.Found> found = new ArrayList<>();
          for (int start = 0; start < STARTS; start++) {
            found.add(surveys.run(options.withSeed(options.seed() + start)));
          }
          return outcome(found, formula);
        }

        @Override
        public void close() {
          surveys.close();
        }
      };
    }

    private static Outcome fromEachStart(
        SurveyOptions options, Function<SurveyOptions, SurveyResult> solve) {
      List<SurveyResult> results = new ArrayList<>();
      long begin = System.nanoTime();
      for (int start = 0; start < STARTS; start++) {
        results.add(solve.apply(options.withSeed(options.seed() + start)));
      }
      double total = (System.nanoTime() - begin) / 1e6;
      Map<String, Double> millis = new LinkedHashMap<>();
      millis.put(Outcome.TOTAL, total);
      Map<String, Long> counters = new LinkedHashMap<>();
      counters.put("starts", (long) STARTS);
      for (SurveyResult.Outcome each : SurveyResult.Outcome.values()) {
        counters.put(counter(each), count(results, each));
      }
      List<RegionReport> transactions = new ArrayList<>();
      for (SurveyResult result : results) {
        counters.merge("decimations", (long) result.decimations(), Long::sum);
        result
            .report()
            .ifPresent(
                report -> {
                  add(millis, counters, report);
                  transactions.addAll(report.transactions());
                });
      }
      return new Outcome(millis, counters, () -> mistake(results)).withTransactions(transactions);
    }

    private static void add(
        Map<String, Double> millis, Map<String, Long> counters, SurveyReport report) {
      millis.merge(Outcome.KERNELS, report.solveMillis(), Double::sum);
      millis.merge("upload", report.uploadMillis(), Double::sum);
      counters.merge("sweeps", report.sweeps(), Long::sum);
      counters.merge("flips", report.flips(), Long::sum);
    }

    private static long count(List<SurveyResult> results, SurveyResult.Outcome outcome) {
      return results.stream().filter(result -> result.outcome() == outcome).count();
    }

    private static Optional<String> mistake(List<SurveyResult> results) {
      List<String> wrong =
          results.stream().flatMap(each -> FormulaVerifier.verify(each).stream()).toList();
      return Timed.mistake(wrong);
    }
  }
}
