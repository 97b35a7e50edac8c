package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.sat.DimacsFormat;
import io.magpie.algorithms.sat.Formula;
import io.magpie.algorithms.sat.FormulaGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SatCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--device cpu:2",
        "--device cpu:2 --decimation marks --flips transactions",
        "--device sim:1:4 --flips transactions --details",
        "--device sim:1:4 --flips sequential --details",
        "--device cpu:2 --flips sequential --restarts 1",
        "--device sim:1:32 --decimation marks"
      })
  void everyFormIsVerified(String options) {
    List<String> call = new ArrayList<>(List.of("sat", "--cnf", "ksat:n=80,ratio=3.4", "--verify"));
    call.addAll(List.of(options.split(" ")));
    CommandRun run = CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.OK);
    assertTrue(run.out().contains("the assignment satisfies all clauses"), run.out());
    assertEquals(options.contains("--details"), run.out().contains("mean bias"), run.out());
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("in.cnf"), text);
  }

  private CommandRun run(Path input, String... more) {
    List<String> call =
        new ArrayList<>(List.of("sat", "--cnf", input.toString(), "--device", "cpu:2", "--verify"));
    call.addAll(List.of(more));
    return CommandRun.of(call.toArray(new String[0]));
  }

  @Test
  void writesAssignmentRestAndFormula() throws IOException {
    Path values = folder.resolve("values");
    Path rest = folder.resolve("rest.cnf.gz");
    Path copy = folder.resolve("copy.cnf");
    Path input = file("p cnf 5 4\n1 0\n-1 -2 0\n2 3 -4 0\n5 2 4 0\n");
    String[] files = {
      "--out", values.toString(), "--rest-out", rest.toString(), "--formula-out", copy.toString()
    };
    run(input, files).expect(ExitStatus.OK);
    assertTrue(Files.readString(values).startsWith("s SATISFIABLE\nv 1 -2 "));
    assertTrue(Files.readString(values).endsWith(" 0\n"));
    Formula left = Formula.of(5, new int[] {3, -4}, new int[] {5, 4});
    assertEquals(left, DimacsFormat.read(rest));
    assertEquals(DimacsFormat.read(input), DimacsFormat.read(copy));
    CommandRun unsolved =
        run(input, "--flips-per-variable", "0", "--out", values.toString())
            .expect(ExitStatus.STOPPED_EARLY);
    assertTrue(unsolved.out().contains("paramagnetic"), unsolved.out());
    assertTrue(unsolved.err().contains("2 clauses are left"), unsolved.err());
    assertEquals("s UNKNOWN\nc decided 1 -2\n", Files.readString(values));
  }

  /** Also of a run that stopped early, and of one without steps. */
  @Test
  void drawsTheDecimation() throws IOException {
    Path picture = folder.resolve("steps.png");
    Path input = file("p cnf 5 4\n1 0\n-1 -2 0\n2 3 -4 0\n5 2 4 0\n");
    String[] drawn = {"--flips-per-variable", "0", "--png", picture.toString(), "--pixels", "60"};
    run(input, drawn).expect(ExitStatus.STOPPED_EARLY);
    assertEquals(new PngHeader(76, 64), PngHeader.of(picture));
    run(file("p cnf 0 0\n"), "--png", picture.toString()).expect(ExitStatus.OK);
    assertEquals(new PngHeader(1016, 690), PngHeader.of(picture));
  }

  @Test
  void whatUnitPropagationRefutesIsUnsatisfiable() throws IOException {
    Path values = folder.resolve("values");
    Path input = file("p cnf 2 3\n1 0\n-1 2 0\n-2 0\n");
    CommandRun run = run(input, "--out", values.toString()).expect(ExitStatus.OK);
    assertEquals("s UNSATISFIABLE\n", Files.readString(values));
    assertTrue(run.out().contains("unsatisfiable, by unit propagation alone"), run.out());
    assertTrue(run.out().contains("verified"), run.out());
  }

  @Test
  void valuesThatContradictEachOtherAreNotKept() throws IOException {
    Path values = folder.resolve("values");
    Path rest = folder.resolve("rest.cnf");
    String hasty =
        "sat --cnf ksat:n=100,ratio=4,seed=13 --fraction 0.5 --paramagnetic 0 --tolerance 0.01"
            + " --max-sweeps 100 --start 9 --device cpu:2 --verify";
    List<String> call = new ArrayList<>(List.of(hasty.split(" ")));
    call.addAll(List.of("--out", values.toString(), "--rest-out", rest.toString()));
    CommandRun run = CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.STOPPED_EARLY);
    assertTrue(
        run.out().contains("unit propagation of the decided values ends in a contradiction"),
        run.out());
    assertTrue(run.err().contains("at a contradiction between decided values"), run.err());
    assertEquals("s UNKNOWN\n", Files.readString(values));
    assertEquals(
        FormulaGenerator.parse("ksat:n=100,ratio=4,seed=13").generate(), DimacsFormat.read(rest));
  }

  @Test
  void whatDoesNotConvergeIsSaidTo() throws IOException {
    CommandRun run =
        run(
                file("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"),
                "--max-sweeps",
                "20",
                "--flips-per-variable",
                "30")
            .expect(ExitStatus.STOPPED_EARLY);
    assertTrue(run.out().contains("unconverged; 4 clauses are left"), run.out());
    assertTrue(run.err().contains("--max-sweeps"), run.err());
  }

  /** Who flipped variables, and how often. */
  @ParameterizedTest
  @CsvSource({
    "sets, 'flips in ', ', then ', true",
    "sequential, ' flips by the host', '', true",
    "transactions, 'flips in ', '', false"
  })
  void flipsOfTheHostAreTold(String flips, String text, String more, boolean host) {
    String call =
        "sat --cnf ksat:n=120,ratio=3.6,seed=3 --paramagnetic 1 --device sim:2:4 --verify --details"
            + " --flips ";
    CommandRun run = CommandRun.of((call + flips).split(" ")).expect(ExitStatus.OK);
    assertTrue(run.out().contains(text) && run.out().contains(more), run.out());
    assertEquals(host, run.out().contains("flip_sequentially"), run.out());
    assertEquals(host, run.out().contains("by the host"), run.out());
  }

  @Test
  void generatedFormulasAreThoseOfTheLibrary() throws IOException {
    Path copy = folder.resolve("copy.cnf");
    CommandRun.of(
            "sat",
            "--input",
            "cnf:planted:n=40,k=4,ratio=6,seed=3",
            "--device",
            "cpu:2",
            "--formula-out",
            copy.toString())
        .expect(ExitStatus.OK);
    assertEquals(
        FormulaGenerator.parse("planted:n=40,k=4,ratio=6,seed=3").generate(),
        DimacsFormat.read(copy));
  }

  @Test
  void malformedFilesAreRefusedWithTheirLine() throws IOException {
    Path input = file("p cnf 2 1\n1 3 0\n");
    CommandRun run = run(input).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains(input + ":2: found '3', expected a literal"), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ksat:n=2,k=3,ratio=1; k=3 needs at least 3 variables, n=2",
        "ksat:n=1G,ratio=4; ratio=4: expected a number from 0.0 to 0.7158278796666666, as clauses"
            + " have at most 2147483639 literals in all (n=1000000000, k=3).",
        "ksat:n=9,clauses=3; 'clauses' is no parameter of ksat",
        "ksat:n=9 --fraction 0; fraction must be above 0",
        "ksat:n=9 --decimation marks --policy locks; --policy",
        "ksat:n=9 --flips-per-variable 0 --noise 0.1; --flips-per-variable other than 0",
        "ksat:n=9 --flips-per-variable 0 --flips sets; --flips-per-variable other than 0",
        "ksat:n=9 --flips-per-variable 0 --flips sequential; --flips-per-variable other than 0",
        "ksat:n=9 --flips sequential --decimation marks --policy locks; --policy",
        "ksat:n=9 --flips-per-variable 0 --decimation marks --policy locks; --policy",
        "ksat:n=9 --png a.jpg; --png a.jpg: expected a name that ends in .png",
        "ksat:n=9 --png a.png --pixels 8193; --pixels must be from 16 to 8192, got 8193",
        "ksat:n=9 --pixels 99; --pixels has no effect without --png"
      })
  void badOptionsAreRefused(String words, String message) {
    CommandRun run =
        CommandRun.of(("sat --device cpu:1 --cnf " + words).split(" ")).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message.strip()), run.err());
  }
}
