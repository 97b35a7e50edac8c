package io.magpie.verification.mutation;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.stm.StmOptions.GiveWay;
import io.magpie.verification.explore.Exploration;
import io.magpie.verification.explore.Exploration.Counterexample;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.Shrinker;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.program.ClassicPrograms;
import io.magpie.verification.program.ProgramSubject;
import io.magpie.verification.program.TransactionProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Shows that the explorer would notice a broken protocol: puts one {@link Mutant} of the device
 * library at a time to work and explores {@link ClassicPrograms} until a check fails. The same
 * search of the same build with none at work, its control, must find nothing.
 *
 * <p>All combinations of program, setting and strategy take turns (settings with eager attempts for
 * the mutants of these and for controls, the others for the rest and for controls), with few runs
 * at first and ten times as many in each further round, so that what is easy to find is found soon.
 */
public final class MutationGate {
  /** Runs of one combination in the first round. */
  private static final int FIRST_RUNS = 20;

  /** States that count as one run: visiting one is cheaper, and a few say nothing. */
  private static final long STATES_FOR_A_RUN = 100;

  private static final int MOST_TRANSACTIONS_FOR_STATES = 2;

  private static final long SHRINKING_RUNS = 2_000;

  private MutationGate() {}

  /** How transactions are run; named, for the table. */
  private enum Setting {
    DEFAULT,
    /** Waits end after one poll. */
    IMPATIENT,
    /** Waits in place at a higher claim, for few polls. */
    IN_PLACE,
    /** An eager attempt comes first. */
    EAGER
  }

  /** What was tried when a mutant died. */
  public record Configuration(
      String program, String setting, Strategy strategy, TransactionProgram transactions) {
    @Override
    public String toString() {
      return program + ", " + setting + ", " + strategy;
    }
  }

  /**
   * The fate of one mutant under one policy.
   *
   * @param mutant null for the control
   * @param configuration what killed it; null if nothing did
   * @param seed the exploration's seed
   * @param runsToKill runs of that configuration, up to the one that killed it
   * @param allRuns runs of all configurations
   * @param steps switch points of all runs
   * @param seconds time of all runs
   * @param counterexample the shrunk one
   */
  public record Result(
      Mutant mutant,
      Policy policy,
      Configuration configuration,
      long seed,
      long runsToKill,
      long allRuns,
      long steps,
      double seconds,
      Optional<Counterexample> counterexample) {
    /** Whether a check failed. */
    public boolean killed() {
      return counterexample.isPresent();
    }
  }

  /**
   * Explores a mutant.
   *
   * @param device a {@code sim} device
   * @param rounds rounds of ten times as many runs each, at least 1
   * @param seed of all explorations
   */
  public static Result run(Device device, Mutant mutant, Policy policy, int rounds, long seed) {
    return run(device, mutant.build(), mutant, policy, rounds, seed);
  }

  /** Explores the unbroken library, in a build of mutants, as {@link #run} explores those. */
  public static Result control(
      Device device, Mutant.Build build, Policy policy, int rounds, long seed) {
    return run(device, build, null, policy, rounds, seed);
  }

  private static Result run(
      Device device, Mutant.Build build, Mutant mutant, Policy policy, int rounds, long seed) {
    boolean unvalidated = build == Mutant.Build.UNVALIDATED_READS;
    Map<String, String> defines = new LinkedHashMap<>(Mutant.defines(policy));
    if (build == Mutant.Build.UNBOUNDED_WAITS) {
      defines.put("MAGPIE_SIM_MAX_BY_CAS", "1");
    }
    Search search = new Search(device, mutant, policy, seed);
    try (KernelModule module =
        device.load(unvalidated ? "program_unvalidated" : "program", defines)) {
      synchronized (Mutant.class) { // one at a time is at work
        Mutant.choose(module, Optional.ofNullable(mutant));
        return search.run(module, rounds);
      }
    }
  }

  /** A search through all configurations until a check fails. */
  private static final class Search {
    private final Device device;
    private final Mutant mutant;
    private final Policy policy;
    private final long seed;
    private final long begin = System.nanoTime();
    private long runs;
    private long steps;

    Search(Device device, Mutant mutant, Policy policy, long seed) {
      this.device = device;
      this.mutant = mutant;
      this.policy = policy;
      this.seed = seed;
    }

    Result run(KernelModule module, int rounds) {
      List<Configuration> all =
          configurations(
              policy,
              mutant == null
                  ? setting -> true
                  : setting ->
                      !policy.hasEagerAttempts()
                          || (setting == Setting.EAGER) == mutant.isOfEagerAttempts(policy));
      long budget = FIRST_RUNS;
      for (int round = 0; round < rounds; round++, budget *= 10) {
        for (Configuration configuration : all) {
          Optional<Result> found = explore(module, configuration, budget, seed + round);
          if (found.isPresent()) {
            return found.get();
          }
        }
      }
      return result(null, seed, 0, Optional.empty());
    }

    /**
     * Whether the policy promises that this does not happen. Where no state comes again, because
     * descriptors count their uses or failed attempts raise versions, a livelock is a run without
     * an end.
     */
    private boolean isWrong(Violation violation) {
      return switch (violation.kind()) {
        case LIVELOCK -> policy.progress().excludesLivelock();
        case NO_END ->
            policy != Policy.OBSTRUCTION_FREE && policy != Policy.INVISIBLE_READS_IN_PLACE;
        default -> true;
      };
    }

    /** The result if a check fails. */
    private Optional<Result> explore(
        KernelModule module, Configuration configuration, long budget, long ownSeed) {
      boolean states = configuration.strategy().kind() == Strategy.Kind.STATES;
      try (ProgramSubject subject =
          new ProgramSubject(
              device, module, configuration.transactions(), options(policy, configuration))) {
        Exploration exploration =
            Explorer.explore(
                subject,
                configuration.strategy(),
                states ? budget * STATES_FOR_A_RUN : budget,
                ownSeed,
                this::isWrong);
        runs += exploration.runs();
        steps += exploration.steps();
        return exploration
            .counterexample()
            .map(
                found -> {
                  Counterexample shrunk =
                      states ? found : Shrinker.shrink(subject, found, SHRINKING_RUNS);
                  return result(configuration, ownSeed, found.run(), Optional.of(shrunk));
                });
      }
    }

    private Result result(
        Configuration killer, long ownSeed, long run, Optional<Counterexample> counterexample) {
      return new Result(
          mutant,
          policy,
          killer,
          ownSeed,
          run,
          runs,
          steps,
          (System.nanoTime() - begin) / 1e9,
          counterexample);
    }
  }

  private static List<Configuration> configurations(Policy policy, Predicate<Setting> tried) {
    List<Strategy> strategies =
        List.of(
            Strategy.exhaustive(1),
            Strategy.pct(2),
            Strategy.pct(3),
            Strategy.random(),
            Strategy.periodic(),
            Strategy.pct(2).overWeakMemory(),
            Strategy.random().overWeakMemory(),
            Strategy.states());
    List<Configuration> all = new ArrayList<>();
    ClassicPrograms.all()
        .forEach(
            (name, program) -> {
              for (Setting setting : Setting.values()) {
                if (!tried.test(setting)
                    || setting != Setting.DEFAULT && !policy.hasEagerAttempts()) {
                  continue; // nobody waits under the others, and they have no eager attempts
                }
                for (Strategy strategy : strategies) {
                  if (strategy.kind() == Strategy.Kind.STATES
                      && program.transactions().size() > MOST_TRANSACTIONS_FOR_STATES) {
                    continue;
                  }
                  all.add(
                      new Configuration(
                          name,
                          setting.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '),
                          strategy,
                          program));
                }
              }
            });
    return all;
  }

  private static StmOptions options(Policy policy, Configuration configuration) {
    StmOptions base =
        StmOptions.defaults().withPolicy(policy).withEagerAttempts(0).withTimeout(Duration.ZERO);
    return switch (configuration.setting()) {
      case "impatient" -> base.withPolls(1);
      case "in place" -> base.withPolls(3).withGiveWay(GiveWay.WAIT);
      case "eager" -> base.withEagerAttempts(1);
      default -> base;
    };
  }
}
