package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.magpie.examples.cli.ExitStatus;
import io.magpie.examples.cli.Magpie;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Jobs of the command line in this process. */
final class TestJobs {
  /** What a run has printed. */
  record Run(int status, String out, String err) {
    /** The run, which must be done. */
    Run done() {
      assertEquals(ExitStatus.OK.code(), status, out + err);
      return this;
    }
  }

  private TestJobs() {}

  /** Runs {@code magpie}. */
  static Run magpie(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Magpie.run(new PrintWriter(out), new PrintWriter(err), arguments);
    awaitTasks();
    return new Run(status, out.toString(), err.toString());
  }

  /** A job that fails does not wait for its other tasks, and these see what the next test plans. */
  private static void awaitTasks() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("Executor task launch worker")) {
        try {
          thread.join(20_000);
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        assertFalse(thread.isAlive(), thread.toString());
      }
    }
  }

  /** Runs {@code magpie msf --engine spark}. */
  static Run job(String... arguments) {
    return magpie(words(Stream.of("msf", "--engine", "spark"), arguments));
  }

  /** The options of a job that reads a file by way of {@link FlakyFileSystem}, and more of them. */
  static String[] flaky(Path input, String... more) {
    String type = FlakyFileSystem.class.getName();
    return words(
        Stream.of("--conf", "spark.hadoop.fs.flaky.impl=" + type, "--input", "flaky:" + input),
        more);
  }

  /** Some words, and more of them. */
  static String[] words(Stream<String> some, String... more) {
    return Stream.concat(some, Stream.of(more)).toArray(String[]::new);
  }

  /** The ids of the edges that a job has written. */
  static TreeSet<Long> ids(Path forest) throws IOException {
    TreeSet<Long> ids = new TreeSet<>();
    for (String row : TestEdges.read(forest)) {
      ids.add(Long.parseLong(row.substring(0, row.indexOf(' '))));
    }
    return ids;
  }
}
