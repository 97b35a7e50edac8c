package io.magpie.examples.cli.commands;

import io.magpie.algorithms.SettingException;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.PathOption;
import io.magpie.examples.cli.options.ResultPictureOptions;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.input.InputException;
import io.magpie.stm.CompilationException;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.stm.simulator.Schedule;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.workload.DrawnWorkload;
import io.magpie.verification.workload.RecordedRuns;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.Workload;
import io.magpie.verification.workload.WorkloadSubject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The options of {@code verify}, what goes with what, and what they stand for where they were not
 * given.
 */
final class VerifyOptions {
  private static final long EXPLORED_ITEMS = 3;

  /** Items of a region that are explored on sim although nobody said so. */
  static final long MOST_EXPLORED_ITEMS = 1_000;

  /** How they are. */
  private static final Strategy USUAL_STRATEGY = Strategy.pct(2);

  /** For how long, unless a number of runs is given. */
  private static final Duration USUAL_TIME = Duration.ofSeconds(10);

  /** What only recorded runs have. */
  private static final String[] OF_RECORDED_RUNS = {"--transactions", "--clock", "--skew"};

  private static final int MOST_JOBS = 64;

  private static final String SIM = "sim";
  private static final int MOST_WIDTH = 32;

  /** What is checked: one of these. */
  static final class Subject {
    @Option(
        names = "--region",
        paramLabel = "FILE.cu[#NAME]",
        required = true,
        description =
            "A region of your own; NAME if the file has several. If a file with that exact name"
                + " exists, # is part of the name.")
    String region;

    @Option(
        names = "--workload",
        paramLabel = "SPEC",
        required = true,
        description =
            "drawn[:objects=N,accesses=1..8,writes=PERCENT,words=1|2,cancels=PERCENT]: transactions"
                + " on randomly drawn objects; default 1024 objects of 1 word, 8 accesses, 50 %%"
                + " writes, no cancels.")
    String workload;

    @Option(
        names = "--history",
        paramLabel = "FILE",
        required = true,
        description =
            "A history that --save wrote, or one in the same format; - is standard input.")
    Path history;
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Subject subject;

  @Option(
      names = "--arg",
      paramLabel = "NAME=SPEC",
      description =
          "Initial value of a field of the region: objects:COUNT; for an array zeros:LENGTH,"
              + " fill:VALUE:LENGTH, iota:LENGTH, random:BOUND:LENGTH[:SEED], a list such as"
              + " [5,3,2], file:PATH (numbers separated by white space or commas, # begins a"
              + " comment; also with .gz or .xz), or csr.offsets:GRAPH, csr.neighbors:GRAPH,"
              + " csr.sources:GRAPH or csr.weights:GRAPH, where GRAPH is a generator's SPEC, a file"
              + " or anything that --input of msf takes; for a pointer these or null; for a pool of slots"
              + " pool:CAPACITY[:LIVE], the first LIVE of them in use; for a scalar a number."
              + " A guarded array is given by its name, and has as many objects as its data need"
              + " unless NAME.guards says objects:COUNT or, to share them, OTHER.guards."
              + " csr:GRAPH gives a struct its fields offsets, neighbors, sources and weights;"
              + " vertices(GRAPH) and arcs(GRAPH) stand for these numbers. Give it once for each field.")
  private List<String> arguments = new ArrayList<>();

  @Option(
      names = "--invariant",
      paramLabel = "KERNEL",
      description =
          "A kernel in the region's file that checks the data after each run and, with --explore"
              + " or --replay, after each commit in the serial order (with states and +weak only in"
              + " the default schedule). Its fields are named as the region's. It calls"
              + " magpie::violated(violations, place) where the data are wrong; violations is its"
              + " field magpie::array<std::uint32_t>.")
  private String invariant;

  @Option(
      names = {"--items", "--per-run"},
      paramLabel = "N",
      converter = ItemsOption.class,
      description =
          "Items of one run; each run has its own history. With --workload the default is"
              + " what memory allows, or 3 with --explore. vertices(GRAPH) and arcs(GRAPH) are"
              + " numbers too, as for --arg.")
  Long items;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Maximum number of rounds in one run of a --region that pushes items. The first round runs"
              + " --items, each later one what the round before pushed; items that still wait after"
              + " the last are left unprocessed. Default: until no item waits, at most 10,000, with"
              + " --explore or --replay 1,000.")
  private Integer rounds;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      description =
          "Repeat runs until there have been this many; default: of a workload 1,000,000 (10,000"
              + " on sim); the run of a region whose data are compared is repeated for a second, at"
              + " least once, that of others is made once.")
  Long transactions;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "Make and check N runs at the same time, each with its own arguments; 1 to 64, default"
              + " 1. Rows are in the order in which runs end. A run of a region has as many"
              + " transactions as --items, so give --transactions for many runs. On a GPU, set"
              + " CUDA_DEVICE_MAX_CONNECTIONS=32 in the environment, or runs wait for each other.")
  private Integer jobs;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description =
          "auto (a GPU, else the processor; default, but without a GPU cpu-checked for a --region),"
              + " cuda[:n], cpu[:threads], cpu-checked[:threads] or sim[:seed[:width]] with warps of"
              + " width lanes. --explore and --replay need sim; without --device, or with just sim,"
              + " they take sim:0:W, where W is the smallest power of two not below --items, at"
              + " most 32, or 1 for a region that seeks or declares irrevocable, whose lanes wait"
              + " for each other. A --region on sim is explored as by --explore pct:2: at most"
              + " 1,000 runs in at most 10 seconds, or as many as --runs says.")
  private String device;

  private boolean lanesApart; // each in a warp of its own

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "hand_off (default: every transaction ends), or one for comparison: priority_rule,"
              + " pessimistic, coarse_lock, invisible_reads, locks, hierarchical, pr_stm,"
              + " block_level, optimistic_hand_off, obstruction_free, pessimistic_in_place,"
              + " invisible_reads_in_place.")
  private Policy policy;

  @Option(
      names = "--threads-in-flight",
      paramLabel = "N",
      description = "Maximum number of concurrent transactions; default 0: the device decides.")
  private Integer threadsInFlight;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description =
          "Time after which a run gives up, all its rounds included, 0 to 9223372036; default 60, 0"
              + " is never. If given, it also bounds the whole search of --explore; shrinking the"
              + " schedule of a violation may take as long again.")
  Long timeout;

  @Option(
      names = "--clock",
      paramLabel = "CLOCK",
      description =
          "What orders transactions in time: timer (default on cuda), or counter (default on cpu),"
              + " a shared counter: exact, but slower. On sim both are its steps.")
  Recording.Clock clock;

  @Option(
      names = "--skew",
      paramLabel = "NANOSECONDS",
      description =
          "Transactions count as concurrent if the clock shows no larger difference; 0 or more;"
              + " default: a bound measured on cuda with the timer, else 0.")
  Long skew;

  @Option(
      names = "--explore",
      paramLabel = "STRATEGY",
      description =
          "Try many schedules on sim: exhaustive:0 to exhaustive:2 (deviations from the default"
              + " schedule), dpor or dpor:N (one of each set of equivalent schedules, of all or of"
              + " those in which no thread pauses more than N times, 0 to 999), pct:1 to pct:9"
              + " (depth), random, lock-step, round-robin, or for livelocks periodic and states;"
              + " +weak after pct, random and lock-step lets loads read older values. Stops at the"
              + " first violation, shrinks its schedule, and shows the command that repeats it with"
              + " --replay.")
  private String explore;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "Maximum number of runs of --explore, or of a --region on sim; for states, of states;"
              + " default 1000.")
  Long runs;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description =
          "Maximum number of steps of one explored or replayed run; a run that takes more counts as"
              + " endless. Default: 10,000,000 for the default schedule, which comes first, then a"
              + " hundred times what that took.")
  Long steps;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of --explore and of --workload; default 1.")
  private Long seed;

  @Option(
      names = "--replay",
      paramLabel = "SCHEDULE",
      description =
          "Run once on sim under a schedule that --explore printed, such as explicit:10@1,25@0: a"
              + " list of STEP@THREAD. At step STEP, counted from 0 over all threads, THREAD"
              + " continues; otherwise the running thread does, until it ends, waits or pauses, and"
              + " then the next. STEP~N or STEP@THREAD~N: the load at this step reads the N-th older"
              + " value. Suffixes: +weak (older values are possible), +lasso (ends at a repetition)"
              + " and +fine (more steps, as in dpor).")
  private String replay;

  @Option(
      names = "--no-opacity",
      description =
          "With --history: ignore aborted attempts, as for regions whose reads are not validated.")
  boolean noOpacity;

  @Option(
      names = "--no-other-order",
      description =
          "Do not re-run items of a --region in an alternative order that their objects permit; for"
              + " regions with several correct results, where the order decides, such as which cell"
              + " of a hash table an item gets. Data of recorded runs that depend on the order are"
              + " not compared then.")
  boolean noOtherOrder;

  @Option(
      names = "--slots",
      paramLabel = "ARRAY[=POOL]",
      description =
          "With --explore or --replay, or recorded with at most 1,000 --items: this array of the"
              + " --region holds numbers of the POOL's"
              + " slots, or with ARRAY=none no such numbers, whatever they look like; POOL may be"
              + " omitted if there is only one. With ARRAY=POOL+N it holds them with N added, as +1"
              + " where 0 stands for none. ARRAY=unindexed says that its elements are not those of"
              + " slots. Leaks and dangling references are found from the"
              + " contents of arrays, which are otherwise inferred from runs. Give it once for each"
              + " array, or once for each of the two.")
  List<String> slots = new ArrayList<>();

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description =
          "Write the last run's history as text; a run with a violation is always the last.")
  Path save;

  private final ResultPictureOptions picture =
      new ResultPictureOptions(
          "Draw the last run, which one with a violation always is: when each thread made which"
              + " attempts, how they ended, and those that a violation is about; of a long run the"
              + " first "
              + RunTimeline.MOST_ATTEMPTS
              + " attempts, or those around the violation.");

  @Mixin private final CommandSpec pictureOptions = picture.spec();

  @Option(
      names = "--json",
      arity = "0..1",
      fallbackValue = JsonOutput.STANDARD_OUTPUT,
      paramLabel = "FILE",
      description = "Write JSON to FILE, or to standard output instead of the text.")
  String json;

  private boolean explores;
  private Strategy strategy;
  private Schedule schedule;
  private DrawnWorkload.Shape shape;

  /**
   * Looks at what was given, and what goes with what.
   *
   * @throws ParameterException if it makes no sense
   */
  void check() {
    if (subject.history != null) {
      forbid(
          "with --history",
          "--arg",
          "--invariant",
          "--items",
          "--transactions",
          "--device",
          "--policy");
      forbid("with --history", "--threads-in-flight", "--timeout", "--clock", "--explore");
      forbid("with --history", "--runs", "--rounds", "--steps", "--seed", "--replay", "--save");
      forbid("with --history", "--no-other-order", "--slots", "--jobs");
    } else {
      forbid("without --history", "--no-opacity");
    }
    if (subject.workload != null) {
      forbid("with --workload", "--arg", "--invariant", "--rounds", "--no-other-order", "--slots");
    }
    explores = explore != null || exploresUnasked();
    if (!explores) {
      forbid("without --explore", "--runs");
      if (subject.workload == null) {
        forbid("without --explore or --workload", "--seed");
      }
    }
    if (scheduled()) {
      forbid("with --explore or --replay", OF_RECORDED_RUNS);
      forbid("with --explore or --replay", "--jobs");
    } else {
      forbid("without --explore or --replay", "--steps");
      if (!seesPastTx()) {
        forbid(
            String.format(
                Locale.ROOT,
                "where accesses past tx are not seen: they are with --explore, and with at most %,d"
                    + " --items on a processor or a GPU",
                RegionWorkload.MOST_TRACED_ITEMS),
            "--slots");
      }
    }
    if (policy != null && !showsData(policy)) {
      refuse(
          "under --policy " + EnumOption.name(policy) + ", where accesses past tx are not seen",
          "take --policy hand_off, or leave it out",
          "--slots",
          "--no-other-order");
    }
    if (explore != null && replay != null) {
      throw usage("--explore and --replay exclude each other");
    }
    strategy =
        explore != null
            ? parsed("--explore", () -> Strategy.parse(explore))
            : explores ? USUAL_STRATEGY : null;
    schedule = replay == null ? null : parsed("--replay", () -> Schedule.parse(replay));
    if (subject.workload != null) {
      shape = parsed("--workload", () -> DrawnWorkload.Shape.parse(subject.workload));
    }
    if (subject.region != null && items == null) {
      throw usage("--items is needed with --region: how many items one run has");
    }
    atLeast("--items", items, 1);
    atLeast("--rounds", rounds == null ? null : (long) rounds, 1);
    atLeast("--transactions", transactions, 1);
    checkJobs();
    atLeast("--runs", runs, 1);
    atLeast("--steps", steps, 1);
    atLeast("--skew", skew, 0);
    stm();
  }

  /**
   * Whether what items do to data past tx can be told: in recorded runs by the turns of those that
   * have an object open, which reads without a trace lack.
   */
  private boolean showsData(Policy under) {
    return under.storesAtCommit() && (scheduled() || under.hasVisibleReads());
  }

  private void checkJobs() {
    if (jobs == null) {
      return;
    }
    if (jobs < 1 || jobs > MOST_JOBS) {
      throw usage("--jobs must be 1 to " + MOST_JOBS + ", got " + jobs);
    }
    if (ofRegion()) {
      if (transactions == null) {
        forbid("without --transactions, which says how many runs there are", "--jobs");
      }
      if (seesPastTxOnProcessors()) {
        forbid(
            String.format(
                Locale.ROOT,
                "on a processor with at most %,d --items, where accesses past tx are seen of one run"
                    + " at a time",
                RegionWorkload.MOST_TRACED_ITEMS),
            "--jobs");
      }
    }
    if (onSim()) {
      forbid("on sim, which runs one thread at a time", "--jobs");
    }
  }

  /** How many recorded runs are made and checked at the same time. */
  int runsAtOnce() {
    return jobs == null ? 1 : jobs;
  }

  /** Whether a region is explored as it is on sim, and a recorded run would see less of it. */
  private boolean exploresUnasked() {
    return replay == null && subject.region != null && onSim() && whyRecorded().isEmpty();
  }

  /** Whether recorded runs show what a region accesses past tx: on processors, in short runs. */
  boolean seesPastTxOnProcessors() {
    return seesPastTx() && onProcessor();
  }

  /** The same, or runs of a GPU's items on a processor do. */
  boolean seesPastTx() {
    return ofRegion() && !onSim() && items != null && items <= RegionWorkload.MOST_TRACED_ITEMS;
  }

  private boolean onProcessor() {
    String spec = deviceSpec();
    return spec.startsWith("cpu") || spec.equals("auto") && Device.whyNoGpu().isPresent();
  }

  private boolean onSim() {
    return device != null && device.matches(SIM + "(:.*)?");
  }

  /** What lets a region on sim be recorded; empty if nothing does. */
  private Optional<String> whyRecorded() {
    Optional<String> option = Stream.of(OF_RECORDED_RUNS).filter(this::isGiven).findFirst();
    return option.isPresent() || items == null || items <= MOST_EXPLORED_ITEMS
        ? option
        : Optional.of(String.format(Locale.ROOT, "more than %,d items", MOST_EXPLORED_ITEMS));
  }

  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private void forbid(String where, String... options) {
    refuse(where, "leave it out", options);
  }

  private void refuse(String where, String remedy, String... options) {
    for (String option : options) {
      if (isGiven(option)) {
        throw usage(option + " has no effect " + where + "; " + remedy);
      }
    }
  }

  private void atLeast(String option, Long given, long least) {
    if (given != null && given < least) {
      throw usage(option + " must be at least " + least + ", got " + given);
    }
  }

  /** Wrong usage. */
  ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** What a parser gives; what it finds wrong is wrong usage of the option. */
  <T> T parsed(String option, Supplier<T> parser) {
    try {
      return parser.get();
    } catch (IllegalArgumentException | TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
  }

  /** What a check finds wrong is wrong usage of the option. */
  private void checked(String option, Runnable check) {
    parsed(
        option,
        () -> {
          check.run();
          return null;
        });
  }

  /** Whether schedules are chosen. */
  boolean scheduled() {
    return explores || replay != null;
  }

  /** Whether of all schedules only the default one, which comes first, is traced. */
  boolean looksAtDataByDefaultAlone() {
    return strategy != null
        ? strategy.weak() || strategy.kind() == Strategy.Kind.STATES
        : schedule != null && schedule.weakMemory();
  }

  /**
   * For a chosen schedule the default is one warp, no wider than need be: each lane is a choice. If
   * lanes wait for each other, each has a warp of its own.
   */
  String deviceSpec() {
    if (!choosesWarps() && device != null) {
      return device;
    }
    if (!scheduled()) {
      // A region of one's own may have arguments that do not fit: processors can tell.
      return subject.region != null && Device.whyNoGpu().isPresent() ? checkedProcessor() : "auto";
    }
    long width = 1;
    while (width < explored() && width < MOST_WIDTH && !lanesApart) {
      width *= 2;
    }
    return "sim:0:" + width;
  }

  /** Whether how wide warps are is left to the command. */
  private boolean choosesWarps() {
    return scheduled() && (device == null || device.equals(SIM));
  }

  /**
   * Has each lane in a warp of its own from now on, if the command chooses: items of one warp seek
   * at the same time, so that no schedule lets one of them change what another one has seen.
   *
   * @return whether that makes a difference
   */
  boolean partLanes() {
    String before = deviceSpec();
    lanesApart = choosesWarps();
    return !deviceSpec().equals(before);
  }

  /** With threads for a few items to meet, however few its cores are. */
  private String checkedProcessor() {
    return seesPastTx() && Runtime.getRuntime().availableProcessors() < RegionWorkload.LEAST_THREADS
        ? "cpu-checked:" + RegionWorkload.LEAST_THREADS
        : "cpu-checked";
  }

  /** Items of an explored run. */
  long explored() {
    return items == null ? EXPLORED_ITEMS : items;
  }

  /** The seed of schedules and of a drawn load. */
  long seed() {
    return seed == null ? 1 : seed;
  }

  /** How transactions run. */
  StmOptions stm() {
    StmOptions options = StmOptions.defaults();
    if (policy != null) {
      options = options.withPolicy(policy);
    }
    try {
      if (threadsInFlight != null) {
        TransactionSettings.THREADS_IN_FLIGHT.check(threadsInFlight);
        options = options.withThreadsInFlight(threadsInFlight);
      }
      if (timeout != null) {
        Duration time = Duration.ofSeconds(timeout);
        TransactionSettings.TIMEOUT.check(time);
        options = options.withTimeout(time);
      }
    } catch (SettingException e) {
      throw usage(SettingOptions.message(e));
    }
    return options;
  }

  /** Whether time may end the search, and there is still a verdict: nobody said how much to do. */
  boolean endsInTime() {
    return explores && explore == null && runs == null;
  }

  /** How long a search may take; zero = as long as it does. */
  Duration mostTime() {
    Duration asked = timeout == null ? Duration.ZERO : stm().timeout();
    boolean usual = asked.isZero() || asked.compareTo(USUAL_TIME) > 0;
    return endsInTime() && usual ? USUAL_TIME : asked;
  }

  /** What a region of the user's own is compiled for. */
  RegionWorkload.Runs runs() {
    return scheduled()
        ? RegionWorkload.Runs.scheduled(stm().policy())
        : RegionWorkload.Runs.recorded(stm().policy(), items);
  }

  /** Most rounds of one run. */
  int mostRounds() {
    return rounds == null ? RecordedRuns.DEFAULT_ROUNDS : rounds;
  }

  /** Whether that was said. */
  boolean boundsRounds() {
    return rounds != null;
  }

  /** The saved history to check; null if something runs. */
  Path history() {
    return subject.history;
  }

  /** All files that are read, as far as their names make sense. */
  List<Path> filesRead() {
    if (subject.history != null) {
      return List.of(PathOption.input(subject.history));
    }
    List<Path> files = new ArrayList<>();
    if (subject.region != null) {
      files.addAll(new UserRegion(this, subject.region, arguments).filesRead());
    }
    for (String number : spec.optionsMap().get("--items").originalStringValues()) {
      files.addAll(ArgumentReader.filesRead(number));
    }
    return files;
  }

  /** The file to draw, null if none; the options are checked first. */
  OutputFile picture(Outputs outputs) {
    return picture.file(spec, outputs);
  }

  /** Pixels of its width. */
  int pixels() {
    return picture.pixels();
  }

  /** Whether it is a region of the user's own. */
  boolean ofRegion() {
    return subject.region != null;
  }

  /** The kernel that states an invariant of the region's data, if one does. */
  Optional<String> invariant() {
    return Optional.ofNullable(invariant);
  }

  /**
   * Whether a recorded run is repeated, for a while and at least once: no number of transactions
   * was asked for.
   */
  boolean isRepeated() {
    return ofRegion() && transactions == null;
  }

  /**
   * What recorded runs of a region on sim did not show, as the end of a sentence; empty if there
   * are none.
   */
  Optional<String> unseenOnSim() {
    return !ofRegion() || !onSim()
        ? Optional.empty()
        : whyRecorded()
            .map(
                why ->
                    "with "
                        + why
                        + ", only accesses through tx are seen on sim: "
                        + (why.startsWith("--") ? "leave it out" : "take fewer, or --explore")
                        + " to see others");
  }

  /**
   * What recorded runs of a region leave open.
   *
   * @param compared whether data were compared
   * @param traced whether all accesses were seen
   * @param onProcessor whether those of a GPU's items were, in runs on a processor
   */
  List<String> limits(Workload workload, boolean compared, boolean traced, boolean onProcessor) {
    if (!ofRegion()) {
      return List.of();
    }
    String rest =
        !compared ? VerifyCommand.SEEN : traced ? VerifyCommand.TRACED : VerifyCommand.COMPARED;
    List<String> limits = new ArrayList<>(withoutInvariant().stream().toList());
    if (compared && !workload.isComparedInAnotherOrder()) {
      limits.add(VerifyCommand.noOtherOrder(workload.region(), true));
    }
    limits.add(rest);
    if (onProcessor) {
      limits.add(VerifyCommand.ON_PROCESSOR);
    }
    if (compared && traced || onProcessor) {
      limits.add(VerifyCommand.UNTRACED);
    }
    return limits;
  }

  /** That nobody said what must hold of a region's data, if so. */
  Optional<String> withoutInvariant() {
    return ofRegion() && invariant == null
        ? Optional.of(VerifyCommand.NO_INVARIANT)
        : Optional.empty();
  }

  /** The drawn load; null if there is none. */
  DrawnWorkload.Shape shape() {
    return shape;
  }

  /** How schedules are explored; null if they are not. */
  Strategy strategy() {
    return strategy;
  }

  /** The schedule to replay; null if there is none. */
  Schedule schedule() {
    return schedule;
  }

  /**
   * What runs on a device.
   *
   * @throws InputException if the region's source is not there
   * @throws CompilationException if it does not compile
   * @throws IOException if a file of its arguments cannot be read or is malformed
   */
  Workload workload(Device opened) throws IOException {
    if (scheduled() && opened.machine() != Machine.SIM) {
      throw usage(
          "--device "
              + deviceSpec()
              + ": schedules are chosen on the simulator only; leave --device out, or use"
              + " sim[:seed[:width]]");
    }
    if (subject.workload != null) {
      return new DrawnWorkload(opened, shape, seed());
    }
    Workload workload = new UserRegion(this, subject.region, arguments).on(opened);
    try {
      checkRounds(workload);
      return workload;
    } catch (ParameterException e) {
      workload.close();
      throw e;
    }
  }

  /** What goes with a region that runs in rounds, and with one that does not. */
  private void checkRounds(Workload workload) {
    String region = "region " + workload.region().name();
    if (!workload.inRounds()) {
      if (rounds != null) {
        throw usage(
            "--rounds has no effect: " + region + " pushes no items (max_pushes); leave it out");
      }
      return;
    }
    if (items > RegionWorkload.MOST_ITEMS_IN_ROUNDS) {
      throw usage(
          String.format(
              Locale.ROOT,
              "--items: %s runs in rounds, which begin with at most %,d",
              region,
              RegionWorkload.MOST_ITEMS_IN_ROUNDS));
    }
    if (strategy != null) {
      checked("--explore", () -> WorkloadSubject.check(workload, strategy));
    }
    if (schedule != null) {
      checked("--replay", () -> WorkloadSubject.check(workload, schedule));
    }
  }

  /** The command line that replays a schedule. */
  String command(Schedule least) {
    List<String> words = new ArrayList<>(List.of(BuildInfo.command(), spec.name()));
    words.addAll(
        subject.workload != null
            ? List.of("--workload", subject.workload)
            : List.of("--region", subject.region));
    arguments.forEach(argument -> words.addAll(List.of("--arg", argument)));
    add(words, "--invariant", invariant);
    add(words, "--items", items);
    add(words, "--rounds", rounds);
    add(words, "--device", deviceSpec());
    add(words, "--policy", policy == null ? null : EnumOption.name(policy));
    add(words, "--threads-in-flight", threadsInFlight);
    add(words, "--timeout", timeout);
    add(words, "--steps", steps);
    add(words, "--seed", subject.workload == null ? null : seed);
    if (noOtherOrder) {
      words.add("--no-other-order");
    }
    slots.forEach(each -> words.addAll(List.of("--slots", each)));
    add(words, "--replay", least);
    return words.stream().map(VerifyOptions::quoted).collect(Collectors.joining(" "));
  }

  private static void add(List<String> words, String option, Object given) {
    if (given != null) {
      words.add(option);
      words.add(given.toString());
    }
  }

  /** A word as a shell takes it. */
  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=,@+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
