package io.magpie.examples.cli.commands;

import io.magpie.algorithms.Condition;
import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.examples.cli.options.Devices;
import io.magpie.examples.cli.options.GraphOptions;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.compare.Baseline;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Comparisons;
import io.magpie.examples.compare.Contestant;
import io.magpie.examples.compare.Ladder;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.compare.Rounds;
import io.magpie.examples.compare.RunRecord;
import io.magpie.examples.compare.Variants;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares variants of an algorithm on one input. */
@Command(
    name = "compare",
    description = {
      "Compare variants of an algorithm on one input.",
      "Rounds run in alternating order (A B C, then C B A); ratios are to the first contestant,"
          + " paired by round. Results are verified, as --verify says."
    })
final class CompareCommand implements Callable<Integer> {
  /** Where options of an algorithm's own command belong here. */
  static final String VARIANTS_HINT =
      "An algorithm's own options are values of --variants here, such as parts=8 in place of -k 8.";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ALGORITHM", description = "Such as msf; listed below.")
  private String algorithm;

  private final InputOptions<Input> input = new InputOptions<>(Input.class, "an input");

  @Mixin private final CommandSpec inputOptions = input.spec();

  @Mixin private GraphOptions adjustments;

  @Option(
      names = "--unit-weights",
      description = "Let every edge and every vertex of a file weigh 1: for partition.")
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
      description = "In place of --variants: a list of them, step by step; listed below.")
  private String ladder;

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
      description = "Rounds that count; default ${DEFAULT-VALUE}; fewer than 6 allow no verdict.")
  private int repeats;

  @Option(
      names = "--warmups",
      paramLabel = "N",
      defaultValue = "1",
      description = "Rounds before them, left out of the statistics; default ${DEFAULT-VALUE}.")
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
      names = "--json",
      paramLabel = "FILE",
      description =
          "Write JSON Lines to FILE: a record for each run, then a summary for each contestant; -"
              + " is standard output in place of the table. What was measured is kept if the"
              + " process is ended from outside.")
  private String json;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write the runs to FILE as flat CSV; with --json, of the same runs.")
  private Path csv;

  /** The registered algorithms with their options, for the end of the help text. */
  static String[] algorithms() {
    List<String> lines = new ArrayList<>();
    for (Comparison<?> comparison : Comparisons.registered()) {
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

  @Override
  public Integer call() throws IOException {
    return compare(
        Comparisons.named(algorithm)
            .orElseThrow(
                () ->
                    usage(
                        "there is no algorithm '"
                            + algorithm
                            + "'; expected one of "
                            + names(
                                Comparisons.registered().stream()
                                    .map(Comparison::name)
                                    .toList()))));
  }

  private <O extends Options<O>> Integer compare(Comparison<O> comparison) throws IOException {
    Input source;
    try {
      source = comparison.source(source());
    } catch (IllegalArgumentException e) { // a mesh for a graph, or the other way round
      throw usage(e.getMessage());
    }
    Map<String, O> steps = ladder == null ? null : steps(comparison);
    List<O> combinations = steps == null ? combinations(comparison) : List.copyOf(steps.values());
    for (String name : baselines) {
      Baseline baseline =
          comparison.baselines().stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      usage(
                          "--with "
                              + name
                              + ": expected one of "
                              + names(
                                  comparison.baselines().stream().map(Baseline::name).toList())));
      baseline
          .missing()
          .ifPresent(
              why -> {
                throw usage("--with " + name + ": " + why);
              });
    }
    if (!List.of("each", "first").contains(verify)) {
      throw usage("--verify " + verify + ": expected each or first");
    }
    if (!List.of(Comparison.Outcome.TOTAL, Comparison.Outcome.KERNELS).contains(measure)) {
      throw usage("--measure " + measure + ": expected total or kernels");
    }
    Rounds rounds;
    try {
      rounds = new Rounds(warmUps, repeats, verify.equals("each"));
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
    boolean table = !JsonOutput.STANDARD_OUTPUT.equals(json);
    Outputs outputs = new Outputs(spec);
    OutputFile jsonFile =
        json == null || !table ? null : outputs.at("--json", outputs.path("--json", json));
    OutputFile csvFile = outputs.at("--csv", csv);

    List<Device> opened = new ArrayList<>();
    List<Contestant> contestants = new ArrayList<>();
    List<RunRecord> records = Collections.synchronizedList(new ArrayList<>());
    AtomicReference<ComparisonReport> begun = new AtomicReference<>();
    Throwable failure = null;
    try (FinalWork last =
        new FinalWork(() -> keep(begun.get(), records, table, jsonFile, csvFile))) {
      try (Progress progress = Terminal.progress();
          Closing closing = new Closing()) {
        for (String each : devices) {
          opened.add(closing.add(Devices.open(spec, "--devices", each)));
        }
        Comparison.Prepared<O> prepared = comparison.prepare(source, progress);
        List<String> labels =
            steps == null ? Variants.labels(combinations) : List.copyOf(steps.keySet());
        for (Device device : opened) {
          for (int i = 0; i < combinations.size(); i++) {
            contestants.add(
                new Contestant(
                    labels.get(i),
                    device.description().spec(),
                    false,
                    combinations.get(i).written(),
                    closing.add(prepared.variant(device, combinations.get(i)))));
          }
        }
        for (String baseline : baselines) {
          contestants.add(
              new Contestant(
                  baseline,
                  Contestant.HOST,
                  true,
                  Map.of(),
                  closing.add(prepared.baseline(baseline, combinations.get(0)))));
        }
        begun.set(
            new ComparisonReport(
                comparison.name(),
                source,
                prepared.sizes(),
                prepared.hash(),
                opened.stream().map(Device::description).toList(),
                contestants,
                rounds,
                measure,
                comparison.shown()));
        try {
          rounds.run(contestants, progress, records::add);
        } catch (RuntimeException | OutOfMemoryError e) { // what was measured until then is kept
          failure = e;
        }
        failure = closing.closeAfter(failure);
      }
      if (failure instanceof InputException unsuitable && records.isEmpty()) {
        throw unsuitable; // there is nothing to show
      }
      String why = failure == null ? null : failure.toString();
      last.run(() -> write(begun.get(), records, why, table, jsonFile, csvFile));
    }
    Closing.rethrow(failure);
    Optional<RunRecord> wrong = records.stream().filter(r -> r.mistake() != null).findFirst();
    if (wrong.isPresent()) {
      Contestant who = contestants.get(wrong.get().contestant());
      throw new VerificationException(
          who.label() + " on " + who.device() + " is wrong: " + wrong.get().mistake());
    }
    return ExitCode.OK;
  }

  private void write(
      ComparisonReport report,
      List<RunRecord> records,
      String why,
      boolean table,
      OutputFile jsonFile,
      OutputFile csvFile) {
    print(report, records, why, table);
    writeFiles(report, records, why, jsonFile, csvFile);
  }

  /** The flat form first, so that a new JSON never lies next to an old CSV. */
  private static void writeFiles(
      ComparisonReport report,
      List<RunRecord> records,
      String why,
      OutputFile jsonFile,
      OutputFile csvFile) {
    Map<OutputFile, List<String>> files = new LinkedHashMap<>();
    if (csvFile != null) {
      files.put(csvFile, report.csvLines(records));
    }
    if (jsonFile != null) {
      files.put(jsonFile, report.jsonLines(records, why));
    }
    OutputFile.writeTogether(files);
  }

  private void print(ComparisonReport report, List<RunRecord> records, String why, boolean table) {
    PrintWriter to = spec.commandLine().getOut();
    if (table) {
      to.print(report.table(records));
    } else {
      report.jsonLines(records, why).forEach(to::println);
    }
    to.flush();
  }

  /**
   * Writes what was measured before the process was ended from outside, if anything was.
   *
   * @param report null if it had not come so far
   */
  private void keep(
      ComparisonReport report,
      List<RunRecord> records,
      boolean table,
      OutputFile jsonFile,
      OutputFile csvFile) {
    List<RunRecord> measured = List.copyOf(records);
    PrintWriter err = spec.commandLine().getErr();
    if (report == null || measured.isEmpty()) {
      err.println("magpie compare: ended from outside before the first run");
      err.flush();
      return;
    }
    String why = "ended from outside; runs until then: " + measured.size();
    // Files first: whoever reads the standard output may have gone.
    try {
      writeFiles(report, measured, why, jsonFile, csvFile);
    } catch (OutputException e) { // says so, and goes on
      err.println("magpie compare: " + e.getMessage());
    }
    err.println("magpie compare: " + why);
    err.flush();
    print(report, measured, why, table);
  }

  private Input source() {
    Input given = input.input(spec);
    if (given instanceof GraphInput graph) {
      return adjustments.adjusted(spec, graph, unitWeights);
    }
    adjustments.forbid(spec);
    if (unitWeights) {
      throw usage("--unit-weights is for graphs; leave it out");
    }
    return given;
  }

  private <O extends Options<O>> Map<String, O> steps(Comparison<O> comparison) {
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
                                + names(comparison.ladders().stream().map(Ladder::name).toList()))))
        .steps();
  }

  private <O extends Options<O>> List<O> combinations(Comparison<O> comparison) {
    Variants.Combinations<O> all;
    try {
      all = Variants.combinations(comparison.defaults(), variants);
    } catch (IllegalArgumentException e) {
      throw usage("--variants: " + e.getMessage());
    }
    boolean everything = variants.stream().anyMatch(v -> v.equals("all") || v.endsWith("=all"));
    if (!all.impossible().isEmpty() && (all.possible().isEmpty() || !everything)) {
      throw usage(
          all.impossible().entrySet().stream()
              .map(each -> "variant " + each.getKey() + " is impossible: " + each.getValue())
              .collect(Collectors.joining("; ")));
    }
    return all.possible();
  }
}
