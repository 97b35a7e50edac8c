package io.magpie.algorithms.internal;

/**
 * The CRC-32C of bytes whose parts are summed apart, in any order and by any thread, and joined in
 * theirs. A sum is the remainder of the bytes, as a polynomial over GF(2), by that of Castagnoli:
 * bytes that follow multiply what was before by x to the eighth for each of them.
 */
public final class JoinedChecksum {
  /**
   * Without its highest term; the bit of the lowest power is the highest, as in all that follows.
   */
  private static final int POLYNOMIAL = 0x82F63B78;

  private static final int ONE = 1 << 31;
  private static final int X_TO_THE_8TH = 1 << 23;

  private int sum;

  /** Appends bytes: {@code length} of them, whose own CRC-32C is {@code checksum}. */
  public void append(int checksum, long length) {
    sum = times(sum, power(length)) ^ checksum;
  }

  /** The CRC-32C of all bytes so far. */
  public int value() {
    return sum;
  }

  /** x to the power of 8 {@code bytes}. */
  private static int power(long bytes) {
    int result = ONE;
    int square = X_TO_THE_8TH;
    for (long rest = bytes; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        result = times(result, square);
      }
      square = times(square, square);
    }
    return result;
  }

  private static int times(int left, int right) {
    int product = 0;
    int shifted = right;
    for (int power = ONE; power != 0; power >>>= 1) {
      if ((left & power) != 0) {
        product ^= shifted;
      }
      shifted = (shifted >>> 1) ^ ((shifted & 1) == 0 ? 0 : POLYNOMIAL);
    }
    return product;
  }
}
