package io.magpie.stm.internal.toolchain;

import java.util.List;

/** One way to build a module from its source. */
public enum Flavor {
  /**
   * Shared library for the processor, one logical thread at a time, no bounds checks. How far it is
   * optimized is for {@link Toolchain} to say.
   */
  CPU("cpu.so", List.of()),
  /**
   * {@link #CPU} with bounds checks. For finding faults, so it is built fast: {@code -Og} takes
   * half the time of {@code -O1}.
   */
  CPU_CHECKED("cpu-checked.so", List.of("-Og", "-DMAGPIE_CHECKED")),
  /**
   * Shared library that runs each simulated GPU thread as a fiber; always bounds-checked. How far
   * it is optimized is for {@link Toolchain} to say.
   */
  SIM("sim.so", List.of("-DMAGPIE_MACHINE_SIM")),
  /** Fatbin for the CUDA driver: machine code for some architectures and PTX for the others. */
  CUDA("cuda.fatbin", List.of("-O3")),
  /**
   * Shared library of host code with kernels of its own, for algorithms that come as host code.
   * Made from {@code <module>.host.cu} next to the module's source, if there is one.
   */
  CUDA_HOST("cuda-host.so", List.of("-O3"));

  private final String fileName;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> flags;

  Flavor(String fileName, List<String> flags) {
    this.fileName = fileName;
    this.flags = flags;
  }

  /** The artifact's file name in a module's folder, such as {@code cpu.so}. */
  public String fileName() {
    return fileName;
  }

  /** The compiler flags that only this flavor gets. */
  List<String> flags() {
    return flags;
  }

  /** Whether nvcc builds it; otherwise the C++ compiler does. */
  boolean needsNvcc() {
    return this == CUDA || this == CUDA_HOST;
  }

  /** Whether it is a form of a module's kernels. */
  boolean hasKernels() {
    return this != CUDA_HOST;
  }

  /** Whether launches can be traced: g++ puts a call before each access, and nvcc does not. */
  boolean isTraceable() {
    return !needsNvcc();
  }

  /** What follows the module's name in the name of the source. */
  String sourceSuffix() {
    return this == CUDA_HOST ? ".host.cu" : ".cu";
  }
}
