package io.magpie.verification.mutation;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.workload.CheckedRun;
import io.magpie.verification.workload.ClockSkew;
import io.magpie.verification.workload.DrawnWorkload;
import io.magpie.verification.workload.RecordedRuns;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a {@link Mutant} on real threads, as fast as they go, and checks what they recorded. No
 * schedule is chosen, so what is not seen here may still be there: a machine may order more than
 * its memory model promises.
 */
public final class MutantStress {
  private static final List<DrawnWorkload.Shape> SHAPES =
      List.of(
          new DrawnWorkload.Shape(4, 3, 50, 2, 0),
          new DrawnWorkload.Shape(64, 4, 50, 2, 0),
          new DrawnWorkload.Shape(64, 8, 50, 1, 0),
          new DrawnWorkload.Shape(4096, 8, 50, 2, 0),
          new DrawnWorkload.Shape(16, 4, 50, 2, 25));

  private static final long MOST_LOG_BYTES = 4L << 30;

  private MutantStress() {}

  /**
   * How much is run.
   *
   * @param transactions of each run, at least 1
   * @param runs of each workload, at least 1
   * @param timeout of each run: what has not ended by then is left undone
   */
  public record Extent(long transactions, int runs, Duration timeout) {
    public Extent {
      if (transactions < 1 || runs < 1) {
        throw new IllegalArgumentException(
            "transactions and runs must be at least 1, got " + transactions + " and " + runs);
      }
    }
  }

  /**
   * What became of a mutant.
   *
   * @param violation the first; empty if all runs were right
   * @param workload the one that showed it, or all of them
   * @param transactions that ended until then: with the timeout, fewer than were asked for
   * @param seconds time of it, without compiling
   */
  public record Result(
      Optional<Violation> violation, String workload, long transactions, double seconds) {}

  /**
   * Runs each of a few workloads several times, in the mutant's {@link Mutant.Build}. A fault that
   * the device survives is a violation.
   *
   * @param device of any machine
   * @throws KernelFaultException if a fault ended the device
   */
  public static Result run(Device device, Mutant mutant, Policy policy, Extent extent) {
    int eager = mutant.isOfEagerAttempts(policy) ? 1 : 0;
    return run(device, mutant.build(), mutant, policy, eager, extent);
  }

  /**
   * Runs the unbroken library, in a build of mutants, as {@link #run} does those: without eager
   * attempts, then with.
   */
  public static Result control(Device device, Mutant.Build build, Policy policy, Extent extent) {
    Result claims = run(device, build, null, policy, 0, extent);
    if (claims.violation().isPresent() || !policy.hasEagerAttempts()) {
      return claims;
    }
    Result eager = run(device, build, null, policy, 1, extent);
    return new Result(
        eager.violation(),
        eager.workload(),
        claims.transactions() + eager.transactions(),
        claims.seconds() + eager.seconds());
  }

  /**
   * Compiles the builds of mutants, several at a time, and leaves them in the cache.
   *
   * @throws io.magpie.stm.CompilationException if there is no compiler
   */
  public static void compile(Device device, Collection<Mutant> mutants) {
    List<Mutant.Build> builds = mutants.stream().map(Mutant::build).distinct().toList();
    builds.parallelStream()
        .map(build -> defines(build, Policy.HAND_OFF))
        .forEach(defines -> new DrawnWorkload(device, SHAPES.get(0), 1, defines).close());
  }

  private static Map<String, String> defines(Mutant.Build build, Policy policy) {
    Map<String, String> defines = new LinkedHashMap<>(Mutant.defines(policy));
    switch (build) {
      case UNVALIDATED_READS -> defines.put("MAGPIE_DRAWN_READS", "unvalidated");
      case UNBOUNDED_WAITS -> defines.put("MAGPIE_SIM_MAX_BY_CAS", "1");
      case STANDARD -> {}
    }
    return defines;
  }

  private static Result run(
      Device device, Mutant.Build build, Mutant mutant, Policy policy, int eager, Extent extent) {
    Map<String, String> defines = defines(build, policy);
    synchronized (Mutant.class) { // one at a time is at work
      try (KernelModule module = device.load("drawn", defines)) {
        Mutant.choose(module, Optional.ofNullable(mutant));
      }
      return run(device, defines, policy, eager, extent);
    }
  }

  private static Result run(
      Device device, Map<String, String> defines, Policy policy, int eager, Extent extent) {
    // The other machines' clocks are exact.
    long skew = device.machine() == Machine.CUDA ? ClockSkew.measure(device).nanos() : 0;
    // A policy that promises no end may have none.
    StmOptions options =
        StmOptions.defaults()
            .withPolicy(policy)
            .withEagerAttempts(eager)
            .withTimeout(extent.timeout);
    long done = 0;
    double seconds = 0;
    for (int turn = 0; turn < extent.runs; turn++) {
      for (DrawnWorkload.Shape shape : SHAPES) {
        try (DrawnWorkload workload = new DrawnWorkload(device, shape, 1, defines);
            RecordedRuns recorded =
                new RecordedRuns(
                    workload, options, Recording.Options.defaults(), skew, MOST_LOG_BYTES)) {
          CheckedRun run;
          try {
            run = recorded.run(extent.transactions, turn);
          } catch (KernelFaultException e) {
            if (e.deviceDead()) {
              throw e;
            }
            Violation fault = new Violation(Kind.FAULT, e.getMessage());
            return new Result(Optional.of(fault), shape.toString(), done, seconds);
          }
          done += run.verdict().extent().committed() + run.verdict().extent().canceled();
          seconds += run.runSeconds() + run.readSeconds() + run.checkSeconds();
          Optional<Violation> violation =
              run.violations().stream()
                  .filter(
                      each ->
                          policy.progress() == Policy.Progress.STARVATION_FREE
                              || each.kind() != Kind.NO_END)
                  .min(Comparator.comparing(Violation::kind));
          if (violation.isPresent()) {
            return new Result(violation, shape.toString(), done, seconds);
          }
        }
      }
    }
    return new Result(
        Optional.empty(),
        SHAPES.size() + " workloads, " + extent.runs + " runs each",
        done,
        seconds);
  }
}
