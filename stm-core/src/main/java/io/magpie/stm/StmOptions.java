package io.magpie.stm;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How a {@link Region} runs. Immutable: each {@code with} method gives a changed copy.
 *
 * <pre>{@code
 * StmOptions options = StmOptions.defaults().withPolicy(Policy.HAND_OFF).withMaxAttempts(100);
 * }</pre>
 *
 * @param policy who goes first; default {@link Policy#HAND_OFF}
 * @param threadsInFlight most transactions that run at the same time; 0, the default, lets the
 *     device choose: as many as it has room for, or fewer on a GPU where the region declares {@code
 *     scattered_accesses} and its objects and data exceed the second cache. More than a warp's
 *     width is rounded down to whole warps, less bounds the warp's lanes. Under contention, and on
 *     data beyond a GPU's second cache, fewer may be faster
 * @param polls most polls of one attempt's waits, at least 1; default 64
 * @param maxAttempts attempts after which an item is given up and reported as unfinished; 0, the
 *     default, is no bound
 * @param backOffNanos longest pause between attempts in nanoseconds; pauses grow from 32 up to it,
 *     and up to four times as long in a warp that still loses most of its attempts with one lane
 *     left; 0 is no pause; -1, the default, is {@link Policy#defaultBackOffNanos()}, but on {@code
 *     cuda} and {@code sim} under {@link Policy#HAND_OFF} at most 256 from one eager attempt to the
 *     next
 * @param backOff how pauses grow; default {@link BackOff#EXPONENTIAL}
 * @param giveWay what to do at a higher claim; default {@link GiveWay#ROLL_BACK}. No effect on
 *     {@code cpu}, where a transaction always waits, nor under other policies than {@link
 *     Policy#HAND_OFF} and {@link Policy#OPTIMISTIC_HAND_OFF}
 * @param lanes transactions of one warp that are in flight at the same time, 1 to 32; 0, the
 *     default, lets the policy choose: {@link Policy#HAND_OFF} and {@link
 *     Policy#OPTIMISTIC_HAND_OFF} follow the losses they see, {@link Policy#BLOCK_LEVEL} runs one,
 *     the others run all of them
 * @param eagerAttempts first attempts of an item that lock objects as they open them, fail at any
 *     that another transaction has, and never wait, before the item claims objects; 0 is none; -1,
 *     the default, is {@link Policy#defaultEagerAttempts}, and none with larger logs. At most half
 *     of {@code maxAttempts} are eager. Short transactions end sooner so; a long one that holds
 *     locks keeps others out. Under {@link Policy#OPTIMISTIC_HAND_OFF} they lock only what they
 *     write. No effect where {@link Policy#hasEagerAttempts()} is false
 * @param timeout time after which a pass is told to stop and leave its remaining items unfinished;
 *     zero is no bound; default 60 s
 * @param scratchBytes memory for the larger logs of transactions that overflow theirs; default 64
 *     MiB. It is allocated when first needed and kept by the device. The descriptors that threads
 *     have under {@link Policy#OBSTRUCTION_FREE} lie there only for these logs; those of
 *     transactions with the region's own logs are allocated besides it, and fewer {@code
 *     threadsInFlight} make them less
 * @param seed schedule of the {@code sim} device for this run: 0 = round robin, other = seed of a
 *     random walk; -1, the default, is the device's own. No effect elsewhere
 * @param deferral in {@linkplain Region#runRounds rounds}, whether an item that loses a conflict is
 *     left to the next round instead of being tried again; default false. An eager attempt that
 *     loses to others is no such loss: with many of them, few items are left
 * @param mostRounds rounds after which a run in rounds ends; 0, the default, is no bound
 * @param conflictSampling whether the run counts for each object how often transactions met at it,
 *     for {@link RegionReport#hotObjects()}; default false, which costs nothing. The module is
 *     compiled for it when it is first asked for, with {@code MAGPIE_SAMPLE_CONFLICTS}; conflicts
 *     then take a little longer. What transactions do stays the same
 */
public record StmOptions(
    Policy policy,
    int threadsInFlight,
    int polls,
    int maxAttempts,
    int backOffNanos,
    BackOff backOff,
    GiveWay giveWay,
    int lanes,
    int eagerAttempts,
    Duration timeout,
    long scratchBytes,
    long seed,
    boolean deferral,
    int mostRounds,
    boolean conflictSampling) {

  /** How the pauses of an item that loses again and again grow. */
  public enum BackOff {
    /** They double from attempt to attempt. */
    EXPONENTIAL,
    /** They grow by 32 ns from attempt to attempt. */
    LINEAR,
    /** There are none, whatever {@link StmOptions#backOffNanos()} says. */
    NONE
  }

  /** What a transaction does when it meets an object claimed by a higher rank. */
  public enum GiveWay {
    /**
     * Waits in place, for at most {@link StmOptions#polls()} polls; its own claims stay stealable.
     */
    WAIT,
    /** Rolls back at once and tries again after a pause. */
    ROLL_BACK
  }

  /** What fits the nanoseconds of a watchdog. */
  private static final Duration LONGEST_TIMEOUT = Duration.ofNanos(Long.MAX_VALUE);

  private static final StmOptions DEFAULTS =
      new StmOptions(
          Policy.HAND_OFF,
          0,
          64,
          0,
          -1,
          BackOff.EXPONENTIAL,
          GiveWay.ROLL_BACK,
          0,
          -1,
          Duration.ofSeconds(60),
          64L << 20,
          -1,
          false,
          0,
          false);

  /** Checks the ranges. */
  public StmOptions {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(backOff, "backOff");
    Objects.requireNonNull(giveWay, "giveWay");
    Objects.requireNonNull(timeout, "timeout");
    require(threadsInFlight >= 0, "threadsInFlight", threadsInFlight, "at least 0");
    require(polls >= 1, "polls", polls, "at least 1");
    require(maxAttempts >= 0, "maxAttempts", maxAttempts, "at least 0");
    require(backOffNanos >= -1, "backOffNanos", backOffNanos, "at least -1");
    require(lanes >= 0 && lanes <= 32, "lanes", lanes, "in [0, 32]");
    require(eagerAttempts >= -1, "eagerAttempts", eagerAttempts, "at least -1");
    require(
        !timeout.isNegative() && timeout.compareTo(LONGEST_TIMEOUT) <= 0,
        "timeout",
        timeout,
        "from zero to " + LONGEST_TIMEOUT.toDays() + " days");
    require(scratchBytes >= 4096, "scratchBytes", scratchBytes, "at least 4096");
    require(seed >= -1, "seed", seed, "at least -1");
    require(mostRounds >= 0, "mostRounds", mostRounds, "at least 0");
  }

  private static void require(boolean holds, String name, Object value, String range) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + range + ", got " + value);
    }
  }

  /** The defaults, as listed for each component. */
  public static StmOptions defaults() {
    return DEFAULTS;
  }

  /** A copy with another {@link #policy()}. */
  public StmOptions withPolicy(Policy value) {
    return changed(values -> values.policy = value);
  }

  /** A copy with another {@link #threadsInFlight()}. */
  public StmOptions withThreadsInFlight(int value) {
    return changed(values -> values.threadsInFlight = value);
  }

  /** A copy with another {@link #polls()}. */
  public StmOptions withPolls(int value) {
    return changed(values -> values.polls = value);
  }

  /** A copy with another {@link #maxAttempts()}. */
  public StmOptions withMaxAttempts(int value) {
    return changed(values -> values.maxAttempts = value);
  }

  /** A copy with another {@link #backOffNanos()}. */
  public StmOptions withBackOffNanos(int value) {
    return changed(values -> values.backOffNanos = value);
  }

  /** A copy with another {@link #backOff()}. */
  public StmOptions withBackOff(BackOff value) {
    return changed(values -> values.backOff = value);
  }

  /** A copy with another {@link #giveWay()}. */
  public StmOptions withGiveWay(GiveWay value) {
    return changed(values -> values.giveWay = value);
  }

  /** A copy with another {@link #lanes()}. */
  public StmOptions withLanes(int value) {
    return changed(values -> values.lanes = value);
  }

  /** A copy with another {@link #eagerAttempts()}. */
  public StmOptions withEagerAttempts(int value) {
    return changed(values -> values.eagerAttempts = value);
  }

  /** A copy with another {@link #timeout()}. */
  public StmOptions withTimeout(Duration value) {
    return changed(values -> values.timeout = value);
  }

  /** A copy with another {@link #scratchBytes()}. */
  public StmOptions withScratchBytes(long value) {
    return changed(values -> values.scratchBytes = value);
  }

  /** A copy with another {@link #seed()}. */
  public StmOptions withSeed(long value) {
    return changed(values -> values.seed = value);
  }

  /** A copy with another {@link #deferral()}. */
  public StmOptions withDeferral(boolean value) {
    return changed(values -> values.deferral = value);
  }

  /** A copy with another {@link #mostRounds()}. */
  public StmOptions withMostRounds(int value) {
    return changed(values -> values.mostRounds = value);
  }

  /** A copy with another {@link #conflictSampling()}. */
  public StmOptions withConflictSampling(boolean value) {
    return changed(values -> values.conflictSampling = value);
  }

  /** The longest pause that is in force: {@link #backOffNanos()}, or the policy's own. */
  int effectiveBackOffNanos() {
    if (backOff == BackOff.NONE) {
      return 0;
    }
    return backOffNanos >= 0 ? backOffNanos : policy.defaultBackOffNanos();
  }

  /**
   * The eager attempts that are in force: {@link #eagerAttempts()}, or the policy's own; of a
   * bounded number of attempts at most half, so that claims follow, by which the oldest item gets
   * through.
   *
   * @param maxObjects what an item may open
   */
  int effectiveEagerAttempts(int maxObjects) {
    int eager = eagerAttempts >= 0 ? eagerAttempts : policy.defaultEagerAttempts(maxObjects);
    return maxAttempts == 0 ? eager : Math.min(eager, maxAttempts / 2);
  }

  private StmOptions changed(Consumer<Values> change) {
    Values values = new Values(this);
    change.accept(values);
    return values.options();
  }

  /** The components, to change one of. */
  private static final class Values {
    Policy policy;
    int threadsInFlight;
    int polls;
    int maxAttempts;
    int backOffNanos;
    BackOff backOff;
    GiveWay giveWay;
    int lanes;
    int eagerAttempts;
    Duration timeout;
    long scratchBytes;
    long seed;
    boolean deferral;
    int mostRounds;
    boolean conflictSampling;

    Values(StmOptions from) {
      policy = from.policy;
      threadsInFlight = from.threadsInFlight;
      polls = from.polls;
      maxAttempts = from.maxAttempts;
      backOffNanos = from.backOffNanos;
      backOff = from.backOff;
      giveWay = from.giveWay;
      lanes = from.lanes;
      eagerAttempts = from.eagerAttempts;
      timeout = from.timeout;
      scratchBytes = from.scratchBytes;
      seed = from.seed;
      deferral = from.deferral;
      mostRounds = from.mostRounds;
      conflictSampling = from.conflictSampling;
    }

    StmOptions options() {
      return new StmOptions(
          policy,
          threadsInFlight,
          polls,
          maxAttempts,
          backOffNanos,
          backOff,
          giveWay,
          lanes,
          eagerAttempts,
          timeout,
          scratchBytes,
          seed,
          deferral,
          mostRounds,
          conflictSampling);
    }
  }
}
