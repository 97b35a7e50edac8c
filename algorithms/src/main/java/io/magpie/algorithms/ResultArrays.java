package io.magpie.algorithms;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * Arrays for results: Java arrays that are kept from call to call or given by the caller, or arrays
 * on the device. A call without them makes new Java arrays, which Java zeroes first and collects
 * later.
 *
 * <pre>{@code
 * ResultArrays arrays = new ResultArrays().give("labels", labels); // or nothing: they are made once
 * try (MinimumSpanningForest forests = new MinimumSpanningForest(device, graph)) {
 *   MsfResult forest = forests.run(options, arrays);
 * }
 * }</pre>
 *
 * <p>Each call overwrites what the call before it with the same arrays has left, so its result
 * holds until the next such call. What an algorithm calls its arrays, and how long they are, is
 * said where it takes them: those for each vertex of the input have exactly its number of elements;
 * of those whose length only the result tells, as with refined meshes, the first elements are used,
 * and such an array is made an eighth longer than needed. An array that was given is never
 * replaced: if its length is wrong, the call fails. No array has two names, nor is one of the
 * input's. Of a call that fails, the arrays hold what they held before, or anything if it had begun
 * to write its result.
 *
 * <p>Results {@linkplain #onDevice on the device} stay there for kernels and primitives to go on
 * with, and are copied to new Java arrays when they are asked for as such.
 *
 * <p>Not for use by several calls at once.
 */
public final class ResultArrays implements AutoCloseable {
  private static final int SPARE = 8;

  private final Device device; // null for Java's memory
  private final Map<String, Object> arrays = new HashMap<>();
  private final Set<String> given = new HashSet<>();
  private final Map<String, Long> writes = new HashMap<>();

  /** In Java's memory, without arrays: a call makes those that it needs. */
  public ResultArrays() {
    this(null);
  }

  private ResultArrays(Device device) {
    this.device = device;
  }

  /**
   * On a device: a call makes the arrays that it needs there, and later ones write to them.
   *
   * @param device that of all calls
   * @return arrays to be closed, which frees them
   */
  public static ResultArrays onDevice(Device device) {
    return new ResultArrays(Objects.requireNonNull(device, "device"));
  }

  /**
   * Has a result of that name written to an array of the caller's.
   *
   * @param name as the algorithm calls it, such as {@code labels}
   * @param array where it goes; not copied
   * @return this
   * @throws IllegalArgumentException if it has another name, too
   * @throws IllegalStateException if these are on a device
   */
  public ResultArrays give(String name, int[] array) {
    return put(name, array);
  }

  /**
   * Has a result of that name written to an array of the caller's.
   *
   * @param name as the algorithm calls it, such as {@code coordinates}
   * @param array where it goes; not copied
   * @return this
   * @throws IllegalArgumentException if it has another name, too
   * @throws IllegalStateException if these are on a device
   */
  public ResultArrays give(String name, double[] array) {
    return put(name, array);
  }

  private ResultArrays put(String name, Object array) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(array, "array for " + name);
    if (device != null) {
      throw new IllegalStateException(
          "the array given for " + name + " is not on " + device.description().spec());
    }
    arrays.forEach(
        (other, known) -> {
          if (known == array && !other.equals(name)) {
            throw new IllegalArgumentException(
                "the array given for " + name + " is that for " + other + ": give another one");
          }
        });
    arrays.put(name, array);
    given.add(name);
    return this;
  }

  /**
   * The array of that name, on the device, as the last call has left it.
   *
   * @param name as the algorithm calls it, such as {@code labels}
   * @return the array; the next call that needs a longer one closes it
   * @throws IllegalArgumentException if no call has made an array of ints of that name there
   */
  @SuppressWarnings("unchecked") // of ints by name
  public DeviceArray<int[]> deviceInts(String name) {
    return (DeviceArray<int[]>) made(name, int[].class);
  }

  /**
   * The array of that name, on the device, as the last call has left it.
   *
   * @param name as the algorithm calls it, such as {@code coordinates}
   * @return the array; the next call that needs a longer one closes it
   * @throws IllegalArgumentException if no call has made an array of doubles of that name there
   */
  @SuppressWarnings("unchecked") // of doubles by name
  public DeviceArray<double[]> deviceDoubles(String name) {
    return (DeviceArray<double[]>) made(name, double[].class);
  }

  private DeviceArray<?> made(String name, Class<?> type) {
    if (arrays.get(name) instanceof OnDevice found && found.type == type) {
      return found.array;
    }
    throw new IllegalArgumentException(
        "no call has left " + type.getSimpleName() + " " + name + " on a device here");
  }

  /** An array there, and the type of Java arrays that goes with it. */
  private record OnDevice(DeviceArray<?> array, Class<?> type) {}

  /**
   * For algorithms, before any work: checks the names that were given.
   *
   * @param names of all arrays that the algorithm can fill
   * @throws IllegalArgumentException if an array of another name was given
   */
  public void requireNames(String... names) {
    Set<String> unknown = new TreeSet<>(given);
    Arrays.asList(names).forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "arrays were given for "
              + String.join(", ", unknown)
              + ", but the results are "
              + String.join(", ", names));
    }
  }

  /**
   * For algorithms, before any work: checks that a result does not overwrite the input.
   *
   * @param inputs arrays of the input; null for those that it lacks
   * @throws IllegalArgumentException if one of these is among them
   */
  public void requireNoneOf(Object... inputs) {
    arrays.forEach(
        (name, array) -> {
          for (Object input : inputs) {
            if (input == array) {
              throw new IllegalArgumentException(
                  "the array for " + name + " is one of the input's: give another one");
            }
          }
        });
  }

  /**
   * For algorithms, right before they write to an array: what earlier calls left there no longer
   * holds.
   *
   * @param name as the algorithm calls it, such as {@code labels}
   * @return how often that has been said, which {@link #writes} gives until the next time
   */
  public long beginWrite(String name) {
    return writes.merge(name, 1L, Long::sum);
  }

  /**
   * How often calls have written to an array of that name, or replaced one on the device.
   *
   * @param name as the algorithm calls it, such as {@code labels}
   */
  public long writes(String name) {
    return writes.getOrDefault(name, 0L);
  }

  /**
   * For algorithms: whether results stay on the device.
   *
   * @param of the call's device
   * @throws IllegalArgumentException if they are to stay on another one
   */
  public boolean stayOn(Device of) {
    if (device != null && device != of) {
      throw new IllegalArgumentException(
          "the arrays for results are on "
              + device.description().spec()
              + ", and the call runs on "
              + of.description().spec());
    }
    return device != null;
  }

  /**
   * For algorithms: the array of that name.
   *
   * @param length its length
   * @return the one that was given or kept; if the one that was kept has another length, a new one
   * @throws IllegalArgumentException if the one that was given has another length or type, or
   *     results are to stay on a device
   */
  public int[] ints(String name, int length) {
    return array(name, int[].class, length, length, length);
  }

  /**
   * For algorithms: an array of that name.
   *
   * @param least elements that it has at least
   * @return the one that was given or kept; if the one that was kept is shorter, a new one
   * @throws IllegalArgumentException if the one that was given is shorter, or of another type, or
   *     results are to stay on a device
   */
  public int[] intsFrom(String name, int least) {
    return array(name, int[].class, least, Integer.MAX_VALUE, spare(least));
  }

  /**
   * For algorithms: an array of that name.
   *
   * @param least elements that it has at least
   * @return the one that was given or kept; if the one that was kept is shorter, a new one
   * @throws IllegalArgumentException if the one that was given is shorter, or of another type, or
   *     results are to stay on a device
   */
  public double[] doublesFrom(String name, int least) {
    return array(name, double[].class, least, Integer.MAX_VALUE, spare(least));
  }

  /**
   * For algorithms, if results {@linkplain #stayOn stay there}: the array of that name on the
   * device.
   *
   * @param length its length
   * @throws io.magpie.stm.DeviceOutOfMemoryException if there is no room for a new one
   */
  public DeviceArray<int[]> deviceInts(String name, long length) {
    onDevice(name, int[].class, length, length, length, device::ints);
    return deviceInts(name);
  }

  /**
   * For algorithms, if results {@linkplain #stayOn stay there}: an array of that name on the
   * device.
   *
   * @param least elements that it has at least
   * @throws io.magpie.stm.DeviceOutOfMemoryException if there is no room for a new one
   */
  public DeviceArray<int[]> deviceIntsFrom(String name, long least) {
    onDevice(name, int[].class, least, Long.MAX_VALUE, least + least / SPARE, device::ints);
    return deviceInts(name);
  }

  /**
   * For algorithms, if results {@linkplain #stayOn stay there}: an array of that name on the
   * device.
   *
   * @param least elements that it has at least
   * @throws io.magpie.stm.DeviceOutOfMemoryException if there is no room for a new one
   */
  public DeviceArray<double[]> deviceDoublesFrom(String name, long least) {
    onDevice(name, double[].class, least, Long.MAX_VALUE, least + least / SPARE, device::doubles);
    return deviceDoubles(name);
  }

  private void onDevice(
      String name,
      Class<?> type,
      long least,
      long most,
      long made,
      LongFunction<DeviceArray<?>> make) {
    if (arrays.get(name) instanceof OnDevice known) {
      if (known.type == type && known.array.length() >= least && known.array.length() <= most) {
        return;
      }
      arrays.remove(name); // first: there may be room for only one of them
      beginWrite(name);
      known.array.close();
    }
    arrays.put(name, new OnDevice(make.apply(made), type));
  }

  private static int spare(int least) {
    return (int) Math.min(Integer.MAX_VALUE - 8, (long) least + least / SPARE);
  }

  private <A> A array(String name, Class<A> type, int least, int most, int made) {
    if (device != null) {
      throw new IllegalArgumentException(
          "the result " + name + " cannot stay on " + device.description().spec());
    }
    Object found = arrays.get(name);
    boolean suits =
        type.isInstance(found) && Array.getLength(found) >= least && Array.getLength(found) <= most;
    if (!suits && given.contains(name)) {
      throw new IllegalArgumentException(
          "the array given for "
              + name
              + " is "
              + found.getClass().getComponentType()
              + "["
              + Array.getLength(found)
              + "]: expected "
              + type.getComponentType()
              + "["
              + least
              + "]"
              + (most > least ? " or longer" : ""));
    }
    if (!suits) {
      arrays.remove(name); // first: Java may have room for only one of them
      found = Array.newInstance(type.getComponentType(), made);
      arrays.put(name, found);
    }
    return type.cast(found);
  }

  /**
   * Frees the arrays on the device, which later calls would make anew. Closing twice is harmless.
   */
  @Override
  public void close() {
    for (Object each : arrays.values()) {
      if (each instanceof OnDevice there) {
        there.array.close();
      }
    }
    arrays.values().removeIf(each -> each instanceof OnDevice);
  }
}
