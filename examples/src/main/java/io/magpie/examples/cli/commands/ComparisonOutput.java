package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.cli.output.OutputFile;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where comparisons are told, of one input after another: all files have all of them. */
final class ComparisonOutput {
  /**
   * What there is to tell of an input.
   *
   * @param lines of JSON, which say when they were made
   */
  record Told(ComparisonReport report, Measured measured, List<String> lines) {
    Told(ComparisonReport report, Measured measured, String why) {
      this(report, measured, report.jsonLines(measured, why));
    }
  }

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean table;
  private final OutputFile json;
  private final OutputFile csv;

  /** Guarded by this, as is the title: those before, whose files have been written. */
  private final List<Told> before = new ArrayList<>();

  private String title;

  /**
   * @param out takes the table, or JSON Lines
   * @param err takes what is said of a comparison that was ended from outside
   * @param table whether it is the table
   * @param json a file of JSON Lines; null for none
   * @param csv a file of the same runs as flat CSV; null for none
   */
  ComparisonOutput(
      PrintWriter out, PrintWriter err, boolean table, OutputFile json, OutputFile csv) {
    this.out = out;
    this.err = err;
    this.table = table;
    this.json = json;
    this.csv = csv;
  }

  /** What stands above the next table. */
  synchronized void entitle(String next) {
    title = next;
  }

  /**
   * Tells what was measured.
   *
   * @param why the comparison ended early; null if it did not
   */
  synchronized void write(ComparisonReport report, Measured measured, String why) {
    Told told = new Told(report, measured, why);
    print(told);
    before.add(told);
    writeFiles(before);
  }

  /**
   * Tells what was measured before the process was ended from outside, if anything was.
   *
   * @param report null if it had not come so far
   */
  synchronized void keep(ComparisonReport report, Measured measured) {
    if (report == null || measured.isEmpty()) {
      say("ended from outside before the first run" + (before.isEmpty() ? "" : " of an input"));
      return;
    }
    String why = "ended from outside; runs until then: " + measured.runs().size();
    Told told = new Told(report, measured, why);
    List<Told> all = new ArrayList<>(before);
    all.add(told);
    // Files first: whoever reads the standard output may have gone.
    try {
      writeFiles(all);
    } catch (OutputException e) { // says so, and goes on
      say(e.getMessage());
    }
    say(why);
    print(told);
  }

  private void say(String message) {
    err.println("magpie compare: " + message);
    err.flush();
  }

  private void print(Told told) {
    if (table && told.measured().isEmpty()) {
      return; // of contestants that have all nothing to show
    }
    if (table) {
      if (title != null) {
        out.print(title);
      }
      out.print(told.report().table(told.measured()));
    } else {
      told.lines().forEach(out::println);
    }
    out.flush();
  }

  /** The flat form first, so that a new JSON never lies next to an old CSV. */
  private void writeFiles(List<Told> all) {
    Map<OutputFile, List<String>> files = new LinkedHashMap<>();
    if (csv != null) {
      files.put(csv, ComparisonReport.csvLines(all));
    }
    if (json != null) {
      List<String> lines = new ArrayList<>();
      all.forEach(each -> lines.addAll(each.lines()));
      files.put(json, lines);
    }
    OutputFile.writeTogether(files);
  }
}
