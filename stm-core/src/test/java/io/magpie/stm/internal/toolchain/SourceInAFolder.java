package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A user's own source, with a header and a cache, in a new folder for each test. */
abstract class SourceInAFolder {
  static final String KERNEL =
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
  static final String TINY =
      """
      #include "step.cuh"
      extern "C" __attribute__((visibility("default"))) int magpie_step() { return STEP; }
      """;

  @TempDir Path folder;
  final Toolchain toolchain = Toolchain.discovered();
  ArtifactCache cache;
  Path source;

  @BeforeEach
  void writeSource() throws IOException {
    assumeTrue(toolchain.cxx().isPresent(), "needs a C++ compiler");
    cache = new ArtifactCache(folder.resolve("cache"));
    source = folder.resolve("doubling.cu");
    Files.writeString(source, TINY);
    Files.writeString(folder.resolve("step.cuh"), "#define STEP 3\n");
  }

  ModuleArtifacts compile(Flavor first, Flavor... others) {
    return ModuleSource.compile(source, Defines.NONE, EnumSet.of(first, others), toolchain, cache);
  }

  static String table(Path library) {
    NativeLibrary loaded = NativeLibrary.getInstance(library.toString());
    try {
      Function function = loaded.getFunction("magpie_module_table");
      return function.invokePointer(new Object[0]).getString(0);
    } finally {
      loaded.close();
    }
  }
}
