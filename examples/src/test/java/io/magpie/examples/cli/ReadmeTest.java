package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.verification.mutation.Mutant;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What the pages for readers show is what there is: every Markdown file of the clone, wherever it
 * lies.
 */
class ReadmeTest {
  /** The clone: what it holds, built files and hidden folders left out, by path from its root. */
  private static final Map<Path, Path> FILES = new TreeMap<>();

  private static final Path ROOT =
      Path.of(System.getProperty("magpie.basedir")).toAbsolutePath().normalize().getParent();

  private static final int LARGEST_PICTURE = 60 * 1024;

  @TempDir Path folder;

  @BeforeAll
  static void lookAround() throws IOException {
    assumeTrue(Files.isDirectory(ROOT.resolve("stm-kernels/src/test")), "not a clone");
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            String name = dir.getFileName().toString();
            return !dir.equals(ROOT) && (name.startsWith(".") || name.equals("target"))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            FILES.put(ROOT.relativize(file), file);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** A page by its path from the root, and what it says. */
  private record Page(Path path, String text) {
    static Page of(String path) throws IOException {
      return new Page(Path.of(path), Files.readString(ROOT.resolve(path)));
    }

    /** The matches of a pattern. */
    List<MatchResult> all(String pattern) {
      return Pattern.compile(pattern, Pattern.MULTILINE).matcher(text).results().toList();
    }

    List<String> blocks(String language) {
      return all("^```" + language + "\n((?s:.*?))^```$").stream()
          .map(block -> block.group(1))
          .toList();
    }

    /** What a link leads to, by its path from the root. */
    Path target(String link) {
      Path folder = path.getParent();
      return (folder == null ? Path.of(link) : folder.resolve(link)).normalize();
    }

    /** What links to a heading of this page have behind the #, as GitHub makes it. */
    Set<String> anchors() {
      return all("^#+ (.*)$").stream()
          .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
          .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
          .collect(Collectors.toSet());
    }
  }

  private static List<Page> pages() throws IOException {
    List<Page> pages = new ArrayList<>();
    for (Path path : FILES.keySet()) {
      if (path.toString().endsWith(".md")) {
        pages.add(Page.of(path.toString()));
      }
    }
    assertTrue(pages.size() >= 15, pages.size() + " pages");
    return pages;
  }

  /** Everything that files say which are compiled, of those suffixes. */
  private static String sources(String suffixes) throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path path : FILES.keySet()) {
      if (path.toString().matches(".*\\.(" + suffixes + ")")) {
        all.append(Files.readString(FILES.get(path)));
      }
    }
    return all.toString();
  }

  private static CommandLine parser() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return Magpie.commandLine(new Magpie(), nowhere, nowhere);
  }

  @Test
  void everyModuleAndTutorialHasAPageAndEveryPageIsReachedFromTheFirst() throws IOException {
    Set<Path> unreached = new TreeSet<>();
    pages().forEach(page -> unreached.add(page.path()));
    for (Path path : FILES.keySet()) {
      if (path.endsWith("pom.xml") || path.toString().matches("examples/\\d\\d-[^/]*/.*")) {
        Path page = path.resolveSibling("README.md");
        assertTrue(FILES.containsKey(page), page + " is missing");
      }
    }
    Deque<Path> next = new ArrayDeque<>(List.of(Path.of("README.md")));
    while (!next.isEmpty()) {
      Path path = next.remove();
      if (unreached.remove(path)) {
        Page page = Page.of(path.toString());
        page.all("]\\(([^)#:]+\\.md)").forEach(link -> next.add(page.target(link.group(1))));
      }
    }
    assertEquals(Set.of(), unreached, "no page leads to these");
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    for (Page page : pages()) {
      for (MatchResult link : page.all("]\\(([^)#:]*)(?:#([^)]*))?\\)")) {
        String shown = page.path() + " links to " + link.group().substring(2);
        Path target = link.group(1).isEmpty() ? page.path() : page.target(link.group(1));
        assertTrue(Files.exists(ROOT.resolve(target)), shown);
        if (link.group(2) != null) {
          assertTrue(Page.of(target.toString()).anchors().contains(link.group(2)), shown);
        }
      }
    }
  }

  @Test
  void codeIsQuotedFromFilesThatAreCompiled() throws IOException {
    String regions = sources("cu|cuh|hpp");
    String programs = sources("java");
    String poms = sources("xml");
    int quoted = 0;
    for (Page page : pages()) {
      for (String block : page.blocks("cpp")) {
        assertTrue(regions.contains(block), page.path() + " shows what no region has:\n" + block);
        quoted++;
      }
      for (String block : page.blocks("java")) {
        assertTrue(programs.contains(block), page.path() + " shows what no program has:\n" + block);
        quoted++;
      }
      for (String block : page.blocks("xml")) {
        assertTrue(poms.contains(block), page.path() + " shows what no pom has:\n" + block);
        quoted++;
      }
    }
    assertTrue(quoted >= 10, "only " + quoted + " quotes were found");
  }

  @Test
  void commandsAreUnderstood() throws IOException {
    CommandLine parser = parser();
    int commands = 0;
    for (Page page : pages()) {
      for (MatchResult line : page.all("^(?:\\$ )?examples/magpie (.*)$")) {
        String[] words = line.group(1).split(" ");
        assertDoesNotThrow(() -> parser.parseArgs(words), () -> page.path() + ": " + line.group(1));
        commands++;
      }
    }
    assertTrue(commands >= 30, "only " + commands + " commands were found");
  }

  @Test
  void exitStatusesAreAllListed() throws IOException {
    Page page = Page.of("examples/README.md");
    for (ExitStatus status : ExitStatus.values()) {
      String row = "| " + status.code() + " | " + status.meaning() + " |";
      assertTrue(page.text().contains(row), "missing: " + row);
    }
  }

  @Test
  void commandsAreAllListed() throws IOException {
    Page page = Page.of("examples/README.md");
    for (String command : Registered.commands().keySet()) {
      assertTrue(page.text().contains("| `magpie " + command + "` |"), "missing: " + command);
    }
  }

  /** On the first page among the commands, and in the table of the module's. */
  @Test
  void algorithmsAreAllListed() throws IOException {
    Page first = Page.of("README.md");
    Page module = Page.of("algorithms/README.md");
    for (String algorithm : Registered.algorithms().keySet()) {
      assertEquals(
          1,
          first.all("^[|] .*`(magpie )?" + algorithm + "`.* [|] runs the algorithms\\b").size(),
          first.path() + " lacks `" + algorithm + "` in the row of commands that run algorithms");
      assertEquals(
          1,
          module.all("^[|] .* [|] `magpie " + algorithm + "` [|]").size(),
          module.path() + " lacks a row of `magpie " + algorithm + "`");
    }
  }

  /** The pages of commands with a table of options: of each algorithm, and of one more command. */
  private static Map<String, Page> pagesOfOptions() throws IOException {
    Page list = Page.of("examples/README.md");
    Map<String, Page> pages = new TreeMap<>();
    for (String algorithm : Registered.algorithms().keySet()) {
      List<MatchResult> links =
          list.all("^[|] `magpie " + algorithm + "` [|].*[|] \\[[^]]*]\\(([^)#]*[.]md)\\) [|]$");
      assertEquals(
          1,
          links.size(),
          list.path() + " has no row of " + algorithm + " that ends with its page");
      pages.put(algorithm, Page.of(list.target(links.get(0).group(1)).toString()));
    }
    pages.put("verify", Page.of("verification/docs/command.md"));
    return pages;
  }

  /** But for those that every command has. */
  @Test
  void optionsAreAllListed() throws IOException {
    Map<String, CommandLine> commands = parser().getSubcommands();
    int options = 0;
    for (Map.Entry<String, Page> described : pagesOfOptions().entrySet()) {
      Page page = described.getValue();
      for (OptionSpec option : commands.get(described.getKey()).getCommandSpec().options()) {
        boolean ofTests = option.longestName().equals("--wheel"); // of a kind that tests add
        if (!option.inherited() && !option.usageHelp() && !option.versionHelp() && !ofTests) {
          for (String name : option.names()) {
            assertTrue(
                page.text().matches("(?s).*`" + name + "\\b.*"), page.path() + " lacks " + name);
            options++;
          }
        }
      }
    }
    assertTrue(options >= 150, options + " options");
  }

  /**
   * With {@code -Dmagpie.pages.write=true} the rows are written again. Each keeps its meaning, and
   * a new one has the words of its setting.
   */
  @Test
  void rowsOfSettingsHaveTheirValuesAndConditions() throws IOException {
    Map<String, CommandLine> commands = parser().getSubcommands();
    Map<String, Page> pages = pagesOfOptions();
    Set<String> missing = new TreeSet<>();
    int rows = 0;
    for (Map.Entry<String, Options<?>> algorithm : Registered.algorithms().entrySet()) {
      Map<String, String> wordsOfRows = new LinkedHashMap<>();
      for (Setting<?> setting : algorithm.getValue().settings()) {
        if (setting.written()) {
          wordsOfRows.put(row(setting, commands.get(algorithm.getKey())), setting.decides());
        }
      }
      Page page = pages.get(algorithm.getKey());
      if (Boolean.getBoolean("magpie.pages.write")) {
        page = new Page(page.path(), withRows(page, wordsOfRows));
        Files.writeString(ROOT.resolve(page.path()), page.text());
      }
      for (String row : wordsOfRows.keySet()) {
        if (!page.text().contains("\n" + row)) {
          missing.add(page.path() + ": " + row);
        }
        rows++;
      }
    }
    assertEquals(
        "",
        String.join("\n", missing),
        "rows that pages lack, up to the meaning; -Dmagpie.pages.write=true writes them");
    assertTrue(rows >= 50, rows + " rows");
  }

  /** A page with these rows in its table of options; a new one follows on the one before it. */
  private static String withRows(Page page, Map<String, String> wordsOfRows) {
    List<String> lines = new ArrayList<>(page.text().lines().toList());
    String head = "| option | values | only with | meaning |";
    assertTrue(lines.contains(head), page.path() + " has no table with the head " + head);
    int begin = lines.indexOf(head) + 2;
    int end = begin;
    while (end < lines.size() && lines.get(end).startsWith("|")) {
      end++;
    }
    List<String> table = lines.subList(begin, end);
    int next = 0;
    for (Map.Entry<String, String> row : wordsOfRows.entrySet()) {
      String option = row.getKey().substring(0, row.getKey().indexOf(" | ") + 3);
      List<String> old = table.stream().filter(line -> line.startsWith(option)).toList();
      if (old.isEmpty()) {
        table.add(next++, row.getKey() + row.getValue() + " |");
      } else {
        next = table.indexOf(old.get(0)) + 1;
        String meaning = old.get(0).replaceFirst("^([|][^|]*){3}[|] ", "");
        table.set(next - 1, row.getKey() + meaning);
      }
    }
    return String.join("\n", lines) + "\n";
  }

  /**
   * A setting's row up to its meaning: the option, its values, and what it needs to have effect.
   */
  private static <V> String row(Setting<V> setting, CommandLine command) {
    OptionSpec own = command.getCommandSpec().findOption("--" + setting.name());
    String option =
        own == null
            ? "`" + optionOfMany(command) + " " + setting.name() + "=`"
            : Arrays.stream(own.names()).map(ReadmeTest::code).collect(Collectors.joining(", "));
    String byDefault = code(setting.write(setting.byDefault())) + " (default)";
    String values =
        setting.listed()
            ? setting.all().stream()
                .skip(1)
                .map(value -> ", " + code(setting.write(value)))
                .collect(Collectors.joining("", byDefault, ""))
            : (setting.required() ? "required" : byDefault) + "; " + setting.allowed();
    String needed = setting.condition().onCommandLine();
    String condition = needed.isEmpty() ? "" : code(needed.replaceAll("( or | with |, )", "`$1`"));
    return Stream.of(option, values, condition)
        .map(cell -> cell.isEmpty() ? "| " : "| " + cell + " ")
        .collect(Collectors.joining("", "", "| "));
  }

  /** The option that takes {@code NAME=VALUE} for settings that have none of their own. */
  private static String optionOfMany(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .filter(option -> option.typeInfo().isMap())
        .findFirst()
        .orElseThrow()
        .longestName();
  }

  private static String code(String text) {
    return "`" + text + "`";
  }

  /** What the pages show behind a command is what it prints, but for times and races. */
  @Test
  void runsPrintWhatIsShown() throws IOException {
    Tutorials.makeKnown();
    int runs = 0;
    for (Page page : pages()) {
      for (MatchResult block : page.all("^```text\n\\$ examples/magpie (.*)\n((?s:.*?))^```$")) {
        String[] words = block.group(1).replace("examples/02-", ROOT + "/examples/02-").split(" ");
        CommandRun run = printed(words);
        assumeTrue(run.status() != ExitStatus.DEVICE_UNAVAILABLE.code(), run.err()); // no compiler
        String said = run.out().replace(ROOT + "/examples/02-", "examples/02-");
        boolean explored = words[0].equals("verify");
        assertEquals(
            explored ? withoutNumbers(block.group(2)) : repeatable(block.group(2)),
            explored ? withoutNumbers(said) : repeatable(said),
            () -> page.path() + ": " + block.group(1));
        runs++;
      }
    }
    assertTrue(runs >= 6, runs + " runs");
  }

  private static CommandRun printed(String... words) {
    System.setProperty(BuildInfo.COMMAND, "examples/magpie");
    try {
      return CommandRun.of(words);
    } finally {
      System.clearProperty(BuildInfo.COMMAND);
    }
  }

  /** What the simulator prints, and what of an algorithm's run depends on no machine. */
  private static String repeatable(String output) {
    return Arrays.stream(output.strip().split("\n\n"))
        .filter(paragraph -> !paragraph.startsWith("region transfer on cpu"))
        .map(paragraph -> paragraph.replaceAll("(?m)^(device|time|aborts) .*\n?", ""))
        .map(paragraph -> paragraph.replaceAll(" in [\\d.,]+ ms", ""))
        .collect(Collectors.joining("\n\n"));
  }

  private static String withoutNumbers(String output) {
    return output
        .strip()
        .replaceAll("explicit:[0-9@,]+", "explicit:#")
        .replaceAll("choices? other than", "choices other than")
        .replaceAll("[0-9][0-9,.]*", "#")
        .replaceAll(" +", " ");
  }

  /** Each is made by a command that a page shows; up to roundings, which machines may differ in. */
  @Test
  void picturesAreSmallAndMadeByTheCommandsShown() throws IOException {
    Map<String, String> commands = new TreeMap<>();
    Set<String> ofProjects = new TreeSet<>(); // whose own tests make them again
    Set<String> shown = new TreeSet<>();
    for (Page page : pages()) {
      for (MatchResult line : page.all("^examples/magpie (.* --png (\\S+\\.png).*)$")) {
        String other = commands.put(line.group(2), line.group(1));
        assertTrue(
            other == null || other.equals(line.group(1)),
            () -> page.path() + " makes " + line.group(2) + " by another command than " + other);
      }
      page.all("^mvn -B -f (\\S+) .* -Dexec.args=\"\\S+ (\\1/\\S+\\.png)\"$")
          .forEach(line -> ofProjects.add(line.group(2)));
      page.all("!\\[[^]]*]\\(([^)]*)\\)")
          .forEach(link -> shown.add(page.target(link.group(1)).toString()));
    }
    for (Path path : FILES.keySet()) {
      if (path.toString().endsWith(".png")) {
        assertTrue(shown.contains(path.toString()), "no page shows " + path);
      }
    }
    for (String picture : shown) {
      Path file = ROOT.resolve(picture);
      assertTrue(Files.size(file) <= LARGEST_PICTURE, Files.size(file) + " bytes: " + picture);
      if (ofProjects.contains(picture)) {
        continue;
      }
      assertNotNull(commands.get(picture), "no page says how " + picture + " is made");
      Path made = folder.resolve("picture.png");
      String command =
          commands
              .get(picture)
              .replace(picture, made.toString())
              .replace("--region ", "--region " + ROOT + "/");
      CommandRun run = CommandRun.of(command.split(" "));
      assumeTrue(run.status() != ExitStatus.DEVICE_UNAVAILABLE.code(), run.err()); // no compiler
      // What is wrong with a region is drawn as well.
      boolean wrong = run.status() == ExitStatus.VIOLATION.code() && command.startsWith("verify ");
      run.expect(wrong ? ExitStatus.VIOLATION : ExitStatus.OK);
      int pixels = Pixels.of(file).count();
      int different = Pixels.of(file).different(Pixels.of(made));
      assertTrue(
          different <= pixels / 100, different + " of " + pixels + " pixels differ: " + picture);
    }
    assertTrue(shown.size() >= 6, shown.toString());
  }

  /** Apart, as a bundle's runtime has no pictures. */
  private record Pixels(BufferedImage image) {
    static Pixels of(Path file) throws IOException {
      return new Pixels(ImageIO.read(file.toFile()));
    }

    int count() {
      return image.getWidth() * image.getHeight();
    }

    int different(Pixels other) {
      assertEquals(image.getWidth(), other.image.getWidth());
      assertEquals(image.getHeight(), other.image.getHeight());
      int different = 0;
      for (int y = 0; y < image.getHeight(); y++) {
        for (int x = 0; x < image.getWidth(); x++) {
          different += image.getRGB(x, y) == other.image.getRGB(x, y) ? 0 : 1;
        }
      }
      return different;
    }
  }

  @Test
  void theNumberOfMutantsIsThatOfTheLibrary() throws IOException {
    String header =
        Files.readString(ROOT.resolve("stm-kernels/src/main/cuda/magpie/stm/detail/mutants.cuh"));
    String list = header.substring(header.indexOf("enum class mutant {"), header.indexOf("};"));
    long all = Pattern.compile("(?m)^  [a-z_]+,$").matcher(list).results().count() - 1; // none
    String text = Page.of("verification/README.md").text();
    assertTrue(text.contains("[" + all + " ways to break the protocols]"), all + " mutants");
    assertTrue(
        text.contains("the " + Mutant.values().length + " that a single launch can show"),
        Mutant.values().length + " of them in one launch");
  }

  /** The table of mutants is short for the record, and has all mutants. */
  @Test
  void mutantsAreThoseOfTheRecord() throws IOException {
    Page page = Page.of("verification/docs/mutants.md");
    List<String> lines = Files.readAllLines(ROOT.resolve("examples/results/sim-mutants.csv"));
    List<String> head = cells(lines.get(0));
    Map<String, List<String>> rows = new TreeMap<>();
    for (String line : lines.subList(1, lines.size())) {
      List<String> cells = cells(line);
      String row = cells.get(head.indexOf("mutant")) + " | " + cells.get(head.indexOf("rule"));
      List<String> found = rows.computeIfAbsent(row, r -> new ArrayList<>(List.of("", "")));
      String killedBy = cells.get(head.indexOf("killed_by"));
      boolean handOff = cells.get(head.indexOf("policy")).equals("hand_off");
      found.set(
          handOff ? 0 : 1,
          killedBy.isEmpty()
              ? "nothing"
              : String.format(
                  Locale.ROOT,
                  "%s, %s, %,d",
                  killedBy,
                  cells.get(head.indexOf("strategy")),
                  Integer.parseInt(cells.get(head.indexOf("runs_to_kill")))));
    }
    rows.forEach(
        (row, found) -> {
          String shown = "| " + row + " | " + String.join(" | ", found) + " |";
          assertTrue(page.text().contains(shown), "missing: " + shown);
        });
    Set<String> recorded = new HashSet<>();
    rows.keySet().forEach(row -> recorded.add(row.substring(0, row.indexOf(" | "))));
    recorded.addAll(mutantsToCompare(page));
    for (Mutant mutant : Mutant.values()) {
      assertTrue(recorded.contains(EnumOption.name(mutant)), mutant + " is not in the record");
    }
  }

  /** Of the policies to compare with: a row for each mutant and policy. Gives the mutants. */
  private static Set<String> mutantsToCompare(Page page) throws IOException {
    Path record = ROOT.resolve("examples/results/sim-mutants-compared.csv");
    List<String> lines = Files.readAllLines(record);
    List<String> head = cells(lines.get(0));
    Set<String> mutants = new HashSet<>();
    for (String line : lines.subList(1, lines.size())) {
      List<String> cells = cells(line);
      String mutant = cells.get(head.indexOf("mutant"));
      String killedBy = cells.get(head.indexOf("killed_by"));
      String found =
          killedBy.isEmpty()
              ? "nothing"
              : String.format(
                  Locale.ROOT,
                  "%s, %s, %,d",
                  killedBy,
                  cells.get(head.indexOf("strategy")),
                  Integer.parseInt(cells.get(head.indexOf("runs_to_kill"))));
      String shown =
          String.format("| %s | `%s` | %s |", mutant, cells.get(head.indexOf("policy")), found);
      assertTrue(page.text().contains(shown), "missing: " + shown);
      mutants.add(mutant);
    }
    return mutants;
  }

  /** The cells of a line of CSV; a quoted one has no quotes within here. */
  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    Matcher cell = Pattern.compile("(?:^|,)(?:\"([^\"]*)\"|([^,]*))").matcher(line);
    while (cell.find()) {
      cells.add(cell.group(1) != null ? cell.group(1) : cell.group(2));
    }
    return cells;
  }
}
