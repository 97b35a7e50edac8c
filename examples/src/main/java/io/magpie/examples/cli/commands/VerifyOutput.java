package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Vacuity;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.Histories;
import io.magpie.verification.history.History;
import io.magpie.verification.workload.Rounds;
import java.io.BufferedWriter;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a verification tells its results: as text, as JSON, and its history as a file. */
final class VerifyOutput {
  /** Characters of a finding that are repeated at the end of the output. */
  private static final int BRIEF = 100;

  /** What a verdict does not cover where items had nothing to do with each other. */
  static final String NONE_MET = "no two items met";

  /** What it does not cover where they did nothing that others could notice. */
  static final String NOTHING_WRITTEN = "nothing was written";

  private final PrintWriter standard;
  private final PrintWriter text;
  private final JsonOutput json;
  private final OutputFile saved;
  private final boolean ofRegion;
  private OutputFile picture;
  private int pixels;
  private final Map<String, Object> values = new LinkedHashMap<>();

  /**
   * @param standard the command's output
   * @param outputs checks the files
   * @param json a file's name or {@link JsonOutput#STANDARD_OUTPUT}; null = no JSON
   * @param save where the history goes; null = nowhere
   * @param ofRegion whether a region of the user's own is verified
   * @throws OutputException if a file clearly cannot be written
   */
  VerifyOutput(PrintWriter standard, Outputs outputs, String json, Path save, boolean ofRegion) {
    this.standard = standard;
    this.json = outputs.json(json);
    this.saved = outputs.at("--save", save);
    this.ofRegion = ofRegion;
    this.text =
        this.json != null && this.json.replacesTable()
            ? new PrintWriter(Writer.nullWriter())
            : standard;
    put("command", "verify");
    put("version", BuildInfo.version());
    put("revision", BuildInfo.revision());
  }

  /** Prints text, and flushes it: somebody may be waiting for it. */
  void print(String format, Object... arguments) {
    text.printf(Locale.ROOT, format, arguments);
    text.flush();
  }

  /** Prints a line of a name and what it stands for. */
  void line(String name, String format, Object... arguments) {
    print("%-9s %s%n", name, String.format(Locale.ROOT, format, arguments));
  }

  /** Sets a member of the JSON object. */
  void put(String name, Object value) {
    values.put(name, value);
  }

  /** Writes the JSON if it was asked for. */
  void writeJson() {
    if (json != null) {
      json.write(values, standard);
    }
  }

  /** Writes a history to the file that was asked for, if one was. */
  void save(History history) {
    if (saved != null && history != null) {
      saved.write(
          stream -> {
            BufferedWriter writer =
                new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.US_ASCII));
            Histories.write(history, writer);
            writer.flush();
          });
    }
  }

  /**
   * Says where the picture goes.
   *
   * @param file null = nowhere
   * @param size pixels of its width
   */
  void drawTo(OutputFile file, int size) {
    picture = file;
    pixels = size;
  }

  /** Draws a run to the file that was asked for, if one was. */
  void draw(RunTimeline.Run run) {
    if (picture != null) {
      RunTimeline timeline = run.timeline();
      picture.writeBy(new RunPicture(timeline, pixels)::write);
      line("drawn", "%s: %s", picture.path(), timeline.inWords());
    }
  }

  /** Tells how items ended, which a verdict of any kind rests on. */
  void tally(Tally tally) {
    line(
        "ended",
        "%,d committed, %,d canceled, %,d unfinished",
        tally.commits(),
        tally.cancels(),
        tally.unfinished());
    put("committed", tally.commits());
    put("cancelled", tally.cancels());
    put("unfinished", tally.unfinished());
  }

  /** Tells how many rounds there were, and what they left to others. */
  void rounds(Rounds rounds) {
    line(
        "rounds",
        "%,d, %s pushed, %,d deferred, %,d waiting",
        rounds.rounds(),
        Counts.number(rounds.pushed(), "item", "items"),
        rounds.deferred(),
        rounds.waiting());
    put("rounds", rounds.rounds());
    put("pushed", rounds.pushed());
    put("deferred", rounds.deferred());
    put("waiting", rounds.waiting());
  }

  /** What a verdict leaves open if items wait after the last round; nothing if none does. */
  static List<String> leftWaiting(Rounds rounds) {
    return rounds.waiting() == 0
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "Stopped with %s waiting: --rounds says how many rounds a run may have.",
                Counts.number(rounds.waiting(), "item", "items")));
  }

  /**
   * Tells what is wrong.
   *
   * @param where what showed it
   * @param violations at least one
   * @return the exception to end the command with
   */
  ViolationException violation(String where, List<Violation> violations) {
    put("violations", violations.stream().map(Violation::toString).toList());
    for (Violation violation : violations) {
      print("%n%s%n", violation.toString().stripTrailing());
    }
    return new ViolationException(
        where + ": " + briefly(violations.get(0)), violations.get(0).kind().isFault());
  }

  /** What was found, and where, without what follows from it: that was printed. */
  private static String briefly(Violation violation) {
    String first = violation.toString().lines().findFirst().orElse("");
    int end = Math.max(first.lastIndexOf(": "), first.lastIndexOf("; "));
    boolean isLong = first.length() > BRIEF && end > violation.kind().name().length() + 1;
    return isLong && !violation.kind().isFault() ? first.substring(0, end) : first;
  }

  /**
   * Tells that nothing is wrong, and what may be nevertheless.
   *
   * @param checked what was looked at
   * @param unseen what was not, so that the verdict does not cover it: ends of a sentence
   * @param tally how items ended
   * @param limits what that leaves open, a line each
   * @throws VerificationException if nothing committed that could be wrong
   */
  void noViolation(String checked, List<String> unseen, Tally tally, List<String> limits) {
    tally(tally);
    Optional<Violation> vacuous = Vacuity.of(tally);
    if (vacuous.isPresent()) {
      throw vacuous(vacuous.get());
    }
    put("violations", List.of());
    put("limits", Stream.concat(unseen.stream(), limits.stream()).toList());
    String seen = unseen.isEmpty() ? "" : " in what was seen; " + String.join("; ", unseen);
    print("%n%s: no violation%s%n", checked, seen);
    limits.forEach(limit -> print("%s%n", limit));
  }

  /**
   * Why nothing was verified, or less than it seems; with the remedy only for a region: it is about
   * items and arguments, and only a region is given those.
   */
  String told(Violation vacuous) {
    String text = vacuous.toString();
    return ofRegion ? text : text.lines().findFirst().orElseThrow();
  }

  /**
   * Tells that nothing was verified.
   *
   * @return the exception to end the command with
   */
  VerificationException vacuous(Violation vacuous) {
    String told = told(vacuous);
    put("violations", List.of(told));
    print("%n%s%n", told);
    return new VerificationException(vacuous.toString().lines().findFirst().orElseThrow());
  }
}
