package io.magpie.verification.check;

import io.magpie.verification.check.Verdict.Extent;
import io.magpie.verification.check.Verdict.Level;
import io.magpie.verification.check.Verdict.Opacity;
import io.magpie.verification.history.History;
import java.util.Arrays;

/**
 * Checks a history for strict serializability and opacity; {@link io.magpie.verification.check}
 * defines both and says how. The result depends on the history and the options alone.
 *
 * <p>Memory besides the history: about 4 bytes for each access, 8 for each committed write, 70 for
 * each attempt; more only if something is wrong. Coding the accesses runs on the common pool of
 * threads, the rest on the caller's.
 */
public final class SerializabilityChecker {
  /** Edges that the search for the shortest cycle looks at before it takes any: about 10 s. */
  private static final long ALLOWANCE = 1L << 30;

  private final History history;
  private final Options options;
  private final ObjectIndex objects;
  private final Times times;

  /** What to check. Immutable; {@link #DEFAULT} and the {@code with...} methods make others. */
  public static final class Options {
    /** Real time and opacity, no skew, all stamps 0 at first, final stamps not known. */
    public static final Options DEFAULT = new Options(true, true, 0, null, null);

    private final boolean realTime;
    private final boolean opacity;
    private final long skew;
    private final int[] initialStamps;
    private final int[] finalStamps;

    private Options(
        boolean realTime, boolean opacity, long skew, int[] initialStamps, int[] finalStamps) {
      this.realTime = realTime;
      this.opacity = opacity;
      this.skew = skew;
      this.initialStamps = initialStamps;
      this.finalStamps = finalStamps;
    }

    /** Whether to ask for real time; if not, {@link Level#SERIALIZABLE} is the best there is. */
    public Options withRealTime(boolean asked) {
      return new Options(asked, opacity, skew, initialStamps, finalStamps);
    }

    /**
     * Whether aborted attempts must have seen consistent states too; in real time if that is asked.
     */
    public Options withOpacity(boolean asked) {
      return new Options(realTime, asked, skew, initialStamps, finalStamps);
    }

    /**
     * How far clocks may differ: an attempt precedes another only if it ended more than this before
     * the other began.
     *
     * @param difference 0 or greater, in the unit of the history's times
     */
    public Options withSkew(long difference) {
      if (difference < 0) {
        throw new IllegalArgumentException("skew " + difference + " is negative");
      }
      return new Options(realTime, opacity, difference, initialStamps, finalStamps);
    }

    /** The stamps before the history, by object. */
    public Options withInitialStamps(int[] stamps) {
      return new Options(realTime, opacity, skew, stamps.clone(), finalStamps);
    }

    /** The stamps after the history, by object: they must be what its commits lead to. */
    public Options withFinalStamps(int[] stamps) {
      return new Options(realTime, opacity, skew, initialStamps, stamps.clone());
    }
  }

  private SerializabilityChecker(History history, Options options) {
    this.history = history;
    this.options = options;
    requireStamps("initial", options.initialStamps);
    requireStamps("final", options.finalStamps);
    if (options.initialStamps != null
        && options.finalStamps != null
        && options.initialStamps.length != options.finalStamps.length) {
      throw new IllegalArgumentException(
          options.initialStamps.length
              + " initial, but "
              + options.finalStamps.length
              + " final stamps");
    }
    objects = new ObjectIndex(history, options.initialStamps, options.finalStamps);
    times = new Times(history, options.skew);
  }

  private void requireStamps(String which, int[] stamps) {
    if (stamps != null && stamps.length <= history.greatestObject()) {
      throw new IllegalArgumentException(
          stamps.length
              + " "
              + which
              + " stamps, but the history has object "
              + history.greatestObject());
    }
  }

  /**
   * Checks a history.
   *
   * @throws IllegalArgumentException if stamps are given for fewer objects than the history has, or
   *     the history has 2<sup>31</sup> versions or more
   */
  public static Verdict check(History history, Options options) {
    return new SerializabilityChecker(history, options).check();
  }

  private Verdict check() {
    Opacity opacity = Opacity.NOT_CHECKED;
    Finding opacityViolation = null;
    if (options.opacity) {
      Judgment judgment = new Judgment(true);
      opacityViolation = judgment.violation(options.realTime);
      opacity = opacityViolation == null ? Opacity.OPAQUE : Opacity.NOT_OPAQUE;
      if (opacity == Opacity.OPAQUE) {
        Level level = options.realTime ? Level.STRICTLY_SERIALIZABLE : Level.SERIALIZABLE;
        return new Verdict(level, null, opacity, null, extent(), completed(judgment.order));
      }
    }
    Judgment judgment = new Judgment(false);
    Finding violation = judgment.violation(options.realTime);
    Level level = options.realTime ? Level.STRICTLY_SERIALIZABLE : Level.SERIALIZABLE;
    if (violation != null) {
      Finding withoutTime = violation.realTime() ? judgment.violation(false) : violation;
      level = withoutTime == null ? Level.SERIALIZABLE : Level.NOT_SERIALIZABLE;
      violation = withoutTime == null ? violation : withoutTime;
    }
    return new Verdict(
        level, violation, opacity, opacityViolation, extent(), completed(judgment.order));
  }

  private int[] completed(int[] order) {
    return order == null ? null : Arrays.stream(order).filter(history::completed).toArray();
  }

  private Extent extent() {
    long committed = 0;
    long canceled = 0;
    for (int i = 0; i < history.size(); i++) {
      committed += history.outcome(i) == History.COMMIT ? 1 : 0;
      canceled += history.outcome(i) == History.CANCEL ? 1 : 0;
    }
    long aborted = history.size() - committed - canceled;
    return new Extent(committed, canceled, aborted, history.accesses());
  }

  /** The search for what is wrong with all attempts, or with those that completed. */
  private final class Judgment {
    private final boolean all;
    private final int[] byBegin;
    private final int[] byEnd;
    private Versions versions;

    /** The order that explains everything; null if there is none or it was not looked for. */
    private int[] order;

    Judgment(boolean all) {
      this.all = all;
      int[] attempts = attempts();
      byBegin = times.byBegin(attempts);
      byEnd = times.byEnd(attempts);
    }

    private int[] attempts() {
      int[] attempts = new int[history.size()];
      int n = 0;
      for (int i = 0; i < attempts.length; i++) {
        if (all || history.completed(i)) {
          attempts[n++] = i;
        }
      }
      return n == attempts.length ? attempts : Arrays.copyOf(attempts, n);
    }

    /** What is wrong; null if nothing is. */
    Finding violation(boolean realTime) {
      Times considered = realTime ? times : null;
      if (Replay.explains(history, objects, byEnd, considered, options.finalStamps)) {
        order = byEnd;
        return null;
      }
      if (versions == null) {
        versions = new Versions(history, objects, all, options.finalStamps);
      }
      if (!versions.consistent()) {
        return Inspection.inspect(history, versions, options.finalStamps);
      }
      int[] stuck = stuck(considered);
      if (stuck == null) {
        return null;
      }
      CycleSearch.Cycle cycle = CycleSearch.shortest(versions, times, realTime, stuck, ALLOWANCE);
      return Finding.ofCycle(history, cycle, times);
    }

    /** Attempts among which there is a cycle, in order of index; null if there is none. */
    private int[] stuck(Times considered) {
      int[][] remaining = remaining(considered);
      if (remaining == null) {
        return null;
      }
      Sweep backward =
          new Sweep(versions, considered, remaining[0], remaining[1], history.size(), true);
      if (backward.run()) {
        throw new IllegalStateException("an order exists that was not found");
      }
      int[] stuck = backward.remaining(remaining[0]);
      Arrays.sort(stuck);
      return stuck;
    }

    /** Attempts that depend on a cycle, in order of begin and of end; null if there is none. */
    private int[][] remaining(Times considered) {
      Sweep forward = new Sweep(versions, considered, byBegin, byEnd, history.size(), false);
      if (forward.run()) {
        if (!Replay.explains(history, objects, forward.order(), considered, options.finalStamps)) {
          throw new IllegalStateException("the order found does not explain the history");
        }
        order = forward.order();
        return null;
      }
      return new int[][] {forward.remaining(byBegin), forward.remaining(byEnd)};
    }
  }
}
