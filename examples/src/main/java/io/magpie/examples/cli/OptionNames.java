package io.magpie.examples.cli;

import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** Names of options for what the library calls the components of its own options. */
final class OptionNames {
  private static final Map<String, String> OTHERS =
      Map.of(
          "minimumAngle",
          "--angle",
          "maximumArea",
          "--max-area",
          "maximumVertices",
          "--max-vertices");

  private OptionNames() {}

  /**
   * A message of the library as a command's user reads it: about an option, if it begins with the
   * name of a component that the command has an option for.
   */
  static String in(CommandSpec command, String message) {
    String component = message.split(" ", 2)[0];
    String words = component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    String option = OTHERS.getOrDefault(component, "--" + words);
    return command.findOption(option) == null
        ? message
        : option + message.substring(component.length());
  }
}
