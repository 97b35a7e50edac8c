package io.magpie.examples.cli.commands;

import io.magpie.algorithms.Condition;
import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.examples.cli.options.Devices;
import io.magpie.examples.cli.options.GraphOptions;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.LengthTypeOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.compare.Baseline;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Comparisons;
import io.magpie.examples.compare.Ladder;
import io.magpie.examples.compare.LadderInput;
import io.magpie.examples.compare.Rounds;
import io.magpie.examples.compare.Variants;
import io.magpie.examples.input.DirectedGraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.InputKind;
import io.magpie.examples.input.Registered;
import io.magpie.stm.DeviceUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares variants of an algorithm on one input, or on each input of a ladder. */
@Command(
    name = "compare",
    description = {
      "Compare variants of an algorithm on one input, or on each input of a ladder.",
      "Rounds run in alternating order (A B C, then C B A); ratios are to the first contestant,"
          + " paired by round. Results are verified, as --verify says."
    })
final class CompareCommand implements Callable<Integer> {
  /** Where options of an algorithm's own command belong here. */
  static final String VARIANTS_HINT =
      "An algorithm's own options are values of --variants here, such as parts=8 instead of -k 8.";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ALGORITHM", description = "Such as msf; listed below.")
  private String algorithm;

  private final InputOptions<Input> input;

  @Mixin private final CommandSpec inputOptions;

  @Mixin private GraphOptions adjustments;

  @Mixin private LengthTypeOption weightType;

  @Option(
      names = "--unit-weights",
      description = "Give every edge and vertex of a file the weight 1: for partition.")
  private boolean unitWeights;

  @Option(
      names = "--variants",
      arity = "1..*",
      paramLabel = "NAME=VALUES",
      description =
          "Values to combine, such as merge=stm,atomic policy=all, where all stands for every value"
              + " listed below. Default: the default of each.")
  private List<String> variants = new ArrayList<>();

  @Option(
      names = "--ladder",
      paramLabel = "NAME",
      description =
          "Instead of --variants: a predefined series of variants; listed below. Some name inputs,"
              + " which are compared one after another if you give none.")
  private String ladder;

  @Option(
      names = "--fraction",
      paramLabel = "F",
      description =
          "Scale the ladder's inputs to this fraction of their published size, such as 0.01;"
              + " default 1.")
  private Double fraction;

  @Option(
      names = "--devices",
      split = ",",
      paramLabel = "DEVICE",
      defaultValue = "auto",
      description = "Devices to run each variant on, such as cuda,cpu:2; default auto.")
  private List<String> devices;

  @Option(
      names = "--with",
      split = ",",
      paramLabel = "BASELINE",
      description = "Programs without a device to compare with, such as kruskal; listed below.")
  private List<String> baselines = new ArrayList<>();

  @Option(
      names = "--repeats",
      paramLabel = "N",
      defaultValue = "7",
      description = "Measured rounds; default ${DEFAULT-VALUE}; fewer than 6 allow no verdict.")
  private int repeats;

  @Option(
      names = "--warmups",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Rounds before those, not counted; default ${DEFAULT-VALUE}. With 0 the first measured"
              + " round compiles and loads kernels.")
  private int warmUps;

  @Option(
      names = "--measure",
      paramLabel = "TIME",
      defaultValue = Comparison.Outcome.TOTAL,
      description =
          "Time to compare: total (from input to result in Java's memory, the default) or kernels.")
  private String measure;

  @Option(
      names = "--verify",
      paramLabel = "WHICH",
      defaultValue = "each",
      description =
          "Verify each run (the default), or only the first of each contestant (for large inputs).")
  private String verify;

  @Option(
      names = "--results",
      split = ",",
      paramLabel = "ARRAYS",
      defaultValue = "new",
      description =
          "Where results are: in new arrays of Java in each run (the default), in arrays kept from run"
              + " to run, or on the device. With new,kept each variant runs both ways.")
  private List<String> results;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description =
          "Write JSON Lines to FILE: a record for each run, then a summary for each contestant; -"
              + " is standard output instead of the table. Measurements so far are kept if the"
              + " process is ended from outside.")
  private String json;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write the runs to FILE as flat CSV; with --json, the same runs.")
  private Path csv;

  /**
   * @param kinds of input that there are
   */
  CompareCommand(List<InputKind> kinds) {
    input = InputOptions.optional(Input.class, "an input", kinds);
    inputOptions = input.spec();
  }

  /**
   * The registered algorithms with their options, for the end of the help text.
   *
   * @param broken takes what is wrong with those that cannot be used
   */
  static String[] algorithms(Consumer<ServiceConfigurationError> broken) {
    List<String> lines = new ArrayList<>();
    for (Comparison<?> comparison : Comparisons.usable(broken)) {
      lines.add("");
      lines.add(comparison.name() + ": " + comparison.summary());
      for (Setting<?> setting : comparison.defaults().settings()) {
        if (setting.written()) {
          describe(setting, lines);
        }
      }
      for (Ladder<?> each : comparison.ladders()) {
        lines.add("  --ladder " + each.name());
        lines.add("      " + each.description());
        if (!each.inputs().isEmpty()) {
          lines.add("      on " + names(each.inputs().stream().map(LadderInput::name).toList()));
        }
      }
      for (Baseline each : comparison.baselines()) {
        lines.add("  --with " + each.name());
        lines.add(
            "      " + each.description() + each.missing().map(why -> "; here " + why).orElse(""));
      }
    }
    return lines.toArray(new String[0]);
  }

  private static <V> void describe(Setting<V> setting, List<String> lines) {
    lines.add(
        "  "
            + setting.name()
            + "="
            + (setting.listed() ? setting.allowed().replace(", ", "|") : setting.label()));
    lines.add(
        "      "
            + setting.decides()
            + (setting.listed() ? "" : "; " + setting.allowed())
            + "; default "
            + setting.write(setting.byDefault())
            + (setting.condition() == Condition.ALWAYS
                ? ""
                : "; with " + setting.condition().inVariants()));
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static String names(Collection<String> names) {
    return String.join(", ", names);
  }

  /**
   * Says that there is no such algorithm, whose own options and inputs the parser does not know.
   *
   * @param arguments all that was given
   * @return empty unless the algorithm is the first word behind the command, and unknown
   */
  Optional<String> unknownAlgorithm(List<String> arguments) {
    int at = arguments.indexOf(spec.name()) + 1;
    return at < arguments.size()
            && arguments.get(at).equals(algorithm)
            && Comparisons.named(algorithm).isEmpty()
        ? Optional.of(unknownAlgorithm())
        : Optional.empty();
  }

  private String unknownAlgorithm() {
    return "there is no algorithm '"
        + algorithm
        + "'; expected one of "
        + names(Comparisons.registered().stream().map(Comparison::name).toList())
        + "; "
        + Registered.needed(Comparison.class);
  }

  @Override
  public Integer call() throws Exception {
    return compare(Comparisons.named(algorithm).orElseThrow(() -> usage(unknownAlgorithm())));
  }

  private <O extends Options<O>> int compare(Comparison<O> comparison) throws Exception {
    Ladder<O> chosenLadder = ladder == null ? null : ladder(comparison);
    List<ComparedInput> inputs = inputs(comparison, chosenLadder);
    List<O> chosen =
        chosenLadder == null
            ? combinations(comparison)
            : List.copyOf(chosenLadder.steps().values());
    if (weightType.isGiven() && chosen.stream().noneMatch(comparison::usesLengths)) {
      throw usage(
          "--weight-type has no effect without lengths=weights; choose variants with that, or leave"
              + " this out");
    }
    baselines.forEach(name -> requireBaseline(comparison, name));
    List<String> labels =
        chosenLadder == null ? Variants.labels(chosen) : List.copyOf(chosenLadder.steps().keySet());
    List<ComparisonRun.Results> places = results(comparison);
    requireArrays(comparison, chosen, labels, places);
    Rounds rounds = rounds();
    ComparisonOutput output = output(inputs);
    int status = ExitCode.OK;
    for (ComparedInput each : inputs) {
      int exit =
          run(
              new ComparisonRun.Plan<>(
                  comparison, each, labels, chosen, baselines, places, rounds, measure),
              output);
      status = status == ExitCode.OK ? exit : status; // the first failure's
    }
    return status;
  }

  /** Tells of what fails on an input that a ladder names, and gives its exit status. */
  private <O extends Options<O>> int run(ComparisonRun.Plan<O> plan, ComparisonOutput output)
      throws Exception {
    try {
      new ComparisonRun<>(suited(plan), output)
          .run(devices, device -> Devices.open(spec, "--devices", device));
      return ExitCode.OK;
    } catch (ParameterException | DeviceUnavailableException | OutputException e) {
      throw e; // would be the same on every input
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      if (!plan.input().named()) {
        throw e;
      }
      return spec.commandLine()
          .getExecutionExceptionHandler()
          .handleExecutionException(
              new ComparedInputException(plan.input().title(), e), spec.commandLine(), null);
    }
  }

  /**
   * The plan with those variants that suit its input. Others are left out where a ladder has them,
   * or all values are asked for of a setting that keeps them from it.
   *
   * @throws InputException if a variant was asked for that does not suit the input, or none is left
   */
  private <O extends Options<O>> ComparisonRun.Plan<O> suited(ComparisonRun.Plan<O> plan) {
    Set<String> refused = new LinkedHashSet<>();
    List<String> labels = new ArrayList<>();
    List<O> suited = new ArrayList<>();
    for (int i = 0; i < plan.variants().size(); i++) {
      O variant = plan.variants().get(i);
      Optional<Comparison.Unsuited> why =
          plan.comparison().unsuited(plan.input().source(), variant);
      if (why.isEmpty()) {
        labels.add(plan.labels().get(i));
        suited.add(variant);
      } else if (ladder != null || why.get().settings().stream().anyMatch(this::asksForAll)) {
        refused.add(why.get().reason());
      } else {
        throw new InputException(why.get().reason());
      }
    }
    if (!refused.isEmpty() && suited.isEmpty()) {
      throw new InputException(refused.iterator().next());
    }
    refused.forEach(why -> spec.commandLine().getErr().println("left out: " + why));
    return plan.with(labels, suited);
  }

  /** Whether all values of some setting are asked for. */
  private boolean asksForAll() {
    return variants.stream().anyMatch(v -> v.equals("all") || v.endsWith("=all"));
  }

  /** Whether all values of this setting are asked for: {@code all} alone is of the rest. */
  private boolean asksForAll(String setting) {
    return variants.stream()
        .filter(v -> v.startsWith(setting + "="))
        .findFirst()
        .map(v -> v.endsWith("=all"))
        .orElse(variants.contains("all"));
  }

  /** The input that is given, or else those of the ladder. */
  private List<ComparedInput> inputs(Comparison<?> comparison, Ladder<?> chosenLadder) {
    List<LadderInput> named =
        chosenLadder == null || input.given() ? List.<LadderInput>of() : chosenLadder.inputs();
    if (fraction != null && named.isEmpty()) {
      throw usage("--fraction is for the inputs that a ladder names; leave it out");
    }
    if (fraction != null && !(fraction > 0 && fraction <= 1)) {
      throw usage("--fraction " + fraction + ": expected more than 0, and 1 at most");
    }
    if (named.isEmpty()) {
      return List.of(ComparedInput.given(source(comparison, input.input(spec)), ladder));
    }
    List<ComparedInput> inputs = new ArrayList<>();
    Map<String, String> names = new HashMap<>();
    for (LadderInput each : named) {
      Input source = source(comparison, scaled(each));
      String same = names.put(source.description(), each.name());
      if (same != null && fraction != null) {
        throw usage(
            "--fraction "
                + fraction
                + ": "
                + same
                + " and "
                + each.name()
                + " are the same input, "
                + source.description()
                + "; give a larger fraction");
      }
      inputs.add(new ComparedInput(source, ladder, each.name(), inputs.size() + 1, named.size()));
    }
    return inputs;
  }

  private Input scaled(LadderInput named) {
    try {
      return named.atFraction().apply(fraction == null ? 1 : fraction);
    } catch (IllegalArgumentException e) {
      throw usage(
          (fraction == null ? "--ladder " + ladder : "--fraction " + fraction)
              + ": "
              + named.name()
              + ": "
              + e.getMessage());
    }
  }

  private Input source(Comparison<?> comparison, Input given) {
    try {
      Input adjusted = adjusted(given);
      if (given instanceof DirectedGraphInput graph) {
        weightType.requireEffect(spec, graph, comparison::source);
      }
      return comparison.source(adjusted);
    } catch (IllegalArgumentException e) { // a mesh for a graph, or the other way round
      throw usage(e.getMessage());
    }
  }

  private Input adjusted(Input given) {
    if (given instanceof DirectedGraphInput graph) {
      return weightType.typed(spec, adjustments.adjusted(spec, graph, unitWeights), adjustments);
    }
    adjustments.forbid(spec);
    if (weightType.isGiven()) {
      throw usage("--weight-type is for graphs; leave it out");
    }
    if (unitWeights) {
      throw usage("--unit-weights is for graphs; leave it out");
    }
    return given;
  }

  private void requireBaseline(Comparison<?> comparison, String name) {
    List<Baseline> all = comparison.baselines();
    Baseline baseline =
        all.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    usage(
                        "--with "
                            + name
                            + ": expected one of "
                            + names(all.stream().map(Baseline::name).toList())));
    baseline
        .missing()
        .ifPresent(
            why -> {
              throw usage("--with " + name + ": " + why);
            });
  }

  private List<ComparisonRun.Results> results(Comparison<?> comparison) {
    List<ComparisonRun.Results> places = new ArrayList<>();
    for (String each : results) {
      ComparisonRun.Results place =
          Arrays.stream(ComparisonRun.Results.values())
              .filter(known -> known.word().equals(each))
              .findFirst()
              .orElseThrow(
                  () -> usage("--results " + each + ": expected some of new, kept and device"));
      if (places.contains(place)) {
        throw usage("--results: " + each + " is given twice");
      }
      if (place != ComparisonRun.Results.NEW && !comparison.writesToArrays()) {
        throw usage("--results " + each + ": " + comparison.name() + " makes new arrays only");
      }
      if (place == ComparisonRun.Results.DEVICE && !comparison.leavesOnDevice()) {
        throw usage("--results device: " + comparison.name() + " has results in Java only");
      }
      places.add(place);
    }
    return places;
  }

  /** Checks that the results of all variants can be where they are asked for. */
  private <O extends Options<O>> void requireArrays(
      Comparison<O> comparison,
      List<O> chosen,
      List<String> labels,
      List<ComparisonRun.Results> places) {
    for (ComparisonRun.Results place : places) {
      for (int i = 0; place != ComparisonRun.Results.NEW && i < chosen.size(); i++) {
        String label = labels.get(i);
        comparison
            .refusesArrays(chosen.get(i))
            .ifPresent(
                why -> {
                  throw usage(
                      "--results "
                          + place.word()
                          + ": variant '"
                          + label
                          + "': "
                          + why
                          + "; leave out that variant, or "
                          + place.word());
                });
      }
    }
  }

  private Rounds rounds() {
    if (!List.of("each", "first").contains(verify)) {
      throw usage("--verify " + verify + ": expected each or first");
    }
    if (!List.of(Comparison.Outcome.TOTAL, Comparison.Outcome.KERNELS).contains(measure)) {
      throw usage("--measure " + measure + ": expected total or kernels");
    }
    if (warmUps < 0) {
      throw usage("--warmups must be at least 0, but is " + warmUps);
    }
    if (repeats < 1) {
      throw usage("--repeats must be at least 1, but is " + repeats);
    }
    return new Rounds(warmUps, repeats, verify.equals("each"));
  }

  private ComparisonOutput output(List<ComparedInput> inputs) {
    boolean table = !JsonOutput.STANDARD_OUTPUT.equals(json);
    Outputs outputs =
        new Outputs(
            spec, inputs.stream().flatMap(each -> each.source().filesRead().stream()).toList());
    OutputFile jsonFile =
        json == null || !table ? null : outputs.at("--json", outputs.path("--json", json));
    return new ComparisonOutput(
        spec.commandLine().getOut(),
        spec.commandLine().getErr(),
        table,
        jsonFile,
        outputs.at("--csv", csv));
  }

  private <O extends Options<O>> Ladder<O> ladder(Comparison<O> comparison) {
    if (!variants.isEmpty()) {
      throw usage("--ladder " + ladder + " says which variants there are; leave out --variants");
    }
    return comparison.ladders().stream()
        .filter(each -> each.name().equals(ladder))
        .findFirst()
        .orElseThrow(
            () ->
                usage(
                    "--ladder "
                        + ladder
                        + ": "
                        + (comparison.ladders().isEmpty()
                            ? comparison.name() + " has no ladders; leave it out"
                            : "expected one of "
                                + names(
                                    comparison.ladders().stream().map(Ladder::name).toList()))));
  }

  private <O extends Options<O>> List<O> combinations(Comparison<O> comparison) {
    Variants.Combinations<O> all;
    try {
      all = Variants.combinations(comparison.defaults(), variants);
    } catch (IllegalArgumentException e) {
      throw usage("--variants: " + e.getMessage());
    }
    if (!all.impossible().isEmpty() && (all.possible().isEmpty() || !asksForAll())) {
      throw usage(
          all.impossible().entrySet().stream()
              .map(each -> "variant " + each.getKey() + " is impossible: " + each.getValue())
              .collect(Collectors.joining("; ")));
    }
    return all.possible();
  }
}
