package io.magpie.stm.internal.toolchain;

import io.magpie.stm.MagpieException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A compiler found on this machine.
 *
 * @param executable its path
 * @param identity what it prints about its version, and the hash of its file: a script that calls a
 *     compiler prints the compiler's version; part of every cache key, so that another compiler
 *     means another artifact
 */
record Compiler(Path executable, String identity) {
  /** Lists of folders that compilers read from the environment; relative ones are the caller's. */
  private static final List<String> FOLDER_LISTS =
      List.of("CPATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH", "LIBRARY_PATH");

  /** Asks g++ for the program that compiles; Clang, which has none, gives no path. */
  private static final String WORKER = "-print-prog-name=cc1plus";

  /** Beginnings of names of what compilers heed, besides lists of folders. */
  private static final Pattern HEEDED = Pattern.compile("NVCC|CUDA|GCC|CCC|CXX|LD_|SOURCE_DATE");

  /** What makes a compiler write files that nobody asked for, or compile twice. */
  private static final Set<String> SIDE_EFFECTS =
      Set.of("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "GCC_COMPARE_DEBUG");

  /**
   * What {@code __DATE__} and {@code __TIME__} are made of; otherwise no two preprocessings of a
   * source that uses them would be equal.
   */
  private static final String EPOCH = "SOURCE_DATE_EPOCH";

  private static final String YEAR_2026 = "1767225600";

  /** How a program ended, and what it printed. */
  record Output(int status, String text) {}

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
    Path absolute = executable.toAbsolutePath();
    Output output = execute(List.of(absolute.toString(), "--version"), null);
    if (output.status != 0 || output.text.isBlank()) {
      throw new IOException(
          executable
              + " --version ended with status "
              + output.status
              + ": "
              + output.text.strip());
    }
    return new Compiler(absolute, output.text.strip() + "\n" + Hashes.ofFile(absolute));
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
   * Runs a program of the toolchain to its end, or that of this process.
   *
   * @param folder its working directory, also for its temporary files; null for this process's
   * @throws MagpieException if this thread is interrupted; the program has ended then
   */
  static Output execute(List<String> command, Path folder) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    Map<String, String> environment = builder.environment();
    environment.put("LC_ALL", "C");
    environment.putIfAbsent(EPOCH, YEAR_2026);
    environment.keySet().removeAll(SIDE_EFFECTS);
    FOLDER_LISTS.forEach(list -> environment.computeIfPresent(list, (name, value) -> full(value)));
    if (folder != null) {
      builder.directory(folder.toFile());
      environment.put("TMPDIR", folder.toString());
    }
    Process process = builder.start();
    try (InputStream in = process.getInputStream()) {
      Leftovers.add(process);
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      if (Thread.interrupted()) { // waiting tells only if the program has not ended yet
        throw new InterruptedException();
      }
      int status = process.waitFor();
      Leftovers.requireGoingOn();
      return new Output(status, text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MagpieException("Interrupted while " + command.get(0) + " was running", e);
    } finally {
      Leftovers.end(process);
      Leftovers.remove(process);
    }
  }

  /**
   * What a program of the toolchain finds in the environment, or null: folders of a list are this
   * process's, wherever the program works.
   */
  static String variable(String name) {
    String value = System.getenv(name);
    return value == null || !FOLDER_LISTS.contains(name) ? value : full(value);
  }

  /** Whether the environment names folders of headers. */
  static boolean searchesOtherFolders() {
    return Stream.of("CPATH", "CPLUS_INCLUDE_PATH").anyMatch(name -> variable(name) != null);
  }

  /** Whatever of this process's environment a compiler may heed, sorted by name. */
  static String environment() {
    return System.getenv().keySet().stream()
        .filter(name -> name.contains("PATH") || HEEDED.matcher(name).lookingAt())
        .sorted()
        .map(name -> name + "=" + variable(name))
        .collect(Collectors.joining("\n"));
  }

  /**
   * The files of programs that do the work, as far as they can be told: next to nvcc, and what the
   * C++ compiler calls.
   */
  SortedSet<Path> programs() throws IOException {
    SortedSet<Path> programs = new TreeSet<>();
    Path host = executable;
    if (executable.getFileName().toString().startsWith("nvcc")) {
      Path folder = executable.toRealPath().getParent();
      for (Path each : List.of(folder, folder.resolveSibling("nvvm").resolve("bin"))) {
        if (Files.isDirectory(each)) {
          try (Stream<Path> files = Files.list(each)) {
            files.filter(Files::isRegularFile).forEach(programs::add);
          }
        }
      }
      host = onPath("g++");
    }
    if (host != null) {
      programs.add(host.toRealPath());
      Path works = Path.of(execute(List.of(host.toString(), WORKER), null).text().strip());
      if (works.isAbsolute() && Files.isRegularFile(works)) {
        programs.add(works);
      }
    }
    return programs;
  }

  /** An empty list stays empty; an empty entry of a list is the current folder. */
  private static String full(String folders) {
    if (folders.isEmpty()) {
      return folders;
    }
    return Arrays.stream(folders.split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** A command as one can paste it into a shell. */
  static String quoted(List<String> command) {
    return command.stream()
        .map(word -> isPlain(word) ? word : "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }

  /** Whether a shell takes a word as it is, quoted or not. */
  static boolean isPlain(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+");
  }
}
