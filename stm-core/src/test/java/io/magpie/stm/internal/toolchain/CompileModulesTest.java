package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.stm.CompilationException;
import io.magpie.stm.MagpieException;
import io.magpie.stm.ModuleNotFoundException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Built-in modules: what the build writes, and how a program gets it back from a folder or a jar.
 */
class CompileModulesTest {
  /** A module needs nothing but its two symbols; a small one compiles quickly. */
  private static final String MODULE =
      """
      #include "magpie/tiny.cuh"
      #if !defined(__CUDACC__)
      extern "C" __attribute__((visibility("default"))) const char* magpie_module_table() { return TABLE; }
      #endif
      """;

  @TempDir Path folder;
  private final Toolchain toolchain =
      Toolchain.discover(System.getenv("MAGPIE_CXX"), "none", null, "90", "75");
  private ArtifactCache cache;
  private Path sources;
  private Path headers;
  private Path output;
  private Path modules;

  @BeforeEach
  void writeSources() throws IOException {
    assumeTrue(toolchain.cxx().isPresent(), "needs a C++ compiler");
    cache = new ArtifactCache(folder.resolve("cache"));
    sources = folder.resolve("cuda");
    headers = folder.resolve("include");
    output = folder.resolve("classes");
    modules = output.resolve("META-INF/magpie/modules");
    Files.createDirectories(headers.resolve("magpie"));
    Files.writeString(
        headers.resolve("magpie/tiny.cuh"), "#define TABLE \"magpie 11 cpu plain quiet\\n\"\n");
    write("one");
    write("two");
  }

  private void write(String name) throws IOException {
    Files.createDirectories(sources.resolve(name));
    Files.writeString(sources.resolve(name + "/" + name + ".cu"), MODULE);
  }

  private String build() throws IOException {
    return build(EnumSet.noneOf(Flavor.class));
  }

  private String build(Set<Flavor> deferred) throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(log, true, StandardCharsets.UTF_8);
    CompileModules.run(sources, headers, output, toolchain, cache, deferred, print);
    return log.toString(StandardCharsets.UTF_8);
  }

  @Test
  void everyModuleGetsItsFilesAndAnIndex() throws IOException {
    String log = build();

    assertTrue(log.contains("2 modules, 6 files, 6 compiled"), log);
    assertTrue(log.contains("without fatbins") && log.contains("MAGPIE_NVCC=none"), log);
    Properties index = new Properties();
    try (var in = Files.newInputStream(modules.resolve("one/index.properties"))) {
      index.load(in);
    }
    Path library = modules.resolve("one/cpu.so");
    assertEquals(Hashes.ofFile(library), index.getProperty("cpu.so.sha256"));
    assertEquals(Long.toString(Files.size(library)), index.getProperty("cpu.so.bytes"));
    assertEquals("one\ntwo\n", Files.readString(modules.resolve("modules.list")));
  }

  @Test
  void whatIsUpToDateIsLeftAloneAndWhatIsStaleGoes() throws IOException {
    build();
    FileTime mark = FileTime.from(Instant.EPOCH);
    Files.setLastModifiedTime(modules.resolve("one/cpu.so"), mark);
    Files.writeString(modules.resolve("one/cuda.fatbin"), "from a build with nvcc");
    PrivateFolder.deleteQuietly(sources.resolve("two"));
    write("three");

    String log = build();

    assertTrue(log.contains("2 modules, 6 files, 3 compiled"), log);
    assertEquals(mark, Files.getLastModifiedTime(modules.resolve("one/cpu.so")));
    assertFalse(Files.exists(modules.resolve("one/cuda.fatbin")));
    assertFalse(Files.exists(modules.resolve("two")));
    assertEquals("one\nthree\n", Files.readString(modules.resolve("modules.list")));
  }

  @Test
  void deferredModulesAreListedAndNotCompiled() throws Exception {
    build();
    String log = build(EnumSet.allOf(Flavor.class));

    assertTrue(log.contains("2 listed, to be compiled when they are first loaded"), log);
    assertFalse(log.contains("compiling"), log);
    assertFalse(Files.exists(modules.resolve("one/cpu.so")));
    assertEquals("one\ntwo\n", Files.readString(modules.resolve("modules.list")));
    Path jarred = output.resolve("META-INF/magpie/source/one/one.cu");
    Files.createDirectories(jarred.getParent());
    Files.copy(sources.resolve("one/one.cu"), jarred);
    // Headers are those of Magpie here; a folder of sources is searched, too.
    Path shared = output.resolve("META-INF/magpie/source/magpie");
    Files.createDirectories(shared);
    Files.copy(headers.resolve("magpie/tiny.cuh"), shared.resolve("tiny.cuh"));
    withClassPath(
        output,
        () -> {
          ModuleArtifacts module =
              ModuleSource.builtIn("one", Defines.NONE, Set.of(Flavor.CPU), toolchain, cache);
          assertTrue(Files.size(module.cpuLibrary()) > 0);
          assertEquals("META-INF/magpie/source/one/one.cu of " + output, module.origin());
        });
  }

  @Test
  void oneFlavorCanBeDeferred() throws IOException {
    build();
    String log = build(EnumSet.of(Flavor.CPU_CHECKED));

    assertTrue(log.contains("2 modules, 4 files, 0 compiled"), log);
    assertTrue(Files.exists(modules.resolve("one/cpu.so")));
    assertFalse(Files.exists(modules.resolve("one/cpu-checked.so")));
    String index = Files.readString(modules.resolve("one/index.properties"));
    assertTrue(index.contains("sim.so.sha256"), index);
    assertFalse(index.contains("cpu-checked"), index);
  }

  @Test
  void aModuleThatDoesNotCompileFailsTheBuild() throws IOException {
    Files.writeString(sources.resolve("two/two.cu"), MODULE.replace("TABLE", "UNKNOWN"));

    CompilationException e = assertThrows(CompilationException.class, this::build);

    assertTrue(e.getMessage().contains("two.cu:3:"), e.getMessage());
  }

  @Test
  void builtInModulesComeFromAFolder() throws Exception {
    build();
    withClassPath(
        output,
        () -> {
          ModuleArtifacts module =
              ModuleSource.builtIn(
                  "one", Defines.NONE, Set.of(Flavor.CPU, Flavor.SIM), toolchain, cache);
          assertEquals(modules.resolve("one/cpu.so"), module.cpuLibrary());
          assertEquals(modules.resolve("one/sim.so"), module.simLibrary());
          ModuleNotFoundException e =
              assertThrows(
                  ModuleNotFoundException.class,
                  () ->
                      ModuleSource.builtIn(
                          "four", Defines.NONE, Set.of(Flavor.CPU), toolchain, cache));
          // Others may be on the class path as well.
          assertTrue(
              e.getMessage().matches("(?s).*there are: .*\\bone,.* two\\b.*"), e.getMessage());
        });
  }

  @Test
  void builtInModulesComeFromAJar() throws Exception {
    build();
    Path jar = jar();
    withClassPath(
        jar,
        () -> {
          Path library =
              ModuleSource.builtIn("one", Defines.NONE, Set.of(Flavor.CPU), toolchain, cache)
                  .cpuLibrary();
          assertEquals(-1, Files.mismatch(modules.resolve("one/cpu.so"), library));
          assertTrue(library.startsWith(folder.resolve("cache")), library.toString());
        });
  }

  @Test
  void aCopyFromTheJarIsComparedWithTheJar() throws Exception {
    build();
    withClassPath(
        jar(),
        () -> {
          Path library =
              ModuleSource.builtIn("one", Defines.NONE, Set.of(Flavor.CPU), toolchain, cache)
                  .cpuLibrary();
          Files.writeString(library, "planted");
          Files.writeString(
              library.resolveSibling(library.getFileName() + ".sha256"),
              Hashes.ofFile(library) + "  " + library.getFileName() + "\n");

          Path again =
              ModuleSource.builtIn("one", Defines.NONE, Set.of(Flavor.CPU), toolchain, cache)
                  .cpuLibrary();
          assertEquals(-1, Files.mismatch(modules.resolve("one/cpu.so"), again));
        });
  }

  @Test
  void theBuildTellsWhatItCompiles() throws IOException {
    String log = build();

    assertTrue(log.contains("[modules] compiling one.cu for CPU; "), log);
    assertTrue(log.contains(" of 6 files done in "), log);
    assertFalse(build().contains("compiling"), "what comes from the cache is not compiled");
  }

  @Test
  void aDamagedJarIsAnError() throws Exception {
    build();
    Files.writeString(modules.resolve("one/cpu.so"), "not what the index says");
    Path jar = jar();
    withClassPath(
        jar,
        () -> {
          MagpieException e =
              assertThrows(
                  MagpieException.class,
                  () ->
                      ModuleSource.builtIn(
                          "one",
                          Defines.NONE,
                          Set.of(Flavor.CPU),
                          toolchain,
                          new ArtifactCache(folder.resolve("empty"))));
          assertTrue(e.getMessage().contains("damaged"), e.getMessage());
        });
  }

  @Test
  void aFlavorThatTheJarLacksIsCompiledFromItsSource() throws Exception {
    build();
    String index = Files.readString(modules.resolve("one/index.properties"));
    Files.writeString(
        modules.resolve("one/index.properties"), index.replaceAll("(?m)^sim\\.so.*\\n", ""));
    Files.delete(modules.resolve("one/sim.so"));
    withClassPath(
        jar(),
        () -> {
          ModuleNotFoundException e =
              assertThrows(
                  ModuleNotFoundException.class,
                  () ->
                      ModuleSource.builtIn(
                          "one", Defines.NONE, Set.of(Flavor.SIM), toolchain, cache));
          assertTrue(
              e.getMessage().matches("The module 'one' of /.*\\.jar was built without .*"),
              e.getMessage());
          assertTrue(
              e.getMessage().endsWith(", META-INF/magpie/source/one/one.cu"), e.getMessage());
        });

    Path source = output.resolve("META-INF/magpie/source/one");
    Files.createDirectories(source);
    Files.writeString(source.resolve("one.cu"), "int wrong = nothing;\n");
    withClassPath(
        jar(),
        () -> {
          CompilationException e =
              assertThrows(
                  CompilationException.class,
                  () ->
                      ModuleSource.builtIn(
                          "one", Defines.NONE, Set.of(Flavor.SIM), toolchain, cache));
          assertTrue(
              e.getMessage()
                  .matches(
                      "(?s)Cannot compile one/one\\.cu of /\\S*\\.jar \\(copy: /\\S*/one/one\\.cu\\)"
                          + " for [^\n]*\n  one/one\\.cu:1: .*nothing.* remedy: correct the source"
                          + " that the jar is made of, .*"),
              e.getMessage());
        });
    Files.writeString(source.resolve("one.cu"), MODULE.replace("magpie/tiny.cuh", "shared.cuh"));
    Files.writeString(source.resolveSibling("shared.cuh"), "#define TABLE \"from source\"\n");
    Path jar = jar();
    withClassPath(
        jar,
        () -> {
          Path library =
              ModuleSource.builtIn("one", Defines.NONE, Set.of(Flavor.SIM), toolchain, cache)
                  .simLibrary();
          String bytes = Files.readString(library, StandardCharsets.ISO_8859_1);
          assertTrue(bytes.contains("from source"));
          // With a define also what the jar has compiled.
          Defines defines = Defines.of(Map.of("UNUSED", "1"));
          ModuleArtifacts defined =
              ModuleSource.builtIn("one", defines, Set.of(Flavor.CPU), toolchain, cache);
          assertTrue(
              Files.readString(defined.cpuLibrary(), StandardCharsets.ISO_8859_1)
                  .contains("from source"));
          assertEquals(
              "META-INF/magpie/source/one/one.cu of " + jar + " with UNUSED=1", defined.origin());
          CompilationException e =
              assertThrows(
                  CompilationException.class,
                  () ->
                      ModuleSource.builtIn(
                          "one", Defines.NONE, Set.of(Flavor.CUDA), toolchain, cache));
          assertTrue(e.getMessage().contains("was built without CUDA"), e.getMessage());
          assertTrue(e.getMessage().contains("MAGPIE_NVCC"), e.getMessage());
        });
  }

  /** In place of nvcc a script that writes its arguments and its source to its output. */
  private Toolchain withScriptForNvcc() throws IOException {
    Path script = folder.resolve("nvcc");
    Files.writeString(
        script,
        """
        #!/bin/sh
        [ "$1" = --version ] && { echo "script, release 1"; exit 0; }
        all="$* $(cat magpie.module.cu)"
        case $all in *--dryrun*) echo '#$ : -E ; cp magpie.module.cu module.ii'; exit 0 ;; esac
        while [ "$1" != -o ]; do shift; done
        echo "$all" > "$2"
        """);
    assertTrue(script.toFile().setExecutable(true));
    return Toolchain.discover(System.getenv("MAGPIE_CXX"), script.toString(), null, "90", "75");
  }

  @Test
  void hostCodeBesideAModuleBecomesALibrary() throws Exception {
    Files.writeString(sources.resolve("two/two.host.cu"), "int x;");
    PrintStream nowhere = new PrintStream(new ByteArrayOutputStream());
    CompileModules.run(
        sources,
        headers,
        output,
        withScriptForNvcc(),
        cache,
        EnumSet.noneOf(Flavor.class),
        nowhere);

    assertTrue(Files.exists(modules.resolve("one/cuda.fatbin")));
    assertFalse(Files.exists(modules.resolve("one/cuda-host.so")));
    String built = Files.readString(modules.resolve("two/cuda-host.so"));
    assertTrue(built.contains("-shared") && built.contains("two.host.cu"), built);
    withClassPath(
        jar(),
        () -> {
          assertEquals(built, Files.readString(ModuleSource.hostLibrary("two", toolchain, cache)));
          ModuleNotFoundException e =
              assertThrows(
                  ModuleNotFoundException.class,
                  () -> ModuleSource.hostLibrary("one", toolchain, cache));
          assertTrue(e.getMessage().contains("was built without CUDA_HOST"), e.getMessage());
        });

    // A build without nvcc takes both away.
    build();
    assertFalse(Files.exists(modules.resolve("one/cuda.fatbin")));
    assertFalse(Files.exists(modules.resolve("two/cuda-host.so")));
    assertTrue(Files.exists(modules.resolve("two/cpu.so")));
  }

  private interface Body {
    void run() throws Exception;
  }

  private static void withClassPath(Path entry, Body body) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {entry.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      body.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private Path jar() throws IOException {
    Path jar = Files.createTempFile(folder, "modules", ".jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        var tree = Files.walk(output)) {
      for (Path file : tree.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(output.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }
}
