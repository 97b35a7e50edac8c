package io.magpie.examples.report;

import io.magpie.examples.compare.Summary;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * How a time depends on a number, where variants differ in nothing else: a setting, the threads of
 * a processor, or the size of an input that one generator made with otherwise equal parameters.
 *
 * @param title what is compared
 * @param quantity the number
 * @param measure the name of the time
 * @param lines one for each group of variants
 */
record Scaling(String title, String quantity, String measure, List<Line> lines) {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE]-?\\d+)?");

  /** Numbers that do not make the work more or less. */
  private static final Set<String> NO_SCALES = Set.of("seed", "timeout");

  /** Values that leave the number to the device or to the policy: they have no place on an axis. */
  private static final Set<String> CHOSEN_BY_OTHERS =
      Set.of("threads-in-flight=0", "eager-attempts=-1", "back-off=-1");

  /** Parameters of generators that say how large an input is, or follow from it. */
  private static final Pattern SIZES =
      Pattern.compile("\\b(n|m|rows|columns|layers|edges|scale|radius)=[^,]*");

  /** Numbers beyond this, or below its reciprocal, are no sizes of anything. */
  private static final double MOST = 1e30;

  /**
   * Points of variants that differ in one number only.
   *
   * @param name what tells it apart
   * @param points ascending, at least two
   */
  record Line(String name, List<Point> points) {}

  /**
   * One variant.
   *
   * @param x the number
   * @param millis its time
   */
  record Point(double x, Summary.Spread millis) {}

  /** What a chart shows: everything that is the same in all of its lines. */
  private record Chart(String quantity, String problem, Environment environment, String measure) {}

  /** What is the same in all points of a line. */
  private record Group(Chart chart, Map<String, String> settings, String baseline) {}

  /** A variant as a point of a line. */
  private record Candidate(Group group, Variant variant, Point point) {
    /** Whether another comparison measured the same. */
    boolean repeats(Candidate other) {
      return variant.subject().withoutSession().equals(other.variant.subject().withoutSession());
    }
  }

  /** All that records have, each chart with as many lines as there are colors at most. */
  static List<Scaling> of(List<Experiment> experiments, Records records) {
    Map<Group, Map<Double, Candidate>> groups = new LinkedHashMap<>();
    Set<Group> ambiguous = new HashSet<>(); // two variants at one number: more differs
    for (Experiment experiment : experiments) {
      for (Variant variant : experiment.variants()) {
        for (Candidate each : candidates(experiment, variant, records)) {
          Map<Double, Candidate> points =
              groups.computeIfAbsent(each.group(), g -> new TreeMap<>());
          Candidate other = points.putIfAbsent(each.point().x(), each);
          if (other != null && !each.repeats(other)) {
            ambiguous.add(each.group());
          } else if (other != null && each.variant().count() > other.variant().count()) {
            points.put(each.point().x(), each);
          }
        }
      }
    }
    groups.keySet().removeAll(ambiguous);
    groups.values().removeIf(points -> points.size() < 2);
    Map<Chart, List<Group>> charts = new LinkedHashMap<>();
    groups.keySet().forEach(g -> charts.computeIfAbsent(g.chart(), c -> new ArrayList<>()).add(g));
    Map<Chart, String> titles = titles(List.copyOf(charts.keySet()));
    List<Scaling> all = new ArrayList<>();
    charts.forEach(
        (chart, members) -> all.addAll(split(chart, titles.get(chart), members, groups)));
    return all;
  }

  /** Titles, of which those of charts over one quantity differ. */
  private static Map<Chart, String> titles(List<Chart> charts) {
    Map<Chart, String> titles = new LinkedHashMap<>();
    for (String quantity : charts.stream().map(Chart::quantity).distinct().toList()) {
      List<Chart> over = charts.stream().filter(c -> c.quantity().equals(quantity)).toList();
      Names<Chart> names = new Names<>(over, c -> c.problem() + ", " + c.environment().title());
      names.distinguish(chart -> chart.environment().device());
      Environment.distinguish(names, Chart::environment, over);
      names.distinguish(chart -> Numbers.time(chart.measure()));
      List<String> all = names.all(Chart::problem);
      over.forEach(chart -> titles.put(chart, all.get(over.indexOf(chart))));
    }
    return titles;
  }

  private static List<Scaling> split(
      Chart chart, String title, List<Group> members, Map<Group, Map<Double, Candidate>> groups) {
    List<Subject> first =
        members.stream()
            .map(group -> groups.get(group).values().iterator().next().variant().subject())
            .toList();
    List<String> names = Labels.of(first.stream().map(s -> bare(s, chart.quantity())).toList());
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      List<Point> points =
          groups.get(members.get(i)).values().stream().map(Candidate::point).toList();
      lines.add(new Line(names.get(i), points));
    }
    List<Scaling> charts = new ArrayList<>();
    for (int from = 0; from < lines.size(); from += Palette.SIZE) {
      int to = Math.min(lines.size(), from + Palette.SIZE);
      charts.add(new Scaling(title, chart.quantity(), chart.measure(), lines.subList(from, to)));
    }
    return charts;
  }

  /** Without the names that comparisons give, which may tell the number; but for baselines. */
  private static Subject bare(Subject subject, String quantity) {
    Map<String, String> settings = new LinkedHashMap<>(subject.settings());
    settings.remove(quantity);
    return new Subject(
        subject.problem(),
        subject.environment().withAnyThreads(),
        null,
        subject.baseline() ? subject.contestant() : "",
        subject.baseline(),
        settings);
  }

  private static List<Candidate> candidates(
      Experiment experiment, Variant variant, Records records) {
    if (variant.spread(experiment.measure()).isEmpty()) {
      return List.of();
    }
    List<Candidate> candidates = new ArrayList<>(bySetting(experiment, variant));
    byThreads(experiment, variant).ifPresent(candidates::add);
    bySize(experiment, variant, records).ifPresent(candidates::add);
    return candidates;
  }

  private static List<Candidate> bySetting(Experiment experiment, Variant variant) {
    List<Candidate> candidates = new ArrayList<>();
    Map<String, String> settings = variant.subject().settings();
    for (String name : settings.keySet()) {
      Optional<Double> number = number(settings.get(name));
      boolean scales =
          !NO_SCALES.contains(name) && !CHOSEN_BY_OTHERS.contains(name + "=" + settings.get(name));
      if (number.isPresent() && scales) {
        Map<String, String> rest = new LinkedHashMap<>(settings);
        rest.remove(name);
        Environment where = variant.subject().environment();
        Chart chart = new Chart(name, experiment.title(), where, experiment.measure());
        candidates.add(candidate(chart, rest, variant, number.get()));
      }
    }
    return candidates;
  }

  private static Optional<Candidate> byThreads(Experiment experiment, Variant variant) {
    Environment where = variant.subject().environment();
    if (!where.machine().equals("cpu")) {
      return Optional.empty();
    }
    Chart chart =
        new Chart("threads", experiment.title(), where.withAnyThreads(), experiment.measure());
    return number(where.parallelism())
        .map(threads -> candidate(chart, variant.subject().settings(), variant, threads));
  }

  private static Optional<Candidate> bySize(
      Experiment experiment, Variant variant, Records records) {
    Problem problem = experiment.problem();
    Optional<Size> size = Size.of(records.sizes(problem));
    if (!problem.source().contains(":") || size.isEmpty()) {
      return Optional.empty();
    }
    String family = SIZES.matcher(problem.source()).replaceAll("$1=\u2026");
    Chart chart =
        new Chart(
            size.get().unit(),
            problem.algorithm() + ": " + family,
            variant.subject().environment(),
            experiment.measure());
    return number(size.get().number().toPlainString())
        .map(number -> candidate(chart, variant.subject().settings(), variant, number));
  }

  /**
   * How large an input is: a graph by its vertices and edges together, a mesh by its triangles, and
   * whatever tells neither by its vertices.
   *
   * @param unit what was counted
   * @param number of these
   */
  private record Size(String unit, BigDecimal number) {
    static Optional<Size> of(Map<String, BigDecimal> sizes) {
      BigDecimal vertices = sizes.get("vertices");
      BigDecimal edges = sizes.get("edges");
      BigDecimal triangles = sizes.get("triangles");
      return Optional.ofNullable(
              triangles != null
                  ? new Size("triangles", triangles)
                  : vertices == null
                      ? null
                      : edges == null
                          ? new Size("vertices", vertices)
                          : new Size("vertices and edges", vertices.add(edges)))
          .filter(size -> size.number.signum() > 0);
    }
  }

  private static Candidate candidate(
      Chart chart, Map<String, String> rest, Variant variant, double number) {
    Subject subject = variant.subject();
    String baseline = subject.baseline() ? subject.contestant() : "";
    Point point = new Point(number, variant.spread(chart.measure()).orElseThrow());
    return new Candidate(new Group(chart, rest, baseline), variant, point);
  }

  /** A text as a number that an axis can have. */
  private static Optional<Double> number(String text) {
    if (!NUMBER.matcher(text).matches()) {
      return Optional.empty();
    }
    double number = Double.parseDouble(text);
    double size = Math.abs(number);
    return number == 0 || (size >= 1 / MOST && size <= MOST)
        ? Optional.of(number)
        : Optional.empty();
  }

  /** All numbers of all lines, ascending. */
  List<Double> numbers() {
    return lines.stream()
        .flatMap(line -> line.points().stream())
        .map(Point::x)
        .distinct()
        .sorted(Comparator.naturalOrder())
        .toList();
  }
}
