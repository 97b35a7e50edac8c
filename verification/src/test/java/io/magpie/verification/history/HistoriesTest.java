package io.magpie.verification.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistoriesTest {
  private static History parse(String text) throws IOException {
    return Histories.read(new StringReader(text), "test");
  }

  @Test
  void aFileHoldsAHistory(@TempDir Path folder) throws IOException {
    HistoryGenerators.Shape shape = new HistoryGenerators.Shape(40_000, 3, 50, 7, 0.5, 0.3, 5);
    History history = HistoryGenerators.correct(shape);
    Path file = folder.resolve("a.history");
    Histories.write(history, file);
    History again = Histories.read(file);
    assertEquals(history.size(), again.size());
    assertEquals(history.accesses(), again.accesses());
    assertEquals(Files.readString(file), Histories.toString(again));
  }

  @Test
  void everyFieldIsReadAndWritten() throws IOException {
    String text =
        "magpie-history 1\n"
            + "# thread item attempt rank outcome begin end accesses\n"
            + "0 4294967295 4294967295 4294967295 abort:239 0 9223372036854775807"
            + " r2147483647@4294967295 w0@0\n"
            + "- 0 1 0 cancel 7 7\n"
            + "2147483647 5 2 6 commit 1 2 w3@4294967295\n";
    History history = parse(text);
    assertEquals(3, history.size());
    assertEquals(0, history.thread(0));
    assertEquals(-1, history.item(0));
    assertEquals(-1, history.number(0));
    assertEquals(-1, history.rank(0));
    assertEquals(History.ABORT + 239, history.outcome(0));
    assertEquals(0, history.begin(0));
    assertEquals(Long.MAX_VALUE, history.end(0));
    assertEquals(Access.read(Integer.MAX_VALUE, -1), history.access(0, 0));
    assertEquals(Access.write(0, 0), history.access(0, 1));
    assertEquals(-1, history.thread(1));
    assertEquals(History.CANCEL, history.outcome(1));
    assertEquals(0, history.accessCount(1));
    assertEquals(History.COMMIT, history.outcome(2));
    assertEquals(text, Histories.toString(history));
  }

  @Test
  void commentsEmptyLinesAndTabsAreAllowed() throws IOException {
    History history = parse("magpie-history 1\n\n#\n \t0\t1 1 1 commit 0 0 r1@2 # and so on\n");
    assertEquals(1, history.size());
    assertEquals(Access.read(1, 2), history.access(0, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x 1 1 1 commit 0 0|x|a thread or -",
        "-1 1 1 1 commit 0 0|-1|a thread or -",
        "0 4294967296 1 1 commit 0 0|4294967296|an item",
        "0 1 0 1 commit 0 0|0|an attempt, from 1",
        "0 1 1 -1 commit 0 0|-1|a rank",
        "0 1 1 1 done 0 0|done|commit, cancel or abort:CAUSE with a cause of 0 to 239",
        "0 1 1 1 abort:240 0 0|abort:240|commit, cancel or abort:CAUSE with a cause of 0 to 239",
        "0 1 1 1 abort: 0 0|abort:|commit, cancel or abort:CAUSE with a cause of 0 to 239",
        "0 1 1 1 commit 9223372036854775808 0|9223372036854775808|a begin time",
        "0 1 1 1 commit 5 4|4|an end time, not before 5",
        "0 1 1 1 commit 5||an end time, not before 5",
        "0 1||an attempt, from 1",
      })
  void faultsOfFieldsAreNamed(String line, String token, String expected) {
    HistoryFormatException e =
        assertThrows(
            HistoryFormatException.class, () -> parse("magpie-history 1\n# first\n" + line));
    assertEquals(3, e.line());
    assertEquals(token, e.token());
    assertEquals(expected, e.expected());
    String found = token == null ? "the line ends" : "found \"" + token + '"';
    assertEquals("test:3: " + found + ", expected " + expected, e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"r", "r1", "x1@2", "r@2", "r1@", "r1@-2", "r2147483648@0", "w1@4294967296", "@"})
  void faultsOfAccessesAreNamed(String access) {
    HistoryFormatException e =
        assertThrows(
            HistoryFormatException.class,
            () -> parse("magpie-history 1\n0 1 1 1 commit 0 0 r1@1 " + access + " r1@1\n"));
    assertEquals(2, e.line());
    assertEquals(access, e.token());
  }

  @Test
  void theFirstLineSaysWhatItIs() {
    HistoryFormatException e =
        assertThrows(HistoryFormatException.class, () -> parse("magpie-history 2\n"));
    assertEquals(1, e.line());
    assertEquals("magpie-history 2", e.token());
    HistoryFormatException empty = assertThrows(HistoryFormatException.class, () -> parse(""));
    assertNull(empty.token());
  }
}
