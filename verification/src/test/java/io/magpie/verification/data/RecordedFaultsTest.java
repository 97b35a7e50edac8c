package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.verification.data.RecordedCorpus.Found;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.workload.RegionWorkload.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Regions of {@link FaultCorpusTest} in recorded runs on processors: most wrong ones show by what
 * they do, in the way that their heads say, and the right ones, all of them, show nothing. The
 * script {@code recorded.sh} does the same by the command.
 */
@Tag("slow") // compiles all regions; RecordedRunsTest and VerifyCommandTest have one
class RecordedFaultsTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");

  /** Until found; most are at once. */
  private static final long MILLIS_TO_FIND = 60_000;

  private static final long MILLIS_TO_HOLD = 200;

  private static Device device;
  private static Device checked; // modules for it compile faster
  private static final Map<Path, KernelModule> MODULES = new HashMap<>();

  @BeforeAll
  static void compile(@TempDir Path folder) throws IOException {
    device = Device.open("cpu:4");
    checked = Device.open("cpu-checked:4");
    Runs runs = Runs.recorded(Policy.HAND_OFF);
    MODULES.putAll(
        RecordedCorpus.compiled(
            device,
            Files.createDirectory(folder.resolve("wrong")),
            wrong().stream().map(REGIONS.resolve("wrong")::resolve).toList(),
            runs));
    MODULES.putAll(
        RecordedCorpus.compiled(
            checked,
            Files.createDirectory(folder.resolve("right")),
            right().stream().map(REGIONS.resolve("right")::resolve).toList(),
            runs));
  }

  @AfterAll
  static void close() {
    MODULES.values().stream().distinct().forEach(KernelModule::close);
    device.close();
    checked.close();
  }

  /** Regions whose faults, as their heads say, every recorded run of some length shows. */
  static List<String> wrong() throws IOException {
    return RecordedCorpus.files(REGIONS.resolve("wrong")).stream()
        .filter(file -> Collections.disjoint(expected(file), List.of("nothing", "unfinished")))
        .map(file -> file.getFileName().toString())
        .toList();
  }

  /** Kinds that may be found, each with its field where that is known. */
  private static List<String> expected(Path file) {
    String without = RecordedCorpus.said(file, "recorded").replaceFirst(" \\(.*", "");
    return Arrays.asList(without.split(" or "));
  }

  @Test
  void mostAreFound() throws IOException {
    assertTrue(wrong().size() >= 30, () -> "only the heads of these say so");
  }

  @ParameterizedTest
  @MethodSource
  void wrong(String name) {
    Path file = REGIONS.resolve("wrong").resolve(name);
    List<String> expected = expected(file);
    boolean vacuous = expected.contains(Kind.VACUOUS_RUN.words());
    Found found =
        RecordedCorpus.run(MODULES.get(file), file, vacuous ? MILLIS_TO_HOLD : MILLIS_TO_FIND);
    assertFalse(found.violations().isEmpty(), "nothing in " + found.runs() + " runs");
    Violation first = found.violations().get(0);
    assertTrue(
        expected.stream().anyMatch(each -> is(first, each.split(" at "))),
        () -> first + "\nis not " + expected);
    assertTrue(first.kind().isFault() || first.text().contains("\nremedy: "), first::text);
    // Recordings know the lines of accesses by transactions.
    if (first.kind() == Kind.GUARD_MISMATCH) {
      String line = "(line " + RecordedCorpus.line(file) + ")";
      assertTrue(first.text().contains(line), () -> line + " is not in " + first.text());
    }
  }

  /** Whether it is of a kind, and names a datum of a field or its pool, if there is one. */
  private static boolean is(Violation found, String[] expected) {
    String text = found.text();
    return found.kind().words().equals(expected[0])
        && (expected.length == 1
            || text.contains(expected[1] + "[")
            || text.contains("'" + expected[1] + "'"));
  }

  static List<String> right() throws IOException {
    return RecordedCorpus.files(REGIONS.resolve("right")).stream()
        .map(file -> file.getFileName().toString())
        .toList();
  }

  @ParameterizedTest
  @MethodSource
  void right(String name) {
    Path file = REGIONS.resolve("right").resolve(name);
    Found found = RecordedCorpus.run(MODULES.get(file), file, MILLIS_TO_HOLD);
    String said = RecordedCorpus.saidIfAny(file, "recorded").orElse("nothing");
    assertEquals(
        said.startsWith("vacuous run") ? List.of(Kind.VACUOUS_RUN) : List.of(),
        found.violations().stream().map(Violation::kind).toList(),
        "run " + found.runs());
  }
}
