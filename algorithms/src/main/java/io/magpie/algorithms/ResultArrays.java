package io.magpie.algorithms;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Arrays for results: Java arrays that are kept from call to call or given by the caller, or the
 * caller's on the device. A call without them makes new Java arrays, which Java zeroes first and
 * collects later.
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
 * replaced: if its length is wrong, the call fails.
 *
 * <p>Not for use by several calls at once.
 */
public final class ResultArrays {
  private static final int SPARE = 8;

  private final Map<String, Object> arrays = new HashMap<>();
  private final Set<String> given = new HashSet<>();
  private long calls;

  /** Without arrays: a call makes those that it needs. */
  public ResultArrays() {}

  /**
   * Has a result of that name written to an array of the caller's.
   *
   * @param name as the algorithm calls it, such as {@code labels}
   * @param array where it goes; not copied
   * @return this
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
   */
  public ResultArrays give(String name, double[] array) {
    return put(name, array);
  }

  /**
   * Has a result of that name stay on the device: it is written to an array of the caller's there,
   * for kernels and primitives to go on with, and copied to Java's memory only when the result is
   * asked for it.
   *
   * @param name as the algorithm calls it, such as {@code labels}
   * @param array where it goes, on the device of the call
   * @return this
   */
  public ResultArrays giveOnDevice(String name, DeviceArray<int[]> array) {
    return put(name, array);
  }

  private ResultArrays put(String name, Object array) {
    arrays.put(
        Objects.requireNonNull(name, "name"), Objects.requireNonNull(array, "array for " + name));
    given.add(name);
    return this;
  }

  /**
   * For algorithms, before any work: begins a call, after which earlier results no longer hold.
   *
   * @param names of all arrays that the algorithm can fill
   * @return the number of this call, which {@link #calls()} gives until the next one
   * @throws IllegalArgumentException if an array of another name was given
   */
  public long begin(String... names) {
    Set<String> unknown = new TreeSet<>(given);
    Arrays.asList(names).forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "arrays were given for "
              + String.join(", ", unknown)
              + ", but the results are "
              + String.join(", ", names));
    }
    return ++calls;
  }

  /** How many calls have had these arrays. */
  public long calls() {
    return calls;
  }

  /**
   * For algorithms: the array of that name.
   *
   * @param length its length
   * @return the one that was given or kept; if the one that was kept has another length, a new one
   * @throws IllegalArgumentException if the one that was given has another length or type
   */
  public int[] ints(String name, int length) {
    return array(name, int[].class, length, length, length);
  }

  /**
   * For algorithms: an array of that name.
   *
   * @param least elements that it has at least
   * @return the one that was given or kept; if the one that was kept is shorter, a new one
   * @throws IllegalArgumentException if the one that was given is shorter, or of another type
   */
  public int[] intsFrom(String name, int least) {
    return array(name, int[].class, least, Integer.MAX_VALUE, spare(least));
  }

  /**
   * For algorithms: an array of that name.
   *
   * @param least elements that it has at least
   * @return the one that was given or kept; if the one that was kept is shorter, a new one
   * @throws IllegalArgumentException if the one that was given is shorter, or of another type
   */
  public double[] doublesFrom(String name, int least) {
    return array(name, double[].class, least, Integer.MAX_VALUE, spare(least));
  }

  /**
   * For algorithms whose results can stay there: the array on a device that was given for that
   * name.
   *
   * @param device where it has to be
   * @param length its length
   * @return nothing if none was given, or one in Java's memory
   * @throws IllegalArgumentException if it is on another device, or has another length
   */
  @SuppressWarnings("unchecked") // giveOnDevice takes no others
  public Optional<DeviceArray<int[]>> onDevice(String name, Device device, long length) {
    if (!(arrays.get(name) instanceof DeviceArray<?> found)) {
      return Optional.empty();
    }
    if (found.device() != device || found.length() != length) {
      throw unsuitable(
          name, "an array of " + length + " elements on " + device.description().spec());
    }
    return Optional.of((DeviceArray<int[]>) found);
  }

  private IllegalArgumentException unsuitable(String name, String expected) {
    Object found = arrays.get(name);
    String is =
        found instanceof DeviceArray<?>
            ? found.toString()
            : found.getClass().getComponentType() + "[" + Array.getLength(found) + "]";
    return new IllegalArgumentException(
        "the array given for " + name + " is " + is + ": expected " + expected);
  }

  private static int spare(int least) {
    return (int) Math.min(Integer.MAX_VALUE - 8, (long) least + least / SPARE);
  }

  private <A> A array(String name, Class<A> type, int least, int most, int made) {
    Object found = arrays.get(name);
    boolean suits =
        type.isInstance(found) && Array.getLength(found) >= least && Array.getLength(found) <= most;
    if (!suits && given.contains(name)) {
      throw unsuitable(
          name, type.getComponentType() + "[" + least + "]" + (most > least ? " or longer" : ""));
    }
    if (!suits) {
      arrays.remove(name); // first: Java may have room for only one of them
      found = Array.newInstance(type.getComponentType(), made);
      arrays.put(name, found);
    }
    return type.cast(found);
  }
}
