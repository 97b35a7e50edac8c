package io.magpie.examples.report;

import io.magpie.examples.compare.Comparison;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A page of HTML about records, complete in itself: for the same records it is the same to the
 * byte. A section is there only if records have something to say in it.
 */
public final class ReportPage {
  /** Nothing but what is on the page, and no scripts, whatever may get into it. */
  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

  private static final int SHOWN_OF_HASH = 19;

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

  /** How many experiments are on it: inputs, by algorithm. */
  public int experiments() {
    return experiments.size();
  }

  /** How many runs they have. */
  public int runs() {
    return records.runs().size();
  }

  /** Writes the page in UTF-8. */
  public void writeTo(OutputStream out) throws IOException {
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n");
    html().writeTo(page);
    out.write(page.append('\n').toString().getBytes(StandardCharsets.UTF_8));
  }

  private Element html() {
    Element head =
        Element.of(
            "head",
            Element.of("meta").with("charset", "utf-8"),
            Element.of("meta")
                .with("name", "viewport")
                .with("content", "width=device-width, initial-scale=1"),
            Element.of("meta").with("name", "color-scheme").with("content", "light dark"),
            Element.of("meta")
                .with("http-equiv", "Content-Security-Policy")
                .with("content", POLICY),
            Element.of("title", title()),
            StyleSheet.ofReports());
    return Element.of("html", head, body())
        .with("lang", "en")
        .with("xmlns", "http://www.w3.org/1999/xhtml");
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
    List<Section> sections = new ArrayList<>();
    addAbout(sections);
    experiments.forEach(each -> sections.add(experiment(each)));
    addScaling(sections);
    addPictures(sections);
    Element list = Element.of("ul");
    Element main = Element.of("main");
    for (int i = 0; i < sections.size(); i++) {
      String id = "section-" + (i + 1);
      list.add(
          Element.of("li", Element.ofWord("a", sections.get(i).title()).with("href", "#" + id)));
      main.add(sections.get(i).element().with("id", id));
    }
    return Element.of(
        "body",
        Element.of("header", Element.of("h1", title()), Element.of("p", overview())),
        Element.of("nav", list).with("aria-label", "Sections"),
        main,
        Element.of("footer", Element.of("p", "Written by " + writer + ".")));
  }

  private String overview() {
    return Numbers.counted(records.runs().size(), "run")
        + " of "
        + Numbers.counted(experiments.stream().mapToLong(e -> e.variants().size()).sum(), "variant")
        + " on "
        + Numbers.counted(experiments.size(), "input")
        + ", from "
        + Numbers.counted(records.files().size(), "file")
        + ".";
  }

  /** A part of the page with a heading, which the list at its top leads to. */
  private record Section(String title, Element element) {
    static Section of(String title) {
      return new Section(title, Element.of("section", Element.ofWord("h2", title)));
    }

    Section add(Node node) {
      element.add(node);
      return this;
    }
  }

  private void addAbout(List<Section> sections) {
    if (!records.failures().isEmpty()) {
      Element list = Element.of("ul");
      records
          .failures()
          .forEach((file, message) -> list.add(Element.of("li", file + ": " + message)));
      sections.add(Section.of("Ended early").add(list));
    }
    if (!experiments.isEmpty()) {
      sections.add(Section.of("Environment").add(environments()));
      sections.add(Section.of("Inputs").add(inputs()));
    }
  }

  private Element environments() {
    Table table =
        new Table(
            "Where the runs were made",
            List.of("device", "name", "detail", "host", "Java", "heap", "version", "revision"));
    records
        .environments()
        .forEach(
            (each, heaps) ->
                table.row(
                    List.of(
                        each.device(),
                        each.name(),
                        each.detail(),
                        each.host(),
                        each.java(),
                        heaps.stream()
                            .map(ReportPage::gibibytes)
                            .distinct()
                            .collect(Collectors.joining(", ")),
                        each.version(),
                        each.revision())));
    return table.element();
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
        new Table("What was given", List.of("input", "algorithm", "size", "hash", "records"));
    for (Experiment each : experiments) {
      Problem problem = each.problem();
      table.nodes(
          List.of(
              Element.ofWord("span", problem.input()),
              new Text(problem.algorithm()),
              new Text(size(records.sizes(problem))),
              Element.of("code", abbreviated(problem.hash())),
              Element.ofWord("span", files(problem))));
    }
    return table.element();
  }

  private static String size(Map<String, BigDecimal> sizes) {
    return sizes.entrySet().stream()
        .map(each -> Numbers.words(each.getKey()) + " " + Numbers.plain(each.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** As much of a hash as tells inputs apart. */
  private static String abbreviated(String hash) {
    return hash.length() > SHOWN_OF_HASH ? hash.substring(0, SHOWN_OF_HASH) + "\u2026" : hash;
  }

  private String files(Problem problem) {
    return records.files(problem).stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  private static Section experiment(Experiment experiment) {
    Section section = Section.of(experiment.problem().title()).add(RunTable.of(experiment));
    MedianBars.of(experiment).ifPresent(section::add);
    Stacks stages =
        new Stacks(
            "Stages of the " + Comparison.Outcome.TOTAL + " time, of the run in the middle", "ms");
    Stacks phases = new Stacks("Kernels, of the run in the middle", "ms");
    Stacks aborts = new Stacks("Aborted attempts by cause, medians", "attempts");
    for (Variant each : experiment.variants()) {
      each.typical().ifPresent(run -> stages.add(each.label(), Stages.of(run)));
      each.typical().ifPresent(run -> phases.add(each.label(), phases(run)));
      aborts.add(each.label(), doubles(each.aborts()));
    }
    stages.nodes().forEach(section::add);
    phases.nodes().forEach(section::add);
    aborts.nodes().forEach(section::add);
    RunTable.ofOtherFigures(experiment).ifPresent(section::add);
    RunTable.ofSettings(experiment).ifPresent(section::add);
    return section;
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

  private void addScaling(List<Section> sections) {
    List<Scaling> charts = Scaling.of(experiments, records);
    if (!charts.isEmpty()) {
      Section section = Section.of("Scaling");
      charts.forEach(each -> section.add(LineChart.of(each)));
      sections.add(section);
    }
  }

  private void addPictures(List<Section> sections) {
    if (!pictures.isEmpty()) {
      Section section = Section.of("Pictures");
      pictures.forEach(each -> section.add(each.figure()));
      sections.add(section);
    }
  }
}
