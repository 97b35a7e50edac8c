package io.magpie.examples.compare;

import io.magpie.algorithms.pointsto.ConstraintSet;
import io.magpie.algorithms.pointsto.PointsToAnalysis;
import io.magpie.algorithms.pointsto.PointsToOptions;
import io.magpie.algorithms.pointsto.PointsToReference;
import io.magpie.algorithms.pointsto.PointsToReport;
import io.magpie.algorithms.pointsto.PointsToResult;
import io.magpie.algorithms.pointsto.PointsToVerifier;
import io.magpie.examples.input.ConstraintHash;
import io.magpie.examples.input.ConstraintInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.Inputs;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Points-to analysis in all its variants, against a sequential solver. */
public final class PointsToComparison implements Comparison<PointsToOptions> {
  private static final String WORKLIST = "worklist";

  @Override
  public String name() {
    return "pointsto";
  }

  @Override
  public String summary() {
    return "what the variables of a program may point to, by Andersen's constraints";
  }

  @Override
  public PointsToOptions defaults() {
    return PointsToOptions.defaults();
  }

  @Override
  public List<String> shown() {
    return List.of("rounds", "edges", "collapsed");
  }

  @Override
  public List<Ladder<PointsToOptions>> ladders() {
    Map<String, PointsToOptions> steps = new LinkedHashMap<>();
    steps.put("push", dense("push", "none"));
    steps.put("pull", dense("pull", "none"));
    steps.put("differences", dense("difference", "none"));
    steps.put("push, cycles collapsed", dense("push", "transactions"));
    steps.put("pull, cycles collapsed", dense("pull", "transactions"));
    steps.put("differences, cycles collapsed", dense("difference", "transactions"));
    Map<String, PointsToOptions> forms = new LinkedHashMap<>();
    for (String propagation : List.of("pull", "push", "difference")) {
      for (String form : List.of("dense", "sparse")) {
        forms.put(propagation + ", " + form, of("propagation=" + propagation, "sets=" + form));
      }
    }
    return List.of(
        new Ladder<>(
            "collapse", "ways of propagating dense sets, without and with cycles collapsed", steps),
        new Ladder<>("sets", "ways of propagation, with dense and with sparse sets", forms));
  }

  /** Steps differ in how sets reach others, not in what auto makes of their size. */
  private PointsToOptions dense(String propagation, String cycles) {
    return of("propagation=" + propagation, "cycles=" + cycles, "sets=dense");
  }

  private PointsToOptions of(String... terms) {
    return Variants.variant(defaults(), List.of(terms));
  }

  @Override
  public List<Baseline> baselines() {
    return List.of(
        Baseline.of(WORKLIST, "Magpie's sequential solver: a worklist and bit sets, one thread"));
  }

  @Override
  public Input source(Input given) {
    return Inputs.require(ConstraintInput.class, "constraints", given);
  }

  @Override
  public Prepared<PointsToOptions> prepare(Input source, Progress progress) throws IOException {
    ConstraintInput input = (ConstraintInput) source;
    progress.begin(input.generated() ? "generating" : "reading", -1);
    ConstraintSet constraints = input.constraints();
    progress.begin("reference", -1);
    return new Problem(
        constraints, ConstraintHash.of(constraints), PointsToReference.run(constraints));
  }

  private record Problem(ConstraintSet constraints, String hash, PointsToResult reference)
      implements Prepared<PointsToOptions> {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("variables", (long) constraints.variables());
      sizes.put("constraints", constraints.count());
      sizes.put("pairs", reference.pairs());
      return sizes;
    }

    @Override
    public Program variant(Device device, PointsToOptions variant) {
      // Phases are not timed one by one, which would slow the whole.
      PointsToOptions options = variant.withPhaseTimes(false);
      return Timed.program(() -> PointsToAnalysis.run(device, constraints, options), this::outcome);
    }

    private Outcome outcome(PointsToResult result, double total) {
      PointsToReport report = result.report().orElseThrow();
      Map<String, Double> millis = Timed.millis(report, total);
      Map<String, Long> counters = new LinkedHashMap<>();
      counters.put("rounds", (long) report.rounds());
      counters.put("edges", report.edges());
      counters.put("collapsed", (long) report.collapsed());
      counters.put("searches", report.searches());
      return new Outcome(millis, counters, () -> mistake(result))
          .withTransactions(report.transactions());
    }

    private Optional<String> mistake(PointsToResult result) {
      return Timed.mistake(PointsToVerifier.compare(result, reference));
    }

    @Override
    public Program baseline(String name, PointsToOptions options) {
      if (!name.equals(WORKLIST)) {
        throw new IllegalArgumentException("there is no baseline '" + name + "'");
      }
      return () -> Timed.once(() -> PointsToReference.run(constraints), this::mistake);
    }
  }
}
