package io.magpie.examples.cli.commands;

import io.magpie.algorithms.components.ComponentsReport;
import io.magpie.algorithms.components.ComponentsResult;
import io.magpie.algorithms.graph.Graph;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.input.GraphInput;
import io.magpie.stm.DeviceDescription;
import java.util.List;
import java.util.Map;

/**
 * Connected components, perhaps with a spanning forest.
 *
 * @param source where the graph came from
 * @param input what is shown of it
 * @param result the components, with a report
 * @param verified whether they were checked
 * @param mistakes what is wrong
 * @param details whether phases are shown
 */
record ComponentsOutcome(
    GraphInput source,
    InputGraph input,
    ComponentsResult result,
    boolean verified,
    List<String> mistakes,
    boolean details)
    implements LabelsOutcome, AlgorithmOutcome {
  @Override
  public ComponentsReport report() {
    return result.report().orElseThrow();
  }

  @Override
  public int[] labels() {
    return result.labels();
  }

  /** The spanning forest as a graph with all vertices, and with weights where the graph has any. */
  Graph forest() {
    return result.graph().withEdges(result.forest().orElseThrow());
  }

  /** For each vertex the number of its component, in the order of their least vertices. */
  int[] numbers() {
    int[] labels = result.labels();
    int[] numbers = new int[labels.length];
    int next = 0;
    for (int v = 0; v < labels.length; v++) {
      numbers[v] = labels[v] == v ? next++ : numbers[labels[v]];
    }
    return numbers;
  }

  @Override
  public void print(NamedLines to, DeviceDescription device) {
    input.print(to, source.description());
    printRun(to, device);
    FoundComponents.print(to, result.components(), wrong(), result::largest);
    result
        .forest()
        .ifPresent(arcs -> to.line("forest", "%s", Counts.number(arcs.length, "edge", "edges")));
    printTimes(to, "components");
    printVerdict(
        to,
        () ->
            result.forest().isPresent()
                ? "the components are those of breadth-first searches, and the forest spans them"
                : "the components are those of breadth-first searches");
    printPhases(to);
  }

  @Override
  public String origin() {
    return input.origin(report().uploadMillis());
  }

  @Override
  public void addTo(Map<String, Object> json) {
    ComponentsReport report = report();
    json.put("input", input.json(source.description(), result.graph()));
    json.put("variant", SettingOptions.json(report.options()));
    Map<String, Object> found = FoundComponents.json(result.components(), wrong(), result::largest);
    result.forest().ifPresent(arcs -> found.put("forestEdges", arcs.length));
    json.put("found", found);
    json.put("millis", millis());
    json.put("rounds", report.rounds());
    addRun(json);
    addVerdict(json);
  }
}
