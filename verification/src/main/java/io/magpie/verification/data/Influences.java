package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace.Kind;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which attempts may have had an influence on which: one reads what another wrote last to the same
 * datum, or takes or frees a slot that another took or freed before.
 */
final class Influences {
  /** By attempts, those on which they depend directly. */
  private final Map<Attempt, Set<Attempt>> direct = new HashMap<>();

  Influences(Attempts attempts) {
    Map<Long, Attempt> writers = new HashMap<>(); // by pieces of memory
    Units units = new Units(attempts.accesses());
    for (Access each : attempts.accesses()) {
      if (!each.writes() || each.kind() == Kind.ATOMIC) {
        units.of(each).forEach(unit -> note(each.attempt(), writers.get(unit)));
      }
      if (each.writes()) {
        units.of(each).forEach(unit -> writers.put(unit, each.attempt()));
      }
    }
    Map<List<Long>, Attempt> users = new HashMap<>(); // of slots, the last, as it depends on others
    attempts.all().stream()
        .flatMap(attempt -> attempt.slotUses.stream())
        .sorted(Comparator.comparingInt(SlotUse::event))
        .forEach(
            use -> note(use.attempt(), users.put(List.of(use.pool(), use.slot()), use.attempt())));
  }

  private void note(Attempt attempt, Attempt on) {
    if (on != null && on != attempt) {
      direct.computeIfAbsent(attempt, key -> new HashSet<>()).add(on);
    }
  }

  /** Those that had an influence on an attempt, directly or through others. */
  Set<Attempt> on(Attempt attempt) {
    Set<Attempt> found = new HashSet<>();
    Deque<Attempt> open = new ArrayDeque<>(direct.getOrDefault(attempt, Set.of()));
    while (!open.isEmpty()) {
      Attempt next = open.pop();
      if (found.add(next)) {
        open.addAll(direct.getOrDefault(next, Set.of()));
      }
    }
    return found;
  }
}
