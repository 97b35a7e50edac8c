package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.EdgePass;
import io.magpie.algorithms.graph.FileEdges;
import io.magpie.algorithms.graph.WeightType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The edges of a file, which is opened when the first are asked for. */
final class EdgesOfFile implements EdgeSource {
  private final FileEdges edges;
  private EdgePass pass;
  private long next;

  EdgesOfFile(FileEdges edges) {
    this.edges = Objects.requireNonNull(edges, "edges");
  }

  @Override
  public int vertices() {
    return edges.vertices();
  }

  @Override
  public WeightType weightType() {
    return edges.weightType();
  }

  @Override
  public long edges() {
    return edges.most();
  }

  @Override
  public void next(EdgeChunk chunk) {
    boolean consecutive = edges.consecutive();
    try {
      if (pass == null) {
        pass = edges.pass();
      }
      int taken =
          pass.next(
              chunk.sources(),
              chunk.targets(),
              chunk.weights(),
              consecutive ? null : chunk.roomForNumbers());
      if (consecutive) {
        chunk.setConsecutive(next, taken);
      } else {
        chunk.setNumbered(taken);
      }
      next += taken;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      if (pass != null) {
        pass.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
