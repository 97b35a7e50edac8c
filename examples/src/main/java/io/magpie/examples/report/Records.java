package io.magpie.examples.report;

import io.magpie.algorithms.FileFormatException;
import io.magpie.examples.input.InputException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was read from files of records. */
public final class Records {
  private final List<Path> files;
  private final List<Run> runs = new ArrayList<>();
  private final List<Summarized> summaries = new ArrayList<>();
  private final Map<Problem, Map<String, BigDecimal>> sizes = new LinkedHashMap<>();
  private final Map<Problem, Set<Path>> sources = new LinkedHashMap<>();
  private final Map<Environment, Set<String>> heaps = new LinkedHashMap<>();
  private final List<Session> sessions = new ArrayList<>();
  private final Map<Path, String> failures = new LinkedHashMap<>();

  private Records(List<Path> files) {
    this.files = List.copyOf(files);
  }

  /**
   * Reads records, each a JSON object, one after another.
   *
   * @param files at least one
   * @throws FileFormatException if a file has no record, or anything else but records of runs
   * @throws InputException if a file is a folder
   * @throws IOException if a file cannot be read
   */
  public static Records read(List<Path> files) throws IOException {
    Records records = new Records(files);
    for (Path each : files) {
      new RecordReader(each, records).read();
    }
    return records;
  }

  /** Where the records come from. */
  List<Path> files() {
    return files;
  }

  List<Run> runs() {
    return runs;
  }

  List<Summarized> summaries() {
    return summaries;
  }

  /** How large a problem's input is, by name. */
  Map<String, BigDecimal> sizes(Problem problem) {
    return sizes.getOrDefault(problem, Map.of());
  }

  /** All problems, in the order of the records. */
  List<Problem> problems() {
    return List.copyOf(sources.keySet());
  }

  /** The files with records of a problem. */
  List<Path> files(Problem problem) {
    return List.copyOf(sources.get(problem));
  }

  /** All environments, in the order of the records, with the sizes of Java's heap in bytes. */
  Map<Environment, Set<String>> environments() {
    return heaps;
  }

  /** Why comparisons did not finish, by file. */
  Map<Path, String> failures() {
    return failures;
  }

  /** A comparison whose first record was found. */
  Session begin(Path file, String time) {
    Session session = new Session(sessions.size() + 1, file, time);
    sessions.add(session);
    return session;
  }

  void add(Run run) {
    runs.add(run);
  }

  void add(Summarized summary) {
    summaries.add(summary);
  }

  void addFailure(Path file, String message) {
    failures.merge(file, message, (one, other) -> one + "; " + other);
  }

  /** Notes where something is from, how large its input is, and Java's heap, or an empty text. */
  void describe(Subject subject, Path file, Map<String, BigDecimal> size, String heap) {
    sources.computeIfAbsent(subject.problem(), p -> new LinkedHashSet<>()).add(file);
    Map<String, BigDecimal> known =
        sizes.computeIfAbsent(subject.problem(), p -> new LinkedHashMap<>());
    size.forEach(known::putIfAbsent);
    Set<String> bytes = heaps.computeIfAbsent(subject.environment(), e -> new LinkedHashSet<>());
    if (!heap.isEmpty()) {
      bytes.add(heap);
    }
  }
}
