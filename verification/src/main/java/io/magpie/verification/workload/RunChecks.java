package io.magpie.verification.workload;

import io.magpie.stm.StmObjects;
import io.magpie.stm.trace.Recording;
import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** What is checked of every recorded run, whatever ran. */
final class RunChecks {
  private RunChecks() {}

  /** What a recording holds. */
  static History history(Recording recording) {
    HistoryBuilder builder = new HistoryBuilder();
    recording.forEachThread((thread, words, count) -> builder.thread(thread).addLog(words, count));
    return builder.build();
  }

  /**
   * The checker's verdict on a run's history, of a recording that was reset before it.
   *
   * @param objects the arrays that the run had
   * @param skew differences of the clock that are no order
   */
  static Verdict verdict(
      List<StmObjects> objects, Recording recording, History history, long skew, boolean opacity) {
    return SerializabilityChecker.check(
        history,
        SerializabilityChecker.Options.DEFAULT
            .withSkew(skew)
            .withOpacity(opacity)
            .withFinalStamps(finalStamps(objects, recording)));
  }

  /**
   * The versions of all objects after a run, by their numbers in the history. Objects of other
   * arrays of the recording have version 0.
   */
  static int[] finalStamps(List<StmObjects> objects, Recording recording) {
    long end = 0;
    for (StmObjects each : objects) {
      end = Math.max(end, recording.objectsBase(each) + each.count());
    }
    int[] all = new int[Math.toIntExact(end)];
    for (StmObjects each : objects) {
      int[] stamps = recording.finalStamps(each);
      System.arraycopy(stamps, 0, all, recording.objectsBase(each), stamps.length);
    }
    return all;
  }

  /** What a verdict finds wrong. */
  static List<Violation> violations(Verdict verdict) {
    List<Violation> wrong = new ArrayList<>();
    switch (verdict.level()) {
      case NOT_SERIALIZABLE -> wrong.add(new Violation(Kind.NOT_SERIALIZABLE, finding(verdict)));
      case SERIALIZABLE ->
          wrong.add(new Violation(Kind.NOT_STRICTLY_SERIALIZABLE, finding(verdict)));
      case STRICTLY_SERIALIZABLE ->
          verdict
              .opacityViolation()
              .ifPresent(found -> wrong.add(new Violation(Kind.NOT_OPAQUE, found.toString())));
    }
    return wrong;
  }

  private static String finding(Verdict verdict) {
    return verdict.violation().orElseThrow().toString();
  }

  /**
   * What is wrong with the attempts in vain of a run over weak memory: it has no clock that they
   * would keep, so they are held to causality only.
   */
  static List<Violation> opacityOverWeakMemory(History history) {
    return SerializabilityChecker.check(
            history, SerializabilityChecker.Options.DEFAULT.withRealTime(false))
        .opacityViolation()
        .map(found -> List.of(new Violation(Kind.NOT_OPAQUE, found.toString())))
        .orElse(List.of());
  }

  /**
   * Whether each position of a run's items, or of its list, ended its item at most once, and so
   * many of them did. A position is told by its rank, which nobody else in the run has: the same
   * item may be in a list twice.
   *
   * @param expected positions that ended their items, by the report
   */
  static List<Violation> lostPositions(History history, long expected) {
    int[] ranks =
        IntStream.range(0, history.size()).filter(history::completed).map(history::rank).toArray();
    Arrays.sort(ranks);
    for (int i = 1; i < ranks.length; i++) {
      if (ranks[i] == ranks[i - 1]) {
        return List.of(
            new Violation(Kind.LOST_ITEM, "the item of rank " + ranks[i] + " ended twice"));
      }
    }
    return ranks.length == expected
        ? List.of()
        : List.of(
            new Violation(
                Kind.LOST_ITEM, ranks.length + " items ended, by the report " + expected));
  }

  /** Whether words are claimed that nobody holds any more. */
  static List<Violation> leftClaimed(List<StmObjects> objects) {
    long claimed = objects.stream().mapToLong(StmObjects::claimed).sum();
    return claimed == 0
        ? List.of()
        : List.of(
            new Violation(
                Kind.LEFT_CLAIMED,
                claimed == 1
                    ? "1 object is still claimed"
                    : claimed + " objects are still claimed"));
  }
}
