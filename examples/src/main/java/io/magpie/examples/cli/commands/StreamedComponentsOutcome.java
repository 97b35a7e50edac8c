package io.magpie.examples.cli.commands;

import io.magpie.algorithms.components.StreamedComponents;
import io.magpie.algorithms.msf.StreamReport;
import io.magpie.examples.cli.options.Engine;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.input.EdgeStream;
import io.magpie.stm.DeviceDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Connected components of edges that came in chunks.
 *
 * @param engine what they were found by
 * @param source where they came from
 * @param devices what they were found on
 * @param memory bytes that it was allowed to hold on each; empty if nothing was said
 * @param result the components, with a report
 * @param verified whether they were compared with the edges
 * @param mistakes what is wrong
 * @param details whether phases are shown
 */
record StreamedComponentsOutcome(
    Engine engine,
    EdgeStream source,
    List<DeviceDescription> devices,
    OptionalLong memory,
    StreamedComponents result,
    boolean verified,
    List<String> mistakes,
    boolean details)
    implements LabelsOutcome {
  @Override
  public int[] labels() {
    return result.labels();
  }

  @Override
  public void print(NamedLines to, DeviceDescription device) {
    StreamReport report = result.report();
    to.line("edges", "%s", source.description());
    to.line(
        "",
        "%s, %s in %s of at most %,d",
        Counts.number(result.labels().length, "vertex", "vertices"),
        Counts.number(report.edges(), "edge", "edges"),
        Counts.number(report.chunks(), "chunk", "chunks"),
        report.chunkEdges());
    StreamOutcome.printDevices(to, engine, devices);
    to.line("variant", "%s", SettingOptions.text(report.options()));
    FoundComponents.print(to, result.components(), wrong(), result::largest);
    to.line(
        "time",
        "%.3f ms from the first edge to the labels in Java: waits for edges %.3f, upload %.3f,"
            + " forest %.3f, download %.3f",
        report.hostMillis(),
        report.waitMillis(),
        report.uploadMillis(),
        report.solveMillis(),
        report.resultMillis());
    to.line("", "%,.0f edges a second", report.edgesPerSecond());
    StreamOutcome.printMemory(to, report, devices, memory);
    printVerdict(
        to, () -> "the components are those of the edges of a second pass, united one by one");
    if (details) {
      to.table(PhaseTable.of(report.phases()));
    }
  }

  @Override
  public void addTo(Map<String, Object> json) {
    StreamReport report = result.report();
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("source", source.description());
    input.put("vertices", result.labels().length);
    input.put("edges", report.edges());
    json.put("input", input);
    json.put("variant", SettingOptions.json(report.options()));
    Map<String, Object> found = FoundComponents.json(result.components(), wrong(), result::largest);
    json.put("found", found);
    Map<String, Object> millis = new LinkedHashMap<>();
    millis.put("total", report.hostMillis());
    millis.put("upload", report.uploadMillis());
    millis.put("kernels", report.solveMillis());
    json.put("millis", millis);
    json.put("stream", StreamOutcome.stream(report, devices, memory));
    json.put("rounds", report.rounds());
    json.put("phases", PhaseTable.json(report.phases()));
    json.put("aborts", Counts.json(Counts.aborts(report.transactions())));
    addVerdict(json);
  }
}
