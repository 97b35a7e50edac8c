package io.magpie.algorithms.internal.driver;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
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
  private final String name; // there
  private long writes; // to it, this result's included
  private boolean begun; // to write it
  private A copy; // of what is on the device

  private ResultArray(
      int length,
      UpcomingArray<A> inJava,
      DeviceArray<A> onDevice,
      ResultArrays arrays,
      String name) {
    this.length = length;
    this.inJava = inJava;
    this.onDevice = onDevice;
    this.arrays = arrays;
    this.name = name;
    this.writes = arrays == null ? 0 : arrays.writes(name);
  }

  /** A new array in Java's memory. */
  private ResultArray(UpcomingArray<A> inJava) {
    this(inJava.length(), inJava, null, null, null);
  }

  /** An array that is filled already. */
  public static ResultArray<int[]> of(int[] array) {
    return new ResultArray<>(UpcomingArray.of(array, array.length));
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
      return new ResultArray<>(UpcomingArray.ints(length));
    }
    return arrays.stayOn(device)
        ? new ResultArray<>(length, null, arrays.deviceInts(name, length), arrays, name)
        : inJava(arrays, name, arrays.ints(name, length), length);
  }

  /** The same where arrays may be longer. */
  public static ResultArray<int[]> intsFrom(
      ResultArrays arrays, String name, Device device, int length) {
    if (arrays == null) {
      return new ResultArray<>(UpcomingArray.ints(length));
    }
    return arrays.stayOn(device)
        ? new ResultArray<>(length, null, arrays.deviceIntsFrom(name, length), arrays, name)
        : inJava(arrays, name, arrays.intsFrom(name, length), length);
  }

  /** The same where arrays may be longer. */
  public static ResultArray<double[]> doublesFrom(
      ResultArrays arrays, String name, Device device, int length) {
    if (arrays == null) {
      return new ResultArray<>(UpcomingArray.doubles(length));
    }
    return arrays.stayOn(device)
        ? new ResultArray<>(length, null, arrays.deviceDoublesFrom(name, length), arrays, name)
        : inJava(arrays, name, arrays.doublesFrom(name, length), length);
  }

  private static <A> ResultArray<A> inJava(ResultArrays arrays, String name, A array, int length) {
    return new ResultArray<>(length, UpcomingArray.of(array, length), null, arrays, name);
  }

  /**
   * Checks, before any work, that arrays suit a call for a graph.
   *
   * @param arrays null for new ones
   * @param name of the only array that the call fills
   * @throws IllegalArgumentException if an array of another name was given, or one of the graph's
   */
  public static void check(ResultArrays arrays, Graph graph, String name) {
    if (arrays != null) {
      arrays.requireNames(name);
      int[] weights = graph.weightType() == WeightType.INT ? graph.weights() : null;
      arrays.requireNoneOf(graph.offsets(), graph.neighbors(), weights, graph.vertexWeights());
    }
  }

  /** Whether {@link #get} gives the same array as other results do: kept or given ones. */
  public boolean isShared() {
    return arrays != null && onDevice == null;
  }

  /** Whether it stays on the device. */
  public boolean isThere() {
    return onDevice != null;
  }

  /** Whether no later call has written to the array. */
  public boolean isCurrent() {
    return arrays == null || arrays.writes(name) == writes;
  }

  /**
   * The array on the device, of just its length; a view that is the caller's to close.
   *
   * @throws IllegalStateException if it is in Java's memory, or a later call has written to it, or
   *     it is closed
   */
  public DeviceArray<A> there() {
    if (onDevice == null) {
      throw new IllegalStateException(
          "this result is in Java's memory: take ResultArrays.onDevice for one that stays on the"
              + " device");
    }
    requireCurrent();
    return onDevice.slice(0, length);
  }

  private void requireCurrent() {
    if (!isCurrent()) {
      throw new IllegalStateException(
          "a later call has written to the arrays of this result: take it to Java's memory before,"
              + " or give that call other arrays");
    }
  }

  /** Tells of the write; several parts of one result are one. */
  private void beginWrite() {
    if (arrays != null && !begun) {
      begun = true;
      writes = arrays.beginWrite(name);
    }
  }

  /**
   * Where kernels write what {@link #copyFrom} is then called with; the caller closes it.
   *
   * @param temporary makes an array of this length
   */
  public DeviceArray<A> target(Supplier<DeviceArray<A>> temporary) {
    return onDevice == null ? temporary.get() : targetThere();
  }

  /**
   * Where kernels write it if it {@linkplain #isThere stays there}; the caller closes the view.
   * Whatever the array of the call's arguments is named, the view goes to any field.
   */
  public DeviceArray<A> targetThere() {
    beginWrite();
    return onDevice.slice(0, length).named("result: " + name);
  }

  /** Fills it from an array on the device, of this length. */
  public void copyFrom(DeviceArray<A> result) {
    beginWrite();
    if (onDevice == null) {
      result.copyTo(inJava.get(), 0, 0, length);
    } else {
      onDevice.slice(0, length).copyFrom(result);
    }
  }

  /** Fills it from an array in Java's memory, whose first elements it is. */
  public void copyFrom(A result) {
    beginWrite();
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
      requireCurrent();
      copy = onDevice.slice(0, length).toArray();
    }
    return copy;
  }
}
