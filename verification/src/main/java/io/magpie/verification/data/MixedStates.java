package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Attempts that do not stand and read, past their transaction, data of another state than what they
 * read before: operations of {@code tx} fail where an object was taken meanwhile, but nothing tells
 * a region that reads past them. States are those after each commit, in the serial order.
 *
 * <p>Only values count: what an attempt reads must be what memory held after one and the same
 * commit, whichever that is. So a commit that writes what was there makes no difference, nor does
 * the order in which accesses are noted that threads make at the same time. Data that are also
 * written otherwise than by commits are left out.
 */
final class MixedStates {
  /** All states, each by the place of its commit in the serial order. */
  private static final List<int[]> ALL = List.of(new int[] {Attempt.NEVER, Integer.MAX_VALUE});

  /**
   * Two reads of an attempt that are of different states.
   *
   * @param read the later one, past its transaction
   */
  record Found(Access read, Access other) {}

  /** A commit that made a piece of memory another value. */
  private record Change(int serial, long value) {}

  /**
   * What commits made of a piece of memory.
   *
   * @param first what it held before; empty if that is not known
   */
  private record History(OptionalLong first, List<Change> changes) {
    /** The states in which it may have held a value: from one commit to before another one. */
    List<int[]> states(long value) {
      List<int[]> states = new ArrayList<>();
      int from = Attempt.NEVER;
      boolean holds = first.isEmpty() || first.getAsLong() == value;
      for (Change each : changes) {
        if (holds) {
          states.add(new int[] {from, each.serial});
        }
        from = each.serial;
        holds = each.value == value;
      }
      if (holds) {
        states.add(new int[] {from, Integer.MAX_VALUE});
      }
      return states;
    }
  }

  private final AccessTrace trace;
  private final MemoryBefore before;
  private final Units units;
  private final Map<Long, History> histories = new HashMap<>();

  /**
   * @param grouped its accesses, by {@link Units}
   * @param before what memory held before the launch, as far as that is known
   */
  MixedStates(
      AccessTrace trace, Attempts attempts, Map<Long, List<Access>> grouped, MemoryBefore before) {
    this.trace = trace;
    this.before = before;
    this.units = new Units(attempts.accesses());
    grouped.forEach(
        (unit, all) -> {
          List<Access> writes = all.stream().filter(Access::writes).toList();
          if (!writes.isEmpty() && writes.stream().allMatch(MixedStates::isOfCommit)) {
            histories.put(unit, history(unit, all));
          }
        });
  }

  private static boolean isOfCommit(Access write) {
    Attempt attempt = write.attempt();
    boolean underWay = attempt.outcome < 0 && attempt.serial != Attempt.NEVER;
    return write.isUnderClaims() && (attempt.stands() || underWay);
  }

  private History history(long unit, List<Access> all) {
    OptionalLong first =
        trace
            .memory(unit)
            .map(array -> before.at(array, unit, units.bytes(unit)))
            .orElse(OptionalLong.empty());
    OptionalLong held = first;
    List<Change> changes = new ArrayList<>();
    for (Access each : all) {
      long value = part(each, unit);
      if (held.isEmpty() && !each.writes()) {
        first = OptionalLong.of(value);
        held = first;
      }
      if (each.writes()) {
        if (held.isEmpty() || held.getAsLong() != value) {
          changes.add(new Change(each.attempt().serial, value));
        }
        held = OptionalLong.of(value);
      }
    }
    return new History(first, changes);
  }

  /** The piece of an access's value that lies in a unit. */
  private long part(Access access, long unit) {
    long shifted = access.value() >>> Byte.SIZE * (unit - access.address());
    return shifted & (1L << Byte.SIZE * units.bytes(unit)) - 1;
  }

  /** Two reads of an attempt that are of different states; empty if there are none. */
  Optional<Found> in(Attempt attempt) {
    boolean commits = attempt.outcome < 0 && attempt.serial != Attempt.NEVER;
    if (attempt.stands() || commits || attempt.accesses.stream().noneMatch(Access::isPlainRead)) {
      return Optional.empty();
    }
    List<Access> before = new ArrayList<>();
    List<int[]> possible = ALL;
    for (Access read : attempt.accesses) {
      boolean looksAgain = read.isHint() || read.kind() == Kind.SHARED_READ;
      if (read.writes() || looksAgain || !read.beforeCommit()) {
        continue;
      }
      List<int[]> own = states(read);
      List<int[]> both = common(possible, own);
      if (!both.isEmpty()) {
        possible = both;
        before.add(read);
      } else if (read.isPlainRead()) {
        return Optional.of(new Found(read, other(before, own)));
      } // else the operation of tx fails
    }
    return Optional.empty();
  }

  /** A read that is of none of some states, the latest one; else the latest of all. */
  private Access other(List<Access> reads, List<int[]> states) {
    for (int i = reads.size() - 1; i >= 0; i--) {
      if (common(states(reads.get(i)), states).isEmpty()) {
        return reads.get(i);
      }
    }
    return reads.get(reads.size() - 1);
  }

  /** The states in which memory held what a read gets; all if it is of none. */
  private List<int[]> states(Access read) {
    List<int[]> states = ALL;
    for (long unit : units.of(read).toArray()) {
      History history = histories.get(unit);
      states = history == null ? states : common(states, history.states(part(read, unit)));
    }
    return states.isEmpty() ? ALL : states;
  }

  private static List<int[]> common(List<int[]> a, List<int[]> b) {
    List<int[]> common = new ArrayList<>();
    int i = 0;
    int k = 0;
    while (i < a.size() && k < b.size()) {
      int from = Math.max(a.get(i)[0], b.get(k)[0]);
      int to = Math.min(a.get(i)[1], b.get(k)[1]);
      if (from < to) {
        common.add(new int[] {from, to});
      }
      if (a.get(i)[1] < b.get(k)[1]) {
        i++;
      } else {
        k++;
      }
    }
    return common;
  }
}
