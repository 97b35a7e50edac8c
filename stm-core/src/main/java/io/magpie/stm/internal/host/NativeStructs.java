package io.magpie.stm.internal.host;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.magpie.stm.internal.StructLayout;
import java.nio.ByteBuffer;

/**
 * Structs of one kind in native memory, one behind the other, the first at a cache line's begin.
 */
final class NativeStructs<M extends Enum<M>> {
  private static final int CACHE_LINE = 64;

  private final StructLayout<M> layout;
  private final Memory memory;
  private final ByteBuffer buffer;
  private final int count;

  /** So many, with whatever memory holds. */
  NativeStructs(StructLayout<M> layout, int count) {
    this.layout = layout;
    this.count = count;
    this.memory =
        new Memory(Math.max(1, (long) count * layout.bytes()) + CACHE_LINE).align(CACHE_LINE);
    this.buffer = memory.getByteBuffer(0, memory.size());
  }

  /** One, of zeros. */
  static <M extends Enum<M>> NativeStructs<M> zeros(StructLayout<M> layout) {
    return zeros(layout, 1);
  }

  /** So many, of zeros. */
  static <M extends Enum<M>> NativeStructs<M> zeros(StructLayout<M> layout, int count) {
    NativeStructs<M> made = new NativeStructs<>(layout, count);
    made.memory.clear();
    return made;
  }

  /** Makes the first so many zeros. */
  void clear(int first) {
    memory.clear((long) first * layout.bytes());
  }

  /** Whether it is so many of this kind. */
  boolean isLike(StructLayout<M> other, int number) {
    return count == number && layout.equals(other);
  }

  /** How many there are. */
  int count() {
    return count;
  }

  void set(int index, M member, long value) {
    layout.set(buffer, index * layout.bytes(), member, value);
  }

  long get(int index, M member) {
    return layout.get(buffer, index * layout.bytes(), member);
  }

  /** Sets a member of the first. */
  void set(M member, long value) {
    set(0, member, value);
  }

  /** A member of the first. */
  long get(M member) {
    return get(0, member);
  }

  /** The memory, for native calls; it stays reachable meanwhile. */
  Pointer pointer() {
    return memory;
  }

  long address() {
    return Pointer.nativeValue(memory);
  }
}
