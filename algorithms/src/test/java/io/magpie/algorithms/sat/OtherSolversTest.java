package io.magpie.algorithms.sat;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.algorithms.sat.SurveyResult.Outcome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Complete solvers, where they are installed, agree on formulas that are too large to be tried. */
@Tag("slow")
class OtherSolversTest {
  private static final int SATISFIABLE = 10;
  private static final int UNSATISFIABLE = 20;
  private static final int FORMULAS = 24;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"cadical", "minisat"})
  void nothingUnsatisfiableIsSolvedAndMostOfTheRestIs(String solver)
      throws IOException, InterruptedException {
    Path executable = onPath(solver);
    assumeTrue(executable != null, "there is no " + solver);
    int satisfiable = 0;
    int solved = 0;
    for (int seed = 1; seed <= FORMULAS; seed++) {
      Formula formula = FormulaGenerator.parse("ksat:n=90,ratio=4.26,seed=" + seed).generate();
      Path file = folder.resolve("f.cnf");
      DimacsFormat.write(formula, file);
      Process process =
          new ProcessBuilder(executable.toString(), file.toString())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("out").toFile())
              .start();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "takes too long");
      int answer = process.exitValue();
      assertTrue(answer == SATISFIABLE || answer == UNSATISFIABLE, "status " + answer);
      SurveyResult result =
          SurveyPropagation.run(
              SurveyVariants.device("cpu:4"),
              formula,
              SurveyOptions.defaults().withMaxSweeps(100).withFlipsPerVariable(500));
      assertTrue(FormulaVerifier.verify(result).isEmpty());
      if (answer == SATISFIABLE) {
        satisfiable++;
        solved += result.outcome() == Outcome.SOLVED ? 1 : 0;
        assertFalse(result.unsatisfiable());
      } else {
        assertFalse(result.outcome() == Outcome.SOLVED, "seed " + seed);
      }
    }
    assertTrue(satisfiable > 0 && satisfiable < FORMULAS, satisfiable + " are satisfiable");
    assertTrue(4 * solved >= 3 * satisfiable, solved + " of " + satisfiable + " were solved");
  }

  private static Path onPath(String name) {
    return List.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator))).stream()
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }
}
