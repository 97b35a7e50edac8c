package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.stm.simulator.AccessTrace.Memory.Contents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Which arrays refer to a pool's slots. Small numbers are everywhere, in the rows of a graph for
 * one; so an array counts as one of references by what is done with its numbers: attempts go on to
 * the data of the slots that they name, or those that take slots store their numbers there; or as
 * somebody declared.
 */
final class SlotReferences {
  /**
   * Values that are no slots': an array with so many holds something else. References need one for
   * none, and perhaps another for what was deleted.
   */
  private static final int MANY_OTHERS = 3;

  /** Whether the numbers in an array stand for slots. */
  enum Holds {
    NO,
    /** The run does not tell. */
    PERHAPS,
    YES
  }

  /** What was read from an array, or written there. */
  private static final class Use {
    /** Reads of what may be a slot's number. */
    int naming;

    /** Of these, those from which it went on to the slot's data. */
    int followed;

    /** Of these, those whose number it had read nowhere else. */
    int surely;

    /** Of these, those that came last before it: the arrays where it had read the number, too. */
    final List<Set<String>> together = new ArrayList<>();

    /** Values that are no slots', some of them. */
    final Set<Long> others = new HashSet<>();

    /** Writes of what may be a slot's number. */
    int written;

    /** Of these, those that copied it, by the array where it had been read. */
    final Map<String, Integer> copied = new HashMap<>();

    boolean hasManyOthers() {
      return others.size() >= MANY_OTHERS;
    }

    /**
     * Whether half of what may be numbers, and not one alone, came from another array: one small
     * number is easily equal to another.
     */
    boolean isCopiedFrom(String array) {
      int times = copied.getOrDefault(array, 0);
      return times >= 2 && 2 * times >= written;
    }
  }

  private final SlotNumbers numbers;
  private final Memory pool;
  private final MemoryBefore before;
  private final Map<String, Use> uses = new HashMap<>();
  private final Set<Long> reachedOtherwise = new HashSet<>();

  SlotReferences(SlotNumbers numbers, Memory pool, List<Launch> launches, MemoryBefore before) {
    this.numbers = numbers;
    this.pool = pool;
    this.before = before;
    for (Launch launch : launches) {
      launch.attempts().all().forEach(attempt -> note(launch, attempt));
    }
    for (Memory array : launches.get(0).trace().scope().memory()) {
      if (array.contents() == Contents.DATA) {
        noteBefore(launches.get(0), array);
      }
    }
  }

  private Use use(Memory array) {
    return uses.computeIfAbsent(array.name(), name -> new Use());
  }

  private void note(Launch launch, Attempt attempt) {
    Map<Long, List<Access>> naming = new HashMap<>();
    Set<Access> followed = new HashSet<>();
    Access last = null;
    for (Access each : attempt.accesses) {
      Memory array = launch.trace().memory(each.address()).orElse(null);
      if (array == null) {
        continue;
      }
      Access previous = last;
      Slots.numbers(array, each.address(), pool)
          .filter(number -> numbers.isOwn(launch, each.address(), number))
          .filter(number -> number != attempt.item && !takes(launch, attempt, number))
          .forEach(
              number ->
                  follow(
                      launch, number, naming.getOrDefault(number, List.of()), previous, followed));
      long[] named =
          numbers
              .in(launch, each)
              .filter(number -> numbers.mayHold(launch, each))
              .filter(number -> !numbers.isOwn(launch, each.address(), number))
              .toArray();
      if (each.writes()) {
        copied(launch, each, array, named, naming);
      } else {
        use(array).naming += named.length > 0 && attempt.stands() ? 1 : 0;
        LongStream.of(named)
            .forEach(number -> naming.computeIfAbsent(number, key -> new ArrayList<>()).add(each));
      }
      noteOther(launch, array, each.address(), each.value(), each.bytes());
      last = each;
    }
  }

  private boolean takes(Launch launch, Attempt attempt, long number) {
    return attempt.slotUses.stream()
        .anyMatch(
            use ->
                !use.frees()
                    && use.slot() == number
                    && launch.pool(use).name().equals(pool.name()));
  }

  /** An attempt goes on to the data of a slot, after these reads of its number. */
  private void follow(
      Launch launch, long number, List<Access> reads, Access previous, Set<Access> followed) {
    if (reads.isEmpty()) {
      reachedOtherwise.add(number);
      return;
    }
    Set<String> arrays = new HashSet<>();
    reads.forEach(read -> arrays.add(array(launch, read).name()));
    Access read = reads.get(reads.size() - 1);
    if (followed.add(read)) {
      Use use = use(array(launch, read));
      use.followed++;
      arrays.remove(array(launch, read).name());
      if (arrays.isEmpty()) {
        use.surely++;
      } else if (read == previous) {
        use.together.add(arrays);
      }
    }
  }

  private static Memory array(Launch launch, Access access) {
    return launch.trace().memory(access.address()).orElseThrow();
  }

  /** A number that was read from one array is written to another. */
  private void copied(
      Launch launch, Access write, Memory array, long[] named, Map<Long, List<Access>> naming) {
    use(array).written += named.length > 0 ? 1 : 0;
    for (long number : named) {
      Set<String> from = new HashSet<>();
      naming.getOrDefault(number, List.of()).forEach(read -> from.add(array(launch, read).name()));
      if (from.size() == 1) {
        from.forEach(name -> use(array).copied.merge(name, 1, Integer::sum));
      }
    }
  }

  private void noteOther(Launch launch, Memory array, long address, long value, int bytes) {
    Use use = use(array);
    if (!use.hasManyOthers() && numbers.in(launch, address, value, bytes).findAny().isEmpty()) {
      use.others.add(value);
    }
  }

  private void noteBefore(Launch launch, Memory array) {
    int step = Slots.wordBytes(array, Long.BYTES);
    long end = array.address() + array.bytes();
    Use use = use(array);
    for (long at = array.address(); at + step <= end && !use.hasManyOthers(); at += step) {
      long address = at;
      before.at(array, at, step).ifPresent(word -> noteOther(launch, array, address, word, step));
    }
  }

  /** Whether the numbers in an array stand for slots. */
  Holds holds(Memory array) {
    Optional<Boolean> declared = numbers.declared(array.name());
    if (declared.isPresent()) {
      return declared.get() ? Holds.YES : Holds.NO;
    }
    Use use = use(array);
    if (isReference(array.name())) {
      return Holds.YES;
    }
    // Besides the numbers that it was given, it may hold anything else, such as keys.
    if (use.copied.keySet().stream().anyMatch(this::isReference)) {
      return Holds.PERHAPS;
    }
    boolean copied =
        uses.keySet().stream()
            .filter(other -> uses.get(other).isCopiedFrom(array.name()))
            .anyMatch(this::isReference);
    // One read may be of a reference that its attempt did not need after all.
    boolean unused = use.naming >= 2 && !copied;
    return use.hasManyOthers() || unused ? Holds.NO : Holds.PERHAPS;
  }

  private boolean isReference(String array) {
    return numbers
        .declared(array)
        .orElse(numbers.isStoredIn(array) || uses.containsKey(array) && leads(uses.get(array)));
  }

  /**
   * Whether attempts go on from an array: not always, as a reference may be read only to be
   * compared or stored; but numbers that are equal to slots' by chance are followed far less. Nor
   * does a count lead to a slot whose number it is by chance, if another array did that surely.
   */
  private boolean leads(Use use) {
    boolean alone =
        use.surely > 0
            || use.together.stream()
                .anyMatch(others -> others.stream().noneMatch(other -> uses.get(other).surely > 0));
    return alone && 4 * use.followed >= use.naming;
  }

  /** Whether attempts go on from the numbers in an array to the slots' data. */
  boolean lead(Memory array) {
    return numbers.declared(array.name()).orElseGet(() -> leads(use(array)));
  }

  /** Whether an attempt came to the data of a slot otherwise than by a number that it read. */
  boolean isReachedOtherwise(long number) {
    return reachedOtherwise.contains(number);
  }
}
