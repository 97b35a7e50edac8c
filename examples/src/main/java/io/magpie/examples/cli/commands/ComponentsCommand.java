package io.magpie.examples.cli.commands;

import io.magpie.algorithms.components.ComponentsOptions;
import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.components.ComponentsResult;
import io.magpie.algorithms.components.ComponentsVerifier;
import io.magpie.algorithms.components.ConnectedComponents;
import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.algorithms.partition.PartitionPicture;
import io.magpie.examples.cli.options.DeviceOption;
import io.magpie.examples.cli.options.GraphOptions;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.PictureOptions;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.GraphAdjustments;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.InputKind;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Finds connected components. */
@Command(
    name = "components",
    description = "Find the connected components of a graph, and a spanning forest.")
final class ComponentsCommand extends AlgorithmCommand<ComponentsOutcome> {
  private final InputOptions<GraphInput> input;

  @Mixin private final CommandSpec inputOptions;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of the generator; default 1.")
  private Long seed;

  @Option(
      names = "--relabel",
      description = "Number a file's vertices in the order in which they first appear.")
  private boolean relabel;

  @Mixin private GraphOptions.Reading form;

  @Mixin private DeviceOption device;

  private final SettingOptions<ComponentsOptions> settings =
      new SettingOptions<>(ComponentsOptions.defaults());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Option(
      names = "--verify",
      description =
          "Compare with breadth-first searches, and check a forest for cycles; exit status 1 if the"
              + " result is wrong.")
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
    source =
        form.adjusted(spec, input.input(spec), seed, null, reading)
            .unweightedByDefault()
            .withWeights(FileWeights.ANY);
    options = settings.options(spec);
    if (forestOut != null && options.output() != Output.FOREST) {
      throw usage("--forest-out has no effect without --output forest; add that, or leave it out");
    }
  }

  @Override
  JsonOption json() {
    return json;
  }

  @Override
  List<Path> filesRead() {
    return picture.filesRead(source);
  }

  @Override
  void checkFiles(Outputs outputs) {
    labelsFile = outputs.at("--out", out);
    forestFile = outputs.at("--forest-out", forestOut);
    if (forestOut != null) {
      GenerateCommand.requireGraphSuffix(spec, "--forest-out", forestOut);
    }
    pictureFile = picture.file(spec, outputs, source);
  }

  @Override
  Device open() {
    return device.open(spec);
  }

  @Override
  ComponentsOutcome run(Device device, Progress progress) throws IOException {
    progress.begin(source.generated() ? "generating" : "reading", -1);
    Graph graph = Reading.of(source, source::graph);
    checkForestFile(graph);
    progress.begin("computing", -1);
    ComponentsResult result = ConnectedComponents.run(device, graph, options);
    if (!verify) {
      return new ComponentsOutcome(source, result, false, List.of(), details);
    }
    progress.begin("verifying", -1);
    List<String> mistakes = ComponentsVerifier.verify(result);
    return new ComponentsOutcome(source, result, true, mistakes, details);
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
  void write(ComponentsOutcome components, Progress progress) throws IOException {
    if (labelsFile != null || forestFile != null) {
      progress.begin("writing", -1);
    }
    if (labelsFile != null) {
      labelsFile.write(components::writeLabels);
    }
    if (forestFile != null) {
      forestFile.write(components.forest());
    }
    if (pictureFile != null) {
      progress.begin("drawing", -1);
      Graph graph = components.result().graph();
      PartitionPicture drawn =
          PartitionPicture.of(
                  graph, picture.coordinates(source, graph.vertices()), components.numbers())
              .withSize(picture.pixels());
      pictureFile.writeBy(drawn::write);
    }
  }

  @Override
  void require(ComponentsOutcome components) {
    if (components.wrong()) {
      throw new VerificationException("the components are wrong: " + components.mistake());
    }
  }
}
