package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.FileEdges;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.examples.cli.options.Engine;
import io.magpie.examples.cli.options.GraphOptions;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.options.WeightTypeOption;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.EdgeFormat;
import io.magpie.examples.input.EdgeStream;
import io.magpie.examples.input.FileStream;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.InputKind;
import io.magpie.examples.input.Inputs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes a graph in another format. */
@Command(name = "convert", description = "Read a graph and write it in another format.")
final class ConvertCommand implements Callable<Integer> {
  /** The format that a jar of Magpie's own adds. */
  private static final String PARQUET = ".parquet";

  @Spec private CommandSpec spec;

  private final InputOptions<GraphInput> input;

  @Mixin private final CommandSpec inputOptions;

  @Mixin private GraphOptions adjustments;

  @Mixin private WeightTypeOption weightType;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description =
          "memory (the default): the graph is held in memory; or stream: the edges of a file are"
              + " written one by one to an .mpe file or as .parquet, whatever their number.")
  private Engine engine = Engine.MEMORY;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description =
          "File to write; its suffix tells the format: .gr, .graph, .mtx, .el, .wel, .txt, .egr,"
              + " .mpg or .mpe, also with .gz or .xz; or .parquet, by the jar magpie-spark: a folder"
              + " of Parquet files, which must not be there.")
  private Path out;

  /**
   * @param kinds of input that there are
   */
  ConvertCommand(List<InputKind> kinds) {
    input = new InputOptions<>(GraphInput.class, "a graph", kinds);
    inputOptions = input.spec();
  }

  @Override
  public Integer call() throws IOException {
    if (engine == Engine.GPUS) {
      throw usage(engine.option() + " is for msf and components; take memory or stream");
    }
    if (engine == Engine.SPARK) {
      throw usage(engine.option() + " is for msf and components; take memory or stream");
    }
    if (!OutputFile.namesGraph(out)) { // jars add formats, and replace none
      Optional<EdgeFormat> added = AddedEngines.format(out);
      if (added.isPresent()) {
        return toAdded(added.get());
      }
      if (namesParquet(out)) {
        throw usage(AddedEngines.missing("--out " + out + ": what writes " + PARQUET));
      }
    }
    return engine == Engine.STREAM ? oneByOne() : inMemory();
  }

  private static boolean namesParquet(Path path) {
    return String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT).endsWith(PARQUET);
  }

  /** Writes edges one by one, of a graph in memory or of a file, in the format of a jar. */
  private int toAdded(EdgeFormat format) throws IOException {
    return engine == Engine.STREAM ? toAdded(format, stream()) : toAdded(format, graph());
  }

  private int toAdded(EdgeFormat format, GraphInput source) throws IOException {
    try (EdgeFormat.Target target = format.open(out, spec.commandLine().getErr());
        Progress progress = Terminal.progress()) {
      progress.begin(source.generated() ? "generating" : "reading", -1);
      Graph graph = Reading.of(source, source::graph);
      progress.begin("writing", -1);
      EdgeSource edges = EdgeSource.of(graph);
      tell(graph.vertices(), target.write(edges, graph.weighted(), true, source.description()));
    }
    return ExitCode.OK;
  }

  private int toAdded(EdgeFormat format, FileStream source) throws IOException {
    try (EdgeFormat.Target target = format.open(out, spec.commandLine().getErr());
        Progress progress = Terminal.progress()) {
      progress.begin("reading", -1);
      FileEdges file = Reading.of(source, source::edges);
      progress.begin("writing", -1);
      long count =
          StreamInput.read(
              source,
              () -> EdgeSource.of(file),
              edges ->
                  target.write(
                      edges, file.isWeighted(), !file.consecutive(), source.description()));
      tell(file.vertices(), count);
    }
    return ExitCode.OK;
  }

  private GraphInput graph() {
    return weightType.typed(
        spec, adjustments.adjusted(spec, input.input(spec), false), adjustments);
  }

  private int inMemory() throws IOException {
    GraphInput source = graph();
    OutputFile file = file(source.filesRead());
    Graph graph;
    try (Progress progress = Terminal.progress()) {
      progress.begin(source.generated() ? "generating" : "reading", -1);
      graph = Reading.of(source, source::graph);
      progress.begin("writing", -1);
      file.write(graph);
    } catch (IllegalArgumentException e) { // the format cannot hold it
      throw usage(e.getMessage());
    }
    tell(graph.vertices(), graph.edges());
    return ExitCode.OK;
  }

  /** The edges of the file that was named; nothing has been read. */
  private FileStream stream() {
    Optional<String> given = input.given("graph");
    if (given.isEmpty()) {
      throw usage("--engine stream takes the edges of a file; name one by --graph");
    }
    try {
      EdgeStream edges = adjustments.adjusted(spec, FileStream.of(Inputs.file(given.get())));
      return (FileStream) weightType.typed(spec, edges, adjustments);
    } catch (IllegalArgumentException e) {
      throw usage(SettingOptions.message(e));
    }
  }

  private int oneByOne() throws IOException {
    FileStream source = stream();
    if (!FileEdges.isWritable(out)) {
      throw usage(
          "--engine stream writes .mpe files and .parquet; name one by --out, or leave it out");
    }
    OutputFile file = file(source.filesRead());
    int vertices;
    long count;
    try (Progress progress = Terminal.progress()) {
      progress.begin("reading", -1);
      FileEdges edges = Reading.of(source, source::edges);
      vertices = edges.vertices();
      progress.begin("writing", -1);
      count = Reading.of(source, () -> written(edges, file));
    }
    tell(vertices, count);
    return ExitCode.OK;
  }

  /** Writes edges while they are read; gives their number. */
  private static long written(FileEdges edges, OutputFile file) throws IOException {
    long[] count = {0};
    try {
      file.writeBy(place -> count[0] = edges.write(place));
    } catch (UncheckedIOException e) { // of the file that is read
      throw e.getCause();
    }
    return count[0];
  }

  private OutputFile file(List<Path> filesRead) {
    OutputFile file = new Outputs(spec, filesRead).at("--out", out);
    GenerateCommand.requireGraphSuffix(spec, "--out", out);
    return file;
  }

  private void tell(int vertices, long edges) {
    spec.commandLine()
        .getOut()
        .printf(
            "%s: %s, %s%n",
            out,
            Counts.number(vertices, "vertex", "vertices"),
            Counts.number(edges, "edge", "edges"));
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
