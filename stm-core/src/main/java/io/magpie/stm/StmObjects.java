package io.magpie.stm;

import io.magpie.stm.internal.RankAllocator;

/**
 * Transactional objects of a device: a 32-bit tracking word for each, to be opened by regions. What
 * the objects stand for is the algorithm's business; their data lie in ordinary arrays beside them.
 *
 * <p>Each array of objects hands out the ranks of the transactions on it, and remembers under which
 * policy its words were last used; a run under another policy refills them. Several arrays may take
 * part in one run.
 */
public final class StmObjects implements Device.Owned {
  private static final long MOST = (1L << 32) - 2;

  private final Device device;
  private final long count;
  private final DeviceArray<int[]> words;
  private final RankAllocator ranks = new RankAllocator();
  private Policy filledFor = Policy.HAND_OFF;
  private boolean spoiled;

  StmObjects(Device device, long count) {
    if (count < 0 || count > MOST) {
      throw new IllegalArgumentException(
          "the number of objects must be from 0 to 2^32 - 2, got " + count);
    }
    this.device = device;
    this.count = count;
    this.words =
        DeviceArray.allocate(device, ElementType.INT, count, "array of " + count + " objects");
  }

  /** Number of objects. */
  public long count() {
    return count;
  }

  /** The device they lie on. */
  public Device device() {
    return device;
  }

  /**
   * How many words are claimed or locked: for tests and for looking into faults. After a run that
   * returned there are none, whatever its outcome. One that threw may leave some; the next run
   * begins with all of them unclaimed.
   */
  public long claimed() {
    int unclaimed = filledFor.unclaimedWord();
    long claimed = 0;
    int[] chunk = new int[(int) Math.min(count, 1 << 20)];
    for (long done = 0; done < count; done += chunk.length) {
      int part = (int) Math.min(chunk.length, count - done);
      words.copyTo(chunk, 0, done, part);
      for (int i = 0; i < part; i++) {
        if (chunk[i] != unclaimed) {
          claimed++;
        }
      }
    }
    return claimed;
  }

  /** Makes all objects unclaimed, as a run does by itself after one that threw. */
  public void reset() {
    device.exclusively(
        () -> {
          fill(filledFor);
          return null;
        });
  }

  /** Frees the words. Closing twice is harmless. */
  @Override
  public void close() {
    words.close();
  }

  long address() {
    return words.address();
  }

  RankAllocator ranks() {
    return ranks;
  }

  int policyTag() {
    return filledFor.tag();
  }

  /** Notes that a launch ended in the middle of transactions: their claims are nobody's. */
  void spoil() {
    spoiled = true;
  }

  /** Makes the words those of a policy, all unclaimed; no launch may be in flight on them. */
  void prepare(Policy policy) {
    if (policy == filledFor && !spoiled) {
      return;
    }
    fill(policy);
  }

  private void fill(Policy policy) {
    if (!ranks.quiescent()) {
      throw new IllegalStateException(
          this + " is in use under " + filledFor + " and cannot be used under " + policy);
    }
    words.fill(policy.unclaimedWord());
    filledFor = policy;
    spoiled = false;
  }

  @Override
  public String toString() {
    return count + " objects on " + device.description().spec();
  }
}
