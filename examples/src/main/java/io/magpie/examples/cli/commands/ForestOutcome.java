package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.msf.MsfReport;
import io.magpie.algorithms.msf.MsfResult;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.input.GraphInput;
import io.magpie.stm.DeviceDescription;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A spanning forest.
 *
 * @param source where its graph came from
 * @param input what is shown of it
 * @param result the forest, with a report
 * @param reference what it was compared with; null if it was not verified
 * @param mistakes what is wrong
 * @param details whether phases are shown
 */
record ForestOutcome(
    GraphInput source,
    InputGraph input,
    MsfResult result,
    MsfResult reference,
    List<String> mistakes,
    boolean details)
    implements SpanningOutcome, AlgorithmOutcome {
  @Override
  public boolean verified() {
    return reference != null;
  }

  @Override
  public MsfReport report() {
    return result.report().orElseThrow();
  }

  /** The forest as a graph with all vertices. */
  Graph graph() {
    return result.graph().withEdges(result.arcs());
  }

  @Override
  public void writeEdges(OutputStream stream) throws IOException {
    Graph graph = result.graph();
    int[] ends = result.endpoints();
    int[] arcs = result.arcs();
    SpanningOutcome.writeLines(
        stream,
        result.edges(),
        (e, line) ->
            line.append(ends[2 * e])
                .append(' ')
                .append(ends[2 * e + 1])
                .append(' ')
                .append(graph.exactWeight(arcs[e])));
  }

  @Override
  public void print(NamedLines to, DeviceDescription device) {
    input.print(to, source.description());
    printRun(to, device);
    to.line(
        "forest",
        "%s, %s, total weight %s",
        Counts.number(result.edges(), "edge", "edges"),
        Counts.number(result.components(), "component", "components"),
        SpanningOutcome.text(result.exactWeight(), input.weightType()));
    printTimes(to);
    printVerdict(
        to,
        () ->
            String.format(
                Locale.ROOT,
                "a spanning forest of the same weight as sequential Kruskal's, %s",
                SpanningOutcome.text(reference.exactWeight(), input.weightType())));
    printPhases(to);
  }

  @Override
  public String origin() {
    return input.origin(report().uploadMillis());
  }

  private void printTimes(NamedLines to) {
    MsfReport report = report();
    to.line(
        "time",
        "%.3f ms %s forest %.3f, weight and labels %.3f, download and rest %.3f",
        report.hostMillis(),
        origin(),
        report.solveMillis(),
        report.resultMillis(),
        report.hostMillis() - report.uploadMillis() - report.solveMillis() - report.resultMillis());
    printAborts(to);
  }

  @Override
  public void addTo(Map<String, Object> json) {
    MsfReport report = report();
    Map<String, Object> graph = input.json(source.description(), result.graph());
    graph.put("weightType", input.weightType().toString());
    json.put("input", graph);
    json.put("variant", SettingOptions.json(report.options()));
    Map<String, Object> forest = new LinkedHashMap<>();
    forest.put("edges", result.edges());
    forest.put("components", result.components());
    forest.put("weight", SpanningOutcome.json(result.exactWeight(), input.weightType()));
    json.put("forest", forest);
    Map<String, Object> millis = millis();
    millis.put("result", report.resultMillis());
    json.put("millis", millis);
    json.put("rounds", report.rounds());
    addRun(json);
    addVerdict(json);
  }
}
