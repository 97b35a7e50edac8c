package io.magpie.algorithms.partition;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Working arrays by name, kept from use to use and made anew where a longer one is needed; what is
 * in them is undefined after that.
 */
final class Scratch implements AutoCloseable {
  private final Device device;
  private final Map<String, DeviceArray<int[]>> arrays = new LinkedHashMap<>();

  Scratch(Device device) {
    this.device = device;
  }

  /** The array of that name, at exactly that length. */
  DeviceArray<int[]> ints(String name, long length) {
    DeviceArray<int[]> known = arrays.get(name);
    if (known == null || known.length() < length) {
      if (known != null) {
        // Forgotten first: if there is no memory for the longer one, none is left of this name.
        arrays.remove(name).close();
      }
      known = device.ints(length);
      arrays.put(name, known);
    }
    return known.slice(0, length);
  }

  /** Bytes that all arrays take. */
  long bytes() {
    return arrays.values().stream().mapToLong(DeviceArray::bytes).sum();
  }

  /** Frees the arrays. */
  @Override
  public void close() {
    arrays.values().forEach(DeviceArray::close);
    arrays.clear();
  }
}
