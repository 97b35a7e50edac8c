package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.ModuleTable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A module's code on a device, which its kernels and regions share until it is closed. */
final class OpenModule {
  private final Device device;
  private final String name;
  private final Backend.LoadedModule loaded;
  private final Function<String, Backend.LoadedModule> compiler;
  private final Map<String, Backend.LoadedModule> others = new ConcurrentHashMap<>(); // by policy
  private boolean closed;

  /**
   * @param compiler gives the module's code under another policy than it was compiled for, by the
   *     policy's name
   */
  OpenModule(
      Device device,
      String name,
      Backend.LoadedModule loaded,
      Function<String, Backend.LoadedModule> compiler) {
    this.device = device;
    this.name = name;
    this.loaded = loaded;
    this.compiler = compiler;
  }

  Device device() {
    return device;
  }

  String name() {
    return name;
  }

  /** What the module holds, also after it was closed. */
  ModuleTable table() {
    return loaded.table();
  }

  /**
   * The loaded code.
   *
   * @throws IllegalStateException if the module is closed
   */
  synchronized Backend.LoadedModule loaded() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
    return loaded;
  }

  /**
   * The loaded code that has a region under a policy: this module's own, or else what is compiled
   * when it is first asked for. Not within the device's queue: compiling takes seconds.
   *
   * @throws IllegalStateException if the module is closed
   * @throws CompilationException if the source cannot be compiled here for that policy
   */
  Backend.LoadedModule loadedFor(String region, Policy policy) {
    Backend.LoadedModule own = loaded();
    if (own.table().regions().get(region).has(policy.kernelName(), false)) {
      return own;
    }
    Backend.LoadedModule known = others.get(policy.kernelName());
    if (known != null) {
      return known;
    }
    // Without a lock: the device's queue may be needed, and whoever has it may be on the way here.
    Backend.LoadedModule made = compiler.apply(policy.kernelName());
    Backend.LoadedModule first = others.putIfAbsent(policy.kernelName(), made);
    if (first != null && first != made) {
      device.whileOpen(made::close);
    }
    return first == null ? made : first;
  }

  /** Ends its use; says whether it was open. */
  synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Frees the code. */
  void unload() {
    device.whileOpen(loaded::close);
    others.values().forEach(other -> device.whileOpen(other::close));
  }

  @Override
  public String toString() {
    return "module " + name + " on " + device.description().spec();
  }
}
