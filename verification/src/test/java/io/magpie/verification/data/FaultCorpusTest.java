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
import io.magpie.verification.explore.Vacuity;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.RegionWorkload.Runs;
import io.magpie.verification.workload.WorkloadSubject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  /**
   * Kinds that one access shows: it is made again and again, or by a handle, or nobody makes the
   * other one.
   */
  private static final Set<Kind> OF_ONE_ACCESS =
      EnumSet.of(Kind.WAIT, Kind.NO_END, Kind.BAD_HANDLE, Kind.LEAK, Kind.FAULT);

  /** An access as findings tell it, with its datum. */
  private static final Pattern ACCESS =
      Pattern.compile(
          "\\b(reads|writes|updates|adds|leaves|takes|frees)\\b[^\\n;]*?\\b[\\w.]+\\[\\d+]");

  private static Device device;
  private static Device apart; // with warps of one lane, as the command takes where lanes meet
  private static final Map<Path, KernelModule> MODULES = new HashMap<>();

  @BeforeAll
  static void compile(@TempDir Path folder, @TempDir Path other) {
    device = Device.open("sim:0:4");
    apart = Device.open("sim:0:1");
    Runs runs = Runs.scheduled(Policy.HAND_OFF);
    List<Path> all = Stream.concat(wrong(), right()).toList();
    MODULES.putAll(RecordedCorpus.compiled(device, folder, all, runs));
    List<Path> meeting =
        all.stream().filter(file -> MODULES.get(file).region(name(file)).lanesMeet()).toList();
    MODULES.putAll(RecordedCorpus.compiled(apart, other, meeting, runs));
  }

  @AfterAll
  static void close() {
    MODULES.values().stream().distinct().forEach(KernelModule::close);
    device.close();
    apart.close();
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

  private static String name(Path file) {
    return file.getFileName().toString().replace(".cu", "");
  }

  private static String said(Path file, String word) throws IOException {
    return RecordedCorpus.said(file, word);
  }

  /**
   * What was found.
   *
   * @param violations what the first run shows, or the first of those that a strategy tries
   * @param open what the verdict leaves open, in the words of the command line
   */
  private record Found(List<Violation> violations, String open) {}

  private static Found explored(Path file) throws IOException {
    Map<String, ArgumentSpec> arguments = RecordedCorpus.arguments(file);
    try (RegionWorkload workload =
            new RegionWorkload(
                MODULES.get(file), name(file), arguments, (history, verdict) -> Optional.empty());
        WorkloadSubject subject =
            new WorkloadSubject(
                workload, StmOptions.defaults(), Long.parseLong(said(file, "items")), MOST_STEPS)) {
      List<Violation> first = subject.defaultRun().violations();
      if (!first.isEmpty()) {
        return new Found(first, "");
      }
      Exploration done = Explorer.explore(subject, Strategy.parse("pct:2"), RUNS, 1);
      assertTrue(subject.checksData());
      List<String> open = new ArrayList<>();
      if (!subject.itemsLeaveSomething()) {
        open.add("nothing was written");
      }
      if (!subject.itemsMeet()) {
        open.add("no two items met");
      }
      List<Violation> violations =
          done.counterexample()
              .map(found -> found.violations())
              .orElseGet(() -> Vacuity.of(done.tally()).stream().toList());
      return new Found(violations, String.join("; ", open));
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
    List<Violation> violations = explored(file).violations();
    assertFalse(violations.isEmpty(), "no violation in " + RUNS + " runs");
    Violation found = violations.get(0);
    String[] parts = said(file, "expect").split(" at ");
    assertEquals(parts[0], found.kind().words(), found.text());
    assertTrue(found.text().contains(String.format("%nremedy: ")), found.text());
    if (found.kind() == Kind.VACUOUS_RUN) {
      return;
    }
    if (parts.length > 1) {
      assertTrue(found.text().contains(parts[1] + "["), found.text());
    }
    String place = "(" + file.getFileName() + ":" + RecordedCorpus.line(file) + ")";
    assertTrue(found.text().contains(place), place + " is not in: " + found.text());
    assertTrue(
        OF_ONE_ACCESS.contains(found.kind()) || ACCESS.matcher(found.text()).results().count() >= 2,
        found.text());
  }

  /**
   * Their attempts fail in no run but the one in which each is first rolled back. Lanes of a warp
   * try again together, so that their items do not run one after the other.
   */
  @ParameterizedTest
  @CsvSource({
    "hook_counts_failures.cu, failures[0]",
    "state_is_set_in_part.cu, item 2 writes values.data[0]"
  })
  void aFindingOfTheRepeatedRunSaysSo(String file, String what) throws IOException {
    Violation found = explored(REGIONS.resolve("wrong").resolve(file)).violations().get(0);
    assertTrue(
        found
            .text()
            .startsWith("the same items, each attempt first made once and rolled back: " + what),
        found.text());
  }

  @Test
  void cancelsOfCommitsAreLaidToInnerTransactions() throws IOException {
    Path file = REGIONS.resolve("wrong").resolve("commits_after_inner_gave_up.cu");
    String text = explored(file).violations().get(0).text();
    assertTrue(text.contains("1,200 items were canceled, 1,200 of them although"), text);
  }

  @ParameterizedTest
  @MethodSource
  void right(Path file) throws IOException {
    Found found = explored(file);
    assertEquals(List.of(), found.violations());
    assertEquals(RecordedCorpus.saidIfAny(file, "left open").orElse(""), found.open());
  }
}
