package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That {@code other-tools.sh} runs regions, whatever kind of fields they have. */
class OtherToolsTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");

  @Test
  @Tag("slow")
  void regionsOfEachKindOfFieldRun() throws Exception {
    List<String> words =
        new ArrayList<>(List.of("bash", REGIONS.resolve("other-tools.sh").toString(), "tsan"));
    List<String> names = List.of("cells_beside_words", "stack_by_its_count", "reads_its_own_bits");
    names.forEach(name -> words.add(REGIONS.resolve("right/" + name + ".cu").toString()));
    String out = output(words);
    for (String name : names) {
      String row = out.lines().filter(line -> line.startsWith(name)).findFirst().orElse(out);
      assertEquals("nothing", row.substring(name.length() + 3).strip(), out);
    }
  }

  /**
   * In templates, nvcc replaces what only a GPU may call by {@code exit(1)}, without a word: so did
   * the programs of all regions with guarded arrays end.
   */
  @Test
  @Tag("slow")
  void hostsOfRegionsCallNothingThatOnlyAGpuMay(@TempDir Path folder) throws Exception {
    Path object = folder.resolve("program.o");
    Path include = REGIONS.resolve("../../../../stm-kernels/src/main/cuda").normalize();
    assumeTrue(Files.isDirectory(include), "no headers of this clone");
    String nvcc =
        assumeThere("nvcc", Path.of(System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda")));
    String nm = assumeThere("nm", Path.of("/usr"));
    String name = "two_levels";
    String file = REGIONS.resolve("right/" + name + ".cu").toString();
    Path views = folder.resolve("views.cu");
    Files.writeString(
        views,
        """
        #include "magpie/stm.cuh"
        namespace stm = magpie::stm;
        template <class View>
        std::uint64_t size_of(const View& view) { return view.size(); }
        template <class View>
        std::uint64_t rows_of(const View& view) { return view.rows(); }
        __global__ void nothing() {}
        int main() {
          nothing<<<1, 1>>>();
          return static_cast<int>(
              size_of(magpie::array<int>{}) + size_of(magpie::spaced_array<int, 8, 4>{}) +
              size_of(stm::guarded<int>{}) + size_of(stm::guarded<int>{}.data) +
              size_of(stm::guarded_cells<int>{}) + size_of(stm::fused_cells<int>{}) +
              rows_of(magpie::matrix<int>{}) + rows_of(stm::guarded_matrix<int>{}));
        }
        """);
    List<List<String>> programs =
        List.of(
            List.of(views.toString()),
            List.of(
                "-DMAGPIE_REGION_FILE=\"" + file + "\"",
                "-DMAGPIE_REGION_NAME=" + name,
                REGIONS.resolve("region_program.cu").toString()));
    for (List<String> program : programs) {
      List<String> words = new ArrayList<>(List.of(nvcc, "-std=c++20", "-arch=sm_90", "-c", "-I"));
      words.addAll(List.of(include.toString(), "-o", object.toString()));
      words.addAll(program);
      String said = output(words);
      List<String> needed =
          output(List.of(nm, "--undefined-only", "--format=posix", object.toString()))
              .lines()
              .map(line -> line.split(" ")[0])
              .toList();
      assertTrue(needed.stream().anyMatch(each -> each.endsWith("cudaLaunchKernel")), said);
      assertFalse(needed.contains("exit"), program.toString());
    }
  }

  /** A program of the path or of {@code bin} in a folder; the test is skipped without. */
  private static String assumeThere(String name, Path home) {
    Optional<Path> found =
        Stream.concat(
                Arrays.stream(System.getenv("PATH").split(":")).map(Path::of),
                Stream.of(home.resolve("bin")))
            .map(folder -> folder.resolve(name))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), "no " + name);
    return found.get().toString();
  }

  private static String output(List<String> words) throws Exception {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), out);
    return out;
  }
}
