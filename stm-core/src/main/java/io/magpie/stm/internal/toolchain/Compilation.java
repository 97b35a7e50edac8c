package io.magpie.stm.internal.toolchain;

import io.magpie.stm.CompilationException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One source in one flavor, as its compiler sees it: from a {@link TemporaryFolder} in which links
 * with names of our own lead to the source's folder and to the include folders.
 *
 * <p>So results do not depend on where those lie, and no name of the user's reaches the shell that
 * nvcc hands its command lines to. Relative includes work as ever, because a compiler looks for
 * them where the link leads. Messages get the real names back.
 *
 * <p>What determines the result is asked of the compiler itself: the preprocessed text of each
 * pass, which holds whatever was included, by whatever spelling, found wherever, or not found.
 */
final class Compilation implements AutoCloseable {
  /** The link to the source's folder, by which compilers know the source. */
  static final String SOURCE = "magpie.source";

  private static final String INCLUDE = "magpie.include";

  /** What nvcc compiles: it includes the source, because a command line cannot have any name. */
  private static final String WRAPPER = "magpie.module.cu";

  private static final String PREPROCESSED = ".ii";

  /** What the simulator's engine is compiled of; see {@link #engine}. */
  private static final String ENGINE = "magpie.engine";

  private static final List<String> ENGINE_HEADERS =
      List.of("magpie/platform/platform.cuh", "magpie/sim/engine.hpp");

  /** A {@code stm::result}, or what becomes one, where its value is needed. */
  private static final Pattern UNTRIED =
      Pattern.compile(
          "(no match for|cannot convert|could not convert|no suitable conversion)"
              + ".*\\b(result|read_of_datum)['<]");

  /** Atomic operations that CUDA declares, and no other compiler knows. */
  private static final Pattern ATOMIC_OF_CUDA =
      Pattern.compile("'atomic[A-Z]\\w*' was not declared");

  /** What to do about errors that say it in the compiler's words alone. */
  private static final List<Map.Entry<Pattern, String>> HINTS =
      List.of(
          Map.entry(
              UNTRIED,
              "what returns a magpie::stm::result, such as tx.get, needs MAGPIE_TRY(...) around it"),
          Map.entry(
              ATOMIC_OF_CUDA,
              "CUDA declares it, for GPUs alone; magpie/platform/platform.cuh has atomic operations"
                  + " for every device, such as magpie::red_add_rlx_dev(&count[0], 1)"));

  /** For a module that is linked with the engine, and for the engine. */
  private static final String ENGINE_APART = "-DMAGPIE_SIM_SEPARATE";

  /** The part of the cache in which compilers work. */
  private static final String WORK = "compile";

  /** What compilers and linkers read from the environment and preprocessed text does not show. */
  private static final List<String> VARIABLES =
      List.of("COMPILER_PATH", "GCC_EXEC_PREFIX", "LD_RUN_PATH", "LIBRARY_PATH");

  private static final String NO_SPACE = "No space left on device";
  private static final int ERRORS_IN_MESSAGE = 8;

  /** GCC's and Clang's line marker: a number, then the file's name as in a string literal. */
  private static final Pattern LINE_MARKER =
      Pattern.compile("(?md)^# [0-9]+ \"((?:[^\"\\\\\n]|\\\\.)*)\"");

  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:([0-7]{3})|(.))");

  private final Toolchain toolchain;
  private final Compiler compiler;
  private final Flavor flavor;
  private final Path source;
  private final Defines defines;
  private final Path jar; // that the source is from, or null
  private final Path copies; // of the jar's sources
  private final Path cache;
  private final TemporaryFolder work;
  private final Path folder;
  private final Map<String, Path> links = new LinkedHashMap<>();
  private List<String> warnings = List.of();

  /**
   * @param defines macros besides the flavor's own
   * @param include folders for {@code -I}, in order
   * @param root the folder of sources if that may be a copy of a jar's; else null
   * @param cache a private folder, in which the compiler is to work
   * @throws CompilationException if there is no compiler for the flavor
   * @throws IOException if no folder can be made for it
   */
  Compilation(
      Toolchain toolchain,
      Flavor flavor,
      Path source,
      Defines defines,
      List<Path> include,
      ResourceFolders.Folder root,
      Path cache)
      throws IOException {
    this.toolchain = toolchain;
    this.flavor = flavor;
    this.source = source;
    this.defines = defines;
    this.cache = cache;
    jar = root == null ? null : root.jar();
    copies = jar == null ? null : root.path();
    compiler = toolchain.require(flavor, source);
    links.put(SOURCE, source.toAbsolutePath().getParent());
    for (int i = 0; i < include.size(); i++) {
      links.put(INCLUDE + i, include.get(i).toAbsolutePath());
    }
    String neutralSource = neutralSource();
    work = workFolder(flavor, cache);
    folder = work.path();
    try {
      for (Map.Entry<String, Path> link : links.entrySet()) {
        Files.createSymbolicLink(folder.resolve(link.getKey()), link.getValue());
      }
      if (flavor.needsNvcc()) {
        // The second line has the version of nvcc's host compiler in the preprocessed text.
        Files.writeString(
            folder.resolve(WRAPPER),
            "#include \"" + neutralSource + "\"\nstatic_assert(sizeof(__VERSION__) > 1);\n");
      }
    } catch (IOException e) {
      work.close();
      throw e;
    }
  }

  /** In the cache; but nvcc tells its shell the folder's full name as well. */
  private static TemporaryFolder workFolder(Flavor flavor, Path cache) throws IOException {
    if (!flavor.needsNvcc() || Compiler.isPlain(cache.toString())) {
      return TemporaryFolder.in(PrivateFolder.at(cache.resolve(WORK)), "");
    }
    Path temporary = TemporaryFolder.system();
    return TemporaryFolder.in(
        Compiler.isPlain(temporary.toString()) ? temporary : Path.of("/tmp"), "magpie-compile-");
  }

  private String neutralSource() {
    String name = source.getFileName().toString();
    if (flavor.needsNvcc() && (name.indexOf('"') >= 0 || name.indexOf('\n') >= 0)) {
      throw new CompilationException(
          "Cannot compile "
              + source
              + " for "
              + flavor
              + ": no #include can name a file with a quotation mark or a line break in its name;"
              + " rename it",
          "",
          List.of(),
          "");
    }
    return SOURCE + "/" + name;
  }

  /** SHA-256 over all that determines the result. */
  String key() throws IOException {
    MessageDigest digest = Hashes.sha256();
    Hashes.add(digest, "magpie module 3");
    Hashes.add(digest, compiler.identity());
    Hashes.add(digest, String.join("\n", flags()));
    Hashes.add(digest, String.join("\n", lastFlags()));
    Hashes.add(digest, String.join("\n", defines.flags()));
    addVariables(digest);
    for (Path text : preprocess(digest)) {
      Hashes.add(digest, Files.readAllBytes(text));
    }
    return Hashes.hex(digest);
  }

  /**
   * SHA-256 over what determines the result except for the system's headers and the compiler's own
   * programs; found without a compiler.
   *
   * @param sources a hash of all that can be read by way of the source's and the include folders
   */
  String keyOfKnown(String sources) {
    MessageDigest digest = Hashes.sha256();
    Hashes.add(digest, "magpie note 1");
    Hashes.add(digest, sources);
    Hashes.add(digest, source.getFileName().toString());
    Hashes.add(digest, compiler.identity());
    Hashes.add(digest, String.join("\n", flags()));
    Hashes.add(digest, String.join("\n", lastFlags()));
    Hashes.add(digest, String.join("\n", defines.flags()));
    Hashes.add(digest, Compiler.environment());
    return Hashes.hex(digest);
  }

  /**
   * The files beyond the links that the last {@link #key} depends on; empty if not all of them can
   * be told.
   */
  Optional<SortedSet<Path>> systemFiles() throws IOException {
    SortedSet<Path> files = new TreeSet<>(compiler.programs());
    try (Stream<Path> all = Files.list(folder)) {
      for (Path text : all.filter(file -> file.toString().endsWith(PREPROCESSED)).toList()) {
        Matcher marker = LINE_MARKER.matcher(Files.readString(text, StandardCharsets.ISO_8859_1));
        while (marker.find()) {
          String name = unescaped(marker.group(1));
          int slash = name.indexOf('/');
          if (slash == 0) {
            files.add(Path.of(name));
          } else if (!name.startsWith("<")
              && !name.equals(WRAPPER)
              && (slash < 0 || !links.containsKey(name.substring(0, slash)))) {
            return Optional.empty();
          }
        }
      }
    }
    return Optional.of(files);
  }

  /**
   * The files that the compiler reads, except for its own and the system's, under names that start
   * with a link's.
   */
  SortedMap<String, Path> files() throws IOException {
    SortedMap<String, Path> files = new TreeMap<>();
    for (Path text : preprocess(Hashes.sha256())) {
      Matcher marker = LINE_MARKER.matcher(Files.readString(text, StandardCharsets.ISO_8859_1));
      while (marker.find()) {
        String name = unescaped(marker.group(1));
        int slash = name.indexOf('/');
        if (slash > 0 && links.containsKey(name.substring(0, slash))) {
          files.put(name, folder.resolve(name));
        }
      }
    }
    return files;
  }

  /**
   * The name in a line marker, whose bytes are given as characters. A backslash stands before
   * another one and a quote; before n for a line break and, by Clang, t for a tab; and, by Clang,
   * before the octal digits of a byte that is not printable ASCII.
   */
  static String unescaped(String marked) {
    String bytes =
        ESCAPE
            .matcher(marked)
            .replaceAll(
                escape ->
                    Matcher.quoteReplacement(
                        escape.group(1) != null
                            ? String.valueOf((char) Integer.parseInt(escape.group(1), 8))
                            : switch (escape.group(2)) {
                              case "n" -> "\n";
                              case "t" -> "\t";
                              default -> escape.group(2);
                            }));
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** What a name from {@link #files} stands for where the source and the headers lie elsewhere. */
  static Path locate(String name, Path source, List<Path> include) {
    int slash = name.indexOf('/');
    String link = name.substring(0, slash);
    Path root =
        link.equals(SOURCE)
            ? source.toAbsolutePath().getParent()
            : include.get(Integer.parseInt(link.substring(INCLUDE.length())));
    return root.resolve(name.substring(slash + 1));
  }

  /**
   * The preprocessed text of each pass, in the order in which the compiler makes them.
   *
   * @param digest takes what else the compiler tells about how it will work
   */
  private List<Path> preprocess(MessageDigest digest) throws IOException {
    if (flavor.needsNvcc()) {
      return preprocessForNvcc(digest);
    }
    Path text = folder.resolve("magpie" + PREPROCESSED);
    List<String> arguments = arguments(true, text.getFileName().toString());
    arguments.add("-E");
    run(arguments, text);
    return List.of(text);
  }

  /** nvcc preprocesses once for each architecture and once for the host, and lists the commands. */
  private List<Path> preprocessForNvcc(MessageDigest digest) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path old : files.filter(file -> file.toString().endsWith(PREPROCESSED)).toList()) {
        Files.delete(old);
      }
    }
    List<String> arguments = arguments(true, flavor.fileName());
    arguments.addAll(List.of("--dryrun", "--keep", "--keep-dir", "."));
    List<String> passes = new ArrayList<>();
    run(arguments, null)
        .text()
        .lines()
        .filter(line -> line.startsWith("#$ ") && !line.matches("#\\$ \\w+=.*"))
        .map(line -> line.substring(3))
        .forEach(
            line -> {
              Hashes.add(digest, line.replace(folder.toString(), ""));
              if (line.contains(" -E ")) {
                passes.add(line);
              }
            });
    execute(List.of("/bin/sh", "-c", String.join(" &&\n", passes)));
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> texts =
          files.filter(file -> file.toString().endsWith(PREPROCESSED)).sorted().toList();
      if (texts.isEmpty()) {
        throw madeNothing();
      }
      return texts;
    }
  }

  /**
   * Compiles.
   *
   * @param target takes the result
   * @throws CompilationException if the compiler reports errors
   */
  void compile(Path target) throws IOException {
    Path made = folder.resolve(flavor.fileName());
    List<String> arguments = arguments(true, flavor.fileName());
    if (flavor == Flavor.SIM && hasEngine()) {
      arguments.addAll(arguments.size() - lastFlags().size(), List.of("-x", "none", engine()));
      arguments.add(ENGINE_APART);
    }
    Compiler.Output output = run(arguments, made);
    warnings = withUsersNames(Diagnostics.of(output.text(), SOURCE + "/", "warning"));
    try (OutputStream out = Files.newOutputStream(target)) {
      Files.copy(made, out);
    }
  }

  /** Whether the headers are those of the library, as tests of this package have others. */
  private boolean hasEngine() {
    return links.entrySet().stream()
        .filter(link -> !link.getKey().equals(SOURCE))
        .anyMatch(link -> Files.isRegularFile(link.getValue().resolve(ENGINE_HEADERS.get(1))));
  }

  /**
   * The simulator's engine, compiled: the same for all modules that are built with these headers,
   * and compiled once, which takes the time that it would take in each. The module's {@link #key}
   * does not show it, but is of a text that has all of its headers.
   *
   * @return an object file in the cache
   */
  private String engine() throws IOException {
    StringBuilder source = new StringBuilder();
    ENGINE_HEADERS.forEach(header -> source.append("#include \"" + header + "\"\n"));
    Files.writeString(folder.resolve(ENGINE + ".cpp"), source);
    List<String> flags = new ArrayList<>(toolchain.flags(flavor));
    flags.removeIf(flag -> flag.startsWith("-O")); // that of modules makes no other engine
    flags.addAll(List.of(ENGINE_APART, "-O2"));
    Path text = folder.resolve(ENGINE + ".text");
    List<String> preprocessing = new ArrayList<>(flags);
    links.keySet().stream()
        .filter(link -> !link.equals(SOURCE))
        .forEach(link -> preprocessing.addAll(List.of("-I", link)));
    preprocessing.addAll(List.of("-x", "c++", ENGINE + ".cpp", "-E", "-o", ENGINE + ".text"));
    run(preprocessing, text);
    MessageDigest digest = Hashes.sha256();
    Hashes.add(digest, "magpie engine 2");
    Hashes.add(digest, compiler.identity());
    Hashes.add(digest, String.join("\n", flags));
    addVariables(digest);
    Hashes.add(digest, Files.readAllBytes(text));
    String name = ENGINE + "-" + Hashes.hex(digest).substring(0, 32) + ".o";
    return ArtifactCache.file(
            cache,
            name,
            target -> {
              // Of the text that the name is of, whatever becomes of the headers meanwhile.
              List<String> compiling = new ArrayList<>(flags);
              compiling.addAll(List.of("-x", "c++-cpp-output", ENGINE + ".text"));
              compiling.addAll(List.of("-c", "-o", ENGINE + ".o"));
              Path made = folder.resolve(ENGINE + ".o");
              run(compiling, made);
              Files.write(target, Files.readAllBytes(made));
            })
        .toString();
  }

  private static void addVariables(MessageDigest digest) {
    for (String variable : VARIABLES) {
      String value = Compiler.variable(variable);
      Hashes.add(digest, value == null ? "" : value);
    }
  }

  /** What the compiler warned of in the user's own files, when it compiled. */
  List<String> warnings() {
    return warnings;
  }

  /** With the real names, but those in a jar where the files are copies of the jar's. */
  private List<String> withUsersNames(List<String> texts) {
    return texts.stream()
        .map(this::withRealNames)
        .map(text -> jar == null ? text : text.replace(copies + "/", ""))
        .toList();
  }

  private String withRealNames(String text) {
    String real = text;
    for (Map.Entry<String, Path> link : links.entrySet()) {
      real = real.replace(link.getKey() + "/", link.getValue() + "/");
    }
    return real;
  }

  private List<String> arguments(boolean neutral, String output) {
    List<String> arguments = new ArrayList<>(flags());
    arguments.addAll(defines.flags());
    links.forEach(
        (link, real) -> {
          if (!link.equals(SOURCE)) {
            arguments.addAll(List.of("-I", neutral ? link : real.toString()));
          }
        });
    if (!flavor.needsNvcc()) {
      arguments.addAll(List.of("-x", "c++"));
    }
    arguments.add(!neutral ? source.toString() : flavor.needsNvcc() ? WRAPPER : neutralSource());
    arguments.addAll(List.of("-o", output));
    arguments.addAll(lastFlags());
    return arguments;
  }

  private List<String> flags() {
    List<String> flags = new ArrayList<>(toolchain.flags(flavor));
    if (traced()) {
      flags.addAll(Toolchain.TRACING_FLAGS);
    }
    return flags;
  }

  /** What has to come behind the source. */
  private List<String> lastFlags() {
    return traced() ? Toolchain.LIBRARIES_OF_TRACED_CODE : List.of();
  }

  private boolean traced() {
    return flavor.isTraceable() && defines.names().contains(Toolchain.TRACE);
  }

  /**
   * @param result a file that it must have made, or null
   */
  private Compiler.Output run(List<String> arguments, Path result) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(compiler.executable().toString());
    command.addAll(arguments);
    Compiler.Output output = execute(command);
    if (result != null && !Files.isRegularFile(result)) {
      throw madeNothing();
    }
    return output;
  }

  /**
   * @throws CompilationException if the command cannot be run, or fails
   * @throws FileSystemException if no space is left for its results
   */
  private Compiler.Output execute(List<String> command) throws FileSystemException {
    Compiler.Output output;
    try {
      output = Compiler.execute(command, folder);
    } catch (IOException e) {
      throw new CompilationException(
          "Cannot run the compiler for "
              + what()
              + ": "
              + e.getMessage()
              + "\n  command: "
              + shell(),
          shell(),
          List.of(),
          "");
    }
    if (output.status() == 0) {
      return output;
    }
    if (output.text().contains(NO_SPACE)) {
      throw new FileSystemException(folder.toString(), null, NO_SPACE);
    }
    throw rejected(output);
  }

  private CompilationException madeNothing() {
    return new CompilationException(
        "Cannot compile "
            + what()
            + ": "
            + compiler.executable()
            + " ended with status 0 and made nothing, so it is not a compiler; correct or unset "
            + (flavor.needsNvcc() ? "MAGPIE_NVCC" : "MAGPIE_CXX"),
        shell(),
        List.of(),
        "");
  }

  private CompilationException rejected(Compiler.Output output) {
    String text = withRealNames(output.text());
    List<String> errors = Diagnostics.lines(text);
    StringBuilder message = new StringBuilder();
    message.append("Cannot compile ").append(what()).append(": ");
    message
        .append(compiler.executable().getFileName())
        .append(" ended with status ")
        .append(output.status())
        .append('\n');
    List<String> shown = withUsersNames(Diagnostics.errors(output.text(), SOURCE + "/"));
    if (shown.isEmpty()) {
      shown = text.lines().toList();
    }
    shown.stream()
        .limit(ERRORS_IN_MESSAGE)
        .forEach(line -> message.append("  ").append(line).append('\n'));
    if (shown.size() > ERRORS_IN_MESSAGE) {
      message.append("  and ").append(shown.size() - ERRORS_IN_MESSAGE).append(" more\n");
    }
    message.append("  remedy: correct the source");
    message.append(jar == null ? "" : " that the jar is made of, and make it again");
    for (Map.Entry<Pattern, String> hint : HINTS) {
      if (shown.stream().anyMatch(line -> hint.getKey().matcher(line).find())) {
        message.append("; ").append(hint.getValue());
      }
    }
    message.append("; the command prints all messages, and writes into the folder it is run in");
    message.append("\n  command: ").append(shell());
    return new CompilationException(message.toString(), shell(), errors, text);
  }

  private String what() {
    return (jar == null
            ? source
            : copies.relativize(source) + " of " + jar + " (copy: " + source + ")")
        + " for "
        + flavor;
  }

  /** The command with the real names, but where nvcc's shell would read more than names in them. */
  private String shell() {
    boolean real =
        !flavor.needsNvcc()
            || Compiler.isPlain(source.toString())
                && links.values().stream().allMatch(link -> Compiler.isPlain(link.toString()));
    List<String> command = new ArrayList<>();
    command.add(compiler.executable().toString());
    command.addAll(arguments(!real, flavor.fileName()));
    return Compiler.quoted(command);
  }

  @Override
  public void close() {
    work.close();
  }
}
