package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user's own source for the simulator, whose engine is linked with it. */
class SimulatedSourceTest extends SourceInAFolder {
  /** One cache for all tests: without an engine in it each would compile one. */
  @TempDir static Path shared;

  @BeforeEach
  void shareTheCache() {
    cache = new ArtifactCache(shared);
  }

  /** With debug information, which would name the folder that each compilation has of its own. */
  @Test
  void aTracedModuleIsNotCompiledAgain() {
    Defines traced = Defines.of(Map.of("MAGPIE_TRACE", "1"));
    assertEquals(compiledForSim(traced), compiledForSim(traced));
  }

  /** Traced or not, what it is linked with is not compiled again, and is not traced. */
  @Test
  void theEngineOfTheSimulatorIsCompiledOnce() throws IOException {
    Files.writeString(source, KERNEL);
    Path plain = compiledForSim(Defines.NONE);
    Path traced = compiledForSim(Defines.of(Map.of("MAGPIE_TRACE", "1")));

    assertNotEquals(plain, traced);
    assertTrue(table(plain).startsWith("magpie 11 sim checked quiet\n"), table(plain));
    assertTrue(table(traced).contains("kernel scale 0 24 8\n"), table(traced));
    try (Stream<Path> files = Files.list(plain.getParent())) {
      assertEquals(1, files.filter(file -> file.toString().endsWith(".o")).count());
    }
  }

  private Path compiledForSim(Defines defines) {
    return ModuleSource.compile(source, defines, EnumSet.of(Flavor.SIM), toolchain, cache)
        .simLibrary();
  }
}
