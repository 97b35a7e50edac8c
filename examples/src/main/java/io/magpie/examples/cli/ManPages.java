package io.magpie.examples.cli;

import io.magpie.examples.cli.output.BuildInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual: a page in roff's macros {@code man} for each command, made of the same descriptions
 * as {@code --help}. The build of the bundle calls it.
 */
final class ManPages {
  /** Columns of what is shown as it is, so that it fits a terminal of 80 with its margin. */
  private static final int WIDTH = 72;

  private final CommandSpec command;
  private final Help help;
  private final StringBuilder page = new StringBuilder();

  private ManPages(CommandLine line) {
    this.command = line.getCommandSpec();
    this.help = line.getHelp();
  }

  /**
   * Writes the pages.
   *
   * @param arguments the folder, which is made if it is missing
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException(
          "needed: the folder for the pages; got " + arguments.length + " arguments");
    }
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    for (Map.Entry<String, String> page : pages(commandLine()).entrySet()) {
      Files.writeString(folder.resolve(page.getKey()), page.getValue());
    }
  }

  static CommandLine commandLine() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return Magpie.commandLine(new Magpie(), nowhere, nowhere)
        .setColorScheme(Help.defaultColorScheme(Ansi.OFF))
        .setUsageHelpAutoWidth(false)
        .setUsageHelpWidth(WIDTH);
  }

  /** The pages of a command and of those below it, by file name such as {@code magpie-msf.1}. */
  static Map<String, String> pages(CommandLine line) {
    Map<String, String> pages = new TreeMap<>();
    pages.put(name(line.getCommandSpec()) + ".1", new ManPages(line).page());
    line.getSubcommands().values().forEach(each -> pages.putAll(pages(each)));
    return pages;
  }

  private static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  private String page() {
    String[] description = command.usageMessage().description();
    line(
        ".TH "
            + roff(name(command).toUpperCase(Locale.ROOT))
            + " 1 \"\" \"Magpie "
            + BuildInfo.version()
            + "\" \"Magpie\"");
    line(".nh"); // no hyphens, no spaces to fill up lines: there are names in them
    line(".ad l");
    section("NAME");
    line(roff(name(command)) + " \\- " + roff(summary(description[0])));
    section("SYNOPSIS");
    text(HelpSections.unbroken(help, each -> each.detailedSynopsis(0, null, false)));
    section("DESCRIPTION");
    for (String paragraph : description) {
      line(".PP");
      text(paragraph);
    }
    arguments();
    commands();
    list();
    exitStatus();
    section("SEE ALSO");
    line(
        command.parent() == null
            ? others(command)
            : ".BR " + roff(name(command.parent())) + " (1)");
    return page.toString();
  }

  /** The first sentence, as it stands behind a name. */
  private static String summary(String description) {
    String sentence = description.replaceFirst("(?s)\\.(\\s.*)?$", "");
    return sentence.substring(0, 1).toLowerCase(Locale.ROOT) + sentence.substring(1);
  }

  private void arguments() {
    if (!command.positionalParameters().isEmpty()) {
      section("ARGUMENTS");
      for (PositionalParamSpec each : command.positionalParameters()) {
        item(label(each).strip(), each);
      }
    }
    section("OPTIONS");
    for (OptionSpec each : command.options()) {
      item(
          Arrays.stream(each.names())
                  .map(name -> each.negatable() ? negatable(name) : name)
                  .collect(Collectors.joining(", "))
              + label(each),
          each);
    }
  }

  private String negatable(String name) {
    return command.commandLine().getNegatableOptionTransformer().makeSynopsis(name, command);
  }

  private String label(ArgSpec argument) {
    return help.parameterLabelRenderer()
        .renderParameterLabel(argument, Ansi.OFF, List.of())
        .toString();
  }

  private void item(String tag, ArgSpec argument) {
    if (!argument.hidden()) {
      line(".TP");
      line(".B " + roff(tag));
      text(String.join(" ", argument.description()));
    }
  }

  private void commands() {
    if (!command.subcommands().isEmpty()) {
      section("COMMANDS");
      for (CommandLine each : command.subcommands().values()) {
        line(".TP");
        line(".BR " + roff(name(each.getCommandSpec())) + " (1)");
        text(each.getCommandSpec().usageMessage().description()[0]);
      }
    }
  }

  private String others(CommandSpec of) {
    return of.subcommands().values().stream()
        .map(each -> ".BR " + roff(name(each.getCommandSpec())) + " (1)")
        .collect(Collectors.joining(" ,\n"));
  }

  /** What the help lists at its end, line by line. */
  private void list() {
    String list = command.commandLine().getHelpSectionMap().get("footer").render(help).strip();
    if (!list.isEmpty()) {
      section("NOTES");
      line(".nf");
      list.lines().forEach(each -> line(roff(each)));
      line(".fi");
    }
  }

  private void exitStatus() {
    section("EXIT STATUS");
    command
        .usageMessage()
        .exitCodeList()
        .forEach(
            (status, meaning) -> {
              line(".TP");
              line(".B " + roff(status.strip()));
              text(meaning);
            });
  }

  private void section(String title) {
    line(".SH " + title);
  }

  private void text(String words) {
    line(roff(words.strip().replaceAll("\\s+", " ")));
  }

  private void line(String line) {
    page.append(line).append('\n');
  }

  /** Text that roff shows as it is: nothing in it is a request, and a minus stays one. */
  private static String roff(String text) {
    StringBuilder roff = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '\\' -> roff.append("\\e");
                case '-' -> roff.append("\\-");
                case '\'' -> roff.append("\\(aq");
                case '`' -> roff.append("\\(ga");
                case '^' -> roff.append("\\(ha");
                case '~' -> roff.append("\\(ti");
                case '"' -> roff.append("\\(dq");
                case '|', ',' -> roff.appendCodePoint(c).append("\\:"); // a line may end here
                default -> roff.append(c < 128 ? Character.toString(c) : unicode(c));
              }
            });
    return roff.indexOf(".") == 0 ? "\\&" + roff : roff.toString();
  }

  private static String unicode(int codePoint) {
    return String.format(Locale.ROOT, "\\[u%04X]", codePoint);
  }
}
