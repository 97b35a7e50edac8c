package io.magpie.examples.compare;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsResult;
import io.magpie.algorithms.sat.DimacsFormat;
import io.magpie.algorithms.sat.Formula;
import io.magpie.algorithms.sat.SurveyOptions;
import io.magpie.algorithms.sat.SurveyResult;
import io.magpie.examples.compare.Comparison.Outcome;
import io.magpie.examples.compare.Comparison.Program;
import io.magpie.examples.input.InputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The program that {@code examples/openmp} is the source of, as a baseline: published algorithms in
 * C++ with OpenMP, on as many threads as OpenMP takes by itself. It gets files, and its own time,
 * from arrays to result, is the time in kernels.
 */
final class OpenMpProgram {
  /** The program's name, and the baseline's. */
  static final String NAME = "magpie-openmp";

  private static final String RESULT = "result";

  /** What it says it took. */
  static final Pattern MILLIS = Pattern.compile("(?m)^milliseconds: ([0-9.]+)$");

  private static final Pattern ROUNDS = Pattern.compile("(?m)^rounds: ([0-9]+)$");
  private static final Pattern SWEEPS = Pattern.compile("(?m)^sweeps: ([0-9]+)$");
  private static final Pattern DECIMATIONS = Pattern.compile("(?m)^decimations: ([0-9]+)$");
  private static final Pattern OUTCOME = Pattern.compile("(?m)^outcome: ([a-z]+)$");

  private OpenMpProgram() {}

  /**
   * It as a baseline of a comparison.
   *
   * @param method which of its programs that is, in a few words
   */
  static Baseline baseline(String method) {
    return Baseline.onPath(
        NAME,
        method
            + ", in C++ with OpenMP; its own time is the time in kernels, files are part of the total",
        "what examples/openmp/README.md builds");
  }

  /** The program that is on PATH. */
  static ExternalProgram onPath() {
    return new ExternalProgram(NAME);
  }

  /** What writes the input. */
  @FunctionalInterface
  private interface Content {
    void writeTo(Path file) throws IOException;
  }

  /** Writes the input into the program's folder, which is removed if that fails. */
  private static void prepare(ExternalProgram program, String file, Content content) {
    try {
      content.writeTo(program.folder().resolve(file));
    } catch (IOException e) {
      program.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      program.close();
      throw e;
    }
  }

  /**
   * Distances from a vertex, by rounds over lists of vertices with a lock for each vertex.
   *
   * @param program is closed with the result
   * @param mistake what is wrong with distances {@linkplain PathsResult#orderedDistances() as
   *     numbers that stand for them}
   */
  static Program paths(
      ExternalProgram program,
      DirectedGraph graph,
      int source,
      Lengths lengths,
      Function<long[], Optional<String>> mistake) {
    prepare(program, "graph.mpg", file -> GraphFormats.write(graph, file));
    boolean weighted = lengths == Lengths.WEIGHTS;
    boolean real = weighted && graph.weighted() && graph.weightType() == WeightType.FLOAT;
    return numbers(
        program,
        List.of(weighted ? "sssp" : "bfs", "graph.mpg", "--source", Integer.toString(source)),
        line -> distance(line, real),
        mistake);
  }

  private static long distance(String line, boolean real) {
    if (line.equals("-1")) {
      return PathsResult.UNREACHED;
    }
    return real ? Double.doubleToRawLongBits(Double.parseDouble(line)) : Long.parseLong(line);
  }

  /**
   * A spanning forest by Boruvka's method, with a lock for each component.
   *
   * @param program is closed with the result
   * @param mistake what is wrong with the chosen edges' canonical arcs
   */
  static Program forest(
      ExternalProgram program,
      Graph graph,
      Objective objective,
      Function<int[], Optional<String>> mistake) {
    prepare(program, "graph.mpg", file -> GraphFormats.write(graph, file));
    String word = objective == Objective.MINIMUM ? "minimum" : "maximum";
    return numbers(
        program,
        List.of("mst", "graph.mpg", "--objective", word),
        Long::parseLong,
        arcs -> mistake.apply(ints(arcs)));
  }

  /**
   * Connected components by hooking.
   *
   * @param program is closed with the result
   * @param mistake what is wrong with labels, of which each is the least vertex of its component
   */
  static Program components(
      ExternalProgram program, Graph graph, Function<int[], Optional<String>> mistake) {
    prepare(program, "graph.mpg", file -> GraphFormats.write(graph, file));
    return numbers(
        program,
        List.of("cc", "graph.mpg"),
        Long::parseLong,
        roots -> {
          int[] labels = leastOfEach(ints(roots), graph.vertices());
          return labels == null
              ? Optional.of("the program named a vertex that there is not")
              : mistake.apply(labels);
        });
  }

  /** The same components, each named by its least vertex; null if a name is no vertex. */
  private static int[] leastOfEach(int[] names, int vertices) {
    int[] least = new int[vertices];
    Arrays.fill(least, -1);
    int[] labels = new int[names.length];
    for (int v = 0; v < names.length; v++) {
      if (names[v] < 0 || names[v] >= vertices) {
        return null;
      }
      if (least[names[v]] < 0) {
        least[names[v]] = v;
      }
      labels[v] = least[names[v]];
    }
    return labels;
  }

  private static int[] ints(long[] numbers) {
    return Arrays.stream(numbers).mapToInt(Math::toIntExact).toArray();
  }

  /** A program whose result is a number a line. */
  private static Program numbers(
      ExternalProgram program,
      List<String> words,
      ToLongFunction<String> reader,
      Function<long[], Optional<String>> mistake) {
    List<String> arguments = new ArrayList<>(words);
    arguments.addAll(List.of("--out", RESULT));
    return new Program() {
      @Override
      public Outcome run() {
        ExternalProgram.Output output = program.run(arguments);
        long[] numbers;
        try (Stream<String> lines = Files.lines(program.folder().resolve(RESULT))) {
          numbers = lines.mapToLong(reader).toArray();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        Map<String, Double> millis = new LinkedHashMap<>();
        millis.put(Outcome.TOTAL, output.millis());
        millis.put(Outcome.KERNELS, number(output, MILLIS));
        return new Outcome(
            millis, Map.of("rounds", (long) number(output, ROUNDS)), () -> mistake.apply(numbers));
      }

      @Override
      public void close() {
        program.close();
      }
    };
  }

  private static double number(ExternalProgram.Output output, Pattern pattern) {
    return output
        .number(pattern)
        .orElseThrow(
            () -> new InputException(NAME + " did not print what it should: " + output.end()));
  }

  /** Runs of survey propagation on a formula, each from another start. */
  static final class Surveys implements AutoCloseable {
    private static final String FILE = "formula.cnf";

    private final ExternalProgram program;
    private final Formula formula;

    /** Writes the formula. */
    Surveys(ExternalProgram program, Formula formula) {
      this.program = program;
      this.formula = formula;
      prepare(program, FILE, file -> DimacsFormat.write(formula, file));
    }

    /**
     * What a run found.
     *
     * @param outcome how it ended
     * @param values for each variable 1 or -1; empty unless solved
     * @param millis from its start to its end
     * @param ownMillis from the formula in its memory to the result
     */
    record Found(
        SurveyResult.Outcome outcome,
        Optional<byte[]> values,
        double millis,
        double ownMillis,
        long sweeps,
        long decimations) {}

    Found run(SurveyOptions options) {
      List<String> arguments =
          List.of(
              "sp",
              FILE,
              "--seed",
              Long.toString(options.seed()),
              "--tolerance",
              Double.toString(options.tolerance()),
              "--sweeps",
              Integer.toString(options.maxSweeps()),
              "--fraction",
              Double.toString(options.fraction()),
              "--paramagnetic",
              Double.toString(options.paramagnetic()),
              "--flips-per-variable",
              Integer.toString(options.flipsPerVariable()),
              "--noise",
              Double.toString(options.noise()),
              "--out",
              RESULT);
      ExternalProgram.Output output = program.run(arguments);
      Matcher outcome = OUTCOME.matcher(output.text());
      if (!outcome.find()) {
        throw new InputException(NAME + " did not print what it should: " + output.end());
      }
      return new Found(
          SurveyResult.Outcome.valueOf(outcome.group(1).toUpperCase(Locale.ROOT)),
          values(),
          output.millis(),
          number(output, MILLIS),
          (long) number(output, SWEEPS),
          (long) number(output, DECIMATIONS));
    }

    /** The values in the lines of a result; a variable without one has none, 0. */
    private Optional<byte[]> values() {
      try (Stream<String> lines = Files.lines(program.folder().resolve(RESULT))) {
        List<String> all = lines.toList();
        if (!all.get(0).equals("s SATISFIABLE")) {
          return Optional.empty();
        }
        byte[] values = new byte[formula.variables()];
        for (String line : all.subList(1, all.size())) {
          int literal = Integer.parseInt(line.substring("v ".length()));
          if (literal != 0) {
            values[Math.abs(literal) - 1] = (byte) Integer.signum(literal);
          }
        }
        return Optional.of(values);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      program.close();
    }
  }
}
