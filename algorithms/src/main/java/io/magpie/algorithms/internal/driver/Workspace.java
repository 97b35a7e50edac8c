package io.magpie.algorithms.internal.driver;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import io.magpie.stm.StmObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A module on a device with what outlives a computation by it: the input's arrays, objects, and
 * working arrays. It owns all of them.
 */
public abstract class Workspace implements AutoCloseable {
  private final DeviceMemory memory;
  private final KernelModule module;
  private final Scratch scratch;
  private final List<AutoCloseable> made = new ArrayList<>();
  private double uploadMillis;

  /**
   * Loads the module.
   *
   * @param module its name
   */
  protected Workspace(DeviceMemory memory, String module) {
    this.memory = memory;
    this.module = memory.device().load(module);
    made.add(this.module);
    this.scratch = new Scratch(memory);
    made.add(scratch);
  }

  public final Device device() {
    return memory.device();
  }

  public final KernelModule module() {
    return module;
  }

  /** Working arrays, kept from computation to computation. */
  public final Scratch scratch() {
    return scratch;
  }

  /** Where its arrays are allocated. */
  protected final DeviceMemory memory() {
    return memory;
  }

  /** Copies something to the device; its time counts as upload. */
  protected final <T> T upload(Supplier<T> copy) {
    long begin = System.nanoTime();
    try {
      return copy.get();
    } finally {
      uploadMillis += Elapsed.millisSince(begin);
    }
  }

  /** Takes an array of {@link #memory()} over. */
  protected final <A> DeviceArray<A> kept(DeviceArray<A> array) {
    made.add(() -> memory.free(array));
    return array;
  }

  /**
   * Takes an array of {@link #memory()} over that nobody writes any more: an input.
   *
   * @return a view that kernels take for what they read, and for nothing else
   */
  protected final <A> DeviceArray<A> keptInput(DeviceArray<A> array) {
    return kept(array).asConst();
  }

  /** Takes objects of {@link #memory()} over. */
  protected final StmObjects kept(StmObjects objects) {
    made.add(() -> memory.free(objects));
    return objects;
  }

  /** How long it took to copy what is here, since the last call. */
  public final double takeUploadMillis() {
    double taken = uploadMillis;
    uploadMillis = 0;
    return taken;
  }

  /** Frees all. Closing twice is harmless. */
  @Override
  public final void close() {
    List<AutoCloseable> due = List.copyOf(made);
    made.clear();
    Resources.close(due);
  }
}
