package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.verification.data.Launch.Use;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

/**
 * Fields whose words are sets of a pool's slots, with a bit for each slot, as two runs of the same
 * items show: whatever commit takes or frees slots and writes there leaves the bits of those it
 * took, and none of those it freed. That may be chance where words have one bit each and there are
 * few, such as counts to two.
 */
final class SetsOfSlots {
  /** So many slots that are taken cannot have the right bits by chance. */
  private static final int SURE = 3;

  private final Memory pool;
  private final Set<String> fields;

  SetsOfSlots(Memory pool, Launch run, Launch other) {
    this.pool = pool;
    Map<String, Evidence> evidence = new HashMap<>();
    for (Launch launch : List.of(run, other)) {
      note(launch, evidence);
    }
    evidence.values().removeIf(each -> !each.isSet());
    this.fields = Set.copyOf(evidence.keySet());
  }

  /** What commits show of a field. */
  private static final class Evidence {
    final Set<Long> taken = new HashSet<>();
    boolean several;
    boolean otherwise;

    boolean isSet() {
      return !otherwise && (several && taken.size() > 1 || taken.size() >= SURE);
    }
  }

  private void note(Launch launch, Map<String, Evidence> evidence) {
    Map<Attempt, List<SlotUse>> uses = new LinkedHashMap<>();
    for (Use use : launch.uses(pool.name())) {
      uses.computeIfAbsent(use.what().attempt(), key -> new ArrayList<>()).add(use.what());
    }
    uses.forEach(
        (attempt, own) ->
            written(launch, attempt)
                .forEach(
                    (field, last) -> {
                      Evidence of = evidence.computeIfAbsent(field, key -> new Evidence());
                      of.otherwise |= pool.length() > Byte.SIZE * (long) last.bytes();
                      of.several |= Long.bitCount(last.value()) > 1;
                      // A slot may be taken and freed: its last use counts.
                      Map<Long, Boolean> there = new HashMap<>();
                      own.forEach(use -> there.put(use.slot(), !use.frees()));
                      there.forEach(
                          (slot, isTaken) -> {
                            of.otherwise |= slot < Long.SIZE && has(last.value(), slot) != isTaken;
                            if (isTaken) {
                              of.taken.add(slot);
                            }
                          });
                    }));
  }

  /** By fields, what an attempt wrote there last. */
  private static Map<String, Access> written(Launch launch, Attempt attempt) {
    Map<String, Access> written = new HashMap<>();
    attempt.accesses.stream()
        .filter(Access::writes)
        .forEach(
            each ->
                launch
                    .trace()
                    .memory(each.address())
                    .ifPresent(array -> written.put(Slots.field(array, each.address()), each)));
    return written;
  }

  private static boolean has(long word, long slot) {
    return (word >>> slot & 1) != 0;
  }

  /** Whether the words of a field are sets of slots. */
  boolean are(String field) {
    return fields.contains(field);
  }

  /** The slots that a word may have: of each bit its number, or -1 where it is not set. */
  List<LongUnaryOperator> numbers() {
    return IntStream.range(0, (int) pool.length())
        .mapToObj(slot -> (LongUnaryOperator) word -> has(word, slot) ? slot : -1)
        .toList();
  }

  private long slots(long word) {
    return pool.length() >= Long.SIZE ? word : word & (1L << pool.length()) - 1;
  }

  /** The bits of a word that are no slots'. */
  long rest(long word) {
    return word ^ slots(word);
  }

  /** Tells whether one slot may stand for another one of the other run. */
  interface Names {
    boolean mayStandFor(long slot, long other);
  }

  /** Whether each slot of a set stands for one of another set, and these are all of that. */
  boolean areSame(long here, long there, Names names) {
    long slots = slots(here);
    long others = slots(there);
    if (rest(here) != rest(there) || Long.bitCount(slots) != Long.bitCount(others)) {
      return false;
    }
    Map<Integer, Integer> partners = new HashMap<>();
    return bits(slots)
        .allMatch(slot -> findsPartner(slot, others, names, partners, new HashSet<>()));
  }

  /** A step of bipartite matching: by an augmenting path from a slot. */
  private static boolean findsPartner(
      int slot, long others, Names names, Map<Integer, Integer> partners, Set<Integer> seen) {
    return bits(others)
        .filter(other -> names.mayStandFor(slot, other) && seen.add(other))
        .anyMatch(
            other -> {
              Integer before = partners.get(other);
              boolean free = before == null || findsPartner(before, others, names, partners, seen);
              if (free) {
                partners.put(other, slot);
              }
              return free;
            });
  }

  private static IntStream bits(long word) {
    return IntStream.range(0, Long.SIZE).filter(bit -> has(word, bit));
  }
}
