package io.magpie.examples.input;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.ReadOptions;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A graph in a file.
 *
 * @param file the file
 * @param adjustments how it is read, and what weights are drawn
 */
public record GraphFile(Path file, GraphAdjustments adjustments) implements GraphInput {
  private static final Pattern RANGE = Pattern.compile("(?:(\\d{1,10})\\.\\.)?(\\d{1,10}|max)");

  /**
   * Checks what can be checked without reading anything.
   *
   * @throws IllegalArgumentException if adjustments do not fit together, or are malformed
   */
  public GraphFile {
    if (adjustments.seed() != null && adjustments.weights() == null) {
      throw new IllegalArgumentException(
          "--seed has no effect on a file without --weights; leave it out");
    }
    if (adjustments.weights() != null) {
      if (adjustments.reading().unitWeights()) {
        throw new IllegalArgumentException(
            "--weights and --unit-weights exclude each other; leave one of them out");
      }
      range(adjustments.weights());
    }
  }

  /** A file that is read as it is. */
  public static GraphFile of(Path file) {
    return new GraphFile(file, GraphAdjustments.NONE);
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

  @Override
  public String description() {
    if (unitWeights()) {
      return file + " with unit weights";
    }
    return adjustments.weights() == null
        ? file.toString()
        : file + " with weights " + adjustments.weights() + ", seed " + seed();
  }

  @Override
  public boolean generated() {
    return false;
  }

  @Override
  public long seed() {
    return adjustments.seed() == null ? 1 : adjustments.seed();
  }

  @Override
  public boolean unitWeights() {
    return adjustments.reading().unitWeights();
  }

  @Override
  public int firstVertex() throws IOException {
    ReadOptions reading = adjustments.reading();
    return reading.relabel() ? 0 : GraphFormats.firstVertex(file, reading);
  }

  @Override
  public GraphFile adjusted(GraphAdjustments other) {
    return new GraphFile(file, other);
  }

  @Override
  public Graph graph() throws IOException {
    Graph graph = read();
    if (adjustments.weights() == null) {
      return graph;
    }
    if (graph.weighted()) {
      throw new InputException(file + ": has weights of its own; leave out --weights");
    }
    int[] range = range(adjustments.weights());
    return graph.withWeights(seed(), range[0], range[1]);
  }

  private Graph read() throws IOException {
    if (Files.isDirectory(file)) {
      throw new InputException(file + ": is a folder; name a file");
    }
    try {
      return GraphFormats.read(file, adjustments.reading());
    } catch (FileFormatException | FileSystemException e) {
      throw e; // these name the file
    } catch (IOException e) {
      throw new IOException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }
}
