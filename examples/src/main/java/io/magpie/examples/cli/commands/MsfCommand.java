package io.magpie.examples.cli.commands;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.msf.ForestPicture;
import io.magpie.algorithms.msf.KruskalReference;
import io.magpie.algorithms.msf.MinimumSpanningForest;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.MsfReport;
import io.magpie.algorithms.msf.MsfResult;
import io.magpie.algorithms.msf.MsfVerifier;
import io.magpie.examples.cli.options.Devices;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.options.GraphOptions;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.Outputs;
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
import io.magpie.stm.AbortCause;
import io.magpie.stm.Device;
import io.magpie.stm.RegionReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

/** Computes a minimum spanning forest. */
@Command(name = "msf", description = "Compute a minimum spanning forest by transactions.")
final class MsfCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  private final InputOptions<GraphInput> input = new InputOptions<>(GraphInput.class, "a graph");

  @Mixin private final CommandSpec inputOptions = input.spec();

  @Mixin private GraphOptions adjustments;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "auto",
      description =
          "auto (a GPU, else the processor), cuda[:n], cpu[:threads], cpu-checked[:threads] or"
              + " sim[:seed[:width]]; default ${DEFAULT-VALUE}.")
  private String device;

  private final SettingOptions<MsfOptions> settings = new SettingOptions<>(MsfOptions.defaults());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Option(
      names = "--verify",
      description = "Compare with a sequential Kruskal; exit status 1 if the result is wrong.")
  private boolean verify;

  @Option(names = "--details", description = "Show, after the result, what each phase did, too.")
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
      description =
          "Write the forest: as a graph if FILE has the suffix of one, such as .gr or .wel.xz, else"
              + " as lines of 'u v weight' with vertices from 0.")
  private Path out;

  @Mixin private PictureOptions picture;

  @Override
  public Integer call() throws IOException {
    GraphInput source = adjustments.adjusted(spec, input.input(spec), false);
    MsfOptions options = settings.options(spec);
    Outputs outputs = new Outputs(spec);
    JsonOutput jsonOutput = outputs.json(json);
    OutputFile forestFile = outputs.at("--out", out);
    if (out != null && !OutputFile.namesGraph(out) && out.toString().matches(".*\\.(gz|xz)")) {
      GenerateCommand.requireGraphSuffix(spec, out);
    }
    OutputFile pictureFile = picture.file(spec, outputs, source);
    MsfResult result;
    MsfResult reference = null;
    List<String> wrong = List.of();
    Map<String, Object> deviceJson;
    String deviceText;
    try (Progress progress = Terminal.progress();
        Device opened = Devices.open(spec, "--device", device)) {
      deviceJson = DevicesCommand.json(opened.description());
      deviceText = opened.description().toString();
      progress.begin(source.generated() ? "generating" : "reading", -1);
      Graph graph = source.weightedGraph();
      progress.begin("computing", -1);
      result = MinimumSpanningForest.run(opened, graph, options);
      if (verify) {
        progress.begin("verifying", -1);
        reference = KruskalReference.run(graph);
        wrong = MsfVerifier.verify(result, reference);
      }
      if (forestFile != null && wrong.isEmpty()) {
        progress.begin("writing", -1);
        write(result, forestFile);
      }
      if (pictureFile != null && wrong.isEmpty()) {
        progress.begin("drawing", -1);
        ForestPicture drawn =
            ForestPicture.of(result, picture.coordinates(source, graph)).withSize(picture.pixels());
        pictureFile.writeBy(drawn::write);
      }
    }
    PrintWriter to = spec.commandLine().getOut();
    if (jsonOutput == null || !jsonOutput.replacesTable()) {
      print(to, source, deviceText, result, reference, wrong);
    }
    if (jsonOutput != null) {
      jsonOutput.write(json(source, deviceJson, result, wrong), to);
    }
    if (!wrong.isEmpty()) {
      throw new VerificationException("the forest is wrong: " + String.join("; ", wrong));
    }
    return ExitCode.OK;
  }

  /** Writes the forest as the file's name tells. */
  private void write(MsfResult result, OutputFile file) {
    int[] ends = result.endpoints();
    Graph graph = result.graph();
    if (OutputFile.namesGraph(file.path())) {
      GraphBuilder builder = new GraphBuilder(graph.vertices(), true);
      for (int e = 0; e < result.edges(); e++) {
        builder.addEdge(ends[2 * e], ends[2 * e + 1], graph.weight(result.arcs()[e]));
      }
      try {
        file.write(builder.build());
      } catch (IllegalArgumentException e) { // the format cannot hold it
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
      return;
    }
    file.write(
        stream -> {
          StringBuilder lines = new StringBuilder();
          for (int e = 0; e < result.edges(); e++) {
            lines.append(ends[2 * e]).append(' ').append(ends[2 * e + 1]).append(' ');
            lines.append(graph.weight(result.arcs()[e])).append('\n');
            if (lines.length() > 1 << 15 || e == result.edges() - 1) {
              stream.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
              lines.setLength(0);
            }
          }
        });
  }

  private void print(
      PrintWriter to,
      GraphInput source,
      String deviceText,
      MsfResult result,
      MsfResult reference,
      List<String> wrong) {
    Graph graph = result.graph();
    MsfReport report = result.report().orElseThrow();
    to.printf("graph     %s%n", source.description());
    to.printf(
        Locale.ROOT,
        "          %,d vertices, %,d edges, %,d arcs%n",
        graph.vertices(),
        graph.edges(),
        graph.arcs());
    to.printf("device    %s%n", deviceText);
    to.printf("variant   %s%n", SettingOptions.text(report.options()));
    to.printf(
        Locale.ROOT,
        "forest    %,d edges, %,d component%s, total weight %,d%n",
        result.edges(),
        result.components(),
        result.components() == 1 ? "" : "s",
        result.weight());
    to.printf(
        Locale.ROOT,
        "time      %.3f ms from Java to Java: upload %.3f, forest %.3f, weight and labels %.3f,"
            + " download and rest %.3f%n",
        report.hostMillis(),
        report.uploadMillis(),
        report.solveMillis(),
        report.resultMillis(),
        report.hostMillis() - report.uploadMillis() - report.solveMillis() - report.resultMillis());
    Map<AbortCause, Long> aborts = aborts(report);
    if (!aborts.isEmpty()) {
      to.printf("aborts    %s%n", Counts.text(aborts));
    }
    if (reference != null) {
      to.printf(
          Locale.ROOT,
          "%s  %s%n",
          wrong.isEmpty() ? "verified" : "WRONG   ",
          wrong.isEmpty()
              ? String.format(
                  Locale.ROOT,
                  "a spanning forest of the same weight as sequential Kruskal's, %,d",
                  reference.weight())
              : String.join("; ", wrong));
    }
    if (details) {
      to.println();
      to.print(phases(report));
    }
  }

  private static TextTable phases(MsfReport report) {
    double all = report.phases().stream().mapToDouble(Phase::millis).sum();
    TextTable table =
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
      boolean counted = phase.rule() == Phase.Rule.TRANSACTIONAL && phase.commits() >= 0;
      table.row(
          phase.name(),
          EnumOption.name(phase.rule()),
          Counts.number(phase.launches()),
          Counts.number(phase.items()),
          String.format(Locale.ROOT, "%.3f", phase.millis()),
          String.format(Locale.ROOT, "%.1f %%", 100 * phase.millis() / all),
          counted ? Counts.number(phase.commits()) : "",
          counted ? Counts.number(phase.aborts()) : "");
    }
    return table;
  }

  private static Map<AbortCause, Long> aborts(MsfReport report) {
    Map<AbortCause, Long> sums = new EnumMap<>(AbortCause.class);
    for (RegionReport region : report.transactions()) {
      region.abortsByCause().forEach((cause, count) -> sums.merge(cause, count, Long::sum));
    }
    return sums;
  }

  private Map<String, Object> json(
      GraphInput source, Map<String, Object> deviceJson, MsfResult result, List<String> wrong) {
    Graph graph = result.graph();
    MsfReport report = result.report().orElseThrow();
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("algorithm", "msf");
    value.put("version", BuildInfo.version());
    value.put("revision", BuildInfo.revision());
    value.put("device", deviceJson);
    Map<String, Object> inputJson = new LinkedHashMap<>();
    inputJson.put("source", source.description());
    inputJson.put("hash", GraphHash.of(graph));
    inputJson.put("vertices", graph.vertices());
    inputJson.put("edges", graph.edges());
    inputJson.put("arcs", graph.arcs());
    value.put("input", inputJson);
    value.put("variant", SettingOptions.json(report.options()));
    Map<String, Object> forest = new LinkedHashMap<>();
    forest.put("edges", result.edges());
    forest.put("components", result.components());
    forest.put("weight", result.weight());
    value.put("forest", forest);
    Map<String, Object> millis = new LinkedHashMap<>();
    millis.put("total", report.hostMillis());
    millis.put("upload", report.uploadMillis());
    millis.put("kernels", report.solveMillis());
    millis.put("result", report.resultMillis());
    value.put("millis", millis);
    value.put("rounds", report.rounds());
    value.put("phases", report.phases().stream().map(MsfCommand::json).toList());
    value.put("aborts", Counts.json(aborts(report)));
    value.put("verdict", !verify ? "not verified" : wrong.isEmpty() ? "verified" : "wrong");
    if (!wrong.isEmpty()) {
      value.put("mistakes", wrong);
    }
    return value;
  }

  private static Map<String, Object> json(Phase phase) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("name", phase.name());
    value.put("synchronization", EnumOption.name(phase.rule()));
    value.put("launches", phase.launches());
    value.put("items", phase.items());
    value.put("millis", phase.millis());
    if (phase.rule() == Phase.Rule.TRANSACTIONAL && phase.commits() >= 0) {
      value.put("commits", phase.commits());
      value.put("aborts", phase.aborts());
    }
    return value;
  }
}
