package io.magpie.examples.report;

import io.magpie.examples.compare.Summary;
import java.util.List;
import java.util.Optional;

/** The median of a time as a bar for each variant, with its spread. */
final class MedianBars {
  private static final int HEIGHT = 22;
  private static final int MIDDLE = HEIGHT / 2;
  private static final String SPREAD = "; the line spans all runs, its thick part the middle half";
  private static final int OF_BASELINES = 4;

  private MedianBars() {}

  /** The chart; empty if fewer than two variants, simulated ones aside, have the time. */
  static Optional<Element> of(Experiment experiment) {
    String measure = experiment.measure();
    List<Variant> timed =
        experiment.timed().stream().filter(each -> each.spread(measure).isPresent()).toList();
    if (timed.size() < 2) {
      return Optional.empty();
    }
    Axis axis =
        Axis.upTo(
            timed.stream()
                .mapToDouble(each -> each.spread(measure).orElseThrow().largest())
                .max()
                .orElseThrow());
    boolean repeated = timed.stream().anyMatch(each -> each.count() > 1);
    String caption = (repeated ? "Median of the " : "The ") + Numbers.time(measure);
    Rows rows = new Rows(repeated ? caption + SPREAD : caption, axis);
    for (Variant each : timed) {
      Summary.Spread spread = each.spread(measure).orElseThrow();
      rows.row(each.label(), bar(each, spread, axis), Numbers.millis(spread.median()) + " ms");
    }
    return Optional.of(rows.figure("ms"));
  }

  private static Element bar(Variant variant, Summary.Spread spread, Axis axis) {
    String description =
        String.format(
            "median %s ms, from %s to %s ms, %s",
            Numbers.millis(spread.median()),
            Numbers.millis(spread.least()),
            Numbers.millis(spread.largest()),
            Numbers.counted(variant.count(), "run"));
    String style = Palette.style(variant.subject().baseline() ? OF_BASELINES : 0);
    Element bar =
        Svg.picture(variant.label() + ": " + description, description, HEIGHT)
            .add(Svg.box(0, axis.at(spread.median()), 3, HEIGHT - 6, style + " bar"));
    if (variant.count() > 1) {
      double least = axis.at(spread.least());
      double largest = axis.at(spread.largest());
      double lower = axis.at(spread.lowerQuartile());
      double upper = axis.at(spread.upperQuartile());
      for (String layer : List.of("halo", "whisker")) {
        bar.add(Svg.line(least, MIDDLE, largest, MIDDLE, layer));
        bar.add(Svg.line(least, MIDDLE - 5, least, MIDDLE + 5, layer));
        bar.add(Svg.line(largest, MIDDLE - 5, largest, MIDDLE + 5, layer));
        bar.add(Svg.line(lower, MIDDLE, upper, MIDDLE, layer + " thick"));
      }
    }
    return bar;
  }
}
