package io.magpie.algorithms;

import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import java.time.Duration;
import java.util.List;

/** The settings of how an algorithm's transactions run, which are the same for all algorithms. */
public final class TransactionSettings {
  private static final StmOptions DEFAULTS = StmOptions.defaults();

  /** All of {@link StmOptions}; what the others are components of. */
  public static final Setting<StmOptions> STM =
      Setting.inJava("stm", DEFAULTS, "how transactions run");

  /** {@link StmOptions#policy()}: any. */
  public static final Setting<Policy> ANY_POLICY =
      Setting.oneOfUnderscored("policy", DEFAULTS.policy(), "which transaction goes first")
          .meaning(Policy.HAND_OFF, "every transaction ends")
          .meaning(Policy.PRIORITY_RULE, "the published rule; may run forever")
          .meaning(Policy.PESSIMISTIC, "locks what it opens; may run forever")
          .meaning(Policy.COARSE_LOCK, "one lock for everything")
          .meaning(Policy.INVISIBLE_READS, "locks what it writes; may run forever")
          .meaning(Policy.LOCKS, "locks in a global order at commit")
          .meaning(Policy.HIERARCHICAL, "GPU-STM's, with a clock; may run forever")
          .meaning(Policy.PR_STM, "versions, marks and locks; may run forever")
          .meaning(Policy.BLOCK_LEVEL, "one for each thread block; may run forever")
          .meaning(
              Policy.OPTIMISTIC_HAND_OFF, "readers do not block others; every transaction ends")
          .meaning(Policy.OBSTRUCTION_FREE, "aborts others; may run forever")
          .meaning(
              Policy.PESSIMISTIC_IN_PLACE, "as pessimistic, but writes at once; may run forever")
          .meaning(
              Policy.INVISIBLE_READS_IN_PLACE,
              "as invisible_reads, but writes at once; may run forever")
          .within(STM, StmOptions::policy, StmOptions::withPolicy);

  /** The same, of those that run regions with {@code apply}, as algorithms have. */
  public static final Setting<Policy> POLICY = ANY_POLICY.among(Policy::runsApply);

  /** {@link StmOptions#threadsInFlight()}. */
  public static final Setting<Integer> THREADS_IN_FLIGHT =
      Setting.whole(
              "threads-in-flight",
              DEFAULTS.threadsInFlight(),
              0,
              Integer.MAX_VALUE,
              "maximum number of concurrent transactions; with 0 the device decides")
          .within(STM, StmOptions::threadsInFlight, StmOptions::withThreadsInFlight);

  /** {@link StmOptions#eagerAttempts()}. */
  public static final Setting<Integer> EAGER_ATTEMPTS =
      Setting.whole(
              "eager-attempts",
              DEFAULTS.eagerAttempts(),
              -1,
              Integer.MAX_VALUE,
              "number of first attempts of an item that wait for nothing and lock what they open, or"
                  + " only what they write; with -1 the policy decides")
          .within(STM, StmOptions::eagerAttempts, StmOptions::withEagerAttempts);

  /** {@link StmOptions#timeout()}, in seconds. */
  public static final Setting<Duration> TIMEOUT =
      Setting.seconds(
              "timeout",
              DEFAULTS.timeout(),
              Duration.ofNanos(Long.MAX_VALUE), // as StmOptions has it
              "seconds after which a pass of transactions gives up; 0 is never")
          .within(STM, StmOptions::timeout, StmOptions::withTimeout);

  private TransactionSettings() {}

  /**
   * All of them with {@link #POLICY}, {@link #STM} last.
   *
   * @param when something of the algorithm runs as transactions
   */
  public static List<Setting<?>> onlyWith(Condition when) {
    return onlyWith(POLICY, when);
  }

  /**
   * All of them, {@link #STM} last.
   *
   * @param policies {@link #POLICY} or {@link #ANY_POLICY}
   * @param when something runs as transactions
   */
  public static List<Setting<?>> onlyWith(Setting<Policy> policies, Condition when) {
    Setting<Policy> policy = policies.onlyWith(when);
    return List.of(
        policy,
        THREADS_IN_FLIGHT.onlyWith(when),
        EAGER_ATTEMPTS.onlyWith(policy.is(Policy.HAND_OFF, Policy.OPTIMISTIC_HAND_OFF)),
        TIMEOUT.onlyWith(when),
        STM.onlyWith(when));
  }
}
