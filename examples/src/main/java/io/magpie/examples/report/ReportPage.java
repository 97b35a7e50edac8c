package io.magpie.examples.report;

import io.magpie.examples.compare.Comparison;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A page of HTML about records, complete in itself: for the same records it is the same to the
 * byte. A section is there only if records have something to say in it.
 */
public final class ReportPage {
  /** Nothing but what is on the page, and no scripts, whatever may get into it. */
  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

  private final Records records;
  private final List<Experiment> experiments;
  private final List<Picture> pictures;
  private final String writer;

  private ReportPage(Records records, List<Picture> pictures, String writer) {
    this.records = records;
    this.experiments = Experiment.of(records);
    this.pictures = pictures;
    this.writer = writer;
  }

  /**
   * The page about some records.
   *
   * @param pictures to be shown at its end
   * @param writer what made it, such as a program with its version
   */
  public static ReportPage of(Records records, List<Picture> pictures, String writer) {
    return new ReportPage(records, List.copyOf(pictures), writer);
  }

  /** What is on it, in a few words. */
  public String summary() {
    return runs()
        + " on "
        + Numbers.counted(experiments.size(), "input")
        + " from "
        + Numbers.counted(records.files().size(), "file");
  }

  /** How many runs count, and how many were to warm up. */
  private String runs() {
    long warmUps = records.runs().stream().filter(Run::warmUp).count();
    return Numbers.counted(records.runs().size() - warmUps, "run")
        + (warmUps == 0 ? "" : " and " + Numbers.counted(warmUps, "warm-up"));
  }

  /**
   * Writes the page in UTF-8, one section after another: none is in memory before its turn.
   *
   * @throws IOException if that fails
   */
  public void writeTo(OutputStream out) throws IOException {
    Writer page = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    page.write("<!DOCTYPE html>\n");
    html().writeTo(page);
    page.write('\n');
    page.flush();
  }

  private Element html() {
    return Element.of("html", head(), body())
        .with("lang", "en")
        .with("xmlns", "http://www.w3.org/1999/xhtml");
  }

  private Element head() {
    return Element.of(
        "head",
        Element.of("meta").with("charset", "utf-8"),
        Element.of("meta")
            .with("name", "viewport")
            .with("content", "width=device-width, initial-scale=1"),
        Element.of("meta").with("name", "color-scheme").with("content", "light dark"),
        Element.of("meta").with("http-equiv", "Content-Security-Policy").with("content", POLICY),
        Element.of("title", title()),
        StyleSheet.ofReports());
  }

  private String title() {
    if (experiments.isEmpty()) {
      return "Magpie: no runs";
    }
    return "Magpie: "
        + experiments.stream()
            .map(each -> each.problem().algorithm())
            .distinct()
            .collect(Collectors.joining(", "))
        + " runs";
  }

  private Element body() {
    List<Section> sections = sections();
    Element list = Element.of("ul");
    Element main = Element.of("main");
    for (int i = 0; i < sections.size(); i++) {
      String id = "section-" + (i + 1);
      list.add(
          Element.of("li", Element.ofWord("a", sections.get(i).title()).with("href", "#" + id)));
      Section section = sections.get(i);
      main.add(page -> section.element().with("id", id).writeTo(page));
    }
    return Element.of(
        "body",
        Element.of("header", Element.of("h1", title()), Element.of("p", overview())),
        Element.of("nav", list).with("aria-label", "Sections"),
        main,
        Element.of("footer", Element.of("p", "Written by " + writer + ".")));
  }

  private String overview() {
    return runs()
        + " of "
        + Numbers.counted(experiments.stream().mapToLong(e -> e.variants().size()).sum(), "variant")
        + " on "
        + Numbers.counted(experiments.size(), "input")
        + ", from "
        + Numbers.counted(records.files().size(), "file")
        + ".";
  }

  /**
   * A part of the page with a heading, which the list at its top leads to.
   *
   * @param title the heading
   * @param content what is below it, made when it is written
   */
  private record Section(String title, Supplier<List<? extends Node>> content) {
    Element element() {
      Element section = Element.of("section", Element.ofWord("h2", title));
      content.get().forEach(section::add);
      return section;
    }
  }

  private List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    if (!records.failures().isEmpty()) {
      sections.add(new Section("Unfinished comparisons", () -> List.of(failures())));
    }
    if (!experiments.isEmpty()) {
      sections.add(new Section("Environment", () -> List.of(environments())));
      sections.add(new Section("Inputs", () -> List.of(inputs())));
    }
    for (Experiment each : experiments) {
      sections.add(new Section(each.title(), () -> experiment(each)));
    }
    List<Scaling> charts = Scaling.of(experiments, records);
    if (!charts.isEmpty()) {
      sections.add(new Section("Scaling", () -> charts.stream().map(LineChart::of).toList()));
    }
    if (!pictures.isEmpty()) {
      sections.add(new Section("Pictures", () -> pictures.stream().map(Picture::figure).toList()));
    }
    return sections;
  }

  private Element failures() {
    Element list = Element.of("ul");
    records.failures().forEach((file, why) -> list.add(Element.of("li", file + ": " + why)));
    return list;
  }

  private Element environments() {
    Map<Environment, Set<String>> all = records.environments();
    List<String> differences = Environment.namesOfDifferences(all.keySet());
    List<String> heads =
        new ArrayList<>(
            List.of("device", "name", "detail", "host", "Java", "heap", "version", "revision"));
    differences.forEach(name -> heads.add(Numbers.words(name)));
    Table table = new Table("Where the runs took place", heads);
    all.forEach(
        (each, heaps) -> {
          List<String> cells = new ArrayList<>(List.of(each.device(), each.name(), each.detail()));
          cells.addAll(List.of(each.host(), each.java(), gibibytes(heaps)));
          cells.addAll(List.of(each.version(), each.revision()));
          differences.forEach(name -> cells.add(each.others().getOrDefault(name, "")));
          table.row(cells);
        });
    return table.element();
  }

  private static String gibibytes(Set<String> bytes) {
    return bytes.stream().map(ReportPage::gibibytes).distinct().collect(Collectors.joining(", "));
  }

  private static String gibibytes(String bytes) {
    try {
      double gibi = new BigDecimal(bytes).doubleValue() / (1L << 30);
      return String.format(Locale.ROOT, "%.1f GiB", gibi);
    } catch (NumberFormatException e) { // whatever the record says
      return bytes;
    }
  }

  private Element inputs() {
    Table table =
        new Table(
            "What the runs were given",
            List.of("input", "algorithm", "properties", "hash", "records"));
    for (Experiment each : experiments) {
      Problem problem = each.problem();
      table.nodes(
          List.of(
              Element.ofWord("span", problem.input()),
              new Text(problem.algorithm()),
              new Text(size(records.sizes(problem))),
              problem.hash().isEmpty()
                  ? new Text("not recorded")
                  : Element.of("code", problem.shortHash()),
              Element.ofWord("span", files(problem))));
    }
    return table.element();
  }

  private static String size(Map<String, BigDecimal> sizes) {
    return sizes.entrySet().stream()
        .map(each -> Numbers.words(each.getKey()) + " " + Numbers.plain(each.getValue()))
        .collect(Collectors.joining(", "));
  }

  private String files(Problem problem) {
    return records.files(problem).stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  private static List<Node> experiment(Experiment experiment) {
    List<Node> nodes = new ArrayList<>();
    RunTable.notice(experiment).ifPresent(nodes::add);
    nodes.add(RunTable.of(experiment));
    RunTable.ofComparisons(experiment).ifPresent(nodes::add);
    MedianBars.of(experiment).ifPresent(nodes::add);
    Stacks stages =
        new Stacks("Stages of the " + Comparison.Outcome.TOTAL + " time in the median run", "ms");
    Stacks phases = new Stacks("Kernels in the median run", "ms");
    Stacks aborts = new Stacks("Aborted attempts by cause, medians", "attempts");
    for (Variant each : experiment.timed()) {
      each.typical().ifPresent(run -> stages.add(each.label(), Stages.of(run)));
      each.typical().ifPresent(run -> phases.add(each.label(), phases(run)));
    }
    experiment.variants().forEach(each -> aborts.add(each.label(), doubles(each.aborts())));
    nodes.addAll(stages.nodes());
    nodes.addAll(phases.nodes());
    nodes.addAll(aborts.nodes());
    RunTable.ofOtherFigures(experiment).ifPresent(nodes::add);
    RunTable.ofSettings(experiment).ifPresent(nodes::add);
    return nodes;
  }

  private static Map<String, Double> phases(Run run) {
    Map<String, Double> millis = new LinkedHashMap<>();
    run.phases().forEach(phase -> millis.merge(phase.name(), phase.millis(), Double::sum));
    return millis;
  }

  private static Map<String, Double> doubles(Map<String, BigDecimal> counts) {
    Map<String, Double> doubles = new LinkedHashMap<>();
    counts.forEach((cause, count) -> doubles.put(cause, Math.max(0, count.doubleValue())));
    return doubles;
  }
}
