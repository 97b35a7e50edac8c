package io.magpie.stm.internal.toolchain;

import io.magpie.stm.CompilationException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A compiler found on this machine.
 *
 * @param executable its path
 * @param identity what it prints about its version; part of every cache key, so that another
 *     version means another artefact
 */
record Compiler(Path executable, String identity) {
  private static final int ERRORS_IN_MESSAGE = 8;
  private static final Pattern ERROR_LINE =
      Pattern.compile("(?i)(: *(fatal )?error\\b.*:|undefined reference)");

  /** The line of the identity that names the version, for logs. */
  String version() {
    List<String> lines = identity.lines().toList();
    return lines.stream()
        .filter(line -> line.contains("release"))
        .findFirst()
        .orElse(lines.get(0))
        .strip();
  }

  /** Reads the version of {@code executable}; throws IOException when it cannot be run. */
  static Compiler at(Path executable) throws IOException {
    Output output = execute(List.of(executable.toString(), "--version"));
    if (output.status != 0 || output.text.isBlank()) {
      throw new IOException(
          executable
              + " --version ended with status "
              + output.status
              + ": "
              + output.text.strip());
    }
    return new Compiler(executable, output.text.strip());
  }

  /**
   * Looks for a program as a shell would: a path as it is, a bare name on PATH. Null if there is
   * none.
   */
  static Path onPath(String program) {
    if (program.contains(File.separator)) {
      return executableOrNull(Path.of(program));
    }
    String path = System.getenv("PATH");
    if (path == null) {
      return null;
    }
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path found = executableOrNull(Path.of(folder.isEmpty() ? "." : folder, program));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  static Path executableOrNull(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file) ? file : null;
  }

  /**
   * Runs the compiler.
   *
   * @param arguments all but the program itself
   * @param what what is being compiled, for messages
   * @throws CompilationException if it cannot be started or ends with another status than 0
   */
  void run(List<String> arguments, String what) {
    List<String> command = new ArrayList<>();
    command.add(executable.toString());
    command.addAll(arguments);
    String shell = quoted(command);
    Output output;
    try {
      output = execute(command);
    } catch (IOException e) {
      throw new CompilationException(
          "Cannot start the compiler for " + what + ": " + e.getMessage() + "\n  command: " + shell,
          shell,
          List.of(),
          "");
    }
    if (output.status == 0) {
      return;
    }
    List<String> errors =
        output.text.lines().filter(line -> ERROR_LINE.matcher(line).find()).toList();
    StringBuilder message = new StringBuilder();
    message.append("Cannot compile ").append(what).append(": ");
    message
        .append(executable.getFileName())
        .append(" ended with status ")
        .append(output.status)
        .append('\n');
    List<String> shown = errors.isEmpty() ? output.text.lines().toList() : errors;
    shown.stream()
        .limit(ERRORS_IN_MESSAGE)
        .forEach(line -> message.append("  ").append(line).append('\n'));
    if (shown.size() > ERRORS_IN_MESSAGE) {
      message.append("  and ").append(shown.size() - ERRORS_IN_MESSAGE).append(" more\n");
    }
    message.append("  command: ").append(shell);
    message.append(
        "\n  remedy: correct the source; the command prints everything when run by hand");
    throw new CompilationException(message.toString(), shell, errors, output.text);
  }

  private record Output(int status, String text) {}

  private static Output execute(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    try (InputStream in = process.getInputStream()) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new Output(process.waitFor(), text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command.get(0) + " was running", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String quoted(List<String> command) {
    StringBuilder line = new StringBuilder();
    for (String word : command) {
      if (line.length() > 0) {
        line.append(' ');
      }
      boolean plain = word.matches("[A-Za-z0-9_@%+=:,./-]+");
      line.append(plain ? word : "'" + word.replace("'", "'\\''") + "'");
    }
    return line.toString();
  }
}
