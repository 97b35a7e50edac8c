package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import io.magpie.stm.CompilationException;
import io.magpie.stm.ModuleNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A user's own source: compiled once in each flavour, cached under all that determines the result.
 */
class ModuleSourceTest {
  private static final String KERNEL =
      """
      #include "magpie/kernel.cuh"
      #include "step.cuh"
      struct scale {
        std::uint32_t n;
        magpie::array<std::uint64_t> values;
        MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
          for (std::uint32_t i : self.items(n)) magpie::st_rlx_dev(&values[i], std::uint64_t{STEP});
        }
      };
      MAGPIE_KERNEL(scale)
      """;

  /** No module, but all that a test of caching and of errors needs; compiles quickly. */
  private static final String TINY =
      """
      #include "step.cuh"
      extern "C" __attribute__((visibility("default"))) int magpie_step() { return STEP; }
      """;

  @TempDir Path folder;
  private final Toolchain toolchain = Toolchain.discovered();
  private ArtifactCache cache;
  private Path source;

  @BeforeEach
  void writeSource() throws IOException {
    assumeTrue(toolchain.cxx().isPresent(), "needs a C++ compiler");
    cache = new ArtifactCache(folder.resolve("cache"));
    source = folder.resolve("doubling.cu");
    Files.writeString(source, TINY);
    Files.writeString(folder.resolve("step.cuh"), "#define STEP 3\n");
  }

  private ModuleArtifacts compile(Flavor first, Flavor... others) {
    return ModuleSource.compile(source, Defines.NONE, EnumSet.of(first, others), toolchain, cache);
  }

  private static String table(Path library) {
    NativeLibrary loaded = NativeLibrary.getInstance(library.toString());
    try {
      Function function = loaded.getFunction("magpie_module_table");
      return function.invokePointer(new Object[0]).getString(0);
    } finally {
      loaded.close();
    }
  }

  @Test
  void eachHostFlavourIsALibraryThatDescribesItself() throws IOException {
    Files.writeString(source, KERNEL);
    ModuleArtifacts module = compile(Flavor.CPU, Flavor.CPU_CHECKED);

    assertEquals("doubling", module.name());
    assertEquals(source.toString(), module.origin());
    assertTrue(
        table(module.cpuLibrary()).startsWith("magpie 3 cpu plain quiet\n"),
        table(module.cpuLibrary()));
    assertTrue(table(module.cpuCheckedLibrary()).startsWith("magpie 3 cpu checked quiet\n"));
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
  void anEditOfAnIncludedFileMeansAnotherArtefact() throws IOException {
    Path first = compile(Flavor.CPU).cpuLibrary();
    Files.writeString(folder.resolve("step.cuh"), "#define STEP 4\n");

    assertNotEquals(first, compile(Flavor.CPU).cpuLibrary());

    Files.writeString(folder.resolve("unrelated.cuh"), "#error not included\n");
    Files.writeString(folder.resolve("step.cuh"), "#define STEP 3\n");
    assertEquals(first, compile(Flavor.CPU).cpuLibrary());
  }

  @Test
  void aFileNamedByAMacroCountsAsWell() throws IOException {
    Files.writeString(source, TINY.replace("\"step.cuh\"", "\"name.cuh\"\n#include NAME"));
    Files.writeString(folder.resolve("name.cuh"), "#define NAME \"step.cuh\"\n");
    Path first = compile(Flavor.CPU).cpuLibrary();
    Files.writeString(folder.resolve("step.cuh"), "#define STEP 4\n");

    assertNotEquals(first, compile(Flavor.CPU).cpuLibrary());
  }

  @Test
  void otherDefinesMeanAnotherArtefact() throws IOException {
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
    ModuleBuilder builder = ModuleSource.builder(toolchain, cache);
    assertNotEquals(
        builder.precompiledName(source, Flavor.CPU, Defines.NONE),
        builder.precompiledName(source, Flavor.CPU, four));
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
        List.of("STEP=5", source.toString(), source.toString()),
        EnumSet.of(Flavor.CPU),
        toolchain,
        cache);

    ModuleBuilder builder = ModuleSource.builder(toolchain, cache);
    Defines five = Defines.of(Map.of("STEP", "5"));
    assertEquals(5, step(target.resolve(builder.precompiledName(source, Flavor.CPU, five))));
    assertEquals(
        3, step(target.resolve(builder.precompiledName(source, Flavor.CPU, Defines.NONE))));
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
    ModuleBuilder builder = ModuleSource.builder(toolchain, cache);
    Path precompiled = Files.createDirectory(folder.resolve("precompiled"));
    Files.copy(
        builder.build(source, Flavor.CPU, Defines.NONE),
        precompiled.resolve(builder.precompiledName(source, Flavor.CPU, Defines.NONE)));
    System.setProperty(ModuleSource.PRECOMPILED_PROPERTY, precompiled.toString());
    try {
      Path library =
          ModuleSource.compile(source, Defines.NONE, Set.of(Flavor.CPU), none, cache).cpuLibrary();
      assertEquals(precompiled, library.getParent());

      Files.writeString(folder.resolve("step.cuh"), "#define STEP 4\n");
      assertThrows(
          CompilationException.class,
          () -> ModuleSource.compile(source, Defines.NONE, Set.of(Flavor.CPU), none, cache));
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
  void anUnknownBuiltInModuleIsAnError() {
    ModuleNotFoundException e =
        assertThrows(
            ModuleNotFoundException.class,
            () -> ModuleSource.builtIn("no-such", Defines.NONE, Set.of(Flavor.CPU)));

    assertTrue(e.getMessage().contains("'no-such'"), e.getMessage());
    assertThrows(
        ModuleNotFoundException.class,
        () -> ModuleSource.builtIn("../x", Defines.NONE, Set.of(Flavor.CPU)));
    assertNotNull(ModuleSource.builtInNames());
  }
}
