package io.magpie.examples.cli.options;

import io.magpie.examples.cli.output.OutputFile;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The options of a picture that needs nothing but the result, no coordinates for instance; to be
 * mixed into a command by their {@link #spec()}.
 */
public final class ResultPictureOptions {
  private final PictureSize size = new PictureSize();
  private final CommandSpec spec = CommandSpec.create();
  private final OptionSpec png;

  /**
   * @param description of {@code --png}, what it draws
   */
  public ResultPictureOptions(String description) {
    png =
        OptionSpec.builder("--png")
            .type(Path.class)
            .paramLabel("FILE")
            .description(description)
            .build();
    spec.addOption(png);
    spec.addMixin("size", CommandSpec.forAnnotatedObject(size));
  }

  /** The options. */
  public CommandSpec spec() {
    return spec;
  }

  /** The file to draw, null if none; the options are checked first. */
  public OutputFile file(CommandSpec command, Outputs outputs) {
    Path file = png.getValue();
    size.check(command, "--png", file != null);
    if (file != null && !file.toString().toLowerCase(Locale.ROOT).endsWith(".png")) {
      throw new ParameterException(
          command.commandLine(), "--png " + file + ": expected a name that ends in .png");
    }
    return outputs.at("--png", file);
  }

  /** Pixels of the longer side. */
  public int pixels() {
    return size.pixels();
  }
}
