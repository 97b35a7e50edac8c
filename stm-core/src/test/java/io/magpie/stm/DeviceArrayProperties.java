package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;

/** A device array is a Java array, whatever one does to it. */
class DeviceArrayProperties {
  private static final int LENGTH = 70_000;
  private static final List<Device> DEVICES =
      Devices.all().filter(spec -> !spec.startsWith("sim")).map(Device::open).toList();

  /** What is done to a part of the array. */
  enum Kind {
    WRITE,
    WRITE_BUFFER,
    FILL,
    COPY_WITHIN,
    READ,
    READ_BUFFER,
    SET
  }

  record Step(Kind kind, int from, int length, long value) {}

  @AfterContainer
  static void close() {
    DEVICES.forEach(Device::close);
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Integer> places = Arbitraries.integers().between(0, LENGTH);
    return Combinators.combine(Arbitraries.of(Kind.class), places, places, Arbitraries.longs())
        .as((kind, a, b, value) -> new Step(kind, Math.min(a, b), Math.abs(a - b), value))
        .list()
        .ofMaxSize(25);
  }

  @Property(tries = 150)
  void doesWhatAJavaArrayDoes(@ForAll("steps") List<Step> steps) {
    for (Device device : DEVICES) {
      try (DeviceArray<long[]> array = device.longs(LENGTH)) {
        check(steps, array);
      }
    }
  }

  /** So do the data of cells, and leave the words beside them alone. */
  @Property(tries = 60)
  void doesSoInCells(
      @ForAll("steps") List<Step> steps, @ForAll @IntRange(min = 1, max = 8) int each) {
    for (Device device : DEVICES) {
      long cells = (LENGTH + each - 1) / each;
      try (GuardedCells<long[]> guarded = device.cells(long[].class, cells, each)) {
        guarded.objects().prepare(Policy.PRIORITY_RULE); // whose unclaimed words are not 0
        check(steps, guarded.data().slice(0, LENGTH));
        assertEquals(0, guarded.objects().claimed());
      }
    }
  }

  private static void check(List<Step> steps, DeviceArray<long[]> array) {
    long[] model = new long[LENGTH];
    for (Step step : steps) {
      apply(step, model, array);
    }
    assertArrayEquals(model, array.toArray());
  }

  /** A buffer of zeros with room for elements somewhere inside, of a kind that the step tells. */
  private static ByteBuffer buffer(Step step, int elements) {
    int before = (int) (step.value & 15);
    int bytes = before + elements * Long.BYTES + 5;
    ByteBuffer buffer =
        (step.value & 16) == 0 ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    return buffer.order(ByteOrder.nativeOrder()).position(before).limit(bytes - 5);
  }

  private static void apply(Step step, long[] model, DeviceArray<long[]> array) {
    int from = step.from;
    int length = step.length;
    switch (step.kind) {
      case WRITE -> {
        long[] values = new Random(step.value).longs(length + 3).toArray();
        System.arraycopy(values, 2, model, from, length);
        array.copyFrom(values, 2, from, length);
        Arrays.fill(values, 1);
      }
      case WRITE_BUFFER -> {
        long[] values = new Random(step.value).longs(length).toArray();
        System.arraycopy(values, 0, model, from, length);
        ByteBuffer buffer = buffer(step, length);
        buffer.slice().order(buffer.order()).asLongBuffer().put(values);
        ByteBuffer given = buffer.asReadOnlyBuffer().order(buffer.order());
        int position = given.position();
        array.copyFrom(given, from);
        assertEquals(position, given.position());
        assertEquals(length * Long.BYTES, given.remaining());
        for (int at = buffer.position(); at < buffer.limit(); at++) {
          buffer.put(at, (byte) 1);
        }
      }
      case FILL -> {
        Arrays.fill(model, from, from + length, step.value);
        array.slice(from, length).fill(step.value);
      }
      case COPY_WITHIN -> {
        int half = length / 2;
        System.arraycopy(model, from, model, from + half, half);
        array.slice(from + half, half).copyFrom(array.slice(from, half));
      }
      case READ -> {
        long[] part = new long[length];
        array.copyTo(part, 0, from, length);
        assertArrayEquals(Arrays.copyOfRange(model, from, from + length), part);
      }
      case READ_BUFFER -> {
        ByteBuffer buffer = buffer(step, length);
        ByteBuffer all = buffer.duplicate().clear();
        array.copyTo(buffer, from);
        long[] part = new long[length];
        assertEquals(length * Long.BYTES, buffer.remaining());
        buffer.slice().order(buffer.order()).asLongBuffer().get(part);
        assertArrayEquals(Arrays.copyOfRange(model, from, from + length), part);
        for (int i = 0; i < all.limit(); i++) {
          if (i < buffer.position() || i >= buffer.limit()) {
            assertEquals(0, all.get(i));
          }
        }
      }
      case SET -> {
        if (from < LENGTH) {
          model[from] = step.value;
          array.set(from, step.value);
        }
      }
    }
  }
}
