package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** What the arguments' arrays held before a run. */
final class MemoryBefore {
  private final Map<String, Object> contents;
  private final Map<String, ByteBuffer> arrays = new HashMap<>(); // those that were asked for

  /**
   * @param contents Java arrays of numbers, by field
   */
  MemoryBefore(Map<String, Object> contents) {
    this.contents = contents;
  }

  private static ByteBuffer bytes(Object array) {
    if (array instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    } else if (array instanceof short[] shorts) {
      ByteBuffer buffer = room(shorts.length, Short.BYTES);
      buffer.asShortBuffer().put(shorts);
      return buffer;
    } else if (array instanceof int[] ints) {
      ByteBuffer buffer = room(ints.length, Integer.BYTES);
      buffer.asIntBuffer().put(ints);
      return buffer;
    } else if (array instanceof long[] longs) {
      ByteBuffer buffer = room(longs.length, Long.BYTES);
      buffer.asLongBuffer().put(longs);
      return buffer;
    } else if (array instanceof float[] floats) {
      ByteBuffer buffer = room(floats.length, Float.BYTES);
      buffer.asFloatBuffer().put(floats);
      return buffer;
    } else if (array instanceof double[] doubles) {
      ByteBuffer buffer = room(doubles.length, Double.BYTES);
      buffer.asDoubleBuffer().put(doubles);
      return buffer;
    }
    throw new IllegalArgumentException("no array of numbers: " + array.getClass().getSimpleName());
  }

  private static ByteBuffer room(long length, int each) {
    return ByteBuffer.allocate(Math.toIntExact(length * each)).order(ByteOrder.nativeOrder());
  }

  /** What there was at an address in an array, zero-extended; empty if that is not known. */
  OptionalLong at(Memory array, long address, int bytes) {
    Object known = contents.get(array.name());
    if (known == null || !array.contains(address)) {
      return OptionalLong.empty();
    }
    ByteBuffer held = arrays.computeIfAbsent(array.name(), name -> bytes(known));
    long offset = array.offset(address);
    if (offset + bytes > held.capacity()) {
      return OptionalLong.empty();
    }
    long value = 0;
    for (int i = bytes - 1; i >= 0; i--) { // little-endian, as x86-64 is
      value = value << 8 | held.get((int) offset + i) & 0xff;
    }
    return OptionalLong.of(value);
  }
}
