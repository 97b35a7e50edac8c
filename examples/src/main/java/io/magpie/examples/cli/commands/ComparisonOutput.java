package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.compare.RunRecord;
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
  void write(ComparisonReport report, List<RunRecord> records, String why) {
    print(report, records, why);
    writeFiles(report, records, why);
  }

  /**
   * Tells what was measured before the process was ended from outside, if anything was.
   *
   * @param report null if it had not come so far
   */
  void keep(ComparisonReport report, List<RunRecord> records) {
    List<RunRecord> measured = List.copyOf(records);
    if (report == null || measured.isEmpty()) {
      say("ended from outside before the first run");
      return;
    }
    String why = "ended from outside; runs until then: " + measured.size();
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

  private void print(ComparisonReport report, List<RunRecord> records, String why) {
    if (table) {
      out.print(report.table(records));
    } else {
      report.jsonLines(records, why).forEach(out::println);
    }
    out.flush();
  }

  /** The flat form first, so that a new JSON never lies next to an old CSV. */
  private void writeFiles(ComparisonReport report, List<RunRecord> records, String why) {
    Map<OutputFile, List<String>> files = new LinkedHashMap<>();
    if (csv != null) {
      files.put(csv, report.csvLines(records));
    }
    if (json != null) {
      files.put(json, report.jsonLines(records, why));
    }
    OutputFile.writeTogether(files);
  }
}
