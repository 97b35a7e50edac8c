package io.magpie.stm;

import io.magpie.stm.internal.ElementType;
import io.magpie.stm.internal.RankAllocator;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;

/**
 * Transactional objects of a device: a 32-bit tracking word for each, to be opened by regions. What
 * the objects stand for is the algorithm's business; their data lie in ordinary arrays.
 *
 * <p>Each array of objects hands out the ranks of the transactions on it, and remembers under which
 * policy its words were last used; a run under another policy refills them. Several arrays may take
 * part in one run.
 */
public final class StmObjects implements Device.Owned {
  private static final long MOST = (1L << 32) - 2;
  static final int WORDS_OF_KB = 256;

  /** Tags of policies are below; what an array tells of its versions is above. */
  static final int MOST_POLICIES = 256;

  private static final int MOST_KILOBYTES = 1 << 24;

  private final Device device;
  private final boolean inCells;
  private long count;
  private DeviceArray<int[]> words;
  private final RankAllocator ranks = new RankAllocator();
  private Policy filledFor = Policy.HAND_OFF;
  private boolean spoiled;

  StmObjects(Device device, long count) {
    checkCount(count);
    this.device = device;
    this.inCells = false;
    this.count = count;
    this.words = allocate(filledFor, count);
  }

  /** Those of cells, whose words are zeros. */
  StmObjects(Device device, long count, DeviceArray<int[]> wordsOfCells) {
    this.device = device;
    this.inCells = true;
    this.count = count;
    this.words = wordsOfCells;
    if (filledFor.unclaimedWord() != 0) {
      words.fill(filledFor.unclaimedWord());
    }
  }

  static void checkCount(long count) {
    if (count < 0 || count > MOST) {
      throw new IllegalArgumentException(
          "the number of objects must be from 0 to 2^32 - 2, got " + count);
    }
  }

  /** 32-bit words that an object has behind all words, of a version or a record. */
  private static int wordsBehind(Policy policy) {
    return policy.hasDescriptors() ? 2 : policy.hasVersionsApart() ? 1 : 0;
  }

  /** Words of so many objects, and behind them what the policy has there. */
  private DeviceArray<int[]> allocate(Policy policy, long count) {
    long words = count;
    if (wordsBehind(policy) > 0) {
      if (kilobytes(count) >= MOST_KILOBYTES) {
        throw new IllegalArgumentException(
            count + " objects are too many for " + policy + ": their versions follow all words");
      }
      words = kilobytes(count) * WORDS_OF_KB + wordsBehind(policy) * count;
    }
    return DeviceArray.allocate(device, ElementType.INT, words, "array of " + count + " objects");
  }

  private static long kilobytes(long words) {
    return (words + WORDS_OF_KB - 1) / WORDS_OF_KB;
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
    return count(filledFor::isClaimed);
  }

  /** How many words are locked; see {@link #lockedObjects()}. */
  long locked() {
    return count(filledFor::isLocked);
  }

  /**
   * The objects that are locked, in ascending order: after a run that threw, those whose data are
   * <em>suspect</em>, because a commit that was to write them may not have come to its end, or,
   * under policies that write in place, an attempt that never commits. All other objects have what
   * the last commit left that wrote them. None after a run that returned.
   *
   * <p>Cautious in three cases, in which a locked object's data are whole: a lock taken by a
   * transaction that was yet to write, or that had written everything and was yet to release it;
   * and, under {@link Policy#HAND_OFF}, a claim that ended within its two steps.
   *
   * @throws IllegalStateException if they are more than a Java array holds
   */
  public long[] lockedObjects() {
    return where(filledFor::isLocked, Long.MAX_VALUE);
  }

  /**
   * The objects that are claimed but not locked, in ascending order: after a run that threw, those
   * that a transaction had opened, or was granted, and not locked. Their data are untouched by it.
   *
   * @throws IllegalStateException if they are more than a Java array holds
   */
  public long[] claimedObjects() {
    return where(word -> filledFor.isClaimed(word) && !filledFor.isLocked(word), Long.MAX_VALUE);
  }

  /** The first objects that are locked, at most this many. */
  long[] firstLocked(int most) {
    return where(filledFor::isLocked, most);
  }

  private long count(IntPredicate wanted) {
    long[] found = {0};
    forEachWord(
        (id, word) -> {
          found[0] += wanted.test(word) ? 1 : 0;
          return true;
        });
    return found[0];
  }

  private long[] where(IntPredicate wanted, long most) {
    LongStream.Builder found = LongStream.builder();
    long[] size = {0};
    forEachWord(
        (id, word) -> {
          if (wanted.test(word)) {
            if (size[0] == Integer.MAX_VALUE - 8) {
              throw new IllegalStateException("more than 2^31 - 9 of " + this);
            }
            found.add(id);
            size[0]++;
          }
          return size[0] < most;
        });
    return found.build().toArray();
  }

  private interface Visitor {
    /** False: that is enough. */
    boolean visit(long id, int word);
  }

  /** Each object's word, or the lower half of its record, which comes first. */
  private void forEachWord(Visitor visitor) {
    int step = filledFor.hasDescriptors() ? 2 : 1;
    long first = filledFor.hasDescriptors() ? kilobytes(count) * WORDS_OF_KB : 0;
    int[] chunk = new int[(int) Math.min(count, 1 << 20) * step];
    for (long done = 0; done < count; done += chunk.length / step) {
      int part = (int) Math.min(chunk.length / step, count - done);
      words().copyTo(chunk, 0, first + done * step, part * step);
      for (int i = 0; i < part; i++) {
        if (!visitor.visit(done + i, chunk[i * step])) {
          return;
        }
      }
    }
  }

  /** Makes all objects unclaimed, as a run does by itself after one that threw. */
  public void reset() {
    device.exclusively(
        () -> {
          fill(filledFor);
          return null;
        });
  }

  /**
   * Adds objects at the end, unclaimed; the others are as they were. Not for objects that a
   * recording has.
   *
   * @param newCount at least the present number, at most 2^32 - 2
   * @throws IllegalStateException if a launch is in flight on them, or they are in cells
   * @throws DeviceOutOfMemoryException if there is no memory; nothing has changed
   */
  public void grow(long newCount) {
    checkCount(newCount);
    if (inCells) {
      throw new IllegalStateException(
          this + " cannot grow: make larger cells, and copy the data to them");
    }
    device.exclusively(
        () -> {
          if (newCount < count) {
            throw new IllegalArgumentException(this + " cannot shrink to " + newCount);
          }
          if (!ranks.quiescent()) {
            throw new IllegalStateException(this + " is in use and cannot grow");
          }
          DeviceArray<int[]> larger = allocate(filledFor, newCount);
          larger.slice(0, count).copyFrom(words().slice(0, count));
          larger.slice(count, larger.length() - count).fill(filledFor.unclaimedWord());
          words.close();
          words = larger;
          count = newCount;
          return null;
        });
  }

  /** Frees the words. Closing twice is harmless. */
  @Override
  public void close() {
    words.close();
  }

  private DeviceArray<int[]> words() {
    if (isClosed()) {
      throw new IllegalStateException(this + " are closed");
    }
    return words;
  }

  boolean isClosed() {
    return words.isClosed();
  }

  long address() {
    return words().firstAddress();
  }

  /** Bytes of the words, and of what lies behind them; in cells, of the cells. */
  long bytes() {
    return inCells ? count * stride() : words().bytes();
  }

  /** Bytes from a tracking word to the next. */
  int stride() {
    return inCells ? words.spacing().stride() : Integer.BYTES;
  }

  RankAllocator ranks() {
    return ranks;
  }

  /**
   * What the device gets: the policy's tag, and above it how many KB behind the words versions or
   * records lie.
   */
  int policyTag() {
    long distance = wordsBehind(filledFor) > 0 ? kilobytes(count) : 0;
    return (int) (filledFor.tag() + distance * MOST_POLICIES);
  }

  /** Notes that a launch ended in the middle of transactions: their claims are nobody's. */
  void spoil() {
    spoiled = true;
  }

  /**
   * Whether a run under a policy may have them.
   *
   * @throws MagpieException if not
   */
  void requireFit(Policy policy) {
    if (inCells && !policy.takesCells()) {
      throw new MagpieException(
          this
              + " cannot be used under "
              + policy
              + ", whose objects have versions: keep data and objects in two arrays, as"
              + " guarded<T>");
    }
  }

  /** Whether the words are those of a policy, all unclaimed. */
  boolean isReadyFor(Policy policy) {
    return policy == filledFor && !spoiled;
  }

  /** Makes the words those of a policy, all unclaimed; no launch may be in flight on them. */
  void prepare(Policy policy) {
    if (!isReadyFor(policy)) {
      fill(policy);
    }
  }

  /** Before a launch, after {@link #prepare}. */
  void beginLaunch() {
    if (filledFor.hasWordsOfLaunch()) {
      fill(filledFor);
    }
  }

  private void fill(Policy policy) {
    if (!ranks.quiescent()) {
      throw new IllegalStateException(
          this + " is in use under " + filledFor + " and cannot be used under " + policy);
    }
    if (wordsBehind(policy) != wordsBehind(filledFor)) {
      DeviceArray<int[]> other = allocate(policy, count);
      words().close();
      words = other;
    }
    words().fill(policy.unclaimedWord());
    filledFor = policy;
    spoiled = false;
  }

  @Override
  public String toString() {
    return count
        + (inCells ? " objects in cells on " : " objects on ")
        + device.description().spec();
  }
}
