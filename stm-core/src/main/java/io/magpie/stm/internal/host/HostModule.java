package io.magpie.stm.internal.host;

import com.sun.jna.Function;
import com.sun.jna.Library;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.magpie.stm.CompilationException;
import io.magpie.stm.MagpieException;
import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.internal.toolchain.SourceLines;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A module built for {@code cpu} or {@code sim}: a shared library and what its table says.
 *
 * <p>Libraries are opened lazily and locally: with the loader's global default one module's
 * functions would replace another's of the same name. They stay mapped until the process ends,
 * because threads of the pool may hold thread-local state of theirs, and signals go through their
 * handlers; closing a module only ends its use.
 */
public final class HostModule implements Backend.LoadedModule {
  private static final int RTLD_LAZY_LOCAL = 1;
  private static final String UTF_8 = "UTF-8";
  private static final Map<Path, HostModule> OPEN = new ConcurrentHashMap<>();

  /** One for all modules that have the same, so that launches compare by identity. */
  private static final Map<LaunchStructs, LaunchStructs> ALIKE = new ConcurrentHashMap<>();

  private final NativeLibrary library;
  private final ModuleTable table;
  private final LaunchStructs structs;
  private final Function launch;
  private final Function interrupt;

  private HostModule(Path file, String origin) {
    try {
      library =
          NativeLibrary.getInstance(
              file.toString(), Map.of(Library.OPTION_OPEN_FLAGS, RTLD_LAZY_LOCAL));
      table = ModuleTable.parse(describer(origin).invokePointer(new Object[0]).getString(0, UTF_8));
      LaunchStructs own = LaunchStructs.of(table.shared());
      structs = ALIKE.computeIfAbsent(own, absent -> own);
      launch = library.getFunction("magpie_launch");
      interrupt = library.getFunction("magpie_interrupt");
    } catch (UnsatisfiedLinkError | IllegalArgumentException e) {
      throw new MagpieException(file + " is not a module of this version: " + e.getMessage(), e);
    }
  }

  /** The function that gives the table; the headers define it wherever they are included. */
  private Function describer(String origin) {
    try {
      return library.getFunction("magpie_module_table");
    } catch (UnsatisfiedLinkError e) {
      String error =
          origin
              + ": has no region; include magpie/stm.cuh and end the file with"
              + " MAGPIE_REGION(name), or MAGPIE_KERNEL(name) for a kernel";
      throw new CompilationException(error, "", List.of(error), "");
    }
  }

  /**
   * Opens a library, or gives the one opened before from the same path.
   *
   * @param origin where it comes from, for messages
   * @throws CompilationException if its source has neither regions nor kernels, and includes no
   *     header of this library
   * @throws MagpieException if it is not a module, or is one of another version
   */
  public static HostModule open(Path file, String origin) {
    return OPEN.computeIfAbsent(
        file.toAbsolutePath().normalize(), path -> new HostModule(path, origin));
  }

  @Override
  public ModuleTable table() {
    return table;
  }

  @Override
  public Optional<String> sourceLine(long place) {
    return SourceLines.of(library.getFile().toPath(), place);
  }

  /** What its launches get and give back. */
  LaunchStructs structs() {
    return structs;
  }

  /** The function that runs launches. */
  Function launch() {
    return launch;
  }

  /** Interrupts the launch of a functor, whose parts run on other threads. */
  void interrupt(Pointer functor) {
    interrupt.invokeVoid(new Object[] {functor});
  }

  @Override
  public void close() {}
}
