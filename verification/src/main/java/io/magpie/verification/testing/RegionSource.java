package io.magpie.verification.testing;

import io.magpie.stm.KernelModule;
import io.magpie.verification.testing.internal.KeptDevice;
import io.magpie.verification.workload.RegionWorkload;
import java.nio.file.Path;

/**
 * Where a region is.
 *
 * @param file null if it is in a module on the class path
 * @param module null if it is in a file
 * @param region null if it is the file's only one
 */
record RegionSource(Path file, String module, String region) {
  static RegionSource ofFile(Path file, String region) {
    return new RegionSource(file, null, region);
  }

  static RegionSource ofModule(String module, String region) {
    return new RegionSource(null, module, region);
  }

  KernelModule compiled(KeptDevice kept, RegionWorkload.Runs runs) {
    return file == null ? kept.module(module, region, runs) : kept.module(file, region, runs);
  }

  /**
   * The region's name.
   *
   * @throws IllegalArgumentException if there is none, or it is not said which of several
   */
  String regionOf(KernelModule compiled) {
    var regions = compiled.regions();
    if (region == null ? regions.size() == 1 : regions.contains(region)) {
      return region == null ? regions.iterator().next() : region;
    }
    throw new IllegalArgumentException(
        where()
            + (regions.isEmpty()
                ? " has no region; end it with MAGPIE_REGION(name)"
                : (region == null
                        ? " has several regions: name one, as in RegionCheck.of(file, name)"
                        : " has no region '" + region + "'")
                    + "; it has: "
                    + String.join(", ", regions)));
  }

  /** The file or module. */
  String where() {
    return file == null ? "module " + module : file.toString();
  }

  /** What messages call it. */
  String title() {
    return region == null ? where() : "region " + region + " of " + where();
  }

  /** As {@code magpie verify --region} takes it; only of a file. */
  String word() {
    return region == null ? file.toString() : file + "#" + region;
  }

  /** How it is said in Java. */
  String call() {
    return file == null
        ? "RegionCheck.ofModule(\"" + module + "\", \"" + region + "\")"
        : "RegionCheck.of(Path.of(\""
            + file
            + "\")"
            + (region == null ? "" : ", \"" + region + "\"")
            + ")";
  }
}
