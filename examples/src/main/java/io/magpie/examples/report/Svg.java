package io.magpie.examples.report;

/**
 * Shapes of charts. Lengths along the page are parts of its width, so that charts fit every screen
 * while their text keeps its size; across they are pixels.
 */
final class Svg {
  private Svg() {}

  /**
   * A picture for people who see it, and its text for others.
   *
   * @param title what it shows, in a few words
   * @param description what it says
   * @param height in pixels
   */
  static Element picture(String title, String description, int height) {
    return Element.of("svg", Element.of("title", title), Element.of("desc", description))
        .with("role", "img")
        .with("width", "100%")
        .with("height", height);
  }

  /** A picture that only repeats what is written next to it. */
  static Element ornament(String width, int height) {
    return Element.of("svg")
        .with("aria-hidden", "true")
        .with("width", width)
        .with("height", height);
  }

  /** A rectangle. */
  static Element box(double from, double width, int top, int height, String style) {
    return Element.of("rect")
        .with("x", Numbers.percent(from))
        .with("width", Numbers.percent(Math.max(0, width)))
        .with("y", top)
        .with("height", height)
        .styled(style);
  }

  /** A line. */
  static Element line(double x1, double y1, double x2, double y2, String style) {
    return Element.of("line")
        .with("x1", Numbers.percent(x1))
        .with("y1", y1)
        .with("x2", Numbers.percent(x2))
        .with("y2", y2)
        .styled(style);
  }

  /**
   * Text.
   *
   * @param anchor start, middle or end: which part of the text is at the place
   */
  static Element text(double x, double y, String anchor, String text, String style) {
    return Element.of("text", text)
        .with("x", Numbers.percent(x))
        .with("y", y)
        .with("text-anchor", anchor)
        .styled(style);
  }

  /** Where a text is anchored so that it stays within a chart. */
  static String anchor(double at) {
    return at < 0.03 ? "start" : at > 0.97 ? "end" : "middle";
  }
}
