package io.magpie.examples.cli.commands;

import io.magpie.examples.input.ForestEngine;
import io.magpie.examples.input.Registered;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Engines of {@code msf} that come in jars of their own. */
final class AddedEngines {
  /** The command that they are for. */
  static final String COMMAND = "msf";

  private static final String SPARK = "spark";

  /** What is said where the engine is not there. */
  static final String MISSING =
      "--engine spark is in a separate jar, magpie-spark, which is not on the class path. From a"
          + " clone: 'mvn -Pspark -DskipTests -pl examples/spark -am package' builds it, and"
          + " MAGPIE_CLASSPATH=$(cat examples/spark/target/classpath) before the command adds it"
          + " and Spark; see examples/spark/README.md";

  private AddedEngines() {}

  /** Whether a command line is for an engine that a jar adds. */
  static boolean isAskedFor(List<String> given) {
    List<String> arguments = expanded(given);
    int command = arguments.indexOf(COMMAND);
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

  /** The engine, if its jar is there. */
  static Optional<ForestEngine> spark() {
    return Registered.all(ForestEngine.class, List.of(), "engine", ForestEngine::name).stream()
        .filter(engine -> engine.name().equals(SPARK))
        .findFirst();
  }
}
