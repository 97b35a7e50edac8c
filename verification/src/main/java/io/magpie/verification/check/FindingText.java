package io.magpie.verification.check;

import io.magpie.verification.check.Dependency.Kind;
import io.magpie.verification.history.Access;
import io.magpie.verification.history.Anomaly;
import io.magpie.verification.history.DataAccess;
import io.magpie.verification.history.Histories;
import io.magpie.verification.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/** The text of a {@link Finding}. */
final class FindingText {
  /** With more attempts than this, each has a row instead of a column. */
  private static final int MOST_COLUMNS = 6;

  /** Accesses shown of one attempt. */
  private static final int MOST_ACCESSES = 12;

  private static final String LEGEND =
      "Numbers after objects are versions, not values. Only begin and end have a time. As far as"
          + " those allow, a read of a version stands between the write that made it and the next.";

  private final Finding finding;
  private final History history;
  private final StringBuilder text = new StringBuilder();

  FindingText(Finding finding) {
    this.finding = finding;
    history = finding.history();
  }

  @Override
  public String toString() {
    headline();
    if (!finding.attempts().isEmpty()) {
      text.append('\n');
      if (finding.attempts().size() <= MOST_COLUMNS) {
        table(columns());
        text.append('\n').append(LEGEND).append('\n');
      } else {
        table(rows());
      }
    }
    text.append('\n');
    reasons();
    return text.toString();
  }

  private void headline() {
    text.append(finding.anomaly());
    List<Dependency> cycle = finding.cycle();
    if (!cycle.isEmpty()) {
      text.append(": a cycle of ").append(cycle.size()).append(" attempts");
      if (finding.realTime()) {
        text.append(", with real time");
      }
      if (!finding.shortest()) {
        text.append("; there may be a shorter one");
      }
    } else {
      long cases = finding.counts().get(finding.anomaly());
      text.append(String.format(Locale.ROOT, ": %,d case%s", cases, cases == 1 ? "" : "s"));
      StringJoiner others = new StringJoiner(", ", "; also ", "").setEmptyValue("");
      for (Map.Entry<Anomaly, Long> other : finding.counts().entrySet()) {
        if (other.getKey() != finding.anomaly()) {
          others.add(
              String.format(Locale.ROOT, "%s (%,d)", other.getKey().title(), other.getValue()));
        }
      }
      text.append(others);
    }
    text.append('\n');
  }

  /** Names of attempts: A, B, ... Z, A1, B1, ... */
  private static String name(int index) {
    String letter = String.valueOf((char) ('A' + index % 26));
    return index < 26 ? letter : letter + index / 26;
  }

  private String name(Dependency edge, boolean from) {
    return name(finding.attempts().indexOf(from ? edge.from() : edge.to()));
  }

  private List<String> title(int index) {
    int attempt = finding.attempts().get(index);
    List<String> lines = new ArrayList<>();
    lines.add(name(index));
    lines.add(history.thread(attempt) < 0 ? "" : "thread " + history.thread(attempt));
    lines.add("item " + Integer.toUnsignedString(history.item(attempt)));
    lines.add("attempt " + Integer.toUnsignedString(history.number(attempt)));
    lines.add("rank " + Integer.toUnsignedString(history.rank(attempt)));
    return lines;
  }

  /** A column for each attempt, and in it its begin, the accesses concerned, and its end. */
  private List<List<String>> columns() {
    int width = finding.attempts().size();
    List<List<String>> rows = new ArrayList<>();
    List<List<String>> titles = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      titles.add(title(i));
    }
    for (int line = 0; line < titles.get(0).size(); line++) {
      List<String> row = emptyRow(width);
      boolean empty = true;
      for (int i = 0; i < width; i++) {
        row.set(i + 1, titles.get(i).get(line));
        empty &= row.get(i + 1).isEmpty();
      }
      if (!empty) {
        rows.add(row);
      }
    }
    List<String> rule = emptyRow(width);
    rule.replaceAll(cell -> "-");
    rule.set(0, "time");
    rows.add(rule);
    new Events(width, rows).add();
    return rows;
  }

  /** An access in the table. */
  private record Row(int column, long access) {
    /** Whether the versions say that this one came first. */
    boolean precedes(Row other) {
      int versions = Access.stamp(access) - Access.stamp(other.access); // they may wrap
      return Access.object(access) == Access.object(other.access)
          && (versions != 0
              ? versions < 0
              : !Access.isWrite(access) && Access.isWrite(other.access));
    }
  }

  /**
   * Rows from top to bottom. Times are known of begins and ends only. An access stands as far down
   * as its attempt's end allows, but above those of other attempts that it precedes by its version,
   * and reads above the writes of their attempt. Where no such order exists, as under an error,
   * rows stand where their attempt's end has them.
   */
  private final class Events {
    private final int width;
    private final List<List<String>> rows;
    private final List<List<Row>> accesses = new ArrayList<>();
    private final List<Row> pending = new ArrayList<>();

    Events(int width, List<List<String>> rows) {
      this.width = width;
      this.rows = rows;
      for (int i = 0; i < width; i++) {
        accesses.add(shown(i));
      }
    }

    void add() {
      List<int[]> events = new ArrayList<>();
      for (int i = 0; i < width; i++) {
        events.add(new int[] {i, 0});
        events.add(new int[] {i, 1});
      }
      // At equal times begins come first: the attempts are concurrent.
      events.sort(
          Comparator.<int[]>comparingLong(e -> time(e[0], e[1] == 1)).thenComparingInt(e -> e[1]));
      for (int[] event : events) {
        int column = event[0];
        if (event[1] == 0) {
          rows.add(row(width, column, time(column, false), "begin"));
          pending.addAll(accesses.get(column));
        } else {
          accesses.get(column).forEach(this::add);
          others(column);
          String outcome = Histories.outcome(history.outcome(finding.attempts().get(column)));
          rows.add(row(width, column, time(column, true), outcome));
        }
      }
    }

    /** Adds an access, behind those that come before it. */
    private void add(Row access) {
      if (!pending.remove(access)) {
        return;
      }
      for (Row other : List.copyOf(pending)) {
        boolean read =
            other.column == access.column
                && Access.isWrite(access.access)
                && !Access.isWrite(other.access);
        if (read || other.precedes(access)) {
          add(other);
        }
      }
      int attempt = finding.attempts().get(access.column);
      rows.add(row(width, access.column, -1, words(access.access) + line(attempt, access.access)));
    }

    private void others(int column) {
      int others =
          history.accessCount(finding.attempts().get(column)) - accesses.get(column).size();
      if (others > 0) {
        String what = "and " + others + (others == 1 ? " other access" : " other accesses");
        rows.add(row(width, column, -1, what));
      }
    }

    /** The accesses of an attempt to the objects concerned, reads first. */
    private List<Row> shown(int column) {
      int attempt = finding.attempts().get(column);
      List<Row> shown = new ArrayList<>();
      for (int i = 0; i < history.accessCount(attempt) && shown.size() < MOST_ACCESSES; i++) {
        long access = history.access(attempt, i);
        if (finding.objects().contains(Access.object(access))) {
          shown.add(new Row(column, access));
        }
      }
      shown.sort(Comparator.comparing(row -> Access.isWrite(row.access)));
      return shown;
    }
  }

  private static String words(long access) {
    String object = "object " + Access.object(access);
    String stamp = Integer.toUnsignedString(Access.stamp(access));
    String made = Integer.toUnsignedString(Access.stamp(access) + 1);
    return Access.isWrite(access)
        ? "write " + object + ": " + stamp + " to " + made
        : "read " + object + ": " + stamp;
  }

  /** Where in the source an attempt first made an access, if that was recorded. */
  private String line(int attempt, long access) {
    DataAccess.Kind kind = Access.isWrite(access) ? DataAccess.Kind.WRITE : DataAccess.Kind.READ;
    return IntStream.range(0, history.dataCount(attempt))
        .mapToObj(i -> history.data(attempt, i))
        .filter(each -> each.kind() == kind && each.object() == Access.object(access))
        .filter(each -> each.line() != 0)
        .findFirst()
        .map(each -> " (line " + each.line() + ")")
        .orElse("");
  }

  private long time(int index, boolean end) {
    int attempt = finding.attempts().get(index);
    return end ? history.end(attempt) : history.begin(attempt);
  }

  private static List<String> emptyRow(int width) {
    List<String> row = new ArrayList<>();
    for (int i = 0; i <= width; i++) {
      row.add("");
    }
    return row;
  }

  private static List<String> row(int width, int column, long time, String what) {
    List<String> row = emptyRow(width);
    row.set(0, time < 0 ? "" : String.valueOf(time));
    row.set(column + 1, what);
    return row;
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "thread", "item", "attempt", "rank", "outcome", "begin", "end"));
    for (int i = 0; i < finding.attempts().size(); i++) {
      int attempt = finding.attempts().get(i);
      rows.add(
          List.of(
              name(i),
              history.thread(attempt) < 0 ? "" : String.valueOf(history.thread(attempt)),
              Integer.toUnsignedString(history.item(attempt)),
              Integer.toUnsignedString(history.number(attempt)),
              Integer.toUnsignedString(history.rank(attempt)),
              Histories.outcome(history.outcome(attempt)),
              String.valueOf(history.begin(attempt)),
              String.valueOf(history.end(attempt))));
    }
    return rows;
  }

  /** Writes cells in columns two blanks apart; a cell "-" fills its column. */
  private void table(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int c = 0; c < widths.length; c++) {
        widths[c] = Math.max(widths[c], row.get(c).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < widths.length; c++) {
        String cell = row.get(c).equals("-") ? "-".repeat(widths[c]) : row.get(c);
        String pad = " ".repeat(widths[c] - cell.length());
        line.append(c == 0 ? pad + cell : cell + pad).append("  ");
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
  }

  private void reasons() {
    if (finding.cycle().isEmpty()) {
      StringJoiner who = new StringJoiner(" and ");
      if (finding.anomaly() == Anomaly.LOST_UPDATE) {
        for (int i = 0; i < finding.attempts().size(); i++) {
          who.add(name(i));
        }
      } else if (!finding.attempts().isEmpty()) {
        who.add(name(0));
      }
      text.append((who + " " + finding.explanation()).strip()).append('\n');
    }
    for (Dependency edge : finding.cycle()) {
      String from = name(edge, true);
      String to = name(edge, false);
      text.append(from).append(" -").append(edge.kind()).append("-> ").append(to).append("  ");
      String version =
          "version " + Integer.toUnsignedString(edge.stamp()) + " of object " + edge.object();
      if (edge.kind() == Kind.RT) {
        text.append(from).append(" ended at ").append(history.end(edge.from()));
        text.append(", ").append(to).append(" began at ").append(history.begin(edge.to()));
      } else {
        text.append(from).append(edge.kind() == Kind.RW ? " read " : " wrote ").append(version);
        text.append(", ").append(to);
        text.append(edge.kind() == Kind.WR ? " read it" : " overwrote it");
      }
      text.append('\n');
    }
  }
}
