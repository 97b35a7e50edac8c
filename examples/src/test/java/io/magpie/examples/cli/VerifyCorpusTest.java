package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        "reads_a_freed_slot",
        "two_objects_for_one_datum",
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
        expected[0].equals("double free") || expected[0].equals("bad handle")
            ? ExitStatus.KERNEL_FAULT
            : ExitStatus.VIOLATION);
    assertTrue(run.out().contains("\n" + expected[0] + ": "), run.out());
    assertTrue(run.out().contains(expected[1] + "["), run.out());
    int here = 1;
    while (!lines.get(here - 1).endsWith("// here")) {
      here++;
    }
    assertTrue(run.out().contains("(" + name + ".cu:" + here + ")"), run.out());
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
