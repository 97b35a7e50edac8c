package io.magpie.examples.cli.commands;

import io.magpie.algorithms.SettingException;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.examples.cli.options.Devices;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.PathOption;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.input.InputException;
import io.magpie.stm.CompilationException;
import io.magpie.stm.Device;
import io.magpie.stm.Machine;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.stm.trace.Recording;
import io.magpie.stm.trace.Schedule;
import io.magpie.stm.trace.ScheduleTrace;
import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.explore.Exploration;
import io.magpie.verification.explore.Exploration.Counterexample;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.LivelockSearch;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.explore.Shrinker;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.Histories;
import io.magpie.verification.history.History;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.CheckedRun;
import io.magpie.verification.workload.ClockSkew;
import io.magpie.verification.workload.DrawnWorkload;
import io.magpie.verification.workload.RecordedRuns;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.Workload;
import io.magpie.verification.workload.WorkloadSubject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Checks that transactions were serializable: a region's, a drawn load's, or those of a file. */
@Command(
    name = "verify",
    description = {
      "Check that transactions are strictly serializable and opaque.",
      "",
      "Runs a region with its accesses recorded and checks the history; or explores how the region"
          + " behaves under many schedules, on the simulator; or checks a saved history.",
      "",
      VerifyCommand.SEEN
    })
final class VerifyCommand implements Callable<Integer> {
  /** What the checks of a region rest on. */
  static final String SEEN =
      "Only accesses through tx are seen: read, write, load, store, peek. What a region reads or"
          + " writes past it, as in *p or values[i], is not checked.";

  private static final long SHRINKING_RUNS = 2_000;
  private static final long EXPLORED_ITEMS = 3;
  private static final long EXPLORED_RUNS = 1_000;
  private static final int MOST_WIDTH = 32;
  private static final long TRANSACTIONS = 1_000_000;
  private static final long SIMULATED_TRANSACTIONS = 10_000;
  private static final long MOST_ITEMS_PER_RUN = 4_000_000;
  private static final long LEAST_LOG_BYTES = 1 << 20;

  /** Bytes of the Java heap for each attempt, its accesses aside, and for each access. */
  private static final long HEAP_PER_ATTEMPT = 160;

  private static final long HEAP_PER_ACCESS = 32;

  static final class Subject {
    @Option(
        names = "--region",
        paramLabel = "FILE.cu[#NAME]",
        required = true,
        description =
            "A region of your own; NAME if the file has several. What is the name of a file as a"
                + " whole is that file, also with a #.")
    String region;

    @Option(
        names = "--workload",
        paramLabel = "SPEC",
        required = true,
        description =
            "drawn[:objects=N,accesses=1..8,writes=PERCENT,words=1|2,cancels=PERCENT]: transactions"
                + " on objects drawn at random; default 1024 objects of 1 word, 8 accesses, 50 %%"
                + " writes, no cancels.")
    String workload;

    @Option(
        names = "--history",
        paramLabel = "FILE",
        required = true,
        description = "A history that --save wrote, or another in its form; - is standard input.")
    Path history;
  }

  @Spec private CommandSpec spec;

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Subject subject;

  @Option(
      names = "--arg",
      paramLabel = "NAME=SPEC",
      description =
          "What a field of the region begins as: objects:COUNT; for an array zeros:LENGTH,"
              + " fill:VALUE:LENGTH, iota:LENGTH or random:BOUND:LENGTH[:SEED]; for a pointer"
              + " these or null; for a pool of slots pool:CAPACITY[:LIVE], the first LIVE of"
              + " them in use; for a scalar a number. Once for each field.")
  private List<String> arguments = new ArrayList<>();

  @Option(
      names = {"--items", "--per-run"},
      paramLabel = "N",
      description =
          "Items of one run, each of which has a history of its own. With --workload the default is"
              + " what memory allows, or 3 with --explore.")
  private Long items;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      description =
          "Run again and again until there are so many; default: one run of a region, 1,000,000 of"
              + " a workload (10,000 on sim).")
  private Long transactions;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description =
          "auto (a GPU, else the processor; default, but without a GPU cpu-checked for a --region),"
              + " cuda[:n], cpu[:threads], cpu-checked[:threads] or sim[:seed[:width]], width being"
              + " the lanes of a warp. --explore and --replay need sim; without --device they take"
              + " sim:0:W, W being the power of two next to --items, at most 32.")
  private String device;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "hand_off (default, live) or priority_rule (the published rule, not live).")
  private Policy policy;

  @Option(
      names = "--threads-in-flight",
      paramLabel = "N",
      description = "Most transactions at the same time; default 0: the device decides.")
  private Integer threadsInFlight;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description =
          "Time after which a run gives up, 0 to 9223372036; default 60, 0 is never. If given, it"
              + " bounds the whole search of --explore as well; making a violation's schedule small"
              + " may take as long again.")
  private Long timeout;

  @Option(
      names = "--clock",
      paramLabel = "CLOCK",
      description =
          "What orders transactions in time: timer (default on cuda), or counter (default on cpu),"
              + " a word that all count up: exact, but slower. On sim both are its steps.")
  private Recording.Clock clock;

  @Option(
      names = "--skew",
      paramLabel = "NANOSECONDS",
      description =
          "Transactions count as concurrent where the clock shows no larger difference; 0 or more;"
              + " default: a"
              + " bound measured on cuda with the timer, else 0.")
  private Long skew;

  @Option(
      names = "--explore",
      paramLabel = "STRATEGY",
      description =
          "Try many schedules on sim: exhaustive:0 to exhaustive:2 (deviations from the default"
              + " schedule), pct:1 to pct:9 (depth), random, lock-step, round-robin, or for"
              + " livelocks periodic and states; +weak behind pct, random and lock-step lets loads"
              + " read older values. Stops at the first violation, makes its schedule small, and"
              + " shows the command that repeats it, with --replay.")
  private String explore;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Most runs of --explore, of states the most states; default 1000.")
  private Long runs;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description =
          "Most steps of one run of --explore or --replay: one that takes more counts as endless;"
              + " default 10,000,000 for the default schedule, which comes first, and then a"
              + " hundred times what that took.")
  private Long steps;

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
              + " list of STEP@THREAD. At step STEP, counted from 0 over all threads, THREAD goes"
              + " on; else the one that runs does, until it ends, waits or pauses, and then the"
              + " next. STEP~N or STEP@THREAD~N: the load at this step reads the N-th older value."
              + " Behind it +weak (older values are possible) and +lasso (ends at a repetition).")
  private String replay;

  @Option(
      names = "--no-opacity",
      description =
          "With --history: leave aborted attempts out, as of regions whose reads are not"
              + " validated.")
  private boolean noOpacity;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "Write the last run's history as text; a wrong one is the last.")
  private Path save;

  @Option(
      names = "--json",
      arity = "0..1",
      fallbackValue = JsonOutput.STANDARD_OUTPUT,
      paramLabel = "FILE",
      description = "Write JSON to FILE, or to standard output in place of the text.")
  private String json;

  private VerifyOutput output;
  private Strategy strategy;
  private Schedule schedule;
  private DrawnWorkload.Shape shape;

  @Override
  public Integer call() throws IOException {
    checkOptions();
    output = new VerifyOutput(spec.commandLine().getOut(), new Outputs(spec), json, save);
    if (subject.history != null) {
      checkFile();
    } else {
      try (Device opened = Devices.open(spec, "--device", deviceSpec());
          Workload workload = workload(opened)) {
        describe(workload);
        try {
          check(workload);
        } finally {
          output.writeJson();
        }
      }
    }
    return ExitCode.OK;
  }

  // ---- What goes with what.

  private void checkOptions() {
    if (subject.history != null) {
      forbid("with --history", "--arg", "--items", "--transactions", "--device", "--policy");
      forbid("with --history", "--threads-in-flight", "--timeout", "--clock", "--explore");
      forbid("with --history", "--runs", "--steps", "--seed", "--replay", "--save");
    } else {
      forbid("without --history", "--no-opacity");
    }
    if (subject.workload != null) {
      forbid("with --workload", "--arg");
    }
    if (explore == null) {
      forbid("without --explore", "--runs");
      if (subject.workload == null) {
        forbid("without --explore or --workload", "--seed");
      }
    }
    if (scheduled()) {
      forbid("with --explore or --replay", "--transactions", "--clock", "--skew");
    } else {
      forbid("without --explore or --replay", "--steps");
    }
    if (explore != null && replay != null) {
      throw usage("--explore and --replay exclude each other");
    }
    strategy = explore == null ? null : parsed("--explore", () -> Strategy.parse(explore));
    schedule = replay == null ? null : parsed("--replay", () -> Schedule.parse(replay));
    if (subject.workload != null) {
      shape = parsed("--workload", () -> DrawnWorkload.Shape.parse(subject.workload));
    }
    if (subject.region != null && items == null) {
      throw usage("--items is needed with --region: how many items one run has");
    }
    atLeast("--items", items, 1);
    atLeast("--transactions", transactions, 1);
    atLeast("--runs", runs, 1);
    atLeast("--steps", steps, 1);
    atLeast("--skew", skew, 0);
    options();
  }

  private void forbid(String where, String... options) {
    for (String option : options) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw usage(option + " has no effect " + where + "; leave it out");
      }
    }
  }

  private void atLeast(String option, Long given, long least) {
    if (given != null && given < least) {
      throw usage(option + " must be at least " + least + ", got " + given);
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** What a parser gives; what it finds wrong is wrong usage of the option. */
  private <T> T parsed(String option, Supplier<T> parser) {
    try {
      return parser.get();
    } catch (IllegalArgumentException | TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
  }

  private boolean scheduled() {
    return explore != null || replay != null;
  }

  /**
   * For a chosen schedule the default is one warp, no wider than need be: each lane is a choice.
   */
  private String deviceSpec() {
    if (device != null) {
      return device;
    }
    if (!scheduled()) {
      // A region of one's own may have arguments that do not fit: processors can tell.
      return subject.region != null && Device.whyNoGpu().isPresent() ? "cpu-checked" : "auto";
    }
    long width = 1;
    while (width < explored() && width < MOST_WIDTH) {
      width *= 2;
    }
    return "sim:0:" + width;
  }

  /** Items of an explored run. */
  private long explored() {
    return items == null ? EXPLORED_ITEMS : items;
  }

  private long seed() {
    return seed == null ? 1 : seed;
  }

  private StmOptions options() {
    StmOptions options = StmOptions.defaults();
    if (policy != null) {
      options = options.withPolicy(policy);
    }
    if (scheduled()) {
      options = options.withStatistics(false); // counters would be steps
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

  // ---- A saved history.

  private void checkFile() throws IOException {
    History history = Histories.read(PathOption.input(subject.history));
    long tolerance = skew == null ? 0 : skew;
    long begin = System.nanoTime();
    Verdict verdict =
        SerializabilityChecker.check(
            history,
            SerializabilityChecker.Options.DEFAULT.withSkew(tolerance).withOpacity(!noOpacity));
    double seconds = (System.nanoTime() - begin) / 1e9;
    List<String> wrong = new ArrayList<>();
    verdict.violation().ifPresent(found -> wrong.add(found.toString()));
    verdict.opacityViolation().ifPresent(found -> wrong.add(found.toString()));
    String lack = lack(Tally.of(history, 0));
    boolean open = lack != null && verdict.passed();
    output.put("history", subject.history.toString());
    output.put("skew", tolerance);
    output.put("verdict", open ? "nothing verified" : verdict.level().toString());
    output.put("opacity", (open ? Verdict.Opacity.NOT_CHECKED : verdict.opacity()).toString());
    output.put("checkSeconds", seconds);
    output.put("violations", wrong);
    if (!open) {
      output.print("%s", verdict);
    }
    output.print("checked in %.3f s, skew %,d%n", seconds, tolerance);
    output.writeJson();
    if (!verdict.passed()) {
      throw new ViolationException(
          subject.history + " is " + verdict.level() + ", " + verdict.opacity());
    }
    if (open) {
      throw new VerificationException(lack);
    }
  }

  // ---- Runs on a device.

  private Workload workload(Device opened) {
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
    // A file of the whole name comes first: '#' is a character of names like any other.
    Path whole = path(subject.region);
    int hash = Files.exists(whole) ? -1 : subject.region.lastIndexOf('#');
    Path source = hash < 0 ? whole : path(subject.region.substring(0, hash));
    String name = hash < 0 ? null : subject.region.substring(hash + 1);
    if (!Files.exists(source)) {
      throw new InputException(source + ": no such file");
    }
    if (Files.isDirectory(source)) {
      throw new InputException(source + ": is a folder; name a .cu file");
    }
    if (!Files.isReadable(source)) {
      throw new InputException(source + ": permission denied");
    }
    Map<String, ArgumentSpec> specs = specs();
    try {
      return parsed("--region", () -> new RegionWorkload(opened, source, name, specs));
    } catch (CompilationException e) {
      throw UserSource.rejected(e);
    }
  }

  private Path path(String file) {
    return parsed("--region", () -> new PathOption().convert(file));
  }

  private Map<String, ArgumentSpec> specs() {
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals < 1) {
        throw usage("--arg " + argument + ": expected NAME=SPEC, as in --arg length=7");
      }
      String field = argument.substring(0, equals);
      String text = argument.substring(equals + 1);
      if (specs.put(field, parsed("--arg " + field, () -> ArgumentSpec.parse(text))) != null) {
        throw usage("--arg " + field + " is given twice; leave one of them out");
      }
    }
    return specs;
  }

  private void describe(Workload workload) {
    String what = subject.workload != null ? "workload" : "region";
    String text =
        subject.workload != null
            ? shape + ", seed " + seed()
            : workload.region().name()
                + (workload.region().opaque() ? "" : ", reads not validated");
    String rule = EnumOption.name(options().policy());
    output.line(what, "%s", text);
    output.line("device", "%s", workload.device());
    output.line("policy", "%s", rule);
    output.put(what, text);
    output.put("device", DevicesCommand.json(workload.device().description()));
    output.put("policy", rule);
  }

  private void check(Workload workload) {
    try {
      if (strategy != null) {
        explore(workload);
      } else if (schedule != null) {
        replay(workload);
      } else {
        record(workload);
      }
    } catch (RunOutOfTimeException e) {
      throw new StoppedEarlyException(
          e.getMessage() + ": no violation so far; give it more --timeout, or fewer --steps");
    }
  }

  private void record(Workload workload) {
    boolean sim = workload.device().machine() == Machine.SIM;
    long total =
        transactions != null
            ? transactions
            : subject.region != null ? items : sim ? SIMULATED_TRANSACTIONS : TRANSACTIONS;
    long perRun = items != null ? items : Math.min(total, itemsForMemory(workload));
    long room = Math.max(LEAST_LOG_BYTES, workload.device().freeBytes() / 2);
    Recording.Options recorded =
        Recording.Options.defaults()
            .withTotalBytes(
                Math.max(
                    LEAST_LOG_BYTES,
                    Math.min(room, RecordedRuns.estimatedLogBytes(workload, perRun))));
    if (clock != null) {
      recorded = recorded.withClock(clock);
    }
    long tolerance = tolerance(workload.device(), recorded);
    try (RecordedRuns runs = new RecordedRuns(workload, options(), recorded, tolerance, room)) {
      RunTable table = new RunTable(output);
      Tally tally = Tally.NOTHING;
      for (long number = 0; table.transactions() < total; number++) {
        long left = total - table.transactions();
        CheckedRun run = runs.run(subject.region != null ? perRun : Math.min(perRun, left), number);
        table.add(run);
        tally = tally.plus(Tally.of(run.history(), run.report().items()));
        boolean complete = run.report().complete();
        if (!run.violations().isEmpty() || !complete || table.transactions() >= total) {
          output.save(run.history());
        }
        if (!run.violations().isEmpty() || !complete) {
          output.tally(tally);
        }
        if (!run.violations().isEmpty()) {
          throw output.violation("run " + (number + 1), run.violations());
        }
        run.report().requireComplete();
      }
      table.end();
      noViolation(String.format(Locale.ROOT, "%,d transactions", table.transactions()), tally);
    }
  }

  /** As many as half of the Java heap holds, with an aborted attempt for each that commits. */
  private static long itemsForMemory(Workload workload) {
    long perItem = 2 * (HEAP_PER_ATTEMPT + HEAP_PER_ACCESS * workload.region().maxObjects());
    long fitting = Runtime.getRuntime().maxMemory() / 2 / perItem;
    return Math.max(1_000, Math.min(MOST_ITEMS_PER_RUN, fitting));
  }

  /**
   * The clock's skew that is tolerated: as given, else a measured bound where timers may differ.
   */
  private long tolerance(Device opened, Recording.Options recorded) {
    Recording.Clock used;
    try (Recording recording = opened.recording(recorded)) {
      used = recording.clock();
    }
    String name = opened.machine() == Machine.SIM ? "steps" : EnumOption.name(used);
    output.put("clock", name);
    if (skew != null || used != Recording.Clock.TIMER || opened.machine() != Machine.CUDA) {
      long given = skew == null ? 0 : skew;
      output.line("clock", "%s, skew %,d", name, given);
      output.put("skew", given);
      return given;
    }
    ClockSkew measured = ClockSkew.measure(opened);
    output.line(
        "clock",
        "%s, skew at most %,d ns (measured between %,d threads; resolution %,d ns)",
        name,
        measured.nanos(),
        measured.participants(),
        measured.resolution());
    output.put("skew", measured.nanos());
    return measured.nanos();
  }

  // ---- Chosen schedules.

  private WorkloadSubject subject(Workload workload) {
    return parsed(
        "--items",
        () -> new WorkloadSubject(workload, options(), explored(), steps == null ? 0 : steps));
  }

  private void explore(Workload workload) {
    try (WorkloadSubject explored = subject(workload)) {
      Observation usual = explored.defaultRun();
      Duration mostTime = timeout == null ? Duration.ZERO : options().timeout();
      if (usual.trace().code() == ScheduleTrace.INTERRUPTED && !mostTime.isZero()) {
        throw new RunOutOfTimeException(
            "--timeout " + timeout + " ended the default schedule, which comes first");
      }
      if (!usual.violations().isEmpty()) {
        throw wrongByDefault(explored);
      }
      checkThreads(explored);
      long begin = System.nanoTime();
      long mostRuns = runs == null ? EXPLORED_RUNS : runs;
      Exploration done = Explorer.explore(explored, strategy, mostRuns, mostTime, seed());
      double seconds = (System.nanoTime() - begin) / 1e9;
      // A search of states looks at no ends of items.
      Tally tally = strategy.kind() == Strategy.Kind.STATES ? usual.tally() : done.tally();
      String text = runs(done) + " of " + strategy;
      output.line("explored", "%s, seed %d", text, seed());
      output.line(
          "in",
          "%.3f s: %,d steps, %,.0f runs/s, %,.0f steps/s",
          seconds,
          done.steps(),
          done.runs() / seconds,
          done.steps() / seconds);
      output.put("strategy", strategy.toString());
      output.put("seed", seed());
      output.put("exploredRuns", done.runs());
      output.put("complete", done.complete());
      output.put("outOfTime", done.outOfTime());
      output.put("knownRuns", done.known());
      output.put("steps", done.steps());
      output.put("seconds", seconds);
      if (done.counterexample().isPresent()) {
        output.tally(tally);
        throw shown(explored, done.counterexample().get());
      }
      output.save(explored.history());
      if (done.outOfTime()) {
        output.tally(tally);
        throw new StoppedEarlyException(
            String.format(
                Locale.ROOT,
                "%s ended the exploration after %s: no violation so far; %s",
                mostTime.isZero() || seconds < timeout
                    ? "the time limit of a run"
                    : "--timeout " + timeout,
                text,
                "give it more time, or fewer --runs or --steps"));
      }
      if (!strategy.ends() || done.complete()) {
        noViolation(text, tally);
      } else {
        noViolation(
            text,
            tally,
            strategy.kind() == Strategy.Kind.STATES
                ? "Stopped with states left: not exhaustive. --runs says how many may be visited."
                : "Stopped after "
                    + runs(done)
                    + ": not exhaustive. --runs says how many may be made.");
      }
    }
  }

  private void checkThreads(WorkloadSubject explored) {
    if (strategy.kind() == Strategy.Kind.STATES
        && explored.threads() > LivelockSearch.MOST_THREADS) {
      throw usage(
          String.format(
              "--items: states are searched with at most %d threads, this run has %d",
              LivelockSearch.MOST_THREADS, explored.threads()));
    }
  }

  /** There is nothing to explore: the default schedule, which comes first, shows a violation. */
  private ViolationException wrongByDefault(WorkloadSubject explored) {
    Observation usual = explored.defaultRun();
    output.line("explored", "the default schedule alone: it shows a violation");
    output.line("took", "%,d steps", usual.trace().steps());
    output.put("strategy", strategy.toString());
    output.put("exploredRuns", 0);
    output.put("steps", usual.trace().steps());
    output.tally(usual.tally());
    output.save(explored.history());
    repeatable(replayable(List.of(), usual.violations(), false), 0);
    return output.violation("the default schedule", usual.violations());
  }

  /**
   * Tells a schedule, and the command that repeats it.
   *
   * @param before choices that it had before it was made small
   */
  private void repeatable(Schedule least, int before) {
    String command = command(least);
    output.line("schedule", "%s", least);
    if (before > 0) {
      output.line(
          "",
          "%d choice%s other than the default schedule, %d before shrinking",
          least.choices().size(),
          least.choices().size() == 1 ? "" : "s",
          before);
    }
    output.line("replay", "%s", command);
    output.put("schedule", least.toString());
    output.put("replay", command);
  }

  /**
   * The schedule to show. Bound and detection are the subject's and the exploration's: said only
   * where the violation depends on them.
   */
  private static Schedule replayable(
      List<Schedule.Choice> choices, List<Violation> violations, boolean weak) {
    boolean livelock = violations.get(0).kind() == Violation.Kind.LIVELOCK;
    Schedule bare = Schedule.explicit(choices);
    bare = weak ? bare.withWeakMemory() : bare;
    return livelock ? bare.withLassoDetection() : bare;
  }

  /** How many runs there were, and how many there are. */
  private static String runs(Exploration done) {
    String of =
        done.known() > done.runs()
            ? String.format(Locale.ROOT, " of at least %,d", done.known())
            : "";
    return String.format(
        Locale.ROOT,
        "%,d%s run%s%s",
        done.runs(),
        of,
        done.runs() == 1 && of.isEmpty() ? "" : "s",
        done.complete() ? ", all there are," : "");
  }

  /**
   * Tells that nothing is wrong, and what may be nevertheless.
   *
   * @throws VerificationException if nothing committed that could be wrong
   */
  private void noViolation(String checked, Tally tally, String... limits) {
    output.tally(tally);
    String lack = lack(tally);
    if (lack != null) {
      throw new VerificationException(lack);
    }
    List<String> all = new ArrayList<>(List.of(limits));
    if (subject.region != null) {
      all.add(SEEN);
    }
    output.noViolation(checked, all);
  }

  /** Why nothing was verified; null if something was. */
  private static String lack(Tally tally) {
    if (tally.commits() == 0) {
      return String.format(
          Locale.ROOT,
          "nothing committed, so nothing was verified: %,d items were cancelled",
          tally.cancels());
    }
    return tally.accesses() > 0
        ? null
        : String.format(
            Locale.ROOT,
            "%,d transactions committed, but read and wrote nothing through tx, so nothing was"
                + " verified",
            tally.commits());
  }

  private ViolationException shown(WorkloadSubject explored, Counterexample found) {
    Counterexample shrunk = Shrinker.shrink(explored, found, SHRINKING_RUNS, options().timeout());
    Schedule least =
        replayable(
            shrunk.schedule().choices(), shrunk.violations(), shrunk.schedule().weakMemory());
    try {
      explored.run(least); // so that its history is the last one
    } catch (RunOutOfTimeException e) {
      // Its history is what there was in time; the violation stays found.
    }
    output.save(explored.history());
    repeatable(least, found.schedule().choices().size());
    return output.violation("run " + found.run(), shrunk.violations());
  }

  private void replay(Workload workload) {
    try (WorkloadSubject replayed = subject(workload)) {
      Observation observed = replayed.run(schedule);
      output.line("schedule", "%s", schedule);
      output.line(
          "took", "%,d steps, %,d switches", observed.trace().steps(), observed.trace().switches());
      List<Schedule.Choice> unused = new ArrayList<>(schedule.choices());
      unused.removeAll(observed.trace().choices());
      if (!unused.isEmpty()) {
        output.line(
            "unused",
            "%d of %d choices changed nothing: no such step or thread, or the default",
            unused.size(),
            schedule.choices().size());
      }
      output.put("schedule", schedule.toString());
      output.put("steps", observed.trace().steps());
      output.save(replayed.history());
      if (!observed.violations().isEmpty()) {
        output.tally(observed.tally());
        throw output.violation("the replay", observed.violations());
      }
      noViolation("1 run", observed.tally());
    }
  }

  /** The command line that replays a schedule. */
  private String command(Schedule least) {
    List<String> words = new ArrayList<>(List.of(BuildInfo.command(), spec.name()));
    words.addAll(
        subject.workload != null
            ? List.of("--workload", subject.workload)
            : List.of("--region", subject.region));
    arguments.forEach(argument -> words.addAll(List.of("--arg", argument)));
    add(words, "--items", items);
    add(words, "--device", deviceSpec());
    add(words, "--policy", policy == null ? null : EnumOption.name(policy));
    add(words, "--threads-in-flight", threadsInFlight);
    add(words, "--timeout", timeout);
    add(words, "--steps", steps);
    add(words, "--seed", subject.workload == null ? null : seed);
    add(words, "--replay", least);
    return words.stream().map(VerifyCommand::quoted).collect(Collectors.joining(" "));
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
