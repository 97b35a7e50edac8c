package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.options.PathOption;
import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.history.Histories;
import io.magpie.verification.history.History;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Checks a saved history. */
final class HistoryCheck {
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
    String lack = VerifyOutput.lack(Tally.of(history, 0));
    boolean open = lack != null && verdict.passed();
    output.put("history", given.history().toString());
    output.put("skew", tolerance);
    output.put("verdict", open ? "nothing verified" : verdict.level().toString());
    output.put("opacity", (open ? Verdict.Opacity.NOT_CHECKED : verdict.opacity()).toString());
    output.put("checkSeconds", seconds);
    output.put("violations", wrong);
    if (!open) {
      output.print("%s", verdict);
    }
    output.print("checked in %.3f s, skew %,d%n", seconds, tolerance);
    output.writeJson();
    if (!verdict.passed()) {
      throw new ViolationException(
          given.history() + " is " + verdict.level() + ", " + verdict.opacity());
    }
    if (open) {
      throw new VerificationException(lack);
    }
  }
}
