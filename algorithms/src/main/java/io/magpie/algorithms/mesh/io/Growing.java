package io.magpie.algorithms.mesh.io;

import java.util.Arrays;

/** Arrays that grow while a file is read. */
final class Growing {
  private static final int FIRST_LENGTH = 1 << 10;
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private Growing() {}

  private static int grown(int length) {
    if (length == LONGEST) {
      throw new OutOfMemoryError("an array of more than " + LONGEST + " values");
    }
    return (int) Math.min(LONGEST, Math.max(FIRST_LENGTH, length * 3L / 2));
  }

  /** Whole numbers. */
  static final class Ints {
    private int[] values = {};
    private int size;

    void add(int value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, grown(size));
      }
      values[size++] = value;
    }

    int get(int i) {
      return values[i];
    }

    void set(int i, int value) {
      values[i] = value;
    }

    int size() {
      return size;
    }

    int[] toArray() {
      return Arrays.copyOf(values, size);
    }
  }

  /** Doubles. */
  static final class Doubles {
    private double[] values = {};
    private int size;

    void add(double value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, grown(size));
      }
      values[size++] = value;
    }

    double get(int i) {
      return values[i];
    }

    int size() {
      return size;
    }

    double[] toArray() {
      return Arrays.copyOf(values, size);
    }
  }
}
