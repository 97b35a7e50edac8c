package io.magpie.stm;

import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.RegionReport.Pass;
import io.magpie.stm.RunRecorder.RecordedRun;
import io.magpie.stm.RunRecorder.UpcomingRun;
import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.ControlBlock;
import io.magpie.stm.internal.ControlField;
import io.magpie.stm.internal.Counter;
import io.magpie.stm.internal.Counts;
import io.magpie.stm.internal.LaunchLayout;
import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.internal.RankAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One run of a region, within the device's queue. It launches the region over all items with its
 * own fixed logs; then over those that overflowed with {@link LargerLogs} in scratch memory; at
 * last over each remaining item alone with all of the scratch memory. Items beyond the ranks of one
 * launch go into further launches. Where there is no memory for larger logs, the items that need
 * them are left as overflowed: a run that has begun ends with a report.
 *
 * <p>A run may be {@linkplain #start started}: its first launch is asked of the device, and what
 * follows from its counters is left to {@link #finish}, behind whatever was asked of the device
 * meanwhile.
 */
final class RegionRun {
  /** What launches get for {@link ControlField#BACK_OFF}. */
  static long backOff(StmOptions options) {
    boolean isPolicys = options.backOffNanos() < 0;
    boolean isLinear = options.backOff() == StmOptions.BackOff.LINEAR;
    return Math.min(options.effectiveBackOffNanos(), ControlBlock.LONGEST_BACK_OFF)
        | (isPolicys ? ControlBlock.POLICYS_BACK_OFF : 0)
        | (isLinear ? ControlBlock.LINEAR_BACK_OFF : 0);
  }

  /** Objects of a transaction beyond which it is long; {@code short_transaction} of region.cuh. */
  static final int SHORT_TRANSACTION = 8;

  /**
   * Counters of items that one pass leaves unfinished and the next one runs again; those without a
   * slot are among them outside of rounds.
   */
  private static final List<Counter> LEFT_BY_A_PASS =
      List.of(
          Counter.OVERFLOWS,
          Counter.ATTEMPTS_EXHAUSTED,
          Counter.UNOPENED,
          Counter.TOO_MANY_PUSHES,
          Counter.REVOKED,
          Counter.REQUESTED);

  /** Ids or ranks of a list that are read at once. */
  private static final int LIST_PIECE = 1 << 18;

  /** Locked objects of an array that a fault's message names. */
  private static final int NAMED = 8;

  /** Most elements of a Java array. */
  private static final int MOST_ELEMENTS = Integer.MAX_VALUE - 8;

  private final Device device;
  private final Backend backend;
  private final RunBuffers buffers;
  private final Backend.LoadedModule loaded;
  private final LaunchLayout layout;
  private final Function<Start, UpcomingRun> announced;
  private final ModuleTable.Region region;
  private final ArgumentPacker packer;
  private final ByteBuffer functor;
  private final StmOptions options;
  private final Object[] arguments;
  private final List<StmObjects> objects;
  private final SlotPool[] pools;
  private DeviceRecording recording;

  /** The variant whose functor has the arguments as they are; null if there is none. */
  private ModuleTable.Variant packed;

  /** What the run has for itself from its beginning to its end. */
  private RunBuffers.OfRun own;

  /** The launch that was started; null before, and in runs that are waited for. */
  private Launches started;

  /** The list of its items, which may be closed before it has ended; null if there is none. */
  private DeviceArray<int[]> startedList;

  /** Who asked for the recording, until it is told the end; null where nobody did. */
  private RunRecorder recorder;

  private final Counts counters;
  private final Counts latest;
  private final List<Pass> passes = new ArrayList<>();
  private long[] unfinished = new long[0];

  /** Ranks of all positions, in their order; kept for a recorder only. */
  private final List<Integer> givenRanks = new ArrayList<>();

  /** Ranks of unfinished and deferred positions; kept for a recorder only. */
  private final List<Integer> leftRanks = new ArrayList<>();

  private boolean timedOut;
  private String whyNoLargerLogs;
  private boolean cutShort;

  /** Address of where conflicts are counted by object; 0 = nowhere. */
  private long conflicts;

  /**
   * @param announced what the device's recorder is told of the run's start
   * @param recording where attempts are recorded; null = where the device's recorder says
   */
  RegionRun(
      Function<Start, UpcomingRun> announced,
      Device device,
      Backend.LoadedModule loaded,
      ModuleTable.Region region,
      ArgumentPacker packer,
      ByteBuffer functor,
      StmOptions options,
      DeviceRecording recording,
      Object[] arguments) {
    this.announced = announced;
    this.device = device;
    this.backend = device.backend();
    this.loaded = loaded;
    this.layout = loaded.table().layout();
    this.buffers = RunBuffers.of(device, layout.counterWords());
    this.counters = new Counts(layout);
    this.latest = new Counts(layout);
    this.region = region;
    this.packer = packer;
    this.functor = functor;
    this.options = options;
    this.recording = recording;
    this.arguments = arguments;
    this.objects = packer.objectsIn(arguments);
    this.pools = packer.poolsIn(arguments);
  }

  /**
   * Runs all items.
   *
   * @param items number of items
   * @param list address of their ids; 0 = ids are 0 to items - 1
   * @param mostPerLaunch most items of one launch
   * @param mostListed most items of one launch that needs a list made for it
   */
  RegionReport run(long items, long list, long mostPerLaunch, long mostListed) {
    return told(() -> runAll(items, list, mostPerLaunch, mostListed));
  }

  /**
   * Whether the run can be started: the device returns before it has done a launch, one launch does
   * for all items, and nothing is to be done between it and what is asked of the device next.
   */
  boolean canStart(long items, long mostPerLaunch) {
    return backend.launchesEarly()
        && items > 0
        && items <= mostPerLaunch
        && recording == null
        && device.runRecorder() == null
        && pools.length == 0
        && !options.conflictSampling()
        && !options.policy().hasWordsOfLaunch();
  }

  /**
   * Starts a run that {@linkplain #canStart can be started}, for {@link #finish} or {@link
   * #abandon} later.
   *
   * @param itemIds the list of its items; null = ids are 0 to items - 1
   */
  void start(long items, DeviceArray<int[]> itemIds) {
    try {
      long list = itemIds == null ? 0 : itemIds.address();
      prepare(new Start(items, list, null));
      Launches launches = new Launches(0, items, list, RankAllocator.HIGHEST, null);
      // The device's queue is in order, so ranks can be given anew to what is asked of it next.
      guarded(launches, items, launches::start);
      started = launches;
      startedList = itemIds;
    } catch (RuntimeException | Error e) {
      end();
      throw e;
    }
  }

  /**
   * Waits for a run that was started, and does what is left of it.
   *
   * @param module what the code that runs is of, which may have been closed
   */
  RegionReport finish(OpenModule module) {
    return told(
        () -> {
          guarded(started, 0, started::awaitFirst);
          if (startedList != null && !started.leftNothing()) {
            startedList.address(); // is read for ids: by larger logs, or for the report
          }
          if (started.needsLargerLogs()) {
            module.loaded();
            // Another run may have used them under another policy.
            objects.forEach(each -> each.prepare(options.policy()));
          }
          guarded(started, started.count, started::goOn);
          return report(started.count);
        });
  }

  /** Waits for a run that was started, and leaves undone what it did not do. */
  void abandon() {
    try {
      guarded(started, 0, started::awaitFirst);
    } finally {
      end();
    }
  }

  /** Gives back what the run had for itself; further calls change nothing. */
  void end() {
    if (own != null) {
      buffers.giveBack(own);
      own = null;
    }
  }

  private RegionReport runAll(long items, long list, long mostPerLaunch, long mostListed) {
    prepare(new Start(items, list, null));
    if (list == 0 && items > mostPerLaunch) {
      // Before the first launch: a run that has begun ends with a report.
      buffers.list(Math.min(items - mostPerLaunch, mostListed));
    }
    long done = 0;
    while (done < items) {
      boolean needsList = list == 0 && done > 0;
      long count = Math.min(items - done, needsList ? mostListed : mostPerLaunch);
      long ids = needsList ? listOf(done, count) : list == 0 ? 0 : list + done * 4;
      launchAll(items, done, count, ids);
      done += count;
    }
    return report(items);
  }

  /**
   * Runs what waits in a worklist once, and leaves there what it deferred and pushed.
   *
   * @param firstRank the highest rank that no item has yet
   * @param mostPerLaunch most items of one launch
   */
  RegionReport runRound(Worklist work, long firstRank, long mostPerLaunch) {
    return told(() -> runWaiting(work, firstRank, mostPerLaunch));
  }

  private RegionReport runWaiting(Worklist work, long firstRank, long mostPerLaunch) {
    prepare(new Start(work.waiting(), 0, work));
    long nextRank = firstRank;
    long items = work.waiting();
    long done = 0;
    while (done < items) {
      long count = Math.min(items - done, mostPerLaunch);
      ControlBlock.Rounds rounds = room(work, done, count);
      launch(
          new Launches(done, count, work.address(done), (int) nextRank, rounds),
          count - rounds.carried());
      nextRank -= count - rounds.carried();
      work.launched(latest.of(Counter.DEFERRED), latest.of(Counter.PUSHED));
      done += count;
    }
    work.endRound();
    return report(items);
  }

  /**
   * Room for what a launch leaves. If there is none once a round has begun, its rest is deferred.
   */
  private ControlBlock.Rounds room(Worklist work, long first, long count) {
    try {
      return work.launch(first, count, stopped() ? 0 : region.maxPushes(), options.deferral());
    } catch (DeviceOutOfMemoryException e) {
      if (first == 0) {
        throw e;
      }
      cutShort = true;
      return work.launch(first, count, 0, options.deferral());
    }
  }

  /** Whether the rest of the round is only to be deferred. */
  private boolean stopped() {
    return timedOut || cutShort;
  }

  /** Whether memory was too little for the rest of the round, which is deferred. */
  boolean roundCutShort() {
    return cutShort;
  }

  /** Runs, and tells the recorder if that failed. */
  private RegionReport told(Supplier<RegionReport> run) {
    try {
      return run.get();
    } catch (RuntimeException | Error e) {
      if (recorder != null) {
        try {
          recorder.failed(region.name());
        } catch (RuntimeException | Error second) {
          e.addSuppressed(second);
        }
      }
      throw e;
    } finally {
      end();
    }
  }

  /** In this order: nothing changes before all arguments are known to fit. */
  private void prepare(Start start) {
    checkArguments();
    RunRecorder asking = recording == null ? device.runRecorder() : null;
    Recording asked = asking == null ? null : asking.begin(announced.apply(start));
    if (asking != null) {
      packed = null; // it may have run the same region
    }
    if (asked != null) {
      recorder = asking;
      recording = DeviceRecording.of(asked, device, loaded.table(), region.name());
    }
    if (recording != null) {
      // By datum only where turns order all who have an object open.
      boolean ordered = options.policy().hasVisibleReads();
      recording.use(loaded.table(), objects, ordered ? packer.memoryOf(arguments) : List.of());
    }
    for (StmObjects each : objects) {
      if (!each.isReadyFor(options.policy())) {
        packed = null; // it may have other memory then
        each.prepare(options.policy());
      }
    }
    own = buffers.take(start.items);
    if (recording != null) {
      recording.use(objects); // which may have other memory now
    }
    if (options.conflictSampling()) {
      conflicts = buffers.noConflicts();
    }
  }

  private RegionReport report(long items) {
    RegionReport report =
        new RegionReport(
            region.name(),
            region.maxPushes(),
            device.description().spec(),
            options,
            items,
            counters,
            unfinished,
            timedOut,
            device.cancellation().wasAsked() || (started != null && started.canceled),
            whyNoLargerLogs,
            passes,
            conflictCounts());
    if (recorder != null) {
      RunRecorder ending = recorder;
      recorder = null;
      ending.end(
          new RecordedRun(report, region.opaque(), objects, recording, givenRanks, leftRanks));
    }
    return report;
  }

  /** The conflicts by object; null where they were not counted. */
  private ConflictCounts conflictCounts() {
    if (conflicts == 0) {
      return null;
    }
    long[] words = new long[ConflictCounts.WORDS];
    backend.read(conflicts, words, 0, words.length);
    return ConflictCounts.of(words, packer.memoryOf(arguments));
  }

  /** Packs once without launching, so that bad arguments show even when there are no items. */
  void checkArguments() {
    ModuleTable.Variant fixed = fixedVariant();
    packer.pack(arguments, functor, fixed.regionOffset());
    packed = fixed;
    objects.forEach(each -> each.requireFit(options.policy()));
  }

  /** The region with its own logs. */
  private ModuleTable.Variant fixedVariant() {
    return region.variant(options.policy().kernelName(), false);
  }

  private long listOf(long first, long count) {
    long address = buffers.list(count);
    int[] chunk = new int[(int) Math.min(count, 1 << 20)];
    for (long done = 0; done < count; done += chunk.length) {
      int part = (int) Math.min(chunk.length, count - done);
      for (int i = 0; i < part; i++) {
        chunk[i] = (int) (first + done + i);
      }
      backend.write(chunk, 0, part, address + done * 4);
    }
    return address;
  }

  /** One launch of a run; its ranks are those below the launches before, while there are enough. */
  private void launchAll(long items, long firstItem, long count, long list) {
    long firstRank = RankAllocator.HIGHEST;
    for (StmObjects each : objects) {
      firstRank = Math.min(firstRank, each.ranks().next());
    }
    if (items <= firstRank) {
      firstRank -= firstItem;
    }
    launch(new Launches(firstItem, count, list, (int) firstRank, null), count);
  }

  /**
   * @param newRanks how many ranks the launch takes, from its first one down
   */
  private void launch(Launches launches, long newRanks) {
    objects.forEach(StmObjects::beginLaunch);
    guarded(
        launches,
        newRanks,
        () -> {
          if (recorder != null) {
            launches.noteRanks();
          }
          if (recording != null) {
            recording.requireSlotsFor(launches.count);
          }
          launches.run();
          if (recorder != null) {
            launches.noteDeferred();
          }
          for (int i = 0; i < pools.length; i++) {
            settle(i, launches);
          }
        });
  }

  /**
   * Does a part of launches within their ranks; if it fails, objects and pools are to be readied
   * before they are used again.
   *
   * @param newRanks how many ranks the part takes, from the launches' first one down
   */
  private void guarded(Launches launches, long newRanks, Runnable part) {
    for (StmObjects each : objects) {
      each.ranks().begin(launches.firstRank, newRanks);
    }
    try {
      part.run();
    } catch (KernelFaultException e) {
      spoil();
      throw withSuspects(e);
    } catch (RuntimeException | Error e) {
      spoil();
      throw e;
    } finally {
      objects.forEach(each -> each.ranks().end());
    }
  }

  /** Gives a pool what the launches did to it; that they broke its rules shows only then. */
  private void settle(int number, Launches launches) {
    SlotPool pool = pools[number];
    if (pool == null) {
      return;
    }
    Optional<String> broken =
        pool.settle(
            latest.of(Counter.POOLS, 2 * number),
            latest.of(Counter.POOLS, 2 * number + 1),
            loaded.table().checked() || recording != null);
    if (broken.isPresent()) {
      throw new KernelFaultException(
          launches.kernel,
          String.valueOf(launches.shape),
          String.format(
              Locale.ROOT,
              "rule of the library broken: region %s misused pool '%s': %s",
              region.name(),
              packer.poolName(number),
              broken.get()),
          false);
    }
  }

  private void spoil() {
    objects.forEach(StmObjects::spoil);
    for (SlotPool each : pools) {
      if (each != null) {
        each.spoil();
      }
    }
  }

  /** Names the objects that the fault left locked, where there is a device left to ask. */
  private KernelFaultException withSuspects(KernelFaultException fault) {
    if (fault.deviceDead()) {
      return fault;
    }
    StringBuilder suspects = new StringBuilder();
    for (StmObjects each : objects) {
      long locked = each.locked();
      if (locked > 0) {
        suspects.append(
            suspects.isEmpty() ? "; still locked, so that their data are suspect: " : ", ");
        suspects.append(String.format(Locale.ROOT, "%,d of %s (", locked, each));
        StringJoiner ids = new StringJoiner(", ", "", locked > NAMED ? ", ...)" : ")");
        Arrays.stream(each.firstLocked(NAMED)).forEach(id -> ids.add(Long.toString(id)));
        suspects.append(ids);
      }
    }
    return suspects.isEmpty() ? fault : new KernelFaultException(fault, suspects.toString());
  }

  /** How the run starts: what a recorder is told, but for the region. */
  final class Start {
    private final long items;
    private final long list;
    private final Worklist work;

    /**
     * @param list address of the items' ids; 0 = ids are 0 to items - 1
     * @param work the round's items in place of a list; null outside of rounds
     */
    private Start(long items, long list, Worklist work) {
      this.items = items;
      this.list = list;
      this.work = work;
    }

    Map<String, Object> arguments() {
      return packer.byField(arguments);
    }

    StmOptions options() {
      return options;
    }

    long items() {
      return items;
    }

    int[] itemIds() {
      if (work != null) {
        return work.items();
      }
      int[] ids = new int[Math.toIntExact(items)];
      if (list == 0) {
        Arrays.setAll(ids, i -> i);
      } else if (ids.length > 0) {
        backend.read(list, ids, 0, ids.length);
      }
      return ids;
    }

    boolean isRound() {
      return work != null;
    }
  }

  /** The passes over the items that share one interval of ranks. */
  private final class Launches {
    private final long firstItem;
    private final long count;
    private final long list;
    private final int firstRank;
    private final long pending;
    private final ControlBlock.Rounds rounds;

    /** The region with its own logs, and the grid that it has. */
    private final ModuleTable.Variant fixed;

    private final Backend.Grid grid;

    /** Memory for descriptors of transactions with these logs; 0 if the policy has none. */
    private final long descriptors;

    /** Whether there is a list behind the bits, where later launches may have bits of their own. */
    private boolean hasListed;

    /** What the first pass is told, and what the others differ from. */
    private ControlBlock control;

    /** The first pass, and what watches it, where it was started. */
    private Backend.Started first;

    private Backend.Watch watch;

    /** Whether a first pass that was started was canceled, or what it left. */
    private boolean canceled;

    /** Whether the watchdog ended the latest pass. */
    private boolean ended;

    /** The latest one's kernel, and its shape. */
    private String kernel;

    private Backend.Grid shape;

    /**
     * @param rounds the part in a run in rounds; null outside of one
     */
    Launches(long firstItem, long count, long list, int firstRank, ControlBlock.Rounds rounds) {
      this.firstItem = firstItem;
      this.count = count;
      this.list = list;
      this.firstRank = firstRank;
      this.pending = own.pending(count);
      this.rounds = rounds;
      this.fixed = fixedVariant();
      this.grid = firstGrid();
      options.policy().requireThreads(grid.threads());
      this.descriptors =
          !options.policy().hasDescriptors()
              ? 0
              : buffers.descriptors(
                  options.policy().bytesBeforeScratch(), grid.threads(), descriptorBytes());
    }

    /** What was asked for, or what suits the device and the region. */
    private Backend.Grid firstGrid() {
      Backend.Grid suitable = firstGrid(options.threadsInFlight());
      if (options.threadsInFlight() != 0 || !region.scatteredAccesses()) {
        return suitable;
      }
      long threads =
          ThreadsInFlight.forScatteredAccesses(
              suitable.threads(),
              device.warpWidth(),
              count,
              packer.bytesOfObjects(arguments),
              backend.l2CacheBytes());
      return threads == suitable.threads() ? suitable : firstGrid(threads);
    }

    /**
     * @param most bound of threads; 0 = what suits the device
     */
    private Backend.Grid firstGrid(long most) {
      return backend.gridForTransactions(
          loaded, fixed.kernel(), lanesFor(count), most, options.seed());
    }

    /** Of one thread. */
    private long descriptorBytes() {
      return options.policy().threadBytes(region.maxObjects(), region.maxWrites());
    }

    void run() {
      begin();
      pass(fixed, control, grid, region.maxObjects(), region.maxWrites());
      goOn();
    }

    private void begin() {
      // Until the counters say otherwise: a fault may leave bits set.
      own.pendingIsDirty();
      own.resetCounters();
      if (rounds != null && stopped()) {
        own.stopAll();
      }
      latest.clear();
      control = control();
      if (descriptors != 0) {
        long used = grid.threads() * descriptorBytes();
        control.set(ControlField.SCRATCH, behindZeros(descriptors, used));
      }
    }

    /** The first pass, without waiting for it. */
    void start() {
      begin();
      watch = new Backend.Watch(own.stop(), options.timeout().toNanos());
      ready(fixed, control, grid);
      first = backend.start(loaded, fixed.kernel(), functor, grid, watch, readBack());
      device.cancellation().started(watch);
    }

    /**
     * Waits for the first pass that was started. A cancel that comes behind its end ends the run if
     * larger logs would be next.
     */
    void awaitFirst() {
      try {
        passed(first.await(), grid, region.maxObjects(), region.maxWrites());
        canceled = watch.canceled() && (ended || hasOverflows());
        ended |= canceled;
        timedOut |= canceled;
      } finally {
        device.cancellation().ended(watch);
      }
    }

    private boolean hasOverflows() {
      return latest.of(Counter.OVERFLOWS) > 0;
    }

    /** Whether larger logs are to run what the latest pass left. */
    boolean needsLargerLogs() {
      return hasOverflows() && !ended;
    }

    /** What is left after the first pass. */
    void goOn() {
      if (!ended && runWithLargerLogs()) {
        return;
      }
      counters.add(latest);
      if (!hasListed && leftNothing()) {
        own.pendingIsClear();
      } else {
        addUnfinished(positionsIn(pending));
      }
    }

    /** Whether the latest pass left no item unfinished. */
    boolean leftNothing() {
      long without = rounds == null ? latest.of(Counter.NO_SLOT) : 0;
      if (latest.of(Counter.STOPPED) + without != 0) {
        return false;
      }
      for (Counter each : LEFT_BY_A_PASS) {
        if (latest.of(each) != 0) {
          return false;
        }
      }
      return true;
    }

    /**
     * Where scratch memory begins in this: behind what the policy has in front of it. Simulated,
     * all that is used is zeros: needless looks at descriptors then take the same steps whatever
     * the memory held before.
     */
    private long behindZeros(long memory, long used) {
      long before = options.policy().bytesBeforeScratch();
      if (before > 0) {
        long zeros = device.machine() == Machine.SIM ? before + used : before;
        backend.fill(memory, 0, 8, zeros / 8);
      }
      return memory + before;
    }

    private ControlBlock control() {
      ControlBlock control =
          new ControlBlock(layout)
              .set(ControlField.ITEMS, count)
              .set(ControlField.LIST, list)
              .set(ControlField.PENDING, pending)
              .set(ControlField.STATISTICS, own.statistics())
              .set(ControlField.STOP, own.stop())
              .set(ControlField.FIRST_RANK, firstRank)
              .set(ControlField.MAX_ATTEMPTS, options.maxAttempts())
              .set(ControlField.POLLS, options.polls())
              .set(ControlField.BACK_OFF, backOff(options))
              .set(ControlField.GIVE_WAY, options.giveWay() == StmOptions.GiveWay.ROLL_BACK)
              .set(ControlField.LANES, lanes())
              .set(ControlField.EAGER_ATTEMPTS, options.effectiveEagerAttempts(region.maxObjects()))
              .set(ControlField.HISTORY, recording == null ? 0 : recording.address());
      if (conflicts != 0) {
        control
            .set(ControlField.CONFLICTS_WORDS, conflicts)
            .set(ControlField.CONFLICTS_SLOTS, ConflictCounts.SLOTS);
      }
      if (rounds != null) {
        control.set(rounds);
      }
      for (int i = 0; i < pools.length; i++) {
        if (pools[i] != null) {
          control.set(i, pools[i].returned());
        }
      }
      return control;
    }

    /**
     * Runs the items whose logs overflowed, pass after pass, as long as a larger log finds memory.
     *
     * @return whether the last of them ran one by one, which adds their counts
     */
    private boolean runWithLargerLogs() {
      for (int number = 1; needsLargerLogs() && largerLogsAreThere(); number++) {
        ModuleTable.Variant paged = pagedVariant();
        Backend.Grid most =
            backend.gridForTransactions(loaded, paged.kernel(), lanesFor(count), 0, options.seed());
        LargerLogs logs =
            LargerLogs.of(
                number,
                region.maxObjects(),
                region.maxWrites(),
                Math.max(0, options.scratchBytes() - options.policy().bytesBeforeScratch()),
                device.warpWidth(),
                Math.min(inFlight(most.threads()), options.policy().mostThreads()),
                options.policy());
        if (logs.objects() == 0) {
          return false;
        }
        if (logs.alone()) {
          long[] positions = positionsIn(pending);
          if (!tailIsThere(positions.length)) {
            return false;
          }
          oneByOne(positions, logs);
          return true;
        }
        Backend.Grid pagedGrid =
            logs.threads() == most.threads()
                ? most
                : backend.gridForTransactions(
                    loaded, paged.kernel(), lanesFor(count), logs.threads(), options.seed());
        forgetUnfinished();
        ControlBlock next = paged(logs).set(ControlField.ONLY_PENDING, onlyPending());
        pass(paged, next, pagedGrid, logs.objects(), logs.writes());
      }
      return false;
    }

    /**
     * Before a pass that runs every pending item again, whatever left it pending, and counts again
     * what it leaves.
     */
    private void forgetUnfinished() {
      LEFT_BY_A_PASS.forEach(this::reset);
      if (rounds == null) {
        reset(Counter.NO_SLOT);
      }
    }

    private void reset(Counter counter) {
      own.resetCounter(layout.place(counter));
    }

    /**
     * Lists what is pending, if there is room behind the bits: the next pass then walks no more.
     */
    private int onlyPending() {
      long words = (count + 31) / 32;
      if (latest.of(Counter.OVERFLOWS) > words) {
        return ControlBlock.BY_BITS;
      }
      long[] positions = positionsIn(pending);
      if (positions.length == 0 || positions.length > words) {
        return ControlBlock.BY_BITS;
      }
      int[] listed = Arrays.stream(positions).mapToInt(position -> (int) position).toArray();
      backend.write(listed, 0, listed.length, pending + 4 * words);
      hasListed = true;
      return listed.length;
    }

    private boolean largerLogsAreThere() {
      if (!region.has(options.policy().kernelName(), true)) {
        whyNoLargerLogs = "no larger one was compiled: leave out MAGPIE_ONLY_FIXED_LOGS";
        return false;
      }
      try {
        buffers.scratch(options.scratchBytes());
        return true;
      } catch (DeviceOutOfMemoryException e) {
        whyNoLargerLogs = "no larger one found memory: " + e.getMessage();
        return false;
      }
    }

    private boolean tailIsThere(int positions) {
      try {
        buffers.tail(2L * positions);
        return true;
      } catch (DeviceOutOfMemoryException e) {
        whyNoLargerLogs = "no larger one found memory: " + e.getMessage();
        return false;
      }
    }

    private ModuleTable.Variant pagedVariant() {
      return region.variant(options.policy().kernelName(), true);
    }

    /** The same launch with larger logs. */
    private ControlBlock paged(LargerLogs logs) {
      return control
          .copy()
          .set(
              ControlField.SCRATCH,
              behindZeros(buffers.scratch(options.scratchBytes()), logs.bytes(options.policy())))
          .set(ControlField.SCRATCH_OBJECTS, logs.objects())
          .set(ControlField.SCRATCH_WRITES, logs.writes())
          .set(ControlField.EAGER_ATTEMPTS, options.effectiveEagerAttempts((int) logs.objects()));
    }

    /**
     * Lanes to launch for this many items: whole warps each if the transactions are long, or alone.
     */
    private long lanesFor(long items) {
      boolean alone = options.policy().defaultLanes() == 1 && options.lanes() == 0;
      boolean whole = alone || region.maxObjects() > SHORT_TRANSACTION;
      return whole ? items * device.warpWidth() : items;
    }

    /** Lanes of a warp that may be inside; fewer than it has where one warp is too many threads. */
    private int lanes() {
      int width = device.warpWidth();
      int threads = options.threadsInFlight();
      int lanes = options.lanes() != 0 ? options.lanes() : options.policy().defaultLanes();
      return threads == 0 || threads >= width
          ? lanes
          : Math.min(threads, lanes == 0 ? width : lanes);
    }

    private long inFlight(long threads) {
      return options.threadsInFlight() == 0
          ? threads
          : Math.min(threads, options.threadsInFlight());
    }

    /** Runs one kernel over all positions. */
    private void pass(
        ModuleTable.Variant variant,
        ControlBlock control,
        Backend.Grid grid,
        long objectCapacity,
        long writeCapacity) {
      Backend.Completion end = launch(variant, control, grid, options.timeout().toNanos());
      passed(end, grid, objectCapacity, writeCapacity);
    }

    private void passed(
        Backend.Completion end, Backend.Grid grid, long objectCapacity, long writeCapacity) {
      ended = end.timedOut();
      timedOut |= ended;
      passes.add(
          new Pass(
              inFlight(grid.threads()),
              objectCapacity,
              writeCapacity,
              latest.of(Counter.OVERFLOWS),
              end.millis()));
    }

    private Backend.Completion launch(
        ModuleTable.Variant variant, ControlBlock control, Backend.Grid grid, long timeoutNanos) {
      ready(variant, control, grid);
      Backend.Watch watch = new Backend.Watch(own.stop(), timeoutNanos);
      device.cancellation().watch(watch);
      return backend.run(loaded, variant.kernel(), functor, grid, watch, readBack());
    }

    /** Writes the functor of a launch. */
    private void ready(ModuleTable.Variant variant, ControlBlock control, Backend.Grid grid) {
      if (recording != null) {
        recording.makeRoom(grid.threads());
      }
      control.writeTo(functor);
      if (variant != packed) {
        packer.pack(arguments, functor, variant.regionOffset());
      }
      packed = null; // pools are other ones then, and so may be what another run packs
      kernel = variant.kernel().name();
      shape = grid;
    }

    private Backend.ReadBack readBack() {
      return new Backend.ReadBack(own.statistics(), latest.words());
    }

    /**
     * Runs each pending position in a launch of its own, whose one transaction has all the memory.
     */
    private void oneByOne(long[] positions, LargerLogs logs) {
      ModuleTable.Variant variant = pagedVariant();
      int[] ranks = ranksAt(positions);
      long[] items = itemsAt(positions);
      int[] ids = new int[items.length];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = (int) items[i];
      }
      // The ids, and behind them a word for each that becomes 1 if the item does not finish.
      long idList = buffers.tail(2L * ids.length);
      long words = idList + 4L * ids.length;
      backend.write(ids, 0, ids.length, idList);
      backend.fill(words, 0, 4, ids.length);
      forgetUnfinished();
      Backend.Grid grid =
          backend.gridForTransactions(loaded, variant.kernel(), 1, 1, options.seed());
      ControlBlock one = paged(logs).set(ControlField.ITEMS, 1);
      if (rounds != null) {
        one.set(rounds.alone());
      }
      long begin = System.nanoTime();
      double millis = 0;
      boolean stopped = false;
      int done = 0;
      for (; done < ids.length && !stopped; done++) {
        long timeout = options.timeout().toNanos();
        if (timeout > 0) {
          timeout = Math.max(1, timeout - (System.nanoTime() - begin));
        }
        one.set(ControlField.LIST, idList + 4L * done)
            .set(ControlField.PENDING, words + 4L * done)
            .set(ControlField.FIRST_RANK, ranks[done]);
        Backend.Completion end = launch(variant, one, grid, timeout);
        millis += end.millis();
        stopped = end.timedOut();
      }
      timedOut |= stopped;
      passes.add(new Pass(1, logs.objects(), logs.writes(), latest.of(Counter.OVERFLOWS), millis));
      latest.add(Counter.STOPPED, ids.length - done);
      counters.add(latest);
      int[] remains = new int[ids.length];
      backend.read(words, remains, 0, remains.length);
      int ran = done;
      addUnfinished(
          java.util.stream.IntStream.range(0, ids.length)
              .filter(i -> i >= ran || remains[i] != 0)
              .mapToLong(i -> positions[i])
              .toArray());
    }

    /** The positions whose bit is set. */
    private long[] positionsIn(long bitmap) {
      long[] found = new long[16];
      int size = 0;
      long words = (count + 31) / 32;
      int[] chunk = new int[(int) Math.min(words, 1 << 18)];
      for (long at = 0; at < words; at += chunk.length) {
        int part = (int) Math.min(chunk.length, words - at);
        backend.read(bitmap + at * 4, chunk, 0, part);
        for (int i = 0; i < part; i++) {
          for (int bits = chunk[i]; bits != 0; bits &= bits - 1) {
            if (size == found.length) {
              found = Arrays.copyOf(found, grown(size));
            }
            found[size++] = (at + i) * 32 + Integer.numberOfTrailingZeros(bits);
          }
        }
      }
      return Arrays.copyOf(found, size);
    }

    /** The items at ascending positions. */
    private long[] itemsAt(long[] positions) {
      return list == 0
          ? Arrays.stream(positions).map(position -> firstItem + position).toArray()
          : Arrays.stream(wordsAt(list, positions, positions.length))
              .mapToLong(Integer::toUnsignedLong)
              .toArray();
    }

    /** The ranks at ascending positions. */
    private int[] ranksAt(long[] positions) {
      int carried = rounds == null ? 0 : rounds.carried();
      int old = 0;
      while (old < positions.length && positions[old] < carried) {
        old++;
      }
      int[] ranks =
          Arrays.copyOf(
              old == 0 ? new int[0] : wordsAt(rounds.carriedRanks(), positions, old),
              positions.length);
      for (int i = old; i < ranks.length; i++) {
        ranks[i] = firstRank - (int) (positions[i] - carried);
      }
      return ranks;
    }

    /** Words of a list at the first {@code count} of ascending positions, read in long pieces. */
    private int[] wordsAt(long address, long[] positions, int count) {
      int[] words = new int[count];
      int[] chunk = new int[0];
      long begin = 0;
      long end = 0;
      for (int i = 0; i < count; i++) {
        long position = positions[i];
        if (position >= end) {
          long last = positions[count - 1];
          int part = (int) Math.min(LIST_PIECE, last + 1 - position);
          chunk = chunk.length >= part ? chunk : new int[part];
          backend.read(address + position * 4, chunk, 0, part);
          begin = position;
          end = position + part;
        }
        words[i] = chunk[(int) (position - begin)];
      }
      return words;
    }

    private void addUnfinished(long[] positions) {
      int before = unfinished.length;
      if (positions.length > MOST_ELEMENTS - before) {
        throw new MagpieException(
            "region "
                + region.name()
                + ": more than "
                + MOST_ELEMENTS
                + " items are unfinished: run fewer at a time");
      }
      unfinished = Arrays.copyOf(unfinished, before + positions.length);
      System.arraycopy(itemsAt(positions), 0, unfinished, before, positions.length);
      if (recorder != null) {
        Arrays.stream(ranksAt(positions)).forEach(leftRanks::add);
      }
    }

    /** Notes the ranks of all positions. */
    void noteRanks() {
      int carried = rounds == null ? 0 : rounds.carried();
      if (carried > 0) {
        noteWords(rounds.carriedRanks(), carried, givenRanks);
      }
      for (long i = 0; i < count - carried; i++) {
        givenRanks.add(firstRank - (int) i);
      }
    }

    /** After the last pass: notes the ranks of what it and those before it deferred. */
    void noteDeferred() {
      int deferred = (int) latest.of(Counter.DEFERRED);
      if (deferred > 0) {
        noteWords(rounds.deferredRanks() - 4L * deferred, deferred, leftRanks);
      }
    }

    private void noteWords(long address, int count, List<Integer> target) {
      int[] words = new int[count];
      backend.read(address, words, 0, count);
      Arrays.stream(words).forEach(target::add);
    }
  }

  /** A longer length for an array that is full. */
  static int grown(int length) {
    if (length == MOST_ELEMENTS) {
      throw new MagpieException("more than " + MOST_ELEMENTS + " items are unfinished");
    }
    return (int) Math.min(MOST_ELEMENTS, 2L * length);
  }
}
