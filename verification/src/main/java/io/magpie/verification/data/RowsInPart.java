package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.stm.simulator.AccessTrace.Memory.Contents;
import io.magpie.verification.data.Launch.Use;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Arrays in which each slot of a pool may have some elements side by side, and something else
 * follows. The length alone shows no such rows, as it is no multiple of the pool's: commits have
 * to, in two runs of the same items.
 */
final class RowsInPart {
  /** How surely an access is to a row of a slot. */
  enum How {
    NO,
    /** Either other commits have such rows there, or its attempt knows the slot. */
    PERHAPS,
    /** Both. */
    YES
  }

  private final Memory pool;
  private final Launch run;
  private final Launch other;
  private final SlotNumbers numbers;
  private final Map<String, Boolean> shown = new HashMap<>();

  /**
   * @param numbers of the pool's slots, as the run shows them
   */
  RowsInPart(Memory pool, Launch run, Launch other, SlotNumbers numbers) {
    this.pool = pool;
    this.run = run;
    this.other = other;
    this.numbers = numbers;
  }

  /** The slot in whose row an address may be; -1 = none. */
  long slot(Memory array, long address) {
    if (array.contents() == Contents.SLOTS || array.length() % pool.length() == 0) {
      return -1;
    }
    long row = array.index(address) / Math.max(1, times(array));
    return times(array) > 1 && row < pool.length() ? row : -1;
  }

  /** Where in the row of another slot is what is at an address in one. */
  long moved(Memory array, long address, long slot, long other) {
    return address + (other - slot) * times(array) * array.stride();
  }

  /** How surely an access of the first run is to the row of a slot. */
  How how(Memory array, Access access, long slot) {
    boolean known = isKnown(access, slot);
    boolean rows = shown.computeIfAbsent(array.name(), key -> areShown(array));
    return known && rows ? How.YES : known || rows ? How.PERHAPS : How.NO;
  }

  private long times(Memory array) {
    return array.length() / pool.length();
  }

  /** Whether an attempt takes or frees a slot, or has read its number before an access. */
  private boolean isKnown(Access access, long slot) {
    Attempt attempt = access.attempt();
    return attempt.slotUses.stream()
            .filter(use -> run.pool(use).name().equals(pool.name()))
            .anyMatch(use -> use.slot() == slot)
        || attempt.accesses.stream()
            .filter(each -> !each.writes() && each.event() < access.event())
            .anyMatch(each -> numbers.told(run, each).anyMatch(number -> number == slot));
  }

  /**
   * Whether the commits that take slots, and write to any row of an array, each write to that of a
   * slot that they take: with two slots or more that have not the numbers of their items.
   */
  private boolean areShown(Memory array) {
    Set<Long> slots = new HashSet<>();
    for (Launch launch : List.of(run, other)) {
      Map<Attempt, Set<Long>> taken =
          launch.uses(pool.name()).stream()
              .map(Use::what)
              .filter(use -> !use.frees())
              .collect(
                  Collectors.groupingBy(
                      SlotUse::attempt, Collectors.mapping(SlotUse::slot, Collectors.toSet())));
      for (Map.Entry<Attempt, Set<Long>> each : taken.entrySet()) {
        Set<Long> rows = written(launch, each.getKey(), array);
        if (!rows.isEmpty()) {
          rows.retainAll(each.getValue());
          if (rows.isEmpty()) {
            return false;
          }
          rows.remove(each.getKey().item);
          slots.addAll(rows);
        }
      }
    }
    return slots.size() > 1;
  }

  /** The slots to whose rows an attempt writes. */
  private Set<Long> written(Launch launch, Attempt attempt, Memory array) {
    Set<Long> rows = new HashSet<>();
    for (Access each : attempt.accesses) {
      if (each.writes() && !each.inHook()) {
        launch
            .trace()
            .memory(each.address())
            .filter(of -> of.name().equals(array.name()))
            .map(of -> slot(of, each.address()))
            .filter(slot -> slot >= 0)
            .ifPresent(rows::add);
      }
    }
    return rows;
  }
}
