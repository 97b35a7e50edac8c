package io.magpie.stm;

/**
 * An object that transactions met at, as {@link RegionReport#hotObjects()} lists them.
 *
 * @param array the region's field that has it, {@code member.field} in a struct, so that of a
 *     guarded array {@code member.guards}; the first of several fields with the same objects; or
 *     {@link #UNKNOWN}
 * @param index which of the field's objects; of an unknown one the address of its tracking word
 * @param conflicts how often transactions met at it
 * @param share its part of all conflicts of the run, from 0 to 1
 */
public record HotObject(String array, long index, long conflicts, double share) {
  /**
   * In place of a field's name: the region opened an object of none of its fields, such as of
   * {@code objects} that it made itself.
   */
  public static final String UNKNOWN = "unknown";

  /** What to call it: {@code accounts[17]}. */
  public String name() {
    return array.equals(UNKNOWN)
        ? "unknown object at 0x" + Long.toHexString(index)
        : array + "[" + index + "]";
  }
}
