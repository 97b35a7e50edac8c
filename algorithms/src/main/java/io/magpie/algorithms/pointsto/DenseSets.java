package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;

/** Dense sets: a row of bits for each variable, one bit for each location. */
final class DenseSets implements Sets {
  /** Words that are copied from the device at a time. */
  private static final int BLOCK = 1 << 20;

  private final int variables;
  private final int[] locations;
  private final long wordsPerRow;
  private final DeviceArray<long[]> words;
  private final DeviceArray<long[]> sent;
  private final DeviceArray<long[]> dereferenced;
  private final DeviceArray<long[]> difference;

  /**
   * @param differences whether there are sets, too, of what was sent on, of what was dereferenced,
   *     and of what is new
   */
  DenseSets(DeviceConstraints constraints, boolean differences) {
    this.variables = constraints.variables();
    this.locations = constraints.locations();
    this.wordsPerRow = wordsPerRow(locations.length);
    Scratch scratch = constraints.scratch();
    long length = variables * wordsPerRow;
    try {
      this.words = scratch.longs("words", length);
      this.sent = scratch.longs("sent", differences ? length : 0);
      this.difference = scratch.longs("difference", differences ? length : 0);
      this.dereferenced = scratch.longs("dereferenced", sent.length());
    } catch (DeviceOutOfMemoryException e) {
      throw tooLarge(constraints, differences, e);
    }
    words.fill(0);
    sent.fill(0);
    dereferenced.fill(0);
  }

  /** Says what the words are, and what would need fewer. */
  private static DeviceOutOfMemoryException tooLarge(
      DeviceConstraints constraints, boolean differences, DeviceOutOfMemoryException e) {
    String what =
        String.format(
            "%s of points-to sets (%,d variables by %,d whose address is taken, a bit for each"
                + " pair; %s)",
            differences ? "one of four arrays" : "the array",
            constraints.variables(),
            constraints.locations().length,
            differences
                ? "sets=sparse may need less, and propagation=push or pull has one such array"
                : "sets=sparse may need less");
    DeviceOutOfMemoryException told =
        new DeviceOutOfMemoryException(
            what, constraints.device().description().spec(), e.neededBytes(), e.freeBytes());
    told.initCause(e);
    return told;
  }

  /** How many words a set of so many locations has. */
  static long wordsPerRow(int locations) {
    return Math.max(1, (locations + WORD - 1) / WORD);
  }

  @Override
  public String kernel(String name) {
    return name;
  }

  @Override
  public long work() {
    return words.length();
  }

  @Override
  public long work(int members) {
    return members * wordsPerRow;
  }

  @Override
  public boolean makeRoom() {
    return false; // there is room for all
  }

  @Override
  public Fields fields() {
    return fields(words);
  }

  @Override
  public Fields sentFields() {
    return fields(sent);
  }

  @Override
  public Fields dereferencedFields() {
    return fields(dereferenced);
  }

  @Override
  public Fields differenceFields() {
    return fields(difference);
  }

  private Fields fields(DeviceArray<long[]> rows) {
    return new Fields()
        .set("words_per_row", rows.length() == 0 ? 0 : wordsPerRow)
        .set("words", rows);
  }

  @Override
  public void copyTo(PointsToResult.Builder result, int[] roots) {
    int rows = (int) Math.max(1, BLOCK / wordsPerRow);
    for (long next = 0; next < variables; next += rows) {
      int first = (int) next;
      int count = Math.min(rows, variables - first);
      long[] block = words.slice(first * wordsPerRow, count * wordsPerRow).toArray();
      for (int v = first; v < first + count; v++) {
        if (roots[v] == v) {
          result.add(set(block, (int) ((v - first) * wordsPerRow)));
        } else {
          result.addSame(roots[v]);
        }
      }
    }
  }

  private int[] set(long[] block, int from) {
    int size = 0;
    for (int k = 0; k < wordsPerRow; k++) {
      size += Long.bitCount(block[from + k]);
    }
    int[] set = new int[size];
    int next = 0;
    for (int k = 0; k < wordsPerRow; k++) {
      for (long word = block[from + k]; word != 0; word &= word - 1) {
        set[next++] = locations[k * WORD + Long.numberOfTrailingZeros(word)];
      }
    }
    return set;
  }

  @Override
  public void close() {} // arrays are the workspace's
}
