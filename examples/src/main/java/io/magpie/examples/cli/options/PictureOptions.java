package io.magpie.examples.cli.options;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.input.DirectedGraphInput;
import io.magpie.examples.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that draw what was done to a graph. */
public final class PictureOptions {
  @Option(
      names = "--png",
      paramLabel = "FILE",
      description =
          "Draw the result. Vertices need coordinates: those of --coordinates, or of a generated"
              + " grid, road, knn or rgg.")
  private Path png;

  @Option(
      names = "--coordinates",
      paramLabel = "FILE",
      description = "Coordinates for --png: .xyz or DIMACS .co, also with .gz or .xz.")
  private Path coordinates;

  @Mixin private PictureSize size;

  /**
   * The file to draw, after a look at what can be seen before the work; null if none was asked for.
   */
  public OutputFile file(CommandSpec spec, Outputs outputs, DirectedGraphInput source) {
    if (coordinates != null && png == null) {
      throw usage(spec, "--coordinates has no effect without --png; leave it out");
    }
    size.check(spec, "--png", png != null);
    if (png == null) {
      return null;
    }
    if (!png.toString().toLowerCase(Locale.ROOT).endsWith(".png")) {
      throw usage(spec, "--png " + png + ": expected a name that ends in .png");
    }
    if (coordinates == null && !source.hasCoordinates()) {
      throw usage(
          spec,
          "--png "
              + png
              + ": "
              + source.description()
              + " has no coordinates; give a file of them with --coordinates");
    }
    OutputFile file = outputs.at("--png", png);
    if (coordinates != null && !Files.exists(coordinates)) {
      throw new InputException(coordinates + ": no such file");
    }
    return file;
  }

  /**
   * Refuses what was given, for there is no graph to draw.
   *
   * @param why such as "--engine stream keeps no graph"
   */
  public void forbid(CommandSpec spec, String why) {
    if (png != null || coordinates != null) {
      throw usage(spec, (png != null ? "--png: " : "--coordinates: ") + why + "; leave it out");
    }
    size.check(spec, "--png", false);
  }

  /** All files that are read for the graph and its picture. */
  public List<Path> filesRead(DirectedGraphInput source) {
    return Stream.concat(source.filesRead().stream(), Stream.ofNullable(coordinates)).toList();
  }

  private static ParameterException usage(CommandSpec spec, String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Whether a picture was asked for. */
  public boolean isWanted() {
    return png != null;
  }

  /** Where the graph's vertices lie, of which there are so many. */
  public Coordinates coordinates(DirectedGraphInput source, int vertices) throws IOException {
    return coordinates != null
        ? Coordinates.read(coordinates, vertices)
        : source.coordinates().orElseThrow();
  }

  public int pixels() {
    return size.pixels();
  }
}
