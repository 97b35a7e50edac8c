package io.magpie.examples.cli.commands;

import io.magpie.algorithms.sat.Formula;
import io.magpie.algorithms.sat.SurveyReport;
import io.magpie.algorithms.sat.SurveyReport.Step;
import io.magpie.algorithms.sat.SurveyResult;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.cli.output.TextTable;
import io.magpie.examples.input.FormulaHash;
import io.magpie.examples.input.FormulaInput;
import io.magpie.stm.DeviceDescription;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How survey propagation of a formula ended.
 *
 * @param source where the formula came from
 * @param result with a report
 * @param verified whether it was checked
 * @param mistakes what is wrong
 * @param details whether steps and phases are shown
 */
record SatOutcome(
    FormulaInput source,
    SurveyResult result,
    boolean verified,
    List<String> mistakes,
    boolean details)
    implements AlgorithmOutcome {
  @Override
  public SurveyReport report() {
    return result.report().orElseThrow();
  }

  @Override
  public void print(NamedLines to, DeviceDescription device) {
    Formula formula = result.formula();
    SurveyReport report = report();
    to.line("formula", "%s", source.description());
    to.line(
        "",
        "%s, %s, %s",
        Counts.number(formula.variables(), "variable", "variables"),
        Counts.number(formula.clauses(), "clause", "clauses"),
        Counts.number(formula.literals().length, "literal", "literals"));
    printRun(to, device);
    to.line("outcome", "%s", text());
    to.line(
        "decided",
        "%s by bias in %s, %,d by unit propagation; %s",
        Counts.number(report.decided(), "variable", "variables"),
        Counts.number(report.decimations(), "step", "steps"),
        report.propagated(),
        Counts.number(report.sweeps(), "sweep", "sweeps"));
    if (report.restarts() > 0) {
      to.line("restarts", "%,d", report.restarts());
    }
    if (report.flips() > 0) {
      to.line("search", "%s", search(report));
    }
    printTimes(to, "solving");
    printVerdict(
        to,
        () ->
            switch (result.outcome()) {
              case SOLVED -> "the assignment satisfies all clauses";
              case CONTRADICTION ->
                  result.unsatisfiable()
                      ? "unit propagation alone ends in a contradiction"
                      : result.conflict()
                          ? "unit propagation of the decided values ends in a contradiction"
                          : "the rest is what the decided values leave; of the formula nothing is"
                              + " claimed";
              case UNCONVERGED, PARAMAGNETIC -> "the rest is what the decided values leave";
            });
    if (details) {
      to.table(steps());
    }
    printPhases(to);
  }

  private static String search(SurveyReport report) {
    if (report.rounds() == 0) {
      return Counts.number(report.flips(), "flip", "flips") + " by the host";
    }
    String flips =
        Counts.number(report.flips() - report.flipsOnHost(), "flip", "flips")
            + " in "
            + Counts.number(report.rounds(), "round", "rounds");
    return report.flipsOnHost() == 0
        ? flips
        : String.format(Locale.ROOT, "%s, then %,d by the host", flips, report.flipsOnHost());
  }

  private TextTable steps() {
    TextTable table = new TextTable(">step", ">variables", ">clauses", ">sweeps", ">mean bias");
    int number = 0;
    for (Step step : report().steps()) {
      table.row(
          Integer.toString(++number),
          Counts.number(step.openVariables()),
          Counts.number(step.openClauses()),
          Counts.number(step.sweeps()),
          String.format(Locale.ROOT, "%.4f", step.bias()));
    }
    return table;
  }

  private String text() {
    if (result.unsatisfiable()) {
      return "unsatisfiable, by unit propagation alone";
    }
    return switch (result.outcome()) {
      case SOLVED -> "solved";
      case CONTRADICTION ->
          result.conflict()
              ? "contradiction between decided values"
              : "contradiction by surveys; " + left();
      case UNCONVERGED -> "unconverged; " + left();
      case PARAMAGNETIC -> "paramagnetic, and not solved by the local search; " + left();
    };
  }

  private String left() {
    return Counts.number(result.rest().clauses(), "clause is left", "clauses are left");
  }

  @Override
  public void addTo(Map<String, Object> json) {
    SurveyReport report = report();
    json.put("input", input());
    json.put("variant", SettingOptions.json(report.options()));
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("outcome", result.outcome().name().toLowerCase(Locale.ROOT));
    found.put("unsatisfiable", result.unsatisfiable());
    found.put("decided", report.decided());
    found.put("propagated", report.propagated());
    found.put("restClauses", result.rest().clauses());
    json.put("found", found);
    json.put("millis", millis());
    json.put("restarts", report.restarts());
    json.put("sweeps", report.sweeps());
    json.put("decimations", report.decimations());
    json.put("flips", report.flips());
    json.put("flipsOnHost", report.flipsOnHost());
    json.put("rounds", report.rounds());
    json.put("steps", jsonSteps());
    addRun(json);
    addVerdict(json);
  }

  private Map<String, Object> input() {
    Formula formula = result.formula();
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("source", source.description());
    input.put("hash", FormulaHash.of(formula));
    input.put("variables", formula.variables());
    input.put("clauses", formula.clauses());
    input.put("literals", formula.literals().length);
    return input;
  }

  private List<Map<String, Object>> jsonSteps() {
    List<Map<String, Object>> steps = new ArrayList<>();
    for (Step step : report().steps()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("converged", step.converged());
      one.put("sweeps", step.sweeps());
      one.put("bias", step.bias());
      one.put("openVariables", step.openVariables());
      one.put("openClauses", step.openClauses());
      steps.add(one);
    }
    return steps;
  }
}
