package io.magpie.algorithms.mesh.verify;

import io.magpie.algorithms.mesh.AngleHistogram;
import java.util.List;
import java.util.Locale;

/**
 * What {@link MeshVerifier} found.
 *
 * @param outcomes one for each check, in the order of {@link MeshCheck}
 * @param angles the angles of the mesh; empty if ids were not valid
 * @param bad triangles that break a bound and are not excused
 * @param excused triangles under the angle bound that small angles of the input excuse
 * @param millis how long it took
 */
public record MeshVerification(
    List<Outcome> outcomes, AngleHistogram angles, long bad, long excused, double millis) {

  /** How a check ended. */
  public enum Status {
    /** Nothing wrong was found. */
    PASSED,
    /** Something is wrong. */
    FAILED,
    /** There was nothing to judge by, or an earlier failure leaves nothing to judge. */
    NOT_APPLICABLE
  }

  /**
   * One check.
   *
   * @param check which
   * @param status how it ended
   * @param faults how many faults were found
   * @param detail the numbers that it rests on, the first fault, or why it does not apply
   */
  public record Outcome(MeshCheck check, Status status, long faults, String detail) {}

  /** Copies the list. */
  public MeshVerification {
    outcomes = List.copyOf(outcomes);
  }

  /** Whether no check failed. */
  public boolean passed() {
    return failures().isEmpty();
  }

  /** The checks that failed, in order. */
  public List<MeshCheck> failures() {
    return outcomes.stream()
        .filter(outcome -> outcome.status() == Status.FAILED)
        .map(Outcome::check)
        .toList();
  }

  /** The outcome of one check. */
  public Outcome outcome(MeshCheck check) {
    return outcomes.get(check.ordinal());
  }

  /** A table, one line for each check. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Outcome outcome : outcomes) {
      text.append(
          String.format(
              Locale.ROOT,
              "%2d %-12s %-6s %s%n",
              outcome.check().ordinal() + 1,
              outcome.check().name().toLowerCase(Locale.ROOT),
              switch (outcome.status()) {
                case PASSED -> "ok";
                case FAILED -> "FAILED";
                case NOT_APPLICABLE -> "-";
              },
              outcome.detail()));
    }
    return text.toString();
  }
}
