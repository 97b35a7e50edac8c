package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.verification.data.Launch.Use;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Two runs of the same items, in which these may take other slots: the first slot that an item
 * takes in one run stands for the first that it takes in the other, and so on.
 *
 * <p>How an array holds numbers is what somebody declared. Where nothing is declared, two words are
 * the same if {@link SlotNumbers} takes them for the same slot, or if there is some one form of
 * numbers that explains all words of the array that differ, and by which none of the others should
 * have differed: what a single run shows of forms may be chance. Words count in whatever order they
 * come, so that those that came before some others may have to be {@linkplain #mustLookAgain looked
 * at again}. {@linkplain Workspaces Memory to work in} holds whatever its attempts have, so that
 * one form need not explain all of its words.
 */
final class SlotRenaming {
  /** Bits of a word that may be the number, if the others are the same. */
  private static final int[] LOW_BITS = {32, 31, 30, 24, 16, 8};

  /** Bits of a word below the number, if these are the same. */
  private static final int[] BITS_BELOW = {1, 2, 3, 4, 8, 16, 24, 32};

  /** The bits of a word of 4 bytes. */
  private static final long LOW = 0xffffffffL;

  private static final LongUnaryOperator NO_REST = word -> 0;

  private static final String PUSHES = "";

  private final Launch launch;
  private final Launch other;
  private final Map<String, DeclaredSlots> declared;
  private final Map<Memory, SlotNumbers> numbers = new LinkedHashMap<>();
  private final Map<Memory, Map<Long, Set<Long>>> others = new LinkedHashMap<>();

  /** By pools, the rows of slots that something else follows. */
  private final Map<Memory, RowsInPart> rows = new LinkedHashMap<>();

  /** By pools, the forms of numbers that only both runs together show. */
  private final Map<Memory, FormsOfBoth> ofBoth = new HashMap<>();

  /** By pools, the fields whose words are sets of slots. */
  private final Map<Memory, SetsOfSlots> sets = new HashMap<>();

  /** The arrays in which attempts only work. */
  private final Workspaces workspaces;

  /** By pools, the slots that one item alone had in the run, and once. */
  private final Map<Memory, Set<Long>> single = new HashMap<>();

  /** By arrays, and fields of their elements, what the words so far tell. */
  private final Map<String, Told> told = new HashMap<>();

  /**
   * How the words of an array may have slots' numbers.
   *
   * @param pool theirs
   * @param numbers what of a word are numbers: one, or several of which each may be none
   * @param rest what is not, which is the same in both runs
   * @param isSure whether it is more than a guess
   * @param setsOf the field, if its words are sets of slots; null if they are not
   */
  private record Explanation(
      Memory pool,
      List<LongUnaryOperator> numbers,
      LongUnaryOperator rest,
      boolean isSure,
      String setsOf) {
    Explanation(Memory pool, LongUnaryOperator number, LongUnaryOperator rest) {
      this(pool, List.of(number), rest, true);
    }

    Explanation(
        Memory pool, List<LongUnaryOperator> numbers, LongUnaryOperator rest, boolean isSure) {
      this(pool, numbers, rest, isSure, null);
    }

    boolean isOfSeveral() {
      return numbers.size() > 1;
    }
  }

  /** What the words of a field tell of the numbers that it may hold. */
  private static final class Told {
    /** What may explain words. */
    final Set<Explanation> all;

    /** What explains all words that differed, and does not explain why others did not. */
    Set<Explanation> left;

    /** What explains some word that differed. */
    final Set<Explanation> explaining = new HashSet<>();

    /** Of these, what explains a word that is nothing but a number. */
    final Set<Explanation> bare = new HashSet<>();

    /** By what some word should have differed that did not. */
    final Set<Explanation> refuted = new HashSet<>();

    /** Whether some word differed, and was taken for the same. */
    boolean differed;

    /** Whether it was only by guesses. */
    boolean guessed;

    /** Whether some word is 0 in both runs. */
    boolean zero;

    Told(Set<Explanation> all) {
      this.all = all;
      this.left = all;
    }

    /** Whether some word did not differ although, by what explains another, it should have. */
    boolean isRefuted() {
      return !Collections.disjoint(explaining, refuted);
    }
  }

  /**
   * @param declared by arrays, what they hold
   */
  SlotRenaming(
      AccessTrace run,
      Attempts attempts,
      AccessTrace otherRun,
      Attempts otherAttempts,
      Map<String, DeclaredSlots> declared) {
    this.launch = new Launch(0, run, attempts);
    this.declared = declared;
    this.other = new Launch(0, otherRun, otherAttempts);
    this.workspaces = new Workspaces(launch.pools().isEmpty() ? List.of() : List.of(launch, other));
    for (Memory pool : launch.pools()) {
      numbers.put(pool, new SlotNumbers(pool, List.of(launch), launch.uses(pool.name()), declared));
      rows.put(pool, new RowsInPart(pool, launch, other, numbers.get(pool)));
      Map<Long, List<Long>> taken = taken(launch, pool);
      Map<Long, List<Long>> takenThere = taken(other, pool);
      Map<Long, Set<Long>> names = new HashMap<>(); // several where a slot was taken again
      taken.forEach(
          (item, slots) -> {
            List<Long> there = takenThere.getOrDefault(item, List.of());
            for (int i = 0; i < Math.min(slots.size(), there.size()); i++) {
              names.computeIfAbsent(slots.get(i), key -> new LinkedHashSet<>()).add(there.get(i));
            }
          });
      others.put(pool, names);
      Map<Long, Integer> times = new HashMap<>();
      taken.values().forEach(slots -> slots.forEach(slot -> times.merge(slot, 1, Integer::sum)));
      times.values().removeIf(each -> each > 1);
      times.keySet().removeIf(slot -> slot < pool.live());
      single.put(pool, times.keySet());
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
  LongStream addresses(Access here) {
    long address = here.address();
    LongStream found = LongStream.of(address);
    for (Memory array : array(address).stream().toList()) {
      for (Map.Entry<Memory, Map<Long, Set<Long>>> each : others.entrySet()) {
        Memory pool = each.getKey();
        if (!numbers.get(pool).isUnindexed(array)) {
          found =
              LongStream.concat(
                  found,
                  Slots.numbers(array, address, pool)
                      .boxed()
                      .flatMap(
                          number ->
                              each.getValue().getOrDefault(number, Set.of()).stream()
                                  .flatMap(
                                      there ->
                                          Slots.moved(array, address, pool, number, there).boxed()))
                      .mapToLong(Long::longValue));
        }
      }
    }
    return LongStream.concat(found, inRows(here, RowsInPart.How.YES)).distinct();
  }

  /** Where they may be besides, if a guess is right: a row of a slot, before something else. */
  LongStream guessedAddresses(Access here) {
    return inRows(here, RowsInPart.How.PERHAPS);
  }

  private LongStream inRows(Access here, RowsInPart.How how) {
    LongStream found = LongStream.empty();
    for (Memory array : array(here.address()).stream().toList()) {
      for (Map.Entry<Memory, RowsInPart> each : rows.entrySet()) {
        RowsInPart of = each.getValue();
        long slot = of.slot(array, here.address());
        Set<Long> names = others.get(each.getKey()).getOrDefault(slot, Set.of());
        if (!names.isEmpty()
            && !numbers.get(each.getKey()).isUnindexed(array)
            && of.how(array, here, slot) == how) {
          found =
              LongStream.concat(
                  found,
                  names.stream().mapToLong(there -> of.moved(array, here.address(), slot, there)));
        }
      }
    }
    return found;
  }

  /**
   * Whether a write left the same as one of these of the other run, but for the names of slots, as
   * far as it and the writes that were looked at so far tell of the form of numbers there.
   */
  boolean leavesSame(Access here, List<Access> there) {
    if (isWork(here)) {
      return there.stream().anyMatch(each -> isSameWork(here, each));
    }
    return areSame(
        array(here.address()),
        field(here.address()),
        here.address(),
        here.bytes(),
        here.value(),
        there.stream().map(Access::value).toList());
  }

  /** Whether the slot that is used in one run is that of the other, or stands for it. */
  boolean areSameSlot(SlotUse here, SlotUse there) {
    Memory pool = launch.pool(here);
    return pool.name().equals(other.pool(there).name())
        && (here.slot() == there.slot() && here.slot() < pool.live()
            || others
                .get(pool)
                .getOrDefault(here.slot(), Set.of(here.slot()))
                .contains(there.slot()));
  }

  /**
   * Whether a slot that the first run, or the other one, frees is not surely known by claims there:
   * by itself, what refers to it, or its data.
   */
  boolean isFreedUnknown(SlotUse freed, boolean there) {
    Launch in = there ? other : launch;
    String pool = in.pool(freed).name();
    return numbers.entrySet().stream()
        .filter(each -> each.getKey().name().equals(pool))
        .noneMatch(
            each -> each.getValue().isSurelyKnownByClaims(in, freed.attempt(), freed.slot()));
  }

  /**
   * Whether two commits push the same items, in the same order, but for the names of slots; those,
   * too, that they gave back when inner transactions were undone, which is wrong by itself.
   */
  boolean pushSame(Attempt here, Attempt there) {
    boolean same = here.pushes.size() == there.pushes.size();
    for (int i = 0; same && i < here.pushes.size(); i++) {
      long item = here.pushes.get(i);
      long otherItem = there.pushes.get(i);
      same =
          here.givesBack(item) && there.givesBack(otherItem)
              || areSame(Optional.empty(), PUSHES, 0, Integer.BYTES, item, List.of(otherItem));
    }
    return same;
  }

  /** The fields of which words count as the same only by a guess, which nothing else shows. */
  Set<String> guessed() {
    Set<String> guessed = new TreeSet<>();
    told.forEach(
        (field, of) -> {
          if (of.guessed && of.left.stream().noneMatch(Explanation::isSure)) {
            guessed.add(field);
          }
        });
    return guessed;
  }

  /**
   * Whether words that were taken for the same may be others by what was looked at after them: then
   * all are to be looked at again, and those count now that come later.
   */
  boolean mustLookAgain() {
    return told.values().stream().anyMatch(of -> of.differed && of.left.isEmpty());
  }

  /**
   * Whether two reads are of the same datum and got the same, but for the names of slots, as far as
   * what was written so far tells of the form of numbers there.
   */
  boolean areSame(Access here, Access there) {
    Told of = told.get(field(here.address()));
    return areSurelySame(here, there)
        || of != null
            && of.differed
            && areOfOneDatum(here, there)
            && (of.left.stream().anyMatch(each -> explains(each, here.value(), there.value()))
                || isKnown(here, there, !of.isRefuted()));
  }

  /**
   * The same, where words that differ are only numbers if the runs show numbers in the array, or if
   * it is memory to work in.
   */
  boolean areSurelySame(Access here, Access there) {
    return areOfOneDatum(here, there)
        && (here.value() == there.value()
            || isKnown(here, there, false)
            || isWork(here) && isSameWork(here, there));
  }

  /** Whether two reads are of the same datum, but for the names of slots. */
  boolean areOfOneDatum(Access here, Access there) {
    return LongStream.concat(addresses(here), guessedAddresses(here))
        .anyMatch(each -> each == there.address());
  }

  private boolean isWork(Access here) {
    return array(here.address()).filter(workspaces::isOne).isPresent();
  }

  /**
   * Whether a word of memory in which attempts only work is the same in the other run, or may have
   * the number of a slot for which another stands: what other words there hold tells nothing of it.
   */
  private boolean isSameWork(Access here, Access there) {
    return here.value() == there.value()
        || isKnown(here, there, true)
        || explanations(array(here.address()), field(here.address())).stream()
            .anyMatch(each -> explains(each, here.value(), there.value()));
  }

  private boolean isKnown(Access here, Access there, boolean mayHold) {
    return isKnown(
        array(here.address()), mayHold, here.address(), here.bytes(), here.value(), there.value());
  }

  /**
   * Whether some item took another slot than in the other run, and nothing is declared of an array:
   * then the form of numbers there may be one that nobody thought of.
   */
  boolean mayBeOfAnotherForm(long address) {
    return array(address).filter(array -> !declared.containsKey(array.name())).isPresent()
        && others.values().stream()
            .flatMap(names -> names.entrySet().stream())
            .anyMatch(each -> !each.getValue().equals(Set.of(each.getKey())));
  }

  private Optional<Memory> array(long address) {
    return launch.trace().memory(address);
  }

  /** The array at an address, and which of the words of its elements. */
  private String field(long address) {
    return array(address).map(array -> Slots.field(array, address)).orElse(PUSHES);
  }

  private boolean areSame(
      Optional<Memory> array, String field, long address, int bytes, long here, List<Long> there) {
    Told of = told.computeIfAbsent(field, key -> new Told(explanations(array, field)));
    if (there.contains(here)) {
      noteEqual(of, here, there);
      return true;
    }
    Set<Explanation> explaining = new HashSet<>(of.all);
    explaining.removeIf(each -> there.stream().noneMatch(word -> explains(each, here, word)));
    Set<Explanation> bare = new HashSet<>(explaining);
    bare.removeIf(each -> !isBare(each, here));
    Set<Explanation> refuted = new HashSet<>(of.refuted);
    if (of.zero) {
      bare.stream().filter(each -> speaksAgainst(each, 0)).forEach(refuted::add);
    }
    Set<Explanation> left = new HashSet<>(of.left);
    left.retainAll(explaining);
    left.removeAll(refuted);
    boolean mayHold =
        Collections.disjoint(refuted, explaining) && Collections.disjoint(refuted, of.explaining);
    boolean known =
        there.stream().anyMatch(word -> isKnown(array, mayHold, address, bytes, here, word));
    boolean same = known || !left.isEmpty();
    if (same) {
      of.guessed |= !known;
      of.left = left;
      of.differed = true;
      of.explaining.addAll(explaining);
      of.bare.addAll(bare);
      of.refuted.addAll(refuted);
    }
    return same;
  }

  /**
   * Notes a word that is the same in both runs: it does not hold the number of a slot for which
   * another stands. It may be 0 for none where all numbers have other bits next to them.
   */
  private void noteEqual(Told of, long here, List<Long> there) {
    of.zero |= here == 0;
    of.all.stream()
        .filter(each -> !of.refuted.contains(each))
        .filter(each -> here != 0 || isWhole(each) || of.bare.contains(each))
        .filter(each -> speaksAgainst(each, here))
        .filter(each -> there.stream().noneMatch(word -> explains(each, here, word)))
        .forEach(of.refuted::add);
    if (!Collections.disjoint(of.left, of.refuted)) {
      of.left = new HashSet<>(of.left);
      of.left.removeAll(of.refuted);
    }
  }

  /** Whether a word should have differed if it held a number; of several, 0 may be none. */
  private boolean speaksAgainst(Explanation each, long here) {
    return each.numbers.stream()
        .mapToLong(part -> part.applyAsLong(here))
        .filter(number -> number != 0 || !each.isOfSeveral())
        .anyMatch(number -> single.get(each.pool).contains(number) && isRenamed(each.pool, number));
  }

  /** Whether another slot stands for one, and not this one itself. */
  private boolean isRenamed(Memory pool, long number) {
    Set<Long> names = others.get(pool).getOrDefault(number, Set.of());
    return !names.isEmpty() && !names.contains(number);
  }

  /** Whether there is nothing but the number in a word. */
  private static boolean isBare(Explanation each, long word) {
    return !isWhole(each) && each.rest.applyAsLong(word) == 0;
  }

  /** Whether there is nothing but the number in any word. */
  private static boolean isWhole(Explanation each) {
    return each.rest == NO_REST;
  }

  /**
   * Whether two words that differ are taken for numbers of slots that stand for each other: items
   * that are pushed, and words of an array that is declared to hold numbers, or that the run shows
   * to.
   *
   * @param mayHold whether any other array may hold them too
   */
  private boolean isKnown(
      Optional<Memory> array, boolean mayHold, long address, int bytes, long here, long there) {
    return others.entrySet().stream()
        .filter(each -> isDeclared(array, each.getKey()).orElse(true))
        .filter(
            each ->
                mayHold
                    || array.isEmpty()
                    || array.filter(numbers.get(each.getKey())::isHolder).isPresent())
        .anyMatch(
            each -> {
              SlotNumbers known = numbers.get(each.getKey());
              return known
                  .in(launch, address, here, bytes)
                  .boxed()
                  .flatMap(number -> each.getValue().getOrDefault(number, Set.of()).stream())
                  .anyMatch(
                      number ->
                          known
                              .in(launch, address, there, bytes)
                              .anyMatch(other -> other == number));
            });
  }

  /** Whether an array is declared to hold numbers of a pool's slots, or not. */
  private Optional<Boolean> isDeclared(Optional<Memory> array, Memory pool) {
    return array.flatMap(of -> numbers.get(pool).declared(of.name()));
  }

  private boolean explains(Explanation by, long here, long there) {
    if (by.setsOf != null) {
      return sets.get(by.pool)
          .areSame(by.setsOf, here, there, (slot, other) -> mayStandFor(by.pool, slot, other));
    }
    return by.rest.applyAsLong(here) == by.rest.applyAsLong(there)
        && by.numbers.stream()
            .allMatch(
                part -> {
                  long number = part.applyAsLong(here);
                  long other = part.applyAsLong(there);
                  return by.isOfSeveral()
                      ? mayStandFor(by.pool, number, other)
                      : isNamed(by.pool, number, other);
                });
  }

  /** Whether one of several numbers may be another in the other run, or what is no slot's is it. */
  private boolean mayStandFor(Memory pool, long number, long other) {
    return isNamed(pool, number, other) || number == other && !isRenamed(pool, number);
  }

  private boolean isNamed(Memory pool, long number, long other) {
    return others.get(pool).getOrDefault(number, Set.of()).contains(other);
  }

  private Set<Explanation> explanations(Optional<Memory> array, String field) {
    Set<Explanation> all = new LinkedHashSet<>();
    boolean formIsDeclared =
        array
            .flatMap(of -> Optional.ofNullable(declared.get(of.name())))
            .flatMap(DeclaredSlots::held)
            .filter(held -> held.plus().isPresent())
            .isPresent();
    others.keySet().stream()
        .filter(pool -> !formIsDeclared && isDeclared(array, pool).orElse(true))
        .forEach(
            pool -> {
              addForms(pool, all);
              addElements(pool, all);
              addFormsOfBoth(pool, all);
              addSets(pool, field, all);
              if (array.isEmpty()) {
                addOffsets(pool, all);
              }
            });
    return all;
  }

  /** A word may be the number of one of several elements that each slot has in some array. */
  private void addElements(Memory pool, Set<Explanation> all) {
    for (long each : Slots.elements(launch.trace(), pool)) {
      all.add(new Explanation(pool, word -> word / each, word -> word % each));
      all.add(new Explanation(pool, word -> word % pool.length(), word -> word / pool.length()));
    }
  }

  /** A word may have a number in a form that only both runs together show. */
  private void addFormsOfBoth(Memory pool, Set<Explanation> all) {
    FormsOfBoth forms =
        ofBoth.computeIfAbsent(
            pool, key -> new FormsOfBoth(pool, launch, other, numbers.get(pool)));
    forms
        .words()
        .forEach(
            form -> all.add(new Explanation(pool, List.of(form.number()), NO_REST, form.isSure())));
    forms
        .factors()
        .forEach(
            (each, isSure) ->
                all.add(
                    new Explanation(
                        pool, List.of(word -> word / each), word -> word % each, isSure)));
  }

  private void addSets(Memory pool, String field, Set<Explanation> all) {
    SetsOfSlots of = sets.computeIfAbsent(pool, key -> new SetsOfSlots(pool, launch, other));
    if (of.are(field)) {
      all.add(new Explanation(pool, of.numbers(field), of::rest, true, field));
    }
  }

  /**
   * Items may have the numbers of slots behind those of others: the same is added to each, by half
   * of the items that take slots and push, or more. That leaves few where they push anything else.
   * A slot may go to several items, by what is added to its number.
   */
  private void addOffsets(Memory pool, Set<Explanation> all) {
    Map<Attempt, Set<Long>> offsets = new LinkedHashMap<>();
    for (Use take : launch.uses(pool.name())) {
      Attempt attempt = take.what().attempt();
      if (!take.what().frees() && !attempt.pushes.isEmpty()) {
        Set<Long> of = offsets.computeIfAbsent(attempt, key -> new HashSet<>());
        attempt.pushes.forEach(item -> of.add(item - take.what().slot()));
      }
    }
    Map<Long, Integer> times = new TreeMap<>();
    offsets.values().forEach(of -> of.forEach(each -> times.merge(each, 1, Integer::sum)));
    times.values().removeIf(some -> 2 * some < offsets.size());
    List<Long> usual = List.copyOf(times.keySet());
    usual.forEach(offset -> all.add(new Explanation(pool, word -> word - offset, NO_REST)));
    boolean disjoint =
        IntStream.range(1, usual.size())
            .allMatch(i -> usual.get(i) - usual.get(i - 1) >= pool.length());
    long byAll = offsets.values().stream().filter(of -> of.containsAll(usual)).count();
    if (usual.size() > 1 && disjoint && 2 * byAll >= offsets.size()) {
      LongUnaryOperator offset =
          word ->
              usual.stream()
                  .filter(each -> word >= each && word < each + pool.length())
                  .findFirst()
                  .orElse(word + 1); // none: the number is -1
      all.add(new Explanation(pool, word -> word - offset.applyAsLong(word), offset));
    }
  }

  private static void addForms(Memory pool, Set<Explanation> all) {
    all.add(new Explanation(pool, word -> word, NO_REST));
    all.add(new Explanation(pool, word -> word - 1, NO_REST));
    all.add(new Explanation(pool, word -> ~word & LOW, word -> word & ~LOW));
    for (int bits : LOW_BITS) {
      long mask = (1L << bits) - 1;
      all.add(new Explanation(pool, word -> word & mask, word -> word & ~mask));
    }
    for (int bits : BITS_BELOW) {
      long mask = (1L << bits) - 1;
      all.add(new Explanation(pool, word -> word >>> bits, word -> word & mask));
    }
    all.add(new Explanation(pool, halves(16), word -> word & ~LOW, true));
    all.add(new Explanation(pool, halves(32), NO_REST, true));
  }

  /** Each half of a word, of so many bits, may be a number. */
  private static List<LongUnaryOperator> halves(int bits) {
    long mask = (1L << bits) - 1;
    return List.of(word -> word & mask, word -> word >>> bits & mask);
  }
}
