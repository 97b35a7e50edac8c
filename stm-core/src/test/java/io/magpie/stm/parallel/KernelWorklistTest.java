package io.magpie.stm.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Devices;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Worklists of kernels from Java; what kernels do with them, KernelWorklistProperties has. */
class KernelWorklistTest {
  static java.util.stream.Stream<String> devices() {
    return Devices.all();
  }

  @ParameterizedTest
  @MethodSource("devices")
  void contentsGoInAndOut(String spec) {
    try (Device device = Device.open(spec);
        KernelWorklist list = new KernelWorklist(device, 2);
        KernelWorklist other = new KernelWorklist(device, 0);
        DeviceArray<int[]> array = device.copyOf(1, 2, 3, 4, 5, 6)) {
      assertEquals(0, list.size());
      assertArrayEquals(new int[0], list.items());
      list.fill(7, -1, 7);
      assertArrayEquals(new int[] {7, -1, 7}, list.items());
      assertEquals(3, list.capacity());
      list.reserve(1);
      assertEquals(3, list.capacity());
      list.reserve(9);
      assertEquals(9, list.capacity());
      assertArrayEquals(new int[] {7, -1, 7}, list.items());
      assertEquals(3, list.copyTo(array, 2));
      assertArrayEquals(new int[] {1, 2, 7, -1, 7, 6}, array.toArray());
      other.fillFrom(array, 4);
      assertEquals(4, list.takeFrom(other));
      assertArrayEquals(new int[] {1, 2, 7, -1}, list.items());
      assertEquals(0, other.size());
      assertEquals(9, other.capacity());
      list.clear();
      assertEquals(0, list.size());
      assertEquals("worklist of 4 places on " + device.description().spec(), list.toString());
      assertThrows(IndexOutOfBoundsException.class, () -> other.fillFrom(array, 7));
      other.fill(1, 2);
      assertThrows(IndexOutOfBoundsException.class, () -> other.copyTo(array, 5));
    }
  }

  @Test
  void contentsSurviveALackOfMemory() {
    AtomicLong most = new AtomicLong(Long.MAX_VALUE);
    try (Device device = Devices.openScarce("cpu:1", bytes -> bytes <= most.get());
        KernelWorklist list = new KernelWorklist(device, 2);
        DeviceArray<int[]> three = device.copyOf(1, 2, 3)) {
      list.fill(7, 8);
      most.set(8);
      assertThrows(DeviceOutOfMemoryException.class, () -> list.reserve(3));
      assertThrows(DeviceOutOfMemoryException.class, () -> list.fill(1, 2, 3));
      assertThrows(DeviceOutOfMemoryException.class, () -> list.fillFrom(three, 3));
      assertArrayEquals(new int[] {7, 8}, list.items());
      most.set(12);
      list.fillFrom(three, 3);
      assertArrayEquals(new int[] {1, 2, 3}, list.items());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1L << 32})
  void capacitiesThatNoListHasAreRefused(long capacity) {
    try (Device device = Device.open("cpu:1")) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> new KernelWorklist(device, capacity));
      assertEquals(
          "the capacity of a worklist must be from 0 to 2^32 - 1, got " + capacity, e.getMessage());
    }
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() {
    try (Device device = Device.open("cpu:1");
        Device another = Device.open("cpu:1");
        KernelWorklist list = new KernelWorklist(device, 4);
        KernelWorklist elsewhere = new KernelWorklist(another, 4);
        DeviceArray<int[]> three = device.ints(3);
        DeviceArray<int[]> four = device.ints(4)) {
      assertThrows(IllegalArgumentException.class, () -> list.takeFrom(list));
      IllegalArgumentException apart =
          assertThrows(IllegalArgumentException.class, () -> list.takeFrom(elsewhere));
      assertEquals(
          "a list takes from another one of its device: " + list + " and " + elsewhere,
          apart.getMessage());
      Primitives primitives = Primitives.of(device);
      assertThrows(IllegalArgumentException.class, () -> primitives.pushMarked(three, four, list));
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> primitives.pushMarked(null, four, elsewhere));
      assertEquals("pushMarked: to is a list of another device: make it on cpu:1", e.getMessage());
    }
  }

  @Test
  void bothArraysAreFreedWhateverFails() {
    Devices.assertFreesAllAlthoughItFails(device -> new KernelWorklist(device, 4));
  }

  @Test
  void anOverflowNamesThePlacesThatAreNeeded() {
    assertEquals(
        "1,234 items were pushed to a worklist of 1,000 places, and 234 found none: call"
            + " reserve(1234) and clear() on it, and rewind() on the list that the kernel popped from,"
            + " and launch the kernel again",
        new KernelWorklist.OverflowException(1000, 1234).getMessage());
  }
}
