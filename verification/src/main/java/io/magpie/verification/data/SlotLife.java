package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.stm.simulator.AccessTrace.Memory.Contents;
import io.magpie.verification.data.Launch.Use;
import io.magpie.verification.data.SlotNumbers.Indexed;
import io.magpie.verification.data.SlotReferences.Holds;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The lives of slots over the launches of a run: each slot has a shadow state, free or in use, with
 * who took it and who freed it last, and memory has the last write to each address.
 *
 * <p>Which data are a slot's, and where its number is, {@link SlotNumbers} learns from the run. An
 * access is to a slot's data if it is to the element or the object of its number, in an array that
 * is surely indexed by the slots; or after a read of the number where takes store numbers, or frees
 * have them.
 *
 * <p>An attempt that reaches a freed slot by a stale reference is right if it looks again and finds
 * it dead: if it reads, other than as a hint, something that the freeing commit wrote to the slot's
 * data or where the slot's number was. All others that write to the slot's data, or end by what
 * they read there, use it after it was freed.
 */
final class SlotLife {
  private final MemoryBefore before;
  private final Map<String, DeclaredSlots> declared;
  private final LongFunction<Optional<String>> lines;
  private final Map<Integer, Map<String, Boolean>> ofItems = new HashMap<>(); // by launch, array
  private final List<Launch> launches = new ArrayList<>();
  private final Map<String, SlotNumbers> pools = new HashMap<>();
  private final Map<String, SlotReferences> references = new HashMap<>();
  private final Map<Key, Slot> slots = new LinkedHashMap<>();
  private final Map<Long, Write> memory = new HashMap<>();
  private final Set<Long> pushed = new HashSet<>();

  /** By attempts, those whose writes they have read under claims. */
  private final Map<Attempt, Set<Attempt>> readFrom = new HashMap<>();

  /** By attempts, those whose writes they have read, also as hints. */
  private final Map<Attempt, Set<Attempt>> seenFrom = new HashMap<>();

  private final Map<Attempt, Launch> launchOf = new HashMap<>();

  /** By writes of attempts that use slots, what was there before. */
  private final Map<Access, Long> replaced = new HashMap<>();

  /** By frees, the attempts that have read what their commits left for them. */
  private final Map<SlotUse, Set<Attempt>> sawDeath = new HashMap<>();

  /** By launches' numbers, and items, the attempts that pushed these. */
  private final Map<Integer, Map<Long, List<Attempt>>> pushers = new HashMap<>();

  /** By launches' numbers and addresses, the atomic operations. */
  private final Map<Integer, Map<Long, List<Access>>> counts = new HashMap<>();

  private final Map<Kind, Violation> found = new LinkedHashMap<>();

  /** The slots that are lost as their numbers' slots of other pools were freed instead. */
  private final Set<Key> freedInstead = new HashSet<>();

  private Attempt freesTwice; // the first that frees a slot that is free; null if none does

  /** By slots of which is not known whether they are lost, the arrays where their numbers are. */
  private final Map<String, Set<String>> unjudged = new LinkedHashMap<>();

  /** Uses of what may be the data of freed slots, or not. */
  private final List<OpenUse> openUses = new ArrayList<>();

  /** By freed slots, the arrays of such uses that the run does not settle. */
  private final Map<String, Set<String>> unjudgedUses = new LinkedHashMap<>();

  /**
   * By slots, the arrays with what may be references to them, in a form that is not known. They are
   * left there when the slot is freed, or somebody came by them to what may be its data; or nothing
   * else refers to the slot.
   */
  private final Map<String, Set<String>> unjudgedReferences = new LinkedHashMap<>();

  /**
   * @param before what memory held at first
   * @param declared by arrays, what they hold
   * @param lines tells the source's line of a place in the code
   */
  SlotLife(
      MemoryBefore before,
      Map<String, DeclaredSlots> declared,
      LongFunction<Optional<String>> lines) {
    this.before = before;
    this.declared = declared;
    this.lines = lines;
  }

  /** A slot of a pool, which has the name of its field. */
  private record Key(String pool, long number) {}

  /**
   * An access by the number of a slot after it was freed, to an array that some commits use by what
   * is no slot's number.
   */
  private record OpenUse(Memory pool, Use free, Memory array, Attempt attempt) {}

  /** The last write to an address, and what was there before. */
  private record Write(Launch launch, Access access, OptionalLong before) {
    long time() {
      return launch.time(access.event());
    }
  }

  /** What is known of a slot. */
  private static final class Slot {
    boolean live;
    Use taken;
    Use freed;

    /** Reads after the free, of attempts that may still see what it left for them. */
    final List<Runnable> reads = new ArrayList<>();

    /** The last write that took out a reference to it. */
    Write cut;

    private void begin(boolean lives) {
      live = lives;
      cut = null;
    }
  }

  /** Takes the next launch of the run. */
  void add(AccessTrace trace, Attempts attempts) {
    launches.add(new Launch(launches.size(), trace, attempts));
  }

  private EventText text(Launch launch) {
    return new EventText(launch.trace(), lines);
  }

  private String line(Use use) {
    return text(use.launch()).line(use.what());
  }

  private String line(Write write) {
    return text(write.launch()).line(write.access);
  }

  /** What is wrong. */
  List<Violation> check() {
    if (launches.stream().noneMatch(each -> each.attempts().usedSlots())) {
      return List.of();
    }
    for (Launch launch : launches) {
      for (Memory pool : launch.pools()) {
        pools.computeIfAbsent(
            pool.name(), name -> new SlotNumbers(pool, launches, uses(name), declared));
        references.computeIfAbsent(
            pool.name(), name -> new SlotReferences(pools.get(name), pool, launches, before));
      }
      commits(launch).forEach(each -> pushed.addAll(each.pushes));
      launch.attempts().all().forEach(each -> launchOf.put(each, launch));
    }
    launches.forEach(this::follow);
    settleUses();
    if (ended()) {
      foreign();
      if (found.isEmpty()) {
        dangling();
      }
      leaks();
    }
    return List.copyOf(found.values());
  }

  /**
   * What commits took of a pool and freed. Where none took anything, those count that had slots in
   * inner transactions, and gave them back: some may go on as if they had kept them.
   */
  private List<Use> uses(String pool) {
    List<Use> uses = new ArrayList<>();
    launches.forEach(launch -> uses.addAll(launch.uses(pool)));
    if (uses.stream().allMatch(use -> use.what().frees())) {
      for (Launch launch : launches) {
        commits(launch)
            .flatMap(attempt -> attempt.givenBack.stream())
            .filter(each -> launch.pool(each.taken()).name().equals(pool))
            .forEach(each -> uses.add(new Use(launch, each.taken())));
      }
    }
    return uses;
  }

  /** The first attempt that freed a slot that was free, if one did in what was checked. */
  Optional<Attempt> freesTwice() {
    return Optional.ofNullable(freesTwice);
  }

  private static Stream<Attempt> commits(Launch launch) {
    return launch.attempts().all().stream().filter(each -> each.outcome == Attempt.COMMIT);
  }

  /** Whether every item came to its end, in this launch or a later one, and none waits. */
  private boolean ended() {
    Set<Long> begun = new HashSet<>();
    Set<Long> done = new HashSet<>();
    for (Launch launch : launches) {
      launch.attempts().all().forEach(attempt -> begun.add(attempt.item));
      launch.attempts().standing().forEach(attempt -> done.add(attempt.item));
    }
    Launch last = launches.get(launches.size() - 1);
    boolean pushes = commits(last).anyMatch(each -> !each.pushes.isEmpty());
    return done.containsAll(begun)
        && allStand(last.attempts())
        && !pushes
        && launches.stream().allMatch(launch -> launch.attempts().faulted().isEmpty());
  }

  /** Whether each item of a launch came to its end there: others may have its number. */
  private static boolean allStand(Attempts attempts) {
    Set<Integer> open = new HashSet<>();
    attempts.all().forEach(each -> open.add(each.execution));
    attempts.standing().forEach(each -> open.remove(each.execution));
    return open.isEmpty();
  }

  private void follow(Launch launch) {
    record Event(int at, Runnable check) {}
    List<Event> events = new ArrayList<>();
    for (SlotUse each : launch.attempts().slotUses()) {
      Use use = new Use(launch, each);
      events.add(new Event(each.since(), () -> use(use)));
    }
    for (Access each : launch.attempts().keptAccesses()) {
      events.add(new Event(each.event(), () -> access(launch, each)));
    }
    events.sort(Comparator.comparingInt(Event::at));
    events.forEach(each -> each.check.run());
    for (Slot each : slots.values()) {
      each.reads.forEach(Runnable::run);
      each.reads.clear();
    }
  }

  private Slot slot(Memory pool, long number) {
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
    Memory pool = use.launch().pool(use.what());
    Slot slot = slot(pool, use.what().slot());
    if (!use.what().frees()) {
      slot.begin(true);
      slot.taken = use;
      return;
    }
    Attempt attempt = use.what().attempt();
    if (!slot.live) {
      Optional<OtherPool> otherPool = otherPool(use, pool);
      freesTwice = freesTwice == null ? attempt : freesTwice;
      add(
          Kind.DOUBLE_FREE,
          use,
          slot.freed == null
              ? "it is freed, but no commit has taken it: it would be handed out twice"
              : "it is freed twice, and would be handed out twice"
                  + (use.launch() == slot.freed.launch()
                      ? EventText.ofOneNumber(attempt, slot.freed.what().attempt())
                      : ""),
          line(use),
          slot.freed == null ? otherPool.map(OtherPool::read).orElse("") : line(slot.freed),
          otherPool.isPresent()
              ? otherPool.get().remedy()
              : "free a slot once, in the commit that takes out the last reference to it while it holds"
                  + " the slot's object open");
    } else if (isOldNumber(use.launch(), attempt, use.what().event(), pool, use.what().slot())) {
      recycled(use.launch(), attempt, pool, use.what().slot(), line(use));
    } else if (!knows(use, pool, slot)) {
      holder(use, pool, slot)
          .ifPresent(
              holder ->
                  add(
                      Kind.FOREIGN_FREE,
                      use,
                      "it is freed by a transaction that neither opened its object, nor took it, nor"
                          + " read its number under a claim, while another item holds it",
                      line(use),
                      holder,
                      "open the slot's object, or what refers to the slot, and look that it is the"
                          + " one to free"));
    }
    slot.begin(false);
    slot.freed = use;
  }

  /**
   * The pool whose slot a commit has by a number under which it frees one of another pool.
   *
   * @param name the pool's name
   * @param read the line of the read of the number
   */
  private record OtherPool(String name, String read) {
    String remedy() {
      return "free each slot in the pool that it was taken of: this number is of " + name;
    }
  }

  /**
   * The other pool by whose number a commit may free a slot: it has read the number only in arrays
   * where takes of that pool or others, and none of the pool that it frees in, store theirs; it
   * takes the reference out, stores it nowhere else and does not free that slot. It may still have
   * computed the number.
   */
  private Optional<OtherPool> otherPool(Use free, Memory pool) {
    Launch launch = free.launch();
    Attempt attempt = free.what().attempt();
    long number = free.what().slot();
    SlotNumbers own = pools.get(pool.name());
    boolean known =
        launch.pools().size() < 2
            || takes(launch, attempt, pool, number)
            || attempt.accesses.stream()
                .filter(each -> !each.writes() && own.names(launch, each, number))
                .flatMap(each -> launch.trace().memory(each.address()).stream())
                .anyMatch(array -> own.isStoredIn(array.name()) || !areStoredIn(launch, array));
    return known
        ? Optional.empty()
        : launch.pools().stream()
            .filter(each -> !each.name().equals(pool.name()) && number < each.length())
            .filter(each -> !isFree(each, number) && !frees(launch, attempt, each, number))
            .flatMap(
                each ->
                    cut(launch, attempt, each, number)
                        .map(read -> new OtherPool(each.name(), text(launch).line(read)))
                        .stream())
            .findFirst();
  }

  /** Whether takes of some pool store their numbers in an array. */
  private boolean areStoredIn(Launch launch, Memory array) {
    return launch.pools().stream()
        .anyMatch(pool -> pools.get(pool.name()).isStoredIn(array.name()));
  }

  /** The read of a reference to a slot that an attempt takes out, and stores nowhere else. */
  private Optional<Access> cut(Launch launch, Attempt attempt, Memory pool, long number) {
    SlotNumbers numbers = pools.get(pool.name());
    List<Access> writes =
        attempt.accesses.stream()
            .filter(Access::writes)
            .filter(
                each ->
                    launch
                        .trace()
                        .memory(each.address())
                        .filter(array -> numbers.isStoredIn(array.name()))
                        .isPresent())
            .toList();
    return writes.stream().anyMatch(each -> numbers.names(launch, each, number))
        ? Optional.empty()
        : attempt.accesses.stream()
            .filter(each -> !each.writes() && numbers.names(launch, each, number))
            .filter(each -> writes.stream().anyMatch(to -> to.address() == each.address()))
            .findFirst();
  }

  private static boolean frees(Launch launch, Attempt attempt, Memory pool, long number) {
    return attempt.slotUses.stream()
        .anyMatch(
            each ->
                each.frees()
                    && each.slot() == number
                    && launch.pool(each).name().equals(pool.name()));
  }

  /** Whether the transaction that frees a slot knows by its claims what it frees. */
  private boolean knows(Use free, Memory pool, Slot slot) {
    Attempt attempt = free.what().attempt();
    long number = free.what().slot();
    SlotNumbers numbers = pools.get(pool.name());
    if (slot.taken == null) {
      return attempt.item == number || numbers.isKnownByClaims(free.launch(), attempt, number);
    }
    Attempt taker = slot.taken.what().attempt();
    return taker == attempt
        || numbers.isKnownByClaims(free.launch(), attempt, number)
        || !numbers.areStored() && readFrom.getOrDefault(attempt, Set.of()).contains(taker)
        || pushed.contains(number) && looksForItself(free.launch(), attempt, pool, number)
        || isHandedOn(attempt, pool, number, slot);
  }

  /**
   * Whether an item looks at what may tell of the slot of its own number: data of the slot, or a
   * bit.
   */
  private static boolean looksForItself(Launch launch, Attempt item, Memory pool, long number) {
    return item.item == number
        && item.accesses.stream()
            .filter(each -> !each.writes())
            .anyMatch(each -> mayBeOf(launch, each, pool, number));
  }

  /**
   * Whether an item was pushed by an attempt that may know a slot, of which the item's number may
   * tell: by its claims, or as it may have learned of it from the one that took it.
   */
  private boolean isHandedOn(Attempt item, Memory pool, long number, Slot slot) {
    SlotNumbers numbers = pools.get(pool.name());
    return pushersOf(item)
        .anyMatch(
            pusher ->
                numbers.isKnownByClaims(launchOf.get(pusher), pusher, number)
                    || mayKnowOf(pusher, slot.taken.what().attempt()));
  }

  /**
   * Whether an attempt is another one, or has read what that one wrote, or was pushed by it; or the
   * same of one that may know of the other.
   */
  private boolean mayKnowOf(Attempt attempt, Attempt other) {
    Set<Attempt> sources = new HashSet<>(Set.of(attempt));
    Deque<Attempt> open = new ArrayDeque<>(sources);
    while (!open.isEmpty() && !sources.contains(other)) {
      Attempt next = open.pop();
      Stream.concat(seenFrom.getOrDefault(next, Set.of()).stream(), pushersOf(next))
          .filter(sources::add)
          .forEach(open::add);
    }
    return sources.contains(other);
  }

  /** The attempts, of earlier launches, that pushed the item of one. */
  private Stream<Attempt> pushersOf(Attempt attempt) {
    return launches.subList(0, launchOf.get(attempt).number()).stream()
        .flatMap(launch -> pushers(launch).getOrDefault(attempt.item, List.of()).stream());
  }

  /** Whether two uses are of one item, or of items of one number in different launches. */
  private static boolean isOfItem(Use use, Use other) {
    Attempt attempt = use.what().attempt();
    Attempt another = other.what().attempt();
    return use.launch() == other.launch()
        ? attempt.isOfItem(another)
        : attempt.item == another.item;
  }

  /** Another item that holds a slot, told by what it does to it. */
  private Optional<String> holder(Use free, Memory pool, Slot slot) {
    Attempt attempt = free.what().attempt();
    long number = free.what().slot();
    if (slot.taken != null) {
      return isOfItem(free, slot.taken) ? Optional.empty() : Optional.of(line(slot.taken));
    }
    SlotNumbers numbers = pools.get(pool.name());
    return free.launch().attempts().standing().stream()
        .filter(each -> !each.isOfItem(attempt))
        .flatMap(each -> each.accesses.stream())
        .filter(each -> !each.isHint())
        .filter(
            each ->
                numbers.isOf(free.launch(), each.object(), number)
                    || numbers.isOf(free.launch(), each.address(), number)
                    || each.isUnderClaims() && numbers.isReference(free.launch(), each, number))
        .findFirst()
        .map(text(free.launch())::line);
  }

  // ---- Accesses.

  private void access(Launch launch, Access access) {
    for (Memory pool : launch.pools()) {
      for (long number : numbers(launch, pool, access)) {
        Slot slot = slots.get(new Key(pool.name(), number));
        if (slot != null && slot.freed != null) {
          afterFree(launch, pool, number, slot, access);
        }
      }
    }
    afterGivingBack(launch, access);
    afterPushingGivenBack(launch, access);
    if (!access.writes() && memory.containsKey(access.address())) {
      seenFrom
          .computeIfAbsent(access.attempt(), key -> new HashSet<>())
          .add(memory.get(access.address()).access.attempt());
    }
    if (access.writes()) {
      write(launch, access);
    } else if (!access.isHint()) {
      looks(access);
    }
  }

  /**
   * A write by a commit to the data of a slot that an inner transaction of its own took and gave
   * back when it was undone, or of that slot's number; but not if it has the number of somebody who
   * took the slot after that.
   */
  private void afterGivingBack(Launch launch, Access access) {
    Attempt attempt = access.attempt();
    if (!access.writes()
        || access.isHint()
        || attempt.givenBack.isEmpty()
        || attempt.outcome != Attempt.COMMIT) {
      return;
    }
    for (Attempt.GivenBack each : attempt.givenBack) {
      Memory pool = launch.pool(each.taken());
      long number = each.taken().slot();
      SlotNumbers numbers = pools.get(pool.name());
      boolean uses =
          numbers.isOwn(launch, access.address(), number)
              || numbers.names(launch, access, number)
                  && launch
                      .trace()
                      .memory(access.address())
                      .filter(array -> numbers.isStoredIn(array.name()))
                      .isPresent();
      if (uses
          && access.event() > each.since()
          && !takes(launch, attempt, pool, number)
          && attempt.accesses.stream()
              .filter(read -> read.event() > each.since() && read.event() < access.event())
              .noneMatch(read -> numbers.isReference(launch, read, number))) {
        add(
            Kind.USE_AFTER_FREE,
            text(launch).slot(pool.address(), number),
            "it was taken in an inner transaction that canceled or failed, and so gave it back, and"
                + " is used after that by the same attempt, which does not take it",
            text(launch).line(access),
            text(launch).line(each.taken())
                + each.last()
                    .map(text(launch)::line)
                    .map(last -> String.format("%n  %s, and then gives it back", last))
                    .orElse(""),
            "take a slot in the alternative that uses it, or before all of them; what an alternative"
                + " that gives up leaves in variables is not undone");
      }
    }
  }

  /**
   * A use by a commit of the data of the slot of its item's number, which nobody has, and which
   * only such commits pushed that had given it back when an inner transaction was undone. A read
   * counts where the commit changes something, and has not read the number before.
   */
  private void afterPushingGivenBack(Launch launch, Access access) {
    Attempt attempt = access.attempt();
    if (launch.number() == 0
        || access.isHint()
        || attempt.outcome != Attempt.COMMIT
        || !access.writes() && !changesSomething(attempt)) {
      return;
    }
    Launch before = launches.get(launch.number() - 1);
    List<Attempt> pushers = pushers(before).getOrDefault(attempt.item, List.of());
    for (Memory pool : pushers.isEmpty() ? List.<Memory>of() : launch.pools()) {
      List<Attempt.GivenBack> given =
          pushers.stream()
              .flatMap(each -> givenBack(before, each, pool.name(), attempt.item).stream())
              .toList();
      if (given.size() == pushers.size()
          && isFree(pool, attempt.item)
          && pools.get(pool.name()).isOwn(launch, access.address(), attempt.item)
          && (access.writes() || !hasRead(launch, pool, attempt.item, access))) {
        add(
            Kind.USE_AFTER_FREE,
            text(launch).slot(pool.address(), attempt.item),
            "its number was pushed by an attempt whose inner transaction had taken it, but was"
                + " undone and so gave it back, and the item of that number uses it",
            text(launch).line(access),
            text(before).line(given.get(0).taken()),
            "push only slots that the attempt still has in the end; what an alternative that gives up"
                + " leaves in variables is not undone");
      }
    }
  }

  /** Whether an attempt writes, takes, frees or pushes, other than by hints, tallies and hooks. */
  private static boolean changesSomething(Attempt attempt) {
    return !attempt.slotUses.isEmpty()
        || !attempt.pushes.isEmpty()
        || attempt.accesses.stream()
            .filter(each -> each.kind() != AccessTrace.Kind.TALLY)
            .anyMatch(each -> each.writes() && !each.isHint() && !each.inHook());
  }

  /** Whether an attempt has read a number before an access, which may be why it makes it. */
  private boolean hasRead(Launch launch, Memory pool, long number, Access access) {
    SlotNumbers numbers = pools.get(pool.name());
    return access.attempt().accesses.stream()
        .filter(each -> !each.writes() && each.event() < access.event())
        .anyMatch(each -> numbers.names(launch, each, number));
  }

  /** How an attempt gave a slot back, if it did and has not taken it again. */
  private static Optional<Attempt.GivenBack> givenBack(
      Launch launch, Attempt attempt, String pool, long number) {
    return attempt.givenBack.stream()
        .filter(each -> each.taken().slot() == number)
        .filter(each -> launch.pool(each.taken()).name().equals(pool))
        .filter(each -> !takes(launch, attempt, launch.pool(each.taken()), number))
        .findFirst();
  }

  /** By items that a launch pushed, the attempts that did. */
  private Map<Long, List<Attempt>> pushers(Launch launch) {
    return pushers.computeIfAbsent(
        launch.number(),
        number -> {
          Map<Long, List<Attempt>> found = new HashMap<>();
          commits(launch)
              .forEach(
                  each ->
                      each.pushes.forEach(
                          item -> found.computeIfAbsent(item, key -> new ArrayList<>()).add(each)));
          return found;
        });
  }

  /** The numbers of a pool's slots whose data an access may be. */
  private static long[] numbers(Launch launch, Memory pool, Access access) {
    return LongStream.of(access.address(), access.object())
        .filter(at -> at != 0)
        .flatMap(
            at ->
                launch.trace().memory(at).stream()
                    .flatMapToLong(array -> Slots.numbers(array, at, pool)))
        .distinct()
        .toArray();
  }

  private void write(Launch launch, Access access) {
    Write last = memory.get(access.address());
    OptionalLong old =
        last != null && last.access.bytes() >= access.bytes()
            ? OptionalLong.of(last.access.value())
            : before(launch, access.address(), access.bytes());
    Write write = new Write(launch, access, old);
    memory.put(access.address(), write);
    if (old.isPresent() && !access.attempt().slotUses.isEmpty()) {
      replaced.put(access, old.getAsLong());
    }
    if (old.isEmpty() || access.attempt().outcome != Attempt.COMMIT) {
      return;
    }
    for (Memory pool : launch.pools()) {
      SlotNumbers numbers = pools.get(pool.name());
      if (launch
              .trace()
              .memory(access.address())
              .filter(array -> numbers.isHolder(array) || holds(pool, array) == Holds.YES)
              .isPresent()
          && (last != null && last.access.attempt() == access.attempt()
              || !mayBeOfTaken(launch, access, pool))) {
        numbers
            .in(launch, access.address(), old.getAsLong(), access.bytes())
            .filter(number -> !numbers.names(launch, access, number))
            .forEach(
                number -> {
                  Slot slot = slot(pool, number);
                  if (slot.live && (slot.taken != null || takesOut(launch, access, pool, number))) {
                    slot.cut = write;
                  }
                });
      }
    }
  }

  /**
   * Whether an access may be to the data of a slot that its attempt takes: what was there is no
   * one's.
   */
  private boolean mayBeOfTaken(Launch launch, Access access, Memory pool) {
    SlotNumbers numbers = pools.get(pool.name());
    Optional<Memory> array = launch.trace().memory(access.address());
    return array.isPresent()
        && access.attempt().slotUses.stream()
            .filter(use -> !use.frees() && launch.pool(use).name().equals(pool.name()))
            .anyMatch(
                use -> numbers.mayBeOwn(launch, access, array.get(), access.address(), use.slot()));
  }

  /**
   * Whether an attempt takes out a reference to a slot that was in use before the run, where the
   * number could also stand for none: it uses the slot's data, and stores the number nowhere else.
   * Where it read the number from the array that it writes, it may keep it in any other.
   */
  private boolean takesOut(Launch launch, Access write, Memory pool, long number) {
    SlotNumbers numbers = pools.get(pool.name());
    List<Access> all = write.attempt().accesses;
    Optional<Memory> cut = launch.trace().memory(write.address());
    boolean moves =
        all.stream()
            .filter(each -> !each.writes() && numbers.names(launch, each, number))
            .anyMatch(each -> launch.trace().memory(each.address()).equals(cut));
    return all.stream()
            .anyMatch(each -> pools.get(pool.name()).isOf(launch, each.address(), number))
        && all.stream()
            .filter(each -> each.writes() && each.address() != write.address())
            .filter(
                each ->
                    moves && !numbers.isOwn(launch, each.address(), number)
                        || launch
                            .trace()
                            .memory(each.address())
                            .filter(array -> holds(pool, array) != Holds.NO)
                            .isPresent())
            .noneMatch(each -> numbers.names(launch, each, number));
  }

  private OptionalLong before(Launch launch, long address, int bytes) {
    Optional<Memory> array = launch.trace().memory(address);
    return array.isPresent() ? before.at(array.get(), address, bytes) : OptionalLong.empty();
  }

  /** A read that may tell its attempt that a slot is dead. */
  private void looks(Access read) {
    Write last = memory.get(read.address());
    if (last == null) {
      return;
    }
    if (read.isUnderClaims()) {
      readFrom.computeIfAbsent(read.attempt(), key -> new HashSet<>()).add(last.access.attempt());
    }
    for (SlotUse free : last.access.attempt().slotUses) {
      if (!free.frees()) {
        continue;
      }
      Memory pool = last.launch().pool(free);
      SlotNumbers numbers = pools.get(pool.name());
      boolean reference =
          last.before.isPresent()
              && numbers
                  .in(
                      last.launch(),
                      last.access.address(),
                      last.before.getAsLong(),
                      last.access.bytes())
                  .anyMatch(number -> number == free.slot());
      boolean mark =
          last.launch()
              .trace()
              .memory(read.address())
              .filter(array -> Slots.mayTellOf(array, read.address(), pool, free.slot()))
              .isPresent();
      if (reference || mark) {
        sawDeath.computeIfAbsent(free, key -> new HashSet<>()).add(read.attempt());
      }
    }
  }

  /** An access to what may be the data of a slot that was freed before. */
  private void afterFree(Launch launch, Memory pool, long number, Slot slot, Access access) {
    Attempt attempt = access.attempt();
    boolean counts = attempt.stands() && (attempt.outcome == Attempt.COMMIT || !access.writes());
    if (!counts
        || access.isHint()
        || access.kind() == AccessTrace.Kind.TALLY
        || attempt == slot.freed.what().attempt()) {
      return;
    }
    SlotNumbers numbers = pools.get(pool.name());
    boolean own =
        numbers.isOwn(launch, access.address(), number)
            || numbers.isOwn(launch, access.object(), number);
    List<Memory> reached = own ? List.of() : reached(launch, pool, number, access);
    // Who uses freed data wrongly may well use others so in the same commit.
    boolean data =
        own
            || !numbers.isCountedTo(attempt, number)
                && reached.stream().anyMatch(array -> numbers.against(array, Set.of(attempt)) == 0);
    Set<String> formless =
        data || !reached.isEmpty() ? Set.of() : formless(launch, pool, number, access);
    if (!data && reached.isEmpty() && formless.isEmpty()) {
      return;
    }
    if (slot.live) {
      if (data
          && access.writes()
          && slot.taken.what().attempt() != attempt
          && isOldNumber(launch, attempt, access.event(), pool, number)) {
        recycled(launch, attempt, pool, number, text(launch).line(access));
      }
      return;
    }
    Use free = slot.freed;
    if (isCountedBefore(launch, access, free)) {
      return;
    }
    Runnable open =
        () -> {
          reached.forEach(array -> openUses.add(new OpenUse(pool, free, array, attempt)));
          if (!formless.isEmpty()) {
            noteFormless(free, formless);
          }
        };
    Runnable wrong =
        () ->
            add(
                Kind.USE_AFTER_FREE,
                free,
                "its data are used after it was freed, and not by one who looked whether it was; "
                    + whyData(launch, number, access, numbers),
                text(launch).line(access),
                line(free),
                "take out every reference to a slot in the commit that frees it; who comes by an"
                    + " older one opens the slot, looks at a mark of its end there, and retries; or,"
                    + " if something else is the index of that array, declare it:"
                    + " --slots ARRAY=unindexed");
    Runnable tell = data ? wrong : open;
    if (access.writes()) {
      tell.run();
    } else {
      slot.reads.add(
          () -> {
            if (!sawDeath.getOrDefault(free.what(), Set.of()).contains(attempt)) {
              tell.run();
            }
          });
    }
  }

  /**
   * Whether atomic operations on one datum of a slot order an access before its free: its attempt
   * makes one with it or behind it, and the one that frees the slot makes a later one before that,
   * which leaves something else, so that what it returns may tell that no one else is left; nor is
   * there another one between that and the free.
   */
  private boolean isCountedBefore(Launch launch, Access access, Use free) {
    if (launch != free.launch()) {
      return false;
    }
    List<Access> others = atomics(free.what().attempt());
    return atomics(access.attempt()).stream()
        .filter(each -> each.event() >= access.event())
        .filter(each -> isOfSlot(free, each.address()))
        .anyMatch(
            each ->
                others.stream()
                    .filter(other -> other.address() == each.address())
                    .filter(other -> other.event() > each.event())
                    .filter(other -> other.event() < free.what().event())
                    .filter(other -> other.value() != each.value())
                    .anyMatch(other -> isLastBefore(free, other)));
  }

  private static boolean isOfSlot(Use free, long address) {
    return free.launch()
        .trace()
        .memory(address)
        .filter(array -> Slots.names(array, address, free.pool(), free.what().slot()))
        .isPresent();
  }

  /** Whether an atomic operation is the last on its datum before a slot is freed. */
  private boolean isLastBefore(Use free, Access count) {
    return counts
        .computeIfAbsent(
            free.launch().number(),
            number ->
                free.launch().attempts().accesses().stream()
                    .filter(each -> each.kind() == AccessTrace.Kind.ATOMIC)
                    .collect(Collectors.groupingBy(Access::address)))
        .get(count.address())
        .stream()
        .noneMatch(each -> each.event() > count.event() && each.event() < free.what().event());
  }

  private static List<Access> atomics(Attempt attempt) {
    return attempt.accesses.stream()
        .filter(each -> each.kind() == AccessTrace.Kind.ATOMIC)
        .toList();
  }

  /**
   * Notes the uses that are left open: only commits that use no freed element of an array
   * themselves settle that it is indexed by something else, and of these one alone may be wrong.
   */
  private void settleUses() {
    record Place(String pool, String array) {}
    Map<Place, Set<Attempt>> suspects = new HashMap<>();
    Map<Place, Boolean> settled = new HashMap<>();
    for (OpenUse each : openUses) {
      suspects
          .computeIfAbsent(new Place(each.pool.name(), each.array.name()), place -> new HashSet<>())
          .add(each.attempt);
    }
    for (OpenUse each : openUses) {
      SlotNumbers numbers = pools.get(each.pool.name());
      if (!settled.computeIfAbsent(
          new Place(each.pool.name(), each.array.name()),
          place -> numbers.against(each.array, suspects.get(place)) > 1)) {
        SlotUse free = each.free.what();
        unjudgedUses
            .computeIfAbsent(
                text(each.free.launch()).slot(free.pool(), free.slot()), slot -> new TreeSet<>())
            .add(each.array.name());
      }
    }
  }

  /** Why an access counts as one to the data of a slot, in words. */
  private static String whyData(Launch launch, long number, Access access, SlotNumbers numbers) {
    boolean byElement = numbers.isOwn(launch, access.address(), number);
    boolean byObject = !byElement && numbers.isOwn(launch, access.object(), number);
    long at = byObject ? access.object() : access.address();
    return String.format(
        "%s counts as indexed by slots, as %s",
        Stream.of(at, access.object())
            .flatMap(each -> launch.trace().memory(each).stream())
            .findFirst()
            .orElseThrow()
            .name(),
        byElement || byObject
            ? "the commits that take or free one use it at its number"
            : "an item comes to it by a number that it read");
  }

  /**
   * The arrays in which an access reaches by its number what may be the data of a slot, if the
   * array is indexed by slots.
   */
  private List<Memory> reached(Launch launch, Memory pool, long number, Access access) {
    SlotNumbers numbers = pools.get(pool.name());
    List<Access> reads =
        access.attempt().accesses.stream()
            .filter(each -> !each.writes() && each.event() < access.event())
            .filter(each -> each.address() != access.address())
            .toList();
    boolean followed = reads.stream().anyMatch(each -> numbers.isReference(launch, each, number));
    boolean known = reads.stream().anyMatch(each -> numbers.names(launch, each, number));
    return mayBeOwn(launch, numbers, number, access)
        .filter(
            array ->
                followed && !numbers.isKnownOtherwise(launch, access.attempt(), number)
                    || known
                        && array.length() == pool.length()
                        && numbers.indexed(array) == Indexed.PERHAPS)
        .toList();
  }

  /** The arrays in which an access may be to the data of a slot, if they are indexed by slots. */
  private Stream<Memory> mayBeOwn(Launch launch, SlotNumbers numbers, long number, Access access) {
    return LongStream.of(access.address(), access.object())
        .mapToObj(
            at ->
                launch
                    .trace()
                    .memory(at)
                    .filter(array -> numbers.mayBeOwn(launch, access, array, at, number)))
        .flatMap(Optional::stream)
        .filter(array -> !isOfItems(launch, array));
  }

  /**
   * The arrays, with numbers in a form that is not known, in which an attempt may have read that of
   * a slot before it came to what may be the slot's data.
   */
  private Set<String> formless(Launch launch, Memory pool, long number, Access access) {
    SlotNumbers numbers = pools.get(pool.name());
    Set<String> arrays =
        access.attempt().accesses.stream()
            .filter(each -> !each.writes() && each.event() < access.event())
            .filter(each -> each.address() != access.address())
            .filter(each -> numbers.names(launch, each, number))
            .flatMap(each -> launch.trace().memory(each.address()).stream())
            .filter(array -> numbers.isHolder(array) && numbers.isFormless(array))
            .map(Memory::name)
            .collect(Collectors.toSet());
    return arrays.isEmpty()
            || numbers.isKnownOtherwise(launch, access.attempt(), number)
            || mayBeOwn(launch, numbers, number, access).findAny().isEmpty()
        ? Set.of()
        : arrays;
  }

  /** Whether each of several items uses the element of its own number, and no other one. */
  private boolean isOfItems(Launch launch, Memory array) {
    return ofItems
        .computeIfAbsent(launch.number(), key -> new HashMap<>())
        .computeIfAbsent(
            array.name(),
            name -> {
              List<Access> all =
                  launch.attempts().accesses().stream()
                      .filter(each -> array.contains(each.address()))
                      .toList();
              return all.stream().mapToLong(each -> each.attempt().item).distinct().count() > 1
                  && all.stream()
                      .allMatch(each -> array.index(each.address()) == each.attempt().item);
            });
  }

  // ---- Numbers of an earlier life.

  /**
   * Whether an attempt has a slot's number only from before the slot was last freed and taken
   * again: read where nobody has written since; or as its item, without a look at the slot's data.
   */
  private boolean isOldNumber(Launch launch, Attempt attempt, int event, Memory pool, long number) {
    Slot slot = slots.get(new Key(pool.name(), number));
    if (slot.freed == null || slot.taken == null || slot.taken.time() < slot.freed.time()) {
      return false;
    }
    List<Access> references =
        references(launch, attempt, pool, number).filter(each -> each.event() < event).toList();
    if (references.isEmpty()) {
      return attempt.item == number
          && itemsAreSlots(pool)
          && attempt.accesses.stream()
              .noneMatch(
                  each ->
                      !each.writes()
                          && each.event() < event
                          && Slots.isData(launch.trace(), pool, number, each.address()));
    }
    return references.stream()
        .allMatch(
            each -> {
              Write last = memory.get(each.address());
              return last == null || last.time() < slot.freed.time();
            });
  }

  private Stream<Access> references(Launch launch, Attempt attempt, Memory pool, long number) {
    SlotNumbers numbers = pools.get(pool.name());
    return attempt.accesses.stream()
        .filter(
            each ->
                numbers.isReference(launch, each, number)
                    || !each.writes()
                        && numbers.names(launch, each, number)
                        && !numbers.isOwn(launch, each.address(), number)
                        && leads(launch, pool, each));
  }

  /**
   * Whether the items that are pushed are slots: each commit pushes its own item, slots that it
   * takes, or what it has read.
   */
  private boolean itemsAreSlots(Memory pool) {
    SlotNumbers numbers = pools.get(pool.name());
    return !pushed.isEmpty()
        && launches.stream()
            .allMatch(
                launch ->
                    commits(launch)
                        .allMatch(
                            attempt ->
                                attempt.pushes.stream()
                                    .allMatch(
                                        item ->
                                            item == attempt.item
                                                || takes(launch, attempt, pool, item)
                                                || attempt.accesses.stream()
                                                    .filter(each -> !each.writes())
                                                    .anyMatch(
                                                        each ->
                                                            numbers.names(launch, each, item)))));
  }

  private static boolean takes(Launch launch, Attempt attempt, Memory pool, long number) {
    return attempt.slotUses.stream()
        .anyMatch(
            each ->
                !each.frees()
                    && each.slot() == number
                    && launch.pool(each).name().equals(pool.name()));
  }

  private void recycled(Launch launch, Attempt attempt, Memory pool, long number, String line) {
    Slot slot = slots.get(new Key(pool.name(), number));
    Optional<String> reference =
        references(launch, attempt, pool, number).map(text(launch)::line).findFirst();
    add(
        Kind.RECYCLED_NUMBER,
        slot.taken,
        "it was freed and taken again, and is used under a number from before",
        line,
        reference.map(each -> each + System.lineSeparator() + "  ").orElse("") + line(slot.taken),
        "take out every reference to a slot in the commit that frees it; where one may outlive it,"
            + " as an item does, keep a generation with the number and compare it under the"
            + " slot's object");
  }

  // ---- References that are left.

  /**
   * What the commit that frees a slot leaves as a reference to it: it writes the slot's number
   * where others find it; or it has read it there, or written it over itself, and writes nothing
   * but references elsewhere, so that neither a mark nor a count can tell that the slot is dead. A
   * place behind a count that it moves is found by nobody.
   */
  private void dangling() {
    slots.forEach(
        (key, slot) -> {
          if (slot.live || slot.freed == null) {
            return;
          }
          Launch launch = slot.freed.launch();
          Memory pool = launch.pool(slot.freed.what());
          List<Access> all = slot.freed.what().attempt().accesses;
          boolean mayMark =
              all.stream()
                  .filter(Access::writes)
                  .anyMatch(
                      each ->
                          pools.get(key.pool).isOwn(launch, each.address(), key.number)
                              || !leads(launch, pool, each));
          all.stream()
              .filter(each -> mayMark ? changes(each) : each.writes() || each.isUnderClaims())
              .filter(each -> leads(launch, pool, each))
              .filter(each -> isLeft(launch, pool, key.number, each))
              .filter(each -> !isBehindACount(slot.freed, pool, each))
              .filter(each -> isJudged(launch, pool, key.number, each))
              .findFirst()
              .ifPresent(
                  each ->
                      add(
                          Kind.DANGLING_REFERENCE,
                          launch.trace().inWords(each.address()),
                          "it still names "
                              + text(launch).slot(pool.address(), key.number)
                              + ", which has been freed, when the run is over",
                          line(slot.freed),
                          text(launch).line(each),
                          "take out every reference to a slot in the commit that frees it; or, if"
                              + " that is no reference, declare what the array holds: --slots"
                              + " ARRAY=none for no numbers of slots, ARRAY=POOL+1 for numbers with 1"
                              + " added to each"));
        });
  }

  /** Whether it is known how an array holds numbers; where it is not, that is noted. */
  private boolean isJudged(Launch launch, Memory pool, long number, Access access) {
    Memory array = launch.trace().memory(access.address()).orElseThrow();
    boolean judged = !pools.get(pool.name()).isFormless(array);
    if (!judged) {
      noteFormless(slots.get(new Key(pool.name(), number)).freed, Set.of(array.name()));
    }
    return judged;
  }

  private void noteFormless(Use free, Set<String> arrays) {
    noteReferences(text(free.launch()).slot(free.what().pool(), free.what().slot()), arrays);
  }

  private void noteReferences(String slot, Set<String> arrays) {
    unjudgedReferences.computeIfAbsent(slot, key -> new TreeSet<>()).addAll(arrays);
  }

  /** Whether an access leaves something else than was there before. */
  private boolean changes(Access access) {
    Write last = memory.get(access.address());
    return access.writes()
        && (last == null
            || last.access != access
            || last.before.isEmpty()
            || last.before.getAsLong() != access.value());
  }

  /**
   * Whether a place may be behind the end of a dense list since the commit that frees a slot: it
   * moves a count over the place's index, and no further than by what it frees and moves.
   */
  private boolean isBehindACount(Use freed, Memory pool, Access place) {
    Launch launch = freed.launch();
    Memory list = launch.trace().memory(place.address()).orElseThrow();
    Attempt attempt = freed.what().attempt();
    long frees = attempt.slotUses.stream().filter(SlotUse::frees).count();
    long moves =
        attempt.accesses.stream()
            .filter(each -> each.writes() && list.contains(each.address()))
            .count();
    return attempt.accesses.stream()
        .filter(each -> each.writes() && each.address() != place.address())
        .filter(
            each ->
                !pools.get(pool.name()).isOwn(launch, each.address(), freed.what().slot())
                    && launch.trace().memory(each.address()).isPresent())
        .anyMatch(
            each -> {
              long most = frees + moves;
              long now = each.value();
              long old = replaced.getOrDefault(each, now + most);
              return old != now
                  && Math.abs(now - old) <= most
                  && LongStream.rangeClosed(Math.min(old, now), Math.max(old, now))
                      .anyMatch(end -> mayEndAt(launch, list, place, each, end));
            });
  }

  /** Whether a list with a place, or one of its lists, may end there if this is its count. */
  private static boolean mayEndAt(
      Launch launch, Memory list, Access place, Access count, long end) {
    Memory counts = launch.trace().memory(count.address()).orElseThrow();
    long index = list.index(place.address());
    if (list.elementBytes() > place.bytes()) { // within an element: the list begins anywhere
      return !list.equals(counts) || index == counts.index(count.address());
    }
    if (list.equals(counts)) {
      return false;
    }
    long lists = list.length() % counts.length() == 0 ? counts.length() : 1;
    return Stream.of(list.length(), list.length() / lists)
            .anyMatch(length -> length > 1 && Math.floorMod(end - index, length) == 0)
        || lists < list.length() && end == index / lists;
  }

  private boolean leads(Launch launch, Memory pool, Access access) {
    return launch
        .trace()
        .memory(access.address())
        .filter(array -> references.get(pool.name()).lead(array))
        .isPresent();
  }

  /**
   * Whether what an access read or left is still there, a slot's number in data that are in use.
   */
  private boolean isLeft(Launch launch, Memory pool, long number, Access access) {
    SlotNumbers numbers = pools.get(pool.name());
    Write last = memory.get(access.address());
    return numbers.names(launch, access, number)
        && (last == null || numbers.names(last.launch(), last.access, number))
        && !isOfDeadOr(number, pool, launch, access.address());
  }

  // ---- Leaks.

  /** Whether a slot is in use when the run is over, and nobody can find it any more. */
  private boolean isLost(Key key, Slot slot) {
    if (!slot.live || (slot.taken == null ? slot.cut == null : !mustBeReferredTo(slot))) {
      return false;
    }
    Launch last = launches.get(launches.size() - 1);
    Memory pool = pool(since(slot), key.pool);
    return !isKeptByPushed(pool, key.number, slot)
        && !isLinked(pool, key.number)
        && !(slot.taken == null
            ? references.get(key.pool).isReachedOtherwise(key.number)
                || mayBeReferredTo(last, pool, key.number)
            : isReferredTo(pool, key.number, array -> true));
  }

  /** The launch that took a slot, or took out the last reference to one that was in use before. */
  private static Launch since(Slot slot) {
    return slot.taken == null ? slot.cut.launch() : slot.taken.launch();
  }

  /** The frees, under the number of a slot that is lost, of another pool's slot. */
  private void foreign() {
    slots.forEach(
        (key, slot) -> {
          Optional<Use> elsewhere =
              isLost(key, slot) ? freedElsewhere(key.pool, key.number, slot) : Optional.empty();
          elsewhere.ifPresent(
              free -> {
                OtherPool of = otherPool(free, free.pool()).orElseThrow();
                freedInstead.add(key);
                add(
                    Kind.FOREIGN_FREE,
                    free,
                    "it is freed under a number that was read where those of " + of.name + " are",
                    line(free),
                    of.read,
                    of.remedy());
              });
        });
  }

  private void leaks() {
    slots.forEach(
        (key, slot) -> {
          if (!isLost(key, slot) || freedInstead.contains(key)) {
            return;
          }
          Launch launch = since(slot);
          Memory pool = pool(launch, key.pool);
          Set<String> otherwise =
              slot.taken == null ? Set.of() : pools.get(key.pool).storedOtherwise(slot.taken);
          if (!otherwise.isEmpty()) {
            noteReferences(text(launch).slot(pool.address(), key.number), otherwise);
            return;
          }
          String cut = slot.cut == null ? "" : line(slot.cut);
          Optional<DeadEnd> end = deadEnd(pool, key.number, slot);
          String begun = slot.taken == null ? "it was in use" : "it is taken";
          add(
              Kind.LEAK,
              text(launch).slot(pool.address(), key.number),
              begun
                  + ", nobody has freed it, and when the run is over "
                  + end.map(DeadEnd::what).orElse("nothing refers to it"),
              slot.taken == null ? cut : line(slot.taken),
              end.map(DeadEnd::freed).orElse(slot.taken == null ? "" : cut),
              end.isPresent()
                  ? "before a slot is freed, let what refers to it refer to what follows it, or free"
                      + " that as well"
                  : "store its number where others find it, or free it; take a slot only on the way"
                      + " to a commit that uses it");
        });
  }

  /**
   * The free in another pool by the commit that took out the last reference to a slot; but not of
   * the slot that has the number of its item, which it may know by that.
   */
  private Optional<Use> freedElsewhere(String pool, long number, Slot slot) {
    return slot.cut == null
        ? Optional.empty()
        : slot.cut.access.attempt().slotUses.stream()
            .filter(each -> each.frees() && each.slot() == number)
            .filter(each -> each.attempt().item != number)
            .map(each -> new Use(slot.cut.launch, each))
            .filter(
                each ->
                    otherPool(each, each.pool())
                        .filter(other -> other.name.equals(pool))
                        .isPresent())
            .findFirst();
  }

  /**
   * A reference to a slot from one that was freed.
   *
   * @param what it is, in words
   * @param freed the line of the free
   */
  private record DeadEnd(String what, String freed) {}

  /** What refers to a slot that nobody can reach, if the run wrote it. */
  private Optional<DeadEnd> deadEnd(Memory pool, long number, Slot slot) {
    SlotNumbers numbers = pools.get(pool.name());
    for (Write write : memory.values()) {
      if (!numbers.names(write.launch(), write.access, number)
          || !leads(write.launch(), pool, write.access)
              && !isTakersReference(slot, write, numbers)) {
        continue;
      }
      long at = write.access.address();
      Memory array = write.launch().trace().memory(at).orElseThrow();
      Optional<Use> freed =
          Slots.numbers(array, at, pool)
              .filter(each -> each != number && numbers.isOwn(write.launch(), at, each))
              .filter(each -> isFree(pool, each))
              .mapToObj(each -> slots.get(new Key(pool.name(), each)))
              .filter(each -> each != null && each.freed != null)
              .map(each -> each.freed)
              .findFirst();
      if (freed.isPresent()) {
        String name = text(write.launch()).slot(pool.address(), freed.get().what().slot());
        String still =
            left(pool, freed.get().what().slot())
                .map(word -> ", which " + write.launch().trace().inWords(word) + " still names")
                .orElse("");
        String what =
            String.format(
                "only %s refers to it, of %s%s, but that was freed",
                write.launch().trace().inWords(at), name, still);
        return Optional.of(new DeadEnd(what, line(freed.get())));
      }
    }
    return Optional.empty();
  }

  /** Whether who took a slot made a write that names it, where takes store numbers. */
  private static boolean isTakersReference(Slot slot, Write write, SlotNumbers numbers) {
    return slot.taken != null
        && slot.taken.what().attempt() == write.access.attempt()
        && write
            .launch()
            .trace()
            .memory(write.access.address())
            .filter(array -> numbers.isStoredIn(array.name()))
            .isPresent();
  }

  /** A reference to a slot in data that are in use, if there is one that somebody accessed. */
  private Optional<Long> left(Memory pool, long number) {
    return launches.stream()
        .flatMap(
            launch ->
                launch.attempts().standing().stream()
                    .flatMap(attempt -> attempt.accesses.stream())
                    .filter(each -> leads(launch, pool, each))
                    .filter(each -> isLeft(launch, pool, number, each))
                    .map(Access::address))
        .findFirst();
  }

  private static Memory pool(Launch launch, String name) {
    return launch.pools().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Whether a slot that was taken has to be referred to: its data may tell by themselves of it. */
  private boolean mustBeReferredTo(Slot slot) {
    Attempt taker = slot.taken.what().attempt();
    return pools.get(slot.taken.launch().pool(slot.taken.what()).name()).areStored()
        || taker.accesses.stream().noneMatch(Access::writes);
  }

  /** Whether an item that was pushed may keep a slot. */
  private boolean isKeptByPushed(Memory pool, long number, Slot slot) {
    return slot.taken == null || pools.get(pool.name()).areStored()
        ? isPushed(pool, number, slot)
        : isKeptByHanded(pool, number, slot);
  }

  private boolean isPushed(Memory pool, long number, Slot slot) {
    return pushed.contains(number)
        && (itemsAreSlots(pool)
            || slot.taken != null && slot.taken.what().attempt().pushes.contains(number));
  }

  /**
   * Whether an item that a slot was handed to, by pushes alone, leaves something that may tell of
   * it: data of its own, or its number. That an item was pushed keeps nothing when it has ended. An
   * item's number may have the slot's in any form.
   */
  private boolean isKeptByHanded(Memory pool, long number, Slot slot) {
    Set<Long> handed = new HashSet<>(slot.taken.what().attempt().pushes);
    if (isPushed(pool, number, slot)) {
      handed.add(number);
    }
    for (Launch launch : launches.subList(since(slot).number() + 1, launches.size())) {
      for (Attempt each : commits(launch).filter(each -> handed.contains(each.item)).toList()) {
        if (each.accesses.stream().anyMatch(access -> mayTellOf(launch, access, pool, number))) {
          return true;
        }
        handed.addAll(each.pushes);
      }
    }
    return false;
  }

  /** Whether a write may tell that a slot is in use: by where it is, or what it leaves. */
  private static boolean mayTellOf(Launch launch, Access access, Memory pool, long number) {
    return access.writes()
        && (mayBeOf(launch, access, pool, number) || SlotNumbers.mayStandFor(access, number));
  }

  /** Whether what is accessed may tell of a slot by where it is. */
  private static boolean mayBeOf(Launch launch, Access access, Memory pool, long number) {
    return launch
        .trace()
        .memory(access.address())
        .filter(array -> Slots.mayTellOf(array, access.address(), pool, number))
        .isPresent();
  }

  /**
   * Whether what somebody wrote stands for a slot, other than in its data or those of free slots.
   */
  private boolean isReferredTo(Memory pool, long number, Predicate<Memory> in) {
    SlotNumbers numbers = pools.get(pool.name());
    return memory.values().stream()
        .filter(
            write -> write.launch().trace().memory(write.access.address()).filter(in).isPresent())
        .filter(write -> numbers.names(write.launch(), write.access, number))
        .anyMatch(write -> !isOfDeadOr(number, pool, write.launch(), write.access.address()));
  }

  /** Whether a link that somebody wrote may refer to a slot, other than from free slots' data. */
  private boolean isLinked(Memory pool, long number) {
    SlotNumbers numbers = pools.get(pool.name());
    return memory.values().stream()
        .filter(write -> numbers.links(write.launch(), write.access, number))
        .anyMatch(write -> !isOfDeadOr(number, pool, write.launch(), write.access.address()));
  }

  private Holds holds(Memory pool, Memory array) {
    return references.get(pool.name()).holds(array);
  }

  /**
   * Whether something may stand for a slot that was in use before the run: it is in an array of
   * references, or in one of which the run does not tell whether it is. The latter is noted.
   */
  private boolean mayBeReferredTo(Launch launch, Memory pool, long number) {
    List<Memory> arrays =
        launch.trace().scope().memory().stream()
            .filter(array -> array.contents() == Contents.DATA)
            .filter(array -> holds(pool, array) != Holds.NO)
            .filter(
                array ->
                    isReferredTo(pool, number, each -> each.name().equals(array.name()))
                        || isReferredToBefore(launch, array, pool, number))
            .toList();
    if (!arrays.isEmpty() && arrays.stream().allMatch(each -> holds(pool, each) != Holds.YES)) {
      unjudged.put(
          text(launch).slot(pool.address(), number),
          arrays.stream().map(Memory::name).collect(Collectors.toCollection(TreeSet::new)));
    }
    return !arrays.isEmpty();
  }

  /**
   * The slots that were in use before the run and may be lost or not, as the run does not tell
   * whether these arrays, where their numbers are, refer to slots.
   */
  Map<String, Set<String>> unjudged() {
    return unjudged;
  }

  /**
   * The freed slots of which data may be used, each with the arrays that other commits use by what
   * is no slot's number, so that the run does not tell whether they are indexed by slots.
   */
  Map<String, Set<String>> unjudgedUses() {
    return unjudgedUses;
  }

  /**
   * The slots to which references may be left or not, each with the arrays where they may be, of
   * which the run does not tell how they hold numbers.
   */
  Map<String, Set<String>> unjudgedReferences() {
    return unjudgedReferences;
  }

  private boolean isReferredToBefore(Launch launch, Memory array, Memory pool, long number) {
    SlotNumbers numbers = pools.get(pool.name());
    int step = Slots.wordBytes(array, numbers.isWide(array) ? Long.BYTES : Integer.BYTES);
    return LongStream.iterate(
            array.address(), at -> at < array.address() + array.bytes(), at -> at + step)
        .filter(array::contains)
        .filter(at -> !isWritten(at) && !isOfDeadOr(number, pool, launch, at))
        .anyMatch(
            at -> {
              OptionalLong word = before.at(array, at, step);
              return word.isPresent()
                  && numbers
                      .in(launch, at, word.getAsLong(), step)
                      .anyMatch(each -> each == number);
            });
  }

  private boolean isWritten(long address) {
    Write around = memory.get(address - Integer.BYTES);
    return memory.containsKey(address) || around != null && around.access.bytes() > Integer.BYTES;
  }

  /** Whether an address is in the data of a slot, or in those of one that is free. */
  private boolean isOfDeadOr(long number, Memory pool, Launch launch, long address) {
    SlotNumbers numbers = pools.get(pool.name());
    return launch
        .trace()
        .memory(address)
        .filter(
            array ->
                Slots.numbers(array, address, pool)
                    .filter(each -> each == number || isFree(pool, each))
                    .anyMatch(each -> numbers.isOwn(launch, address, each)))
        .isPresent();
  }

  private boolean isFree(Memory pool, long number) {
    Slot slot = slots.get(new Key(pool.name(), number));
    return slot == null ? number >= pool.live() : !slot.live;
  }

  private void add(Kind kind, Use of, String why, String first, String second, String remedy) {
    add(
        kind,
        text(of.launch()).slot(of.what().pool(), of.what().slot()),
        why,
        first,
        second,
        remedy);
  }

  private void add(Kind kind, String what, String why, String first, String second, String remedy) {
    found.computeIfAbsent(kind, key -> EventText.finding(kind, what, why, first, second, remedy));
  }
}
