package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.stm.simulator.AccessTrace.Memory.Contents;
import io.magpie.verification.data.Launch.Use;
import io.magpie.verification.data.Slots.Layout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Where the numbers of a pool's slots are in the data of a run, and which elements belong to slots.
 * Nothing declares that; it shows in the commits that take slots and write their numbers, or read
 * numbers and free these slots. Somebody may have declared what an array holds; then that holds,
 * whatever shows.
 *
 * <p>A number may be stored as it is, or in a form that has it among other bits. The form is the
 * one by which most commits have the numbers of the slots that they take or free. Where commits
 * have such numbers in an array, it has that form only of the two that agrees with more of them;
 * and so have arrays to which words are copied from there, or from which they come. An array may
 * also have a form of its own, if it explains all that commits have of their slots there. Where
 * takes write to an array, or frees overwrite what they read there, and no form explains half of
 * these, nobody knows what its words stand for; where none do, both are possible.
 */
final class SlotNumbers {
  private static final LongUnaryOperator LOW_HALF = word -> word & 0xffff;

  private static final LongUnaryOperator HIGH_HALF = word -> word >>> 16;

  private static final LongUnaryOperator LOW_WORD = word -> word & 0xffffffffL;

  private static final LongUnaryOperator HIGH_WORD = word -> word >>> 32;

  private static final LongUnaryOperator HIGH_WORD_PLUS_ONE = word -> (word >>> 32) - 1;

  /** Forms of words of 8 bytes, of which all others would have the same number. */
  private static final Set<LongUnaryOperator> WIDE = Set.of(HIGH_WORD, HIGH_WORD_PLUS_ONE);

  /** Parts of words of which each may hold a number: the lower one of two comes first. */
  private static final List<List<LongUnaryOperator>> HALVES =
      List.of(List.of(LOW_HALF, HIGH_HALF), List.of(LOW_WORD, HIGH_WORD));

  /** Different slots whose numbers have a form that only one array has. */
  private static final int SLOTS_OF_A_FORM = 3;

  /**
   * Forms with a few bits below the number, by which small words easily have one by chance: each
   * with how many such words there are for a slot.
   */
  private static final Map<LongUnaryOperator, Long> ABOVE_FEW_BITS = aboveFewBits();

  /** What gives the number that a word holds: the simplest first. */
  private static final List<LongUnaryOperator> FORMS = forms();

  /** The forms that leave bits of a word for something else. */
  private static final List<LongUnaryOperator> BESIDE_OTHER_BITS =
      FORMS.stream()
          .filter(
              form ->
                  IntStream.range(0, Integer.SIZE)
                      .anyMatch(bit -> form.applyAsLong(1L << bit) == form.applyAsLong(0)))
          .toList();

  /** The forms in which numbers move by one where words do. */
  private static final List<LongUnaryOperator> COUNTING =
      FORMS.stream()
          .filter(form -> Math.abs(form.applyAsLong(2) - form.applyAsLong(1)) == 1)
          .filter(form -> Math.abs(form.applyAsLong(3) - form.applyAsLong(2)) == 1)
          .toList();

  private static Map<LongUnaryOperator, Long> aboveFewBits() {
    Map<LongUnaryOperator, Long> forms = new LinkedHashMap<>();
    for (int bits : new int[] {1, 2, 3, 4, 8}) {
      forms.put(word -> word >>> bits, 1L << bits);
    }
    return Collections.unmodifiableMap(forms);
  }

  private static List<LongUnaryOperator> forms() {
    List<LongUnaryOperator> forms = new ArrayList<>();
    forms.add(word -> word);
    forms.add(word -> word - 1);
    forms.add(word -> ~word & 0xffffffffL);
    forms.add(LOW_WORD);
    for (int bits : new int[] {31, 30, 24}) {
      forms.add(word -> word & (1L << bits) - 1);
    }
    forms.add(LOW_HALF);
    forms.add(word -> word & 0xff);
    forms.addAll(ABOVE_FEW_BITS.keySet());
    forms.add(HIGH_HALF);
    forms.add(word -> word >>> 24);
    forms.add(HIGH_WORD);
    forms.add(word -> (word & 0xffffffffL) - 1);
    forms.add(HIGH_WORD_PLUS_ONE);
    return List.copyOf(forms);
  }

  /** How surely the elements of an array are those of the slots. */
  enum Indexed {
    NO,
    /**
     * That can be chance: items took or freed the slots of their own numbers, or of such as they
     * read in what nobody writes, or looked at other elements as well; or only one, and something
     * speaks against it.
     */
    PERHAPS,
    YES
  }

  /** How surely that is, and which layouts every commit agrees with. */
  private record Found(Indexed how, Set<Layout> layouts) {
    static final Found NONE = new Found(Indexed.NO, Set.of());
  }

  private final Memory pool;
  private final Map<String, DeclaredSlots> declared;
  private final List<Use> takes;
  private final List<Use> frees;
  private final Set<LongUnaryOperator> anyForm; // as it is, and the one that most commits use

  /** What gives the number of a slot by that of an element of its own, where it has several. */
  private final List<LongUnaryOperator> elements = new ArrayList<>();

  /** By arrays of which that is known, what gives the numbers in their words. */
  private final Map<String, Set<LongUnaryOperator>> forms = new HashMap<>();

  /** The arrays whose numbers are known to be in words of 8 bytes, in one form. */
  private final Set<String> wide = new HashSet<>();

  /**
   * The arrays that commits store slots in, or free them from, and no form explains half, or only
   * one by chance.
   */
  private final Set<String> formless = new HashSet<>();

  private final boolean stored;
  private final Set<String> holders = new HashSet<>();
  private final Set<String> storing = new HashSet<>();
  private final Map<String, Found> indexed = new HashMap<>();
  private final Set<String> written = new HashSet<>();

  /** The slots that attempts pushed although their inner transactions had given them back. */
  private final Set<Long> pushedBack = new HashSet<>();

  /** The arrays of which a word shows that numbers may be in the high halves of its words. */
  private final Set<String> halved = new HashSet<>();

  /** The same of words of 8 bytes. */
  private final Set<String> halvedWide = new HashSet<>();

  /** By arrays with a form by which small words easily have numbers, whether it may be chance. */
  private final Map<String, Boolean> byChance = new HashMap<>();

  /** By arrays, with which others they have words in common that attempts copied, and how many. */
  private final Map<String, Map<String, Integer>> copied = new HashMap<>();

  /**
   * By arrays, the forms by which each commit that takes a slot, and replaces the number of another
   * one by the slot's, leaves the replaced one there: as in links that have a stamp next to it.
   */
  private final Map<String, Set<LongUnaryOperator>> links = new HashMap<>();

  /** The words that only count: what is read there is no slot's number. */
  private final Set<Long> counters = new HashSet<>();

  /** By arrays, the commits that use them by what is no slot's number. */
  private final Map<String, Set<Attempt>> otherwise = new HashMap<>();

  /** By arrays, the commits that also read them by what is no slot's number, as in a scan. */
  private final Map<String, Set<Attempt>> scans = new HashMap<>();

  /**
   * @param launches the run's launches
   * @param uses what the run's commits took of the pool and freed
   * @param declared by arrays, what they hold
   */
  SlotNumbers(
      Memory pool, List<Launch> launches, List<Use> uses, Map<String, DeclaredSlots> declared) {
    this.pool = pool;
    this.declared = declared;
    this.takes = uses.stream().filter(use -> !use.what().frees()).toList();
    this.frees = uses.stream().filter(use -> use.what().frees()).toList();
    launches.forEach(launch -> launch.attempts().all().forEach(each -> noteWritten(launch, each)));
    noteCounters(launches);
    noteHalved(launches, halved, Integer.BYTES, 16);
    noteHalved(launches, halvedWide, Long.BYTES, 32);
    Map<Use, List<Access>> words = new LinkedHashMap<>();
    uses.forEach(use -> words.put(use, words(use)));
    for (long each : Slots.elements(launches.get(0).trace(), pool)) {
      elements.add(word -> word / each);
    }
    this.anyForm = new LinkedHashSet<>(List.of(FORMS.get(0)));
    anyForm.add(form(words));
    learnForms(words);
    if (!forms.isEmpty() && forms.values().stream().noneMatch(this::isUsual)) {
      anyForm.retainAll(List.of(FORMS.get(0))); // the other has more by chance: no array needs it
    }
    declared.forEach(
        (array, what) ->
            what.held()
                .map(DeclaredSlots.Held::plus)
                .filter(OptionalLong::isPresent)
                .map(OptionalLong::getAsLong)
                .ifPresent(plus -> forms.put(array, Set.of(word -> word - plus))));
    launches.forEach(launch -> launch.attempts().standing().forEach(each -> copies(launch, each)));
    copyForms();
    formless.removeAll(forms.keySet());
    Map<Use, List<Access>> having = new LinkedHashMap<>();
    words.forEach(
        (use, all) ->
            having.put(
                use,
                all.stream()
                    .filter(word -> names(use.launch(), word, use.what().slot()))
                    .filter(word -> !isItself(use, word) && !isGuessed(use, word))
                    .toList()));
    this.stored =
        2 * takes.stream().filter(use -> !having.get(use).isEmpty()).count() > takes.size();
    storing.addAll(holders(takes, having));
    holders.addAll(storing);
    frees.forEach(use -> having.compute(use, (key, all) -> withoutFixed(use.launch(), all)));
    holders.addAll(holders(frees, having));
    launches.forEach(
        launch -> launch.attempts().standing().forEach(each -> pushesBack(launch, each)));
    Map<String, Map<Attempt, List<Place>>> unknown = new HashMap<>();
    launches.forEach(
        launch -> launch.attempts().standing().forEach(each -> note(launch, each, unknown)));
    unknown.forEach(this::learnIndices);
    indexed.clear(); // what was asked before the other indices were known
    takes.forEach(use -> formless.addAll(storedOtherwise(use)));
    learnLinks();
  }

  private void learnLinks() {
    List<Map<String, Set<LongUnaryOperator>>> all = new ArrayList<>();
    for (Use take : takes) {
      Set<Long> replaced = replaced(take);
      if (!replaced.isEmpty()) {
        all.add(linking(take, replaced));
      }
    }
    if (!all.isEmpty()) {
      links.putAll(all.get(0));
    }
    for (Map<String, Set<LongUnaryOperator>> each : all) {
      links.keySet().retainAll(each.keySet());
      links.forEach((array, forms) -> forms.retainAll(each.get(array)));
    }
    links.values().removeIf(Set::isEmpty);
  }

  /** Where a commit that takes a slot, other than in the slot's own data, leaves its number. */
  private Set<Long> references(Use take) {
    Launch launch = take.launch();
    long slot = take.what().slot();
    Set<Long> references = new HashSet<>();
    take.what().attempt().accesses.stream()
        .filter(each -> each.writes() && names(launch, each, slot))
        .filter(each -> !isOwn(launch, each.address(), slot))
        .forEach(each -> references.add(each.address()));
    return references;
  }

  /** The numbers of other slots that it has read there. */
  private Set<Long> replaced(Use take) {
    Launch launch = take.launch();
    Set<Long> references = references(take);
    Set<Long> replaced = new HashSet<>();
    take.what().attempt().accesses.stream()
        .filter(each -> !each.writes() && references.contains(each.address()))
        .filter(each -> mayHold(launch, each))
        .forEach(each -> in(launch, each).forEach(replaced::add));
    replaced.remove(take.what().slot());
    return replaced;
  }

  /** By arrays, the forms by which it leaves some of these numbers elsewhere. */
  private Map<String, Set<LongUnaryOperator>> linking(Use take, Set<Long> numbers) {
    Set<Long> references = references(take);
    Map<String, Set<LongUnaryOperator>> linking = new HashMap<>();
    for (Access each : take.what().attempt().accesses) {
      Memory array = take.launch().trace().memory(each.address()).orElse(null);
      if (array != null
          && each.writes()
          && !references.contains(each.address())
          && mayHold(take.launch(), each)) {
        BESIDE_OTHER_BITS.stream()
            .filter(form -> numbers.contains(form.applyAsLong(each.value())))
            .forEach(
                form -> linking.computeIfAbsent(array.name(), key -> new HashSet<>()).add(form));
      }
    }
    return linking;
  }

  /**
   * Whether what was left somewhere may be a link to a slot, in a form that shows by links alone.
   */
  boolean links(Launch launch, Access write, long number) {
    return launch
        .trace()
        .memory(write.address())
        .map(array -> links.getOrDefault(array.name(), Set.of()))
        .filter(forms -> forms.stream().anyMatch(form -> form.applyAsLong(write.value()) == number))
        .isPresent();
  }

  /** Notes the slots that an attempt pushes although its inner transactions gave them back. */
  private void pushesBack(Launch launch, Attempt attempt) {
    attempt.givenBack.stream()
        .map(Attempt.GivenBack::taken)
        .filter(use -> launch.pool(use).name().equals(pool.name()))
        .filter(use -> attempt.pushes.contains(use.slot()))
        .forEach(use -> pushedBack.add(use.slot()));
  }

  private void noteWritten(Launch launch, Attempt attempt) {
    attempt.accesses.stream()
        .filter(Access::writes)
        .flatMap(each -> launch.trace().memory(each.address()).stream())
        .forEach(array -> written.add(array.name()));
  }

  /**
   * Notes the words that only count: each commit that writes one has read it and leaves one more or
   * less, some show that it is no slot's number, and none has a slot's number there alone. The head
   * of a list moves by one as well where slots are in the order of their numbers.
   */
  private void noteCounters(List<Launch> launches) {
    Set<Long> others = new HashSet<>();
    for (Launch launch : launches) {
      for (Attempt attempt : launch.attempts().standing()) {
        Map<Long, Access> before = new HashMap<>();
        Map<Long, Access> after = new HashMap<>();
        for (Access each :
            attempt.outcome == Attempt.COMMIT ? attempt.accesses : List.<Access>of()) {
          if (each.writes()) {
            after.put(each.address(), each);
          } else {
            before.putIfAbsent(each.address(), each);
          }
        }
        after.forEach(
            (address, write) -> {
              Access read = before.get(address);
              if (read == null || Math.abs(write.value() - read.value()) != 1) {
                others.add(address);
                return;
              }
              List<SlotUse> uses =
                  attempt.slotUses.stream()
                      .filter(use -> launch.pool(use).name().equals(pool.name()))
                      .toList();
              if (uses.stream().anyMatch(use -> isOnlyThere(use, use.frees() ? read : write))) {
                others.add(address);
              } else if (uses.isEmpty()
                  ? !isCopied(write)
                  : uses.stream()
                      .allMatch(use -> isOnlyElsewhere(launch, use, use.frees() ? read : write))) {
                counters.add(address);
              }
            });
      }
    }
    counters.removeAll(others);
  }

  /** Whether the attempt has read elsewhere what it leaves, in any form. */
  private static boolean isCopied(Access write) {
    return write.attempt().accesses.stream()
        .filter(each -> !each.writes() && each.address() != write.address())
        .anyMatch(each -> mayStandFor(each, write.value()));
  }

  /** Whether a word may have a number, in any form. */
  static boolean mayStandFor(Access word, long number) {
    return FORMS.stream().anyMatch(form -> form.applyAsLong(word.value()) == number);
  }

  /** Whether a word has a number in a form in which that moves by one as the word does. */
  private static boolean mayCount(Access word, long number) {
    return COUNTING.stream().anyMatch(form -> form.applyAsLong(word.value()) == number);
  }

  /** Whether a word has the number of a slot, which the commit has nowhere else. */
  private static boolean isOnlyThere(SlotUse use, Access word) {
    return mayCount(word, use.slot()) && elsewhere(use, word).findAny().isEmpty();
  }

  /** Whether the number of a slot is not in a word, but elsewhere than in the slot's own data. */
  private boolean isOnlyElsewhere(Launch launch, SlotUse use, Access word) {
    return !mayCount(word, use.slot())
        && elsewhere(use, word).anyMatch(each -> !mayBeOf(launch, each.address(), use.slot()));
  }

  /** Where, but in a word, who takes a slot leaves its number, or who frees one has read it. */
  private static Stream<Access> elsewhere(SlotUse use, Access word) {
    return use.attempt().accesses.stream()
        .filter(each -> each.writes() != use.frees() && each.address() != word.address())
        .filter(each -> mayStandFor(each, use.slot()));
  }

  /**
   * Notes the arrays that have a word with something in its high half and a number in one of the
   * two, or with ones in the low half alone, where others have nothing but ones. Elsewhere a high
   * half of 0 is only that of a small word, and not the number of slot 0.
   */
  private void noteHalved(List<Launch> launches, Set<String> halved, int atLeast, int bits) {
    long none = (1L << bits) - 1;
    Map<String, Set<Long>> ones = new HashMap<>();
    for (Launch launch : launches) {
      for (Attempt attempt : launch.attempts().all()) {
        for (Access each : attempt.accesses) {
          Memory array = launch.trace().memory(each.address()).orElse(null);
          if (array == null || each.bytes() < atLeast) {
            continue;
          }
          long low = each.value() & none;
          long high = each.value() >>> bits;
          if (low == none && (high == 0 || high == none)) {
            ones.computeIfAbsent(array.name(), key -> new HashSet<>()).add(high);
          } else if (high != 0 && Math.min(low, high) < pool.length()) {
            halved.add(array.name());
          }
        }
      }
    }
    ones.forEach(
        (array, high) -> {
          if (high.size() > 1) {
            halved.add(array);
          }
        });
  }

  /**
   * Whether a word has a number in a form; 0 in a high half counts only where halves show, and what
   * small words easily have by chance not in what may be the slot's own data.
   */
  private boolean has(LongUnaryOperator form, Launch launch, Access word, long number) {
    if (form.applyAsLong(word.value()) != number
        || form == HIGH_WORD && word.bytes() < 8
        || ABOVE_FEW_BITS.containsKey(form) && mayBeOf(launch, word.address(), number)) {
      return false;
    }
    if (number != 0 || form != HIGH_HALF && form != HIGH_WORD) {
      return true;
    }
    Set<String> showing = form == HIGH_HALF ? halved : halvedWide;
    return launch
        .trace()
        .memory(word.address())
        .filter(array -> showing.contains(array.name()))
        .isPresent();
  }

  /** Whether an array has its numbers in the form that is the run's, and not as they are. */
  private boolean isUsual(Set<LongUnaryOperator> forms) {
    return !forms.contains(FORMS.get(0)) && !Collections.disjoint(forms, anyForm);
  }

  /**
   * An element that a commit uses, or an object that it does so under.
   *
   * @param tells whether that it is no slot's speaks against the whole array
   * @param launch whose the commit is
   * @param access that uses it
   */
  private record Place(Memory array, long address, boolean tells, Launch launch, Access access) {
    long index() {
      return array.index(address);
    }
  }

  /**
   * Notes what a commit uses at an index that is no slot that it could know: it neither takes nor
   * frees that one, nor has it as its item, nor has read its number. Arrays that are written so, or
   * whose objects are written under, are indexed by something else, however long they are; and so
   * are those that nobody writes, such as a graph, and that are read so. Reads of others alone may
   * come from numbers in a form that is not known; but what such a commit uses there says little.
   */
  private void note(
      Launch launch, Attempt attempt, Map<String, Map<Attempt, List<Place>>> unknown) {
    if (attempt.outcome != Attempt.COMMIT) {
      return;
    }
    Set<Long> known = new HashSet<>();
    attempt.slotUses.stream()
        .filter(use -> launch.pool(use).name().equals(pool.name()))
        .forEach(use -> known.add(use.slot()));
    attempt.givenBack.stream()
        .map(Attempt.GivenBack::taken)
        .filter(use -> launch.pool(use).name().equals(pool.name()))
        .forEach(use -> known.add(use.slot()));
    if (attempt.item < pool.live()
        || pushedBack.contains(attempt.item)
        || takes.stream().anyMatch(use -> pushes(use, attempt.item))) {
      known.add(attempt.item);
    }
    for (Access each : attempt.accesses) {
      LongStream.of(each.address(), each.object())
          .filter(at -> at != 0)
          .forEach(
              at ->
                  launch
                      .trace()
                      .memory(at)
                      .filter(array -> Slots.numbers(array, at, pool).noneMatch(known::contains))
                      .ifPresent(
                          array ->
                              unknown
                                  .computeIfAbsent(array.name(), key -> new LinkedHashMap<>())
                                  .computeIfAbsent(attempt, key -> new ArrayList<>())
                                  .add(
                                      new Place(
                                          array,
                                          at,
                                          each.writes() || isFixed(array),
                                          launch,
                                          each))));
      if (!each.writes()) {
        told(launch, each).forEach(known::add);
      }
    }
  }

  /** Learns from the places that commits use in an array, each at what is no slot's number. */
  private void learnIndices(String array, Map<Attempt, List<Place>> places) {
    OptionalLong start = start(places.values());
    places.forEach(
        (attempt, all) -> {
          if (start.isPresent() && starts(all).contains(start.getAsLong()) && mayStart(all)) {
            return;
          }
          if (all.stream().anyMatch(Place::tells)) {
            otherwise.computeIfAbsent(array, key -> new HashSet<>()).add(attempt);
          }
          if (all.stream().anyMatch(each -> !each.tells)) {
            scans.computeIfAbsent(array, key -> new HashSet<>()).add(attempt);
          }
        });
  }

  /** The number at which most begin, two or more, so that they need not have read it. */
  private OptionalLong start(Collection<List<Place>> places) {
    Map<Long, Integer> times = new TreeMap<>();
    places.forEach(each -> starts(each).forEach(start -> times.merge(start, 1, Integer::sum)));
    return times.entrySet().stream()
        .filter(each -> each.getValue() > 1 && 2 * each.getValue() > places.size())
        .mapToLong(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * The numbers at which a commit may begin that uses one element: those of slots that were in use
   * before the run, as the first of a list or the root of a tree, or one behind all slots.
   */
  private Set<Long> starts(List<Place> places) {
    if (places.stream().mapToLong(Place::index).distinct().count() > 1) {
      return Set.of();
    }
    Place place = places.get(0);
    Set<Long> starts = new HashSet<>();
    Slots.numbers(place.array, place.address, pool)
        .filter(number -> number < pool.live())
        .forEach(starts::add);
    if (starts.isEmpty() && place.index() >= pool.length()) {
      starts.add(place.index());
    }
    return starts;
  }

  /** Whether a commit only reads where it may begin, or links to a slot or away from one. */
  private boolean mayStart(List<Place> places) {
    List<Place> writes = places.stream().filter(each -> each.access.writes()).toList();
    return writes.isEmpty() || writes.stream().anyMatch(each -> links(each.launch, each.access));
  }

  /**
   * Whether a write leaves the number of a slot that its commit takes or frees, or what that has
   * read in another element.
   */
  private boolean links(Launch launch, Access write) {
    Attempt attempt = write.attempt();
    boolean names =
        attempt.slotUses.stream()
            .filter(use -> launch.pool(use).name().equals(pool.name()))
            .anyMatch(use -> names(launch, write, use.slot()));
    return names && !counts(write)
        || launch.trace().memory(write.address()).stream()
            .anyMatch(
                array ->
                    attempt.accesses.stream()
                        .filter(each -> !each.writes() && each.address() != write.address())
                        .filter(each -> each.value() == write.value())
                        .anyMatch(each -> array.contains(each.address())));
  }

  private boolean isFixed(Memory array) {
    return array.contents() == Contents.DATA && !written.contains(array.name());
  }

  private static boolean pushes(Use take, long item) {
    return take.what().attempt().pushes.contains(item);
  }

  /** Whether a read is of a word that only counts, so that it tells no slot's number. */
  private boolean isCounter(Access read) {
    return counters.contains(read.address());
  }

  /** Whether an attempt has read a number in a word that only counts. */
  boolean isCountedTo(Attempt attempt, long number) {
    return attempt.accesses.stream()
        .anyMatch(each -> !each.writes() && each.value() == number && isCounter(each));
  }

  /**
   * The slots' numbers that a read may tell: a count tells none, and what nobody writes, such as a
   * graph, only knows those that are in use before the run.
   */
  LongStream told(Launch launch, Access read) {
    boolean fixed = launch.trace().memory(read.address()).filter(this::isFixed).isPresent();
    return mayHold(launch, read) && !isCounter(read)
        ? in(launch, read).filter(number -> !fixed || number < pool.live())
        : LongStream.empty();
  }

  /** The commits that use an array by what is no slot's number. */
  private Set<Attempt> otherwise(Memory array) {
    return otherwise.getOrDefault(array.name(), Set.of());
  }

  /** Whether an array is declared to be indexed by something else. */
  boolean isUnindexed(Memory array) {
    DeclaredSlots of = declared.get(array.name());
    return of != null && of.unindexed();
  }

  /**
   * How many commits, other than some attempts, speak against it that the elements of an array are
   * those of the slots.
   */
  long against(Memory array, Set<Attempt> others) {
    return otherwise(array).stream().filter(each -> !others.contains(each)).count();
  }

  /**
   * Whether an attempt may know a number otherwise than as that of a slot: it is its item, or was
   * read in what nobody writes, such as a graph, and where no commit has the number of a slot. What
   * the element of that number holds is known too late.
   */
  boolean isKnownOtherwise(Launch launch, Attempt attempt, long number) {
    return attempt.item == number
        || attempt.accesses.stream()
            .filter(each -> !each.writes() && each.value() == number)
            .anyMatch(
                each ->
                    launch
                        .trace()
                        .memory(each.address())
                        .filter(array -> isFixed(array) && !isHolder(array))
                        .filter(array -> !Slots.names(array, each.address(), pool, number))
                        .isPresent());
  }

  /** The form in which most have the slot's number; a half of words if most have it in either. */
  private LongUnaryOperator form(Map<Use, List<Access>> words) {
    LongUnaryOperator best = FORMS.get(0);
    long most = 0;
    for (LongUnaryOperator each : FORMS) {
      long having = having(words, List.of(each));
      if (having > most) {
        most = having;
        best = each;
      }
    }
    for (List<LongUnaryOperator> halves : HALVES) {
      long either = having(words, halves);
      if (either > most) {
        most = either;
        boolean low = having(words, halves.subList(0, 1)) >= having(words, halves.subList(1, 2));
        best = halves.get(low ? 0 : 1);
      }
    }
    return best;
  }

  /** How many have the slot's number in one of some forms. */
  private long having(Map<Use, List<Access>> words, List<LongUnaryOperator> forms) {
    return words.entrySet().stream()
        .filter(
            use ->
                use.getValue().stream()
                    .anyMatch(
                        word ->
                            forms.stream()
                                .anyMatch(
                                    each ->
                                        has(
                                            each,
                                            use.getKey().launch(),
                                            word,
                                            use.getKey().what().slot()))))
        .count();
  }

  /** Both halves of words, if a form is one of them; empty if it is none. */
  private static List<LongUnaryOperator> halves(Set<LongUnaryOperator> forms) {
    return HALVES.stream()
        .filter(halves -> !Collections.disjoint(halves, forms))
        .findFirst()
        .orElse(List.of());
  }

  /**
   * For each array by which commits have their slots' numbers, half of those or more that use it,
   * in which of two forms most do. Where one is a half of a word, it may be both halves, if more
   * have theirs in either: a small word also looks like a number as it is. The elements of these
   * numbers, which may be the slots' data, do not count.
   */
  private void learnForms(Map<Use, List<Access>> words) {
    Map<String, Map<Use, List<Access>>> byArrays = new HashMap<>();
    words.forEach(
        (use, all) -> {
          for (Access word : all) {
            Memory array = use.launch().trace().memory(word.address()).orElse(null);
            if (array != null && !Slots.names(array, word.address(), pool, use.what().slot())) {
              byArrays
                  .computeIfAbsent(array.name(), name -> new LinkedHashMap<>())
                  .computeIfAbsent(use, key -> new ArrayList<>())
                  .add(word);
            }
          }
        });
    byArrays.forEach(this::learnForm);
  }

  private void learnForm(String array, Map<Use, List<Access>> words) {
    Map<LongUnaryOperator, Long> times = new HashMap<>();
    anyForm.forEach(each -> times.put(each, having(words, List.of(each))));
    times.values().removeIf(each -> each == 0);
    long alone = times.values().stream().mapToLong(Long::longValue).max().orElse(0);
    List<LongUnaryOperator> halves = halves(times.keySet());
    long either = having(words, halves);
    boolean both = either > alone;
    times.values().removeIf(each -> each < alone);
    long most = both ? either : alone;
    Optional<LongUnaryOperator> own = most < words.size() ? ownForm(words) : Optional.empty();
    if (own.isPresent()) {
      forms.put(array, Set.of(own.get()));
    } else if (most > 0 && 2 * most >= words.size()) {
      forms.put(array, Set.copyOf(both ? halves : times.keySet()));
    } else if (2 * Math.max(most, addressing(words)) < storing(words)) {
      formless.add(array);
    }
    if (isWide(words)) {
      wide.add(array);
    }
  }

  /**
   * How many uses surely have to do with the numbers in an array: all if takes write there, else
   * the frees that overwrite what they read. Who only reads may come by another slot's number.
   */
  private static long storing(Map<Use, List<Access>> words) {
    return words.keySet().stream().anyMatch(use -> !use.what().frees())
        ? words.size()
        : words.values().stream()
            .filter(all -> all.stream().anyMatch(SlotNumbers::isOverwritten))
            .count();
  }

  /** Whether the attempt that makes an access also writes there. */
  private static boolean isOverwritten(Access access) {
    return access.attempt().accesses.stream()
        .anyMatch(each -> each.writes() && each.address() == access.address());
  }

  /** How many uses have an address in their slot's data. */
  private long addressing(Map<Use, List<Access>> words) {
    return words.entrySet().stream()
        .filter(
            use ->
                use.getValue().stream()
                    .flatMapToLong(word -> addressed(use.getKey().launch(), word.value()))
                    .anyMatch(number -> number == use.getKey().what().slot()))
        .count();
  }

  /** The slots in whose data a word may be an address. */
  private LongStream addressed(Launch launch, long word) {
    return launch.trace().memory(word).stream()
        .flatMapToLong(array -> Slots.numbers(array, word, pool));
  }

  private static boolean isWide(Map<Use, List<Access>> words) {
    return words.values().stream()
        .flatMap(List::stream)
        .allMatch(each -> each.bytes() == Long.BYTES);
  }

  /**
   * The simplest form by which all uses of several slots have their numbers in an array: in parts
   * of its words of 8 bytes, or as those of elements.
   */
  private Optional<LongUnaryOperator> ownForm(Map<Use, List<Access>> words) {
    if (words.keySet().stream().map(use -> use.what().slot()).distinct().count()
        < SLOTS_OF_A_FORM) {
      return Optional.empty();
    }
    return (isWide(words) ? FORMS : elements)
        .stream().filter(each -> having(words, List.of(each)) == words.size()).findFirst();
  }

  /** Notes between which arrays an attempt copies words that it has read; as wide ones, or not. */
  private void copies(Launch launch, Attempt attempt) {
    Map<Boolean, Map<Long, Set<String>>> read =
        Map.of(true, new HashMap<>(), false, new HashMap<>());
    for (Access each : attempt.accesses) {
      Memory array = launch.trace().memory(each.address()).orElse(null);
      if (array == null || each.value() == 0) { // which is anything
        continue;
      }
      Map<Long, Set<String>> from = read.get(each.bytes() == Long.BYTES);
      if (!each.writes()) {
        from.computeIfAbsent(each.value(), key -> new HashSet<>()).add(array.name());
        continue;
      }
      for (String name : from.getOrDefault(each.value(), Set.of())) {
        copied.computeIfAbsent(name, key -> new HashMap<>()).merge(array.name(), 1, Integer::sum);
        copied.computeIfAbsent(array.name(), key -> new HashMap<>()).merge(name, 1, Integer::sum);
      }
    }
  }

  /** Gives arrays without a form that of the array with which they have most words in common. */
  private void copyForms() {
    Map<String, Set<LongUnaryOperator>> more;
    do {
      more = new HashMap<>();
      for (Map.Entry<String, Map<String, Integer>> each : copied.entrySet()) {
        if (!forms.containsKey(each.getKey())) {
          Optional<String> other =
              each.getValue().entrySet().stream()
                  .filter(entry -> forms.containsKey(entry.getKey()))
                  .max(
                      Map.Entry.<String, Integer>comparingByValue()
                          .thenComparing(Map.Entry::getKey))
                  .map(Map.Entry::getKey);
          if (other.isPresent()) {
            more.put(each.getKey(), forms.get(other.get()));
            if (wide.contains(other.get())) {
              wide.add(each.getKey());
            }
          }
        }
      }
      forms.putAll(more);
    } while (!more.isEmpty());
  }

  /** Of words that have a number, those that somebody writes; all, if nobody writes any of them. */
  private List<Access> withoutFixed(Launch launch, List<Access> all) {
    List<Access> written =
        all.stream()
            .filter(each -> launch.trace().memory(each.address()).filter(this::isFixed).isEmpty())
            .toList();
    return written.isEmpty() ? all : written;
  }

  /** The arrays by which a third of some commits, or more, have their slots' numbers. */
  private static Set<String> holders(List<Use> uses, Map<Use, List<Access>> having) {
    Set<String> holders = new HashSet<>();
    Map<String, Integer> times = new HashMap<>();
    for (Use use : uses) {
      having.get(use).stream()
          .flatMap(word -> use.launch().trace().memory(word.address()).stream())
          .map(Memory::name)
          .distinct()
          .forEach(name -> times.merge(name, 1, Integer::sum));
    }
    times.forEach(
        (name, some) -> {
          if (3 * some >= uses.size()) {
            holders.add(name);
          }
        });
    return holders;
  }

  /** What may have told the number of a slot, or may tell it: not the slot's own data. */
  private List<Access> words(Use use) {
    return use.what().attempt().accesses.stream()
        .filter(each -> each.writes() != use.what().frees())
        .filter(each -> !isOwn(use.launch(), each.address(), use.what().slot()))
        .filter(each -> !counts(each))
        .filter(each -> !isCounted(use, each))
        .filter(each -> mayHold(use.launch(), each))
        .toList();
  }

  /** Whether the element of a slot's number holds that number, so that it may be either. */
  private boolean isItself(Use use, Access access) {
    long slot = use.what().slot();
    return access.value() == slot && mayBeOf(use.launch(), access.address(), slot);
  }

  /** Whether a write only counts: it leaves one more than was there, and that is kept nowhere. */
  private static boolean counts(Access write) {
    long before = write.value() - 1;
    List<Access> others =
        write.attempt().accesses.stream().filter(each -> each.value() == before).toList();
    return write.writes()
        && others.stream().anyMatch(each -> !each.writes() && each.address() == write.address())
        && others.stream().noneMatch(each -> each.writes() && each.address() != write.address());
  }

  /**
   * Whether a read is of a count: the attempt moves it by one, and has read the slot's number in a
   * longer array.
   */
  private static boolean isCounted(Use use, Access read) {
    AccessTrace trace = use.launch().trace();
    List<Access> others = read.attempt().accesses;
    return !read.writes()
        && isMovedByOne(read, others)
        && others.stream()
            .filter(each -> !each.writes() && each.value() == use.what().slot())
            .anyMatch(each -> length(trace, each) > length(trace, read));
  }

  private static long length(AccessTrace trace, Access access) {
    return trace.memory(access.address()).map(Memory::length).orElse(0L);
  }

  /** Whether an address is surely in the data of a slot. */
  boolean isOwn(Launch launch, long address, long number) {
    return launch
        .trace()
        .memory(address)
        .filter(array -> indexed(array) == Indexed.YES)
        .filter(array -> isOf(found(array).layouts, array, address, number))
        .isPresent();
  }

  /**
   * Whether what an access reaches, an element or the object that it is under, may be of a slot. An
   * element under the object of a slot that it may belong to is that slot's; otherwise any layout
   * will do, unless it is known which one it is.
   */
  boolean mayBeOwn(Launch launch, Access access, Memory array, long at, long number) {
    OptionalLong guard = at == access.address() ? guard(launch, access) : OptionalLong.empty();
    if (guard.isPresent()
        && !isUnindexed(array)
        && isOf(EnumSet.allOf(Layout.class), array, at, guard.getAsLong())) {
      return guard.getAsLong() == number;
    }
    Found found = found(array);
    Set<Layout> layouts = found.how == Indexed.YES ? found.layouts : EnumSet.allOf(Layout.class);
    return !isUnindexed(array) && isOf(layouts, array, at, number);
  }

  /** Whether an array has an element for each slot, and this address is in that of one slot. */
  boolean isOf(Launch launch, long address, long number) {
    return launch
        .trace()
        .memory(address)
        .filter(array -> Slots.names(array, address, pool, number))
        .filter(
            array ->
                array.length() == pool.length() && !isUnindexed(array)
                    || indexed(array) != Indexed.NO)
        .isPresent();
  }

  /**
   * Whether a transaction opened the object of a slot, or read under its claims the slot's number
   * or data.
   */
  boolean isKnownByClaims(Launch launch, Attempt attempt, long number) {
    return attempt.opened.keySet().stream()
            .anyMatch(
                word ->
                    launch
                        .trace()
                        .memory(word)
                        .filter(array -> array.index(word) == number)
                        .isPresent())
        || attempt.accesses.stream()
            .filter(each -> !each.writes() && each.isUnderClaims())
            .anyMatch(each -> names(launch, each, number) || isOf(launch, each.address(), number));
  }

  /** The same where that is no chance: it surely is the slot's, or read where numbers are. */
  boolean isSurelyKnownByClaims(Launch launch, Attempt attempt, long number) {
    return attempt.opened.keySet().stream().anyMatch(word -> isOwn(launch, word, number))
        || attempt.accesses.stream()
            .filter(each -> !each.writes() && each.isUnderClaims())
            .anyMatch(
                each -> isReference(launch, each, number) || isOwn(launch, each.address(), number));
  }

  private boolean isOf(Set<Layout> layouts, Memory array, long at, long number) {
    return layouts.stream().anyMatch(layout -> layout.number(array, at, pool) == number);
  }

  /** The number of the object that an access is under, where there is one for each slot. */
  private OptionalLong guard(Launch launch, Access access) {
    return launch
        .trace()
        .memory(access.object())
        .filter(objects -> objects.contents() == Contents.OBJECTS)
        .filter(objects -> objects.length() == pool.length() && !isUnindexed(objects))
        .map(objects -> OptionalLong.of(objects.index(access.object())))
        .orElse(OptionalLong.empty());
  }

  /** Whether an array is declared to hold numbers of the pool's slots, or not; empty = neither. */
  Optional<Boolean> declared(String array) {
    return Optional.ofNullable(declared.get(array))
        .flatMap(DeclaredSlots::held)
        .map(held -> held.pool().equals(Optional.of(pool.name())));
  }

  /** Whether an access may be to numbers of the pool's slots, for all that is declared. */
  boolean mayHold(Launch launch, Access access) {
    return declared.isEmpty()
        || launch
            .trace()
            .memory(access.address())
            .flatMap(array -> declared(array.name()))
            .orElse(true);
  }

  /** Whether most commits that took a slot stored its number. */
  boolean areStored() {
    return stored;
  }

  /**
   * Whether some commit stored the number of a slot that it took here, or had one that it freed.
   */
  boolean isHolder(Memory array) {
    return declared(array.name()).orElse(holders.contains(array.name()));
  }

  /** Whether commits that take slots store their numbers in an array, a third of them or more. */
  boolean isStoredIn(String array) {
    return declared(array).orElse(storing.contains(array));
  }

  /** The numbers that what an access read or left there may stand for. */
  LongStream in(Launch launch, Access access) {
    return in(launch, access.address(), access.value(), access.bytes());
  }

  /**
   * The numbers that a word of some bytes may stand for at an address, or at none if that is 0:
   * also as an address in a slot's data.
   */
  LongStream in(Launch launch, long address, long word, int bytes) {
    Optional<String> known =
        launch.trace().memory(address).map(Memory::name).filter(forms::containsKey);
    Set<LongUnaryOperator> possible = known.map(forms::get).orElse(anyForm);
    boolean whole = known.filter(wide::contains).isPresent();
    if (whole && bytes < Long.BYTES) {
      int shift = address % Long.BYTES < Integer.BYTES ? 0 : Integer.SIZE;
      return inHalf(possible, word << shift, 0xffffffffL << shift);
    }
    LongStream halves =
        bytes == Long.BYTES && !whole
            ? LongStream.of(word & 0xffffffffL, word >>> 32)
            : LongStream.empty();
    LongStream inHalves =
        halves.flatMap(
            half ->
                possible.stream()
                    .filter(each -> !WIDE.contains(each))
                    .mapToLong(each -> each.applyAsLong(half)));
    LongStream inWord =
        possible.stream()
            .filter(each -> bytes == Long.BYTES || !WIDE.contains(each))
            .mapToLong(each -> each.applyAsLong(word));
    return LongStream.concat(LongStream.concat(inWord, inHalves), addressed(launch, word))
        .filter(number -> number >= 0 && number < pool.length())
        .distinct();
  }

  /** The numbers of a word of which one half is known, by the forms that depend on it. */
  private LongStream inHalf(Set<LongUnaryOperator> forms, long word, long half) {
    return forms.stream()
        .filter(each -> each.applyAsLong(half) != each.applyAsLong(0))
        .mapToLong(each -> each.applyAsLong(word))
        .filter(number -> number >= 0 && number < pool.length())
        .distinct();
  }

  /** Whether the numbers in an array are in words of 8 bytes. */
  boolean isWide(Memory array) {
    return forms.containsKey(array.name()) && wide.contains(array.name());
  }

  /** Whether commits store slots in an array, or free them from it, in a form that is not known. */
  boolean isFormless(Memory array) {
    return declared(array.name()).isEmpty() && formless.contains(array.name());
  }

  /**
   * The arrays in which the attempt that took a slot may have stored its number in a form that is
   * not known: it wrote something there that it had not read, and the number nowhere, and what
   * shows the form in which commits store numbers there may be chance.
   */
  Set<String> storedOtherwise(Use take) {
    Launch launch = take.launch();
    List<Access> words = words(take);
    if (words.stream().anyMatch(each -> names(launch, each, take.what().slot()))) {
      return Set.of();
    }
    Set<String> arrays = new TreeSet<>();
    withoutRead(take, words).stream()
        .flatMap(each -> launch.trace().memory(each.address()).stream())
        .filter(array -> isStoredIn(array.name()) && isGuessed(array))
        .filter(array -> byChance.computeIfAbsent(array.name(), key -> isByChance(array)))
        .forEach(array -> arrays.add(array.name()));
    return arrays;
  }

  /** Of what the attempt that took a slot wrote, what it had not read. */
  private static List<Access> withoutRead(Use take, List<Access> words) {
    Set<Long> read = new HashSet<>();
    take.what().attempt().accesses.stream()
        .filter(each -> !each.writes())
        .forEach(each -> read.add(each.value()));
    return words.stream().filter(each -> !read.contains(each.value())).toList();
  }

  /**
   * Whether words of another form may look as if they were of that which an array has, with a few
   * bits below the number. They do so for slots that are no further apart than there are words for
   * one slot, if they grow with the slots as numbers times something else do; and hardly where
   * nearly all commits that store something there agree.
   */
  private boolean isByChance(Memory array) {
    Set<LongUnaryOperator> forms = this.forms.getOrDefault(array.name(), anyForm);
    TreeSet<Long> slots = new TreeSet<>();
    int all = 0;
    int agreeing = 0;
    for (Use take : takes) {
      Launch launch = take.launch();
      long slot = take.what().slot();
      List<Access> there =
          withoutRead(take, words(take)).stream()
              .filter(each -> array.name().equals(name(launch, each)))
              .toList();
      all += there.isEmpty() ? 0 : 1;
      if (there.stream().anyMatch(each -> names(launch, each, slot))) {
        agreeing++;
        slots.add(slot);
      }
    }
    long words =
        forms.stream().mapToLong(each -> ABOVE_FEW_BITS.getOrDefault(each, 1L)).max().orElse(1);
    return slots.size() < SLOTS_OF_A_FORM
        || 4 * agreeing < 3 * all
        || slots.last() - slots.first() <= words && 8 * agreeing < 7 * all;
  }

  private static String name(Launch launch, Access access) {
    return launch.trace().memory(access.address()).map(Memory::name).orElse("");
  }

  /** Whether an element, which may be a slot's own, may have its number by chance. */
  private boolean isGuessed(Use use, Access word) {
    Launch launch = use.launch();
    return mayBeOf(launch, word.address(), use.what().slot())
        && launch.trace().memory(word.address()).filter(this::isGuessed).isPresent();
  }

  private boolean mayBeOf(Launch launch, long address, long number) {
    return launch
        .trace()
        .memory(address)
        .filter(array -> Slots.names(array, address, pool, number))
        .isPresent();
  }

  /** Whether small words easily have numbers by chance in the form that an array has. */
  private boolean isGuessed(Memory array) {
    return declared(array.name()).isEmpty()
        && !Collections.disjoint(
            forms.getOrDefault(array.name(), anyForm), ABOVE_FEW_BITS.keySet());
  }

  /** Whether what an access read or left there may stand for a slot. */
  boolean names(Launch launch, Access access, long number) {
    return mayHold(launch, access) && in(launch, access).anyMatch(each -> each == number);
  }

  /** Whether a read may tell the number of a slot: where numbers are, but not in its own data. */
  boolean isReference(Launch launch, Access read, long number) {
    return !read.writes()
        && launch
            .trace()
            .memory(read.address())
            .filter(array -> isHolder(array) && !isFormless(array))
            .isPresent()
        && !isOwn(launch, read.address(), number)
        && names(launch, read, number);
  }

  /**
   * Whether the elements of an array, or the objects, are those of the slots: every commit that
   * takes a slot writes the element of its number, or opens the object; or every one that frees one
   * uses it.
   */
  Indexed indexed(Memory array) {
    return found(array).how;
  }

  /**
   * The same as far as the run tells: surely, or since there are as many as slots, and no commit
   * uses or reads one that is of no slot that it could know.
   */
  boolean isOfSlots(Memory array) {
    return indexed(array) == Indexed.YES
        || array.length() == pool.length()
            && !isUnindexed(array)
            && otherwise(array).isEmpty()
            && !scans.containsKey(array.name());
  }

  private Found found(Memory array) {
    Found known = indexed.get(array.name());
    if (known == null) {
      Found byTakes = found(array, takes);
      known = byTakes.how == Indexed.NO ? found(array, frees) : byTakes;
      indexed.put(array.name(), known);
    }
    return known;
  }

  private Found found(Memory array, List<Use> uses) {
    Set<Layout> touched = EnumSet.allOf(Layout.class);
    touched.removeIf(layout -> !uses.stream().allMatch(use -> touches(array, use, layout)));
    // A list may be in the order of the slots' numbers.
    if (uses.isEmpty()
        || touched.isEmpty()
        || isUnindexed(array)
        || otherwise(array).size() > 1 // one commit alone may be wrong
        || uses.stream().allMatch(use -> holdsItself(array, use))) {
      return Found.NONE;
    }
    // Few uses may agree with several by chance: those that the objects speak against are out.
    Set<Layout> guarded = EnumSet.copyOf(touched);
    guarded.removeIf(layout -> uses.stream().anyMatch(use -> isOtherwise(array, use, layout)));
    Set<Layout> layouts = guarded.isEmpty() ? touched : guarded;
    Set<Attempt> against = new HashSet<>(otherwise(array));
    uses.forEach(use -> against.remove(use.what().attempt()));
    Set<Attempt> elsewhere = elsewhere(array);
    against.addAll(elsewhere);
    // Who uses much of a small array uses its own element as well.
    boolean doubtful =
        !elsewhere.isEmpty() || takes.stream().anyMatch(use -> holdsItself(array, use));
    List<Use> telling = uses.stream().filter(use -> mayTell(array, use, doubtful)).toList();
    long least = array.length() == pool.length() && against.isEmpty() ? 1 : 2;
    boolean sure =
        slots(telling.stream().filter(use -> uses == frees || !isCounted(use))) >= least
            // A count may be equal to each slot that is taken: one that is freed then decides.
            || uses == takes
                && slots(telling.stream()) >= least
                && frees.stream().anyMatch(use -> tellsByItsFree(array, use, layouts, doubtful));
    return new Found(sure ? Indexed.YES : Indexed.PERHAPS, layouts);
  }

  private static long slots(Stream<Use> uses) {
    return uses.map(use -> use.what().slot()).distinct().count();
  }

  /** Whether a use of a slot may tell that an array, which it touches, is indexed by slots. */
  private boolean mayTell(Memory array, Use use, boolean doubtful) {
    Attempt attempt = use.what().attempt();
    return (!doubtful || usesNoOther(array, attempt))
        && !scans.getOrDefault(array.name(), Set.of()).contains(attempt)
        && !holdsItself(array, use)
        && !isKnownOtherwise(use.launch(), attempt, use.what().slot());
  }

  /**
   * Whether the attempt has read the slot's number in a word that counts, or that it moves by one.
   */
  private boolean isCounted(Use use) {
    List<Access> all = use.what().attempt().accesses;
    return all.stream()
        .filter(each -> !each.writes() && each.value() == use.what().slot())
        .anyMatch(each -> isCounter(each) || isMovedByOne(each, all));
  }

  private static boolean isMovedByOne(Access read, List<Access> all) {
    return all.stream()
        .filter(each -> each.writes() && each.address() == read.address())
        .anyMatch(each -> Math.abs(each.value() - read.value()) == 1);
  }

  /** Whether who frees a slot uses its element, and knows the number as that of a slot alone. */
  private boolean tellsByItsFree(Memory array, Use use, Set<Layout> layouts, boolean doubtful) {
    return layouts.stream().allMatch(layout -> touches(array, use, layout))
        && mayTell(array, use, doubtful)
        && !isCountedTo(use.what().attempt(), use.what().slot())
        && use.what().attempt().accesses.stream().noneMatch(each -> isItself(use, each));
  }

  /** The commits that take or free slots, and write to an array, but use none of theirs there. */
  private Set<Attempt> elsewhere(Memory array) {
    Set<Attempt> elsewhere = new HashSet<>();
    Stream.concat(takes.stream(), frees.stream())
        .map(use -> use.what().attempt())
        .filter(
            attempt ->
                attempt.accesses.stream()
                    .anyMatch(each -> each.writes() && array.contains(each.address())))
        .forEach(elsewhere::add);
    Stream.concat(takes.stream(), frees.stream())
        .filter(use -> Stream.of(Layout.values()).anyMatch(each -> touches(array, use, each)))
        .forEach(use -> elsewhere.remove(use.what().attempt()));
    return elsewhere;
  }

  /** Whether an attempt uses nothing in an array but what may be of the slots of its own. */
  private boolean usesNoOther(Memory array, Attempt attempt) {
    List<Use> uses =
        Stream.concat(takes.stream(), frees.stream())
            .filter(use -> use.what().attempt() == attempt)
            .toList();
    return attempt.accesses.stream()
        .map(Access::address)
        .filter(array::contains)
        .allMatch(
            at -> uses.stream().anyMatch(use -> Slots.names(array, at, pool, use.what().slot())));
  }

  private boolean holdsItself(Memory array, Use use) {
    return use.what().attempt().accesses.stream()
        .filter(each -> array.contains(each.address()))
        .anyMatch(each -> isItself(use, each));
  }

  /** Whether an attempt accesses an element under another slot's object than the layout says. */
  private boolean isOtherwise(Memory array, Use use, Layout layout) {
    return use.what().attempt().accesses.stream()
        .filter(each -> array.contains(each.address()))
        .anyMatch(
            each -> {
              OptionalLong guard = guard(use.launch(), each);
              return guard.isPresent()
                  && guard.getAsLong() != layout.number(array, each.address(), pool);
            });
  }

  /** Whether an attempt opens the object, or accesses the element, of a slot that it uses. */
  private boolean touches(Memory array, Use use, Layout layout) {
    Attempt attempt = use.what().attempt();
    Stream<Long> at =
        array.contents() == Contents.OBJECTS
            ? attempt.opened.keySet().stream()
            : attempt.accesses.stream()
                .filter(each -> each.writes() || use.what().frees())
                .map(Access::address);
    return at.anyMatch(
        each -> array.contains(each) && layout.number(array, each, pool) == use.what().slot());
  }
}
