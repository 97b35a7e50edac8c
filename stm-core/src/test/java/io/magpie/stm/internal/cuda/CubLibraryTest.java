package io.magpie.stm.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.NativeLibrary;
import com.sun.jna.ptr.PointerByReference;
import io.magpie.stm.CompilationException;
import io.magpie.stm.Device;
import io.magpie.stm.internal.toolchain.ModuleSource;
import io.magpie.stm.parallel.Primitives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CubLibraryTest {
  /** The library, if it was built or can be. */
  private static NativeLibrary library() {
    try {
      return CubLibrary.load(ModuleSource.hostLibrary("primitives"));
    } catch (CompilationException e) {
      assumeTrue(false, e.getMessage());
      throw e;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum_ints",
        "sum_longs",
        "sum_ints_to_longs",
        "pack_ints",
        "pack_longs",
        "sort_keys",
        "sort_pairs",
        "sort_segments"
      })
  void hasTheFunctionsThatThePrimitivesCall(String name) {
    assertNotNull(library().getFunction("magpie_cub_" + name));
  }

  /** It must load on machines without a GPU or driver, and say that they have none. */
  @Test
  void saysWhyItDoesNotWorkHere() {
    PointerByReference problem = new PointerByReference();
    int version = library().getFunction("magpie_cub_version").invokeInt(new Object[] {problem});
    assertTrue(version >= 200_000, CubLibrary.versionText(version));
    boolean gpu = Device.whyNoGpu().isEmpty();
    assertEquals(gpu, problem.getValue() == null);
    assertTrue(gpu || !problem.getValue().getString(0).isBlank());
  }

  @Test
  void aGpuHasOneSet() {
    assumeTrue(Device.whyNoGpu().isEmpty(), () -> Device.whyNoGpu().orElseThrow());
    library();
    try (Device device = Device.open("cuda")) {
      assertTrue(
          Primitives.of(device).toString().contains("CUB "), Primitives.of(device)::toString);
    }
  }

  @Test
  void versionsAreReadable() {
    assertEquals("CUB 3.0.2", CubLibrary.versionText(300_002));
    assertEquals("CUB 2.11.10", CubLibrary.versionText(201_110));
  }
}
