package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.paths.DeltaRangeException;
import io.magpie.algorithms.paths.DistanceRangeException;
import io.magpie.algorithms.paths.LocalRoundsException;
import io.magpie.algorithms.paths.NodeRangeException;
import io.magpie.algorithms.paths.PathsOptions;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsOptions.Predecessors;
import io.magpie.algorithms.paths.PathsPicture;
import io.magpie.algorithms.paths.PathsReference;
import io.magpie.algorithms.paths.PathsResult;
import io.magpie.algorithms.paths.PathsVerifier;
import io.magpie.algorithms.paths.ShortestPaths;
import io.magpie.examples.cli.options.DeviceOption;
import io.magpie.examples.cli.options.GraphOptions;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.LengthTypeOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.PictureOptions;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.DirectedGraphInput;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.InputKind;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Computes shortest paths from one vertex. */
@Command(
    name = "paths",
    description =
        "Compute shortest paths from one vertex to all others: breadth-first search, or by weights.")
final class PathsCommand extends AlgorithmCommand<PathsOutcome> {
  private final InputOptions<DirectedGraphInput> input;

  @Mixin private final CommandSpec inputOptions;

  @Mixin private GraphOptions adjustments;

  @Mixin private LengthTypeOption weightType;

  @Mixin private DeviceOption device;

  @Option(
      names = "--source",
      paramLabel = "VERTEX",
      description =
          "Vertex where paths begin, always counted from 0, so one less than in a .gr or .mtx file;"
              + " default 0.")
  private Integer vertex;

  private final SettingOptions<PathsOptions> settings =
      new SettingOptions<>(PathsOptions.defaults());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Option(
      names = "--verify",
      description =
          "Check the definition, and compare with a sequential search; exit status 1 if the result"
              + " is wrong.")
  private boolean verify;

  @Option(names = "--details", description = "After the result, also show what each phase did.")
  private boolean details;

  @Mixin private JsonOption json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write a line 'VERTEX DISTANCE PREDECESSOR' for each reached vertex, counted from 0;"
              + " PREDECESSOR is omitted if there are none.")
  private Path out;

  @Mixin private PictureOptions picture;

  private DirectedGraphInput source;
  private PathsOptions options;
  private OutputFile pathsFile;
  private OutputFile pictureFile;

  /**
   * @param kinds of input that there are
   */
  PathsCommand(List<InputKind> kinds) {
    input = new InputOptions<>(DirectedGraphInput.class, "a graph", kinds);
    inputOptions = input.spec();
  }

  @Override
  void checkOptions() {
    options = settings.options(spec);
    source =
        weightType.typed(spec, adjustments.adjusted(spec, input.input(spec), false), adjustments);
    if (options.lengths() == Lengths.UNIT) {
      requireNoWeights();
      source = source.withUnitWeights();
    }
    if (vertex != null && vertex < 0) {
      throw usage("--source must be a vertex, 0 or more, but is " + vertex);
    }
  }

  private void requireNoWeights() {
    String option =
        adjustments.drawsWeights()
            ? "--weights"
            : adjustments.scalesWeights()
                ? "--weight-scale"
                : weightType.isGiven() ? "--weight-type" : null;
    if (option != null) {
      throw usage(option + " has no effect without --lengths weights; add that, or leave this out");
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
    pathsFile = outputs.at("--out", out);
    if (picture.isWanted() && options.predecessors() == Predecessors.NONE) {
      throw usage("--png draws predecessors; use it without --predecessors none");
    }
    pictureFile = picture.file(spec, outputs, source);
  }

  @Override
  Device open() {
    return device.open(spec);
  }

  @Override
  PathsOutcome run(Device device, Progress progress) throws IOException {
    progress.begin(source.generated() ? "generating" : "reading", -1);
    DirectedGraph graph =
        options.lengths() == Lengths.WEIGHTS
            ? Reading.of(source, source::weightedDirectedGraph)
            : Reading.of(source, source::directedGraph);
    int first = first(graph);
    progress.begin("computing", -1);
    PathsResult result;
    try {
      result = ShortestPaths.run(device, graph, first, options);
    } catch (DeltaRangeException
        | DistanceRangeException
        | NodeRangeException e) { // told in terms of the input
      throw new InputException(source.description() + ": " + e.getMessage(), e);
    } catch (LocalRoundsException e) {
      throw new InputException(e.getMessage(), e);
    }
    if (!verify) {
      return new PathsOutcome(source, result, false, List.of(), details);
    }
    progress.begin("verifying", -1);
    PathsResult reference = PathsReference.run(graph, first, options.lengths());
    return new PathsOutcome(source, result, true, PathsVerifier.verify(result, reference), details);
  }

  /** The vertex where paths begin. */
  private int first(DirectedGraph graph) {
    int first = vertex == null ? 0 : vertex;
    if (first >= graph.vertices()) {
      throw new InputException(
          source.description()
              + (graph.vertices() == 0
                  ? ": the graph has no vertices where paths could begin"
                  : ": --source "
                      + first
                      + " is not a vertex of the graph; expected 0 to "
                      + (graph.vertices() - 1)));
    }
    return first;
  }

  @Override
  void write(PathsOutcome paths, Progress progress) throws IOException {
    if (pathsFile != null) {
      progress.begin("writing", -1);
      pathsFile.write(paths::writeVertices);
    }
    if (pictureFile != null) {
      progress.begin("drawing", -1);
      Coordinates coordinates = picture.coordinates(source, paths.result().graph().vertices());
      PathsPicture drawn = PathsPicture.of(paths.result(), coordinates).withSize(picture.pixels());
      pictureFile.writeBy(drawn::write);
    }
  }

  @Override
  void require(PathsOutcome paths) {
    if (paths.wrong()) {
      throw new VerificationException("the paths are wrong: " + paths.mistake());
    }
  }
}
