package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.ModuleTable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A module's code on a device, which its kernels and regions share until it is closed. */
final class OpenModule {
  private final Device device;
  private final String name;
  private final Backend.LoadedModule loaded;
  private final Function<String, Backend.LoadedModule> compiler;
  private final boolean unloads;
  private final Map<String, Backend.LoadedModule> others = new ConcurrentHashMap<>(); // by policy
  private volatile Backend.LoadedModule ran;
  private boolean closed;

  /**
   * @param compiler gives the module's code under another policy than it was compiled for, by the
   *     policy's name
   * @param unloads whether the code is this module's alone, so that {@link #unload} may be called
   */
  OpenModule(
      Device device,
      String name,
      Backend.LoadedModule loaded,
      Function<String, Backend.LoadedModule> compiler,
      boolean unloads) {
    this.device = device;
    this.name = name;
    this.loaded = loaded;
    this.compiler = compiler;
    this.unloads = unloads;
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
   * when it is first asked for. Not within the device's queue, if that can be: compiling takes
   * seconds.
   *
   * @throws IllegalStateException if the module is closed, or its source has become another
   * @throws CompilationException if the source cannot be compiled here for that policy
   */
  Backend.LoadedModule loadedFor(String region, Policy policy) {
    Backend.LoadedModule own = loaded();
    if (own.table().regions().get(region).has(policy.kernelName(), false)) {
      return own;
    }
    if (own.table().regions().values().stream()
        .anyMatch(other -> other.has(policy.kernelName(), false))) {
      return own; // it was left out, and would be again
    }
    Backend.LoadedModule known = others.get(policy.kernelName());
    if (known == null) {
      // Without a lock: the device's queue may be needed, and whoever has it may be on the way
      // here.
      Backend.LoadedModule made = compiler.apply(policy.kernelName());
      known = keep(policy.kernelName(), made);
      if (known != made && unloads) {
        device.whileOpen(made::close); // not in keep: whoever has the queue may wait for its lock
      }
      if (known == null) {
        throw new IllegalStateException(this + " is closed");
      }
    }
    if (!sameButForVariants(own.table().regions(), known.table().regions())) {
      throw new IllegalStateException(
          this
              + " was compiled from another source than the one that is there now: compile it again"
              + " for policy "
              + policy.kernelName());
    }
    return known;
  }

  /** What is kept for the policy: this, or what was there before; null if the module is closed. */
  private synchronized Backend.LoadedModule keep(String policy, Backend.LoadedModule made) {
    return closed ? null : others.computeIfAbsent(policy, absent -> made);
  }

  private static boolean sameButForVariants(
      Map<String, ModuleTable.Region> some, Map<String, ModuleTable.Region> others) {
    return some.keySet().equals(others.keySet())
        && some.values().stream()
            .allMatch(
                region ->
                    region
                        .withVariants(List.of())
                        .equals(others.get(region.name()).withVariants(List.of())));
  }

  /** Whose places the last trace has: the code that a region ran last. */
  Backend.LoadedModule traced() {
    Backend.LoadedModule own = loaded();
    return ran == null ? own : ran;
  }

  /** A region runs in this code of the module. */
  void runs(Backend.LoadedModule code) {
    ran = code;
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
