package io.magpie.examples.cli;

import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads names of files, and says in plain words why what is none cannot be one. */
final class PathOption implements ITypeConverter<Path> {
  /** What comes through a pipe, where a command reads a file. */
  private static final Path STANDARD_INPUT = Path.of("/dev/stdin");

  @Override
  public Path convert(String value) {
    if (value.endsWith("/")) {
      throw new TypeConversionException("'" + value + "' names a folder; name a file");
    }
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(
          value.indexOf('\0') >= 0
              ? "'" + value + "' has a character that no name has"
              : "'"
                  + value
                  + "' has characters that the encoding of file names, "
                  + System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name())
                  + ", lacks; set the locale to one that has them, such as LC_ALL=C.UTF-8");
    }
  }

  /** The file to read: {@code -} is the standard input. */
  static Path input(Path given) {
    return given != null && given.toString().equals("-") ? STANDARD_INPUT : given;
  }
}
