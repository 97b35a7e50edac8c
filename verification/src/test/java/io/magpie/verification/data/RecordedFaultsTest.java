package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.verification.data.RecordedCorpus.Found;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Regions of {@link FaultCorpusTest} in recorded runs on processors: some wrong ones show by what
 * they do, each in another way, and the right ones, all of them, show nothing. The script {@code
 * recorded.sh} has all wrong ones too.
 */
@Tag("slow") // compiles each region; RecordedRunsTest and VerifyCommandTest have one
class RecordedFaultsTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");

  /** Until found; most are at once. */
  private static final long MILLIS_TO_FIND = 60_000;

  private static final long MILLIS_TO_HOLD = 200;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lost_update",
        "two_objects_for_one_datum",
        "neighbor_by_index",
        "scratch_is_kept",
        "frees_a_slot_twice"
      })
  void wrong(String name) {
    Path file = REGIONS.resolve("wrong").resolve(name + ".cu");
    Found found = RecordedCorpus.run("cpu:4", file, MILLIS_TO_FIND);
    assertFalse(found.violations().isEmpty(), "nothing in " + found.runs() + " runs");
    // A datum or a pool.
    String text = found.violations().get(0).text();
    assertTrue(
        RecordedCorpus.arguments(file).keySet().stream()
            .anyMatch(field -> text.contains(field + "[") || text.contains("'" + field + "'")),
        text);
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
    // Compiles faster than cpu.
    Found found = RecordedCorpus.run("cpu-checked:4", file, MILLIS_TO_HOLD);
    assertEquals(List.of(), found.violations(), "run " + found.runs());
  }
}
