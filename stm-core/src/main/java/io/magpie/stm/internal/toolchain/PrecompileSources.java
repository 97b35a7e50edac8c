package io.magpie.stm.internal.toolchain;

import io.magpie.stm.CompilationException;
import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Compiles sources in every flavor into a folder that {@link ModuleSource#PRECOMPILED_PROPERTY} can
 * name, for machines without compilers.
 *
 * <p>Arguments: the folder, then the sources. Before a source may stand defines {@code NAME=VALUE}
 * for it alone; a source may come again with others. What does not compile is reported and left
 * out. Each result has the hashes of the files that were read, and counts while they are the same.
 */
public final class PrecompileSources {
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
      List<String> sourcesAfterDefines,
      Collection<Flavor> flavors,
      Toolchain toolchain,
      ArtifactCache cache)
      throws IOException {
    ModuleBuilder builder = ModuleSource.builder(toolchain, cache);
    Files.createDirectories(folder);
    Map<String, String> definitions = new HashMap<>();
    List<Future<?>> jobs = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(CompileModules.JOBS);
    try {
      for (String argument : sourcesAfterDefines) {
        int equals = argument.indexOf('=');
        if (equals > 0 && !argument.endsWith(".cu")) {
          definitions.put(argument.substring(0, equals), argument.substring(equals + 1));
          continue;
        }
        Defines defines = Defines.of(definitions);
        definitions.clear();
        Path source = Path.of(argument).toAbsolutePath().normalize();
        for (Flavor flavor : flavors) {
          jobs.add(
              pool.submit(
                  () -> {
                    make(builder, source, flavor, defines, folder);
                    return null;
                  }));
        }
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

  private static void make(
      ModuleBuilder builder, Path source, Flavor flavor, Defines defines, Path folder)
      throws IOException {
    try {
      builder.precompile(source, flavor, defines, folder);
    } catch (CompilationException e) {
      System.err.println("precompile: left out: " + e.getMessage());
    }
  }
}
