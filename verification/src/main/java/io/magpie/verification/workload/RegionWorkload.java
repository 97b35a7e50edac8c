package io.magpie.verification.workload;

import io.magpie.stm.CompilationException;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.FieldKind.Form;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RoundsReport;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.stm.Worklist;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.data.Commit;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A region of somebody's own, compiled so that it can be recorded, with arguments made to order.
 */
public final class RegionWorkload implements Workload {
  /** Rounds after which a run that goes on pushing counts as endless. */
  private static final int MOST_ROUNDS = 100;

  /** What a region can be called. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final Pattern STRUCT_OR_LIMIT =
      Pattern.compile("\\bstruct\\s+(\\w+)\\s*\\{|\\bmax_objects\\b");

  /** Somebody's own opinion of a run, whose data are still there. */
  @FunctionalInterface
  public interface Judge {
    /** What is wrong, if anything is. */
    Optional<Violation> complaint(History history, Verdict verdict);
  }

  private final Device device;
  private final KernelModule module;
  private final Region region;
  private final RegionArguments arguments;
  private final Invariant invariant; // null if none is given
  private final Judge judge;
  private long items = 1;
  private Runnable afterRound = () -> {};
  private Optional<String> waiting = Optional.empty();
  private final List<AutoCloseable> open = new ArrayList<>();

  /**
   * Compiles the region and makes its arguments.
   *
   * @param source a {@code .cu} file
   * @param name the region's name; null if the file has only one
   * @param specs what each field begins as, by the field's name
   * @throws IllegalArgumentException if there is no such region, it has no objects, or it pushes
   *     items and the device is not {@code sim}; or if arguments are missing, too many, or of
   *     another kind than their fields
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
   * The same for runs with some options only: of the region, and of others in the file, no more is
   * compiled than these need, which takes a fraction of the time. Transactions that outgrow their
   * logs end unfinished where the options leave out statistics.
   *
   * @param runs the options of all runs; empty = any
   */
  public RegionWorkload(
      Device device,
      Path source,
      String name,
      Map<String, ArgumentSpec> specs,
      Optional<String> invariant,
      Optional<StmOptions> runs) {
    this.device = device;
    try {
      this.module = device.compile(source, defines(device, name, runs));
      open.add(module);
      this.region = module.region(theRegion(module, source, name));
      requireChosenSchedules();
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
    requireChosenSchedules();
    this.arguments = RegionArguments.allocate(device, this.region, specs);
    open.add(arguments);
    try {
      requireObjects();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * What a module of a region is compiled with to be checked: recorded; and on the simulator
   * traced, so that all accesses are seen.
   */
  public static Map<String, String> defines(Device device) {
    return device.machine() == Machine.SIM
        ? Map.of("MAGPIE_RECORD", "1", "MAGPIE_TRACE", "1")
        : Map.of("MAGPIE_RECORD", "1");
  }

  private static Map<String, String> defines(
      Device device, String name, Optional<StmOptions> runs) {
    Map<String, String> defines = new HashMap<>(defines(device));
    runs.ifPresent(
        options -> {
          if (name != null && NAME.matcher(name).matches()) {
            defines.put("MAGPIE_ONLY_REGION", name);
          }
          defines.put("MAGPIE_ONLY_POLICY", options.policy().name().toLowerCase(Locale.ROOT));
          defines.put("MAGPIE_ONLY_COUNTED", options.statistics() ? "1" : "0");
        });
    return defines;
  }

  /** In rounds regions run under chosen schedules alone. */
  private void requireChosenSchedules() {
    if (inRounds() && device.machine() != Machine.SIM) {
      throw new IllegalArgumentException(
          "region "
              + region.name()
              + " pushes items, so that it runs in rounds: explore its schedules on sim; or run it"
              + " from Java with a worklist, under a RecordedAlgorithm, which records and checks"
              + " each round");
    }
  }

  private void requireObjects() {
    if (arguments.objects().isEmpty()) {
      throw new IllegalArgumentException(
          "region " + region.name() + " has no objects, so there is nothing to record");
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
      String error =
          source + ": has no region; end it with MAGPIE_REGION(" + likelyRegion(source) + ")";
      throw new CompilationException(error, "", List.of(error), "");
    }
    throw new IllegalArgumentException(
        source
            + (name == null ? ": name one of its regions, as in " : " has no region ")
            + (name == null ? source + "#NAME" : "'" + name + "'")
            + "; it has: "
            + String.join(", ", module.regions()));
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
  }

  @Override
  public List<AccessTrace.Memory> memory() {
    return device.machine() == Machine.SIM ? region.memory(arguments.fields()) : List.of();
  }

  @Override
  public Optional<String> sourceLine(long place) {
    return module.sourceLine(place);
  }

  @Override
  public RegionReport record(Recording recording, StmOptions options, long items, long number) {
    this.items = items;
    if (!inRounds()) {
      return region.record(recording, options, items, arguments.fields());
    }
    try (Worklist work = device.newWorklist(items)) {
      work.fill(IntStream.range(0, Math.toIntExact(items)).toArray());
      RoundsReport report =
          region.recordRounds(
              recording,
              options.withMostRounds(MOST_ROUNDS),
              work,
              round -> {
                afterRound.run();
                return null;
              },
              arguments.fields());
      waiting =
          report.waiting() == 0
              ? Optional.empty()
              : Optional.of(
                  String.format(
                      "%d items wait after %d rounds: %s",
                      report.waiting(),
                      report.rounds().size(),
                      report.stalled()
                          ? "the last rounds ended no item"
                          : report.timedOut() ? "time was up" : "they go on pushing"));
      return report.rounds().get(report.rounds().size() - 1).region();
    }
  }

  @Override
  public boolean inRounds() {
    return region.maxPushes() > 0;
  }

  @Override
  public void afterRounds(Runnable told) {
    afterRound = told;
  }

  @Override
  public Optional<String> waiting() {
    return waiting;
  }

  @Override
  public boolean comparesData() {
    return device.machine() != Machine.SIM
        && region.fields().values().stream().noneMatch(kind -> kind.form() == Form.POOL);
  }

  @Override
  public RegionReport recordList(Recording recording, StmOptions options, int[] items) {
    try (DeviceArray<int[]> list = device.copyOf(items)) {
      return region.recordList(recording, options, list, items.length, arguments.fields());
    }
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
  public Optional<Violation> complaintBetween(List<Commit> commits) {
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
    Resources.close(open);
  }
}
