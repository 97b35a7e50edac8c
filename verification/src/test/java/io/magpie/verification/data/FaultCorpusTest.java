package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Exploration;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.WorkloadSubject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Regions that are wrong on purpose, each with the finding that it must give, its field and its
 * line; and right ones that look wrong. Their files say what is expected.
 */
@Tag("slow") // compiles each region; VerifyCommandTest has one
class FaultCorpusTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");
  private static final long RUNS = 300;

  static Stream<Path> wrong() {
    return files("wrong");
  }

  static Stream<Path> right() {
    return files("right");
  }

  private static Stream<Path> files(String folder) {
    try (Stream<Path> all = Files.list(REGIONS.resolve(folder))) {
      return all.filter(file -> file.toString().endsWith(".cu")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a file says behind a word. */
  private static String said(Path file, String word) throws IOException {
    String prefix = "// " + word + ": ";
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(prefix))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(file + " has no line " + prefix))
        .substring(prefix.length());
  }

  /** What the first run shows, or the first of those that a strategy tries. */
  private static List<Violation> explored(Path file) throws IOException {
    Map<String, ArgumentSpec> arguments = new LinkedHashMap<>();
    for (String each : said(file, "arguments").split(" ")) {
      String[] parts = each.split("=", 2);
      arguments.put(parts[0], ArgumentSpec.parse(parts[1]));
    }
    try (Device device = Device.open("sim:0:4");
        RegionWorkload workload = new RegionWorkload(device, file, null, arguments);
        WorkloadSubject subject =
            new WorkloadSubject(
                workload,
                StmOptions.defaults().withStatistics(false),
                Long.parseLong(said(file, "items")))) {
      List<Violation> first = subject.defaultRun().violations();
      if (!first.isEmpty()) {
        return first;
      }
      Exploration done = Explorer.explore(subject, Strategy.parse("pct:2"), RUNS, 1);
      assertTrue(subject.checksData());
      boolean vacuous = done.tally().commits() == 0 && !subject.itemsMeet();
      assertEquals(said(file, "expect").equals("vacuous"), vacuous, "vacuous");
      return done.counterexample().map(found -> found.violations()).orElse(List.of());
    }
  }

  @Test
  void thereAreEnough() {
    assertTrue(wrong().count() >= 40, "wrong regions");
    assertTrue(right().count() >= 20, "right regions");
  }

  @ParameterizedTest
  @MethodSource
  void wrong(Path file) throws IOException {
    List<Violation> violations = explored(file);
    String expected = said(file, "expect");
    if (expected.equals("vacuous")) {
      assertEquals(List.of(), violations);
      return;
    }
    assertFalse(violations.isEmpty(), "no violation in " + RUNS + " runs");
    Violation found = violations.get(0);
    String[] parts = expected.split(" at ");
    assertEquals(
        parts[0], found.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '), found.text());
    assertTrue(found.text().contains(parts[1] + "["), found.text());
    List<String> lines = Files.readAllLines(file);
    int here = 0;
    while (here < lines.size() && !lines.get(here).endsWith("// here")) {
      here++;
    }
    assertTrue(
        found.text().contains("(" + file.getFileName() + ":" + (here + 1) + ")"),
        "line " + (here + 1) + " is not in: " + found.text());
  }

  @ParameterizedTest
  @MethodSource
  void right(Path file) throws IOException {
    assertEquals(List.of(), explored(file));
  }
}
