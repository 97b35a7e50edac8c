package io.magpie.verification.data;

/** How arrays grow. */
final class Growth {
  private static final int GREATEST = Integer.MAX_VALUE - 8;

  private Growth() {}

  /**
   * The length of an array that was full: half as much again.
   *
   * @throws OutOfMemoryError if no array is so long
   */
  static int capacity(long wanted, int length) {
    if (wanted > GREATEST) {
      throw new OutOfMemoryError("an array of " + wanted + " elements");
    }
    return (int) Math.max(wanted, Math.min(GREATEST, length + (length >>> 1) + 16L));
  }
}
