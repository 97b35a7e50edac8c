package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.verification.data.Launch.Use;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Two runs of the same items, in which these may take other slots: the first slot that an item
 * takes in one run stands for the first that it takes in the other, and so on.
 */
final class SlotRenaming {
  private final Launch launch;
  private final Map<Memory, SlotNumbers> numbers = new LinkedHashMap<>();
  private final Map<Memory, Map<Long, Long>> others = new HashMap<>();

  SlotRenaming(AccessTrace run, Attempts attempts, AccessTrace otherRun, Attempts otherAttempts) {
    this.launch = new Launch(0, run, attempts);
    Launch other = new Launch(0, otherRun, otherAttempts);
    for (Memory pool : launch.pools()) {
      numbers.put(pool, new SlotNumbers(pool, List.of(launch), launch.uses(pool.name()), Map.of()));
      Map<Long, List<Long>> taken = taken(launch, pool);
      Map<Long, List<Long>> takenThere = taken(other, pool);
      Map<Long, Long> names = new HashMap<>();
      taken.forEach(
          (item, slots) -> {
            List<Long> there = takenThere.getOrDefault(item, List.of());
            for (int i = 0; i < Math.min(slots.size(), there.size()); i++) {
              names.put(slots.get(i), there.get(i));
            }
          });
      others.put(pool, names);
    }
  }

  /** By items, the slots that they took, in order. */
  private static Map<Long, List<Long>> taken(Launch launch, Memory pool) {
    Map<Long, List<Long>> taken = new HashMap<>();
    for (Use use : launch.uses(pool.name())) {
      if (!use.what().frees()) {
        taken
            .computeIfAbsent(use.what().attempt().item, item -> new ArrayList<>())
            .add(use.what().slot());
      }
    }
    return taken;
  }

  /** Where data of the first run may be in the other: there, or in the slot that stands for one. */
  LongStream addresses(long address) {
    LongStream found = LongStream.of(address);
    for (Memory array : launch.trace().memory(address).stream().toList()) {
      for (Map.Entry<Memory, Map<Long, Long>> each : others.entrySet()) {
        Memory pool = each.getKey();
        found =
            LongStream.concat(
                found,
                Slots.numbers(array, address, pool)
                    .filter(each.getValue()::containsKey)
                    .flatMap(
                        number ->
                            Slots.moved(
                                array, address, pool, number, each.getValue().get(number))));
      }
    }
    return found.distinct();
  }

  /** Whether two accesses read the same or left the same, but for the names of slots. */
  boolean haveSameValue(Access here, Access there) {
    return isSame(
        here.value(),
        there.value(),
        numbers -> numbers.in(launch, here),
        numbers -> numbers.in(launch, there));
  }

  /** Whether two commits push the same items, in the same order, but for the names of slots. */
  boolean areSameItems(List<Long> here, List<Long> there) {
    return here.size() == there.size()
        && IntStream.range(0, here.size())
            .allMatch(
                i ->
                    isSame(
                        here.get(i),
                        there.get(i),
                        numbers -> numbers.in(launch, 0, here.get(i), Integer.BYTES),
                        numbers -> numbers.in(launch, 0, there.get(i), Integer.BYTES)));
  }

  /**
   * Whether two words are the same, or slots' numbers that stand for each other.
   *
   * @param numbersHere what the first may stand for
   * @param numbersThere what the second may stand for
   */
  private boolean isSame(
      long here,
      long there,
      Function<SlotNumbers, LongStream> numbersHere,
      Function<SlotNumbers, LongStream> numbersThere) {
    return here == there
        || others.entrySet().stream()
            .anyMatch(
                each -> {
                  SlotNumbers known = numbers.get(each.getKey());
                  return numbersHere
                      .apply(known)
                      .filter(each.getValue()::containsKey)
                      .map(each.getValue()::get)
                      .anyMatch(
                          number -> numbersThere.apply(known).anyMatch(other -> other == number));
                });
  }

  boolean areSame(Access here, Access there) {
    return addresses(here.address()).anyMatch(each -> each == there.address())
        && haveSameValue(here, there);
  }
}
