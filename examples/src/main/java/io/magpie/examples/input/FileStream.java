package io.magpie.examples.input;

import io.magpie.algorithms.graph.FileEdges;
import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.msf.EdgeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The edges of a file one by one.
 *
 * @param graph the file, and how it is read
 */
public record FileStream(GraphFile graph) implements EdgeStream {
  /** A file that is read as it is. */
  public static FileStream of(Path file) {
    return new FileStream(GraphFile.of(file));
  }

  /** The same edges, with weights read so. */
  public FileStream withWeights(FileWeights weights) {
    return new FileStream(graph.withWeights(weights));
  }

  @Override
  public String description() {
    return graph.description();
  }

  @Override
  public boolean generated() {
    return false;
  }

  @Override
  public List<Path> filesRead() {
    return graph.filesRead();
  }

  @Override
  public long seed() {
    return graph.seed();
  }

  @Override
  public Passes open(boolean weighted) throws IOException {
    FileEdges edges = edges();
    if (weighted && !edges.isWeighted()) {
      throw GraphInput.noWeights(description());
    }
    return () -> EdgeSource.of(edges);
  }

  /**
   * The edges, with weights drawn if that is asked for.
   *
   * @throws IOException if the file cannot be read or is malformed
   * @throws InputException if weights are to be drawn, and the file has some
   */
  public FileEdges edges() throws IOException {
    Path file = graph.file();
    GraphAdjustments adjustments = graph.adjustments();
    FileEdges edges =
        GraphFile.readNamed(
            file, GraphInput.class, () -> FileEdges.open(file, adjustments.reading()));
    return adjustments.weights() == null
        ? edges
        : DrawnWeights.drawn(edges, file.toString(), adjustments);
  }

  @Override
  public FileStream adjusted(GraphAdjustments adjustments) {
    return new FileStream(graph.adjusted(adjustments));
  }
}
