package io.magpie.stm;

/**
 * The element types of {@link DeviceArray}.
 *
 * @param <A> the Java array type
 */
final class ElementType<A> {
  static final ElementType<byte[]> BYTE = new ElementType<>("byte", 1, byte[].class);
  static final ElementType<short[]> SHORT = new ElementType<>("short", 2, short[].class);
  static final ElementType<int[]> INT = new ElementType<>("int", 4, int[].class);
  static final ElementType<long[]> LONG = new ElementType<>("long", 8, long[].class);
  static final ElementType<float[]> FLOAT = new ElementType<>("float", 4, float[].class);
  static final ElementType<double[]> DOUBLE = new ElementType<>("double", 8, double[].class);

  private final String name;
  private final int bytes;
  private final Class<A> arrayType;

  private ElementType(String name, int bytes, Class<A> arrayType) {
    this.name = name;
    this.bytes = bytes;
    this.arrayType = arrayType;
  }

  int bytes() {
    return bytes;
  }

  A newArray(int length) {
    return arrayType.cast(
        java.lang.reflect.Array.newInstance(arrayType.getComponentType(), length));
  }

  boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** The bits of an integer value stored as this type. */
  long bits(long value) {
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
  long bits(double value) {
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
