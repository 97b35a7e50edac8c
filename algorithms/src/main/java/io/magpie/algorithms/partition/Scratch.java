package io.magpie.algorithms.partition;

import io.magpie.stm.DeviceArray;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Working arrays by name, kept from use to use and made anew where a longer one is needed; what is
 * in them is undefined after that.
 */
final class Scratch implements AutoCloseable {
  private final DeviceMemory memory;
  private final Map<String, DeviceArray<int[]>> arrays = new LinkedHashMap<>();

  Scratch(DeviceMemory memory) {
    this.memory = memory;
  }

  /** Where its arrays are allocated. */
  DeviceMemory memory() {
    return memory;
  }

  /** The array of that name, at exactly that length. */
  DeviceArray<int[]> ints(String name, long length) {
    DeviceArray<int[]> known = arrays.get(name);
    if (known == null || known.length() < length) {
      if (known != null) {
        // Forgotten first: if there is no memory for the longer one, none is left of this name.
        memory.free(arrays.remove(name));
      }
      known = memory.ints(length);
      arrays.put(name, known);
    }
    return known.slice(0, length);
  }

  /** Frees the arrays. */
  @Override
  public void close() {
    arrays.values().forEach(memory::free);
    arrays.clear();
  }
}
