package io.magpie.stm.internal.toolchain;

import io.magpie.stm.CompilationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The compilers of this machine and how to call them for each {@link Flavor}.
 *
 * <p>The C++ compiler is the environment's {@code MAGPIE_CXX}, else {@code g++} on PATH, else
 * {@code clang++} on PATH. nvcc is {@code MAGPIE_NVCC}, else {@code $CUDA_HOME/bin/nvcc}, else
 * {@code nvcc} on PATH, else {@code /usr/local/cuda/bin/nvcc}. A variable that is set but wrong is
 * an error, never a silent second choice; {@code MAGPIE_NVCC=none} says that there is none.
 */
final class Toolchain {
  /** Property: compute capabilities to generate machine code for, such as {@code 80,90}. */
  static final String ARCHITECTURES_PROPERTY = "magpie.cuda.arch";

  /** Property: compute capability of the PTX that all other GPUs get. */
  static final String PTX_PROPERTY = "magpie.cuda.ptx";

  /**
   * Property: how far the C++ compiler optimizes modules for {@code cpu}, 0 to 3 or {@code g}.
   * Tests that compile many of them and run each for a moment take a third of the time with {@code
   * g}.
   */
  static final String OPTIMIZATION_PROPERTY = "magpie.cpu.optimization";

  /**
   * Property: the same for {@code sim}. Its time goes into switches between fibers, so more than
   * {@code 1} makes only its build slower. With {@code g}, which takes two thirds of the time of
   * {@code 1} to compile, places in the code are no longer told apart, by which searches recognize
   * states.
   */
  static final String SIM_OPTIMIZATION_PROPERTY = "magpie.sim.optimization";

  private static final String DEFAULT_ARCHITECTURES = "90";
  private static final String DEFAULT_PTX = "75";
  private static final String DEFAULT_OPTIMIZATION = "3";
  private static final String DEFAULT_SIM_OPTIMIZATION = "1";

  private final Lazy cxx;
  private final Lazy nvcc;
  private final String cxxMissing;
  private final String nvccMissing;
  private final List<String> architectureFlags;
  private final String optimizationFlag;
  private final String simOptimizationFlag;

  private Toolchain(
      Lazy cxx,
      Lazy nvcc,
      String cxxMissing,
      String nvccMissing,
      List<String> architectureFlags,
      String optimizationFlag,
      String simOptimizationFlag) {
    this.cxx = cxx;
    this.nvcc = nvcc;
    this.cxxMissing = cxxMissing;
    this.nvccMissing = nvccMissing;
    this.architectureFlags = architectureFlags;
    this.optimizationFlag = optimizationFlag;
    this.simOptimizationFlag = simOptimizationFlag;
  }

  /** The first of several programs that runs, asked for its version when first needed. */
  private static final class Lazy {
    private List<Path> candidates;
    private Optional<Compiler> found;

    Lazy(List<Path> candidates) {
      this.candidates = candidates;
    }

    synchronized Optional<Compiler> get() {
      if (found == null) {
        found = firstThatRuns(candidates);
        candidates = null;
      }
      return found;
    }
  }

  private static final class Holder {
    static final Toolchain DISCOVERED =
        discover(
            System.getenv("MAGPIE_CXX"),
            System.getenv("MAGPIE_NVCC"),
            System.getenv("CUDA_HOME"),
            System.getProperty(ARCHITECTURES_PROPERTY, DEFAULT_ARCHITECTURES),
            System.getProperty(PTX_PROPERTY, DEFAULT_PTX),
            System.getProperty(OPTIMIZATION_PROPERTY, DEFAULT_OPTIMIZATION),
            System.getProperty(SIM_OPTIMIZATION_PROPERTY, DEFAULT_SIM_OPTIMIZATION));
  }

  /** The compilers of this machine; looked for once in a process, when first needed. */
  static Toolchain discovered() {
    return Holder.DISCOVERED;
  }

  static Toolchain discover(
      String cxxVariable, String nvccVariable, String cudaHome, String architectures, String ptx) {
    return discover(
        cxxVariable,
        nvccVariable,
        cudaHome,
        architectures,
        ptx,
        DEFAULT_OPTIMIZATION,
        DEFAULT_SIM_OPTIMIZATION);
  }

  static Toolchain discover(
      String cxxVariable,
      String nvccVariable,
      String cudaHome,
      String architectures,
      String ptx,
      String optimization,
      String simOptimization) {
    List<Path> cxxCandidates = new ArrayList<>();
    String cxxMissing =
        "no C++ compiler: neither g++ nor clang++ is on PATH; install g++ 11 or newer, or set MAGPIE_CXX";
    if (isSet(cxxVariable)) {
      cxxCandidates.add(Compiler.onPath(cxxVariable));
      cxxMissing =
          "no C++ compiler: MAGPIE_CXX="
              + cxxVariable
              + " is not a program that runs; correct or unset it";
    } else {
      cxxCandidates.add(Compiler.onPath("g++"));
      cxxCandidates.add(Compiler.onPath("clang++"));
    }
    List<Path> nvccCandidates = new ArrayList<>();
    String nvccMissing =
        "no nvcc on PATH, in CUDA_HOME or in /usr/local/cuda; install the CUDA toolkit 12 or newer, or set MAGPIE_NVCC";
    if (isSet(nvccVariable)) {
      if (!nvccVariable.equals("none")) {
        nvccCandidates.add(Compiler.onPath(nvccVariable));
      }
      nvccMissing = "no nvcc: MAGPIE_NVCC=" + nvccVariable + "; correct or unset it";
    } else {
      if (isSet(cudaHome)) {
        nvccCandidates.add(Compiler.executableOrNull(Path.of(cudaHome, "bin", "nvcc")));
      }
      nvccCandidates.add(Compiler.onPath("nvcc"));
      nvccCandidates.add(Compiler.executableOrNull(Path.of("/usr/local/cuda/bin/nvcc")));
    }
    return new Toolchain(
        new Lazy(cxxCandidates),
        new Lazy(nvccCandidates),
        cxxMissing,
        nvccMissing,
        architectureFlags(architectures, ptx),
        optimizationFlag(OPTIMIZATION_PROPERTY, optimization),
        optimizationFlag(SIM_OPTIMIZATION_PROPERTY, simOptimization));
  }

  private static String optimizationFlag(String property, String level) {
    if (!level.matches("[0-3g]")) {
      throw new IllegalArgumentException(
          property + "=" + level + " is no level of optimization; write 0, 1, 2, 3 or g");
    }
    return "-O" + level;
  }

  private static boolean isSet(String variable) {
    return variable != null && !variable.isBlank();
  }

  private static Optional<Compiler> firstThatRuns(List<Path> candidates) {
    for (Path candidate : candidates) {
      if (candidate != null) {
        try {
          return Optional.of(Compiler.at(candidate));
        } catch (IOException notThisOne) {
          // the next candidate may run
        }
      }
    }
    return Optional.empty();
  }

  private static List<String> architectureFlags(String architectures, String ptx) {
    List<String> flags = new ArrayList<>();
    for (String architecture : architectures.split(",", -1)) {
      String number = capability(architecture, ARCHITECTURES_PROPERTY, architectures);
      flags.add("-gencode");
      flags.add("arch=compute_" + number + ",code=sm_" + number);
    }
    String number = capability(ptx, PTX_PROPERTY, ptx);
    flags.add("-gencode");
    flags.add("arch=compute_" + number + ",code=compute_" + number);
    return List.copyOf(flags);
  }

  private static String capability(String text, String property, String value) {
    String number = text.strip();
    if (!number.matches("(7[5-9]|[89][0-9]|1[0-9][0-9])[af]?")) {
      throw new IllegalArgumentException(
          property
              + "="
              + value
              + ": '"
              + number
              + "' is not a compute capability of 7.5 or more; write it like 75, 90 or 120");
    }
    return number;
  }

  Optional<Compiler> cxx() {
    return cxx.get();
  }

  Optional<Compiler> nvcc() {
    return nvcc.get();
  }

  /** The compiler for a flavor, if this machine has it. */
  Optional<Compiler> compilerFor(Flavor flavor) {
    return flavor.needsNvcc() ? nvcc() : cxx();
  }

  /** Why there is no compiler for a flavor and what to do about it. */
  String missing(Flavor flavor) {
    return flavor.needsNvcc() ? nvccMissing : cxxMissing;
  }

  /** A macro for modules on {@code cpu} and {@code sim} whose launches can be traced. */
  static final String TRACE = "MAGPIE_TRACE";

  /**
   * What makes the compiler call {@code platform/instrumentation.hpp} before each access, and tell
   * where the access is in the source.
   */
  static final List<String> TRACING_FLAGS =
      List.of(
          "-O1", // the calls take the time, on processors too: more makes only the build slower
          // What a call copies from memory, or to it, has no call in front: fewer such are left.
          "-finline-functions",
          "-finline-small-functions",
          "--param=max-inline-insns-auto=200",
          "--param=max-inline-insns-single=300",
          "-g1",
          "-fno-working-directory", // each compilation has a folder of its own
          "-fsanitize=thread",
          "--param=tsan-instrument-func-entry-exit=0",
          "-Wno-tsan",
          "-fno-builtin-memcpy", // calls, which have hooks
          "-fno-builtin-memmove",
          "-fno-builtin-memset",
          "-U_FORTIFY_SOURCE", // no other names for them
          "-include", // without which a source without headers could not be loaded
          "magpie/platform/traced.hpp",
          "-nodefaultlibs");

  /** All libraries but that of ThreadSanitizer, whose place that header takes. */
  static final List<String> LIBRARIES_OF_TRACED_CODE =
      List.of("-Wl,-Bstatic", "-lstdc++", "-Wl,-Bdynamic", "-lm", "-lgcc_s", "-lgcc", "-lc");

  /** All flags for a flavor, without include folders and files; part of every cache key. */
  List<String> flags(Flavor flavor) {
    List<String> flags = new ArrayList<>();
    flags.add("-std=c++20");
    if (flavor == Flavor.CPU) {
      flags.add(optimizationFlag);
    } else if (flavor == Flavor.SIM) {
      flags.add(simOptimizationFlag);
    }
    flags.addAll(flavor.flags());
    if (flavor == Flavor.CUDA) {
      // Uncompressed: the jar compresses as well, and the build reads the kernels' parameter sizes
      // from it.
      flags.addAll(List.of("-fatbin", "-no-compress"));
      flags.addAll(architectureFlags);
    } else if (flavor == Flavor.CUDA_HOST) {
      flags.addAll(List.of("-shared", "-cudart", "static"));
      flags.addAll(
          List.of("-Xcompiler", "-fPIC,-fvisibility=hidden,-ffunction-sections,-fdata-sections"));
      flags.addAll(List.of("-Xlinker", "--gc-sections,--exclude-libs,ALL,--strip-all"));
      flags.addAll(architectureFlags);
    } else {
      // Several libraries of one source are loaded into one process and must not see each other.
      flags.addAll(List.of("-shared", "-fPIC", "-pthread"));
      flags.addAll(List.of("-fvisibility=hidden", "-fvisibility-inlines-hidden"));
      // A large frame does not step over the page that guards a stack; and signals go through the
      // handlers of a library until the process ends.
      flags.addAll(List.of("-fstack-clash-protection", "-Wl,-z,nodelete"));
      // With libstdc++ inside, and only what is used of it, a library needs no newer glibc than
      // 2.18. libgcc stays outside: a new one inside would need glibc 2.35.
      flags.addAll(List.of("-static-libstdc++", "-ffunction-sections", "-fdata-sections"));
      flags.addAll(List.of("-Wl,--gc-sections", "-Wl,--exclude-libs,ALL", "-Wl,-Bsymbolic"));
      if (!cxx().map(Compiler::identity).orElse("").contains("clang")) {
        flags.add("-fno-gnu-unique");
        // Collecting garbage below half a gigabyte takes a tenth of g++'s time.
        flags.add("--param=ggc-min-heapsize=500000");
      }
    }
    return flags;
  }

  /**
   * The compiler for a flavor.
   *
   * @param source what it is to compile, for the message
   * @throws CompilationException if there is none
   */
  Compiler require(Flavor flavor, Path source) {
    return compilerFor(flavor)
        .orElseThrow(
            () ->
                new CompilationException(
                    "Cannot compile " + source + " for " + flavor + ": " + missing(flavor),
                    "",
                    List.of(),
                    ""));
  }
}
