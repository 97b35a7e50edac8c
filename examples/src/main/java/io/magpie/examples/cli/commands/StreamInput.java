package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.StreamedForest;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.input.EdgeStream;
import io.magpie.examples.input.FileStream;
import io.magpie.examples.input.GeneratedStream;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Inputs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Optional;

/** What commands that take edges one by one have in common. */
final class StreamInput {
  private StreamInput() {}

  /** Work on edges. */
  @FunctionalInterface
  interface Work<T> {
    T on(EdgeSource edges);
  }

  /**
   * The edges that were named; nothing has been read.
   *
   * @param engine the option that asks for edges one by one
   * @throws IllegalArgumentException if they cannot be had so
   */
  static EdgeStream of(InputOptions<GraphInput> input, String engine) {
    Optional<String> file = input.given("graph");
    if (file.isPresent()) {
      return FileStream.of(Inputs.file(file.get()));
    }
    return GeneratedStream.of(
        input
            .given("generate")
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        engine
                            + " takes edges one by one, of a file by --graph, or by --generate"
                            + " random or rmat; for another graph, leave it out")));
  }

  /**
   * Refuses options that do not fit, as far as that is known before a file is read.
   *
   * @param weighted whether edges must have weights
   * @param chunk edges of a chunk that were asked for; null for what suits
   * @throws IllegalArgumentException that tells what does not fit
   */
  static void check(EdgeStream stream, boolean weighted, MsfOptions options, Long chunk) {
    try (EdgeSource edges =
        stream instanceof GeneratedStream generated
            ? generated.open(weighted).begin()
            : EdgeSource.of(0, WeightType.INT, Collections.emptyIterator())) {
      StreamedForest.check(edges, options, chunkEdges(chunk, edges));
    }
  }

  /**
   * The edges of a chunk.
   *
   * @param chunk what was asked for; null for what suits
   * @throws IllegalArgumentException if it does not fit
   */
  static int chunkEdges(Long chunk, EdgeSource edges) {
    if (chunk == null) {
      return StreamedForest.chunkFor(edges);
    }
    int vertices = edges.vertices();
    long most = Integer.MAX_VALUE - Math.max(0L, vertices - 1);
    if (chunk < 1 || chunk > most) {
      throw new IllegalArgumentException(
          "--chunk must be 1 to "
              + most
              + (vertices == 0 // or not known yet
                  ? ""
                  : " for a graph of " + vertices + (vertices == 1 ? " vertex" : " vertices"))
              + ", but is "
              + chunk);
    }
    return chunk.intValue();
  }

  /**
   * Works on the edges, from the first on.
   *
   * @throws IOException if they cannot be read
   */
  static <T> T read(EdgeStream stream, EdgeStream.Passes passes, Work<T> work) throws IOException {
    return Reading.of(
        stream,
        () -> {
          try (EdgeSource edges = passes.begin()) {
            return work.on(edges);
          } catch (UncheckedIOException e) {
            throw e.getCause();
          }
        });
  }
}
