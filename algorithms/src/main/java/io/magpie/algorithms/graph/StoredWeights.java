package io.magpie.algorithms.graph;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.OrderedBits;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Takes weights of a binary file one by one, in the type that is asked for, without rounding. */
final class StoredWeights {
  private final Path file;
  private final String unit;
  private final WeightType stored;
  private final FileWeights wanted;
  private final WeightType type;

  /**
   * @param unit what has a weight, such as {@code "edge"}
   * @param stored the type of the file's weights
   */
  StoredWeights(Path file, String unit, WeightType stored, FileWeights wanted) {
    this.file = file;
    this.unit = unit;
    this.stored = stored;
    this.wanted = wanted;
    this.type = wanted == FileWeights.ANY ? stored : wanted.type();
  }

  /** The type in which they are taken. */
  WeightType type() {
    return type;
  }

  /** Whether each finite number is taken as it is, only that -0.0 becomes 0.0. */
  boolean asStored() {
    return type == stored && !wanted.fromZero();
  }

  /** Bytes of each. */
  int bytes() {
    return stored.isWide() ? Long.BYTES : Integer.BYTES;
  }

  /**
   * Takes the next weight of a buffer.
   *
   * @param number of what has it, for messages
   * @return its {@linkplain ArcWeights key} in the type asked for
   */
  long next(ByteBuffer from, long number) throws FileFormatException {
    Long key;
    Number weight;
    switch (stored) {
      case INT -> {
        int value = from.getInt();
        if (wanted == FileWeights.ANY) {
          return value;
        }
        weight = value;
        key = ArcWeights.keyIn(type, (long) value);
      }
      case LONG -> {
        long value = from.getLong();
        if (wanted == FileWeights.ANY) {
          return value;
        }
        weight = value;
        key = ArcWeights.keyIn(type, value);
      }
      default -> {
        double value = stored == WeightType.FLOAT ? from.getFloat() : from.getDouble();
        weight = value;
        key = Double.isFinite(value) ? ArcWeights.keyIn(type, value) : null;
      }
    }
    boolean fits = key != null && (!wanted.fromZero() || key >= 0);
    if (!fits) {
      throw refusal(weight, number);
    }
    return key;
  }

  private FileFormatException refusal(Number weight, long number) {
    String found = "weight " + weight + " of " + unit + " " + number;
    if (!Double.isFinite(weight.doubleValue())) {
      return new FileFormatException(file, 0, found, "a finite number", null, null);
    }
    if (wanted == FileWeights.LENGTHS && weight.doubleValue() < 0) {
      return new FileFormatException(file, 0, found, "a weight, 0 or more", null, null);
    }
    return new FileFormatException(
        file,
        0,
        found,
        wanted == FileWeights.COUNTS
            ? "a weight, a whole number from 0 to 2147483647"
            : "a weight that is exactly one of type " + type,
        remedy(weight),
        null);
  }

  /** How to read a weight that is not as it is wanted; null if nothing helps. */
  private String remedy(Number weight) {
    if (!wanted.fromZero()) {
      return TextFormats.NOT_ROUNDED;
    }
    if (weight.doubleValue() < 0 || Float.isInfinite(weight.floatValue())) {
      return null;
    }
    return stored == WeightType.FLOAT ? TextFormats.FLOAT_LENGTHS : TextFormats.ROUNDED_LENGTHS;
  }

  /** Puts a key into an array of the type that is asked for. */
  static void put(WeightType type, long key, Object array, int index) {
    switch (type) {
      case INT -> ((int[]) array)[index] = (int) key;
      case LONG -> ((long[]) array)[index] = key;
      case FLOAT -> ((float[]) array)[index] = OrderedBits.toFloat((int) key);
      case DOUBLE -> ((double[]) array)[index] = OrderedBits.toDouble(key);
    }
  }
}
