package io.magpie.algorithms.internal.driver;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.internal.UpcomingArray;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.util.Optional;

/**
 * A result with an int for each vertex, in Java's memory, or on the device until it is asked for.
 */
public final class VertexArray {
  private final UpcomingArray<int[]> inJava; // null if it stays on the device
  private final DeviceArray<int[]> onDevice; // null if not
  private final ResultArrays arrays; // null if the array is a new one
  private final long call;
  private int[] copy; // of what is on the device

  private VertexArray(
      UpcomingArray<int[]> inJava, DeviceArray<int[]> onDevice, ResultArrays arrays) {
    this.inJava = inJava;
    this.onDevice = onDevice;
    this.arrays = arrays;
    this.call = arrays == null ? 0 : arrays.calls();
  }

  /** An array that is filled already. */
  public static VertexArray of(int[] array) {
    return new VertexArray(UpcomingArray.of(array, array.length), null, null);
  }

  /**
   * Chooses an array, or begins to make a new one.
   *
   * @param arrays that the call was given, and of which this is the only one that it fills; null
   *     for a new one
   * @throws IllegalArgumentException if an array was given that does not suit
   */
  public static VertexArray of(ResultArrays arrays, String name, Device device, int vertices) {
    if (arrays == null) {
      return new VertexArray(UpcomingArray.ints(vertices), null, null);
    }
    arrays.begin(name);
    Optional<DeviceArray<int[]>> stays = arrays.onDevice(name, device, vertices);
    return stays.isPresent()
        ? new VertexArray(null, stays.get(), arrays)
        : new VertexArray(UpcomingArray.of(arrays.ints(name, vertices), vertices), null, arrays);
  }

  /** Whether it stays on the device. */
  public boolean isOnDevice() {
    return onDevice != null;
  }

  /** Fills it from an array on the device. */
  public void copyFrom(DeviceArray<int[]> result) {
    if (isOnDevice()) {
      onDevice.copyFrom(result);
    } else {
      result.copyTo(inJava.get());
    }
  }

  /** Fills it from another array, unless it is that one. */
  public void copyFrom(int[] result) {
    if (isOnDevice()) {
      onDevice.copyFrom(result);
    } else if (result != inJava.get()) {
      System.arraycopy(result, 0, inJava.get(), 0, result.length);
    }
  }

  /**
   * The array in Java's memory, always the same one. One that stays on the device is copied by the
   * first call.
   *
   * @throws IllegalStateException if it is to be copied, and a later call has written to the array
   *     there, or that is closed
   */
  public synchronized int[] get() {
    if (!isOnDevice()) {
      return inJava.get();
    }
    if (copy == null) {
      if (arrays.calls() != call) {
        throw new IllegalStateException(
            "a later call has written to the array on the device: take this result to Java before,"
                + " or give that call another array");
      }
      copy = onDevice.toArray();
    }
    return copy;
  }
}
