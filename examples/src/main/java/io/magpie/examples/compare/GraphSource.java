package io.magpie.examples.compare;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.ReadOptions;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a graph comes from: a file or a generator.
 *
 * @param file the file, or null
 * @param generator the generator's specification, or null; exactly one of the two is given
 * @param seed seed of the generator or of drawn weights; null for the default
 * @param weights weights to draw where the input has none: {@code L..H}, {@code H} for {@code
 *     1..H}, or {@code max}; of a generator also {@code none}; null for the default
 * @param reading how a file is read
 */
public record GraphSource(
    Path file, String generator, Long seed, String weights, ReadOptions reading)
    implements InputSource {
  private static final Pattern RANGE = Pattern.compile("(?:(\\d{1,10})\\.\\.)?(\\d{1,10}|max)");

  /**
   * Checks what can be checked without reading anything.
   *
   * @throws IllegalArgumentException if the parts do not fit together, or the generator's
   *     specification or the weights are malformed
   */
  public GraphSource {
    if ((file == null) == (generator == null)) {
      throw new IllegalArgumentException("expected either a file or a generator");
    }
    if (generator != null) {
      if (!reading.equals(ReadOptions.defaults())) {
        throw new IllegalArgumentException(
            "--format, --weight-scale, --relabel and --unit-weights are for files; leave them out");
      }
      GraphGenerators.parse(complete(generator, seed, weights));
    } else {
      if (seed != null && weights == null) {
        throw new IllegalArgumentException(
            "--seed has no effect on a file without --weights; leave it out");
      }
      if (weights != null) {
        if (reading.unitWeights()) {
          throw new IllegalArgumentException(
              "--weights and --unit-weights exclude each other; leave one of them out");
        }
        range(weights);
      }
    }
  }

  private static String complete(String generator, Long seed, String weights) {
    StringBuilder spec = new StringBuilder(generator);
    if (seed != null) {
      append(spec, "seed", seed.toString());
    }
    if (weights != null) {
      append(spec, "weights", weights);
    }
    return spec.toString();
  }

  private static void append(StringBuilder spec, String name, String value) {
    int colon = spec.indexOf(":");
    spec.append(colon < 0 ? ":" : colon == spec.length() - 1 ? "" : ",");
    spec.append(name).append('=').append(value);
  }

  private static int[] range(String weights) {
    Matcher matcher = RANGE.matcher(weights);
    if (matcher.matches()) {
      long min = matcher.group(1) == null ? 1 : Long.parseLong(matcher.group(1));
      long max =
          matcher.group(2).equals("max") ? Integer.MAX_VALUE : Long.parseLong(matcher.group(2));
      if (min <= max && max <= Integer.MAX_VALUE) {
        return new int[] {(int) min, (int) max};
      }
    }
    throw new IllegalArgumentException(
        "weights '" + weights + "': expected L..H, H or max, with 0 <= L <= H <= 2147483647");
  }

  /**
   * The same, but a generated graph has no weights unless its specification asks for some: for
   * algorithms that take weights or leave them.
   */
  public GraphSource unweightedByDefault() {
    boolean asked = generator == null || weights != null || generator.contains("weights");
    return asked ? this : new GraphSource(null, generator, seed, "none", reading);
  }

  @Override
  public String description() {
    if (generator != null) {
      return GraphGenerators.parse(complete(generator, seed, weights)).spec();
    }
    if (reading.unitWeights()) {
      return file + " with unit weights";
    }
    return weights == null
        ? file.toString()
        : file + " with weights " + weights + ", seed " + drawSeed();
  }

  @Override
  public long drawSeed() {
    if (generator == null || seed != null) {
      return seed == null ? 1 : seed;
    }
    Matcher matcher = Pattern.compile("seed=(-?\\d+)").matcher(description());
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 1;
  }

  /** The number that the input gives its first vertex, as far as it numbers them at all: 0 or 1. */
  public int firstVertex() throws IOException {
    return generator != null || reading.relabel() ? 0 : GraphFormats.firstVertex(file, reading);
  }

  @Override
  public GraphSource ofGraph() {
    return this;
  }

  /**
   * Reads or generates the graph.
   *
   * @throws IOException if the file cannot be read or is malformed
   */
  public Graph graph() throws IOException {
    if (generator != null) {
      return GraphGenerators.generate(complete(generator, seed, weights));
    }
    Graph graph = read();
    if (weights == null) {
      return graph;
    }
    if (graph.weighted()) {
      throw new InputException(file + ": has weights of its own; leave out --weights");
    }
    int[] range = range(weights);
    return graph.withWeights(drawSeed(), range[0], range[1]);
  }

  private Graph read() throws IOException {
    if (Files.isDirectory(file)) {
      throw new InputException(file + ": is a folder; name a file");
    }
    try {
      return GraphFormats.read(file, reading);
    } catch (FileFormatException | FileSystemException e) {
      throw e; // these name the file
    } catch (IOException e) {
      throw new IOException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads or generates the graph, which must have weights.
   *
   * @throws IOException if the file cannot be read or is malformed
   * @throws InputException if it has no weights
   */
  public Graph weightedGraph() throws IOException {
    Graph graph = graph();
    if (!graph.weighted()) {
      throw new InputException(
          description()
              + ": the graph has no weights; draw some with --weights 1..1000000 (and --seed), or"
              + " make all equal with --weights 1..1");
    }
    return graph;
  }
}
