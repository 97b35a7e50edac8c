package io.magpie.stm.internal.toolchain;

import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Compiles sources into a folder that {@link ModuleSource#PRECOMPILED_PROPERTY} can name, for
 * machines without compilers.
 *
 * <p>Arguments: the folder, then the sources. Before a source may stand, for it alone, defines
 * {@code NAME=VALUE} and the flavors to compile, as in {@code --only=SIM,CPU}; without, it is
 * compiled in every flavor that has a compiler here. A source may come again with others. Each
 * result has the hashes of the files that were read, and counts while they are the same.
 */
public final class PrecompileSources {
  private static final String ONLY = "--only=";

  private PrecompileSources() {}

  /**
   * Compiles the sources.
   *
   * @param arguments the folder to fill, then sources, each after its defines
   */
  public static void main(String[] arguments) throws IOException {
    Toolchain toolchain = Toolchain.discovered();
    run(
        Path.of(arguments[0]),
        Arrays.asList(arguments).subList(1, arguments.length),
        Arrays.stream(Flavor.values())
            .filter(flavor -> flavor.hasKernels() && toolchain.compilerFor(flavor).isPresent())
            .toList(),
        toolchain,
        ArtifactCache.ofUser());
  }

  static void run(
      Path folder,
      List<String> sourcesAfterSettings,
      Collection<Flavor> flavors,
      Toolchain toolchain,
      ArtifactCache cache)
      throws IOException {
    ModuleBuilder builder = ModuleSource.builder(toolchain, cache);
    Files.createDirectories(folder);
    Map<String, String> definitions = new HashMap<>();
    Set<Flavor> only = EnumSet.allOf(Flavor.class);
    List<Future<?>> jobs = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(CompileModules.JOBS);
    try {
      for (String argument : sourcesAfterSettings) {
        if (argument.startsWith(ONLY)) {
          only.retainAll(
              Arrays.stream(argument.substring(ONLY.length()).split(","))
                  .map(PrecompileSources::flavor)
                  .toList());
          continue;
        }
        int equals = argument.indexOf('=');
        if (equals > 0 && !argument.endsWith(".cu")) {
          definitions.put(argument.substring(0, equals), argument.substring(equals + 1));
          continue;
        }
        Defines defines = Defines.of(definitions);
        definitions.clear();
        Path source = Path.of(argument).toAbsolutePath().normalize();
        Set<Flavor> these = EnumSet.copyOf(only);
        these.retainAll(flavors);
        only = EnumSet.allOf(Flavor.class);
        for (Flavor flavor : these) {
          jobs.add(
              pool.submit(
                  () -> {
                    builder.precompile(source, flavor, defines, folder);
                    return null;
                  }));
        }
      }
      if (!definitions.isEmpty() || only.size() < Flavor.values().length) {
        throw new MagpieException("No source follows the last defines or flavors");
      }
      for (Future<?> job : jobs) {
        job.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException unwritable) {
        throw unwritable;
      }
      throw new MagpieException("Cannot precompile: " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MagpieException("Interrupted while compiling sources", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private static Flavor flavor(String name) {
    return Arrays.stream(Flavor.values())
        .filter(flavor -> flavor.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new MagpieException(
                    "No flavor '" + name + "'; there are " + Arrays.toString(Flavor.values())));
  }
}
