package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.options.PathOption;
import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Vacuity;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.Histories;
import io.magpie.verification.history.History;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks a saved history. */
final class HistoryCheck {
  /** The unit of a saved history's times, which it does not tell. */
  private static final String TIME = "time";

  private final VerifyOptions given;
  private final VerifyOutput output;

  HistoryCheck(VerifyOptions given, VerifyOutput output) {
    this.given = given;
    this.output = output;
  }

  /**
   * Checks it, and tells.
   *
   * @throws ViolationException if it is wrong
   * @throws VerificationException if there was nothing to check
   */
  void run() throws IOException {
    History history = Histories.read(PathOption.input(given.history()));
    long tolerance = given.skew == null ? 0 : given.skew;
    long begin = System.nanoTime();
    Verdict verdict =
        SerializabilityChecker.check(
            history,
            SerializabilityChecker.Options.DEFAULT
                .withSkew(tolerance)
                .withOpacity(!given.noOpacity));
    double seconds = (System.nanoTime() - begin) / 1e9;
    List<String> wrong = new ArrayList<>();
    verdict.violation().ifPresent(found -> wrong.add(found.toString()));
    verdict.opacityViolation().ifPresent(found -> wrong.add(found.toString()));
    Optional<Violation> vacuous = Vacuity.of(Tally.of(history, 0));
    boolean open = vacuous.isPresent() && verdict.passed();
    output.put("history", given.history().toString());
    output.put("skew", tolerance);
    output.put("verdict", open ? "nothing verified" : verdict.level().toString());
    output.put("opacity", (open ? Verdict.Opacity.NOT_CHECKED : verdict.opacity()).toString());
    output.put("checkSeconds", seconds);
    output.put("violations", wrong);
    output.draw(new RunTimeline.Run(history, TIME).withFinding(verdict.finding()));
    if (!open) {
      output.print("%s", verdict);
    }
    output.print("checked in %.3f s, skew %,d%n", seconds, tolerance);
    RuntimeException failure = null;
    if (open) {
      failure = output.vacuous(vacuous.get());
    } else if (!verdict.passed()) {
      failure =
          new ViolationException(
              given.history() + " is " + verdict.level() + ", " + verdict.opacity());
    }
    output.writeJson();
    if (failure != null) {
      throw failure;
    }
  }
}
