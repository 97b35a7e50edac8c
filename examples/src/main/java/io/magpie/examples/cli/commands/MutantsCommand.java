package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.options.Devices;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Policy;
import io.magpie.verification.mutation.Mutant;
import io.magpie.verification.mutation.MutantStress;
import io.magpie.verification.mutation.MutationGate;
import io.magpie.verification.mutation.MutationGate.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Breaks the library on purpose, and looks whether the checks notice. */
@Command(
    name = "mutants",
    description = {
      "Break the library on purpose, one rule at a time, and check whether exploration notices.",
      "",
      "Mutants are compiled in (g++ is needed), and each is explored on the simulator until a check"
          + " fails. The unchanged library, the control, must pass the same search in each build that"
          + " was searched for mutants."
    })
final class MutantsCommand implements Callable<Integer> {
  private static final List<String> EXPLORED =
      List.of(
          "revision",
          "device",
          "mutant",
          "rule",
          "policy",
          "killed_by",
          "program",
          "setting",
          "strategy",
          "runs_to_kill",
          "runs",
          "seconds",
          "schedule");
  private static final List<String> STRESSED =
      List.of(
          "revision",
          "device",
          "mutant",
          "rule",
          "policy",
          "seen_as",
          "workload",
          "transactions_to_see_it",
          "transactions",
          "seconds");

  @Spec private CommandSpec spec;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "sim",
      description =
          "sim[:seed[:width]], the default, where schedules are explored; or cpu or cuda, where"
              + " mutants run on real threads, and one that survives is no failure.")
  private String device;

  @Option(
      names = "--mutant",
      paramLabel = "NAME",
      description = "One of the mutants below; may be repeated. Default: all.")
  private List<Mutant> mutants = new ArrayList<>();

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "A policy to break; may be repeated. Default: hand_off and priority_rule, and for mutants"
              + " that break neither, all policies that they break.")
  private List<Policy> policies = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Rounds, each with ten times as many runs of each program as the one before; default"
              + " ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      defaultValue = "200000",
      description =
          "On real threads: transactions of each run, five runs a round; default ${DEFAULT-VALUE}.")
  private long transactions;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description =
          "On real threads: time after which a run ends with the work done so far, such as 0.25;"
              + " default ${DEFAULT-VALUE}.")
  private double timeout;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the explorations; default ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write CSV to FILE: a line for each mutant and policy, then the controls.")
  private Path csv;

  /** Names and rules of all mutants, for the help text. */
  static String[] list() {
    List<String> lines = new ArrayList<>(List.of("", "Mutants:"));
    for (Mutant mutant : Mutant.values()) {
      lines.add(String.format("  %-26s %s", EnumOption.name(mutant), mutant.rule()));
    }
    return lines.toArray(String[]::new);
  }

  private final List<String> lines = new ArrayList<>();
  private int killed;
  private int explored;
  private final List<String> wrong = new ArrayList<>();

  @Override
  public Integer call() {
    checkOptions();
    OutputFile file = new Outputs(spec, List.of()).at("--csv", csv);
    try (Device opened = Devices.open(spec, "--device", device)) {
      if (opened.machine() == Machine.SIM) {
        explore(opened);
      } else {
        stress(opened);
      }
    }
    if (file != null) {
      file.writeLines(lines);
    }
    if (!wrong.isEmpty()) {
      throw new ViolationException(String.join("; ", wrong));
    }
    return ExitCode.OK;
  }

  private void checkOptions() {
    if (rounds < 1) {
      throw usage("--rounds must be at least 1, got " + rounds);
    }
    if (transactions < 1) {
      throw usage("--transactions must be at least 1, got " + transactions);
    }
    if (!(timeout >= 0.001 && timeout <= 3600)) {
      throw usage("--timeout must be from 0.001 to 3600 seconds, got " + timeout);
    }
  }

  private ParameterException usage(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  /** Mutants, and the controls, on the simulator. */
  private void explore(Device opened) {
    lines.add(Csv.line(EXPLORED));
    for (Mutant mutant : chosen()) {
      for (Policy policy : policies(mutant)) {
        explored++;
        Result result = MutationGate.run(opened, mutant, policy, rounds, seed);
        add(opened, EnumOption.name(mutant), mutant.rule(), result);
        if (result.killed()) {
          killed++;
        } else {
          wrong.add(EnumOption.name(mutant) + " survives under " + EnumOption.name(policy));
        }
      }
    }
    boolean passes = true;
    for (Map.Entry<Mutant.Build, Set<Policy>> each : controls().entrySet()) {
      for (Policy policy : each.getValue()) {
        passes &= control(opened, each.getKey(), policy);
      }
    }
    spec.commandLine()
        .getOut()
        .printf(
            Locale.ROOT,
            "%d of %d mutants killed; %s%n",
            killed,
            explored,
            passes ? "the control passes" : "the control does not pass");
  }

  private List<Mutant> chosen() {
    List<Mutant> some = mutants.isEmpty() ? List.of(Mutant.values()) : mutants;
    List<Mutant> chosen = some.stream().filter(each -> !policies(each).isEmpty()).toList();
    if (chosen.isEmpty()) {
      throw usage("none of the requested mutants breaks a requested policy");
    }
    return chosen;
  }

  /** Where a mutant is looked for. */
  private Set<Policy> policies(Mutant mutant) {
    Set<Policy> broken = mutant.policies();
    Set<Policy> some = EnumSet.copyOf(broken);
    some.retainAll(policies.isEmpty() ? Mutant.SHIPPED : policies);
    return some.isEmpty() && policies.isEmpty() ? broken : some;
  }

  /** Every build, under every policy, that a mutant is looked for in. */
  private Map<Mutant.Build, Set<Policy>> controls() {
    Map<Mutant.Build, Set<Policy>> controls = new EnumMap<>(Mutant.Build.class);
    for (Mutant mutant : chosen()) {
      controls
          .computeIfAbsent(mutant.build(), build -> EnumSet.noneOf(Policy.class))
          .addAll(policies(mutant));
    }
    return controls;
  }

  private static String controlRule(Mutant.Build build) {
    return build == Mutant.Build.STANDARD
        ? "none"
        : "none, " + EnumOption.name(build).replace('-', ' ');
  }

  /** Mutants, and the controls, on real threads. */
  private void stress(Device opened) {
    lines.add(Csv.line(STRESSED));
    MutantStress.compile(opened, chosen());
    for (Mutant mutant : chosen()) {
      for (Policy policy : policies(mutant)) {
        explored++;
        MutantStress.Result result = MutantStress.run(opened, mutant, policy, extent());
        killed += result.violation().isPresent() ? 1 : 0;
        add(opened, EnumOption.name(mutant), mutant.rule(), policy, result);
      }
    }
    controls()
        .forEach(
            (build, policies) -> policies.forEach(policy -> stressControl(opened, build, policy)));
    spec.commandLine()
        .getOut()
        .printf(Locale.ROOT, "%d of %d mutants seen; the control passes%n", killed, explored);
  }

  private MutantStress.Extent extent() {
    return new MutantStress.Extent(
        transactions, rounds, Duration.ofNanos(Math.round(timeout * 1e9)));
  }

  private void stressControl(Device opened, Mutant.Build build, Policy policy) {
    MutantStress.Result result = MutantStress.control(opened, build, policy, extent());
    String rule = controlRule(build);
    add(opened, "(control)", rule, policy, result);
    requirePassed("the control (" + rule + ") under " + EnumOption.name(policy), result);
  }

  /** Throws if a control showed a violation, or nothing. */
  static void requirePassed(String control, MutantStress.Result result) {
    result
        .violation()
        .ifPresent(
            violation -> {
              throw new ViolationException(control + " shows: " + violation);
            });
    if (result.transactions() == 0) {
      throw new VerificationException(
          control + ": no transaction ended within --timeout, so nothing was verified; raise it");
    }
  }

  private void add(
      Device opened, String name, String rule, Policy policy, MutantStress.Result result) {
    String seenAs = result.violation().map(found -> found.kind().words()).orElse("");
    boolean seen = !seenAs.isEmpty();
    lines.add(
        Csv.line(
            List.of(
                BuildInfo.revision(),
                opened.description().spec(),
                name,
                rule,
                EnumOption.name(policy),
                seenAs,
                result.workload(),
                seen ? result.transactions() : "",
                result.transactions(),
                seconds(result.seconds()))));
    print(
        name,
        policy,
        (seen
                ? seenAs
                    + " by "
                    + result.workload()
                    + " in "
                    + number(result.transactions())
                    + " of"
                : "nothing in")
            + String.format(
                " %s transactions, %s s%n",
                number(result.transactions()), seconds(result.seconds())));
  }

  /** Returns whether the control passes. */
  private boolean control(Device opened, Mutant.Build build, Policy policy) {
    Result result = MutationGate.control(opened, build, policy, rounds, seed);
    String rule = controlRule(build);
    add(opened, "(control)", rule, result);
    if (result.killed()) {
      wrong.add(
          "the control (" + rule + ") under " + EnumOption.name(policy) + " shows a violation");
    }
    return !result.killed();
  }

  /** Adds a row, and prints it as a block of lines: it is known long before the others. */
  private void add(Device opened, String name, String rule, Result result) {
    boolean killed = result.killed();
    String killedBy =
        result.counterexample().map(found -> found.violations().get(0).kind().words()).orElse("");
    String schedule = result.counterexample().map(found -> found.schedule().toString()).orElse("");
    MutationGate.Configuration by = result.configuration();
    lines.add(
        Csv.line(
            List.of(
                BuildInfo.revision(),
                opened.description().spec(),
                name,
                rule,
                EnumOption.name(result.policy()),
                killedBy,
                killed ? by.program() : "",
                killed ? by.setting() : "",
                killed ? by.strategy() : "",
                killed ? result.runsToKill() : "",
                result.allRuns(),
                seconds(result.seconds()),
                schedule)));
    print(
        name,
        result.policy(),
        (killed
                ? killedBy + " by " + by + " in " + number(result.runsToKill()) + " of"
                : "nothing in")
            + String.format(" %s runs, %s s%n", number(result.allRuns()), seconds(result.seconds()))
            + (killed ? String.format("  %s%n  %s%n", by.transactions(), schedule) : ""));
  }

  private void print(String name, Policy policy, String rest) {
    spec.commandLine()
        .getOut()
        .printf(Locale.ROOT, "%-24s %-14s %s", name, EnumOption.name(policy), rest);
    spec.commandLine().getOut().flush();
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
