package io.magpie.examples.cli.options;

import io.magpie.algorithms.mesh.MeshPicture;
import io.magpie.examples.cli.output.OutputFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that draw what was done to a mesh. */
public final class MeshPictureOptions {
  @Option(
      names = "--png",
      paramLabel = "FILE",
      description = "Draw the mesh before and after, with bad triangles in red.")
  private Path png;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "The same with every edge, for at most 500,000 triangles.")
  private Path svg;

  @Mixin private PictureSize size;

  /** The files to draw, after a look at what can be seen before the work. */
  public List<OutputFile> files(CommandSpec spec, Outputs outputs) {
    List<OutputFile> files = new ArrayList<>();
    add(files, spec, outputs, "--png", png);
    add(files, spec, outputs, "--svg", svg);
    size.check(spec, "--png or --svg", !files.isEmpty());
    return files;
  }

  private static void add(
      List<OutputFile> files, CommandSpec spec, Outputs outputs, String option, Path file) {
    if (file == null) {
      return;
    }
    String suffix = option.replace("--", ".");
    if (!file.toString().toLowerCase(Locale.ROOT).endsWith(suffix)) {
      throw new ParameterException(
          spec.commandLine(), option + " " + file + ": expected a name that ends in " + suffix);
    }
    files.add(outputs.at(option, file));
  }

  /**
   * Draws a picture, as large as it was asked for.
   *
   * @throws ParameterException if a file's format cannot hold it
   */
  public void draw(CommandSpec spec, MeshPicture picture, List<OutputFile> files) {
    MeshPicture sized = picture.withSize(size.pixels());
    for (OutputFile file : files) {
      try {
        file.writeBy(sized::write);
      } catch (IllegalArgumentException e) { // an SVG cannot hold it
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }
  }
}
