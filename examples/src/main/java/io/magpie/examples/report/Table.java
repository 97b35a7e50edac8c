package io.magpie.examples.report;

import java.util.ArrayList;
import java.util.List;

/** A table in a box of its own, which scrolls where the page is too narrow for it. */
final class Table {
  private final String caption;
  private final List<Boolean> numbers = new ArrayList<>();
  private final Element head = Element.of("tr");
  private final Element body = Element.of("tbody");

  /**
   * @param caption what it shows
   * @param heads of its columns; those of columns of numbers begin with {@code >}
   */
  Table(String caption, List<String> heads) {
    this.caption = caption;
    for (String each : heads) {
      boolean number = each.startsWith(">");
      numbers.add(number);
      Element cell = Element.of("th", number ? each.substring(1) : each).with("scope", "col");
      head.add(number ? cell.styled("number") : cell);
    }
  }

  /** Adds a row of text, whose first cell says what it is about. */
  Table row(List<String> cells) {
    return nodes(cells.stream().<Node>map(Text::new).toList());
  }

  /** Adds a row. */
  Table nodes(List<Node> cells) {
    Element row = Element.of("tr");
    for (int i = 0; i < cells.size(); i++) {
      Element cell =
          i == 0
              ? Element.of("th", cells.get(i)).with("scope", "row")
              : Element.of("td", cells.get(i));
      row.add(numbers.get(i) ? cell.styled("number") : cell);
    }
    body.add(row);
    return this;
  }

  /** The table, which the keyboard can scroll as well. */
  Element element() {
    return Element.of(
            "div",
            Element.of("table", Element.of("caption", caption), Element.of("thead", head), body))
        .styled("box")
        .with("role", "region")
        .with("aria-label", caption)
        .with("tabindex", 0);
  }
}
