package io.magpie.examples.cli.commands;

import io.magpie.algorithms.mesh.AngleHistogram;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.refine.RefinementOptions;
import io.magpie.algorithms.mesh.refine.RefinementReport;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.algorithms.mesh.refine.RefinementResult;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.cli.output.TextTable;
import io.magpie.examples.compare.RefinementComparison;
import io.magpie.examples.input.MeshHash;
import io.magpie.examples.input.MeshInput;
import io.magpie.stm.DeviceDescription;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A mesh before and after its refinement.
 *
 * @param source where it came from
 * @param verification null if it was not verified
 * @param shown what is shown that not everybody wants
 */
record RefinementOutcome(
    MeshInput source,
    Mesh before,
    AngleHistogram anglesBefore,
    RefinementResult result,
    AngleHistogram anglesAfter,
    MeshVerification verification,
    Shown shown)
    implements Outcome {
  /**
   * What is shown that not everybody wants.
   *
   * @param histogram how many angles there are of which size
   * @param details what each round did
   */
  record Shown(boolean histogram, boolean details) {}

  static RefinementOutcome of(
      MeshInput source,
      Mesh before,
      RefinementResult result,
      MeshVerification verification,
      Shown shown) {
    return new RefinementOutcome(
        source,
        before,
        AngleHistogram.of(before),
        result,
        AngleHistogram.of(result.mesh()),
        verification,
        shown);
  }

  Mesh after() {
    return result.mesh();
  }

  RefinementReport report() {
    return result.report();
  }

  RoundTable rounds() {
    return new RoundTable(report().rounds());
  }

  @Override
  public boolean wrong() {
    return verification != null && !verification.passed();
  }

  /** Its mistakes in one line. */
  String mistake() {
    return RefinementComparison.mistakes(verification);
  }

  @Override
  public void print(NamedLines to, DeviceDescription device) {
    RefinementReport report = report();
    to.line("mesh", "%s", source.description());
    to.line("device", "%s", device);
    to.line("variant", "%s", SettingOptions.text(report.options()));
    to.line("bounds", "%s", bounds(report.options(), before));
    to.line("outcome", "%s", EnumOption.name(report.outcome()).replace('-', ' '));
    printRounds(to);
    to.table(sizes());
    if (shown.histogram()) {
      to.text("%n%s", anglesAfter);
    }
    to.text("%n").line("aborts", "%s", Counts.text(rounds().aborts()));
    if (verification != null) {
      to.text("%n%s%n", verification);
      to.line(
          wrong() ? "WRONG" : "verified", "%s", wrong() ? mistake() : "by all checks that apply");
    }
    if (shown.details()) {
      to.table(rounds().text());
    }
  }

  private static String bounds(RefinementOptions options, Mesh mesh) {
    List<String> areas = new ArrayList<>();
    if (options.maximumArea() > 0) {
      areas.add("of at most " + decimal(options.maximumArea()));
    }
    RegionBounds ofRegions = RegionBounds.of(mesh);
    if (ofRegions.regions() > 0) {
      areas.add(
          "of at most "
              + decimal(ofRegions.least())
              + (ofRegions.least() == ofRegions.most() ? "" : " to " + decimal(ofRegions.most()))
              + (ofRegions.single()
                  ? " by triangle"
                  : ofRegions.regions() == 1
                      ? " in a region"
                      : " in " + Counts.number(ofRegions.regions()) + " regions"));
    }
    return "angles of at least "
        + decimal(options.minimumAngle())
        + " degrees"
        + (areas.isEmpty() ? "" : ", areas " + String.join(" and ", areas));
  }

  private static String decimal(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private void printRounds(NamedLines to) {
    RefinementReport report = report();
    RoundTable rounds = rounds();
    to.line(
        "rounds",
        "%,d: %s, %,d inserted, %,d needless, %,d given up",
        report.rounds().size(),
        Counts.number(rounds.sum(Round::items), "item", "items"),
        report.inserted(),
        rounds.sum(Round::canceled),
        report.givenUp());
    to.line(
        "time",
        "%.3f ms from Java to Java: loading kernels %.3f, upload %.3f, finding work %.3f, inserting"
            + " %.3f, download %.3f, rest %.3f",
        report.totalMillis(),
        report.loadMillis(),
        report.uploadMillis(),
        report.selectMillis(),
        report.refineMillis(),
        report.downloadMillis(),
        report.otherMillis());
  }

  private TextTable sizes() {
    RefinementReport report = report();
    TextTable table = new TextTable("", ">before", ">after");
    row(table, "vertices", before.vertices(), after().vertices());
    table.row("  inserted inside", "", Counts.number(report.insertedInside()));
    table.row("  inserted on segments", "", Counts.number(report.insertedOnSegments()));
    row(table, "triangles", before.triangles(), after().triangles());
    row(table, "  bad", report.badBefore(), report.badLeft());
    table.row("  excused by small angles", "", Counts.number(report.excused()));
    row(table, "segments", before.segments(), after().segments());
    row(table, "smallest angle", anglesBefore.smallest(), anglesAfter.smallest());
    row(table, "largest angle", anglesBefore.largest(), anglesAfter.largest());
    return table;
  }

  private static void row(TextTable table, String name, long before, long after) {
    table.row(name, Counts.number(before), Counts.number(after));
  }

  private static void row(TextTable table, String name, double before, double after) {
    table.row(name, degrees(before), degrees(after));
  }

  private static String degrees(double angle) {
    return String.format(Locale.ROOT, "%.4f", angle);
  }

  @Override
  public void addTo(Map<String, Object> json) {
    RefinementReport report = report();
    RefinementOptions options = report.options();
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("source", source.description());
    input.put("hash", MeshHash.of(before));
    addTo(input, before, anglesBefore);
    input.put("bad", report.badBefore());
    json.put("input", input);
    Map<String, Object> bounds = new LinkedHashMap<>();
    bounds.put("minimumAngle", options.minimumAngle());
    bounds.put("maximumArea", options.maximumArea());
    bounds.put("maximumVertices", options.maximumVertices());
    bounds.put("maximumSteinerPoints", options.maximumSteinerPoints());
    bounds.put("regions", RegionBounds.of(before).regions());
    json.put("bounds", bounds);
    json.put("variant", SettingOptions.json(options));
    json.put("mesh", mesh());
    json.put("millis", millis());
    json.put("rounds", report.rounds().size());
    json.put("profile", rounds().json());
    json.put("items", rounds().sum(Round::items));
    json.put("cancels", rounds().sum(Round::canceled));
    json.put("aborts", Counts.json(rounds().aborts()));
    json.put("outcome", EnumOption.name(report.outcome()));
    json.put("verdict", verification == null ? "not verified" : wrong() ? "wrong" : "verified");
    if (verification != null) {
      json.put("checks", verification.outcomes().stream().map(RefinementOutcome::json).toList());
    }
  }

  private Map<String, Object> mesh() {
    RefinementReport report = report();
    Map<String, Object> mesh = new LinkedHashMap<>();
    addTo(mesh, after(), anglesAfter);
    mesh.put("insertedInside", report.insertedInside());
    mesh.put("insertedOnSegments", report.insertedOnSegments());
    mesh.put("bad", report.badLeft());
    mesh.put("excused", report.excused());
    mesh.put("givenUp", report.givenUp());
    if (shown.histogram()) {
      mesh.put("angles", anglesAfter.allAngles());
      mesh.put("smallestAngles", anglesAfter.smallestAngles());
    }
    return mesh;
  }

  private static void addTo(Map<String, Object> json, Mesh mesh, AngleHistogram angles) {
    json.put("vertices", mesh.vertices());
    json.put("triangles", mesh.triangles());
    json.put("segments", mesh.segments());
    json.put("smallestAngle", angles.smallest());
    json.put("largestAngle", angles.largest());
  }

  private Map<String, Object> millis() {
    RefinementReport report = report();
    Map<String, Object> millis = new LinkedHashMap<>();
    millis.put("total", report.totalMillis());
    millis.put("load", report.loadMillis());
    millis.put("upload", report.uploadMillis());
    millis.put("select", report.selectMillis());
    millis.put("refine", report.refineMillis());
    millis.put("download", report.downloadMillis());
    millis.put("other", report.otherMillis());
    return millis;
  }

  private static Map<String, Object> json(MeshVerification.Outcome outcome) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("check", EnumOption.name(outcome.check()));
    value.put("status", EnumOption.name(outcome.status()));
    value.put("faults", outcome.faults());
    value.put("detail", outcome.detail());
    return value;
  }
}
