package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.GraphTooLargeException;
import io.magpie.algorithms.graph.NumberFile;
import io.magpie.examples.input.GeneratedGraph;
import io.magpie.examples.input.GraphFile;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.InputKind;
import io.magpie.examples.input.Inputs;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.NumberList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads what arguments of a region begin as: the words of {@link ArgumentSpec}, files of numbers,
 * and graphs in compressed sparse row form.
 *
 * <ul>
 *   <li>{@code file:PATH}: the numbers of a {@link NumberFile}
 *   <li>{@code csr.offsets:GRAPH}, {@code csr.neighbors:GRAPH}, {@code csr.sources:GRAPH}, {@code
 *       csr.weights:GRAPH}: an array of a graph
 *   <li>{@code csr:GRAPH}: all of them, for the fields of a struct that have these names
 *   <li>{@code vertices(GRAPH)} and {@code arcs(GRAPH)} in the other words: these numbers
 * </ul>
 *
 * <p>GRAPH is what {@code --input} takes, or without the kind a generator's specification or a
 * file. Each is read or generated once.
 */
final class ArgumentReader {
  private static final String FILE = "file:";
  private static final Pattern ROWS = Pattern.compile("csr(?:\\.([^:]*))?:(.*)", Pattern.DOTALL);
  private static final Pattern COUNT = Pattern.compile("\\b(vertices|arcs)\\(([^()]*)\\)");
  private static final String OFFSETS = "offsets";
  private static final String NEIGHBORS = "neighbors";
  private static final String SOURCES = "sources";
  private static final String WEIGHTS = "weights";

  /** The forms that are read here. */
  private static final List<String> FORMS =
      List.of(
          "file:PATH",
          "csr.offsets:GRAPH",
          "csr.neighbors:GRAPH",
          "csr.sources:GRAPH",
          "csr.weights:GRAPH",
          "csr:GRAPH for a struct");

  private final Map<String, Source> sources = new HashMap<>();

  /** A graph and what it is called. */
  private record Source(Graph graph, String description) {}

  /**
   * Reads a text, and the file or graph that it names.
   *
   * @throws IllegalArgumentException if it is none of the forms
   * @throws InputException if what it names does not suit
   * @throws GraphTooLargeException if the graph has more arcs than a graph can hold
   * @throws IOException if a file cannot be read or is malformed
   */
  ArgumentSpec read(String text) throws IOException {
    if (text.startsWith(FILE)) {
      return ArgumentSpec.list(text, numbers(text.substring(FILE.length())));
    }
    Matcher rows = ROWS.matcher(text);
    if (rows.matches()) {
      return rows.group(1) == null
          ? parts(text, rows.group(2))
          : part(text, rows.group(1), rows.group(2));
    }
    return ArgumentSpec.parse(withCounts(text), FORMS);
  }

  /**
   * The number that a text is in place of, such as {@code arcs(road:9)}; empty if it is none.
   *
   * @throws IllegalArgumentException as {@link #read}; so are the others
   */
  static OptionalLong count(String text) throws IOException {
    return COUNT.matcher(text).matches()
        ? OptionalLong.of(Long.parseLong(new ArgumentReader().withCounts(text)))
        : OptionalLong.empty();
  }

  /**
   * The files that a text names, of which nothing is read; none if it is malformed, of which {@link
   * #read} tells.
   */
  static List<Path> filesRead(String text) {
    try {
      if (text.startsWith(FILE)) {
        return List.of(Inputs.file(text.substring(FILE.length())));
      }
      Matcher rows = ROWS.matcher(text);
      if (rows.matches()) {
        return input(text, rows.group(2)).filesRead();
      }
      return COUNT
          .matcher(text)
          .results()
          .flatMap(count -> input(text, count.group(2)).filesRead().stream())
          .toList();
    } catch (IllegalArgumentException | InputException e) {
      return List.of();
    }
  }

  private static NumberList numbers(String name) throws IOException {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("'file:' lacks its path, as in file:weights.txt");
    }
    Path file = Inputs.file(name);
    if (Files.isDirectory(file)) {
      throw new InputException(file + ": is a folder; name a file");
    }
    List<NumberFile.Entry> entries = NumberFile.read(file);
    return NumberList.of(
        entries.stream().map(NumberFile.Entry::number).toList(),
        index -> file + ":" + entries.get(index).line());
  }

  /** The text with numbers in place of counts of graphs. */
  private String withCounts(String text) throws IOException {
    Matcher count = COUNT.matcher(text);
    StringBuilder result = new StringBuilder();
    while (count.find()) {
      Graph graph = source(text, count.group(2)).graph();
      long number = count.group(1).equals("vertices") ? graph.vertices() : graph.arcs();
      count.appendReplacement(result, Long.toString(number));
    }
    return count.appendTail(result).toString();
  }

  private ArgumentSpec part(String text, String name, String spec) throws IOException {
    if (!List.of(OFFSETS, NEIGHBORS, SOURCES, WEIGHTS).contains(name)) {
      throw new IllegalArgumentException(
          "'" + name + "' in '" + text + "' is not offsets, neighbors, sources or weights");
    }
    Source source = source(text, spec);
    int[] numbers = arrays(source.graph()).get(name);
    if (numbers == null) {
      throw new InputException(
          source.description()
              + ": the graph has no weights; give all arcs the same weight, such as fill:1:arcs("
              + spec
              + ")");
    }
    return ArgumentSpec.list(text, NumberList.of(numbers));
  }

  private ArgumentSpec parts(String text, String spec) throws IOException {
    Map<String, ArgumentSpec> parts = new LinkedHashMap<>();
    arrays(source(text, spec).graph())
        .forEach(
            (name, numbers) -> parts.put(name, ArgumentSpec.list(text, NumberList.of(numbers))));
    return ArgumentSpec.members(text, parts);
  }

  /** The arrays that a graph has, by name: weights only if it is weighted. */
  private static Map<String, int[]> arrays(Graph graph) {
    Map<String, int[]> arrays = new LinkedHashMap<>();
    arrays.put(OFFSETS, graph.offsets());
    arrays.put(NEIGHBORS, graph.neighbors());
    arrays.put(SOURCES, sources(graph.offsets()));
    if (graph.weighted()) {
      arrays.put(WEIGHTS, graph.weights());
    }
    return arrays;
  }

  /** Of each arc the vertex that it leads from. */
  private static int[] sources(int[] offsets) {
    int vertices = offsets.length - 1;
    int[] sources = new int[offsets[vertices]];
    for (int vertex = 0; vertex < vertices; vertex++) {
      Arrays.fill(sources, offsets[vertex], offsets[vertex + 1], vertex);
    }
    return sources;
  }

  private Source source(String text, String spec) throws IOException {
    Source source = sources.get(spec);
    if (source == null) {
      GraphInput input = input(text, spec);
      source = new Source(input.countedGraph("arguments of regions have"), input.description());
      sources.put(spec, source);
    }
    return source;
  }

  private static GraphInput input(String text, String spec) {
    if (spec.isBlank()) {
      throw new IllegalArgumentException(
          "'" + text + "' lacks its graph, which is a generator or a file, as in csr:road:100");
    }
    if (spec.equals("-")) {
      throw new IllegalArgumentException(
          "'" + text + "': standard input has no name that tells its format; name a file");
    }
    int colon = spec.indexOf(':');
    if (colon >= 0 && isKind(spec.substring(0, colon))) {
      return Inputs.parse(GraphInput.class, "a graph", spec);
    }
    Path file = Inputs.file(spec);
    // A file of the whole name comes first, as with --region.
    if (colon < 0 && !Files.exists(file)) {
      throw new InputException(file + ": no such file; nor is it a generator such as road:100");
    }
    if (colon < 0 || Files.exists(file)) {
      return GraphFile.of(file);
    }
    String generator = spec.substring(0, colon).toLowerCase(Locale.ROOT);
    if (GraphGenerators.usage().stream().noneMatch(line -> line.startsWith(generator + ":"))) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "': '"
              + generator
              + "' is neither a generator ("
              + GraphGenerators.usage().stream()
                  .map(line -> line.substring(0, line.indexOf(':')))
                  .collect(Collectors.joining(", "))
              + ") nor a kind of input ("
              + Inputs.listed(GraphInput.class)
              + ")");
    }
    return GeneratedGraph.of(spec);
  }

  /** Whether this is a kind of graphs, as {@code --input} names them. */
  private static boolean isKind(String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    return Inputs.kinds(GraphInput.class).stream().map(InputKind::name).anyMatch(lowerCase::equals);
  }
}
