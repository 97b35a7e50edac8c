package io.magpie.verification.check;

import io.magpie.verification.history.Access;
import java.util.Arrays;

/**
 * The accesses of one attempt in order of object, version, and reads before writes. Versions count
 * from the object's initial stamp, modulo 2^32. Reused for one attempt after the other.
 */
final class Footprint {
  /** Up to this many keys insertion sort is the faster one. */
  private static final int FEW = 40;

  private final ObjectIndex objects;
  private long[] keys = new long[64];
  private int size;

  Footprint(ObjectIndex objects) {
    this.objects = objects;
  }

  /**
   * Takes the accesses {@code from .. to - 1}. Of an attempt that did not commit it leaves out the
   * writes, as they made no version, and the reads of them.
   */
  void load(long[] accesses, int from, int to, boolean committed) {
    sort(accesses, from, to);
    if (!committed) {
      leaveOutWrites();
    }
  }

  private void leaveOutWrites() {
    int n = 0;
    long write = -1;
    for (int i = 0; i < size; i++) {
      if (isWrite(keys[i])) {
        write = keys[i];
      } else if (write < 0 || keys[i] != write + 1) {
        keys[n++] = keys[i];
      }
    }
    size = n;
  }

  private void sort(long[] accesses, int from, int to) {
    int n = to - from;
    if (keys.length < n) {
      keys = new long[Math.max(n, 2 * keys.length)];
    }
    for (int i = 0; i < n; i++) {
      keys[i] = key(accesses[from + i]);
    }
    size = n;
    if (n > FEW) {
      Arrays.sort(keys, 0, n);
      return;
    }
    for (int i = 1; i < n; i++) {
      long key = keys[i];
      int at = i;
      for (; at > 0 && keys[at - 1] > key; at--) {
        keys[at] = keys[at - 1];
      }
      keys[at] = key;
    }
  }

  private long key(long access) {
    int object = objects.index(Access.object(access));
    long version = (Access.stamp(access) - objects.initialStamp(object)) & 0xffffffffL;
    return (long) object << 33 | version << 1 | (Access.isWrite(access) ? 1 : 0);
  }

  int size() {
    return size;
  }

  long key(int index) {
    return keys[index];
  }

  /** The index of a key's object. */
  static int object(long key) {
    return (int) (key >>> 33);
  }

  /** The version that a key reads or finds. */
  static long version(long key) {
    return (key >>> 1) & 0xffffffffL;
  }

  static boolean isWrite(long key) {
    return (key & 1) != 0;
  }
}
