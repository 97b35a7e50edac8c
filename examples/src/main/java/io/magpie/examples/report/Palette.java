package io.magpie.examples.report;

import java.util.List;

/**
 * The colors of charts. Each has a contrast of at least 3 with the page, and any two can be told
 * apart by people with any of the three kinds of color blindness; what is written on it is black or
 * white, whichever contrasts by at least 4.5. The list is as long as such a one can well be.
 */
final class Palette {
  /** Of the page, and of text on it, in light and in dark. */
  static final Ground LIGHT =
      new Ground(
          "#ffffff",
          "#1b1f24",
          "#4d5661",
          List.of(
              "#3e3f94", "#fe4a0a", "#227473", "#790c56", "#819271", "#311d0d", "#3094ff",
              "#b966bb"));

  static final Ground DARK =
      new Ground(
          "#14181d",
          "#e8ebef",
          "#a9b3be",
          List.of(
              "#878afa", "#ff6013", "#74d8c6", "#b67f96", "#ffc52f", "#ffffff", "#5d5abd",
              "#9d4d42"));

  /** How many series a chart can have. */
  static final int SIZE = LIGHT.series().size();

  /**
   * Colors on one ground, each as {@code #rrggbb}.
   *
   * @param page behind everything
   * @param text of most text
   * @param muted of text that matters less
   * @param series of what is drawn
   */
  record Ground(String page, String text, String muted, List<String> series) {
    private String variables() {
      StringBuilder rules = new StringBuilder();
      rules.append("--page:").append(page);
      rules.append(";--text:").append(text);
      rules.append(";--muted:").append(muted);
      for (int i = 0; i < series.size(); i++) {
        rules.append(";--c").append(i).append(':').append(series.get(i));
        rules.append(";--t").append(i).append(':').append(written(series.get(i)));
      }
      return rules.append(';').toString();
    }
  }

  private Palette() {}

  /** The class of what is drawn in the color of a series. */
  static String style(int series) {
    return "c" + series % SIZE;
  }

  /** The color of text on another. */
  static String written(String color) {
    return contrast(color, "#ffffff") > contrast(color, "#000000") ? "#ffffff" : "#000000";
  }

  /** Custom properties for light, dark and paper, and a class for each series. */
  static String rules() {
    StringBuilder rules = new StringBuilder();
    rules.append(":root{").append(LIGHT.variables()).append("}\n");
    rules.append("@media screen and (prefers-color-scheme:dark){:root{");
    rules.append(DARK.variables()).append("}}\n");
    for (int i = 0; i < SIZE; i++) {
      rules.append(
          String.format(
              ".c%1$d{fill:var(--c%1$d);stroke:var(--c%1$d)}.t%1$d{fill:var(--t%1$d)}%n", i));
    }
    return rules.toString();
  }

  /** The contrast of two colors as WCAG 2 has it, 1 to 21. */
  static double contrast(String one, String other) {
    double a = luminance(one) + 0.05;
    double b = luminance(other) + 0.05;
    return Math.max(a, b) / Math.min(a, b);
  }

  private static double luminance(String color) {
    return 0.2126 * channel(color, 1) + 0.7152 * channel(color, 3) + 0.0722 * channel(color, 5);
  }

  /** A channel in linear light, 0 to 1. */
  static double channel(String color, int at) {
    double value = Integer.parseInt(color.substring(at, at + 2), 16) / 255.0;
    return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
  }
}
