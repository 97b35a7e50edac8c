package io.magpie.verification.explore;

import java.util.Locale;

/**
 * Which schedules are tried. Text form: {@code exhaustive:N}, {@code dpor[:N]}, {@code pct:D},
 * {@code random}, {@code lock-step}, {@code round-robin}, {@code periodic}, {@code states}, and
 * {@code +weak} behind it for weak memory.
 *
 * @param kind what chooses
 * @param bound deviations of {@link Kind#EXHAUSTIVE}, 0 to 2; pauses of {@link Kind#DPOR}, 0 to 999
 *     or {@link #UNBOUNDED}; depth of {@link Kind#PCT}, 1 to 9; else 0
 * @param weak whether loads may read older values
 */
public record Strategy(Kind kind, int bound, boolean weak) {
  /** No bound of pauses. */
  public static final int UNBOUNDED = -1;

  /** What chooses among threads. */
  public enum Kind {
    /**
     * Every schedule with at most so many deviations from the default one, the fewest first. By
     * default thread 0 begins, and who runs goes on until it ends, waits in a collective or pauses;
     * then comes the next. Not only a preemption deviates: so does another beginning, another next
     * thread, and going on from a pause. A bound of preemptions alone (CHESS: Musuvathi and Qadeer,
     * PLDI 2007), with every choice free where a thread ends or waits in a collective, leaves too
     * many: of two transactions in a warp of four more than 100,000 without any preemption.
     */
    EXHAUSTIVE,
    /**
     * Every schedule in which no thread pauses more often than the bound, but of those that differ
     * only in the order of steps that do not depend on each other one: {@link PartialOrderSearch}
     * has what that means.
     */
    DPOR,
    /**
     * Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): finds a bug of depth d
     * among n threads and k steps with probability at least 1 / (n k^(d-1)) a run. Worth it for few
     * threads and a few hundred steps. Not fair, so not for progress.
     */
    PCT,
    /** Any thread at each step. Fair with probability 1. */
    RANDOM,
    /** Lanes of a warp in step, divergent ones one group after the other, in either order. */
    LOCK_STEP,
    /** One run: each thread a step, in turn. */
    ROUND_ROBIN,
    /**
     * Patterns of a few turns of a few steps each, every thread among them, repeated over and over:
     * fair, and so for livelocks, which need threads that stay in step. A drawn pattern is changed
     * a little from run to run, and the change kept where all items failed no less often: towards
     * runs that never end.
     */
    PERIODIC,
    /**
     * Every state before the first item's end, for livelocks alone; see {@link LivelockSearch}. So
     * many runs are so many states here.
     */
    STATES
  }

  public Strategy {
    int least = kind == Kind.PCT ? 1 : kind == Kind.DPOR ? UNBOUNDED : 0;
    int most =
        switch (kind) {
          case PCT -> 9;
          case EXHAUSTIVE -> 2;
          case DPOR -> 999;
          default -> 0;
        };
    if (bound < least || bound > most) {
      throw new IllegalArgumentException(
          name(kind) + " takes a number from " + least + " to " + most + ", not " + bound);
    }
    if (weak
        && (kind == Kind.EXHAUSTIVE
            || kind == Kind.DPOR
            || kind == Kind.PERIODIC
            || kind == Kind.STATES
            || kind == Kind.ROUND_ROBIN)) {
      throw new IllegalArgumentException(
          name(kind) + "+weak: nothing chooses older values; use pct, random or lock-step");
    }
  }

  /** Every schedule with at most so many deviations from the default one. */
  public static Strategy exhaustive(int deviations) {
    return new Strategy(Kind.EXHAUSTIVE, deviations, false);
  }

  /** Every schedule, but of equivalent ones one. */
  public static Strategy dpor() {
    return new Strategy(Kind.DPOR, UNBOUNDED, false);
  }

  /** The same of schedules in which no thread pauses more often. */
  public static Strategy dpor(int pauses) {
    return new Strategy(Kind.DPOR, pauses, false);
  }

  /** Probabilistic concurrency testing at this depth. */
  public static Strategy pct(int depth) {
    return new Strategy(Kind.PCT, depth, false);
  }

  /** A random walk. */
  public static Strategy random() {
    return new Strategy(Kind.RANDOM, 0, false);
  }

  /** Warps in step. */
  public static Strategy lockStep() {
    return new Strategy(Kind.LOCK_STEP, 0, false);
  }

  /** Patterns that repeat. */
  public static Strategy periodic() {
    return new Strategy(Kind.PERIODIC, 0, false);
  }

  /** Every state before the first item's end. */
  public static Strategy states() {
    return new Strategy(Kind.STATES, 0, false);
  }

  /** Whether it comes to an end of its own: there are only so many schedules, or states. */
  public boolean ends() {
    return kind == Kind.EXHAUSTIVE
        || kind == Kind.DPOR
        || kind == Kind.STATES
        || kind == Kind.ROUND_ROBIN;
  }

  /** The same over weak memory. */
  public Strategy overWeakMemory() {
    return new Strategy(kind, bound, true);
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Strategy parse(String text) {
    boolean weak = text.endsWith("+weak");
    String[] parts = (weak ? text.substring(0, text.length() - 5) : text).split(":", -1);
    for (Kind kind : Kind.values()) {
      if (!name(kind).equals(parts[0])) {
        continue;
      }
      if (parts.length == 1 && !needsBound(kind)) {
        return new Strategy(kind, kind == Kind.DPOR ? UNBOUNDED : 0, weak);
      }
      if (parts.length == 2 && takesBound(kind) && parts[1].matches("[0-9]{1,3}")) {
        return new Strategy(kind, Integer.parseInt(parts[1]), weak);
      }
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "': expected exhaustive:0 to exhaustive:2, dpor, dpor:0 to dpor:999, round-robin,"
            + " periodic or states; or pct:1 to pct:9, random or lock-step, with or without +weak");
  }

  private static boolean needsBound(Kind kind) {
    return kind == Kind.PCT || kind == Kind.EXHAUSTIVE;
  }

  private static boolean takesBound(Kind kind) {
    return needsBound(kind) || kind == Kind.DPOR;
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The text form. */
  @Override
  public String toString() {
    boolean bounded = takesBound(kind) && bound != UNBOUNDED;
    return name(kind) + (bounded ? ":" + bound : "") + (weak ? "+weak" : "");
  }
}
