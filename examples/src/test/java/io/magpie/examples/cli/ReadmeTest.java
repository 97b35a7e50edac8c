package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What the pages for readers show is what there is. */
class ReadmeTest {
  private static final Path EXAMPLES = Path.of(System.getProperty("magpie.basedir"));

  /** The project's page: in a clone beside the modules, in a bundle one folder further up. */
  private static Path page() {
    Path parent = EXAMPLES.toAbsolutePath().normalize().getParent();
    Path inClone = parent.resolve("README.md");
    return Files.exists(inClone) ? inClone : parent.resolveSibling("README.md");
  }

  private static List<Path> pages() throws IOException {
    assumeTrue(Files.exists(page()), "the page is not here");
    List<Path> pages = new ArrayList<>(List.of(page()));
    tutorials().forEach(folder -> pages.add(folder.resolve("README.md")));
    return pages;
  }

  private static List<Path> tutorials() throws IOException {
    try (Stream<Path> folders = Files.list(EXAMPLES)) {
      return folders.filter(p -> p.getFileName().toString().matches("\\d\\d-.*")).sorted().toList();
    }
  }

  /** Everything that the tutorials' files of a suffix say. */
  private static String sources(String suffix) throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path folder : tutorials()) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.filter(p -> p.toString().endsWith(suffix)).toList()) {
          all.append(Files.readString(file));
        }
      }
    }
    return all.toString();
  }

  private static List<String> blocks(Path page, String language) throws IOException {
    List<String> blocks = new ArrayList<>();
    Matcher matcher =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(page));
    while (matcher.find()) {
      blocks.add(matcher.group(1));
    }
    return blocks;
  }

  @Test
  void codeIsQuotedFromFilesThatAreCompiled() throws IOException {
    String regions = sources(".cu");
    String programs = sources(".java");
    int quoted = 0;
    for (Path page : pages()) {
      for (String block : blocks(page, "cpp")) {
        assertTrue(regions.contains(block), page + " shows what no region has:\n" + block);
        quoted++;
      }
      for (String block : blocks(page, "java")) {
        assertTrue(programs.contains(block), page + " shows what no program has:\n" + block);
        quoted++;
      }
    }
    assertTrue(quoted >= 9, "only " + quoted + " quotes were found");
  }

  @Test
  void commandsAreUnderstood() throws IOException {
    int commands = 0;
    for (Path page : pages()) {
      for (String block : blocks(page, "sh")) {
        for (String line : block.split("\n")) {
          if (line.startsWith("examples/magpie ")) {
            String[] words = line.split(" ");
            PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
            CommandLine parser = Magpie.commandLine(new Magpie(), nowhere, nowhere);
            assertDoesNotThrow(
                () -> parser.parseArgs(Arrays.copyOfRange(words, 1, words.length)), line);
            commands++;
          }
        }
      }
    }
    assertTrue(commands >= 10, "only " + commands + " commands were found");
  }

  /** All but the time. */
  @Test
  void theSimulatorsRunIsShownAsItIs() throws IOException {
    assumeTrue(Files.exists(page()), "the page is not here");
    String shown =
        blocks(page(), "text").stream()
            .filter(block -> block.contains("region transfer on sim:0:32"))
            .map(block -> block.substring(block.indexOf("region transfer on sim:0:32")))
            .findFirst()
            .orElseThrow();
    Tutorials.makeKnown();
    CommandRun run = CommandRun.of("run", "01-bank-transfer", "sim:0:32").expect(ExitStatus.OK);
    assertEquals(timeless(shown), timeless(run.out()));
  }

  private static String timeless(String report) {
    return report.replaceAll(" in [\\d.,]+ ms", "").strip();
  }

  @Test
  void exitStatusesAreAllListed() throws IOException {
    assumeTrue(Files.exists(page()), "the page is not here");
    String text = Files.readString(page());
    for (ExitStatus status : ExitStatus.values()) {
      String row = "| " + status.code() + " | " + status.meaning() + " |";
      assertTrue(text.contains(row), "missing: " + row);
    }
  }

  /** But for those that every command has. */
  @Test
  void optionsOfVerifyAreAllListed() throws IOException {
    assumeTrue(Files.exists(page()), "the page is not here");
    String text = Files.readString(page());
    int from = text.indexOf("## Verify a region");
    String section = text.substring(from, text.indexOf("\n## ", from + 1));
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    CommandLine line = Magpie.commandLine(new Magpie(), nowhere, nowhere);
    int options = 0;
    for (OptionSpec option : line.getSubcommands().get("verify").getCommandSpec().options()) {
      if (!option.inherited() && !option.usageHelp() && !option.versionHelp()) {
        for (String name : option.names()) {
          assertTrue(section.matches("(?s).*`" + name + "\\b.*"), "missing: " + name);
          options++;
        }
      }
    }
    assertTrue(options >= 20, options + " options");
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    assumeTrue(Files.isDirectory(page().resolveSibling("stm-kernels")), "not a clone");
    for (Path page : pages()) {
      Matcher link = Pattern.compile("]\\(([^)#:]+)\\)").matcher(Files.readString(page));
      while (link.find()) {
        Path target = page.resolveSibling(link.group(1));
        assertTrue(Files.exists(target), page + " links to " + target);
      }
    }
  }

  @Test
  void everyTutorialHasAPage() throws IOException {
    for (Path folder : tutorials()) {
      assertTrue(Files.exists(folder.resolve("README.md")), folder + " has no README.md");
    }
  }
}
