package io.magpie.verification.testing;

import io.magpie.stm.DeviceArray;
import io.magpie.stm.SlotPool;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A region's arrays at some moment, as copies by the names of its fields. Whoever has them may
 * change them.
 *
 * <p>Equal if all arrays are. An array of structs is one of 32-bit words, or of bytes where a
 * struct is not made of words.
 */
public final class RegionData {
  private static final int SHOWN = 32;

  /** A question that no data answer: the test's mistake, and not the region's. */
  static final class NoSuchData extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    NoSuchData(String message) {
      super(message);
    }
  }

  private final Map<String, Object> arrays = new TreeMap<>();
  private final Map<String, Long> live = new TreeMap<>();

  private RegionData() {}

  /** Copies what a device has. */
  static RegionData of(Map<String, Object> arguments) {
    RegionData data = new RegionData();
    arguments.forEach(
        (field, argument) -> {
          if (argument instanceof DeviceArray<?> array) {
            data.arrays.put(field, array.toArray());
          } else if (argument instanceof SlotPool pool) {
            data.live.put(field, pool.live());
          }
        });
    return data;
  }

  /** The same again. */
  RegionData copy() {
    RegionData copy = new RegionData();
    arrays.forEach((field, array) -> copy.arrays.put(field, copyOf(array)));
    copy.live.putAll(live);
    return copy;
  }

  private static Object copyOf(Object array) {
    if (array instanceof int[] ints) {
      return ints.clone();
    } else if (array instanceof long[] longs) {
      return longs.clone();
    } else if (array instanceof float[] floats) {
      return floats.clone();
    } else if (array instanceof double[] doubles) {
      return doubles.clone();
    } else if (array instanceof short[] shorts) {
      return shorts.clone();
    }
    return ((byte[]) array).clone();
  }

  /** An array of 32-bit numbers, signed or not; of a guarded array the data. */
  public int[] ints(String field) {
    return array(field, int[].class);
  }

  /** An array of 64-bit numbers, signed or not. */
  public long[] longs(String field) {
    return array(field, long[].class);
  }

  /** An array of {@code float}. */
  public float[] floats(String field) {
    return array(field, float[].class);
  }

  /** An array of {@code double}. */
  public double[] doubles(String field) {
    return array(field, double[].class);
  }

  private <A> A array(String field, Class<A> type) {
    Object array = arrays.getOrDefault(field, arrays.get(field + ".data"));
    if (array == null) {
      throw new NoSuchData(
          "there is no array '"
              + field
              + "'; the region has "
              + String.join(", ", arrays.keySet()));
    }
    if (!type.isInstance(array)) {
      throw new NoSuchData(
          field
              + " has "
              + array.getClass().getComponentType()
              + "s: use "
              + array.getClass().getComponentType()
              + "s(\""
              + field
              + "\")");
    }
    return type.cast(array);
  }

  /** How many slots of a pool are in use. */
  public long live(String pool) {
    Long slots = live.get(pool);
    if (slots == null) {
      throw new NoSuchData(
          "there is no pool '" + pool + "'; the region has " + String.join(", ", live.keySet()));
    }
    return slots;
  }

  /**
   * Refuses data in which another number of a pool's slots is in use.
   *
   * @param expected as many as the data refer to: if more are in use, some were leaked
   * @throws IllegalStateException if there are more or fewer
   */
  public void requireLive(String pool, long expected) {
    long slots = live(pool);
    if (slots != expected) {
      throw new IllegalStateException(
          String.format("pool '%s' has %d slots in use, and not %d", pool, slots, expected));
    }
  }

  /**
   * The elements of a chain of links, such as the nodes of a list: those that an array of 32-bit
   * links leads to, one from the other.
   *
   * @param links has for each element the next one's index
   * @param from where it begins; left out, as the head of a list is
   * @param end the index that stands for its end; left out
   * @return indices, in the chain's order
   * @throws IllegalStateException if it leaves the array or comes to an element again
   */
  public int[] chain(String links, int from, int end) {
    int[] next = ints(links);
    int[] found = new int[next.length];
    int count = 0;
    for (int at = link(links, next, from); at != end; at = link(links, next, at)) {
      if (count == next.length) {
        throw new IllegalStateException(links + " leads from " + from + " round in a cycle");
      }
      found[count++] = at;
    }
    return Arrays.copyOf(found, count);
  }

  private static int link(String links, int[] next, int at) {
    if (at < 0 || at >= next.length) {
      throw new IllegalStateException(
          String.format(
              "%s leads to %s, and has %d elements",
              links, Integer.toUnsignedString(at), next.length));
    }
    return next[at];
  }

  /** Where this differs from what it should be, in words; null if it does not. */
  String difference(RegionData expected) {
    for (Map.Entry<String, Object> each : arrays.entrySet()) {
      Object wanted = expected.arrays.get(each.getKey());
      for (int i = 0; i < Array.getLength(wanted); i++) {
        Object here = Array.get(each.getValue(), i);
        Object there = Array.get(wanted, i);
        if (!here.equals(there)) {
          return each.getKey() + "[" + i + "] is " + here + " and not " + there;
        }
      }
    }
    return null;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RegionData data
        && arrays.keySet().equals(data.arrays.keySet())
        && arrays.keySet().stream()
            .allMatch(field -> Objects.deepEquals(arrays.get(field), data.arrays.get(field)));
  }

  @Override
  public int hashCode() {
    return arrays.values().stream()
        .mapToInt(each -> text(each, Integer.MAX_VALUE).hashCode())
        .sum();
  }

  /** The arrays, long ones cut. */
  @Override
  public String toString() {
    return arrays.entrySet().stream()
        .map(each -> each.getKey() + " " + text(each.getValue(), SHOWN))
        .collect(Collectors.joining(", "));
  }

  private static String text(Object array, int most) {
    int length = Array.getLength(array);
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < Math.min(length, most); i++) {
      text.append(i == 0 ? "" : ", ").append(Array.get(array, i));
    }
    return text.append(length > most ? ", ...]" : "]").toString();
  }
}
