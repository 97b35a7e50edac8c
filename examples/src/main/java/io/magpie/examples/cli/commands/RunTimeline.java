package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.Counts;
import io.magpie.verification.check.Dependency;
import io.magpie.verification.check.Finding;
import io.magpie.verification.explore.AttemptId;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What a picture of a run shows: its attempts, when each thread made which and how they ended, and
 * those that a violation is about.
 *
 * @param bars the attempts, in the order of their beginnings
 * @param marked indices of those that a violation is about
 * @param links between these
 * @param title what is wrong; empty if nothing is
 * @param unit of the times
 * @param attempts that there are in all
 */
record RunTimeline(
    List<Bar> bars,
    Set<Integer> marked,
    List<Link> links,
    String title,
    String unit,
    long attempts) {
  /** Attempts that a picture has room for. */
  static final int MOST_ATTEMPTS = 200;

  /** The unit of the simulator's times. */
  static final String STEPS = "steps";

  /** How an attempt ended. */
  enum Ending {
    /** Its item is done. */
    COMMITTED,
    /** The item is to be tried again. */
    ABORTED,
    /** Its item gave up by itself. */
    CANCELED,
    /** It had not when the run did. */
    UNFINISHED
  }

  /**
   * An attempt.
   *
   * @param thread its rank; -1 if it is not known
   * @param item whose it is
   * @param number which of the item's attempts
   * @param begin before its first operation
   * @param end after the last one
   * @param ending how it ended
   */
  record Bar(int thread, long item, int number, long begin, long end, Ending ending) {}

  /**
   * What two attempts that a violation is about have to do with each other.
   *
   * @param from index of one
   * @param to index of the other
   * @param kind why the one comes before the other; null if each accesses what the other does
   */
  record Link(int from, int to, Dependency.Kind kind) {}

  RunTimeline {
    bars = List.copyOf(bars);
    marked = Set.copyOf(marked);
    links = List.copyOf(links);
  }

  /** What there is to tell of a run. */
  static final class Run {
    private final History history;
    private final String unit;
    private Optional<Finding> finding = Optional.empty();
    private Optional<Violation> violation = Optional.empty();
    private List<AttemptId> unended = List.of();
    private long end;

    /**
     * @param unit of the history's times
     */
    Run(History history, String unit) {
      this.history = history;
      this.unit = unit;
    }

    /** With what a checker found in its history. */
    Run withFinding(Optional<Finding> found) {
      finding = found;
      return this;
    }

    /** With everything that is wrong, the worst first; may be nothing. */
    Run withViolations(List<Violation> violations) {
      violation = violations.stream().findFirst();
      return this;
    }

    /**
     * With attempts that had not ended.
     *
     * @param until the time at which the run did
     */
    Run withUnended(List<AttemptId> attempts, long until) {
      unended = attempts;
      end = until;
      return this;
    }

    /** All that, or what there is room for. */
    RunTimeline timeline() {
      List<Bar> all = new ArrayList<>();
      Map<Integer, Long> ends = new HashMap<>(); // by threads, of what they did
      for (int i = 0; i < history.size(); i++) {
        all.add(bar(i));
        ends.merge(history.thread(i), history.end(i), Math::max);
      }
      for (AttemptId each : unended) {
        // Its begin was not recorded: it is not before the end of what its thread did before.
        long begin = ends.getOrDefault(each.thread(), 0L);
        long until = Math.max(begin, end);
        all.add(
            new Bar(each.thread(), each.item(), each.number(), begin, until, Ending.UNFINISHED));
      }
      List<Integer> concerned = concerned(all);
      List<Integer> shown = shown(all, concerned);
      Map<Integer, Integer> places = new HashMap<>();
      shown.forEach(each -> places.put(each, places.size()));
      return new RunTimeline(
          shown.stream().map(all::get).toList(),
          new TreeSet<>(concerned.stream().map(places::get).toList()),
          links(concerned).stream()
              .map(each -> new Link(places.get(each.from), places.get(each.to), each.kind))
              .toList(),
          title(),
          unit,
          all.size());
    }

    private Bar bar(int attempt) {
      Ending ending =
          switch (history.outcome(attempt)) {
            case History.COMMIT -> Ending.COMMITTED;
            case History.CANCEL -> Ending.CANCELED;
            default -> Ending.ABORTED;
          };
      return new Bar(
          history.thread(attempt),
          Integer.toUnsignedLong(history.item(attempt)),
          history.number(attempt),
          history.begin(attempt),
          history.end(attempt),
          ending);
    }

    /** The attempts that the violation is about, by index. */
    private List<Integer> concerned(List<Bar> all) {
      if (finding.isPresent()) {
        return finding.get().attempts();
      }
      List<Integer> concerned = new ArrayList<>();
      for (AttemptId each : violation.map(Violation::attempts).orElse(List.of())) {
        IntStream.range(0, all.size())
            .filter(i -> isOf(all.get(i), each))
            .findFirst()
            .ifPresent(concerned::add);
      }
      return concerned;
    }

    /** Several items may have one number, so their threads count where they are known. */
    private static boolean isOf(Bar bar, AttemptId attempt) {
      return bar.item == attempt.item()
          && bar.number == attempt.number()
          && (bar.thread == attempt.thread() || bar.thread < 0);
    }

    private List<Link> links(List<Integer> concerned) {
      if (finding.isPresent()) {
        return finding.get().cycle().stream()
            .map(edge -> new Link(edge.from(), edge.to(), edge.kind()))
            .toList();
      }
      boolean two = concerned.size() == 2 && !concerned.get(0).equals(concerned.get(1));
      return two ? List.of(new Link(concerned.get(0), concerned.get(1), null)) : List.of();
    }

    /**
     * The attempts to show, by index, in the order of their beginnings: the first ones, or those
     * that begin with the first one that is concerned, and all that are concerned.
     */
    private static List<Integer> shown(List<Bar> all, List<Integer> concerned) {
      List<Integer> order =
          IntStream.range(0, all.size())
              .boxed()
              .sorted(
                  Comparator.<Integer>comparingLong(i -> all.get(i).begin)
                      .thenComparingInt(i -> all.get(i).thread)
                      .thenComparingInt(i -> i))
              .toList();
      List<Integer> places = concerned.stream().map(order::indexOf).sorted().toList();
      boolean fit =
          places.isEmpty() || places.get(places.size() - 1) < Math.min(MOST_ATTEMPTS, order.size());
      int from = fit ? 0 : places.get(0);
      Set<Integer> shown = new TreeSet<>(places);
      for (int i = from; i < order.size() && shown.size() < MOST_ATTEMPTS; i++) {
        shown.add(i);
      }
      return shown.stream().map(order::get).toList();
    }

    private String title() {
      if (violation.isEmpty() && finding.isEmpty()) {
        return "";
      }
      String kind = violation.map(each -> each.kind().words()).orElse("");
      String anomaly = finding.map(found -> found.anomaly().title()).orElse("");
      return kind.isEmpty() || anomaly.isEmpty() ? kind + anomaly : kind + ": " + anomaly;
    }
  }

  /** How many attempts are shown, in words. */
  String inWords() {
    String shown = Counts.number(bars.size(), "attempt", "attempts");
    return bars.size() == attempts
        ? shown
        : shown
            + " of "
            + Counts.number(attempts)
            + (marked.isEmpty() ? ", the first ones" : ", with those of the violation");
  }
}
