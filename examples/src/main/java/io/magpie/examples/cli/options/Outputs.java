package io.magpie.examples.cli.options;

import io.magpie.algorithms.AtomicFile;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.cli.output.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * The files that one call of a command will write. What they are is checked before the work: that
 * each can be written, that no two options name the same one, and that none is read.
 */
public final class Outputs {
  private final CommandSpec spec;
  private final Map<Path, String> options = new HashMap<>();
  private final Map<Path, Path> inputs = new HashMap<>();

  /**
   * No files yet.
   *
   * @param spec the command
   * @param read all files that it reads, which are not replaced, also not through links
   */
  public Outputs(CommandSpec spec, List<Path> read) {
    this.spec = spec;
    read.forEach(file -> inputs.putIfAbsent(place(file), file));
  }

  /**
   * The file that an option names.
   *
   * @param path null if the option was not given
   * @return null if the option was not given
   * @throws OutputException if it clearly cannot be written
   * @throws ParameterException if another option names it too, it is read, or it is {@code -}
   */
  public OutputFile at(String option, Path path) {
    return path == null ? null : at(option, path, List.of(path));
  }

  /**
   * What an option names where several files are made of it.
   *
   * @param files all of them
   */
  public OutputFile at(String option, Path path, List<Path> files) {
    if (path.toString().equals(JsonOutput.STANDARD_OUTPUT)) {
      throw new ParameterException(
          spec.commandLine(),
          option
              + " -: only --json can go to standard output; name a file, or ./- for a file named -");
    }
    OutputFile output = OutputFile.of(path, files);
    for (Path file : files) {
      Path input = inputs.get(place(file));
      if (input != null) {
        throw new ParameterException(
            spec.commandLine(),
            option
                + ": "
                + file
                + " would replace the input's own file "
                + input
                + (file.equals(input) ? "" : ", which is the same by its name or by links")
                + "; name another");
      }
      String other = options.putIfAbsent(place(file), option);
      if (other != null) {
        throw new ParameterException(
            spec.commandLine(), other + " and " + option + " both write " + file + "; name two");
      }
    }
    return output;
  }

  /** Where JSON goes; null if it was not asked for. */
  public JsonOutput json(String name) {
    if (name == null) {
      return null;
    }
    return name.equals(JsonOutput.STANDARD_OUTPUT)
        ? JsonOutput.standard()
        : JsonOutput.to(at("--json", path("--json", name)));
  }

  /** The path that an option's text names. */
  public Path path(String option, String name) {
    try {
      return new PathOption().convert(name);
    } catch (TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
  }

  /** The same for each name of a file, also through links. */
  private static Path place(Path file) {
    try {
      Path place = AtomicFile.place(file);
      return place.getParent().toRealPath().resolve(place.getFileName());
    } catch (IOException e) { // a folder that is there but cannot be looked into
      return file.toAbsolutePath().normalize();
    }
  }
}
