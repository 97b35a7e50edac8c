package io.magpie.verification.history;

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
  private static final int DATUM_BITS = 40;
  private static final int KIND_MASK = 15;
  private static final int AGAIN = 1 << 4;
  private static final int LINE_SHIFT = 5;

  /** How a datum was accessed, in the order of their numbers. */
  public enum Kind {
    /** Read in the transaction. */
    READ,
    /** Written in the transaction, by its commit. */
    WRITE,
    /** Read past it, for a hint. */
    PEEK,
    /** None: the object was opened. */
    OPENED,
    /** None: a slot was taken. */
    TAKEN,
    /** None: a slot was freed. */
    FREED,
    /** None: an item was pushed. */
    PUSHED,
    /** None: slots taken and items pushed do not count but for the first so many. */
    UNDONE;

    private static final Kind[] ALL = values();
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
    return what & (1L << DATUM_BITS) - 1;
  }

  /** How it was accessed. */
  public Kind kind() {
    return Kind.ALL[(int) (what >>> DATUM_BITS) & KIND_MASK];
  }

  /** The line of the call in its source file; 0 if it is not known. */
  public int line() {
    return (int) (what >>> DATUM_BITS + LINE_SHIFT);
  }

  /** Whether the words are those of an access whose object's version was logged before. */
  static boolean isAgain(long what) {
    return ((what >>> DATUM_BITS) & AGAIN) != 0;
  }
}
