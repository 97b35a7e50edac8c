package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;

/**
 * Numbers labels in the order of their first appearance. Open addressing, at most half full: 24 to
 * 48 bytes for each label.
 */
final class LabelNumbers {
  private static final long FREE = -1;
  private static final int MAX_LABELS = 1 << 29;

  private long[] labels = free(1 << 10);
  private int[] numbers = new int[1 << 10];
  private int count;

  private static long[] free(int length) {
    long[] result = new long[length];
    Arrays.fill(result, FREE);
    return result;
  }

  /** The number of a label, which is not negative. */
  int of(long label) {
    int slot = slot(label);
    if (labels[slot] == FREE) {
      if (count == MAX_LABELS) {
        throw new GraphTooLargeException("labels to be renumbered", count + 1L, MAX_LABELS);
      }
      labels[slot] = label;
      numbers[slot] = count++;
      if (2 * count > labels.length) {
        grow();
        return count - 1;
      }
    }
    return numbers[slot];
  }

  private int slot(long label) {
    int mask = labels.length - 1;
    int slot = (int) SeededHash.mix(label) & mask;
    while (labels[slot] != FREE && labels[slot] != label) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldLabels = labels;
    int[] oldNumbers = numbers;
    labels = free(2 * oldLabels.length);
    numbers = new int[2 * oldLabels.length];
    for (int i = 0; i < oldLabels.length; i++) {
      if (oldLabels[i] != FREE) {
        int slot = slot(oldLabels[i]);
        labels[slot] = oldLabels[i];
        numbers[slot] = oldNumbers[i];
      }
    }
  }
}
