package io.magpie.examples.report;

import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Summary;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The variants of an experiment: times, what the results are like, and whether they are right. */
final class RunTable {
  /** Figures that say how good a result is, and are in this table even if no record names them. */
  private static final List<String> QUALITY =
      List.of(
          "weight",
          "components",
          "cut",
          "imbalance",
          "triangles",
          "inserted",
          "badLeft",
          "smallestAngle",
          "operationsPerSecond",
          "commitsPerSecond");

  private final Experiment experiment;
  private final String measure;
  private final String other;
  private final List<String> quality;
  private final boolean disturbed;
  private final boolean ratios;
  private final boolean comparisons;
  private final boolean revisions;
  private final boolean timed;
  private final boolean timedOtherwise;

  private RunTable(Experiment experiment) {
    this.experiment = experiment;
    List<Variant> variants = experiment.variants();
    measure = experiment.measure();
    other =
        measure.equals(Comparison.Outcome.TOTAL)
            ? Comparison.Outcome.KERNELS
            : Comparison.Outcome.TOTAL;
    quality = quality(variants);
    disturbed = variants.stream().anyMatch(Variant::disturbed);
    ratios = variants.stream().anyMatch(each -> each.ratio().isPresent());
    comparisons = severalParts(experiment);
    revisions =
        variants.stream().map(each -> each.subject().environment().revision()).distinct().count()
            > 1;
    timed = variants.stream().anyMatch(each -> each.spread(measure).isPresent());
    timedOtherwise = variants.stream().anyMatch(each -> each.spread(other).isPresent());
  }

  /** Figures that are in this table; all others are in a table of their own. */
  private static List<String> quality(List<Variant> variants) {
    List<String> figures = Variant.names(variants, Run::figures);
    Stream<String> shown =
        variants.stream()
            .flatMap(variant -> variant.summaries().stream())
            .flatMap(summary -> summary.shown().stream());
    return Stream.concat(shown, QUALITY.stream()).distinct().filter(figures::contains).toList();
  }

  /** The table. */
  static Element of(Experiment experiment) {
    return new RunTable(experiment).element();
  }

  /** That times are worth nothing, if other programs took processor time. */
  static Optional<Element> notice(Experiment experiment) {
    List<String> disturbed =
        experiment.variants().stream().filter(Variant::disturbed).map(Variant::label).toList();
    return disturbed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Element.of(
                    "p",
                    "Other programs may have taken processor time (cpu/wall is low) from "
                        + String.join("; ", disturbed)
                        + ": these times and ratios are void, repeat on a quiet machine.")
                .styled("notice"));
  }

  /** The comparisons that runs were part of, if there are several, or other runs with them. */
  static Optional<Element> ofComparisons(Experiment experiment) {
    if (!severalParts(experiment)) {
      return Optional.empty();
    }
    Table table =
        new Table(
            "Comparisons; a ratio is to the first variant of the same comparison",
            List.of("comparison", "first", "file", "finished"));
    for (Session each : experiment.sessions()) {
      table.row(
          List.of(
              String.valueOf(each.number()),
              experiment.first(each).orElse(""),
              each.file().toString(),
              each.time()));
    }
    return Optional.of(table.element());
  }

  private static boolean severalParts(Experiment experiment) {
    long parts =
        experiment.variants().stream().map(each -> each.subject().session()).distinct().count();
    return parts > 1;
  }

  private Element element() {
    Table table = new Table("Runs; times in ms; medians where values vary", heads());
    experiment.variants().forEach(each -> table.nodes(cells(each)));
    return table.element();
  }

  private List<String> heads() {
    List<String> heads = new ArrayList<>(List.of("variant", "device"));
    if (revisions) {
      heads.add("revision");
    }
    if (comparisons) {
      heads.add("comparison");
    }
    heads.addAll(List.of(">runs", "result"));
    if (timed) {
      heads.addAll(List.of(">" + measure + " median", ">least", ">largest"));
    }
    if (timedOtherwise) {
      heads.add(">" + other + " median");
    }
    if (disturbed) {
      heads.add("cpu/wall");
    }
    if (ratios) {
      heads.addAll(List.of(">" + ratioHead(), "difference"));
    }
    quality.forEach(name -> heads.add(">" + Numbers.words(name)));
    return heads;
  }

  private String ratioHead() {
    Optional<String> first =
        comparisons
            ? Optional.empty()
            : experiment.sessions().stream().findFirst().flatMap(experiment::first);
    return "ratio to " + first.orElse("first");
  }

  private List<Node> cells(Variant variant) {
    List<Node> cells = new ArrayList<>();
    Environment where = variant.subject().environment();
    cells.add(new Text(variant.label() + (variant.subject().baseline() ? " (baseline)" : "")));
    cells.add(new Text(where.device()));
    if (revisions) {
      cells.add(new Text(where.revision()));
    }
    if (comparisons) {
      Session session = variant.subject().session();
      cells.add(new Text(session == null ? "" : String.valueOf(session.number())));
    }
    cells.add(new Text(String.format(Locale.ROOT, "%,d", variant.count())));
    cells.add(Verdict.of(variant));
    if (timed) {
      Optional<Summary.Spread> spread = variant.spread(measure);
      cells.add(millis(spread.map(Summary.Spread::median)));
      cells.add(millis(spread.map(Summary.Spread::least)));
      cells.add(millis(spread.map(Summary.Spread::largest)));
    }
    if (timedOtherwise) {
      cells.add(millis(variant.spread(other).map(Summary.Spread::median)));
    }
    if (disturbed) {
      cells.add(processors(variant));
    }
    if (ratios) {
      cells.add(new Text(variant.ratio().map(ratio -> ratio(ratio) + of(variant)).orElse("")));
      cells.add(new Text(variant.ratio().map(Summarized.Ratio::verdict).orElse("")));
    }
    quality.forEach(name -> cells.add(new Text(figures(variant.figures(name)))));
    return cells;
  }

  /** Which time a ratio is of, where it is not the one in the table. */
  private String of(Variant variant) {
    String own = variant.summaries().get(0).measure();
    return own.isEmpty() || own.equals(measure) ? "" : " of " + own;
  }

  private static Text millis(Optional<Double> value) {
    return new Text(value.map(Numbers::millis).orElse(""));
  }

  /** The share of the processor that a variant got, with a mark if that is too small. */
  private static Node processors(Variant variant) {
    String share =
        variant.summaries().stream()
            .flatMap(each -> each.processors().stream())
            .map(each -> String.format(Locale.ROOT, "%.2f", each))
            .collect(Collectors.joining(", "));
    return variant.disturbed()
        ? Element.of("span", "\u2717 disturbed, " + share).styled("bad")
        : new Text(share);
  }

  private static String ratio(Summarized.Ratio ratio) {
    return ratio.verdict().equals(Summary.Ratio.VOID)
        ? String.format(Locale.ROOT, "%.3f", ratio.median())
        : String.format(
            Locale.ROOT, "%.3f (%.3f to %.3f)", ratio.median(), ratio.low(), ratio.high());
  }

  /** The median of some values, and their range if they differ. */
  static String figures(List<BigDecimal> values) {
    if (values.isEmpty()) {
      return "";
    }
    List<BigDecimal> sorted = values.stream().sorted().toList();
    String least = Numbers.plain(sorted.get(0));
    String largest = Numbers.plain(sorted.get(sorted.size() - 1));
    String median = Numbers.plain(Numbers.median(sorted));
    return least.equals(largest) ? median : median + " (" + least + " to " + largest + ")";
  }

  /** Medians of the figures that are not in this table, if there are any. */
  static Optional<Element> ofOtherFigures(Experiment experiment) {
    List<String> names = new ArrayList<>(Variant.names(experiment.variants(), Run::figures));
    names.removeAll(quality(experiment.variants()));
    if (names.isEmpty()) {
      return Optional.empty();
    }
    List<String> heads = new ArrayList<>(List.of("variant"));
    names.forEach(name -> heads.add(">" + Numbers.words(name)));
    Table table = new Table("Other figures; medians, and ranges where values vary", heads);
    for (Variant variant : experiment.variants()) {
      List<String> cells = new ArrayList<>(List.of(variant.label()));
      names.forEach(name -> cells.add(figures(variant.figures(name))));
      addUnlessEmpty(table, cells);
    }
    return Optional.of(table.element());
  }

  /** The settings of each variant, those first in which variants differ, if there are any. */
  static Optional<Element> ofSettings(Experiment experiment) {
    List<Map<String, String>> settings =
        experiment.variants().stream().map(each -> each.subject().settings()).toList();
    List<String> names =
        settings.stream().flatMap(each -> each.keySet().stream()).distinct().toList();
    if (names.isEmpty()) {
      return Optional.empty();
    }
    List<String> ordered = new ArrayList<>(names);
    ordered.removeIf(name -> !differ(settings, name));
    names.stream().filter(name -> !ordered.contains(name)).forEach(ordered::add);
    List<String> heads = new ArrayList<>(List.of("variant"));
    heads.addAll(ordered);
    Table table = new Table("Settings", heads);
    for (Variant variant : experiment.variants()) {
      List<String> cells = new ArrayList<>(List.of(variant.label()));
      ordered.forEach(name -> cells.add(variant.subject().settings().getOrDefault(name, "")));
      addUnlessEmpty(table, cells);
    }
    return Optional.of(table.element());
  }

  private static void addUnlessEmpty(Table table, List<String> cells) {
    if (cells.stream().skip(1).anyMatch(cell -> !cell.isEmpty())) {
      table.row(cells);
    }
  }

  private static boolean differ(List<Map<String, String>> settings, String name) {
    return settings.stream().map(each -> each.getOrDefault(name, "")).distinct().count() > 1;
  }
}
