package io.magpie.examples.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What variants consist of: parts of a whole, one on the other for each variant, and the numbers in
 * a table.
 */
final class Stacks {
  private static final int HEIGHT = 24;

  /** What parts without a color of their own are called together. */
  private static final String OTHERS = "all others";

  /** Narrower parts of a chart are not labeled. */
  private static final double LEAST_LABELED = 0.05;

  /** An outline in the color of the page would hide narrower ones. */
  private static final double LEAST_OUTLINED = 0.015;

  private final String title;
  private final String unit;
  private final Map<String, Map<String, Double>> parts = new LinkedHashMap<>();

  /**
   * @param title what is shown
   * @param unit of the numbers, such as ms
   */
  Stacks(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  /** Adds a variant with its parts, each at least 0. */
  void add(String variant, Map<String, Double> of) {
    if (of.values().stream().anyMatch(value -> value > 0)) {
      parts.put(variant, of);
    }
  }

  /** Chart and table; nothing if no variant has parts. */
  List<Node> nodes() {
    if (parts.isEmpty()) {
      return List.of();
    }
    Map<String, Double> totals = new LinkedHashMap<>();
    parts
        .values()
        .forEach(of -> of.forEach((part, value) -> totals.merge(part, value, Double::sum)));
    List<String> names = new ArrayList<>(totals.keySet());
    totals.values().removeIf(total -> total == 0);
    return List.of(chart(drawn(totals)), table(names));
  }

  /** The parts with colors of their own: as many as there are, the largest ones. */
  private static List<String> drawn(Map<String, Double> totals) {
    if (totals.size() <= Palette.SIZE) {
      return List.copyOf(totals.keySet());
    }
    List<String> largest =
        totals.keySet().stream()
            .sorted(Comparator.comparing(totals::get).reversed())
            .limit(Palette.SIZE - 1L)
            .toList();
    return totals.keySet().stream().filter(largest::contains).toList();
  }

  private Element chart(List<String> drawn) {
    double most = parts.values().stream().mapToDouble(Stacks::sum).max().orElseThrow();
    Axis axis = Axis.upTo(most);
    Rows rows = new Rows(title, axis);
    boolean others = false;
    for (Map.Entry<String, Map<String, Double>> each : parts.entrySet()) {
      Map<String, Double> shown = shown(each.getValue(), drawn);
      others |= shown.containsKey(OTHERS);
      String total = number(sum(each.getValue()));
      rows.row(each.getKey(), row(each.getKey(), shown, drawn, axis), total);
    }
    return rows.figure(unit, legend(drawn, others));
  }

  private static Map<String, Double> shown(Map<String, Double> of, List<String> drawn) {
    Map<String, Double> shown = new LinkedHashMap<>();
    drawn.forEach(name -> shown.put(name, of.getOrDefault(name, 0.0)));
    of.forEach(
        (name, value) -> {
          if (value > 0 && !drawn.contains(name)) {
            shown.merge(OTHERS, value, Double::sum);
          }
        });
    return shown;
  }

  private Element row(String variant, Map<String, Double> shown, List<String> drawn, Axis axis) {
    List<String> words = new ArrayList<>();
    shown.forEach(
        (name, value) -> {
          if (value > 0) {
            words.add(Numbers.words(name) + " " + number(value));
          }
        });
    String description = String.join(", ", words);
    Element row = Svg.picture(variant + ": " + description, description, HEIGHT);
    double begin = 0;
    for (Map.Entry<String, Double> part : shown.entrySet()) {
      double width = axis.at(part.getValue());
      int index = part.getKey().equals(OTHERS) ? drawn.size() : drawn.indexOf(part.getKey());
      if (width > 0) {
        String style = Palette.style(index) + (width >= LEAST_OUTLINED ? " part" : "");
        row.add(Svg.box(begin, width, 2, HEIGHT - 4, style));
      }
      if (width >= LEAST_LABELED) {
        row.add(Svg.text(begin + width / 2, 16, "middle", letter(index), "t" + index + " letter"));
      }
      begin += width;
    }
    return row;
  }

  private static Element legend(List<String> drawn, boolean others) {
    Element legend = Element.of("ul").styled("legend");
    for (int i = 0; i < drawn.size(); i++) {
      legend.add(entry(i, Numbers.words(drawn.get(i))));
    }
    if (others) {
      legend.add(entry(drawn.size(), OTHERS));
    }
    return legend;
  }

  private static Element entry(int index, String name) {
    Element sample =
        Svg.ornament("18", 18)
            .add(Svg.box(0, 1, 0, 18, Palette.style(index)))
            .add(Svg.text(0.5, 13, "middle", letter(index), "t" + index + " letter"));
    return Element.of("li", sample, new Text(name));
  }

  private static String letter(int index) {
    return String.valueOf((char) ('a' + index));
  }

  private Element table(List<String> names) {
    List<String> head = new ArrayList<>(List.of("variant"));
    names.forEach(name -> head.add(">" + Numbers.words(name)));
    Table table = new Table(unit.equals("ms") ? title + ", ms" : title, head);
    parts.forEach(
        (variant, of) -> {
          List<String> cells = new ArrayList<>(List.of(variant));
          names.forEach(name -> cells.add(of.containsKey(name) ? number(of.get(name)) : ""));
          table.row(cells);
        });
    return table.element();
  }

  private String number(double value) {
    return unit.equals("ms") ? Numbers.millis(value) : Numbers.plain(BigDecimal.valueOf(value));
  }

  private static double sum(Map<String, Double> of) {
    return of.values().stream().mapToDouble(value -> value).sum();
  }
}
