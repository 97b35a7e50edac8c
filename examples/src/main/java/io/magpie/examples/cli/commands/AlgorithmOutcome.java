package io.magpie.examples.cli.commands;

import io.magpie.algorithms.RunReport;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.stm.DeviceDescription;
import io.magpie.stm.RegionReport.AbortCause;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a run of an algorithm gave that has a report of the common form. */
interface AlgorithmOutcome extends CheckedOutcome {
  /** Its report. */
  RunReport report();

  /** Whether phases are shown. */
  boolean details();

  /** Prints where it ran, and how. */
  default void printRun(NamedLines to, DeviceDescription device) {
    to.line("device", "%s", device);
    to.line("variant", "%s", SettingOptions.text(report().options()));
  }

  /**
   * Prints how long it took, where solving is all between two copies; and what was aborted.
   *
   * @param solving what that is called
   */
  default void printTimes(NamedLines to, String solving) {
    printTime(to, solving);
    printAborts(to);
  }

  /** Where the time starts and ends, and how long the upload took. */
  default String origin() {
    return String.format(Locale.ROOT, "from Java to Java: upload %.3f,", report().uploadMillis());
  }

  /** Prints how long it took. */
  default void printTime(NamedLines to, String solving) {
    RunReport report = report();
    to.line(
        "time",
        "%.3f ms %s %s %.3f, download and rest %.3f",
        report.hostMillis(),
        origin(),
        solving,
        report.solveMillis(),
        report.hostMillis() - report.uploadMillis() - report.solveMillis());
  }

  /** Prints aborted attempts by cause, if there are any. */
  default void printAborts(NamedLines to) {
    Map<AbortCause, Long> aborts = Counts.aborts(report().transactions());
    if (!aborts.isEmpty()) {
      to.line("aborts", "%s", Counts.text(aborts));
    }
  }

  /** Prints the phases if these are asked for. */
  default void printPhases(NamedLines to) {
    if (details()) {
      to.table(PhaseTable.of(report().phases()));
    }
  }

  /** The times that all reports have, for JSON; others may be added. */
  default Map<String, Object> millis() {
    Map<String, Object> millis = new LinkedHashMap<>();
    millis.put("total", report().hostMillis());
    millis.put("upload", report().uploadMillis());
    millis.put("kernels", report().solveMillis());
    return millis;
  }

  /** Adds how the run went: what all outcomes end with in JSON, but for the verdict. */
  default void addRun(Map<String, Object> json) {
    json.put("phases", PhaseTable.json(report().phases()));
    json.put("aborts", Counts.json(Counts.aborts(report().transactions())));
  }
}
