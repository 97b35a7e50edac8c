package io.magpie.examples.input;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphGenerators;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A directed graph in a file: its arcs as they are.
 *
 * @param file the file
 * @param adjustments how it is read, and what weights are drawn
 */
public record DirectedGraphFile(Path file, GraphAdjustments adjustments)
    implements DirectedGraphInput, FileInput {
  /**
   * Checks what can be checked without reading anything.
   *
   * @throws IllegalArgumentException if adjustments do not fit together, or are malformed
   */
  public DirectedGraphFile {
    GraphFile.check(adjustments);
  }

  /** A file that is read as it is. */
  public static DirectedGraphFile of(Path file) {
    return new DirectedGraphFile(file, GraphAdjustments.NONE);
  }

  @Override
  public String description() {
    return GraphFile.description(file, adjustments) + ", directed";
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
  public DirectedGraphFile withUnitWeights() {
    return new DirectedGraphFile(file, GraphFile.withUnitWeights(adjustments));
  }

  @Override
  public DirectedGraphFile withLengths(FileWeights weights) {
    return new DirectedGraphFile(file, GraphFile.withWeights(adjustments, weights));
  }

  @Override
  public DirectedGraphFile adjusted(GraphAdjustments other) {
    return new DirectedGraphFile(file, other);
  }

  @Override
  public DirectedGraph directedGraph() throws IOException {
    DirectedGraph graph =
        Inputs.read(
            file,
            GraphGenerators.usage(),
            "road:1000",
            () ->
                GraphFile.read(file, () -> GraphFormats.readDirected(file, adjustments.reading())));
    return adjustments.weights() == null
        ? graph
        : DrawnWeights.drawn(graph, file.toString(), adjustments);
  }
}
