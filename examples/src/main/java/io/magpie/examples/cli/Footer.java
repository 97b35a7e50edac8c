package io.magpie.examples.cli;

import io.magpie.examples.cli.commands.Commands;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The lists at the end of help texts. What does not fit the width goes on below its own line, two
 * columns further in, where picocli would go on at the first column.
 */
final class Footer {
  private static final String DEEPER = "  ";

  private Footer() {}

  /**
   * Has a command line and all its commands show their lists so.
   *
   * @param broken takes what is wrong with a service that a list leaves out
   */
  static void register(CommandLine line, Consumer<ServiceConfigurationError> broken) {
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> text(help, broken));
    line.getSubcommands().values().forEach(each -> register(each, broken));
  }

  private static String text(Help help, Consumer<ServiceConfigurationError> broken) {
    int width = help.commandSpec().usageMessage().width();
    StringBuilder text = new StringBuilder();
    for (String line : Commands.list(help.commandSpec(), broken)) {
      wrapped(line, width).forEach(part -> text.append(part).append('\n'));
    }
    return text.toString();
  }

  /** A line in parts of at most a width, broken at blanks, and within words at {@code |}. */
  static List<String> wrapped(String line, int width) {
    String indent = line.substring(0, line.length() - line.stripLeading().length());
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (String word : Arrays.asList(line.stripLeading().split("(?<=[ |])"))) {
      boolean begins = part.isEmpty();
      if (!begins && part.length() + word.stripTrailing().length() > width) {
        parts.add(part.toString().stripTrailing());
        part.setLength(0);
        begins = true;
      }
      part.append(begins ? indent + (parts.isEmpty() ? "" : DEEPER) : "").append(word);
    }
    parts.add(part.toString().stripTrailing());
    return parts;
  }
}
