package io.magpie.examples.compare;

import io.magpie.examples.input.InputException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A program of somebody else that is found on PATH, with a folder of its own for its files. */
final class ExternalProgram implements AutoCloseable {
  private static final int LAST_WORDS = 300;

  private final String name;
  private final Path executable;
  private final WorkFolder folder;

  /**
   * What a run printed, and how long it took from its start to its end, files included.
   *
   * @param millis of wall time
   */
  record Output(String text, double millis) {
    /** The last words of it. */
    String end() {
      String all = text.strip();
      return "..." + all.substring(Math.max(0, all.length() - LAST_WORDS));
    }

    /** The number that a pattern finds, in its first group. */
    OptionalDouble number(Pattern pattern) {
      Matcher matcher = pattern.matcher(text);
      return matcher.find()
          ? OptionalDouble.of(Double.parseDouble(matcher.group(1)))
          : OptionalDouble.empty();
    }
  }

  /**
   * @throws IllegalStateException if it is not on PATH
   */
  ExternalProgram(String name) {
    this(name, find(name).orElseThrow(() -> new IllegalStateException("no " + name + " on PATH")));
  }

  ExternalProgram(String name, Path executable) {
    this.name = name;
    this.executable = executable;
    try {
      this.folder = new WorkFolder(Path.of(System.getProperty("java.io.tmpdir")), name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first executable of that name in the folders of PATH; empty entries are skipped. */
  static Optional<Path> find(String name) {
    String path = System.getenv("PATH");
    return Stream.of(path == null ? new String[0] : path.split(File.pathSeparator))
        .filter(each -> !each.isEmpty())
        .flatMap(each -> in(each, name).stream())
        .filter(each -> Files.isRegularFile(each) && Files.isExecutable(each))
        .map(Path::toAbsolutePath)
        .findFirst();
  }

  /** Nothing where the locale's encoding lacks characters of the folder's name. */
  private static Optional<Path> in(String folder, String name) {
    try {
      return Optional.of(Path.of(folder, name));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** Where its files lie, and what it runs in. */
  Path folder() {
    return folder.path();
  }

  /**
   * Runs it to its end. It is killed when this process ends, unless that is by SIGKILL.
   *
   * @throws InputException if it fails; the message has the end of what it printed
   */
  Output run(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(executable.toString()));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.path().toFile()).redirectErrorStream(true);
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    Process process = null;
    Thread end = null;
    try {
      long begin = System.nanoTime();
      process = builder.start();
      end = new Thread(process::destroyForcibly);
      Runtime.getRuntime().addShutdownHook(end);
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      double millis = (System.nanoTime() - begin) / 1e6;
      if (status != 0) {
        throw new InputException(
            name + " ended with status " + status + ": " + new Output(text, millis).end());
      }
      return new Output(text, millis);
    } catch (IOException e) {
      throw new InputException(name + " cannot be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + name + " was running", e);
    } finally {
      if (process != null) {
        process.destroyForcibly();
        removeHook(end);
      }
    }
  }

  private static void removeHook(Thread end) {
    try {
      Runtime.getRuntime().removeShutdownHook(end);
    } catch (IllegalStateException e) {
      // the process is ending, and the hook does what is left
    }
  }

  /** Removes its files, as far as they are there: what was measured matters more. */
  @Override
  public void close() {
    folder.close();
  }
}
