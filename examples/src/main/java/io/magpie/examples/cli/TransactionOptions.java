package io.magpie.examples.cli;

import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** The options that say how an algorithm's transactions run. */
final class TransactionOptions {
  private static final long LONGEST_TIMEOUT = TimeUnit.NANOSECONDS.toSeconds(Long.MAX_VALUE);

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "Which transaction goes first: hand_off (default, live) or priority_rule (the published"
              + " rule, not live).")
  private Policy policy;

  @Option(
      names = "--statistics",
      negatable = true,
      fallbackValue = "true",
      description = "Count commits and aborts by cause (default), or leave it out and be faster.")
  private Boolean statistics;

  @Option(
      names = "--threads-in-flight",
      paramLabel = "N",
      description = "Most transactions at the same time; default 0: the device decides.")
  private Integer threadsInFlight;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description =
          "Time after which a pass of transactions gives up, 0 to 9223372036; default 60, 0 is"
              + " never.")
  private Long timeout;

  /**
   * The defaults with what was given.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  StmOptions over(StmOptions defaults) {
    StmOptions options = defaults;
    if (policy != null) {
      options = options.withPolicy(policy);
    }
    if (statistics != null) {
      options = options.withStatistics(statistics);
    }
    if (threadsInFlight != null) {
      options = options.withThreadsInFlight(threadsInFlight);
    }
    if (timeout != null) {
      options = options.withTimeout(timeout(timeout));
    }
    return options;
  }

  /**
   * A timeout in seconds.
   *
   * @throws IllegalArgumentException if it is negative, or of more nanoseconds than a long holds
   */
  static Duration timeout(long seconds) {
    if (seconds < 0 || seconds > LONGEST_TIMEOUT) {
      throw new IllegalArgumentException(
          "--timeout must be from 0 to " + LONGEST_TIMEOUT + " seconds, got " + seconds);
    }
    return Duration.ofSeconds(seconds);
  }

  /**
   * Refuses what has no effect without transactions.
   *
   * @param remedy the option that asks for transactions
   * @throws IllegalArgumentException if something of that kind was given
   */
  void forbid(String remedy) {
    forbid("--policy", policy, remedy);
    forbid("--threads-in-flight", threadsInFlight, remedy);
    forbid("--timeout", timeout, remedy);
  }

  private static void forbid(String option, Object given, String remedy) {
    if (given != null) {
      throw new IllegalArgumentException(
          option + " has no effect without transactions; leave it out, or use " + remedy);
    }
  }
}
