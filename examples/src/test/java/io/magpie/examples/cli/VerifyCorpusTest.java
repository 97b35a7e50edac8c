package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command that a newcomer types finds what is wrong with a region, with its field and line: on
 * {@code sim} without a strategy. {@code FaultCorpusTest} of the verification has all regions,
 * explored in the same way.
 */
class VerifyCorpusTest {
  private static final Path WRONG =
      Path.of(System.getProperty("magpie.basedir"), "../verification/src/test/regions/wrong");

  /** Findings that one access shows. */
  private static final Set<String> ONE_ACCESS = Set.of("wait", "no end", "bad handle", "leak");

  /** An access as findings tell it, with its datum. */
  private static final Pattern ACCESS =
      Pattern.compile(
          "\\b(reads|writes|updates|adds|leaves|takes|frees)\\b[^\\n;]*?\\b[\\w.]+\\[\\d+]");

  @ParameterizedTest
  @ValueSource(strings = {"stores_then_cancels"})
  void isFoundOnSim(String name) throws IOException {
    verified(name);
  }

  /**
   * Of each kind of finding one or two: each is compiled. By runs, which no slow machine cuts off.
   */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "neighbor_by_index",
        "neighbor_copied",
        "write_skew",
        "lost_update",
        "captured_local_grows",
        "counts_in_body",
        "frees_a_slot_twice",
        "handle_outlives_inner",
        "hint_decides",
        "hook_counts_failures",
        "loads_as_fixed_what_it_wrote",
        "reader_seeks_and_believes",
        "reads_a_freed_slot",
        "two_objects_for_one_datum",
        "visits_nobody",
        "waits_for_another"
      })
  void allKindsAreFoundOnSim(String name) throws IOException {
    verified(name, "--runs", "300");
  }

  private static void verified(String name, String... more) throws IOException {
    Path file = WRONG.resolve(name + ".cu");
    List<String> lines = Files.readAllLines(file);
    List<String> words = new ArrayList<>(List.of("verify", "--region", file.toString()));
    words.addAll(List.of("--device", "sim", "--items", said(lines, "items")));
    for (String argument : said(lines, "arguments").split(" ")) {
      words.addAll(List.of("--arg", argument));
    }
    words.addAll(List.of(more));
    CommandRun run = CommandRun.of(words.toArray(String[]::new));
    assumeTrue(run.status() != ExitStatus.DEVICE_UNAVAILABLE.code(), "there is no compiler");
    String[] expected = said(lines, "expect").split(" at ");
    run.expect(
        switch (expected[0]) {
          case "double free", "bad handle" -> ExitStatus.KERNEL_FAULT;
          case "vacuous run" -> ExitStatus.NOT_VERIFIED;
          default -> ExitStatus.VIOLATION;
        });
    int begin = run.out().indexOf("\n" + expected[0] + ": ");
    assertTrue(begin >= 0, run.out());
    String finding = run.out().substring(begin).split("\n\n", 2)[0];
    assertTrue(finding.contains("\nremedy: "), run.out());
    if (expected.length == 1) {
      return;
    }
    assertTrue(finding.contains(expected[1] + "["), run.out());
    if (!ONE_ACCESS.contains(expected[0])) {
      assertTrue(ACCESS.matcher(finding).results().count() >= 2, run.out());
    }
    int here = 1;
    while (!lines.get(here - 1).endsWith("// here")) {
      here++;
    }
    assertTrue(finding.contains("(" + name + ".cu:" + here + ")"), run.out());
  }

  /** What the head of a region's file says behind a word. */
  private static String said(List<String> lines, String word) {
    String prefix = "// " + word + ": ";
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line " + prefix));
  }
}
