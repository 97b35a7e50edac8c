package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class ManPagesTest {
  @TempDir Path folder;

  private static List<CommandLine> commands() {
    List<CommandLine> commands = new ArrayList<>(List.of(ManPages.commandLine()));
    commands.addAll(commands.get(0).getSubcommands().values());
    return commands;
  }

  private static String file(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-") + ".1";
  }

  @Test
  void everyCommandHasAPage() throws IOException {
    Path man1 = folder.resolve("share/man/man1");
    ManPages.main(new String[] {man1.toString()});
    try (Stream<Path> files = Files.list(man1)) {
      assertEquals(
          commands().stream()
              .map(ManPagesTest::file)
              .collect(Collectors.toCollection(TreeSet::new)),
          files.map(each -> each.getFileName().toString()).collect(Collectors.toSet()));
    }
  }

  @Test
  void theFolderIsNeeded() {
    assertThrows(IllegalArgumentException.class, () -> ManPages.main(new String[0]));
  }

  /** Each page is as groff wants it, and shows every description of {@code --help} as it is. */
  @Test
  void groffShowsAllThatHelpSays() throws Exception {
    assumeTrue(groffIsThere(), "no groff");
    for (CommandLine command : commands()) {
      CommandSpec spec = command.getCommandSpec();
      String shown = shown(ManPages.pages(command).get(file(command)), file(command));
      for (String paragraph : spec.usageMessage().description()) {
        assertShows(shown, paragraph, spec);
      }
      for (ArgSpec argument : spec.args()) {
        assertShows(shown, String.join(" ", argument.description()), spec);
      }
      for (OptionSpec option : spec.options()) {
        String name = option.longestName();
        assertShows(shown, option.negatable() ? "--[no-]" + name.substring(2) : name, spec);
      }
      spec.usageMessage().exitCodeList().forEach((s, m) -> assertShows(shown, s + " " + m, spec));
      for (CommandLine each : command.getSubcommands().values()) {
        assertShows(shown, each.getCommandSpec().qualifiedName("-") + "(1)", spec);
      }
    }
  }

  /** What roff would take for a request or an escape, or show as another character. */
  @Test
  void textIsShownAsItIs() throws Exception {
    assumeTrue(groffIsThere(), "no groff");
    List<String> hostile =
        List.of(".SH no request", "'br nor this", "a\\fBb \\n", "\"--x-y\" `z` ^ ~ 100³ µs");
    CommandSpec spec = CommandSpec.create().name("hostile");
    spec.usageMessage().description(hostile.toArray(String[]::new));
    String shown = shown(ManPages.pages(new CommandLine(spec)).get("hostile.1"), "hostile.1");
    hostile.forEach(text -> assertShows(shown, text, spec));
  }

  private static void assertShows(String shown, String text, CommandSpec command) {
    assertTrue(
        shown.contains(" " + flat(text)),
        () -> command.qualifiedName() + " lacks '" + text + "' in\n" + shown);
  }

  private static String flat(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  private static boolean groffIsThere() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(each -> Files.isExecutable(Path.of(each, "groff")));
  }

  /** What groff makes of a page, on lines long enough for a paragraph, with single spaces. */
  private String shown(String page, String name) throws Exception {
    Path file = Files.writeString(folder.resolve(name), page);
    assertEquals("", groff(file, "-z"), "warnings for an ordinary terminal");
    return flat(groff(file, "-rLL=9000n", "-P-cbou"));
  }

  private static String groff(Path page, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("groff", "-man", "-ww", "-Tutf8"));
    command.addAll(List.of(options));
    command.add(page.toString());
    Process groff = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, groff.waitFor(), said);
    return said;
  }
}
