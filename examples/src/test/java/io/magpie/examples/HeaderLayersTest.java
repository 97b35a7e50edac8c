package io.magpie.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The layers of the device library: which headers are public, who includes the others, and which
 * layer builds on which.
 */
class HeaderLayersTest {
  private static final Path ROOT =
      Path.of(System.getProperty("magpie.basedir", ".")).toAbsolutePath().normalize().getParent();

  private static final Path LIBRARY = ROOT.resolve("stm-kernels/src/main/cuda");

  /** What a program may include. Everything else in the library is reached through these. */
  static final Set<String> PUBLIC =
      Set.of(
          "magpie/stm.cuh",
          "magpie/kernel.cuh",
          "magpie/host.hpp",
          "magpie/parallel/append.cuh",
          "magpie/parallel/lane_group.cuh",
          "magpie/parallel/pack.cuh",
          "magpie/parallel/priority_bins.cuh",
          "magpie/parallel/radix.cuh",
          "magpie/parallel/scan.cuh",
          "magpie/parallel/warp.cuh",
          "magpie/parallel/warp_segmentation.cuh",
          "magpie/parallel/worklist.cuh");

  private static final int MOST_PUBLIC = 12;

  /** By layer, or by header where it stands on the top one: what it may include. */
  private static final Map<String, Set<String>> BUILDS_ON =
      Map.of(
          "platform", Set.of("platform"),
          "sim", Set.of("sim", "platform"),
          "detail", Set.of("detail", "platform"),
          "kernel.cuh", Set.of("detail", "platform"),
          "parallel", Set.of("parallel", "platform"),
          "stm/detail", Set.of("stm/detail", "parallel", "platform"),
          "stm", Set.of("stm", "stm/detail", "kernel.cuh", "parallel", "platform"),
          "stm.cuh", Set.of("stm", "kernel.cuh", "parallel"),
          "host", Set.of("host", "stm", "stm/detail", "detail", "platform"),
          "host.hpp", Set.of("host"));

  private static final Pattern INCLUDE =
      Pattern.compile("^\\s*#\\s*include\\s*[\"<](magpie/[^\">]+)[\">]", Pattern.MULTILINE);

  private static final Pattern ASKS_FOR_THE_MACHINE =
      Pattern.compile(
          "^\\s*#\\s*(if|elif)\\w*\\s.*(__CUDACC__|__CUDA_ARCH__|MAGPIE_MACHINE_SIM)",
          Pattern.MULTILINE);

  /** The C++ sources of all modules, by path from the root with slashes. */
  private static final Map<String, String> SOURCES = new TreeMap<>();

  /** The library's headers, as they are included. */
  private static final Map<String, String> HEADERS = new TreeMap<>();

  @BeforeAll
  static void read() throws IOException {
    assumeTrue(Files.isDirectory(ROOT.resolve("stm-kernels/src/test")), "not a clone");
    for (Path module : children(ROOT)) {
      if (Files.exists(module.resolve("pom.xml"))) {
        read(module, ROOT, SOURCES);
      }
    }
    read(LIBRARY, LIBRARY, HEADERS);
  }

  private static List<Path> children(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.toList();
    }
  }

  private static void read(Path folder, Path from, Map<String, String> into) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.toList()) {
        String name = from.relativize(file).toString().replace('\\', '/');
        if (name.matches(".*\\.(cu|cuh|cpp|hpp|h)") && !name.contains("/target/")) {
          into.put(name, Files.readString(file));
        }
      }
    }
  }

  /** The library's headers that a text includes. */
  private static List<String> includes(String text) {
    return INCLUDE.matcher(text).results().map(match -> match.group(1)).toList();
  }

  private static String layer(String header) {
    String path = header.substring("magpie/".length());
    return path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : path;
  }

  /** What is wrong with an include of a header by a header of the library. */
  private static Optional<String> misplaced(String header, String included) {
    boolean selects =
        header.equals("magpie/platform/platform.cuh") && included.equals("magpie/sim/sim.cuh");
    return selects || BUILDS_ON.getOrDefault(layer(header), Set.of()).contains(layer(included))
        ? Optional.empty()
        : Optional.of(header + " includes " + included);
  }

  /** What is wrong with an include by a source outside of the library. Tests may look inside. */
  private static Optional<String> forbidden(String source, String included) {
    boolean test = source.matches("[^/]+/src/(test|litmus)/.*");
    return test || PUBLIC.contains(included)
        ? Optional.empty()
        : Optional.of(source + " includes " + included + ", which is not public");
  }

  @Test
  void publicHeadersAreThoseAtTheTopAndTheBuildingBlocks() {
    assertTrue(PUBLIC.size() <= MOST_PUBLIC, PUBLIC.size() + " public headers");
    Set<String> found =
        HEADERS.keySet().stream()
            .filter(header -> !header.substring("magpie/".length()).contains("/"))
            .collect(Collectors.toCollection(TreeSet::new));
    HEADERS.keySet().stream()
        .filter(header -> layer(header).equals("parallel"))
        .forEach(found::add);
    assertEquals(new TreeSet<>(PUBLIC), found);
  }

  @Test
  void everyPublicHeaderIsCompiledByItself() {
    String list = SOURCES.get("stm-kernels/src/test/cpp/compile_public_headers.cu");
    Set<String> compiled =
        Pattern.compile("^// build: -DFOLDER=(\\S+) -DHEADER=(\\S+)$", Pattern.MULTILINE)
            .matcher(list)
            .results()
            .map(build -> build.group(1) + "/" + build.group(2))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(new TreeSet<>(PUBLIC), compiled);
  }

  @Test
  void thePageNamesEveryPublicHeader() throws IOException {
    String page = Files.readString(ROOT.resolve("stm-kernels/README.md"));
    Set<String> named =
        Pattern.compile("^\\| `([a-z_]+\\.(?:cuh|hpp))` \\|", Pattern.MULTILINE)
            .matcher(page)
            .results()
            .map(row -> row.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        PUBLIC.stream()
            .map(header -> header.substring(header.lastIndexOf('/') + 1))
            .collect(Collectors.toCollection(TreeSet::new)),
        named);
  }

  @Test
  void everyIncludedHeaderIsThere() {
    List<String> missing = new ArrayList<>();
    SOURCES.forEach(
        (source, text) ->
            includes(text).stream()
                .filter(header -> !HEADERS.containsKey(header))
                .forEach(header -> missing.add(source + " includes " + header)));
    assertEquals(List.of(), missing);
  }

  @Test
  void layersBuildOnThoseBelow() {
    List<String> wrong = new ArrayList<>();
    HEADERS.forEach(
        (header, text) ->
            includes(text).forEach(other -> misplaced(header, other).ifPresent(wrong::add)));
    assertEquals(List.of(), wrong);
    assertEquals(
        BUILDS_ON.keySet(),
        HEADERS.keySet().stream().map(HeaderLayersTest::layer).collect(Collectors.toSet()));
  }

  @Test
  void nobodyElseIncludesWhatIsNotPublic() {
    List<String> wrong = new ArrayList<>();
    SOURCES.forEach(
        (source, text) -> {
          if (!source.startsWith("stm-kernels/src/main/")) {
            includes(text).forEach(header -> forbidden(source, header).ifPresent(wrong::add));
          }
        });
    assertEquals(List.of(), wrong);
  }

  @Test
  void onlyThePlatformTheEntryPointsAndTheHostAskForTheMachine() {
    Set<String> asking =
        HEADERS.entrySet().stream()
            .filter(header -> ASKS_FOR_THE_MACHINE.matcher(header.getValue()).find())
            .map(Map.Entry::getKey)
            .filter(header -> !header.matches("magpie/(platform|host)/.*"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of("magpie/kernel.cuh", "magpie/stm/region.cuh"), asking);
  }

  @Test
  void wrongIncludesAreSeen() {
    assertEquals(
        List.of("magpie/stm/detail/log.cuh", "magpie/sim/sim.cuh"),
        includes(
            """
            #include "magpie/stm/detail/log.cuh"
            // #include "magpie/stm.cuh"
              # include <magpie/sim/sim.cuh>
            """));
    assertEquals(
        Optional.of("magpie/platform/cpu.cuh includes magpie/sim/fiber.hpp"),
        misplaced("magpie/platform/cpu.cuh", "magpie/sim/fiber.hpp"));
    assertEquals(
        Optional.of("magpie/platform/array.cuh includes magpie/stm/region.cuh"),
        misplaced("magpie/platform/array.cuh", "magpie/stm/region.cuh"));
    assertEquals(Optional.empty(), misplaced("magpie/platform/platform.cuh", "magpie/sim/sim.cuh"));
    assertEquals(
        Optional.of(
            "algorithms/src/main/cuda/a.cu includes magpie/stm/region.cuh, which is not public"),
        forbidden("algorithms/src/main/cuda/a.cu", "magpie/stm/region.cuh"));
    assertEquals(
        Optional.empty(),
        forbidden("stm-kernels/src/test/cpp/test_a.cpp", "magpie/stm/detail/log.cuh"));
  }
}
