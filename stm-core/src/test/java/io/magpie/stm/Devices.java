package io.magpie.stm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The devices that tests run on, and the modules they use. */
public final class Devices {
  private static final List<String> HOST =
      List.of("cpu:1", "cpu:4", "cpu-checked:3", "sim:0:1", "sim:1:4", "sim:7:32");

  private Devices() {}

  /** Specifications of every device that tests can run on here; with a GPU also {@code cuda}. */
  public static Stream<String> all() {
    List<String> devices = new ArrayList<>(HOST);
    if (Device.whyNoGpu().isEmpty()) {
      devices.add("cuda");
    }
    return devices.stream();
  }

  /** Those that run in this process's memory. */
  public static Stream<String> host() {
    return HOST.stream();
  }

  /** Skips the test, with the reason, where there is no GPU. */
  public static void assumeGpu() {
    Assumptions.assumeTrue(Device.whyNoGpu().isEmpty(), () -> Device.whyNoGpu().orElseThrow());
  }

  /** A source of the tests' own kernels, such as {@code vectors.cu}. */
  public static Path source(String name) {
    return Path.of(System.getProperty("magpie.basedir", "."), "src", "test", "cuda", name);
  }
}
