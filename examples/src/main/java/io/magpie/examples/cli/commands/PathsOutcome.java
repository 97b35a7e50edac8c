package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.paths.PathsOptions.Balance;
import io.magpie.algorithms.paths.PathsOptions.Direction;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsReport;
import io.magpie.algorithms.paths.PathsResult;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.input.DirectedGraphInput;
import io.magpie.examples.input.GraphHash;
import io.magpie.stm.DeviceDescription;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Shortest paths.
 *
 * @param input where their graph came from
 * @param result the paths, with a report
 * @param verified whether they were checked
 * @param mistakes what is wrong
 * @param details whether phases are shown
 */
record PathsOutcome(
    DirectedGraphInput input,
    PathsResult result,
    boolean verified,
    List<String> mistakes,
    boolean details)
    implements AlgorithmOutcome {
  private static final int BLOCK = 1 << 15;

  /** A Long, or a Double where distances are. */
  private Number delta() {
    double delta = report().delta();
    return result.floating() ? (Number) delta : (Number) (long) delta;
  }

  @Override
  public PathsReport report() {
    return result.report().orElseThrow();
  }

  /** Writes a line for each vertex that is reached: vertex, distance, and predecessor if known. */
  void writeVertices(OutputStream stream) throws IOException {
    long[] distances = result.orderedDistances();
    int[] predecessors = result.predecessors().orElse(null);
    StringBuilder lines = new StringBuilder();
    for (int v = 0; v < distances.length; v++) {
      if (distances[v] != PathsResult.UNREACHED) {
        lines.append(v).append(' ').append(result.exactDistance(v));
        if (predecessors != null) {
          lines.append(' ').append(predecessors[v]);
        }
        lines.append('\n');
      }
      if (lines.length() > BLOCK || v == distances.length - 1) {
        stream.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
        lines.setLength(0);
      }
    }
  }

  @Override
  public void print(NamedLines to, DeviceDescription device) {
    DirectedGraph graph = result.graph();
    to.line("graph", "%s", input.description());
    to.line(
        "",
        "%s, %s",
        Counts.number(graph.vertices(), "vertex", "vertices"),
        Counts.number(graph.arcs(), "arc", "arcs"));
    printRun(to, device);
    to.line(
        "paths",
        "from vertex %d to %,d of %s, the farthest at distance %s%s",
        result.source(),
        result.reached(),
        Counts.number(graph.vertices(), "vertex", "vertices"),
        text(result.exactFarthest()),
        result.reached() == 1 ? "; no arc leads from there to another" : "");
    to.line("rounds", "%s", rounds());
    if (report().degreeBound() > 0) {
      to.line("lanes", "%s", lanes());
    }
    printTimes(to);
    printVerdict(
        to,
        () ->
            String.format(
                Locale.ROOT,
                "%s and the same distances as sequential %s",
                result.predecessors().isPresent()
                    ? "a tree of shortest paths,"
                    : "no arc shortens a distance,",
                result.lengths() == Lengths.UNIT
                    ? "breadth-first search"
                    : "Dijkstra's algorithm"));
    printPhases(to);
  }

  /** A distance: a whole number with commas, or a double so that it is read as the same. */
  private static String text(Number distance) {
    return distance instanceof Long whole ? Counts.number(whole) : distance.toString();
  }

  private String rounds() {
    PathsReport report = report();
    String pulled =
        report.options().direction() == Direction.AUTO
            ? ", " + Counts.number(report.pulled()) + " of them pulling"
            : "";
    String ranges = report.delta() == 0 ? "" : " by ranges of " + text(delta());
    String local =
        report.localRounds() == 0
            ? ""
            : ", warps going on for up to " + Counts.number(report.localRounds());
    return Counts.number(report.rounds())
        + ranges
        + pulled
        + local
        + "; distances fell "
        + Counts.number(report.relaxations())
        + " times";
  }

  private String lanes() {
    PathsReport report = report();
    String arcs = Counts.number(report.degreeBound());
    return report.options().balance() == Balance.HEAVY
        ? "one for each vertex with at most " + arcs + " arcs; the others in a second launch"
        : "one for each node of at most "
            + arcs
            + " arcs: "
            + Counts.number(report.extraNodes())
            + " nodes more than vertices";
  }

  private void printTimes(NamedLines to) {
    PathsReport report = report();
    to.line(
        "time",
        "%.3f ms from Java to Java: upload %.3f, %sdistances %.3f, predecessors %.3f, download and"
            + " rest %.3f",
        report.hostMillis(),
        report.uploadMillis(),
        report.degreeBound() == 0
            ? ""
            : String.format(Locale.ROOT, "bound and nodes %.3f, ", report.prepareMillis()),
        report.solveMillis(),
        report.resultMillis(),
        report.hostMillis()
            - report.uploadMillis()
            - report.prepareMillis()
            - report.solveMillis()
            - report.resultMillis());
    printAborts(to);
  }

  @Override
  public void addTo(Map<String, Object> json) {
    PathsReport report = report();
    json.put("input", graph());
    json.put("variant", SettingOptions.json(report.options()));
    Map<String, Object> paths = new LinkedHashMap<>();
    paths.put("source", result.source());
    paths.put("reached", result.reached());
    paths.put("farthest", result.exactFarthest());
    json.put("paths", paths);
    Map<String, Object> millis = millis();
    millis.put("prepare", report.prepareMillis());
    millis.put("solve", report.solveMillis());
    millis.put("kernels", report.prepareMillis() + report.solveMillis());
    millis.put("result", report.resultMillis());
    json.put("millis", millis);
    json.put("rounds", report.rounds());
    json.put("pulledRounds", report.pulled());
    json.put("relaxations", report.relaxations());
    json.put("pushedArcs", report.arcs());
    if (report.delta() > 0) {
      json.put("delta", delta());
    }
    if (report.localRounds() > 0) {
      json.put("localRounds", report.localRounds());
    }
    if (report.degreeBound() > 0) {
      json.put("degreeBound", report.degreeBound());
      json.put("extraNodes", report.extraNodes());
    }
    addRun(json);
    addVerdict(json);
  }

  private Map<String, Object> graph() {
    DirectedGraph graph = result.graph();
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("source", input.description());
    value.put("hash", GraphHash.of(graph));
    value.put("vertices", graph.vertices());
    value.put("arcs", graph.arcs());
    if (graph.weightType() != WeightType.INT) {
      value.put("weightType", graph.weightType().toString());
    }
    return value;
  }
}
