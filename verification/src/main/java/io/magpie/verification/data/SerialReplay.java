package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Compares a run with the same items run one after the other, in the serial order that the run's
 * commits and cancels have: each must end alike, write, push and free the same. That is what
 * serializability promises, whatever guards the data and whether or not accesses went through the
 * transaction.
 *
 * <p>A serial run is also compared with one in {@linkplain #reordered another order} that the
 * objects leave open. There the items differ only by what they read past their claims: a hint that
 * was not looked at again decided something, even if it was right in every schedule.
 *
 * <p>The items may take other slots of pools: a slot that one takes stands for the one that it
 * takes in the other run. Where a word, or a pushed item, may be the number of such a slot, either
 * number is right.
 */
public final class SerialReplay {
  private static final String REPEATABLE =
      "let every attempt start afresh: set what it uses, members of its state and variables outside of"
          + " an inner transaction too";

  private static final String OWN_ORDER = "atomic operations have an order of their own";

  /** How the other run differs, and in which words its items are told. */
  private enum Other {
    IN_TURN("when it runs alone in its turn", "alone"),
    ONCE("when no attempt of it is rolled back first", "otherwise"),
    REORDERED("when items that share no object run in another order", "in that order");

    final String when;
    final String there;

    Other(String when, String there) {
      this.when = when;
      this.there = there;
    }
  }

  private final AccessTrace run;
  private final EventText text;
  private final Attempts attempts;
  private final EventText otherText;
  private final Attempts otherAttempts;
  private final Other other;
  private final SlotRenaming slots; // between the two
  private final KeptResults kept;
  private final KeptResults keptThere; // in the other run
  private final Map<Taken, Set<Attempt>> takers;
  private final Map<Taken, Set<Attempt>> takersThere; // in the other run

  /** Whether some writes are the same only if their elements are those of slots. */
  private boolean guessedElements;

  private SerialReplay(
      AccessTrace run,
      AccessTrace otherRun,
      Other other,
      Map<String, DeclaredSlots> declared,
      LongFunction<Optional<String>> lines) {
    this.run = run;
    this.text = new EventText(run, lines);
    this.attempts = new Attempts(run);
    this.otherText = new EventText(otherRun, lines);
    this.otherAttempts = new Attempts(otherRun);
    this.other = other;
    this.slots = new SlotRenaming(run, attempts, otherRun, otherAttempts, declared);
    this.kept = new KeptResults(attempts);
    this.keptThere = new KeptResults(otherAttempts);
    this.takers = takers(attempts);
    this.takersThere = takers(otherAttempts);
  }

  /** A slot that some commit took. */
  private record Taken(long pool, long slot) {}

  /**
   * How a run's items are run one after the other.
   *
   * @param threads of the run in the order of their items' places in the serial order
   * @param items theirs
   * @param lacks why there is no such order; empty if there is
   */
  public record Plan(List<Integer> threads, List<Long> items, String lacks) {
    public Plan {
      threads = List.copyOf(threads);
      items = List.copyOf(items);
    }

    private static Plan of(List<Attempt> attempts) {
      return new Plan(
          attempts.stream().map(attempt -> attempt.thread).toList(), numbers(attempts), "");
    }

    private static Plan without(String lacks) {
      return new Plan(List.of(), List.of(), lacks);
    }
  }

  /**
   * What the comparison of a run gave.
   *
   * @param lacks why the runs cannot be compared; empty if they can
   * @param violation what differs first, if anything does
   */
  public record Comparison(String lacks, Optional<Violation> violation) {}

  /** The order of a run's threads, or why results may rightly differ from those in any order. */
  public static Plan plan(AccessTrace run) {
    Attempts attempts = new Attempts(run);
    List<Attempt> standing = attempts.standing();
    if (standing.stream().map(attempt -> attempt.thread).distinct().count() < standing.size()) {
      return Plan.without("a thread had several items");
    }
    if (takeSlotsUnderOneNumber(standing)) {
      return Plan.without("several items of one number take slots");
    }
    String lacks = undoneLacks(standing);
    if (!lacks.isEmpty()) {
      return Plan.without(lacks);
    }
    if (!updatesAreInTurn(attempts)) {
      return Plan.without(OWN_ORDER);
    }
    Set<Integer> items = new HashSet<>();
    standing.forEach(attempt -> items.add(attempt.execution));
    boolean ended = attempts.all().stream().allMatch(each -> items.contains(each.execution));
    return !ended || !run.complete() || standing.isEmpty()
        ? Plan.without("not all items ended")
        : Plan.of(standing);
  }

  /**
   * Why results of a run may rightly differ from those of its items one after the other, in
   * whatever order; empty if there is no reason. Threads may have had several items, and items that
   * did not end are left out.
   */
  public static String lacks(AccessTrace run) {
    return lacks(new Attempts(run));
  }

  static String lacks(Attempts run) {
    List<Attempt> standing = run.standing();
    String lacks = lacks(standing);
    return lacks.isEmpty() && haveUpdates(standing) ? OWN_ORDER : lacks;
  }

  /**
   * The items of a run that nothing {@link #lacks lacks}, in the order of their commits and
   * cancels.
   */
  public static List<Long> order(AccessTrace run) {
    return numbers(new Attempts(run).standing());
  }

  /**
   * The items of a run that push slots which they gave back when inner transactions were undone:
   * which slots these are depends on what others take.
   */
  public static Set<Long> pushingGivenBack(AccessTrace run) {
    Set<Long> items = new HashSet<>();
    for (Attempt attempt : new Attempts(run).standing()) {
      if (attempt.pushes.stream().anyMatch(attempt::givesBack)) {
        items.add(attempt.item);
      }
    }
    return items;
  }

  /** Without threads that tell them apart, items of one number cannot be found in another run. */
  private static String lacks(List<Attempt> standing) {
    return numbers(standing).stream().distinct().count() < standing.size()
        ? "several items have one number"
        : undoneLacks(standing);
  }

  private static String undoneLacks(List<Attempt> standing) {
    return standing.stream().anyMatch(each -> each.undidInner && each.outcome == Attempt.CANCEL)
        ? "an item canceled after an inner transaction was undone"
        : "";
  }

  /**
   * Whether one of several items of one number takes slots: which stands for which is not known.
   */
  private static boolean takeSlotsUnderOneNumber(List<Attempt> standing) {
    Map<Long, Integer> times = new HashMap<>();
    standing.forEach(each -> times.merge(each.item, 1, Integer::sum));
    return standing.stream()
        .filter(each -> times.get(each.item) > 1)
        .flatMap(each -> each.slotUses.stream())
        .anyMatch(use -> !use.frees());
  }

  private static boolean isUpdate(Access access) {
    return access.kind() == AccessTrace.Kind.ATOMIC && !access.inHook();
  }

  private static boolean haveUpdates(List<Attempt> standing) {
    return standing.stream()
        .flatMap(each -> each.accesses.stream())
        .anyMatch(SerialReplay::isUpdate);
  }

  /**
   * Whether all that was done to data with atomic operations came in the serial order, so that
   * these gave the same as in a run of the items one after the other.
   */
  private static boolean updatesAreInTurn(Attempts attempts) {
    List<Attempt> standing = attempts.standing();
    if (!haveUpdates(standing)) {
      return true; // soon seen
    }
    Map<Attempt, Integer> places = new HashMap<>();
    standing.forEach(each -> places.put(each, places.size()));
    return Units.group(attempts.accesses()).values().stream()
        .filter(all -> all.stream().anyMatch(SerialReplay::isUpdate))
        .allMatch(all -> areInTurn(all, places));
  }

  /** The same of one datum. What an undone attempt has read of it makes no difference. */
  private static boolean areInTurn(List<Access> all, Map<Attempt, Integer> places) {
    int latest = 0;
    for (Access each : all) {
      Integer place = places.get(each.attempt());
      if (place == null ? each.writes() : place < latest) {
        return false;
      }
      latest = place == null ? latest : place;
    }
    return true;
  }

  /**
   * Another order of the items of a serial run, as good as its own as far as the objects go:
   * whatever had the same object open keeps its order, and so does what peeked at a datum of it
   * behind those that had it open before; of others the later come first. There is none where
   * atomic operations have an order of their own.
   *
   * @param serial a run of items one after the other, of which the {@link #plan} lacks nothing
   * @return empty if that makes no difference: nobody reads past its claims what one of these
   *     writes. There is no such order if one undid an inner transaction, whose claims are not
   *     known any more
   */
  public static Optional<Plan> reordered(AccessTrace serial) {
    Attempts attempts = new Attempts(serial);
    List<Attempt> standing = attempts.standing();
    if (attempts.accesses().stream().noneMatch(SerialReplay::isUnclaimedRead)) {
      return Optional.empty(); // soon seen
    }
    Precedence precedence = new Precedence(standing.size());
    Map<Long, Integer> latest = new HashMap<>(); // by object
    for (int i = 0; i < standing.size(); i++) {
      Set<Long> opened = standing.get(i).opened.keySet();
      Set<Long> objects = new HashSet<>(opened);
      standing.get(i).accesses.stream()
          .filter(each -> each.kind() == AccessTrace.Kind.PEEK)
          .forEach(each -> objects.add(each.object()));
      for (long object : objects) {
        Integer before = opened.contains(object) ? latest.put(object, i) : latest.get(object);
        if (before != null) {
          precedence.add(before, i);
        }
      }
    }
    boolean undone = standing.stream().anyMatch(attempt -> attempt.undidInner);
    int[] order =
        undone
            ? IntStream.range(0, standing.size()).map(i -> standing.size() - 1 - i).toArray()
            : precedence.sorted(true).orElseThrow();
    if (!differs(attempts, order)) {
      return Optional.empty();
    }
    if (haveUpdates(standing)) {
      return Optional.of(Plan.without(OWN_ORDER));
    }
    return Optional.of(
        undone
            ? Plan.without("an inner transaction was undone")
            : Plan.of(Arrays.stream(order).mapToObj(standing::get).toList()));
  }

  /** Whether items in an order, by their places in their own, may read something else. */
  private static boolean differs(Attempts attempts, int[] order) {
    Map<Attempt, Integer> places = new HashMap<>();
    int[] placesThere = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      places.put(attempts.standing().get(i), i);
      placesThere[order[i]] = i;
    }
    return Units.group(attempts.accesses()).values().stream()
        .anyMatch(all -> readsOtherwise(all, places, placesThere));
  }

  private static boolean isUnclaimedRead(Access access) {
    return !access.writes() && !access.isUnderClaims() && !access.inHook();
  }

  /**
   * Whether one reads a datum past its claims that another one writes before it in one order only.
   */
  private static boolean readsOtherwise(
      List<Access> all, Map<Attempt, Integer> places, int[] placesThere) {
    for (Access read : all) {
      Integer reader = isUnclaimedRead(read) ? places.get(read.attempt()) : null;
      for (Access write : reader == null ? List.<Access>of() : all) {
        Integer writer = write.writes() ? places.get(write.attempt()) : null;
        if (writer != null && writer < reader != placesThere[writer] < placesThere[reader]) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Compares.
   *
   * @param serial the run under {@code Schedule.ordered} of the {@link #plan}
   * @param declared by arrays, what they hold; of others the runs have to tell
   * @param lines tells the source's line of a place in the code
   */
  public static Comparison compare(
      AccessTrace run,
      AccessTrace serial,
      Map<String, DeclaredSlots> declared,
      LongFunction<Optional<String>> lines) {
    SerialReplay replay = new SerialReplay(run, serial, Other.IN_TURN, declared, lines);
    return replay.difference(replay.attempts.standing());
  }

  /**
   * The same of a run that nothing {@linkplain #lacks lacks}.
   *
   * @param order one of its serial orders, by the items
   * @param serial the items one after the other in that order
   */
  public static Comparison compare(
      AccessTrace run,
      List<Long> order,
      AccessTrace serial,
      Map<String, DeclaredSlots> declared,
      LongFunction<Optional<String>> lines) {
    SerialReplay replay = new SerialReplay(run, serial, Other.IN_TURN, declared, lines);
    return replay.difference(replay.standing(order));
  }

  /**
   * Compares a run of items one after the other, whose attempts were each first rolled back, with
   * the same without that.
   */
  public static Comparison compareRepeated(
      AccessTrace repeated,
      AccessTrace once,
      Map<String, DeclaredSlots> declared,
      LongFunction<Optional<String>> lines) {
    SerialReplay replay = new SerialReplay(repeated, once, Other.ONCE, declared, lines);
    return replay.difference(replay.attempts.standing());
  }

  /**
   * Compares a run of items one after the other with the same in another order.
   *
   * @param order {@link #reordered} of {@code serial}
   * @param reordered the run in that order
   */
  public static Comparison compareReordered(
      AccessTrace serial,
      Plan order,
      AccessTrace reordered,
      Map<String, DeclaredSlots> declared,
      LongFunction<Optional<String>> lines) {
    SerialReplay replay = new SerialReplay(serial, reordered, Other.REORDERED, declared, lines);
    return replay.difference(replay.standing(order));
  }

  /** The same with the items in whatever order their objects leave open. */
  public static Comparison compareReordered(
      AccessTrace serial,
      List<Long> order,
      AccessTrace reordered,
      Map<String, DeclaredSlots> declared,
      LongFunction<Optional<String>> lines) {
    SerialReplay replay = new SerialReplay(serial, reordered, Other.REORDERED, declared, lines);
    return replay.difference(replay.standing(order));
  }

  /**
   * Compares.
   *
   * @param order the order that the items of the other run should have. Of several that differ the
   *     first one in it is the cause: those before leave the same, and those behind may differ for
   *     what it left
   */
  private Comparison difference(List<Attempt> order) {
    List<Attempt> there = otherAttempts.standing();
    Map<Attempt, Attempt> here = sameItems(attempts.standing(), there);
    if (!there.stream().map(here::get).toList().equals(order)) {
      return new Comparison("items that wait for each other do not run in turn", Optional.empty());
    }
    Optional<Comparison> first = firstDifference(here, there);
    if (first.isEmpty() && slots.mustLookAgain()) {
      first = firstDifference(here, there);
    }
    return first.orElseGet(() -> new Comparison(lacksForms(), Optional.empty()));
  }

  /** The attempts of items, each of which has another number. */
  private List<Attempt> standing(List<Long> items) {
    Map<Long, Attempt> byNumbers = new HashMap<>();
    attempts.standing().forEach(each -> byNumbers.put(each.item, each));
    return items.stream().map(byNumbers::get).toList();
  }

  /** Those of a plan's items, each of which has another thread. */
  private List<Attempt> standing(Plan plan) {
    Map<Integer, Attempt> byThreads = new HashMap<>();
    attempts.standing().forEach(each -> byThreads.put(each.thread, each));
    return plan.threads().stream().map(byThreads::get).toList();
  }

  /**
   * By attempts of the other run, those of the same items in this one: of several with one number
   * those of the same threads, as either run gives each thread one of the launch's items.
   */
  private static Map<Attempt, Attempt> sameItems(List<Attempt> here, List<Attempt> there) {
    Map<Long, List<Attempt>> byNumbers =
        here.stream().collect(Collectors.groupingBy(each -> each.item));
    Map<Attempt, Attempt> same = new HashMap<>();
    for (Attempt alone : there) {
      List<Attempt> some = byNumbers.getOrDefault(alone.item, List.of());
      some.stream()
          .filter(each -> some.size() == 1 || each.thread == alone.thread)
          .findFirst()
          .ifPresent(each -> same.put(alone, each));
    }
    return same;
  }

  /** What differs first, by what is known so far of how arrays hold numbers. */
  private Optional<Comparison> firstDifference(Map<Attempt, Attempt> here, List<Attempt> there) {
    for (Attempt alone : there) {
      Attempt attempt = here.get(alone);
      Optional<Difference> difference = difference(attempt, alone);
      if (difference.isPresent()) {
        Optional<Violation> violation = violation(attempt, alone, difference.get());
        return Optional.of(
            new Comparison(
                violation.isPresent() ? "" : "an item does otherwise that has read the same",
                violation));
      }
    }
    return Optional.empty();
  }

  private String lacksForms() {
    if (!slots.guessed().isEmpty()) {
      return "they differ in what may be numbers of slots, in a form that is not known";
    }
    return guessedElements ? "they differ in what may be elements of slots" : "";
  }

  private static List<Long> numbers(List<Attempt> attempts) {
    return attempts.stream().map(attempt -> attempt.item).toList();
  }

  /**
   * How an attempt differs from the one of the other run.
   *
   * @param text what it does, and what that one does
   * @param accesses lines of the two writes that differ, or of the one that is missing
   * @param declare what to do if it is none; empty if that is not known
   */
  private record Difference(String text, String accesses, String declare) {}

  private static List<Access> of(Map<Long, Access> written, LongStream addresses) {
    return addresses.mapToObj(written::get).filter(Objects::nonNull).toList();
  }

  private Optional<Difference> difference(Attempt attempt, Attempt alone) {
    if (attempt.outcome != alone.outcome) {
      return Optional.of(
          new Difference(
              (attempt.outcome == Attempt.COMMIT
                      ? "commits, but cancels "
                      : "cancels, but commits ")
                  + other.when,
              "",
              ""));
    }
    Map<Long, Access> written = written(attempt);
    Map<Long, Access> writtenAlone = written(alone);
    Map<Long, Access> kept = left(this.kept, attempt, writtenAlone, written);
    writtenAlone.putAll(left(keptThere, alone, written, writtenAlone));
    written.putAll(kept);
    Set<Access> found = new HashSet<>();
    for (Access here : written.values()) {
      List<Access> there = of(writtenAlone, slots.addresses(here));
      boolean same = !there.isEmpty() && slots.leavesSame(here, there);
      List<Access> guessed = same ? List.of() : of(writtenAlone, slots.guessedAddresses(here));
      if (!guessed.isEmpty() && slots.leavesSame(here, guessed)) {
        there = guessed;
        same = true;
        guessedElements = true;
      }
      if (!same) {
        String instead = there.isEmpty() ? "not" : value(there.get(0));
        return Optional.of(
            new Difference(
                String.format(
                    "writes %s and makes it %s%s, but %s %s",
                    run.inWords(here.address()), value(here), at(here), instead, other.when),
                indented(text.line(here))
                    + there.stream()
                        .limit(1)
                        .map(each -> indented(otherText.line(each)))
                        .findAny()
                        .orElse(""),
                there.isEmpty() ? "" : declare(here)));
      }
      found.addAll(there);
    }
    Optional<Difference> missing =
        writtenAlone.values().stream()
            .filter(each -> !found.contains(each))
            .map(
                each ->
                    new Difference(
                        "does not write "
                            + run.inWords(each.address())
                            + ", but does "
                            + other.when
                            + at(each),
                        indented(otherText.line(each)),
                        ""))
            .findFirst();
    boolean pushesOthers = attempt.outcome == Attempt.COMMIT && !slots.pushSame(attempt, alone);
    if (missing.isPresent()) {
      return missing;
    }
    return pushesOthers
        ? Optional.of(
            new Difference(
                "pushes " + attempt.pushes + ", but " + alone.pushes + " " + other.when, "", ""))
        : differentFree(attempt, alone);
  }

  /**
   * A slot that one of two attempts frees, and the other one does not. In another order not one
   * that another item took, if the one that frees it does not know it by claims: it may be
   * another's, and some schedule shows that as a foreign free.
   */
  private Optional<Difference> differentFree(Attempt attempt, Attempt alone) {
    List<SlotUse> others = new ArrayList<>(frees(alone));
    List<SlotUse> own = new ArrayList<>(frees(attempt));
    if (other == Other.REORDERED) {
      others.removeIf(
          each -> isTakenByAnother(each, takersThere) && slots.isFreedUnknown(each, true));
      own.removeIf(each -> isTakenByAnother(each, takers) && slots.isFreedUnknown(each, false));
    }
    for (SlotUse use : own) {
      Optional<SlotUse> same =
          others.stream().filter(each -> slots.areSameSlot(use, each)).findFirst();
      if (same.isEmpty()) {
        return Optional.of(
            new Difference(
                String.format(
                    "frees %s%s, but not %s",
                    text.slot(use.pool(), use.slot()), at(use.place()), other.when),
                indented(text.line(use)),
                ""));
      }
      others.remove(same.get());
    }
    return others.stream()
        .map(
            each ->
                new Difference(
                    String.format(
                        "does not free %s, but does %s%s",
                        otherText.slot(each.pool(), each.slot()), other.when, at(each.place())),
                    indented(otherText.line(each)),
                    ""))
        .findFirst();
  }

  private static boolean isTakenByAnother(SlotUse freed, Map<Taken, Set<Attempt>> takers) {
    return takers.getOrDefault(new Taken(freed.pool(), freed.slot()), Set.of()).stream()
        .anyMatch(taker -> !taker.isOfItem(freed.attempt()));
  }

  /** By slots, the commits that took them. */
  private static Map<Taken, Set<Attempt>> takers(Attempts in) {
    Map<Taken, Set<Attempt>> takers = new HashMap<>();
    in.slotUses().stream()
        .filter(each -> !each.frees())
        .forEach(
            each ->
                takers
                    .computeIfAbsent(new Taken(each.pool(), each.slot()), slot -> new HashSet<>())
                    .add(each.attempt()));
    return takers;
  }

  private static List<SlotUse> frees(Attempt attempt) {
    return attempt.outcome == Attempt.COMMIT
        ? attempt.slotUses.stream().filter(SlotUse::frees).toList()
        : List.of();
  }

  private String at(long place) {
    return text.at(place);
  }

  /** What to do if a word that differs is a slot's number after all; empty if it cannot be. */
  private String declare(Access here) {
    return slots.mayBeOfAnotherForm(here.address())
        ? String.format(
            "; or, if %s holds numbers of slots in another form, declare it: --slots ARRAY=POOL for"
                + " numbers as they are, ARRAY=POOL+1 for numbers with 1 added to each",
            run.memory(here.address()).orElseThrow().name())
        : "";
  }

  private static String indented(String line) {
    return String.format("  %s%n", line);
  }

  /** What an attempt wrote last to each address, without tallies, hints and hooks. */
  private static Map<Long, Access> written(Attempt attempt) {
    Map<Long, Access> written = new TreeMap<>();
    for (Access each : attempt.accesses) {
      if (each.writes()
          && each.kind() != AccessTrace.Kind.TALLY
          && !each.isHint()
          && !each.inHook()) {
        written.put(each.address(), each);
      }
    }
    return written;
  }

  /** What an attempt did not have to write any more, as one of its item had left it there. */
  private static Map<Long, Access> left(
      KeptResults kept, Attempt to, Map<Long, Access> wanted, Map<Long, Access> written) {
    Map<Long, Access> left = new HashMap<>();
    for (long address : wanted.keySet()) {
      if (!written.containsKey(address)) {
        kept.left(to, address).ifPresent(each -> left.put(address, each));
      }
    }
    return left;
  }

  /** What a difference is; nothing where only the order decided, and nothing that was read. */
  private Optional<Violation> violation(Attempt attempt, Attempt alone, Difference difference) {
    List<Access> reads = reads(attempt);
    List<Access> readsAlone = reads(alone);
    int first = firstOther(reads, readsAlone, slots::areSame);
    if (first < 0 && other == Other.REORDERED) { // where only reads past claims may differ
      first =
          firstOther(
              reads,
              readsAlone,
              (here, there) -> !isUnclaimedRead(here) || slots.areSurelySame(here, there));
    }
    if (first >= 0) {
      Optional<Reads> undone =
          slots.areOfOneDatum(reads.get(first), readsAlone.get(first))
              ? Optional.empty()
              : otherUndoneHint(attempt, alone);
      Access here = undone.map(Reads::here).orElse(reads.get(first));
      Access there = undone.map(Reads::there).orElse(readsAlone.get(first));
      boolean chosen = isOfAnotherDatum(attempt, here, alone, there);
      boolean repeated = other == Other.ONCE || chosen || leftByItself(here);
      return Optional.of(
          new Violation(
              repeated
                  ? Kind.NOT_REPEATABLE
                  : here.isHint()
                      ? Kind.UNCHECKED_HINT
                      : here.pastTransaction() ? Kind.UNGUARDED_ACCESS : Kind.WRONG_RESULT,
              String.format(
                  "item %d %s%s%n  first it %s %s and gets %s%s; %s it reads %s and gets %s%n%sremedy:"
                      + " %s",
                  attempt.item,
                  difference.text,
                  chosen ? ", although it has read the same until then" : "",
                  here.inWords(),
                  run.inWords(here.address()),
                  value(here),
                  at(here),
                  other.there,
                  run.inWords(there.address()),
                  value(there),
                  other == Other.REORDERED ? writer(here, there) : "",
                  (repeated
                          ? REPEATABLE
                          : here.isHint()
                              ? lookAgain(here)
                              : "read it by tx.read, under the object that guards it")
                      + (here.address() == there.address() ? declare(here) : ""))));
    }
    return other == Other.REORDERED
        ? Optional.empty()
        : Optional.of(
            new Violation(
                Kind.NOT_REPEATABLE,
                String.format(
                    "item %d %s, although it reads the same%n%sremedy: %s",
                    attempt.item,
                    difference.text,
                    difference.accesses,
                    REPEATABLE + difference.declare)));
  }

  /**
   * Whether the first reads of two attempts that differ are of different data: then nothing that
   * the trace has of what was read before chose them. An atomic operation may have, and what was
   * read in an inner transaction that was undone.
   */
  private boolean isOfAnotherDatum(Attempt attempt, Access here, Attempt alone, Access there) {
    return !slots.areOfOneDatum(here, there)
        && !attempt.undidInner
        && !alone.undidInner
        && !updatesBefore(attempt, here)
        && !updatesBefore(alone, there);
  }

  /** A read of an attempt, and one of the same item's in the other run. */
  private record Reads(Access here, Access there) {}

  /**
   * The first reads of two attempts that differ, with those in inner transactions that were undone,
   * if they are a hint: it may have chosen the alternative.
   */
  private Optional<Reads> otherUndoneHint(Attempt attempt, Attempt alone) {
    List<Access> reads = readsAndUndone(attempt);
    List<Access> readsAlone = readsAndUndone(alone);
    int first = firstOther(reads, readsAlone, slots::areSame);
    return first >= 0
            && reads.get(first).isHint()
            && slots.areOfOneDatum(reads.get(first), readsAlone.get(first))
        ? Optional.of(new Reads(reads.get(first), readsAlone.get(first)))
        : Optional.empty();
  }

  private static List<Access> readsAndUndone(Attempt attempt) {
    return Stream.concat(reads(attempt).stream(), attempt.undoneReads.stream())
        .sorted(Comparator.comparingInt(Access::event))
        .toList();
  }

  private static boolean updatesBefore(Attempt attempt, Access read) {
    return attempt.accesses.stream()
        .anyMatch(each -> each.kind() == AccessTrace.Kind.ATOMIC && each.event() < read.event());
  }

  /** What to do about a hint that decided. */
  private String lookAgain(Access hint) {
    return "look at it again under a claim, as by "
        + DataChecker.guardedField(run, hint)
            .map(field -> "tx.get(" + field + ", i)")
            .orElse("tx.open and tx.read")
        + ", before anything follows from it"
        + (other == Other.REORDERED
            ? "; or, if either result is right,"
                + " declare static constexpr bool order_dependent = true"
            : "");
  }

  /**
   * Which of the reads of two attempts, of as many as both have, is the first other one; -1 = none.
   */
  private static int firstOther(
      List<Access> reads, List<Access> others, BiPredicate<Access, Access> areSame) {
    return IntStream.range(0, Math.min(reads.size(), others.size()))
        .filter(i -> !areSame.test(reads.get(i), others.get(i)))
        .findFirst()
        .orElse(-1);
  }

  /** The write that comes before two reads of one datum in one of the orders only, as a line. */
  private String writer(Access here, Access there) {
    List<Attempt> order = otherAttempts.standing();
    Map<Attempt, Attempt> same = sameItems(attempts.standing(), order);
    List<Integer> items = order.stream().map(each -> same.get(each).execution).toList();
    return latestWrite(attempts, here)
        .filter(
            each ->
                items.indexOf(each.attempt().execution) > items.indexOf(here.attempt().execution))
        .map(text::line)
        .or(() -> latestWrite(otherAttempts, there).map(otherText::line))
        .map(SerialReplay::indented)
        .orElse("");
  }

  /** Whether what is read was written last by an attempt of the same item that was undone. */
  private boolean leftByItself(Access read) {
    return latestWrite(attempts, read, each -> true)
        .filter(each -> each.attempt().isOfItem(read.attempt()) && !each.attempt().stands())
        .isPresent();
  }

  /** The last write of another item to what is read. */
  private static Optional<Access> latestWrite(Attempts attempts, Access read) {
    return latestWrite(attempts, read, each -> !each.attempt().isOfItem(read.attempt()));
  }

  private static Optional<Access> latestWrite(
      Attempts attempts, Access read, Predicate<Access> of) {
    return attempts.accesses().stream()
        .filter(each -> each.writes() && each.event() < read.event())
        .filter(of)
        .filter(
            each ->
                each.address() < read.address() + read.bytes()
                    && read.address() < each.address() + each.bytes())
        .reduce((first, last) -> last);
  }

  private static List<Access> reads(Attempt attempt) {
    return attempt.accesses.stream().filter(each -> !each.writes() && !each.inHook()).toList();
  }

  private String value(Access access) {
    return run.valueInWords(access.address(), access.bytes(), access.value());
  }

  private String at(Access access) {
    return at(access.place());
  }
}
