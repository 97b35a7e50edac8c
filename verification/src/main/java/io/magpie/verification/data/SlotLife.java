package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.stm.simulator.AccessTrace.Memory.Contents;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

/**
 * The lives of slots over the launches of a run: each slot has a shadow state, free or in use, with
 * who took it and who freed it last, and memory has the last write to each address.
 *
 * <p>What a slot's number is used for is not declared. An array counts as indexed by the slots of a
 * pool if every commit that takes a slot writes the element of this number, or opens the object (or
 * every commit that frees one does so), of several slots that are not the items' own numbers; or,
 * for a certain slot, if the access follows a reference: its attempt has read the number where one
 * that took or freed the slot has read or written it.
 *
 * <p>An attempt that reaches a freed slot by a stale reference is right if it looks again and finds
 * it dead: if it reads, other than as a hint, something that the freeing commit wrote to the slot's
 * data or where the slot's number was. All others that write to the slot's data, or end by what they
 * read there, use it after it was freed.
 */
final class SlotLife {
  /** What some regions store in place of a number. */
  private static final List<LongUnaryOperator> ENCODINGS =
      List.of(
          slot -> slot, // as it is
          slot -> slot + 1,
          slot -> slot << 1,
          slot -> slot << 1 | 1,
          slot -> slot << 2,
          slot -> ~slot & 0xffffffffL);

  private final LongFunction<Optional<String>> lines;
  private final List<Launch> launches = new ArrayList<>();
  private final Map<Key, Slot> slots = new LinkedHashMap<>();
  private final Map<Long, Write> memory = new HashMap<>();
  private final Set<Long> pushed = new HashSet<>();
  private final Map<Kind, Violation> found = new LinkedHashMap<>();
  private final Map<String, Indexed> indexed = new HashMap<>();

  SlotLife(LongFunction<Optional<String>> lines) {
    this.lines = lines;
  }

  /** A slot of a pool, which has the name of its field. */
  private record Key(String pool, long number) {}

  /** A launch as it is told. */
  private record Launch(int number, AccessTrace trace, Attempts attempts, EventText text) {
    /** The pool of an event, as its field. */
    Memory pool(SlotUse use) {
      return trace.memory(use.pool()).orElseThrow();
    }

    /** A time that goes on over launches. */
    long time(int event) {
      return ((long) number << 32) + event;
    }
  }

  /** A use, and where it is. */
  private record Use(Launch launch, SlotUse what) {
    long time() {
      return launch.time(what.event());
    }

    String line() {
      return launch.text.line(what);
    }
  }

  /** The last write to an address. */
  private record Write(Launch launch, Access access, Optional<Long> before) {
    long time() {
      return launch.time(access.event());
    }
  }

  /** How surely the elements of an array are those of a pool's slots. */
  private enum Indexed {
    NO,
    /** As far as that can be chance: one slot, or items that took the slots of their numbers. */
    PERHAPS,
    YES
  }

  /** What is known of a slot. */
  private static final class Slot {
    boolean live;
    Use taken;
    Use freed;

    /** Attempts that have read what the last free left for them. */
    final Set<Attempt> sawDeath = new HashSet<>();

    /** Reads after the free, of attempts that may still see that. */
    final List<Runnable> reads = new ArrayList<>();

    /** The write that took away the last known reference. */
    Write cut;
  }

  /** Takes the next launch of the run. */
  void add(AccessTrace trace, Attempts attempts) {
    launches.add(
        new Launch(launches.size(), trace, attempts, new EventText(trace, lines)));
  }

  /** What is wrong. */
  List<Violation> check() {
    if (launches.stream().noneMatch(each -> each.attempts.usedSlots())) {
      return List.of();
    }
    for (Launch each : launches) {
      each.attempts.pushes().forEach(push -> pushed.add(push.item()));
    }
    launches.forEach(this::follow);
    if (ended()) {
      leaks();
    }
    return List.copyOf(found.values());
  }

  /** Whether every item came to its end, in this launch or a later one. */
  private boolean ended() {
    Set<Long> begun = new HashSet<>();
    Set<Long> done = new HashSet<>();
    for (Launch launch : launches) {
      launch.attempts.all().forEach(attempt -> begun.add(attempt.item));
      launch.attempts.standing().forEach(attempt -> done.add(attempt.item));
    }
    return done.containsAll(begun)
        && launches.stream().allMatch(launch -> launch.attempts.faulted().isEmpty());
  }

  private void follow(Launch launch) {
    record Event(int at, Runnable check) {}
    List<Event> events = new ArrayList<>();
    for (SlotUse each : launch.attempts.slotUses()) {
      Use use = new Use(launch, each);
      events.add(new Event(each.event(), () -> use(use)));
    }
    for (Access each : launch.attempts.keptAccesses()) {
      events.add(new Event(each.event(), () -> access(launch, each)));
    }
    events.sort(Comparator.comparingInt(Event::at));
    events.forEach(each -> each.check.run());
    for (Slot each : slots.values()) {
      each.reads.forEach(Runnable::run);
      each.reads.clear();
    }
  }

  private Slot slot(Launch launch, Memory pool, long number) {
    return slots.computeIfAbsent(
        new Key(pool.name(), number),
        key -> {
          Slot made = new Slot();
          made.live = number < pool.live();
          return made;
        });
  }

  // ---- Takes and frees.

  private void use(Use use) {
    Memory pool = use.launch.pool(use.what);
    Slot slot = slot(use.launch, pool, use.what.slot());
    if (!use.what.frees()) {
      slot.live = true;
      slot.taken = use;
      slot.sawDeath.clear();
      slot.cut = null;
      return;
    }
    if (!slot.live) {
      add(
          Kind.DOUBLE_FREE,
          use,
          slot.freed == null
              ? "it is freed, but no commit has taken it: it would be handed out twice"
              : "it is freed twice, and would be handed out twice",
          use.line(),
          slot.freed == null ? "" : slot.freed.line(),
          "free a slot once, in the commit that takes out the last reference to it while it holds"
              + " the slot's object open");
    } else if (isOldNumber(use.launch, use.what.attempt(), use.what.event(), pool, use.what.slot())) {
      recycled(use.launch, use.what.attempt(), pool, use.what.slot(), use.line());
    } else if (!knows(use, pool, slot)) {
      holder(use, pool, slot)
          .ifPresent(
              holder ->
                  add(
                      Kind.FOREIGN_FREE,
                      use,
                      "it is freed by a transaction that neither opened its object, nor took it, nor"
                          + " read its number under a claim, while another item holds it",
                      use.line(),
                      holder,
                      "open the slot's object, or what refers to the slot, and look that it is the"
                          + " one to free"));
    }
    slot.live = false;
    slot.freed = use;
    slot.sawDeath.clear();
    slot.cut = null;
  }

  /** Whether the transaction that frees a slot knows by its claims what it frees. */
  private boolean knows(Use free, Memory pool, Slot slot) {
    Attempt attempt = free.what.attempt();
    long number = free.what.slot();
    boolean byItem = attempt.item == number && (slot.taken == null || pushed.contains(number));
    return byItem
        || slot.taken != null && slot.taken.what.attempt() == attempt
        || opened(free.launch, attempt, number)
        || attempt.accesses.stream()
            .filter(each -> !each.writes() && !each.isHint() && !each.pastTransaction())
            .anyMatch(each -> names(pool, each.value(), number));
  }

  private static boolean opened(Launch launch, Attempt attempt, long number) {
    return attempt.opened.keySet().stream()
        .anyMatch(
            word ->
                launch.trace.memory(word).map(array -> array.index(word)).orElse(-1L) == number);
  }

  /** Another item that holds a slot, told by what it does to it. */
  private Optional<String> holder(Use free, Memory pool, Slot slot) {
    long item = free.what.attempt().item;
    long number = free.what.slot();
    if (slot.taken != null) {
      return slot.taken.what.attempt().item == item
          ? Optional.empty()
          : Optional.of(slot.taken.line());
    }
    return free.launch.attempts.standing().stream()
        .filter(each -> each.item != item)
        .flatMap(each -> each.accesses.stream())
        .filter(
            each ->
                !each.isHint()
                    && (each.object() != 0 && isOf(free.launch, pool, number, each.object())
                        || isOf(free.launch, pool, number, each.address())
                        || !each.pastTransaction() && each.value() == number))
        .findFirst()
        .map(free.launch.text::line);
  }

  /** Whether an array has an element for each slot, and this address is in that of one slot. */
  private boolean isOf(Launch launch, Memory pool, long number, long address) {
    return launch
        .trace
        .memory(address)
        .filter(array -> array.length() == pool.length() || indexed(array, pool) != Indexed.NO)
        .filter(array -> Slots.names(array, address, pool, number))
        .isPresent();
  }

  // ---- Accesses.

  private void access(Launch launch, Access access) {
    for (Memory pool : launch.trace.scope().memory()) {
      if (pool.contents() == Contents.SLOTS) {
        for (long number : numbers(launch, pool, access)) {
          Slot slot = slots.get(new Key(pool.name(), number));
          if (slot != null && slot.freed != null) {
            afterFree(launch, pool, number, slot, access);
          }
        }
      }
    }
    Write before = memory.get(access.address());
    if (!access.writes()) {
      looks(access, before);
      return;
    }
    Optional<Long> old =
        before != null ? Optional.of(before.access.value()) : read(access.attempt(), access);
    Write write = new Write(launch, access, old);
    memory.put(access.address(), write);
    old.ifPresent(
        value ->
            slots.forEach(
                (key, slot) -> {
                  if (slot.live && key.number == value) {
                    slot.cut = write;
                  }
                }));
  }

  /** What an attempt has read where it writes. */
  private static Optional<Long> read(Attempt attempt, Access write) {
    return attempt.accesses.stream()
        .filter(each -> !each.writes() && each.address() == write.address())
        .map(Access::value)
        .findFirst();
  }

  /** The numbers of a pool's slots whose data an access may be. */
  private static List<Long> numbers(Launch launch, Memory pool, Access access) {
    return Stream.of(access.address(), access.object())
        .filter(at -> at != 0)
        .flatMap(
            at ->
                launch.trace.memory(at).stream()
                    .flatMap(array -> Slots.numbers(array, at, pool).boxed()))
        .distinct()
        .toList();
  }

  /** A read that may tell its attempt that a slot is dead. */
  private void looks(Access read, Write last) {
    if (last == null || read.isHint()) {
      return;
    }
    for (Slot slot : slots.values()) {
      if (slot.live || slot.freed == null || slot.freed.what.attempt() != last.access.attempt()) {
        continue;
      }
      Launch launch = slot.freed.launch;
      Memory pool = launch.pool(slot.freed.what);
      long number = slot.freed.what.slot();
      boolean reference = last.before.isPresent() && names(pool, last.before.get(), number);
      boolean mark =
          last.launch
              .trace
              .memory(read.address())
              .filter(array -> Slots.mayTellOf(array, read.address(), pool, number))
              .isPresent();
      if (reference || mark) {
        slot.sawDeath.add(read.attempt());
      }
    }
  }

  /** An access to what may be the data of a slot that was freed before. */
  private void afterFree(Launch launch, Memory pool, long number, Slot slot, Access access) {
    Attempt attempt = access.attempt();
    boolean counts =
        attempt.stands() && (attempt.outcome == Attempt.COMMIT || !access.writes());
    if (!counts
        || access.isHint()
        || access.kind() == AccessTrace.Kind.TALLY
        || attempt == slot.freed.what.attempt()
        || !isData(launch, pool, number, slot, access)) {
      return;
    }
    if (slot.live) {
      boolean own = slot.taken.what.attempt() == attempt;
      if (access.writes()
          && !own
          && isOldNumber(launch, attempt, access.event(), pool, number)) {
        recycled(launch, attempt, pool, number, launch.text.line(access));
      }
      return;
    }
    Use free = slot.freed;
    Runnable wrong =
        () ->
            add(
                Kind.USE_AFTER_FREE,
                free,
                "its data are used after it was freed, and not by one who looked whether it was",
                launch.text.line(access),
                free.line(),
                "take out every reference to a slot in the commit that frees it; who comes by an"
                    + " older one opens the slot, looks at a mark of its end there, and retries");
    if (access.writes()) {
      wrong.run();
    } else {
      slot.reads.add(
          () -> {
            if (!slot.sawDeath.contains(attempt)) {
              wrong.run();
            }
          });
    }
  }

  /** Whether an access is to the data of a slot. */
  private boolean isData(Launch launch, Memory pool, long number, Slot slot, Access access) {
    boolean followed = follows(launch, access, number, slot);
    return Stream.of(access.address(), access.object())
        .filter(at -> at != 0)
        .flatMap(at -> launch.trace.memory(at).stream().filter(
            array -> Slots.names(array, at, pool, number)))
        .anyMatch(array -> followed || indexed(array, pool) == Indexed.YES);
  }

  /** Whether an access follows a reference that those had who took or freed the slot. */
  private static boolean follows(Launch launch, Access access, long number, Slot slot) {
    return Stream.of(slot.freed, slot.taken)
        .filter(use -> use != null)
        .flatMap(use -> use.what.attempt().accesses.stream())
        .filter(each -> each.value() == number)
        .anyMatch(
            known ->
                access.attempt().accesses.stream()
                    .anyMatch(
                        each ->
                            !each.writes()
                                && each.event() < access.event()
                                && each.address() == known.address()
                                && each.address() != access.address()
                                && each.value() == number));
  }

  // ---- Numbers of an earlier life.

  /**
   * Whether an attempt has a slot's number only from before the slot was last freed and taken
   * again: read where nobody has written since; or as its item, without a look at the slot's data.
   */
  private boolean isOldNumber(
      Launch launch, Attempt attempt, int event, Memory pool, long number) {
    Slot slot = slots.get(new Key(pool.name(), number));
    if (slot.freed == null || slot.taken == null || slot.taken.time() < slot.freed.time()) {
      return false;
    }
    List<Access> references =
        attempt.accesses.stream()
            .filter(each -> !each.writes() && each.event() < event && each.value() == number)
            .filter(
                each ->
                    launch
                        .trace
                        .memory(each.address())
                        .filter(array -> indexed(array, pool) != Indexed.YES)
                        .isPresent())
            .toList();
    if (references.isEmpty()) {
      return attempt.item == number
          && pushed.contains(number)
          && attempt.accesses.stream()
              .noneMatch(
                  each ->
                      !each.writes()
                          && each.event() < event
                          && Slots.isData(launch.trace, pool, number, each.address()));
    }
    return references.stream()
        .allMatch(
            each -> {
              Write last = memory.get(each.address());
              return last == null || last.time() < slot.freed.time();
            });
  }

  private void recycled(Launch launch, Attempt attempt, Memory pool, long number, String line) {
    Slot slot = slots.get(new Key(pool.name(), number));
    Optional<String> reference =
        attempt.accesses.stream()
            .filter(each -> !each.writes() && each.value() == number)
            .map(launch.text::line)
            .findFirst();
    add(
        Kind.RECYCLED_NUMBER,
        slot.taken,
        "it was freed and taken again, and is used under a number from before",
        line,
        reference.map(each -> each + System.lineSeparator() + "  ").orElse("") + slot.taken.line(),
        "take out every reference to a slot in the commit that frees it; where one may outlive it,"
            + " as an item does, keep a generation beside the number and compare it under the"
            + " slot's object");
  }

  // ---- Leaks.

  private void leaks() {
    slots.forEach(
        (key, slot) -> {
          if (!slot.live || slot.taken == null) {
            return;
          }
          Use taken = slot.taken;
          Memory pool = taken.launch.pool(taken.what);
          long number = taken.what.slot();
          boolean kept =
              pushed.contains(number)
                  || memory.values().stream()
                      .anyMatch(
                          write ->
                              refersTo(write, taken.launch, pool, number));
          if (!kept) {
            add(
                Kind.LEAK,
                taken,
                "it is taken, and when the run is over nothing refers to it and nobody has freed it",
                taken.line(),
                slot.cut == null ? "" : slot.cut.launch.text.line(slot.cut.access),
                "store its number where others find it, or free it; take a slot only on the way to a"
                    + " commit that uses it");
          }
        });
  }

  private boolean refersTo(Write write, Launch launch, Memory pool, long number) {
    long value = write.access.value();
    Optional<Memory> target = launch.trace.memory(value);
    boolean byAddress =
        target.filter(array -> Slots.names(array, value, pool, number)).isPresent();
    boolean own =
        launch
            .trace
            .memory(write.access.address())
            .filter(array -> indexed(array, pool) == Indexed.YES)
            .filter(array -> Slots.names(array, write.access.address(), pool, number))
            .isPresent();
    boolean halves =
        write.access.bytes() == 8
            && (names(pool, value & 0xffffffffL, number) || names(pool, value >>> 32, number));
    return !own && (byAddress || halves || names(pool, value, number));
  }

  // ---- What numbers mean.

  /** Whether a value stands for a slot: as its number, or as what stands for those of all takes. */
  private boolean names(Memory pool, long value, long number) {
    return value == number || encoding(pool).applyAsLong(number) == value;
  }

  /** What takes store in place of the number, if none stores that. */
  private LongUnaryOperator encoding(Memory pool) {
    List<Use> takes = uses(pool, false);
    if (takes.isEmpty()) {
      return ENCODINGS.get(0);
    }
    return ENCODINGS.stream()
        .filter(
            each ->
                takes.stream()
                    .allMatch(
                        take ->
                            take.what.attempt().accesses.stream()
                                .anyMatch(
                                    access ->
                                        access.writes()
                                            && access.value()
                                                == each.applyAsLong(take.what.slot()))))
        .findFirst()
        .orElse(ENCODINGS.get(0));
  }

  private List<Use> uses(Memory pool, boolean frees) {
    return launches.stream()
        .flatMap(
            launch ->
                launch.attempts.slotUses().stream()
                    .filter(
                        use ->
                            use.frees() == frees && launch.pool(use).name().equals(pool.name()))
                    .map(use -> new Use(launch, use)))
        .toList();
  }

  private Indexed indexed(Memory array, Memory pool) {
    return indexed.computeIfAbsent(
        array.name() + " " + pool.name(),
        key -> {
          Indexed byTakes = indexed(array, pool, uses(pool, false));
          return byTakes == Indexed.NO ? indexed(array, pool, uses(pool, true)) : byTakes;
        });
  }

  private static Indexed indexed(Memory array, Memory pool, List<Use> uses) {
    boolean all =
        !uses.isEmpty()
            && uses.stream().allMatch(use -> touches(array, pool, use));
    return !all
        ? Indexed.NO
        : uses.stream().anyMatch(use -> use.what.attempt().item != use.what.slot())
                && uses.stream().map(use -> use.what.slot()).distinct().count() > 1
            ? Indexed.YES
            : Indexed.PERHAPS;
  }

  /** Whether an attempt opens the object, or accesses the element, of a slot that it uses. */
  private static boolean touches(Memory array, Memory pool, Use use) {
    Attempt attempt = use.what.attempt();
    Stream<Long> at =
        array.contents() == Contents.OBJECTS
            ? attempt.opened.keySet().stream()
            : attempt.accesses.stream()
                .filter(each -> each.writes() || use.what.frees())
                .map(Access::address);
    return at.anyMatch(
        each -> array.contains(each) && Slots.names(array, each, pool, use.what.slot()));
  }

  private void add(
      Kind kind, Use of, String why, String first, String second, String remedy) {
    found.computeIfAbsent(
        kind,
        key ->
            EventText.finding(
                kind,
                of.launch.text.slot(of.what.pool(), of.what.slot()),
                why,
                first,
                second,
                remedy));
  }
}
