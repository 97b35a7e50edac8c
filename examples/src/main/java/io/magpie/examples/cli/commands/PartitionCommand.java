package io.magpie.examples.cli.commands;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.algorithms.partition.GraphPartitioner;
import io.magpie.algorithms.partition.ImpossibleBalanceException;
import io.magpie.algorithms.partition.PartitionFormat;
import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.algorithms.partition.PartitionPicture;
import io.magpie.algorithms.partition.PartitionQuality;
import io.magpie.algorithms.partition.PartitionReport;
import io.magpie.algorithms.partition.PartitionReport.Level;
import io.magpie.algorithms.partition.PartitionResult;
import io.magpie.algorithms.partition.PartitionVerifier;
import io.magpie.examples.cli.options.Devices;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.options.GraphOptions;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.PathOption;
import io.magpie.examples.cli.options.PictureOptions;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.cli.output.TextTable;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.GraphHash;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.InputException;
import io.magpie.stm.AbortCause;
import io.magpie.stm.Device;
import io.magpie.stm.RegionReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Partitions a graph. */
@Command(
    name = "partition",
    description = {
      "Partition a graph into parts of even weight with few edges between them.",
      "What is generated has edges of weight 1 unless SPEC has weights=...; what is read has the"
          + " weights of its file."
    })
final class PartitionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  private final InputOptions<GraphInput> input = new InputOptions<>(GraphInput.class, "a graph");

  @Mixin private final CommandSpec inputOptions = input.spec();

  @Mixin private GraphOptions.Reading form;

  private final SettingOptions<PartitionOptions> settings =
      new SettingOptions<>(PartitionOptions.defaults());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Option(
      names = "--unit-weights",
      description = "Let every edge and every vertex of a file weigh 1.")
  private boolean unitWeights;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "auto",
      description =
          "auto (a GPU, else the processor), cuda[:n], cpu[:threads], cpu-checked[:threads] or"
              + " sim[:seed[:width]]; default ${DEFAULT-VALUE}.")
  private String device;

  @Option(
      names = "--evaluate",
      paramLabel = "FILE",
      description =
          "Partition nothing, but tell what the partition in FILE, or - for the standard input, is"
              + " worth.")
  private Path evaluated;

  @Option(
      names = "--verify",
      description =
          "Compute cut and weights again on the host; exit status 1 if they differ from the"
              + " device's. Where no balance is found the status is 9, and the parts are written.")
  private boolean verify;

  @Option(
      names = "--details",
      description =
          "Show, after the result, the memory that was held and what each level and each phase did,"
              + " too.")
  private boolean details;

  @Option(
      names = "--json",
      arity = "0..1",
      fallbackValue = JsonOutput.STANDARD_OUTPUT,
      paramLabel = "FILE",
      description = "Write JSON to FILE, or to standard output in place of the table.")
  private String json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write the parts as METIS does: a line for each vertex, parts from 0.")
  private Path out;

  @Mixin private PictureOptions picture;

  /** What was asked for, once that is known. */
  private PartitionOptions options;

  /** A partition, and what is known of it. */
  private record Partitioned(
      GraphInput source,
      Graph graph,
      int[] parts,
      PartitionQuality quality,
      int pieces,
      PartitionReport report,
      List<String> wrong) {
    Map<AbortCause, Long> aborts() {
      Map<AbortCause, Long> sums = new EnumMap<>(AbortCause.class);
      for (RegionReport region : report.transactions()) {
        region.abortsByCause().forEach((cause, count) -> sums.merge(cause, count, Long::sum));
      }
      return sums;
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private GraphInput source() {
    ReadOptions reading = ReadOptions.defaults().withUnitWeights(unitWeights);
    return form.adjusted(spec, input.input(spec), null, null, reading).unweightedByDefault();
  }

  /** Refuses what has no effect where nothing is partitioned. */
  private void requireEffect() {
    if (evaluated == null) {
      return;
    }
    List<String> useless =
        new ArrayList<>(
            settings.names(
                each -> each != PartitionOptions.PARTS && each != PartitionOptions.IMBALANCE));
    useless.addAll(List.of("--device", "--verify", "--details", "--out"));
    for (String option : useless) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw usage(option + " has no effect with --evaluate; leave it out");
      }
    }
  }

  @Override
  public Integer call() throws IOException {
    GraphInput source = source();
    requireEffect();
    options = settings.options(spec);
    Outputs outputs = new Outputs(spec);
    JsonOutput jsonOutput = outputs.json(json);
    OutputFile partsFile = outputs.at("--out", out);
    OutputFile pictureFile = picture.file(spec, outputs, source);
    Partitioned done;
    Map<String, Object> deviceJson = null;
    String deviceText = null;
    try (Progress progress = Terminal.progress()) {
      if (evaluated != null) {
        done = evaluated(source, progress);
      } else {
        try (Device opened = Devices.open(spec, "--device", device)) {
          deviceJson = DevicesCommand.json(opened.description());
          deviceText = opened.description().toString();
          done = partitioned(opened, source, progress);
        }
      }
      if (partsFile != null && done.wrong().isEmpty()) {
        progress.begin("writing", -1);
        partsFile.writeBy(file -> PartitionFormat.write(done.parts(), file));
      }
      if (pictureFile != null && done.wrong().isEmpty()) {
        progress.begin("drawing", -1);
        PartitionPicture drawn =
            PartitionPicture.of(
                    done.graph(), picture.coordinates(source, done.graph()), done.parts())
                .withSize(picture.pixels());
        pictureFile.writeBy(drawn::write);
      }
    }
    PrintWriter to = spec.commandLine().getOut();
    if (jsonOutput == null || !jsonOutput.replacesTable()) {
      print(to, deviceText, done);
    }
    if (jsonOutput != null) {
      jsonOutput.write(json(deviceJson, done), to);
    }
    if (!done.wrong().isEmpty()) {
      throw new VerificationException("the partition is wrong: " + String.join("; ", done.wrong()));
    }
    if (!done.quality().feasible()) {
      throw evaluated == null
          ? new StoppedEarlyException(
              "no balance was found: "
                  + overload(done)
                  + "; all else holds; ask for "
                  + (options.imbalance() < 1 ? "more imbalance or for other parts" : "other parts"))
          : new VerificationException("the partition is not balanced: " + overload(done));
    }
    return ExitCode.OK;
  }

  private Graph graph(GraphInput source, Progress progress) throws IOException {
    progress.begin(source.generated() ? "generating" : "reading", -1);
    return source.graph();
  }

  /** Why nothing can be done, in terms of the input. */
  private static InputException unsuitable(GraphInput source, ImpossibleBalanceException e)
      throws IOException {
    return new InputException(source.description() + ": " + e.messageFrom(source.firstVertex()), e);
  }

  private Partitioned partitioned(Device opened, GraphInput source, Progress progress)
      throws IOException {
    Graph graph = graph(source, progress);
    progress.begin("partitioning", -1);
    PartitionResult result;
    try {
      result = GraphPartitioner.run(opened, graph, options);
    } catch (ImpossibleBalanceException e) {
      throw unsuitable(source, e);
    }
    progress.begin("evaluating", -1);
    PartitionQuality quality =
        PartitionVerifier.evaluate(graph, result.parts(), options.parts(), options.imbalance());
    return new Partitioned(
        source,
        graph,
        result.parts(),
        quality,
        Arrays.stream(PartitionVerifier.pieces(graph, result.parts(), options.parts())).sum(),
        result.report().orElseThrow(),
        verify ? PartitionVerifier.differences(result) : List.of());
  }

  private Partitioned evaluated(GraphInput source, Progress progress) throws IOException {
    Graph graph = graph(source, progress);
    progress.begin("evaluating", -1);
    int[] read =
        PartitionFormat.read(PathOption.input(evaluated), graph.vertices(), options.parts());
    PartitionQuality quality =
        PartitionVerifier.evaluate(graph, read, options.parts(), options.imbalance());
    int pieces = Arrays.stream(PartitionVerifier.pieces(graph, read, options.parts())).sum();
    return new Partitioned(source, graph, read, quality, pieces, null, List.of());
  }

  private static String overload(Partitioned done) {
    return String.format(
        Locale.ROOT,
        "a part weighs %,d, more than the %,d allowed",
        done.quality().heaviest(),
        done.quality().limit());
  }

  private String verdict(Partitioned done) {
    if (!done.wrong().isEmpty()) {
      return "wrong";
    }
    if (!done.quality().feasible()) {
      return "not balanced";
    }
    return verify ? "verified" : "not verified";
  }

  private void print(PrintWriter to, String deviceText, Partitioned done) {
    Graph graph = done.graph();
    PartitionQuality quality = done.quality();
    to.printf("graph     %s%n", done.source().description());
    to.printf(
        Locale.ROOT,
        "          %,d vertices%s, %,d edges%s%n",
        graph.vertices(),
        graph.vertexWeights() == null ? "" : " with weights",
        graph.edges(),
        graph.weighted() ? " with weights" : "");
    if (done.report() == null) {
      to.printf("parts     %s%n", evaluated);
    } else {
      to.printf("device    %s%n", deviceText);
      to.printf("variant   %s%n", SettingOptions.text(done.report().options()));
    }
    to.printf(
        Locale.ROOT,
        "cut       %,d; %,d vertices at boundaries, communication volume %,d, %,d connected pieces,"
            + " %,d empty parts%n",
        quality.cut(),
        quality.boundaryVertices(),
        quality.communicationVolume(),
        done.pieces(),
        quality.emptyParts());
    to.printf(
        Locale.ROOT,
        "balance   %,d parts of at most %,d, the heaviest %,d: %.4f above the even weight, %s"
            + " allowed%n",
        options.parts(),
        quality.limit(),
        quality.heaviest(),
        quality.imbalance(),
        Double.toString(options.imbalance()));
    PartitionReport report = done.report();
    if (report != null) {
      to.printf(
          Locale.ROOT,
          "time      %.3f ms from Java to Java: upload %.3f, coarsening %.3f, initial partition"
              + " %.3f, refinement %.3f, download %.3f%n",
          report.totalMillis(),
          report.uploadMillis(),
          report.coarsenMillis(),
          report.initialMillis(),
          report.uncoarsenMillis(),
          report.downloadMillis());
      if (!report.transactions().isEmpty() && report.options().stm().statistics()) {
        to.printf("aborts    %s%n", Counts.text(done.aborts()));
      }
    }
    if (!done.wrong().isEmpty()) {
      to.printf("WRONG     %s%n", String.join("; ", done.wrong()));
    } else if (!done.quality().feasible()) {
      to.printf("not balanced: %s%n", overload(done));
    } else if (verify) {
      to.printf("verified  cut and weights are as the device says, and no part is too heavy%n");
    }
    if (details) {
      printDetails(to, report);
    }
  }

  private static void printDetails(PrintWriter to, PartitionReport report) {
    to.printf(
        Locale.ROOT,
        "%nmemory    %,d bytes on the device, of at most %,d%n%n",
        report.deviceBytes(),
        report.deviceBudget());
    TextTable levels =
        new TextTable(
            "level",
            ">vertices",
            ">edges",
            ">of finer",
            ">heaviest vertex",
            ">cut before",
            ">cut after",
            ">rounds",
            ">moves",
            ">coarsening ms",
            ">refinement ms");
    for (int l = 0; l < report.levels().size(); l++) {
      Level level = report.levels().get(l);
      levels.row(
          Integer.toString(l),
          Counts.number(level.vertices()),
          Counts.number(level.edges()),
          l == 0 ? "" : percent(level.vertices(), report.levels().get(l - 1).vertices()),
          Counts.number(level.heaviestVertex()),
          Counts.number(level.projectedCut()),
          Counts.number(level.cut()),
          Counts.number(level.rounds()),
          Counts.number(level.moves()),
          millis(level.coarsenMillis()),
          millis(level.refineMillis()));
    }
    to.println(levels);
    double all = report.phases().stream().mapToDouble(Phase::millis).sum();
    TextTable phases =
        new TextTable(
            "phase",
            "synchronization",
            ">launches",
            ">items",
            ">ms",
            ">share",
            ">commits",
            ">aborts");
    for (Phase phase : report.phases()) {
      phases.row(
          phase.name(),
          EnumOption.name(phase.rule()),
          Counts.number(phase.launches()),
          Counts.number(phase.items()),
          millis(phase.millis()),
          percent(phase.millis(), all),
          counted(phase) ? Counts.number(phase.commits()) : "",
          counted(phase) ? Counts.number(phase.aborts()) : "");
    }
    to.print(phases);
  }

  private static boolean counted(Phase phase) {
    return phase.rule() == Phase.Rule.TRANSACTIONAL && phase.commits() >= 0;
  }

  private static String percent(double part, double whole) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part / whole);
  }

  private static String millis(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  private Map<String, Object> json(Map<String, Object> deviceJson, Partitioned done) {
    Graph graph = done.graph();
    PartitionQuality quality = done.quality();
    PartitionReport report = done.report();
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("algorithm", "partition");
    value.put("version", BuildInfo.version());
    value.put("revision", BuildInfo.revision());
    if (report != null) {
      value.put("device", deviceJson);
    }
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("source", done.source().description());
    input.put("hash", GraphHash.of(graph));
    input.put("vertices", graph.vertices());
    input.put("edges", graph.edges());
    input.put("weight", Arrays.stream(done.quality().partWeights()).sum());
    value.put("input", input);
    Map<String, Object> partition = new LinkedHashMap<>();
    partition.put("parts", options.parts());
    partition.put("allowedImbalance", options.imbalance());
    partition.put("limit", quality.limit());
    partition.put("heaviest", quality.heaviest());
    partition.put("imbalance", quality.imbalance());
    partition.put("feasible", quality.feasible());
    partition.put("cut", quality.cut());
    partition.put("boundaryVertices", quality.boundaryVertices());
    partition.put("communicationVolume", quality.communicationVolume());
    partition.put("pieces", done.pieces());
    partition.put("emptyParts", quality.emptyParts());
    partition.put("weights", quality.partWeights());
    value.put("partition", partition);
    if (report != null) {
      value.put("variant", SettingOptions.json(report.options()));
      Map<String, Object> millis = new LinkedHashMap<>();
      millis.put("total", report.totalMillis());
      millis.put("upload", report.uploadMillis());
      millis.put("coarsen", report.coarsenMillis());
      millis.put("initial", report.initialMillis());
      millis.put("uncoarsen", report.uncoarsenMillis());
      millis.put("download", report.downloadMillis());
      value.put("millis", millis);
      value.put("deviceBytes", report.deviceBytes());
      value.put("deviceBudget", report.deviceBudget());
      value.put("initialCut", report.initialCut());
      value.put("levels", report.levels().stream().map(PartitionCommand::json).toList());
      value.put("phases", report.phases().stream().map(PartitionCommand::json).toList());
      value.put("aborts", Counts.json(done.aborts()));
    }
    value.put("verdict", verdict(done));
    if (!done.wrong().isEmpty()) {
      value.put("mistakes", done.wrong());
    }
    return value;
  }

  private static Map<String, Object> json(Level level) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("vertices", level.vertices());
    value.put("edges", level.edges());
    value.put("heaviestVertex", level.heaviestVertex());
    value.put("cutBefore", level.projectedCut());
    value.put("cut", level.cut());
    value.put("heaviestPart", level.heaviestPart());
    value.put("rounds", level.rounds());
    value.put("moves", level.moves());
    value.put("coarsenMillis", level.coarsenMillis());
    value.put("refineMillis", level.refineMillis());
    return value;
  }

  private static Map<String, Object> json(Phase phase) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("name", phase.name());
    value.put("synchronization", EnumOption.name(phase.rule()));
    value.put("launches", phase.launches());
    value.put("items", phase.items());
    value.put("millis", phase.millis());
    if (counted(phase)) {
      value.put("commits", phase.commits());
      value.put("aborts", phase.aborts());
    }
    return value;
  }
}
