package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * What a region does wrong with its data, found in the trace of one run.
 *
 * <p>Two accesses to one word by different items, at least one of them a write, must be ordered by
 * objects that both had claimed, or by a chain of such attempts: happens-before over claims, as
 * race detectors have it over locks (Lamport, CACM 1978; Flanagan and Freund, FastTrack, PLDI
 * 2009). So what is reported is unordered in that very run, and data may change the object that
 * guards them. Only attempts that committed or canceled count there; hints ({@code tx.glance},
 * {@code tx.peek}, atomic loads in {@code seek}) and tallies do not.
 *
 * <p>The other checks: what is written in a body past the transaction stays when the attempt is
 * undone; what an undone attempt left is not to be read by the next; hooks run when the transaction
 * holds nothing; a loop that reads a word again and again waits for another item.
 */
public final class DataChecker {
  /** Reads of one word in a row, at one place, that are a wait. */
  private static final int READS_OF_A_WAIT = 16;

  /** Accesses to one word that are compared with each other. */
  private static final int MOST_COMPARED = 256;

  private final AccessTrace trace;
  private final LongFunction<Optional<String>> lines;
  private final Attempts attempts;
  private final List<Violation> found = new ArrayList<>();

  private DataChecker(AccessTrace trace, LongFunction<Optional<String>> lines) {
    this.trace = trace;
    this.lines = lines;
    this.attempts = new Attempts(trace);
  }

  /**
   * Checks a run.
   *
   * @param lines tells the source's line of a place in the code, as {@code file:line}
   * @return the first finding of each kind; none if nothing is wrong
   */
  public static List<Violation> check(AccessTrace trace, LongFunction<Optional<String>> lines) {
    DataChecker checker = new DataChecker(trace, lines);
    Map<Long, List<Access>> words = checker.byWord();
    if (!checker.attempts.usedSlots()) { // who frees and who takes a slot are ordered by that
      checker.effects(words);
      checker.unordered(words);
    }
    checker.repetitions();
    checker.hooks(words);
    checker.waits();
    return checker.found;
  }

  private Map<Long, List<Access>> byWord() {
    Map<Long, List<Access>> words = new LinkedHashMap<>();
    for (Access each : attempts.accesses()) {
      words.computeIfAbsent(each.word(), word -> new ArrayList<>()).add(each);
    }
    return words;
  }

  /** Writes past the transaction while it can still be undone, to what other items use. */
  private void effects(Map<Long, List<Access>> words) {
    for (Access write : attempts.accesses()) {
      if (!write.writes() || !write.pastTransaction() || !write.beforeCommit()) {
        continue;
      }
      Optional<Access> other =
          words.get(write.word()).stream()
              .filter(each -> each.attempt().item != write.attempt().item)
              .findFirst();
      if (other.isPresent()) {
        add(
            Kind.EFFECT_NOT_UNDONE,
            write,
            other.get(),
            "it is in memory at once, and stays there if the attempt is rolled back or cancels",
            "write it by tx.write, or by tx.store in apply; a counter that is no part of the data"
                + " by tx.tally");
        return;
      }
    }
  }

  /** Reads of what an attempt of the same item left that was undone. */
  private void repetitions() {
    Map<Long, Access> lastWrite = new HashMap<>();
    for (Access each : attempts.accesses()) {
      Access left = lastWrite.get(each.word());
      boolean kept =
          !each.writes()
              && each.beforeCommit()
              && left != null
              && left.beforeCommit()
              && left.attempt().item == each.attempt().item
              && left.attempt() != each.attempt()
              && !left.attempt().stands();
      if (kept) {
        add(
            Kind.NOT_REPEATABLE,
            each,
            left,
            "it reads what attempt " + left.attempt().number + " of the same item left",
            "begin every attempt by setting what it uses, so that it can be run again");
        return;
      }
      if (each.writes()) {
        lastWrite.put(each.word(), each);
      }
    }
  }

  /** Accesses in hooks to what other items use. */
  private void hooks(Map<Long, List<Access>> words) {
    for (Access hook : attempts.accesses()) {
      if (!hook.inHook() || isAtomicUpdate(hook) || hook.kind() == AccessTrace.Kind.GLANCE) {
        continue;
      }
      Optional<Access> other =
          words.get(hook.word()).stream()
              .filter(each -> each.attempt().item != hook.attempt().item)
              .filter(each -> !each.isHint() && (each.writes() || hook.writes()))
              .findFirst();
      if (other.isPresent()) {
        add(
            Kind.SHARED_HOOK,
            hook,
            other.get(),
            "a hook runs when its transaction holds nothing, so nothing orders the two",
            "do it in apply, under the locks; or by an atomic operation, if all do");
        return;
      }
    }
  }

  private static boolean isAtomicUpdate(Access access) {
    return access.kind() == AccessTrace.Kind.ATOMIC || access.kind() == AccessTrace.Kind.TALLY;
  }

  /** Conflicting accesses of different items that no chain of claims orders. */
  private void unordered(Map<Long, List<Access>> words) {
    Order order = new Order(attempts.standing());
    Access[] past = null;
    Access[] guarded = null;
    for (List<Access> all : words.values()) {
      List<Access> some = representatives(all);
      for (int j = 1; j < some.size() && (past == null || guarded == null); j++) {
        for (int i = 0; i < j; i++) {
          Access first = some.get(i);
          Access second = some.get(j);
          if (!conflict(first, second) || order.orders(first, second)) {
            continue;
          }
          Access[] pair = {first, second};
          if (first.pastTransaction() || second.pastTransaction()) {
            past = past == null ? pair : past;
          } else {
            guarded = guarded == null ? pair : guarded;
          }
        }
      }
    }
    if (past != null) {
      Access of = past[1].pastTransaction() ? past[1] : past[0];
      add(
          Kind.UNGUARDED_ACCESS,
          of,
          of == past[1] ? past[0] : past[1],
          "no object that both have claimed orders the two",
          "open the object that guards it and use tx.read and tx.write; for a hint that is looked"
              + " at again under claims, tx.glance");
    }
    if (guarded != null) {
      add(
          Kind.GUARD_MISMATCH,
          guarded[1],
          guarded[0],
          "the two are made under different objects, so nothing orders them",
          "let one object guard each datum, and open it wherever the datum is used");
    }
  }

  private static boolean conflict(Access a, Access b) {
    return a.attempt().item != b.attempt().item
        && (a.writes() || b.writes())
        && !(isAtomicUpdate(a) && isAtomicUpdate(b));
  }

  /** Of each standing attempt's accesses to a word those that differ, but no hints and no hooks. */
  private static List<Access> representatives(List<Access> all) {
    Set<List<Object>> seen = new HashSet<>();
    List<Access> some = new ArrayList<>();
    boolean written = false;
    for (Access each : all) {
      if (each.attempt().stands()
          && (each.attempt().outcome == Attempt.COMMIT || !each.writes())
          && !each.isHint()
          && !each.inHook()
          && some.size() < MOST_COMPARED
          && seen.add(
              List.of(each.attempt(), each.writes(), each.pastTransaction(), each.object()))) {
        some.add(each);
        written |= each.writes();
      }
    }
    return written ? some : List.of();
  }

  /** Loops of the region's own that read a word until it changes. */
  private void waits() {
    Map<Attempt, Access> last = new HashMap<>();
    Map<Attempt, Integer> times = new HashMap<>();
    for (Access each : attempts.accesses()) {
      Attempt attempt = each.attempt();
      Access before = last.put(attempt, each);
      boolean again =
          before != null
              && !each.writes()
              && (each.pastTransaction() || each.isHint())
              && each.address() == before.address()
              && each.place() == before.place();
      int reads = again ? times.merge(attempt, 1, Integer::sum) : 1;
      if (!again) {
        times.put(attempt, reads);
      }
      boolean changed = again && each.pastTransaction() && each.value() != before.value();
      if (changed || reads == READS_OF_A_WAIT) {
        found.add(
            new Violation(
                Kind.WAIT,
                String.format(
                    "item %d %s %s%s %d times in a row%s: it waits for another item, which may be"
                        + " waiting for what this one has claimed%nremedy: return outcome::retry, or"
                        + " cancel, and let the item be tried again",
                    attempt.item,
                    each.inWords(),
                    trace.inWords(each.address()),
                    at(each),
                    reads,
                    changed ? ", until it has changed" : "")));
        return;
      }
    }
  }

  private void add(Kind kind, Access access, Access other, String why, String remedy) {
    found.add(
        new Violation(
            kind,
            String.format(
                "%s: %s%n  %s%n  %s%nremedy: %s",
                trace.inWords(access.address()), why, line(access), line(other), remedy)));
  }

  private String line(Access access) {
    String part =
        switch (access.phase()) {
          case AccessTrace.PHASE_APPLY -> ", in apply";
          case AccessTrace.PHASE_COMMITTED -> ", in committed";
          case AccessTrace.PHASE_ROLLED_BACK -> ", in rolled_back";
          case AccessTrace.PHASE_SEEK -> ", in seek";
          default -> "";
        };
    return String.format(
        "item %d, attempt %d%s, %s %s%s%s",
        access.attempt().item,
        access.attempt().number,
        part,
        access.inWords(),
        trace.inWords(access.address()),
        (access.writes() ? " and makes it " : " and gets ") + Long.toUnsignedString(access.value()),
        at(access));
  }

  private String at(Access access) {
    return lines.apply(access.place()).map(text -> " (" + text + ")").orElse("");
  }

  /** Which standing attempts come before which, by the objects they claimed. */
  private static final class Order {
    private final Map<Attempt, Integer> numbers = new HashMap<>();
    private final List<BitSet> before = new ArrayList<>();
    private final List<Map<Integer, Integer>> direct = new ArrayList<>();

    Order(List<Attempt> standing) {
      Map<Long, Integer> holders = new HashMap<>();
      for (Attempt attempt : standing) {
        int number = before.size();
        BitSet all = new BitSet();
        Map<Integer, Integer> since = new HashMap<>();
        attempt.opened.forEach(
            (object, event) -> {
              Integer holder = holders.put(object, number);
              if (holder != null) {
                since.merge(holder, event, Math::min);
                all.or(before.get(holder));
                all.set(holder);
              }
            });
        numbers.put(attempt, number);
        before.add(all);
        direct.add(since);
      }
    }

    boolean orders(Access a, Access b) {
      return isBefore(a.attempt(), b) || isBefore(b.attempt(), a);
    }

    /** Whether an attempt was over when an object was claimed for this access's attempt. */
    private boolean isBefore(Attempt attempt, Access access) {
      int wanted = numbers.get(attempt);
      for (Map.Entry<Integer, Integer> each :
          direct.get(numbers.get(access.attempt())).entrySet()) {
        boolean inTime = each.getValue() < access.event();
        if (inTime && (each.getKey() == wanted || before.get(each.getKey()).get(wanted))) {
          return true;
        }
      }
      return false;
    }
  }
}
