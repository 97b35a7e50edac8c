package io.magpie.examples.cli.options;

import io.magpie.examples.cli.output.OutputFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that draw bodies, at the end of a simulation and during it. */
public final class BodiesPictureOptions {
  private static final int MOST_FRAMES = 10_000;

  @Option(
      names = "--png",
      paramLabel = "FILE",
      description = "Draw the bodies at the end, as seen along the z axis.")
  private Path png;

  @Option(
      names = "--frames",
      paramLabel = "BASE",
      description =
          "Draw the bodies at the beginning and after each step, in one view, as BASE-STEP.png; at"
              + " most 10,000 pictures, written during the run.")
  private Path frames;

  @Option(
      names = "--every",
      paramLabel = "N",
      description = "With --frames: only every so many steps, 1 or more; default 1.")
  private Integer every;

  @Mixin private PictureSize size;

  /** The picture of the end, after a look at what can be seen before the work; null if none. */
  public OutputFile file(CommandSpec spec, Outputs outputs) {
    size.check(spec, "--png or --frames", png != null || frames != null);
    if (png != null && !png.toString().toLowerCase(Locale.ROOT).endsWith(".png")) {
      throw new ParameterException(
          spec.commandLine(), "--png " + png + ": expected a name that ends in .png");
    }
    return outputs.at("--png", png);
  }

  /** Looks at what can be seen of the frames of so many steps. */
  public void checkFrames(CommandSpec spec, Outputs outputs, int steps) {
    if (every != null && frames == null) {
      throw new ParameterException(
          spec.commandLine(), "--every has no effect without --frames; add it, or leave this out");
    }
    if (every != null && every < 1) {
      throw new ParameterException(
          spec.commandLine(), "--every must be 1 or more steps, but is " + every);
    }
    if (frames == null) {
      return;
    }
    if (steps / every() + 1 > MOST_FRAMES) {
      throw new ParameterException(
          spec.commandLine(),
          "--frames: "
              + (steps / every() + 1)
              + " pictures are more than "
              + MOST_FRAMES
              + "; draw fewer by a larger --every");
    }
    List<Path> files = new ArrayList<>();
    for (int step = 0; step <= steps; step += every()) {
      files.add(frame(step, steps));
    }
    outputs.at("--frames", frames, files);
  }

  /** Steps from one frame to the next; 0 if there are none. */
  public int stepsBetweenFrames() {
    return frames == null ? 0 : every();
  }

  private int every() {
    return every == null ? 1 : every;
  }

  /** The frame after a step, named so that names are in the order of steps. */
  public Path frame(int step, int steps) {
    int digits = Integer.toString(steps).length();
    String name = String.format(Locale.ROOT, "-%0" + digits + "d.png", step);
    return frames.resolveSibling(frames.getFileName() + name);
  }

  public int pixels() {
    return size.pixels();
  }
}
