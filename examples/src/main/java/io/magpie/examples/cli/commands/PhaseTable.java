package io.magpie.examples.cli.commands;

import io.magpie.algorithms.Phase;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.TextTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What each phase of a run did. */
final class PhaseTable {
  private PhaseTable() {}

  /** For people: a row for each phase, with its share of the time of all. */
  static TextTable of(List<Phase> phases) {
    double all = phases.stream().mapToDouble(Phase::millis).sum();
    TextTable table =
        new TextTable(
            "phase",
            "synchronization",
            ">launches",
            ">items",
            ">ms",
            ">share",
            ">commits",
            ">aborts");
    for (Phase phase : phases) {
      table.row(
          phase.name(),
          EnumOption.name(phase.rule()),
          Counts.number(phase.launches()),
          Counts.number(phase.items()),
          Counts.millis(phase.millis()),
          Counts.percent(phase.millis(), all),
          transactional(phase) ? Counts.number(phase.commits()) : "",
          transactional(phase) ? Counts.number(phase.aborts()) : "");
    }
    return table;
  }

  /** For programs; a time that was not taken is left out. */
  static List<Map<String, Object>> json(List<Phase> phases) {
    return phases.stream().map(PhaseTable::json).toList();
  }

  private static Map<String, Object> json(Phase phase) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("name", phase.name());
    value.put("synchronization", EnumOption.name(phase.rule()));
    value.put("launches", phase.launches());
    value.put("items", phase.items());
    if (!Double.isNaN(phase.millis())) {
      value.put("millis", phase.millis());
    }
    if (transactional(phase)) {
      value.put("commits", phase.commits());
      value.put("aborts", phase.aborts());
    }
    return value;
  }

  private static boolean transactional(Phase phase) {
    return phase.rule() == Phase.Rule.TRANSACTIONAL;
  }
}
