package io.magpie.examples.cli.commands;

import io.magpie.verification.check.Verdict;
import io.magpie.verification.workload.CheckedRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A table with a row for each checked run, printed as they come, and one for their sum. */
final class CheckedRunTable {
  private static final String HEAD = "%6s %13s %13s %13s %13s %13s %8s %8s %8s %10s  %s%n";
  private static final String ROW =
      "%6s %,13d %,13d %,13d %,13d %,13d %8.3f %8.3f %8.3f %,10.0f  %s";

  /** What one run did, or several together. */
  private record Row(
      long transactions,
      long attempts,
      long abortsLogged,
      long accesses,
      long edges,
      double runSeconds,
      double readSeconds,
      double checkSeconds) {
    static final Row NOTHING = new Row(0, 0, 0, 0, 0, 0, 0, 0);

    static Row of(CheckedRun run) {
      Verdict.Extent extent = run.verdict().extent();
      return new Row(
          extent.committed() + extent.canceled(),
          run.report().commits() + run.report().cancels() + run.report().aborts(),
          extent.aborted(),
          extent.accesses(),
          run.edges(),
          run.runSeconds(),
          run.readSeconds(),
          run.checkSeconds());
    }

    Row plus(Row other) {
      return new Row(
          transactions + other.transactions,
          attempts + other.attempts,
          abortsLogged + other.abortsLogged,
          accesses + other.accesses,
          edges + other.edges,
          runSeconds + other.runSeconds,
          readSeconds + other.readSeconds,
          checkSeconds + other.checkSeconds);
    }

    double checkedPerSecond() {
      return transactions == 0 ? 0 : transactions / checkSeconds;
    }

    Map<String, Object> json() {
      Map<String, Object> value = new LinkedHashMap<>();
      value.put("transactions", transactions);
      value.put("attempts", attempts);
      value.put("abortsLogged", abortsLogged);
      value.put("accesses", accesses);
      value.put("edges", edges);
      value.put("runSeconds", runSeconds);
      value.put("readSeconds", readSeconds);
      value.put("checkSeconds", checkSeconds);
      value.put("checkedPerSecond", checkedPerSecond());
      return value;
    }
  }

  private final VerifyOutput output;
  private final List<Map<String, Object>> json = new ArrayList<>();
  private Row sum = Row.NOTHING;
  private long repeated;

  /** Prints the head. */
  CheckedRunTable(VerifyOutput output) {
    this.output = output;
    output.put("runs", json);
    output.print(
        "%n" + HEAD,
        "run",
        "transactions",
        "attempts",
        "aborts logged",
        "accesses",
        "edges",
        "run s",
        "read s",
        "check s",
        "checked/s",
        "verdict");
  }

  /**
   * Adds a run.
   *
   * @param number which one, from 0
   * @param round which of its rounds, from 0; -1 if it has none
   */
  void add(CheckedRun run, long number, int round) {
    Row row = Row.of(run);
    sum = sum.plus(row);
    Verdict verdict = run.verdict();
    String open = open(run);
    Verdict.Opacity opacity = open == null ? verdict.opacity() : Verdict.Opacity.NOT_CHECKED;
    String level = open == null ? verdict.level().toString() : open;
    print(
        (number + 1) + (round < 0 ? "" : "." + (round + 1)),
        row,
        level + (opacity == Verdict.Opacity.NOT_CHECKED ? "" : ", " + opacity));
    Map<String, Object> value = row.json();
    value.put("run", number + 1);
    if (round >= 0) {
      value.put("round", round + 1);
      value.put("items", run.report().items());
      value.put("pushed", run.report().pushed());
      value.put("deferred", run.report().deferred());
      value.put("waiting", run.waiting());
    }
    value.put("verdict", level);
    value.put("opacity", opacity.toString());
    json.add(value);
  }

  /** Adds a run that was like those before, to the sum alone. */
  void addRepeated(CheckedRun run) {
    sum = sum.plus(Row.of(run));
    repeated++;
  }

  /** Why a run whose history is right is not verified; null if it is, or is wrong. */
  private static String open(CheckedRun run) {
    if (!run.violations().isEmpty()) {
      return null;
    }
    if (!run.report().complete()) {
      return String.format(Locale.ROOT, "%,d unfinished", run.report().unfinished());
    }
    return run.verdict().extent().committed() == 0 ? "nothing committed" : null;
  }

  /** Transactions of all runs so far. */
  long transactions() {
    return sum.transactions;
  }

  /** Prints the sum. */
  void end() {
    output.put("sum", sum.json());
    if (repeated > 0) {
      output.put("repeatedRuns", repeated);
    }
    print(
        "sum",
        sum,
        repeated == 0
            ? ""
            : String.format(
                Locale.ROOT, "repeated %,d time%s", repeated, repeated == 1 ? "" : "s"));
  }

  private void print(String name, Row row, String verdict) {
    String line =
        String.format(
            Locale.ROOT,
            ROW,
            name,
            row.transactions,
            row.attempts,
            row.abortsLogged,
            row.accesses,
            row.edges,
            row.runSeconds,
            row.readSeconds,
            row.checkSeconds,
            row.checkedPerSecond(),
            verdict);
    output.print("%s%n", line.stripTrailing());
  }
}
