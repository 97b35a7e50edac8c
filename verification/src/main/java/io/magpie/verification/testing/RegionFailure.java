package io.magpie.verification.testing;

import io.magpie.verification.explore.Violation;
import java.util.List;
import java.util.Optional;

/**
 * A region that fails a {@link RegionCheck}. Its message has the arguments, the smallest schedule
 * that fails with them, what is wrong, and how to see the same run again.
 */
public final class RegionFailure extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final transient List<Violation> violations;
  private final String schedule; // null if none was chosen

  RegionFailure(String message, List<Violation> violations, String schedule) {
    super(message);
    this.violations = List.copyOf(violations);
    this.schedule = schedule;
  }

  /**
   * What is wrong with the run, the worst first; empty if no run was wrong, but nothing was found
   * out: time was up, runs made too many accesses, or there are no items.
   */
  public List<Violation> violations() {
    return violations;
  }

  /** The schedule to {@linkplain RegionCheck#replay replay}, if the simulator ran it. */
  public Optional<String> schedule() {
    return Optional.ofNullable(schedule);
  }
}
