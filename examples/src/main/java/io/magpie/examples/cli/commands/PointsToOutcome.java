package io.magpie.examples.cli.commands;

import io.magpie.algorithms.Setting;
import io.magpie.algorithms.pointsto.ConstraintSet;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import io.magpie.algorithms.pointsto.LlvmProgram;
import io.magpie.algorithms.pointsto.PointsToOptions;
import io.magpie.algorithms.pointsto.PointsToReport;
import io.magpie.algorithms.pointsto.PointsToResult;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.input.ConstraintHash;
import io.magpie.examples.input.ConstraintInput;
import io.magpie.stm.DeviceDescription;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Points-to sets.
 *
 * @param source where the constraints came from
 * @param program that they are of; null if they come from no program
 * @param queries names of the program's variables whose sets are shown
 * @param result the sets, with a report
 * @param verified whether they were checked
 * @param mistakes what is wrong
 * @param details whether phases are shown
 */
record PointsToOutcome(
    ConstraintInput source,
    LlvmProgram program,
    List<String> queries,
    PointsToResult result,
    boolean verified,
    List<String> mistakes,
    boolean details)
    implements AlgorithmOutcome {
  private static final int BLOCK = 1 << 15;

  /** Names that a line of the text has at most. */
  private static final int SHOWN = 12;

  private static final List<Setting<?>> AUTOMATIC =
      List.of(PointsToOptions.PROPAGATION, PointsToOptions.CYCLES, PointsToOptions.SETS);

  @Override
  public PointsToReport report() {
    return result.report().orElseThrow();
  }

  /** Writes a line for each variable, with blanks between those that it may point to. */
  void writeSets(OutputStream stream) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int v = 0; v < result.setOf().length; v++) {
      String blank = "";
      for (int target : result.pointsTo(v)) {
        lines.append(blank).append(target);
        blank = " ";
        if (lines.length() > BLOCK) {
          write(lines, stream);
        }
      }
      lines.append('\n');
    }
    write(lines, stream);
  }

  /** Writes a line for each variable: its name. */
  void writeNames(OutputStream stream) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int v = 0; v < result.setOf().length; v++) {
      lines.append(printable(program.name(v))).append('\n');
      if (lines.length() > BLOCK) {
        write(lines, stream);
      }
    }
    write(lines, stream);
  }

  /** A name as it is shown, in one line of ASCII. */
  private static String printable(String name) {
    return name.replaceAll("[^ -~]", "?");
  }

  private static void write(StringBuilder text, OutputStream stream) throws IOException {
    stream.write(text.toString().getBytes(StandardCharsets.US_ASCII));
    text.setLength(0);
  }

  @Override
  public void print(NamedLines to, DeviceDescription device) {
    ConstraintSet constraints = result.constraints();
    PointsToReport report = report();
    to.line("input", "%s%s", source.description(), source.generated() ? ", synthetic" : "");
    to.line(
        "",
        "%s; constraints: %,d address-of, %,d copy, %,d load, %,d store",
        Counts.number(constraints.variables(), "variable", "variables"),
        constraints.count(Kind.ADDRESS_OF),
        constraints.count(Kind.COPY),
        constraints.count(Kind.LOAD),
        constraints.count(Kind.STORE));
    if (program != null) {
      printProgram(to);
    }
    printRun(to, device);
    if (!chosenText().isEmpty()) {
      to.line("auto", "%s", chosenText());
    }
    to.line(
        "found",
        "%s of a variable and a target, at most %s, %s",
        Counts.number(result.pairs(), "pair", "pairs"),
        Counts.number(result.largest(), "target", "targets"),
        Counts.number(result.sets(), "different set", "different sets"));
    for (String name : queries) {
      List<String> targets = targets(name);
      to.line(
          "query", "%s -> %s", printable(name), targets.isEmpty() ? "nothing" : listed(targets));
    }
    to.line(
        "work",
        "%s, %s, %s merged into others",
        Counts.number(report.rounds(), "round", "rounds"),
        Counts.number(report.edges(), "edge", "edges"),
        Counts.number(report.collapsed(), "variable", "variables"));
    printTimes(to, "analysis");
    printVerdict(to, () -> "the sets are those of a sequential solver");
    printPhases(to);
  }

  private void printProgram(NamedLines to) {
    to.line(
        "program",
        "%s, %s, %s",
        Counts.number(program.functions(), "function", "functions"),
        Counts.number(program.instructions(), "instruction", "instructions"),
        Counts.number(program.indirectCalls(), "call by pointers", "calls by pointers"));
    if (program.externalVariables() > 0) {
      to.line(
          "",
          "%s, taken to point to nothing until the program stores something there",
          Counts.number(program.externalVariables(), "external variable", "external variables"));
    }
    if (!program.ignoredCalls().isEmpty()) {
      to.line(
          "ignored",
          "%s of functions of which nothing is known, so sets may lack targets: %s",
          Counts.number(
              program.ignoredCalls().values().stream().mapToLong(n -> n).sum(), "call", "calls"),
          listed(
              program.ignoredCalls().entrySet().stream()
                  .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                  .map(entry -> printable(entry.getKey()) + " " + entry.getValue())
                  .toList()));
    }
  }

  private static String listed(List<String> words) {
    return words.size() <= SHOWN
        ? String.join(", ", words)
        : String.join(", ", words.subList(0, SHOWN)) + " and " + (words.size() - SHOWN) + " more";
  }

  /** The names of what a variable may point to, in the order of their numbers. */
  private List<String> targets(String name) {
    return Arrays.stream(result.pointsTo(program.variable(name).getAsInt()))
        .mapToObj(program::name)
        .map(PointsToOutcome::printable)
        .toList();
  }

  @Override
  public void addTo(Map<String, Object> json) {
    PointsToReport report = report();
    json.put("input", input());
    json.put("variant", SettingOptions.json(report.options()));
    json.put("chosen", chosen());
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("pairs", result.pairs());
    found.put("largest", result.largest());
    found.put("empty", result.empty());
    found.put("sets", result.sets());
    json.put("found", found);
    if (program != null) {
      Map<String, Object> queried = new LinkedHashMap<>();
      queries.forEach(name -> queried.put(name, targets(name)));
      json.put("queries", queried);
    }
    json.put("millis", millis());
    json.put("rounds", report.rounds());
    json.put("edges", report.edges());
    json.put("growths", report.growths());
    json.put("collapsed", report.collapsed());
    json.put("searches", report.searches());
    json.put("looksGivenUp", report.looksGivenUp());
    addRun(json);
    addVerdict(json);
  }

  /** What {@code auto} stood for, and what was given. */
  private Map<String, Object> chosen() {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Setting<?> setting : AUTOMATIC) {
      values.put(setting.name(), written(report().chosen(), setting));
    }
    return values;
  }

  private String chosenText() {
    return AUTOMATIC.stream()
        .filter(setting -> written(report().options(), setting).equals("auto"))
        .map(setting -> setting.name() + " " + written(report().chosen(), setting))
        .collect(Collectors.joining(", "));
  }

  private static <V> String written(PointsToOptions options, Setting<V> setting) {
    return setting.write(options.get(setting));
  }

  private Map<String, Object> input() {
    ConstraintSet constraints = result.constraints();
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("source", source.description());
    input.put("synthetic", source.generated());
    input.put("hash", ConstraintHash.of(constraints));
    input.put("variables", constraints.variables());
    for (Kind kind : Kind.values()) {
      input.put(kind.word(), constraints.count(kind));
    }
    if (program != null) {
      Map<String, Object> read = new LinkedHashMap<>();
      read.put("functions", program.functions());
      read.put("instructions", program.instructions());
      read.put("indirectCalls", program.indirectCalls());
      read.put("externalVariables", program.externalVariables());
      Map<String, Object> ignored = new LinkedHashMap<>();
      program.ignoredCalls().forEach((name, count) -> ignored.put(printable(name), count));
      read.put("ignoredCalls", ignored);
      input.put("program", read);
    }
    return input;
  }
}
