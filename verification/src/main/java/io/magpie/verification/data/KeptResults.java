package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What items keep of what they computed, as a hash or a length that is computed once. An attempt
 * that was undone leaves it to the next one, which then goes another way; but as it came of nothing
 * that changes, any attempt would leave the same. Whether the item does the same in the end, a run
 * of its attempts, each first rolled back, has to show.
 */
final class KeptResults {
  private final Attempts attempts;
  private final Map<Integer, List<Attempt>> undone = new HashMap<>(); // by items
  private Map<Long, List<Access>> units; // null before it is asked for

  KeptResults(Attempts attempts) {
    this.attempts = attempts;
    attempts.all().stream()
        .filter(each -> !each.stands())
        .forEach(
            each -> undone.computeIfAbsent(each.execution, key -> new ArrayList<>()).add(each));
  }

  /**
   * Whether a write past the transaction leaves a result of what does not change in the run: before
   * it its attempt has read nothing else, nor used a slot, and only its item uses the datum and
   * never leaves anything else there.
   */
  boolean isOne(Access write) {
    Attempt attempt = write.attempt();
    return write.writes()
        && write.pastTransaction()
        && write.kind() != Kind.ATOMIC
        && write.beforeCommit()
        && !write.isHint()
        && uses(write)
            .allMatch(
                each ->
                    each.attempt().isOfItem(attempt)
                        && (!each.writes() || leaveTheSame(each, write)))
        && attempt.undoneReads.isEmpty()
        && attempt.slotUses.stream().noneMatch(each -> each.event() < write.event())
        && attempt.accesses.stream()
            .takeWhile(each -> each.event() < write.event())
            .allMatch(each -> each.writes() ? each.kind() != Kind.ATOMIC : neverChanges(each));
  }

  private Stream<Access> uses(Access of) {
    if (units == null) {
      units = Units.group(attempts.accesses());
    }
    return Units.of(units, of);
  }

  private static boolean leaveTheSame(Access write, Access other) {
    return write.address() == other.address()
        && write.bytes() == other.bytes()
        && write.value() == other.value();
  }

  /** Whether nobody writes what is read, or only its item and always the same. */
  private boolean neverChanges(Access read) {
    List<Access> writes = uses(read).filter(Access::writes).toList();
    return writes.stream()
        .allMatch(
            each -> each.attempt().isOfItem(read.attempt()) && leaveTheSame(each, writes.get(0)));
  }

  /** What an undone attempt of the same item as another one left at an address, if it is one. */
  Optional<Access> left(Attempt to, long address) {
    return undone.getOrDefault(to.execution, List.of()).stream()
        .filter(each -> each != to)
        .flatMap(each -> each.accesses.stream())
        .filter(each -> each.writes() && each.address() == address)
        .reduce((first, last) -> last)
        .filter(this::isOne);
  }
}
