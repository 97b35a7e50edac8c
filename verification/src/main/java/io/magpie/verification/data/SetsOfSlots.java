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
 * items show: whatever commit takes or frees slots and writes there changes the bits of these, and
 * no others. The words are of the slots in use, or of those that are free.
 */
final class SetsOfSlots {
  /** One bit may be a flag. */
  private static final int LEAST_SLOTS = 2;

  private final Memory pool;

  /** By fields, whether the bits of slots in use are set. */
  private final Map<String, Boolean> fields = new HashMap<>();

  SetsOfSlots(Memory pool, Launch run, Launch other) {
    this.pool = pool;
    Map<String, Evidence> evidence = new HashMap<>();
    for (Launch launch : List.of(run, other)) {
      note(launch, evidence);
    }
    evidence.forEach(
        (field, of) -> {
          if (of.isSet()) {
            fields.put(field, of.ofUsed);
          }
        });
  }

  /** What commits show of a field. */
  private static final class Evidence {
    final Set<Long> slots = new HashSet<>();
    boolean ofUsed = true;
    boolean ofFree = true;

    boolean isSet() {
      return (ofUsed || ofFree) && slots.size() >= LEAST_SLOTS;
    }

    void refute() {
      ofUsed = false;
      ofFree = false;
    }
  }

  /** What an attempt makes of a word: as it read it, and as it leaves it. */
  private static final class Change {
    Access read;
    Access written;
  }

  private void note(Launch launch, Map<String, Evidence> evidence) {
    Map<Attempt, List<SlotUse>> uses = new LinkedHashMap<>();
    for (Use use : launch.uses(pool.name())) {
      uses.computeIfAbsent(use.what().attempt(), key -> new ArrayList<>()).add(use.what());
    }
    uses.forEach(
        (attempt, own) -> {
          Map<Long, Boolean> inUse = new HashMap<>(); // a slot may be taken and freed
          own.forEach(use -> inUse.put(use.slot(), !use.frees()));
          changes(launch, attempt)
              .forEach(
                  (field, words) ->
                      note(evidence.computeIfAbsent(field, key -> new Evidence()), inUse, words));
        });
  }

  private void note(Evidence of, Map<Long, Boolean> inUse, List<Change> words) {
    long set = 0;
    long cleared = 0;
    for (Change each : words) {
      if (each.read == null || pool.length() > Byte.SIZE * (long) each.written.bytes()) {
        of.refute();
        return;
      }
      set |= each.written.value() & ~each.read.value();
      cleared |= each.read.value() & ~each.written.value();
    }
    long taken = 0;
    long freed = 0;
    for (Map.Entry<Long, Boolean> each : inUse.entrySet()) {
      taken |= each.getValue() ? 1L << each.getKey() : 0;
      freed |= each.getValue() ? 0 : 1L << each.getKey();
    }
    of.slots.addAll(inUse.keySet());
    of.ofUsed &= set == taken && cleared == freed;
    of.ofFree &= set == freed && cleared == taken;
  }

  /** By fields, what an attempt makes of the words there to which it writes. */
  private static Map<String, List<Change>> changes(Launch launch, Attempt attempt) {
    Map<Long, Change> words = new LinkedHashMap<>();
    for (Access each : attempt.accesses) {
      Change of = words.computeIfAbsent(each.address(), key -> new Change());
      if (each.writes()) {
        of.written = each;
      } else if (of.written == null) {
        of.read = each;
      }
    }
    Map<String, List<Change>> changes = new HashMap<>();
    words.forEach(
        (address, of) -> {
          if (of.written != null) {
            launch
                .trace()
                .memory(address)
                .ifPresent(
                    array ->
                        changes
                            .computeIfAbsent(Slots.field(array, address), key -> new ArrayList<>())
                            .add(of));
          }
        });
    return changes;
  }

  private static boolean has(long word, long slot) {
    return (word >>> slot & 1) != 0;
  }

  /** Whether the words of a field are sets of slots. */
  boolean are(String field) {
    return fields.containsKey(field);
  }

  /** The slots in use by a word of a field: of each bit its number, or -1. */
  List<LongUnaryOperator> numbers(String field) {
    return IntStream.range(0, (int) pool.length())
        .mapToObj(slot -> (LongUnaryOperator) word -> has(used(field, word), slot) ? slot : -1)
        .toList();
  }

  /** The bits of slots in use. */
  private long used(String field, long word) {
    return slots(fields.get(field) ? word : ~word);
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

  /** Whether two words of a field are the same, but for the names of slots. */
  boolean areSame(String field, long here, long there, Names names) {
    return rest(here) == rest(there) && areSame(used(field, here), used(field, there), names);
  }

  /** Whether each slot of a set stands for one of another set, and these are all of that. */
  static boolean areSame(long slots, long others, Names names) {
    Map<Integer, Integer> partners = new HashMap<>();
    return Long.bitCount(slots) == Long.bitCount(others)
        && bits(slots)
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
