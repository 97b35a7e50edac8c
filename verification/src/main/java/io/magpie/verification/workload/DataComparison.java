package io.magpie.verification.workload;

import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.FieldKind;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.MagpieException;
import io.magpie.stm.Recording;
import io.magpie.stm.Recording.Data;
import io.magpie.stm.Recording.Disturbance;
import io.magpie.stm.Recording.Format;
import io.magpie.stm.RegionReport;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmOptions;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.data.RecordedEffects;
import io.magpie.verification.data.RecordedGuards;
import io.magpie.verification.data.RecordedOrder;
import io.magpie.verification.data.SerialReplay;
import io.magpie.verification.data.Slots;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.history.DataAccess;
import io.magpie.verification.history.History;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a recorded run, or a round of one, did wrong with its data. Its items are run again, on the
 * same device, one after the other in the serial order of the run: they must end alike, leave the
 * same data, free the same slots and push the same items. In another order that is as good, as far
 * as the objects go, they must leave the same again; and so they must if each attempt is first made
 * once and rolled back. Each item takes the slots that it took in the run, so that numbers of slots
 * are the same.
 *
 * <p>Where runs are traced, an item that does otherwise than in the run is told by what it read.
 *
 * <p>What may differ rightly is left out: what tallies are added to; data that {@code rolled_back},
 * or a hook that takes hints, writes past the transaction; what may be the data of slots that are
 * free in the end, where an attempt that was undone may have left something; and where there are
 * atomic operations, which have an order of their own, or several results are right ({@link
 * Workload#isComparedInAnotherOrder}), whatever depends on the order of items that no object
 * orders. Where runs are traced, items must even so do the same in the order of their commits and
 * cancels.
 */
final class DataComparison implements AutoCloseable {
  /**
   * Bytes that a comparison takes for each access to a datum, object opened or item, at most. Of an
   * access 24 are for the history of the serial run, and 64 for its datum in the table of guards
   * while that grows; an object takes less than that for the order, and so does an item.
   */
  private static final int BYTES_PER_ACCESS = 100;

  /** Accesses, objects opened and items of a run: that many have their places in arrays. */
  private static final long MOST_ACCESSES = 1L << 28;

  /** Attempts of one item in an order that may not be one in which it ends. */
  private static final int PATIENCE = 1_000;

  /** Bytes of the data that are compared: there are several copies of them. */
  private static final long MOST_BYTES = 1 << 26;

  /** Rounds of a run that are compared: data are kept, and made so again, for each. */
  static final int COMPARED_ROUNDS = 64;

  /** Orders at random, of all that are tried where data may depend on an order of their own. */
  private static final int SHUFFLES = 4;

  private static final Duration LEAST_TIME = Duration.ofSeconds(5);

  /** For each item beyond that: one thread of a GPU takes some ten microseconds for a small one. */
  private static final Duration PATIENCE_PER_ITEM = Duration.ofNanos(200_000);

  /** Serial runs on a processor that did not settle it, after which no more are made. */
  private static final int MOST_VAIN = 2;

  /** About what one thread of a GPU takes for an object of a transaction. */
  private static final long NANOS_PER_OBJECT = 10_000;

  /** Of a log of ends. */
  private static final long LEAST_WORDS = 1 << 10;

  /** Times what the run took that a serial run may take. */
  private static final int PATIENCE_IN_TIME = 20;

  private final Workload workload;
  private final RecordedTraces traces;
  private final StmOptions options;
  private final Recording.Options recorded;
  private final long mostAccesses;
  private final Duration worthCompiling;
  private final double share;
  private final Replayer own;
  private final Set<String> notCompared = new LinkedHashSet<>();
  private volatile Replayer onProcessor; // null before the first run that it is wanted for
  private int vain; // serial runs in a row on the processor that did not settle it
  private volatile boolean ended;
  private long nanosSoFar; // that comparisons took on the workload's own device

  /**
   * @param share of the Java heap that a comparison may take half of, and of the device's memory
   * @param worthCompiling what comparisons take on a GPU before the region is compiled for the
   *     processor, too
   */
  DataComparison(
      Workload workload,
      RecordedTraces traces,
      StmOptions options,
      Recording.Options recorded,
      double share,
      Duration worthCompiling) {
    this.worthCompiling = worthCompiling;
    this.workload = workload;
    this.traces = traces;
    this.options = options.withThreadsInFlight(1);
    this.recorded = Recording.Options.defaults().withData(true).withClock(recorded.clock());
    this.mostAccesses = mostAccesses((long) (Runtime.getRuntime().maxMemory() * share));
    this.share = share;
    this.own = new Replayer(workload, this.recorded, share);
  }

  /** Where items run one after the other. */
  private static final class Replayer implements AutoCloseable {
    /** The one that is checked, or the same on a processor. */
    final Workload workload;

    /** That of serial runs. */
    final Recording recording;

    /** That of serial runs of which only ends and data count; null before the first. */
    private Recording ofEnds;

    /** That {@link #ofEnds} may take: logs of the runs themselves may take half of what is free. */
    private final long mostBytes;

    Replayer(Workload workload, Recording.Options options, double share) {
      this.workload = workload;
      this.mostBytes = (long) (workload.device().freeBytes() * share / 4);
      this.recording = workload.device().recording(options);
    }

    /**
     * With room for so many items, on whichever thread of a warp they run; empty if it is large.
     */
    Optional<Recording> ofEnds(int items) {
      long words = Math.max(LEAST_WORDS, (long) items * Format.HEADER_WORDS);
      if (words * Long.BYTES * workload.device().warpWidth() > mostBytes) {
        return Optional.empty();
      }
      if (ofEnds == null || ofEnds.options().wordsPerThread() < words) {
        if (ofEnds != null) {
          ofEnds.close();
          ofEnds = null;
        }
        Recording.Options ends = recording.options().withData(false).withAccesses(false);
        ofEnds = workload.device().recording(ends.withFirstAttempts(0).withWordsPerThread(words));
      }
      return Optional.of(ofEnds);
    }

    @Override
    public void close() {
      recording.close();
      if (ofEnds != null) {
        ofEnds.close();
      }
    }
  }

  /** What was not compared so far, and why: sentences. */
  List<String> notCompared() {
    return List.copyOf(notCompared);
  }

  /**
   * What is left of a run.
   *
   * @param ends whether the items committed, by item; null if not known
   * @param contents of the arrays, by field
   * @param history null if not known
   * @param ended by attempts of the run that is compared, those that ended the same items here,
   *     which may have some several times; null if not known
   * @param data what was seen of the data
   * @param trace what was done to them, if that was traced
   */
  private record Outcome(
      Ends ends,
      Map<String, Object> contents,
      History history,
      int[] ended,
      Data data,
      Optional<AccessTrace> trace) {
    /** Whether an attempt of the run that is compared commits here. */
    boolean commits(int attempt) {
      return history.outcome(ended[attempt]) == History.COMMIT;
    }
  }

  /** Whether data of a run are so few that they are compared, and kept between rounds. */
  boolean hasRoom() {
    return areFew(workload.memory());
  }

  /** Whether data are so few that several copies of them may be kept. */
  static boolean areFew(List<Memory> memory) {
    return bytes(memory) <= MOST_BYTES;
  }

  private static long bytes(List<Memory> memory) {
    return memory.stream()
        .filter(each -> each.contents() == Memory.Contents.DATA)
        .mapToLong(Memory::bytes)
        .sum();
  }

  /** Leaves out a round whose items did not all end. */
  void leaveOutUnfinished() {
    notCompared.add("Not compared with a serial run: rounds that left items unfinished.");
  }

  /** Leaves out all rounds behind the first ones. */
  void leaveOutMoreRounds() {
    notCompared.add(
        "Of rounds only the first " + COMPARED_ROUNDS + " are compared with serial runs.");
  }

  /**
   * Looks at the run, or round, that the workload's data are left of, which others have taken the
   * place of afterwards.
   *
   * @param goBack makes data as they were before
   * @param thoroughly whether also at other orders, and at attempts that are rolled back
   * @return the first thing that is wrong
   */
  Optional<Violation> check(
      Recording recording,
      RegionReport report,
      History history,
      Verdict verdict,
      double seconds,
      Runnable goBack,
      boolean thoroughly) {
    if (report.passes().size() > 1) {
      notCompared.add(
          "Not compared with a serial run: some transactions outgrew the region's max_objects or"
              + " max_writes.");
      return Optional.empty();
    }
    int[] committed = verdict.serialOrder();
    if (committed.length == 0) {
      return Optional.empty();
    }
    long accesses = Arrays.stream(committed).mapToLong(each -> 1L + history.dataCount(each)).sum();
    if (accesses > mostAccesses) {
      notCompared.add(
          String.format(
              Locale.ROOT,
              "Not compared with a serial run: runs of more than %,d items, objects opened and"
                  + " accesses to data together (a larger heap allows more, up to %,d).",
              mostAccesses,
              MOST_ACCESSES));
      return Optional.empty();
    }
    Optional<int[]> order = RecordedOrder.of(history, committed, false);
    if (order.isEmpty()) {
      notCompared.add("Not compared with a serial run: peeks that contradict it.");
      return Optional.empty();
    }
    Data data = recording.data();
    RecordedGuards.Result guards =
        RecordedGuards.check(
            history,
            order.get(),
            datum -> data.inWords(datum).orElseThrow(),
            object -> objectName(recording, object));
    if (guards.violation().isPresent()) {
      return guards.violation();
    }
    if (!guards.complete()) {
      notCompared.add(
          "Not looked at: whether objects order all accesses to data that none of them guards"
              + " alone; there are too many transactions in between.");
    }
    if (bytes(data.memory()) > MOST_BYTES) {
      notCompared.add(
          String.format(
              Locale.ROOT,
              "Not compared with a serial run: arguments of more than %,d bytes.",
              MOST_BYTES));
      return Optional.empty();
    }
    Outcome run =
        new Outcome(
            new Ends(history),
            workload.contents(),
            history,
            IntStream.range(0, history.size()).toArray(),
            data,
            traces.last());
    Duration time = patience(seconds, committed.length);
    Optional<Replayer> processor = onProcessor(committed.length, thoroughly);
    if (processor.isPresent()) {
      Workload same = processor.get().workload;
      Comparison there =
          new Comparison(processor.get(), run, order.get(), committed, same::reset, time);
      try {
        if (there.violation(thoroughly).isEmpty() && there.limits.isEmpty()) {
          vain = 0;
          return Optional.empty();
        }
        vain++;
      } catch (MagpieException e) {
        vain = MOST_VAIN; // it lacks memory: the GPU will do
      }
    }
    long begin = System.nanoTime();
    Comparison comparison = new Comparison(own, run, order.get(), committed, goBack, time);
    Optional<Violation> violation = comparison.violation(thoroughly);
    notCompared.addAll(comparison.limits);
    nanosSoFar += System.nanoTime() - begin;
    return ended ? Optional.empty() : violation; // it may only say that a serial run was canceled
  }

  /** How long serial runs of so many items may take, after a run that took so many seconds. */
  private Duration patience(double seconds, int items) {
    Duration ofRun = Duration.ofNanos((long) (seconds * 1e9) * PATIENCE_IN_TIME);
    Duration ofItems = LEAST_TIME.plus(PATIENCE_PER_ITEM.multipliedBy(items));
    return ofRun.compareTo(ofItems) < 0 ? ofItems : ofRun;
  }

  /**
   * The processor that runs items one after the other for a GPU, which takes some ten times as long
   * as it: what comes out alike there is right, and only what does not is left to the GPU itself.
   * Empty where there is none, data are not always as at first, it has been of no use, or the GPU
   * does not take long: the region must be compiled for it. What is looked at thoroughly, once, is
   * left to the GPU for some time.
   */
  private Optional<Replayer> onProcessor(int items, boolean thoroughly) {
    long likely = items * (long) workload.region().maxObjects() * NANOS_PER_OBJECT;
    boolean isLong = likely > LEAST_TIME.toNanos();
    boolean areLong = isLong || nanosSoFar + likely >= worthCompiling.toNanos();
    if (ended || workload.inRounds() || vain >= MOST_VAIN || !(thoroughly ? isLong : areLong)) {
      return Optional.empty();
    }
    if (onProcessor == null) {
      try {
        workload
            .onProcessor()
            .ifPresent(there -> onProcessor = new Replayer(there, recorded, share));
      } catch (MagpieException e) {
        onProcessor = null; // it lacks memory: the GPU will do
      }
      vain = onProcessor == null ? MOST_VAIN : 0;
    }
    return Optional.ofNullable(onProcessor);
  }

  /** How many accesses a run may have that is compared: for half of the heap at most. */
  static long mostAccesses(long heapBytes) {
    return Math.min(MOST_ACCESSES, heapBytes / 2 / BYTES_PER_ACCESS);
  }

  private String objectName(Recording recording, int object) {
    for (int i = 0; i < workload.objects().size(); i++) {
      int index = object - recording.objectsBase(workload.objects().get(i));
      if (index >= 0 && index < workload.objects().get(i).count()) {
        return workload.objectNames().get(i) + "[" + index + "]";
      }
    }
    return "object " + object;
  }

  /** The comparisons of one run. */
  private final class Comparison {
    private final Replayer replayer;
    private final Set<String> limits = new LinkedHashSet<>();
    private final Outcome run;
    private final int[] order;
    private final boolean traced; // whether the order is that in which the trace has them end
    private final int[] wanted;
    private final Runnable goBack;
    private final StmOptions bounded;
    private final List<Memory> pools; // by their numbers in the region
    private final List<BitSet> free; // slots of each in the end
    private Optional<Violation> fault = Optional.empty();
    private String lack = ""; // of the last serial run that has no outcome
    private int repeats; // how often its attempts are first rolled back
    private boolean reorders; // whether its order is another one

    Comparison(
        Replayer replayer, Outcome run, int[] order, int[] wanted, Runnable goBack, Duration most) {
      this.replayer = replayer;
      this.run = run;
      Optional<int[]> ends = run.trace.flatMap(this::ends);
      this.order = ends.orElse(order);
      this.traced = ends.isPresent();
      this.wanted = wanted;
      this.goBack = goBack;
      this.pools =
          workload.memory().stream()
              .filter(each -> each.contents() == Memory.Contents.SLOTS)
              .sorted(Comparator.comparingInt(each -> each.kind().number()))
              .toList();
      this.free = workload.pools().stream().map(Comparison::free).toList();
      boolean shorter = options.timeout().isZero() || most.compareTo(options.timeout()) < 0;
      this.bounded = (shorter ? options.withTimeout(most) : options).withMaxAttempts(PATIENCE);
    }

    /**
     * The order of the commits and cancels, as a trace has them: the serial one in which nobody saw
     * more, past claims, than those before it left. Empty if there is none, or it is not that of
     * the turns at the objects.
     */
    private Optional<int[]> ends(AccessTrace trace) {
      if (!SerialReplay.lacks(trace).isEmpty()) {
        return Optional.empty();
      }
      Map<Long, Integer> attempts = new HashMap<>(); // that ended items, each of which ran once
      for (int attempt = 0; attempt < run.history.size(); attempt++) {
        if (run.history.completed(attempt)) {
          attempts.put(Integer.toUnsignedLong(run.history.item(attempt)), attempt);
        }
      }
      List<Long> items = SerialReplay.order(trace);
      if (items.size() != attempts.size() || !attempts.keySet().containsAll(items)) {
        return Optional.empty();
      }
      return Optional.of(items.stream().mapToInt(attempts::get).toArray())
          .filter(each -> RecordedOrder.keepsTurns(run.history, each));
    }

    Optional<Violation> violation(boolean thoroughly) {
      // Slots and items that are pushed are told by what is recorded of data alone.
      boolean mayBeSettled =
          run.trace.isEmpty() && workload.pools().isEmpty() && !workload.inRounds();
      if (mayBeSettled && isSettled(thoroughly)) {
        return fault.map(this::inTurn);
      }
      Optional<Violation> difference = differences(thoroughly);
      return fault.isPresent() ? fault : difference;
    }

    private static BitSet free(SlotPool pool) {
      BitSet free = new BitSet();
      free.set((int) pool.firstFresh(), (int) pool.capacity());
      for (int slot : pool.recycled()) {
        free.set(slot);
      }
      return free;
    }

    /**
     * Whether there is no difference, or no way to tell: serial runs are made of which no more is
     * known than how items end and what they leave, as that of the run.
     */
    private boolean isSettled(boolean thoroughly) {
      Optional<Boolean> serial = leavesTheSame(order, 0);
      if (serial.isEmpty()) {
        limits.add("Not compared with a serial run: " + lack + ".");
        return true;
      }
      if (!serial.get() || !thoroughly) {
        return serial.get();
      }
      if (!leavesTheSame(order, 1).orElse(true)) {
        return false;
      }
      if (fault.isPresent() || hasOwnOrder()) {
        return true;
      }
      return other().flatMap(other -> leavesTheSame(other, 0)).orElse(true);
    }

    /** Whether data may depend on an order that objects do not know. */
    private boolean hasOwnOrder() {
      return run.data.anyAtomic()
          || run.data.hasHintsInHook()
          || !workload.isComparedInAnotherOrder();
    }

    /**
     * Whether the items of attempts, one after the other, end as in the run, and leave the same
     * data; empty if they do not all end. Not so, too, if there is no memory for that: the other
     * way needs less.
     */
    private Optional<Boolean> leavesTheSame(int[] attempts, int forcedRetries) {
      try {
        Optional<Recording> ends = replayer.ofEnds(attempts.length);
        if (ends.isEmpty()) {
          return Optional.of(false);
        }
        prepare(ends.get(), attempts, forcedRetries);
        return ranSerially(ends.get(), attempts)
            ? Optional.of(endAlike(ends.get(), attempts) && leftTheSame())
            : Optional.empty();
      } catch (DeviceOutOfMemoryException e) {
        return Optional.of(false);
      }
    }

    private boolean endAlike(Recording ends, int[] attempts) {
      int[] ended = {0}; // in the order of attempts
      try {
        ends.forEachThread(
            (thread, words, count) -> {
              for (int at = 0; at < count; ) {
                long second = words[at + 1];
                int outcome = (int) (second >>> Format.OUTCOME_AT) & 0xff;
                if (outcome <= History.CANCEL && ended[0] >= 0) {
                  int attempt = ended[0] < attempts.length ? attempts[ended[0]] : -1;
                  boolean alike =
                      attempt >= 0
                          && (int) words[at] == run.history.item(attempt)
                          && outcome == run.history.outcome(attempt);
                  ended[0] = alike ? ended[0] + 1 : -1;
                }
                at += Format.HEADER_WORDS + (int) (second >>> Format.ACCESSES_AT);
              }
            });
      } catch (Recording.OverflowException e) {
        return false; // the other way does not need all of them
      }
      return ended[0] == attempts.length;
    }

    private boolean leftTheSame() {
      Map<String, Object> contents = replayer.workload.contents();
      return run.data.memory().stream()
          .map(Memory::name)
          .allMatch(field -> same(run.contents.get(field), contents.get(field)));
    }

    private Optional<Violation> differences(boolean thoroughly) {
      Optional<Outcome> serial = serially(order, 0);
      if (serial.isEmpty()) {
        limits.add("Not compared with a serial run: " + lack + ".");
        return Optional.empty();
      }
      boolean atomics = run.data.anyAtomic() || run.data.hasHintsInHook();
      boolean ownOrder = hasOwnOrder();
      // In that order items must do the same even where another one may give another result.
      Optional<Violation> told =
          traced || workload.isComparedInAnotherOrder()
              ? told(run, serial.get(), (here, there) -> compare(here, order, there))
              : Optional.empty();
      if (told.isPresent()) {
        return told;
      }
      Optional<Difference> difference = difference(run, serial.get(), order);
      if (difference.isPresent()) {
        boolean stands = !ownOrder || alikeInAnyOrder(serial.get(), difference.get());
        if (stands) {
          return Optional.of(wrong(difference.get(), serial.get()));
        }
        limits.add(
            "Not compared with a serial run: what depends on the order of "
                + (atomics ? "atomic operations." : "items that no object orders."));
      }
      if (!thoroughly) {
        return Optional.empty();
      }
      Optional<Violation> repeated = repeated(serial.get());
      // After a fault a GPU is of no more use.
      boolean enough = repeated.isPresent() || fault.isPresent() || ownOrder;
      return enough ? repeated : reordered(serial.get());
    }

    private SerialReplay.Comparison compare(AccessTrace here, int[] attempts, AccessTrace there) {
      return SerialReplay.compare(
          here, items(attempts), there, workload.slotArrays(), workload::sourceLine);
    }

    /** What differs as traces tell it: nothing where these are missing, or do not tell. */
    private Optional<Violation> told(
        Outcome a,
        Outcome b,
        BiFunction<AccessTrace, AccessTrace, SerialReplay.Comparison> compared) {
      boolean known = a.trace.isPresent() && b.trace.isPresent();
      return known && SerialReplay.lacks(a.trace.get()).isEmpty()
          ? compared.apply(a.trace.get(), b.trace.get()).violation()
          : Optional.empty();
    }

    private List<Long> items(int[] attempts) {
      return Arrays.stream(attempts)
          .mapToObj(attempt -> Integer.toUnsignedLong(run.history.item(attempt)))
          .toList();
    }

    /** Attempts that are rolled back once, and where that is little to trace many times. */
    private Optional<Violation> repeated(Outcome serial) {
      return repeated(serial, 1)
          .or(
              () ->
                  serial
                      .trace
                      .filter(WorkloadSubject::isRepeatedManyTimes)
                      .flatMap(trace -> repeated(serial, WorkloadSubject.MANY_ATTEMPTS)));
    }

    private Optional<Violation> repeated(Outcome serial, int times) {
      Optional<Outcome> again = serially(order, times);
      if (again.isEmpty()) {
        return Optional.empty();
      }
      Optional<Violation> alone =
          again
              .get()
              .trace
              .flatMap(trace -> traces.wrongWith(trace).stream().findFirst())
              .map(each -> RepeatedRun.told(each, true, times));
      return alone
          .or(
              () ->
                  told(
                      again.get(),
                      serial,
                      (repeated, once) ->
                          SerialReplay.compareRepeated(
                              repeated, once, workload.slotArrays(), workload::sourceLine)))
          .or(
              () ->
                  difference(again.get(), serial, order).map(found -> notRepeatable(found, times)));
    }

    private static Violation notRepeatable(Difference found, int times) {
      return new Violation(
          Kind.NOT_REPEATABLE,
          String.format(
              "%s if each attempt is first made %s and rolled back, and %s if not%n"
                  + "remedy: let every attempt start afresh: set what it uses, members of its"
                  + " state and variables outside of an inner transaction too; write by tx"
                  + " only, so that it is undone",
              found.first, RepeatedRun.times(times), found.second));
    }

    /** Another order that the objects leave open. */
    private Optional<Violation> reordered(Outcome serial) {
      Optional<int[]> other = other();
      Optional<Outcome> outcome = other.flatMap(order -> serially(order, 0));
      if (outcome.isEmpty()) {
        return Optional.empty();
      }
      return told(
              serial,
              outcome.get(),
              (here, there) ->
                  SerialReplay.compareReordered(
                      here, items(other.get()), there, workload.slotArrays(), workload::sourceLine))
          .or(() -> difference(outcome.get(), serial, other.get()).map(Comparison::unguarded));
    }

    private static Violation unguarded(Difference found) {
      return new Violation(
          Kind.UNGUARDED_ACCESS,
          String.format(
              "%s or %s, depending on which item comes first of two that no object"
                  + " orders: data are used past the transaction, or by a hint that is"
                  + " not looked at again%nremedy: open the object that guards them and"
                  + " use tx.read and tx.write",
              found.first, found.second));
    }

    private Optional<int[]> other() {
      return RecordedOrder.of(run.history, wanted, true)
          .filter(other -> !Arrays.equals(other, order));
    }

    /** Whether other orders, also such as objects do not leave open, make no difference there. */
    private boolean alikeInAnyOrder(Outcome serial, Difference where) {
      List<int[]> orders = new ArrayList<>();
      other().ifPresent(orders::add);
      List<Integer> items = new ArrayList<>(Arrays.stream(order).boxed().toList());
      Collections.reverse(items);
      Random random = new Random(1);
      for (int i = 0; i <= SHUFFLES; i++) {
        orders.add(items.stream().mapToInt(Integer::intValue).toArray());
        Collections.shuffle(items, random);
      }
      for (int[] each : orders) {
        Optional<Outcome> outcome = serially(each, 0);
        if (outcome.isEmpty() || !isAlike(where, outcome.get(), serial)) {
          return false;
        }
      }
      return true;
    }

    /** Runs the items of attempts one after the other; empty if they do not all end. */
    private Optional<Outcome> serially(int[] attempts, int forcedRetries) {
      Recording serialRecording = replayer.recording;
      prepare(serialRecording, attempts, forcedRetries);
      traces.begin();
      boolean ran = ranSerially(serialRecording, attempts);
      Optional<AccessTrace> trace = traces.end();
      if (!ran) {
        fault = fault.map(each -> inTurn(explained(each, trace)));
        return Optional.empty();
      }
      History history = null;
      try {
        history = RunChecks.history(serialRecording);
      } catch (Recording.OverflowException e) {
        // Too long for one thread's log: data are still compared.
      }
      return Optional.of(
          new Outcome(
              history == null ? null : new Ends(history),
              replayer.workload.contents(),
              history,
              history == null ? null : ended(history, attempts),
              serialRecording.data(),
              trace.filter(AccessTrace::complete)));
    }

    private void prepare(Recording into, int[] attempts, int forcedRetries) {
      goBack.run();
      giveSlots(into, attempts);
      into.reset();
      into.disturb(new Disturbance(0, 0, forcedRetries));
      repeats = forcedRetries;
      reorders = !Arrays.equals(attempts, order);
    }

    /** Whether all items of attempts ended, one after the other; else the lack is known. */
    private boolean ranSerially(Recording into, int[] attempts) {
      if (ended) {
        lack = "it was ended";
        return false;
      }
      int[] items = Arrays.stream(attempts).map(run.history::item).toArray();
      try {
        RegionReport report = replayer.workload.recordList(into, bounded, items);
        boolean slots = report.unfinishedBySlots() > 0 || report.withoutSlot() > 0;
        lack = slots ? "it needs more slots than there are" : "it took too long";
        return report.complete() && report.deferred() == 0 && report.passes().size() <= 1;
      } catch (KernelFaultException e) {
        fault = Optional.of(new Violation(Kind.FAULT, e.getMessage()));
        lack = "it faulted";
        return false;
      } finally {
        into.giveSlots(null);
      }
    }

    private Violation explained(Violation plain, Optional<AccessTrace> trace) {
      return trace.map(each -> traces.explained(plain, each)).orElse(plain);
    }

    /** A fault of the last serial run, which the run itself need not have. */
    private Violation inTurn(Violation found) {
      return repeats > 0
          ? RepeatedRun.told(found, true, repeats)
          : new Violation(
              found.kind(),
              String.format(
                  "the same items one after the other%s: %s",
                  reorders ? ", in another order" : "", found.text()));
    }

    /**
     * The attempts that ended the items of attempts of the run, by these, as one thread made them
     * in this order; null if some are missing.
     */
    private int[] ended(History history, int[] attempts) {
      int[] ended = new int[run.history.size()];
      int found = 0;
      for (int i = 0; i < history.size() && found < attempts.length; i++) {
        if (history.completed(i)) {
          if (history.item(i) != run.history.item(attempts[found])) {
            return null;
          }
          ended[attempts[found++]] = i;
        }
      }
      return found < attempts.length ? null : ended;
    }

    /** Lets items take the slots that they took in the run, which nobody else has then. */
    private void giveSlots(Recording into, int[] attempts) {
      List<SlotPool> pools = replayer.workload.pools();
      if (pools.isEmpty()) {
        return;
      }
      List<RecordedEffects.Slot> all = new ArrayList<>();
      int[] ends = new int[attempts.length];
      for (int i = 0; i < attempts.length; i++) {
        all.addAll(RecordedEffects.of(run.history, attempts[i]).taken());
        ends[i] = all.size();
      }
      for (int i = 0; i < pools.size(); i++) {
        int pool = i;
        pools
            .get(i)
            .take(
                all.stream()
                    .filter(each -> each.pool() == pool)
                    .mapToInt(RecordedEffects.Slot::number)
                    .toArray());
      }
      into.giveSlots(
          new Recording.GivenSlots(
              all.stream().mapToLong(each -> (long) each.pool() << 32 | each.number()).toArray(),
              ends));
    }

    /**
     * A difference in words.
     *
     * @param attempt the run's, whose end it is; null if it is none
     * @param field whose datum it is; null if it is none
     */
    private record Difference(
        Integer attempt, String field, int element, String first, String second) {
      /** A difference in what else an item does. */
      static Difference ofEffects(String first, String second) {
        return new Difference(null, null, 0, first, second);
      }
    }

    private boolean isAlike(Difference where, Outcome a, Outcome b) {
      if (where.field != null) {
        return same(a.contents.get(where.field), b.contents.get(where.field), where.element);
      }
      return where.attempt != null && endAlike(a, b, where.attempt).orElse(false);
    }

    /** Whether the item of an attempt of the run ends alike; empty if not known. */
    private Optional<Boolean> endAlike(Outcome a, Outcome b, int attempt) {
      if (a.ended != null && b.ended != null) {
        return Optional.of(a.commits(attempt) == b.commits(attempt));
      }
      int item = run.history.item(attempt);
      boolean known = a.ends != null && b.ends != null && run.ends.get(item) != null;
      Boolean first = known ? a.ends.get(item) : null;
      Boolean second = known ? b.ends.get(item) : null;
      return first == null || second == null ? Optional.empty() : Optional.of(first.equals(second));
    }

    private String word(Outcome outcome, String field, int element) {
      Object value = Array.get(outcome.contents.get(field), element);
      return switch (workload.region().fields().get(field).element()) {
        case U8 -> Integer.toString(Byte.toUnsignedInt((Byte) value));
        case BYTES -> // a word of a struct, or a byte of one that is not made of words
            value instanceof Integer ofStruct
                ? ofStruct.toString()
                : Integer.toString(Byte.toUnsignedInt((Byte) value));
        case U16 -> Integer.toString(Short.toUnsignedInt((Short) value));
        case U32 -> Integer.toUnsignedString((Integer) value);
        case U64 -> Long.toUnsignedString((Long) value);
        case I8, I16, I32, I64, F32, F64 -> value.toString();
      };
    }

    /**
     * The first difference of two runs that may not differ.
     *
     * @param attempts those whose items {@code a} ran in this order
     */
    private Optional<Difference> difference(Outcome a, Outcome b, int[] attempts) {
      for (int attempt : order) {
        if (!endAlike(a, b, attempt).orElse(true)) {
          int item = run.history.item(attempt);
          boolean commits = a.ended != null ? a.commits(attempt) : a.ends.get(item);
          String name = "item " + Integer.toUnsignedLong(item) + " ";
          return Optional.of(
              new Difference(
                  attempt,
                  null,
                  0,
                  name + (commits ? "commits" : "cancels"),
                  commits ? "cancels" : "commits"));
        }
      }
      Optional<Difference> effects = differentEffects(a, b, attempts);
      if (effects.isPresent()) {
        return effects;
      }
      boolean onlyInTransactions = a.data.hasRolledBackHook() || a.data.hasHintsInHook();
      BitSet reached = onlyInTransactions ? reached(a, b) : null;
      List<Memory> memory = run.data.memory();
      for (int i = 0; i < memory.size(); i++) {
        String field = memory.get(i).name();
        Object first = a.contents.get(field);
        Object second = b.contents.get(field);
        if (same(first, second)) {
          continue;
        }
        int length = Array.getLength(first);
        for (int k = 0; k < length; k++) {
          long datum = datum(memory, i, k, length);
          if (!same(first, second, k)
              && !a.data.tallied(datum)
              && !b.data.tallied(datum)
              && !run.data.tallied(datum)
              && !isOfFreeSlot(memory.get(i), datum - run.data.first(i))
              && (reached == null || reached.get((int) (datum / 4)) && !run.data.atomic(datum))) {
            return Optional.of(
                new Difference(
                    null,
                    field,
                    k,
                    name(datum) + " ends as " + word(a, field, k),
                    "as " + word(b, field, k)));
          }
        }
      }
      return Optional.empty();
    }

    /** The first item that frees other slots, or pushes other items. */
    private Optional<Difference> differentEffects(Outcome a, Outcome b, int[] attempts) {
      boolean tells = !pools.isEmpty() || workload.inRounds();
      if (!tells || a.ended == null || b.ended == null) {
        return Optional.empty();
      }
      Set<Long> pushingGivenBack = a.trace.map(SerialReplay::pushingGivenBack).orElse(Set.of());
      for (int attempt : attempts) {
        RecordedEffects first = RecordedEffects.of(a.history, a.ended[attempt]);
        RecordedEffects second = RecordedEffects.of(b.history, b.ended[attempt]);
        String name = "item " + Integer.toUnsignedString(run.history.item(attempt)) + " ";
        if (!first.freed().equals(second.freed())) {
          return Optional.of(
              Difference.ofEffects(name + "frees " + slots(first.freed()), slots(second.freed())));
        }
        long item = Integer.toUnsignedLong(run.history.item(attempt));
        if (!first.pushed().equals(second.pushed()) && !pushingGivenBack.contains(item)) {
          return Optional.of(
              Difference.ofEffects(
                  name + "pushes " + pushes(first.pushed()), pushes(second.pushed())));
        }
        if (first.taken().size() != second.taken().size()) {
          return Optional.of(
              Difference.ofEffects(name + "takes " + slots(first.taken()), slots(second.taken())));
        }
      }
      return Optional.empty();
    }

    private String slots(List<RecordedEffects.Slot> slots) {
      return slots.isEmpty()
          ? "no slot"
          : slots.stream()
              .map(each -> pools.get(each.pool()).name() + "[" + each.number() + "]")
              .collect(Collectors.joining(", "));
    }

    private static String pushes(List<Integer> items) {
      return items.isEmpty()
          ? "nothing"
          : items.stream().map(Integer::toUnsignedString).collect(Collectors.joining(", "));
    }

    /** Whether a byte of an array may be of the data of a slot that is free in the end. */
    private boolean isOfFreeSlot(Memory array, long offset) {
      for (int i = 0; i < pools.size(); i++) {
        BitSet freeSlots = free.get(i);
        if (Slots.numbers(array, array.address() + offset, pools.get(i))
            .anyMatch(slot -> freeSlots.get((int) slot))) {
          return true;
        }
      }
      return false;
    }

    /** The number of an element of the Java array, of so many, that an array's contents are. */
    private long datum(List<Memory> memory, int array, int element, int elements) {
      Memory of = memory.get(array);
      long bytes = of.length() * of.elementBytes() / elements;
      return run.data.first(array) + of.addressAt(element * bytes) - of.address();
    }

    private String name(long datum) {
      return run.data.inWords(datum).orElseThrow();
    }

    /** The data that transactions used. */
    private static BitSet reached(Outcome... outcomes) {
      BitSet reached = new BitSet();
      for (Outcome each : outcomes) {
        for (int attempt = 0; each.history != null && attempt < each.history.size(); attempt++) {
          for (int i = 0; i < each.history.dataCount(attempt); i++) {
            DataAccess access = each.history.data(attempt, i);
            if (access.kind() != DataAccess.Kind.OPENED && access.datum() < Data.NOWHERE) {
              reached.set((int) (access.datum() / 4)); // words
            }
          }
        }
      }
      return reached;
    }

    private static boolean same(Object a, Object b) {
      if (a instanceof int[] first) {
        return Arrays.equals(first, (int[]) b);
      }
      if (a instanceof long[] first) {
        return Arrays.equals(first, (long[]) b);
      }
      if (a instanceof byte[] first) {
        return Arrays.equals(first, (byte[]) b);
      }
      if (a instanceof short[] first) {
        return Arrays.equals(first, (short[]) b);
      }
      int length = Array.getLength(a);
      for (int i = 0; i < length; i++) {
        if (!same(a, b, i)) {
          return false;
        }
      }
      return true;
    }

    /** Bit by bit. */
    private static boolean same(Object a, Object b, int i) {
      if (a instanceof float[] first) {
        return Float.floatToRawIntBits(first[i]) == Float.floatToRawIntBits(((float[]) b)[i]);
      }
      if (a instanceof double[] first) {
        return Double.doubleToRawLongBits(first[i])
            == Double.doubleToRawLongBits(((double[]) b)[i]);
      }
      return Array.get(a, i).equals(Array.get(b, i));
    }

    private Violation wrong(Difference found, Outcome serial) {
      List<String> lines = new ArrayList<>();
      lines.add(
          String.format(
              "%s, but %s if the same items run one after the other, in their serial order",
              found.first, found.second));
      if (found.field != null) {
        writer(run, order, found).ifPresent(text -> lines.add("  in the run, " + text));
        if (serial.history != null) {
          int[] all =
              IntStream.range(0, serial.history.size()).filter(serial.history::completed).toArray();
          writer(serial, all, found).ifPresent(text -> lines.add("  one after the other, " + text));
        }
      }
      lines.add("remedy: use what other items use by tx only, under the object that guards it");
      return new Violation(Kind.WRONG_RESULT, String.join(System.lineSeparator(), lines));
    }

    /** Who wrote a datum last by its transaction. */
    private Optional<String> writer(Outcome outcome, int[] attempts, Difference of) {
      List<Memory> memory = run.data.memory();
      int in = 0;
      while (!memory.get(in).name().equals(of.field)) {
        in++;
      }
      int length = Array.getLength(outcome.contents.get(of.field));
      long datum = datum(memory, in, of.element, length);
      // A byte of a struct was written with the word around it.
      boolean bytewise =
          workload.region().fields().get(of.field).element() == FieldKind.Element.BYTES;
      long word = bytewise ? Integer.BYTES : 1;
      for (int place = attempts.length - 1; place >= 0; place--) {
        for (int i = outcome.history.dataCount(attempts[place]) - 1; i >= 0; i--) {
          DataAccess each = outcome.history.data(attempts[place], i);
          if (each.kind() == DataAccess.Kind.WRITE && each.datum() / word == datum / word) {
            return Optional.of(
                String.format(
                    "item %d writes it last by its transaction%s",
                    Integer.toUnsignedLong(outcome.history.item(attempts[place])),
                    each.line() == 0 ? "" : " (line " + each.line() + ")"));
          }
        }
      }
      return Optional.empty();
    }
  }

  /** Ends the serial run that another thread makes, after which there are no more. */
  void end() {
    ended = true;
    own.workload.device().cancelRun();
    Replayer processor = onProcessor;
    if (processor != null) {
      processor.workload.device().cancelRun();
    }
  }

  @Override
  public void close() {
    if (onProcessor != null) {
      onProcessor.close();
    }
    own.close();
  }
}
