package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.EdgePicture;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.KruskalReference;
import io.magpie.algorithms.msf.MinimumSpanningForest;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.MsfResult;
import io.magpie.algorithms.msf.MsfVerifier;
import io.magpie.algorithms.msf.NumberedForest;
import io.magpie.algorithms.msf.StreamVerifier;
import io.magpie.algorithms.msf.StreamedForest;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.examples.cli.options.DevicesOption;
import io.magpie.examples.cli.options.Engine;
import io.magpie.examples.cli.options.EngineDevices;
import io.magpie.examples.cli.options.GraphOptions;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.PictureOptions;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.options.StreamOptions;
import io.magpie.examples.cli.options.WeightTypeOption;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.EdgeStream;
import io.magpie.examples.input.GeneratedStream;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.InputKind;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Computes a minimum or maximum spanning forest. */
@Command(
    name = "msf",
    description = "Compute a minimum or maximum spanning forest by transactions.")
final class MsfCommand extends AlgorithmCommand<SpanningOutcome> {
  private final InputOptions<GraphInput> input;

  @Mixin private final CommandSpec inputOptions;

  @Mixin private GraphOptions adjustments;

  @Mixin private WeightTypeOption weightType;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description =
          "memory (the default): the graph is held in memory and on the device; or stream: the"
              + " edges of a file, or of --generate random or rmat, up to 2^48 of them, come in"
              + " chunks, and only the forest is kept; or gpus: the same by several devices at"
              + " once; or spark: in a job of Apache Spark, by the jar magpie-spark, which has its"
              + " own --help.")
  private Engine engine = Engine.MEMORY;

  @Mixin private StreamOptions parts;

  @Mixin private EngineDevices devices;

  private final SettingOptions<MsfOptions> settings = new SettingOptions<>(MsfOptions.defaults());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Option(
      names = "--verify",
      description =
          "Compare with sequential Kruskal, or with --engine stream, check the forest in a second"
              + " pass over the edges; exit status 1 if the result is wrong.")
  private boolean verify;

  @Option(names = "--details", description = "After the result, also show what each phase did.")
  private boolean details;

  @Mixin private JsonOption json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write the forest: as a graph if FILE has the suffix of one, such as .gr or .wel.xz, else"
              + " as lines of 'u v weight' with vertices from 0.")
  private Path out;

  @Mixin private PictureOptions picture;

  private GraphInput source;
  private EdgeStream stream;
  private MsfOptions options;
  private OutputFile forestFile;
  private OutputFile pictureFile;

  /**
   * @param kinds of input that there are
   */
  MsfCommand(List<InputKind> kinds) {
    input = new InputOptions<>(GraphInput.class, "a graph", kinds);
    inputOptions = input.spec();
  }

  @Override
  void checkOptions() {
    if (engine == Engine.SPARK) {
      throw usage(AddedEngines.missing(engine.option()));
    }
    options = settings.options(spec);
    devices.check(spec, engine);
    parts.check(spec, engine);
    if (engine.streams()) {
      checkStream();
      return;
    }
    source =
        weightType.typed(spec, adjustments.adjusted(spec, input.input(spec), false), adjustments);
  }

  private void checkStream() {
    try {
      EdgeStream given = adjustments.adjusted(spec, StreamInput.of(input, engine.option()));
      stream = weightType.typed(spec, given, adjustments);
      if (stream instanceof GeneratedStream generated && !generated.edges().isWeighted()) {
        throw usage(
            stream.description()
                + ": edges have no weights; make all equal with weights=1..1 in their place");
      }
      StreamInput.check(stream, true, options, parts, engine);
    } catch (IllegalArgumentException e) {
      throw usage(engine.option() + ": " + SettingOptions.message(e));
    }
  }

  @Override
  JsonOption json() {
    return json;
  }

  @Override
  List<Path> filesRead() {
    return stream == null ? picture.filesRead(source) : stream.filesRead();
  }

  @Override
  void checkFiles(Outputs outputs) {
    forestFile = outputs.at("--out", out);
    if (out != null && !OutputFile.namesGraph(out) && out.toString().matches(".*\\.(gz|xz)")) {
      GenerateCommand.requireGraphSuffix(spec, "--out", out);
    }
    if (stream == null) {
      pictureFile = picture.file(spec, outputs, source);
    } else {
      picture.forbid(spec, engine.option() + " keeps no graph that could be drawn");
      if (out != null && OutputFile.namesGraph(out)) {
        throw usage(
            "--out "
                + out
                + ": "
                + engine.option()
                + " writes lines of 'u v weight'; give a name without the suffix"
                + " of a graph");
      }
    }
  }

  @Override
  Device open() {
    return devices.open(spec, engine);
  }

  @Override
  SpanningOutcome run(Device device, Progress progress) throws IOException {
    if (stream != null) {
      try (DevicesOption.Opened all = devices.opened(device)) {
        return runStream(all.all(), progress);
      }
    }
    progress.begin(source.generated() ? "generating" : "reading", -1);
    if (!needsGraphInJava()) {
      Optional<ResidentGraph> there = Reading.of(source, () -> source.residentGraph(device, false));
      if (there.isPresent()) {
        try (ResidentGraph graph = there.get()) {
          return run(graph, progress);
        }
      }
    }
    Graph graph = Reading.of(source, source::weightedGraph);
    progress.begin("computing", -1);
    MsfResult result = MinimumSpanningForest.run(device, graph, options);
    InputGraph input = InputGraph.of(graph);
    if (!verify) {
      return new ForestOutcome(source, input, result, null, List.of(), details);
    }
    progress.begin("verifying", -1);
    MsfResult reference = KruskalReference.run(graph, options.objective());
    List<String> mistakes = MsfVerifier.verify(result, reference);
    return new ForestOutcome(source, input, result, reference, mistakes, details);
  }

  /** Whether anything is asked for that is made of the graph's arrays: JSON has their hash. */
  private boolean needsGraphInJava() {
    return verify || json.isGiven() || forestFile != null || pictureFile != null;
  }

  private ForestOutcome run(ResidentGraph graph, Progress progress) {
    if (!graph.weighted()) {
      throw GraphInput.noWeights(source.description());
    }
    progress.begin("computing", -1);
    try (MinimumSpanningForest forest = new MinimumSpanningForest(graph, options.objective())) {
      MsfResult result = forest.run(options);
      return new ForestOutcome(source, InputGraph.of(graph), result, null, List.of(), details);
    }
  }

  private StreamOutcome runStream(List<Device> on, Progress progress) throws IOException {
    progress.begin(stream.generated() ? "computing" : "reading", -1);
    EdgeStream.Passes passes = Reading.of(stream, () -> stream.open(true));
    progress.begin("computing", -1);
    NumberedForest forest = StreamInput.read(stream, passes, edges -> forest(on, edges));
    List<DeviceDescription> devices = on.stream().map(Device::description).toList();
    if (!verify) {
      return new StreamOutcome(
          engine, stream, devices, parts.memory(), forest, false, List.of(), details);
    }
    progress.begin("verifying", -1);
    List<String> mistakes =
        StreamInput.read(stream, passes, edges -> StreamVerifier.verify(forest, edges));
    return new StreamOutcome(
        engine, stream, devices, parts.memory(), forest, true, mistakes, details);
  }

  private NumberedForest forest(List<Device> on, EdgeSource edges) {
    int chunkEdges;
    long memory;
    try {
      chunkEdges = parts.chunkEdges(edges);
      memory = parts.memory(edges, options, chunkEdges, on.size());
    } catch (IllegalArgumentException e) {
      throw usage(e);
    }
    // To take a launch's time is to wait for it, and streams have many short ones.
    MsfOptions timed = options.withPhaseTimes(details);
    return engine == Engine.GPUS
        ? StreamedForest.run(on, edges, timed, chunkEdges, memory)
        : StreamedForest.run(on.get(0), edges, timed, chunkEdges, memory);
  }

  @Override
  void write(SpanningOutcome forest, Progress progress) throws IOException {
    if (forestFile != null) {
      progress.begin("writing", -1);
      writeForest(forest);
    }
    if (pictureFile != null) {
      progress.begin("drawing", -1);
      MsfResult result = ((ForestOutcome) forest).result();
      Coordinates coordinates = picture.coordinates(source, result.graph().vertices());
      EdgePicture drawn =
          EdgePicture.of(result.graph(), coordinates, result.endpoints())
              .withSize(picture.pixels());
      pictureFile.writeBy(drawn::write);
    }
  }

  /** As the file's name tells. */
  private void writeForest(SpanningOutcome forest) {
    if (!OutputFile.namesGraph(forestFile.path())) {
      forestFile.write(forest::writeEdges);
      return;
    }
    try {
      forestFile.write(((ForestOutcome) forest).graph());
    } catch (IllegalArgumentException e) { // the format cannot hold it
      throw usage(e);
    }
  }

  @Override
  void require(SpanningOutcome forest) {
    if (forest.wrong()) {
      throw new VerificationException("the forest is wrong: " + forest.mistake());
    }
  }
}
