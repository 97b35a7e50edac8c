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

/**
 * Regions of {@link FaultCorpusTest} in recorded runs on processors: those that are wrong show by
 * what they do, and right ones show nothing in many runs.
 */
@Tag("slow") // compiles each region; RecordedRunsTest and VerifyCommandTest have one
class RecordedFaultsTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");

  /** Until found; most are at once. */
  private static final long MILLIS_TO_FIND = 10_000;

  private static final long MILLIS_TO_HOLD = 500;

  /** All but those whose files say that recorded runs show nothing, or what they show instead. */
  static List<Path> wrong() throws IOException {
    return RecordedCorpus.files(REGIONS.resolve("wrong")).stream()
        .filter(file -> RecordedCorpus.recorded(file).isEmpty())
        .toList();
  }

  static List<Path> right() throws IOException {
    return RecordedCorpus.files(REGIONS.resolve("right"));
  }

  @ParameterizedTest
  @MethodSource
  void wrong(Path file) {
    Found found = RecordedCorpus.run("cpu:4", file, MILLIS_TO_FIND);
    assertFalse(found.violations().isEmpty(), "nothing in " + found.runs() + " runs");
    // A datum, a pool, or how an item ends.
    String text = found.violations().get(0).text();
    assertTrue(
        text.startsWith("item ")
            || RecordedCorpus.arguments(file).keySet().stream()
                .anyMatch(field -> text.contains(field + "[") || text.contains("'" + field + "'")),
        text);
  }

  @ParameterizedTest
  @MethodSource
  void right(Path file) {
    Found found = RecordedCorpus.run("cpu:4", file, MILLIS_TO_HOLD);
    assertEquals(List.of(), found.violations(), "run " + found.runs());
  }
}
