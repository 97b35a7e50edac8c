package io.magpie.algorithms.internal.driver;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.StmObjects;

/** Allocates what a run has on its device, and knows how much that is at most. Thread-safe. */
public class DeviceMemory {
  private static final int OBJECT_BYTES = 4;

  private final Device device;
  private long held;
  private long primitives;
  private long most;

  public DeviceMemory(Device device) {
    this.device = device;
  }

  /** Where it allocates. */
  public Device device() {
    return device;
  }

  /** Bytes that are free on the device. */
  public long freeBytes() {
    return device.freeBytes();
  }

  /** A new array of zeros. */
  public DeviceArray<byte[]> bytes(long length) {
    return held(device.bytes(length));
  }

  /** A new array of zeros. */
  public DeviceArray<int[]> ints(long length) {
    return held(device.ints(length));
  }

  /** A new array of zeros. */
  public DeviceArray<long[]> longs(long length) {
    return held(device.longs(length));
  }

  /** A new array of zeros. */
  public DeviceArray<double[]> doubles(long length) {
    return held(device.doubles(length));
  }

  /** A copy of a Java array. */
  public DeviceArray<int[]> copyOf(int... values) {
    return held(device.copyOf(values));
  }

  /** A copy of a Java array. */
  public DeviceArray<long[]> copyOf(long... values) {
    return held(device.copyOf(values));
  }

  /** A copy of a Java array. */
  public DeviceArray<float[]> copyOf(float... values) {
    return held(device.copyOf(values));
  }

  /** A copy of a Java array. */
  public DeviceArray<double[]> copyOf(double... values) {
    return held(device.copyOf(values));
  }

  /** New objects. */
  public StmObjects objects(long count) {
    StmObjects objects = device.objects(count);
    add(count * OBJECT_BYTES);
    return objects;
  }

  private <A> DeviceArray<A> held(DeviceArray<A> array) {
    add(array.bytes());
    return array;
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
