package io.magpie.examples.cli;

import io.magpie.examples.cli.output.BuildInfo;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One call of the command line within this process, and what no call may lead to. */
record HostileCall(List<String> line, int status, String out, String err) {
  private static final Pattern NULL = Pattern.compile("(: |=|')null\\b|^null");

  /** Those of the help but a wrong result and a fault of Magpie: input alone leads to neither. */
  private static final Set<Integer> STATUSES = Set.of(0, 2, 3, 4, 5, 6, 7, 8, 9);

  /** What status 1 says where nothing is wrong, but there was nothing to verify. */
  private static final String NOTHING = "so nothing was verified";

  /** Most lines of a failure: the message, what the option takes, a suggestion, the help. */
  private static final int LINES = 4;

  /** What begins a message about one of a ladder's inputs. */
  private static final Pattern OF_INPUT = Pattern.compile("^magpie compare: thesis-[0-9.]+, ");

  static HostileCall of(List<String> line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Magpie.run(new PrintWriter(out), new PrintWriter(err), line.toArray(new String[0]));
    return new HostileCall(line, status, out.toString(), err.toString());
  }

  /** The command as one types it. */
  static String typed(List<String> line) {
    return BuildInfo.command()
        + " "
        + line.stream().map(HostileCases::quoted).collect(Collectors.joining(" "));
  }

  /** What is wrong whatever the line was; null if nothing is. */
  String unsound() {
    if (!STATUSES.contains(status) && !(status == 1 && err.contains(NOTHING))) {
      return "status " + status + ": " + err;
    }
    if (err.contains("\tat ") || err.contains("fault of Magpie")) {
      return "a stack trace, or blames itself: " + err;
    }
    if (NULL.matcher(err).find() && line.stream().noneMatch(word -> word.contains("null"))) {
      return "says null: " + err;
    }
    if (err.chars().anyMatch(c -> c != '\n' && c != '\t' && Character.isISOControl(c))) {
      return "raw control characters: " + err;
    }
    if (status != 0 && err.isBlank()) {
      return "status " + status + " without a word";
    }
    long lines = err.contains("Cannot compile") ? 1 : faultLines(); // a compiler has more
    return status != 0 && lines > LINES ? lines + " lines for one fault: " + err : null;
  }

  /** Lines about one fault: of faults of a ladder's inputs, which have a line each, the first. */
  private long faultLines() {
    long ofInputs = err.lines().filter(OF_INPUT.asPredicate()).count();
    return err.lines().count() - Math.max(0, ofInputs - 1);
  }

  /** The same, and a status other than one of these. */
  String otherThan(Integer... statuses) {
    String unsound = unsound();
    List<Integer> expected = List.of(statuses);
    return unsound != null || expected.contains(status)
        ? unsound
        : "status " + status + ", not " + expected + ": " + err;
  }
}
