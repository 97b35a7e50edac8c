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
import java.util.ArrayList;
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
 * Regions of {@link FaultCorpusTest} in recorded runs on processors. Where every access is seen,
 * wrong ones are found by name and place, as on the simulator. Where none is but by transactions,
 * as on a GPU, most show by what they do, in the way that their heads say. The right ones, all of
 * them, show nothing. The script {@code recorded.sh} does the same by the command.
 */
@Tag("slow") // compiles all regions; RecordedRunsTest and VerifyCommandTest have one
class RecordedFaultsTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");

  private static Device device;
  private static final Map<Path, KernelModule> TRACED = new HashMap<>();
  private static final Map<Path, KernelModule> UNTRACED = new HashMap<>();

  @BeforeAll
  static void compile(@TempDir Path folder) throws IOException {
    device = Device.open("cpu-checked:4"); // modules for it compile faster
    List<Path> all = new ArrayList<>(RecordedCorpus.files(REGIONS.resolve("wrong")));
    all.addAll(RecordedCorpus.files(REGIONS.resolve("right")));
    // Larger logs, which none of these regions needs, would double the time of compilers.
    Runs traced = new Runs(Policy.HAND_OFF, true, true);
    TRACED.putAll(
        RecordedCorpus.compiled(
            device, Files.createDirectory(folder.resolve("traced")), all, traced));
    UNTRACED.putAll(
        RecordedCorpus.compiled(
            device,
            Files.createDirectory(folder.resolve("untraced")),
            wrongByEffects().stream().map(REGIONS.resolve("wrong")::resolve).toList(),
            new Runs(traced.policy(), traced.oneLaunch(), false)));
  }

  @AfterAll
  static void close() {
    TRACED.values().stream().distinct().forEach(KernelModule::close);
    UNTRACED.values().stream().distinct().forEach(KernelModule::close);
    device.close();
  }

  private static List<String> names(String folder) throws IOException {
    return RecordedCorpus.files(REGIONS.resolve(folder)).stream()
        .map(file -> file.getFileName().toString())
        .toList();
  }

  static List<String> wrong() throws IOException {
    return names("wrong");
  }

  /** That all runs were vacuous shows when they have ended. */
  private static Found found(KernelModule module, Path file, boolean vacuous) {
    return vacuous ? RecordedCorpus.hold(module, file) : RecordedCorpus.find(module, file);
  }

  /** As on the simulator, by kind, field and line. */
  @ParameterizedTest
  @MethodSource
  void wrong(String name) {
    Path file = REGIONS.resolve("wrong").resolve(name);
    String[] expected = RecordedCorpus.said(file, "expect").split(" at ");
    boolean vacuous = expected[0].equals(Kind.VACUOUS_RUN.words());
    Found found = found(TRACED.get(file), file, vacuous);
    assertFalse(found.violations().isEmpty(), "nothing in " + found.runs() + " runs");
    Violation first = found.violations().get(0);
    assertTrue(is(first, expected), () -> first + "\nis not " + List.of(expected));
    assertTrue(first.text().contains("\nremedy: "), first::text);
    if (!vacuous) {
      String place = "(" + name + ":" + RecordedCorpus.line(file) + ")";
      assertTrue(first.text().contains(place), () -> place + " is not in " + first.text());
    }
  }

  /** Regions whose faults, as their heads say, every recorded run of some length shows. */
  static List<String> wrongByEffects() throws IOException {
    return RecordedCorpus.files(REGIONS.resolve("wrong")).stream()
        .filter(file -> Collections.disjoint(recorded(file), List.of("nothing", "unfinished")))
        .map(file -> file.getFileName().toString())
        .toList();
  }

  /** Kinds that may be found, each with its field where that is known. */
  private static List<String> recorded(Path file) {
    String without = RecordedCorpus.said(file, "recorded").replaceFirst(" \\(.*", "");
    return Arrays.asList(without.split(" or "));
  }

  @Test
  void mostAreFoundByEffects() throws IOException {
    assertTrue(wrongByEffects().size() >= 30, () -> "only the heads of these say so");
  }

  @ParameterizedTest
  @MethodSource
  void wrongByEffects(String name) {
    Path file = REGIONS.resolve("wrong").resolve(name);
    List<String> expected = recorded(file);
    boolean vacuous = expected.contains(Kind.VACUOUS_RUN.words());
    Found found = found(UNTRACED.get(file), file, vacuous);
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
    return names("right");
  }

  /** By what they do, too: that is compared in both. */
  @ParameterizedTest
  @MethodSource
  void right(String name) {
    Path file = REGIONS.resolve("right").resolve(name);
    Found found = RecordedCorpus.hold(TRACED.get(file), file);
    assertEquals(List.of(), found.violations(), "run " + found.runs());
  }
}
