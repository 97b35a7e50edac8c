package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.input.GraphHash;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What is shown of the graph that a run was given, which may be gone by then.
 *
 * @param weightType the type of its weights
 * @param resident whether it was on the device before the run
 */
record InputGraph(int vertices, long edges, long arcs, WeightType weightType, boolean resident) {
  static InputGraph of(Graph graph) {
    return new InputGraph(graph.vertices(), graph.edges(), graph.arcs(), graph.weightType(), false);
  }

  static InputGraph of(ResidentGraph graph) {
    return new InputGraph(graph.vertices(), graph.edges(), graph.arcs(), graph.weightType(), true);
  }

  /** From where to where the time of a run is, and what of it was the way to the device. */
  String origin(double uploadMillis) {
    return resident
        ? "from the device to Java:"
        : String.format(Locale.ROOT, "from Java to Java: upload %.3f,", uploadMillis);
  }

  /** Prints where it came from, and its size. */
  void print(NamedLines to, String description) {
    to.line("graph", "%s", description);
    to.line(
        "",
        "%s, %s, %s",
        Counts.number(vertices, "vertex", "vertices"),
        Counts.number(edges, "edge", "edges"),
        Counts.number(arcs, "arc", "arcs"));
  }

  /** The same for programs, with a hash of the graph in Java's memory. */
  Map<String, Object> json(String description, Graph graph) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("source", description);
    json.put("hash", GraphHash.of(graph));
    json.put("vertices", vertices);
    json.put("edges", edges);
    json.put("arcs", arcs);
    return json;
  }
}
