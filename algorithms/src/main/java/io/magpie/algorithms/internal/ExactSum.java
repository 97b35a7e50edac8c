package io.magpie.algorithms.internal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * A sum without rounding, of whole numbers or of finite doubles: a fixed-point number wide enough
 * for every double, in digits of 32 bits with room for carries (Kulisch's accumulator). Not for use
 * by several threads at once; sums of parts are {@linkplain #add(ExactSum) added}.
 */
public final class ExactSum {
  /** The exponent of the least double's bit. */
  private static final int LEAST_EXPONENT = -1074;

  private static final int DIGIT = 32;
  private static final long MASK = (1L << DIGIT) - 1;

  /** Bits of the largest double and of 2^63 of them, and a digit for the sign. */
  private static final int DIGITS = (1024 - LEAST_EXPONENT + 63) / DIGIT + 2;

  /** Additions that no digit can overflow by. */
  private static final int BEFORE_CARRIES = 1 << 29;

  private final long[] digits = new long[DIGITS];
  private final int beforeCarries;
  private int pending;

  /** Of nothing so far. */
  public ExactSum() {
    this(BEFORE_CARRIES);
  }

  /**
   * The same, with carries sooner.
   *
   * @param beforeCarries additions to digits after which they are carried, 1 to {@code 2^29}
   */
  ExactSum(int beforeCarries) {
    this.beforeCarries = beforeCarries;
  }

  /** Adds a whole number. */
  public void add(long value) {
    // 64 bits in three digits: the low 32 bits, and the rest with its sign.
    addShifted(value & MASK, -LEAST_EXPONENT);
    addShifted(value >> DIGIT, DIGIT - LEAST_EXPONENT);
  }

  /** Adds a finite number. */
  public void add(double value) {
    long bits = Double.doubleToRawLongBits(value);
    int biased = (int) (bits >>> 52) & 0x7ff;
    if (biased == 0x7ff) {
      throw new IllegalArgumentException(value + " has no exact sum");
    }
    long fraction = bits & ((1L << 52) - 1);
    long significand = biased == 0 ? fraction : fraction | 1L << 52;
    int place = Math.max(0, biased - 1);
    if (bits < 0) {
      addShifted(-(significand & MASK), place);
      addShifted(-(significand >>> DIGIT), place + DIGIT);
    } else {
      addShifted(significand & MASK, place);
      addShifted(significand >>> DIGIT, place + DIGIT);
    }
  }

  /** Adds a number of at most 32 bits and a sign, times 2 to the place. */
  private void addShifted(long value, int place) {
    int digit = place / DIGIT;
    long shifted = value << place % DIGIT;
    digits[digit] += shifted & MASK;
    digits[digit + 1] += shifted >> DIGIT;
    if (++pending == beforeCarries) {
      carry();
    }
  }

  /** Adds another sum. */
  public void add(ExactSum other) {
    carry();
    other.carry();
    for (int i = 0; i < DIGITS; i++) {
      digits[i] += other.digits[i];
    }
    carry();
  }

  /** Brings every digit but the last, which has the sign, into 0 to 2^32 - 1. */
  private void carry() {
    for (int i = 0; i + 1 < DIGITS; i++) {
      digits[i + 1] += digits[i] >> DIGIT;
      digits[i] &= MASK;
    }
    pending = 0;
  }

  /** The sum, exactly, without zeros at the end of its fraction. */
  public BigDecimal value() {
    carry();
    if (Arrays.stream(digits).allMatch(digit -> digit == 0)) {
      return BigDecimal.ZERO;
    }
    BigInteger whole = BigInteger.valueOf(digits[DIGITS - 1]);
    for (int i = DIGITS - 2; i >= 0; i--) {
      whole = whole.shiftLeft(DIGIT).or(BigInteger.valueOf(digits[i]));
    }
    // whole / 2^1074, of whose powers of two those that whole has are taken first.
    int common = Math.min(whole.getLowestSetBit(), -LEAST_EXPONENT);
    int places = -LEAST_EXPONENT - common;
    return new BigDecimal(
        whole.shiftRight(common).multiply(BigInteger.valueOf(5).pow(places)), places);
  }
}
