package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.OrderedBits;
import io.magpie.algorithms.internal.Parallel;
import java.io.IOException;
import java.util.Arrays;

/**
 * The weights of arcs, all of one type, in an array of that type. A weight's <em>key</em> is a
 * whole number that stands for it: keys are ordered as the weights are, and equal where they are.
 * Of whole numbers the key is the weight.
 */
abstract sealed class ArcWeights {
  /** What to do about a weight that is not finite. */
  private static final String UNCHOSEN = "leave out edges that must not be chosen";

  private Boolean negative;

  /** So many weights of a type, each 0. */
  static ArcWeights of(WeightType type, int length) {
    return switch (type) {
      case INT -> new Ints(new int[length]);
      case LONG -> new Longs(new long[length]);
      case FLOAT -> new Floats(new float[length]);
      case DOUBLE -> new Doubles(new double[length]);
    };
  }

  /**
   * The length of an array of weights.
   *
   * @throws IllegalArgumentException if it is no array of the type
   */
  static int lengthOf(WeightType type, Object weights) {
    if (type == WeightType.INT && weights instanceof int[] ints) {
      return ints.length;
    }
    if (type == WeightType.LONG && weights instanceof long[] longs) {
      return longs.length;
    }
    if (type == WeightType.FLOAT && weights instanceof float[] floats) {
      return floats.length;
    }
    if (type == WeightType.DOUBLE && weights instanceof double[] doubles) {
      return doubles.length;
    }
    throw new IllegalArgumentException(
        "weights of type "
            + type
            + " go into an array of that type, got "
            + (weights == null ? "null" : weights.getClass().getSimpleName()));
  }

  /** The weights of an array, not copied; null of null. */
  static ArcWeights of(int[] weights) {
    return weights == null ? null : new Ints(weights);
  }

  /** The weights of an array, not copied. */
  static ArcWeights of(long[] weights) {
    return new Longs(weights);
  }

  /**
   * The weights of an array, not copied unless it has a -0.0.
   *
   * @throws IllegalArgumentException if one is not finite
   */
  static ArcWeights of(float[] weights) {
    return of(weights, UNCHOSEN);
  }

  /**
   * The weights of an array, not copied unless it has a -0.0.
   *
   * @param remedy what to do about one that is not finite
   * @throws IllegalArgumentException if one is not finite
   */
  static ArcWeights of(float[] weights, String remedy) {
    float[] result = weights;
    for (int i = 0; i < weights.length; i++) {
      if (!Float.isFinite(weights[i])) {
        throw notFinite(i, weights[i], remedy);
      }
      if (weights[i] == 0 && Float.floatToRawIntBits(weights[i]) != 0) {
        result = result == weights ? weights.clone() : result;
        result[i] = 0;
      }
    }
    return new Floats(result);
  }

  /**
   * The weights of an array, not copied unless it has a -0.0.
   *
   * @throws IllegalArgumentException if one is not finite
   */
  static ArcWeights of(double[] weights) {
    double[] result = weights;
    for (int i = 0; i < weights.length; i++) {
      if (!Double.isFinite(weights[i])) {
        throw notFinite(i, weights[i], UNCHOSEN);
      }
      if (weights[i] == 0 && Double.doubleToRawLongBits(weights[i]) != 0) {
        result = result == weights ? weights.clone() : result;
        result[i] = 0;
      }
    }
    return new Doubles(result);
  }

  private static IllegalArgumentException notFinite(int index, Number weight, String remedy) {
    return new IllegalArgumentException(
        "weights[" + index + "]=" + weight + " is not a finite number; " + remedy);
  }

  /** The key of a whole number in a type; null where the type does not hold the number. */
  static Long keyIn(WeightType type, long value) {
    return switch (type) {
      case INT -> value == (int) value ? value : null;
      case LONG -> value;
      case FLOAT -> same((float) value, value) ? (long) OrderedBits.of((float) value) : null;
      case DOUBLE -> same((double) value, value) ? OrderedBits.of((double) value) : null;
    };
  }

  /** Whether a rounded number is the one that was rounded; 2^63 is none. */
  private static boolean same(double rounded, long value) {
    return rounded != 0x1p63 && (long) rounded == value;
  }

  /** The key of a finite number in a type; null where the type does not hold the number. */
  static Long keyIn(WeightType type, double value) {
    return switch (type) {
      case INT -> (int) value == value ? (long) (int) value : null;
      case LONG -> value != 0x1p63 && (long) value == value ? (long) value : null;
      case FLOAT -> (float) value == value ? (long) OrderedBits.of((float) value) : null;
      case DOUBLE -> OrderedBits.of(value);
    };
  }

  abstract WeightType type();

  abstract int length();

  /** The array itself. */
  abstract Object array();

  abstract long key(int index);

  abstract void setKey(int index, long key);

  /** The weight as a number of its type. */
  abstract Number get(int index);

  /** Writes a weight in decimal, so that reading it as the same type gives the same. */
  void write(int index, ByteSink out) throws IOException {
    if (type().isFloating()) {
      out.text(get(index).toString());
    } else {
      out.signed(key(index));
    }
  }

  /** Writes all as they are in memory, little-endian. */
  void writeBits(ByteSink out) throws IOException {
    switch (type()) {
      case INT -> out.int32s((int[]) array());
      case FLOAT -> {
        for (float weight : (float[]) array()) {
          out.int32(Float.floatToRawIntBits(weight));
        }
      }
      case LONG -> {
        for (long weight : (long[]) array()) {
          out.int64(weight);
        }
      }
      case DOUBLE -> {
        for (double weight : (double[]) array()) {
          out.int64(Double.doubleToRawLongBits(weight));
        }
      }
    }
  }

  /** Sorts a part, ascending. */
  abstract void sort(int from, int to);

  /** The first ones. */
  abstract ArcWeights first(int count);

  /** As many others of the same type, each 0. */
  ArcWeights blank(int count) {
    return of(type(), count);
  }

  /** Whether one is negative; found once, in parallel. */
  boolean hasNegative() {
    // Threads may find it twice, and find the same.
    if (negative == null) {
      negative =
          Parallel.sum(
                  length(),
                  (from, to) -> {
                    long least = 0;
                    for (int i = from; i < to; i++) {
                      least = Math.min(least, key(i));
                    }
                    return least < 0 ? 1 : 0;
                  })
              > 0;
    }
    return negative;
  }

  /** The first weight that is negative; -1 if none is. */
  int firstNegative() {
    for (int i = 0; i < length(); i++) {
      if (key(i) < 0) {
        return i;
      }
    }
    return -1;
  }

  /** The first weight that a type does not hold exactly; -1 if it holds all. */
  int firstOutside(WeightType other) {
    for (int i = 0; i < length(); i++) {
      if (keyAs(other, i) == null) {
        return i;
      }
    }
    return -1;
  }

  private Long keyAs(WeightType other, int index) {
    return type().isFloating()
        ? keyIn(other, get(index).doubleValue())
        : keyIn(other, get(index).longValue());
  }

  /** The same weights in a type that holds all of them exactly. */
  ArcWeights as(WeightType other) {
    if (other == type()) {
      return this;
    }
    ArcWeights result = of(other, length());
    for (int i = 0; i < length(); i++) {
      result.setKey(i, keyAs(other, i));
    }
    return result;
  }

  @Override
  public abstract boolean equals(Object other);

  @Override
  public abstract int hashCode();

  private static final class Ints extends ArcWeights {
    private final int[] values;

    Ints(int[] values) {
      this.values = values;
    }

    @Override
    WeightType type() {
      return WeightType.INT;
    }

    @Override
    int length() {
      return values.length;
    }

    @Override
    int[] array() {
      return values;
    }

    @Override
    long key(int index) {
      return values[index];
    }

    @Override
    void setKey(int index, long key) {
      values[index] = (int) key;
    }

    @Override
    Integer get(int index) {
      return values[index];
    }

    @Override
    void sort(int from, int to) {
      Arrays.sort(values, from, to);
    }

    @Override
    ArcWeights first(int count) {
      return new Ints(Arrays.copyOf(values, count));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Ints ints && Arrays.equals(values, ints.values);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }
  }

  private static final class Longs extends ArcWeights {
    private final long[] values;

    Longs(long[] values) {
      this.values = values;
    }

    @Override
    WeightType type() {
      return WeightType.LONG;
    }

    @Override
    int length() {
      return values.length;
    }

    @Override
    long[] array() {
      return values;
    }

    @Override
    long key(int index) {
      return values[index];
    }

    @Override
    void setKey(int index, long key) {
      values[index] = key;
    }

    @Override
    Long get(int index) {
      return values[index];
    }

    @Override
    void sort(int from, int to) {
      Arrays.sort(values, from, to);
    }

    @Override
    ArcWeights first(int count) {
      return new Longs(Arrays.copyOf(values, count));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Longs longs && Arrays.equals(values, longs.values);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }
  }

  private static final class Floats extends ArcWeights {
    private final float[] values;

    Floats(float[] values) {
      this.values = values;
    }

    @Override
    WeightType type() {
      return WeightType.FLOAT;
    }

    @Override
    int length() {
      return values.length;
    }

    @Override
    float[] array() {
      return values;
    }

    @Override
    long key(int index) {
      return OrderedBits.of(values[index]);
    }

    @Override
    void setKey(int index, long key) {
      values[index] = OrderedBits.toFloat((int) key);
    }

    @Override
    Float get(int index) {
      return values[index];
    }

    @Override
    void sort(int from, int to) {
      Arrays.sort(values, from, to);
    }

    @Override
    ArcWeights first(int count) {
      return new Floats(Arrays.copyOf(values, count));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Floats floats && Arrays.equals(values, floats.values);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }
  }

  private static final class Doubles extends ArcWeights {
    private final double[] values;

    Doubles(double[] values) {
      this.values = values;
    }

    @Override
    WeightType type() {
      return WeightType.DOUBLE;
    }

    @Override
    int length() {
      return values.length;
    }

    @Override
    double[] array() {
      return values;
    }

    @Override
    long key(int index) {
      return OrderedBits.of(values[index]);
    }

    @Override
    void setKey(int index, long key) {
      values[index] = OrderedBits.toDouble(key);
    }

    @Override
    Double get(int index) {
      return values[index];
    }

    @Override
    void sort(int from, int to) {
      Arrays.sort(values, from, to);
    }

    @Override
    ArcWeights first(int count) {
      return new Doubles(Arrays.copyOf(values, count));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Doubles doubles && Arrays.equals(values, doubles.values);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }
  }
}
