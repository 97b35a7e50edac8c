package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.BuildInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Runs a tutorial: a folder {@code NN-name} with one Java program, whose class is in the package
 * {@value #PACKAGE} and whose first argument is the folder. Tutorials that are tests have none.
 */
@Command(
    name = "run",
    description = "Run a tutorial, such as 01-bank-transfer; without a name, list them.")
final class RunCommand implements Callable<Integer> {
  static final String PACKAGE = "io.magpie.examples.tutorials";
  private static final Pattern NAME = Pattern.compile("\\d\\d-.*");

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TUTORIAL",
      description = "Its folder's name.")
  private String name;

  @Parameters(
      index = "1..*",
      paramLabel = "ARGUMENT",
      description = "Arguments of the tutorial, such as the devices to run on.")
  private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    List<Path> tutorials = tutorials();
    if (name == null) {
      tutorials.forEach(folder -> spec.commandLine().getOut().println(folder.getFileName()));
      return ExitCode.OK;
    }
    Path folder = named(tutorials);
    StandardOutput printed = new StandardOutput(spec.commandLine().getOut());
    try {
      program(folder).getMethod("main", String[].class).invoke(null, (Object) arguments(folder));
    } catch (InvocationTargetException e) {
      throw failure(e.getCause());
    } finally {
      printed.close();
    }
    return ExitCode.OK;
  }

  private Path named(List<Path> tutorials) {
    List<String> names = tutorials.stream().map(each -> each.getFileName().toString()).toList();
    int index = names.indexOf(name);
    if (index < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "there is no tutorial '" + name + "'; there are: " + String.join(", ", names));
    }
    return tutorials.get(index);
  }

  private String[] arguments(Path folder) {
    return Stream.concat(Stream.of(folder.toString()), arguments.stream()).toArray(String[]::new);
  }

  /** What a failure of a tutorial's program is for the command line. */
  private Exception failure(Throwable cause) {
    if (cause instanceof AssertionError wrong) {
      return new VerificationException(wrong.getMessage());
    }
    if (cause instanceof IllegalArgumentException argument) {
      return new ParameterException(spec.commandLine(), argument.getMessage());
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return (Exception) cause;
  }

  private static Class<?> program(Path folder) throws ClassNotFoundException {
    String file = programFile(folder).orElseThrow();
    return Class.forName(PACKAGE + "." + file.replaceFirst("\\.java$", ""));
  }

  /** The program of a tutorial, unless that is a test. */
  private static Optional<String> programFile(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(each -> each.endsWith(".java") && !each.endsWith("Properties.java"))
          .min(Comparator.naturalOrder());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The folders of tutorials with a program: in {@code examples} of a clone, elsewhere in a bundle.
   */
  private List<Path> tutorials() throws IOException {
    String home = System.getProperty(BuildInfo.HOME);
    if (home != null) {
      for (Path parent : List.of(Path.of(home, "modules", "examples"), Path.of(home, "examples"))) {
        if (Files.isDirectory(parent)) {
          try (Stream<Path> folders = Files.list(parent)) {
            return folders
                .filter(path -> NAME.matcher(path.getFileName().toString()).matches())
                .filter(path -> programFile(path).isPresent())
                .sorted()
                .toList();
          }
        }
      }
    }
    throw new ParameterException(
        spec.commandLine(),
        "the tutorials were not found; start Magpie by its launcher, or set -D"
            + BuildInfo.HOME
            + " to the folder of the clone");
  }
}
