package io.magpie.examples.cli.commands;

import io.magpie.algorithms.components.ComponentsOptions;
import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.components.ComponentsResult;
import io.magpie.algorithms.components.ComponentsVerifier;
import io.magpie.algorithms.components.ConnectedComponents;
import io.magpie.algorithms.components.StreamedComponents;
import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.partition.PartitionPicture;
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
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.EdgeStream;
import io.magpie.examples.input.GeneratedStream;
import io.magpie.examples.input.GraphAdjustments;
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

/** Finds connected components. */
@Command(
    name = "components",
    description = "Find the connected components of a graph, and a spanning forest.")
final class ComponentsCommand extends AlgorithmCommand<LabelsOutcome> {
  private final InputOptions<GraphInput> input;

  @Mixin private final CommandSpec inputOptions;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of the generator; default 1.")
  private Long seed;

  @Option(
      names = "--relabel",
      description = "Number a file's vertices in the order in which they first appear.")
  private boolean relabel;

  @Mixin private GraphOptions.Reading form;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description =
          "memory (the default): the graph is held in memory and on the device; or stream: the"
              + " edges of a file, or of --generate random or rmat, come in chunks, and only a"
              + " forest is kept; or gpus: the same by several devices at once; or spark: in a job"
              + " of Apache Spark, by the jar magpie-spark, which has its own --help.")
  private Engine engine = Engine.MEMORY;

  @Mixin private StreamOptions parts;

  @Mixin private EngineDevices devices;

  private final SettingOptions<ComponentsOptions> settings =
      new SettingOptions<>(ComponentsOptions.defaults());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Option(
      names = "--verify",
      description =
          "Compare with breadth-first searches, and check a forest for cycles; or with --engine"
              + " stream or gpus, unite the edges of a second pass; exit status 1 if the result is"
              + " wrong.")
  private boolean verify;

  @Option(names = "--details", description = "After the result, also show what each phase did.")
  private boolean details;

  @Mixin private JsonOption json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write a line for each vertex: the smallest vertex of its component, counted from 0.")
  private Path out;

  @Option(
      names = "--forest-out",
      paramLabel = "FILE",
      description =
          "Write the spanning forest as a graph, in the format of FILE's suffix, such as .el or"
              + " .gr.xz; only with --output forest.")
  private Path forestOut;

  @Mixin private PictureOptions picture;

  private GraphInput source;
  private EdgeStream stream;
  private ComponentsOptions options;
  private OutputFile labelsFile;
  private OutputFile forestFile;
  private OutputFile pictureFile;

  /**
   * @param kinds of input that there are
   */
  ComponentsCommand(List<InputKind> kinds) {
    input = new InputOptions<>(GraphInput.class, "a graph", kinds);
    inputOptions = input.spec();
  }

  @Override
  void checkOptions() {
    ReadOptions reading = GraphAdjustments.READING.withRelabel(relabel);
    options = settings.options(spec);
    if (engine == Engine.SPARK) {
      throw usage(AddedEngines.missing(engine.option()));
    }
    devices.check(spec, engine);
    parts.check(spec, engine);
    if (engine.streams()) {
      checkStream(reading);
      return;
    }
    source =
        form.adjusted(spec, input.input(spec), seed, null, reading)
            .unweightedByDefault()
            .withWeights(FileWeights.ANY);
    if (forestOut != null && options.output() != Output.FOREST) {
      throw usage("--forest-out has no effect without --output forest; add that, or leave it out");
    }
  }

  private void checkStream(ReadOptions reading) {
    if (!options.equals(ComponentsOptions.defaults())) {
      throw usage(
          engine.option()
              + " finds components by a spanning forest, on which the options of a variant have no"
              + " effect; leave them out");
    }
    if (forestOut != null) {
      throw usage(
          "--forest-out has no effect with "
              + engine.option()
              + "; magpie msf "
              + engine.option()
              + " --out writes a forest");
    }
    try {
      stream =
          form.adjusted(
              spec,
              StreamInput.of(input, engine.option()),
              seed,
              null,
              input.given("graph").isPresent()
                  ? reading.withUnitWeights(true).withWeights(FileWeights.ANY)
                  : reading);
      if (stream instanceof GeneratedStream generated) {
        stream = generated.unweightedByDefault();
      }
      StreamInput.check(stream, false, MsfOptions.defaults(), parts, engine);
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
    labelsFile = outputs.at("--out", out);
    forestFile = outputs.at("--forest-out", forestOut);
    if (forestOut != null) {
      GenerateCommand.requireGraphSuffix(spec, "--forest-out", forestOut);
    }
    if (stream == null) {
      pictureFile = picture.file(spec, outputs, source);
    } else {
      picture.forbid(spec, engine.option() + " keeps no graph that could be drawn");
    }
  }

  @Override
  Device open() {
    return devices.open(spec, engine);
  }

  @Override
  LabelsOutcome run(Device device, Progress progress) throws IOException {
    if (stream != null) {
      try (DevicesOption.Opened all = devices.opened(device)) {
        return runStream(all.all(), progress);
      }
    }
    progress.begin(source.generated() ? "generating" : "reading", -1);
    if (!needsGraphInJava()) {
      Optional<ResidentGraph> there = Reading.of(source, () -> source.residentGraph(device, true));
      if (there.isPresent()) {
        try (ResidentGraph graph = there.get()) {
          return run(graph, progress);
        }
      }
    }
    Graph graph = Reading.of(source, source::graph);
    checkForestFile(graph);
    progress.begin("computing", -1);
    ComponentsResult result = ConnectedComponents.run(device, graph, options);
    InputGraph input = InputGraph.of(graph);
    if (!verify) {
      return new ComponentsOutcome(source, input, result, false, List.of(), details);
    }
    progress.begin("verifying", -1);
    List<String> mistakes = ComponentsVerifier.verify(result);
    return new ComponentsOutcome(source, input, result, true, mistakes, details);
  }

  /**
   * Whether anything is asked for that is made of the graph's arrays: a forest is of them, and JSON
   * has their hash.
   */
  private boolean needsGraphInJava() {
    return verify || json.isGiven() || options.output() == Output.FOREST || pictureFile != null;
  }

  private LabelsOutcome run(ResidentGraph graph, Progress progress) {
    progress.begin("computing", -1);
    try (ConnectedComponents components = new ConnectedComponents(graph)) {
      ComponentsResult result = components.run(options);
      return new ComponentsOutcome(source, InputGraph.of(graph), result, false, List.of(), details);
    }
  }

  private LabelsOutcome runStream(List<Device> on, Progress progress) throws IOException {
    progress.begin(stream.generated() ? "computing" : "reading", -1);
    EdgeStream.Passes passes = Reading.of(stream, () -> stream.open(false));
    progress.begin("computing", -1);
    StreamedComponents found = StreamInput.read(stream, passes, edges -> components(on, edges));
    List<DeviceDescription> described = on.stream().map(Device::description).toList();
    if (!verify) {
      return new StreamedComponentsOutcome(
          engine, stream, described, parts.memory(), found, false, List.of(), details);
    }
    progress.begin("verifying", -1);
    List<String> mistakes = StreamInput.read(stream, passes, found::verify);
    return new StreamedComponentsOutcome(
        engine, stream, described, parts.memory(), found, true, mistakes, details);
  }

  private StreamedComponents components(List<Device> on, EdgeSource edges) {
    int chunkEdges;
    long memory;
    try {
      chunkEdges = parts.chunkEdges(edges);
      memory = parts.memory(edges, MsfOptions.defaults(), chunkEdges, on.size());
    } catch (IllegalArgumentException e) {
      throw usage(e);
    }
    // To take a launch's time is to wait for it, and streams have many short ones.
    MsfOptions timed = MsfOptions.defaults().withPhaseTimes(details);
    return engine == Engine.GPUS
        ? StreamedComponents.run(on, edges, timed, chunkEdges, memory)
        : StreamedComponents.run(on.get(0), edges, timed, chunkEdges, memory);
  }

  /** Refuses a format that cannot hold the forest, which has weights if the graph has any. */
  private void checkForestFile(Graph graph) throws IOException {
    if (forestFile == null) {
      return;
    }
    try {
      GraphFormats.requireWritable(
          new GraphBuilder(0, graph.weighted() ? graph.weightType() : null).build(), forestOut);
    } catch (IllegalArgumentException e) {
      throw usage(e);
    }
  }

  @Override
  void write(LabelsOutcome components, Progress progress) throws IOException {
    if (labelsFile != null || forestFile != null) {
      progress.begin("writing", -1);
    }
    if (labelsFile != null) {
      labelsFile.write(components::writeLabels);
    }
    if (forestFile != null) {
      forestFile.write(((ComponentsOutcome) components).forest());
    }
    if (pictureFile != null) {
      progress.begin("drawing", -1);
      ComponentsOutcome ofGraph = (ComponentsOutcome) components;
      Graph graph = ofGraph.result().graph();
      PartitionPicture drawn =
          PartitionPicture.of(
                  graph, picture.coordinates(source, graph.vertices()), ofGraph.numbers())
              .withSize(picture.pixels());
      pictureFile.writeBy(drawn::write);
    }
  }

  @Override
  void require(LabelsOutcome components) {
    if (components.wrong()) {
      throw new VerificationException("the components are wrong: " + components.mistake());
    }
  }
}
