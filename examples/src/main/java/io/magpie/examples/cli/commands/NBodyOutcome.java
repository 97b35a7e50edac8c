package io.magpie.examples.cli.commands;

import io.magpie.algorithms.nbody.Conserved;
import io.magpie.algorithms.nbody.NBodyOptions;
import io.magpie.algorithms.nbody.NBodyReport;
import io.magpie.algorithms.nbody.NBodyResult;
import io.magpie.algorithms.nbody.NBodyVerifier;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.input.BodiesHash;
import io.magpie.examples.input.BodiesInput;
import io.magpie.stm.DeviceDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A simulation.
 *
 * @param input where its bodies came from
 * @param result how it ended, with a report
 * @param errors those of forces; null if they were not looked at
 * @param mistakes what is wrong
 * @param details whether phases are shown
 */
record NBodyOutcome(
    BodiesInput input,
    NBodyResult result,
    NBodyVerifier.Errors errors,
    List<String> mistakes,
    boolean details)
    implements AlgorithmOutcome {
  @Override
  public boolean verified() {
    return errors != null;
  }

  @Override
  public NBodyReport report() {
    return result.report().orElseThrow();
  }

  @Override
  public void print(NamedLines to, DeviceDescription device) {
    NBodyReport report = report();
    Conserved before = report.before();
    Conserved after = report.after();
    to.line("bodies", "%s", input.description());
    to.line("", "%,d", result.after().count());
    printRun(to, device);
    to.line(
        "run",
        "%s of %s, theta %s, softening %s",
        Counts.number(report.options().steps(), "step", "steps"),
        NBodyOptions.TIME_STEP.write(report.options().timeStep()),
        NBodyOptions.THETA.write(report.options().theta()),
        NBodyOptions.SOFTENING.write(report.options().softening()));
    to.line(
        "tree",
        "%s of %s; %,d bodies or cells act on a body in the mean",
        Counts.number(report.cells(), "cell", "cells"),
        Counts.number(report.depths(), "depth", "depths"),
        report.interactions()
            / Math.max(1, (long) result.after().count() * (report.options().steps() + 1L)));
    to.line(
        "energy",
        "%.6f, kinetic %.6f and potential %.6f; drift %+.2e of %.6f",
        after.energy(),
        after.kinetic(),
        after.potential(),
        after.energyDrift(before),
        Math.abs(before.energy()));
    to.line(
        "momentum",
        "%.2e, %.2e, %.2e; drift %.2e of mass times speed",
        after.momentumX(),
        after.momentumY(),
        after.momentumZ(),
        after.momentumDrift(before));
    to.line(
        "angular",
        "momentum %.2e, %.2e, %.2e; drift %.2e of the sum of its bodies' lengths",
        after.angularX(),
        after.angularY(),
        after.angularZ(),
        after.angularDrift(before));
    printTime(to, "steps");
    printParts(to);
    printAborts(to);
    printVerdict(
        to,
        () ->
            String.format(
                Locale.ROOT,
                "the tree of its bodies; errors of forces on %s: median %.2e, 99 of 100 at most"
                    + " %.2e, all %.2e",
                Counts.number(errors.bodies(), "body", "bodies"),
                errors.median(),
                errors.percentile99(),
                errors.most()));
    printPhases(to);
  }

  private void printParts(NamedLines to) {
    NBodyReport report = report();
    double all = Math.max(report.solveMillis(), Double.MIN_NORMAL);
    to.line(
        "of steps",
        "keys %.1f %%, build %.1f %%, summary and order %.1f %%, forces %.1f %%, motion %.1f %%",
        100 * report.keysMillis() / all,
        100 * report.buildMillis() / all,
        100 * report.summaryMillis() / all,
        100 * report.forceMillis() / all,
        100 * report.moveMillis() / all);
  }

  @Override
  public void addTo(Map<String, Object> json) {
    NBodyReport report = report();
    Map<String, Object> bodies = new LinkedHashMap<>();
    bodies.put("source", input.description());
    bodies.put("hash", BodiesHash.of(result.before()));
    bodies.put("bodies", result.before().count());
    json.put("input", bodies);
    json.put("variant", SettingOptions.json(report.options()));
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("cells", report.cells());
    tree.put("depths", report.depths());
    json.put("tree", tree);
    json.put("before", conserved(report.before()));
    json.put("after", conserved(report.after()));
    json.put("energyDrift", Math.abs(report.after().energyDrift(report.before())));
    json.put("momentumDrift", report.after().momentumDrift(report.before()));
    json.put("angularMomentumDrift", report.after().angularDrift(report.before()));
    Map<String, Object> millis = millis();
    millis.put("keys", report.keysMillis());
    millis.put("build", report.buildMillis());
    millis.put("summary", report.summaryMillis());
    millis.put("force", report.forceMillis());
    millis.put("move", report.moveMillis());
    json.put("millis", millis);
    json.put("passes", report.passes());
    json.put("interactions", report.interactions());
    addRun(json);
    if (errors != null) {
      Map<String, Object> found = new LinkedHashMap<>();
      found.put("bodies", errors.bodies());
      found.put("median", errors.median());
      found.put("percentile99", errors.percentile99());
      found.put("most", errors.most());
      found.put("mostOfPotential", errors.mostOfPotential());
      json.put("errors", found);
    }
    addVerdict(json);
  }

  private static Map<String, Object> conserved(Conserved sums) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("kinetic", sums.kinetic());
    value.put("potential", sums.potential());
    value.put("momentum", List.of(sums.momentumX(), sums.momentumY(), sums.momentumZ()));
    value.put("angularMomentum", List.of(sums.angularX(), sums.angularY(), sums.angularZ()));
    return value;
  }
}
