package io.magpie.verification.workload;

import io.magpie.stm.CompilationException;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.FieldKind;
import io.magpie.stm.FieldKind.Form;
import io.magpie.stm.KernelModule;
import io.magpie.stm.MagpieException;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RoundsReport;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.stm.Worklist;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.data.Commit;
import io.magpie.verification.data.DeclaredSlots;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A region of somebody's own, compiled so that it can be recorded, with arguments made to order.
 */
public final class RegionWorkload implements Workload {
  /** Items of a run on processors that is traced, at most. */
  public static final long MOST_TRACED_ITEMS = 1_000;

  /** Items that a run in rounds may begin with. */
  public static final int MOST_ITEMS_IN_ROUNDS = Integer.MAX_VALUE - 8;

  /**
   * Threads of a processor, also of one with fewer cores, for items to meet that are traced: faults
   * of three or four items show on no fewer.
   */
  public static final int LEAST_THREADS = 8;

  /** In a declaration, that an array holds no slots' numbers. */
  private static final String NO_POOL = "none";

  /** Says that the elements of an array are not those of slots. */
  private static final String UNINDEXED = "unindexed";

  /** What a region can be called. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final Pattern STRUCT_OR_LIMIT =
      Pattern.compile("\\bstruct\\s+(\\w+)\\s*\\{|\\bmax_objects\\b");

  /** An include of what need not be the library's, nor of the C++ library. */
  private static final Pattern OWN_HEADER =
      Pattern.compile(
          "#\\s*(import|include_next)\\b"
              + "|#\\s*include\\s*(?!\\s|<\\w+>"
              + "|[\"<]magpie/(stm|kernel|host|(stm|parallel|platform)/\\w+)\\.(cuh|hpp)[\">])");

  /** Somebody's own opinion of a run, whose data are still there. */
  @FunctionalInterface
  public interface Judge {
    /** What is wrong, if anything is. */
    Optional<Violation> complaint(History history, Verdict verdict);
  }

  /**
   * The runs that a region is compiled for.
   *
   * @param policy who goes first in all of them
   * @param oneLaunch whether each is one launch, so that no larger logs are needed: transactions
   *     that outgrow theirs are left unfinished
   * @param traced whether every access is seen, where the compiler can do that: on processors and
   *     the simulator. It takes several times as long
   */
  public record Runs(Policy policy, boolean oneLaunch, boolean traced) {
    /** Those of {@link RecordedRuns} of few items, which are traced. */
    public static Runs recorded(Policy policy) {
      return recorded(policy, 1);
    }

    /** Those of {@link RecordedRuns} of so many items: long ones are not traced. */
    public static Runs recorded(Policy policy, long items) {
      return new Runs(policy, false, items <= MOST_TRACED_ITEMS);
    }

    /** Those of a {@link WorkloadSubject}: a schedule is that of one launch. */
    public static Runs scheduled(Policy policy) {
      return new Runs(policy, true, true);
    }
  }

  private final Device device;
  private final KernelModule module;
  private final Region region;
  private final RegionArguments arguments;
  private final Invariant invariant; // null if none is given
  private final Judge judge;
  private long items = 1;
  private boolean leavesOutOtherOrder;
  private final Map<String, DeclaredSlots> slotArrays = new HashMap<>();
  private Worklist work; // null where the region pushes nothing
  private Worklist listed; // of what runs besides
  private Round lastRound; // null before the first
  private Supplier<RegionWorkload> makeOnProcessor; // null if there is none, or it has been made
  private RegionWorkload onProcessor; // null if there is none
  private boolean tracesOnProcessor; // or compares what is done there
  private final List<AutoCloseable> open = new ArrayList<>();

  /**
   * Compiles the region and makes its arguments.
   *
   * @param source a {@code .cu} file
   * @param name the region's name; null if the file has only one
   * @param specs what each field begins as, by the field's name
   * @throws IllegalArgumentException if there is no such region, it has no objects, or arguments
   *     are missing
   * @throws UnsuitableArgumentException if arguments are too many, or of another kind than their
   *     fields
   * @throws NumberRangeException if a number that was read somewhere does not fit its field
   * @throws CompilationException if the file cannot be compiled, or has no region
   */
  public RegionWorkload(Device device, Path source, String name, Map<String, ArgumentSpec> specs) {
    this(device, source, name, specs, Optional.empty());
  }

  /**
   * The same with an invariant: a kernel of the same file that runs after each run of the region,
   * and calls {@code magpie::violated} (kernel.cuh) where the data are not right. It has a field
   * {@code array<std::uint32_t> violations} for that, and fields of the region, which get the
   * region's arguments.
   *
   * @param invariant the kernel's name
   * @throws IllegalArgumentException also if there is no such kernel, it has other fields, or it
   *     does not hold before the region has run
   */
  public RegionWorkload(
      Device device,
      Path source,
      String name,
      Map<String, ArgumentSpec> specs,
      Optional<String> invariant) {
    this(device, source, name, specs, invariant, Optional.empty());
  }

  /**
   * The same for some runs only: of the region, and of others in the file, no more is compiled than
   * {@linkplain #defines(Device, String, Runs) these need}, which takes a fraction of the time.
   *
   * @param runs all that there will be; empty = any
   */
  public RegionWorkload(
      Device device,
      Path source,
      String name,
      Map<String, ArgumentSpec> specs,
      Optional<String> invariant,
      Optional<Runs> runs) {
    this.device = device;
    if (Files.isRegularFile(source)) {
      requireMacro(source);
    }
    try {
      this.module =
          device.compile(
              source,
              runs.map(these -> defines(device, name, these)).orElseGet(() -> defines(device)));
      open.add(module);
      this.region = module.region(theRegion(module, source, name));
      runs.ifPresent(these -> requireCells(these.policy()));
      prepareRounds();
      this.arguments = RegionArguments.allocate(device, region, specs);
      open.add(arguments);
      requireObjects();
      this.judge = (history, verdict) -> complaint();
      this.invariant =
          invariant.map(kernel -> new Invariant(module, source, kernel, arguments)).orElse(null);
      if (this.invariant != null) {
        open.add(this.invariant);
        requireToHold();
      }
      if (device.machine() == Machine.CUDA && runs.isPresent()) {
        tracesOnProcessor = runs.get().traced();
        makeOnProcessor = () -> onProcessor(source, name, specs, runs.get());
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Makes the arguments of a region of a module that is there already.
   *
   * @param module compiled with {@link #defines}; stays the caller's, and must outlive this
   * @param judge looks at each run
   * @throws IllegalArgumentException as {@link #RegionWorkload(Device, Path, String, Map)}
   * @throws NumberRangeException likewise
   */
  public RegionWorkload(
      KernelModule module, String region, Map<String, ArgumentSpec> specs, Judge judge) {
    this.device = module.device();
    this.module = module;
    this.region = module.region(region);
    this.invariant = null;
    this.judge = judge;
    this.arguments = RegionArguments.allocate(device, this.region, specs);
    open.add(arguments);
    try {
      prepareRounds();
      requireObjects();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Leaves out that items are compared with themselves in another order: for a region of which
   * several results are right, and the order decides which one comes about, such as the cell of a
   * hash table that an item gets. Of recorded runs, data that differ by the order are then not
   * compared at all. A region whose code declares {@code order_dependent} needs no call.
   */
  public void leaveOutOtherOrder() {
    leavesOutOtherOrder = true;
  }

  /**
   * Declares what an array of the region holds, which checks of slots otherwise infer from what
   * runs do: numbers of the slots of a pool, or none, whatever they look like.
   *
   * @param declaration {@code ARRAY=POOL}, by the names of fields; {@code ARRAY=POOL+N} where N is
   *     added to each number, such as 1 where 0 stands for none; {@code ARRAY} where the region has
   *     one pool; or {@code ARRAY=none}. In addition, {@code ARRAY=unindexed} declares that its
   *     elements, and the objects that guard them, are not those of the slots, however long it is
   * @throws IllegalArgumentException if there is no such array or pool, N is no number from 0 to
   *     2<sup>31</sup> - 1, or the array has the same declaration already
   */
  public void declareSlots(String declaration) {
    String[] parts = declaration.split("=", 2);
    String what = parts.length == 1 ? "" : parts[1];
    boolean unindexed = what.equals(UNINDEXED) && !isPool(what);
    List<String> arrays =
        Stream.of(parts[0], parts[0] + ".data", parts[0] + ".guards")
            .filter(name -> isArray(name) || unindexed && isObjects(name))
            .toList();
    if (arrays.isEmpty()) {
      throw new IllegalArgumentException(
          "region "
              + region.name()
              + " has no array "
              + (unindexed ? "and no objects " : "")
              + "'"
              + parts[0]
              + "'");
    }
    DeclaredSlots declared = unindexed ? DeclaredSlots.UNINDEXED : declared(what);
    try {
      arrays.forEach(array -> slotArrays.merge(array, declared, DeclaredSlots::and));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + parts[0] + "' is declared twice", e);
    }
  }

  private boolean isArray(String field) {
    FieldKind kind = region.fields().get(field);
    return kind != null && (kind.form() == Form.ARRAY || kind.form() == Form.POINTER);
  }

  private boolean isObjects(String field) {
    FieldKind kind = region.fields().get(field);
    return kind != null && kind.form() == Form.OBJECTS;
  }

  private boolean isPool(String field) {
    FieldKind kind = region.fields().get(field);
    return kind != null && kind.form() == Form.POOL;
  }

  /** What {@code POOL}, {@code POOL+N} or {@code none} declares. */
  private DeclaredSlots declared(String what) {
    String[] parts = what.split("\\+", 2);
    Optional<String> pool = pool(parts[0]);
    if (parts.length == 1) {
      return pool.map(DeclaredSlots::of).orElse(DeclaredSlots.NONE);
    }
    if (pool.isEmpty() || !parts[1].matches("\\d{1,10}") || Long.parseLong(parts[1]) >>> 31 != 0) {
      throw new IllegalArgumentException(
          String.format(
              "'%s': say POOL+N, where N is what is added to each slot's number, from 0 to %d",
              what, Integer.MAX_VALUE));
    }
    return DeclaredSlots.of(pool.get(), Long.parseLong(parts[1]));
  }

  /** The pool of a name, or the only one if that is empty; empty if the name stands for none. */
  private Optional<String> pool(String name) {
    List<String> pools =
        region.fields().entrySet().stream()
            .filter(field -> field.getValue().form() == Form.POOL)
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    if (pools.contains(name) || name.isEmpty() && pools.size() == 1) {
      return Optional.of(name.isEmpty() ? pools.get(0) : name);
    }
    if (!name.equals(NO_POOL)) {
      throw new IllegalArgumentException(
          String.format(
              "region %s has %s; say ARRAY=POOL, or ARRAY=%s for an array without slots' numbers",
              region.name(),
              pools.isEmpty()
                  ? "no pool"
                  : (name.isEmpty() ? "the pools " : "no pool '" + name + "', but ")
                      + String.join(", ", pools),
              NO_POOL));
    }
    return Optional.empty();
  }

  @Override
  public Map<String, DeclaredSlots> slotArrays() {
    return Map.copyOf(slotArrays);
  }

  /**
   * What a module of a region is compiled with to be checked: recorded; and on processors and the
   * simulator traced, so that all accesses are seen.
   */
  public static Map<String, String> defines(Device device) {
    return defines(device, true);
  }

  private static Map<String, String> defines(Device device, boolean traced) {
    return traced && device.machine() != Machine.CUDA
        ? Map.of("MAGPIE_RECORD", "1", "MAGPIE_TRACE", "1")
        : Map.of("MAGPIE_RECORD", "1");
  }

  /**
   * The same for some runs of one region only.
   *
   * @param region its name; null = any
   */
  public static Map<String, String> defines(Device device, String region, Runs runs) {
    Map<String, String> defines = new HashMap<>(defines(device, runs.traced()));
    if (region != null && NAME.matcher(region).matches()) {
      defines.put("MAGPIE_ONLY_REGION", region);
    }
    defines.put("MAGPIE_POLICY", runs.policy().kernelName());
    if (runs.oneLaunch()) {
      defines.put("MAGPIE_ONLY_FIXED_LOGS", "1");
    }
    return defines;
  }

  /**
   * One on a device of its own, which closes with it: of one thread where serial runs are made, of
   * several where items are to meet.
   */
  private static RegionWorkload onProcessor(
      Path source, String name, Map<String, ArgumentSpec> specs, Runs runs) {
    // A wild index must not end this process.
    Device processor = Device.open("cpu-checked:" + (runs.traced() ? LEAST_THREADS : 1));
    try {
      RegionWorkload workload =
          new RegionWorkload(processor, source, name, specs, Optional.empty(), Optional.of(runs));
      workload.open.add(0, processor);
      return workload;
    } catch (RuntimeException | Error e) {
      processor.close();
      throw e;
    }
  }

  private void prepareRounds() {
    if (region.maxPushes() > 0) {
      work = device.newWorklist(1);
      open.add(work);
    }
  }

  private void requireCells(Policy policy) {
    if (policy.takesCells()) {
      return;
    }
    region
        .fields()
        .forEach(
            (field, kind) -> {
              if (kind.stride() != 0) {
                throw new IllegalArgumentException(
                    String.format(
                        "data of region %s lie in cells with their objects (%s), which %s does not"
                            + " take: use guarded<T>, or another policy",
                        region.name(), field, policy.name().toLowerCase(Locale.ROOT)));
              }
            });
  }

  private void requireObjects() {
    if (arguments.objects().isEmpty()) {
      throw new IllegalArgumentException(
          "region " + region.name() + " has no objects, so there is nothing to record");
    }
    List<String> arrays = arguments.objectNames();
    if (arrays.size() > Recording.MOST_ARRAYS) {
      throw new IllegalArgumentException(
          String.format(
              "region %s has %d arrays of objects, and at most %d are recorded; let some share"
                  + " objects, as by --arg %s=%s",
              region.name(),
              arrays.size(),
              Recording.MOST_ARRAYS,
              arrays.get(arrays.size() - 1),
              arrays.get(0)));
    }
  }

  private void requireToHold() {
    complaint()
        .ifPresent(
            violation -> {
              throw new IllegalArgumentException(
                  "invariant "
                      + violation.text()
                      + " before the region has run; begin with arguments for which it holds");
            });
  }

  private static String theRegion(KernelModule module, Path source, String name) {
    if (name == null ? module.regions().size() == 1 : module.regions().contains(name)) {
      return name == null ? module.regions().iterator().next() : name;
    }
    if (module.regions().isEmpty()) {
      throw noRegion(source);
    }
    throw new IllegalArgumentException(
        source
            + (name == null ? ": name one of its regions, as in " : " has no region ")
            + (name == null ? source + "#NAME" : "'" + name + "'")
            + "; it has: "
            + String.join(", ", module.regions()));
  }

  /** Refuses a file that cannot have a region, before time goes into compiling it. */
  private static void requireMacro(Path source) {
    String text;
    try {
      text = Files.readString(source);
    } catch (IOException e) {
      return; // the compiler says what is wrong
    }
    if (!mayDeclareRegion(text)) {
      throw noRegion(source);
    }
  }

  /** Whether a source may declare a region, itself or by a header of its own. */
  static boolean mayDeclareRegion(String text) {
    boolean usesLibrary = text.contains("magpie/"); // else the compilation ends at once
    return !usesLibrary || text.contains("MAGPIE_REGION") || OWN_HEADER.matcher(text).find();
  }

  private static CompilationException noRegion(Path source) {
    String error =
        source + ": has no region; end it with MAGPIE_REGION(" + likelyRegion(source) + ")";
    return new CompilationException(error, "", List.of(error), "");
  }

  /** The struct that declares what a region must; a stand-in if none does. */
  private static String likelyRegion(Path source) {
    String last = "name";
    try {
      Matcher word = STRUCT_OR_LIMIT.matcher(Files.readString(source));
      while (word.find()) {
        if (word.group(1) == null) {
          return last;
        }
        last = word.group(1);
      }
    } catch (IOException e) {
      return "name"; // the compiler could read it
    }
    return "name";
  }

  @Override
  public boolean isComparedInAnotherOrder() {
    return !leavesOutOtherOrder && !region.orderDependent();
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public Region region() {
    return region;
  }

  @Override
  public List<StmObjects> objects() {
    return arguments.objects();
  }

  /**
   * The arguments by field: each a {@link io.magpie.stm.DeviceArray}, objects, a pool, a number, or
   * null for a pointer without an array. They stay this workload's.
   */
  public Map<String, Object> arguments() {
    return arguments.values();
  }

  @Override
  public void reset() {
    arguments.reset();
    if (work != null) {
      work.fill();
    }
  }

  @Override
  public List<AccessTrace.Memory> memory() {
    Map<String, FieldKind> kinds = region.fields();
    return region.memory(arguments.fields()).stream()
        .map(each -> each.withKind(kinds.get(each.name())))
        .toList();
  }

  @Override
  public Optional<String> sourceLine(long place) {
    return module.sourceLine(place);
  }

  @Override
  public RegionReport record(Recording recording, StmOptions options, long items, long number) {
    this.items = items;
    if (work == null) {
      return region.record(recording, options, items, arguments.fields());
    }
    if (items > MOST_ITEMS_IN_ROUNDS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,d items are too many for region %s, which runs in rounds: take at most %,d",
              items,
              region.name(),
              MOST_ITEMS_IN_ROUNDS));
    }
    work.fill(IntStream.range(0, (int) items).toArray());
    return recordRound(recording, options, 0);
  }

  @Override
  public boolean inRounds() {
    return work != null;
  }

  @Override
  public long waiting() {
    return work == null ? 0 : work.size();
  }

  @Override
  public RegionReport recordNext(Recording recording, StmOptions options) {
    return recordRound(recording, options, lastRound.number() + 1);
  }

  private RegionReport recordRound(Recording recording, StmOptions options, int number) {
    List<Integer> given = waitingItems();
    lastRound = new Round(number, given, List.of());
    RoundsReport report =
        region.recordRounds(recording, options.withMostRounds(1), work, null, arguments.fields());
    lastRound = new Round(number, given, waitingItems().subList(0, (int) work.deferred()));
    return report.rounds().get(0).region();
  }

  private List<Integer> waitingItems() {
    return Arrays.stream(work.items()).boxed().toList();
  }

  @Override
  public Optional<Round> lastRound() {
    return Optional.ofNullable(lastRound);
  }

  @Override
  public boolean comparesData() {
    return device.machine() != Machine.SIM;
  }

  @Override
  public Saved save() {
    return arguments.save();
  }

  @Override
  public List<SlotPool> pools() {
    return arguments.pools();
  }

  @Override
  public RegionReport recordList(Recording recording, StmOptions options, int[] items) {
    if (work != null) {
      if (listed == null) {
        listed = device.newWorklist(items.length);
        open.add(listed);
      }
      listed.fill(items);
      StmOptions one = options.withMostRounds(1).withDeferral(false);
      return region
          .recordRounds(recording, one, listed, null, arguments.fields())
          .rounds()
          .get(0)
          .region();
    }
    try (DeviceArray<int[]> list = device.copyOf(items)) {
      return region.recordList(recording, options, list, items.length, arguments.fields());
    }
  }

  @Override
  public Optional<Workload> onProcessor() {
    return tracesOnProcessor ? Optional.empty() : madeOnProcessor();
  }

  @Override
  public Optional<Workload> tracedOnProcessor() {
    return tracesOnProcessor ? madeOnProcessor() : Optional.empty();
  }

  private Optional<Workload> madeOnProcessor() {
    if (makeOnProcessor != null) {
      try {
        onProcessor = makeOnProcessor.get();
        open.add(onProcessor);
        onProcessor.leavesOutOtherOrder = leavesOutOtherOrder;
        onProcessor.slotArrays.putAll(slotArrays);
      } catch (MagpieException | IllegalArgumentException e) {
        onProcessor = null; // it has no memory, or no compiler, or refuses what the GPU takes
      }
      makeOnProcessor = null;
    }
    return Optional.ofNullable(onProcessor);
  }

  @Override
  public Map<String, Object> contents() {
    return arguments.contents();
  }

  @Override
  public List<String> objectNames() {
    return arguments.objectNames();
  }

  @Override
  public Optional<Violation> complaint() {
    return invariant == null ? Optional.empty() : invariant.violation(items);
  }

  @Override
  public boolean hasInvariant() {
    return invariant != null;
  }

  @Override
  public boolean canLookBetween(Commit.Sequence commits) {
    return invariant != null && invariant.canLookBetween(region, commits);
  }

  @Override
  public Optional<Violation> complaintBetween(Commit.Sequence commits) {
    return invariant == null
        ? Optional.empty()
        : invariant.violationBetween(region, commits, items, this::sourceLine);
  }

  @Override
  public Optional<Violation> complaint(History history, Verdict verdict) {
    return judge.complaint(history, verdict);
  }

  @Override
  public void close() {
    OpenThings.close(open);
  }
}
