package io.magpie.stm.internal.toolchain;

import java.nio.file.Path;
import java.util.Map;

/**
 * The files of one compiled module. A path is null when that flavor was not asked for.
 *
 * @param name the module's name: the built-in name, or the source's file name without its suffix
 * @param cpuLibrary shared library of the {@code cpu} machine
 * @param cpuCheckedLibrary the same with bounds checks
 * @param simLibrary shared library of the {@code sim} machine
 * @param fatbin fatbin for the CUDA driver
 * @param origin where the files come from, for messages: the source's path, or of a built-in module
 *     its resource and the jar or folder that has it
 */
public record ModuleArtifacts(
    String name,
    Path cpuLibrary,
    Path cpuCheckedLibrary,
    Path simLibrary,
    Path fatbin,
    String origin) {

  static ModuleArtifacts of(String name, Map<Flavor, Path> files, String origin) {
    return new ModuleArtifacts(
        name,
        files.get(Flavor.CPU),
        files.get(Flavor.CPU_CHECKED),
        files.get(Flavor.SIM),
        files.get(Flavor.CUDA),
        origin);
  }

  /** The file of one flavor of the kernels; null when it was not asked for. */
  public Path file(Flavor flavor) {
    return switch (flavor) {
      case CPU -> cpuLibrary;
      case CPU_CHECKED -> cpuCheckedLibrary;
      case SIM -> simLibrary;
      case CUDA -> fatbin;
      case CUDA_HOST -> null;
    };
  }
}
