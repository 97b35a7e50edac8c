package io.magpie.stm;

import java.util.Locale;

/**
 * How transactions that want the same object settle which of them commits. {@link #HAND_OFF} is
 * what Magpie is for, and {@link #OPTIMISTIC_HAND_OFF} a form of it for hot readers; the others are
 * there to compare with. A module is compiled for another one than the default when a run first
 * asks for it ({@link Device#compile}).
 */
public enum Policy {
  /**
   * The default. A higher rank takes an unlocked claim at once; at a lock it registers and is
   * granted the object when the holder leaves. Every item ends: the highest rank always gets
   * through.
   */
  HAND_OFF(1, Progress.STARVATION_FREE, Words.CLAIMS, 4096),
  /**
   * The published priority rule: whoever meets a lock rolls back. It may run forever, so bound its
   * attempts or rely on the timeout.
   */
  PRIORITY_RULE(2, Progress.NONE, Words.PRIORITIES, 0),
  /** Every object is locked when it is opened, and whoever meets a lock rolls back (PSTM). */
  PESSIMISTIC(3, Progress.NONE, Words.CLAIMS, 4096),
  /** One lock for all objects of a launch. */
  COARSE_LOCK(4, Progress.LIVELOCK_FREE, Words.CLAIMS, 4096),
  /**
   * A write locks its object; a read leaves no trace, and its version is looked at again (ISTM).
   * {@link RegionReport#visibility()} says how many of the objects read were written.
   */
  INVISIBLE_READS(5, Progress.NONE, Words.VERSIONS, 4096),
  /** A commit locks all that it opened, in one order for all. */
  LOCKS(6, Progress.LIVELOCK_FREE, Words.VERSIONS, 4096),
  /**
   * Versions are times of a clock; reads are looked at by the clock, then by versions, then by
   * values; a commit locks what it writes in one order for all (GPU-STM, HSTM).
   */
  HIERARCHICAL(7, Progress.NONE, Words.VERSIONS, 4096),
  /**
   * Versions for what is read, marks by priority and then locks for what is written (PR-STM). 8
   * bytes per object.
   */
  PR_STM(8, Progress.NONE, Words.PRIORITIES, 4096),
  /**
   * One transaction for each thread block, which locks all that it opened when it commits, in the
   * order in which it was opened (Cederman, blocking). With {@link StmOptions#lanes()} of 32 one
   * for each thread.
   */
  BLOCK_LEVEL(9, Progress.NONE, Words.VERSIONS, 4096),
  /**
   * {@link #HAND_OFF}, whose eager attempts look at versions of what they read and lock what they
   * write: transactions that only read an object do not meet there, and every item ends all the
   * same. For hot objects that are mostly read. Real time is kept as far as memory shows it: see
   * {@link #hasVisibleReads()}. 8 bytes per object.
   */
  OPTIMISTIC_HAND_OFF(10, Progress.STARVATION_FREE, Words.CLAIMS, 4096),
  /**
   * A commit takes what it opened, also from others: it aborts those that have not committed, and
   * takes over what others have committed and not stored (Cederman, non-blocking). Nobody waits for
   * a thread that has stopped, as long as what such threads left fits a descriptor. Not for regions
   * with {@code apply}. 12 bytes per object, and 64 KiB for a launch.
   *
   * <p>Each thread has descriptors, outside of {@link StmOptions#scratchBytes()}: 48 bytes, 432
   * times {@link Region#maxObjects()} and 216 times {@link Region#maxWrites()}, and 24 more if that
   * is an odd number. They are allocated for all threads of a launch, at most 5,592,405, before it
   * runs, and kept by the device; if they find no memory, that launch, of rounds the first or a
   * later one, does not run, and {@link StmOptions#threadsInFlight()} is to be lower. Larger logs
   * have theirs within {@code scratchBytes}, by the same formula.
   */
  OBSTRUCTION_FREE(11, Progress.OBSTRUCTION_FREE, Words.VERSIONS, 4096),
  /**
   * {@link #PESSIMISTIC}, whose transactions write in place and keep what was there before in an
   * undo log, as PSTM is published. Regions with {@code apply} are refused. Regions that reach data
   * past their transactions ({@code peek}, {@code glance}, {@code leave_hint}) could see what is
   * undone later: they do not compile under this policy. Each region is compiled by itself, so
   * others of the same module do.
   */
  PESSIMISTIC_IN_PLACE(12, Progress.NONE, Words.CLAIMS, 4096),
  /**
   * {@link #INVISIBLE_READS} in the same way, as ISTM is published; for the same regions. An object
   * whose writer failed gets a new version, too, so that nobody takes for committed what was read
   * before the undo.
   */
  INVISIBLE_READS_IN_PLACE(13, Progress.NONE, Words.VERSIONS, 4096);

  /**
   * What is promised to items that are tried again and again: while no thread stops, or by {@link
   * #OBSTRUCTION_FREE} even where threads do.
   */
  public enum Progress {
    /** Every item ends. */
    STARVATION_FREE,
    /** Of those that are tried some item ends; which, nobody promises. */
    LIVELOCK_FREE,
    /**
     * An item ends that is tried while no other one is, wherever the others have stopped, as long
     * as what they left fits a descriptor. Those tried at the same time may make each other fail
     * forever: bound their attempts.
     */
    OBSTRUCTION_FREE,
    /** Nothing: transactions may make each other fail forever. Bound their attempts. */
    NONE;

    /** Whether of items that are tried at the same time some end, as long as no thread stops. */
    public boolean excludesLivelock() {
      return this == STARVATION_FREE || this == LIVELOCK_FREE;
    }
  }

  /**
   * What the words of objects say: those of the policy's header in {@code magpie/stm/detail}.
   *
   * @param unclaimed the word of an object that nobody has
   * @param claimBits the bits that say so
   * @param lockBit the bit that says that the object is locked
   */
  private record Words(int unclaimed, int claimBits, int lockBit) {
    static final Words CLAIMS = new Words(0, -1, 1);
    static final Words PRIORITIES = new Words(0x7fffffff, -1, 1 << 31);
    static final Words VERSIONS = new Words(0, 1, 1);
  }

  private final String kernelName = name().toLowerCase(Locale.ROOT);
  private final int tag;
  private final Progress progress;
  private final Words words;
  private final int backOffNanos;

  Policy(int tag, Progress progress, Words words, int backOffNanos) {
    this.tag = tag;
    this.progress = progress;
    this.words = words;
    this.backOffNanos = backOffNanos;
  }

  /** The policy's name in module tables and on command lines, such as {@code hand_off}. */
  public String kernelName() {
    return kernelName;
  }

  /** What it promises. */
  public Progress progress() {
    return progress;
  }

  /**
   * Whether an object that is read is kept from others, or taken back from whoever read it, until
   * that transaction ends. Where it is not, versions are looked at again by loads, and real time is
   * kept as far as memory shows it.
   */
  public boolean hasVisibleReads() {
    return switch (this) {
      case HAND_OFF, PRIORITY_RULE, PESSIMISTIC, COARSE_LOCK, PESSIMISTIC_IN_PLACE -> true;
      case INVISIBLE_READS,
          LOCKS,
          HIERARCHICAL,
          PR_STM,
          BLOCK_LEVEL,
          OPTIMISTIC_HAND_OFF,
          OBSTRUCTION_FREE,
          INVISIBLE_READS_IN_PLACE ->
          false;
    };
  }

  /**
   * The longest pause between attempts, in nanoseconds, unless {@link StmOptions#backOffNanos()}
   * says otherwise; 0 = none.
   */
  public int defaultBackOffNanos() {
    return backOffNanos;
  }

  /**
   * Whether the first attempts of an item may be eager: then they wait for nothing, and those after
   * them get through. Others ignore {@link StmOptions#eagerAttempts()}.
   */
  public boolean hasEagerAttempts() {
    return this == HAND_OFF || this == OPTIMISTIC_HAND_OFF;
  }

  /**
   * The eager attempts of an item unless {@link StmOptions#eagerAttempts()} says otherwise: of
   * {@link #HAND_OFF} 16 where a region declares at most 4 objects, of {@link #OPTIMISTIC_HAND_OFF}
   * 256 where it declares at most 256, else none.
   *
   * @param maxObjects {@link Region#maxObjects()}
   */
  public int defaultEagerAttempts(int maxObjects) {
    return maxObjects <= mostEagerObjects() ? eagerAttempts() : 0;
  }

  /** Objects that a region declares at most for its attempts to be eager by default. */
  int mostEagerObjects() {
    return switch (this) {
      case HAND_OFF -> 4;
      case OPTIMISTIC_HAND_OFF -> 256;
      default -> 0;
    };
  }

  /** The eager attempts of an item of such a region by default. */
  int eagerAttempts() {
    return switch (this) {
      case HAND_OFF -> 16;
      case OPTIMISTIC_HAND_OFF -> 256;
      default -> 0;
    };
  }

  /**
   * Transactions of one warp in flight unless {@link StmOptions#lanes()} says otherwise; 0 = all,
   * or as many as losses allow.
   */
  int defaultLanes() {
    return this == BLOCK_LEVEL ? 1 : 0;
  }

  /** The tag that objects carry to the device. */
  int tag() {
    return tag;
  }

  /** The tracking word of an object that nobody claims. */
  int unclaimedWord() {
    return words.unclaimed;
  }

  /** The bits of a tracking word that say whether somebody has the object. */
  int claimBits() {
    return words.claimBits;
  }

  /** The bit of a tracking word that says whether the object is locked. */
  int lockBit() {
    return words.lockBit;
  }

  /** Whether a tracking word says that somebody has the object. */
  boolean isClaimed(int word) {
    return ((word ^ words.unclaimed) & words.claimBits) != 0;
  }

  /** Whether a tracking word says that the object is locked. */
  boolean isLocked(int word) {
    return (word & words.lockBit) != 0;
  }

  /** Whether versions lie behind the words, in memory of their own. */
  boolean hasVersionsApart() {
    return this == PR_STM || this == OPTIMISTIC_HAND_OFF;
  }

  /**
   * Whether objects may lie in cells with their data, as {@link GuardedCells} has them: not where
   * something lies behind all words.
   */
  public boolean takesCells() {
    return !hasVersionsApart() && !hasDescriptors();
  }

  /**
   * Whether it runs regions that store in {@code apply}, under locks: {@link #OBSTRUCTION_FREE} has
   * none, and where writes are in place, as under {@link #PESSIMISTIC_IN_PLACE}, they would gain
   * nothing.
   */
  public boolean runsApply() {
    return storesAtCommit();
  }

  /**
   * Whether what an item writes reaches memory at its commit, and by that alone: under {@link
   * #OBSTRUCTION_FREE} others store it as well, and under {@link #PESSIMISTIC_IN_PLACE} and {@link
   * #INVISIBLE_READS_IN_PLACE} it is there before, and may be undone. Where it does not, accesses
   * past the transaction cannot be checked.
   */
  public boolean storesAtCommit() {
    return !hasDescriptors() && !writesInPlace();
  }

  /** Whether writes are in place, and an undo log has what was there. */
  boolean writesInPlace() {
    return this == PESSIMISTIC_IN_PLACE || this == INVISIBLE_READS_IN_PLACE;
  }

  /**
   * Whether objects have records of 64 bits behind the words, which say what the words of other
   * policies say, and threads descriptors in scratch memory.
   */
  boolean hasDescriptors() {
    return this == OBSTRUCTION_FREE;
  }

  /**
   * Bytes of a thread's descriptors for transactions of so many objects and writes; {@code
   * magpie/stm/detail/descriptors.cuh} says for what.
   */
  long threadBytes(long objects, long writes) {
    return hasDescriptors() ? 3 * ((16 + 24 * (6 * objects + 3 * writes) + 15) & ~15L) : 0;
  }

  /** Bytes in front of a launch's scratch memory, which are 0 when it begins. */
  long bytesBeforeScratch() {
    return hasDescriptors() ? 1 << 16 : 0;
  }

  /** The most threads of a launch: as many as have descriptors that records can name. */
  long mostThreads() {
    return hasDescriptors() ? (1 << 24) / 3 : Long.MAX_VALUE;
  }

  /**
   * Whether a launch may have so many threads.
   *
   * @throws MagpieException if it may not
   */
  void requireThreads(long threads) {
    if (threads > mostThreads()) {
      throw new MagpieException(
          String.format(
              Locale.ROOT,
              "a launch under %s has at most %,d threads, whose descriptors records can name; this"
                  + " one has %,d: ask for fewer with StmOptions.threadsInFlight",
              kernelName(),
              mostThreads(),
              threads));
    }
  }

  /** Whether words are those of one launch, and filled before each. */
  boolean hasWordsOfLaunch() {
    return this == HIERARCHICAL;
  }
}
