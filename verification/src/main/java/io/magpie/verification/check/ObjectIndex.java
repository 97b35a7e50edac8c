package io.magpie.verification.check;

import io.magpie.verification.history.Access;
import io.magpie.verification.history.History;
import java.util.Arrays;

/**
 * The objects of a history by index: their numbers, or, where these are so sparse that tables by
 * number would be out of proportion, their positions among those accessed.
 */
final class ObjectIndex {
  /** Tables of this many entries are never out of proportion. */
  private static final int SMALL = 1 << 20;

  /** Indices are part of 64-bit keys next to a 32-bit version and a bit. */
  private static final int MOST = 1 << 30;

  private final int count;
  private final int[] numbers;
  private final int[] initialStamps;

  /**
   * @param initialStamps by object number; null if all are 0
   * @param finalStamps by object number; null if they are not known
   */
  ObjectIndex(History history, int[] initialStamps, int[] finalStamps) {
    int greatest = history.greatestObject();
    this.initialStamps = initialStamps;
    if (initialStamps != null || finalStamps != null) {
      numbers = null;
      count = (initialStamps != null ? initialStamps : finalStamps).length;
    } else if (greatest < Math.max(SMALL, 4 * history.accesses())) {
      numbers = null;
      count = greatest + 1;
    } else {
      numbers = numbers(history);
      count = numbers.length;
    }
    if (count > MOST) {
      throw new IllegalArgumentException(count + " objects, at most " + MOST);
    }
  }

  private static int[] numbers(History history) {
    if (history.accesses() > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(history.accesses() + " accesses to sparse objects");
    }
    int[] all = new int[(int) history.accesses()];
    int n = 0;
    for (int b = 0; b < history.blocks(); b++) {
      long[] accesses = history.blockAccesses(b);
      int end = history.blockStarts(b)[history.blockSize(b)];
      for (int i = 0; i < end; i++) {
        all[n++] = Access.object(accesses[i]);
      }
    }
    Arrays.parallelSort(all);
    int distinct = 0;
    for (int i = 0; i < n; i++) {
      if (i == 0 || all[i] != all[i - 1]) {
        all[distinct++] = all[i];
      }
    }
    return Arrays.copyOf(all, distinct);
  }

  /** Number of indices. */
  int count() {
    return count;
  }

  int index(int number) {
    return numbers == null ? number : Arrays.binarySearch(numbers, number);
  }

  int number(int index) {
    return numbers == null ? index : numbers[index];
  }

  /** The stamp of an object before the history. */
  int initialStamp(int index) {
    return initialStamps == null ? 0 : initialStamps[number(index)];
  }

  /** The stamp of a version, as an unsigned number. */
  long stamp(int index, long version) {
    return (initialStamp(index) + version) & 0xffffffffL;
  }
}
