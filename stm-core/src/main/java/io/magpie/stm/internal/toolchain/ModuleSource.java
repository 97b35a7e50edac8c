package io.magpie.stm.internal.toolchain;

import io.magpie.stm.CompilationException;
import io.magpie.stm.MagpieException;
import io.magpie.stm.ModuleNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a module's compiled files come from: the jar for built-in modules, a compiler and the cache
 * for others.
 *
 * <p>Safe for any number of threads and processes at once.
 */
public final class ModuleSource {
  /**
   * Property: a folder with the {@code magpie/} headers, used in place of those on the class path.
   */
  public static final String INCLUDE_PROPERTY = "magpie.include";

  /**
   * Property: a folder made by {@link PrecompileSources}; a source that was compiled into it is not
   * compiled again, by whatever compiler this machine has.
   */
  public static final String PRECOMPILED_PROPERTY = "magpie.precompiled";

  static final String INCLUDE_FOLDER = "META-INF/magpie/include";
  static final String SOURCE_FOLDER = "META-INF/magpie/source";
  static final String MODULES_FOLDER = "META-INF/magpie/modules";
  static final String MODULE_LIST = "modules.list";
  static final String INDEX = "index.properties";
  private static final String KNOWN_HEADER = "magpie/kernel.cuh";

  private static final Logger LOG = LoggerFactory.getLogger(ModuleSource.class);

  private ModuleSource() {}

  /**
   * The files of a built-in module. Each is taken from the jar; where it lacks a flavor, because it
   * was built without nvcc, and this machine has the compiler, the source in the jar is compiled.
   *
   * @param name the module's name, such as {@code msf}
   * @param defines macros; if there are any, the source in the jar is compiled
   * @param wanted the flavors to return; the others are null
   * @throws ModuleNotFoundException if there is no module of that name, and the message lists those
   *     there are; or if the jar has neither a wanted flavor nor the source
   * @throws CompilationException if a wanted flavor is not in the jar and cannot be compiled here
   */
  public static ModuleArtifacts builtIn(String name, Defines defines, Set<Flavor> wanted) {
    return builtIn(name, defines, wanted, Toolchain.discovered(), ArtifactCache.ofUser());
  }

  static ModuleArtifacts builtIn(
      String name, Defines defines, Set<Flavor> wanted, Toolchain toolchain, ArtifactCache cache) {
    URL index = index(name);
    Properties properties = properties(index);
    Map<Flavor, Path> files = new EnumMap<>(Flavor.class);
    for (Flavor flavor : wanted) {
      String hash = properties.getProperty(flavor.fileName() + ".sha256");
      files.put(
          flavor,
          hash != null && defines.isEmpty()
              ? prebuilt(name, index, flavor, hash, cache)
              : compiledFromJar(name, index, flavor, defines, toolchain, cache));
    }
    return ModuleArtifacts.of(name, files, origin(resource(name, index), defines));
  }

  /** The source of a built-in module, or where there is none its index, and the jar that has it. */
  private static String resource(String name, URL index) {
    String source = SOURCE_FOLDER + "/" + name + "/" + name + Flavor.CPU.sourceSuffix();
    String listed = MODULES_FOLDER + "/" + name + "/" + INDEX;
    return ResourceFolders.all(source).stream()
        .findFirst()
        .map(url -> source + " of " + ResourceFolders.root(url, source))
        .orElseGet(() -> listed + " of " + ResourceFolders.root(index, listed));
  }

  /**
   * The library of host code of a built-in module: from the jar, or compiled from the source there
   * if the jar was built without nvcc and this machine has it.
   *
   * @param name the module's name
   * @throws ModuleNotFoundException if there is no module of that name, or the jar has neither the
   *     library nor the source
   * @throws CompilationException if the library is not in the jar and cannot be compiled here
   */
  public static Path hostLibrary(String name) {
    return hostLibrary(name, Toolchain.discovered(), ArtifactCache.ofUser());
  }

  static Path hostLibrary(String name, Toolchain toolchain, ArtifactCache cache) {
    URL index = index(name);
    Flavor flavor = Flavor.CUDA_HOST;
    String hash = properties(index).getProperty(flavor.fileName() + ".sha256");
    return hash != null
        ? prebuilt(name, index, flavor, hash, cache)
        : compiledFromJar(name, index, flavor, Defines.NONE, toolchain, cache);
  }

  private static URL index(String name) {
    List<URL> indices =
        name.matches("[A-Za-z0-9_-]+")
            ? ResourceFolders.all(MODULES_FOLDER + "/" + name + "/" + INDEX)
            : List.of();
    if (indices.isEmpty()) {
      throw new ModuleNotFoundException(
          "There is no module '"
              + name
              + "'; there are: "
              + String.join(", ", builtInNames())
              + "; one of your own needs on the class path "
              + MODULES_FOLDER
              + "/NAME/"
              + INDEX
              + ", which may be empty, and "
              + SOURCE_FOLDER
              + "/NAME/NAME.cu");
    }
    return indices.get(0);
  }

  private static Properties properties(URL index) {
    Properties properties = new Properties();
    try (InputStream in = index.openStream()) {
      properties.load(in);
    } catch (IOException e) {
      Interruptions.rethrow(e, "Interrupted while reading " + index);
      throw new MagpieException("Cannot read " + index + ": " + e.getMessage(), e);
    }
    return properties;
  }

  /** The names of all built-in modules on the class path, in alphabetical order. */
  public static Set<String> builtInNames() {
    Set<String> names = new TreeSet<>();
    for (URL list : ResourceFolders.all(MODULES_FOLDER + "/" + MODULE_LIST)) {
      try (InputStream in = list.openStream()) {
        new String(in.readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .map(String::strip)
            .forEach(names::add);
      } catch (IOException e) {
        Interruptions.rethrow(e, "Interrupted while reading " + list);
        throw new MagpieException("Cannot read " + list + ": " + e.getMessage(), e);
      }
    }
    return names;
  }

  /**
   * Compiles a module, or takes it from the cache if the same source was compiled before with the
   * same defines by the same compiler. Defines that leave variants out have no effect where a
   * flavor was precompiled with the others, and none without: then all variants are there, in each
   * flavor.
   *
   * @param source a {@code .cu} file; it may include files next to it and the {@code magpie/}
   *     headers
   * @param defines macros
   * @param wanted the flavors to return; the others are null
   * @throws ModuleNotFoundException if there is no such file
   * @throws CompilationException if a compiler is missing or reports errors
   */
  public static ModuleArtifacts compile(Path source, Defines defines, Set<Flavor> wanted) {
    return compile(source, defines, wanted, Toolchain.discovered(), ArtifactCache.ofUser());
  }

  static ModuleArtifacts compile(
      Path source, Defines defines, Set<Flavor> wanted, Toolchain toolchain, ArtifactCache cache) {
    Path file = source.toAbsolutePath().normalize();
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new ModuleNotFoundException(
          "Cannot read the module source "
              + file
              + ": "
              + (Files.isDirectory(file)
                  ? "it is a folder"
                  : Files.exists(file) ? "no readable file" : "no such file"));
    }
    ModuleBuilder builder = builder(toolchain, cache);
    String precompiled = System.getProperty(PRECOMPILED_PROPERTY, "");
    Map<Flavor, Path> files = new EnumMap<>(Flavor.class);
    // Flavors that go together have the same variants: one may bring the table of another.
    Defines missing = defines;
    if (!precompiled.isBlank()) {
      Path folder = Path.of(precompiled).toAbsolutePath();
      files.putAll(builder.precompiled(file, wanted, defines, folder));
      if (files.size() < wanted.size()) {
        Defines all = defines.whole(textOf(file));
        Map<Flavor, Path> whole = builder.precompiled(file, wanted, all, folder);
        if (whole.size() > files.size()) {
          files = whole;
          missing = all;
        }
      }
    }
    for (Flavor flavor : wanted) {
      if (!files.containsKey(flavor)) {
        files.put(flavor, builder.build(file, flavor, missing));
      }
    }
    return ModuleArtifacts.of(ModuleBuilder.nameOf(file), files, origin(file.toString(), defines));
  }

  /** Whatever its encoding: what is looked for in it is ASCII. */
  private static String textOf(Path source) {
    try {
      return Files.readString(source, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new ModuleNotFoundException("Cannot read the module source " + source + ": " + e);
    }
  }

  private static String origin(String source, Defines defines) {
    return defines.isEmpty() ? source : source + " with " + defines;
  }

  /** What compiles a user's source: the headers are its only include folder. */
  static ModuleBuilder builder(Toolchain toolchain, ArtifactCache cache) {
    return new ModuleBuilder(
        toolchain, cache, List.of(headers(cache).path()), LOG::info, LOG::warn);
  }

  private static Path prebuilt(
      String name, URL index, Flavor flavor, String hash, ArtifactCache cache) {
    try {
      if (index.getProtocol().equals("file")) {
        return Path.of(index.toURI()).resolveSibling(flavor.fileName());
      }
      String location = index.toExternalForm();
      URL artifact =
          new URL(location.substring(0, location.length() - INDEX.length()) + flavor.fileName());
      return cache.file(
          name + "-" + hash.substring(0, 32) + "." + flavor.fileName(),
          hash,
          target -> {
            try (InputStream in = artifact.openStream();
                OutputStream out = Files.newOutputStream(target)) {
              in.transferTo(out);
            }
            String found = Hashes.ofFile(target);
            if (!found.equals(hash)) {
              throw new MagpieException(
                  artifact
                      + " is damaged: its SHA-256 is "
                      + found
                      + ", recorded is "
                      + hash
                      + "; get the jar again");
            }
          });
    } catch (IOException e) {
      Interruptions.rethrow(e, "Interrupted while reading " + index);
      throw unreadable(flavor, index, e);
    } catch (URISyntaxException e) {
      throw unreadable(flavor, index, e);
    }
  }

  private static MagpieException unreadable(Flavor flavor, URL index, Exception e) {
    return new MagpieException(
        "Cannot read " + flavor.fileName() + " next to " + index + ": " + e.getMessage(), e);
  }

  private static Path compiledFromJar(
      String name,
      URL index,
      Flavor flavor,
      Defines defines,
      Toolchain toolchain,
      ArtifactCache cache) {
    String member = name + "/" + name + flavor.sourceSuffix();
    Optional<ResourceFolders.Folder> root = ResourceFolders.holding(SOURCE_FOLDER, member, cache);
    if (root.isEmpty()) {
      throw new ModuleNotFoundException(
          "The module '"
              + name
              + "' of "
              + ResourceFolders.root(index, MODULES_FOLDER + "/" + name + "/" + INDEX)
              + (defines.isEmpty() ? " was built without " + flavor : " with " + defines)
              + (defines.isEmpty() ? " and cannot" : " cannot")
              + " be compiled: its source is neither there nor elsewhere on the class path, "
              + SOURCE_FOLDER
              + "/"
              + member);
    }
    if (toolchain.compilerFor(flavor).isEmpty()) {
      throw new CompilationException(
          "The module '"
              + name
              + (defines.isEmpty() ? "' was built without " + flavor : "' with " + defines)
              + (defines.isEmpty() ? " and cannot" : " cannot")
              + " be compiled here: "
              + toolchain.missing(flavor),
          "",
          List.of(),
          "");
    }
    ResourceFolders.Folder headers = headers(cache);
    List<Path> include = List.of(headers.path(), root.get().path());
    ModuleBuilder builder =
        new ModuleBuilder(toolchain, cache, include, LOG::info, LOG::warn, root.get());
    Path source = root.get().path().resolve(member);
    return headers.hash() == null || root.get().hash() == null
        ? builder.build(source, flavor, defines)
        : builder.buildKnown(source, flavor, defines, headers.hash() + root.get().hash());
  }

  /** The folder that holds {@code magpie/}. */
  private static ResourceFolders.Folder headers(ArtifactCache cache) {
    String given = System.getProperty(INCLUDE_PROPERTY);
    if (given != null && !given.isBlank()) {
      Path folder = Path.of(given).toAbsolutePath();
      if (!Files.isRegularFile(folder.resolve(KNOWN_HEADER))) {
        throw new MagpieException(
            INCLUDE_PROPERTY + "=" + given + ": there is no " + KNOWN_HEADER + " in it");
      }
      return new ResourceFolders.Folder(folder);
    }
    return ResourceFolders.holding(INCLUDE_FOLDER, KNOWN_HEADER, cache)
        .orElseThrow(
            () ->
                new MagpieException(
                    "The headers are missing: "
                        + INCLUDE_FOLDER
                        + "/"
                        + KNOWN_HEADER
                        + " is not on the class path; add the magpie-stm-kernels jar or set "
                        + INCLUDE_PROPERTY));
  }
}
