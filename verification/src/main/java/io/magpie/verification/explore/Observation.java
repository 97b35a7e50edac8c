package io.magpie.verification.explore;

import io.magpie.stm.simulator.Simulator;
import java.util.List;

/**
 * What one run under one schedule did.
 *
 * @param trace the schedule it took
 * @param violations what was wrong, empty if nothing was
 * @param leastAttempts attempts of the item that needed the fewest: what a search for livelocks
 *     makes large
 * @param tally how its items ended
 */
public record Observation(
    Simulator.Trace trace, List<Violation> violations, int leastAttempts, Tally tally) {
  public Observation {
    violations = List.copyOf(violations);
  }

  /** Whether some violation is of this kind. */
  public boolean has(Violation.Kind kind) {
    return violations.stream().anyMatch(violation -> violation.kind() == kind);
  }
}
