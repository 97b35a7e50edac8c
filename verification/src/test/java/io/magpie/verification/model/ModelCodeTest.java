package io.magpie.verification.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The code that the Promela models stand for is still there: {@code check.sh code}, which needs no
 * SPIN. A failure asks for a look at the model, and for the run of {@code check.sh all} that the
 * result tables are from.
 */
class ModelCodeTest {
  private static final Path MODULE = Path.of(System.getProperty("magpie.basedir", "."));
  private static final Path MODEL = Path.of("src", "main", "promela");
  private static final Path HEADERS = Path.of("stm-kernels", "src", "main", "cuda", "magpie");

  @TempDir Path copy;

  private record Ended(int status, String output) {}

  @BeforeAll
  static void sources() {
    assumeTrue(Files.exists(MODULE.resolve(MODEL).resolve("check.sh")), "the bundle has no models");
  }

  @Test
  void everyStepHasItsCode() throws Exception {
    Ended check = check(MODULE);
    assertEquals(0, check.status, check.output);
    assertTrue(check.output.matches("(\\d+) of \\1 fragments found\n"), check.output);
  }

  @Test
  void codeThatIsGoneIsNamed() throws Exception {
    copyModel();
    Path header = copyHeaders().resolve("stm/transaction.cuh");
    String code = Files.readString(header);
    String gone = "put(log_.write(i));";
    assertTrue(code.contains(gone));
    Files.writeString(header, code.replace(gone, "put_soon(log_.write(i));"));

    Ended check = check(copy.resolve("verification"));
    assertEquals(1, check.status, check.output);
    assertTrue(check.output.contains("no longer in stm/transaction.cuh: " + gone), check.output);
  }

  @Test
  void aReadmeWithoutTheTableIsRefused() throws Exception {
    Path readme = copyModel().resolve("README.md");
    copyHeaders();
    Files.writeString(
        readme, Files.readString(readme).replace("## What each step", "## What some steps"));

    Ended check = check(copy.resolve("verification"));
    assertEquals(1, check.status, check.output);
    assertTrue(check.output.contains("no table of steps"), check.output);
  }

  /** What {@code check.sh} searches is what the tables tell of, in its order. */
  @Test
  void theTablesHaveARowForEachRun() throws IOException {
    Pattern run = Pattern.compile("(safety|large|liveness) \\| (\\w+) \\| (\\w+) \\| (.*)");
    Pattern row = Pattern.compile("\\| `(\\w+)` \\| `(.*)` \\| [^|]+ \\| (\\w+) \\| .*");
    Map<String, List<String>> runs =
        Map.of("safety", new ArrayList<>(), "liveness", new ArrayList<>());
    for (String line : Files.readAllLines(MODULE.resolve(MODEL).resolve("check.sh"))) {
      Matcher of = run.matcher(line);
      if (of.matches()) {
        runs.get(of.group(1).equals("safety") ? "safety" : "liveness")
            .add(String.join(" ", of.group(2), of.group(4), of.group(3)));
      }
    }
    for (Map.Entry<String, List<String>> each : runs.entrySet()) {
      List<String> rows =
          Files.readAllLines(MODULE.resolve(MODEL).resolve(each.getKey() + ".md")).stream()
              .map(row::matcher)
              .filter(Matcher::matches)
              .map(of -> String.join(" ", of.group(1), of.group(2), of.group(3)))
              .toList();
      assertTrue(each.getValue().size() > 100, each.getKey());
      assertEquals(each.getValue(), rows, each.getKey());
    }
  }

  private Path copyModel() throws IOException {
    return copyTree(MODULE.resolve(MODEL), copy.resolve("verification").resolve(MODEL));
  }

  private Path copyHeaders() throws IOException {
    return copyTree(MODULE.toAbsolutePath().getParent().resolve(HEADERS), copy.resolve(HEADERS));
  }

  private static Path copyTree(Path from, Path to) throws IOException {
    try (var all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target);
        }
      }
    }
    return to;
  }

  private static Ended check(Path module) throws Exception {
    Process process =
        new ProcessBuilder("bash", module.resolve(MODEL).resolve("check.sh").toString(), "code")
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), output);
  }
}
