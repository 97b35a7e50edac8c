package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.OptionSpec;

/**
 * No command replaces a file that it reads, by any option, neither by its name nor by a link.
 * Triangle's own arguments, which name no output, are in {@link TriangleCommandTest}.
 */
class InputIsKeptTest {
  private static final String CONTENT = "0 1\n1 2\n";

  /** Options with files that are read. */
  private static final Set<String> READ =
      Set.of(
          "--graph",
          "--digraph",
          "--bodies",
          "--cnf",
          "--constraints",
          "--mesh",
          "--poly",
          "--coordinates",
          "--evaluate",
          "--fixed",
          "--part-weights-file",
          "--history",
          "--picture",
          "--region");

  /** Commands that read nothing that an option could name again. */
  private static final Set<String> WITHOUT_INPUT =
      Set.of("generate", "mutants", "devices", "doctor");

  /**
   * A call that reads IN and writes to what an option names.
   *
   * @param words command and options, with {@code IN} in place of the file that is read
   * @param option of the output
   * @param suffix that the option's file needs
   */
  private record Case(String words, String option, String suffix) {
    /** The file that is read: with the output's suffix, for one name to be the other. */
    String input() {
      return "in" + (suffix.isEmpty() ? ".el" : suffix);
    }
  }

  private static void add(List<Case> cases, String words, String... options) {
    for (String option : options) {
      String suffix =
          switch (option) {
            case "--png" -> ".png";
            case "--svg" -> ".svg";
            case "--forest-out" -> ".el";
            default -> "";
          };
      cases.add(new Case(words, option, suffix));
    }
  }

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    String drawn = " --format el --coordinates none.xyz";
    for (String graph : List.of("--graph IN", "--input graph:IN")) {
      add(cases, "msf " + graph, "--out", "--json");
      add(cases, "msf " + graph + drawn, "--png");
      cases.add(new Case("convert " + graph, "--out", ".el"));
      add(cases, "partition -k 2 " + graph, "--out", "--json");
      add(cases, "partition -k 2 " + graph + drawn, "--png");
      add(cases, "components --output forest " + graph, "--out", "--forest-out", "--json");
      add(cases, "components " + graph + drawn, "--png");
      add(cases, "compare msf " + graph, "--json", "--csv");
      add(cases, "compare components " + graph, "--json", "--csv");
      add(cases, "compare partition --variants parts=2 " + graph, "--json", "--csv");
    }
    for (String graph :
        List.of("--graph IN", "--digraph IN", "--input graph:IN", "--input digraph:IN")) {
      add(cases, "paths " + graph, "--out", "--json");
      add(cases, "paths " + graph + drawn, "--png");
      add(cases, "compare paths " + graph, "--json", "--csv");
    }
    for (String bodies : List.of("--bodies IN", "--input bodies:IN")) {
      add(cases, "nbody " + bodies, "--png", "--json");
      cases.add(new Case("nbody " + bodies, "--out", ".tipsy"));
      add(cases, "compare nbody " + bodies, "--json", "--csv");
    }
    for (String constraints : List.of("--constraints IN", "--input constraints:IN")) {
      add(cases, "pointsto " + constraints, "--out", "--constraints-out", "--png", "--json");
      cases.add(new Case("pointsto " + constraints, "--names-out", ".ll")); // a program
      add(cases, "compare pointsto " + constraints, "--json", "--csv");
    }
    add(cases, "msf --graph IN --weights 1..9 --seed 7", "--out", "--json");
    add(cases, "msf --engine stream --graph IN", "--out", "--json");
    add(cases, "components --engine stream --graph IN", "--out", "--json");
    cases.add(new Case("convert --engine stream --graph IN", "--out", ".mpe"));
    String coordinates = "--graph none.el --coordinates IN";
    add(cases, "msf --png a.png " + coordinates, "--out", "--json");
    add(cases, "msf " + coordinates, "--png");
    add(cases, "partition -k 2 " + coordinates, "--png");
    add(cases, "components " + coordinates, "--png");
    add(cases, "paths " + coordinates, "--png");
    add(cases, "partition --graph none.el -k 2 --evaluate IN", "--json");
    add(cases, "partition --graph none.el -k 2 --fixed IN", "--out", "--json");
    add(cases, "partition --graph none.el -k 2 --part-weights-file IN", "--out", "--json");
    for (String formula : List.of("--cnf IN", "--input cnf:IN")) {
      add(cases, "sat " + formula, "--out", "--rest-out", "--formula-out", "--png", "--json");
      add(cases, "compare sat " + formula, "--json", "--csv");
    }
    for (String mesh : List.of("--mesh IN.off", "--poly IN.off", "--input mesh:IN.off")) {
      add(cases, "refine " + mesh, "--json", "--profile");
      add(cases, "refine --sync maximal-sets " + mesh, "--available-parallelism");
      add(cases, "compare refine " + mesh, "--json", "--csv");
    }
    add(cases, "refine --mesh IN.node", "--png", "--svg", "--json", "--profile");
    cases.add(new Case("refine --mesh IN.off", "--out", ".off"));
    add(cases, "verify --history IN", "--json", "--png");
    add(cases, "verify --items 3 --region IN", "--json", "--save", "--png");
    add(cases, "verify --items 3 --region IN#name", "--json", "--save", "--png");
    for (String argument :
        List.of("file:IN", "csr:IN", "csr.offsets:graph:IN", "fill:1:arcs(IN)")) {
      String words = "verify --items 3 --region none.cu --arg a=" + argument;
      add(cases, words, "--json", "--save", "--png");
    }
    add(cases, "verify --region none.cu --items vertices(IN)", "--json", "--save");
    cases.add(new Case("report IN", "--out", ".html"));
    cases.add(new Case("report none.jsonl --picture IN", "--out", ".html"));
    return cases;
  }

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("cases")
  void itsOwnFileIsRefused(Case each) throws IOException {
    Path input = Files.writeString(folder.resolve(input(each)), CONTENT);
    Path link = folder.resolve("link" + each.suffix());
    Files.createSymbolicLink(link, input.getFileName());
    Files.createSymbolicLink(folder.resolve("here"), Path.of("."));
    refuses(each, input, link);
    refuses(each, input, folder.resolve("here").resolve(link.getFileName()));
    if (input.toString().endsWith(each.suffix()) && !isBase(each)) {
      refuses(each, input, input);
    }
    assertEquals(CONTENT, Files.readString(input));
    assertEquals(
        Set.of(input.getFileName(), link.getFileName(), Path.of("here")),
        new TreeSet<>(list().stream().map(Path::getFileName).toList()));
  }

  /** What {@code IN} is with what stands behind it. */
  private static String input(Case each) {
    return each.words().contains("IN.off")
        ? "in.off"
        : each.words().contains("IN.node") ? "in.node" : each.input();
  }

  /** Whether the output is more than the file that is named, so this is refused otherwise. */
  private static boolean isBase(Case each) {
    return each.words().startsWith("refine") && each.option().equals("--out");
  }

  private List<Path> list() throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }

  private void refuses(Case each, Path input, Path output) {
    List<String> words = new ArrayList<>();
    for (String word : each.words().split(" ")) {
      words.add(
          word.replaceAll("IN(\\.off|\\.node)?", input.toString())
              .replaceAll("\\bnone\\.|\\ba\\.png", folder + "/$0"));
    }
    words.add(each.option());
    words.add(output.toString());
    CommandRun run = CommandRun.of(words.toArray(new String[0])).expect(ExitStatus.USAGE);
    String expected =
        each.option() + ": " + output + " would replace the input's own file " + input;
    assertTrue(run.err().contains(expected), () -> words + ":\n" + run.err());
    assertEquals("", run.out());
  }

  /** Every option of every command that names a file to write is above. */
  @Test
  void noOutputIsLeftOut() {
    Set<String> all = new TreeSet<>();
    Registered.commands()
        .forEach(
            (name, command) -> {
              for (OptionSpec option : command.getCommandSpec().options()) {
                if (option.paramLabel().matches("(.*\\b)?FILE\\b.*")
                    && !READ.contains(option.longestName())
                    && !WITHOUT_INPUT.contains(name)) {
                  all.add(name + " " + option.longestName());
                }
              }
            });
    Set<String> tested = new TreeSet<>();
    for (Case each : cases()) {
      tested.add(each.words().split(" ")[0] + " " + each.option());
    }
    assertEquals(tested, all);
  }
}
