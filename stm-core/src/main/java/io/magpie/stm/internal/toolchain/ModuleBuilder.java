package io.magpie.stm.internal.toolchain;

import io.magpie.stm.CompilationException;
import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Compiles one source in one flavor, or takes the result of an earlier compilation of the same
 * thing from a cache; see {@link Compilation} for what makes two the same.
 */
final class ModuleBuilder {
  /** How often a source may change while it is compiled. */
  private static final int ATTEMPTS = 5;

  private static final String SOURCES = ".sources";
  private static final String NOTE = ".note";
  private static final String ASKS_FOR_FILES = "__has_include";

  private final Toolchain toolchain;
  private final ArtifactCache cache;
  private final List<Path> include;
  private final Consumer<String> progress;
  private final Consumer<String> warned;
  private final ResourceFolders.Folder root;

  /**
   * @param include the {@code -I} folders, in order
   * @param progress is told what is compiled, before that starts; not what comes from the cache
   * @param warned is told what a compiler warns of in the source and the files next to it, when it
   *     compiles
   */
  ModuleBuilder(
      Toolchain toolchain,
      ArtifactCache cache,
      List<Path> include,
      Consumer<String> progress,
      Consumer<String> warned) {
    this(toolchain, cache, include, progress, warned, null);
  }

  /**
   * @param root the folder of sources that may be a copy of a jar's, whose name messages then give
   */
  ModuleBuilder(
      Toolchain toolchain,
      ArtifactCache cache,
      List<Path> include,
      Consumer<String> progress,
      Consumer<String> warned,
      ResourceFolders.Folder root) {
    this.toolchain = toolchain;
    this.cache = cache;
    this.include = List.copyOf(include);
    this.progress = progress;
    this.warned = warned;
    this.root = root;
  }

  /** A source was saved while it was compiled, so nobody knows what the result is of. */
  private static final class SourceChangedException extends MagpieException {
    private static final long serialVersionUID = 1L;

    SourceChangedException(Path source) {
      super("Cannot compile " + source + ": it, or a file that it includes, keeps changing");
    }
  }

  /**
   * The compiled file, in the cache.
   *
   * @throws CompilationException if this machine has no compiler for the flavor, or it reports
   *     errors
   */
  Path build(Path source, Flavor flavor, Defines defines) {
    return build(source, flavor, defines, null);
  }

  /**
   * The same of a source that is known, without a look at it by the compiler if the system has
   * stayed as it was when it was compiled; see {@link KeyNote}.
   *
   * @param sources a hash of all files in the source's folder and the include folders
   * @throws CompilationException if this machine has no compiler for the flavor, or it reports
   *     errors
   */
  Path buildKnown(Path source, Flavor flavor, Defines defines, String sources) {
    return build(source, flavor, defines, Objects.requireNonNull(sources));
  }

  private Path build(Path source, Flavor flavor, Defines defines, String sources) {
    for (int attempt = 1; ; attempt++) {
      try {
        return cache.in(folder -> build(source, flavor, defines, sources, folder));
      } catch (SourceChangedException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private Path build(Path source, Flavor flavor, Defines defines, String sources, Path folder)
      throws IOException {
    try (Compilation compilation = compilation(source, flavor, defines, folder)) {
      // In folders that the user names, headers may come to stand before the system's.
      if (sources == null || Compiler.searchesOtherFolders()) {
        return compiled(compilation, compilation.key(), source, flavor, defines, folder);
      }
      Path note = folder.resolve(fileName(source, compilation.keyOfKnown(sources), flavor) + NOTE);
      String noted = KeyNote.read(note);
      if (noted != null) {
        return compiled(compilation, noted, source, flavor, defines, folder);
      }
      Instant begin = Instant.now();
      String key = compilation.key();
      Optional<SortedSet<Path>> read = compilation.systemFiles();
      Path file = compiled(compilation, key, source, flavor, defines, folder);
      if (read.isPresent()) {
        KeyNote.write(note, key, read.get(), begin);
      }
      return file;
    }
  }

  private Path compiled(
      Compilation compilation, String key, Path source, Flavor flavor, Defines defines, Path folder)
      throws IOException {
    return ArtifactCache.file(
        folder,
        fileName(source, key, flavor),
        target -> {
          progress.accept(
              "compiling "
                  + source.getFileName()
                  + " for "
                  + flavor
                  + defines.policy().map(policy -> ", policy " + policy).orElse(""));
          compilation.compile(target);
          compilation.warnings().forEach(warned);
          if (!compilation.key().equals(key)) {
            throw new SourceChangedException(source);
          }
        });
  }

  private static String fileName(Path source, String key, Flavor flavor) {
    return nameOf(source) + "-" + key.substring(0, 32) + "." + flavor.fileName();
  }

  private Compilation compilation(Path source, Flavor flavor, Defines defines, Path folder)
      throws IOException {
    return new Compilation(toolchain, flavor, source, defines, include, root, folder);
  }

  /**
   * Compiles into a folder for machines without compilers, with a list of the files that were read.
   *
   * @throws CompilationException if that list does not tell all: a file that asks which others
   *     there are depends on those that there are not
   */
  void precompile(Path source, Flavor flavor, Defines defines, Path folder) throws IOException {
    Path built = build(source, flavor, defines);
    SortedMap<String, String> sources = cache.in(work -> sources(source, flavor, defines, work));
    Path target = folder.resolve(precompiledName(source, flavor, defines));
    Files.write(target, Files.readAllBytes(built));
    StringBuilder text = new StringBuilder();
    sources.forEach((name, hash) -> text.append(hash).append("  ").append(name).append('\n'));
    Files.writeString(target.resolveSibling(target.getFileName() + SOURCES), text);
  }

  /** The files that are read, and the hash of each. */
  private SortedMap<String, String> sources(
      Path source, Flavor flavor, Defines defines, Path folder) throws IOException {
    SortedMap<String, String> sources = new TreeMap<>();
    try (Compilation compilation = compilation(source, flavor, defines, folder)) {
      for (Map.Entry<String, Path> file : compilation.files().entrySet()) {
        byte[] content = Files.readAllBytes(file.getValue());
        if (new String(content, StandardCharsets.ISO_8859_1).contains(ASKS_FOR_FILES)) {
          throw new CompilationException(
              source + " cannot be precompiled: " + file.getKey() + " uses " + ASKS_FOR_FILES,
              "",
              List.of(),
              "");
        }
        sources.put(file.getKey(), Hashes.ofBytes(content));
      }
    }
    return sources;
  }

  /**
   * The file that {@link #precompile} made of this source, whatever compiler this machine has. Null
   * if there is none, or another text has taken the place of one that was read.
   */
  Path precompiled(Path source, Flavor flavor, Defines defines, Path folder) {
    try {
      Path target = folder.resolve(precompiledName(source, flavor, defines));
      Path list = target.resolveSibling(target.getFileName() + SOURCES);
      if (!Files.isRegularFile(target) || !Files.isRegularFile(list)) {
        return null;
      }
      for (String line : Files.readAllLines(list)) {
        int gap = line.indexOf("  ");
        Path file = Compilation.locate(line.substring(gap + 2), source, include);
        if (!Files.isRegularFile(file) || !Hashes.ofFile(file).equals(line.substring(0, gap))) {
          return null;
        }
      }
      return target;
    } catch (IOException e) {
      Interruptions.rethrow(e, "Interrupted while looking for the compiled form of " + source);
      throw new MagpieException(
          "Cannot read " + source + " or its compiled form in " + folder + ": " + e.getMessage(),
          e);
    }
  }

  /** Those of the flavors that there are. */
  Map<Flavor, Path> precompiled(Path source, Set<Flavor> flavors, Defines defines, Path folder) {
    Map<Flavor, Path> files = new EnumMap<>(Flavor.class);
    for (Flavor flavor : flavors) {
      Path found = precompiled(source, flavor, defines, folder);
      if (found != null) {
        files.put(flavor, found);
      }
    }
    return files;
  }

  private static String precompiledName(Path source, Flavor flavor, Defines defines)
      throws IOException {
    MessageDigest digest = Hashes.sha256();
    Hashes.add(digest, Files.readAllBytes(source));
    Hashes.add(digest, String.join("\n", defines.flags()));
    return nameOf(source) + "-" + Hashes.hex(digest).substring(0, 32) + "." + flavor.fileName();
  }

  /** A source's file name without its suffix. */
  static String nameOf(Path source) {
    String file = source.getFileName().toString();
    int dot = file.lastIndexOf('.');
    return dot > 0 ? file.substring(0, dot) : file;
  }
}
