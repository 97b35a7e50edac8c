package io.magpie.stm.internal;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The element types of a device's arrays.
 *
 * @param <A> the Java array type
 */
public final class ElementType<A> {
  public static final ElementType<byte[]> BYTE =
      new ElementType<>(
          "byte",
          1,
          byte[].class,
          (array, i, bytes, at) -> bytes.put(at, array[i]),
          (array, i, bytes, at) -> array[i] = bytes.get(at));
  public static final ElementType<short[]> SHORT =
      new ElementType<>(
          "short",
          2,
          short[].class,
          (array, i, bytes, at) -> bytes.putShort(at, array[i]),
          (array, i, bytes, at) -> array[i] = bytes.getShort(at));
  public static final ElementType<int[]> INT =
      new ElementType<>(
          "int",
          4,
          int[].class,
          (array, i, bytes, at) -> bytes.putInt(at, array[i]),
          (array, i, bytes, at) -> array[i] = bytes.getInt(at));
  public static final ElementType<long[]> LONG =
      new ElementType<>(
          "long",
          8,
          long[].class,
          (array, i, bytes, at) -> bytes.putLong(at, array[i]),
          (array, i, bytes, at) -> array[i] = bytes.getLong(at));
  public static final ElementType<float[]> FLOAT =
      new ElementType<>(
          "float",
          4,
          float[].class,
          (array, i, bytes, at) -> bytes.putFloat(at, array[i]),
          (array, i, bytes, at) -> array[i] = bytes.getFloat(at));
  public static final ElementType<double[]> DOUBLE =
      new ElementType<>(
          "double",
          8,
          double[].class,
          (array, i, bytes, at) -> bytes.putDouble(at, array[i]),
          (array, i, bytes, at) -> array[i] = bytes.getDouble(at));

  private static final List<ElementType<?>> ALL = List.of(BYTE, SHORT, INT, LONG, FLOAT, DOUBLE);

  /** Moves an element between a Java array and bytes. */
  @FunctionalInterface
  public interface Move<A> {
    void move(A array, int index, ByteBuffer bytes, int at);
  }

  private final String name;
  private final int bytes;
  private final Class<A> arrayType;
  private final Move<A> store;
  private final Move<A> load;

  private ElementType(String name, int bytes, Class<A> arrayType, Move<A> store, Move<A> load) {
    this.name = name;
    this.bytes = bytes;
    this.arrayType = arrayType;
    this.store = store;
    this.load = load;
  }

  /**
   * That of a Java array type.
   *
   * @throws IllegalArgumentException if devices have no arrays of it
   */
  @SuppressWarnings("unchecked") // compared with the type's own
  public static <A> ElementType<A> of(Class<A> arrayType) {
    for (ElementType<?> each : ALL) {
      if (each.arrayType == arrayType) {
        return (ElementType<A>) each;
      }
    }
    throw new IllegalArgumentException(
        arrayType.getSimpleName()
            + " is not a type of device arrays: byte[], short[], int[], long[], float[] or"
            + " double[]");
  }

  /** Copies elements of a Java array into bytes in native order, or the other way round. */
  public Move<A> move(boolean intoBytes) {
    return intoBytes ? store : load;
  }

  public int bytes() {
    return bytes;
  }

  public A newArray(int length) {
    return arrayType.cast(
        java.lang.reflect.Array.newInstance(arrayType.getComponentType(), length));
  }

  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** The bits of an integer value stored as this type. */
  public long bits(long value) {
    if (isFloating()) {
      return bits((double) value);
    }
    if (this == LONG) {
      return value;
    }
    long most = (1L << 8 * bytes) - 1; // unsigned
    if (value < -(most + 1) / 2 || value > most) {
      throw new IllegalArgumentException(value + " does not fit into " + 8 * bytes + " bits");
    }
    return value & most;
  }

  /** The bits of a floating-point value stored as this type. */
  public long bits(double value) {
    if (this == FLOAT) {
      return Float.floatToRawIntBits((float) value) & 0xffffffffL;
    }
    if (this == DOUBLE) {
      return Double.doubleToRawLongBits(value);
    }
    throw new IllegalArgumentException(
        "a floating-point value does not go into an array of " + name);
  }

  @Override
  public String toString() {
    return name;
  }
}
