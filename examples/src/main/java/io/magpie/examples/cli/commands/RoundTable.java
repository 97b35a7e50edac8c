package io.magpie.examples.cli.commands;

import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.TextTable;
import io.magpie.stm.RegionReport.AbortCause;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What each round of a refinement did. */
record RoundTable(List<Round> rounds) {
  /** The sum of a number over all rounds. */
  long sum(ToLongFunction<Round> number) {
    return rounds.stream().mapToLong(number).sum();
  }

  /** Aborts of all rounds, with each cause. */
  Map<AbortCause, Long> aborts() {
    Map<AbortCause, Long> sums = new EnumMap<>(AbortCause.class);
    for (AbortCause cause : AbortCause.values()) {
      sums.put(cause, sum(round -> aborts(round, cause)));
    }
    return sums;
  }

  private static long aborts(Round round, AbortCause cause) {
    return round.aborts().getOrDefault(cause, 0L);
  }

  /** For people: a row for each round. */
  TextTable text() {
    TextTable table =
        new TextTable(
            ">round",
            ">items",
            ">waiting",
            ">inserted",
            ">pushed",
            ">needless",
            ">launches",
            ">ms");
    for (int i = 0; i < rounds.size(); i++) {
      Round round = rounds.get(i);
      table.row(
          (i + 1) + (round.large() ? " (large cavities)" : ""),
          Counts.number(round.items()),
          Counts.number(round.waiting()),
          Counts.number(round.inserted()),
          Counts.number(round.pushed()),
          Counts.number(round.canceled()),
          Counts.number(round.launches()),
          Counts.millis(round.millis()));
    }
    return table;
  }

  /** Lines of CSV: a head, and one for each round. */
  List<String> csv() {
    List<String> lines = new ArrayList<>();
    List<Object> head =
        new ArrayList<>(List.of("round", "items", "waiting", "inserted", "pushed", "cancelled"));
    for (AbortCause cause : AbortCause.values()) {
      head.add(Counts.name(cause));
    }
    head.addAll(List.of("launches", "ms", "large"));
    lines.add(Csv.line(head));
    for (Round round : rounds) {
      List<Object> row = new ArrayList<>();
      row.addAll(List.of(lines.size(), round.items(), round.waiting(), round.inserted()));
      row.addAll(List.of(round.pushed(), round.canceled()));
      for (AbortCause cause : AbortCause.values()) {
        row.add(aborts(round, cause));
      }
      row.addAll(List.of(round.launches(), String.format(Locale.ROOT, "%.4f", round.millis())));
      row.add(round.large() ? 1 : 0);
      lines.add(Csv.line(row));
    }
    return lines;
  }

  /**
   * Lines of CSV: a head, and one for each step of maximal sets, with what was inserted into
   * cavities that were too large for it before the next one.
   */
  List<String> parallelism() {
    List<String> lines = new ArrayList<>();
    lines.add(Csv.line(List.of("step", "items", "parallelism", "large")));
    for (int i = 0; i < rounds.size(); ) {
      Round step = rounds.get(i++);
      long large = 0;
      for (; i < rounds.size() && rounds.get(i).large(); i++) {
        large += rounds.get(i).inserted();
      }
      lines.add(Csv.line(List.of(lines.size(), step.items(), step.inserted(), large)));
    }
    return lines;
  }

  /** For programs. */
  List<Map<String, Object>> json() {
    return rounds.stream().map(RoundTable::json).toList();
  }

  private static Map<String, Object> json(Round round) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("items", round.items());
    value.put("waiting", round.waiting());
    value.put("inserted", round.inserted());
    value.put("pushed", round.pushed());
    value.put("cancels", round.canceled());
    Map<AbortCause, Long> aborts = new EnumMap<>(AbortCause.class);
    for (AbortCause cause : AbortCause.values()) {
      aborts.put(cause, aborts(round, cause));
    }
    value.put("aborts", Counts.json(aborts));
    value.put("launches", round.launches());
    value.put("millis", round.millis());
    value.put("large", round.large());
    return value;
  }
}
