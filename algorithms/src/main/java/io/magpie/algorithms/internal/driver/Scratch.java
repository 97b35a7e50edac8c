package io.magpie.algorithms.internal.driver;

import io.magpie.stm.DeviceArray;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Working arrays by name, kept from use to use and made anew where a longer one is needed; what is
 * in them is undefined after that.
 */
public final class Scratch implements AutoCloseable {
  private final DeviceMemory memory;
  private final Map<String, DeviceArray<int[]>> ints = new LinkedHashMap<>();
  private final Map<String, DeviceArray<long[]>> longs = new LinkedHashMap<>();

  public Scratch(DeviceMemory memory) {
    this.memory = memory;
  }

  /** Where its arrays are allocated. */
  public DeviceMemory memory() {
    return memory;
  }

  /** The array of that name, at exactly that length. */
  public DeviceArray<int[]> ints(String name, long length) {
    return array(ints, name, length, memory::ints);
  }

  /** The array of that name, at exactly that length. */
  public DeviceArray<long[]> longs(String name, long length) {
    return array(longs, name, length, memory::longs);
  }

  private <T> DeviceArray<T> array(
      Map<String, DeviceArray<T>> arrays,
      String name,
      long length,
      LongFunction<DeviceArray<T>> allocate) {
    DeviceArray<T> known = arrays.get(name);
    if (known == null || known.length() < length) {
      if (known != null) {
        // Forgotten first: if there is no memory for the longer one, none is left of this name.
        memory.free(arrays.remove(name));
      }
      known = allocate.apply(length);
      arrays.put(name, known);
    }
    return known.slice(0, length);
  }

  /** Frees the arrays. */
  @Override
  public void close() {
    ints.values().forEach(memory::free);
    ints.clear();
    longs.values().forEach(memory::free);
    longs.clear();
  }
}
