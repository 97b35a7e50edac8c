package io.magpie.algorithms.internal.driver;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.StmObjects;
import java.util.function.Supplier;

/**
 * Allocates what a run has on its device, knows how much that is at most, and may hold no more than
 * the run is allowed. Thread-safe.
 */
public class DeviceMemory {
  private static final int OBJECT_BYTES = 4;

  private final Device device;
  private final long allowed;
  private long held;
  private long primitives;
  private long most;

  /** Of which a run may hold as much as there is. */
  public DeviceMemory(Device device) {
    this(device, Long.MAX_VALUE);
  }

  /**
   * Of which a run may hold so much.
   *
   * @param allowed bytes
   */
  public DeviceMemory(Device device, long allowed) {
    this.device = device;
    this.allowed = allowed;
  }

  /** Where it allocates. */
  public Device device() {
    return device;
  }

  /** Bytes that are free on the device. */
  public long freeBytes() {
    return device.freeBytes();
  }

  /** Bytes that the run may hold in addition to what it has, whether they are free or not. */
  public synchronized long allowedBytes() {
    return Math.max(0, allowed - held - primitives);
  }

  /** Bytes that primitives have for the run. */
  public synchronized long primitiveBytes() {
    return primitives;
  }

  /** A new array of zeros. */
  public DeviceArray<byte[]> bytes(long length) {
    return held("byte", length, Byte.BYTES, () -> device.bytes(length));
  }

  /** A new array of zeros. */
  public DeviceArray<int[]> ints(long length) {
    return held("int", length, Integer.BYTES, () -> device.ints(length));
  }

  /** A new array of zeros. */
  public DeviceArray<long[]> longs(long length) {
    return held("long", length, Long.BYTES, () -> device.longs(length));
  }

  /** A new array of zeros. */
  public DeviceArray<double[]> doubles(long length) {
    return held("double", length, Double.BYTES, () -> device.doubles(length));
  }

  /** A copy of a Java array. */
  public DeviceArray<int[]> copyOf(int... values) {
    return held("int", values.length, Integer.BYTES, () -> device.copyOf(values));
  }

  /** A copy of a Java array. */
  public DeviceArray<long[]> copyOf(long... values) {
    return held("long", values.length, Long.BYTES, () -> device.copyOf(values));
  }

  /** A copy of a Java array. */
  public DeviceArray<float[]> copyOf(float... values) {
    return held("float", values.length, Float.BYTES, () -> device.copyOf(values));
  }

  /** A copy of a Java array. */
  public DeviceArray<double[]> copyOf(double... values) {
    return held("double", values.length, Double.BYTES, () -> device.copyOf(values));
  }

  /** New objects. */
  public StmObjects objects(long count) {
    return held(count + " objects", count * OBJECT_BYTES, () -> device.objects(count));
  }

  private <A> DeviceArray<A> held(
      String type, long length, int elementBytes, Supplier<DeviceArray<A>> allocate) {
    return held(type + " array of " + length + " elements", length * elementBytes, allocate);
  }

  private <T> T held(String what, long bytes, Supplier<T> allocate) {
    claim(what, bytes);
    try {
      return allocate.get();
    } catch (RuntimeException | Error e) {
      add(-bytes);
      throw e;
    }
  }

  private synchronized void claim(String what, long bytes) {
    long left = allowedBytes();
    if (bytes > left) {
      throw new DeviceOutOfMemoryException(
          what + " within the " + allowed + " bytes that the run may hold",
          device.description().spec(),
          bytes,
          left);
    }
    add(bytes);
  }

  private synchronized void add(long bytes) {
    held += bytes;
    most = Math.max(most, held + primitives);
  }

  /** Notes that primitives need so many bytes for the run. */
  public synchronized void primitivesNeed(long bytes) {
    primitives = bytes;
    most = Math.max(most, held + primitives);
  }

  /** Frees an array that was allocated here; null is ignored. */
  public void free(DeviceArray<?> array) {
    if (array != null) {
      add(-array.bytes());
      array.close();
    }
  }

  /** Frees objects that were allocated here; null is ignored. */
  public void free(StmObjects objects) {
    if (objects != null) {
      add(-objects.count() * OBJECT_BYTES);
      objects.close();
    }
  }

  /** Bytes that are held now, without those of primitives. */
  public synchronized long held() {
    return held;
  }

  /** The most bytes that were held at a time, with those of primitives. */
  public synchronized long most() {
    return most;
  }
}
