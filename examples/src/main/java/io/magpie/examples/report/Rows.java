package io.magpie.examples.report;

/** A chart of rows, one for each variant, over a common axis: name, drawing and value. */
final class Rows {
  private static final int AXIS_HEIGHT = 20;

  private final Element figure;
  private final Axis axis;

  /**
   * @param caption what is drawn
   * @param axis from 0
   */
  Rows(String caption, Axis axis) {
    this.figure = Element.of("figure", Element.of("figcaption", caption)).styled("chart");
    this.axis = axis;
  }

  /** A row. */
  Rows row(String name, Element drawing, String value) {
    figure.add(
        Element.of(
                "div",
                Element.of("span", name).styled("name"),
                drawing,
                Element.of("span", value).styled("value"))
            .styled("row"));
    return this;
  }

  /** What was drawn, with its axis, and a legend below if there is one. */
  Element figure(String unit, Node... legend) {
    Element ticks = Svg.ornament("100%", AXIS_HEIGHT);
    for (double tick : axis.ticks()) {
      double at = axis.at(tick);
      ticks.add(Svg.line(at, 0, at, 5, "tick"));
      ticks.add(Svg.text(at, 17, Svg.anchor(at), Numbers.brief(tick), "label"));
    }
    figure.add(
        Element.of(
                "div",
                Element.of("span").styled("name"),
                ticks,
                Element.of("span", unit).styled("value"))
            .styled("row axis"));
    for (Node each : legend) {
      figure.add(each);
    }
    return figure;
  }
}
