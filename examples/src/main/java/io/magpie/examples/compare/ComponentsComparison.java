package io.magpie.examples.compare;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.components.ComponentsOptions;
import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.components.ComponentsReference;
import io.magpie.algorithms.components.ComponentsReport;
import io.magpie.algorithms.components.ComponentsResult;
import io.magpie.algorithms.components.ComponentsVerifier;
import io.magpie.algorithms.components.ConnectedComponents;
import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.Graph;
import io.magpie.examples.input.GraphHash;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.Inputs;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Connected components in all their variants, against programs without a device. */
public final class ComponentsComparison implements Comparison<ComponentsOptions> {
  private static final String UNION_FIND = "union-find";
  private static final String DEPTH_FIRST = "depth-first";
  private static final String HOOKING = "hooking";
  private static final String JGRAPHT = "jgrapht";

  @Override
  public String name() {
    return "components";
  }

  @Override
  public String summary() {
    return "connected components of a graph, or a spanning forest";
  }

  @Override
  public ComponentsOptions defaults() {
    return ComponentsOptions.defaults();
  }

  @Override
  public List<String> shown() {
    return List.of("rounds");
  }

  @Override
  public List<Ladder<ComponentsOptions>> ladders() {
    Map<String, ComponentsOptions> steps = new LinkedHashMap<>();
    steps.put(
        "shuffled list: plain stores",
        of("form=atomic-free", "direction=alternating", "list=shuffled", "slots=off"));
    steps.put(
        "shuffled list, + slots", of("form=atomic-free", "direction=alternating", "list=shuffled"));
    steps.put(
        "plain stores", of("form=atomic-free", "direction=alternating", "list=given", "slots=off"));
    steps.put("+ slots", of("form=atomic-free", "direction=alternating", "list=given"));
    steps.put("sorted: one store for neighbors", of("form=atomic-free", "direction=alternating"));
    steps.put("+ one direction", of("form=atomic-free"));
    steps.put("transactions over a sample first", of("form=transactional"));
    steps.put("compare-exchange over it", of("form=atomic"));
    return List.of(
        new Ladder<>(
            "forms",
            "the method of Soman, Kothapalli and Narayanan (2010), and what this library does"
                + " instead",
            steps));
  }

  private ComponentsOptions of(String... terms) {
    return Variants.variant(defaults(), List.of(terms));
  }

  @Override
  public List<Baseline> baselines() {
    return List.of(
        Baseline.of(UNION_FIND, "Magpie's sequential union-find, path halving, one thread"),
        Baseline.of(DEPTH_FIRST, "Magpie's depth-first search, one thread"),
        Baseline.of(
            HOOKING,
            "the method of Soman, Kothapalli and Narayanan (2010) in one direction, as"
                + " form=atomic-free has it on a device, in Java on all processors"),
        OpenMpProgram.baseline("their method in both directions"),
        Baseline.of(JGRAPHT, "JGraphT's ConnectivityInspector; building its graph is not timed"));
  }

  @Override
  public boolean writesToArrays() {
    return true;
  }

  @Override
  public Input source(Input given) {
    return Inputs.require(GraphInput.class, "a graph", given)
        .unweightedByDefault()
        .withWeights(FileWeights.ANY);
  }

  @Override
  public Prepared<ComponentsOptions> prepare(Input source, Progress progress) throws IOException {
    GraphInput input = (GraphInput) source;
    progress.begin(input.generated() ? "generating" : "reading", -1);
    Graph graph = input.graph();
    progress.begin("reference", -1);
    return new Problem(graph, GraphHash.of(graph), ComponentsReference.run(graph, Output.LABELS));
  }

  private record Problem(Graph graph, String hash, ComponentsResult reference)
      implements Prepared<ComponentsOptions> {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("vertices", (long) graph.vertices());
      sizes.put("edges", graph.edges());
      sizes.put("arcs", graph.arcs());
      sizes.put("components", (long) reference.components());
      return sizes;
    }

    @Override
    public Program variant(Device device, ComponentsOptions variant) {
      return program(variant, options -> ConnectedComponents.run(device, graph, options));
    }

    @Override
    public Program variant(Device device, ComponentsOptions variant, ResultArrays arrays) {
      return program(variant, options -> ConnectedComponents.run(device, graph, options, arrays));
    }

    private Program program(
        ComponentsOptions variant, Function<ComponentsOptions, ComponentsResult> compute) {
      // Phases are not timed one by one, which would slow the whole.
      ComponentsOptions options = variant.withPhaseTimes(false);
      return Timed.program(() -> compute.apply(options), Problem::outcome);
    }

    private static Outcome outcome(ComponentsResult result, double total) {
      ComponentsReport report = result.report().orElseThrow();
      Map<String, Double> millis = Timed.millis(report, total);
      return new Outcome(millis, Map.of("rounds", (long) report.rounds()), () -> mistake(result))
          .withTransactions(report.transactions());
    }

    private static Optional<String> mistake(ComponentsResult result) {
      return Timed.mistake(ComponentsVerifier.verify(result));
    }

    @Override
    public Program baseline(String name, ComponentsOptions options) {
      return switch (name) {
        case UNION_FIND ->
            () ->
                Timed.once(
                    () -> ComponentsReference.run(graph, options.output()), Problem::mistake);
        case DEPTH_FIRST -> labels(() -> HostComponents.depthFirst(graph));
        case HOOKING -> labels(() -> HostComponents.hooking(graph));
        case OpenMpProgram.NAME ->
            OpenMpProgram.components(OpenMpProgram.onPath(), graph, this::mistake);
        case JGRAPHT -> new JGraphTComponents(graph, reference.labels());
        default -> throw new IllegalArgumentException("there is no baseline '" + name + "'");
      };
    }

    private Program labels(Supplier<int[]> labels) {
      return () -> Timed.once(labels, this::mistake);
    }

    private Optional<String> mistake(int[] labels) {
      int v = Arrays.mismatch(labels, reference.labels());
      return v < 0
          ? Optional.empty()
          : Optional.of(
              "vertex "
                  + v
                  + " has label "
                  + labels[v]
                  + ", by the reference "
                  + reference.labels()[v]);
    }
  }
}
