package io.magpie.examples.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Times over a number: lines with a mark of its own shape for each, and the numbers in a table. */
final class LineChart {
  private static final int HEIGHT = 260;
  private static final double LEFT = 0.12;
  private static final double RIGHT = 0.93;
  private static final int TOP = 12;
  private static final int BOTTOM = 220;

  /** Shapes of marks around their place. */
  private static final List<String> MARKS =
      List.of(
          "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z",
          "M-4 -4H4V4H-4Z",
          "M0 -5L5 4H-5Z",
          "M0 -5.5L5.5 0L0 5.5L-5.5 0Z",
          "M0 5L5 -4H-5Z",
          "M-5 -1.5H-1.5V-5H1.5V-1.5H5V1.5H1.5V5H-1.5V1.5H-5Z",
          "M-5 -2.5H5V2.5H-5Z",
          "M-2.5 -5H2.5V5H-2.5Z");

  private final Scaling scaling;
  private final Axis across;
  private final Axis up;

  private LineChart(Scaling scaling) {
    this.scaling = scaling;
    this.across = Axis.of(scaling.numbers());
    double[] times =
        scaling.lines().stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(point -> point.millis().median())
            .sorted()
            .toArray();
    this.up = Axis.ofTimes(times[0], times[times.length - 1]);
  }

  /** The chart and its table. */
  static Element of(Scaling scaling) {
    return new LineChart(scaling).element();
  }

  private Element element() {
    String caption =
        "Median of the "
            + Numbers.time(scaling.measure())
            + " in ms over "
            + Numbers.words(scaling.quantity())
            + (across.logarithmic() || up.logarithmic() ? ", logarithmic" : "");
    Element picture = Svg.picture(caption, description(), HEIGHT);
    grid(picture);
    Element legend = Element.of("ul").styled("legend");
    for (int i = 0; i < scaling.lines().size(); i++) {
      Scaling.Line line = scaling.lines().get(i);
      draw(picture, line, i);
      Element sample =
          Svg.ornament("26", 18)
              .add(Svg.line(0, 9, 1, 9, Palette.style(i) + " line"))
              .add(mark(0.5, 9, i));
      legend.add(Element.of("li", sample, new Text(line.name())));
    }
    Element figure =
        Element.of("figure", Element.of("figcaption", caption), picture, legend).styled("chart");
    return Element.of("div", Element.ofWord("h3", scaling.title()), figure, table());
  }

  private String description() {
    return scaling.lines().stream()
        .map(
            line ->
                line.name()
                    + ": "
                    + line.points().stream()
                        .map(
                            point ->
                                Numbers.millis(point.millis().median())
                                    + " ms at "
                                    + Numbers.brief(point.x()))
                        .collect(Collectors.joining(", ")))
        .collect(Collectors.joining("; "));
  }

  private void grid(Element picture) {
    for (double tick : up.ticks()) {
      double y = y(tick);
      picture.add(Svg.line(LEFT, y, RIGHT, y, "grid"));
      picture.add(Svg.text(LEFT - 0.015, y + 4, "end", Numbers.brief(tick), "label"));
    }
    for (double tick : across.ticks()) {
      double x = x(tick);
      picture.add(Svg.line(x, BOTTOM, x, BOTTOM + 5, "tick"));
      picture.add(Svg.text(x, BOTTOM + 18, "middle", Numbers.brief(tick), "label"));
    }
    picture.add(
        Svg.text(
            (LEFT + RIGHT) / 2, BOTTOM + 36, "middle", Numbers.words(scaling.quantity()), "label"));
  }

  private void draw(Element picture, Scaling.Line line, int index) {
    List<Scaling.Point> points = line.points();
    for (int i = 1; i < points.size(); i++) {
      Scaling.Point one = points.get(i - 1);
      Scaling.Point other = points.get(i);
      picture.add(
          Svg.line(
              x(one.x()),
              y(one.millis().median()),
              x(other.x()),
              y(other.millis().median()),
              Palette.style(index) + " line"));
    }
    for (Scaling.Point each : points) {
      picture.add(mark(x(each.x()), y(each.millis().median()), index));
    }
  }

  /** A shape at a place; it is a picture of its own, as shapes know no parts of the width. */
  private static Element mark(double x, double y, int index) {
    return Element.of("svg", Element.of("path").with("d", MARKS.get(index % MARKS.size())))
        .with("x", Numbers.percent(x))
        .with("y", y)
        .with("overflow", "visible")
        .styled(Palette.style(index));
  }

  private double x(double value) {
    return LEFT + (RIGHT - LEFT) * across.at(value);
  }

  private double y(double value) {
    return Math.round(10 * (BOTTOM - (BOTTOM - TOP) * up.at(value))) / 10.0;
  }

  private Element table() {
    List<String> heads = new ArrayList<>(List.of(Numbers.words(scaling.quantity())));
    scaling.lines().forEach(line -> heads.add(">" + line.name()));
    Table table = new Table("Median of the " + Numbers.time(scaling.measure()) + " in ms", heads);
    for (double number : scaling.numbers()) {
      List<String> cells = new ArrayList<>(List.of(Numbers.plain(BigDecimal.valueOf(number))));
      for (Scaling.Line line : scaling.lines()) {
        cells.add(
            line.points().stream()
                .filter(point -> point.x() == number)
                .map(point -> Numbers.millis(point.millis().median()))
                .findFirst()
                .orElse(""));
      }
      table.row(cells);
    }
    return table.element();
  }
}
