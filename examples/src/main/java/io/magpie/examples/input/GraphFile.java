package io.magpie.examples.input;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.algorithms.graph.SnapshotParts;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A graph in a file.
 *
 * @param file the file
 * @param adjustments how it is read, and what weights are drawn
 */
public record GraphFile(Path file, GraphAdjustments adjustments) implements GraphInput, FileInput {
  /** How a text begins that is meant for a kind of input, in place of a file. */
  private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9-]*:");

  /**
   * Checks what can be checked without reading anything.
   *
   * @throws IllegalArgumentException if adjustments do not fit together, or are malformed
   */
  public GraphFile {
    check(adjustments);
  }

  static void check(GraphAdjustments adjustments) {
    DrawnWeights.check("a file", adjustments);
    if (adjustments.weights() != null && adjustments.reading().unitWeights()) {
      throw new IllegalArgumentException(
          "--weights and --unit-weights exclude each other; leave one of them out");
    }
  }

  /** A file that is read as it is. */
  public static GraphFile of(Path file) {
    return new GraphFile(file, GraphAdjustments.NONE);
  }

  @Override
  public String description() {
    return description(file, adjustments);
  }

  static String description(Path file, GraphAdjustments adjustments) {
    if (adjustments.reading().unitWeights()) {
      return file + " with unit weights";
    }
    return adjustments.weights() == null
        ? file.toString()
        : DrawnWeights.description(file.toString(), adjustments);
  }

  @Override
  public long seed() {
    return DrawnWeights.seed(adjustments);
  }

  @Override
  public boolean unitWeights() {
    return adjustments.reading().unitWeights();
  }

  @Override
  public GraphFile withUnitWeights() {
    return new GraphFile(file, withUnitWeights(adjustments));
  }

  @Override
  public GraphFile withWeights(FileWeights weights) {
    return new GraphFile(file, withWeights(adjustments, weights));
  }

  static GraphAdjustments withWeights(GraphAdjustments adjustments, FileWeights weights) {
    return new GraphAdjustments(
        adjustments.seed(), adjustments.weights(), adjustments.reading().withWeights(weights));
  }

  /** Without weights that are drawn, too. */
  static GraphAdjustments withUnitWeights(GraphAdjustments adjustments) {
    return new GraphAdjustments(null, null, adjustments.reading().withUnitWeights(true));
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
    Graph graph =
        readNamed(file, GraphInput.class, () -> GraphFormats.read(file, adjustments.reading()));
    return adjustments.weights() == null
        ? graph
        : DrawnWeights.drawn(graph, file.toString(), adjustments);
  }

  @Override
  public Optional<ResidentGraph> residentGraph(Device device, boolean unitWeights)
      throws IOException {
    if (adjustments.weights() != null) {
      return Optional.empty(); // they are drawn in Java's memory
    }
    ReadOptions reading = adjustments.reading();
    ReadOptions asked = unitWeights ? reading.withUnitWeights(true) : reading;
    return readNamed(file, GraphInput.class, () -> read(device, asked));
  }

  private Optional<ResidentGraph> read(Device device, ReadOptions reading) throws IOException {
    Optional<SnapshotParts> parts = SnapshotParts.open(file, reading);
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    parts.get().close();
    return Optional.of(ResidentGraph.read(device, file, reading));
  }

  /** What reads a file. */
  @FunctionalInterface
  interface Reader<G> {
    G read() throws IOException;
  }

  /**
   * Reads a file that may have been meant as a kind of input.
   *
   * @param type of the inputs that would have done
   */
  static <G> G readNamed(Path file, Class<? extends Input> type, Reader<G> reader)
      throws IOException {
    if (KIND.matcher(file.toString()).lookingAt() && !Files.exists(file)) {
      throw new InputException(
          file + ": no such file; --input takes KIND:SPEC, with a kind of " + Inputs.listed(type));
    }
    try {
      return read(file, reader);
    } catch (NoSuchFileException e) {
      if (!file.toString().equals(e.getFile())) {
        throw e;
      }
      throw new InputException(
          file + ": no such file; what is generated, such as road:1000, is for --generate", e);
    }
  }

  /** Reads a file, with errors that name it. */
  static <G> G read(Path file, Reader<G> reader) throws IOException {
    if (Files.isDirectory(file)) {
      throw new InputException(
          file
              + ": is a folder; name a file"
              + (file.toString().endsWith(".parquet")
                  ? ", or give it to --parquet, which the jar magpie-spark adds"
                  : ""));
    }
    if (Files.notExists(file)) { // before its name is asked for a format
      throw new NoSuchFileException(file.toString());
    }
    try {
      return reader.read();
    } catch (FileFormatException | FileSystemException e) {
      throw e; // these name the file
    } catch (IOException e) {
      throw new IOException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }
}
