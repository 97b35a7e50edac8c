package io.magpie.stm.internal.toolchain;

import io.magpie.stm.CompilationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;

/**
 * Compiles sources in every flavour into a folder that {@link ModuleSource#PRECOMPILED_PROPERTY}
 * can name, for machines without compilers.
 *
 * <p>Arguments: the folder, then the sources. A source that does not compile is reported and left
 * out.
 */
public final class PrecompileSources {
  private PrecompileSources() {}

  /**
   * Compiles the sources.
   *
   * @param arguments the folder to fill, then sources
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    Toolchain toolchain = Toolchain.discovered();
    ArtifactCache cache = ArtifactCache.ofUser();
    ModuleBuilder builder = ModuleSource.builder(toolchain, cache);
    Files.createDirectories(folder);
    List<Flavor> flavors =
        Arrays.stream(Flavor.values())
            .filter(flavor -> toolchain.compilerFor(flavor).isPresent())
            .toList();
    for (String argument : Arrays.asList(arguments).subList(1, arguments.length)) {
      Path source = Path.of(argument).toAbsolutePath().normalize();
      for (Flavor flavor : flavors) {
        try {
          Files.copy(
              builder.build(source, flavor),
              folder.resolve(builder.precompiledName(source, flavor)),
              StandardCopyOption.REPLACE_EXISTING);
        } catch (CompilationException e) {
          System.err.println("precompile: left out: " + e.getMessage());
        }
      }
    }
  }
}
