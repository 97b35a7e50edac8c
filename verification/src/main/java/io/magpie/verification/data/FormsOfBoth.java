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
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * Forms of slots' numbers that only two runs of the same items together show, in which the items
 * took other slots of a pool. The commits that take one slot write some word in a field: if each
 * slot has a word of its own there, whichever item takes it and in either run, these words are the
 * slots' numbers, in whatever form. If each word differs from that of the other run by so many
 * times what the slots differ, it has the number times as much, and something else below.
 */
final class FormsOfBoth {
  /**
   * What an item wrote in a field when it took a slot.
   *
   * @param slot that it took
   * @param word that it wrote
   */
  private record Stored(long slot, long word) {}

  private final Memory pool;
  private final List<Launch> launches;
  private final SlotNumbers numbers;

  /** By fields, and items, what these wrote. */
  private final Map<String, Map<Long, Stored>> here;

  private final Map<String, Map<Long, Stored>> there;

  private final List<Words> words;
  private final Map<Long, Boolean> factors;

  /**
   * @param numbers of the pool's slots, as the run shows them
   */
  FormsOfBoth(Memory pool, Launch run, Launch other, SlotNumbers numbers) {
    this.pool = pool;
    this.launches = List.of(run, other);
    this.numbers = numbers;
    this.here = stored(run);
    this.there = stored(other);
    this.words = findWords();
    this.factors = findFactors();
  }

  /** The words that items wrote that took one slot, of fields of which each of them wrote one. */
  private Map<String, Map<Long, Stored>> stored(Launch launch) {
    Map<Attempt, List<Long>> slots = new LinkedHashMap<>();
    for (Use use : launch.uses(pool.name())) {
      if (!use.what().frees()) {
        slots
            .computeIfAbsent(use.what().attempt(), key -> new ArrayList<>())
            .add(use.what().slot());
      }
    }
    slots.values().removeIf(all -> all.size() > 1);
    Map<String, Map<Long, Stored>> stored = new LinkedHashMap<>();
    Set<String> several = new HashSet<>();
    slots.forEach(
        (attempt, all) ->
            written(launch, attempt)
                .forEach(
                    (address, word) ->
                        launch
                            .trace()
                            .memory(address)
                            .map(array -> Slots.field(array, address))
                            .ifPresent(
                                field -> {
                                  Stored last =
                                      stored
                                          .computeIfAbsent(field, key -> new HashMap<>())
                                          .put(attempt.item, new Stored(all.get(0), word));
                                  if (last != null) {
                                    several.add(field);
                                  }
                                })));
    stored.keySet().removeAll(several);
    return stored;
  }

  /** By addresses, what an attempt leaves there. */
  private static Map<Long, Long> written(Launch launch, Attempt attempt) {
    Map<Long, Long> written = new HashMap<>();
    attempt.accesses.stream()
        .filter(Access::writes)
        .forEach(each -> written.put(each.address(), each.value()));
    return written;
  }

  /**
   * A form in which each slot has a word of its own.
   *
   * @param number what gives the slot of a word; -1 = none
   * @param isSure whether an item took a slot that another one took in the other run, and wrote the
   *     same, as otherwise no word shows that it is not the item's; and whether some item follows
   *     such a word to the slot, as otherwise it may only go with the order of takes
   */
  record Words(LongUnaryOperator number, boolean isSure) {}

  /** Such forms of fields that several items wrote. */
  List<Words> words() {
    return words;
  }

  private List<Words> findWords() {
    List<Words> forms = new ArrayList<>();
    here.forEach(
        (field, all) -> {
          Map<Long, Stored> others = there.getOrDefault(field, Map.of());
          Map<Long, Long> words = new HashMap<>();
          Map<Long, Long> slots = new HashMap<>();
          boolean fits = all.values().stream().allMatch(each -> note(each, words, slots));
          boolean isSure =
              others.entrySet().stream()
                  .filter(each -> words.containsKey(each.getValue().slot))
                  .filter(each -> all.containsKey(each.getKey()))
                  .anyMatch(each -> all.get(each.getKey()).slot != each.getValue().slot);
          fits = fits && others.values().stream().allMatch(each -> note(each, words, slots));
          if (fits && all.size() > 1 && others.size() > 1) {
            LongUnaryOperator number = word -> slots.getOrDefault(word, -1L);
            forms.add(new Words(number, isSure && isFollowed(field, number)));
          }
        });
    return forms;
  }

  /** Notes what is stored; false if a slot has two words, or a word two slots. */
  private static boolean note(Stored of, Map<Long, Long> words, Map<Long, Long> slots) {
    Long word = words.putIfAbsent(of.slot, of.word);
    Long slot = slots.putIfAbsent(of.word, of.slot);
    return (word == null || word == of.word) && (slot == null || slot == of.slot);
  }

  /** Whether some item follows a word of a field to the slot of which it is the number. */
  private boolean isFollowed(String field, LongUnaryOperator number) {
    return launches.stream()
        .anyMatch(
            launch ->
                launch.attempts().standing().stream()
                    .anyMatch(attempt -> follows(launch, attempt, field, number)));
  }

  /**
   * Whether an attempt uses the data of a slot, or frees it, that it knows only by what it has read
   * in a field; and of no slot that it does not know, as one that looks through all.
   */
  private boolean follows(Launch launch, Attempt attempt, String field, LongUnaryOperator number) {
    Set<Long> known = new HashSet<>(Set.of(attempt.item));
    Set<Long> freed = new HashSet<>();
    for (SlotUse use : attempt.slotUses) {
      if (launch.pool(use).name().equals(pool.name())) {
        (use.frees() ? freed : known).add(use.slot());
      }
    }
    Set<Long> read = new HashSet<>();
    Set<Long> used = new HashSet<>();
    for (Access each : attempt.accesses) {
      Memory array = launch.trace().memory(each.address()).orElse(null);
      if (array == null) {
        continue;
      }
      for (long slot : Slots.numbers(array, each.address(), pool).toArray()) {
        if (numbers.isOwn(launch, each.address(), slot) && !known.contains(slot)) {
          if (!read.contains(slot)) {
            return false;
          }
          used.add(slot);
        }
      }
      if (!each.writes() && Slots.field(array, each.address()).equals(field)) {
        read.add(number.applyAsLong(each.value()));
      } else if (!each.writes()) {
        numbers.told(launch, each).forEach(known::add);
      }
    }
    freed.retainAll(read);
    used.addAll(freed);
    used.removeAll(known);
    return !used.isEmpty();
  }

  /**
   * By how much numbers are multiplied, where each word has something else below; and whether some
   * item follows such a word to the slot.
   */
  Map<Long, Boolean> factors() {
    return factors;
  }

  private Map<Long, Boolean> findFactors() {
    Map<Long, Boolean> factors = new TreeMap<>();
    here.forEach(
        (field, all) -> {
          Set<Long> found = new HashSet<>();
          all.forEach(
              (item, of) -> {
                Stored other = there.getOrDefault(field, Map.of()).get(item);
                if (other != null && other.slot != of.slot) {
                  long apart = of.word - other.word;
                  long slots = of.slot - other.slot;
                  found.add(apart % slots == 0 ? apart / slots : 0);
                }
              });
          if (found.size() == 1) {
            long factor = found.iterator().next();
            if (factor > 1) {
              factors.merge(factor, isFollowed(field, word -> word / factor), Boolean::logicalOr);
            }
          }
        });
    return factors;
  }
}
