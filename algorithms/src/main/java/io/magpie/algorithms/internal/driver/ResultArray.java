package io.magpie.algorithms.internal.driver;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.internal.UpcomingArray;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.util.function.Supplier;

/**
 * An array of a result: in Java's memory, or on the device until it is asked for.
 *
 * @param <A> its type, such as {@code int[]}
 */
public final class ResultArray<A> {
  private final int length;
  private final UpcomingArray<A> inJava; // null if it stays on the device
  private final DeviceArray<A> onDevice; // null if not
  private final ResultArrays arrays; // null if the array is a new one
  private final long call;
  private A copy; // of what is on the device

  private ResultArray(
      int length, UpcomingArray<A> inJava, DeviceArray<A> onDevice, ResultArrays arrays) {
    this.length = length;
    this.inJava = inJava;
    this.onDevice = onDevice;
    this.arrays = arrays;
    this.call = arrays == null ? 0 : arrays.calls();
  }

  /** An array that is filled already. */
  public static ResultArray<int[]> of(int[] array) {
    return new ResultArray<>(array.length, UpcomingArray.of(array, array.length), null, null);
  }

  /**
   * Chooses an array of a length, or begins to make a new one.
   *
   * @param arrays that the call was given, and has begun with; null for a new array
   * @throws IllegalArgumentException if they are on another device, or an array was given that does
   *     not suit
   */
  public static ResultArray<int[]> ints(
      ResultArrays arrays, String name, Device device, int length) {
    if (arrays == null) {
      return new ResultArray<>(length, UpcomingArray.ints(length), null, null);
    }
    return arrays.stayOn(device)
        ? new ResultArray<>(length, null, arrays.deviceInts(name, length), arrays)
        : inJava(arrays, arrays.ints(name, length), length);
  }

  /** The same where arrays may be longer. */
  public static ResultArray<int[]> intsFrom(
      ResultArrays arrays, String name, Device device, int length) {
    if (arrays == null) {
      return new ResultArray<>(length, UpcomingArray.ints(length), null, null);
    }
    return arrays.stayOn(device)
        ? new ResultArray<>(length, null, arrays.deviceIntsFrom(name, length), arrays)
        : inJava(arrays, arrays.intsFrom(name, length), length);
  }

  /** The same where arrays may be longer. */
  public static ResultArray<double[]> doublesFrom(
      ResultArrays arrays, String name, Device device, int length) {
    if (arrays == null) {
      return new ResultArray<>(length, UpcomingArray.doubles(length), null, null);
    }
    return arrays.stayOn(device)
        ? new ResultArray<>(length, null, arrays.deviceDoublesFrom(name, length), arrays)
        : inJava(arrays, arrays.doublesFrom(name, length), length);
  }

  private static <A> ResultArray<A> inJava(ResultArrays arrays, A array, int length) {
    return new ResultArray<>(length, UpcomingArray.of(array, length), null, arrays);
  }

  /** Whether {@link #get} gives the same array as other results do: kept or given ones. */
  public boolean isShared() {
    return arrays != null && onDevice == null;
  }

  /**
   * Where kernels write what {@link #copyFrom} is then called with; the caller closes it.
   *
   * @param temporary makes an array of this length
   */
  public DeviceArray<A> target(Supplier<DeviceArray<A>> temporary) {
    return onDevice == null ? temporary.get() : onDevice.slice(0, length);
  }

  /** Fills it from an array on the device, of this length. */
  public void copyFrom(DeviceArray<A> result) {
    if (onDevice == null) {
      result.copyTo(inJava.get(), 0, 0, length);
    } else {
      onDevice.slice(0, length).copyFrom(result);
    }
  }

  /** Fills it from an array in Java's memory, whose first elements it is. */
  public void copyFrom(A result) {
    if (onDevice == null) {
      System.arraycopy(result, 0, inJava.get(), 0, length);
    } else {
      onDevice.copyFrom(result, 0, 0, length);
    }
  }

  /** Takes over what kernels wrote to {@link #target}. */
  public void take(DeviceArray<A> target) {
    if (onDevice == null) {
      copyFrom(target);
    }
  }

  /**
   * The array in Java's memory, always the same one. One that stays on the device is copied by the
   * first call, to a new array of just its length.
   *
   * @throws IllegalStateException if it is to be copied, and a later call has written to the array
   *     there, or that is closed
   */
  public synchronized A get() {
    if (onDevice == null) {
      return inJava.get();
    }
    if (copy == null) {
      if (arrays.calls() != call) {
        throw new IllegalStateException(
            "a later call has written to the arrays of this result: take it to Java's memory before,"
                + " or give that call other arrays");
      }
      copy = onDevice.slice(0, length).toArray();
    }
    return copy;
  }
}
