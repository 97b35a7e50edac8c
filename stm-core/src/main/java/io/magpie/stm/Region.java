package io.magpie.stm;

import io.magpie.stm.RoundsReport.Round;
import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.LaunchLayout;
import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.internal.RankAllocator;
import io.magpie.stm.simulator.AccessTrace;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Code that runs atomically for each item of a launch.
 *
 * <p>A run returns when every item has committed, was canceled by the region itself, or is reported
 * as unfinished with its cause. Transactions that outgrow their logs are run again with larger
 * ones, in later passes: after all items that fit, whatever their ranks. Lower items have higher
 * ranks: they win conflicts. Its arguments are the region's {@linkplain Fields fields} by name.
 *
 * <p>The timeout ends waits and retries, and makes every call of the transaction fail. An endless
 * loop of the region's own that makes none is interrupted some seconds later and fails the run with
 * a {@link KernelFaultException}: on {@code cpu} and {@code sim} after 5 s, and what the item held,
 * such as memory it allocated, is lost; on a GPU after 10 s, which ends the device. A run that a
 * {@link KernelFaultException} ends leaves transactions in the middle. Objects that it left locked,
 * {@link StmObjects#lockedObjects()}, have suspect data: what they had before, what a commit was
 * writing, or part of it; under policies that write in place also what never commits. All others
 * have what the last commit left that wrote them, those that are {@linkplain
 * StmObjects#claimedObjects() only claimed} among them; where they show some of a commit's writes,
 * that commit stands, and its other writes are in place too. The next run begins with all objects
 * unclaimed; on a GPU, where a fault is the device's end, there is none.
 */
public final class Region {
  private static final long MOST_ITEMS = 1L << 32;
  private static final long MOST_LISTED = 1L << 26;

  /** Rounds in a row without an item that ends, after which a run in rounds is stalled. */
  public static final int IDLE_ROUNDS = 16;

  /** Items of one launch of a round: bounds the room for pushes. */
  private static final long MOST_IN_ROUND = 1L << 24;

  private final OpenModule module;
  private final ModuleTable.Region region;
  private final ArgumentPacker packer;
  private final ByteBuffer functor;
  private final long mostPerLaunch;

  Region(OpenModule module, ModuleTable.Region region) {
    this(module, region, RankAllocator.HIGHEST);
  }

  private Region(OpenModule module, ModuleTable.Region region, long mostPerLaunch) {
    this.module = module;
    this.region = region;
    this.packer = new ArgumentPacker("region " + region.name(), module, region.fields());
    this.functor = ArgumentPacker.buffer(functorBytes(module.table().layout(), region));
    this.mostPerLaunch = mostPerLaunch;
  }

  private static int functorBytes(LaunchLayout layout, ModuleTable.Region region) {
    return region.variants().stream()
        .mapToInt(variant -> variant.kernel().bytes() + 16) // where conflicts are sampled
        .reduce(layout.controlBytes() + 16 + region.bytes(), Math::max);
  }

  /** The same region with shorter launches; for tests of what happens beyond 2^31 - 2 items. */
  Region withMostItemsPerLaunch(long most) {
    return new Region(module, region, most);
  }

  /** The region's name. */
  public String name() {
    return region.name();
  }

  /**
   * The memory that a run with these arguments reaches by its fields, under their names: what can
   * be {@linkplain io.magpie.stm.simulator.AccessTrace.Tracer#setTracing traced}.
   *
   * @throws MagpieException if an argument does not fit its field
   */
  public List<AccessTrace.Memory> memory(Fields arguments) {
    return packer.memory(arguments);
  }

  /**
   * The region's fields by name, in the source's order; those of a struct as {@code member.field}.
   */
  public Map<String, FieldKind> fields() {
    Map<String, FieldKind> fields = new LinkedHashMap<>();
    region.fields().forEach(field -> fields.put(field.name(), field.kind()));
    return fields;
  }

  /**
   * Where a {@linkplain AccessTrace#place place} in the region's code is in the source; see {@link
   * KernelModule#sourceLine}.
   */
  public Optional<String> sourceLine(long place) {
    return module.traced().sourceLine(place);
  }

  /** The device of its module. */
  public Device device() {
    return module.device();
  }

  /** Objects that a transaction's first log holds. */
  public int maxObjects() {
    return region.maxObjects();
  }

  /** Writes that a transaction's first log holds. */
  public int maxWrites() {
    return region.maxWrites();
  }

  /** Items that a transaction pushes at most; -1 if the region does not run in rounds. */
  public int maxPushes() {
    return region.maxPushes();
  }

  /** Whether reads are validated, so that no attempt sees a mix of two states. */
  public boolean opaque() {
    return region.opaque();
  }

  /**
   * Whether the region declares, by {@code order_dependent}, that several results are right and the
   * order of its items decides which one comes about.
   */
  public boolean orderDependent() {
    return region.orderDependent();
  }

  /**
   * Whether the lanes of a warp wait for each other within an attempt: those of a region that
   * seeks, or declares {@code irrevocable}.
   */
  public boolean lanesMeet() {
    return region.lanesMeet();
  }

  /**
   * Runs items 0 to {@code items - 1} with default options; see {@link #run(StmOptions, long,
   * Fields)}.
   */
  public RegionReport run(long items, Fields fields) {
    return run(StmOptions.defaults(), items, fields);
  }

  /**
   * Runs items 0 to {@code items - 1} and waits for them.
   *
   * @param options how to run
   * @param items number of items, from 0 to 2^32; above 2^31 - 2 they run in several launches, one
   *     after the other
   * @param fields values for the region's fields
   * @throws CompilationException if the module has to be compiled for another policy, and cannot be
   *     compiled here; it is compiled before anything else, and takes seconds
   * @throws MagpieException if an argument does not fit its field; the message names both; nothing
   *     ran
   * @throws DeviceOutOfMemoryException if counters, bitmap or {@linkplain Policy#OBSTRUCTION_FREE
   *     descriptors} find no memory; nothing ran. Without memory for larger logs there is a report,
   *     with the items that need them unfinished
   * @throws KernelFaultException if the kernel, or one launched before, broke a rule
   */
  public RegionReport run(StmOptions options, long items, Fields fields) {
    return run(null, options, null, items, fields);
  }

  /**
   * Runs items 0 to {@code items - 1} as {@link #run(StmOptions, long, Fields)} does, and records
   * what their attempts read and wrote. Objects belong to at most {@link Recording#MOST_ARRAYS}
   * arrays.
   *
   * <p>A log without room does not stop the run: ask {@link Recording#requireComplete()} after it.
   *
   * @param recording where to, on the same device
   * @param options how to run
   * @param items number of items, from 0 to 2^32
   * @param fields values for the region's fields
   * @throws IllegalStateException if the module was not compiled for it
   * @throws IllegalArgumentException if the recording is another device's or closed, there are too
   *     many arrays of objects, or the recording's objects would be more than 2^31 - 9
   * @throws CompilationException if the module has to be compiled for another policy, and cannot be
   *     compiled here; it is compiled before anything else, and takes seconds
   * @throws MagpieException if an argument does not fit its field; the message names both; nothing
   *     ran
   * @throws DeviceOutOfMemoryException if logs, versions, counters, bitmap or descriptors find no
   *     memory
   * @throws KernelFaultException if the kernel, or one launched before, broke a rule
   */
  public RegionReport record(Recording recording, StmOptions options, long items, Fields fields) {
    return run(own(recording), options, null, items, fields);
  }

  private DeviceRecording own(Recording recording) {
    return DeviceRecording.of(recording, module.device(), module.loaded().table(), name());
  }

  /**
   * Runs the items of a list and waits for them. Whoever stands earlier in the list has the higher
   * rank, whatever the ids.
   *
   * @param options how to run
   * @param itemIds 32-bit ids of items; an id may occur twice and is then run twice
   * @param count how many ids of the list, from its beginning
   * @param fields values for the region's fields
   * @throws CompilationException if the module has to be compiled for another policy, and cannot be
   *     compiled here; it is compiled before anything else, and takes seconds
   * @throws MagpieException if an argument does not fit its field; the message names both; nothing
   *     ran
   * @throws DeviceOutOfMemoryException if counters, bitmap or {@linkplain Policy#OBSTRUCTION_FREE
   *     descriptors} find no memory; nothing ran. Without memory for larger logs there is a report,
   *     with the items that need them unfinished
   * @throws KernelFaultException if the kernel, or one launched before, broke a rule
   */
  public RegionReport runList(
      StmOptions options, DeviceArray<int[]> itemIds, long count, Fields fields) {
    checkList(itemIds, count);
    return run(null, options, itemIds, count, fields);
  }

  /**
   * Runs the items of a list as {@link #runList} does, and records as {@link #record} does.
   *
   * @param recording where to, on the same device
   * @param options how to run; with one {@linkplain StmOptions#withThreadsInFlight thread in
   *     flight} the items run one after the other, in the order of the list
   * @param itemIds 32-bit ids of items
   * @param count how many ids of the list, from its beginning
   * @param fields values for the region's fields
   */
  public RegionReport recordList(
      Recording recording,
      StmOptions options,
      DeviceArray<int[]> itemIds,
      long count,
      Fields fields) {
    checkList(itemIds, count);
    return run(own(recording), options, itemIds, count, fields);
  }

  /**
   * Starts to run items 0 to {@code items - 1}, after everything asked of the device before, and
   * returns without waiting on a GPU. So the host can go on to what comes next, and the GPU need
   * not wait for the host between the two.
   *
   * <p>What is asked of the device before the run is {@linkplain StartedRun#await awaited} comes
   * after a first attempt at all items, which leaves some unfinished if their logs are full, time
   * is up, or attempts are used up. It has to stand that, as the report tells of it too late.
   *
   * <p>The run's time begins when all that was asked of the device before it is done, and the host
   * waits for it or for something that was asked of the device after it. From then on {@link
   * Device#cancelRun()} ends it, also if that was called before.
   *
   * <p>This call waits for the run where the next work depends on what the host learns from it: if
   * the run has a pool or samples conflicts, is recorded, has more items than one launch, or is
   * under {@link Policy#HIERARCHICAL}, whose objects are readied for each launch. On {@code cpu}
   * and {@code sim} the run has ended, too, when this returns.
   *
   * <p>Calls that wait for a GPU wait for the runs in flight, and end those whose time is up. These
   * are copies from and to Java arrays; new memory, unless memory that was freed does for it; the
   * first launch or run of each kernel; sorting and the like by CUB; and closing a module. Where
   * runs are to be ahead of the GPU, do these before. A second device on the same GPU shares its
   * context: what it frees or closes may wait for this one's runs without ending them, so await
   * those first.
   *
   * @param options how to run
   * @param items number of items, from 0 to 2^32
   * @param fields values for the region's fields; arrays and objects must stay open until the run
   *     has ended, and so must the region's module
   * @return what waits for it; to be awaited or closed, best before what it works on is closed
   * @throws CompilationException if the module has to be compiled for another policy, and cannot be
   *     compiled here; it is compiled before anything else, and takes seconds
   * @throws MagpieException if an argument does not fit its field; the message names both; nothing
   *     ran
   * @throws DeviceOutOfMemoryException if counters, bitmap or {@linkplain Policy#OBSTRUCTION_FREE
   *     descriptors} find no memory; nothing ran
   * @throws KernelFaultException if a kernel launched before broke a rule, or this one where the
   *     call waits for it; else a later call tells of that
   */
  public StartedRun start(StmOptions options, long items, Fields fields) {
    return start(options, null, items, fields);
  }

  /**
   * Starts to run the items of a list, as {@link #start} and {@link #runList} say.
   *
   * @param options how to run
   * @param itemIds 32-bit ids of items; must stay open and as they are until the run has ended
   * @param count how many ids of the list, from its beginning
   * @param fields values for the region's fields
   * @return what waits for it
   */
  public StartedRun startList(
      StmOptions options, DeviceArray<int[]> itemIds, long count, Fields fields) {
    checkList(itemIds, count);
    return start(options, itemIds, count, fields);
  }

  private void checkList(DeviceArray<int[]> itemIds, long count) {
    Objects.requireNonNull(itemIds, "itemIds");
    if (itemIds.device() != module.device()) {
      throw new ArgumentMismatchException(
          "region " + name(),
          "itemIds",
          "an array on " + module.device().description().spec(),
          itemIds.toString());
    }
    Objects.checkFromIndexSize(0, count, itemIds.length());
  }

  /**
   * Runs the items of a worklist and those that they push, round after round, until none waits; see
   * {@link #runRounds(StmOptions, Worklist, Function, Fields)}.
   */
  public RoundsReport runRounds(StmOptions options, Worklist work, Fields fields) {
    return runRounds(options, work, null, fields);
  }

  /**
   * Runs the items of a worklist and those that they push, round after round, until none waits. A
   * round runs what waits at its beginning, in one launch or several; what its commits push, and
   * what it defers, waits for the next one. Deferred items keep their ranks, so all items age.
   * Slots that a round frees can be taken again in its next launch.
   *
   * <p>The run also ends when time is up in a launch, after {@link StmOptions#mostRounds()}, when
   * memory for a round is too little, or when {@value #IDLE_ROUNDS} rounds in a row ended no item;
   * what was not reached waits in the worklist then. {@link StmOptions#maxAttempts()} bounds the
   * attempts of a round: after them an item is deferred.
   *
   * <p>Between a round and the next, when nothing runs, is the time to grow arrays and pools:
   * {@code afterRound} hears of each round, also of the last, and may use the device; other
   * threads' calls wait for the run.
   *
   * @param options how to run
   * @param work the items; empty afterwards, unless the report says otherwise
   * @param afterRound takes what a round did, and gives the fields of the next one or null for the
   *     same again; null = nobody hears of them
   * @param fields values for the region's fields
   * @throws IllegalStateException if the region does not run in rounds: it declares no {@code
   *     max_pushes}; or if the worklist is closed
   * @throws IllegalArgumentException if the worklist is another device's
   * @throws MagpieException if an argument does not fit its field; the message names both; the
   *     round did not run
   * @throws DeviceOutOfMemoryException if the first launch of a round finds no memory; it did not
   *     run, and its items wait
   * @throws KernelFaultException if the kernel, or one launched before, broke a rule
   */
  public RoundsReport runRounds(
      StmOptions options, Worklist work, Function<Round, Fields> afterRound, Fields fields) {
    return runRounds(null, options, work, afterRound, fields);
  }

  /**
   * Runs in rounds as {@link #runRounds(StmOptions, Worklist, Function, Fields)} does, and records
   * as {@link #record} does. Objects that a recording has do not grow until it is reset.
   *
   * @param recording where to, on the same device
   * @param options how to run
   * @param work the items
   * @param afterRound takes what a round did, and gives the fields of the next one or null for the
   *     same again; null = nobody hears of them
   * @param fields values for the region's fields
   */
  public RoundsReport recordRounds(
      Recording recording,
      StmOptions options,
      Worklist work,
      Function<Round, Fields> afterRound,
      Fields fields) {
    return runRounds(own(recording), options, work, afterRound, fields);
  }

  private RoundsReport runRounds(
      DeviceRecording recording,
      StmOptions options,
      Worklist work,
      Function<Round, Fields> afterRound,
      Fields fields) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(work, "work");
    if (region.maxPushes() < 0) {
      throw new IllegalStateException(
          this + " does not run in rounds: declare max_pushes in it, 0 if it pushes nothing");
    }
    if (work.device() != module.device()) {
      throw new IllegalArgumentException(
          work + " is not on " + module.device().description().spec());
    }
    Backend.LoadedModule code = module.loadedFor(name(), options);
    return module
        .device()
        .running(
            () ->
                new RoundsRun(
                        name(),
                        options,
                        work,
                        each -> newRun(code, options, recording, each),
                        Math.min(mostPerLaunch, MOST_IN_ROUND))
                    .run(afterRound, fields));
  }

  private RegionRun newRun(
      Backend.LoadedModule code, StmOptions options, DeviceRecording recording, Fields fields) {
    module.loaded(); // it may have been closed since
    module.runs(code);
    ModuleTable.Region variants = code.table().regions().get(name());
    boolean own = code.table() == module.table();
    int bytes = own ? 0 : functorBytes(code.table().layout(), variants);
    return new RegionRun(
        start -> new Upcoming(this, start),
        module.device(),
        code,
        variants,
        packer,
        bytes <= functor.capacity() ? functor : ArgumentPacker.buffer(bytes),
        options,
        recording,
        packer.bind(fields));
  }

  private RegionReport run(
      DeviceRecording recording,
      StmOptions options,
      DeviceArray<int[]> itemIds,
      long items,
      Fields fields) {
    return inQueue(
        options,
        items,
        code -> runNow(newRun(code, options, recording, fields), address(itemIds), items));
  }

  private StartedRun start(
      StmOptions options, DeviceArray<int[]> itemIds, long items, Fields fields) {
    return inQueue(
        options,
        items,
        code -> {
          RegionRun run = newRun(code, options, null, fields);
          if (!run.canStart(items, mostPerLaunch)) {
            RegionReport report = runNow(run, address(itemIds), items);
            return new StartedRun(module, name(), null, report);
          }
          run.start(items, itemIds);
          return new StartedRun(module, name(), run, null);
        });
  }

  private RegionReport runNow(RegionRun run, long list, long items) {
    return run.run(items, list, mostPerLaunch, Math.min(mostPerLaunch, MOST_LISTED));
  }

  private static long address(DeviceArray<int[]> itemIds) {
    return itemIds == null ? 0 : itemIds.address();
  }

  /** Does something with so many items and the code that runs them. */
  private <T> T inQueue(StmOptions options, long items, Function<Backend.LoadedModule, T> action) {
    Objects.requireNonNull(options, "options");
    if (items < 0 || items > MOST_ITEMS) {
      throw new IllegalArgumentException(
          "region " + name() + ": items must be from 0 to 2^32, got " + items);
    }
    if (region.maxPushes() > 0) {
      throw new IllegalStateException(this + " pushes items: run it in rounds");
    }
    Backend.LoadedModule code = module.loadedFor(name(), options);
    return module.device().running(() -> action.apply(code));
  }

  /** A run of this region, before it begins. */
  private record Upcoming(Region region, RegionRun.Start start) implements RunRecorder.UpcomingRun {
    @Override
    public Map<String, Object> arguments() {
      return start.arguments();
    }

    @Override
    public StmOptions options() {
      return start.options();
    }

    @Override
    public long items() {
      return start.items();
    }

    @Override
    public int[] itemIds() {
      return start.itemIds();
    }

    @Override
    public boolean isRound() {
      return start.isRound();
    }
  }

  @Override
  public String toString() {
    return "region " + region.name() + " of " + module;
  }
}
