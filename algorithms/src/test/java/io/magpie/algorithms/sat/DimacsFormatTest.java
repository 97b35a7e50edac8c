package io.magpie.algorithms.sat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.sat.SurveyResult.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DimacsFormatTest {
  @TempDir Path folder;

  private Formula read(String text) throws IOException {
    return DimacsFormat.read(Files.writeString(folder.resolve("f.cnf"), text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"f.cnf", "f.cnf.gz", "f.cnf.xz"})
  void whatIsWrittenIsRead(String name) throws IOException {
    Formula formula =
        Formula.of(4, new int[] {1, -2}, new int[0], new int[] {4, 4, -4}, new int[] {-3});
    Path file = folder.resolve(name);
    DimacsFormat.write(formula, file);
    assertEquals(formula, DimacsFormat.read(file));
    Formula large = FormulaGenerator.parse("ksat:n=4k,k=5,ratio=3").generate();
    DimacsFormat.write(large, file); // numbers at the ends of buffers
    assertEquals(large, DimacsFormat.read(file));
  }

  @Test
  void clausesGoOverLinesAndShareThem() throws IOException {
    Formula expected = Formula.of(3, new int[] {1, 2}, new int[] {-3}, new int[0]);
    assertEquals(expected, read("c a comment\n\np  cnf 3 3\n1\n2 0 -3 0\nc more\n 0\n"));
    assertEquals(expected, read("p cnf 3 3\n1 2 0\n-3 0\n0\n%\n0\n"));
    assertEquals(expected, read("p cnf 3 3 \r\n+1 2 0\r\n-3 0 0"));
    assertEquals(Formula.of(0), read("p cnf 0 0\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|: found an empty file, expected a header 'p cnf VARIABLES CLAUSES'",
        "c only~|:1: found the end of the file, expected a header 'p cnf VARIABLES CLAUSES'",
        "1 2 0~|:1: found '1', expected a header 'p cnf VARIABLES CLAUSES'",
        "p sat 3 1~|:1: found 'sat', expected a header 'p cnf VARIABLES CLAUSES' (other problems of"
            + " DIMACS are not formulas)",
        "p cnf 3~|:1: found the end of the line, expected the number of clauses, 0 to 2147483639",
        "p cnf -3 1~|:1: found '-3', expected the number of variables, 0 to 1073741815",
        "p cnf 3 1 1~|:1: found '1', expected the end of the line after the header",
        "p cnf 3 1~1 4 0~|:2: found '4', expected a literal, 1 to 3 or the negative of that, or 0"
            + " (the header says that there are 3 variables)",
        "p cnf 3 1~1 x 0~|:2: found 'x', expected a literal, 1 to 3 or the negative of that, or 0",
        "p cnf 3 1~1 99999999999999999999 0~|:2: found '99999999999999999999', expected a literal,"
            + " 1 to 3 or the negative of that, or 0",
        "p cnf 3 1~1 2~|:2: found the end of the file inside a clause, expected a 0 that ends it"
            + " (the file may be truncated)",
        "p cnf 3 1~1 0~2 0~|:3: found more clauses, expected 1 clauses, as the header says (correct"
            + " the header, 'p cnf 3 CLAUSES')",
        "p cnf 3 2~1 0~|:2: found the end of the file after 1 clauses, expected 2 clauses, as the"
            + " header says (the file may be truncated; or correct the header, 'p cnf 3 1')",
        "p cnf 3 1~p cnf 3 1~|:2: found a second header, expected clauses (put each formula into"
            + " its own file)",
        "p cnf 0 1~1 0~|:2: found '1', expected 0, as there are no variables (the header says that"
            + " there are 0 variables)"
      })
  void malformedFilesAreRefused(String text, String message) {
    FileFormatException refused =
        assertThrows(FileFormatException.class, () -> read(text.replace('~', '\n')));
    assertEquals(folder.resolve("f.cnf") + message, refused.getMessage());
  }

  @Test
  void aTruncatedGzipFileIsRefused() throws IOException {
    Path file = folder.resolve("f.cnf.gz");
    DimacsFormat.write(FormulaGenerator.parse("ksat:n=100").generate(), file);
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    String message =
        assertThrows(FileFormatException.class, () -> DimacsFormat.read(file)).getMessage();
    assertTrue(message.contains("gzip"), message);
  }

  private String written(
      Formula formula, Outcome outcome, byte[] decided, byte[] assignment, boolean conflict)
      throws IOException {
    Path file = folder.resolve("f.sol");
    SurveyResult result =
        new SurveyResult(formula, outcome, decided, assignment, List.of(), conflict, null);
    DimacsFormat.writeResult(result, file);
    return Files.readString(file);
  }

  @Test
  void resultsAreWrittenAsCompetitionsDo() throws IOException {
    byte[] values = new byte[12];
    Arrays.fill(values, (byte) -1);
    values[1] = 1;
    assertEquals(
        "s SATISFIABLE\nv -1 2 -3 -4 -5 -6 -7 -8 -9 -10\nv -11 -12 0\n",
        written(Formula.of(12), Outcome.SOLVED, new byte[12], values, false));
    values = Arrays.copyOf(values, 10);
    assertEquals(
        "s SATISFIABLE\nv -1 2 -3 -4 -5 -6 -7 -8 -9 -10\nv 0\n",
        written(Formula.of(10), Outcome.SOLVED, new byte[10], values, false));
    assertEquals(
        "s SATISFIABLE\nv 0\n",
        written(Formula.of(0), Outcome.SOLVED, new byte[0], new byte[0], false));
  }

  /** What is no solution has no line that one could be read from. */
  @Test
  void valuesOfWhatIsNotSolvedAreComments() throws IOException {
    assertEquals(
        "s UNSATISFIABLE\n",
        written(Formula.of(2, new int[0]), Outcome.CONTRADICTION, new byte[2], null, true));
    assertEquals(
        "s UNKNOWN\nc decided -1 3\n",
        written(Formula.of(3), Outcome.PARAMAGNETIC, new byte[] {-1, 0, 1}, null, false));
    assertEquals(
        "s UNKNOWN\n", written(Formula.of(3), Outcome.UNCONVERGED, new byte[3], null, false));
  }
}
