package io.magpie.examples.cli.options;

import io.magpie.examples.input.Inputs;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads names of files, and says in plain words why what is none cannot be one. */
public final class PathOption implements ITypeConverter<Path> {
  @Override
  public Path convert(String value) {
    try {
      return Inputs.path(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** The file to read: {@code -} is the standard input. */
  public static Path input(Path given) {
    return given == null ? null : Inputs.file(given.toString());
  }
}
