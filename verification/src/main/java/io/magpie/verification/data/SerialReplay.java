package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * Compares a run with the same items run one after the other, in the serial order that the run's
 * commits and cancels have: each must end alike, write and push the same. That is what
 * serializability promises, whatever guards the data and whether or not accesses went through the
 * transaction.
 *
 * <p>Runs of regions that use pools are not compared, as the numbers of slots may differ.
 */
public final class SerialReplay {
  private final AccessTrace run;
  private final LongFunction<Optional<String>> lines;

  private SerialReplay(AccessTrace run, LongFunction<Optional<String>> lines) {
    this.run = run;
    this.lines = lines;
  }

  /**
   * The threads of a run in the order of their items' places in the serial order.
   *
   * @return empty if the run has no such order of threads: one has several items, an item did not
   *     end, or canceled after an inner transaction was undone; or results may differ rightly:
   *     slots were used, or atomic operations in {@code apply}, whose order is their own
   */
  public static Optional<List<Integer>> threads(AccessTrace run) {
    Attempts attempts = new Attempts(run);
    Set<Integer> threads = new HashSet<>();
    Set<Long> items = new HashSet<>();
    List<Integer> order = new ArrayList<>();
    for (Attempt attempt : attempts.standing()) {
      if (!threads.add(attempt.thread) || !items.add(attempt.item)) {
        return Optional.empty();
      }
      order.add(attempt.thread);
    }
    boolean ended = attempts.all().stream().allMatch(attempt -> items.contains(attempt.item));
    boolean ownOrder =
        attempts.standing().stream()
            .anyMatch(
                attempt ->
                    attempt.undidInner && attempt.outcome == Attempt.CANCEL
                        || attempt.accesses.stream()
                            .anyMatch(
                                each -> each.kind() == AccessTrace.Kind.ATOMIC && !each.inHook()));
    return ended && !ownOrder && !attempts.usedSlots() && run.complete() && !order.isEmpty()
        ? Optional.of(order)
        : Optional.empty();
  }

  /**
   * What differs first, if anything does.
   *
   * @param serial the run under {@code Schedule.ordered} of {@link #threads}
   * @param lines tells the source's line of a place in the code
   */
  public static Optional<Violation> compare(
      AccessTrace run, AccessTrace serial, LongFunction<Optional<String>> lines) {
    return new SerialReplay(run, lines).difference(serial);
  }

  private Optional<Violation> difference(AccessTrace serial) {
    Map<Long, Attempt> alone = new HashMap<>();
    List<Attempt> inTurn = new Attempts(serial).standing();
    for (Attempt attempt : inTurn) {
      alone.put(attempt.item, attempt);
    }
    if (!items(inTurn).equals(items(new Attempts(run).standing()))) {
      return Optional.empty(); // lanes that wait for each other do not come one after the other
    }
    for (Attempt attempt : new Attempts(run).standing()) {
      Attempt other = alone.get(attempt.item);
      if (other == null) {
        return Optional.empty(); // did not end in turn: says nothing
      }
      Optional<String> difference = difference(attempt, other);
      if (difference.isPresent()) {
        return Optional.of(violation(attempt, other, difference.get()));
      }
    }
    return Optional.empty();
  }

  private static List<Long> items(List<Attempt> attempts) {
    return attempts.stream().map(attempt -> attempt.item).toList();
  }

  private Optional<String> difference(Attempt attempt, Attempt alone) {
    if (attempt.outcome != alone.outcome) {
      return Optional.of(
          attempt.outcome == Attempt.COMMIT
              ? "commits, but cancels when it runs alone in its turn"
              : "cancels, but commits when it runs alone in its turn");
    }
    Map<Long, Access> written = written(attempt);
    Map<Long, Access> writtenAlone = written(alone);
    for (Map.Entry<Long, Access> each : written.entrySet()) {
      Access there = writtenAlone.get(each.getKey());
      String what =
          "writes " + run.inWords(each.getKey()) + " and makes it " + value(each.getValue());
      if (there == null) {
        return Optional.of(what + at(each.getValue()) + ", but not when it runs alone in its turn");
      }
      if (there.value() != each.getValue().value()) {
        return Optional.of(
            what
                + at(each.getValue())
                + ", but "
                + value(there)
                + " when it runs alone in its turn");
      }
    }
    for (Map.Entry<Long, Access> each : writtenAlone.entrySet()) {
      if (!written.containsKey(each.getKey())) {
        return Optional.of(
            "does not write "
                + run.inWords(each.getKey())
                + ", but does when it runs alone in its turn"
                + at(each.getValue()));
      }
    }
    return attempt.outcome != Attempt.COMMIT || attempt.pushed.equals(alone.pushed)
        ? Optional.empty()
        : Optional.of(
            "pushes "
                + attempt.pushed
                + ", but "
                + alone.pushed
                + " when it runs alone in its turn");
  }

  /** What an attempt wrote last to each address, without tallies and hooks. */
  private static Map<Long, Access> written(Attempt attempt) {
    Map<Long, Access> written = new TreeMap<>();
    for (Access each : attempt.accesses) {
      if (each.writes() && each.kind() != AccessTrace.Kind.TALLY && !each.inHook()) {
        written.put(each.address(), each);
      }
    }
    return written;
  }

  private Violation violation(Attempt attempt, Attempt alone, String difference) {
    List<Access> reads = reads(attempt);
    List<Access> readsAlone = reads(alone);
    for (int i = 0; i < Math.min(reads.size(), readsAlone.size()); i++) {
      Access here = reads.get(i);
      Access there = readsAlone.get(i);
      if (here.address() != there.address() || here.value() != there.value()) {
        return new Violation(
            here.isHint()
                ? Kind.UNCHECKED_HINT
                : here.pastTransaction() ? Kind.UNGUARDED_ACCESS : Kind.WRONG_RESULT,
            String.format(
                "item %d %s%n  first it %s %s and gets %s%s; alone it reads %s and gets %s%nremedy: %s",
                attempt.item,
                difference,
                here.inWords(),
                run.inWords(here.address()),
                value(here),
                at(here),
                run.inWords(there.address()),
                value(there),
                here.isHint()
                    ? "look at it again under a claim, before anything follows from it"
                    : "read it by tx.read, under the object that guards it"));
      }
    }
    return new Violation(
        Kind.NOT_REPEATABLE,
        String.format(
            "item %d %s, although it reads the same%nremedy: let every attempt begin anew: set"
                + " what it uses, variables outside of an inner transaction too",
            attempt.item, difference));
  }

  private static List<Access> reads(Attempt attempt) {
    return attempt.accesses.stream().filter(each -> !each.writes() && !each.inHook()).toList();
  }

  private static String value(Access access) {
    return Long.toUnsignedString(access.value());
  }

  private String at(Access access) {
    return lines.apply(access.place()).map(text -> " (" + text + ")").orElse("");
  }
}
