package io.magpie.verification.workload;

import io.magpie.stm.RegionReport;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.History;
import java.util.List;

/**
 * A recorded run, or a round of one, and what was found out about it.
 *
 * @param report what the run did
 * @param waiting items that it pushed or deferred, which wait for another round
 * @param history what was recorded; null of a round that another one followed
 * @param tally how the items ended; one that waits did not
 * @param verdict what the checker says
 * @param edges dependencies between committed and canceled transactions: ww, wr and rw
 * @param violations everything wrong, the verdict's findings among it; empty if nothing is
 * @param wrote whether anything was written by a transaction
 * @param met whether two items used one object
 * @param runSeconds time of the run, contents made anew included
 * @param readSeconds time of reading the logs back
 * @param checkSeconds time of all checks
 */
public record CheckedRun(
    RegionReport report,
    long waiting,
    History history,
    Tally tally,
    Verdict verdict,
    long edges,
    List<Violation> violations,
    boolean wrote,
    boolean met,
    double runSeconds,
    double readSeconds,
    double checkSeconds) {
  public CheckedRun {
    violations = List.copyOf(violations);
  }

  /** The same with these violations. */
  CheckedRun withViolations(List<Violation> all) {
    return new CheckedRun(
        report,
        waiting,
        history,
        tally,
        verdict,
        edges,
        all,
        wrote,
        met,
        runSeconds,
        readSeconds,
        checkSeconds);
  }

  /** The same without what takes most memory. */
  CheckedRun withoutHistory() {
    return new CheckedRun(
        report,
        waiting,
        null,
        tally,
        verdict,
        edges,
        violations,
        wrote,
        met,
        runSeconds,
        readSeconds,
        checkSeconds);
  }
}
