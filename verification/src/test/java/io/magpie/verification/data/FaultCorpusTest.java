package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Exploration;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.RegionWorkload.Runs;
import io.magpie.verification.workload.WorkloadSubject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Regions that are wrong on purpose, each with the finding that it must give, its field and its
 * line; and right ones that look wrong. Their files say what is expected.
 */
@Tag("slow") // compiles all regions; VerifyCommandTest has one
class FaultCorpusTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");

  /** Of a run: some regions never end, and a tenth of the usual bound shows it as well. */
  private static final long MOST_STEPS = 1_000_000;

  private static final long RUNS = 300;

  /** Regions of a module: more cost less to compile, and more to find lines in. */
  private static final int MOST_TOGETHER = 12;

  private static Device device;
  private static final Map<Path, KernelModule> MODULES = new ConcurrentHashMap<>();

  /** Compiles some together, each as it is run here alone. */
  @BeforeAll
  static void compile(@TempDir Path folder) {
    device = Device.open("sim:0:4");
    List<Path> all = Stream.concat(wrong(), right()).toList();
    IntStream.rangeClosed(0, (all.size() - 1) / MOST_TOGETHER)
        .parallel()
        .forEach(
            part -> {
              int first = part * MOST_TOGETHER;
              List<Path> some = all.subList(first, Math.min(first + MOST_TOGETHER, all.size()));
              KernelModule module = compiled(folder.resolve("part" + part), some);
              some.forEach(file -> MODULES.put(file, module));
            });
  }

  private static KernelModule compiled(Path folder, List<Path> files) {
    List<String> lines = new ArrayList<>();
    try {
      Files.createDirectory(folder);
      for (Path file : files) {
        Files.copy(file, folder.resolve(file.getFileName()));
        lines.add("#include \"" + file.getFileName() + "\"");
      }
      Path all = Files.write(folder.resolve("all.cu"), lines);
      return device.compile(
          all, RegionWorkload.defines(device, null, Runs.scheduled(Policy.HAND_OFF)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void close() {
    MODULES.values().stream().distinct().forEach(KernelModule::close);
    device.close();
  }

  static Stream<Path> wrong() {
    return files("wrong");
  }

  static Stream<Path> right() {
    return files("right");
  }

  private static Stream<Path> files(String folder) {
    try {
      return RecordedCorpus.files(REGIONS.resolve(folder)).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String said(Path file, String word) throws IOException {
    return RecordedCorpus.said(file, word);
  }

  /** What the first run shows, or the first of those that a strategy tries. */
  private static List<Violation> explored(Path file) throws IOException {
    Map<String, ArgumentSpec> arguments = RecordedCorpus.arguments(file);
    String name = file.getFileName().toString().replace(".cu", "");
    try (RegionWorkload workload =
            new RegionWorkload(
                MODULES.get(file), name, arguments, (history, verdict) -> Optional.empty());
        WorkloadSubject subject =
            new WorkloadSubject(
                workload, StmOptions.defaults(), Long.parseLong(said(file, "items")), MOST_STEPS)) {
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
