package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.FileEdges;
import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphGenerator;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.GeneratedDirectedGraph;
import io.magpie.examples.input.GeneratedStream;
import io.magpie.examples.input.GraphAdjustments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a generated graph to a file. */
@Command(name = "generate", description = "Generate a graph and write it to a file.")
final class GenerateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "SPEC",
      description =
          "Kind and parameters, such as road:1000000, random:n=1M,m=5M,seed=7,weights=1..100 or, for"
              + " a directed graph, rmat:scale=20,directed.")
  private String generator;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description =
          "File to write; its suffix tells the format: .gr, .graph, .mtx, .el, .wel, .txt, .egr, .mpg"
              + " or .mpe, also with .gz or .xz. A directed graph fits all but .graph and .mpe. Of"
              + " random and rmat, .mpe takes up to 2^48 edges, one by one.")
  private Path out;

  @Option(names = "--seed", paramLabel = "N", description = "Seed; default 1.")
  private Long seed;

  @Option(
      names = "--weights",
      paramLabel = "WEIGHTS",
      description =
          "none; drawn from a range L..H, H for 1..H, or max for 1..2147483647; or distance (of road,"
              + " knn and rgg). Default: distance where there is one, else max.")
  private String weights;

  /** The kinds of graph, for the end of the help text. */
  static String[] kinds() {
    List<String> lines = new ArrayList<>(List.of("", "Kinds of graph:"));
    GraphGenerators.usage().forEach(line -> lines.add("  " + line));
    return lines.toArray(new String[0]);
  }

  @Override
  public Integer call() throws IOException {
    OutputFile file = new Outputs(spec, List.of()).at("--out", out);
    requireGraphSuffix(spec, "--out", out);
    GraphAdjustments adjustments = new GraphAdjustments(seed, weights, GraphAdjustments.READING);
    Optional<GeneratedStream> stream = streamed(adjustments);
    if (stream.isPresent()) {
      return write(stream.get().edges(), file);
    }
    GraphGenerator source;
    try {
      source = GeneratedDirectedGraph.of(generator).adjusted(adjustments).generator();
      requireWritable(source);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    String sizes;
    try (Progress progress = Terminal.progress()) {
      progress.begin("generating", -1);
      sizes =
          source.isDirected()
              ? directed(source, file, progress)
              : undirected(source, file, progress);
    }
    spec.commandLine().getOut().printf(Locale.ROOT, "%s: %s, %s%n", out, sizes, source.spec());
    return ExitCode.OK;
  }

  /** What is written edge by edge, without a graph in memory. */
  private Optional<GeneratedStream> streamed(GraphAdjustments adjustments) {
    try {
      return FileEdges.isWritable(out) && GeneratedEdges.hasKind(generator)
          ? Optional.of(GeneratedStream.of(generator).adjusted(adjustments))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int write(GeneratedEdges edges, OutputFile file) {
    try (Progress progress = Terminal.progress()) {
      progress.begin("writing", -1);
      file.writeBy(place -> FileEdges.write(edges, place));
    }
    spec.commandLine()
        .getOut()
        .printf(
            Locale.ROOT,
            "%s: %s, %s%n",
            out,
            sizes(edges.vertices(), Counts.number(edges.count(), "edge", "edges")),
            edges.spec());
    return ExitCode.OK;
  }

  /** Fails before any work if the format cannot hold the graph. */
  private void requireWritable(GraphGenerator source) throws IOException {
    GraphBuilder empty = new GraphBuilder(0, source.isWeighted() ? source.weightType() : null);
    if (source.isDirected()) {
      GraphFormats.requireWritable(empty.buildDirected(), out);
    } else {
      GraphFormats.requireWritable(empty.build(), out);
    }
  }

  private static String undirected(GraphGenerator source, OutputFile file, Progress progress) {
    Graph graph = source.generate();
    progress.begin("writing", -1);
    file.write(graph);
    return sizes(graph.vertices(), Counts.number(graph.edges(), "edge", "edges"));
  }

  private static String directed(GraphGenerator source, OutputFile file, Progress progress) {
    DirectedGraph graph = source.generateDirected();
    progress.begin("writing", -1);
    file.write(graph);
    return sizes(graph.vertices(), Counts.number(graph.arcs(), "arc", "arcs"));
  }

  private static String sizes(int vertices, String links) {
    return Counts.number(vertices, "vertex", "vertices") + ", " + links;
  }

  /** Fails early where a graph's file name does not tell its format. */
  static void requireGraphSuffix(CommandSpec spec, String option, Path file) {
    if (!OutputFile.namesGraph(file)) {
      throw new ParameterException(
          spec.commandLine(),
          option
              + " "
              + file
              + ": the suffix tells the format; expected one of "
              + String.join(", ", GraphFormats.suffixes())
              + ", alone or followed by .gz or .xz");
    }
  }
}
