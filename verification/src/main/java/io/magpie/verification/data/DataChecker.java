package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.verification.explore.AttemptId;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a region does wrong with its data, found in the trace of one run.
 *
 * <p>Two accesses to one word by different items, at least one of them a write, must be ordered by
 * objects that both had claimed, or by a chain of such attempts: happens-before over claims, as
 * race detectors have it over locks (Lamport, CACM 1978; Flanagan and Freund, FastTrack, PLDI
 * 2009). So what is reported is unordered in that very run, and data may change the object that
 * guards them. Only attempts that committed or canceled count there; hints ({@code tx.glance},
 * {@code tx.peek}, {@code tx.leave_hint}, atomic loads in {@code seek}) and tallies do not.
 *
 * <p>The other checks: what is written in a body past the transaction stays when the attempt is
 * undone; what an undone attempt left is not to be read by the next; an attempt that fails has read
 * one state, also past the transaction; hooks run when the transaction holds nothing; a loop that
 * reads a word again and again waits for another item.
 */
public final class DataChecker {
  /** Reads of one word in a row, at one place, that are a wait. */
  private static final int READS_OF_A_WAIT = 16;

  /** Turns of a loop that count as endless if time ended it. */
  private static final int TURNS_WITHOUT_END = 1_000;

  /** Accesses of a turn of a loop that are told apart, and that are shown. */
  private static final int MOST_IN_A_TURN = 256;

  private static final int MOST_SHOWN = 8;

  private static final String BOUND_LOOPS =
      "bound the region's own loops, and leave them when an operation of tx fails";

  /** Accesses to one word that are compared with each other. */
  private static final int MOST_COMPARED = 256;

  private static final String WHERE_IT_CAN_FAIL =
      "do it in the body, or in plan, where the attempt can still fail";

  /**
   * What to do about a rule of the library that was broken.
   *
   * @param fault what the library says of it, or a part of that which no other rule's has
   */
  private record Remedy(String fault, String text) {}

  private static final List<Remedy> REMEDIES =
      List.of(
          new Remedy(
              "takes a slot that it did not reserve",
              "reserve as many slots as the attempt takes, by tx.reserve before the first take, and"
                  + " give up the attempt where that fails"),
          new Remedy(
              "in apply what no open object guards",
              "open in plan all that apply loads and stores, such as by tx.open(field, i), on every"
                  + " path to this"),
          new Remedy(
              "reserves more slots of a pool than its max_slots",
              "declare more in max_slots, or reserve once for all that the attempt takes"),
          new Remedy(
              "loads outside of apply",
              "read by tx.read or tx.get in the body or in plan; committed and rolled_back hold"
                  + " nothing that they could read"),
          new Remedy(
              "stores outside of apply",
              "note in the state what is to be stored, and store it in apply; or write by tx.write or"
                  + " tx.set in the body or in plan: what an attempt that fails stored would stay"),
          new Remedy(
              "frees a slot outside of apply",
              "note in the state what is to be freed, and free it in apply or committed: elsewhere"
                  + " an attempt that fails would free it as well"),
          new Remedy("opens an object in apply", WHERE_IT_CAN_FAIL),
          new Remedy("opens objects in apply", WHERE_IT_CAN_FAIL),
          new Remedy("reserves slots in apply", WHERE_IT_CAN_FAIL),
          new Remedy(
              "reads in apply",
              "use tx.load in apply; committed and rolled_back hold nothing that they could read"),
          new Remedy(
              "peeks in apply",
              "use tx.load in apply, or peek in the body or in plan; committed and rolled_back hold"
                  + " nothing that they could read"),
          new Remedy(
              "writes in apply",
              "use tx.store in apply; committed and rolled_back hold nothing that they could write"),
          new Remedy("takes a slot in committed", "take it in the body, in plan or in apply"),
          new Remedy("pushes in committed", "push in the body, in plan or in apply"),
          new Remedy(
              "pushes more than its max_pushes in apply",
              "declare more in max_pushes, or push in the body or in plan, where the attempt can"
                  + " still fail"),
          new Remedy(
              "division of an integer by zero",
              "look whether the divisor is 0; and where an operation of tx fails, return"
                  + " outcome::retry at once: what it should have read was not set"),
          new Remedy(
              "index out of bounds",
              "bound the index, or give the array more elements; and where an operation of tx fails,"
                  + " return outcome::retry at once: what it should have read was not set"),
          new Remedy("overflow of the thread's stack", "bound the recursion, or use a loop"),
          new Remedy("access through a null pointer", "look whether the pointer is null"),
          new Remedy(
              "where it has no memory",
              "bound the index: behind a pointer nothing checks it, as array[i] does"));

  /** What the names of a guarded field's two parts end with. */
  private static final String DATA = ".data";

  private static final String GUARDS = ".guards";

  private final AccessTrace trace;
  private final EventText text;
  private final Attempts attempts;
  private final List<Violation> found = new ArrayList<>();
  private final Set<String> written;
  private final Map<Long, SlotNumbers> numbers = new HashMap<>(); // by pools' addresses
  private Access effect; // the write that stays, if one was found

  /**
   * @param written arrays that some item wrote, or was to write at its commit
   */
  private DataChecker(AccessTrace trace, Attempts attempts, EventText text, Set<String> written) {
    this.trace = trace;
    this.text = text;
    this.attempts = attempts;
    this.written = written;
  }

  private static Set<String> writtenIn(List<AccessTrace> launches) {
    Set<String> written = new HashSet<>();
    for (AccessTrace launch : launches) {
      for (int i = 0; i < launch.size(); i++) {
        if (launch.writes(i) || launch.kind(i) == AccessTrace.Kind.LOGGED) {
          launch.memory(launch.address(i)).ifPresent(array -> written.add(array.name()));
        }
      }
    }
    return written;
  }

  /**
   * Checks a run.
   *
   * @param launches its launch, or those of its rounds, one after the other
   * @param before what the arguments' arrays held at first, as Java arrays by field, which tells
   *     more of states, and of slots that were in use then; may lack some or all
   * @param declared by arrays, what they hold; of others the run has to tell
   * @param lines tells the source's line of a place in the code, as {@code file:line}
   * @param unjudged takes the slots of which the run does not tell whether they are lost, or used
   *     or referred to after they were freed
   * @return the first finding of each kind, with its attempts if they are of the last launch; none
   *     if nothing is wrong
   */
  public static List<Violation> check(
      List<AccessTrace> launches,
      Map<String, Object> before,
      Map<String, DeclaredSlots> declared,
      LongFunction<Optional<String>> lines,
      UnjudgedSlots unjudged) {
    MemoryBefore first = new MemoryBefore(before);
    SlotLife slots = new SlotLife(first, declared, lines);
    Map<Kind, Violation> found = new LinkedHashMap<>();
    for (AccessTrace each : launches) {
      Attempts attempts = new Attempts(each);
      // This launch ended, so it did not wait for what only other launches wrote.
      Set<String> written = writtenIn(List.of(each));
      DataChecker checker = new DataChecker(each, attempts, new EventText(each, lines), written);
      checker.run(each == launches.get(0) ? first : new MemoryBefore(Map.of()), declared);
      slots.add(each, attempts);
      boolean last = each == launches.get(launches.size() - 1);
      for (Violation violation : checker.found) {
        // Attempts of launches before have the same names.
        Violation told = last ? violation : new Violation(violation.kind(), violation.text());
        found.putIfAbsent(violation.kind(), told);
      }
    }
    slots.check().forEach(violation -> found.putIfAbsent(violation.kind(), violation));
    slots.unjudged().forEach(unjudged::addLeak);
    slots.unjudgedUses().forEach(unjudged::addUse);
    slots.unjudgedReferences().forEach(unjudged::addReference);
    return List.copyOf(found.values());
  }

  /** The first load by {@code ld_plain} of what is written in the same launch. */
  public static Optional<Violation> staleLoad(
      AccessTrace launch, LongFunction<Optional<String>> lines) {
    Attempts attempts = new Attempts(launch);
    EventText text = new EventText(launch, lines);
    DataChecker checker = new DataChecker(launch, attempts, text, Set.of());
    checker.staleLoads(Units.group(attempts.accesses()));
    return checker.found.stream().findFirst();
  }

  /**
   * The read of what an attempt of the same item left that was undone, in the attempt that ended a
   * launch by a fault, else the first one in an attempt on which that one depended: it read what
   * this left, or had a slot after it, directly or through others. Empty if there is none: then the
   * fault does not come of such a read, or it is not known whose it is.
   */
  public static Optional<Violation> leftByUndone(
      AccessTrace launch, LongFunction<Optional<String>> lines) {
    Attempts attempts = new Attempts(launch);
    EventText text = new EventText(launch, lines);
    DataChecker checker = new DataChecker(launch, attempts, text, Set.of());
    SlotLife slots = new SlotLife(new MemoryBefore(Map.of()), Map.of(), lines);
    slots.add(launch, attempts);
    slots.check();
    attempts
        .faulted()
        .or(slots::freesTwice)
        .ifPresent(
            faulted -> {
              checker.repetitions(each -> each == faulted, left -> false);
              if (checker.found.isEmpty()) {
                checker.repetitions(new Influences(attempts).on(faulted)::contains, left -> false);
              }
            });
    return checker.found.stream().findFirst();
  }

  /**
   * What led to a fault, by its own name and with its place: a handle that was not open, a slot
   * that was freed twice; else the fault, with its place.
   *
   * @param launches as for {@link #check}; the last one faulted
   * @param before as for {@link #check}
   * @param fault what is known of it
   */
  public static Violation explain(
      List<AccessTrace> launches,
      Map<String, Object> before,
      Violation fault,
      LongFunction<Optional<String>> lines) {
    AccessTrace last = launches.get(launches.size() - 1);
    EventText text = new EventText(last, lines);
    DataChecker checker = new DataChecker(last, new Attempts(last), text, Set.of());
    return checker.withMixedStates(
        withPlace(launches, text, fault, lines), launches.size() == 1 ? before : Map.of());
  }

  private static Violation withPlace(
      List<AccessTrace> launches,
      EventText text,
      Violation fault,
      LongFunction<Optional<String>> lines) {
    AccessTrace last = launches.get(launches.size() - 1);
    for (int i = 0; i < last.size(); i++) {
      if (last.kind(i) == AccessTrace.Kind.BAD_HANDLE) {
        return new Violation(
            Kind.BAD_HANDLE,
            String.format(
                "%s: %s%s%nremedy: open the object in the same attempt, and in the same inner"
                    + " transaction or around it, on every path to this",
                last.inWords(last.address(i)), fault.text(), text.at(last.place(i))));
      }
      if (last.kind(i) == AccessTrace.Kind.FAULTED) {
        return new Violation(
            fault.kind(), fault.text() + placeOf(last, text, i) + remedyOf(fault.text()));
      }
    }
    SlotLife slots = new SlotLife(new MemoryBefore(Map.of()), Map.of(), lines);
    launches.forEach(each -> slots.add(each, new Attempts(each)));
    return slots.check().stream()
        .filter(each -> each.kind() == Kind.DOUBLE_FREE)
        .findFirst()
        .orElse(fault);
  }

  /** Where a thread faulted, or, if that has no line, where it was last seen. */
  private static String placeOf(AccessTrace trace, EventText text, int faulted) {
    String place = text.at(trace.place(faulted));
    for (int i = faulted - 1; place.isEmpty() && i >= 0; i--) {
      String seen = trace.thread(i) == trace.thread(faulted) ? text.at(trace.place(i)) : "";
      place = seen.isEmpty() ? "" : " soon after" + seen;
    }
    return place;
  }

  /** What to do about a rule of the library that was broken; nothing for other faults. */
  private static String remedyOf(String fault) {
    return REMEDIES.stream()
        .filter(each -> fault.contains(each.fault))
        .findFirst()
        .map(each -> String.format("%nremedy: %s", each.text))
        .orElse("");
  }

  /**
   * What a run without end does: whether its code waits for another item, and else which loop it is
   * in, or where it goes on.
   *
   * @param launches as for {@link #check}; of the last one the trace may have only the beginning
   * @param before as for {@link #check}
   * @param endless what is known of it
   */
  public static Violation explainEndless(
      List<AccessTrace> launches,
      Map<String, Object> before,
      Violation endless,
      LongFunction<Optional<String>> lines) {
    AccessTrace last = launches.get(launches.size() - 1);
    EventText text = new EventText(last, lines);
    DataChecker checker = new DataChecker(last, new Attempts(last), text, writtenIn(launches));
    Violation found =
        checker
            .inVain(endless)
            .or(() -> checker.loopOrWait(checker.loops(), endless))
            .or(() -> checker.allAskedAgain(endless, checker.askers(READS_OF_A_WAIT)))
            .orElseGet(
                () ->
                    checker.withLastAccess(
                        checker.meanwhile(endless, checker.askers(READS_OF_A_WAIT))));
    return checker.withMixedStates(found, launches.size() == 1 ? before : Map.of());
  }

  /**
   * What items do in a launch whose states come again, where the region itself lets them try again.
   * Only items of which each attempt asked for another: of others the trace does not tell whether
   * those that come again did.
   *
   * @param launches as for {@link #explainEndless}
   * @param livelock what is known of it
   */
  public static Violation explainLivelock(
      List<AccessTrace> launches, Violation livelock, LongFunction<Optional<String>> lines) {
    AccessTrace last = launches.get(launches.size() - 1);
    EventText text = new EventText(last, lines);
    DataChecker checker = new DataChecker(last, new Attempts(last), text, writtenIn(launches));
    List<List<Attempt>> askers =
        checker
            .open()
            .filter(all -> all.stream().allMatch(DataChecker::mayHaveAskedAgain))
            .map(DataChecker::lastAskedAgain)
            .filter(each -> !each.isEmpty())
            .toList();
    return checker
        .inVain(new Violation(Kind.NO_END, livelock.text()))
        .or(() -> checker.allAskedAgain(livelock, askers))
        .orElseGet(() -> checker.meanwhile(livelock, askers));
  }

  private static boolean mayHaveAskedAgain(Attempt attempt) {
    return attempt.outcome < 0 || attempt.outcome == Attempt.ASKED_AGAIN;
  }

  /**
   * By items that have not ended, their last attempts that the region ended, so many at least, by
   * asking for another although nothing had failed.
   */
  private List<List<Attempt>> askers(int least) {
    return open().map(DataChecker::lastAskedAgain).filter(each -> each.size() >= least).toList();
  }

  /** What items that ask for one attempt after another do, if no other item is left. */
  private Optional<Violation> allAskedAgain(Violation endless, List<List<Attempt>> askers) {
    return askers.isEmpty() || askers.size() < open().count()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                endless.kind(),
                String.format(
                    "%s%s%nremedy: return outcome::retry only where another item, which does not"
                        + " wait itself, is to change what was read; else cancel, or push the item"
                        + " for another round",
                    askedAgainInLines(askers), endless.text())));
  }

  /** The same where others are left: these may rightly wait for one of them. */
  private Violation meanwhile(Violation endless, List<List<Attempt>> askers) {
    return askers.isEmpty()
        ? endless
        : new Violation(
            endless.kind(),
            String.format("%s%nmeanwhile %s", endless.text(), askedAgainInLines(askers))
                .stripTrailing());
  }

  private String askedAgainInLines(List<List<Attempt>> askers) {
    StringBuilder lines = new StringBuilder();
    askers.stream().limit(MOST_SHOWN).forEach(each -> lines.append(askedAgain(each)));
    if (askers.size() > MOST_SHOWN) {
      lines.append(String.format("and so are %d more items%n", askers.size() - MOST_SHOWN));
    }
    return lines.toString();
  }

  /** The attempts of each item that has not ended. */
  private Stream<List<Attempt>> open() {
    Map<Integer, List<Attempt>> items = new LinkedHashMap<>();
    attempts
        .all()
        .forEach(each -> items.computeIfAbsent(each.execution, i -> new ArrayList<>()).add(each));
    return items.values().stream().filter(all -> all.stream().noneMatch(Attempt::stands));
  }

  /** The last of an item's attempts that have ended, as far back as each asked for another. */
  private static List<Attempt> lastAskedAgain(List<Attempt> all) {
    int end = all.size();
    while (end > 0 && all.get(end - 1).outcome < 0) {
      end--;
    }
    int begin = end;
    while (begin > 0 && all.get(begin - 1).outcome == Attempt.ASKED_AGAIN) {
      begin--;
    }
    return all.subList(begin, end);
  }

  /** An item's attempts that asked for another one each, in lines. */
  private String askedAgain(List<Attempt> all) {
    List<Access> last = readsOf(all.get(all.size() - 1));
    List<Attempt> recent = all.subList(Math.max(0, all.size() - READS_OF_A_WAIT), all.size());
    boolean same = recent.stream().allMatch(each -> readTheSame(readsOf(each), last));
    String reads = "";
    if (last.isEmpty()) {
      reads = "; it reads nothing that another item could change";
    } else if (last.stream().allMatch(each -> isOf(each, of -> !written.contains(of.name())))) {
      reads = "; it reads only what nobody wrote in this run";
    }
    StringBuilder lines =
        new StringBuilder(
            String.format(
                "item %d is tried again and again: its region returns outcome::retry although nothing"
                    + " has failed%s%n",
                all.get(0).item, reads));
    last.stream()
        .skip(Math.max(0, last.size() - MOST_SHOWN))
        .forEach(
            each ->
                lines.append(
                    String.format(
                        "  %s it %s%n", same ? "each time" : "at last", text.what(each))));
    return lines.toString();
  }

  /** What an attempt read, but not in hooks: each datum once, where it was last read. */
  private static List<Access> readsOf(Attempt attempt) {
    Map<Long, Access> reads = new LinkedHashMap<>();
    for (Access each : attempt.accesses) {
      if (!each.writes() && !each.inHook()) {
        reads.remove(each.address());
        reads.put(each.address(), each);
      }
    }
    return List.copyOf(reads.values());
  }

  private static boolean readTheSame(List<Access> some, List<Access> others) {
    return some.size() == others.size()
        && IntStream.range(0, some.size())
            .allMatch(
                i ->
                    some.get(i).address() == others.get(i).address()
                        && some.get(i).value() == others.get(i).value());
  }

  /**
   * A launch that was left in code of a region's own that makes no access, after time was up: which
   * item, where, and what it accessed last.
   *
   * @param launches as for {@link #explainEndless}; none if they were not traced
   * @param before as for {@link #check}
   * @param region its name
   * @param message what the launch says of its end
   */
  public static Violation explainStuck(
      List<AccessTrace> launches,
      Map<String, Object> before,
      String region,
      String message,
      LongFunction<Optional<String>> lines) {
    Optional<Violation> found = Optional.empty();
    if (!launches.isEmpty()) {
      AccessTrace last = launches.get(launches.size() - 1);
      EventText text = new EventText(last, lines);
      DataChecker checker = new DataChecker(last, new Attempts(last), text, writtenIn(launches));
      Map<String, Object> first = launches.size() == 1 ? before : Map.of();
      Violation ended = new Violation(Kind.NO_END, String.format("region %s: %s", region, message));
      found =
          checker
              .inVain(ended)
              .or(() -> checker.stuck(region))
              .map(each -> checker.withMixedStates(each, first));
    }
    return found.orElseGet(
        () ->
            new Violation(
                Kind.NO_END,
                String.format("region %s: %s%nremedy: %s", region, message, BOUND_LOOPS)));
  }

  /** The same of this trace; empty if it does not have its end. */
  private Optional<Violation> stuck(String region) {
    return attempts
        .faulted()
        .filter(each -> trace.kind(each.fault) == AccessTrace.Kind.FAULTED)
        .map(
            each ->
                new Violation(
                    Kind.NO_END,
                    String.format(
                        "item %d of region %s is in an endless loop of its own: it accesses no shared"
                            + " data there%s%n%sremedy: %s",
                        each.item,
                        region,
                        text.at(trace.place(each.fault)),
                        each.accesses.isEmpty()
                            ? ""
                            : String.format("  last access: %s%n", text.line(latest(each))),
                        BOUND_LOOPS)));
  }

  /** What an attempt does that has failed and goes on, without an access that could end that. */
  private Optional<Violation> inVain(Violation endless) {
    return attempts.all().stream()
        .filter(each -> each.outcome < 0 && each.inVain != Attempt.NEVER)
        .filter(each -> each.accesses.isEmpty() || latest(each).event() < each.inVain)
        .findFirst()
        .map(
            each ->
                new Violation(
                    endless.kind(),
                    String.format(
                        "item %d goes on with an attempt that has failed: each operation of tx fails"
                            + " from then on%n  after %,d operations it is still there%s%n%s%nremedy:"
                            + " return outcome::retry as soon as an operation of tx fails, also in"
                            + " loops; the item is then tried again",
                        each.item,
                        trace.value(each.inVain),
                        text.at(trace.place(each.inVain)),
                        endless.text())));
  }

  private Violation withLastAccess(Violation endless) {
    List<Access> accesses = attempts.accesses();
    return accesses.isEmpty() || trace.complete()
        ? endless
        : new Violation(
            endless.kind(),
            String.format(
                "%s%nafter %,d events: %s%nremedy: %s",
                endless.text(),
                trace.size(),
                text.line(accesses.get(accesses.size() - 1)),
                BOUND_LOOPS));
  }

  /**
   * The same of a run that time ended, which may have had an end: that an item waited, the loop in
   * which it had been for long when its attempt was stopped, or that all items that were left asked
   * for one attempt after another; empty if the trace shows none of these.
   *
   * @param launches as for {@link #explainEndless}
   * @param before as for {@link #check}
   * @param endless what to say of a loop
   */
  public static Optional<Violation> endedByTime(
      List<AccessTrace> launches,
      Map<String, Object> before,
      Violation endless,
      LongFunction<Optional<String>> lines) {
    AccessTrace last = launches.get(launches.size() - 1);
    EventText text = new EventText(last, lines);
    DataChecker checker = new DataChecker(last, new Attempts(last), text, writtenIn(launches));
    List<Loop> loops =
        checker.loops(each -> !each.stands()).stream()
            .filter(each -> each.turns >= TURNS_WITHOUT_END)
            .toList();
    // Of a trace that is cut off nobody knows whether an attempt that failed went on.
    return Optional.of(checker)
        .filter(each -> last.complete())
        .flatMap(each -> each.inVain(endless))
        .or(() -> checker.loopOrWait(loops, endless))
        .or(() -> checker.allAskedAgain(endless, checker.askers(TURNS_WITHOUT_END)))
        .map(each -> checker.withMixedStates(each, launches.size() == 1 ? before : Map.of()));
  }

  private Optional<Violation> loopOrWait(List<Loop> loops, Violation endless) {
    Optional<Violation> wait = loops.stream().flatMap(loop -> waitIn(loop).stream()).findFirst();
    if (wait.isPresent()) {
      return wait;
    }
    waits(Units.group(attempts.accesses()));
    return found.isEmpty()
        ? loops.stream().findFirst().map(loop -> roundAndRound(loop, endless))
        : Optional.of(found.get(0));
  }

  /**
   * Accesses that an attempt goes on repeating.
   *
   * @param period those of one turn
   * @param turns how many there were
   */
  private record Loop(List<Access> period, int turns) {
    long item() {
      return period.get(0).attempt().item;
    }
  }

  /** The loops in which attempts are that have not ended, the one that went on last first. */
  private List<Loop> loops() {
    return loops(each -> each.outcome < 0);
  }

  private List<Loop> loops(Predicate<Attempt> of) {
    return attempts.all().stream()
        .filter(each -> of.test(each) && !each.accesses.isEmpty())
        .sorted(Comparator.comparingInt(each -> -latest(each).event()))
        .flatMap(each -> loop(each.accesses).stream())
        .toList();
  }

  private static Access latest(Attempt attempt) {
    return attempt.accesses.get(attempt.accesses.size() - 1);
  }

  private static Optional<Loop> loop(List<Access> all) {
    int most = Math.min(MOST_IN_A_TURN, all.size() / READS_OF_A_WAIT);
    for (int length = 1; length <= most; length++) {
      int at = all.size() - 1;
      while (at >= length && isSame(all.get(at), all.get(at - length))) {
        at--;
      }
      int turns = (all.size() - at - 1) / length + 1;
      if (turns >= READS_OF_A_WAIT) {
        return Optional.of(new Loop(all.subList(all.size() - length, all.size()), turns));
      }
    }
    return Optional.empty();
  }

  private static boolean isSame(Access a, Access b) {
    return a.address() == b.address() && a.place() == b.place() && a.kind() == b.kind();
  }

  /** A loop that only looks past the transaction, also at what another item may change. */
  private Optional<Violation> waitIn(Loop loop) {
    boolean looks =
        loop.period.stream()
            .allMatch(each -> !each.writes() && (each.pastTransaction() || each.isHint()));
    if (!looks) {
      return Optional.empty();
    }
    List<Access> steps = stepsOfCycles(loop.period);
    return loop.period.stream()
        .filter(each -> mayChange(each) && !isOnCycle(each, steps))
        .findFirst()
        .map(each -> wait(each, loop.turns, ""));
  }

  /** Whether a read of a loop is a step of a walk in a cycle, or reads along it. */
  private boolean isOnCycle(Access read, List<Access> steps) {
    return steps.stream().anyMatch(from -> leadsTo(from, read));
  }

  /**
   * The reads of a loop by which a walk goes on in a cycle: they give the index of another element
   * of the same array, or lead back to themselves by way of other arrays.
   */
  private List<Access> stepsOfCycles(List<Access> period) {
    Map<Access, List<Access>> next = new HashMap<>();
    for (Access from : period) {
      next.put(from, period.stream().filter(to -> leadsTo(from, to)).toList());
    }
    Map<Access, Set<Access>> reached = new HashMap<>();
    next.keySet().forEach(from -> reached.put(from, reached(from, next)));
    return period.stream()
        .filter(
            from ->
                next.get(from).stream().anyMatch(to -> isInOneArray(from, to))
                    || isWalk(
                        reached.get(from).stream()
                            .filter(to -> reached.get(to).contains(from))
                            .toList()))
        .toList();
  }

  private static Set<Access> reached(Access from, Map<Access, List<Access>> next) {
    Set<Access> reached = new HashSet<>();
    List<Access> open = new ArrayList<>(next.get(from));
    while (!open.isEmpty()) {
      Access to = open.remove(open.size() - 1);
      if (reached.add(to)) {
        open.addAll(next.get(to));
      }
    }
    return reached;
  }

  /**
   * Whether reads that lead to each other are a walk, and not a wait whose number is an index by
   * chance: it comes to several elements of an array; or, if to one of each, nobody wrote them, and
   * none of them is 0, as what is waited for often is.
   *
   * @param cycle none where there is no way back
   */
  private boolean isWalk(List<Access> cycle) {
    return cycle.stream()
            .anyMatch(
                a -> cycle.stream().anyMatch(b -> a.address() != b.address() && isInOneArray(a, b)))
        || !cycle.isEmpty()
            && cycle.stream()
                .allMatch(
                    each ->
                        each.value() != 0 && isOf(each, array -> !written.contains(array.name())));
  }

  /** Whether one read gave the index at which another one reads. */
  private boolean leadsTo(Access from, Access to) {
    return !from.writes()
        && mayChange(from)
        && from.address() != to.address()
        && trace
            .memory(to.address())
            .filter(array -> array.index(to.address()) == from.value())
            .isPresent();
  }

  private boolean isInOneArray(Access a, Access b) {
    return trace.memory(a.address()).equals(trace.memory(b.address()));
  }

  private Violation roundAndRound(Loop loop, Violation endless) {
    boolean onlyConst = loop.period.stream().allMatch(each -> isOf(each, Memory::isConst));
    boolean onlyUnwritten =
        loop.period.stream()
            .allMatch(
                each -> !each.writes() && isOf(each, array -> !written.contains(array.name())));
    String reads = "";
    String remedy = BOUND_LOOPS;
    if (onlyConst) {
      reads = ", in which it reads only what nobody may write";
    } else if (onlyUnwritten) {
      reads = ", in which it reads only what nobody wrote in this run";
      remedy +=
          "; or, if another item is to change what it reads, read that through tx and return"
              + " outcome::retry";
    }
    StringBuilder lines = new StringBuilder();
    loop.period.stream()
        .limit(MOST_SHOWN)
        .forEach(each -> lines.append(String.format("  each time it %s%n", text.what(each))));
    if (loop.period.size() > MOST_SHOWN) {
      lines.append(String.format("  and %d more%n", loop.period.size() - MOST_SHOWN));
    }
    return new Violation(
        endless.kind(),
        String.format(
            "item %d is in an endless loop%s%n%s%s%nremedy: %s",
            loop.item(), reads, lines, endless.text(), remedy));
  }

  private boolean isOf(Access access, Predicate<Memory> which) {
    return trace.memory(access.address()).filter(which).isPresent();
  }

  /**
   * Whether two items met in a launch: one used an object, or memory that somebody wrote, that
   * another used as well.
   */
  public static boolean meet(AccessTrace launch) {
    Attempts attempts = new Attempts(launch);
    Map<Long, Attempt> owners = new HashMap<>();
    for (Attempt each : attempts.all()) {
      for (long object : each.opened.keySet()) {
        Attempt before = owners.putIfAbsent(object, each);
        boolean shared = before != null && !before.isOfItem(each);
        if (shared && object != Attempt.IRREVOCABLE) {
          return true;
        }
      }
    }
    return Units.group(attempts.accesses()).values().stream()
        .anyMatch(
            all ->
                all.stream().anyMatch(Access::writes)
                    && all.stream().anyMatch(each -> !isOfOneItem(each, all.get(0))));
  }

  /** The attempts that had not ended when a launch did, in the order of their beginnings. */
  public static List<AttemptId> unended(AccessTrace launch) {
    return new Attempts(launch)
        .all().stream().filter(each -> each.outcome < 0).map(Attempt::id).toList();
  }

  /** What attempts that committed left: writes, items pushed, slots taken and freed. */
  public static long changes(AccessTrace launch) {
    return new Attempts(launch)
        .all().stream()
            .filter(each -> each.outcome == Attempt.COMMIT)
            .mapToLong(
                each ->
                    each.pushes.size()
                        + each.slotUses.size()
                        + each.accesses.stream().filter(Access::writes).count())
            .sum();
  }

  /** Items that canceled although they were to commit, since inner transactions of theirs had. */
  public static long givenUp(AccessTrace launch) {
    return new Attempts(launch)
        .standing().stream().filter(each -> each.outcome == Attempt.CANCEL && each.gaveUp).count();
  }

  private void run(MemoryBefore before, Map<String, DeclaredSlots> declared) {
    Map<Long, List<Access>> units = Units.group(attempts.accesses());
    Order order = new Order(attempts.standing());
    effects(units, order, declared);
    unordered(Units.group(attempts.keptAccesses()), order);
    guards();
    mixedStates(units, before);
    KeptResults kept = new KeptResults(attempts);
    boolean compared = SerialReplay.lacks(attempts).isEmpty(); // which shows whether it decides
    repetitions(attempt -> true, left -> compared && kept.isOne(left));
    hooks(units);
    staleLoads(units);
    waits(units);
  }

  /** Writes past the transaction while it can still be undone, to what other items use. */
  private void effects(
      Map<Long, List<Access>> units, Order order, Map<String, DeclaredSlots> declared) {
    for (Access write : attempts.accesses()) {
      if (!write.writes() || !write.pastTransaction() || !write.canFail()) {
        continue;
      }
      Optional<Access> other =
          Units.of(units, write)
              .filter(each -> !isOfOneItem(each, write))
              .filter(each -> !isPrivate(write, each, units, order, declared))
              .findFirst();
      if (other.isPresent()) {
        effect = write;
        add(
            Kind.EFFECT_NOT_UNDONE,
            write,
            other.get(),
            "it is in memory at once, and stays there if the attempt is rolled back or cancels",
            (write.kind() == AccessTrace.Kind.ATOMIC
                    ? "do an atomic operation that decides nothing in apply or committed; else "
                    : "")
                + "write it by tx.write, or by tx.store in apply; a counter that is no part of the data"
                + " by tx.tally; a value that says the same as the one it replaces, and only sooner,"
                + " as when a path to a root is shortened, by tx.leave_hint"
                + (write.phase() == AccessTrace.PHASE_SEEK ? " in plan: seek has no tx" : ""));
        return;
      }
    }
  }

  /** Attempts that do not stand, and read data of two states. */
  private void mixedStates(Map<Long, List<Access>> units, MemoryBefore before) {
    MixedStates states = new MixedStates(trace, attempts, units, before);
    for (Attempt attempt : attempts.all()) {
      Optional<MixedStates.Found> mixed = states.in(attempt);
      if (mixed.isPresent()) {
        add(
            Kind.UNGUARDED_ACCESS,
            mixed.get().read(),
            mixed.get().other(),
            "the two are of different states, as a commit came in between: this attempt fails, but"
                + " only at its next operation of tx",
            howToGuard(mixed.get().read()));
        return;
      }
    }
  }

  /**
   * A fault, or a loop, with what an attempt had read before that no one state has, if there is
   * such an attempt: that may have led to it.
   */
  private Violation withMixedStates(Violation found, Map<String, Object> before) {
    int known = this.found.size();
    mixedStates(Units.group(attempts.accesses()), new MemoryBefore(before));
    return this.found.size() == known
        ? found
        : new Violation(
            found.kind(),
            String.format("%s%nbefore that, %s", found.text(), this.found.get(known).text()));
  }

  /**
   * Reads, by some attempts, of what an attempt of the same item left that was undone.
   *
   * @param except the writes that may be read
   */
  private void repetitions(Predicate<Attempt> by, Predicate<Access> except) {
    Map<Long, Access> lastWrite = new HashMap<>();
    Units units = new Units(attempts.accesses());
    for (Access each : attempts.accesses()) {
      Optional<Access> kept =
          each.writes() || !each.beforeCommit() || !by.test(each.attempt())
              ? Optional.empty()
              : units
                  .of(each)
                  .mapToObj(lastWrite::get)
                  .filter(left -> isKept(left, each) && !except.test(left))
                  .findFirst();
      if (kept.isPresent()) {
        add(
            Kind.NOT_REPEATABLE,
            each,
            kept.get(),
            "it reads what attempt " + kept.get().attempt().number + " of the same item left",
            "begin every attempt by setting what it uses, so that it can be run again; marks of an"
                + " attempt that decide nothing in others are left by tx.leave_hint");
        return;
      }
      if (each.writes()) {
        units.of(each).forEach(unit -> lastWrite.put(unit, each));
      }
    }
  }

  private static boolean isKept(Access left, Access read) {
    return left != null
        && left.beforeCommit()
        && !left.isHint()
        && isOfOneItem(left, read)
        && left.attempt() != read.attempt()
        && !left.attempt().stands();
  }

  /**
   * Whether a write before the commit is to data of a slot that the attempt took and that nobody
   * else can know of yet: the other takes the slot too, after it was given back, or learns of it by
   * the commit. If the array surely is one of slots' data, it may also learn of it by the commit of
   * an attempt that took it again and wrote the same datum, or come before the slot was taken, when
   * that was another one's or free.
   */
  private boolean isPrivate(
      Access write,
      Access other,
      Map<Long, List<Access>> units,
      Order order,
      Map<String, DeclaredSlots> declared) {
    return write.attempt().slotUses.stream()
        .filter(taken -> !taken.frees() && taken.event() < write.event())
        .filter(taken -> Slots.isData(trace, taken, write.address()))
        .anyMatch(
            taken ->
                takes(other.attempt(), taken)
                    || (other.event() < taken.event() || isOverwritten(write, taken, other, units))
                        && isOfSlots(write, taken, declared)
                    || write.attempt().outcome == Attempt.COMMIT
                        && other.event() > write.attempt().serial
                        && (!other.attempt().stands()
                            || other.isHint()
                            || order.orders(write, other)));
  }

  /** Whether the array of a write is indexed by the slots of the pool that one was taken of. */
  private boolean isOfSlots(Access write, SlotUse taken, Map<String, DeclaredSlots> declared) {
    SlotNumbers of =
        numbers.computeIfAbsent(
            taken.pool(),
            address -> {
              Launch launch = new Launch(0, trace, attempts);
              Memory pool = launch.pool(taken);
              return new SlotNumbers(pool, List.of(launch), launch.uses(pool.name()), declared);
            });
    return trace.memory(write.address()).filter(of::isOfSlots).isPresent();
  }

  private static boolean takes(Attempt attempt, SlotUse taken) {
    return attempt.slotUses.stream()
        .anyMatch(
            each -> !each.frees() && each.pool() == taken.pool() && each.slot() == taken.slot());
  }

  /**
   * Whether an attempt that took a slot again, after the one that wrote had given it back, wrote
   * the whole datum before another one's access.
   */
  private static boolean isOverwritten(
      Access write, SlotUse taken, Access other, Map<Long, List<Access>> units) {
    return Units.of(units, write)
        .anyMatch(
            each ->
                each.writes()
                    && each.attempt() != write.attempt()
                    && each.event() > write.event()
                    && each.event() < other.event()
                    && each.address() <= write.address()
                    && write.address() + write.bytes() <= each.address() + each.bytes()
                    && takes(each.attempt(), taken));
  }

  /** Accesses in hooks to what other items use. */
  private void hooks(Map<Long, List<Access>> units) {
    for (Access hook : attempts.accesses()) {
      if (!hook.inHook() || isAtomicUpdate(hook) || hook.isHint()) {
        continue;
      }
      Optional<Access> other =
          Units.of(units, hook)
              .filter(each -> !leaveTheSame(hook, each, units))
              .filter(each -> !isOfOneItem(each, hook))
              .filter(each -> !each.isHint() && (each.writes() || hook.writes()))
              .findFirst();
      if (other.isPresent()) {
        add(
            Kind.SHARED_HOOK,
            hook,
            other.get(),
            "a hook runs when its transaction holds nothing, so nothing orders the two",
            ((hook.phase() & AccessTrace.PHASE_ROLLED_BACK) != 0
                    ? "leave it to the next attempt, which has tx.read and tx.write"
                    : "do it in apply, under the locks")
                + "; or do it by an atomic operation, such as magpie::red_add_rlx_dev, if all do");
        return;
      }
    }
  }

  /** Loads by {@code ld_plain} of what is written in the same launch, by whomever. */
  private void staleLoads(Map<Long, List<Access>> units) {
    for (Access load : attempts.accesses()) {
      if (load.kind() != AccessTrace.Kind.FIXED_READ) {
        continue;
      }
      List<Access> writes = Units.of(units, load).filter(Access::writes).toList();
      if (writes.isEmpty()) {
        continue;
      }
      // Only what the item alone writes, and not at its commit, may it read past its transaction.
      Optional<Access> guarded =
          writes.stream()
              .filter(each -> !isOfOneItem(each, load))
              .findFirst()
              .or(() -> writes.stream().filter(each -> !each.pastTransaction()).findFirst());
      add(
          Kind.STALE_LOAD,
          load,
          guarded.orElse(writes.get(0)),
          "ld_plain is for what nobody writes while the kernel runs: on a GPU it may come from a"
              + " cache that stores do not reach",
          guarded.isPresent()
              ? howToGuard(load)
              : "read what the item itself writes past its transaction by values[i], *p or ld_own");
      return;
    }
  }

  /**
   * Whether two atomic stores of one value, such as of a mark, whose order nobody can see: all that
   * items do to the datum in the launch is to store this value, or to read it for a hint.
   */
  private static boolean leaveTheSame(Access a, Access b, Map<Long, List<Access>> units) {
    return a.kind() == AccessTrace.Kind.SHARED_WRITE
        && b.kind() == AccessTrace.Kind.SHARED_WRITE
        && Units.of(units, a)
            .allMatch(
                each ->
                    each.isHint() && !each.writes()
                        || each.kind() == AccessTrace.Kind.SHARED_WRITE
                            && each.address() == a.address()
                            && each.bytes() == a.bytes()
                            && each.value() == a.value());
  }

  private static boolean isAtomicUpdate(Access access) {
    return access.kind() == AccessTrace.Kind.ATOMIC || access.kind() == AccessTrace.Kind.TALLY;
  }

  /** Conflicting accesses of different items that no chain of claims orders. */
  private void unordered(Map<Long, List<Access>> units, Order order) {
    Access[] past = null;
    Access[] guarded = null;
    for (List<Access> all : units.values()) {
      List<Access> some = representatives(all);
      for (int j = 1; j < some.size() && (past == null || guarded == null); j++) {
        for (int i = 0; i < j; i++) {
          Access first = some.get(i);
          Access second = some.get(j);
          if (!conflict(first, second) || order.orders(first, second)) {
            continue;
          }
          Access[] pair = {first, second};
          if (isOfEffect(first) || isOfEffect(second)) {
            continue; // which says more of the same store
          }
          if (first.pastTransaction() || second.pastTransaction()) {
            past = past == null ? pair : past;
          } else {
            guarded = guarded == null ? pair : guarded;
          }
        }
      }
    }
    if (past != null) {
      Access of = past[1].pastTransaction() ? past[1] : past[0];
      add(
          Kind.UNGUARDED_ACCESS,
          of,
          of == past[1] ? past[0] : past[1],
          "no object that both have claimed orders the two",
          howToGuard(of));
    }
    if (guarded != null) {
      add(
          Kind.GUARD_MISMATCH,
          guarded[1],
          guarded[0],
          "the two are made under different objects"
              + under(guarded[1], guarded[0])
              + ", so nothing orders them",
          "let one object guard each datum, and open it wherever the datum is used");
    }
  }

  /** Whether an access is made by the store of which is known that it stays. */
  private boolean isOfEffect(Access access) {
    return effect != null
        && access.writes()
        && access.pastTransaction()
        && access.place() == effect.place()
        && isInOneArray(access, effect);
  }

  /** The guarded array whose data an access is to; empty if it is to others. */
  static Optional<String> guardedField(AccessTrace trace, Access access) {
    return trace
        .memory(access.address())
        .map(Memory::name)
        .filter(name -> name.endsWith(DATA))
        .map(name -> name.substring(0, name.length() - DATA.length()))
        .filter(
            field ->
                trace.scope().memory().stream()
                    .anyMatch(each -> each.name().equals(field + GUARDS)));
  }

  /** What to do about an access past the transaction, by what guards the array. */
  private String howToGuard(Access access) {
    Optional<String> field = guardedField(trace, access);
    if (field.isPresent()) {
      return String.format(
          "use tx.get(%1$s, i) and tx.set(%1$s, i, value); for a hint that is looked at again under"
              + " claims, tx.glance(%1$s, i)",
          field.get());
    }
    String array = trace.memory(access.address()).map(Memory::name).orElse("");
    boolean byTransaction =
        attempts.accesses().stream()
            .filter(each -> !each.pastTransaction() && !each.isHint())
            .anyMatch(
                each ->
                    trace.memory(each.address()).filter(of -> of.name().equals(array)).isPresent());
    String count = "add to a counter that decides nothing by tx.tally; else ";
    return (byTransaction ? "" : count)
        + "open the object that guards it and use tx.read and tx.write; for a hint that is looked at"
        + " again under claims, tx.glance";
  }

  /** The objects of two accesses in words, where both are known. */
  private String under(Access first, Access second) {
    return first.object() == 0 || second.object() == 0
        ? ""
        : String.format(
            ", item %d under %s, item %d under %s",
            first.attempt().item,
            trace.inWords(first.object()),
            second.attempt().item,
            trace.inWords(second.object()));
  }

  /**
   * Accesses to one datum of a guarded field, which is written, under two objects of that field:
   * each of its data belongs to one, whichever that is. Both may be open, and then nothing is out
   * of order yet.
   */
  private void guards() {
    Map<String, Memory> guards = guardsOfFields();
    List<Access> accesses = attempts.keptAccesses();
    Set<Long> changed = new HashSet<>();
    accesses.stream().filter(Access::writes).forEach(each -> changed.add(each.address()));
    Map<Long, Access> known = new HashMap<>();
    for (Access each : accesses) {
      if (each.object() == 0
          || each.isHint()
          || !changed.contains(each.address())
          || !isUnderOwnGuards(each, guards)) {
        continue;
      }
      Access other = known.putIfAbsent(each.address(), each);
      if (other != null && other.object() != each.object()) {
        add(
            Kind.GUARD_MISMATCH,
            each,
            other,
            "each datum of a guarded field belongs to one object, but this one is used under "
                + trace.inWords(each.object())
                + " and "
                + trace.inWords(other.object()),
            "use the handle that opening the datum itself gave");
        return;
      }
    }
  }

  /** The objects of the guarded fields, by the names of the arrays of their data. */
  private Map<String, Memory> guardsOfFields() {
    Map<String, Memory> guards = new HashMap<>();
    for (Memory each : trace.scope().memory()) {
      String name = each.name();
      if (each.contents() == Memory.Contents.OBJECTS && name.endsWith(GUARDS)) {
        guards.put(name.substring(0, name.length() - GUARDS.length()) + DATA, each);
      }
    }
    return guards;
  }

  /** Whether an access is to the data of a guarded field, under an object of the same field. */
  private boolean isUnderOwnGuards(Access access, Map<String, Memory> guards) {
    return trace
        .memory(access.address())
        .map(array -> guards.get(array.name()))
        .filter(objects -> objects.contains(access.object()))
        .isPresent();
  }

  private static boolean isOfOneItem(Access a, Access b) {
    return a.attempt().isOfItem(b.attempt());
  }

  private static boolean conflict(Access a, Access b) {
    return !isOfOneItem(a, b)
        && (a.writes() || b.writes())
        && !(isAtomicUpdate(a) && isAtomicUpdate(b));
  }

  /** Of each standing attempt's accesses to a word those that differ, but no hints and no hooks. */
  private static List<Access> representatives(List<Access> all) {
    Set<List<Object>> seen = new HashSet<>();
    List<Access> some = new ArrayList<>();
    boolean written = false;
    for (Access each : all) {
      if (each.attempt().stands()
          && (each.attempt().outcome == Attempt.COMMIT || !each.writes())
          && !each.isHint()
          && !each.inHook()
          && some.size() < MOST_COMPARED
          && seen.add(
              List.of(each.attempt(), each.writes(), each.pastTransaction(), each.object()))) {
        some.add(each);
        written |= each.writes();
      }
    }
    return written ? some : List.of();
  }

  /** Loops of the region's own that read some words again and again. */
  private void waits(Map<Long, List<Access>> units) {
    Map<Attempt, Polls> polls = new HashMap<>();
    for (Access each : attempts.accesses()) {
      Polls before = polls.computeIfAbsent(each.attempt(), attempt -> new Polls());
      Access last = before.last();
      int times = before.note(each, isPoll(each));
      boolean changed =
          times > 1
              && last.address() == each.address()
              && last.place() == each.place()
              && last.value() != each.value()
              && each.pastTransaction()
              && !each.isHint();
      boolean waits =
          times == READS_OF_A_WAIT
              && mayChange(each)
              && !isOwn(each, units)
              && !isOnCycle(each, stepsOfCycles(before.all()));
      if (changed || waits) {
        found.add(wait(each, times, changed ? ", until it has changed" : ""));
        return;
      }
    }
  }

  /**
   * Whether an attempt that has ended only read what is its item's own, such as bits of a word in
   * scratch memory: no other item wrote it in the launch, so that it was not waited for.
   */
  private static boolean isOwn(Access read, Map<Long, List<Access>> units) {
    return read.isPlainRead()
        && read.attempt().outcome >= 0
        && Units.of(units, read).noneMatch(each -> each.writes() && !isOfOneItem(each, read));
  }

  private Violation wait(Access read, int times, String until) {
    return new Violation(
        Kind.WAIT,
        String.format(
            "item %d %s %s%s %,d times in a row%s: it waits for another item, which may be waiting"
                + " for what this one has claimed%nremedy: return outcome::retry, or cancel, and let"
                + " the item be tried again",
            read.attempt().item,
            read.inWords(),
            trace.inWords(read.address()),
            text.at(read.place()),
            times,
            until));
  }

  /**
   * Whether what is read may be another one's doing: somebody writes the array, or the read itself
   * says that somebody may.
   */
  private boolean mayChange(Access read) {
    Optional<AccessTrace.Memory> array = trace.memory(read.address());
    return array.filter(AccessTrace.Memory::isConst).isEmpty()
        && (!read.isPlainRead() || array.filter(each -> written.contains(each.name())).isPresent());
  }

  /** The last accesses of an attempt, and how often those have been the same. */
  private static final class Polls {
    private static final int MOST_WORDS = 4;

    private final Access[] latest = new Access[MOST_WORDS]; // the last one first
    private final int[] same = new int[MOST_WORDS + 1];

    Access last() {
      return latest[0];
    }

    List<Access> all() {
      return Arrays.stream(latest).filter(Objects::nonNull).toList();
    }

    /**
     * Notes an access.
     *
     * @return how many times in a row it has been made, with up to three others in between
     */
    int note(Access access, boolean polls) {
      int times = 1;
      for (int period = 1; period <= MOST_WORDS; period++) {
        Access before = latest[period - 1];
        boolean again =
            polls
                && before != null
                && !before.writes()
                && before.address() == access.address()
                && before.place() == access.place();
        same[period] = again ? same[period] + 1 : 0;
        times = Math.max(times, same[period] / period + 1);
      }
      System.arraycopy(latest, 0, latest, 1, MOST_WORDS - 1);
      latest[0] = access;
      return times;
    }
  }

  /** Whether a loop that reads this may be waiting. */
  private boolean isPoll(Access read) {
    return !read.writes()
        && (read.pastTransaction() || read.isHint())
        && !(mayChange(read) && isEndOfWalk(read));
  }

  /** Whether an element refers to itself: a walk with a fixed number of steps may stay there. */
  private boolean isEndOfWalk(Access read) {
    return read.value() != 0
        && trace
            .memory(read.address())
            .filter(array -> array.index(read.address()) == read.value())
            .isPresent();
  }

  private void add(Kind kind, Access access, Access other, String why, String remedy) {
    found.add(text.finding(kind, trace.inWords(access.address()), why, access, other, remedy));
  }

  /** Which standing attempts come before which, by the objects they claimed and slots they took. */
  private static final class Order {
    private final Map<Attempt, Integer> numbers = new HashMap<>();
    private final List<BitSet> before = new ArrayList<>();
    private final List<Map<Integer, Integer>> direct = new ArrayList<>();

    Order(List<Attempt> standing) {
      Map<Long, Integer> holders = new HashMap<>();
      Map<List<Long>, Integer> takers = new HashMap<>();
      for (Attempt attempt : standing) {
        int number = before.size();
        BitSet all = new BitSet();
        Map<Integer, Integer> since = new HashMap<>();
        attempt.opened.forEach(
            (object, event) -> {
              Integer holder = holders.put(object, number);
              if (holder != null) {
                since.merge(holder, event, Math::min);
                all.or(before.get(holder));
                all.set(holder);
              }
            });
        for (SlotUse use : attempt.slotUses) {
          Integer holder = use.frees() ? null : takers.put(List.of(use.pool(), use.slot()), number);
          if (holder != null && holder != number) { // it was given back before
            since.merge(holder, use.event(), Math::min);
            all.or(before.get(holder));
            all.set(holder);
          }
        }
        numbers.put(attempt, number);
        before.add(all);
        direct.add(since);
      }
    }

    boolean orders(Access a, Access b) {
      return isBefore(a.attempt(), b) || isBefore(b.attempt(), a);
    }

    /** Whether an attempt was over when an object was claimed for this access's attempt. */
    private boolean isBefore(Attempt attempt, Access access) {
      int wanted = numbers.get(attempt);
      for (Map.Entry<Integer, Integer> each :
          direct.get(numbers.get(access.attempt())).entrySet()) {
        boolean inTime = each.getValue() < access.event();
        if (inTime && (each.getKey() == wanted || before.get(each.getKey()).get(wanted))) {
          return true;
        }
      }
      return false;
    }
  }
}
