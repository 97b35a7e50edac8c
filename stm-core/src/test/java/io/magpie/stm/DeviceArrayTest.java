package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceArrayTest {
  /** More than two staging buffers of 4 MiB for each of 8 threads, and no multiple of anything. */
  private static final int LARGE = 20_000_003;

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void newArraysAreZero(String spec) {
    try (Device device = Device.open(spec)) {
      for (int round = 0; round < 3; round++) {
        try (DeviceArray<int[]> ints = device.ints(1000);
            DeviceArray<double[]> doubles = device.doubles(3)) {
          assertArrayEquals(new int[1000], ints.toArray());
          assertArrayEquals(new double[3], doubles.toArray());
          ints.fill(-1);
          doubles.fill(1.5);
          assertEquals(-1, ints.getInt(999));
          assertEquals(1.5, doubles.getDouble(2));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void everyTypeComesBackAsItWent(String spec) {
    byte[] bytes = {0, -1, Byte.MIN_VALUE, Byte.MAX_VALUE, 3};
    short[] shorts = {0, -1, Short.MIN_VALUE, Short.MAX_VALUE, 1 << 10};
    int[] ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE};
    long[] longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40};
    float[] floats = {0f, -0f, Float.MIN_VALUE, Float.NaN, 3.5f};
    double[] doubles = {0, -0.0, Double.MAX_VALUE, Double.NEGATIVE_INFINITY};
    try (Device device = Device.open(spec);
        DeviceArray<byte[]> b = device.copyOf(bytes);
        DeviceArray<short[]> s = device.copyOf(shorts);
        DeviceArray<int[]> i = device.copyOf(ints);
        DeviceArray<long[]> l = device.copyOf(longs);
        DeviceArray<float[]> f = device.copyOf(floats);
        DeviceArray<double[]> d = device.copyOf(doubles)) {
      assertArrayEquals(bytes, b.toArray());
      assertArrayEquals(shorts, s.toArray());
      assertEquals(5, b.bytes());
      assertEquals(10, s.bytes());
      assertEquals(Byte.MIN_VALUE, b.getInt(2));
      assertEquals(Short.MIN_VALUE, s.getLong(2));
      b.set(1, 200);
      s.set(1, 0xfffe);
      assertArrayEquals(new byte[] {0, (byte) 200, -128, 127, 3}, b.toArray());
      assertArrayEquals(new short[] {0, -2, -32768, 32767, 1024}, s.toArray());
      assertThrows(IllegalStateException.class, () -> b.getDouble(0));
      assertArrayEquals(ints, i.toArray());
      assertArrayEquals(longs, l.toArray());
      assertArrayEquals(floats, f.toArray());
      assertArrayEquals(doubles, d.toArray());
      assertEquals(1L << 40, l.getLong(4));
      assertEquals(-1, i.getLong(1));
      assertEquals(3.5, f.getDouble(4));
      l.set(0, 77);
      d.set(3, 0.25);
      assertEquals(77, l.getLong(0));
      assertEquals(0.25, d.getDouble(3));
      assertThrows(IllegalStateException.class, () -> l.getInt(0));
      assertThrows(IllegalStateException.class, () -> d.getLong(0));
    }
  }

  /** As often as it takes HotSpot to compile the call with the conversion around it. */
  @Test
  void intsKeepTheirBitsWhenWidenedByCompiledCode() {
    try (Device device = Device.open("cpu:1");
        DeviceArray<int[]> ints = device.copyOf(new int[] {6241})) {
      for (int i = 0; i < 3_000_000; i++) {
        assertEquals(6241, unsigned(ints));
      }
    }
  }

  private static long unsigned(DeviceArray<int[]> ints) {
    return Integer.toUnsignedLong(ints.getInt(0));
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void largeArraysComeBackAsTheyWent(String spec) {
    int[] values = new Random(5).ints(LARGE).toArray();
    try (Device device = Device.open(spec);
        DeviceArray<int[]> array = device.copyOf(values);
        DeviceArray<int[]> other = device.ints(LARGE)) {
      assertArrayEquals(values, array.toArray());
      other.copyFrom(array);
      int[] part = new int[LARGE];
      other.copyTo(part, 7, 3, LARGE - 11);
      assertTrue(Arrays.equals(values, 3, LARGE - 8, part, 7, LARGE - 4));
      assertEquals(0, part[6] | part[LARGE - 4]);
      // Written while the copy of the first may still be under way.
      int[] changed = values.clone();
      array.copyFrom(changed);
      Arrays.fill(changed, 9);
      assertArrayEquals(values, array.toArray());
    }
  }

  /** Chunks of copies hold more of them, and begin and end anywhere. */
  /** Both ways, by way of the pinned memory of a GPU's staging in more than one round. */
  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void aMappedFileComesBackAsItWent(String spec, @TempDir Path folder) throws IOException {
    int length = spec.startsWith("cuda") ? LARGE - 3 : 300_000;
    int half = length / 2;
    try (Device device = Device.open(spec);
        DeviceArray<int[]> array = device.ints(length + 2);
        FileChannel from = mapped(folder.resolve("from"));
        FileChannel to = mapped(folder.resolve("to"))) {
      ByteBuffer source = map(from, 4L * length);
      for (int i = 0; i < length; i++) {
        source.putInt(4 * i, i * 123_457);
      }
      array.copyFrom(source.slice(0, 4 * half).order(source.order()), 1);
      array.copyFrom(source.position(4 * half), 1 + half);
      assertEquals(4 * half, source.position());
      assertEquals(0, array.getInt(0));
      assertEquals(0, array.getInt(length + 1));
      assertEquals(source.getInt(4 * 7), array.getInt(8));

      ByteBuffer target = map(to, 4L * length);
      array.copyTo(target.limit(4 * half), 1);
      array.copyTo(target.clear().position(4 * half), 1 + half);
      assertEquals(-1, source.position(0).mismatch(target.position(0)));
    }
  }

  private static FileChannel mapped(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static ByteBuffer map(FileChannel file, long bytes) throws IOException {
    return file.map(MapMode.READ_WRITE, 0, bytes).order(ByteOrder.nativeOrder());
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void aMappedFileThatWasCutIsAnError(String spec, @TempDir Path folder) throws IOException {
    int bytes = 1 << 20;
    int rounds = 600; // interpreted at first, and compiled in the end
    try (Device device = Device.open(spec);
        DeviceArray<int[]> array = device.ints(bytes / 4);
        FileChannel file = mapped(folder.resolve("cut"))) {
      ByteBuffer buffer = map(file, bytes);
      file.truncate(100);
      for (Executable copy :
          List.<Executable>of(() -> array.copyFrom(buffer, 0), () -> array.copyTo(buffer, 0))) {
        for (int i = 0; i < rounds; i++) {
          MagpieException e = assertThrows(MagpieException.class, copy);
          assertTrue(e.getMessage().contains("was made shorter"), e::getMessage);
        }
      }
      array.fill(3); // the device lives
      assertEquals(3, array.getInt(bytes / 4 - 1));
    }
  }

  @Test
  void buffersThatDoNotSuitAreRefused() {
    try (Device device = Device.open("cpu:1");
        DeviceArray<int[]> array = device.ints(10);
        DeviceArray<byte[]> bytes = device.bytes(3)) {
      ByteBuffer native4 = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
      ByteBuffer foreign = ByteBuffer.allocateDirect(4).order(foreignOrder());
      for (Executable copy :
          List.<Executable>of(() -> array.copyFrom(foreign, 0), () -> array.copyTo(foreign, 0))) {
        assertEquals(
            array
                + " needs a buffer in the machine's order, "
                + ByteOrder.nativeOrder()
                + ", got one in "
                + foreignOrder()
                + "; if its bytes are in the machine's order, say so by"
                + " order(ByteOrder.nativeOrder())",
            assertThrows(IllegalArgumentException.class, copy).getMessage());
      }
      ByteBuffer odd =
          ByteBuffer.allocateDirect(7).order(ByteOrder.nativeOrder()).position(1).limit(6);
      assertEquals(
          array + " needs a buffer of whole elements of 4 bytes, got " + odd,
          assertThrows(IllegalArgumentException.class, () -> array.copyFrom(odd, 0)).getMessage());
      ByteBuffer readOnly = native4.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> array.copyTo(readOnly, 0))
              .getMessage()
              .startsWith("copyTo needs a buffer that can be written, got a read-only one"));
      assertThrows(IndexOutOfBoundsException.class, () -> array.copyFrom(native4, 10));
      assertThrows(IndexOutOfBoundsException.class, () -> array.copyFrom(native4, -1));
      assertThrows(IndexOutOfBoundsException.class, () -> array.copyTo(native4, 10));
      array.copyFrom(native4.position(4), 10); // nothing
      assertThrows(IllegalStateException.class, () -> array.asConst().copyFrom(native4, 10));
      assertArrayEquals(new int[10], array.toArray());

      bytes.copyFrom(ByteBuffer.wrap(new byte[] {1, 2, 3}).order(foreignOrder()), 0);
      assertArrayEquals(new byte[] {1, 2, 3}, bytes.toArray());

      DeviceArray<int[]> gone = device.ints(1);
      gone.close();
      assertThrows(IllegalStateException.class, () -> gone.copyFrom(native4.clear(), 0));
      assertThrows(IllegalStateException.class, () -> gone.copyTo(native4.clear(), 0));
    }
  }

  private static ByteOrder foreignOrder() {
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
        ? ByteOrder.LITTLE_ENDIAN
        : ByteOrder.BIG_ENDIAN;
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void bytesAndShortsComeBackFromAnyPlace(String spec) {
    byte[] bytes = new byte[LARGE];
    new Random(6).nextBytes(bytes);
    short[] shorts = new short[LARGE];
    for (int i = 0; i < LARGE; i++) {
      shorts[i] = (short) (bytes[i] << 8 ^ bytes[LARGE - 1 - i]);
    }
    try (Device device = Device.open(spec);
        DeviceArray<byte[]> b = device.copyOf(bytes);
        DeviceArray<short[]> s = device.copyOf(shorts)) {
      assertArrayEquals(bytes, b.toArray());
      assertArrayEquals(shorts, s.toArray());
      byte[] part = new byte[LARGE];
      b.slice(5, LARGE - 6).copyTo(part, 1, 2, LARGE - 9);
      assertTrue(Arrays.equals(bytes, 7, LARGE - 2, part, 1, LARGE - 8));
      // Odd ends on the device itself, too.
      b.slice(1, 1001).copyFrom(b.slice(2002, 1001));
      s.slice(3, 7).copyFrom(shorts, 100, 0, 7);
      System.arraycopy(bytes, 2002, bytes, 1, 1001);
      System.arraycopy(shorts, 100, shorts, 3, 7);
      b.slice(3001, 5).fill(-7);
      s.slice(77, 3).fill(0x1234);
      Arrays.fill(bytes, 3001, 3006, (byte) -7);
      Arrays.fill(shorts, 77, 80, (short) 0x1234);
      assertArrayEquals(bytes, b.toArray());
      assertArrayEquals(shorts, s.toArray());
    }
    try (Device device = Device.open(spec)) {
      DeviceArray<byte[]> few = device.copyOf(new byte[] {1, 2, 3});
      try (DeviceArray<byte[]> more = few.grown(7)) {
        assertArrayEquals(new byte[] {1, 2, 3, 0, 0, 0, 0}, more.toArray());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void partsAndSlicesTouchNothingElse(String spec) {
    try (Device device = Device.open(spec);
        DeviceArray<long[]> array = device.longs(100)) {
      DeviceArray<long[]> middle = array.slice(10, 20);
      middle.fill(0x1122334455667788L);
      middle.slice(5, 2).fill(-3);
      array.copyFrom(new long[] {1, 2, 3}, 1, 50, 2);
      long[] expected = new long[100];
      Arrays.fill(expected, 10, 30, 0x1122334455667788L);
      expected[15] = -3;
      expected[16] = -3;
      expected[50] = 2;
      expected[51] = 3;
      assertArrayEquals(expected, array.toArray());
      assertEquals(20, middle.length());
      assertEquals(160, middle.bytes());
      assertThrows(IndexOutOfBoundsException.class, () -> array.slice(90, 11));
      assertThrows(IndexOutOfBoundsException.class, () -> middle.getLong(20));
      assertThrows(IndexOutOfBoundsException.class, () -> array.copyFrom(new long[3], 2, 0, 2));
      assertThrows(IllegalArgumentException.class, () -> array.copyFrom(new long[3]));
      assertThrows(
          IllegalArgumentException.class, () -> array.slice(0, 9).copyFrom(array.slice(8, 9)));
      middle.close();
      assertEquals(-3, array.getLong(15));
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void fillTakesEveryPattern(String spec) {
    try (Device device = Device.open(spec);
        DeviceArray<int[]> ints = device.ints(50_000);
        DeviceArray<byte[]> bytes = device.bytes(50_001);
        DeviceArray<short[]> shorts = device.shorts(50_001);
        DeviceArray<float[]> floats = device.floats(50_000);
        DeviceArray<long[]> longs = device.longs(3_000_000)) {
      for (long value : new long[] {0, -1, 0x01010101L, 0x7fffffffL, 0xfffffffeL}) {
        ints.fill(value);
        assertTrue(Arrays.stream(ints.toArray()).allMatch(v -> v == (int) value));
      }
      for (long value : new long[] {0, -1, 255, -128, 0x7f}) {
        bytes.fill(value);
        byte[] allBytes = new byte[50_001];
        Arrays.fill(allBytes, (byte) value);
        assertArrayEquals(allBytes, bytes.toArray());
        shorts.fill(value);
        short[] allShorts = new short[50_001];
        Arrays.fill(allShorts, (short) value);
        assertArrayEquals(allShorts, shorts.toArray());
      }
      shorts.fill(0x1234);
      assertEquals(0x1234, shorts.getInt(50_000));
      assertThrows(IllegalArgumentException.class, () -> bytes.fill(256));
      assertThrows(IllegalArgumentException.class, () -> bytes.fill(-129));
      assertThrows(IllegalArgumentException.class, () -> shorts.fill(65536));
      assertThrows(IllegalArgumentException.class, () -> shorts.set(0, -32769));
      floats.fill(3);
      assertEquals(3.0, floats.getDouble(49_999));
      floats.fill(0.1);
      assertEquals(0.1f, (float) floats.getDouble(17));
      for (long value : new long[] {0x0123456789abcdefL, 5L << 32 | 5, -1}) {
        longs.fill(value);
        assertTrue(Arrays.stream(longs.toArray()).allMatch(v -> v == value));
      }
      assertThrows(IllegalArgumentException.class, () -> ints.fill(1L << 32));
      assertThrows(IllegalArgumentException.class, () -> ints.fill(0.5));
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void emptyArraysAreLegal(String spec) {
    try (Device device = Device.open(spec);
        DeviceArray<int[]> empty = device.copyOf(new int[0])) {
      empty.fill(3);
      empty.copyFrom(new int[0]);
      empty.copyFrom(empty.slice(0, 0));
      assertEquals(0, empty.toArray().length);
      assertThrows(IllegalArgumentException.class, () -> device.ints(-1));
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void whatIsClosedSaysSo(String spec) {
    Device device = Devices.openLenient(spec);
    DeviceArray<int[]> array = device.ints(10);
    DeviceArray<int[]> slice = array.slice(0, 5);
    array.close();
    array.close();
    IllegalStateException closed = assertThrows(IllegalStateException.class, array::toArray);
    assertTrue(closed.getMessage().contains("int array of 10 elements"), closed::getMessage);
    assertTrue(closed.getMessage().contains("is closed"), closed::getMessage);
    closed = assertThrows(IllegalStateException.class, () -> slice.fill(1));
    assertTrue(closed.getMessage().contains("slice"), closed::getMessage);
    DeviceArray<int[]> left = device.ints(10);
    device.close();
    device.close();
    left.close();
    closed = assertThrows(IllegalStateException.class, () -> device.ints(1));
    assertTrue(closed.getMessage().contains("is closed"), closed::getMessage);
    assertThrows(IllegalStateException.class, () -> left.getInt(0));
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void impossibleRequestsSayWhatTheyNeeded(String spec) {
    try (Device device = Device.open(spec)) {
      long length = 1L << 42;
      DeviceOutOfMemoryException refused =
          assertThrows(DeviceOutOfMemoryException.class, () -> device.longs(length));
      assertEquals(length * 8, refused.neededBytes());
      assertTrue(refused.freeBytes() > 0 && refused.freeBytes() < length * 8);
      assertTrue(refused.getMessage().contains("long array of " + length), refused::getMessage);
      assertEquals(0, device.leaks().size());
      // The device goes on.
      try (DeviceArray<int[]> small = device.copyOf(1, 2, 3)) {
        assertEquals(3, small.getInt(2));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#host")
  void manySmallPromisesAreNotMoreThanTheMachineHas(String spec) {
    try (Device device = Device.open(spec)) {
      long third = device.description().memoryBytes() / 3;
      DeviceOutOfMemoryException refused =
          assertThrows(
              DeviceOutOfMemoryException.class,
              () -> {
                try (DeviceArray<int[]> a = device.ints(third / 4);
                    DeviceArray<int[]> b = device.ints(third / 4);
                    DeviceArray<int[]> c = device.ints(third / 4);
                    DeviceArray<int[]> d = device.ints(third / 4)) {
                  assertEquals(0, a.getInt(0) + b.getInt(0) + c.getInt(0) + d.getInt(0));
                }
              });
      assertTrue(refused.freeBytes() < third, refused::getMessage);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "cuda"})
  void slicesBeyondTwoGibibytesAreOrdinary(String spec) {
    if (spec.equals("cuda")) {
      Devices.assumeGpu();
    }
    long length = (1L << 31) / 4 * 3 + 12_345;
    try (Device device = Device.open(spec)) {
      Assumptions.assumeTrue(device.freeBytes() > length * 4 + (1L << 30), "too little memory");
      try (DeviceArray<int[]> array = device.ints(length)) {
        int[] values = new Random(3).ints(3_000_000).toArray();
        long at = length - values.length;
        array.copyFrom(values, 0, at, values.length);
        DeviceArray<int[]> end = array.slice(at, values.length);
        assertArrayEquals(values, end.toArray());
        assertEquals(values[17], array.getInt(at + 17));
        assertEquals(0, array.getInt(at - 1));
        array.set(length - 1, 99);
        assertEquals(99, end.getInt(values.length - 1));
        assertEquals(length - 5, array.slice(5, length - 5).length());
        if (spec.equals("cuda")) {
          array.fill(0x01020304);
          assertEquals(0x01020304, array.getInt(length - 1));
          assertEquals(0x01020304, array.getInt(length / 2));
        }
      }
    }
  }

  @Test
  void closedArraysMemoryIsGivenBack() {
    try (Device device = Device.open("auto")) {
      long length = Math.min(1L << 28, device.freeBytes() / 16);
      for (int i = 0; i < 200; i++) {
        device.longs(length).close();
      }
      assertTrue(device.leaks().isEmpty());
    }
  }

  /** Between processors and simulators by their memory, between GPUs by theirs, else by Java's. */
  @Test
  void arraysAreCopiedFromAnyDeviceToAnyOther() {
    for (String from : Devices.all().toList()) {
      for (String to : Devices.all().toList()) {
        try (Device source = Device.open(from);
            Device target = Device.open(to)) {
          assertCopied(source, target);
        }
      }
    }
  }

  @Test
  void arraysAreCopiedFromGpuToGpu() {
    Assumptions.assumeTrue(Device.list().stream().anyMatch(d -> d.spec().equals("cuda:1")));
    try (Device source = Device.open("cuda:0");
        Device target = Device.open("cuda:1")) {
      assertCopied(source, target);
      assertCopied(target, source);
    }
  }

  /** Devices of two kinds have no way but by Java's memory. */
  @Test
  void withoutADirectWayArraysAreCopiedInParts() {
    try (Device source = Devices.openScarce("cpu:2", bytes -> true);
        Device target = Device.open("cpu:1")) {
      assertCopied(source, target);
      assertCopied(target, source);
    }
  }

  private static void assertCopied(Device source, Device target) {
    int[] values = new Random(5).ints(700_001).toArray();
    try (DeviceArray<int[]> from = source.copyOf(values);
        DeviceArray<int[]> to = target.ints(values.length + 2);
        GuardedCells<int[]> fromCells = source.cells(int[].class, 100);
        GuardedCells<int[]> toCells = target.cells(int[].class, 100)) {
      to.slice(1, values.length).copyFrom(from);
      assertEquals(0, to.getInt(0));
      assertEquals(0, to.getInt(values.length + 1));
      assertArrayEquals(values, to.slice(1, values.length).toArray());
      from.fill(7); // asked for first, so that it is what is copied
      to.slice(2, 5).copyFrom(from.slice(9, 5));
      assertEquals(values[0], to.getInt(1));
      assertArrayEquals(new int[] {7, 7, 7, 7, 7}, to.slice(2, 5).toArray());
      assertEquals(values[6], to.getInt(7));
      to.slice(0, 0).copyFrom(from.slice(3, 0));
      fromCells.data().copyFrom(Arrays.copyOf(values, 100));
      toCells.data().copyFrom(fromCells.data());
      assertArrayEquals(Arrays.copyOf(values, 100), toCells.data().toArray());
    }
  }

  @Test
  void whatCannotBeCopiedFromAnotherDeviceIsRefused() {
    try (Device source = Device.open("cpu:1");
        Device target = Device.open("cpu:2");
        DeviceArray<int[]> from = source.ints(10);
        DeviceArray<int[]> to = target.ints(10)) {
      Exception refused =
          assertThrows(IllegalArgumentException.class, () -> to.copyFrom(from.slice(0, 9)));
      assertTrue(refused.getMessage().contains("another length"), refused::getMessage);
      DeviceArray<int[]> view = to.asConst();
      assertThrows(IllegalStateException.class, () -> view.copyFrom(from));
      to.copyFrom(from.asConst());
      DeviceArray<int[]> closed = source.ints(10);
      closed.close();
      refused = assertThrows(IllegalStateException.class, () -> to.copyFrom(closed));
      assertTrue(refused.getMessage().contains("is closed"), refused::getMessage);
    }
  }

  /** Each waits for both devices: were they taken in any order, two would wait for each other. */
  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void copiesBothWaysAtOnceDoNotWaitForEachOther() throws Exception {
    int[] values = new Random(6).ints(100).toArray();
    try (Device one = Device.open("cpu:1");
        Device other = Device.open("cpu:2");
        DeviceArray<int[]> a = one.copyOf(values);
        DeviceArray<int[]> b = other.ints(100)) {
      b.copyFrom(a);
      FutureTask<Void> back = new FutureTask<>(() -> copyOften(b, a), null);
      Thread thread = new Thread(back, "copies back");
      thread.setDaemon(true);
      thread.start();
      copyOften(a, b);
      back.get();
      assertArrayEquals(values, a.toArray());
      assertArrayEquals(values, b.toArray());
    }
  }

  private static void copyOften(DeviceArray<int[]> from, DeviceArray<int[]> to) {
    for (int i = 0; i < 20_000; i++) {
      to.copyFrom(from);
    }
  }

  /** A thread in a call of the one that comes second would wait for the first. */
  @Test
  void insideACallOfTheDeviceOpenedLastCopiesAreRefused() {
    try (Device first = Device.open("cpu:1");
        Device last = Device.open("cpu:2");
        DeviceArray<int[]> a = first.copyOf(1, 2, 3);
        DeviceArray<int[]> b = last.ints(3)) {
      Exception refused =
          assertThrows(IllegalStateException.class, () -> inside(last, () -> b.copyFrom(a)));
      assertTrue(refused.getMessage().contains("when the call has returned"), refused::getMessage);
      refused = assertThrows(IllegalStateException.class, () -> inside(last, () -> a.copyFrom(b)));
      assertTrue(refused.getMessage().contains("cpu:1 and cpu:2"), refused::getMessage);
      assertArrayEquals(new int[3], b.toArray());
      inside(first, () -> b.copyFrom(a));
      assertArrayEquals(new int[] {1, 2, 3}, b.toArray());
      inside(first, () -> inside(last, () -> b.copyFrom(a)));
    }
  }

  private static void inside(Device device, Runnable action) {
    device.exclusively(
        () -> {
          action.run();
          return null;
        });
  }
}
