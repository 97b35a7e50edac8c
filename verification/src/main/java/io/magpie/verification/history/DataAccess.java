package io.magpie.verification.history;

/**
 * One access of an attempt to a datum, as logs hold it; {@code magpie/stm/detail/history.cuh} has
 * the format.
 *
 * @param access the object that guarded it and its version as {@link Access} has them; of an object
 *     that was {@link Kind#OPENED} its turn in place of the version
 * @param what the datum, how it was accessed, and where in the source
 */
public record DataAccess(long access, long what) {
  private static final int DATUM_BITS = 40;
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
    OPENED;

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

  /** The datum's number. */
  public long datum() {
    return what & (1L << DATUM_BITS) - 1;
  }

  /** How it was accessed. */
  public Kind kind() {
    return Kind.ALL[(int) (what >>> DATUM_BITS) & 3];
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
