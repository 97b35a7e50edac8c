package io.magpie.examples.cli.commands;

import io.magpie.examples.input.EdgeFormat;
import io.magpie.examples.input.ForestEngine;
import io.magpie.examples.input.Registered;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Engines of {@code msf} and {@code components} that come in jars of their own, and formats. */
final class AddedEngines {
  private static final String SPARK = "spark";

  private AddedEngines() {}

  /**
   * What is said where the engine's jar is not there.
   *
   * @param what it has that was asked for
   */
  static String missing(String what) {
    return what
        + " is in a separate jar, magpie-spark, which is not on the class path. From a"
        + " clone: 'mvn -Pspark -DskipTests -pl examples/spark -am package' builds it, and"
        + " MAGPIE_CLASSPATH=$(cat examples/spark/target/classpath) before the command adds it"
        + " and Spark; see examples/spark/README.md";
  }

  /**
   * Whether a command line is for an engine that a jar adds.
   *
   * @param name of a command that such engines have
   */
  static boolean isAskedFor(String name, List<String> given) {
    List<String> arguments = expanded(given);
    int command = arguments.indexOf(name);
    for (int i = command + 1; command >= 0 && i < arguments.size(); i++) {
      String value =
          arguments.get(i).equals("--engine") && i + 1 < arguments.size()
              ? arguments.get(i + 1)
              : arguments.get(i).startsWith("--engine=")
                  ? arguments.get(i).substring("--engine=".length())
                  : "";
      if (value.equalsIgnoreCase(SPARK)) {
        return true;
      }
    }
    return false;
  }

  /** The arguments, with those of files, which {@code @FILE} stands for, in their places. */
  private static List<String> expanded(List<String> given) {
    if (given.stream().noneMatch(each -> each.startsWith("@"))) {
      return given;
    }
    CommandLine line = new CommandLine(CommandSpec.create());
    line.setUnmatchedArgumentsAllowed(true);
    try {
      return line.parseArgs(given.toArray(new String[0])).expandedArgs();
    } catch (CommandLine.PicocliException e) { // as the whole command line will tell
      return given;
    }
  }

  /** The engine's command of a name, if its jar is there. */
  static Optional<Object> spark(String command) {
    return Registered.all(ForestEngine.class, List.of(), "engine", ForestEngine::name).stream()
        .filter(engine -> engine.name().equals(SPARK))
        .findFirst()
        .flatMap(engine -> engine.command(command));
  }

  /** The format that a jar adds for the suffix of a name, if there is one. */
  static Optional<EdgeFormat> format(Path out) {
    String name = String.valueOf(out.getFileName()).toLowerCase(Locale.ROOT);
    return Registered.all(EdgeFormat.class, List.of(), "format", EdgeFormat::suffix).stream()
        .filter(format -> name.endsWith(format.suffix()))
        .findFirst();
  }
}
