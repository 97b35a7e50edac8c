package io.magpie.stm.internal;

import java.util.Locale;

/**
 * What a launch of a region counts. A constant has the name, in lower case, that {@code
 * counter::place} of {@code magpie/stm/detail/objects.cuh} has for it, and a module's table says
 * where it lies: {@link LaunchLayout}.
 */
public enum Counter {
  /** Items that committed. */
  COMMITS,
  /** Items that the region canceled. */
  CANCELS,
  /** Attempts that met a claim of higher rank. */
  ABORTS_OUTRANKED,
  /** Attempts whose claim was taken. */
  ABORTS_STOLEN,
  /** Attempts that waited too long. */
  ABORTS_WAIT_EXPIRED,
  /** Attempts that met a lock. */
  ABORTS_LOCKED,
  /** Attempts that the region gave up. */
  ABORTS_REQUESTED,
  /** Items whose log was full. */
  OVERFLOWS,
  /** Items that were stopped. */
  STOPPED,
  /** Items that used up their attempts. */
  ATTEMPTS_EXHAUSTED,
  /** Claims taken from lower ranks. */
  STEALS,
  /** Registrations given up for want of memory. */
  WITHDRAWALS,
  /** Registrations at locked objects. */
  REGISTRATIONS,
  /** Polls in waits. */
  POLLS,
  /** Attempts of inner transactions that were repeated. */
  INNER_RETRIES,
  /** Most attempts of one item. */
  MAX_ATTEMPTS,
  /** Items by number of retries. */
  RETRIES_HISTOGRAM(Counter.BUCKETS),
  /** Commits by number of objects. */
  OBJECTS_HISTOGRAM(Counter.BUCKETS),
  /** Items that commits pushed. */
  PUSHED,
  /** Items that were left to the next round. */
  DEFERRED,
  /** Items for which a pool had no slot. */
  NO_SLOT,
  /** Items that used a handle that was never opened. */
  UNOPENED,
  /** Items that pushed more than they may. */
  TOO_MANY_PUSHES,
  /** Items that had an irrevocable attempt which did not commit. */
  REVOKED,
  /** Of those stopped or out of attempts, items whose last attempt the region gave up. */
  REQUESTED,
  /** Of each pool: places handed out, slots returned. */
  POOLS(2 * io.magpie.stm.FieldKind.MOST_POOLS),
  /** For the launch itself: commits of transactions with long logs. */
  PUBLICATIONS,
  /** For the launch itself: the lock of all objects. */
  COARSE_LOCK,
  /** For the launch itself: commits that wrote, where versions are times. */
  CLOCK,
  /** For the launch itself: the token of the irrevocable attempt. */
  IRREVOCABLE,
  /** Objects that commits read, where that is counted. */
  OBJECTS_READ,
  /** Of these, objects that the same commit wrote. */
  OBJECTS_READ_AND_WRITTEN,
  /** Reads that were known by the clock to be of one state with those before. */
  VALIDATIONS_SKIPPED,
  /** Comparisons of what was read by value. */
  VALUE_VALIDATIONS,
  /** Comparisons by value that found nothing changed. */
  CONFLICTS_REMOVED;

  /** Buckets of a histogram. */
  public static final int BUCKETS = 16;

  private final int words;

  Counter() {
    this(1);
  }

  Counter(int words) {
    this.words = words;
  }

  /** 64-bit words that it has. */
  int words() {
    return words;
  }

  /** Its name in a module's table. */
  String nameInTable() {
    return name().toLowerCase(Locale.ROOT);
  }
}
