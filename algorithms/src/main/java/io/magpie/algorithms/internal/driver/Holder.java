package io.magpie.algorithms.internal.driver;

import io.magpie.stm.DeviceArray;
import java.util.ArrayList;
import java.util.List;

/** Arrays that are being made: closes those that nobody has taken over. */
public final class Holder implements AutoCloseable {
  private final DeviceMemory memory;
  private final List<DeviceArray<int[]>> arrays = new ArrayList<>();

  public Holder(DeviceMemory memory) {
    this.memory = memory;
  }

  /** Where its arrays are allocated. */
  public DeviceMemory memory() {
    return memory;
  }

  /** A new array of zeros. */
  public DeviceArray<int[]> ints(long length) {
    return held(memory.ints(length));
  }

  /** A new array of ones. */
  public DeviceArray<int[]> ones(long length) {
    DeviceArray<int[]> array = ints(length);
    array.fill(1);
    return array;
  }

  /** A copy of a Java array. */
  public DeviceArray<int[]> copyOf(int[] values) {
    return held(memory.copyOf(values));
  }

  /** Takes an array over; null is ignored. */
  public DeviceArray<int[]> adopt(DeviceArray<int[]> array) {
    return array == null ? null : held(array);
  }

  /** Frees an array that is held. */
  public void free(DeviceArray<int[]> array) {
    release(array);
    memory.free(array);
  }

  private DeviceArray<int[]> held(DeviceArray<int[]> array) {
    arrays.add(array);
    return array;
  }

  /** Hands arrays over to the caller. */
  @SafeVarargs
  public final void release(DeviceArray<int[]>... taken) {
    for (DeviceArray<int[]> array : taken) {
      arrays.removeIf(held -> held == array);
    }
  }

  @Override
  public void close() {
    List<AutoCloseable> due = new ArrayList<>();
    arrays.forEach(array -> due.add(() -> memory.free(array)));
    Resources.close(due);
  }
}
