package io.magpie.examples.cli;

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
import io.magpie.examples.compare.GraphHash;
import io.magpie.examples.compare.GraphSource;
import io.magpie.examples.compare.InputException;
import io.magpie.examples.compare.Progress;
import io.magpie.stm.AbortCause;
import io.magpie.stm.Device;
import io.magpie.stm.RegionReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
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
  private static final PartitionOptions DEFAULTS = PartitionOptions.of(1);

  @Spec private CommandSpec spec;

  @ArgGroup(exclusive = true, multiplicity = "1")
  private GraphOptions.Origin origin;

  @Mixin private GraphOptions.Reading form;

  @Option(
      names = {"-k", "--parts"},
      paramLabel = "K",
      required = true,
      description = "Number of parts, 1 to the number of vertices.")
  private int parts;

  @Option(
      names = "--imbalance",
      paramLabel = "SHARE",
      description =
          "By which share a part may exceed the even weight, rounded up; 0 to 1, default"
              + " ${DEFAULT-VALUE}.")
  private double imbalance = DEFAULTS.imbalance();

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
      names = "--effort",
      paramLabel = "HOW",
      description = "Time against cut: fast, default (the default) or ultra.")
  private PartitionOptions.Effort effort = DEFAULTS.effort();

  @Option(names = "--seed", paramLabel = "N", description = "Seed; default ${DEFAULT-VALUE}.")
  private long seed = DEFAULTS.seed();

  @Option(
      names = "--coarsening",
      paramLabel = "HOW",
      description =
          "Join any pairs of vertices (matching, the default), or pairs within clusters as long as"
              + " there are (clusters): lower cuts of road networks and of random points.")
  private PartitionOptions.Coarsening coarsening = DEFAULTS.coarsening();

  @Option(
      names = "--matching",
      paramLabel = "HOW",
      description =
          "Join pairs of vertices that chose each other (proposals, the default), by"
              + " compare-and-swap (atomic), by transactions (stm), or by plain stores that are"
              + " corrected (atomic-free).")
  private PartitionOptions.Matching matching = DEFAULTS.matching();

  @Option(
      names = "--rating",
      paramLabel = "HOW",
      description =
          "Choose partners by weight of the edge over those of the vertices (light-vertices, the"
              + " default), by weight of the edge (heavy-edge), or at random (random).")
  private PartitionOptions.Rating rating = DEFAULTS.rating();

  @Option(
      names = "--candidates",
      paramLabel = "WHICH",
      description =
          "Choose partners among free neighbors (free, the default) or among all, and stay alone if"
              + " the partner is taken (any).")
  private PartitionOptions.Candidates candidates = DEFAULTS.candidates();

  @Option(
      names = "--contraction",
      paramLabel = "HOW",
      description = "Sum up the arcs of pairs by hashing (hash, the default) or by sorting (sort).")
  private PartitionOptions.Contraction contraction = DEFAULTS.contraction();

  @Option(
      names = "--refinement",
      paramLabel = "HOW",
      description =
          "Move vertices all at once (atomic, the default), each by a transaction that also keeps the"
              + " weights of both parts (stm) or adds to them afterwards (stm-reserved), or all at once"
              + " with sums by sorting and scans (atomic-free).")
  private PartitionOptions.Refinement refinement = DEFAULTS.refinement();

  @Mixin private TransactionOptions transactions;

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

  /** A partition, and what is known of it. */
  private record Partitioned(
      GraphSource source,
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

  private GraphSource source() {
    ReadOptions reading = ReadOptions.defaults().withUnitWeights(unitWeights);
    return form.source(spec, origin, null, null, reading).unweightedByDefault();
  }

  private PartitionOptions options() {
    try {
      PartitionOptions options =
          PartitionOptions.of(parts)
              .withImbalance(imbalance)
              .withSeed(seed)
              .withEffort(effort)
              .withCoarsening(coarsening)
              .withMatching(matching)
              .withRating(rating)
              .withCandidates(candidates)
              .withContraction(contraction)
              .withRefinement(refinement);
      if (!options.transactional()) {
        transactions.forbid("--matching stm or --refinement stm");
      }
      return options.withStm(transactions.over(options.stm()));
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  /** Refuses what has no effect with other options. */
  private void requireEffect() {
    if (evaluated != null) {
      for (String option :
          List.of(
              "--device",
              "--effort",
              "--seed",
              "--coarsening",
              "--matching",
              "--rating",
              "--candidates",
              "--contraction",
              "--refinement",
              "--policy",
              "--statistics",
              "--threads-in-flight",
              "--timeout",
              "--verify",
              "--details",
              "--out")) {
        if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
          throw usage(option + " has no effect with --evaluate; leave it out");
        }
      }
    }
  }

  @Override
  public Integer call() throws IOException {
    GraphSource source = source();
    PartitionOptions options = options();
    requireEffect();
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
          done = partitioned(opened, source, options, progress);
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
                  + (imbalance < 1 ? "more imbalance or for other parts" : "other parts"))
          : new VerificationException("the partition is not balanced: " + overload(done));
    }
    return ExitStatus.OK.code();
  }

  private Graph graph(GraphSource source, Progress progress) throws IOException {
    progress.begin(source.generator() == null ? "reading" : "generating", -1);
    return source.graph();
  }

  /** Why nothing can be done, in terms of the input. */
  private static InputException unsuitable(GraphSource source, ImpossibleBalanceException e)
      throws IOException {
    return new InputException(source.description() + ": " + e.messageFrom(source.firstVertex()), e);
  }

  private Partitioned partitioned(
      Device opened, GraphSource source, PartitionOptions options, Progress progress)
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
    PartitionQuality quality = PartitionVerifier.evaluate(graph, result.parts(), parts, imbalance);
    return new Partitioned(
        source,
        graph,
        result.parts(),
        quality,
        Arrays.stream(PartitionVerifier.pieces(graph, result.parts(), parts)).sum(),
        result.report().orElseThrow(),
        verify ? PartitionVerifier.differences(result) : List.of());
  }

  private Partitioned evaluated(GraphSource source, Progress progress) throws IOException {
    Graph graph = graph(source, progress);
    progress.begin("evaluating", -1);
    int[] read = PartitionFormat.read(PathOption.input(evaluated), graph.vertices(), parts);
    PartitionQuality quality = PartitionVerifier.evaluate(graph, read, parts, imbalance);
    int pieces = Arrays.stream(PartitionVerifier.pieces(graph, read, parts)).sum();
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
      to.printf("variant   %s%n", variant(done.report().options()));
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
        parts,
        quality.limit(),
        quality.heaviest(),
        quality.imbalance(),
        Double.toString(imbalance));
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

  private static String variant(PartitionOptions options) {
    StringBuilder text = new StringBuilder();
    text.append("effort ").append(EnumOption.name(options.effort()));
    text.append(", coarsening ").append(EnumOption.name(options.coarsening()));
    text.append(", matching ").append(EnumOption.name(options.matching()));
    text.append(" (").append(EnumOption.name(options.rating())).append(", ");
    text.append(EnumOption.name(options.candidates())).append(')');
    text.append(", contraction ").append(EnumOption.name(options.contraction()));
    text.append(", refinement ").append(EnumOption.name(options.refinement()));
    if (options.transactional()) {
      text.append(" (").append(EnumOption.name(options.stm().policy())).append(", statistics ");
      text.append(options.stm().statistics() ? "on)" : "off)");
    }
    return text.append(", seed ").append(options.seed()).toString();
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
    partition.put("parts", parts);
    partition.put("allowedImbalance", imbalance);
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
      value.put("variant", json(report.options()));
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

  private static Map<String, Object> json(PartitionOptions options) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("effort", EnumOption.name(options.effort()));
    value.put("seed", options.seed());
    value.put("coarsening", EnumOption.name(options.coarsening()));
    value.put("matching", EnumOption.name(options.matching()));
    value.put("rating", EnumOption.name(options.rating()));
    value.put("candidates", EnumOption.name(options.candidates()));
    value.put("contraction", EnumOption.name(options.contraction()));
    value.put("refinement", EnumOption.name(options.refinement()));
    if (options.transactional()) {
      value.put("policy", EnumOption.name(options.stm().policy()));
      value.put("statistics", options.stm().statistics());
      value.put("threadsInFlight", options.stm().threadsInFlight());
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
