package io.magpie.stm.internal;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Where members of a struct of the headers lie, and how large it is. Constants of an enum stand for
 * the members.
 *
 * @param bytes size of the struct
 * @param places of the members, in the order of the constants
 */
public record StructLayout<M extends Enum<M>>(int bytes, List<Place> places) {
  /**
   * A member's place.
   *
   * @param offset bytes from the struct's beginning
   * @param bytes its size
   */
  public record Place(int offset, int bytes) {}

  /** Bytes from the struct's beginning to a member. */
  public int offset(M member) {
    return places.get(member.ordinal()).offset;
  }

  /** Sets a member of the struct that begins at an index of the buffer; too wide a value is cut. */
  public void set(ByteBuffer buffer, int begin, M member, long value) {
    Place place = places.get(member.ordinal());
    int at = begin + place.offset;
    switch (place.bytes) {
      case 1 -> buffer.put(at, (byte) value);
      case 2 -> buffer.putShort(at, (short) value);
      case 4 -> buffer.putInt(at, (int) value);
      case 8 -> buffer.putLong(at, value);
      default -> throw new IllegalArgumentException(member + " is no number");
    }
  }

  /** A member of the struct that begins at an index of the buffer, zero-extended. */
  public long get(ByteBuffer buffer, int begin, M member) {
    Place place = places.get(member.ordinal());
    int at = begin + place.offset;
    return switch (place.bytes) {
      case 1 -> Byte.toUnsignedLong(buffer.get(at));
      case 2 -> Short.toUnsignedLong(buffer.getShort(at));
      case 4 -> Integer.toUnsignedLong(buffer.getInt(at));
      case 8 -> buffer.getLong(at);
      default -> throw new IllegalArgumentException(member + " is no number");
    };
  }
}
