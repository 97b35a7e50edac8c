package io.magpie.verification.workload;

import io.magpie.stm.CompilationException;
import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.stm.trace.Recording;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A region of somebody's own, compiled so that it can be recorded, with arguments made to order.
 */
public final class RegionWorkload implements Workload {
  private final Device device;
  private final Region region;
  private final RegionArguments arguments;
  private final List<AutoCloseable> open = new ArrayList<>();

  /**
   * Compiles the region and makes its arguments.
   *
   * @param source a {@code .cu} file
   * @param name the region's name; null if the file has only one
   * @param specs what each field begins as, by the field's name
   * @throws IllegalArgumentException if there is no such region, it has no objects or pushes items,
   *     or arguments are missing, too many, or of another kind than their fields
   * @throws CompilationException if the file cannot be compiled, or has no region
   */
  public RegionWorkload(Device device, Path source, String name, Map<String, ArgumentSpec> specs) {
    this.device = device;
    try {
      KernelModule module = device.compile(source, Map.of("MAGPIE_RECORD", "1"));
      open.add(module);
      this.region = module.region(theRegion(module, source, name));
      if (region.maxPushes() > 0) {
        throw new IllegalArgumentException(
            "region "
                + region.name()
                + " pushes items, so that it runs in rounds, and here one run is recorded; run it"
                + " from Java with a worklist, under a RecordedAlgorithm, which records and checks"
                + " each round");
      }
      this.arguments = RegionArguments.allocate(device, region, specs);
      open.add(arguments);
      if (arguments.objects().isEmpty()) {
        throw new IllegalArgumentException(
            "region " + region.name() + " has no objects, so there is nothing to record");
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private static String theRegion(KernelModule module, Path source, String name) {
    if (name == null ? module.regions().size() == 1 : module.regions().contains(name)) {
      return name == null ? module.regions().iterator().next() : name;
    }
    if (module.regions().isEmpty()) {
      String error = source + ": has no region; end it with MAGPIE_REGION(name)";
      throw new CompilationException(error, "", List.of(error), "");
    }
    throw new IllegalArgumentException(
        source
            + (name == null ? ": name one of its regions, as in " : " has no region ")
            + (name == null ? source + "#NAME" : "'" + name + "'")
            + "; it has: "
            + String.join(", ", module.regions()));
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public Region region() {
    return region;
  }

  @Override
  public List<StmObjects> objects() {
    return arguments.objects();
  }

  @Override
  public void reset() {
    arguments.reset();
  }

  @Override
  public RegionReport record(Recording recording, StmOptions options, long items, long number) {
    return region.record(recording, options, items, arguments.fields());
  }

  @Override
  public Optional<String> complaint() {
    return Optional.empty();
  }

  @Override
  public void close() {
    Resources.close(open);
  }
}
