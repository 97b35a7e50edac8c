package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.internal.toolchain.ModuleArtifacts;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The kernels and regions of one compiled {@code .cu} file, ready to run on a device. */
public final class KernelModule implements Device.Owned {
  /** Files of a module, and what a device has loaded from them. */
  record Code(ModuleArtifacts artifacts, Backend.LoadedModule loaded) {}

  private final OpenModule module;
  private final String origin;
  private final boolean unloads;
  private final ConcurrentHashMap<String, Kernel> used = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Region> usedRegions = new ConcurrentHashMap<>();

  /**
   * For use within the device's queue.
   *
   * @param compiler gives the code with more macros than this one was compiled with
   * @param unloads whether the code is this module's alone and is unloaded with it
   */
  KernelModule(
      Device device,
      Code code,
      Function<Map<String, String>, Backend.LoadedModule> compiler,
      boolean unloads) {
    this.module = new OpenModule(device, code.artifacts().name(), code.loaded(), compiler, unloads);
    this.origin = code.artifacts().origin();
    this.unloads = unloads;
    device.opened(this, "module " + name());
  }

  /** The module's name: its file's without suffix. */
  public String name() {
    return module.name();
  }

  /**
   * Where it comes from, for messages: a path, or of a built-in module a resource and its jar or
   * folder.
   */
  public String origin() {
    return origin;
  }

  /** The device it is loaded on. */
  public Device device() {
    return module.device();
  }

  /**
   * Whether it was compiled with {@code MAGPIE_RECORD}, so that its regions can be {@linkplain
   * Region#record recorded}.
   */
  public boolean recording() {
    return module.table().recording();
  }

  /** Names of the kernels, in the source's order. */
  public Set<String> kernels() {
    return module.table().kernels().keySet();
  }

  /** Names of the regions, in the source's order. */
  public Set<String> regions() {
    return module.table().regions().keySet();
  }

  /**
   * A kernel.
   *
   * @param kernel its name
   * @throws ModuleNotFoundException if the module has none of that name; the message lists those it
   *     has
   */
  public Kernel kernel(String kernel) {
    ModuleTable.Kernel found = module.table().kernels().get(kernel);
    if (found == null) {
      throw missing("kernel", kernel, kernels());
    }
    return used.computeIfAbsent(kernel, name -> new Kernel(module, found));
  }

  /**
   * A region.
   *
   * @param region its name
   * @throws ModuleNotFoundException if the module has none of that name; the message lists those it
   *     has
   */
  public Region region(String region) {
    ModuleTable.Region found = module.table().regions().get(region);
    if (found == null) {
      throw missing("region", region, regions());
    }
    return usedRegions.computeIfAbsent(region, name -> new Region(module, found));
  }

  /**
   * A number that the source exports by {@code MAGPIE_CONSTANT}.
   *
   * @param constant its name as written there, such as {@code record::words}
   * @throws ModuleNotFoundException if the module exports none of that name; the message lists
   *     those that it does
   */
  public long constant(String constant) {
    Long found = module.table().constants().get(constant);
    if (found == null) {
      throw missing("constant", constant, module.table().constants().keySet());
    }
    return found;
  }

  /** The same, where it is to fit an {@code int}. */
  public int intConstant(String constant) {
    return Math.toIntExact(constant(constant));
  }

  /**
   * Where a {@linkplain io.magpie.stm.simulator.AccessTrace#place place} in the code is in the
   * source, as {@code file:line}: of modules compiled with {@code MAGPIE_TRACE} for {@code cpu} or
   * {@code sim}, where binutils are installed.
   */
  public Optional<String> sourceLine(long place) {
    return module.traced().sourceLine(place);
  }

  private ModuleNotFoundException missing(String kind, String asked, Set<String> present) {
    return new ModuleNotFoundException(
        "module "
            + name()
            + " has no "
            + kind
            + " '"
            + asked
            + "'; it has: "
            + (present.isEmpty()
                ? "none; end the file with MAGPIE_"
                    + kind.toUpperCase(Locale.ROOT)
                    + "("
                    + asked
                    + ")"
                : String.join(", ", present)));
  }

  /** Makes its kernels and regions take arrays of any {@linkplain DeviceArray#named name}. */
  void ignoreNames() {
    module.ignoreNames();
  }

  /** The loaded code, if the module is open. */
  Backend.LoadedModule loaded() {
    return module.loaded();
  }

  /** Ends the use of the module, its kernels and its regions. Closing twice is harmless. */
  @Override
  public void close() {
    if (module.close()) {
      device().closed(this);
      if (unloads) {
        module.unload();
      }
    }
  }

  @Override
  public String toString() {
    return module.toString();
  }
}
