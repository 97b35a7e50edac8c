package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.cli.output.TextTable;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Contestant;
import io.magpie.examples.compare.Rounds;
import io.magpie.examples.compare.RunRecord;
import io.magpie.examples.compare.Summary;
import io.magpie.stm.DeviceDescription;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A comparison as a table, as JSON Lines and as CSV.
 *
 * @param algorithm its name
 * @param input what it is compared on
 * @param sizes how large it is; empty before it is there
 * @param hash of its content; empty before it is there
 * @param devices that took part
 * @param contestants in order; ratios are to the first
 * @param rounds how they were run
 * @param measure the time that is compared
 * @param shown counters that the table, and that of a report page, shows, by name
 */
record ComparisonReport(
    String algorithm,
    ComparedInput input,
    Map<String, Long> sizes,
    String hash,
    List<DeviceDescription> devices,
    List<Entry> contestants,
    Rounds rounds,
    String measure,
    List<String> shown) {
  /**
   * A contestant without its program, so that reports keep no inputs in memory.
   *
   * @param label its name, unique on its device
   * @param device the device's specification
   * @param baseline whether it is a baseline
   * @param variant the variant's values by name
   */
  record Entry(String label, String device, boolean baseline, Map<String, String> variant) {
    static Entry of(Contestant contestant) {
      return new Entry(
          contestant.label(), contestant.device(), contestant.baseline(), contestant.variant());
    }

    String name() {
      return label + " on " + device;
    }
  }

  /** Processor time by wall time below which a run on the processor is not worth much. */
  private static final double LEAST_SHARE = 0.9;

  /** The table for people. */
  String table(Measured measured) {
    StringBuilder text = new StringBuilder();
    text.append(heading());
    List<Summary> summaries = Summary.of(measured.runs(), contestants.size(), measure);
    TextTable table = new TextTable(head());
    summaries.forEach(
        summary -> table.row(row(summary, difference(summary, summaries), measured.unfinished())));
    text.append(table);
    text.append(
        String.format(
            "%nMedians. Ratio: to the first contestant, paired by round; its interval %s.%n",
            rounds.repeats() < Summary.Ratio.LEAST_ROUNDS
                ? "spans all rounds (6 are needed for a verdict)"
                : "has 95 % confidence"));
    if (summaries.stream().anyMatch(this::simulated)) {
      text.append(
          String.format(
              "Simulator times do not measure performance, so no ratios are given for them.%n"));
    }
    if (summaries.stream().anyMatch(this::disturbed)) {
      text.append(
          String.format(
              "Less than %.1f of a processor (cpu/wall); other programs may have taken it: void, repeat on a quiet"
                  + " machine.%n",
              LEAST_SHARE));
    }
    return text.toString();
  }

  /** Input, devices and rounds. */
  private String heading() {
    StringBuilder text = new StringBuilder();
    text.append(String.format("input     %s%n", input.source().description()));
    text.append("          ");
    text.append(
        String.join(
            ", ",
            sizes.entrySet().stream()
                .map(
                    each ->
                        String.format(Locale.ROOT, "%,d %s", each.getValue(), words(each.getKey())))
                .toList()));
    text.append(System.lineSeparator());
    for (DeviceDescription device : devices) {
      text.append(String.format("device    %s%n", device));
    }
    text.append(
        String.format(
            "rounds    %d after %d to warm up, in alternating order; %s verified%n%n",
            rounds.repeats(),
            rounds.warmUps(),
            rounds.verifyEach() ? "each result" : "the first result of each contestant"));
    return text.toString();
  }

  private String[] head() {
    List<String> head = new ArrayList<>(List.of("contestant", "device"));
    shown.forEach(counter -> head.add(">" + words(counter)));
    head.addAll(
        List.of(
            ">" + measure + " ms",
            ">least",
            ">quartiles",
            ">largest",
            ">kernels ms",
            ">aborts",
            ">cpu/wall",
            ">ratio",
            ">interval",
            "difference",
            "result"));
    return head.toArray(new String[0]);
  }

  private String[] row(
      Summary summary, Optional<Difference> difference, Map<Integer, String> unfinished) {
    Entry contestant = contestants.get(summary.contestant());
    Double kernels = summary.medianMillis().get(Comparison.Outcome.KERNELS);
    List<String> row = new ArrayList<>(List.of(contestant.label(), contestant.device()));
    shown.forEach(counter -> row.add(count(summary, counter)));
    row.addAll(cells(summary.spread()));
    row.add(kernels == null ? "" : millis(kernels));
    row.add(count(summary, Comparison.Outcome.ABORTS));
    row.add(
        Double.isNaN(summary.processors())
            ? "-"
            : String.format(Locale.ROOT, "%.2f", summary.processors()));
    row.addAll(cells(difference));
    row.add(
        summary.wrong() > 0
            ? summary.wrong() + " wrong"
            : unfinished.containsKey(summary.contestant())
                ? "unfinished"
                : summary.runs() == 0
                    ? "none"
                    : rounds.verifyEach() ? "verified" : "first verified");
    return row.toArray(new String[0]);
  }

  private static List<String> cells(Summary.Spread spread) {
    return spread == null
        ? List.of("", "", "", "")
        : List.of(
            millis(spread.median()),
            millis(spread.least()),
            millis(spread.lowerQuartile()) + " .. " + millis(spread.upperQuartile()),
            millis(spread.largest()));
  }

  private static List<String> cells(Optional<Difference> difference) {
    if (difference.isEmpty()) {
      return List.of("", "", "");
    }
    Summary.Ratio ratio = difference.get().ratio();
    String verdict = difference.get().verdict();
    return List.of(
        String.format(Locale.ROOT, "%.3f", ratio.median()),
        verdict.equals(Summary.Ratio.VOID)
            ? ""
            : String.format(Locale.ROOT, "%.3f .. %.3f", ratio.low(), ratio.high()),
        verdict);
  }

  /** The median of a counter; empty if it was not counted. */
  private static String count(Summary summary, String counter) {
    Long median = summary.medianCounters().get(counter);
    return median == null ? "" : String.format(Locale.ROOT, "%,d", median);
  }

  /** Whether something that needs the processor throughout is known not to have got it. */
  private boolean disturbed(Summary summary) {
    return summary.processors() < LEAST_SHARE && !ranOn(DeviceDescription.Machine.CUDA, summary);
  }

  /** Whether it ran where time says nothing. */
  private boolean simulated(Summary summary) {
    return ranOn(DeviceDescription.Machine.SIM, summary);
  }

  private boolean ranOn(DeviceDescription.Machine machine, Summary summary) {
    return device(summary.contestant()).filter(each -> each.machine() == machine).isPresent();
  }

  /** Where a contestant runs; nowhere if it is a baseline. */
  private Optional<DeviceDescription> device(int contestant) {
    return devices.stream()
        .filter(each -> each.spec().equals(contestants.get(contestant).device()))
        .findFirst();
  }

  /**
   * A ratio to the first contestant.
   *
   * @param verdict what can be said of it
   */
  private record Difference(Summary.Ratio ratio, String verdict) {}

  /** How a contestant differs from the first; empty if that cannot be said. */
  private Optional<Difference> difference(Summary summary, List<Summary> all) {
    Summary first = all.get(0);
    if (summary.ratio() == null || simulated(summary) || simulated(first)) {
      return Optional.empty();
    }
    boolean worthless = disturbed(summary) || disturbed(first);
    return Optional.of(
        new Difference(
            summary.ratio(), worthless ? Summary.Ratio.VOID : summary.ratio().verdict()));
  }

  private static String millis(double value) {
    return String.format(Locale.ROOT, value < 1 ? "%.4f" : value < 1000 ? "%.3f" : "%,.1f", value);
  }

  /** {@code forestWeight} as {@code forest weight}. */
  private static String words(String name) {
    return name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
  }

  /**
   * JSON Lines: a record for each run, then a summary for each contestant, then what failed.
   *
   * @param failure why the comparison ended early, or null
   */
  List<String> jsonLines(Measured measured, String failure) {
    List<String> lines = new ArrayList<>();
    String revision = BuildInfo.revision();
    String time = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    for (RunRecord run : measured.runs()) {
      Map<String, Object> value = common("run", run.contestant(), revision, time);
      add(value, run);
      lines.add(JsonOutput.line(value));
    }
    List<Summary> summaries = Summary.of(measured.runs(), contestants.size(), measure);
    for (Summary summary : summaries) {
      Map<String, Object> value = common("summary", summary.contestant(), revision, time);
      add(value, summary, difference(summary, summaries));
      lines.add(JsonOutput.line(value));
    }
    measured
        .unfinished()
        .forEach(
            (index, why) ->
                lines.add(failure(contestants.get(index).name() + " did not finish: " + why)));
    if (failure != null) {
      lines.add(failure(failure));
    }
    return lines;
  }

  private String failure(String message) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("kind", "failure");
    value.put("algorithm", algorithm);
    input.addTo(value);
    value.put("input", Map.of("source", input.source().description()));
    value.put("message", message);
    return JsonOutput.line(value);
  }

  private static void add(Map<String, Object> value, RunRecord run) {
    value.put("round", run.round());
    value.put("position", run.position());
    value.put("warmUp", run.warmUp());
    value.put("millis", run.millis());
    value.put("processorMillis", run.processorMillis());
    value.put("counters", run.counters());
    value.put("aborts", run.aborts());
    value.put("verdict", run.verdict());
    if (run.mistake() != null) {
      value.put("mistake", run.mistake());
    }
  }

  private void add(Map<String, Object> value, Summary summary, Optional<Difference> difference) {
    value.put("runs", summary.runs());
    value.put("wrong", summary.wrong());
    value.put("measure", measure);
    value.put("medianMillis", summary.medianMillis());
    value.put("spread", summary.spread());
    difference.ifPresent(
        of -> {
          Map<String, Object> ratio = new LinkedHashMap<>();
          ratio.put("median", of.ratio().median());
          ratio.put("low", of.ratio().low());
          ratio.put("high", of.ratio().high());
          ratio.put("verdict", of.verdict());
          value.put("ratioToFirst", ratio);
        });
    value.put("processors", summary.processors());
    value.put("disturbed", disturbed(summary));
    value.put("medianCounters", summary.medianCounters());
    value.put("shown", shown);
  }

  private Map<String, Object> common(String kind, int index, String revision, String time) {
    Entry contestant = contestants.get(index);
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("kind", kind);
    value.put("algorithm", algorithm);
    input.addTo(value);
    value.put("version", BuildInfo.version());
    value.put("revision", revision);
    value.put("time", time);
    value.put("host", host());
    value.put(
        "device",
        device(index)
            .<Object>map(DevicesCommand::json)
            .orElse(Map.of("spec", contestant.device())));
    Map<String, Object> inputJson = new LinkedHashMap<>();
    inputJson.put("source", input.source().description());
    inputJson.put("seed", input.source().seed());
    inputJson.put("hash", hash);
    inputJson.putAll(sizes);
    value.put("input", inputJson);
    value.put("contestant", contestant.label());
    value.put("baseline", contestant.baseline());
    value.put("variant", contestant.variant());
    return value;
  }

  private static Map<String, Object> host() {
    Map<String, Object> host = new LinkedHashMap<>();
    host.put("processors", Runtime.getRuntime().availableProcessors());
    host.put("heapBytes", Runtime.getRuntime().maxMemory());
    host.put("java", Runtime.version().toString());
    host.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    return host;
  }

  /** CSV with a head line: one line for each run, a column for each value that any run has. */
  static List<String> csvLines(List<ComparisonOutput.Section> all) {
    Columns columns = Columns.of(all);
    String revision = BuildInfo.revision();
    List<String> lines = new ArrayList<>();
    lines.add(Csv.line(columns.head()));
    for (ComparisonOutput.Section each : all) {
      for (RunRecord run : each.measured().runs()) {
        lines.add(Csv.line(each.report().csv(run, columns, revision)));
      }
    }
    return lines;
  }

  /** What the columns are named that settings and counters do not give their names to. */
  private static final Set<String> COLUMNS =
      Set.of(
          "algorithm",
          "version",
          "revision",
          "ladder",
          "ladder_input",
          "input",
          "seed",
          "hash",
          "device",
          "contestant",
          "round",
          "position",
          "warm_up",
          "processor_ms",
          "verdict");

  /** The columns that not every comparison has. */
  private record Columns(
      boolean ladder,
      Set<String> variant,
      Set<String> millis,
      Set<String> counters,
      Set<String> aborts) {
    static Columns of(List<ComparisonOutput.Section> all) {
      Columns columns =
          new Columns(
              all.stream().anyMatch(each -> each.report().input.ladder() != null),
              new LinkedHashSet<>(),
              new LinkedHashSet<>(),
              new LinkedHashSet<>(),
              new LinkedHashSet<>());
      for (ComparisonOutput.Section section : all) {
        section
            .report()
            .contestants
            .forEach(each -> columns.variant.addAll(each.variant().keySet()));
        for (RunRecord run : section.measured().runs()) {
          columns.millis.addAll(run.millis().keySet());
          columns.counters.addAll(run.counters().keySet());
          columns.aborts.addAll(run.aborts().keySet());
        }
      }
      return columns;
    }

    List<String> head() {
      List<String> head = new ArrayList<>(List.of("algorithm", "version", "revision"));
      if (ladder) {
        head.addAll(List.of("ladder", "ladder_input"));
      }
      head.addAll(List.of("input", "seed", "hash"));
      head.addAll(List.of("device", "contestant"));
      variant.forEach(name -> head.add(COLUMNS.contains(name) ? "variant_" + name : name));
      head.addAll(List.of("round", "position", "warm_up"));
      millis.forEach(name -> head.add(name + "_ms"));
      head.add("processor_ms");
      counters.forEach(
          name ->
              head.add(
                  COLUMNS.contains(name) || variant.contains(name) ? "counted_" + name : name));
      aborts.forEach(name -> head.add("aborts_" + name));
      head.add("verdict");
      return head;
    }
  }

  private List<Object> csv(RunRecord run, Columns columns, String revision) {
    Entry contestant = contestants.get(run.contestant());
    List<Object> row = new ArrayList<>(List.of(algorithm, BuildInfo.version(), revision));
    if (columns.ladder) {
      row.addAll(List.of(input.ladder(), input.named() ? input.name() : ""));
    }
    row.addAll(List.of(input.source().description(), input.source().seed(), hash));
    row.addAll(List.of(contestant.device(), contestant.label()));
    columns.variant.forEach(name -> row.add(contestant.variant().getOrDefault(name, "")));
    row.addAll(List.of(run.round(), run.position(), run.warmUp()));
    columns.millis.forEach(name -> row.add(cell(run.millis().get(name))));
    row.add(run.processorMillis());
    columns.counters.forEach(name -> row.add(cell(run.counters().get(name))));
    columns.aborts.forEach(name -> row.add(cell(run.aborts().get(name))));
    row.add(run.verdict());
    return row;
  }

  private static Object cell(Object value) {
    return value == null ? "" : value;
  }
}
