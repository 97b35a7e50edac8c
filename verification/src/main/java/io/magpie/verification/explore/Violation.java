package io.magpie.verification.explore;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Something that a correct run never does; or, as a {@link Kind#VACUOUS_RUN}, that runs did nothing
 * which could have been wrong.
 *
 * @param kind what sort of thing
 * @param text what happened, one line or more
 * @param attempts whose accesses show it, in the order of the text, if they are of the run that was
 *     checked; empty where it is seen in another way, as in a history, or in another run of the
 *     same items
 */
public record Violation(Kind kind, String text, List<AttemptId> attempts) {
  /** Sorts of violations, the worst first. */
  public enum Kind {
    /** The committed transactions have no serial order. */
    NOT_SERIALIZABLE,
    /** They have one, but none in which what ended first comes first. */
    NOT_STRICTLY_SERIALIZABLE,
    /** An attempt that did not commit saw a state that never was. */
    NOT_OPAQUE,
    /** An attempt saw an object's words of different versions. */
    TORN_READ,
    /** A slot of a pool is freed that is free: freed before, or never taken. */
    DOUBLE_FREE,
    /** A slot's data are used after it was freed. */
    USE_AFTER_FREE,
    /** A slot is used that was freed and taken again, under a number from before. */
    RECYCLED_NUMBER,
    /** A slot is freed by a transaction that does not know it, while another item holds it. */
    FOREIGN_FREE,
    /** A slot is freed, and data that are in use still refer to it. */
    DANGLING_REFERENCE,
    /**
     * Two items use a datum under different objects, so that nothing orders them; or a datum of a
     * guarded field, which some item writes, is used under two objects of that field.
     */
    GUARD_MISMATCH,
    /** A datum is used past the transaction, and nothing orders that with another item's use. */
    UNGUARDED_ACCESS,
    /** {@code ld_plain} reads what is written in the same launch: a GPU may give it as it was. */
    STALE_LOAD,
    /** A hint decided something without being looked at again. */
    UNCHECKED_HINT,
    /** What an attempt wrote past its transaction stays, also when the attempt is undone. */
    EFFECT_NOT_UNDONE,
    /** An attempt does otherwise than if it ran for the first time. */
    NOT_REPEATABLE,
    /** A slot is taken, and then neither referred to nor freed. */
    LEAK,
    /** A hook uses data that other items use. */
    SHARED_HOOK,
    /** The region's own code waits for another item. */
    WAIT,
    /** An invariant that the region's author states does not hold after the run. */
    INVARIANT,
    /** Values or results differ from those of the serial order. */
    WRONG_RESULT,
    /** After the run a word is still claimed or locked. */
    LEFT_CLAIMED,
    /**
     * An item did not end by commit or cancel and is not reported as left, or is left though it
     * lacks nothing; or two of these.
     */
    LOST_ITEM,
    /** The same state came again and again without a commit. */
    LIVELOCK,
    /** The run did not end within its bound of steps, every thread waits, or only time ended it. */
    NO_END,
    /** A handle is used that was never opened, or whose object is not open any more. */
    BAD_HANDLE,
    /** The kernel faulted. */
    FAULT,
    /** Nothing was there that could be wrong, or less than it seems; see {@link Vacuity}. */
    VACUOUS_RUN;

    /** Its name as it is told, such as {@code guard mismatch}. */
    public String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Whether it ends the launch by a fault, in checked builds of any device. */
    public boolean isFault() {
      return this == FAULT || this == BAD_HANDLE || this == DOUBLE_FREE;
    }
  }

  public Violation {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(text, "text");
    attempts = List.copyOf(attempts);
  }

  /** One that no two accesses show. */
  public Violation(Kind kind, String text) {
    this(kind, text, List.of());
  }

  /** The same in other words. */
  public Violation withText(String words) {
    return new Violation(kind, words, attempts);
  }

  @Override
  public String toString() {
    return kind.words() + ": " + text;
  }
}
