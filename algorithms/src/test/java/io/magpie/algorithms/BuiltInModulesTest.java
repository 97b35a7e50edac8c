package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.NativeLibrary;
import io.magpie.stm.internal.toolchain.Defines;
import io.magpie.stm.internal.toolchain.Flavor;
import io.magpie.stm.internal.toolchain.ModuleArtifacts;
import io.magpie.stm.internal.toolchain.ModuleSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The machines' builds of each built-in module agree: same kernels, same sizes of the one
 * parameter.
 *
 * <p>Java writes a kernel's argument bytes by the table of the {@code cpu} build, also for the GPU.
 */
class BuiltInModulesTest {
  /** The module of which plain builds look at the build with bounds checks, too. */
  private static final String CHECKED = "components";

  /** Minor version: that of Red Hat Enterprise Linux 8. */
  private static final int OLDEST_GLIBC = 28;

  /** This module's own; the class path may have others. */
  static Stream<String> modules() throws IOException {
    Set<String> own = ownSources();
    return ModuleSource.builtInNames().stream().filter(own::contains);
  }

  private static Set<String> ownSources() throws IOException {
    Path sources = Path.of(System.getProperty("magpie.basedir", "."), "src/main/cuda");
    Set<String> names = new TreeSet<>();
    if (Files.isDirectory(sources)) {
      try (Stream<Path> folders = Files.list(sources)) {
        folders
            .map(folder -> folder.getFileName().toString())
            .filter(name -> Files.exists(sources.resolve(name).resolve(name + ".cu")))
            .forEach(names::add);
      }
    }
    return names;
  }

  /** Those that are compared; the build with bounds checks is one that plain builds do not need. */
  private static Set<Flavor> flavors(String name) {
    return TestDevices.FULL || name.equals(CHECKED)
        ? EnumSet.of(Flavor.CPU, Flavor.CPU_CHECKED, Flavor.SIM)
        : EnumSet.of(Flavor.CPU, Flavor.SIM);
  }

  private static String table(Path library) {
    try (NativeLibrary loaded = NativeLibrary.getInstance(library.toString())) {
      return table(loaded);
    }
  }

  private static String table(NativeLibrary library) {
    return library.getFunction("magpie_module_table").invokePointer(new Object[0]).getString(0);
  }

  /**
   * Parameter bytes by kernel name, from the {@code kernel} and {@code variant} lines of a table.
   */
  private static TreeMap<String, Integer> parameterBytes(String table) {
    TreeMap<String, Integer> bytes = new TreeMap<>();
    for (String line : table.lines().toList()) {
      String[] word = line.split(" ", -1);
      switch (word[0]) {
        case "kernel" -> bytes.put(word[1], Integer.valueOf(word[3]));
        case "variant" -> bytes.put(word[3], Integer.valueOf(word[5]));
        default -> {
          // other lines describe fields
        }
      }
    }
    return bytes;
  }

  @Test
  void everySourceIsAModule() throws IOException {
    assertEquals(ownSources(), modules().collect(Collectors.toSet()));
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("modules")
  void hostBuildsDescribeTheSameKernels(String name) {
    Set<Flavor> flavors = flavors(name);
    ModuleArtifacts module = ModuleSource.builtIn(name, Defines.NONE, flavors);
    String cpu = table(module.cpuLibrary());

    assertFalse(parameterBytes(cpu).isEmpty(), "no kernels");
    for (Flavor flavor : flavors) {
      assertEquals(withoutFirstLine(cpu), withoutFirstLine(table(module.file(flavor))));
    }
  }

  /** JNA's default opens the symbols of all libraries to each other: the linking must not. */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("modules")
  void librariesOfOneSourceDoNotSeeEachOther(String name) {
    Set<Flavor> flavors = flavors(name);
    ModuleArtifacts module = ModuleSource.builtIn(name, Defines.NONE, flavors);
    List<NativeLibrary> together = new ArrayList<>();
    try {
      for (Flavor flavor : flavors) {
        together.add(NativeLibrary.getInstance(module.file(flavor).toString()));
      }
      List<String> lines = together.stream().map(library -> firstLine(table(library))).toList();
      assertEquals(flavors.stream().map(BuiltInModulesTest::firstLine).toList(), lines);
    } finally {
      together.forEach(NativeLibrary::close);
    }
  }

  private static String firstLine(Flavor flavor) {
    return switch (flavor) {
      case CPU -> "magpie 11 cpu plain quiet";
      case CPU_CHECKED -> "magpie 11 cpu checked quiet";
      case SIM -> "magpie 11 sim checked quiet";
      case CUDA, CUDA_HOST -> throw new IllegalArgumentException(flavor.toString());
    };
  }

  private static String firstLine(String table) {
    return table.substring(0, table.indexOf('\n'));
  }

  /**
   * The newest version of each library's symbols that a shared library asks for stands in it as
   * text.
   */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("modules")
  void librariesLoadOnOldSystems(String name) throws IOException {
    Set<Flavor> flavors = flavors(name);
    ModuleArtifacts module = ModuleSource.builtIn(name, Defines.NONE, flavors);

    for (Flavor flavor : flavors) {
      String bytes = Files.readString(module.file(flavor), StandardCharsets.ISO_8859_1);
      List<Integer> minors =
          Pattern.compile("GLIBC_2\\.([0-9]+)")
              .matcher(bytes)
              .results()
              .map(match -> Integer.valueOf(match.group(1)))
              .toList();
      assertFalse(minors.isEmpty(), "no glibc at all");
      assertTrue(
          Collections.max(minors) <= OLDEST_GLIBC,
          flavor + " needs glibc 2." + Collections.max(minors));
    }
  }

  private static String withoutFirstLine(String table) {
    return table.substring(table.indexOf('\n') + 1);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("modules")
  void theFatbinHasTheSameKernelsWithParametersOfTheSameSize(String name) throws IOException {
    ModuleArtifacts module = ModuleSource.builtIn(name, Defines.NONE, Set.of(Flavor.CPU));
    Path fatbin = module.cpuLibrary().resolveSibling(Flavor.CUDA.fileName());
    assumeTrue(Files.exists(fatbin), "built without nvcc");
    Map<String, List<Integer>> expected =
        parameterBytes(table(module.cpuLibrary())).entrySet().stream()
            .collect(
                Collectors.toMap(
                    kernel -> "magpie_kernel_" + kernel.getKey(),
                    kernel -> List.of(kernel.getValue())));

    List<TreeMap<String, List<Fatbin.Parameter>>> images =
        Fatbin.kernels(Files.readAllBytes(fatbin));

    assertFalse(images.isEmpty(), "no machine code in " + fatbin);
    for (TreeMap<String, List<Fatbin.Parameter>> image : images) {
      assertEquals(new TreeSet<>(expected.keySet()), image.keySet(), "kernels");
      image.forEach(
          (kernel, parameters) ->
              assertEquals(
                  expected.get(kernel),
                  parameters.stream().map(Fatbin.Parameter::size).toList(),
                  kernel));
    }
  }
}
