package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.NativeLibrary;
import io.magpie.stm.CodeStorageException;
import io.magpie.stm.CompilationException;
import io.magpie.stm.MagpieException;
import io.magpie.stm.ModuleNotFoundException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A user's own source: compiled once in each flavor, cached under all that determines the result.
 */
class ModuleSourceTest extends SourceInAFolder {
  @Test
  void eachHostFlavorIsALibraryThatDescribesItself() throws IOException {
    Files.writeString(source, KERNEL);
    ModuleArtifacts module = compile(Flavor.CPU, Flavor.CPU_CHECKED);

    assertEquals("doubling", module.name());
    assertEquals(source.toString(), module.origin());
    assertTrue(
        table(module.cpuLibrary()).startsWith("magpie 11 cpu plain quiet\n"),
        table(module.cpuLibrary()));
    assertTrue(table(module.cpuCheckedLibrary()).startsWith("magpie 11 cpu checked quiet\n"));
    assertTrue(
        table(module.cpuLibrary()).contains("kernel scale 0 24 8\n"), table(module.cpuLibrary()));
    assertNull(module.simLibrary(), "not asked for");
    assertNull(module.fatbin(), "not asked for");
  }

  @Test
  void aFatbinHoldsTheEntryPoint() throws IOException {
    assumeTrue(toolchain.nvcc().isPresent(), "needs nvcc");

    Files.writeString(source, KERNEL);
    byte[] fatbin = Files.readAllBytes(compile(Flavor.CUDA).fatbin());

    assertTrue(
        new String(fatbin, java.nio.charset.StandardCharsets.ISO_8859_1)
            .contains("magpie_kernel_scale"));
  }

  @Test
  void theSameSourceIsNotCompiledAgain() throws IOException {
    Path first = compile(Flavor.CPU).cpuLibrary();
    FileTime mark = FileTime.from(Instant.EPOCH);
    Files.setLastModifiedTime(first, mark);

    assertEquals(first, compile(Flavor.CPU).cpuLibrary());
    assertEquals(mark, Files.getLastModifiedTime(first), "it was written again");
  }

  @Test
  void anEditOfAnIncludedFileMeansAnotherArtifact() throws IOException {
    Path first = compile(Flavor.CPU).cpuLibrary();
    Files.writeString(folder.resolve("step.cuh"), "#define STEP 4\n");

    assertNotEquals(first, compile(Flavor.CPU).cpuLibrary());

    Files.writeString(folder.resolve("unrelated.cuh"), "#error not included\n");
    Files.writeString(folder.resolve("step.cuh"), "#define STEP 3\n");
    assertEquals(first, compile(Flavor.CPU).cpuLibrary());
  }

  /** A library that returns STEP, which the text or what it includes defines. */
  private int compiledStep(String text, Toolchain compilers) throws IOException {
    Files.writeString(
        source,
        text
            + "\nextern \"C\" __attribute__((visibility(\"default\")))"
            + " int magpie_step() { return STEP; }\n");
    return step(
        ModuleSource.compile(source, Defines.NONE, Set.of(Flavor.CPU), compilers, cache)
            .cpuLibrary());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#include/**/\"step.cuh\"",
        "%:include \"step.cuh\"",
        "#\\\ninclude \"step.cuh\"",
        "#import \"step.cuh\"",
        "#include \"name.cuh\"\n#include NAME",
        "/**/ # /**/ include /**/ \"step.cuh\"",
        "#define TEXT(name) #name\n#define FILE(name) TEXT(name.cuh)\n#include FILE(step)"
      })
  void anEditCountsHoweverItsFileIsIncluded(String include) throws IOException {
    Files.writeString(folder.resolve("name.cuh"), "#define NAME \"step.cuh\"\n");
    assertEquals(3, compiledStep(include, toolchain));

    Files.writeString(folder.resolve("step.cuh"), "#define STEP 4\n");

    assertEquals(4, compiledStep(include, toolchain));
  }

  @Test
  void aFileThatAppearsCounts() throws IOException {
    String optional =
        """
        #if __has_include("optional.cuh")
        #define STEP 4
        #else
        #define STEP 3
        #endif
        """;
    assertEquals(3, compiledStep(optional, toolchain));
    Files.writeString(folder.resolve("optional.cuh"), "");
    assertEquals(4, compiledStep(optional, toolchain));

    Path found = Files.createDirectory(folder.resolve("found"));
    Path earlier = Files.createDirectory(folder.resolve("earlier"));
    Files.writeString(found.resolve("where.cuh"), "#define STEP 5\n");
    Toolchain withFolders =
        compiler("CPLUS_INCLUDE_PATH='" + earlier + ":" + found + "' exec g++ \"$@\"");
    assertEquals(5, compiledStep("#include <where.cuh>", withFolders));
    Files.writeString(earlier.resolve("where.cuh"), "#define STEP 6\n");
    assertEquals(6, compiledStep("#include <where.cuh>", withFolders));
    Files.writeString(earlier.resolve("where.cuh"), "#define STEP 7\n");
    assertEquals(7, compiledStep("#include <where.cuh>", withFolders), "edited");
  }

  /** A toolchain with a script for a C++ compiler. */
  private Toolchain compiler(String script) throws IOException {
    assumeTrue(Compiler.onPath("g++") != null, "needs g++");
    Path file = folder.resolve("c++");
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    assertTrue(file.toFile().setExecutable(true));
    return Toolchain.discover(file.toString(), "none", null, "90", "75");
  }

  @Test
  void aScriptInPlaceOfTheCompilerCountsByItsText() throws IOException {
    assertEquals(3, compiledStep("", compiler("exec g++ -DSTEP=3 \"$@\"")));
    assertEquals(
        4,
        compiledStep(
            "",
            compiler(
                "case $* in *' -E'*) ;; *) set -- -USTEP -DSTEP=4 \"$@\" ;; esac;"
                    + " exec g++ -DSTEP=3 \"$@\"")),
        "although preprocessed text and version are the same");
  }

  @Test
  void whatIsSavedDuringACompilationIsCompiledAgain() throws IOException {
    Path header = folder.resolve("step.cuh");
    Path once = folder.resolve("once");
    Toolchain slow =
        compiler(
            "g++ \"$@\" || exit; case $* in *--version | *' -E') ;; *) [ -e '"
                + once
                + "' ] || echo '#define STEP 4' > '"
                + header
                + "'; touch '"
                + once
                + "' ;; esac");

    assertEquals(4, compiledStep("#include \"step.cuh\"", slow), "as it is at the end");
    assertTrue(Files.exists(once));
    Files.writeString(header, "#define STEP 3\n");
    assertEquals(3, compiledStep("#include \"step.cuh\"", slow), "not the first one's result");
  }

  @Test
  void theTimeOfDayDoesNotCount() throws IOException {
    Files.writeString(source, TINY + "extern const char time[] = __DATE__ __TIME__;\n");
    Path first = compile(Flavor.CPU).cpuLibrary();

    assertEquals(first, compile(Flavor.CPU).cpuLibrary());
  }

  @Test
  void aSourceElsewhereHasTheSameArtifact() throws IOException {
    Path first = compile(Flavor.CPU).cpuLibrary();
    Path elsewhere = Files.createDirectory(folder.resolve("else where"));
    Files.copy(source, elsewhere.resolve("doubling.cu"));
    Files.copy(folder.resolve("step.cuh"), elsewhere.resolve("step.cuh"));
    source = elsewhere.resolve("doubling.cu");

    assertEquals(first, compile(Flavor.CPU).cpuLibrary());
  }

  /** A process whose compiler works until it is ended, in a folder that its parent knows. */
  private final class EndlessCompilation implements AutoCloseable {
    private final Process process;
    final Path work;
    final List<Long> compilers;

    EndlessCompilation() throws Exception {
      Path started = folder.resolve("started");
      Path script = folder.resolve("endless");
      Files.writeString(
          script,
          "#!/bin/sh\n[ \"$1\" = --version ] && exec g++ --version; sleep 120 & (pwd; echo $$; echo $!) > '"
              + started
              + ".new'; mv '"
              + started
              + ".new' '"
              + started
              + "'; wait\n");
      assertTrue(script.toFile().setExecutable(true));
      ProcessBuilder child = OneCompilation.process(source, cacheFolder());
      child.environment().put("MAGPIE_CXX", script.toString());
      process = child.redirectErrorStream(true).start();
      while (!Files.exists(started)) {
        assertTrue(process.isAlive());
        Thread.sleep(10);
      }
      List<String> lines = Files.readAllLines(started);
      Files.delete(started);
      work = Path.of(lines.get(0));
      compilers = lines.subList(1, lines.size()).stream().map(Long::valueOf).toList();
    }

    /** Tells it to end, and gives what it said. */
    String end() throws Exception {
      process.toHandle().destroy(); // which leaves its output open
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      return said;
    }

    void kill() throws Exception {
      process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws Exception {
      kill();
      for (long compiler : compilers) {
        ProcessHandle.of(compiler).ifPresent(ProcessHandle::destroyForcibly);
      }
      PrivateFolder.deleteQuietly(work);
    }
  }

  /** Whether a process has not ended; in some containers nobody asks how it did. */
  private static boolean runs(long process) {
    try {
      return !Files.readString(Path.of("/proc/" + process + "/stat")).contains(") Z ");
    } catch (IOException gone) {
      return false;
    }
  }

  private List<Path> workFolders() throws IOException {
    try (var all = Files.list(cacheFolder().resolve("compile"))) {
      return all.toList();
    }
  }

  @Test
  void compilersWorkInAFolderOfTheCacheThatOthersCannotEnter() throws Exception {
    try (EndlessCompilation endless = new EndlessCompilation()) {
      assertEquals(cacheFolder().toRealPath().resolve("compile"), endless.work.getParent());
      for (Path each : List.of(endless.work, endless.work.getParent())) {
        assertEquals(
            "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(each)));
      }
    }
  }

  @Test
  void aProcessThatIsToldToEndLeavesNoCompilersAndNoFolder() throws Exception {
    try (EndlessCompilation endless = new EndlessCompilation()) {
      assertEquals("", endless.end(), "it says nothing of compilers that are ended");

      for (long compiler : endless.compilers) {
        for (int i = 0; runs(compiler); i++) {
          assertTrue(i < 1000, "a compiler runs on");
          Thread.sleep(10);
        }
      }
      assertEquals(List.of(), workFolders());
    }
  }

  @Test
  void whatAKilledProcessLeavesGoesAtTheNextCompilation() throws Exception {
    try (EndlessCompilation killed = new EndlessCompilation();
        EndlessCompilation alive = new EndlessCompilation()) {
      killed.kill();
      assertTrue(Files.exists(killed.work));

      compile(Flavor.CPU);

      assertFalse(Files.exists(killed.work));
      assertTrue(Files.exists(alive.work), "still in use");
      assertEquals(2, workFolders().size(), "a folder and its lock");
    }
  }

  @Test
  void aFullCacheIsLeftForATemporaryOne() throws Exception {
    Toolchain full =
        compiler(
            "case $PWD in '"
                + folder.toRealPath()
                + "'*) echo 'fatal error: error writing to x.s: No space left on device'; exit 1 ;;"
                + " esac; exec g++ \"$@\"");

    Path made =
        ModuleSource.compile(source, Defines.NONE, Set.of(Flavor.CPU), full, cache).cpuLibrary();

    assertEquals(3, step(made));
    assertFalse(made.startsWith(folder.toRealPath()), made.toString());
  }

  @Test
  void foldersInTheEnvironmentAreTheCallers() throws Exception {
    Files.createDirectory(folder.resolve("found"));
    Files.writeString(folder.resolve("found/where.cuh"), "#define STEP 8\n");
    Files.writeString(source, TINY.replace("step.cuh", "where.cuh"));
    ProcessBuilder child = OneCompilation.process(source, cacheFolder());
    child.directory(folder.toFile());
    child.environment().put("CPLUS_INCLUDE_PATH", "found");
    child.environment().put("DEPENDENCIES_OUTPUT", folder.resolve("unasked").toString());

    String library = OneCompilation.outputOf(child);

    assertEquals(8, step(Path.of(library.strip())));
    assertFalse(Files.exists(folder.resolve("unasked")));
  }

  /** What a linker takes from a relative folder depends on where that folder is. */
  @Test
  void relativeFoldersOfLibrariesCountByWhereTheyAre() throws Exception {
    Path here = Files.createDirectory(folder.resolve("here"));
    Path there = Files.createDirectory(folder.resolve("there"));

    String library = compiledIn(here, "lib");

    assertEquals(library, compiledIn(here, "lib"));
    assertNotEquals(library, compiledIn(there, "lib"));
    assertEquals(library, compiledIn(there, here.resolve("lib").toString()));
    assertEquals(compiledIn(here, ""), compiledIn(there, ""));
  }

  private String compiledIn(Path folder, String libraries) throws Exception {
    ProcessBuilder child = OneCompilation.process(source, cacheFolder());
    child.directory(folder.toFile());
    child.environment().put("LIBRARY_PATH", libraries);
    return OneCompilation.outputOf(child).strip();
  }

  private Path cacheFolder() {
    return folder.resolve("cache");
  }

  /** A process that compiles a source for {@code cpu} and prints where the library is. */
  static final class OneCompilation {
    static ProcessBuilder process(Path source, Path cache) {
      return new ProcessBuilder(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:TieredStopAtLevel=1",
          "-cp",
          System.getProperty("java.class.path"),
          OneCompilation.class.getName(),
          source.toString(),
          cache.toString());
    }

    static String outputOf(ProcessBuilder process) throws Exception {
      process.redirectError(ProcessBuilder.Redirect.INHERIT);
      Process started = process.start();
      String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, started.waitFor());
      return output;
    }

    public static void main(String[] arguments) {
      System.out.println(
          ModuleSource.compile(
                  Path.of(arguments[0]),
                  Defines.NONE,
                  Set.of(Flavor.CPU),
                  Toolchain.discovered(),
                  new ArtifactCache(Path.of(arguments[1])))
              .cpuLibrary());
    }
  }

  /** Names that a shell, a compiler or an include line could take for something else. */
  private static final String HOSTILE = "x$(touch PWNED) `touch PWNED`;touch PWNED #'@&|";

  private void writeHostileSource(String ending) throws IOException {
    Path hostile = Files.createDirectories(folder.resolve(HOSTILE));
    source = hostile.resolve(HOSTILE + ".cu");
    Files.writeString(
        source,
        """
        #include "magpie/kernel.cuh"
        #include "../step.cuh"
        #include "beside.cuh"
        """
            + ending);
    Files.writeString(hostile.resolve("beside.cuh"), "#define BESIDE 1\n");
    Path headers = Files.createDirectories(folder.resolve("include" + HOSTILE + "/magpie"));
    Files.writeString(headers.resolve("kernel.cuh"), "#define HEADER 1\n");
    System.setProperty(ModuleSource.INCLUDE_PROPERTY, headers.getParent().toString());
  }

  private static final String HOSTILE_ENDING =
      "extern \"C\" __attribute__((visibility(\"default\")))"
          + " int magpie_step() { return STEP * BESIDE * HEADER; }\n";

  private void assertNothingRan() throws IOException {
    for (Path place : List.of(folder, source.getParent(), Path.of(""))) {
      assertFalse(Files.exists(place.resolve("PWNED")), place.toString());
    }
  }

  @Test
  void noNameReachesAShell() throws IOException {
    writeHostileSource(HOSTILE_ENDING);
    cache = new ArtifactCache(folder.resolve("cache" + HOSTILE));
    try {
      assertEquals(3, step(compile(Flavor.CPU).cpuLibrary()));
      assertNothingRan();
    } finally {
      System.clearProperty(ModuleSource.INCLUDE_PROPERTY);
    }
  }

  @Test
  void noNameReachesTheShellOfNvcc() throws IOException {
    assumeTrue(toolchain.nvcc().isPresent(), "needs nvcc");
    writeHostileSource(HOSTILE_ENDING);
    cache = new ArtifactCache(folder.resolve("cache" + HOSTILE));
    try {
      assertTrue(Files.size(compile(Flavor.CUDA).fatbin()) > 0);
      assertNothingRan();
      Files.writeString(folder.resolve("step.cuh"), "#define STEP undeclared\n");
      CompilationException e = assertThrows(CompilationException.class, () -> compile(Flavor.CUDA));
      assertTrue(e.errors().get(0).startsWith(source + "(4): error"), e.getMessage());
      assertNothingRan();
      assertFalse(e.command().contains("PWNED"), "by hand nvcc would run it: " + e.command());
    } finally {
      System.clearProperty(ModuleSource.INCLUDE_PROPERTY);
    }
  }

  @Test
  void editsForOneArchitectureOfNvccCount() throws IOException {
    Toolchain two =
        Toolchain.discover(
            System.getenv("MAGPIE_CXX"),
            System.getenv("MAGPIE_NVCC"),
            System.getenv("CUDA_HOME"),
            "90",
            "75");
    assumeTrue(two.nvcc().isPresent(), "needs nvcc");
    Files.writeString(
        source,
        "#if __CUDA_ARCH__ == 750\n#include \"step.cuh\"\n#else\n#define STEP 1\n#endif\n"
            + "extern \"C\" __global__ void k(int* p) { *p = STEP; }\n");
    Path first = fatbin(two);
    assertEquals(first, fatbin(two));

    Files.writeString(folder.resolve("step.cuh"), "#define STEP 4\n");

    assertNotEquals(first, fatbin(two));
  }

  private Path fatbin(Toolchain chosen) {
    return ModuleSource.compile(source, Defines.NONE, EnumSet.of(Flavor.CUDA), chosen, cache)
        .fatbin();
  }

  @Test
  void anInterruptHasASentenceAndKeepsTheCache() throws IOException {
    Path first = compile(Flavor.CPU).cpuLibrary();
    Thread.currentThread().interrupt();

    MagpieException e = assertThrows(MagpieException.class, () -> compile(Flavor.CPU));

    assertTrue(Thread.interrupted(), "the flag stays up");
    assertTrue(e.getMessage().startsWith("Interrupted while "), e.getMessage());
    assertEquals(first, compile(Flavor.CPU).cpuLibrary());
  }

  @Test
  void whatMakesNothingIsNoCompiler() throws IOException {
    Toolchain nothing = compiler("echo 1.0");

    CompilationException e =
        assertThrows(CompilationException.class, () -> compiledStep("", nothing));

    assertTrue(e.getMessage().contains("made nothing"), e.getMessage());
    assertTrue(e.getMessage().contains("MAGPIE_CXX"), e.getMessage());
  }

  @Test
  void aFullDiskIsNotTheSourcesFault() throws IOException {
    Toolchain full =
        compiler(
            "[ \"$1\" = --version ] && exec g++ --version;"
                + " echo 'fatal error: error writing to x.s: No space left on device'; exit 1");

    CodeStorageException e = assertThrows(CodeStorageException.class, () -> compiledStep("", full));

    assertTrue(e.getMessage().contains("No space left"), e.getMessage());
    assertTrue(e.getMessage().contains("MAGPIE_CACHE"), e.getMessage());
  }

  @Test
  void otherDefinesMeanAnotherArtifact() throws IOException {
    Files.writeString(folder.resolve("step.cuh"), "#ifndef STEP\n#define STEP 3\n#endif\n");
    Set<Flavor> cpu = Set.of(Flavor.CPU);
    ModuleArtifacts plain = ModuleSource.compile(source, Defines.NONE, cpu, toolchain, cache);
    Defines four = Defines.of(Map.of("STEP", "4", "UNUSED", ""));
    ModuleArtifacts defined = ModuleSource.compile(source, four, cpu, toolchain, cache);

    assertEquals(3, step(plain.cpuLibrary()));
    assertEquals(4, step(defined.cpuLibrary()));
    assertEquals(source + " with STEP=4, UNUSED=", defined.origin());
    assertEquals(
        defined.cpuLibrary(),
        ModuleSource.compile(
                source, Defines.of(Map.of("UNUSED", "", "STEP", "4")), cpu, toolchain, cache)
            .cpuLibrary());
  }

  private static int step(Path library) {
    NativeLibrary loaded = NativeLibrary.getInstance(library.toString());
    try {
      return loaded.getFunction("magpie_step").invokeInt(new Object[0]);
    } finally {
      loaded.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"1A, 1", "A-B, 1", "'', 1", "A, 1 2", "A, '\"x\"'", "A, -1"})
  void definesThatAreNotPlainAreRefused(String name, String value) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Defines.of(Map.of(name, value)));

    assertTrue(e.getMessage().startsWith("define '" + name + "=" + value + "': "), e.getMessage());
  }

  @Test
  void sourcesArePrecompiledEachWithItsDefines() throws IOException {
    Files.writeString(folder.resolve("step.cuh"), "#ifndef STEP\n#define STEP 3\n#endif\n");
    Path target = folder.resolve("precompiled");
    PrecompileSources.run(
        target,
        List.of("STEP=5", source.toString(), "--only=CPU_CHECKED,SIM", "STEP=7", source.toString()),
        EnumSet.of(Flavor.CPU, Flavor.CPU_CHECKED),
        toolchain,
        cache);

    ModuleBuilder builder = ModuleSource.builder(toolchain, cache);
    Defines five = Defines.of(Map.of("STEP", "5"));
    for (String bad : new String[] {"--only=SIM", "STEP=9", "--only=NONE"}) {
      assertThrows(
          MagpieException.class,
          () ->
              PrecompileSources.run(
                  target, List.of(bad), EnumSet.of(Flavor.CPU), toolchain, cache));
    }

    Set<Flavor> all = EnumSet.allOf(Flavor.class);
    Map<Flavor, Path> fives = builder.precompiled(source, all, five, target);
    assertEquals(EnumSet.of(Flavor.CPU, Flavor.CPU_CHECKED), fives.keySet());
    assertEquals(5, step(fives.get(Flavor.CPU)));
    Defines seven = Defines.of(Map.of("STEP", "7"));
    Map<Flavor, Path> sevens = builder.precompiled(source, all, seven, target);
    assertEquals(EnumSet.of(Flavor.CPU_CHECKED), sevens.keySet());
    assertEquals(7, step(sevens.get(Flavor.CPU_CHECKED)));
    assertEquals(Map.of(), builder.precompiled(source, all, Defines.NONE, target));
  }

  /** How a compiler writes {@code ä "b\c.cu} in a line marker: GCC by its bytes, Clang in octal. */
  @ParameterizedTest
  @ValueSource(strings = {"\u00c3\u00a4 \\\"b\\\\c.cu", "\\303\\244 \\\"b\\\\c.cu"})
  void aLineMarkerNamesItsFile(String marked) {
    assertEquals("ä \"b\\c.cu", Compilation.unescaped(marked));
    assertEquals("a\tb\nc", Compilation.unescaped("a\\tb\\nc"));
  }

  private static final String CLANGS_MARKERS =
      "g++ \"$@\" || exit; case $* in *' -E') LC_ALL=C sed -i"
          + " '/^# /{s/\\xc3/\\\\303/g;s/\\xa4/\\\\244/g;s/\\xb6/\\\\266/g}' magpie.ii ;; esac";

  @ParameterizedTest
  @ValueSource(strings = {"exec g++ \"$@\"", "exec clang++ \"$@\"", CLANGS_MARKERS})
  void filesOfAnyNameArePrecompiled(String script) throws IOException {
    assumeTrue(!script.contains("clang") || Compiler.onPath("clang++") != null, "needs clang++");
    assumeTrue(
        Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder().canEncode('ä'),
        "needs a locale whose file names may have umlauts");
    Path header = folder.resolve("ö b\\c.cuh");
    Files.writeString(header, "#define STEP 3\n");
    source = folder.resolve("ä \"b\\c.cu");
    Files.writeString(source, TINY.replace("step.cuh", "ö b\\c.cuh"));
    Path target = Files.createDirectory(folder.resolve("precompiled"));
    ModuleBuilder builder = ModuleSource.builder(compiler(script), cache);

    builder.precompile(source, Flavor.CPU, Defines.NONE, target);

    assertEquals(3, step(builder.precompiled(source, Flavor.CPU, Defines.NONE, target)));
    Files.writeString(header, "#define STEP 4\n");
    assertNull(builder.precompiled(source, Flavor.CPU, Defines.NONE, target), "edited");
  }

  @Test
  void aSourceThatAsksWhichFilesThereAreIsNotPrecompiled() throws IOException {
    Files.writeString(
        folder.resolve("step.cuh"),
        "#if __has_include(\"optional.cuh\")\n#define STEP 4\n#else\n#define STEP 3\n#endif\n");
    Path target = Files.createDirectory(folder.resolve("precompiled"));
    ModuleBuilder builder = ModuleSource.builder(toolchain, cache);

    CompilationException e =
        assertThrows(
            CompilationException.class,
            () -> builder.precompile(source, Flavor.CPU, Defines.NONE, target));

    assertTrue(
        e.getMessage().contains("magpie.source/step.cuh uses __has_include"), e.getMessage());
    assertNull(builder.precompiled(source, Flavor.CPU, Defines.NONE, target));
  }

  @Test
  void compilerErrorsNameFileAndLine() throws IOException {
    Files.writeString(source, TINY.replace("STEP", "undeclared"));

    CompilationException e = assertThrows(CompilationException.class, () -> compile(Flavor.CPU));

    assertTrue(e.getMessage().contains("doubling.cu:2:"), e.getMessage());
    assertTrue(e.errors().get(0).contains("undeclared"), e.getMessage());
    assertTrue(
        e.command().contains("-std=c++20") && e.getMessage().contains(e.command()), e.getMessage());
    assertFalse(e.output().isBlank());
    try (var left = Files.list(folder.resolve("cache"))) {
      assertFalse(
          left.anyMatch(file -> file.toString().endsWith(".tmp")),
          "a temporary file was left behind");
    }
  }

  @Test
  void nvccErrorsNameFileAndLine() throws IOException {
    assumeTrue(toolchain.nvcc().isPresent(), "needs nvcc");
    Files.writeString(source, TINY.replace("STEP", "undeclared"));

    CompilationException e = assertThrows(CompilationException.class, () -> compile(Flavor.CUDA));

    assertTrue(e.errors().get(0).contains("doubling.cu(2)"), e.getMessage());
  }

  @Test
  void warningsAboutTheSourceAreToldOnceInItsOwnLines() throws IOException {
    Files.writeString(
        source,
        """
        #include <cstdint>
        #include "step.cuh"
        [[nodiscard]] static bool fails() { return STEP == 3; }
        void ignores() { fails(); }
        """);
    List<String> warnings = new ArrayList<>();
    ModuleBuilder builder =
        new ModuleBuilder(toolchain, cache, List.of(folder), told -> {}, warnings::add);
    builder.build(source, Flavor.CPU, Defines.NONE);
    assertEquals(1, warnings.size(), warnings.toString());
    String line = source + ":4: ignoring return value of 'bool fails()'";
    assertTrue(warnings.get(0).startsWith(line), warnings.toString());
  }

  /** A run compiles a source again for each policy that it asks for. */
  @Test
  void whatIsCompiledIsToldWithItsPolicy() {
    List<String> told = new ArrayList<>();
    ModuleBuilder builder =
        new ModuleBuilder(toolchain, cache, List.of(folder), told::add, warning -> {});
    builder.build(source, Flavor.CPU, Defines.NONE);
    builder.build(source, Flavor.CPU, Defines.of(Map.of("MAGPIE_POLICY", "pr_stm", "STEP2", "4")));
    assertEquals(
        List.of("compiling doubling.cu for CPU", "compiling doubling.cu for CPU, policy pr_stm"),
        told);
  }

  @Test
  void aMissingFileIsNamed() {
    Path missing = folder.resolve("missing.cu");

    ModuleNotFoundException e =
        assertThrows(
            ModuleNotFoundException.class,
            () ->
                ModuleSource.compile(missing, Defines.NONE, Set.of(Flavor.CPU), toolchain, cache));

    assertTrue(e.getMessage().contains(missing.toString()), e.getMessage());
  }

  @Test
  void aMissingCompilerComesWithTheRemedy() {
    Toolchain none = Toolchain.discover("/no/such/compiler", "none", null, "90", "75");

    CompilationException cpu =
        assertThrows(
            CompilationException.class,
            () -> ModuleSource.compile(source, Defines.NONE, Set.of(Flavor.CPU), none, cache));
    assertTrue(cpu.getMessage().contains("MAGPIE_CXX=/no/such/compiler"), cpu.getMessage());

    CompilationException cuda =
        assertThrows(
            CompilationException.class,
            () -> ModuleSource.compile(source, Defines.NONE, Set.of(Flavor.CUDA), none, cache));
    assertTrue(cuda.getMessage().contains("MAGPIE_NVCC=none"), cuda.getMessage());
  }

  @Test
  void aPrecompiledSourceNeedsNoCompiler() throws IOException {
    Toolchain none = Toolchain.discover("/no/such/compiler", "none", null, "90", "75");
    Path precompiled = Files.createDirectory(folder.resolve("precompiled"));
    ModuleSource.builder(toolchain, cache)
        .precompile(source, Flavor.CPU, Defines.NONE, precompiled);
    System.setProperty(ModuleSource.PRECOMPILED_PROPERTY, precompiled.toString());
    try {
      Path library =
          ModuleSource.compile(source, Defines.NONE, Set.of(Flavor.CPU), none, cache).cpuLibrary();
      assertEquals(precompiled, library.getParent());
      Defines part = Defines.of(Map.of("MAGPIE_ONLY_REGION", "transfer"));
      assertEquals(
          library,
          ModuleSource.compile(source, part, Set.of(Flavor.CPU), none, cache).cpuLibrary());

      Files.writeString(folder.resolve("step.cuh"), "#define STEP 4\n");
      assertThrows(
          CompilationException.class,
          () -> ModuleSource.compile(source, Defines.NONE, Set.of(Flavor.CPU), none, cache));
    } finally {
      System.clearProperty(ModuleSource.PRECOMPILED_PROPERTY);
    }
  }

  /** A module with every policy serves whoever asks for one of them; no other one does. */
  @ParameterizedTest
  @CsvSource({
    "'', '', hand_off, true",
    "'', '', priority_rule, false",
    "#define MAGPIE_ALL_POLICIES, '', priority_rule, true",
    "  # define MAGPIE_MUTANTS 1, '', priority_rule, true",
    "// #define MAGPIE_ALL_POLICIES, '', priority_rule, false",
    "#define MAGPIE_ALL_POLICIES_BUT_ONE, '', priority_rule, false",
    "'', MAGPIE_ALL_POLICIES, priority_rule, true",
    "'', MAGPIE_MUTANTS, priority_rule, true"
  })
  void aPrecompiledSourceHasEachOfItsPolicies(
      String line, String macro, String policy, boolean there) throws IOException {
    Toolchain none = Toolchain.discover("/no/such/compiler", "none", null, "90", "75");
    Path precompiled = Files.createDirectory(folder.resolve("precompiled"));
    Files.writeString(source, "// first\n" + line + "\n" + Files.readString(source));
    Map<String, String> all = macro.isEmpty() ? Map.of() : Map.of(macro, "");
    ModuleSource.builder(toolchain, cache)
        .precompile(source, Flavor.CPU, Defines.of(all), precompiled);
    Map<String, String> one = new HashMap<>(all);
    one.put("MAGPIE_POLICY", policy);
    one.put("MAGPIE_ONLY_REGION", "transfer");
    System.setProperty(ModuleSource.PRECOMPILED_PROPERTY, precompiled.toString());
    try {
      if (there) {
        assertEquals(
            precompiled,
            ModuleSource.compile(source, Defines.of(one), Set.of(Flavor.CPU), none, cache)
                .cpuLibrary()
                .getParent());
      } else {
        assertThrows(
            CompilationException.class,
            () -> ModuleSource.compile(source, Defines.of(one), Set.of(Flavor.CPU), none, cache));
      }
    } finally {
      System.clearProperty(ModuleSource.PRECOMPILED_PROPERTY);
    }
  }

  /** A GPU's module has the table of the one for processors. */
  @Test
  void noFlavorIsAPartWhereAnotherIsAWhole() throws IOException {
    Files.writeString(
        folder.resolve("step.cuh"),
        "#ifdef MAGPIE_ONLY_REGION\n#define STEP 1\n#else\n#define STEP 3\n#endif\n");
    Defines part = Defines.of(Map.of("MAGPIE_ONLY_REGION", "transfer"));
    Set<Flavor> both = EnumSet.of(Flavor.CPU, Flavor.CPU_CHECKED);
    Path precompiled = Files.createDirectory(folder.resolve("precompiled"));
    System.setProperty(ModuleSource.PRECOMPILED_PROPERTY, precompiled.toString());
    try {
      ModuleArtifacts parts = ModuleSource.compile(source, part, both, toolchain, cache);
      assertEquals(1, step(parts.cpuLibrary()));
      assertEquals(1, step(parts.cpuCheckedLibrary()));

      ModuleSource.builder(toolchain, cache)
          .precompile(source, Flavor.CPU, Defines.NONE, precompiled);
      ModuleArtifacts whole = ModuleSource.compile(source, part, both, toolchain, cache);
      assertEquals(3, step(whole.cpuLibrary()));
      assertEquals(3, step(whole.cpuCheckedLibrary()));

      ModuleSource.builder(toolchain, cache)
          .precompile(source, Flavor.CPU_CHECKED, part, precompiled);
      ModuleArtifacts again = ModuleSource.compile(source, part, both, toolchain, cache);
      assertEquals(1, step(again.cpuLibrary()), "what was asked for is preferred");
      assertEquals(1, step(again.cpuCheckedLibrary()));

      ModuleSource.builder(toolchain, cache)
          .precompile(source, Flavor.CPU_CHECKED, Defines.NONE, precompiled);
      ModuleArtifacts complete = ModuleSource.compile(source, part, both, toolchain, cache);
      assertEquals(3, step(complete.cpuLibrary()), "but not to what needs no compiler");
      assertEquals(3, step(complete.cpuCheckedLibrary()));
    } finally {
      System.clearProperty(ModuleSource.PRECOMPILED_PROPERTY);
    }
  }

  @Test
  void architecturesAreChecked() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Toolchain.discover(null, "none", null, "90,sm_80", "75"));

    assertTrue(e.getMessage().contains("'sm_80'"), e.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> Toolchain.discover(null, "none", null, "70", "75"));
  }

  @Test
  void theReleaseArchitecturesReachTheCommandLine() {
    Toolchain release = Toolchain.discover(null, null, null, "80,120", "75");

    assertTrue(release.flags(Flavor.CUDA).contains("arch=compute_120,code=sm_120"));
    assertTrue(release.flags(Flavor.CUDA).contains("arch=compute_75,code=compute_75"));
  }

  @Test
  void onlyModulesForProcessorsAndTheSimulatorAreOptimizedAsAsked() {
    Toolchain fast = Toolchain.discover(null, "none", null, "90", "75", "g", "1");
    Toolchain simulated = Toolchain.discover(null, "none", null, "90", "75", "3", "g");
    Toolchain usual = Toolchain.discover(null, "none", null, "90", "75");

    assertTrue(fast.flags(Flavor.CPU).contains("-Og"));
    assertTrue(usual.flags(Flavor.CPU).contains("-O3"));
    assertTrue(simulated.flags(Flavor.SIM).contains("-Og"));
    assertTrue(usual.flags(Flavor.SIM).contains("-O1"));
    for (Flavor flavor : Flavor.values()) {
      assertEquals(flavor != Flavor.CPU, fast.flags(flavor).equals(usual.flags(flavor)));
      assertEquals(flavor != Flavor.SIM, simulated.flags(flavor).equals(usual.flags(flavor)));
    }
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Toolchain.discover(null, "none", null, "90", "75", "fast", "1"));
    assertEquals(
        "magpie.cpu.optimization=fast is no level of optimization; write 0, 1, 2, 3 or g",
        e.getMessage());
    e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Toolchain.discover(null, "none", null, "90", "75", "3", "-O1"));
    assertEquals(
        "magpie.sim.optimization=-O1 is no level of optimization; write 0, 1, 2, 3 or g",
        e.getMessage());
  }

  @Test
  void anUnknownBuiltInModuleIsAnError() {
    ModuleNotFoundException e =
        assertThrows(
            ModuleNotFoundException.class,
            () -> ModuleSource.builtIn("no-such", Defines.NONE, Set.of(Flavor.CPU)));

    assertTrue(e.getMessage().contains("'no-such'"), e.getMessage());
    assertTrue(
        e.getMessage()
            .endsWith(
                "; one of your own needs on the class path"
                    + " META-INF/magpie/modules/NAME/index.properties, which may be empty, and"
                    + " META-INF/magpie/source/NAME/NAME.cu"),
        e.getMessage());
    assertThrows(
        ModuleNotFoundException.class,
        () -> ModuleSource.builtIn("../x", Defines.NONE, Set.of(Flavor.CPU)));
    assertNotNull(ModuleSource.builtInNames());
  }
}
