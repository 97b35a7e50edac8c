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
 * The regions of {@link FaultCorpusTest} in recorded runs on processors: those that are wrong show
 * by what they do, and right ones show nothing in many runs.
 */
@Tag("slow") // compiles each region; VerifyCommandTest has one
class RecordedFaultsTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");

  /** Until found; most are at once. */
  private static final long MILLIS_TO_FIND = 20_000;

  private static final long MILLIS_TO_HOLD = 3_000;

  static List<Path> wrong() throws IOException {
    return RecordedCorpus.files(REGIONS.resolve("wrong"));
  }

  static List<Path> right() throws IOException {
    return RecordedCorpus.files(REGIONS.resolve("right"));
  }

  @ParameterizedTest
  @MethodSource
  void wrong(Path file) throws IOException {
    Found found = RecordedCorpus.run("cpu:4", file, MILLIS_TO_FIND);
    if (RecordedCorpus.hasNoEffect(file)) {
      return; // nothing is expected, only that it ends
    }
    assertFalse(found.violations().isEmpty(), "nothing in " + found.runs() + " runs");
    String field = RecordedCorpus.said(file, "expect").split(" at ")[1];
    String text = found.violations().get(0).text();
    assertTrue(text.contains(field + "[") || text.startsWith("item "), text);
  }

  @ParameterizedTest
  @MethodSource
  void right(Path file) throws IOException {
    for (String device : List.of("cpu:4", "cpu-checked:2")) {
      Found found = RecordedCorpus.run(device, file, MILLIS_TO_HOLD);
      assertEquals(List.of(), found.violations(), device + ", run " + found.runs());
    }
  }
}
