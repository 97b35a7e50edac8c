package io.magpie.stm;

import io.magpie.stm.internal.Counter;
import io.magpie.stm.internal.Counts;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * What a run of a {@link Region} did. Nothing is lost: every item has committed, was canceled by
 * the region itself, or is {@linkplain #unfinishedItems() unfinished} with a cause.
 */
public final class RegionReport {
  /** Number of buckets of a histogram. */
  public static final int BUCKETS = Counter.BUCKETS;

  /**
   * One launch, or several with equal logs.
   *
   * @param threads transactions in flight, at most
   * @param objectCapacity objects that a transaction's log held
   * @param writeCapacity writes that it held
   * @param overflows items that overflowed it
   * @param kernelMillis time in kernels, in milliseconds
   */
  public record Pass(
      long threads, long objectCapacity, long writeCapacity, long overflows, double kernelMillis) {

    private Pass plus(Pass other) {
      return new Pass(
          Math.max(threads, other.threads),
          objectCapacity,
          writeCapacity,
          overflows + other.overflows,
          kernelMillis + other.kernelMillis);
    }
  }

  /** Why an attempt of a transaction ended without a commit and was tried again. */
  public enum AbortCause {
    /** An object was claimed by a higher rank. */
    OUTRANKED(Counter.ABORTS_OUTRANKED),
    /** A claim was found stolen by a higher rank. */
    STOLEN(Counter.ABORTS_STOLEN),
    /** The bound of polls ended a wait for a lock or for a higher claim. */
    WAIT_EXPIRED(Counter.ABORTS_WAIT_EXPIRED),
    /**
     * A lock was met where nobody waits for one; or a lock or claim, in an eager attempt ({@link
     * StmOptions#eagerAttempts()}).
     */
    LOCKED(Counter.ABORTS_LOCKED),
    /**
     * The region itself returned {@code outcome::retry} although nothing had gone wrong, or {@code
     * outcome::defer}: that ends the attempt too, and in rounds the item's next one is another
     * round's.
     */
    REQUESTED(Counter.ABORTS_REQUESTED);

    private final Counter counter;

    AbortCause(Counter counter) {
      this.counter = counter;
    }

    /** What counts it. */
    Counter counter() {
      return counter;
    }
  }

  /**
   * An object that transactions met at, as {@link #hotObjects()} lists them.
   *
   * @param array the region's field that has it, {@code member.field} in a struct, so that of a
   *     guarded array {@code member.guards}; the first of several fields with the same objects; or
   *     {@link #UNKNOWN}
   * @param index which of the field's objects; of an unknown one the address of its tracking word
   * @param conflicts how often transactions met at it
   * @param share its part of all conflicts of the run, from 0 to 1
   */
  public record HotObject(String array, long index, long conflicts, double share) {
    /**
     * In place of a field's name: the region opened an object of none of its fields, such as of
     * {@code objects} that it made itself.
     */
    public static final String UNKNOWN = ConflictCounts.UNKNOWN;

    /** What to call it: {@code accounts[17]}. */
    public String name() {
      return new ConflictCounts.Place(array, index).name();
    }

    /** Those of one run, or of several. */
    static List<HotObject> of(ConflictCounts counts) {
      return counts.hot().stream()
          .map(
              each ->
                  new HotObject(
                      each.place().array(),
                      each.place().index(),
                      each.conflicts(),
                      (double) each.conflicts() / counts.total()))
          .toList();
    }
  }

  private static final List<AbortCause> ABORT_CAUSES = List.of(AbortCause.values());

  private final String region;
  private final int maxPushes;
  private final String device;
  private final StmOptions options;
  private final long items;
  private final Counts counters;
  private final long[] unfinishedItems;
  private final boolean timedOut;
  private final boolean canceled;
  private final String whyNoLargerLogs;
  private final List<Pass> passes;
  private final ConflictCounts conflicts;

  /**
   * @param conflicts null where they were not counted by object
   */
  RegionReport(
      String region,
      int maxPushes,
      String device,
      StmOptions options,
      long items,
      Counts counters,
      long[] unfinishedItems,
      boolean timedOut,
      boolean canceled,
      String whyNoLargerLogs,
      List<Pass> passes,
      ConflictCounts conflicts) {
    this.region = region;
    this.maxPushes = maxPushes;
    this.device = device;
    this.options = options;
    this.items = items;
    this.counters = counters;
    this.unfinishedItems = unfinishedItems;
    this.timedOut = timedOut;
    this.canceled = canceled;
    this.whyNoLargerLogs = whyNoLargerLogs;
    this.passes = List.copyOf(passes);
    this.conflicts = conflicts;
  }

  /**
   * What this run and another of the same region did together, as if it had been one run: counts
   * are added up, unfinished items follow each other, and passes with equal logs are one. For loops
   * of so many runs that a report of each is too much.
   *
   * @param other a later run of the same region on the same device with the same options
   * @throws IllegalArgumentException if it is of another region, device or options
   */
  public RegionReport plus(RegionReport other) {
    if (!region.equals(other.region)
        || !device.equals(other.device)
        || !options.equals(other.options)) {
      throw new IllegalArgumentException(
          "the report of region "
              + other.region
              + " on "
              + other.device
              + " cannot be added to one of region "
              + region
              + " on "
              + device
              + "; expected the same region, device and options");
    }
    long[] unfinished =
        LongStream.concat(Arrays.stream(unfinishedItems), Arrays.stream(other.unfinishedItems))
            .toArray();
    return new RegionReport(
        region,
        maxPushes,
        device,
        options,
        items + other.items,
        counters.plus(other.counters),
        unfinished,
        timedOut || other.timedOut,
        canceled || other.canceled,
        whyNoLargerLogs == null ? other.whyNoLargerLogs : whyNoLargerLogs,
        merged(passes, other.passes),
        conflicts == null ? null : ConflictCounts.sum(List.of(conflicts, other.conflicts)));
  }

  private static List<Pass> merged(List<Pass> passes, List<Pass> more) {
    Map<List<Long>, Pass> byLog = new LinkedHashMap<>();
    for (List<Pass> each : List.of(passes, more)) {
      for (Pass pass : each) {
        byLog.merge(List.of(pass.objectCapacity, pass.writeCapacity), pass, Pass::plus);
      }
    }
    return List.copyOf(byLog.values());
  }

  /** The region's name. */
  public String region() {
    return region;
  }

  /** The specification of the device it ran on. */
  public String device() {
    return device;
  }

  /** The options it ran with. */
  public StmOptions options() {
    return options;
  }

  /** Number of items of the run. */
  public long items() {
    return items;
  }

  /** Whether every item committed or was canceled. */
  public boolean complete() {
    return unfinishedItems.length == 0;
  }

  /**
   * This report, if it is complete.
   *
   * @throws UnfinishedItemsException if it is not
   */
  public RegionReport requireComplete() {
    if (!complete()) {
      throw new UnfinishedItemsException(this);
    }
    return this;
  }

  /** Items that committed. */
  public long commits() {
    return counters.of(Counter.COMMITS);
  }

  /** Items that the region canceled. */
  public long cancels() {
    return counters.of(Counter.CANCELS);
  }

  /** Number of items that did not finish. */
  public long unfinished() {
    return unfinishedItems.length;
  }

  /** The items that did not finish, as unsigned 32-bit ids in the order of their positions. */
  public long[] unfinishedItems() {
    return unfinishedItems.clone();
  }

  /**
   * Unfinished items whose transaction overflowed even the largest log, or the largest that found
   * memory.
   */
  public long unfinishedByOverflow() {
    return counters.of(Counter.OVERFLOWS);
  }

  /** Unfinished items that the timeout, or {@link Device#cancelRun()}, ended. */
  public long unfinishedByTimeout() {
    return counters.of(Counter.STOPPED);
  }

  /** Unfinished items that used up {@link StmOptions#maxAttempts()}. */
  public long unfinishedByAttempts() {
    return counters.of(Counter.ATTEMPTS_EXHAUSTED);
  }

  /** Unfinished items for which a pool had no slot. */
  public long unfinishedBySlots() {
    return unfinishedItems.length
        - unfinishedByOverflow()
        - unfinishedByTimeout()
        - unfinishedByAttempts()
        - unfinishedByHandles()
        - unfinishedByPushes()
        - unfinishedByRevocation();
  }

  /**
   * Unfinished items that read or wrote through a handle that was never opened. On {@code
   * cpu-checked} and {@code sim} that is a fault instead.
   */
  public long unfinishedByHandles() {
    return counters.of(Counter.UNOPENED);
  }

  /** Unfinished items that pushed more than the region's {@code max_pushes}. */
  public long unfinishedByPushes() {
    return counters.of(Counter.TOO_MANY_PUSHES);
  }

  /**
   * Unfinished items whose attempt had become irrevocable and did not commit, because the region
   * gave another outcome or asked for too little room: what it did outside of its transaction was
   * done. On {@code cpu-checked} and {@code sim} that is a fault instead.
   */
  public long unfinishedByRevocation() {
    return counters.of(Counter.REVOKED);
  }

  /**
   * Of the items that the timeout ended, or that used up their attempts, those whose last attempt
   * ended as {@link AbortCause#REQUESTED}: nobody but the region itself kept them from finishing.
   */
  public long unfinishedByRequest() {
    return counters.of(Counter.REQUESTED);
  }

  /** Items that were left to the next round; 0 outside of rounds. */
  public long deferred() {
    return counters.of(Counter.DEFERRED);
  }

  /** Items that commits pushed; 0 outside of rounds. */
  public long pushed() {
    return counters.of(Counter.PUSHED);
  }

  /** Items for which a pool had no slot: deferred in rounds, else unfinished. */
  public long withoutSlot() {
    return counters.of(Counter.NO_SLOT);
  }

  /** Why items are unfinished, in words; "complete" if none are. */
  public String unfinishedReason() {
    if (complete()) {
      return "complete";
    }
    StringBuilder text = new StringBuilder();
    if (unfinishedByOverflow() > 0) {
      text.append(overflow());
    }
    if (unfinishedByTimeout() > 0) {
      separate(text).append(format("%,d stopped %s", unfinishedByTimeout(), whyStopped()));
    }
    if (unfinishedByAttempts() > 0) {
      separate(text)
          .append(format("%,d out of %,d attempts", unfinishedByAttempts(), options.maxAttempts()));
    }
    if (unfinishedByRequest() > 0) {
      text.append(
          format(
              "; the last attempt of %,d of these ended because the region itself asked for another"
                  + " (outcome::retry although nothing had failed, or outcome::defer outside of"
                  + " rounds)",
              unfinishedByRequest()));
    }
    if (unfinishedByHandles() > 0) {
      separate(text)
          .append(
              format(
                  "%,d read or wrote through a handle that was never opened: open the object first",
                  unfinishedByHandles()));
    }
    if (unfinishedByPushes() > 0) {
      separate(text)
          .append(
              format(
                  "%,d pushed more items than max_pushes = %,d: raise max_pushes in the region",
                  unfinishedByPushes(), maxPushes));
    }
    if (unfinishedByRevocation() > 0) {
      separate(text)
          .append(
              format(
                  "%,d became irrevocable and did not commit: give outcome::commit after that, and"
                      + " ask for enough room",
                  unfinishedByRevocation()));
    }
    if (unfinishedBySlots() > 0) {
      separate(text).append(format("%,d without a slot: grow the pool", unfinishedBySlots()));
    }
    return text.toString();
  }

  private String overflow() {
    Pass last = passes.get(passes.size() - 1);
    String tooLarge =
        format(
            "%,d too large for a log of %,d objects and %,d writes (scratchBytes = %,d)",
            unfinishedByOverflow(),
            last.objectCapacity,
            last.writeCapacity,
            options.scratchBytes());
    return whyNoLargerLogs == null ? tooLarge : tooLarge + " because " + whyNoLargerLogs;
  }

  private String whyStopped() {
    return canceled
        ? "because the run was canceled"
        : "after " + options.timeout().toString().substring(2).toLowerCase(Locale.ROOT);
  }

  private static String format(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }

  private static StringBuilder separate(StringBuilder text) {
    return text.length() == 0 ? text : text.append(", ");
  }

  /**
   * Whether time was up, or the run {@linkplain Device#cancelRun() canceled}, before a pass ended.
   * The run may be {@linkplain #complete() complete} nevertheless, if its last items finished while
   * they were being told to stop.
   */
  public boolean timedOut() {
    return timedOut;
  }

  /** Whether {@link Device#cancelRun()} was called during the run. */
  public boolean canceled() {
    return canceled;
  }

  /** Attempts that ended without commit, in all. */
  public long aborts() {
    long aborts = 0;
    for (AbortCause cause : ABORT_CAUSES) {
      aborts += counters.of(cause.counter());
    }
    return aborts;
  }

  /** Attempts that ended without commit, by cause; every cause is present. */
  public Map<AbortCause, Long> abortsByCause() {
    Map<AbortCause, Long> causes = new EnumMap<>(AbortCause.class);
    for (AbortCause cause : AbortCause.values()) {
      causes.put(cause, counters.of(cause.counter()));
    }
    return Collections.unmodifiableMap(causes);
  }

  /** Items whose log was too small in some pass, summed over the passes. */
  public long overflows() {
    return passes.stream().mapToLong(Pass::overflows).sum();
  }

  /**
   * How many of the objects that commits read they wrote as well, from 0 to 1; counted under {@link
   * Policy#INVISIBLE_READS} and its form in place, and NaN elsewhere, or where nothing was read.
   * Near 1 {@link Policy#PESSIMISTIC} has less to look at; near 0 its readers would exclude each
   * other for nothing. Reads of own writes do not count.
   */
  public double visibility() {
    return (double) counters.of(Counter.OBJECTS_READ_AND_WRITTEN)
        / counters.of(Counter.OBJECTS_READ);
  }

  /**
   * Reads that {@link Policy#HIERARCHICAL} knew by its clock to be of one state with those before.
   */
  public long validationsSkipped() {
    return counters.of(Counter.VALIDATIONS_SKIPPED);
  }

  /** Comparisons by value, under {@link Policy#HIERARCHICAL}. */
  public long valueValidations() {
    return counters.of(Counter.VALUE_VALIDATIONS);
  }

  /** Comparisons by value that found nothing changed: conflicts by version that were none. */
  public long conflictsRemoved() {
    return counters.of(Counter.CONFLICTS_REMOVED);
  }

  /** Claims taken from lower ranks. */
  public long steals() {
    return counters.of(Counter.STEALS);
  }

  /** Registrations at locked objects. */
  public long registrations() {
    return counters.of(Counter.REGISTRATIONS);
  }

  /** Registrations given up because a transaction could remember no more. */
  public long withdrawals() {
    return counters.of(Counter.WITHDRAWALS);
  }

  /** Polls in waits. */
  public long polls() {
    return counters.of(Counter.POLLS);
  }

  /** Attempts of inner transactions that were repeated. */
  public long innerRetries() {
    return counters.of(Counter.INNER_RETRIES);
  }

  /** Most attempts that one item took. */
  public long mostAttempts() {
    return counters.of(Counter.MAX_ATTEMPTS);
  }

  /**
   * Items by number of retries: element 0 counts those without, element b those with 2^(b-1) to 2^b
   * - 1, the last those with more too. An item that overflowed its log is counted once for each
   * pass that it was part of, with that pass's retries.
   */
  public long[] retriesHistogram() {
    return counters.all(Counter.RETRIES_HISTOGRAM);
  }

  /** Commits by number of opened objects, in buckets like those of {@link #retriesHistogram()}. */
  public long[] objectsHistogram() {
    return counters.all(Counter.OBJECTS_HISTOGRAM);
  }

  /**
   * The objects that transactions met at, those with most conflicts first. A conflict is an
   * operation that failed, or a wait that began, because another transaction had the object or
   * wrote it; an attempt that is repeated meets again, and counts again. So there are at least as
   * many conflicts as attempts lost to others, those at the token of irrevocable attempts left out.
   * Empty if nobody met anybody.
   *
   * <p>Under {@link Policy#COARSE_LOCK} it is the object that was to be opened when the lock was
   * met.
   *
   * @throws IllegalStateException if the run did not have {@link StmOptions#conflictSampling()}
   */
  public List<HotObject> hotObjects() {
    return HotObject.of(sampled());
  }

  /**
   * All conflicts, {@link #lostConflicts()} among them.
   *
   * @throws IllegalStateException if the run did not have {@link StmOptions#conflictSampling()}
   */
  public long sampledConflicts() {
    return sampled().total();
  }

  /**
   * Conflicts whose object is not known: transactions met at more objects than there was room for.
   *
   * @throws IllegalStateException if the run did not have {@link StmOptions#conflictSampling()}
   */
  public long lostConflicts() {
    return sampled().lost();
  }

  /** The conflicts by object, if they were counted. */
  ConflictCounts sampled() {
    if (conflicts == null) {
      throw new IllegalStateException(
          "region "
              + region
              + " ran without sampling conflicts: run it with StmOptions.withConflictSampling(true)");
    }
    return conflicts;
  }

  /** The passes: the first with the region's own logs, each later one with larger ones. */
  public List<Pass> passes() {
    return passes;
  }

  /** Time in kernels, in milliseconds. */
  public double kernelMillis() {
    double millis = 0;
    for (Pass pass : passes) {
      millis += pass.kernelMillis;
    }
    return millis;
  }

  /** A small table. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "region %s on %s: %,d items in %.3f ms, %s%n",
            region,
            device,
            items,
            kernelMillis(),
            options.policy().kernelName()));
    row(text, "commits", commits());
    row(text, "cancels", cancels());
    if (deferred() + pushed() > 0) {
      row(text, "deferred", deferred());
      row(text, "pushed", pushed());
    }
    row(text, "unfinished", unfinished());
    if (!complete()) {
      text.append("    ").append(unfinishedReason()).append(System.lineSeparator());
    }
    row(text, "aborts", aborts());
    abortsByCause()
        .forEach(
            (cause, count) -> {
              if (count > 0) {
                row(text, "  " + cause.name().toLowerCase(Locale.ROOT).replace('_', ' '), count);
              }
            });
    row(text, "steals", steals());
    row(text, "registrations", registrations());
    row(text, "most attempts", mostAttempts());
    if (conflicts != null) {
      conflicts.appendTo(text);
    }
    if (passes.size() > 1) {
      for (Pass pass : passes) {
        text.append(
            String.format(
                Locale.ROOT,
                "  pass: %,d threads, logs of %,d objects and %,d writes, %,d overflows, %.3f ms%n",
                pass.threads,
                pass.objectCapacity,
                pass.writeCapacity,
                pass.overflows,
                pass.kernelMillis));
      }
    }
    return text.toString();
  }

  private static void row(StringBuilder text, String name, long value) {
    text.append(String.format(Locale.ROOT, "  %-16s %,15d%n", name, value));
  }
}
