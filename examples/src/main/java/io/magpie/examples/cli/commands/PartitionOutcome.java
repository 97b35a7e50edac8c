package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.partition.FixedVertices;
import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.algorithms.partition.PartitionQuality;
import io.magpie.algorithms.partition.PartitionReport;
import io.magpie.algorithms.partition.PartitionReport.Level;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.cli.output.TextTable;
import io.magpie.examples.input.GraphHash;
import io.magpie.examples.input.GraphInput;
import io.magpie.stm.DeviceDescription;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A partition.
 *
 * @param source where its graph came from
 * @param asked how many parts, and how uneven they may be
 * @param parts the part of each vertex
 * @param fixed the vertices that were to be in given parts
 * @param pieces connected ones, of all parts together
 * @param mistakes what is wrong; empty if nothing is, or it was not verified
 * @param computed how it was computed; null if it was read
 * @param file where it was read; null if it was computed
 */
record PartitionOutcome(
    GraphInput source,
    Graph graph,
    PartitionOptions asked,
    int[] parts,
    FixedVertices fixed,
    PartitionQuality quality,
    int pieces,
    List<String> mistakes,
    Computed computed,
    Path file)
    implements CheckedOutcome {
  /**
   * How a partition was computed.
   *
   * @param details whether levels and phases are shown
   */
  record Computed(PartitionReport report, boolean verified, boolean details) {}

  /** How a part that is too heavy is so. */
  String overload() {
    if (uneven()) {
      int part = quality.fullest();
      return String.format(
          Locale.ROOT,
          "part %d weighs %,d, more than the %,d allowed",
          part,
          quality.partWeights()[part],
          quality.limits()[part]);
    }
    return String.format(
        Locale.ROOT,
        "a part weighs %,d, more than the %,d allowed",
        quality.heaviest(),
        quality.limit());
  }

  private boolean uneven() {
    return !asked.partWeights().even();
  }

  @Override
  public boolean verified() {
    return computed != null && computed.verified();
  }

  @Override
  public void print(NamedLines to, DeviceDescription device) {
    to.line("graph", "%s", source.description());
    to.line(
        "",
        "%,d vertices%s%s, %,d edges%s",
        graph.vertices(),
        graph.vertexWeights() == null ? "" : " with weights",
        fixed.none() ? "" : String.format(Locale.ROOT, ", %,d of them fixed", fixed.count()),
        graph.edges(),
        graph.weighted() ? " with weights" : "");
    if (computed == null) {
      to.line("parts", "%s", file);
    } else {
      to.line("device", "%s", device);
      to.line("variant", "%s", SettingOptions.text(computed.report().options()));
    }
    printQuality(to);
    if (computed != null) {
      printTimes(to, computed.report());
    }
    printVerdict(to);
    if (computed != null && computed.details()) {
      printDetails(to, computed.report());
      if (uneven()) {
        to.table(parts(quality));
      }
    }
  }

  private void printQuality(NamedLines to) {
    to.line(
        "cut",
        "%,d; %,d vertices at boundaries, communication volume %,d, %,d connected pieces, %,d empty"
            + " parts",
        quality.cut(),
        quality.boundaryVertices(),
        quality.communicationVolume(),
        pieces,
        quality.emptyParts());
    if (uneven()) {
      int part = quality.fullest();
      int least = quality.emptiest();
      to.line(
          "balance",
          "%,d parts of given shares, the fullest part %d of %,d: %.4f above its %,d, %s allowed;"
              + " the emptiest part %d of %,d: %.4f below its %,d",
          asked.parts(),
          part,
          quality.partWeights()[part],
          quality.imbalance(),
          quality.targets()[part],
          asked.imbalance(),
          least,
          quality.partWeights()[least],
          quality.shortfall(),
          quality.targets()[least]);
      return;
    }
    to.line(
        "balance",
        "%,d parts of at most %,d, the heaviest %,d: %.4f above the even weight, %s allowed",
        asked.parts(),
        quality.limit(),
        quality.heaviest(),
        quality.imbalance(),
        asked.imbalance());
  }

  private static void printTimes(NamedLines to, PartitionReport report) {
    to.line(
        "time",
        "%.3f ms from Java to Java: upload %.3f, coarsening %.3f, initial partition %.3f,"
            + " refinement %.3f, download %.3f",
        report.totalMillis(),
        report.uploadMillis(),
        report.coarsenMillis(),
        report.initialMillis(),
        report.uncoarsenMillis(),
        report.downloadMillis());
    if (!report.transactions().isEmpty()) {
      to.line("aborts", "%s", Counts.text(Counts.aborts(report.transactions())));
    }
  }

  private void printVerdict(NamedLines to) {
    if (wrong()) {
      to.line("WRONG", "%s", mistake());
    } else if (!quality.feasible()) {
      to.text("not balanced: %s%n", overload());
    } else if (verified()) {
      to.line(
          "verified",
          "cut and weights are as the device says, %s",
          fixed.none()
              ? "and no part is too heavy"
              : "no part is too heavy, and fixed vertices are in their parts");
    }
    if (uneven() && quality.feasible() && !quality.weightless().isEmpty()) {
      to.line("warning", "%s", lack());
    }
  }

  /** That parts weigh nothing, and what helps. */
  private String lack() {
    List<Integer> parts = quality.weightless();
    OptionalDouble enough = quality.imbalanceThatFillsAll();
    return String.format(
        Locale.ROOT,
        "part %d weighs nothing of its %,d%s, as others may weigh all; give it a larger share%s",
        parts.get(0),
        quality.targets()[parts.get(0)],
        parts.size() == 1 ? "" : String.format(Locale.ROOT, " (%,d parts do so)", parts.size()),
        enough.isEmpty()
            ? ""
            : " or ask for an imbalance of at most "
                + BigDecimal.valueOf(enough.getAsDouble()).stripTrailingZeros().toPlainString());
  }

  private static void printDetails(NamedLines to, PartitionReport report) {
    to.text("%n");
    to.line(
        "memory",
        "%,d bytes on the device, of at most %,d",
        report.deviceBytes(),
        report.deviceBudget());
    to.table(levels(report.levels()));
    to.table(PhaseTable.of(report.phases()));
  }

  private static TextTable parts(PartitionQuality quality) {
    TextTable table = new TextTable("part", ">weight", ">of", ">at most");
    for (int p = 0; p < quality.partWeights().length; p++) {
      table.row(
          Integer.toString(p),
          Counts.number(quality.partWeights()[p]),
          Counts.number(quality.targets()[p]),
          Counts.number(quality.limits()[p]));
    }
    return table;
  }

  private static TextTable levels(List<Level> levels) {
    TextTable table =
        new TextTable(
            "level",
            ">vertices",
            ">edges",
            ">of finer",
            ">heaviest vertex",
            ">cut before",
            ">cut after",
            ">rounds",
            ">moves",
            ">coarsening ms",
            ">refinement ms");
    for (int l = 0; l < levels.size(); l++) {
      Level level = levels.get(l);
      table.row(
          Integer.toString(l),
          Counts.number(level.vertices()),
          Counts.number(level.edges()),
          l == 0 ? "" : Counts.percent(level.vertices(), levels.get(l - 1).vertices()),
          Counts.number(level.heaviestVertex()),
          Counts.number(level.projectedCut()),
          Counts.number(level.cut()),
          Counts.number(level.rounds()),
          Counts.number(level.moves()),
          Counts.millis(level.coarsenMillis()),
          Counts.millis(level.refineMillis()));
    }
    return table;
  }

  @Override
  public void addTo(Map<String, Object> json) {
    json.put("input", input());
    json.put("partition", partition());
    if (computed != null) {
      addTo(json, computed.report());
    }
    json.put("verdict", verdict());
    if (wrong()) {
      json.put("mistakes", mistakes);
    }
  }

  private String verdict() {
    if (wrong()) {
      return "wrong";
    }
    if (!quality.feasible()) {
      return "not balanced";
    }
    return verified() ? "verified" : "not verified";
  }

  private Map<String, Object> input() {
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("source", source.description());
    input.put("hash", GraphHash.of(graph));
    input.put("vertices", graph.vertices());
    input.put("edges", graph.edges());
    input.put("weight", Arrays.stream(quality.partWeights()).sum());
    return input;
  }

  private Map<String, Object> partition() {
    Map<String, Object> partition = new LinkedHashMap<>();
    partition.put("parts", asked.parts());
    partition.put("allowedImbalance", asked.imbalance());
    partition.put("limit", quality.limit());
    partition.put("heaviest", quality.heaviest());
    partition.put("imbalance", quality.imbalance());
    partition.put("feasible", quality.feasible());
    partition.put("cut", quality.cut());
    partition.put("boundaryVertices", quality.boundaryVertices());
    partition.put("communicationVolume", quality.communicationVolume());
    partition.put("pieces", pieces);
    partition.put("emptyParts", quality.emptyParts());
    partition.put("weights", quality.partWeights());
    if (!fixed.none()) {
      partition.put("fixedVertices", fixed.count());
    }
    if (uneven()) {
      partition.put("targets", quality.targets());
      partition.put("limits", quality.limits());
    }
    return partition;
  }

  private static void addTo(Map<String, Object> json, PartitionReport report) {
    json.put("variant", SettingOptions.json(report.options()));
    Map<String, Object> millis = new LinkedHashMap<>();
    millis.put("total", report.totalMillis());
    millis.put("upload", report.uploadMillis());
    millis.put("coarsen", report.coarsenMillis());
    millis.put("initial", report.initialMillis());
    millis.put("uncoarsen", report.uncoarsenMillis());
    millis.put("download", report.downloadMillis());
    json.put("millis", millis);
    json.put("deviceBytes", report.deviceBytes());
    json.put("deviceBudget", report.deviceBudget());
    json.put("initialCut", report.initialCut());
    json.put("levels", report.levels().stream().map(PartitionOutcome::json).toList());
    json.put("phases", PhaseTable.json(report.phases()));
    json.put("aborts", Counts.json(Counts.aborts(report.transactions())));
  }

  private static Map<String, Object> json(Level level) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("vertices", level.vertices());
    value.put("edges", level.edges());
    value.put("heaviestVertex", level.heaviestVertex());
    value.put("cutBefore", level.projectedCut());
    value.put("cut", level.cut());
    value.put("heaviestPart", level.heaviestPart());
    value.put("rounds", level.rounds());
    value.put("moves", level.moves());
    value.put("coarsenMillis", level.coarsenMillis());
    value.put("refineMillis", level.refineMillis());
    return value;
  }
}
