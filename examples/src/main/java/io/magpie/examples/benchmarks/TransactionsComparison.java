package io.magpie.examples.benchmarks;

import io.magpie.algorithms.TransactionSettings;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Ladder;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.Inputs;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.RegionReport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Benchmarks of transactional memory under every policy, and without transactions. */
public final class TransactionsComparison implements Comparison<TransactionsOptions> {
  private static final String OPERATION_RATE = "operationsPerSecond";
  private static final String COMMIT_RATE = "commitsPerSecond";

  private static final List<Integer> THREADS = List.of(32, 128, 512, 2048, 8192, 32768, 131072, 0);

  private static final List<Integer> PAUSES = List.of(0, 512, 4096, 32768);

  @Override
  public String name() {
    return "transactions";
  }

  @Override
  public String summary() {
    return "benchmarks of transactional memory, given by --workload";
  }

  @Override
  public TransactionsOptions defaults() {
    return new TransactionsOptions();
  }

  @Override
  public List<String> shown() {
    return List.of(OPERATION_RATE, COMMIT_RATE);
  }

  @Override
  public List<Ladder<TransactionsOptions>> ladders() {
    return List.of(
        new Ladder<>(
            "threads", "each policy with 32 threads in flight to the full device", threads()),
        new Ladder<>(
            "back-off", "contention with and without back-off, under each policy", backOff()),
        new Ladder<>("locks", "locks against transactions under each policy", locks()));
  }

  private Map<String, TransactionsOptions> threads() {
    Map<String, TransactionsOptions> steps = new LinkedHashMap<>();
    for (Policy policy : TransactionSettings.ANY_POLICY.all()) {
      for (int threads : THREADS) {
        steps.put(
            policy.kernelName() + " " + (threads == 0 ? "full" : threads),
            under(policy).with(TransactionSettings.THREADS_IN_FLIGHT, threads));
      }
    }
    return steps;
  }

  private Map<String, TransactionsOptions> backOff() {
    Map<String, TransactionsOptions> steps = new LinkedHashMap<>();
    for (Policy policy : TransactionSettings.ANY_POLICY.all()) {
      for (int pause : PAUSES) {
        steps.put(
            policy.kernelName() + " " + (pause == 0 ? "without back-off" : pause + " ns"),
            under(policy).with(TransactionsOptions.BACK_OFF, pause));
      }
    }
    return steps;
  }

  private Map<String, TransactionsOptions> locks() {
    Map<String, TransactionsOptions> steps = new LinkedHashMap<>();
    steps.put(
        "no transactions",
        defaults().with(TransactionsOptions.SYNCHRONIZATION, Synchronization.LOCKS));
    for (Policy policy : TransactionSettings.ANY_POLICY.all()) {
      steps.put(policy.kernelName(), under(policy));
    }
    return steps;
  }

  private TransactionsOptions under(Policy policy) {
    return defaults()
        .with(TransactionSettings.ANY_POLICY, policy)
        .with(TransactionSettings.TIMEOUT, Duration.ofSeconds(5));
  }

  @Override
  public Input source(Input given) {
    return Inputs.require(Workload.class, "a workload", given);
  }

  @Override
  public Optional<Unsuited> unsuited(Input source, TransactionsOptions variant) {
    return unsuited((Workload) source, variant);
  }

  private static Optional<Unsuited> unsuited(Workload workload, TransactionsOptions variant) {
    if (!workload.benchmark().forms().contains(variant.synchronization())) {
      return unsuited(
          Set.of(TransactionsOptions.SYNCHRONIZATION.name()),
          "synchronization="
              + TransactionsOptions.SYNCHRONIZATION.write(variant.synchronization())
              + ": "
              + workload.description()
              + " has no such form; it has "
              + String.join(
                  ", ",
                  workload.benchmark().forms().stream()
                      .map(TransactionsOptions.SYNCHRONIZATION::write)
                      .toList()));
    }
    if (variant.synchronization() != Synchronization.STM) {
      return Optional.empty();
    }
    String policy = "policy=" + variant.stm().policy().kernelName() + ": ";
    if (workload.benchmark().storesInApply() && !variant.stm().policy().runsApply()) {
      return unsuited(
          Set.of(TransactionSettings.ANY_POLICY.name()),
          policy
              + workload.description()
              + " stores in apply, which this policy does not run; choose another policy");
    }
    if (!workload.benchmark().layouts().contains(variant.layout())) {
      return unsuited(
          Set.of(TransactionsOptions.LAYOUT.name()),
          "layout="
              + TransactionsOptions.LAYOUT.write(variant.layout())
              + ": "
              + workload.description()
              + " has its data in arrays of their own only");
    }
    if (variant.layout() != Layout.APART && !variant.stm().policy().takesCells()) {
      return unsuited(
          Set.of(TransactionSettings.ANY_POLICY.name(), TransactionsOptions.LAYOUT.name()),
          policy
              + "layout=beside has no room for what this policy keeps of each object; choose"
              + " another policy, or layout=apart");
    }
    return Optional.empty();
  }

  private static Optional<Unsuited> unsuited(Set<String> settings, String reason) {
    return Optional.of(new Unsuited(settings, reason));
  }

  @Override
  public Prepared<TransactionsOptions> prepare(Input source, Progress progress) {
    progress.begin("generating", -1);
    Workload workload = (Workload) source;
    Instance instance = workload.benchmark().generate();
    return new Problem(workload, instance, ContentHash.of(instance));
  }

  private record Problem(Workload workload, Instance instance, String hash)
      implements Prepared<TransactionsOptions> {
    @Override
    public Map<String, Long> sizes() {
      return instance.sizes();
    }

    @Override
    public Program variant(Device device, TransactionsOptions options) {
      unsuited(workload, options)
          .ifPresent(
              why -> {
                throw new IllegalArgumentException(why.reason());
              });
      Synchronization how = options.synchronization();
      return () -> {
        long begin = System.nanoTime();
        Instance.Finished finished =
            how == Synchronization.STM
                ? instance.run(device, options.layout(), options.stm())
                : instance.run(device, how, options.stm());
        return outcome(finished, (System.nanoTime() - begin) / 1e6);
      };
    }

    private static Outcome outcome(Instance.Finished finished, double total) {
      Map<String, Long> counters = new LinkedHashMap<>();
      counters.put("operations", finished.operations());
      counters.put(OPERATION_RATE, rate(finished.operations(), finished.kernelMillis()));
      if (!finished.regions().isEmpty()) {
        long commits = finished.regions().stream().mapToLong(RegionReport::commits).sum();
        counters.put(COMMIT_RATE, rate(commits, finished.kernelMillis()));
      }
      return new Outcome(
              Map.of(Outcome.TOTAL, total, Outcome.KERNELS, finished.kernelMillis()),
              counters,
              finished.result()::mistake)
          .withTransactions(finished.regions());
    }

    /** So many in a second of time in kernels; 0 if that was too short to be measured. */
    private static long rate(long count, double millis) {
      return millis <= 0 ? 0 : Math.round(count / millis * 1e3);
    }
  }
}
