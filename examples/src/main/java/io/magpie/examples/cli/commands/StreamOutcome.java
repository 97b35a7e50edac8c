package io.magpie.examples.cli.commands;

import io.magpie.algorithms.msf.NumberedForest;
import io.magpie.algorithms.msf.StreamReport;
import io.magpie.examples.cli.options.Engine;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.input.EdgeStream;
import io.magpie.stm.DeviceDescription;
import io.magpie.stm.RegionReport.AbortCause;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A spanning forest of edges that came in chunks.
 *
 * @param engine what it was computed by
 * @param source where they came from
 * @param devices what it was computed on
 * @param memory bytes that it was allowed to hold on each; empty if nothing was said
 * @param forest the forest, with a report
 * @param verified whether it was compared with them
 * @param mistakes what is wrong
 * @param details whether phases are shown
 */
record StreamOutcome(
    Engine engine,
    EdgeStream source,
    List<DeviceDescription> devices,
    OptionalLong memory,
    NumberedForest forest,
    boolean verified,
    List<String> mistakes,
    boolean details)
    implements SpanningOutcome {
  private StreamReport report() {
    return forest.report().orElseThrow();
  }

  @Override
  public void writeEdges(OutputStream stream) throws IOException {
    SpanningOutcome.writeLines(
        stream,
        forest.edges(),
        (e, line) ->
            line.append(forest.sources()[e])
                .append(' ')
                .append(forest.targets()[e])
                .append(' ')
                .append(forest.weight(e)));
  }

  @Override
  public void print(NamedLines to, DeviceDescription device) {
    StreamReport report = report();
    to.line("edges", "%s", source.description());
    to.line(
        "",
        "%s, %s in %s of at most %,d",
        Counts.number(forest.vertices(), "vertex", "vertices"),
        Counts.number(report.edges(), "edge", "edges"),
        Counts.number(report.chunks(), "chunk", "chunks"),
        report.chunkEdges());
    printDevices(to, engine, devices);
    to.line("variant", "%s", SettingOptions.text(report.options()));
    to.line(
        "forest",
        "%s, %s, total weight %s",
        Counts.number(forest.edges(), "edge", "edges"),
        Counts.number(forest.components(), "component", "components"),
        SpanningOutcome.text(forest.exactWeight(), forest.weightType()));
    to.line(
        "time",
        "%.3f ms from the first edge to the forest in Java: waits for edges %.3f, upload %.3f,"
            + " forest %.3f, labels and download %.3f",
        report.hostMillis(),
        report.waitMillis(),
        report.uploadMillis(),
        report.solveMillis(),
        report.resultMillis());
    to.line("", "%,.0f edges a second", report.edgesPerSecond());
    printMemory(to, report, devices, memory);
    Map<AbortCause, Long> aborts = Counts.aborts(report.transactions());
    if (!aborts.isEmpty()) {
      to.line("aborts", "%s", Counts.text(aborts));
    }
    printVerdict(to, () -> "no edge of a second pass is before the last one of its path");
    if (details) {
      to.table(PhaseTable.of(report.phases()));
    }
  }

  @Override
  public void addTo(Map<String, Object> json) {
    StreamReport report = report();
    json.put("input", input());
    json.put("variant", SettingOptions.json(report.options()));
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("edges", forest.edges());
    found.put("components", forest.components());
    found.put("weight", SpanningOutcome.json(forest.exactWeight(), forest.weightType()));
    json.put("forest", found);
    Map<String, Object> millis = new LinkedHashMap<>();
    millis.put("total", report.hostMillis());
    millis.put("upload", report.uploadMillis());
    millis.put("kernels", report.solveMillis());
    millis.put("result", report.resultMillis());
    json.put("millis", millis);
    json.put("stream", stream(report, devices, memory));
    json.put("rounds", report.rounds());
    json.put("phases", PhaseTable.json(report.phases()));
    json.put("aborts", Counts.json(Counts.aborts(report.transactions())));
    addVerdict(json);
  }

  /** The devices that took chunks, and what to use instead if an engine for several has but one. */
  static void printDevices(NamedLines to, Engine engine, List<DeviceDescription> devices) {
    to.line("device", "%s", devices.get(0));
    for (DeviceDescription other : devices.subList(1, devices.size())) {
      to.line("", "%s", other);
    }
    if (engine == Engine.GPUS && devices.size() == 1) {
      to.line("", "one device alone: --engine stream does the same");
    }
  }

  /** The memory that edges and vertices took on a device; of several, the most. */
  static void printMemory(
      NamedLines to, StreamReport report, List<DeviceDescription> devices, OptionalLong memory) {
    to.line(
        "memory",
        "%,d bytes on the device, of which %,d between chunks%s%s",
        report.deviceBytes(),
        report.stateBytes(),
        devices.size() == 1 ? "" : ", on the one with most",
        memory.isEmpty()
            ? ""
            : String.format(Locale.ROOT, "; %,d were allowed", memory.getAsLong()));
  }

  /** How edges came. */
  static Map<String, Object> stream(
      StreamReport report, List<DeviceDescription> devices, OptionalLong memory) {
    Map<String, Object> stream = new LinkedHashMap<>();
    stream.put("devices", devices.stream().map(DeviceDescription::spec).toList());
    stream.put("chunkEdges", report.chunkEdges());
    stream.put("chunks", report.chunks());
    stream.put("waitMillis", report.waitMillis());
    stream.put("edgesPerSecond", report.edgesPerSecond());
    stream.put("stateBytes", report.stateBytes());
    stream.put("deviceBytes", report.deviceBytes());
    memory.ifPresent(bytes -> stream.put("allowedBytes", bytes));
    return stream;
  }

  private Map<String, Object> input() {
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("source", source.description());
    input.put("vertices", forest.vertices());
    input.put("edges", report().edges());
    input.put("weightType", forest.weightType().toString());
    return input;
  }
}
