package io.magpie.stm;

import io.magpie.stm.internal.Closing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Arguments of runs that are Java arrays: copies of them on the device, by the names of fields,
 * which are read back by these and freed together.
 *
 * <pre>{@code
 * try (RunData data = new RunData(device)) {
 *   data.guarded("balance", balances).array("from", from).array("to", to);
 *   region.run(from.length, data.fields().set("amount", 5)).requireComplete();
 *   return data.ints("balance");
 * }
 * }</pre>
 *
 * <p>For data that stay on the device from run to run, or change their size, there are {@link
 * DeviceArray}, {@link StmObjects} and {@link SlotPool}, which {@link #fields()} takes as well. Not
 * thread-safe. If a copy finds no memory, what was copied before is freed by {@link #close}.
 */
public final class RunData implements AutoCloseable {
  private final Device device;
  private final Fields fields = new Fields();
  private final Map<String, DeviceArray<?>> arrays = new LinkedHashMap<>();
  private final List<Device.Owned> open = new ArrayList<>();

  /** Without arguments. */
  public RunData(Device device) {
    this.device = device;
  }

  /**
   * Copies an array for a field {@code array} or a pointer; that of a struct is named {@code
   * member.field}.
   */
  public RunData array(String field, byte[] values) {
    return array(field, device.copyOf(values));
  }

  /** Copies an array; see {@link #array(String, byte[])}. */
  public RunData array(String field, short[] values) {
    return array(field, device.copyOf(values));
  }

  /** Copies an array; see {@link #array(String, byte[])}. */
  public RunData array(String field, int[] values) {
    return array(field, device.copyOf(values));
  }

  /** Copies an array; see {@link #array(String, byte[])}. */
  public RunData array(String field, long[] values) {
    return array(field, device.copyOf(values));
  }

  /** Copies an array; see {@link #array(String, byte[])}. */
  public RunData array(String field, float[] values) {
    return array(field, device.copyOf(values));
  }

  /** Copies an array; see {@link #array(String, byte[])}. */
  public RunData array(String field, double[] values) {
    return array(field, device.copyOf(values));
  }

  private RunData array(String field, DeviceArray<?> array) {
    keep(field, array);
    fields.set(field, array);
    return this;
  }

  /**
   * Copies an array for a field {@code guarded} whose datum i belongs to object i, and makes as
   * many objects.
   */
  public RunData guarded(String field, int[] values) {
    return guarded(field, device.copyOf(values));
  }

  /** Copies an array, and makes objects; see {@link #guarded(String, int[])}. */
  public RunData guarded(String field, long[] values) {
    return guarded(field, device.copyOf(values));
  }

  /** Copies an array, and makes objects; see {@link #guarded(String, int[])}. */
  public RunData guarded(String field, float[] values) {
    return guarded(field, device.copyOf(values));
  }

  /** Copies an array, and makes objects; see {@link #guarded(String, int[])}. */
  public RunData guarded(String field, double[] values) {
    return guarded(field, device.copyOf(values));
  }

  private RunData guarded(String field, DeviceArray<?> array) {
    keep(field, array);
    StmObjects objects = device.objects(array.length());
    open.add(objects);
    fields.set(field, array, objects);
    return this;
  }

  private void keep(String field, DeviceArray<?> array) {
    open.add(array);
    if (arrays.putIfAbsent(field, array) != null) {
      throw new IllegalArgumentException("there is an array '" + field + "' already");
    }
  }

  /** All of these as arguments; others may be set besides them. */
  public Fields fields() {
    return fields;
  }

  /** What an array of bytes holds now; see {@link #ints}. */
  public byte[] bytes(String field) {
    return values(field, byte[].class);
  }

  /** What an array of 16-bit numbers holds now; see {@link #ints}. */
  public short[] shorts(String field) {
    return values(field, short[].class);
  }

  /**
   * What an array of 32-bit numbers holds now.
   *
   * @throws IllegalArgumentException if there is none of that name, or it holds others
   */
  public int[] ints(String field) {
    return values(field, int[].class);
  }

  /** What an array of 64-bit numbers holds now; see {@link #ints}. */
  public long[] longs(String field) {
    return values(field, long[].class);
  }

  /** What an array of {@code float} holds now; see {@link #ints}. */
  public float[] floats(String field) {
    return values(field, float[].class);
  }

  /** What an array of {@code double} holds now; see {@link #ints}. */
  public double[] doubles(String field) {
    return values(field, double[].class);
  }

  private <A> A values(String field, Class<A> type) {
    DeviceArray<?> array = arrays.get(field);
    if (array == null) {
      throw new IllegalArgumentException(
          "there is no array '"
              + field
              + "', "
              + (arrays.isEmpty() ? "nor any other" : "but " + String.join(", ", arrays.keySet())));
    }
    Object values = array.toArray();
    if (!type.isInstance(values)) {
      throw new IllegalArgumentException(
          "array '" + field + "' holds " + values.getClass().getComponentType());
    }
    return type.cast(values);
  }

  /** Frees all, whichever of them fails. */
  @Override
  public void close() {
    Closing.all(open);
  }
}
