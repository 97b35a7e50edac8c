package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.ModuleTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A module's code on a device, which its kernels and regions share until it is closed. */
final class OpenModule {
  private final Device device;
  private final String name;
  private final Backend.LoadedModule loaded;
  private final Function<Map<String, String>, Backend.LoadedModule> compiler;
  private final boolean unloads;

  /** By the macros that they have more. */
  private final Map<Map<String, String>, Backend.LoadedModule> others = new ConcurrentHashMap<>();

  private volatile Backend.LoadedModule ran;
  private volatile boolean looksAtNames = true;
  private boolean closed;

  /**
   * @param compiler gives the module's code with more macros than it was compiled with, and their
   *     values: for another policy, or to sample conflicts
   * @param unloads whether the code is this module's alone, so that {@link #unload} may be called
   */
  OpenModule(
      Device device,
      String name,
      Backend.LoadedModule loaded,
      Function<Map<String, String>, Backend.LoadedModule> compiler,
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

  /** Whether its kernels and regions refuse arrays that are named after other fields of theirs. */
  boolean looksAtNames() {
    return looksAtNames;
  }

  /** Those that are asked for from now on take arrays of any name. */
  void ignoreNames() {
    looksAtNames = false;
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
   * The loaded code that runs a region as the options say, under their policy and sampling
   * conflicts or not: this module's own, or else what is compiled when it is first asked for. Not
   * within the device's queue, if that can be: compiling takes seconds. Where a policy's compiler
   * refuses some regions, each is compiled by itself.
   *
   * @throws IllegalStateException if the module is closed, or its source has become another
   * @throws CompilationException if the source cannot be compiled here for that policy
   */
  Backend.LoadedModule loadedFor(String region, StmOptions options) {
    Backend.LoadedModule own = loaded();
    String policy = options.policy().kernelName();
    if (!options.conflictSampling() || own.table().layout().samplesConflicts()) {
      if (own.table().regions().get(region).has(policy, false)) {
        return own;
      }
      if (own.table().regions().values().stream().anyMatch(other -> other.has(policy, false))) {
        return own; // it was left out, and would be again
      }
    }
    Map<String, String> more = new HashMap<>(Map.of("MAGPIE_POLICY", policy));
    if (options.conflictSampling()) {
      more.put("MAGPIE_SAMPLE_CONFLICTS", "1");
    }
    if (options.policy().writesInPlace()) {
      more.put("MAGPIE_ONLY_REGION", region); // others may reach data past their transactions
    }
    Map<String, String> macros = Map.copyOf(more);
    Backend.LoadedModule known = others.get(macros);
    if (known == null) {
      // Without a lock: the device's queue may be needed, and whoever has it may be on the way
      // here.
      Backend.LoadedModule made = compiler.apply(macros);
      known = keep(macros, made);
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
              + policy);
    }
    return known;
  }

  /** What is kept with the macros: this, or what was there before; null if the module is closed. */
  private synchronized Backend.LoadedModule keep(
      Map<String, String> macros, Backend.LoadedModule made) {
    return closed ? null : others.computeIfAbsent(macros, absent -> made);
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
