package io.magpie.stm.internal.cuda;

import com.sun.jna.Function;
import com.sun.jna.Library;
import com.sun.jna.NativeLibrary;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import io.magpie.stm.MagpieException;
import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.toolchain.ModuleSource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CUB's algorithms for one GPU: a shared library of host code with its own CUDA runtime, which
 * works on the context that is current, and so on the back-end's memory and stream.
 */
final class CubLibrary implements Backend.HostFunctions {
  private static final Logger LOG = LoggerFactory.getLogger(CubLibrary.class);
  private static final int RTLD_LAZY_LOCAL = 1;

  private final CudaBackend backend;
  private final NativeLibrary library;
  private final String version;
  private final Map<String, Function> functions = new HashMap<>();

  private CubLibrary(CudaBackend backend, NativeLibrary library, int version) {
    this.backend = backend;
    this.library = library;
    this.version = versionText(version);
  }

  /** CUB writes MMMmmmpp. */
  static String versionText(int version) {
    return "CUB " + version / 100_000 + "." + version / 100 % 1000 + "." + version % 100;
  }

  /**
   * Opens the library for the GPU whose context is current.
   *
   * @return null if there is none that works here; the log says why
   */
  static CubLibrary open(CudaBackend backend) {
    try {
      NativeLibrary library = load(ModuleSource.hostLibrary("primitives"));
      PointerByReference problem = new PointerByReference();
      int version = library.getFunction("magpie_cub_version").invokeInt(new Object[] {problem});
      if (problem.getValue() == null) {
        return new CubLibrary(backend, library, version);
      }
      without(backend, versionText(version) + ": " + problem.getValue().getString(0));
    } catch (MagpieException | UnsatisfiedLinkError e) {
      without(backend, e.getMessage());
    }
    return null;
  }

  private static void without(CudaBackend backend, String reason) {
    LOG.warn("{} works without CUB, by portable kernels: {}", backend.description().spec(), reason);
  }

  static NativeLibrary load(Path file) {
    return NativeLibrary.getInstance(
        file.toString(), Map.of(Library.OPTION_OPEN_FLAGS, RTLD_LAZY_LOCAL));
  }

  @Override
  public String inWords() {
    return version;
  }

  @Override
  public void call(String function, LongUnaryOperator memory, Object... arguments) {
    run(function, memory, arguments, backend.streamHandle());
  }

  @Override
  public boolean callBuffered(String function, LongUnaryOperator memory, Object... arguments) {
    IntByReference second = new IntByReference();
    run(function, memory, arguments, second, backend.streamHandle());
    return second.getValue() != 0;
  }

  /** Without memory a function says how much it needs; with memory it starts. */
  private void run(String function, LongUnaryOperator memory, Object[] arguments, Object... last) {
    backend.enter();
    backend.endRuns(); // its runtime may wait for them before it loads a kernel
    LongByReference bytes = new LongByReference();
    Object[] all = new Object[2 + arguments.length + last.length];
    all[0] = 0L;
    all[1] = bytes;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    System.arraycopy(last, 0, all, 2 + arguments.length, last.length);
    start(function, all);
    all[0] = memory.applyAsLong(Math.max(1, bytes.getValue()));
    backend.launching(function, version);
    start(function, all);
  }

  private void start(String function, Object[] arguments) {
    int code = functions.computeIfAbsent(function, library::getFunction).invokeInt(arguments);
    backend.check(code, "calling " + function);
  }
}
