package io.magpie.examples.cli.options;

import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.StreamedForest;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** In which parts edges come that are taken one by one, and in how much memory. */
public final class StreamOptions {
  @Option(
      names = "--chunk",
      paramLabel = "N",
      description =
          "Edges per chunk with --engine stream or gpus; default 4194304, or one for four vertices"
              + " if that is more, but no more than 2^31 less the number of vertices.")
  private Long chunk;

  @Option(
      names = "--device-memory",
      paramLabel = "BYTES",
      description =
          "Bytes that a run with --engine stream or gpus may hold on the device, or on each of"
              + " several; default as many as are of use and free. In less memory it takes longer.")
  private Long memory;

  /**
   * Refuses what has no effect, or cannot be right for any edges.
   *
   * @param command whose options they are
   * @throws ParameterException that says what to leave out, or what is expected
   */
  public void check(CommandSpec command, Engine engine) {
    requireStream(command, engine, "--chunk", chunk);
    requireStream(command, engine, "--device-memory", memory);
    if (memory != null && memory < 1) {
      throw new ParameterException(
          command.commandLine(), "--device-memory must be at least 1, but is " + memory);
    }
  }

  private static void requireStream(CommandSpec command, Engine engine, String name, Object value) {
    if (value != null && !engine.streams()) {
      throw new ParameterException(
          command.commandLine(),
          name + " has no effect without --engine stream or gpus; leave it out");
    }
  }

  /**
   * The edges of a chunk: what was asked for, or what suits.
   *
   * @throws IllegalArgumentException if it does not fit
   */
  public int chunkEdges(EdgeSource edges) {
    if (chunk == null) {
      return StreamedForest.chunkFor(edges);
    }
    int vertices = edges.vertices();
    long most = Integer.MAX_VALUE - Math.max(0L, vertices - 1);
    if (chunk < 1 || chunk > most) {
      throw new IllegalArgumentException(
          "--chunk must be 1 to "
              + most
              + (vertices == 0 ? "" : " for " + graph(edges)) // or not known yet
              + ", but is "
              + chunk);
    }
    return chunk.intValue();
  }

  private static String graph(EdgeSource edges) {
    int vertices = edges.vertices();
    return "a graph of " + vertices + (vertices == 1 ? " vertex" : " vertices");
  }

  /** Bytes of each device that were asked for; empty if nothing was said. */
  public OptionalLong memory() {
    return memory == null ? OptionalLong.empty() : OptionalLong.of(memory);
  }

  /**
   * Bytes that a run may hold on each device.
   *
   * @param options of the forest
   * @param chunkEdges edges of a chunk
   * @param devices how many there are, at least
   * @throws IllegalArgumentException if they are too few
   */
  public long memory(EdgeSource edges, MsfOptions options, int chunkEdges, int devices) {
    if (memory == null) {
      return Long.MAX_VALUE;
    }
    long least = StreamedForest.leastMemory(edges, options, chunkEdges, devices);
    if (memory < least) {
      int inChunk = inChunk(edges, chunkEdges);
      long leastOfAll = StreamedForest.leastMemory(edges, options, 1, devices);
      throw new IllegalArgumentException(
          "--device-memory must be at least "
              + least
              + " for "
              + graph(edges)
              + " in chunks of "
              + inChunk
              + (inChunk == 1 ? " edge" : " edges")
              + ", but is "
              + memory
              + (leastOfAll < least
                  ? "; with a smaller --chunk less will do, " + leastOfAll + " at least"
                  : ""));
    }
    return memory;
  }

  /** Edges of a chunk, of which there are no more than in all. */
  private static int inChunk(EdgeSource edges, int chunkEdges) {
    long known = edges.edges();
    return known == EdgeSource.UNKNOWN
        ? chunkEdges
        : (int) Math.max(1, Math.min(chunkEdges, known));
  }
}
