package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.cli.output.OutputFile;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes comparisons, on one input after another: all files have all of them. */
final class ComparisonOutput {
  /**
   * What is written of one input.
   *
   * @param lines of JSON, which say when they were made
   */
  record Section(ComparisonReport report, Measured measured, List<String> lines) {
    Section(ComparisonReport report, Measured measured, String why) {
      this(report, measured, report.jsonLines(measured, why));
    }
  }

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean table;
  private final OutputFile json;
  private final OutputFile csv;

  /** Guarded by this, as is the next: what the files have. */
  private final List<Section> written = new ArrayList<>();

  private boolean isTablePrinted;

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

  /**
   * Writes what was measured.
   *
   * @param why the comparison ended early; null if it did not
   */
  synchronized void write(ComparisonReport report, Measured measured, String why) {
    Section section = new Section(report, measured, why);
    print(section);
    written.add(section);
    writeFiles(written);
  }

  /**
   * Writes what was measured before the process was ended from outside, if anything was; of one of
   * several inputs at least that it was ended.
   */
  synchronized void keep(ComparisonReport report, Measured measured) {
    String why =
        measured.isEmpty()
            ? "ended from outside before the first run"
            : "ended from outside; runs until then: " + measured.runs().size();
    String message = report.input().prefix() + why;
    if (measured.isEmpty() && !report.input().named()) {
      say(message);
      return;
    }
    Section section = new Section(report, measured, why);
    List<Section> all = new ArrayList<>(written);
    all.add(section);
    // Files first: whoever reads the standard output may have gone.
    try {
      writeFiles(all);
    } catch (OutputException e) { // says so, and goes on
      say(e.getMessage());
    }
    say(message);
    print(section);
  }

  private void say(String message) {
    err.println("magpie compare: " + message);
    err.flush();
  }

  private void print(Section section) {
    if (!table) {
      section.lines().forEach(out::println);
    } else if (!section.measured().isEmpty()) { // else its contestants have nothing to show
      if (isTablePrinted) {
        out.println();
      }
      ComparedInput input = section.report().input();
      if (input.named()) {
        out.println(input.title());
      }
      out.print(section.report().table(section.measured()));
      isTablePrinted = true;
    }
    out.flush();
  }

  /** The flat form first, so that a new JSON never lies next to an old CSV. */
  private void writeFiles(List<Section> all) {
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
