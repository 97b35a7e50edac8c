package io.magpie.verification.history;

import io.magpie.stm.Recording.Format;

/**
 * One access of an attempt in one 64-bit word, as logs hold it: {@code object | write << 31 | stamp
 * << 32}.
 */
public final class Access {
  private static final long WRITE = 1L << Format.WRITE_BIT;

  private Access() {}

  /**
   * A read.
   *
   * @param object the object, 0 or greater
   * @param stamp the version that it saw, as an unsigned 32-bit number
   */
  public static long read(int object, int stamp) {
    if (object < 0) {
      throw new IllegalArgumentException("object " + object + " is negative");
    }
    return (long) stamp << Format.STAMP_AT | object;
  }

  /**
   * A write.
   *
   * @param object the object, 0 or greater
   * @param stamp the version that it found, as an unsigned 32-bit number; it makes the next one
   */
  public static long write(int object, int stamp) {
    return read(object, stamp) | WRITE;
  }

  /** The object of an access. */
  public static int object(long access) {
    return (int) access & Integer.MAX_VALUE;
  }

  /** Whether an access is a write. */
  public static boolean isWrite(long access) {
    return (access & WRITE) != 0;
  }

  /** The version that an access read or found. */
  public static int stamp(long access) {
    return (int) (access >>> Format.STAMP_AT);
  }

  /** The text form: {@code r3@0}, {@code w3@0}. */
  public static String toString(long access) {
    return (isWrite(access) ? "w" : "r")
        + object(access)
        + '@'
        + Integer.toUnsignedString(stamp(access));
  }
}
