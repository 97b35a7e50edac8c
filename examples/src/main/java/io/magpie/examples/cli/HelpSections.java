package io.magpie.examples.cli;

import io.magpie.examples.cli.commands.Commands;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The parts of help texts, in lines that end at blanks. Picocli's also end within words, as behind
 * the colon of {@code zeros:LENGTH}; so it writes them without line breaks, which are made here.
 * What does not fit goes on two columns further in than it begins.
 */
final class HelpSections {
  private static final int DEEPER = 2;

  /** Columns in which picocli breaks no line. */
  private static final int UNBROKEN = 100_000;

  private static final Pattern STYLE = Pattern.compile("\u001b\\[[0-9;]*m");

  /**
   * What stands before the description of an option, a command or a status. Behind the longest
   * names of options that fit there is only one blank.
   */
  private static final Pattern NAMES =
      Pattern.compile("\\s+(?:(?:-\\S+,\\s+)*-\\S+\\s+|\\S.*?\\s{2,})(?=\\S)");

  private HelpSections() {}

  /**
   * Has a command line and all its commands show their help so.
   *
   * @param broken takes what is wrong with a service that a list leaves out
   */
  static void register(CommandLine line, Consumer<ServiceConfigurationError> broken) {
    Map<String, IHelpSectionRenderer> sections = line.getHelpSectionMap();
    String[] keys = {
      UsageMessageSpec.SECTION_KEY_DESCRIPTION,
      UsageMessageSpec.SECTION_KEY_PARAMETER_LIST,
      UsageMessageSpec.SECTION_KEY_OPTION_LIST,
      UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
      UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST
    };
    for (String key : keys) {
      IHelpSectionRenderer picocli = sections.get(key);
      sections.put(
          key, help -> lines(help, 0, unbroken(help, picocli).lines(), HelpSections::inside));
    }
    IHelpSectionRenderer synopsis = sections.get(UsageMessageSpec.SECTION_KEY_SYNOPSIS);
    sections.put(
        UsageMessageSpec.SECTION_KEY_SYNOPSIS,
        help -> {
          int heading = help.synopsisHeadingLength();
          int name = help.commandSpec().qualifiedName().length();
          return lines(help, heading, unbroken(help, synopsis).lines(), each -> heading + name + 1);
        });
    sections.put(
        UsageMessageSpec.SECTION_KEY_FOOTER,
        help ->
            lines(
                help,
                0,
                Stream.of(Commands.list(help.commandSpec(), broken)),
                each -> indent(each) + DEEPER));
    line.getSubcommands().values().forEach(each -> register(each, broken));
  }

  /** What picocli writes where the lines are long enough for all of it. */
  static String unbroken(Help help, IHelpSectionRenderer section) {
    UsageMessageSpec usage = help.commandSpec().usageMessage();
    boolean auto = usage.autoWidth();
    usage.autoWidth(false);
    int width = usage.width();
    usage.width(UNBROKEN);
    try {
      return section.render(help);
    } finally {
      usage.width(width).autoWidth(auto);
    }
  }

  private static String lines(
      Help help, int before, Stream<String> lines, ToIntFunction<String> inside) {
    int width = help.commandSpec().usageMessage().width();
    return lines
        .flatMap(line -> wrapped(line, before, inside.applyAsInt(line), width).stream())
        .map(line -> line + '\n')
        .collect(Collectors.joining());
  }

  /** The column at which a line of a list or of text goes on. */
  private static int inside(String line) {
    String plain = STYLE.matcher(line).replaceAll("");
    Matcher names = NAMES.matcher(plain);
    int begin = names.lookingAt() ? names.end() : indent(plain);
    return begin == 0 ? 0 : begin + DEEPER;
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }

  /**
   * A line in parts that end at blanks; where one word is too long for a line, also at bars and
   * commas in it.
   *
   * @param before columns that are taken before the first part
   * @param inside the column at which the others begin
   * @param width the column before which each ends
   */
  static List<String> wrapped(String line, int before, int inside, int width) {
    String indent = line.substring(0, indent(line));
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder(indent);
    int column = before + indent.length();
    boolean begins = true;
    for (String word : words(line.strip(), width - inside)) {
      if (!begins && column + columns(word.stripTrailing()) > width) {
        parts.add(part.toString().stripTrailing());
        part = new StringBuilder(" ".repeat(inside));
        column = inside;
      }
      part.append(word);
      column += columns(word);
      begins = false;
    }
    parts.add(part.toString().stripTrailing());
    return parts;
  }

  /** The words of a text, each with the blanks behind it. */
  private static List<String> words(String text, int room) {
    return Stream.of(text.split("(?<=\\s)(?=\\S)"))
        .flatMap(
            word ->
                columns(word.stripTrailing()) > room
                    ? Stream.of(word.split("(?<=[|,])(?=\\S)"))
                    : Stream.of(word))
        .toList();
  }

  private static int columns(String text) {
    return STYLE.matcher(text).replaceAll("").length();
  }
}
