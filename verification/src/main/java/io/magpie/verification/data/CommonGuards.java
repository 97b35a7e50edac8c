package io.magpie.verification.data;

/**
 * Of each datum an object that all accesses to it have had open so far, if the first one that was
 * tried is such. Takes 16 bytes for a datum, in a table that is three quarters full at most: up to
 * 43, and 64 while it grows.
 */
final class CommonGuards {
  private static final long DATUM = (1L << 40) - 1;
  private static final long USED = 1L << 40;
  private static final long SHARED = 1L << 41;
  private static final long WRITTEN = 1L << 42;

  /** In place of an object: the first one was not open at some access. */
  private static final int NONE = -1;

  /** The same, of a datum that has a number. */
  private static final int NUMBERED = -2;

  /**
   * Two words for each place: the datum with what is known of it, or 0; and the object above the
   * attempt that used it first. Of a numbered one the number is in place of that attempt.
   */
  private long[] table = new long[64];

  private int size;
  private int numbered;

  /**
   * An access.
   *
   * @param place of its attempt
   * @param object through which it is
   * @param open the objects open before it
   */
  void note(long datum, int place, int object, boolean writes, ObjectSet open) {
    int at = slot(datum);
    long written = writes ? WRITTEN : 0;
    if (table[at] == 0) {
      int guard = open.contains(object) ? object : open.size() > 0 ? open.member(0) : NONE;
      table[at] = datum | USED | written;
      table[at + 1] = (long) guard << 32 | place;
      if (8L * ++size > 3L * table.length) {
        grow();
      }
      return;
    }
    long known = table[at + 1];
    table[at] |= written | ((int) known == place ? 0 : SHARED);
    int guard = (int) (known >> 32);
    if (guard != NONE && !open.contains(guard)) {
      table[at + 1] = (long) NONE << 32 | known & 0xffffffffL;
    }
  }

  /**
   * The number of a datum that several attempts use and one writes, without such an object. They
   * are numbered from 0 in the order in which they are asked for; -1 if it is none of these.
   */
  int number(long datum) {
    int at = slot(datum);
    int guard = (int) (table[at + 1] >> 32);
    if (guard >= 0 || (table[at] & SHARED) == 0 || (table[at] & WRITTEN) == 0) {
      return -1;
    }
    if (guard == NONE) {
      table[at + 1] = (long) NUMBERED << 32 | numbered++;
    }
    return (int) table[at + 1];
  }

  /** How many data there are that would have a number. */
  int doubtful() {
    int doubtful = 0;
    for (int at = 0; at < table.length; at += 2) {
      boolean matters = (table[at] & SHARED) != 0 && (table[at] & WRITTEN) != 0;
      doubtful += matters && table[at + 1] < 0 ? 1 : 0;
    }
    return doubtful;
  }

  private void grow() {
    if (table.length > 1 << 29) {
      throw new OutOfMemoryError(size + " data");
    }
    long[] old = table;
    table = new long[2 * old.length];
    for (int i = 0; i < old.length; i += 2) {
      if (old[i] != 0) {
        int at = slot(old[i] & DATUM);
        table[at] = old[i];
        table[at + 1] = old[i + 1];
      }
    }
  }

  /** Where a datum is, or would be. */
  private int slot(long datum) {
    int mask = table.length - 1;
    int at = Hash.of(datum) << 1 & mask;
    while (table[at] != 0 && (table[at] & DATUM) != datum) {
      at = at + 2 & mask;
    }
    return at;
  }
}
