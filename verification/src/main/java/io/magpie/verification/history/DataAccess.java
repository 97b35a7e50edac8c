package io.magpie.verification.history;

import io.magpie.stm.Recording.Format;

/**
 * One access of an attempt to a datum, or what else it did in that place, as logs hold it; {@code
 * magpie/stm/detail/history.cuh} has the format.
 *
 * @param access the object that guarded it and its version as {@link Access} has them; of an object
 *     that was {@link Kind#OPENED} its turn in place of the version; of slots and items a pool and
 *     a number
 * @param what the datum, how it was accessed, and where in the source
 */
public record DataAccess(long access, long what) {
  private static final int KIND_MASK = (1 << Format.AGAIN_BIT - Format.KIND_AT) - 1;

  /** How a datum was accessed. */
  public enum Kind {
    /** Read in the transaction. */
    READ(Format.READ),
    /** Written in the transaction, by its commit. */
    WRITE(Format.WRITE),
    /** Read past it, for a hint. */
    PEEK(Format.PEEK),
    /** None: the object was opened. */
    OPENED(Format.OPENED),
    /** None: a slot was taken. */
    TAKEN(Format.TAKEN),
    /** None: a slot was freed. */
    FREED(Format.FREED),
    /** None: an item was pushed. */
    PUSHED(Format.PUSHED),
    /** None: slots taken and items pushed do not count but for the first so many. */
    UNDONE(Format.UNDONE);

    private static final Kind[] BY_NUMBER = new Kind[KIND_MASK + 1];

    static {
      for (Kind each : values()) {
        BY_NUMBER[each.number] = each;
      }
    }

    private final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  /** The object that guarded it. */
  public int object() {
    return Access.object(access);
  }

  /** Of an opened object: how many commits had it open before. */
  public int turn() {
    return Access.stamp(access);
  }

  /** Of a slot that was taken or freed: which of its region's pools it is of. */
  public int pool() {
    return Access.object(access);
  }

  /** Of such a slot or a pushed item its number; after what was undone, how much still counts. */
  public int number() {
    return Access.stamp(access);
  }

  /** The datum's number. */
  public long datum() {
    return datum(what);
  }

  /** The same of the second word alone. */
  public static long datum(long what) {
    return what & (1L << Format.KIND_AT) - 1;
  }

  /** How it was accessed. */
  public Kind kind() {
    return kind(what);
  }

  /** The same of the second word alone. */
  public static Kind kind(long what) {
    return Kind.BY_NUMBER[(int) (what >>> Format.KIND_AT) & KIND_MASK];
  }

  /** The line of the call in its source file; 0 if it is not known. */
  public int line() {
    return (int) (what >>> Format.LINE_AT);
  }

  /** Whether the words are those of an access whose object's version was logged before. */
  static boolean isAgain(long what) {
    return (what >>> Format.AGAIN_BIT & 1) != 0;
  }
}
