package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * <p>The items may take other slots of pools: a slot that one takes stands for the one that it
 * takes in the other run. Where a word, or a pushed item, may be the number of such a slot, either
 * number is right.
 */
public final class SerialReplay {
  private static final String REPEATABLE =
      "let every attempt begin anew: set what it uses, variables outside of an inner transaction"
          + " too";

  private final AccessTrace run;
  private final EventText text;
  private final boolean repeated;
  private SlotRenaming slots; // between the runs that are compared

  private SerialReplay(AccessTrace run, LongFunction<Optional<String>> lines, boolean repeated) {
    this.run = run;
    this.text = new EventText(run, lines);
    this.repeated = repeated;
  }

  /** What the items of the other run did. */
  private String alone() {
    return repeated ? "when no attempt of it is made in vain" : "when it runs alone in its turn";
  }

  /**
   * How a run's items are run one after the other.
   *
   * @param threads of the run in the order of their items' places in the serial order
   * @param lacks why there is no such order; empty if there is
   */
  public record Plan(List<Integer> threads, String lacks) {
    public Plan {
      threads = List.copyOf(threads);
    }

    private static Plan without(String lacks) {
      return new Plan(List.of(), lacks);
    }
  }

  /**
   * What the comparison of a run gave.
   *
   * @param lacks why the runs cannot be compared; empty if they can
   * @param violation what differs first, if anything does
   */
  public record Comparison(String lacks, Optional<Violation> violation) {}

  /** The order of a run's threads, or why results may rightly differ from those in any order. */
  public static Plan plan(AccessTrace run) {
    Attempts attempts = new Attempts(run);
    Set<Integer> threads = new HashSet<>();
    Set<Long> items = new HashSet<>();
    List<Integer> order = new ArrayList<>();
    for (Attempt attempt : attempts.standing()) {
      if (!threads.add(attempt.thread) || !items.add(attempt.item)) {
        return Plan.without("a thread had several items");
      }
      if (attempt.undidInner && attempt.outcome == Attempt.CANCEL) {
        return Plan.without("an item canceled after an inner transaction was undone");
      }
      if (attempt.accesses.stream()
          .anyMatch(each -> each.kind() == AccessTrace.Kind.ATOMIC && !each.inHook())) {
        return Plan.without("atomic operations have an order of their own");
      }
      order.add(attempt.thread);
    }
    boolean ended = attempts.all().stream().allMatch(attempt -> items.contains(attempt.item));
    return !ended || !run.complete() || order.isEmpty()
        ? Plan.without("not all items ended")
        : new Plan(order, "");
  }

  /**
   * Compares.
   *
   * @param serial the run under {@code Schedule.ordered} of the {@link #plan}
   * @param lines tells the source's line of a place in the code
   */
  public static Comparison compare(
      AccessTrace run, AccessTrace serial, LongFunction<Optional<String>> lines) {
    return new SerialReplay(run, lines, false).difference(serial);
  }

  /**
   * Compares a run of items one after the other, whose attempts were each made once in vain, with
   * the same without that.
   */
  public static Comparison compareRepeated(
      AccessTrace repeated, AccessTrace once, LongFunction<Optional<String>> lines) {
    return new SerialReplay(repeated, lines, true).difference(once);
  }

  private Comparison difference(AccessTrace serial) {
    Map<Long, Attempt> alone = new HashMap<>();
    Attempts all = new Attempts(run);
    Attempts allInTurn = new Attempts(serial);
    slots = new SlotRenaming(run, all, serial, allInTurn);
    List<Attempt> inTurn = allInTurn.standing();
    for (Attempt attempt : inTurn) {
      alone.put(attempt.item, attempt);
    }
    List<Attempt> standing = all.standing();
    if (!items(inTurn).equals(items(standing))) {
      return new Comparison("lanes that wait for each other do not run in turn", Optional.empty());
    }
    return new Comparison(
        "",
        standing.stream()
            .flatMap(
                attempt ->
                    difference(attempt, alone.get(attempt.item)).stream()
                        .map(text -> violation(attempt, alone.get(attempt.item), text)))
            .findFirst());
  }

  private static List<Long> items(List<Attempt> attempts) {
    return attempts.stream().map(attempt -> attempt.item).toList();
  }

  private Optional<String> difference(Attempt attempt, Attempt alone) {
    if (attempt.outcome != alone.outcome) {
      return Optional.of(
          attempt.outcome == Attempt.COMMIT
              ? "commits, but cancels " + alone()
              : "cancels, but commits " + alone());
    }
    Map<Long, Access> written = written(attempt);
    Map<Long, Access> writtenAlone = written(alone);
    Set<Access> found = new HashSet<>();
    for (Access here : written.values()) {
      List<Access> there =
          slots
              .addresses(here.address())
              .mapToObj(writtenAlone::get)
              .filter(Objects::nonNull)
              .toList();
      if (there.stream().noneMatch(each -> slots.haveSameValue(here, each))) {
        String other = there.isEmpty() ? "not" : value(there.get(0));
        return Optional.of(
            String.format(
                "writes %s and makes it %s%s, but %s %s",
                run.inWords(here.address()), value(here), at(here), other, alone()));
      }
      found.addAll(there);
    }
    Optional<String> missing =
        writtenAlone.values().stream()
            .filter(each -> !found.contains(each))
            .map(
                each ->
                    "does not write "
                        + run.inWords(each.address())
                        + ", but does "
                        + alone()
                        + at(each))
            .findFirst();
    boolean pushesOthers =
        attempt.outcome == Attempt.COMMIT && !slots.areSameItems(attempt.pushes, alone.pushes);
    return missing.isPresent() || !pushesOthers
        ? missing
        : Optional.of("pushes " + attempt.pushes + ", but " + alone.pushes + " " + alone());
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
      if (!slots.areSame(here, there)) {
        return new Violation(
            repeated
                ? Kind.NOT_REPEATABLE
                : here.isHint()
                    ? Kind.UNCHECKED_HINT
                    : here.pastTransaction() ? Kind.UNGUARDED_ACCESS : Kind.WRONG_RESULT,
            String.format(
                "item %d %s%n  first it %s %s and gets %s%s; %s it reads %s and gets %s%nremedy: %s",
                attempt.item,
                difference,
                here.inWords(),
                run.inWords(here.address()),
                value(here),
                at(here),
                repeated ? "otherwise" : "alone",
                run.inWords(there.address()),
                value(there),
                repeated
                    ? REPEATABLE
                    : here.isHint()
                        ? "look at it again under a claim, before anything follows from it"
                        : "read it by tx.read, under the object that guards it"));
      }
    }
    return new Violation(
        Kind.NOT_REPEATABLE,
        String.format(
            "item %d %s, although it reads the same%nremedy: %s",
            attempt.item, difference, REPEATABLE));
  }

  private static List<Access> reads(Attempt attempt) {
    return attempt.accesses.stream().filter(each -> !each.writes() && !each.inHook()).toList();
  }

  private static String value(Access access) {
    return Long.toUnsignedString(access.value());
  }

  private String at(Access access) {
    return text.at(access.place());
  }
}
