package io.magpie.verification.testing;

import io.magpie.verification.check.Verdict;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.history.History;
import io.magpie.verification.testing.RegionCheck.Model;
import io.magpie.verification.testing.RegionData.NoSuchData;
import io.magpie.verification.workload.RegionWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What a test's invariant and specification say of runs. */
final class Judgment {
  private static final String SPECIFIED = "the specification: ";

  /** Items of a serial order that a message shows. */
  private static final int SHOWN = 32;

  private final RegionCheck check;
  private RegionWorkload workload;
  private RegionData before;
  private RegionData left; // by the round before

  Judgment(RegionCheck check) {
    this.check = check;
  }

  /**
   * Looks at the data before the first run.
   *
   * @throws IllegalArgumentException if the invariant does not hold of them
   */
  void begin(RegionWorkload made) {
    workload = made;
    before = RegionData.of(workload.arguments());
    if (check.model != null) {
      // A mistake in the view shows before a run is blamed for it.
      Objects.requireNonNull(check.model.view().apply(before.copy()), "the specification's view");
    }
    broken(before.copy())
        .ifPresent(
            text -> {
              throw new IllegalArgumentException(
                  "the invariant does not hold before the region has run; draw arguments for which"
                      + " it holds: "
                      + text);
            });
  }

  /** Whether a violation is this class's, which only the test can see. */
  static boolean made(Violation violation) {
    return violation.kind() == Kind.INVARIANT
        || violation.kind() == Kind.WRONG_RESULT && violation.text().contains(SPECIFIED);
  }

  Optional<Violation> complaint(History history, Verdict verdict) {
    RegionData after = RegionData.of(workload.arguments());
    Optional<Violation> broken =
        broken(after.copy()).map(text -> new Violation(Kind.INVARIANT, text));
    if (broken.isPresent()
        || check.model == null
        || verdict.level() == Verdict.Level.NOT_SERIALIZABLE) {
      return broken;
    }
    boolean first = workload.lastRound().map(round -> round.number() == 0).orElse(true);
    RegionData start = first ? before : left;
    left = after;
    return compared(check.model, start, after, history, verdict.serialOrder())
        .map(text -> new Violation(Kind.WRONG_RESULT, SPECIFIED + text));
  }

  /** What the invariant says if it does not hold. */
  private Optional<String> broken(RegionData data) {
    try {
      check.invariant.accept(data);
      return Optional.empty();
    } catch (NoSuchData e) {
      throw e;
    } catch (AssertionError | RuntimeException e) {
      return Optional.of(message(e));
    }
  }

  private static String message(Throwable thrown) {
    boolean stated = thrown instanceof AssertionError || thrown instanceof IllegalStateException;
    return stated && thrown.getMessage() != null ? thrown.getMessage() : thrown.toString();
  }

  private <S> Optional<String> compared(
      Model<S> model, RegionData start, RegionData after, History history, int[] order) {
    S state = model.view().apply(start.copy());
    List<Integer> ran = new ArrayList<>();
    for (int attempt : order) {
      int item = history.item(attempt);
      boolean committed = history.outcome(attempt) == History.COMMIT;
      if (model.step().run(state, item) != committed) {
        return Optional.of(
            "item "
                + item
                + (committed ? " commits, and should cancel" : " cancels, and should commit")
                + behind(ran));
      }
      ran.add(item);
    }
    S found;
    try {
      found = model.view().apply(after.copy());
    } catch (NoSuchData e) {
      throw e;
    } catch (AssertionError | RuntimeException e) {
      return Optional.of("what is left stands for nothing: " + message(e) + behind(ran));
    }
    if (Objects.deepEquals(found, state)) {
      return Optional.empty();
    }
    return Optional.of(difference(found, state) + behind(ran));
  }

  private static String difference(Object found, Object expected) {
    return found instanceof RegionData data && expected instanceof RegionData should
        ? data.difference(should)
        : "what is left is " + found + ", and should be " + expected;
  }

  private static String behind(List<Integer> items) {
    return items.isEmpty()
        ? ", as the first"
        : ", after items "
            + (items.size() > SHOWN ? "..., " : "")
            + items.subList(Math.max(0, items.size() - SHOWN), items.size()).stream()
                .map(Object::toString)
                .reduce((a, b) -> a + ", " + b)
                .orElseThrow();
  }
}
