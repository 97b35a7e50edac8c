package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.StreamedForest;
import io.magpie.examples.cli.options.Engine;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.StreamOptions;
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
   * @param parts of the edges, and the memory for them
   * @param engine that takes them; how many devices there are tells which memory is too little
   * @throws IllegalArgumentException that tells what does not fit
   */
  static void check(
      EdgeStream stream, boolean weighted, MsfOptions options, StreamOptions parts, Engine engine) {
    boolean known = stream instanceof GeneratedStream && engine == Engine.STREAM;
    try (EdgeSource edges =
        stream instanceof GeneratedStream generated
            ? generated.open(weighted).begin()
            : EdgeSource.of(0, WeightType.INT, Collections.emptyIterator())) {
      int chunkEdges = parts.chunkEdges(edges);
      StreamedForest.check(edges, options, chunkEdges);
      if (known) {
        parts.memory(edges, options, chunkEdges, 1);
      }
    }
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
