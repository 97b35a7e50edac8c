package io.magpie.examples.cli.options;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How large pictures are. */
final class PictureSize {
  private static final int DEFAULT = 1000;
  private static final int SMALLEST = 16;
  private static final int LARGEST = 8192;

  @Option(
      names = "--pixels",
      paramLabel = "N",
      description =
          "Pixels along the longer side of a drawing, "
              + SMALLEST
              + " to "
              + LARGEST
              + "; default "
              + DEFAULT
              + ".")
  private Integer pixels;

  /**
   * Refuses what cannot be drawn, and a size of nothing.
   *
   * @param options that ask for a picture
   * @param drawn whether one of them was given
   */
  void check(CommandSpec spec, String options, boolean drawn) {
    if (pixels == null) {
      return;
    }
    if (!drawn) {
      throw new ParameterException(
          spec.commandLine(), "--pixels has no effect without " + options + "; leave it out");
    }
    if (pixels < SMALLEST || pixels > LARGEST) {
      throw new ParameterException(
          spec.commandLine(),
          "--pixels must be from " + SMALLEST + " to " + LARGEST + ", got " + pixels);
    }
  }

  int pixels() {
    return pixels == null ? DEFAULT : pixels;
  }
}
