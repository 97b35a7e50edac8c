package io.magpie.algorithms.internal.driver;

import io.magpie.stm.DeviceArray;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Working arrays by name, kept from use to use and made anew where a longer one is needed; what is
 * in them is undefined after that.
 *
 * <p>The arrays themselves have {@linkplain DeviceArray#named the name}. One that is that of a
 * kernel's field keeps the array from other fields there; arrays that change places have names that
 * no field has, such as {@code "list 0"} and {@code "list 1"}.
 */
public final class Scratch implements AutoCloseable {
  private final DeviceMemory memory;
  private final Map<String, DeviceArray<byte[]>> bytes = new LinkedHashMap<>();
  private final Map<String, DeviceArray<int[]>> ints = new LinkedHashMap<>();
  private final Map<String, DeviceArray<long[]>> longs = new LinkedHashMap<>();
  private final Map<String, DeviceArray<double[]>> doubles = new LinkedHashMap<>();

  public Scratch(DeviceMemory memory) {
    this.memory = memory;
  }

  /** Where its arrays are allocated. */
  public DeviceMemory memory() {
    return memory;
  }

  /** The array of that name, at exactly that length. */
  public DeviceArray<byte[]> bytes(String name, long length) {
    return array(bytes, name, length, memory::bytes);
  }

  /** The array of that name, at exactly that length. */
  public DeviceArray<int[]> ints(String name, long length) {
    return array(ints, name, length, memory::ints);
  }

  /** The array of that name, at exactly that length. */
  public DeviceArray<long[]> longs(String name, long length) {
    return array(longs, name, length, memory::longs);
  }

  /** The array of that name, at exactly that length. */
  public DeviceArray<double[]> doubles(String name, long length) {
    return array(doubles, name, length, memory::doubles);
  }

  /** The array of that name, at that length or whatever more it has from earlier uses. */
  public DeviceArray<long[]> longsFrom(String name, long length) {
    return whole(longs, name, length, memory::longs);
  }

  private <T> DeviceArray<T> array(
      Map<String, DeviceArray<T>> arrays,
      String name,
      long length,
      LongFunction<DeviceArray<T>> allocate) {
    return whole(arrays, name, length, allocate).slice(0, length);
  }

  private <T> DeviceArray<T> whole(
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
      known = allocate.apply(length).named(name);
      arrays.put(name, known);
    }
    return known;
  }

  /** Frees the arrays of a name, of all types; the next use makes new ones. */
  public void free(String name) {
    memory.free(bytes.remove(name));
    memory.free(ints.remove(name));
    memory.free(longs.remove(name));
    memory.free(doubles.remove(name));
  }

  /** Frees the arrays. */
  @Override
  public void close() {
    List<AutoCloseable> due = new ArrayList<>();
    bytes.values().forEach(array -> due.add(() -> memory.free(array)));
    ints.values().forEach(array -> due.add(() -> memory.free(array)));
    longs.values().forEach(array -> due.add(() -> memory.free(array)));
    doubles.values().forEach(array -> due.add(() -> memory.free(array)));
    bytes.clear();
    ints.clear();
    longs.clear();
    doubles.clear();
    Resources.close(due);
  }
}
