package io.magpie.examples.compare;

import io.magpie.algorithms.nbody.BarnesHut;
import io.magpie.algorithms.nbody.Bodies;
import io.magpie.algorithms.nbody.ChildLocks;
import io.magpie.algorithms.nbody.DivergedException;
import io.magpie.algorithms.nbody.NBodyOptions;
import io.magpie.algorithms.nbody.NBodyOptions.Tree;
import io.magpie.algorithms.nbody.NBodyReference;
import io.magpie.algorithms.nbody.NBodyReport;
import io.magpie.algorithms.nbody.NBodyResult;
import io.magpie.algorithms.nbody.NBodyVerifier;
import io.magpie.examples.input.BodiesHash;
import io.magpie.examples.input.BodiesInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.Inputs;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The n-body simulation in all its variants, against programs without a device. */
public final class NBodyComparison implements Comparison<NBodyOptions> {
  private static final String SEQUENTIAL = "sequential";
  private static final String DIRECT = "direct";
  private static final String CHILD_LOCKS = "child-locks";

  @Override
  public String name() {
    return "nbody";
  }

  @Override
  public String summary() {
    return "gravity among bodies, by Barnes and Hut";
  }

  @Override
  public NBodyOptions defaults() {
    return NBodyOptions.defaults();
  }

  @Override
  public List<String> shown() {
    return List.of("cells", "passes", "interactions");
  }

  @Override
  public List<Ladder<NBodyOptions>> ladders() {
    Map<String, NBodyOptions> steps = new LinkedHashMap<>();
    steps.put("a transaction for each body", defaults().withTree(Tree.TRANSACTIONS));
    steps.put("a lock for each octant", defaults().withTree(Tree.LOCKS));
    steps.put("sorted keys", defaults().withTree(Tree.MORTON));
    return List.of(
        new Ladder<>("builds", "the same tree, built in three ways: see the time of build", steps));
  }

  @Override
  public List<Baseline> baselines() {
    return List.of(
        Baseline.of(
            SEQUENTIAL,
            "Magpie's sequential tree in double precision, with the first variant's theta and"
                + " steps; one thread"),
        Baseline.of(
            DIRECT,
            "the sum over all pairs in double precision, with the first variant's steps; all"
                + " processors"),
        Baseline.of(
            CHILD_LOCKS,
            "LonestarGPU's method as it was ported to Cilk Plus, with a lock for each octant, in"
                + " double precision, with the first variant's theta and steps; all processors"));
  }

  @Override
  public Input source(Input given) {
    return Inputs.require(BodiesInput.class, "bodies", given);
  }

  @Override
  public Prepared<NBodyOptions> prepare(Input source, Progress progress) throws IOException {
    BodiesInput input = (BodiesInput) source;
    progress.begin(input.generated() ? "generating" : "reading", -1);
    return new Problem(input.description(), input.bodies());
  }

  private record Problem(String description, Bodies bodies) implements Prepared<NBodyOptions> {
    @Override
    public Map<String, Long> sizes() {
      return Map.of("bodies", (long) bodies.count());
    }

    @Override
    public String hash() {
      return BodiesHash.of(bodies);
    }

    @Override
    public Program variant(Device device, NBodyOptions variant) {
      // Phases are not timed one by one, which would slow the whole.
      NBodyOptions options = variant.withPhaseTimes(false);
      return () -> {
        NBodyResult result;
        try {
          result = BarnesHut.run(device, bodies, options);
        } catch (DivergedException e) { // told in terms of the input
          throw new InputException(description + ": " + e.getMessage(), e);
        }
        return outcome(result);
      };
    }

    private static Outcome outcome(NBodyResult result) {
      NBodyReport report = result.report().orElseThrow();
      // Of the total, what the tree for the verifier takes is left out.
      Map<String, Double> millis = Timed.millis(report, report.hostMillis());
      millis.put("keys", report.keysMillis());
      millis.put("build", report.buildMillis());
      millis.put("summary", report.summaryMillis());
      millis.put("force", report.forceMillis());
      millis.put("move", report.moveMillis());
      Map<String, Long> counters = new LinkedHashMap<>();
      counters.put("cells", (long) report.cells());
      counters.put("depths", (long) report.depths());
      counters.put("passes", (long) report.passes());
      counters.put("interactions", report.interactions());
      return new Outcome(millis, counters, () -> mistake(result))
          .withTransactions(report.transactions());
    }

    private static Optional<String> mistake(NBodyResult result) {
      return Timed.mistake(NBodyVerifier.verify(result));
    }

    @Override
    public Program baseline(String name, NBodyOptions options) {
      Supplier<NBodyResult> run =
          switch (name) {
            case SEQUENTIAL -> () -> NBodyReference.run(bodies, options);
            case DIRECT -> () -> NBodyReference.run(bodies, options.withTheta(0));
            case CHILD_LOCKS -> () -> ChildLocks.run(bodies, options);
            default -> throw new IllegalArgumentException("there is no baseline '" + name + "'");
          };
      return () -> Timed.once(run, Problem::mistake);
    }
  }
}
