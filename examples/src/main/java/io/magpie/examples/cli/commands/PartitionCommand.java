package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.algorithms.partition.FixedVertices;
import io.magpie.algorithms.partition.GraphPartitioner;
import io.magpie.algorithms.partition.ImpossibleBalanceException;
import io.magpie.algorithms.partition.PartSharesFormat;
import io.magpie.algorithms.partition.PartitionFormat;
import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.algorithms.partition.PartitionPicture;
import io.magpie.algorithms.partition.PartitionQuality;
import io.magpie.algorithms.partition.PartitionResult;
import io.magpie.algorithms.partition.PartitionVerifier;
import io.magpie.examples.cli.commands.PartitionOutcome.Computed;
import io.magpie.examples.cli.options.DeviceOption;
import io.magpie.examples.cli.options.GraphOptions;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.PathOption;
import io.magpie.examples.cli.options.PictureOptions;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.GraphAdjustments;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.InputKind;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Partitions a graph. */
@Command(
    name = "partition",
    description = {
      "Partition a graph into parts of even or given weight with few edges between them.",
      "A generated graph has edges of weight 1 unless SPEC has weights=...; a graph that is read has"
          + " the weights of its file."
    })
final class PartitionCommand extends AlgorithmCommand<PartitionOutcome> {
  private final InputOptions<GraphInput> input;

  @Mixin private final CommandSpec inputOptions;

  @Mixin private GraphOptions.Reading form;

  private final SettingOptions<PartitionOptions> settings =
      new SettingOptions<>(PartitionOptions.defaults());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Option(
      names = "--part-weights-file",
      paramLabel = "FILE",
      description =
          "Read the shares of --part-weights in METIS's form: lines 'part = share' or 'first-last ="
              + " share', parts counted from 0.")
  private Path sharesFile;

  @Option(
      names = "--fixed",
      paramLabel = "FILE",
      description =
          "Leave vertices in given parts, as hMETIS and KaHyPar do: a line for each vertex with its"
              + " part, counted from 0, or -1 if it is free.")
  private Path fixedFile;

  @Option(
      names = "--unit-weights",
      description = "Give every edge and vertex of a file the weight 1.")
  private boolean unitWeights;

  @Mixin private DeviceOption device;

  @Option(
      names = "--evaluate",
      paramLabel = "FILE",
      description =
          "Evaluate the partition in FILE, or - for standard input, instead of computing one.")
  private Path evaluated;

  @Option(
      names = "--verify",
      description =
          "Recompute cut and weights on the host; exit status 1 if they differ from the device's. If"
              + " no balanced partition is found, the status is 9 and the parts are still written.")
  private boolean verify;

  @Option(
      names = "--details",
      description =
          "After the result, also show the memory held and what each level and each phase did.")
  private boolean details;

  @Mixin private JsonOption json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write the parts in METIS's format: a line for each vertex, parts counted from 0.")
  private Path out;

  @Mixin private PictureOptions picture;

  private GraphInput source;
  private PartitionOptions options;
  private OutputFile partsFile;
  private OutputFile pictureFile;

  /**
   * @param kinds of input that there are
   */
  PartitionCommand(List<InputKind> kinds) {
    input = new InputOptions<>(GraphInput.class, "a graph", kinds);
    inputOptions = input.spec();
  }

  @Override
  void checkOptions() {
    ReadOptions reading = GraphAdjustments.READING.withUnitWeights(unitWeights);
    source = form.adjusted(spec, input.input(spec), null, null, reading).unweightedByDefault();
    if (evaluated != null) {
      requireEffect();
    }
    options = settings.options(spec);
    if (sharesFile != null && !options.partWeights().even()) {
      throw usage("--part-weights and --part-weights-file both give shares; leave one out");
    }
  }

  /** Refuses what has no effect where nothing is partitioned. */
  private void requireEffect() {
    List<String> useless =
        new ArrayList<>(
            settings.names(
                each ->
                    each != PartitionOptions.PARTS
                        && each != PartitionOptions.PART_WEIGHTS
                        && each != PartitionOptions.IMBALANCE));
    useless.addAll(List.of("--device", "--verify", "--details", "--out"));
    for (String option : useless) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw usage(option + " has no effect with --evaluate; leave it out");
      }
    }
  }

  @Override
  JsonOption json() {
    return json;
  }

  @Override
  List<Path> filesRead() {
    List<Path> files = new ArrayList<>(picture.filesRead(source));
    if (evaluated != null) {
      files.add(PathOption.input(evaluated));
    }
    if (sharesFile != null) {
      files.add(PathOption.input(sharesFile));
    }
    if (fixedFile != null) {
      files.add(PathOption.input(fixedFile));
    }
    return files;
  }

  @Override
  void checkFiles(Outputs outputs) {
    partsFile = outputs.at("--out", out);
    pictureFile = picture.file(spec, outputs, source);
  }

  @Override
  Device open() {
    return evaluated == null ? device.open(spec) : null;
  }

  @Override
  PartitionOutcome run(Device device, Progress progress) throws IOException {
    progress.begin(source.generated() ? "generating" : "reading", -1);
    if (sharesFile != null) {
      Path file = PathOption.input(sharesFile);
      options = options.withPartWeights(PartSharesFormat.read(file, options.parts()));
    }
    Graph graph = Reading.of(source, () -> source.countedGraph("partitioning needs"));
    int vertices = graph.vertices();
    FixedVertices fixed =
        fixedFile == null
            ? FixedVertices.NONE
            : PartitionFormat.readFixed(PathOption.input(fixedFile), vertices, options.parts());
    if (evaluated != null) {
      progress.begin("evaluating", -1);
      Path file = PathOption.input(evaluated);
      int[] parts = PartitionFormat.read(file, vertices, options.parts());
      return worth(graph, parts, fixed, PartitionVerifier.moved(parts, fixed), null);
    }
    progress.begin("partitioning", -1);
    PartitionResult result;
    try {
      result = GraphPartitioner.run(device, graph, fixed, options);
    } catch (ImpossibleBalanceException e) { // told in terms of the input
      throw new InputException(
          source.description() + ": " + e.messageFrom(source.firstVertex()), e);
    }
    progress.begin("evaluating", -1);
    List<String> mistakes = verify ? PartitionVerifier.differences(result) : List.of();
    return worth(
        graph,
        result.parts(),
        fixed,
        mistakes,
        new Computed(result.report().orElseThrow(), verify, details));
  }

  private PartitionOutcome worth(
      Graph graph, int[] parts, FixedVertices fixed, List<String> mistakes, Computed computed) {
    PartitionQuality quality =
        PartitionVerifier.evaluate(
            graph, parts, options.parts(), options.imbalance(), options.partWeights());
    int pieces = Arrays.stream(PartitionVerifier.pieces(graph, parts, options.parts())).sum();
    return new PartitionOutcome(
        source, graph, options, parts, fixed, quality, pieces, mistakes, computed, evaluated);
  }

  @Override
  void write(PartitionOutcome partition, Progress progress) throws IOException {
    if (partsFile != null) {
      progress.begin("writing", -1);
      partsFile.writeBy(file -> PartitionFormat.write(partition.parts(), file));
    }
    if (pictureFile != null) {
      progress.begin("drawing", -1);
      Coordinates coordinates = picture.coordinates(source, partition.graph().vertices());
      PartitionPicture drawn =
          PartitionPicture.of(partition.graph(), coordinates, partition.parts())
              .withSize(picture.pixels());
      pictureFile.writeBy(drawn::write);
    }
  }

  @Override
  void require(PartitionOutcome partition) {
    if (partition.wrong()) {
      throw new VerificationException("the partition is wrong: " + partition.mistake());
    }
    if (partition.quality().feasible()) {
      return;
    }
    throw evaluated == null
        ? new StoppedEarlyException(
            "no balance was found: "
                + partition.overload()
                + "; all else holds; ask for "
                + (options.imbalance() < 1 ? "more imbalance or for other parts" : "other parts"))
        : new VerificationException("the partition is not balanced: " + partition.overload());
  }
}
