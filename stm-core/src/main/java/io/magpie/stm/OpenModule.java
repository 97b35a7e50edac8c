package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.ModuleTable;

/** A module's code on a device, which its kernels and regions share until it is closed. */
final class OpenModule {
  private final Device device;
  private final String name;
  private final Backend.LoadedModule loaded;
  private boolean closed;

  OpenModule(Device device, String name, Backend.LoadedModule loaded) {
    this.device = device;
    this.name = name;
    this.loaded = loaded;
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

  /** Ends its use; says whether it was open. */
  synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Frees the code. */
  void unload() {
    device.whileOpen(loaded::close);
  }

  @Override
  public String toString() {
    return "module " + name + " on " + device.description().spec();
  }
}
