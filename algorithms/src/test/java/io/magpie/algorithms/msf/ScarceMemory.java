package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.StmObjects;

/** Memory of which there is as much as a test says, beside what primitives need. */
final class ScarceMemory extends DeviceMemory {
  private static final int OBJECT_BYTES = 4;

  private long limit;
  private long mostHeld;

  /** Memory of so many bytes. */
  ScarceMemory(Device device, long limit) {
    super(device);
    this.limit = limit;
  }

  /** Leaves so many bytes free. */
  void leave(long bytes) {
    limit = held() + bytes;
  }

  /** The most bytes that were held at a time. */
  long mostHeld() {
    return mostHeld;
  }

  @Override
  public long freeBytes() {
    return limit - held();
  }

  @Override
  public DeviceArray<int[]> ints(long length) {
    require(Integer.BYTES * length);
    return super.ints(length);
  }

  @Override
  public DeviceArray<long[]> longs(long length) {
    require(Long.BYTES * length);
    return super.longs(length);
  }

  @Override
  public StmObjects objects(long count) {
    require(OBJECT_BYTES * count);
    return super.objects(count);
  }

  private void require(long bytes) {
    if (bytes > freeBytes()) {
      throw new DeviceOutOfMemoryException(
          "a test's memory", device().description().spec(), bytes, freeBytes());
    }
    mostHeld = Math.max(mostHeld, held() + bytes);
  }
}
