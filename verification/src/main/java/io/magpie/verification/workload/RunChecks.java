package io.magpie.verification.workload;

import io.magpie.stm.Recording;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import io.magpie.verification.check.Finding;
import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
          verdict.opacityViolation().ifPresent(found -> wrong.add(notOpaque(found)));
    }
    return wrong;
  }

  private static String finding(Verdict verdict) {
    return verdict.violation().orElseThrow().toString();
  }

  /**
   * What is wrong with the failed attempts of a run over weak memory: it has no clock that they
   * would keep, so they are held to causality only.
   */
  static Optional<Finding> opacityOverWeakMemory(History history) {
    return SerializabilityChecker.check(
            history, SerializabilityChecker.Options.DEFAULT.withRealTime(false))
        .opacityViolation();
  }

  /** That a history is not opaque. */
  static Violation notOpaque(Finding found) {
    return new Violation(Kind.NOT_OPAQUE, found.toString());
  }

  /**
   * Whether each position of a run's items, or of its list, either ended its item, once, or is
   * left, and nothing else did; and whether the report has as many left. A position is told by its
   * rank, which nobody else in the run has: the same item may be in a list twice.
   *
   * @param positions how many there are
   * @param ranks theirs
   * @param left ranks of those that are unfinished or deferred
   * @param reported how many the report has as unfinished or deferred
   */
  static List<Violation> lostPositions(
      History history, long positions, List<Integer> ranks, List<Integer> left, long reported) {
    if (ranks.size() != positions) {
      return lost(String.format("%d positions have %d ranks", positions, ranks.size()));
    }
    Set<Integer> given = new HashSet<>(ranks);
    Set<Integer> waiting = new HashSet<>(left);
    if (waiting.size() < left.size()) {
      return lost("two of the positions that are left have the same rank");
    }
    if (left.size() != reported) {
      return lost(String.format("%d items are left, but %d by the report", left.size(), reported));
    }
    for (int rank : left) {
      if (!given.contains(rank)) {
        return lost("an item of rank " + rank + " is left: no position has it");
      }
    }
    Set<Integer> ended = new HashSet<>();
    for (int attempt = 0; attempt < history.size(); attempt++) {
      if (history.completed(attempt)) {
        int rank = history.rank(attempt);
        if (!given.contains(rank)) {
          return lost("an item of rank " + rank + " ended: no position has it");
        }
        if (!ended.add(rank)) {
          return lost("the item of rank " + rank + " ended twice");
        }
        if (waiting.contains(rank)) {
          return lost("the item of rank " + rank + " ended, and is left");
        }
      }
    }
    return ended.size() + waiting.size() == positions
        ? List.of()
        : lost(
            String.format(
                "%d items ended and %d are left, of %d", ended.size(), waiting.size(), positions));
  }

  /**
   * Whether each of the items 0 to {@code items - 1} either ended, once, or is left, and no other
   * did.
   *
   * @param unfinished items that the report has as such
   */
  static List<Violation> lostItems(History history, long items, long[] unfinished) {
    BitSet ended = new BitSet();
    for (int attempt = 0; attempt < history.size(); attempt++) {
      if (history.completed(attempt)) {
        int item = history.item(attempt);
        if (Integer.toUnsignedLong(item) >= items) {
          return lost("item " + Integer.toUnsignedString(item) + " ended, of " + items);
        }
        if (ended.get(item)) {
          return lost("item " + item + " ended twice");
        }
        ended.set(item);
      }
    }
    BitSet left = new BitSet();
    for (long each : unfinished) {
      if (each >= items) {
        return lost("item " + each + " is left, of " + items);
      }
      int item = Math.toIntExact(each);
      if (left.get(item)) {
        return lost("item " + item + " is left twice");
      }
      if (ended.get(item)) {
        return lost("item " + item + " ended, and is left");
      }
      left.set(item);
    }
    ended.or(left);
    int first = ended.nextClearBit(0);
    return first < items ? lost("item " + first + " did not end, and is not left") : List.of();
  }

  /** The same for whatever a workload ran last: a run, or a round. */
  static List<Violation> lostItems(Workload workload, RegionReport report, History history) {
    return workload
        .lastRound()
        .map(round -> lostInRound(history, round, report.unfinishedItems()))
        .orElseGet(() -> lostItems(history, report.items(), report.unfinishedItems()));
  }

  /**
   * Whether each of a round's items, which may have some several times, either ended, or is
   * unfinished or deferred, and no other did.
   */
  static List<Violation> lostInRound(History history, Workload.Round round, long[] unfinished) {
    Map<Integer, Integer> open = new LinkedHashMap<>();
    round.given().forEach(item -> open.merge(item, 1, Integer::sum));
    for (int attempt = 0; attempt < history.size(); attempt++) {
      if (history.completed(attempt)) {
        open.merge(history.item(attempt), -1, Integer::sum);
      }
    }
    Arrays.stream(unfinished).forEach(item -> open.merge((int) item, -1, Integer::sum));
    round.deferred().forEach(item -> open.merge(item, -1, Integer::sum));
    for (Map.Entry<Integer, Integer> each : open.entrySet()) {
      String item = "item " + Integer.toUnsignedString(each.getKey());
      if (each.getValue() > 0) {
        return lost(item + " did not end, and is not left");
      }
      if (each.getValue() < 0) {
        return lost(item + " ended or is left more often than it was given");
      }
    }
    return List.of();
  }

  private static List<Violation> lost(String what) {
    return List.of(new Violation(Kind.LOST_ITEM, what));
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
