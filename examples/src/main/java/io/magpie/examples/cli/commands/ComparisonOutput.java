package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.cli.output.OutputFile;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a comparison is told.
 *
 * @param out takes the table, or JSON Lines
 * @param err takes what is said of a comparison that was ended from outside
 * @param table whether it is the table
 * @param json a file of JSON Lines; null for none
 * @param csv a file of the same runs as flat CSV; null for none
 */
record ComparisonOutput(
    PrintWriter out, PrintWriter err, boolean table, OutputFile json, OutputFile csv) {
  /**
   * Tells what was measured.
   *
   * @param why the comparison ended early; null if it did not
   */
  void write(ComparisonReport report, Measured measured, String why) {
    print(report, measured, why);
    writeFiles(report, measured, why);
  }

  /**
   * Tells what was measured before the process was ended from outside, if anything was.
   *
   * @param report null if it had not come so far
   */
  void keep(ComparisonReport report, Measured measured) {
    if (report == null || measured.isEmpty()) {
      say("ended from outside before the first run");
      return;
    }
    String why = "ended from outside; runs until then: " + measured.runs().size();
    // Files first: whoever reads the standard output may have gone.
    try {
      writeFiles(report, measured, why);
    } catch (OutputException e) { // says so, and goes on
      say(e.getMessage());
    }
    say(why);
    print(report, measured, why);
  }

  private void say(String message) {
    err.println("magpie compare: " + message);
    err.flush();
  }

  private void print(ComparisonReport report, Measured measured, String why) {
    if (table && measured.isEmpty()) {
      return; // of contestants that have all nothing to show
    }
    if (table) {
      out.print(report.table(measured));
    } else {
      report.jsonLines(measured, why).forEach(out::println);
    }
    out.flush();
  }

  /** The flat form first, so that a new JSON never lies next to an old CSV. */
  private void writeFiles(ComparisonReport report, Measured measured, String why) {
    Map<OutputFile, List<String>> files = new LinkedHashMap<>();
    if (csv != null) {
      files.put(csv, report.csvLines(measured.runs()));
    }
    if (json != null) {
      files.put(json, report.jsonLines(measured, why));
    }
    OutputFile.writeTogether(files);
  }
}
