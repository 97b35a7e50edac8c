package io.magpie.stm.internal;

import com.sun.jna.NativeLibrary;
import io.magpie.stm.internal.toolchain.Defines;
import io.magpie.stm.internal.toolchain.Flavor;
import io.magpie.stm.internal.toolchain.ModuleSource;
import java.nio.file.Path;
import java.util.Set;

/** Tables of modules as text, for tests that change a line. */
public final class TableText {
  private TableText() {}

  /** The table of a source, compiled for {@code cpu}. */
  public static String of(Path source) {
    Path library = ModuleSource.compile(source, Defines.NONE, Set.of(Flavor.CPU)).file(Flavor.CPU);
    try (NativeLibrary loaded = NativeLibrary.getInstance(library.toString())) {
      return loaded.getFunction("magpie_module_table").invokePointer(new Object[0]).getString(0);
    }
  }
}
